/* What AMD's extension adds to queues and to the runtime: masks of CUs, priorities, events of the system. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/queues/queue.h"

/* Attributes of hsa_amd_queue_get_info. */
enum { QUEUE_INFO_AGENT = 0, QUEUE_INFO_DOORBELL_ID = 1 };

/* Queues are served alike: a program sees no difference but in time. */
hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *queue, hsa_amd_queue_priority_t priority)
{
    RT_READY_OR_RETURN();
    if (!queue_find(queue))
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    if ((int)priority < HSA_AMD_QUEUE_PRIORITY_LOW || (int)priority > HSA_AMD_QUEUE_PRIORITY_HIGH)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return HSA_STATUS_SUCCESS;
}

/* A mask that leaves CUs out is not modelled: the queue has all of them, which ROCr's code for a reduced mask says. */
hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *queue, uint32_t num_cu_mask_count, const uint32_t *cu_mask)
{
    RT_READY_OR_RETURN();
    if (!queue_find(queue))
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (num_cu_mask_count % 32 || (num_cu_mask_count && !cu_mask))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (num_cu_mask_count)
        rt_log_once("hsa_amd_queue_cu_set_mask", "masks of compute units have no effect: queues use all of them");
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t *queue, uint32_t num_cu_mask_count, uint32_t *cu_mask)
{
    const struct queue *q = queue_find(queue);

    RT_READY_OR_RETURN();
    if (!q || !q->device)
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (!num_cu_mask_count || num_cu_mask_count % 32 || !cu_mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < num_cu_mask_count / 32; k++) {
        uint32_t left = q->device->cus > 32 * k ? q->device->cus - 32 * k : 0;

        cu_mask[k] = left >= 32 ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    }
    return HSA_STATUS_SUCCESS;
}

/* The id of a doorbell is not answered, so that runtimes ring through its signal and not the memory behind it. */
hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *queue, int attribute, void *value)
{
    const struct queue *q = queue_find(queue);
    hsa_agent_t agent;

    RT_READY_OR_RETURN();
    if (!q || !q->device)
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (!value || attribute != QUEUE_INFO_AGENT)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    agent = agent_handle(q->device->agent);
    memcpy(value, &agent, sizeof agent);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold)
{
    (void)threshold;
    RT_READY_OR_RETURN();
    return agent_of(agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT;
}

hsa_status_t hsa_amd_enable_logging(uint8_t *flags, void *file)
{
    (void)flags, (void)file;
    RT_READY_OR_RETURN();
    return HSA_STATUS_SUCCESS;
}

/* Handlers of memory faults ---------------------------------------------------------------------------------------- */

#define HANDLERS 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    hsa_amd_system_event_callback_t call;
    void *data;
} handlers[HANDLERS];
static uint32_t handler_count;

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data)
{
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;

    RT_READY_OR_RETURN();
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    if (handler_count < HANDLERS) {
        handlers[handler_count].call = callback;
        handlers[handler_count++].data = data;
        status = HSA_STATUS_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

bool system_memory_fault(const struct agent *a, uint64_t address)
{
    hsa_amd_event_t event = {.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT};
    uint32_t n;
    bool handled = false;

    event.memory_fault.agent = agent_handle(a);
    event.memory_fault.virtual_address = address;
    event.memory_fault.fault_reason_mask = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
    pthread_mutex_lock(&lock);
    n = handler_count;
    pthread_mutex_unlock(&lock);
    for (uint32_t k = 0; k < n; k++)
        handled |= handlers[k].call(&event, handlers[k].data) == HSA_STATUS_SUCCESS;
    return handled;
}
