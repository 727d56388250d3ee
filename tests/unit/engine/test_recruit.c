/* Which host threads a launch asks for: none when it is short, no more than it has work for and the process processors
 * when it is long, and on the functional engine at once when its workgroups wait for one another. Threads of a
 * simulator stay, so the tasks of this process tell how many have been started. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/proc.h"
#include "tests/support/processors.h"

enum { GROUPS = 64 };

static const char empty[] = "s_endpgm";

#define LOOP "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm"
static const char is_long[] = "s_mov_b32 s4, 100000; " LOOP;
static const char is_long_in_time[] = "s_movk_i32 s4, 100; " LOOP; /* thousands of cycles of all compute units */

/* Each workgroup waits for the one after it, and the last one for none. */
static const char chain[] =
    "s_lshl_b32 s4, ttmp9, 2; v_mov_b32 v0, s4; s_cmp_eq_u32 ttmp9, 63; s_cbranch_scc1 store; "
    "again: global_load_b32 v1, v0, s[0:1] offset:4 scope:SCOPE_DEV; s_wait_loadcnt 0x0; v_readfirstlane_b32 s2, v1; "
    "s_cmp_eq_u32 s2, 0; s_cbranch_scc1 again; "
    "store: v_mov_b32 v1, 1; global_store_b32 v0, v1, s[0:1] scope:SCOPE_DEV; s_endpgm";

/* All lanes of all workgroups are counted, and each waits for all. */
static const char barrier[] =
    "v_mov_b32 v0, 0; v_mov_b32 v1, 1; global_atomic_add_u32 v0, v1, s[0:1] scope:SCOPE_DEV; "
    "again: global_load_b32 v1, v0, s[0:1] scope:SCOPE_DEV; s_wait_loadcnt 0x0; v_readfirstlane_b32 s2, v1; "
    "s_cmp_lg_u32 s2, 0x800; s_cbranch_scc1 again; s_endpgm";

static unsigned tasks(void)
{
    DIR *d = opendir("/proc/self/task");
    unsigned n = 0;

    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

struct job {
    const char *text;
    enum gcnsim_engine engine;
    uint32_t groups, threads;
    unsigned processors;
    uint32_t *words; /* what s[0:1] is the address of */
};

/* How many threads have been started by the end of a launch of its own simulator. */
static unsigned started_by(const struct job *j)
{
    struct assembled code = assemble("gfx1201", j->text);
    struct gcnsim_range range = {.bytes = (GROUPS + 1) * sizeof(uint32_t), .writable = 1, .label = "words"};
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    gcnsim_raw_init(&r);
    r.target = "gfx1201";
    r.engine = j->engine;
    r.entry = r.code_base = (uint64_t)(uintptr_t)code.word;
    r.code_size = code.words * sizeof code.word[0];
    r.wave_size = 32;
    r.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r.workgroups[0] = j->groups;
    r.workgroup_size[0] = 32;
    r.threads = j->threads;
    r.kernarg_address = range.address = (uint64_t)(uintptr_t)j->words;
    r.ranges = &range;
    r.range_count = j->words != NULL;
    processors_shown = j->processors;
    assert_int_equal(gcnsim_open(&sim, "gfx1201", &error), GCNSIM_OK);
    unsigned before = tasks();
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s", error.text);
    unsigned after = tasks();
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%u threads: %s", j->threads, result->message);
    gcnsim_result_free(result);
    gcnsim_close(sim);
    return after - before;
}

static void none_for_a_short_launch(void **state)
{
    (void)state;
    NEED_PROC();
    for (uint32_t threads = 1; threads <= 64; threads *= 2) {
        assert_int_equal(started_by(&(struct job){empty, GCNSIM_ENGINE_FUNCTIONAL, GROUPS, threads, 64, NULL}), 0);
        assert_int_equal(started_by(&(struct job){empty, GCNSIM_ENGINE_TIMING, GROUPS, threads, 64, NULL}), 0);
    }
}

static void no_more_than_there_is_work_for(void **state)
{
    static const struct {
        uint32_t groups, threads;
        unsigned processors, functional, timing;
    } rows[] = {
        {GROUPS, 1, 64, 0, 0}, {GROUPS, 4, 64, 3, 3}, {GROUPS, 16, 64, 15, 15}, {GROUPS, 64, 3, 2, 2},
        {GROUPS, 64, 1, 0, 0}, {1, 64, 64, 0, 0},     {5, 64, 64, 4, 0} /* an epoch of so few is not worth sharing */};

    (void)state;
    NEED_PROC();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct job j = {is_long, GCNSIM_ENGINE_FUNCTIONAL, rows[k].groups, rows[k].threads, rows[k].processors, NULL};

        assert_int_equal(started_by(&j), rows[k].functional);
        j.text = is_long_in_time;
        j.engine = GCNSIM_ENGINE_TIMING;
        assert_int_equal(started_by(&j), rows[k].timing);
    }
}

/* Ends with any number of threads, on either engine; the functional one asks for them though the launch is short. */
static void workgroups_that_wait(void **state)
{
    static const char *const texts[] = {chain, barrier};
    static const uint32_t threads[] = {1, 2, 3, 16, 64};

    (void)state;
    NEED_PROC();
    for (size_t t = 0; t < 2; t++)
        for (size_t n = 0; n < sizeof threads / sizeof *threads; n++)
            for (int e = 0; e < 2; e++) {
                enum gcnsim_engine engine = e ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
                _Alignas(64) uint32_t words[GROUPS + 1] = {0};
                unsigned started = started_by(&(struct job){texts[t], engine, GROUPS, threads[n], 64, words});

                if (engine == GCNSIM_ENGINE_FUNCTIONAL)
                    assert_int_equal(started, threads[n] - 1);
                assert_int_equal(words[0], texts[t] == chain ? 1 : GROUPS * 32);
            }
}

static void *nothing(void *arg)
{
    return arg;
}

/* ThreadSanitizer starts one of its own with the first thread, which stays. */
static int start_one(void **state)
{
    pthread_t first;

    (void)state;
    return pthread_create(&first, NULL, nothing, NULL) || pthread_join(first, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_for_a_short_launch),
        cmocka_unit_test(no_more_than_there_is_work_for),
        cmocka_unit_test(workgroups_that_wait),
    };

    return cmocka_run_group_tests_name("threads that a launch asks for", tests, start_one, NULL);
}
