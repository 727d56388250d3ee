/* gcnsim sweep with programs under gcnsim exec: what reaches them, and what of their dispatches is kept. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"
#include "tests/system/sweep_run.h"

#include <dirent.h>

#define NEED_RAW() NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx1201.co")

/* A sweep of tests/hsa/raw: samples by a parameter. A point that starts writes a line to the file $EVENTS, if that is
 * set. MORE: after the launches. */
static const char *write_raw(const char *name, const char *launch, const char *more)
{
    static const char script[] = "[ -z \"$EVENTS\" ] || echo >\"$EVENTS\"\nexec \"$@\"\n";
    char *program = realpath(hsa_program("raw"), NULL), *text;
    const char *spec;

    assert_non_null(program);
    write_file(sweep_path("point.sh"), script, sizeof script - 1);
    assert_true(asprintf(&text,
                         "{'gcnsim_sweep': 1, 'launches': [{'name': 'raw', 'exec': ['/bin/sh', '%s', '%s', '%.*s', "
                         "'{sample}']%s}], 'profiles': ['gfx90a']%s}",
                         sweep_path("point.sh"), program, (int)(strrchr(program, '/') - program), program, launch,
                         more) > 0);
    spec = write_spec(name, text);
    free(text);
    free(program);
    return spec;
}

/* Cycles without being asked for; the sum of all dispatches; nothing of one that dispatches nothing. */
static void samples(void **state)
{
    NEED_RAW();
    const char *spec = write_raw("samples", "",
                                 ", 'axes': [{'parameter': 'sample', 'values': ['dispatches', 'agents', "
                                 "'barriers']}, {'set': 'gpu.shader_clock_mhz', 'values': [1000, 1700]}]"),
               *results = sweep_path("samples.sqlite");
    char *rows;

    (void)state;
    run_sweep(spec, results);
    rows = ask(results, "SELECT sample, outcome, cycles > 0, [dispatch.clock_cycles] FROM results WHERE "
                        "[gpu.shader_clock_mhz] = 1000 ORDER BY point");
    assert_string_equal(rows, "dispatches,completed,1,\nagents,completed,,\nbarriers,completed,1,\n");
    free(rows);
    /* the figure has reached the profile: the same kernel takes less time */
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results a JOIN results b USING (sample) WHERE "
                                         "a.[gpu.shader_clock_mhz] = 1000 AND b.[gpu.shader_clock_mhz] = 1700 AND "
                                         "a.time_us > b.time_us"),
                     2);
    resume_sweep(spec, results, "6 points: 0 run");
}

/* Statistics are those that a run by hand writes. */
static void beside_a_run(void **state)
{
    NEED_RAW();
    const char *spec = write_raw("one", "", ", 'axes': [{'parameter': 'sample', 'values': ['dispatches']}]"),
               *results = sweep_path("one.sqlite");
    char table[CLI_PATH + 300], folder[CLI_PATH], line[1000];
    double cycles = 0;
    struct said s;

    (void)state;
    run_sweep(spec, results);
    snprintf(table, sizeof table, "statistics=%s", sweep_path("table.csv"));
    snprintf(folder, sizeof folder, "%s", hsa_program("raw"));
    s = RUN("exec", "--arch", "gfx90a", "--engine", "timing", "--threads", "1", "--csv", table, "--",
            hsa_program("raw"), dirname(folder), "dispatches");
    expect_status(&s, 0);
    said_free(&s);
    FILE *f = fopen(sweep_path("table.csv"), "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *at = strstr(line, ",cycles,cycles,");

        cycles += at ? strtod(at + 15, NULL) : 0;
    }
    fclose(f);
    assert_true(cycles > 0);
    if (!may_fix_addresses()) { /* by which lines find their sets and channels */
        print_message("skipped: the cycles of two runs, which need leave to fix addresses\n");
        return;
    }
    assert_true((double)ask_number(results, "SELECT CAST(cycles AS INTEGER) FROM results") == cycles);
}

/* The functional engine, where it is asked for; variables; a program that fails; what it prints is nobody's. */
static void other_endings(void **state)
{
    NEED_RAW();
    const char *results = sweep_path("other.sqlite"),
               *spec =
                   write_raw("other", ", 'options': ['--engine', 'functional'], 'environment': {'SAMPLE': '{sample}'}",
                             ", 'axes': [{'parameter': 'sample', 'values': ['dispatches', 'no_such_sample']}]");
    struct said s = RUN("sweep", spec, "--output", results, "--progress", "never");
    char *rows;

    (void)state;
    expect_status(&s, 1);
    assert_int_equal(s.out_bytes, 0);
    said_free(&s);
    rows = ask(results, "SELECT sample, outcome, cycles IS NULL, [instructions.total] > 0 FROM results ORDER BY point");
    assert_int_equal(strncmp(rows, "dispatches,completed,1,1\nno_such_sample,faulted,1,", 50), 0);
    free(rows);
    assert_int_equal(ask_number(results,
                                "SELECT count(*) FROM results WHERE command LIKE 'SAMPLE=dispatches gcnsim exec "
                                "--engine timing --threads 1 --engine functional %'"),
                     1);
}

/* ---- killed ---- */

static unsigned files_in(const char *folder)
{
    struct dirent *entry;
    unsigned n = 0;
    DIR *d = opendir(folder);

    assert_non_null(d);
    while ((entry = readdir(d)))
        n += entry->d_name[0] != '.';
    closedir(d);
    return n;
}

/* Starts it; its points write to the file `events`. */
static pid_t start_sweep(const char *spec, const char *results, const char *events)
{
    setenv("EVENTS", events, 1);
    pid_t pid = cli_start((const char *const[]){"sweep", spec, "--output", results, "--jobs", "2", "--resume", NULL});

    unsetenv("EVENTS");
    assert_true(pid > 0);
    return pid;
}

static void kill_sweep(pid_t pid)
{
    int status;

    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status)); /* it was not through */
}

/* A sweep that is killed when so many of its points have started: as two run at a time, the third is after the end of
 * one. */
static void run_and_kill(const char *spec, const char *results, unsigned points)
{
    char events[CLI_PATH], line;
    pid_t pid;
    int fd;

    snprintf(events, sizeof events, "%s", cli_path("events"));
    assert_int_equal(mkfifo(events, 0600), 0);
    fd =
        open(events, O_RDWR | O_CLOEXEC); /* for both: points find a reader, and there is no end before the last line */
    assert_true(fd >= 0);
    pid = start_sweep(spec, results, events);
    for (; points; points--)
        assert_int_equal(read(fd, &line, 1), 1);
    kill_sweep(pid);
    unlink(events);
    close(fd);
}

/* Points that run when their sweep is killed leave nothing where temporary files go, and take nothing from a sweep
 * that runs beside it. */
static void killed_ten_times(void **state)
{
    NEED_RAW();
    static const char axes[] = ", 'axes': [{'parameter': 'sample', 'values': ['dispatches']}, {'set': "
                               "'gpu.shader_clock_mhz', 'range': {'from': 1000, 'to': %d, 'step': 1}}]";
    char more[300], spec[CLI_PATH], results[CLI_PATH], beside[CLI_PATH], folder[CLI_PATH], *before = getenv("TMPDIR");
    pid_t other;

    (void)state;
    NEED_PROC();
    assert_non_null(before);
    before = strdup(before);
    snprintf(more, sizeof more, axes, 1999);
    snprintf(spec, sizeof spec, "%s", write_raw("killed", "", more));
    snprintf(results, sizeof results, "%s", sweep_path("killed.sqlite"));
    snprintf(beside, sizeof beside, "%s", sweep_path("beside.sqlite"));
    snprintf(folder, sizeof folder, "%s", sweep_path("temporary"));
    assert_int_equal(mkdir(folder, 0755), 0);
    setenv("TMPDIR", folder, 1);
    other = start_sweep(spec, beside, "/dev/null");
    for (unsigned k = 0; k < 10; k++) {
        run_and_kill(spec, results, k % 5);
        assert_int_equal(files_in(folder), 0);
    }
    kill_sweep(other);
    cli_running = 0;
    snprintf(more, sizeof more, axes, 1007);
    write_raw("killed", "", more);
    resume_sweep(spec, results, "8 points: ");
    resume_sweep(spec, beside, "8 points: ");
    assert_int_equal(files_in(folder), 0);
    setenv("TMPDIR", before, 1);
    free(before);
    for (int k = 0; k < 2; k++)
        assert_int_equal(ask_number(k ? beside : results, "SELECT count(*) FROM results WHERE outcome = 'completed' "
                                                          "AND cycles > 0"),
                         8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(beside_a_run),
        cmocka_unit_test(other_endings),
        cmocka_unit_test_teardown(killed_ten_times, cli_teardown),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
