/* isa_inst_regs where the manuals' lists (tests/golden/test_operands.c) do not reach: MODE, FLAT_SCRATCH, modifiers
 * that add or take a register, targets without a list, the longest list there is. Encodings are llvm-mc-19's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"

struct regs_case {
    const char *target, *text; /* as LLVM writes it, blanks aside */
    unsigned lanes;
    uint32_t w[5];
    /* direction, register, bits */
    const char *regs;
};

static const struct regs_case cases[] = {
    /* MODE: float arithmetic, and what sets it */
    {"gfx900", "v_add_f32_e32 v0, v1, v2", 64, {0x02000501}, "w v0:32, r v1:32, r v2:32, r exec:64, r mode:32"},
    {"gfx900", "v_add_u32_e32 v0, v1, v2", 64, {0x68000501}, "w v0:32, r v1:32, r v2:32, r exec:64"},
    {"gfx900", "s_setreg_b32 hwreg(HW_REG_MODE), s2", 64, {0xb902f801}, "r s2:32, r mode:32, w mode:32"},
    {"gfx1030", "s_round_mode 0x3", 32, {0xbfa40003}, "r mode:32, w mode:32"},
    /* scratch memory behind FLAT, where it is a pair of SGPRs */
    {"gfx900", "flat_load_dword v1, v[2:3]", 64, {0xdc500000, 0x01000002}, "w v1:32, r v2:64, r exec:64, r s102:64"},
    {"gfx803", "flat_load_dword v1, v[2:3]", 64, {0xdc500000, 0x01000002}, "w v1:32, r v2:64, r exec:64, r s102:64"},
    {"gfx942", "flat_load_dword v1, v[2:3]", 64, {0xdc500000, 0x01000002}, "w v1:32, r v2:64, r exec:64"},
    /* one register more, or none but M0 */
    {"gfx900",
     "buffer_load_dwordx2 v[4:6], v1, s[8:11], s1 offen tfe",
     64,
     {0xe0541000, 0x01820401},
     "w v4:96, r v1:32, r s8:128, r s1:32, r exec:64"},
    {"gfx900",
     "buffer_load_dword v1, s[8:11], s1 offen lds",
     64,
     {0xe0511000, 0x01020001},
     "r v1:32, r s8:128, r s1:32, r exec:64, r m0:32"},
    /* a part of the register stays */
    {"gfx900",
     "v_mov_b32_sdwa v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
     64,
     {0x7e0202f9, 0x00061102},
     "r v1:32, w v1:32, r v2:32, r exec:64"},
    {"gfx900",
     "v_mov_b32_sdwa v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD",
     64,
     {0x7e0202f9, 0x00060102},
     "w v1:32, r v2:32, r exec:64"},
    {"gfx900",
     "global_load_short_d16_hi v1, v[2:3], off",
     64,
     {0xdc948000, 0x017f0002},
     "r v1:32, w v1:32, r v2:64, r exec:64"},
    {"gfx90a", "global_load_short_d16_hi v1, v[2:3], off", 64, {0xdc948000, 0x017f0002}, "w v1:32, r v2:64, r exec:64"},
    /* M0 bounds LDS on gfx8 */
    {"gfx803", "ds_read_b32 v1, v2", 64, {0xd86c0000, 0x01000002}, "w v1:32, r v2:32, r exec:64, r m0:32"},
    {"gfx900", "ds_read_b32 v1, v2", 64, {0xd86c0000, 0x01000002}, "w v1:32, r v2:32, r exec:64"},
    /* lane masks */
    {"gfx900",
     "v_cmpx_eq_f32_e32 vcc, v1, v2",
     64,
     {0x7ca40501},
     "w vcc:64, r v1:32, r v2:32, r exec:64, w exec:64, r mode:32"},
    {"gfx1030", "v_cmpx_eq_f32_e32 v1, v2", 32, {0x7c240501}, "w exec:32, r v1:32, r v2:32, r exec:32, r mode:32"},
    {"gfx1030",
     "v_cndmask_b32_e32 v0, v1, v2, vcc_lo",
     32,
     {0x02000501},
     "w v0:32, r v1:32, r v2:32, r vcc:32, r exec:32"},
    {"gfx1100",
     "v_dual_fmac_f32 v0, v1, v2 :: v_dual_cndmask_b32 v3, v4, v5",
     32,
     {0xc8120501, 0x00020b04},
     "w v0:32, r v1:32, r v2:32, r v0:32, w v3:32, r v4:32, r v5:32, r vcc:32, r exec:32, r mode:32"},
    {"gfx900", "v_mov_b32_e32 v1, src_scc", 64, {0x7e0202fd}, "w v1:32, r scc:32, r exec:64"},
    {"gfx900", "v_mov_b32_e32 v1, src_vccz", 64, {0x7e0202fb}, "w v1:32, r vcc:64, r exec:64"},
    /* both ways, matrices, jumps */
    {"gfx900", "v_swap_b32 v1, v2", 64, {0x7e02a302}, "r v1:32, w v1:32, r v2:32, w v2:32, r exec:64"},
    {"gfx908", "v_accvgpr_write_b32 a1, v2", 64, {0xd3d94001, 0x18000102}, "w a1:32, r v2:32, r exec:64"},
    {"gfx908",
     "v_mfma_f32_4x4x1f32 a[0:3], v1, v2, a[4:7]",
     64,
     {0xd3c20000, 0x04120501},
     "w a0:128, r v1:32, r v2:32, r a4:128"},
    {"gfx942",
     "v_smfmac_f32_16x16x32_f16 v[0:3], a[4:5], v[6:9], v10",
     64,
     {0xd3e20000, 0x0c2a0d04},
     "r v0:128, w v0:128, r a4:64, r v6:128, r v10:32"},
    {"gfx900", "s_call_b64 s[2:3], 4", 64, {0xba820004}, "w s2:64, w pc:64"},
    {"gfx900", "s_atomic_cmpswap s[4:5], s[2:3], 0x0 glc", 64, {0xc2070101, 0}, "r s4:64, r s2:64, w s4:32"},
    /* the longest list */
    {"gfx1030",
     "image_sample_c_d_cl_o v[0:3], [v4, v6, v8, v10, v12, v14, v16, v18, v20, v22, v24, v26], s[0:7], s[8:11] "
     "dmask:0xf dim:SQ_RSRC_IMG_3D",
     32,
     {0xf0ec0f16, 0x00400004, 0x0c0a0806, 0x1412100e, 0x001a1816},
     "w v0:128, r v4:32, r s0:256, r s8:128, r v6:32, r v8:32, r v10:32, r v12:32, r v14:32, r v16:32, r v18:32, "
     "r v20:32, r v22:32, r v24:32, r v26:32, r exec:32"},
};

static void add_text(const struct isa_target *t, char *text, size_t size, const struct isa_regref *r)
{
    static const char *const files[] = {"s", "v", "a", "scc", "mode", "pc"};
    size_t n = strlen(text);
    const char *named = r->file != RF_SGPR         ? NULL
                        : r->first == CODE_VCC_LO  ? "vcc"
                        : r->first == CODE_EXEC_LO ? "exec"
                        : r->first == t->code_m0   ? "m0"
                                                   : NULL;

    snprintf(text + n, size - n, "%s%c %s", n ? ", " : "", r->write ? 'w' : 'r', named ? named : files[r->file]);
    n = strlen(text);
    if (!named && r->file < RF_SCC)
        snprintf(text + n, size - n, "%u", r->first);
    n = strlen(text);
    snprintf(text + n, size - n, ":%u", r->bits);
}

static void test_cases(void **state)
{
    struct err e = {0};

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct regs_case *c = &cases[k];
        struct isa_regref refs[ISA_MAX_REGREFS];
        struct isa_target *t;
        struct isa_inst i;
        char text[512] = "";

        assert_int_equal(isa_target_open(&t, c->target, "base", &e), 0);
        assert_true(isa_decode(t, (const uint8_t *)c->w, sizeof c->w, &i, NULL));
        isa_text(t, &i, text, sizeof text);
        assert_string_equal(text, c->text);
        unsigned n = isa_inst_regs(t, &i, c->lanes, refs);
        assert_true(n < ISA_MAX_REGREFS);
        text[0] = 0;
        for (unsigned r = 0; r < n; r++)
            add_text(t, text, sizeof text, &refs[r]);
        if (strcmp(text, c->regs) != 0)
            print_message("%s: %s\n", c->target, c->text);
        assert_string_equal(text, c->regs);
        isa_target_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};

    return cmocka_run_group_tests_name("registers of instructions", tests, NULL, NULL);
}
