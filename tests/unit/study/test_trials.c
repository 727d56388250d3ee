/* gcnsim_explain() and gcnsim_whatif() of a launch whose trials are made up here: how many cycles each takes follows
 * from the figures that it sets alone, and what is said of them is kept word by word in tests/unit/study/words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/explain.h"
#include "tests/support/words.h"

enum { INSTS = 5 };

/* What the trials do. */
struct launch_of_tests {
    const char *fails;     /* a set whose trial is an error */
    const char *stops;     /* one whose trial ends by a limit */
    const char *differs;   /* one that executes another instruction */
    const char *writes;    /* one that leaves other values */
    bool no_digest;        /* what trials leave is not known */
    bool value_cycles;     /* a trial takes as many cycles as the value of its first set says, the launch 1000 */
    int outcome;           /* of the launch as it is */
    uint32_t warmup, runs; /* as the trials have it; how many there were */
};

static unsigned figure(const char *text)
{
    unsigned n = 7;

    for (; *text; text++)
        n = (31 * n + (uint8_t)*text) % 97;
    return n;
}

static bool has(const struct gcnsim_trial *t, const char *set)
{
    for (size_t k = 0; set && k < t->set_count; k++)
        if (strcmp(t->sets[k], set) == 0)
            return true;
    return false;
}

/* Every set saves some of 1000 cycles, and of an instruction's; those of the front end cost some. */
static struct report *make(const struct launch_of_tests *l, const struct gcnsim_trial *t)
{
    static const char *const text[INSTS] = {"s_load_dword s0, s[4:5], 0x0", "s_waitcnt lgkmcnt(0)",
                                            "global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)", "s_endpgm"};
    struct report *r = calloc(1, sizeof *r);
    int saved = 0;

    assert_non_null(r);
    arena_init(&r->arena, 0);
    for (size_t k = 0; k < t->set_count; k++)
        saved += (strncmp(t->sets[k], "frontend.", 9) == 0 ? -1 : 1) * (int)(figure(t->sets[k]) % 50);
    r->run = (struct report_run){.kernel = "kernel", .plain = "kernel", .timing = true, .grid = {640, 1, 1}};
    r->message = "";
    r->target = "gfx90a";
    r->profile = "gfx90a-mi210";
    r->workgroup[0] = 64, r->workgroup[1] = r->workgroup[2] = 1;
    r->workgroups = r->waves = 10;
    r->outcome = has(t, l->stops) ? ENGINE_LIMIT : t->set_count ? ENGINE_DONE : (enum engine_outcome)l->outcome;
    if (r->outcome != ENGINE_DONE)
        r->message = "a limit of cycles";
    for (unsigned k = 0; k < STATS; k++) {
        r->present[k] = true;
        r->value[k] = stat_row[k].kind == STAT_KIND_RATIO ? 0.5 : 100;
    }
    r->value[stat_find("cycles")] = 1000 - saved;
    if (l->value_cycles)
        r->value[stat_find("cycles")] = t->set_count ? atof(strchr(t->sets[0], '=') + 1) : 1000;
    r->value[stat_find("instructions.total")] = has(t, l->differs) ? 51 : 50;
    if (!t->per_instruction)
        return r;
    r->has_insts = true;
    r->inst_count = INSTS;
    r->inst = ARENA_NEW(&r->arena, INSTS, struct report_inst);
    assert_non_null(r->inst);
    for (unsigned k = 0; k < INSTS; k++) {
        uint64_t *stat = ARENA_NEW(&r->arena, STAT_INST_ALL, uint64_t);

        assert_non_null(stat);
        stat[STAT_INST_EXECUTED] = 10;
        stat[STAT_INST_STALL + STALL_ISSUED] = 40;
        stat[STAT_INST_STALL + (k % 2 ? STALL_BARRIER : STALL_FETCH)] =
            (uint64_t)(1000 * ((int)k + 1) - saved * (1 + (int)k % 4));
        r->inst[k] = (struct report_inst){0x1600 + 4 * k, 0x600 + 4 * k, text[k], stat, {0}, {0}};
    }
    return r;
}

static int run(void *ctx, const struct gcnsim_trial *t, struct gcnsim_result **result, uint64_t *digest,
               struct gcnsim_error *error)
{
    struct launch_of_tests *l = ctx;

    l->runs++;
    l->warmup = t->warmup;
    if (has(t, l->fails)) {
        snprintf(error->text, sizeof error->text, "no such chip");
        return error->code = GCNSIM_ERROR_UNSUPPORTED;
    }
    *digest = l->no_digest && !has(t, l->writes) ? 0 : has(t, l->writes) ? 6 : 5;
    *result = api_result(make(l, t));
    return *result ? GCNSIM_OK : GCNSIM_ERROR_NOMEM;
}

static struct gcnsim *open_simulator(void)
{
    struct gcnsim_error e = {0};
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a-mi210", &e), GCNSIM_OK);
    return sim;
}

static void expect(const char *name, char *text)
{
    expect_words("tests/unit/study/words", name, text);
    gcnsim_free(text);
}

static void expect_whatif(struct gcnsim_whatif_options *o, const char *name)
{
    struct gcnsim_whatif *w = NULL;
    struct gcnsim_error e = {0};
    char *text[3], path[64];

    if (gcnsim_whatif(o, &w, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    w->seconds = w->base_seconds = 0;
    assert_int_equal(gcnsim_whatif_text(w, &text[0], &e), GCNSIM_OK);
    assert_int_equal(gcnsim_whatif_json(w, &text[1], &e), GCNSIM_OK);
    assert_int_equal(gcnsim_whatif_csv(w, &text[2], &e), GCNSIM_OK);
    for (unsigned k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s_%s", name, (const char *const[]){"text", "json", "csv"}[k]);
        expect(path, text[k]);
    }
    gcnsim_whatif_free(w);
}

static void sweeps_of_figures(void **state)
{
    static const char *const sweeps[] = {"dram.bytes_per_cycle=64,128,256", "cache.l2.mshrs=8,16,32,64",
                                         "frontend.launch_latency_cycles=4,5"};
    struct launch_of_tests l = {.fails = "cache.l2.mshrs=16",
                                .stops = "cache.l2.mshrs=32",
                                .differs = "dram.bytes_per_cycle=128",
                                .writes = "dram.bytes_per_cycle=256"};
    struct gcnsim *sim = open_simulator();
    struct gcnsim_whatif_options o;

    (void)state;
    gcnsim_whatif_options_init(&o);
    o.run = run;
    o.ctx = &l;
    o.sim = sim;
    o.sweeps = sweeps;
    o.sweep_count = 3;
    o.jobs = 1;
    o.warmup = 2;
    expect_whatif(&o, "whatif");
    assert_int_equal(l.runs, 1 + 3 + 4 + 2);
    assert_int_equal(l.warmup, 2);
    l.runs = 0;
    o.cross = 1;
    o.sweep_count = 2;
    o.warmup = 0;
    expect_whatif(&o, "whatif_cross");
    assert_int_equal(l.runs, 1 + 3 * 4);
    gcnsim_close(sim);
}

/* The figure between whose values the launch changes most comes first, whichever way it changes; of two that change as
 * much, the first by name. The launch as it is is one of the values. */
static void the_most_sensitive_figure(void **state)
{
    static const char *const sweeps[] = {
        "cache.l2.mshrs=1050,1100", /* 0 to 10 % */
        "cache.i.mshrs=700,800",    /* -30 to 0 % */
        "cache.vl0.mshrs=960,1150", /* -4 to 15 % */
        "dram.bytes_per_cycle=900,1100",
        "cache.k.mshrs=900,1100",              /* -10 to 10 % */
        "frontend.launch_latency_cycles=1000", /* none */
    };
    static const struct {
        const char *path;
        double least, most;
    } axes[] = {{"cache.i.mshrs", -0.3, 0},          {"cache.k.mshrs", -0.1, 0.1},
                {"dram.bytes_per_cycle", -0.1, 0.1}, {"cache.vl0.mshrs", -0.04, 0.15},
                {"cache.l2.mshrs", 0, 0.1},          {"frontend.launch_latency_cycles", 0, 0}};
    struct launch_of_tests l = {.value_cycles = true};
    struct gcnsim *sim = open_simulator();
    struct gcnsim_whatif_options o;
    struct gcnsim_whatif *w = NULL;
    struct gcnsim_error e = {0};

    (void)state;
    gcnsim_whatif_options_init(&o);
    o.run = run;
    o.ctx = &l;
    o.sim = sim;
    o.sweeps = sweeps;
    o.sweep_count = sizeof sweeps / sizeof *sweeps;
    o.jobs = 1;
    if (gcnsim_whatif(&o, &w, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_int_equal(w->axis_count, o.sweep_count);
    for (size_t k = 0; k < w->axis_count; k++) {
        assert_string_equal(w->axes[k].path, axes[k].path);
        assert_float_equal(w->axes[k].least, axes[k].least, 1e-9);
        assert_float_equal(w->axes[k].most, axes[k].most, 1e-9);
    }
    gcnsim_whatif_free(w);
    gcnsim_close(sim);
}

/* Other values are noted where it is known what the launch leaves, and what the trial does. */
static void values_that_are_not_known(void **state)
{
    static const char *const sweeps[] = {"cache.l2.mshrs=8,16"};
    struct gcnsim *sim = open_simulator();
    struct gcnsim_whatif_options o;

    (void)state;
    gcnsim_whatif_options_init(&o);
    o.run = run;
    o.sim = sim;
    o.sweeps = sweeps;
    o.sweep_count = 1;
    o.jobs = 1;
    for (unsigned known = 0; known < 2; known++) {
        struct launch_of_tests l = {.no_digest = !known, .writes = "cache.l2.mshrs=16"};
        struct gcnsim_whatif *w = NULL;
        struct gcnsim_error e = {0};

        o.ctx = &l;
        assert_int_equal(gcnsim_whatif(&o, &w, &e), GCNSIM_OK);
        assert_string_equal(w->points[0].note, "");
        assert_int_equal(*w->points[1].note != 0, known);
        gcnsim_whatif_free(w);
    }
    gcnsim_close(sim);
}

static void expect_error(const struct gcnsim_whatif_options *o, int code, const char *says)
{
    struct gcnsim_whatif *w = NULL;
    struct gcnsim_error e = {0};

    assert_int_equal(gcnsim_whatif(o, &w, &e), code);
    assert_null(w);
    if (!strstr(e.text, says))
        fail_msg("'%s' lacks '%s'", e.text, says);
}

static int stop(void *ctx, uint64_t done, uint64_t all)
{
    int *flag = ctx;

    assert_int_equal(all, 4);
    *flag = done == 2;
    return *flag;
}

static void errors_of_sweeps(void **state)
{
    static const struct {
        const char *sweep[2], *says;
    } bad[] = {
        {{"cu.simds"}, "'cu.simds'; expected PATH=VALUE"},
        {{"=4"}, "'=4'; expected PATH=VALUE"},
        {{"cu.simds="}, "'cu.simds='; expected PATH=VALUE"},
        {{"cu.simds=1,,2"}, "'cu.simds=1,,2': a value is empty"},
        {{"cu.simds=1,"}, "'cu.simds=1,': a value is empty"},
        {{"cu.simds=1", "cu.simds=2"}, "cu.simds is swept twice"},
        {{"cu.simd=1"}, "the point cu.simd=1: "},
    };
    struct launch_of_tests l = {.outcome = ENGINE_DONE};
    struct gcnsim *sim = open_simulator(), *bare;
    struct gcnsim_whatif_options o;
    struct gcnsim_error e = {0};
    int flag = 0;

    (void)state;
    assert_int_equal(gcnsim_open(&bare, NULL, &e), GCNSIM_OK);
    gcnsim_whatif_options_init(&o);
    o.run = run;
    o.ctx = &l;
    o.sim = sim;
    o.jobs = 1;
    expect_error(&o, GCNSIM_ERROR_USAGE, "options without run, sim or a sweep");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        o.sweeps = bad[k].sweep;
        o.sweep_count = bad[k].sweep[1] ? 2 : 1;
        expect_error(&o, GCNSIM_ERROR_USAGE, bad[k].says);
    }
    assert_int_equal(l.runs, 0);
    o.sweeps = (const char *const[]){"cache.l2.mshrs=1,2,4"};
    o.sweep_count = 1;
    o.sim = bare;
    expect_error(&o, GCNSIM_ERROR_USAGE, "the launch has no profile");
    o.sim = sim;
    l.outcome = ENGINE_LIMIT;
    expect_error(&o, GCNSIM_ERROR_RUN_LIMIT, "a limit of cycles; expected a launch that runs to its end");
    l.outcome = ENGINE_FAULT;
    expect_error(&o, GCNSIM_ERROR_FAULT, "expected a launch that runs to its end");
    l.outcome = ENGINE_INTERRUPTED;
    expect_error(&o, GCNSIM_ERROR_INTERRUPTED, "expected a launch that runs to its end");
    l.outcome = ENGINE_DONE;
    l.runs = 0;
    o.progress = stop;
    o.progress_ctx = &flag;
    o.abort_flag = &flag;
    expect_error(&o, GCNSIM_ERROR_INTERRUPTED, "interrupted after 2 of 4 simulations");
    assert_int_equal(l.runs, 2);
    gcnsim_close(bare);
    gcnsim_close(sim);
}

static void causes_of_a_launch(void **state)
{
    static const char *const only[] = {"latency.*", "rate.*", "mshrs", "translation", "occupancy", "fabric", "waits"};
    struct launch_of_tests l = {.fails = "tlb.utcl1_entries=0",
                                .stops = "cu.lds_bytes=1048576",
                                .differs = "cache.vl0.hit_latency_cycles=1",
                                .writes = "ideal.no_waits=true"};
    struct gcnsim *sim = open_simulator();
    struct gcnsim_explain_options o;
    struct gcnsim_explanation *x = NULL;
    struct gcnsim_error e = {0};
    char *text, *json;

    (void)state;
    gcnsim_explain_options_init(&o);
    o.run = run;
    o.ctx = &l;
    o.sim = sim;
    o.jobs = 1;
    o.warmup = 1;
    o.only = only;
    o.only_count = sizeof only / sizeof *only;
    if (gcnsim_explain(&o, &x, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_int_equal(x->simulations, l.runs);
    x->seconds = x->base_seconds = 0;
    assert_int_equal(gcnsim_explanation_text(x, &text, &e), GCNSIM_OK);
    assert_int_equal(gcnsim_explanation_json(x, &json, &e), GCNSIM_OK);
    expect("explain_text", text);
    expect("explain_json", json);
    gcnsim_explanation_free(x);
    gcnsim_close(sim);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_of_figures),         cmocka_unit_test(the_most_sensitive_figure),
        cmocka_unit_test(values_that_are_not_known), cmocka_unit_test(errors_of_sweeps),
        cmocka_unit_test(causes_of_a_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
