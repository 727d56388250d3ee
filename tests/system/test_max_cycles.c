/* The limit of cycles bounds a launch on the functional engine, however many workgroups it has, and what is reported
 * does not depend on the number of host threads: kernels/spinning.cl, compiled by clang-19. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/folder.h"
#include "tests/support/result_stat.h"
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

/* Wave slots of the chips that the targets stand for, and workgroups that are more. */
static struct code {
    const char *target;
    uint32_t wave_size, slots;
    char path[512];
} codes[] = {{"gfx1201", 32, 2048, ""}, {"gfx90a", 64, 3328, ""}};
enum { CODES = sizeof codes / sizeof *codes, GROUPS = 3000, ITEMS = 256 };

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
        if (compile_cl("tests/system/kernels/spinning.cl", codes[i].target, "-O2", codes[i].path, log))
            return -1;
    }
    return 0;
}

struct run {
    const struct code *code;
    const char *kernel;
    uint32_t groups, items, threads;
    uint64_t max_cycles;
    uint64_t most; /* instructions to be executed; more of them end the run as an interruption */
    uint32_t c[64];
};

static int look(void *ctx, const struct gcnsim_progress *p)
{
    return p->instructions > *(uint64_t *)ctx;
}

static struct gcnsim_result *run(struct run *r)
{
    struct {
        uint64_t c;
        uint32_t n;
    } kernarg = {.n = r->groups};
    struct gcnsim_error error = {0};
    struct gcnsim *sim = NULL;
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;

    gcnsim_dispatch_init(&d);
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    d.grid_size[0] = r->groups * r->items;
    d.workgroup_size[0] = r->items;
    d.kernarg = &kernarg;
    d.kernarg_size = 12;
    d.threads = r->threads;
    d.max_cycles = r->max_cycles;
    d.progress_facts = look;
    d.progress_facts_ctx = &r->most;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    api_threads_at_once(sim);
    if (gcnsim_load_file(sim, &module, r->code->path, NULL, &error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), r->kernel, &d.kernel, &error) ||
        gcnsim_alloc(sim, sizeof r->c, "c", &kernarg.c, &error) || gcnsim_launch(module, &d, &result, &error) ||
        gcnsim_read(sim, kernarg.c, r->c, sizeof r->c, &error))
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

/* The report, to be freed, without what is about the host: a line, in JSON the member `host`. */
static char *report(const struct gcnsim_result *result)
{
    struct gcnsim_error error;
    char *json, *at, *copy;

    assert_int_equal(gcnsim_result_json(result, &json, &error), GCNSIM_OK);
    assert_non_null(at = strstr(json, "  \"host\""));
    *at = 0;
    copy = strdup(json);
    gcnsim_free(json);
    return copy;
}

/* How a launch ends in which all waves spin, or wait for one that does; with one thread and with several. */
static void expect_limit(const struct code *code, const char *kernel, uint64_t max_cycles, uint64_t waves)
{
    char *one = NULL;

    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct run r = {.code = code, .kernel = kernel, .groups = GROUPS, .items = ITEMS, .threads = threads};
        uint64_t resident = code->slots / (ITEMS / code->wave_size);

        r.max_cycles = max_cycles;
        r.most = UINT64_C(40000) * code->slots;
        struct gcnsim_result *result = run(&r);
        if (result->outcome != GCNSIM_LIMIT)
            fail_msg("%s of %s, %u threads: %s", kernel, code->target, threads, result->message);
        assert_non_null(strstr(result->message, "all resident waves only wait"));
        assert_int_equal(result->snapshot->workgroups_resident, resident);
        assert_int_equal(result->snapshot->workgroups_not_started, GROUPS - resident);
        uint64_t executed = result_stat(result, "instructions.total");
        assert_true(executed >= resident * waves * max_cycles);
        assert_true(executed < resident * (waves * max_cycles + 100)); /* what comes before the barrier */
        char *text = report(result);
        if (one)
            assert_string_equal(text, one);
        else
            one = strdup(text);
        free(text);
        gcnsim_result_free(result);
    }
    free(one);
}

static void thousands_of_workgroups_spin(void **state)
{
    static const struct {
        const char *kernel;
        bool all; /* waves of a workgroup; else the first one */
    } kernels[] = {{"spins", true},
                   {"spins_and_counts", true},
                   {"spins_and_looks_at_the_time", true},
                   {"spins_before_a_barrier", false}};

    (void)state;
    NEED_CLANG();
    for (unsigned i = 0; i < CODES; i++)
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
            expect_limit(&codes[i], kernels[k].kernel, 200000, kernels[k].all ? ITEMS / codes[i].wave_size : 1);
}

/* The first look at a wave comes after 4096 instructions; the engine is sure of one that counts its tries 16384 later.
 */
static void limits_before_it_is_clear_that_they_spin(void **state)
{
    static const uint64_t limits[] = {1, 100, 4000, 4500, 20000, 21000};
    static const char *const kernels[] = {"spins", "spins_and_counts"};

    (void)state;
    NEED_CLANG();
    for (unsigned k = 0; k < 2; k++)
        for (unsigned n = 0; n < sizeof limits / sizeof *limits; n++) {
            char *one = NULL;

            for (uint32_t threads = 1; threads <= 3; threads++) {
                struct run r = {.code = &codes[0], .kernel = kernels[k], .groups = 60, .items = 64, .threads = threads};

                r.max_cycles = limits[n];
                r.most = UINT64_MAX - 1;
                struct gcnsim_result *result = run(&r);
                assert_int_equal(result->outcome, GCNSIM_LIMIT);
                char *text = report(result);
                if (one)
                    assert_string_equal(text, one);
                else
                    one = strdup(text);
                free(text);
                gcnsim_result_free(result);
            }
            free(one);
        }
}

/* A loop that ends by itself, below the limit, lets the others go on; above it, it is the limit that ends the run. */
static void one_that_gives_up_ends_the_others(void **state)
{
    (void)state;
    NEED_CLANG();
    for (unsigned i = 0; i < CODES; i++)
        for (uint32_t threads = 1; threads <= 3; threads++) {
            struct run r = {.code = &codes[i], .kernel = "gives_up", .groups = 200, .threads = threads};

            r.items = codes[i].wave_size; /* of several waves the others would find what the first one stores */
            r.most = UINT64_MAX - 1;
            r.max_cycles = 500000;
            struct gcnsim_result *result = run(&r);
            if (result->outcome != GCNSIM_COMPLETED)
                fail_msg("%s, %u threads: %s", codes[i].target, threads, result->message);
            assert_int_equal(r.c[0], 5000);
            gcnsim_result_free(result);
            r.max_cycles = 30000;
            result = run(&r);
            assert_int_equal(result->outcome, GCNSIM_LIMIT);
            gcnsim_result_free(result);
        }
}

/* A chip that holds `slots` waves executes no more than that many instructions in a cycle. */
static void many_short_workgroups(void **state)
{
    enum { SHORT_GROUPS = 50000, CYCLES = 1000, PLENTY = 200000 };

    (void)state;
    NEED_CLANG();
    for (unsigned i = 0; i < CODES; i++)
        for (uint32_t threads = 1; threads <= 3; threads++) {
            struct run r = {.code = &codes[i], .kernel = "is_short", .groups = SHORT_GROUPS, .threads = threads};

            r.items = codes[i].wave_size;
            r.most = UINT64_MAX - 1;
            r.max_cycles = CYCLES;
            struct gcnsim_result *result = run(&r);
            assert_int_equal(result->outcome, GCNSIM_LIMIT);
            assert_non_null(
                strstr(result->message, "limit of 1000 cycles reached: as many instructions for each wave"));
            assert_int_equal(result_stat(result, "instructions.total"), (uint64_t)CYCLES * codes[i].slots);
            gcnsim_result_free(result);
            r.max_cycles = PLENTY;
            result = run(&r);
            assert_int_equal(result->outcome, GCNSIM_COMPLETED);
            gcnsim_result_free(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_workgroups_spin),
        cmocka_unit_test(limits_before_it_is_clear_that_they_spin),
        cmocka_unit_test(one_that_gives_up_ends_the_others),
        cmocka_unit_test(many_short_workgroups),
    };
    return cmocka_run_group_tests(tests, compile, NULL);
}
