/* LAUNCH.json: reading, and errors that name file and key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "sim/launch/launch_file.h"
#include "tests/support/folder.h"

#define HEAD "\"file\":\"k.co\",\"kernel\":\"k\",\"grid\":[64],\"workgroup\":[64]"

static int parse(struct launch_file **f, const char *text, struct err *e)
{
    /* exactly as long as the text, so that a reader that runs past it is seen by ASan */
    size_t n = strlen(text);
    char *copy = malloc(n + !n);
    assert_non_null(copy);
    memcpy(copy, text, n);
    err_clear(e);
    int r = launch_file_parse(f, copy, n, "some/dir/l.json", e);
    free(copy);
    return r;
}

static void everything(void **state)
{
    struct launch_file *f;
    struct err e = {0};

    (void)state;
    if (parse(&f,
              "{\"file\":\"../k.co\",\"kernel\":\"k\",\"grid\":[1000,2],\"workgroup\":[64,1,1],"
              "\"args\":[\"buf:4\",\"i32:1\"],\"index\":3,\"set_symbols\":{\"a\":\"u32:1\",\"b\":\"in:b.bin\"},"
              "\"read_symbols\":[\"c:f32\"],\"dynamic_lds_bytes\":64,\"arch\":\"my/p.json\",\"engine\":\"functional\","
              "\"threads\":2,\"max_cycles\":1000000,\"max_instructions\":7000,\"check\":true,\"perfect_memory\":true,"
              "\"set\":{\"cu.simds\":2,\"a.b\":\"x\",\"c\":true,\"d\":0.5}}\n",
              &e))
        fail_msg("%s", e.text);
    assert_string_equal(f->path, "some/dir/l.json");
    assert_string_equal(f->directory, "some/dir");
    assert_string_equal(f->launch[0].file, "some/dir/../k.co");
    assert_string_equal(f->launch[0].kernel, "k");
    assert_int_equal(f->launch[0].grid[0], 1000);
    assert_int_equal(f->launch[0].grid[1], 2);
    assert_int_equal(f->launch[0].grid[2], 1);
    assert_int_equal(f->launch[0].workgroup[0], 64);
    assert_int_equal(f->launch[0].arg_count, 2);
    assert_string_equal(f->launch[0].args[1], "i32:1");
    assert_int_equal(f->launch[0].dynamic_lds_bytes, 64);
    assert_true(f->launch[0].by_index);
    assert_int_equal(f->launch[0].index, 3);
    assert_int_equal(f->launch[0].set_symbol_count, 2);
    assert_string_equal(f->launch[0].set_symbols[0], "a=u32:1");
    assert_string_equal(f->launch[0].set_symbols[1], "b=in:b.bin");
    assert_int_equal(f->launch[0].read_symbol_count, 1);
    assert_string_equal(f->launch[0].read_symbols[0], "c:f32");
    assert_string_equal(f->arch, "some/dir/my/p.json");
    assert_string_equal(f->engine, "functional");
    assert_int_equal(f->threads, 2);
    assert_int_equal(f->max_cycles, 1000000);
    assert_int_equal(f->max_instructions, 7000);
    assert_true(f->check && f->perfect_memory);
    assert_int_equal(f->set_count, 4);
    assert_string_equal(f->sets[0], "cu.simds=2");
    assert_string_equal(f->sets[1], "a.b=x");
    assert_string_equal(f->sets[2], "c=true");
    assert_string_equal(f->sets[3], "d=0.5");
    launch_file_close(f);

    assert_int_equal(parse(&f, "{" HEAD ",\"arch\":\"gfx90a-mi210\"}", &e), 0);
    assert_string_equal(f->arch, "gfx90a-mi210");
    assert_null(f->engine);
    assert_false(f->check || f->perfect_memory || f->max_instructions);
    assert_int_equal(f->launch[0].arg_count, 0);
    launch_file_close(f);
}

#define LAUNCH "\"kernel\":\"k\",\"grid\":[64],\"workgroup\":[64]"

static void lists(void **state)
{
    struct launch_file *f;
    struct err e = {0};

    (void)state;
    assert_int_equal(parse(&f,
                           "{\"file\":\"../a.co\",\"acquire\":\"system\",\"repeat\":3,\"warmup\":2,\"cold\":true,"
                           "\"buffers\":{\"x\":\"in:x.bin\",\"y\":\"buf:16\"},\"launches\":[{" LAUNCH
                           ",\"name\":\"first\",\"args\":[\"buffer:x\"]},{" LAUNCH
                           ",\"file\":\"b.co\",\"acquire\":\"none\",\"release\":\"agent\",\"dynamic_lds_bytes\":8}]}",
                           &e),
                     0);
    assert_true(f->is_list && f->cold);
    assert_int_equal(f->repeat, 3);
    assert_int_equal(f->warmup, 2);
    assert_int_equal(f->launch_count, 2);
    assert_string_equal(f->launch[0].name, "first");
    assert_string_equal(f->launch[0].file, "some/dir/../a.co");
    assert_string_equal(f->launch[0].args[0], "buffer:x");
    assert_int_equal(f->launch[0].acquire, 2);
    assert_int_equal(f->launch[0].release, -1);
    assert_null(f->launch[1].name);
    assert_string_equal(f->launch[1].file, "some/dir/b.co");
    assert_int_equal(f->launch[1].acquire, 0);
    assert_int_equal(f->launch[1].release, 1);
    assert_int_equal(f->launch[1].dynamic_lds_bytes, 8);
    assert_int_equal(f->launch[1].arg_count, 0);
    assert_int_equal(f->buffer_count, 2);
    assert_string_equal(f->buffer_names[1], "y");
    assert_string_equal(f->buffer_specs[0], "in:x.bin");
    launch_file_close(f);
    /* a list of one is a list */
    assert_int_equal(parse(&f, "{\"file\":\"a\",\"launches\":[{" LAUNCH "}]}", &e), 0);
    assert_true(f->is_list && f->launch_count == 1 && f->buffer_count == 0 && !f->cold);
    assert_int_equal(f->launch[0].acquire, -1);
    launch_file_close(f);
}

static void errors_of_lists(void **state)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{\"file\":\"a\",\"launches\":[]}", ": launches: expected an array of 1 to 4096 launches"},
        {"{\"file\":\"a\",\"launches\":{}}", ": launches: expected an array"},
        {"{\"file\":\"a\",\"launches\":[1]}", ": launches[0]: expected an object"},
        {"{\"file\":\"a\"," LAUNCH ",\"launches\":[{" LAUNCH "}]}", ": launches: expected no kernel, grid"},
        {"{\"launches\":[{" LAUNCH "}]}", ": launches[0].file: expected the code object"},
        {"{\"file\":\"a\",\"launches\":[{" LAUNCH "},{\"kernel\":\"k\",\"workgroup\":[64]}]}", ": launches[1].grid: "},
        {"{\"file\":\"a\",\"launches\":[{" LAUNCH ",\"kernel\":\"j\"}]}",
         "launches[0].kernel: given twice; expected once"},
        {"{\"file\":\"a\",\"launches\":[{" LAUNCH ",\"arch\":\"x\"}]}",
         "unknown key 'launches[0].arch'; expected name, "},
        {"{\"file\":\"a\",\"launches\":[{" LAUNCH ",\"grid\":[0]}]}", "launches[0].grid: given twice"},
        {"{\"file\":\"a\",\"launches\":[{\"grid\":[0]}]}", ": launches[0].grid[0]: expected a whole number"},
        {"{\"file\":\"a\",\"launches\":[{" LAUNCH ",\"acquire\":\"all\"}]}",
         ": launches[0].acquire: expected \"none\", \"agent\" or \"system\""},
        {"{" HEAD ",\"release\":2}", ": release: expected a non-empty string"},
        {"{" HEAD ",\"repeat\":0}", ": repeat: expected a whole number from 1 to 100000"},
        {"{" HEAD ",\"warmup\":100001}", ": warmup: expected a whole number from 1 to 100000"},
        {"{" HEAD ",\"cold\":1}", ": cold: expected true or false"},
        {"{" HEAD ",\"buffers\":[]}", ": buffers: expected an object"},
        {"{" HEAD ",\"buffers\":{\"x\":1}}", ": buffers.x: expected a non-empty string"},
        {"{" HEAD ",\"buffers\":{\"\":\"buf:1\"}}", ": buffers: expected names that are not empty"},
        {"{" HEAD ",\"buffers\":{\"x\":\"buf:1\",\"x\":\"buf:1\"}}", ": buffers.x: given twice; expected once"},
        {"{" HEAD ",\"name\":\"x\"}", "unknown key 'name'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct launch_file *f;
        struct err e = {0};

        assert_int_not_equal(parse(&f, bad[i].text, &e), 0);
        if (!strstr(e.text, bad[i].part))
            fail_msg("%s\n gave: %s\n expected: %s", bad[i].text, e.text, bad[i].part);
    }
}

static void errors(void **state)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "line 1, column 1: the text ends early"},
        {"{", "line 1, column 2: the text ends early"},
        {"[]", "one JSON object"},
        {"{" HEAD "} x", "text after"},
        {"{" HEAD ",\"colour\":1}", "unknown key 'colour'"},
        {"{" HEAD ",\"grid\":[64]}", "grid: given twice; expected once"},
        {"{\"kernel\":\"k\",\"grid\":[64],\"workgroup\":[64]}", "file: expected"},
        {"{\"file\":\"k\",\"grid\":[64],\"workgroup\":[64]}", "kernel: expected"},
        {"{\"file\":\"k\",\"kernel\":\"k\",\"workgroup\":[64]}", "grid: expected"},
        {"{\"file\":\"k\",\"kernel\":\"k\",\"grid\":[64]}", "workgroup: expected"},
        {"{\"file\":1}", "file: expected a non-empty string"},
        {"{\"kernel\":\"\"}", "kernel: expected a non-empty string"},
        {"{\"grid\":64}", "grid: expected an array"},
        {"{\"grid\":[]}", "grid: expected an array"},
        {"{\"grid\":[1,2,3,4]}", "grid: expected an array"},
        {"{\"grid\":[1,0]}", "grid[1]: expected a whole number"},
        {"{\"grid\":[1.5]}", "grid[0]: expected a whole number"},
        {"{\"grid\":[4294967296]}", "grid[0]: expected a whole number"},
        {"{\"grid\":[\"1\"]}", "grid[0]: expected a whole number"},
        {"{\"args\":\"x\"}", "args: expected an array"},
        {"{\"args\":[1]}", "args[0]: expected a non-empty string"},
        {"{\"dynamic_lds_bytes\":-1}", "dynamic_lds_bytes: expected"},
        {"{\"engine\":\"fast\"}", "engine: expected"},
        {"{\"threads\":0}", "threads: expected"},
        {"{\"threads\":1025}", "threads: expected a whole number from 1 to 1024"},
        {"{\"kernel\":\"a\\u0000b\"}", "\\u0000 in a string"},
        {"{\"max_cycles\":1e300}", "max_cycles: expected"},
        {"{\"max_instructions\":0}", "max_instructions: expected"},
        {"{\"check\":1}", "check: expected true or false"},
        {"{\"perfect_memory\":\"yes\"}", "perfect_memory: expected true or false"},
        {"{\"set\":[]}", "set: expected an object"},
        {"{\"set\":{\"a\":1,\"b\":2,\"a\":1}}", "set.a: given twice; expected once"},
        {"{\"max_cycles\":9007199254740993}", "column 15: a number above 2^53"},
        {"{\"max_cycles\":9007199254740994}", "max_cycles: expected a whole number from 1 to 9007199254740992"},
        {"{\"set\":{\"a\":[]}}", "set.a: expected"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct launch_file *f;
        struct err e = {0};
        if (parse(&f, bad[i].text, &e) == 0)
            fail_msg("%s was accepted", bad[i].text);
        assert_int_equal(e.code, ERR_FORMAT);
        if (!strstr(e.text, bad[i].part) || !strstr(e.text, "some/dir/l.json"))
            fail_msg("'%s' lacks '%s'", e.text, bad[i].part);
    }
}

/* A parser takes eighty bytes for a value of two; a text has what one takes for its length. */
static void very_many_values(void **state)
{
    static const char head[] = "{" HEAD ",\"args\":[";
    struct launch_file *f = NULL;
    struct err e = {0};
    char *text = malloc(1 << 20), *p = text;

    (void)state;
    p += sprintf(p, "%s", head);
    /* separators in strings count for nothing */
    p += sprintf(p, "\"");
    for (unsigned i = 0; i < 100000; i++)
        p += sprintf(p, ",[");
    p += sprintf(p, "\\\"\"]}");
    assert_int_equal(parse(&f, text, &e), 0);
    assert_int_equal(strlen(f->launch[0].args[0]), 200001);
    launch_file_close(f);
    /* file, kernel, grid, its number, workgroup, its number, the object, and the array are eight */
    for (unsigned n = 65528; n <= 65529; n++) {
        p = text + sprintf(text, "%s", head);
        for (unsigned i = 0; i < n; i++)
            p += sprintf(p, "%s\"\"", i ? "," : "");
        sprintf(p, "]}");
        assert_int_not_equal(parse(&f, text, &e), 0);
        assert_string_equal(e.text, n == 65528 ? "some/dir/l.json: args[0]: expected a non-empty string"
                                               : "some/dir/l.json: more than 65536 values");
    }
    free(text);
}

static void files(void **state)
{
    struct launch_file *f;
    struct err e = {0};

    (void)state;
    assert_int_not_equal(launch_file_open(&f, "no/such.json", &e), 0);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "no/such.json"));
    err_clear(&e);
    assert_int_not_equal(launch_file_open(&f, "tests", &e), 0);
    assert_int_equal(e.code, ERR_IO);
    err_clear(&e);
    char path[4096];
    snprintf(path, sizeof path, "%s/l.json", program_folder());
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_not_equal(launch_file_open(&f, path, &e), 0); /* fails without waiting for a writer */
    assert_int_equal(e.code, ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),       cmocka_unit_test(lists),
        cmocka_unit_test(errors_of_lists),  cmocka_unit_test(errors),
        cmocka_unit_test(very_many_values), cmocka_unit_test(files),
    };

    return cmocka_run_group_tests_name("launch files", tests, NULL, NULL);
}
