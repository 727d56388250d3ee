/* The banks of VGPRs of RDNA3 and RDNA4 (sim/engine/timing/front/vgpr_banks.h), and the limit of VALU instructions in
 * flight. s_wait_alu va_vdst(0) issues, and shows, nine cycles after the last VALU instruction has completed. */
#include "tests/timing/rdna_rig.h"

#define MUL(D, A, B)  (0x10000000u | (D) << 17 | (B) << 9 | 256u | (A)) /* v_mul_f32 vD, vA, vB */
#define FMAC(D, A, B) (0x56000000u | (D) << 17 | (B) << 9 | 256u | (A)) /* v_fmac_f32 vD, vA, vB */
#define MOV(D)        (0x7e0002f2u | (D) << 17)                         /* v_mov_b32 vD, 1.0 */
#define WAIT_VDST     0xbf880fffu
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
#define BEGUN(CODE, LANES) begun(CODE, sizeof(CODE) / sizeof((CODE)[0]), sizeof(CODE) / sizeof((CODE)[0]) - 2, LANES)

/* A bank reads one register a cycle; others read beside it. */
static void one_read_a_cycle(void **state)
{
    static const uint32_t apart[] = {FMAC(1, 4, 10), WAIT_VDST, R_END}, two[] = {FMAC(1, 4, 8), WAIT_VDST, R_END},
                          three[] = {FMAC(0, 4, 8), WAIT_VDST, R_END}, same[] = {MUL(1, 4, 4), WAIT_VDST, R_END};

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
    static const uint32_t again[] = {MUL(1, 4, 5), MUL(2, 4, 8), WAIT_VDST, R_END};
    /* v4 alone: to read it again costs nothing */
    static const uint32_t alone[] = {MUL(1, 4, 5), MUL(2, 4, 6), WAIT_VDST, R_END};
    /* v12 in 3, v4 in 4 when the second asks, too: it begins right behind the first */
    static const uint32_t both[] = {MUL(1, 4, 12), MUL(2, 4, 5), WAIT_VDST, R_END};
    /* v4 in 3; when the third asks, in 6, it is in the cache: v8 takes no more than its own cycle */
    static const uint32_t later[] = {MUL(1, 4, 5), MUL(2, 6, 5), MOV(3), MUL(3, 4, 8), WAIT_VDST, R_END};

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
    static const uint32_t held[] = {MUL(1, 4, 8), MUL(2, 12, 20), MUL(3, 16, 5), WAIT_VDST, R_END};
    /* v8 is used again: v4 makes room in 8, and v8 is still there for the last one in 9 */
    static const uint32_t used[] = {MUL(1, 4, 8), MUL(2, 12, 20), MUL(1, 8, 5), MUL(3, 16, 5),
                                    MUL(3, 8, 5), WAIT_VDST,      R_END};
    /* with three registers there is room */
    static const uint32_t room[] = {MUL(1, 4, 8), MUL(2, 12, 5), MUL(3, 16, 5), WAIT_VDST, R_END};

    (void)state;
    assert_int_equal(BEGUN(held, 32), 8);
    assert_int_equal(BEGUN(used, 32), 9);
    assert_int_equal(BEGUN(room, 32), 6);
}

/* Twelve VALU instructions are on their way, until eight cycles after their beginning. */
static void flight(void **state)
{
    static const uint32_t code[] = {MOV(5),  0x7e0c0305 /* v_mov_b32 v6, v5 */,
                                    MOV(7),  MOV(8),
                                    MOV(9),  MOV(10),
                                    MOV(11), MOV(12),
                                    MOV(13), MOV(14),
                                    MOV(15), MOV(16),
                                    MOV(17), MOV(18),
                                    MOV(19), R_END};

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read_a_cycle),
        cmocka_unit_test(read_right_before),
        cmocka_unit_test(lines_are_held),
        cmocka_unit_test(flight),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
