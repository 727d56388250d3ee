/* Targets whose instructions are another one's (gfx90c, gfx940) and generic ones (gfx11-generic, code object v6): clang
 * compiles for each, and both engines compute what the CPU does. */
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
} targets[] = {
    {"gfx902", "gfx900", "gfx900-vega64", 5},
    {"gfx904", "gfx906", "gfx906-mi50", 5},
    {"gfx909", "gfx900", "gfx900-vega64", 5},
    {"gfx90c", "gfx900", "gfx900-vega64", 5},
    {"gfx940", "gfx942", "gfx942-mi300x", 5},
    {"gfx941", "gfx942", "gfx942-mi300x", 5},
    {"gfx1013", "gfx1010", "gfx1010-rx5700xt", 5},
    {"gfx1031", "gfx1030", "gfx1030-rx6900xt", 5},
    {"gfx1036", "gfx1030", "gfx1030-rx6900xt", 5},
    {"gfx1152", "gfx1150", "gfx1150", 5},
    {"gfx9-generic", "gfx900", "gfx900-vega64", 6},
    {"gfx10-1-generic", "gfx1010", "gfx1010-rx5700xt", 6},
    {"gfx10-3-generic", "gfx1030", "gfx1030-rx6900xt", 6},
    {"gfx11-generic", "gfx1100", "gfx1100-rx7900xtx", 6},
    {"gfx12-generic", "gfx1200", "gfx1200-rx9060xt", 6},
};

static char object[300];

static void compile(const char *target, unsigned version)
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
    assert_int_equal(
        spawn_tool((const char *[]){"clang-19", "-x", "cl", "-cl-std=CL2.0", "-O2", "-target", "amdgcn-amd-amdhsa",
                                    mcpu, option, "-nogpulib", from, "-o", object, NULL},
                   cli_path("log"), 60),
        0);
}

static void run(const char *engine, const char *arch)
{
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

    if (spawn_tool((const char *[]){"clang-19", "--version", NULL}, "/dev/null", 60) ||
        spawn_tool((const char *[]){"ld.lld-19", "--version", NULL}, "/dev/null", 60)) {
        print_message("skipped: no clang-19 and ld.lld-19\n");
        skip();
    }
    for (unsigned k = 0; k < sizeof targets / sizeof *targets; k++) {
        compile(targets[k].name, targets[k].version);
        run("functional", NULL);
        run("timing", NULL);
        run("timing", targets[k].profile);
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

static void test_others_are_refused(void **state)
{
    (void)state;
    if (spawn_tool((const char *[]){"clang-19", "--version", NULL}, "/dev/null", 60)) {
        print_message("skipped: no clang-19\n");
        skip();
    }
    compile("gfx940", 5);
    struct said s = RUN("run", object, "--arch", "gfx90a", "--blocks", "1", "--workgroup", "64", "--arg", "buf:1024",
                        "--arg", "buf:1024", "--arg", "i32:0");
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
        cmocka_unit_test(test_others_are_refused),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
