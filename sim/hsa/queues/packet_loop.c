/* The packet loop: barriers end at once, kernels become dispatches, which the host or an engine runs. */
#include "sim/hsa/queues/packet_loop.h"

#include <stdio.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/native.h"

void packet_fail(struct queue *q, hsa_status_t status)
{
    __atomic_store_n(&q->abort, 1, __ATOMIC_RELEASE);
    queue_error(q, status);
}

bool packet_run_kernel(struct queue *q, struct gcnsim *sim, struct dispatch *d, uint64_t at_ns)
{
    struct gcnsim_result *result = NULL;
    struct gcnsim_error e = {0};
    uint64_t began = clock_real_ns();
    int failed;

    dispatch_begins(d);
    failed = gcnsim_launch_raw(sim, &d->raw, &result, &e);
    if (failed) {
        rt_log("dispatch %llu, kernel %s: %s", (unsigned long long)d->number, d->kernel->info.name, e.text);
        dispatch_abandon(d);
        queue_error(q, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        return false;
    }
    return packet_end_kernel(q, d, result, at_ns, device_kernel_ns(q->device, result), began);
}

bool packet_end_kernel(struct queue *q, struct dispatch *d, struct gcnsim_result *result, uint64_t at_ns,
                       uint64_t kernel_ns, uint64_t began)
{
    uint16_t header = d->packet.kernel.header;
    uint64_t start_ns = at_ns + device_before_ns(q->device, header), end_ns = start_ns + kernel_ns;
    bool completed = result->outcome == GCNSIM_COMPLETED;
    hsa_status_t status = dispatch_end(d, result, start_ns, end_ns, (double)(clock_real_ns() - began) * 1e-9);

    gcnsim_result_free(result);
    if (status != HSA_STATUS_SUCCESS) {
        queue_error(q, status);
        return false;
    }
    if (!completed)
        return false; /* the queue was destroyed or inactivated */
    queue_end(q, &d->packet, start_ns, end_ns, end_ns + device_after_ns(q->device, header));
    return true;
}

/* A status that is an error: why not. */
static hsa_status_t begin_kernel(struct queue *q, const struct packet *p, const struct packet_engine *e, void *ctx,
                                 char *why, size_t n, bool *goes_on)
{
    struct dispatch *d = e->take(ctx);
    hsa_status_t status;

    snprintf(why, n, "out of host memory for a dispatch");
    status = d ? dispatch_make(q, p, d, why, n) : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (status != HSA_STATUS_SUCCESS) {
        if (d)
            e->give_back(ctx, d);
        return status;
    }
    queue_begin(q, p);
    *goes_on = true;
    if (native_run(q, d))
        e->give_back(ctx, d);
    else
        *goes_on = e->run(ctx, d);
    return status;
}

bool packet_begin(struct queue *q, const struct packet *p, const struct packet_engine *e, void *ctx)
{
    hsa_status_t status = p->status;
    bool goes_on = false;
    char why[300];

    if (p->kind == PACKET_BARRIER) {
        queue_begin(q, p);
        queue_end(q, p, p->at_ns, p->at_ns, p->at_ns);
        return true;
    }
    if (p->kind == PACKET_KERNEL) {
        status = begin_kernel(q, p, e, ctx, why, sizeof why, &goes_on);
        if (status == HSA_STATUS_SUCCESS)
            return goes_on;
    } else {
        snprintf(why, sizeof why, "%s", p->why);
    }
    rt_log("queue %u, packet %llu: %s", q->number, (unsigned long long)p->index, why);
    packet_fail(q, status);
    return false;
}
