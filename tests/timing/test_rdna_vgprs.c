/* The banks of VGPRs of RDNA3 and RDNA4 (sim/engine/timing/front/vgpr_banks.h), and the limit of VALU instructions in
 * flight. s_wait_alu va_vdst(0) issues, and shows, nine cycles after the last VALU instruction has completed. */
#include "tests/timing/rdna_rig.h"

enum { ALONE = 3, DONE = 4 + 9 }; /* issue to beginning, and from there to the issue of s_wait_alu */

/* Runs instructions of which the last is s_wait_alu, at `index`; returns when the one before it began. */
static unsigned begun(const uint32_t *code, size_t words, unsigned index, uint32_t lanes)
{
    struct rig *r = queued("gfx1201", code, words, lanes, 1);
    unsigned at;

    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
    r->profile.queue.vgpr_cache_lines = 4;
    r->profile.queue.vgpr_fill_cycles = 3;
    r->profile.queue.vgpr_hold_cycles = 4;
    run_both(r);
    at = (unsigned)(rig_at(r, index) - FIRST);
    rig_free(r);
    return at - DONE;
}
#define BEGUN(TEXT, LANES) begun(WORDS("gfx1201", TEXT), assemble("gfx1201", TEXT).words - 2, LANES)

/* A bank reads one register a cycle; others read beside it. */
static void one_read_a_cycle(void **state)
{
    static const char apart[] = "v_fmac_f32 v1, v4, v10; s_wait_alu 0xfff; s_endpgm";
    static const char two[] = "v_fmac_f32 v1, v4, v8; s_wait_alu 0xfff; s_endpgm";
    static const char three[] = "v_fmac_f32 v0, v4, v8; s_wait_alu 0xfff; s_endpgm";
    static const char same[] = "v_mul_f32 v1, v4, v4; s_wait_alu 0xfff; s_endpgm";

    (void)state;
    assert_int_equal(BEGUN(apart, 32), ALONE);
    assert_int_equal(BEGUN(two, 32), ALONE + 1);
    assert_int_equal(BEGUN(three, 32), ALONE + 2);
    assert_int_equal(BEGUN(same, 32), ALONE);
    /* nobody knows of wave64 */
    assert_int_equal(BEGUN(three, 64), BEGUN(apart, 64));
}

/* What the instruction before has read is read again where it asks right after that, not where it is read later. */
static void read_right_before(void **state)
{
    /* v4 is read in 3, again in 4, and v8 in 5: operands go from the last to the first */
    static const char again[] = "v_mul_f32 v1, v4, v5; v_mul_f32 v2, v4, v8; s_wait_alu 0xfff; s_endpgm";
    /* v4 alone: to read it again costs nothing */
    static const char alone[] = "v_mul_f32 v1, v4, v5; v_mul_f32 v2, v4, v6; s_wait_alu 0xfff; s_endpgm";
    /* v12 in 3, v4 in 4 when the second asks, too: it begins right after the first */
    static const char both[] = "v_mul_f32 v1, v4, v12; v_mul_f32 v2, v4, v5; s_wait_alu 0xfff; s_endpgm";
    /* v4 in 3; when the third asks, in 6, it is in the cache: v8 takes no more than its own cycle */
    static const char later[] =
        "v_mul_f32 v1, v4, v5; v_mul_f32 v2, v6, v5; v_mov_b32 v3, 1.0; v_mul_f32 v3, v4, v8; s_wait_alu 0xfff; "
        "s_endpgm";

    (void)state;
    assert_int_equal(BEGUN(again, 32), ALONE + 2);
    assert_int_equal(BEGUN(alone, 32), ALONE + 1);
    assert_int_equal(BEGUN(both, 32), ALONE + 2);
    assert_int_equal(BEGUN(later, 32), ALONE + 3);
}

/* The line that makes room is the least recently used, four cycles after its last user has begun. */
static void lines_are_held(void **state)
{
    /* begin at 4 and 6; v16 would come in 7, but takes the place of v8, which is held until 8 */
    static const char held[] =
        "v_mul_f32 v1, v4, v8; v_mul_f32 v2, v12, v20; v_mul_f32 v3, v16, v5; s_wait_alu 0xfff; s_endpgm";
    /* v8 is used again: v4 makes room in 8, and v8 is still there for the last one in 9 */
    static const char used[] =
        "v_mul_f32 v1, v4, v8; v_mul_f32 v2, v12, v20; v_mul_f32 v1, v8, v5; v_mul_f32 v3, v16, v5; "
        "v_mul_f32 v3, v8, v5; s_wait_alu 0xfff; s_endpgm";
    /* with three registers there is room */
    static const char room[] =
        "v_mul_f32 v1, v4, v8; v_mul_f32 v2, v12, v5; v_mul_f32 v3, v16, v5; s_wait_alu 0xfff; s_endpgm";

    (void)state;
    assert_int_equal(BEGUN(held, 32), 8);
    assert_int_equal(BEGUN(used, 32), 9);
    assert_int_equal(BEGUN(room, 32), 6);
}

/* gfx1100, gfx1200: an instruction that takes an operand off the read of the one before it has it a cycle after it
 * asked, and its line is held from then, however late it begins. */
static void shared_reads_are_taken_at_once(void **state)
{
    /* The second reads v12 in 6, when the third asks, which begins in 11 because it needs the second's result. The
     * fourth takes the other lines, with reads in 11 to 13; the last one's v16 takes that of v12, in the bank's next
     * cycle. */
    static const char shared[] = "v_mul_f32 v1, v16, v20; v_mul_f32 v1, v12, v8; v_fmac_f32 v1, v12, v5; "
                                 "v_fmac_f32 v0, v4, v20; v_mul_f32 v3, v16, v5; s_wait_alu 0xfff; s_endpgm";
    /* The second reads v12 in 5, and the third again for itself in 7: the line is held until 4 cycles after 11. */
    static const char own[] = "v_mul_f32 v1, v16, v20; v_mul_f32 v1, v8, v12; v_fmac_f32 v1, v12, v5; "
                              "v_fmac_f32 v0, v4, v20; v_mul_f32 v3, v16, v5; s_wait_alu 0xfff; s_endpgm";

    (void)state;
    assert_int_equal(BEGUN(shared, 32), 14);
    assert_int_equal(BEGUN(own, 32), 15);
}

/* Twelve VALU instructions are on their way, until eight cycles after their beginning. */
static void flight(void **state)
{
    static const char code[] =
        "v_mov_b32 v5, 1.0; v_mov_b32 v6, v5; v_mov_b32 v7, 1.0; v_mov_b32 v8, 1.0; v_mov_b32 v9, 1.0; "
        "v_mov_b32 v10, 1.0; v_mov_b32 v11, 1.0; v_mov_b32 v12, 1.0; v_mov_b32 v13, 1.0; v_mov_b32 v14, 1.0; "
        "v_mov_b32 v15, 1.0; v_mov_b32 v16, 1.0; v_mov_b32 v17, 1.0; v_mov_b32 v18, 1.0; v_mov_b32 v19, 1.0; "
        "s_endpgm";

    (void)state;
    for (unsigned limit = 0; limit < 2; limit++) {
        struct rig *r = QUEUED(code, 32, 1);

        r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
        r->profile.queue.flight_entries = limit ? 12 : 0;
        r->profile.queue.flight_cycles = 8;
        run_both(r);
        for (unsigned k = 0; k < 13; k++)
            assert_int_equal(rig_at(r, k), FIRST + k);
        /* the second waits for the first and begins in 6 */
        assert_int_equal(rig_at(r, 13), FIRST + 13 + limit);
        assert_int_equal(rig_at(r, 14), FIRST + 14 + limit);
        rig_free(r);
    }
}

/* An instruction that waits for the result of a slower one in its own VGPR is counted as if it did not. */
static void waits_for_order_do_not_count(void **state)
{
    static const char code[] = "v_rcp_f32 v6, v2; v_mov_b32 v6, 1.0; .rept 13; v_mov_b32 v5, 1.0; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    r->profile.queue.flight_entries = 12;
    r->profile.queue.flight_cycles = 8;
    run_both(r);
    /* the second begins in 9, and leaves as if it had in 4 */
    for (unsigned k = 0; k < 14; k++)
        assert_int_equal(rig_at(r, k), FIRST + k);
    rig_free(r);
}

/* A bank's cache hands over two operands a cycle: of instructions with three each, the second begins two cycles after
 * the first, the third one after that, as three did in two cycles. What they read is in the cache since the first of
 * all, which has to read each of them, and for which nobody waits. */
static void operands_are_handed_over(void **state)
{
    static const char text[] =
        "v_fma_f32 v1, v4, v8, v12; s_wait_alu 0xfff; .rept 12; v_fma_f32 v1, v4, v8, v12; .endr; "
        "s_wait_alu 0xfff; s_endpgm";
    static const unsigned at[2][12] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}};
    static const unsigned begun[2] = {3 + 11, 3 + 3 * 11 / 2 + 1};

    (void)state;
    for (unsigned limit = 0; limit < 2; limit++) {
        struct rig *r = QUEUED(text, 32, 1);
        cycle_t first;

        r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
        r->profile.queue.vgpr_cache_lines = 4;
        r->profile.queue.vgpr_fill_cycles = 3;
        r->profile.queue.vgpr_hold_cycles = 4;
        r->profile.queue.vgpr_bank_operands = limit ? 2 : 0;
        run_both(r);
        first = r->event[2].at;
        for (unsigned k = 0; k < 12; k++)
            assert_int_equal(r->event[2 + k].at, first + at[limit][k]);
        assert_int_equal(r->event[14].at, first + begun[limit] + DONE);
        rig_free(r);
    }
}

/* One source takes a cycle less to read than two, of which one may be a constant. */
static void one_source(void **state)
{
    static const struct {
        const char *text;
        unsigned begin;
    } c[] = {{"v_cvt_f32_u32 v1, v4", ALONE - 1}, {"v_add_f32 v1, 1.0, v4", ALONE}, {"v_add_f32 v1, v4, v4", ALONE}};

    (void)state;
    for (unsigned k = 0; k < sizeof c / sizeof c[0]; k++) {
        char text[80];
        struct rig *r;

        snprintf(text, sizeof text, "%s; s_wait_alu 0xfff; s_endpgm", c[k].text);
        r = QUEUED(text, 32, 1);
        r->profile.queue.vgpr_lone_read_cycles = 1;
        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + c[k].begin + DONE);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read_a_cycle), cmocka_unit_test(read_right_before),
        cmocka_unit_test(lines_are_held),   cmocka_unit_test(shared_reads_are_taken_at_once),
        cmocka_unit_test(flight),           cmocka_unit_test(waits_for_order_do_not_count),
        cmocka_unit_test(one_source),       cmocka_unit_test(operands_are_handed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
