/* Raw launches that overlap: two kernels that wait for one another, results and errors of each, the flag with which
 * another thread asks for attention, and a launch without time that warms caches. */
#include <pthread.h>
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

/* writes 1 at s[0:1] + s2 and waits for 1 at s[0:1] + s3 */
static const char meet[] =
    "v_mov_b32 v8, s2; v_mov_b32 v9, s3; v_mov_b32 v1, 1; global_store_dword v8, v1, s[0:1] glc; s_waitcnt vmcnt(0); "
    "loop: global_load_dword v15, v9, s[0:1] glc; s_waitcnt vmcnt(0); v_readfirstlane_b32 s6, v15; "
    "s_cmp_eq_u32 s6, 1; s_cbranch_scc0 loop; s_endpgm";
/* loads from address -1 */
static const char wild[] =
    "s_nop 2; v_mov_b32 v8, -1; v_mov_b32 v9, -1; global_load_dword v15, v[8:9], off; s_waitcnt vmcnt(0); s_endpgm";

/* does nothing */
static const char nothing[] = "s_endpgm";

static uint32_t flags[64] __attribute__((aligned(256)));

struct given {
    const uint32_t *code;
    size_t bytes;
    uint32_t own, other; /* offsets */
    uint64_t start, ended;
    int outcome; /* -1: it could not be run */
    char message[200];
    uint64_t cycles;
    struct gcnsim_raw raw;
    uint32_t sgprs[4];
    struct gcnsim_range ranges[1];
};

#define CODE(TEXT) .code = assemble("gfx90a", TEXT).word, .bytes = assemble("gfx90a", TEXT).words * sizeof(uint32_t)

struct bench {
    struct given of[4];
    unsigned count, handed, asked;
    volatile int attention, late; /* late: the last one is handed in when attention was asked for */
    pthread_t thread;
    uint64_t clock;
};

static void fill(struct given *g)
{
    uint64_t at = (uint64_t)(uintptr_t)flags;

    gcnsim_raw_init(&g->raw);
    g->sgprs[0] = (uint32_t)at;
    g->sgprs[1] = (uint32_t)(at >> 32);
    g->sgprs[2] = g->own;
    g->sgprs[3] = g->other;
    gcnsim_range_init(&g->ranges[0]);
    g->ranges[0].address = at;
    g->ranges[0].bytes = sizeof flags;
    g->ranges[0].writable = 1;
    g->raw.target = "gfx90a";
    g->raw.engine = GCNSIM_ENGINE_TIMING;
    g->raw.entry = (uint64_t)(uintptr_t)g->code;
    g->raw.code_size = g->bytes;
    g->raw.wave_size = 64;
    g->raw.workgroup_size[0] = 64;
    g->raw.compute_pgm_rsrc1 = 1 | 3 << 6; /* 16 VGPRs, 32 SGPRs */
    g->raw.compute_pgm_rsrc2 = 4 << 1;     /* 4 user SGPRs */
    g->raw.compute_pgm_rsrc3 = 3;          /* AccVGPRs begin after 16 VGPRs */
    g->raw.user_sgprs = g->sgprs;
    g->raw.user_sgpr_count = 4;
    g->raw.samples = 1;
    g->raw.ranges = g->ranges;
    g->raw.range_count = 1;
}

static void *ring(void *arg)
{
    struct bench *b = arg;

    b->attention = 1;
    return NULL;
}

static uint64_t ask(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    struct bench *b = ctx;
    unsigned upto = b->late && !b->attention ? b->count - 1 : b->count;
    struct gcnsim_error e;

    (void)idle;
    assert_true(now >= b->clock);
    b->clock = now;
    b->attention = 0;
    for (; b->handed < upto; b->handed++) {
        struct given *g = &b->of[b->handed];

        fill(g);
        if (gcnsim_feed_raw(to, &g->raw, g->start, g, &e) != GCNSIM_OK) {
            g->outcome = -1;
            strcpy(g->message, e.text);
        }
    }
    if (b->late && !b->asked++)
        assert_int_equal(pthread_create(&b->thread, NULL, ring, b), 0);
    return GCNSIM_FEED_NEVER;
}

/* The samples of a launch among others are of its cycles, and of what its own waves did. */
static void check_samples(const struct gcnsim_result *r)
{
    const struct gcnsim_samples *s = r->samples;
    double cycles = (double)s->first_cycles, waves = 0;

    assert_non_null(s);
    for (size_t n = 1; n < s->count; n++)
        cycles += (double)(n + 1 == s->count ? s->last_cycles : s->interval_cycles);
    assert_true(cycles == (double)result_stat(r, "cycles"));
    for (size_t k = 0; k < s->series_count; k++)
        for (size_t n = 0; n < s->count && strncmp(s->series[k].name, "stall_cycles.", 13) == 0; n++)
            waves += s->series[k].values[n];
    assert_true(waves == (double)result_stat(r, "resident_wave_cycles"));
}

static void ended(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error)
{
    struct given *g = id;

    (void)ctx;
    g->ended = now;
    g->outcome = result ? (int)result->outcome : -1;
    if (error)
        strcpy(g->message, error->text);
    else if (result->outcome == GCNSIM_FAULTED)
        strncpy(g->message, result->fault->message, sizeof g->message - 1);
    if (result) {
        g->cycles = result_stat(result, "cycles");
        check_samples(result);
    }
    gcnsim_result_free(result);
}

static void run(struct bench *b)
{
    struct gcnsim_error e = {0};
    struct gcnsim_feed f;
    struct gcnsim *sim;

    memset(flags, 0, sizeof flags);
    assert_int_equal(gcnsim_open(&sim, "gfx90a", &e), GCNSIM_OK);
    gcnsim_feed_init(&f);
    f.ctx = b;
    f.ask = ask;
    f.ended = ended;
    f.attention = &b->attention;
    if (gcnsim_run_feed(sim, &f, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_true(gcnsim_device_clock(sim) >= b->clock);
    gcnsim_close(sim);
}

#define GIVEN(TEXT, OWN, OTHER, START)                                                                                 \
    {                                                                                                                  \
        CODE(TEXT), .own = OWN, .other = OTHER, .start = START                                                         \
    }

static void two_meet(void **state)
{
    uint64_t first[2] = {0};

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct bench b = {.of = {GIVEN(meet, 0, 128, 0), GIVEN(meet, 128, 0, 20000)}, .count = 2};

        run(&b);
        for (unsigned k = 0; k < 2; k++) {
            assert_string_equal(b.of[k].message, "");
            assert_int_equal(b.of[k].outcome, GCNSIM_COMPLETED);
            assert_true(!n || b.of[k].cycles == first[k]);
            first[k] = b.of[k].cycles;
        }
        assert_true(b.of[0].cycles > 20000);
        assert_true(b.of[1].cycles < 20000);
        assert_true(b.of[1].ended >= 20000 + b.of[1].cycles);
    }
}

/* A launch that comes while another one waits for it. */
static void attention(void **state)
{
    struct bench b = {.of = {GIVEN(meet, 0, 128, 0), GIVEN(meet, 128, 0, 0)}, .count = 2, .late = 1};

    (void)state;
    run(&b);
    pthread_join(b.thread, NULL);
    assert_int_equal(b.of[0].outcome, GCNSIM_COMPLETED);
    assert_int_equal(b.of[1].outcome, GCNSIM_COMPLETED);
}

/* One faults and one cannot be run at all, beside two that meet. */
static void each_has_its_end(void **state)
{
    struct bench b = {.of = {GIVEN(meet, 0, 128, 0),
                             GIVEN(wild, 0, 0, 0),
                             GIVEN(meet, 128, 0, 5000),
                             {.code = assemble("gfx90a", meet).word, .bytes = 2}},
                      .count = 4};

    (void)state;
    run(&b);
    assert_int_equal(b.of[0].outcome, GCNSIM_COMPLETED);
    assert_int_equal(b.of[1].outcome, GCNSIM_FAULTED);
    assert_non_null(strstr(b.of[1].message, "global_load_dword"));
    assert_true(b.of[1].ended < b.of[2].ended);
    assert_int_equal(b.of[2].outcome, GCNSIM_COMPLETED);
    assert_int_equal(b.of[3].outcome, -1);
    assert_non_null(strstr(b.of[3].message, "code bytes"));
}

/* loads a dword at s[0:1] for each lane */
static const char load[] = "v_lshlrev_b32 v0, 2, v0; global_load_dword v1, v0, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";

/* stores a dword there, without a load */
static const char store[] = "v_lshlrev_b32 v0, 2, v0; global_store_dword v0, v0, s[0:1]; s_endpgm";

/* V and P of resource 5 of global wave sync */
static const char give[] = "s_mov_b32 m0, 0x30000; ds_gws_sema_v offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char take[] = "s_mov_b32 m0, 0x30000; ds_gws_sema_p offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";

/* What has no meaning without time, or is left to the device. */
static void refuse_warming(struct gcnsim_feeding *to, struct gcnsim_raw raw)
{
    struct gcnsim_wave_view wave = {0};
    struct gcnsim_on_timeline timeline = {.struct_bytes = sizeof timeline, .wave = &wave};
    struct gcnsim_result *result = NULL;
    struct gcnsim_error e = {0};
    struct gcnsim_att att;

    gcnsim_att_init(&att);
    att.folder = "/nonexistent/att";
    raw.att = &att;
    assert_int_equal(gcnsim_feed_warm(to, &raw, &result, &e), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(e.text, "a thread trace is of the timing engine"));
    raw.att = NULL;
    raw.timeline = &timeline;
    assert_int_equal(gcnsim_feed_warm(to, &raw, &result, &e), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(e.text, "a timeline is of the timing engine"));
    raw.timeline = NULL;
    raw.cold = 1;
    assert_int_equal(gcnsim_feed_warm(to, &raw, &result, &e), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(e.text, "is not cold"));
    assert_null(result);
}

/* A launch without time between two with it. */
struct between {
    struct given of[2], warms;
    unsigned handed, ended;
    bool warmed;
    enum gcnsim_fence release; /* of the one that warms; the others release to the host */
    uint64_t misses, released;
    struct gcnsim_error refused[2];
};

static uint64_t ask_between(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    struct between *b = ctx;
    struct gcnsim_result *result = NULL;
    struct gcnsim_error e;

    (void)now, (void)idle;
    if (b->handed == 1 && b->ended == 1 && b->warmed) {
        fill(&b->warms);
        b->warms.raw.samples = 0;
        assert_int_equal(gcnsim_feed_warm(to, &b->warms.raw, &result, &b->refused[0]), GCNSIM_ERROR_USAGE);
        b->warms.raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
        b->warms.raw.check = 1;
        assert_int_equal(gcnsim_feed_warm(to, &b->warms.raw, &result, &b->refused[1]), GCNSIM_ERROR_USAGE);
        assert_null(result);
        b->warms.raw.check = 0;
        refuse_warming(to, b->warms.raw);
        b->warms.raw.visits = 1;
        b->warms.raw.per_instruction = 1; /* not looked at, as on the functional engine elsewhere: */
        b->warms.raw.samples = 64;
        b->warms.raw.tick_every_cycle = 1;
        b->warms.raw.threads = 7;
        b->warms.raw.release = b->release;
        if (gcnsim_feed_warm(to, &b->warms.raw, &result, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
        size_t count;
        const struct gcnsim_visit *v = gcnsim_result_visits(result, &count);
        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        assert_false(result->has_instructions || result->samples);
        assert_int_equal(result_stat(result, "instructions.total"), count);
        assert_int_equal(count, b->warms.code == assemble("gfx90a", store).word ? 3 : 4);
        assert_true(v[0].pc == b->warms.raw.entry && v[0].executed == 1);
        gcnsim_result_free(result);
    }
    if (b->handed < 2 && b->handed == b->ended) {
        struct given *g = &b->of[b->handed++];

        fill(g);
        g->raw.release = GCNSIM_FENCE_SYSTEM;
        if (gcnsim_feed_raw(to, &g->raw, g->start, g, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
    }
    return GCNSIM_FEED_NEVER;
}

static void ended_between(void *ctx, void *id, uint64_t now, struct gcnsim_result *result,
                          const struct gcnsim_error *error)
{
    struct between *b = ctx;

    (void)id, (void)now;
    assert_null(error);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    b->ended++;
    b->misses = result_stat(result, "cache.l2.misses");
    b->released = result_stat(result, "dispatch.release_lines");
    gcnsim_result_free(result);
}

static void run_between(struct between *b)
{
    struct gcnsim_feed f;
    struct gcnsim_error e;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &e), GCNSIM_OK);
    gcnsim_feed_init(&f);
    f.ctx = b;
    f.ask = ask_between;
    f.ended = ended_between;
    assert_int_equal(gcnsim_run_feed(sim, &f, &e), GCNSIM_OK);
    assert_int_equal(b->ended, 2);
    if (b->warmed) {
        assert_non_null(strstr(b->refused[0].text, "functional engine"));
        assert_non_null(strstr(b->refused[1].text, "not checked"));
    }
    gcnsim_close(sim);
}

/* The misses of a second launch in L2. */
static uint64_t misses_behind(bool warmed)
{
    /* the first one is of other lines */
    struct between b = {.of = {{CODE(nothing)}, {CODE(load)}}, .warms = {CODE(load)}, .warmed = warmed};

    run_between(&b);
    return b.misses;
}

/* The second one finds in L2 what has been loaded without time: 256 bytes, two lines. */
static void warms(void **state)
{
    (void)state;
    uint64_t cold = misses_behind(false), warm = misses_behind(true);

    if (cold != warm + 2)
        fail_msg("%llu misses, %llu behind one that warms", (unsigned long long)cold, (unsigned long long)warm);
}

/* Data stored without time are in L2 until somebody releases it: that launch, or the one after it. */
static void warming_releases(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct between b = {.of = {{CODE(nothing)}, {CODE(nothing)}},
                            .warms = {CODE(store)},
                            .warmed = true,
                            .release = k ? GCNSIM_FENCE_SYSTEM : GCNSIM_FENCE_AGENT};

        run_between(&b);
        assert_int_equal(b.released, k ? 0 : 2);
    }
}

/* Its counters of global wave sync are the device's: it takes what was given in time, and the other way round. */
static void warming_shares_gws(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct between b = {.of = {{CODE(k ? give : nothing)}, {CODE(k ? nothing : take)}},
                            .warms = {CODE(k ? take : give)},
                            .warmed = true};

        run_between(&b);
    }
}

static void usage(void **state)
{
    struct gcnsim_feed f;
    struct gcnsim_error e;
    struct gcnsim *sim;

    (void)state;
    assert_int_equal(gcnsim_open(&sim, "gfx90a", NULL), GCNSIM_OK);
    gcnsim_feed_init(&f);
    assert_int_equal(gcnsim_run_feed(sim, &f, &e), GCNSIM_ERROR_USAGE);
    memset(&f, 0, sizeof f);
    assert_int_equal(gcnsim_run_feed(sim, &f, &e), GCNSIM_ERROR_USAGE);
    gcnsim_close(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meet), cmocka_unit_test(attention),        cmocka_unit_test(each_has_its_end),
        cmocka_unit_test(warms),    cmocka_unit_test(warming_releases), cmocka_unit_test(warming_shares_gws),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
