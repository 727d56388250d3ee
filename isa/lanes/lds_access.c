/* Accesses of the lanes to LDS, and copies from memory to LDS (isa/lanes/access.h). */
#include "isa/lanes/atomic_pass.h"
#include "isa/lds_marks.h"
#include "isa/lds_order.h"

/* The lanes of `active` that lie inside LDS with all their bytes. The one place that knows of LDS accesses out of
 * bounds: a diagnostic of them belongs here. */
static uint64_t lds_inside(const struct isa_wave *w, uint32_t limit, const struct lane_addr *at, unsigned bytes,
                           uint64_t active)
{
    struct extent x = extent_of(at, w->lanes, active);
    uint64_t inside = 0;

    if (x.hi + bytes <= limit)
        return active;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        inside |= (uint64_t)(at->a[l] + bytes <= limit) << l;
    }
    return inside;
}

/* Without unaligned access mode (gfx8) an access needs the alignment of its dwords. */
static int lds_aligned(struct isa_wave *w, const struct lane_addr *at, unsigned bytes, uint64_t active, bool write)
{
    unsigned align = bytes < 4 ? bytes : 4;
    uint64_t low = 0;

    if (isa_has(w->target, FEAT_UNALIGNED))
        return ISA_OK;
    EACH_LANE(w->lanes, active, low |= at->a[l]);
    if (!(low & (align - 1)))
        return ISA_OK;
    EACH_LANE(w->lanes, active,
              if (at->a[l] & (align - 1)) return align_fault(w, l, at->a[l], bytes, align, write, "an LDS access"));
    return ISA_OK;
}

static void zero_lanes(const struct isa_wave *w, const struct isa_memop *m, uint64_t lanes, uint32_t *d)
{
    static const uint8_t zeros[16];
    struct lane_addr none;

    for (unsigned l = 0; l < w->lanes; l++)
        none.a[l] = 0;
    gather(w, m, &none, (uint64_t)(uintptr_t)zeros, lanes, d);
}

/* All lanes side by side and inside: the usual case, checked first. */
static bool lds_run(const struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                    uint64_t active)
{
    return m->convert == CONV_DWORDS && evenly(at, w->lanes, active, m->bytes) &&
           at->a[w->lanes - 1] + m->bytes <= limit && !(at->a[0] & 3);
}

int isa_lds_load(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                 uint64_t active, uint32_t *d)
{
    if (lds_run(w, limit, m, at, active)) {
        if (__builtin_expect(isa_lds_leaves_reads(w), 0))
            isa_lds_mark_run(w, m, at, LDS_USE_READ, NULL);
        load_run(w->lds + at->a[0], m, w->lanes, d);
        return ISA_OK;
    }
    uint64_t inside = active ? lds_inside(w, limit, at, m->bytes, active) : 0;
    if (lds_aligned(w, at, m->bytes, active, false))
        return ISA_FAULT;
    if (__builtin_expect(isa_lds_leaves_reads(w), 0))
        isa_lds_mark(w, m, at, inside, LDS_USE_READ, NULL);
    gather(w, m, at, (uint64_t)(uintptr_t)w->lds, inside, d);
    if (inside != active)
        zero_lanes(w, m, active & ~inside, d);
    return ISA_OK;
}

int isa_lds_store(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                  uint64_t active, const uint32_t *s)
{
    if (lds_run(w, limit, m, at, active)) {
        if (__builtin_expect(w->lds_marks != NULL, 0))
            isa_lds_mark_run(w, m, at, LDS_USE_WRITE, s);
        store_run(w->lds + at->a[0], m, w->lanes, s);
        return ISA_OK;
    }
    uint64_t inside = active ? lds_inside(w, limit, at, m->bytes, active) : 0;
    if (lds_aligned(w, at, m->bytes, active, true))
        return ISA_FAULT;
    if (__builtin_expect(w->lds_marks != NULL, 0))
        isa_lds_mark(w, m, at, inside, LDS_USE_WRITE, s);
    scatter(w, m, at, (uint64_t)(uintptr_t)w->lds, inside, s);
    return ISA_OK;
}

/* Which denormals an addition of floats flushes: MODE's `allow` bit (1 in, 2 out) is off. */
static uint8_t flushed(const struct isa_wave *w, const struct isa_row *row, unsigned allow)
{
    unsigned mode = row->mem.denorm == 32 ? w->mode.denorm32 : w->mode.denorm64;

    return mode & allow ? 0 : row->mem.denorm;
}

/* The waves of a workgroup run on one host thread. Lanes before one that is not aligned have done theirs. */
int isa_lds_atomic(struct isa_wave *w, uint32_t limit, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows)
{
    unsigned n = w->lanes, bytes = row->mem.bytes, odd = 64;
    uint64_t inside = active ? lds_inside(w, limit, at, bytes, active) : 0, low = 0;

    if (__builtin_expect(w->lds_marks != NULL, 0)) {
        isa_lds_mark(w, &row->mem, at, inside, LDS_USE_ATOMIC, NULL);
        w->lds_marks->off |= rows.old != NULL; /* it may order what others did before it */
    }
    EACH_LANE(n, active, low |= at->a[l]);
    for (uint64_t left = low & (bytes - 1) ? active : 0; left && odd == 64; left &= left - 1)
        odd = at->a[__builtin_ctzll(left)] & (bytes - 1) ? (unsigned)__builtin_ctzll(left) : 64;
    uint64_t done = odd < 64 ? active & ((UINT64_C(1) << odd) - 1) : active;
    row->atomic->lanes(&(const struct isa_atomic_pass){.at = at,
                                                       .delta = (uint64_t)(uintptr_t)w->lds,
                                                       .active = inside & done,
                                                       .rows = rows,
                                                       .n = n,
                                                       .bytes = bytes,
                                                       .flush_in = flushed(w, row, 1),
                                                       .out = flushed(w, row, 2)});
    for (uint64_t left = rows.old ? done & ~inside : 0; left; left &= left - 1)
        put_value(rows.old, bytes, n, (unsigned)__builtin_ctzll(left), 0);
    if (odd < 64)
        return align_fault(w, odd, at->a[odd], bytes, bytes, true, "an LDS atomic");
    return ISA_OK;
}

uint64_t isa_lds_dma_lanes(const struct isa_wave *w, int32_t offset, unsigned bytes, struct lane_addr *at)
{
    /* as many bits of M0 as reach the end of LDS */
    uint32_t reach = w->lds_bytes > 0x10000 ? 0x3ffff : 0xffff;
    int64_t base = (int64_t)(w->s[w->target->code_m0] & reach) + offset;
    uint64_t lanes = 0;

    for (unsigned l = 0; l < w->lanes; l++) {
        int64_t a = (base + bytes * l) & ~INT64_C(3);
        at->a[l] = (uint64_t)a;
        lanes |= (uint64_t)(a >= 0 && a + bytes <= w->lds_bytes) << l;
    }
    return lanes & w->exec;
}

static int land(struct isa_wave *w, const struct isa_env *env, const struct isa_lds_copy *c)
{
    struct lane_addr at;
    (void)env;

    for (unsigned l = 0; l < w->lanes; l++)
        at.a[l] = c->at[l];
    return c->lanes ? isa_lds_store(w, w->lds_bytes, &c->op, &at, c->lanes, c->data) : ISA_OK;
}

int isa_copy_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_memop *m, const struct lane_addr *at,
                    uint64_t lanes, const uint32_t *s)
{
    struct isa_lds_copy *c = w->lds_order ? isa_lds_copy_new(w, i) : NULL;

    if (!c)
        return lanes ? isa_lds_store(w, w->lds_bytes, m, at, lanes, s) : ISA_OK;
    c->land = land;
    c->op = *m;
    c->lanes = lanes;
    if (lanes) {
        struct extent x = extent_of(at, w->lanes, lanes);

        c->lo = (uint32_t)x.lo;
        c->hi = (uint32_t)x.hi + m->bytes;
    }
    for (unsigned l = 0; l < w->lanes; l++)
        c->at[l] = (uint32_t)at->a[l];
    memcpy(c->data, s, (size_t)((m->bytes + 3) / 4) * w->lanes * sizeof *s);
    return ISA_OK;
}
