/* Queues: rings of AQL packets, and what the packet at the read index is.
 *
 * A queue is made by hsa_queue_create() and lives until hsa_queue_destroy(). Its packets are processed by a command
 * processor: in a thread of its own on the functional engine, in the device's thread on the timing engine. Both ask
 * queue_next().
 */
#ifndef GCNSIM_HSA_QUEUE_H
#define GCNSIM_HSA_QUEUE_H

#include <pthread.h>

#include "sim/hsa/agents/device.h"
#include "sim/hsa/signals/signal.h"

/* Bases of the windows through which flat addresses reach LDS and scratch: gcnsim's own, which queues show kernels and
 * runtimes. */
#define QUEUE_SHARED_APERTURE  UINT64_C(0x1000000000000)
#define QUEUE_PRIVATE_APERTURE UINT64_C(0x2000000000000)

struct queue {
    /* At the handle. The runtime reads the write index in it, which is whatever kernels have made of it and is not
     * believed further than the ring goes, and the signal that an error is to be reported, which is looked up. */
    amd_queue_t *shown;
    struct signal *doorbell;
    struct device *device; /* null: the program itself is its consumer */
    struct queue *next;    /* of the device */
    uint8_t *ring;
    uint32_t mask; /* packets - 1 */
    uint64_t read; /* index of the oldest packet that has not ended; atomic where others look, as begun and ended are */
    void (*callback)(hsa_status_t status, hsa_queue_t *queue, void *data);
    void *callback_data;
    uint32_t number;  /* for reports */
    bool cooperative; /* HSA_QUEUE_TYPE_COOPERATIVE */
    bool profiling;
    volatile int abort;        /* set by hsa_queue_destroy, hsa_queue_inactivate: ends a running kernel */
    bool inactive;             /* by an error, or by request: no packet is processed any more */
    uint64_t free_ns;          /* simulated: the latest time at which the end of a packet has been dealt with */
    uint64_t kernel_end_ns;    /* simulated: the latest end of its kernels; 0: none has ended */
    uint64_t held_ns;          /* simulated: until then a barrier has held what comes after it */
    uint64_t *arrival_ns;      /* by slot: the host's clock when the packet was rung for; atomic */
    uint32_t rung_by, rung_at; /* as in struct signal: of the last ring; atomic */
    uint64_t arrived;          /* index up to which these are set; atomic */
    uint64_t begun;            /* index of the next packet to begin: those between it and the read index are running */
    bool *ended;               /* by slot: it has begun and ended, after one that runs */
    uint64_t *dispatch;        /* by slot: the number of the dispatch that has begun there last; atomic */
    pthread_t thread;
    bool has_thread;
    struct bell bell; /* what its thread sleeps on when nothing has been submitted */
    bool busy;        /* a thread is at its packets: queue_take(); atomic */
    /* timing engine: */
    uint32_t in_flight; /* dispatches that the engine has; atomic */
    uint64_t submitted; /* packets before this index may begin; of the device's thread, as is */
    bool gone;          /* destroyed by its own callback */
};

enum packet_kind {
    PACKET_NONE,    /* nothing has been submitted */
    PACKET_WAITS,   /* a barrier whose signals do not allow it yet, or one that its queue's running kernels hold */
    PACKET_BARRIER, /* may be completed, at `at` */
    PACKET_KERNEL,  /* may begin, at `at` */
    PACKET_BAD,     /* malformed: `status` for the callback, `why` for the log */
};

struct packet {
    enum packet_kind kind;
    uint64_t index;
    void *slot;                          /* in the ring: where a kernel finds its packet, which it may change */
    hsa_kernel_dispatch_packet_t kernel; /* what the packet was when it was looked at */
    hsa_signal_t completion;             /* 0: none */
    uint64_t at_ns;                      /* simulated: the earliest time its queue, its signals and its arrival allow */
    uint64_t ready_ns;                   /* the same without what its queue does with the packets before it */
    uint64_t gap_from_ns; /* of a kernel: since when the queue's kernels have ended and it is ready; 0: none has ended,
                             or some run */
    hsa_status_t status;
    char why[200];
};

/* Who looks at a queue's packets has taken it first: its thread, or on the functional engine a thread that rings
 * (native.h). False: somebody else has. */
static inline bool queue_take(struct queue *q)
{
    return !__atomic_exchange_n(&q->busy, true, __ATOMIC_ACQUIRE);
}
static inline void queue_release(struct queue *q)
{
    __atomic_store_n(&q->busy, false, __ATOMIC_RELEASE);
}

/* What processes the packets of queues (processors.h). */
struct command_processor {
    /* Prepares a device; false: out of host memory. */
    bool (*open)(struct device *d);
    /* A queue begins or ends to be processed. remove() returns when none of its packets is: true; false: called by a
     * callback of the queue, which the processor then frees. */
    bool (*add)(struct queue *q);
    bool (*remove)(struct queue *q);
    /* Its doorbell has been written. */
    void (*rung)(struct queue *q);
};
/* The one of this process, before its first queue. */
void queues_serve(const struct command_processor *by);

/* That of a handle; null: it names no queue that there is. */
struct queue *queue_find(const hsa_queue_t *handle);
/* Takes it out of its device's list. */
void queue_unlink(struct queue *q);
/* One that no device has any more, nor ever had. */
void queue_free(struct queue *q);

/* What the next packet to begin is. By who has taken the queue. */
void queue_next(struct queue *q, struct packet *out);
/* It begins: the one after it is next. */
void queue_begin(struct queue *q, const struct packet *p);
/* A packet that has begun has ended: frees its slot, and completes its signal. Kernels may read their packets until
 * then, so the read index stays at the oldest one that runs. free_ns: when the command processor has dealt with its
 * end, from which on the queue may go on; that of a barrier is its end. */
void queue_end(struct queue *q, const struct packet *p, uint64_t start_ns, uint64_t end_ns, uint64_t free_ns);

/* A packet as it lies in a queue, for who reports what it waits for: kernels may have changed it, and nothing more is
 * done with it. */
struct packet_view {
    uint8_t type;      /* of its header; HSA_PACKET_TYPE_INVALID: it is reserved, and not written yet */
    bool barrier;      /* the header's bit */
    bool any;          /* one of the conditions suffices; else all have to hold */
    uint8_t count;     /* of the conditions, which hold it up */
    bool ended;        /* but not one before it; of one that has begun */
    uint64_t kernel;   /* of a dispatch: its descriptor */
    uint64_t dispatch; /* of one that has begun: its number */
    hsa_signal_t completion;
    struct signal_condition on[5];
};
/* For an index in [q->read, write index), which is less than the ring's size away from the former; under the lock of
 * the device's queues. False: it has ended meanwhile. */
bool queue_view(const struct queue *q, uint64_t index, struct packet_view *out);

/* Ends the kernel that runs; no packet begins any more. */
static inline void queue_abort(struct queue *q)
{
    __atomic_store_n(&q->abort, 1, __ATOMIC_RELEASE);
    bell_ring(&q->bell);
}
/* Whether its packets are still processed. */
static inline bool queue_goes_on(const struct queue *q)
{
    return !__atomic_load_n(&q->inactive, __ATOMIC_ACQUIRE) && !__atomic_load_n(&q->abort, __ATOMIC_ACQUIRE);
}
/* Stops the queue for an error and calls its callback. */
void queue_error(struct queue *q, hsa_status_t status);

/* Informs the program's handlers of a kernel's access to nowhere; false: none has dealt with it. The queue's callback
 * comes in any case. */
bool system_memory_fault(const struct agent *a, uint64_t address);

#endif
