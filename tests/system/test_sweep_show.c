/* Results of sweeps as they are shown and merged, beside what SQL and single runs say. */
#define _GNU_SOURCE
#include "tests/system/sweep_run.h"

static char results[CLI_PATH];

/* Two launches, two axes, a pair, an argument and a parameter. */
static int sweep(void **state)
{
    const char *spec;
    struct said s;

    cli_setup(state);
    snprintf(results, sizeof results, "%s", sweep_path("r.sqlite"));
    spec = write_spec("r",
                      "{'gcnsim_sweep': 1, 'name': 'the name', 'launches': "
                      "['@/traces/samples/gfx90a/saxpy.json', {'name': 'wide', 'run': "
                      "['@/traces/samples/gfx90a/saxpy.json', '--workgroup', '{size}']}], 'profiles': "
                      "['gfx90a-mi210'], 'axes': [{'set': 'cu.simds', 'values': [2, 4]}, {'paired': [{'parameter': "
                      "'size', 'values': [50, 100]}, {'set': 'gpu.shader_clock_mhz', 'values': [1000, 1000.1]}]}, "
                      "{'argument': 3, 'type': 'u32', 'values': [10, 987]}], 'filters': ['launch = \\u0027wide\\u0027 "
                      "or size = 50'], 'define': {'half': 'size / 2'}, 'objectives': ['cycles', {'value': "
                      "'[cu.simds] * 1000 + cycles', 'name': 'cost'}]}");
    s = RUN("sweep", spec, "--output", results, "--progress", "never");
    expect_status(&s, 0);
    expect_in(&s, s.err, "12 points: 12 run;");
    said_free(&s);
    return 0;
}

static void expect_shown(struct said s, const char *sql)
{
    char *rows = ask(results, sql), *behind;

    expect_status(&s, 0);
    behind = strchr(s.out, '\n'); /* names of columns */
    assert_non_null(behind);
    assert_string_equal(behind + 1, rows);
    free(rows);
    said_free(&s);
}

/* A point's figures are those of a run by hand; arguments and parameters have reached it. */
static void points_beside_runs(void **state)
{
    char *command =
             ask(results, "SELECT command FROM results WHERE launch = 'wide' AND size = 100 AND [cu.simds] = 4 AND "
                          "[argument.3] = 10"),
         *cycles = ask(results, "SELECT CAST(cycles AS INTEGER) FROM results WHERE launch = 'wide' AND size = 100 AND "
                                "[cu.simds] = 4 AND [argument.3] = 10"),
         number[40];
    struct said s = RUN("run", "traces/samples/gfx90a/saxpy.json", "--workgroup", "100", "--arch", "gfx90a-mi210",
                        "--set", "cu.simds=4", "--set", "gpu.shader_clock_mhz=1000.1", "--replace-arg", "3=u32:10",
                        "--discard-outputs", "--json", "-", "--progress", "never");

    (void)state;
    expect_in(&s, command,
              "--workgroup 100 --arch gfx90a-mi210 --set cu.simds=4 --set gpu.shader_clock_mhz=1000.1 "
              "--replace-arg 3=u32:10");
    expect_status(&s, 0);
    snprintf(number, sizeof number, "\"cycles\": %ld,", atol(cycles));
    expect_in(&s, s.out, number);
    said_free(&s);
    free(command);
    free(cycles);
    /* the argument is how many items there are: fewer ask for less */
    assert_true(
        ask_number(results, "SELECT max([cache.vl0.accesses]) FROM results WHERE [argument.3] = 10 AND size = 50") <
        ask_number(results, "SELECT min([cache.vl0.accesses]) FROM results WHERE [argument.3] = 987 AND size = 50"));
}

static void summary(void **state)
{
    struct said s = RUN("sweep", "show", results);

    (void)state;
    expect_status(&s, 0);
    expect_in(&s, s.out, "sweep      the name\n");
    expect_in(&s, s.out, "points     12, of which 12 completed, 0 did not, 0 are to be run\n");
    expect_in(&s, s.out, "best by cycles\n");
    said_free(&s);
}

static void pivot(void **state)
{
    (void)state;
    expect_shown(RUN("sweep", "show", results, "--pivot", "cu.simds,argument.3", "--csv", "-", "--value", "cycles"),
                 "SELECT [cu.simds], CAST(min(cycles) FILTER (WHERE [argument.3] = 10) AS INTEGER), CAST(min(cycles) "
                 "FILTER (WHERE [argument.3] = 987) AS INTEGER) FROM results GROUP BY 1 ORDER BY 1");
    /* a column whose values are no whole numbers, which are not what 15 digits of them say */
    expect_shown(RUN("sweep", "show", results, "--pivot", "argument.3,[gpu.shader_clock_mhz]/3", "--csv", "-",
                     "--aggregate", "max", "--where", "launch = 'wide' -- no more"),
                 "SELECT [argument.3], CAST(max(cycles) FILTER (WHERE size = 50) AS INTEGER), CAST(max(cycles) FILTER "
                 "(WHERE size = 100) AS INTEGER) FROM results WHERE launch = 'wide' GROUP BY 1 ORDER BY 1");
    expect_shown(RUN("sweep", "show", results, "--pivot", "size", "--csv", "-", "--aggregate", "mean", "--value",
                     "cache.l2.misses"),
                 "SELECT size, printf('%.10g', avg([cache.l2.misses])) FROM results GROUP BY 1 ORDER BY 1");
    struct said s = RUN("sweep", "show", results, "--pivot", "launch,size", "--csv", "-");
    expect_status(&s, 0);
    expect_in(&s, s.out, "launch,50,100\nsaxpy,");
    said_free(&s);
    expect_refused(RUN("sweep", "show", results, "--pivot", "a,b,c"), WORDS("--pivot", "expected ROWS"));
    expect_refused(RUN("sweep", "show", results, "--pivot", "no.such"), WORDS("expected axes and statistics"));
    expect_refused(RUN("sweep", "show", results, "--pivot", "size", "--pareto", "a,b"), WORDS("expected one of them"));
}

static void values(void **state)
{
    (void)state;
    expect_shown(
        RUN("sweep", "show", results, "--csv", "-", "--value", "cycles", "--where", "size = 100 or launch = 'saxpy'"),
        "SELECT point, launch, profile, [cu.simds], size, [gpu.shader_clock_mhz], [argument.3], outcome, "
        "CAST(cycles AS INTEGER) FROM results WHERE size = 100 OR launch = 'saxpy' ORDER BY point");
    struct said s = RUN("sweep", "show", results, "--csv", "-");
    expect_status(&s, 0);
    expect_in(&s, s.out, "point,launch,profile,cu.simds,size,gpu.shader_clock_mhz,argument.3,cycles,");
    said_free(&s);
}

/* A point is on the front unless another one is as good in both and better in one. */
static void fronts(void **state)
{
    (void)state;
    expect_shown(
        RUN("sweep", "show", results, "--pareto", "[cu.simds],cycles", "--csv", "-"),
        "SELECT min(point), launch, profile, [cu.simds], size, [gpu.shader_clock_mhz], [argument.3], [cu.simds], "
        "CAST(cycles AS INTEGER) FROM results a WHERE NOT EXISTS (SELECT 1 FROM results b WHERE b.[cu.simds] <= "
        "a.[cu.simds] AND b.cycles <= a.cycles AND (b.[cu.simds] < a.[cu.simds] OR b.cycles < a.cycles)) GROUP BY "
        "[cu.simds], cycles ORDER BY [cu.simds]");
    expect_refused(RUN("sweep", "show", results, "--pareto", "cycles"), WORDS("--pareto", "expected EXPR,EXPR"));
}

/* Expressions read the results and nothing else. */
static void hostile(void **state)
{
    static const char *const wrong[] = {"1) FROM results; DROP TABLE run; --", "load_extension('x')",
                                        "(SELECT count(*) FROM pragma_database_list)", "nothing"};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        expect_refused(RUN("sweep", "show", results, "--csv", "-", "--value", wrong[k]), WORDS("expected"));
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run"), 12);
}

/* ---- shards ---- */

static void run_shard(const char *spec, const char *shard, const char *name)
{
    struct said s = RUN("sweep", spec, "--shard", shard, "--output", sweep_path(name), "--progress", "never");

    expect_status(&s, 0);
    said_free(&s);
}

static void merged_shards(void **state)
{
    char spec[CLI_PATH], *table;
    struct said s;

    (void)state;
    snprintf(spec, sizeof spec, "%s", write_clocks("shards", 20));
    run_sweep(spec, sweep_path("whole.sqlite"));
    table = table_of(sweep_path("whole.sqlite"));
    run_shard(spec, "0/3", "0.sqlite");
    run_shard(spec, "1/3", "1.sqlite");
    run_shard(spec, "2/3", "2.sqlite");
    assert_int_equal(ask_number(sweep_path("1.sqlite"), "SELECT count(*) FROM run"), 7);
    s = RUN("sweep", "merge", sweep_path("merged.sqlite"), sweep_path("0.sqlite"), sweep_path("1.sqlite"),
            sweep_path("2.sqlite"));
    expect_status(&s, 0);
    expect_in(&s, s.err, "2.sqlite: 6 results\n");
    said_free(&s);
    expect_same_table(sweep_path("merged.sqlite"), table);
    resume_sweep(spec, sweep_path("merged.sqlite"), "20 points: 0 run");
    expect_refused(RUN("sweep", "merge", sweep_path("merged.sqlite"), sweep_path("merged.sqlite")),
                   WORDS("into itself"));
    expect_refused(RUN("sweep", "merge", sweep_path("merged.sqlite"), results), WORDS("another spec"));
    expect_refused(RUN("sweep", "merge", sweep_path("merged.sqlite")), WORDS("expected FILE and SHARDs"));
    expect_same_table(sweep_path("merged.sqlite"), table);
    free(table);
}

/* cache.l2.mshrs is a figure of each channel, and a statistic of all of them. */
static void a_figure_with_the_name_of_a_statistic(void **state)
{
    const char *mine = sweep_path("mshrs.sqlite");
    const char *spec =
        write_spec("mshrs", "{'gcnsim_sweep': 1, 'launches': ['@/traces/samples/gfx90a/saxpy.json'], 'axes': "
                            "[{'set': 'cache.l2.mshrs', 'values': [8, 16]}]}");
    struct said s = RUN("sweep", spec, "--output", mine, "--progress", "never");

    (void)state;
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(ask_number(mine, "SELECT sum([cache.l2.mshrs]) FROM results"), 24);
    assert_true(ask_number(mine, "SELECT min([statistic.cache.l2.mshrs] / [cache.l2.mshrs]) FROM results") > 1);
    assert_true(
        ask_number(mine, "SELECT max([statistic.cache.l2.mshrs]) / min([statistic.cache.l2.mshrs]) FROM results") == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_beside_runs),
        cmocka_unit_test(summary),
        cmocka_unit_test(pivot),
        cmocka_unit_test(values),
        cmocka_unit_test(fronts),
        cmocka_unit_test(hostile),
        cmocka_unit_test(a_figure_with_the_name_of_a_statistic),
        cmocka_unit_test(merged_shards),
    };

    return cmocka_run_group_tests(tests, sweep, cli_teardown);
}
