/* What a row does for 32 active lanes at once beside what its body does lane by lane, of the rows that have loops of
 * their own for it, in each build of the lane loops. GCNSIM_WHOLE_ROWS=1: functions of all floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/lanes/lanes.h"
#include "isa/variant.h"

static const char *const variants[] = {"base", "avx2", "avx512"};
static const struct isa_mode usual = {.denorm32 = 3, .denorm64 = 3, .ieee = true, .dx10_clamp = true};

static const struct isa_row *row_named(const char *variant, const char *name)
{
    const struct isa_variant *v = isa_variant_find(variant);
    size_t count = 0;
    const struct isa_row *rows = v ? v->rows(&count) : NULL;

    for (size_t k = 0; k < count; k++)
        if (!strcmp(rows[k].name, name))
            return &rows[k];
    if (v)
        fail_msg("%s: no such row", name);
    return NULL;
}

struct values {
    _Alignas(64) uint32_t s[3][32];
};

/* The upper halves of the old result stay where the result has 16 bits. */
static void compare(const char *variant, const struct isa_row *row, const struct values *v, struct isa_mode mode)
{
    _Alignas(64) uint32_t got[32], want[32], mask[32];
    struct lane_args L = {.d = want, .s = {v->s[0], v->s[1], v->s[2]}, .mask = mask, .keep = 0xffff0000u, .n = 32};

    L.mode = mode;
    memset(mask, 0xff, sizeof mask);
    for (unsigned l = 0; l < 32; l++)
        got[l] = want[l] = 0x5a5a0000u + l;
    row->lanes(&L);
    row->whole(got, v->s[0], v->s[1], v->s[2], &mode, 0);
    for (unsigned l = 0; l < 32; l++)
        if (got[l] != want[l])
            fail_msg("%s, %s of 0x%08x, 0x%08x, 0x%08x: 0x%08x at once, 0x%08x by itself", row->name, variant,
                     v->s[0][l], v->s[1][l], v->s[2][l], got[l], want[l]);
}

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Halves at which something changes: zeros, denormals, powers of two and their neighbours, the largest, infinities; a
 * NaN in one case of some, because it has all 32 lanes go the long way. */
static uint32_t half(uint64_t *state, bool nan)
{
    static const uint16_t corner[] = {0,      1,      2,      0x3ff,  0x400,  0x401,  0x3bff, 0x3c00,
                                      0x3c01, 0x0fff, 0x1000, 0x1001, 0x7bff, 0x7bfe, 0x7800, 0x7c00};
    uint32_t r = next(state), h = r & 7 ? r >> 8 & 0xffff : corner[r >> 8 & 15] | (r >> 16 & 0x8000);

    return !nan && (h & 0x7fff) > 0x7c00 ? h & 0xfbff : h;
}

static void words_of_halves(void **state)
{
    static const char *const names[] = {
        "v_add_f16",        "v_sub_f16",      "v_subrev_f16",  "v_mul_f16",        "v_fma_f16",
        "v_fmac_f16",       "v_fmamk_f16",    "v_fmaak_f16",   "v_fma_legacy_f16", "v_pk_add_f16",
        "v_pk_mul_f16",     "v_pk_fma_f16",   "v_pk_fmac_f16", "v_mad_f16",        "v_dot2_f16_f16",
        "v_mac_f16",        "v_madmk_f16",    "v_ldexp_f16",   "v_min_f16",        "v_max_f16_rdna3",
        "v_min3_f16",       "v_max3_num_f16", "v_med3_f16",    "v_med3_num_f16",   "v_minmax_f16",
        "v_maxmin_num_f16", "v_minimum_f16",  "v_pk_min_f16",  "v_pk_max_num_f16", "v_pk_maximum3_f16"};
    uint64_t seed = 1;

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);

            for (unsigned times = 0; row && times < 40000; times++) {
                struct values v;
                struct isa_mode mode = usual;

                mode.fp16_ovfl = times % 16 == 15;
                for (unsigned l = 0; l < 96; l++)
                    v.s[l / 32][l % 32] = half(&seed, times % 8 == 0) | half(&seed, times % 8 == 0) << 16;
                compare(variants[n], row, &v, mode);
            }
        }
}

/* Each half with each power of two and its neighbours: ties of sums are among them. */
static void ties_of_sums(void **state)
{
    static const char *const names[] = {"v_add_f16", "v_fma_f16"};

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);

            for (uint32_t a = 0; row && a < 0x10000; a += 32)
                for (uint32_t exponent = 0; exponent < 62; exponent += 3) {
                    struct values v;

                    for (unsigned l = 0; l < 32; l++) {
                        v.s[0][l] = a + l;
                        v.s[1][l] = k ? 0x3c01 + (exponent << 4) % 0x400
                                      : (exponent / 2 << 10) + (exponent & 1 ? 0x3ff : l % 3);
                        v.s[2][l] = (exponent / 2 << 10) + l % 5 + (l & 8 ? 0x8000 : 0);
                    }
                    compare(variants[n], row, &v, usual);
                }
        }
}

/* Sums of products: mode.neg says which sources are signed where it says anything. */
static void dot_products(void **state)
{
    static const char *const names[] = {"v_dot2_i32_i16",  "v_dot2_u32_u16", "v_dot4_i32_i8",  "v_dot4_u32_u8",
                                        "v_dot8_i32_i4",   "v_dot8_u32_u4",  "v_dot4_i32_iu8", "v_dot8_i32_iu4",
                                        "v_dot2c_i32_i16", "v_dot4c_i32_i8", "v_dot8c_i32_i4", "v_dot2_f32_f16"};
    static const uint32_t corner[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x88888888, 1};
    uint64_t seed = 7;

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);

            for (unsigned times = 0; row && times < 4000; times++) {
                struct values v;
                struct isa_mode mode = usual;

                mode.neg = strstr(names[k], "iu") ? times & 3 : 0;
                for (unsigned l = 0; l < 96; l++) {
                    uint32_t r = next(&seed);
                    v.s[l / 32][l % 32] = r & 3 ? r << 2 ^ next(&seed) : corner[r >> 2 & 7];
                }
                compare(variants[n], row, &v, mode);
            }
        }
}

static void functions_of_floats(void **state)
{
    static const char *const names[] = {"v_cvt_f16_f32", "v_cvt_pkrtz_f16_f32", "v_exp_f32",
                                        "v_log_f32",     "v_rsq_f32",           "v_sin_f32",
                                        "v_cos_f32",     "v_cvt_pk_fp8_f32",    "v_cvt_pk_bf8_f32_fnuz"};
    const uint64_t step = getenv("GCNSIM_WHOLE_ROWS") ? 32 : 32 * 251;

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);

            for (uint64_t a = 0; row && a < UINT64_C(1) << 32; a += step) {
                struct values v = {0};
                struct isa_mode mode = usual;

                mode.fp16_ovfl = a >> 5 & 1;
                for (unsigned l = 0; l < 32; l++) {
                    v.s[0][l] = (uint32_t)a + l;
                    v.s[1][l] = (uint32_t)a * 0x9e3779b9u + l * 0x10000u;
                }
                compare(variants[n], row, &v, mode);
            }
        }
}

/* Twice, since the first time fills tables; and where FP16_OVFL has other results than those. */
static void functions_of_halves(void **state)
{
    static const char *const names[] = {"v_floor_f16",   "v_ceil_f16",    "v_trunc_f16", "v_rndne_f16", "v_fract_f16",
                                        "v_cvt_f16_u16", "v_cvt_f16_i16", "v_rcp_f16",   "v_sqrt_f16",  "v_rsq_f16",
                                        "v_log_f16",     "v_exp_f16",     "v_sin_f16",   "v_cos_f16"};

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);

            for (uint32_t a = 0; row && a < 3 * 0x10000; a += 32) {
                struct values v = {0};
                struct isa_mode mode = usual;

                mode.fp16_ovfl = a >> 16 == 1;
                for (unsigned l = 0; l < 32; l++)
                    v.s[0][l] = ((a + l) & 0xffff) | l << 20;
                compare(variants[n], row, &v, mode);
            }
        }
}

/* Minima, maxima and medians of numbers, zeros of both signs among them, and some NaN; bytes by selectors. */
static void words_of_32_bits(void **state)
{
    static const char *const names[] = {
        "v_min_f32",      "v_max_f32",        "v_min3_f32",     "v_max3_f32",           "v_med3_f32",
        "v_min_f32_gfx8", "v_med3_f32_rdna3", "v_minmax_f32",   "v_maxmin_f32",         "v_min_num_f32",
        "v_med3_num_f32", "v_minimum_f32",    "v_maximum3_f32", "v_minimummaximum_f32", "v_perm_b32"};
    static const uint32_t corner[] = {0, 0x80000000, 1, 0x80000001, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000};
    uint64_t seed = 3;

    (void)state;
    for (size_t n = 0; n < sizeof variants / sizeof *variants; n++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct isa_row *row = row_named(variants[n], names[k]);
            bool bytes = !strcmp(names[k], "v_perm_b32");

            for (unsigned times = 0; row && times < 20000; times++) {
                struct values v;

                for (unsigned l = 0; l < 96; l++) {
                    uint32_t r = next(&seed), u = r & 3 ? corner[r >> 2 & 7] : next(&seed) * 2;
                    if ((u & 0x7fffffff) > 0x7f800000 && times % 4)
                        u &= 0xff7fffff;
                    v.s[l / 32][l % 32] = u;
                }
                for (unsigned l = 0; l < 32 && bytes; l++) {
                    uint32_t sel = next(&seed) & (times % 4 ? 0x07070707 : times % 8 ? 0x0f0f0f0f : 0xffffffff);
                    v.s[0][l] = next(&seed) * 3;
                    v.s[1][l] = next(&seed) * 5;
                    v.s[2][l] = next(&seed) & 1 ? sel : (sel & 0xffff00ff) | 0x0c00;
                }
                compare(variants[n], row, &v, usual);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_halves),     cmocka_unit_test(ties_of_sums),
        cmocka_unit_test(dot_products),        cmocka_unit_test(functions_of_floats),
        cmocka_unit_test(functions_of_halves), cmocka_unit_test(words_of_32_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
