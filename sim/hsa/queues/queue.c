/* Queues: creation, destruction, indices. */
#include "sim/hsa/queues/queue.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/memory/memory.h"

#define QUEUE_MAX_PACKETS 131072

CELL_FITS(CELL_QUEUE, struct queue, amd_queue_t);

static const struct command_processor *processor;

void queues_serve(const struct command_processor *by)
{
    processor = by;
}

struct queue *queue_find(const hsa_queue_t *handle)
{
    return cell_find(CELL_QUEUE, (uint64_t)(uintptr_t)handle);
}

/* Its doorbell has been written. */
static void queue_rung(struct queue *q)
{
    uint64_t write = __atomic_load_n(&q->shown->write_dispatch_id, __ATOMIC_ACQUIRE), now = clock_host_submits();
    uint64_t from = __atomic_load_n(&q->arrived, __ATOMIC_ACQUIRE);

    uint32_t ringer = host_called();
    __atomic_store_n(&q->rung_by, ringer, __ATOMIC_RELAXED);
    __atomic_store_n(&q->rung_at, host_calls(ringer), __ATOMIC_RELAXED);
    if (write - from > q->mask + UINT64_C(1)) /* reserved, but not there before packets end */
        write = from + q->mask + 1;
    /* several producers may ring at once: the times that they write for one packet are both true */
    while (from < write) {
        __atomic_store_n(&q->arrival_ns[from & q->mask], now, __ATOMIC_RELAXED);
        if (__atomic_compare_exchange_n(&q->arrived, &from, from + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            from++;
    }
    if (!q->device || !rt_any())
        return; /* its consumer is the program, or the parent of this process */
    processor->rung(q);
}

/* Indices ---------------------------------------------------------------------------------------------------------- */

#define LOAD_INDEX(order, memory_order)                                                                                \
    uint64_t hsa_queue_load_read_index_##order(const hsa_queue_t *queue)                                               \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        return q ? __atomic_load_n(&q->shown->read_dispatch_id, memory_order) : 0;                                     \
    }                                                                                                                  \
    uint64_t hsa_queue_load_write_index_##order(const hsa_queue_t *queue)                                              \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        return q ? __atomic_load_n(&q->shown->write_dispatch_id, memory_order) : 0;                                    \
    }
LOAD_INDEX(relaxed, __ATOMIC_RELAXED)
LOAD_INDEX(acquire, __ATOMIC_ACQUIRE)
LOAD_INDEX(scacquire, __ATOMIC_SEQ_CST)

/* Only a soft queue's consumer, which is the program, may move a read index. */
#define STORE_INDEX(order, memory_order)                                                                               \
    void hsa_queue_store_read_index_##order(const hsa_queue_t *queue, uint64_t value)                                  \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        if (q && !q->device)                                                                                           \
            __atomic_store_n(&q->shown->read_dispatch_id, value, memory_order);                                        \
    }                                                                                                                  \
    void hsa_queue_store_write_index_##order(const hsa_queue_t *queue, uint64_t value)                                 \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        if (q)                                                                                                         \
            __atomic_store_n(&q->shown->write_dispatch_id, value, memory_order);                                       \
    }
STORE_INDEX(relaxed, __ATOMIC_RELAXED)
STORE_INDEX(release, __ATOMIC_RELEASE)
STORE_INDEX(screlease, __ATOMIC_SEQ_CST)

#define CHANGE_INDEX(order, memory_order)                                                                              \
    uint64_t hsa_queue_add_write_index_##order(const hsa_queue_t *queue, uint64_t value)                               \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        host_called();                                                                                                 \
        hosts_called();                                                                                                \
        return q ? __atomic_fetch_add(&q->shown->write_dispatch_id, value, memory_order) : 0;                          \
    }                                                                                                                  \
    uint64_t hsa_queue_cas_write_index_##order(const hsa_queue_t *queue, uint64_t expected, uint64_t value)            \
    {                                                                                                                  \
        struct queue *q = queue_find(queue);                                                                           \
                                                                                                                       \
        /* threads that take turns spin here: let the one run whose turn it is */                                      \
        if (q && !__atomic_compare_exchange_n(&q->shown->write_dispatch_id, &expected, value, false, __ATOMIC_SEQ_CST, \
                                              __ATOMIC_SEQ_CST))                                                       \
            sched_yield();                                                                                             \
        return expected;                                                                                               \
    }
CHANGE_INDEX(relaxed, __ATOMIC_RELAXED)
CHANGE_INDEX(acquire, __ATOMIC_ACQUIRE)
CHANGE_INDEX(release, __ATOMIC_RELEASE)
CHANGE_INDEX(acq_rel, __ATOMIC_ACQ_REL)
CHANGE_INDEX(scacquire, __ATOMIC_SEQ_CST)
CHANGE_INDEX(screlease, __ATOMIC_SEQ_CST)
CHANGE_INDEX(scacq_screl, __ATOMIC_SEQ_CST)

/* Life ------------------------------------------------------------------------------------------------------------- */

static struct queue *queue_make(uint32_t size, hsa_queue_type32_t type)
{
    struct queue *q = cell_new(CELL_QUEUE);

    if (!q)
        return NULL;
    q->ring = memory_system((size_t)size * 64, MEMORY_PAGE);
    q->arrival_ns = calloc(size, sizeof *q->arrival_ns);
    q->ended = calloc(size, sizeof *q->ended);
    q->dispatch = calloc(size, sizeof *q->dispatch);
    signals_on_doorbell(queue_rung);
    q->doorbell = signal_new(0, q);
    if (!q->ring || !q->arrival_ns || !q->ended || !q->dispatch || !q->doorbell) {
        queue_free(q);
        return NULL;
    }
    for (uint32_t k = 0; k < size; k++)
        *(uint16_t *)(void *)(q->ring + (size_t)k * 64) = HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE;
    q->mask = size - 1;
    q->shown->hsa_queue.type = type;
    q->shown->hsa_queue.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
    q->shown->hsa_queue.base_address = q->ring;
    q->shown->hsa_queue.doorbell_signal = signal_handle(q->doorbell);
    q->shown->hsa_queue.size = size;
    q->shown->read_dispatch_id_field_base_byte_offset = offsetof(amd_queue_t, read_dispatch_id);
    q->shown->queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
    return q;
}

void queue_free(struct queue *q)
{
    if (q->doorbell)
        signal_forget(q->doorbell);
    memory_system_free(q->ring);
    free(q->arrival_ns);
    free(q->ended);
    free(q->dispatch);
    cell_free(CELL_QUEUE, (uint64_t)(uintptr_t)q->shown);
}

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                              void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data), void *data,
                              uint32_t private_segment_size, uint32_t group_segment_size, hsa_queue_t **queue)
{
    static uint64_t numbers;
    struct agent *a = agent_of(agent);
    struct queue *q;

    (void)private_segment_size, (void)group_segment_size;
    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!queue || !size || (size & (size - 1)) || type > HSA_QUEUE_TYPE_COOPERATIVE)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!a->device)
        return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
    if (size > QUEUE_MAX_PACKETS || !(q = queue_make(size, type)))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    q->device = a->device;
    q->callback = callback;
    q->callback_data = data;
    q->cooperative = type == HSA_QUEUE_TYPE_COOPERATIVE;
    q->number = (uint32_t)__atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED);
    q->shown->hsa_queue.id = q->number;
    q->shown->group_segment_aperture_base_hi = QUEUE_SHARED_APERTURE >> 32;
    q->shown->private_segment_aperture_base_hi = QUEUE_PRIVATE_APERTURE >> 32;
    q->shown->max_cu_id = a->device->cus - 1;
    q->shown->max_wave_id = a->device->waves_per_cu - 1;
    if (!processor->add(q)) {
        queue_free(q);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *queue = &q->shown->hsa_queue;
    return HSA_STATUS_SUCCESS;
}

void queue_unlink(struct queue *q)
{
    struct device *d = q->device;

    pthread_mutex_lock(&d->lock);
    for (struct queue **at = &d->queues; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            break;
        }
    pthread_mutex_unlock(&d->lock);
}

/* A kernel of the queue that runs is ended; packets that have not begun never do. */
hsa_status_t hsa_queue_destroy(hsa_queue_t *queue)
{
    struct queue *q = queue_find(queue);

    RT_READY_OR_RETURN();
    if (!q)
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (q->device) {
        queue_abort(q);
        if (!processor->remove(q))
            return HSA_STATUS_SUCCESS;
    }
    queue_free(q);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue)
{
    struct queue *q = queue_find(queue);

    RT_READY_OR_RETURN();
    if (!q)
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    __atomic_store_n(&q->inactive, true, __ATOMIC_RELEASE);
    queue_abort(q);
    signals_wake();
    return HSA_STATUS_SUCCESS;
}

void queue_error(struct queue *q, hsa_status_t status)
{
    hsa_signal_t told = {__atomic_load_n(&q->shown->queue_inactive_signal.handle, __ATOMIC_RELAXED)};
    struct signal *s = signal_find(told);

    __atomic_store_n(&q->inactive, true, __ATOMIC_RELEASE);
    if (s && !signal_queue(s)) {
        __atomic_store_n(&signal_shown(s)->abi.value, (int64_t)status, __ATOMIC_RELEASE);
        signal_changed(s);
    }
    if (q->callback)
        q->callback(status, &q->shown->hsa_queue, q->callback_data);
}

/* A queue whose packets the program itself takes: agent dispatches from a kernel, say. */
hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type, uint32_t features,
                                   hsa_signal_t doorbell_signal, hsa_queue_t **queue)
{
    struct queue *q;

    RT_READY_OR_RETURN();
    if (!pool_of(region.handle))
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!queue || !size || (size & (size - 1)) || !doorbell_signal.handle)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (size > QUEUE_MAX_PACKETS || !(q = queue_make(size, type)))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    q->shown->hsa_queue.features = features;
    q->shown->hsa_queue.doorbell_signal = doorbell_signal;
    *queue = &q->shown->hsa_queue;
    return HSA_STATUS_SUCCESS;
}
