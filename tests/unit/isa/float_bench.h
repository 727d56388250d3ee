/* One vector (or gfx12 pseudo-scalar) instruction over many operands, for the tests against MPFR: its words are found
 * by the mnemonic, it is decoded once, and each bench_step() runs it on the 64 lanes that were set.
 */
#ifndef GCNSIM_TESTS_ISA_FLOAT_BENCH_H
#define GCNSIM_TESTS_ISA_FLOAT_BENCH_H

#include "isa/table/list.h"
#include "tests/unit/isa/harness.h"

enum { BENCH_LANES = 64, BENCH_D = 4, BENCH_S0 = 8, BENCH_S1 = 12, BENCH_S2 = 16 };
/* MODE with denormals of all widths kept and flushed */
enum { MODE_KEEPS = 0xf0 | MODE_DX10_CLAMP | MODE_IEEE, MODE_FLUSHES = MODE_DX10_CLAMP | MODE_IEEE };

struct float_bench {
    struct rig r;
    const struct isa_inst *inst;
    bool scalar; /* one value: SGPRs in the place of lanes */
};

static inline unsigned bench_words(const struct isa_target *t, const struct isa_listing *l, bool scalar, uint32_t *w)
{
    unsigned base = scalar ? 0 : CODE_VGPR;
    uint32_t op = l->opcode, s0 = base + BENCH_S0, s1 = base + BENCH_S1, s2 = base + BENCH_S2;

    switch (l->format) {
    case FMT_VOP1:
        w[0] = 0x7e000000 | BENCH_D << 17 | op << 9 | s0;
        return 1;
    case FMT_VOP2:
        w[0] = op << 25 | BENCH_D << 17 | BENCH_S1 << 9 | s0;
        return 1;
    case FMT_VOP3P:
        w[0] = (old_layout(t) ? 0xd3800000 : 0xcc000000) | op << 16 | BENCH_D;
        w[1] = s0 | s1 << 9 | 3u << 27;
        if (row_has(l->op->row, SL_SRC2)) {
            w[0] |= 1u << 14;
            w[1] |= s2 << 18;
        }
        return 2;
    default:
        assert_int_equal(l->format, FMT_VOP3);
        w[0] = (old_layout(t) ? 0xd0000000 : 0xd4000000) | op << 16 | BENCH_D;
        w[1] = s0 | (row_has(l->op->row, SL_SRC1) ? s1 << 9 : 0) | (row_has(l->op->row, SL_SRC2) ? s2 << 18 : 0);
        return 2;
    }
}

/* False: the target has no such instruction. */
static inline bool bench_open(struct float_bench *b, const char *target, const char *mnemonic)
{
    struct isa_listing l;
    struct err e = {0};
    uint32_t *w = b->r.code;
    unsigned n = 0;

    rig_open(&b->r, target, BENCH_LANES);
    for (unsigned k = 0; n == 0 && isa_list_at(b->r.t, k, &l); k++)
        if (strcmp(l.op->mnemonic, mnemonic) == 0 && l.format != FMT_VOPDX && l.format != FMT_VOPDY) {
            b->scalar = row_arg(l.op->row, SL_VDST)->flags & A_SGPR;
            n = bench_words(b->r.t, &l, b->scalar, w);
        }
    if (n == 0) {
        rig_close(&b->r);
        return false;
    }
    if (isa_program_open(&b->r.p, b->r.t, RIG_CODE, (const uint8_t *)w, n * 4, &e))
        fail_msg("%s", e.text);
    b->r.w.program = b->r.p;
    b->inst = isa_program_at(b->r.p, RIG_CODE);
    assert_non_null(b->inst);
    return true;
}

static inline void bench_close(struct float_bench *b)
{
    rig_close(&b->r);
}

static inline uint32_t *bench_place(struct float_bench *b, unsigned reg, unsigned lane)
{
    return b->scalar ? &b->r.w.s[reg] : &b->r.w.v[reg * BENCH_LANES + lane];
}

static inline void bench_set(struct float_bench *b, unsigned reg, unsigned lane, uint64_t bits)
{
    *bench_place(b, reg, lane) = (uint32_t)bits;
    *bench_place(b, reg + 1, lane) = (uint32_t)(bits >> 32);
}

static inline uint64_t bench_get(struct float_bench *b, unsigned bits, unsigned lane)
{
    uint64_t low = *bench_place(b, BENCH_D, lane);
    return bits == 64 ? low | (uint64_t)*bench_place(b, BENCH_D + 1, lane) << 32 : bits == 16 ? low & 0xffff : low;
}

static inline void bench_step(struct float_bench *b)
{
    struct isa_wave *w = &b->r.w;
    w->pc = RIG_CODE;
    if (isa_step(w, b->inst, &b->r.env, &b->r.fx) == ISA_FAULT)
        fail_msg("%s", w->fault.text);
    record_ran(b->r.t, b->inst);
}

static inline uint64_t bench_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s * UINT64_C(0x9e3779b97f4a7c15);
}

/* GCNSIM_ULP_VALUES, or the number for `make test` */
static inline uint64_t bench_values(uint64_t quick)
{
    const char *s = getenv("GCNSIM_ULP_VALUES");
    return s && *s ? strtoull(s, NULL, 0) : quick;
}

#endif
