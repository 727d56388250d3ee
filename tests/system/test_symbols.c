/* Variables of a code object, set before a launch and read after it, against what the kernel computes from them. */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

static const char source[] = "#define __global__ __attribute__((global))\n"
                             "#define __constant__ __attribute__((constant))\n"
                             "#define __device__ __attribute__((device))\n"
                             "namespace ns { __constant__ float factor = 2.0f; }\n"
                             "__constant__ int table[4] = {1, 2, 3, 4};\n"
                             "__device__ unsigned calls[2];\n"
                             "__device__ int *target;\n"
                             "extern \"C\" __global__ void scale(float *x)\n"
                             "{\n"
                             "    int i = __builtin_amdgcn_workitem_id_x();\n"
                             "    x[i] = ns::factor * i + table[i & 3];\n"
                             "    if (i == 0) calls[0] += 1, calls[1] += 10;\n"
                             "}\n"
                             "extern \"C\" __global__ void through(int x)\n"
                             "{ target[__builtin_amdgcn_workitem_id_x()] = x + table[0]; }\n";

static char object[300], out[320], file[300];

static void compile(const char *arch)
{
    char from[300], offload[40];

    NEED_CLANG();
    snprintf(from, sizeof from, "%s", cli_path("k.hip"));
    snprintf(object, sizeof object, "%s", cli_path("k.co"));
    snprintf(file, sizeof file, "%s", cli_path("out.bin"));
    snprintf(out, sizeof out, "out:%s:256", file);
    snprintf(offload, sizeof offload, "--offload-arch=%s", arch);
    FILE *f = fopen(from, "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    assert_int_equal(
        spawn_tool((const char *[]){"clang-19", "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", offload,
                                    "-nogpulib", "-nogpuinc", "-O2", from, "-o", object, NULL},
                   cli_path("log")),
        0);
}

/* x[i] = factor * i + table[i & 3] */
static void expect_output(float factor, const int32_t table[4])
{
    size_t bytes = 0;
    float *got = (float *)(void *)read_whole(file, &bytes);

    assert_non_null(got);
    assert_int_equal(bytes, 256);
    for (int i = 0; i < 64; i++)
        if (got[i] != factor * (float)i + (float)table[i & 3])
            fail_msg("x[%d] is %g", i, (double)got[i]);
    free(got);
}

#define SCALE "run", object, "--kernel", "scale", "--grid", "64", "--workgroup", "64", "--arg", out, "--quiet"

static void test_values(void **state)
{
    static const char *const archs[] = {"gfx803", "gfx90a", "gfx1030", "gfx1201"};
    static const int32_t as_built[4] = {1, 2, 3, 4}, other[4] = {-5, 0, 7, 100};
    char table[320], kept[320];
    (void)state;

    for (unsigned k = 0; k < 4; k++) {
        compile(archs[k]);
        struct said s = RUN(SCALE);
        expect_status(&s, 0);
        said_free(&s);
        expect_output(2, as_built);

        snprintf(table, sizeof table, "table=in:%s", cli_path("table.bin"));
        FILE *f = fopen(table + strlen("table=in:"), "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(other, sizeof other, 1, f), 1);
        fclose(f);
        snprintf(kept, sizeof kept, "calls=%s", cli_path("calls.bin"));
        s = RUN(SCALE, "--engine", k & 1 ? "timing" : "functional", "--set-symbol", "ns::factor=f32:-0.25",
                "--set-symbol", table, "--read-symbol", "calls:u32", "--read-symbol", kept, "--read-symbol",
                "table:i32:2");
        expect_status(&s, 0);
        assert_string_equal(s.out, "symbol calls: 2 u32\n       0  1 10\nsymbol table: 2 i32\n       0  -5 0\n");
        said_free(&s);
        expect_output(-0.25f, other);
        size_t bytes = 0;
        uint32_t *calls = (uint32_t *)(void *)read_whole(kept + strlen("calls="), &bytes);
        assert_int_equal(bytes, 8);
        assert_true(calls[0] == 1 && calls[1] == 10);
        free(calls);
    }
}

/* Variables live from round to round, but those that are set are set before each. */
static void test_rounds(void **state)
{
    (void)state;

    compile("gfx90a");
    struct said s = RUN(SCALE, "--repeat", "3", "--read-symbol", "calls:u32");
    expect_status(&s, 0);
    assert_string_equal(s.out, "symbol calls: 2 u32\n       0  3 30\n");
    said_free(&s);
    s = RUN(SCALE, "--repeat", "3", "--set-symbol", "calls=bytes:0500000006000000", "--read-symbol", "calls:u32");
    expect_status(&s, 0);
    assert_string_equal(s.out, "symbol calls: 2 u32\n       0  6 16\n");
    said_free(&s);
    s = RUN(SCALE, "--json", "-", "--read-symbol", "calls:u32:1");
    expect_status(&s, 0);
    assert_null(strstr(s.out, "symbol calls: "));
    assert_non_null(strstr(s.err, "symbol calls: 1 u32\n       0  1\n"));
    said_free(&s);
}

static void write_launches(const char *path, const char *more)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fprintf(f,
            "{\"file\": \"k.co\", \"engine\": \"functional\",\n"
            " \"buffers\": {\"a\": \"out:out.bin:256\"}, \"launches\": [\n"
            "  {\"kernel\": \"through\", \"grid\": [64], \"workgroup\": [64], \"args\": [\"i32:9\"],\n"
            "   \"set_symbols\": {\"target\": \"buffer:a\"}},\n"
            "  {\"kernel\": \"through\", \"grid\": [32], \"workgroup\": [32], \"args\": [\"i32:20\"],\n"
            "   \"set_symbols\": {\"table\": \"bytes:07000000000000000000000000000000\"},\n"
            "   \"read_symbols\": [\"table:i32:1\"%s]}]}\n",
            more);
    fclose(f);
}

static void test_launch_files(void **state)
{
    char launches[300];
    size_t bytes = 0;
    (void)state;

    compile("gfx90a");
    snprintf(launches, sizeof launches, "%s", cli_path("l.json"));
    write_launches(launches, "");
    struct said s = RUN("run", launches, "--quiet");
    expect_status(&s, 0);
    assert_string_equal(s.out, "symbol table: 1 i32\n       0  7\n");
    said_free(&s);
    int32_t *got = (int32_t *)(void *)read_whole(file, &bytes);
    assert_int_equal(bytes, 256);
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[i], i < 32 ? 27 : 10);
    free(got);
    /* strangers write nowhere else */
    write_launches(launches, ", \"calls=../../calls.bin\"");
    s = RUN("run", launches, "--confine", cli_path("."));
    expect_status(&s, 2);
    assert_non_null(strstr(s.err, "launches[1].read_symbols[1]"));
    said_free(&s);
}

static void expect_error(const char *option, const char *text, const char *part)
{
    struct said s = RUN(SCALE, option, text);

    expect_status(&s, 2);
    if (!strstr(s.err, part))
        fail_msg("\"%s\" does not say \"%s\"", s.err, part);
    said_free(&s);
}

static void test_errors(void **state)
{
    char same[340];
    (void)state;

    compile("gfx90a");
    expect_error("--set-symbol", "tabel=u32:1", "did you mean table?");
    expect_error("--set-symbol", "ns::factor=f64:1", "has 4 bytes, 8 are given");
    expect_error("--set-symbol", "scale=u32:1", "'scale' is a function; expected a variable");
    expect_error("--read-symbol", "scale.kd", "is a kernel descriptor; expected a variable");
    expect_error("--read-symbol", "calls:u64:2", "has 8 bytes, less than 2 u64");
    snprintf(same, sizeof same, "calls=%s", file);
    expect_error("--read-symbol", same, "out.bin");
    snprintf(same, sizeof same, "calls=in:%s.none", file);
    expect_error("--set-symbol", same, "No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_launch_files),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
