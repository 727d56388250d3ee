/* Variables of a code object: texts that set them, and how they are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/launch/symbols.h"
#include "tests/unit/loader/toy_elf.h"

static struct code_object *co;

static int open_toy(void **state)
{
    struct toy t;
    (void)state;

    toy_init(&t, 0x63f, 3);
    toy_symbol(&t, "table", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 16);
    toy_symbol(&t, "_ZN2ns1xE", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 16, 4);
    toy_symbol(&t, "p", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x180, 8); /* no bytes in the file */
    toy_symbol(&t, "none", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 0);
    toy_symbol(&t, "here", TOY_GLOBAL | TOY_NOTYPE, TOY_S_DATA, TOY_DATA_VADDR, 4);
    return code_object_open(&co, t.bytes, sizeof t.bytes, "toy", NULL, NULL, NULL);
}

static int close_toy(void **state)
{
    (void)state;
    code_object_close(co);
    return 0;
}

static void set_to(const char *text, const char *name, uint64_t vaddr, const void *value, uint64_t bytes)
{
    struct launch_symbol s;
    struct err e = {0};

    if (launch_symbol_parse_set(&s, co, text, NULL, NULL, &e))
        fail_msg("%s: %s", text, e.text);
    assert_string_equal(s.name, name);
    assert_true(s.vaddr == vaddr && s.bytes == bytes);
    assert_memory_equal(s.value, value, bytes);
    launch_symbol_free(&s);
}

static void refused(bool set, const char *text, const char *part)
{
    struct launch_symbol s;
    struct err e = {0};

    assert_int_not_equal(set ? launch_symbol_parse_set(&s, co, text, NULL, NULL, &e)
                             : launch_symbol_parse_read(&s, co, text, NULL, &e),
                         0);
    if (!strstr(e.text, part))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, e.text, part);
    launch_symbol_free(&s);
}

static void values(void **state)
{
    static const uint8_t bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static const float half = 0.5f;
    static const uint32_t seven = 7;
    static const uint64_t big = UINT64_MAX;
    (void)state;

    set_to("table=bytes:000102030405060708090a0b0c0d0e0f", "table", TOY_DATA_VADDR, bytes, 16);
    set_to("_ZN2ns1xE=f32:0.5", "_ZN2ns1xE", TOY_DATA_VADDR + 16, &half, 4);
    set_to("ns::x=u32:7", "_ZN2ns1xE", TOY_DATA_VADDR + 16, &seven, 4);
    set_to("p=i64:-1", "p", TOY_DATA_VADDR + 0x180, &big, 8);
}

static void files_and_buffers(void **state)
{
    struct launch_arg arg = {.spec = {.buffer = "b"}, .address = 0x123456789abc, .bytes = 64, .on_device = true};
    struct launch_args shared = {.arg = &arg, .count = 1};
    struct launch_symbol s;
    struct err e = {0};
    char path[] = "/tmp/gcnsim-symbols-XXXXXX";
    int fd = mkstemp(path);
    char text[80];
    (void)state;

    assert_int_equal(launch_symbol_parse_set(&s, co, "p=buffer:b", NULL, &shared, &e), 0);
    assert_memory_equal(s.value, &arg.address, 8);
    launch_symbol_free(&s);
    assert_int_not_equal(launch_symbol_parse_set(&s, co, "table=buffer:b", NULL, &shared, &e), 0);
    assert_non_null(strstr(e.text, "'table' has 16 bytes, 8 are given"));
    launch_symbol_free(&s);
    refused(true, "p=buffer:b", "there is no buffer 'b'");

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "0123456789abcde", 15), 15);
    snprintf(text, sizeof text, "table=in:%s", path);
    refused(true, text, "'table' has 16 bytes, 15 are given");
    assert_int_equal(write(fd, "f", 1), 1);
    set_to(text, "table", TOY_DATA_VADDR, "0123456789abcdef", 16);
    assert_int_equal(launch_symbol_parse_set(&s, co, text, NULL, NULL, &e), 0);
    assert_string_equal(s.path, path);
    launch_symbol_free(&s);
    assert_int_equal(write(fd, "g", 1), 1);
    refused(true, text, "symbol 'table': /tmp/gcnsim-symbols-");
    close(fd);
    unlink(path);
    refused(true, text, "No such file");
}

static void bad_sets(void **state)
{
    (void)state;
    refused(true, "table", "expected SYMBOL=SPEC");
    refused(true, "tabel=u32:1", "toy has none of that name; did you mean table?");
    refused(true, "something_else=u32:1", "variables: table, _ZN2ns1xE, p, none");
    refused(true, "table=u32:1", "'table' has 16 bytes, 4 are given");
    refused(true, "table=bytes:00", "'table' has 16 bytes, 1 are given");
    refused(true, "p=buf:8", "buf:; expected a number, bytes:HEX, in:PATH or buffer:NAME");
    refused(true, "p=out:x:8", "out:; expected a number");
    refused(true, "p=8", "symbol 'p': '8': expected buf:BYTES");
    refused(true, "k=u32:1", "'k' is a function; expected a variable");
    refused(true, "k.kd=u32:1", "'k.kd' is a kernel descriptor; expected a variable");
    refused(true, "here=u32:1", "'here' is a label; expected a variable");
    refused(true, "none=u32:1", "'none' states no size");
    refused(true, "=u32:1", "symbol ''");
}

static void shows(const char *text, const void *bytes, const char *expected)
{
    struct launch_symbol s;
    struct err e = {0};

    if (launch_symbol_parse_read(&s, co, text, NULL, &e))
        fail_msg("%s: %s", text, e.text);
    assert_null(s.path);
    char *got = launch_symbol_text(&s, bytes);
    assert_string_equal(got, expected);
    free(got);
    launch_symbol_free(&s);
}

/* Halves: IEEE 754 binary16 by hand. */
static void texts(void **state)
{
    static const uint16_t halves[8] = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x7c00, 0x8000, 0x3555};
    static const uint32_t words[4] = {1, UINT32_MAX, 0x80000000, 7};
    static const double doubles[2] = {0.1, -1e300};
    static const float floats[4] = {1.5f, -0.1f, 16777216.0f, 1e-40f};
    (void)state;

    shows("table:u32", words, "symbol table: 4 u32\n       0  1 4294967295 2147483648 7\n");
    shows("table:i32", words, "symbol table: 4 i32\n       0  1 -1 -2147483648 7\n");
    shows("table:i32:2", words, "symbol table: 2 i32\n       0  1 -1\n");
    shows("table:i8:5", words, "symbol table: 5 i8\n       0  1 0 0 0 -1\n");
    shows("table:u64", words, "symbol table: 2 u64\n       0  18446744069414584321 32212254720\n");
    shows("table:f16", halves, "symbol table: 8 f16\n       0  1 -2 65504 5.9605e-08 6.1035e-05 inf -0 0.33325\n");
    shows("table:f32", floats, "symbol table: 4 f32\n       0  1.5 -0.100000001 16777216 9.9999461e-41\n");
    shows("table:f64", doubles, "symbol table: 2 f64\n       0  0.10000000000000001 -1.0000000000000001e+300\n");
    shows("table", words, "symbol table: 16 bytes\n       0  01000000 ffffffff 00000080 07000000\n");
    shows("table:u8", words, "symbol table: 16 u8\n       0  1 0 0 0 255 255 255 255\n       8  0 0 0 128 7 0 0 0\n");
    shows("ns::x", words, "symbol _ZN2ns1xE: 4 bytes\n       0  01000000\n");
    shows("ns::x:u32:1", words, "symbol _ZN2ns1xE: 1 u32\n       0  1\n");
}

static void bad_reads(void **state)
{
    struct launch_symbol s;
    struct err e = {0};
    (void)state;

    refused(false, "table:u32:5", "'table' has 16 bytes, less than 5 u32");
    refused(false, "table:u32:0", "'0' is no count");
    refused(false, "table:u32:1x", "'1x' is no count");
    refused(false, "table:u32:99999999999999999999999", "less than");
    refused(false, "table:5", "a count without a type");
    refused(false, "table:word", "'word' is no type");
    refused(false, "table:", "'' is no type");
    refused(false, "ns::x:f64", "no whole number of f64");
    refused(false, "ns::y", "none of that name");
    refused(false, "table=", "no path");
    refused(false, "", "symbol ''");
    assert_int_equal(launch_symbol_parse_read(&s, co, "table:u32:2=a=b", "dir", &e), 0);
    assert_string_equal(s.path, "dir/a=b");
    assert_int_equal(s.bytes, 8);
    launch_symbol_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(files_and_buffers), cmocka_unit_test(bad_sets),
        cmocka_unit_test(texts),  cmocka_unit_test(bad_reads),
    };

    return cmocka_run_group_tests(tests, open_toy, close_toy);
}
