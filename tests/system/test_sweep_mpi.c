/* gcnsim sweep on the ranks of an MPI job: four of them on this machine, some of which die, stop or differ.
 * GCNSIM_SWEEP=long runs more cases, and larger sweeps, as make check does.
 */
#define _GNU_SOURCE
#include "tests/support/toolchain.h"
#include "tests/system/sweep_gate.h"

#include <dirent.h>
#include <libgen.h>

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
        argv[n++] = "--lost-after=5";
    while (more && *more)
        argv[n++] = *more++;
    return cli_start_program(argv);
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

/* The process of a rank, in a job of which all ranks run. */
static pid_t find_rank(int rank)
{
    pid_t pid = 0;

    NEED_PROC();
    DIR *d = opendir("/proc");

    assert_non_null(d);
    for (struct dirent *entry; !pid && (entry = readdir(d));)
        if (is_rank(entry->d_name, rank))
            pid = atoi(entry->d_name);
    closedir(d);
    assert_true(pid > 0);
    return pid;
}

static bool is_released(void *results)
{
    char lock[CLI_PATH + 300];

    snprintf(lock, sizeof lock, "%s.lock", (char *)results);
    return access(lock, F_OK) != 0;
}

/* Until the writer has closed its results. */
static void wait_for_end(pid_t job, const char *results)
{
    assert_true(watch_until(job, cli_dir, is_released, (void *)(uintptr_t)results));
}

/* A job of which each rank is in a point that waits, with all points before them done. */
struct held {
    pid_t job;
    unsigned first;
    struct gate gate[RANKS];
};

static struct held start_held(bool may_lose, const char *spec, const char *results, unsigned first)
{
    struct held h = {.first = first};

    for (unsigned k = 0; k < RANKS; k++)
        h.gate[k] = gate_close(first + k);
    h.job = start_ranks(may_lose, spec, results, NULL);
    for (unsigned k = 0; k < RANKS; k++)
        gate_await(&h.gate[k], h.job);
    return h;
}

static void let_go(const struct held *h)
{
    for (unsigned k = 0; k < RANKS; k++)
        gate_open(&h->gate[k]);
}

/* No further run sees anything of its gates. */
static struct said finish_held(const struct held *h)
{
    struct said s = cli_finish(h->job);

    for (unsigned k = 0; k < RANKS; k++)
        gate_remove(&h->gate[k], h->first + k);
    return s;
}

/* One was; a rank that this machine has kept from saying anything for so long may be another one. */
static void expect_lost(const struct said *s)
{
    const char *at = strstr(s->err, " ranks were lost");

    expect_in(s, s->err, " ranks were lost");
    while (at[-1] >= '0' && at[-1] <= '9')
        at--;
    assert_true(atoi(at) >= 1);
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
    return write_gated("points", points);
}

static void same_table(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *table = undisturbed(spec), *results = sweep_path("same.sqlite");
    struct held h = start_held(false, spec, results, 0);
    struct said s;

    (void)state;
    let_go(&h);
    s = finish_held(&h);
    expect_status(&s, 0);
    expect_in(&s, s.err, " run; results in ");
    said_free(&s);
    expect_same_table(results, table);
    assert_int_equal(ask_number(results, "SELECT count(DISTINCT worker) FROM run"), RANKS);
    assert_int_equal(ask_number(results, "SELECT count(*) FROM run WHERE attempts = 1 AND host <> ''"), points);
}

static void killed_rank(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *table = undisturbed(spec), *results = sweep_path("killed.sqlite");
    struct held h = start_held(true, spec, results, 4);
    struct said s;

    (void)state;
    kill(find_rank(2), SIGKILL);
    let_go(&h);
    s = finish_held(&h);
    expect_status(&s, 0);
    expect_lost(&s);
    said_free(&s);
    expect_same_table(results, table);
}

/* One that hangs is lost, too, and the results do not wait for it; the job's end does, which is MPI's. */
static void stopped_rank(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *table = undisturbed(spec), *results = sweep_path("stopped.sqlite");
    struct held h = start_held(true, spec, results, 4);
    pid_t rank = find_rank(1);
    struct said s;

    (void)state;
    kill(rank, SIGSTOP);
    let_go(&h);
    wait_for_end(h.job, results);
    expect_same_table(results, table);
    kill(rank, SIGCONT);
    s = finish_held(&h);
    expect_lost(&s);
    said_free(&s);
}

/* Whatever becomes of the job, what was committed is there, and another job ends it. */
static void killed_leader(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *table = undisturbed(spec), *results = sweep_path("leader.sqlite");
    struct held h = start_held(false, spec, results, 8);
    struct said s;

    (void)state;
    sweep_await(h.job, results, 0);
    kill(find_rank(0), SIGKILL);
    s = finish_held(&h);
    assert_int_not_equal(s.status, 0);
    said_free(&s);
    assert_true(ask_number(results, "SELECT count(*) FROM run") < points);
    s = run_ranks(spec, results, RESUME);
    expect_status(&s, 0);
    expect_in(&s, s.err, "were there already");
    said_free(&s);
    expect_same_table(results, table);
}

/* SIGTERM to the launcher, as a batch system has it, reaches the ranks: they end in good order. */
static void stopped_job(void **state)
{
    NEED_RANKS();
    const char *spec = spec_of_points(), *table = undisturbed(spec), *results = sweep_path("term.sqlite");
    struct held h = start_held(false, spec, results, 8);
    struct said s;

    (void)state;
    kill(h.job, SIGTERM);
    wait_for_end(h.job, results);
    s = finish_held(&h);
    assert_int_not_equal(s.status, 0);
    said_free(&s);
    s = run_ranks(spec, results, RESUME);
    expect_status(&s, 0);
    expect_in(&s, s.err, "were there already");
    said_free(&s);
    expect_same_table(results, table);
}

/* Ranks whose spec cannot be read, or is another one, run nothing and do not keep the others waiting. */
static void ranks_that_differ(void **state)
{
    NEED_RANKS();
    const char *spec = write_gated("few", 40), *results = sweep_path("differ.sqlite"),
               *others[] = {sweep_path("nothing.json"), write_clocks("other", 500)},
               *why[] = {"nothing.json: ", "is another one than that of rank 0"};
    /* one program on all ranks: Open MPI 5.0.7 may crash when it is given two */
    static const char one_differs[] = "[ \"$OMPI_COMM_WORLD_RANK\" = 2 ] && spec=$2 || spec=$1; "
                                      "exec \"$0\" sweep \"$spec\" --output \"$3\"";

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const char *argv[] = {"mpirun", "--oversubscribe", "-n",    "3", "sh", "-c", one_differs, tool,
                              spec,     others[k],         results, NULL};
        struct gate gates[2] = {gate_close(0), gate_close(1)};
        pid_t job = cli_start_program(argv);

        for (size_t n = 0; n < 2; n++)
            gate_await(&gates[n], job);
        cli_await_text(job, "1 ranks run nothing more: rank 2 on ");
        for (size_t n = 0; n < 2; n++)
            gate_open(&gates[n]);
        struct said s = cli_finish(job);
        for (unsigned n = 0; n < 2; n++)
            gate_remove(&gates[n], n);
        expect_status(&s, 0);
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
    const char *spec = write_gated("slow", 80), *results = sweep_path("slow.sqlite");
    struct gate g = gate_close(0);
    pid_t job = start_ranks(false, spec, results, NULL);
    struct said s;

    (void)state;
    sweep_await(job, results, 78); /* all others */
    gate_open(&g);
    s = cli_finish(job);
    gate_remove(&g, 0);
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(ask_number(results, "SELECT count(*) FROM results WHERE outcome = 'completed'"), 80);
}

/* What rank 0 refuses is reported once, and ends all. */
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

static int setup(void **state)
{
    points = is_long() ? 1000 : 48;
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
