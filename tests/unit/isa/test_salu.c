/* Scalar ALU against the manuals' pseudocode. Words are llvm-mc-19's for the text beside them. */
#include "tests/unit/isa/harness.h"

/* The text is for the reader. */
#define WORDS(TEXT, ...)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* d = s[0:1], a = s[2:3], b = s[4:5]; scc before and after. A 32-bit result leaves s1 alone. */
struct vector {
    const char *target;
    uint32_t words[3];
    uint64_t a, b, d;
    unsigned scc_in, scc_out;
    bool wide;
};

static void run_vector(const struct vector *v, unsigned lanes)
{
    struct rig r;

    rig_open(&r, v->target, lanes);
    r.w.s[0] = 0x11111111;
    r.w.s[1] = 0x22222222;
    r.w.s[2] = (uint32_t)v->a;
    r.w.s[3] = (uint32_t)(v->a >> 32);
    r.w.s[4] = (uint32_t)v->b;
    r.w.s[5] = (uint32_t)(v->b >> 32);
    r.w.scc = (uint8_t)v->scc_in;
    rig_run(&r, v->words, v->words[2] ? 3 : v->words[1] ? 2 : 1);
    if (r.w.s[0] != (uint32_t)v->d || r.w.s[1] != (v->wide ? (uint32_t)(v->d >> 32) : 0x22222222) ||
        r.w.scc != v->scc_out)
        fail_msg("%s %08x: got %08x%08x scc %u, want %016llx scc %u", v->target, v->words[0], r.w.s[1], r.w.s[0],
                 r.w.scc, (unsigned long long)v->d, v->scc_out);
    rig_close(&r);
}

static void run_vectors(const struct vector *v, size_t n)
{
    for (size_t k = 0; k < n; k++)
        run_vector(&v[k], !strncmp(v[k].target, "gfx1", 4) && k % 2 ? 32 : 64);
}
#define RUN(V) run_vectors(V, sizeof(V) / sizeof(V)[0])

static void test_add_sub(void **state)
{
    (void)state;
    static const struct vector v[] = {
        {"gfx803", WORDS("s_add_u32 s0, s2, s4", 0x80000402), 0xffffffff, 1, 0, 0, 1, 0},
        {"gfx1201", WORDS("s_add_co_u32 s0, s2, s4", 0x80000402), 0x7fffffff, 1, 0x80000000, 1, 0, 0},
        {"gfx90a", WORDS("s_add_i32 s0, s2, s4", 0x81000402), 0x7fffffff, 1, 0x80000000, 0, 1, 0},
        {"gfx90a", WORDS("s_add_i32 s0, s2, s4", 0x81000402), 0xffffffff, 1, 0, 1, 0, 0},
        {"gfx1201", WORDS("s_add_co_i32 s0, s2, s4", 0x81000402), 0x80000000, 0xffffffff, 0x7fffffff, 0, 1, 0},
        {"gfx803", WORDS("s_sub_u32 s0, s2, s4", 0x80800402), 1, 2, 0xffffffff, 0, 1, 0},
        {"gfx803", WORDS("s_sub_u32 s0, s2, s4", 0x80800402), 2, 2, 0, 1, 0, 0},
        {"gfx803", WORDS("s_sub_i32 s0, s2, s4", 0x81800402), 0x80000000, 1, 0x7fffffff, 0, 1, 0},
        {"gfx1201", WORDS("s_sub_co_i32 s0, s2, s4", 0x81800402), 0, 1, 0xffffffff, 1, 0, 0},
        {"gfx803", WORDS("s_addc_u32 s0, s2, s4", 0x82000402), 0xffffffff, 0, 0, 1, 1, 0},
        {"gfx1201", WORDS("s_add_co_ci_u32 s0, s2, s4", 0x82000402), 5, 6, 12, 1, 0, 0},
        {"gfx803", WORDS("s_subb_u32 s0, s2, s4", 0x82800402), 5, 5, 0xffffffff, 1, 1, 0},
        {"gfx803", WORDS("s_subb_u32 s0, s2, s4", 0x82800402), 0, 0xffffffff, 0, 1, 1, 0},
        {"gfx1201", WORDS("s_sub_co_ci_u32 s0, s2, s4", 0x82800402), 9, 3, 6, 0, 0, 0},
        {"gfx1201", WORDS("s_add_nc_u64 s[0:1], s[2:3], s[4:5]", 0xa9800402), 0xffffffff, 1, 0x100000000, 1, 1, 1},
        {"gfx1201", WORDS("s_sub_nc_u64 s[0:1], s[2:3], s[4:5]", 0xaa000402), 0, 1, UINT64_MAX, 0, 0, 1},
        {"gfx803", WORDS("s_absdiff_i32 s0, s2, s4", 0x95000402), 3, 7, 4, 0, 1, 0},
        {"gfx1100", WORDS("s_absdiff_i32 s0, s2, s4", 0x83000402), 0x80000000, 0, 0x80000000, 0, 1, 0},
        {"gfx1100", WORDS("s_absdiff_i32 s0, s2, s4", 0x83000402), 7, 7, 0, 1, 0, 0},
        {"gfx900", WORDS("s_lshl1_add_u32 s0, s2, s4", 0x97000402), 0x80000000, 3, 3, 0, 1, 0},
        {"gfx1201", WORDS("s_lshl4_add_u32 s0, s2, s4", 0x88800402), 0x0fffffff, 0xf, 0xffffffff, 1, 0, 0},
        {"gfx900", WORDS("s_lshl3_add_u32 s0, s2, s4", 0x98000402), 0x1fffffff, 8, 0, 0, 1, 0},
        {"gfx900", WORDS("s_addk_i32 s0, 0x8000", 0xb7008000), 0, 0, 0x11111111 - 0x8000, 1, 0, 0},
        {"gfx1201", WORDS("s_mulk_i32 s0, 0xffff", 0xb800ffff), 0, 0, 0xeeeeeeef, 1, 1, 0},
    };
    RUN(v);
}

static void test_mul_minmax_select(void **state)
{
    (void)state;
    static const struct vector v[] = {
        {"gfx803", WORDS("s_mul_i32 s0, s2, s4", 0x92000402), 0xffffffff, 0xffffffff, 1, 1, 1, 0},
        {"gfx900", WORDS("s_mul_hi_u32 s0, s2, s4", 0x96000402), 0xffffffff, 0xffffffff, 0xfffffffe, 1, 1, 0},
        {"gfx1030", WORDS("s_mul_hi_i32 s0, s2, s4", 0x9b000402), 0xffffffff, 2, 0xffffffff, 0, 0, 0},
        {"gfx1201", WORDS("s_mul_u64 s[0:1], s[2:3], s[4:5]", 0xaa800402), 0x100000001, 0x100000001, 0x200000001, 0, 0,
         1},
        {"gfx803", WORDS("s_min_i32 s0, s2, s4", 0x83000402), 0xffffffff, 1, 0xffffffff, 0, 1, 0},
        {"gfx803", WORDS("s_min_i32 s0, s2, s4", 0x83000402), 4, 4, 4, 1, 0, 0},
        {"gfx803", WORDS("s_min_u32 s0, s2, s4", 0x83800402), 0xffffffff, 1, 1, 1, 0, 0},
        {"gfx1201", WORDS("s_max_i32 s0, s2, s4", 0x8a000402), 0xffffffff, 1, 1, 1, 0, 0},
        {"gfx1201", WORDS("s_max_u32 s0, s2, s4", 0x8a800402), 7, 7, 7, 0, 1, 0},
        {"gfx803", WORDS("s_cselect_b32 s0, s2, s4", 0x85000402), 10, 20, 10, 1, 1, 0},
        {"gfx803", WORDS("s_cselect_b64 s[0:1], s[2:3], s[4:5]", 0x85800402), 10, 0x500000020, 0x500000020, 0, 0, 1},
        {"gfx803", WORDS("s_cmov_b32 s0, s2", 0xbe800202), 10, 0, 0x11111111, 0, 0, 0},
        {"gfx1201", WORDS("s_cmov_b64 s[0:1], s[2:3]", 0xbe800302), 0x123456789a, 0, 0x123456789a, 1, 1, 1},
        {"gfx803", WORDS("s_cmovk_i32 s0, 0xfffe", 0xb080fffe), 0, 0, 0xfffffffe, 1, 1, 0},
        {"gfx1201", WORDS("s_cmovk_i32 s0, 0xfffe", 0xb100fffe), 0, 0, 0x11111111, 0, 0, 0},
        {"gfx803", WORDS("s_movk_i32 s0, 0x8000", 0xb0008000), 0, 0, 0xffff8000, 1, 1, 0},
    };
    RUN(v);
}

static void test_logic_shift(void **state)
{
    (void)state;
    static const struct vector v[] = {
        {"gfx803", WORDS("s_and_b32 s0, s2, s4", 0x86000402), 0xf0, 0x0f, 0, 1, 0, 0},
        {"gfx90a", WORDS("s_and_b64 s[0:1], s[2:3], s[4:5]", 0x86800402), 0xf000000000, 0xffff00000000, 0xf000000000, 0,
         1, 1},
        {"gfx803", WORDS("s_or_b64 s[0:1], s[2:3], s[4:5]", 0x87800402), 1, 0x200000000, 0x200000001, 0, 1, 1},
        {"gfx803", WORDS("s_xor_b32 s0, s2, s4", 0x88000402), 0xff, 0xff, 0, 1, 0, 0},
        {"gfx803", WORDS("s_andn2_b64 s[0:1], s[2:3], s[4:5]", 0x89800402), UINT64_MAX, 1, UINT64_MAX - 1, 0, 1, 1},
        {"gfx1201", WORDS("s_and_not1_b32 s0, s2, s4", 0x91000402), 0xff, 0x0f, 0xf0, 0, 1, 0},
        {"gfx803", WORDS("s_orn2_b32 s0, s2, s4", 0x8a000402), 0, 0xffffffff, 0, 1, 0, 0},
        {"gfx803", WORDS("s_nand_b32 s0, s2, s4", 0x8b000402), 0xffffffff, 0xffffffff, 0, 1, 0, 0},
        {"gfx803", WORDS("s_nor_b32 s0, s2, s4", 0x8c000402), 0xf0, 0x0f, 0xffffff00, 0, 1, 0},
        {"gfx1201", WORDS("s_xnor_b64 s[0:1], s[2:3], s[4:5]", 0x90800402), 5, 5, UINT64_MAX, 0, 1, 1},
        {"gfx803", WORDS("s_lshl_b32 s0, s2, s4", 0x8e000402), 3, 33, 6, 0, 1, 0},
        {"gfx803", WORDS("s_lshl_b64 s[0:1], s[2:3], s4", 0x8e800402), 1, 0x7f, 0x8000000000000000, 0, 1, 1},
        {"gfx1201", WORDS("s_lshr_b64 s[0:1], s[2:3], s4", 0x85800402), 0x8000000000000000, 63, 1, 0, 1, 1},
        {"gfx803", WORDS("s_lshr_b32 s0, s2, s4", 0x8f000402), 1, 1, 0, 1, 0, 0},
        {"gfx803", WORDS("s_ashr_i32 s0, s2, s4", 0x90000402), 0x80000000, 31, 0xffffffff, 0, 1, 0},
        {"gfx803", WORDS("s_ashr_i64 s[0:1], s[2:3], s4", 0x90800402), 0x8000000000000000, 63, UINT64_MAX, 0, 1, 1},
        {"gfx803", WORDS("s_bfm_b32 s0, s2, s4", 0x91000402), 5, 3, 0xf8, 1, 1, 0},
        {"gfx803", WORDS("s_bfm_b64 s[0:1], s2, s4", 0x91800402), 0, 0, 0, 1, 1, 1},
        {"gfx803", WORDS("s_bfe_u32 s0, s2, s4", 0x92800402), 0xabcd1234, 16 << 16 | 8, 0xcd12, 0, 1, 0},
        {"gfx803", WORDS("s_bfe_u32 s0, s2, s4", 0x92800402), 0xffffffff, 32 << 16 | 4, 0x0fffffff, 0, 1, 0},
        {"gfx803", WORDS("s_bfe_u32 s0, s2, s4", 0x92800402), 0xffffffff, 4, 0, 1, 0, 0},
        {"gfx1201", WORDS("s_bfe_i32 s0, s2, s4", 0x93800402), 0x00000800, 4 << 16 | 8, 0xfffffff8, 0, 1, 0},
        {"gfx803", WORDS("s_bfe_u64 s[0:1], s[2:3], s4", 0x93800402), UINT64_MAX, 64 << 16 | 1, UINT64_MAX >> 1, 0, 1,
         1},
        {"gfx803", WORDS("s_bfe_i64 s[0:1], s[2:3], s4", 0x94000402), 0x0000010000000000, 9 << 16 | 32, UINT64_MAX << 8,
         0, 1, 1},
        {"gfx900", WORDS("s_pack_ll_b32_b16 s0, s2, s4", 0x99000402), 0x1111aaaa, 0x2222bbbb, 0xbbbbaaaa, 1, 1, 0},
        {"gfx900", WORDS("s_pack_lh_b32_b16 s0, s2, s4", 0x99800402), 0x1111aaaa, 0x2222bbbb, 0x2222aaaa, 0, 0, 0},
        {"gfx900", WORDS("s_pack_hh_b32_b16 s0, s2, s4", 0x9a000402), 0x1111aaaa, 0x2222bbbb, 0x22221111, 0, 0, 0},
        {"gfx1100", WORDS("s_pack_hl_b32_b16 s0, s2, s4", 0x9a800402), 0x1111aaaa, 0x2222bbbb, 0xbbbb1111, 0, 0, 0},
    };
    RUN(v);
}

static void test_one_source(void **state)
{
    (void)state;
    static const struct vector v[] = {
        {"gfx803", WORDS("s_mov_b32 s0, 0x12345678", 0xbe8000ff, 0x12345678), 0, 0, 0x12345678, 1, 1, 0},
        {"gfx803", WORDS("s_mov_b64 s[0:1], 1.0", 0xbe8001f2), 0, 0, 0x3ff0000000000000, 0, 0, 1},
        {"gfx1201", WORDS("s_mov_b64 s[0:1], -1", 0xbe8001c1), 0, 0, UINT64_MAX, 0, 0, 1},
        {"gfx803", WORDS("s_not_b32 s0, s2", 0xbe800402), 0xffffffff, 0, 0, 1, 0, 0},
        {"gfx803", WORDS("s_not_b64 s[0:1], s[2:3]", 0xbe800502), 0xffffffff, 0, 0xffffffff00000000, 0, 1, 1},
        {"gfx803", WORDS("s_wqm_b32 s0, s2", 0xbe800602), 0x40000020, 0, 0xf00000f0, 0, 1, 0},
        {"gfx1201", WORDS("s_wqm_b64 s[0:1], s[2:3]", 0xbe801d02), 0x8000000000000001, 0, 0xf00000000000000f, 0, 1, 1},
        {"gfx803", WORDS("s_quadmask_b32 s0, s2", 0xbe802802), 0x40000020, 0, 0x82, 0, 1, 0},
        {"gfx803", WORDS("s_quadmask_b64 s[0:1], s[2:3]", 0xbe802902), 0x8000000000000001, 0, 0x8001, 0, 1, 1},
        {"gfx803", WORDS("s_brev_b32 s0, s2", 0xbe800802), 1, 0, 0x80000000, 1, 1, 0},
        {"gfx803", WORDS("s_brev_b64 s[0:1], s[2:3]", 0xbe800902), 3, 0, 0xc000000000000000, 0, 0, 1},
        {"gfx803", WORDS("s_bcnt0_i32_b32 s0, s2", 0xbe800a02), 0xffffffff, 0, 0, 1, 0, 0},
        {"gfx803", WORDS("s_bcnt0_i32_b64 s0, s[2:3]", 0xbe800b02), 0xf, 0, 60, 0, 1, 0},
        {"gfx803", WORDS("s_bcnt1_i32_b64 s0, s[2:3]", 0xbe800d02), UINT64_MAX, 0, 64, 0, 1, 0},
        {"gfx1201", WORDS("s_bcnt1_i32_b32 s0, s2", 0xbe801802), 0, 0, 0, 1, 0, 0},
        {"gfx803", WORDS("s_ff0_i32_b32 s0, s2", 0xbe800e02), 0xff, 0, 8, 1, 1, 0},
        {"gfx803", WORDS("s_ff0_i32_b64 s0, s[2:3]", 0xbe800f02), UINT64_MAX, 0, 0xffffffff, 1, 1, 0},
        {"gfx803", WORDS("s_ff1_i32_b32 s0, s2", 0xbe801002), 0, 0, 0xffffffff, 1, 1, 0},
        {"gfx1201", WORDS("s_ctz_i32_b64 s0, s[2:3]", 0xbe800902), 0x8000000000, 0, 39, 0, 0, 0},
        {"gfx803", WORDS("s_flbit_i32_b32 s0, s2", 0xbe801202), 1, 0, 31, 0, 0, 0},
        {"gfx1201", WORDS("s_clz_i32_u64 s0, s[2:3]", 0xbe800b02), 0x100000000, 0, 31, 0, 0, 0},
        {"gfx803", WORDS("s_flbit_i32 s0, s2", 0xbe801402), 0xffffffff, 0, 0xffffffff, 0, 0, 0},
        {"gfx803", WORDS("s_flbit_i32 s0, s2", 0xbe801402), 0x80000000, 0, 1, 0, 0, 0},
        {"gfx1201", WORDS("s_cls_i32_i64 s0, s[2:3]", 0xbe800d02), 0xfffffffffffffff0, 0, 60, 0, 0, 0},
        {"gfx803", WORDS("s_sext_i32_i8 s0, s2", 0xbe801602), 0x180, 0, 0xffffff80, 0, 0, 0},
        {"gfx1201", WORDS("s_sext_i32_i16 s0, s2", 0xbe800f02), 0x18000, 0, 0xffff8000, 0, 0, 0},
        {"gfx803", WORDS("s_bitset0_b32 s0, s2", 0xbe801802), 36, 0, 0x11111101, 1, 1, 0},
        {"gfx803", WORDS("s_bitset1_b64 s[0:1], s2", 0xbe801b02), 63, 0, 0xa222222211111111, 0, 0, 1},
        {"gfx900", WORDS("s_bitreplicate_b64_b32 s[0:1], s2", 0xbe803702), 0x80000005, 0, 0xc000000000000033, 1, 1, 1},
        {"gfx803", WORDS("s_abs_i32 s0, s2", 0xbe803002), 0x80000000, 0, 0x80000000, 0, 1, 0},
        {"gfx803", WORDS("s_abs_i32 s0, s2", 0xbe803002), 0, 0, 0, 1, 0, 0},
        /* the destination stays, the truth is in SCC */
        {"gfx803", WORDS("s_cmp_gt_i32 s2, s4", 0xbf020402), 1, 0xffffffff, 0x11111111, 0, 1, 0},
        {"gfx803", WORDS("s_cmp_gt_u32 s2, s4", 0xbf080402), 1, 0xffffffff, 0x11111111, 1, 0, 0},
        {"gfx1201", WORDS("s_cmp_le_i32 s2, s4", 0xbf050402), 5, 5, 0x11111111, 0, 1, 0},
        {"gfx803", WORDS("s_cmp_lg_u64 s[2:3], s[4:5]", 0xbf130402), 0x100000000, 0, 0x11111111, 0, 1, 0},
        {"gfx1201", WORDS("s_cmp_eq_u64 s[2:3], s[4:5]", 0xbf100402), 0x100000000, 0, 0x11111111, 1, 0, 0},
        {"gfx803", WORDS("s_bitcmp0_b32 s2, s4", 0xbf0c0402), 0x10, 36, 0x11111111, 1, 0, 0},
        {"gfx803", WORDS("s_bitcmp1_b64 s[2:3], s4", 0xbf0f0402), 0x1000000000, 36, 0x11111111, 0, 1, 0},
        {"gfx803", WORDS("s_cmpk_lt_i32 s2, 0xffff", 0xb302ffff), 0xfffffffe, 0, 0x11111111, 0, 1, 0},
        {"gfx803", WORDS("s_cmpk_lt_u32 s2, 0xffff", 0xb602ffff), 0xfffffffe, 0, 0x11111111, 1, 0, 0},
    };
    RUN(v);
}

static void test_float(void **state)
{
    (void)state;
    enum { ONE = 0x3f800000, SNAN = 0x7f800001, QNAN = 0x7fc12345, NEG0 = 0x80000000u };
    static const struct vector v[] = {
        {"gfx1150", WORDS("s_add_f32 s0, s2, s4", 0xa0000402), ONE, ONE, 0x40000000, 1, 1, 0},
        {"gfx1201", WORDS("s_sub_f32 s0, s2, s4", 0xa0800402), 0x7f800000, 0x7f800000, 0x7fc00000, 0, 0, 0},
        {"gfx1201", WORDS("s_mul_f32 s0, s2, s4", 0xa2000402), SNAN, ONE, 0x7fc00001, 0, 0, 0},
        /* s0 holds 0x11111111, a tiny number */
        {"gfx1201", WORDS("s_fmac_f32 s0, s2, s4", 0xa3800402), 0x40400000, 0x40a00000, 0x41700000, 0, 0, 0},
        {"gfx1201", WORDS("s_fmamk_f32 s0, s2, 0x40000000, s4", 0xa3000402, 0x40000000), ONE, ONE, 0x40400000, 0, 0, 0},
        {"gfx1201", WORDS("s_fmaak_f32 s0, s2, s4, 0x40000000", 0xa2800402, 0x40000000), ONE, ONE, 0x40400000, 0, 0, 0},
        {"gfx1201", WORDS("s_min_num_f32 s0, s2, s4", 0xa1000402), QNAN, ONE, ONE, 0, 0, 0},
        {"gfx1201", WORDS("s_min_num_f32 s0, s2, s4", 0xa1000402), SNAN, ONE, ONE, 0, 0, 0},
        {"gfx1150", WORDS("s_min_f32 s0, s2, s4", 0xa1000402), SNAN, ONE, 0x7fc00001, 0, 0, 0},
        {"gfx1201", WORDS("s_max_num_f32 s0, s2, s4", 0xa1800402), NEG0, 0, 0, 0, 0, 0},
        {"gfx1201", WORDS("s_minimum_f32 s0, s2, s4", 0xa7800402), 0, NEG0, NEG0, 0, 0, 0},
        {"gfx1201", WORDS("s_maximum_f32 s0, s2, s4", 0xa8000402), QNAN, SNAN, 0x7fc00001, 0, 0, 0},
        {"gfx1201", WORDS("s_maximum_f16 s0, s2, s4", 0xa9000402), 0x3c00, 0xc000, 0x3c00, 0, 0, 0},
        {"gfx1201", WORDS("s_add_f16 s0, s2, s4", 0xa4800402), 0x7bff, 0x7bff, 0x7c00, 0, 0, 0},
        {"gfx1201", WORDS("s_sub_f16 s0, s2, s4", 0xa5000402), 0x3c00, 0x3c00, 0, 0, 0, 0},
        {"gfx1201", WORDS("s_mul_f16 s0, s2, s4", 0xa6800402), 0x4200, 0xc000, 0xc600, 0, 0, 0},
        {"gfx1201", WORDS("s_ceil_f32 s0, s2", 0xbe806002), 0xbf000000, 0, NEG0, 0, 0, 0},
        {"gfx1201", WORDS("s_floor_f32 s0, s2", 0xbe806102), 0xbf000000, 0, 0xbf800000, 0, 0, 0},
        {"gfx1201", WORDS("s_trunc_f32 s0, s2", 0xbe806202), 0x40700000, 0, 0x40400000, 0, 0, 0},
        {"gfx1201", WORDS("s_rndne_f32 s0, s2", 0xbe806302), 0x40200000, 0, 0x40000000, 0, 0, 0},
        {"gfx1201", WORDS("s_rndne_f16 s0, s2", 0xbe806e02), 0x3e00, 0, 0x4000, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_f32_i32 s0, s2", 0xbe806402), 0xffffffff, 0, 0xbf800000, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_f32_u32 s0, s2", 0xbe806502), 0xffffffff, 0, 0x4f800000, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_i32_f32 s0, s2", 0xbe806602), 0xcf800000, 0, 0x80000000, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_i32_f32 s0, s2", 0xbe806602), QNAN, 0, 0, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_u32_f32 s0, s2", 0xbe806702), 0xbf800000, 0, 0, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_u32_f32 s0, s2", 0xbe806702), 0x7f800000, 0, 0xffffffff, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_f16_f32 s0, s2", 0xbe806802), 0x477ff000, 0, 0x7c00, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_f32_f16 s0, s2", 0xbe806902), 0xffff0001, 0, 0x33800000, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_hi_f32_f16 s0, s2", 0xbe806a02), 0x3c000000, 0, ONE, 0, 0, 0},
        {"gfx1201", WORDS("s_cvt_pk_rtz_f16_f32 s0, s2, s4", 0xa4000402), 0x477ff000, ONE, 0x3c007bff, 0, 0, 0},
        {"gfx1201", WORDS("s_cmp_lt_f32 s2, s4", 0xbf410402), NEG0, 0, 0x11111111, 1, 0, 0},
        {"gfx1201", WORDS("s_cmp_nlt_f32 s2, s4", 0xbf4e0402), QNAN, 0, 0x11111111, 0, 1, 0},
        {"gfx1201", WORDS("s_cmp_lg_f32 s2, s4", 0xbf450402), QNAN, 0, 0x11111111, 1, 0, 0},
        {"gfx1201", WORDS("s_cmp_neq_f32 s2, s4", 0xbf4d0402), QNAN, 0, 0x11111111, 0, 1, 0},
        {"gfx1201", WORDS("s_cmp_u_f16 s2, s4", 0xbf580402), 0x7e00, 0, 0x11111111, 0, 1, 0},
        {"gfx1201", WORDS("s_cmp_ge_f16 s2, s4", 0xbf560402), 0x3c00, 0x3c00, 0x11111111, 0, 1, 0},
    };
    RUN(v);
}

static void test_float_mode(void **state)
{
    (void)state;
    struct rig r;
    static const uint32_t add[] = WORDS("s_add_f32 s0, s2, s4", 0xa0000402);

    rig_open(&r, "gfx1201", 32);
    r.w.s[2] = 0x3f800000;
    r.w.s[4] = 0x33800000; /* 2^-24: half of the last place of 1.0 */
    static const uint32_t want[4] = {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000};
    for (unsigned round = 0; round < 4; round++) {
        isa_set_mode(&r.w, 0xf0 | round);
        rig_run(&r, add, 1);
        assert_int_equal(r.w.s[0], want[round]);
    }
    r.w.s[2] = 0x00000001;
    r.w.s[4] = 0x00000001;
    isa_set_mode(&r.w, 0xf0);
    rig_run(&r, add, 1);
    assert_int_equal(r.w.s[0], 2);
    isa_set_mode(&r.w, 0xc0); /* f32 denormals flushed */
    rig_run(&r, add, 1);
    assert_int_equal(r.w.s[0], 0);
    rig_close(&r);
}

static void test_saveexec(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[1];
        unsigned lanes;
        uint64_t exec, src, new_exec, dst;
        unsigned scc;
    } v[] = {
        {"gfx803", WORDS("s_and_saveexec_b64 s[0:1], s[2:3]", 0xbe802002), 64, 0xff, 0xf0f0, 0xf0, 0xff, 1},
        {"gfx803", WORDS("s_and_saveexec_b64 s[0:1], s[2:3]", 0xbe802002), 64, 0xff, 0xff00, 0, 0xff, 0},
        {"gfx90a", WORDS("s_or_saveexec_b64 s[0:1], s[2:3]", 0xbe802102), 64, 0xff, 1ull << 63, 0x80000000000000ff,
         0xff, 1},
        {"gfx803", WORDS("s_xor_saveexec_b64 s[0:1], s[2:3]", 0xbe802202), 64, 0xff, 0xff, 0, 0xff, 0},
        {"gfx803", WORDS("s_andn2_saveexec_b64 s[0:1], s[2:3]", 0xbe802302), 64, 0xf, 0xff, 0xf0, 0xf, 1},
        {"gfx803", WORDS("s_orn2_saveexec_b64 s[0:1], s[2:3]", 0xbe802402), 64, UINT64_MAX, 1, 1, UINT64_MAX, 1},
        {"gfx900", WORDS("s_andn1_saveexec_b64 s[0:1], s[2:3]", 0xbe803302), 64, 0xff, 0xf, 0xf0, 0xff, 1},
        {"gfx900", WORDS("s_orn1_saveexec_b64 s[0:1], s[2:3]", 0xbe803402), 64, 1, UINT64_MAX, 1, 1, 1},
        {"gfx803", WORDS("s_nand_saveexec_b64 s[0:1], s[2:3]", 0xbe802502), 64, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX,
         0},
        {"gfx803", WORDS("s_nor_saveexec_b64 s[0:1], s[2:3]", 0xbe802602), 64, 1, 2, ~3ull, 1, 1},
        {"gfx803", WORDS("s_xnor_saveexec_b64 s[0:1], s[2:3]", 0xbe802702), 64, 5, 5, UINT64_MAX, 5, 1},
        {"gfx900", WORDS("s_andn1_wrexec_b64 s[0:1], s[2:3]", 0xbe803502), 64, 0xff, 0xf, 0xf0, 0xf0, 1},
        {"gfx900", WORDS("s_andn2_wrexec_b64 s[0:1], s[2:3]", 0xbe803602), 64, 0xf, 0xff, 0xf0, 0xf0, 1},
        {"gfx1201", WORDS("s_and_saveexec_b32 s0, s2", 0xbe802002), 32, 0xff, 0xf0f0, 0xf0, 0xff, 1},
        {"gfx1201", WORDS("s_or_saveexec_b32 s0, s2", 0xbe802202), 32, 0, 0x80000000, 0x80000000, 0, 1},
        {"gfx1201", WORDS("s_and_not1_saveexec_b32 s0, s2", 0xbe803002), 32, 0xf, 0xff, 0xf0, 0xf, 1},
        {"gfx1030", WORDS("s_nand_saveexec_b32 s0, s2", 0xbe804102), 32, 0xffffffff, 0xffffffff, 0, 0xffffffff, 0},
        {"gfx1100", WORDS("s_and_not0_wrexec_b32 s0, s2", 0xbe803402), 32, 0xff, 0xf, 0xf0, 0xf0, 1},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        rig_open(&r, v[k].target, v[k].lanes);
        isa_set_exec(&r.w, v[k].exec);
        r.w.s[0] = r.w.s[1] = 0;
        r.w.s[2] = (uint32_t)v[k].src;
        r.w.s[3] = (uint32_t)(v[k].src >> 32);
        rig_run(&r, v[k].words, 1);
        assert_int_equal(r.w.exec, v[k].new_exec);
        assert_int_equal(r.w.s[0] | (uint64_t)r.w.s[1] << 32, v[k].dst);
        assert_int_equal(r.w.scc, v[k].scc);
        for (unsigned l = 0; l < v[k].lanes; l++) /* the lane mask follows EXEC */
            assert_int_equal(r.w.mask[l], v[k].new_exec >> l & 1 ? 0xffffffff : 0);
        rig_close(&r);
    }
}

static void test_relative_moves(void **state)
{
    (void)state;
    static const uint32_t rels[] = WORDS("s_movrels_b32 s0, s4", 0xbe802a04),
                          reld[] = WORDS("s_movreld_b64 s[4:5], s[2:3]", 0xbe842d02),
                          two[] = WORDS("s_movrelsd_2_b32 s0, s4", 0xbe804404);
    struct rig r;

    rig_open(&r, "gfx900", 64);
    r.w.s[124] = 6; /* m0 */
    r.w.s[10] = 77;
    rig_run(&r, rels, 1);
    assert_int_equal(r.w.s[0], 77);
    r.w.s[2] = 1;
    r.w.s[3] = 2;
    rig_run(&r, reld, 1);
    assert_int_equal(r.w.s[10], 1);
    assert_int_equal(r.w.s[11], 2);
    r.w.s[124] = 98; /* s102 is past the last one */
    assert_int_equal(rig_try(&r, rels, 1), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    r.w.s[124] = 0xffffffff;
    assert_int_equal(rig_try(&r, reld, 1), ISA_FAULT);
    rig_close(&r);
    rig_open(&r, "gfx1201", 32);
    r.w.s[125] = 3 << 16 | 1;
    r.w.s[5] = 99;
    rig_run(&r, two, 1);
    assert_int_equal(r.w.s[3], 99);
    rig_close(&r);
}

static void test_vgpr_index(void **state)
{
    (void)state;
    static const uint32_t code[] =
        WORDS("s_set_gpr_idx_on s0, gpr_idx(SRC0);v_mov_b32 v1, v2;s_set_gpr_idx_idx s1;v_mov_b32 v3, "
              "v2;s_set_gpr_idx_mode gpr_idx(DST);v_mov_b32 v4, v2;s_set_gpr_idx_off;v_mov_b32 v5, v2",
              0xbf110100, 0x7e020302, 0xbe803201, 0x7e060302, 0xbf9d0008, 0x7e080302, 0xbf9c0000, 0x7e0a0302);
    struct rig r;

    rig_open(&r, "gfx900", 64);
    for (unsigned k = 0; k < 32; k++)
        rig_vall(&r, k, 1000 + k);
    r.w.s[0] = 5;
    r.w.s[1] = 7;
    if (!r.t->ops[FMT_VOP1] || !r.t->ops[FMT_VOP1][1].row)
        fail_msg("v_mov_b32 is missing");
    rig_run(&r, code, sizeof code / 4);
    assert_int_equal(rig_getv(&r, 1, 63), 1007); /* v[2+5] */
    assert_int_equal(rig_getv(&r, 3, 0), 1009);  /* v[2+7] */
    assert_int_equal(rig_getv(&r, 11, 9), 1002); /* v[4+7] = v2 */
    assert_int_equal(rig_getv(&r, 4, 9), 1004);
    assert_int_equal(rig_getv(&r, 5, 1), 1002);
    rig_close(&r);
}

static void test_hwreg(void **state)
{
    (void)state;
    static const uint32_t set8[] =
        WORDS("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0x1;s_getreg_b32 s0, hwreg(HW_REG_MODE)", 0xba000901,
              0x00000001, 0xb880f801),
                          set12[] = WORDS(
                              "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s2;s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)",
                              0xb9021801, 0xb8803801),
                          scc8[] = WORDS("s_getreg_b32 s0, hwreg(HW_REG_STATUS, 0, 1)", 0xb8800002),
                          scc12[] = WORDS("s_getreg_b32 s0, hwreg(HW_REG_STATE_PRIV, 9, 1)", 0xb8800244),
                          bases[] = WORDS("s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES, 16, 16)", 0xb8807c0f),
                          flat[] = WORDS("s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s2;s_setreg_b32 "
                                         "hwreg(HW_REG_FLAT_SCR_HI), s3;s_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_HI)",
                                         0xb982f814, 0xb983f815, 0xb900f815),
                          cycles[] = WORDS("s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES_LO)", 0xb880f81d),
                          unknown[] = WORDS("s_getreg_b32 s0, hwreg(33)", 0xb880f821),
                          modes[] = WORDS("s_round_mode 0x5;s_denorm_mode 0x3", 0xbf910005, 0xbf920003);
    struct rig r;

    rig_open(&r, "gfx803", 64);
    rig_run(&r, set8, 3);
    assert_int_equal(r.w.s[0] & 0x30, 0x10);
    assert_int_equal(r.w.mode.denorm32, 1);
    assert_int_equal(r.w.mode.denorm64, 3);
    r.w.scc = 1;
    rig_run(&r, scc8, 1);
    assert_int_equal(r.w.s[0], 1);
    assert_int_equal(rig_try(&r, unknown, 1), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_OTHER);
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    r.w.s[2] = 0xf9;
    rig_run(&r, set12, 2);
    assert_int_equal(r.w.s[0], 0xf9);
    assert_int_equal(r.w.mode.round32, 1);
    assert_int_equal(r.w.mode.round64, 2);
    r.w.scc = 1;
    rig_run(&r, scc12, 1);
    assert_int_equal(r.w.s[0], 1);
    rig_run(&r, cycles, 1);
    assert_int_equal(r.w.s[0], 12345);
    rig_close(&r);

    rig_open(&r, "gfx900", 64);
    rig_run(&r, bases, 1);
    assert_int_equal(r.w.s[0], 1);
    rig_close(&r);

    rig_open(&r, "gfx1030", 32);
    r.w.s[2] = 0x1000;
    r.w.s[3] = 7;
    rig_run(&r, flat, 3);
    assert_int_equal(r.w.flat_scratch, 0x700001000);
    assert_int_equal(r.w.s[0], 7);
    rig_close(&r);

    rig_open(&r, "gfx1100", 32);
    rig_run(&r, modes, 2);
    assert_int_equal(r.w.mode_reg & 0xff, 0x35);
    rig_close(&r);
}

static void test_null(void **state)
{
    (void)state;
    static const uint32_t to_null[] = WORDS("s_mov_b32 null, s2;s_add_co_u32 s0, null, 5", 0xbefc0002, 0x8000857c),
                          pair[] = WORDS("s_mov_b64 null, s[2:3]", 0xbefd0402);
    struct rig r;

    /* null is odd on gfx10, and m0 stands below it: the pair at null is no pair */
    rig_open(&r, "gfx1030", 32);
    r.w.s[2] = r.w.s[3] = 9;
    r.w.s[124] = 7;
    rig_run(&r, pair, 1);
    assert_int_equal(r.w.s[124], 7);
    assert_int_equal(r.w.s[125], 0);
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    r.w.s[2] = 9;
    rig_run(&r, to_null, 2);
    assert_int_equal(r.w.s[0], 5);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_sub),     cmocka_unit_test(test_mul_minmax_select),
        cmocka_unit_test(test_logic_shift), cmocka_unit_test(test_one_source),
        cmocka_unit_test(test_float),       cmocka_unit_test(test_float_mode),
        cmocka_unit_test(test_saveexec),    cmocka_unit_test(test_relative_moves),
        cmocka_unit_test(test_vgpr_index),  cmocka_unit_test(test_hwreg),
        cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
