/* What is at an address: hsa_amd_pointer_info(), who may touch it, and fills, which the host does at once. */
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/agents/device.h"
#include "sim/hsa/memory/memory.h"
#include "sim/hsa/memory/vmem.h"

#define REGISTERED_OFFSET 52 /* bool registered, which 7.x has put into the padding at the end */
#define INFO_BYTES        56

static hsa_status_t write_info(hsa_amd_pointer_info_t *out, const hsa_amd_pointer_info_t *from, bool registered)
{
    uint8_t whole[INFO_BYTES] = {0};
    uint32_t bytes = out->size < INFO_BYTES ? out->size : INFO_BYTES;

    memcpy(whole, from, sizeof *from < INFO_BYTES ? sizeof *from : INFO_BYTES);
    whole[REGISTERED_OFFSET] = registered;
    memcpy(whole, &bytes, sizeof bytes);
    memcpy(out, whole, bytes);
    return HSA_STATUS_SUCCESS;
}

static hsa_amd_pointer_type_t type_of(enum range_kind k)
{
    switch (k) {
    case RANGE_LOCKED:
        return HSA_EXT_POINTER_TYPE_LOCKED;
    case RANGE_VMEM:
        return (hsa_amd_pointer_type_t)ABI_POINTER_VMEM;
    case RANGE_IPC:
        return HSA_EXT_POINTER_TYPE_IPC;
    case RANGE_INTEROP:
        return HSA_EXT_POINTER_TYPE_GRAPHICS;
    default: /* code, too: its variables are device memory */
        return HSA_EXT_POINTER_TYPE_HSA;
    }
}

/* Memory that somebody has registered, allocated or reserved; false: any other. */
static bool describe(uint64_t address, hsa_amd_pointer_info_t *info, uint32_t *access, bool *registered)
{
    struct runtime *rt = rt_any();
    struct locked l;
    struct range r;

    if (range_find(address, &r) && r.kind != RANGE_SYSTEM) {
        info->type = type_of(r.kind);
        info->agentBaseAddress = (void *)(uintptr_t)r.lo;
        info->hostBaseAddress = (void *)(uintptr_t)r.host;
        info->sizeInBytes = r.bytes;
        info->userData = r.userdata;
        info->agentOwner = agent_handle(r.owner);
        info->global_flags = r.flags;
        *access = r.access;
        if (r.kind != RANGE_VMEM) /* that has what it was given, and nothing else */
            *access |= (r.owner ? 1u << r.owner->index : 0) | 1;
        *registered = r.kind != RANGE_VMEM;
        return true;
    }
    if (locked_find(address, &l)) {
        info->type = HSA_EXT_POINTER_TYPE_LOCKED;
        info->agentBaseAddress = (void *)(uintptr_t)l.device;
        info->hostBaseAddress = (void *)(uintptr_t)l.host;
        info->sizeInBytes = l.bytes;
        info->userData = l.userdata;
        info->agentOwner = agent_handle(&rt->agent[0]);
        info->global_flags = l.pool ? pool_flags(l.pool) : 0;
        *access = UINT32_MAX;
        *registered = true;
        return true;
    }
    if (vmem_reservation(address, &info->agentBaseAddress, &info->sizeInBytes)) {
        info->type = (hsa_amd_pointer_type_t)ABI_POINTER_RESERVED_ADDR;
        info->hostBaseAddress = info->agentBaseAddress;
        *access = 0;
        return true;
    }
    return false;
}

static hsa_status_t list_agents(uint32_t access, void *(*alloc)(size_t), uint32_t *n, hsa_agent_t **out)
{
    struct runtime *r = rt_any();

    *n = 0;
    *out = NULL;
    for (uint32_t k = 0; k < r->agents; k++)
        *n += access >> k & 1;
    if (!*n)
        return HSA_STATUS_SUCCESS;
    *out = alloc(*n * sizeof **out);
    if (!*out)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *n = 0;
    for (uint32_t k = 0; k < r->agents; k++)
        if (access >> k & 1)
            (*out)[(*n)++] = agent_handle(&r->agent[k]);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc)(size_t),
                                  uint32_t *num_agents_accessible, hsa_agent_t **accessible)
{
    hsa_amd_pointer_info_t found = {.type = HSA_EXT_POINTER_TYPE_UNKNOWN};
    hsa_status_t status = HSA_STATUS_SUCCESS;
    bool registered = false;
    uint32_t access = 0;

    RT_READY_OR_RETURN();
    if (!info || info->size < offsetof(hsa_amd_pointer_info_t, agentBaseAddress) ||
        (accessible && (!alloc || !num_agents_accessible)))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    describe((uint64_t)(uintptr_t)ptr, &found, &access, &registered);
    if (alloc && num_agents_accessible && accessible)
        status = list_agents(access, alloc, num_agents_accessible, accessible);
    return status == HSA_STATUS_SUCCESS ? write_info(info, &found, registered) : status;
}

static void set_userdata(struct range *r, void *ctx)
{
    r->userdata = ctx;
}

hsa_status_t hsa_amd_pointer_info_set_userdata(const void *ptr, void *userdata)
{
    uint64_t address = (uint64_t)(uintptr_t)ptr;

    RT_READY_OR_RETURN();
    if (!ptr)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return range_update(address, set_userdata, userdata) || locked_set_userdata(address, userdata)
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Access ----------------------------------------------------------------------------------------------------------- */

static void set_access(struct range *r, void *ctx)
{
    r->access = *(const uint32_t *)ctx;
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags,
                                         const void *ptr)
{
    uint32_t access = 0;
    struct locked l;

    RT_READY_OR_RETURN();
    if (!num_agents || !agents || flags || !ptr)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < num_agents; k++) {
        const struct agent *a = agent_of(agents[k]);

        if (!a)
            return HSA_STATUS_ERROR_INVALID_AGENT;
        access |= 1u << a->index;
    }
    if (range_update((uint64_t)(uintptr_t)ptr, set_access, &access) || locked_find((uint64_t)(uintptr_t)ptr, &l))
        return HSA_STATUS_SUCCESS;
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t agent, hsa_access_permission_t access)
{
    RT_READY_OR_RETURN();
    if (!ptr || access < HSA_ACCESS_PERMISSION_RO || access > HSA_ACCESS_PERMISSION_RW)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return agent_of(agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT;
}

/* Fills ------------------------------------------------------------------------------------------------------------ */

/* Whether [p, p + bytes) lies in one allocation, or in one buffer of the host that is locked. */
static bool fits(const void *p, size_t bytes)
{
    uint64_t lo = (uint64_t)(uintptr_t)p;
    struct locked l;
    struct range r;

    if (range_find(lo, &r))
        return bytes <= r.mapped - (lo - r.lo);
    return locked_find(lo, &l) && bytes <= l.bytes - (lo - l.host);
}

hsa_status_t hsa_amd_memory_fill(void *ptr, uint32_t value, size_t count)
{
    uint32_t *to;

    RT_READY_OR_RETURN();
    if (!ptr || (uintptr_t)ptr % sizeof value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!count)
        return HSA_STATUS_SUCCESS;
    if (count > SIZE_MAX / sizeof value || !fits(ptr, count * sizeof value)) {
        rt_log("hsa_amd_memory_fill: %zu words from %p on are not within an allocation", count, ptr);
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    }
    to = memory_host(ptr);
    for (size_t k = 0; k < count; k++)
        to[k] = value;
    devices_written((uint64_t)(uintptr_t)to, count * sizeof value);
    return HSA_STATUS_SUCCESS;
}
