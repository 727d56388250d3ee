/* What pools and regions say of themselves, and of the agents that may use them.
 *
 * Regions are HSA 1.0's view of the same memory: the handle of a region is the handle of its pool. A GPU's memory is
 * behind a large BAR: the host reads and writes it. That is what server cards and resizable BAR have, and saves
 * language runtimes a copy for each small transfer.
 */
#include <string.h>

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/device.h"
#include "sim/hsa/memory/memory.h"

#define VRAM_GRANULE (UINT64_C(2) << 20) /* a page table's fragment that costs no more TLB entries than it has to */

uint32_t pool_flags(const struct pool *p)
{
    switch (p->kind) {
    case POOL_KERNARG:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    case POOL_FINE:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    case POOL_COARSE:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
    }
    return 0;
}

static hsa_status_t put(void *out, const void *value, size_t bytes)
{
    memcpy(out, value, bytes);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t put32(void *out, uint32_t v)
{
    return put(out, &v, sizeof v);
}

static hsa_status_t put64(void *out, uint64_t v)
{
    return put(out, &v, sizeof v);
}

static hsa_status_t put_bool(void *out, bool v)
{
    return put(out, &v, sizeof v);
}

/* What pools and regions have in common; the numbers of these attributes are the same. */
static hsa_status_t common(const struct pool *p, int attribute, void *value)
{
    bool global = p->kind != POOL_GROUP;

    switch (attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
        return put32(value, global ? HSA_AMD_SEGMENT_GLOBAL : HSA_AMD_SEGMENT_GROUP);
    case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
        return put32(value, pool_flags(p));
    case HSA_AMD_MEMORY_POOL_INFO_SIZE:
        return put64(value, p->bytes);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
        return put_bool(value, global);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
        return put64(value, global ? MEMORY_PAGE : 0);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t memory_pool, hsa_amd_memory_pool_info_t attribute,
                                          void *value)
{
    const struct pool *p = pool_of(memory_pool.handle);
    bool global;

    RT_READY_OR_RETURN();
    if (!p)
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    global = p->kind != POOL_GROUP;
    switch ((int)attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
        return put_bool(value, global && !p->agent->device);
    case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
        return put64(value, global ? p->bytes : 0);
    case ABI_POOL_INFO_LOCATION:
        return put32(value, p->agent->device != NULL);
    case ABI_POOL_INFO_ALLOC_REC_GRANULE:
        return put64(value, !global ? 0 : p->agent->device ? VRAM_GRANULE : MEMORY_PAGE);
    }
    return common(p, (int)attribute, value);
}

hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void *value)
{
    const struct pool *p = pool_of(region.handle);
    bool global;

    RT_READY_OR_RETURN();
    if (!p)
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    global = p->kind != POOL_GROUP;
    switch ((int)attribute) {
    case HSA_REGION_INFO_ALLOC_MAX_SIZE:
        return put64(value, global ? p->bytes : 0);
    case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
        return put32(value, global ? 0 : (uint32_t)p->bytes);
    case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
        return put_bool(value, global);
    case HSA_AMD_REGION_INFO_BASE:
        return put64(value, 0);
    case HSA_AMD_REGION_INFO_BUS_WIDTH:
        return put32(value, p->agent->device ? p->agent->device->chip->memory_bus_bits : 0);
    case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
        return put32(value, p->agent->device ? p->agent->device->chip->memory_clock_mhz : 0);
    }
    return common(p, (int)attribute, value);
}

/* Iteration -------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t agent,
                                                hsa_status_t (*callback)(hsa_amd_memory_pool_t pool, void *data),
                                                void *data)
{
    const struct agent *a = agent_of(agent);
    hsa_status_t status = HSA_STATUS_SUCCESS;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (unsigned k = 0; k < POOLS && status == HSA_STATUS_SUCCESS; k++)
        if (a->pool[k].present)
            status = callback((hsa_amd_memory_pool_t){pool_handle(&a->pool[k])}, data);
    return status;
}

/* Programs of HSA 1.0 ask the GPU for the region of kernel arguments, so that a GPU shows the host's regions, too. */
hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent, hsa_status_t (*callback)(hsa_region_t region, void *data),
                                       void *data)
{
    const struct agent *of[2] = {agent_of(agent)};
    hsa_status_t status = HSA_STATUS_SUCCESS;

    RT_OR_RETURN(r);
    if (!of[0])
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    of[1] = of[0]->device ? &r->agent[0] : NULL;
    for (unsigned i = 0; i < 2 && of[i]; i++)
        for (unsigned k = 0; k < POOLS && status == HSA_STATUS_SUCCESS; k++)
            if (of[i]->pool[k].present)
                status = callback((hsa_region_t){pool_handle(&of[i]->pool[k])}, data);
    return status;
}

/* Agents and other agents' pools ----------------------------------------------------------------------------------- */

static hsa_amd_memory_pool_access_t access_of(const struct agent *a, const struct pool *p)
{
    if (p->agent == a)
        return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
    if (p->kind == POOL_GROUP)
        return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    if (!p->agent->device && !a->device)
        return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
    /* fine-grained memory of a card cannot be cached coherently behind PCIe */
    if (p->agent->device && a->device && p->kind == POOL_FINE &&
        agent_link(a, p->agent).link_type != HSA_AMD_LINK_INFO_TYPE_XGMI)
        return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    return HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
}

static hsa_status_t put_link(const struct agent *a, const struct pool *p, void *value)
{
    hsa_amd_memory_pool_link_info_t link = agent_link(a, p->agent);

    return put(value, &link, sizeof link);
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t memory_pool,
                                                hsa_amd_agent_memory_pool_info_t attribute, void *value)
{
    const struct agent *a = agent_of(agent);
    const struct pool *p = pool_of(memory_pool.handle);
    uint32_t hops;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!p)
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    hops = p->agent != a && access_of(a, p) != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    switch (attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
        return put32(value, access_of(a, p));
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
        return put32(value, hops);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
        return hops ? put_link(a, p, value) : HSA_STATUS_SUCCESS; /* an array of as many as there are hops */
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Migration, coherency --------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t src_memory_pool,
                                             hsa_amd_memory_pool_t dst_memory_pool, bool *result)
{
    RT_READY_OR_RETURN();
    if (!pool_of(src_memory_pool.handle) || !pool_of(dst_memory_pool.handle))
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    if (!result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = false;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_migrate(const void *ptr, hsa_amd_memory_pool_t memory_pool, uint32_t flags)
{
    RT_READY_OR_RETURN();
    if (!ptr || flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!pool_of(memory_pool.handle))
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    return rt_refuse("hsa_amd_memory_migrate", HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

static uint32_t coherency[EXEC_MAX_AGENTS + 1]; /* by agent; atomic. No agent behaves differently for it */

hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t *type)
{
    const struct agent *a = agent_of(agent);

    RT_READY_OR_RETURN();
    if (!a || !a->device)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!type)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *type = (hsa_amd_coherency_type_t)__atomic_load_n(&coherency[a->index], __ATOMIC_RELAXED);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type)
{
    const struct agent *a = agent_of(agent);

    RT_READY_OR_RETURN();
    if (!a || !a->device)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if ((int)type < HSA_AMD_COHERENCY_TYPE_COHERENT || (int)type > HSA_AMD_COHERENCY_TYPE_NONCOHERENT)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    __atomic_store_n(&coherency[a->index], (uint32_t)type, __ATOMIC_RELAXED);
    return HSA_STATUS_SUCCESS;
}
