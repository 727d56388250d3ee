/* Every matrix instruction against a slow reference, bit for bit: any operands (NaN with payloads, infinities,
 * denormals), modifiers, overlapping registers, AGPRs. All registers are compared, also those that must not change,
 * with every set of lane loops that the CPU runs.
 *
 * The reference takes one element at a time by the rules of docs/SEMANTICS_NOTES.md, "Matrix instructions": k ascending
 * from C, one rounding per step. It shares no code with isa/.
 */
#include "tests/unit/isa/lanes_check.h"
#include "tests/unit/isa/matrix_places.h"

#include <math.h>

enum { REG_A = 0, REG_B = 32, REG_INDEX = 100, REG_C = 128, REG_D = 192, FILE_WORDS = 2 * RIG_VGPRS * 64 };

enum style { ANY_BITS, NUMBERS, FEW_SPECIALS, STYLES };

/* Where C and D are: apart, the same, C a constant, C in part D, D over A, D over B. */
enum overlap { APART, SAME, CONSTANT, PART, OVER_A, OVER_B, OVERLAPS };

struct run {
    struct rig r;
    const struct shape *s;
    const struct isa_matrix *m;
    unsigned lanes, per_a, per_b, per_d;
    unsigned acc, cbsz, abid, blgp, key, neg, neg_hi, clamp, op_sel, reuse;
    unsigned reg_c, reg_d, constant; /* constant: the operand's code, or 0 */
    bool plain;                      /* without modifiers */
    uint32_t seed, words[2];
    uint32_t before[FILE_WORDS], want[FILE_WORDS];
    /* elements' bits, by block; k as stored (sparse), and the dense k that each stands for */
    uint64_t a[16][32][128], b[16][128][32], c[16][32][32];
    uint8_t picked[32][64];
};

/* --- operands ----------------------------------------------------------------------------------------------------- */

struct format {
    unsigned exponent, mantissa;
};

static struct format format_of(enum elem e)
{
    static const struct format f[] = {[F32] = {8, 23}, [F64] = {11, 52}, [F16] = {5, 10}, [BF16] = {8, 7},
                                      [FP8] = {4, 3},  [BF8] = {5, 2},   [FP8Z] = {4, 3}, [BF8Z] = {5, 2}};
    return f[e];
}

static uint64_t random64(struct run *t)
{
    uint64_t high = next_random(&t->seed);
    return high << 32 | next_random(&t->seed);
}

/* Infinities, NaNs, zeros, the least and the largest, as far as the type has them. */
static uint64_t special(struct run *t, enum elem e)
{
    struct format f = format_of(e);
    uint64_t top = (UINT64_C(1) << f.exponent) - 1, one = UINT64_C(1) << f.mantissa, sign = random64(t) & 1;
    uint64_t list[] = {0,
                       1,
                       one - 1,
                       one,
                       top * one,
                       (top - 1) * one + one - 1,
                       top * one | 1,
                       top * one | one / 2,
                       top * one | (one - 1)};

    return list[next_random(&t->seed) % (sizeof list / sizeof list[0])] | sign << (f.exponent + f.mantissa);
}

static uint64_t element(struct run *t, enum elem e, enum style style)
{
    struct format f = format_of(e);
    uint64_t v = random64(t), top = (UINT64_C(1) << f.exponent) - 1;

    if (e == I32 && next_random(&t->seed) % 4 == 0) /* near the ends, for clamp */
        return (uint32_t)((v & 1 ? 0x7fffffff : 0) + (int32_t)(v >> 1 & 0xff) * (v & 1 ? -1 : 1)) ^
               (v & 1 ? 0 : 1u << 31);
    if (style == ANY_BITS || e == I8 || e == I4 || e == I32)
        return v;
    if (style == FEW_SPECIALS && next_random(&t->seed) % 256 == 0)
        return special(t, e);
    if (next_random(&t->seed) % 8 == 0) /* a denormal or zero */
        return v & ~(top << f.mantissa);
    /* exponents about the middle, so that sums round */
    uint64_t exponent = top / 2 - 3 + next_random(&t->seed) % 8;
    return (v & ~(top << f.mantissa)) | (exponent & top) << f.mantissa;
}

static float bits_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static uint32_t without_denormal(uint32_t u)
{
    return u & 0x7f800000 ? u : u & 0x80000000;
}

/* Any float of up to 16 bits as f32. */
static uint32_t widen(enum elem e, uint32_t v, bool flush)
{
    static const int bias[] = {[F16] = 15, [BF16] = 127, [FP8] = 7, [BF8] = 15, [FP8Z] = 8, [BF8Z] = 16};
    struct format f = format_of(e);
    uint32_t mantissa = v & ((1u << f.mantissa) - 1), exponent = v >> f.mantissa & ((1u << f.exponent) - 1);
    uint32_t sign = v >> (f.mantissa + f.exponent) & 1, top = (1u << f.exponent) - 1;

    if (e == FP8Z || e == BF8Z) {
        if (sign && !mantissa && !exponent)
            return 0x7fc00000;
    } else if (e == FP8) {
        if (exponent == top && mantissa == 7)
            return 0x7fc00000;
    } else if (exponent == top) {
        if (e == BF8 && mantissa)
            return 0x7fc00000;
        return sign << 31 | 0x7f800000 | mantissa << (23 - f.mantissa);
    }
    if (!exponent && flush)
        mantissa = 0;
    float r = ldexpf((float)(exponent ? mantissa | 1u << f.mantissa : mantissa),
                     (exponent ? (int)exponent : 1) - bias[e] - (int)f.mantissa);
    return float_bits(r) | sign << 31;
}

static uint32_t round_xf32(uint32_t u)
{
    uint32_t kept = u >> 13, rest = u & 0x1fff;

    if ((u & 0x7fffffff) > 0x7f800000)
        return u;
    return (kept + (rest > 0x1000 || (rest == 0x1000 && (kept & 1)))) << 13;
}

static uint32_t narrow(enum elem e, uint32_t u)
{
    uint32_t sign = u >> 31 << 15, mag = u & 0x7fffffff;
    float x = bits_float(mag);

    if (mag > 0x7f800000)
        return e == F16 ? sign | 0x7e00 | (mag >> 13 & 0x3ff) : u >> 16 | 0x40;
    if (e == BF16) {
        uint32_t kept = u >> 16, rest = u & 0xffff;
        return kept + (rest > 0x8000 || (rest == 0x8000 && (kept & 1)));
    }
    if (x >= 65520.0f)
        return sign | 0x7c00;
    int exponent = mag ? ilogbf(x) : -14;
    exponent = exponent < -14 ? -14 : exponent;
    uint32_t units = (uint32_t)nearbyintf(ldexpf(x, 10 - exponent)); /* 1024 to 2048, less for denormals */
    return sign | ((uint32_t)(exponent + 14) * 1024 + units);
}

/* --- the arithmetic ----------------------------------------------------------------------------------------------- */

static bool is_nan(uint32_t u)
{
    return (u & 0x7fffffff) > 0x7f800000;
}

static bool is_nan64(uint64_t u)
{
    return (u & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static uint32_t step(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = float_bits(fmaf(bits_float(a), bits_float(b), bits_float(c)));

    if (!is_nan(r))
        return r;
    return is_nan(a) ? a | 0x400000 : is_nan(b) ? b | 0x400000 : is_nan(c) ? c | 0x400000 : 0x7fc00000;
}

static uint64_t step64(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t quiet = UINT64_C(1) << 51;
    double x, y, z, d;
    uint64_t r;

    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    memcpy(&z, &c, 8);
    d = fma(x, y, z);
    memcpy(&r, &d, 8);
    if (!is_nan64(r))
        return r;
    return is_nan64(a) ? a | quiet : is_nan64(b) ? b | quiet : is_nan64(c) ? c | quiet : UINT64_C(0x7ff8000000000000);
}

static bool is_int(const struct run *t)
{
    return t->s->d == I32;
}

static bool flushes(const struct run *t)
{
    return strcmp(t->s->target, "gfx90a") == 0 && (t->s->a == F16 || t->s->a == BF16);
}

/* A's (side 0) or B's element as f32; neg_lo has the even k that the instruction multiplies, neg_hi the odd; of f32
 * neg_lo has all. */
static uint32_t factor(const struct run *t, unsigned side, uint64_t bits, unsigned k)
{
    enum elem e = side ? t->s->b : t->s->a;
    uint32_t v = (uint32_t)bits;

    if (e == F32)
        v = strstr(t->s->name, "xf32") ? round_xf32(v) : v;
    else
        v = widen(e, v, flushes(t));
    if (t->m->mods & MM_NEG)
        v ^= ((k & 1 && e != F32 ? t->neg_hi : t->neg) >> side & 1) << 31;
    return v;
}

static uint32_t product_f32(const struct run *t, unsigned q, unsigned qa, unsigned i, unsigned j)
{
    const struct shape *s = t->s;
    uint32_t sum = (uint32_t)t->c[q][i][j];

    if (c_of(s) != F32)
        sum = widen(c_of(s), sum, false);
    if (t->m->mods & MM_NEG_C) {
        sum &= t->neg_hi & 4 ? 0x7fffffff : 0xffffffff;
        sum ^= t->neg & 4 ? 0x80000000 : 0;
    }
    sum = flushes(t) ? without_denormal(sum) : sum;
    for (unsigned k = 0; k < (s->sparse ? s->k / 2 : s->k); k++) {
        unsigned kb = s->sparse ? t->picked[i][k] : k;
        sum = step(factor(t, 0, t->a[qa][i][k], k), factor(t, 1, t->b[q][kb][j], kb), sum);
    }
    sum = flushes(t) ? without_denormal(sum) : sum;
    return s->d == F32 ? sum : narrow(s->d, sum);
}

static uint64_t product_f64(const struct run *t, unsigned q, unsigned qa, unsigned i, unsigned j)
{
    const uint64_t neg = t->m->mods & MM_BLGP_NEG ? t->blgp : 0;
    uint64_t sum = t->c[q][i][j] ^ (neg >> 2 & 1) << 63;

    for (unsigned k = 0; k < t->s->k; k++)
        sum = step64(t->a[qa][i][k] ^ (neg & 1) << 63, t->b[q][k][j] ^ (neg >> 1 & 1) << 63, sum);
    return sum;
}

static int64_t whole(const struct run *t, unsigned side, uint64_t bits)
{
    unsigned n = width(side ? t->s->b : t->s->a);
    int64_t v = (int64_t)(bits & ((1u << n) - 1));
    bool sign = t->m->mods & MM_SIGN ? t->neg >> side & 1 : true;

    return sign && v >> (n - 1) ? v - (1 << n) : v;
}

static uint32_t product_int(const struct run *t, unsigned q, unsigned qa, unsigned i, unsigned j)
{
    const struct shape *s = t->s;
    int64_t sum = (int32_t)t->c[q][i][j];

    for (unsigned k = 0; k < (s->sparse ? s->k / 2 : s->k); k++)
        sum += whole(t, 0, t->a[qa][i][k]) * whole(t, 1, t->b[q][s->sparse ? t->picked[i][k] : k][j]);
    if (t->clamp)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static size_t word_at(const struct run *t, unsigned file_bit, unsigned reg, unsigned lane)
{
    return ((t->acc >> file_bit & 1 ? RIG_VGPRS : 0) + reg) * t->lanes + lane;
}

static uint64_t get(const struct run *t, unsigned file_bit, unsigned first, unsigned lane, unsigned item, unsigned bits)
{
    const uint32_t *w = t->before + word_at(t, file_bit, first + item * bits / 32, lane);

    if (bits == 64)
        return w[0] | (uint64_t)w[t->lanes] << 32;
    return bits == 32 ? *w : *w >> item * bits % 32 & ((1u << bits) - 1);
}

static void put(const struct run *t, uint32_t *file, unsigned file_bit, unsigned first, unsigned lane, unsigned item,
                unsigned bits, uint64_t v)
{
    uint32_t *w = file + word_at(t, file_bit, first + item * bits / 32, lane);
    uint32_t mask = bits >= 32 ? 0xffffffff : ((1u << bits) - 1) << item * bits % 32;

    *w = (*w & ~mask) | ((uint32_t)v << item * bits % 32 & mask);
    if (bits == 64)
        w[t->lanes] = (uint32_t)(v >> 32);
}

/* The item of C and D in its register, where only halves of registers are used. */
static unsigned cd_item(const struct run *t, unsigned x)
{
    return old_wmma(t->s) && width(t->s->d) == 16 ? 2 * x + (t->op_sel >> 2) : x;
}

static unsigned permuted_lane(unsigned blgp, unsigned lane)
{
    static const uint8_t from[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                       {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
    return from[blgp][lane / 16] * 16u + lane % 16;
}

static void fill(struct run *t, enum style style)
{
    const struct shape *s = t->s;

    for (size_t k = 0; k < 2 * RIG_VGPRS * t->lanes; k++)
        t->before[k] = next_random(&t->seed);
    for (unsigned lane = 0; lane < t->lanes; lane++) {
        for (unsigned x = 0; x < t->per_d; x++)
            put(t, t->before, 2, t->reg_c, lane, cd_item(t, x), width(c_of(s)), element(t, c_of(s), style));
        for (unsigned x = 0; x < t->per_b; x++)
            put(t, t->before, 1, REG_B, lane, x, width(s->b), element(t, s->b, style));
        for (unsigned x = 0; x < t->per_a; x++)
            put(t, t->before, 0, REG_A, lane, x, width(s->a), element(t, s->a, style));
    }
}

/* What inline constants mean to C. */
static uint64_t constant_of(const struct run *t)
{
    bool one = t->constant == 242; /* 1.0; else -16 */

    switch (c_of(t->s)) {
    case F64:
        return one ? UINT64_C(0x3ff0000000000000) : UINT64_C(0xfffffffffffffff0);
    case F16:
        return one ? 0x3c00 : 0xfff0;
    case BF16:
        return one ? 0x3f80 : 0xfff0;
    case I32:
        return one ? 0x3f800000 : 0xfffffff0;
    default:
        return one ? 0x3f800000 : 0xfffffff0;
    }
}

/* gfx1250's sets fill the index registers; the key moves the upper half down, and zeros in after it. */
static uint8_t picked_by_key(const struct run *t, unsigned line, unsigned k)
{
    unsigned lane, item, moved = t->key * t->per_a / 2;

    index_at(line, k, t->per_a, &lane, &item);
    return (uint8_t)(k / 2 * 4 + (item + moved < t->per_a ? get(t, 0, REG_INDEX, lane, item + moved, 2) : 0));
}

/* Registers to matrices. */
static void gather(struct run *t)
{
    const struct shape *s = t->s;
    unsigned sets_at = t->key * 2 * t->per_a, blgp = t->m->mods & MM_BLGP ? t->blgp : 0;
    unsigned ab_lanes = old_wmma(s) ? 16 : t->lanes;

    for (unsigned lane = 0; lane < ab_lanes; lane++) {
        for (unsigned x = 0; x < t->per_a; x++) {
            struct place p = ab_at(s, s->m, t->lanes, lane, x, t->per_a);
            t->a[p.block][p.line][p.k] = get(t, 0, REG_A, lane, x, width(s->a));
            if (s->sparse)
                t->picked[p.line][p.k] =
                    gfx1250(s)
                        ? picked_by_key(t, p.line, p.k)
                        : (uint8_t)(p.k / 2 * 4 + (t->before[REG_INDEX * t->lanes + lane] >> (sets_at + 2 * x) & 3));
        }
        for (unsigned x = 0; x < t->per_b; x++) {
            struct place p = ab_at(s, s->n, t->lanes, lane, x, t->per_b);
            unsigned from = t->lanes == 64 && cdna(s) ? permuted_lane(blgp, lane) : lane;
            t->b[p.block][p.k][p.line] = get(t, 1, REG_B, from, x, width(s->b));
        }
    }
    for (unsigned lane = 0; lane < t->lanes; lane++)
        for (unsigned x = 0; x < t->per_d; x++) {
            struct cell p = cd_at(s, t->lanes, lane, x);
            t->c[p.block][p.i][p.j] =
                t->constant ? constant_of(t) : get(t, 2, t->reg_c, lane, cd_item(t, x), width(c_of(s)));
        }
}

/* The block whose A serves block q. */
static unsigned block_of_a(const struct run *t, unsigned q)
{
    unsigned group = t->m->kind == MAT_MFMA && t->s->blocks > 1 ? 1u << t->cbsz : 1;

    return q / group * group + t->abid % group;
}

static void expect(struct run *t)
{
    const struct shape *s = t->s;

    memcpy(t->want, t->before, sizeof t->want);
    for (unsigned lane = 0; lane < t->lanes; lane++)
        for (unsigned x = 0; x < t->per_d; x++) {
            struct cell p = cd_at(s, t->lanes, lane, x);
            unsigned qa = block_of_a(t, p.block);
            uint64_t v = is_int(t)     ? product_int(t, p.block, qa, p.i, p.j)
                         : s->d == F64 ? product_f64(t, p.block, qa, p.i, p.j)
                                       : product_f32(t, p.block, qa, p.i, p.j);
            put(t, t->want, 2, t->reg_d, lane, cd_item(t, x), width(s->d), v);
        }
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static void encode_words(struct run *t)
{
    const struct shape *s = t->s;
    uint32_t src2 = s->sparse ? 256 + REG_INDEX : t->constant ? t->constant : 256 + t->reg_c;
    uint32_t sources = (256 + REG_A) | (256 + REG_B) << 9 | src2 << 18;

    if (cdna(s)) {
        t->words[0] = 0xd3800000 | s->op << 16 | (t->acc >> 2) << 15 | t->abid << 11 | t->cbsz << 8 | t->reg_d;
        t->words[1] = sources | (t->acc & 3) << 27 | t->blgp << 29;
    } else {
        t->words[0] = (gfx1250(s) ? 0xcc000000 | t->reuse << 13 : 0xcc004000) | s->op << 16 | t->clamp << 15 |
                      (t->op_sel | t->key) << 11 | t->neg_hi << 8 | t->reg_d;
        t->words[1] = sources | 3 << 27 | t->neg << 29;
    }
}

static void choose(struct run *t, enum overlap how)
{
    const struct shape *s = t->s;
    unsigned mods = t->m->mods, r = next_random(&t->seed), log_blocks = 0;

    while (s->blocks >> (log_blocks + 1))
        log_blocks++;
    t->acc = !cdna(s) ? 0 : strcmp(s->target, "gfx908") == 0 ? 4 | (r & 3) : r & 7;
    if (t->plain)
        mods = 0;
    t->reuse = t->plain ? 0 : r & 3; /* a hint */
    t->key = gfx1250(s) ? s->sparse && (r >> 3 & 1) : s->sparse ? (r >> 3) % (32 / (2 * t->per_a)) : 0;
    t->cbsz = t->m->kind == MAT_MFMA && s->blocks > 1 && !t->plain ? (r >> 8) % (log_blocks + 1) : 0;
    t->abid = s->sparse && cdna(s) ? t->key : t->cbsz ? (r >> 12) % (1u << t->cbsz) : 0;
    t->blgp = mods & (MM_BLGP | MM_BLGP_NEG) ? r >> 16 & 7 : 0;
    t->neg = (mods & (MM_NEG | MM_SIGN) ? r >> 19 & 3 : 0) | (mods & MM_NEG_C ? r >> 19 & 4 : 0);
    t->neg_hi = (mods & MM_NEG && s->a != F32 ? r >> 22 & 3 : 0) | (mods & MM_NEG_C ? r >> 22 & 4 : 0);
    t->clamp = mods & MM_SIGN ? r >> 25 & 1 : 0;
    t->op_sel = mods & MM_OP_SEL ? r >> 24 & 4 : 0;
    t->constant = how == CONSTANT && !s->sparse ? (r & 1 << 27 ? 242 : 208) : 0;
    t->reg_d = how == OVER_A ? REG_A : how == OVER_B ? REG_B : REG_D;
    t->reg_c = how == SAME || s->sparse ? t->reg_d : how == PART ? REG_D + 2 : REG_C;
    if (t->reg_d != REG_D) /* in the same file as what it lies over */
        t->acc = cdna(s) ? (strcmp(s->target, "gfx908") == 0 || (r & 1) ? 7 : 0) : 0;
}

static void compare(struct run *t, const char *variant)
{
    const uint32_t *got = t->r.regs;

    for (size_t k = 0; k < (cdna(t->s) ? 2u : 1u) * RIG_VGPRS * t->lanes; k++)
        if (got[k] != t->want[k])
            fail_msg("%s %s wave%u, %s loops, words %08x %08x: %c%zu lane %zu is %08x, expected %08x", t->s->target,
                     t->s->name, t->lanes, variant ? variant : "best", t->words[0], t->words[1],
                     k / t->lanes < RIG_VGPRS ? 'v' : 'a', k / t->lanes % RIG_VGPRS, k % t->lanes, got[k], t->want[k]);
}

/* The way of instructions that are not plain. */
static void run_general(struct run *t)
{
    struct isa_inst i;

    assert_int_equal(isa_decode(t->r.t, (const uint8_t *)t->words, 8, &i, NULL), 8);
    assert_true(t->constant || i.plain);
    i.plain = 0;
    assert_int_equal(i.exec(&t->r.w, &i, &t->r.env, NULL), ISA_OK);
}

static void one_run(struct run *t, enum overlap how, enum style style, const char *variant)
{
    const size_t bytes = (cdna(t->s) ? 2 : 1) * sizeof(uint32_t) * RIG_VGPRS * t->lanes;

    choose(t, how);
    encode_words(t);
    fill(t, style);
    gather(t);
    expect(t);
    memcpy(t->r.regs, t->before, bytes);
    rig_run(&t->r, t->words, 2);
    compare(t, variant);
    if (!t->plain)
        return;
    memcpy(t->r.regs, t->before, bytes);
    run_general(t);
    compare(t, variant);
}

static void one_shape(struct run *t, const struct shape *s, unsigned lanes, const char *variant)
{
    const unsigned *regs = lanes == 32 ? s->w32 : s->w64;
    struct isa_inst i;

    memset(t, 0, sizeof *t);
    t->s = s;
    t->lanes = lanes;
    t->seed = 0x13579bdfu + s->op + lanes;
    rig_open_variant(&t->r, s->target, lanes, variant);
    t->reg_c = REG_C;
    t->reg_d = REG_D;
    t->acc = strcmp(s->target, "gfx908") == 0 ? 4 : 0;
    t->reuse = 0;
    encode_words(t);
    assert_int_equal(isa_decode(t->r.t, (const uint8_t *)t->words, 8, &i, NULL), 8);
    t->m = i.row->mat;
    t->per_a = gfx12(s) ? (s->sparse ? s->k / 2 : s->k) * 16 / lanes : regs[0] * 32 / width(s->a);
    t->per_b = gfx12(s) ? s->k * 16 / lanes : regs[1] * 32 / width(s->b);
    t->per_d = width(s->d) == 16 ? (old_wmma(s) ? regs[2] : regs[2] * 2) : regs[2] * 32 / width(s->d);
    for (unsigned n = 0; n < 2 * OVERLAPS * STYLES; n++) {
        t->plain = n >= OVERLAPS * STYLES && !s->sparse;
        one_run(t, (enum overlap)(n % OVERLAPS), (enum style)(n / OVERLAPS % STYLES), variant);
    }
    rig_close(&t->r);
}

static void every_instruction(const char *variant)
{
    struct run *t = malloc(sizeof *t);

    assert_non_null(t);
    for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        if (shapes[k].w32[0])
            one_shape(t, &shapes[k], 32, variant);
        if (shapes[k].w64[0])
            one_shape(t, &shapes[k], 64, variant);
    }
    free(t);
}

static void best_loops(void **state)
{
    (void)state;
    every_instruction(NULL);
}

static void portable_loops(void **state)
{
    (void)state;
    every_instruction("base");
}

/* where the best are yet others */
static void avx2_loops(void **state)
{
    const struct isa_variant *best = isa_variant_find(NULL), *avx2 = isa_variant_find("avx2");

    (void)state;
    if (avx2 && avx2 != best)
        every_instruction("avx2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_loops),
        cmocka_unit_test(portable_loops),
        cmocka_unit_test(avx2_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
