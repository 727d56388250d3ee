/* What a progress callback receives: workgroups, cycles, instructions, and how far a loop is from its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

/* The clock of these tests: each look at it is 30 ms after the last one, so that the reports, of which there is one in
 * 50 ms, come at the same places of a run on every host. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static uint64_t ms;

    (void)clock;
    ms += 30;
    *t = (struct timespec){.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    return 0;
}

/* 256 rounds of an inner loop of so many */
#define NESTED(INNER)                                                                                                  \
    "s_mov_b32 s0, 0; outer: s_mov_b32 s1, " #INNER "; inner: s_add_i32 s1, s1, -1; s_cmp_lg_u32 s1, 0; "              \
    "s_cbranch_scc1 inner; s_add_i32 s0, s0, 1; s_cmpk_eq_u32 s0, 0x100; s_cbranch_scc0 outer; s_endpgm"
enum { BRANCH_WORD = 8, ROUNDS = 256 };

struct seen {
    unsigned calls, with_loop;
    uint64_t loop_address, least_left, most_left, cycles, instructions;
    struct gcnsim_progress last;
};

static int look(void *ctx, const struct gcnsim_progress *p)
{
    struct seen *s = ctx;

    assert_int_equal(p->struct_bytes, sizeof *p);
    assert_int_equal(p->workgroups_total, 1);
    assert_true(p->workgroups_done + p->workgroups_running <= 1); /* a launch takes time to begin and to end */
    assert_true(p->cycles >= s->cycles && p->instructions >= s->instructions);
    s->cycles = p->cycles;
    s->instructions = p->instructions;
    s->calls++;
    if (!p->loop_address)
        return 0;
    if (p->loop_address != s->loop_address)
        s->most_left = s->least_left = p->loop_left;
    else if (s->least_left < p->loop_left)
        s->least_left = UINT64_MAX; /* it grew */
    else
        s->least_left = p->loop_left;
    s->loop_address = p->loop_address;
    s->with_loop++;
    assert_int_equal(p->workgroups_running, 1);
    return 0;
}

static int stop_at_third(void *ctx, const struct gcnsim_progress *p)
{
    (void)p;
    return ++*(unsigned *)ctx == 3;
}

static struct gcnsim_result *run(enum gcnsim_engine engine, const uint32_t *code, size_t bytes,
                                 gcnsim_progress_facts_fn *facts, void *ctx)
{
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim_raw r;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    r.engine = engine;
    r.entry = r.code_base = (uintptr_t)code;
    r.code_size = bytes;
    r.workgroups[0] = r.workgroups[1] = r.workgroups[2] = 1;
    r.workgroup_size[0] = 64;
    r.workgroup_size[1] = r.workgroup_size[2] = 1;
    r.wave_size = 64;
    r.compute_pgm_rsrc1 = 0x00af0042;
    r.progress_facts = facts;
    r.progress_facts_ctx = ctx;
    if (gcnsim_launch_raw(sim, &r, &result, &error) != GCNSIM_OK)
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

static void facts_of_a_long_workgroup(void **state)
{
    static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_TIMING, GCNSIM_ENGINE_FUNCTIONAL};
    static const char *const code[] = {NESTED(0xc00), NESTED(0xc000)};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct seen s = {0};
        struct gcnsim_result *result = run(engines[k], BYTES("gfx90a", code[k]), look, &s);

        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        assert_true(s.calls >= 4);
        assert_true(k == 0 ? s.cycles > 0 : s.cycles == 0);
        assert_true(s.instructions > 0 && s.instructions <= result_stat(result, "instructions.total"));
        /* the outer loop, once a round of it has been seen to end */
        assert_true(s.with_loop >= 2);
        assert_int_equal(s.loop_address, (uintptr_t)&assemble("gfx90a", code[k]).word[BRANCH_WORD]);
        assert_true(s.most_left < ROUNDS && s.least_left < s.most_left);
        gcnsim_result_free(result);
    }
}

static void facts_can_stop_the_run(void **state)
{
    static const char forever[] = "loop: s_branch loop";
    static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_TIMING, GCNSIM_ENGINE_FUNCTIONAL};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        unsigned calls = 0;
        struct gcnsim_result *result = run(engines[k], BYTES("gfx90a", forever), stop_at_third, &calls);

        assert_int_equal(result->outcome, GCNSIM_INTERRUPTED);
        assert_int_equal(calls, 3);
        gcnsim_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_a_long_workgroup),
        cmocka_unit_test(facts_can_stop_the_run),
    };
    return cmocka_run_group_tests_name("facts of progress", tests, NULL, NULL);
}
