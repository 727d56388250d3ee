/* AQL packets: what the next one of a queue is, and whether it may begin (HSA 1.2, "Architected Queuing Language
 * packets"; AMD's vendor packets as in its extension header).
 *
 * Producers write a packet's body first and its header last, so nothing of a packet is looked at while its type is
 * INVALID. An object that a packet names is looked up in the runtime's own tables by who uses it: signals here, the
 * kernel in dispatch.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/queue.h"

#define HEADER_TYPE(h)    ((h) >> HSA_PACKET_HEADER_TYPE & 0xff)
#define HEADER_BARRIER(h) ((h) >> HSA_PACKET_HEADER_BARRIER & 1)

enum { DEPENDENCIES = 5 };

/* of a vendor packet, in the byte after its header */
enum { AMD_FORMAT_PM4_IB = 1, AMD_FORMAT_BARRIER_VALUE = 2 };

/* A barrier packet of AMD that compares a signal's value (hipStreamWaitValue); 64 bytes. */
struct barrier_value {
    uint16_t header;
    uint8_t format, reserved0;
    uint32_t reserved1;
    hsa_signal_t signal;
    hsa_signal_value_t value, mask;
    uint32_t condition, reserved2;
    uint64_t reserved3, reserved4;
    hsa_signal_t completion_signal;
};
_Static_assert(sizeof(struct barrier_value) == 64, "an AQL packet");

/* A copy: the program and its kernels may write to what they have submitted. */
union packet_copy {
    uint64_t words[8];
    hsa_kernel_dispatch_packet_t kernel;
    hsa_barrier_and_packet_t barrier_and;
    hsa_barrier_or_packet_t barrier_or;
    struct barrier_value vendor;
};

static void copy_packet(const void *slot, union packet_copy *out)
{
    for (unsigned k = 0; k < 8; k++)
        out->words[k] = __atomic_load_n((const uint64_t *)slot + k, __ATOMIC_RELAXED);
}

static void later(uint64_t *at, uint64_t ns)
{
    if (*at < ns)
        *at = ns;
}

/* Its signals, or its arrival, allow it no earlier. */
static void ready(struct packet *p, uint64_t ns)
{
    later(&p->ready_ns, ns);
    later(&p->at_ns, ns);
}

static void bad(struct packet *p, hsa_status_t status, const char *why)
{
    p->kind = PACKET_BAD;
    p->status = status;
    snprintf(p->why, sizeof p->why, "%s", why);
}

/* The signals of so many handles, of which 0 is none. False: one names no signal, and the packet is bad. */
static bool find_signals(const hsa_signal_t *handle, unsigned count, const char *what, struct signal **found,
                         struct packet *p)
{
    for (unsigned k = 0; k < count; k++) {
        found[k] = handle[k].handle ? signal_find(handle[k]) : NULL;
        if (handle[k].handle && !found[k]) {
            p->kind = PACKET_BAD;
            p->status = HSA_STATUS_ERROR_INVALID_SIGNAL;
            snprintf(p->why, sizeof p->why, "its %s 0x%" PRIx64 " is no signal of this process", what,
                     handle[k].handle);
            return false;
        }
    }
    return true;
}

/* All signals that are given have to be 0. */
static void barrier_and(const hsa_barrier_and_packet_t *b, struct packet *p)
{
    struct signal *s[DEPENDENCIES];

    if (!find_signals(b->dep_signal, DEPENDENCIES, "dependency", s, p))
        return;
    p->kind = PACKET_BARRIER;
    for (unsigned k = 0; k < DEPENDENCIES; k++) {
        if (!s[k])
            continue;
        if (signal_look(s[k])) {
            p->kind = PACKET_WAITS;
            return;
        }
        ready(p, signal_end_ns(s[k]));
    }
}

/* One of them has to be, and without any the packet waits for nothing. */
static void barrier_or(const hsa_barrier_or_packet_t *b, struct packet *p)
{
    struct signal *s[DEPENDENCIES];
    uint64_t first = UINT64_MAX;
    bool any = false;

    if (!find_signals(b->dep_signal, DEPENDENCIES, "dependency", s, p))
        return;
    for (unsigned k = 0; k < DEPENDENCIES; k++) {
        any |= s[k] != NULL;
        if (s[k] && !signal_look(s[k]) && signal_end_ns(s[k]) < first)
            first = signal_end_ns(s[k]);
    }
    p->kind = any && first == UINT64_MAX ? PACKET_WAITS : PACKET_BARRIER;
    if (first != UINT64_MAX)
        ready(p, first);
}

static void vendor(const struct barrier_value *b, struct packet *p)
{
    struct signal *s;

    if (b->format != AMD_FORMAT_BARRIER_VALUE) {
        snprintf(p->why, sizeof p->why, "a vendor packet of format %u; known is %d, a barrier on a signal's value",
                 b->format, AMD_FORMAT_BARRIER_VALUE);
        p->kind = PACKET_BAD;
        p->status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
        return;
    }
    if (!find_signals(&b->signal, 1, "dependency", &s, p))
        return;
    if (s && !signal_holds((hsa_signal_condition_t)b->condition, signal_look(s) & b->mask, b->value)) {
        p->kind = PACKET_WAITS;
        return;
    }
    p->kind = PACKET_BARRIER;
    if (s)
        ready(p, signal_end_ns(s));
}

static void classify(uint16_t header, struct packet *p)
{
    union packet_copy copy;
    struct signal *completion;

    copy_packet(p->slot, &copy);
    p->kernel = copy.kernel;
    p->completion = copy.kernel.completion_signal; /* of all packets that have one it is the last field */
    switch (HEADER_TYPE(header)) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
        p->kind = PACKET_KERNEL;
        break;
    case HSA_PACKET_TYPE_BARRIER_AND:
        barrier_and(&copy.barrier_and, p);
        break;
    case HSA_PACKET_TYPE_BARRIER_OR:
        barrier_or(&copy.barrier_or, p);
        break;
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
        vendor(&copy.vendor, p);
        break;
    case HSA_PACKET_TYPE_AGENT_DISPATCH:
        bad(p, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "an agent dispatch packet, which a GPU's queue does not take");
        return;
    default:
        bad(p, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "a packet of unknown type");
        snprintf(p->why, sizeof p->why, "a packet of type %u, which there is not", HEADER_TYPE(header));
        return;
    }
    if (p->kind != PACKET_BAD)
        find_signals(&p->completion, 1, "completion signal", &completion, p);
}

void queue_next(struct queue *q, struct packet *out)
{
    uint32_t slot = (uint32_t)(q->begun & q->mask);
    uint8_t *at = q->ring + (size_t)slot * 64;
    uint16_t header;

    *out = (struct packet){.kind = PACKET_NONE, .index = q->begun, .slot = at};
    if (q->begun == __atomic_load_n(&q->shown->write_dispatch_id, __ATOMIC_ACQUIRE) || q->begun - q->read > q->mask)
        return;
    header = __atomic_load_n((uint16_t *)(void *)at, __ATOMIC_ACQUIRE);
    if (HEADER_TYPE(header) == HSA_PACKET_TYPE_INVALID)
        return;
    /* hardware may look at a packet before its doorbell, too; it comes no earlier than the host has come to then */
    if (__atomic_load_n(&q->arrived, __ATOMIC_ACQUIRE) > q->begun)
        ready(out, __atomic_load_n(&q->arrival_ns[slot], __ATOMIC_RELAXED));
    else
        ready(out, clock_host());
    if (HEADER_BARRIER(header)) {
        if (q->begun != q->read) {
            out->kind = PACKET_WAITS;
            return;
        }
        later(&out->at_ns, q->free_ns);
    }
    classify(header, out);
    if (out->kind == PACKET_KERNEL && q->begun == q->read && q->kernel_end_ns) {
        out->gap_from_ns = out->ready_ns;
        later(&out->gap_from_ns, q->held_ns);
        later(&out->gap_from_ns, q->kernel_end_ns);
    }
}

void queue_begin(struct queue *q, const struct packet *p)
{
    __atomic_store_n(&q->ended[p->index & q->mask], false, __ATOMIC_RELAXED);
    __atomic_store_n(&q->begun, p->index + 1, __ATOMIC_RELEASE);
}

void queue_end(struct queue *q, const struct packet *p, uint64_t start_ns, uint64_t end_ns, uint64_t free_ns)
{
    struct signal *s = signal_find(p->completion); /* the program may have destroyed it */

    later(&q->free_ns, free_ns);
    if (p->kind == PACKET_KERNEL)
        later(&q->kernel_end_ns, end_ns);
    else
        later(&q->held_ns, p->ready_ns);
    __atomic_store_n(&q->ended[p->index & q->mask], true, __ATOMIC_RELAXED);
    while (q->read != q->begun && q->ended[q->read & q->mask]) {
        uint8_t *slot = q->ring + (q->read & q->mask) * 64;

        __atomic_store_n((uint16_t *)(void *)slot, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELEASE);
        __atomic_store_n(&q->read, q->read + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&q->shown->read_dispatch_id, q->read, __ATOMIC_RELEASE);
    if (p->kind == PACKET_BARRIER)
        clock_lead_reach(end_ns);
    if (s) {
        __atomic_store_n(&s->rung_by, __atomic_load_n(&q->rung_by, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
        __atomic_store_n(&s->rung_at, __atomic_load_n(&q->rung_at, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
        signal_complete(s, start_ns, end_ns);
    }
}

/* Looking at packets ----------------------------------------------------------------------------------------------- */

static void view_dependencies(const hsa_signal_t *on, struct packet_view *v)
{
    for (unsigned k = 0; k < DEPENDENCIES; k++)
        if (on[k].handle)
            v->on[v->count++] = (struct signal_condition){on[k], HSA_SIGNAL_CONDITION_EQ, 0, -1};
}

static void view_conditions(const union packet_copy *copy, struct packet_view *v)
{
    const struct barrier_value *b = &copy->vendor;

    v->any = v->type == HSA_PACKET_TYPE_BARRIER_OR;
    if (v->type == HSA_PACKET_TYPE_BARRIER_AND)
        view_dependencies(copy->barrier_and.dep_signal, v);
    if (v->type == HSA_PACKET_TYPE_BARRIER_OR)
        view_dependencies(copy->barrier_or.dep_signal, v);
    if (v->type == HSA_PACKET_TYPE_VENDOR_SPECIFIC && b->format == AMD_FORMAT_BARRIER_VALUE && b->signal.handle)
        v->on[v->count++] =
            (struct signal_condition){b->signal, (hsa_signal_condition_t)b->condition, b->value, b->mask};
}

bool queue_view(const struct queue *q, uint64_t index, struct packet_view *out)
{
    uint64_t slot = index & q->mask;
    const uint8_t *at = q->ring + slot * 64;
    uint16_t header = __atomic_load_n((const uint16_t *)(const void *)at, __ATOMIC_ACQUIRE);
    union packet_copy copy;

    *out = (struct packet_view){.type = HEADER_TYPE(header), .barrier = HEADER_BARRIER(header)};
    if (out->type != HSA_PACKET_TYPE_INVALID) {
        copy_packet(at, &copy);
        out->ended = __atomic_load_n(&q->ended[slot], __ATOMIC_RELAXED);
        out->dispatch = __atomic_load_n(&q->dispatch[slot], __ATOMIC_RELAXED);
        out->completion = copy.kernel.completion_signal;
        if (out->type == HSA_PACKET_TYPE_KERNEL_DISPATCH)
            out->kernel = copy.kernel.kernel_object;
        view_conditions(&copy, out);
    }
    return __atomic_load_n(&q->read, __ATOMIC_ACQUIRE) <= index;
}
