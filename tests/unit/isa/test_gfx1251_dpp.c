/* DPP forms that gfx1251 has and gfx1250 has not: row_share of 64-bit operands and of 32-bit multiplications. Which
 * there are is LLVM 22's list; what each gives is what its plain form gives of a source with the lanes moved by hand,
 * and values worked out on paper for some.
 */
#include "isa/lanes/lanes.h"
#include "tests/unit/isa/every_target.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

enum { SRC0 = 10, SRC1 = 14, SRC2 = 18, DST = 4, REGS = 24, LANES = 32, OFF = 19, SDST = 6 };
enum { ROW_SHARE = 0x150, BOUND_CTRL = 1 << 19, FETCH_INACTIVE = 1 << 18, VCC = 106 };

static const uint32_t all_rows = 0xff000000;

/* What LLVM 22 disassembles with a row_share word for gfx1251 and refuses for gfx1250, of all opcodes: the shortest
 * format, in which there is an e64 form as well. */
static const struct subject {
    const char *row;
    uint8_t format;
} subjects[] = {
    {"v_cvt_i32_f64", FMT_VOP1},    {"v_cvt_f64_i32", FMT_VOP1},    {"v_cvt_f32_f64", FMT_VOP1},
    {"v_cvt_f64_f32", FMT_VOP1},    {"v_cvt_u32_f64", FMT_VOP1},    {"v_cvt_f64_u32", FMT_VOP1},
    {"v_trunc_f64", FMT_VOP1},      {"v_ceil_f64", FMT_VOP1},       {"v_rndne_f64", FMT_VOP1},
    {"v_floor_f64", FMT_VOP1},      {"v_mov_b64", FMT_VOP1},        {"v_frexp_exp_i32_f64", FMT_VOP1},
    {"v_frexp_mant_f64", FMT_VOP1}, {"v_fract_f64", FMT_VOP1},      {"v_add_f64", FMT_VOP2},
    {"v_mul_f64", FMT_VOP2},        {"v_min_num_f64", FMT_VOP2},    {"v_max_num_f64", FMT_VOP2},
    {"v_fmac_f64", FMT_VOP2},       {"v_lshlrev_b64", FMT_VOP2},    {"v_add_nc_u64", FMT_VOP2},
    {"v_sub_nc_u64", FMT_VOP2},     {"v_fma_f64", FMT_VOP3},        {"v_div_fixup_f64", FMT_VOP3},
    {"v_mad_u32", FMT_VOP3},        {"v_div_fmas_f64", FMT_VOP3},   {"v_lshl_add_u64", FMT_VOP3},
    {"v_mad_nc_u64_u32", FMT_VOP3}, {"v_mad_nc_i64_i32", FMT_VOP3}, {"v_div_scale_f64", FMT_VOP3},
    {"v_mad_u64_u32", FMT_VOP3},    {"v_mad_i64_i32", FMT_VOP3},    {"v_min_u64", FMT_VOP3},
    {"v_max_u64", FMT_VOP3},        {"v_min_i64", FMT_VOP3},        {"v_max_i64", FMT_VOP3},
    {"v_ldexp_f64", FMT_VOP3},      {"v_mul_lo_u32", FMT_VOP3},     {"v_mul_hi_u32", FMT_VOP3},
    {"v_mul_hi_i32", FMT_VOP3},     {"v_lshrrev_b64", FMT_VOP3},    {"v_ashrrev_i64", FMT_VOP3},
    {"v_minimum_f64", FMT_VOP3},    {"v_maximum_f64", FMT_VOP3},
};
enum { E32_FORMS = 22, E64_FORMS = 44 };

/* The same kinds, without such a form on gfx1251: transcendentals, v_mul_u64 and what else LLVM 22 refuses. */
static const struct subject without[] = {
    {"v_rcp_f64", FMT_VOP1},         {"v_rsq_f64", FMT_VOP1},        {"v_sqrt_f64", FMT_VOP1},
    {"v_mul_u64", FMT_VOP2},         {"v_trig_preop_f64", FMT_VOP3}, {"v_qsad_pk_u16_u8", FMT_VOP3},
    {"v_mqsad_pk_u16_u8", FMT_VOP3}, {"v_mqsad_u32_u8", FMT_VOP3},   {"v_cmp_lt_f64", FMT_VOPC},
    {"v_cmp_eq_u64", FMT_VOPC},      {"v_cvt_pk_f32_fp8", FMT_VOP1}, {"v_cmp_class_f64", FMT_VOPC},
};

/* Words of an instruction; `dpp` zero: its plain form. */
static unsigned encode(const struct isa_target *t, unsigned format, unsigned op, unsigned s0, uint32_t dpp,
                       uint32_t w[3])
{
    const struct isa_row *row = t->ops[format][op].row;
    unsigned s1 = row_has(row, SL_SRC1) ? CODE_VGPR + SRC1 : 0, n = 1;

    if (format == FMT_VOP1)
        w[0] = vop1((int)op, DST, s0);
    else if (format == FMT_VOP2)
        w[0] = op << 25 | (uint32_t)DST << 17 | (s1 & 0xff) << 9 | s0;
    else if (format == FMT_VOPC)
        w[0] = 0x7c000000 | op << 17 | (s1 & 0xff) << 9 | s0;
    else {
        vop3(t, w, (int)op, DST, s0, s1, row_has(row, SL_SRC2) ? CODE_VGPR + SRC2 : 0);
        w[0] |= row_has(row, SL_CARRY_OUT) ? (uint32_t)SDST << 8 : 0;
        n = 2;
    }
    if (dpp)
        w[n++] = dpp | SRC0;
    return n;
}

static unsigned decode(const struct isa_target *t, unsigned format, unsigned op, unsigned s0, uint32_t dpp,
                       struct isa_inst *i)
{
    uint32_t w[3] = {0};

    encode(t, format, op, s0, dpp, w);
    return isa_decode(t, (const uint8_t *)w, sizeof w, i, NULL);
}

/* The subject's opcode in its format or, twin, in VOP3. */
static unsigned find(const struct rig *r, const struct subject *s, bool twin)
{
    int op = opcode_of(r->t, twin ? FMT_VOP3 : s->format, s->row);

    if (op < 0)
        fail_msg("%s: no such row", s->row);
    return (unsigned)op;
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

static void check_forms(struct rig *r, const struct subject *s, unsigned format, unsigned op, bool has)
{
    const uint32_t share = all_rows | (ROW_SHARE | 3) << 8, shift = all_rows | 0x111 << 8, eight = 0x053977 << 8;
    struct isa_inst i;
    unsigned size = decode(r->t, format, op, CODE_DPP16, share, &i);

    if (!has && size)
        fail_msg("%s: a DPP form", s->row);
    if (has && (!size || i.bad))
        fail_msg("%s: no row_share form", s->row);
    size = decode(r->t, format, op, CODE_DPP16, shift, &i);
    if (has ? !size || i.bad != ISA_BAD_DPP64 : size != 0)
        fail_msg("%s: row_shr is taken for a form", s->row);
    if (decode(r->t, format, op, CODE_DPP8, eight, &i))
        fail_msg("%s: a DPP8 form", s->row);
}

static unsigned each_form(struct rig *r, const struct subject *s, bool has)
{
    check_forms(r, s, s->format, find(r, s, false), has);
    if (s->format == FMT_VOP3)
        return 1;
    check_forms(r, s, FMT_VOP3, find(r, s, true), has);
    return 2;
}

static void forms(void **state)
{
    unsigned n = 0;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1251", LANES);
    for (unsigned k = 0; k < COUNT(subjects); k++)
        n += each_form(&r, &subjects[k], true);
    assert_int_equal(n, E32_FORMS + E64_FORMS);
    for (unsigned k = 0; k < COUNT(without); k++)
        each_form(&r, &without[k], false);
    rig_close(&r);
    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < COUNT(subjects); k++)
        each_form(&r, &subjects[k], false);
    rig_close(&r);
}

/* A permutation that is no row_share stops the run. */
static void other_permutation(void **state)
{
    static const uint32_t words[][3] = {
        {0x04081cfa, 0xff01110a}, /* v_add_f64_dpp v[4:5], v[10:11], v[14:15] row_shr:1 row_mask:0xf bank_mask:0xf */
        {0xd72d0004, 0x00021cfa, 0xff01110a} /* v_mul_hi_u32_e64_dpp v4, v10, v14 the same */};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1251", LANES);
    for (unsigned k = 0; k < COUNT(words); k++) {
        isa_set_exec(&r.w, lane_mask(LANES));
        assert_int_equal(rig_try(&r, words[k], k ? 3 : 2), ISA_FAULT);
        assert_non_null(strstr(r.w.fault.text, "there is no such dpp_ctrl"));
    }
    rig_close(&r);
}

/* --- what they give ----------------------------------------------------------------------------------------------- */

/* Doubles of moderate size in lanes that are not of three, any bits in the others; counts of shifts are among both. */
static void fill(struct rig *r, uint32_t seed)
{
    for (unsigned reg = 0; reg < REGS; reg++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t x = (reg * 64 + l + 1 + seed * 4096) * 0x9e3779b9u;
            x = (x ^ x >> 15) * 0x85ebca6bu;
            rig_v(r, reg, l, reg % 2 && l % 3 ? 0x3f800000 + (x & 0x80ffffff) : x);
        }
    for (unsigned k = 0; k < 8; k++)
        r->w.s[SDST + k] = 0;
    r->w.s[VCC] = 0x3c5a0ff1;
    isa_set_exec(&r->w, lane_mask(LANES) & ~(UINT64_C(1) << OFF));
    isa_set_mode(&r->w, 0xf0);
}

/* The DPP form against the plain one, whose source the test has moved; a lane that gets nothing keeps what it had. */
static void check_share(struct rig *r, const struct subject *s, unsigned format, unsigned share, uint32_t more)
{
    const unsigned op = (unsigned)opcode_of(r->t, format, s->row);
    const uint32_t dpp = (ROW_SHARE | share) << 8 | more;
    uint32_t before[REGS * LANES], with[REGS * LANES], w[3];
    uint64_t mask = 0;

    fill(r, share);
    memcpy(before, r->regs, sizeof before);
    rig_run(r, w, encode(r->t, format, op, CODE_DPP16, dpp, w));
    memcpy(with, r->regs, sizeof with);
    mask = r->w.s[SDST];
    fill(r, share);
    for (unsigned l = 0; l < LANES; l++) {
        unsigned from = l / 16 * 16 + share;
        bool absent = from == OFF && !(more & FETCH_INACTIVE);
        bool on = (more >> 28 >> l / 16 & 1) && (more >> 24 >> l % 16 / 4 & 1) && !(absent && !(more & BOUND_CTRL));
        for (unsigned k = 0; k < 2; k++)
            rig_v(r, SRC0 + k, l, absent ? 0 : before[(SRC0 + k) * LANES + from]);
        if (!on)
            isa_set_exec(&r->w, r->w.exec & ~(UINT64_C(1) << l));
    }
    rig_run(r, w, encode(r->t, format, op, CODE_VGPR + SRC0, 0, w));
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 2; k++)
            if (with[(DST + k) * LANES + l] != rig_getv(r, DST + k, l))
                fail_msg("%s, format %u, row_share:%u, 0x%08x: lane %u has 0x%08x, not 0x%08x in its half %u", s->row,
                         format, share, more, l, with[(DST + k) * LANES + l], rig_getv(r, DST + k, l), k);
    assert_int_equal(mask, r->w.s[SDST]);
    assert_memory_equal(before + SRC0 * LANES, with + SRC0 * LANES, (REGS - SRC0) * LANES * sizeof *with);
}

static void shared_lanes(void **state)
{
    const uint32_t more[] = {all_rows,
                             all_rows | BOUND_CTRL,
                             all_rows | FETCH_INACTIVE,
                             all_rows | BOUND_CTRL | FETCH_INACTIVE,
                             0xfdu << 24,
                             0x1fu << 24};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1251", LANES);
    for (unsigned k = 0; k < COUNT(subjects); k++)
        for (unsigned n = 0; n < COUNT(more) * 16; n++) {
            check_share(&r, &subjects[k], subjects[k].format, n % 16, more[n / 16]);
            if (subjects[k].format != FMT_VOP3)
                check_share(&r, &subjects[k], FMT_VOP3, n % 16, more[n / 16]);
        }
    rig_close(&r);
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

static void set_pair(struct rig *r, unsigned reg, unsigned l, uint64_t x)
{
    rig_v(r, reg, l, (uint32_t)x);
    rig_v(r, reg + 1, l, (uint32_t)(x >> 32));
}

static uint64_t get_pair(const struct rig *r, unsigned l)
{
    return rig_getv(r, DST, l) | (uint64_t)rig_getv(r, DST + 1, l) << 32;
}

static void doubles(void **state)
{
    static const uint32_t add[] = {
        0x04081cfa, 0xff01530a}; /* v_add_f64_dpp v[4:5], v[10:11], v[14:15] row_share:3 row_mask:0xf bank_mask:0xf */
    static const uint32_t fma[] = {0xd6140204, 0x244a1cfa,
                                   0xff01510a}; /* v_fma_f64_e64_dpp v[4:5], -v[10:11], |v[14:15]|, v[18:19] row_share:1
                                                   row_mask:0xf bank_mask:0xf */
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1251", LANES);
    isa_set_exec(&r.w, lane_mask(LANES));
    for (unsigned l = 0; l < LANES; l++) {
        set_pair(&r, SRC0, l, bits_f64(l + 0.5));
        set_pair(&r, SRC1, l, bits_f64(-100.0 * l));
        set_pair(&r, SRC2, l, bits_f64(7.0));
    }
    rig_run(&r, add, COUNT(add));
    for (unsigned l = 0; l < LANES; l++)
        assert_true(get_pair(&r, l) == bits_f64((l < 16 ? 3.5 : 19.5) - 100.0 * l));
    rig_run(&r, fma, COUNT(fma));
    for (unsigned l = 0; l < LANES; l++)
        assert_true(get_pair(&r, l) == bits_f64(7.0 - (l < 16 ? 150.0 : 1750.0) * l));
    rig_close(&r);
}

static void integers(void **state)
{
    static const uint32_t mul[] = {
        0xd72d0004, 0x00021cfa,
        0xff01520a}; /* v_mul_hi_u32_e64_dpp v4, v10, v14 row_share:2 row_mask:0xf bank_mask:0xf */
    static const uint32_t shift[] = {
        0x3e081cfa, 0xff01550a}; /* v_lshlrev_b64_dpp v[4:5], v10, v[14:15] row_share:5 row_mask:0xf bank_mask:0xf */
    static const uint32_t mad[] = {
        0xd6350004, 0x044a1cfa,
        0xff015f0a}; /* v_mad_u32_e64_dpp v4, v10, v14, v18 row_share:15 row_mask:0xf bank_mask:0xf */
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1251", LANES);
    isa_set_exec(&r.w, lane_mask(LANES));
    for (unsigned l = 0; l < LANES; l++) {
        rig_v(&r, SRC0, l, l << 16);
        rig_v(&r, SRC1, l, l << 16);
    }
    rig_run(&r, mul, COUNT(mul));
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(rig_getv(&r, DST, l), (l < 16 ? 2 : 18) * l);
    for (unsigned l = 0; l < LANES; l++) {
        rig_v(&r, SRC0, l, l);
        set_pair(&r, SRC1, l, (uint64_t)l << 30 | 1);
        rig_v(&r, SRC2, l, 1000);
    }
    rig_run(&r, shift, COUNT(shift));
    for (unsigned l = 0; l < LANES; l++)
        assert_true(get_pair(&r, l) == (l < 16 ? (uint64_t)l << 35 | 32 : (uint64_t)l << 51 | 1 << 21));
    for (unsigned l = 0; l < LANES; l++)
        rig_v(&r, SRC1, l, l);
    rig_run(&r, mad, COUNT(mad));
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(rig_getv(&r, DST, l), (l < 16 ? 15 : 31) * l + 1000);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),   cmocka_unit_test(other_permutation), cmocka_unit_test(shared_lanes),
        cmocka_unit_test(doubles), cmocka_unit_test(integers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
