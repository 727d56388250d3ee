/* gcnsim compare on what other tools write: standard input, llvm-mca's regions, whole kernels of a compiler. */
#include <math.h>

#include "tests/support/json.h"

#include "tests/support/toolchain.h"
#include "tests/system/compare_run.h"

static const char *const targets[] = {"gfx803", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"};
enum { TARGETS = sizeof targets / sizeof *targets };

/* Runs with a text as standard input. */
static struct said run_stdin(const char *text, const char *const args[])
{
    cli_stdin = source("input", text);
    struct said s = cli_run(args);
    cli_stdin = "/dev/null";
    return s;
}
#define STDIN(TEXT, ...) run_stdin(TEXT, (const char *const[]){__VA_ARGS__, NULL})

static const char *label(const struct json *json, size_t k)
{
    return json_text(json_get(json_at(json_get(json, "entries"), k), "label"));
}

static double number(const struct json *json, size_t k, const char *key)
{
    return json_number(json_get(json_at(json_get(json, "entries"), k), key));
}

static size_t entries(const struct json *json)
{
    return json_elements(json_get(json, "entries"));
}

static void test_stdin(void **state)
{
    (void)state;
    NEED_CLANG();
    const struct json *json = parse(STDIN("\tv_mov_b32 v0, v1\n\tv_mov_b32 v2, v1\n", "compare", "--arch", "gfx803",
                                          "--json", "--max-waves", "1", "-", "traces/compare/gfx803/swap_mov.s"));
    assert_int_equal(entries(json), 2);
    assert_string_equal(label(json, 0), "stdin");
    assert_true(fabs(number(json, 0, "latency_cycles") - 8) < 0.001);
    assert_string_equal(label(json, 1), "swap_mov");
    json_free(json);
    expect_refused(STDIN("\tv_mov_b32 v0, v1\n\n\tv_frobnicate v0\n", "compare", "--arch", "gfx803", "-"),
                   WORDS("<stdin>:3:", "invalid instruction"));
    expect_refused(STDIN("", "compare", "--arch", "gfx803", "-"), WORDS("<stdin>: no instructions"));
}

/* What is made in the tool itself is what clang and lld make of the text, to the cycle. */
static void test_loop_is_the_text(void **state)
{
    (void)state;
    NEED_CLANG();
    static const char sequence[] = "\ts_mov_b32 s9, 0\nloop:\n\tv_mul_f32 v7, v6, v5\n\tds_read_b32 v4, v0\n"
                                   "\ts_load_dword s7, s[0:1], 0x10\n\tv_exp_f32 v9, v7\n\ts_add_u32 s9, s9, s2\n";
    for (size_t k = 0; k < TARGETS; k++) {
        const char *path = source("same.s", sequence);
        struct said direct = RUN("compare", "--arch", targets[k], "--max-waves", "2", "--json", path);
        struct said text = RUN("compare", "--arch", targets[k], "--wrapped", path);
        expect_status(&direct, 0);
        expect_status(&text, 0);
        source("same.s", text.out);
        struct said assembled = RUN("compare", "--arch", targets[k], "--max-waves", "2", "--json", path);
        expect_status(&assembled, 0);
        assert_string_equal(direct.out, assembled.out);
        said_free(&direct);
        said_free(&text);
        said_free(&assembled);
    }
}

/* ---- regions ---- */

static void test_regions(void **state)
{
    (void)state;
    NEED_CLANG();
    static const char text[] = "\tv_mov_b32 v0, v1\n"
                               "# LLVM-MCA-BEGIN outer\n"
                               "\tv_mov_b32 v0, v1 // LLVM-MCA-BEGIN\n"
                               "\tv_mov_b32 v2, v1\n"
                               "\tv_mov_b32 v3, v1 /* LLVM-MCA-BEGIN inner */\n"
                               "\tv_mov_b32 v4, v1 ; LLVM-MCA-END outer\n"
                               ";; LLVM-MCA-END\n"
                               "\tv_mov_b32 v5, v1\n"
                               "\t.ident \"; LLVM-MCA-END inner\"\n"
                               "\tv_mov_b32 v6, v1 ; LLVM-MCA-ENDING inner\n"
                               "; LLVM-MCA-END inner\n"
                               "\tv_mov_b32 v7, v1\n"
                               "; LLVM-MCA-BEGIN last\n"
                               "\tv_mov_b32 v8, v1\n";
    static const struct {
        const char *label;
        int instructions;
    } expected[] = {{"outer", 4}, {"line 3", 3}, {"inner", 3}, {"last", 1}};
    const struct json *json = parse(STDIN(text, "compare", "--arch", "gfx803", "--json", "--max-waves", "1", "-"));
    assert_int_equal(entries(json), 4);
    for (size_t k = 0; k < 4; k++) {
        assert_string_equal(label(json, k), expected[k].label);
        assert_int_equal((int)number(json, k, "instructions"), expected[k].instructions);
        assert_true(fabs(number(json, k, "latency_cycles") - 4 * expected[k].instructions) < 0.001);
    }
    json_free(json);
    /* an END alone ends a region that began with the text */
    json = parse(STDIN("\tv_mov_b32 v0, v1\n; LLVM-MCA-END\n\tv_mov_b32 v0, v1\n", "compare", "--arch", "gfx803",
                       "--json", "--max-waves", "1", "-"));
    assert_int_equal(entries(json), 1);
    assert_int_equal((int)number(json, 0, "instructions"), 1);
    json_free(json);
}

static void test_bad_regions(void **state)
{
    (void)state;
    NEED_CLANG();
    static const struct {
        const char *text, *words[3];
    } cases[] = {
        {"; LLVM-MCA-BEGIN\n; LLVM-MCA-BEGIN\n", {"<stdin>:2: a region without a name is open already, since line 1"}},
        {"; LLVM-MCA-BEGIN a\n\n; LLVM-MCA-BEGIN a\n", {"<stdin>:3: region 'a' is open already, since line 1"}},
        {"; LLVM-MCA-BEGIN a\n; LLVM-MCA-END b\n", {"<stdin>:2: LLVM-MCA-END b: no open region has that name"}},
        {"; LLVM-MCA-BEGIN a\n; LLVM-MCA-BEGIN b\n; LLVM-MCA-END\n", {"<stdin>:3:", "several regions are open"}},
        {"; LLVM-MCA-BEGIN a\n; LLVM-MCA-END\n; LLVM-MCA-END\n", {"<stdin>:3:", "no region is open"}},
        {"; LLVM-MCA-BEGIN a\n; LLVM-MCA-END\n", {"<stdin>:1: region 'a': no instructions in it"}},
        {"; LLVM-MCA-BEGIN a\n\ts_endpgm\n", {"<stdin>:1: region 'a': no instructions but those that end a wave"}},
        {"; LLVM-MCA-BEGIN a\n\tv_mov_b32 v0, v1\n\tv_frobnicate v0 ; LLVM-MCA-END\n\n\tv_x v0\n",
         {"<stdin>:3:2: error: invalid instruction", "<stdin>:5:2: error"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_refused(STDIN(cases[k].text, "compare", "--arch", "gfx803", "-"), cases[k].words);
}

/* ---- a compiler's output ---- */

static const char kernel[] =
    "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "__kernel void k(__global const float *restrict x, __global float *restrict y, __local float *l, int n, int g) {\n"
    "  __asm volatile(\"; LLVM-MCA-BEGIN whole\");\n"
    "  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();\n"
    "  for (; i < n; i += g) {\n"
    "    __asm volatile(\"; LLVM-MCA-BEGIN body\");\n"
    "    float s = 2 * x[i] + y[i];\n"
    "    l[i & 63] = s;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    s += l[63 - (i & 63)];\n"
    "    if (i & 1) s = __builtin_sqrtf(s);\n"
    "    y[i] = s;\n"
    "    __asm volatile(\"; LLVM-MCA-END body\");\n"
    "  }\n"
    "}\n";

/* clang -S as it is: directives, descriptor, metadata, calls of functions that are not there, branches out of the
 * region, addresses that mean nothing. */
static void test_compiler_output(void **state)
{
    (void)state;
    NEED_CLANG();
    char command[2 * CLI_PATH + 512];
    const char *cl = source("kernel.cl", kernel);

    for (size_t k = 0; k < TARGETS; k++) {
        const char *path = cli_path("kernel.s");
        snprintf(command, sizeof command,
                 "clang-19 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=amdgcn-amd-amdhsa -mcpu=%s "
                 "-nogpulib -O2 -S %s -o %s",
                 targets[k], cl, path);
        assert_int_equal(system(command), 0);
        const struct json *json = parse(RUN("compare", "--arch", targets[k], "--json", "--max-waves", "2", path));
        assert_int_equal(entries(json), 2);
        assert_string_equal(label(json, 0), "whole");
        assert_string_equal(label(json, 1), "body");
        for (size_t n = 0; n < 2; n++) {
            const struct json *issues = json_get(json_at(json_get(json, "entries"), n), "issues"), *value;
            const char *key;
            double sum = 0;
            /* straight: each instruction once, whatever the branches would do */
            json_each_member (issues, key, value)
                sum += json_number(json_get(value, "one_wave"));
            assert_true(fabs(sum - number(json, n, "instructions")) < 0.01);
        }
        assert_true(number(json, 0, "instructions") > number(json, 1, "instructions"));
        assert_true(number(json, 1, "latency_cycles") > number(json, 1, "instructions"));
        json_free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stdin),       cmocka_unit_test(test_loop_is_the_text), cmocka_unit_test(test_regions),
        cmocka_unit_test(test_bad_regions), cmocka_unit_test(test_compiler_output),
    };
    return cmocka_run_group_tests_name("compare: regions", tests, cli_setup, cli_teardown);
}
