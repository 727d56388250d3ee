/* Commands of points: their words, and the keys by which a sweep that is resumed knows what has changed. */
#define _GNU_SOURCE
#include "tests/unit/sweep/sweep_unit.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/command.h"

/* What a point comes to; everything is made anew, as by another process. */
struct made {
    char key[SHA256_TEXT], gcnsim_sha256[SHA256_TEXT];
    char line[4000];
};

static struct made make(const char *spec, uint64_t point, const char *gcnsim)
{
    struct sweep_spec *s = NULL;
    struct sweep_points *p;
    struct sweep_commands *all;
    struct sweep_command c;
    struct made made = {0};
    struct err e = {0};
    char *line;

    if (parse(&s, spec, &e))
        fail_msg("%s", e.text);
    p = points_of(s);
    if (sweep_commands_new(&all, s, gcnsim, &e) || sweep_command_make(all, p, point, &c, &e))
        fail_msg("%s", e.text);
    assert_null(c.words[c.count]);
    line = sweep_command_line(&c);
    snprintf(made.line, sizeof made.line, "%s", line);
    memcpy(made.key, c.key, sizeof made.key);
    memcpy(made.gcnsim_sha256, c.gcnsim_sha256, sizeof made.gcnsim_sha256);
    free(line);
    sweep_command_free(&c);
    sweep_commands_free(all);
    sweep_points_free(p);
    sweep_spec_free(s);
    return made;
}

static const char *gcnsim(void)
{
    return in_folder("gcnsim");
}

static int setup(void **state)
{
    (void)state;
    write_text(gcnsim(), "the program");
    write_text(in_folder("k.co"), "code");
    write_text(in_folder("a.bin"), "input");
    write_text(in_folder("b.bin"), "other input");
    write_text(in_folder("s.bin"), "symbol");
    return 0;
}

static void test_words_of_a_launch(void **state)
{
    static const char spec[] = "{'gcnsim_sweep': 1, 'launches': [{'run': ['k.json', '--grid', '{n},1'], 'options': "
                               "['--cold']}], 'profiles': ['gfx90a'], 'axes': [{'set': 'cu.simds', 'values': [4]}, "
                               "{'parameter': 'n', 'values': [64]}, {'argument': 2, 'type': 'u32', 'values': [7]}, "
                               "{'argument': 3, 'values': ['in:a b.bin']}, {'option': 'repeat', 'values': [2]}, "
                               "{'option': 'check', 'values': [true, false]}], 'options': ['--max-cycles', '{{{n}'], "
                               "'define': {'twice': 'n * 2'}}";

    (void)state;
    assert_string_equal(make(spec, 0, gcnsim()).line,
                        "gcnsim run k.json --grid 64,1 --cold --arch gfx90a --set cu.simds=4 --replace-arg 2=u32:7 "
                        "--replace-arg '3=in:a b.bin' --repeat=2 --check --max-cycles '{64' --discard-outputs --json - "
                        "--progress never");
    assert_null(strstr(make(spec, 1, gcnsim()).line, "--check"));
}

/* Cycles are what a sweep is for; who wants something else says so after it. */
static void test_words_of_a_program(void **state)
{
    static const char spec[] = "{'gcnsim_sweep': 1, 'launches': [{'exec': ['./prog', '{n}', \"it's\"], 'options': "
                               "['--engine', 'functional'], 'environment': {'SIZE': '{n}'}}], 'axes': [{'set': "
                               "'cu.simds', 'values': [4]}, {'parameter': 'n', 'values': [64]}]}";
    char text[1000];

    (void)state;
    snprintf(text, sizeof text, "%s", spec);
    memcpy(strstr(text, "\"it's\""), "'it_s'", 6);
    assert_string_equal(make(text, 0, gcnsim()).line,
                        "SIZE=64 gcnsim exec --engine timing --threads 1 --engine functional --set cu.simds=4 --csv "
                        "statistics= -- ./prog 64 it_s");
}

static void expect_no_command(const char *more, const char *message)
{
    struct sweep_spec *s = spec_with(more);
    struct sweep_points *p = points_of(s);
    struct sweep_commands *all;
    struct sweep_command c;
    struct err e = {0};

    assert_int_equal(sweep_commands_new(&all, s, gcnsim(), &e), 0);
    assert_int_equal(sweep_command_make(all, p, 0, &c, &e), -1);
    if (!strstr(e.text, message))
        fail_msg("%s", e.text);
    sweep_commands_free(all);
    sweep_points_free(p);
    sweep_spec_free(s);
}

static void test_names_without_a_value(void **state)
{
    (void)state;
    expect_no_command("'options': ['{m}']", "spec.json: launches: a: '{m}': {m} has no value; expected");
    expect_no_command("'options': ['x{m']", "has no value");
    expect_no_command("'define': {'m': 'NULL'}, 'options': ['{m}']", "{m} has no value");
    expect_no_command("'axes': [{'set': 'cu.simds', 'values': [1]}], 'options': ['{cu.simds}']", "has no value");
}

/* ---- keys ---- */

#define SPEC(launch, more) "{'gcnsim_sweep': 1, 'launches': [" launch "]" more "}"
#define AXIS               ", 'axes': [{'set': 'cu.simds', 'values': [1, 2]}]"

static void write_launch_file(const char *args)
{
    char text[600], *json;

    snprintf(text, sizeof text,
             "{'file': 'k.co', 'kernel': 'k', 'grid': [1], 'workgroup': [1], 'args': [%s], 'set_symbols': {'v': "
             "'in:s.bin'}}",
             args);
    json = json_of(text);
    write_text(in_folder("k.json"), json);
    free(json);
}

/* The key after a file has been given other contents, beside the one before. */
static void expect_change(const char *spec, const char *file, const char *contents, bool changes)
{
    struct made before = make(spec, 0, gcnsim()), after;

    write_text(in_folder(file), contents);
    after = make(spec, 0, gcnsim());
    assert_string_equal(before.line, after.line);
    if (changes == (strcmp(before.key, after.key) == 0))
        fail_msg("%s: %s changes %s", spec, file, changes ? "nothing" : "the key");
}

static void test_keys_of_files(void **state)
{
    static const char spec[] = SPEC("'k.json'", AXIS);

    (void)state;
    setup(NULL);
    write_launch_file("'in:a.bin', 'inout:b.bin:c.bin', 'u32:1'");
    assert_string_equal(make(spec, 0, gcnsim()).key, make(spec, 0, gcnsim()).key);
    expect_change(spec, "k.co", "other code", true);
    expect_change(spec, "a.bin", "other", true);
    expect_change(spec, "b.bin", "other", true);
    expect_change(spec, "s.bin", "other", true);
    expect_change(spec, "c.bin", "what a run has written", false);
    expect_change(spec, "gcnsim", "another program", true);
    expect_change(SPEC("{'run': ['k.co', '--arg', 'in:a.bin']}", AXIS), "a.bin", "more", true);
    expect_change(SPEC("{'run': ['k.co', '--arg=in:b.bin']}", AXIS), "b.bin", "more", true);
    expect_change(SPEC("{'run': ['k.co']}", ", 'axes': [{'argument': 0, 'values': ['in:a.bin']}]"), "a.bin", "m", true);
    expect_change(SPEC("{'run': ['k.co', '--arg', 'in:a.bin']}", AXIS), "b.bin", "unused", false);
    expect_change(SPEC("{'exec': ['./k.co']}", AXIS), "k.co", "another program", true);
}

/* More of them than there is room for at first. */
static void test_keys_of_many_files(void **state)
{
    enum { FILES = 150 };
    char spec[2000] = "{'gcnsim_sweep': 1, 'launches': [{'run': ['k.co'";

    (void)state;
    for (unsigned k = 0; k < FILES; k++)
        sprintf(spec + strlen(spec), ", 'f%u'", k);
    strcat(spec, "]}]" AXIS "}");
    write_text(in_folder("f0"), "first");
    write_text(in_folder("f149"), "last");
    expect_change(spec, "f0", "other", true);
    expect_change(spec, "f149", "other", true);
    expect_change(spec, "f150", "unused", false);
}

/* ---- the code that simulates ---- */

#define CODE(digit) "gcnsim-code-sha256=" digit "123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde" digit

static void write_bytes(const char *file, const char *bytes, size_t size)
{
    FILE *f = fopen(in_folder(file), "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}
#define WRITE_BYTES(file, bytes) write_bytes(file, bytes, sizeof(bytes) - 1)

/* As that of sanitized tests is. */
static bool library_is_shared(void)
{
    Dl_info info;

    return dladdr((const void *)(uintptr_t)gcnsim_version, &info) && strstr(info.dli_fname, "libgcnsim");
}

/* For a program that says what code it has been linked from that counts alone. The name without a hash is what this
 * module itself has in every gcnsim. */
static void test_keys_of_code(void **state)
{
    static const char spec[] = SPEC("{'run': ['k.co']}", AXIS);

    (void)state;
    WRITE_BYTES("gcnsim", "\x7f"
                          "ELF gcnsim-code-sha256=\0 without MPI \0" CODE("0") "\0");
    struct made one = make(spec, 0, gcnsim());
    WRITE_BYTES("gcnsim", "\x7f"
                          "ELF with MPI and more \0 gcnsim-code-sha256=\0 " CODE("0") "\0 MPI_Init");
    struct made mpi = make(spec, 0, gcnsim());
    assert_string_equal(mpi.key, one.key);
    assert_string_equal(mpi.gcnsim_sha256, one.gcnsim_sha256);
    if (!library_is_shared()) /* whose code counts, too */
        assert_string_equal(one.gcnsim_sha256, &CODE("0")[strlen("gcnsim-code-sha256=")]);
    WRITE_BYTES(
        "gcnsim",
        "\x7f"
        "ELF gcnsim-code-sha256=\0 and texts that are longer than a hash has digits, as many are \0" CODE("0") "\0");
    assert_string_equal(make(spec, 0, gcnsim()).gcnsim_sha256, one.gcnsim_sha256);
    WRITE_BYTES("gcnsim", "\x7f"
                          "ELF gcnsim-code-sha256=\0 without MPI \0" CODE("1") "\0");
    struct made changed = make(spec, 0, gcnsim());
    assert_string_not_equal(changed.key, one.key);
    assert_string_not_equal(changed.gcnsim_sha256, one.gcnsim_sha256);
    /* one that says nothing, or only begins to, counts whole */
    expect_change(spec, "gcnsim", "gcnsim-code-sha256=0123 a", true);
    expect_change(spec, "gcnsim", "gcnsim-code-sha256=0123 b", true);
    expect_change(spec, "gcnsim", "gcnsim-code-sha256=0123", true);
    setup(NULL);
}

/* Programs are simulated by the HSA runtime, which is a file of its own; launches are not. */
static void test_keys_of_the_runtime(void **state)
{
    static const char run[] = SPEC("{'run': ['k.co']}", AXIS), exec[] = SPEC("{'exec': ['./k.co']}", AXIS),
                      other[] = SPEC("{'exec': ['./k.co'], 'environment': {'GCNSIM_HSA_DIR': 'other'}}", AXIS);
    char place[4200];
    struct made none, there;

    (void)state;
    unsetenv("GCNSIM_HSA_DIR");
    setup(NULL);
    none = make(exec, 0, gcnsim());
    mkdir(in_folder("hsa"), 0755);
    mkdir(in_folder("other"), 0755);
    write_text(in_folder("hsa/libhsa-runtime64.so.1"), "runtime");
    there = make(exec, 0, gcnsim());
    assert_string_not_equal(none.key, there.key);
    assert_string_not_equal(none.gcnsim_sha256, there.gcnsim_sha256);
    expect_change(exec, "hsa/libhsa-runtime64.so.1", "another runtime", true);
    expect_change(run, "hsa/libhsa-runtime64.so.1", "and another", false);
    assert_string_equal(make(run, 0, gcnsim()).gcnsim_sha256, none.gcnsim_sha256);
    expect_change(exec, "gcnsim", "another tool", true);
    expect_change(other, "hsa/libhsa-runtime64.so.1", "not this one", false);
    expect_change(other, "other/libhsa-runtime64.so.1", "but this one", true);
    snprintf(place, sizeof place, "%s", in_folder("other"));
    setenv("GCNSIM_HSA_DIR", place, 1);
    expect_change(exec, "hsa/libhsa-runtime64.so.1", "nor is it now", false);
    expect_change(exec, "other/libhsa-runtime64.so.1", "it is this one", true);
    unsetenv("GCNSIM_HSA_DIR");
    WRITE_BYTES("hsa/libhsa-runtime64.so.1", "\x7f"
                                             "ELF as it is built here \0" CODE("2"));
    there = make(exec, 0, gcnsim());
    WRITE_BYTES("hsa/libhsa-runtime64.so.1", "\x7f"
                                             "ELF as it is there \0" CODE("2"));
    assert_string_equal(make(exec, 0, gcnsim()).key, there.key);
    setup(NULL);
}

static void write_profile(const char *name, const char *text)
{
    char *json = json_of(text);

    write_text(in_folder(name), json);
    free(json);
}

/* A profile that extends another file changes with that. */
static void test_keys_of_profiles(void **state)
{
    static const char spec[] = SPEC("{'run': ['k.co']}", ", 'profiles': ['leaf.json']");
    struct made before, after;

    (void)state;
    write_profile("base.json", "{'extends': 'gfx90a-mi210', 'cu': {'simds': 4}}");
    write_profile("leaf.json", "{'extends': 'base.json', 'cu': {'wave_slots_per_simd': 8}}");
    before = make(spec, 0, gcnsim());
    write_profile("base.json", "{'extends': 'gfx90a-mi210', 'cu': {'simds': 2}}");
    after = make(spec, 0, gcnsim());
    assert_string_not_equal(before.key, after.key);
    write_profile("leaf.json", "{'extends': 'base.json', 'cu': {'wave_slots_per_simd': 16}}");
    assert_string_not_equal(make(spec, 0, gcnsim()).key, after.key);
    /* another file is what it is */
    write_profile("leaf.text", "{'extends': 'base.json', 'cu': {'wave_slots_per_simd': 16}}");
    expect_change(SPEC("{'run': ['k.co', '--arg', 'in:leaf.text']}", AXIS), "base.json",
                  "{\"extends\": \"gfx90a-mi210\"}", false);
}

/* Words and variables are told apart, however they are put together. */
static void test_keys_of_words(void **state)
{
    static const char *const specs[] = {
        SPEC("{'run': ['k.co']}", AXIS),
        SPEC("{'run': ['k.co', '--cold']}", AXIS),
        SPEC("{'run': ['k.co', '--co', 'ld']}", AXIS),
        SPEC("{'run': ['k.co', 'word 1 x']}", AXIS),
        SPEC("{'run': ['k.co', 'word', '1', 'x']}", AXIS),
        SPEC("{'exec': ['k.co']}", AXIS),
        SPEC("{'exec': ['k.co'], 'environment': {'A': '1'}}", AXIS),
        SPEC("{'exec': ['k.co'], 'environment': {'A': '2'}}", AXIS),
    };
    enum { COUNT = sizeof specs / sizeof specs[0] };
    struct made made[COUNT];

    (void)state;
    for (size_t k = 0; k < COUNT; k++) {
        made[k] = make(specs[k], 0, gcnsim());
        assert_string_not_equal(made[k].key, make(specs[k], 1, gcnsim()).key);
        for (size_t m = 0; m < k; m++)
            assert_string_not_equal(made[k].key, made[m].key);
    }
    /* names of launches, and what filters and objectives there are, decide no result */
    assert_string_equal(
        make(SPEC("{'run': ['k.co'], 'name': 'n'}", AXIS ", 'objectives': ['cycles']"), 0, gcnsim()).key, made[0].key);
}

/* A file that is not there is the run's to complain about. */
static void test_missing_files(void **state)
{
    (void)state;
    remove(in_folder("k.json"));
    assert_string_equal(make(SPEC("'k.json'", ""), 0, gcnsim()).line,
                        "gcnsim run k.json --discard-outputs --json - --progress never");
    write_text(in_folder("k.json"), "{");
    make(SPEC("'k.json'", ""), 0, gcnsim());
}

/* A file that is too large to be read is an error, wherever a key would have its contents: the code, or an input. */
static void test_files_that_are_too_large(void **state)
{
    static const char *const files[] = {"k.co", "a.bin"};

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct sweep_commands *all;
        struct sweep_command c;
        struct sweep_points *p;
        struct sweep_spec *s = NULL;
        struct err e = {0};

        write_launch_file("'in:a.bin'");
        assert_int_equal(truncate(in_folder(files[k]), INT64_C(1) << 40), 0); /* of which nothing is stored */
        assert_int_equal(parse(&s, SPEC("'k.json'", ""), &e), 0);
        p = points_of(s);
        assert_int_equal(sweep_commands_new(&all, s, gcnsim(), &e), 0);
        assert_int_equal(sweep_command_make(all, p, 0, &c, &e), -1);
        assert_non_null(strstr(e.text, files[k]));
        sweep_commands_free(all);
        sweep_points_free(p);
        sweep_spec_free(s);
        setup(NULL);
    }
}

/* Before anything runs, what a run names has to be there; a program of exec is looked up later, as a shell does. */
static void test_files_that_have_to_be_there(void **state)
{
    static const struct {
        const char *launch, *says; /* null: nothing is wrong */
    } v[] = {
        {"'there.json'", NULL},
        {"'none.json'", "launches: none.json: No such file or directory; expected a launch file or a code object"},
        {"{'run': ['none.co']}", "launches: none.co: No such file or directory"},
        {"{'exec': ['none.json']}", NULL},
    };

    (void)state;
    write_text(in_folder("there.json"), "{");
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        char text[200];
        struct sweep_commands *all;
        struct sweep_command c;
        struct sweep_points *p;
        struct sweep_spec *s = NULL;
        struct err e = {0};

        snprintf(text, sizeof text, "{'gcnsim_sweep': 1, 'launches': [%s]}", v[k].launch);
        assert_int_equal(parse(&s, text, &e), 0);
        p = points_of(s);
        assert_int_equal(sweep_commands_new(&all, s, gcnsim(), &e), 0);
        assert_int_equal(sweep_command_make(all, p, 0, &c, &e), 0);
        assert_int_equal(sweep_command_check(all, &c, &e), v[k].says ? -1 : 0);
        if (v[k].says && (e.code != ERR_USAGE || !strstr(e.text, v[k].says)))
            fail_msg("%s", e.text);
        sweep_command_free(&c);
        sweep_commands_free(all);
        sweep_points_free(p);
        sweep_spec_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_a_launch),
        cmocka_unit_test(test_words_of_a_program),
        cmocka_unit_test(test_names_without_a_value),
        cmocka_unit_test(test_keys_of_files),
        cmocka_unit_test(test_keys_of_many_files),
        cmocka_unit_test(test_keys_of_profiles),
        cmocka_unit_test(test_keys_of_words),
        cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_keys_of_code),
        cmocka_unit_test(test_keys_of_the_runtime),
        cmocka_unit_test(test_files_that_have_to_be_there),
        cmocka_unit_test(test_files_that_are_too_large),
    };

    mallopt(M_PERTURB, 90); /* what is not set is not zero */
    return cmocka_run_group_tests(tests, setup, NULL);
}
