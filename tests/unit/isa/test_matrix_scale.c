/* v_mfma_*_f8f6f4 and v_mfma_scale_*_f8f6f4 of gfx950 against products worked out element by element in long double
 * from the formats' definitions (small_floats.h): every pair of formats in both shapes, with and without scales, in
 * every byte of the scales' registers. Where all sums are exact in f32 the results must be; elsewhere they may be one
 * unit in the last place off, because the order of the sums is not documented.
 */
#include "isa/lanes/fp.h"
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/small_floats.h"

enum { D = 0, A = 64, B = 96, C = 128, SA = 192, SB = 193, LANES = 64 };

static uint64_t rng = 1;

static uint32_t rnd(void)
{
    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 32);
}

struct shape {
    unsigned opcode, m, k;
};
static const struct shape shapes[] = {{0x2d, 16, 128}, {0x2e, 32, 64}};

struct product {
    const struct shape *shape;
    unsigned format[2]; /* of A and B, as cbsz and blgp count */
    bool scaled, exact;
    unsigned byte[2]; /* of the scales' registers */
    uint8_t code[2][32][128], scale[2][32][4];
    float c[32][32];
};

static void put_bits(struct rig *r, unsigned reg, unsigned lane, unsigned at, unsigned bits, uint32_t v)
{
    for (unsigned k = 0; k < bits; k++) {
        uint32_t *w = &r->w.v[(reg + (at + k) / 32) * LANES + lane], bit = 1u << (at + k) % 32;
        *w = (*w & ~bit) | (v >> k & 1 ? bit : 0);
    }
}

/* Lane and element of it for k of row i: 8-bit formats in two runs of 16, the others in one of 32. */
static void place(const struct shape *s, unsigned bits, unsigned i, unsigned k, unsigned *lane, unsigned *element)
{
    unsigned groups = LANES / s->m;

    if (bits == 8) {
        *lane = i + s->m * (k / 16 % groups);
        *element = k % 16 + k / (16 * groups) * 16;
    } else {
        *lane = i + s->m * (k / 32);
        *element = k % 32;
    }
}

static void draw(struct product *p)
{
    const struct shape *s = p->shape;

    for (unsigned side = 0; side < 2; side++) {
        const struct small_format *f = &small_formats[p->format[side]];
        for (unsigned i = 0; i < s->m; i++) {
            for (unsigned k = 0; k < s->k; k++) {
                unsigned code;
                do /* numbers; with exact: 0, 0.5, 1, 1.5, 2, 3 and 4 alone */
                    code = rnd() & ((1u << f->bits) - 1);
                while (!isfinite(small_value(f, code)) ||
                       (p->exact && (fabsl(small_value(f, code)) > 4 ||
                                     small_value(f, code) * 2 != rintl(small_value(f, code) * 2))));
                p->code[side][i][k] = (uint8_t)code;
            }
            for (unsigned b = 0; b < s->k / 32; b++)
                p->scale[side][i][b] = (uint8_t)(!p->scaled ? 127 : p->exact ? 126 + rnd() % 3 : 97 + rnd() % 60);
        }
    }
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned j = 0; j < s->m; j++)
            p->c[i][j] = p->exact ? (float)(int)(rnd() % 65) - 32 : (float)(int32_t)rnd() * 0x1p-20f;
}

static void load(struct rig *r, const struct product *p)
{
    static const unsigned regs[] = {A, B}, scales[] = {SA, SB};
    const struct shape *s = p->shape;

    for (unsigned side = 0; side < 2; side++) {
        unsigned bits = small_formats[p->format[side]].bits, lane, element;
        for (unsigned n = 0; n < 8; n++)
            for (unsigned l = 0; l < LANES; l++)
                rig_v(r, regs[side] + n, l, rnd()); /* past the operand, too */
        for (unsigned i = 0; i < s->m; i++)
            for (unsigned k = 0; k < s->k; k++) {
                place(s, bits, i, k, &lane, &element);
                put_bits(r, regs[side], lane, element * bits, bits, p->code[side][i][k]);
            }
        for (unsigned i = 0; i < s->m; i++)
            for (unsigned b = 0; b < s->k / 32; b++) {
                rig_v(r, scales[side], i + s->m * b, rnd());
                put_bits(r, scales[side], i + s->m * b, 8 * p->byte[side], 8, p->scale[side][i][b]);
            }
    }
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned j = 0; j < s->m; j++)
            rig_v(r, C + i % 4 + 4 * (i / (4 * (LANES / s->m))), j + s->m * (i / 4 % (LANES / s->m)),
                  bits_f32(p->c[i][j]));
}

static void run(struct rig *r, const struct product *p)
{
    uint32_t words[4] = {0xd3ac0000 | (p->byte[0] & 1) << 11 | (p->byte[1] & 1) << 12,
                         (256 + SA) | (256 + SB) << 9 | (p->byte[0] >> 1) << 27 | (uint32_t)(p->byte[1] >> 1) << 28,
                         0xd3800000 | p->shape->opcode << 16 | (p->scaled ? 1u << 11 : 0) | p->format[0] << 8 | D,
                         (256 + A) | (256 + B) << 9 | (256u + C) << 18 | (uint32_t)p->format[1] << 29};

    isa_set_exec(&r->w, rnd()); /* plays no part */
    rig_run(r, p->scaled ? words : words + 2, p->scaled ? 4 : 2);
}

static long double expected(const struct product *p, unsigned i, unsigned j)
{
    long double sum = (long double)p->c[i][j];

    for (unsigned k = 0; k < p->shape->k; k++)
        sum += ldexpl(small_value(&small_formats[p->format[0]], p->code[0][i][k]) *
                          small_value(&small_formats[p->format[1]], p->code[1][j][k]),
                      p->scale[0][i][k / 32] + p->scale[1][j][k / 32] - 254);
    return sum;
}

static float result(const struct rig *r, const struct shape *s, unsigned i, unsigned j)
{
    return as_f32(rig_getv(r, D + i % 4 + 4 * (i / (4 * (LANES / s->m))), j + s->m * (i / 4 % (LANES / s->m))));
}

static void products(void **state)
{
    static struct product p;
    struct rig r;
    unsigned same = 0, all = 0;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned n = 0; n < 2 * SMALL_FORMATS * SMALL_FORMATS * 2 * 2; n++) {
        p = (struct product){.shape = &shapes[n & 1], .scaled = n >> 1 & 1, .exact = n >> 2 & 1};
        p.format[0] = n / 8 % SMALL_FORMATS;
        p.format[1] = n / 8 / SMALL_FORMATS % SMALL_FORMATS;
        p.byte[0] = rnd() & 3;
        p.byte[1] = rnd() & 3;
        draw(&p);
        load(&r, &p);
        run(&r, &p);
        for (unsigned i = 0; i < p.shape->m; i++)
            for (unsigned j = 0; j < p.shape->m; j++) {
                long double want = expected(&p, i, j);
                float got = result(&r, p.shape, i, j), nearest = (float)want;
                bool ok = got == nearest ||
                          (!p.exact && (got == nextafterf(nearest, INFINITY) || got == nextafterf(nearest, -INFINITY)));
                if (!ok)
                    fail_msg("%ux%ux%u %s * %s%s, D(%u, %u): %a, expected %La", p.shape->m, p.shape->m, p.shape->k,
                             small_formats[p.format[0]].name, small_formats[p.format[1]].name,
                             p.scaled ? " scaled" : "", i, j, (double)got, want);
                same += got == nearest;
                all++;
            }
    }
    rig_close(&r);
    print_message("%u of %u results are the exact sum, rounded\n", same, all);
    assert_true(same > all - all / 1000);
}

/* A NaN, an infinity or a scale of 255 reaches the row and column that it stands in, and nothing else. */
static void specials(void **state)
{
    static struct product p;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned n = 0; n < 12; n++) {
        unsigned side = n & 1, what = n / 2 % 3, row = 5 + side, k = 70 % shapes[n / 6].k;
        p = (struct product){.shape = &shapes[n / 6], .scaled = true, .exact = true, .format = {1, 1}};
        draw(&p);
        for (unsigned i = 0; i < p.shape->m; i++) /* infinity times nothing would be a NaN */
            p.code[!side][i][k] = 0x3c;
        if (what == 0)
            p.code[side][row][k] = 0x7e;
        else if (what == 1)
            p.code[side][row][k] = 0xfc;
        else
            p.scale[side][row][k / 32] = 255;
        load(&r, &p);
        run(&r, &p);
        for (unsigned i = 0; i < p.shape->m; i++)
            for (unsigned j = 0; j < p.shape->m; j++) {
                float got = result(&r, p.shape, i, j);
                if ((side ? j : i) != row)
                    assert_true(got == (float)expected(&p, i, j));
                else if (what == 1)
                    assert_true(isinf(got) && got < 0);
                else
                    assert_int_equal(bits_f32(got), 0x7fc00000);
            }
    }
    rig_close(&r);
}

/* An inline constant for C, AGPRs for all, and what cannot be: a sixth format, scales before no matrix instruction. */
static void operands(void **state)
{
    static struct product p;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned n = 0; n < 2; n++) {
        const struct shape *s = &shapes[n];
        p = (struct product){.shape = s, .exact = true, .format = {4, 2}};
        draw(&p);
        load(&r, &p);
        for (unsigned reg = 0; reg < 32; reg++)
            for (unsigned l = 0; l < LANES; l++) {
                r.w.acc[(A + reg) * LANES + l] = rig_getv(&r, A + reg, l);
                r.w.acc[(B + reg) * LANES + l] = rig_getv(&r, B + reg, l);
            }
        rig_run(&r,
                (uint32_t[]){0xd3808000 | s->opcode << 16 | 4u << 8 | D,
                             (256 + A) | (256 + B) << 9 | 242u << 18 | 3u << 27 | 2u << 29},
                2); /* C is 1.0 */
        for (unsigned i = 0; i < s->m; i++)
            for (unsigned j = 0; j < s->m; j++) {
                unsigned reg = i % 4 + 4 * (i / (4 * (LANES / s->m))), lane = j + s->m * (i / 4 % (LANES / s->m));
                float want = (float)(expected(&p, i, j) - (long double)p.c[i][j] + 1);
                assert_true(as_f32(r.w.acc[(D + reg) * LANES + lane]) == want);
            }
    }
    /* cbsz 5; v_mfma_ld_scale_b32 v192, v193 and then v_nop */
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd3ad0500, (256 + A) | (256 + B) << 9 | (256u + C) << 18}, 2),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd3ac0000, (256 + SA) | (256 + SB) << 9, 0x7e000000}, 3), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    record_ran(r.t, isa_program_at(r.p, RIG_CODE)); /* that is what it does alone */
    rig_close(&r);
}

/* Passes of four cycles (ROCm's origami): half of them where neither format has 8 bits. */
static void passes(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned n = 0; n < 2 * 2 * SMALL_FORMATS * SMALL_FORMATS; n++) {
        const struct shape *s = &shapes[n & 1];
        unsigned scaled = n >> 1 & 1, a = n / 4 % SMALL_FORMATS, b = n / 4 / SMALL_FORMATS;
        uint32_t words[4] = {0xd3ac0000, (256 + SA) | (256 + SB) << 9,
                             0xd3800000 | s->opcode << 16 | scaled << 11 | a << 8 | D,
                             (256 + A) | (256 + B) << 9 | (256u + C) << 18 | (uint32_t)b << 29};
        const uint32_t *from = scaled ? words : words + 2;
        struct isa_inst i;
        bool narrow = small_formats[a].bits < 8 && small_formats[b].bits < 8;
        assert_int_equal(isa_decode(r.t, (const uint8_t *)from, scaled ? 16 : 8, &i, NULL), scaled ? 16 : 8);
        assert_int_equal(isa_matrix_of(&i)->passes, (s->m == 16 ? 8 : 16) / (narrow ? 2 : 1));
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(specials),
        cmocka_unit_test(operands),
        cmocka_unit_test(passes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
