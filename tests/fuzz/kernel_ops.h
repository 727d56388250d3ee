/* What generated kernels compute with (tests/fuzz/gen_kernel.c): C operators fenced against undefined behaviour and
 * against what host and target may do differently. All inline, so the compiler sees the operators themselves.
 *
 * Left out: the sign of a NaN and of a minimum's zeros (of `a < b ? a : b` clang makes the
 * instruction, which knows them apart), integers to half above 16 bits (the host rounds twice), half
 * fma, differences of bytes without sign (clang 19 loses them on gfx9, see int_absolute).
 */
#ifndef KERNEL_OPS_H
#define KERNEL_OPS_H

#include "tests/system/kernels/diff/diff.h"

/* What the compiler cannot see through. */
#ifdef __AMDGPU__
#define HIDE(v) __asm__("" : "+v"(v))
#else
#define HIDE(v) (void)(v)
#endif

/* For an unsigned division clang 19 takes leading ones for leading zeros (a dividend ~0 becomes a float, seeds
 * 881122142 and 881122290; a divisor ~x one of 32 bits, 881122587; a dividend 0xfffffff1 of 64 bits, whatever the sign,
 * first one of 32 bits and then a float, 880000220), and -O0 does so in 32 bits up to LLVM 22: LLVM's pulls 116733,
 * 119325 and 196418. Operands that are small and without ones at the top may be narrowed; of others the dividend is
 * hidden. */
#define NARROW_u32(v) ((v) >> 31 == 0)
#define NARROW_u64(v) ((v) >> 31 == 0)
#define NARROW_i64(v) ((v) == (i32)(v))
#define GUARDED_DIVISION(T, MASK)                                                                                      \
    SHARED T quotient_##T(T a, T b)                                                                                    \
    {                                                                                                                  \
        if (NARROW_##T(a) && NARROW_##T(b))                                                                            \
            return (a & (MASK)) / (b & (MASK));                                                                        \
        HIDE(a);                                                                                                       \
        return a / b;                                                                                                  \
    }                                                                                                                  \
    SHARED T remainder_##T(T a, T b)                                                                                   \
    {                                                                                                                  \
        if (NARROW_##T(a) && NARROW_##T(b))                                                                            \
            return (a & (MASK)) % (b & (MASK));                                                                        \
        HIDE(a);                                                                                                       \
        return a % b;                                                                                                  \
    }
GUARDED_DIVISION(u32, 0x7fffffff)
GUARDED_DIVISION(u64, 0x7fffffff)
GUARDED_DIVISION(i64, -1)

#define PLAIN_DIVISION(T)                                                                                              \
    SHARED T quotient_##T(T a, T b)                                                                                    \
    {                                                                                                                  \
        return (T)(a / b);                                                                                             \
    }                                                                                                                  \
    SHARED T remainder_##T(T a, T b)                                                                                   \
    {                                                                                                                  \
        return (T)(a % b);                                                                                             \
    }
PLAIN_DIVISION(i8)
PLAIN_DIVISION(u8)
PLAIN_DIVISION(i16)
PLAIN_DIVISION(u16)
PLAIN_DIVISION(i32)

/* No saturation of u32, which clang 19 loses on gfx8 where it gives the operation a literal. */
#define SATURATES_u64 1
#define SATURATES_i64 1
#define SATURATES_u32 0
#define SATURATES_i32 1
#define SATURATES_u16 1
#define SATURATES_i16 1
#define SATURATES_u8  1
#define SATURATES_i8  1

/* min(a, ~c) + c and max(a, c) - c are that saturation again, and clang finds them however far apart they stand: what a
 * minimum or maximum of u32 gives is hidden from it (seed 6002). */
#define HIDE_u32(v) HIDE(v)
#define HIDE_u64(v) (void)0
#define HIDE_i64(v) (void)0
#define HIDE_i32(v) (void)0
#define HIDE_u16(v) (void)0
#define HIDE_i16(v) (void)0
#define HIDE_u8(v)  (void)0
#define HIDE_i8(v)  (void)0

/* For x | y, all ones in a half of x, that half comes out as y's: SIFoldOperands of LLVM 19 removes the wrong
 * operand (seed 990000648; pull 189655). */
#define HIDE_ONES(T, v)                                                                                                \
    do {                                                                                                               \
        if (sizeof(T) == 8 && ((__builtin_constant_p((u32)((u64)(v) >> 32)) && (u32)((u64)(v) >> 32) == ~0u) ||        \
                               (__builtin_constant_p((u32)(v)) && (u32)(v) == ~0u)))                                   \
            HIDE(v);                                                                                                   \
    } while (0)

/* LLVM 19 promotes what the elementwise builtins take, LLVM 22 does not: +a is an int for both. */

/* A value that is the same in all lanes as one of each lane (a VGPR): what a loop changes. Such values in SGPRs come
 * out wrong of a loop that lanes leave at different times: MachineSink takes an instruction out of it, and
 * SIFoldOperands then reads the SGPR there, which holds the last turn's value for all lanes (LLVM 19 to 22, seed
 * 880000498; pull 203256). */
#define LATCH_OP(T)                                                                                                    \
    SHARED T latch_##T(T v)                                                                                            \
    {                                                                                                                  \
        u32 small = 0;                                                                                                 \
        if (sizeof v >= sizeof small) {                                                                                \
            HIDE(v);                                                                                                   \
            return v;                                                                                                  \
        }                                                                                                              \
        __builtin_memcpy(&small, &v, sizeof v & 3);                                                                    \
        HIDE(small);                                                                                                   \
        __builtin_memcpy(&v, &small, sizeof v & 3);                                                                    \
        return v;                                                                                                      \
    }

#define INT_OPS(T, U, BITS)                                                                                            \
    LATCH_OP(T)                                                                                                        \
    SHARED T add_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)((U)a + (U)b);                                                                                       \
    }                                                                                                                  \
    SHARED T sub_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)((U)a - (U)b);                                                                                       \
    }                                                                                                                  \
    SHARED T mul_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)((U)a * (U)b);                                                                                       \
    }                                                                                                                  \
    SHARED T mad_##T(T a, T b, T c)                                                                                    \
    {                                                                                                                  \
        return (T)((U)a * (U)b + (U)c);                                                                                \
    }                                                                                                                  \
    SHARED T and_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)(a & b);                                                                                             \
    }                                                                                                                  \
    SHARED T or_##T(T a, T b)                                                                                          \
    {                                                                                                                  \
        HIDE_ONES(T, a);                                                                                               \
        HIDE_ONES(T, b);                                                                                               \
        return (T)(a | b);                                                                                             \
    }                                                                                                                  \
    SHARED T xor_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)(a ^ b);                                                                                             \
    }                                                                                                                  \
    SHARED T not_##T(T a)                                                                                              \
    {                                                                                                                  \
        return (T)~a;                                                                                                  \
    }                                                                                                                  \
    SHARED T neg_##T(T a)                                                                                              \
    {                                                                                                                  \
        return (T)(0 - (U)a);                                                                                          \
    }                                                                                                                  \
    SHARED T shl_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)((U)a << ((u32)b & (BITS - 1)));                                                                     \
    }                                                                                                                  \
    SHARED T shr_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return (T)(a >> ((u32)b & (BITS - 1)));                                                                        \
    }                                                                                                                  \
    SHARED T div_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return quotient_##T(a, b == 0 || (T)~b == 0 ? (T)3 : b);                                                       \
    }                                                                                                                  \
    SHARED T rem_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return remainder_##T(a, b == 0 || (T)~b == 0 ? (T)5 : b);                                                      \
    }                                                                                                                  \
    SHARED T min_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = a < b ? a : b;                                                                                           \
        HIDE_##T(r);                                                                                                   \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T max_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = a > b ? a : b;                                                                                           \
        HIDE_##T(r);                                                                                                   \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T sat_add_##T(T a, T b)                                                                                     \
    {                                                                                                                  \
        return SATURATES_##T ? __builtin_elementwise_add_sat(+a, +b) : (T)((U)a + (U)b * 3);                           \
    }                                                                                                                  \
    SHARED T sat_sub_##T(T a, T b)                                                                                     \
    {                                                                                                                  \
        return SATURATES_##T ? __builtin_elementwise_sub_sat(+a, +b) : (T)((U)a - ((U)b >> 1));                        \
    }                                                                                                                  \
    SHARED T reverse_##T(T a)                                                                                          \
    {                                                                                                                  \
        return (T)__builtin_elementwise_bitreverse(+a);                                                                \
    }                                                                                                                  \
    SHARED T count_##T(T a)                                                                                            \
    {                                                                                                                  \
        return (T)(__builtin_popcountll((u64)a) ^ (a ? __builtin_clzll((u64)a) : 3) ^                                  \
                   (a ? __builtin_ctzll((u64)a) : 64));                                                                \
    }                                                                                                                  \
    SHARED T select_##T(u32 c, T a, T b)                                                                               \
    {                                                                                                                  \
        return c ? a : b;                                                                                              \
    }
INT_OPS(i8, u32, 8)
INT_OPS(u8, u32, 8)
INT_OPS(i16, u32, 16)
INT_OPS(u16, u32, 16)
INT_OPS(i32, u32, 32)
INT_OPS(u32, u32, 32)
INT_OPS(i64, u64, 64)
INT_OPS(u64, u64, 64)

/* LLVM 17 to 22 make -x of 0 - x where another instruction takes it as an operand (SelectVOP3ModsImpl), and so lose the
 * sign of a zero (seed 881122335); sums with a zero may become that difference. Their result is hidden. */
#define HIDE_SUM(r, a)                                                                                                 \
    do {                                                                                                               \
        if (__builtin_constant_p(a) && (a) == 0)                                                                       \
            HIDE(r);                                                                                                   \
    } while (0)

/* +0 is added where clang 19 loses the sign of a zero (floating.h) */
#define FLOAT_OPS(T, FN, ZERO)                                                                                         \
    LATCH_OP(T)                                                                                                        \
    SHARED T add_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = a + b;                                                                                                   \
        HIDE_SUM(r, a);                                                                                                \
        HIDE_SUM(r, b);                                                                                                \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T sub_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = a - b;                                                                                                   \
        HIDE_SUM(r, a);                                                                                                \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T mul_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    SHARED T mad_##T(T a, T b, T c)                                                                                    \
    {                                                                                                                  \
        T p = a * b, r = p + c;                                                                                        \
        HIDE_SUM(r, p);                                                                                                \
        HIDE_SUM(r, c);                                                                                                \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T div_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a / b;                                                                                                  \
    }                                                                                                                  \
    SHARED T neg_##T(T a)                                                                                              \
    {                                                                                                                  \
        return -a;                                                                                                     \
    }                                                                                                                  \
    SHARED T abs_##T(T a)                                                                                              \
    {                                                                                                                  \
        return (T)__builtin_fabs##FN(a);                                                                               \
    }                                                                                                                  \
    SHARED T min_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = (T)__builtin_fmin##FN(a, b) + ZERO;                                                                      \
        HIDE(r);                                                                                                       \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T max_##T(T a, T b)                                                                                         \
    {                                                                                                                  \
        T r = (T)__builtin_fmax##FN(a, b) + ZERO;                                                                      \
        HIDE(r);                                                                                                       \
        return r;                                                                                                      \
    }                                                                                                                  \
    SHARED T floor_##T(T a)                                                                                            \
    {                                                                                                                  \
        return (T)__builtin_floor##FN(a);                                                                              \
    }                                                                                                                  \
    SHARED T ceil_##T(T a)                                                                                             \
    {                                                                                                                  \
        return (T)__builtin_ceil##FN(a);                                                                               \
    }                                                                                                                  \
    SHARED T trunc_##T(T a)                                                                                            \
    {                                                                                                                  \
        return (T)__builtin_trunc##FN(a);                                                                              \
    }                                                                                                                  \
    SHARED T rint_##T(T a)                                                                                             \
    {                                                                                                                  \
        return (T)__builtin_rint##FN(a);                                                                               \
    }                                                                                                                  \
    SHARED T select_##T(u32 c, T a, T b)                                                                               \
    {                                                                                                                  \
        return c ? a : b;                                                                                              \
    }
FLOAT_OPS(f32, f, 0.0f)
FLOAT_OPS(f64, , 0.0)
FLOAT_OPS(f16, f16, (f16)0)

SHARED f32 fma_f32(f32 a, f32 b, f32 c)
{
    return __builtin_fmaf(a, b, c);
}
SHARED f64 fma_f64(f64 a, f64 b, f64 c)
{
    return __builtin_fma(a, b, c);
}
SHARED f16 fma_f16(f16 a, f16 b, f16 c)
{
    f16 p = a * b, r = p - c;
    HIDE_SUM(r, p);
    return r;
}
SHARED f32 sqrt_f32(f32 a)
{
    return __builtin_sqrtf(__builtin_fabsf(a));
}
SHARED f64 sqrt_f64(f64 a)
{
    return __builtin_sqrt(__builtin_fabs(a));
}
SHARED f16 sqrt_f16(f16 a)
{
    return a;
}

/* Floats to integers, in range or a number of our own. */
SHARED i64 int_of_f32(f32 v)
{
    return v > -2147483000.0f && v < 2147483000.0f ? (i32)v : 77;
}
SHARED i64 long_of_f32(f32 v)
{
    return v > -9e18f && v < 9e18f ? (i64)v : -5;
}
SHARED i64 int_of_f64(f64 v)
{
    return v > -2147483648.0 && v < 2147483647.0 ? (i32)v : -78;
}
SHARED i64 long_of_f64(f64 v)
{
    return v > 0 && v < 1.8e19 ? (i64)(u64)v : 9;
}
SHARED i64 int_of_f16(f16 v)
{
    return v > (f16)-60000.0f && v < (f16)60000.0f ? (i32)v : 11;
}
SHARED i64 long_of_f16(f16 v)
{
    return v >= (f16)0 && v < (f16)60000.0f ? (u16)v : 12;
}
SHARED f16 half_of(f32 v)
{
    f16 r = (f16)v + (f16)0;
    HIDE(r);
    return r;
}

#endif
