/* Files around code objects: archives as GNU and BSD write them, gzip and zstd, and what is found by its first bytes in
 * files of other kinds; damage to each of them, and files made to waste time. */
#include "sim/loader/archive.h"
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

enum { ROOM = 1 << 17 };

struct file {
    uint8_t *b; /* ROOM bytes */
    size_t n;
};

static void file_open(struct file *f)
{
    f->b = calloc(1, ROOM);
    f->n = 0;
    assert_non_null(f->b);
}

static void put(struct file *f, const void *bytes, size_t n)
{
    assert_true(n <= ROOM - f->n);
    memcpy(f->b + f->n, bytes, n);
    f->n += n;
}

static void put_text(struct file *f, const char *text)
{
    put(f, text, strlen(text));
}

static const struct toy *toy(uint32_t flags)
{
    static struct toy t;

    toy_init(&t, flags, 3);
    return &t;
}

/* `name` as it stands in the header. */
static void put_member(struct file *f, const char *name, const void *bytes, size_t n)
{
    char header[64];

    snprintf(header, sizeof header, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", n);
    put(f, header, 60);
    put(f, bytes, n);
    if (n & 1)
        put(f, "\n", 1);
}

/* A table of symbols and one of names, text, and objects for two targets; the second is `bsd` or long. */
static void make_archive(struct file *f, bool bsd)
{
    static const char names[] = "an-object-with-a-long-name.o/\n";
    struct file second;

    file_open(f);
    put_text(f, "!<arch>\n");
    put_member(f, "/", "\0\0\0\0", 4);
    if (!bsd)
        put_member(f, "//", names, strlen(names));
    put_member(f, bsd ? "a.txt" : "a.txt/", "odd", 3);
    put_member(f, bsd ? "a.o" : "a.o/", toy(0x63f)->bytes, TOY_BYTES);
    file_open(&second);
    if (bsd)
        put(&second, "an-object-with-a-long-name.o\0\0\0", 32);
    put(&second, toy(0x4e)->bytes, TOY_BYTES);
    put_member(f, bsd ? "#1/32" : "/0", second.b, second.n);
    free(second.b);
}

static void expect_two(const struct file *f, const char *where_1, const char *where_2)
{
    const struct co_source source = {.bytes = f->b, .size = f->n, .name = "f"};
    const char *where[] = {where_1, where_2};
    struct code_object *co;
    struct co_file *file;
    struct err e = {0};

    if (co_file_open(&file, &source, NULL, &e))
        fail_msg("%s", e.text);
    assert_int_equal(co_file_count(file), 2);
    for (unsigned k = 0; k < 2; k++) {
        if (co_file_code(&co, file, k, NULL, NULL, &e))
            fail_msg("%s", e.text);
        assert_string_equal(code_object_where(co), where[k]);
        assert_string_equal(code_object_target(co)->name, k ? "gfx1201" : "gfx90a");
        assert_string_equal(code_object_bundle_id(co), "");
        code_object_close(co);
    }
    co_file_close(file);
    if (code_object_open(&co, f->b, f->n, "f", "gfx1201", NULL, &e))
        fail_msg("%s", e.text);
    assert_int_equal(code_object_index(co), 1);
    code_object_close(co);
}

static void refuse(const uint8_t *b, size_t n, enum err_code code, const char *part)
{
    struct code_object *co;
    struct err e = {0};

    assert_int_not_equal(code_object_open(&co, b, n, "f", NULL, NULL, &e), 0);
    assert_null(co);
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
    assert_int_equal(e.code, code);
}

/* Opens it, whatever it is, within 64 MiB. */
static void try_it(const uint8_t *b, size_t n)
{
    struct code_object *co;
    struct budget budget;
    struct err e = {0};
    uint8_t *exact = malloc(n ? n : 1); /* so that sanitizers see a read after it */

    assert_non_null(exact);
    memcpy(exact, b, n);
    budget_init(&budget, 64 << 20);
    if (code_object_open(&co, exact, n, "f", "gfx90a", &budget, &e))
        assert_true(e.code && e.text[0]);
    code_object_close(co);
    assert_int_equal(budget.held, 0);
    free(exact);
}

static void damage(const struct file *f, size_t step)
{
    for (size_t n = 0; n < f->n; n += step)
        try_it(f->b, n);
    for (size_t at = 0; at < f->n; at += step) {
        uint8_t was = f->b[at];
        f->b[at] ^= (uint8_t)(1u << at % 8);
        try_it(f->b, f->n);
        f->b[at] = was;
    }
}

static void archives_of_both_kinds_open(void **state)
{
    struct file f;
    (void)state;

    for (unsigned bsd = 0; bsd < 2; bsd++) {
        make_archive(&f, bsd);
        expect_two(&f, "(a.o)", "(an-object-with-a-long-name.o)");
        damage(&f, 37);
        free(f.b);
    }
}

static void damaged_archives_name_their_offset(void **state)
{
    struct file f;
    (void)state;

    make_archive(&f, false);
    refuse(f.b, f.n - 1, ERR_FORMAT, "f: archive: member at offset 0x");
    f.b[8 + 58] = 'x';
    refuse(f.b, f.n, ERR_FORMAT, "f: archive: at offset 0x8, expected the header of a member");
    f.b[8 + 58] = '`';
    memcpy(f.b + 8 + 48, "4x", 2);
    refuse(f.b, f.n, ERR_FORMAT, "f: archive: at offset 0x38, expected the decimal size of a member");
    free(f.b);
    file_open(&f);
    put_text(&f, "!<arch>\n");
    refuse(f.b, f.n, ERR_FORMAT, "f: an archive of 0 members without amdgcn code");
    put_member(&f, "x.bc/", "BC\xc0\xde", 4);
    refuse(f.b, f.n, ERR_FORMAT, "f: member x.bc: LLVM bitcode, not a code object");
    memcpy(f.b, "!<thin>\n", 8);
    refuse(f.b, f.n - 4, ERR_FORMAT,
           "f: a thin archive, which holds no objects but names of files; expected one of these: x");
    free(f.b);
}

/* ---- compressed files ---- */

static size_t gzip(uint8_t *to, size_t room, const uint8_t *from, size_t n)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)n, .next_out = to, .avail_out = (uInt)room};

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t out = z.total_out;
    deflateEnd(&z);
    return out;
}

static size_t pack(unsigned zstd, uint8_t *to, size_t room, const uint8_t *from, size_t n)
{
    if (!zstd)
        return gzip(to, room, from, n);
    size_t out = ZSTD_compress(to, room, from, n, 3);
    assert_false(ZSTD_isError(out));
    return out;
}

static void compressed_files_open_also_in_several_frames(void **state)
{
    struct file f, packed;
    (void)state;

    for (unsigned zstd = 0; zstd < 2; zstd++) {
        make_archive(&f, false);
        file_open(&packed);
        for (size_t at = 0, n; at < f.n; at += n) {
            n = f.n - at < 3000 ? f.n - at : 3000;
            packed.n += pack(zstd, packed.b + packed.n, ROOM - packed.n, f.b + at, n);
        }
        expect_two(&packed, "(a.o)", "(an-object-with-a-long-name.o)");
        damage(&packed, 11);
        refuse(packed.b, packed.n - 9, ERR_FORMAT,
               zstd ? "f: zstd file: zstd data ends early, after " : "f: gzip file: zlib");
        free(packed.b);
        free(f.b);
    }
}

/* Compressed zeros without end are given up at the limits of memory and of a file. */
static void bombs_end_at_the_limit(void **state)
{
    enum { BYTES = 96 << 20 };
    uint8_t *zeros = calloc(1, BYTES), *packed = malloc(1 << 20);
    struct code_object *co;
    struct budget budget;
    (void)state;

    assert_true(zeros && packed);
    for (unsigned zstd = 0; zstd < 2; zstd++) {
        struct err e = {0};
        size_t n = pack(zstd, packed, 1 << 20, zeros, BYTES);
        budget_init(&budget, 32 << 20);
        assert_int_not_equal(code_object_open(&co, packed, n, "f", NULL, &budget, &e), 0);
        assert_int_equal(e.code, ERR_NOMEM);
        assert_int_equal(budget.held, 0);
    }
    free(packed);
    free(zeros);
}

/* ---- search ---- */

static void what_is_found_in_a_file_has_its_offset(void **state)
{
    static const char noise[] = "__CLANG_OFFLOAD_BUNDLE__ CCOB \177ELF\2\1\1\0 and CCOB\2\0\1\0";
    uint8_t filler[1000];
    struct file f;
    (void)state;

    memset(filler, 0xa5, sizeof filler);
    file_open(&f);
    put(&f, filler, 1000);
    put(&f, noise, sizeof noise);
    put(&f, filler, 1000 - sizeof noise);
    put(&f, toy(0x63f)->bytes, TOY_BYTES);
    put(&f, filler, 8);
    put(&f, toy(0x4e)->bytes, TOY_BYTES);
    put(&f, filler, 999);
    expect_two(&f, " at offset 0x7d0", " at offset 0x17d8");
    damage(&f, 53);
    f.b[0x7d0] = 0; /* the other alone */
    struct code_object *co;
    struct err e = {0};
    if (code_object_open(&co, f.b, f.n, "f", NULL, NULL, &e))
        fail_msg("%s", e.text);
    assert_string_equal(code_object_where(co), " at offset 0x17d8");
    code_object_close(co);
    f.b[0x17d8] = 0;
    refuse(f.b, f.n, ERR_FORMAT, "f: offset 0: not a code object, expected an ELF file or an offload bundle");
    free(f.b);
}

/* Headers one after another that all claim the same 65535 program headers, or containers of 4096 entries that are
 * damaged at the end: the search is given up. */
static void a_search_does_not_go_on_for_ever(void **state)
{
    enum { BYTES = 24 << 20, TABLE = 65000 * 56 };
    uint8_t *b = calloc(1, BYTES);
    (void)state;

    assert_non_null(b);
    b[0] = 1;
    for (size_t at = 64; at + 64 <= BYTES - TABLE; at += 64) {
        memcpy(b + at, "\177ELF\2\1\1", 7);
        memcpy(b + at + 18, "\340\0", 2);
        memcpy(b + at + 32, &(uint64_t){BYTES - TABLE - at}, 8);
        memcpy(b + at + 54, &(uint16_t){56}, 2);
        memcpy(b + at + 56, &(uint16_t){65000}, 2);
    }
    for (size_t k = 8; k + 8 <= TABLE; k += 56) /* segments that are not in the file: the last one of each table */
        memcpy(b + BYTES - TABLE + k, &(uint64_t){k + 56 > TABLE - 56 ? UINT64_MAX : 0}, 8);
    refuse(b, BYTES, ERR_LIMIT, "too much in the file looks like");
    free(b);
}

/* ---- other kinds ---- */

static void other_kinds_are_told(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *says;
    } kinds[] = {{"BC\xc0\xde....", 8, "LLVM bitcode"},
                 {"\xde\xc0\x17\x0b....", 8, "LLVM bitcode"},
                 {"PK\3\4....", 8, "a zip archive"},
                 {"BZh9....", 8, "what bzip2 -d makes of it"},
                 {"\xfd"
                  "7zXZ\0..",
                  8, "what xz -d makes"},
                 {"\3\2#\7....", 8, "SPIR-V"},
                 {"\x10\xff\x10\xad....", 8, "an offload bi"},
                 {"plain", 5, "not a code object, expected an ELF file"}};
    (void)state;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        refuse((const uint8_t *)kinds[k].bytes, kinds[k].n, ERR_FORMAT, kinds[k].says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_of_both_kinds_open),
        cmocka_unit_test(damaged_archives_name_their_offset),
        cmocka_unit_test(compressed_files_open_also_in_several_frames),
        cmocka_unit_test(bombs_end_at_the_limit),
        cmocka_unit_test(what_is_found_in_a_file_has_its_offset),
        cmocka_unit_test(a_search_does_not_go_on_for_ever),
        cmocka_unit_test(other_kinds_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
