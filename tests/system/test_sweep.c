/* gcnsim sweep as a user meets it: sweeps that are killed, stopped, resumed and refused. */
#define _GNU_SOURCE
#include "tests/system/sweep_gate.h"

#include <sys/mount.h>
#include <sys/resource.h>

/* ---- interrupted ---- */

static void kill_sweep(pid_t pid)
{
    cli_running = 0;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static pid_t start_sweep(const char *spec, const char *results)
{
    return cli_start((const char *const[]){"sweep", spec, "--output", results, "--jobs", "1", "--resume", NULL});
}

enum { GATED = 32 };

/* By SIGKILL as it starts, before the first commit, between commits and after them: the table is the one of a sweep
 * that was left alone. */
static void killed_ten_times(void **state)
{
    static const struct {
        unsigned gate; /* the point in which it is killed */
        enum { AT_ONCE, IN_THE_POINT, COMMITTED } when;
    } kills[] = {{0, AT_ONCE},      {0, IN_THE_POINT}, {3, IN_THE_POINT},  {5, COMMITTED},  {5, AT_ONCE},
                 {9, IN_THE_POINT}, {12, COMMITTED},   {13, IN_THE_POINT}, {24, COMMITTED}, {30, IN_THE_POINT}};
    char spec[CLI_PATH], whole[CLI_PATH], killed[CLI_PATH], *table;
    long before = -1;

    (void)state;
    snprintf(spec, sizeof spec, "%s", write_gated("gated", GATED));
    snprintf(whole, sizeof whole, "%s", sweep_path("whole.sqlite"));
    snprintf(killed, sizeof killed, "%s", sweep_path("killed.sqlite"));
    run_sweep(spec, whole);
    table = table_of(whole);
    for (size_t k = 0; k < sizeof kills / sizeof kills[0]; k++) {
        struct gate g = gate_close(kills[k].gate);
        pid_t pid = start_sweep(spec, killed);
        long there;

        if (kills[k].when != AT_ONCE)
            gate_await(&g, pid);
        if (kills[k].when == COMMITTED)
            sweep_await(pid, killed, before);
        kill_sweep(pid);
        there = results_in(killed);
        assert_true(there >= before); /* what was committed stays */
        before = there;
        gate_remove(&g, kills[k].gate);
    }
    assert_true(before > 0 && before < GATED);
    resume_sweep(spec, killed, "were there already");
    expect_same_table(killed, table);
    assert_int_equal(ask_number(killed, "SELECT count(*) FROM results WHERE outcome = 'completed'"), GATED);
    free(table);
}

/* SIGTERM, as Slurm and Ctrl-C have it, ends it in good order. */
static void stopped(void **state)
{
    const char *spec = write_gated("stopped", 12), *results = sweep_path("stopped.sqlite");
    struct gate g = gate_close(5);
    pid_t pid = start_sweep(spec, results);
    struct said s;

    (void)state;
    gate_await(&g, pid);
    kill(pid, SIGTERM);
    s = cli_finish(pid);
    expect_status(&s, 1);
    expect_in(&s, s.err, "7 points are left; --resume goes on");
    said_free(&s);
    assert_int_not_equal(access(sweep_path("stopped.sqlite.lock"), F_OK), 0);
    assert_int_equal(results_in(results), 5);
    gate_remove(&g, 5);
    resume_sweep(spec, results, "5 were there already");
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE attempts = 1"), 12);
}

static void in_use(void **state)
{
    const char *spec = write_gated("in_use", 4), *results = sweep_path("in_use.sqlite");
    struct gate g = gate_close(2);
    pid_t pid = start_sweep(spec, results);
    char who[60];

    (void)state;
    gate_await(&g, pid);
    snprintf(who, sizeof who, "process %d on", (int)pid);
    cli_running = 0;
    expect_refused(RUN("sweep", spec, "--output", results, "--resume"), WORDS(results, who, "expected one process"));
    /* anybody may read */
    struct said s = RUN("sweep", "show", results);
    expect_status(&s, 0);
    expect_in(&s, s.out, "points     4");
    said_free(&s);
    kill_sweep(pid);
    gate_remove(&g, 2);
}

/* ---- what has changed ---- */

static void copy_file(const char *from, const char *name)
{
    size_t bytes;
    char *text = read_whole(from, &bytes);

    assert_non_null(text);
    write_file(sweep_path(name), text, bytes);
    free(text);
}

static void append(const char *name, const char *text)
{
    FILE *f = fopen(sweep_path(name), "ab");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void resume_runs_what_changed(void **state)
{
    const char *spec, *results = sweep_path("changed.sqlite");

    (void)state;
    copy_file("traces/samples/gfx90a/saxpy.co", "saxpy.co");
    copy_file("traces/samples/data/f32_a.bin", "a.bin");
    copy_file("traces/samples/data/f32_b.bin", "b.bin");
    write_spec("saxpy", "{'file': 'saxpy.co', 'kernel': 'saxpy', 'grid': [1000], 'workgroup': [100], 'args': "
                        "['f32:1.7', 'in:a.bin', 'inout:b.bin:c.bin', 'u32:987']}");
    write_spec("mine", "{'extends': 'gfx90a-mi210', 'gpu': {'shader_clock_mhz': 1500}}");
    spec = write_spec("changed", "{'gcnsim_sweep': 1, 'launches': ['saxpy.json'], 'profiles': ['mine.json'], 'axes': "
                                 "[{'set': 'cu.simds', 'values': [2, 4]}]}");
    run_sweep(spec, results);
    assert_int_not_equal(access(sweep_path("c.bin"), F_OK), 0); /* points write no outputs */
    resume_sweep(spec, results, "2 points: 0 run, 2 were there already");
    append("a.bin", "more");
    resume_sweep(spec, results, "2 results were those of other options or files");
    append("saxpy.co", "more");
    resume_sweep(spec, results, "2 points: 2 run;");
    write_spec("mine", "{'extends': 'gfx90a-mi210', 'gpu': {'shader_clock_mhz': 1400}}");
    resume_sweep(spec, results, "2 points: 2 run;");
    /* what is no more in the spec goes */
    write_spec("changed", "{'gcnsim_sweep': 1, 'launches': ['saxpy.json'], 'profiles': ['mine.json'], 'axes': "
                          "[{'set': 'cu.simds', 'values': [4]}]}");
    resume_sweep(spec, results, "1 points of the file are no more in the spec");
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results"), 1);
    /* another gcnsim is told apart from other files */
    free(ask(results, "UPDATE run SET gcnsim_sha256 = 'another', key = 'another'"));
    resume_sweep(spec, results, "1 results were those of another gcnsim");
}

/* Another gcnsim of the same code goes on; one of other code, by a single digit of what it says of itself, runs all
 * points again. */
static void resume_by_another_gcnsim(void **state)
{
    const char *spec = write_clocks("another", 2), *results = sweep_path("another.sqlite"), *own = cli_tool();
    static const char name[] = "gcnsim-code-sha256=";
    char *bytes, *at, *tool;
    size_t size;

    (void)state;
    tool = strdup(sweep_path("gcnsim-copy"));
    assert_non_null(tool);
    bytes = read_whole(own, &size);
    assert_non_null(bytes);
    for (at = bytes; (at = memmem(at, (size_t)(bytes + size - at), name, sizeof name - 1)); at++)
        if (strspn(at + sizeof name - 1, "0123456789abcdef") == 64)
            break;
    assert_non_null(at);
    run_sweep(spec, results);
    write_file(tool, bytes, size);
    FILE *f = fopen(tool, "ab");
    assert_non_null(f);
    fputs("more", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(tool, 0755), 0);
    own = strdup(own);
    setenv("GCNSIM", tool, 1);
    resume_sweep(spec, results, "2 points: 0 run, 2 were there already");
    at[sizeof name] = at[sizeof name] == '0' ? '1' : '0';
    write_file(tool, bytes, size);
    resume_sweep(spec, results, "2 results were those of another gcnsim");
    resume_sweep(spec, results, "2 points: 0 run, 2 were there already");
    setenv("GCNSIM", own, 1);
    free((void *)(uintptr_t)own);
    free(bytes);
    free(tool);
}

/* What did not complete is run again where that is asked for; what the host did to a point always is. */
static void retry(void **state)
{
    const char *spec = write_spec("retry", "{'gcnsim_sweep': 1, 'launches': ['@/traces/samples/gfx90a/saxpy.json'], "
                                           "'axes': [{'set': 'cu.simds', 'values': [1, 2, 4]}]}"),
               *results = sweep_path("retry.sqlite");
    struct said s = RUN("sweep", spec, "--output", results);

    (void)state;
    expect_status(&s, 1); /* one SIMD does not fit into the rest of the profile */
    expect_in(&s, s.err, "3 points: 3 run, 1 of them did not complete");
    said_free(&s);
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE outcome = 'refused' AND message LIKE "
                                         "'%simds_per_lds_port%expected%'"),
                     1);
    resume_sweep(spec, results, "3 points: 0 run");
    s = RUN("sweep", spec, "--output", results, "--resume", "--retry");
    expect_in(&s, s.err, "3 points: 1 run");
    said_free(&s);
    free(ask(results, "UPDATE run SET outcome = 'killed' WHERE outcome = 'completed'"));
    resume_sweep(spec, results, "3 points: 2 run, 1 were there already");
    expect_refused(RUN("sweep", spec, "--retry"), WORDS("--retry", "expected --resume"));
    expect_refused(RUN("sweep", spec, "--output", results), WORDS(results, "is there already; expected --resume"));
}

/* A run that does not end, and one with more time than it can take. */
static void time_limit(void **state)
{
    static const struct {
        const char *launch, *rows;
        unsigned repeat;
        double seconds;
        int status;
    } runs[] = {{"histogram", "timeout,limits.seconds were over\n", 100000, 0.5, 1},
                {"saxpy", "completed,\n", 1, 1e6, 0}};
    char text[400];

    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        snprintf(text, sizeof text,
                 "{'gcnsim_sweep': 1, 'launches': ['@/traces/samples/gfx90a/%s.json'], 'options': ['--repeat', '%u'], "
                 "'axes': [{'set': 'cu.simds', 'values': [4]}], 'limits': {'seconds': %g}}",
                 runs[k].launch, runs[k].repeat, runs[k].seconds);
        const char *spec = write_spec(runs[k].launch, text), *results = sweep_path(runs[k].launch);
        struct said s = RUN("sweep", spec, "--output", results);
        char *rows = ask(results, "SELECT outcome, message FROM results ORDER BY point");

        expect_status(&s, runs[k].status);
        said_free(&s);
        assert_string_equal(rows, runs[k].rows);
        free(rows);
    }
}

/* ---- full disks ---- */

static void expect_full(struct said s, const char *results, long points)
{
    long n;

    expect_status(&s, 3);
    expect_in(&s, s.err, results);
    expect_in(&s, s.err, "what was committed is kept, and --resume goes on when there is space");
    said_free(&s);
    n = results_in(results);
    assert_true(n >= 0 && n < points);
    /* none is there by half */
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE id NOT IN (SELECT id FROM value)"), 0);
}

static void limit_of_file_sizes(void **state)
{
    const char *spec = write_clocks("limited", 120), *results = sweep_path("limited.sqlite");
    struct rlimit before, less;
    struct said s;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    less.rlim_cur = 300000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    s = RUN("sweep", spec, "--output", results, "--progress", "never");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_full(s, results, 120);
    resume_sweep(spec, results, "120 points: ");
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results WHERE outcome = 'completed'"), 120);
}

static void full_disk(void **state)
{
    char folder[CLI_PATH], results[CLI_PATH + 40], *table;
    const char *spec = write_clocks("full", 120);
    struct said s;

    (void)state;
    snprintf(folder, sizeof folder, "%s", sweep_path("small"));
    snprintf(results, sizeof results, "%s/full.sqlite", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    if (mount("none", folder, "tmpfs", 0, "size=300k") != 0) {
        print_message("skipped: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
    s = RUN("sweep", spec, "--output", results, "--progress", "never");
    if (s.status == 3)
        mount("none", folder, "tmpfs", MS_REMOUNT, "size=8m");
    expect_full(s, results, 120);
    resume_sweep(spec, results, "120 points: ");
    table = table_of(results);
    umount2(folder, MNT_DETACH);
    run_sweep(spec, sweep_path("roomy.sqlite"));
    expect_same_table(sweep_path("roomy.sqlite"), table);
    free(table);
}

/* ---- bad input ---- */

static void bad_specs(void **state)
{
#define BAD(text, ...)                                                                                                 \
    expect_refused(RUN("sweep", write_spec("bad", text), "--output", sweep_path("bad.sqlite")), WORDS(__VA_ARGS__))
#define ONE "'gcnsim_sweep': 1, 'launches': ['@/traces/samples/gfx90a/saxpy.json']"
    (void)state;
    BAD("{" ONE ", 'axes': [{'set': 'cu.simds', 'values': []}]}", "bad.json: axes[0].values: expected one value");
    BAD("{" ONE ", 'axes': [{'set': 'cu.simdz', 'values': [4]}]}", "axes[0]: ", "cu.simdz", "did you mean cu.simds?");
    BAD("{" ONE ", 'axes': [{'parameter': 'a', 'range': {'from': 1, 'to': 1000, 'step': 1}}, {'parameter': 'b', "
        "'range': {'from': 1, 'to': 1000, 'step': 1}}, {'parameter': 'c', 'range': {'from': 1, 'to': 1000, 'step': "
        "1}}]}",
        "1000000000 combinations", "expected at most 100000", "\"limits\": {\"points\": N}");
    BAD("{" ONE ", 'filters': ['[cu.simds] > 1']}", "filters[0]");
    BAD("{" ONE ", 'options': ['{n}']}", "{n} has no value");
    BAD("{" ONE "", "bad.json: line 1");
    assert_int_not_equal(access(sweep_path("bad.sqlite"), F_OK), 0);
    BAD("{'gcnsim_sweep': 1, 'launches': ['no/such.json']}", "no/such.json", "expected a launch file or a code object");
    expect_refused(RUN("sweep"), WORDS("expected one SPEC.json"));
    expect_refused(RUN("sweep", "a", "b"), WORDS("expected one SPEC.json"));
    expect_refused(RUN("sweep", write_clocks("x", 2), "--shard", "2/2"), WORDS("--shard", "expected K/N"));
    expect_refused(RUN("sweep", write_clocks("x", 2), "--slurm", "0"), WORDS("--slurm", "expected a number"));
    struct said s = RUN("sweep", sweep_path("none.json"));
    expect_status(&s, 3);
    expect_in(&s, s.err, "none.json: ");
    said_free(&s);
}

static void other_files(void **state)
{
    const char *spec = write_clocks("other", 2), *results = sweep_path("other.sqlite");

    (void)state;
    run_sweep(spec, results);
    free(ask(results, "PRAGMA user_version = 7"));
    expect_refused(RUN("sweep", spec, "--output", results, "--resume"), WORDS("version 7; expected version 1"));
    expect_refused(RUN("sweep", "show", results), WORDS("version 7; expected version 1"));
    expect_refused(RUN("sweep", "merge", sweep_path("into.sqlite"), results), WORDS("version 7; expected version 1"));
    write_file(results, "garbage", 7);
    struct said s = RUN("sweep", "show", results);
    assert_true(s.status == 2 || s.status == 3);
    expect_in(&s, s.err, "expected results of gcnsim sweep");
    said_free(&s);
    s = RUN("sweep", "show", sweep_path("none.sqlite"));
    assert_int_not_equal(s.status, 0);
    expect_in(&s, s.err, "No such file");
    said_free(&s);
}

/* ---- other ways to give a spec ---- */

static void plan(void **state)
{
    struct said s = RUN("sweep", write_clocks("plan", 30), "--plan");

    (void)state;
    expect_status(&s, 0);
    expect_in(
        &s, s.out,
        "histogram.json --set gpu.shader_clock_mhz=1000 --repeat 1 --discard-outputs --json - --progress never\n");
    expect_in(&s, s.out, "\n30 points\n");
    said_free(&s);
    assert_int_not_equal(access("plan.sqlite", F_OK), 0);
}

static void from_a_pipe(void **state)
{
    const char *results = sweep_path("pipe.sqlite");

    (void)state;
    NEED_PROC(); /* /dev/stdin */
    cli_stdin = write_clocks("piped", 3);
    run_sweep("/dev/stdin", results);
    cli_stdin = "/dev/null";
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results WHERE outcome = 'completed'"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(killed_ten_times, cli_teardown),
        cmocka_unit_test_teardown(stopped, cli_teardown),
        cmocka_unit_test_teardown(in_use, cli_teardown),
        cmocka_unit_test(resume_runs_what_changed),
        cmocka_unit_test(resume_by_another_gcnsim),
        cmocka_unit_test(retry),
        cmocka_unit_test(time_limit),
        cmocka_unit_test(limit_of_file_sizes),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(other_files),
        cmocka_unit_test(plan),
        cmocka_unit_test(from_a_pipe),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
