/* How far instructions can be believed (sim/report/fidelity.h), on three profiles. Words are llvm-mc 19's; whether
 * results are exact is the manuals'; confidences are looked up in the profile by path, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/table/list.h"
#include "sim/report/fidelity.h"
#include "tests/support/assemble.h"

/* An instruction, and what is known of it. figures: paths that decide its timing, ended by a null. */
static const struct known {
    const char *profile;
    unsigned lanes;
    const char *text, *mnemonic;
    enum fidelity_semantics semantics;
    float ulp;
    const char *figures[5];
} known[] = {
    {"gfx1201",
     32,
     "v_exp_f32 v0, v1",
     "v_exp_f32",
     FIDELITY_APPROXIMATE,
     1,
     {"class.trans.issue_cycles_w32", "class.trans.latency_cycles"}},
    {"gfx1201",
     64,
     "v_exp_f32 v0, v1",
     "v_exp_f32",
     FIDELITY_APPROXIMATE,
     1,
     {"class.trans.issue_cycles_w64", "class.trans.latency_cycles"}},
    {"gfx1201",
     32,
     "v_sin_f32 v0, v1",
     "v_sin_f32",
     FIDELITY_APPROXIMATE,
     ISA_NO_BOUND,
     {"class.trans.issue_cycles_w32", "class.trans.latency_cycles"}},
    {"gfx1201",
     32,
     "v_add_f32 v0, v1, v2",
     "v_add_f32",
     FIDELITY_EXACT,
     0,
     {"class.valu_dual.issue_cycles_w32", "class.valu_dual.latency_cycles"}},
    {"gfx1201",
     32,
     "v_s_rcp_f16 s0, s1",
     "v_s_rcp_f16",
     FIDELITY_APPROXIMATE,
     0.51f,
     {"class.salu_trans.issue_cycles_w32", "class.salu_trans.latency_cycles"}},
    {"gfx1201",
     32,
     "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5",
     "v_dual_add_f32 :: v_dual_mul_f32",
     FIDELITY_EXACT,
     0,
     {"class.valu_dual.issue_cycles_w32", "class.valu_dual.latency_cycles"}},
    {"gfx1201",
     32,
     "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]",
     "v_wmma_f32_16x16x16_f16",
     FIDELITY_APPROXIMATE,
     ISA_NO_BOUND,
     {"class.wmma.issue_cycles_w32", "class.wmma.latency_cycles", "matrix.wmma_passes"}},
    {"gfx1201",
     32,
     "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:9], v[10:11], v[0:7]",
     "v_wmma_i32_16x16x16_iu8",
     FIDELITY_EXACT,
     0,
     {"class.wmma.issue_cycles_w32", "class.wmma.latency_cycles", "matrix.wmma_passes"}},
    {"gfx1201", 32, "export mrt0 v0, v0, v0, v0", "export", FIDELITY_UNSUPPORTED, 0, {NULL}},
    {"gfx803",
     64,
     "v_exp_f32 v0, v1",
     "v_exp_f32",
     FIDELITY_APPROXIMATE,
     1,
     {"class.trans.issue_cycles_w64", "class.trans.latency_cycles"}},
    {"gfx803",
     64,
     "v_sin_f32 v0, v1",
     "v_sin_f32",
     FIDELITY_APPROXIMATE,
     ISA_NO_BOUND,
     {"class.trans.issue_cycles_w64", "class.trans.latency_cycles"}},
    {"gfx803",
     64,
     "s_load_dword s0, s[2:3], 0x0",
     "s_load_dword",
     FIDELITY_EXACT,
     0,
     {"class.smem.issue_cycles_w64", "class.smem.latency_cycles", "issue.smem_dwords_per_slot",
      "cache.k.hit_latency_cycles"}},
    {"gfx803", 64, "v_interp_p1_f32_e32 v0, v1, attr0.x", "v_interp_p1_f32", FIDELITY_UNSUPPORTED, 0, {NULL}},
    {"gfx90a",
     64,
     "v_rcp_f64 v[0:1], v[2:3]",
     "v_rcp_f64",
     FIDELITY_APPROXIMATE,
     0x1p29f,
     {"class.f64_trans.issue_cycles_w64", "class.f64_trans.latency_cycles"}},
    {"gfx90a",
     64,
     "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]",
     "v_mfma_f32_32x32x8f16",
     FIDELITY_APPROXIMATE,
     ISA_NO_BOUND,
     {"class.mfma.issue_cycles_w64", "class.mfma.latency_cycles"}},
    {"gfx90a",
     64,
     "v_mfma_i32_32x32x8i8 a[0:15], v0, v1, a[0:15]",
     "v_mfma_i32_32x32x8i8",
     FIDELITY_EXACT,
     0,
     {"class.mfma.issue_cycles_w64", "class.mfma.latency_cycles"}},
};

struct opened {
    struct profile *profile;
    struct isa_target *target;
};

static void open_profile(struct opened *o, const char *name)
{
    struct err e = {0};

    assert_int_equal(profile_load(&o->profile, name, &e), 0);
    assert_int_equal(isa_target_open(&o->target, o->profile->target, NULL, &e), 0);
}

static void close_profile(struct opened *o)
{
    isa_target_close(o->target);
    profile_free(o->profile);
}

static void add(struct fidelity *f, const struct known *k)
{
    struct assembled code = assemble(f->target->name, k->text);
    struct isa_inst inst;

    assert_int_equal(isa_decode(f->target, (const uint8_t *)code.word, code.words * 4, &inst, NULL), code.words * 4);
    assert_true(fidelity_add(f, &inst, 3));
}

/* The confidence that claims least among those of the paths; FIDELITY_NO_FIGURE: the profile has none of them. */
static unsigned least_sure(const struct profile *p, const char *const *paths)
{
    int least = -1;

    for (; *paths; paths++) {
        const char *word = profile_confidence_of(p, *paths);

        for (int c = 0; word && profile_confidence_key[c]; c++)
            if (strcmp(word, profile_confidence_key[c]) == 0 && c > least)
                least = c;
    }
    return least < 0 ? FIDELITY_NO_FIGURE : (unsigned)least;
}

static void test_known(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        const struct known *k = &known[n];
        struct opened o;

        open_profile(&o, k->profile);
        struct fidelity f = {.target = o.target, .profile = o.profile, .lanes = k->lanes};
        add(&f, k);
        add(&f, k);
        assert_int_equal(f.count, 1);
        const struct fidelity_entry *e = &f.entry[0];
        unsigned timing = least_sure(o.profile, k->figures);

        if (strcmp(e->mnemonic, k->mnemonic) != 0 || e->semantics != k->semantics || e->ulp != k->ulp ||
            e->timing != timing)
            fail_msg("%s %s: %s, %s, %g ULP, %s (%s); expected %s, %s", k->profile, k->mnemonic, e->mnemonic,
                     fidelity_semantics_key[e->semantics], (double)e->ulp, fidelity_timing_key(e->timing),
                     e->figure ? e->figure : "-", fidelity_semantics_key[k->semantics], fidelity_timing_key(timing));
        if (*k->figures)
            assert_non_null(e->figure);
        assert_int_equal(e->count, 6);
        assert_int_equal(f.total, 6);
        assert_int_equal(f.of_semantics[k->semantics], 6);
        assert_int_equal(f.of_timing[timing], 6);
        fidelity_free(&f);
        close_profile(&o);
    }
}

/* A pair is as exact as the less exact one of its halves, whichever that is. No target has an approximate half so far,
 * so rows of a decoded pair are replaced by copies with bounds. */
static void test_halves_of_a_pair(void **state)
{
    static const struct {
        float first, second, both;
    } v[] = {{0, 0, 0},
             {0, 2, 2},
             {1, 0, 1},
             {1, 2, 2},
             {2, 1, 2},
             {0, ISA_NO_BOUND, ISA_NO_BOUND},
             {2, ISA_NO_BOUND, ISA_NO_BOUND},
             {ISA_NO_BOUND, 2, ISA_NO_BOUND}};
    struct assembled pair = assemble("gfx1201", "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5");

    (void)state;
    for (size_t n = 0; n < sizeof v / sizeof v[0]; n++) {
        struct opened o;
        struct isa_inst inst;

        open_profile(&o, "gfx1201");
        assert_true(isa_decode(o.target, (const uint8_t *)pair.word, pair.words * 4, &inst, NULL) == 8);
        struct isa_row first = *inst.row, second = *isa_second_row(&inst);
        first.ulp = v[n].first;
        second.ulp = v[n].second;
        inst.row = &first;
        inst.u.y.row = &second;
        struct fidelity f = {.target = o.target, .profile = o.profile, .lanes = 32};
        assert_true(fidelity_add(&f, &inst, 3));
        assert_true(f.entry[0].ulp == v[n].both);
        enum fidelity_semantics semantics = v[n].both != 0 ? FIDELITY_APPROXIMATE : FIDELITY_EXACT;
        assert_int_equal(f.entry[0].semantics, semantics);
        assert_int_equal(f.of_semantics[semantics], 3);
        fidelity_free(&f);
        close_profile(&o);
    }
}

/* Conversions of blocks are guesses, those of pairs as sure as their figures. */
static void test_blocks(void **state)
{
    static const struct {
        const char *text;
        bool block;
    } v[] = {{"v_cvt_scalef32_2xpk16_fp6_f32 v[20:25], v[10:25], v[10:25], v6", true},
             {"v_cvt_scalef32_pk32_f32_fp6 v[20:51], v[0:5], v6", true},
             {"v_cvt_scalef32_pk_fp4_f32 v1, v2, v3, v4", false}};

    (void)state;
    for (size_t n = 0; n < sizeof v / sizeof v[0]; n++) {
        struct opened o;
        struct isa_inst inst;

        open_profile(&o, "gfx950");
        struct fidelity f = {.target = o.target, .profile = o.profile, .lanes = 64};
        assert_true(isa_decode(f.target, (const uint8_t *)assemble("gfx950", v[n].text).word, 8, &inst, NULL) == 8);
        assert_true(fidelity_add(&f, &inst, 1));
        assert_non_null(f.entry[0].figure);
        unsigned own = least_sure(o.profile, (const char *const[]){f.entry[0].figure, NULL});
        assert_true(own < CONF_GUESS);
        assert_int_equal(f.entry[0].timing, v[n].block ? CONF_GUESS : own);
        fidelity_free(&f);
        close_profile(&o);
    }
}

/* A figure that somebody set says nothing about the chip: it is the least sure one from then on, where it counts. */
static void test_set_figure(void **state)
{
    struct opened o;
    struct err e = {0};

    (void)state;
    open_profile(&o, "gfx1201");
    assert_int_equal(profile_set(o.profile, "class.trans.latency_cycles", "99", &e), 0);
    struct fidelity f = {.target = o.target, .profile = o.profile, .lanes = 32};
    add(&f, &known[3]);
    add(&f, &known[0]);
    fidelity_sort(&f);
    assert_string_equal(f.entry[0].mnemonic, "v_exp_f32");
    assert_int_equal(f.entry[0].timing, CONF_WHAT_IF);
    assert_string_equal(f.entry[0].figure, "class.trans.latency_cycles");
    assert_int_not_equal(f.entry[1].timing, CONF_WHAT_IF);
    fidelity_free(&f);
    close_profile(&o);
}

/* An approximation of a double states its error in words that a number can be compared with, beside the others' units
 * in the last place, not as the widest bound of all. */
static void test_summary_of_bounds(void **state)
{
    const struct known rcp = {.profile = "gfx1201", .text = "v_rcp_f64 v[0:1], v[0:1]"};
    char *text = NULL;
    size_t size = 0;
    struct opened o;

    (void)state;
    open_profile(&o, "gfx1201");
    struct fidelity f = {.target = o.target, .lanes = 32};
    add(&f, &known[0]);
    add(&f, &known[3]);
    add(&f, &rcp);
    fidelity_sort(&f);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fidelity_summary(out, &f);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "  results       33.3% of instructions exact, 33.3% within 1 ULP (v_exp_f32),\n"
                              "                33.3% within a relative error of 2^-23 (v_rcp_f64)\n");
    free(text);
    fidelity_free(&f);
    close_profile(&o);
}

/* Without a profile results alone are judged; words that are no instruction are counted apart. */
static void test_no_profile(void **state)
{
    struct opened o;
    struct isa_inst none = {.row = NULL};

    (void)state;
    open_profile(&o, "gfx803");
    struct fidelity f = {.target = o.target, .lanes = 64};
    add(&f, &known[9]);
    assert_true(fidelity_add(&f, &none, 2));
    assert_int_equal(f.entry[0].semantics, FIDELITY_APPROXIMATE);
    assert_null(f.entry[0].figure);
    assert_int_equal(f.undecodable, 2);
    assert_int_equal(f.total, 5);
    fidelity_free(&f);
    close_profile(&o);
}

/* On every target, of what is executed: whatever the transcendental units compute is approximate; beside it, only sums
 * of floats whose order no manual gives. */
static void test_rows(void **state)
{
    const char *name;

    (void)state;
    for (unsigned t = 0; (name = isa_target_name(t)); t++) {
        struct isa_target *target;
        struct err e = {0};
        struct isa_listing l;

        assert_int_equal(isa_target_open(&target, name, NULL, &e), 0);
        for (unsigned k = 0; isa_list_at(target, k, &l); k++) {
            const struct isa_row *row = l.op->row;
            bool trans = row->cls == OPC_TRANS || row->cls == OPC_F64_TRANS || row->cls == OPC_SALU_TRANS;
            bool sums = row->mat ? row->mat->cd != MT_I32
                                 : !strcmp(row->name, "v_dot2_f16_f16") || !strcmp(row->name, "v_dot2_bf16_bf16") ||
                                       !strcmp(row->name, "v_dot2_bf16_bf16_gfx12");

            if (l.executed && (row->ulp != 0) != (trans || sums))
                fail_msg("%s %s: %g ULP", name, l.op->mnemonic, (double)row->ulp);
        }
        isa_target_close(target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),           cmocka_unit_test(test_blocks), cmocka_unit_test(test_set_figure),
        cmocka_unit_test(test_no_profile),      cmocka_unit_test(test_rows),   cmocka_unit_test(test_summary_of_bounds),
        cmocka_unit_test(test_halves_of_a_pair)};
    return cmocka_run_group_tests_name("fidelity", tests, NULL, NULL);
}
