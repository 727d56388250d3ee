/* Private to sim/loader: the code object as elf_read.c fills it and the other stages read it. */
#ifndef GCNSIM_LOADER_CODE_OBJECT_INTERNAL_H
#define GCNSIM_LOADER_CODE_OBJECT_INTERNAL_H

#include "sim/loader/code_object.h"
#include "sim/loader/register_list.h"

enum co_reloc_symbol { RELOC_NO_SYMBOL, RELOC_ADDRESS, RELOC_ABSOLUTE, RELOC_WEAK_UNDEFINED, RELOC_UNDEFINED };

struct co_reloc {
    uint64_t vaddr; /* of the bytes to change */
    uint32_t type;  /* R_AMDGPU_* */
    uint8_t symbol; /* enum co_reloc_symbol */
    bool addend_in_place;
    int64_t addend;
    uint64_t value; /* of the symbol */
    const char *name;
};

/* A section of packed relative relocations, and a walk over it. */
struct co_relr {
    const uint8_t *words;
    uint64_t count;
};

struct co_relr_place {
    uint64_t vaddr;      /* of the relocation found */
    uint64_t next_word;  /* to be read */
    uint64_t bits, base; /* what is left of a bit map; the address that its lowest bit means */
    uint64_t after;      /* the address that the next bit map begins at */
};

/* The next relocation; false: none is left. *at is zero before the first. */
bool co_relr_next(const struct co_relr *relr, struct co_relr_place *at);

/* OS ABIs of amdgcn ELF files. Code objects are HSA's; the others hold code that drivers start by registers. */
enum co_os { CO_OS_HSA = 64, CO_OS_PAL = 65, CO_OS_MESA = 66 };

struct code_object {
    struct budget *budget; /* null: none */
    uint64_t bytes_held;   /* of it, until code_object_close() */
    char *name;
    char *label; /* for messages: the name, with the bundle entry in brackets */
    char bundle_id[128];
    unsigned index, of; /* which code object of its file it is, and of how many */
    uint8_t *elf;       /* a copy; names and segment contents point into it */
    size_t elf_size;
    char where[80]; /* in its file it is, where that is no bundle and no code object: "(member.o)" */
    enum co_os os;
    unsigned version; /* 0: not HSA's */
    struct co_target_id target;
    struct co_image_info image;

    struct co_segment *segments;
    struct co_text *texts;
    struct co_symbol *symbols;
    struct co_reloc *relocs;
    struct co_relr *relrs;
    struct co_kernel *kernels;
    struct co_text *functions; /* by vaddr, each once; size 0: its symbol does not say how long it is */
    size_t function_count;
    struct co_metadata **notes;
    unsigned segment_count, text_count, symbol_count, kernel_count, note_count;
    size_t reloc_count, relr_count;
    struct co_registers registers; /* of one that is not HSA's */
    struct co_lines_slot *lines;   /* source lines, once they were asked for */
};

/* An object without contents, for file.c to fill; its label names the file, and the bundle's entry once that is known.
 */
int co_new(struct code_object **out, const char *name, struct budget *budget, struct err *e);
int co_set_label(struct code_object *co, struct err *e);

/* Counts memory that the object takes for `count` pieces of `bytes` each. ERR_NOMEM when the budget has no room. */
int co_hold(struct code_object *co, uint64_t count, uint64_t bytes, const char *what, struct err *e);
/* Gives back what turned out to be needed for a while only. */
void co_release(struct code_object *co, uint64_t bytes);

/* Fills the fields from co->elf on, but for the kernels. */
int co_elf_read(struct code_object *co, struct err *e);

/* Fills the kernels from the symbols and notes. */
int co_kernels_build(struct code_object *co, struct err *e);

/* The kernel's entry must be in code, where the command processor can start it. */
int co_kernel_check_entry(const struct code_object *co, const struct co_kernel *k, struct err *e);
/* A flaw of it refuses the kernel, and not the others; the first reason stays. */
int co_kernel_refuse(struct code_object *co, struct co_kernel *k, const struct err *why, struct err *e);

/* How well the kernel is named that is named best, and how many are named so well; 0: none is named at all. */
unsigned co_kernel_match(const struct code_object *co, const char *name, unsigned *count);

/* A section of any ELF file of 64 bits; its contents, if it has any, lie in the file. */
struct co_elf_part {
    const char *name; /* "": none */
    uint32_t type;    /* SHT_* */
    size_t offset, size;
};
typedef void co_elf_part_fn(void *ctx, const struct co_elf_part *part);
int co_elf_parts(const uint8_t *bytes, size_t size, co_elf_part_fn *take, void *ctx, struct err *e);

bool co_elf_is_host(const uint8_t *bytes, size_t size); /* ELF, 64 bit, little-endian, not amdgcn */
bool co_elf_is_gpu(const uint8_t *bytes, size_t size);  /* likewise, amdgcn */

const char *co_os_name(unsigned os_abi); /* as in a triple: "amdhsa" */

/* What the 64 bytes of an amdgcn ELF header say of the processor. */
int co_elf_target(struct co_target_id *out, const uint8_t *b, struct err *e);

/* lines.c: the place for a code object's lines; they are read later. */
struct co_lines_slot *co_lines_slot_new(void);
void co_lines_slot_free(struct co_lines_slot *slot); /* null is fine */

/* The segment that holds [vaddr, vaddr+size), or null. */
const struct co_segment *co_segment_at(const struct code_object *co, uint64_t vaddr, uint64_t size);

unsigned co_reloc_width(uint32_t type); /* bytes that it changes; 0: a type that the linker resolves */
const char *co_reloc_name(uint32_t type);

#endif
