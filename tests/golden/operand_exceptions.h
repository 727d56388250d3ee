/* Where test_operands.c does not follow the manuals, and why. Decided by the manuals' pseudocode and by what LLVM 19
 * says of the instruction. Formats are words with a blank on both sides (operand_lines.h).
 */
#ifndef GCNSIM_TESTS_OPERAND_EXCEPTIONS_H
#define GCNSIM_TESTS_OPERAND_EXCEPTIONS_H

#include <stddef.h>

/* A line that is changed before it is checked: operand or implicit registers `from` become `to`. An operand without
 * `from` is added, one without `to` removed. */
struct exception {
    const char *manual;  /* its name; null: all */
    const char *formats; /* null: any */
    const char *names;   /* pattern of the mnemonic, _e32 and _e64 aside */
    const char *from, *to;
    const char *why;
};
#define D16_LOADS(FORMATS, FIELD)                                                                                      \
    {                                                                                                                  \
        "cdna4", FORMATS, "*_d16*", FIELD ":rw:32:va", FIELD ":w:32:va", "with SRAM-ECC the other half is cleared"     \
    }
#define WHOLE(NAMES, FROM, TO)                                                                                         \
    {                                                                                                                  \
        NULL, SCALARS, NAMES, FROM, TO, "part of the register is used, all of it is read"                              \
    }
#define BYTE_OR_HALF(FORMAT, NAMES, FROM, TO)                                                                          \
    {                                                                                                                  \
        NULL, FORMAT, NAMES, FROM, TO, "op_sel or SDWA says which part of the register is used"                        \
    }
#define UNSTATED(FORMAT, NAMES, TO, WHY)                                                                               \
    {                                                                                                                  \
        NULL, FORMAT, NAMES, "?", TO, "not in the manual; " WHY                                                        \
    }
#define NO_OPERANDS(NAMES, TO)                                                                                         \
    {                                                                                                                  \
        "rdna4", " SOP1 ", NAMES, NULL, TO, "the manual's list is empty, its text is not"                              \
    }
#define XF32(NAMES, TO)                                                                                                \
    {                                                                                                                  \
        "cdna4", " VOP3P ", NAMES, NULL, TO, "the manual names it without operands: CDNA3 has it"                      \
    }
static const struct exception exceptions[] = {
    D16_LOADS(" DS FLAT GLOBAL SCRATCH ", "vdst"),
    D16_LOADS(" MUBUF ", "vdata"),
    {"cdna4", " GLOBAL SCRATCH ", "*_load_lds_*", "vdst:w:32:va", NULL, "what is loaded goes to LDS; LLVM has no vdst"},
    {"cdna4", " VOP3P ", "v_mfma_ld_scale_b32", NULL, "src0:r:32:x", "the manual names it without operands"},
    {"cdna4", " VOP3P ", "v_mfma_ld_scale_b32", NULL, "src1:r:32:x", "the same"},
    {"cdna4", " GLOBAL ", "*_load_lds_dwordx3", "vdst:w:96:va", NULL, "what is loaded goes to LDS; LLVM has no vdst"},
    {"cdna4", " GLOBAL ", "*_load_lds_dwordx4", "vdst:w:128:va", NULL, "what is loaded goes to LDS; LLVM has no vdst"},
    {"rdna3_5", " GLOBAL ", "global_atomic_cmpswap_[bf]32", "vdst:o:64:v", "vdst:o:32:v",
     "the width of data; the text returns the old value alone"},
    {"rdna3_5", " VOPD VOPDX ", "v_dual_dot2acc_f32_bf16", "vdst:w:32:v", "vdst:rw:32:v",
     "without a text: as the f16 one"},
    {"rdna3_5", " GLOBAL ", "global_atomic_cmpswap_b64", "vdst:o:128:v", "vdst:o:64:v", "the same"},
    {NULL, NULL, "v_fmac_dx9_zero_f32", "vdst:w:32:v", "vdst:rw:32:v", "the text's S2 is the destination"},
    {NULL, " VOP3 ", "v_permlane*16_*b32", "vdst:w:32:v", "vdst:rw:32:v",
     "a lane whose source is inactive may keep its value; LLVM ties vdst"},
    {NULL, " VOP3 ", "v_writelane_b32", "vdst:w:32:v", "vdst:rw:32:v", "the other lanes stay; LLVM ties vdst"},
    XF32("v_mfma_f32_16x16x8_xf32", "vdst:w:128:va"),
    XF32("v_mfma_f32_16x16x8_xf32", "src2:r:128:va"),
    XF32("v_mfma_f32_32x32x4_xf32", "vdst:w:512:va"),
    XF32("v_mfma_f32_32x32x4_xf32", "src2:r:512:va"),
    XF32("v_mfma_f32_*_xf32", "src0:r:64:va"),
    XF32("v_mfma_f32_*_xf32", "src1:r:64:va"),
    {"rdna3_5", " VOP3P ", "v_wmma_*f16_16x16x16_*f16", "vdst:w:256h:v", "vdst:rw:256h:v",
     "op_sel picks the halves written, the others stay"},
    {"cdna4", " VOP3 ", "v_*_legacy_[fui]16", "vdst:rw:16:v", "vdst:w:16:v", "the low half stays with op_sel[3] alone"},
    {"cdna4", " SOP1 SOPC SOPP ", "s_set_gpr_idx_*", "m0:w", "m0:rw", "some bits are replaced, the others stay"},
    {NULL, " SOP2 ", "s_cvt_pk_rtz_f16_f32", "sdst:w:16:s", "sdst:w:32:s", "two halves"},
    WHOLE("s_sext_i32_i8", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_sext_i32_i16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_cvt_hi_f32_f16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_pack_l?_b32_b16", "src0:r:16:s", "src0:r:32:s"),
    WHOLE("s_pack_?l_b32_b16", "src1:r:16:s", "src1:r:32:s"),
    {"rdna4", " GLOBAL ", "global_load_tr_b128", "vdst:w:128:v", "vdst:w:128h:v",
     "wave64's lanes have half as much each, as LLVM's intrinsics say"},
    {"rdna4", " GLOBAL ", "global_load_tr_b64", "vdst:w:64:v", "vdst:w:64h:v", "the same"},
    {"rdna4", " VOP3 ", "v_s_*_f16", "vdst:w:32:s", "vdst:w:16:s",
     "the upper half is cleared, as by any f16 of scalars"},
    {NULL, NULL, "v_align*_b32", "src2:r:16:x", "src2:r:32:x", "the low bits count; LLVM reads 32"},
    {NULL, NULL, "v_cmp*_class_f16", "src1:r:16:x", "src1:r:32:x", "a mask of ten bits; LLVM reads 32"},
    {NULL, NULL, "v_cmp*_class_f16", "src1:r:16:v", "src1:r:32:v", "the same"},
    BYTE_OR_HALF(NULL, "v_cvt_pk_f32_[fb][pf]8", "src0:r:16:x", "src0:r:32:x"),
    BYTE_OR_HALF(" VOP3 ", "v_cvt_scalef32_pk_*_[fb][pf]8", "src0:r:16:x", "src0:r:32:x"),
    BYTE_OR_HALF(" VOP3 ", "v_cvt_scalef32_pk_fp4_*", "vdst:w:8:v", "vdst:rw:8:v"),
    BYTE_OR_HALF(" VOP3 ", "v_cvt_scalef32_sr_[fb][pf]8_*", "vdst:w:8:v", "vdst:rw:8:v"),
    BYTE_OR_HALF(" VOP3 ", "v_cvt_scalef32_sr_pk_fp4_*", "vdst:w:8:v", "vdst:rw:8:v"),
    {"rdna3_5", " LDSDIR ", "lds_direct_load", "-", "m0:r", "M0 holds address and type"},
    {NULL, " DS ", "ds_append", "-", "m0:r", "LLVM puts the address in M0"},
    {NULL, " DS ", "ds_consume", "-", "m0:r", "LLVM puts the address in M0"},
    UNSTATED(" DS ", "ds_append", "m0:r", "LLVM puts the address in M0"),
    UNSTATED(" DS ", "ds_consume", "m0:r", "LLVM puts the address in M0"),
    UNSTATED(" DS ", "ds_gws_*", "m0:r", "M0 holds the resource's base"),
    UNSTATED(" DS ", "ds_ordered_count", "m0:r", "M0 holds the base"),
    UNSTATED(" LDSDIR ", "*", "m0:r", "M0 holds address and type, or the primitive mask"),
    UNSTATED(" MUBUF GLOBAL SCRATCH ", "*_load_lds_*", "m0:r", "M0 holds the LDS base"),
    UNSTATED(" SOPP ", "s_ttracedata", "m0:r", "M0 is the data; LLVM reads it"),
    UNSTATED(" SOPP ", "s_sendmsg*", "m0:r", "M0 is the payload"),
    UNSTATED(" SOP2 ", "s_rfe_restore_b64", "pc:w", "returns"),
    UNSTATED(" SOPP ", "s_barrier_leave", "scc:w", "LLVM defines SCC"),
    {NULL, " MIMG VIMAGE ", "image_atomic_cmpswap", "vdata:r:128:v", "vdata:r:64:v", "dmask says how much"},
    {NULL, " VIMAGE ", "image_atomic_cmpswap", "vdata:r:32:v", "vdata:r:64:v", "new value and comparand"},
    {NULL, " MIMG VIMAGE ", "image_atomic_*", "vdata:r:128:v", "vdata:r:32:v", "dmask says how much"},
    NO_OPERANDS("s_barrier_init", "src0:r:32:m0"),
    NO_OPERANDS("s_barrier_join", "src0:r:32:m0"),
    NO_OPERANDS("s_get_barrier_state", "src0:r:32:m0"),
    NO_OPERANDS("s_get_barrier_state", "sdst:w:32:s"),
    UNSTATED(" SOPK ", "s_subvector_loop_*", "exec:rw pc:w", "LLVM and the RDNA1 manual"),
    {"rdna3_5", " SOPK ", "s_subvector_loop_*", NULL, "sdst:rw:32:s", "the list is empty; LLVM reads and writes sdst"},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

#endif
