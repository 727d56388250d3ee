/* Programs by sampling (--sample kernels): a loop of kernels beside the same in full, what reports say, and what is
 * refused. */
#define _GNU_SOURCE
#include <math.h>
#include <sqlite3.h>
#include <sys/personality.h>

#include "tests/hsa/exec_run.h"

#define DB "build/tests/sample.db"

static double query(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s;

    assert_int_equal(sqlite3_open(DB, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    double v = sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return v;
}

/* The simulated microseconds of all kernels in the summary's first line. */
static double simulated_us(const struct said *s)
{
    const char *at = strstr(s->err, "gfx90a-mi210: ");

    if (!at) {
        said_show(s);
        fail_msg("no summary");
    }
    return strtod(at + strlen("gfx90a-mi210: "), NULL);
}

static void estimate_of_a_loop(void **state)
{
    static const char interval[] = "95 % interval ";
    char *to;

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "solver");
    struct said full = RUN("exec", "--engine", "timing", hsa_program("solver"), "60", "4096");
    remove(DB);
    struct said s =
        RUN("exec", "--engine", "timing", "--sample", "kernels", "--report", DB, hsa_program("solver"), "60", "4096");
    expect_status(&full, 0);
    expect_status(&s, 0);
    assert_string_equal(s.out, full.out);
    double truth = simulated_us(&full);
    const char *at = strstr(s.err, interval);
    expect_in(&s, s.err, "whose times are estimates");
    assert_non_null(at);
    double low = strtod(at + strlen(interval), &to), high = strtod(to + strlen(" to "), NULL);
    if (truth < low || truth > high || high - low > 0.2 * truth)
        fail_msg("%.3f to %.3f us; %.3f in full", low, high, truth);
    expect_not_in(&full, full.err, "sampling");
    /* each dispatch is sampled in one way, and has cycles; the clusters are those of the dispatches */
    assert_true(query("SELECT count(*) FROM dispatch WHERE engine <> 'host'") == 360);
    assert_true(query("SELECT count(*) FROM sampled JOIN dispatch USING (run, dispatch) WHERE cycles > 0"
                      " AND engine = CASE how WHEN 'timed' THEN 'timing' ELSE 'estimate' END") == 360);
    assert_true(query("SELECT sum(how = 'timed') FROM sampled") < 90);
    assert_true(query("SELECT sum(how = 'warmed') FROM sampled") > 0);
    assert_true(query("SELECT sum(how = 'executed') FROM sampled") > 100);
    assert_true(query("SELECT sum(dispatches) FROM cluster") == 360);
    assert_true(query("SELECT sum(c.timed) FROM cluster c") == query("SELECT sum(how = 'timed') FROM sampled"));
    /* one that is timed finds what the one before it has left, unless that was only executed */
    static const char behind[] =
        "SELECT count(*) FROM dispatch d JOIN sampled s USING (run, dispatch) JOIN sampled p ON "
        "p.run = d.run AND p.dispatch = d.dispatch - 1 WHERE s.how = 'timed' AND ";
    char sql[400];
    snprintf(sql, sizeof sql, "%sp.how = 'warmed'", behind);
    assert_true(query(sql) > 0);
    snprintf(sql, sizeof sql, "%sd.warm <> (p.how <> 'executed')", behind);
    assert_true(query(sql) == 0);
    /* steps has two paths, of which one is taken by each fourth dispatch */
    assert_true(query("SELECT count(*) FROM cluster WHERE kernel LIKE '%steps%'") == 2);
    assert_true(query("SELECT min(dispatches) FROM cluster WHERE kernel LIKE '%steps%'") == 15);
    /* an estimate is what its cluster costs: its wave-instructions are counted */
    assert_true(
        query("SELECT max(abs(d.cycles / (v.value * c.cycles_per_instruction) - 1)) FROM dispatch d JOIN sampled s"
              " USING (run, dispatch) JOIN cluster c USING (run, cluster) JOIN value v USING (run, dispatch)"
              " JOIN statistic t ON t.statistic = v.statistic AND t.name = 'instructions.total'"
              " WHERE how <> 'timed' AND c.kernel LIKE '%dot%'") < 0.05);
    said_free(&s);
    said_free(&full);
}

/* Launches of 32 chip-fulls are sampled themselves: the program prints what it does in full, and takes as long. */
static void large_representatives_are_sampled(void **state)
{
    static const char interval[] = "95 % interval ";
    char *to;

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "solver");
    struct said full = RUN("exec", "--engine", "timing", "--set", "gpu.cus=8", hsa_program("solver"), "1", "530000");
    remove(DB);
    struct said s = RUN("exec", "--engine", "timing", "--set", "gpu.cus=8", "--sample", "kernels,workgroups=AUTO",
                        "--report", DB, hsa_program("solver"), "1", "530000");
    expect_status(&full, 0);
    expect_status(&s, 0);
    assert_string_equal(s.out, full.out);
    const char *at = strstr(s.err, interval);
    if (!at)
        said_show(&s);
    assert_non_null(at);
    double truth = simulated_us(&full), low = strtod(at + strlen(interval), &to),
           high = strtod(to + strlen(" to "), NULL);
    if (truth < low || truth > high || high - low > 0.2 * truth)
        fail_msg("%.3f to %.3f us; %.3f in full", low, high, truth);
    assert_true(query("SELECT count(*) FROM sampled WHERE how = 'timed_in_part'") >= 2);
    assert_true(query("SELECT count(*) FROM sampled JOIN dispatch USING (run, dispatch) WHERE cycles > 0"
                      " AND engine = 'timing'") == query("SELECT count(*) FROM sampled"));
    said_free(&s);
    said_free(&full);
}

/* The same dispatches are timed each time, and cost the same where the program's addresses are the same. */
static void repeats(void **state)
{
    int before = personality(0xffffffff);

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "solver");
    if (before < 0 || personality((unsigned)before | ADDR_NO_RANDOMIZE) < 0)
        skip(); /* the host does not let anybody choose */
    struct said s[2];

    for (unsigned k = 0; k < 2; k++)
        s[k] = RUN("exec", "--engine", "timing", "--sample", "kernels=4", "--threads", k ? "2" : "1",
                   hsa_program("solver"), "20", "2048");
    personality((unsigned)before);
    for (unsigned k = 0; k < 2; k++)
        expect_status(&s[k], 0);
    char *a = strstr(s[0].err, "sampling: "), *b = strstr(s[1].err, "sampling: ");
    assert_true(a && b);
    *strstr(a, "results:") = *strstr(b, "results:") = 0;
    assert_string_equal(a, b);
    for (unsigned k = 0; k < 2; k++)
        said_free(&s[k]);
}

/* Several streams: what runs beside others is timed. */
static void streams(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    struct said s = RUN("exec", "--engine", "timing", "--sample", "kernels", hsa_program("streams"));

    expect_status(&s, 0);
    expect_in(&s, s.err, "sampling: ");
    said_free(&s);
}

/* What a copy has written is in no cache when the launch after it begins, be it timed because all are or as a
 * representative after others that were executed without time. */
static void copies_between(void **state)
{
    static const char misses[] = "SELECT min(v.value) FROM value v JOIN statistic t USING (statistic) JOIN dispatch d"
                                 " USING (run, dispatch) WHERE t.name = 'cache.l2.misses' AND d.engine = 'timing'";

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "written");
    for (unsigned k = 0; k < 2; k++) {
        remove(DB);
        struct said s =
            k ? RUN("exec", "--engine", "timing", "--sample", "kernels", "--report", DB, hsa_program("written"))
              : RUN("exec", "--engine", "timing", "--report", DB, hsa_program("written"));
        expect_status(&s, 0);
        assert_true(query("SELECT count(*) FROM dispatch WHERE engine = 'timing'") > (k ? 3 : 20));
        assert_true(query(misses) >= 512);
        said_free(&s);
    }
}

/* Half of the interval in percent, on these devices. */
static double half_on(const char *arch)
{
    struct said s = RUN("exec", "--arch", arch, "--engine", "timing", "--sample", "kernels", hsa_program("written"));
    const char *at = strstr(s.err, "(+-");

    expect_status(&s, 0);
    assert_non_null(at);
    double half = strtod(at + strlen("(+-"), NULL);
    said_free(&s);
    return half;
}

/* The 2 % on top that representatives cannot show are those of each device: they do not average out. */
static void several_devices(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "written");
    double one = half_on("gfx90a"), four = half_on("gfx90a,gfx90a,gfx90a,gfx90a");

    /* 2 % of each of four would be 1 % together */
    if (four < 1.5 || four > 1.5 * one)
        fail_msg("+-%.1f %% on one device, %.1f %% on four", one, four);
}

/* Cooperative launches and the kernels before them that initialise global wave sync, of which some are timed and
 * others not, by sampling and by name. */
static void cooperative(void **state)
{
    static const char *const options[][2] = {
        {"--sample", "kernels"}, {"--sample", "kernels=12"}, {"--kernels", "pass_on"}, {"--dispatches", "1-20,33,34"}};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "grid_sync");
    struct said all = RUN("exec", hsa_program("grid_sync"));
    expect_status(&all, 0);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        struct said s = RUN("exec", "--engine", "timing", options[k][0], options[k][1], hsa_program("grid_sync"));
        expect_status(&s, 0);
        expect_in(&s, s.err, "by the functional engine");
        assert_string_equal(s.out, all.out);
        said_free(&s);
    }
    said_free(&all);
}

/* A program too short to leave anything out says so. */
static void too_short(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "solver");
    setenv("GCNSIM_CHECK", "0", 1); /* as if it were not there */
    struct said s = RUN("exec", "--engine", "timing", "--sample", "kernels", hsa_program("solver"), "1", "256");
    unsetenv("GCNSIM_CHECK");

    expect_status(&s, 0);
    expect_in(&s, s.err, "no dispatch was left to estimate");
    expect_not_in(&s, s.err, "ESTIMATE");
    said_free(&s);
}

static void refused(void **state)
{
    static const struct {
        const char *const argv[8], *text;
    } of[] = {
        {{"exec", "--sample", "kernels", "true"}, "expected --engine timing beside it"},
        {{"exec", "--engine", "timing", "--sample", "workgroups=AUTO", "true"}, "expected kernels, kernels=AUTO"},
        {{"exec", "--engine", "timing", "--sample", "kernels,workgroups=0", "true"}, "workgroups=AUTO"},
        {{"exec", "--engine", "timing", "--sample", "kernels,kernels", "true"}, "expected kernels, kernels=AUTO"},
        {{"exec", "--engine", "timing", "--sample", "kernels,workgroups=AUTO", "--per-instruction", "true"},
         "--sample with workgroups does not simulate each of them; expected no --per-instruction beside it"},
        {{"exec", "--engine", "timing", "--sample", "kernels=1", "true"}, "with N from 2 on"},
        {{"exec", "--engine", "timing", "--sample", "kernels=", "true"}, "with N from 2 on"},
        {{"exec", "--engine", "timing", "--sample", "kernels", "--check", "true"},
         "--sample estimates times; expected no --check beside it"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct said s = cli_run(of[k].argv);

        expect_status(&s, 2);
        expect_in(&s, s.err, of[k].text);
        said_free(&s);
    }
}

/* The same where gcnsim exec has not been there. */
static void refused_by_the_library(void **state)
{
    static const char *const values[] = {"workgroups", "kernels=x", "kernels=1", "kernelsN"};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "solver");
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        setenv("GCNSIM_SAMPLE", values[k], 1);
        struct said s = RUN("exec", "--engine", "timing", hsa_program("solver"), "1", "256");
        unsetenv("GCNSIM_SAMPLE");
        assert_true(s.status != 0);
        expect_in(&s, s.err, "GCNSIM_SAMPLE is '");
        said_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_of_a_loop),
        cmocka_unit_test(large_representatives_are_sampled),
        cmocka_unit_test(repeats),
        cmocka_unit_test(streams),
        cmocka_unit_test(copies_between),
        cmocka_unit_test(cooperative),
        cmocka_unit_test(several_devices),
        cmocka_unit_test(too_short),
        cmocka_unit_test(refused),
        cmocka_unit_test(refused_by_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
