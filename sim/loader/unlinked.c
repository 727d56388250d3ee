/* Unlinked objects: headers, sections of instructions and symbols, each checked against the file's size. */
#include "sim/loader/unlinked.h"

#include "sim/util/bits.h"

#include <string.h>

enum {
    HEADER_BYTES = 64,
    SECTION_BYTES = 64,
    SYMBOL_BYTES = 24,
    TYPE_RELOCATABLE = 1,
    MACHINE_AMDGPU = 224,
    OSABI_AMDGPU_HSA = 64,
    SECTION_PROGBITS = 1,
    SECTION_SYMBOLS = 2,
    FLAG_EXECUTABLE = 4
};

struct section {
    uint32_t type, link;
    uint64_t flags, offset, size;
};

/* False when the section is not there or its contents are not in the file. */
static bool section_at(const struct unlinked *o, unsigned k, struct section *s)
{
    const uint8_t *h = o->bytes + o->section_headers + (size_t)k * SECTION_BYTES;

    if (k >= o->sections)
        return false;
    *s = (struct section){load_u32(h + 4), load_u32(h + 40), load_u64(h + 8), load_u64(h + 24), load_u64(h + 32)};
    return s->offset <= o->size && s->size <= o->size - s->offset;
}

static int find_symbols(struct unlinked *o, struct err *e)
{
    struct section s, names;

    for (unsigned k = 1; k < o->sections; k++) {
        if (!section_at(o, k, &s) || s.type != SECTION_SYMBOLS)
            continue;
        if (!section_at(o, s.link, &names) || !names.size || o->bytes[names.offset + names.size - 1])
            return err_set(e, ERR_FORMAT, "section %u: symbols without their names", k);
        o->symbols = s.offset;
        o->symbol_count = s.size / SYMBOL_BYTES;
        o->strings = names.offset;
        o->string_bytes = names.size;
        return 0;
    }
    return 0;
}

int unlinked_open(struct unlinked *o, const void *bytes, size_t size, struct err *e)
{
    const uint8_t *b = bytes;

    *o = (struct unlinked){.bytes = b, .size = size};
    if (size < HEADER_BYTES || memcmp(b, "\177ELF\2\1\1", 7) != 0)
        return err_set(e, ERR_FORMAT, "not an ELF file of 64 bits");
    if (load_u16(b + 16) != TYPE_RELOCATABLE || load_u16(b + 18) != MACHINE_AMDGPU || b[7] != OSABI_AMDGPU_HSA)
        return err_set(e, ERR_UNSUPPORTED, "ELF type %u, machine %u, OS ABI %u; expected an assembled amdgcn object",
                       load_u16(b + 16), load_u16(b + 18), b[7]);
    if (b[8] < 1 || b[8] > 4)
        return err_set(e, ERR_UNSUPPORTED, "offset 8: ABI version %u (code object v%u), expected 1..4 (v3..v6)", b[8],
                       b[8] + 2u);
    o->flags = load_u32(b + 48);
    o->abi_version = b[8];
    o->section_headers = load_u64(b + 40);
    o->sections = load_u16(b + 60);
    if (load_u16(b + 58) != SECTION_BYTES || o->section_headers > size ||
        (uint64_t)o->sections * SECTION_BYTES > size - o->section_headers)
        return err_set(e, ERR_FORMAT, "%u section headers at 0x%llx, the file has %zu bytes", o->sections,
                       (unsigned long long)o->section_headers, size);
    return co_target_from_flags(&o->target, o->flags, b[8] + 2u, e) || find_symbols(o, e) ? -1 : 0;
}

bool unlinked_symbol(const struct unlinked *o, uint64_t k, struct unlinked_symbol *out)
{
    if (!k || k >= o->symbol_count)
        return false;
    const uint8_t *s = o->bytes + o->symbols + k * SYMBOL_BYTES;
    if (load_u32(s) >= o->string_bytes)
        return false;
    *out = (struct unlinked_symbol){.name = (const char *)o->bytes + o->strings + load_u32(s),
                                    .section = load_u16(s + 6),
                                    .value = load_u64(s + 8),
                                    .type = s[4] & 15};
    return true;
}

bool unlinked_find(const struct unlinked *o, const char *name, struct unlinked_symbol *out)
{
    for (uint64_t k = 1; k < o->symbol_count; k++)
        if (unlinked_symbol(o, k, out) && strcmp(out->name, name) == 0)
            return true;
    return false;
}

const uint8_t *unlinked_code(const struct unlinked *o, unsigned section, size_t *size)
{
    struct section s;

    if (!section_at(o, section, &s) || s.type != SECTION_PROGBITS || !(s.flags & FLAG_EXECUTABLE) || !s.size)
        return NULL;
    *size = (size_t)s.size;
    return o->bytes + s.offset;
}

const char *unlinked_kernel(const struct unlinked *o)
{
    struct unlinked_symbol s;

    for (uint64_t k = 1; k < o->symbol_count; k++) {
        size_t n = unlinked_symbol(o, k, &s) ? strlen(s.name) : 0;
        if (n > 3 && s.section && s.section < o->sections && strcmp(s.name + n - 3, ".kd") == 0)
            return s.name;
    }
    return NULL;
}
