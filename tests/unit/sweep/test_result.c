/* Results of points: reports of runs, of lists and of programs, and how processes end. */
#include "tests/unit/sweep/sweep_unit.h"

#include "sim/engine/stats.h"
#include "sim/sweep/result.h"

static struct sweep_reading *reading;

/* Valid until the next call. */
static struct sweep_result read_result(const struct sweep_raw *how, const char *out, const char *said, bool program)
{
    static char *kept_out, *kept_said;
    static struct sweep_raw raw;
    struct sweep_result r = {0};

    free(kept_out);
    free(kept_said);
    kept_out = program ? strdup(out) : json_of(out);
    kept_said = strdup(said);
    raw = *how;
    raw.out = (struct sweep_bytes){kept_out, strlen(kept_out), 0};
    raw.said = (struct sweep_bytes){kept_said, strlen(kept_said), 0};
    sweep_reading_take(reading, &raw, program, &r);
    return r;
}

static uint32_t index_of(const char *name)
{
    struct gcnsim_stat stat;
    uint32_t k = 0;

    while (gcnsim_stat_info(k, &stat) == 0 && strcmp(stat.name, name) != 0)
        k++;
    assert_int_equal(gcnsim_stat_info(k, &stat), 0);
    return k;
}

static void expect_stat(const struct sweep_result *r, const char *name, double value)
{
    uint32_t k = index_of(name);

    assert_non_null(r->value);
    assert_true(r->present[k]);
    assert_true(r->value[k] == value);
}

static void expect_ending(const struct sweep_result *r, const char *outcome, const char *message)
{
    assert_string_equal(r->outcome, outcome);
    if (message)
        assert_string_equal(r->message, message);
    else
        assert_null(r->message);
}

static void test_report(void **state)
{
    struct sweep_raw ok = {.seconds = 1.5, .cpu_seconds = 1.25, .peak_bytes = 7, .started = "then"};
    struct sweep_result r =
        read_result(&ok,
                    "{'outcome': 'completed', 'target': 'gfx90a', 'profile': 'p', 'provenance': {'code_sha256': 'c', "
                    "'profile_sha256': 'q', 'gcnsim': '9'}, 'cycles': 100, 'ipc': 0.5, 'cache': {'l2': {'misses': 3}}}",
                    "", false);

    (void)state;
    expect_ending(&r, "completed", NULL);
    expect_stat(&r, "cycles", 100);
    expect_stat(&r, "ipc", 0.5);
    expect_stat(&r, "cache.l2.misses", 3);
    assert_false(r.present[index_of("cache.l2.hits")]);
    assert_string_equal(r.target, "gfx90a");
    assert_string_equal(r.code_sha256, "c");
    assert_string_equal(r.profile_sha256, "q");
    assert_true(r.seconds == 1.5 && r.cpu_seconds == 1.25 && r.peak_bytes == 7);
    assert_string_equal(r.started, "then");
}

/* The last round counts; what is a rate is left out where there are several launches. */
static void test_list(void **state)
{
    static const char both[] =
        "{'launches': [{'round': 1, 'report': {'outcome': 'completed', 'cycles': 7000, 'ipc': 9}}, {'round': 2, "
        "'report': {'outcome': 'completed', 'cycles': 70, 'ipc': 1, 'dispatch': {'clock_cycles': 5}}}, {'round': 2, "
        "'report': {'outcome': 'completed', 'cycles': 7, 'ipc': 2, 'cus_used': 4, 'dispatch': {'clock_cycles': 6}}}]}";
    struct sweep_raw ok = {0};
    struct sweep_result r = read_result(&ok, both, "", false);

    (void)state;
    expect_ending(&r, "completed", NULL);
    expect_stat(&r, "cycles", 77);
    assert_false(r.present[index_of("ipc")]);
    assert_false(r.present[index_of("cus_used")]);
    assert_false(r.present[index_of("dispatch.clock_cycles")]);
    r = read_result(&ok, "{'launches': [{'round': 1, 'report': {'outcome': 'completed', 'cycles': 7, 'ipc': 2}}]}", "",
                    false);
    expect_stat(&r, "ipc", 2);
}

static void test_program(void **state)
{
    static const char table[] = "dispatch,kernel,name,unit,value\n"
                                "1,k,cycles,cycles,100\n"
                                "1,k,ipc,instructions/cycle,0.5\n"
                                "1,k,no.such.statistic,x,1\n"
                                "2,\"k<a, b>\",cycles,cycles,11\n"
                                "2,\"k<a, b>\",cache.l2.misses,requests,4\n";
    struct sweep_raw ok = {0}, bad = {.exit_status = 3};
    struct sweep_result r = read_result(&ok, table, "", true);

    (void)state;
    expect_ending(&r, "completed", NULL);
    expect_stat(&r, "cycles", 111);
    expect_stat(&r, "cache.l2.misses", 4);
    assert_false(r.present[index_of("ipc")]);
    /* one without a dispatch has nothing to count */
    r = read_result(&ok, "dispatch,kernel,name,unit,value\n", "", true);
    expect_ending(&r, "completed", NULL);
    assert_false(r.present[index_of("cycles")]);
    r = read_result(&bad, table, "mismatch\n", true);
    expect_ending(&r, "faulted", "exit status 3: mismatch");
    expect_stat(&r, "cycles", 111);
    r = read_result(&ok, "", "", true);
    expect_ending(&r, "failed", "exit status 0 and no statistics");
    r = read_result(&ok, "dispatch,kernel,name,unit,values\n1,k,cycles,cycles,100\n", "", true);
    expect_ending(&r, "failed", "exit status 0 and no statistics");
}

static void test_endings(void **state)
{
    static const char report[] = "{'outcome': 'completed', 'cycles': 1}";
    struct sweep_raw ok = {0}, one = {.exit_status = 1}, two = {.exit_status = 2}, three = {.exit_status = 3},
                     none = {.exit_status = 127}, killed = {.exit_status = -9},
                     late = {.exit_status = 1, .timed_out = true}, much = {.exit_status = -9, .too_much = true};
    struct sweep_result r = read_result(&two, "", "gcnsim: --set: cu.simds: 0; expected 1 at least\n", false);

    (void)state;
    expect_ending(&r, "refused", "--set: cu.simds: 0; expected 1 at least");
    r = read_result(&three, "", "gcnsim: no space\n", false);
    expect_ending(&r, "failed", "no space");
    r = read_result(&none, "", "", false);
    expect_ending(&r, "failed", "gcnsim could not be started");
    r = read_result(&killed, "", "", false);
    expect_ending(&r, "killed", "ended by signal 9");
    r = read_result(&late, report, "", false);
    expect_ending(&r, "timeout", "limits.seconds were over");
    r = read_result(&much, "", "", false);
    expect_ending(&r, "failed", "more than 64 MiB of output");
    r = read_result(&much, "", "", true);
    expect_ending(&r, "failed", "more than 64 MiB of statistics");
    /* no output, or half of it, is no result */
    r = read_result(&ok, "", "", false);
    expect_ending(&r, "failed", "exit status 0 and no report");
    r = read_result(&one, "{'outcome': 'compl", "", false);
    expect_ending(&r, "failed", "exit status 1 and no report");
    assert_null(r.value);
    r = read_result(&one, "{'outcome': 'limit', 'cycles': 1}", "", false);
    expect_ending(&r, "limit", NULL);
    /* a report calls it a fault */
    r = read_result(&one, "{'outcome': 'fault', 'cycles': 1}", "gcnsim: fault: a wild address\n", false);
    expect_ending(&r, "faulted", "fault: a wild address");
    expect_stat(&r, "cycles", 1);
    r = read_result(&one, "{'outcome': 'interrupted'}", "", false);
    expect_ending(&r, "interrupted", NULL);
    assert_false(sweep_outcome_is_final(r.outcome));
}

/* Ratios are not summed, but for the few that are counts in other units. */
static void test_what_is_summed(void **state)
{
#define ROW(P, KIND, ID, NAME, UNIT, MEANING) {P NAME, UNIT, STAT_KIND_##KIND == STAT_KIND_RATIO},
    static const struct {
        const char *name, *unit;
        bool ratio;
    } rows[] = {STATS_RUN(ROW, "") STATS_DISPATCH(ROW, "dispatch.") STATS_UNITS(ROW, "units.")
                    STATS_CACHE(ROW, "cache.l2.")};
    static const char *const sums[] = {"time_us", "dispatch.total_us"};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const struct gcnsim_stat stat = {.name = rows[k].name, .unit = rows[k].unit};
        bool is_sum = strcmp(rows[k].name, sums[0]) == 0 || strcmp(rows[k].name, sums[1]) == 0;

        index_of(rows[k].name);
        if (rows[k].ratio && sweep_stat_is_sum(&stat) != is_sum)
            fail_msg("%s", rows[k].name);
    }
}

static int setup(void **state)
{
    (void)state;
    reading = sweep_reading_new();
    return reading ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sweep_reading_free(reading);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),  cmocka_unit_test(test_list),           cmocka_unit_test(test_program),
        cmocka_unit_test(test_endings), cmocka_unit_test(test_what_is_summed),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
