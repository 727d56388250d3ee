/* The committed samples are what their sources say: code objects rebuild byte for byte with the compiler they were
 * built with, inputs are made again by gen_inputs.c, and each code object has the instructions its name promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

#define SAMPLES "traces/samples"
#define TARGETS 3

enum { PATH_BYTES = 4096 + 512 };

static const char *const target_name[TARGETS] = {"gfx803", "gfx90a", "gfx1201"};

static void in_dir(char *path, const char *name)
{
    int n = snprintf(path, PATH_BYTES, "%s/%s", program_folder(), name);
    assert_in_range(n, 1, PATH_BYTES - 1);
}

/* Runs a tool and returns its output, to be freed; null when it cannot be started. Any other failure fails the test. */
static char *tool_output(const char *const argv[])
{
    char log[PATH_BYTES];
    size_t bytes;
    in_dir(log, "log");
    int status = spawn_tool(argv, log);
    if (status == SPAWN_FAILED)
        return NULL;
    char *text = read_whole(log, &bytes);
    if (status != 0) {
        print_error("%s: status %d\n%s", argv[0], status, text ? text : "");
        free(text);
        fail();
    }
    return text;
}

static void same_file(const char *a, const char *b)
{
    size_t a_bytes, b_bytes;
    char *x = read_whole(a, &a_bytes), *y = read_whole(b, &b_bytes);
    if (!x || !y || a_bytes != b_bytes || memcmp(x, y, a_bytes) != 0) {
        print_error("%s and %s are not the same bytes\n", a, b);
        fail();
    }
    free(x);
    free(y);
}

static void test_code_objects_rebuild(void **state)
{
    (void)state;
    size_t bytes;
    NEED_CLANG();
    char *version = tool_output((const char *[]){"clang-19", "--version", NULL});
    assert_non_null(version);
    char *made_with = read_whole(SAMPLES "/TOOLCHAIN", &bytes);
    assert_non_null(made_with);
    /* The file is the first line of --version. */
    bool same = strncmp(version, made_with, bytes) == 0;
    if (!same)
        print_message("skipped: the samples were built with %s", made_with);
    free(version);
    free(made_with);
    if (!same)
        skip();

    char out[PATH_BYTES + 16], list[PATH_BYTES], name[PATH_BYTES], committed[PATH_BYTES];
    snprintf(out, sizeof out, "SAMPLES_OUT=%s", program_folder());
    /* MAKEFLAGS would hand down the job server and the variables of the make that runs the tests. */
    free(tool_output(
        (const char *[]){"env", "-u", "MAKEFLAGS", "make", "-s", "-f", SAMPLES "/samples.mk", out, "samples", NULL}));

    /* Every committed code object has a rule, and every rule's product is committed. */
    unsigned rebuilt = 0;
    for (unsigned t = 0; t < TARGETS; t++) {
        snprintf(committed, sizeof committed, SAMPLES "/%s", target_name[t]);
        in_dir(list, target_name[t]);
        char *here = tool_output((const char *[]){"find", committed, "-name", "*.co", "-printf", "%f\n", NULL});
        char *there = tool_output((const char *[]){"find", list, "-name", "*.co", "-printf", "%f\n", NULL});
        assert_non_null(here);
        assert_non_null(there);
        assert_int_equal(strlen(here), strlen(there));
        char *save;
        for (char *f = strtok_r(here, "\n", &save); f; f = strtok_r(NULL, "\n", &save), rebuilt++) {
            snprintf(committed, sizeof committed, SAMPLES "/%s/%s", target_name[t], f);
            snprintf(name, sizeof name, "%s/%s/%s", program_folder(), target_name[t], f);
            same_file(committed, name);
        }
        free(here);
        free(there);
    }
    assert_true(rebuilt > 0);
}

static void test_inputs_are_made_again(void **state)
{
    (void)state;
    static const char *const files[] = {"f32_a.bin", "f32_b.bin", "u32.bin", "bytes.bin", "f16_a.bin", "f16_b.bin"};
    char tool[PATH_BYTES], made[PATH_BYTES], committed[PATH_BYTES];
    in_dir(tool, "gen_inputs");
    char *text = tool_output((const char *[]){"cc", "-O1", "-o", tool, "tests/system/gen_inputs.c", NULL});
    if (!text) {
        print_message("skipped: no cc\n");
        skip();
    }
    free(text);
    free(tool_output((const char *[]){tool, program_folder(), NULL}));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        in_dir(made, files[i]);
        snprintf(committed, sizeof committed, SAMPLES "/data/%s", files[i]);
        same_file(committed, made);
    }
}

/* What the disassembly of an -O2 code object must contain, on each target; null where there is no such build. */
static const struct promise {
    const char *code;
    const char *words[TARGETS];
} promises[] = {
    {"vecadd", {"flat_load_dword", "global_load_dword", "global_load_b32"}},
    {"vecadd", {"v_add_f32", "v_add_f32", "v_add_f32"}},
    {"saxpy", {"v_fma_f32", "v_fma", "v_fma"}},
    {"reduce_lds", {"ds_read", "ds_read", "ds_load"}},
    {"reduce_lds", {"s_barrier", "s_barrier", "s_barrier_wait"}},
    {"reduce_dpp", {"row_shr:8", "row_shr:8", "row_shr:8"}},
    {"reduce_dpp", {"row_bcast:31", "row_bcast:31", "v_permlanex16_b32"}},
    {"reduce_dpp.w64", {NULL, NULL, ", 63"}},
    {"matmul", {"ds_read2_b32", "ds_read2_b32", "ds_load_2addr_b32"}},
    {"matmul", {"v_fma_f32", "v_fmac_f32", "v_fmac_f32"}},
    {"matmul.w64", {NULL, NULL, "ds_load_2addr_b32"}},
    {"transpose", {"ds_write", "ds_write", "ds_store"}},
    {"histogram", {"ds_add_u32", "ds_add_u32", "ds_add_u32"}},
    {"histogram", {"flat_atomic_umax", "global_atomic_umax", "global_atomic_max_u32"}},
    {"histogram", {"buffer_wbinvl1_vol", "buffer_wbinvl1_vol", "TH_ATOMIC_RETURN"}},
    {"scan", {"ds_write_b32", "ds_write_b32", "ds_store_b32"}},
    {"stencil", {"v_add_f32", "v_add_f32", "v_dual_add_f32"}},
    {"softmax", {"v_exp_f32", "v_exp_f32", "v_exp_f32"}},
    {"softmax", {"v_div_fixup_f32", "v_div_fixup_f32", "v_div_fixup_f32"}},
    {"softmax", {"ds_swizzle_b32", "ds_swizzle_b32", "ds_swizzle_b32"}},
    {"softmax", {"s_setreg_imm32_b32", "v_div_fmas_f32", "v_div_fmas_f32"}},
    {"mandelbrot", {"s_cbranch_execz", "s_cbranch_execz", "v_dual_mul_f32"}},
    {"call", {"s_swappc_b64", "s_swappc_b64", "s_swappc_b64"}},
    {"call", {"buffer_store_dword", "buffer_store_dword", "scratch_store"}},
    {"flatptr", {"flat_load_dword", "flat_load_dword", "flat_load_b32"}},
    {"flatptr", {"s_swappc_b64", "src_private_base", "src_private_base"}},
    {"addpk_sdwa", {"dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE", NULL, NULL}},
    {"addpk_shift", {"v_lshrrev_b32", NULL, NULL}},
};

static void test_promised_instructions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        for (unsigned t = 0; t < TARGETS; t++) {
            char path[PATH_BYTES];
            const char *word = promises[i].words[t];
            if (!word)
                continue;
            snprintf(path, sizeof path, SAMPLES "/%s/%s.co", target_name[t], promises[i].code);
            char *text = tool_output((const char *[]){"llvm-objdump-19", "-d", path, NULL});
            if (!text) {
                print_message("skipped: no llvm-objdump-19\n");
                skip();
            }
            if (!strstr(text, word)) {
                print_error("%s has no %s\n", path, word);
                fail();
            }
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_objects_rebuild),
        cmocka_unit_test(test_inputs_are_made_again),
        cmocka_unit_test(test_promised_instructions),
    };
    return cmocka_run_group_tests_name("sample build", tests, NULL, NULL);
}
