/* Imports of the loaded objects, from the relocations that the dynamic linker has resolved.
 *
 * The number of a table's symbols is not written in an object without DT_HASH, but each import that is called or taken
 * the address of has a relocation, whose number is.
 */
#define _GNU_SOURCE
#include "sim/hsa/agents/imports.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct search {
    const char *const *names;
    unsigned n;
};

struct dynamic {
    const Elf64_Sym *symbols;
    const char *strings;
    const Elf64_Rela *relocations[2]; /* of calls, and others */
    uint64_t bytes[2];
};

/* glibc writes addresses over the offsets of most objects, but not of all. */
static const void *at(const struct dl_phdr_info *o, uint64_t value)
{
    return (const void *)(uintptr_t)(value < o->dlpi_addr ? value + o->dlpi_addr : value);
}

static void read_dynamic(const struct dl_phdr_info *o, const Elf64_Dyn *d, struct dynamic *out)
{
    for (; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB:
            out->symbols = at(o, d->d_un.d_ptr);
            break;
        case DT_STRTAB:
            out->strings = at(o, d->d_un.d_ptr);
            break;
        case DT_JMPREL:
            out->relocations[0] = at(o, d->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            out->bytes[0] = d->d_un.d_val;
            break;
        case DT_RELA:
            out->relocations[1] = at(o, d->d_un.d_ptr);
            break;
        case DT_RELASZ:
            out->bytes[1] = d->d_un.d_val;
            break;
        }
    }
}

static bool is_wanted(const struct search *s, const char *name)
{
    for (unsigned k = 0; k < s->n; k++) {
        if (!strcmp(s->names[k], name))
            return true;
    }
    return false;
}

static int search_object(struct dl_phdr_info *o, size_t size, void *ctx)
{
    struct dynamic d = {0};

    (void)size;
    for (unsigned k = 0; k < o->dlpi_phnum; k++) {
        if (o->dlpi_phdr[k].p_type == PT_DYNAMIC)
            read_dynamic(o, (const void *)(uintptr_t)(o->dlpi_addr + o->dlpi_phdr[k].p_vaddr), &d);
    }
    if (!d.symbols || !d.strings)
        return 0;
    for (unsigned which = 0; which < 2; which++) {
        const Elf64_Rela *r = d.relocations[which];

        for (uint64_t k = 0; r && k < d.bytes[which] / sizeof *r; k++) {
            const Elf64_Sym *symbol = &d.symbols[ELF64_R_SYM(r[k].r_info)];

            if (ELF64_R_SYM(r[k].r_info) && symbol->st_shndx == SHN_UNDEF &&
                is_wanted(ctx, d.strings + symbol->st_name))
                return 1;
        }
    }
    return 0;
}

bool imports_any(const char *const *names, unsigned n)
{
    struct search s = {names, n};

    return dl_iterate_phdr(search_object, &s) != 0;
}
