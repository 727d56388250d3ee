/* gcnsim: code objects, chips and instructions, which need no simulator. gcnsim.h, which programs include, includes
this header and has the conventions. */
#ifndef GCNSIM_CODE_H
#define GCNSIM_CODE_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- code objects: inspection -------------------------------------------------------------------------------- */

struct gcnsim_code; /* an opened amdgcn code object; immutable, so it may be read from several threads */

/* Reads an amdgcn ELF or a clang offload bundle (plain, or compressed by zstd or zlib). A file may also hold several
 * code objects for one target, as a program has that was made of several source files: then struct gcnsim_code_source
 * chooses.
 *   out: the code object, to be closed with gcnsim_code_close()
 *   bytes: of the file; copied
 *   size: in bytes
 *   name: stands in messages; null: "memory"
 *   want_target: processor or target id ("gfx90a", "gfx90a:xnack-") to choose in a bundle and to insist on otherwise;
 *     null accepts what is there, and is an error listing the entries when a bundle holds several */
GCNSIM_API int gcnsim_code_open_memory(struct gcnsim_code **out, const void *bytes, size_t size, const char *name,
                                       const char *want_target, struct gcnsim_error *error);

/* The same from a file.
 *   out: as in gcnsim_code_open_memory()
 *   path: of the file
 *   want_target: as in gcnsim_code_open_memory() */
GCNSIM_API int gcnsim_code_open_file(struct gcnsim_code **out, const char *path, const char *want_target,
                                     struct gcnsim_error *error);

/* Frees a code object that was opened by one of these calls. Those of modules are not closed.
 *   code: null is fine */
GCNSIM_API void gcnsim_code_close(struct gcnsim_code *code);

/* The same with a limit of memory, and a choice of one of several code objects. */
struct gcnsim_code_source {
    size_t struct_bytes;     /* set by gcnsim_code_source_init; see Versions in gcnsim.h */
    const char *path;        /* of a file; null: bytes */
    const void *bytes;       /* copied */
    size_t size;             /* of bytes */
    const char *name;        /* of bytes, for messages; null: "memory" */
    const char *want_target; /* as above */
    uint64_t max_memory;     /* bytes; 0: no limit. Initially GCNSIM_DEFAULT_MAX_MEMORY, as it is in the calls above */
    const char *kernel; /* of several code objects for the target, the one that has this kernel: looked for in each as
                           gcnsim_code_find_kernel() does. Several that match equally well are an error that lists
                           them. Null, or where there is nothing to choose: it is not looked for */
    int by_index;       /* 1: the code object number `index` of the file */
    uint32_t index;     /* from 0 on, in the order of the file, all targets counted */
};

/* Prepares a source: nothing to read, GCNSIM_DEFAULT_MAX_MEMORY.
 *   s: filled in
 *   struct_bytes: sizeof *s of the program */
GCNSIM_API void gcnsim_code_source_init_sized(struct gcnsim_code_source *s, size_t struct_bytes);
static inline void gcnsim_code_source_init(struct gcnsim_code_source *s)
{
    gcnsim_code_source_init_sized(s, sizeof *s);
}

/* Opens what a source says.
 *   out: as in gcnsim_code_open_memory()
 *   source: path or bytes are set */
GCNSIM_API int gcnsim_code_open(struct gcnsim_code **out, const struct gcnsim_code_source *source,
                                struct gcnsim_error *error);

/* The number of a code object in its file, from 0 on.
 *   code: the code object
 *   of: how many the file holds; may be null */
GCNSIM_API uint32_t gcnsim_code_index(const struct gcnsim_code *code, uint32_t *of);

/* All code objects of a file, or with want_target those that a device of that target is given: one for each source file
 * of a program. `bytes` of the source must stay until the list is closed; kernel and index are not looked at. */
struct gcnsim_code_list;
struct gcnsim_code_entry {
    uint32_t index; /* in the file: for struct gcnsim_code_source */
    const char *id; /* of the bundle's entry; "" when the file is a code object itself */
    uint64_t bytes;
};

/* Lists all code objects of a file, or with want_target those that a device of that target is given: one for each
 * source file of a program.
 *   out: the list, to be closed with gcnsim_code_list_close()
 *   source: its bytes must stay until the list is closed; kernel and index are not looked at */
GCNSIM_API int gcnsim_code_list_open(struct gcnsim_code_list **out, const struct gcnsim_code_source *source,
                                     struct gcnsim_error *error);

/* One of a list; non-zero, *entry left alone, past the end.
 *   list: the list, to which the id belongs
 *   k: from 0 on
 *   entry: filled in */
GCNSIM_API int gcnsim_code_list_entry(const struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code_entry *entry);

/* Opens one of a list.
 *   list: the list, which the code object outlives
 *   k: from 0 on; past the end GCNSIM_ERROR_USAGE
 *   out: as in gcnsim_code_open_memory() */
GCNSIM_API int gcnsim_code_list_code(struct gcnsim_code_list *list, uint32_t k, struct gcnsim_code **out,
                                     struct gcnsim_error *error);

/* Frees a list.
 *   list: null is fine */
GCNSIM_API void gcnsim_code_list_close(struct gcnsim_code_list *list);

struct gcnsim_code_info {
    const char *name;             /* path or name given at opening */
    const char *target;           /* target id with feature settings: "gfx90a:sramecc+:xnack-" */
    const char *processor;        /* "gfx90a" */
    uint32_t code_object_version; /* 2..6; 0: not HSA's */
    uint32_t kernel_count;
    uint32_t symbol_count;
    const char *os; /* whose ELF file it is: "amdhsa", "amdpal", "mesa3d" */
    /* Where it is in a file that is neither code object nor bundle, to be put after the name: "(member.o)" of an
     * archive, " at offset 0x1000" where it was searched for; "" otherwise. */
    const char *where;
};

/* What a code object is.
 *   code: the code object, to which the strings belong
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API void gcnsim_code_get_info_sized(const struct gcnsim_code *code, struct gcnsim_code_info *info,
                                           size_t info_bytes);
static inline void gcnsim_code_get_info(const struct gcnsim_code *code, struct gcnsim_code_info *info)
{
    gcnsim_code_get_info_sized(code, info, sizeof *info);
}

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
    uint64_t code_size;   /* in bytes; up to the next function when the symbol table does not say */
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
    uint32_t cluster_dims[3];    /* workgroups of a cluster that the kernel was compiled for; 0: not stated */
};

/* A kernel of a code object; non-zero, *info left alone, past the end.
 *   code: the code object, to which the strings belong
 *   index: less than kernel_count
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API int gcnsim_code_kernel_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info,
                                        size_t info_bytes);
static inline int gcnsim_code_kernel(const struct gcnsim_code *code, uint32_t index, struct gcnsim_kernel_info *info)
{
    return gcnsim_code_kernel_sized(code, index, info, sizeof *info);
}

/* Why a kernel cannot be launched: its descriptor or its metadata is damaged, or holds what gcnsim does not know. Its
 * other properties are then as far as they are known. Null: it can be launched, or there is no such kernel.
 *   code: the code object, to which the text belongs
 *   index: of the kernel */
GCNSIM_API const char *gcnsim_code_kernel_refused(const struct gcnsim_code *code, uint32_t index);

/* Finds a kernel by its name. The error lists the kernels that match, or all there are.
 *   code: the code object
 *   name: with or without ".kd"; or else what it is in C++ ("vadd(float*, int)", "vadd"), or a part of either that no
 *     other kernel has. Null: the only kernel there is
 *   index: its number */
GCNSIM_API int gcnsim_code_find_kernel(const struct gcnsim_code *code, const char *name, uint32_t *index,
                                       struct gcnsim_error *error);

/* An argument of a kernel; non-zero, *info left alone, past the end.
 *   code: the code object, to which the strings belong
 *   kernel: its number
 *   index: from 0 on, the explicit ones first, then the hidden ones
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
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
    enum gcnsim_symbol_type type; /* KERNEL is the descriptor NAME.kd */
    uint64_t value, size;         /* virtual address in the code object */
};

/* A symbol; non-zero, *info left alone, past the end.
 *   code: the code object, to which the name belongs
 *   index: less than symbol_count
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API int gcnsim_code_symbol_sized(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info,
                                        size_t info_bytes);
static inline int gcnsim_code_symbol(const struct gcnsim_code *code, uint32_t index, struct gcnsim_symbol_info *info)
{
    return gcnsim_code_symbol_sized(code, index, info, sizeof *info);
}
/* What else is known of a symbol: a sum of these; 0 past the end. */
enum gcnsim_symbol_flag {
    GCNSIM_SYMBOL_GLOBAL = 1,   /* other objects and programs may name it; its name is the only one of that kind */
    GCNSIM_SYMBOL_WRITABLE = 2, /* it lies in memory that is written to */
    GCNSIM_SYMBOL_ABSOLUTE = 4, /* its value is a number, and no address */
};

/* What else is known of a symbol: a sum of enum gcnsim_symbol_flag; 0 past the end.
 *   code: the code object
 *   index: as in gcnsim_code_symbol() */
GCNSIM_API uint32_t gcnsim_code_symbol_flags(const struct gcnsim_code *code, uint32_t index);

/* The bytes of the ELF file that was opened, which belong to the code object: of a bundle, those of the entry that was
 * chosen.
 *   code: the code object
 *   size: in bytes */
GCNSIM_API const void *gcnsim_code_elf(const struct gcnsim_code *code, size_t *size);

/* The registers by which a driver starts code that has no kernel descriptors, of PAL or Mesa, as its file states them:
 * non-zero, outputs left alone, past the end. A launch of such a kernel (one, of a compute shader) takes the user SGPRs
 * as arguments: each begins in an SGPR of its own, from s0 on.
 *   code: the code object
 *   index: from 0 on, in the order of the file
 *   address: the register's, as the file states it
 *   value: that is written to it
 *   name: "" where gcnsim has none; static */
GCNSIM_API int gcnsim_code_register(const struct gcnsim_code *code, uint32_t index, uint32_t *address, uint32_t *value,
                                    const char **name);

/* Code bytes as they are in the file. index counts executable ranges; non-zero past the end. */
struct gcnsim_code_range {
    uint64_t address; /* virtual address in the code object */
    const uint8_t *bytes;
    uint64_t size;
};

/* Code bytes as they are in the file; non-zero, *range left alone, past the end.
 *   code: the code object, to which the bytes belong
 *   index: from 0 on, of the executable ranges
 *   range: filled in */
GCNSIM_API int gcnsim_code_text(const struct gcnsim_code *code, uint32_t index, struct gcnsim_code_range *range);

/* The memory that a code object takes where it is loaded by the caller (gcnsim_launch_raw); gcnsim_load_file() and
 * gcnsim_load_memory() do all of this themselves. */
struct gcnsim_code_image {
    uint64_t address; /* the virtual address in the code object that its first byte has */
    uint64_t size;    /* in bytes */
    uint64_t align;   /* of the address at which it is placed; 4096 at least */
};

/* The memory that a code object takes where the caller loads it.
 *   code: the code object
 *   image: filled in */
GCNSIM_API void gcnsim_code_get_image(const struct gcnsim_code *code, struct gcnsim_code_image *image);

/* Says where a symbol is that the code object uses and does not define: non-zero, with *address, when it is known.
 *   ctx: as given to gcnsim_code_place()
 *   name: of the symbol
 *   address: on the device */
typedef int gcnsim_resolve_fn(void *ctx, const char *name, uint64_t *address);

/* Writes the image of a code object, relocated. A symbol that nobody defines, and that is not weak, is an error that
 * names it.
 *   code: the code object
 *   to: image.size bytes of zeros, on the host
 *   size: of `to`, in bytes; too few are GCNSIM_ERROR_USAGE
 *   address: that the image will have on the device, a multiple of image.align
 *   resolve: asked about symbols that are not defined; may be null
 *   ctx: for resolve */
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

/* How many waves of a kernel fit a chip.
 *   code: the code object
 *   kernel: its number
 *   profile: built-in name, target name or path; null: the default of the code object's target
 *   workgroup_items: work-items of a workgroup; 0: the most that the kernel allows, else 256
 *   dynamic_lds: bytes of LDS beside the kernel's own
 *   out: filled in; the limiter is static
 *   out_bytes: sizeof *out of the program */
GCNSIM_API int gcnsim_code_occupancy_sized(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                           uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                           size_t out_bytes, struct gcnsim_error *error);
static inline int gcnsim_code_occupancy(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                        uint32_t workgroup_items, uint32_t dynamic_lds, struct gcnsim_occupancy *out,
                                        struct gcnsim_error *error)
{
    return gcnsim_code_occupancy_sized(code, kernel, profile, workgroup_items, dynamic_lds, out, sizeof *out, error);
}

/* ---- profiles ------------------------------------------------------------------------------------------------ */

struct gcnsim_profile_info {
    char name[64];   /* "gfx1201-rx9070xt" */
    char chip[96];   /* "AMD Radeon RX 9070 XT" */
    char target[24]; /* "gfx1201" */
    int is_default;  /* the one the bare target name means */
};

/* A built-in profile; non-zero, *info left alone, past the end.
 *   index: from 0 on
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API int gcnsim_profile_list_sized(uint32_t index, struct gcnsim_profile_info *info, size_t info_bytes);
static inline int gcnsim_profile_list(uint32_t index, struct gcnsim_profile_info *info)
{
    return gcnsim_profile_list_sized(index, info, sizeof *info);
}

/* What a profile is.
 *   profile: built-in name, target name or path of a .json file
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API int gcnsim_profile_find_sized(const char *profile, struct gcnsim_profile_info *info, size_t info_bytes,
                                         struct gcnsim_error *error);
static inline int gcnsim_profile_find(const char *profile, struct gcnsim_profile_info *info, struct gcnsim_error *error)
{
    return gcnsim_profile_find_sized(profile, info, sizeof *info, error);
}

enum gcnsim_format { GCNSIM_TEXT, GCNSIM_JSON };

/* The resolved profile, each number with unit, source and confidence.
 *   profile: built-in name, target name or path of a .json file
 *   sets: "path=value" overrides, which are applied first; may be null when there are none
 *   set_count: of sets
 *   format: text, or one JSON object
 *   text: the profile */
GCNSIM_API int gcnsim_profile_show(const char *profile, const char *const *sets, size_t set_count,
                                   enum gcnsim_format format, char **text, struct gcnsim_error *error);

/* The same for some rows. A pattern that matches no row is an error; the message suggests the nearest path.
 *   profile: as in gcnsim_profile_show()
 *   sets: as there
 *   set_count: as there
 *   patterns: a path each, a group ("cache.l2"), or either with the wildcards of fnmatch(3) ("cache.*"); a row is shown
 *     when one of them matches
 *   pattern_count: of patterns
 *   format: as in gcnsim_profile_show()
 *   text: the rows */
GCNSIM_API int gcnsim_profile_show_matching(const char *profile, const char *const *sets, size_t set_count,
                                            const char *const *patterns, size_t pattern_count,
                                            enum gcnsim_format format, char **text, struct gcnsim_error *error);

/* How far the code of a kernel can be believed: of each instruction whether its results are a chip's bit for bit,
 * approximate or not there at all, and how sure the profile is of the figures that its timing depends on
 * (docs/FIDELITY.md). The functions that the kernel calls directly are in it.
 *   code: the code object
 *   kernel: its number
 *   profile: built-in name, target name or path; null: the default of the code object's target, or none where there is
 *     none
 *   format: text (at most 120 columns where mnemonics allow), ended by a line's end; or one JSON object, without one
 *   text: what is known */
GCNSIM_API int gcnsim_code_fidelity(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                                    enum gcnsim_format format, char **text, struct gcnsim_error *error);

/* ---- disassembly --------------------------------------------------------------------------------------------- */

struct gcnsim_disasm; /* the decode tables of one target */

/* The target whose instructions a processor has: its own name, or that of another one ("gfx942" of gfx940, "gfx1100" of
 * gfx11-generic). An unknown name comes back as it is.
 *   processor: a name */
GCNSIM_API const char *gcnsim_instruction_set(const char *processor);

/* Makes the decode tables of a target. The error lists the names known.
 *   out: the disassembler, to be closed with gcnsim_disasm_close(). Several threads may use it at the same time
 *   target: processor name */
GCNSIM_API int gcnsim_disasm_open(struct gcnsim_disasm **out, const char *target, struct gcnsim_error *error);

/* Frees a disassembler.
 *   d: null is fine */
GCNSIM_API void gcnsim_disasm_close(struct gcnsim_disasm *d);

/* How gcnsim_disasm_one() writes: any of these, none at first. Not while another thread uses d. */
enum gcnsim_disasm_flags {
    /* Operands of 16 bits of gfx11 and gfx12 name their half, v1.l or v1.h, and op_sel shows, as LLVM 22 has it and
     * LLVM 19 with -mattr=+real-true16 begins to; without, as LLVM 19 has it: v1, and v1.h where no other name exists.
     * Those of gfx1250 and gfx1251, whose text is LLVM 22's, always do. */
    GCNSIM_DISASM_TRUE16 = 1,
    /* Words of which a field is set that the instruction does not have are no instructions, as for LLVM; without, they
     * run, as the hardware ignores such fields, and a comment after the text names them. */
    GCNSIM_DISASM_STRICT = 2,
};

/* Chooses how a disassembler writes. Not while another thread uses it.
 *   d: the disassembler
 *   flags: a sum of enum gcnsim_disasm_flags; 0 at first */
GCNSIM_API void gcnsim_disasm_set_flags(struct gcnsim_disasm *d, uint32_t flags);

/* Writes LLVM's text of one instruction, and returns its length in bytes (4..20), 0 when size < 4. Bytes that are no
 * instruction of the target take 4 and are written as ".long 0x...".
 *   d: the disassembler
 *   bytes: where the instruction begins
 *   size: how many there are, of it and of what follows
 *   text: always terminated, cut at text_size
 *   text_size: of text, in bytes
 *   known: 1 of an instruction, 0 of other bytes; may be null */
GCNSIM_API size_t gcnsim_disasm_one(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size, char *text,
                                    size_t text_size, int *known);

/* As gcnsim_disasm_one(), for code that is read from the top. Registers past v255 have their number in a comment after
 * them, as LLVM 22 writes.
 *   d: as there
 *   bytes: as there
 *   size: as there
 *   vgpr_msb: MODE's upper bits of VGPR numbers (gfx1250, s_set_vgpr_msb): 0 before the first instruction and at
 *     labels, and otherwise what the last call made it
 *   text: as there
 *   text_size: as there
 *   known: as there */
GCNSIM_API size_t gcnsim_disasm_next(const struct gcnsim_disasm *d, const uint8_t *bytes, size_t size,
                                     uint32_t *vgpr_msb, char *text, size_t text_size, int *known);

/* A target name that gcnsim decodes; static; null past the last.
 *   index: from 0 on */
GCNSIM_API const char *gcnsim_target_name(uint32_t index);

/* ---- what instructions there are ------------------------------------------------------------------------------ */

/* Arrays of the struct below have room for more than any instruction takes today. */
#define GCNSIM_ISA_MAX_FORMS    16
#define GCNSIM_ISA_MAX_OPERANDS 16

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
    const char *unit; /* pipeline class: what profiles key costs by */
    /* "e32", "e64", "sdwa", "dpp", "dpp8", "e64_dpp", "e64_dpp8", "vopd" */
    const char *forms[GCNSIM_ISA_MAX_FORMS];
    uint32_t form_count;
    struct gcnsim_isa_operand operands[GCNSIM_ISA_MAX_OPERANDS];
    uint32_t operand_count;
    int executed; /* 0: decoded and disassembled; running it is a fault that says so */
    int tested;   /* gcnsim's own tests run it, in every form, and know what must come out */
    /* what it needs that gcnsim has no model of: "images" (samplers and rays too), "export" (interpolation too), "gds";
     * null: nothing */
    const char *beyond;
    /* 0: results are what the manual's text defines, bit for bit. Else the text promises an approximation: a chip's
     * result may be so many units in the last place off the exact one; negative: nothing says how many. */
    double ulp;
};

/* An instruction of a disassembler's target, by format and opcode; non-zero, *entry left alone, past the end.
 *   d: the disassembler
 *   index: from 0 on
 *   entry: filled in
 *   entry_bytes: sizeof *entry of the program */
GCNSIM_API int gcnsim_isa_entry_sized(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry,
                                      size_t entry_bytes);
static inline int gcnsim_isa_entry(const struct gcnsim_disasm *d, uint32_t index, struct gcnsim_isa_entry *entry)
{
    return gcnsim_isa_entry_sized(d, index, entry, sizeof *entry);
}

/* Describes one instruction: for each of its meanings the encodings (targets, mnemonic, format, opcode, forms,
 * modifiers, wait counters raised), operands, implicit registers and pipeline class. An unknown name is
 * GCNSIM_ERROR_USAGE; the message suggests the nearest one.
 *   name: a mnemonic of any target ("v_max_num_f32"; a form suffix such as _e64 is ignored)
 *   target: processor name; null: all
 *   profile: built-in name, target name or path, or null; with it the encodings are those of its target, and the
 *     figures that decide the instruction's timing follow with unit, confidence and source
 *   format: text, or one JSON object
 *   text: the description */
GCNSIM_API int gcnsim_isa_show(const char *name, const char *target, const char *profile, enum gcnsim_format format,
                               char **text, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
