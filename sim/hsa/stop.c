/* A thread that sleeps until the wall clock's limit is there or a signal has come that ends the process. A handler may
 * do next to nothing, so all it does is to wake this thread. */
#define _GNU_SOURCE
#include "sim/hsa/stop.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/sinks/report.h"
#include "sim/hsa/waits/waits.h"

#define STOP_WAIT_MS 3000 /* at most, for running kernels to take note */

/* What ends a process unless it has a handler of its own. abort() is how language runtimes end when a kernel has
 * failed. */
static const struct {
    int number;
    const char *name;
} endings[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGABRT, "SIGABRT"}};
#define ENDINGS (sizeof endings / sizeof *endings)

static sem_t woken;
static atomic_int interrupted; /* the signal that came, or 0 */
static atomic_bool told;       /* the report is written */
static pid_t owner;
static bool has_limit;
static double limit_seconds;
static struct timespec limit_at; /* CLOCK_MONOTONIC */

static void die_of(int signal_number)
{
    struct sigaction act = {.sa_handler = SIG_DFL};
    sigset_t set;

    sigaction(signal_number, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
}

/* A second signal, and one in a forked child, which has no such thread, do what they always did. */
static void on_interrupt(int signal_number)
{
    int saved = errno;

    if (interrupted || getpid() != owner)
        die_of(signal_number);
    interrupted = signal_number;
    sem_post(&woken);
    /* abort() would end the process when this returns; who sends its signal from elsewhere means that, too */
    for (int ms = 0; signal_number == SIGABRT && !told && ms < 2 * STOP_WAIT_MS; ms += 5)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    if (signal_number == SIGABRT)
        die_of(signal_number);
    errno = saved;
}

/* Ends the kernels that run, so that they are in the report with what they have done. */
static void stop_kernels(void)
{
    const struct runtime *r = rt_any();

    for (uint32_t k = 0; r && k < r->agents; k++) {
        struct device *d = r->agent[k].device;

        if (!d)
            continue;
        pthread_mutex_lock(&d->lock);
        for (struct queue *q = d->queues; q; q = q->next)
            queue_abort(q);
        pthread_mutex_unlock(&d->lock);
    }
    signals_wake();
    for (int ms = 0; ms < STOP_WAIT_MS && dispatches_running(); ms += 5)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static const char *ending_name(int signal_number)
{
    for (unsigned k = 0; k < ENDINGS; k++)
        if (endings[k].number == signal_number)
            return endings[k].name;
    return "";
}

static void *watch(void *arg)
{
    struct waits *waits = NULL;
    const char *what;
    int got;

    (void)arg;
    do
        got = has_limit ? sem_clockwait(&woken, CLOCK_MONOTONIC, &limit_at) : sem_wait(&woken);
    while (got != 0 && errno == EINTR);
    orphan_signals_tell();
    if (interrupted != SIGABRT) /* whoever gives up by himself waits for nothing */
        waits = waits_collect();
    dispatches_stop();
    stop_kernels();
    report_waits(waits, interrupted ? ending_name(interrupted) : "GCNSIM_MAX_WALL");
    waits_free(waits);
    what = rt_any() && rt_any()->options.summary ? "what follows is the report of the" : "it has had";
    if (interrupted) {
        const char *name = ending_name(interrupted);

        rt_log("%s: %s %" PRIu64 " dispatches so far", name, what, report_count());
        report_end(name);
        told = true;
        if (interrupted == SIGABRT)
            return NULL; /* on_interrupt() ends the process */
        die_of(interrupted);
    }
    rt_log("GCNSIM_MAX_WALL: the program has run for %g s and ends here; %s %" PRIu64 " dispatches so far",
           limit_seconds, what, report_count());
    report_end("GCNSIM_MAX_WALL");
    _exit(STOP_EXIT_STATUS); /* exit() would wait for work of the language runtime that never ends */
}

static void set_limit(double seconds)
{
    double whole = (double)(uint64_t)seconds;

    has_limit = seconds > 0;
    limit_seconds = seconds;
    clock_gettime(CLOCK_MONOTONIC, &limit_at);
    limit_at.tv_sec += (time_t)whole;
    limit_at.tv_nsec += (long)((seconds - whole) * 1e9);
    if (limit_at.tv_nsec >= 1000000000) {
        limit_at.tv_nsec -= 1000000000;
        limit_at.tv_sec++;
    }
}

bool stop_begin(double max_wall_seconds, char *why, size_t n)
{
    struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, now;
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, before;
    int code;

    owner = getpid();
    sem_init(&woken, 0, 0);
    set_limit(max_wall_seconds);
    /* the program's signals are not this thread's */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    code = pthread_create(&thread, &attr, watch, NULL);
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        snprintf(why, n, "no thread for GCNSIM_MAX_WALL: %s", strerror(code));
        return !has_limit; /* Ctrl-C then ends the process without a report */
    }
    sigemptyset(&act.sa_mask);
    for (unsigned k = 0; k < ENDINGS; k++)
        if (sigaction(endings[k].number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
            sigaction(endings[k].number, &act, NULL);
    return true;
}
