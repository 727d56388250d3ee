/* The mutator of fuzz_path: chooses what to change, keeps the file readable most of the time, and wraps it into
 * bundles now and then. */
#include "tests/fuzz/path_mutate.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "isa/isa.h"
#include "sim/loader/target_id.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/path_input.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max, unsigned seed);
/* libFuzzer's own changes of bytes; the driver of tests has none of them */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

enum { MAX_BODY = 1 << 16, MAX_MEMORY_BYTES = 1 << 24, BUNDLE_MAGIC = 24 };

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

uint64_t mutation_number(struct mutation *m)
{
    static const uint64_t some[] = {
        0,          1,          2,          3,          4,          7,         8,          16,
        32,         63,         64,         65,         128,        255,       256,        512,
        1024,       1025,       4095,       4096,       32767,      65535,     65536,      1 << 20,
        0x7fffffff, 0x80000000, UINT32_MAX, 1ull << 32, 1ull << 47, INT64_MAX, 1ull << 63, UINT64_MAX - 3,
        UINT64_MAX};
    uint32_t r = mutation_random(m);

    switch (r % 4) {
    case 0:
        return r >> 24;
    case 1:
        return r >> 16;
    default:
        return some[(r >> 8) % (sizeof some / sizeof some[0])];
    }
}

/* ---- the launch ---- */

static void mutate_shape(struct mutation *m, struct path_launch *p)
{
    static const uint16_t sizes[] = {1, 1, 1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128, 256, 512, 1024, 1025, 0};
    unsigned d = mutation_below(m, 3);

    p->workgroup[d] = sizes[mutation_below(m, sizeof sizes / sizeof sizes[0])];
    for (int i = 0; i < 3; i++)
        p->grid[i] = p->workgroup[i] * (i == (int)d ? 1 + mutation_below(m, 4) : 1);
    if (mutation_below(m, 8) == 0)
        p->grid[d] = (uint32_t)mutation_number(m);
}

static void mutate_launch(struct mutation *m, struct path_launch *p)
{
    switch (mutation_below(m, 12)) {
    case 0:
    case 1:
        mutate_shape(m, p);
        break;
    case 2:
    case 3:
        p->flags ^= (uint16_t)(1u << mutation_below(m, 16));
        break;
    case 4:
        p->threads = (uint8_t)mutation_below(m, PATH_MAX_THREADS);
        break;
    case 5:
        p->profile = (uint8_t)mutation_below(m, 16);
        break;
    case 6:
        p->args = (uint8_t)mutation_below(m, PATH_ARGS_KINDS);
        p->kernel = (uint8_t)mutation_below(m, 4);
        break;
    case 7:
        p->max_instructions = (uint16_t)mutation_number(m);
        break;
    case 8:
        p->max_cycles = (uint16_t)mutation_number(m);
        p->flags |= PATH_LIMIT_CYCLES;
        break;
    case 9:
        p->dynamic_lds = mutation_below(m, 2) ? (uint32_t)mutation_number(m) : mutation_below(m, 4096);
        break;
    case 10:
        p->private_bytes = mutation_below(m, 2) ? (uint32_t)mutation_number(m) : mutation_below(m, 1024);
        break;
    default:
        p->value_seed = mutation_random(m);
        p->figure = (uint16_t)mutation_random(m);
        p->figure_value = (uint32_t)(mutation_below(m, 4) ? mutation_number(m) : mutation_random(m));
        if (mutation_below(m, 4) == 0)
            p->flags ^= PATH_SET_FIGURE;
        break;
    }
}

/* ---- headers ---- */

struct field {
    uint8_t at, bytes;
};

/* Sets a field of an entry to a number that breaks readers, or near what it is, or to what another entry has. */
static void mutate_field(struct mutation *m, size_t table, size_t entries, size_t entry_bytes, const struct field *f,
                         unsigned fields)
{
    if (!entries || table > m->size || entries > (m->size - table) / entry_bytes)
        return;
    size_t one = table + mutation_below(m, (uint32_t)entries) * entry_bytes;
    size_t other = table + mutation_below(m, (uint32_t)entries) * entry_bytes;
    f += mutation_below(m, fields);
    uint64_t v = get(m->b, one + f->at, f->bytes);
    switch (mutation_below(m, 4)) {
    case 0:
        v = mutation_number(m);
        break;
    case 1:
        v += (uint64_t)(int64_t)(mutation_below(m, 33)) - 16;
        break;
    case 2:
        v = get(m->b, other + f->at, f->bytes);
        break;
    default:
        v ^= UINT64_C(1) << mutation_below(m, 8u * f->bytes);
        break;
    }
    put(m->b, one + f->at, v, f->bytes);
}

static const struct field header_fields[] = {{7, 1},  {8, 1},  {16, 2}, {18, 2}, {32, 8}, {40, 8}, {48, 4},
                                             {48, 1}, {49, 1}, {54, 2}, {56, 2}, {58, 2}, {60, 2}, {62, 2}};
static const struct field segment_fields[] = {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {32, 8}, {40, 8}, {48, 8}};
static const struct field section_fields[] = {{0, 4},  {4, 4},  {8, 8},  {16, 8}, {24, 8},
                                              {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}};
static const struct field symbol_fields[] = {{0, 4}, {4, 1}, {5, 1}, {6, 2}, {8, 8}, {16, 8}};
static const struct field descriptor_fields[] = {{0, 4},  {4, 4},  {8, 4},  {16, 8}, {44, 4}, {44, 1},
                                                 {48, 4}, {48, 1}, {49, 1}, {50, 1}, {51, 1}, {52, 4},
                                                 {52, 1}, {53, 1}, {56, 2}, {56, 1}, {57, 1}, {58, 2}};

#define FIELDS(F) F, sizeof F / sizeof F[0]

static void mutate_symbols(struct mutation *m)
{
    uint64_t sections = get(m->b, 40, 8), count = get(m->b, 60, 2);

    for (uint64_t i = 0; i < count && sections < m->size && sections + (i + 1) * 64 <= m->size; i++) {
        size_t h = (size_t)(sections + i * 64);
        uint64_t type = get(m->b, h + 4, 4), off = get(m->b, h + 24, 8), bytes = get(m->b, h + 32, 8);
        if ((type == 2 || type == 11) && mutation_below(m, 2) == 0 && bytes / 24) {
            mutate_field(m, (size_t)off, (size_t)(bytes / 24), 24, FIELDS(symbol_fields));
            return;
        }
    }
}

static void add_relocs(struct mutation *m)
{
    uint8_t table[4 * 24];
    bool packed = mutation_below(m, 4) == 0;
    unsigned n = 1 + mutation_below(m, 4);

    for (unsigned i = 0; i < n; i++) {
        uint64_t place = mutation_below(m, 4) ? 4 * mutation_below(m, 2048) : mutation_number(m);
        if (packed) {
            put(table, 8 * (size_t)i, i ? mutation_random(m) | 1 : place & ~UINT64_C(1), 8);
            continue;
        }
        uint64_t type = mutation_below(m, 16), symbol = mutation_below(m, 5);
        put(table, 24 * (size_t)i, place, 8);
        put(table, 24 * (size_t)i + 8, symbol << 32 | type, 8);
        put(table, 24 * (size_t)i + 16, mutation_number(m), 8);
    }
    m->size = object_put_relocs(m->b, m->size, m->max, 1 + mutation_below(m, 16), packed, table, n * (packed ? 8 : 24));
}

/* Bytes of a section that is not loaded: debug information, above all. */
static void mutate_contents(struct mutation *m)
{
    uint64_t sections = get(m->b, 40, 8), count = get(m->b, 60, 2);

    for (unsigned try = 0; count && try < 8; try++) {
        uint64_t h = sections + mutation_below(m, (uint32_t)count) * UINT64_C(64);
        if (h > m->size || m->size - h < 64)
            continue;
        uint64_t off = get(m->b, (size_t)h + 24, 8), bytes = get(m->b, (size_t)h + 32, 8);
        if (get(m->b, (size_t)h + 4, 4) != 1 || get(m->b, (size_t)h + 8, 4) & 2 || !bytes || off > m->size ||
            bytes > m->size - off)
            continue;
        if (mutation_below(m, 3) == 0) {
            LLVMFuzzerMutate(m->b + off, (size_t)bytes, (size_t)bytes);
            return;
        }
        unsigned width = 1u << mutation_below(m, 4);
        if (bytes >= width)
            put(m->b, (size_t)off + mutation_below(m, (uint32_t)(bytes - width + 1)), mutation_number(m), width);
        return;
    }
}

static void mutate_headers(struct mutation *m)
{
    switch (mutation_below(m, 8)) {
    case 0:
        mutate_field(m, 0, 1, 64, FIELDS(header_fields));
        break;
    case 1:
    case 2:
        mutate_field(m, (size_t)get(m->b, 32, 8), (size_t)get(m->b, 56, 2), 56, FIELDS(segment_fields));
        break;
    case 3:
    case 4:
        mutate_field(m, (size_t)get(m->b, 40, 8), (size_t)get(m->b, 60, 2), 64, FIELDS(section_fields));
        break;
    case 5:
    case 6:
        mutate_symbols(m);
        break;
    default:
        add_relocs(m);
        break;
    }
}

/* ---- keeping a file readable ---- */

/* The value of an unsigned key of the metadata, found by its text. */
static bool stated(const uint8_t *note, size_t n, const char *key, uint64_t *v)
{
    size_t length = strlen(key);

    for (size_t i = 0; i + length + 9 < n; i++) {
        if (memcmp(note + i, key, length) != 0)
            continue;
        const uint8_t *p = note + i + length;
        if (*p < 0x80)
            *v = *p;
        else if (*p == 0xcc)
            *v = p[1];
        else if (*p == 0xcd)
            *v = (uint64_t)p[1] << 8 | p[2];
        else if (*p == 0xce)
            *v = (uint64_t)p[1] << 24 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 8 | p[4];
        else
            return false;
        return true;
    }
    return false;
}

/* The descriptor says what the metadata says, reserved bits are clear, sizes in memory are moderate. */
static void make_consistent(struct mutation *m)
{
    struct object_view v;
    uint64_t n, headers;

    if (!object_look(&v, m->b, m->size, 0))
        return;
    headers = get(m->b, 32, 8);
    for (uint64_t i = 0; i < get(m->b, 56, 2) && headers < m->size && headers + (i + 1) * 56 <= m->size; i++) {
        size_t memory = (size_t)(headers + i * 56) + 40;
        if (get(m->b, memory, 8) > MAX_MEMORY_BYTES && get(m->b, memory, 8) >> 40 == 0)
            put(m->b, memory, MAX_MEMORY_BYTES, 8);
    }
    if (!v.kd || mutation_below(m, 8) == 0)
        return;
    if (v.note) {
        if (stated(m->b + v.note, v.note_bytes, ".group_segment_fixed_size", &n))
            put(m->b, v.kd, n, 4);
        if (stated(m->b + v.note, v.note_bytes, ".private_segment_fixed_size", &n))
            put(m->b, v.kd + 4, n, 4);
        if (stated(m->b + v.note, v.note_bytes, ".kernarg_segment_size", &n))
            put(m->b, v.kd + 8, n, 4);
        if (stated(m->b + v.note, v.note_bytes, ".wavefront_size", &n))
            m->b[v.kd + 57] = (uint8_t)((m->b[v.kd + 57] & ~4) | (n == 32 ? 4 : 0));
    }
    memset(m->b + v.kd + 12, 0, 4);
    memset(m->b + v.kd + 24, 0, 20);
    memset(m->b + v.kd + 60, 0, 4);
}

/* The metadata changed, or brought over from another object. */
static void put_metadata(struct mutation *m, const struct object_view *v, const uint8_t *note, size_t n)
{
    static uint8_t changed[MAX_BODY];

    if (!v->note)
        return;
    if (!note) {
        n = mutate_metadata(m, m->b + v->note, v->note_bytes, changed, sizeof changed);
        note = changed;
    }
    m->size = object_put_note(m->b, m->size, m->max, v, note, n);
}

/* ---- bundles ---- */

static size_t wrap_plain(struct mutation *m, const uint8_t *elf, size_t n, uint8_t *out, size_t max)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--",
                                      "openmp-amdgcn-amd-amdhsa--"};
    unsigned entries = 1 + mutation_below(m, 3);
    size_t at = BUNDLE_MAGIC + 8, data = 32 + entries * (size_t)(24 + 64);
    struct object_view v;

    if (data + n > max)
        return 0;
    memset(out, 0, data);
    memcpy(out, bundle_magic, BUNDLE_MAGIC);
    put(out, BUNDLE_MAGIC, entries, 8);
    object_look(&v, elf, n, 0);
    for (unsigned i = 0; i < entries; i++) {
        char id[64];
        const char *other = co_target_name(mutation_below(m, 40)), *processor = v.processor ? v.processor : "gfx90a";
        bool host = entries > 1 && i == 0;
        strcpy(id, ids[host ? 0 : 1 + mutation_below(m, 2)]);
        if (!host)
            strcat(id, i + 1 == entries || !other ? processor : other);
        size_t length = strlen(id), bytes = host && mutation_below(m, 4) ? 0 : n;
        put(out, at, data, 8);
        put(out, at + 8, bytes, 8);
        put(out, at + 16, length, 8);
        memcpy(out + at + 24, id, length);
        at += 24 + length;
    }
    memcpy(out + data, elf, n);
    return data + n;
}

static size_t wrap_compressed(struct mutation *m, const uint8_t *plain, size_t n, uint8_t *out, size_t max)
{
    unsigned version = 1 + mutation_below(m, 3);
    size_t header = version == 1 ? 20 : version == 2 ? 24 : 32;

    if (max < header)
        return 0;
    size_t packed = ZSTD_compress(out + header, max - header, plain, n, 3);
    if (ZSTD_isError(packed))
        return 0;
    memset(out, 0, header);
    memcpy(out, "CCOB", 4);
    put(out, 4, version, 2);
    put(out, 6, 1, 2);
    if (version == 1) {
        put(out, 8, n, 4);
    } else if (version == 2) {
        put(out, 8, header + packed, 4);
        put(out, 12, n, 4);
    } else {
        put(out, 8, header + packed, 8);
        put(out, 16, n, 8);
    }
    return header + packed;
}

static void wrap(struct mutation *m)
{
    static uint8_t plain[MAX_BODY], packed[MAX_BODY];
    size_t n = wrap_plain(m, m->b, m->size, plain, sizeof plain);
    const uint8_t *from = plain;

    if (n && mutation_below(m, 2)) {
        n = wrap_compressed(m, plain, n, packed, sizeof packed);
        from = packed;
    }
    if (n && mutation_below(m, 4) == 0) {
        /* as the compiler leaves it in a program */
        static uint8_t host[MAX_BODY];
        n = object_build_host(host, sizeof host, from, n);
        from = host;
    }
    if (!n || n > m->max)
        return;
    memcpy(m->b, from, n);
    m->size = n;
}

/* The last ELF file in a bundle comes out of it. False: there is none. */
static bool unwrap(struct mutation *m)
{
    static uint8_t plain[MAX_BODY];
    size_t n = m->size;

    memcpy(plain, m->b, n < sizeof plain ? n : 0);
    if (n > 32 && memcmp(m->b, "CCOB", 4) == 0) {
        static const uint8_t headers[] = {20, 24, 32};
        size_t header = headers[(unsigned)(m->b[4] - 1) % 3];
        n = ZSTD_decompress(plain, sizeof plain, m->b + header, m->size - header);
        if (ZSTD_isError(n))
            return false;
    }
    for (size_t at = n > 64 && n <= sizeof plain ? n - 64 : 0; at > 0; at--)
        if (memcmp(plain + at, "\177ELF\2", 5) == 0 && n - at <= m->max) {
            memcpy(m->b, plain + at, n - at);
            m->size = n - at;
            return true;
        }
    return false;
}

static void mutate_bundle(struct mutation *m)
{
    static const struct field entry[] = {{0, 8}, {8, 8}, {16, 8}, {24, 4}};
    static const struct field ccob[] = {{4, 2}, {6, 2}, {8, 4}, {12, 4}, {16, 4}, {20, 4}, {24, 4}};

    if (mutation_below(m, 3) && unwrap(m))
        return;
    if (m->size > 64 && memcmp(m->b, "\177ELF", 4) == 0) {
        mutate_headers(m);
        return;
    }
    if (m->size > 64 && memcmp(m->b, "CCOB", 4) == 0)
        mutate_field(m, 0, 1, 64, FIELDS(ccob));
    else if (mutation_below(m, 4) == 0)
        mutate_field(m, BUNDLE_MAGIC, 1, 8, entry, 1);
    else
        mutate_field(m, BUNDLE_MAGIC + 8, 1, 56, FIELDS(entry));
}

/* ---- one change ---- */

static void mutate_body(struct mutation *m)
{
    struct object_view v;

    if (!object_look(&v, m->b, m->size, mutation_below(m, 3)) || !v.processor) {
        mutate_bundle(m);
        return;
    }
    unsigned what = mutation_below(m, 32);
    if (&mutation_prefers_contents && mutation_prefers_contents && what < 20)
        what = 29;
    if (what < 17 && v.code && v.isa) {
        for (unsigned changes = 1 + mutation_below(m, 4); changes; changes--)
            mutate_code(m, &v);
    } else if (what < 21 && v.kd) {
        mutate_field(m, v.kd, 1, OBJECT_KD_BYTES, FIELDS(descriptor_fields));
    } else if (what < 26) {
        put_metadata(m, &v, NULL, 0);
    } else if (what < 29) {
        mutate_headers(m);
    } else if (what < 30) {
        mutate_contents(m);
    } else if (what < 31) {
        wrap(m);
        return;
    } else {
        m->size = LLVMFuzzerMutate(m->b, m->size, m->max);
    }
    if (mutation_below(m, 8))
        make_consistent(m);
}

/* Takes an input apart, for its body to be changed in place; the launch is put back by finish(). */
static struct mutation begin(uint8_t *data, size_t size, size_t max, unsigned seed, struct path_launch *p)
{
    struct mutation m = {data, size, max, UINT64_C(0x9e3779b97f4a7c15) * (seed + 1)};

    *p = path_defaults();
    if (size >= PATH_TRAILER_BYTES && memcmp(data + size - 8, PATH_MAGIC, 8) == 0) {
        memcpy(p, data + size - PATH_TRAILER_BYTES, PATH_TRAILER_BYTES);
        m.size -= PATH_TRAILER_BYTES;
    }
    m.max = max > PATH_TRAILER_BYTES ? max - PATH_TRAILER_BYTES : 0;
    mutation_random(&m);
    return m;
}

static size_t finish(const struct mutation *m, const struct path_launch *p)
{
    memcpy(m->b + m->size, p, PATH_TRAILER_BYTES);
    return m->size + PATH_TRAILER_BYTES;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct path_launch p;
    struct mutation m = begin(data, size, max, seed, &p);

    if (m.size > m.max || m.max > MAX_BODY)
        return LLVMFuzzerMutate(data, size, max);
    if (m.size < 64 || mutation_below(&m, 4) == 0)
        mutate_launch(&m, &p);
    else
        mutate_body(&m);
    return finish(&m, &p);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max, unsigned seed)
{
    struct path_launch p, q;
    struct object_view v, w;

    if (a_size > max || max > MAX_BODY)
        return 0;
    memcpy(out, a, a_size);
    struct mutation m = begin(out, a_size, max, seed, &p);
    size_t b_body = path_split(b, b_size, &q);
    if (m.size > m.max)
        return 0;
    unsigned which = mutation_below(&m, 3);
    if (mutation_below(&m, 8) == 0)
        p = q;
    else if (object_look(&v, m.b, m.size, which) && object_look(&w, b, b_body, which)) {
        if (v.code && w.code && v.isa && w.isa && mutation_below(&m, 4))
            mutate_code_from(&m, &v, b, &w);
        else if (w.note && w.note_bytes < MAX_BODY)
            put_metadata(&m, &v, b + w.note, w.note_bytes);
        make_consistent(&m);
    }
    return finish(&m, &p);
}
