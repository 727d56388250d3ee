/* Loading amdgcn HSA code objects: from bytes to kernels, symbols and a relocated memory image.
 *
 * The loader accepts amdgcn ELF files of code object version 2 to 6, linked (ET_DYN) or relocatable (ET_REL,
 * which link.c links); clang offload bundles of them, plain or compressed (bundle.h); and host ELF files with a
 * .hip_fatbin section. A bundle with several targets needs `want_target` to choose one, and a file with a bundle for
 * each of its source files a kernel or a number (struct co_source). Code objects whose program headers were removed (as
 * in thread traces) load from their allocated sections.
 *
 * Stages: bundle_choice.c chooses an entry; link.c links it if need be; elf_read.c and elf_relocs.c read segments,
 * symbols, relocations and notes; metadata.c reads the notes; kernels.c joins descriptors with code and metadata;
 * image.c writes the memory image into a buffer of the caller's. The loader decodes no instruction and allocates no
 * device memory.
 *
 * Leaves out: code object v2 that is not linked, symbols resolved across code objects (an undefined
 * symbol that is not weak is an error of code_object_image), TLS.
 *
 * Addresses: "vaddr" is an address as the ELF file states it. code_object_image() puts base_vaddr at load_base;
 * code_object_address() does the sum. Sizes and offsets are bytes.
 *
 * Ownership: code_object_open() copies its input, which may be freed at once. All pointers returned belong to the code
 * object and are valid until code_object_close(). A code object does not change after opening, so several threads may
 * read it. Its memory counts against the budget that it is opened with (null: nothing), which outlives it: file, tables
 * and what is needed while opening.
 *
 * A flaw of one kernel alone (its descriptor, its metadata) refuses that kernel: see co_kernel.refused.
 *
 * Errors: ERR_FORMAT malformed, ERR_UNSUPPORTED not modelled, ERR_USAGE no such kernel or no entry for the target,
 * ERR_LIMIT larger than the limits below, ERR_IO. The text begins with the name given to code_object_open.
 */
#ifndef GCNSIM_LOADER_CODE_OBJECT_H
#define GCNSIM_LOADER_CODE_OBJECT_H

#include "sim/loader/kernel_descriptor.h"
#include "sim/loader/metadata.h"
#include "sim/loader/register_list.h"
#include "sim/loader/target_id.h"
#include "sim/util/budget.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CO_MAX_FILE_BYTES  (UINT64_C(1) << 31)
#define CO_MAX_IMAGE_BYTES (UINT64_C(1) << 30)

struct code_object;

struct co_segment {
    uint64_t vaddr, memory_bytes; /* bytes beyond file_bytes are zero */
    uint64_t file_offset, file_bytes;
    bool writable, executable;
};

/* A range of instructions: an executable section, padding included. */
struct co_text {
    uint64_t vaddr, size;
};

enum co_symbol_kind { CO_SYMBOL_DESCRIPTOR, CO_SYMBOL_FUNCTION, CO_SYMBOL_DATA, CO_SYMBOL_LABEL, CO_SYMBOL_ABSOLUTE };

struct co_symbol {
    const char *name;
    enum co_symbol_kind kind; /* FUNCTION includes the code of kernels; LABEL is a symbol without a type */
    uint64_t vaddr, size;     /* of ABSOLUTE: a value, not an address */
    bool global;              /* visible to other objects or weak; false: local */
};

struct co_kernel {
    const char *name;                       /* the symbol's name without ".kd" (mangled, for HIP) */
    uint64_t descriptor_vaddr, entry_vaddr; /* v2: of the header before the code */
    uint64_t code_bytes;                    /* code_object_function_bytes() of its entry */
    struct kernel_descriptor descriptor;
    const struct co_kernel_metadata *metadata; /* null: no note describes it, so its arguments are unknown */
    const char *refused; /* why it cannot be launched, with its name; the fields above are then as far as they are
                            known. Null: it can */
};

/* What is opened, and which code object of it is meant. */
struct co_source {
    const char *path;  /* of a file; null: bytes */
    const void *bytes; /* `size` of them, named `name` */
    size_t size;
    const char *name;
    const char *want_target; /* see code_object_open() */
    const char *kernel;      /* of several code objects that fit, the one that has it; null: there must be one */
    bool by_index;
    unsigned index; /* by_index: the number of the code object in the file, from 0 on */
};

/* The code object of the kernel is chosen among those for the target: it is looked for in each as
 * code_object_find_kernel() does, and the best match must be in one of them alone. The kernel is not looked for where
 * there is nothing to choose. Otherwise the error lists the code objects with their numbers. */
int code_object_open_source(struct code_object **out, const struct co_source *source, struct budget *budget,
                            struct err *e);

/* want_target is a target id ("gfx90a:xnack-") or a bundle entry's full id; null means any. It chooses an entry of a
 * bundle, and a bare ELF file must match it. An entry for a generic processor serves the members of that processor when
 * no closer entry exists. `name` is copied; messages begin with it. */
int code_object_open(struct code_object **out, const void *bytes, size_t size, const char *name,
                     const char *want_target, struct budget *budget, struct err *e);
int code_object_open_file(struct code_object **out, const char *path, const char *want_target, struct budget *budget,
                          struct err *e);
void code_object_close(struct code_object *co); /* null is fine */

/* A file and all the code objects in it, which are opened one by one. source->bytes must stay until it is closed;
 * kernel and index are not looked at. */
struct co_file;
int co_file_open(struct co_file **out, const struct co_source *source, struct budget *budget, struct err *e);
void co_file_close(struct co_file *f); /* null is fine */
unsigned co_file_count(const struct co_file *f);
/* index < count; *id is "" when the file is a code object itself. */
void co_file_entry(const struct co_file *f, unsigned index, const char **id, uint64_t *bytes);
/* The numbers of those that a device of the target would be given (co_bundle_fit()). */
int co_file_fit(struct co_file *f, const char *want_target, const unsigned **list, unsigned *count, struct err *e);
/* Its bytes are copied. */
int co_file_code(struct code_object **out, struct co_file *f, unsigned index, const char *want_target,
                 struct budget *budget, struct err *e);

const char *code_object_name(const struct code_object *co); /* as given */
unsigned code_object_index(const struct code_object *co);   /* its number in the file */
unsigned code_object_of(const struct code_object *co);      /* how many the file holds */
/* The ELF file itself: of a bundle, the entry chosen. */
const uint8_t *code_object_file(const struct code_object *co, size_t *size);
const char *code_object_bundle_id(const struct code_object *co); /* of the entry chosen; "" when not from a bundle */
const char *code_object_where(const struct code_object *co);     /* in a file that is no bundle: contents.h */
const char *code_object_os(const struct code_object *co);        /* "amdhsa", "amdpal", "mesa3d" */
unsigned code_object_version(const struct code_object *co);      /* 2..6; 0: not HSA's */
/* The index-th register that the driver of one that is not HSA's sets before it starts it; false past the last. */
bool code_object_register(const struct code_object *co, unsigned index, uint32_t *address, uint32_t *value);
const struct co_target_id *code_object_target(const struct code_object *co);

unsigned code_object_kernel_count(const struct code_object *co);
const struct co_kernel *code_object_kernel(const struct code_object *co, unsigned index);
/* By symbol name with or without ".kd", or by the name in the source language when only one kernel has it; or else by
 * what the name is in C++, that without parameters, or a part of either, when it is one kernel's alone. Otherwise null
 * and an error that lists the candidates, or all kernels. Without a name: the only kernel. */
const struct co_kernel *code_object_find_kernel(const struct code_object *co, const char *name, struct err *e);

unsigned code_object_symbol_count(const struct code_object *co);
const struct co_symbol *code_object_symbol(const struct code_object *co, unsigned index);
/* The first symbol of that name, or null. */
const struct co_symbol *code_object_find_symbol(const struct code_object *co, const char *name);

unsigned code_object_segment_count(const struct code_object *co);
const struct co_segment *code_object_segment(const struct code_object *co, unsigned index); /* in order of vaddr */
unsigned code_object_text_count(const struct code_object *co);
const struct co_text *code_object_text(const struct code_object *co, unsigned index);

/* How long the function or kernel is that begins at vaddr: its symbol's size; where that says 0, as hand-written code
 * has it, or there is none, up to the next function or the end of its range, without zeros at its end. 0: nothing
 * begins there. */
uint64_t code_object_function_bytes(const struct code_object *co, uint64_t vaddr);

/* Metadata notes: usually one, several when objects with metadata were linked, none for bare assembly. */
unsigned code_object_metadata_count(const struct code_object *co);
const struct co_metadata *code_object_metadata(const struct code_object *co, unsigned index);

/* The file's bytes at vaddr, before relocation; *available is the number of bytes up to the end of that segment. Null
 * when the file has no bytes there. */
const uint8_t *code_object_bytes(const struct code_object *co, uint64_t vaddr, uint64_t *available);

struct co_image_info {
    uint64_t base_vaddr; /* the virtual address that is placed at load_base; a multiple of align */
    uint64_t size;       /* at most CO_MAX_IMAGE_BYTES */
    uint64_t align;      /* of load_base; at least 4096 */
};

void code_object_image_info(const struct code_object *co, struct co_image_info *out);

/* Writes the image, relocated for load_base, into a buffer of zeros: what the file has no bytes for is not touched.
 * buffer_bytes must be at least co_image_info.size, and load_base a multiple of its align. */
int code_object_image(const struct code_object *co, void *buffer, size_t buffer_bytes, uint64_t load_base,
                      struct err *e);

/* The same with somebody to ask for symbols that the code object uses and does not define: true when *address is one's.
 */
typedef bool co_resolve_fn(void *ctx, const char *name, uint64_t *address);
int code_object_image_resolved(const struct code_object *co, void *buffer, size_t buffer_bytes, uint64_t load_base,
                               co_resolve_fn *resolve, void *ctx, struct err *e);

uint64_t code_object_address(const struct code_object *co, uint64_t load_base, uint64_t vaddr);

#endif
