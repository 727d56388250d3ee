/* Argument SPECs: values, buffers, and errors that name the argument. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/launch/args.h"
#include "tests/support/folder.h"

static const struct co_arg arg_list[] = {
    {.name = "src",
     .type_name = "float*",
     .kind_text = "global_buffer",
     .kind = CO_ARG_GLOBAL_BUFFER,
     .offset = 0,
     .size = 8},
    {.name = "dst",
     .type_name = "float*",
     .kind_text = "global_buffer",
     .kind = CO_ARG_GLOBAL_BUFFER,
     .offset = 8,
     .size = 8},
    {.name = "scale", .type_name = "float", .kind_text = "by_value", .kind = CO_ARG_BY_VALUE, .offset = 16, .size = 4},
    {.name = "count", .type_name = "uint", .kind_text = "by_value", .kind = CO_ARG_BY_VALUE, .offset = 20, .size = 4},
    {.name = "shape",
     .type_name = "struct shape",
     .kind_text = "by_value",
     .kind = CO_ARG_BY_VALUE,
     .offset = 24,
     .size = 12},
    {.name = "tile",
     .type_name = "float*",
     .kind_text = "dynamic_shared_pointer",
     .kind = CO_ARG_DYNAMIC_SHARED_POINTER,
     .offset = 36,
     .size = 4,
     .pointee_align = 64},
    {.name = "",
     .type_name = "",
     .kind_text = "hidden_grid_dims",
     .kind = CO_ARG_HIDDEN_GRID_DIMS,
     .offset = 40,
     .size = 2},
};

static const struct co_kernel_metadata metadata = {
    .name = "mix", .args = arg_list, .arg_count = 7, .explicit_arg_count = 6, .kernarg_segment_size = 44};

static const struct co_kernel kernel = {
    .name = "mix", .metadata = &metadata, .descriptor = {.group_segment_fixed_size = 100}};

static void values(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes, value;
    } good[] = {
        {"i8:-128", 1, 0x80},
        {"u8:255", 1, 0xff},
        {"i16:0x7fff", 2, 0x7fff},
        {"u16:0xFFFF", 2, 0xffff},
        {"i32:-1", 4, 0xffffffff},
        {"u32:4294967295", 4, 0xffffffff},
        {"i64:-9223372036854775808", 8, UINT64_C(1) << 63},
        {"u64:18446744073709551615", 8, UINT64_MAX},
        {"f32:1.7", 4, 0x3fd9999a},
        {"f32:-0", 4, 0x80000000},
        {"f64:1e-3", 8, 0x3f50624dd2f1a9fc},
        {"f16:1", 2, 0x3c00},
        {"f16:-2.5", 2, 0xc100},
        {"f16:65504", 2, 0x7bff},
        {"f16:65520", 2, 0x7c00},
        {"f16:5.9604644775390625e-08", 2, 1},
        {"f16:6.103515625e-05", 2, 0x0400},
        {"f16:2.98e-08", 2, 0},
        {"f16:0.1", 2, 0x2e66},
        {"f32:inf", 4, 0x7f800000},
        {"f16:inf", 2, 0x7c00},
        {"f32:0x1p-149", 4, 1},
        {"u32:010", 4, 10},
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct spec s;
        struct err e = {0};
        uint64_t v = 0;
        if (spec_parse(&s, good[i].text, &e))
            fail_msg("%s", e.text);
        memcpy(&v, s.value, s.bytes);
        if (s.bytes != good[i].bytes || v != good[i].value)
            fail_msg("%s: %llu bytes, 0x%llx", good[i].text, (unsigned long long)s.bytes, (unsigned long long)v);
        spec_free(&s);
    }
}

/* Every f16 value converts exactly, and a value halfway between two rounds to even. */
static void halves(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x7c00; h++) {
        unsigned exp = h >> 10, man = h & 0x3ff;
        double v =
            exp ? (1024 + man) * 5.9604644775390625e-08 * (double)(1u << (exp - 1)) : man * 5.9604644775390625e-08;
        assert_int_equal(spec_half(v), h);
        assert_int_equal(spec_half(-v), h | 0x8000);
    }
    assert_int_equal(spec_half(1 + 1.0 / 2048), 0x3c00);
    assert_int_equal(spec_half(1 + 3.0 / 2048), 0x3c02);
}

static void buffers_and_bytes(void **state)
{
    struct spec s;
    struct err e = {0};

    (void)state;
    assert_int_equal(spec_parse(&s, "out:a:b/c.bin:0x40", &e), 0);
    assert_string_equal(s.out_path, "a:b/c.bin");
    assert_int_equal(s.bytes, 64);
    spec_free(&s);
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"buf:3K", 3 << 10},
                 {"out:o.bin:0x10M", 16 << 20},
                 {"buf:2G", UINT64_C(2) << 30},
                 {"out:a:1T", UINT64_C(1) << 40},
                 {"buf:16777215T", UINT64_C(16777215) << 40},
                 {"buf:0", 0}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        assert_int_equal(spec_parse(&s, sizes[k].text, &e), 0);
        assert_int_equal(s.bytes, sizes[k].bytes);
        spec_free(&s);
    }
    assert_int_not_equal(spec_parse(&s, "out:o.bin:1Q", &e), 0);
    assert_string_equal(e.text,
                        "'out:o.bin:1Q': '1Q' is not a size; expected out:PATH:BYTES, BYTES being a whole number of "
                        "bytes, K, M, G or T behind it (powers of 1024)");
    spec_free(&s);
    assert_int_equal(spec_parse(&s, "inout:in.bin:out.bin", &e), 0);
    assert_string_equal(s.path, "in.bin");
    assert_string_equal(s.out_path, "out.bin");
    spec_free(&s);
    assert_int_equal(spec_parse(&s, "bytes:00ff_12 AB,cd", &e), 0);
    assert_int_equal(s.bytes, 5);
    assert_memory_equal(s.data, "\x00\xff\x12\xab\xcd", 5);
    spec_free(&s);
}

static void bad_specs(void **state)
{
    static const char *const bad[] = {
        "",
        "i32",
        "i32:",
        "i32:x",
        "i32:1.5",
        "i32:2147483648",
        "i32:-2147483649",
        "u8:256",
        "u8:-1",
        "u64:18446744073709551616",
        "i128:1",
        "f32:",
        "f32:one",
        "f32:1x",
        "buf:",
        "buf:-1",
        "buf:4k",
        "buf:K",
        "buf:4KK",
        "buf:4 K",
        "buf:16777216T",
        "in:",
        "out:x",
        "out::4",
        "out:x:",
        "out:x:y",
        "out:x:1B",
        "u32:1K",
        "inout:x",
        "inout::y",
        "inout:x:",
        "bytes:",
        "bytes:0",
        "bytes:0g",
        "bytes:0 1",
        "I32:1",
        "buffer:",
        "buffers:x",
        ":",
        "f32: 1",
        "i32: 1",
        "i32:+1",
        "f128:0",
        "u32:0x",
        "u32:1 ",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct spec s;
        struct err e = {0};
        if (spec_parse(&s, bad[i], &e) == 0)
            fail_msg("'%s' was accepted", bad[i]);
        assert_int_equal(e.code, ERR_USAGE);
        assert_non_null(strstr(e.text, bad[i]));
        spec_free(&s);
    }
}

static int parse(struct launch_args **a, struct mem_space *space, struct err *e, size_t n, const char *const *specs)
{
    err_clear(e);
    return launch_args_parse(a, space, &kernel, specs, n, NULL, NULL, e);
}

static void packing(void **state)
{
    static const char *const specs[] = {"buf:100", "buf:0", "f32:2", "u32:7", "bytes:0102030405060708090a0b0c",
                                        "buf:256"};
    struct mem_space space;
    struct launch_args *a;
    struct err e = {0};

    (void)state;
    mem_space_init(&space);
    if (parse(&a, &space, &e, 6, specs))
        fail_msg("%s", e.text);
    assert_int_equal(a->kernarg_bytes, 44);
    assert_int_equal(load_u64(a->kernarg), a->arg[0].address);
    assert_int_equal(load_u64(a->kernarg + 8), a->arg[1].address);
    assert_int_equal(load_u32(a->kernarg + 16), 0x40000000);
    assert_int_equal(load_u32(a->kernarg + 20), 7);
    assert_memory_equal(a->kernarg + 24, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", 12);
    /* LDS: after the 100 static bytes, aligned to 64 */
    assert_int_equal(load_u32(a->kernarg + 36), 128);
    assert_int_equal(a->lds_bytes, 28 + 256);
    assert_false(a->arg[5].on_device);
    const struct mem_range *r = mem_space_find(&space, a->arg[0].address);
    assert_non_null(r);
    assert_int_equal(r->hi - r->lo, 100);
    assert_non_null(strstr(r->label, "'src'"));
    launch_args_free(a);
    assert_null(mem_space_range(&space, 0)); /* its buffers are freed as well */
    mem_space_destroy(&space);
}

static void errors_name_the_argument(void **state)
{
    static const struct {
        size_t n;
        const char *specs[7], *parts[3];
    } bad[] = {
        {5, {"buf:4", "buf:4", "f32:2", "u32:7", "bytes:000000000000000000000000"}, {"takes 6", "5 given", "'tile'"}},
        {7,
         {"buf:4", "buf:4", "f32:2", "u32:7", "bytes:000000000000000000000000", "buf:4", "u32:1"},
         {"takes 6", "7 given", "6"}},
        {6,
         {"u64:4", "buf:4", "f32:2", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'src'", "pointer", "u64:"}},
        {6,
         {"buf:4", "buf:4", "buf:4", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'scale'", "value", "4 bytes"}},
        {6,
         {"buf:4", "buf:4", "u32:4", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'scale'", "float", "integer"}},
        {6,
         {"buf:4", "buf:4", "f32:4", "f32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'count'", "uint", "float"}},
        {6,
         {"buf:4", "buf:4", "f64:4", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'scale'", "4 bytes", "gives 8"}},
        {6,
         {"buf:4", "buf:4", "f32:4", "u16:7", "bytes:000000000000000000000000", "buf:4"},
         {"'count'", "4 bytes", "gives 2"}},
        {6, {"buf:4", "buf:4", "f32:4", "u32:7", "bytes:00", "buf:4"}, {"'shape'", "12 bytes", "gives 1"}},
        {6,
         {"buf:4", "bytes:00", "f32:4", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'dst'", "8 bytes", "gives 1"}},
        {6,
         {"buf:4", "buf:4", "f32:4", "u32:7", "bytes:000000000000000000000000", "u32:4"},
         {"'tile'", "pointer", "u32:"}},
        {6, {"buf:4", "buf:4", "f32:4", "u32:7", "bytes:000000000000000000000000", "in:x"}, {"'tile'", "LDS", "in:"}},
        {6,
         {"buf:4", "buf:4", "f32:oops", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"2 'scale'", "oops", "number"}},
        {6,
         {"buf:4", "in:/no/such/file", "f32:2", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'dst'", "/no/such/file", "No such"}},
        {6,
         {"buf:4", "in:tests", "f32:2", "u32:7", "bytes:000000000000000000000000", "buf:4"},
         {"'dst'", "tests", "a folder; expected a file"}},
    };
    struct mem_space space;

    (void)state;
    mem_space_init(&space);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct launch_args *a;
        struct err e = {0};
        if (parse(&a, &space, &e, bad[i].n, bad[i].specs) == 0)
            fail_msg("case %zu was accepted", i);
        for (int k = 0; k < 3; k++)
            if (!strstr(e.text, bad[i].parts[k]))
                fail_msg("'%s' lacks '%s'", e.text, bad[i].parts[k]);
        assert_null(mem_space_range(&space, 0));
    }
    mem_space_destroy(&space);
}

static void without_metadata(void **state)
{
    static const char *const specs[] = {"u8:1", "u32:2", "buf:16", "u16:3"};
    static const struct co_kernel bare = {.name = "bare"};
    static const struct co_kernel small = {.name = "small", .descriptor = {.kernarg_size = 16}};
    struct mem_space space;
    struct launch_args *a;
    struct err e = {0};

    (void)state;
    mem_space_init(&space);
    assert_int_equal(launch_args_parse(&a, &space, &bare, specs, 4, NULL, NULL, &e), 0);
    assert_int_equal(a->kernarg_bytes, 18);
    assert_int_equal(a->kernarg[0], 1);
    assert_int_equal(load_u32(a->kernarg + 4), 2);
    assert_int_equal(load_u64(a->kernarg + 8), a->arg[2].address);
    assert_int_equal(load_u16(a->kernarg + 16), 3);
    assert_string_equal(a->note, "");
    launch_args_free(a);
    assert_int_equal(launch_args_parse(&a, &space, &small, specs, 4, NULL, NULL, &e), 0);
    assert_int_equal(a->kernarg_bytes, 16);
    assert_string_equal(a->note,
                        "kernel small: arguments take 18 bytes, its kernarg segment has 16: the rest is ignored");
    launch_args_free(a);
    assert_int_equal(launch_args_parse(&a, &space, &small, specs, 2, NULL, NULL, &e), 0);
    assert_int_equal(a->kernarg_bytes, 16);
    assert_int_equal(load_u64(a->kernarg + 8), 0);
    assert_non_null(strstr(a->note, "arguments take 8 bytes, its kernarg segment has 16: the rest is zero"));
    launch_args_free(a);
    mem_space_destroy(&space);
}

static void files(void **state)
{
    const char *dir = program_folder();
    char path[4200];
    struct mem_space space;
    struct launch_args *a;
    struct err e = {0};
    uint8_t back[8];

    (void)state;
    snprintf(path, sizeof path, "%s/in.bin", dir);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fwrite("abcdefg", 1, 7, f);
    fclose(f);
    static const struct co_kernel bare = {.name = "bare"};
    static const char *const specs[] = {"in:in.bin", "inout:in.bin:sub/io.bin", "out:o.bin:5"};
    mem_space_init(&space);
    /* the folder of an output is not made: it is an error before the run */
    assert_int_not_equal(launch_args_parse(&a, &space, &bare, specs, 3, dir, NULL, &e), 0);
    assert_int_equal(e.code, ERR_IO);
    snprintf(path, sizeof path, "argument 1: %s/sub/io.bin: its folder: No such file", dir);
    assert_non_null(strstr(e.text, path));
    err_clear(&e);
    assert_int_equal(space.count, 0);
    snprintf(path, sizeof path, "%s/sub", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    if (launch_args_parse(&a, &space, &bare, specs, 3, dir, NULL, &e))
        fail_msg("%s", e.text);
    assert_int_equal(a->arg[0].bytes, 7);
    assert_int_equal(mem_space_read(&space, a->arg[0].address, back, 7, &e), 0);
    assert_memory_equal(back, "abcdefg", 7);
    assert_int_equal(mem_space_write(&space, a->arg[1].address + 2, "XY", 2, &e), 0);
    assert_int_equal(mem_space_write(&space, a->arg[2].address, "12345", 5, &e), 0);
    if (launch_args_write_outputs(a, &e))
        fail_msg("%s", e.text);
    snprintf(path, sizeof path, "%s/sub/io.bin", dir);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(back, 1, 8, f), 7);
    fclose(f);
    assert_memory_equal(back, "abXYefg", 7);
    unlink(path);
    snprintf(path, sizeof path, "%s/o.bin", dir);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(back, 1, 8, f), 5);
    fclose(f);
    assert_memory_equal(back, "12345", 5);
    unlink(path);
    launch_args_free(a);
    static const char *const blocked[] = {"out:in.bin/o.bin:4"};
    assert_int_not_equal(launch_args_parse(&a, &space, &bare, blocked, 1, dir, NULL, &e), 0);
    assert_non_null(strstr(e.text, "/in.bin/o.bin: its folder: Not a directory"));
    err_clear(&e);
    /* a folder that is removed during the run */
    static const char *const late[] = {"out:sub/o.bin:4"};
    assert_int_equal(launch_args_parse(&a, &space, &bare, late, 1, dir, NULL, &e), 0);
    snprintf(path, sizeof path, "%s/sub", dir);
    assert_int_equal(rmdir(path), 0);
    assert_int_not_equal(launch_args_write_outputs(a, &e), 0);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "argument 0"));
    launch_args_free(a);
    mem_space_destroy(&space);
    snprintf(path, sizeof path, "%s/in.bin", dir);
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* nothing else was made */
}

/* Buffers with names: two launches' arguments have one address, and the files of all are checked together. */
static void shared_buffers(void **state)
{
    static const struct co_kernel bare = {.name = "bare"};
    static const char *const names[] = {"x", "y"}, *const specs[] = {"buf:16", "out:shared.bin:3"};
    static const char *const first[] = {"buffer:x", "buffer:y"}, *const second[] = {"buffer:y", "u32:1"};
    static const char *const absent[] = {"buffer:z"}, *const clash[] = {"out:shared.bin:1"};
    const char *dir = program_folder();
    struct launch_args *b, *one, *two, *none;
    struct mem_space space;
    struct err e = {0};
    char path[4200], text[4] = "";

    (void)state;
    mem_space_init(&space);
    if (launch_buffers_make(&b, &space, names, specs, 2, dir, &e))
        fail_msg("%s", e.text);
    assert_int_equal(launch_args_parse(&one, &space, &bare, first, 2, dir, b, &e), 0);
    assert_int_equal(launch_args_parse(&two, &space, &bare, second, 2, dir, b, &e), 0);
    assert_int_equal(space.count, 2);
    assert_true(one->arg[1].address == two->arg[0].address && one->arg[0].address != one->arg[1].address);
    assert_memory_equal(one->kernarg + 8, two->kernarg, 8);
    assert_int_equal(one->arg[0].bytes, 16);
    assert_int_not_equal(launch_args_parse(&none, &space, &bare, absent, 1, dir, b, &e), 0);
    assert_string_equal(e.text, "argument 0: there is no buffer 'z'");
    err_clear(&e);
    assert_int_not_equal(launch_args_parse(&none, &space, &bare, absent, 1, dir, NULL, &e), 0);
    assert_string_equal(e.text, "argument 0: there is no buffer 'z'");
    err_clear(&e);
    assert_int_not_equal(launch_args_parse(&none, &space, &bare, clash, 1, dir, b, &e), 0);
    assert_non_null(strstr(e.text, "shared.bin"));
    err_clear(&e);
    assert_int_equal(mem_space_write(&space, two->arg[0].address, "abc", 3, &e), 0);
    launch_args_free(one); /* the buffers stay */
    launch_args_free(two);
    assert_int_equal(space.count, 2);
    assert_int_equal(launch_args_write_outputs(b, &e), 0);
    launch_args_free(b);
    assert_int_equal(space.count, 0);
    snprintf(path, sizeof path, "%s/shared.bin", dir);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(text, 1, 4, f), 3);
    assert_string_equal(text, "abc");
    fclose(f);
    assert_int_equal(remove(path), 0);
    mem_space_destroy(&space);
}

static void bad_shared_buffers(void **state)
{
    static const char *const twice[] = {"x", "x"}, *const sizes[] = {"buf:1", "buf:2"};
    static const char *const values[] = {"u32:1"}, *const named[] = {"buffer:x"};
    struct launch_args *b;
    struct mem_space space;
    struct err e = {0};

    (void)state;
    mem_space_init(&space);
    assert_int_not_equal(launch_buffers_make(&b, &space, twice, sizes, 2, NULL, &e), 0);
    assert_string_equal(e.text, "there are two buffers 'x'");
    err_clear(&e);
    assert_int_not_equal(launch_buffers_make(&b, &space, twice, values, 1, NULL, &e), 0);
    assert_non_null(strstr(e.text, "buffer 'x': 'u32:1'; expected buf:BYTES"));
    err_clear(&e);
    assert_int_not_equal(launch_buffers_make(&b, &space, twice, named, 1, NULL, &e), 0);
    assert_non_null(strstr(e.text, "buffer 'x': 'buffer:x'; expected buf:BYTES"));
    assert_int_equal(space.count, 0);
    mem_space_destroy(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(halves),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(buffers_and_bytes),
        cmocka_unit_test(packing),
        cmocka_unit_test(errors_name_the_argument),
        cmocka_unit_test(without_metadata),
        cmocka_unit_test(shared_buffers),
        cmocka_unit_test(bad_shared_buffers),
        cmocka_unit_test(files), /* last: it removes the folder */
    };

    return cmocka_run_group_tests_name("argument specs", tests, NULL, NULL);
}
