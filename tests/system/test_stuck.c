/* What a run says of a kernel that does not end well: source lines of faults and findings, and who is stuck where. The
 * kernels are assembled by clang-19, with the lines that `.loc` gives them. */
#define _GNU_SOURCE
#include <cJSON.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* Head and tail of an assembly file with one kernel `k` for gfx1201; s[0:1] is the address of the arguments. */
#define HEAD "\t.file 1 \"/src\" \"k.cl\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\t.loc 1 10 0\n"
#define TAIL                                                                                                           \
    "\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n"                            \
    "\t.amdhsa_next_free_vgpr 8\n\t.amdhsa_next_free_sgpr 16\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"             \
    "\t.amdhsa_kernarg_size 8\n\t.amdhsa_wavefront_size32 1\n\t.end_amdhsa_kernel\n"

/* The code object of `body`; the path is cli_path("k.co"). */
static void assemble(const char *body)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    write_file(cli_path("k.s"), text, strlen(text));
    const char *const argv[] = {
        "clang-19",       "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1201", "-nogpulib", cli_path("k.s"), "-o",
        cli_path("k.co"), NULL};
    if (spawn_tool(argv, cli_path("log"), 60) != 0)
        fail_msg("clang-19 failed, see %s", cli_path("log"));
}

#define KERNEL(...) RUN("run", cli_path("k.co"), "--workgroup", "128", "--progress", "never", __VA_ARGS__)

static cJSON *report_of(const struct said *s)
{
    cJSON *report = cJSON_Parse(s->out);

    if (!report) {
        said_show(s);
        fail_msg("no JSON");
    }
    return report;
}

static const char *text_at(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* A load from an address that nothing is at, on line 12. */
static const char wild[] = "\tv_mov_b32 v0, 0\n\tv_mov_b32 v1, 0\n\t.loc 1 12 0\n\tglobal_load_b32 v2, v[0:1], off\n"
                           "\t.loc 1 13 0\n\ts_wait_loadcnt 0\n";

static void a_fault_names_its_line(void **state)
{
    static const char *const engines[] = {"timing", "functional"};

    (void)state;
    NEED_CLANG();
    assemble(wild);
    for (unsigned k = 0; k < 2; k++) {
        struct said s = KERNEL("--grid", "128", "--engine", engines[k]);
        expect_status(&s, 1);
        expect_in(&s, s.out, "  source        /src/k.cl:12\n");
        expect_in(&s, s.err, ", /src/k.cl:12) in 'global_load_b32 v2, v[0:1], off'");
        said_free(&s);
        s = KERNEL("--grid", "128", "--engine", engines[k], "--json", "-");
        cJSON *report = report_of(&s);
        assert_string_equal(text_at(cJSON_GetObjectItemCaseSensitive(report, "fault"), "source"), "/src/k.cl:12");
        cJSON_Delete(report);
        said_free(&s);
    }
}

/* v3 is read although nobody wrote it. */
static void a_finding_names_its_line(void **state)
{
    (void)state;
    NEED_CLANG();
    assemble("\t.loc 1 20 0\n\tv_add_f32 v2, v3, v3\n\t.loc 1 21 0\n\ts_nop 0\n");
    struct said s = KERNEL("--grid", "128", "--check");
    expect_status(&s, 1);
    expect_in(&s, s.out, "    source        /src/k.cl:20\n");
    said_free(&s);
    s = KERNEL("--grid", "128", "--check", "--json", "-");
    cJSON *report = report_of(&s);
    const cJSON *check = cJSON_GetObjectItemCaseSensitive(report, "check");
    assert_string_equal(text_at(cJSON_GetArrayItem(check, 0), "source"), "/src/k.cl:20");
    cJSON_Delete(report);
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_names_its_line),
        cmocka_unit_test(a_finding_names_its_line),
    };
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
