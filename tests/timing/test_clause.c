/* s_clause (sim/engine/timing/front/clause.h): whose instructions a SIMD issues while a wave is in a clause, to the
 * cycle, for each type there is. Every program runs as well with each cycle ticked, and the reasons account for every
 * wave-cycle.
 */
#include "tests/timing/rdna_rig.h"

enum {
    CLAUSE = 0xbf850000, /* with the number of instructions less one, and the span of breaks from bit 8 on */
    BREAK_AFTER_ONE = 1 << 8,
    S_NOP_3 = 0xbf800003,
    V_MOV_V1_0 = 0x7e020280,
    V_RCP_V7_V8 = 0x7e0e5508,
};
#define LOAD_V4    0xee050000, 0x00000004, 0x00000000
#define DS_LOAD_V6 0xd8d80000, 0x06000000

/* Waves on one SIMD, the second one's life 4 cycles after the first one's. */
static struct rig *one_simd(const uint32_t *code, size_t words, uint32_t waves, bool queues)
{
    struct rig *r = queues ? queued("gfx1201", code, words, 32, waves) : rig_new("gfx1201", code, words, 32, waves);

    r->profile.gpu.cus = r->profile.gpu.cus_per_wgp = 1;
    r->profile.cu.simds = 1;
    r->profile.cu.simds_per_lds_port = 1;
    r->profile.cu.vmem_queue_depth = 8;
    return r;
}

struct family {
    uint32_t word[3];
    unsigned words, busy; /* cycles that one keeps its unit */
};

static const struct family family[] = {
    {{LOAD_V4}, 3, 1}, {{DS_LOAD_V6}, 2, 2}, {{R_S_LOAD_S8}, 2, 1}, {{V_MOV_V1_0}, 1, 1}, {{V_RCP_V7_V8}, 1, 4},
};
#define FAMILIES (sizeof family / sizeof family[0])

/* before, X, s_nop 3, X, end: the second wave's X could issue while the first one is in its s_nop. */
static size_t gap(uint32_t *code, uint32_t before, const struct family *f)
{
    size_t n = 0;

    code[n++] = before;
    memcpy(code + n, f->word, f->words * sizeof *code);
    n += f->words;
    code[n++] = S_NOP_3;
    memcpy(code + n, f->word, f->words * sizeof *code);
    n += f->words;
    code[n++] = R_END;
    return n;
}

static void nobody_comes_between(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        uint32_t code[RIG_MAX_WORDS];
        unsigned second = family[k].words + 2;
        struct rig *r = one_simd(code, gap(code, S_NOP_0, &family[k]), 2, false);

        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + 1);
        assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 4 + 1);
        rig_free(r);

        r = one_simd(code, gap(code, CLAUSE | 2, &family[k]), 2, false);
        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + 1);
        assert_int_equal(rig_at(r, second), FIRST + 6);
        /* ready in cycle 5, let in after the last one of the clause, when its unit is free again */
        assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 6 + family[k].busy);
        assert_int_equal(rig_stall(r, "arbitration"), 2);
        rig_free(r);
    }
}

/* The same with the clock stopped: a cycle before, the second wave's load has not issued. */
static void not_a_cycle_before(void **state)
{
    uint32_t code[RIG_MAX_WORDS];
    struct rig *r = one_simd(code, gap(code, CLAUSE | 2, &family[0]), 2, false);

    (void)state;
    r->options.max_cycles = FIRST + 6;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), CYCLE_NEVER);
    r->options.max_cycles = FIRST + 7;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 7);
    rig_free(r);
}

/* Instructions of other types go on beside a clause. */
static void other_types_go_on(void **state)
{
    static const char code[] =
        "s_clause 0x2; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]; ds_load_b32 v6, v0; "
        "v_mov_b32 v1, 0; s_endpgm";
    static const char lds_first[] =
        "ds_load_b32 v6, v0; s_clause 0x2; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]";
    struct rig *r = one_simd(WORDS("gfx1201", code), 2, false);

    (void)state;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 7);
    rig_free(r);
    /* the same without vector memory between: the second wave is ready for the LDS when the first is in its s_nop */
    r = one_simd(WORDS("gfx1201", lds_first), 2, false);
    run_both(r);
    assert_int_equal(rig_at(r, 3), FIRST + 2);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + 4); /* in the clause of the first */
    assert_int_equal(rig_issue_of(r, 1, 3, 0), FIRST + 8); /* ready at 6 */
    rig_free(r);
}

/* SIMM16[11:8] = 1: others may come after each instruction; 2: after the second one of three. */
static void breaks(void **state)
{
    uint32_t code[RIG_MAX_WORDS];
    struct rig *r = one_simd(code, gap(code, CLAUSE | BREAK_AFTER_ONE | 2, &family[0]), 2, false);
    static const char two[] =
        "s_clause 0x204; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]; s_nop 3; "
        "global_load_b32 v4, v0, s[0:1]; s_endpgm";

    (void)state;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 5);
    rig_free(r);
    r = one_simd(WORDS("gfx1201", two), 2, false);
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    /* the break is after s_nop, which counts; then the second wave's clause begins, up to its own break */
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 5);
    assert_int_equal(rig_issue_of(r, 1, 4, 0), FIRST + 6);
    assert_int_equal(rig_at(r, 5), FIRST + 7);
    rig_free(r);
}

/* The span has four bits: with 9 there is one break, after the ninth instruction of ten, and none after the first. */
static void longest_span(void **state)
{
    static const char code[] =
        "s_clause 0x909; global_load_b32 v4, v0, s[0:1]; s_nop 3; s_nop 0; s_nop 0; s_nop 0; s_nop 0; s_nop 0; "
        "s_nop 0; s_nop 3; global_load_b32 v4, v0, s[0:1]; s_endpgm";
    struct rig *r = one_simd(WORDS("gfx1201", code), 2, false);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 11), FIRST + 12);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 13); /* ready at 5 */
    rig_free(r);
}

/* A clause that says more than there is ends with what cannot be in one; no clause outlives its wave. */
static void ends(void **state)
{
    static const char scalar[] =
        "s_clause 0x5; global_load_b32 v4, v0, s[0:1]; s_mov_b32 s4, 0; s_nop 3; global_load_b32 v4, v0, s[0:1]; "
        "s_endpgm";
    static const char other[] =
        "s_clause 0x5; global_load_b32 v4, v0, s[0:1]; v_mov_b32 v1, 0; s_nop 3; global_load_b32 v4, v0, s[0:1]; "
        "s_endpgm";
    static const char wave[] = "s_clause 0x5; global_load_b32 v4, v0, s[0:1]; s_endpgm";
    static const char twice[] =
        "s_clause 0x5; global_load_b32 v4, v0, s[0:1]; s_clause 0x1; s_nop 3; global_load_b32 v4, v0, s[0:1]; "
        "s_endpgm";
    static const struct {
        const char *text;
    } program[] = {{scalar}, {other}, {wave}, {twice}};

    (void)state;
    for (unsigned k = 0; k < sizeof program / sizeof program[0]; k++) {
        struct rig *r = one_simd(WORDS("gfx1201", program[k].text), 2, false);

        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + 1);
        assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 5);
        rig_free(r);
    }
}

/* In a break of the first wave's clause the second one's begins. The first one's ends; the second one's still keeps the
 * third out. */
static void ends_its_own_alone(void **state)
{
    static const char code[] =
        "s_clause 0x309; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]; s_nop 3; "
        "v_mov_b32 v1, 0; s_endpgm";
    struct rig *r = one_simd(WORDS("gfx1201", code), 3, false);

    (void)state;
    r->profile.frontend.wave_launch_interval_cycles = 5;
    run_both(r);
    assert_int_equal(rig_at(r, 5), FIRST + 6);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 7);
    assert_int_equal(rig_at(r, 9), FIRST + 11);
    assert_int_equal(rig_issue_of(r, 1, 5, 0), FIRST + 12);
    assert_int_equal(rig_issue_of(r, 2, 1, 0), FIRST + 13); /* ready at 11 */
    rig_free(r);
}

/* Each of two waves in a clause wants what is in the other one's: both clauses end, neither waits for ever. */
static void crossed(void **state)
{
    static const char code[] =
        "s_clause 0x9; global_load_b32 v4, v0, s[0:1]; ds_load_b32 v6, v0; s_clause 0x9; ds_load_b32 v6, v0; s_nop 3; "
        "global_load_b32 v4, v0, s[0:1]; s_endpgm";
    struct rig *r = one_simd(WORDS("gfx1201", code), 2, false);

    (void)state;
    r->options.max_cycles = 1000;
    run_both(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(rig_at(r, 10), FIRST + 9); /* ready then: its LDS clause is over */
    assert_int_equal(rig_issue_of(r, 1, 4, 0), FIRST + 9);
    rig_free(r);
}

/* Where waves issue into queues, eight waves: none comes between the three loads of another, which s_nop keeps apart.
 */
static void with_queues(void **state)
{
    static const char code[] =
        "s_clause 0x4; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]; s_nop 3; "
        "global_load_b32 v4, v0, s[0:1]; s_endpgm";
    static const char plain[] =
        "s_nop 0; global_load_b32 v4, v0, s[0:1]; s_nop 3; global_load_b32 v4, v0, s[0:1]; s_nop 3; "
        "global_load_b32 v4, v0, s[0:1]; s_endpgm";

    (void)state;
    for (unsigned clause = 0; clause < 2; clause++) {
        struct rig *r = one_simd(WORDS("gfx1201", clause ? code : plain), 8, true);
        unsigned changes = 0, loads = 0;
        uint32_t last = UINT32_MAX;

        run_both(r);
        for (unsigned k = 0; k < r->events; k++) {
            gaddr_t word = (r->event[k].pc - RIG_BASE) / 4;

            if (word != 1 && word != 5 && word != 9)
                continue;
            loads++;
            changes += r->event[k].wave != last;
            last = r->event[k].wave;
        }
        assert_int_equal(loads, 24);
        if (clause)
            assert_int_equal(changes, 8);
        else
            assert_true(changes > 16);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_comes_between), cmocka_unit_test(not_a_cycle_before),
        cmocka_unit_test(other_types_go_on),    cmocka_unit_test(breaks),
        cmocka_unit_test(longest_span),         cmocka_unit_test(ends),
        cmocka_unit_test(ends_its_own_alone),   cmocka_unit_test(crossed),
        cmocka_unit_test(with_queues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
