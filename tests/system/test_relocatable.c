/* Objects of `clang -c`, which gcnsim links, against the same source linked by ld.lld: they compute the same. */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

static const char source[] = "__constant int tab[4] = {1, 2, 3, 4};\n"
                             "global int counter = 7;\n"
                             "extern global int elsewhere __attribute__((weak));\n"
                             "__attribute__((noinline)) int twice(int x) { return 2 * x + counter; }\n"
                             "static __attribute__((noinline)) int thrice(int x) { return 3 * x; }\n"
                             "kernel void calls(global int *p, int x)\n"
                             "{\n"
                             "    int i = __builtin_amdgcn_workitem_id_x();\n"
                             "    p[i] = twice(i) + thrice(x) + tab[i & 3] + (&elsewhere ? 1000 : 0);\n"
                             "}\n"
                             "kernel void other(global int *p, int x) { p[__builtin_amdgcn_workitem_id_x()] = x; }\n"
                             "#ifdef LOST\n"
                             "int lost(int);\n"
                             "kernel void loses(global int *p, int x) { *p = lost(x); }\n"
                             "#endif\n";

static void compile(const char *target, const char *option, bool link, const char *object)
{
    char mcpu[40], from[300];

    snprintf(mcpu, sizeof mcpu, "-mcpu=%s", target);
    snprintf(from, sizeof from, "%s", cli_path("k.cl"));
    FILE *f = fopen(from, "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    const char *argv[] = {
        "clang-19", "-x", "cl",   "-cl-std=CL2.0",    "-O1", "--target=amdgcn-amd-amdhsa", mcpu, "-nogpulib", option,
        from,       "-o", object, link ? NULL : "-c", NULL};
    assert_int_equal(spawn_tool(argv, cli_path("log")), 0);
}

static void run(const char *object, int32_t out[64])
{
    char file[300], arg[320];
    size_t bytes = 0;

    snprintf(file, sizeof file, "%s", cli_path("out.bin"));
    snprintf(arg, sizeof arg, "out:%s:256", file);
    struct said s = RUN("run", object, "--engine", "functional", "--kernel", "calls", "--grid", "64", "--workgroup",
                        "64", "--arg", arg, "--arg", "i32:5");
    expect_status(&s, 0);
    said_free(&s);
    char *data = read_whole(file, &bytes);
    assert_non_null(data);
    assert_int_equal(bytes, 256);
    memcpy(out, data, 256);
    free(data);
}

/* -fvisibility=default: through the global offset table. */
static void test_same_results(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1201"};
    static const char *const options[] = {"-O1", "-fvisibility=default", "-ffunction-sections", "-g"};
    char object[300], linked[300];
    int32_t ours[64], theirs[64];
    (void)state;

    NEED_CLANG();
    snprintf(object, sizeof object, "%s", cli_path("k.o"));
    snprintf(linked, sizeof linked, "%s", cli_path("k.co"));
    for (unsigned t = 0; t < 3; t++)
        for (unsigned o = 0; o < 4; o++) {
            compile(targets[t], options[o], false, object);
            compile(targets[t], options[o], true, linked);
            run(object, ours);
            run(linked, theirs);
            assert_memory_equal(ours, theirs, sizeof ours);
            for (int i = 0; i < 64; i++)
                assert_int_equal(ours[i], 2 * i + 7 + 15 + (i & 3) + 1);
        }
    /* debug information is relocated, too */
    struct said s = RUN("run", object, "--kernel", "calls", "--grid", "64", "--workgroup", "64", "--arg", "buf:256",
                        "--arg", "i32:5", "--annotate");
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "k.cl:9"));
    said_free(&s);
}

static void test_undefined_symbols(void **state)
{
    char object[300];
    (void)state;

    NEED_CLANG();
    snprintf(object, sizeof object, "%s", cli_path("lost.o"));
    compile("gfx90a", "-DLOST", false, object);
    struct said s = RUN("info", object);
    expect_status(&s, 2);
    assert_non_null(strstr(s.err, "lost.o: linking: undefined symbol \"lost\", which section "));
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_results),
        cmocka_unit_test(test_undefined_symbols),
    };
    return cmocka_run_group_tests_name("relocatable objects", tests, cli_setup, cli_teardown);
}
