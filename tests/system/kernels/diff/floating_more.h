/* Floats: algorithms, denormals, modifiers, bf16, mixed widths. Part of diff.c. */

/* Finite and of moderate size, with corners replaced. */
SHARED f32 tame(f32 v, f32 otherwise)
{
    f32 m = __builtin_fabsf(v);
    return m > 1e-6f && m < 1e6f ? v : otherwise;
}
SHARED f64 tame_d(f64 v, f64 otherwise)
{
    f64 m = __builtin_fabs(v);
    return m > 1e-9 && m < 1e9 ? v : otherwise;
}
SHARED f16 tame_h(f16 v, f16 otherwise)
{
    f16 m = v < 0 ? -v : v;
    return m > (f16)0.001f && m < (f16)500.0f ? v : otherwise;
}

#define MODIFIERS(name, T, I, P, FN)                                                                                   \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T a = I(0), b = I(1), c = I(2);                                                                                \
        T m = (T)__builtin_fabs##FN(a), n = (T)__builtin_fabs##FN(b);                                                  \
        P(-a + b);                                                                                                     \
        P(m + n);                                                                                                      \
        P(m - c);                                                                                                      \
        P(-m *b);                                                                                                      \
        P(m * -n);                                                                                                     \
        P((a + b) * (T)2);                                                                                             \
        P((a - b) * (T)4);                                                                                             \
        P((a + c) * (T)0.5);                                                                                           \
        P(-(a + b));                                                                                                   \
        P(-(m - n));                                                                                                   \
        PUT((m < n) | (-a < b) << 1 | (m >= -c) << 2 | (-m == c) << 3 | (n != m) << 4);                                \
        P(m < n ? -a : m);                                                                                             \
        P(a < (T)0 ? -a : a);                                                                                          \
        P(__builtin_copysign##FN(a, -b));                                                                              \
        P(__builtin_copysign##FN((T)1.5, a));                                                                          \
    }
MODIFIERS(f32_modifiers, f32, IF, PUTF, f)
MODIFIERS(f64_modifiers, f64, ID, PUTD, )
MODIFIERS(f16_modifiers, f16, IH, PUTH, f16)

KERNEL(f32_denormals)
{
    BEGIN;
    f32 a = __builtin_bit_cast(f32, IU(0) & 0x80ffffff), b = __builtin_bit_cast(f32, IU(1) & 0x80ffffff), c = IF(2);
    PUTF(a + b);
    PUTF(a - b);
    PUTF(a * 0.5f);
    PUTF(a * 3.0f + b);
    PUTF(__builtin_fmaf(a, 0.75f, b));
    PUTF(a * c);
    PUTF(a / 3.0f);
    PUTF(__builtin_sqrtf(__builtin_fabsf(a)));
    PUTF((f32)((f64)a * 0.3));
    PUTD((f64)a);
    PUT((a < b) | (a == b) << 1 | (a > 0) << 2);
    PUTF(a > b ? a : b);
    PUTF(__builtin_fabsf(a) + 0.0f);
    PUTF(__builtin_fmaxf(a, b) + 0.0f);
    PUTF(b / (a == 0 ? 1.0f : a));
}

KERNEL(f64_denormals)
{
    BEGIN;
    f64 a = __builtin_bit_cast(f64, IU64(0) & 0x801fffffffffffff),
        b = __builtin_bit_cast(f64, IU64(1) & 0x801fffffffffffff);
    PUTD(a + b);
    PUTD(a - b);
    PUTD(a * 0.5);
    PUTD(a * 3.0 + b);
    PUTD(__builtin_fma(a, 0.75, b));
    PUTD(a / 7.0);
    PUTD(__builtin_sqrt(__builtin_fabs(a)));
    PUTF((f32)(a * 1e290));
    PUT((a < b) | (a == b) << 1 | (a > 0) << 2);
    PUTD(b / (a == 0 ? 1.0 : a));
    PUTD(__builtin_ldexp(a, (i32)(IU(2) % 120)));
}

KERNEL(f16_denormals)
{
    BEGIN;
    f16 a = __builtin_bit_cast(f16, (u16)(IU(0) & 0x87ff)), b = __builtin_bit_cast(f16, (u16)(IU(1) & 0x87ff));
    PUTH(a + b);
    PUTH(a - b);
    PUTH(a * (f16)0.5f);
    PUTH(a * (f16)3.0f + b);
    PUTF((f32)a);
    PUTD((f64)b);
    PUTH((f16)((f32)a * 0.37f) + (f16)0);
    PUT((a < b) | (a == b) << 1 | (a > 0) << 2);
    PUTH(a / (f16)5);
}

KERNEL(f32_matrix3)
{
    BEGIN;
    f32 m[9], v[3], r[3];
    for (u32 i = 0; i < 9; i++)
        m[i] = tame(IF(i), 0.25f * (f32)i);
    for (u32 i = 0; i < 3; i++)
        v[i] = tame(IF(i + 10), 1.5f);
    for (u32 i = 0; i < 3; i++)
        r[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
    for (u32 i = 0; i < 3; i++)
        PUTF(r[i]);
    f32 d =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    PUTF(d);
    f32 n = __builtin_sqrtf(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    PUTF(n);
    PUTF(r[0] / n);
}

KERNEL(f32_kahan)
{
    BEGIN;
    f32 s = 0, c = 0, plain = 0;
    for (u32 i = 0; i < 24; i++) {
        f32 y = tame(IF(i), 0.1f) - c, t = s + y;
        c = t - s - y;
        s = t;
        plain += tame(IF(i), 0.1f);
    }
    PUTF(s);
    PUTF(c);
    PUTF(plain);
}

#define MANDELBROT(name, T, P)                                                                                         \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T cx = (T)(gid % 20) * (T)0.15 - (T)2, cy = (T)(gid / 20) * (T)0.2 - (T)1, x = 0, y = 0;                       \
        u32 n = 0;                                                                                                     \
        while (n < 60 && x * x + y * y < (T)4) {                                                                       \
            T t = x * x - y * y + cx;                                                                                  \
            y = (T)2 * x * y + cy;                                                                                     \
            x = t;                                                                                                     \
            n++;                                                                                                       \
        }                                                                                                              \
        PUT(n);                                                                                                        \
        P(x);                                                                                                          \
        P(y);                                                                                                          \
    }
MANDELBROT(f32_mandelbrot, f32, PUTF)
MANDELBROT(f64_mandelbrot, f64, PUTD)
MANDELBROT(f16_mandelbrot, f16, PUTH)

KERNEL(f64_complex)
{
    BEGIN;
    f64 ar = tame_d(ID(0), 1.5), ai = tame_d(ID(1), -0.5), br = tame_d(ID(2), 3), bi = tame_d(ID(3), 0.125);
    PUTD(ar * br - ai * bi);
    PUTD(ar * bi + ai * br);
    f64 d = br * br + bi * bi;
    PUTD((ar * br + ai * bi) / d);
    PUTD((ai * br - ar * bi) / d);
    PUTD(__builtin_sqrt(ar * ar + ai * ai));
    f64 pr = 1, pi = 0;
    for (u32 i = 0; i < (IU(0) & 7); i++) {
        f64 t = pr * 0.5 * br - pi * bi;
        pi = pr * bi + pi * 0.5 * br;
        pr = t;
    }
    PUTD(pr);
    PUTD(pi);
}

KERNEL(f64_horner)
{
    BEGIN;
    static const f64 c[9] = {1, 1, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320};
    f64 x = tame_d(ID(0), 0.7), y = 0, z = 0;
    x = __builtin_fabs(x) < 8 ? x : 8 / x;
    for (u32 i = 9; i-- > 0;) {
        y = y * x + c[i];
        z = __builtin_fma(z, x, c[i]);
    }
    PUTD(y);
    PUTD(z);
    PUTD(y - z);
    PUTF((f32)y);
}

KERNEL(f32_quadratic)
{
    BEGIN;
    f32 a = tame(IF(0), 1.0f), b = tame(IF(1), -3.0f), c = tame(IF(2), 2.0f), d = b * b - 4 * a * c;
    if (d < 0) {
        PUTF(-b / (2 * a));
        PUTF(__builtin_sqrtf(-d) / (2 * a));
    } else {
        f32 q = -0.5f * (b + __builtin_copysignf(__builtin_sqrtf(d), b));
        PUTF(q / a);
        PUTF(q != 0 ? c / q : 0.0f);
    }
    PUTF(d);
}

KERNEL(f32_bit_tricks)
{
    BEGIN;
    f32 a = __builtin_fabsf(tame(IF(0), 2.0f));
    f32 y = __builtin_bit_cast(f32, 0x5f3759df - (__builtin_bit_cast(u32, a) >> 1));
    y = y * (1.5f - 0.5f * a * y * y);
    y = y * (1.5f - 0.5f * a * y * y);
    PUTF(y);
    u32 b = __builtin_bit_cast(u32, IF(1));
    PUT((i32)(b >> 23 & 0xff) - 127);
    PUT(b & 0x7fffff);
    PUT(b ^ ((i32)b < 0 ? ~0u : 0x80000000u));
    PUTF((IF(2) + 12582912.0f) - 12582912.0f);
    u64 d = __builtin_bit_cast(u64, ID(3));
    PUT((d >> 52 & 0x7ff) + (d >> 63) * 10000);
    PUT64(d & 0xfffffffffffff);
}

/* Each rounding of its own: double to float to half is not double to half. */
KERNEL(float_rounding_chain)
{
    BEGIN;
    f64 d = tame_d(ID(0), 0.3) * 1.000030517578125;
    d = __builtin_fabs(d) < 60000 ? d : 1.00048828125;
    f32 f = (f32)d;
    PUTF(f);
    PUTH((f16)f);
    PUTD((f64)(f16)f);
    PUTD((f64)f - d);
    PUTF((f32)(f16)f - f);
    PUTF((f32)(i32)f);
    PUTF((f32)((f64)f * (f64)f));
    PUTF((f32)(d * d + 1.0));
    i64 big = IS64(1);
    PUTF((f32)big);
    PUTD((f64)big);
    PUTF((f32)(f64)big);
    PUTF((f32)(u64)big);
    PUTD((f64)(f32)IU(2));
}

KERNEL(f16_to_int)
{
    BEGIN;
    f16 h = tame_h(IH(0), (f16)3.5f);
    PUT((i32)h);
    PUT((u32)(h < 0 ? -h : h));
    PUT64((i64)h);
    PUT64((u64)(h < 0 ? -h : h));
    PUT((i8)(h / (f16)5));
    PUT((u8)((h < 0 ? -h : h) / (f16)2));
    PUTH((f16)(IU64(1) & 0x7ff));
    PUTH((f16)(i64)(IS(2) >> 20));
    PUTH((f16)(u8)IU(3));
    PUTF((f32)(i32)h + (f32)h);
}

KERNEL(f16_loop)
{
    BEGIN;
    f16 x = tame_h(IH(0), (f16)0.7f), y = (f16)1, s = (f16)0;
    x = x < 2 && x > -2 ? x : (f16)1 / x;
    for (u32 i = 1; i < 9; i++) {
        y = y * x / (f16)i;
        s = s + y;
        if (s > (f16)3)
            s = s - (f16)2.5f;
    }
    PUTH(y);
    PUTH(s);
    PUT(s < y);
    f16 a[6];
    for (u32 i = 0; i < 6; i++)
        a[i] = tame_h(IH(i), (f16)i);
    for (u32 i = 0; i < 5; i++)
        for (u32 j = 0; j + 1 < 6 - i; j++)
            if (a[j] > a[j + 1]) {
                f16 t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (u32 i = 0; i < 6; i++)
        PUTH(a[i]);
}

typedef f16 f16x4 __attribute__((vector_size(8)));

KERNEL(f16_vectors)
{
    BEGIN;
    f16x4 a = ((GLOBAL const f16x4 *)(in + IN_F16))[gid % 250], b = ((GLOBAL const f16x4 *)(in + IN_F16))[gid % 99];
    f16x4 r[5] = {a + b, a * b, a - b * a, -a, __builtin_shufflevector(a, b, 1, 4, 3, 6) * b};
    for (u32 i = 0; i < 5; i++)
        for (u32 k = 0; k < 4; k++)
            PUTH(r[i][k]);
    f32x4 w = __builtin_convertvector(a, f32x4) * 1.5f + __builtin_convertvector(b, f32x4);
    for (u32 k = 0; k < 4; k++)
        PUTF(w[k]);
    a[gid & 3] = (f16)1;
    PUTH(a[gid >> 2 & 3]);
    i16x4 less = a < b;
    PUT64(__builtin_bit_cast(u64, less));
}

#define BF(k) __builtin_bit_cast(__bf16, (u16)(__builtin_bit_cast(u32, IF(k)) >> 16))
#define PUTB(v)                                                                                                        \
    do {                                                                                                               \
        __bf16 b_ = (v);                                                                                               \
        PUT(b_ != b_ ? 0x7fc0 : __builtin_bit_cast(u16, b_));                                                          \
    } while (0)

KERNEL(bf16_arith)
{
    BEGIN;
    __bf16 a = BF(0), b = BF(1), c = BF(2);
    PUTB(a + b);
    PUTB(a - b);
    PUTB(a * b + (__bf16)0.0f); /* clang 22 multiplies with v_fma_mixlo_bf16 and +0 on gfx1250: no -0 */
    PUTB(a * b + c);
    PUTB(a / b);
    PUTB(-a);
    PUT((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != c) << 3);
    PUTB(a < b ? a : b);
    __bf16 s = (__bf16)0.0f;
    for (u32 i = 0; i < 6; i++)
        s += (__bf16)tame(IF(i), 0.3f);
    PUTB(s);
}

KERNEL(bf16_convert)
{
    BEGIN;
    f32 a = IF(0);
    PUTB((__bf16)a);
    PUTF((f32)BF(1));
    PUTB((__bf16)tame(a, 0.7f));
    PUTB((__bf16)(tame(a, 0.7f) * 1.00390625f));
    PUT((i32)(__bf16)tame(IF(2), 3.0f));
    PUTF((f32)(__bf16)(f32)(IU(3) & 0xffff));
    PUTD((f64)BF(4));
    __bf16 v[4];
    for (u32 i = 0; i < 4; i++)
        v[i] = (__bf16)(tame(IF(i + 3), 1.0f) + 1.0f);
    PUTB(v[gid & 3]);
    PUTF((f32)v[0] * (f32)v[1] + (f32)v[2]);
}

KERNEL(float_mixed_fma)
{
    BEGIN;
    f16 h = IH(0), k = IH(1);
    f32 a = IF(2), b = IF(3);
    f64 d = ID(0);
    PUTF(__builtin_fmaf((f32)h, a, b));
    PUTF(__builtin_fmaf((f32)h, (f32)k, b));
    PUTF(__builtin_fmaf(-(f32)h, __builtin_fabsf((f32)k), (f32)h));
    PUTF((f32)h * (f32)k + a);
    PUTF((f32)h + a);
    PUTD(__builtin_fma((f64)a, (f64)b, d));
    PUTD((f64)a * (f64)b);
    PUTD((f64)h * d);
    PUTD((f64)a + d);
    PUTH((f16)__builtin_fmaf((f32)h, (f32)k, (f32)IH(4)) + (f16)0);
}

KERNEL(float_class)
{
    BEGIN;
    f32 a = IF(0);
    f64 d = ID(1);
    f16 h = IH(2);
    u32 r = 0;
#define CLASS(k, m)                                                                                                    \
    r = r << 3 | (u32)__builtin_isfpclass(a, m) << 2 | (u32)__builtin_isfpclass(d, m) << 1 |                           \
        (u32)__builtin_isfpclass((f32)h, m)
    CLASS(0, 0x003);
    CLASS(1, 0x204);
    CLASS(2, 0x108);
    CLASS(3, 0x090);
    CLASS(4, 0x060);
    CLASS(5, 0x1f8);
    CLASS(6, 0x3c0);
    CLASS(7, 0x03c);
    CLASS(8, 0x263);
    CLASS(9, 0x0c0);
    PUT(r);
    PUT(__builtin_isinf_sign(a) + 2);
    PUT(__builtin_fpclassify(0, 1, 2, 3, 4, a));
    PUT(__builtin_fpclassify(0, 1, 2, 3, 4, d));
#undef CLASS
}

KERNEL(float_minmax3)
{
    BEGIN;
    f32 a = tame(IF(0), 1.0f), b = tame(IF(1), 2.0f), c = tame(IF(2), -3.0f);
    f64 d = tame_d(ID(0), 1), e = tame_d(ID(1), 2), f = tame_d(ID(2), 3);
    f16 h = tame_h(IH(0), (f16)1), k = tame_h(IH(1), (f16)2), l = tame_h(IH(2), (f16)3);
    PUTF(__builtin_fmaxf(__builtin_fmaxf(a, b), c));
    PUTF(__builtin_fminf(__builtin_fminf(a, b), c));
    PUTF(__builtin_fmaxf(__builtin_fminf(__builtin_fmaxf(a, b), c), __builtin_fminf(a, b)));
    PUTF(__builtin_fminf(__builtin_fmaxf(a * b, -1.0f), 1.0f));
    PUTF(__builtin_fminf(__builtin_fmaxf(a + b, 0.0f), 1.0f));
    PUTF(__builtin_fmaxf(__builtin_fminf(a, b), c));
    PUTF(__builtin_fminf(__builtin_fmaxf(a, b), c));
    PUTD(__builtin_fmax(__builtin_fmin(d, e), f));
    PUTD(__builtin_fmin(__builtin_fmax(d + e, 0.0), 1.0));
    PUTH(__builtin_fmaxf16(__builtin_fmaxf16(h, k), l));
    PUTH(__builtin_fminf16(__builtin_fminf16(h, k), l));
    PUTH(__builtin_fminf16(__builtin_fmaxf16(h * k, (f16)0), (f16)1));
    PUTH(__builtin_fmaxf16(__builtin_fminf16(__builtin_fmaxf16(h, k), l), __builtin_fminf16(h, k)));
}

KERNEL(f32_divisions)
{
    BEGIN;
    f32 a = IF(0), b = IF(1), s = 0;
    for (u32 i = 0; i < 5; i++)
        s += tame(IF(i), 3.0f) / tame(IF(i + 5), 7.0f);
    PUTF(s);
    PUTF(a / b);
    PUTF(b / a);
    PUTF(a / 1e-40f);
    PUTF(a / -3e38f);
    PUTF(1e-39f / b);
    PUTF(__builtin_sqrtf(__builtin_fabsf(a)) / __builtin_sqrtf(__builtin_fabsf(b)));
    PUTF((a / 10.0f) * 10.0f);
    PUTF((f32)(IU(2) & 0xffffff) / 16777216.0f);
    if (gid & 1)
        PUTF(a / (b + 1.0f));
    PUTF(1.0f / (1.0f + __builtin_fabsf(a)));
}

KERNEL(f64_divisions)
{
    BEGIN;
    f64 a = ID(0), b = ID(1), s = 0;
    for (u32 i = 0; i < 4; i++)
        s += tame_d(ID(i), 3.0) / tame_d(ID(i + 5), 7.0);
    PUTD(s);
    PUTD(b / a);
    PUTD(a / 1e-310);
    PUTD(1e-309 / b);
    PUTD(__builtin_sqrt(__builtin_fabs(b)));
    PUTD(1.0 / __builtin_sqrt(tame_d(__builtin_fabs(a), 2.0)));
    PUTD((f64)IS64(2) / 3.0);
}

/* x - trunc(x / y) * y where each step is exact. */
KERNEL(float_remainder)
{
    BEGIN;
    f32 x = (f32)(i32)(IS(0) >> 12), y = (f32)((IU(1) & 0xff) + 1);
    f64 d = (f64)(i32)IU(2), e = (f64)((IU(3) & 0xffff) + 1);
    PUTF(x - __builtin_truncf(x / y) * y);
    PUTF(x - __builtin_floorf(x / y) * y);
    PUTD(d - __builtin_trunc(d / e) * e);
    PUTF(x * 0.25f - __builtin_floorf(x * 0.25f));
    f32 whole = __builtin_truncf(tame(IF(4), 2.5f));
    PUTF(whole);
    PUTF(tame(IF(4), 2.5f) - whole);
    PUT((i32)whole);
}

KERNEL(float_sorting)
{
    BEGIN;
    f32 v[8];
    f64 w[5];
    for (u32 i = 0; i < 8; i++)
        v[i] = tame(IF(i), -2.0f * (f32)i);
    for (u32 i = 0; i < 5; i++)
        w[i] = tame_d(ID(i), (f64)i);
    for (u32 i = 1; i < 8; i++) {
        f32 x = v[i];
        u32 j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
    for (u32 i = 0; i < 4; i++)
        for (u32 j = i + 1; j < 5; j++)
            if (w[j] < w[i]) {
                f64 t = w[i];
                w[i] = w[j];
                w[j] = t;
            }
    for (u32 i = 0; i < 8; i++)
        PUTF(v[i]);
    for (u32 i = 0; i < 5; i++)
        PUTD(w[i]);
}

/* The same in all lanes: newer targets have scalar floats. */
KERNEL(uniform_float)
{
    BEGIN;
    GLOBAL const f32 *f = (GLOBAL const f32 *)(in + IN_F32);
    GLOBAL const f16 *h = (GLOBAL const f16 *)(in + IN_F16);
    f32 a = tame(f[3], 1.0f), b = tame(f[8], 2.0f), c = tame(f[15], 3.0f);
    f16 p = tame_h(h[1], (f16)1), q = tame_h(h[6], (f16)2), s = tame_h(h[11], (f16)0.5f);
    f32 r = a * b + c;
    r = r > 100.0f ? r * 0.01f : r;
    r += __builtin_floorf(a) - __builtin_ceilf(b) + __builtin_truncf(c) * __builtin_rintf(a * 0.1f);
    r += __builtin_fmaf(a, b, c) + __builtin_fminf(a, c) - __builtin_fmaxf(b, c);
    PUTF(r);
    PUT((i32)tame(r, 4.0f) + (a < b ? 10 : 20) + (b >= c ? 100 : 200) + (a == c ? 1000 : 2000));
    PUTF((f32)(i32)in[5] * (f32)in[6]);
    PUTH(p * q + s);
    PUTH(p + q - s);
    PUTH(__builtin_fminf16(p, q) + __builtin_fmaxf16(q, s));
    PUTF((f32)p * (f32)q);
    PUTH((f16)a);
    PUT((p < q) | (q >= s) << 1 | (p != s) << 2);
    PUTF(-a + __builtin_fabsf(b));
    PUTD((f64)a * (f64)b + (f64)c);
    PUTF(r + (f32)gid);
    for (u32 i = 0; i < 5; i++)
        r = r * 0.5f + tame(f[i * 7], 1.0f);
    PUTF(r);
}
