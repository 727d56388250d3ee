/* The command processor of the functional engine: each queue has a thread and a simulator of its own, so that kernels
 * of different queues make progress together. */
#include <sched.h>

#include "sim/hsa/agents/simulator.h"
#include "sim/hsa/queues/native.h"
#include "sim/hsa/queues/packet_loop.h"
#include "sim/hsa/queues/processors.h"

#define IDLE_POLL_NS 5000000 /* of a queue that was long idle: who does not ring is seen no later */

/* A queue's simulator, and the dispatch that it runs. */
struct runner {
    struct gcnsim *sim;
    struct dispatch d;
};

static struct dispatch *take_dispatch(void *ctx)
{
    struct runner *r = ctx;

    return &r->d;
}

static void give_back(void *ctx, struct dispatch *d)
{
    (void)ctx, (void)d;
}

static bool run(void *ctx, struct dispatch *d)
{
    struct runner *r = ctx;

    d->raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
    d->raw.threads = dispatch_threads(d);
    d->raw.check = rt_any()->options.common.check;
    return packet_run_kernel(d->queue, r->sim, d, d->packet.at_ns);
}

static void *process(void *arg)
{
    static const struct packet_engine engine = {take_dispatch, give_back, run};
    struct queue *q = arg;
    struct runner runner = {0};
    struct gcnsim_error e = {0};
    struct packet p;

    if (simulator_open(&runner.sim, q->device->profile, &rt_any()->options.common.sets, &e) != GCNSIM_OK) {
        rt_log("queue %u: %s", q->number, e.text);
        queue_error(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        return NULL;
    }
    for (uint64_t idle_ns = SIGNAL_POLL_NS; queue_goes_on(q);) {
        uint32_t rings = bell_rings(&q->bell), seen = signals_generation();

        while (!queue_take(q))
            sched_yield(); /* a thread that rings is at a short packet */
        queue_next(q, &p);
        if (p.kind != PACKET_NONE && p.kind != PACKET_WAITS && !packet_begin(q, &p, &engine, &runner))
            break; /* nobody is to take it any more, and it may be gone */
        queue_release(q);
        if (p.kind == PACKET_WAITS)
            signals_sleep(seen, SIGNAL_POLL_NS);
        if (p.kind == PACKET_NONE)
            bell_sleep(&q->bell, rings, idle_ns);
        idle_ns = p.kind != PACKET_NONE ? SIGNAL_POLL_NS : idle_ns < IDLE_POLL_NS ? 2 * idle_ns : idle_ns;
    }
    gcnsim_close(runner.sim);
    return NULL;
}

static bool open_device(struct device *d)
{
    (void)d;
    return true;
}

static bool add(struct queue *q)
{
    struct device *d = q->device;

    pthread_mutex_lock(&d->lock);
    q->has_thread = pthread_create(&q->thread, NULL, process, q) == 0;
    if (q->has_thread) {
        q->next = d->queues;
        d->queues = q;
    }
    pthread_mutex_unlock(&d->lock);
    return q->has_thread;
}

static bool remove_queue(struct queue *q)
{
    queue_unlink(q);
    bell_ring(&q->bell);
    signals_wake();
    /* a callback of the queue may destroy it */
    if (pthread_equal(pthread_self(), q->thread))
        pthread_detach(q->thread);
    else
        pthread_join(q->thread, NULL);
    return true;
}

static void rung(struct queue *q)
{
    if (!native_ring(q))
        bell_ring(&q->bell);
}

const struct command_processor functional_processor = {open_device, add, remove_queue, rung};
