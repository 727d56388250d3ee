/* The HSA runtime's interface: Debian's headers, and what later releases of the interface have added to them.
 *
 * Programs that were built with any release from 5.2 to 7.2 call this library. The oldest headers that it is built with
 * are those of 5.2.3 (Debian 12); what follows are the additions up to 7.2.4, by value and layout as their headers have
 * them (HSA AMD extension interface 1.15), the same whichever headers are installed.
 */
#ifndef GCNSIM_HSA_ABI_H
#define GCNSIM_HSA_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All functions of the interface are visible, and nothing else of the library is (hsa.map). */
#pragma GCC visibility push(default)

/* Newer headers have some or all of what is declared at the end; they declare it under other names. */
#define hsa_amd_ais_file_handle_s                     header_hsa_amd_ais_file_handle_s
#define hsa_amd_ais_file_handle_t                     header_hsa_amd_ais_file_handle_t
#define hsa_amd_memory_access_desc_s                  header_hsa_amd_memory_access_desc_s
#define hsa_amd_memory_access_desc_t                  header_hsa_amd_memory_access_desc_t
#define hsa_amd_vmem_alloc_handle_s                   header_hsa_amd_vmem_alloc_handle_s
#define hsa_amd_vmem_alloc_handle_t                   header_hsa_amd_vmem_alloc_handle_t
#define hsa_ven_amd_pcs_t                             header_hsa_ven_amd_pcs_t
#define hsa_amd_agent_set_async_scratch_limit         header_hsa_amd_agent_set_async_scratch_limit
#define hsa_amd_ais_file_read                         header_hsa_amd_ais_file_read
#define hsa_amd_ais_file_write                        header_hsa_amd_ais_file_write
#define hsa_amd_enable_logging                        header_hsa_amd_enable_logging
#define hsa_amd_memory_async_copy_on_engine           header_hsa_amd_memory_async_copy_on_engine
#define hsa_amd_memory_copy_engine_status             header_hsa_amd_memory_copy_engine_status
#define hsa_amd_memory_get_preferred_copy_engine      header_hsa_amd_memory_get_preferred_copy_engine
#define hsa_amd_portable_close_dmabuf                 header_hsa_amd_portable_close_dmabuf
#define hsa_amd_portable_export_dmabuf                header_hsa_amd_portable_export_dmabuf
#define hsa_amd_portable_export_dmabuf_v2             header_hsa_amd_portable_export_dmabuf_v2
#define hsa_amd_queue_get_info                        header_hsa_amd_queue_get_info
#define hsa_amd_signal_wait_all                       header_hsa_amd_signal_wait_all
#define hsa_amd_spm_acquire                           header_hsa_amd_spm_acquire
#define hsa_amd_spm_release                           header_hsa_amd_spm_release
#define hsa_amd_spm_set_dest_buffer                   header_hsa_amd_spm_set_dest_buffer
#define hsa_amd_vmem_address_free                     header_hsa_amd_vmem_address_free
#define hsa_amd_vmem_address_reserve                  header_hsa_amd_vmem_address_reserve
#define hsa_amd_vmem_address_reserve_align            header_hsa_amd_vmem_address_reserve_align
#define hsa_amd_vmem_export_shareable_handle          header_hsa_amd_vmem_export_shareable_handle
#define hsa_amd_vmem_get_access                       header_hsa_amd_vmem_get_access
#define hsa_amd_vmem_get_alloc_properties_from_handle header_hsa_amd_vmem_get_alloc_properties_from_handle
#define hsa_amd_vmem_handle_create                    header_hsa_amd_vmem_handle_create
#define hsa_amd_vmem_handle_release                   header_hsa_amd_vmem_handle_release
#define hsa_amd_vmem_import_shareable_handle          header_hsa_amd_vmem_import_shareable_handle
#define hsa_amd_vmem_map                              header_hsa_amd_vmem_map
#define hsa_amd_vmem_retain_alloc_handle              header_hsa_amd_vmem_retain_alloc_handle
#define hsa_amd_vmem_set_access                       header_hsa_amd_vmem_set_access
#define hsa_amd_vmem_unmap                            header_hsa_amd_vmem_unmap
#define hsa_ext_sampler_create_v2                     header_hsa_ext_sampler_create_v2
#define hsa_ven_amd_pcs_create                        header_hsa_ven_amd_pcs_create
#define hsa_ven_amd_pcs_create_from_id                header_hsa_ven_amd_pcs_create_from_id
#define hsa_ven_amd_pcs_destroy                       header_hsa_ven_amd_pcs_destroy
#define hsa_ven_amd_pcs_flush                         header_hsa_ven_amd_pcs_flush
#define hsa_ven_amd_pcs_iterate_configuration         header_hsa_ven_amd_pcs_iterate_configuration
#define hsa_ven_amd_pcs_start                         header_hsa_ven_amd_pcs_start
#define hsa_ven_amd_pcs_stop                          header_hsa_ven_amd_pcs_stop

#include <hsa/amd_hsa_kernel_code.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>

#undef hsa_amd_ais_file_handle_s
#undef hsa_amd_ais_file_handle_t
#undef hsa_amd_memory_access_desc_s
#undef hsa_amd_memory_access_desc_t
#undef hsa_amd_vmem_alloc_handle_s
#undef hsa_amd_vmem_alloc_handle_t
#undef hsa_ven_amd_pcs_t
#undef hsa_amd_agent_set_async_scratch_limit
#undef hsa_amd_ais_file_read
#undef hsa_amd_ais_file_write
#undef hsa_amd_enable_logging
#undef hsa_amd_memory_async_copy_on_engine
#undef hsa_amd_memory_copy_engine_status
#undef hsa_amd_memory_get_preferred_copy_engine
#undef hsa_amd_portable_close_dmabuf
#undef hsa_amd_portable_export_dmabuf
#undef hsa_amd_portable_export_dmabuf_v2
#undef hsa_amd_queue_get_info
#undef hsa_amd_signal_wait_all
#undef hsa_amd_spm_acquire
#undef hsa_amd_spm_release
#undef hsa_amd_spm_set_dest_buffer
#undef hsa_amd_vmem_address_free
#undef hsa_amd_vmem_address_reserve
#undef hsa_amd_vmem_address_reserve_align
#undef hsa_amd_vmem_export_shareable_handle
#undef hsa_amd_vmem_get_access
#undef hsa_amd_vmem_get_alloc_properties_from_handle
#undef hsa_amd_vmem_handle_create
#undef hsa_amd_vmem_handle_release
#undef hsa_amd_vmem_import_shareable_handle
#undef hsa_amd_vmem_map
#undef hsa_amd_vmem_retain_alloc_handle
#undef hsa_amd_vmem_set_access
#undef hsa_amd_vmem_unmap
#undef hsa_ext_sampler_create_v2
#undef hsa_ven_amd_pcs_create
#undef hsa_ven_amd_pcs_create_from_id
#undef hsa_ven_amd_pcs_destroy
#undef hsa_ven_amd_pcs_flush
#undef hsa_ven_amd_pcs_iterate_configuration
#undef hsa_ven_amd_pcs_start
#undef hsa_ven_amd_pcs_stop

/* The headers give these two a prototype that is none in C. */
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);

/* Attributes and flags by value: enumerators of newer headers cannot be tested for, so these have names of their own.
 */
enum {
    ABI_SYSTEM_MWAITX_ENABLED = 0x203,
    ABI_SYSTEM_DMABUF_SUPPORTED = 0x204,
    ABI_SYSTEM_VIRTUAL_MEM_API_SUPPORTED = 0x205,
    ABI_SYSTEM_XNACK_ENABLED = 0x206,
    ABI_SYSTEM_EXT_VERSION_MAJOR = 0x207,
    ABI_SYSTEM_EXT_VERSION_MINOR = 0x208,

    ABI_AGENT_MEMORY_AVAIL = 0xa015,
    ABI_AGENT_TIMESTAMP_FREQUENCY = 0xa016,
    ABI_AGENT_ASIC_FAMILY_ID = 0xa107,
    ABI_AGENT_UCODE_VERSION = 0xa108,
    ABI_AGENT_SDMA_UCODE_VERSION = 0xa109,
    ABI_AGENT_NUM_SDMA_ENG = 0xa10a,
    ABI_AGENT_NUM_SDMA_XGMI_ENG = 0xa10b,
    ABI_AGENT_IOMMU_SUPPORT = 0xa110,
    ABI_AGENT_NUM_XCC = 0xa111,
    ABI_AGENT_DRIVER_UID = 0xa112,
    ABI_AGENT_NEAREST_CPU = 0xa113,
    ABI_AGENT_MEMORY_PROPERTIES = 0xa114,
    ABI_AGENT_AQL_EXTENSIONS = 0xa115,
    ABI_AGENT_SCRATCH_LIMIT_MAX = 0xa116,
    ABI_AGENT_SCRATCH_LIMIT_CURRENT = 0xa117,
    ABI_AGENT_CLOCK_COUNTERS = 0xa118,

    ABI_POOL_INFO_LOCATION = 17,
    ABI_POOL_INFO_ALLOC_REC_GRANULE = 18,
    ABI_POOL_FLAG_EXTENDED_SCOPE = 8,

    ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE = 19,

    ABI_POINTER_RESERVED_ADDR = 5,
    ABI_POINTER_VMEM = 6,

    ABI_STATUS_OUT_OF_REGISTERS = 45,
    ABI_STATUS_RESOURCE_BUSY = 46,
    ABI_STATUS_NOT_SUPPORTED = 47,
};

/* Enumerations are int here: newer headers name their types, and a caller passes the same. */
typedef struct hsa_amd_vmem_alloc_handle_s {
    uint64_t handle;
} hsa_amd_vmem_alloc_handle_t;
typedef struct hsa_amd_memory_access_desc_s {
    int permissions; /* 0 none, 1 read-only, 2 write-only, 3 both */
    hsa_agent_t agent_handle;
} hsa_amd_memory_access_desc_t;
typedef struct hsa_amd_ais_file_handle_s {
    union {
        void *handle;
        int fd;
        uint8_t pad[8];
    };
} hsa_amd_ais_file_handle_t;
typedef struct {
    uint64_t handle;
} hsa_ven_amd_pcs_t;

hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t threshold);
hsa_status_t hsa_amd_ais_file_read(hsa_amd_ais_file_handle_t handle, void *device_ptr, uint64_t size,
                                   int64_t file_offset, uint64_t *size_copied, int32_t *status);
hsa_status_t hsa_amd_ais_file_write(hsa_amd_ais_file_handle_t handle, void *device_ptr, uint64_t size,
                                    int64_t file_offset, uint64_t *size_copied, int32_t *status);
hsa_status_t hsa_amd_enable_logging(uint8_t *flags, void *file);
hsa_status_t hsa_amd_memory_async_copy_on_engine(void *dst, hsa_agent_t dst_agent, const void *src,
                                                 hsa_agent_t src_agent, size_t size, uint32_t num_dep_signals,
                                                 const hsa_signal_t *dep_signals, hsa_signal_t completion_signal,
                                                 int engine_id, bool force_copy_on_sdma);
hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent, uint32_t *engine_ids_mask);
hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                      uint32_t *recommended_ids_mask);
hsa_status_t hsa_amd_portable_close_dmabuf(int dmabuf);
hsa_status_t hsa_amd_portable_export_dmabuf(const void *ptr, size_t size, int *dmabuf, uint64_t *offset);
hsa_status_t hsa_amd_portable_export_dmabuf_v2(const void *ptr, size_t size, int *dmabuf, uint64_t *offset,
                                               uint64_t flags);
hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *queue, int attribute, void *value);
uint32_t hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                 hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                 hsa_signal_value_t *satisfying_values);
hsa_status_t hsa_amd_spm_acquire(hsa_agent_t agent);
hsa_status_t hsa_amd_spm_release(hsa_agent_t agent);
hsa_status_t hsa_amd_spm_set_dest_buffer(hsa_agent_t agent, size_t size_in_bytes, uint32_t *timeout,
                                         uint32_t *size_copied, void *dest, bool *is_data_loss);
hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size);
hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags);
hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                uint64_t flags);
hsa_status_t hsa_amd_vmem_export_shareable_handle(int *dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags);
hsa_status_t hsa_amd_vmem_get_access(void *va, int *perms, hsa_agent_t agent);
hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t handle,
                                                           hsa_amd_memory_pool_t *pool, int *type);
hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, int type, uint64_t flags,
                                        hsa_amd_vmem_alloc_handle_t *handle);
hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle);
hsa_status_t hsa_amd_vmem_import_shareable_handle(int dmabuf_fd, hsa_amd_vmem_alloc_handle_t *handle);
hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset, hsa_amd_vmem_alloc_handle_t handle,
                              uint64_t flags);
hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *handle, void *addr);
hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *desc, size_t count);
hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size);
hsa_status_t hsa_ext_sampler_create_v2(hsa_agent_t agent, const void *descriptor, hsa_ext_sampler_t *sampler);
hsa_status_t hsa_ven_amd_pcs_create(hsa_agent_t agent, int method, int units, size_t interval, size_t latency,
                                    size_t buffer_size, void *callback, void *data, hsa_ven_amd_pcs_t *pcs);
hsa_status_t hsa_ven_amd_pcs_create_from_id(uint32_t id, hsa_agent_t agent, int method, int units, size_t interval,
                                            size_t latency, size_t buffer_size, void *callback, void *data,
                                            hsa_ven_amd_pcs_t *pcs);
hsa_status_t hsa_ven_amd_pcs_destroy(hsa_ven_amd_pcs_t pcs);
hsa_status_t hsa_ven_amd_pcs_flush(hsa_ven_amd_pcs_t pcs);
hsa_status_t hsa_ven_amd_pcs_iterate_configuration(hsa_agent_t agent, void *callback, void *data);
hsa_status_t hsa_ven_amd_pcs_start(hsa_ven_amd_pcs_t pcs);
hsa_status_t hsa_ven_amd_pcs_stop(hsa_ven_amd_pcs_t pcs);

#pragma GCC visibility pop

#endif
