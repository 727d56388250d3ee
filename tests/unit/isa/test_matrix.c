/* Matrix instructions against a triple loop over plain matrices.
 *
 * Where elements live is stated here by register and lane (which element does this lane hold?), the other way round
 * from isa/insts/matrix.h. Elements are small integers, so that every sum is exact in every type; then rounding order,
 * specials, modifiers and the moves to and from AGPRs.
 */
#include "tests/unit/isa/lanes_check.h"
#include "tests/unit/isa/matrix_places.h"

enum { REG_A = 0, REG_B = 32, REG_INDEX = 100, REG_C = 128, REG_D = 192 };

/* --- the small integers -4..4 in every type -------------------------------------------------------------------------
 */

static uint64_t encode(enum elem e, int v)
{
    static const uint16_t f16[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
    static const uint8_t fp8[] = {0, 0x38, 0x40, 0x44, 0x48}, bf8[] = {0, 0x3c, 0x40, 0x42, 0x44};
    static const uint8_t fp8z[] = {0, 0x40, 0x48, 0x4c, 0x50}, bf8z[] = {0, 0x40, 0x44, 0x46, 0x48};
    unsigned mag = (unsigned)abs(v), neg = v < 0;
    float f = (float)v;
    double d = v;
    uint32_t u;
    uint64_t q;

    memcpy(&u, &f, 4);
    memcpy(&q, &d, 8);
    switch (e) {
    case F32:
        return u;
    case F64:
        return q;
    case F16:
        return f16[mag] | neg << 15;
    case BF16:
        return u >> 16;
    case FP8:
        return fp8[mag] | neg << 7;
    case BF8:
        return bf8[mag] | neg << 7;
    case FP8Z:
        return fp8z[mag] | neg << 7;
    case BF8Z:
        return bf8z[mag] | neg << 7;
    case I4:
        return (unsigned)v & 15;
    case I8:
        return (unsigned)v & 255;
    default:
        return (uint32_t)v;
    }
}

/* A sum of small integers as the destination's type holds it. */
static uint64_t encode_sum(enum elem e, int v)
{
    float f = (float)v;
    uint32_t u;

    memcpy(&u, &f, 4);
    if (e == F16) /* exact below 2048 */
        return v == 0 ? 0 : (u >> 16 & 0x8000) | (((u & 0x7fffffff) - 0x38000000) >> 13);
    return e == F32 || e == BF16 ? encode(e, v) : e == F64 ? encode(F64, v) : (uint32_t)v;
}

/* --- one instruction ------------------------------------------------------------------------------------------------
 */

struct bench {
    struct rig r;
    const struct shape *s;
    unsigned lanes, regs[3], per_a, per_b, per_d;
    int a[16][32][128], b[16][128][32], c[16][32][32]; /* dense, by block */
    unsigned cbsz, abid, blgp, key;
    unsigned acc;                /* bit 0 A, 1 B, 2 C and D in AGPRs */
    uint32_t neg, neg_hi, clamp; /* RDNA's bits */
    unsigned op_sel, seed;
};

static uint32_t *reg(struct bench *t, unsigned file_bit, unsigned first, unsigned n)
{
    uint32_t *v = t->acc >> file_bit & 1 ? t->r.w.acc : t->r.w.v;
    return v + (first + n) * t->lanes;
}

static void put(struct bench *t, unsigned file_bit, unsigned first, unsigned lane, unsigned item, unsigned bits,
                uint64_t v)
{
    if (bits == 64) {
        reg(t, file_bit, first, 2 * item)[lane] = (uint32_t)v;
        reg(t, file_bit, first, 2 * item + 1)[lane] = (uint32_t)(v >> 32);
        return;
    }
    unsigned at = item * bits;
    uint32_t *w = &reg(t, file_bit, first, at / 32)[lane];
    uint32_t mask = bits == 32 ? 0xffffffff : ((1u << bits) - 1) << at % 32;
    *w = (*w & ~mask) | ((uint32_t)v << at % 32 & mask);
}

static uint64_t get(struct bench *t, unsigned file_bit, unsigned first, unsigned lane, unsigned item, unsigned bits)
{
    if (bits == 64)
        return reg(t, file_bit, first, 2 * item)[lane] | (uint64_t)reg(t, file_bit, first, 2 * item + 1)[lane] << 32;
    unsigned at = item * bits;
    uint32_t w = reg(t, file_bit, first, at / 32)[lane] >> at % 32;
    return bits == 32 ? w : w & ((1u << bits) - 1);
}

/* Elements of A in a lane. gfx12's wave64 fills half of the register where they have four bits and are four. */
static unsigned a_items(const struct bench *t)
{
    if (gfx12(t->s))
        return (t->s->sparse ? t->s->k / 2 : t->s->k) * 16 / t->lanes;
    return t->regs[0] * 32 / width(t->s->a);
}

static int small(struct bench *t)
{
    return (int)(next_random(&t->seed) % 5) - 2;
}

/* Fills registers with random elements, and a, b, c with what they mean. */
static void fill(struct bench *t)
{
    const struct shape *s = t->s;
    unsigned wa = width(s->a), wb = width(s->b), wd = width(s->d);

    for (unsigned k = 0; k < 256 * t->lanes; k++) {
        t->r.w.v[k] = next_random(&t->seed);
        if (t->r.w.acc)
            t->r.w.acc[k] = next_random(&t->seed);
    }
    memset(t->a, 0, sizeof t->a);
    t->per_a = a_items(t);
    t->per_b = gfx12(s) ? s->k * 16 / t->lanes : t->regs[1] * 32 / wb;
    t->per_d = s->d == F16 || s->d == BF16 ? (old_wmma(s) ? t->regs[2] : t->regs[2] * 2) : t->regs[2] * 32 / wd;
    for (unsigned lane = 0; lane < t->lanes; lane++) {
        uint64_t set = 0;
        for (unsigned x = 0; x < t->per_a; x++) {
            struct place p = ab_at(s, s->m, t->lanes, lane, x, t->per_a);
            int v = small(t);
            unsigned k = p.k;
            if (s->sparse) {
                /* the first of a pair in 0..2, the second above it */
                unsigned prev = x ? (unsigned)(set >> (2 * x - 2)) & 3 : 0, low = x % 2 ? prev + 1 : 0,
                         high = x % 2 ? 3 : 2;
                unsigned pick = low + next_random(&t->seed) % (high - low + 1), at, item;
                set |= (uint64_t)pick << 2 * x;
                index_at(p.line, p.k, t->per_a, &at, &item);
                if (gfx1250(s))
                    put(t, 0, REG_INDEX, at, item, 2, pick);
                k = p.k / 2 * 4 + pick;
            }
            /* gfx11's copies: the first sixteen lanes' elements again */
            if (old_wmma(s) && lane >= 16)
                v = t->a[0][p.line][p.k];
            t->a[p.block][p.line][k] = v;
            put(t, 0, REG_A, lane, x, wa, encode(s->a, v));
        }
        if (s->sparse && !gfx1250(s)) {
            uint64_t mask = ((UINT64_C(1) << 2 * t->per_a) - 1) << t->key * 2 * t->per_a;
            uint32_t *w = &t->r.w.v[REG_INDEX * t->lanes + lane];
            *w = (*w & ~(uint32_t)mask) | (uint32_t)(set << t->key * 2 * t->per_a);
        }
        for (unsigned x = 0; x < t->per_b; x++) {
            struct place p = ab_at(s, s->n, t->lanes, lane, x, t->per_b);
            int v = old_wmma(s) && lane >= 16 ? t->b[0][p.k][p.line] : small(t);
            t->b[p.block][p.k][p.line] = v;
            put(t, 1, REG_B, lane, x, wb, encode(s->b, v));
        }
        for (unsigned x = 0; x < t->per_d; x++) {
            struct cell p = cd_at(s, t->lanes, lane, x);
            int v = (int)(next_random(&t->seed) % 41) - 20;
            unsigned item = old_wmma(s) && wd == 16 ? 2 * x + (t->op_sel >> 2) : x;
            t->c[p.block][p.i][p.j] = v;
            put(t, 2, s->sparse ? REG_D : REG_C, lane, item, width(c_of(s)), encode_sum(c_of(s), v));
        }
    }
}

static void words(const struct bench *t, uint32_t w[2])
{
    const struct shape *s = t->s;
    unsigned src2 = 256 + (s->sparse ? REG_INDEX : REG_C);
    uint32_t sources = (256 + REG_A) | (256 + REG_B) << 9 | src2 << 18;

    if (cdna(s)) {
        w[0] = 0xd3800000 | s->op << 16 | (t->acc >> 2) << 15 | t->abid << 11 | t->cbsz << 8 | REG_D;
        w[1] = sources | (t->acc & 3) << 27 | t->blgp << 29;
    } else {
        w[0] = (gfx1250(s) ? 0xcc000000 : 0xcc004000) | s->op << 16 | t->clamp << 15 | (t->op_sel | t->key) << 11 |
               t->neg_hi << 8 | REG_D;
        w[1] = sources | 3 << 27 | t->neg << 29;
    }
}

static int product(const struct bench *t, unsigned block, unsigned i, unsigned j)
{
    int sum = t->c[block][i][j];
    for (unsigned k = 0; k < t->s->k; k++)
        sum += t->a[block][i][k] * t->b[block][k][j];
    return sum;
}

typedef int expected_fn(const struct bench *t, unsigned block, unsigned i, unsigned j);

static void check(struct bench *t, expected_fn *expected)
{
    const struct shape *s = t->s;
    unsigned wd = width(s->d);

    for (unsigned lane = 0; lane < t->lanes; lane++)
        for (unsigned x = 0; x < t->per_d; x++) {
            struct cell p = cd_at(s, t->lanes, lane, x);
            unsigned item = old_wmma(s) && wd == 16 ? 2 * x + (t->op_sel >> 2) : x;
            uint64_t want = encode_sum(s->d, expected(t, p.block, p.i, p.j));
            uint64_t got = get(t, 2, REG_D, lane, item, wd);
            if (got != want)
                fail_msg("%s %s wave%u: D(%u, %u) of block %u (lane %u, item %u) is %llx, expected %llx", s->target,
                         s->name, t->lanes, p.i, p.j, p.block, lane, x, (unsigned long long)got,
                         (unsigned long long)want);
        }
}

static void start(struct bench *t, const struct shape *s, unsigned lanes)
{
    memset(t, 0, sizeof *t);
    t->s = s;
    t->lanes = lanes;
    memcpy(t->regs, lanes == 32 ? s->w32 : s->w64, sizeof t->regs);
    t->seed = 0x2468ace1u + s->op;
    if (strcmp(s->target, "gfx908") == 0)
        t->acc = 4; /* C and D are AGPRs there */
    rig_open(&t->r, s->target, lanes);
}

static void run(struct bench *t, expected_fn *expected)
{
    uint32_t w[2];

    fill(t);
    words(t, w);
    isa_set_exec(&t->r.w, 0x8001f00f00ff1234); /* plays no part */
    rig_run(&t->r, w, 2);
    check(t, expected);
}

static void one_shape(const struct shape *s, unsigned lanes)
{
    struct bench *t = malloc(sizeof *t);

    assert_non_null(t);
    start(t, s, lanes);
    unsigned sets = s->sparse && !gfx1250(s) ? 32 / (2 * a_items(t)) : 1;
    if (s->a == I8 || s->a == I4)
        t->neg = cdna(s) ? 0 : 3; /* signed */
    for (t->key = 0; t->key < sets; t->key++) {
        t->abid = s->sparse && cdna(s) ? t->key : 0;
        run(t, product);
    }
    rig_close(&t->r);
    free(t);
}

static void every_instruction(void **state)
{
    unsigned n = 0;

    (void)state;
    for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const struct shape *s = &shapes[k];
        if (s->w32[0])
            one_shape(s, 32);
        if (s->w64[0])
            one_shape(s, 64);
        n++;
    }
    assert_int_equal(n, 228);
}

/* --- modifiers of the CDNA forms ------------------------------------------------------------------------------------
 */

static const struct shape *shape_of(const char *target, const char *name)
{
    for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        if (!strcmp(shapes[k].target, target) && !strcmp(shapes[k].name, name))
            return &shapes[k];
    fail_msg("no %s on %s", name, target);
    return NULL;
}

/* Block b reads A of the abid-th block of its group of 2^cbsz. */
static int broadcast_a(const struct bench *t, unsigned block, unsigned i, unsigned j)
{
    unsigned group = 1u << t->cbsz, from = block / group * group + t->abid % group;
    int sum = t->c[block][i][j];

    for (unsigned k = 0; k < t->s->k; k++)
        sum += t->a[from][i][k] * t->b[block][k][j];
    return sum;
}

static void cbsz_and_abid(void **state)
{
    static const char *const names[] = {"v_mfma_f32_32x32x4f16", "v_mfma_f32_16x16x1f32", "v_mfma_i32_4x4x4i8"};
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned n = 0; n < 3; n++)
        for (unsigned cbsz = 0; 1u << cbsz <= shape_of("gfx90a", names[n])->blocks; cbsz++)
            for (unsigned abid = 0; abid < 1u << cbsz; abid++) {
                start(t, shape_of("gfx90a", names[n]), 64);
                t->cbsz = cbsz;
                t->abid = abid;
                run(t, broadcast_a);
                rig_close(&t->r);
            }
    free(t);
}

/* B of a 16x16x1 with four blocks: block b's column j is in lane 16 b + j, and blgp says whose lane serves it. */
static int permuted_b(const struct bench *t, unsigned block, unsigned i, unsigned j)
{
    static const uint8_t source[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                         {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
    return t->c[block][i][j] + t->a[block][i][0] * t->b[source[t->blgp][block]][0][j];
}

static void blgp(void **state)
{
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned how = 0; how < 8; how++) {
        start(t, shape_of(how & 1 ? "gfx90a" : "gfx908", "v_mfma_f32_16x16x1f32"), 64);
        t->blgp = how;
        run(t, permuted_b);
        rig_close(&t->r);
    }
    free(t);
}

static int negated_f64(const struct bench *t, unsigned block, unsigned i, unsigned j)
{
    int c = t->c[block][i][j], ab = product(t, block, i, j) - c, flips = (t->blgp & 1) + (t->blgp >> 1 & 1);

    return (t->blgp & 4 ? -c : c) + (flips == 1 ? -ab : ab);
}

static void f64_neg(void **state)
{
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned how = 0; how < 8; how++) {
        start(t, shape_of("gfx942", how & 1 ? "v_mfma_f64_4x4x4_4b_f64" : "v_mfma_f64_16x16x4_f64"), 64);
        t->blgp = how;
        run(t, negated_f64);
        rig_close(&t->r);
    }
    free(t);
}

static void agpr_operands(void **state)
{
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned acc = 0; acc < 8; acc++) {
        start(t, shape_of("gfx90a", "v_mfma_f32_16x16x16f16"), 64);
        t->acc = acc;
        run(t, product);
        rig_close(&t->r);
        start(t, shape_of("gfx942", "v_smfmac_i32_16x16x64_i8"), 64);
        t->acc = acc; /* the index sets stay in VGPRs */
        run(t, product);
        rig_close(&t->r);
    }
    free(t);
}

/* --- modifiers of the RDNA forms ------------------------------------------------------------------------------------
 */

/* neg_lo of an integer source makes it signed; 16 products of all-ones elements, and what clamp makes of the sum */
static void integer_signs(void **state)
{
    static const char *const targets[] = {"gfx1100", "gfx1201"};

    (void)state;
    for (unsigned n = 0; n < 16; n++) {
        const char *name = n & 8 ? "v_wmma_i32_16x16x16_iu4" : "v_wmma_i32_16x16x16_iu8";
        const struct shape *s = shape_of(targets[n >> 2 & 1], name);
        int64_t ones = n & 8 ? 15 : 255, a = n & 1 ? -1 : ones, b = n & 2 ? -1 : ones;
        for (unsigned clamp = 0; clamp < 2; clamp++) {
            struct bench t = {.s = s};
            uint32_t w[2], c = a * b > 0 ? 0x7fffffff : 0x80000000;
            t.neg = n & 3;
            t.clamp = clamp;
            words(&t, w);
            rig_open(&t.r, s->target, 32);
            for (unsigned k = 0; k < 8; k++) {
                rig_vall(&t.r, REG_A + k, 0xffffffff);
                rig_vall(&t.r, REG_B + k, 0xffffffff);
                rig_vall(&t.r, REG_C + k, c);
            }
            rig_run(&t.r, w, 2);
            assert_int_equal(rig_getv(&t.r, REG_D + 7, 31), clamp ? c : c + (uint32_t)(16 * a * b));
            rig_close(&t.r);
        }
    }
}

/* neg_lo and neg_hi: the even and the odd k of A and B; for C negation and absolute value. The high half of C and D. */
static int negated_f16(const struct bench *t, unsigned block, unsigned i, unsigned j)
{
    int sum = t->c[block][i][j];

    if (t->neg_hi & 4)
        sum = abs(sum);
    if (t->neg & 4)
        sum = -sum;
    for (unsigned k = 0; k < t->s->k; k++) {
        unsigned flips = k & 1 ? t->neg_hi : t->neg;
        sum += t->a[block][i][k] * t->b[block][k][j] * (flips & 1 ? -1 : 1) * (flips & 2 ? -1 : 1);
    }
    return sum;
}

static void float_negs(void **state)
{
    static const char *const names[] = {"v_wmma_f32_16x16x16_f16", "v_wmma_f16_16x16x16_f16",
                                        "v_wmma_bf16_16x16x16_bf16"};
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned n = 0; n < 3 * 64; n++) {
        const struct shape *s = shape_of(n & 1 ? "gfx1100" : "gfx1201", names[n / 64]);
        start(t, s, n & 2 ? 64 : 32);
        t->neg = n & 7;
        t->neg_hi = n >> 3 & 7;
        run(t, negated_f16);
        rig_close(&t->r);
    }
    free(t);
}

static void high_halves(void **state)
{
    struct bench *t = malloc(sizeof *t);

    (void)state;
    assert_non_null(t);
    for (unsigned n = 0; n < 4; n++) {
        uint32_t other = 0;
        start(t, shape_of("gfx1100", n & 1 ? "v_wmma_f16_16x16x16_f16" : "v_wmma_bf16_16x16x16_bf16"), n & 2 ? 64 : 32);
        t->op_sel = 4;
        fill(t);
        other = rig_getv(&t->r, REG_D, 5) & 0xffff;
        uint32_t w[2];
        words(t, w);
        rig_run(&t->r, w, 2);
        check(t, product);
        assert_int_equal(rig_getv(&t->r, REG_D, 5) & 0xffff, other);
        rig_close(&t->r);
    }
    free(t);
}

/* --- arithmetic -----------------------------------------------------------------------------------------------------
 */

/* One product row: A(0, k) = a[k], B(k, 0) = b[k], C(0, 0) = c, everything else zero. Returns D(0, 0). */
static uint32_t corner(const char *target, const char *name, const uint32_t *a, const uint32_t *b, unsigned n,
                       uint32_t c)
{
    const struct shape *s = shape_of(target, name);
    struct bench t;
    uint32_t w[2], d;

    start(&t, s, cdna(s) ? 64 : 32);
    unsigned per_a = t.regs[0] * 32 / width(s->a), per_b = t.regs[1] * 32 / width(s->b);
    for (unsigned lane = 0; lane < t.lanes; lane++) {
        for (unsigned x = 0; x < per_a; x++) {
            struct place p = ab_at(s, s->m, t.lanes, lane, x, per_a);
            put(&t, 0, REG_A, lane, x, width(s->a), p.block == 0 && p.line == 0 && p.k < n ? a[p.k] : 0);
        }
        for (unsigned x = 0; x < per_b; x++) {
            struct place p = ab_at(s, s->n, t.lanes, lane, x, per_b);
            put(&t, 1, REG_B, lane, x, width(s->b), p.block == 0 && p.line == 0 && p.k < n ? b[p.k] : 0);
        }
    }
    put(&t, 2, REG_C, 0, 0, 32, c);
    words(&t, w);
    rig_run(&t.r, w, 2);
    d = (uint32_t)get(&t, 2, REG_D, 0, 0, 32);
    rig_close(&t.r);
    return d;
}
#define W_(...)                                                                                                        \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define CORNER(TARGET, NAME, A, B, N, C, EXPECT) assert_int_equal(corner(TARGET, NAME, A, B, N, C), EXPECT)

static void floats(void **state)
{
    (void)state;
    /* k ascending: 2^24 + 1 + 1 loses both ones, 1 + 1 + 2^24 keeps them */
    CORNER("gfx90a", "v_mfma_f32_16x16x4f32", W_(0x4b800000, 0x3f800000, 0x3f800000),
           W_(0x3f800000, 0x3f800000, 0x3f800000), 3, 0, 0x4b800000);
    CORNER("gfx90a", "v_mfma_f32_16x16x4f32", W_(0x3f800000, 0x3f800000, 0x4b800000),
           W_(0x3f800000, 0x3f800000, 0x3f800000), 3, 0, 0x4b800001);
    CORNER("gfx1250", "v_wmma_f32_16x16x4_f32", W_(0x4b800000, 0x3f800000, 0x3f800000),
           W_(0x3f800000, 0x3f800000, 0x3f800000), 3, 0, 0x4b800000);
    CORNER("gfx1250", "v_wmma_f32_16x16x4_f32", W_(0x3f800000, 0x3f800000, 0x4b800000),
           W_(0x3f800000, 0x3f800000, 0x3f800000), 3, 0, 0x4b800001);
    /* fused: (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 */
    CORNER("gfx90a", "v_mfma_f32_16x16x4f32", W_(0x3f800800), W_(0x3f800800), 1, 0xbf801000, 0x33800000);
    /* f32 denormals live: 2^-127 * 1 */
    CORNER("gfx90a", "v_mfma_f32_16x16x4f32", W_(0x00400000), W_(0x3f800000), 1, 0, 0x00400000);
    /* infinity, infinity - infinity, 0 * infinity, NaN */
    CORNER("gfx908", "v_mfma_f32_32x32x2f32", W_(0x7f800000), W_(0x3f800000), 1, 0x3f800000, 0x7f800000);
    CORNER("gfx908", "v_mfma_f32_32x32x2f32", W_(0x7f800000), W_(0x3f800000), 1, 0xff800000, 0x7fc00000);
    CORNER("gfx908", "v_mfma_f32_32x32x2f32", W_(0x7f800000), W_(0), 1, 0, 0x7fc00000);
    CORNER("gfx908", "v_mfma_f32_32x32x2f32", W_(0x7f800001), W_(0x3f800000), 1, 0, 0x7fc00001);
}

static void small_floats(void **state)
{
    (void)state;
    /* the least half, 2^-24, squared is 2^-48; the bf16 denormal 2^-127 times 2; gfx90a sees zeros */
    CORNER("gfx942", "v_mfma_f32_16x16x16_f16", W_(1), W_(1), 1, 0, 0x27800000);
    CORNER("gfx908", "v_mfma_f32_16x16x16f16", W_(1), W_(1), 1, 0, 0x27800000);
    CORNER("gfx90a", "v_mfma_f32_16x16x16f16", W_(1), W_(1), 1, 0x3f800000, 0x3f800000);
    CORNER("gfx90a", "v_mfma_f32_16x16x16f16", W_(0x3c00), W_(1), 1, 0, 0);
    CORNER("gfx942", "v_mfma_f32_16x16x16_bf16", W_(0x0040), W_(0x4000), 1, 0, 0x00800000);
    CORNER("gfx90a", "v_mfma_f32_16x16x16bf16_1k", W_(0x0040), W_(0x4000), 1, 0, 0);
    /* and so for denormals of C and D, f32 instructions excepted (floats above) */
    CORNER("gfx90a", "v_mfma_f32_16x16x16bf16_1k", W_(0), W_(0), 1, 0x00400000, 0);
    CORNER("gfx942", "v_mfma_f32_16x16x16_bf16", W_(0), W_(0), 1, 0x00400000, 0x00400000);
    CORNER("gfx90a", "v_mfma_f32_16x16x16bf16_1k", W_(0x0d80), W_(0x3080), 1, 0, 0); /* 2^-100 * 2^-30 */
    CORNER("gfx942", "v_mfma_f32_16x16x16_bf16", W_(0x0d80), W_(0x3080), 1, 0, 0x00080000);
    /* xf32: 1 + 2^-11 is a tie that goes to the even 1; 1 + 3 * 2^-11 goes up to 1 + 2^-9 */
    CORNER("gfx942", "v_mfma_f32_16x16x8_xf32", W_(0x3f801000), W_(0x3f800000), 1, 0, 0x3f800000);
    CORNER("gfx942", "v_mfma_f32_16x16x8_xf32", W_(0x3f803000), W_(0x3f800000), 1, 0, 0x3f804000);
    CORNER("gfx942", "v_mfma_f32_16x16x8_xf32", W_(0x7f800000), W_(0x3f800000), 1, 0, 0x7f800000);
    /* fnuz: 0x80 is the NaN, 0x7f is 240 (fp8) or 57344 (bf8), 1 is 2^-10 or 2^-17 */
    CORNER("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", W_(0x80), W_(0x40), 1, 0, 0x7fc00000);
    CORNER("gfx942", "v_mfma_f32_16x16x32_fp8_bf8", W_(0x7f), W_(0x40), 1, 0, 0x43700000);
    CORNER("gfx942", "v_mfma_f32_16x16x32_bf8_fp8", W_(0x7f), W_(0x40), 1, 0, 0x47600000);
    CORNER("gfx942", "v_mfma_f32_16x16x32_bf8_fp8", W_(1), W_(1), 1, 0, 0x32000000);
    /* OCP: 0x7f and 0x7d are NaNs, 0x7e is 448, 0x7c of bf8 infinity, 1 is 2^-9 or 2^-16 */
    CORNER("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", W_(0x7f), W_(0x38), 1, 0, 0x7fc00000);
    CORNER("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", W_(0x7e), W_(0x38), 1, 0, 0x43e00000);
    CORNER("gfx1201", "v_wmma_f32_16x16x16_bf8_fp8", W_(0x7c), W_(0x38), 1, 0, 0x7f800000);
    CORNER("gfx1201", "v_wmma_f32_16x16x16_bf8_fp8", W_(0x7d), W_(0x38), 1, 0, 0x7fc00000);
    CORNER("gfx1201", "v_wmma_f32_16x16x16_bf8_fp8", W_(1), W_(1), 1, 0, 0x33000000);
    CORNER("gfx1250", "v_wmma_f32_16x16x128_fp8_fp8", W_(0x7f), W_(0x38), 1, 0, 0x7fc00000);
    CORNER("gfx1250", "v_wmma_f32_16x16x128_fp8_bf8", W_(0x7e), W_(0x3c), 1, 0, 0x43e00000);
    CORNER("gfx1250", "v_wmma_f32_16x16x64_bf8_fp8", W_(0x7c), W_(0x38), 1, 0, 0x7f800000);
    CORNER("gfx1250", "v_wmma_f32_16x16x64_bf8_fp8", W_(1), W_(1), 1, 0, 0x33000000);
    CORNER("gfx1250", "v_wmma_f32_16x16x32_f16", W_(1), W_(1), 1, 0, 0x27800000);
}

/* An element that sparse A does not name contributes nothing, an infinity in B neither. */
static void sparse_skips(void **state)
{
    /* v_smfmac_f32_16x16x32_f16 v[192:195], v[0:1], v[32:35], v100 */
    static const uint32_t w[] = {0xd3e200c0, 0x05924100};
    struct rig r;

    (void)state;
    rig_open(&r, "gfx942", 64);
    rig_v(&r, 100, 0, 0xffffffe4u); /* k 0 and 1, then 2 and 3 of the lane's second four */
    rig_v(&r, 0, 0, 0x3c003c00);
    rig_v(&r, 32, 0, 0x3c003c00); /* B(0..1, 0) = 1 */
    rig_v(&r, 33, 0, 0x7c007c00); /* B(2..3, 0) = infinity */
    rig_run(&r, w, 2);
    assert_int_equal(rig_getv(&r, 192, 0), 0x40000000);
    rig_close(&r);
}

static void constants(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gfx90a", 64);
    /* v_mfma_f32_4x4x1f32 v[192:195], v0, v1, 1.0; v_mfma_i32_4x4x4i8 v[192:195], v0, v1, -5 */
    rig_run(&r, (const uint32_t[]){0xd3c200c0, 0x03ca0300}, 2);
    assert_int_equal(rig_getv(&r, 195, 63), 0x3f800000);
    rig_run(&r, (const uint32_t[]){0xd3d200c0, 0x03160300}, 2);
    assert_int_equal(rig_getv(&r, 195, 63), (uint32_t)-5);
    /* v_mfma_f64_4x4x4f64 v[192:193], v[0:1], v[2:3], 2.0 */
    rig_run(&r, (const uint32_t[]){0xd3ef00c0, 0x03d20500}, 2);
    assert_int_equal(rig_getv(&r, 193, 17), 0x40000000);
    assert_int_equal(rig_getv(&r, 192, 17), 0);
    rig_close(&r);
    rig_open(&r, "gfx1201", 32);
    /* v_wmma_f16_16x16x16_f16 v[192:195], v[0:3], v[4:7], 1.0: every half */
    rig_run(&r, (const uint32_t[]){0xcc4240c0, 0x1bca0900}, 2);
    assert_int_equal(rig_getv(&r, 192, 31), 0x3c003c00);
    rig_close(&r);
}

/* --- around the arithmetic ------------------------------------------------------------------------------------------
 */

static void agpr_moves(void **state)
{
    static const char *const targets[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    struct rig r;

    (void)state;
    for (unsigned n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        rig_open(&r, targets[n], 64);
        for (unsigned l = 0; l < 64; l++)
            rig_v(&r, 4, l, 1000 + l);
        isa_set_exec(&r.w, UINT64_C(0xf0f0f0f0f0f0f0f0));
        /* v_accvgpr_write_b32 a3, v4; v_accvgpr_write_b32 a5, -1; v_accvgpr_read_b32 v1, a3; v_accvgpr_read_b32 v2, a5
         */
        rig_run(&r,
                (const uint32_t[]){0xd3d94003, 0x18000104, 0xd3d94005, 0x180000c1, 0xd3d84001, 0x18000103, 0xd3d84002,
                                   0x18000105},
                8);
        for (unsigned l = 0; l < 64; l++) {
            bool on = l & 4;
            assert_int_equal(rig_getv(&r, 1, l), on ? 1000 + l : 0);
            assert_int_equal(rig_getv(&r, 2, l), on ? 0xffffffff : 0);
            assert_int_equal(rig_getv(&r, 3, l), 0); /* v3 is not a3 */
        }
        if (n) {
            /* v_accvgpr_mov_b32 a7, a3; v_accvgpr_read_b32 v6, a7 */
            rig_run(&r, (const uint32_t[]){0x7e0ea503, 0xd3d84006, 0x18000107}, 3);
            assert_int_equal(rig_getv(&r, 6, 63), 1063);
        } else {
            assert_int_equal(rig_try(&r, (const uint32_t[]){0x7e0ea503}, 1), ISA_FAULT);
        }
        rig_close(&r);
    }
}

/* s_set_gpr_idx: AGPRs are indexed as VGPRs are. AMD's f4gemm of gfx950 stores its accumulators in a loop of indexed
 * v_accvgpr_read. */
static void agpr_index(void **state)
{
    static const char *const targets[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    struct rig r;

    (void)state;
    for (unsigned n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        rig_open(&r, targets[n], 64);
        r.w.s[0] = 2;
        for (unsigned k = 0; k < 16; k++)
            for (unsigned l = 0; l < 64; l++)
                r.w.acc[k * 64 + l] = 100 * k + l;
        rig_vall(&r, 4, 7777);
        /* s_set_gpr_idx_on s0, gpr_idx(SRC0); v_accvgpr_read_b32 v1, a3; s_set_gpr_idx_mode gpr_idx(DST);
         * v_accvgpr_write_b32 a5, v4; v_accvgpr_read_b32 v1, a3; s_set_gpr_idx_off; v_accvgpr_read_b32 v2, a3 */
        rig_run(&r,
                (const uint32_t[]){0xbf110100, 0xd3d84001, 0x18000103, 0xbf9d0008, 0xd3d94005, 0x18000104, 0xd3d84001,
                                   0x18000103, 0xbf9c0000, 0xd3d84002, 0x18000103},
                11);
        for (unsigned l = 0; l < 64; l++) {
            assert_int_equal(rig_getv(&r, 1, l), 500 + l); /* a[3 + 2] */
            assert_int_equal(rig_getv(&r, 2, l), 300 + l);
            assert_int_equal(rig_getv(&r, 3, l), 300 + l); /* v[1 + 2] = a3 */
            assert_int_equal(r.w.acc[5 * 64 + l], 500 + l);
            assert_int_equal(r.w.acc[7 * 64 + l], 7777); /* a[5 + 2] */
        }
        r.w.s[0] = 255;
        assert_int_equal(rig_try(&r, (const uint32_t[]){0xbf110100, 0xd3d84001, 0x18000103}, 3), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
        rig_close(&r);
    }
}

static void registers_past_the_end(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gfx90a", 64);
    r.w.nvgprs = 128;
    /* v_mfma_f32_32x32x1f32 v[112:143], v0, v1, v[0:31] */
    assert_int_equal(rig_try(&r, (const uint32_t[]){0xd3c00070, 0x04020300}, 2), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    assert_non_null(strstr(r.w.fault.text, "v143"));
    r.w.nvgprs = 256;
    r.w.nagprs = 16;
    /* the same into a[0:31] */
    assert_int_equal(rig_try(&r, (const uint32_t[]){0xd3c08000, 0x04020300}, 2), ISA_FAULT);
    assert_non_null(strstr(r.w.fault.text, "a31"));
    rig_close(&r);
}

static void not_in_wave64(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gfx1250", 64);
    /* v_wmma_f32_16x16x32_f16 v[0:7], v[8:15], v[16:23], v[0:7] */
    assert_int_equal(rig_try(&r, (const uint32_t[]){0xcc600000, 0x1c022108}, 2), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    assert_non_null(strstr(r.w.fault.text, "v_wmma_f32_16x16x32_f16 is an instruction of wave32"));
    rig_close(&r);
}

static void check_regs(const char *target, const uint32_t *w, unsigned lanes, const unsigned count[4])
{
    struct isa_target *t;
    struct isa_inst i;
    struct err e = {0};
    struct isa_regref refs[ISA_MAX_REGREFS];

    assert_int_equal(isa_target_open(&t, target, NULL, &e), 0);
    assert_int_equal(isa_decode(t, (const uint8_t *)w, 8, &i, NULL), 8);
    unsigned n = isa_inst_regs(t, &i, lanes, refs);
    assert_int_equal(n, 4);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(refs[k].count, count[k]);
    assert_true(refs[0].write);
    isa_target_close(t);
}

/* What the scoreboard receives, and passes, which are in the row for the timing of each. */
static void registers_and_passes(void **state)
{
    struct isa_target *t;
    struct isa_inst i;
    struct err e = {0};

    (void)state;
    check_regs("gfx90a", (const uint32_t[]){0xd3c08000, 0x04020300}, 64, (const unsigned[]){32, 1, 1, 32});
    check_regs("gfx1100", (const uint32_t[]){0xcc404000, 0x1c022108}, 32, (const unsigned[]){8, 8, 8, 8});
    check_regs("gfx1100", (const uint32_t[]){0xcc404000, 0x1c022108}, 64, (const unsigned[]){4, 8, 8, 4});
    check_regs("gfx1201", (const uint32_t[]){0xcc404000, 0x1c022108}, 32, (const unsigned[]){8, 4, 4, 8});
    check_regs("gfx1201", (const uint32_t[]){0xcc404000, 0x1c022108}, 64, (const unsigned[]){4, 2, 2, 4});
    check_regs("gfx1250", (const uint32_t[]){0xcc640000, 0x1c022108}, 32, (const unsigned[]){4, 8, 8, 8});
    for (unsigned k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        struct bench b = {.s = &shapes[k], .acc = 4};
        uint32_t w[2];
        words(&b, w);
        assert_int_equal(isa_target_open(&t, shapes[k].target, NULL, &e), 0);
        assert_int_equal(isa_decode(t, (const uint8_t *)w, 8, &i, NULL), 8);
        assert_string_equal(i.mnemonic, shapes[k].name);
        assert_non_null(i.row->mat);
        assert_int_equal(i.row->mat->passes, shapes[k].passes);
        assert_int_equal(i.row->cls, cdna(&shapes[k]) ? OPC_MFMA : OPC_WMMA);
        isa_target_close(t);
    }
}

static void text_is(const char *target, uint32_t w0, uint32_t w1, const char *want)
{
    struct isa_target *t;
    struct isa_inst i;
    struct err e = {0};
    char buf[256];
    uint32_t w[2] = {w0, w1};

    assert_int_equal(isa_target_open(&t, target, NULL, &e), 0);
    if (want) {
        assert_int_equal(isa_decode(t, (const uint8_t *)w, 8, &i, NULL), 8);
        isa_text(t, &i, buf, sizeof buf);
        assert_string_equal(buf, want);
    } else {
        assert_int_equal(isa_decode(t, (const uint8_t *)w, 8, &i, NULL), 0);
    }
    isa_target_close(t);
}

/* as llvm-mc-19 disassembles them */
static void text(void **state)
{
    (void)state;
    text_is("gfx908", 0xd3c08a00, 0x4c020300, "v_mfma_f32_32x32x1f32 a[0:31], a0, v1, a[0:31] cbsz:2 abid:1 blgp:2");
    text_is("gfx90a", 0xd3c00000, 0x04020300, "v_mfma_f32_32x32x1f32 v[0:31], v0, v1, v[0:31]");
    text_is("gfx90a", 0xd3ee8a00, 0x03e20500,
            "v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], 0.15915494309189532 "
            "cbsz:2 abid:1");
    text_is("gfx942", 0xd3ee8a00, 0xe4120500,
            "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[4:11] cbsz:2 abid:1 "
            "neg:[1,1,1]");
    text_is("gfx942", 0xd3e20a00, 0x0c220500, "v_smfmac_f32_16x16x32_f16 v[0:3], a[0:1], v[2:5], v8 cbsz:2 abid:1");
    text_is("gfx1100", 0xcc427a00, 0x1c022108,
            "v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] op_sel:[1,1,1] neg_hi:[0,1,0]");
    text_is("gfx1200", 0xcc504800, 0x1c022108, "v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[16:23], v0 index_key:1");
    /* an SGPR or a constant where only vector registers go; modifiers that are not there */
    text_is("gfx90a", 0xd3c00000, 0x04020304 & ~0x100u,
            "v_mfma_f32_32x32x1f32 v[0:31], s4/*Invalid register, operand has 'AV_32' register class*/, v1, v[0:31]");
    text_is("gfx90a", 0xd3c00000, 0x00120300,
            "v_mfma_f32_32x32x1f32 v[0:31], v0, v1, s4/*Invalid register, operand has 'VReg_1024' register class*/");
    text_is("gfx942", 0xd3e20a00, 0xe4220500, NULL);
    text_is("gfx1200", 0xcc40c000, 0x1c022108, NULL);
    text_is("gfx1200", 0xcc404800, 0x1c022108, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction),
        cmocka_unit_test(cbsz_and_abid),
        cmocka_unit_test(blgp),
        cmocka_unit_test(f64_neg),
        cmocka_unit_test(agpr_operands),
        cmocka_unit_test(integer_signs),
        cmocka_unit_test(float_negs),
        cmocka_unit_test(high_halves),
        cmocka_unit_test(floats),
        cmocka_unit_test(small_floats),
        cmocka_unit_test(sparse_skips),
        cmocka_unit_test(constants),
        cmocka_unit_test(agpr_moves),
        cmocka_unit_test(agpr_index),
        cmocka_unit_test(registers_past_the_end),
        cmocka_unit_test(not_in_wave64),
        cmocka_unit_test(registers_and_passes),
        cmocka_unit_test(text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
