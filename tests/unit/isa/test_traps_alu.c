/* Traps that emulators of these chips are known to fall into, as far as they concern no memory, each by name. Expected
 * values are worked out by hand from the manuals' pseudocode; words are llvm-mc-19's for the text beside them. Those of
 * memory stand in test_traps_memory.c. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(x)   (sizeof(x) / sizeof(x)[0])

static uint64_t pair(const struct rig *r, unsigned s)
{
    return r->w.s[s] | (uint64_t)r->w.s[s + 1] << 32;
}

static void set_pair(struct rig *r, unsigned s, uint64_t v)
{
    r->w.s[s] = (uint32_t)v;
    r->w.s[s + 1] = (uint32_t)(v >> 32);
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static void register_numbers_past_the_allocation(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes, vgprs; /* the last number allowed, plus 1 */
        uint32_t words[3];
        unsigned n;
    } list[] = {
        {"gfx803", 64, 201, {/* v_mov_b32 v200, v1 */ 0x7f900301}, 1},
        {"gfx803", 64, 2, {/* v_mov_b32 v0, v1 */ 0x7e000301}, 1},
        {"gfx803", 64, 4, {/* v_add_f64 v[0:1], v[2:3], 0.5: the pair's second half */ 0xd2800000, 0x0001e102}, 2},
        {"gfx803", 64, 4, {/* v_med3_f32 v0, v1, v2, v3 */ 0xd1d60000, 0x040e0501}, 2},
        {"gfx803", 64, 2, {/* v_readlane_b32 s0, v1, 40 */ 0xd2890000, 0x00015101}, 2},
        {"gfx803", 64, 3, {/* v_mov_b32_dpp v1, v2 row_shl:1 */ 0x7e0202fa, 0xff010102}, 2},
        {"gfx803", 64, 3, {/* v_mov_b32_sdwa v1, v2 src0_sel:BYTE_1 */ 0x7e0202f9, 0x00011602}, 2},
        {"gfx1100", 32, 3, {/* v_cmp_eq_u32 vcc_lo, v1, v2 */ 0x7c940501}, 1},
        {"gfx1100", 64, 2, {/* v_permlane64_b32 v0, v1 */ 0x7e00cf01}, 1},
        {"gfx1201", 32, 4, {/* v_dot4_f32_fp8_bf8 v0, v1, v2, v3 */ 0xcc244000, 0x1c0e0501}, 2},
    };
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++)
        for (unsigned less = 0; less < 2; less++) {
            struct rig r;
            rig_open(&r, list[k].target, list[k].lanes);
            r.w.nvgprs = list[k].vgprs - less;
            assert_int_equal(rig_try(&r, list[k].words, list[k].n), less ? ISA_FAULT : ISA_OK);
            assert_int_equal(r.w.fault.kind, less ? FAULT_REGISTER : FAULT_NONE);
            rig_close(&r);
        }
}

/* gfx9's VGPR index is added to the number before it is looked at. */
static void indexed_register_past_the_allocation(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    r.w.nvgprs = 16;
    r.w.s[0] = 13;
    rig_run(&r, WORDS(/* s_set_gpr_idx_on s0, gpr_idx(SRC0); v_mov_b32 v1, v2 */ 0xbf110100, 0x7e020302));
    r.w.s[0] = 14;
    assert_int_equal(rig_try(&r, WORDS(0xbf110100, 0x7e020302)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    rig_close(&r);
}

/* --- SCC ---------------------------------------------------------------------------------------------------------- */

static void scc_is_in_state_priv_on_gfx12(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1100", 32);
    r.w.scc = 1;
    rig_run(&r, WORDS(/* s_getreg_b32 s0, hwreg(HW_REG_STATUS) */ 0xb880f802));
    assert_int_equal(r.w.s[0] & 1, 1);
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    r.w.scc = 1;
    rig_run(&r, WORDS(0xb880f802));
    assert_int_equal(r.w.s[0] & 1, 0);
    rig_run(&r, WORDS(/* s_getreg_b32 s0, hwreg(HW_REG_STATE_PRIV) */ 0xb880f804));
    assert_int_equal(r.w.s[0], 1 << 9);
    r.w.scc = 0;
    /* s_setreg_imm32_b32 hwreg(HW_REG_STATE_PRIV, 9, 1), 1: not for a wave without privilege */
    rig_run(&r, WORDS(0xb9800244, 1));
    assert_int_equal(r.w.scc, 0);
    isa_set_exec(&r.w, 0); /* EXECZ and VCCZ stay in STATUS */
    rig_run(&r, WORDS(0xb880f802));
    assert_int_equal(r.w.s[0] >> 9 & 3, 3);
    rig_close(&r);
}

/* s_min: S0 < S1; s_max: S0 >= S1. */
static void scc_of_min_and_max_on_equal_operands(void **state)
{
    static const struct {
        const char *target;
        uint32_t min_i32, min_u32, max_i32, max_u32;
    } list[] = {
        {"gfx803", 0x83000201, 0x83800201, 0x84000201, 0x84800201},
        {"gfx900", 0x83000201, 0x83800201, 0x84000201, 0x84800201},
        {"gfx1201", 0x89000201, 0x89800201, 0x8a000201, 0x8a800201},
    };
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        const uint32_t words[4] = {list[k].min_i32, list[k].min_u32, list[k].max_i32, list[k].max_u32};
        struct rig r;
        rig_open(&r, list[k].target, 64);
        for (unsigned n = 0; n < 4; n++) {
            r.w.s[1] = r.w.s[2] = 0x80000005;
            r.w.scc = n < 2;
            rig_run(&r, &words[n], 1);
            assert_int_equal(r.w.s[0], 0x80000005);
            assert_int_equal(r.w.scc, n >= 2);
            r.w.s[2] = 5; /* below as a signed number, above as an unsigned one */
            rig_run(&r, &words[n], 1);
            assert_int_equal(r.w.s[0], n == 0 || n == 3 ? 0x80000005 : 5);
            assert_int_equal(r.w.scc, n == 0 || n == 3);
        }
        rig_close(&r);
    }
}

/* --- literals ----------------------------------------------------------------------------------------------------- */

/* Signed 64-bit operands extend the sign, others zeros; a double's literal is its high half. */
static void literals_of_64_bit_operands(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    set_pair(&r, 2, UINT64_MAX);
    rig_run(&r, WORDS(/* s_and_b64 s[0:1], s[2:3], 0xfffffff0 */ 0x8680ff02, 0xfffffff0));
    assert_int_equal(pair(&r, 0), 0xfffffff0);
    rig_run(&r, WORDS(/* s_ashr_i64 s[0:1], 0x80000000, 4 */ 0x908084ff, 0x80000000));
    assert_int_equal(pair(&r, 0), UINT64_C(0xfffffffff8000000));
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    rig_run(&r, WORDS(/* s_mov_b64 s[0:1], 0x80000000 */ 0xbe8001ff, 0x80000000));
    assert_int_equal(pair(&r, 0), 0x80000000);
    set_pair(&r, 2, 2);
    rig_run(&r, WORDS(/* s_add_nc_u64 s[0:1], s[2:3], 0x80000000 */ 0xa980ff02, 0x80000000));
    assert_int_equal(pair(&r, 0), 0x80000002);
    rig_run(&r, WORDS(/* s_mul_u64 s[0:1], s[2:3], 0x80000000 */ 0xaa80ff02, 0x80000000));
    assert_int_equal(pair(&r, 0), UINT64_C(0x100000000));
    rig_vall(&r, 2, 0);
    rig_vall(&r, 3, 0x3ff00000); /* 1.0 */
    rig_run(&r, WORDS(/* v_add_f64 v[0:1], 0x40080000, v[2:3]: 3.0 + 1.0 */ 0x040004ff, 0x40080000));
    assert_int_equal(rig_getv(&r, 0, 0), 0);
    assert_int_equal(rig_getv(&r, 1, 0), 0x40100000);
    rig_close(&r);

    rig_open(&r, "gfx1100", 32);
    rig_vall(&r, 2, 0x80000000);
    rig_vall(&r, 3, 0);
    for (unsigned l = 0; l < 8; l++) /* eight lanes have the sign extended */
        rig_v(&r, 3, l, 0xffffffff);
    rig_run(&r, WORDS(/* v_cmp_eq_u64 vcc_lo, 0x80000000, v[2:3] */ 0x7cb404ff, 0x80000000));
    assert_int_equal(r.w.s[106], 0xffffff00);
    rig_run(&r, WORDS(/* v_cmp_eq_i64 vcc_lo, 0x80000000, v[2:3] */ 0x7ca404ff, 0x80000000));
    assert_int_equal(r.w.s[106], 0x000000ff);
    rig_vall(&r, 2, 4);
    rig_run(&r, WORDS(/* v_lshlrev_b64 v[0:1], v2, 0x80000000 */ 0xd73c0000, 0x0001ff02, 0x80000000));
    assert_int_equal(rig_getv(&r, 0, 3), 0);
    assert_int_equal(rig_getv(&r, 1, 3), 8);
    rig_run(&r, WORDS(/* v_ashrrev_i64 v[0:1], 4, 0x80000000 */ 0xd73e0000, 0x0001fe84, 0x80000000));
    assert_int_equal(rig_getv(&r, 0, 3), 0xf8000000);
    assert_int_equal(rig_getv(&r, 1, 3), 0xffffffff);
    set_pair(&r, 0, UINT64_C(0xffffffff80000000));
    rig_run(&r, WORDS(/* s_cmp_eq_u64 s[0:1], 0x80000000 */ 0xbf10ff00, 0x80000000));
    assert_int_equal(r.w.scc, 0);
    rig_close(&r);
}

/* --- floats ------------------------------------------------------------------------------------------------------- */

static uint32_t run2(const char *target, uint32_t mode, const uint32_t *words, unsigned n, uint32_t a, uint32_t b)
{
    struct rig r;

    rig_open(&r, target, 64);
    isa_set_mode(&r.w, mode);
    rig_vall(&r, 1, a);
    rig_vall(&r, 2, b);
    rig_run(&r, words, n);
    uint32_t got = rig_getv(&r, 0, 0);
    rig_close(&r);
    return got;
}

/* Denormals live through a clamp where MODE lets them, and omod is not for such a MODE, nor for an IEEE one. */
static void clamp_and_omod_with_denormals(void **state)
{
    enum { KEEP = 0xf0, FLUSH_OUT = 0x50, FLUSH_IN = 0xa0 };
    const uint32_t clamp[] = {0xd1018000, 0x00020501}; /* v_add_f32_e64 v0, v1, v2 clamp */
    const uint32_t twice[] = {0xd1050000, 0x08020501}; /* v_mul_f32_e64 v0, v1, v2 mul:2 */
    const uint32_t smallest = 0x00800000, half = 0x3f000000, one = 0x3f800000, two = 0x40000000;
    (void)state;

    assert_int_equal(run2("gfx900", KEEP, clamp, 2, 3, 2), 5);
    assert_int_equal(run2("gfx900", FLUSH_OUT, clamp, 2, 3, 2), 0);
    assert_int_equal(run2("gfx900", FLUSH_IN, clamp, 2, 3, smallest), smallest);
    assert_int_equal(run2("gfx900", KEEP, clamp, 2, 0x80000003, 0), 0);
    assert_int_equal(run2("gfx900", KEEP, clamp, 2, two, one), one);
    assert_int_equal(run2("gfx900", KEEP | MODE_DX10_CLAMP, clamp, 2, 0x7fc00000, one), 0);
    assert_int_equal(run2("gfx900", KEEP, clamp, 2, 0x7fc00000, one), 0x7fc00000);
    assert_int_equal(run2("gfx900", FLUSH_OUT, twice, 2, one, one), two);
    assert_int_equal(run2("gfx900", KEEP, twice, 2, one, one), one);
    assert_int_equal(run2("gfx900", FLUSH_OUT | MODE_IEEE, twice, 2, one, one), one);
    /* half of the smallest normal number is flushed before it is doubled */
    assert_int_equal(run2("gfx900", FLUSH_OUT, twice, 2, smallest, half), 0);
    assert_int_equal(run2("gfx900", FLUSH_OUT, twice, 2, 0x80000000, one), 0); /* no -0 */
}

enum { SNAN = 0x7f800001, QUIET = 0x7fc00001, OTHER = 0x7fc00002, ONE = 0x3f800000 };
#define MINUS_0 0x80000000u

/* min and max in v0 of v1, v2; three generations of rules. */
static void minus_zero_and_nan_in_min_and_max(void **state)
{
    static const struct {
        const char *target;
        uint32_t min, max;
    } list[] = {{"gfx803", 0x14000501, 0x16000501},
                {"gfx90a", 0x14000501, 0x16000501},
                {"gfx1030", 0x1e000501, 0x20000501},
                {"gfx1100", 0x1e000501, 0x20000501},
                {"gfx1201", 0x2a000501, 0x2c000501}};
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        const char *t = list[k].target;
        const uint32_t *min = &list[k].min, *max = &list[k].max;
        bool num = k == 4; /* gfx12 has no IEEE mode: a number wins over any NaN */
        for (unsigned ieee = 0; ieee < 2; ieee++) {
            uint32_t mode = 0xf0 | (ieee ? MODE_IEEE : 0);
            assert_int_equal(run2(t, mode, min, 1, MINUS_0, 0), MINUS_0);
            assert_int_equal(run2(t, mode, min, 1, 0, MINUS_0), MINUS_0);
            assert_int_equal(run2(t, mode, max, 1, MINUS_0, 0), 0);
            assert_int_equal(run2(t, mode, max, 1, 0, MINUS_0), 0);
            assert_int_equal(run2(t, mode, min, 1, QUIET, ONE), ONE);
            assert_int_equal(run2(t, mode, max, 1, ONE, QUIET), ONE);
            assert_int_equal(run2(t, mode, min, 1, SNAN, ONE), ieee && !num ? QUIET : ONE);
            assert_int_equal(run2(t, mode, max, 1, ONE, SNAN), ieee && !num ? QUIET : ONE);
            assert_int_equal(run2(t, mode, min, 1, QUIET, OTHER), k < 3 ? OTHER : QUIET);
        }
    }
    /* MODE's denormals: not for gfx8 */
    assert_int_equal(run2("gfx803", 0, &list[0].max, 1, 5, MINUS_0), 5);
    assert_int_equal(run2("gfx900", 0, &list[1].max, 1, 5, MINUS_0), 0);
    /* v_minimum_f32, v_maximum_f32: a NaN wins, quiet; a signalling one before others */
    const uint32_t minimum[] = {0xd7650000, 0x00020501}, maximum[] = {0xd7660000, 0x00020501};
    assert_int_equal(run2("gfx1201", 0xf0, minimum, 2, ONE, QUIET), QUIET);
    assert_int_equal(run2("gfx1201", 0xf0, maximum, 2, OTHER, SNAN), QUIET);
    assert_int_equal(run2("gfx1201", 0xf0, minimum, 2, 0, MINUS_0), MINUS_0);
    assert_int_equal(run2("gfx1201", 0xf0, maximum, 2, MINUS_0, 0), 0);
}

/* 0x38 is 1.0 as e4m3 and 0.5 as e5m2, 0x3c is 1.5 and 1.0. */
static void bf8_against_fp8(void **state)
{
    static const uint32_t dot[4][2] = {{0xcc244000, 0x1c0e0501},  /* v_dot4_f32_fp8_bf8 v0, v1, v2, v3 */
                                       {0xcc254000, 0x1c0e0501},  /* _bf8_fp8 */
                                       {0xcc264000, 0x1c0e0501},  /* _fp8_fp8 */
                                       {0xcc274000, 0x1c0e0501}}; /* _bf8_bf8 */
    static const float product[4] = {1.0f * 1.0f, 0.5f * 1.5f, 1.0f * 1.5f, 0.5f * 1.0f};
    static const uint8_t wmma[4] = {0x47, 0x48, 0x46, 0x49}; /* v_wmma_f32_16x16x16_fp8_bf8 and so on */
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        for (unsigned k = 0; k < 4; k++) {
            struct rig r;
            float f;
            rig_open(&r, "gfx1201", lanes);
            for (unsigned n = 1; n < 16; n++)
                rig_vall(&r, n, n < 2 ? 0x38383838 : 0x3c3c3c3c);
            rig_vall(&r, 3, 0);
            rig_run(&r, dot[k], 2);
            uint32_t got = rig_getv(&r, 0, lanes - 1);
            memcpy(&f, &got, 4);
            assert_true(f == 4 * product[k]);
            /* D v[16:], A v[8:], B v[10:], C 0 */
            rig_vall(&r, 8, 0x38383838);
            rig_vall(&r, 9, 0x38383838);
            rig_run(&r, WORDS(0xcc004010u | (uint32_t)wmma[k] << 16,
                              (256u + 8) | (256u + 10) << 9 | 128u << 18 | 3u << 27));
            got = rig_getv(&r, 16, lanes - 1);
            memcpy(&f, &got, 4);
            assert_true(f == 16 * product[k]);
            rig_close(&r);
        }
}

/* Four groups of lanes hold four stored k each, so that an index set has eight bits and a register four sets. Row by
 * row A is 1 in the first group and 0 elsewhere; B's element k is k + 1. */
static void swmmac_index_in_wave64(void **state)
{
    static const uint16_t half[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
    static const float want[4] = {1 + 2 + 5 + 6, 2 + 4 + 5 + 7, 3 + 4 + 7 + 8, 1 + 3 + 6 + 8};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 64);
    for (unsigned key = 0; key < 4; key++) {
        for (unsigned l = 0; l < 64; l++) {
            for (unsigned n = 0; n < 4; n++) {
                rig_v(&r, n, l, 0);
                rig_v(&r, 16 + n, l, half[2 * n] | (uint32_t)half[2 * n + 1] << 16);
            }
            rig_v(&r, 8, l, l < 16 ? 0x3c003c00 : 0);
            rig_v(&r, 9, l, l < 16 ? 0x3c003c00 : 0);
            /* two bits each: (0 1)(0 1), (1 3)(0 2), (2 3)(2 3), (0 2)(1 3) */
            rig_v(&r, 24, l, 0x44 | 0x8d << 8 | 0xee << 16 | 0xd8u << 24);
        }
        /* v_swmmac_f32_16x16x32_f16 v[0:3], v[8:9], v[16:19], v24 index_key:key */
        rig_run(&r, WORDS(0xcc504000u | key << 11, 0x1c622108));
        for (unsigned n = 0; n < 4; n++)
            for (unsigned l = 0; l < 64; l++) {
                uint32_t got = rig_getv(&r, n, l);
                float f;
                memcpy(&f, &got, 4);
                assert_true(f == want[key]);
            }
    }
    rig_close(&r);
}

/* --- carries ------------------------------------------------------------------------------------------------------ */

/* One mnemonic, two instructions. */
static void v_add_u32_of_gfx8_writes_a_carry(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned gfx9 = 0; gfx9 < 2; gfx9++) {
        rig_open(&r, gfx9 ? "gfx900" : "gfx803", 64);
        for (unsigned l = 0; l < 64; l++)
            rig_v(&r, 1, l, l % 2 ? 0xffffffff : 1);
        rig_vall(&r, 2, 2);
        set_pair(&r, 106, 0x1234);
        rig_run(&r, WORDS(gfx9 ? 0x68000501 : 0x32000501)); /* v_add_u32 v0, v1, v2; v_add_u32 v0, vcc, v1, v2 */
        assert_int_equal(rig_getv(&r, 0, 62), 3);
        assert_int_equal(rig_getv(&r, 0, 63), 1);
        assert_int_equal(pair(&r, 106), gfx9 ? 0x1234 : UINT64_C(0xaaaaaaaaaaaaaaaa));
        rig_run(&r, WORDS(0x32000501)); /* gfx9's v_add_co_u32 is gfx8's v_add_u32 */
        assert_int_equal(pair(&r, 106), UINT64_C(0xaaaaaaaaaaaaaaaa));
        rig_close(&r);
    }
}

/* --- wave64 of RDNA ----------------------------------------------------------------------------------------------- */

static void open64(struct rig *r)
{
    rig_open(r, "gfx1100", 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(r, 0, l, 0xdead);
        rig_v(r, 1, l, 100 + l);
        rig_v(r, 2, l, l % 3 ? 0 : 100 + l);
        rig_v(r, 3, l, 0x80000000);
        rig_v(r, 4, l, l);
        rig_v(r, 5, l, 0xffffffff);
    }
}

static void wave64_masks(void **state)
{
    const uint64_t thirds = UINT64_C(0x9249249249249249); /* lanes 0, 3, 6 ... 63 */
    struct rig r;
    (void)state;

    open64(&r);
    rig_run(&r, WORDS(/* v_cmp_eq_u32 vcc, v1, v2 */ 0x7c940501));
    assert_int_equal(pair(&r, 106), thirds);
    rig_run(&r, WORDS(/* v_cmp_eq_u32 s[4:5], v1, v2 */ 0xd44a0004, 0x00020501));
    assert_int_equal(pair(&r, 4), thirds);
    rig_run(&r, WORDS(/* v_cndmask_b32 v0, v1, v2, vcc */ 0x02000501));
    assert_int_equal(rig_getv(&r, 0, 62), 162);
    assert_int_equal(rig_getv(&r, 0, 63), 163);
    /* v_add_co_u32 v0, vcc, v5, v4: lane 0 alone has no carry; v_add_co_ci_u32 v0, vcc, v3, v3, vcc */
    rig_run(&r, WORDS(0xd7006a00, 0x00020905));
    assert_int_equal(pair(&r, 106), ~UINT64_C(1));
    rig_run(&r, WORDS(0x40000703));
    assert_int_equal(rig_getv(&r, 0, 0), 0);
    assert_int_equal(rig_getv(&r, 0, 63), 1);
    assert_int_equal(pair(&r, 106), UINT64_MAX);
    /* lanes that are not active give 0, and v_cmpx leaves 64 bits */
    isa_set_exec(&r.w, UINT64_C(0xffff0000ffff0000));
    rig_run(&r, WORDS(0x7c940501));
    assert_int_equal(pair(&r, 106), thirds & UINT64_C(0xffff0000ffff0000));
    set_pair(&r, 2, UINT64_C(0x00ff000000000000));
    rig_run(&r, WORDS(/* s_and_saveexec_b64 s[0:1], s[2:3] */ 0xbe802102));
    assert_int_equal(pair(&r, 0), UINT64_C(0xffff0000ffff0000));
    assert_int_equal(r.w.exec, UINT64_C(0x00ff000000000000));
    assert_int_equal(r.w.scc, 1);
    rig_run(&r, WORDS(/* v_readfirstlane_b32 s0, v1 */ 0x7e000501));
    assert_int_equal(r.w.s[0], 148);
    rig_run(&r, WORDS(/* v_cmpx_eq_u32 v1, v2 */ 0x7d940501));
    assert_int_equal(r.w.exec, thirds & UINT64_C(0x00ff000000000000));
    rig_close(&r);
}

static void wave64_lanes(void **state)
{
    struct rig r;
    (void)state;

    open64(&r);
    rig_run(&r, WORDS(/* v_readlane_b32 s0, v1, 40 */ 0xd7600000, 0x00015101));
    assert_int_equal(r.w.s[0], 140);
    /* v_mbcnt_lo_u32_b32 v6, -1, 0; v_mbcnt_hi_u32_b32 v7, -1, 0 */
    rig_run(&r, WORDS(0xd71f0006, 0x000100c1, 0xd7200007, 0x000100c1));
    for (unsigned l = 0; l < 64; l++) {
        assert_int_equal(rig_getv(&r, 6, l), l < 32 ? l : 32);
        assert_int_equal(rig_getv(&r, 7, l), l < 32 ? 0 : l - 32);
    }
    r.w.s[0] = 0x89abcdef; /* lane n of a row takes lane 15 - n */
    r.w.s[1] = 0x01234567;
    rig_run(&r, WORDS(/* v_permlane16_b32 v0, v1, s0, s1 */ 0xd65b0000, 0x00040101));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), 100 + (l / 16 * 16 + 15 - l % 16));
    rig_run(&r, WORDS(/* v_permlanex16_b32 v0, v1, s0, s1 */ 0xd65c0000, 0x00040101));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), 100 + ((l / 16 ^ 1) * 16 + 15 - l % 16));
    rig_run(&r, WORDS(/* v_permlane64_b32 v0, v1 */ 0x7e00cf01));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), 100 + (l ^ 32));
    rig_run(&r, WORDS(/* v_writelane_b32 v0, s0, 63 */ 0xd7610000, 0x00017e00));
    assert_int_equal(rig_getv(&r, 0, 63), 0x89abcdef);
    assert_int_equal(rig_getv(&r, 0, 31), 163);
    rig_close(&r);
}

static void wave64_dpp_rows(void **state)
{
    struct rig r;
    (void)state;

    open64(&r);
    rig_run(&r, WORDS(/* v_mov_b32_dpp v0, v1 row_shr:1 */ 0x7e0002fa, 0xff011101));
    for (unsigned l = 0; l < 64; l++) /* the first of a row has no neighbour and keeps what it has */
        assert_int_equal(rig_getv(&r, 0, l), l % 16 ? 99 + l : 0xdead);
    rig_vall(&r, 0, 7);
    rig_run(&r, WORDS(/* v_mov_b32_dpp v0, v1 row_share:3 row_mask:0xc */ 0x7e0002fa, 0xcf015301));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), l < 32 ? 7 : 103 + l / 16 * 16);
    rig_run(&r, WORDS(/* v_mov_b32_dpp v0, v1 row_mirror */ 0x7e0002fa, 0xff014001));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), 100 + (l ^ 15));
    rig_run(&r, WORDS(/* v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] */ 0x7e0002e9, 0x05397701));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), 100 + (l ^ 7));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(register_numbers_past_the_allocation),
        cmocka_unit_test(indexed_register_past_the_allocation),
        cmocka_unit_test(scc_is_in_state_priv_on_gfx12),
        cmocka_unit_test(scc_of_min_and_max_on_equal_operands),
        cmocka_unit_test(literals_of_64_bit_operands),
        cmocka_unit_test(clamp_and_omod_with_denormals),
        cmocka_unit_test(minus_zero_and_nan_in_min_and_max),
        cmocka_unit_test(bf8_against_fp8),
        cmocka_unit_test(swmmac_index_in_wave64),
        cmocka_unit_test(v_add_u32_of_gfx8_writes_a_carry),
        cmocka_unit_test(wave64_masks),
        cmocka_unit_test(wave64_lanes),
        cmocka_unit_test(wave64_dpp_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
