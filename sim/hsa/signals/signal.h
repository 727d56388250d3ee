/* Signals: 64-bit values that hosts, packets and kernels change, and that hosts and packets wait for.
 *
 * A handle is the address of an amd_signal_t, which kernels and language runtimes read and write directly: device code
 * adds to `value`, stores event_id to the mailbox and sends a message. It is what they see (struct signal_shown); the
 * runtime goes by a record of its own (struct signal, cells.h). A change by the host wakes the waiters; one by a kernel
 * wakes them with its message (signals_message()), and waiters look by themselves every SIGNAL_POLL_NS, since not every
 * kernel sends one.
 *
 * Times: start_ts and end_ts are in simulated nanoseconds of the device that completed the signal last; who waits for
 * a signal is brought to its end_ts on the simulated clock (clock.h).
 */
#ifndef GCNSIM_HSA_SIGNAL_H
#define GCNSIM_HSA_SIGNAL_H

#include "sim/hsa/core/abi.h"
#include "sim/hsa/core/condition.h"
#include "sim/hsa/memory/cells.h"

#define SIGNAL_POLL_NS 200000

struct queue;

/* At the handle. The runtime reads the value in it, which is whatever kernels have made of it, and of a shared signal
 * the times. Kinds, mailboxes and event ids are there for others. */
struct signal_shown {
    amd_signal_t abi;
    uint64_t mailbox; /* where abi.event_mailbox_ptr points; device code writes to it */
};

/* Who is late with a handle may look at a record that is another signal's by now: its members are atomic. */
struct signal {
    struct signal_shown *shown; /* signal_shown() */
    void *cell;                 /* its own, which is `shown` but for one that is shared */
    struct queue *queue;        /* whose doorbell it is; null: a signal of the program's: signal_queue() */
    bool shared;                /* other processes see and complete it: signal_is_shared() */
    uint32_t changes;           /* futex: counts the host's changes */
    uint32_t waiters;           /* threads that sleep on it */
    uint64_t start_ns, end_ns;
    /* Who rang for the packet that completed it last, and how many calls he had made (host_calls); 0 calls: nobody */
    uint32_t rung_by, rung_at;
    uint64_t lead_ns; /* clock_lead() when it was completed last */
    /* What orphan_signals.h goes by: the value that the host saw or wrote last; the program has the value's address. */
    hsa_signal_value_t looked;
    uint32_t unheard; /* looks in a row; of its thread, as `told` is */
    bool exposed, told;
    /* For who reports it: which of the program's signals it is, from 1 on, 0 for doorbells; where the call that made
     * it comes from, or null. */
    uint64_t number;
    const void *made;
};

/* Counts of calls into the runtime by thread, many threads to a count. A language runtime notes what it needs for a
 * handler of a packet's signal *after* ringing for the packet: an interrupt comes later than that. So handlers wait
 * until the thread that rang has called again. */
uint32_t host_called(void); /* counts a call of this thread; returns which count it has */
uint32_t host_calls(uint32_t which);

/* That of a handle; null: it names no signal that there is. */
struct signal *signal_find(hsa_signal_t s);
static inline struct signal_shown *signal_shown(const struct signal *s)
{
    return __atomic_load_n(&s->shown, __ATOMIC_RELAXED);
}
static inline struct queue *signal_queue(const struct signal *s)
{
    return __atomic_load_n(&s->queue, __ATOMIC_RELAXED);
}
static inline bool signal_is_shared(const struct signal *s)
{
    return __atomic_load_n(&s->shared, __ATOMIC_RELAXED);
}
static inline hsa_signal_t signal_handle(const struct signal *s)
{
    return (hsa_signal_t){(uint64_t)(uintptr_t)signal_shown(s)};
}
static inline hsa_signal_value_t signal_value(const struct signal *s)
{
    return __atomic_load_n(&signal_shown(s)->abi.value, __ATOMIC_ACQUIRE);
}
/* When it was completed last, in simulated ns. */
static inline uint64_t signal_start_ns(const struct signal *s)
{
    return __atomic_load_n(signal_is_shared(s) ? &signal_shown(s)->abi.start_ts : &s->start_ns, __ATOMIC_RELAXED);
}
static inline uint64_t signal_end_ns(const struct signal *s)
{
    return __atomic_load_n(signal_is_shared(s) ? &signal_shown(s)->abi.end_ts : &s->end_ns, __ATOMIC_RELAXED);
}

/* The host has seen or written the value; returns it. */
static inline hsa_signal_value_t signal_seen(struct signal *s, hsa_signal_value_t value)
{
    if (__atomic_load_n(&s->looked, __ATOMIC_RELAXED) != value)
        __atomic_store_n(&s->looked, value, __ATOMIC_RELAXED);
    return value;
}
/* The value for who acts on it: a thread of the program, a handler, a packet or a copy that waits. */
static inline hsa_signal_value_t signal_look(struct signal *s)
{
    return signal_seen(s, signal_value(s));
}

/* What is called when a doorbell has been written, with its queue. */
void signals_on_doorbell(void (*rung)(struct queue *q));

/* A signal of the program's, or the doorbell of a queue; null: out of host memory. */
struct signal *signal_new(hsa_signal_value_t value, struct queue *queue);
/* That of a page which other processes see, too: the range at the address; null: out of host memory. */
struct signal *signal_share(uint64_t address);
/* It is none any more; pages are not given back. */
void signal_forget(struct signal *s);

/* The value has been changed by this process's host side: wakes who waits. */
void signal_changed(struct signal *s);

/* A completion of a packet or a copy: start and end in simulated ns, then the value is counted down by one. */
void signal_complete(struct signal *s, uint64_t start_ns, uint64_t end_ns);

/* Waits until the condition holds or timeout_ns of real time have passed; returns the value that was seen last. */
hsa_signal_value_t signal_wait(struct signal *s, hsa_signal_condition_t c, hsa_signal_value_t compare,
                               uint64_t timeout_ns);

/* A kernel has sent MSG_INTERRUPT: values may have changed. */
void signals_message(void);

/* A futex that counts changes of all signals, and rings of queues: what waits for several things reads it, looks at
 * them, and sleeps while it is unchanged, at most for `ns`. */
uint32_t signals_generation(void);
void signals_sleep(uint32_t seen, uint64_t ns);
void signals_wake(void);
/* *flag is set to 1 with every such change, too. It stays for the life of the process. */
void signals_attend(volatile int *flag);

/* What a thread sleeps on that waits for work and not for a signal: those who bring it ring. It reads `rings`, looks
 * for work, and sleeps while they are unchanged. All 0 at first. */
struct bell {
    uint32_t rings, sleepers;
};
uint32_t bell_rings(const struct bell *b);
void bell_sleep(struct bell *b, uint32_t seen, uint64_t ns);
void bell_ring(struct bell *b);

#endif
