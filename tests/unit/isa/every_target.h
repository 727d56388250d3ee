/* A rig for each node of the target tree, and words of instructions found by their row, for tests that ask of all
 * targets what has one answer on all of them. */
#ifndef GCNSIM_TESTS_ISA_EVERY_TARGET_H
#define GCNSIM_TESTS_ISA_EVERY_TARGET_H

#include "tests/unit/isa/harness.h"

/* The k-th node's rig, wave64 or, with lanes 32, wave32 where there is one; false past the end. */
static inline bool next_rig(struct rig *r, unsigned *k, unsigned lanes)
{
    static const char *const names[] = {"gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",
                                        "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250", "gfx1251"};
    const unsigned count = sizeof names / sizeof names[0];

    for (; *k < count; ++*k) {
        rig_open(r, names[*k], 64);
        if (lanes == 64 || isa_has(r->t, FEAT_WAVE32)) {
            if (lanes == 32) {
                rig_close(r);
                rig_open(r, names[*k], 32);
            }
            ++*k;
            return true;
        }
        rig_close(r);
    }
    return false;
}

/* for each node: r is open inside, and must be closed by EVERY_END */
#define EVERY(R, LANES) for (unsigned every_k_ = 0; next_rig(&(R), &every_k_, LANES);) {
#define EVERY_END(R)                                                                                                   \
    rig_close(&(R));                                                                                                   \
    }

/* The opcode of the row of that name (the row's, not the target's mnemonic); -1: the target has none. */
static inline int opcode_of(const struct isa_target *t, unsigned format, const char *row)
{
    for (unsigned op = 0; t->ops[format] && op < t->op_count[format]; op++)
        if (t->ops[format][op].row && !strcmp(t->ops[format][op].row->name, row))
            return (int)op;
    return -1;
}

static inline uint32_t sop1(int op, unsigned sdst, unsigned ssrc)
{
    return 0xbe800000 | sdst << 16 | (unsigned)op << 8 | ssrc;
}

static inline uint32_t sop2(int op, unsigned sdst, unsigned s0, unsigned s1)
{
    return 0x80000000 | (unsigned)op << 23 | sdst << 16 | s1 << 8 | s0;
}

static inline uint32_t sopc(int op, unsigned s0, unsigned s1)
{
    return 0xbf000000 | (unsigned)op << 16 | s1 << 8 | s0;
}

static inline uint32_t sopk(int op, unsigned sdst, unsigned imm)
{
    return 0xb0000000 | (unsigned)op << 23 | sdst << 16 | (imm & 0xffff);
}

static inline uint32_t sopp(int op, unsigned imm)
{
    return 0xbf800000 | (unsigned)op << 16 | (imm & 0xffff);
}

static inline uint32_t vop1(int op, unsigned vdst, unsigned src0)
{
    return 0x7e000000 | vdst << 17 | (unsigned)op << 9 | src0;
}

static inline void vop3(const struct isa_target *t, uint32_t w[2], int op, unsigned vdst, unsigned s0, unsigned s1,
                        unsigned s2)
{
    w[0] = (old_layout(t) ? 0xd0000000 : 0xd4000000) | (unsigned)op << 16 | vdst;
    w[1] = s0 | s1 << 9 | (uint32_t)s2 << 18;
}

static inline void ds(const struct isa_target *t, uint32_t w[2], int op, unsigned offset, unsigned addr, unsigned data,
                      unsigned vdst)
{
    w[0] = 0xd8000000 | (unsigned)op << (old_layout(t) ? 17 : 18) | offset;
    w[1] = addr | data << 8 | (uint32_t)vdst << 24;
}

/* One instruction at RIG_CODE + 64; the pc after it, counted from RIG_CODE. It counts as tested when its status is the
 * one wanted, a fault too where that is its meaning. */
static inline gaddr_t step_one(struct rig *r, const uint32_t *words, unsigned n, enum isa_status want)
{
    struct err e = {0};

    memset(r->code, 0, sizeof r->code);
    memcpy(r->code + 16, words, n * 4);
    isa_program_close(r->p);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, sizeof r->code, &e), 0);
    r->w.program = r->p;
    r->w.pc = RIG_CODE + 64;
    r->w.fault.kind = FAULT_NONE;
    const struct isa_inst *i = isa_program_at(r->p, r->w.pc);
    assert_non_null(i);
    enum isa_status st = isa_step(&r->w, i, &r->env, &r->fx);
    if (st != want)
        fail_msg("%s on %s: status %d, expected %d; %s", i->row ? i->mnemonic : "?", r->t->name, st, want,
                 r->w.fault.kind == FAULT_NONE ? "" : r->w.fault.text);
    if (i->row && r->w.fault.kind != FAULT_UNIMPLEMENTED)
        record_ran(r->t, i);
    return r->w.pc - RIG_CODE;
}

#endif
