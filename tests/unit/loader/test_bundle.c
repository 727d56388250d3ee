/* Offload bundles written by hand, plain and compressed, around hand-written code objects. */
#include "sim/loader/bundle.h"
#include "sim/loader/code_object.h"
#include "tests/unit/loader/toy_elf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#define PREFIX "hipv4-amdgcn-amd-amdhsa--"

static void put(uint8_t *b, size_t at, uint64_t v, unsigned n)
{
    memcpy(b + at, &v, n);
}

/* A container of n entries; each is a toy for the flags given, none (a host entry) for flags 0. */
static size_t make_plain(uint8_t *b, unsigned n, const char *const *ids, const uint32_t *flags)
{
    size_t at = 32, data = 4096;
    struct toy t;

    memset(b, 0, data);
    memcpy(b, "__CLANG_OFFLOAD_BUNDLE__", 24);
    put(b, 24, n, 8);
    for (unsigned i = 0; i < n; i++) {
        size_t size = flags[i] ? TOY_BYTES : 0, len = strlen(ids[i]);
        put(b, at, data, 8);
        put(b, at + 8, size, 8);
        put(b, at + 16, len, 8);
        memcpy(b + at + 24, ids[i], len);
        at += 24 + len;
        if (size) {
            toy_init(&t, flags[i], 3);
            memcpy(b + data, t.bytes, size);
            data += size;
        }
    }
    return data;
}

enum { ZLIB, ZSTD };

static size_t compress_by(unsigned method, uint8_t *to, const uint8_t *plain, size_t size)
{
    uLongf zlib = compressBound(size);

    if (method == ZLIB) {
        assert_int_equal(compress(to, &zlib, plain, size), Z_OK);
        return zlib;
    }
    size_t n = ZSTD_compress(to, ZSTD_compressBound(size), plain, size, 3);
    assert_false(ZSTD_isError(n));
    return n;
}

static size_t make_compressed_by(unsigned method, uint8_t *b, const uint8_t *plain, size_t size, unsigned version)
{
    static const size_t header[] = {0, 20, 24, 32};
    size_t h = header[version], n = compress_by(method, b + h, plain, size);

    memset(b, 0, h);
    memcpy(b, "CCOB", 4);
    put(b, 4, version, 2);
    put(b, 6, method, 2);
    if (version == 1) {
        put(b, 8, size, 4);
    } else if (version == 2) {
        put(b, 8, h + n, 4);
        put(b, 12, size, 4);
    } else {
        put(b, 8, h + n, 8);
        put(b, 16, size, 8);
    }
    return h + n;
}

static size_t make_compressed(uint8_t *b, const uint8_t *plain, size_t size, unsigned version)
{
    return make_compressed_by(ZSTD, b, plain, size, version);
}

static const char *const three_ids[] = {"host-x86_64-unknown-linux--", PREFIX "gfx90a:xnack-", PREFIX "gfx90a:xnack+",
                                        PREFIX "gfx1201"};
static const uint32_t three_flags[] = {0, 0x63f, 0x73f, 0x04e};

static struct {
    uint8_t plain[64 << 10], packed[64 << 10];
} buffers;

static void expect(const uint8_t *b, size_t size, const char *want, const char *target, const char *id)
{
    struct code_object *co;
    struct err e = {0};
    char text[CO_TARGET_TEXT];

    if (code_object_open(&co, b, size, "b", want, NULL, &e))
        fail_msg("%s", e.text);
    co_target_format(code_object_target(co), text);
    assert_string_equal(text, target);
    assert_string_equal(code_object_bundle_id(co), id);
    assert_int_equal(code_object_kernel_count(co), 1);
    code_object_close(co);
}

static void refuse(const uint8_t *b, size_t size, const char *want, enum err_code code, const char *part)
{
    struct code_object *co;
    struct err e = {0};

    assert_int_not_equal(code_object_open(&co, b, size, "b", want, NULL, &e), 0);
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
    assert_int_equal(e.code, code);
    assert_null(co);
}

static void choose_all(const uint8_t *b, size_t n)
{
    expect(b, n, "gfx1201", "gfx1201", PREFIX "gfx1201");
    expect(b, n, "gfx90a:xnack+", "gfx90a:xnack+", PREFIX "gfx90a:xnack+");
    expect(b, n, "gfx90a:sramecc+:xnack-", "gfx90a:xnack-", PREFIX "gfx90a:xnack-");
    expect(b, n, PREFIX "gfx90a:xnack-", "gfx90a:xnack-", PREFIX "gfx90a:xnack-");
    refuse(b, n, NULL, ERR_USAGE,
           "3 code objects fit, choose one by target: " PREFIX "gfx90a:xnack-, " PREFIX "gfx90a:xnack+, " PREFIX
           "gfx1201");
    expect(b, n, "gfx90a", "gfx90a:xnack-", PREFIX "gfx90a:xnack-"); /* what devices have, unless told otherwise */
    expect(b, n, "gfx90a:sramecc-", "gfx90a:xnack-", PREFIX "gfx90a:xnack-");
    refuse(b, n, "gfx1100", ERR_USAGE, "no code object for target \"gfx1100\"; entries: host-x86_64-unknown-linux--, ");
    refuse(b, n, "gfx5", ERR_USAGE, "no such amdgcn processor");
}

static void entries_are_chosen_by_target(void **state)
{
    (void)state;
    choose_all(buffers.plain, make_plain(buffers.plain, 4, three_ids, three_flags));
}

static void compressed_bundles_of_every_version_open(void **state)
{
    size_t n = make_plain(buffers.plain, 4, three_ids, three_flags);
    (void)state;

    for (unsigned version = 1; version <= 3; version++)
        for (unsigned method = ZLIB; method <= ZSTD; method++)
            choose_all(buffers.packed, make_compressed_by(method, buffers.packed, buffers.plain, n, version));
}

static void a_lone_entry_needs_no_target(void **state)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux--", PREFIX "gfx803"};
    static const uint32_t flags[] = {0, 0x2a};
    (void)state;

    expect(buffers.plain, make_plain(buffers.plain, 2, ids, flags), NULL, "gfx803", PREFIX "gfx803");
    refuse(buffers.plain, make_plain(buffers.plain, 1, ids, flags), NULL, ERR_FORMAT, "no amdgcn code object");
}

static void generic_entries_serve_their_members_last(void **state)
{
    static const char *const ids[] = {PREFIX "gfx11-generic", PREFIX "gfx1100"};
    static const uint32_t flags[] = {0x1000054, 0x41};
    size_t n = make_plain(buffers.plain, 2, ids, flags);
    (void)state;

    put(buffers.plain, 4096 + 8, 4, 1); /* generic processors are of v6 */
    expect(buffers.plain, n, "gfx1102", "gfx11-generic", PREFIX "gfx11-generic");
    expect(buffers.plain, n, "gfx1100", "gfx1100", PREFIX "gfx1100");
    refuse(buffers.plain, n, "gfx1201", ERR_USAGE, "no code object for target");
}

/* A .hip_fatbin section holds one container for each source file. */
static void containers_in_a_row_are_all_seen(void **state)
{
    static const char *const ids[] = {PREFIX "gfx803", PREFIX "gfx1201"};
    static const uint32_t flags[] = {0x2a, 0x4e};
    (void)state;

    for (unsigned version = 0; version <= 3; version++) {
        uint8_t *all = calloc(1, 128 << 10);
        size_t first = make_plain(buffers.plain, 1, ids, flags), second;
        first =
            version ? make_compressed(all, buffers.plain, first, version) : (memcpy(all, buffers.plain, first), first);
        size_t at = (first + 4095) / 4096 * 4096;
        second = make_plain(buffers.plain, 1, ids + 1, flags + 1);
        second = version ? make_compressed(all + at, buffers.plain, second, version)
                         : (memcpy(all + at, buffers.plain, second), second);
        expect(all, at + second, "gfx803", "gfx803", ids[0]);
        expect(all, at + second, "gfx1201", "gfx1201", ids[1]);
        put(all, at + 4, 9, 2);
        if (version)
            refuse(all, at + second, "gfx803", ERR_UNSUPPORTED, "bundle at offset");
        free(all);
    }
}

static void a_host_file_gives_its_fatbin_section(void **state)
{
    static const char *const ids[] = {PREFIX "gfx803"};
    static const uint32_t flags[] = {0x2a};
    static uint8_t file[64 << 10];
    struct toy t;
    size_t n = make_plain(buffers.plain, 1, ids, flags);
    (void)state;

    toy_init(&t, 0, 0);
    toy_put(&t, 18, 62, 2);
    toy_put(&t, 7, 0, 1);
    memcpy(t.bytes + 0xf00, "\0.hip_fatbin", 13);
    toy_put(&t, TOY_SECTIONS + TOY_S_DATA * 64, 1, 4);
    toy_put(&t, TOY_SECTIONS + TOY_S_DATA * 64 + 24, 0x1000, 8);
    toy_put(&t, TOY_SECTIONS + TOY_S_DATA * 64 + 32, n, 8);
    memcpy(file, t.bytes, sizeof t.bytes);
    memcpy(file + 0x1000, buffers.plain, n);
    expect(file, 0x1000 + n, NULL, "gfx803", PREFIX "gfx803");
    refuse(file, 0x1000 + n, "gfx90a", ERR_USAGE, "b: bundle: no code object for target");
    refuse(file, 0x1000 + n - 1, NULL, ERR_FORMAT, "section 7: contents at offset 0x1000");
    /* an unused section header has a name, too, and what else it says means nothing */
    put(file, TOY_SECTIONS + TOY_S_DATA * 64 + 4, 0, 4);
    put(file, TOY_SECTIONS + TOY_S_DATA * 64 + 24, UINT64_C(1) << 40, 8);
    file[0x1000] = 'x'; /* otherwise the search finds it */
    refuse(file, 0x1000 + n - TOY_BYTES, NULL, ERR_FORMAT, "expected 224 (AMDGPU) or a .hip_fatbin section");
    file[0x1000] = '_';
    expect(file, 0x1000 + n, NULL, "gfx803", PREFIX "gfx803");
    put(file, TOY_SECTIONS + TOY_S_DATA * 64 + 4, 1, 4);
    refuse(file, 0x1000 + n, NULL, ERR_FORMAT, "section 7: contents at offset 0x10000000000");
    put(file, TOY_SECTIONS + TOY_S_DATA * 64 + 24, 0x1000, 8);
    file[0xf01] = 'x';
    expect(file, 0x1000 + n, NULL, "gfx803", PREFIX "gfx803");
}

/* ---- several code objects for one target ---- */

/* Renames kernel "k" of the toys in order: the letters of `names`. */
static void name_kernels(uint8_t *b, size_t size, const char *names)
{
    for (size_t at = 0; at + TOY_BYTES <= size && *names; at += 8) {
        if (memcmp(b + at, "\177ELF", 4))
            continue;
        for (size_t k = at + 0x500; k < at + 0x580; k++)
            if (b[k] == 'k' && !b[k - 1]) /* "k" and "k.kd" */
                b[k] = (uint8_t)*names;
        names++;
        at += TOY_BYTES - 8;
    }
}

/* Three source files built for two settings of gfx90a and for gfx1201, as a .hip_fatbin section has them. */
static size_t make_program(uint8_t *all, const char *names, bool compressed)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux--", PREFIX "gfx90a:xnack+", PREFIX "gfx90a:xnack-",
                                      PREFIX "gfx1201"};
    static const uint32_t flags[] = {0, 0x73f, 0x63f, 0x04e};
    size_t at = 0;

    for (unsigned unit = 0; unit < 3; unit++) {
        const char each[] = {names[unit], names[unit], names[unit], 0};
        size_t n = make_plain(buffers.plain, 4, ids, flags);

        name_kernels(buffers.plain, n, each);
        if (compressed)
            n = make_compressed(all + at, buffers.plain, n, 3);
        else
            memcpy(all + at, buffers.plain, n);
        at = (at + n + 4095) / 4096 * 4096;
    }
    return at;
}

/* Opens it, and says which one it was; -1: it was refused, with `part` in the error. */
static int open_one(const uint8_t *b, size_t size, struct co_source source, const char *part)
{
    struct code_object *co;
    struct err e = {0};

    source.bytes = b;
    source.size = size;
    source.name = "b";
    if (code_object_open_source(&co, &source, NULL, &e)) {
        if (!part || !strstr(e.text, part))
            fail_msg("\"%s\" does not say \"%s\"", e.text, part ? part : "nothing");
        assert_int_equal(e.code, ERR_USAGE);
        return -1;
    }
    int index = (int)code_object_index(co);
    if (source.kernel)
        assert_non_null(code_object_find_kernel(co, source.kernel, &e));
    code_object_close(co);
    return index;
}

#define OPEN(part, ...) open_one(all, n, (struct co_source){__VA_ARGS__}, part)

static void one_of_several_is_found_by_kernel_or_index(void **state)
{
    uint8_t *all = calloc(1, 128 << 10);
    (void)state;

    for (unsigned compressed = 0; compressed < 2; compressed++) {
        memset(all, 0, 128 << 10);
        size_t n = make_program(all, "abc", compressed);

        assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .kernel = "a"), 1);
        assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .kernel = "b"), 4);
        assert_int_equal(OPEN(NULL, .want_target = "gfx90a:xnack+", .kernel = "b.kd"), 3);
        assert_int_equal(OPEN(NULL, .want_target = "gfx1201", .kernel = "c"), 8);
        assert_int_equal(OPEN(NULL, .want_target = PREFIX "gfx1201", .kernel = "c"), 8);
        OPEN("b: no kernel \"d\" in any of 3 code objects", .want_target = "gfx90a", .kernel = "d");
        OPEN("b: bundle: 3 code objects fit \"gfx90a\", choose one by a kernel or by index: 1 " PREFIX
             "gfx90a:xnack-, 4 " PREFIX "gfx90a:xnack-, 7 ",
             .want_target = "gfx90a");
        OPEN("9 code objects fit, choose one by target: ", .kernel = "a");
        for (unsigned k = 0; k < 9; k++)
            assert_int_equal(OPEN(NULL, .by_index = true, .index = k), k);
        OPEN("b: there is no code object 9, the file holds 9 (from 0 on)", .by_index = true, .index = 9);
        OPEN("code object 2 is for " PREFIX "gfx1201, gfx90a was asked for", .want_target = "gfx90a", .by_index = true,
             .index = 2);
        assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .by_index = true, .index = 3), 3);
    }
    free(all);
}

static void a_kernel_in_two_code_objects_is_ambiguous(void **state)
{
    uint8_t *all = calloc(1, 128 << 10);
    size_t n = make_program(all, "aba", false);
    (void)state;

    OPEN("b: 2 kernels match \"a\", expected one: bundle: 2 code objects fit \"gfx90a\", choose one by "
         "index: 1 " PREFIX "gfx90a:xnack-, 7 " PREFIX "gfx90a:xnack-",
         .want_target = "gfx90a", .kernel = "a");
    assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .kernel = "a", .by_index = true, .index = 7), 7);
    assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .kernel = "b"), 4);
    free(all);
}

/* What is damaged is passed by where another has the kernel. */
static void a_damaged_one_hides_no_other(void **state)
{
    uint8_t *all = calloc(1, 128 << 10);
    size_t n = make_program(all, "abc", false);
    struct code_object *co;
    struct err e = {0};
    (void)state;

    put(all, 4096 + TOY_BYTES + 32, UINT64_C(1) << 40, 8); /* program headers of code object 1 */
    assert_int_equal(OPEN(NULL, .want_target = "gfx90a", .kernel = "c"), 7);
    const struct co_source lost = {.bytes = all, .size = n, .name = "b", .want_target = "gfx90a", .kernel = "a"};
    assert_int_not_equal(code_object_open_source(&co, &lost, NULL, &e), 0);
    assert_int_equal(e.code, ERR_FORMAT);
    assert_non_null(strstr(e.text, "b [" PREFIX "gfx90a:xnack-]: "));
    free(all);
}

/* Where all are for one processor, none needs to be named. */
static void one_processor_needs_no_target(void **state)
{
    static const char *const ids[] = {PREFIX "gfx90a:xnack+", PREFIX "gfx90a:xnack-"};
    static const uint32_t flags[] = {0x73f, 0x63f};
    uint8_t *all = calloc(1, 64 << 10);
    size_t n = make_plain(all, 2, ids, flags);
    (void)state;

    assert_int_equal(OPEN(NULL, 0), 1);
    n = make_plain(all, 1, ids, flags);
    name_kernels(all, n, "a");
    size_t more = make_plain(buffers.plain, 1, ids, flags);
    name_kernels(buffers.plain, more, "b");
    memcpy(all + n, buffers.plain, more);
    n += more;
    assert_int_equal(OPEN(NULL, .kernel = "b"), 1);
    OPEN("b: bundle: 2 code objects fit, choose one by a kernel or by index: 0 " PREFIX "gfx90a:xnack+, 1 ", 0);
    free(all);
}

static void a_bare_object_is_number_0(void **state)
{
    struct toy t;
    uint8_t *all = t.bytes;
    size_t n = sizeof t.bytes;
    (void)state;

    toy_init(&t, 0x63f, 3);
    assert_int_equal(OPEN(NULL, .by_index = true), 0);
    OPEN("there is no code object 1, the file holds 1 (from 0 on)", .by_index = true, .index = 1);
}

static void files_give_their_code_objects_one_by_one(void **state)
{
    uint8_t *all = calloc(1, 128 << 10);
    size_t n = make_program(all, "abc", true);
    const struct co_source source = {.bytes = all, .size = n, .name = "b"};
    struct budget budget;
    struct code_object *co;
    struct co_file *f;
    struct err e = {0};
    const char *id;
    uint64_t bytes;
    (void)state;

    budget_init(&budget, 1 << 20);
    assert_int_equal(co_file_open(&f, &source, &budget, &e), 0);
    assert_int_equal(co_file_count(f), 9);
    for (unsigned k = 0; k < 9; k++) {
        const char name[] = {"abc"[k / 3], 0};

        co_file_entry(f, k, &id, &bytes);
        assert_int_equal(bytes, TOY_BYTES);
        assert_int_equal(co_file_code(&co, f, k, NULL, &budget, &e), 0);
        assert_string_equal(code_object_bundle_id(co), id);
        assert_int_equal(code_object_index(co), k);
        assert_int_equal(code_object_of(co), 9);
        assert_string_equal(code_object_kernel(co, 0)->name, name);
        code_object_close(co);
    }
    co_file_close(f);
    assert_int_equal(budget.held, 0);
    free(all);
}

static void bare_objects_must_match_the_target(void **state)
{
    struct toy t;
    (void)state;

    toy_init(&t, 0x63f, 3);
    expect(t.bytes, sizeof t.bytes, "gfx90a", "gfx90a:xnack-", "");
    refuse(t.bytes, sizeof t.bytes, "gfx90a:xnack+", ERR_USAGE, "code object is for gfx90a:xnack-, gfx90a:xnack+ was");
    refuse(t.bytes, sizeof t.bytes, "gfx908", ERR_USAGE, "gfx908 was asked for");
    refuse(t.bytes, sizeof t.bytes, PREFIX "gfx90a", ERR_USAGE, "this is a bare code object");
}

static void damaged_bundles_name_their_offset(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        const char *part;
    } damage[] = {
        {24, 8, UINT64_MAX, "offset 24: 18446744073709551615 entries"},
        {24, 8, 2000, "offset 24: 2000 entries"},
        {32, 8, UINT64_MAX - 4, "offset 32: entry"},
        {32 + 27 + 24, 8, 1 << 20, "offset 83: entry"},
        {32 + 27 + 24 + 8, 8, UINT64_MAX, "offset 83: entry"},
        {48, 8, 0, "offset 48: entry id of 0 bytes"},
        {48, 8, UINT64_MAX, "offset 48: entry id of 18446744073709551615"},
        {58, 1, 0, "entry id holds a zero byte"},
        {4096, 1, 0, "not a code object"},
        {4096 + 48, 4, 0x740, "the bundle says gfx90a, the ELF header gfx940:xnack+"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        size_t n = make_plain(buffers.plain, 4, three_ids, three_flags);
        struct err e = {0};
        struct code_object *co;
        put(buffers.plain, damage[i].at, damage[i].value, damage[i].bytes);
        assert_int_not_equal(code_object_open(&co, buffers.plain, n, "b", PREFIX "gfx90a:xnack-", NULL, &e), 0);
        if (!strstr(e.text, damage[i].part))
            fail_msg("\"%s\" does not say \"%s\"", e.text, damage[i].part);
    }
    static const char *const ids[] = {PREFIX "gfx803"};
    static const uint32_t flags[] = {0x4e};
    size_t n = make_plain(buffers.plain, 1, ids, flags);
    refuse(buffers.plain, n, NULL, ERR_FORMAT, "the bundle says gfx803, the ELF header gfx1201");
}

static void damaged_compression_is_an_error(void **state)
{
    size_t plain = make_plain(buffers.plain, 4, three_ids, three_flags);
    size_t n = make_compressed(buffers.packed, buffers.plain, plain, 2);
    uint8_t *b = buffers.packed;
    (void)state;

    put(b, 4, 0, 2);
    refuse(b, n, NULL, ERR_UNSUPPORTED, "offset 4: version 0, expected 1, 2 or 3");
    put(b, 4, 2, 2);
    put(b, 6, 0, 2);
    refuse(b, n, NULL, ERR_FORMAT, "zlib data is damaged: ");
    put(b, 6, 2, 2);
    refuse(b, n, NULL, ERR_FORMAT, "offset 6: compression method 2");
    put(b, 6, 1, 2);
    put(b, 8, n + 1, 4);
    refuse(b, n, NULL, ERR_FORMAT, "offset 8: says it has");
    put(b, 8, 3, 4);
    refuse(b, n, NULL, ERR_FORMAT, "offset 8: says it has 3 bytes");
    put(b, 8, n, 4);
    put(b, 12, plain - 1, 4);
    refuse(b, n, NULL, ERR_FORMAT, "came out, the header says");
    put(b, 12, plain + 1, 4);
    refuse(b, n, NULL, ERR_FORMAT, "came out, the header says");
    put(b, 12, (1u << 30) + 1, 4);
    refuse(b, n, NULL, ERR_LIMIT, "the limit is 1073741824");
    put(b, 12, 0, 4);
    refuse(b, n, NULL, ERR_FORMAT, "over 0 bytes came out");
    put(b, 12, plain, 4);
    b[24] ^= 1;
    refuse(b, n, NULL, ERR_FORMAT, "CCOB bundle offset 24: zstd data from there on is damaged: ");
}

static void damaged_zlib_is_an_error(void **state)
{
    size_t plain = make_plain(buffers.plain, 4, three_ids, three_flags);
    size_t n = make_compressed_by(ZLIB, buffers.packed, buffers.plain, plain, 2);
    uint8_t *b = buffers.packed;
    (void)state;

    put(b, 12, plain - 1, 4);
    refuse(b, n, NULL, ERR_FORMAT, "came out, the header says");
    put(b, 12, plain + 1, 4);
    refuse(b, n, NULL, ERR_FORMAT, "came out, the header says");
    put(b, 12, plain, 4);
    put(b, 8, n - 10, 4);
    refuse(b, n, NULL, ERR_FORMAT, "zlib data ends early, after ");
    put(b, 8, n, 4);
    b[n - 1] ^= 1;
    refuse(b, n, NULL, ERR_FORMAT, "zlib data is damaged: incorrect data check");
}

/* Containers cut at every length, and 4,000 of each kind with wrong bits. */
static void damage_never_crashes(void **state)
{
    uint64_t seed = 42;
    (void)state;

    for (unsigned packed = 0; packed < 3; packed++) {
        size_t n = make_plain(buffers.plain, 4, three_ids, three_flags);
        if (packed)
            n = make_compressed_by(packed == 1 ? ZSTD : ZLIB, buffers.packed, buffers.plain, n, 3);
        const uint8_t *from = packed ? buffers.packed : buffers.plain;
        for (unsigned i = 0; i < 4000 + n; i++) {
            size_t len = i < n ? i : n;
            /* of the plain one, the header and the first page of the object say all there is to say */
            if (i < n && !packed && i > 600 && i % 64)
                continue;
            uint8_t *copy = malloc(len ? len : 1);
            struct code_object *co;
            struct err e = {0};
            memcpy(copy, from, len);
            if (i >= n) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                size_t bit = (seed >> 33) % ((packed ? n : 300) * 8);
                copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
            if (code_object_open(&co, copy, len, "b", "gfx1201", NULL, &e))
                assert_true(e.code != ERR_NONE && e.text[0]);
            else
                code_object_close(co);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_chosen_by_target),
        cmocka_unit_test(compressed_bundles_of_every_version_open),
        cmocka_unit_test(a_lone_entry_needs_no_target),
        cmocka_unit_test(generic_entries_serve_their_members_last),
        cmocka_unit_test(containers_in_a_row_are_all_seen),
        cmocka_unit_test(a_host_file_gives_its_fatbin_section),
        cmocka_unit_test(one_of_several_is_found_by_kernel_or_index),
        cmocka_unit_test(a_kernel_in_two_code_objects_is_ambiguous),
        cmocka_unit_test(a_damaged_one_hides_no_other),
        cmocka_unit_test(one_processor_needs_no_target),
        cmocka_unit_test(a_bare_object_is_number_0),
        cmocka_unit_test(files_give_their_code_objects_one_by_one),
        cmocka_unit_test(bare_objects_must_match_the_target),
        cmocka_unit_test(damaged_bundles_name_their_offset),
        cmocka_unit_test(damaged_compression_is_an_error),
        cmocka_unit_test(damaged_zlib_is_an_error),
        cmocka_unit_test(damage_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
