/* Waves that wait for one another through memory, in the functional engine: kernels/waiting.cl, compiled by clang-19,
 * ends with the right values after a bounded number of instructions, on any number of host threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/folder.h"
#include "tests/support/result_stat.h"
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

enum { WORDS = 4096, CYCLES = 10000000 };

/* What out[g] holds afterwards. */
enum expected { GRID_4_TIMES, ONE, UP, DOWN, FOUR };

static const struct wait {
    const char *kernel;
    uint32_t items;
    enum expected out;
    uint32_t most; /* wave-instructions of a workgroup on one thread, -O2; a multiple of it at -O0 */
    uint32_t adds; /* c[2], for each workgroup */
    /* At -O0 the kernel is not there, or its loop is taken for work: clang then asks the atomic for a result, another
     * one each time, so that workgroups become resident slowly. */
    bool optimized;
} waits[] = {
    {"grid_barrier", 256, GRID_4_TIMES, 12000, 0, false},
    {"grid_barrier_sleeps", 256, GRID_4_TIMES, 12000, 0, false},
    {"ticket_lock", 64, ONE, 1000, 1, false},
    {"lock_of_lanes", 64, ONE, 4000, 64, false},
    {"exchange_lock", 64, ONE, 2000, 1, false},
    {"chain_up", 64, UP, 1000, 0, false},
    {"chain_down", 64, DOWN, 8000, 0, false},
    {"chain_down_counts", 64, DOWN, 100000, 0, false},
    {"chain_down_heartbeat", 64, DOWN, 100000, 0, true},
    {"chain_down_clock", 64, DOWN, 100000, 0, false},
    {"chain_down_three_words", 64, DOWN, 100000, 0, false},
    {"chain_down_barrier", 256, DOWN, 100000, 0, false},
    {"within_a_workgroup", 256, FOUR, 40000, 0, false},
    {"polls_by_smem", 64, DOWN, 20000, 0, true},
    {"polls_by_flat", 64, DOWN, 20000, 0, true},
    {"polls_by_buffer", 64, DOWN, 20000, 0, true},
};

struct code {
    const char *target, *level;
    char path[512];
};

static struct code codes[] = {{"gfx90a", "-O2", ""}, {"gfx1201", "-O2", ""}, {"gfx1201", "-O0", ""}};
enum { CODES = sizeof codes / sizeof *codes };

static int compile(void **state)
{
    const char *folder = program_folder();

    (void)state;
    if (why_no_clang())
        return 0;
    for (unsigned i = 0; i < CODES; i++) {
        char log[440];

        snprintf(log, sizeof log, "%s/log", folder);
        snprintf(codes[i].path, sizeof codes[i].path, "%s/%u.co", folder, i);
        if (compile_cl("tests/system/kernels/waiting.cl", codes[i].target, codes[i].level, codes[i].path, log))
            return -1;
    }
    return 0;
}

struct run {
    const struct code *code;
    const char *kernel;
    uint32_t groups, items, threads;
    int check;
    uint64_t max_instructions, max_cycles, max_memory;
    uint32_t c[WORDS], out[WORDS];
};

/* Null: *error says why. */
static struct gcnsim_result *try_run(struct run *r, struct gcnsim_error *error)
{
    struct {
        uint64_t c, out;
        uint32_t n;
    } kernarg = {.n = r->groups};
    struct gcnsim *sim = NULL;
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;

    gcnsim_dispatch_init(&d);
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    d.grid_size[0] = r->groups * r->items;
    d.workgroup_size[0] = r->items;
    d.kernarg = &kernarg;
    d.kernarg_size = 20;
    d.threads = r->threads;
    d.check = r->check;
    d.max_instructions = r->max_instructions;
    d.max_cycles = r->max_cycles;
    if (gcnsim_open(&sim, NULL, error))
        return NULL;
    if (r->max_memory)
        gcnsim_set_max_memory(sim, r->max_memory);
    if (gcnsim_load_file(sim, &module, r->code->path, NULL, error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), r->kernel, &d.kernel, error) ||
        gcnsim_alloc(sim, sizeof r->c, "c", &kernarg.c, error) ||
        gcnsim_alloc(sim, sizeof r->out, "out", &kernarg.out, error) || gcnsim_launch(module, &d, &result, error) ||
        gcnsim_read(sim, kernarg.c, r->c, sizeof r->c, error) ||
        gcnsim_read(sim, kernarg.out, r->out, sizeof r->out, error)) {
        gcnsim_result_free(result);
        result = NULL;
    }
    gcnsim_close(sim);
    return result;
}

static struct gcnsim_result *run(struct run *r)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = try_run(r, &error);

    if (!result)
        fail_msg("%s", error.text);
    return result;
}

static uint32_t expected(enum expected what, uint32_t group, uint32_t groups)
{
    switch (what) {
    case GRID_4_TIMES:
        return 4 * groups;
    case UP:
        return group + 1;
    case DOWN:
        return groups - group;
    case FOUR:
        return 4;
    default:
        return 1;
    }
}

static bool is_slow(const struct code *code)
{
    return strcmp(code->level, "-O0") == 0;
}

static void expect(const struct wait *w, const struct code *code, uint32_t groups, uint32_t threads, int check)
{
    struct run r = {.code = code, .kernel = w->kernel, .groups = groups, .items = w->items, .threads = threads};

    r.check = check;
    /* with several threads, waves poll while the host runs other threads */
    r.max_instructions = threads == 1 ? (uint64_t)groups * w->most * (is_slow(code) ? 20 : 1) : UINT64_MAX;
    r.max_cycles = threads == 1 ? 0 : CYCLES; /* then waves wait for work of other threads, and not for nothing */
    struct gcnsim_result *result = run(&r);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s of %s %s, %u workgroups, %u threads: %s", w->kernel, code->target, code->level, groups, threads,
                 result->message);
    for (uint32_t g = 0; g < groups; g++)
        if (r.out[g] != expected(w->out, g, groups))
            fail_msg("%s of %s %s: out[%u] is %u, expected %u", w->kernel, code->target, code->level, g, r.out[g],
                     expected(w->out, g, groups));
    if (w->adds)
        assert_int_equal(r.c[2], w->adds * groups);
    gcnsim_result_free(result);
}

#define EACH_WAIT(W) for (const struct wait *W = waits; W < waits + sizeof waits / sizeof *waits; W++)

static void workgroups_wait(void **state)
{
    (void)state;
    NEED_CLANG();
    EACH_WAIT(w)
    for (unsigned i = 0; i < CODES; i++)
        if (!is_slow(&codes[i]) || !w->optimized)
            expect(w, &codes[i], is_slow(&codes[i]) ? 10 : 150, 1, 0);
}

static void on_several_threads(void **state)
{
    static const uint32_t threads[] = {2, 3, 16};

    (void)state;
    NEED_CLANG();
    EACH_WAIT(w)
    for (unsigned i = 0; i < 3; i++)
        expect(w, &codes[i % 2], 60, threads[i], 0);
}

static void under_check(void **state)
{
    (void)state;
    NEED_CLANG();
    EACH_WAIT(w)
    for (unsigned i = 0; i < 2; i++)
        expect(w, &codes[i], 12, 1 + i, 1);
}

/* As many as the chips have slots for waves: more would wait for one another for ever there, too. */
static void thousands_of_workgroups(void **state)
{
    enum { SLOTS_GFX90A = 3328, SLOTS_GFX1201 = 2048 };

    (void)state;
    NEED_CLANG();
    expect(&waits[0], &codes[0], SLOTS_GFX90A / (waits[0].items / 64), 1, 0);
    EACH_WAIT(w)
    if (strcmp(w->kernel, "chain_down") == 0 || strcmp(w->kernel, "chain_up") == 0)
        expect(w, &codes[1], SLOTS_GFX1201 / ((w->items + 31) / 32), 1, 0);
}

/* It is right whatever it is taken for, and its instructions do not depend on threads. */
static void computing_is_no_waiting(void **state)
{
    uint64_t one = 0;

    (void)state;
    NEED_CLANG();
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        struct run r = {.code = &codes[1], .kernel = "computes", .groups = 8, .items = 64, .threads = threads};
        struct gcnsim_result *result = run(&r);

        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        for (uint32_t g = 0; g < r.groups; g++)
            assert_int_equal(r.out[g], 30000);
        if (threads == 1)
            one = result_stat(result, "instructions.total");
        assert_int_equal(result_stat(result, "instructions.total"), one);
        gcnsim_result_free(result);
    }
}

/* Memory for one workgroup is memory for all, one after the other, also when its waves look as if they polled. */
static void computing_in_little_memory(void **state)
{
    struct run r = {.code = &codes[1], .kernel = "computes", .groups = 1, .items = 256, .threads = 1};
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error;

    (void)state;
    NEED_CLANG();
    for (r.max_memory = 1 << 19; r.max_memory < 1 << 24; r.max_memory += 1 << 14) {
        result = try_run(&r, &error);
        if (result && result->outcome == GCNSIM_COMPLETED)
            break;
        gcnsim_result_free(result);
        result = NULL;
    }
    assert_non_null(result);
    gcnsim_result_free(result);
    r.groups = 4;
    result = run(&r);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    for (uint32_t g = 0; g < r.groups; g++)
        assert_int_equal(r.out[g], 30000);
    gcnsim_result_free(result);
    /* workgroups that do wait for others need memory for these, too */
    r.kernel = "chain_down";
    r.groups = 200;
    r.max_memory += 1 << 20; /* not for so many */
    for (r.threads = 1; r.threads <= 3; r.threads++) {
        assert_null(try_run(&r, &error));
        assert_int_equal(error.code, GCNSIM_ERROR_LIMIT);
    }
}

/* Workgroups below the fault wait for one above it and never end: the fault is reported all the same. */
static void a_fault_among_workgroups_that_wait(void **state)
{
    (void)state;
    NEED_CLANG();
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct run r = {.code = &codes[1],
                        .kernel = "fault_among_waiting",
                        .groups = 40,
                        .items = 64,
                        .threads = threads,
                        .max_instructions = UINT64_C(10000000000)};
        struct gcnsim_result *result = run(&r);

        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_int_equal(result->fault->workgroup[0], 2);
        assert_int_equal(result->fault->address, 16);
        gcnsim_result_free(result);
    }
}

/* Waves that wait within their workgroup depend on it alone. */
static void counts_up_to_a_fault(void **state)
{
    uint64_t one = 0;

    (void)state;
    NEED_CLANG();
    for (uint32_t threads = 1; threads <= 8; threads++) {
        struct run r = {.code = &codes[1], .kernel = "fault_behind_a_wait", .groups = 40, .items = 256};
        r.threads = threads;
        struct gcnsim_result *result = run(&r);

        assert_int_equal(result->outcome, GCNSIM_FAULTED);
        assert_int_equal(result->fault->workgroup[0], 2);
        if (threads == 1)
            one = result_stat(result, "instructions.total");
        assert_int_equal(result_stat(result, "instructions.total"), one);
        gcnsim_result_free(result);
    }
}

/* Waves that poll and get on all the same, in each turn up to the next wait in the same loop, are no waves that wait
 * for ever: a fault above them does not end the run before they come to theirs. */
static void turns_before_a_fault(void **state)
{
    (void)state;
    NEED_CLANG();
    for (unsigned i = 0; i < CODES; i++)
        for (uint32_t threads = 1; threads <= 4; threads++) {
            struct run r = {.code = &codes[i], .groups = 12, .items = 128, .threads = threads};

            r.kernel = "fault_behind_turns";
            struct gcnsim_result *result = run(&r);
            assert_int_equal(result->outcome, GCNSIM_FAULTED);
            assert_int_equal(result->fault->workgroup[0], 2);
            gcnsim_result_free(result);
            r.kernel = "fault_behind_turns_of_groups";
            result = run(&r);
            assert_int_equal(result->outcome, GCNSIM_FAULTED);
            assert_int_equal(result->fault->workgroup[0], 1);
            gcnsim_result_free(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workgroups_wait),
        cmocka_unit_test(on_several_threads),
        cmocka_unit_test(under_check),
        cmocka_unit_test(thousands_of_workgroups),
        cmocka_unit_test(computing_is_no_waiting),
        cmocka_unit_test(computing_in_little_memory),
        cmocka_unit_test(a_fault_among_workgroups_that_wait),
        cmocka_unit_test(counts_up_to_a_fault),
        cmocka_unit_test(turns_before_a_fault),
    };
    return cmocka_run_group_tests(tests, compile, NULL);
}
