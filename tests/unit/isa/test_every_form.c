/* Rows that the vectors do not reach: their other encodings do what the first one does, which has its own tests; 8-bit
 * floats of gfx942 against their definition; halves of registers. */
#include "isa/table/list.h"
#include "tests/unit/isa/every_target.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

enum { SRC0 = 10, SRC1 = 14, DST = 20, REGS = 40 };

/* --- forms ------------------------------------------------------------------------------------------------------ */

static uint32_t pattern(unsigned reg, unsigned lane)
{
    uint32_t x = (reg * 64 + lane + 1) * 0x9e3779b9u;

    x ^= x >> 15;
    return reg == SRC0 && lane % 3 == 0 ? 0x3e000000 + (x & 0x80ffffff) : x * 0x85ebca6bu;
}

static bool names(const struct isa_row *row, unsigned slot)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == slot && !(row->args[k].flags & A_HIDDEN))
            return true;
    return false;
}

/* Pairs of registers: DPP can only spread one lane of sixteen, which all hold the same here. */
static bool is_wide(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (isa_types[row->args[k].type].dwords == 2)
            return true;
    return false;
}

/* Words with every modifier at rest: DPP takes each lane's own value, SDWA whole registers. */
static unsigned resting(const struct rig *r, unsigned format, unsigned opcode, unsigned form, uint32_t w[3])
{
    const struct isa_row *row = r->t->ops[format][opcode].row;
    unsigned s0 = CODE_VGPR + SRC0, s1 = names(row, SL_SRC1) ? CODE_VGPR + SRC1 : 0, n = format == FMT_VOP3 ? 2 : 1;
    bool dpp16 = isa_form_is_dpp16(form), dpp8 = isa_form_is_dpp8(form);

    w[2] = 0;
    if (dpp16)
        s0 = CODE_DPP16, w[n] = (is_wide(row) ? 0xff015000 : 0xff00e400) | SRC0;
    else if (dpp8)
        s0 = CODE_DPP8, w[n] = 0xfac68800 | SRC0;
    else if (form == FORM_SDWA)
        s0 = CODE_SDWA, w[n] = 0x00060600 | SRC0 | (s1 ? 6u << 24 : 0);
    if (format == FMT_VOP3)
        vop3(r->t, w, (int)opcode, DST, s0, s1, 0);
    else if (format == FMT_VOP1)
        w[0] = vop1((int)opcode, DST, s0);
    else
        w[0] = opcode << 25 | (uint32_t)DST << 17 | (s1 & 0xff) << 9 | s0;
    return n + (dpp16 || dpp8 || form == FORM_SDWA);
}

static void run_form(struct rig *r, unsigned format, unsigned opcode, unsigned form, uint32_t *after)
{
    unsigned same = is_wide(r->t->ops[format][opcode].row) ? 15 : 0;
    uint32_t w[4];

    for (unsigned reg = 0; reg < REGS; reg++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, reg, l, pattern(reg, l & ~same));
    r->w.s[r->t->code_m0] = 3;
    isa_set_exec(&r->w, lane_mask(r->w.lanes));
    isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
    rig_run(r, w, resting(r, format, opcode, form, w));
    memcpy(after, r->regs, sizeof *after * REGS * r->w.lanes);
}

static void agree(struct rig *r, const char *row)
{
    static const uint8_t formats[] = {FMT_VOP1, FMT_VOP2, FMT_VOP3};
    uint32_t first[REGS * 64], other[REGS * 64];
    bool have = false;

    for (unsigned k = 0; k < COUNT(formats); k++) {
        int op = opcode_of(r->t, formats[k], row);
        uint32_t forms = op < 0 ? 0 : isa_list_forms(r->t, formats[k], (unsigned)op);
        for (unsigned form = 0; form < FORM_VOPD; form++) {
            if (!(forms >> form & 1))
                continue;
            run_form(r, formats[k], (unsigned)op, form, have ? other : first);
            if (have && memcmp(first, other, sizeof *first * REGS * r->w.lanes))
                fail_msg("%s of %s: form %s differs", row, r->t->name, isa_form_name[form]);
            have = true;
        }
    }
}

static void test_forms_agree(void **state)
{
    static const char *const rows[] = {
        "v_movrels_b32",         "v_movreld_b32",
        "v_movrelsd_b32",        "v_movrelsd_2_b32",
        "v_sin_f32_short",       "v_cos_f32_short",
        "v_cvt_f32_fp8_fnuz",    "v_cvt_f32_bf8_fnuz",
        "v_cvt_sr_fp8_f32",      "v_cvt_sr_bf8_f32",
        "v_dot4c_i32_i8_gfx10",  "v_cvt_pk_f32_fp8_fnuz",
        "v_cvt_pk_f32_bf8_fnuz", "v_screen_partition_4se_b32",
        "v_readfirstlane_b32",   "v_mov_b16",
    };
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        for (unsigned k = 0; k < COUNT(rows); k++)
            agree(&r, rows[k]);
    }
    EVERY_END(r)
}

/* --- 8-bit floats ----------------------------------------------------------------------------------------------- */

/* bias 8 and three bits of mantissa, or 16 and two; no infinity, no -0, which is the one NaN */
static double fnuz_value(unsigned code, bool bf8)
{
    unsigned mant = bf8 ? 2 : 3, e = (code & 0x7f) >> mant, m = code & ((1u << mant) - 1);
    int bias = bf8 ? 16 : 8;
    double v = e ? (double)((1u << mant) + m) : (double)m, unit = 1;

    for (int k = (int)(e ? e : 1) - bias - (int)mant; k; k += k < 0 ? 1 : -1)
        unit = k < 0 ? unit / 2 : unit * 2;
    return code & 0x80 ? -v * unit : v * unit;
}

static float as_number(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static void expect_fnuz(uint32_t got, unsigned code, bool bf8)
{
    if (code == 0x80)
        assert_true(as_number(got) != as_number(got));
    else
        assert_true(as_number(got) == (float)fnuz_value(code, bf8));
}

static void test_from_fnuz(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx942", 64);
    for (unsigned bf8 = 0; bf8 < 2; bf8++)
        for (unsigned at = 0; at < 256; at += 64) {
            int one = opcode_of(r.t, FMT_VOP1, bf8 ? "v_cvt_f32_bf8_fnuz" : "v_cvt_f32_fp8_fnuz"),
                two = opcode_of(r.t, FMT_VOP1, bf8 ? "v_cvt_pk_f32_bf8_fnuz" : "v_cvt_pk_f32_fp8_fnuz");
            for (unsigned l = 0; l < 64; l++)
                rig_v(&r, SRC0, l, 0x5a000000 | (255 - (at + l)) << 8 | (at + l));
            rig_run(&r, (uint32_t[]){vop1(one, DST, CODE_VGPR + SRC0)}, 1);
            for (unsigned l = 0; l < 64; l++)
                expect_fnuz(rig_getv(&r, DST, l), at + l, bf8);
            rig_run(&r, (uint32_t[]){vop1(two, DST, CODE_VGPR + SRC0)}, 1);
            for (unsigned l = 0; l < 64; l++) {
                expect_fnuz(rig_getv(&r, DST, l), at + l, bf8);
                expect_fnuz(rig_getv(&r, DST + 1, l), 255 - (at + l), bf8);
            }
        }
    rig_close(&r);
}

/* The nearest code, of two the even one; past half a step beyond the largest: NaN. */
static unsigned nearest_fnuz(float a, bool bf8)
{
    double x = a < 0 ? -(double)a : (double)a, best = -1;
    unsigned code = 0;

    for (unsigned c = 0; c < 128; c++) {
        double d = fnuz_value(c, bf8) - x;
        d = d < 0 ? -d : d;
        if (best < 0 || d < best || (d == best && !(c & 1)))
            best = d, code = c;
    }
    double top = fnuz_value(127, bf8), step = top - fnuz_value(126, bf8);
    if (a != a || x >= top + step / 2)
        return 0x80;
    return code && a < 0 ? code | 0x80 : code;
}

static void test_to_fnuz(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx942", 64);
    for (unsigned bf8 = 0; bf8 < 2; bf8++)
        for (unsigned round = 0; round < 64; round++) {
            uint32_t w[2];
            int op = opcode_of(r.t, FMT_VOP3, bf8 ? "v_cvt_pk_bf8_f32_fnuz" : "v_cvt_pk_fp8_f32_fnuz");
            for (unsigned l = 0; l < 64; l++)
                for (unsigned k = 0; k < 2; k++) {
                    float f = (float)fnuz_value(pattern(round, l + k) & 0x7f, bf8), g = f * (1 + (float)(l % 9) / 64);
                    uint32_t bits;
                    memcpy(&bits, &g, 4);
                    rig_v(&r, k ? SRC1 : SRC0, l, l < 4 ? pattern(round, l + k) : bits | (l & 1) << 31);
                }
            rig_vall(&r, DST, 0x5a5a0000);
            vop3(r.t, w, op, DST, CODE_VGPR + SRC0, CODE_VGPR + SRC1, 0);
            rig_run(&r, w, 2);
            for (unsigned l = 0; l < 64; l++) {
                unsigned a = nearest_fnuz(as_number(rig_getv(&r, SRC0, l)), bf8),
                         b = nearest_fnuz(as_number(rig_getv(&r, SRC1, l)), bf8);
                if (rig_getv(&r, DST, l) != (0x5a5a0000 | b << 8 | a))
                    fail_msg("bf8 %u: %08x %08x gave %08x, expected %02x%02x", bf8, rig_getv(&r, SRC0, l),
                             rig_getv(&r, SRC1, l), rig_getv(&r, DST, l), b, a);
            }
        }
    rig_close(&r);
}

/* --- halves ----------------------------------------------------------------------------------------------------- */

static void test_halves(void **state)
{
    static const char *const fmac[] = {"v_pk_fmac_f16", "v_pk_fmac_f16_gfx10", "v_pk_fmac_f16_gfx11"};
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        int mov = opcode_of(r.t, FMT_VOP1, "v_mov_b16");
        for (unsigned k = 0; mov >= 0 && k < 4; k++) {
            bool from_high = k & 1, to_high = k & 2;
            rig_vall(&r, SRC0, 0x12345678);
            rig_vall(&r, DST, 0xaaaabbbb);
            uint32_t v = from_high ? 0x1234 : 0x5678;
            step_one(&r, (uint32_t[]){vop1(mov, DST + 128 * to_high, CODE_VGPR + SRC0 + 128 * from_high)}, 1, ISA_OK);
            assert_int_equal(rig_getv(&r, DST, 9), to_high ? v << 16 | 0xbbbb : 0xaaaa0000 | v);
        }
        for (unsigned k = 0; k < COUNT(fmac); k++) {
            int op = opcode_of(r.t, FMT_VOP2, fmac[k]);
            if (op < 0)
                continue;
            rig_vall(&r, SRC0, 0x3c004000); /* 1, 2 */
            rig_vall(&r, SRC1, 0x40004200); /* 2, 3 */
            rig_vall(&r, DST, 0x38003c00);  /* 0.5, 1 */
            step_one(&r,
                     (uint32_t[]){(uint32_t)op << 25 | (uint32_t)DST << 17 | (uint32_t)SRC1 << 9 | (CODE_VGPR + SRC0)},
                     1, ISA_OK);
            assert_int_equal(rig_getv(&r, DST, 9), 0x41004700);
        }
    }
    EVERY_END(r)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_agree),
        cmocka_unit_test(test_from_fnuz),
        cmocka_unit_test(test_to_fnuz),
        cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
