/* Analyses of sequences (sim/study/analysis.c): names of registers, pressure on units, and whole analyses on chips
 * whose figures are set here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/analysis.h"
#include "tests/unit/study/loop_object.h"

static void names_of_registers(void **state)
{
    static const struct {
        const char *target;
        struct isa_regref r;
        const char *name;
    } v[] = {
        {"gfx90a", {.file = RF_SGPR, .first = 5, .count = 1}, "s5"},
        {"gfx90a", {.file = RF_SGPR, .first = 4, .count = 2}, "s[4:5]"},
        {"gfx90a", {.file = RF_VGPR, .first = 255, .count = 1}, "v255"},
        {"gfx90a", {.file = RF_VGPR, .first = 8, .count = 16}, "v[8:23]"},
        {"gfx90a", {.file = RF_AGPR, .first = 0, .count = 4}, "a[0:3]"},
        {"gfx90a", {.file = RF_VGPR, .first = 106, .count = 1}, "v106"},
        {"gfx90a", {.file = RF_SGPR, .first = 106, .count = 2}, "vcc"},
        {"gfx90a", {.file = RF_SGPR, .first = 107, .count = 1}, "vcc_hi"},
        {"gfx90a", {.file = RF_SGPR, .first = 126, .count = 2}, "exec"},
        {"gfx90a", {.file = RF_SGPR, .first = 127, .count = 1}, "exec_hi"},
        {"gfx90a", {.file = RF_SGPR, .first = 124, .count = 1}, "m0"},
        {"gfx1100", {.file = RF_SGPR, .first = 125, .count = 1}, "m0"},
        {"gfx90a", {.file = RF_SCC, .count = 1}, "scc"},
        {"gfx90a", {.file = RF_MODE, .count = 1}, "mode"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct isa_target *t;
        struct err e = {0};
        char name[24];

        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        analysis_register(t, &v[k].r, name);
        assert_string_equal(name, v[k].name);
        isa_target_close(t);
    }
}

/* An instruction takes its own unit: for the cycles of its class, or as long as what it moves takes. Where units hand
 * over, the transcendental one holds the vector ALU, too. What the wave waits for itself takes none. */
static void pressure_on_units(void **state)
{
    static const struct {
        enum timing_port port;
        uint32_t cycles, handover, bytes; /* bytes of a lane */
        unsigned on;
        double pressure;
    } v[] = {
        {PORT_VALU, 4, 0, 0, PORT_VALU, 4},
        {PORT_VALU, 4, 0, 0, PORT_SALU, 0},
        {PORT_VALU, 4, 0, 0, ANALYSIS_ISSUE, 5},
        {PORT_TRANS, 16, 3, 0, PORT_VALU, 3},
        {PORT_TRANS, 16, 3, 0, PORT_TRANS, 16},
        {PORT_TRANS, 16, 0, 0, PORT_VALU, 0},
        {PORT_LDS, 2, 0, 4, PORT_LDS, 2},
        {PORT_LDS, 2, 0, 8, PORT_LDS, 4},
        {PORT_LDS, 5, 0, 8, PORT_LDS, 5},
        {PORT_VMEM, 2, 0, 16, PORT_VMEM, 2},
        {PORT_INTERNAL, 1, 0, 0, PORT_INTERNAL, 0},
        {PORT_BARRIER, 1, 0, 0, PORT_BARRIER, 0},
        {PORT_INTERNAL, 1, 0, 0, ANALYSIS_ISSUE, 5},
    };
    static struct gcnsim_analysis a;

    (void)state;
    a.wave_size = 64;
    a.issue_interval = 5;
    a.unit[PORT_LDS].bytes_per_cycle = 128; /* 64 lanes of 4 bytes in two cycles */
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct analysis_inst i = {.times = 3};

        i.unit.port = (uint8_t)v[k].port;
        i.unit.port_cycles = v[k].cycles;
        i.unit.handover_cycles = v[k].handover;
        i.sched.mem.bytes = (uint8_t)v[k].bytes;
        if (analysis_pressure(&a, &i, v[k].on) != v[k].pressure ||
            analysis_iteration_pressure(&a, &i, v[k].on) != 3 * v[k].pressure)
            fail_msg("row %zu: %g", k, analysis_pressure(&a, &i, v[k].on));
    }
}

/* ---- whole analyses ---- */

/* On a chip with up to two figures set, of one wave alone: how long an iteration takes, how sure the figures of the
 * first instruction are, and the links of the path, "i0>i1 memory 112 vl0". */
static void expect(const char *profile, const char *sets, const char *text, double latency, const char *confidence,
                   const char *links)
{
    const char *set[2];
    char copy[128], target[16], all[400] = "";
    struct gcnsim_compare_options o;
    struct gcnsim_compare_item item;
    struct gcnsim_analysis *a = NULL;
    struct gcnsim_error e = {0};

    snprintf(copy, sizeof copy, "%s", sets);
    set[0] = strtok(copy, " ");
    set[1] = strtok(NULL, " ");
    snprintf(target, sizeof target, "%.*s", (int)strcspn(profile, "-"), profile);
    loop_of(target, text, &item);
    gcnsim_compare_options_init(&o);
    o.profile = profile;
    o.sets = set;
    o.set_count = set[1] ? 2 : set[0] ? 1 : 0;
    o.max_waves = 1;
    if (gcnsim_analyze(&item, &o, &a, &e) != GCNSIM_OK)
        fail_msg("%s: %s", text, e.text);
    loop_free(&item);
    for (uint32_t k = 0; k < a->links; k++) {
        const struct analysis_link *l = &a->link[k];

        snprintf(all + strlen(all), sizeof all - strlen(all), "%si%u>i%u %s %.10g%s%s", k ? ", " : "", l->inst, l->to,
                 analysis_edge_key[l->edge], l->cycles, l->edge == EDGE_MEMORY || l->reg.count ? " " : "",
                 l->edge == EDGE_MEMORY ? l->level <= LEVEL_COUNT ? event_level_key(l->level) : "none"
                                        : l->register_name);
    }
    if (a->latency != latency || strcmp(all, links) != 0)
        fail_msg("%s: %g, %s", text, a->latency, all);
    if (*confidence ? strcmp(a->inst[0].confidence, confidence) != 0 : a->inst[0].confidence != NULL)
        fail_msg("%s: %s", text, a->inst[0].confidence);
    /* nothing but the loop around is between the copies of one pass */
    assert_float_equal(a->path_cycles, latency, 1e-9);
    assert_true(!a->repeats && a->executed == a->inst_count);
    gcnsim_analysis_free(a);
}

/* A SIMD is every wave's for one cycle of four. */
static void sequences_on_gcn(void **state)
{
    const char *const load = "global_load_dword v1, v0, s[0:1]; s_waitcnt vmcnt(0); v_xor_b32_e32 v2, v1, v2";

    (void)state;
    expect("gfx90a-mi210", "", "v_xor_b32_e32 v1, v1, v2", 4, "measured", "i0>i0 result 4 v1");
    expect("gfx90a-mi210", "class.valu.latency_cycles=12", "v_xor_b32_e32 v1, v1, v2", 12, "what-if",
           "i0>i0 result 12 v1");
    expect("gfx90a-mi210", "class.valu.issue_cycles_w64=8", "v_xor_b32_e32 v1, v2, v2", 8, "what-if",
           "i0>i0 unit busy 8");
    expect("gfx90a-mi210", "class.trans.issue_cycles_w64=16 class.trans.latency_cycles=20",
           "v_exp_f32_e32 v1, v2; v_xor_b32_e32 v3, v1, v1", 24, "what-if", "i0>i1 result 20 v1, i1>i0 issue 4");
    expect("gfx90a-mi210", "cache.vl0.hit_latency_cycles=100", load, 100, "inferred",
           "i0>i1 memory 84 vl0, i1>i2 issue 4, i2>i0 result 12");
    expect("gfx90a-mi210", "cache.vl0.hit_latency_cycles=200", load, 200, "inferred",
           "i0>i1 memory 184 vl0, i1>i2 issue 4, i2>i0 result 12");
    expect("gfx90a-mi210", "", "s_nop 7; s_nop 3", 48, "", "i0>i1 hold 32, i1>i0 hold 16");
}

/* Instructions wait in queues; a result is there for the next of its kind after the latency of its class. */
static void sequences_on_rdna(void **state)
{
    (void)state;
    expect("gfx1201-rx9070xt", "class.valu.latency_cycles=9", "v_xor_b32_e32 v1, v1, v2; v_xor_b32_e32 v1, v1, v2", 18,
           "what-if", "i0>i1 result 9 v1, i1>i0 result 9 v1");
    expect("gfx1201-rx9070xt", "class.valu.latency_cycles=9",
           "v_xor_b32_e32 v1, v1, v2; v_xor_b32_e32 v3, v1, v2; s_add_co_u32 s4, s4, 1", 10, "what-if",
           "i0>i1 result 9 v1, i1>i0 unit busy 1");
    expect("gfx1201-rx9070xt", "class.trans.latency_cycles=11 class.trans.issue_cycles_w32=6",
           "v_exp_f32_e32 v1, v2; v_exp_f32_e32 v3, v2; v_xor_b32_e32 v4, v1, v3", 18, "what-if",
           "i0>i1 unit busy 6, i1>i2 result 11 v3, i2>i0 unit busy 1");
    expect("gfx1201-rx9070xt", "", "v_xor_b32_e32 v1, v2, v2; v_xor_b32_e32 v3, v2, v2", 2, "measured",
           "i0>i1 issue 1, i1>i0 issue 1");
}

/* Requests that are refused: of another version, without a label, and kernels. */
static void wrong_requests(void **state)
{
    struct gcnsim_compare_options o;
    struct gcnsim_compare_item item;
    struct gcnsim_analysis *a = (void *)&o;
    struct gcnsim_error e = {0};
    static char bytes[65536];
    FILE *f = fopen("traces/samples/gfx90a/vecadd.co", "rb");

    (void)state;
    assert_non_null(f);
    gcnsim_compare_item_init(&item);
    item.bytes = bytes;
    item.size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    gcnsim_compare_options_init(&o);
    assert_int_equal(gcnsim_analyze(&item, &o, &a, &e), GCNSIM_ERROR_USAGE);
    assert_null(a);
    item.label = "k";
    assert_int_equal(gcnsim_analyze(&item, &o, &a, &e), GCNSIM_ERROR_USAGE);
    assert_string_equal(e.text, "k: a kernel; expected a sequence of instructions, or a region");
    o.struct_bytes = 8;
    assert_int_equal(gcnsim_analyze(&item, &o, &a, &e), GCNSIM_ERROR_USAGE);
    assert_null(a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_registers), cmocka_unit_test(pressure_on_units), cmocka_unit_test(sequences_on_gcn),
        cmocka_unit_test(sequences_on_rdna),  cmocka_unit_test(wrong_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
