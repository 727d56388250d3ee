/* gcnsim run --sample: that each output says that it is an estimate, which options go with it, and workgroups that wait
 * for one another through memory (kernels/waiting.cl), some of which run in time and some without. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"
#include "tests/support/toolchain.h"
#include "tests/system/cli_report.h"

/* 4 compute units have room for 16 workgroups: this launch has 128 times as many. */
#define LAUNCH                                                                                                         \
    "run", SAMPLES "gfx1201/reduce_lds.co", "--grid", "524288", "--workgroup", "256", "--arg", "buf:2097152", "--arg", \
        "buf:8192", "--set", "gpu.cus=4", "--set", "gpu.shader_engines=1", "--progress", "never"

static void each_output_says_so(void **state)
{
    struct said s = RUN(LAUNCH, "--sample", "workgroups=AUTO", "--json", cli_path("r.json"), "--csv", cli_path("r.csv"),
                        "--html", cli_path("r.html"));

    (void)state;
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "\nSampling\n  ESTIMATE      "));
    assert_non_null(strstr(s.out, " cycles (estimate), "));
    assert_non_null(strstr(s.out, "overrides  gpu.cus=4"));
    assert_non_null(strstr(s.out, "sample_workgroups=AUTO"));
    said_free(&s);

    const struct json *report = json_parse_file(cli_path("r.json"));
    const struct json *e = object_at(report, "estimate");
    expect_text(e, "kind", "estimated");
    assert_true(number_at(e, "cycles") == number_at(report, "cycles"));
    assert_true(number_at(e, "cycles_low") < number_at(e, "cycles"));
    assert_true(number_at(e, "cycles_high") > number_at(e, "cycles"));
    assert_true(number_at(e, "confidence") == 0.95);
    assert_true(json_elements(json_get(e, "exact")) > 3);
    json_free(report);

    size_t bytes;
    char *csv = read_whole(cli_path("r.csv"), &bytes), *page = read_whole(cli_path("r.html"), &bytes);
    assert_non_null(strstr(csv, "\ncycles,cycles (estimate),"));
    assert_non_null(strstr(csv, "\nworkgroups_done,workgroups,2048\n"));
    assert_non_null(strstr(csv, "\nsampling.cycles_low,cycles (estimate),"));
    assert_non_null(strstr(page, "\"kind\": \"estimated\""));
    free(csv);
    free(page);
}

/* Without the option no output has a trace of it. */
static void nothing_is_said_without(void **state)
{
    struct said s = RUN(LAUNCH, "--json", "-");

    (void)state;
    expect_status(&s, 0);
    assert_null(strstr(s.out, "estimate"));
    said_free(&s);
    s = RUN(LAUNCH);
    assert_null(strstr(s.out, "stimate"));
    assert_null(strstr(s.out, "Sampling"));
    said_free(&s);
}

/* The second launch finds the caches that the first one, which was sampled, has left. */
static void sequences_are_sampled(void **state)
{
    struct said full = RUN(LAUNCH, "--repeat=2", "--json", "-"),
                some = RUN(LAUNCH, "--repeat=2", "--json", "-", "--sample", "workgroups=AUTO");
    const struct json *in_full = parse_report(&full), *sampled = parse_report(&some);

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double truth = number_at(object_at(json_at(json_get(in_full, "launches"), k), "report"), "cycles");
        const struct json *e = object_at(object_at(json_at(json_get(sampled, "launches"), k), "report"), "estimate");

        expect_text(e, "kind", "estimated");
        if (truth < number_at(e, "cycles_low") || truth > number_at(e, "cycles_high"))
            fail_msg("launch %zu: %.0f to %.0f; %.0f in full", k, number_at(e, "cycles_low"),
                     number_at(e, "cycles_high"), truth);
    }
    json_free(in_full);
    json_free(sampled);
    said_free(&full);
    said_free(&some);
}

static void a_small_launch_says_why(void **state)
{
    struct said s = RUN("run", SAMPLES "gfx1201/reduce_lds.json", "--sample", "workgroups=AUTO");

    (void)state;
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "no estimate   cycles are those simulated"));
    assert_non_null(strstr(s.out, "simulated in full"));
    said_free(&s);
}

static void options_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        const char *option, *value, *says;
    } all[] = {
        {"--check", "--engine=timing", "no --check beside it"},
        {"--engine", "functional", "no --engine functional beside it"},
        {"--trace", "/tmp/x.pftrace", "no --trace beside it"},
        {"--att", "/tmp/x", "no --att beside it"},
        {"--timeline", "--quiet", "no --timeline beside it"},
        {"--samples", "100", "no --samples beside it"},
        {"--annotate", "--quiet", "no --annotate beside it"},
        {"--csv", "instructions=/tmp/x.csv", "no --csv instructions beside it"},
        {"--per-instruction", "--quiet", "no --per-instruction beside it"},
        {"--max-instructions", "10", "no --max-instructions beside it"},
        {"--repeat=2", "--sample-skip", "expected --cold beside it"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct said s = RUN(LAUNCH, "--sample", "workgroups=AUTO", all[k].option, all[k].value);

        expect_status(&s, 2);
        if (!strstr(s.err, all[k].says))
            fail_msg("%s: '%s' does not say '%s'", all[k].option, s.err, all[k].says);
        said_free(&s);
    }
}

static void values_are_checked(void **state)
{
    static const char *const bad[] = {"AUTO", "workgroups=", "workgroups=0", "workgroups=x", "kernels"};

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct said s = RUN(LAUNCH, "--sample", bad[k]);

        expect_status(&s, 2);
        assert_non_null(strstr(s.err, "expected"));
        said_free(&s);
    }
    struct said s = RUN(LAUNCH, "--sample-skip");
    expect_status(&s, 2);
    assert_non_null(strstr(s.err, "--sample-skip is for --sample; there is none"));
    said_free(&s);
}

/* ---- workgroups that wait ---- */

enum { GROUPS = 4096, ITEMS = 64 };

/* out[g] after a launch of `kernel`, on 2 compute units. */
static void run_waiting(const char *kernel, uint32_t *out)
{
    static const char *const sets[] = {"gpu.cus=2", "gpu.shader_engines=1"};
    struct {
        uint64_t c, out;
        uint32_t n;
    } kernarg = {.n = GROUPS};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r = NULL;

    gcnsim_dispatch_init(&d);
    d.grid_size[0] = GROUPS * ITEMS;
    d.workgroup_size[0] = ITEMS;
    d.kernarg = &kernarg;
    d.kernarg_size = 20;
    d.cold = 1;
    d.sample_workgroups = GCNSIM_SAMPLE_AUTO;
    if (gcnsim_open(&sim, "gfx1201", &error) || gcnsim_set_all(sim, sets, 2, &error) ||
        gcnsim_load_file(sim, &module, cli_path("waiting.co"), NULL, &error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), kernel, &d.kernel, &error) ||
        gcnsim_alloc(sim, GROUPS * 4, "c", &kernarg.c, &error) ||
        gcnsim_alloc(sim, GROUPS * 4, "out", &kernarg.out, &error) || gcnsim_launch(module, &d, &r, &error) ||
        gcnsim_read(sim, kernarg.out, out, GROUPS * 4, &error))
        fail_msg("%s", error.text);
    assert_int_equal(r->outcome, GCNSIM_COMPLETED);
    assert_int_equal(gcnsim_result_estimate(r)->kind, GCNSIM_ESTIMATE_MADE);
    assert_true(gcnsim_result_estimate(r)->functional_workgroups > GROUPS / 2);
    gcnsim_result_free(r);
    gcnsim_close(sim);
}

/* Each workgroup waits for the one below it: the first one without time for one that is in flight when the leap is
 * decided, and the first one after the leap for one without time. */
static void chains_go_on(void **state)
{
    static uint32_t out[GROUPS];

    (void)state;
    NEED_CLANG();
    if (compile_cl("tests/system/kernels/waiting.cl", "gfx1201", "-O2", cli_path("waiting.co"), cli_path("log")))
        fail_msg("waiting.cl does not compile");
    run_waiting("chain_up", out);
    for (uint32_t g = 0; g < GROUPS; g++)
        assert_int_equal(out[g], g + 1);
    run_waiting("ticket_lock", out);
    for (uint32_t g = 0; g < GROUPS; g++)
        assert_int_equal(out[g], 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_output_says_so),
        cmocka_unit_test(nothing_is_said_without),
        cmocka_unit_test(sequences_are_sampled),
        cmocka_unit_test(a_small_launch_says_why),
        cmocka_unit_test(options_that_do_not_fit_are_refused),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(chains_go_on),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
