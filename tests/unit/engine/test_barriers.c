/* Split and named barriers of gfx12 through both engines: who comes first, who waits for whom, and that a barrier
 * nobody can complete is a deadlock and no hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

enum { WAVES = 4, ITEMS = WAVES * 32, GROUPS = 5 };

/* s4 = number of the wave; out[item] = 7 */
#define WAVE_IN_S4 "s_lshr_b32 s4, ttmp8, 25; s_and_b32 s4, s4, 31; "
#define STORE_7    "v_mov_b32 v2, 7; v_and_b32 v0, 0x3ff, v0; v_lshlrev_b32 v0, 2, v0; global_store_b32 v0, v2, s[0:1]; "

/* out[item] = what it saw | "first at the barrier" << 8 | "last to leave a named barrier" << 9. Waves 0 and 1 join
 * barrier 3, which wave 0 has made for two; wave 0 is slow to store to LDS what both load after it. */
static const char named[] = WAVE_IN_S4
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 all; s_mov_b32 m0, 0x20003; s_barrier_init m0; "
    "all: s_barrier_signal_isfirst -1; s_cselect_b32 s5, 1, 0; s_barrier_wait 0xffff; v_mov_b32 v2, 5; "
    "v_mov_b32 v3, 0; s_cmp_ge_u32 s4, 2; s_cbranch_scc1 leave; s_barrier_join 3; s_cmp_eq_u32 s4, 1; "
    "s_cbranch_scc1 meet; s_sleep 100; v_mov_b32 v2, 7; ds_store_b32 v3, v2; s_wait_dscnt 0x0; "
    "meet: s_barrier_signal 3; s_barrier_wait 1; ds_load_b32 v2, v3; s_wait_dscnt 0x0; "
    "leave: s_barrier_leave; s_cselect_b32 s6, 1, 0; s_lshl_b32 s5, s5, 8; s_lshl_b32 s6, s6, 9; s_or_b32 s5, s5, s6; "
    "v_or_b32 v2, s5, v2; v_and_b32 v0, 0x3ff, v0; v_lshlrev_b32 v0, 2, v0; global_store_b32 v0, v2, s[0:1]; "
    "s_endpgm";

/* Programs that nobody can end, where they are stuck, and what both engines say. */
static const struct stuck {
    const char *text;
    unsigned pc, wave;
    const char *instruction, *message;
} stuck[] = {
    {"s_barrier_wait 0xffff; s_endpgm", 0, 0, "s_barrier_wait 0xffff",
     "deadlock: 0 of 4 waves have arrived at the workgroup's barrier; of the workgroup's 4 waves, 4 wait for it and 0 "
     "have ended"},
    {WAVE_IN_S4 "s_cmp_lg_u32 s4, 2; s_cbranch_scc1 end; s_barrier_wait 0xffff; "
                "end: s_endpgm",
     16, 2, "s_barrier_wait 0xffff",
     "deadlock: 0 of 1 waves have arrived at the workgroup's barrier; of the workgroup's 4 waves, 1 waits for it and 3 "
     "have ended"},
    /* wave 0 makes barrier 3 for five; all four join, signal and wait */
    {WAVE_IN_S4
     "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 skip; s_mov_b32 m0, 0x50003; "
     "s_barrier_init m0; "
     "skip: s_barrier_signal -1; s_barrier_wait 0xffff; s_barrier_join 3; s_barrier_signal 3; s_barrier_wait 1; "
     "s_endpgm",
     44, 0, "s_barrier_wait 1",
     "deadlock: 4 of 5 waves have arrived at named barrier 3; of the workgroup's 4 waves, 4 wait for it and 0 have "
     "ended"},
    /* the same barrier, which waves 0 and 1 wait for; 2 and 3 are at the workgroup's */
    {WAVE_IN_S4 "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 all; s_mov_b32 m0, 0x50003; s_barrier_init m0; "
                "all: s_barrier_signal -1; s_barrier_wait 0xffff; s_cmp_ge_u32 s4, 2; s_cbranch_scc1 others; "
                "s_barrier_join 3; s_barrier_signal 3; s_barrier_wait 1; s_endpgm; "
                "others: s_barrier_signal -1; s_barrier_wait 0xffff; s_endpgm",
     52, 0, "s_barrier_wait 1",
     "deadlock: 2 of 5 waves have arrived at named barrier 3; of the workgroup's 4 waves, 2 wait for it and 0 have "
     "ended, 2 wait elsewhere (wave 2 at pc 0x"},
    /* all sleep */
    {"s_sleep 0x8000; s_endpgm", 0, 0, "s_sleep 0x8000",
     "deadlock: no wave can go on; this one sleeps until another wave of its workgroup wakes it (s_wakeup)"},
    /* wave 3 wakes the others and sleeps itself */
    {WAVE_IN_S4 "s_cmp_lg_u32 s4, 3; s_cbranch_scc1 skip; s_sleep 0x64; "
                "s_wakeup; "
                "skip: s_sleep 0x8000; s_endpgm",
     24, 3, "s_sleep 0x8000",
     "deadlock: no wave can go on; this one sleeps until another wave of its workgroup wakes it (s_wakeup)"},
    /* wave 0 sleeps: the others wait for it at the barrier */
    {WAVE_IN_S4 "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 skip; s_sleep 0x8000; "
                "skip: s_barrier_signal -1; s_barrier_wait 0xffff; s_endpgm",
     24, 1, "s_barrier_wait 0xffff",
     "deadlock: 3 of 4 waves have arrived at the workgroup's barrier; of the workgroup's 4 waves, 3 wait for it and 0 "
     "have ended, 1 waits elsewhere (wave 0 at pc 0x"},
};

static struct gcnsim_result *launch_on(const char *target, enum gcnsim_engine engine, const uint32_t *code,
                                       size_t bytes, uint32_t *out)
{
    struct gcnsim_range range = {
        .address = (uint64_t)(uintptr_t)out, .bytes = ITEMS * 4, .writable = 1, .label = "out"};
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    gcnsim_raw_init(&r);
    r.target = target;
    r.engine = engine;
    r.entry = r.code_base = (uint64_t)(uintptr_t)code;
    r.code_size = bytes;
    r.wave_size = 32;
    r.compute_pgm_rsrc1 = 0u | 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r.kernarg_address = (uint64_t)(uintptr_t)out;
    r.workgroups[0] = GROUPS;
    r.workgroup_size[0] = ITEMS;
    r.lds_bytes = 512;
    r.ranges = &range;
    r.range_count = 1;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

static struct gcnsim_result *launch(enum gcnsim_engine engine, const uint32_t *code, size_t bytes, uint32_t *out)
{
    return launch_on("gfx1201", engine, code, bytes, out);
}

static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_ENGINE_TIMING};

static void named_barriers(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t out[ITEMS] = {0}, first = 0, last = 0;
        struct gcnsim_result *result = launch(engines[k], BYTES("gfx1201", named), out);
        if (result->outcome != GCNSIM_COMPLETED)
            fail_msg("%s", result->message);
        for (unsigned i = 0; i < ITEMS; i++) {
            assert_int_equal(out[i] & 0xff, i / 32 < 2 ? 7 : 5);
            assert_int_equal(out[i] >> 9, out[i / 32 * 32] >> 9);
            last += out[i] >> 9;
            assert_true(i < 64 || !(out[i] >> 9));
            assert_int_equal(out[i] >> 8 & 1, out[i / 32 * 32] >> 8 & 1);
            first += out[i] >> 8 & 1;
        }
        assert_int_equal(first, 32); /* one wave of all */
        assert_int_equal(last, 32);  /* one of the two that joined */
        gcnsim_result_free(result);
    }
}

static void a_barrier_nobody_completes(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2 * sizeof stuck / sizeof stuck[0]; k++) {
        const struct stuck *s = &stuck[k / 2];
        uint32_t out[ITEMS] = {0};
        struct gcnsim_result *result = launch(engines[k % 2], BYTES("gfx1201", s->text), out);

        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_string_equal(result->fault->kind, "deadlock");
        assert_int_equal(result->fault->pc_offset, s->pc);
        assert_string_equal(result->fault->instruction, s->instruction);
        assert_int_equal(result->fault->workgroup[0], 0);
        assert_int_equal(result->fault->wave, s->wave);
        if (!strstr(result->message, s->message))
            fail_msg("\"%s\" does not say \"%s\"", result->message, s->message);
        gcnsim_result_free(result);
    }
}

/* A wave that sleeps without an end goes on when another one of its workgroup executes s_wakeup; the one that wakes
 * comes first or last. Hardware drops a wake-up that is early. */
#define WOKEN(WAKER)                                                                                                   \
    WAVE_IN_S4 "s_cmp_lg_u32 s4, " #WAKER "; s_cbranch_scc1 others; s_sleep 100; s_wakeup; s_branch done; "            \
               "others: s_sleep 0x8000; done: " STORE_7 "s_endpgm"

static void sleepers_are_woken(void **state)
{
    static const char *const code[] = {WOKEN(0), WOKEN(1), WOKEN(3)};

    (void)state;
    for (unsigned k = 0; k < 2 * sizeof code / sizeof code[0]; k++) {
        uint32_t out[ITEMS] = {0};
        struct gcnsim_result *result = launch(engines[k % 2], BYTES("gfx1201", code[k / 2]), out);

        if (result->outcome != GCNSIM_COMPLETED)
            fail_msg("engine %u, program %u: %s", k % 2, k / 2, result->message);
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(out[i], 7);
        gcnsim_result_free(result);
    }
}

/* On gfx1250 so does the end of a phase of a barrier in LDS, here one with a pending and a reload count of 0: after an
 * arrival, not after none. */
#define ARRIVES(COUNT)                                                                                                 \
    WAVE_IN_S4 "s_cmp_lg_u32 s4, 3; s_cbranch_scc1 others; s_sleep 100; v_mov_b32 v3, 0; v_mov_b32 v5, 0; "            \
               "v_mov_b32 v4, " #COUNT "; ds_atomic_barrier_arrive_rtn_b64 v[6:7], v3, v[4:5]; s_wait_dscnt 0x0; "     \
               "s_branch done; others: s_sleep 0x8000; done: " STORE_7 "s_endpgm"

static void a_phase_in_lds_wakes(void **state)
{
    static const char *const code[] = {ARRIVES(1), ARRIVES(0)};

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t out[ITEMS] = {0};
        struct gcnsim_result *result = launch_on("gfx1250", engines[k % 2], BYTES("gfx1250", code[k / 2]), out);

        if (k < 2 && result->outcome != GCNSIM_COMPLETED)
            fail_msg("engine %u: %s", k, result->message);
        if (k >= 2)
            assert_non_null(strstr(result->message, "deadlock"));
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(out[i], k < 2 || i >= 96 ? 7 : 0);
        gcnsim_result_free(result);
    }
}

/* s_wakeup_barrier of gfx1250 is for those that have joined the named barrier. Waves 0, 1 and 2 but APART join barrier
 * 3 and sleep; wave 3 is late. */
#define JOINED(NUMBER, APART)                                                                                          \
    WAVE_IN_S4 "s_cmp_lg_u32 s4, 3; s_cbranch_scc1 others; s_sleep 100; s_wakeup_barrier " #NUMBER "; s_branch done; " \
               "others: s_cmp_eq_u32 s4, " #APART "; s_cbranch_scc1 sleep; s_barrier_join 3; "                         \
               "sleep: s_sleep 0x8000; done: " STORE_7 "s_endpgm"

static void members_of_a_named_barrier_are_woken(void **state)
{
    static const char *const code[] = {JOINED(3, 9), JOINED(3, 2), JOINED(3, 0), JOINED(4, 9), JOINED(0, 9)};
    static const unsigned stored[] = {0xf, 0xb, 0xe, 0x8, 0x8}; /* a bit each wave */

    (void)state;
    for (unsigned k = 0; k < 10; k++) {
        uint32_t out[ITEMS] = {0};
        struct gcnsim_result *result = launch_on("gfx1250", engines[k % 2], BYTES("gfx1250", code[k / 2]), out);

        if ((result->outcome == GCNSIM_COMPLETED) != (k < 2))
            fail_msg("engine %u, program %u: %s", k % 2, k / 2, result->message);
        if (k >= 2)
            assert_non_null(strstr(result->message, "deadlock"));
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(out[i], stored[k / 2] >> i / 32 & 1 ? 7 : 0);
        gcnsim_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phase_in_lds_wakes),
        cmocka_unit_test(named_barriers),
        cmocka_unit_test(a_barrier_nobody_completes),
        cmocka_unit_test(sleepers_are_woken),
        cmocka_unit_test(members_of_a_named_barrier_are_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
