/* Follows the threads of the process through what they report and what the kernel's list of tasks says. */
#include "sim/hsa/core/host_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim/hsa/core/log.h"

#define ADVANCES     3   /* clocks of processor time may go in ticks, of more than HOSTS_CPU_NS */
#define MOST_THREADS 512 /* that live; those beyond are known by the list of tasks alone */

struct host {
    pid_t tid;      /* 0: free */
    uint32_t calls; /* atomic */
    bool pauses;    /* atomic */
    /* under the lock: what it sleeps on; null: it does not */
    const uint32_t *word;
    uint32_t seen;
    const volatile hsa_signal_value_t *value; /* of a signal; null: none */
    hsa_signal_condition_t condition;
    hsa_signal_value_t compare;
    /* of hosts_are_quiet(): its calls when they were last seen to have changed, and its processor time then */
    uint32_t known_calls;
    uint64_t cpu_ns, last_ns; /* last_ns: when it was looked at last */
    uint32_t advances;        /* looks since then that found it to have run */
};

static struct host hosts[MOST_THREADS];
static struct host_wait waits[MOST_THREADS]; /* of the same thread; under the lock but for a count that becomes 0 */
static uint32_t host_count;                  /* under the lock */
static _Thread_local struct host *mine;      /* this thread's entry; null: it has none */
static bool follows;                         /* atomic */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A forked child has none of the threads, and maybe a lock that one of them held. */
static void forked(void)
{
    __atomic_store_n(&follows, false, __ATOMIC_RELEASE);
}

void hosts_follow(void)
{
    if (!__atomic_exchange_n(&follows, true, __ATOMIC_ACQ_REL))
        pthread_atfork(NULL, NULL, forked);
}

static struct host *find(pid_t tid)
{
    for (uint32_t k = 0; k < host_count; k++)
        if (hosts[k].tid == tid)
            return &hosts[k];
    return NULL;
}

/* Processor time of a thread of this process, by the clock's number that Linux gives it; UINT64_MAX: it has ended. */
static uint64_t cpu_ns(pid_t tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | PER_THREAD | SCHEDULED);
    struct timespec t;

    if (clock_gettime(clock, &t) != 0)
        return UINT64_MAX;
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* An entry for one more thread: that of one that has ended when there is no other; null: all live. */
static struct host *room(void)
{
    if (host_count < MOST_THREADS)
        return &hosts[host_count++];
    for (uint32_t k = 0; k < MOST_THREADS; k++)
        if (cpu_ns(hosts[k].tid) == UINT64_MAX)
            return &hosts[k];
    return NULL;
}

/* This thread's entry; null: there is no room. */
static struct host *entry(void)
{
    static _Thread_local bool tried;
    pid_t tid;

    if (mine || tried)
        return mine;
    tid = (pid_t)syscall(SYS_gettid);
    tried = true;
    pthread_mutex_lock(&lock);
    mine = find(tid); /* the number of a thread that has ended */
    if (!mine)
        mine = room();
    if (mine) {
        *mine = (struct host){.tid = tid};
        waits[mine - hosts] = (struct host_wait){.tid = tid};
    }
    pthread_mutex_unlock(&lock);
    return mine;
}

/* The same of who follows threads; null, too, when nobody does. */
static struct host *self(void)
{
    return __atomic_load_n(&follows, __ATOMIC_ACQUIRE) ? entry() : NULL;
}

void hosts_called(void)
{
    struct host *h = self();

    if (h)
        __atomic_store_n(&h->calls, h->calls + 1, __ATOMIC_RELEASE);
}

void hosts_sleep(const uint32_t *word, uint32_t seen, const volatile hsa_signal_value_t *value,
                 hsa_signal_condition_t c, hsa_signal_value_t compare)
{
    struct host *h = self();

    if (!h)
        return;
    hosts_pause(true); /* who waits for the lock has not looked at the word yet */
    pthread_mutex_lock(&lock);
    h->seen = seen;
    h->value = value;
    h->condition = c;
    h->compare = compare;
    h->word = word;
    pthread_mutex_unlock(&lock);
    hosts_pause(false);
}

/* A sleeper in the runtime has nothing new. Under the lock. */
static bool sleeps_on(const struct host *h)
{
    return __atomic_load_n(h->word, __ATOMIC_SEQ_CST) == h->seen &&
           !(h->value && signal_holds(h->condition, __atomic_load_n(h->value, __ATOMIC_ACQUIRE), h->compare));
}

void hosts_woken(void)
{
    struct host *h = self();

    if (!h)
        return;
    pthread_mutex_lock(&lock); /* nobody looks at the signal any more after this */
    if (h->word && !sleeps_on(h))
        __atomic_store_n(&h->calls, h->calls + 1, __ATOMIC_RELEASE);
    h->word = NULL;
    h->value = NULL;
    pthread_mutex_unlock(&lock);
}

void hosts_pause(bool pauses)
{
    struct host *h = self();

    if (h)
        __atomic_store_n(&h->pauses, pauses, __ATOMIC_RELEASE);
}

/* Looking ---------------------------------------------------------------------------------------------------------- */

/* Whether the kernel would let it run, or does; *device: it is one of a device. */
static bool can_run(const char *tid, bool *device)
{
    char path[64], text[256];
    const char *end;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", tid);
    *device = false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    *device = strstr(text, "(" HOSTS_DEVICE_THREAD ")") != NULL;
    end = strrchr(text, ')'); /* names may have brackets */
    return end && (end[2] == 'R' || end[2] == 'D');
}

/* Seen asleep: who wakes up has his time before him. */
static void rest(struct host *h)
{
    h->cpu_ns = h->last_ns = cpu_ns(h->tid);
    h->advances = 0;
}

/* Under the lock. */
static bool is_quiet(pid_t tid, const char *name)
{
    struct host *h = find(tid);
    uint32_t calls = h ? __atomic_load_n(&h->calls, __ATOMIC_ACQUIRE) : 0; /* before its time: it may call meanwhile */
    uint64_t cpu;
    bool device;

    if (h && h->word) {
        rest(h);
        return sleeps_on(h);
    }
    if (!can_run(name, &device)) {
        if (h)
            rest(h);
        return !h || !__atomic_load_n(&h->pauses, __ATOMIC_ACQUIRE);
    }
    if (device)
        return true;
    cpu = cpu_ns(tid);
    if (!h)
        return cpu >= HOSTS_CPU_NS;
    if (h->known_calls != calls) {
        h->known_calls = calls;
        h->cpu_ns = h->last_ns = cpu;
        h->advances = 0;
    }
    h->advances += cpu > h->last_ns;
    h->last_ns = cpu;
    return cpu - h->cpu_ns >= HOSTS_CPU_NS && h->advances >= ADVANCES;
}

bool hosts_are_quiet(void)
{
    pid_t own = (pid_t)syscall(SYS_gettid);
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *e;
    bool quiet = true;

    if (!tasks) { /* without a list of threads time cannot be held up */
        rt_log_once("tasks",
                    "/proc/self/task: %s: simulated time does not wait for the program's threads, and when they "
                    "submit work may depend on the host's speed",
                    strerror(errno));
        return true;
    }
    while (quiet && (e = readdir(tasks))) {
        pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);

        if (tid <= 0 || tid == own)
            continue;
        pthread_mutex_lock(&lock);
        quiet = is_quiet(tid, e->d_name);
        pthread_mutex_unlock(&lock);
    }
    closedir(tasks);
    return quiet;
}

/* Waits for signals ------------------------------------------------------------------------------------------------ */

void hosts_waits(const struct wait_list *l, bool all)
{
    struct host *h = entry();
    struct host_wait *w;

    if (!h)
        return;
    w = &waits[h - hosts];
    hosts_pause(true); /* who waits for the lock has not gone to sleep yet */
    pthread_mutex_lock(&lock);
    w->all = all;
    for (uint32_t k = 0; k < l->count && k < HOSTS_SIGNALS; k++)
        w->on[k] = (struct signal_condition){l->signals[k], l->conditions[k], l->values[k], -1};
    __atomic_store_n(&w->count, l->count, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    hosts_pause(false);
}

void hosts_waited(void)
{
    if (mine)
        __atomic_store_n(&waits[mine - hosts].count, 0, __ATOMIC_RELAXED);
}

void hosts_each_wait(void (*fn)(const struct host_wait *w, void *ctx), void *ctx)
{
    pthread_mutex_lock(&lock);
    for (uint32_t k = 0; k < host_count; k++) {
        uint32_t count = __atomic_load_n(&waits[k].count, __ATOMIC_RELAXED);
        struct host_wait w = {.tid = waits[k].tid, .all = waits[k].all, .count = count};

        memcpy(w.on, waits[k].on, sizeof w.on);
        if (count && cpu_ns(w.tid) != UINT64_MAX)
            fn(&w, ctx);
    }
    pthread_mutex_unlock(&lock);
}
