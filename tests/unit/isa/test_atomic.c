/* Atomics in memory and LDS: the value left behind and the one returned, from the ISA manuals' pseudocode. */
#include <pthread.h>

#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* One lane's atomic: memory holds `old`, data in v[8:9], the compare value after it (v9, or v[10:11] for 64 bits) or,
 * for DS, data1 in v[10:11]; the old value returns in v[4:5]. Address: v[2:3] for memory, v2 for LDS. */
struct op {
    const char *target;
    unsigned bytes, nwords;
    uint64_t old, data, other, want;
    uint32_t words[3];
};

#define N3(...) sizeof((uint32_t[]){__VA_ARGS__}) / 4
#define OP32(T, OLD, DATA, OTHER, WANT, ...)                                                                           \
    {                                                                                                                  \
        T, 4, N3(__VA_ARGS__), OLD, DATA, OTHER, WANT,                                                                 \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define OP64(T, OLD, DATA, OTHER, WANT, ...)                                                                           \
    {                                                                                                                  \
        T, 8, N3(__VA_ARGS__), OLD, DATA, OTHER, WANT,                                                                 \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define NAN32  0x7fc00001u
#define SNAN32 0x7f800005u
#define ONE32  0x3f800000u
#define TWO32  0x40000000u
#define BIG64  UINT64_C(0x8000000100000002)

static const struct op memory_ops[] = {
    OP32("gfx90a", 5, 9, 0, 9, /* global_atomic_swap v4, v[2:3], v8, off glc */ 0xdd018000, 0x047f0802),
    OP32("gfx90a", 5, 9, 5, 9, /* global_atomic_cmpswap v4, v[2:3], v[8:9], off glc */ 0xdd058000, 0x047f0802),
    OP32("gfx90a", 5, 9, 6, 5, /* global_atomic_cmpswap v4, v[2:3], v[8:9], off glc */ 0xdd058000, 0x047f0802),
    OP32("gfx90a", 0xffffffff, 2, 0, 1, /* global_atomic_add v4, v[2:3], v8, off glc */ 0xdd098000, 0x047f0802),
    OP32("gfx90a", 1, 2, 0, 0xffffffff, /* global_atomic_sub v4, v[2:3], v8, off glc */ 0xdd0d8000, 0x047f0802),
    OP32("gfx90a", 1, 0xfffffffe, 0, 0xfffffffe, /* global_atomic_smin v4, v[2:3], v8, off glc */ 0xdd118000,
         0x047f0802),
    OP32("gfx90a", 1, 0xfffffffe, 0, 1, /* global_atomic_umin v4, v[2:3], v8, off glc */ 0xdd158000, 0x047f0802),
    OP32("gfx90a", 1, 0xfffffffe, 0, 1, /* global_atomic_smax v4, v[2:3], v8, off glc */ 0xdd198000, 0x047f0802),
    OP32("gfx90a", 1, 0xfffffffe, 0, 0xfffffffe, /* global_atomic_umax v4, v[2:3], v8, off glc */ 0xdd1d8000,
         0x047f0802),
    OP32("gfx90a", 12, 10, 0, 8, /* global_atomic_and v4, v[2:3], v8, off glc */ 0xdd218000, 0x047f0802),
    OP32("gfx90a", 12, 10, 0, 14, /* global_atomic_or v4, v[2:3], v8, off glc */ 0xdd258000, 0x047f0802),
    OP32("gfx90a", 12, 10, 0, 6, /* global_atomic_xor v4, v[2:3], v8, off glc */ 0xdd298000, 0x047f0802),
    OP32("gfx90a", 9, 10, 0, 10, /* global_atomic_inc v4, v[2:3], v8, off glc */ 0xdd2d8000, 0x047f0802),
    OP32("gfx90a", 10, 10, 0, 0, /* global_atomic_inc v4, v[2:3], v8, off glc */ 0xdd2d8000, 0x047f0802),
    OP32("gfx90a", 10, 10, 0, 9, /* global_atomic_dec v4, v[2:3], v8, off glc */ 0xdd318000, 0x047f0802),
    OP32("gfx90a", 0, 10, 0, 10, /* global_atomic_dec v4, v[2:3], v8, off glc */ 0xdd318000, 0x047f0802),
    OP32("gfx90a", 11, 10, 0, 10, /* global_atomic_dec v4, v[2:3], v8, off glc */ 0xdd318000, 0x047f0802),
    OP64("gfx90a", 5, BIG64, 0, BIG64, /* global_atomic_swap_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xdd818000,
         0x047f0802),
    OP64("gfx90a", BIG64, 9, BIG64, 9, /* global_atomic_cmpswap_x2 v[4:5], v[2:3], v[8:11], off glc */ 0xdd858000,
         0x047f0802),
    OP64("gfx90a", BIG64, 9, BIG64 + 1, BIG64,
         /* global_atomic_cmpswap_x2 v[4:5], v[2:3], v[8:11], off glc */ 0xdd858000, 0x047f0802),
    OP64("gfx90a", 0xffffffff, 1, 0, UINT64_C(0x100000000),
         /* global_atomic_add_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xdd898000, 0x047f0802),
    OP64("gfx90a", 1, BIG64, 0, BIG64, /* global_atomic_smin_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xdd918000,
         0x047f0802),
    OP64("gfx90a", 1, BIG64, 0, BIG64, /* global_atomic_umax_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xdd9d8000,
         0x047f0802),
    OP64("gfx90a", UINT64_MAX, UINT64_MAX, 0, 0, /* global_atomic_inc_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xddad8000,
         0x047f0802),
    OP64("gfx90a", 0, BIG64, 0, BIG64, /* global_atomic_dec_x2 v[4:5], v[2:3], v[8:9], off glc */ 0xddb18000,
         0x047f0802),
    OP32("gfx803", 7, 9, 0, 16, /* flat_atomic_add v4, v[2:3], v8 glc */ 0xdd090000, 0x04000802),
    OP32("gfx803", 7, 9, 0, 9, /* flat_atomic_umax v4, v[2:3], v8 glc */ 0xdd1d0000, 0x04000802),
    OP64("gfx803", BIG64, 1, 0, BIG64 - 1, /* flat_atomic_sub_x2 v[4:5], v[2:3], v[8:9] glc */ 0xdd8d0000, 0x04000802),
    OP32("gfx1030", 3, 5, 0, 0, /* global_atomic_csub v4, v[2:3], v8, off glc */ 0xdcd18000, 0x047d0802),
    OP32("gfx1201", 7, 9, 0, 16, /* global_atomic_add_u32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee0d407c,
         0x04100004, 0x00000002),
    OP32("gfx1201", 7, 9, 0, 9, /* flat_atomic_max_u32 v4, v[2:3], v8 th:TH_ATOMIC_RETURN */ 0xec0ec07c, 0x04100004,
         0x00000002),
    OP32("gfx1201", 3, 5, 0, 0, /* global_atomic_sub_clamp_u32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee0dc07c,
         0x04100004, 0x00000002),
    OP32("gfx1201", 7, 5, 0, 2, /* global_atomic_sub_clamp_u32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee0dc07c,
         0x04100004, 0x00000002),
    OP32("gfx1201", 3, 5, 0, 3, /* global_atomic_cond_sub_u32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee14007c,
         0x04100004, 0x00000002),
    OP32("gfx1201", 5, 5, 0, 0, /* flat_atomic_cond_sub_u32 v4, v[2:3], v8 th:TH_ATOMIC_RETURN */ 0xec14007c,
         0x04100004, 0x00000002),
    /* floats: a NaN loses on gfx12 and stays where it is before; -0 is below +0 on gfx12 only */
    OP32("gfx1030", ONE32, TWO32, 0, TWO32, /* global_atomic_fmax v4, v[2:3], v8, off glc */ 0xdd018000, 0x047d0802),
    OP32("gfx1030", NAN32, TWO32, 0, NAN32, /* global_atomic_fmax v4, v[2:3], v8, off glc */ 0xdd018000, 0x047d0802),
    OP32("gfx1030", 0, 0x80000000, 0, 0, /* global_atomic_fmin v4, v[2:3], v8, off glc */ 0xdcfd8000, 0x047d0802),
    OP32("gfx1201", NAN32, TWO32, 0, TWO32,
         /* global_atomic_max_num_f32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee14807c, 0x04100004, 0x00000002),
    OP32("gfx1201", ONE32, NAN32, 0, ONE32,
         /* global_atomic_min_num_f32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee14407c, 0x04100004, 0x00000002),
    OP32("gfx1201", NAN32, SNAN32, 0, 0x7fc00005,
         /* global_atomic_min_num_f32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee14407c, 0x04100004, 0x00000002),
    OP32("gfx1201", 0, 0x80000000, 0, 0x80000000,
         /* global_atomic_min_num_f32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee14407c, 0x04100004, 0x00000002),
    OP32("gfx1030", 0x80000000, TWO32, 0, TWO32, /* flat_atomic_fcmpswap v4, v[2:3], v[8:9] glc */ 0xdcf90000,
         0x047d0802),
    OP32("gfx1030", NAN32, TWO32, NAN32, NAN32, /* flat_atomic_fcmpswap v4, v[2:3], v[8:9] glc */ 0xdcf90000,
         0x047d0802),
    OP32("gfx90a", ONE32, ONE32, 0, TWO32, /* global_atomic_add_f32 v4, v[2:3], v8, off glc */ 0xdd358000, 0x047f0802),
    /* denormals: flushed by gfx90a's memory, kept by gfx942's and gfx12's */
    OP32("gfx90a", 0x00000003, 0x00000004, 0, 0, /* global_atomic_add_f32 v4, v[2:3], v8, off glc */ 0xdd358000,
         0x047f0802),
    OP32("gfx942", 0x00000003, 0x00000004, 0, 7, /* global_atomic_add_f32 v4, v[2:3], v8, off sc0 */ 0xdd358000,
         0x047f0802),
    OP32("gfx1201", 0x00000003, 0x00000004, 0, 7,
         /* global_atomic_add_f32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee15807c, 0x04100004, 0x00000002),
    OP64("gfx90a", UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000), 0, UINT64_C(0x4008000000000000),
         /* global_atomic_add_f64 v[4:5], v[2:3], v[8:9], off glc */ 0xdd3d8000, 0x047f0802),
    OP64("gfx90a", UINT64_C(0x3ff0000000000000), UINT64_C(0xc000000000000000), 0, UINT64_C(0xc000000000000000),
         /* flat_atomic_min_f64 v[4:5], v[2:3], v[8:9] glc */ 0xdd410000, 0x04000802),
    OP32("gfx90a", 0x3c004000, 0x3c00c000, 0, 0x40000000,
         /* global_atomic_pk_add_f16 v4, v[2:3], v8, off glc */ 0xdd398000, 0x047f0802),
    /* bf16: 256 + 1 ties to even and stays, 258 + 1 goes to 260; -1 + 1 is +0 */
    OP32("gfx942", 0x43804381, 0x3f803f80, 0, 0x43804382,
         /* global_atomic_pk_add_bf16 v4, v[2:3], v8, off sc0 */ 0xdd498000, 0x047f0802),
    OP32("gfx1201", 0xbf804000, 0x3f804040, 0, 0x000040a0,
         /* global_atomic_pk_add_bf16 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee16807c, 0x04100004, 0x00000002),
};

static const struct op lds_ops[] = {
    OP32("gfx803", 7, 9, 0, 16, /* ds_add_rtn_u32 v4, v2, v8 */ 0xd8400000, 0x04000802),
    OP32("gfx803", 7, 9, 0, 2, /* ds_rsub_rtn_u32 v4, v2, v8 */ 0xd8440000, 0x04000802),
    OP64("gfx803", 7, BIG64, 0, BIG64 - 7, /* ds_rsub_rtn_u64 v[4:5], v2, v[8:9] */ 0xd8c40000, 0x04000802),
    OP32("gfx803", 1, 0xfffffffe, 0, 0xfffffffe, /* ds_min_rtn_i32 v4, v2, v8 */ 0xd84a0000, 0x04000802),
    OP64("gfx803", 1, BIG64, 0, 1, /* ds_max_rtn_i64 v[4:5], v2, v[8:9] */ 0xd8cc0000, 0x04000802),
    OP32("gfx803", 0xff00ff00, 0x0f0f0f0f, 0x00000003, 0xf000f003, /* ds_mskor_rtn_b32 v4, v2, v8, v10 */ 0xd8580000,
         0x040a0802),
    OP64("gfx803", 5, BIG64, 0, BIG64, /* ds_wrxchg_rtn_b64 v[4:5], v2, v[8:9] */ 0xd8da0000, 0x04000802),
    /* cmpst: data0 is compared, data1 goes in; cmpstore: the other way round */
    OP32("gfx803", 5, 5, 9, 9, /* ds_cmpst_rtn_b32 v4, v2, v8, v10 */ 0xd8600000, 0x040a0802),
    OP32("gfx803", 9, 5, 9, 9, /* ds_cmpst_rtn_b32 v4, v2, v8, v10 */ 0xd8600000, 0x040a0802),
    OP32("gfx1201", 9, 5, 9, 5, /* ds_cmpstore_rtn_b32 v4, v2, v8, v10 */ 0xd8c00000, 0x040a0802),
    OP32("gfx1201", 5, 5, 9, 5, /* ds_cmpstore_rtn_b32 v4, v2, v8, v10 */ 0xd8c00000, 0x040a0802),
    OP64("gfx1201", BIG64, 5, BIG64, 5, /* ds_cmpstore_rtn_b64 v[4:5], v2, v[8:9], v[10:11] */ 0xd9c00000, 0x040a0802),
    OP32("gfx803", 0x80000000, 0, TWO32, TWO32, /* ds_cmpst_rtn_f32 v4, v2, v8, v10 */ 0xd8620000, 0x040a0802),
    OP32("gfx1100", 0x80000000, TWO32, 0, TWO32, /* ds_cmpstore_rtn_f32 v4, v2, v8, v10 */ 0xd8c40000, 0x040a0802),
    OP32("gfx90a", 20, 7, 100, 13, /* ds_wrap_rtn_b32 v4, v2, v8, v10 */ 0xd8680000, 0x040a0802),
    OP32("gfx90a", 5, 7, 100, 105, /* ds_wrap_rtn_b32 v4, v2, v8, v10 */ 0xd8680000, 0x040a0802),
    OP64("gfx90a", UINT64_C(0x0000000100000002), UINT64_C(0x8000000700000008), 0, UINT64_C(0x0000000700000002),
         /* ds_condxchg32_rtn_b64 v[4:5], v2, v[8:9] */ 0xd8fc0000, 0x04000802),
    OP32("gfx803", ONE32, ONE32, 0, TWO32, /* ds_add_rtn_f32 v4, v2, v8 */ 0xd86a0000, 0x04000802),
    OP32("gfx803", 3, 4, 0, 7, /* ds_add_rtn_f32 v4, v2, v8 */ 0xd86a0000, 0x04000802),
    OP32("gfx90a", NAN32, TWO32, 0, NAN32, /* ds_max_rtn_f32 v4, v2, v8 */ 0xd8660000, 0x04000802),
    OP32("gfx1201", NAN32, TWO32, 0, TWO32, /* ds_max_num_rtn_f32 v4, v2, v8 */ 0xd8cc0000, 0x04000802),
    OP64("gfx90a", UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000), 0, UINT64_C(0x4008000000000000),
         /* ds_add_rtn_f64 v[4:5], v2, v[8:9] */ 0xd8f80000, 0x04000802),
    OP32("gfx1201", 3, 5, 0, 0, /* ds_sub_clamp_rtn_u32 v4, v2, v8 */ 0xdaa40000, 0x04000802),
    OP32("gfx1201", 3, 5, 0, 3, /* ds_cond_sub_rtn_u32 v4, v2, v8 */ 0xdaa00000, 0x04000802),
    OP32("gfx1201", 0x3c004000, 0x3c00c000, 0, 0x40000000, /* ds_pk_add_rtn_f16 v4, v2, v8 */ 0xdaa80000, 0x04000802),
    OP32("gfx1201", 12, 10, 0, 6, /* ds_xor_rtn_b32 v4, v2, v8 */ 0xd8ac0000, 0x04000802),
};

static void check_op(const struct op *o, bool lds)
{
    struct rig r;
    unsigned lane = 11, dw = o->bytes / 4, other = lds ? 10 : 8 + dw;
    uint64_t got = 0;

    rig_open(&r, o->target, strncmp(o->target, "gfx1", 4) ? 64 : 32);
    r.w.s[r.t->code_m0] = 0xffffffff;
    uint8_t *at = (lds ? r.lds : r.mem) + 48;
    memcpy(at, &o->old, o->bytes);
    rig_v(&r, 2, lane, lds ? 48 : (uint32_t)RIG_MEM + 48);
    rig_v(&r, 3, lane, (uint32_t)(RIG_MEM >> 32));
    for (unsigned k = 0; k < dw; k++) {
        rig_v(&r, 8 + k, lane, (uint32_t)(o->data >> (32 * k)));
        rig_v(&r, other + k, lane, (uint32_t)(o->other >> (32 * k)));
    }
    isa_set_exec(&r.w, UINT64_C(1) << lane);
    rig_run(&r, o->words, o->nwords);
    memcpy(&got, at, o->bytes);
    if (got != o->want)
        fail_msg("%s word 0x%08x: old 0x%llx data 0x%llx other 0x%llx left 0x%llx, not 0x%llx", o->target, o->words[0],
                 (unsigned long long)o->old, (unsigned long long)o->data, (unsigned long long)o->other,
                 (unsigned long long)got, (unsigned long long)o->want);
    for (unsigned k = 0; k < dw; k++)
        assert_int_equal(rig_getv(&r, 4 + k, lane), (uint32_t)(o->old >> (32 * k)));
    /* nothing beside it */
    for (unsigned k = 0; k < 8; k++) {
        assert_int_equal(at[-1 - (int)k], 0);
        assert_int_equal(at[o->bytes + k], 0);
    }
    assert_true(r.fx.returns);
    assert_int_equal(r.fx.op, MEM_ATOMIC);
    rig_close(&r);
}

static void test_memory_ops(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof memory_ops / sizeof memory_ops[0]; k++)
        check_op(&memory_ops[k], false);
}

static void test_lds_ops(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof lds_ops / sizeof lds_ops[0]; k++)
        check_op(&lds_ops[k], true);
}

/* Without glc the destination is no operand: whatever the field holds stays untouched. */
static void test_no_return(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, (uint32_t)RIG_MEM + 4 * (l & 1));
        rig_v(&r, 8, l, 1);
        rig_v(&r, 0, l, 0xbad);
    }
    rig_run(&r, WORDS(/* global_atomic_add v[2:3], v8, off */ 0xdd088000, 0x007f0802));
    assert_int_equal(load_u32(r.mem), 32);
    assert_int_equal(rig_getv(&r, 0, 1), 0xbad);
    assert_false(r.fx.returns);
    const struct isa_inst *i = isa_program_at(r.p, RIG_CODE);
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(r.t, i, 64, refs);
    for (unsigned k = 0; k < n; k++)
        assert_false(refs[k].write && refs[k].file == RF_VGPR);
    rig_close(&r);
}

/* Lanes of one instruction meet at one place in ascending order. */
static void test_lane_order(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, (uint32_t)RIG_MEM);
        rig_v(&r, 8, l, l + 1);
    }
    rig_run(&r, WORDS(/* global_atomic_add_u32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee0d407c, 0x04100004,
                      0x00000002));
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(rig_getv(&r, 4, l), l * (l + 1) / 2);
    rig_run(&r, WORDS(/* global_atomic_swap_b32 v4, v[2:3], v8, off th:TH_ATOMIC_RETURN */ 0xee0cc07c, 0x04100004,
                      0x00000002));
    assert_int_equal(rig_getv(&r, 4, 0), 528);
    assert_int_equal(rig_getv(&r, 4, 31), 31);
    assert_int_equal(load_u32(r.mem), 32);
    rig_close(&r);
}

static void test_misaligned(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, (uint32_t)RIG_MEM + (l == 5 ? 4 : 8));
    rig_run(&r, WORDS(/* global_atomic_add v[2:3], v8, off */ 0xdd088000, 0x007f0802));
    assert_int_equal(rig_try(&r, WORDS(/* global_atomic_add_x2 v[2:3], v[8:9], off */ 0xdd888000, 0x007f0802)),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    assert_int_equal(r.w.fault.lane, 5);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, l == 6 ? 2 : 4);
    assert_int_equal(rig_try(&r, WORDS(/* ds_add_u32 v2, v8 */ 0xd8000000, 0x00000802)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    assert_int_equal(r.w.fault.lane, 6);
    rig_close(&r);
}

/* LDS out of bounds: nothing happens, zero comes back. */
static void test_lds_bounds(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    r.w.lds_bytes = 128;
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, 4 * l);
        rig_v(&r, 8, l, 3);
        rig_v(&r, 4, l, 0xbad);
    }
    memset(r.lds, 1, 512);
    rig_run(&r, WORDS(/* ds_add_rtn_u32 v4, v2, v8 */ 0xd8400000, 0x04000802));
    assert_int_equal(load_u32(r.lds + 124), 0x01010104);
    assert_int_equal(load_u32(r.lds + 128), 0x01010101);
    assert_int_equal(rig_getv(&r, 4, 31), 0x01010101);
    assert_int_equal(rig_getv(&r, 4, 32), 0);
    rig_close(&r);
}

/* Waves on two host threads add and compare-and-swap in the same memory: no update is lost. */
#define ROUNDS 2000

static bool find_shared(void *ctx, gaddr_t addr, struct isa_range *out)
{
    if (addr < RIG_MEM || addr >= RIG_MEM + 65536)
        return false;
    *out = (struct isa_range){RIG_MEM, RIG_MEM + 65536, ctx, true, false};
    return true;
}

static void *adder(void *arg)
{
    struct rig r;
    struct isa_inst add, add64;
    const uint32_t w32[] = {/* global_atomic_add_f32 v[2:3], v8, off */ 0xee15807c, 0x04000000, 0x00000002};
    const uint32_t w64[] = {/* global_atomic_add_u64 v[4:5], v[8:9], off */ 0xee10c07c, 0x04000000, 0x00000004};

    rig_open(&r, "gfx1201", 32);
    r.env.find = find_shared;
    r.env.ctx = arg;
    isa_decode(r.t, (const uint8_t *)w32, sizeof w32, &add, NULL);
    isa_decode(r.t, (const uint8_t *)w64, sizeof w64, &add64, NULL);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, (uint32_t)RIG_MEM);
        rig_v(&r, 4, l, (uint32_t)RIG_MEM + 8);
        rig_v(&r, 8, l, ONE32);
    }
    for (unsigned k = 0; k < ROUNDS; k++) {
        add.exec(&r.w, &add, &r.env, NULL);
        add64.exec(&r.w, &add64, &r.env, NULL);
    }
    bool ok = r.w.fault.kind == FAULT_NONE;
    rig_close(&r);
    return ok ? arg : NULL;
}

static void test_threads(void **state)
{
    pthread_t t[2];
    uint8_t *shared = calloc(1, 65536);
    (void)state;

    assert_non_null(shared);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&t[k], NULL, adder, shared), 0);
    for (unsigned k = 0; k < 2; k++) {
        void *ok;
        pthread_join(t[k], &ok);
        assert_ptr_equal(ok, shared);
    }
    float sum;
    memcpy(&sum, shared, 4);
    assert_true(sum == 2.0f * 32 * ROUNDS);
    assert_int_equal(load_u64(shared + 8), UINT64_C(2) * 32 * ROUNDS * ONE32);
    free(shared);
}

static bool find_own(void *ctx, gaddr_t addr, struct isa_range *out)
{
    bool found = rig_find(ctx, addr, out);

    out->own = true;
    return found;
}

/* Runs each instruction once on memory and registers full of numbers of which some are equal. */
static void run_all(struct rig *r, bool alone)
{
    static const uint32_t w[][3] = {
        {0xee0d4004, 0x0410000a, 2}, /* global_atomic_add_u32 v10, v2, v8, s[4:5] th:TH_ATOMIC_RETURN */
        {0xee0d0004, 0x0410000a, 2}, /* global_atomic_cmpswap_b32 v10, v2, v[8:9], s[4:5] th:TH_ATOMIC_RETURN */
        {0xee0e8004, 0x04000000, 2}, /* global_atomic_max_i32 v2, v8, s[4:5] */
        {0xee104004, 0x0410000a, 2}, /* global_atomic_swap_b64 v[10:11], v2, v[8:9], s[4:5] th:TH_ATOMIC_RETURN */
        {0xee108004, 0x0410000a, 2}, /* global_atomic_cmpswap_b64 v[10:11], v2, v[8:11], s[4:5] th:... */
        {0xee134004, 0x04000000, 2}, /* global_atomic_dec_u64 v2, v[8:9], s[4:5] */
        {0xee164004, 0x0410000a, 2}, /* global_atomic_pk_add_f16 v10, v2, v8, s[4:5] th:TH_ATOMIC_RETURN */
        {0xee158004, 0x04000000, 2}, /* global_atomic_add_f32 v2, v8, s[4:5] */
    };

    rig_open(r, "gfx1201", 32);
    r->env.alone = alone;
    if (alone)
        r->env.find = find_own;
    r->w.s[4] = (uint32_t)RIG_MEM;
    r->w.s[5] = (uint32_t)(RIG_MEM >> 32);
    for (unsigned k = 0; k < 1024; k++)
        r->mem[k] = (uint8_t)(k % 7);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(r, 2, l, l % 5 * 8);
        for (unsigned v = 8; v < 12; v++)
            rig_v(r, v, l, (l * v % 3) * 0x01020304);
    }
    for (size_t k = 0; k < sizeof w / sizeof w[0]; k++)
        rig_run(r, w[k], 3);
}

/* Where one host thread is alone on memory of its own, atomics leave the same without the host's. */
static void test_alone(void **state)
{
    struct rig shared, alone;
    (void)state;

    run_all(&shared, false);
    run_all(&alone, true);
    assert_memory_equal(shared.mem, alone.mem, 1024);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned v = 8; v < 12; v++)
            assert_int_equal(rig_getv(&shared, v, l), rig_getv(&alone, v, l));
    rig_close(&shared);
    rig_close(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_ops), cmocka_unit_test(test_lds_ops),    cmocka_unit_test(test_no_return),
        cmocka_unit_test(test_lane_order), cmocka_unit_test(test_misaligned), cmocka_unit_test(test_lds_bounds),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
