/* gcnsim compare of sequences that have loops of their own: the same cycles as the code has in a kernel and unrolled,
 * soon, of any profile, in every view; what is too long or does not end is said so, and interrupts are heard.
 */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/json.h"

#include "sim/api/gcnsim.h"
#include "tests/support/toolchain.h"
#include "tests/system/compare_run.h"

static const char *const targets[] = {"gfx803", "gfx90a", "gfx1030", "gfx1201"};
enum { TARGETS = sizeof targets / sizeof *targets };

/* ---- sequences ---- */

/* Instructions of an iteration of counted(): one before the loop, four in it. */
static double executed(unsigned times)
{
    return 1 + 4.0 * times;
}

static const char *counted(unsigned times)
{
    char name[32], text[256];

    snprintf(name, sizeof name, "loop%u.s", times);
    snprintf(text, sizeof text,
             "s_movk_i32 s4, 0x%x\n1: v_add_f32 v1, v1, v2\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\n"
             "s_cbranch_scc1 1b\n",
             times);
    return source(name, text);
}

/* The same loop as a kernel, where compare.h's loop has it: on a boundary of 256 bytes. */
static const char *kernel(const char *target, unsigned times)
{
    char name[32], text[1024];

    snprintf(name, sizeof name, "kernel%u.s", times);
    snprintf(text, sizeof text,
             ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\nv_mov_b32 v1, 0\nv_mov_b32 v2, 0\n"
             ".p2align 8\ns_movk_i32 s4, 0x%x\n1: v_add_f32 v1, v1, v2\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\n"
             "s_cbranch_scc1 1b\ns_endpgm\n.Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
             ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n%s.end_amdhsa_kernel\n",
             times, strcmp(target, "gfx90a") == 0 ? ".amdhsa_accum_offset 4\n" : "");
    return source(name, text);
}

static double number(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);

    assert_true(json_is_number(item));
    return json_number(item);
}

static const struct json *first(const struct json *json, const char *list)
{
    const struct json *item = json_at(json_get(json, list), 0);

    assert_true(json_is_object(item));
    return item;
}

static double latency_of(const char *target, const char *path)
{
    const struct json *json = parse(RUN("compare", "--arch", target, "--max-waves", "1", "--json", path));
    double latency = number(first(json, "entries"), "latency_cycles");

    json_free(json);
    return latency;
}

static void expect_near(const char *what, double value, double least, double most)
{
    if (value < least || value > most) {
        print_error("%s is %g; expected %g to %g\n", what, value, least, most);
        fail();
    }
}

/* ---- what is measured ---- */

/* So many iterations more cost a sequence what they cost a kernel: 64 and 256 are measured of several copies and of one
 * copy. For several copies the loops lie on other boundaries, which costs fetches. */
static void test_as_a_kernel(void **state)
{
    (void)state;
    NEED_CLANG();
    for (size_t t = 0; t < TARGETS; t++) {
        double kernels =
            latency_of(targets[t], kernel(targets[t], 1024)) - latency_of(targets[t], kernel(targets[t], 256));
        double sequences = latency_of(targets[t], counted(1024)) - latency_of(targets[t], counted(256));
        double few = latency_of(targets[t], counted(256)) - latency_of(targets[t], counted(64));

        assert_true(kernels > 768 * 4);
        expect_near("768 iterations", sequences, kernels, kernels);
        expect_near("192 iterations", few, kernels / 4 * 0.85, kernels / 4 * 1.15);
    }
}

static void dependent(char *text, size_t size, unsigned from, unsigned to)
{
    for (unsigned k = from; k < to; k++)
        snprintf(text + strlen(text), size - strlen(text), "v_fma_f64 v[2:3], v[2:3], v[4:5], v[6:7]\n");
}

/* 16 iterations of 32 instructions cost what the 512 cost, and what 16 jumps back and their fetches do: nothing where
 * results take longer, and then nor does the loop around them, which is taken off. */
static void test_as_unrolled(void **state)
{
    (void)state;
    NEED_CLANG();
    static char text[1 << 15];
    for (size_t t = 0; t < TARGETS; t++) {
        strcpy(text, "s_movk_i32 s4, 16\n1:\n");
        dependent(text, sizeof text, 0, 32);
        strcat(text, "s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 1b\n");
        const char *rolled = source("rolled.s", text);
        text[0] = 0;
        dependent(text, sizeof text, 0, 512);
        const char *unrolled = source("unrolled.s", text);
        const struct json *json =
            parse(RUN("compare", "--arch", targets[t], "--max-waves", "4", "--json", rolled, unrolled));
        const struct json *a = first(json, "entries"), *b = json_at(json_get(json, "entries"), 1);
        double latency = number(b, "latency_cycles"), throughput = number(b, "throughput_cycles");

        expect_near("latency", number(a, "latency_cycles"), latency * 0.998, latency + 16 * 80);
        expect_near("throughput", number(a, "throughput_cycles"), throughput * 0.98, throughput + 16 * 20);
        expect_near("instructions",
                    number(json_get(json_get(a, "issues"), "valu"), "full") +
                        number(json_get(json_get(a, "issues"), "salu"), "full"),
                    512 + 33 - 0.001, 512 + 33 + 0.001);
        json_free(json);
    }
}

/* Long loops, inner loops: in seconds, with all waves; of the reasons of stalls none is lost. */
static void long_loop(const char *target, const char *path, double instructions)
{
    const struct json *json = parse(RUN("compare", "--arch", target, "--json", path));
    const struct json *e = first(json, "entries"), *item;
    double sum = 0, last = 0, waves = number(e, "waves_per_simd");
    const char *key;
    size_t k, points = 0;

    json_each_member (json_get(e, "issues"), key, item)
        sum += number(item, "full");
    expect_near("instructions", sum, instructions - 0.01, instructions + 0.01);
    sum = 0;
    json_each_member (json_get(e, "stall_cycles"), key, item)
        sum += number(item, "full");
    expect_near("wave-cycles", sum / (waves * number(e, "throughput_cycles")), 0.999, 1.001);
    assert_true(waves > 4 && number(e, "throughput_cycles") < number(e, "latency_cycles"));
    json_each_element (json_get(e, "by_waves"), k, item) {
        points++;
        last = number(item, "waves_per_simd");
        if (last == 1)
            expect_near("one wave", number(item, "cycles") / number(e, "latency_cycles"), 0.98, 1.02);
    }
    assert_true(points >= 2 && last == waves);
    json_free(json);
}

static const char nested[] = "s_movk_i32 s5, 0x40\n2: s_movk_i32 s4, 0x20\n1: v_add_f32 v1, v1, v2\n"
                             "s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 1b\nv_mul_f32 v3, v1, v2\n"
                             "s_sub_u32 s5, s5, 1\ns_cmp_lg_u32 s5, 0\ns_cbranch_scc1 2b\n";

static void test_long_loops(void **state)
{
    (void)state;
    NEED_CLANG();
    for (size_t t = 0; t < TARGETS; t++) {
        long_loop(targets[t], counted(16), executed(16));
        long_loop(targets[t], counted(256), executed(256));
        long_loop(targets[t], source("nested.s", nested), 1 + 64 * (1 + 32 * 4 + 4));
    }
    long_loop("gfx90a", counted(0x7000), executed(0x7000));
}

/* ---- the views ---- */

static void test_analysis(void **state)
{
    (void)state;
    NEED_CLANG();
    static const unsigned times[] = {16, 256, 0x7000};
    for (size_t t = 0; t < TARGETS; t++)
        for (size_t k = 0; k < 3; k++) {
            const struct json *json =
                parse(RUN("compare", "--arch", targets[t], "--waves", "1", "--mca", "--json", counted(times[k])));
            const struct json *a = first(json, "analyses"), *path = json_get(a, "critical_path"), *link;
            double sum = 0, adds = 0;
            size_t n;

            json_each_element (json_get(path, "links"), n, link) {
                sum += number(link, "cycles");
                if (number(link, "instruction") == 4 && number(link, "until") == 1)
                    adds += number(link, "times");
            }
            double latency = number(a, "latency_cycles");
            if (k) /* one copy: the path is an iteration, with each jump back */
                expect_near("jumps back", adds, times[k] - 1, times[k] - 1);
            /* of several copies, each lies differently on lines of code, and the path is not through all */
            expect_near("path", sum, latency * (k ? 0.999 : 0.97), latency * (k ? 1.001 : 1.03));
            assert_true(n < 200);
            const struct json *add = json_at(json_get(a, "instructions"), 1);
            expect_near("times", number(add, "times"), times[k], times[k]);
            expect_near("VALU", number(json_get(json_get(a, "units"), "VALU"), "cycles"),
                        times[k] * number(add, "unit_cycles"), times[k] * number(add, "unit_cycles"));
            assert_true(number(a, "rthroughput_cycles") <= number(a, "throughput_cycles") * 1.01);
            json_free(json);
        }
}

/* The loop is folded, and nothing after the iterations that are asked for is shown. */
static void test_timeline(void **state)
{
    (void)state;
    NEED_CLANG();
    struct said s =
        RUN("compare", "--arch", "gfx90a", "--waves", "1", "--all-views", "--iterations", "1", counted(256));

    expect_status(&s, 0);
    expect_in(&s, s.out, "an iteration repeats some: it executes 1025\n");
    expect_in(&s, s.out, "254 iterations more, rows [0,1] to [0,4]: ");
    expect_in(&s, s.out, " 255 times branch: branch ");
    assert_null(strstr(s.out, "[1,"));
    assert_null(strstr(s.out, "[0,5"));
    said_free(&s);
}

/* A sequence of which one copy is a pass. */
static void test_one_copy(void **state)
{
    (void)state;
    NEED_CLANG();
    static char text[1 << 15];
    text[0] = 0;
    dependent(text, sizeof text, 0, 200);
    const struct json *json =
        parse(RUN("compare", "--arch", "gfx90a", "--waves", "1", "--mca", "--json", source("200.s", text)));
    const struct json *a = first(json, "analyses");

    expect_near("path", number(json_get(a, "critical_path"), "cycles"), number(a, "latency_cycles") - 0.5,
                number(a, "latency_cycles") + 0.5);
    json_free(json);
}

/* ---- what does not end ---- */

static void test_endless(void **state)
{
    (void)state;
    NEED_CLANG();
    static const struct {
        const char *name, *text, *words[3];
    } cases[] = {
        {"forever.s", "1: s_branch 1b\n", {"forever: 1048576 instructions", "iteration 1; expected at most 524288"}},
        {"unset.s",
         "1: s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 1b\n",
         {"unset: 1048576 instructions", "may be endless"}},
        {"once.s",
         "s_movk_i32 s4, 16\nloop:\n1: s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 1b\n",
         {"once: 2097152 instructions", "iteration 2; expected at most 524288"}},
        {"long.s",
         "s_mov_b32 s4, 200000\n1: s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 1b\n",
         {"long: an iteration executes 600001 instructions; expected at most 524288"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int views = 0; views < 2; views++) {
            const char *path = source(cases[k].name, cases[k].text);
            struct said s = views ? RUN("compare", "--arch", "gfx90a", "--all-views", path)
                                  : RUN("compare", "--arch", "gfx90a", path);

            expect_status(&s, 1);
            assert_int_equal(s.out_bytes, 0);
            for (size_t w = 0; cases[k].words[w]; w++)
                expect_in(&s, s.err, cases[k].words[w]);
            said_free(&s);
        }
}

/* SIGTERM and SIGINT end it: a sequence, and after it a kernel that runs for ever. */
static void test_interrupts(void **state)
{
    (void)state;
    NEED_CLANG();
    static const int signals[] = {SIGTERM, SIGINT};
    const char *few = counted(16);
    const char *endless = source("endless.s", ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\ns_branch k\n.Lend:\n"
                                              ".size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
                                              ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n"
                                              ".end_amdhsa_kernel\n");

    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        pid_t pid = cli_start((const char *const[]){"compare", "--arch", "gfx803", "--json", "--progress", "always",
                                                    "--max-instructions", "18446744073709551615", few, endless, NULL});

        cli_await_text(pid, "%"); /* of the sequence; interrupts are handled before it is there */
        assert_int_equal(kill(pid, signals[k]), 0);
        struct said s = cli_finish(pid);
        expect_status(&s, 1);
        assert_int_equal(s.out_bytes, 0);
        expect_in(&s, s.err, ": interrupted\n");
        said_free(&s);
    }
}

/* A sequence as the library takes it. */
static const char *assembled(const char *target, const char *sequence)
{
    char cpu[40];
    struct said s = RUN("compare", "--arch", target, "--wrapped", sequence);

    expect_status(&s, 0);
    write_file(cli_path("wrapped.s"), s.out, s.out_bytes);
    said_free(&s);
    snprintf(cpu, sizeof cpu, "-mcpu=%s", target);
    assert_int_equal(spawn_tool((const char *[]){"clang-19", "-target", "amdgcn-amd-amdhsa", cpu, "-nogpulib",
                                                 cli_path("wrapped.s"), "-o", cli_path("wrapped.co"), NULL},
                                cli_path("log")),
                     0);
    return cli_path("wrapped.co");
}

/* Asks a call to end with its n-th progress report, which it makes after every simulation. */
struct asking {
    unsigned reports, asks_at;
    volatile int flag;
};

static int count_reports(void *ctx, uint64_t done, uint64_t total)
{
    struct asking *a = ctx;

    (void)done;
    (void)total;
    if (++a->reports == a->asks_at)
        a->flag = 1;
    return 0;
}

/* Whether the call ends with what it has been asked to; the reports of one that is left alone are in *reports. */
static int ends(const struct gcnsim_compare_item *item, bool analyzes, unsigned asks_at, unsigned *reports,
                struct gcnsim_error *error)
{
    struct asking a = {.asks_at = asks_at};
    struct gcnsim_compare_options o;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_analysis *n = NULL;

    gcnsim_compare_options_init(&o);
    o.profile = "gfx803";
    o.max_waves = 1;
    o.progress = count_reports;
    o.progress_ctx = &a;
    o.abort_flag = &a.flag;
    int status = analyzes ? gcnsim_analyze(item, &o, &n, error) : gcnsim_compare(item, 1, &o, &c, error);
    gcnsim_analysis_free(n);
    gcnsim_comparison_free(c);
    *reports = a.reports;
    return status;
}

/* What is asked to end between any two simulations ends: in the next one, or on the critical path between them. */
static void test_ends_when_asked(void **state)
{
    (void)state;
    NEED_CLANG();
    size_t bytes;
    char *code = read_whole(assembled("gfx803", counted(256)), &bytes);
    const struct gcnsim_compare_item item = {
        .struct_bytes = sizeof item, .label = "asked", .bytes = code, .size = bytes};

    assert_non_null(code);
    for (int analyzes = 0; analyzes < 2; analyzes++) {
        struct gcnsim_error error = {0};
        unsigned all, reports;

        assert_int_equal(ends(&item, analyzes, 0, &all, &error), GCNSIM_OK);
        assert_true(all > 2);
        for (unsigned k = 1; k < all; k++) {
            int status = ends(&item, analyzes, k, &reports, &error);

            if (status != GCNSIM_ERROR_INTERRUPTED || reports != k)
                fail_msg("%s, asked at report %u of %u: status %d at report %u: %s", analyzes ? "analysis" : "compare",
                         k, all, status, reports, error.text);
            assert_non_null(strstr(error.text, "interrupted"));
        }
    }
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_a_kernel), cmocka_unit_test(test_as_unrolled), cmocka_unit_test(test_long_loops),
        cmocka_unit_test(test_analysis),    cmocka_unit_test(test_timeline),    cmocka_unit_test(test_one_copy),
        cmocka_unit_test(test_endless),     cmocka_unit_test(test_interrupts),  cmocka_unit_test(test_ends_when_asked),
    };
    return cmocka_run_group_tests_name("compare loops", tests, cli_setup, cli_teardown);
}
