/* Program control and wait counters. Words are llvm-mc-19's for the text beside them. */
#include "isa/barrier.h"
#include "isa/gws.h"
#include "tests/unit/isa/harness.h"

/* The text is for the reader. */
#define WORDS(TEXT, ...)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* --- branches --------------------------------------------------------------------------------------------------- */

/* Runs one instruction at RIG_CODE + 64 and returns the pc after it. */
static gaddr_t step_at_64(struct rig *r, const uint32_t *words, unsigned n, enum isa_status want)
{
    uint32_t code[64] = {0};
    struct err e = {0};

    memcpy(code + 16, words, n * 4);
    memcpy(r->code, code, sizeof code);
    isa_program_close(r->p);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, sizeof code, &e), 0);
    r->w.program = r->p;
    r->w.pc = RIG_CODE + 64;
    r->w.fault.kind = FAULT_NONE;
    const struct isa_inst *i = isa_program_at(r->p, r->w.pc);
    assert_non_null(i);
    assert_int_equal(isa_step(&r->w, i, &r->env, &r->fx), want);
    if (want != ISA_FAULT)
        record_ran(r->t, i);
    return r->w.pc - RIG_CODE;
}

static void test_branches(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[1];
        unsigned lanes;
        uint64_t exec, vcc;
        unsigned scc, pc;
    } v[] = {
        {"gfx803", WORDS("s_branch 3", 0xbf820003), 64, 0, 0, 0, 68 + 12},
        {"gfx1201", WORDS("s_branch 0xfffe", 0xbfa0fffe), 32, 0, 0, 0, 60},
        {"gfx803", WORDS("s_branch 0x8000", 0xbf828000), 64, 0, 0, 0, 68u - 131072u},
        {"gfx803", WORDS("s_cbranch_scc0 1", 0xbf840001), 64, 0, 0, 0, 72},
        {"gfx803", WORDS("s_cbranch_scc0 1", 0xbf840001), 64, 0, 0, 1, 68},
        {"gfx1201", WORDS("s_cbranch_scc1 1", 0xbfa20001), 32, 0, 0, 1, 72},
        {"gfx90a", WORDS("s_cbranch_vccz 1", 0xbf860001), 64, 0, 1ull << 40, 0, 68},
        {"gfx90a", WORDS("s_cbranch_vccz 1", 0xbf860001), 64, 0, 0, 0, 72},
        /* in wave32 the high half of VCC does not count */
        {"gfx1201", WORDS("s_cbranch_vccnz 1", 0xbfa40001), 32, 0, 1ull << 40, 0, 68},
        {"gfx1201/64", WORDS("s_cbranch_vccnz 1", 0xbfa40001), 64, 0, 1ull << 40, 0, 72},
        {"gfx803", WORDS("s_cbranch_execz 1", 0xbf880001), 64, 0, 0, 0, 72},
        {"gfx803", WORDS("s_cbranch_execz 1", 0xbf880001), 64, 1ull << 63, 0, 0, 68},
        {"gfx1201", WORDS("s_cbranch_execnz 0xffff", 0xbfa6ffff), 32, 4, 0, 0, 64},
        {"gfx803", WORDS("s_cbranch_cdbgsys 1", 0xbf970001), 64, 1, 1, 1, 68},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        char name[16];
        snprintf(name, sizeof name, "%s", v[k].target);
        name[strcspn(name, "/")] = 0;
        rig_open(&r, name, v[k].lanes);
        isa_set_exec(&r.w, v[k].exec);
        r.w.s[CODE_VCC_LO] = (uint32_t)v[k].vcc;
        r.w.s[CODE_VCC_HI] = (uint32_t)(v[k].vcc >> 32);
        r.w.scc = (uint8_t)v[k].scc;
        assert_int_equal((uint32_t)step_at_64(&r, v[k].words, 1, ISA_OK), v[k].pc);
        assert_int_equal(r.fx.branch_taken, v[k].pc != 68);
        rig_close(&r);
    }
}

static void test_calls(void **state)
{
    (void)state;
    static const uint32_t getpc[] = WORDS("s_getpc_b64 s[0:1]", 0xbe801c00),
                          setpc[] = WORDS("s_setpc_b64 s[2:3]", 0xbe801d02),
                          swap[] = WORDS("s_swappc_b64 s[2:3], s[2:3]", 0xbe821e02),
                          call[] = WORDS("s_call_b64 s[0:1], 4", 0xba800004),
                          getpc12[] = WORDS("s_getpc_b64 s[0:1]", 0xbe804700);
    struct rig r;

    rig_open(&r, "gfx803", 64);
    step_at_64(&r, getpc, 1, ISA_OK);
    assert_int_equal(r.w.s[0] | (uint64_t)r.w.s[1] << 32, RIG_CODE + 68);
    r.w.s[2] = (uint32_t)RIG_CODE + 9; /* the two low bits do not count */
    r.w.s[3] = 0;
    assert_int_equal(step_at_64(&r, setpc, 1, ISA_OK), 8);
    /* destination and source are the same pair */
    assert_int_equal(step_at_64(&r, swap, 1, ISA_OK), 8);
    assert_int_equal(r.w.s[2] | (uint64_t)r.w.s[3] << 32, RIG_CODE + 68);
    rig_close(&r);
    rig_open(&r, "gfx900", 64);
    assert_int_equal(step_at_64(&r, call, 1, ISA_OK), 84);
    assert_int_equal(r.w.s[0] | (uint64_t)r.w.s[1] << 32, RIG_CODE + 68);
    rig_close(&r);
    /* RDNA4 zero-extends a 48-bit program counter, earlier targets give all of it */
    for (unsigned k = 0; k < 2; k++) {
        rig_open(&r, k ? "gfx1201" : "gfx803", k ? 32 : 64);
        struct isa_inst i;
        assert_int_equal(isa_decode(r.t, (const uint8_t *)(k ? getpc12 : getpc), 4, &i, NULL), 4);
        r.w.pc = UINT64_C(0xffff800000001000);
        assert_int_equal(i.exec(&r.w, &i, &r.env, NULL), ISA_OK);
        assert_int_equal(r.w.s[1], k ? 0x00008000 : 0xffff8000);
        rig_close(&r);
    }
}

static void test_statuses(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[1];
        enum isa_status status;
        enum isa_fault_kind fault;
    } v[] = {
        {"gfx803", WORDS("s_endpgm", 0xbf810000), ISA_END, FAULT_NONE},
        {"gfx1201", WORDS("s_endpgm", 0xbfb00000), ISA_END, FAULT_NONE},
        {"gfx1201", WORDS("s_endpgm_saved", 0xbfb10000), ISA_END, FAULT_NONE},
        {"gfx90a", WORDS("s_endpgm_ordered_ps_done", 0xbf9e0000), ISA_END, FAULT_NONE},
        {"gfx803", WORDS("s_barrier", 0xbf8a0000), ISA_BARRIER, FAULT_NONE},
        {"gfx1100", WORDS("s_barrier", 0xbfbd0000), ISA_BARRIER, FAULT_NONE},
        {"gfx1201", WORDS("s_barrier_signal -1", 0xbe804ec1), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_sleep 0x8000", 0xbf838000), ISA_SLEEP, FAULT_NONE},
        {"gfx1100", WORDS("s_sleep 0x8000", 0xbf838000), ISA_OK, FAULT_NONE}, /* seven bits */
        {"gfx1030", WORDS("s_sleep 0x8000", 0xbf8e8000), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_wakeup", 0xbfb40000), ISA_WAKEUP, FAULT_NONE},
        {"gfx1201", WORDS("s_barrier_wait 0xffff", 0xbf94ffff), ISA_BARRIER, FAULT_NONE},
        {"gfx1201", WORDS("s_barrier_wait 0xfffe", 0xbf94fffe), ISA_FAULT, FAULT_UNIMPLEMENTED},
        {"gfx1201", WORDS("s_barrier_signal -2", 0xbe804ec2), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_barrier_signal -3", 0xbe804ec3), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_barrier_wait 0xfffd", 0xbf94fffd), ISA_FAULT, FAULT_OTHER},
        /* the cluster's, of a wave whose workgroup is one by itself */
        {"gfx1250", WORDS("s_barrier_signal -3", 0xbe804ec3), ISA_OK, FAULT_NONE},
        {"gfx1250", WORDS("s_barrier_signal_isfirst -3", 0xbe804fc3), ISA_OK, FAULT_NONE},
        {"gfx1250", WORDS("s_get_barrier_state s0, -3", 0xbe8050c3), ISA_OK, FAULT_NONE},
        {"gfx1250", WORDS("s_barrier_wait 0xfffd", 0xbf94fffd), ISA_OK, FAULT_NONE},
        /* of its trap handlers */
        {"gfx1250", WORDS("s_barrier_signal -4", 0xbe804ec4), ISA_FAULT, FAULT_UNIMPLEMENTED},
        {"gfx1250", WORDS("s_barrier_signal_isfirst -4", 0xbe804fc4), ISA_FAULT, FAULT_UNIMPLEMENTED},
        {"gfx1250", WORDS("s_barrier_signal -5", 0xbe804ec5), ISA_FAULT, FAULT_OTHER},
        {"gfx1250", WORDS("s_barrier_wait 0xfffc", 0xbf94fffc), ISA_FAULT, FAULT_UNIMPLEMENTED},
        {"gfx1250", WORDS("s_barrier_wait 0xfffb", 0xbf94fffb), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_barrier_init 33", 0xbe8051a1), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_wakeup_barrier 3", 0xbe805783), ISA_FAULT, FAULT_ILLEGAL},
        {"gfx1250", WORDS("s_wakeup_barrier 3", 0xbe805783), ISA_WAKEUP, FAULT_NONE},
        {"gfx1250", WORDS("s_wakeup_barrier 0", 0xbe805780), ISA_OK, FAULT_NONE},
        {"gfx1250", WORDS("s_wakeup_barrier -1", 0xbe8057c1), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_TBA_TO_PC)", 0xbe804c86), ISA_FAULT, FAULT_TRAP},
        {"gfx1201", WORDS("s_sendmsg_rtn_b32 s0, 0xff", 0xbe804cff), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_SE_AID_ID)", 0xbe804c87), ISA_OK, FAULT_NONE},
        {"gfx1100", WORDS("s_sendmsg_rtn_b32 s0, 135", 0xbe804c87), ISA_FAULT, FAULT_OTHER},
        {"gfx1201", WORDS("s_sendmsg_rtn_b32 s0, 136", 0xbe804c88), ISA_FAULT, FAULT_OTHER},
        {"gfx1250", WORDS("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_CLUSTER_BARRIER_STATE)", 0xbe804c88), ISA_OK,
         FAULT_NONE},
        {"gfx1250", WORDS("s_monitor_sleep 1", 0xbf840001), ISA_OK, FAULT_NONE},
        {"gfx803", WORDS("s_sethalt 1", 0xbf8d0001), ISA_HALT, FAULT_NONE},
        {"gfx803", WORDS("s_sethalt 0", 0xbf8d0000), ISA_OK, FAULT_NONE},
        {"gfx803", WORDS("s_setkill 1", 0xbf8b0001), ISA_END, FAULT_NONE},
        {"gfx803", WORDS("s_trap 2", 0xbf920002), ISA_FAULT, FAULT_TRAP},
        {"gfx1201", WORDS("s_trap 2", 0xbf900002), ISA_FAULT, FAULT_TRAP},
        {"gfx803", WORDS("s_trap 3", 0xbf920003), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_trap 3", 0xbf900003), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_trap 1", 0xbf900001), ISA_FAULT, FAULT_TRAP},
        {"gfx1201", WORDS("s_code_end", 0xbf9f0000), ISA_FAULT, FAULT_ILLEGAL},
        {"gfx1201", WORDS("s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)", 0xbfb60003), ISA_OK, FAULT_NONE},
        {"gfx803", WORDS("s_sendmsghalt sendmsg(MSG_INTERRUPT)", 0xbf910001), ISA_HALT, FAULT_NONE},
        {"gfx803", WORDS("s_nop 7", 0xbf800007), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_clause 0x3", 0xbf850003), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_delay_alu instid0(VALU_DEP_1)", 0xbf870001), ISA_OK, FAULT_NONE},
        {"gfx1201", WORDS("s_wait_alu 0xfffe", 0xbf88fffe), ISA_OK, FAULT_NONE},
        {"gfx803", WORDS("s_icache_inv", 0xbf930000), ISA_OK, FAULT_NONE},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        rig_open(&r, v[k].target, !strncmp(v[k].target, "gfx1", 4) ? 32 : 64);
        assert_int_equal(step_at_64(&r, v[k].words, 1, v[k].status), 68);
        assert_int_equal(r.w.fault.kind, v[k].fault);
        if (v[k].fault != FAULT_NONE)
            assert_int_equal(r.w.fault.pc, RIG_CODE + 64);
        rig_close(&r);
    }
}

/* s_alloc_vgpr s0 asks for `wanted` VGPRs; v31, v32 and v79 are then there or not. */
static void ask_for_vgprs(struct rig *r, uint32_t wanted, bool granted, uint32_t now)
{
    static const uint32_t alloc = 0xbe805300, move[] = {0x7e3e0280, 0x7e400280, 0x7e9e0280}; /* v_mov_b32 vN, 0 */
    static const unsigned number[] = {31, 32, 79};

    r->w.s[0] = wanted;
    r->w.scc = !granted;
    assert_int_equal(step_at_64(r, &alloc, 1, ISA_OK), 68);
    assert_int_equal(r->w.scc, granted);
    assert_int_equal(r->w.nvgprs, now);
    for (unsigned k = 0; k < 3; k++) {
        bool there = number[k] < now;
        step_at_64(r, &move[k], 1, there ? ISA_OK : ISA_FAULT);
        assert_int_equal(r->w.fault.kind, there ? FAULT_NONE : FAULT_REGISTER);
    }
}

/* RDNA4's pseudocode: blocks are rounded up, SCC says whether there were enough, and else nothing changes. */
static void alloc_vgpr_on(const char *target)
{
    struct rig r;
    struct isa_inst i;
    char text[64];
    const uint32_t alloc = 0xbe805300;

    rig_open(&r, target, 32);
    assert_int_equal(isa_decode(r.t, (const uint8_t *)&alloc, 4, &i, NULL), 4);
    isa_text(r.t, &i, text, sizeof text);
    assert_string_equal(text, "s_alloc_vgpr s0"); /* LLVM 22's */
    uint32_t *v = r.w.v;
    struct isa_program *p = r.w.program;
    isa_wave_init(&r.w, r.t, p, 32, v, 72, 0, 102); /* 72: no whole number of blocks */
    /* a wave without dynamic VGPRs keeps what it has, and SCC */
    for (unsigned scc = 0; scc < 2; scc++) {
        r.w.s[0] = 17;
        r.w.scc = (uint8_t)scc;
        assert_int_equal(step_at_64(&r, &alloc, 1, ISA_OK), 68);
        assert_int_equal(r.w.scc, scc);
        assert_int_equal(r.w.nvgprs, 72);
    }
    r.w.dynamic_vgprs = true;
    ask_for_vgprs(&r, 17, true, 32);
    ask_for_vgprs(&r, 33, true, 48);
    ask_for_vgprs(&r, 81, false, 48); /* more than the launch has */
    ask_for_vgprs(&r, 256, false, 48);
    ask_for_vgprs(&r, 0x200 | 72, true, 72); /* nine bits count */
    ask_for_vgprs(&r, 0, true, 0);
    ask_for_vgprs(&r, 80, true, 72);
    rig_close(&r);
}

static void test_alloc_vgpr(void **state)
{
    (void)state;
    alloc_vgpr_on("gfx1201");
    alloc_vgpr_on("gfx1250");
}

static void note_message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    struct rig *r = ctx;

    r->w.s[20] = number;
    r->w.s[21] = m0;
    r->w.s[22] = data;
}

/* What others hear: the number has four bits before gfx11, and an interrupt has eight bits of M0 on gfx8. */
static void test_messages_to_others(void **state)
{
    static const struct {
        const char *target;
        uint32_t word, number, data;
    } v[] = {
        {"gfx803", 0xbf900001, 1, 0x78},     /* sendmsg(MSG_INTERRUPT) */
        {"gfx906", 0xbf900001, 1, 0x345678}, /* the same */
        {"gfx1030", 0xbf900001, 1, 0x345678}, {"gfx1100", 0xbfb60001, 1, 0x345678},
        {"gfx803", 0xbf900023, 3, 2},                                        /* sendmsg(MSG_GS_DONE, GS_OP_EMIT) */
        {"gfx803", 0xbf910001, 1, 0x78},      {"gfx1201", 0xbfb60003, 3, 0}, /* sendmsg(MSG_DEALLOC_VGPRS) */
        {"gfx1100", 0xbfb6003f, 63, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        rig_open(&r, v[k].target, !strncmp(v[k].target, "gfx1", 4) ? 32 : 64);
        r.env.message = note_message;
        r.w.s[r.t->code_m0] = 0x12345678;
        rig_try(&r, &v[k].word, 1);
        assert_int_equal(r.w.s[20], v[k].number);
        assert_int_equal(r.w.s[21], 0x12345678);
        assert_int_equal(r.w.s[22], v[k].data);
        rig_close(&r);
    }
}

static void test_pace_and_messages(void **state)
{
    (void)state;
    static const uint32_t sleep[] = WORDS("s_sleep 5", 0xbf8e0005), sleep_var[] = WORDS("s_sleep_var s2", 0xbe805802),
                          prio[] = WORDS("s_setprio 3", 0xbf8f0003),
                          realtime[] = WORDS("s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)", 0xbe804d83),
                          doorbell[] = WORDS("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)", 0xbe804c80);
    struct rig r;

    rig_open(&r, "gfx803", 64);
    rig_run(&r, sleep, 1);
    assert_int_equal(r.fx.sleep, 5);
    rig_run(&r, prio, 1);
    assert_int_equal(r.fx.sleep, 0);
    assert_int_equal(r.w.priority, 3);
    rig_close(&r);
    rig_open(&r, "gfx1201", 32);
    r.w.s[2] = 9;
    rig_run(&r, sleep_var, 1);
    assert_int_equal(r.fx.sleep, 9);
    r.w.s[1] = 1;
    rig_run(&r, realtime, 1);
    assert_int_equal(r.w.s[0], 12345);
    assert_int_equal(r.w.s[1], 0);
    rig_run(&r, doorbell, 1); /* there is none */
    assert_int_equal(r.w.s[0], 0);
    rig_close(&r);
}

/* --- barriers ---------------------------------------------------------------------------------------------------- */

/* Three waves of a workgroup, run in turn by hand. */
struct group {
    struct rig r;
    struct isa_wave w[3];
    struct isa_barriers b;
};

/* gfx1201, then gfx1250 */
static const char *split_target = "gfx1201";

static void open_group(struct group *g, const char *target, unsigned waves)
{
    rig_open(&g->r, target, 32);
    isa_barriers_init(&g->b, waves);
    for (unsigned k = 0; k < 3; k++) {
        g->w[k] = g->r.w;
        g->w[k].barriers = &g->b;
    }
}

static enum isa_status step(struct group *g, unsigned wave, uint32_t word)
{
    struct isa_inst i;

    assert_int_equal(isa_decode(g->r.t, (const uint8_t *)&word, 4, &i, NULL), 4);
    g->w[wave].fault.kind = FAULT_NONE;
    g->w[wave].pc = RIG_CODE;
    enum isa_status st = isa_step(&g->w[wave], &i, &g->r.env, &g->r.fx);
    if (st != ISA_FAULT)
        record_ran(g->r.t, &i);
    return st;
}

enum {
    SIGNAL = (int)0xbe804ec1,       /* s_barrier_signal -1 */
    SIGNAL_FIRST = (int)0xbe804fc1, /* s_barrier_signal_isfirst -1 */
    WAIT = (int)0xbf94ffff,         /* s_barrier_wait -1 */
    STATE = (int)0xbe8050c1,        /* s_get_barrier_state s0, -1 */
    END = (int)0xbfb00000,
    WAIT_NAMED = (int)0xbf940001,  /* s_barrier_wait 1 */
    INIT_3 = (int)0xbe805183,      /* s_barrier_init 3 */
    JOIN_3 = (int)0xbe805283,      /* s_barrier_join 3 */
    SIGNAL_3 = (int)0xbe804e83,    /* s_barrier_signal 3 */
    STATE_3 = (int)0xbe805083,     /* s_get_barrier_state s0, 3 */
    SIGNAL_M0 = (int)0xbe804e7d,   /* s_barrier_signal m0 */
    SIGNAL_S0 = (int)0xbe804e00,   /* s_barrier_signal s0 */
    LEAVE = (int)0xbf950000,       /* s_barrier_leave */
    OLD_BARRIER = (int)0xbfbd0000, /* s_barrier of gfx11 */
};

/* { signals 22:16, members 10:4, valid 0 } */
static uint32_t state_of(struct group *g, uint32_t word)
{
    assert_int_equal(step(g, 0, word), ISA_OK);
    return g->w[0].s[0];
}

static void test_split_barrier(void **state)
{
    struct group g;
    (void)state;

    open_group(&g, split_target, 3);
    assert_int_equal(state_of(&g, (uint32_t)STATE), 3 << 4 | 1);
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_FIRST), ISA_OK);
    assert_int_equal(g.w[0].scc, 1);
    assert_int_equal(step(&g, 1, (uint32_t)SIGNAL_FIRST), ISA_OK);
    assert_int_equal(g.w[1].scc, 0);
    assert_int_equal(state_of(&g, (uint32_t)STATE), 2 << 16 | 3 << 4 | 1);
    assert_int_equal(step(&g, 0, (uint32_t)WAIT), ISA_BARRIER);
    assert_false(isa_barrier_open(&g.w[0]));
    assert_int_equal(g.r.fx.barriers, 0);
    assert_int_equal(step(&g, 2, (uint32_t)SIGNAL), ISA_OK);
    assert_int_equal(g.r.fx.barriers, 1);
    assert_true(isa_barrier_open(&g.w[0]));
    isa_barrier_pass(&g.w[0]);
    assert_false(isa_barrier_open(&g.w[0])); /* once each */
    assert_int_equal(state_of(&g, (uint32_t)STATE), 3 << 4 | 1);
    /* the next phase may begin before the others have passed this one */
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL), ISA_OK);
    assert_int_equal(step(&g, 1, (uint32_t)WAIT), ISA_BARRIER);
    assert_true(isa_barrier_open(&g.w[1]));
    isa_barrier_pass(&g.w[1]);
    assert_int_equal(step(&g, 1, (uint32_t)SIGNAL), ISA_OK);
    /* a wave that ends is no longer waited for */
    assert_int_equal(step(&g, 0, (uint32_t)WAIT), ISA_BARRIER);
    assert_int_equal(step(&g, 2, (uint32_t)END), ISA_END);
    assert_int_equal(g.r.fx.barriers, 1);
    assert_true(isa_barrier_open(&g.w[0]));
    rig_close(&g.r);
}

/* Six bits of an SGPR are the barrier's number: an address that is a multiple of 64 names the one that does nothing. */
static void test_barrier_of_an_sgpr(void **state)
{
    struct group g;
    (void)state;

    open_group(&g, split_target, 2);
    g.w[0].s[0] = 0x22000;
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_S0), ISA_OK);
    assert_int_equal(state_of(&g, (uint32_t)STATE), 2 << 4 | 1);
    g.w[0].s[0] = 0x2203f; /* -1 */
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_S0), ISA_OK);
    assert_int_equal(state_of(&g, (uint32_t)STATE), 1 << 16 | 2 << 4 | 1);
    g.w[0].s[0] = 0x22020; /* 32 */
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_S0), ISA_FAULT);
    rig_close(&g.r);
}

/* Members are as many as s_barrier_init says; waits are for the one joined. */
static void test_named_barrier(void **state)
{
    struct group g;
    (void)state;

    open_group(&g, split_target, 3);
    assert_int_equal(step(&g, 0, (uint32_t)WAIT_NAMED), ISA_OK); /* none joined */
    g.w[0].s[g.r.t->code_m0] = 2 << 16;
    assert_int_equal(step(&g, 0, (uint32_t)INIT_3), ISA_OK);
    assert_int_equal(state_of(&g, (uint32_t)STATE_3), 2 << 4 | 1);
    assert_int_equal(step(&g, 0, (uint32_t)JOIN_3), ISA_OK);
    assert_int_equal(step(&g, 1, (uint32_t)JOIN_3), ISA_OK);
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_3), ISA_OK);
    assert_int_equal(step(&g, 0, (uint32_t)WAIT_NAMED), ISA_BARRIER);
    assert_false(isa_barrier_open(&g.w[0]));
    g.w[2].s[g.r.t->code_m0] = 0x63; /* five bits of M0 count: a wave that is no member may signal, too */
    assert_int_equal(step(&g, 2, (uint32_t)SIGNAL_M0), ISA_OK);
    assert_int_equal(g.r.fx.barriers, 1 << 3);
    assert_true(isa_barrier_open(&g.w[0]));
    isa_barrier_pass(&g.w[0]);
    /* who leaves is not waited for */
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_3), ISA_OK);
    assert_int_equal(step(&g, 1, (uint32_t)LEAVE), ISA_OK);
    assert_int_equal(g.w[1].scc, 0); /* wave 0 is still in it */
    assert_int_equal(g.r.fx.barriers, 1 << 3);
    assert_int_equal(step(&g, 1, (uint32_t)LEAVE), ISA_OK); /* it is in none */
    assert_int_equal(g.w[1].scc, 0);
    assert_int_equal(state_of(&g, (uint32_t)STATE_3), 1 << 4 | 1);
    assert_int_equal(step(&g, 0, (uint32_t)LEAVE), ISA_OK); /* the last */
    assert_int_equal(g.w[0].scc, 1);
    assert_int_equal(state_of(&g, (uint32_t)STATE_3), 1);
    assert_int_equal(step(&g, 0, (uint32_t)LEAVE), ISA_OK);
    assert_int_equal(g.w[0].scc, 0);
    rig_close(&g.r);
}

/* One wave is in no workgroup, as far as barriers go. */
static void test_barrier_of_one(void **state)
{
    struct group g;
    (void)state;

    open_group(&g, split_target, 1);
    assert_int_equal(state_of(&g, (uint32_t)STATE), 0);
    g.w[0].scc = 1;
    assert_int_equal(step(&g, 0, (uint32_t)SIGNAL_FIRST), ISA_OK);
    assert_int_equal(g.w[0].scc, 0);
    assert_int_equal(step(&g, 0, (uint32_t)WAIT), ISA_BARRIER);
    assert_true(isa_barrier_open(&g.w[0]));
    rig_close(&g.r);

    open_group(&g, "gfx1100", 2);
    assert_int_equal(step(&g, 0, (uint32_t)OLD_BARRIER), ISA_BARRIER);
    assert_false(isa_barrier_open(&g.w[0]));
    assert_int_equal(step(&g, 1, (uint32_t)OLD_BARRIER), ISA_BARRIER);
    assert_true(isa_barrier_open(&g.w[0]) && isa_barrier_open(&g.w[1]));
    rig_close(&g.r);
}

/* --- wait counters ---------------------------------------------------------------------------------------------- */

#define NO 0xff
struct waits {
    const char *target;
    uint32_t words[2];
    bool waits;
    struct {
        enum wait_counter counter;
        uint8_t value;
    } want[8]; /* value NO for the rest, ended by counter WAIT_COUNT */
};

static void test_waits(void **state)
{
    (void)state;
    static const struct waits v[] = {
        {"gfx803", WORDS("s_waitcnt vmcnt(3)", 0xbf8c0f73), true, {{WAIT_VM, 3}, {WAIT_COUNT, 0}}},
        {"gfx803", WORDS("s_waitcnt lgkmcnt(0)", 0xbf8c007f), true, {{WAIT_LGKM, 0}, {WAIT_COUNT, 0}}},
        {"gfx803", WORDS("s_waitcnt expcnt(2)", 0xbf8c0f2f), true, {{WAIT_EXP, 2}, {WAIT_COUNT, 0}}},
        {"gfx803", WORDS("s_waitcnt 0xf7f", 0xbf8c0f7f), false, {{WAIT_COUNT, 0}}},
        {"gfx803",
         WORDS("s_waitcnt 0", 0xbf8c0000),
         true,
         {{WAIT_VM, 0}, {WAIT_EXP, 0}, {WAIT_LGKM, 0}, {WAIT_COUNT, 0}}},
        {"gfx90a",
         WORDS("s_waitcnt vmcnt(35) lgkmcnt(14)", 0xbf8c8e73),
         true,
         {{WAIT_VM, 35}, {WAIT_LGKM, 14}, {WAIT_COUNT, 0}}},
        {"gfx1030",
         WORDS("s_waitcnt vmcnt(60) lgkmcnt(33)", 0xbf8ce17c),
         true,
         {{WAIT_VM, 60}, {WAIT_LGKM, 33}, {WAIT_COUNT, 0}}},
        {"gfx1030", WORDS("s_waitcnt_vscnt null, 0x2", 0xbbfd0002), true, {{WAIT_VS, 2}, {WAIT_COUNT, 0}}},
        {"gfx1030", WORDS("s_waitcnt_vscnt s4, 0x2", 0xbb840002), true, {{WAIT_VS, 2}, {WAIT_COUNT, 0}}},
        {"gfx1030", WORDS("s_waitcnt_lgkmcnt null, 0x1", 0xbd7d0001), true, {{WAIT_LGKM, 1}, {WAIT_COUNT, 0}}},
        {"gfx1100",
         WORDS("s_waitcnt vmcnt(17) expcnt(4) lgkmcnt(5)", 0xbf894454),
         true,
         {{WAIT_VM, 17}, {WAIT_EXP, 4}, {WAIT_LGKM, 5}, {WAIT_COUNT, 0}}},
        {"gfx1100",
         WORDS("s_wait_idle", 0xbf8a0000),
         true,
         {{WAIT_VM, 0}, {WAIT_EXP, 0}, {WAIT_LGKM, 0}, {WAIT_VS, 0}, {WAIT_COUNT, 0}}},
        {"gfx1201",
         WORDS("s_alloc_vgpr 64", 0xbe8053c0),
         true,
         {{WAIT_LOAD, 0}, {WAIT_SAMPLE, 0}, {WAIT_BVH, 0}, {WAIT_EXP, 0}, {WAIT_DS, 0}, {WAIT_KM, 0}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_loadcnt 0x3", 0xbfc00003), true, {{WAIT_LOAD, 3}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_storecnt 0x0", 0xbfc10000), true, {{WAIT_STORE, 0}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_samplecnt 0x1", 0xbfc20001), true, {{WAIT_SAMPLE, 1}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_bvhcnt 0x1", 0xbfc30001), true, {{WAIT_BVH, 1}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_expcnt 0x1", 0xbfc40001), true, {{WAIT_EXP, 1}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_dscnt 0x7", 0xbfc60007), true, {{WAIT_DS, 7}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_kmcnt 0x0", 0xbfc70000), true, {{WAIT_KM, 0}, {WAIT_COUNT, 0}}},
        {"gfx1201",
         WORDS("s_wait_loadcnt_dscnt 0x203", 0xbfc80203),
         true,
         {{WAIT_LOAD, 2}, {WAIT_DS, 3}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_storecnt_dscnt 0x3f00", 0xbfc93f00), true, {{WAIT_DS, 0}, {WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_loadcnt 0x3f", 0xbfc0003f), false, {{WAIT_COUNT, 0}}},
        {"gfx1201", WORDS("s_wait_alu 0x0", 0xbf880000), false, {{WAIT_COUNT, 0}}},
        {"gfx803", WORDS("s_nop 0", 0xbf800000), false, {{WAIT_COUNT, 0}}},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct isa_target *t;
        struct isa_inst i;
        struct err e = {0};
        uint8_t want[WAIT_COUNT], got[WAIT_COUNT];

        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        assert_int_equal(isa_decode(t, (const uint8_t *)v[k].words, 8, &i, NULL), 4);
        memset(want, NO, sizeof want);
        for (unsigned c = 0; v[k].want[c].counter != WAIT_COUNT; c++)
            want[v[k].want[c].counter] = v[k].want[c].value;
        assert_int_equal(isa_inst_waits(t, &i, got), v[k].waits);
        assert_memory_equal(got, want, sizeof want);
        isa_target_close(t);
    }
}

static void test_counters(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[3];
        uint32_t want;
    } v[] = {
        {"gfx803", WORDS("s_load_dword s0, s[2:3], 0x0", 0xc0020001, 0x00000000), 1u << WAIT_LGKM},
        {"gfx900", WORDS("s_store_dword s0, s[2:3], 0x0", 0xc0420001, 0x00000000), 1u << WAIT_LGKM},
        {"gfx1201", WORDS("s_load_b32 s0, s[2:3], 0x0", 0xf4000001, 0xf8000000), 1u << WAIT_KM},
        {"gfx1201", WORDS("s_prefetch_data s[2:3], 0x0, null, 0", 0xf404c001, 0xf8000000), 0},
        {"gfx803", WORDS("s_memtime s[0:1]", 0xc0900000, 0x00000000), 1u << WAIT_LGKM},
        {"gfx803", WORDS("s_sendmsg sendmsg(MSG_INTERRUPT)", 0xbf900001), 1u << WAIT_LGKM},
        {"gfx1201", WORDS("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)", 0xbe804c80), 1u << WAIT_KM},
        {"gfx1201", WORDS("s_get_barrier_state s0, -1", 0xbe8050c1), 1u << WAIT_KM},
        {"gfx803", WORDS("s_add_u32 s0, s1, s2", 0x80000201), 0},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct isa_target *t;
        struct isa_inst i;
        struct err e = {0};

        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        assert_true(isa_decode(t, (const uint8_t *)v[k].words, 12, &i, NULL) > 0);
        assert_int_equal(isa_inst_counters(t, &i), v[k].want);
        isa_target_close(t);
    }
}

/* Vector memory by class and format; the rows are made up, so that this does not depend on their files. */
static void test_vector_counters(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        enum op_class cls;
        enum mem_op op;
        enum isa_format format;
        unsigned glc;
        uint32_t want;
        uint8_t control;
    } v[] = {
        {"gfx90a", OPC_VMEM_LOAD, MEM_LOAD, FMT_GLOBAL, 0, 1u << WAIT_VM, 0},
        {"gfx90a", OPC_VMEM_STORE, MEM_STORE, FMT_GLOBAL, 0, 1u << WAIT_VM, 0},
        {"gfx803", OPC_FLAT_STORE, MEM_STORE, FMT_FLAT, 0, 1u << WAIT_VM | 1u << WAIT_LGKM, 0},
        {"gfx1100", OPC_VMEM_LOAD, MEM_LOAD, FMT_GLOBAL, 0, 1u << WAIT_VM, 0},
        {"gfx1100", OPC_VMEM_STORE, MEM_STORE, FMT_GLOBAL, 0, 1u << WAIT_VS, 0},
        {"gfx1100", OPC_VMEM_ATOMIC, MEM_ATOMIC, FMT_GLOBAL, 1, 1u << WAIT_VM, 0},
        {"gfx1100", OPC_VMEM_ATOMIC, MEM_ATOMIC, FMT_GLOBAL, 0, 1u << WAIT_VS, 0},
        {"gfx1201", OPC_VMEM_LOAD, MEM_LOAD, FMT_VBUFFER, 0, 1u << WAIT_LOAD, 0},
        {"gfx1201", OPC_VMEM_ATOMIC, MEM_ATOMIC, FMT_GLOBAL, 1, 1u << WAIT_LOAD, 0},
        {"gfx1201", OPC_VMEM_ATOMIC, MEM_ATOMIC, FMT_GLOBAL, 0, 1u << WAIT_STORE, 0},
        {"gfx1201", OPC_FLAT_LOAD, MEM_LOAD, FMT_FLAT, 0, 1u << WAIT_LOAD | 1u << WAIT_DS, 0},
        {"gfx1201", OPC_FLAT_STORE, MEM_STORE, FMT_SCRATCH, 0, 1u << WAIT_STORE, 0},
        {"gfx1201", OPC_LDS_ATOMIC, MEM_ATOMIC, FMT_DS, 0, 1u << WAIT_DS, 0},
        {"gfx803", OPC_LDS_PERMUTE, MEM_LOAD, FMT_DS, 0, 1u << WAIT_LGKM, 0},
        {"gfx90a", OPC_CACHE_CTRL, MEM_LOAD, FMT_MUBUF, 0, 1u << WAIT_VM, ISA_CACHE_WB},
        {"gfx90a", OPC_CACHE_CTRL, MEM_LOAD, FMT_MUBUF, 0, 1u << WAIT_VM, ISA_CACHE_INV | ISA_CACHE_VL0},
        {"gfx1030", OPC_CACHE_CTRL, MEM_LOAD, FMT_MUBUF, 0, 1u << WAIT_VM, ISA_CACHE_INV | ISA_CACHE_GL1},
        {"gfx1201", OPC_CACHE_CTRL, MEM_LOAD, FMT_GLOBAL, 0, 1u << WAIT_LOAD, ISA_CACHE_INV},
        {"gfx1201", OPC_CACHE_CTRL, MEM_LOAD, FMT_GLOBAL, 0, 1u << WAIT_STORE, ISA_CACHE_WB},
        {"gfx1201", OPC_CACHE_CTRL, MEM_LOAD, FMT_GLOBAL, 0, 1u << WAIT_STORE, ISA_CACHE_WB | ISA_CACHE_INV},
        {"gfx803", OPC_EXPORT, MEM_STORE, FMT_EXP, 0, 1u << WAIT_EXP, 0},
        {"gfx803", OPC_VALU, MEM_LOAD, FMT_VOP2, 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct isa_target *t;
        struct err e = {0};
        struct isa_row row = {.name = "made_up",
                              .cls = (uint8_t)v[k].cls,
                              .mem = {.op = (uint8_t)v[k].op},
                              .cache_control = v[k].control};
        struct isa_inst i = {.row = &row, .format = (uint8_t)v[k].format};

        i.u.mem.glc = i.u.mem.th = (uint8_t)v[k].glc;
        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        assert_int_equal(isa_inst_counters(t, &i), v[k].want);
        isa_target_close(t);
    }
}

/* The barrier of a cluster of two workgroups: who waits before both have signalled is enqueued, and may pass once for
 * each time that they have. SCC is set by the first signal of a phase. */
static void test_barrier_of_a_cluster(void **state)
{
    static const uint32_t signal[] = WORDS("s_barrier_signal -3", 0xbe804ec3),
                          is_first[] = WORDS("s_barrier_signal_isfirst -3", 0xbe804fc3),
                          get[] = WORDS("s_get_barrier_state s0, -3", 0xbe8050c3),
                          wait[] = WORDS("s_barrier_wait 0xfffd", 0xbf94fffd);
    struct isa_cluster cluster;
    struct isa_gws gws;
    struct rig r;

    (void)state;
    rig_open(&r, "gfx1250", 32);
    isa_gws_init(&gws);
    isa_gws_begin(&gws, false);
    isa_cluster_begin(&cluster, 2);
    r.w.gws = &gws;
    r.w.cluster = &cluster;
    step_at_64(&r, wait, 1, ISA_GWS);
    assert_ptr_equal(cluster.r.first, &r.w);
    isa_cluster_begin(&cluster, 2);
    step_at_64(&r, is_first, 1, ISA_OK);
    assert_int_equal(r.w.scc, 1);
    step_at_64(&r, get, 1, ISA_OK);
    assert_int_equal(r.w.s[0], 1 << 16 | 2 << 4 | 1);
    assert_int_equal(cluster.phase, 0);
    step_at_64(&r, is_first, 1, ISA_OK);
    assert_int_equal(r.w.scc, 0);
    assert_int_equal(cluster.phase, 1);
    step_at_64(&r, wait, 1, ISA_OK);
    step_at_64(&r, signal, 1, ISA_OK);
    step_at_64(&r, signal, 1, ISA_OK);
    assert_int_equal(cluster.phase, 2);
    step_at_64(&r, wait, 1, ISA_OK);
    step_at_64(&r, wait, 1, ISA_GWS);
    isa_gws_destroy(&gws);
    rig_close(&r);
}

static void test_barriers_of_gfx1250(void **state)
{
    split_target = "gfx1250";
    test_split_barrier(state);
    test_barrier_of_an_sgpr(state);
    test_named_barrier(state);
    test_barrier_of_one(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_alloc_vgpr),
        cmocka_unit_test(test_messages_to_others),
        cmocka_unit_test(test_pace_and_messages),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_vector_counters),
        cmocka_unit_test(test_split_barrier),
        cmocka_unit_test(test_barrier_of_an_sgpr),
        cmocka_unit_test(test_named_barrier),
        cmocka_unit_test(test_barrier_of_one),
        cmocka_unit_test(test_barriers_of_gfx1250),
        cmocka_unit_test(test_barrier_of_a_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
