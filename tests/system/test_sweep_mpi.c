/* gcnsim sweep on the ranks of an MPI job: four of them on this machine, some of which die, stop or differ.
 * GCNSIM_SWEEP=long runs more cases, and larger sweeps, as make check does.
 */
#define _GNU_SOURCE
#include "tests/support/toolchain.h"
#include "tests/system/sweep_run.h"

#include <dirent.h>
#include <libgen.h>
#include <sched.h>

enum { RANKS = 4 };

static unsigned points; /* of a sweep */
static char tool[CLI_PATH + 32];

/* The command line as make MPI=1 makes it. */
static void find_tool(void)
{
    char plain[CLI_PATH];

    snprintf(plain, sizeof plain, "%s", cli_tool());
    snprintf(tool, sizeof tool, "%s/tests/mpi/gcnsim", dirname(plain));
    if (access(tool, X_OK) != 0)
        fail_msg("%s is not made", tool);
}

#define NEED_RANKS()                                                                                                   \
    do {                                                                                                               \
        NEED_MPI();                                                                                                    \
        find_tool();                                                                                                   \
    } while (0)

/* Starts a program as cli_start() starts the tool. */
static pid_t start(const char *const argv[])
{
    posix_spawn_file_actions_t fa;
    pid_t pid = -1;

    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, cli_path("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&fa, 2, cli_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (posix_spawnp(&pid, argv[0], &fa, NULL, (char *const *)argv, environ) != 0)
        fail_msg("%s cannot be started", argv[0]);
    posix_spawn_file_actions_destroy(&fa);
    cli_running = pid;
    return pid;
}

/* mpirun -n 4 gcnsim sweep SPEC --output RESULTS MORE... A job that may lose ranks has no exit status of its own. */
static pid_t start_ranks(bool may_lose, const char *spec, const char *results, const char *const more[])
{
    const char *argv[CLI_ARGS] = {"mpirun", "--oversubscribe"};
    const char *const then[] = {"-n", "4", tool, "sweep", spec, "--output", results, "--progress", "never"};
    size_t n = 2;

    if (may_lose)
        argv[n++] = "--enable-recovery";
    for (size_t k = 0; k < sizeof then / sizeof then[0]; k++)
        argv[n++] = then[k];
    if (may_lose)
        argv[n++] = "--lost-after=2";
    while (more && *more)
        argv[n++] = *more++;
    return start(argv);
}

static struct said run_ranks(const char *spec, const char *results, const char *const more[])
{
    return cli_finish(start_ranks(false, spec, results, more));
}

#define RESUME ((const char *const[]){"--resume", NULL})

static bool is_rank(const char *pid, int rank)
{
    char path[300], exe[CLI_PATH] = "", wanted[CLI_PATH], name[60];
    size_t bytes = 0, n;
    bool found = false;
    ssize_t size;

    snprintf(path, sizeof path, "/proc/%s/exe", pid);
    size = readlink(path, exe, sizeof exe - 1);
    if (size < 0 || !realpath(tool, wanted) || strcmp(exe, wanted) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 18);
    if (f && text)
        bytes = fread(text, 1, (1 << 18) - 1, f);
    if (f)
        fclose(f);
    n = (size_t)snprintf(name, sizeof name, "OMPI_COMM_WORLD_RANK=%d", rank);
    for (size_t at = 0; text && at < bytes; at += strlen(text + at) + 1)
        found |= strlen(text + at) == n && strcmp(text + at, name) == 0;
    free(text);
    return found;
}

/* The process of a rank, once the sweep has committed something. */
static pid_t wait_for_rank(const char *results, int rank)
{
    pid_t pid = 0;

    NEED_PROC();
    for (int tries = 0; tries < 6000 && access(results, F_OK) != 0; tries++)
        usleep(10000);
    while (ask_number(results, "SELECT count(*) FROM sqlite_master WHERE name = 'results'") < 1 ||
           ask_number(results, "SELECT count(*) FROM run") < 1)
        usleep(10000);
    DIR *d = opendir("/proc");
    assert_non_null(d);
    for (struct dirent *entry; !pid && (entry = readdir(d));)
        if (is_rank(entry->d_name, rank))
            pid = atoi(entry->d_name);
    closedir(d);
    assert_true(pid > 0);
    return pid;
}

/* Until the writer has closed its results. */
static void wait_for_end(const char *results)
{
    char lock[CLI_PATH + 300];

    snprintf(lock, sizeof lock, "%s.lock", results);
    for (int tries = 0; tries < 60000 && access(lock, F_OK) == 0; tries++)
        usleep(10000);
    assert_int_not_equal(access(lock, F_OK), 0);
}

/* The table of a sweep on this machine alone, made once. */
static const char *undisturbed(const char *spec)
{
    static char *table;

    if (!table) {
        run_sweep(spec, sweep_path("alone.sqlite"));
        table = table_of(sweep_path("alone.sqlite"));
    }
    return table;
}

static const char *spec_of_points(void)
{
    return write_rounds("points", points, 6);
}

static void same_table(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("same.sqlite");
    struct said s = run_ranks(spec, results, NULL);

    (void)state;
    expect_status(&s, 0);
    expect_in(&s, s.err, " run; results in ");
    said_free(&s);
    expect_same_table(results, undisturbed(spec));
    assert_int_equal(ask_number(results, "SELECT count(DISTINCT worker) FROM run"), RANKS);
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE attempts = 1 AND host <> ''"), points);
}

static void killed_rank(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("killed.sqlite");
    pid_t job = start_ranks(true, spec, results, NULL);
    struct said s;

    (void)state;
    kill(wait_for_rank(results, 2), SIGKILL);
    s = cli_finish(job);
    expect_status(&s, 0);
    expect_in(&s, s.err, ", 1 ranks were lost");
    said_free(&s);
    expect_same_table(results, undisturbed(spec));
}

/* One that hangs is lost, too, and the results do not wait for it; the job's end does, which is MPI's. */
static void stopped_rank(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("stopped.sqlite");
    pid_t job = start_ranks(true, spec, results, NULL), rank = wait_for_rank(results, 1);
    struct said s;

    (void)state;
    kill(rank, SIGSTOP);
    wait_for_end(results);
    expect_same_table(results, undisturbed(spec));
    kill(rank, SIGCONT);
    s = cli_finish(job);
    expect_in(&s, s.err, ", 1 ranks were lost");
    said_free(&s);
}

/* Whatever becomes of the job, what was committed is there, and another job ends it. */
static void killed_leader(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("leader.sqlite");
    pid_t job = start_ranks(false, spec, results, NULL);
    struct said s;

    (void)state;
    kill(wait_for_rank(results, 0), SIGKILL);
    s = cli_finish(job);
    assert_int_not_equal(s.status, 0);
    said_free(&s);
    assert_true(ask_number(results, "SELECT count(*) FROM run") < points);
    s = run_ranks(spec, results, RESUME);
    expect_status(&s, 0);
    expect_in(&s, s.err, "were there already");
    said_free(&s);
    expect_same_table(results, undisturbed(spec));
}

/* SIGTERM to the launcher, as a batch system has it, reaches the ranks: they end in good order. */
static void stopped_job(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("term.sqlite");
    pid_t job = start_ranks(false, spec, results, NULL);
    struct said s;

    (void)state;
    wait_for_rank(results, 0);
    kill(job, SIGTERM);
    s = cli_finish(job);
    assert_int_not_equal(s.status, 0);
    said_free(&s);
    wait_for_end(results);
    s = run_ranks(spec, results, RESUME);
    expect_status(&s, 0);
    expect_in(&s, s.err, "were there already");
    said_free(&s);
    expect_same_table(results, undisturbed(spec));
}

/* Ranks whose spec cannot be read, or is another one, run nothing and do not keep the others waiting. */
static void ranks_that_differ(void **state)
{
    NEED_RANKS();
    const char *spec = write_clocks("few", 40), *results = sweep_path("differ.sqlite"),
               *others[] = {sweep_path("nothing.json"),
                            write_spec("other",
                                       "{'gcnsim_sweep': 1, 'launches': "
                                       "['@/traces/samples/gfx90a/histogram.json'], 'axes': [{'set': "
                                       "'gpu.shader_clock_mhz', 'range': {'from': 500, 'to': 999, 'step': 1}}]}")},
               *why[] = {"nothing.json: ", "is another one than that of rank 0"};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const char *argv[] = {"mpirun", "--oversubscribe", "-n",      "2",        tool,    "sweep",
                              spec,     "--output",        results,   ":",        "-n",    "1",
                              tool,     "sweep",           others[k], "--output", results, NULL};
        struct said s = cli_finish(start(argv));

        expect_status(&s, 0);
        expect_in(&s, s.err, "1 ranks ran nothing more: rank 2 on ");
        expect_in(&s, s.err, why[k]);
        said_free(&s);
        assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE outcome = 'completed' AND worker <> "
                                             "'rank 2'"),
                         40);
        unlink(results);
    }
}

/* A point that takes long holds nobody up: the others run the rest. */
static void straggler(void **state)
{
    NEED_RANKS();
    const char *spec =
                   write_spec("slow", "{'gcnsim_sweep': 1, 'launches': [{'run': "
                                      "['@/traces/samples/gfx90a/saxpy.json'], 'options': ['--repeat', '{n}']}], "
                                      "'define': {'n': 'CASE [gpu.shader_clock_mhz] WHEN 1000 THEN 1000 ELSE 1 END'}, "
                                      "'axes': [{'set': 'gpu.shader_clock_mhz', 'range': {'from': 1000, 'to': 1079, "
                                      "'step': 1}}]}"),
               *results = sweep_path("slow.sqlite");
    struct said s = run_ranks(spec, results, NULL);

    (void)state;
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results WHERE outcome = 'completed'"), 80);
    assert_true(ask_number(results, "SELECT count(*) FROM run WHERE worker = (SELECT worker FROM run JOIN point USING "
                                    "(id) WHERE ordinal = 0)") < 20);
}

/* What rank 0 refuses is told once, and ends all. */
static void refused(void **state)
{
    NEED_RANKS();
    const char *spec = write_clocks("refused", 4), *results = sweep_path("refused.sqlite");
    struct said s;
    char *at;

    (void)state;
    write_file(results, "", 0);
    s = run_ranks(spec, results, NULL);
    expect_status(&s, 2);
    at = strstr(s.err, "is there already; expected --resume");
    assert_non_null(at);
    assert_null(strstr(at + 1, "is there already"));
    said_free(&s);
}

static void several_jobs(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *results = sweep_path("jobs.sqlite");
    struct said s = run_ranks(spec, results, (const char *const[]){"--jobs", "3", NULL});

    (void)state;
    expect_status(&s, 0);
    said_free(&s);
    expect_same_table(results, undisturbed(spec));
}

/* The code that simulates is the same one, with MPI and without. */
static void resumed_by_the_other(void **state)
{
    NEED_RANKS();
    const char *spec = write_clocks("either", 8), *plain = sweep_path("plain.sqlite"), *mpi = sweep_path("mpi.sqlite");
    struct said s;

    (void)state;
    run_sweep(spec, plain);
    s = run_ranks(spec, plain, RESUME);
    expect_status(&s, 0);
    expect_in(&s, s.err, "8 points: 0 run, 8 were there already");
    said_free(&s);
    s = run_ranks(spec, mpi, NULL);
    expect_status(&s, 0);
    said_free(&s);
    resume_sweep(spec, mpi, "8 points: 0 run, 8 were there already");
    assert_int_equal(ask_number(mpi, "SELECT count(DISTINCT gcnsim_sha256) FROM run"), 1);
}

/* A gcnsim without MPI would have each rank run everything. */
static void built_without(void **state)
{
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    if (access(cli_tool(), X_OK) == 0)
        expect_refused(RUN("sweep", write_clocks("without", 2), "--output", sweep_path("without.sqlite")),
                       WORDS("one of 4 ranks", "built without MPI; expected"));
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

static bool is_long(void)
{
    const char *how = getenv("GCNSIM_SWEEP");

    return how && strcmp(how, "long") == 0;
}

/* Two processors, as on a small machine: with many, a sweep would be through before a rank can be killed. */
static void take_two_processors(void)
{
    cpu_set_t set;
    int left = 2;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return; /* there are very many */
    for (int k = 0; k < CPU_SETSIZE; k++)
        if (CPU_ISSET(k, &set) && left-- <= 0)
            CPU_CLR(k, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
}

static int setup(void **state)
{
    take_two_processors();
    points = is_long() ? 1000 : 240;
    /* the tests of a container are root's */
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    without_leaks_of_mpi();
    return cli_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(same_table, cli_teardown),
        cmocka_unit_test_teardown(killed_rank, cli_teardown),
        cmocka_unit_test_teardown(ranks_that_differ, cli_teardown),
        cmocka_unit_test_teardown(refused, cli_teardown),
        cmocka_unit_test_teardown(resumed_by_the_other, cli_teardown),
        cmocka_unit_test(built_without),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test_teardown(same_table, cli_teardown),
        cmocka_unit_test_teardown(killed_rank, cli_teardown),
        cmocka_unit_test_teardown(stopped_rank, cli_teardown),
        cmocka_unit_test_teardown(killed_leader, cli_teardown),
        cmocka_unit_test_teardown(stopped_job, cli_teardown),
        cmocka_unit_test_teardown(ranks_that_differ, cli_teardown),
        cmocka_unit_test_teardown(straggler, cli_teardown),
        cmocka_unit_test_teardown(several_jobs, cli_teardown),
    };

    return is_long() ? cmocka_run_group_tests(long_tests, setup, cli_teardown)
                     : cmocka_run_group_tests(tests, setup, cli_teardown);
}
