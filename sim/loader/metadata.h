/* The NT_AMDGPU_METADATA note: the compiler's statements on its kernels, their arguments and their resources.
 *
 * A note is one MessagePack document (code object v3 to v6). The reader ignores unknown keys, so that the output of
 * newer compilers loads, and checks type and range of the keys it knows. A hidden argument of unknown kind becomes
 * CO_ARG_HIDDEN_UNKNOWN, which a launch refuses by name; an explicit argument of unknown kind is an error.
 *
 * Source: AMDGPUUsage, "Code Object V3/V4/V5 Metadata"; key names as in LLVM 19.
 *
 * Ownership: everything reachable from a struct co_metadata belongs to it. Strings are never null unless said.
 * Sizes, offsets and alignments are bytes.
 */
#ifndef GCNSIM_LOADER_METADATA_H
#define GCNSIM_LOADER_METADATA_H

#include "sim/util/budget.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(ENUM, "text in the metadata"); hidden ones begin at HIDDEN_GLOBAL_OFFSET_X. */
#define CO_ARG_KINDS(X)                                                                                                \
    X(BY_VALUE, "by_value")                                                                                            \
    X(GLOBAL_BUFFER, "global_buffer")                                                                                  \
    X(DYNAMIC_SHARED_POINTER, "dynamic_shared_pointer")                                                                \
    X(SAMPLER, "sampler")                                                                                              \
    X(IMAGE, "image")                                                                                                  \
    X(PIPE, "pipe")                                                                                                    \
    X(QUEUE, "queue")                                                                                                  \
    X(HIDDEN_GLOBAL_OFFSET_X, "hidden_global_offset_x")                                                                \
    X(HIDDEN_GLOBAL_OFFSET_Y, "hidden_global_offset_y")                                                                \
    X(HIDDEN_GLOBAL_OFFSET_Z, "hidden_global_offset_z")                                                                \
    X(HIDDEN_NONE, "hidden_none")                                                                                      \
    X(HIDDEN_PRINTF_BUFFER, "hidden_printf_buffer")                                                                    \
    X(HIDDEN_HOSTCALL_BUFFER, "hidden_hostcall_buffer")                                                                \
    X(HIDDEN_DEFAULT_QUEUE, "hidden_default_queue")                                                                    \
    X(HIDDEN_COMPLETION_ACTION, "hidden_completion_action")                                                            \
    X(HIDDEN_MULTIGRID_SYNC_ARG, "hidden_multigrid_sync_arg")                                                          \
    X(HIDDEN_BLOCK_COUNT_X, "hidden_block_count_x")                                                                    \
    X(HIDDEN_BLOCK_COUNT_Y, "hidden_block_count_y")                                                                    \
    X(HIDDEN_BLOCK_COUNT_Z, "hidden_block_count_z")                                                                    \
    X(HIDDEN_GROUP_SIZE_X, "hidden_group_size_x")                                                                      \
    X(HIDDEN_GROUP_SIZE_Y, "hidden_group_size_y")                                                                      \
    X(HIDDEN_GROUP_SIZE_Z, "hidden_group_size_z")                                                                      \
    X(HIDDEN_REMAINDER_X, "hidden_remainder_x")                                                                        \
    X(HIDDEN_REMAINDER_Y, "hidden_remainder_y")                                                                        \
    X(HIDDEN_REMAINDER_Z, "hidden_remainder_z")                                                                        \
    X(HIDDEN_GRID_DIMS, "hidden_grid_dims")                                                                            \
    X(HIDDEN_HEAP_V1, "hidden_heap_v1")                                                                                \
    X(HIDDEN_DYNAMIC_LDS_SIZE, "hidden_dynamic_lds_size")                                                              \
    X(HIDDEN_PRIVATE_BASE, "hidden_private_base")                                                                      \
    X(HIDDEN_SHARED_BASE, "hidden_shared_base")                                                                        \
    X(HIDDEN_QUEUE_PTR, "hidden_queue_ptr")                                                                            \
    X(HIDDEN_UNKNOWN, "hidden_*")

enum co_arg_kind {
#define X(E, TEXT) CO_ARG_##E,
    CO_ARG_KINDS(X)
#undef X
        CO_ARG_KIND_COUNT
};

enum co_address_space {
    CO_AS_NONE,
    CO_AS_PRIVATE,
    CO_AS_GLOBAL,
    CO_AS_CONSTANT,
    CO_AS_LOCAL,
    CO_AS_GENERIC,
    CO_AS_REGION
};
enum co_access { CO_ACCESS_NONE, CO_ACCESS_READ_ONLY, CO_ACCESS_WRITE_ONLY, CO_ACCESS_READ_WRITE };
enum co_kernel_kind { CO_KERNEL_NORMAL, CO_KERNEL_INIT, CO_KERNEL_FINI };

struct co_arg {
    const char *name, *type_name; /* "" when not given */
    const char *kind_text;        /* the metadata's own word */
    enum co_arg_kind kind;
    uint32_t offset, size;
    enum co_address_space address_space;  /* NONE when not given */
    enum co_access access, actual_access; /* NONE when not given */
    bool is_const, is_restrict, is_volatile, is_pipe;
    uint32_t pointee_align; /* of dynamic_shared_pointer; 0 when not given */
};

struct co_kernel_metadata {
    const char *name;                                             /* in the source language */
    const char *symbol;                                           /* of the descriptor: "NAME.kd" */
    const char *language, *vec_type_hint, *device_enqueue_symbol; /* "" when not given */
    uint32_t language_version[2];
    enum co_kernel_kind kind;
    const struct co_arg *args; /* in kernarg order, explicit ones before hidden ones */
    unsigned arg_count;
    unsigned explicit_arg_count; /* those whose kind is not hidden */
    uint32_t kernarg_segment_size, kernarg_segment_align;
    uint32_t group_segment_fixed_size, private_segment_fixed_size;
    uint32_t wavefront_size; /* 32 or 64 */
    uint32_t sgpr_count, vgpr_count, agpr_count, sgpr_spill_count, vgpr_spill_count;
    uint32_t max_flat_workgroup_size;
    bool has_reqd_workgroup_size, has_workgroup_size_hint;
    uint32_t reqd_workgroup_size[3], workgroup_size_hint[3];
    uint32_t max_num_workgroups[3]; /* 0 = no bound stated */
    uint32_t cluster_dims[3];       /* workgroups in a cluster (gfx1250); 0 = none stated */
    bool uniform_work_group_size, uses_dynamic_stack, workgroup_processor_mode;
    bool has_uniform_work_group_size, has_workgroup_processor_mode;
    const char *refused; /* what of it is wrong; then only name and symbol are sure. Null: nothing */
};

struct co_metadata {
    uint32_t version_major, version_minor;
    const char *target; /* amdhsa.target, "" before v4 */
    const char *const *printf_formats;
    unsigned printf_count;
    const struct co_kernel_metadata *kernels;
    unsigned kernel_count;
};

/* Reads the note's MessagePack document. Error texts name the key path ("amdhsa.kernels[0].args[2].size") or, for
 * bytes that are not MessagePack, the offset within the note. A flaw of one kernel whose name and symbol can
 * be read is that kernel's `refused`, and no error. */
int co_metadata_read(struct co_metadata **out, const uint8_t *bytes, size_t size, struct budget *budget, struct err *e);
void co_metadata_free(struct co_metadata *m);

static inline bool co_arg_is_hidden(enum co_arg_kind kind)
{
    return kind >= CO_ARG_HIDDEN_GLOBAL_OFFSET_X;
}

const char *co_arg_kind_text(enum co_arg_kind kind);
const char *co_address_space_text(enum co_address_space as); /* "" for NONE */
const char *co_access_text(enum co_access access);           /* "" for NONE */

#endif
