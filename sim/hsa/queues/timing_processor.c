/* Feeds the timing engine with the packets of a device's queues, and ends these with the times of the cycles. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "sim/hsa/agents/simulator.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/queues/native.h"
#include "sim/hsa/queues/packet_loop.h"
#include "sim/hsa/queues/processors.h"
#include "sim/hsa/sampling/sampled.h"
#include "sim/hsa/sampling/select.h"

#define IDLE_POLL_NS  5000000   /* real, with nothing in flight: packets that nobody rings for are seen no later */
#define NOD_NS        50000     /* real, between two looks at threads that are not quiet */
#define STUCK_NS      200000000 /* real: waves that can never go on by themselves wait so long for another dispatch */
#define LOOK_AGAIN_US 10.0      /* simulated: kernels may change signals without a message */

/* A device's time and thread. */
struct timed_device {
    struct device *device;
    struct gcnsim *functional; /* for what is not to be timed; null: nothing has been so far */
    uint64_t base_ns;          /* of cycle 0 */
    volatile int attention;
    uint32_t in_flight;
    struct queue **taken; /* by take_queues() */
    size_t room;
    pthread_t thread;
    bool has_thread;
};

/* A dispatch in flight. */
struct flying {
    struct timed_device *t;
    struct dispatch d;
    struct dispatch_watch watch;
    uint64_t began; /* real ns */
    struct sampled sampled;
};

/* Time ------------------------------------------------------------------------------------------------------------- */

static uint64_t ns_of(const struct timed_device *t, uint64_t cycle)
{
    return t->base_ns + (uint64_t)((double)cycle * 1e3 / t->device->clock_mhz);
}

/* The first cycle that is no earlier. */
static uint64_t cycle_of(const struct timed_device *t, uint64_t ns)
{
    uint64_t cycle = ns > t->base_ns ? (uint64_t)ceil((double)(ns - t->base_ns) * t->device->clock_mhz / 1e3) : 0;

    while (ns_of(t, cycle) < ns)
        cycle++;
    return cycle;
}

static uint64_t cycles_stat(const struct gcnsim_result *r, const char *name)
{
    double v = 0;

    return gcnsim_result_stat(r, name, &v) == GCNSIM_OK ? (uint64_t)v : 0;
}

/* Queues ----------------------------------------------------------------------------------------------------------- */

/* The device's thread has done with a queue for now; one that has been destroyed from its own callback goes. */
static void let_go(struct queue *q)
{
    bool gone = q->gone && !__atomic_load_n(&q->in_flight, __ATOMIC_ACQUIRE);

    queue_release(q);
    if (gone)
        queue_free(q);
}

static bool is_alive(const struct queue *q)
{
    return !q->gone && queue_goes_on(q);
}

static int by_number(const void *a, const void *b)
{
    const struct queue *x = *(struct queue *const *)a, *y = *(struct queue *const *)b;

    return x->number < y->number ? -1 : x->number > y->number;
}

/* Takes all queues, so that none goes away meanwhile; they are in the order of their numbers. Without memory for a
 * longer list some have to wait for the next time. */
static size_t take_queues(struct timed_device *t)
{
    struct device *d = t->device;
    size_t n = 0, all = 0;

    pthread_mutex_lock(&d->lock);
    for (const struct queue *q = d->queues; q; q = q->next)
        all++;
    if (all > t->room) {
        struct queue **more = realloc(t->taken, 2 * all * sizeof(struct queue *));

        t->taken = more ? more : t->taken;
        t->room = more ? 2 * all : t->room;
    }
    for (struct queue *q = d->queues; q && n < t->room; q = q->next)
        if (queue_take(q))
            t->taken[n++] = q;
    pthread_mutex_unlock(&d->lock);
    if (n)
        qsort(t->taken, n, sizeof(struct queue *), by_number);
    return n;
}

/* Ends ------------------------------------------------------------------------------------------------------------- */

/* now: the cycle in which the command processor has dealt with its end. */
static void end_result(struct flying *f, struct gcnsim_result *r, uint64_t now)
{
    const struct device *device = f->t->device;
    struct queue *q = f->d.queue;
    uint64_t start_ns = ns_of(f->t, cycles_stat(r, "dispatch.clock_cycles"));
    uint64_t end_ns = start_ns + device_kernel_ns(device, r);
    bool completed = r->outcome == GCNSIM_COMPLETED;
    struct packet packet = f->d.packet;

    hsa_status_t status = dispatch_end(&f->d, r, start_ns, end_ns, (double)(clock_real_ns() - f->began) * 1e-9);

    f->t->device->warm = completed;
    gcnsim_result_free(r);
    if (status != HSA_STATUS_SUCCESS)
        packet_fail(q, status);
    else if (completed) /* else the queue was destroyed or inactivated */
        queue_end(q, &packet, start_ns, end_ns, ns_of(f->t, now));
}

static void ended(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error)
{
    struct flying *f = id;
    struct queue *q = f->d.queue;

    (void)ctx;
    while (!queue_take(q)) /* its destroyer looks at it for a moment */
        sched_yield();
    f->t->in_flight--;
    sampled_timed(&f->sampled, &f->d.raw, error ? NULL : result, &f->d.sample);
    if (result) {
        if (error)
            rt_log("dispatch %llu: %s", (unsigned long long)f->d.number, error->text);
        end_result(f, result, now);
    } else {
        rt_log("dispatch %llu, kernel %s: %s", (unsigned long long)f->d.number, f->d.kernel->info.name, error->text);
        dispatch_abandon(&f->d);
        packet_fail(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    }
    __atomic_sub_fetch(&q->in_flight, 1, __ATOMIC_RELEASE);
    free(f);
    let_go(q);
}

/* Beginning -------------------------------------------------------------------------------------------------------- */

/* The simulator for what is not timed; else the dispatch is over. */
static bool open_functional(struct timed_device *t, struct flying *f)
{
    struct queue *q = f->d.queue;
    struct gcnsim_error e = {0};

    f->d.raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
    f->d.raw.threads = dispatch_threads(&f->d);
    if (t->functional ||
        simulator_open(&t->functional, t->device->profile, &rt_any()->options.common.sets, &e) == GCNSIM_OK)
        return true;
    rt_log("queue %u: %s", q->number, e.text);
    dispatch_abandon(&f->d);
    packet_fail(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return false;
}

/* Around a launch on it, which finds and leaves the device's counters of global wave sync. */
static void lend_gws(struct timed_device *t)
{
    gcnsim_device_copy_gws(t->functional, t->device->sim);
}

static void take_gws(struct timed_device *t)
{
    gcnsim_device_copy_gws(t->device->sim, t->functional);
}

/* On this thread, by the functional engine. */
static void run_functional(struct timed_device *t, struct flying *f)
{
    if (open_functional(t, f)) {
        f->d.raw.check = rt_any()->options.common.check;
        t->device->warm = false;
        lend_gws(t);
        packet_run_kernel(f->d.queue, t->functional, &f->d, f->d.packet.at_ns);
        take_gws(t);
    }
    free(f);
}

static int launch_sampled(struct timed_device *t, struct gcnsim_feeding *to, struct flying *f,
                          struct gcnsim_result **result, struct gcnsim_error *e)
{
    if (f->sampled.mode == SAMPLE_WARM)
        return gcnsim_feed_warm(to, &f->d.raw, result, e);
    lend_gws(t);
    int failed = gcnsim_launch_raw(t->functional, &f->d.raw, result, e);
    take_gws(t);
    return failed;
}

/* The simulated ns that one took which was executed without time. */
static uint64_t sampled_ns(const struct flying *f, const struct gcnsim_result *result)
{
    const struct device *device = f->t->device;

    return f->d.sample.cycles > 0 ? (uint64_t)(f->d.sample.cycles * 1e3 / device->clock_mhz)
                                  : device_kernel_ns(device, result);
}

/* The same of a sampled program. */
static void run_sampled(struct timed_device *t, struct gcnsim_feeding *to, struct flying *f)
{
    struct queue *q = f->d.queue;
    struct gcnsim_result *result = NULL;
    struct gcnsim_error e = {0};

    if (!open_functional(t, f)) {
        sampled_lost(&f->sampled);
        free(f);
        return;
    }
    dispatch_begins(&f->d);
    f->began = clock_real_ns();
    if (launch_sampled(t, to, f, &result, &e) != GCNSIM_OK) {
        rt_log("dispatch %llu, kernel %s: %s", (unsigned long long)f->d.number, f->d.kernel->info.name, e.text);
        sampled_lost(&f->sampled);
        dispatch_abandon(&f->d);
        packet_fail(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    } else {
        t->device->warm = f->sampled.mode == SAMPLE_WARM && result->outcome == GCNSIM_COMPLETED;
        sampled_executed(&f->sampled, &f->d.raw, result, &f->d.sample);
        packet_end_kernel(q, &f->d, result, f->d.packet.at_ns, sampled_ns(f, result), f->began);
    }
    free(f);
}

static void run_timed(struct timed_device *t, struct gcnsim_feeding *to, struct flying *f)
{
    struct queue *q = f->d.queue;
    struct gcnsim_error e = {0};

    f->d.raw.engine = GCNSIM_ENGINE_TIMING;
    f->d.raw.threads = rt_any()->options.common.threads;
    f->d.raw.perfect_memory = rt_any()->options.common.perfect_memory;
    f->d.raw.check_stores = rt_any()->options.common.check;
    f->d.warm_caches = t->device->warm;
    f->d.watch = &f->watch;
    dispatch_begins(&f->d);
    f->began = clock_real_ns();
    uint64_t start = cycle_of(t, f->d.packet.at_ns + device_before_ns(t->device, f->d.packet.kernel.header));
    if (f->d.packet.gap_from_ns)
        f->d.raw.packet_cycle = cycle_of(t, f->d.packet.gap_from_ns);
    int failed = gcnsim_feed_raw(to, &f->d.raw, start, f, &e);
    if (failed && f->d.raw.att) { /* a trace that cannot be written keeps no program from running */
        rt_log("dispatch %llu: no thread trace: %s", (unsigned long long)f->d.number, e.text);
        f->d.raw.att = NULL;
        e = (struct gcnsim_error){0};
        failed = gcnsim_feed_raw(to, &f->d.raw, start, f, &e);
    }
    if (!failed) {
        t->in_flight++;
        __atomic_add_fetch(&q->in_flight, 1, __ATOMIC_RELEASE);
        return;
    }
    rt_log("dispatch %llu, kernel %s: %s", (unsigned long long)f->d.number, f->d.kernel->info.name, e.text);
    sampled_timed(&f->sampled, &f->d.raw, NULL, &f->d.sample);
    dispatch_abandon(&f->d);
    free(f);
    packet_fail(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

/* What the packet loop's dispatches are for: a device, while it is asked what begins. */
struct asked {
    struct timed_device *t;
    struct gcnsim_feeding *to;
};

static struct dispatch *take_dispatch(void *ctx)
{
    const struct asked *a = ctx;
    struct flying *f = calloc(1, sizeof *f);

    device_tell_written(a->t->device); /* by copies before it that ended without a launch in flight */
    if (!f)
        return NULL;
    f->t = a->t;
    return &f->d;
}

static struct flying *flying_of(struct dispatch *d)
{
    return (struct flying *)((char *)d - offsetof(struct flying, d));
}

static void give_back(void *ctx, struct dispatch *d)
{
    (void)ctx;
    free(flying_of(d));
}

static bool run_kernel(void *ctx, struct dispatch *d)
{
    const struct asked *a = ctx;
    struct sampler *sampler = a->t->device->sampler;
    struct flying *f = flying_of(d);
    uint64_t workgroups = rt_any()->options.common.sample_workgroups;

    if (!report_wants_timing(d->kernel->info.name, d->number))
        run_functional(a->t, f);
    else if (!sampler ||
             sampled_begin(&f->sampled, sampler, &d->raw, a->t->in_flight == 0, workgroups, &d->sample) == SAMPLE_TIME)
        run_timed(a->t, a->to, f);
    else
        run_sampled(a->t, a->to, f);
    return true;
}

/* Begins what may begin of a queue. Returns whether something did; *waits: for a signal. */
static bool begin_packets(struct timed_device *t, struct gcnsim_feeding *to, struct queue *q, bool *waits)
{
    static const struct packet_engine engine = {take_dispatch, give_back, run_kernel};
    struct asked asked = {t, to};
    struct packet p;
    bool began = false;

    while (is_alive(q)) {
        queue_next(q, &p);
        if (p.index >= q->submitted)
            return began;
        *waits |= p.kind == PACKET_WAITS;
        if (p.kind == PACKET_NONE || p.kind == PACKET_WAITS)
            return began;
        began = true;
        packet_begin(q, &p, &engine, &asked);
    }
    return began;
}

/* All queues, until none of them has something that may begin: a barrier may let a packet of another queue begin. */
static bool begin_all(struct timed_device *t, struct gcnsim_feeding *to)
{
    bool any = false, again = true;

    while (again) {
        size_t n = take_queues(t);
        bool waits = false;

        again = false;
        for (size_t k = 0; k < n; k++) {
            again |= begin_packets(t, to, t->taken[k], &waits);
            let_go(t->taken[k]);
        }
        any |= again;
        again &= waits;
    }
    return any;
}

static bool has_aborted(struct device *d)
{
    bool aborted = false;

    pthread_mutex_lock(&d->lock);
    for (const struct queue *q = d->queues; q && !aborted; q = q->next)
        aborted = __atomic_load_n(&q->abort, __ATOMIC_ACQUIRE) && __atomic_load_n(&q->in_flight, __ATOMIC_ACQUIRE);
    pthread_mutex_unlock(&d->lock);
    return aborted;
}

/* Simulated time stands still until no thread of the program is about to submit anything. */
static void await_quiet(struct device *d)
{
    while (!hosts_are_quiet() && !has_aborted(d))
        nanosleep(&(struct timespec){.tv_nsec = NOD_NS}, NULL);
}

/* Nobody is about to submit anything: what is there now may begin. Some of it, executed without time or by the host,
 * ends meanwhile and wakes threads; what these submit begins when nobody is about to submit anything again, or how fast
 * they are would decide what comes first. */
static void note_submitted(struct device *d)
{
    pthread_mutex_lock(&d->lock);
    for (struct queue *q = d->queues; q; q = q->next)
        q->submitted = __atomic_load_n(&q->shown->write_dispatch_id, __ATOMIC_ACQUIRE);
    pthread_mutex_unlock(&d->lock);
}

static uint64_t ask(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    struct timed_device *t = ctx;
    uint64_t began = clock_real_ns();

    for (;;) {
        uint32_t seen;

        __atomic_store_n(&t->attention, 0, __ATOMIC_SEQ_CST);
        await_quiet(t->device);
        seen = signals_generation();
        note_submitted(t->device);
        device_tell_written(t->device);
        if (begin_all(t, to) && t->in_flight)
            break;
        if (!idle || (t->in_flight && clock_real_ns() - began > STUCK_NS))
            break;
        signals_sleep(seen, IDLE_POLL_NS);
    }
    if (!t->in_flight || (idle && clock_real_ns() - began > STUCK_NS))
        return GCNSIM_FEED_NEVER;
    return now + (uint64_t)(LOOK_AGAIN_US * t->device->clock_mhz);
}

static void *run(void *arg)
{
    struct timed_device *t = arg;
    struct gcnsim_error e = {0};
    struct gcnsim_feed feed;

    prctl(PR_SET_NAME, HOSTS_DEVICE_THREAD, 0, 0, 0);
    gcnsim_feed_init(&feed);
    feed.ctx = t;
    feed.ask = ask;
    feed.ended = ended;
    feed.attention = &t->attention;
    while (gcnsim_run_feed(t->device->sim, &feed, &e) == GCNSIM_OK)
        ;
    rt_log("%s: %s", t->device->profile, e.text);
    return NULL;
}

/* Life ------------------------------------------------------------------------------------------------------------- */

static bool open_device(struct device *d)
{
    struct timed_device *t = d->timing ? d->timing : calloc(1, sizeof *t);

    if (d->timing || !t)
        return t != NULL;
    t->device = d;
    d->timing = t;
    hosts_follow();
    signals_attend(&t->attention);
    return true;
}

/* Makes what the device needs with its first queue. */
static bool make_sampler(struct device *d)
{
    const struct exec_options *o = &rt_any()->options;

    if (o->common.sample_kernels && !d->sampler)
        d->sampler = sampler_new(o->common.representatives);
    return d->sampler || !o->common.sample_kernels;
}

static bool add(struct queue *q)
{
    struct device *d = q->device;
    struct timed_device *t = d->timing;

    pthread_mutex_lock(&d->lock);
    if (!t->has_thread && make_sampler(d)) {
        t->base_ns = clock_host();
        t->has_thread = pthread_create(&t->thread, NULL, run, t) == 0;
        if (t->has_thread)
            pthread_detach(t->thread);
    }
    if (t->has_thread) {
        q->next = d->queues;
        d->queues = q;
    }
    pthread_mutex_unlock(&d->lock);
    return t->has_thread;
}

static bool is_done(const struct queue *q)
{
    return __atomic_load_n(&q->shown->read_dispatch_id, __ATOMIC_ACQUIRE) ==
           __atomic_load_n(&q->shown->write_dispatch_id, __ATOMIC_ACQUIRE);
}

/* Whether the device has nothing to do but what the queue has: who rings may then do short packets himself (native.h),
 * at the times that the device's thread would give them. */
static bool is_idle(const struct queue *q)
{
    struct device *d = q->device;
    bool idle = true;

    pthread_mutex_lock(&d->lock);
    for (const struct queue *o = d->queues; o && idle; o = o->next)
        idle = !__atomic_load_n(&o->in_flight, __ATOMIC_ACQUIRE) && (o == q || is_done(o));
    pthread_mutex_unlock(&d->lock);
    return idle;
}

static bool remove_queue(struct queue *q)
{
    bool own = pthread_equal(pthread_self(), q->device->timing->thread);

    queue_unlink(q);
    signals_wake();
    if (own) {               /* a callback */
        if (queue_take(q)) { /* of another queue */
            if (!__atomic_load_n(&q->in_flight, __ATOMIC_ACQUIRE))
                return true;
            queue_release(q);
        }
        q->gone = true; /* let_go() frees it when nothing of it is in flight */
        return false;
    }
    /* the dispatches in flight have been asked to end, and no longer keeps simulated time */
    for (;;) {
        while (!queue_take(q))
            nanosleep(&(struct timespec){.tv_nsec = NOD_NS}, NULL);
        if (!__atomic_load_n(&q->in_flight, __ATOMIC_ACQUIRE))
            return true;
        queue_release(q);
        nanosleep(&(struct timespec){.tv_nsec = NOD_NS}, NULL);
    }
}

static void rung(struct queue *q)
{
    if (!is_idle(q) || !native_ring(q))
        signals_wake();
}

const struct command_processor timing_processor = {open_device, add, remove_queue, rung};
