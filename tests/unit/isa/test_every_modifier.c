/* Every modifier that an instruction may carry, on every lane instruction of every target: neg, abs, op_sel, omod,
 * clamp, SDWA's selects and DPP's masks.
 *
 * A modifier only changes what goes in and what comes out: the instruction with modifiers, run on some operands, must
 * leave what the same instruction without any leaves when this file changes its operands beforehand and its result
 * afterwards, lane by lane, as the manuals say (GCN3 ISA 6.5 and 6.6, RDNA3.5 ISA 6 and 7). What the bare instruction
 * computes is the business of the vectors. Saturating integers are worked out in full width here.
 *
 * Which modifiers an instruction may carry is asked of the decoder, which agrees with LLVM's
 * (tests/golden/test_decode.c): each bit alone, then the bits that were taken in random company.
 */
#define RECORD_NOTHING /* the vectors say what an instruction does */
#include <math.h>

#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/modifier_model.h"

enum { R_D = 4, R_S0 = 8, R_S1 = 12, R_S2 = 16, S_OUT = 30, S_IN = 32, ROUNDS = 1 };

struct subject {
    struct rig *r;
    const struct isa_op *op;
    unsigned format, opcode;
    uint32_t seed;
    unsigned tried; /* encodings run */
};

static const uint8_t source_register[3] = {R_S0, R_S1, R_S2};

/* --- encodings -----------------------------------------------------------------------------------------------------
 */

static unsigned vop3_dst(const struct isa_target *t, const struct isa_row *row)
{
    if (row_has(row, SL_CMP_OUT))
        return row->flags & RF_CMPX && isa_has(t, FEAT_CMPX_EXEC_ONLY) ? CODE_EXEC_LO : S_OUT;
    return row->flags & RF_CMPX ? CODE_EXEC_LO : R_D;
}

/* The bare instruction; words, and how many. src0 stands for the first source. */
static unsigned bare(const struct subject *s, unsigned src0, uint32_t w[4])
{
    const struct isa_row *row = s->op->row;
    const struct isa_target *t = s->r->t;

    memset(w, 0, 4 * sizeof *w);
    if (!row_has(row, SL_SRC0))
        src0 = 0;
    switch (s->format) {
    case FMT_VOP1:
        w[0] = vop1((int)s->opcode, R_D, src0);
        return 1;
    case FMT_VOP2:
        w[0] = s->opcode << 25 | R_D << 17 | R_S1 << 9 | src0;
        return 1;
    case FMT_VOPC:
        w[0] = 0x7c000000 | s->opcode << 17 | R_S1 << 9 | src0;
        return 1;
    case FMT_VOP3P:
        w[0] = (old_layout(t) ? 0xd3800000 : 0xcc000000) | s->opcode << 16 | R_D;
        break;
    default:
        w[0] = (old_layout(t) ? 0xd0000000 : 0xd4000000) | s->opcode << 16 | vop3_dst(t, row);
        if (row_has(row, SL_CARRY_OUT))
            w[0] |= S_OUT << 8;
    }
    w[1] = src0 | (row_has(row, SL_SRC1) ? (CODE_VGPR + R_S1) << 9 : 0);
    if (row_has(row, SL_SRC2))
        w[1] |= (uint32_t)(CODE_VGPR + R_S2) << 18;
    else if (row_has(row, SL_CARRY_IN))
        w[1] |= S_IN << 18;
    if (s->format == FMT_VOP3P) { /* each half from its own place */
        bool mix = false;
        for (unsigned k = 0; row->args[k].slot != SL_NONE; k++)
            mix |= row->args[k].type == T_MIX || row->args[k].type == T_MIXB;
        if (!mix) {
            w[1] |= 3u << 27;
            w[0] |= 1u << 14;
        }
    }
    return 2;
}

static bool taken(const struct isa_target *t, const uint32_t *w, unsigned n, const struct isa_row *row,
                  struct isa_inst *i)
{
    return isa_decode_any(t, (const uint8_t *)w, n * 4, i, NULL) == n * 4 && i->row == row && !i->bad;
}

/* --- one encoding ---------------------------------------------------------------------------------------------------
 */

struct outcome {
    uint32_t d[2][64];
    uint64_t mask[3]; /* S_OUT, VCC, EXEC */
};

static void put_sources(struct subject *s, uint32_t from[3][2][64])
{
    for (unsigned k = 0; k < 3; k++)
        for (unsigned h = 0; h < 2; h++)
            for (unsigned l = 0; l < s->r->w.lanes; l++)
                rig_v(s->r, source_register[k] + h, l, from[k][h][l]);
}

static void run(struct subject *s, const struct isa_inst *i, uint32_t old[2][64], uint64_t exec, uint64_t carry,
                struct outcome *o)
{
    struct rig *r = s->r;

    isa_set_exec(&r->w, exec);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, R_D + h, l, old[h][l]);
    r->w.s[S_IN] = r->w.s[CODE_VCC_LO] = (uint32_t)carry;
    r->w.s[S_IN + 1] = r->w.s[CODE_VCC_HI] = (uint32_t)(carry >> 32);
    r->w.s[S_OUT] = r->w.s[S_OUT + 1] = 0x5a5a5a5a;
    r->w.pc = RIG_CODE;
    if (isa_step(&r->w, i, &r->env, &r->fx))
        fail_msg("%s on %s: %s", i->mnemonic, r->t->name, r->w.fault.text);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            o->d[h][l] = rig_getv(r, R_D + h, l);
    static const uint8_t at[] = {S_OUT, CODE_VCC_LO, CODE_EXEC_LO};
    for (unsigned k = 0; k < 3; k++)
        o->mask[k] = r->w.lanes == 32 ? r->w.s[at[k]] : r->w.s[at[k]] | (uint64_t)r->w.s[at[k] + 1] << 32;
}

/* A mix of everything that floats and integers of any width find hard. */
static uint32_t hard_operand(uint32_t *seed)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00123, 0xffa00001,
                                       1,          0x80000001, 0x007fffff, 0x3f800000, 0xbf800000, 0x7fffffff,
                                       0x7c007c00, 0xfc017e55, 0x00018001, 0x3c00bc00, 0xffffffff, 0x40490fdb,
                                       0x00008000, 0x80008000, 0x04000400, 0x3ff00000, 0x7ff80000, 0x43800000};
    uint32_t v = next_random(seed), pick = next_random(seed);

    if (pick % 4 == 0)
        return special[v % (sizeof special / sizeof special[0])];
    return pick % 4 == 1 ? 0x3f000000 + (v & 0x81ffffff) : pick % 4 == 2 ? 0x34003400 + (v & 0x8fff8fff) : v;
}

static void compare(const struct subject *s, const struct isa_inst *i, unsigned l, unsigned h, uint32_t got,
                    uint32_t want, uint32_t in[3][2][64])
{
    char text[160];

    if (got == want)
        return;
    isa_text(s->r->t, i, text, sizeof text);
    fail_msg("%s wave%u mode %u%u ieee %d: %s: lane %u word %u is %08x, expected %08x (sources %08x %08x %08x)",
             s->r->t->name, s->r->w.lanes, s->r->w.mode.denorm32, s->r->w.mode.denorm64, s->r->w.mode.ieee, text, l, h,
             got, want, in[0][0][l], in[1][0][l], in[2][0][l]);
}

static void check(struct subject *s, struct isa_inst *i, const struct isa_inst *plain)
{
    struct rig *r = s->r;
    unsigned lanes = r->w.lanes;
    uint64_t all = lane_mask(lanes), exec, carry;
    uint32_t in[3][2][64], changed[3][2][64], old[2][64];
    struct outcome got, base;
    struct model m;

    exec = next_random(&s->seed) | (uint64_t)next_random(&s->seed) << 32;
    exec = (s->tried % 3 ? exec : all) & all;
    carry = (next_random(&s->seed) | (uint64_t)next_random(&s->seed) << 32) & all;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned h = 0; h < 2; h++)
            for (unsigned l = 0; l < lanes; l++)
                in[k][h][l] = hard_operand(&s->seed);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < lanes; l++)
            old[h][l] = hard_operand(&s->seed);
    model_init(&m, r, i, exec);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < lanes; l++)
            model_source(&m, k, l, in[k], changed[k]);
    put_sources(s, in);
    run(s, i, old, exec, carry, &got);
    put_sources(s, changed);
    uint32_t accumulator[2][64];
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned h = 0; h < 2; h++)
            accumulator[h][l] = model_accumulator(&m, old[h][l]);
    run(s, plain, accumulator, exec, carry, &base);
    s->tried++;
    for (unsigned k = 0; k < 3; k++)
        if (model_mask(&m, base.mask[k], k) != got.mask[k] && model_writes_mask(&m, k)) {
            char text[160];
            isa_text(r->t, i, text, sizeof text);
            fail_msg("%s wave%u: %s: mask %u is %016llx, expected %016llx", r->t->name, lanes, text, k,
                     (unsigned long long)got.mask[k], (unsigned long long)model_mask(&m, base.mask[k], k));
        }
    if (i->row->kind == ROW_CMP)
        return;
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t want[2];
        uint32_t bare_result[2] = {base.d[0][l], base.d[1][l]}, was[2] = {old[0][l], old[1][l]};
        uint32_t lane_in[3][2];
        for (unsigned k = 0; k < 3; k++)
            for (unsigned h = 0; h < 2; h++)
                lane_in[k][h] = changed[k][h][l];
        if (!model_result(&m, l, bare_result, was, lane_in, carry >> l & 1, want))
            continue;
        for (unsigned h = 0; h < isa_types[i->op[0].type].dwords && h < 2; h++)
            compare(s, i, l, h, got.d[h][l], want[h], in);
    }
}

/* --- which modifiers ------------------------------------------------------------------------------------------------
 */

/* Values of a field of the encoding: bits to be set in word `word`. */
struct choice {
    uint8_t word;
    uint32_t bits, field; /* field: choices of one field exclude one another */
};
enum { MAX_CHOICES = 128 };

struct choices {
    struct choice c[MAX_CHOICES];
    unsigned n;
};

static void may(struct choices *c, unsigned word, uint32_t bits, uint32_t field)
{
    assert_true(c->n < MAX_CHOICES);
    c->c[c->n++] = (struct choice){(uint8_t)word, bits, field};
}

static void each_bit(struct choices *c, unsigned word, unsigned first, unsigned count)
{
    for (unsigned b = first; b < first + count; b++)
        may(c, word, 1u << b, 1u << b);
}

static void each_value(struct choices *c, unsigned word, unsigned first, unsigned bits)
{
    for (uint32_t v = 1; v < 1u << bits; v++)
        may(c, word, v << first, ((1u << bits) - 1) << first);
}

static void vop3_choices(const struct subject *s, struct choices *c)
{
    if (s->format == FMT_VOP3P) {
        each_bit(c, 0, 8, 3);  /* neg_hi */
        each_bit(c, 0, 11, 5); /* op_sel, op_sel_hi of src2, clamp */
        each_bit(c, 1, 27, 5); /* op_sel_hi, neg_lo */
        return;
    }
    if (!row_has(s->op->row, SL_CARRY_OUT)) {
        each_bit(c, 0, 8, 3);
        each_bit(c, 0, 11, 4);
    }
    each_bit(c, 0, 15, 1);
    each_value(c, 1, 27, 2);
    each_bit(c, 1, 29, 3);
}

static void sdwa_choices(const struct subject *s, struct choices *c)
{
    if (s->format != FMT_VOPC) {
        each_value(c, 1, 8, 3);
        each_value(c, 1, 11, 2);
        each_bit(c, 1, 13, 1);
        each_value(c, 1, 14, 2);
    }
    each_value(c, 1, 16, 3);
    each_bit(c, 1, 19, 3);
    each_value(c, 1, 24, 3);
    each_bit(c, 1, 27, 3);
}

static void dpp_choices(struct choices *c, unsigned word, bool modifiers)
{
    static const uint16_t ctrl[] = {0x01b, 0x0b1, 0x103, 0x112, 0x125, 0x130, 0x134, 0x138, 0x13c,
                                    0x140, 0x141, 0x142, 0x143, 0x153, 0x15c, 0x161, 0x16f};

    for (unsigned k = 0; k < sizeof ctrl / sizeof ctrl[0]; k++)
        may(c, word, (uint32_t)ctrl[k] << 8, 0x1ff00);
    each_bit(c, word, 18, modifiers ? 6 : 2);
    each_bit(c, word, 24, 4);
    each_bit(c, word, 28, 4);
    may(c, word, 0x5a000000, 0xff000000);
}

static void dpp8_choices(struct choices *c, unsigned word)
{
    may(c, word, 0x053977u << 8, 0xffffff00);
    may(c, word, 0x6d2c11u << 8, 0xffffff00);
    may(c, word, 0xffffff00u, 0xffffff00);
}

/* Runs the instruction with each modifier alone and with some of them together; plain: without. */
static void with_modifiers(struct subject *s, const uint32_t *start, unsigned n, const struct choices *c,
                           const struct isa_inst *plain)
{
    struct isa_inst i;
    bool fits[MAX_CHOICES];
    unsigned any = 0;

    for (unsigned k = 0; k < c->n; k++) {
        uint32_t w[4];
        memcpy(w, start, sizeof w);
        w[c->c[k].word] = (w[c->c[k].word] & ~c->c[k].field) | c->c[k].bits;
        if (!memcmp(w, start, sizeof w)) /* a default that starts as one: its absence is the modifier */
            w[c->c[k].word] &= ~c->c[k].field;
        fits[k] = taken(s->r->t, w, n, s->op->row, &i) && model_knows(&i);
        any += fits[k];
        if (fits[k])
            check(s, &i, plain);
    }
    for (unsigned round = 0; any > 1 && round < ROUNDS * any; round++) {
        uint32_t w[4];
        memcpy(w, start, sizeof w);
        for (unsigned tries = 2 + next_random(&s->seed) % 5; tries--;) {
            unsigned k = next_random(&s->seed) % c->n;
            if (!fits[k])
                continue;
            uint32_t *at = &w[c->c[k].word], before = *at;
            *at = (*at & ~c->c[k].field) | c->c[k].bits;
            if (before == *at)
                *at &= ~c->c[k].field;
        }
        if (taken(s->r->t, w, n, s->op->row, &i) && model_knows(&i))
            check(s, &i, plain);
    }
}

static void every_form(struct subject *s)
{
    struct isa_inst i;
    struct choices c = {.n = 0};
    uint32_t w[4];
    unsigned n = bare(s, CODE_VGPR + R_S0, w), m;

    if (!taken(s->r->t, w, n, s->op->row, &i) || !model_can(&i))
        return;
    isa_prepare(s->r->t, &i);
    if (n == 2) {
        vop3_choices(s, &c);
        with_modifiers(s, w, n, &c, &i);
    } else {
        sdwa_choices(s, &c);
        m = bare(s, CODE_SDWA, w);
        w[m] = R_S0 | 6u << 16 | (row_has(s->op->row, SL_SRC1) ? 6u << 24 : 0) | (s->format == FMT_VOPC ? 0 : 6u << 8);
        with_modifiers(s, w, m + 1, &c, &i);
    }
    c.n = 0;
    m = bare(s, CODE_DPP16, w);
    w[m] = R_S0 | 0xe4u << 8 | 0xff000000;
    dpp_choices(&c, m, n == 1);
    if (n == 2)
        vop3_choices(s, &c);
    with_modifiers(s, w, m + 1, &c, &i);
    for (unsigned fi = 0; fi < 2; fi++) {
        c.n = 0;
        m = bare(s, CODE_DPP8 + fi, w);
        w[m] = R_S0 | 0xfac688u << 8;
        dpp8_choices(&c, m);
        if (n == 2)
            vop3_choices(s, &c);
        with_modifiers(s, w, m + 1, &c, &i);
    }
}

/* --- all of them ----------------------------------------------------------------------------------------------------
 */

static void on_all_targets(unsigned lanes, uint32_t mode)
{
    static const uint8_t formats[] = {FMT_VOP1, FMT_VOP2, FMT_VOPC, FMT_VOP3, FMT_VOP3P};
    struct rig r;

    EVERY(r, lanes)
    unsigned runs = 0, subjects = 0;
    isa_set_mode(&r.w, mode);
    for (unsigned f = 0; f < sizeof formats; f++)
        for (unsigned op = 0; op < r.t->op_count[formats[f]]; op++) {
            struct subject s = {&r, &r.t->ops[formats[f]][op], formats[f], op, op * 977 + f + 1, 0};

            if (!s.op->row || s.op->row->kind == ROW_WIDE)
                continue;
            every_form(&s);
            runs += s.tried;
            subjects += s.tried != 0;
        }
    print_message("%s wave%u: %u runs with modifiers of %u opcodes\n", r.t->name, lanes, runs, subjects);
    assert_true(subjects > 300);
    EVERY_END(r)
}

/* denormals kept, IEEE where there is such a mode: omod without effect */
static void kept_denormals(void **state)
{
    (void)state;
    on_all_targets(64, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
}

/* denormals flushed: omod scales */
static void flushed_denormals(void **state)
{
    (void)state;
    on_all_targets(64, MODE_DX10_CLAMP);
}

static void clamp_that_passes_nan(void **state)
{
    (void)state;
    on_all_targets(64, 0xf0);
}

static void wave32(void **state)
{
    (void)state;
    on_all_targets(32, MODE_DX10_CLAMP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_denormals),
        cmocka_unit_test(flushed_denormals),
        cmocka_unit_test(clamp_that_passes_nan),
        cmocka_unit_test(wave32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
