/* Instruction sets and wavefronts of agents: a GPU has exactly one, with the features that its name states. */
#include <stdio.h>
#include <string.h>

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/device.h"

/* A handle is the address of the agent's name of it, that of a wavefront the next address. */
static hsa_isa_t isa_handle(const struct agent *a)
{
    return (hsa_isa_t){(uint64_t)(uintptr_t)a->isa};
}

static struct agent *agent_of_isa(hsa_isa_t isa)
{
    struct runtime *r = rt_any();

    for (uint32_t k = 0; r && k < r->agents; k++)
        if (r->agent[k].device && isa_handle(&r->agent[k]).handle == isa.handle)
            return &r->agent[k];
    return NULL;
}

uint64_t agent_isa(const struct agent *a)
{
    return a->device ? isa_handle(a).handle : 0;
}

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t isa, void *data), void *data)
{
    const struct agent *a = agent_of(agent);

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return a->device ? callback(isa_handle(a), data) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa)
{
    RT_OR_RETURN(r);
    if (!name || !isa)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < r->agents; k++) {
        const struct agent *a = &r->agent[k];
        size_t n = strcspn(a->isa, ":");

        /* without its features a name means all settings of them */
        if (a->device && (strcmp(a->isa, name) == 0 || (strlen(name) == n && strncmp(a->isa, name, n) == 0))) {
            *isa = isa_handle(a);
            return HSA_STATUS_SUCCESS;
        }
    }
    return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

static hsa_status_t put(void *out, uint64_t v, size_t bytes)
{
    memcpy(out, &v, bytes);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
    const struct agent *a = agent_of_isa(isa);

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch ((int)attribute) {
    case HSA_ISA_INFO_NAME_LENGTH: /* with its end, as ROCr counts */
        return put(value, strlen(a->isa) + 1, 4);
    case HSA_ISA_INFO_NAME:
        memcpy(value, a->isa, strlen(a->isa) + 1);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
        return put(value, 1, 4);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
        return put(value, a->device->wave_size, 4);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
        return put(value, a->device->waves_per_cu, 4);
    case HSA_ISA_INFO_MACHINE_MODELS: /* small, large */
        return put(value, 0x0100, 2);
    case HSA_ISA_INFO_PROFILES: /* base, full */
        return put(value, 0x0001, 2);
    case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
    case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: /* default, zero, near */
        return put(value, 0x010001, 3);
    case HSA_ISA_INFO_FAST_F16_OPERATION:
        return put(value, 1, 1);
    case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
        return put(value, UINT64_C(0x040004000400), 6);
    case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
        return put(value, 1024, 4);
    case HSA_ISA_INFO_GRID_MAX_DIM:
        memset(value, 0xff, 12);
        return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_GRID_MAX_SIZE:
        return put(value, UINT64_MAX, 8);
    case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
        return put(value, 32, 4);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value)
{
    return index ? HSA_STATUS_ERROR_INVALID_INDEX : hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa_, bool *result)
{
    const struct agent *code = agent_of_isa(code_object_isa), *agent = agent_of_isa(agent_isa_);

    RT_READY_OR_RETURN();
    if (!code || !agent)
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = strcmp(code->isa, agent->isa) == 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t fp_type, hsa_flush_mode_t flush_mode,
                                      hsa_round_method_t *round_method)
{
    (void)flush_mode;
    RT_READY_OR_RETURN();
    if (!agent_of_isa(isa))
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!round_method || fp_type < HSA_FP_TYPE_16 || fp_type > HSA_FP_TYPE_64)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *round_method = HSA_ROUND_METHOD_SINGLE;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t *mask)
{
    (void)profile;
    RT_READY_OR_RETURN();
    if (!agent_of_isa(isa))
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile, uint16_t *mask)
{
    (void)profile;
    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
}

/* Wavefronts: a handle is that of the instruction set, one more. */
hsa_status_t hsa_isa_iterate_wavefronts(hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t wavefront, void *data),
                                        void *data)
{
    RT_READY_OR_RETURN();
    if (!agent_of_isa(isa))
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return callback((hsa_wavefront_t){isa.handle + 1}, data);
}

hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wavefront, hsa_wavefront_info_t attribute, void *value)
{
    const struct agent *a = agent_of_isa((hsa_isa_t){wavefront.handle - 1});

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
    if (!value || attribute != HSA_WAVEFRONT_INFO_SIZE)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return put(value, a->device->wave_size, 4);
}

/* Caches: a handle is the address of the size --------------------------------------------- */

static const char *const cache_names[] = {"L1", "L2", "MALL"};

hsa_status_t hsa_agent_iterate_caches(hsa_agent_t agent, hsa_status_t (*callback)(hsa_cache_t cache, void *data),
                                      void *data)
{
    const struct agent *a = agent_of(agent);
    hsa_status_t status = HSA_STATUS_SUCCESS;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (unsigned k = 0; a->device && k < 3 && status == HSA_STATUS_SUCCESS; k++)
        if (a->device->cache_bytes[k])
            status = callback((hsa_cache_t){(uint64_t)(uintptr_t)&a->device->cache_bytes[k]}, data);
    return status;
}

hsa_status_t hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute, void *value)
{
    const struct device *d = NULL;
    unsigned level = 0;
    char name[96];

    RT_OR_RETURN(r);
    for (uint32_t k = 0; k < r->agents && !d; k++)
        for (level = 0; r->agent[k].device && level < 3; level++)
            if ((uint64_t)(uintptr_t)&r->agent[k].device->cache_bytes[level] == cache.handle) {
                d = r->agent[k].device;
                break;
            }
    if (!d)
        return HSA_STATUS_ERROR_INVALID_CACHE;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    snprintf(name, sizeof name, "%s %s", d->agent->name, cache_names[level]);
    switch (attribute) {
    case HSA_CACHE_INFO_NAME_LENGTH:
        return put(value, strlen(name), 4);
    case HSA_CACHE_INFO_NAME:
        memcpy(value, name, strlen(name));
        return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_LEVEL:
        return put(value, level + 1, 1);
    case HSA_CACHE_INFO_SIZE:
        return put(value, (uint32_t)d->cache_bytes[level], 4);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
