/* gcnsim compare --mca and its views: the critical path is as long as what is measured, and longer latencies on it
 * show; pressure on units; the timeline.
 */
#include <math.h>

#include "tests/support/json.h"

#include "tests/support/toolchain.h"
#include "tests/system/compare_run.h"

static const char *const targets[] = {"gfx803", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"};
enum { TARGETS = sizeof targets / sizeof *targets };

static const struct json *analysis(const struct json *json)
{
    return json_at(json_get(json, "analyses"), 0);
}

static double number(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);
    assert_true(json_is_number(item));
    return json_number(item);
}

static const char *text(const struct json *object, const char *key)
{
    const char *t = json_text(json_get(object, key));
    return t ? t : "";
}

static const struct json *links(const struct json *a)
{
    return json_get(json_get(a, "critical_path"), "links");
}

/* Cycles of the path's links of a kind. */
static double of_kind(const struct json *a, const char *kind)
{
    double sum = 0;
    size_t k;
    const struct json *link;

    json_each_element (links(a), k, link)
        if (strcmp(text(link, "kind"), kind) == 0)
            sum += number(link, "cycles");
    return sum;
}

/* ---- the critical path ---- */

/* What gfx12 and wave32 call otherwise. */
struct words {
    const char *vcc, *lds, *scalar;
};
static struct words words_of(const char *target)
{
    return (struct words){strncmp(target, "gfx1", 4) == 0 ? "vcc_lo" : "vcc",
                          strcmp(target, "gfx1201") == 0 ? "s_wait_dscnt 0" : "s_waitcnt lgkmcnt(0)",
                          strcmp(target, "gfx1201") == 0 ? "s_wait_kmcnt 0" : "s_waitcnt lgkmcnt(0)"};
}

/* $v, $l and $s are the words above. */
static const char *const sequences[] = {
    "v_add_f32 v1, v1, v2\nv_mul_f32 v1, v1, v3\n",
    "v_add_f32 v1, v2, v3\nv_add_f32 v4, v2, v3\nv_add_f32 v5, v2, v3\n",
    "v_exp_f32 v1, v1\nv_add_f32 v2, v2, v3\nv_add_f32 v4, v2, v1\n",
    "v_exp_f32 v1, v2\nv_exp_f32 v3, v2\nv_rcp_f32 v4, v2\n",
    "s_add_u32 s4, s4, s5\ns_lshl_b32 s5, s4, 2\ns_cmp_eq_u32 s5, 0\ns_cselect_b32 s6, s4, s5\n",
    "v_cmp_lt_f32 $v, v1, v2\nv_cndmask_b32 v1, v1, v3, $v\n",
    "v_readfirstlane_b32 s4, v1\ns_add_u32 s5, s4, 4\nv_add_f32 v1, s5, v1\n",
    "ds_read_b32 v1, v0\n$l\nv_add_f32 v2, v1, v2\n",
    "v_and_b32 v1, 0x3fc, v1\nds_read_b32 v1, v1\n$l\n",
    "s_load_dword s4, s[0:1], 0x10\n$s\ns_add_u32 s5, s4, s5\n",
    "v_add_f32 v1, v1, v2\ns_nop 4\nv_add_f32 v1, v1, v2\n",
    "v_fma_f64 v[2:3], v[2:3], v[4:5], v[6:7]\nv_add_f32 v8, v2, v8\n",
    "v_add_f32 v1, v1, v2\ns_branch next\nv_add_f32 v3, v3, v2\nnext:\nv_add_f32 v1, v1, v2\n",
    ("ds_read_b64 v[4:5], v0\nv_mul_f32 v1, v2, v3\nv_exp_f32 v6, v1\ns_add_u32 s4, s4, 8\n$l\n"
     "v_fma_f32 v2, v4, v5, v6\nv_cmp_lt_f32 $v, v2, v3\nv_cndmask_b32 v3, v3, v2, $v\n"),
};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };

static void spell(char *out, size_t size, const char *sequence, const char *target)
{
    struct words w = words_of(target);
    size_t n = 0;

    for (const char *c = sequence; *c && n + 32 < size; c++) {
        const char *word = *c != '$' ? NULL : c[1] == 'v' ? w.vcc : c[1] == 'l' ? w.lds : w.scalar;

        if (word)
            n += (size_t)snprintf(out + n, size - n, "%s", word), c++;
        else
            out[n++] = *c;
    }
    out[n] = 0;
}

/* One run of the tool for all sequences of a target that `wanted` has a bit of, in their order: their JSON. more: words
 * of the command line, ended by a null. */
static const struct json *run_all(size_t t, unsigned wanted, const char *const more[])
{
    static char path[SEQUENCES][CLI_PATH + 256];
    const char *args[CLI_ARGS] = {"compare", "--arch", targets[t], "--json"};
    char spelled[2048], name[32];
    size_t n = 4;

    while (*more)
        args[n++] = *more++;
    for (size_t q = 0; q < SEQUENCES; q++) {
        if (!(wanted >> q & 1))
            continue;
        spell(spelled, sizeof spelled, sequences[q], targets[t]);
        snprintf(name, sizeof name, "sequence%zu.s", q);
        snprintf(path[q], sizeof path[q], "%s", cli_path(name));
        write_file(path[q], spelled, strlen(spelled));
        args[n++] = path[q];
    }
    args[n] = NULL;
    return parse(cli_run(args));
}
#define RUN_ALL(T, WANTED, ...) run_all(T, WANTED, (const char *const[]){__VA_ARGS__, NULL})
enum { ALL_SEQUENCES = (1 << SEQUENCES) - 1 };

/* The analyses of one wave alone, which two tests look at. */
static const struct json *alone(size_t t)
{
    static const struct json *of[TARGETS];

    if (!of[t])
        of[t] = RUN_ALL(t, ALL_SEQUENCES, "--waves", "1", "--mca");
    return json_get(of[t], "analyses");
}

/* The links add up to the path, and the path to the latency, which is that of the table. */
static void test_path_is_the_latency(void **state)
{
    (void)state;
    NEED_CLANG();

    for (size_t t = 0; t < TARGETS; t++) {
        const struct json *table = RUN_ALL(t, ALL_SEQUENCES, "--waves", "1");

        assert_int_equal(json_elements(alone(t)), SEQUENCES);
        for (size_t q = 0; q < SEQUENCES; q++) {
            const struct json *a = json_at(alone(t), q), *link;
            double sum = 0, latency = number(a, "latency_cycles");
            size_t k;

            json_each_element (links(a), k, link)
                sum += number(link, "cycles");
            double cycles = number(json_get(a, "critical_path"), "cycles");
            double same = number(json_at(json_get(table, "entries"), q), "latency_cycles");
            if (fabs(sum - cycles) > 0.01 || fabs(cycles - latency) > 0.01 || fabs(same - latency) > 0.01)
                fail_msg("%s: links %g, path %g, latency %g, in the table %g of\n%s", targets[t], sum, cycles, latency,
                         same, sequences[q]);
        }
        json_free(table);
    }
}

/* The class of the path's first result that is there after the class's latency, and how many of them an iteration has.
 * Others are longer by a figure for the pair of units, which counts from issue. */
static const char *class_on_path(const struct json *a, double *count, double *latency)
{
    const struct json *insts = json_get(a, "instructions"), *link;
    const char *class = NULL;
    size_t k;

    *count = 0;
    json_each_element (links(a), k, link) {
        const struct json *i = json_at(insts, (size_t)number(link, "instruction"));

        if (strcmp(text(link, "kind"), "result") != 0 ||
            fabs(number(link, "cycles") - number(i, "latency_cycles")) > 0.01 ||
            (class && strcmp(text(i, "class"), class) != 0))
            continue;
        class = text(i, "class");
        *latency = number(i, "latency_cycles");
        ++*count;
    }
    return class;
}

/* A class's latency is made longer: an iteration of each sequence with such results on its path takes at least so much
 * more as there are. */
static void expect_longer(size_t t, const char *class, unsigned wanted)
{
    const double more = 8;
    char setting[96];
    double count, latency = 0;
    size_t n = 0;

    for (size_t q = 0; q < SEQUENCES; q++)
        if (wanted >> q & 1)
            class_on_path(json_at(alone(t), q), &count, &latency);
    snprintf(setting, sizeof setting, "class.%s.latency_cycles=%g", class, latency + more);
    const struct json *after = RUN_ALL(t, wanted, "--waves", "1", "--mca", "--set", setting);
    for (size_t q = 0; q < SEQUENCES; q++) {
        const struct json *before = json_at(alone(t), q);

        if (!(wanted >> q & 1))
            continue;
        class_on_path(before, &count, &latency);
        double gain =
            number(json_at(json_get(after, "analyses"), n++), "latency_cycles") - number(before, "latency_cycles");
        if (gain < count * more - 0.01)
            fail_msg("%s: %s adds %g cycles; the path has %g such results of\n%s", targets[t], setting, gain, count,
                     sequences[q]);
    }
    json_free(after);
}

static void test_path_foretells(void **state)
{
    (void)state;
    NEED_CLANG();
    unsigned classes = 0;

    for (size_t t = 0; t < TARGETS; t++)
        for (unsigned q = 0, done = 0; q < SEQUENCES; q++) {
            double count, latency;
            const char *class = class_on_path(json_at(alone(t), q), &count, &latency), *other;
            unsigned wanted = 0;

            if (!class || done >> q & 1)
                continue;
            for (unsigned k = q; k < SEQUENCES; k++)
                if ((other = class_on_path(json_at(alone(t), k), &count, &latency)) && !strcmp(other, class))
                    wanted |= 1u << k;
            expect_longer(t, class, wanted);
            done |= wanted;
            classes++;
        }
    assert_true(classes >= 3 * TARGETS);
}

static void test_path_names(void **state)
{
    (void)state;
    NEED_CLANG();
    /* a chain through one register, carried from one iteration into the next */
    const struct json *json =
        parse(RUN("compare", "--arch", "gfx1100", "--critical-path", "--json",
                  source("chain.s", "\tv_mul_f32 v1, v1, v2\n\tv_exp_f32 v1, v1\n\tv_mov_b32 v5, v2\n")));
    const struct json *a = analysis(json);
    assert_int_equal(json_elements(links(a)), 2);
    for (size_t k = 0; k < 2; k++) {
        const struct json *l = json_at(links(a), k);
        assert_string_equal(text(l, "kind"), "result");
        assert_string_equal(text(l, "register"), "v1");
        assert_int_equal(json_is_true(json_get(l, "loop_carried")), number(l, "instruction") == 1);
        assert_true(number(l, "cycles") == (number(l, "instruction") == 1 ? 10 : 5));
    }
    json_free(json);
    /* three in a unit that takes each for four cycles: a structural hazard, and the unit is the bottleneck */
    json = parse(RUN("compare", "--arch", "gfx1100", "--mca", "--json",
                     source("unit.s", "\tv_exp_f32 v1, v2\n\tv_exp_f32 v3, v2\n\tv_rcp_f32 v4, v2\n")));
    a = analysis(json);
    assert_true(fabs(of_kind(a, "unit busy") - 12) < 0.01);
    assert_string_equal(text(a, "bottleneck"), "TRANS");
    assert_true(fabs(number(a, "rthroughput_cycles") - 12) < 0.001);
    assert_true(fabs(number(a, "throughput_cycles") - 12) < 0.2);
    json_free(json);
    /* memory, by what was waited for */
    struct said s = RUN("compare", "--arch", "gfx90a", "--critical-path",
                        source("load.s", "\tv_mov_b32 v2, v0\nloop:\n\tglobal_load_dword v3, v2, s[0:1]\n"
                                         "\ts_waitcnt vmcnt(0)\n"));
    expect_status(&s, 0);
    expect_in(&s, s.out, "wait_vmcnt, answered by vl0");
    expect_in(&s, s.out, "global_load_dword v3, v2, s[0:1]");
    said_free(&s);
}

/* ---- pressure ---- */

static void test_pressure(void **state)
{
    (void)state;
    NEED_CLANG();
    static const char sequence[] = "\tv_add_f32 v1, v2, v3\n\tv_exp_f32 v4, v2\n\ts_add_u32 s4, s4, 1\n"
                                   "\tds_read_b64 v[6:7], v0\n\ts_load_dword s6, s[0:1], 0\n";
    const struct json *json = parse(RUN("compare", "--arch", "gfx90a", "--mca", "--json", source("units.s", sequence)));
    const struct json *a = analysis(json), *units = json_get(a, "units");

    /* a quarter-rate instruction takes the vector ALU of CDNA for 16 cycles */
    assert_true(number(json_get(units, "VALU"), "cycles") == 20);
    assert_true(number(json_get(units, "SALU"), "cycles") == 4);
    assert_null(json_get(units, "TRANS"));
    assert_true(number(json_get(units, "LDS"), "simds") >= 1);
    assert_true(number(a, "rthroughput_cycles") >= 20);
    assert_int_equal(json_elements(json_get(a, "instructions")), 5);
    assert_string_equal(text(json_at(json_get(a, "instructions"), 0), "confidence"), "measured");
    json_free(json);
    json = parse(RUN("compare", "--arch", "gfx1100", "--mca", "--json", source("units.s", sequence)));
    units = json_get(analysis(json), "units");
    assert_true(number(json_get(units, "VALU"), "cycles") == 2); /* and hands it to another unit on RDNA3 */
    assert_true(number(json_get(units, "TRANS"), "cycles") == 4);
    json_free(json);
}

/* No throughput is better than the bound, on any target. */
static void test_bound_holds(void **state)
{
    (void)state;
    NEED_CLANG();
    unsigned wanted = 0;

    for (unsigned q = 0; q < SEQUENCES; q += 3)
        wanted |= 1u << q;
    for (size_t t = 0; t < TARGETS; t++) {
        const struct json *json = RUN_ALL(t, wanted, "--mca");

        for (size_t n = 0; 3 * n < SEQUENCES; n++) {
            const struct json *a = json_at(json_get(json, "analyses"), n);
            if (number(a, "throughput_cycles") < 0.97 * number(a, "rthroughput_cycles"))
                fail_msg("%s: throughput %g, bound %g of\n%s", targets[t], number(a, "throughput_cycles"),
                         number(a, "rthroughput_cycles"), sequences[3 * n]);
        }
        json_free(json);
    }
}

/* ---- text ---- */

static void test_timeline(void **state)
{
    (void)state;
    NEED_CLANG();
    const char *path =
        source("time.s", "\tv_mul_f32 v1, v1, v2\n\tv_exp_f32 v3, v1\n\tv_add_f32 v1, v3, v2\n\tds_read_b32 v4, v0\n"
                         "\ts_waitcnt lgkmcnt(0)\n");
    struct said s = RUN("compare", "--arch", "gfx90a", "--timeline", "--iterations", "1", path);
    expect_status(&s, 0);
    expect_in(&s, s.out,
              " [0,0]          0     16 |IR                                              | v_mul_f32_e32 v1, v1, v2\n"
              " [0,1]          4      0 | I===R                                          | v_exp_f32_e32 v3, v1\n"
              " [0,2]         20     12 |  dddIR                                         | v_add_f32_e32 v1, v3, v2\n"
              " [0,3]         32      8 |      ddI=======R                               | ds_read_b32 v4, v0\n"
              " [0,4]         68     32 |         wwwwwwwaI                              | s_waitcnt lgkmcnt(0)\n");
    said_free(&s);
}

/* Rows of a chip with queues in front of its units say how long an instruction is in one, by the same renderer. */
static void test_timeline_of_queues(void **state)
{
    (void)state;
    NEED_CLANG();
    struct said s = RUN("compare", "--arch", "gfx1100", "--timeline", "--iterations", "1",
                        source("queue.s", "\tv_mul_f32 v1, v1, v2\n\tv_exp_f32 v3, v1\n\tv_add_f32 v1, v3, v2\n"));
    expect_status(&s, 0);
    expect_in(&s, s.out, "I issues, - is in its unit's queue, = executes, R its result is there");
    expect_in(&s, s.out,
              "|I--------------------------------------====R    | v_mul_f32_e32 v1, v1, v2\n"
              " [0,1]          1      0 | I------------------------------------------===>| v_exp_f32_e32 v3, v1\n"
              " [0,2]          2      0 |  I-------------------------------------------->| v_add_f32_e32 v1, v3, v2\n");
    said_free(&s);
}

static void test_text_fits(void **state)
{
    (void)state;
    NEED_CLANG();
    char text[4096] = "";
    for (int k = 0; k < 60; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "\tv_fma_f32 v%d, v%d, v%d, v3\n", k, k + 1, k + 2);
    struct said s = RUN("compare", "--arch", "gfx1201", "--all-views", "--iterations", "9", source("long.s", text));
    expect_status(&s, 0);
    for (const char *line = s.out, *end; (end = strchr(line, '\n')); line = end + 1) {
        assert_true(end - line <= 120);
        for (const char *c = line; c < end; c++)
            assert_true(*c >= ' ' && *c < 127); /* plain text, for a web page */
    }
    said_free(&s);
}

static void test_refused(void **state)
{
    (void)state;
    NEED_CLANG();
    expect_refused(RUN("compare", "--arch", "gfx90a", "--mca", "traces/samples/gfx90a/call.co"),
                   WORDS("call: a kernel; expected a sequence of instructions, or a region"));
    expect_refused(RUN("compare", "--arch", "gfx90a", "--iterations", "0", "a.s"), WORDS("--iterations: '0'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_is_the_latency),
        cmocka_unit_test(test_path_foretells),
        cmocka_unit_test(test_path_names),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_bound_holds),
        cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_timeline_of_queues),
        cmocka_unit_test(test_text_fits),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("compare: analysis", tests, cli_setup, cli_teardown);
}
