/* Transposing loads of gfx12 and gfx1250, from memory and from LDS: which element of which lane's bytes ends up where.
 * Those of gfx950 are test_scaled.c's; that the results are what WMMA multiplies is shown by the matrix kernels of
 * tests/system/kernels/diff. */
#include "tests/unit/isa/harness.h"

static void set_address(struct rig *r, unsigned lane, uint64_t a)
{
    rig_v(r, 2, lane, (uint32_t)a);
    rig_v(r, 3, lane, (uint32_t)(a >> 32));
}

/* What lane l must hold of its element e, as bits of the matrix element (k, m): with the addresses below, a matrix that
 * lies by rows of k is loaded whole (docs/SEMANTICS_NOTES.md has who says so). In wave64 the first 32 lanes address,
 * and lanes 32 up hold the second four rows of each eight.
 */
struct tr_case {
    const char *target, *name;
    unsigned lanes, bits, format;
};

static unsigned tr_opcode(const struct rig *r, const struct tr_case *c)
{
    unsigned op = 0;

    while (!r->t->ops[c->format][op].row || strcmp(r->t->ops[c->format][op].mnemonic, c->name))
        op++;
    return op;
}

/* Where lane l reads: the row k and the first column of its piece. AMD's compiler, its assembly tests and the public
 * probes give the lanes these. */
static void tr_place(const struct tr_case *c, unsigned l, unsigned *k, unsigned *column)
{
    *column = 0;
    if (c->bits == 4)
        *k = l;
    else if (c->bits == 6)
        *k = 4 * (l / 8) + l % 4 + 16 * (l / 4 % 2);
    else if (c->bits == 8) {
        *k = l % 4 + 4 * (l / 8 % 2) + 8 * (l / 16);
        *column = 8 * (l / 4 % 2);
    } else {
        *k = l % 8 + 8 * (l / 16);
        *column = 8 * (l / 8 % 2);
    }
}

/* The row k of element e in lane l; its column is l % 16. */
static unsigned tr_row(const struct tr_case *c, unsigned l, unsigned e)
{
    if (c->bits == 4)
        return 16 * (e / 8) + 8 * (l / 16) + e % 8;
    if (c->bits == 6)
        return 16 * (l / 16) + e;
    return c->lanes == 64 ? 8 * (l / 16 % 2) + 4 * (l / 32) + e : 8 * (l / 16) + e;
}

static unsigned tr_bits_at(const uint8_t *p, unsigned at, unsigned bits)
{
    unsigned v = 0;

    for (unsigned b = 0; b < bits; b++)
        v |= (unsigned)(p[(at + b) / 8] >> (at + b) % 8 & 1) << b;
    return v;
}

enum { TR_MATRIX = 512, TR_OFFSET = 64 };

static void run_tr(struct rig *r, const struct tr_case *c, uint64_t exec)
{
    const unsigned op = tr_opcode(r, c);

    for (unsigned n = 0; n < 1024; n++)
        r->lds[TR_MATRIX + n] = r->mem[TR_MATRIX + n] = (uint8_t)(n * 37 + n / 64 * 11 + (n >> 3));
    for (unsigned l = 0; l < c->lanes; l++) {
        unsigned k, column;
        tr_place(c, l % 32, &k, &column);
        unsigned at = TR_MATRIX - TR_OFFSET + (k * 16 + column) * c->bits / 8;
        if (l >= 32)
            set_address(r, l, 0xdead0000beef); /* ignored */
        else if (c->format == FMT_DS)
            rig_v(r, 2, l, at);
        else
            set_address(r, l, RIG_MEM + at);
        for (unsigned n = 0; n < 5; n++)
            rig_v(r, 4 + n, l, 0xa5a5a5a5);
    }
    isa_set_exec(&r->w, exec);
    if (c->format == FMT_DS)
        rig_run(r, (uint32_t[]){0xd8000000u | op << 18 | TR_OFFSET, 2 | 4u << 24}, 2);
    else
        rig_run(r, (uint32_t[]){0xee00007cu | op << 14, 4, 2 | TR_OFFSET << 8}, 3);
}

static void check_tr(const struct tr_case *c)
{
    const unsigned loaded = c->bits == 16 ? 16 : c->bits == 6 ? 12 : 8, own = loaded * 8 / c->bits / (c->lanes / 32);
    struct rig r;

    rig_open(&r, c->target, c->lanes);
    run_tr(&r, c, c->lanes == 64 ? ~UINT64_C(0) : UINT32_MAX);
    assert_int_equal(c->format == FMT_DS ? r.fx.lds_mask : r.fx.mask, UINT32_MAX);
    for (unsigned l = 0; l < c->lanes; l++) {
        uint8_t words[20];
        for (unsigned n = 0; n < 5; n++) {
            uint32_t v = rig_getv(&r, 4 + n, l);
            memcpy(words + 4 * n, &v, 4);
        }
        for (unsigned e = 0; e < own; e++) {
            unsigned got = tr_bits_at(words, e * c->bits, c->bits),
                     want = tr_bits_at(r.mem + TR_MATRIX, (tr_row(c, l, e) * 16 + l % 16) * c->bits, c->bits);
            if (got != want)
                fail_msg("%s on %s, wave%u: lane %u element %u is %x, expected %x", c->name, c->target, c->lanes, l, e,
                         got, want);
        }
        assert_int_equal(rig_getv(&r, 4 + own * c->bits / 32, l), 0xa5a5a5a5);
    }
    rig_close(&r);
}

static void test_load_tr(void **state)
{
    static const struct tr_case cases[] = {
        {"gfx1201", "global_load_tr_b128", 32, 16, FMT_GLOBAL},
        {"gfx1201", "global_load_tr_b128", 64, 16, FMT_GLOBAL},
        {"gfx1201", "global_load_tr_b64", 32, 8, FMT_GLOBAL},
        {"gfx1201", "global_load_tr_b64", 64, 8, FMT_GLOBAL},
        {"gfx1250", "global_load_tr16_b128", 32, 16, FMT_GLOBAL},
        {"gfx1250", "global_load_tr8_b64", 32, 8, FMT_GLOBAL},
        {"gfx1250", "global_load_tr6_b96", 32, 6, FMT_GLOBAL},
        {"gfx1250", "global_load_tr4_b64", 32, 4, FMT_GLOBAL},
        {"gfx1250", "ds_load_tr16_b128", 32, 16, FMT_DS},
        {"gfx1250", "ds_load_tr8_b64", 32, 8, FMT_DS},
        {"gfx1250", "ds_load_tr6_b96", 32, 6, FMT_DS},
        {"gfx1250", "ds_load_tr4_b64", 32, 4, FMT_DS},
    };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_tr(&cases[k]);
}

/* Lanes out of EXEC: GLOBAL loads bring zeros for them and leave their registers alone, LDS loads do not look at it. */
static void test_load_tr_exec(void **state)
{
    static const struct tr_case global = {"gfx1250", "global_load_tr16_b128", 32, 16, FMT_GLOBAL},
                                lds = {"gfx1250", "ds_load_tr16_b128", 32, 16, FMT_DS};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", 32);
    run_tr(&r, &global, 0xfffffffe);
    assert_int_equal(rig_getv(&r, 4, 0), 0xa5a5a5a5);
    assert_int_equal(rig_getv(&r, 4, 1) & 0xffff, 0); /* row 0 was lane 0's */
    assert_int_equal(rig_getv(&r, 4, 1) >> 16, load_u16(r.mem + TR_MATRIX + 34));
    assert_int_equal(r.fx.mask, 0xfffffffe);
    for (uint64_t exec = 0; exec < 2; exec++) {
        run_tr(&r, &lds, exec);
        for (unsigned l = 0; l < 8; l++)
            assert_int_equal(rig_getv(&r, 4, l), load_u16(r.lds + TR_MATRIX + 2 * l) |
                                                     (uint32_t)load_u16(r.lds + TR_MATRIX + 32 + 2 * l) << 16);
        assert_int_equal(r.fx.lds_mask, UINT32_MAX);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_tr),
        cmocka_unit_test(test_load_tr_exec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
