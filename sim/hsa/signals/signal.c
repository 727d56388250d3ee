/* Signals: values, waiting, and the functions of the interface, one for each memory order. */
#include "sim/hsa/signals/signal.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/memory/memory.h"

CELL_FITS(CELL_SIGNAL, struct signal, struct signal_shown);

#define SPINS 200 /* looks at a value before sleeping: a short kernel ends within them */

static uint32_t generation; /* futex */
static uint32_t sleepers;   /* on it */

#define CALL_COUNTS  256
#define MOST_DEVICES 16 /* as options.c has it */

static volatile int *attending[MOST_DEVICES]; /* atomic, as their count is */
static uint32_t attendants;

static uint32_t calls[CALL_COUNTS]; /* atomic */

uint32_t host_called(void)
{
    static _Thread_local uint32_t which; /* one more than that */

    if (!which)
        which = (uint32_t)syscall(SYS_gettid) % CALL_COUNTS + 1;
    __atomic_add_fetch(&calls[which - 1], 1, __ATOMIC_RELAXED);
    return which - 1;
}

uint32_t host_calls(uint32_t which)
{
    return __atomic_load_n(&calls[which], __ATOMIC_RELAXED);
}

static void futex_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Sleeps while *word is `seen`, at most `ns`. */
static void futex_wait(uint32_t *word, uint32_t seen, uint64_t ns)
{
    struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &t, NULL, 0);
}

uint32_t signals_generation(void)
{
    return __atomic_load_n(&generation, __ATOMIC_SEQ_CST);
}

void signals_sleep(uint32_t seen, uint64_t ns)
{
    __atomic_add_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
    hosts_sleep(&generation, seen, NULL, HSA_SIGNAL_CONDITION_EQ, 0);
    futex_wait(&generation, seen, ns);
    hosts_woken();
    __atomic_sub_fetch(&sleepers, 1, __ATOMIC_SEQ_CST);
}

void signals_attend(volatile int *flag)
{
    uint32_t n = __atomic_fetch_add(&attendants, 1, __ATOMIC_SEQ_CST);

    if (n < MOST_DEVICES)
        __atomic_store_n(&attending[n], flag, __ATOMIC_SEQ_CST);
}

void signals_wake(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
    for (uint32_t k = 0; k < MOST_DEVICES; k++) {
        volatile int *flag = __atomic_load_n(&attending[k], __ATOMIC_SEQ_CST);

        if (!flag)
            break;
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    }
    if (__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST))
        futex_wake(&generation);
}

uint32_t bell_rings(const struct bell *b)
{
    return __atomic_load_n(&b->rings, __ATOMIC_SEQ_CST);
}

void bell_sleep(struct bell *b, uint32_t seen, uint64_t ns)
{
    __atomic_add_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
    hosts_sleep(&b->rings, seen, NULL, HSA_SIGNAL_CONDITION_EQ, 0);
    futex_wait(&b->rings, seen, ns);
    hosts_woken();
    __atomic_sub_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
}

void bell_ring(struct bell *b)
{
    __atomic_add_fetch(&b->rings, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&b->sleepers, __ATOMIC_SEQ_CST))
        futex_wake(&b->rings);
}

void signals_message(void)
{
    signals_wake();
}

struct signal *signal_new(hsa_signal_value_t value, struct queue *queue)
{
    static uint64_t numbers;
    struct signal *s = cell_new(CELL_SIGNAL);

    if (!s)
        return NULL;
    struct signal_shown *shown = signal_shown(s);
    /* Device code rings by writing to the address that a doorbell has in the place of a value. Nobody listens there:
     * queues go by the write index. */
    if (queue)
        value = (hsa_signal_value_t)(uintptr_t)&shown->mailbox;
    __atomic_store_n(&s->cell, shown, __ATOMIC_RELAXED);
    __atomic_store_n(&s->queue, queue, __ATOMIC_RELAXED);
    __atomic_store_n(&s->looked, value, __ATOMIC_RELAXED);
    __atomic_store_n(&s->number, queue ? 0 : __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.kind, queue ? AMD_SIGNAL_KIND_DOORBELL : AMD_SIGNAL_KIND_USER, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.event_mailbox_ptr, (uint64_t)(uintptr_t)&shown->mailbox, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.event_id, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.value, value, __ATOMIC_RELEASE);
    return s;
}

void signal_changed(struct signal *s)
{
    __atomic_add_fetch(&s->changes, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&s->waiters, __ATOMIC_SEQ_CST))
        futex_wake(&s->changes);
    signals_wake();
}

void signal_complete(struct signal *s, uint64_t start_ns, uint64_t end_ns)
{
    struct signal_shown *shown = signal_shown(s);

    __atomic_store_n(&s->start_ns, start_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->end_ns, end_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.start_ts, start_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->abi.end_ts, end_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->lead_ns, clock_lead(), __ATOMIC_RELAXED);
    __atomic_sub_fetch(&shown->abi.value, 1, __ATOMIC_ACQ_REL);
    signal_changed(s);
}

/* Whether a sleeper of `elapsed` ns may sleep on, and how long; 0: the time is up. */
static uint64_t sleep_ns(uint64_t began, uint64_t timeout_ns)
{
    uint64_t elapsed = clock_real_ns() - began;

    if (timeout_ns == UINT64_MAX)
        return SIGNAL_POLL_NS;
    if (elapsed >= timeout_ns)
        return 0;
    return timeout_ns - elapsed < SIGNAL_POLL_NS ? timeout_ns - elapsed : SIGNAL_POLL_NS;
}

/* The host has seen that the signal was completed: it is no earlier than that. */
static hsa_signal_value_t reach(struct signal *s, hsa_signal_value_t value)
{
    clock_host_reach(signal_end_ns(s));
    return value;
}

hsa_signal_value_t signal_wait(struct signal *s, hsa_signal_condition_t c, hsa_signal_value_t compare,
                               uint64_t timeout_ns)
{
    hsa_signal_value_t value = signal_look(s);
    const hsa_signal_t handle = signal_handle(s);
    uint64_t began, ns;

    host_called();
    for (unsigned n = 0; n < SPINS && !signal_holds(c, value, compare); n++)
        value = signal_look(s);
    if (signal_holds(c, value, compare))
        return reach(s, value);
    began = clock_real_ns();
    if (rt_any())
        hosts_waits(&(struct wait_list){1, &handle, &c, &compare}, true);
    __atomic_add_fetch(&s->waiters, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        uint32_t changes = __atomic_load_n(&s->changes, __ATOMIC_SEQ_CST);

        value = signal_look(s);
        if (signal_holds(c, value, compare) || !(ns = sleep_ns(began, timeout_ns)))
            break;
        /* a thread that looks and sleeps on has not gone on, whatever time it takes for that */
        hosts_sleep(&s->changes, changes, &signal_shown(s)->abi.value, c, compare);
        futex_wait(&s->changes, changes, ns);
    }
    hosts_woken();
    __atomic_sub_fetch(&s->waiters, 1, __ATOMIC_SEQ_CST);
    hosts_waited();
    return signal_holds(c, value, compare) ? reach(s, value) : value;
}

/* The interface ---------------------------------------------------------------------------------------------------- */

static void (*doorbell_rung)(struct queue *q); /* atomic */

void signals_on_doorbell(void (*rung)(struct queue *q))
{
    __atomic_store_n(&doorbell_rung, rung, __ATOMIC_RELEASE);
}

/* A doorbell has been written: what was written is not trusted, the queue looks at its own indices. */
static void written(struct signal *s)
{
    struct queue *q = signal_queue(s);

    host_called();
    hosts_called();
    if (q) {
        __atomic_load_n(&doorbell_rung, __ATOMIC_ACQUIRE)(q);
        return;
    }
    signal_look(s);
    signal_changed(s);
}

#define STORE(order, memory_order)                                                                                     \
    void hsa_signal_store_##order(hsa_signal_t signal, hsa_signal_value_t value)                                       \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        if (!s)                                                                                                        \
            return;                                                                                                    \
        if (!signal_queue(s))                                                                                          \
            __atomic_store_n(&signal_shown(s)->abi.value, value, memory_order);                                        \
        written(s);                                                                                                    \
    }
STORE(relaxed, __ATOMIC_RELAXED)
STORE(screlease, __ATOMIC_SEQ_CST)
STORE(release, __ATOMIC_RELEASE)

#define SILENT(order, memory_order)                                                                                    \
    void hsa_signal_silent_store_##order(hsa_signal_t signal, hsa_signal_value_t value)                                \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        host_called();                                                                                                 \
        hosts_called();                                                                                                \
        if (s && !signal_queue(s)) {                                                                                   \
            __atomic_store_n(&signal_shown(s)->abi.value, value, memory_order);                                        \
            signal_seen(s, value);                                                                                     \
        }                                                                                                              \
    }
SILENT(relaxed, __ATOMIC_RELAXED)
SILENT(screlease, __ATOMIC_SEQ_CST)

#define LOAD(order, memory_order)                                                                                      \
    hsa_signal_value_t hsa_signal_load_##order(hsa_signal_t signal)                                                    \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        if (!s)                                                                                                        \
            return 0;                                                                                                  \
        host_called();                                                                                                 \
        return reach(s, signal_seen(s, __atomic_load_n(&signal_shown(s)->abi.value, memory_order)));                   \
    }
LOAD(relaxed, __ATOMIC_RELAXED)
LOAD(scacquire, __ATOMIC_SEQ_CST)
LOAD(acquire, __ATOMIC_ACQUIRE)

/* Each operation in the seven orders that the interface names; scacq_screl and acq_rel are the same to C. */
#define ORDERS(each, op)                                                                                               \
    each(op, relaxed, __ATOMIC_RELAXED) each(op, scacquire, __ATOMIC_SEQ_CST) each(op, acquire, __ATOMIC_ACQUIRE)      \
        each(op, screlease, __ATOMIC_SEQ_CST) each(op, release, __ATOMIC_RELEASE)                                      \
            each(op, scacq_screl, __ATOMIC_SEQ_CST) each(op, acq_rel, __ATOMIC_ACQ_REL)

#define CHANGE(op, order, memory_order)                                                                                \
    void hsa_signal_##op##_##order(hsa_signal_t signal, hsa_signal_value_t value)                                      \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        if (!s)                                                                                                        \
            return;                                                                                                    \
        __atomic_fetch_##op(&signal_shown(s)->abi.value, value, memory_order);                                         \
        written(s);                                                                                                    \
    }
#define __atomic_fetch_subtract __atomic_fetch_sub
ORDERS(CHANGE, add)
ORDERS(CHANGE, subtract)
ORDERS(CHANGE, and)
ORDERS(CHANGE, or)
ORDERS(CHANGE, xor)

#define EXCHANGE(op, order, memory_order)                                                                              \
    hsa_signal_value_t hsa_signal_##op##_##order(hsa_signal_t signal, hsa_signal_value_t value)                        \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
        hsa_signal_value_t before;                                                                                     \
                                                                                                                       \
        if (!s)                                                                                                        \
            return 0;                                                                                                  \
        before = __atomic_exchange_n(&signal_shown(s)->abi.value, value, memory_order);                                \
        written(s);                                                                                                    \
        return before;                                                                                                 \
    }
ORDERS(EXCHANGE, exchange)

#define CAS(op, order, memory_order)                                                                                   \
    hsa_signal_value_t hsa_signal_##op##_##order(hsa_signal_t signal, hsa_signal_value_t expected,                     \
                                                 hsa_signal_value_t value)                                             \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        if (s && __atomic_compare_exchange_n(&signal_shown(s)->abi.value, &expected, value, false, __ATOMIC_SEQ_CST,   \
                                             __ATOMIC_SEQ_CST))                                                        \
            written(s);                                                                                                \
        return expected;                                                                                               \
    }
ORDERS(CAS, cas)

#define WAIT(order)                                                                                                    \
    hsa_signal_value_t hsa_signal_wait_##order(hsa_signal_t signal, hsa_signal_condition_t condition,                  \
                                               hsa_signal_value_t compare, uint64_t timeout_hint,                      \
                                               hsa_wait_state_t wait_state_hint)                                       \
    {                                                                                                                  \
        struct signal *s = signal_find(signal);                                                                        \
                                                                                                                       \
        (void)wait_state_hint;                                                                                         \
        return s ? signal_wait(s, condition, compare, timeout_hint) : 0;                                               \
    }
WAIT(relaxed)
WAIT(scacquire)
WAIT(acquire)

struct signal *signal_find(hsa_signal_t s)
{
    struct signal *found = cell_find(CELL_SIGNAL, s.handle);
    struct range r;

    if (found)
        return signal_is_shared(found) ? NULL : found; /* the cell of one that is shared is no handle */
    return s.handle && range_find(s.handle, &r) && r.lo == s.handle ? r.signal : NULL;
}

static void set_signal(struct range *r, void *ctx)
{
    r->signal = ctx;
}

struct signal *signal_share(uint64_t address)
{
    struct signal *s = signal_new(0, NULL);

    if (!s)
        return NULL;
    __atomic_store_n(&s->shown, (struct signal_shown *)(uintptr_t)address, __ATOMIC_RELAXED);
    __atomic_store_n(&s->shared, true, __ATOMIC_RELAXED);
    signal_look(s);
    range_update(address, set_signal, s);
    return s;
}

void signal_forget(struct signal *s)
{
    if (signal_is_shared(s))
        range_update(signal_handle(s).handle, set_signal, NULL);
    cell_free(CELL_SIGNAL, (uint64_t)(uintptr_t)__atomic_load_n(&s->cell, __ATOMIC_RELAXED));
}

/* A page of its own that other processes may map (hsa_amd_ipc_signal_create). A kernel of one process cannot send a
 * message to another's waiters, which look by themselves: there is no mailbox. */
static struct signal *new_shared(struct runtime *r, hsa_signal_value_t value)
{
    struct signal *s = NULL;
    struct signal_shown *shown;
    void *at;

    if (memory_allocate(&r->agent[0].pool[POOL_FINE], sizeof *shown, &at) != HSA_STATUS_SUCCESS)
        return NULL;
    shown = at;
    shown->abi.kind = AMD_SIGNAL_KIND_USER;
    shown->abi.value = value;
    shown->abi.event_id = 1;
    if (memory_share((uint64_t)(uintptr_t)at) >= 0)
        s = signal_share((uint64_t)(uintptr_t)at);
    if (!s)
        memory_free(at);
    return s;
}

/* made: where the program's call comes from. */
static hsa_status_t create(hsa_signal_value_t value, bool shared, const void *made, hsa_signal_t *signal)
{
    struct signal *s;

    RT_OR_RETURN(r);
    if (!signal)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    s = shared ? new_shared(r, value) : signal_new(value, NULL);
    if (!s)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    __atomic_store_n(&s->made, made, __ATOMIC_RELAXED);
    *signal = signal_handle(s);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t num_consumers, const hsa_agent_t *consumers,
                               hsa_signal_t *signal)
{
    if (num_consumers && !consumers)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return create(value, false, __builtin_return_address(0), signal);
}

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t value, uint32_t num_consumers, const hsa_agent_t *consumers,
                                   uint64_t attributes, hsa_signal_t *signal)
{
    if (num_consumers && !consumers)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return create(value, attributes & HSA_AMD_SIGNAL_IPC, __builtin_return_address(0), signal);
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
    struct signal *s;
    struct range of;

    RT_READY_OR_RETURN();
    if (!signal.handle)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    s = signal_find(signal);
    if (!s || signal_queue(s))
        return HSA_STATUS_ERROR_INVALID_SIGNAL;
    void *pages = signal_is_shared(s) ? signal_shown(s) : NULL;
    signal_forget(s);
    if (!pages)
        return HSA_STATUS_SUCCESS;
    /* other processes may have it still */
    return range_find(signal.handle, &of) && of.kind == RANGE_IPC ? hsa_amd_ipc_memory_detach(pages)
                                                                  : memory_free(pages);
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **value)
{
    struct signal *s = signal_find(signal);

    RT_READY_OR_RETURN();
    if (!s || !value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (signal_queue(s))
        return HSA_STATUS_ERROR_INVALID_SIGNAL;
    __atomic_store_n(&s->exposed, true, __ATOMIC_RELAXED);
    *value = (volatile hsa_signal_value_t *)&signal_shown(s)->abi.value;
    return HSA_STATUS_SUCCESS;
}
