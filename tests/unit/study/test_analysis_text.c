/* What is said of an analysis, word by word (tests/unit/study/words), of figures that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/analysis.h"
#include "tests/support/words.h"

enum { INSTS = 4, VIEWS = GCNSIM_ANALYSIS_ALL & ~GCNSIM_ANALYSIS_TIMELINE };

struct made {
    struct gcnsim_analysis a;
    struct analysis_inst inst[INSTS];
    struct analysis_link link[EDGE_COUNT + 2];
};

static void make(struct made *m)
{
    static const char *const text[INSTS] = {"v_add_f32_e32 v0, v1, v2", "ds_read_b128 v[4:7], v3", "s_nop 0",
                                            "v_mul_f32_e32 v0, v0, v4"};
    static const uint8_t port[INSTS] = {PORT_VALU, PORT_LDS, PORT_INTERNAL, PORT_VALU};
    static const char *const name[ANALYSIS_UNITS] = {
        [PORT_VALU] = "VALU",       [PORT_TRANS] = "TRANS",       [PORT_MATRIX] = "matrix",   [PORT_VMEM] = "VMEM",
        [PORT_SALU] = "SALU",       [PORT_SMEM] = "SMEM",         [PORT_LDS] = "LDS",         [PORT_BRANCH] = "branch",
        [PORT_BARRIER] = "barrier", [PORT_INTERNAL] = "internal", [ANALYSIS_ISSUE] = "issue",
    };

    memset(m, 0, sizeof *m);
    for (unsigned k = 0; k < INSTS; k++) {
        m->inst[k] = (struct analysis_inst){.unit = {.port = port[k]},
                                            .offset = 4 * k,
                                            .text = text[k],
                                            .confidence = k == 2 ? NULL
                                                          : k    ? "guess"
                                                                 : "measured",
                                            .gap = 1.5 + k,
                                            .executed = 6,
                                            .empty = k == 3 ? 6 : k,
                                            .times = 1 + k};
        m->inst[k].unit.port_cycles = 4 + k;
        m->inst[k].unit.latency_cycles = k == 2 ? 0 : 8 + k;
        m->inst[k].sched.size_bytes = k == 1 ? 8 : 4;
        m->inst[k].sched.mem.bytes = k == 1 ? 16 : 0;
    }
    m->inst[1].unit.handover_cycles = 2;
    m->a = (struct gcnsim_analysis){.label = "loop.s",
                                    .profile = "mine",
                                    .target = "gfx90a",
                                    .wave_size = 64,
                                    .entry = {.bytes = 20, .waves_per_simd = 8, .limiter = "vgprs"},
                                    .inst = m->inst,
                                    .inst_count = INSTS,
                                    .executed = 10,
                                    .repeats = true,
                                    .latency = 40,
                                    .throughput = 20,
                                    .rthroughput = 19,
                                    .bottleneck = PORT_LDS,
                                    .issue_interval = 5,
                                    .link = m->link,
                                    .links = EDGE_COUNT + 2,
                                    .path_iterations = 3,
                                    .path_cycles = 40.6};
    for (unsigned u = 0; u < ANALYSIS_UNITS; u++)
        m->a.unit[u] =
            (struct analysis_unit){.name = name[u],
                                   .cycles = u == PORT_VALU || u == PORT_LDS || u == ANALYSIS_ISSUE ? 6 + u : 0,
                                   .simds = 1 + u,
                                   .bound = 9 + u};
    m->a.unit[PORT_LDS].bytes_per_cycle = 128;
    for (unsigned k = 0; k <= EDGE_COUNT + 1; k++)
        m->link[k] = (struct analysis_link){.edge = k < EDGE_COUNT ? k : EDGE_MEMORY,
                                            .inst = k % INSTS,
                                            .to = (k + 1) % INSTS,
                                            .iteration = k / INSTS,
                                            .carried = k == 3,
                                            .cycles = k == 5 ? 0.004 : 1.25 + k,
                                            .times = k == 0 ? 3 : 1,
                                            .reason = k % 2 ? STALL_BARRIER : STALL_COUNT,
                                            .level = k == EDGE_COUNT  ? LEVEL_COUNT + 1
                                                     : k > EDGE_COUNT ? LEVEL_COUNT
                                                                      : LEVEL_L2,
                                            .reg = {.count = k == 0},
                                            .register_name = "v0"};
}

static void expect(const struct made *m, const char *name)
{
    struct gcnsim_error e = {0};
    char path[64], *text = NULL;

    assert_int_equal(gcnsim_analysis_text(&m->a, VIEWS, 0, &text, &e), GCNSIM_OK);
    snprintf(path, sizeof path, "%s_text", name);
    expect_words("tests/unit/study/words", path, text);
    gcnsim_free(text);
    assert_int_equal(gcnsim_analysis_json(&m->a, &text, &e), GCNSIM_OK);
    snprintf(path, sizeof path, "%s_json", name);
    expect_words("tests/unit/study/words", path, text);
    gcnsim_free(text);
}

/* Bound by a unit, with a path of every kind of link. */
static void bound_by_a_unit(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    expect(&m, "analysis");
}

/* Two instructions, no unit that is busy enough, and a path by order of issue alone, as long as is measured to half a
 * cycle. */
static void held_by_a_reason(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    m.a.inst_count = 2;
    m.a.repeats = false;
    m.a.executed = 2;
    m.a.throughput = 22;
    m.a.stall_full[STALL_ISSUED] = 30;
    m.a.stall_full[STALL_ARBITRATION] = 20;
    m.a.stall_full[STALL_FETCH] = 3;
    m.a.stall_full[STALL_BARRIER] = 4;
    m.a.links = 1;
    m.link[0] = (struct analysis_link){
        .edge = EDGE_ISSUE, .inst = 1, .to = 0, .carried = true, .cycles = 40.5, .times = 1, .reason = STALL_COUNT};
    m.a.path_cycles = 40.5;
    m.a.path_iterations = 1;
    expect(&m, "analysis_held");
    m.a.path_cycles = 39.4; /* by half a cycle and more it is another */
    expect(&m, "analysis_shorter");
    m.a.path_cycles = 40.6;
    expect(&m, "analysis_longer");
}

/* Nothing is known to hold the waves. */
static void held_by_nothing(void **state)
{
    struct made m;

    (void)state;
    make(&m);
    m.a.inst_count = 1;
    m.a.repeats = false;
    m.a.rthroughput = 0;
    m.a.throughput = 0;
    m.a.latency = 0;
    m.a.stall_full[STALL_BARRIER] = 0.02;
    m.a.links = 0;
    expect(&m, "analysis_free");
}

/* Each view alone is there where it is asked for and nowhere else, after the line that says what is analyzed; of the
 * path no more links than are of use. */
static void views(void **state)
{
    static const struct {
        unsigned view;
        const char *begins;
    } v[] = {{0, ""},
             {GCNSIM_ANALYSIS_SUMMARY, "\nlatency "},
             {GCNSIM_ANALYSIS_INSTRUCTIONS, "\ninstructions: bytes, unit,"},
             {GCNSIM_ANALYSIS_PRESSURE, "\nresource pressure, "},
             {GCNSIM_ANALYSIS_CRITICAL_PATH, "\ncritical path: "}};
    static const char head[] = "loop.s: 4 instructions, 20 bytes, mine (gfx90a), waves of 64\n";
    enum { LINKS = 102 };
    static struct analysis_link many[LINKS];
    struct gcnsim_error e = {0};
    struct made m;
    char *text;

    (void)state;
    make(&m);
    m.a.repeats = false;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        assert_int_equal(gcnsim_analysis_text(&m.a, v[k].view, 0, &text, &e), GCNSIM_OK);
        assert_memory_equal(text, head, sizeof head - 1);
        assert_memory_equal(text + sizeof head - 1, v[k].begins, strlen(v[k].begins));
        for (size_t n = 0; n < sizeof v / sizeof *v; n++)
            assert_true(!*v[n].begins || (strstr(text, v[n].begins) != NULL) == (n == k));
        gcnsim_free(text);
    }
    for (size_t k = 0; k < LINKS; k++)
        many[k] = (struct analysis_link){.edge = EDGE_ISSUE, .cycles = 1, .times = 1, .reason = STALL_COUNT};
    m.a.link = many;
    for (unsigned more = 0; more < 3; more++) {
        m.a.links = 100 + more;
        assert_int_equal(gcnsim_analysis_text(&m.a, GCNSIM_ANALYSIS_CRITICAL_PATH, 0, &text, &e), GCNSIM_OK);
        const char *rest = strstr(text, "  ... ");
        assert_true(more ? rest && strtoul(rest + 6, NULL, 10) == more : !rest);
        gcnsim_free(text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_by_a_unit),
        cmocka_unit_test(held_by_a_reason),
        cmocka_unit_test(held_by_nothing),
        cmocka_unit_test(views),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
