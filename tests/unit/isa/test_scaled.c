/* Every v_cvt_scalef32_* of gfx950 against a search through all values of the small format (small_floats.h), in long
 * double: every code widened at many scales to f32, f16 and bf16, and numbers of all kinds narrowed, to the nearest or
 * with a random number, into every byte or half that op_sel chooses; and LDS reads that transpose, against the matrix
 * that they read. What an instruction does is read from its name, which tests/golden/test_decode.c compares with
 * LLVM's.
 */
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/scaled_numbers.h"

enum { D = 0, A = 64, B = 128, C = 192, LANES = 64 };

struct picks {
    unsigned op_sel, neg, abs;
    int scale;
    bool saturate;
};

static void check_narrow(const struct rig *r, const char *name, const struct conversion *c, const struct picks *p,
                         const uint32_t *old, unsigned l)
{
    const unsigned total = c->count * c->small->bits, wide = c->wide->bits, sign = 1u << (wide - 1);
    const unsigned at = total == 8 ? 8 * (p->op_sel >> 2) : total == 16 ? 16 * (p->op_sel >> 3) : 0;
    const int more = (int)c->wide->mantissa - (int)c->small->mantissa;
    uint32_t seed = rig_getv(r, B, l), got[6], source[32];
    const bool two = c->count == 2 && wide == 32 && !c->random;

    for (unsigned n = 0; n < 6; n++)
        got[n] = rig_getv(r, D + n, l);
    for (unsigned n = 0; n < 32; n++)
        source[n] = rig_getv(r, A + n, l);
    for (unsigned k = 0; k < c->count; k++) {
        uint32_t v = c->turns ? rig_getv(r, (k & 1 ? B : A) + k / 2, l)
                     : two    ? rig_getv(r, k ? B : A, l)
                              : bits_at(source, k * wide, wide);
        unsigned which = two ? k : 0;
        v = (p->abs >> which & 1 ? v & ~sign : v) ^ (p->neg >> which & 1 ? sign : 0);
        long double x = p->scale == 255 ? copysignl((long double)NAN, v & sign ? -1.0L : 1.0L)
                                        : ldexpl(wide_value(c->wide, v), 127 - p->scale);
        if (isnan(x))
            x = copysignl((long double)NAN, v & sign ? -1.0L : 1.0L);
        long double random = c->random ? ldexpl((long double)(seed >> (32 - more)), -more) : -1;
        unsigned want = narrowed(c->small, x, random, p->saturate);
        unsigned have = bits_at(got, at + k * c->small->bits, c->small->bits);
        if (want != have)
            fail_msg("%s lane %u number %u: 0x%x at scale %d (seed 0x%x) became 0x%x, expected 0x%x", name, l, k, v,
                     p->scale, seed, have, want);
        seed = seed << 1 ^ (seed >> 31 ? 197 : 0);
    }
    uint32_t mask = total >= 32 ? 0 : ~(((1u << total) - 1) << at);
    assert_int_equal(got[0] & mask, *old & mask);
}

static void check_widen(const struct rig *r, const char *name, const struct conversion *c, const struct picks *p,
                        const uint32_t *old, unsigned l)
{
    const unsigned total = c->count * c->small->bits, wide = c->wide->bits,
                   to = c->count * wide == 16 ? p->op_sel >> 3 : 0;
    const unsigned at = total == 8 ? 8 * (p->op_sel & 3) : total == 16 ? 16 * (p->op_sel & 1) : 0;
    uint32_t source[6], got[32];

    for (unsigned n = 0; n < 6; n++)
        source[n] = rig_getv(r, A + n, l);
    for (unsigned n = 0; n < 32; n++)
        got[n] = rig_getv(r, D + n, l);
    for (unsigned k = 0; k < c->count; k++) {
        unsigned code = bits_at(source, at + k * c->small->bits, c->small->bits);
        long double x = p->scale == 255 ? (long double)NAN : ldexpl(small_value(c->small, code), p->scale - 127);
        uint32_t have = bits_at(got, 16 * to + k * wide, wide);
        if (!is_nearest(c->wide, have, x))
            fail_msg("%s lane %u number %u: code 0x%x at scale %d became 0x%x, expected %Lg", name, l, k, code,
                     p->scale, have, x);
    }
    if (c->count * wide == 16)
        assert_int_equal(got[0] & (to ? 0xffffu : 0xffff0000u), *old & (to ? 0xffffu : 0xffff0000u));
}

/* One run, of which lanes 5 and 40 are off. The scale is the last operand; its sign and fraction mean nothing. */
static void run_once(struct rig *r, unsigned opcode, const char *name, const struct conversion *c,
                     const struct picks *p)
{
    const uint64_t exec = ~(UINT64_C(1) << 5 | UINT64_C(1) << 40);
    const bool three = c->narrows && (c->random || c->turns || (c->count == 2 && c->wide->bits == 32));
    uint32_t old[LANES];

    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned n = 0; n < 32; n++)
            rig_v(r, D + n, l, rnd());
        old[l] = rig_getv(r, D, l);
        for (unsigned n = 0; n < 32; n++) {
            uint32_t low = draw_wide(c, p->scale);
            rig_v(r, A + n, l, !c->narrows ? rnd() : c->wide->bits == 32 ? low : low | draw_wide(c, p->scale) << 16);
            rig_v(r, B + n, l, c->random ? rnd() : draw_wide(c, p->scale));
        }
        uint32_t scale = (uint32_t)p->scale << 23 | (rnd() & 0x807fffff);
        rig_v(r, three ? C : B, l, scale);
    }
    isa_set_exec(&r->w, exec);
    r->w.mode.fp16_ovfl = p->saturate;
    rig_run(r,
            (uint32_t[]){0xd0000000 | opcode << 16 | p->op_sel << 11 | p->abs << 8 | D,
                         (256 + A) | (256 + B) << 9 | (three ? 256u + C : 0) << 18 | (uint32_t)p->neg << 29},
            2);
    for (unsigned l = 0; l < LANES; l++)
        if (!(exec >> l & 1))
            assert_int_equal(rig_getv(r, D, l), old[l]);
        else if (c->narrows)
            check_narrow(r, name, c, p, &old[l], l);
        else
            check_widen(r, name, c, p, &old[l], l);
}

static void conversions(void **state)
{
    static const int scales[] = {127, 126, 128, 0, 1, 100, 112, 140, 200, 254, 255};
    struct rig r;
    unsigned names = 0;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned op = 0; op < r.t->op_count[FMT_VOP3]; op++) {
        const char *name = r.t->ops[FMT_VOP3][op].mnemonic;
        struct conversion c;
        if (!name || strncmp(name, "v_cvt_scalef32_", 15) != 0)
            continue;
        read_name(name, &c);
        names++;
        bool block = c.count == BLOCK, halves = c.narrows && c.count * c.small->bits == 16;
        for (unsigned k = 0; k < sizeof scales / sizeof scales[0]; k++)
            for (unsigned sel = 0; sel < (block ? 1u : 4u); sel++)
                for (unsigned saturate = 0; saturate < 2; saturate++) {
                    unsigned to = halves ? (sel & 1) << 3 : sel << 2;
                    unsigned from = c.count * c.small->bits == 16 ? (sel & 1) : sel;
                    bool half = c.wide->bits == 16 && c.count == 1;
                    struct picks p = {block       ? 0
                                      : c.narrows ? to
                                                  : from | (half ? (sel & 1) << 3 : 0),
                                      0, 0, scales[k], saturate};
                    if (c.narrows && !block && c.wide->bits == 32) {
                        p.neg = rnd() & 1;
                        p.abs = rnd() & 1;
                    }
                    if (c.wide->bits == 16 || c.random) /* modifiers of pairs are not for one of them */
                        p.neg = p.abs = 0;
                    run_once(&r, op, name, &c, &p);
                }
    }
    rig_close(&r);
    assert_int_equal(names, 49);
}

/* Every code, at every scale that leaves it a number. */
static void every_code(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned op = 0; op < r.t->op_count[FMT_VOP3]; op++) {
        const char *name = r.t->ops[FMT_VOP3][op].mnemonic;
        struct conversion c;
        if (!name || strncmp(name, "v_cvt_scalef32_", 15) != 0)
            continue;
        read_name(name, &c);
        if (c.narrows)
            continue;
        unsigned codes = 1u << c.small->bits, each = c.count == BLOCK ? BLOCK : c.count;
        for (int scale = 0; scale < 256; scale += 5)
            for (unsigned from = 0; from < codes; from += LANES * each) {
                struct picks p = {0, 0, 0, scale, false};
                for (unsigned l = 0; l < LANES; l++) {
                    uint32_t words[6] = {0};
                    for (unsigned k = 0; k < each; k++)
                        for (unsigned bit = 0; bit < c.small->bits; bit++) {
                            unsigned at = k * c.small->bits + bit, code = (from + l * each + k) % codes;
                            words[at / 32] |= (code >> bit & 1) << at % 32;
                        }
                    for (unsigned n = 0; n < 6; n++)
                        rig_v(&r, A + n, l, words[n]);
                    rig_v(&r, B, l, (uint32_t)scale << 23);
                }
                isa_set_exec(&r.w, ~UINT64_C(0));
                rig_run(&r, (uint32_t[]){0xd0000000 | op << 16 | D, (256 + A) | (256 + B) << 9}, 2);
                for (unsigned l = 0; l < LANES; l++) {
                    uint32_t old = rig_getv(&r, D, l);
                    check_widen(&r, name, &c, &p, &old, l);
                }
            }
    }
    rig_close(&r);
}

/* --- transposing LDS reads ---------------------------------------------------------------------------------------- */

/* Each 16 lanes read a matrix of sixteen columns that lies in LDS row by row (k by k), 64 or 96 bits a lane; lane m of
 * them gets column m, k by k. */
static void transposes(void **state)
{
    static const struct {
        const char *name;
        unsigned bits, bytes;
    } reads[] = {{"ds_read_b64_tr_b4", 4, 8},
                 {"ds_read_b96_tr_b6", 6, 12},
                 {"ds_read_b64_tr_b8", 8, 8},
                 {"ds_read_b64_tr_b16", 16, 8}};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned k = 0; k < sizeof reads / sizeof reads[0]; k++) {
        const unsigned bits = reads[k].bits, rows = reads[k].bytes * 8 / bits, offset = 24;
        unsigned op = 0;
        while (!r.t->ops[FMT_DS][op].row || strcmp(r.t->ops[FMT_DS][op].mnemonic, reads[k].name))
            op++;
        for (unsigned n = 0; n < 4096; n++)
            r.lds[n] = (uint8_t)rnd();
        for (unsigned l = 0; l < LANES; l++) {
            rig_v(&r, A, l, l / 16 * 512 + l % 16 * reads[k].bytes);
            for (unsigned n = 0; n < 3; n++)
                rig_v(&r, D + n, l, 0xdeadbeef);
        }
        isa_set_exec(&r.w, ~UINT64_C(0));
        rig_run(&r, (uint32_t[]){0xd8000000 | op << 17 | offset, A | (uint32_t)D << 24}, 2);
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t got[3], matrix[64];
            memcpy(matrix, r.lds + offset + l / 16 * 512, sizeof matrix);
            for (unsigned n = 0; n < 3; n++)
                got[n] = rig_getv(&r, D + n, l);
            for (unsigned row = 0; row < rows; row++) {
                unsigned have = bits_at(got, row * bits, bits),
                         want = bits_at(matrix, (row * 16 + l % 16) * bits, bits);
                if (have != want)
                    fail_msg("%s lane %u row %u: 0x%x, expected 0x%x", reads[k].name, l, row, have, want);
            }
            if (reads[k].bytes == 8)
                assert_int_equal(got[2], 0xdeadbeef);
        }
    }
    rig_close(&r);
}

/* Buffer loads of three and four dwords to LDS: a lane's stand together, one lane after another from M0 on. */
static void wide_loads_to_lds(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx950", 64);
    for (unsigned dwords = 3; dwords <= 4; dwords++) {
        unsigned op = 0;
        while (!r.t->ops[FMT_MUBUF][op].row ||
               strcmp(r.t->ops[FMT_MUBUF][op].mnemonic, dwords == 3 ? "buffer_load_dwordx3" : "buffer_load_dwordx4"))
            op++;
        for (unsigned n = 0; n < 65536; n++)
            r.mem[n] = (uint8_t)rnd();
        memset(r.lds, 0, 65536);
        r.w.s[8] = (uint32_t)RIG_MEM;
        r.w.s[9] = (uint32_t)(RIG_MEM >> 32);
        r.w.s[10] = 65536;
        r.w.s[11] = 0;
        r.w.s[r.t->code_m0] = 0x200;
        for (unsigned l = 0; l < LANES; l++)
            rig_v(&r, A, l, (l * 37 % 64) * 16);
        isa_set_exec(&r.w, ~(UINT64_C(1) << 7));
        /* offen, lds, offset 64; soffset 0 */
        rig_run(&r, (uint32_t[]){0xe0000000 | op << 18 | 1u << 16 | 1u << 12 | 64, A | 2u << 16 | 128u << 24}, 2);
        for (unsigned l = 0; l < LANES; l++) {
            static const uint8_t nothing[16];
            const uint8_t *want = l == 7 ? nothing : r.mem + 64 + (l * 37 % 64) * 16;
            assert_memory_equal(r.lds + 0x200 + 64 + l * 4 * dwords, want, 4 * dwords);
        }
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions),
        cmocka_unit_test(every_code),
        cmocka_unit_test(transposes),
        cmocka_unit_test(wide_loads_to_lds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
