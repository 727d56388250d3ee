/* Compares: every relation on every type against its definition, v_cmpx, classes, masks of both wave sizes. */
#include <math.h>

#include "isa/lanes/lanes.h"
#include "tests/unit/isa/lanes_check.h"

enum { LT = 1, EQ = 2, GT = 4, UN = 8 }; /* how two values may stand to each other */

struct relation {
    const char *name;
    unsigned holds;
};
static const struct relation float_relations[] = {{"f", 0},
                                                  {"lt", LT},
                                                  {"eq", EQ},
                                                  {"le", LT | EQ},
                                                  {"gt", GT},
                                                  {"lg", LT | GT},
                                                  {"ge", GT | EQ},
                                                  {"o", LT | EQ | GT},
                                                  {"u", UN},
                                                  {"nge", UN | LT},
                                                  {"nlg", UN | EQ},
                                                  {"ngt", UN | LT | EQ},
                                                  {"nle", UN | GT},
                                                  {"neq", UN | LT | GT},
                                                  {"nlt", UN | EQ | GT},
                                                  {"tru", 15}};
static const struct relation int_relations[] = {{"f", 0},   {"lt", LT},      {"eq", EQ},      {"le", LT | EQ},
                                                {"gt", GT}, {"ne", LT | GT}, {"ge", GT | EQ}, {"t", 15}};

static unsigned stands(char kind, unsigned bits, uint64_t a, uint64_t b)
{
    if (kind == 'u')
        return a < b ? LT : a == b ? EQ : GT;
    if (kind == 'i') {
        int64_t x = (int64_t)(a << (64 - bits)), y = (int64_t)(b << (64 - bits));
        return x < y ? LT : x == y ? EQ : GT;
    }
    /* as sign and magnitude, so that no float unit is asked */
    uint64_t sign = UINT64_C(1) << (bits - 1), inf = bits == 16   ? 0x7c00
                                                     : bits == 32 ? 0x7f800000
                                                                  : UINT64_C(0x7ff0000000000000);
    uint64_t ma = a & (sign - 1), mb = b & (sign - 1);
    if (ma > inf || mb > inf)
        return UN;
    int64_t x = a & sign ? -(int64_t)ma : (int64_t)ma, y = b & sign ? -(int64_t)mb : (int64_t)mb;
    return x < y ? LT : x == y ? EQ : GT;
}

static uint64_t value(char kind, unsigned bits, uint32_t *seed)
{
    static const uint64_t f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x7f800001, 1,          0x80000001};
    static const uint64_t f16[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 1, 0x8001};
    uint32_t pick = next_random(seed) % 14;

    if (pick >= 10)
        return (next_random(seed) | (uint64_t)next_random(seed) << 32) &
               (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
    if (kind != 'f')
        return (pick < 5 ? (UINT64_C(1) << (bits - 1)) - 2 + pick : pick - 6 + (uint64_t)0) &
               (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
    if (bits == 64)
        return (f32[pick] & 0xfff00000) == 0x7f800000 || (f32[pick] & 0x7f800000) == 0x7f800000
                   ? (f32[pick] >> 31 << 63) | UINT64_C(0x7ff0000000000000) | (f32[pick] & 0x7fffff)
                   : f32[pick] << 32;
    return bits == 32 ? f32[pick] : f16[pick];
}

/* The VOPC opcode is found by name in the target's own table, so that all of them run without an assembler. */
static unsigned opcode_of(const struct isa_target *t, const char *name)
{
    for (unsigned k = 0; k < t->op_count[FMT_VOPC]; k++)
        if (t->ops[FMT_VOPC][k].row && !strcmp(t->ops[FMT_VOPC][k].mnemonic, name))
            return k;
    return ~0u;
}

static void one_compare(struct rig *r, const char *name, unsigned holds, char kind, unsigned bits, bool cmpx)
{
    bool cmpx_vcc = cmpx && !isa_has(r->t, FEAT_CMPX_EXEC_ONLY);
    unsigned op = opcode_of(r->t, name), lanes = r->w.lanes;
    uint32_t seed = 1 + holds * 7 + bits;
    uint64_t want = 0, exec = (next_random(&seed) | UINT64_C(0x8000000100000001)) & lane_mask(lanes);

    assert_int_not_equal(op, ~0u);
    isa_set_exec(&r->w, exec);
    r->w.s[CODE_VCC_LO] = 0x13579bdf;
    r->w.s[CODE_VCC_HI] = 0x2468ace0;
    for (unsigned l = 0; l < lanes; l++) {
        uint64_t a = value(kind, bits, &seed), b = l % 5 == 0 ? a : value(kind, bits, &seed);
        uint32_t junk = bits == 16 ? 0xabcd0000 : 0;
        rig_v(r, 2, l, (uint32_t)a | junk);
        rig_v(r, 3, l, (uint32_t)(a >> 32));
        rig_v(r, 4, l, (uint32_t)b);
        rig_v(r, 5, l, (uint32_t)(b >> 32));
        want |= (uint64_t)((holds & stands(kind, bits, a, b)) != 0) << l;
    }
    want &= exec;
    uint32_t word = 0x7c000000 | op << 17 | 4 << 9 | (256 + 2); /* v_cmp VCC, v[2:3], v[4:5] */
    rig_run(r, &word, 1);
    uint64_t vcc = r->w.s[CODE_VCC_LO] | (lanes == 64 ? (uint64_t)r->w.s[CODE_VCC_HI] << 32 : 0);
    if (!cmpx || cmpx_vcc) {
        if (vcc != want)
            fail_msg("%s %s gave %llx, expected %llx", r->t->name, name, (unsigned long long)vcc,
                     (unsigned long long)want);
    } else {
        assert_int_equal(r->w.s[CODE_VCC_LO], 0x13579bdf);
    }
    if (lanes == 32)
        assert_int_equal(r->w.s[CODE_VCC_HI], 0x2468ace0);
    assert_true(r->w.exec == (cmpx ? want : exec));
}

static void all_relations(const char *target, unsigned lanes)
{
    static const struct {
        char kind;
        unsigned bits;
    } types[] = {{'f', 32}, {'f', 16}, {'f', 64}, {'i', 32}, {'u', 32}, {'i', 16}, {'u', 16}, {'i', 64}, {'u', 64}};
    struct rig r;
    unsigned done = 0;

    rig_open(&r, target, lanes);
    for (unsigned t = 0; t < sizeof types / sizeof types[0]; t++) {
        const struct relation *rel = types[t].kind == 'f' ? float_relations : int_relations;
        unsigned n = types[t].kind == 'f' ? 16 : 8;
        for (unsigned k = 0; k < 2 * n; k++) {
            char name[40];
            snprintf(name, sizeof name, "v_cmp%s_%s_%c%u", k >= n ? "x" : "", rel[k % n].name, types[t].kind,
                     types[t].bits);
            bool always = rel[k % n].holds == 0 || rel[k % n].holds == 15;
            if (always && opcode_of(r.t, name) == ~0u)
                continue; /* not every target has the constant ones */
            one_compare(&r, name, rel[k % n].holds, types[t].kind, types[t].bits, k >= n);
            done++;
        }
    }
    assert_true(done >= 156);
    rig_close(&r);
}

static void relations(void **state)
{
    (void)state;
    all_relations("gfx803", 64);
    all_relations("gfx90a", 64);
    all_relations("gfx1030", 32);
    all_relations("gfx1201", 32);
    all_relations("gfx1201", 64);
}

/* Class bits by one value of each class. */
static void classes(void **state)
{
    static const uint32_t f32[10] = {0x7f800001, 0xffc00000, 0xff800000, 0xbf800000, 0x80000001,
                                     0x80000000, 0,          1,          0x00800000, 0x7f800000};
    static const uint32_t f16[10] = {0x7c01, 0xfe00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x0400, 0x7c00};
    static const uint64_t f64[10] = {0x7ff0000000000001,
                                     0xfff8000000000000,
                                     0xfff0000000000000,
                                     0xbff0000000000000,
                                     0x8000000000000001,
                                     0x8000000000000000,
                                     0,
                                     0x000fffffffffffff,
                                     0x0010000000000000,
                                     0x7ff0000000000000};
    static const char *const names[] = {"v_cmp_class_f32", "v_cmp_class_f16", "v_cmp_class_f64"};
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1201"};
    struct rig r;

    (void)state;
    for (unsigned t = 0; t < 3; t++)
        for (unsigned k = 0; k < 3; k++) {
            rig_open(&r, targets[t], 64);
            isa_set_mode(&r.w, 0); /* flushing does not turn denormals into zeros here */
            for (unsigned bit = 0; bit < 10; bit++) {
                for (unsigned l = 0; l < 64; l++) {
                    uint64_t v = k == 0 ? f32[l % 10] : k == 1 ? f16[l % 10] : f64[l % 10];
                    rig_v(&r, 2, l, (uint32_t)v);
                    rig_v(&r, 3, l, (uint32_t)(v >> 32));
                    rig_v(&r, 4, l, 1u << bit);
                }
                uint32_t word = 0x7c000000 | opcode_of(r.t, names[k]) << 17 | 4 << 9 | (256 + 2);
                rig_run(&r, &word, 1);
                for (unsigned l = 0; l < 64; l++)
                    assert_int_equal(r.w.s[CODE_VCC_LO + l / 32] >> (l % 32) & 1, l % 10 == bit);
            }
            rig_close(&r);
        }
}

struct code {
    const char *target;
    const uint32_t *words;
    size_t n;
};

static void to_sgprs(void **state)
{
    struct rig r;
    struct code wide = {"gfx90a", W(0xd0c9000a, 0x00010b01) /* v_cmp_lt_u32_e64 s[10:11], v1, 5 */},
                narrow = {"gfx1201", W(0xd449000a, 0x00010b01) /* v_cmp_lt_u32_e64 s10, v1, 5 */},
                cmpx = {"gfx90a", W(0xd0d9000a, 0x00010b01) /* v_cmpx_lt_u32_e64 s[10:11], v1, 5 */},
                exec_only = {"gfx1201", W(0xd4c9007e, 0x00010b01) /* v_cmpx_lt_u32_e64 v1, 5 */},
                neg = {"gfx1201", W(0xd414010a, 0x20020501) /* v_cmp_gt_f32_e64 s10, -|v1|, v2 */},
                null = {"gfx1201", W(0xd449007c, 0x00010b01) /* v_cmp_lt_u32_e64 null, v1, 5 */};

    (void)state;
    rig_open(&r, wide.target, 64);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 1, l, l % 8);
    rig_run(&r, wide.words, (unsigned)wide.n);
    assert_int_equal(r.w.s[10], 0x1f1f1f1f);
    assert_int_equal(r.w.s[11], 0x1f1f1f1f);
    isa_set_exec(&r.w, UINT64_C(0xff000000000000f3));
    rig_run(&r, cmpx.words, (unsigned)cmpx.n);
    assert_int_equal(r.w.s[10], 0x13);
    assert_int_equal(r.w.s[11], 0x1f000000);
    assert_true(r.w.exec == UINT64_C(0x1f00000000000013));
    rig_close(&r);

    rig_open(&r, narrow.target, 32);
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 1, l, l % 8);
    r.w.s[11] = 99;
    rig_run(&r, narrow.words, (unsigned)narrow.n);
    assert_int_equal(r.w.s[10], 0x1f1f1f1f);
    assert_int_equal(r.w.s[11], 99);
    rig_run(&r, null.words, (unsigned)null.n);
    assert_int_equal(r.w.s[124], 0);
    rig_run(&r, exec_only.words, (unsigned)exec_only.n);
    assert_true(r.w.exec == 0x1f1f1f1f);
    rig_vall(&r, 1, 0x3f800000);
    rig_vall(&r, 2, 0xc0000000);
    rig_run(&r, neg.words, (unsigned)neg.n);
    assert_int_equal(r.w.s[10], 0x1f1f1f1f); /* -1 > -2 on the lanes that are on */
    rig_close(&r);
}

/* MODE's flushing reaches compares: a denormal equals zero. */
static void denormals(void **state)
{
    struct rig r;
    struct code op = {"gfx90a", W(0x7c840280) /* v_cmp_eq_f32_e32 vcc, 0, v1 */};

    (void)state;
    rig_open(&r, op.target, 64);
    rig_vall(&r, 1, 0x80000001);
    rig_run(&r, op.words, (unsigned)op.n);
    assert_int_equal(r.w.s[CODE_VCC_LO], 0);
    isa_set_mode(&r.w, 0xc0);
    rig_run(&r, op.words, (unsigned)op.n);
    assert_int_equal(r.w.s[CODE_VCC_LO], 0xffffffff);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations), cmocka_unit_test(classes),
                                       cmocka_unit_test(to_sgprs), cmocka_unit_test(denormals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
