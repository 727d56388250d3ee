/* Races between workgroups in compiled code: kernels/races.cl, by clang-19 for each generation, has none as it is, and
 * those that are expected where fences, orders or scopes are left out. Both engines find them at the same instructions,
 * with any number of host threads. */
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
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

enum { GROUPS = 6, BUFFER_BYTES = 8192, PATH_BYTES = 512, MANY = 16 };
enum broken { WHOLE, NO_RELEASE, NO_ACQUIRE, NARROW, NEITHER, BROKENS };

static const struct target {
    const char *name;
    uint32_t lanes;
    const char *release, *acquire; /* in the fix where one is left out */
} targets[] = {
    {"gfx803", 64, "s_waitcnt vmcnt(0) behind the store", "buffer_wbinvl1_vol, ahead of the load"},
    {"gfx90a", 64, "s_waitcnt vmcnt(0) behind the store", "buffer_wbinvl1_vol, ahead of the load"},
    {"gfx942", 64, "buffer_wbl2 sc1, s_waitcnt vmcnt(0) behind the store", "buffer_inv sc1, ahead of the load"},
    {"gfx1030", 32, "s_waitcnt_vscnt null, 0x0 behind the store", "buffer_gl1_inv, buffer_gl0_inv, ahead of the load"},
    {"gfx1100", 32, "s_waitcnt_vscnt null, 0x0 behind the store", "buffer_gl1_inv, buffer_gl0_inv, ahead of the load"},
    {"gfx1201", 32, "s_wait_storecnt 0x0 behind the store", "global_inv, both scope:SCOPE_DEV, ahead of the load"},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static char path[TARGETS][BROKENS][PATH_BYTES];

/* Kernels whose workgroups are in an order; that need none; that lack one. */
static const char *const ordered[] = {"flag", "fences", "last_block", "locked", "ping_pong"};
static const char *const quiet[] = {"look_back", "apart", "swaps"};
static const char *const racing[] = {"no_flag", "overlap"};

static int compile(void **state)
{
    const char *folder = program_folder();

    (void)state;
    for (unsigned t = 0; t < TARGETS && !why_no_clang(); t++) {
        for (unsigned b = 0; b < BROKENS; b++) {
            char log[440], define[20];

            snprintf(define, sizeof define, "-DBROKEN=%u", b);
            snprintf(log, sizeof log, "%s/log", folder);
            snprintf(path[t][b], PATH_BYTES, "%s/%u_%u.co", folder, t, b);
            if (compile_cl("tests/system/kernels/races.cl", targets[t].name, define, path[t][b], log))
                return -1;
        }
    }
    return 0;
}

/* What was found of this rule: where, and the fix of the first. */
struct found {
    size_t count;
    uint64_t pc[MANY], times[MANY];
    char fix[200], says[400];
};

static struct found run(unsigned t, enum broken b, const char *kernel, int engine, uint32_t threads)
{
    struct {
        uint64_t c, d;
        uint32_t n;
    } kernarg = {.n = GROUPS};
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct found found = {.count = 0};
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim *sim;

    gcnsim_dispatch_init(&d);
    d.engine = engine;
    d.workgroup_size[0] = targets[t].lanes;
    d.grid_size[0] = GROUPS * targets[t].lanes;
    d.kernarg = &kernarg;
    d.kernarg_size = 20;
    d.threads = threads;
    d.check = 1;
    d.max_instructions = 10000000;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    api_threads_at_once(sim);
    if (gcnsim_load_file(sim, &module, path[t][b], NULL, &error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), kernel, &d.kernel, &error) ||
        gcnsim_alloc(sim, BUFFER_BYTES, "c", &kernarg.c, &error) ||
        gcnsim_alloc(sim, BUFFER_BYTES, "d", &kernarg.d, &error) || gcnsim_launch(module, &d, &r, &error))
        fail_msg("%s %s: %s", targets[t].name, kernel, error.text);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s %s: %s", targets[t].name, kernel, r->message);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct gcnsim_finding *f = &r->findings[k];
        if (strncmp(f->rule, "stale.", 6) == 0) /* a race may be seen there, too */
            continue;
        assert_string_equal(f->rule, "race.global");
        assert_true(found.count < MANY);
        if (!found.count) {
            snprintf(found.fix, sizeof found.fix, "%s", f->fix);
            snprintf(found.says, sizeof found.says, "%s", f->message);
        }
        found.pc[found.count] = f->pc_offset;
        found.times[found.count++] = f->count;
    }
    gcnsim_result_free(r);
    gcnsim_close(sim);
    return found;
}

static const struct {
    int engine;
    uint32_t threads;
} ways[] = {
    {GCNSIM_ENGINE_FUNCTIONAL, 1}, {GCNSIM_ENGINE_FUNCTIONAL, 2}, {GCNSIM_ENGINE_TIMING, 1}, {GCNSIM_ENGINE_TIMING, 2}};
enum { WAYS = sizeof ways / sizeof *ways };

/* As it is, a kernel has no finding. */
static void whole_ones(void **state)
{
    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned w = 0; w < WAYS; w++) {
            for (unsigned k = 0; k < sizeof ordered / sizeof *ordered; k++) {
                struct found f = run(t, WHOLE, ordered[k], ways[w].engine, ways[w].threads);
                if (f.count)
                    fail_msg("%s %s: %s", targets[t].name, ordered[k], f.says);
            }
            struct found f = run(t, WHOLE, "atomics", ways[w].engine, ways[w].threads);
            assert_int_equal(f.count, 0);
        }
}

/* Without a release, an acquire or the device's scope there are some, at the same places whoever looks; in ping_pong,
 * where workgroups meet again and again, which of them depends on who comes first. */
static void broken_ones(void **state)
{
    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned b = NO_RELEASE; b < BROKENS; b++)
            for (unsigned k = 0; k < sizeof ordered / sizeof *ordered; k++) {
                struct found first = run(t, b, ordered[k], ways[0].engine, ways[0].threads);
                if (!first.count)
                    fail_msg("%s %s, %u: nothing is found", targets[t].name, ordered[k], b);
                for (unsigned w = 1; w < WAYS; w++) {
                    struct found f = run(t, b, ordered[k], ways[w].engine, ways[w].threads);
                    if (f.count != first.count && strcmp(ordered[k], "ping_pong") != 0)
                        fail_msg("%s %s, %u: %zu places, %zu", targets[t].name, ordered[k], b, first.count, f.count);
                    if (strcmp(ordered[k], "ping_pong") != 0)
                        assert_memory_equal(f.pc, first.pc, sizeof f.pc);
                }
            }
}

/* The fix is what was left out. */
static void fixes(void **state)
{
    static const char *const kernels[] = {"flag", "fences", "last_block"};

    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
            for (unsigned w = 0; w < WAYS; w++) {
                struct found f = run(t, NO_RELEASE, kernels[k], ways[w].engine, ways[w].threads);
                if (!strstr(f.fix, targets[t].release))
                    fail_msg("%s %s: %s; %s", targets[t].name, kernels[k], f.says, f.fix);
                f = run(t, NO_ACQUIRE, kernels[k], ways[w].engine, ways[w].threads);
                if (!strstr(f.fix, targets[t].acquire))
                    fail_msg("%s %s: %s; %s", targets[t].name, kernels[k], f.says, f.fix);
            }
}

/* Nothing orders no_flag and overlap; nothing is in common in `apart`; look_back's words are relaxed. Without acquires
 * findings are the same to the last word. */
static void others(void **state)
{
    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned w = 0; w < WAYS; w++) {
            for (unsigned k = 0; k < sizeof quiet / sizeof *quiet; k++)
                for (unsigned b = WHOLE; b < BROKENS; b++) {
                    struct found f = run(t, b, quiet[k], ways[w].engine, ways[w].threads);
                    if (f.count)
                        fail_msg("%s %s: %s", targets[t].name, quiet[k], f.says);
                }
            for (unsigned k = 0; k < sizeof racing / sizeof *racing; k++) {
                struct found f = run(t, WHOLE, racing[k], ways[w].engine, ways[w].threads);
                struct found first = run(t, WHOLE, racing[k], ways[0].engine, ways[0].threads);
                assert_int_equal(f.count, 1);
                assert_int_equal(f.pc[0], first.pc[0]);
                assert_int_equal(f.times[0], first.times[0]);
                assert_string_equal(f.fix, first.fix);
                assert_string_equal(f.says, first.says);
            }
        }
}

/* Plain stores of one word by all: relaxed ones look the same, but where stores have bits. */
static void one_word(void **state)
{
    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned w = 0; w < WAYS; w++) {
            bool told = strcmp(targets[t].name, "gfx942") == 0 || strcmp(targets[t].name, "gfx1201") == 0;
            assert_int_equal(run(t, WHOLE, "one_byte", ways[w].engine, ways[w].threads).count, told);
        }
}

/* Atomics of the workgroup's scope: gfx12 encodes them as such. */
static void scope_of_atomics(void **state)
{
    (void)state;
    if (why_no_clang())
        skip();
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned w = 0; w < WAYS; w++) {
            struct found f = run(t, NARROW, "atomics", ways[w].engine, ways[w].threads);
            bool told = strcmp(targets[t].name, "gfx1201") == 0;
            assert_int_equal(f.count, told ? 1 : 0);
            if (told)
                assert_string_equal(f.fix, "scope:SCOPE_DEV on the atomic");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_ones), cmocka_unit_test(broken_ones),
                                       cmocka_unit_test(fixes),      cmocka_unit_test(others),
                                       cmocka_unit_test(one_word),   cmocka_unit_test(scope_of_atomics)};

    return cmocka_run_group_tests(tests, compile, NULL);
}
