/* gcnsim.h of 0.1 with all of its parts, which programs were built with. Written by record.sh. */
#ifndef GCNSIM_H
#define GCNSIM_H
#include <stddef.h>
#include <stdint.h>
#if defined(__GNUC__)
#define GCNSIM_API __attribute__((visibility("default")))
#else
#define GCNSIM_API
#endif
#define GCNSIM_HAS(pointer, member)                                                                                    \
    ((size_t)((const char *)(&(pointer)->member + 1) - (const char *)(pointer)) <= (pointer)->struct_bytes)
#ifdef __cplusplus
extern "C" {
#endif
enum gcnsim_status {
    GCNSIM_OK = 0,
    GCNSIM_ERROR_IO,
    GCNSIM_ERROR_FORMAT,
    GCNSIM_ERROR_USAGE,
    GCNSIM_ERROR_UNSUPPORTED,
    GCNSIM_ERROR_NOMEM,
    GCNSIM_ERROR_FAULT,
    GCNSIM_ERROR_LIMIT,
    GCNSIM_ERROR_INTERRUPTED,
    GCNSIM_ERROR_RUN_LIMIT,
};
struct gcnsim_error {
    int code;
    char text[640];
};
#define GCNSIM_VERSION_MAJOR  0
#define GCNSIM_VERSION_MINOR  1
#define GCNSIM_VERSION_PATCH  0
#define GCNSIM_VERSION_NUMBER (GCNSIM_VERSION_MAJOR * 1000000 + GCNSIM_VERSION_MINOR * 1000 + GCNSIM_VERSION_PATCH)
GCNSIM_API uint32_t gcnsim_version_number(void);
GCNSIM_API const char *gcnsim_version(void);
GCNSIM_API void gcnsim_free(void *p);
struct gcnsim;
GCNSIM_API int gcnsim_open(struct gcnsim **out, const char *profile, struct gcnsim_error *error);
GCNSIM_API void gcnsim_close(struct gcnsim *sim);
GCNSIM_API int gcnsim_set(struct gcnsim *sim, const char *path, const char *value, struct gcnsim_error *error);
GCNSIM_API int gcnsim_set_all(struct gcnsim *sim, const char *const *assignments, size_t count,
                              struct gcnsim_error *error);
#define GCNSIM_DEFAULT_MAX_MEMORY (UINT64_C(16) << 30)
GCNSIM_API void gcnsim_set_max_memory(struct gcnsim *sim, uint64_t bytes);
struct gcnsim_memory {
    uint64_t limit_bytes;
    uint64_t held_bytes;
    uint64_t peak_bytes;
};
GCNSIM_API void gcnsim_get_memory_sized(const struct gcnsim *sim, struct gcnsim_memory *memory, size_t memory_bytes);
static inline void gcnsim_get_memory(const struct gcnsim *sim, struct gcnsim_memory *memory)
{
    gcnsim_get_memory_sized(sim, memory, sizeof *memory);
}
GCNSIM_API void gcnsim_device_reset(struct gcnsim *sim);
GCNSIM_API uint64_t gcnsim_device_clock(const struct gcnsim *sim);
GCNSIM_API void gcnsim_device_written(struct gcnsim *sim, uint64_t address, uint64_t bytes);
GCNSIM_API void gcnsim_device_copy_gws(struct gcnsim *to, struct gcnsim *from);
GCNSIM_API const char *gcnsim_profile_name(const struct gcnsim *sim);
GCNSIM_API int gcnsim_profile_number(const struct gcnsim *sim, const char *path, double *value);
GCNSIM_API int gcnsim_alloc(struct gcnsim *sim, uint64_t bytes, const char *label, uint64_t *address,
                            struct gcnsim_error *error);
GCNSIM_API int gcnsim_dealloc(struct gcnsim *sim, uint64_t address, struct gcnsim_error *error);
GCNSIM_API int gcnsim_write(struct gcnsim *sim, uint64_t address, const void *from, size_t bytes,
                            struct gcnsim_error *error);
GCNSIM_API int gcnsim_read(struct gcnsim *sim, uint64_t address, void *to, size_t bytes, struct gcnsim_error *error);
struct gcnsim_module;
GCNSIM_API int gcnsim_load_file(struct gcnsim *sim, struct gcnsim_module **out, const char *path,
                                const char *want_target, struct gcnsim_error *error);
GCNSIM_API int gcnsim_load_memory(struct gcnsim *sim, struct gcnsim_module **out, const void *bytes, size_t size,
                                  const char *name, const char *want_target, struct gcnsim_error *error);
struct gcnsim_code_source;
GCNSIM_API int gcnsim_load(struct gcnsim *sim, struct gcnsim_module **out, const struct gcnsim_code_source *source,
                           struct gcnsim_error *error);
GCNSIM_API void gcnsim_unload(struct gcnsim_module *module);
GCNSIM_API const struct gcnsim_code *gcnsim_module_code(const struct gcnsim_module *module);
GCNSIM_API int gcnsim_module_symbol(const struct gcnsim_module *module, const char *name, uint64_t *address,
                                    uint64_t *size, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#ifndef GCNSIM_ARGS_H
#define GCNSIM_ARGS_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
struct gcnsim_args;
GCNSIM_API int gcnsim_args_parse(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                                 const char *directory, struct gcnsim_args **out, struct gcnsim_error *error);
GCNSIM_API int gcnsim_args_write_outputs(const struct gcnsim_args *args, struct gcnsim_error *error);
GCNSIM_API int gcnsim_args_write_output(const struct gcnsim_args *args, uint32_t index, struct gcnsim_error *error);
GCNSIM_API int gcnsim_args_buffer(const struct gcnsim_args *args, uint32_t index, uint64_t *address, uint64_t *size);
GCNSIM_API void gcnsim_args_free(struct gcnsim_args *args);
struct gcnsim_buffers;
GCNSIM_API int gcnsim_buffers_make(struct gcnsim *sim, const char *const *names, const char *const *specs, size_t count,
                                   const char *directory, struct gcnsim_buffers **out, struct gcnsim_error *error);
GCNSIM_API int gcnsim_args_parse_shared(struct gcnsim_module *module, uint32_t kernel, const char *const *specs,
                                        size_t count, const char *directory, struct gcnsim_buffers *buffers,
                                        struct gcnsim_args **out, struct gcnsim_error *error);
GCNSIM_API const char *gcnsim_args_note(const struct gcnsim_args *args);
GCNSIM_API int gcnsim_buffers_find(const struct gcnsim_buffers *buffers, const char *name, uint64_t *address,
                                   uint64_t *size);
GCNSIM_API int gcnsim_buffers_write_output(const struct gcnsim_buffers *buffers, uint32_t index,
                                           struct gcnsim_error *error);
GCNSIM_API void gcnsim_buffers_free(struct gcnsim_buffers *buffers);
struct gcnsim_symbol_texts {
    const char *const *sets;
    size_t set_count;
    const char *const *reads;
    size_t read_count;
};
struct gcnsim_symbols;
GCNSIM_API int gcnsim_symbols_parse(struct gcnsim_module *module, const struct gcnsim_symbol_texts *texts,
                                    const char *directory, const struct gcnsim_buffers *buffers,
                                    struct gcnsim_symbols **out, struct gcnsim_error *error);
GCNSIM_API int gcnsim_symbols_set(const struct gcnsim_symbols *symbols, struct gcnsim_error *error);
GCNSIM_API int gcnsim_symbols_read(const struct gcnsim_symbols *symbols, uint32_t k, char **text,
                                   struct gcnsim_error *error);
struct gcnsim_file;
GCNSIM_API int gcnsim_symbols_file(const struct gcnsim_symbols *symbols, uint32_t k, struct gcnsim_file *file);
GCNSIM_API void gcnsim_symbols_free(struct gcnsim_symbols *symbols);
struct gcnsim_launch_file {
    size_t struct_bytes;
    const char *path;
    const char *directory;
    const char *file;
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args;
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    const char *arch;
    const char *engine;
    const char *const *sets;
    size_t set_count;
    uint64_t max_cycles, max_instructions;
    uint32_t threads;
    int check, perfect_memory;
};
GCNSIM_API int gcnsim_launch_file_open(struct gcnsim_launch_file **out, const char *path, struct gcnsim_error *error);
GCNSIM_API int gcnsim_launch_file_confine(const struct gcnsim_launch_file *f, const char *directory,
                                          struct gcnsim_error *error);
GCNSIM_API void gcnsim_launch_file_close(struct gcnsim_launch_file *f);
struct gcnsim_listed_launch {
    const char *name;
    const char *file;
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args;
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    int acquire, release;
};
struct gcnsim_launch_list {
    size_t struct_bytes;
    int is_list;
    const struct gcnsim_listed_launch *launches;
    size_t launch_count;
    const char *const *buffer_names, *const *buffer_specs;
    size_t buffer_count;
    uint32_t repeat;
    uint32_t warmup_rounds;
    int cold;
};
GCNSIM_API const struct gcnsim_launch_list *gcnsim_launch_file_list(const struct gcnsim_launch_file *f);
GCNSIM_API int gcnsim_launch_file_index(const struct gcnsim_launch_file *f, size_t launch, uint32_t *index);
GCNSIM_API void gcnsim_launch_file_symbols(const struct gcnsim_launch_file *f, size_t launch,
                                           struct gcnsim_symbol_texts *texts);
struct gcnsim_dispatch;
struct gcnsim_file {
    const char *path;
    const char *label;
    int written;
};
GCNSIM_API int gcnsim_check_files(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                                  const struct gcnsim_file *files, size_t count, struct gcnsim_error *error);
GCNSIM_API int gcnsim_write_file(const char *path, const void *bytes, size_t size, struct gcnsim_error *error);
GCNSIM_API int gcnsim_read_file(const char *path, void **bytes, size_t *size, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_CODE_H
#define GCNSIM_CODE_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
struct gcnsim_code;
GCNSIM_API int gcnsim_code_open_memory(struct gcnsim_code **out, const void *bytes, size_t size, const char *name,
                                       const char *want_target, struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_open_file(struct gcnsim_code **out, const char *path, const char *want_target,
                                     struct gcnsim_error *error);
GCNSIM_API void gcnsim_code_close(struct gcnsim_code *code);
struct gcnsim_code_source {
    size_t struct_bytes;
    const char *path;
    const void *bytes;
    size_t size;
    const char *name;
    const char *want_target;
    uint64_t max_memory;
    const char *kernel;
    int by_index;
    uint32_t index;
};
GCNSIM_API void gcnsim_code_source_init_sized(struct gcnsim_code_source *s, size_t struct_bytes);
static inline void gcnsim_code_source_init(struct gcnsim_code_source *s)
{
    gcnsim_code_source_init_sized(s, sizeof *s);
}
GCNSIM_API int gcnsim_code_open(struct gcnsim_code **out, const struct gcnsim_code_source *source,
                                struct gcnsim_error *error);
GCNSIM_API uint32_t gcnsim_code_index(const struct gcnsim_code *code, uint32_t *of);
struct gcnsim_code_list;
struct gcnsim_code_entry {
    uint32_t index;
    const char *id;
    uint64_t bytes;
};
GCNSIM_API int gcnsim_code_list_open(struct gcnsim_code_list **out, const struct gcnsim_code_source *source,
                                     struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_list_entry(const struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code_entry *entry);
GCNSIM_API int gcnsim_code_list_code(struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code **out,
                                     struct gcnsim_error *error);
GCNSIM_API void gcnsim_code_list_close(struct gcnsim_code_list *list);
struct gcnsim_code_info {
    const char *name;
    const char *target;
    const char *processor;
    uint32_t code_object_version;
    uint32_t kernel_count;
    uint32_t symbol_count;
};
GCNSIM_API void gcnsim_code_get_info_sized(const struct gcnsim_code *code, struct gcnsim_code_info *info,
                                           size_t info_bytes);
static inline void gcnsim_code_get_info(const struct gcnsim_code *code, struct gcnsim_code_info *info)
{
    gcnsim_code_get_info_sized(code, info, sizeof *info);
}
struct gcnsim_arg_info {
    const char *name;
    const char *type_name;
    const char *value_kind;
    const char *address_space;
    const char *access;
    uint32_t offset, size;
    int hidden;
};
struct gcnsim_kernel_info {
    const char *name;
    const char *symbol;
    uint64_t code_offset;
    uint64_t code_size;
    uint32_t kernarg_size, kernarg_align;
    uint32_t group_segment_fixed_size;
    uint32_t private_segment_fixed_size;
    int uses_dynamic_stack;
    uint32_t wavefront_size;
    uint32_t vgprs, agprs, sgprs;
    uint32_t vgpr_count, agpr_count, sgpr_count, vgpr_spill_count, sgpr_spill_count;
    uint32_t max_flat_workgroup_size;
    uint32_t reqd_workgroup_size[3];
    int uniform_work_group_size;
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3;
    uint32_t kernel_code_properties;
    int has_metadata;
    uint32_t arg_count;
    uint32_t explicit_arg_count;
};
GCNSIM_API int gcnsim_code_kernel_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info,
                                        size_t info_bytes);
static inline int gcnsim_code_kernel(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info)
{
    return gcnsim_code_kernel_sized(code, index, info, sizeof *info);
}
GCNSIM_API const char *gcnsim_code_kernel_refused(const struct gcnsim_code *code, uint32_t index);
GCNSIM_API int gcnsim_code_find_kernel(const struct gcnsim_code *code, const char *name, uint32_t *index,
                                       struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_kernel_arg_sized(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                            struct gcnsim_arg_info *info, size_t info_bytes);
static inline int gcnsim_code_kernel_arg(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                         struct gcnsim_arg_info *info)
{
    return gcnsim_code_kernel_arg_sized(code, kernel, index, info, sizeof *info);
}
enum gcnsim_symbol_type { GCNSIM_SYMBOL_KERNEL, GCNSIM_SYMBOL_FUNCTION, GCNSIM_SYMBOL_OBJECT };
struct gcnsim_symbol_info {
    const char *name;
    enum gcnsim_symbol_type type;
    uint64_t value, size;
};
GCNSIM_API int gcnsim_code_symbol_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info,
                                        size_t info_bytes);
static inline int gcnsim_code_symbol(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info)
{
    return gcnsim_code_symbol_sized(code, index, info, sizeof *info);
}
enum gcnsim_symbol_flag {
    GCNSIM_SYMBOL_GLOBAL = 1,
    GCNSIM_SYMBOL_WRITABLE = 2,
    GCNSIM_SYMBOL_ABSOLUTE = 4,
};
GCNSIM_API uint32_t gcnsim_code_symbol_flags(const struct gcnsim_code *code, uint32_t index);
GCNSIM_API const void *gcnsim_code_elf(const struct gcnsim_code *code, size_t *size);
struct gcnsim_code_range {
    uint64_t address;
    const uint8_t *bytes;
    uint64_t size;
};
GCNSIM_API int gcnsim_code_text(const struct gcnsim_code *code, uint32_t index, struct gcnsim_code_range *range);
struct gcnsim_code_image {
    uint64_t address;
    uint64_t size;
    uint64_t align;
};
GCNSIM_API void gcnsim_code_get_image(const struct gcnsim_code *code, struct gcnsim_code_image *image);
typedef int gcnsim_resolve_fn(void *ctx, const char *name, uint64_t *address);
GCNSIM_API int gcnsim_code_place(const struct gcnsim_code *code, void *to, size_t size, uint64_t address,
                                 gcnsim_resolve_fn *resolve, void *ctx, struct gcnsim_error *error);
struct gcnsim_occupancy {
    uint32_t waves_per_simd;
    uint32_t workgroups_per_cu;
    uint32_t waves_per_workgroup;
    const char *limiter;
    uint32_t vgprs_allocated, agprs_allocated, sgprs_allocated, lds_bytes_allocated;
    uint32_t cus;
};
GCNSIM_API int gcnsim_code_occupancy_sized(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                           uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                           size_t out_bytes, struct gcnsim_error *error);
static inline int gcnsim_code_occupancy(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                        uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                        struct gcnsim_error *error)
{
    return gcnsim_code_occupancy_sized(code, kernel, profile, workgroup_items, dynamic_lds, out, sizeof *out, error);
}
struct gcnsim_profile_info {
    char name[64];
    char chip[96];
    char target[24];
    int is_default;
};
GCNSIM_API int gcnsim_profile_list_sized(uint32_t index, struct gcnsim_profile_info *info, size_t info_bytes);
static inline int gcnsim_profile_list(uint32_t index, struct gcnsim_profile_info *info)
{
    return gcnsim_profile_list_sized(index, info, sizeof *info);
}
GCNSIM_API int gcnsim_profile_find_sized(const char *profile, struct gcnsim_profile_info *info, size_t info_bytes,
                                         struct gcnsim_error *error);
static inline int gcnsim_profile_find(const char *profile, struct gcnsim_profile_info *info, struct gcnsim_error *error)
{
    return gcnsim_profile_find_sized(profile, info, sizeof *info, error);
}
enum gcnsim_format { GCNSIM_TEXT, GCNSIM_JSON };
GCNSIM_API int gcnsim_profile_show(const char *profile, const char *const *sets, size_t set_count,
                                   enum gcnsim_format format, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_profile_show_matching(const char *profile, const char *const *sets, size_t set_count,
                                            const char *const *patterns, size_t pattern_count,
                                            enum gcnsim_format format, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_fidelity(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                    enum gcnsim_format format, char **text, struct gcnsim_error *error);
struct gcnsim_disasm;
GCNSIM_API const char *gcnsim_instruction_set(const char *processor);
GCNSIM_API int gcnsim_disasm_open(struct gcnsim_disasm **out, const char *target, struct gcnsim_error *error);
GCNSIM_API void gcnsim_disasm_close(struct gcnsim_disasm *d);
enum gcnsim_disasm_flags {
    GCNSIM_DISASM_TRUE16 = 1,
    GCNSIM_DISASM_STRICT = 2,
};
GCNSIM_API void gcnsim_disasm_set_flags(struct gcnsim_disasm *d, uint32_t flags);
GCNSIM_API size_t gcnsim_disasm_one(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size, char *text,
                                    size_t text_size, int *known);
GCNSIM_API size_t gcnsim_disasm_next(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size,
                                     uint32_t *vgpr_msb, char *text, size_t text_size, int *known);
GCNSIM_API const char *gcnsim_target_name(uint32_t index);
#define GCNSIM_ISA_MAX_FORMS    16
#define GCNSIM_ISA_MAX_OPERANDS 16
struct gcnsim_isa_operand {
    const char *field;
    const char *type;
    int read, write;
};
struct gcnsim_isa_entry {
    const char *mnemonic;
    const char *format;
    uint32_t opcode;
    const char *unit;
    const char *forms[GCNSIM_ISA_MAX_FORMS];
    uint32_t form_count;
    struct gcnsim_isa_operand operands[GCNSIM_ISA_MAX_OPERANDS];
    uint32_t operand_count;
    int executed;
    int tested;
    const char *beyond;
    double ulp;
};
GCNSIM_API int gcnsim_isa_entry_sized(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry,
                                      size_t entry_bytes);
static inline int gcnsim_isa_entry(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry)
{
    return gcnsim_isa_entry_sized(d, index, entry, sizeof *entry);
}
GCNSIM_API int gcnsim_isa_show(const char *name, const char *target, const char *profile, enum gcnsim_format format,
                               char **text, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_LAUNCH_H
#define GCNSIM_LAUNCH_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
enum gcnsim_engine {
    GCNSIM_ENGINE_TIMING,
    GCNSIM_ENGINE_FUNCTIONAL,
};
enum gcnsim_fence { GCNSIM_FENCE_NONE, GCNSIM_FENCE_AGENT, GCNSIM_FENCE_SYSTEM };
typedef int gcnsim_progress_fn(void *ctx, uint64_t workgroups_done, uint64_t workgroups_total);
struct gcnsim_progress {
    size_t struct_bytes;
    uint64_t workgroups_total, workgroups_done;
    uint64_t workgroups_running;
    uint64_t cycles;
    uint64_t instructions;
    uint64_t loop_address, loop_left;
};
typedef int gcnsim_progress_facts_fn(void *ctx, const struct gcnsim_progress *progress);
struct gcnsim_snapshot;
typedef void gcnsim_snapshot_fn(void *ctx, const struct gcnsim_snapshot *snapshot);
struct gcnsim_dispatch {
    size_t struct_bytes;
    uint32_t kernel;
    enum gcnsim_engine engine;
    uint32_t grid_size[3];
    uint32_t workgroup_size[3];
    uint32_t dynamic_group_segment_size;
    uint32_t private_segment_size;
    const struct gcnsim_args *args;
    const void *kernarg;
    size_t kernarg_size;
    uint32_t threads;
    uint64_t max_cycles;
    uint64_t max_instructions;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    int tick_every_cycle;
    int perfect_memory;
    int check;
    const char *command_line;
    const char *const *traces;
    size_t trace_count;
    volatile int *snapshot_flag;
    gcnsim_snapshot_fn *snapshot;
    void *snapshot_ctx;
    int cold;
    enum gcnsim_fence acquire, release;
    int per_instruction;
    uint64_t samples;
    const struct gcnsim_att *att;
    const struct gcnsim_on_timeline *timeline;
    gcnsim_progress_facts_fn *progress_facts;
    void *progress_facts_ctx;
    int ignore_lds_races;
    uint64_t sample_workgroups;
    int sample_skip;
    int visits;
    int hotspots;
};
#define GCNSIM_SAMPLE_AUTO UINT64_MAX
GCNSIM_API const char *gcnsim_trace_format(size_t index, const char **about);
GCNSIM_API void gcnsim_dispatch_init_sized(struct gcnsim_dispatch *d, size_t struct_bytes);
static inline void gcnsim_dispatch_init(struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init_sized(d, sizeof *d);
}
struct gcnsim_result;
GCNSIM_API int gcnsim_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                             struct gcnsim_result **out, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_RAW_H
#define GCNSIM_RAW_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef void gcnsim_message_fn(void *ctx, uint32_t number, uint32_t m0, uint32_t data);
struct gcnsim_range {
    uint64_t address, bytes;
    int writable;
    const char *label;
};
struct gcnsim_window {
    uint64_t address, host, bytes;
    int writable;
    const char *label;
};
typedef int gcnsim_more_fn(void *ctx, uint64_t address, struct gcnsim_window *range);
struct gcnsim_ranges;
GCNSIM_API int gcnsim_ranges_open(struct gcnsim_ranges **out, const struct gcnsim_range *ranges, size_t range_count,
                                  const struct gcnsim_window *windows, size_t window_count, struct gcnsim_error *error);
GCNSIM_API void gcnsim_ranges_close(struct gcnsim_ranges *ranges);
struct gcnsim_raw_code;
GCNSIM_API int gcnsim_raw_code_open(struct gcnsim_raw_code **out, const char *target, uint64_t base, uint64_t size,
                                    struct gcnsim_error *error);
GCNSIM_API void gcnsim_raw_code_changed(struct gcnsim_raw_code *code);
GCNSIM_API void gcnsim_raw_code_close(struct gcnsim_raw_code *code);
struct gcnsim_raw_kernel {
    size_t struct_bytes;
    const void *descriptor;
    uint64_t descriptor_address;
    uint64_t dispatch_ptr, queue_ptr, kernarg_address, dispatch_id;
    uint32_t private_segment_bytes, group_segment_bytes;
    uint32_t code_object_version;
};
GCNSIM_API void gcnsim_raw_kernel_init_sized(struct gcnsim_raw_kernel *k, size_t struct_bytes);
static inline void gcnsim_raw_kernel_init(struct gcnsim_raw_kernel *k)
{
    gcnsim_raw_kernel_init_sized(k, sizeof *k);
}
struct gcnsim_raw {
    size_t struct_bytes;
    const char *target;
    enum gcnsim_engine engine;
    uint64_t entry;
    uint64_t code_base, code_size;
    uint32_t workgroups[3];
    uint32_t workgroup_size[3];
    uint32_t wave_size;
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3;
    const uint32_t *user_sgprs;
    uint32_t user_sgpr_count;
    uint64_t kernarg_address;
    uint32_t lds_bytes;
    uint32_t scratch_bytes_per_lane;
    uint64_t scratch_base, scratch_size;
    const struct gcnsim_range *ranges;
    size_t range_count;
    uint32_t threads;
    uint64_t max_instructions, max_cycles;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    int tick_every_cycle;
    uint64_t shared_aperture, private_aperture;
    int check;
    const char *command_line;
    volatile int *snapshot_flag;
    gcnsim_snapshot_fn *snapshot;
    void *snapshot_ctx;
    int cold;
    enum gcnsim_fence acquire, release;
    const struct gcnsim_raw_code *code;
    const struct gcnsim_ranges *range_set;
    const struct gcnsim_window *windows;
    size_t window_count;
    const struct gcnsim_raw_kernel *kernel;
    gcnsim_more_fn *more;
    void *more_ctx;
    gcnsim_message_fn *message;
    void *message_ctx;
    uint32_t grid_size[3];
    int cooperative;
    int per_instruction;
    uint64_t samples;
    const struct gcnsim_att *att;
    const struct gcnsim_code *object;
    uint64_t object_address;
    const char *kernel_name;
    const struct gcnsim_on_timeline *timeline;
    gcnsim_progress_facts_fn *progress_facts;
    void *progress_facts_ctx;
    int ignore_lds_races;
    int visits;
};
GCNSIM_API void gcnsim_raw_init_sized(struct gcnsim_raw *r, size_t struct_bytes);
static inline void gcnsim_raw_init(struct gcnsim_raw *r)
{
    gcnsim_raw_init_sized(r, sizeof *r);
}
GCNSIM_API void gcnsim_range_init(struct gcnsim_range *r);
GCNSIM_API int gcnsim_raw_set_kernel(struct gcnsim_raw *raw, const struct gcnsim_raw_kernel *k,
                                     struct gcnsim_error *error);
GCNSIM_API int gcnsim_launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                                 struct gcnsim_error *error);
struct gcnsim_feeding;
#define GCNSIM_FEED_NEVER UINT64_MAX
struct gcnsim_feed {
    size_t struct_bytes;
    void *ctx;
    uint64_t (*ask)(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle);
    void (*ended)(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error);
    const volatile int *attention;
};
GCNSIM_API void gcnsim_feed_init_sized(struct gcnsim_feed *f, size_t struct_bytes);
static inline void gcnsim_feed_init(struct gcnsim_feed *f)
{
    gcnsim_feed_init_sized(f, sizeof *f);
}
GCNSIM_API int gcnsim_feed_raw(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, uint64_t start, void *id,
                               struct gcnsim_error *error);
GCNSIM_API int gcnsim_feed_warm(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                                struct gcnsim_error *error);
GCNSIM_API int gcnsim_run_feed(struct gcnsim *sim, const struct gcnsim_feed *feed, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_RESULT_H
#define GCNSIM_RESULT_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
enum gcnsim_outcome {
    GCNSIM_COMPLETED,
    GCNSIM_FAULTED,
    GCNSIM_LIMIT,
    GCNSIM_INTERRUPTED,
};
struct gcnsim_fault {
    size_t struct_bytes;
    const char *kind;
    uint64_t pc;
    uint64_t pc_offset;
    const char *instruction;
    int lane;
    uint64_t address;
    uint32_t bytes;
    int write;
    uint32_t workgroup[3];
    uint32_t wave;
    const char *nearest;
    const char *message;
    const char *source;
};
struct gcnsim_stat {
    const char *name;
    const char *unit;
    const char *scope;
    const char *description;
    int present;
    double value;
};
GCNSIM_API int gcnsim_stat_info(uint32_t index, struct gcnsim_stat *stat);
struct gcnsim_eviction {
    const char *cache;
    const char *scope;
    const char *hint;
    uint64_t lines;
};
struct gcnsim_memory_instruction {
    uint64_t pc, pc_offset;
    const char *instruction;
    const struct gcnsim_stat *stats;
    size_t stat_count;
};
struct gcnsim_instruction {
    uint64_t pc, pc_offset;
    const char *instruction;
    const uint64_t *values;
};
GCNSIM_API int gcnsim_instruction_column(uint32_t index, struct gcnsim_stat *column);
GCNSIM_API int gcnsim_instruction_find_column(const char *name, uint32_t *index);
struct gcnsim_finding {
    const char *rule;
    uint64_t pc, pc_offset;
    const char *instruction;
    int lane;
    uint32_t workgroup[3];
    uint32_t wave;
    uint64_t count;
    const char *message;
    const char *fix;
    const char *source;
};
struct gcnsim_snapshot_row {
    uint64_t waves, workgroups;
    uint64_t pc, pc_offset;
    const char *instruction;
    const char *source;
    const char *reason;
    uint64_t since;
    const char *waits_for;
    uint32_t workgroup[3], wave;
    const char *counter;
    uint32_t counter_value, counter_bound;
    uint64_t oldest_pc, oldest_offset;
    const char *oldest_instruction;
    uint32_t oldest_accesses;
    uint32_t oldest_queued;
    const char *oldest_level;
    int has_barrier;
    uint32_t barrier;
    uint32_t arrived, members;
    uint32_t ended;
    const uint32_t *missing;
    size_t missing_count;
    int has_memory;
    uint64_t address, value;
    uint32_t bytes;
};
struct gcnsim_snapshot {
    size_t struct_bytes;
    enum gcnsim_engine engine;
    uint64_t cycle;
    uint64_t instructions;
    uint64_t workgroups, workgroups_done, workgroups_resident, workgroups_not_started;
    uint64_t waves_resident;
    const struct gcnsim_snapshot_row *rows;
    size_t row_count;
};
GCNSIM_API int gcnsim_snapshot_text(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_snapshot_json(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);
struct gcnsim_series {
    const char *name;
    const char *unit, *scope, *description;
    int is_mean;
    const double *values;
};
struct gcnsim_samples {
    size_t struct_bytes;
    uint64_t interval_cycles;
    uint64_t first_cycles, last_cycles;
    size_t count;
    const struct gcnsim_series *series;
    size_t series_count;
};
struct gcnsim_limiter {
    size_t struct_bytes;
    const char *limit_class;
    const char *resource;
    double share;
    const char *verdict;
    const char *within;
};
struct gcnsim_result {
    size_t struct_bytes;
    enum gcnsim_outcome outcome;
    const char *message;
    const char *target;
    const char *profile;
    const char *engine;
    const char *kernel;
    uint32_t grid[3];
    uint32_t workgroup[3];
    uint64_t workgroups, waves;
    const struct gcnsim_stat *stats;
    size_t stat_count;
    const char *const *overrides;
    size_t override_count;
    const char *code_sha256, *profile_sha256;
    const char *command_line;
    const struct gcnsim_occupancy *occupancy;
    int has_evictions;
    const struct gcnsim_eviction *evictions;
    size_t eviction_count;
    int has_memory_instructions;
    const struct gcnsim_memory_instruction *memory_instructions;
    size_t memory_instruction_count;
    uint64_t memory_instructions_left_out;
    uint32_t host_threads;
    double host_seconds;
    double wave_instructions_per_second;
    const struct gcnsim_fault *fault;
    const struct gcnsim_snapshot *snapshot;
    int has_check;
    const struct gcnsim_finding *findings;
    size_t finding_count;
    int has_instructions;
    const struct gcnsim_instruction *instructions;
    size_t instruction_count;
    const struct gcnsim_samples *samples;
    const struct gcnsim_limiter *limiter;
};
struct gcnsim_fidelity_instruction {
    const char *mnemonic, *instruction_class;
    uint64_t count;
    const char *semantics;
    double ulp;
    const char *timing;
    const char *figure;
};
struct gcnsim_fidelity_figure {
    const char *path, *timing;
    double share;
};
struct gcnsim_fidelity_timing {
    const char *timing;
    uint64_t instructions;
    double share;
};
struct gcnsim_fidelity {
    size_t struct_bytes;
    uint64_t executed, exact, approximate;
    const struct gcnsim_fidelity_instruction *instructions;
    size_t instruction_count;
    double wave_cycles;
    const struct gcnsim_fidelity_timing *timings;
    size_t timing_count;
    const struct gcnsim_fidelity_figure *figures;
    size_t figure_count;
};
#define GCNSIM_BOUND_BYTES 40
GCNSIM_API int gcnsim_error_bound(double ulp, char words[GCNSIM_BOUND_BYTES]);
GCNSIM_API const struct gcnsim_fidelity *gcnsim_result_fidelity(const struct gcnsim_result *result);
enum gcnsim_estimate_kind { GCNSIM_ESTIMATE_NONE, GCNSIM_ESTIMATE_MADE, GCNSIM_ESTIMATE_PARTIAL };
struct gcnsim_estimate {
    size_t struct_bytes;
    enum gcnsim_estimate_kind kind;
    const char *note;
    uint64_t detailed_workgroups;
    uint64_t functional_workgroups, skipped_workgroups;
    uint64_t resident_workgroups;
    uint32_t stretches, windows;
    double cycles, cycles_low, cycles_high;
    double scale;
    int unsafe;
};
GCNSIM_API const struct gcnsim_estimate *gcnsim_result_estimate(const struct gcnsim_result *result);
GCNSIM_API int gcnsim_result_is_exact(const struct gcnsim_result *result, uint32_t index);
struct gcnsim_visit {
    uint64_t pc, executed;
};
GCNSIM_API const struct gcnsim_visit *gcnsim_result_visits(const struct gcnsim_result *result, size_t *count);
GCNSIM_API uint64_t gcnsim_result_bytes(const struct gcnsim_result *result);
GCNSIM_API int gcnsim_result_stat(const struct gcnsim_result *result, const char *name, double *value);
GCNSIM_API int gcnsim_memory_instruction_stat(const struct gcnsim_memory_instruction *instruction, const char *name,
                                              double *value);
GCNSIM_API int gcnsim_result_status(const struct gcnsim_result *result);
GCNSIM_API int gcnsim_result_json(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_result_text(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_result_show(const struct gcnsim_result *result, const char *sections, char **text,
                                  struct gcnsim_error *error);
GCNSIM_API int gcnsim_check_sections(const char *sections, struct gcnsim_error *error);
GCNSIM_API const char *gcnsim_report_section(size_t index, const char **about);
GCNSIM_API int gcnsim_result_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_result_free(struct gcnsim_result *result);
struct gcnsim_sequence_item {
    const struct gcnsim_result *result;
    const char *name;
    uint32_t launch;
    uint32_t round;
    int warmup;
};
struct gcnsim_sequence {
    uint32_t warmup_rounds, rounds;
    int cold;
    const struct gcnsim_sequence_item *items;
    size_t count;
};
GCNSIM_API int gcnsim_sequence_steady(const struct gcnsim_sequence *sequence, uint32_t launch, size_t *index);
GCNSIM_API int gcnsim_sequence_json(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_text(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_show(const struct gcnsim_sequence *sequence, const char *sections, char **text,
                                    struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_csv(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_json_string(const char *text, char **json, struct gcnsim_error *error);
GCNSIM_API size_t gcnsim_nearest_name(const char *wanted, const char *const *names, size_t count);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_COMPARE_H
#define GCNSIM_COMPARE_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
GCNSIM_API int gcnsim_compare_wrap(const struct gcnsim_code *code, const char *name, uint32_t wave_size, char **text,
                                   struct gcnsim_error *error);
struct gcnsim_loop_source {
    size_t struct_bytes;
    const void *object;
    size_t size;
    const char *name;
    const char *begin, *end;
    uint32_t wave_size;
};
GCNSIM_API void gcnsim_loop_source_init_sized(struct gcnsim_loop_source *s, size_t struct_bytes);
static inline void gcnsim_loop_source_init(struct gcnsim_loop_source *s)
{
    gcnsim_loop_source_init_sized(s, sizeof *s);
}
GCNSIM_API int gcnsim_compare_loop(const struct gcnsim_loop_source *source, void **bytes, size_t *size,
                                   struct gcnsim_error *error);
GCNSIM_API int gcnsim_compare_loop_text(const struct gcnsim_loop_source *source, char **text,
                                        struct gcnsim_error *error);
GCNSIM_API int gcnsim_object_kernel(const void *object, size_t size, char *name, size_t name_size);
struct gcnsim_compare_item {
    size_t struct_bytes;
    const char *label;
    const void *bytes;
    size_t size;
    const char *kernel;
    uint32_t workgroup_size[3];
    const char *const *args;
    size_t arg_count;
    const char *directory;
};
struct gcnsim_compare_options {
    size_t struct_bytes;
    const char *profile;
    const char *const *sets;
    size_t set_count;
    uint32_t max_waves;
    uint64_t max_instructions, max_cycles;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    uint64_t max_memory;
};
GCNSIM_API void gcnsim_compare_options_init_sized(struct gcnsim_compare_options *o, size_t struct_bytes);
static inline void gcnsim_compare_options_init(struct gcnsim_compare_options *o)
{
    gcnsim_compare_options_init_sized(o, sizeof *o);
}
GCNSIM_API void gcnsim_compare_item_init_sized(struct gcnsim_compare_item *item, size_t struct_bytes);
static inline void gcnsim_compare_item_init(struct gcnsim_compare_item *item)
{
    gcnsim_compare_item_init_sized(item, sizeof *item);
}
struct gcnsim_compare_point {
    uint32_t waves_per_simd;
    double cycles;
};
struct gcnsim_compare_count {
    const char *name;
    double one_wave, full;
};
struct gcnsim_compare_entry {
    const char *label;
    const char *kernel;
    uint32_t bytes, instructions;
    uint32_t vgprs, agprs, sgprs;
    uint32_t wave_size;
    uint32_t icache_line_bytes, icache_lines;
    uint32_t waves_per_simd;
    const char *limiter;
    double latency_cycles;
    double throughput_cycles;
    const struct gcnsim_compare_point *points;
    size_t point_count;
    const struct gcnsim_compare_count *issues;
    size_t issue_count;
    const struct gcnsim_compare_count *stalls;
    size_t stall_count;
    int undelayed;
};
struct gcnsim_comparison {
    size_t struct_bytes;
    const char *profile, *target;
    uint32_t cus, simds;
    const struct gcnsim_compare_entry *entries;
    size_t entry_count;
};
GCNSIM_API int gcnsim_compare(const struct gcnsim_compare_item *items, size_t count,
                              const struct gcnsim_compare_options *options, struct gcnsim_comparison **out,
                              struct gcnsim_error *error);
GCNSIM_API int gcnsim_comparison_text(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_comparison_json(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_comparison_free(struct gcnsim_comparison *c);
struct gcnsim_analysis;
enum gcnsim_analysis_view {
    GCNSIM_ANALYSIS_SUMMARY = 1,
    GCNSIM_ANALYSIS_INSTRUCTIONS = 2,
    GCNSIM_ANALYSIS_PRESSURE = 4,
    GCNSIM_ANALYSIS_CRITICAL_PATH = 8,
    GCNSIM_ANALYSIS_TIMELINE = 16,
    GCNSIM_ANALYSIS_ALL = 0x7fffffff,
};
GCNSIM_API int gcnsim_analyze(const struct gcnsim_compare_item *item, const struct gcnsim_compare_options *options,
                              struct gcnsim_analysis **out, struct gcnsim_error *error);
GCNSIM_API void gcnsim_analysis_free(struct gcnsim_analysis *a);
GCNSIM_API int gcnsim_analysis_text(const struct gcnsim_analysis *a, unsigned views, uint32_t iterations, char **text,
                                    struct gcnsim_error *error);
GCNSIM_API int gcnsim_analysis_json(const struct gcnsim_analysis *a, char **text, struct gcnsim_error *error);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_EXPLAIN_H
#define GCNSIM_EXPLAIN_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
struct gcnsim_trial {
    size_t struct_bytes;
    const char *const *sets;
    size_t set_count;
    int per_instruction;
    uint32_t warmup;
};
typedef int gcnsim_trial_fn(void *ctx, const struct gcnsim_trial *trial, struct gcnsim_result **result,
                            uint64_t *digest, struct gcnsim_error *error);
struct gcnsim_explain_options {
    size_t struct_bytes;
    gcnsim_trial_fn *run;
    void *ctx;
    const struct gcnsim *sim;
    const struct gcnsim_code *code;
    uint32_t jobs;
    const char *const *only;
    size_t only_count;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    const char *kernel;
    uint32_t warmup;
};
GCNSIM_API void gcnsim_explain_options_init_sized(struct gcnsim_explain_options *o, size_t struct_bytes);
static inline void gcnsim_explain_options_init(struct gcnsim_explain_options *o)
{
    gcnsim_explain_options_init_sized(o, sizeof *o);
}
struct gcnsim_explained_place {
    uint64_t pc, pc_offset;
    const char *instruction;
    const char *source;
    const char *reason;
    double wave_cycles;
    double share;
};
enum gcnsim_explained {
    GCNSIM_EXPLAINED_SIMULATED,
    GCNSIM_EXPLAINED_SKIPPED,
    GCNSIM_EXPLAINED_ABSENT,
    GCNSIM_EXPLAINED_FAILED,
    GCNSIM_EXPLAINED_NAMED,
    GCNSIM_EXPLAINED_BOUNDED,
};
struct gcnsim_explained_cause {
    const char *key;
    const char *what;
    int overall;
    enum gcnsim_explained state;
    const char *const *sets;
    size_t set_count;
    double cycles, saved, share;
    const char *note;
    const struct gcnsim_explained_place *places;
    size_t place_count;
};
struct gcnsim_explained_remedy {
    const char *key;
    const char *text;
    const char *remedy;
    enum gcnsim_explained state;
    const char *const *sets;
    size_t set_count;
    double cycles, saved, share;
    const char *note;
    const struct gcnsim_explained_place *places;
    size_t place_count;
};
struct gcnsim_explanation {
    size_t struct_bytes;
    const char *kernel, *target, *profile;
    double cycles;
    const struct gcnsim_explained_cause *causes;
    size_t cause_count;
    const struct gcnsim_explained_remedy *remedies;
    size_t remedy_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds;
    uint32_t warmup;
};
GCNSIM_API int gcnsim_explain(const struct gcnsim_explain_options *options, struct gcnsim_explanation **out,
                              struct gcnsim_error *error);
typedef int gcnsim_child_fn(void *ctx, void (*work)(void *of, int fd), void (*answer)(void *of, int fd), void *of);
GCNSIM_API int gcnsim_explain_raw(const struct gcnsim_explain_options *options, const struct gcnsim_raw *raw,
                                  gcnsim_child_fn *child, void *child_ctx, struct gcnsim_explanation **out,
                                  struct gcnsim_error *error);
GCNSIM_API int gcnsim_explanation_text(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_explanation_json(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_explanation_free(struct gcnsim_explanation *x);
GCNSIM_API const char *gcnsim_explain_cause(uint32_t index, const char **what);
struct gcnsim_whatif_options {
    size_t struct_bytes;
    gcnsim_trial_fn *run;
    void *ctx;
    const struct gcnsim *sim;
    const char *const *sweeps;
    size_t sweep_count;
    int cross;
    uint32_t jobs;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    uint32_t warmup;
};
GCNSIM_API void gcnsim_whatif_options_init_sized(struct gcnsim_whatif_options *o, size_t struct_bytes);
static inline void gcnsim_whatif_options_init(struct gcnsim_whatif_options *o)
{
    gcnsim_whatif_options_init_sized(o, sizeof *o);
}
struct gcnsim_whatif_point {
    const char *const *sets;
    size_t set_count;
    uint32_t sweep;
    double cycles;
    double change;
    const char *note;
};
struct gcnsim_whatif_axis {
    const char *path;
    const char *base;
    double least, most;
};
struct gcnsim_whatif {
    size_t struct_bytes;
    const char *kernel, *target, *profile;
    double cycles;
    int cross;
    const struct gcnsim_whatif_point *points;
    size_t point_count;
    const struct gcnsim_whatif_axis *axes;
    size_t axis_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds;
    uint32_t warmup;
};
GCNSIM_API int gcnsim_whatif(const struct gcnsim_whatif_options *options, struct gcnsim_whatif **out,
                             struct gcnsim_error *error);
GCNSIM_API int gcnsim_whatif_text(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_whatif_json(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_whatif_csv(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_whatif_free(struct gcnsim_whatif *w);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GCNSIM_VIEWS_H
#define GCNSIM_VIEWS_H
#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif
#ifdef __cplusplus
extern "C" {
#endif
GCNSIM_API int gcnsim_demangle(const char *name, char **plain, struct gcnsim_error *error);
struct gcnsim_html_options {
    size_t struct_bytes;
    const char *explain_json;
    const char *index;
    int no_sources;
};
GCNSIM_API void gcnsim_html_options_init_sized(struct gcnsim_html_options *o, size_t struct_bytes);
static inline void gcnsim_html_options_init(struct gcnsim_html_options *o)
{
    gcnsim_html_options_init_sized(o, sizeof *o);
}
GCNSIM_API int gcnsim_result_html(const struct gcnsim_result *result, const struct gcnsim_html_options *options,
                                  char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_html(const struct gcnsim_sequence *sequence, const struct gcnsim_html_options *options,
                                    char **text, struct gcnsim_error *error);
struct gcnsim_html_dispatch {
    size_t struct_bytes;
    uint64_t number;
    const char *kernel, *target, *engine;
    const char *outcome;
    uint32_t grid[3], workgroup[3];
    double start_us, duration_us;
    double cycles;
    const char *page;
};
GCNSIM_API void gcnsim_html_dispatch_init_sized(struct gcnsim_html_dispatch *d, size_t struct_bytes);
static inline void gcnsim_html_dispatch_init(struct gcnsim_html_dispatch *d)
{
    gcnsim_html_dispatch_init_sized(d, sizeof *d);
}
GCNSIM_API int gcnsim_html_index(const char *title, const struct gcnsim_html_dispatch *dispatches, size_t count,
                                 uint64_t left_out, char **text, struct gcnsim_error *error);
struct gcnsim_counter {
    const char *name;
    const char *about;
    int present;
    double value;
};
GCNSIM_API int gcnsim_result_counter(const struct gcnsim_result *result, size_t index, struct gcnsim_counter *counter);
GCNSIM_API int gcnsim_result_counters_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
struct gcnsim_frame {
    const char *function;
    const char *file;
    uint32_t line, column;
};
GCNSIM_API const struct gcnsim_frame *gcnsim_fault_frames(const struct gcnsim_result *result, uint32_t *count);
GCNSIM_API const struct gcnsim_frame *gcnsim_finding_frames(const struct gcnsim_result *result, size_t index,
                                                            uint32_t *count);
#define GCNSIM_LISTING_NONE UINT32_MAX
struct gcnsim_listed {
    uint64_t pc, pc_offset;
    const char *instruction;
    const uint64_t *values;
    const struct gcnsim_frame *frames;
    uint32_t frame_count;
    uint32_t function;
    uint32_t loop;
    uint32_t target;
    int reached;
};
struct gcnsim_listed_function {
    const char *name, *demangled;
    uint32_t first, count;
    int kernel;
};
struct gcnsim_listed_loop {
    uint32_t function, parent, depth;
    uint32_t header, first, last;
    const char *file;
    uint32_t line;
    uint64_t iterations;
    int entries_known;
    uint64_t entries;
};
struct gcnsim_listing {
    size_t struct_bytes;
    const struct gcnsim_listed *instructions;
    size_t instruction_count;
    const struct gcnsim_listed_function *functions;
    size_t function_count;
    const struct gcnsim_listed_loop *loops;
    size_t loop_count;
};
GCNSIM_API const struct gcnsim_listing *gcnsim_result_listing(const struct gcnsim_result *result);
enum gcnsim_sort { GCNSIM_SORT_PC, GCNSIM_SORT_CYCLES, GCNSIM_SORT_EXECUTED, GCNSIM_SORT_LATENCY, GCNSIM_SORT_STALL };
struct gcnsim_annotate {
    size_t struct_bytes;
    enum gcnsim_sort sort;
    uint32_t top;
    const char *function;
    int color;
    int no_sources;
};
GCNSIM_API void gcnsim_annotate_init_sized(struct gcnsim_annotate *a, size_t struct_bytes);
static inline void gcnsim_annotate_init(struct gcnsim_annotate *a)
{
    gcnsim_annotate_init_sized(a, sizeof *a);
}
GCNSIM_API int gcnsim_result_annotated(const struct gcnsim_result *result, const struct gcnsim_annotate *options,
                                       char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_result_instructions_csv(const struct gcnsim_result *result, char **text,
                                              struct gcnsim_error *error);
struct gcnsim_sum;
GCNSIM_API int gcnsim_sum_open(struct gcnsim_sum **out, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sum_add(struct gcnsim_sum *sum, const struct gcnsim_result *result, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sum_annotated(const struct gcnsim_sum *sum, const struct gcnsim_annotate *options, char **text,
                                    struct gcnsim_error *error);
GCNSIM_API int gcnsim_sum_instructions_csv(const struct gcnsim_sum *sum, uint64_t code_object, int rows_alone,
                                           char **text, struct gcnsim_error *error);
GCNSIM_API uint64_t gcnsim_sum_launches(const struct gcnsim_sum *sum);
GCNSIM_API double gcnsim_sum_stat(const struct gcnsim_sum *sum, const char *name);
GCNSIM_API void gcnsim_sum_free(struct gcnsim_sum *sum);
struct gcnsim_att {
    size_t struct_bytes;
    const char *folder;
    uint64_t agent, dispatch;
    int all_units;
    const uint32_t *units;
    size_t unit_count;
    uint64_t from_cycle, to_cycle;
    uint64_t max_waves;
    int no_sources;
};
GCNSIM_API void gcnsim_att_init_sized(struct gcnsim_att *a, size_t struct_bytes);
static inline void gcnsim_att_init(struct gcnsim_att *a)
{
    gcnsim_att_init_sized(a, sizeof *a);
}
struct gcnsim_timeline;
struct gcnsim_timeline_options {
    size_t struct_bytes;
    const char *cus;
    uint64_t first_cycle, end_cycle;
    uint64_t max_bytes;
    int nanoseconds;
};
GCNSIM_API void gcnsim_timeline_options_init_sized(struct gcnsim_timeline_options *o, size_t struct_bytes);
static inline void gcnsim_timeline_options_init(struct gcnsim_timeline_options *o)
{
    gcnsim_timeline_options_init_sized(o, sizeof *o);
}
GCNSIM_API int gcnsim_timeline_open(struct gcnsim_timeline **out, const char *path,
                                    const struct gcnsim_timeline_options *options, struct gcnsim_error *error);
struct gcnsim_wave_view {
    uint64_t workgroup;
    uint32_t wave;
    uint64_t first_row;
    uint64_t rows;
    char *text;
};
struct gcnsim_on_timeline {
    size_t struct_bytes;
    struct gcnsim_timeline *timeline;
    const char *kernel;
    const char *queue;
    uint64_t number;
    int waves;
    const struct gcnsim_code *object;
    uint64_t object_address;
    struct gcnsim_wave_view *wave;
};
GCNSIM_API void gcnsim_on_timeline_init_sized(struct gcnsim_on_timeline *t, size_t struct_bytes);
static inline void gcnsim_on_timeline_init(struct gcnsim_on_timeline *t)
{
    gcnsim_on_timeline_init_sized(t, sizeof *t);
}
struct gcnsim_timeline_info {
    uint64_t bytes;
    uint64_t waves, instructions, stalls, requests;
    int full;
    uint64_t full_cycle;
};
GCNSIM_API void gcnsim_timeline_get_info_sized(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info,
                                               size_t info_bytes);
static inline void gcnsim_timeline_get_info(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info)
{
    gcnsim_timeline_get_info_sized(t, info, sizeof *info);
}
GCNSIM_API int gcnsim_timeline_finish(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error);
GCNSIM_API int gcnsim_timeline_close(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error);
struct gcnsim_diff;
enum gcnsim_diff_per { GCNSIM_DIFF_AUTO, GCNSIM_DIFF_TOTAL, GCNSIM_DIFF_WAVE, GCNSIM_DIFF_HIT };
enum gcnsim_diff_sort {
    GCNSIM_DIFF_BY_DIFFERENCE,
    GCNSIM_DIFF_BY_LATENCY,
    GCNSIM_DIFF_BY_STALL,
    GCNSIM_DIFF_BY_IDLE,
    GCNSIM_DIFF_BY_HITS,
    GCNSIM_DIFF_BY_ADDRESS
};
GCNSIM_API int gcnsim_diff_open(struct gcnsim_diff **out, const char *a, const char *b, enum gcnsim_diff_per per,
                                struct gcnsim_error *error);
GCNSIM_API void gcnsim_diff_close(struct gcnsim_diff *diff);
GCNSIM_API int gcnsim_diff_order(struct gcnsim_diff *diff, enum gcnsim_diff_sort by, struct gcnsim_error *error);
GCNSIM_API int gcnsim_diff_text(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_diff_json(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_diff_csv(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);
struct gcnsim_diff_figure {
    const char *name, *unit, *description;
    int has_a, has_b;
    double a, b;
};
GCNSIM_API int gcnsim_diff_get_figure(const struct gcnsim_diff *diff, uint32_t index,
                                      struct gcnsim_diff_figure *figure);
#ifdef __cplusplus
}
#endif
#endif
#endif
