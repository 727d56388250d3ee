/* Elements of A and B of matrix instructions to floats, sixteen lanes at a time. */
#ifndef GCNSIM_ISA_INSTS_MATRIX_CONVERT_H
#define GCNSIM_ISA_INSTS_MATRIX_CONVERT_H

#include "isa/insts/matrix_vector.h"

/* Sixteen elements as floats: those from bit `at` on of each word. `flip` flips signs, of integers it says that they
 * have one. */
typedef void mat_convert(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to);

MAT_INLINE void mat_convert_f16(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to)
{
    mat_f_store(to, mat_f_widen16(from, at, flush));
    for (unsigned l = 0; l < 16 && flip; l += MAT_WORDS)
        mat_put(to + l, mat_get(to + l) ^ flip);
}

MAT_INLINE void mat_convert_bf16(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to)
{
    for (unsigned l = 0; l < 16; l += MAT_WORDS) {
        mat_w v = mat_get(from + l);
        v = (at ? v & 0xffff0000 : v << 16) ^ flip;
        if (flush)
            v &= ~((mat_w)((v & 0x7f800000) == 0) & 0x7fffffff);
        mat_put(to + l, v);
    }
}

MAT_INLINE void mat_convert_f32(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to)
{
    (void)at, (void)flush;
    for (unsigned l = 0; l < 16; l += MAT_WORDS)
        mat_put(to + l, mat_get(from + l) ^ flip);
}

/* To nearest even at 10 bits of mantissa; a NaN stays one. */
MAT_INLINE void mat_convert_xf32(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to)
{
    (void)at, (void)flush, (void)flip;
    for (unsigned l = 0; l < 16; l += MAT_WORDS) {
        mat_w u = mat_get(from + l);
        mat_w rounded = (u + (u >> 13 & 1) + 0xfff) & 0xffffe000; /* infinity stays */
        mat_put(to + l, mat_quiet_or(u, rounded));
    }
}

/* No instruction has modifiers for these. */
#define CONVERT_8_(NAME)                                                                                               \
    MAT_INLINE void mat_convert_##NAME(const uint32_t *from, unsigned at, bool flush, uint32_t flip, uint32_t *to)     \
    {                                                                                                                  \
        (void)flush, (void)flip;                                                                                       \
        mat_widen_small(NAME, from, at, to);                                                                           \
    }
CONVERT_8_(fp8_fnuz)
CONVERT_8_(bf8_fnuz)
CONVERT_8_(fp8_ocp)
CONVERT_8_(bf8_ocp)
#undef CONVERT_8_

/* Integers as floats: exact, and so are their products and the sums of all of an instruction's k. */
MAT_INLINE void mat_convert_whole(const unsigned bits, const uint32_t *from, unsigned at, bool sign, uint32_t *to)
{
    for (unsigned l = 0; l < 16; l += MAT_WORDS) {
        mat_w v = mat_get(from + l) << (32 - bits - at);
        mat_s n = sign ? (mat_s)v >> (32 - bits) : (mat_s)(v >> (32 - bits));
        mat_put(to + l, (mat_w) __builtin_convertvector(n, mat_wf));
    }
}
MAT_INLINE void mat_convert_i8(const uint32_t *from, unsigned at, bool flush, uint32_t sign, uint32_t *to)
{
    (void)flush;
    mat_convert_whole(8, from, at, sign, to);
}
MAT_INLINE void mat_convert_i4(const uint32_t *from, unsigned at, bool flush, uint32_t sign, uint32_t *to)
{
    (void)flush;
    mat_convert_whole(4, from, at, sign, to);
}

/* The same to a vector of the host. */
MAT_INLINE struct mat_f mat_f_convert(mat_convert *convert, const uint32_t *from, unsigned at, bool flush)
{
    uint32_t floats[16];

    convert(from, at, flush, 0, floats);
    return mat_f_load(floats);
}

#endif
