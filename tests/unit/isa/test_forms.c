/* Which forms an instruction of the older targets has: SDWA, DPP and DPP8 words, fields that must be zero, operands
 * that decode although they are none of their kind. Text and lengths are those of llvm-mc-19 --disassemble. Running
 * what LLVM marks as invalid is an illegal instruction.
 */
#define RECORD_NOTHING /* that it runs says nothing about its result */
#include "tests/unit/isa/harness.h"

enum outcome { RUNS, ILLEGAL, SKIPS };

struct form {
    const char *target;
    uint32_t words[2];
    uint8_t bytes; /* 0: no instruction */
    uint8_t outcome;
    const char *text;
};

static const struct form forms[] = {
    /* v_nop takes an SDWA or DPP word in which no register and no modifier stands; else it is alone */
    {"gfx900", {0x7e0000fa, 0x0000e400}, 8, RUNS, "v_nop quad_perm:[0,1,2,3] row_mask:0x0 bank_mask:0x0"},
    {"gfx900", {0x7e0000f9, 0x00000600}, 8, RUNS, "v_nop"},
    {"gfx900", {0x7e0000fa, 0x0000e401}, 4, SKIPS, "v_nop"},
    {"gfx803", {0x7e0000f9, 0x00004600}, 8, RUNS, "v_nop"}, /* gfx8 has no omod there */
    {"gfx900", {0x7e0000f9, 0x00004600}, 4, SKIPS, "v_nop"},
    {"gfx1010", {0x7e0000e9, 0x00000000}, 8, RUNS, "v_nop dpp8:[0,0,0,0,0,0,0,0]"},
    {"gfx900", {0x7e0000e9, 0x00000000}, 4, SKIPS, "v_nop"},
    /* SDWA: a reserved dst_unused; the second source's fields; omod; multiply-adds into the destination */
    {"gfx900",
     {0x020202f9, 0x06061e00},
     8,
     ILLEGAL,
     "v_add_f32_sdwa v1, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"},
    {"gfx900",
     {0x7e0010f9, 0x00060600},
     8,
     RUNS,
     "v_cvt_i32_f32_sdwa v0, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD"},
    {"gfx900", {0x7e0010f9, 0x06060600}, 0, SKIPS, NULL},
    {"gfx900", {0x7e0010f9, 0x00064600}, 0, SKIPS, NULL},
    {"gfx803",
     {0x7e0010f9, 0x00064600},
     8,
     RUNS,
     "v_cvt_i32_f32_sdwa v0, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD"},
    {"gfx803",
     {0x2c0202f9, 0x06060600},
     8,
     RUNS,
     "v_mac_f32_sdwa v1, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"},
    {"gfx900", {0x2c0202f9, 0x06060600}, 0, SKIPS, NULL},
    {"gfx1010", {0x7c2202f9, 0x06060000}, 8, RUNS, "v_cmpx_lt_f32_sdwa v0, v1 src0_sel:DWORD src1_sel:DWORD"},
    {"gfx1010", {0x7c2202f9, 0x06068000}, 0, SKIPS, NULL}, /* v_cmpx has no sdst there */
    /* moves with a relative register have twins from gfx10 on */
    {"gfx803", {0x7e006cf9, 0x00060600}, 0, SKIPS, NULL},
    {"gfx803", {0x7e006cfa, 0xff00e400}, 0, SKIPS, NULL},
    {"gfx1010",
     {0x7e0084f9, 0x00060600},
     8,
     RUNS,
     "v_movreld_b32_sdwa v0, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD"},
    {"gfx1010",
     {0x7e0084fa, 0xff00e400},
     8,
     RUNS,
     "v_movreld_b32_dpp v0, v0 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf"},
    /* pairs of registers and DPP */
    {"gfx90a",
     {0x7e0030fa, 0xff015002},
     8,
     RUNS,
     "v_ceil_f64_dpp v[0:1], v[2:3] row_newbcast:0 row_mask:0xf bank_mask:0xf"},
    {"gfx90a",
     {0x7e0030fa, 0xff00e402},
     8,
     ILLEGAL,
     "v_ceil_f64_dpp v[0:1], v[2:3] /* DP ALU dpp only supports row_newbcast */ row_mask:0xf bank_mask:0xf"},
    {"gfx942",
     {0x7e00acfa, 0xff015001},
     8,
     RUNS,
     "v_cvt_pk_f32_fp8_dpp v[0:1], v1 row_newbcast:0 row_mask:0xf bank_mask:0xf"},
    {"gfx942", {0x7e00acf9, 0x00060600}, 8, RUNS, "v_cvt_pk_f32_fp8_sdwa v[0:1], v0 src0_sel:DWORD"},
    {"gfx942", {0x7e00acf9, 0x00060000}, 0, SKIPS, NULL},
    /* registers where only others can be */
    {"gfx900", {0xbe801d80, 0}, 4, ILLEGAL, "s_setpc_b64 0/*Invalid immediate*/"},
    {"gfx900",
     {0xd28a0000, 0x0003fc80},
     8,
     ILLEGAL,
     "v_writelane_b32 v0, 0, v254/*Invalid register, operand has 'SReg_32' register class*/"},
    {"gfx900",
     {0xd28a0000, 0x000100fe},
     8,
     ILLEGAL,
     "v_writelane_b32 v0, src_lds_direct/*Invalid register, operand has 'SReg_32' register class*/, 0"},
    {"gfx900", {0xd1420000, 0x00000100}, 0, SKIPS, NULL}, /* v_readfirstlane_b32 has no VOP3 form */
    {"gfx90a", {0x7e00a480, 0}, 4, ILLEGAL, "v_accvgpr_mov_b32 a0, 0/*Invalid immediate*/"},
    {"gfx90a", {0x7e00a4fd, 0}, 4, ILLEGAL, "v_accvgpr_mov_b32 a0, src_scc"},
    {"gfx908",
     {0xd3d80000, 0x00000000},
     8,
     ILLEGAL,
     "v_accvgpr_read_b32 v0, s0/*Invalid register, operand has 'AGPR_32' register class*/"},
    {"gfx908", {0xd3d84000, 0x18000101}, 8, RUNS, "v_accvgpr_read_b32 v0, a1"},
    {"gfx908", {0xd3d80100, 0x00000101}, 0, SKIPS, NULL},
    {"gfx90a",
     {0xd3c10000, 0x04000002},
     8,
     ILLEGAL,
     "v_mfma_f32_16x16x1f32 v[0:15], s2/*Invalid register, operand has 'AV_32' register class*/, s0/*Invalid register, "
     "operand has 'AV_32' register class*/, v[0:15]"},
    {"gfx90a", {0xd3c10000, 0x0401fb00}, 8, ILLEGAL, "v_mfma_f32_16x16x1f32 v[0:15], v0, src_scc, v[0:15]"},
    {"gfx90a", {0xd3c10000, 0x03f60300}, 8, ILLEGAL, "v_mfma_f32_16x16x1f32 v[0:15], v0, v1, src_scc"},
    {"gfx90a", {0xd3c10000, 0x02020300}, 8, RUNS, "v_mfma_f32_16x16x1f32 v[0:15], v0, v1, 0"},
    /* other rows' oddities */
    {"gfx900", {0xbf11ffa4, 0}, 4, RUNS, "s_set_gpr_idx_on 36, 0xff"},
    {"gfx900", {0x7e006e05, 0}, 4, RUNS, "v_screen_partition_4se_b32_e32 v0, s5"},
    {"gfx90a", {0x78000501, 0}, 4, RUNS, "v_pk_fmac_f16_e32 v0, v1, v2"},
    {"gfx90a", {0xd13c0000, 0x00020501}, 0, SKIPS, NULL},
    {"gfx908", {0xd1380300, 0x60020501}, 8, RUNS, "v_dot2c_i32_i16_e64 v0, v1, v2"}, /* modifiers not looked at */
    {"gfx942", {0xd2a40800, 0x00020501}, 8, SKIPS, "v_cvt_sr_fp8_f32 v0, v1, v2 op_sel:[1,0,0,0]"},
};

static void test_forms(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        const struct form *f = &forms[k];
        struct rig r;
        struct isa_inst i;
        char text[300];

        rig_open(&r, f->target, 64);
        unsigned bytes = isa_decode(r.t, (const uint8_t *)f->words, 8, &i, NULL);
        if (bytes != f->bytes)
            fail_msg("%s %08x %08x: %u bytes, %u expected", f->target, f->words[0], f->words[1], bytes, f->bytes);
        if (bytes) {
            isa_text(r.t, &i, text, sizeof text);
            assert_string_equal(text, f->text);
        }
        if (f->outcome == RUNS) {
            rig_run(&r, f->words, bytes / 4);
        } else if (f->outcome != SKIPS) {
            assert_int_equal(rig_try(&r, f->words, bytes / 4), ISA_FAULT);
            assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        }
        rig_close(&r);
    }
}

/* The word after v_nop may lie past the end of the code: then there is none. */
static void test_nop_at_the_end(void **state)
{
    const uint32_t word = 0x7e0000fa;
    struct isa_inst i;
    struct rig r;

    (void)state;
    rig_open(&r, "gfx900", 64);
    assert_int_equal(isa_decode(r.t, (const uint8_t *)&word, 4, &i, NULL), 4);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_nop_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
