/* What an assembled and not yet linked object (ET_REL) holds: its sections of instructions and its symbols.
 *
 * gcnsim compare cuts sequences of instructions out of such objects: what they refer to elsewhere does not matter
 * there, so no linker is needed. Everything else loads code objects (code_object.h), which are linked.
 *
 * The object is borrowed, and read as it is asked: nothing is allocated. Offsets and sizes are bytes. Relocations are
 * left out: a field that the linker would fill in reads as it stands in the object.
 *
 * Errors: ERR_FORMAT malformed, ERR_UNSUPPORTED linked or not for amdgcn HSA.
 */
#ifndef GCNSIM_LOADER_UNLINKED_H
#define GCNSIM_LOADER_UNLINKED_H

#include "sim/loader/target_id.h"

struct unlinked {
    const uint8_t *bytes;
    size_t size;
    uint32_t flags; /* e_flags of the ELF header */
    uint8_t abi_version;
    struct co_target_id target;
    unsigned sections;
    uint64_t section_headers;       /* offset */
    uint64_t symbols, symbol_count; /* offset of the table */
    uint64_t strings, string_bytes; /* of the symbols' names */
};

struct unlinked_symbol {
    const char *name;
    unsigned section; /* 0: none of this object; from unlinked.sections on: not in a section */
    uint64_t value;   /* offset in its section */
    uint8_t type;     /* as in the ELF file: 0 a label, 1 data, 2 a function, 3 a section, 4 a file */
};

int unlinked_open(struct unlinked *o, const void *bytes, size_t size, struct err *e);

/* The k-th symbol, from 1 on; false: there is none, or its name is not in the file. */
bool unlinked_symbol(const struct unlinked *o, uint64_t k, struct unlinked_symbol *out);
/* The first one of that name. */
bool unlinked_find(const struct unlinked *o, const char *name, struct unlinked_symbol *out);
/* The contents of a section of instructions; null when it is none, or empty. */
const uint8_t *unlinked_code(const struct unlinked *o, unsigned section, size_t *size);
/* The name of the first kernel ("NAME.kd"), with its ending; null: there is none. */
const char *unlinked_kernel(const struct unlinked *o);

#endif
