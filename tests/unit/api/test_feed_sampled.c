/* Sampled launches of a feed: on a device that others have used and will use, what they leave in memory, how often they
 * execute each instruction, and the device's time after them, beside the same launches in full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

enum { GROUPS = 1 << 14, DETAILED = 1 << 12, LAUNCHES = 4, VISITS = 16 };

/* x becomes 2 x + 1, for each dword at s[0:1] */
static const char twice[] = "s_lshl_b32 s5, s4, 8; v_lshlrev_b32 v0, 2, v0; v_add_u32 v0, s5, v0; "
                            "global_load_dword v1, v0, s[0:1]; s_waitcnt vmcnt(0); v_lshl_add_u32 v1, v1, 1, 1; "
                            "global_store_dword v0, v1, s[0:1]; s_endpgm";

static uint32_t data[GROUPS * 64] __attribute__((aligned(4096)));

struct given {
    uint32_t groups;
    uint64_t sampled; /* gcnsim_raw.sample_workgroups */
    uint64_t ended, start, cycles, instructions;
    struct gcnsim_estimate estimate; /* all 0: none */
    char note[240];                  /* its note */
    struct gcnsim_visit visit[VISITS];
    size_t visits;
    struct gcnsim_raw raw;
    uint32_t sgprs[4];
    struct gcnsim_range range;
};

struct bench {
    struct given of[LAUNCHES];
    unsigned count, handed;
    uint64_t apart; /* cycles of the device's clock from one launch to the next */
    struct assembled code;
};

static void fill(struct given *g, const struct assembled *code)
{
    uint64_t at = (uint64_t)(uintptr_t)data;

    gcnsim_raw_init(&g->raw);
    gcnsim_range_init(&g->range);
    g->sgprs[0] = (uint32_t)at;
    g->sgprs[1] = (uint32_t)(at >> 32);
    g->range.address = at;
    g->range.bytes = sizeof data;
    g->range.writable = 1;
    g->raw.target = "gfx90a";
    g->raw.engine = GCNSIM_ENGINE_TIMING;
    g->raw.entry = (uint64_t)(uintptr_t)code->word;
    g->raw.code_size = code->words * sizeof(uint32_t);
    g->raw.wave_size = 64;
    g->raw.workgroup_size[0] = 64;
    g->raw.workgroups[0] = g->groups;
    g->raw.compute_pgm_rsrc1 = 1 | 3 << 6;      /* 16 VGPRs, 32 SGPRs */
    g->raw.compute_pgm_rsrc2 = 4 << 1 | 1 << 7; /* 4 user SGPRs, and the workgroup's number */
    g->raw.compute_pgm_rsrc3 = 3;               /* AccVGPRs begin after 16 VGPRs */
    g->raw.user_sgprs = g->sgprs;
    g->raw.user_sgpr_count = 4;
    g->raw.ranges = &g->range;
    g->raw.range_count = 1;
    g->raw.visits = 1;
    g->raw.sample_workgroups = g->sampled;
}

static uint64_t ask(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    struct bench *b = ctx;
    struct gcnsim_error e;

    (void)now, (void)idle;
    for (; b->handed < b->count; b->handed++) {
        struct given *g = &b->of[b->handed];

        fill(g, &b->code);
        if (gcnsim_feed_raw(to, &g->raw, b->handed * b->apart, g, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
    }
    return GCNSIM_FEED_NEVER;
}

static void ended(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error)
{
    const struct gcnsim_visit *visit;
    struct given *g = id;

    (void)ctx;
    if (error)
        fail_msg("%s", error->text);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    g->ended = now;
    g->start = result_stat(result, "dispatch.clock_cycles");
    g->cycles = result_stat(result, "cycles");
    g->instructions = result_stat(result, "instructions.total");
    if (gcnsim_result_estimate(result)) {
        g->estimate = *gcnsim_result_estimate(result);
        strncpy(g->note, g->estimate.note, sizeof g->note - 1);
    }
    visit = gcnsim_result_visits(result, &g->visits);
    assert_true(visit && g->visits <= VISITS);
    memcpy(g->visit, visit, g->visits * sizeof *visit);
    gcnsim_result_free(result);
}

static void run(struct bench *b)
{
    struct gcnsim_error e = {0};
    struct gcnsim_feed f;
    struct gcnsim *sim;

    memset(data, 0, sizeof data);
    b->code = assemble("gfx90a", twice);
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &e), GCNSIM_OK);
    gcnsim_feed_init(&f);
    f.ctx = b;
    f.ask = ask;
    f.ended = ended;
    if (gcnsim_run_feed(sim, &f, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    for (unsigned k = 0; k < b->count; k++)
        assert_true(gcnsim_device_clock(sim) >= b->of[k].ended);
    gcnsim_close(sim);
}

/* What each dword has come to: how many launches have gone over it. */
static void check_data(const struct bench *b)
{
    for (uint32_t g = 0; g < GROUPS; g++) {
        unsigned times = 0;

        for (unsigned k = 0; k < b->count; k++)
            times += g < b->of[k].groups;
        for (unsigned n = 0; n < 64; n++)
            if (data[g * 64 + n] != (1u << times) - 1)
                fail_msg("workgroup %u, lane %u: %u after %u launches", g, n, data[g * 64 + n], times);
    }
}

static void check_visits(const struct given *sampled, const struct given *full)
{
    uint64_t sum = 0;

    assert_int_equal(sampled->visits, full->visits);
    assert_memory_equal(sampled->visit, full->visit, full->visits * sizeof full->visit[0]);
    for (size_t k = 0; k < sampled->visits; k++)
        sum += sampled->visit[k].executed;
    assert_int_equal(sum, sampled->instructions);
    assert_int_equal(sampled->instructions, full->instructions);
}

/* The second and the third are sampled, and find the caches full: of others' lines, and of what they read themselves.
 */
static void samples_leave_what_launches_do(void **state)
{
    struct bench full = {
        .of = {{.groups = 64}, {.groups = GROUPS}, {.groups = GROUPS}, {.groups = 64}}, .count = 4, .apart = 1 << 24};
    struct bench some = full;

    (void)state;
    some.of[1].sampled = some.of[2].sampled = DETAILED;
    run(&some);
    check_data(&some);
    run(&full);
    check_data(&full);
    for (unsigned k = 1; k < 3; k++) {
        const struct given *s = &some.of[k], *f = &full.of[k];

        check_visits(s, f);
        assert_int_equal(s->estimate.kind, GCNSIM_ESTIMATE_MADE);
        assert_int_equal(s->estimate.detailed_workgroups, DETAILED);
        assert_int_equal(s->estimate.functional_workgroups, GROUPS - DETAILED);
        if ((double)f->cycles < s->estimate.cycles_low || (double)f->cycles > s->estimate.cycles_high)
            fail_msg("launch %u: %.0f to %.0f; %.0f in full", k, s->estimate.cycles_low, s->estimate.cycles_high,
                     (double)f->cycles);
    }
}

/* The device's time goes on by what a sampled launch is estimated to take, and nothing runs beside it. */
static void time_goes_on_by_the_estimate(void **state)
{
    struct bench b = {.of = {{.groups = 64}, {.groups = GROUPS, .sampled = DETAILED}, {.groups = 64}}, .count = 3};

    (void)state;
    run(&b);
    assert_true(b.of[1].cycles == (uint64_t)(b.of[1].estimate.cycles + 0.5));
    assert_true(b.of[1].start >= b.of[0].start + b.of[0].cycles);
    assert_true(b.of[1].ended >= b.of[1].start + b.of[1].cycles);
    assert_true(b.of[2].start >= b.of[1].start + b.of[1].cycles);
    assert_true(b.of[2].ended > b.of[1].ended);
}

/* Launches too small for it are those of a feed that does not sample. */
static void small_launches_are_as_they_were(void **state)
{
    struct bench asked = {.of = {{.groups = 64, .sampled = GCNSIM_SAMPLE_AUTO}, {.groups = 640}}, .count = 2};
    struct bench plain = {.of = {{.groups = 64}, {.groups = 640}}, .count = 2};

    (void)state;
    run(&asked);
    run(&plain);
    assert_int_equal(asked.of[0].estimate.kind, GCNSIM_ESTIMATE_NONE);
    assert_non_null(strstr(asked.of[0].note, "fewer than"));
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(asked.of[k].cycles, plain.of[k].cycles);
        assert_int_equal(asked.of[k].ended, plain.of[k].ended);
        check_visits(&asked.of[k], &plain.of[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_leave_what_launches_do),
        cmocka_unit_test(time_goes_on_by_the_estimate),
        cmocka_unit_test(small_launches_are_as_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
