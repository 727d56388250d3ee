/* Runs one vector instruction over many lanes of operands and compares with a table or with a reference function.
 *
 * v1, v2, v3 hold the operands, v0 the result (v4 what comes before in v0). Words are written out, so that these
 * tests need no assembler; the comment beside them is the text they came from (llvm-mc-19).
 */
#ifndef GCNSIM_TESTS_ISA_LANES_CHECK_H
#define GCNSIM_TESTS_ISA_LANES_CHECK_H

#include "tests/unit/isa/harness.h"

#define W(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

struct lane_case {
    uint32_t a, b, c, want;
};
#define CASES(...)                                                                                                     \
    (const struct lane_case[]){__VA_ARGS__}, sizeof((const struct lane_case[]){__VA_ARGS__}) / sizeof(struct lane_case)

#define OLD_V0 0x5a5a1234u

static inline void fill_case(struct rig *r, unsigned lane, struct lane_case c)
{
    rig_v(r, 0, lane, OLD_V0);
    rig_v(r, 1, lane, c.a);
    rig_v(r, 2, lane, c.b);
    rig_v(r, 3, lane, c.c);
}

static inline void check_rig(struct rig *r, const uint32_t *words, unsigned n, const struct lane_case *cases,
                             unsigned count)
{
    for (unsigned at = 0; at < count; at += r->w.lanes) {
        unsigned here = count - at < r->w.lanes ? count - at : r->w.lanes;
        for (unsigned l = 0; l < r->w.lanes; l++)
            fill_case(r, l, cases[at + (l < here ? l : 0)]);
        rig_run(r, words, n);
        for (unsigned l = 0; l < here; l++) {
            const struct lane_case *c = &cases[at + l];
            if (rig_getv(r, 0, l) != c->want)
                fail_msg("%s %08x: (%08x, %08x, %08x) gave %08x, expected %08x", r->t->name, words[0], c->a, c->b, c->c,
                         rig_getv(r, 0, l), c->want);
        }
    }
}

/* MODE: denormals kept, round to nearest, IEEE */
static inline void check_table(const char *target, const uint32_t *words, unsigned n, const struct lane_case *cases,
                               unsigned count)
{
    struct rig r;

    rig_open(&r, target, 64);
    check_rig(&r, words, n, cases, count);
    rig_close(&r);
}

static inline void check_table_mode(uint32_t mode, const char *target, const uint32_t *words, unsigned n,
                                    const struct lane_case *cases, unsigned count)
{
    struct rig r;

    rig_open(&r, target, 64);
    isa_set_mode(&r.w, mode);
    check_rig(&r, words, n, cases, count);
    rig_close(&r);
}

static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Operands: corners mixed with random words. */
static inline uint32_t operand(uint32_t *state)
{
    static const uint32_t corner[] = {0,        1,          2,          31,         32,         33,        0x7f,
                                      0x80,     0xff,       0x7fff,     0x8000,     0xffff,     0x7fffff,  0x800000,
                                      0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    uint32_t v = next_random(state);

    if (v % 3 == 0)
        return corner[v / 3 % (sizeof corner / sizeof corner[0])];
    return v % 3 == 1 ? next_random(state) >> (next_random(state) & 31) : next_random(state);
}

typedef uint32_t reference_fn(uint32_t a, uint32_t b, uint32_t c);

/* Random operands, partial EXEC: lanes that are off keep their register. */
static inline void check_ref(reference_fn *ref, const char *target, const uint32_t *words, unsigned n)
{
    struct rig r;
    uint32_t seed = 0x1234567;

    rig_open(&r, target, isa_target_known(target) && !strncmp(target, "gfx1", 4) ? 32 : 64);
    for (unsigned round = 0; round < 8; round++) {
        uint64_t exec = round == 0 ? ~UINT64_C(0) : next_random(&seed) | (uint64_t)next_random(&seed) << 32;
        isa_set_exec(&r.w, exec);
        for (unsigned l = 0; l < r.w.lanes; l++)
            fill_case(&r, l, (struct lane_case){operand(&seed), operand(&seed), operand(&seed), 0});
        rig_run(&r, words, n);
        for (unsigned l = 0; l < r.w.lanes; l++) {
            uint32_t a = rig_getv(&r, 1, l), b = rig_getv(&r, 2, l), c = rig_getv(&r, 3, l);
            uint32_t want = exec >> l & 1 ? ref(a, b, c) : OLD_V0;
            if (rig_getv(&r, 0, l) != want)
                fail_msg("%s %08x lane %u: (%08x, %08x, %08x) gave %08x, expected %08x", target, words[0], l, a, b, c,
                         rig_getv(&r, 0, l), want);
        }
    }
    rig_close(&r);
}

#endif
