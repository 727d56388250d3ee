/* The summary at the end of a process, of dispatches that are made up: as files of tests/unit/hsa/words have it. */
#define _GNU_SOURCE
#include "tests/unit/hsa/sink_fixture.h"

#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/sinks/report.h"
#include "sim/hsa/sinks/report_sinks.h"
#include "sim/hsa/sinks/timeline.h"
#include "sim/hsa/sinks/views.h"
#include "tests/support/words.h"

#define WORDS "tests/unit/hsa/words"

static struct exec_options *options(void)
{
    return &rt_any()->options;
}

/* The log without the host's seconds and the process's number. To be freed. */
static char *summary(void)
{
    char *log = take_log(), *to = log, pid[32];
    const size_t digits = (size_t)snprintf(pid, sizeof pid, "/%ld_", (long)getpid()) - 2;

    for (const char *at = log; *at;) {
        size_t number = strspn(at, "0123456789.");
        bool is_pid = at > log && strncmp(at - 1, pid, digits + 2) == 0;

        if (is_pid || (number && strncmp(at + number, " s of this host", 15) == 0)) {
            assert_true(is_pid || strtod(at, NULL) < 3600); /* a test takes no hours */
            *to++ = '#';
            at += is_pid ? digits : number;
        } else {
            *to++ = *at++;
        }
    }
    *to = 0;
    return log;
}

static void expect_summary(const char *name)
{
    char *log = summary();

    expect_words(WORDS, name, log);
    free(log);
}

/* What is said of fidelity, by what a result of a launch says of itself. */
static void fidelity(void **state)
{
    static const struct gcnsim_fidelity_instruction instructions[] = {
        {.semantics = "exact", .count = 1000, .ulp = 0},       {.semantics = "approximate", .count = 30, .ulp = 1},
        {.semantics = "approximate", .count = 40, .ulp = 2},   {.semantics = "approximate", .count = 50, .ulp = -1},
        {.semantics = "approximate", .count = 60, .ulp = 1e9}, {.semantics = "approximate", .count = 7, .ulp = 1.5}};
    static const struct gcnsim_fidelity_timing timings[] = {{.timing = "documented", .share = 0.25},
                                                            {.timing = "measured", .share = 0},
                                                            {.timing = "inferred", .share = 0.5},
                                                            {.timing = "guess", .share = 0.2},
                                                            {.timing = "none", .share = 0.05}};
    static const struct gcnsim_fidelity_figure figures[] = {{"a.tiny", "guess", 0.0004},   {"b.half", "inferred", 0.5},
                                                            {"c.some", "guess", 0.05},     {"d.more", "guess", 0.06},
                                                            {"e.same", "guess", 0.05},     {"f.least", "guess", 0.01},
                                                            {"g.sure", "documented", 0.25}};
    struct gcnsim_result *result = vecadd(1);
    struct gcnsim_fidelity *f = (struct gcnsim_fidelity *)(uintptr_t)gcnsim_result_fidelity(result), was = *f;

    (void)state;
    f->instructions = instructions;
    f->instruction_count = 6;
    f->executed = 2000;
    f->approximate = 187;
    f->wave_cycles = 10000;
    f->timings = timings;
    f->timing_count = 5;
    f->figures = figures;
    f->figure_count = 7;
    fidelity_dispatch(&(struct dispatch_record){.result = result});
    fidelity_tell();
    expect_summary("fidelity");
    f->instruction_count = 0;
    f->executed = 10;
    f->approximate = 0;
    f->wave_cycles = 1000000; /* a launch in which others count */
    f->figures = figures + 6;
    f->figure_count = 1;
    f->timing_count = 1;
    fidelity_dispatch(&(struct dispatch_record){.result = result});
    fidelity_tell();
    expect_summary("fidelity_of_two");
    *f = was;
    gcnsim_result_free(result);
}

/* Dispatches of so many kernels of some nanoseconds each, of which the first is called often. */
static void dispatch_kernels(unsigned kernels)
{
    struct gcnsim_kernel_info info = {.name = "text", .symbol = "that goes", .vgprs = 8};

    for (unsigned k = 0; k < kernels; k++) {
        char name[80];

        snprintf(name, sizeof name,
                 k == 1   ? "_Z27a_kernel_with_a_long_name_%02uv"
                 : k == 2 ? "exactly_27_characters_is_ok"
                          : "k%u",
                 k);
        for (unsigned n = 0; n < (k ? 1u : 3u); n++)
            report_dispatch(&(struct dispatch_record){.kernel = name,
                                                      .info = k == 3 ? NULL : &info,
                                                      .start_ns = 1000 * k,
                                                      .end_ns = 1000 * k + 100 * (k == 1 ? 20 : k + 1),
                                                      .native = k == 4,
                                                      .has_gap = k == 5 || k == 6,
                                                      .gap_ns = k * 10,
                                                      .sample = {.cycles = k == 7 ? 100 : 0}});
    }
}

/* What a launch of the timing engine adds: its limiter's verdict, findings, and whether it ended. */
static void dispatch_result(const char *kernel, uint32_t vgprs, const char *verdict, double cycles, int outcome)
{
    struct gcnsim_result *result = vecadd(1), own = *result;
    struct gcnsim_limiter limiter = {.verdict = verdict};
    struct gcnsim_stat stat = {.name = "cycles", .unit = "cycles", .value = cycles, .present = 1};
    struct gcnsim_finding findings[] = {{.rule = "bounds.page", .count = 5}, {.rule = "race.lds", .count = 9}};
    struct gcnsim_kernel_info info = {.vgprs = vgprs};
    struct gcnsim_fidelity *f = (struct gcnsim_fidelity *)(uintptr_t)gcnsim_result_fidelity(result), was = *f;

    result->limiter = verdict ? &limiter : NULL;
    result->stats = &stat;
    result->stat_count = 1;
    result->findings = findings;
    result->finding_count = 2;
    result->outcome = outcome;
    *f = (struct gcnsim_fidelity){0}; /* the test before has that */
    report_dispatch(&(struct dispatch_record){
        .kernel = kernel, .info = &info, .start_ns = 5, .end_ns = 2005, .timing = true, .result = result});
    *f = was;
    result->limiter = own.limiter;
    result->stats = own.stats;
    result->stat_count = own.stat_count;
    result->findings = own.findings;
    result->finding_count = own.finding_count;
    gcnsim_result_free(result);
}

static void summaries(void **state)
{
    static const char long_verdict[] =
        "waves wait for memory in 57 % of their cycles; the rest of the time they compute, "
        "and more of it would be hidden by more waves on each SIMD";

    (void)state;
    report_end(NULL); /* of nothing, where nothing is wanted: no line */
    options()->summary = true;
    report_end(NULL);
    char *log = summary();
    assert_string_equal(log, "");
    free(log);
    dispatch_kernels(1);
    assert_int_equal(report_count(), 3);
    report_end(NULL);
    expect_summary("summary_of_one");
    report_end(NULL); /* it has been said */
    log = summary();
    assert_string_equal(log, "");
    free(log);
    dispatch_kernels(12);
    dispatch_result("k0", 8, "it is too small", 100, GCNSIM_COMPLETED);
    dispatch_result("k0", 8, "a shorter launch says something else", 99, GCNSIM_COMPLETED);
    dispatch_result("k9", 8, long_verdict, 10, GCNSIM_LIMIT);
    dispatch_result("k9", 16, NULL, 10, GCNSIM_COMPLETED); /* another kernel of that name */
    report_end(NULL);
    expect_summary("summary");
    dispatch_kernels(14);
    options()->common.details = true;
    options()->csv = "traces";
    report_end(NULL);
    expect_summary("summary_details");
    options()->common.details = false;
    options()->csv = NULL;
    options()->summary = false;
}

/* ---- views ---- */

/* Which dispatches the views are of, and what their launches are asked for. */
static void chosen(void **state)
{
    static const struct {
        const char *of;
        bool timeline, annotate, per_instruction;
        uint32_t samples;
        bool viewed[3], watched[3]; /* of kernels a, b, b in a row */
    } rows[] = {
        {NULL, false, false, false, 0, {true, true, true}, {false, false, false}},
        {NULL, false, true, false, 7, {true, true, true}, {false, false, false}},
        {NULL, true, false, true, 0, {true, true, true}, {true, false, false}}, /* the first of all */
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct launch_options *o = &options()->common;
        char why[200];

        options()->of = rows[k].of;
        o->timeline.given = rows[k].timeline;
        o->timeline.workgroup = 11;
        o->timeline.wave = 12;
        o->timeline_rows.first = 5;
        o->timeline_rows.end = 25;
        o->annotate = rows[k].annotate;
        o->per_instruction = rows[k].per_instruction;
        o->samples = rows[k].samples;
        assert_true(views_begin(rt_any(), why, sizeof why));
        for (unsigned n = 0; n < 3; n++) {
            struct kernel kernel = {.info = {.name = n ? "b" : "a"}};
            struct dispatch_watch watch = {.wave = {.rows = 77}};
            struct dispatch d = {.kernel = &kernel, .watch = &watch};
            bool watched = views_add(&d);

            if (watched != rows[k].watched[n] || d.viewed != rows[k].viewed[n])
                fail_msg("row %zu, dispatch %u", k, n);
            assert_int_equal(d.raw.per_instruction, rows[k].annotate || rows[k].per_instruction);
            assert_int_equal(d.raw.samples, rows[k].samples);
            if (watched)
                assert_true(watch.wave.workgroup == 11 && watch.wave.wave == 12 && watch.wave.first_row == 5 &&
                            watch.wave.rows == 20);
            else
                assert_int_equal(watch.wave.rows, 77);
        }
        o->timeline.given = o->annotate = o->per_instruction = false;
        o->samples = 0;
    }
    struct kernel kernel = {.info = {.name = "k"}};
    struct dispatch_watch watch = {.wave = {.text = NULL}};
    struct dispatch d = {.kernel = &kernel, .watch = &watch, .number = 6};
    views_wave(&d);
    watch.wave.text = strdup("a wave's lines\n");
    views_wave(&d);
    assert_null(watch.wave.text);
    char *log = take_log();
    assert_string_equal(log, "gcnsim: dispatch 6, kernel k:\na wave's lines\n");
    free(log);
}

/* ---- timelines ---- */

/* A dispatch is on the process's timeline under its queue's name, and asks for a view of a wave where one is wanted. */
static void timelines(void **state)
{
    struct kernel kernel = {.info = {.name = "k"}};
    struct queue queue = {.number = 12};
    struct dispatch_watch watch = {.queue = "untouched"};
    struct dispatch d = {.kernel = &kernel, .queue = &queue, .watch = &watch, .number = 34};
    char why[300] = "";

    (void)state;
    assert_true(timeline_begin(rt_any(), why, sizeof why)); /* none is wanted */
    assert_null(timeline_end());
    timeline_add(&d, false);
    assert_null(d.raw.timeline);
    assert_string_equal(watch.queue, "untouched");
    timeline_add(&d, true);
    assert_ptr_equal(d.raw.timeline, &watch.timeline);
    assert_ptr_equal(watch.timeline.wave, &watch.wave);
    assert_null(watch.timeline.timeline);
    options()->trace = "/no/folder/%p";
    assert_false(timeline_begin(rt_any(), why, sizeof why));
    assert_memory_equal(why, "GCNSIM_TRACE: ", 14);
    options()->trace = in_folder("timeline.pftrace");
    assert_true(timeline_begin(rt_any(), why, sizeof why));
    timeline_add(&d, false);
    assert_true(watch.timeline.timeline && !watch.timeline.wave && watch.timeline.waves == 1);
    assert_true(watch.timeline.number == 34 && watch.timeline.queue == watch.queue);
    assert_string_equal(watch.queue, "queue 12");
    assert_string_equal(watch.timeline.kernel, "k");
    for (unsigned k = 0; k < 2; k++)
        assert_string_equal(timeline_end(), options()->trace);
    assert_int_equal(access(options()->trace, R_OK), 0);
    options()->trace = NULL;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fidelity),
        cmocka_unit_test(summaries),
        cmocka_unit_test(chosen),
        cmocka_unit_test(timelines),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
