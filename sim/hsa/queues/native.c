/* Packets that need no simulator, in the queue's thread or in the one that rings. */
#include "sim/hsa/queues/native.h"

#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/blit.h"
#include "sim/hsa/queues/dispatch.h"

#define RINGER_BYTES (UINT64_C(256) << 10) /* at most, of a copy in the ringing thread: tens of microseconds */

/* That many ns of simulated time. */
static void end(struct queue *q, struct dispatch *d, uint64_t ns, uint64_t began)
{
    struct packet p = d->packet;
    uint64_t start_ns = p.at_ns + device_before_ns(q->device, p.kernel.header), end_ns = start_ns + ns;

    dispatch_end(d, NULL, start_ns, end_ns, (double)(clock_real_ns() - began) * 1e-9);
    queue_end(q, &p, start_ns, end_ns, end_ns + device_after_ns(q->device, p.kernel.header));
}

bool native_run(struct queue *q, struct dispatch *d)
{
    uint64_t began = clock_real_ns(), ns;

    if (!blit_run(d, UINT64_MAX, &ns))
        return false;
    end(q, d, ns, began);
    return true;
}

static bool is_blit(const struct packet *p)
{
    const struct kernel *k = kernel_find(p->kernel.kernel_object);
    bool is = k && k->blit.kind != BLIT_NONE;

    kernel_release(k);
    return is;
}

/* A kernel's packet in the ringing thread; false: nothing has happened. */
static bool ring_kernel(struct queue *q, const struct packet *p)
{
    uint64_t began = clock_real_ns(), ns;
    struct dispatch d;
    char why[300];

    if (!is_blit(p) || dispatch_prepare(q, p, &d, why, sizeof why) != HSA_STATUS_SUCCESS)
        return false; /* the queue's thread says why not */
    if (!blit_run(&d, RINGER_BYTES, &ns)) {
        dispatch_drop(&d);
        return false;
    }
    dispatch_count(&d);
    queue_begin(q, p);
    end(q, &d, ns, began);
    return true;
}

/* Does the next packet; false: there is none, or it is not of this kind: *left. */
static bool ring_next(struct queue *q, bool *left)
{
    struct packet p;

    queue_next(q, &p);
    *left = p.kind != PACKET_NONE;
    if (p.kind == PACKET_BARRIER) {
        queue_begin(q, &p);
        queue_end(q, &p, p.at_ns, p.at_ns, p.at_ns);
        return true;
    }
    return p.kind == PACKET_KERNEL && ring_kernel(q, &p);
}

bool native_ring(struct queue *q)
{
    bool left = true;

    if (!queue_take(q))
        return false;
    while (queue_goes_on(q) && ring_next(q, &left))
        ;
    queue_release(q);
    return !left;
}
