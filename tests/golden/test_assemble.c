/* tests/support/assemble.h: texts give the words that LLVM's assemblers make of them, and what LLVM 22 shows of an
 * encoding assembles to one that reads the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "tests/golden/listed.h"
#include "tests/support/assemble.h"

/* words: of llvm-mc-19 --filetype=obj */
static const struct {
    const char *target, *text;
    uint32_t word[40];
    size_t words;
} kernels[] = {
    {"gfx803",
     "s_load_dwordx2 s[4:5], s[0:1], 0x10; s_waitcnt vmcnt(3) lgkmcnt(0); s_mov_b32 s2, 0x12345678; "
     "v_add_u32 v3, vcc, v3, v2; v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf; "
     "v_add_f16_sdwa v11, v7, v9 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_2; "
     "flat_atomic_add v0, v[4:5], v1 glc; buffer_load_dword v1, v5, s[0:3], s33 offen offset:12; "
     "s_getreg_b32 s6, hwreg(HW_REG_HW_ID, 4, 2); ds_gws_barrier v2 offset:2 gds; s_endpgm",
     {0xc0060100, 0x00000010, 0xbf8c0073, 0xbe8200ff, 0x12345678, 0x32060503, 0x7e0202fa, 0xff011102, 0x3e1612f9,
      0x02051507, 0xdd090000, 0x00000104, 0xe050100c, 0x21000105, 0xb8860904, 0xd93b0002, 0x00000002, 0xbf810000},
     18},
    {"gfx90a",
     ""
     "loop: tbuffer_load_format_xyzw v[0:3], v4, s[8:11], 0 format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT] "
     "idxen; "
     "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]; v_accvgpr_read_b32 v4, a0; "
     "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel_hi:[1,0,1]; "
     "global_load_dwordx4 v[4:7], v0, s[0:1] offset:-16 glc; global_store_dword v[8:9], v1, off slc; "
     "ds_read2_b32 v[0:1], v2 offset0:1 offset1:255; v_fma_f32 v0, -v1, |v2|, 2.0 mul:2; "
     "v_cmp_lt_f32_e64 s[4:5], v1, -0.5; v_cndmask_b32 v1, v2, v3, vcc; s_sub_u32 s4, s4, 1; "
     "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_sendmsg sendmsg(MSG_INTERRUPT); s_endpgm",
     {0xebf1a000, 0x80020004, 0xd3cc8000, 0x04020500, 0xd3d84004, 0x18000100, 0xd3b04000, 0x0c1a0902,
      0xdc5d9ff0, 0x04000000, 0xdc728000, 0x007f0108, 0xd86eff01, 0x00000002, 0xd1cb0200, 0x2bd20501,
      0xd0410004, 0x0001e301, 0x00020702, 0x80848104, 0xbf078004, 0xbf85ffea, 0xbf900001, 0xbf810000},
     24},
    {"gfx1030",
     "flat_load_dword v1, v[2:3] offset:4 glc; s_load_dwordx2 s[4:5], s[0:1], null; s_clause 0x3; "
     "v_add_nc_u32 v1, s2, v0; v_add_co_ci_u32_e64 v1, s4, v2, v3, s6; "
     "v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]; global_atomic_add v3, v0, v1, s[4:5] glc; "
     "s_waitcnt_vscnt null, 0x0; s_waitcnt_depctr 0xfffe; v_cmpx_gt_u32 v1, v2; "
     "v_fma_mix_f32 v0, v1, -v2, v3 op_sel_hi:[1,0,1]; s_branch end; s_nop 7; end: s_endpgm",
     {0xdc310004, 0x017d0002, 0xf4040100, 0xfa000000, 0xbfa10003, 0x4a020002, 0xd5280401,
      0x001a0702, 0x7e0202e9, 0x05397702, 0xdcc98000, 0x03040100, 0xbbfd0000, 0xbfa3fffe,
      0x7da80501, 0xcc204000, 0x4c0e0501, 0xbf820001, 0xbf800007, 0xbf810000},
     20},
    {"gfx1100",
     "s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1); "
     "v_dual_mov_b32 v3, v10 :: v_dual_and_b32 v2, 0xffff, v11; "
     "v_wmma_f32_16x16x16_f16 v[32:39], v[0:7], v[8:15], v[32:39]; ds_load_b64 v[2:3], v0 offset:8; "
     "s_sendmsg_rtn_b32 s6, sendmsg(MSG_RTN_GET_REALTIME); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 5; "
     "v_fmaak_f32 v1, v2, v3, 0x42280000; scratch_load_b32 v1, off, s3 offset:4; s_endpgm",
     {0xbf870093, 0xca24010a, 0x030216ff, 0x0000ffff, 0xcc404020, 0x1c821100, 0xd9d80008, 0x02000000, 0xbe864c83,
      0xb9801901, 0x00000005, 0x5a020702, 0x42280000, 0xdc510004, 0x01030000, 0xbfb00000},
     16},
    {"gfx1201",
     "s_load_b32 s8, s[0:1], 0x0; s_barrier_signal -1; s_barrier_wait 0xffff; "
     "global_load_b32 v1, v2, s[2:3] offset:64 th:TH_LOAD_NT scope:SCOPE_DEV; global_inv scope:SCOPE_SYS; "
     "buffer_load_b32 v4, v5, s[8:11], null offen; flat_store_b64 v[0:1], v[2:3]; s_wait_loadcnt 0x0; "
     "v_mad_co_u64_u32 v[0:1], null, v15, s0, 0x3c6ef35f; s_add_co_u32 s4, 1000, ttmp9; s_endpgm",
     {0xf4000200, 0xf8000000, 0xbe804ec1, 0xbf94ffff, 0xee050002, 0x00180001, 0x00004002, 0xee0ac07c,
      0x000c0000, 0x00000000, 0xc405007c, 0x40801004, 0x00000005, 0xec06c07c, 0x01000000, 0x00000000,
      0xbfc00000, 0xd6fe7c00, 0x03fc010f, 0x3c6ef35f, 0x800475ff, 0x000003e8, 0xbfb00000},
     23},
};

static void words_are_llvms(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        struct assembled a = assemble(kernels[k].target, kernels[k].text);

        for (size_t w = 0; w < a.words && w < kernels[k].words; w++)
            if (a.word[w] != kernels[k].word[w])
                fail_msg("%s, word %zu: %08x, expected %08x", kernels[k].target, w, a.word[w], kernels[k].word[w]);
        assert_int_equal(a.words, kernels[k].words);
    }
}

static void lines_are_repeated(void **state)
{
    struct assembled a = assemble("gfx90a", "s_nop 1\n.rept 3\ns_nop 2; s_nop 3\n.endr\n.long 0xffffffff; s_endpgm");

    (void)state;
    assert_int_equal(a.words, 1 + 3 * 2 + 2);
    assert_int_equal(a.word[0], 0xbf800001);
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(a.word[1 + 2 * k], 0xbf800002);
        assert_int_equal(a.word[2 + 2 * k], 0xbf800003);
    }
    assert_int_equal(a.word[7], 0xffffffff);
    assert_int_equal(a.word[8], 0xbf810000);
    /* the same text again is the same array */
    assert_ptr_equal(assemble("gfx90a", "s_endpgm").word, assemble("gfx90a", "s_endpgm").word);
    assert_int_equal(assemble("gfx1201", "s_endpgm").word[0], 0xbfb00000);
}

/* What assemble() does not know: dual issue in three words, matrix instructions with scales, literals of 64 bits, mixed
 * precision with DPP; and what assemblers do not know: invalid operands, VGPRs as masks. */
static bool is_left_out(const char *text)
{
    static const char *const parts[] = {"::",          "v_wmma_",           "lit64(",   "/*", "v_illegal", "v_fma_mix",
                                        "_ci_u32_e64", "v_cndmask_b32_e64", "s_version"};

    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (strstr(text, parts[k]))
            return true;
    const char *hex = strstr(text, "0x");
    return hex && (strspn(hex + 2, "0123456789abcdef") > 8 || (*text == 'v' && strtoul(hex, NULL, 16) <= 64));
}

/* LLVM does not name the low half of a register in all encodings that read the same. */
static void drop_low_halves(char *text)
{
    for (char *p; (p = strstr(text, ".l"));)
        memmove(p, p + 2, strlen(p + 2) + 1);
}

static void every_instruction_of_gfx1250(void **state)
{
    FILE *f = fopen("tests/golden/llvm22/gfx1250.txt", "r");
    char theirs[LISTED_TEXT], ours[LISTED_TEXT];
    uint32_t words[4];
    unsigned lines = 0, count;
    struct isa_target *t;
    struct err e = {0};

    (void)state;
    assert_non_null(f);
    assert_int_equal(isa_target_open(&t, "gfx1250", NULL, &e), 0);
    while (listed_read(f, words, &count, theirs)) {
        struct isa_inst i;

        if (is_left_out(theirs))
            continue;
        struct assembled a = assemble("gfx1250", theirs);
        if (isa_decode(t, (const uint8_t *)a.word, a.words * 4, &i, NULL) != a.words * 4)
            fail_msg("%s: %08x ... is no instruction", theirs, a.word[0]);
        isa_text(t, &i, ours, sizeof ours);
        drop_low_halves(ours);
        drop_low_halves(theirs);
        assert_string_equal(ours, theirs);
        lines++;
    }
    fclose(f);
    isa_target_close(t);
    assert_true(lines > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_llvms),
        cmocka_unit_test(lines_are_repeated),
        cmocka_unit_test(every_instruction_of_gfx1250),
    };
    return cmocka_run_group_tests_name("assembly text of tests", tests, NULL, NULL);
}
