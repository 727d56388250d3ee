/* Simulated GPUs: opening a profile, and the command processor of a queue on the functional engine.
 *
 * There each queue has a thread and a simulator of its own, so that kernels of different queues make progress together;
 * device_timing.c has the timing engine's.
 */
#include "sim/hsa/agents/device.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/simulator.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/copy.h"
#include "sim/hsa/queues/device_timing.h"
#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/queues/native.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/sinks/explain.h"

#define IDLE_POLL_NS      5000000 /* of a queue that was long idle: who does not ring is seen no later */
#define PCIE_BYTES_PER_NS 26.0    /* PCI Express 4.0 x16: 31.5 of its raw rate, less packet headers */

/* Memory that was written past the caches is told to the simulator before its next launch. */
void devices_written(uint64_t address, uint64_t bytes)
{
    struct runtime *r = rt_any();

    for (uint32_t k = 1; r && r->options.timing && k < r->agents; k++) {
        struct device *d = r->agent[k].device;

        pthread_mutex_lock(&d->written_lock);
        if (d->written_count < DEVICE_WRITTEN)
            d->written[d->written_count++] = (struct device_written){address, bytes};
        else
            d->written_all = true;
        pthread_mutex_unlock(&d->written_lock);
    }
}

void device_tell_written(struct device *d)
{
    pthread_mutex_lock(&d->written_lock);
    for (uint32_t k = 0; k < d->written_count; k++)
        gcnsim_device_written(d->sim, d->written[k].address, d->written[k].bytes);
    if (d->written_all)
        gcnsim_device_written(d->sim, 0, UINT64_MAX);
    d->written_count = 0;
    d->written_all = false;
    pthread_mutex_unlock(&d->written_lock);
}

/* The command processor of a queue --------------------------------------------------------------------------------- */

uint64_t device_kernel_ns(const struct device *d, const struct gcnsim_result *r)
{
    double v = 0;

    if (gcnsim_result_stat(r, "cycles", &v) == GCNSIM_OK)
        return (uint64_t)(v * 1e3 / d->clock_mhz);
    if (gcnsim_result_stat(r, "instructions.total", &v) != GCNSIM_OK)
        return 0;
    return (uint64_t)(v / d->instructions_per_ns);
}

bool device_run_kernel(struct queue *q, struct gcnsim *sim, struct dispatch *d, uint64_t at_ns)
{
    struct gcnsim_result *result = NULL;
    struct gcnsim_error e = {0};
    uint64_t began = clock_real_ns();
    int failed;

    explain_dispatch(d);
    failed = gcnsim_launch_raw(sim, &d->raw, &result, &e);
    if (failed) {
        rt_log("dispatch %llu, kernel %s: %s", (unsigned long long)d->number, d->kernel->info.name, e.text);
        dispatch_abandon(d);
        queue_error(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        return false;
    }
    return device_end_kernel(q, d, result, at_ns, device_kernel_ns(q->device, result), began);
}

bool device_end_kernel(struct queue *q, struct dispatch *d, struct gcnsim_result *result, uint64_t at_ns,
                       uint64_t kernel_ns, uint64_t began)
{
    uint64_t start_ns = at_ns + q->device->before_ns, end_ns = start_ns + kernel_ns;
    bool completed = result->outcome == GCNSIM_COMPLETED;
    hsa_status_t status = dispatch_end(d, result, start_ns, end_ns, (double)(clock_real_ns() - began) * 1e-9);

    gcnsim_result_free(result);
    if (status != HSA_STATUS_SUCCESS) {
        queue_error(q, status);
        return false;
    }
    if (!completed)
        return false; /* the queue was destroyed or inactivated */
    queue_end(q, &d->packet, start_ns, end_ns);
    return true;
}

static bool process(struct queue *q, struct gcnsim *sim, const struct packet *p)
{
    struct dispatch d;
    hsa_status_t status = p->status;
    char why[300];

    switch (p->kind) {
    case PACKET_BARRIER:
        queue_begin(q, p);
        queue_end(q, p, p->at_ns, p->at_ns);
        return true;
    case PACKET_KERNEL:
        status = dispatch_make(q, p, &d, why, sizeof why);
        if (status != HSA_STATUS_SUCCESS)
            break;
        d.raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
        d.raw.threads = dispatch_threads(&d);
        d.raw.check = rt_any()->options.check;
        d.raw.ignore_lds_races = rt_any()->options.ignore_lds_races;
        queue_begin(q, p);
        return native_run(q, &d) || device_run_kernel(q, sim, &d, p->at_ns);
    default:
        snprintf(why, sizeof why, "%s", p->why);
        break;
    }
    rt_log("queue %u, packet %llu: %s", q->number, (unsigned long long)p->index, why);
    queue_error(q, status);
    return false;
}

static void *processor(void *arg)
{
    struct queue *q = arg;
    struct gcnsim *sim = NULL;
    struct gcnsim_error e = {0};
    struct packet p;

    if (simulator_open(&sim, q->device->profile, rt_any()->options.set, &e) != GCNSIM_OK) {
        rt_log("queue %u: %s", q->number, e.text);
        queue_error(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        return NULL;
    }
    for (uint64_t idle_ns = SIGNAL_POLL_NS; queue_goes_on(q);) {
        uint32_t rings = bell_rings(&q->bell), seen = signals_generation();

        while (!queue_take(q))
            sched_yield(); /* a thread that rings is at a short packet */
        queue_next(q, &p);
        if (p.kind != PACKET_NONE && p.kind != PACKET_WAITS && !process(q, sim, &p))
            break; /* nobody is to take it any more, and it may be gone */
        queue_release(q);
        if (p.kind == PACKET_WAITS)
            signals_sleep(seen, SIGNAL_POLL_NS);
        if (p.kind == PACKET_NONE)
            bell_sleep(&q->bell, rings, idle_ns);
        idle_ns = p.kind != PACKET_NONE ? SIGNAL_POLL_NS : idle_ns < IDLE_POLL_NS ? 2 * idle_ns : idle_ns;
    }
    gcnsim_close(sim);
    return NULL;
}

bool device_add_queue(struct device *d, struct queue *q)
{
    if (d->timing)
        return device_timing_add(d, q);
    pthread_mutex_lock(&d->lock);
    q->has_thread = pthread_create(&q->thread, NULL, processor, q) == 0;
    if (q->has_thread) {
        q->next = d->queues;
        d->queues = q;
    }
    pthread_mutex_unlock(&d->lock);
    return q->has_thread;
}

bool device_remove_queue(struct device *d, struct queue *q)
{
    if (d->timing)
        return device_timing_remove(d, q);
    pthread_mutex_lock(&d->lock);
    for (struct queue **at = &d->queues; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            break;
        }
    pthread_mutex_unlock(&d->lock);
    bell_ring(&q->bell);
    signals_wake();
    /* a callback of the queue may destroy it */
    if (pthread_equal(pthread_self(), q->thread))
        pthread_detach(q->thread);
    else
        pthread_join(q->thread, NULL);
    return true;
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

static double figure(const struct device *d, const char *path)
{
    double v = 0;

    return gcnsim_profile_number(d->sim, path, &v) == GCNSIM_OK ? v : 0;
}

static void set_figures(struct device *d)
{
    static const char *const caches[] = {"cache.vl0.size_bytes", "cache.l2.size_bytes", "cache.mall.size_bytes"};
    double lanes_issue = figure(d, "cu.simds") * figure(d, "gpu.cus");

    d->clock_mhz = figure(d, "gpu.shader_clock_mhz");
    d->cus = (uint32_t)figure(d, "gpu.cus");
    d->simds_per_cu = (uint32_t)figure(d, "cu.simds");
    d->waves_per_cu = d->simds_per_cu * (uint32_t)figure(d, "cu.wave_slots_per_simd");
    d->xcds = (uint32_t)figure(d, "gpu.xcds");
    d->shader_engines = (uint32_t)figure(d, "gpu.shader_engines");
    d->lds_bytes = (uint32_t)figure(d, "cu.lds_max_per_workgroup_bytes");
    d->line_bytes = (uint32_t)figure(d, "cache.l2.line_bytes");
    d->wave_size = figure(d, "cu.vgprs_per_simd_w32") > 0 ? 32 : 64;
    for (unsigned k = 0; k < 3; k++)
        d->cache_bytes[k] = (uint64_t)figure(d, caches[k]);
    d->max_clock_mhz = (uint32_t)d->clock_mhz;
    d->before_ns = (uint64_t)figure(d, "launch.before_ns");
    d->after_ns = (uint64_t)figure(d, "launch.after_ns");
    d->memory_bytes_per_ns = figure(d, "dram.bytes_per_cycle") * d->clock_mhz * 1e-3;
    d->link_bytes_per_ns = d->chip->apu ? d->memory_bytes_per_ns / 2 : PCIE_BYTES_PER_NS;
    /* a SIMD of 16 lanes issues a wave's instruction in four cycles, one of RDNA one in each */
    d->instructions_per_ns = lanes_issue * (figure(d, "gpu.cus_per_wgp") > 1 ? 1 : 0.25) * d->clock_mhz * 1e-3;
    if (!(d->instructions_per_ns > 0))
        d->instructions_per_ns = 1;
}

bool device_open(struct device *d, struct agent *a, const char *profile, const char *set, bool timing, char *why,
                 size_t why_size)
{
    struct gcnsim_profile_info info;
    struct gcnsim_error e = {0};

    *d = (struct device){.agent = a, .profile = profile};
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->written_lock, NULL);
    if (gcnsim_profile_find(profile, &info, &e) != GCNSIM_OK ||
        simulator_open(&d->sim, profile, set, &e) != GCNSIM_OK) {
        snprintf(why, why_size, "%s", e.text);
        return false;
    }
    d->chip = chip_of(info.name, info.target);
    set_figures(d);
    if (timing && !device_timing_open(d)) {
        snprintf(why, why_size, "no memory for a device");
        return false;
    }
    return true;
}
