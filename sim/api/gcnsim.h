/* gcnsim: runs amdgcn (AMD GCN, CDNA, RDNA) kernels on the CPU, bit-exactly, and counts the cycles they would take.
 *
 * Two ways in:
 *   - a code object: gcnsim_open() -> gcnsim_load_file() -> gcnsim_args_parse() or own kernarg bytes ->
 *     gcnsim_launch() -> a struct gcnsim_result with the report;
 *   - raw code in the caller's own address space, for runtimes that do their own loading: gcnsim_open() ->
 *     gcnsim_launch_raw(). Device addresses are then host addresses.
 * Inspection (gcnsim_code_*), occupancy, disassembly and profiles need no simulator.
 *
 * Conventions
 *   Handles are opaque; there are no globals. Separate simulators may be used from separate threads at the same time;
 *   calls on one handle must not overlap (a progress callback and the abort and snapshot flags are the ways to reach a
 *   running launch).
 *   Functions that can fail return GCNSIM_OK (0) or a gcnsim_status that is also put, with a sentence naming the file,
 *   offset, argument or field and what was expected, into *error (which may be null). Outputs are written on success
 *   alone, unless said otherwise. A fault of the simulated program is not a failure of the call: it is in the result
 *   (result->outcome).
 *   The library never prints, exits or reads the environment.
 *   Strings are UTF-8, NUL-terminated. `const char *` results are borrowed from the handle that was asked;
 *   `char **` results belong to the caller and are released with gcnsim_free().
 *   Sizes are in bytes, grids and workgroups in work-items unless said otherwise, times in shader clock cycles.
 *   Structs that the caller fills are prepared with their _init function, which zeroes what it does not set.
 *
 * Versions
 *   A program that was built with this header runs with any library of the same soname (libgcnsim.so.0), older or
 *   newer, that has the functions it calls. Later versions of that soname add functions, values of enumerations, and
 *   fields at the end of the structs that begin with struct_bytes; nothing else of this header changes. struct_bytes is
 *   the size of the struct that the program was built with; _init sets it. A newer library gives the fields that a
 *   smaller struct does not have the values that _init gives them. An older one refuses a larger struct with
 *   GCNSIM_ERROR_UNSUPPORTED when a field that it does not know is not 0, and takes it otherwise. A size that no
 *   version has is GCNSIM_ERROR_USAGE. The _init functions of these structs are inline, because the size is the
 *   program's; bindings from other languages call the exported _init_sized.
 */
#ifndef GCNSIM_H
#define GCNSIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GCNSIM_API __attribute__((visibility("default")))
#else
#define GCNSIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------------------------------------------- */

enum gcnsim_status {
    GCNSIM_OK = 0,
    GCNSIM_ERROR_IO,          /* the operating system refused: open, read, write */
    GCNSIM_ERROR_FORMAT,      /* malformed input: ELF, metadata, bundle, JSON */
    GCNSIM_ERROR_USAGE,       /* the request makes no sense: wrong argument, size, name */
    GCNSIM_ERROR_UNSUPPORTED, /* valid input that gcnsim does not model */
    GCNSIM_ERROR_NOMEM,       /* host memory exhausted */
    GCNSIM_ERROR_FAULT,       /* the simulated program did something wrong (gcnsim_result_status(), gcnsim_compare()) */
    GCNSIM_ERROR_LIMIT,       /* more than a limit allows: of memory, set by the caller, or one of a format */
    GCNSIM_ERROR_INTERRUPTED, /* the caller asked to stop (likewise) */
    GCNSIM_ERROR_RUN_LIMIT,   /* the simulated program reached max_cycles or max_instructions (likewise) */
};

struct gcnsim_error {
    int code;       /* enum gcnsim_status */
    char text[640]; /* empty when code is GCNSIM_OK */
};

/* "0.1.0" */
GCNSIM_API const char *gcnsim_version(void);

/* Releases memory returned through a `char **`. Null is fine. */
GCNSIM_API void gcnsim_free(void *p);

/* ---- code objects: inspection -------------------------------------------------------------------------------- */

struct gcnsim_code; /* an opened amdgcn code object; immutable, so it may be read from several threads */

/* Reads an amdgcn ELF or a clang offload bundle (plain or zstd-compressed). `bytes` is copied. `name` stands in
 * messages (null: "memory"). want_target: processor or target id ("gfx90a", "gfx90a:xnack-") to choose in a bundle and
 * to insist on otherwise; null accepts what is there, and is an error listing the entries when a bundle holds several.
 */
GCNSIM_API int gcnsim_code_open_memory(struct gcnsim_code **out, const void *bytes, size_t size, const char *name,
                                       const char *want_target, struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_open_file(struct gcnsim_code **out, const char *path, const char *want_target,
                                     struct gcnsim_error *error);
GCNSIM_API void gcnsim_code_close(struct gcnsim_code *code); /* null is fine */

/* The same with a limit of memory. */
struct gcnsim_code_source {
    size_t struct_bytes;     /* set by gcnsim_code_source_init; see Versions above */
    const char *path;        /* of a file; null: bytes */
    const void *bytes;       /* copied */
    size_t size;             /* of bytes */
    const char *name;        /* of bytes, for messages; null: "memory" */
    const char *want_target; /* as above */
    uint64_t max_memory;     /* bytes; 0: no limit. Initially GCNSIM_DEFAULT_MAX_MEMORY, as it is in the calls above */
};
GCNSIM_API void gcnsim_code_source_init_sized(struct gcnsim_code_source *s, size_t struct_bytes);
static inline void gcnsim_code_source_init(struct gcnsim_code_source *s)
{
    gcnsim_code_source_init_sized(s, sizeof *s);
}
GCNSIM_API int gcnsim_code_open(struct gcnsim_code **out, const struct gcnsim_code_source *source,
                                struct gcnsim_error *error);

struct gcnsim_code_info {
    const char *name;             /* path or name given at opening */
    const char *target;           /* target id with feature settings: "gfx90a:sramecc+:xnack-" */
    const char *processor;        /* "gfx90a" */
    uint32_t code_object_version; /* 3..6 */
    uint32_t kernel_count;
    uint32_t symbol_count;
};
GCNSIM_API void gcnsim_code_get_info(const struct gcnsim_code *code, struct gcnsim_code_info *info);

struct gcnsim_arg_info {
    const char *name;          /* "" when the metadata does not name it */
    const char *type_name;     /* "float*", "" when unknown */
    const char *value_kind;    /* "global_buffer", "by_value", "hidden_block_count_x", ... as in the metadata */
    const char *address_space; /* "global", "local", ..., "" when not a pointer */
    const char *access;        /* "read_only", ..., "" */
    uint32_t offset, size;     /* bytes in the kernarg segment */
    int hidden;                /* filled in by the runtime, not by the caller */
};

struct gcnsim_kernel_info {
    const char *name;     /* as given to gcnsim_launch */
    const char *symbol;   /* "name.kd" */
    uint64_t code_offset; /* of the first instruction, a virtual address in the code object */
    uint64_t code_size;   /* 0 when the symbol table does not say */
    uint32_t kernarg_size, kernarg_align;
    uint32_t group_segment_fixed_size;   /* static LDS */
    uint32_t private_segment_fixed_size; /* scratch per work-item */
    int uses_dynamic_stack;
    uint32_t wavefront_size;
    uint32_t vgprs, agprs, sgprs; /* that a wave may access; chips allocate more: see struct gcnsim_occupancy */
    uint32_t vgpr_count, agpr_count, sgpr_count, vgpr_spill_count, sgpr_spill_count; /* metadata; 0 without metadata */
    uint32_t max_flat_workgroup_size;                                                /* 0: not stated */
    uint32_t reqd_workgroup_size[3];                                                 /* 0: none required */
    int uniform_work_group_size;
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3;
    uint32_t kernel_code_properties;
    int has_metadata;            /* 0: arguments are unknown; a launch then takes kernarg bytes as they are */
    uint32_t arg_count;          /* explicit and hidden ones */
    uint32_t explicit_arg_count; /* how many a caller gives */
};

/* index < kernel_count. Returns non-zero (and leaves *info alone) past the end. */
GCNSIM_API int gcnsim_code_kernel(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info);
/* By name, with or without ".kd"; or else by what the name is in C++ ("vadd(float*, int)", "vadd"), or by a part of
 * either that no other kernel has. The error lists the kernels that match, or all there are. */
GCNSIM_API int gcnsim_code_find_kernel(const struct gcnsim_code *code, const char *name, uint32_t *index,
                                       struct gcnsim_error *error);
GCNSIM_API int gcnsim_code_kernel_arg(const struct gcnsim_code *code, uint32_t kernel, uint32_t index,
                                      struct gcnsim_arg_info *info);

enum gcnsim_symbol_type { GCNSIM_SYMBOL_KERNEL, GCNSIM_SYMBOL_FUNCTION, GCNSIM_SYMBOL_OBJECT };
struct gcnsim_symbol_info {
    const char *name;
    enum gcnsim_symbol_type type; /* KERNEL is the descriptor NAME.kd */
    uint64_t value, size;         /* virtual address in the code object */
};
GCNSIM_API int gcnsim_code_symbol(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info);
/* What else is known of a symbol: a sum of these; 0 past the end. */
enum gcnsim_symbol_flag {
    GCNSIM_SYMBOL_GLOBAL = 1,   /* other objects and programs may name it; its name is the only one of that kind */
    GCNSIM_SYMBOL_WRITABLE = 2, /* it lies in memory that is written to */
    GCNSIM_SYMBOL_ABSOLUTE = 4, /* its value is a number, and no address */
};
GCNSIM_API uint32_t gcnsim_code_symbol_flags(const struct gcnsim_code *code, uint32_t index);

/* The bytes of the ELF file that was opened: of a bundle, those of the entry that was chosen. */
GCNSIM_API const void *gcnsim_code_elf(const struct gcnsim_code *code, size_t *size);

/* Code bytes as they are in the file. index counts executable ranges; non-zero past the end. */
struct gcnsim_code_range {
    uint64_t address; /* virtual address in the code object */
    const uint8_t *bytes;
    uint64_t size;
};
GCNSIM_API int gcnsim_code_text(const struct gcnsim_code *code, uint32_t index, struct gcnsim_code_range *range);

/* The memory that a code object takes where it is loaded by the caller (gcnsim_launch_raw); gcnsim_load_file() and
 * gcnsim_load_memory() do all of this themselves. */
struct gcnsim_code_image {
    uint64_t address; /* the virtual address in the code object that its first byte has */
    uint64_t size;    /* in bytes */
    uint64_t align;   /* of the address at which it is placed; 4096 at least */
};
GCNSIM_API void gcnsim_code_get_image(const struct gcnsim_code *code, struct gcnsim_code_image *image);
/* Says where a symbol is that the code object uses and does not define: non-zero, with *address, when it is known. */
typedef int gcnsim_resolve_fn(void *ctx, const char *name, uint64_t *address);
/* Writes the image, relocated for `address`, to image.size bytes of zeros at `to`. resolve may be null; a symbol that
 * nobody defines, and that is not weak, is an error that names it. */
GCNSIM_API int gcnsim_code_place(const struct gcnsim_code *code, void *to, size_t size, uint64_t address,
                                 gcnsim_resolve_fn *resolve, void *ctx, struct gcnsim_error *error);

/* How many waves of a kernel fit, and what limits them. */
struct gcnsim_occupancy {
    uint32_t waves_per_simd;
    uint32_t workgroups_per_cu; /* of `cus` CUs together */
    uint32_t waves_per_workgroup;
    const char *limiter; /* "wave_slots", "vgprs", "sgprs", "lds", "barriers", "workgroup_size" (waves do not divide) */
    /* After rounding to the profile's granules; registers of a wave, LDS of a workgroup. vgprs_allocated includes
     * AccVGPRs where one register file holds both (gfx90a and later CDNA); agprs_allocated is then 0. */
    uint32_t vgprs_allocated, agprs_allocated, sgprs_allocated, lds_bytes_allocated;
    uint32_t cus; /* that a workgroup's waves may be on: those of a workgroup processor in WGP mode, else 1 */
};

/* For workgroups of `workgroup_items` (0: the largest the kernel allows, else 256) with dynamic_lds bytes more LDS, on
 * a profile (built-in name, target name or path; null: the default of the code object's target). */
GCNSIM_API int gcnsim_code_occupancy(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                     uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                     struct gcnsim_error *error);

/* ---- profiles ------------------------------------------------------------------------------------------------ */

struct gcnsim_profile_info {
    char name[64];   /* "gfx1201-rx9070xt" */
    char chip[96];   /* "AMD Radeon RX 9070 XT" */
    char target[24]; /* "gfx1201" */
    int is_default;  /* the one the bare target name means */
};

/* The built-in profiles, for index = 0, 1, ...; non-zero past the end. */
GCNSIM_API int gcnsim_profile_list(uint32_t index, struct gcnsim_profile_info *info);

/* One profile: built-in name, target name or path of a .json file. */
GCNSIM_API int gcnsim_profile_find(const char *profile, struct gcnsim_profile_info *info, struct gcnsim_error *error);

enum gcnsim_format { GCNSIM_TEXT, GCNSIM_JSON };

/* The resolved profile, each number with unit, source and confidence. profile: built-in name, target name or path of a
 * .json file. sets: "path=value" overrides applied first (may be null when set_count is 0). */
GCNSIM_API int gcnsim_profile_show(const char *profile, const char *const *sets, size_t set_count,
                                   enum gcnsim_format format, char **text, struct gcnsim_error *error);

/* The same for the rows that one of the patterns matches: a path, a group ("cache.l2"), or either with the wildcards of
 * fnmatch(3) ("cache.*"). A pattern that matches no row is an error; the message suggests the nearest path. */
GCNSIM_API int gcnsim_profile_show_matching(const char *profile, const char *const *sets, size_t set_count,
                                            const char *const *patterns, size_t pattern_count,
                                            enum gcnsim_format format, char **text, struct gcnsim_error *error);

/* ---- disassembly --------------------------------------------------------------------------------------------- */

struct gcnsim_disasm; /* the decode tables of one target; immutable */

/* target: processor name. The error lists the names known. */
GCNSIM_API int gcnsim_disasm_open(struct gcnsim_disasm **out, const char *target, struct gcnsim_error *error);
GCNSIM_API void gcnsim_disasm_close(struct gcnsim_disasm *d); /* null is fine */

/* Writes LLVM's text of the instruction at bytes[0..size) into text (always terminated, cut at text_size) and returns
 * its length in bytes (4..20), 0 when size < 4 bytes. Bytes that are no instruction of the target take 4 and are
 * written as ".long 0x...", and *known (may be null) is 0 then, 1 otherwise. */
GCNSIM_API size_t gcnsim_disasm_one(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size, char *text,
                                    size_t text_size, int *known);

/* i-th target name that gcnsim decodes; null past the end. */
GCNSIM_API const char *gcnsim_target_name(uint32_t index);

/* ---- what instructions there are ------------------------------------------------------------------------------ */

#define GCNSIM_ISA_MAX_OPERANDS 9

struct gcnsim_isa_operand {
    const char *field; /* of the encoding: "vdst", "src0", "saddr" ... */
    const char *type;  /* "F32", "B64", "MASK" ... */
    int read, write;
};

/* One instruction of a target. Strings are static or the disassembler's. */
struct gcnsim_isa_entry {
    const char *mnemonic; /* LLVM's, without _e32, _e64 ... */
    const char *format;   /* "VOP2", "SOPP" ... */
    uint32_t opcode;
    const char *unit;     /* pipeline class: what profiles key costs by */
    const char *forms[8]; /* "e32", "e64", "sdwa", "dpp", "dpp8", "e64_dpp", "e64_dpp8", "vopd" */
    uint32_t form_count;
    struct gcnsim_isa_operand operands[GCNSIM_ISA_MAX_OPERANDS];
    uint32_t operand_count;
    int executed; /* 0: decoded and disassembled; running it is a fault that says so */
    int tested;   /* gcnsim's own tests run it, in every form, and know what must come out */
    /* what it needs that gcnsim has no model of: "images" (samplers and rays too), "export" (interpolation too), "gds";
     * null: nothing */
    const char *beyond;
};

/* Instruction number `index` of the disassembler's target, by format and opcode; non-zero past the end. */
GCNSIM_API int gcnsim_isa_entry(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry);

/* Describes one instruction as text or JSON: for each of its meanings the encodings (targets, mnemonic, format, opcode,
 * forms, modifiers, wait counters raised), operands, implicit registers and pipeline class. name: a mnemonic of any
 * target ("v_max_num_f32"; a form suffix such as _e64 is ignored). target: null for all. profile: built-in name, target
 * name or path, or null; with it the encodings are those of its target, and the figures that decide the instruction's
 * timing follow with unit, confidence and source. An unknown name is GCNSIM_ERROR_USAGE; the message suggests the
 * nearest one. */
GCNSIM_API int gcnsim_isa_show(const char *name, const char *target, const char *profile, enum gcnsim_format format,
                               char **text, struct gcnsim_error *error);

/* ---- simulator and device memory ----------------------------------------------------------------------------- */

struct gcnsim; /* a profile, a device memory and what is loaded in it */

/* profile: built-in name ("gfx1201-rx9070xt"), target name ("gfx1201": its default chip) or path of a .json file. Null:
 * the default of the target that is loaded or launched first; targets without a profile then run functionally alone. */
GCNSIM_API int gcnsim_open(struct gcnsim **out, const char *profile, struct gcnsim_error *error);
GCNSIM_API void gcnsim_close(struct gcnsim *sim); /* modules and allocations go with it; null is fine */

/* Overrides one number of the profile: ("cu.wave_slots_per_simd", "8"). With a profile still open (null above) it is
 * kept and applied, and checked, when the profile is chosen. */
GCNSIM_API int gcnsim_set(struct gcnsim *sim, const char *path, const char *value, struct gcnsim_error *error);

/* The same for several "path=value" at once, checked together, so that values that hang together can change together;
 * all or none. */
GCNSIM_API int gcnsim_set_all(struct gcnsim *sim, const char *const *assignments, size_t count,
                              struct gcnsim_error *error);

/* The memory that a simulator may hold for what code objects, profiles, launch files and callers ask for: device
 * memory, files and tables of the loader, decompressed bundles, scratch, registers and LDS of resident waves, caches.
 * Counted is what is reserved, whether or not it has been touched (untouched memory costs the host nothing), so that a
 * request passes or fails alike on every host. What would pass the limit is GCNSIM_ERROR_LIMIT, with a message that
 * says what asked for how much. bytes 0: no limit. Takes effect for what is asked for from now on. */
#define GCNSIM_DEFAULT_MAX_MEMORY (UINT64_C(16) << 30)
GCNSIM_API void gcnsim_set_max_memory(struct gcnsim *sim, uint64_t bytes);

struct gcnsim_memory {
    uint64_t limit_bytes;
    uint64_t held_bytes; /* now */
    uint64_t peak_bytes; /* the most since gcnsim_open() */
};
GCNSIM_API void gcnsim_get_memory(const struct gcnsim *sim, struct gcnsim_memory *memory);

/* A simulator is a device that lives: caches, address translations, open DRAM rows and the clock outlive a launch of
 * the timing engine, and the next launch finds what the fences of both dispatches have left there. The first launch
 * finds everything cold. So does the next one after a launch that did not run to its end, after gcnsim_set(), and after
 * this call, with which the clock begins at 0 again; memory keeps its contents. dispatch.cold asks for a device of its
 * own for one launch, and leaves the simulator's alone. */
GCNSIM_API void gcnsim_device_reset(struct gcnsim *sim);
/* The cycles that the device's clock has counted, which s_memtime reads, up to the end of the last launch. */
GCNSIM_API uint64_t gcnsim_device_clock(const struct gcnsim *sim);

/* The caller has written memory of raw launches past the caches (gcnsim_write() says so itself): the device's lines of
 * [address, address + bytes) are dropped; bytes UINT64_MAX: all. */
GCNSIM_API void gcnsim_device_written(struct gcnsim *sim, uint64_t address, uint64_t bytes);

/* Name of the profile in use; null when none is chosen yet. */
GCNSIM_API const char *gcnsim_profile_name(const struct gcnsim *sim);

/* One number of the profile in use, by its path ("cu.simds", "gpu.shader_clock_mhz"), in the unit that
 * gcnsim_profile_show() prints. Non-zero, *value left alone, when no profile is chosen or it has no such number. */
GCNSIM_API int gcnsim_profile_number(const struct gcnsim *sim, const char *path, double *value);

/* Zero-filled device memory. Addresses are the same from run to run. bytes > 0; label (may be null; copied) names the
 * allocation in fault reports. Accesses of kernels are checked against its exact size. */
GCNSIM_API int gcnsim_alloc(struct gcnsim *sim, uint64_t bytes, const char *label, uint64_t *address,
                            struct gcnsim_error *error);
/* address: as returned by gcnsim_alloc. */
GCNSIM_API int gcnsim_dealloc(struct gcnsim *sim, uint64_t address, struct gcnsim_error *error);
/* Copy [address, address + bytes), which must lie in one allocation or loaded code object. A write drops the lines that
 * caches of the device have of it, as a copy engine does that writes memory behind them. */
GCNSIM_API int gcnsim_write(struct gcnsim *sim, uint64_t address, const void *from, size_t bytes,
                            struct gcnsim_error *error);
GCNSIM_API int gcnsim_read(struct gcnsim *sim, uint64_t address, void *to, size_t bytes, struct gcnsim_error *error);

/* ---- modules: code objects loaded in device memory ----------------------------------------------------------- */

struct gcnsim_module; /* belongs to its simulator; released by gcnsim_close or gcnsim_unload */

/* want_target null: the profile's target when a profile is chosen. A code object the profile cannot run is an error. */
GCNSIM_API int gcnsim_load_file(struct gcnsim *sim, struct gcnsim_module **out, const char *path,
                                const char *want_target, struct gcnsim_error *error);
GCNSIM_API int gcnsim_load_memory(struct gcnsim *sim, struct gcnsim_module **out, const void *bytes, size_t size,
                                  const char *name, const char *want_target, struct gcnsim_error *error);
GCNSIM_API void gcnsim_unload(struct gcnsim_module *module); /* null is fine */
/* The code object in it; lives as long as the module. */
GCNSIM_API const struct gcnsim_code *gcnsim_module_code(const struct gcnsim_module *module);
/* Device address of a symbol (a __device__ or __constant__ variable, say). size may be null. */
GCNSIM_API int gcnsim_module_symbol(const struct gcnsim_module *module, const char *name, uint64_t *address,
                                    uint64_t *size, struct gcnsim_error *error);

/* ---- arguments from text ------------------------------------------------------------------------------------- */

struct gcnsim_args; /* parsed arguments with their device buffers */

/* One SPEC per explicit argument of the kernel, in order:
 *   buf:BYTES  in:PATH  out:PATH:BYTES  inout:PATH:OUTPATH  buffer:NAME i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64:VALUE
 * bytes:HEX Buffers are zero-filled device allocations. Relative paths are relative to `directory` (null: the
 * process's). Wrong count, type or size is an error that names the argument, and so is a file to be written that cannot
 * be, or that another argument reads or writes too (inout:PATH:PATH is asked for and fine). For a kernel without
 * metadata the arguments are laid out one after the other at their natural alignment. Pointer arguments to LDS take the
 * plain size, "buf:BYTES". */
GCNSIM_API int gcnsim_args_parse(struct gcnsim_module *module, uint32_t kernel, const char *const *specs, size_t count,
                                 const char *directory, struct gcnsim_args **out, struct gcnsim_error *error);
/* Writes the `out` and `inout` buffers to their files, as gcnsim_write_file() does. Call after the launch. A failure
 * does not keep the others from being written; the error names all that failed. */
GCNSIM_API int gcnsim_args_write_outputs(const struct gcnsim_args *args, struct gcnsim_error *error);
/* The same for argument `index`; nothing is done, and GCNSIM_OK returned, when it has no file to be written. */
GCNSIM_API int gcnsim_args_write_output(const struct gcnsim_args *args, uint32_t index, struct gcnsim_error *error);
/* Device buffer of argument index; non-zero when that argument is not a buffer. */
GCNSIM_API int gcnsim_args_buffer(const struct gcnsim_args *args, uint32_t index, uint64_t *address, uint64_t *size);
GCNSIM_API void gcnsim_args_free(struct gcnsim_args *args); /* and its buffers; before gcnsim_close; null is fine */

struct gcnsim_buffers; /* device buffers with names, which the arguments of several launches share */

/* names and specs (buf:, in:, out: or inout:): count of each. They outlive the arguments that name them. */
GCNSIM_API int gcnsim_buffers_make(struct gcnsim *sim, const char *const *names, const char *const *specs, size_t count,
                                   const char *directory, struct gcnsim_buffers **out, struct gcnsim_error *error);
/* gcnsim_args_parse() with buffers for SPECs of the form buffer:NAME; buffers may be null. A file that is written must
 * not be used by others among the arguments and the buffers that go with the same `buffers`. */
GCNSIM_API int gcnsim_args_parse_shared(struct gcnsim_module *module, uint32_t kernel, const char *const *specs,
                                        size_t count, const char *directory, struct gcnsim_buffers *buffers,
                                        struct gcnsim_args **out, struct gcnsim_error *error);
/* The buffer of a name; non-zero when there is none. */
GCNSIM_API int gcnsim_buffers_find(const struct gcnsim_buffers *buffers, const char *name, uint64_t *address,
                                   uint64_t *size);
/* As gcnsim_args_write_output(), for the index-th of them. */
GCNSIM_API int gcnsim_buffers_write_output(const struct gcnsim_buffers *buffers, uint32_t index,
                                           struct gcnsim_error *error);
GCNSIM_API void gcnsim_buffers_free(struct gcnsim_buffers *buffers); /* before gcnsim_close; null is fine */

/* ---- launch files -------------------------------------------------------------------------------------------- */

/* The contents of a LAUNCH.json (docs/LAUNCH_FILES.md). All strings belong to the struct. */
struct gcnsim_launch_file {
    const char *path;      /* of the launch file */
    const char *directory; /* of the launch file; for gcnsim_args_parse */
    const char *file;      /* code object, resolved against directory */
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args; /* SPECs */
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    const char *arch;        /* null: not stated */
    const char *engine;      /* "timing", "functional"; null: not stated */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    uint64_t max_cycles, max_instructions; /* 0: not stated */
    uint32_t threads;                      /* 0: not stated */
    int check, perfect_memory;             /* 1: asked for */
};
/* An unknown key or a wrong type is an error naming file and key. */
GCNSIM_API int gcnsim_launch_file_open(struct gcnsim_launch_file **out, const char *path, struct gcnsim_error *error);
/* For launch files of strangers, which may name any path: an error unless every path in it (code object, files of
 * arguments to read and to write) lies in `directory` or below it, symbolic links and ".." followed, and its profile,
 * if it names one, is built in. Nobody else may change the folders between this call and the end of the run. */
GCNSIM_API int gcnsim_launch_file_confine(const struct gcnsim_launch_file *f, const char *directory,
                                          struct gcnsim_error *error);
GCNSIM_API void gcnsim_launch_file_close(struct gcnsim_launch_file *f); /* null is fine */

/* One launch of a file. */
struct gcnsim_listed_launch {
    const char *name; /* null: not stated */
    const char *file; /* code object, resolved against directory */
    const char *kernel;
    uint32_t grid[3], workgroup[3];
    const char *const *args; /* SPECs */
    size_t arg_count;
    uint32_t dynamic_lds_bytes;
    int acquire, release; /* enum gcnsim_fence; -1: not stated */
};
/* What a launch file says of launches: a list, or the one that the struct above has (is_list 0). A list's first launch
 * is in that struct, too. */
struct gcnsim_launch_list {
    int is_list;
    const struct gcnsim_listed_launch *launches;
    size_t launch_count; /* 1 at least */
    const char *const *buffer_names, *const *buffer_specs;
    size_t buffer_count;
    uint32_t repeat;        /* rounds; 0: not stated */
    uint32_t warmup_rounds; /* 0: not stated */
    int cold;               /* 1: asked for */
};
/* Lives as long as the launch file. */
GCNSIM_API const struct gcnsim_launch_list *gcnsim_launch_file_list(const struct gcnsim_launch_file *f);

/* ---- files that are written --------------------------------------------------------------------------------- */

struct gcnsim_dispatch; /* below */

/* A file that the caller of a launch reads or writes beside it. */
struct gcnsim_file {
    const char *path;  /* null: standard output */
    const char *label; /* for messages: "--json" */
    int written;
};

/* Checks the files of a dispatch (code object, arguments, traces) and of its caller together, before a run whose
 * results would have no place: each file that is written is a file that may be written in a folder that is there, and
 * is used in no other way, by any of its names. Devices may be given several times. gcnsim_launch() does this for its
 * own files. */
GCNSIM_API int gcnsim_check_files(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                                  const struct gcnsim_file *files, size_t count, struct gcnsim_error *error);

/* Writes a file whole or leaves it as it is: under a temporary name in the same folder, which is then renamed. Symbolic
 * links are followed, mode bits are kept. Devices, FIFOs and open files (/dev/stdout) are written in place. */
GCNSIM_API int gcnsim_write_file(const char *path, const void *bytes, size_t size, struct gcnsim_error *error);

/* Reads a file as gcnsim reads code objects: regular files, and pipes to their end. Folders, sockets, devices, FIFOs
 * that nobody writes to, and more than 2 GiB are errors. *bytes is to be released with gcnsim_free(). */
GCNSIM_API int gcnsim_read_file(const char *path, void **bytes, size_t *size, struct gcnsim_error *error);

/* ---- launch -------------------------------------------------------------------------------------------------- */

enum gcnsim_engine {
    GCNSIM_ENGINE_TIMING,     /* cycles and where they went; needs a profile */
    GCNSIM_ENGINE_FUNCTIONAL, /* results alone, as fast as possible */
};

/* Scopes of the fences of a dispatch, as in the header of an AQL packet (HSA_FENCE_SCOPE_*): what the caches do before
 * its first wave (acquire) and behind its last (release). docs/MEMORY.md says which. */
enum gcnsim_fence { GCNSIM_FENCE_NONE, GCNSIM_FENCE_AGENT, GCNSIM_FENCE_SYSTEM };

/* Called now and then from the launching thread or a worker, never at the same time twice; workgroups done of all.
 * Non-zero ends the run, which then reports what was done (GCNSIM_INTERRUPTED). */
typedef int gcnsim_progress_fn(void *ctx, uint64_t workgroups_done, uint64_t workgroups_total);

/* How far a launch has come; the library's, and valid during the call. */
struct gcnsim_progress {
    size_t struct_bytes; /* of the library's struct: fields behind it are not there */
    uint64_t workgroups_total, workgroups_done;
    uint64_t workgroups_running; /* begun and not done */
    uint64_t cycles;             /* timing engine: since the launch began; else 0 */
    uint64_t instructions;       /* wave-instructions so far, of all waves */
    /* Where the branch back is of the outermost loop of a wave that counts, a device address, and how much of what it
     * counts is left: it falls to 0 as the loop comes to its end. 0: not known. An estimate from scalar registers: it
     * is of some resident wave, and code may follow. */
    uint64_t loop_address, loop_left;
};
/* In place of gcnsim_progress_fn, with more facts; likewise. */
typedef int gcnsim_progress_facts_fn(void *ctx, const struct gcnsim_progress *progress);

struct gcnsim_snapshot; /* below: who is resident, and waits for what */

/* Gets a snapshot of a running launch, from the launching thread or a worker, never at the same time twice nor while a
 * progress callback runs. The snapshot holds during the call alone. */
typedef void gcnsim_snapshot_fn(void *ctx, const struct gcnsim_snapshot *snapshot);

struct gcnsim_dispatch {
    size_t struct_bytes; /* set by gcnsim_dispatch_init; see Versions above */
    uint32_t kernel;     /* index in the code object */
    enum gcnsim_engine engine;

    /* as in the AQL packet */
    uint32_t grid_size[3];               /* work-items, >= workgroup_size; the last workgroups may be partial */
    uint32_t workgroup_size[3];          /* work-items, product 1..1024 */
    uint32_t dynamic_group_segment_size; /* LDS bytes on top of the kernel's own */
    uint32_t private_segment_size;       /* scratch bytes per work-item; 0: what the kernel states (more only matters to
                                            a dynamic stack) */

    /* Explicit arguments: either `args`, or kernarg bytes (copied; hidden arguments past them are filled in from the
     * metadata). Neither: a kernel without explicit arguments. */
    const struct gcnsim_args *args;
    const void *kernarg;
    size_t kernarg_size;

    uint32_t threads;    /* host threads; 0: one */
    uint64_t max_cycles; /* 0: none. The functional engine counts no cycles, but a wave that ran more than this many
                            instructions has surely taken more cycles, and ends the run too */
    uint64_t max_instructions; /* wave-instructions over all waves; 0: none */
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    /* Polled while running; non-zero ends the run with the report so far. May be set from a signal handler. */
    const volatile int *abort_flag;
    int tick_every_cycle;     /* check mode of the timing engine: no time jumps; same numbers, slower */
    int perfect_memory;       /* timing engine: every access takes what a hit in the nearest cache takes */
    int check;                /* report what hardware would do wrong (result->findings): functional engine, most rules;
                               * timing engine, stale lines of caches */
    const char *command_line; /* how the run was asked for, for the report's record of it; may be null; copied */
    /* Files to be written from the timing engine's events, each "FORMAT=FILE" (gcnsim_trace_format). */
    const char *const *traces;
    size_t trace_count;
    /* Polled while running; when it is non-zero gcnsim sets it to 0 and calls `snapshot`, and the run goes on. May be
     * set from a signal handler. What a snapshot says is of one moment: of the timing engine the end of a cycle, of the
     * functional engine one at which all its threads have stopped. Both may be null; a run that ends by a limit, an
     * interruption or a deadlock has a snapshot of its end in result->snapshot anyway. */
    volatile int *snapshot_flag;
    gcnsim_snapshot_fn *snapshot;
    void *snapshot_ctx;
    int cold; /* timing engine: a fresh device for this launch alone (gcnsim_device_reset()) */
    enum gcnsim_fence acquire,
        release;         /* timing engine; of the agent initially, as HIP has them from kernel to kernel */
    int per_instruction; /* timing engine: count for each instruction, too (result->instructions) */
    /* Timing engine: result->samples is wanted, with intervals of so many cycles at first, rounded up to whole epochs
     * of the engine (some dozen cycles); 0: it is not. Changes no other number. */
    uint64_t samples;
    const struct gcnsim_att *att; /* timing engine: AMD's thread trace is wanted, too (gcnsim_views.h); may be null */
    const struct gcnsim_on_timeline *timeline; /* timing engine: what it is to write (gcnsim_views.h); null: nothing */
    gcnsim_progress_facts_fn *progress_facts;  /* called beside `progress`, which may be null then; may be null */
    void *progress_facts_ctx;
};

/* Trace format number `index`, from 0 on, and one line about it (`about` may be null); null past the last. */
GCNSIM_API const char *gcnsim_trace_format(size_t index, const char **about);

/* One work-item on the timing engine, the rest zero. */
GCNSIM_API void gcnsim_dispatch_init_sized(struct gcnsim_dispatch *d, size_t struct_bytes);
static inline void gcnsim_dispatch_init(struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init_sized(d, sizeof *d);
}

struct gcnsim_result; /* below */

/* Runs the dispatch to its end. *out (to be freed with gcnsim_result_free) is set on success, which includes runs that
 * ended by a fault, a limit or an interruption: see result->outcome. It is set, too, when the run was done and a trace
 * could not be written: then the call returns GCNSIM_ERROR_IO, and the error names all such traces. Otherwise it is
 * null. Files that cannot be written, or are both written and used otherwise, are an error before the run
 * (gcnsim_check_files). Traces get their names when the run is over, however it ended. */
GCNSIM_API int gcnsim_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                             struct gcnsim_result **out, struct gcnsim_error *error);

/* A wave has sent a message (s_sendmsg): its number (1: interrupt), M0, and what else it says: of an interrupt the user
 * data, which are M0[7:0] on gfx8 and M0[23:0] later, of others the bits of the instruction above the number. What the
 * wave has stored before can be seen. Called while the launch runs, never concurrently for one launch, on any of its
 * threads; on the timing engine in the order of simulated time. It may not call the launch's simulator. */
typedef void gcnsim_message_fn(void *ctx, uint32_t number, uint32_t m0, uint32_t data);

/* A stretch of the caller's memory that raw code may touch. */
struct gcnsim_range {
    uint64_t address, bytes;
    int writable;
    const char *label; /* for fault reports; may be null */
};

/* Host memory that stands at device addresses which are not its own: `bytes` from `host` on are at `address`. */
struct gcnsim_window {
    uint64_t address, host, bytes;
    int writable;
    const char *label; /* for fault reports; may be null */
};

/* Says what memory is at an address that is in no range that the launch was given: non-zero with *range, of memory that
 * was allocated while it runs. Called from any of the launch's threads, also at the same time. */
typedef int gcnsim_more_fn(void *ctx, uint64_t address, struct gcnsim_window *range);

/* Ranges and windows that many launches share, in order already: a launch with a thousand of them costs what one
 * without does. Immutable, so that any number of simulators may use it at the same time; it must outlive their
 * launches. No ranges: no checking, and windows take the place of the host's memory at their addresses. Otherwise
 * windows may overlap no range, nor one another. What is listed is copied. */
struct gcnsim_ranges;
GCNSIM_API int gcnsim_ranges_open(struct gcnsim_ranges **out, const struct gcnsim_range *ranges, size_t range_count,
                                  const struct gcnsim_window *windows, size_t window_count, struct gcnsim_error *error);
GCNSIM_API void gcnsim_ranges_close(struct gcnsim_ranges *ranges); /* null is fine */

/* Code that stays the same from launch to launch, decoded once, as far as waves come. Launches of any simulators may
 * use it, also at the same time; it must outlive them, and so must the bytes at `base`, which is a multiple of 4. The
 * memory of what is decoded counts against no simulator's limit. target: processor name. */
struct gcnsim_raw_code;
GCNSIM_API int gcnsim_raw_code_open(struct gcnsim_raw_code **out, const char *target, uint64_t base, uint64_t size,
                                    struct gcnsim_error *error);
/* Its bytes have changed: everything is decoded, and hashed for reports, anew. No launch may use it meanwhile. */
GCNSIM_API void gcnsim_raw_code_changed(struct gcnsim_raw_code *code);
GCNSIM_API void gcnsim_raw_code_close(struct gcnsim_raw_code *code); /* null is fine */

/* What the command processor reads when it starts a kernel from a packet: gcnsim_raw_set_kernel(). */
struct gcnsim_raw_kernel {
    size_t struct_bytes;         /* set by gcnsim_raw_kernel_init; see Versions above */
    const void *descriptor;      /* its 64 bytes */
    uint64_t descriptor_address; /* that the entry is relative to */
    /* Device addresses and numbers that kernels find in user SGPRs; of a queue that is not there 0 will do. */
    uint64_t dispatch_ptr, queue_ptr, kernarg_address, dispatch_id;
    uint32_t private_segment_bytes, group_segment_bytes; /* of the packet; at least the descriptor's are taken */
};
GCNSIM_API void gcnsim_raw_kernel_init_sized(struct gcnsim_raw_kernel *k, size_t struct_bytes);
static inline void gcnsim_raw_kernel_init(struct gcnsim_raw_kernel *k)
{
    gcnsim_raw_kernel_init_sized(k, sizeof *k);
}

/* Raw code in the caller's address space: the device address of what the caller owns (code, kernarg, buffers, scratch)
 * is its host address. Caches, DRAM channels and TLBs go by addresses, so cycles are the same from run to run when
 * these addresses are (mmap at fixed ones, for example); results never depend on them unless the code computes with
 * them. Memory that gcnsim brings (scratch) has fixed device addresses from 0x800000000000 on, past the user addresses
 * of x86-64. */
struct gcnsim_raw {
    size_t struct_bytes; /* set by gcnsim_raw_init; see Versions above */
    const char *target;  /* processor name */
    enum gcnsim_engine engine;
    uint64_t entry;                /* address of the first instruction, a multiple of 4 */
    uint64_t code_base, code_size; /* readable code bytes around entry; base a multiple of 4. code_base 0: from entry */
    uint32_t workgroups[3];
    uint32_t workgroup_size[3];
    uint32_t wave_size;                                               /* 32 or 64 */
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3; /* for this target, as in a kernel descriptor */
    const uint32_t *user_sgprs; /* s0.. as the command processor would set them; at most as many as RSRC2 says,
                                   the rest are 0 */
    uint32_t user_sgpr_count;
    uint64_t kernarg_address; /* put in s[0:1] when user_sgprs is null; otherwise only named in reports */
    uint32_t lds_bytes;       /* all LDS of a workgroup */
    uint32_t scratch_bytes_per_lane;
    /* Memory for scratch: waves use slots of wave_size * scratch_bytes_per_lane rounded up to 1024 bytes, swizzled as
     * the hardware does. scratch_size 0 with a base: room for every wave of the launch. Base 0: gcnsim brings it,
     * at a device address that is no host address. */
    uint64_t scratch_base, scratch_size;
    const struct gcnsim_range *ranges; /* valid memory, code and scratch aside, kernarg included; none: no
                                        checking */
    size_t range_count;
    uint32_t threads;
    uint64_t max_instructions, max_cycles; /* 0: none */
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
    int tick_every_cycle;
    /* Bases of the 4 GiB windows through which flat addresses reach LDS and scratch, low words 0; 0: gcnsim's own,
     * 0x1000000000000 and 0x2000000000000. */
    uint64_t shared_aperture, private_aperture;
    int check;                    /* as in struct gcnsim_dispatch */
    const char *command_line;     /* likewise */
    volatile int *snapshot_flag;  /* as in struct gcnsim_dispatch */
    gcnsim_snapshot_fn *snapshot; /* likewise */
    void *snapshot_ctx;
    int cold;                           /* likewise */
    enum gcnsim_fence acquire, release; /* likewise */
    const struct gcnsim_raw_code *code; /* holds the entry; null: code_base, code_size. It brings the target, which may
                                           be null then, and is decoded already */
    const struct gcnsim_ranges *range_set; /* valid memory, in place of ranges and windows */
    const struct gcnsim_window *windows;   /* host memory at other device addresses; code is at its own */
    size_t window_count;
    const struct gcnsim_raw_kernel *kernel; /* user SGPRs come from this one in place of user_sgprs and
                                               kernarg_address, and lds_bytes is rounded up as the chip does */
    gcnsim_more_fn *more;                   /* null: ranges are all there is */
    void *more_ctx;
    gcnsim_message_fn *message; /* null: messages go nowhere */
    void *message_ctx;
    uint32_t grid_size[3]; /* work-items, at least a workgroup: the last workgroup of a dimension may be partial. All 0:
                              whole workgroups, as many as `workgroups` says; otherwise `workgroups` is not looked at */
    int cooperative;     /* all workgroups are to be resident at once: GCNSIM_ERROR_UNSUPPORTED, which names the number,
                            when there is no room for them */
    int per_instruction; /* as in struct gcnsim_dispatch; launches of a feed that differ in it do not overlap */
    uint64_t samples;    /* as in struct gcnsim_dispatch */
    const struct gcnsim_att *att; /* likewise; the launch then has the device to itself */
    /* The code object that the code is of, for names of functions and source lines in traces, and where its image is
     * (gcnsim_code_place()). Null: not known. */
    const struct gcnsim_code *object;
    uint64_t object_address;
    const char *kernel_name;                   /* in traces; null: "raw" */
    const struct gcnsim_on_timeline *timeline; /* likewise; launches of a feed overlap that are on the same one */
    gcnsim_progress_facts_fn *progress_facts;  /* as in struct gcnsim_dispatch */
    void *progress_facts_ctx;
};

/* One workgroup of one work-item on the functional engine, the rest zero. */
GCNSIM_API void gcnsim_raw_init_sized(struct gcnsim_raw *r, size_t struct_bytes);
static inline void gcnsim_raw_init(struct gcnsim_raw *r)
{
    gcnsim_raw_init_sized(r, sizeof *r);
}
/* An empty range. */
GCNSIM_API void gcnsim_range_init(struct gcnsim_range *r);

/* Makes *raw a launch of a kernel: sets entry, wave_size, compute_pgm_rsrc1..3, lds_bytes, scratch_bytes_per_lane and
 * `kernel` from k, for the target of raw->code or raw->target, which must be set before. k must stay as it is until the
 * launch is over, because user SGPRs are made when it is known where scratch lies: all that the descriptor enables, in
 * their order (private segment buffer, dispatch, queue and kernarg pointers, dispatch id, flat scratch, private segment
 * size), and preloaded kernarg, which is read from kernarg_address. The rest of *raw is left alone. */
GCNSIM_API int gcnsim_raw_set_kernel(struct gcnsim_raw *raw, const struct gcnsim_raw_kernel *k,
                                     struct gcnsim_error *error);

/* As gcnsim_launch. Without raw->code, code is decoded anew at each launch, so it may have been changed in between. */
GCNSIM_API int gcnsim_launch_raw(struct gcnsim *sim, const struct gcnsim_raw *raw, struct gcnsim_result **out,
                                 struct gcnsim_error *error);

/* ---- launches that overlap ----------------------------------------------------------------------------------- */

/* Raw launches of several queues on the simulator's device, on the timing engine: their workgroups are resident
 * together, share caches and memory, and may wait for one another. A feed is the command processor: it hands launches
 * in and is told of their ends. Its functions are called on the thread that is in gcnsim_run_feed(), never at the same
 * time, while simulated time stands still. Cycles count the device's shader clock (gcnsim_device_clock()), which goes
 * on where the last launch has left it.
 *
 * Each launch counts for itself what its waves do; caches, translations, memory and fabric are counted from its first
 * cycle to its last whoever used them. A launch that faults, or reaches a limit, while others run loses its waves, and
 * the others go on. A launch with `check` has the device to itself and waits for the others, as later ones do for it.
 */
struct gcnsim_feeding;
#define GCNSIM_FEED_NEVER UINT64_MAX

struct gcnsim_feed {
    size_t struct_bytes; /* set by gcnsim_feed_init; see Versions above */
    void *ctx;
    /* Called first; when the clock has come to the cycle answered last; when a launch has ended; when *attention is not
     * 0; and when nothing is left to do (idle: no wave can go on by itself). Hands in launches with gcnsim_feed_raw()
     * and answers the cycle in which it wants to be called again at the latest, GCNSIM_FEED_NEVER for the next of the
     * other occasions. The run ends when nothing is in flight, nothing is handed in and the answer is
     * GCNSIM_FEED_NEVER. It may take its time, and may call gcnsim_device_written(). */
    uint64_t (*ask)(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle);
    /* A launch has ended in cycle `now`: last wave, release, launch.after_ns. result is the callee's, to be freed with
     * gcnsim_result_free(); null when the launch could not be run, as *error says. Both are there when a trace of the
     * launch could not be written; otherwise error is null. */
    void (*ended)(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *error);
    /* Polled about every hundred cycles, from the thread of the run; any other may set it. `ask` sets it to 0. May be
     * null. */
    const volatile int *attention;
};
GCNSIM_API void gcnsim_feed_init_sized(struct gcnsim_feed *f, size_t struct_bytes);
static inline void gcnsim_feed_init(struct gcnsim_feed *f)
{
    gcnsim_feed_init_sized(f, sizeof *f);
}

/* From `ask` alone: a launch begins in cycle `start`, or now if that is over. *raw is copied; what it points to has to
 * stay as it is until the launch ends. It takes the timing engine; `cold` is an error. id: for `ended`, which is not
 * called when this fails. */
GCNSIM_API int gcnsim_feed_raw(struct gcnsim_feeding *to, const struct gcnsim_raw *raw, uint64_t start, void *id,
                               struct gcnsim_error *error);

/* Runs until the feed has nothing more. */
GCNSIM_API int gcnsim_run_feed(struct gcnsim *sim, const struct gcnsim_feed *feed, struct gcnsim_error *error);

/* ---- results ------------------------------------------------------------------------------------------------- */

enum gcnsim_outcome {
    GCNSIM_COMPLETED,
    GCNSIM_FAULTED,     /* result->fault says what */
    GCNSIM_LIMIT,       /* max_cycles or max_instructions */
    GCNSIM_INTERRUPTED, /* abort flag or progress callback */
};

/* A fault of the simulated program. */
struct gcnsim_fault {
    const char *kind;        /* "memory", "illegal", "unimplemented", "pc", "align", "lds", "register", "trap", "other",
                                "deadlock", "halt" */
    uint64_t pc;             /* device address of the instruction */
    uint64_t pc_offset;      /* the same as a virtual address in the code object; raw: from code_base; UINT64_MAX: of a
                              * pc that went elsewhere */
    const char *instruction; /* its text; "" when undecodable */
    int lane;                /* -1: not about one lane */
    uint64_t address;        /* memory faults */
    uint32_t bytes;
    int write;
    uint32_t workgroup[3];
    uint32_t wave;       /* in its workgroup */
    const char *nearest; /* where the address lies with respect to the allocations; "" when not about memory */
    const char *message; /* one sentence with all of the above */
    const char *source;  /* "file:line" of the instruction, from the code object's debug information; null: unknown */
};

/* One row of the statistics table; docs/REPORT.md has all of them. */
struct gcnsim_stat {
    const char *name;        /* "cache.l2.misses" */
    const char *unit;        /* "requests", "bytes", "cycles", "share" ... */
    const char *scope;       /* what it belongs to: "run", "instructions", "stall_cycles", "lds", "cache.l2", "dram",
                                "fabric", "translation" */
    const char *description; /* one sentence */
    int present;             /* 0: this run does not have it; the value is 0 then */
    double value;            /* counts are whole numbers, exact up to 2^53 */
};

/* Row `index` of the table, without a run (nothing is present); non-zero past the end. */
GCNSIM_API int gcnsim_stat_info(uint32_t index, struct gcnsim_stat *stat);

/* Lines evicted from a cache, by the hint of the access that brought them or last wrote them. */
struct gcnsim_eviction {
    const char *cache; /* "vl0", "k", "i", "gl1", "l2", "mall" */
    const char *scope; /* "cu", "se", "dev", "sys" */
    const char *hint;  /* "rt", "nt", "ht", "lu" (stores: "rt_wb"), "nt_rt", "rt_nt", "nt_ht", "nt_wb" */
    uint64_t lines;
};

/* Memory accesses of one instruction of the program, over all its executions: count, lines, bytes, lds_count,
 * bank_conflict_cycles, address_conflict_cycles (scope "memory_instructions"). */
struct gcnsim_memory_instruction {
    uint64_t pc, pc_offset;
    const char *instruction;
    const struct gcnsim_stat *stats;
    size_t stat_count;
};

/* What one instruction of the program did, over all waves: values[c] is in the column that gcnsim_instruction_column()
 * describes. Columns: executed, lanes, latencies, latency_cycles, latency_max_cycles, what is known of the distances
 * between lanes (uniform, strided, stride_max_bytes), cycles.REASON for each stall reason ("cycles.issued",
 * "cycles.wait_vmcnt" ...), answered.LEVEL (line requests by the level that has answered: "answered.l2",
 * "answered.memory"), and those of a memory instruction. A wave's cycles belong to the instruction that it has yet to
 * issue; but an issue slot, and the cycles behind a branch, a barrier, s_nop, s_sleep and the end of a wave, belong to
 * the instruction that has issued. So the sum of "cycles.REASON" over all instructions is the run's
 * "stall_cycles.REASON". */
struct gcnsim_instruction {
    uint64_t pc, pc_offset; /* as in struct gcnsim_fault */
    const char *instruction;
    const uint64_t *values;
};

/* Column `index` without a run (nothing is present); non-zero past the end. */
GCNSIM_API int gcnsim_instruction_column(uint32_t index, struct gcnsim_stat *column);
/* The column of a name; non-zero, *index left alone, when there is none. */
GCNSIM_API int gcnsim_instruction_find_column(const char *name, uint32_t *index);

/* Code that computes the right thing here and might not on hardware: a wait or a wait state that is missing, a register
 * or LDS byte read that nobody wrote. Each pc and rule is reported once. docs/CHECK.md lists the rules. */
struct gcnsim_finding {
    const char *rule; /* "wait.read", "undefined.vgpr", "states.valu-vcc-div-fmas" ... */
    uint64_t pc, pc_offset;
    const char *instruction;
    int lane; /* -1: not about one lane */
    uint32_t workgroup[3];
    uint32_t wave;       /* in its workgroup */
    uint64_t count;      /* how often it was met */
    const char *message; /* what is wrong */
    const char *fix;     /* what would make it right: "s_waitcnt vmcnt(0) before it" */
    const char *source;  /* as in struct gcnsim_fault */
};

/* Resident waves that wait at one pc for one reason. The details are those of one of them, the example: of the timing
 * engine the one that has not issued for the longest time, of the functional engine the one that has run least. */
struct gcnsim_snapshot_row {
    uint64_t waves, workgroups;
    uint64_t pc, pc_offset;  /* as in struct gcnsim_fault; of a wave at a barrier or asleep that instruction's, else of
                                the next one to issue */
    const char *instruction; /* "" when there is none */
    const char *source;      /* "file:line"; null: unknown */
    const char *reason;      /* timing: a stall reason (docs/REPORT.md); functional: "ready", "barrier", "sleep",
                              * "polling" */
    uint64_t since;          /* timing: cycle from which on it has not issued; functional: instructions it has run */
    const char *waits_for;   /* a text with what follows; "" when the reason says it all */
    uint32_t workgroup[3], wave;

    const char *counter;                   /* the wait counter, "loadcnt" ...; null: none */
    uint32_t counter_value, counter_bound; /* it goes on when the value is down at the bound */
    uint64_t oldest_pc, oldest_offset;     /* of the oldest operation that the counter counts; UINT64_MAX: unknown */
    const char *oldest_instruction;        /* null: unknown */
    uint32_t oldest_accesses;              /* of it that have not come back; */
    uint32_t oldest_queued;                /* lines of it that have not left the compute unit */

    const char *oldest_level; /* where the first of its other accesses is, or to or from where it is on its
                                 way: "vl0", "l2", "dram" ...; null: unknown */

    int has_barrier;
    uint32_t barrier;          /* 0: the workgroup's, else the number of a named one */
    uint32_t arrived, members; /* signals so far, and needed */
    uint32_t ended;            /* waves of the workgroup */
    const uint32_t *missing;   /* resident waves that have not arrived, by their numbers */
    size_t missing_count;

    int has_memory; /* it polls memory: */
    uint64_t address, value;
    uint32_t bytes;
};

/* What a run is doing at a moment. */
struct gcnsim_snapshot {
    enum gcnsim_engine engine;
    uint64_t cycle;        /* 0 in the functional engine */
    uint64_t instructions; /* wave-instructions executed */
    uint64_t workgroups, workgroups_done, workgroups_resident, workgroups_not_started;
    uint64_t waves_resident;
    const struct gcnsim_snapshot_row *rows; /* those with the most waves first */
    size_t row_count;
};

/* The snapshot for people, with at most 16 rows, the others counted; and all of it as one JSON object. */
GCNSIM_API int gcnsim_snapshot_text(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_snapshot_json(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);

/* What a statistic was over time: a value for each interval of the samples. */
struct gcnsim_series {
    const char *name; /* "cache.l2.misses" */
    const char *unit, *scope, *description;
    int is_mean; /* a number of things (waves, entries) in the mean over the interval; else a count in it, and the
                  * sum over all intervals is that of the run */
    const double *values; /* gcnsim_samples.count of them */
};

/* Samples of a run: up to 1024 intervals, one behind the other, which hold every cycle of it. When there would be more,
 * neighbours are merged and the interval doubles. What waves do is the launch's own; caches, queues and memory count
 * what the device does. Series that the run does not have are left out. */
struct gcnsim_samples {
    uint64_t interval_cycles;
    uint64_t first_cycles, last_cycles; /* lengths of the first and the last interval */
    size_t count;
    const struct gcnsim_series *series;
    size_t series_count;
};

/* What kept a run from being faster; docs/REPORT.md states the rule. */
struct gcnsim_limiter {
    const char *limit_class; /* "compute", "bandwidth", "latency", "issue", "size" */
    const char *resource;    /* "valu", "l2", "dram", "barrier" ... */
    double share;            /* that the verdict gives in percent: of the peak, of wave-cycles, or of time */
    const char *verdict;     /* one sentence, without its full stop */
    const char *within;      /* "size": the same about the compute units that have waves; else null */
};

/* A finished run. All memory, strings included, belongs to the result. Parts of the report that a run does not have are
 * said so by the has_ fields (null in JSON). */
struct gcnsim_result {
    enum gcnsim_outcome outcome;
    const char *message;        /* why it ended early; "" when completed */
    const char *target;         /* processor */
    const char *profile;        /* null: none */
    const char *engine;         /* "timing", "functional" */
    const char *kernel;         /* raw: "raw" */
    uint32_t grid[3];           /* work-items */
    uint32_t workgroup[3];      /* work-items */
    uint64_t workgroups, waves; /* of the dispatch */

    /* The whole statistics table, in its order; gcnsim_result_stat() finds a row by its name. */
    const struct gcnsim_stat *stats;
    size_t stat_count;

    /* Provenance. Overrides: profile figures set to other values ("cu.lds_banks=16"), and options of the run that
     * change what is simulated or how far ("perfect_memory", "max_cycles=1000"). Hashes are hexadecimal SHA-256: of the
     * code object (raw: of the code bytes), and of the profile with its overrides ("": no profile). */
    const char *const *overrides;
    size_t override_count;
    const char *code_sha256, *profile_sha256;
    const char *command_line; /* as the dispatch had it; null: not given */

    int has_occupancy; /* needs a profile */
    struct gcnsim_occupancy occupancy;

    int has_evictions; /* there are caches */
    const struct gcnsim_eviction *evictions;
    size_t eviction_count;

    int has_memory_instructions;
    const struct gcnsim_memory_instruction *memory_instructions; /* the heaviest, by pc */
    size_t memory_instruction_count;
    uint64_t memory_instructions_left_out;

    uint32_t host_threads;
    double host_seconds;
    double wave_instructions_per_second;

    int has_fault;
    struct gcnsim_fault fault;

    /* Who was resident at the end of a run that ended by a limit, an interruption or a deadlock; null: of another one,
     * or there was no memory for it. */
    const struct gcnsim_snapshot *snapshot;

    int has_check;                         /* it was asked for */
    const struct gcnsim_finding *findings; /* by pc */
    size_t finding_count;

    int has_instructions;                          /* dispatch.per_instruction was asked for, of the timing engine */
    const struct gcnsim_instruction *instructions; /* those that a wave has come to, by pc */
    size_t instruction_count;

    const struct gcnsim_samples *samples; /* null: none were asked for */
    const struct gcnsim_limiter *limiter; /* null: functional engine */
};

/* The value of a statistic by its name, "cache.l2.misses". Non-zero, *value left alone, when there is no such statistic
 * or the run does not have it. */
GCNSIM_API int gcnsim_result_stat(const struct gcnsim_result *result, const char *name, double *value);
/* The same for a memory instruction: "lines". */
GCNSIM_API int gcnsim_memory_instruction_stat(const struct gcnsim_memory_instruction *instruction, const char *name,
                                              double *value);

/* GCNSIM_OK, GCNSIM_ERROR_FAULT, _RUN_LIMIT or _INTERRUPTED. */
GCNSIM_API int gcnsim_result_status(const struct gcnsim_result *result);
/* One JSON object with the keys of the report, indented, ended by a newline. */
GCNSIM_API int gcnsim_result_json(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
/* The human report, at most 80 columns where names and instructions are not longer, ended by a newline. */
GCNSIM_API int gcnsim_result_text(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
/* The statistics that the run has, one a line: "name,unit,value" after a line with these words. */
GCNSIM_API int gcnsim_result_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_result_free(struct gcnsim_result *result); /* null is fine */

/* ---- several launches, one after the other --------------------------------------------------------------------- */

/* One launch of a sequence. */
struct gcnsim_sequence_item {
    const struct gcnsim_result *result;
    const char *name; /* of the launch in its list; null: its kernel's */
    uint32_t launch;  /* its place in the list, from 0 on */
    uint32_t round;   /* from 0 on, those of the warm-up apart */
    int warmup;       /* it is of a warm-up round */
};

/* The results of a list of launches that was run in rounds on one device, in the order in which they ran; those of the
 * warm-up need not be there. */
struct gcnsim_sequence {
    uint32_t warmup_rounds, rounds; /* that were asked for */
    int cold;                       /* each launch had a device of its own */
    const struct gcnsim_sequence_item *items;
    size_t count;
};

/* The steady launch of place `launch` in the list: of its launches that ran to their end, outside the warm-up, the one
 * whose cycles are the median (of an even number the lower one; the first of equal ones); without cycles (functional
 * engine) the last. Non-zero when there is none. *index is in sequence->items. */
GCNSIM_API int gcnsim_sequence_steady(const struct gcnsim_sequence *sequence, uint32_t launch, size_t *index);
/* One JSON object with the reports of all launches and a summary of the steady ones; a table of all launches and the
 * reports of the steady ones; lines of "launch,round,name,unit,value". docs/REPORT.md has the details. */
GCNSIM_API int gcnsim_sequence_json(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_text(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_sequence_csv(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);

/* A text as the JSON above has it: in quotes, with what is no UTF-8 replaced (names of kernels and files may be any
 * bytes); null gives null. */
GCNSIM_API int gcnsim_json_string(const char *text, char **json, struct gcnsim_error *error);

/* Of names[0..count) the place of the one that `wanted` is most likely meant to be, by its letters: what messages
 * suggest
 * ("did you mean ...?"). count when none is near enough. */
GCNSIM_API size_t gcnsim_nearest_name(const char *wanted, const char *const *names, size_t count);

/* ---- comparing sequences -------------------------------------------------------------------------------------- */

/* Puts a sequence of instructions into a loop that can be measured. code: assembled and linked from text without a
 * kernel, instructions alone; they are repeated whole, or from the label "loop" on when there is one (what stands
 * before it runs once). name (null: the name given at opening) is for messages. wave_size: 32, 64, or 0 for the
 * target's usual. *text is an assembly file; assembled and linked for the same target it is an item of
 * gcnsim_compare().
 *
 * The sequence finds s[0:1] = address of a buffer of 1 MiB that is private to the run, s2 = number of the wave,
 * v0 = 4 * lane, every other VGPR it names = 0x3c003c00 (1.0 in both halves), other registers 0, EXEC full, and 1 KiB
 * of LDS when it has LDS or flat instructions. Behind the last repetition in the loop are waits for the counters that
 * it raises. The loop keeps its count in an SGPR that the sequence does not name, and writes SCC. */
GCNSIM_API int gcnsim_compare_wrap(const struct gcnsim_code *code, const char *name, uint32_t wave_size, char **text,
                                   struct gcnsim_error *error);

/* The same from an assembled object that is not linked (clang -c), as a code object at once: an item of
 * gcnsim_compare() that needs no assembler again. What the object refers to elsewhere does not matter. */
struct gcnsim_loop_source {
    size_t struct_bytes;     /* set by gcnsim_loop_source_init; see Versions above */
    const void *object;      /* ET_REL */
    size_t size;             /* of the object, in bytes */
    const char *name;        /* for messages; null: "memory" */
    const char *begin, *end; /* symbols around a part of the code; end null: up to the end of its section; both null:
                              * all of the code, which is then instructions alone */
    uint32_t wave_size;      /* as above */
};
GCNSIM_API void gcnsim_loop_source_init_sized(struct gcnsim_loop_source *s, size_t struct_bytes);
static inline void gcnsim_loop_source_init(struct gcnsim_loop_source *s)
{
    gcnsim_loop_source_init_sized(s, sizeof *s);
}
/* *bytes is freed with gcnsim_free(). A part between two symbols may be any code, of a kernel for instance: its
 * instructions run in the order in which they stand, each once in an iteration. A branch goes on behind itself, what
 * ends the wave or goes to code elsewhere becomes s_nop (and falls away at the part's end), and every address that it
 * reads or writes is valid. */
GCNSIM_API int gcnsim_compare_loop(const struct gcnsim_loop_source *source, void **bytes, size_t *size,
                                   struct gcnsim_error *error);
/* The same as assembly text, for reading and keeping; freed with gcnsim_free(). */
GCNSIM_API int gcnsim_compare_loop_text(const struct gcnsim_loop_source *source, char **text,
                                        struct gcnsim_error *error);
/* Whether an assembled object that is not linked has a kernel, and the name of the first. */
GCNSIM_API int gcnsim_object_kernel(const void *object, size_t size, char name[256]);

/* One of the things to compare: a code object made of a text from gcnsim_compare_wrap(), or one with a kernel. */
struct gcnsim_compare_item {
    const char *label;
    const void *bytes; /* of the code object */
    size_t size;
    /* of kernels alone */
    const char *kernel;         /* null: the only one there is */
    uint32_t workgroup_size[3]; /* work-items; all 0: what the kernel requires, else one wave */
    const char *const *args;    /* SPECs (gcnsim_args_parse); null: a buffer of 1 MiB for each pointer, zeros for */
    size_t arg_count;           /* the rest */
    const char *directory;      /* of the SPECs' paths */
};

struct gcnsim_compare_options {
    size_t struct_bytes;     /* set by gcnsim_compare_options_init; see Versions above */
    const char *profile;     /* name, target or path; null: the default of the first item's target */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    uint32_t max_waves;                    /* per SIMD; 0: as many as fit */
    uint64_t max_instructions, max_cycles; /* of each run; 0: 100 million wave-instructions, no limit of cycles */
    gcnsim_progress_fn *progress;          /* thousandths of an item that are done, of all */
    void *progress_ctx;
    const volatile int *abort_flag;
    uint64_t max_memory; /* bytes, of each simulator that runs an item (gcnsim_set_max_memory); 0: the default */
};

GCNSIM_API void gcnsim_compare_options_init_sized(struct gcnsim_compare_options *o, size_t struct_bytes);
static inline void gcnsim_compare_options_init(struct gcnsim_compare_options *o)
{
    gcnsim_compare_options_init_sized(o, sizeof *o);
}
/* No code, all choices left to gcnsim_compare(). */
GCNSIM_API void gcnsim_compare_item_init(struct gcnsim_compare_item *item);

struct gcnsim_compare_point {
    uint32_t waves_per_simd;
    double cycles; /* of a SIMD for one iteration of one wave */
};

struct gcnsim_compare_count {
    const char *name;
    double one_wave, full; /* of one iteration of one wave: alone, and at full occupancy */
};

/* Results for one item. An iteration is one run through the sequence, or one run of a wave of the kernel. */
struct gcnsim_compare_entry {
    const char *label;
    const char *kernel; /* null: a sequence */
    uint32_t bytes, instructions;
    uint32_t vgprs, agprs, sgprs; /* different registers that the code names */
    uint32_t wave_size;
    uint32_t icache_line_bytes, icache_lines; /* instruction cache the code takes, when it begins on a line */
    uint32_t waves_per_simd;                  /* full occupancy */
    const char *limiter;                      /* of it: as in struct gcnsim_occupancy, or "max_waves" */
    double latency_cycles;                    /* one iteration of one wave (kernels: one workgroup) alone on the chip */
    double throughput_cycles;                 /* cycles of a SIMD for one iteration of one wave at full occupancy */
    const struct gcnsim_compare_point *points; /* 1 wave per SIMD and on, up to full occupancy */
    size_t point_count;
    const struct gcnsim_compare_count *issues; /* instructions by category; those of a sequence are counted alone */
    size_t issue_count;
    const struct gcnsim_compare_count *stalls; /* wave-cycles by reason */
    size_t stall_count;
    /* A sequence of dependent instructions without s_delay_alu, on a chip whose vector ALU queues what is issued before
     * its operands are there (RDNA3 and later), of which all waves together mostly wait for that unit. */
    int undelayed;
};

/* All memory belongs to the comparison. */
struct gcnsim_comparison {
    const char *profile, *target;
    uint32_t cus, simds; /* what it ran on: the SIMDs of one compute unit or workgroup processor */
    const struct gcnsim_compare_entry *entries;
    size_t entry_count;
};

/* Runs every item on one compute unit (RDNA: one WGP) of the profile: with one wave alone, and with 1, 2, ... waves on
 * each SIMD up to full occupancy. All numbers of a sequence are differences between loops of different lengths that ran
 * for different counts, so that neither launch nor loop is in them. Kernels are run as they are: alone, which is all
 * cycles of one workgroup's dispatch, and occupied, the difference between four and two rounds of as many workgroups as
 * run at once, where a wave that ends is followed by the next. An item that faults or reaches a limit is an error
 * (GCNSIM_ERROR_FAULT, _RUN_LIMIT, _INTERRUPTED) that begins with its label. */
GCNSIM_API int gcnsim_compare(const struct gcnsim_compare_item *items, size_t count,
                              const struct gcnsim_compare_options *options, struct gcnsim_comparison **out,
                              struct gcnsim_error *error);
/* Side by side, at most 80 columns; and as one JSON object. */
GCNSIM_API int gcnsim_comparison_text(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_comparison_json(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_comparison_free(struct gcnsim_comparison *c); /* null is fine */

#ifdef __cplusplus
}
#endif

#include "gcnsim_views.h"

#endif
