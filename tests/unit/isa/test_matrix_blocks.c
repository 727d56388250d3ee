/* v_wmma_*_16x16x128_f8f6f4 and v_wmma_*_32x16x128_f4 of gfx1250, without scales and with one for 32 or 16 elements
 * (v_wmma_scale_*, v_wmma_scale16_*), against a triple loop over the formats' definitions (small_floats.h), bit for bit
 * by the arithmetic of docs/SEMANTICS_NOTES.md: exact products, sums of a block and of blocks in double precision, one
 * rounding at the end. Where sums are exact in f32 they are the exact ones, too. Every pair of formats, all formats of
 * scales; any codes (NaN, infinities, denormals, scales of zero), C's modifiers, constants, registers that overlap. All
 * registers are compared, also those that must not change.
 *
 * Where elements live is worked out here from the layouts that the notes have in words.
 */
#include "isa/lanes/fp.h"
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/small_floats.h"

enum { D = 0, A = 64, B = 96, C = 128, SCALES = 192, LANES = 32, K = 128, FP4 = 4 };

static uint64_t rng = 1;

static uint32_t rnd(void)
{
    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 32);
}

enum style { EXACT, NUMBERS, ANY, STYLES };
enum scaling { NONE, BY_32, BY_16, SCALINGS };
enum overlap { APART, SAME, PART, OVER_A, OVER_B, CONSTANT, OVERLAPS };

struct product {
    unsigned rows, format[2]; /* rows of A; formats of A and B */
    enum style style;
    enum overlap overlap;
    enum scaling scaling;
    unsigned neg, abs, d, c_reg;
    unsigned scale_format[2], row[2], scalar[2]; /* row: the lanes of the scales. scalar: an SGPR, or a constant */
    uint8_t code[2][32][K];
    uint8_t byte[2][32][8]; /* of the scales */
    double scale[2][32][8]; /* for each `block` */
    unsigned block;
    uint32_t c[32][16];
};

/* --- where things are --------------------------------------------------------------------------------------------- */

static uint32_t *word(struct rig *r, unsigned reg, unsigned lane)
{
    return &r->w.v[reg * LANES + lane];
}

/* Element k of row i of A, or column i of B: the halves of the wave take turns, 16 or 32 k each. */
static void put_element(struct rig *r, unsigned first, unsigned bits, unsigned i, unsigned k, unsigned code)
{
    unsigned run = bits == 8 ? 16 : 32, lane = i % 16 + (k / run % 2 ? 16 : 0);
    unsigned bit = (k / (2 * run) * run + k % run) * bits, reg = first + i / 16 * 8;

    for (unsigned n = 0; n < bits; n++, bit++) {
        uint32_t *w = word(r, reg + bit / 32, lane), mask = 1u << bit % 32;
        *w = (*w & ~mask) | (code >> n & 1 ? mask : 0);
    }
}

/* Element (i, j) of C and D: eight rows in eight registers of lanes 0 to 15, eight in those of lanes 16 to 31. */
static uint32_t *cd(uint32_t *file, unsigned first, unsigned i, unsigned j)
{
    return &file[(first + i % 8 + i / 16 * 8) * LANES + j + (i % 16 / 8) * 16];
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

static unsigned draw_code(const struct small_format *f, enum style style)
{
    for (;;) {
        unsigned code = rnd() & ((1u << f->bits) - 1);
        long double v = small_value(f, code);
        if (style == ANY && rnd() % 64 == 0)
            return code;
        if (!isfinite(v) || (style == EXACT && (fabsl(v) > 4 || v * 2 != rintl(v * 2))))
            continue;
        return code;
    }
}

static uint32_t draw_c(enum style style)
{
    static const uint32_t special[] = {0x7f800000, 0x7fc12345, 0x7f800001, 1, 0x00400000, 0x7f7fffff};

    if (style == EXACT)
        return bits_f32((float)((int)(rnd() % 65) - 32));
    if (style == ANY && rnd() % 8 == 0)
        return special[rnd() % 6] | (rnd() & 0x80000000);
    return bits_f32((float)(int32_t)rnd() * 0x1p-20f);
}

static double scale_of(unsigned format, unsigned byte)
{

    if (format == 2)
        return (double)small_value(&small_formats[0], byte);
    if (byte == 255)
        return (double)NAN;
    return format ? (double)small_magnitude(&small_e5m3, byte) : ldexp(1, (int)byte - 127);
}

static unsigned draw_scale(unsigned format, enum style style)
{
    static const uint8_t near_one[3][3] = {{126, 127, 128}, {0x70, 0x78, 0x80}, {0x30, 0x38, 0x40}};
    unsigned byte;

    if (style == EXACT)
        return near_one[format][rnd() % 3];
    do
        byte = style == NUMBERS && format == 0 ? 97 + rnd() % 60 : rnd() & 255;
    while (style == NUMBERS && isnan(scale_of(format, byte)));
    return style == ANY && rnd() % 4 ? near_one[format][rnd() % 3] : byte;
}

/* What all lanes have: in the SGPRs s4 and s5, or of the constant 1.0. */
static unsigned scalar_byte(const struct product *p, unsigned side, unsigned b)
{
    static const uint8_t one32[4] = {0, 0, 0x80, 0x3f}, one64[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};

    return p->scalar[side] == 4 ? 0x78 + b : p->scaling == BY_16 ? one64[b] : one32[b];
}

static void draw_scales(struct product *p)
{
    for (unsigned side = 0; side < 2; side++) {
        p->scale_format[side] = rnd() % 3;
        p->row[side] = rnd() & 1;
        p->scalar[side] = p->style == NUMBERS && rnd() % 4 == 0 ? (rnd() & 1 ? 4 : 242) : 0;
        for (unsigned i = 0; i < 32; i++)
            for (unsigned b = 0; b < K / p->block; b++) {
                unsigned byte = p->scalar[side] ? scalar_byte(p, side, b) : draw_scale(p->scale_format[side], p->style);
                p->byte[side][i][b] = (uint8_t)byte;
                p->scale[side][i][b] = scale_of(p->scale_format[side], byte);
            }
    }
}

static void draw(struct product *p)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < 32; i++) {
            for (unsigned k = 0; k < K; k++)
                p->code[side][i][k] = (uint8_t)draw_code(&small_formats[p->format[side]], p->style);
            for (unsigned b = 0; b < 8; b++)
                p->scale[side][i][b] = 1;
        }
    p->block = p->scaling == BY_16 ? 16 : 32;
    if (p->scaling)
        draw_scales(p);
    for (unsigned i = 0; i < p->rows; i++)
        for (unsigned j = 0; j < 16; j++)
            p->c[i][j] = draw_c(p->style);
    p->neg = rnd() & 1;
    p->abs = rnd() & 1;
    p->d = p->overlap == OVER_A ? A : p->overlap == OVER_B ? B : D;
    p->c_reg = p->overlap == SAME ? p->d : p->overlap == PART ? D + 2 : C;
}

static void load(struct rig *r, const struct product *p)
{
    for (unsigned k = 0; k < RIG_VGPRS * LANES; k++)
        r->w.v[k] = rnd();
    for (unsigned i = 0; i < p->rows; i++)
        for (unsigned j = 0; j < 16; j++)
            *cd(r->w.v, p->c_reg, i, j) = p->c[i][j];
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < (side ? 16 : p->rows); i++)
            for (unsigned k = 0; k < K; k++)
                put_element(r, side ? B : A, small_formats[p->format[side]].bits, i, k, p->code[side][i][k]);
    for (unsigned side = 0; p->scaling && side < 2; side++)
        for (unsigned i = 0; i < (side ? 16 : p->rows); i++) /* 32 rows of A take all lanes */
            for (unsigned b = 0; b < K / p->block; b++) {
                unsigned lane = i + (side || p->rows == 16 ? 16 * p->row[side] : 0);
                uint32_t *w = word(r, SCALES + 2 * side + b / 4, lane);
                *w = (*w & ~(255u << b % 4 * 8)) | (uint32_t)p->byte[side][i][b] << b % 4 * 8;
            }
    for (unsigned b = 0; b < 8; b++)
        r->w.s[4 + b / 4] = (r->w.s[4 + b / 4] & ~(255u << b % 4 * 8)) | (0x78 + b) << b % 4 * 8;
}

static unsigned encode(const struct product *p, uint32_t *words)
{
    const uint32_t a = p->scalar[0] ? p->scalar[0] : 256 + SCALES, b = p->scalar[1] ? p->scalar[1] : 256 + SCALES + 2;
    uint32_t c = p->overlap == CONSTANT ? 242 : 256 + p->c_reg; /* 1.0 */

    if (p->scaling) {
        *words++ = (p->scaling == BY_16 ? 0xcc3a0000 : 0xcc350000) | p->scale_format[1] << 8 | p->row[0] << 11 |
                   (rnd() & 3) << 13; /* hints */
        *words++ = 0x04000000 | a | b << 9 | p->row[1] << 27 | p->scale_format[0] << 29;
    }
    if (p->rows == 32) {
        words[0] = 0xcc884000;
        words[1] = 0x18000000;
    } else {
        words[0] = 0xcc330000 | p->format[0] << 11 | (p->format[1] >> 2) << 14;
        words[1] = (p->format[1] & 3) << 27;
    }
    words[0] |= p->abs << 10 | p->d;
    words[1] |= (256 + A) | (256 + B) << 9 | c << 18 | (uint32_t)p->neg << 31;
    return p->scaling ? 4 : 2;
}

/* --- what comes out ----------------------------------------------------------------------------------------------- */

static long double factor(const struct product *p, unsigned side, unsigned i, unsigned k)
{
    return small_value(&small_formats[p->format[side]], p->code[side][i][k]);
}

static double sum_from(const struct product *p, unsigned i, unsigned j, double sum)
{
    for (unsigned k = 0; k < K; k += p->block) {
        double part = 0;
        for (unsigned t = k; t < k + p->block; t++)
            part += (double)(factor(p, 0, i, t) * factor(p, 1, j, t));
        sum = fma(part, p->scale[0][i][k / p->block] * p->scale[1][j][k / p->block], sum);
    }
    return sum;
}

static uint32_t expected(const struct product *p, unsigned i, unsigned j)
{
    uint32_t c = p->overlap == CONSTANT ? 0x3f800000 : p->c[i][j];

    c = (p->abs ? c & 0x7fffffff : c) ^ (uint32_t)p->neg << 31;
    float r = (float)sum_from(p, i, j, (double)as_f32(c));
    if (!isnan(r)) {
        if (p->style == EXACT) { /* then the order does not matter */
            long double sum = (long double)as_f32(c);
            for (unsigned k = 0; k < K; k++)
                sum += factor(p, 0, i, k) * factor(p, 1, j, k) * (long double)p->scale[0][i][k / p->block] *
                       (long double)p->scale[1][j][k / p->block];
            assert_true((long double)r == sum);
        }
        return bits_f32(r);
    }
    return isnan(as_f32(c)) && !isnan(sum_from(p, i, j, 0)) ? c | 0x400000 : 0x7fc00000;
}

static void check(struct rig *r, const struct product *p, const uint32_t *words, unsigned count)
{
    static uint32_t want[RIG_VGPRS * LANES];

    memcpy(want, r->w.v, sizeof want);
    for (unsigned i = 0; i < p->rows; i++)
        for (unsigned j = 0; j < 16; j++)
            *cd(want, p->d, i, j) = expected(p, i, j);
    isa_set_exec(&r->w, rnd()); /* plays no part */
    rig_run(r, words, count);
    for (unsigned k = 0; k < RIG_VGPRS * LANES; k++)
        if (r->w.v[k] != want[k])
            fail_msg("%u rows, %s * %s, scales %u (%u, %u), style %u, overlap %u: v%u lane %u is %08x, expected %08x",
                     p->rows, small_formats[p->format[0]].name, small_formats[p->format[1]].name, p->scaling,
                     p->scale_format[0], p->scale_format[1], p->style, p->overlap, k / LANES, k % LANES, r->w.v[k],
                     want[k]);
}

static void products(const char *variant)
{
    static struct product p;
    struct rig r;

    rig_open_variant(&r, "gfx1250", LANES, variant);
    for (unsigned n = 0; n < (SMALL_FORMATS * SMALL_FORMATS + 1) * STYLES * SCALINGS * 2; n++) {
        unsigned pair = n / (STYLES * SCALINGS * 2), count;
        uint32_t words[4];
        p = (struct product){.rows = pair ? 16 : 32, .format = {FP4, FP4}};
        if (pair) {
            p.format[0] = (pair - 1) % SMALL_FORMATS;
            p.format[1] = (pair - 1) / SMALL_FORMATS;
        }
        p.style = (enum style)(n % STYLES);
        p.scaling = (enum scaling)(n / STYLES % SCALINGS);
        p.overlap = (enum overlap)(n < OVERLAPS ? n : rnd() % OVERLAPS);
        draw(&p);
        load(&r, &p);
        count = encode(&p, words);
        check(&r, &p, words, count);
    }
    rig_close(&r);
}

static void best_loops(void **state)
{
    (void)state;
    products(NULL);
}

static void portable_loops(void **state)
{
    (void)state;
    products("base");
}

/* Formats that are none, scales before something else, registers past the end, and a wave of 64 lanes. */
static void refused(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gfx1250", LANES);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc332800, 0x0402c140}, 2), ISA_FAULT); /* A's format is 5 */
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc334000, 0x1402c140}, 2), ISA_FAULT); /* B's is 6 */
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    /* A's scales have the format 3, then B's */
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc350000, 0x640385c0, 0xcc330000, 0x0602c140}, 4), ISA_FAULT);
    assert_non_null(strstr(r.w.fault.text, "no format of scales has the number 3"));
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc3a0300, 0x040385c0, 0xcc330000, 0x0602c140}, 4), ISA_FAULT);
    assert_non_null(strstr(r.w.fault.text, "no format of scales has the number 3"));
    for (unsigned n = 0; n < 2; n++) { /* v_nop follows */
        assert_int_equal(rig_try(&r, (uint32_t[]){n ? 0xcc3a0000 : 0xcc350000, 0x040385c0, 0x7e000000}, 3), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        assert_non_null(strstr(r.w.fault.text, "no matrix instruction that has scales"));
        record_ran(r.t, isa_program_at(r.p, RIG_CODE)); /* that is what it does alone */
    }
    r.w.nvgprs = 72; /* A ends at v79, v71 with four bits */
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc330000, 0x03ca0140 - 0x100}, 2), ISA_FAULT);
    rig_close(&r);
    rig_open(&r, "gfx1250", 64);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xcc330000, 0x0602c140}, 2), ISA_FAULT);
    assert_non_null(strstr(r.w.fault.text, "an instruction of wave32"));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_loops),
        cmocka_unit_test(portable_loops),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
