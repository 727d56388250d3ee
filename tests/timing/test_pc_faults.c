/* A program counter outside the code is a fault of the wave, the same in both engines: with whatever instruction the
 * wave gets there, on every target, wherever it goes, the end of the address space included. */
#include "tests/timing/rig.h"

enum { CODE_WORDS = 64, JUMP = 32, S2 = 2, S4 = 4, S8 = 8, MINUS_1 = 193, LITERAL = 255 };

/* Words of instructions found by their row. False: the target has no such row. */

static bool find_row(const struct isa_target *t, enum isa_format f, const char *row, uint32_t *opcode)
{
    for (uint32_t op = 0; t->ops[f] && op < t->op_count[f]; op++)
        if (t->ops[f][op].row && !strcmp(t->ops[f][op].row->name, row)) {
            *opcode = op;
            return true;
        }
    return false;
}

static bool put_sop1(const struct isa_target *t, uint32_t *w, const char *row, unsigned dst, unsigned src)
{
    uint32_t op = 0;
    bool found = find_row(t, FMT_SOP1, row, &op);

    *w = 0xbe800000 | dst << 16 | op << 8 | src;
    return found;
}

static bool put_sop2(const struct isa_target *t, uint32_t *w, const char *row, unsigned src0, unsigned src1)
{
    uint32_t op = 0;
    bool found = find_row(t, FMT_SOP2, row, &op);

    *w = 0x80000000 | op << 23 | src1 << 8 | src0;
    return found;
}

static bool put_sopk(const struct isa_target *t, uint32_t *w, const char *row, unsigned dst, unsigned simm)
{
    uint32_t op = 0;
    bool found = find_row(t, FMT_SOPK, row, &op);

    *w = 0xb0000000 | op << 23 | dst << 16 | (simm & 0xffff);
    return found;
}

static bool put_sopp(const struct isa_target *t, uint32_t *w, const char *row, unsigned simm)
{
    uint32_t op = 0;
    bool found = find_row(t, FMT_SOPP, row, &op);

    *w = 0xbf800000 | op << 16 | (simm & 0xffff);
    return found;
}

struct bench {
    struct isa_target *t;
    uint32_t code[CODE_WORDS];
    gaddr_t target; /* in s[2:3] */
};

/* s_nops after what puts the target into s[2:3]; the jump goes to word JUMP. */
static void open_bench(struct bench *b, const char *name, gaddr_t target)
{
    struct err e = {0};

    assert_int_equal(isa_target_open(&b->t, name, NULL, &e), 0);
    for (unsigned k = 0; k < CODE_WORDS; k++)
        b->code[k] = S_NOP_0;
    assert_true(put_sop1(b->t, &b->code[0], "s_mov_b32", S2, LITERAL));
    b->code[1] = (uint32_t)target;
    assert_true(put_sop1(b->t, &b->code[2], "s_mov_b32", S2 + 1, LITERAL));
    b->code[3] = (uint32_t)(target >> 32);
    b->target = target;
}

static const char *outcome(const struct engine_result *r)
{
    static const char *const names[] = {"done", "fault", "limit", "interrupted"};

    return names[r->outcome];
}

static void same_fault(const struct bench *b, const char *how, const struct engine_result *f,
                       const struct engine_result *t, gaddr_t want)
{
    if (f->outcome != ENGINE_FAULT || f->fault.kind != FAULT_PC || f->fault.pc != want)
        fail_msg("%s, %s to 0x%llx: functional: %s at 0x%llx: %s", b->t->name, how, (unsigned long long)b->target,
                 outcome(f), (unsigned long long)f->fault.pc, f->message);
    if (t->outcome != ENGINE_FAULT || t->fault_kind != f->fault_kind || t->fault.kind != FAULT_PC ||
        t->fault.pc != want || t->fault.addr != f->fault.addr || t->fault_wave != f->fault_wave ||
        t->fault_group != f->fault_group || strcmp(t->message, f->message) ||
        t->stat[STAT_INSTRUCTIONS] != f->stat[STAT_INSTRUCTIONS])
        fail_msg("%s, %s to 0x%llx: timing: %s at 0x%llx: %s", b->t->name, how, (unsigned long long)b->target,
                 outcome(t), (unsigned long long)t->fault.pc, t->message);
}

/* Runs in both engines, the timing engine with a mock memory and with the hierarchy. */
static void run(struct bench *b, const char *how, gaddr_t want)
{
    struct rig *r = rig_new(b->t->name, b->code, CODE_WORDS, isa_has(b->t, FEAT_WAVE32) ? 32 : 64, 1);
    struct engine_options o = {.max_cycles = 1000000};
    struct engine_result f, t;

    r->options.max_cycles = o.max_cycles;
    rig_groups(r, 1);
    assert_int_equal(engine_run_functional(&r->launch, &o, &f, &r->err), 0);
    rig_run(r);
    assert_int_equal(r->status, 0);
    same_fault(b, how, &f, &r->result, want);
    assert_int_equal(engine_run_timing(&r->launch, &o, &t, &r->err), 0);
    same_fault(b, how, &f, &t, want);
    rig_free(r);
}

#define NODES(NAME) for (unsigned at_ = 0; (NAME = isa_target_name(at_)); at_++)

static void registers_lead_outside(void **state)
{
    static const gaddr_t wild[] = {
        0,
        1,
        4,
        60,
        RIG_BASE - 4,
        RIG_BASE - 1,
        RIG_BASE - 64,
        RIG_BASE + 4 * CODE_WORDS,
        RIG_BASE + 4 * CODE_WORDS + 3,
        RIG_BASE + 4 * CODE_WORDS + 60,
        UINT64_C(0xfffffffc),
        UINT64_C(0x100000000) + RIG_BASE,
        UINT64_C(0x7ffffffffffc),
        UINT64_C(0x800000000000),
        UINT64_C(0xfffffffffffc),
        UINT64_C(0x1000000000000),
        UINT64_C(0x1000000000000) + RIG_BASE,
        UINT64_C(0x7ffffffffffffffc),
        UINT64_C(0x8000000000000000),
        UINT64_C(0xffff800000000000),
        UINT64_C(0xffffffffffffff80),
        UINT64_C(0xffffffffffffffbc),
        UINT64_C(0xffffffffffffffc0),
        UINT64_C(0xffffffffffffffdc),
        UINT64_C(0xffffffffffffffe0),
        UINT64_C(0xfffffffffffffff4),
        UINT64_C(0xfffffffffffffff8),
        UINT64_C(0xfffffffffffffffc),
        UINT64_C(0xffffffffffffffff),
    };
    const char *name;

    (void)state;
    NODES(name)
    for (unsigned k = 0; k < sizeof wild / sizeof wild[0]; k++) {
        struct bench b;

        open_bench(&b, name, wild[k]);
        assert_true(put_sop1(b.t, &b.code[JUMP], "s_setpc_b64", 0, S2));
        run(&b, "s_setpc_b64", wild[k] & ~UINT64_C(3));
        assert_true(put_sop1(b.t, &b.code[JUMP], "s_swappc_b64", S4, S2));
        run(&b, "s_swappc_b64", wild[k] & ~UINT64_C(3));
        if (put_sop1(b.t, &b.code[JUMP], "s_rfe_b64", 0, S2))
            run(&b, "s_rfe_b64", wild[k] & ~UINT64_C(3));
        if (put_sop2(b.t, &b.code[JUMP], "s_cbranch_g_fork", MINUS_1, S2))
            run(&b, "s_cbranch_g_fork", wild[k] & ~UINT64_C(3));
        isa_target_close(b.t);
    }
}

/* Branches by words: before the code, past its end, as far as they reach. */
static void branches_lead_outside(void **state)
{
    static const int to[] = {-0x8000, -0x4000, -JUMP - 2, -JUMP - 33, CODE_WORDS - JUMP - 1, CODE_WORDS - JUMP, 0x7fff};
    const char *name;

    (void)state;
    NODES(name)
    for (unsigned k = 0; k < sizeof to / sizeof to[0]; k++) {
        gaddr_t want = RIG_BASE + (gaddr_t)(4 * (int64_t)(JUMP + 1 + to[k]));
        struct bench b;

        open_bench(&b, name, 0);
        assert_true(put_sopp(b.t, &b.code[JUMP], "s_branch", (unsigned)to[k]));
        run(&b, "s_branch", want);
        assert_true(put_sopp(b.t, &b.code[JUMP], "s_cbranch_scc0", (unsigned)to[k]));
        run(&b, "s_cbranch_scc0", want);
        assert_true(put_sopp(b.t, &b.code[JUMP], "s_cbranch_execnz", (unsigned)to[k]));
        run(&b, "s_cbranch_execnz", want);
        if (put_sopk(b.t, &b.code[JUMP], "s_call_b64", S4, (unsigned)to[k]))
            run(&b, "s_call_b64", want);
        isa_target_close(b.t);
    }
}

static void the_code_just_ends(void **state)
{
    const char *name;

    (void)state;
    NODES(name)
    {
        struct bench b;
        uint32_t mov = 0;

        open_bench(&b, name, 0);
        run(&b, "running on", RIG_BASE + 4 * CODE_WORDS);
        /* an instruction that the end cuts in two is none */
        put_sop1(b.t, &mov, "s_mov_b32", S8, LITERAL);
        b.code[CODE_WORDS - 1] = mov;
        struct rig *r = rig_new(name, b.code, CODE_WORDS, 64, 1);
        struct engine_options o = {0};
        struct engine_result f;

        rig_groups(r, 1);
        assert_int_equal(engine_run_functional(&r->launch, &o, &f, &r->err), 0);
        rig_run(r);
        assert_int_equal(f.outcome, ENGINE_FAULT);
        assert_int_equal(f.fault.kind, FAULT_ILLEGAL);
        assert_int_equal(r->result.fault.kind, FAULT_ILLEGAL);
        assert_true(r->result.fault.pc == f.fault.pc);
        assert_string_equal(r->result.message, f.message);
        rig_free(r);
        isa_target_close(b.t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_lead_outside),
        cmocka_unit_test(branches_lead_outside),
        cmocka_unit_test(the_code_just_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
