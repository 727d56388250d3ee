/* float, double, half: IEEE results to the bit. Part of diff.c.
 *
 * Where + 0 is added: the sign of a zero is open (fmin), or clang 19 loses it (it makes a product of floats, rounded to
 * half, a v_fma_mixlo_f16 with + 0.0, which turns -0 into 0).
 */

#define FLOAT_ARITH(name, T, I, P, FMA, SQRT)                                                                          \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T a = I(0), b = I(1), c = I(2);                                                                                \
        P(a + b);                                                                                                      \
        P(a - b);                                                                                                      \
        P(a *b);                                                                                                       \
        P(a *b + c);                                                                                                   \
        P(a *b - c);                                                                                                   \
        P(-(a * b));                                                                                                   \
        P(FMA(a, b, c));                                                                                               \
        P(FMA(-a, b, c));                                                                                              \
        P(FMA(a, b, -c));                                                                                              \
        P(a *(T)0.5);                                                                                                  \
        P(a *(T)2 + (T)1);                                                                                             \
        P(a + (T)4);                                                                                                   \
        P(a *(T)3.25 - b);                                                                                             \
    }
#define FLOAT_DIV(name, T, I, P, SQRT)                                                                                 \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T a = I(0), b = I(1), c = I(3);                                                                                \
        P(a / b);                                                                                                      \
        P((T)1 / c);                                                                                                   \
        P(c / (T)3);                                                                                                   \
        P(SQRT(c < 0 ? -c : c));                                                                                       \
        P((T)1 / SQRT(b < 0 ? -b : b));                                                                                \
        P(-a / c);                                                                                                     \
    }
#define FLOAT_COMPARE(name, T, I, P, FN)                                                                               \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T a = I(0), b = I(1), c = I(2);                                                                                \
        PUT((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);                   \
        PUT(!(a < b) | !(a <= b) << 1 | !(a > b) << 2 | !(a >= b) << 3);                                               \
        PUT(__builtin_isunordered(a, b) | __builtin_islessgreater(a, b) << 1 | __builtin_isnan(c) << 2);               \
        PUT(__builtin_isinf(a) != 0);                                                                                  \
        PUT(__builtin_isfinite(a));                                                                                    \
        PUT(__builtin_isnormal(a));                                                                                    \
        PUT(__builtin_signbit(a) != 0);                                                                                \
        PUT(a == a && (a < b || b < c));                                                                               \
        P(a < b ? a : b);                                                                                              \
        P(a < b ? c : a + b);                                                                                          \
        P(__builtin_fmin##FN(a, b) + (T)0);                                                                            \
        P(__builtin_fmax##FN(a, b) + (T)0);                                                                            \
        P(__builtin_fmax##FN(__builtin_fmin##FN(a, (T)1), (T)0) + (T)0);                                               \
        P(__builtin_fmax##FN(__builtin_fmin##FN(a, b), c) + (T)0);                                                     \
        P((T)__builtin_fabs##FN(a) + -b);                                                                              \
        P(-(T)__builtin_fabs##FN(a) * b);                                                                              \
        P(__builtin_copysign##FN(a, b));                                                                               \
        P(a > (T)0 ? a : (T)0);                                                                                        \
    }
#define FLOAT_ROUND(name, T, I, P, FN)                                                                                 \
    KERNEL(name)                                                                                                       \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        T a = I(0), b = I(1);                                                                                          \
        P(__builtin_floor##FN(a));                                                                                     \
        P(__builtin_ceil##FN(a));                                                                                      \
        P(__builtin_trunc##FN(a));                                                                                     \
        P(__builtin_rint##FN(a));                                                                                      \
        P(__builtin_rint##FN(b));                                                                                      \
        P(__builtin_round##FN(a));                                                                                     \
        P(__builtin_roundeven##FN(b));                                                                                 \
        P(a - __builtin_floor##FN(a));                                                                                 \
    }

#define SQRT_F16(v) ((f16)__builtin_sqrtf((f32)(v)))
#ifdef __AMDGPU__
#define FMA_F16(a, b, c) __builtin_fmaf16(a, b, c)
#else
/* a double holds what decides the rounding of any half a * b + c */
#define FMA_F16(a, b, c) ((f16)((f64)(a) * (f64)(b) + (f64)(c)))
#endif

FLOAT_ARITH(f32_arith, f32, IF, PUTF, __builtin_fmaf, __builtin_sqrtf)
FLOAT_ARITH(f64_arith, f64, ID, PUTD, __builtin_fma, __builtin_sqrt)
FLOAT_ARITH(f16_arith, f16, IH, PUTH, FMA_F16, SQRT_F16)
FLOAT_DIV(f32_div, f32, IF, PUTF, __builtin_sqrtf)
FLOAT_DIV(f64_div, f64, ID, PUTD, __builtin_sqrt)
FLOAT_DIV(f16_div, f16, IH, PUTH, SQRT_F16)
FLOAT_COMPARE(f32_compare, f32, IF, PUTF, f)
FLOAT_COMPARE(f64_compare, f64, ID, PUTD, )
FLOAT_COMPARE(f16_compare, f16, IH, PUTH, f16)
FLOAT_ROUND(f32_round, f32, IF, PUTF, f)
FLOAT_ROUND(f64_round, f64, ID, PUTD, )
FLOAT_ROUND(f16_round, f16, IH, PUTH, f16)

KERNEL(f32_to_int)
{
    BEGIN;
    f32 a = IF(0);
    f32 s32 = __builtin_fabsf(a) < 2147483000.0f ? a : 5.5f, s64 = __builtin_fabsf(a) < 9.0e18f ? a : -7.75f;
    f32 u32_ = __builtin_fabsf(s32), u64_ = __builtin_fabsf(s64) * 2;
    PUT((i32)s32);
    PUT((u32)(u32_ * 1.9f));
    PUT64((i64)s64);
    PUT64((u64)u64_);
    PUT((i16)(__builtin_fabsf(a) < 32767 ? a : 3));
    PUT((u8)(__builtin_fabsf(a) < 255 ? __builtin_fabsf(a) : 3));
    PUT((i32)__builtin_floorf(s32));
    PUT((i32)__builtin_rintf(s32));
    PUT((i8)(__builtin_fabsf(a) < 127 ? a : 3));
}

KERNEL(f64_to_int)
{
    BEGIN;
    f64 a = ID(0);
    f64 s32 = __builtin_fabs(a) < 2147483647.0 ? a : 5.5, s64 = __builtin_fabs(a) < 9.2e18 ? a : -7.75;
    PUT((i32)s32);
    PUT((u32)(__builtin_fabs(s32) * 1.99));
    PUT64((i64)s64);
    PUT64((u64)(__builtin_fabs(s64) * 2));
    PUTF((f32)a);
    PUTF((f32)(a * 1e-30));
    PUTF((f32)(s64 * 1.0000001e-25 * 1e-20));
}

KERNEL(int_to_float)
{
    BEGIN;
    u32 a = IU(0);
    u64 d = IU64(1), e = d >> (a & 63);
    PUTF((f32)a);
    PUTF((f32)(i32)a);
    PUTF((f32)d);
    PUTF((f32)(i64)d);
    PUTF((f32)e);
    PUTF((f32)(u8)a);
    PUTF((f32)(a >> 8 & 255));
    PUTF((f32)(a >> 16 & 255));
    PUTF((f32)(a >> 24));
    PUTF((f32)(i16)a);
    PUTD((f64)a);
    PUTD((f64)(i32)a);
    PUTD((f64)d);
    PUTD((f64)(i64)d);
    PUTD((f64)(i64)e);
    PUTH((f16)(i16)(a >> 3));
    PUTH((f16)(u16)(a >> 19));
    PUTH((f16)(i32)(a >> 15));
}

KERNEL(f16_convert)
{
    BEGIN;
    f16 h = IH(0);
    f32 a = IF(1);
    PUTF((f32)h);
    PUTD((f64)h);
    PUTH((f16)a);
    PUTH((f16)(a * 1e-6f) + (f16)0);
    PUTH((f16)(IF(2) < 0 ? -IF(2) : IF(2)));
    PUT((i32)(h == h && __builtin_fabsf((f32)h) < 60000.0f ? h : (f16)1));
    PUT((i16)(h == h && __builtin_fabsf((f32)h) < 32000.0f ? h : (f16)1));
    PUT((u16)(h == h && (f32)h > 0.0f && (f32)h < 65000.0f ? h : (f16)1));
    PUTF((f32)h * a);
    PUTF((f32)h * (f32)IH(2) + a);
    PUTF(__builtin_fmaf((f32)h, (f32)IH(2), a));
    PUTH((f16)__builtin_fmaf((f32)h, (f32)IH(2), a));
}

KERNEL(f32_ldexp)
{
    BEGIN;
    f32 a = IF(0);
    f64 d = ID(0);
    i32 e = (i32)(IU(1) % 400) - 200, e2 = IS(2);
    PUTF(__builtin_ldexpf(a, e));
    PUTF(__builtin_ldexpf(a, e2));
    PUTD(__builtin_ldexp(d, e * 6));
    PUTD(__builtin_ldexp(d, e2));
    PUTF(a == a && __builtin_isfinite(a) ? __builtin_ldexpf(a, -149 + (e & 31)) : 0);
}

#ifdef __AMDGPU__
#define FREXP_MANT(v)  __builtin_amdgcn_frexp_mantf(v)
#define FREXP_EXP(v)   __builtin_amdgcn_frexp_expf(v)
#define FREXP_MANTD(v) __builtin_amdgcn_frexp_mant(v)
#define FREXP_EXPD(v)  __builtin_amdgcn_frexp_exp(v)
#else
static int frexp_exp(double v)
{
    int e = 0;
    if (__builtin_isfinite(v))
        __builtin_frexp(v, &e);
    return e;
}
static double frexp_mant(double v)
{
    int e;
    return __builtin_isfinite(v) ? __builtin_frexp(v, &e) : v;
}
#define FREXP_MANT(v)  ((f32)frexp_mant(v))
#define FREXP_EXP(v)   frexp_exp(v)
#define FREXP_MANTD(v) frexp_mant(v)
#define FREXP_EXPD(v)  frexp_exp(v)
#endif

KERNEL(float_frexp)
{
    BEGIN;
    PUTF(FREXP_MANT(IF(0)));
    PUT(FREXP_EXP(IF(0)));
    PUTD(FREXP_MANTD(ID(0)));
    PUT(FREXP_EXPD(ID(0)));
}

KERNEL(f32_polynomial)
{
    BEGIN;
    f32 x = IF(0), y = 0.001f, z;
    x = __builtin_fabsf(x) < 4.0f ? x : 0.37f;
    for (i32 i = 1; i < 12; i++)
        y = y * x + 1.0f / (f32)i;
    z = __builtin_fmaf(x, __builtin_fmaf(x, __builtin_fmaf(x, 0.125f, -0.5f), 3.0f), y);
    PUTF(y);
    PUTF(z);
    PUTF(y * z < 0.5f ? y - z : z - y);
}

KERNEL(f64_newton)
{
    BEGIN;
    f64 a = __builtin_fabs(ID(0)), x;
    a = a > 1e-3 && a < 1e6 ? a : 2.0;
    x = a > 1 ? a : 1.0;
    u32 n = 0;
    while (n < 40) {
        f64 next = 0.5 * (x + a / x);
        n++;
        if (next >= x)
            break;
        x = next;
    }
    PUTD(x);
    PUT(n);
}

typedef f32 f32x4 __attribute__((vector_size(16)));
typedef f32 f32x2 __attribute__((vector_size(8)));
typedef f16 f16x2 __attribute__((vector_size(4)));
typedef i16 i16x2 __attribute__((vector_size(4)));
typedef u16 u16x2 __attribute__((vector_size(4)));
typedef f64 f64x2 __attribute__((vector_size(16)));

KERNEL(packed_f16)
{
    BEGIN;
    f16x2 a = {IH(0), IH(1)}, b = {IH(2), IH(3)}, c = {IH(4), IH(5)};
    f16x2 r[8] = {a + b, a - b, a * b, a * b + c, -a, a * b[1], (f16x2){a[1], a[0]} + b, (f16x2){-a[0], a[1]} * b};
    for (u32 i = 0; i < 8; i++) {
        PUTH(r[i][0]);
        PUTH(r[i][1]);
    }
    f16x2 m = __builtin_elementwise_min(a, b) + (f16x2){0, 0}, x = __builtin_elementwise_max(a, c) + (f16x2){0, 0};
    PUTH(m[0]);
    PUTH(m[1]);
    PUTH(x[0]);
    PUTH(x[1]);
}

KERNEL(packed_i16)
{
    BEGIN;
    u32 ua = IU(0), ub = IU(1), uc = IU(2);
    u16x2 a = __builtin_bit_cast(u16x2, ua), b = __builtin_bit_cast(u16x2, ub), c = __builtin_bit_cast(u16x2, uc);
    i16x2 s = __builtin_bit_cast(i16x2, ua), t = __builtin_bit_cast(i16x2, ub);
#define PUTV(v) PUT(__builtin_bit_cast(u32, v))
    PUTV(a + b);
    PUTV(a - b);
    PUTV(a * b);
    PUTV(a * b + c);
    PUTV(a << (b & 15));
    PUTV(a >> (b & 15));
    PUTV(s >> (t & 15));
    PUTV(__builtin_elementwise_min(a, b));
    PUTV(__builtin_elementwise_max(s, t));
    PUTV(__builtin_elementwise_min(s, t));
    PUTV(__builtin_elementwise_max(a, c));
    PUTV(__builtin_elementwise_add_sat(a, b));
    PUTV(__builtin_elementwise_sub_sat(s, t));
    PUTV(((u16x2){a[1], a[0]}) + b);
    PUTV(a + ((u16x2){b[1], b[1]}));
    PUTV(__builtin_elementwise_abs(s | 1));
}

KERNEL(packed_f32)
{
    BEGIN;
    f32x2 a = {IF(0), IF(1)}, b = {IF(2), IF(3)}, c = {IF(4), IF(5)}, r;
    r = a + b;
    PUTF(r[0]);
    PUTF(r[1]);
    r = a * b;
    PUTF(r[0]);
    PUTF(r[1]);
    r = __builtin_elementwise_fma(a, b, c);
    PUTF(r[0]);
    PUTF(r[1]);
    r = (f32x2){a[1], a[0]} * -b;
    PUTF(r[0]);
    PUTF(r[1]);
    f64x2 d = {ID(0), ID(1)}, e = {ID(2), ID(3)};
    d = d * e + e;
    PUTD(d[0]);
    PUTD(d[1]);
}

/* Operands the same in all lanes, which newer targets compute in the scalar float unit. */
KERNEL(f32_uniform)
{
    BEGIN;
    f32 s = 0, p = 1;
    GLOBAL const f32 *v = (GLOBAL const f32 *)(in + IN_F32);
    for (u32 i = 0; i < 16; i++) {
        f32 x = v[i * 5];
        s = x == x && __builtin_fabsf(x) < 1e10f ? s + x * 0.75f : s - 1.0f;
        p = __builtin_fmaf(p, 0.5f, x > 0 && x < 100.0f ? x : 0.25f);
    }
    PUTF(s);
    PUTF(p);
    PUTF(__builtin_floorf(p) + __builtin_ceilf(s * 1e-6f) + __builtin_truncf(p * 3) + __builtin_rintf(p));
    PUT((i32)p);
    PUT((u32)p);
    PUTF((f32)(i32)in[5] + (f32)in[6]);
    PUTF((f32)(f16)p + (f32)((f16)p * (f16)1.5f));
    PUTF(__builtin_fminf(p, s) + __builtin_fmaxf(p, 3.0f));
    PUT(p < s ? 4 : p >= 7 ? 5 : 6);
    PUTF(p + (f32)gid);
}
