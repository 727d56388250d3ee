/* Code objects for fuzzers: looking at them, building them, moving their parts. */
#include "tests/fuzz/object.h"

#include <string.h>

#include "isa/isa.h"
#include "sim/loader/target_id.h"
#include "tests/fuzz/bytes.h"

enum { EHDR = 64, PHDR = 56, SHDR = 64, SYM = 24, NOTE_HEADER = 20 };

const struct isa_target *object_isa(const char *processor)
{
    static struct isa_target *open[64];
    const char *name;

    for (unsigned i = 0; i < 64 && (name = isa_target_name(i)); i++)
        if (strcmp(name, processor) == 0) {
            struct err e = {0};
            if (!open[i] && isa_target_open(&open[i], name, NULL, &e))
                return NULL;
            return open[i];
        }
    return NULL;
}

uint32_t object_flags(const char *processor)
{
    struct co_target_id id;
    struct err e = {0};

    for (uint32_t mach = 1; mach < 256; mach++)
        if (co_target_from_flags(&id, mach, 5, &e) == 0 && strcmp(id.name, processor) == 0)
            return mach;
    return 0;
}

/* ---- looking ---- */

/* The file offset of an address in a loaded segment, and where the segment ends in the file; false: nowhere. */
static bool offset_of(const uint8_t *b, size_t size, uint64_t vaddr, size_t *at, size_t *end)
{
    uint64_t headers = get(b, 32, 8), count = get(b, 56, 2);

    for (uint64_t i = 0; i < count && headers < size && headers + (i + 1) * PHDR <= size; i++) {
        size_t h = (size_t)(headers + i * PHDR);
        uint64_t off = get(b, h + 8, 8), start = get(b, h + 16, 8), bytes = get(b, h + 32, 8);
        if (get(b, h, 4) == 1 && vaddr >= start && vaddr - start < bytes && off <= size && bytes <= size - off) {
            *at = (size_t)(off + (vaddr - start));
            *end = (size_t)(off + bytes);
            return true;
        }
    }
    return false;
}

static void look_for_notes(struct object_view *v, const uint8_t *b, size_t size)
{
    uint64_t headers = get(b, 32, 8), count = get(b, 56, 2);

    for (uint64_t i = 0; i < count && headers < size && headers + (i + 1) * PHDR <= size; i++) {
        size_t h = (size_t)(headers + i * PHDR);
        uint64_t off = get(b, h + 8, 8), bytes = get(b, h + 32, 8);
        if (get(b, h, 4) != 4 || off > size || bytes > size - off || bytes < NOTE_HEADER)
            continue;
        uint64_t n = get(b, (size_t)off + 4, 4);
        v->note_header = h;
        if (get(b, (size_t)off, 4) == 7 && n <= bytes - NOTE_HEADER) {
            v->note = (size_t)off + NOTE_HEADER;
            v->note_bytes = (size_t)n;
        }
        return;
    }
}

/* Symbols of 64 bytes that are objects are taken for descriptors. */
static void look_for_kernels(struct object_view *v, const uint8_t *b, size_t size, unsigned which)
{
    uint64_t headers = get(b, 40, 8), count = get(b, 60, 2);
    unsigned found = 0;

    for (uint64_t i = 0; i < count && headers < size && headers + (i + 1) * SHDR <= size; i++) {
        size_t h = (size_t)(headers + i * SHDR);
        uint64_t type = get(b, h + 4, 4), off = get(b, h + 24, 8), bytes = get(b, h + 32, 8);
        if ((type != 2 && type != 11) || off > size || bytes > size - off)
            continue;
        for (uint64_t s = 0; s + SYM <= bytes; s += SYM) {
            size_t sym = (size_t)(off + s), kd, end, code;
            if ((b[sym + 4] & 15) != 1 || get(b, sym + 16, 8) != OBJECT_KD_BYTES ||
                !offset_of(b, size, get(b, sym + 8, 8), &kd, &end) || end - kd < OBJECT_KD_BYTES)
                continue;
            v->kd = kd;
            if (offset_of(b, size, get(b, sym + 8, 8) + get(b, kd + 16, 8), &code, &end)) {
                v->code = code;
                v->code_end = end;
            }
            if (found++ == which)
                return;
        }
    }
}

bool object_look(struct object_view *v, const uint8_t *b, size_t size, unsigned which)
{
    struct co_target_id id;
    struct err e = {0};

    *v = (struct object_view){0};
    if (size < EHDR || memcmp(b, "\177ELF\2\1", 6) != 0)
        return false;
    unsigned version = b[8] >= 1 && b[8] <= 4 ? b[8] + 2u : 5;
    if (co_target_from_flags(&id, (uint32_t)get(b, 48, 4), version, &e) == 0) {
        for (unsigned i = 0; (v->processor = co_target_name(i)) && strcmp(v->processor, id.name) != 0; i++)
            ;
        v->isa = object_isa(id.name);
    }
    look_for_notes(v, b, size);
    look_for_kernels(v, b, size, which);
    return true;
}

/* ---- building ---- */

struct writer {
    uint8_t *b;
    size_t n;
};

static void align(struct writer *w, size_t to)
{
    while (w->n % to)
        w->b[w->n++] = 0;
}

/* A MessagePack string, map key or value. */
static void str(struct writer *w, const char *s)
{
    size_t n = strlen(s);

    if (n < 32)
        w->b[w->n++] = (uint8_t)(0xa0 | n);
    else
        w->b[w->n++] = 0xd9, w->b[w->n++] = (uint8_t)n;
    memcpy(w->b + w->n, s, n);
    w->n += n;
}

static void number(struct writer *w, const char *key, uint32_t v)
{
    str(w, key);
    if (v < 128) {
        w->b[w->n++] = (uint8_t)v;
    } else {
        w->b[w->n++] = 0xcd; /* 16 bits, the most significant byte first */
        w->b[w->n++] = (uint8_t)(v >> 8);
        w->b[w->n++] = (uint8_t)v;
    }
}

static void argument(struct writer *w, const char *kind, unsigned offset, unsigned size)
{
    bool pointer = strcmp(kind, "global_buffer") == 0;

    w->b[w->n++] = (uint8_t)(0x80 | (pointer ? 4 : 3));
    number(w, ".offset", offset);
    number(w, ".size", size);
    str(w, ".value_kind");
    str(w, kind);
    if (pointer) {
        str(w, ".address_space");
        str(w, "global");
    }
}

static void metadata(struct writer *w, const char *processor, bool wave32)
{
    char target[64] = "amdgcn-amd-amdhsa--";

    w->b[w->n++] = 0x83;
    str(w, "amdhsa.kernels");
    w->b[w->n++] = 0x91;
    w->b[w->n++] = 0x8b;
    str(w, ".args");
    w->b[w->n++] = 0x95;
    argument(w, "global_buffer", 0, 8);
    argument(w, "global_buffer", 8, 8);
    argument(w, "by_value", 16, 4);
    argument(w, "hidden_block_count_x", 24, 4);
    argument(w, "hidden_group_size_x", 28, 2);
    number(w, ".group_segment_fixed_size", 1024);
    number(w, ".kernarg_segment_align", 8);
    number(w, ".kernarg_segment_size", 32);
    number(w, ".max_flat_workgroup_size", 1024);
    str(w, ".name");
    str(w, "k");
    number(w, ".private_segment_fixed_size", 64);
    number(w, ".sgpr_count", 96);
    str(w, ".symbol");
    str(w, "k.kd");
    number(w, ".vgpr_count", 128);
    number(w, ".wavefront_size", wave32 ? 32 : 64);
    str(w, "amdhsa.target");
    str(w, strcat(target, processor));
    str(w, "amdhsa.version");
    w->b[w->n++] = 0x92;
    w->b[w->n++] = 1;
    w->b[w->n++] = 2;
}

static void segment(uint8_t *b, unsigned i, unsigned type, unsigned flags, size_t off, uint64_t vaddr, size_t bytes)
{
    size_t at = EHDR + i * (size_t)PHDR;

    put(b, at, type, 4);
    put(b, at + 4, flags, 4);
    put(b, at + 8, off, 8);
    put(b, at + 16, vaddr, 8);
    put(b, at + 32, bytes, 8);
    put(b, at + 40, bytes, 8);
    put(b, at + 48, 4, 8); /* 8 would make other notes of notes */
}

static void section(struct writer *w, unsigned type, unsigned flags, uint64_t addr, size_t off, size_t bytes,
                    unsigned link, unsigned entry)
{
    memset(w->b + w->n, 0, SHDR);
    put(w->b, w->n + 4, type, 4);
    put(w->b, w->n + 8, flags, 8);
    put(w->b, w->n + 16, addr, 8);
    put(w->b, w->n + 24, off, 8);
    put(w->b, w->n + 32, bytes, 8);
    put(w->b, w->n + 40, link, 4);
    put(w->b, w->n + 48, 8, 8);
    put(w->b, w->n + 56, entry, 8);
    w->n += SHDR;
}

/* Every VGPR a wave can have on the target, two user SGPRs with the kernarg address, scratch, work-item ids x to z. */
static void descriptor(uint8_t *kd, uint64_t to_code, const char *processor, bool wave32)
{
    struct co_target_id id;
    struct err e = {0};

    memset(kd, 0, OBJECT_KD_BYTES);
    put(kd, 0, 1024, 4);
    put(kd, 4, 64, 4);
    put(kd, 8, 32, 4);
    put(kd, 16, to_code, 8);
    if (co_target_parse(&id, processor, &e))
        return;
    bool newer = id.family >= CO_GFX10;
    put(kd, 44, id.family == CO_GFX90A ? 31 : 0, 4); /* accum_offset 128 */
    put(kd, 48, (newer || id.family == CO_GFX90A ? 31u : 63u) | (newer ? 0u : 12u << 6) | 0xf0u << 12, 4);
    put(kd, 52, 1u | 2u << 1 | 7u << 7 | 2u << 11, 4);
    put(kd, 56, 1u << 3 | (wave32 ? 1u << 10 : 0), 2);
}

size_t object_build(uint8_t out[OBJECT_MAX_BYTES], const char *processor, bool wave32, const uint8_t *code,
                    size_t code_bytes)
{
    static const uint64_t code_vaddr = 0x1000;
    static const char names[] = "\0k\0k.kd";
    struct writer w = {out, EHDR + 3 * (size_t)PHDR};

    if (code_bytes > OBJECT_MAX_BYTES - 2048)
        return 0;
    memset(out, 0, EHDR + 3 * (size_t)PHDR);
    size_t note = w.n;
    w.n += NOTE_HEADER;
    metadata(&w, processor, wave32);
    put(out, note, 7, 4);
    put(out, note + 4, w.n - note - NOTE_HEADER, 4);
    put(out, note + 8, 32, 4);
    memcpy(out + note + 12, "AMDGPU\0", 8);
    align(&w, 4);
    segment(out, 2, 4, 4, note, note, w.n - note);
    align(&w, 64);
    size_t kd = w.n;
    descriptor(out + kd, code_vaddr - kd, processor, wave32);
    w.n += OBJECT_KD_BYTES;
    segment(out, 0, 1, 4, 0, 0, w.n);
    size_t text = w.n;
    memcpy(out + text, code, code_bytes);
    w.n += code_bytes;
    segment(out, 1, 1, 5, text, code_vaddr, code_bytes);
    align(&w, 8);
    size_t symbols = w.n;
    memset(out + symbols, 0, 3 * (size_t)SYM);
    put(out, symbols + SYM, 1, 4);
    put(out, symbols + SYM + 4, 0x12, 1);
    put(out, symbols + SYM + 6, 3, 2);
    put(out, symbols + SYM + 8, code_vaddr, 8);
    put(out, symbols + SYM + 16, code_bytes, 8);
    put(out, symbols + 2 * SYM, 3, 4);
    put(out, symbols + 2 * SYM + 4, 0x11, 1);
    put(out, symbols + 2 * SYM + 6, 4, 2);
    put(out, symbols + 2 * SYM + 8, kd, 8);
    put(out, symbols + 2 * SYM + 16, OBJECT_KD_BYTES, 8);
    w.n += 3 * (size_t)SYM;
    size_t strings = w.n;
    memcpy(out + strings, names, sizeof names);
    w.n += sizeof names;
    align(&w, 8);
    size_t sections = w.n;
    section(&w, 0, 0, 0, 0, 0, 0, 0);
    section(&w, 11, 2, symbols, symbols, 3 * (size_t)SYM, 2, SYM);
    section(&w, 3, 2, strings, strings, sizeof names, 0, 0);
    section(&w, 1, 6, code_vaddr, text, code_bytes, 0, 0);
    section(&w, 1, 2, kd, kd, OBJECT_KD_BYTES, 0, 0);

    memcpy(out, "\177ELF\2\1\1\100", 8);
    out[8] = 3; /* code object v5 */
    put(out, 16, 3, 2);
    put(out, 18, 224, 2);
    put(out, 20, 1, 4);
    put(out, 32, EHDR, 8);
    put(out, 40, sections, 8);
    put(out, 48, object_flags(processor), 4);
    put(out, 52, EHDR, 2);
    put(out, 54, PHDR, 2);
    put(out, 56, 3, 2);
    put(out, 58, SHDR, 2);
    put(out, 60, 5, 2);
    return w.n;
}

/* ---- moving ---- */

size_t object_put_note(uint8_t *b, size_t size, size_t max, const struct object_view *v, const uint8_t *note,
                       size_t note_bytes)
{
    size_t padded = (note_bytes + 3) & ~(size_t)3, header = v->note - NOTE_HEADER;

    if (note_bytes <= v->note_bytes) {
        memcpy(b + v->note, note, note_bytes);
    } else {
        size_t at = (size + 3) & ~(size_t)3;
        /* where it stands after everything else already, it may grow there */
        if (header + NOTE_HEADER + v->note_bytes + 4 > size)
            at = header;
        if (at + NOTE_HEADER + padded > max)
            return size;
        if (at > size)
            memset(b + size, 0, at - size);
        memmove(b + at, b + header, NOTE_HEADER);
        memcpy(b + at + NOTE_HEADER, note, note_bytes);
        memset(b + at + NOTE_HEADER + note_bytes, 0, padded - note_bytes);
        size = at + NOTE_HEADER + padded;
        header = at;
    }
    put(b, header + 4, note_bytes, 4);
    put(b, v->note_header + 8, header, 8);
    put(b, v->note_header + 32, NOTE_HEADER + padded, 8);
    put(b, v->note_header + 40, NOTE_HEADER + padded, 8);
    return size;
}

size_t object_put_relocs(uint8_t *b, size_t size, size_t max, unsigned index, bool packed, const uint8_t *bytes,
                         size_t n)
{
    uint64_t headers = get(b, 40, 8), count = get(b, 60, 2), symbols = 0;
    size_t at = (size + 7) & ~(size_t)7;

    if (!count || headers > size || count * SHDR > size - headers || at + n > max)
        return size;
    for (uint64_t i = 1; i < count; i++) {
        uint64_t type = get(b, (size_t)(headers + i * SHDR) + 4, 4);
        symbols = type == 2 || type == 11 ? i : symbols;
    }
    memset(b + size, 0, at - size);
    memcpy(b + at, bytes, n);
    struct writer w = {b, (size_t)(headers + index % count * SHDR)};
    section(&w, packed ? 19 : 4, 2, at, at, n, (unsigned)symbols, packed ? 8 : 24);
    return at + n;
}

size_t object_build_host(uint8_t *out, size_t max, const uint8_t *bytes, size_t n)
{
    static const char names[] = "\0.hip_fatbin\0.shstrtab";
    struct writer w = {out, EHDR};

    if (EHDR + n + sizeof names + 16 + 3 * (size_t)SHDR > max)
        return 0;
    memset(out, 0, EHDR);
    memcpy(out + w.n, bytes, n);
    w.n += n;
    size_t strings = w.n;
    memcpy(out + strings, names, sizeof names);
    w.n += sizeof names;
    align(&w, 8);
    size_t sections = w.n;
    section(&w, 0, 0, 0, 0, 0, 0, 0);
    section(&w, 1, 2, 0x1000, EHDR, n, 0, 0);
    section(&w, 3, 0, 0, strings, sizeof names, 0, 0);
    put(out, sections + SHDR, 1, 4);
    put(out, sections + 2 * (size_t)SHDR, 13, 4);
    memcpy(out, "\177ELF\2\1\1", 7);
    put(out, 16, 2, 2);
    put(out, 18, 62, 2); /* x86-64 */
    put(out, 20, 1, 4);
    put(out, 40, sections, 8);
    put(out, 52, EHDR, 2);
    put(out, 58, SHDR, 2);
    put(out, 60, 3, 2);
    put(out, 62, 2, 2);
    return w.n;
}
