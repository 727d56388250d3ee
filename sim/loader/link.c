/* Linking one relocatable object: addresses of sections and symbols, relocations, the global offset table. */
#include "sim/loader/link.h"

#include "sim/loader/code_object_internal.h"
#include "sim/util/bits.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 64,
    SECTION_BYTES = 64,
    SYMBOL_BYTES = 24,
    RELA_BYTES = 24,
    MACHINE_AMDGPU = 224,
    TYPE_RELOCATABLE = 1,
    TYPE_LINKED = 3,
    SHT_NULL = 0,
    SHT_PROGBITS = 1,
    SHT_SYMTAB = 2,
    SHT_RELA = 4,
    SHT_NOBITS = 8,
    SHT_REL = 9,
    SHF_WRITE = 1,
    SHF_ALLOC = 2,
    SHF_EXECINSTR = 4,
    SHF_TLS = 0x400,
    SHF_COMPRESSED = 0x800,
    SHN_UNDEF = 0,
    SHN_LDS = 0xff00,
    SHN_ABS = 0xfff1,
    SHN_COMMON = 0xfff2,
    SHN_XINDEX = 0xffff,
    BIND_WEAK = 2,
    PAGE = 4096,
    MAX_ALIGN = 1 << 26,
    MAX_SECTIONS = 0xff00 - 2, /* two are added for the table */
};

enum {
    R_NONE = 0,
    R_ABS64 = 3,
    R_REL32 = 4,
    R_REL64 = 5,
    R_GOTPCREL = 7,
    R_GOTPCREL32_LO = 8,
    R_GOTPCREL32_HI = 9,
    R_REL32_LO = 10,
    R_REL32_HI = 11,
    R_RELATIVE64 = 13,
    R_REL16 = 14,
};

struct section {
    uint64_t header; /* offset of its header */
    uint32_t type, link, info;
    uint64_t flags, offset, size, align, entry;
    uint64_t addr; /* 0 when it is not loaded */
};

struct linker {
    struct code_object *co;
    uint8_t *b; /* co->elf */
    size_t size;
    struct section *s;
    unsigned n, symtab; /* 0: no symbols */
    uint64_t symbols;   /* their number */
    uint32_t *slot;     /* of each symbol in the table, from 1 on; 0: none */
    uint32_t slots;
    uint64_t got; /* address of the table */
    struct err *e;
};

struct symbol {
    const uint8_t *at;
    uint64_t value;
    unsigned section;
    bool weak;
};

struct reloc {
    uint64_t place; /* offset in the section that it changes */
    uint32_t type, symbol;
    int64_t addend;
    uint8_t *at; /* its entry */
};

bool co_is_relocatable(const uint8_t *b, size_t size)
{
    return size >= HEADER_BYTES && !memcmp(b, "\177ELF\2\1\1", 7) && load_u16(b + 16) == TYPE_RELOCATABLE &&
           load_u16(b + 18) == MACHINE_AMDGPU;
}

static void put(uint8_t *at, uint64_t v, unsigned bytes)
{
    memcpy(at, &v, bytes); /* gcnsim runs on little-endian hosts only */
}

/* ---- sections ---- */

static int read_section(struct linker *l, unsigned k)
{
    struct section *s = &l->s[k];
    uint64_t at = load_u64(l->b + 40) + (uint64_t)k * SECTION_BYTES;
    const uint8_t *h = l->b + at;

    *s = (struct section){.header = at,
                          .type = load_u32(h + 4),
                          .flags = load_u64(h + 8),
                          .offset = load_u64(h + 24),
                          .size = load_u64(h + 32),
                          .link = load_u32(h + 40),
                          .info = load_u32(h + 44),
                          .align = load_u64(h + 48),
                          .entry = load_u64(h + 56)};
    if (!s->align)
        s->align = 1;
    if (s->type != SHT_NULL && s->type != SHT_NOBITS && (s->offset > l->size || s->size > l->size - s->offset))
        return err_set(l->e, ERR_FORMAT, "section %u: contents at offset 0x%llx, size 0x%llx, the file has %zu bytes",
                       k, (unsigned long long)s->offset, (unsigned long long)s->size, l->size);
    if (!(s->flags & SHF_ALLOC))
        return 0;
    if (s->flags & SHF_TLS)
        return err_set(l->e, ERR_UNSUPPORTED, "section %u: thread-local", k);
    if (s->align & (s->align - 1) || s->align > MAX_ALIGN)
        return err_set(l->e, ERR_FORMAT, "section %u: alignment 0x%llx, expected a power of two up to 0x%x", k,
                       (unsigned long long)s->align, MAX_ALIGN);
    if (s->size > CO_MAX_IMAGE_BYTES)
        return err_set(l->e, ERR_LIMIT, "section %u: 0x%llx bytes, the limit is 0x%llx", k, (unsigned long long)s->size,
                       (unsigned long long)CO_MAX_IMAGE_BYTES);
    return 0;
}

static int check_table(struct linker *l, unsigned k, unsigned entry)
{
    const struct section *s = &l->s[k];

    if (s->entry != entry || s->size % entry)
        return err_set(l->e, ERR_FORMAT, "section %u: size 0x%llx, entries of %llu bytes, expected entries of %u", k,
                       (unsigned long long)s->size, (unsigned long long)s->entry, entry);
    return 0;
}

/* Finds the symbols, and the relocations of what is loaded, which are loaded too. */
static int classify(struct linker *l)
{
    uint64_t relocs = 0;

    for (unsigned k = 1; k < l->n; k++) {
        struct section *s = &l->s[k];
        if (s->type == SHT_SYMTAB) {
            if (l->symtab)
                return err_set(l->e, ERR_FORMAT, "sections %u and %u are both symbol tables", l->symtab, k);
            if (check_table(l, k, SYMBOL_BYTES))
                return -1;
            l->symtab = k;
            l->symbols = s->size / SYMBOL_BYTES;
        }
        if (s->type == SHT_REL)
            return err_set(l->e, ERR_UNSUPPORTED, "section %u: REL relocations, amdgcn uses RELA", k);
        if (s->type != SHT_RELA)
            continue;
        if (check_table(l, k, RELA_BYTES))
            return -1;
        if (!s->info || s->info >= l->n)
            return err_set(l->e, ERR_FORMAT, "section %u: relocations of section %u of %u", k, s->info, l->n);
        relocs += s->size;
        if (relocs > l->size) /* thousands of sections may be one another's */
            return err_set(l->e, ERR_FORMAT, "section %u: relocations overlap, 0x%llx bytes of them in a file of %zu",
                           k, (unsigned long long)relocs, l->size);
        if (l->s[s->info].flags & SHF_ALLOC)
            s->flags |= SHF_ALLOC;
    }
    return 0;
}

static int read_sections(struct linker *l)
{
    uint64_t table = load_u64(l->b + 40);

    l->n = load_u16(l->b + 60);
    if (load_u16(l->b + 58) != SECTION_BYTES || table < HEADER_BYTES || table > l->size ||
        (uint64_t)l->n * SECTION_BYTES > l->size - table)
        return err_set(l->e, ERR_FORMAT, "offset 40: %u section headers of %u bytes at 0x%llx, the file has %zu bytes",
                       l->n, load_u16(l->b + 58), (unsigned long long)table, l->size);
    if (!l->n || l->n > MAX_SECTIONS)
        return err_set(l->e, ERR_UNSUPPORTED, "offset 60: %u sections, expected 1..%u in an object to link", l->n,
                       MAX_SECTIONS);
    if (co_hold(l->co, l->n, sizeof *l->s, "sections", l->e))
        return -1;
    l->s = calloc(l->n, sizeof *l->s);
    if (!l->s)
        return err_set(l->e, ERR_NOMEM, "out of host memory for %u sections", l->n);
    for (unsigned k = 0; k < l->n; k++)
        if (read_section(l, k))
            return -1;
    return classify(l);
}

/* Constants, then code, then what is written to, each from a page of its own on. */
static unsigned group_of(const struct section *s)
{
    return s->flags & SHF_WRITE ? 2 : s->flags & SHF_EXECINSTR ? 1 : 0;
}

static int place_sections(struct linker *l)
{
    uint64_t at = PAGE;

    for (unsigned group = 0; group < 3; group++) {
        at = (at + PAGE - 1) / PAGE * PAGE;
        for (unsigned k = 1; k < l->n; k++) {
            struct section *s = &l->s[k];
            if (!(s->flags & SHF_ALLOC) || group_of(s) != group)
                continue;
            uint64_t align = s->type == SHT_RELA && s->align < 8 ? 8 : s->align;
            s->addr = (at + align - 1) / align * align;
            at = s->addr + s->size;
            if (at > CO_MAX_IMAGE_BYTES)
                return err_set(l->e, ERR_LIMIT, "section %u ends at 0x%llx, the limit is 0x%llx", k,
                               (unsigned long long)at, (unsigned long long)CO_MAX_IMAGE_BYTES);
        }
    }
    l->got = (at + PAGE - 1) / PAGE * PAGE;
    return 0;
}

/* ---- symbols ---- */

static uint8_t *symbol_at(const struct linker *l, uint64_t k)
{
    return l->b + l->s[l->symtab].offset + k * SYMBOL_BYTES;
}

/* Values become addresses. */
static int place_symbols(struct linker *l)
{
    for (uint64_t k = 1; k < l->symbols; k++) {
        uint8_t *s = symbol_at(l, k);
        unsigned section = load_u16(s + 6);
        if (section == SHN_XINDEX)
            return err_set(l->e, ERR_UNSUPPORTED, "symbol %llu: its section's number is elsewhere",
                           (unsigned long long)k);
        if (section && section < l->n)
            put(s + 8, load_u64(s + 8) + l->s[section].addr, 8);
    }
    return 0;
}

static const char *symbol_name(const struct linker *l, uint64_t k)
{
    unsigned names = l->s[l->symtab].link;
    uint32_t at = load_u32(symbol_at(l, k));
    const struct section *s = names < l->n ? &l->s[names] : NULL;

    if (!s || s->type == SHT_NULL || s->type == SHT_NOBITS || at >= s->size ||
        !memchr(l->b + s->offset + at, 0, s->size - at))
        return "";
    return (const char *)l->b + s->offset + at;
}

/* ---- relocations ---- */

static int read_reloc(struct linker *l, unsigned k, uint64_t i, struct reloc *r, struct symbol *s)
{
    const struct section *table = &l->s[k], *target = &l->s[table->info];
    uint8_t *at = l->b + table->offset + i * RELA_BYTES;
    uint64_t info = load_u64(at + 8);

    *r = (struct reloc){load_u64(at), (uint32_t)info, (uint32_t)(info >> 32), (int64_t)load_u64(at + 16), at};
    *s = (struct symbol){0};
    if (r->type == R_NONE)
        return 0;
    unsigned width = r->type >= R_GOTPCREL && r->type <= R_GOTPCREL32_HI ? 4 : co_reloc_width(r->type);
    if (!width || r->type == R_RELATIVE64)
        return err_set(l->e, ERR_UNSUPPORTED, "section %u, relocation %llu: type %u (%s)", k, (unsigned long long)i,
                       r->type, co_reloc_name(r->type));
    if (target->type == SHT_NOBITS || target->type == SHT_NULL || r->place > target->size ||
        width > target->size - r->place)
        return err_set(l->e, ERR_FORMAT, "section %u, relocation %llu: %s at 0x%llx is not in section %u", k,
                       (unsigned long long)i, co_reloc_name(r->type), (unsigned long long)r->place, table->info);
    if (table->link != l->symtab || (r->symbol && r->symbol >= l->symbols))
        return err_set(l->e, ERR_FORMAT, "section %u, relocation %llu: symbol %u of %llu", k, (unsigned long long)i,
                       r->symbol, (unsigned long long)l->symbols);
    if (!r->symbol) {
        s->section = SHN_ABS;
        return 0;
    }
    s->at = symbol_at(l, r->symbol);
    s->value = load_u64(s->at + 8);
    s->section = load_u16(s->at + 6);
    s->weak = s->at[4] >> 4 == BIND_WEAK;
    if (s->section == SHN_LDS || s->section == SHN_COMMON)
        return err_set(l->e, ERR_UNSUPPORTED,
                       "section %u, relocation %llu: symbol \"%.200s\" is %s, which needs ld.lld", k,
                       (unsigned long long)i, symbol_name(l, r->symbol), s->section == SHN_LDS ? "LDS" : "common");
    return 0;
}

static bool uses_got(uint32_t type)
{
    return type >= R_GOTPCREL && type <= R_GOTPCREL32_HI;
}

static bool is_relative(uint32_t type)
{
    return type == R_REL32 || type == R_REL64 || type == R_REL32_LO || type == R_REL32_HI || type == R_REL16 ||
           uses_got(type);
}

/* Writes the value that the linker knows. v: symbol and addend, less the place when the type is relative. */
static int write_value(struct linker *l, unsigned k, const struct reloc *r, uint64_t v)
{
    uint8_t *at = l->b + l->s[l->s[k].info].offset + r->place;
    bool fits = true;

    switch (r->type) {
    case R_REL32_HI:
    case R_GOTPCREL32_HI:
    case 2: /* ABS32_HI */
        v >>= 32;
        break;
    case R_REL16: /* the word offset of a branch, counted from the next instruction */
        v = (uint64_t)((int64_t)(v - 4) / 4);
        fits = bits_sext(v, 16) == (int64_t)v;
        break;
    case R_REL32:
    case R_GOTPCREL:
        fits = bits_sext(v, 32) == (int64_t)v;
        break;
    case 6: /* ABS32 */
        fits = v <= UINT32_MAX || bits_sext(v, 32) == (int64_t)v;
        break;
    default:
        break;
    }
    if (!fits)
        return err_set(l->e, ERR_FORMAT, "section %u: %s at 0x%llx (symbol \"%.80s\"): value 0x%llx does not fit", k,
                       co_reloc_name(r->type), (unsigned long long)r->place, r->symbol ? symbol_name(l, r->symbol) : "",
                       (unsigned long long)v);
    put(at, v, uses_got(r->type) ? 4 : co_reloc_width(r->type));
    put(r->at + 8, R_NONE, 8); /* the loader has nothing to do */
    return 0;
}

/* Resolves one relocation, or turns it into one that the loader resolves. */
static int relocate(struct linker *l, unsigned k, const struct reloc *r, const struct symbol *s)
{
    const struct section *target = &l->s[l->s[k].info];
    uint64_t place = target->addr + r->place;
    bool loaded = target->flags & SHF_ALLOC, defined = s->section && s->section < l->n;

    if (uses_got(r->type)) {
        if (!r->symbol)
            return err_set(l->e, ERR_FORMAT, "section %u: %s at 0x%llx without a symbol", k, co_reloc_name(r->type),
                           (unsigned long long)r->place);
        return write_value(l, k, r, l->got + 8 * (l->slot[r->symbol] - 1) + (uint64_t)r->addend - place);
    }
    if (is_relative(r->type) && s->section == SHN_UNDEF && !s->weak)
        return err_set(l->e, ERR_FORMAT,
                       "undefined symbol \"%.200s\", which section %u refers to at 0x%llx: link the object with what "
                       "defines it",
                       symbol_name(l, r->symbol), l->s[k].info, (unsigned long long)r->place);
    if (!loaded) /* debug information, whose sections are at 0 */
        return write_value(l, k, r, s->value + (uint64_t)r->addend - (is_relative(r->type) ? place : 0));
    if (is_relative(r->type) && defined)
        return write_value(l, k, r, s->value + (uint64_t)r->addend - place);
    put(r->at, place, 8);
    return 0;
}

typedef int reloc_fn(struct linker *l, unsigned k, const struct reloc *r, const struct symbol *s);

static int count_slot(struct linker *l, unsigned k, const struct reloc *r, const struct symbol *s)
{
    (void)k, (void)s;
    if (uses_got(r->type) && r->symbol && !l->slot[r->symbol])
        l->slot[r->symbol] = ++l->slots;
    return 0;
}

static int each_reloc(struct linker *l, reloc_fn *fn)
{
    struct symbol s;
    struct reloc r;

    for (unsigned k = 1; k < l->n; k++) {
        if (l->s[k].type != SHT_RELA)
            continue;
        struct section *target = &l->s[l->s[k].info];
        if (target->flags & SHF_COMPRESSED) { /* debug information that can only be read wrong */
            target->type = SHT_NULL;
            continue;
        }
        for (uint64_t i = 0; i < l->s[k].size / RELA_BYTES; i++)
            if (read_reloc(l, k, i, &r, &s) || (r.type != R_NONE && fn(l, k, &r, &s)))
                return -1;
    }
    return 0;
}

/* ---- the result ---- */

static void write_header(uint8_t *h, const struct section *s)
{
    put(h + 4, s->type, 4);
    put(h + 8, s->flags, 8);
    put(h + 16, s->addr, 8);
    put(h + 24, s->offset, 8);
    put(h + 32, s->size, 8);
    put(h + 40, s->link, 4);
    put(h + 44, s->info, 4);
    put(h + 48, s->align, 8);
    put(h + 56, s->entry, 8);
}

/* Appends the table, its relocations and the section headers, which are two more. */
static int append_got(struct linker *l)
{
    uint64_t got = (l->size + 7) / 8 * 8, relas = got + UINT64_C(8) * l->slots;
    uint64_t headers = relas + (uint64_t)RELA_BYTES * l->slots, end = headers + (l->n + 2ull) * SECTION_BYTES;
    uint64_t relas_addr = l->got + UINT64_C(8) * l->slots;
    uint8_t *b = co_hold(l->co, 1, end - l->size, "a linked object", l->e) ? NULL : realloc(l->b, end + 1);

    if (!b)
        return err_set(l->e, ERR_NOMEM, "out of host memory for a linked object of %llu bytes",
                       (unsigned long long)end);
    memset(b + l->size, 0, end - l->size);
    for (uint64_t k = 1; k < l->symbols; k++) {
        if (!l->slot[k])
            continue;
        uint8_t *r = b + relas + (uint64_t)RELA_BYTES * (l->slot[k] - 1);
        put(r, l->got + UINT64_C(8) * (l->slot[k] - 1), 8);
        put(r + 8, k << 32 | R_ABS64, 8);
    }
    for (unsigned k = 0; k < l->n; k++) {
        memcpy(b + headers + (uint64_t)k * SECTION_BYTES, b + l->s[k].header, SECTION_BYTES);
        l->s[k].header = headers + (uint64_t)k * SECTION_BYTES;
    }
    write_header(b + headers + (uint64_t)l->n * SECTION_BYTES, &(struct section){.type = SHT_PROGBITS,
                                                                                 .flags = SHF_ALLOC | SHF_WRITE,
                                                                                 .addr = l->got,
                                                                                 .offset = got,
                                                                                 .size = UINT64_C(8) * l->slots,
                                                                                 .align = 8,
                                                                                 .entry = 8});
    write_header(b + headers + (l->n + 1ull) * SECTION_BYTES, &(struct section){.type = SHT_RELA,
                                                                                .flags = SHF_ALLOC,
                                                                                .addr = relas_addr,
                                                                                .offset = relas,
                                                                                .size = (uint64_t)RELA_BYTES * l->slots,
                                                                                .link = l->symtab,
                                                                                .info = l->n,
                                                                                .align = 8,
                                                                                .entry = RELA_BYTES});
    put(b + 40, headers, 8);
    put(b + 60, l->n + 2, 2);
    l->co->elf = l->b = b;
    l->co->elf_size = l->size = end;
    return 0;
}

static int link_object(struct linker *l)
{
    if (read_sections(l) || place_sections(l) || place_symbols(l) ||
        co_hold(l->co, l->symbols + 1, sizeof *l->slot, "symbols", l->e))
        return -1;
    l->slot = calloc(l->symbols + 1, sizeof *l->slot);
    if (!l->slot)
        return err_set(l->e, ERR_NOMEM, "out of host memory for %llu symbols", (unsigned long long)l->symbols);
    if (each_reloc(l, count_slot) || each_reloc(l, relocate) || (l->slots && append_got(l)))
        return -1;
    for (unsigned k = 1; k < l->n; k++) {
        uint8_t *h = l->b + l->s[k].header;
        put(h + 4, l->s[k].type, 4);
        put(h + 8, l->s[k].flags, 8);
        put(h + 16, l->s[k].addr, 8);
    }
    put(l->b + 16, TYPE_LINKED, 2);
    put(l->b + 32, 0, 8); /* no program headers */
    put(l->b + 56, 0, 2);
    return 0;
}

int co_link(struct code_object *co, struct err *e)
{
    struct linker l = {.co = co, .b = co->elf, .size = co->elf_size, .e = e};
    int r = link_object(&l);

    if (l.s)
        co_release(co, l.n * sizeof *l.s);
    if (l.slot)
        co_release(co, (l.symbols + 1) * sizeof *l.slot);
    free(l.s);
    free(l.slot);
    return r ? err_prefix(e, "linking") : 0;
}
