/* Looks for signals that a running kernel has rung and that no thread of the program listens to. */
#include "sim/hsa/signals/orphan_signals.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "sim/hsa/core/runtime.h"
#include "sim/hsa/signals/signal.h"

#define LOOK_S 1
#define MOST   4 /* signals, of one look, and dispatches of one sentence */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ringer *ringing; /* dispatches that run and have sent an interrupt; under the lock */
static bool has_thread;

/* A scan of all signals: its parameters, and the signals to report. */
struct found {
    uint32_t looks; /* in a row, that a signal has to be unheard */
    bool runs;      /* a dispatch that has sent an interrupt; else all count as heard */
    uint32_t count;
    struct {
        const struct signal *signal;
        uint32_t looks;
    } of[MOST];
};

static bool is_unheard(const struct signal *s)
{
    return __atomic_load_n(&signal_shown(s)->mailbox, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&s->exposed, __ATOMIC_RELAXED) && !__atomic_load_n(&s->waiters, __ATOMIC_RELAXED) &&
           signal_value(s) != __atomic_load_n(&s->looked, __ATOMIC_RELAXED);
}

static void look_at(void *record, void *ctx)
{
    struct signal *s = record;
    struct found *f = ctx;

    s->unheard = f->runs && is_unheard(s) ? s->unheard + 1 : 0;
    if (s->unheard < f->looks || s->told || f->count == MOST)
        return;
    s->told = true;
    f->of[f->count].signal = s;
    f->of[f->count++].looks = s->unheard;
}

/* Those that may wait for an answer. Under the lock. */
static void name_dispatches(char *text, size_t size)
{
    unsigned n = 0;
    size_t used = 0;

    *text = '\0';
    for (const struct ringer *r = ringing; r; r = r->next, n++)
        if (n < MOST && used < size)
            used += (size_t)snprintf(text + used, size - used, "%sdispatch %" PRIu64 ", kernel %.100s", n ? "; " : "",
                                     r->dispatch, r->kernel);
    if (n > MOST && used < size)
        snprintf(text + used, size - used, "; and %u more", n - MOST);
}

static void look(uint32_t looks)
{
    struct found f = {.looks = looks};
    char text[MOST * 160 + 32];

    pthread_mutex_lock(&lock);
    f.runs = ringing != NULL;
    cells_each(CELL_SIGNAL, look_at, &f);
    name_dispatches(text, sizeof text);
    pthread_mutex_unlock(&lock);
    for (uint32_t k = 0; k < f.count; k++)
        rt_log(
            "kernels rang signal %p at least %u s ago, and no thread of the program waits for it or has looked at it "
            "since; kernels that run and may wait for the answer: %s",
            (const void *)signal_shown(f.of[k].signal), (f.of[k].looks - 1) * LOOK_S, text);
    if (f.count)
        rt_log_once("unheard", "printf and malloc in kernels wait for the HIP runtime so. HIP 5.2 listens to the last "
                               "queue that has such kernels alone, on hardware, too: GPU_MAX_HW_QUEUES=1 (one queue "
                               "for all streams) or a newer runtime helps (docs/ROCM.md)");
}

static void *look_on(void *arg)
{
    (void)arg;
    for (;;) {
        nanosleep(&(struct timespec){.tv_sec = LOOK_S}, NULL);
        look(ORPHAN_LOOKS);
    }
    return NULL;
}

/* Under the lock. Without a thread nothing is reported. */
static void start(void)
{
    sigset_t all, before;
    pthread_attr_t attr;
    pthread_t thread;

    has_thread = true;
    /* the program's signals are not this thread's */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attr, look_on, NULL);
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void orphan_signals_message(struct ringer *r, uint64_t dispatch, const char *kernel)
{
    if (r->rings || !rt_any()) /* a forked child explains a dispatch: the lock may be held for good */
        return;
    pthread_mutex_lock(&lock);
    *r = (struct ringer){.next = ringing, .dispatch = dispatch, .kernel = kernel, .rings = true};
    ringing = r;
    if (!has_thread)
        start();
    pthread_mutex_unlock(&lock);
}

void orphan_signals_end(struct ringer *r)
{
    if (!r->rings)
        return;
    pthread_mutex_lock(&lock);
    for (struct ringer **at = &ringing; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    r->rings = false;
}

void orphan_signals_tell(void)
{
    if (has_thread)
        look(2);
}
