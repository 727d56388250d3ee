/* Memory instructions: what is one and what is not, and how it reads. Words and texts are llvm-mc-19's (--disassemble).
 */
#include "tests/unit/isa/encoded.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

/* clang-format off */
static const struct encoded known[] = {
    {"gfx803", {0xc0020000, 0x00000000}, "s_load_dword s0, s[0:1], 0x0"},
    {"gfx803", {0xc0021f00, 0x00000000},
     "s_load_dword m0/*Invalid register, operand has 'SReg_32_XM0_XEXEC' register class*/, s[0:1], 0x0"},
    {"gfx803", {0xc0061f80, 0x00000000},
     "s_load_dwordx2 exec/*Invalid register, operand has 'SReg_64_XEXEC' register class*/, s[0:1], 0x0"},
    {"gfx803", {0xc00a1980, 0x00000000},
     "s_load_dwordx4 flat_scratch/*Invalid register, operand has 'SReg_128' register class*/, s[0:1], 0x0"},
    {"gfx803", {0xc02a0033, 0x00000000},
     "s_buffer_load_dwordx4 s[0:3], flat_scratch/*Invalid register, operand has 'SReg_128' register class*/, 0x0"},
    {"gfx803", {0xc0900000, 0x00000000}, "s_memtime s[0:1]"},
    {"gfx803", {0xc0800000, 0x00000000}, "s_dcache_inv"},
    {"gfx803", {0xe0500000, 0x801a0100},
     "buffer_load_dword v1, off, xnack_mask/*Invalid register, operand has 'SReg_128' register class*/, 0"},
    {"gfx803", {0xe0500000, 0xfe000100},
     "buffer_load_dword v1, off, s[0:3], src_lds_direct/*Invalid register, operand has 'SReg_32' register class*/"},
    {"gfx803", {0xe0510010, 0x80000000}, "buffer_load_dword off, s[0:3], 0 offset:16 lds"},
    {"gfx803", {0xe0500010, 0x80800000}, "buffer_load_dword v[0:1], off, s[0:3], 0 offset:16 tfe"},
    {"gfx803", {0xe0f80000, 0x00000000}, "buffer_wbinvl1"},
    {"gfx803", {0xe0f50004, 0x80000000}, "buffer_store_lds_dword s[0:3], 0 offset:4 lds"},
    {"gfx803", {0xe9000000, 0x80000000},
     "tbuffer_load_format_x v0, off, s[0:3], 0 format:[BUF_DATA_FORMAT_INVALID,BUF_NUM_FORMAT_USCALED]"},
    {"gfx803", {0xdc500000, 0x01000002}, "flat_load_dword v1, v[2:3]"},
    {"gfx803", {0xdc500010, 0x01000002}, "flat_load_dword v1, v[2:3] offset:16"},
    {"gfx900", {0xc0226900, 0x0a000004}, "s_buffer_load_dword s36, s[0:3], s5 offset:0x4"},
    {"gfx900", {0xc0024000, 0x00000010}, "s_load_dword s0, s[0:1], s0 offset:0x10"},
    {"gfx900", {0xc0024000, 0x0a100010}, "s_load_dword s0, s[0:1], s5 offset:-0xffff0"},
    {"gfx900", {0xc2031f00, 0x00000000},
     "s_atomic_swap m0/*Invalid register, operand has 'SReg_32_XM0_XEXEC' register class*/, s[0:1], 0x0 glc"},
    {"gfx900", {0xc0a00002, 0x00000005}, "s_dcache_discard s[4:5], s5"},
    {"gfx900", {0xc0a20002, 0x00000040}, "s_dcache_discard s[4:5], 0x40"},
    {"gfx900", {0xc09a0202, 0x00000040}, "s_atc_probe 8, s[4:5], 0x40"},
    {"gfx900", {0xe0010000, 0x80000000}, "buffer_load_format_x off, s[0:3], 0 lds"},
    {"gfx900", {0xdc500010, 0x01000002}, "flat_load_dword v1, v[2:3] offset:16"},
    {"gfx900", {0xdc50a010, 0x007f0002}, "global_load_dword v[2:3], off offset:16 lds"},
    {"gfx900", {0xdc508010, 0x01ff0002}, "global_load_dword v1, v[2:3], off offset:16"},
    {"gfx900", {0xdc509ff0, 0x017f0002}, "global_load_dword v1, v[2:3], off offset:-16"},
    {"gfx900", {0xdc508000, 0x01040002}, "global_load_dword v1, v2, s[4:5]"},
    {"gfx900", {0xdc504000, 0x01040002}, "scratch_load_dword v1, off, s4"},
    {"gfx900", {0xdc504000, 0x017f0002}, "scratch_load_dword v1, v2, off"},
    {"gfx900", {0xdc50a000, 0x007e0002}, "global_load_dword v2, exec lds"},
    {"gfx1010", {0xf4001f00, 0xfa000000},
     "s_load_dword m0/*Invalid register, operand has 'SReg_32_XM0_XEXEC' register class*/, s[0:1], null"},
    {"gfx1010", {0xf4a80f80, 0x00000000}, "s_get_waveid_in_workgroup s62"},
    {"gfx1010", {0xe0308000, 0x80000100}, "buffer_load_dword v1, off, s[0:3], 0 dlc"},
    {"gfx1010", {0xe1c40000, 0x00000000}, "buffer_gl0_inv"},
    {"gfx1010", {0xe0300000, 0xff000000, 0x00000400}, "buffer_load_dword v0, off, s[0:3], 0x400"},
    {"gfx1010", {0xdc308000, 0x017d0002}, "global_load_dword v1, v[2:3], off"},
    {"gfx1010", {0xdc30b000, 0x007d0002}, "global_load_dword v[2:3], off dlc lds"},
    {"gfx1010", {0xdc304000, 0x017f0002},
     "scratch_load_dword v1, off, exec_hi/*Invalid register, operand has 'SReg_32_XEXEC_HI' register class*/"},
    {"gfx1010", {0xdc306000, 0x017f0002}, "scratch_load_dword off, off lds"},
    {"gfx1100", {0xf4880082, 0xf8000010}, "s_atc_probe 2, s[4:5], 0x10"},
    {"gfx1100", {0xf4840000, 0x00000000}, "s_dcache_inv"},
    {"gfx1100", {0xf40c1a80, 0xf8000000},
     "s_load_b256 vcc/*Invalid register, operand has 'SReg_256' register class*/, s[0:1], null"},
    {"gfx1100", {0xe0ac0000, 0x00000000}, "buffer_gl0_inv"},
    {"gfx1100", {0xe0500000, 0x80200100}, "buffer_load_b32 v[1:2], off, s[0:3], 0 tfe"},
    {"gfx1100", {0xdc520000, 0x017c0002}, "global_load_b32 v1, v[2:3], off"},
    {"gfx1100", {0xdc510000, 0x01fc0002}, "scratch_load_b32 v1, v2, off"},
    {"gfx1100", {0xdc510000, 0x017f0002},
     "scratch_load_b32 v1, off, exec_hi/*Invalid register, operand has 'SReg_32_XEXEC_HI' register class*/"},
    {"gfx1200", {0xf400bd00, 0xf8000000},
     "s_load_b96 ttmp8/*Invalid register, operand has 'SReg_96' register class*/, s[0:1], 0x0"},
    {"gfx1200", {0xf4001f40, 0xf8000000},
     "s_load_b32 m0/*Invalid register, operand has 'SReg_32_XM0_XEXEC' register class*/, s[0:1], 0x0"},
    {"gfx1200", {0xf400b900, 0xf8000000}, "s_load_b96 s[100:102], s[0:1], 0x0"},
    {"gfx1200", {0xf4048103, 0x080000ff}, "s_prefetch_inst s[6:7], 0xff, s4, 4"},
    {"gfx1200", {0xf404a100, 0xf8000010}, "s_prefetch_inst_pc_rel 0x10, null, 4"},
    {"gfx1200", {0xc4450000, 0x00800100, 0x00000000}, "buffer_load_b32 v[0:1], off, s[0:3], s0 tfe"},
    {"gfx1200", {0xc4450000, 0x0000fc00, 0x00000000},
     "buffer_load_b32 v[0:1], off, exec/*Invalid register, operand has 'SReg_128' register class*/, s0 tfe"},
    {"gfx1200", {0xc405000a, 0x0000d500, 0x00000000},
     "buffer_load_b32 v0, off, vcc/*Invalid register, operand has 'SReg_128' register class*/, s10"},
    {"gfx1200", {0xee0ac07c, 0x00000000, 0x00000000}, "global_inv"},
    {"gfx1200", {0xee0b007c, 0x00080000, 0x00000000}, "global_wb scope:SCOPE_DEV"},
    {"gfx1200", {0xee13c07c, 0x003c0000, 0x00000000}, "global_wbinv th:TH_LOAD_BYPASS scope:SCOPE_SYS"},
    {"gfx1200", {0xed05007c, 0x00020001, 0x00000005}, "scratch_load_b32 v1, v5, off"},
    {"gfx1200", {0xed05007f, 0x00020001, 0x00000005},
     "scratch_load_b32 v1, v5, exec_hi/*Invalid register, operand has 'SReg_32_XEXEC_HI' register class*/"},
    {"gfx1200", {0xed14c07c, 0x000000e0, 0x00000000}, "scratch_load_block v[224:255], off, off"},
    {"gfx90a", {0xe0a00000, 0x00000000}, "buffer_wbl2"},
    {"gfx90a", {0xe0a04000, 0x00000000}, "buffer_wbl2"},
    {"gfx90a", {0xe1344000, 0x80000100}, "buffer_atomic_add_f32 v1, off, s[0:3], 0 glc"},
    {"gfx90a", {0xe0540000, 0x80000100}, "buffer_load_dwordx2 v[1:2], off, s[0:3], 0"},
    {"gfx90a", {0xdd358000, 0x017f0302}, "global_atomic_add_f32 v1, v[2:3], v3, off glc"},
    {"gfx942", {0xe0a0c000, 0x00000000}, "buffer_wbl2 sc0 sc1"},
    {"gfx942", {0xe0a48000, 0x00000000}, "buffer_inv sc1"},
    {"gfx942", {0xe1348000, 0x80000100}, "buffer_atomic_add_f32 v1, off, s[0:3], 0 sc1"},
    {"gfx942", {0xdf348000, 0x007f0302}, "global_atomic_add_f32 v[2:3], v3, off sc1"},
    {"gfx942", {0xdc508000, 0x017f0002}, "global_load_dword v1, v[2:3], off"},
    {"gfx942", {0xdc504000, 0x017f0002}, "scratch_load_dword v1, off, off"},
    {"gfx942", {0xdc506000, 0x017f0002}, "scratch_load_dword v1, v2, off"},
    {"gfx942", {0xdc506000, 0x01040002}, "scratch_load_dword v1, v2, s4"},
    {"gfx942", {0xdca88000, 0x007f0002}, "global_load_lds_dword v[2:3], off"},
    {"gfx908", {0xdd348000, 0x007f0302}, "global_atomic_add_f32 v[2:3], v3, off"},
    {"gfx1030", {0xdc304000, 0x017f0002}, "scratch_load_dword v1, off, off"},
    {"gfx1030", {0xdc304000, 0x01040002}, "scratch_load_dword v1, off, s4"},
    {"gfx1030", {0xdc304000, 0x017d0002}, "scratch_load_dword v1, v2, off"},
};

/* Tuples past v255 or s105 and those of M0; lds and tfe where they mean nothing; scratch's bits on others; fields of
 * cache control; literals of MUBUF before gfx10; addresses that are none. */
static const struct encoded rejected[] = {
    {"gfx803", {0xc00e1900}, NULL},
    {"gfx803", {0xc0920000}, NULL},
    {"gfx803", {0xc0820000}, NULL},
    {"gfx803", {0xe0500000, 0xff000100}, NULL},
    {"gfx803", {0xe0500000, 0x801f0100}, NULL},
    {"gfx803", {0xe0540000, 0x8000ff00}, NULL},
    {"gfx803", {0xe0550000, 0x80000000}, NULL},
    {"gfx803", {0xe0510010, 0x80800000}, NULL},
    {"gfx803", {0xe05c0010, 0x8080fc00}, NULL},
    {"gfx803", {0xe0f81000}, NULL},
    {"gfx803", {0xe0f80000, 0x00800000}, NULL},
    {"gfx803", {0xe0f40004, 0x80000000}, NULL},
    {"gfx803", {0xe0f51004, 0x80000000}, NULL},
    {"gfx803", {0xe8000000, 0x80800000}, NULL},
    {"gfx803", {0xdc502000, 0x01000002}, NULL},
    {"gfx803", {0xdc504000, 0x01000002}, NULL},
    {"gfx900", {0xe0810000, 0x80000000}, NULL},
    {"gfx900", {0xe0210000, 0x80000000}, NULL},
    {"gfx900", {0xdc502010, 0x01000002}, NULL},
    {"gfx900", {0xdc50c010, 0x01000002}, NULL},
    {"gfx900", {0xdc50a010, 0x00ff0002}, NULL},
    {"gfx900", {0xdc508000, 0x017c0002}, NULL},
    {"gfx900", {0xdc80a000, 0x017f0002}, NULL},
    {"gfx1010", {0xf408307e, 0xfa000000}, NULL},
    {"gfx1010", {0xe0c80000, 0x80800000}, NULL},
    {"gfx1010", {0xe0c88000, 0x80000100}, NULL},
    {"gfx1010", {0xe1c44000}, NULL},
    {"gfx1010", {0xdc308000, 0x01fd0002}, NULL},
    {"gfx1010", {0xdc308000, 0x017f0002}, NULL},
    {"gfx1100", {0xf4882082, 0xf8000010}, NULL},
    {"gfx1100", {0xf4842000}, NULL},
    {"gfx1100", {0xe0ac4000}, NULL},
    {"gfx1100", {0xe0b40000, 0x80200000}, NULL},
    {"gfx1100", {0xe0d00000, 0x80200100}, NULL},
    {"gfx1100", {0xdc520000, 0x01fc0002}, NULL},
    {"gfx1100", {0xdc560000, 0xff7c0002}, NULL},
    {"gfx1200", {0xf4048903, 0x080000ff}, NULL},
    {"gfx1200", {0xc460007c, 0x00800100, 0x00000000}, NULL},
    {"gfx1200", {0xc44d407c, 0x00800100, 0x00000000}, NULL},
    {"gfx1200", {0xee0ac000}, NULL},
    {"gfx1200", {0xee05007c, 0x00020001, 0x00000005}, NULL},
    {"gfx1200", {0xed14c07c, 0x000000e1, 0x00000000}, NULL},
    {"gfx90a", {0xe0a44000}, NULL},
    {"gfx90a", {0xe1348000, 0x80000100}, NULL},
    {"gfx90a", {0xe0510000, 0x80800000}, NULL},
    {"gfx90a", {0xdf348000, 0x007f0302}, NULL},
    {"gfx90a", {0xdd508000, 0x01ff0302}, NULL},
    {"gfx942", {0xe0f84000}, NULL},
    {"gfx942", {0xdc50a000, 0x017f0002}, NULL},
    {"gfx942", {0xdca88000, 0x00ff0002}, NULL},
    {"gfx908", {0xe1344000, 0x80000100}, NULL},
    {"gfx908", {0xdd358000, 0x017f0302}, NULL},
    {"gfx1030", {0xdc5aa000, 0x007d0000}, NULL},
};
/* clang-format on */

static void test_texts(void **state)
{
    (void)state;
    expect_texts(known, COUNT(known));
}

static void test_rejected(void **state)
{
    (void)state;
    expect_rejected(rejected, COUNT(rejected));
}

/* An operand that the text calls invalid makes an illegal instruction. */
static void test_invalid_operands_fault(void **state)
{
    unsigned met = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        struct rig r;
        if (!strstr(known[k].text, "/*Invalid"))
            continue;
        rig_open(&r, known[k].target, 64);
        assert_int_equal(rig_try(&r, known[k].words, COUNT(known[k].words)), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        rig_close(&r);
        met++;
    }
    assert_true(met > 10);
}

/* v_add_f64 v[1:2], v[2:3], v[4:5]; buffer_load_dwordx2 v[1:2], off, s[0:3], 0: nothing in LLVM's text says so. */
static void test_odd_tuples(void **state)
{
    static const uint32_t add[] = {0xd2800001, 0x00020902}, load[] = {0xe0540000, 0x80000100};
    struct rig r;

    (void)state;
    rig_open(&r, "gfx908", 64);
    rig_run(&r, add, 2);
    rig_close(&r);
    for (unsigned k = 0; k < 4; k++) {
        rig_open(&r, k & 1 ? "gfx942" : "gfx90a", 64);
        assert_int_equal(rig_try(&r, k & 2 ? add : load, 2), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        assert_non_null(strstr(r.w.fault.text, "a tuple of vector registers starts at an odd one"));
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_invalid_operands_fault),
        cmocka_unit_test(test_odd_tuples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
