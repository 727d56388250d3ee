/* Targets whose instructions are another one's (gfx90c, gfx940) and generic ones (gfx11-generic, code object v6): clang
 * compiles for each, and both engines compute what the CPU does. */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

static const char source[] =
    "__attribute__((noinline)) int square(int x) { return x * x + 3; }\n"
    "kernel void k(global int *p, global float *f, int n)\n"
    "{\n"
    "    __local int l[64];\n"
    "    int item = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * 64 + item;\n"
    "    l[item] = i;\n"
    "    __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
    "    __builtin_amdgcn_s_barrier();\n"
    "    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n"
    "    p[i] = square(i) + n + l[(item + 1) & 63];\n"
    "    f[i] = f[i] * 1.5f + (float)(i % 7);\n"
    "    __opencl_atomic_fetch_add((volatile global atomic_int *)(p + 128), 1, memory_order_relaxed,\n"
    "                              memory_scope_device);\n"
    "}\n";

static const struct {
    const char *name, *instructions, *profile;
    unsigned version; /* of the code object */
    bool llvm22;      /* clang-19 does not know it */
} targets[] = {
    {"gfx902", "gfx900", "gfx900-vega64", 5, false},
    {"gfx904", "gfx906", "gfx906-mi50", 5, false},
    {"gfx909", "gfx900", "gfx900-vega64", 5, false},
    {"gfx90c", "gfx900", "gfx900-vega64", 5, false},
    {"gfx940", "gfx942", "gfx942-mi300x", 5, false},
    {"gfx941", "gfx942", "gfx942-mi300x", 5, false},
    {"gfx1011", "gfx1010", "gfx1010-rx5700xt", 5, false},
    {"gfx1012", "gfx1010", "gfx1010-rx5700xt", 5, false},
    {"gfx1013", "gfx1010", "gfx1010-rx5700xt", 5, false},
    {"gfx1031", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1032", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1033", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1034", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1035", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1036", "gfx1030", "gfx1030-rx6900xt", 5, false},
    {"gfx1152", "gfx1150", "gfx1150", 5, false},
    {"gfx1153", "gfx1150", "gfx1150", 5, true},
    {"gfx9-generic", "gfx900", "gfx900-vega64", 6, false},
    {"gfx9-4-generic", "gfx942", "gfx942-mi300x", 6, true},
    {"gfx10-1-generic", "gfx1010", "gfx1010-rx5700xt", 6, false},
    {"gfx10-3-generic", "gfx1030", "gfx1030-rx6900xt", 6, false},
    {"gfx11-generic", "gfx1100", "gfx1100-rx7900xtx", 6, false},
    {"gfx12-generic", "gfx1200", "gfx1200-rx9060xt", 6, false},
};

static char object[300];

static void compile(const char *target, unsigned version, bool llvm22)
{
    char mcpu[40], from[300], option[40];

    snprintf(mcpu, sizeof mcpu, "-mcpu=%s", target);
    snprintf(option, sizeof option, "-mcode-object-version=%u", version);
    snprintf(from, sizeof from, "%s", cli_path("k.cl"));
    snprintf(object, sizeof object, "%s", cli_path("k.co"));
    FILE *f = fopen(from, "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    const char *argv[] = {"sh",
                          "tests/llvm22.sh",
                          "clang",
                          "-x",
                          "cl",
                          "-cl-std=CL2.0",
                          "-O2",
                          "-target",
                          "amdgcn-amd-amdhsa",
                          mcpu,
                          option,
                          "-nogpulib",
                          from,
                          "-o",
                          object,
                          NULL};
    const char **own = argv + 2;

    if (!llvm22)
        *own = "clang-19";
    assert_int_equal(spawn_tool(llvm22 ? argv : own, cli_path("log")), 0);
}

/* The report says that the profile is of another processor, unless the code is for any of them. */
static void run(const char *engine, const char *arch, const char *processor)
{
    char stands_in[80];
    char out[320], inout[640];
    float f[128];
    size_t bytes = 0;

    for (int i = 0; i < 128; i++)
        f[i] = 0.25f * (float)i;
    FILE *file = fopen(cli_path("f.bin"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(f, sizeof f, 1, file), 1);
    fclose(file);
    snprintf(out, sizeof out, "out:%s:516", cli_path("p.bin"));
    snprintf(inout, sizeof inout, "inout:%s", cli_path("f.bin"));
    snprintf(inout + strlen(inout), sizeof inout - strlen(inout), ":%s", cli_path("g.bin"));
    struct said s = RUN("run", object, "--engine", engine, "--blocks", "2", "--workgroup", "64", "--arg", out, "--arg",
                        inout, "--arg", "i32:5", arch ? "--arch" : NULL, arch);
    expect_status(&s, 0);
    snprintf(stands_in, sizeof stands_in, " stands in for %s\n", processor);
    assert_int_equal(strstr(s.out, stands_in) != NULL, strstr(processor, "generic") == NULL);
    said_free(&s);
    int32_t *p = (int32_t *)(void *)read_whole(cli_path("p.bin"), &bytes);
    assert_int_equal(bytes, 516);
    float *g = (float *)(void *)read_whole(cli_path("g.bin"), &bytes);
    assert_int_equal(bytes, 512);
    for (int i = 0; i < 128; i++) {
        assert_int_equal(p[i], i * i + 3 + 5 + i / 64 * 64 + (i + 1) % 64);
        assert_true(g[i] == f[i] * 1.5f + (float)(i % 7)); /* exact: eighths */
    }
    assert_int_equal(p[128], 128);
    free(p);
    free(g);
}

static void test_each_target(void **state)
{
    char says[200];
    (void)state;

    NEED_CLANG();
    for (unsigned k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (targets[k].llvm22 && !has_llvm22()) {
            print_message("skipped: %s: LLVM 22 is not installed (sh tests/llvm22.sh --fetch)\n", targets[k].name);
            continue;
        }
        compile(targets[k].name, targets[k].version, targets[k].llvm22);
        run("functional", NULL, targets[k].name);
        run("timing", NULL, targets[k].name);
        run("timing", targets[k].profile, targets[k].name);
        struct said s = RUN("info", object);
        snprintf(says, sizeof says, ": %s (instructions of %s), code object version %u, 1 kernel\n", targets[k].name,
                 targets[k].instructions, targets[k].version);
        expect_status(&s, 0);
        expect_in(&s, s.out, says);
        expect_in(&s, s.out, targets[k].profile);
        said_free(&s);
        s = RUN("info", object, "--json");
        snprintf(says, sizeof says, "\"instruction_set\": \"%s\"", targets[k].instructions);
        expect_in(&s, s.out, says);
        said_free(&s);
        s = RUN("disasm", object, "--kernel", "k");
        expect_status(&s, 0);
        expect_in(&s, s.out, "s_endpgm");
        assert_null(strstr(s.out, ".long"));
        said_free(&s);
    }
}

/* gfx1011 has dot products, which gfx1010 has not: they are not taken for another instruction. */
static void test_dot_products_of_gfx1011(void **state)
{
    (void)state;
    struct said s = RUN("disasm", "--target", "gfx1011", "--hex", "1a020002 bf810000");
    expect_status(&s, 0);
    expect_in(&s, s.out, ".long 0x1a020002");
    expect_in(&s, s.out, "s_endpgm");
    said_free(&s);
}

static struct said run_on(const char *profile)
{
    return RUN("run", object, "--arch", profile, "--blocks", "1", "--workgroup", "64", "--arg", "buf:1024", "--arg",
               "buf:1024", "--arg", "i32:0");
}

/* gfx1251 has instructions that gfx1250 has not; the other way around nothing is in the way. */
static void test_gfx1250_and_gfx1251(void **state)
{
    (void)state;
    if (!has_llvm22()) {
        print_message("skipped: LLVM 22 is not installed (sh tests/llvm22.sh --fetch)\n");
        skip();
    }
    compile("gfx1251", 6, true);
    struct said s = run_on("gfx1250-whatif");
    expect_status(&s, 2);
    expect_in(&s, s.err, "made for gfx1251, which profile gfx1250-whatif (gfx1250) does not run");
    said_free(&s);
    compile("gfx1250", 6, true);
    s = run_on("gfx1251-whatif");
    expect_status(&s, 0);
    said_free(&s);
}

static void test_others_are_refused(void **state)
{
    (void)state;
    NEED_CLANG();
    compile("gfx940", 5, false);
    struct said s = run_on("gfx90a");
    expect_status(&s, 2);
    expect_in(&s, s.err, "made for gfx940, which profile gfx90a-mi210 (gfx90a) does not run");
    said_free(&s);
    s = RUN("disasm", "--target", "gfx999", "--hex", "bf810000");
    expect_status(&s, 2);
    expect_in(&s, s.err, "gfx999");
    said_free(&s);
    s = RUN("disasm", "--target", "gfx90c", "--hex", "bf810000");
    expect_status(&s, 0);
    expect_in(&s, s.out, "s_endpgm");
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_target),
        cmocka_unit_test(test_dot_products_of_gfx1011),
        cmocka_unit_test(test_gfx1250_and_gfx1251),
        cmocka_unit_test(test_others_are_refused),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
