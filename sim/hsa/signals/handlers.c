/* Waiting for several signals: wait_any, wait_all, groups of signals, and handlers that a thread of the runtime calls.
 *
 * A handler is called when its condition holds, and stays registered while it returns true. It may call anything, also
 * register others or destroy its signal, so no lock is held meanwhile.
 */
#include "sim/hsa/signals/handlers.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/core/runtime.h"

struct handler {
    struct handler *next;
    struct signal *signal; /* null: called at once (hsa_amd_async_function) */
    hsa_signal_condition_t condition;
    hsa_signal_value_t compare;
    hsa_amd_signal_handler call;
    void (*function)(void *arg);
    void *arg;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handler *handlers; /* the oldest first; whether there is one is asked without the lock */
static bool has_thread;
static struct bell bell; /* of the thread, when there is no handler */
static pid_t calling;    /* the thread, while it is in a handler; else 0; atomic */

/* Takes out the first handler whose condition holds; null: there is none. */
static struct handler *take_ready(hsa_signal_value_t *value)
{
    struct handler *h = NULL;

    pthread_mutex_lock(&lock);
    for (struct handler **at = &handlers; *at; at = &(*at)->next) {
        *value = (*at)->signal ? signal_look((*at)->signal) : 0;
        if (!(*at)->signal || signal_holds((*at)->condition, *value, (*at)->compare)) {
            h = *at;
            __atomic_store_n(at, h->next, __ATOMIC_RELAXED);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return h;
}

static void put(struct handler *h)
{
    struct handler **at = &handlers;

    h->next = NULL;
    pthread_mutex_lock(&lock);
    while (*at)
        at = &(*at)->next;
    __atomic_store_n(at, h, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

#define IDLE_NS   1000000000
#define RINGER_NS 2000000 /* a thread that computes on need not call again soon */

/* Who rang for the packet that completed the signal has not called again. */
static bool is_ringing(const struct signal *s)
{
    uint32_t at = __atomic_load_n(&s->rung_at, __ATOMIC_RELAXED), by = __atomic_load_n(&s->rung_by, __ATOMIC_RELAXED);

    return at && host_calls(by) == at;
}

/* Waits as long as an interrupt would at least take: see host_called(). */
static void await_ringer(const struct signal *s)
{
    uint64_t began = clock_real_ns();
    struct timespec nap = {0, 20000};

    hosts_pause(true);
    while (is_ringing(s) && clock_real_ns() - began < RINGER_NS)
        nanosleep(&nap, NULL);
    hosts_pause(false);
}

static void *call_handlers(void *arg)
{
    const pid_t own = (pid_t)syscall(SYS_gettid);

    (void)arg;
    for (;;) {
        uint32_t rings = bell_rings(&bell), seen = signals_generation();
        hsa_signal_value_t value;
        struct handler *h = take_ready(&value);

        if (!h) {
            if (__atomic_load_n(&handlers, __ATOMIC_RELAXED))
                signals_sleep(seen, SIGNAL_POLL_NS);
            else
                bell_sleep(&bell, rings, IDLE_NS);
            continue;
        }
        if (h->signal) {
            await_ringer(h->signal);
            clock_host_reach(signal_end_ns(h->signal));
        }
        __atomic_store_n(&calling, own, __ATOMIC_RELAXED);
        if (h->function)
            h->function(h->arg);
        if (h->call && h->call(value, h->arg))
            put(h);
        else
            free(h);
        __atomic_store_n(&calling, 0, __ATOMIC_RELAXED);
    }
    return NULL;
}

static hsa_status_t add(const struct handler *what)
{
    struct handler *h = malloc(sizeof *h);
    pthread_t thread;
    bool runs;

    if (!h)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *h = *what;
    pthread_mutex_lock(&lock);
    if (!has_thread && pthread_create(&thread, NULL, call_handlers, NULL) == 0) {
        pthread_detach(thread);
        has_thread = true;
    }
    runs = has_thread;
    pthread_mutex_unlock(&lock);
    if (!runs) {
        free(h);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    put(h);
    bell_ring(&bell);
    signals_wake();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond, hsa_signal_value_t value,
                                          hsa_amd_signal_handler handler, void *arg)
{
    struct signal *s = signal_find(signal);

    RT_READY_OR_RETURN();
    if (!signal.handle || !handler)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!s)
        return HSA_STATUS_ERROR_INVALID_SIGNAL;
    return add(&(struct handler){.signal = s, .condition = cond, .compare = value, .call = handler, .arg = arg});
}

hsa_status_t hsa_amd_async_function(void (*callback)(void *arg), void *arg)
{
    RT_READY_OR_RETURN();
    return callback ? add(&(struct handler){.function = callback, .arg = arg}) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

pid_t handlers_each(void (*fn)(const struct signal_condition *on, void *ctx), void *ctx)
{
    pthread_mutex_lock(&lock);
    for (const struct handler *h = handlers; h; h = h->next)
        if (h->signal)
            fn(&(struct signal_condition){signal_handle(h->signal), h->condition, h->compare, -1}, ctx);
    pthread_mutex_unlock(&lock);
    return __atomic_load_n(&calling, __ATOMIC_RELAXED);
}

/* Several signals -------------------------------------------------------------------------------------------------- */

/* The first signal whose condition holds (all: the count when all do); UINT32_MAX: not yet. */
static uint32_t look(const struct wait_list *l, bool all, hsa_signal_value_t *satisfying)
{
    uint32_t held = 0;

    for (uint32_t k = 0; k < l->count; k++) {
        struct signal *s = signal_find(l->signals[k]);
        hsa_signal_value_t v = s ? signal_look(s) : 0;

        if (s && !signal_holds(l->conditions[k], v, l->values[k]))
            continue;
        if (s)
            clock_host_reach(signal_end_ns(s));
        held++;
        if (satisfying)
            satisfying[all ? k : 0] = v;
        if (!all)
            return k;
    }
    return all && held == l->count ? 0 : UINT32_MAX;
}

static uint32_t wait_for(const struct wait_list *l, bool all, uint64_t timeout_ns, hsa_signal_value_t *satisfying)
{
    uint32_t found = look(l, all, satisfying);
    uint64_t began = clock_real_ns();

    if (found != UINT32_MAX)
        return found;
    if (rt_any())
        hosts_waits(l, all);
    for (;;) {
        uint32_t seen = signals_generation();
        uint64_t elapsed = clock_real_ns() - began;

        found = look(l, all, satisfying);
        if (found != UINT32_MAX || elapsed >= timeout_ns)
            break;
        signals_sleep(seen, timeout_ns - elapsed < SIGNAL_POLL_NS ? timeout_ns - elapsed : SIGNAL_POLL_NS);
    }
    hosts_waited();
    return found;
}

uint32_t hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                 hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                 hsa_signal_value_t *satisfying_value)
{
    (void)wait_hint;
    return wait_for(&(struct wait_list){signal_count, signals, conds, values}, false, timeout_hint, satisfying_value);
}

uint32_t hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                 hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                 hsa_signal_value_t *satisfying_values)
{
    (void)wait_hint;
    return wait_for(&(struct wait_list){signal_count, signals, conds, values}, true, timeout_hint, satisfying_values);
}

/* A group is a copy of a list of signals. */
struct group {
    uint32_t count;
    hsa_signal_t signal[];
};

hsa_status_t hsa_signal_group_create(uint32_t num_signals, const hsa_signal_t *signals, uint32_t num_consumers,
                                     const hsa_agent_t *consumers, hsa_signal_group_t *signal_group)
{
    struct group *g;

    RT_READY_OR_RETURN();
    if (!num_signals || !signals || !signal_group || (num_consumers && !consumers))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    g = malloc(sizeof *g + num_signals * sizeof *g->signal);
    if (!g)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    g->count = num_signals;
    for (uint32_t k = 0; k < num_signals; k++)
        g->signal[k] = signals[k];
    signal_group->handle = (uint64_t)(uintptr_t)g;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t signal_group)
{
    RT_READY_OR_RETURN();
    if (!signal_group.handle)
        return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
    free((struct group *)(uintptr_t)signal_group.handle);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t group_wait(hsa_signal_group_t signal_group, const hsa_signal_condition_t *conditions,
                               const hsa_signal_value_t *compare_values, hsa_signal_t *signal,
                               hsa_signal_value_t *value)
{
    const struct group *g = (const struct group *)(uintptr_t)signal_group.handle;
    uint32_t found;

    RT_READY_OR_RETURN();
    if (!g)
        return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
    if (!conditions || !compare_values || !signal || !value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    found = wait_for(&(struct wait_list){g->count, g->signal, conditions, compare_values}, false, UINT64_MAX, value);
    if (found != UINT32_MAX)
        *signal = g->signal[found];
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_wait_any_relaxed(hsa_signal_group_t signal_group,
                                               const hsa_signal_condition_t *conditions,
                                               const hsa_signal_value_t *compare_values,
                                               hsa_wait_state_t wait_state_hint, hsa_signal_t *signal,
                                               hsa_signal_value_t *value)
{
    (void)wait_state_hint;
    return group_wait(signal_group, conditions, compare_values, signal, value);
}

hsa_status_t hsa_signal_group_wait_any_scacquire(hsa_signal_group_t signal_group,
                                                 const hsa_signal_condition_t *conditions,
                                                 const hsa_signal_value_t *compare_values,
                                                 hsa_wait_state_t wait_state_hint, hsa_signal_t *signal,
                                                 hsa_signal_value_t *value)
{
    (void)wait_state_hint;
    return group_wait(signal_group, conditions, compare_values, signal, value);
}
