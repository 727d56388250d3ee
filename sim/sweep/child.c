/* Processes of points: started, listened to, ended in time. */
#define _GNU_SOURCE
#include "sim/sweep/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/sweep/runtime.h"
#include "sim/util/host_time.h"

#define GRACE_SECONDS 2.0  /* from SIGTERM to SIGKILL */
enum { MOST_PIECES = 64 }; /* of 64 KiB: more than a pipe holds */

static void append(struct sweep_bytes *b, const char *data, size_t n)
{
    if (b->size + n + 1 > b->room) {
        size_t room = 2 * (b->size + n + 1);
        char *more = realloc(b->data, room);

        if (!more)
            return;
        b->data = more;
        b->room = room;
    }
    memcpy(b->data + b->size, data, n);
    b->size += n;
    b->data[b->size] = 0;
}

void sweep_raw_free(struct sweep_raw *r)
{
    free(r->out.data);
    free(r->said.data);
    *r = (struct sweep_raw){0};
}

/* ---- starting ---- */

/* In the child: nothing but what is safe after fork(). */
static void become(const struct sweep_command *command, char *const *environment, const char *folder, int out, int err,
                   pid_t parent)
{
    int null = open("/dev/null", O_RDWR);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (getppid() == parent && chdir(folder) == 0 && dup2(null, STDIN_FILENO) >= 0 &&
        dup2(out >= 0 ? out : null, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
        execve(command->words[0], command->words, environment);
    _exit(127);
}

unsigned sweep_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *text = getenv(names[k]);

        if (text && atoi(text) > 1)
            return (unsigned)atoi(text);
    }
    return 1;
}

/* Variables by which a rank knows its job: a program that uses MPI itself would take itself for this rank. */
static bool is_of_rank(const char *variable)
{
    static const char *const prefixes[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "SLURM_"};

    for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++)
        if (strncmp(variable, prefixes[k], strlen(prefixes[k])) == 0)
            return true;
    return false;
}

/* A point is what its spec says: gcnsim's own variables in the caller's environment neither change it nor take its
 * reports. Where the HSA runtime is belongs to the machine. */
static bool is_of_gcnsim(const char *variable)
{
    return strncmp(variable, "GCNSIM_", 7) == 0 &&
           strncmp(variable, RUNTIME_VARIABLE "=", sizeof RUNTIME_VARIABLE) != 0;
}

/* The process's environment with the command's variables in place of its own. The array is to be freed. */
static char **environment_of(const struct sweep_command *command)
{
    size_t n = 0, more = 0, count = 0;
    char **list;

    while (environ[n])
        n++;
    while (command->environment[more])
        more++;
    list = calloc(n + more + 1, sizeof *list);
    for (size_t k = 0; list && k < n; k++) {
        bool dropped = is_of_gcnsim(environ[k]) || (sweep_ranks() > 1 && is_of_rank(environ[k]));

        for (size_t m = 0; m < more; m++)
            dropped |= strncmp(environ[k], command->environment[m], strcspn(command->environment[m], "=") + 1) == 0;
        if (!dropped)
            list[count++] = environ[k];
    }
    for (size_t m = 0; list && m < more; m++)
        list[count++] = command->environment[m];
    return list;
}

/* An empty file among the temporary ones, for where memory has no name; its name, which is the file's as long as the
 * process of the point runs, or null with *e. */
static char *make_table_file(struct sweep_child *c, struct err *e)
{
    const char *folder = getenv("TMPDIR");
    char *path;

    if (asprintf(&path, "%s/gcnsim-statistics-XXXXXX", folder && *folder == '/' ? folder : "/tmp") < 0) {
        err_set(e, ERR_NOMEM, "out of host memory");
        return NULL;
    }
    c->table = mkostemp(path, O_CLOEXEC);
    if (c->table >= 0 && (c->table_file = strdup(path)))
        return path;
    err_set(e, ERR_IO, "%s, for a program's statistics: %s", path, strerror(errno));
    if (c->table >= 0)
        unlink(path);
    free(path);
    return NULL;
}

/* The table of exec's statistics: memory of this process, whose name becomes the word's end. It is named by this
 * process and not as /dev/fd, because programs close what they inherit. Without /proc it has no name. */
static int make_table(struct sweep_child *c, const struct sweep_command *command, struct err *e)
{
    char *path, *word;

    c->table = memfd_create("statistics of a point", MFD_CLOEXEC);
    if (c->table < 0)
        return err_set(e, ERR_IO, "memory for a program's statistics: %s", strerror(errno));
    if (asprintf(&path, "/proc/%ld/fd/%d", (long)getpid(), c->table) < 0)
        return err_set(e, ERR_NOMEM, "out of host memory");
    if (access(path, F_OK) != 0) {
        free(path);
        close(c->table);
        if (!(path = make_table_file(c, e)))
            return -1;
    }
    int n = asprintf(&word, "statistics=%s", path);
    free(path);
    if (n < 0)
        return err_set(e, ERR_NOMEM, "out of host memory");
    free(command->words[command->table]);
    command->words[command->table] = word;
    return 0;
}

static void close_table(struct sweep_child *c)
{
    if (c->table >= 0)
        close(c->table);
    if (c->table_file)
        unlink(c->table_file);
    free(c->table_file);
    c->table = -1;
    c->table_file = NULL;
}

static void close_pipe(int fd[2])
{
    for (int k = 0; k < 2; k++)
        if (fd[k] >= 0)
            close(fd[k]);
}

static void stamp(char text[32])
{
    time_t now = time(NULL);
    struct tm t;

    gmtime_r(&now, &t);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &t);
}

int sweep_child_start(struct sweep_child *c, const struct sweep_command *command, const char *folder,
                      double max_seconds, struct err *e)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    pid_t self = getpid(), pid = -1;
    char **environment;

    *c = (struct sweep_child){.process = -1, .out = -1, .err = -1, .table = -1, .limit = max_seconds};
    environment = environment_of(command);
    if (!environment)
        return err_set(e, ERR_NOMEM, "out of host memory");
    if ((!command->program || make_table(c, command, e) == 0) && (command->program || pipe2(out, O_CLOEXEC) == 0) &&
        pipe2(err, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        become(command, environment, folder, out[1], err[1], self);
    free(environment);
    if (pid < 0) {
        err_set(e, ERR_IO, "a process for a point: %s", strerror(errno));
        close_pipe(out);
        close_pipe(err);
        close_table(c);
        return -1;
    }
    setpgid(pid, pid);
    if (out[1] >= 0)
        close(out[1]);
    close(err[1]);
    c->pid = pid;
    c->out = out[0];
    c->err = err[0];
    if (c->out >= 0)
        fcntl(c->out, F_SETFL, O_NONBLOCK);
    fcntl(c->err, F_SETFL, O_NONBLOCK);
    c->process = (int)syscall(SYS_pidfd_open, pid, 0);
    c->began = host_seconds();
    stamp(c->raw.started);
    return 0;
}

/* ---- listening ---- */

int sweep_child_fds(const struct sweep_child *c, struct pollfd *fds)
{
    const int of[] = {c->process, c->out, c->err};
    int n = 0;

    for (size_t k = 0; k < 3 && c->pid; k++)
        if (of[k] >= 0)
            fds[n++] = (struct pollfd){.fd = of[k], .events = POLLIN};
    return n;
}

static void drain(int *fd, struct sweep_bytes *to, bool *too_much, size_t keep)
{
    char piece[65536];
    ssize_t n = 1;

    /* some at a time: one that writes without end must not keep others, and its own limit, waiting */
    for (int pieces = 0; *fd >= 0 && pieces < MOST_PIECES && (n = read(*fd, piece, sizeof piece)) > 0; pieces++) {
        append(to, piece, (size_t)n);
        if (to->size <= keep)
            continue;
        if (too_much) {
            *too_much = true;
            to->size = 0;
        } else { /* its end says what went wrong */
            memmove(to->data, to->data + to->size - keep, keep + 1);
            to->size = keep;
        }
    }
    if (*fd >= 0 && (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))) {
        close(*fd);
        *fd = -1;
    }
}

/* Bytes of the table so far. */
static size_t table_size(const struct sweep_child *c)
{
    struct stat st;

    return c->table >= 0 && fstat(c->table, &st) == 0 ? (size_t)st.st_size : 0;
}

static void take_table(struct sweep_child *c)
{
    struct sweep_raw *r = &c->raw;
    size_t size = table_size(c);
    char piece[65536];
    ssize_t n;

    if (size > SWEEP_MAX_OUTPUT)
        r->too_much = true;
    while (!r->too_much && r->out.size < size && (n = pread(c->table, piece, sizeof piece, (off_t)r->out.size)) > 0)
        append(&r->out, piece, (size_t)n);
}

static void take_end(struct sweep_child *c, int status, const struct rusage *u)
{
    int *const fds[] = {&c->process, &c->out, &c->err};
    struct sweep_raw *r = &c->raw;

    drain(&c->out, &r->out, &r->too_much, SWEEP_MAX_OUTPUT);
    drain(&c->err, &r->said, NULL, SWEEP_SAID_BYTES);
    take_table(c);
    r->exit_status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    r->seconds = host_seconds() - c->began;
    r->cpu_seconds =
        (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-6;
    r->peak_bytes = (uint64_t)u->ru_maxrss << 10;
    for (size_t k = 0; k < sizeof fds / sizeof fds[0]; k++) {
        if (*fds[k] >= 0)
            close(*fds[k]);
        *fds[k] = -1;
    }
    close_table(c);
    c->pid = 0;
}

bool sweep_child_check(struct sweep_child *c)
{
    double past = c->limit > 0 ? host_seconds() - c->began - c->limit : -1;
    siginfo_t ended = {0};
    struct rusage u;
    int status;

    if (!c->pid)
        return false;
    drain(&c->out, &c->raw.out, &c->raw.too_much, SWEEP_MAX_OUTPUT);
    drain(&c->err, &c->raw.said, NULL, SWEEP_SAID_BYTES);
    c->raw.too_much |= table_size(c) > SWEEP_MAX_OUTPUT;
    if (c->raw.too_much || past >= GRACE_SECONDS) {
        c->raw.timed_out |= past >= 0;
        kill(-c->pid, SIGKILL);
    } else if (past >= 0 && !c->asked_to_end) {
        c->asked_to_end = c->raw.timed_out = true;
        kill(-c->pid, SIGTERM);
    }
    if (waitid(P_PID, (id_t)c->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != c->pid)
        return false;
    /* what a program has left running, while the number of its group is still its own */
    kill(-c->pid, SIGKILL);
    if (wait4(c->pid, &status, 0, &u) != c->pid)
        return false;
    take_end(c, status, &u);
    return true;
}

void sweep_child_kill(struct sweep_child *c)
{
    struct rusage u;
    int status;

    if (!c->pid)
        return;
    kill(-c->pid, SIGKILL);
    while (wait4(c->pid, &status, 0, &u) < 0 && errno == EINTR)
        ;
    take_end(c, status, &u);
    sweep_raw_free(&c->raw);
}
