/* gcnsim compare as users meet it. What assembles needs clang-19 and is skipped where that is absent; code objects and
 * messages need nothing.
 */
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/support/json.h"

#include "tests/support/toolchain.h"
#include "tests/system/compare_run.h"

#define SEQUENCES "traces/compare/gfx803/"

static const struct json *entry(const struct json *json, int k)
{
    const struct json *e = json_at(json_get(json, "entries"), k);
    assert_true(json_is_object(e));
    return e;
}

static double number(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);
    if (!json_is_number(item)) {
        print_error("%s is not a number\n", key);
        fail();
    }
    return json_number(item);
}

static void expect_number(const struct json *object, const char *key, double value)
{
    if (fabs(number(object, key) - value) > 0.001) {
        print_error("%s is %g; expected %g\n", key, number(object, key), value);
        fail();
    }
}

static double count(const struct json *e, const char *list, const char *name, const char *when)
{
    const struct json *c = json_get(json_get(e, list), name);
    return number(c, when);
}

/* ---- what is measured ---- */

static void packed_addition(const char *arch)
{
    static const struct {
        double bytes, instructions, vgprs, cycles;
    } expected[] = {{8, 2, 6, 8}, {12, 2, 3, 8}, {24, 6, 5, 24}, {32, 8, 5, 32}};
    const struct json *json = parse(RUN("compare", "--arch", arch, "--json", SEQUENCES "add_f16.s",
                                        SEQUENCES "addpk_sdwa.s", SEQUENCES "addpk_shift.s", SEQUENCES "addpk_mask.s"));
    expect_number(json, "cus", 1);
    expect_number(json, "simds", 4);
    for (int k = 0; k < 4; k++) {
        const struct json *e = entry(json, k), *point;
        expect_number(e, "bytes", expected[k].bytes);
        expect_number(e, "instructions", expected[k].instructions);
        expect_number(e, "vgprs", expected[k].vgprs);
        expect_number(e, "waves_per_simd", 10);
        expect_number(e, "icache_lines", 1);
        expect_number(e, "latency_cycles", expected[k].cycles);
        /* as printed: windows hold whole iterations, and begin alike whatever their length */
        assert_true(fabs(number(e, "throughput_cycles") - expected[k].cycles) < 0.005);
        assert_true(fabs(count(e, "issues", "valu", "full") - expected[k].instructions) < 0.001);
        assert_true(fabs(count(e, "issues", "salu", "full")) < 0.001);
        int points = 0;
        size_t index;
        json_each_element (json_get(e, "by_waves"), index, point) {
            expect_number(point, "waves_per_simd", ++points);
            assert_true(fabs(number(point, "cycles") / expected[k].cycles - 1) < 0.001);
        }
        assert_int_equal(points, 10);
    }
    json_free(json);
}

/* As published for gfx8: SDWA adds at the rate of plain additions, shift and or at a third to a quarter. */
static void test_packed_addition(void **state)
{
    (void)state;
    NEED_CLANG();
    packed_addition("gfx803-rx480");
    packed_addition("gfx803-r9nano");
}

/* The wave-cycles by reason are all of them: for one wave as many as the cycles, for four on a SIMD four times. */
static void test_stalls_add_up(void **state)
{
    (void)state;
    NEED_CLANG();
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--json", "--max-waves", "4",
                                        SEQUENCES "madpk_sdwa.s", SEQUENCES "swap16_align.s"));
    for (int k = 0; k < 2; k++) {
        const struct json *e = entry(json, k), *stall;
        const char *key;
        double one = 0, full = 0;
        json_each_member (json_get(e, "stall_cycles"), key, stall) {
            one += number(stall, "one_wave");
            full += number(stall, "full");
        }
        expect_number(e, "waves_per_simd", 4);
        assert_true(fabs(one - number(e, "latency_cycles")) < 0.01);
        assert_true(fabs(full - 4 * number(e, "throughput_cycles")) < 0.01);
    }
    json_free(json);
}

/* What the loop gives: a buffer, a label that divides set-up from sequence, waits after loads. */
static void test_memory_sequence(void **state)
{
    (void)state;
    NEED_CLANG();
    const char *path = source("load.s", "\tv_mov_b32 v2, s1\n"
                                        "\tv_add_u32 v1, vcc, s0, v0\n"
                                        "\tv_addc_u32 v2, vcc, 0, v2, vcc\n"
                                        "loop:\n"
                                        "\tflat_load_dword v3, v[1:2]\n"
                                        "\tds_read_b32 v4, v0\n"
                                        "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"
                                        "\tv_add_f32 v3, v3, v4\n");
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--json", "--max-waves", "2", path));
    const struct json *e = entry(json, 0);
    expect_number(e, "instructions", 4);
    assert_true(fabs(count(e, "issues", "flat", "one_wave") - 1) < 0.001);
    assert_true(fabs(count(e, "issues", "lds", "one_wave") - 1) < 0.001);
    assert_true(fabs(count(e, "issues", "valu", "one_wave") - 1) < 0.001);
    assert_true(number(e, "latency_cycles") > 64); /* at least the way to LDS and back */
    json_free(json);
}

static void test_branches(void **state)
{
    (void)state;
    NEED_CLANG();
    const char *path = source("branch.s", "\ts_cmp_eq_u32 s3, 0\n"
                                          "\ts_cbranch_scc1 over\n"
                                          "\tv_mov_b32 v1, v0\n"
                                          "over:\n"
                                          "\tv_mov_b32 v2, v0\n");
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--json", "--max-waves", "1", path));
    assert_true(fabs(count(entry(json, 0), "issues", "branch", "one_wave") - 1) < 0.001);
    assert_true(fabs(count(entry(json, 0), "issues", "valu", "one_wave") - 1) < 0.001);
    json_free(json);
}

/* A chain of results without s_delay_alu is reported on RDNA3 and later; one with it, instructions that do not depend
 * on one another, slow ones among them, and chips whose waves wait themselves are not. */
static void test_note_of_delays(void **state)
{
    (void)state;
    NEED_CLANG();
    static const char note[] = "has no s_delay_alu", json[] = "\"undelayed\": true";
    static const struct {
        const char *arch, *name, *text;
        bool told;
    } cases[] = {
        {"gfx1100", "chain.s", "\tv_add_f32 v1, v1, v2\n\tv_add_f32 v1, v1, v2\n", true},
        {"gfx1201", "chain.s", "\tv_add_f32 v1, v1, v2\n\tv_add_f32 v1, v1, v2\n", true},
        /* those who know of it left it out where they did */
        {"gfx1100", "delay.s",
         "\tv_mov_b32 v10, v11\n\ts_delay_alu instid0(VALU_DEP_1)\n\tv_mov_b32 v12, v10\n\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n"
         "\tv_add_f32 v1, v1, v2\n",
         false},
        {"gfx1100", "free.s", "\tv_add_f32 v1, v3, v2\n\tv_mul_f64 v[4:5], v[6:7], v[8:9]\n", false},
        {"gfx1100", "sums.s",
         "\tv_fmac_f32 v1, v8, v9\n\tv_fmac_f32 v2, v8, v9\n\tv_fmac_f32 v3, v8, v9\n\tv_fmac_f32 v4, v8, v9\n"
         "\tv_fmac_f32 v5, v8, v9\n\tv_fmac_f32 v6, v8, v9\n",
         false},
        {"gfx1030", "slow.s", "\tv_mul_f64 v[4:5], v[4:5], v[8:9]\n\tv_mul_f64 v[4:5], v[4:5], v[8:9]\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *path = source(cases[k].name, cases[k].text);
        struct said s = RUN("compare", "--arch", cases[k].arch, "--max-waves", "4", path);
        expect_status(&s, 0);
        assert_int_equal(strstr(s.out, note) != NULL, cases[k].told);
        said_free(&s);
        s = RUN("compare", "--arch", cases[k].arch, "--max-waves", "4", "--json", path);
        expect_status(&s, 0);
        assert_int_equal(strstr(s.out, json) != NULL, cases[k].told);
        said_free(&s);
    }
}

static void test_other_targets(void **state)
{
    (void)state;
    NEED_CLANG();
    const char *add = source("add.s", "\tv_add_f32 v1, v2, v3\n\tv_mul_f32 v4, v5, v6\n");
    const char *acc = source("acc.s", "\tv_mfma_f32_4x4x1f32 a[0:3], v1, v2, a[0:3]\n\ts_nop 4\n");
    const char *load = source("global.s", "\tglobal_load_b32 v1, v0, s[0:1]\n\tglobal_store_b32 v0, v1, s[0:1]\n");
    static const char *const waves[] = {"32", "64"};
    for (int k = 0; k < 2; k++) {
        const struct json *json =
            parse(RUN("compare", "--arch", "gfx1201", "--wave", waves[k], "--max-waves", "2", "--json", add, load));
        expect_number(entry(json, 0), "wave_size", k ? 64 : 32);
        assert_true(fabs(count(entry(json, 0), "issues", "valu", "full") - 2) < 0.001);
        assert_true(fabs(count(entry(json, 1), "issues", "vmem", "full") - 2) < 0.001);
        json_free(json);
    }
    const struct json *json = parse(RUN("compare", "--arch", "gfx90a", "--max-waves", "2", "--json", add, acc));
    expect_number(entry(json, 1), "agprs", 4);
    assert_true(fabs(count(entry(json, 1), "issues", "mfma", "full") - 1) < 0.001);
    json_free(json);
}

static void test_kernels(void **state)
{
    (void)state;
    NEED_CLANG();
    const struct json *json = parse(
        RUN("compare", "--arch", "gfx803", "--json", "traces/samples/addpk_sdwa.s", "traces/samples/addpk_shift.s"));
    for (int k = 0; k < 2; k++) {
        const struct json *name = json_get(entry(json, k), "kernel");
        assert_string_equal(json_text(name), k ? "addpk_shift" : "addpk_sdwa");
        assert_true(count(entry(json, k), "issues", "valu", "full") == (k ? 23 : 15));
    }
    json_free(json);
}

static void test_code_object(void **state)
{
    (void)state;
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--json", "--max-waves", "3",
                                        "traces/samples/gfx803/addpk_sdwa.co", "traces/samples/gfx803/addpk_shift.co"));
    assert_true(number(entry(json, 0), "throughput_cycles") > 0);
    assert_true(count(entry(json, 1), "issues", "valu", "full") - count(entry(json, 0), "issues", "valu", "full") == 8);
    json_free(json);
}

/* ---- the text ---- */

static void test_text(void **state)
{
    (void)state;
    NEED_CLANG();
    struct said s = RUN("compare", "--arch", "gfx803", SEQUENCES "add_f16.s", SEQUENCES "addpk_sdwa.s",
                        SEQUENCES "addpk_shift.s", SEQUENCES "addpk_mask.s", SEQUENCES "swap_mov.s");
    struct said again = RUN("compare", "--arch", "gfx803", SEQUENCES "add_f16.s", SEQUENCES "addpk_sdwa.s",
                            SEQUENCES "addpk_shift.s", SEQUENCES "addpk_mask.s", SEQUENCES "swap_mov.s");
    expect_status(&s, 0);
    assert_int_equal(s.err_bytes, 0);
    assert_string_equal(s.out, again.out);
    expect_in(&s, s.out, "throughput  add_f16, addpk_sdwa win with ");
    expect_in(&s, s.out, "addpk_shift takes 3.00 times as many");
    expect_in(&s, s.out, "addpk_mask takes 4.00 times as many");
    expect_in(&s, s.out, "swap_mov takes 1.50 times as many");
    expect_in(&s, s.out, "          1.00x          1.00x          0.33x          0.25x\n");
    for (char *line = strtok(s.out, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    said_free(&s);
    said_free(&again);
}

static void test_wrapped(void **state)
{
    (void)state;
    NEED_CLANG();
    struct said s = RUN("compare", "--arch", "gfx803", "--wrapped", SEQUENCES "addpk_mask.s");
    expect_status(&s, 0);
    expect_in(&s, s.out, "gcnsim_compare_1:");
    expect_in(&s, s.out, "; v_add_f16_e32 v2, v0, v1");
    expect_in(&s, s.out, "s_sub_u32 s3, s3, 1"); /* s4 is the sequence's */
    /* a wrapped text is a kernel that compares like its sequence */
    const char *path = source("wrapped.s", s.out);
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--json", "--max-waves", "1", path));
    assert_true(fabs(number(entry(json, 0), "throughput_cycles") / 32 - 1) < 0.001);
    json_free(json);
    said_free(&s);
}

/* ---- bad input ---- */

static void test_usage(void **state)
{
    (void)state;
    expect_refused(RUN("compare", "a.s"), WORDS("--arch is missing", "Try 'gcnsim compare"));
    expect_refused(RUN("compare", "--arch", "gfx803"), WORDS("no files given"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--wave", "16", "a.s"), WORDS("--wave: '16'; expected 32 or 64"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--max-waves", "0", "a.s"), WORDS("--max-waves: '0'; expected"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--set", "x", "a.s"), WORDS("--set: 'x'; expected PATH=VALUE"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--set", "cu.nothing=1", SEQUENCES "add_f16.s"),
                   WORDS("gcnsim: --set: cu.nothing: unknown path"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--frob"), WORDS("no option --frob"));
    expect_refused(RUN("compare", "--arch", "gfx999", "a.s"), WORDS("gfx999"));
    expect_refused(RUN("compare", "--arch", "gfx803", "/nonexistent/a.s"),
                   WORDS("/nonexistent/a.s", "No such file or directory"));
    expect_refused(RUN("compare", "--arch", "gfx803", "traces/samples/gfx1201/vecadd.co"), WORDS("gfx1201"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--kernel", "nobody", "traces/samples/gfx803/vecadd.co"),
                   WORDS("vecadd", "nobody"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--arg", "buf:64", "traces/samples/gfx803/vecadd.co"),
                   WORDS("vecadd", "takes 4 arguments, 1 given"));
    const char *torn = source("torn.co", "\177ELF and nothing more");
    expect_refused(RUN("compare", "--arch", "gfx803", torn), WORDS("torn.co"));
}

static void test_no_assembler(void **state)
{
    (void)state;
    expect_refused(RUN("compare", "--arch", "gfx803", "--clang", "/nonexistent/clang-19", SEQUENCES "add_f16.s"),
                   WORDS("/nonexistent/clang-19: No such file or directory", "apt install clang-19"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--clang", "false", SEQUENCES "add_f16.s"),
                   WORDS("add_f16.s: not assembled"));
}

static void test_bad_sequences(void **state)
{
    (void)state;
    NEED_CLANG();
    /* clang 19 knows no gfx950, and says so without a line of the source */
    expect_refused(RUN("compare", "--arch", "gfx950", source("plain.s", "\tv_mov_b32 v0, v1\n")),
                   WORDS("plain.s: not assembled: clang-19: error: ", "gfx950", "(--clang names another assembler)"));
    expect_refused(RUN("compare", "--arch", "gfx803", source("six.s", "\tx\n\tx\n\tx\n\tx\n\tx\n\tx\n")),
                   WORDS("six.s:5:2: error:", "six.s: 1 more error\n"));
    static const struct {
        const char *name, *text, *words[3];
    } cases[] = {
        {"syntax.s", "\tv_mov_b32 v0, v1\n\tv_frobnicate v0\n", {"syntax.s:2:", "invalid instruction"}},
        {"other.s", "\n\tv_pk_add_f16 v0, v1, v2\n", {"other.s:2:", "not supported on this GPU"}},
        {"vgpr.s", "\tv_mov_b32 v300, v1\n", {"vgpr.s:1:", "register index is out of range"}},
        {"empty.s", "; nothing\n", {"empty.s: no instructions\n"}},
        {"none.s", "loop:\n", {"none.s: no instructions\n"}},
        {"label.s", "\tv_mov_b32 v0, v1\nloop:\n", {"label.s", "no instructions behind the label 'loop'"}},
        {"end.s", "\tv_mov_b32 v0, v1\n\ts_endpgm\n", {"end.s", "'s_endpgm' at byte 4 ends the wave"}},
        {"out.s", "\ts_branch 100\n", {"out.s", "at byte 0 leaves the 4 bytes"}},
        {"back.s", "first:\n\tv_mov_b32 v0, v1\nloop:\n\ts_branch first\n", {"back.s", "leaves the 4 bytes"}},
        {"undefined.s", "\ts_branch elsewhere\n", {"undefined.s:1:", "elsewhere"}},
        {"word.s", "\tv_mov_b32 v0, v1\n\t.long 0xffffffff\n", {"word.s", "byte 4 is no instruction of gfx803"}},
        {"data.s",
         "\tv_mov_b32 v0, v1\n\t.data\ntable:\n\t.long 1\n",
         {"data.s", "'table' is data; expected instructions alone"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_refused(RUN("compare", "--arch", "gfx803", source(cases[k].name, cases[k].text)), cases[k].words);
    char all[4096] = "";
    for (int r = 3; r < 102; r++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "\ts_mov_b32 s%d, 0\n", r);
    expect_refused(RUN("compare", "--arch", "gfx803", source("sgprs.s", all)),
                   WORDS("sgprs.s", "all SGPRs from s3 to s101 are used"));
    expect_refused(RUN("compare", "--arch", "gfx803", "--wave", "32", SEQUENCES "add_f16.s"), WORDS("gfx803"));
}

/* A pipe is read once, by the tool itself: the assembler would find it empty. */
static void test_pipe(void **state)
{
    (void)state;
    NEED_CLANG();
    const char *fifo = cli_path("fifo.s");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    pid_t writer = fork();
    if (writer == 0) {
        FILE *f = fopen(fifo, "w"); /* once the tool opens the other end */
        _exit(!f || fputs("\tv_mov_b32 v0, v1\n", f) < 0 || fclose(f));
    }
    assert_true(writer > 0);
    const struct json *json = parse(RUN("compare", "--arch", "gfx803", "--max-waves", "1", "--json", fifo));
    expect_number(entry(json, 0), "latency_cycles", 4);
    json_free(json);
    int left = -1;
    assert_int_equal(waitpid(writer, &left, 0), writer);
    assert_int_equal(left, 0);
}

/* What does not end is ended, and what faults is said with its name. */
static void test_bad_runs(void **state)
{
    (void)state;
    NEED_CLANG();
    static const struct {
        const char *name, *text, *option, *words[3];
    } cases[] = {
        {"forever.s", "again:\n\ts_branch again\n", "--max-instructions", {"forever: ", "instructions"}},
        {"forever.s", "again:\n\ts_branch again\n", "--max-cycles", {"forever: ", "cycles"}},
        {"wild.s", "\tflat_load_dword v3, v[1:2]\n", "--max-cycles", {"wild: memory fault", "flat_load_dword"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct said s =
            RUN("compare", "--arch", "gfx803", cases[k].option, "20000", source(cases[k].name, cases[k].text));
        expect_status(&s, 1);
        assert_int_equal(s.out_bytes, 0);
        for (size_t w = 0; cases[k].words[w]; w++)
            expect_in(&s, s.err, cases[k].words[w]);
        said_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_addition),
        cmocka_unit_test(test_stalls_add_up),
        cmocka_unit_test(test_memory_sequence),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_note_of_delays),
        cmocka_unit_test(test_other_targets),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_code_object),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_no_assembler),
        cmocka_unit_test(test_bad_sequences),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_bad_runs),
    };
    return cmocka_run_group_tests_name("compare", tests, cli_setup, cli_teardown);
}
