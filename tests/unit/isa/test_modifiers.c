/* What happens to operands and results around an instruction: SDWA, DPP16, DPP8, neg, abs, omod, clamp, op_sel,
 * constants. Encodings are built from fields, so that every value of a field is met. (GCN3 ISA 6.6, RDNA3 ISA 6.7,
 * 6.2, 7.2.)
 */
#include "isa/lanes/fp.h"
#include "tests/unit/isa/modifier_model.h"

/* omod is ignored with denormals let out, and in IEEE mode */
#define OMOD_MODE MODE_DX10_CLAMP

struct code {
    const char *target;
    const uint32_t *words;
    size_t n;
};

static uint32_t f(float v)
{
    return bits_f32(v);
}

/* --- SDWA ----------------------------------------------------------------------------------------------------------
 */

static void sdwa_fields(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1030"};
    static const uint32_t xor_opcode[] = {0x15, 0x15, 0x1d};
    uint32_t seed = 3;
    struct rig r;

    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        rig_open(&r, targets[t], t == 2 ? 32 : 64);
        for (unsigned k = 0; k < 7 * 7 * 7 * 3; k++) {
            unsigned s0 = k % 7, s1 = k / 7 % 7, d = k / 49 % 7, unused = k / 343, sext = k & 3;
            uint64_t exec = next_random(&seed) | (uint64_t)next_random(&seed) << 32;
            isa_set_exec(&r.w, exec);
            for (unsigned l = 0; l < r.w.lanes; l++) {
                rig_v(&r, 0, l, next_random(&seed));
                rig_v(&r, 1, l, next_random(&seed));
                rig_v(&r, 2, l, next_random(&seed));
                rig_v(&r, 3, l, rig_getv(&r, 0, l));
            }
            uint32_t words[2] = {xor_opcode[t] << 25 | 0 << 17 | 2 << 9 | CODE_SDWA, 1 | d << 8 | unused << 11 |
                                                                                         s0 << 16 | (sext & 1) << 19 |
                                                                                         s1 << 24 | (sext >> 1) << 27};
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < r.w.lanes; l++) {
                uint32_t old = rig_getv(&r, 3, l);
                uint32_t v =
                    model_select(rig_getv(&r, 1, l), s0, sext & 1) ^ model_select(rig_getv(&r, 2, l), s1, sext >> 1);
                uint32_t want = exec >> l & 1 ? model_placed(v, old, d, unused) : old;
                if (rig_getv(&r, 0, l) != want)
                    fail_msg("%s sel %u,%u->%u unused %u sext %u: %08x, expected %08x", targets[t], s0, s1, d, unused,
                             sext, rig_getv(&r, 0, l), want);
            }
        }
        rig_close(&r);
    }
}

static void sdwa_on_floats(void **state)
{
    (void)state;
    check_table("gfx803", W(0x020004f9, 0x06360601) /* v_add_f32_sdwa v0, -|v1|, v2 dst_sel:DWORD dst_unused:UNUSED_PAD
                                                       src0_sel:DWORD src1_sel:DWORD */
                ,
                CASES({f(-3.0f), f(5.0f), 0, f(2.0f)}));
    check_table("gfx803", W(0x3e0004f9, 0x06051501) /* v_add_f16_sdwa v0, v1, v2 dst_sel:WORD_1
                                                       dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD */
                ,
                CASES({0x3c000000, 0x4000, 0, 0x42001234}));
    check_table("gfx90a", W(0x100004f9, 0x01040601) /* v_mul_u32_u24_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD
                                                       src0_sel:WORD_0 src1_sel:BYTE_1 */
                ,
                CASES({0xffff0003, 0x00000500, 0, 15}));
    check_table_mode(OMOD_MODE, "gfx90a",
                     W(0x0a0004f9, 0x06066601) /* v_mul_f32_sdwa v0, v1, v2 clamp mul:2
                                  dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD */
                     ,
                     CASES({f(0.25f), f(0.5f), 0, f(0.25f)}, {f(2.0f), f(2.0f), 0, f(1.0f)}));
    struct code cmp = {"gfx90a", W(0x7d9404f9, 0x03008801) /* v_cmp_eq_u32_sdwa s[8:9], v1, v2 src0_sel:BYTE_0 src1_sel:BYTE_3 */},
                sgpr = {"gfx90a", W(0x680004f9, 0x06810605) /* v_add_u32_sdwa v0, s5, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD */};
    struct rig r;
    rig_open(&r, "gfx90a", 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 1, l, 0x11111100 | l);
        rig_v(&r, 2, l, 0x07222222);
    }
    rig_run(&r, cmp.words, (unsigned)cmp.n);
    assert_int_equal(r.w.s[8], 1 << 7);
    assert_int_equal(r.w.s[9], 0);
    r.w.s[5] = 0x2100;
    rig_run(&r, sgpr.words, (unsigned)sgpr.n);
    assert_int_equal(rig_getv(&r, 0, 0), 0x07222222 + 0x21);
    rig_close(&r);
}

/* --- DPP -----------------------------------------------------------------------------------------------------------
 */

static void check_dpp(struct rig *r, unsigned ctrl, unsigned rows, unsigned banks, bool bound, bool fi, uint32_t *seed)
{
    unsigned lanes = r->w.lanes;
    uint64_t exec = next_random(seed) | (uint64_t)next_random(seed) << 32;
    uint32_t words[2] = {0x7e000000 | 0 << 17 | 1 << 9 | CODE_DPP16,
                         1 | ctrl << 8 | (uint32_t)fi << 18 | (uint32_t)bound << 19 | banks << 24 | rows << 28};

    isa_set_exec(&r->w, exec);
    for (unsigned l = 0; l < lanes; l++) {
        rig_v(r, 0, l, 9000 + l);
        rig_v(r, 1, l, 1000 + l);
    }
    rig_run(r, words, 2);
    for (unsigned l = 0; l < lanes; l++) {
        int s = model_dpp_lane(ctrl, (int)l, (int)lanes);
        bool valid = s >= 0 && (fi || (exec >> s & 1));
        bool on = (exec >> l & 1) && (rows >> l / 16 & 1) && (banks >> l % 16 / 4 & 1);
        uint32_t want = !on ? 9000 + l : valid ? 1000 + (uint32_t)s : bound ? 0 : 9000 + l;
        bool open_question = bound && s < 0 && (ctrl == 0x142 || ctrl == 0x143); /* broadcast into the first row */
        if (!open_question && rig_getv(r, 0, l) != want)
            fail_msg("%s dpp_ctrl %03x rows %x banks %x bound %d fi %d lane %u: %u, expected %u", r->t->name, ctrl,
                     rows, banks, bound, fi, l, rig_getv(r, 0, l), want);
    }
}

static void dpp16(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        bool wave, share, xmask, fi;
    } all[] = {{"gfx803", 64, true, false, false, false},
               {"gfx90a", 64, true, true, false, false},
               {"gfx1030", 32, false, true, true, true},
               {"gfx1201", 32, false, true, true, true},
               {"gfx1201", 64, false, true, true, true}};
    uint32_t seed = 12;
    struct rig r;

    (void)state;
    for (unsigned t = 0; t < sizeof all / sizeof all[0]; t++) {
        rig_open(&r, all[t].target, all[t].lanes);
        for (unsigned ctrl = 0; ctrl < 0x170; ctrl++) {
            bool wave =
                ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c || ctrl == 0x142 || ctrl == 0x143;
            bool row = ctrl < 0x130 && ctrl != 0x100 && ctrl != 0x110 && ctrl != 0x120;
            bool legal = row || (wave && all[t].wave) || ctrl == 0x140 || ctrl == 0x141 ||
                         (ctrl >= 0x150 && ctrl < 0x160 && all[t].share) || (ctrl >= 0x160 && all[t].xmask);
            if (!legal)
                continue;
            check_dpp(&r, ctrl, 15, 15, false, false, &seed);
            check_dpp(&r, ctrl, 15, 15, true, false, &seed);
            check_dpp(&r, ctrl, 10, 15, false, false, &seed);
            check_dpp(&r, ctrl, 15, 6, true, false, &seed);
            if (all[t].fi)
                check_dpp(&r, ctrl, 15, 15, false, true, &seed);
        }
        rig_close(&r);
    }
}

static void dpp8(void **state)
{
    uint32_t seed = 5;
    struct rig r;

    (void)state;
    for (unsigned t = 0; t < 2; t++) {
        rig_open(&r, t ? "gfx1201" : "gfx1030", t ? 64 : 32);
        for (unsigned round = 0; round < 40; round++) {
            bool fi = round & 1;
            uint32_t sel = next_random(&seed) & 0xffffff;
            uint64_t exec = next_random(&seed) | (uint64_t)next_random(&seed) << 32;
            uint32_t words[2] = {0x7e000000 | 0 << 17 | 1 << 9 | (fi ? CODE_DPP8_FI : CODE_DPP8), 1 | sel << 8};
            isa_set_exec(&r.w, exec);
            for (unsigned l = 0; l < r.w.lanes; l++) {
                rig_v(&r, 0, l, 9000 + l);
                rig_v(&r, 1, l, 1000 + l);
            }
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < r.w.lanes; l++) {
                unsigned s = l / 8 * 8 + (sel >> 3 * (l % 8) & 7);
                uint32_t want = !(exec >> l & 1) ? 9000 + l : fi || (exec >> s & 1) ? 1000 + s : 0;
                assert_int_equal(rig_getv(&r, 0, l), want);
            }
        }
        rig_close(&r);
    }
}

/* A wave-wide sum by row shifts and broadcasts, as compilers write it; and modifiers on a DPP source. */
static void dpp_reduction(void **state)
{
    struct rig r;
    struct
        code sum =
                 {
                     "gfx90a", W(0x680000fa, 0xff091100, 0x680000fa, 0xff091200, 0x680000fa,
                                 0xff091400, 0x680000fa, 0xff091800, 0x680000fa, 0xaf014200, 0x680000fa, 0xcf014300) /* v_add_u32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0; v_add_u32_dpp v0, v0, v0 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0; v_add_u32_dpp v0, v0, v0 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:0; v_add_u32_dpp v0, v0, v0 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:0; v_add_u32_dpp v0, v0, v0 row_bcast:15 row_mask:0xa bank_mask:0xf; v_add_u32_dpp v0, v0, v0 row_bcast:31 row_mask:0xc bank_mask:0xf */},
             neg = {"gfx1201",
                    W(0x060004fa,
                      0xff30b101) /* v_add_f32_dpp v0, -|v1|, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf */},
             e64 = {"gfx1201",
                    W(0xd5250000, 0x000008fa,
                      0xff00b101) /* v_add_nc_u32_e64_dpp v0, v1, s4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf */},
             wide = {"gfx90a",
                     W(0x7e0030fa,
                       0xff015302) /* v_ceil_f64_dpp v[0:1], v[2:3] row_newbcast:3 row_mask:0xf bank_mask:0xf */};

    (void)state;
    rig_open(&r, sum.target, 64);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 0, l, l + 1);
    rig_run(&r, sum.words, (unsigned)sum.n);
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), (l + 1) * (l + 2) / 2);
    rig_close(&r);

    rig_open(&r, neg.target, 32);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 1, l, f((float)l));
        rig_v(&r, 2, l, f(100.0f));
    }
    rig_run(&r, neg.words, (unsigned)neg.n);
    assert_int_equal(rig_getv(&r, 0, 6), f(93.0f));
    r.w.s[4] = 5;
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 1, l, l);
    rig_run(&r, e64.words, (unsigned)e64.n);
    assert_int_equal(rig_getv(&r, 0, 6), 12);
    rig_close(&r);

    rig_open(&r, wide.target, 64);
    for (unsigned l = 0; l < 64; l++) {
        uint64_t u = bits_f64(l + 0.5);
        rig_v(&r, 2, l, (uint32_t)u);
        rig_v(&r, 3, l, (uint32_t)(u >> 32));
    }
    rig_run(&r, wide.words, (unsigned)wide.n);
    for (unsigned l = 0; l < 64; l++)
        assert_true((rig_getv(&r, 0, l) | (uint64_t)rig_getv(&r, 1, l) << 32) == bits_f64((double)(l / 16 * 16 + 4)));
    rig_close(&r);
}

/* --- neg, abs, omod, clamp, op_sel ---------------------------------------------------------------------------------
 */

static void source_modifiers(void **state)
{
    (void)state;
    check_table("gfx803", W(0xd1010200, 0x20020501) /* v_add_f32_e64 v0, -v1, |v2| */,
                CASES({f(1.0f), f(-5.0f), 0, f(4.0f)}, {0x7fc00001, 0, 0, 0xffc00001}));
    check_table("gfx1201", W(0xd6130100, 0xa40e0501) /* v_fma_f32 v0, -|v1|, v2, -v3 */,
                CASES({f(-2.0f), f(3.0f), f(4.0f), f(-10.0f)}));
    check_table("gfx90a", W(0xd1000200, 0x21fa0501) /* v_cndmask_b32_e64 v0, -v1, |v2|, exec */,
                CASES({f(1.0f), f(-2.0f), 0, f(2.0f)}));
    check_table("gfx90a", W(0xd1000200, 0x20120501) /* v_cndmask_b32_e64 v0, -v1, |v2|, s[4:5] */,
                CASES({f(1.0f), f(-2.0f), 0, f(-1.0f)}));
    check_table("gfx90a", W(0xd11f0200, 0x20020501) /* v_add_f16_e64 v0, -v1, |v2| */,
                CASES({0xffff3c00, 0xc000, 0, 0x3c00}));
    check_table("gfx90a", W(0xd2880000, 0x20020501) /* v_ldexp_f32 v0, -v1, v2 */, CASES({f(1.5f), 1, 0, f(-3.0f)}));
}

#define MODE_DEFAULT (0xf0 | MODE_DX10_CLAMP | MODE_IEEE)

static void result_modifiers(void **state)
{
    (void)state;
    check_table_mode(OMOD_MODE, "gfx803", W(0xd1010000, 0x08020501) /* v_add_f32_e64 v0, v1, v2 mul:2 */,
                     CASES({f(1.0f), f(2.0f), 0, f(6.0f)}));
    check_table_mode(OMOD_MODE, "gfx90a", W(0xd1010000, 0x10020501) /* v_add_f32_e64 v0, v1, v2 mul:4 */,
                     CASES({f(1.0f), f(2.0f), 0, f(12.0f)}));
    check_table_mode(OMOD_MODE, "gfx1201", W(0xd5030000, 0x18020501) /* v_add_f32_e64 v0, v1, v2 div:2 */,
                     CASES({f(1.0f), f(2.0f), 0, f(1.5f)}, {0x00800000, 0, 0, 0}));
    check_table("gfx90a", W(0xd1018000, 0x00020501) /* v_add_f32_e64 v0, v1, v2 clamp */,
                CASES({f(1.0f), f(2.0f), 0, f(1.0f)}, {f(0.25f), f(0.5f), 0, f(0.75f)}, {f(-1.0f), 0, 0, 0},
                      {0x7fc00000, 0, 0, 0}, {0x80000000, 0x80000000, 0, 0}));
    check_table_mode(0xf0 | MODE_IEEE, "gfx90a", W(0xd1018000, 0x00020501) /* v_add_f32_e64 v0, v1, v2 clamp */,
                     CASES({0x7fc00005, 0, 0, 0x7fc00005}));
    check_table_mode(OMOD_MODE, "gfx90a", W(0xd1018000, 0x10020501) /* v_add_f32_e64 v0, v1, v2 clamp mul:4 */,
                     CASES({f(0.125f), f(0.0f), 0, f(0.5f)}, {f(1.0f), 0, 0, f(1.0f)}));
    check_table("gfx90a", W(0xd11f8000, 0x00020501) /* v_add_f16_e64 v0, v1, v2 clamp */,
                CASES({0x4000, 0x3c00, 0, 0x3c00}, {0xbc00, 0, 0, 0}, {0x3400, 0, 0, 0x3400}));
    check_table_mode(OMOD_MODE, "gfx90a", W(0xd1220000, 0x08020501) /* v_mul_f16_e64 v0, v1, v2 mul:2 */,
                     CASES({0x3c00, 0x4200, 0, 0x4600}));
    check_table("gfx803", W(0xd1010000, 0x08020501) /* v_add_f32_e64 v0, v1, v2 mul:2 */,
                CASES({f(1.0f), f(2.0f), 0, f(3.0f)}));
    check_table_mode(MODE_IEEE, "gfx803", W(0xd1010000, 0x08020501), CASES({f(1.0f), f(2.0f), 0, f(3.0f)}));
    check_table_mode(0xf0, "gfx803", W(0xd1010000, 0x08020501), CASES({f(1.0f), f(2.0f), 0, f(3.0f)}));
    /* gfx12 has no IEEE mode */
    check_table_mode(MODE_IEEE, "gfx1201", W(0xd5030000, 0x18020501), CASES({f(1.0f), f(2.0f), 0, f(1.5f)}));
}

/* gfx8 clears the other half of a 16-bit result, gfx9 too except in the instructions that were new then, gfx10 on keeps
 * it; op_sel addresses halves (gfx9 on). */
static void halves(void **state)
{
    (void)state;
    check_table("gfx803", W(0x4c000501) /* v_add_u16_e32 v0, v1, v2 */, CASES({0x10001, 0x20002, 0, 3}));
    check_table("gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */, CASES({0x3c00, 0x3c00, 0, 0x4000}));
    check_table("gfx1030", W(0x64000501) /* v_add_f16_e32 v0, v1, v2 */, CASES({0x3c00, 0x3c00, 0, 0x5a5a4000}));
    check_table("gfx90a", W(0xd2040800, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,0,0] */,
                CASES({0x00050001, 3, 4, 0x5a5a0013}));
    check_table("gfx90a", W(0xd2044000, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1] */,
                CASES({5, 3, 4, 0x00131234}));
    check_table("gfx1030", W(0xd7405000, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,0,1] */,
                CASES({5, 0x30000, 4, 0x00131234}));
}

static void constants(void **state)
{
    (void)state;
    check_table("gfx803", W(0x7e0002d0) /* v_mov_b32_e32 v0, -16 */, CASES({0, 0, 0, 0xfffffff0}));
    check_table("gfx803", W(0x7e0002c0) /* v_mov_b32_e32 v0, 64 */, CASES({0, 0, 0, 64}));
    check_table("gfx803", W(0x7e0002f0) /* v_mov_b32_e32 v0, 0.5 */, CASES({0, 0, 0, 0x3f000000}));
    check_table("gfx90a", W(0x7e0002f8) /* v_mov_b32_e32 v0, 0.15915494 */, CASES({0, 0, 0, 0x3e22f983}));
    check_table("gfx1201", W(0x7e0002ff, 0xdeadbeef) /* v_mov_b32_e32 v0, 0xdeadbeef */, CASES({0, 0, 0, 0xdeadbeef}));
    check_table("gfx1201", W(0xd6550000, 0x0409ff01, 0x00010000) /* v_add3_u32 v0, v1, 0x10000, v2 */,
                CASES({1, 2, 0, 0x10003}));
    check_table("gfx90a", W(0x3e0002f2) /* v_add_f16_e32 v0, 1.0, v1 */, CASES({0x3c00, 0, 0, 0x4000}));
    check_table("gfx1201", W(0x7e00027c) /* v_mov_b32_e32 v0, null */, CASES({0, 0, 0, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sdwa_fields),
        cmocka_unit_test(sdwa_on_floats),
        cmocka_unit_test(dpp16),
        cmocka_unit_test(dpp8),
        cmocka_unit_test(dpp_reduction),
        cmocka_unit_test(source_modifiers),
        cmocka_unit_test(result_modifiers),
        cmocka_unit_test(halves),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
