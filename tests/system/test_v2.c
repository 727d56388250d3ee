/* Code objects of version 2 in both engines, against what their kernels (kernels/v2.cl) compute: one of gfx900 that is
 * kept with its source, and more where there is a clang 14, the last one that makes them. */
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

static const char kept[] = "tests/fuzz/corpus/loader/v2.co";

static void expect_file(const char *path, int expected(int i))
{
    size_t bytes = 0;
    int32_t *got = (int32_t *)(void *)read_whole(path, &bytes);

    assert_non_null(got);
    assert_int_equal(bytes, 512);
    for (int i = 0; i < 128; i++)
        assert_int_equal(got[i], expected(i));
    free(got);
}

static int calls(int i)
{
    return i * i + 3 + 5;
}

/* s.a is 1000, c is -3, v.x is 6; q[i] is 2.5 * i. */
static int mixes(int i)
{
    int base = i / 64 * 64, item = i % 64;

    return base + (item + 1) % 64 + 2 * (base + (item ^ 1)) + 1000 - 3 + (int)(2.5f * (float)i + 6);
}

static void run_both(const char *object, const char *engine)
{
    char out[320], in[320];
    float q[128];

    snprintf(out, sizeof out, "out:%s:512", cli_path("out.bin"));
    struct said s = RUN("run", object, "--engine", engine, "--kernel", "calls", "--blocks", "2", "--workgroup", "64",
                        "--arg", out, "--arg", "i32:5");
    expect_status(&s, 0);
    said_free(&s);
    expect_file(cli_path("out.bin"), calls);

    for (int i = 0; i < 128; i++)
        q[i] = 2.5f * (float)i;
    FILE *f = fopen(cli_path("q.bin"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(q, sizeof q, 1, f), 1);
    fclose(f);
    snprintf(in, sizeof in, "in:%s", cli_path("q.bin"));
    s = RUN("run", object, "--engine", engine, "--kernel", "mixes", "--blocks", "2", "--arg", out, "--arg", in, "--arg",
            "bytes:e8030000000000000000000000000000", "--arg", "buf:256", "--arg", "i8:-3", "--arg",
            "bytes:0000c040000000000000000000000000");
    expect_status(&s, 0);
    said_free(&s);
    expect_file(cli_path("out.bin"), mixes);
}

static void test_the_kept_one(void **state)
{
    (void)state;
    run_both(kept, "functional");
    run_both(kept, "timing");
    struct said s = RUN("info", kept);
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "gfx900, code object version 2, 2 kernels"));
    assert_non_null(strstr(s.out, "  workgroup    64 x 1 x 1 required\n"));
    said_free(&s);
    /* headers between the kernels are not shown as instructions */
    s = RUN("disasm", kept, "--kernel", "calls");
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "s_swappc_b64"));
    assert_non_null(strstr(s.out, "s_endpgm"));
    said_free(&s);
    s = RUN("disasm", kept);
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "s_setpc_b64 s[30:31]"));
    assert_null(strstr(s.out, ": 00000001\n")); /* amd_kernel_code_version_major */
    said_free(&s);
    s = RUN("run", kept, "--check", "--kernel", "calls", "--blocks", "2", "--workgroup", "64", "--arg", "buf:512",
            "--arg", "i32:5");
    expect_status(&s, 0);
    said_free(&s);
}

static void test_clang_14(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx900", "gfx906"};
    char object[300], mcpu[32];
    (void)state;

    if (spawn_tool((const char *[]){"clang-14", "--version", NULL}, "/dev/null") ||
        spawn_tool((const char *[]){"ld.lld-14", "--version", NULL}, "/dev/null")) {
        print_message("skipped: no clang-14 and ld.lld-14\n");
        skip();
    }
    snprintf(object, sizeof object, "%s", cli_path("v2.co"));
    for (unsigned k = 0; k < 3; k++) {
        snprintf(mcpu, sizeof mcpu, "-mcpu=%s", targets[k]);
        assert_int_equal(spawn_tool((const char *[]){"clang-14", "-x", "cl", "-cl-std=CL2.0", "-O2", "-target",
                                                     "amdgcn-amd-amdhsa", mcpu, "-nogpulib", "-mcode-object-version=2",
                                                     "tests/system/kernels/v2.cl", "-o", object, NULL},
                                    cli_path("log")),
                         0);
        run_both(object, "functional");
        run_both(object, "timing");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_kept_one),
        cmocka_unit_test(test_clang_14),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
