/* Processes of points: how they end, what they write, and what they leave behind. The processes are shells. */
#include "tests/unit/sweep/sweep_unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sweep/child.h"
#include "sim/sweep/sweep.h"
#include "sim/util/host_time.h"
#include "tests/support/watch.h"

static bool no_proc; /* its files are not to be had */

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
    if (!no_proc || strncmp(path, "/proc/", 6) != 0)
        return __real_access(path, mode);
    errno = ENOENT;
    return -1;
}

/* The first descriptor that is not in use, after so many others that are not. */
static int unused_descriptor(unsigned others)
{
    for (int fd = 0;; fd++)
        if (fcntl(fd, F_GETFD) < 0 && !others--)
            return fd;
}

static int try_start(struct sweep_child *child, const char *script, bool program, double max_seconds, struct err *e)
{
    char *words[] = {strdup("/bin/sh"), strdup("-c"), strdup(script), strdup("sh"), strdup("statistics="), NULL};
    char *environment[] = {strdup("OF_POINT=7"), strdup("GCNSIM_OF=point"), NULL};
    struct sweep_command c = {.words = words, .count = 5, .environment = environment, .program = program, .table = 4};
    int rc = sweep_child_start(child, &c, program_folder(), max_seconds, e);

    for (size_t k = 0; words[k]; k++)
        free(words[k]);
    free(environment[0]);
    free(environment[1]);
    return rc;
}

static struct sweep_child start(const char *script, bool program, double max_seconds)
{
    struct sweep_child child;
    struct err e = {0};

    if (try_start(&child, script, program, max_seconds, &e))
        fail_msg("%s", e.text);
    return child;
}

/* Until it has written something more, or has ended. A table that grows tells nobody. */
static void await(const struct sweep_child *child)
{
    struct pollfd fds[3];

    poll(fds, (nfds_t)sweep_child_fds(child, fds), child->table >= 0 ? 0 : -1);
}

static struct sweep_raw finish(struct sweep_child *child)
{
    while (!sweep_child_check(child))
        await(child);
    assert_int_equal(child->pid, 0);
    assert_false(sweep_child_check(child));
    return child->raw;
}

static struct sweep_raw run(const char *script, bool program, double max_seconds)
{
    struct sweep_child child = start(script, program, max_seconds);

    return finish(&child);
}

/* The same for one with a limit of a second that has begun so many seconds ago whenever that is asked, from the moment
 * on at which it has written something. */
static struct sweep_raw run_late(const char *script, double seconds)
{
    struct sweep_child child = start(script, false, 0);

    while (!child.raw.out.size && !child.raw.said.size) {
        assert_false(sweep_child_check(&child));
        if (!child.raw.out.size && !child.raw.said.size)
            await(&child);
    }
    child.limit = 1;
    for (;;) {
        child.began = host_seconds() - seconds;
        if (sweep_child_check(&child))
            return child.raw;
        await(&child);
    }
}

static void test_output_and_status(void **state)
{
    struct sweep_raw r = run("echo out; echo said >&2; echo $OF_POINT; cat; pwd >&2; exit 5", false, 0);
    char said[4300];

    (void)state;
    assert_int_equal(r.exit_status, 5);
    assert_string_equal(r.out.data, "out\n7\n");
    snprintf(said, sizeof said, "said\n%s\n", program_folder());
    assert_string_equal(r.said.data, said);
    assert_false(r.timed_out || r.too_much);
    assert_true(r.seconds >= 0 && r.cpu_seconds >= 0 && r.peak_bytes > 0);
    assert_int_equal(strlen(r.started), 20);
    sweep_raw_free(&r);
}

/* What it has closed is not listened to any more. */
static void test_closed_output(void **state)
{
    struct sweep_child child = start("exec >&- 2>&-; kill -STOP $$", false, 0);
    struct pollfd fds[3];

    (void)state;
    while (child.out >= 0 || child.err >= 0) {
        await(&child);
        assert_false(sweep_child_check(&child));
    }
    assert_int_equal(sweep_child_fds(&child, fds), child.process >= 0);
    sweep_child_kill(&child);
}

static void test_no_output(void **state)
{
    struct sweep_raw r = run(":", false, 0);

    (void)state;
    assert_int_equal(r.exit_status, 0);
    assert_int_equal(r.out.size, 0);
    assert_int_equal(r.said.size, 0);
    sweep_raw_free(&r);
}

static void test_signal(void **state)
{
    struct sweep_raw r = run("kill -SEGV $$", false, 0);

    (void)state;
    assert_int_equal(r.exit_status, -SIGSEGV);
    sweep_raw_free(&r);
}

/* More than a pipe holds; of what is said the end is kept. */
static void test_long_output(void **state)
{
    struct sweep_raw r = run("head -c 5000000 /dev/zero | tr '\\0' x; head -c 100000 /dev/zero | tr '\\0' y >&2; echo "
                             "the end >&2",
                             false, 0);

    (void)state;
    assert_int_equal(r.exit_status, 0);
    assert_int_equal(r.out.size, 5000000);
    assert_int_equal(strspn(r.out.data, "x"), 5000000);
    assert_int_equal(r.said.size, SWEEP_SAID_BYTES);
    assert_string_equal(r.said.data + SWEEP_SAID_BYTES - 9, "ythe end\n");
    sweep_raw_free(&r);
}

/* Ends by a limit, although it never stops writing and ignores SIGTERM. */
static void test_endless_output(void **state)
{
    struct sweep_raw r = run("exec cat /dev/zero", false, 0);

    (void)state;
    assert_true(r.too_much);
    assert_int_equal(r.exit_status, -SIGKILL);
    sweep_raw_free(&r);
    r = run_late("trap '' TERM; exec cat /dev/zero >&2", 1000);
    assert_true(r.timed_out && !r.too_much);
    assert_int_equal(r.exit_status, -SIGKILL);
    sweep_raw_free(&r);
}

static void test_time_limit(void **state)
{
    static const char script[] = "trap 'echo report; exit 4' TERM; echo ready; while :; do :; done";
    struct sweep_raw r = run_late(script, 1.5);

    (void)state;
    assert_true(r.timed_out);
    assert_int_equal(r.exit_status, 4); /* it was asked first */
    assert_string_equal(r.out.data, "ready\nreport\n");
    sweep_raw_free(&r);
    r = run_late(script, 1000); /* longer than one that is asked gets */
    assert_true(r.timed_out);
    assert_int_equal(r.exit_status, -SIGKILL);
    sweep_raw_free(&r);
    r = run("exit 0", false, 1e9);
    assert_false(r.timed_out);
    sweep_raw_free(&r);
}

static bool is_alive(pid_t pid)
{
    char path[64], text[512] = "";
    FILE *f;

    NEED_PROC();
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    return n && !strstr(text, ") Z ");
}

/* A process that a program leaves running ends with it, though it has the pipe open. */
static void test_what_is_left_running(void **state)
{
    struct sweep_raw r = run("tail -f /dev/null & echo $!", false, 0);
    pid_t left = atoi(r.out.data);

    (void)state;
    assert_int_equal(r.exit_status, 0);
    assert_true(left > 0);
    watch_end(left);
    sweep_raw_free(&r);
}

/* A sweep that is killed takes its processes with it. */
static void test_ends_with_its_parent(void **state)
{
    int fd[2], status;
    char text[40] = "";

    (void)state;
    assert_int_equal(pipe(fd), 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct sweep_child child = start("exec tail -f /dev/null", false, 0);

        dprintf(fd[1], "%d\n", (int)child.pid);
        pause();
        _exit(0);
    }
    assert_true(read(fd[0], text, sizeof text - 1) > 0);
    assert_true(is_alive(atoi(text)));
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    watch_end(atoi(text));
    close(fd[0]);
    close(fd[1]);
}

static void test_kill(void **state)
{
    struct sweep_child child = start("exec tail -f /dev/null", false, 0);
    pid_t pid = child.pid;

    (void)state;
    sweep_child_kill(&child);
    assert_int_equal(child.pid, 0);
    assert_false(is_alive(pid));
    sweep_child_kill(&child); /* there is none */
}

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

/* A program's statistics are a table that is in no folder; what it prints is none of them. */
static void test_program(void **state)
{
    NEED_PROC();
    unsigned files = files_in(program_folder());
    struct sweep_raw r = run("echo printed; f=${1#statistics=}; echo \"in $f\" > \"$f\"; echo more >> \"$f\"; ls -A "
                             "$TMPDIR >&2",
                             true, 0);
    char expected[100];

    (void)state;
    assert_int_equal(r.exit_status, 0);
    snprintf(expected, sizeof expected, "in /proc/%d/fd/", (int)getpid());
    assert_int_equal(strncmp(r.out.data, expected, strlen(expected)), 0);
    assert_non_null(strstr(r.out.data, "\nmore\n"));
    assert_int_equal(r.said.size, 0);
    assert_int_equal(files_in(program_folder()), files);
    sweep_raw_free(&r);
    r = run(":", true, 0);
    assert_int_equal(r.out.size, 0);
    assert_int_equal(r.exit_status, 0);
    sweep_raw_free(&r);
}

/* Memory has no name without /proc: the table is a file among the temporary ones, whatever its descriptor, and goes
 * with its process. */
static void test_program_without_proc(void **state)
{
    const char *tmp = in_folder("tmp"), *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL, expected[4300];
    const int input = dup(STDIN_FILENO);
    struct sweep_child child;
    struct err e = {0};

    (void)state;
    assert_int_equal(mkdir(tmp, 0700), 0);
    const int unused = unused_descriptor(3);
    setenv("TMPDIR", tmp, 1);
    no_proc = true;
    close(STDIN_FILENO);
    struct sweep_raw r = run("echo \"in $1\" > \"${1#statistics=}\"; echo $? >&2", true, 0);
    assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    close(input);
    assert_string_equal(r.said.data, "0\n");
    snprintf(expected, sizeof expected, "in statistics=%s/gcnsim-statistics-", tmp);
    assert_int_equal(strncmp(r.out.data, expected, strlen(expected)), 0);
    assert_int_equal(files_in(tmp), 0);
    sweep_raw_free(&r);
    setenv("TMPDIR", in_folder("none"), 1);
    assert_int_equal(try_start(&child, ":", true, 0, &e), -1);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "/none/gcnsim-statistics-"));
    assert_non_null(strstr(e.text, ", for a program's statistics: No such file or directory"));
    assert_int_equal(unused_descriptor(4), unused); /* one of them was for the input */
    no_proc = false;
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

/* Descriptors of tables go with their processes. */
static void test_tables_are_closed(void **state)
{
    NEED_PROC();
    unsigned before = files_in("/proc/self/fd");
    struct sweep_child child = start("exec tail -f /dev/null", true, 0);

    (void)state;
    assert_true(files_in("/proc/self/fd") > before);
    sweep_child_kill(&child);
    for (int k = 0; k < 3; k++) {
        struct sweep_raw r = run("echo x > \"${1#statistics=}\"", true, 0);

        assert_string_equal(r.out.data, "x\n");
        sweep_raw_free(&r);
    }
    assert_int_equal(files_in("/proc/self/fd"), before);
}

static void test_endless_table(void **state)
{
    /* it stays there with 128 MiB, so that a host that looks late has memory left */
    struct sweep_raw r = run("trap '' XFSZ; ulimit -f 262144; cat /dev/zero > \"${1#statistics=}\" 2>/dev/null; exec "
                             "tail -f /dev/null",
                             true, 0);

    (void)state;
    assert_true(r.too_much);
    assert_int_equal(r.exit_status, -SIGKILL);
    assert_int_equal(r.out.size, 0);
    sweep_raw_free(&r);
    r = run("head -c 70000000 /dev/zero > \"${1#statistics=}\"", true, 0);
    assert_true(r.too_much);
    assert_int_equal(r.out.size, 0);
    sweep_raw_free(&r);
}

static void test_what_cannot_be_started(void **state)
{
    char *words[] = {(char *)"/nonexistent/gcnsim", NULL}, *environment[] = {NULL};
    struct sweep_command c = {.words = words, .count = 1, .environment = environment};
    struct sweep_child child;
    struct sweep_raw r;
    struct err e = {0};

    (void)state;
    assert_int_equal(sweep_child_start(&child, &c, "/", 0, &e), 0);
    r = finish(&child);
    assert_int_equal(r.exit_status, 127);
    sweep_raw_free(&r);
    words[0] = (char *)"/bin/true";
    assert_int_equal(sweep_child_start(&child, &c, "/nonexistent", 0, &e), 0);
    r = finish(&child);
    assert_int_equal(r.exit_status, 127);
    sweep_raw_free(&r);
}

/* Where descriptors are short nothing is started, and those that there were are given back. */
static void test_few_descriptors(void **state)
{
    static const struct {
        unsigned descriptors;
        bool program;
        const char *says;
    } v[] = {
        {0, false, "a process for a point: Too many open files"},
        {2, false, "a process for a point: Too many open files"}, /* a pipe for one of two outputs */
        {0, true, "memory for a program's statistics: Too many open files"},
        {1, true, "a process for a point: Too many open files"},
    };
    const int first = unused_descriptor(0), last = unused_descriptor(5);
    struct rlimit most;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &most), 0);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        const struct rlimit few = {(rlim_t)unused_descriptor(v[k].descriptors), most.rlim_max};
        struct sweep_child child;
        struct err e = {0};

        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        int rc = try_start(&child, "exit 0", v[k].program, 0, &e);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &most), 0);
        assert_int_equal(rc, -1);
        assert_int_equal(e.code, ERR_IO);
        assert_string_equal(e.text, v[k].says);
        assert_int_equal(child.pid, 0);
        assert_int_equal(unused_descriptor(0), first);
        assert_int_equal(unused_descriptor(5), last);
    }
}

/* A program that uses MPI itself must not take itself for a rank of the sweep. */
static void test_variables_of_ranks(void **state)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    static const char script[] = "echo ${OMPI_COMM_WORLD_RANK-no} ${PMIX_RANK-no} ${PMI_RANK-no} ${SLURM_PROCID-no} "
                                 "${OF_POINT-no}";
    struct err e = {0};
    struct sweep_raw r;

    (void)state;
    for (size_t k = 0; k < 4; k++)
        setenv(names[k], "3", 1);
    r = run(script, false, 0);
    assert_string_equal(r.out.data, "3 3 3 3 7\n");
    sweep_raw_free(&r);
    assert_int_equal(sweep_rank_begin(&e), 0);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    assert_int_equal(sweep_ranks(), 4);
#ifndef GCNSIM_MPI
    assert_int_equal(sweep_rank_begin(&e), -1);
    assert_int_equal(e.code, ERR_UNSUPPORTED);
    assert_string_equal(e.text,
                        "this process is one of 4 ranks, and this gcnsim has been built without MPI; expected one "
                        "that 'make MPI=1' has made");
#endif
    r = run(script, false, 0);
    assert_string_equal(r.out.data, "no no no no 7\n");
    sweep_raw_free(&r);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    for (size_t k = 0; k < 4; k++)
        unsetenv(names[k]);
    assert_int_equal(sweep_ranks(), 1);
}

/* The spec's alone, and the place of the HSA runtime. */
static void test_variables_of_gcnsim(void **state)
{
    static const char *const names[] = {"GCNSIM_ENGINE", "GCNSIM_OF", "GCNSIM_HSA_DIR", "GCNSIMX"};
    struct sweep_raw r;

    (void)state;
    for (size_t k = 0; k < 4; k++)
        setenv(names[k], "shell", 1);
    r = run("echo ${GCNSIM_ENGINE-no} $GCNSIM_OF $GCNSIM_HSA_DIR $GCNSIMX", false, 0);
    assert_string_equal(r.out.data, "no point shell shell\n");
    sweep_raw_free(&r);
    for (size_t k = 0; k < 4; k++)
        unsetenv(names[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_status),
        cmocka_unit_test(test_closed_output),
        cmocka_unit_test(test_no_output),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_long_output),
        cmocka_unit_test(test_endless_output),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_what_is_left_running),
        cmocka_unit_test(test_ends_with_its_parent),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_program_without_proc),
        cmocka_unit_test(test_tables_are_closed),
        cmocka_unit_test(test_endless_table),
        cmocka_unit_test(test_what_cannot_be_started),
        cmocka_unit_test(test_few_descriptors),
        cmocka_unit_test(test_variables_of_ranks),
        cmocka_unit_test(test_variables_of_gcnsim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
