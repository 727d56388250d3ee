/* Checks of a profile as a whole, which single values cannot fail: required figures that are missing, and values that
 * contradict one another. */
#include "config/rows.h"
#include "sim/util/mesh.h"

#include <stdio.h>
#include <string.h>

static bool is_pow2(uint32_t v)
{
    return v && !(v & (v - 1));
}

/* The error of one field. Two values contradict one another, and they may come from different files: the profile as a
 * whole is named first, then the file that gave this one. */
static int bad(const struct profile *p, struct err *e, const char *path, const char *what)
{
    const struct profile_row *row = profile_row_find(path);
    unsigned from = row && row_origin(p, row)->given ? row_origin(p, row)->file : 0;

    if (from)
        return err_set(e, ERR_FORMAT, "%s: %s (given by %s): %s", p->files[0], path, p->files[from], what);
    return err_set(e, ERR_FORMAT, "%s: %s: %s", p->files[0], path, what);
}

#define REQUIRE(COND, PATH, WHAT)                                                                                      \
    do {                                                                                                               \
        if (!(COND))                                                                                                   \
            return bad(p, e, PATH, WHAT);                                                                              \
    } while (0)

static int check_gpu(const struct profile *p, struct err *e)
{
    const struct profile_chip *g = &p->gpu;

    REQUIRE(g->cus % g->xcds == 0, "gpu.cus", "expected a multiple of gpu.xcds");
    REQUIRE(g->shader_engines % g->xcds == 0, "gpu.shader_engines", "expected a multiple of gpu.xcds");
    REQUIRE(g->cus % g->cus_per_wgp == 0, "gpu.cus", "expected a multiple of gpu.cus_per_wgp");
    REQUIRE(g->shader_engines <= g->cus, "gpu.cus", "expected at least one CU for each shader engine");
    return 0;
}

static int check_registers(const struct profile *p, struct err *e)
{
    const struct profile_cu *c = &p->cu;

    REQUIRE(is_pow2(c->simd_lanes), "cu.simd_lanes", "expected 16 or 32");
    REQUIRE(c->vgprs_per_simd_w64 % c->vgpr_granule_w64 == 0, "cu.vgpr_granule_w64",
            "expected a divisor of cu.vgprs_per_simd_w64");
    REQUIRE(!c->vgprs_per_simd_w32 == !c->vgpr_granule_w32, "cu.vgpr_granule_w32",
            "expected zero exactly when cu.vgprs_per_simd_w32 is zero (no wave32)");
    REQUIRE(!c->vgprs_per_simd_w32 || c->vgprs_per_simd_w32 % c->vgpr_granule_w32 == 0, "cu.vgpr_granule_w32",
            "expected a divisor of cu.vgprs_per_simd_w32");
    REQUIRE(!c->vgprs_per_simd_w32 || c->vgprs_per_simd_w32 == 2 * c->vgprs_per_simd_w64, "cu.vgprs_per_simd_w32",
            "expected twice cu.vgprs_per_simd_w64: it is the same file");
    REQUIRE(!c->vgpr_unified || !c->agprs_per_simd, "cu.agprs_per_simd", "expected 0 with cu.vgpr_unified");
    REQUIRE(c->sgprs_per_simd % c->sgpr_granule == 0, "cu.sgpr_granule", "expected a divisor of cu.sgprs_per_simd");
    return 0;
}

static int check_cu(const struct profile *p, struct err *e)
{
    const struct profile_cu *c = &p->cu;
    uint32_t wave = c->vgprs_per_simd_w32 ? 32 : 64;

    REQUIRE(c->lds_bytes % c->lds_granule_bytes == 0, "cu.lds_granule_bytes", "expected a divisor of cu.lds_bytes");
    REQUIRE(c->lds_max_per_workgroup_bytes <= c->lds_bytes, "cu.lds_max_per_workgroup_bytes",
            "expected no more than cu.lds_bytes");
    REQUIRE(is_pow2(c->lds_banks), "cu.lds_banks", "expected a power of two");
    REQUIRE(!c->lds_per_wgp || p->gpu.cus_per_wgp > 1, "cu.lds_per_wgp", "expected false with gpu.cus_per_wgp 1");
    REQUIRE(c->simds % c->simds_per_lds_port == 0, "cu.simds_per_lds_port", "expected a divisor of cu.simds");
    REQUIRE(c->lds_staging_registers == 0 || c->lds_staging_registers >= 5, "cu.lds_staging_registers",
            "expected 0 or at least 5, an address and the data of 16 bytes a lane");
    REQUIRE(c->store_runs_per_cycle == 0 || c->store_runs_per_cycle >= 1.0 / 64, "cu.store_runs_per_cycle",
            "expected 0 or at least 1/64");
    REQUIRE(c->max_workgroup_items <= wave * c->wave_slots_per_simd * c->simds * p->gpu.cus_per_wgp,
            "cu.max_workgroup_items", "expected no more than fill the wave slots of the CU or WGP");
    return 0;
}

static int check_lds(const struct profile *p, struct err *e)
{
    static const char *const phase[] = {"lds.read_b32_lanes",  "lds.read_b64_lanes",  "lds.read_b96_lanes",
                                        "lds.read_b128_lanes", "lds.store_b32_lanes", "lds.store_b64_lanes",
                                        "lds.store_b96_lanes", "lds.store_b128_lanes"};

    REQUIRE(!p->lds.store_banks || is_pow2(p->lds.store_banks), "lds.store_banks", "expected 0 or a power of two");
    for (size_t i = 0; i < sizeof phase / sizeof phase[0]; i++)
        REQUIRE(is_pow2(*(const uint32_t *)row_in(p, profile_row_find(phase[i]))), phase[i], "expected a power of two");
    return 0;
}

static int check_tensor(const struct profile *p, struct err *e)
{
    REQUIRE(!p->tensor.entries == !p->tensor.lines_per_cycle, "tensor.lines_per_cycle",
            "expected zero exactly when tensor.entries is zero (no tensor unit)");
    return 0;
}

/* Classes that not every chip has; all others must be described. */
static bool class_optional(unsigned cls)
{
    switch (cls) {
    case OPC_DOT:
    case OPC_SWAP:
    case OPC_MFMA:
    case OPC_WMMA:
    case OPC_SALU_FLOAT:
    case OPC_SALU_TRANS:
    case OPC_VOPD:
    case OPC_GDS:
    case OPC_EXPORT:
        return true;
    default:
        return false;
    }
}

static int check_class(const struct profile *p, unsigned cls, struct err *e)
{
    const struct profile_class_cost *c = &p->cls[cls];
    char path[96];

    if (class_optional(cls) && !c->issue_cycles_w32 && !c->issue_cycles_w64 && !c->latency_cycles)
        return 0;
    snprintf(path, sizeof path, "class.%s.issue_cycles_w64", op_class_key[cls]);
    REQUIRE(c->issue_cycles_w64, path, "missing or zero; expected at least 1 cycle");
    snprintf(path, sizeof path, "class.%s.issue_cycles_w32", op_class_key[cls]);
    if (p->cu.vgprs_per_simd_w32)
        REQUIRE(c->issue_cycles_w32 || !profile_row_find(path), path,
                "missing or zero; expected at least 1 cycle on a chip with wave32");
    else
        REQUIRE(!c->issue_cycles_w32, path, "expected none on a chip without wave32 (cu.vgprs_per_simd_w32 0)");
    snprintf(path, sizeof path, "class.%s.latency_cycles", op_class_key[cls]);
    REQUIRE(c->latency_cycles || !profile_row_find(path), path, "missing or zero; expected at least 1 cycle");
    return 0;
}

static int check_cache(const struct profile *p, unsigned level, struct err *e)
{
    const struct profile_cache *c = &p->cache[level];
    char path[96];

#define FIELD(M) (snprintf(path, sizeof path, "cache.%s." M, cache_level_key[level]), path)
    REQUIRE(is_pow2(c->line_bytes), FIELD("line_bytes"), "expected a power of two");
    REQUIRE(is_pow2(c->channel_interleave_bytes) && c->channel_interleave_bytes % c->line_bytes == 0,
            FIELD("channel_interleave_bytes"), "expected a power of two and no less than line_bytes");
    REQUIRE(!c->channel_hash || (c->channel_interleave_bytes == 256 && is_pow2(c->channels) && c->channels <= 128),
            FIELD("channel_hash"), "expected channels of 256 bytes, at most 128 of them, a power of two");
    uint64_t row = (uint64_t)c->line_bytes * c->ways * c->channels;
    REQUIRE(c->size_bytes % row == 0, FIELD("size_bytes"), "expected a multiple of line_bytes x ways x channels");
    REQUIRE(is_pow2((uint32_t)(c->size_bytes / row)), FIELD("size_bytes"),
            "expected a number of sets (size / line / ways / channels) that is a power of two");
    if (level == LEVEL_VL0) {
        REQUIRE(c->request_bytes == c->line_bytes || c->request_bytes == 2 * c->line_bytes, FIELD("request_bytes"),
                "expected line_bytes or twice that");
        REQUIRE(is_pow2(c->store_request_bytes), FIELD("store_request_bytes"), "expected a power of two");
    }
    REQUIRE(c->shared_by_cus <= p->gpu.cus / p->gpu.xcds, FIELD("shared_by_cus"),
            "expected no more CUs than an XCD has");
#undef FIELD
    return 0;
}

static int check_dram(const struct profile *p, struct err *e)
{
    REQUIRE(!(p->dram.row_bytes & (p->dram.row_bytes - 1)), "dram.row_bytes", "expected a power of two");
    REQUIRE(p->dram.refresh_ns < p->dram.refresh_interval_ns / 2, "dram.refresh_ns",
            "expected less than half of dram.refresh_interval_ns");
    if (!profile_dram_hashes(p))
        return 0;
    REQUIRE(is_pow2(p->dram.channels) && p->dram.channels <= 128, "dram.channels",
            "expected at most 128, a power of two, since channel_hash of the last cache holds for them, too");
    REQUIRE(p->cache[LEVEL_L2].channel_interleave_bytes == 256, "cache.l2.channel_interleave_bytes",
            "expected 256, since memory's channels are hashed");
    return 0;
}

/* Load to use rises from level to level: the hierarchy takes differences. */
static int check_latencies(const struct profile *p, struct err *e)
{
    static const uint8_t vector[] = {LEVEL_VL0, LEVEL_GL1, LEVEL_L2, LEVEL_MALL};
    uint32_t below = 0;
    char path[96];

    for (size_t i = 0; i < sizeof vector; i++) {
        const struct profile_cache *c = &p->cache[vector[i]];
        if (!c->present)
            continue;
        snprintf(path, sizeof path, "cache.%s.hit_latency_cycles", cache_level_key[vector[i]]);
        REQUIRE(c->hit_latency_cycles > below, path, "expected more than the level above it has");
        below = c->hit_latency_cycles;
    }
    REQUIRE(p->dram.latency_cycles > below, "dram.latency_cycles", "expected more than the last cache has");
    REQUIRE(p->dram.latency_cycles > below + p->dram.row_hit_saves_cycles, "dram.row_hit_saves_cycles",
            "expected less than DRAM adds to the last cache");
    REQUIRE(!(p->tlb.page_bytes & (p->tlb.page_bytes - 1)), "tlb.page_bytes", "expected a power of two");
    REQUIRE(!(p->tlb.utcl2_entries % p->tlb.utcl2_ways), "tlb.utcl2_entries", "expected a multiple of tlb.utcl2_ways");
    REQUIRE(p->cache[LEVEL_K].hit_latency_cycles < p->cache[LEVEL_L2].hit_latency_cycles, "cache.k.hit_latency_cycles",
            "expected less than cache.l2.hit_latency_cycles");
    REQUIRE(p->frontend.fetch_latency_cycles < p->cache[LEVEL_L2].hit_latency_cycles, "frontend.fetch_latency_cycles",
            "expected less than cache.l2.hit_latency_cycles");
    return 0;
}

/* Every chip with MFMA has the first two; of the others all rows are given or none. */
static bool kind_needed(const struct profile *p, unsigned kind)
{
    if (p->cls[OPC_MFMA].issue_cycles_w64 && (kind == OP_MATRIX_NARROW || kind == OP_MATRIX_F32))
        return true;
    for (size_t i = 0; i < profile_row_count; i++)
        if (profile_rows[i].need == NEED_KIND && profile_rows[i].group == kind &&
            row_origin(p, &profile_rows[i])->given)
            return true;
    return false;
}

/* Latencies from MALL and memory on are means over the dies, so the mean distance is part of them. */
static int check_fabric(const struct profile *p, struct err *e)
{
    const struct profile_fabric *f = &p->fabric;
    double hops = mesh_mean_distance(f->iod_columns, f->iod_rows);
    uint32_t next = p->cache[LEVEL_MALL].present ? p->cache[LEVEL_MALL].hit_latency_cycles : p->dram.latency_cycles;

    REQUIRE(!f->xcds_per_iod || p->gpu.xcds <= (uint64_t)f->xcds_per_iod * f->iod_columns * f->iod_rows,
            "fabric.xcds_per_iod", "expected 0, or so many on each of the dies that gpu.xcds fit");
    REQUIRE(f->link_bytes_per_cycle == 0 || f->link_bytes_per_cycle >= 1.0 / 1024, "fabric.link_bytes_per_cycle",
            "expected 0 or at least 1/1024");
    REQUIRE(f->xcd_bytes_per_cycle == 0 || f->xcd_bytes_per_cycle >= 1.0 / 1024, "fabric.xcd_bytes_per_cycle",
            "expected 0 or at least 1/1024");
    REQUIRE(p->gpu.xcds == 1 || 2 * hops * f->hop_cycles < next - p->cache[LEVEL_L2].hit_latency_cycles,
            "fabric.hop_cycles",
            "expected that the mean round trip over the fabric takes less than what lies behind L2");
    return 0;
}

/* Figures of MFMA on a chip without it would have no effect, silently. */
static int check_matrix(const struct profile *p, struct err *e)
{
    bool mfma = p->cls[OPC_MFMA].issue_cycles_w64;

    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        if (row->need != NEED_MFMA && row->need != NEED_KIND)
            continue;
        if (row_origin(p, row)->given)
            REQUIRE(mfma, row->path, "expected class.mfma too");
        else if (row->need == NEED_MFMA ? mfma : kind_needed(p, row->group))
            return err_set(e, ERR_FORMAT, "%s: %s: missing; expected %s, in cycles", p->files[0], row->path,
                           row->about);
    }
    return 0;
}

static int check_wmma(const struct profile *p, struct err *e)
{
    const char *path = "matrix.wmma_passes";
    bool given = row_origin(p, profile_row_find(path))->given, wmma = p->cls[OPC_WMMA].issue_cycles_w64;

    REQUIRE(wmma || !given, path, "expected class.wmma too");
    REQUIRE(given || !wmma, path, "missing; expected the passes of the instruction that class.wmma describes");
    return 0;
}

static int check_required(const struct profile *p, struct err *e)
{
    char text[200];

    if (!p->chip[0])
        return err_set(e, ERR_FORMAT,
                       "%s: chip: missing; expected the name of a chip (a profile without it is a base "
                       "that others extend and cannot be used by itself)",
                       p->files[0]);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        if (row_origin(p, row)->given) {
            const struct profile_row *present;
            if (row->need != NEED_CACHE)
                continue;
            /* values of a level that nobody said is there would be silently without effect */
            snprintf(text, sizeof text, "cache.%s.present", cache_level_key[row->group]);
            present = profile_row_find(text);
            if (present && !row_origin(p, present)->given)
                return err_set(e, ERR_FORMAT, "%s: %s: missing; expected true or false, as %s is given",
                               p->files[row_origin(p, row)->file], text, row->path);
            continue;
        }
        if (row->need == NEED_ALWAYS || (row->need == NEED_CACHE && p->cache[row->group].present))
            return err_set(e, ERR_FORMAT, "%s: %s: missing; expected %s%s%s", p->files[0], row->path, row->about,
                           row->unit ? ", in " : "", row->unit ? row->unit : "");
    }
    return 0;
}

static int check_ideal(const struct profile *p, struct err *e)
{
    const struct profile_ideal *i = &p->ideal;

    REQUIRE(i->lds_row_bytes % 4 == 0, "ideal.lds_row_bytes", "expected a multiple of 4");
    REQUIRE(i->lds_row_pad_bytes % 4 == 0, "ideal.lds_row_pad_bytes", "expected a multiple of 4");
    REQUIRE(!i->lds_row_bytes == !i->lds_row_pad_bytes, "ideal.lds_row_pad_bytes",
            "expected zero exactly when ideal.lds_row_bytes is zero");
    REQUIRE(!i->no_waits || !i->exact_waits, "ideal.exact_waits", "expected false with ideal.no_waits");
    REQUIRE(!i->loads_ahead || !(i->no_waits || i->exact_waits), "ideal.loads_ahead",
            "expected 0 with ideal.no_waits or ideal.exact_waits");
    return 0;
}

int profile_check(const struct profile *p, struct err *e)
{
    if (check_required(p, e) || check_gpu(p, e) || check_registers(p, e) || check_cu(p, e) || check_lds(p, e) ||
        check_tensor(p, e))
        return -1;
    for (unsigned cls = 0; cls < OPC_COUNT; cls++)
        if (check_class(p, cls, e))
            return -1;
    for (unsigned level = 0; level < LEVEL_COUNT; level++)
        if (p->cache[level].present && check_cache(p, level, e))
            return -1;
    return check_matrix(p, e) || check_wmma(p, e) || check_dram(p, e) || check_latencies(p, e) || check_fabric(p, e) ||
                   check_ideal(p, e)
               ? -1
               : 0;
}
