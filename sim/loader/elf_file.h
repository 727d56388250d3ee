/* Private to sim/loader: an ELF file while it is read, and the tables in it.
 *
 * Every offset and size that the file states is checked here against the length of the file before anything is read.
 * Functions return 0, or -1 with *f->e.
 */
#ifndef GCNSIM_LOADER_ELF_FILE_H
#define GCNSIM_LOADER_ELF_FILE_H

#include "sim/loader/code_object_internal.h"

#include <gelf.h>
#include <libelf.h>

#define SECTION_LDS 0xff00 /* SHN_AMDGPU_LDS */

struct elf_file {
    struct code_object *co;
    Elf *elf;
    size_t sections;
    uint64_t table_bytes; /* of notes and relocations so far, see co_elf_spend() */
    uint64_t name_bytes;  /* of symbols so far, see spend_name() */
    struct err *e;
};

/* A string table: bytes within the file's copy. */
struct strings {
    const char *bytes;
    size_t size; /* up to the last terminator: every string that begins before it has an end */
};

/* Reads section header `index` and checks that the section's contents lie in the file. For an unused header (SHT_NULL)
 * nothing else means anything, so nothing of it is checked. */
int co_elf_section(const struct elf_file *f, size_t index, GElf_Shdr *out);

/* The string table that section `index` is; a string in it, or null when there is none at that offset. */
int co_elf_strings(const struct elf_file *f, size_t index, struct strings *out);
const char *co_elf_string(const struct strings *t, uint64_t at);

/* The contents of a table of fixed-size entries, through libelf. */
int co_elf_table(const struct elf_file *f, size_t index, const GElf_Shdr *sh, size_t entry, Elf_Type type,
                 Elf_Data **out, size_t *count);

/* Bounds the work on a hostile file, in which 65279 tables may overlap. In a valid file each byte is read once, and the
 * symbols once more for each relocation section. */
int co_elf_spend(struct elf_file *f, uint64_t bytes);

/* Errors; both return -1. */
int co_elf_failed(const struct elf_file *f, const char *what);
int co_elf_no_memory(const struct elf_file *f);

/* Fills the relocations of f->co; its segments are known. */
int co_elf_read_relocs(struct elf_file *f);
/* Reads its notes, and Mesa's registers. (elf_notes.c) */
int co_elf_read_notes(struct elf_file *f);
int co_elf_read_mesa_config(struct elf_file *f);

#endif
