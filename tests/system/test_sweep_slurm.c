/* gcnsim sweep under Slurm: the batch script that --slurm writes, and ranks that srun starts, on a Slurm that is
 * started for this on loopback.
 */
#define _GNU_SOURCE
#include "tests/support/toolchain.h"
#include "tests/system/sweep_gate.h"

#include <arpa/inet.h>
#include <libgen.h>
#include <sys/socket.h>

enum { POINTS = 40, TASKS = 4 };

static char folder[CLI_PATH]; /* of Slurm: a short path, for the sake of sockets; "": it is not started */
static char why[600];         /* it is not */
static char *table;           /* of a sweep on this machine alone */

static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int s = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(s, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(getsockname(s, (struct sockaddr *)&a, &n), 0);
    close(s);
    return ntohs(a.sin_port);
}

static int run(const char *log, const char *const argv[])
{
    return spawn_tool(argv, log);
}

#define RUN_LOGGED(...) run(sweep_path("log"), (const char *const[]){__VA_ARGS__, NULL})

static void first_line(char *to, size_t bytes)
{
    size_t n;
    char *text = read_whole(sweep_path("log"), &n);

    snprintf(to, bytes, "%s", text ? text : "");
    to[strcspn(to, "\n")] = 0;
    free(text);
}

static int start_slurm(void **state)
{
    char ports[2][12], conf[CLI_PATH + 20];
    const char *no = why_no_toolchain(TOOLCHAIN_SLURM);

    cli_setup(state);
    without_leaks_of_mpi();
    if (no) {
        snprintf(why, sizeof why, "%s", no);
        return 0;
    }
    snprintf(folder, sizeof folder, "/tmp/gcnsim-slurm-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0755), 0);
    for (int k = 0; k < 2; k++)
        snprintf(ports[k], sizeof ports[k], "%d", free_port());
    snprintf(conf, sizeof conf, "%s/slurm.conf", folder);
    if (RUN_LOGGED("tests/system/slurm_alone.sh", folder, "start", ports[0], ports[1]) != 0)
        first_line(why, sizeof why);
    setenv("SLURM_CONF", conf, 1);
    return 0;
}

/* For a daemon; 0: it does not run. */
static pid_t pid_of(const char *daemon)
{
    char path[CLI_PATH + 40];
    size_t n;

    snprintf(path, sizeof path, "%s/%s.pid", folder, daemon);
    char *text = read_whole(path, &n);
    pid_t pid = text ? atoi(text) : 0;
    free(text);
    return pid;
}

static int stop_slurm(void **state)
{
    static const char *const daemons[] = {"slurmd", "slurmctld", "munged"};
    pid_t pid[3];

    (void)state;
    free(table);
    if (!*folder)
        return 0;
    for (int k = 0; k < 3; k++)
        pid[k] = pid_of(daemons[k]);
    RUN_LOGGED("tests/system/slurm_alone.sh", folder, "stop");
    /* daemons write their state when they end */
    for (int k = 0; k < 3; k++)
        if (pid[k])
            watch_end(pid[k]);
    return RUN_LOGGED("rm", "-rf", folder);
}

#define NEED_A_CLUSTER()                                                                                               \
    do {                                                                                                               \
        if (*why) {                                                                                                    \
            print_message("skipped: %s\n", why);                                                                       \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

static const char *spec_of_points(void)
{
    const char *spec = write_gated("points", POINTS);

    if (!table) {
        run_sweep(spec, sweep_path("alone.sqlite"));
        table = table_of(sweep_path("alone.sqlite"));
    }
    return spec;
}

/* The number of the job. */
static void submit(const char *script, char job[40])
{
    char said[200], *at;

    if (RUN_LOGGED("sbatch", script) != 0) {
        first_line(said, sizeof said);
        fail_msg("sbatch: %s", said);
    }
    first_line(said, sizeof said);
    at = strrchr(said, ' ');
    assert_non_null(at);
    snprintf(job, 40, "%s", at + 1);
}

/* Another job, which waits for it, has ended. */
static void wait_for_job(const char *job)
{
    char after[80], said[200];

    snprintf(after, sizeof after, "--dependency=afterany:%s", job);
    if (RUN_LOGGED("sbatch", "--wait", after, "--output=/dev/null", "--wrap=true") != 0) {
        first_line(said, sizeof said);
        fail_msg("sbatch --wait: %s", said);
    }
}

static const char *write_script(const char *spec, const char *results)
{
    const char *script = sweep_path("array.sbatch");
    struct said s = RUN("sweep", spec, "--output", results, "--slurm", "4");

    expect_status(&s, 0);
    expect_in(&s, s.out, "#SBATCH --array=0-3\n");
    write_file(script, s.out, s.out_bytes);
    said_free(&s);
    return script;
}

static void merge(const char *results)
{
    char shard[TASKS][CLI_PATH + 300];
    struct said s;

    for (int k = 0; k < TASKS; k++)
        snprintf(shard[k], sizeof shard[k], "%s.shard-%d.sqlite", results, k);
    s = RUN("sweep", "merge", results, shard[0], shard[1], shard[2], shard[3]);
    expect_status(&s, 0);
    said_free(&s);
}

static void array_of_jobs(void **state)
{
    NEED_A_CLUSTER();
    const char *spec = spec_of_points(), *results = sweep_path("array.sqlite");
    char job[40], task[60];
    struct gate g = gate_close(2 + TASKS);

    (void)state;
    submit(write_script(spec, results), job);
    /* one is lost in a point: the same script, once more, runs what it lacks */
    gate_await(&g, 0);
    snprintf(task, sizeof task, "%s_2", job);
    assert_int_equal(RUN_LOGGED("scancel", "--signal=KILL", "--full", task), 0);
    wait_for_job(job);
    gate_remove(&g, 2 + TASKS);
    submit(sweep_path("array.sbatch"), job);
    wait_for_job(job);
    merge(results);
    expect_same_table(results, table);
    /* the sweep may have heard that its point was killed before it was killed itself */
    assert_int_equal(
        ask_number(results, "SELECT count(*) FROM run JOIN point USING (id) WHERE attempts = 1 OR ordinal = 6"),
        POINTS);
}

/* Ranks of one job, by PMIx. */
static void ranks_of_srun(void **state)
{
    NEED_A_CLUSTER();
    NEED_MPI();
    const char *spec = spec_of_points(), *results = sweep_path("srun.sqlite");
    char plain[CLI_PATH], tool[CLI_PATH + 32], said[300];
    struct gate gates[TASKS];

    (void)state;
    RUN_LOGGED("sh", "-c", "srun --mpi=list 2>&1 | grep -w pmix");
    first_line(said, sizeof said);
    if (!*said) {
        print_message("skipped: this Slurm has no PMIx\n");
        skip();
    }
    snprintf(plain, sizeof plain, "%s", cli_tool());
    snprintf(tool, sizeof tool, "%s/tests/mpi/gcnsim", dirname(plain));
    /* each rank gets one of the first points */
    for (unsigned k = 0; k < TASKS; k++)
        gates[k] = gate_close(k);
    pid_t job = cli_start_program((const char *const[]){"srun", "--mpi=pmix", "-n", "4", tool, "sweep", spec,
                                                        "--output", results, "--progress", "never", NULL});
    for (unsigned k = 0; k < TASKS; k++)
        gate_await(&gates[k], job);
    for (unsigned k = 0; k < TASKS; k++)
        gate_open(&gates[k]);
    struct said s = cli_finish(job);
    for (unsigned k = 0; k < TASKS; k++)
        gate_remove(&gates[k], k);
    expect_status(&s, 0);
    said_free(&s);
    expect_same_table(results, table);
    assert_int_equal(ask_number(results, "SELECT count(DISTINCT worker) FROM run"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(array_of_jobs),
        cmocka_unit_test(ranks_of_srun),
    };

    return cmocka_run_group_tests(tests, start_slurm, stop_slurm);
}
