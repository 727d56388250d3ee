/* What the runtime says of the system, and the extensions that it has. */
#include <stdio.h>
#include <string.h>

#include "sim/hsa/code/loader_ext.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/runtime.h"

static hsa_status_t answer(void *out, const void *value, size_t bytes)
{
    memcpy(out, value, bytes);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
    uint8_t extensions[128] = {0}, flag = 0;
    uint32_t word = 0;
    uint16_t half = 1;
    uint64_t number;
    const char *text;

    RT_READY_OR_RETURN();
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch ((int)attribute) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
    case HSA_SYSTEM_INFO_VERSION_MINOR:
        return answer(value, &half, sizeof half);
    case HSA_SYSTEM_INFO_TIMESTAMP:
        number = clock_host();
        return answer(value, &number, sizeof number);
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
        number = CLOCK_TICKS_PER_SECOND;
        return answer(value, &number, sizeof number);
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
        number = UINT64_MAX;
        return answer(value, &number, sizeof number);
    case HSA_SYSTEM_INFO_ENDIANNESS:
        word = HSA_ENDIANNESS_LITTLE;
        return answer(value, &word, sizeof word);
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
        word = HSA_MACHINE_MODEL_LARGE;
        return answer(value, &word, sizeof word);
    case HSA_SYSTEM_INFO_EXTENSIONS: /* a bit for each; AMD's loader is beyond the 1024 of the mask's standard part */
        extensions[HSA_EXTENSION_AMD_LOADER / 8] |= 1 << HSA_EXTENSION_AMD_LOADER % 8;
        return answer(value, extensions, sizeof extensions);
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
        text = "gcnsim " GCNSIM_VERSION;
        return answer(value, &text, sizeof text);
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
    case ABI_SYSTEM_VIRTUAL_MEM_API_SUPPORTED:
        flag = 1;
        return answer(value, &flag, sizeof flag);
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: /* as without XNACK: what is not registered is a fault */
    case ABI_SYSTEM_MWAITX_ENABLED:
    case ABI_SYSTEM_DMABUF_SUPPORTED:
    case ABI_SYSTEM_XNACK_ENABLED:
        return answer(value, &flag, sizeof flag);
    case ABI_SYSTEM_EXT_VERSION_MAJOR:
        return answer(value, &half, sizeof half);
    case ABI_SYSTEM_EXT_VERSION_MINOR:
        half = 15;
        return answer(value, &half, sizeof half);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Extensions ------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_extension_get_name(uint16_t extension, const char **name)
{
    RT_READY_OR_RETURN();
    if (!name)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (extension) {
    case HSA_EXTENSION_FINALIZER:
        *name = "HSA_EXTENSION_FINALIZER";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_IMAGES:
        *name = "HSA_EXTENSION_IMAGES";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_PERFORMANCE_COUNTERS:
        *name = "HSA_EXTENSION_PERFORMANCE_COUNTERS";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_PROFILING_EVENTS:
        *name = "HSA_EXTENSION_PROFILING_EVENTS";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_AMD_PROFILER:
        *name = "HSA_EXTENSION_AMD_PROFILER";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_AMD_LOADER:
        *name = "HSA_EXTENSION_AMD_LOADER";
        return HSA_STATUS_SUCCESS;
    case HSA_EXTENSION_AMD_AQLPROFILE:
        *name = "HSA_EXTENSION_AMD_AQLPROFILE";
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Only the loader's extension is there, version 1.x. */
static bool is_there(uint16_t extension, uint16_t major)
{
    return extension == HSA_EXTENSION_AMD_LOADER && major == 1;
}

hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t version_major, uint16_t *version_minor,
                                                  bool *result)
{
    RT_READY_OR_RETURN();
    if (!version_minor || !result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = is_there(extension, version_major);
    if (*result)
        *version_minor = 3;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                            bool *result)
{
    RT_READY_OR_RETURN();
    if (!result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = is_there(extension, version_major) && version_minor <= 3;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                 uint16_t *version_minor, bool *result)
{
    (void)extension, (void)version_major, (void)version_minor;
    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!version_minor || !result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = false;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                           uint16_t version_minor, bool *result)
{
    return hsa_agent_major_extension_supported(extension, agent, version_major, &version_minor, result);
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t version_major, size_t table_length,
                                                  void *table)
{
    RT_READY_OR_RETURN();
    if (!table || !is_there(extension, version_major))
        return table ? HSA_STATUS_ERROR : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    loader_extension_table(table, table_length);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                            void *table)
{
    (void)version_minor;
    return hsa_system_get_major_extension_table(extension, version_major, sizeof(hsa_ven_amd_loader_1_01_pfn_t), table);
}
