/* The loader's extension: what is loaded where, for debuggers and language runtimes. Device addresses are host
 * addresses, so the addresses it translates stay the same. */
#include "sim/hsa/code/loader_ext.h"

#include <stdlib.h>
#include <string.h>

#include "sim/hsa/code/executable.h"
#include "sim/hsa/code/reader.h"

/* Every handle of a loaded code object is its executable's with PART_LOADED and an index. */
static hsa_loaded_code_object_t loaded_handle(const struct executable *x, uint32_t index)
{
    return (hsa_loaded_code_object_t){x->object.handle | PART_LOADED | index};
}

/* The code object at an index, which stays while the executable is held; null: there are no more. */
static struct loaded *loaded_at(struct executable *x, uint32_t index)
{
    struct loaded *l;

    pthread_mutex_lock(&x->lock);
    l = index < x->loaded_count ? x->loaded[index] : NULL;
    pthread_mutex_unlock(&x->lock);
    return l;
}

/* All executables, each held; the caller releases them and the array. Null: out of host memory. */
static struct executable **executables(size_t *count)
{
    return (struct executable **)handle_all(OBJECT_EXECUTABLE, count);
}

static void release_all(struct executable **all, size_t count)
{
    for (size_t k = 0; k < count; k++)
        executable_release(all[k]);
    free(all);
}

/* The executable of a device address; false: none has loaded anything there. */
static bool find_executable(const void *address, hsa_executable_t *out)
{
    uint64_t at = (uint64_t)(uintptr_t)address;
    bool found = false;
    struct loaded *l;
    size_t count;
    struct executable **all = executables(&count);

    for (size_t k = 0; all && k < count && !found; k++)
        for (uint32_t i = 0; !found && (l = loaded_at(all[k], i)); i++)
            if (l->base <= at && at - l->base < l->bytes) {
                *out = executable_handle(all[k]);
                found = true;
            }
    if (all)
        release_all(all, count);
    return found;
}

static hsa_status_t query_host_address(const void *device_address, const void **host_address)
{
    hsa_executable_t executable;

    RT_READY_OR_RETURN();
    if (!host_address || !find_executable(device_address, &executable))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *host_address = device_address;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t query_executable(const void *device_address, hsa_executable_t *executable)
{
    RT_READY_OR_RETURN();
    return executable && find_executable(device_address, executable) ? HSA_STATUS_SUCCESS
                                                                     : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* A code object is loaded as one segment, from the beginning of its file on. */
static void describe(const struct executable *x, const struct loaded *l, hsa_ven_amd_loader_segment_descriptor_t *out)
{
    *out = (hsa_ven_amd_loader_segment_descriptor_t){
        .agent = agent_handle(l->agent),
        .executable = executable_handle(x),
        .code_object_storage_type = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY,
        .code_object_storage_base = (const void *)(uintptr_t)l->elf,
        .code_object_storage_size = l->elf_bytes,
        .segment_base = (const void *)(uintptr_t)l->base,
        .segment_size = l->bytes,
    };
}

static hsa_status_t query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t *descriptors, size_t *number)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable **all;
    size_t count, found = 0;
    struct loaded *l;

    RT_READY_OR_RETURN();
    if (!number || !descriptors != !*number)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    all = executables(&count);
    if (!all)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (size_t k = 0; k < count; k++)
        for (uint32_t i = 0; (l = loaded_at(all[k], i)); i++, found++)
            if (descriptors && found < *number)
                describe(all[k], l, &descriptors[found]);
    if (!descriptors)
        *number = found;
    else if (found != *number)
        status = HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    release_all(all, count);
    return status;
}

static hsa_status_t iterate_loaded_code_objects(hsa_executable_t executable,
                                                hsa_status_t (*callback)(hsa_executable_t executable,
                                                                         hsa_loaded_code_object_t loaded_code_object,
                                                                         void *data),
                                                void *data)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;

    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!callback)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; status == HSA_STATUS_SUCCESS && loaded_at(x, k); k++)
        status = callback(executable, loaded_handle(x, k), data);
    executable_release(x);
    return status;
}

static hsa_status_t iterate_executables(hsa_status_t (*callback)(hsa_executable_t executable, void *data), void *data)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable **all;
    size_t count;

    RT_READY_OR_RETURN();
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    all = executables(&count);
    if (!all)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (size_t k = 0; status == HSA_STATUS_SUCCESS && k < count; k++)
        status = callback(executable_handle(all[k]), data);
    release_all(all, count);
    return status;
}

static bool loaded_info(const struct executable *x, const struct loaded *l, int attribute, void *value)
{
    switch (attribute) {
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
        *(hsa_executable_t *)value = executable_handle(x);
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
        *(uint32_t *)value = HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
        *(hsa_agent_t *)value = agent_handle(l->agent);
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
        *(uint32_t *)value = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
        *(uint64_t *)value = l->elf;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
        *(uint64_t *)value = l->elf_bytes;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
        *(int *)value = -1; /* files are read into memory */
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
        *(int64_t *)value = (int64_t)l->delta;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
        *(uint64_t *)value = l->base;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
        *(uint64_t *)value = l->bytes;
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
        *(uint32_t *)value = (uint32_t)strlen(l->uri);
        return true;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI: /* room for the length alone: no NUL */
        memcpy(value, l->uri, strlen(l->uri));
        return true;
    }
    return false;
}

static hsa_status_t loaded_code_object_get_info(hsa_loaded_code_object_t loaded_code_object,
                                                hsa_ven_amd_loader_loaded_code_object_info_t attribute, void *value)
{
    uint32_t part = handle_part(loaded_code_object.handle);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;
    struct loaded *l;

    RT_READY_OR_RETURN();
    x = part & PART_LOADED ? executable_of_part(loaded_code_object.handle) : NULL;
    if (!x)
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    l = loaded_at(x, part & ~PART_LOADED);
    if (!l)
        status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    else if (!value || !loaded_info(x, l, (int)attribute, value))
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    executable_release(x);
    return status;
}

void loader_extension_table(void *table, size_t length)
{
    const hsa_ven_amd_loader_1_03_pfn_t all = {
        .hsa_ven_amd_loader_query_host_address = query_host_address,
        .hsa_ven_amd_loader_query_segment_descriptors = query_segment_descriptors,
        .hsa_ven_amd_loader_query_executable = query_executable,
        .hsa_ven_amd_loader_executable_iterate_loaded_code_objects = iterate_loaded_code_objects,
        .hsa_ven_amd_loader_loaded_code_object_get_info = loaded_code_object_get_info,
        .hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size = loader_reader_from_file,
        .hsa_ven_amd_loader_iterate_executables = iterate_executables,
    };

    memcpy(table, &all, length < sizeof all ? length : sizeof all);
}
