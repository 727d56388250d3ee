/* Every figure of a profile acts: changed, it moves a number of the report of at least one run, or a launch is refused.
 * A figure that moves nothing would be a claim about the chip that the simulator does not keep.
 *
 * Small kernels, put together from the snippets of tests/timing/accuracy, run on a few profiles as they are. Then each
 * row of config/rows.c that such a profile gives is changed by itself, as --set does, until one value moves a number of
 * one run; so is each what-if, which no profile gives. figures_shown.h says which kernel does, which spares the search.
 * Rows are exempt by their kind alone: text and flags say what a profile is (enum row_type). So that small kernels fill
 * the chip, it has 16 CUs on a die, two sets in each channel of a cache and four entries in a UTCL2, and kernel
 * arguments come from the host; everything else is the profile's own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/json.h"
#include <cmocka.h>

#include "config/rows.h"
#include "sim/api/gcnsim.h"
#include "tests/timing/accuracy/bench.h"
#include "tests/timing/figures_shown.h"

enum {
    MAX_NUMBERS = 2048,
    MAX_BODY = 32,
    MAX_WORDS = 16384,
    MAX_VALUES = 16,
    MAX_TRIED = 5, /* values of one row, of those that a profile accepts */
    MAX_SETS = LEVEL_COUNT + 10,
    MAX_ROWS = 1024,
    SGPRS = 16,
    DATA_BYTES = 256 << 20 /* pages that nobody touches cost nothing */
};

/* setup, the first `head` snippets, then `passes` times: `copies` times the others, a wait, the end of the loop.
 * Snippets that a target does not have are left out of its kernels. */
struct kernel {
    const char *name;
    unsigned head, copies, passes; /* copies and passes 0: 2 */
    unsigned waves, groups;        /* 0: 1 */
    unsigned lanes;                /* 0: 32 where there are such waves */
    unsigned vgprs, lds_bytes;     /* vgprs 0: 64 */
    uint32_t sgpr[SGPRS];
    const char *body[MAX_BODY];
};

#define VALU_BODY                                                                                                      \
    "v_add_f32", "v_add_f32_dependent", "v_fma_f32", "v_rcp_f32", "v_mul_lo_u32", "v_mad_u64_u32", "v_lshlrev_b64",    \
        "v_add_f64", "v_mul_f64", "v_rcp_f64", "v_pk_fma_f16", "readlane_salu", "vcc_carry_waited", "dependent",       \
        "dependent_qsad", "dependent_swap", "dependent_dot"
#define SALU_BODY                                                                                                      \
    "s_mov_b32", "s_add_u32_delayed", "s_add_u32_waited", "dependent_scalar_float", "s_or_saveexec_b64",               \
        "s_setreg_b32", "hardware_registers", "scc_1", "taken", "cmp_not_taken", "execz", "s_nop_1", "s_sleep_4",      \
        "barrier_valu", "clock", "message", "scalar_address", "s_load_x1", "s_load_x16", "wait"
#define LDS_BODY                                                                                                       \
    "lane_x4", "ds_write_b32", "ds_read_b32", "ds_read2_b64", "ds_add_u32", "ds_write_b32_wait", "permute",            \
        "ds_add_wait", "ds_load_wait", "lane_x16", "ds_load_wait", "ds_read_b32", "ds_read_b32", "ds_read_b128",       \
        "ds_read_b128", "ds_write_b128", "ds_write_b128", "wait", "no_lanes", "ds_read_b32", "wait", "ds_write_b32",   \
        "wait", "ds_add_u32", "wait", "permute", "all_lanes", "ds_chase_b32"
#define MEMORY_BODY                                                                                                    \
    "lane_x4", "global", "scalar_base", "flat", "control", "store", "store", "load_and_wait", "sweep_x2",              \
        "sweep_store_x4", "wait"

static const struct kernel kernels[] = {
    {.name = "one wave of VALU", .body = {VALU_BODY, "dependent_dual"}},
    {.name = "many waves of VALU", .waves = 16, .lanes = 64, .body = {VALU_BODY}},
    {.name = "one wave of SALU", .body = {SALU_BODY}},
    {.name = "many waves of SALU", .waves = 16, .lanes = 64, .body = {SALU_BODY}},
    {.name = "one wave of LDS", .lds_bytes = 4096, .body = {LDS_BODY}},
    {.name = "many waves of LDS", .waves = 16, .lanes = 64, .lds_bytes = 40000, .vgprs = 24, .body = {LDS_BODY}},
    {.name = "one wave of memory",
     .sgpr = {[S_STEP] = 4096, [S_MASK] = 0x1fff0},
     .body = {MEMORY_BODY, "scalar_prefetch"}},
    {.name = "many waves of memory",
     .waves = 16,
     .lanes = 64,
     .sgpr = {[S_STEP] = 4096, [S_MASK] = 0x1fff0},
     .body = {MEMORY_BODY, "v_add_f32_dependent"}},
    {.name = "buffers",
     .head = 2,
     .waves = 4,
     .groups = 2,
     .body = {"descriptor", "lane_x4", "buffer_load_x1", "buffer_load_x2", "buffer_load_x4", "buffer_store_x1",
              "buffer_store_x4", "buffer_atomic_add", "buffer_atomic_cmpswap"}},
    {.name = "matrices",
     .vgprs = 128,
     .lds_bytes = 1024,
     .body = {"lane_x4", "beside_3", "beside_5", "two_beside", "matrix_chains", "matrix_operands", "matrix_f64",
              "matrix_stores", "matrix_sparse", "v_mfma_f32_16x16x4_f32", "v_wmma_f32_16x16x16_f16", "wmma_sum",
              "v_add_f32_dependent"}},
    {.name = "matrices, 64 lanes", .vgprs = 128, .lanes = 64, .waves = 4, .body = {"v_wmma_f32_16x16x16_f16"}},
    {.name = "banks of VGPRs", .body = {"vgpr_banks", "vgpr_bank_operands"}},
    {.name = "code", .copies = 64, .waves = 2, .body = {VALU_BODY}},
    {.name = "scalar sweep", .waves = 2, .copies = 8, .passes = 3, .sgpr = {[S_STEP] = 128}, .body = {"scalar_sweep"}},
    {.name = "lines",
     .head = 1,
     .waves = 4,
     .groups = 8,
     .passes = 4,
     .sgpr = {[S_STEP] = 4096, [S_MASK] = 0xffc0, [S_GROUP] = 0x1000, [S_ITEM] = 64},
     .body = {"sweep_start", "sweep_x1", "sweep_x4", "sweep_store_x4"}},
    {.name = "scattered lanes",
     .head = 1,
     .waves = 4,
     .passes = 4,
     .sgpr = {[S_STEP] = 16, [S_MASK] = 0x3ffc, [S_ITEM] = 28},
     .body = {"sweep_start", "sweep_x1"}},
    {.name = "pages",
     .head = 1,
     .groups = 4,
     .sgpr = {[S_STEP] = 1 << 16, [S_MASK] = 0xfffffc0, [S_GROUP] = 1 << 21, [S_ITEM] = 1 << 20},
     .body = {"sweep_start", "sweep_x1", "sweep_store_x4"}},
    {.name = "beside the vector ALU", .waves = 2, .lds_bytes = 4096, .body = {"lane_x4", "beside_vector", "realtime"}},
    {.name = "s_nop", .waves = 16, .copies = 16, .body = {"nop"}},
    {.name = "strided LDS",
     .lds_bytes = 65536,
     .sgpr = {[S_ITEM] = 144},
     .body = {"lane_apart", "ds_read_b128", "ds_read_b128", "wait", "lane_fours", "ds_read_b128", "ds_read_b128"}},
    {.name = "lone waves", .groups = 64, .vgprs = 24, .passes = 1, .body = {"nop"}},
    {.name = "past the caches", .waves = 16, .copies = 8, .body = {"lane_x16", "system_scope"}},
    {.name = "scalar hits", .waves = 8, .groups = 160, .passes = 1, .body = {"s_load_x1", "s_load_x1", "s_load_x1"}},
    {.name = "scalar stores", .waves = 8, .copies = 4, .body = {"scalar_store"}},
    {.name = "a CU for each workgroup",
     .groups = 100,
     .lds_bytes = 40000,
     .passes = 1,
     .copies = 1,
     .body = {"v_rcp_f64"}},
    {.name = "small workgroups",
     .waves = 2,
     .groups = 96,
     .vgprs = 24,
     .lds_bytes = 600,
     .body = {"lane_x4", "ds_read_b32"}},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0], RUNS = KERNELS + 1 };

/* From the profile with the most rows on; what has moved on one is not tried on the next. */
static const char *const profiles[] = {"gfx1201-rx9070xt", "gfx90a-mi210",      "gfx942-mi300x", "gfx1030-rx6900xt",
                                       "gfx908-mi100",     "gfx1100-rx7900xtx", "gfx803-rx480",  "gfx1010-rx5700xt"};

struct numbers {
    double v[MAX_NUMBERS];
    unsigned n;
    int status;
};

static struct {
    uint8_t *data;
    uint32_t *code;
    const struct profile *p;
    bool rdna;
    char small[LEVEL_COUNT + 8][64]; /* --set of what is not the profile's own */
    size_t small_count, base_count;  /* those of the first are set for the runs of `base`, too */
    struct numbers base[RUNS];       /* of the profile as it is, where has_base */
    bool has_base[RUNS];
    bool moved[MAX_ROWS], given[MAX_ROWS];
    unsigned first; /* the run that moved last is tried first */
    unsigned tries; /* so many runs from there on */
    unsigned runs;
} env;

static struct gcnsim_error error;

/* ---- runs ---- */

static size_t put(size_t at, const char *name)
{
    size_t count;
    const struct bench_snippet *s = bench_snippets(&count);
    char target[32];

    snprintf(target, sizeof target, "%s ", env.p->target);
    for (size_t k = 0; k < count; k++)
        if (!strcmp(s[k].name, name) && strstr(s[k].targets, target)) {
            assert_true(at + s[k].words <= MAX_WORDS);
            memcpy(env.code + at, s[k].word, 4 * s[k].words);
            return at + s[k].words;
        }
    return at;
}

static size_t build(const struct kernel *k)
{
    size_t at = put(0, "setup"), loop;

    for (unsigned n = 0; n < k->head; n++)
        at = put(at, k->body[n]);
    loop = at;
    for (unsigned c = 0; c < (k->copies ? k->copies : 2); c++)
        for (unsigned n = k->head; n < MAX_BODY && k->body[n]; n++)
            at = put(at, k->body[n]);
    at = put(put(at, "wait"), "loop_end");
    env.code[at - 1] |= (uint32_t)(loop - at) & 0xffff;
    return put(at, "end");
}

static void describe(const struct kernel *k, struct gcnsim_raw *raw)
{
    bool unified = env.p->cu.vgpr_unified;
    unsigned lanes = k->lanes ? k->lanes : env.rdna ? 32 : 64, vgprs = k->vgprs ? k->vgprs : 64;
    unsigned granule = env.rdna ? (lanes == 32 ? 8 : 4) : unified ? 8 : 4;

    gcnsim_raw_init(raw);
    raw->target = env.p->target;
    raw->engine = GCNSIM_ENGINE_TIMING;
    raw->entry = raw->code_base = (uint64_t)(uintptr_t)env.code;
    raw->code_size = build(k) * 4;
    raw->workgroups[0] = k->groups ? k->groups : 1;
    raw->workgroup_size[0] = lanes * (k->waves ? k->waves : 1);
    raw->wave_size = lanes;
    /* VGPRs, on CDNA2 on as many AGPRs after them; 48 SGPRs, memory in order or denormals */
    raw->compute_pgm_rsrc1 = ((unified ? 2 : 1) * vgprs + granule - 1) / granule - 1;
    raw->compute_pgm_rsrc1 |= (env.rdna ? 1u << 30 : (48 / 8 - 1) << 6) | 0xc0u << 12;
    raw->compute_pgm_rsrc2 = SGPRS << 1 | 1 << 7;
    raw->compute_pgm_rsrc3 = unified ? vgprs / 4 - 1 : 0;
    raw->lds_bytes = k->lds_bytes;
    raw->max_cycles = 1000000;
}

/* All numbers of a report but the host's time and where figures come from, in order. */
static void collect(const struct json *j, struct numbers *out)
{
    const char *key;
    size_t index;
    const struct json *c;

    if (json_is_number(j)) {
        assert_true(out->n < MAX_NUMBERS);
        out->v[out->n++] = json_number(j);
    }
    json_each_element (j, index, c)
        collect(c, out);
    json_each_member (j, key, c)
        if (strcmp(key, "host") && strcmp(key, "fidelity"))
            collect(c, out);
}

static void note(struct gcnsim_result *r, struct numbers *out, const char *name)
{
    char *text = NULL;

    if (r->outcome != GCNSIM_COMPLETED && r->outcome != GCNSIM_LIMIT)
        fail_msg("%s: %s: %s", env.p->name, name, r->fault ? r->fault->message : r->message);
    assert_int_equal(gcnsim_result_json(r, &text, &error), GCNSIM_OK);
    const struct json *j = json_parse(text);
    assert_non_null(j);
    collect(j, out);
    json_free(j);
    gcnsim_free(text);
    gcnsim_result_free(r);
}

static void run_kernel(struct gcnsim *sim, const struct kernel *k, struct numbers *out)
{
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;
    uint32_t sgpr[SGPRS];

    describe(k, &raw);
    memcpy(sgpr, k->sgpr, sizeof sgpr);
    sgpr[0] = (uint32_t)(uintptr_t)env.data;
    sgpr[1] = (uint32_t)((uint64_t)(uintptr_t)env.data >> 32);
    sgpr[S_PASSES] = k->passes ? k->passes : 2;
    raw.user_sgprs = sgpr;
    raw.user_sgpr_count = SGPRS;
    out->status = gcnsim_launch_raw(sim, &raw, &r, &error);
    if (out->status == GCNSIM_OK)
        note(r, out, k->name);
}

/* A code object with arguments, for what concerns those: of the targets that have samples. */
static void run_sample(struct gcnsim *sim, struct numbers *out)
{
    struct gcnsim_launch_file *f;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r = NULL;
    char path[96];

    snprintf(path, sizeof path, "traces/samples/%s/vecadd.json", env.p->target);
    if (gcnsim_launch_file_open(&f, path, &error) != GCNSIM_OK)
        return;
    assert_int_equal(gcnsim_load_file(sim, &module, f->file, NULL, &error), GCNSIM_OK);
    gcnsim_dispatch_init(&d);
    assert_int_equal(gcnsim_code_find_kernel(gcnsim_module_code(module), f->kernel, &d.kernel, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse(module, d.kernel, f->args, f->arg_count, f->directory, &args, &error),
                     GCNSIM_OK);
    d.engine = GCNSIM_ENGINE_TIMING;
    memcpy(d.grid_size, f->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, f->workgroup, sizeof d.workgroup_size);
    d.args = args;
    out->status = gcnsim_launch(module, &d, &r, &error);
    if (out->status == GCNSIM_OK)
        note(r, out, path);
    gcnsim_args_free(args);
    gcnsim_launch_file_close(f);
}

/* On a device as it is at first: what another kernel left in its caches would move numbers, too. */
static void run(struct gcnsim *sim, unsigned which, struct numbers *out)
{
    gcnsim_device_reset(sim);
    memset(out, 0, sizeof *out);
    env.runs++;
    if (which < KERNELS)
        run_kernel(sim, &kernels[which], out);
    else
        run_sample(sim, out);
}

/* With so many of what is set, and an assignment, which may be null. Null when the profile does not accept that. */
static struct gcnsim *open_with(size_t small, const char *assignment)
{
    const char *sets[MAX_SETS];
    struct gcnsim *sim;
    size_t n = 0;

    for (size_t k = 0; k < small; k++)
        sets[n++] = env.small[k];
    if (assignment)
        sets[n++] = assignment;
    if (gcnsim_open(&sim, env.p->name, &error) != GCNSIM_OK)
        fail_msg("%s", error.text);
    if (gcnsim_set_all(sim, sets, n, &error) == GCNSIM_OK)
        return sim;
    gcnsim_close(sim);
    return NULL;
}

static bool same(const struct numbers *a, const struct numbers *b)
{
    return a->status == b->status && a->n == b->n && !memcmp(a->v, b->v, a->n * sizeof a->v[0]);
}

/* What is set from now on is changed; what is set already is not. */
static void begin_base(void)
{
    env.base_count = env.small_count;
    memset(env.has_base, 0, sizeof env.has_base);
}

/* What a run comes to without the assignment. */
static const struct numbers *base_of(unsigned which)
{
    if (!env.has_base[which]) {
        struct gcnsim *sim = open_with(env.base_count, NULL);

        if (!sim)
            fail_msg("%s: %s", env.p->name, error.text);
        run(sim, which, &env.base[which]);
        env.has_base[which] = true;
        gcnsim_close(sim);
    }
    return &env.base[which];
}

/* ---- values ---- */

static unsigned numeric(const struct profile_row *row, double v, char text[][64])
{
    const double try[] = {v * 2, v / 2,  row->min, v ? v + 1 : 1,         v - 1,   v * 4,
                          v / 4, v + 37, v * 16,   v ? v / 64 : 1.0 / 16, row->max};
    unsigned n = 0;

    for (unsigned k = 0; k < sizeof try / sizeof try[0]; k++) {
        double d = row->type == ROW_U32 ? floor(try[k]) : try[k];

        if (d != v && d >= row->min && d <= row->max)
            snprintf(text[n++], sizeof text[0], "%.10g", d);
    }
    return n;
}

static unsigned values(const struct profile_row *row, char text[][64])
{
    const void *at = row_in(env.p, row);
    uint32_t u;
    double d;
    unsigned n = 0;

    switch ((enum row_type)row->type) {
    case ROW_U32:
        memcpy(&u, at, sizeof u);
        return numeric(row, u, text);
    case ROW_F64:
        memcpy(&d, at, sizeof d);
        return numeric(row, d, text);
    case ROW_BOOL:
        snprintf(text[0], sizeof text[0], "true");
        snprintf(text[1], sizeof text[1], "false");
        return 2;
    case ROW_ENUM:
        memcpy(&u, at, sizeof u);
        for (uint32_t w = 0; row->names[w]; w++)
            if (w != u)
                snprintf(text[n++], sizeof text[0], "%s", row->names[w]);
        return n;
    case ROW_TEXT:
    case ROW_FLAG:
        break;
    }
    return 0;
}

static bool moves_with(const char *assignment, bool *accepted)
{
    static struct numbers now;
    struct gcnsim *sim = open_with(env.small_count, assignment);
    bool moved = false;

    *accepted = sim != NULL;
    for (unsigned k = 0; sim && k < env.tries && !moved; k++) {
        unsigned which = (k + env.first) % RUNS;

        run(sim, which, &now);
        moved = !same(&now, base_of(which));
        if (moved)
            env.first = which;
    }
    if (sim)
        gcnsim_close(sim);
    return moved;
}

static bool moves(const struct profile_row *row, unsigned most)
{
    char text[MAX_VALUES][64], assignment[1200];
    unsigned count = values(row, text), tried = 0;

    for (unsigned v = 0; v < count && tried < most; v++) {
        bool accepted;

        snprintf(assignment, sizeof assignment, "%s=%s", row->path, text[v]);
        if (moves_with(assignment, &accepted))
            return true;
        tried += accepted;
    }
    /* rows of LDS and what lies after them: both are given or none */
    if (!strncmp(row->path, "ideal.lds_row_", 14)) {
        bool accepted, bytes = !strcmp(row->path, "ideal.lds_row_bytes");

        snprintf(env.small[env.small_count++], sizeof env.small[0],
                 bytes ? "ideal.lds_row_pad_bytes=4" : "ideal.lds_row_bytes=128");
        bool moved = moves_with(bytes ? "ideal.lds_row_bytes=128" : "ideal.lds_row_pad_bytes=4", &accepted);
        env.small_count--;
        return moved;
    }
    /* one register file counted twice: both have to change */
    if (!strncmp(row->path, "cu.vgprs_per_simd_w", 19)) {
        bool accepted;

        snprintf(env.small[env.small_count++], sizeof env.small[0], "cu.vgprs_per_simd_w64=%u",
                 env.p->cu.vgprs_per_simd_w64 / 2);
        snprintf(assignment, sizeof assignment, "cu.vgprs_per_simd_w32=%u", env.p->cu.vgprs_per_simd_w32 / 2);
        bool moved = moves_with(assignment, &accepted);
        env.small_count--;
        return moved;
    }
    return false;
}

/* ---- the test ---- */

/* How the channels of a cache are interleaved matters where there are several. */
static bool moves_with_channels(const struct profile_row *row)
{
    const struct profile_cache *c = &env.p->cache[row->group];
    const char *key = cache_level_key[row->group];
    char assignment[192];
    bool accepted, moved;

    if (row->need != NEED_CACHE || strcmp(strrchr(row->path, '.'), ".channel_interleave_bytes") != 0)
        return false;
    snprintf(env.small[env.small_count++], sizeof env.small[0], "cache.%s.channels=2", key);
    snprintf(env.small[env.small_count++], sizeof env.small[0], "cache.%s.size_bytes=%u", key,
             4 * c->line_bytes * c->ways);
    begin_base();
    snprintf(assignment, sizeof assignment, "%s=%u", row->path, 2 * c->channel_interleave_bytes);
    moved = moves_with(assignment, &accepted);
    env.small_count -= 2;
    begin_base();
    return moved;
}

static void choose(const struct profile *p)
{
    env.p = p;
    env.rdna = !strncmp(p->target, "gfx1", 4);
    env.first = env.small_count = 0;
    env.tries = RUNS;
    snprintf(env.small[env.small_count++], sizeof env.small[0], "host.kernarg=true");
    if (p->tlb.utcl2_entries) {
        snprintf(env.small[env.small_count++], sizeof env.small[0], "tlb.utcl2_ways=2");
        snprintf(env.small[env.small_count++], sizeof env.small[0], "tlb.utcl2_entries=4");
    }
    snprintf(env.small[env.small_count++], sizeof env.small[0], "gpu.cus=%u", 16 * p->gpu.xcds);
    snprintf(env.small[env.small_count++], sizeof env.small[0], "gpu.shader_engines=%u", 2 * p->gpu.xcds);
    for (unsigned l = 0; l < LEVEL_COUNT; l++) {
        const struct profile_cache *c = &p->cache[l];

        if (c->present)
            snprintf(env.small[env.small_count++], sizeof env.small[0], "cache.%s.size_bytes=%u", cache_level_key[l],
                     2 * c->line_bytes * c->ways * c->channels);
    }
    begin_base();
}

/* An assignment of what is there already moves nothing: neither chance nor the name of a row is in the numbers. */
static void check_control(void)
{
    char assignment[64];
    bool accepted;

    snprintf(assignment, sizeof assignment, "frontend.fetch_latency_cycles=%u", env.p->frontend.fetch_latency_cycles);
    assert_false(moves_with(assignment, &accepted));
    assert_true(accepted);
}

/* ---- the search ---- */

static const char *run_name(unsigned which)
{
    return which < KERNELS ? kernels[which].name : "sample";
}

static unsigned run_named(const char *name)
{
    unsigned which = 0;

    while (which < RUNS && strcmp(run_name(which), name) != 0)
        which++;
    if (which == RUNS)
        fail_msg("figures_shown.h: no kernel '%s'", name);
    return which;
}

static struct profile *load(const char *name)
{
    struct profile *p;
    struct err e = {0};

    if (profile_load(&p, name, &e))
        fail_msg("%s", e.text);
    return p;
}

static size_t row_named(const char *path)
{
    size_t i = 0;

    while (i < profile_row_count && strcmp(profile_rows[i].path, path) != 0)
        i++;
    if (i == profile_row_count)
        fail_msg("figures_shown.h: no figure '%s'", path);
    return i;
}

/* What the table says of a profile. */
static void try_shown(const char *name)
{
    struct profile *p = load(name);

    choose(p);
    if (!strcmp(name, profiles[0]))
        check_control();
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        size_t i = row_named(shown[k].path);

        if (strcmp(shown[k].profile, name) != 0 || env.moved[i])
            continue;
        env.first = run_named(shown[k].kernel);
        env.tries = 1;
        env.moved[i] = moves(&profile_rows[i], MAX_TRIED) || moves_with_channels(&profile_rows[i]);
        env.given[i] |= env.moved[i];
    }
    profile_free(p);
}

/* Tries the rows that have not moved yet, each with so many values. Returns how many still have not. */
static unsigned try_profile(const char *name, unsigned most)
{
    struct profile *p = load(name);
    unsigned idle = 0;

    choose(p);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];

        if (row->type <= ROW_FLAG || env.moved[i])
            continue;
        /* what-ifs are in no profile */
        if (row_origin(p, row)->given || !strncmp(row->path, "ideal.", 6)) {
            env.given[i] = true;
            env.moved[i] = moves(row, most) || (most > 1 && moves_with_channels(row));
            if (env.moved[i]) /* a line for the table */
                print_message("{\"%s\", \"%s\", \"%s\"},\n", row->path, p->name, run_name(env.first));
        }
        idle += !env.moved[i];
    }
    print_message("%s: %u figures have not moved yet, after %u runs\n", p->name, idle, env.runs);
    profile_free(p);
    return idle;
}

/* For chips whose kernels are not among those here. */
static void note_shown_elsewhere(void)
{
    static const char *const path[] = {
        "tensor.entries", "tensor.setup_cycles", "tensor.lines_per_cycle", /* test_tensor_unit.c, each_figure() */
    };

    for (size_t k = 0; k < sizeof path / sizeof *path; k++)
        env.moved[row_named(path[k])] = true;
}

static unsigned count_idle(void)
{
    unsigned idle = 0;

    for (size_t i = 0; i < profile_row_count; i++)
        idle += profile_rows[i].type > ROW_FLAG && !env.moved[i];
    return idle;
}

static void figures_act(void **state)
{
    /* one value of each row nearly always does; a figure may have no effect on one chip and much on another */
    static const unsigned most[] = {1, MAX_TRIED};
    enum { PROFILES = sizeof profiles / sizeof profiles[0] };
    unsigned idle;

    (void)state;
    assert_true(profile_row_count <= MAX_ROWS);
    for (unsigned n = 0; n < PROFILES; n++)
        try_shown(profiles[n]);
    note_shown_elsewhere();
    idle = count_idle();
    print_message("%u figures are not in figures_shown.h or not shown by it, after %u runs\n", idle, env.runs);
    for (unsigned n = 0; idle && n < 2 * PROFILES; n++)
        idle = try_profile(profiles[n % PROFILES], most[n / PROFILES]);
    idle = 0;
    for (size_t i = 0; i < profile_row_count; i++)
        if (profile_rows[i].type > ROW_FLAG && !env.moved[i]) {
            print_error("%s: %s\n", profile_rows[i].path,
                        env.given[i] ? "changed, it moves nothing" : "no profile of this test has it");
            idle++;
        }
    assert_int_equal(idle, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_act)};

    env.code = mmap(NULL, 4 * MAX_WORDS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    env.data = mmap(NULL, DATA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (env.code == MAP_FAILED || env.data == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    return cmocka_run_group_tests_name("timing/figures", tests, NULL, NULL);
}
