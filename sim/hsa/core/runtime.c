/* The runtime of the process, and its handles of agents and pools. */
#include "sim/hsa/core/runtime.h"

#include "sim/hsa/core/host_threads.h"

struct runtime_life runtime_life;

struct runtime *rt_ready(void)
{
    hosts_called();
    return __atomic_load_n(&runtime_life.references, __ATOMIC_ACQUIRE) && !runtime_life.child ? &runtime_life.runtime
                                                                                              : NULL;
}

struct runtime *rt_any(void)
{
    return runtime_life.made && !runtime_life.child ? &runtime_life.runtime : NULL;
}

hsa_agent_t agent_handle(const struct agent *a)
{
    return (hsa_agent_t){(uint64_t)(uintptr_t)a};
}

struct agent *agent_of(hsa_agent_t a)
{
    struct runtime *r = rt_any();

    for (uint32_t k = 0; r && k < r->agents; k++)
        if (agent_handle(&r->agent[k]).handle == a.handle)
            return &r->agent[k];
    return NULL;
}

uint64_t pool_handle(const struct pool *p)
{
    return (uint64_t)(uintptr_t)p;
}

struct pool *pool_of(uint64_t handle)
{
    struct runtime *r = rt_any();

    for (uint32_t a = 0; r && a < r->agents; a++)
        for (unsigned k = 0; k < POOLS; k++)
            if (r->agent[a].pool[k].present && pool_handle(&r->agent[a].pool[k]) == handle)
                return &r->agent[a].pool[k];
    return NULL;
}
