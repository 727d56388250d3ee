/* Dynamic relocations of a code object: RELA tables, and RELR's packed relative ones. */
#include "sim/loader/elf_file.h"
#include "sim/util/bits.h"

#include <stdlib.h>

#define SECTION_RELR 19
#define R_RELATIVE64 13

static struct co_reloc *new_reloc(struct elf_file *f, size_t *cap)
{
    struct code_object *co = f->co;

    if (co->reloc_count == *cap) {
        size_t bigger = *cap ? *cap * 2 : 16;
        if (co_hold(co, bigger - *cap, sizeof *co->relocs, "relocations", f->e))
            return NULL;
        struct co_reloc *v = realloc(co->relocs, bigger * sizeof *v);
        if (!v) {
            co_elf_no_memory(f);
            return NULL;
        }
        co->relocs = v;
        *cap = bigger;
    }
    return &co->relocs[co->reloc_count++];
}

/* Checks once that the relocated bytes lie in a segment, so that applying a relocation cannot write outside the image.
 */
static int check_place(const struct elf_file *f, const struct co_reloc *r)
{
    unsigned width = co_reloc_width(r->type);

    if (!width)
        return err_set(f->e, ERR_UNSUPPORTED, "relocation at 0x%llx: type %u (%s) is not one a linked file has",
                       (unsigned long long)r->vaddr, r->type, co_reloc_name(r->type));
    if (!co_segment_at(f->co, r->vaddr, width))
        return err_set(f->e, ERR_FORMAT, "relocation %s at 0x%llx: in no loaded segment", co_reloc_name(r->type),
                       (unsigned long long)r->vaddr);
    return 0;
}

struct symbol_table {
    size_t index, count;
    Elf_Data *data;
    struct strings names;
};

static int resolve(const struct elf_file *f, const struct symbol_table *t, size_t index, struct co_reloc *r)
{
    GElf_Sym sym;

    if (index >= t->count || !gelf_getsym(t->data, (int)index, &sym))
        return err_set(f->e, ERR_FORMAT, "relocation at 0x%llx: symbol %zu of %zu", (unsigned long long)r->vaddr, index,
                       t->count);
    r->name = co_elf_string(&t->names, sym.st_name);
    if (!r->name)
        return err_set(f->e, ERR_FORMAT, "section %zu, symbol %zu: name at 0x%x is outside the string table", t->index,
                       index, sym.st_name);
    r->value = sym.st_value;
    if (sym.st_shndx == SHN_UNDEF)
        r->symbol = GELF_ST_BIND(sym.st_info) == STB_WEAK ? RELOC_WEAK_UNDEFINED : RELOC_UNDEFINED;
    else if (sym.st_shndx == SHN_COMMON || sym.st_shndx == SECTION_LDS || GELF_ST_TYPE(sym.st_info) == STT_TLS)
        return err_set(f->e, ERR_UNSUPPORTED, "relocation at 0x%llx: symbol \"%.200s\" is LDS, common or thread-local",
                       (unsigned long long)r->vaddr, r->name);
    else
        r->symbol = sym.st_shndx == SHN_ABS ? RELOC_ABSOLUTE : RELOC_ADDRESS;
    return 0;
}

static int read_rela(struct elf_file *f, size_t index, const GElf_Shdr *sh, size_t *cap)
{
    struct symbol_table t = {.index = sh->sh_link};
    Elf_Data *data;
    size_t count;
    GElf_Shdr symbols;

    if (co_elf_table(f, index, sh, sizeof(Elf64_Rela), ELF_T_RELA, &data, &count))
        return -1;
    if (t.index && co_elf_section(f, t.index, &symbols))
        return -1;
    if (t.index && symbols.sh_type != SHT_SYMTAB && symbols.sh_type != SHT_DYNSYM)
        return err_set(f->e, ERR_FORMAT, "section %zu: its symbols are in section %zu, which is no symbol table", index,
                       t.index);
    if (t.index && (co_elf_spend(f, symbols.sh_size) ||
                    co_elf_table(f, t.index, &symbols, sizeof(Elf64_Sym), ELF_T_SYM, &t.data, &t.count) ||
                    co_elf_strings(f, symbols.sh_link, &t.names)))
        return -1;
    for (size_t i = 0; i < count; i++) {
        GElf_Rela rela;
        if (!gelf_getrela(data, (int)i, &rela))
            return co_elf_failed(f, "relocation");
        if (GELF_R_TYPE(rela.r_info) == 0)
            continue;
        struct co_reloc *r = new_reloc(f, cap);
        if (!r)
            return -1;
        *r = (struct co_reloc){
            .vaddr = rela.r_offset, .type = (uint32_t)GELF_R_TYPE(rela.r_info), .addend = rela.r_addend, .name = ""};
        if (check_place(f, r) || (GELF_R_SYM(rela.r_info) && resolve(f, &t, GELF_R_SYM(rela.r_info), r)))
            return -1;
    }
    return 0;
}

/* RELR packs relative relocations: an even word is the address of one, an odd word is a bit map of the 63 words after
 * the last address. The addend is the value at the address. They stay packed; addresses must ascend, which bounds how
 * many there are. */
static int read_relr(struct elf_file *f, size_t index, const GElf_Shdr *sh, size_t *cap)
{
    struct code_object *co = f->co;
    struct co_relr relr = {.words = co->elf + sh->sh_offset, .count = sh->sh_size / 8};
    struct co_relr_place at = {0};
    uint64_t last = 0;
    bool first = true;

    if (sh->sh_size % 8)
        return err_set(f->e, ERR_FORMAT, "section %zu: size 0x%llx, expected a multiple of 8", index,
                       (unsigned long long)sh->sh_size);
    while (co_relr_next(&relr, &at)) {
        struct co_reloc r = {.vaddr = at.vaddr, .type = R_RELATIVE64};
        if (check_place(f, &r))
            return -1;
        if (!first && at.vaddr < last + 8)
            return err_set(f->e, ERR_FORMAT, "section %zu: relocation at 0x%llx behind that at 0x%llx", index,
                           (unsigned long long)at.vaddr, (unsigned long long)last);
        last = at.vaddr;
        first = false;
    }
    if (co->relr_count == *cap) {
        size_t bigger = *cap ? *cap * 2 : 4;
        struct co_relr *v =
            co_hold(co, bigger - *cap, sizeof *v, "relocations", f->e) ? NULL : realloc(co->relrs, bigger * sizeof *v);
        if (!v)
            return co_elf_no_memory(f);
        co->relrs = v;
        *cap = bigger;
    }
    co->relrs[co->relr_count++] = relr;
    return 0;
}

int co_elf_read_relocs(struct elf_file *f)
{
    size_t cap = 0, relr_cap = 0;

    for (size_t i = 1; i < f->sections; i++) {
        GElf_Shdr sh;
        if (co_elf_section(f, i, &sh))
            return -1;
        if (!(sh.sh_flags & SHF_ALLOC) || !sh.sh_size)
            continue;
        if (sh.sh_type == SHT_REL)
            return err_set(f->e, ERR_UNSUPPORTED, "section %zu: REL relocations, amdgcn uses RELA", i);
        if (sh.sh_type != SHT_RELA && sh.sh_type != SECTION_RELR)
            continue;
        if (co_elf_spend(f, sh.sh_size))
            return -1;
        if ((sh.sh_type == SHT_RELA && read_rela(f, i, &sh, &cap)) ||
            (sh.sh_type == SECTION_RELR && read_relr(f, i, &sh, &relr_cap)))
            return -1;
    }
    return 0;
}
