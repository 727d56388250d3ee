/* Ends of functional runs on 1 to 16 host threads: the limit on instructions is exact, and a fault, a deadlock or a
 * cycle limit is that of the lowest workgroup with the counts of one thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

/* Workgroup g loops 20 + 40 * (g % 8) times. */
static const char work[] = "s_and_b32 s4, ttmp9, 7; s_mul_i32 s4, s4, 40; s_add_co_u32 s4, s4, 20; "
                           "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";

/* The others: workgroup g loops 1000 * (100 - g) times, and every eighth one comes to a bad end: a higher one sooner.
 */
#define LOOP                                                                                                           \
    "s_sub_co_u32 s4, 100, ttmp9; s_mul_i32 s4, s4, 1000; "                                                            \
    "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_and_b32 s5, ttmp9, 7; "                  \
    "s_cmp_lg_u32 s5, 5; s_cbranch_scc1 end; "
static const char faults[] = LOOP "s_mov_b64 s[2:3], 0; v_mov_b32 v2, 0; global_load_b32 v1, v2, s[2:3]; end: s_endpgm";
static const char deadlocks[] = LOOP "s_barrier_wait 0xffff; end: s_endpgm";
static const char runs_on[] = LOOP "s_branch loop; end: s_endpgm";

/* Workgroup 3 loops long and then faults; thousands above it end in the meantime. */
static const char late_fault[] =
    "s_cmp_eq_u32 ttmp9, 3; s_cselect_b32 s4, 0x80000, 10; "
    "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_cmp_lg_u32 ttmp9, 3; "
    "s_cbranch_scc1 end; s_mov_b64 s[2:3], 0; v_mov_b32 v2, 0; global_load_b32 v1, v2, s[2:3]; "
    "end: s_endpgm";

/* Workgroup 3333 faults at once, while those before it whose number is 16 modulo 64 loop, and others after these have
 * not started. */
static const char fault_in_batch[] =
    "s_and_b32 s4, ttmp9, 63; s_cmp_eq_u32 s4, 16; s_cselect_b32 s4, 3000, 10; "
    "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_cmp_lg_u32 ttmp9, 3333; "
    "s_cbranch_scc1 end; s_mov_b64 s[2:3], 0; v_mov_b32 v2, 0; global_load_b32 v1, v2, s[2:3]; "
    "end: s_endpgm";

/* Workgroup 2000 waits for what 2030 stores. */
static const char waits_above[] =
    "v_mov_b32 v0, 0; s_cmp_eq_u32 ttmp9, 2030; s_cbranch_scc1 store; s_cmp_lg_u32 ttmp9, 2000; s_cbranch_scc1 end; "
    "again: global_load_b32 v1, v0, s[0:1]; s_wait_loadcnt 0x0; v_readfirstlane_b32 s2, v1; s_cmp_eq_u32 s2, 0; "
    "s_cbranch_scc1 again; "
    "end: s_endpgm; "
    "store: v_mov_b32 v1, 1; global_store_b32 v0, v1, s[0:1]; s_endpgm";

/* All wait for another word than 0 at s[0:1], which the host could store: one of them is run up to the limit. */
static const char waits[] =
    "v_mov_b32 v0, 0; "
    "again: global_load_b32 v1, v0, s[0:1]; s_wait_loadcnt 0x0; v_readfirstlane_b32 s2, v1; s_cmp_eq_u32 s2, 0; "
    "s_cbranch_scc1 again; s_endpgm";

struct job {
    const uint32_t *code;
    size_t bytes;
    uint32_t groups, threads;
    uint64_t max_instructions, max_cycles;
    struct gcnsim_range *range; /* s[0:1] is its address; null: there is none */
};

#define CODE(TEXT) .code = assemble("gfx1201", TEXT).word, .bytes = assemble("gfx1201", TEXT).words * sizeof(uint32_t)

static struct gcnsim_result *launch(const struct job *j)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    gcnsim_raw_init(&r);
    r.target = "gfx1201";
    r.engine = GCNSIM_ENGINE_FUNCTIONAL;
    r.entry = r.code_base = (uint64_t)(uintptr_t)j->code;
    r.code_size = j->bytes;
    r.wave_size = 32;
    r.compute_pgm_rsrc1 = 0u | 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 1u << 7;
    r.workgroups[0] = j->groups;
    r.workgroup_size[0] = 32;
    r.threads = j->threads;
    r.max_instructions = j->max_instructions;
    r.max_cycles = j->max_cycles;
    if (j->range) {
        r.compute_pgm_rsrc2 |= 2u << 1;
        r.kernarg_address = j->range->address;
        r.ranges = j->range;
        r.range_count = 1;
    }
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    api_threads_at_once(sim);
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

enum { GROUPS = 1024, TIMES = 5 };
static const uint32_t threads[] = {1, 2, 3, 4, 8, 16};
#define EACH_THREADS(K) for (unsigned K = 0; K < sizeof threads / sizeof *threads; K++)

/* All of `work` needs so many. */
static uint64_t work_instructions(void)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < GROUPS; g++)
        sum += 4 + 3 * (20 + 40 * (g % 8));
    return sum;
}

static void expect_limit(uint32_t thread_count, uint64_t limit, uint64_t needed)
{
    struct job j = {CODE(work), .groups = GROUPS, .threads = thread_count, .max_instructions = limit};
    struct gcnsim_result *result = launch(&j);
    bool ends = limit < needed;

    if (result->outcome != (ends ? GCNSIM_LIMIT : GCNSIM_COMPLETED) ||
        result_stat(result, "instructions.total") != (ends ? limit : needed))
        fail_msg("%u threads, limit %llu of %llu: %s after %llu", thread_count, (unsigned long long)limit,
                 (unsigned long long)needed, result->message,
                 (unsigned long long)result_stat(result, "instructions.total"));
    if (!ends)
        assert_int_equal(result_stat(result, "workgroups_done"), GROUPS);
    gcnsim_result_free(result);
}

static void the_instruction_limit_is_exact(void **state)
{
    uint64_t needed = work_instructions();
    const uint64_t limits[] = {1, 2, 1000, needed / 2, needed - 1, needed, needed + 1, needed * 2, UINT64_MAX};

    (void)state;
    EACH_THREADS(k)
    for (unsigned n = 0; n < sizeof limits / sizeof *limits; n++)
        for (unsigned time = 0; time < TIMES; time++)
            expect_limit(threads[k], limits[n], needed);
}

enum { BAD_GROUPS = 64, FIRST_BAD = 5 };

/* Instructions of workgroups 0 to FIRST_BAD; the last one executes `at_end` after its branch. */
static uint64_t until_bad(unsigned at_end)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g <= FIRST_BAD; g++)
        sum += 2 + 3 * 1000 * (100 - g) + 3 + (g < FIRST_BAD ? 1 : at_end);
    return sum;
}

static void expect_end(const struct job *job, enum gcnsim_outcome outcome, uint64_t instructions, uint64_t salu)
{
    EACH_THREADS(k)
    for (unsigned time = 0; time < 3; time++) {
        struct job j = *job;

        j.threads = threads[k];
        struct gcnsim_result *result = launch(&j);
        assert_int_equal(result->outcome, outcome);
        if (outcome == GCNSIM_FAULTED)
            assert_int_equal(result->fault->workgroup[0], FIRST_BAD);
        assert_int_equal(result_stat(result, "instructions.total"), instructions);
        assert_int_equal(result_stat(result, "instructions.salu"), salu);
        assert_int_equal(result_stat(result, "workgroups_done"), FIRST_BAD);
        assert_int_equal(result_stat(result, "waves_done"), FIRST_BAD);
        gcnsim_result_free(result);
    }
}

static uint64_t salu_until_bad(unsigned at_end)
{
    uint64_t sum = at_end;

    for (unsigned g = 0; g <= FIRST_BAD; g++)
        sum += 2 + 2 * 1000 * (100 - g) + 2;
    return sum;
}

static void the_lowest_fault_is_told(void **state)
{
    (void)state;
    expect_end(&(struct job){CODE(faults), .groups = BAD_GROUPS}, GCNSIM_FAULTED, until_bad(2), salu_until_bad(1));
}

static void workgroups_above_a_fault_are_not_counted(void **state)
{
    const uint64_t others = 2 + 3 * 10 + 2 + 1, that = 2 + 3 * 0x80000 + 2 + 2;

    (void)state;
    EACH_THREADS(k)
    {
        struct job j = {CODE(late_fault), .groups = 5000, .threads = threads[k]};
        struct gcnsim_result *result = launch(&j);

        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_int_equal(result->fault->workgroup[0], 3);
        assert_int_equal(result_stat(result, "instructions.total"), 3 * others + that);
        assert_int_equal(result_stat(result, "workgroups_done"), 3);
        gcnsim_result_free(result);
    }
}

static void workgroups_of_batches_below_a_fault_are_run(void **state)
{
    enum { FAULTS = 3333 };
    uint64_t sum = 0;

    (void)state;
    for (unsigned g = 0; g <= FAULTS; g++)
        sum += 3 + 3 * (g % 64 == 16 ? 3000 : 10) + 2 + (g < FAULTS ? 1 : 2);
    EACH_THREADS(k)
    for (unsigned time = 0; time < TIMES; time++) {
        struct job j = {CODE(fault_in_batch), .groups = 5000, .threads = threads[k]};
        struct gcnsim_result *result = launch(&j);

        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_int_equal(result->fault->workgroup[0], FAULTS);
        assert_int_equal(result_stat(result, "instructions.total"), sum);
        assert_int_equal(result_stat(result, "workgroups_done"), FAULTS);
        gcnsim_result_free(result);
    }
}

static void a_workgroup_waits_for_one_of_its_batch(void **state)
{
    (void)state;
    EACH_THREADS(k)
    for (unsigned time = 0; time < TIMES; time++) {
        _Alignas(64) static uint32_t word;
        struct gcnsim_range range = {.address = (uint64_t)(uintptr_t)&word, .bytes = 4, .writable = 1, .label = "word"};
        struct job j = {CODE(waits_above), .groups = 4000, .threads = threads[k], .max_instructions = 50000000,
                        .range = &range};

        word = 0;
        struct gcnsim_result *result = launch(&j);
        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        assert_int_equal(result_stat(result, "workgroups_done"), 4000);
        assert_int_equal(word, 1);
        gcnsim_result_free(result);
    }
}

static void the_lowest_deadlock_is_told(void **state)
{
    (void)state;
    expect_end(&(struct job){CODE(deadlocks), .groups = BAD_GROUPS}, GCNSIM_FAULTED, until_bad(1), salu_until_bad(0));
}

/* A wave that runs as many instructions as cycles are allowed; those below need fewer. */
static void the_lowest_cycle_limit_is_told(void **state)
{
    const uint64_t limit = 400000;
    uint64_t below = until_bad(0) - (2 + 3 * 1000 * (100 - FIRST_BAD) + 3);
    uint64_t salu = salu_until_bad(0) - (2 + 2 * 1000 * (100 - FIRST_BAD) + 2);
    /* of the limit: two, the loop, three after it with one branch, s_branch, and the loop again */
    uint64_t loop = 3 * 1000 * (100 - FIRST_BAD), again = limit - 2 - loop - 3 - 1;

    (void)state;
    expect_end(&(struct job){CODE(runs_on), .groups = BAD_GROUPS, .max_cycles = limit}, GCNSIM_LIMIT, below + limit,
               salu + 2 + loop / 3 * 2 + 2 + again / 3 * 2 + (again % 3 ? again % 3 : 0));
}

/* ... and the others are reported as if they had been: each at the limit, on any number of threads. */
static void all_wait_up_to_the_cycle_limit(void **state)
{
    (void)state;
    EACH_THREADS(k)
    for (unsigned time = 0; time < TIMES; time++) {
        _Alignas(64) static uint32_t word;
        struct gcnsim_range range = {.address = (uint64_t)(uintptr_t)&word, .bytes = 4, .writable = 1, .label = "word"};
        struct job j = {CODE(waits), .groups = 300, .threads = threads[k], .range = &range};

        j.max_cycles = 345678;
        struct gcnsim_result *result = launch(&j);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        assert_int_equal(result_stat(result, "instructions.total"), j.groups * j.max_cycles);
        assert_int_equal(result_stat(result, "instructions.vmem"), j.groups * ((j.max_cycles - 1 + 4) / 5));
        assert_int_equal(result->snapshot->workgroups_resident, j.groups);
        assert_int_equal(result->snapshot->row_count, 1);
        assert_int_equal(result->snapshot->rows->since, j.max_cycles);
        gcnsim_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instruction_limit_is_exact),
        cmocka_unit_test(the_lowest_fault_is_told),
        cmocka_unit_test(workgroups_above_a_fault_are_not_counted),
        cmocka_unit_test(the_lowest_deadlock_is_told),
        cmocka_unit_test(the_lowest_cycle_limit_is_told),
        cmocka_unit_test(all_wait_up_to_the_cycle_limit),
        cmocka_unit_test(workgroups_of_batches_below_a_fault_are_run),
        cmocka_unit_test(a_workgroup_waits_for_one_of_its_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
