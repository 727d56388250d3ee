/* Approximations: the hardware's transcendental functions and what the compiler makes of C's, against the host's math
 * library within the bounds stated. Bounds: 1 ULP for reciprocal, roots, 2^x and log2 (what the manuals promise), sine
 * and cosine to 2^-20 within a few turns, doubles to 2^29 ULP (the manuals' 2^-24 or so); of compiled functions what
 * LLVM states for OpenCL. Part of diff.c. */

#ifndef __AMDGPU__
double sin(double), cos(double), exp2(double), log2(double), exp(double), log(double), log10(double),
    pow(double, double);
float powf(float, float);
#endif

#define TURN 6.283185307179586476925286766559

KERNEL(approx_f32)
{
    BEGIN;
    f32 a = IF(0), m = __builtin_fabsf(tame(IF(1), 0.4f)), n = tame(IF(2), 3.0f);
    f32 x = __builtin_fabsf(n) < 120 ? n : 0.75f;
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_rcpf(n), (f32)(1.0 / n)), 1);
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_rsqf(m), (f32)(1.0 / __builtin_sqrt(m))), 1);
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_sqrtf(m), __builtin_sqrtf(m)), 1);
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_exp2f(x), (f32)exp2(x)), 1);
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_logf(m), (f32)log2(m)), 1);
    /* infinities, NaN and zeros are exact */
    PUT_NEARF(ON_DEVICE(__builtin_amdgcn_rcpf(__builtin_isnormal(a)   ? 2.0f
                                              : __builtin_isfinite(a) ? a * 0.0f
                                                                      : a),
                        (f32)(1.0 / (__builtin_isnormal(a)   ? 2.0f
                                     : __builtin_isfinite(a) ? a * 0.0f
                                                             : a))),
              1);
}

KERNEL(approx_sine)
{
    BEGIN;
    f32 x = tame(IF(0), 0.3f);
    x = __builtin_fabsf(x) < 200 ? x : 1.0f / x;
    PUT_ABSF(ON_DEVICE(__builtin_amdgcn_sinf(x), (f32)sin(x * TURN)), 20);
    PUT_ABSF(ON_DEVICE(__builtin_amdgcn_cosf(x), (f32)cos(x * TURN)), 20);
    /* whole and half turns */
    f32 k = (f32)((i32)(IU(1) & 63) - 32) * 0.5f;
    PUT_ABSF(ON_DEVICE(__builtin_amdgcn_cosf(k), (f32)cos(k * TURN)), 22);
    PUT_ABSF(ON_DEVICE(__builtin_amdgcn_sinf(k), (f32)sin(k * TURN)), 20);
}

KERNEL(approx_f64)
{
    BEGIN;
    f64 n = tame_d(ID(0), 3.0), m = __builtin_fabs(tame_d(ID(1), 0.4));
    PUT_NEARD(ON_DEVICE(__builtin_amdgcn_rcp(n), 1.0 / n), 29);
    PUT_NEARD(ON_DEVICE(__builtin_amdgcn_rsq(m), 1.0 / __builtin_sqrt(m)), 29);
    PUT_NEARD(ON_DEVICE(__builtin_amdgcn_sqrt(m), __builtin_sqrt(m)), 29);
}

KERNEL(approx_f16)
{
    BEGIN;
    f16 n = tame_h(IH(0), (f16)3), m = tame_h(IH(1) < 0 ? -IH(1) : IH(1), (f16)0.4f);
    f16 x = n < 9 && n > -9 ? n : (f16)0.75f;
    (void)x;
    PUT_NEARH(ON_DEVICE(__builtin_amdgcn_rcph(n), (f16)(1.0 / (f64)n)), 1);
    PUT_NEARH(ON_DEVICE(__builtin_amdgcn_rsqh(m), (f16)(1.0 / __builtin_sqrt((f64)m))), 1);
    PUT_NEARH(ON_DEVICE(__builtin_amdgcn_sqrth(m), (f16)__builtin_sqrt((f64)m)), 1);
    PUT_NEARH(ON_DEVICE(__builtin_exp2f16(x), (f16)exp2((f64)x)), 1);
    PUT_NEARH(ON_DEVICE(__builtin_log2f16(m), (f16)log2((f64)m)), 2);
    PUT_ABSF(ON_DEVICE((f32)__builtin_amdgcn_sinh(x), (f32)sin((f64)x * TURN)), 9);
    PUT_ABSF(ON_DEVICE((f32)__builtin_amdgcn_cosh(x), (f32)cos((f64)x * TURN)), 9);
}

KERNEL(approx_exponential)
{
    BEGIN;
    f32 x = tame(IF(0), 0.3f), m = __builtin_fabsf(x);
    x = m < 80 ? x : 1.0f / x;
    PUT_NEARF(ON_DEVICE(__builtin_expf(x), (f32)exp(x)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_exp2f(x), (f32)exp2(x)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_exp10f(x * 0.4f), (f32)pow(10, x * 0.4f)), 3);
    /* far out: infinity, zero, denormals */
    PUT_NEARF(ON_DEVICE(__builtin_exp2f(-140.0f), (f32)exp2(-140)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_expf(x + 500.0f), __builtin_inff()), 0);
    PUT_NEARF(ON_DEVICE(__builtin_expf(x - 500.0f), 0.0f), 0);
}

KERNEL(approx_logarithm)
{
    BEGIN;
    f32 m = __builtin_fabsf(tame(IF(0), 0.3f));
    f32 d = __builtin_bit_cast(f32, (IU(1) & 0x7fffff) | 1);
    PUT_NEARF(ON_DEVICE(__builtin_logf(m), (f32)log(m)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_log2f(m), (f32)log2(m)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_log10f(m), (f32)log10(m)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_log2f(d), (f32)log2(d)), 3);
    PUT_NEARF(ON_DEVICE(__builtin_logf(d), (f32)log(d)), 3);
    PUT(ON_DEVICE(__builtin_isinf(__builtin_logf(d * 0.0f)), 1) != 0);
}

/* What llvm.sin makes: a product with 1 / TURN, a fraction on some targets, the instruction. */
KERNEL(approx_sine_radians)
{
    BEGIN;
    f32 x = tame(IF(0), 0.3f);
    x = __builtin_fabsf(x) < 30 ? x : 1.0f / x;
    PUT_ABSF(ON_DEVICE(__builtin_sinf(x), (f32)sin(x)), 17);
    PUT_ABSF(ON_DEVICE(__builtin_cosf(x), (f32)cos(x)), 17);
}

SHARED f32 quick_divide(f32 a, f32 b)
{
#pragma clang fp reciprocal(on)
    return a / b;
}

KERNEL(approx_fast_math)
{
    BEGIN;
    f32 a = tame(IF(0), 2.0f), b = tame(IF(1), 3.0f), m = __builtin_fabsf(b);
    PUT_NEARF(quick_divide(a, b), 3);
    PUT_NEARF(quick_divide(1.0f, __builtin_sqrtf(m)), 3);
    PUT_NEARF(quick_divide(a, __builtin_sqrtf(m + 1.0f)), 4);
}
