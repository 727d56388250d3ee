/* What an instruction costs its unit, on every GCN and CDNA chip: how long after one the same wave can issue another
 * that needs nothing of it.
 *
 * The figures stand here a second time, from their sources and not from the profiles: CLRX GcnTimings (GCN1.0-1.4),
 * gcnasm on MI50, LLVM 19 SISchedule for f64 and 64-bit integers. Modifiers change nothing: SDWA and DPP forms go at
 * full rate. */
#include "tests/timing/gcn_rig.h"

/* clang-format off */
static const struct {
    const char *text;
    uint8_t cycles[GCN_CHIPS]; /* in the order of gcn_chips; 0: not on this chip */
} rows[] = {
    {"v_add_f32 v0, v1, v2", {4, 4, 4, 4, 4, 4, 4}},
    {"v_add_f16 v0, v1, v2", {4, 4, 4, 4, 4, 4, 4}},
    {"v_add_f32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_1", {4, 4, 4, 4, 4, 4, 4}},
    {"v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf", {4, 4, 4, 4, 4, 4, 4}},
    {"v_lshl_or_b32 v0, v1, v2, v3", {0, 0, 4, 4, 4, 4, 4}},
    {"v_pk_add_f16 v0, v1, v2", {0, 0, 4, 4, 4, 4, 4}},
    {"v_mad_f32 v0, v1, v2, v3", {4, 4, 4, 4, 4, 4, 0}},
    {"v_fma_f32 v0, v1, v2, v3", {16, 16, 4, 4, 4, 4, 4}},
    {"v_div_fmas_f32 v0, v1, v2, v3", {16, 16, 4, 4, 4, 4, 4}},
    {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", {0, 0, 0, 0, 0, 4, 4}},
    {"v_pk_mul_f32 v[0:1], v[2:3], v[4:5]", {0, 0, 0, 0, 0, 4, 4}},
    {"v_cvt_f32_i32 v0, v1", {4, 4, 4, 4, 4, 4, 4}},
    {"v_mul_u32_u24 v0, v1, v2", {4, 4, 4, 4, 4, 4, 4}},
    {"v_mul_lo_u32 v0, v1, v2", {16, 16, 16, 8, 8, 4, 4}},
    {"v_mul_hi_u32 v0, v1, v2", {16, 16, 16, 8, 8, 4, 4}},
    {"v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]", {16, 16, 16, 16, 16, 16, 16}},
    {"v_qsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]", {16, 16, 16, 16, 16, 16, 16}},
    {"v_lshlrev_b64 v[0:1], v2, v[4:5]", {8, 8, 8, 8, 8, 4, 4}},
    {"v_lshl_add_u64 v[0:1], v[2:3], 0, v[4:5]", {0, 0, 0, 0, 0, 0, 4}},
    {"v_swap_b32 v0, v1", {0, 0, 8, 8, 8, 8, 8}},
    {"v_readlane_b32 s8, v1, 0", {4, 4, 4, 4, 4, 4, 4}},
    {"v_rcp_f32 v0, v1", {16, 16, 16, 16, 16, 16, 16}},
    {"v_sin_f32 v0, v1", {16, 16, 16, 16, 16, 16, 16}},
    {"v_sqrt_f16 v0, v1", {16, 16, 16, 16, 16, 16, 16}},
    {"v_add_f64 v[0:1], v[2:3], v[4:5]", {32, 32, 32, 8, 8, 4, 4}},
    {"v_cvt_f64_f32 v[0:1], v2", {32, 32, 32, 8, 8, 4, 4}},
    {"v_mul_f64 v[0:1], v[2:3], v[4:5]", {64, 64, 64, 16, 16, 4, 4}},
    {"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", {64, 64, 64, 16, 16, 4, 4}},
    {"v_div_scale_f64 v[0:1], vcc, v[2:3], v[4:5], v[2:3]", {64, 64, 64, 16, 16, 4, 4}},
    {"v_rcp_f64 v[0:1], v[2:3]", {64, 64, 64, 32, 32, 16, 16}},
    {"v_dot2_f32_f16 v0, v1, v2, v3", {0, 0, 0, 4, 4, 4, 4}},
    {"v_dot4_i32_i8 v0, v1, v2, v3", {0, 0, 0, 4, 4, 4, 4}},
    {"v_accvgpr_read_b32 v0, a0", {0, 0, 0, 0, 4, 4, 4}},
    {"v_accvgpr_write_b32 a0, v0", {0, 0, 0, 0, 4, 4, 4}},
    {"v_accvgpr_mov_b32 a0, a1", {0, 0, 0, 0, 0, 4, 4}},
    {"v_mov_b64 v[0:1], v[2:3]", {0, 0, 0, 0, 0, 0, 4}},
    {"s_mov_b32 s8, s9", {4, 4, 4, 4, 4, 4, 4}},
    {"s_and_b64 s[8:9], s[10:11], s[12:13]", {4, 4, 4, 4, 4, 4, 4}},
    {"s_and_saveexec_b64 s[8:9], s[10:11]", {8, 8, 8, 8, 8, 8, 8}},
    {"s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8", {8, 8, 8, 8, 8, 8, 8}},
    {"s_load_dword s8, s[0:1], 0x0", {4, 4, 4, 4, 4, 4, 4}},
    {"s_load_dwordx4 s[8:11], s[0:1], 0x0", {4, 4, 4, 4, 4, 4, 4}},
    {"s_load_dwordx8 s[8:15], s[0:1], 0x0", {8, 8, 8, 8, 8, 8, 8}},
    {"s_load_dwordx16 s[8:23], s[0:1], 0x0", {16, 16, 16, 16, 16, 16, 16}},
    {"s_nop 0", {4, 4, 4, 4, 4, 4, 4}},
    {"s_setprio 1", {4, 4, 4, 4, 4, 4, 4}},
    {"s_waitcnt lgkmcnt(0)", {4, 4, 4, 4, 4, 4, 4}},
};
/* clang-format on */

static void rate(unsigned row, unsigned chip)
{
    char text[256];
    struct rig *r;
    unsigned n;

    snprintf(text, sizeof text, ".rept 3; %s; .endr; s_endpgm", rows[row].text);
    r = gcn_text(chip, text, 1);
    n = (unsigned)assemble(r->target->name, rows[row].text).words;
    gcn_expect(r, 0, n, rows[row].cycles[chip], rows[row].text);
    gcn_expect(r, n, 2 * n, rows[row].cycles[chip], rows[row].text);
    rig_free(r);
}

static void rates(void **state)
{
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
            if (rows[row].cycles[chip])
                rate(row, chip);
}

/* A wave that waits for the vector ALU keeps no other unit: scalar instructions go on beside a slow one. */
static void others_go_on(void **state)
{
    static const char code[] =
        "v_rcp_f32 v0, v1; s_mov_b32 s4, 0; s_add_u32 s5, s4, 1; s_nop 0; v_add_f32 v4, v1, v2; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, code, 1);

        gcn_expect(r, 0, 1, 4, "SALU beside a transcendental");
        gcn_expect(r, 0, 2, 8, "dependent SALU");
        gcn_expect(r, 0, 3, 12, "s_nop");
        gcn_expect(r, 0, 4, 16, "VALU after a transcendental");
        rig_free(r);
    }
}

/* A slow instruction of one wave keeps the vector ALU from the others of its SIMD, and from no other SIMD. */
static void one_vector_alu_for_a_simd(void **state)
{
    static const char code[] = "v_rcp_f32 v0, v1; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, code, 8);

        r->profile.frontend.wave_launch_interval_cycles = 1;
        rig_run(r);
        for (uint32_t w = 0; w < 4; w++) {
            assert_true(rig_issue_of(r, w, 0, 0) - rig_issue_of(r, 0, 0, 0) < 16);
            assert_int_equal(rig_issue_of(r, w + 4, 0, 0), rig_issue_of(r, w, 0, 0) + 16);
        }
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(others_go_on),
        cmocka_unit_test(one_vector_alu_for_a_simd),
    };

    return cmocka_run_group_tests_name("timing/gcn_rates", tests, NULL, NULL);
}
