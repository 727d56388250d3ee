/* Functions of the interface that gcnsim does not offer: each returns the interface's own error and is named in the log
 * once.
 *
 * A simulated GPU has no images and samplers (their descriptors are each generation's own; the agent says so through
 * its extensions and limits of 0), no HSAIL, no buffers of a graphics API, no streaming counters and no sampling of
 * program counters, and reads no files. Memory goes to other processes (ipc.c); signals do not, because a simulated
 * device that would wake who waits for one lives in its own process.
 */
#include <string.h>

#include "sim/hsa/core/runtime.h"

/* The parameters are the interface's; few are looked at, because what they describe cannot exist here.
 * NOLINTBEGIN(misc-unused-parameters, readability-inconsistent-declaration-parameter-name) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The answer of the function that it stands in. */
#define REFUSED(status)           (rt_ready() ? rt_refuse(__func__, (hsa_status_t)(status)) : HSA_STATUS_ERROR_NOT_INITIALIZED)
#define REFUSED_OF(agent, status) (rt_ready() && !agent_of(agent) ? HSA_STATUS_ERROR_INVALID_AGENT : REFUSED(status))

/* Images and samplers --------------------------------------------------------------------------------------------- */

hsa_status_t hsa_ext_image_get_capability(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                          const hsa_ext_image_format_t *format, uint32_t *mask)
{
    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!format || !mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_get_capability_with_layout(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                                      const hsa_ext_image_format_t *format,
                                                      hsa_ext_image_data_layout_t layout, uint32_t *mask)
{
    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!format || !mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor,
                                         hsa_access_permission_t access, hsa_ext_image_data_info_t *info)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

hsa_status_t hsa_ext_image_data_get_info_with_layout(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor,
                                                     hsa_access_permission_t access, hsa_ext_image_data_layout_t layout,
                                                     size_t row_pitch, size_t slice_pitch,
                                                     hsa_ext_image_data_info_t *info)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

hsa_status_t hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const void *data,
                                  hsa_access_permission_t access, hsa_ext_image_t *image)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

hsa_status_t hsa_ext_image_create_with_layout(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor,
                                              const void *data, hsa_access_permission_t access,
                                              hsa_ext_image_data_layout_t layout, size_t row_pitch, size_t slice_pitch,
                                              hsa_ext_image_t *image)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

hsa_status_t hsa_amd_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor,
                                  const hsa_amd_image_descriptor_t *layout, const void *data,
                                  hsa_access_permission_t access, hsa_ext_image_t *image)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

/* There is no image that these could be called with. */
hsa_status_t hsa_ext_image_destroy(hsa_agent_t agent, hsa_ext_image_t image)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ext_image_copy(hsa_agent_t agent, hsa_ext_image_t from, const hsa_dim3_t *from_offset,
                                hsa_ext_image_t to, const hsa_dim3_t *to_offset, const hsa_dim3_t *range)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ext_image_import(hsa_agent_t agent, const void *from, size_t row_pitch, size_t slice_pitch,
                                  hsa_ext_image_t to, const hsa_ext_image_region_t *region)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t from, void *to, size_t row_pitch,
                                  size_t slice_pitch, const hsa_ext_image_region_t *region)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ext_image_clear(hsa_agent_t agent, hsa_ext_image_t image, const void *data,
                                 const hsa_ext_image_region_t *region)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ext_sampler_create(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *descriptor,
                                    hsa_ext_sampler_t *sampler)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
}

hsa_status_t hsa_ext_sampler_create_v2(hsa_agent_t agent, const void *descriptor, hsa_ext_sampler_t *sampler)
{
    return REFUSED_OF(agent, HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
}

hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t agent, hsa_ext_sampler_t sampler)
{
    return REFUSED_OF(agent, HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* All limits are 0, in the 32 bits of each dimension that callers provide for. */
hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
    static const uint8_t dimensions[] = {1, 1, 1, 2, 2, 2, 2, 3, 1}; /* from 1D to the layers of arrays */
    uint32_t which = (uint32_t)attribute - HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS;

    RT_READY_OR_RETURN();
    if (!agent_of(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value || which >= sizeof dimensions)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    memset(value, 0, dimensions[which] * sizeof(uint32_t));
    return HSA_STATUS_SUCCESS;
}

/* HSAIL programs -------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_ext_program_create(hsa_machine_model_t model, hsa_profile_t profile,
                                    hsa_default_float_rounding_mode_t rounding, const char *options,
                                    hsa_ext_program_t *program)
{
    return REFUSED(HSA_STATUS_ERROR);
}

hsa_status_t hsa_ext_program_destroy(hsa_ext_program_t program)
{
    return REFUSED(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);
}

hsa_status_t hsa_ext_program_add_module(hsa_ext_program_t program, hsa_ext_module_t module)
{
    return REFUSED(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);
}

hsa_status_t hsa_ext_program_iterate_modules(hsa_ext_program_t program,
                                             hsa_status_t (*callback)(hsa_ext_program_t program,
                                                                      hsa_ext_module_t module, void *data),
                                             void *data)
{
    return REFUSED(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);
}

hsa_status_t hsa_ext_program_get_info(hsa_ext_program_t program, hsa_ext_program_info_t attribute, void *value)
{
    return REFUSED(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);
}

hsa_status_t hsa_ext_program_finalize(hsa_ext_program_t program, hsa_isa_t isa, int32_t convention,
                                      hsa_ext_control_directives_t directives, const char *options,
                                      hsa_code_object_type_t type, hsa_code_object_t *object)
{
    return REFUSED(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);
}

/* What crosses the border of the process -------------------------------------------------------------------------- */

hsa_status_t hsa_amd_ais_file_read(hsa_amd_ais_file_handle_t handle, void *device_ptr, uint64_t size, int64_t offset,
                                   uint64_t *copied, int32_t *status)
{
    return REFUSED(ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_amd_ais_file_write(hsa_amd_ais_file_handle_t handle, void *device_ptr, uint64_t size, int64_t offset,
                                    uint64_t *copied, int32_t *status)
{
    return REFUSED(ABI_STATUS_NOT_SUPPORTED);
}

/* Counters and samples -------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_spm_acquire(hsa_agent_t agent)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_amd_spm_release(hsa_agent_t agent)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_amd_spm_set_dest_buffer(hsa_agent_t agent, size_t size_in_bytes, uint32_t *timeout,
                                         uint32_t *size_copied, void *dest, bool *is_data_loss)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_ven_amd_pcs_iterate_configuration(hsa_agent_t agent, void *callback, void *data)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_ven_amd_pcs_create(hsa_agent_t agent, int method, int units, size_t interval, size_t latency,
                                    size_t buffer_size, void *callback, void *data, hsa_ven_amd_pcs_t *pcs)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_ven_amd_pcs_create_from_id(uint32_t id, hsa_agent_t agent, int method, int units, size_t interval,
                                            size_t latency, size_t buffer_size, void *callback, void *data,
                                            hsa_ven_amd_pcs_t *pcs)
{
    return REFUSED_OF(agent, ABI_STATUS_NOT_SUPPORTED);
}

hsa_status_t hsa_ven_amd_pcs_destroy(hsa_ven_amd_pcs_t pcs)
{
    return REFUSED(HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ven_amd_pcs_start(hsa_ven_amd_pcs_t pcs)
{
    return REFUSED(HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ven_amd_pcs_stop(hsa_ven_amd_pcs_t pcs)
{
    return REFUSED(HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

hsa_status_t hsa_ven_amd_pcs_flush(hsa_ven_amd_pcs_t pcs)
{
    return REFUSED(HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* NOLINTEND(misc-unused-parameters, readability-inconsistent-declaration-parameter-name) */
