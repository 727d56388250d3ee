/* s_delay_alu and the counters of s_wait_alu to the cycle: which of the instructions before it a wave waits for. The
 * instruction that waits reads nothing, so that only what was announced can hold it. */
#include "tests/timing/rdna_rig.h"

#define FOUR_ADDITIONS "v_add_f32 v4, v1, v2; v_add_f32 v5, v1, v2; v_add_f32 v6, v1, v2; v_add_f32 v7, v1, v2; "
enum { VA_VDST_0 = 0xfff, VA_VDST_STEP = 0x1000 }; /* other fields at their largest value wait for nothing */

/* VALU_DEP_n is the n-th last VALU result of the wave, five cycles after that one's issue. */
static void nth_last_result(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        char text[200];

        snprintf(text, sizeof text, FOUR_ADDITIONS "s_delay_alu instid0(VALU_DEP_%u); v_mov_b32 v8, 0; s_endpgm", n);
        struct rig *r = QUEUED(text, 32, 1);

        run_both(r);
        assert_int_equal(rig_at(r, 3), FIRST + 3);
        assert_int_equal(rig_at(r, 5), FIRST + 4 - n + 5);
        rig_free(r);
        /* the same where nothing is queued */
        r = rig_text("gfx1201", text, 32, 1);
        run_both(r);
        assert_int_equal(rig_at(r, 5), FIRST + 4 - n + 5 > FIRST + 5 ? FIRST + 4 - n + 5 : FIRST + 5);
        rig_free(r);
    }
}

/* TRANS32_DEP_n counts the transcendental ones alone. */
static void nth_last_transcendental(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 3; n++) {
        char text[200];

        snprintf(text, sizeof text,
                 "v_rcp_f32 v5, v1; v_rcp_f32 v6, v2; v_rcp_f32 v5, v1; v_add_f32 v4, v1, v2; "
                 "s_delay_alu instid0(TRANS32_DEP_%u); v_mov_b32 v8, 0; s_endpgm",
                 n);
        struct rig *r = rig_text("gfx1201", text, 32, 1);

        r->profile.cls[OPC_TRANS].latency_cycles = 14;
        run_both(r);
        assert_int_equal(rig_at(r, 2), FIRST + 8); /* four cycles in the unit each, fourteen to the result */
        assert_int_equal(rig_at(r, 5), FIRST + 4 * (3 - n) + 14);
        rig_free(r);
    }
}

/* Transcendental instructions issue four cycles apart; one that waits in the queue for its operand, until the cycle
 * after that is there, makes the next one wait there too, and what is announced of its result is that much later. */
static void transcendental_behind_transcendental(void **state)
{
    static const char code[] =
        "v_add_f32 v5, v1, v2; v_rcp_f32 v6, v5; v_rcp_f32 v5, v1; s_delay_alu instid0(TRANS32_DEP_1); "
        "v_mov_b32 v8, 0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1); /* begins at 8 instead of 4 */
    assert_int_equal(rig_at(r, 2), FIRST + 5); /* begins at 12 instead of 8 */
    assert_int_equal(rig_at(r, 4), FIRST + 5 + 4 + 10);
    rig_free(r);
}

/* gfx1100, gfx1200: the wait for plain VALU counts from its issue, also where that waits in its queue. */
static void plain_instructions_count_from_issue(void **state)
{
    static const char code[] = "v_add_f32 v5, v1, v2; v_add_f32 v4, v5, v2; s_delay_alu instid0(VALU_DEP_1); "
                               "v_mov_b32 v8, v4; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1); /* begins at 8 instead of 4 */
    assert_int_equal(rig_at(r, 3), FIRST + 1 + 5);
    rig_free(r);
}

/* The second wait is for the instruction after the next one, or after one more. */
static void second_wait(void **state)
{
    static const char next[] =
        "v_add_f32 v4, v1, v2; v_add_f32 v5, v1, v2; v_add_f32 v6, v1, v2; "
        "s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1); v_mov_b32 v8, 0; v_mov_b32 v9, 0; "
        "s_endpgm";
    static const char skip[] =
        "v_add_f32 v4, v1, v2; v_add_f32 v5, v1, v2; v_add_f32 v6, v1, v2; "
        "s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_2); v_mov_b32 v8, 0; v_mov_b32 v9, 0; "
        "v_mov_b32 v5, 0; s_endpgm";
    struct rig *r = QUEUED(next, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 4), FIRST + 5);     /* the first of three */
    assert_int_equal(rig_at(r, 5), FIRST + 5 + 5); /* that one */
    rig_free(r);
    r = QUEUED(skip, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 4), FIRST + 5);
    assert_int_equal(rig_at(r, 5), FIRST + 6);
    assert_int_equal(rig_at(r, 6), FIRST + 5 + 5); /* of the two before it the first */
    rig_free(r);
}

/* va_vdst(n): all but n results are written. An addition begins three cycles after its issue, when its registers are
 * read, and has its result four later; memory and the counters are ten cycles further (15 less the five of the class),
 * and the wait goes a cycle ahead of what it holds up. */
static void results_but_n(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        char text[200];

        snprintf(text, sizeof text, FOUR_ADDITIONS "s_wait_alu 0x%x; s_endpgm", VA_VDST_0 + n * VA_VDST_STEP);
        struct rig *r = QUEUED(text, 32, 1);

        run_both(r);
        assert_int_equal(rig_at(r, 4), FIRST + 3 - n + 3 + 4 + 10 - 1);
        rig_free(r);
    }
}

/* The same without queues (RDNA2's s_waitcnt_depctr): the cycle of the result itself. */
static void results_but_n_unqueued(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        char text[200];

        snprintf(text, sizeof text,
                 "v_add_f32 v4, v1, v2; v_add_f32 v5, v1, v2; v_add_f32 v6, v1, v2; s_waitcnt_depctr 0x%x; s_endpgm",
                 VA_VDST_0 + n * VA_VDST_STEP);
        struct rig *r = rig_text("gfx1030", text, 32, 1);

        run_both(r);
        assert_int_equal(rig_at(r, 3), FIRST + 2 - n + 5);
        rig_free(r);
    }
}

/* A short instruction that writes what a long one will write does not make it ready before. */
static void short_after_long(void **state)
{
    static const char code[] =
        "v_rcp_f32 v5, v1; v_mov_b32 v5, 0; v_add_f32 v6, v5, v2; v_add_f32 v7, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 2), FIRST + 2);
    /* the sum waits in the unit for the reciprocal, which takes ten cycles */
    assert_int_equal(rig_at(r, 3), FIRST + 10 + 1);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nth_last_result),
        cmocka_unit_test(nth_last_transcendental),
        cmocka_unit_test(plain_instructions_count_from_issue),
        cmocka_unit_test(second_wait),
        cmocka_unit_test(transcendental_behind_transcendental),
        cmocka_unit_test(results_but_n),
        cmocka_unit_test(results_but_n_unqueued),
        cmocka_unit_test(short_after_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
