/* Dual issue in three words of gfx1250: each half of each pair of opcodes leaves what the same row leaves alone, in
 * VOP3 (which has its own tests), neg included, and both read before either writes. v_dual_dot2acc_*, which are nowhere
 * else, against dual issue in two words; v_bitop2_b32 against its truth table.
 */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/harness.h"

enum { LANES = 32, REGS = 40, S_MASK = 40 };
struct place {
    unsigned d, s[3];
};
static const struct place places[2] = {{4, {8, 12, 16}}, {20, {24, 28, 32}}};

static uint32_t rnd(void)
{
    static uint64_t rng = 3;

    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 32);
}

static unsigned count_sources(const struct isa_row *row)
{
    unsigned n = 0;

    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        n += row->args[k].slot == SL_SRC0 || row->args[k].slot == SL_SRC1 || row->args[k].slot == SL_SRC2;
    return n;
}

static bool takes_mask(const struct isa_row *row)
{
    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        if (row->args[k].slot == SL_CARRY_IN)
            return true;
    return false;
}

/* neg belongs to floats: a bit for each source. */
static unsigned negatable(const struct isa_row *row)
{
    unsigned bits = 0, n = 0;

    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        if (row->args[k].slot == SL_SRC0 || row->args[k].slot == SL_SRC1 || row->args[k].slot == SL_SRC2)
            bits |=
                (isa_types[row->args[k].type].float_bits == 32 || isa_types[row->args[k].type].float_bits == 64 ? 1u
                                                                                                                : 0u)
                << n++;
    return bits;
}

/* The row alone, on the registers of that half. */
static void run_alone(struct rig *r, const struct isa_row *row, const struct place *p, unsigned half, unsigned neg,
                      unsigned table)
{
    int op = opcode_of(r->t, FMT_VOP3, row->name);
    unsigned n = count_sources(row);
    uint32_t w[2];

    if (row->flags & RF_TRUTH_TABLE) {
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t a = rig_getv(r, p->s[0], l), b = rig_getv(r, p->s[1], l), want = 0;
            for (unsigned k = 0; k < 32; k++)
                want |= (table >> ((a >> k & 1) << 2 | (b >> k & 1) << 1) & 1) << k;
            rig_v(r, p->d, l, want);
        }
        return;
    }
    if (op < 0) { /* beside a move that changes nothing */
        op = opcode_of(r->t, FMT_VOPDX, row->name);
        assert_true(op >= 0 && !neg);
        w[0] = 0xc8000000 | (uint32_t)op << 22 | 8u << 17 | p->s[1] << 9 | (CODE_VGPR + p->s[0]);
        w[1] = (uint32_t)p->d << 24 | (REGS + 1) / 2u << 17 | (CODE_VGPR + REGS + 1);
        rig_run(r, w, 2);
        return;
    }
    vop3(r->t, w, op, p->d, CODE_VGPR + p->s[0], n > 1 ? CODE_VGPR + p->s[1] : 0,
         takes_mask(row) ? S_MASK + half
         : n > 2         ? CODE_VGPR + p->s[2]
                         : 0);
    w[1] |= neg << 29;
    rig_run(r, w, 2);
}

/* The text of a half has a minus before the sources that are negated, and before no other. */
static void expect_signs(const struct rig *r, const uint32_t w[3], const struct isa_row *const rows[2],
                         const struct place p[2], const unsigned neg[2])
{
    char text[200], minus[2][16];
    struct isa_inst i;

    assert_int_equal(isa_decode(r->t, (const uint8_t *)w, 12, &i, NULL), 12);
    isa_text(r->t, &i, text, sizeof text);
    char *half[2] = {text, strstr(text, " :: ")};
    assert_non_null(half[1]);
    *half[1]++ = 0;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned n = 0; n < count_sources(rows[h]); n++) {
            snprintf(minus[0], sizeof minus[0], " -v%u", p[h].s[n]);
            snprintf(minus[1], sizeof minus[1], " -v[%u:", p[h].s[n]);
            if ((strstr(half[h], minus[0]) || strstr(half[h], minus[1])) != (neg[h] >> n & 1))
                fail_msg("neg %u of '%s', source %u", neg[h], half[h], n);
        }
}

static void run_pair(struct rig *r, unsigned x, unsigned y, unsigned negate, unsigned table, bool crossed)
{
    const struct isa_row *rows[2] = {r->t->ops[FMT_VOPD3X][x].row, r->t->ops[FMT_VOPD3Y][y].row};
    struct place p[2] = {places[0], places[1]};
    static uint32_t start[REGS * LANES], want[REGS * LANES];
    uint64_t fields[2] = {0}; /* src1, src2 */
    unsigned neg[2];

    if (crossed) /* what one half reads the other writes */
        p[0].s[0] = p[1].d;
    for (unsigned k = 0; k < REGS * LANES; k++)
        r->regs[k] = k & 1 ? 0x3e000000 + (rnd() & 0x81ffffff) : rnd();
    for (unsigned h = 0; h < 2; h++) {
        r->w.s[S_MASK + h] = rnd();
        neg[h] = negate >> 3 * h & 7 & negatable(rows[h]);
        if (opcode_of(r->t, FMT_VOP3, rows[h]->name) < 0)
            neg[h] = 0;
        unsigned n = count_sources(rows[h]);
        fields[h] = (n > 1 ? p[h].s[1] : 0) | (rows[h]->flags & RF_TRUTH_TABLE ? table
                                               : takes_mask(rows[h])           ? S_MASK + h
                                               : n > 2                         ? p[h].s[2]
                                                                               : 0)
                                                  << 8;
    }
    memcpy(start, r->regs, sizeof start);
    memcpy(want, start, sizeof want);
    isa_set_exec(&r->w, 0xfffdffdf);
    for (unsigned h = 0; h < 2; h++) {
        memcpy(r->regs, start, sizeof start);
        uint32_t kept[2] = {rig_getv(r, p[h].d, 5), rig_getv(r, p[h].d, 17)};
        run_alone(r, rows[h], &p[h], h, neg[h], table);
        rig_v(r, p[h].d, 5, kept[0]); /* off */
        rig_v(r, p[h].d, 17, kept[1]);
        memcpy(want + p[h].d * LANES, r->regs + p[h].d * LANES,
               sizeof *want * LANES * isa_types[rows[h]->args[0].type].dwords);
    }
    memcpy(r->regs, start, sizeof start);
    const uint32_t words[] = {0xcf000000 | x << 18 | y << 12 | (CODE_VGPR + p[0].s[0]),
                              (CODE_VGPR + p[1].s[0]) | (neg[0] | neg[1] << 3) << 9 | (uint32_t)fields[0] << 16,
                              p[0].d | (uint32_t)fields[1] << 8 | (uint32_t)p[1].d << 24};
    expect_signs(r, words, rows, p, neg);
    rig_run(r, words, 3);
    for (unsigned k = 0; k < REGS * LANES; k++)
        if (r->regs[k] != want[k])
            fail_msg("%s :: %s, neg %u %u: v%u lane %u is 0x%08x, expected 0x%08x", rows[0]->name, rows[1]->name,
                     neg[0], neg[1], k / LANES, k % LANES, r->regs[k], want[k]);
}

static void every_pair(void **state)
{
    struct rig r;
    unsigned pairs = 0;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    isa_set_mode(&r.w, 0xf0);
    for (unsigned x = 0; x < r.t->op_count[FMT_VOPD3X]; x++)
        for (unsigned y = 0; y < r.t->op_count[FMT_VOPD3Y]; y++) {
            if (!r.t->ops[FMT_VOPD3X][x].row || !r.t->ops[FMT_VOPD3Y][y].row)
                continue;
            for (unsigned round = 0; round < 4; round++)
                run_pair(&r, x, y, round < 2 ? 0 : rnd() & 63, rnd() & 255, round & 1);
            pairs++;
        }
    rig_close(&r);
    assert_true(pairs > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
