/* How far a run can be believed (gcnsim_result_fidelity()): the instructions executed are counted by hand, and the
 * wave-cycles of a stall reason rest on the figures that its rule in docs/FIDELITY.md names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

static const char whole_gfx1201[] = "s_lshl_b32 s2, s3, 6; v_add_nc_u32 v1, v0, v0; v_lshlrev_b32 v2, 2, v1; s_endpgm";
/* one v_exp_f32 that follows another one, a v_rcp_f32, two v_sin_f32 and three exact instructions */
static const char special_gfx1201[] =
    "v_exp_f32 v0, v0; v_exp_f32 v0, v0; v_rcp_f32 v1, v0; v_sin_f32 v2, v0; v_sin_f32 v2, v0; "
    "v_add_nc_u32 v1, v0, v0; v_add_nc_u32 v1, v0, v0; s_endpgm";
static const char special_gfx90a[] =
    "v_exp_f32 v0, v0; v_exp_f32 v0, v0; v_rcp_f32 v1, v0; v_sin_f32 v2, v0; v_sin_f32 v2, v0; v_add_u32 v1, v0, v0; "
    "v_add_u32 v1, v0, v0; s_endpgm";
/* wait states, a sleep, and a barrier that the second wave comes to later */
static const char rests_gfx90a[] =
    "s_nop 15; s_nop 15; s_sleep 2; v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc0 skip; s_nop 15; "
    "skip: s_barrier; s_endpgm";
/* a load needs the one before it, and reads a new line each time (s2: the workgroup) */
static const char chase_gfx90a[] =
    "s_lshl_b32 s5, s2, 15; v_mov_b32 v1, s5; s_movk_i32 s6, 0x200; s_movk_i32 s4, 0x32; "
    "loop: global_load_dword v2, v1, s[0:1]; s_waitcnt vmcnt(0); v_add3_u32 v1, v1, s6, v2; s_sub_u32 s4, s4, 1; "
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";

static uint8_t buffer[1 << 16] __attribute__((aligned(4096)));

struct run {
    struct gcnsim *sim;
    struct gcnsim_result *result;
    const struct gcnsim_fidelity *f;
};

struct asked {
    const char *target;
    enum gcnsim_engine engine;
    const char *text;
    uint32_t groups, waves;
    const char *set; /* null: none */
};

static struct run run(const struct asked *a)
{
    uint32_t lanes = strcmp(a->target, "gfx1201") == 0 ? 32 : 64;
    struct assembled code = assemble(a->target, a->text);
    struct gcnsim_error error = {0};
    struct gcnsim_raw raw;
    struct run r = {0};

    gcnsim_raw_init(&raw);
    raw.target = a->target;
    raw.engine = a->engine;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)code.word;
    raw.code_size = code.words * sizeof(uint32_t);
    raw.wave_size = lanes;
    raw.workgroups[0] = a->groups;
    raw.workgroup_size[0] = lanes * a->waves;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12;
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    raw.compute_pgm_rsrc3 = lanes == 64 ? 7 : 0;
    raw.kernarg_address = (uint64_t)(uintptr_t)buffer;
    if (gcnsim_open(&r.sim, a->target, &error) || (a->set && gcnsim_set_all(r.sim, &a->set, 1, &error)) ||
        gcnsim_launch_raw(r.sim, &raw, &r.result, &error))
        fail_msg("%s", error.text);
    assert_int_equal(r.result->outcome, GCNSIM_COMPLETED);
    r.f = gcnsim_result_fidelity(r.result);
    return r;
}

static void end(struct run *r)
{
    gcnsim_result_free(r->result);
    gcnsim_close(r->sim);
}

static const struct gcnsim_fidelity_instruction *instruction(const struct gcnsim_fidelity *f, const char *mnemonic)
{
    for (size_t k = 0; k < f->instruction_count; k++)
        if (strcmp(f->instructions[k].mnemonic, mnemonic) == 0)
            return &f->instructions[k];
    return NULL;
}

static double figure(const struct gcnsim_fidelity *f, const char *path, const char *timing)
{
    for (size_t k = 0; k < f->figure_count; k++)
        if (strcmp(f->figures[k].path, path) == 0) {
            assert_string_equal(f->figures[k].timing, timing);
            return f->figures[k].share;
        }
    return 0;
}

static const struct gcnsim_fidelity_timing *timing(const struct gcnsim_fidelity *f, const char *word)
{
    for (size_t k = 0; k < f->timing_count; k++)
        if (strcmp(f->timings[k].timing, word) == 0)
            return &f->timings[k];
    fail_msg("no %s", word);
    return NULL;
}

static void expect_near(double is, double expected)
{
    if (is - expected > 1e-9 || expected - is > 1e-9)
        fail_msg("%.12g, expected %.12g", is, expected);
}

/* The share of the wave-cycles that a stall reason has. */
static double stalled(const struct run *r, const char *reason)
{
    char name[64];

    snprintf(name, sizeof name, "stall_cycles.%s", reason);
    return (double)result_stat(r->result, name) / (double)result_stat(r->result, "resident_wave_cycles");
}

static void expect_shares(const struct gcnsim_fidelity *f)
{
    double all = 0, figures = 0;

    for (size_t k = 0; k < f->timing_count; k++)
        all += f->timings[k].share;
    for (size_t k = 0; k < f->figure_count; k++)
        figures += f->figures[k].share;
    expect_near(all, 1);
    expect_near(figures, 1 - timing(f, "none")->share);
}

static char *text_of(const struct run *r)
{
    char *text = NULL;

    assert_int_equal(gcnsim_result_text(r->result, &text, NULL), GCNSIM_OK);
    return text;
}

static void expect_line(const struct run *r, const char *line)
{
    char *text = text_of(r);

    if (!strstr(text, line))
        fail_msg("no '%s' in\n%s", line, text);
    gcnsim_free(text);
}

static void test_exact(void **state)
{
    static const enum gcnsim_engine engines[] = {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_ENGINE_TIMING};

    (void)state;
    for (unsigned e = 0; e < 2; e++) {
        struct run r = run(&(struct asked){"gfx1201", engines[e], whole_gfx1201, 3, 2, NULL});

        assert_int_equal(r.f->executed, 3 * 2 * 4);
        assert_int_equal(r.f->exact, r.f->executed);
        assert_int_equal(r.f->approximate, 0);
        expect_line(&r, "  results       all instructions exact\n");
        if (engines[e] == GCNSIM_ENGINE_TIMING) {
            assert_int_equal(r.f->instruction_count, 4);
            assert_int_equal(instruction(r.f, "v_lshlrev_b32")->count, 6);
            expect_shares(r.f);
        } else {
            char *text = text_of(&r);

            assert_int_equal(r.f->instruction_count, 0);
            assert_null(r.f->figures);
            assert_null(strstr(text, "  timing        "));
            gcnsim_free(text);
        }
        end(&r);
    }
}

/* One of three instructions a wave does what gfx90a was measured to do. */
static void test_measured(void **state)
{
    static const char dot[] = "v_dot2c_f32_f16 v1, v2, v3; v_mov_b32 v2, 0; s_endpgm";

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct run r =
            run(&(struct asked){"gfx90a", timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL, dot, 2, 1, NULL});
        assert_int_equal(r.f->exact, 6);
        assert_int_equal(r.f->has_exact_measured, timing);
        assert_int_equal(r.f->exact_measured, timing ? 2 : 0);
        end(&r);
    }
}

/* Eight instructions a wave: 3/8 exact, 3/8 within 1 ULP, 2/8 without a bound. */
static void test_approximate(void **state)
{
    static const struct asked asked[] = {
        {"gfx1201", GCNSIM_ENGINE_FUNCTIONAL, special_gfx1201, 2, 1, NULL},
        {"gfx1201", GCNSIM_ENGINE_TIMING, special_gfx1201, 2, 1, NULL},
        {"gfx90a", GCNSIM_ENGINE_FUNCTIONAL, special_gfx90a, 2, 1, NULL},
        {"gfx90a", GCNSIM_ENGINE_TIMING, special_gfx90a, 2, 1, NULL},
    };

    (void)state;
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        struct run r = run(&asked[k]);

        assert_int_equal(r.f->executed, 16);
        assert_int_equal(r.f->exact, 6);
        assert_int_equal(r.f->approximate, 10);
        assert_int_equal(instruction(r.f, "v_exp_f32")->count, 4);
        assert_int_equal(instruction(r.f, "v_rcp_f32")->count, 2);
        assert_int_equal(instruction(r.f, "v_sin_f32")->count, 4);
        assert_true(instruction(r.f, "v_exp_f32")->ulp == 1 && instruction(r.f, "v_sin_f32")->ulp < 0);
        assert_string_equal(instruction(r.f, "v_exp_f32")->semantics, "approximate");
        expect_line(&r, "  results       37.5% of instructions exact, 37.5% within 1 ULP (v_exp_f32,\n"
                        "                v_rcp_f32), 25.0% approximate without a bound (v_sin_f32)\n");
        end(&r);
    }
}

/* The time for which the transcendental unit is busy rests on the issue cycles of its class: on a what-if once somebody
 * has set them. */
static void test_what_if(void **state)
{
    struct asked asked = {"gfx1201", GCNSIM_ENGINE_TIMING, special_gfx1201, 1, 1, NULL};
    struct run r = run(&asked);

    (void)state;
    assert_true(stalled(&r, "unit_busy_trans") > 0);
    expect_near(figure(r.f, "class.trans.issue_cycles_w32", "measured"), stalled(&r, "unit_busy_trans"));
    expect_near(timing(r.f, "what-if")->share, 0);
    expect_shares(r.f);
    end(&r);
    asked.set = "class.trans.issue_cycles_w32=64";
    r = run(&asked);
    assert_true(stalled(&r, "unit_busy_trans") > 0.1);
    expect_near(figure(r.f, "class.trans.issue_cycles_w32", "what-if"), stalled(&r, "unit_busy_trans"));
    expect_near(timing(r.f, "what-if")->share, stalled(&r, "unit_busy_trans"));
    assert_int_equal(timing(r.f, "what-if")->instructions, 5);
    expect_line(&r, "  least sure    class.trans.issue_cycles_w32 ");
    expect_line(&r, "(what-if)\n");
    expect_shares(r.f);
    end(&r);
}

/* Each of these reasons has figures of its own; time at a barrier is the other waves', and rests on none. */
static void test_reasons(void **state)
{
    struct run r = run(&(struct asked){"gfx90a", GCNSIM_ENGINE_TIMING, rests_gfx90a, 1, 2, NULL});

    (void)state;
    assert_true(stalled(&r, "nop") > 0 && stalled(&r, "sleep") > 0 && stalled(&r, "barrier") > 0);
    expect_near(figure(r.f, "issue.wave_issue_interval_cycles", "documented"),
                stalled(&r, "nop") + stalled(&r, "issued"));
    expect_near(figure(r.f, "frontend.sleep_unit_cycles", "documented"), stalled(&r, "sleep"));
    expect_near(figure(r.f, "frontend.launch_latency_cycles", "guess"), stalled(&r, "launch"));
    expect_near(timing(r.f, "none")->share, stalled(&r, "barrier"));
    expect_shares(r.f);
    end(&r);
}

/* Vector loads that all go to DRAM: their time alone there, that of translations, and the rest, for which they queued.
 */
static void test_memory(void **state)
{
    struct asked asked = {"gfx90a", GCNSIM_ENGINE_TIMING, chase_gfx90a, 1, 1, NULL};
    struct run r = run(&asked);
    double loads = (double)result_stat(r.result, "cache.vl0.accesses"), taken = 0;
    double misses =
        loads + (double)result_stat(r.result, "cache.k.misses") + (double)result_stat(r.result, "cache.i.misses");
    double to_l2 =
        loads * (double)result_stat(r.result, "cache.l2.hits") / (double)result_stat(r.result, "cache.l2.accesses");
    double l2 = 250 * to_l2, dram = 587 * (loads - to_l2);
    double look_up = 100 * (double)result_stat(r.result, "translation.misses") * loads / misses;
    double walk = 300 * (double)result_stat(r.result, "translation.page_table_reads") * loads / misses;

    (void)state;
    assert_int_equal(result_stat(r.result, "cache.vl0.hits"), 0);
    assert_int_equal(gcnsim_result_stat(r.result, "cache.vl0.average_latency_cycles", &taken), GCNSIM_OK);
    double all = l2 + dram + look_up + walk, wait = stalled(&r, "wait_vmcnt");
    if (taken * loads > all)
        all = taken * loads;
    assert_true(wait > 0.5);
    /* instruction fetch goes to DRAM, too */
    double fetch = stalled(&r, "fetch");
    double is = figure(r.f, "dram.latency_cycles", "measured");
    if (is < wait * dram / all || is > wait * dram / all + fetch)
        fail_msg("%g of the cycles rest on DRAM, expected %g and some of %g", is, wait * dram / all, fetch);
    expect_shares(r.f);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact),       cmocka_unit_test(test_measured),
                                       cmocka_unit_test(test_approximate), cmocka_unit_test(test_what_if),
                                       cmocka_unit_test(test_reasons),     cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("fidelity of runs", tests, NULL, NULL);
}
