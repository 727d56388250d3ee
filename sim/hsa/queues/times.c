/* Times of dispatches and copies, as profilers and events ask for them: the simulated ones that signals carry. OpenCL
 * compares them with CLOCK_MONOTONIC, and receives when they would have been had the host's clock not stood still
 * before the submission (clock.h): no event starts before it was submitted, and all take the time that is simulated. */
#include "sim/hsa/agents/language.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/queue.h"

static uint64_t lead_of(const struct signal *s)
{
    return language_is_opencl() ? __atomic_load_n(&s->lead_ns, __ATOMIC_RELAXED) : 0;
}

hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *queue, int enable)
{
    struct queue *q = queue_find(queue);

    RT_READY_OR_RETURN();
    if (!q)
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    q->profiling = enable != 0;
    return HSA_STATUS_SUCCESS;
}

/* Copies always have times. */
hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable)
{
    (void)enable;
    RT_READY_OR_RETURN();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t *time)
{
    const struct signal *s = signal_find(signal);

    RT_READY_OR_RETURN();
    if (!s)
        return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (!time)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    time->start = signal_start_ns(s) + lead_of(s);
    time->end = signal_end_ns(s) + lead_of(s);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                 hsa_amd_profiling_dispatch_time_t *time)
{
    hsa_amd_profiling_async_copy_time_t of = {0};
    hsa_status_t status;

    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    status = hsa_amd_profiling_get_async_copy_time(signal, time ? &of : NULL);
    if (status == HSA_STATUS_SUCCESS)
        *time = (hsa_amd_profiling_dispatch_time_t){.start = of.start, .end = of.end};
    return status;
}

/* Devices and system count the same ticks. */
hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t agent_tick,
                                                             uint64_t *system_tick)
{
    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!system_tick)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *system_tick = agent_tick;
    return HSA_STATUS_SUCCESS;
}
