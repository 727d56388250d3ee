/* Prefetches of shared virtual memory, which wait for signals. */
#include <stdlib.h>

#include "sim/hsa/memory/memory.h"
#include "sim/hsa/signals/signal.h"

/* One that waits for its signals, the last of which first. */
struct prefetch {
    uint64_t lo, hi;
    const struct agent *agent;
    hsa_signal_t completion;
    uint32_t waits;
    hsa_signal_t dep[];
};

static void prefetch_done(uint64_t lo, uint64_t hi, const struct agent *agent, hsa_signal_t completion)
{
    svm_prefetched(lo, hi, agent);
    if (completion.handle)
        hsa_signal_subtract_screlease(completion, 1);
}

static bool prefetch_go_on(struct prefetch *p);

static bool prefetch_signalled(hsa_signal_value_t value, void *arg)
{
    struct prefetch *p = arg;

    (void)value;
    p->waits--;
    if (!prefetch_go_on(p))
        free(p);
    return false;
}

/* One that has been destroyed is, too. */
static bool is_over(hsa_signal_t dependency)
{
    struct signal *s = signal_find(dependency);

    return !s || signal_look(s) == 0;
}

/* False: it has ended, one way or another. */
static bool prefetch_go_on(struct prefetch *p)
{
    while (p->waits && is_over(p->dep[p->waits - 1]))
        p->waits--;
    if (p->waits && hsa_amd_signal_async_handler(p->dep[p->waits - 1], HSA_SIGNAL_CONDITION_EQ, 0, prefetch_signalled,
                                                 p) == HSA_STATUS_SUCCESS)
        return true;
    if (p->waits && p->completion.handle)
        hsa_signal_store_screlease(p->completion, -1);
    if (!p->waits)
        prefetch_done(p->lo, p->hi, p->agent, p->completion);
    return false;
}

hsa_status_t hsa_amd_svm_prefetch_async(void *ptr, size_t size, hsa_agent_t agent, uint32_t num_dep_signals,
                                        const hsa_signal_t *dep_signals, hsa_signal_t completion_signal)
{
    const struct agent *a = agent_of(agent);
    struct prefetch *p;
    uint64_t lo, hi;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!svm_pages(ptr, size, &lo, &hi) || (num_dep_signals && !dep_signals))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < num_dep_signals; k++)
        if (!signal_find(dep_signals[k]))
            return HSA_STATUS_ERROR_INVALID_SIGNAL;
    p = malloc(sizeof *p + num_dep_signals * sizeof p->dep[0]);
    if (!p)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *p = (struct prefetch){.lo = lo, .hi = hi, .agent = a, .completion = completion_signal, .waits = num_dep_signals};
    for (uint32_t k = 0; k < num_dep_signals; k++)
        p->dep[k] = dep_signals[k];
    if (!prefetch_go_on(p))
        free(p);
    return HSA_STATUS_SUCCESS;
}
