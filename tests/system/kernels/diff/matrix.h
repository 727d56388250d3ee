/* Matrix instructions, one product for each wave, against three loops in C. Small whole numbers, so that sums are exact
 * in any order. The device's side knows which lane and register holds which element. Part of diff.c. */

SHARED i32 mat_a(u32 seed, u32 block, u32 i, u32 k)
{
    return (i32)((seed * 5 + block * 3 + i * 7 + k * 11 + i * k) % 7) - 3;
}
SHARED i32 mat_b(u32 seed, u32 block, u32 k, u32 j)
{
    return (i32)((seed + block * 5 + j * 13 + k * 3 + (j ^ k)) % 7) - 2;
}
SHARED i32 mat_c(u32 seed, u32 block, u32 i, u32 j)
{
    return (i32)((seed * 3 + block + i * 2 + j * 5) % 16) - 8;
}
/* The place of the two elements of A's group of four that are not zero. */
SHARED u32 mat_place(u32 i, u32 group, u32 which)
{
    u32 n = (i + group * 3) % 6;
    static const u8 first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {1, 2, 3, 2, 3, 3};
    return which ? second[n] : first[n];
}

#define BITS_I32(v)  ((u32)(v))
#define BITS_F32(v)  bits_f32((f32)(v))
#define BITS_F16(v)  bits_f16((f16)(v))
#define BITS_F64(v)  ((u32)(bits_f64((f64)(v)) >> 32))
#define BITS_BF16(v) (__builtin_bit_cast(u32, (f32)(v)) >> 16)

#ifdef __AMDGPU__
/* The element (i, j) of a block of the wave's product. */
#define MATRIX_OUT(blocks, m, n, b, i, j)                                                                              \
    out[(GROUP_ID * GROUP + LID / WAVE * WAVE) * SLOTS + ((b) * (m) + (i)) * (n) + (j)]
#define MATRIX_SEED (GROUP_ID * 8 + LID / WAVE)
#define MATRIX(name, blocks, m, n, k, BITS, ...)                                                                       \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        u32 lane = LANE, seed = MATRIX_SEED;                                                                           \
        __VA_ARGS__                                                                                                    \
    }
#define SPARSE MATRIX
#else
#define HOST_MATRIX(name, blocks, m, n, k, BITS, sparse)                                                               \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        for (u32 w = 0; w < GROUP / WAVE; w++)                                                                         \
            for (u32 b = 0; b < (blocks); b++)                                                                         \
                for (u32 i = 0; i < (m); i++)                                                                          \
                    for (u32 j = 0; j < (n); j++) {                                                                    \
                        i32 s = mat_c(GROUP_ID * 8 + w, b, i, j);                                                      \
                        for (u32 x = 0; x < (k); x++) {                                                                \
                            if (sparse && x % 4 != mat_place(i, x / 4, 0) && x % 4 != mat_place(i, x / 4, 1))          \
                                continue;                                                                              \
                            s += mat_a(GROUP_ID * 8 + w, b, i, x) * mat_b(GROUP_ID * 8 + w, b, x, j);                  \
                        }                                                                                              \
                        out[(GROUP_ID * GROUP + w * WAVE) * SLOTS + (b * (m) + i) * (n) + j] = BITS(s);                \
                    }                                                                                                  \
    }
#define MATRIX(name, blocks, m, n, k, BITS, ...) HOST_MATRIX(name, blocks, m, n, k, BITS, 0)
#define SPARSE(name, blocks, m, n, k, BITS, ...) HOST_MATRIX(name, blocks, m, n, k, BITS, 1)
#endif

#define VEC(type, n) type __attribute__((ext_vector_type(n)))
typedef VEC(f32, 1) mat_f32x1;
typedef VEC(f32, 2) mat_f32x2;
typedef VEC(f32, 4) mat_f32x4;
typedef VEC(f32, 8) mat_f32x8;
typedef VEC(f32, 16) mat_f32x16;
typedef VEC(f32, 32) mat_f32x32;
typedef VEC(i32, 1) mat_i32x1;
typedef VEC(i32, 2) mat_i32x2;
typedef VEC(i32, 4) mat_i32x4;
typedef VEC(i32, 8) mat_i32x8;
typedef VEC(i32, 16) mat_i32x16;
typedef VEC(i32, 32) mat_i32x32;
typedef VEC(f16, 4) mat_f16x4;
typedef VEC(f16, 8) mat_f16x8;
typedef VEC(f16, 16) mat_f16x16;
typedef VEC(i16, 2) mat_i16x2;
typedef VEC(i16, 4) mat_i16x4;
typedef VEC(i16, 8) mat_i16x8;
typedef VEC(i16, 16) mat_i16x16;
typedef VEC(i8, 4) mat_i8x4;
typedef VEC(i8, 8) mat_i8x8;
typedef VEC(i8, 16) mat_i8x16;
typedef VEC(i8, 32) mat_i8x32;
typedef VEC(f64, 1) mat_f64x1;
typedef VEC(f64, 4) mat_f64x4;

#define AS_F32(v)  ((f32)(v))
#define AS_F64(v)  ((f64)(v))
#define AS_F16(v)  ((f16)(v))
#define AS_BF16(v) ((i16)(__builtin_bit_cast(u32, (f32)(v)) >> 16))
#define AS_I8(v)   ((i8)(v))
#define AS_I32(v)  ((i32)(v))
#define AS_FP8(v)  ((i8)__builtin_amdgcn_cvt_pk_fp8_f32((f32)(v), 0, 0, 0))
#define AS_BF8(v)  ((i8)__builtin_amdgcn_cvt_pk_bf8_f32((f32)(v), 0, 0, 0))

#define ONE(v)     (v)[0]
#define WHOLE(v)   (v)
#define WORD(v)    __builtin_bit_cast(i32, v)
#define WORDS2(v)  __builtin_bit_cast(mat_i32x2, v)
#define WORDS4(v)  __builtin_bit_cast(mat_i32x4, v)
#define LONG(v)    __builtin_bit_cast(long, v)
#define FLOATS2(v) (v)

/* MFMA: kl consecutive k of a row (column of B) in a lane; rows of C and D in fours. */
#define MFMA(name, blocks, m, n, k, AT, kl, AS_A, AS_B, ARG, CT, regs, AS_C, BITS)                                     \
    MATRIX(                                                                                                            \
        mfma_##name, blocks, m, n, k, BITS, AT a; AT b; CT c; for (u32 j = 0; j < (kl); j++) {                         \
            u32 block = lane / (m) % (blocks), x = lane / ((m) * (blocks)) * (kl) + j;                                 \
            a[j] = AS_A(mat_a(seed, block, lane % (m), x));                                                            \
            b[j] = AS_B(mat_b(seed, block, x, lane % (m)));                                                            \
        } for (u32 v = 0; v < (regs); v++) c[v] = AS_C(mat_c(seed, MFMA_BLOCK(m, n), MFMA_ROW(m, n), lane % (n)));     \
        c = __builtin_amdgcn_mfma_##name(ARG(a), ARG(b), c, 0, 0, 0);                                                  \
        for (u32 v = 0; v < (regs); v++) MATRIX_OUT(blocks, m, n, MFMA_BLOCK(m, n), MFMA_ROW(m, n), lane % (n)) =      \
            BITS(c[v]);)
#define MFMA_BLOCK(m, n) ((m) == 4 ? lane / 4 : v / ((m) * (n) / 64))
#define MFMA_ROW(m, n)   ((m) == 4 ? v : v % ((m) * (n) / 64) / 4 * (4 * (64 / (n))) + 4 * (lane / (n)) + v % 4)

/* clang-format off */
#if DEVICE_HAS(__builtin_amdgcn_mfma_f32_32x32x1f32)
MFMA(f32_32x32x1f32, 2, 32, 32, 1, mat_f32x1, 1, AS_F32, AS_F32, ONE, mat_f32x32, 32, AS_F32, BITS_F32)
MFMA(f32_16x16x1f32, 4, 16, 16, 1, mat_f32x1, 1, AS_F32, AS_F32, ONE, mat_f32x16, 16, AS_F32, BITS_F32)
MFMA(f32_4x4x1f32, 16, 4, 4, 1, mat_f32x1, 1, AS_F32, AS_F32, ONE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x2f32, 1, 32, 32, 2, mat_f32x1, 1, AS_F32, AS_F32, ONE, mat_f32x16, 16, AS_F32, BITS_F32)
MFMA(f32_16x16x4f32, 1, 16, 16, 4, mat_f32x1, 1, AS_F32, AS_F32, ONE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x4f16, 2, 32, 32, 4, mat_f16x4, 4, AS_F16, AS_F16, WHOLE, mat_f32x32, 32, AS_F32, BITS_F32)
MFMA(f32_16x16x4f16, 4, 16, 16, 4, mat_f16x4, 4, AS_F16, AS_F16, WHOLE, mat_f32x16, 16, AS_F32, BITS_F32)
MFMA(f32_4x4x4f16, 16, 4, 4, 4, mat_f16x4, 4, AS_F16, AS_F16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x8f16, 1, 32, 32, 8, mat_f16x4, 4, AS_F16, AS_F16, WHOLE, mat_f32x16, 16, AS_F32, BITS_F32)
MFMA(f32_16x16x16f16, 1, 16, 16, 16, mat_f16x4, 4, AS_F16, AS_F16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(i32_32x32x4i8, 2, 32, 32, 4, mat_i8x4, 4, AS_I8, AS_I8, WORD, mat_i32x32, 32, AS_I32, BITS_I32)
MFMA(i32_16x16x4i8, 4, 16, 16, 4, mat_i8x4, 4, AS_I8, AS_I8, WORD, mat_i32x16, 16, AS_I32, BITS_I32)
MFMA(i32_4x4x4i8, 16, 4, 4, 4, mat_i8x4, 4, AS_I8, AS_I8, WORD, mat_i32x4, 4, AS_I32, BITS_I32)
#endif
/* what gfx942 and gfx950 lost */
#if DEVICE_HAS(__builtin_amdgcn_mfma_i32_32x32x8i8) && !defined(__gfx942__) && !defined(__gfx950__)
MFMA(f32_32x32x2bf16, 2, 32, 32, 2, mat_i16x2, 2, AS_BF16, AS_BF16, WHOLE, mat_f32x32, 32, AS_F32, BITS_F32)
MFMA(f32_16x16x8bf16, 1, 16, 16, 8, mat_i16x2, 2, AS_BF16, AS_BF16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_4x4x2bf16, 16, 4, 4, 2, mat_i16x2, 2, AS_BF16, AS_BF16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(i32_32x32x8i8, 1, 32, 32, 8, mat_i8x4, 4, AS_I8, AS_I8, WORD, mat_i32x16, 16, AS_I32, BITS_I32)
MFMA(i32_16x16x16i8, 1, 16, 16, 16, mat_i8x4, 4, AS_I8, AS_I8, WORD, mat_i32x4, 4, AS_I32, BITS_I32)
#endif
#if DEVICE_HAS(__builtin_amdgcn_mfma_f64_16x16x4f64) && !defined(__gfx908__)
MFMA(f32_32x32x4bf16_1k, 2, 32, 32, 4, mat_i16x4, 4, AS_BF16, AS_BF16, WHOLE, mat_f32x32, 32, AS_F32, BITS_F32)
MFMA(f32_16x16x16bf16_1k, 1, 16, 16, 16, mat_i16x4, 4, AS_BF16, AS_BF16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_4x4x4bf16_1k, 16, 4, 4, 4, mat_i16x4, 4, AS_BF16, AS_BF16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
#endif
#if !defined(__AMDGPU__) || defined(__gfx942__) || defined(__gfx950__)
MFMA(i32_16x16x32_i8, 1, 16, 16, 32, mat_i8x8, 8, AS_I8, AS_I8, LONG, mat_i32x4, 4, AS_I32, BITS_I32)
MFMA(i32_32x32x16_i8, 1, 32, 32, 16, mat_i8x8, 8, AS_I8, AS_I8, LONG, mat_i32x16, 16, AS_I32, BITS_I32)
#if !defined(__gfx950__)
MFMA(f32_16x16x8_xf32, 1, 16, 16, 8, mat_f32x2, 2, AS_F32, AS_F32, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x4_xf32, 1, 32, 32, 4, mat_f32x2, 2, AS_F32, AS_F32, WHOLE, mat_f32x16, 16, AS_F32, BITS_F32)
#endif
MFMA(f32_16x16x32_fp8_fp8, 1, 16, 16, 32, mat_i8x8, 8, AS_FP8, AS_FP8, LONG, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_16x16x32_fp8_bf8, 1, 16, 16, 32, mat_i8x8, 8, AS_FP8, AS_BF8, LONG, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_16x16x32_bf8_fp8, 1, 16, 16, 32, mat_i8x8, 8, AS_BF8, AS_FP8, LONG, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x16_bf8_bf8, 1, 32, 32, 16, mat_i8x8, 8, AS_BF8, AS_BF8, LONG, mat_f32x16, 16, AS_F32, BITS_F32)
#endif
#if !defined(__AMDGPU__) || defined(__gfx950__)
MFMA(f32_16x16x32_f16, 1, 16, 16, 32, mat_f16x8, 8, AS_F16, AS_F16, WHOLE, mat_f32x4, 4, AS_F32, BITS_F32)
MFMA(f32_32x32x16_f16, 1, 32, 32, 16, mat_f16x8, 8, AS_F16, AS_F16, WHOLE, mat_f32x16, 16, AS_F32, BITS_F32)
MFMA(i32_16x16x64_i8, 1, 16, 16, 64, mat_i8x16, 16, AS_I8, AS_I8, WORDS4, mat_i32x4, 4, AS_I32, BITS_I32)
MFMA(i32_32x32x32_i8, 1, 32, 32, 32, mat_i8x16, 16, AS_I8, AS_I8, WORDS4, mat_i32x16, 16, AS_I32, BITS_I32)
/* fp8 twice, then half: two runs of 16 k in each lane */
#define MFMA_SCALE(m, k, regs) \
    MATRIX(mfma_scale_##m##x##m##x##k, 1, m, m, k, BITS_F32, mat_i8x32 a = (mat_i8x32)0, b = a; VEC(f32, regs) c;               \
        for (u32 j = 0; j < 32; j++) {                                                                                 \
            u32 x = j / 16 * ((k) / 2) + lane / (m) * 16 + j % 16;                                                     \
            a[j] = AS_FP8(mat_a(seed, 0, lane % (m), x));                                                              \
            b[j] = AS_FP8(mat_b(seed, 0, x, lane % (m)));                                                              \
        } for (u32 v = 0; v < (regs); v++) c[v] = AS_F32(mat_c(seed, 0, MFMA_ROW(m, m), lane % (m)));                  \
        c = __builtin_amdgcn_mfma_scale_f32_##m##x##m##x##k##_f8f6f4(__builtin_bit_cast(mat_i32x8, a),                 \
            __builtin_bit_cast(mat_i32x8, b), c, 0, 0, 1, 0x8000, 2, 0x7e0000);                                        \
        for (u32 v = 0; v < (regs); v++) MATRIX_OUT(1, m, m, 0, MFMA_ROW(m, m), lane % (m)) = BITS_F32(c[v]);)
MFMA_SCALE(16, 128, 4)
MFMA_SCALE(32, 64, 16)
#endif

#if DEVICE_HAS(__builtin_amdgcn_mfma_f64_16x16x4f64) && !defined(__gfx908__)
MATRIX(mfma_f64_16x16x4f64, 1, 16, 16, 4, BITS_F64,
    mat_f64x4 c;
    for (u32 v = 0; v < 4; v++)
        c[v] = (f64)mat_c(seed, 0, 4 * v + lane / 16, lane % 16);
    c = __builtin_amdgcn_mfma_f64_16x16x4f64((f64)mat_a(seed, 0, lane % 16, lane / 16),
        (f64)mat_b(seed, 0, lane / 16, lane % 16), c, 0, 0, 0);
    for (u32 v = 0; v < 4; v++)
        MATRIX_OUT(1, 16, 16, 0, 4 * v + lane / 16, lane % 16) = BITS_F64(c[v]);
)
MATRIX(mfma_f64_4x4x4f64, 4, 4, 4, 4, BITS_F64,
    u32 block = lane / 4 % 4;
    f64 c = (f64)mat_c(seed, block, lane / 16, lane % 4);
    c = __builtin_amdgcn_mfma_f64_4x4x4f64((f64)mat_a(seed, block, lane % 4, lane / 16),
        (f64)mat_b(seed, block, lane / 16, lane % 4), c, 0, 0, 0);
    MATRIX_OUT(4, 4, 4, block, lane / 16, lane % 4) = BITS_F64(c);
)
#endif

/* A with two of each four elements, and where they were. */
#define SMFMAC(name, k, AT, BT, kl, AS_A, AS_B, ARG_A, ARG_B, AS_C, CT, BITS) SPARSE(smfmac_##name, 1, 16, 16, k, BITS, \
    AT a; BT b; CT c;                                                                                                  \
    u32 group = lane / 16;                                                                                             \
    u32 index = 0;                                                                                                     \
    for (u32 j = 0; j < (kl); j++) {                                                                                   \
        u32 x = group * (2 * (kl)) + j / 2 * 4;                                                                        \
        u32 place = mat_place(lane % 16, x / 4, j % 2);                                                                \
        a[j] = AS_A(mat_a(seed, 0, lane % 16, x + place));                                                             \
        index |= place << 2 * j;                                                                                       \
    }                                                                                                                  \
    for (u32 j = 0; j < 2 * (kl); j++)                                                                                 \
        b[j] = AS_B(mat_b(seed, 0, group * (2 * (kl)) + j, lane % 16));                                                \
    for (u32 v = 0; v < 4; v++)                                                                                        \
        c[v] = AS_C(mat_c(seed, 0, 4 * group + v, lane % 16));                                                         \
    c = __builtin_amdgcn_smfmac_##name(ARG_A(a), ARG_B(b), c, (i32)index, 0, 0);                                       \
    for (u32 v = 0; v < 4; v++)                                                                                        \
        MATRIX_OUT(1, 16, 16, 0, 4 * group + v, lane % 16) = BITS(c[v]);)
#if !defined(__AMDGPU__) || defined(__gfx942__) || defined(__gfx950__)
SMFMAC(f32_16x16x32_f16, 32, mat_f16x4, mat_f16x8, 4, AS_F16, AS_F16, WHOLE, WHOLE, AS_F32, mat_f32x4, BITS_F32)
SMFMAC(f32_16x16x32_bf16, 32, mat_i16x4, mat_i16x8, 4, AS_BF16, AS_BF16, WHOLE, WHOLE, AS_F32, mat_f32x4, BITS_F32)
SMFMAC(i32_16x16x64_i8, 64, mat_i8x8, mat_i8x16, 8, AS_I8, AS_I8, WORDS2, WORDS4, AS_I32, mat_i32x4, BITS_I32)
SMFMAC(f32_16x16x64_fp8_bf8, 64, mat_i8x8, mat_i8x16, 8, AS_FP8, AS_BF8, WORDS2, WORDS4, AS_F32, mat_f32x4, BITS_F32)
#endif

/* WMMA of gfx11: rows of A whole in a lane; rows of C and D alternate between groups of 16 lanes. */
#if defined(__AMDGPU__) && __AMDGCN_WAVEFRONT_SIZE__ == 64
#define W(name)   name##_w64
#define REGS      4
#define WIDE(t)   mat_##t##x4
#define HALVES(t) mat_##t##x8
#else
#define W(name)   name##_w32
#define REGS      8
#define WIDE(t)   mat_##t##x8
#define HALVES(t) mat_##t##x16
#endif
#define GROUPS_   (WAVE / 16)
#define WMMA(name, k, AT, kl, AS_A, CT, AS_C, BITS, at_, CALL) MATRIX(name, 1, 16, 16, k, BITS,                        \
    AT a; AT b; CT c = {0};                                                                                            \
    for (u32 j = 0; j < (kl); j++) {                                                                                   \
        a[j] = AS_A(mat_a(seed, 0, lane % 16, j));                                                                     \
        b[j] = AS_A(mat_b(seed, 0, j, lane % 16));                                                                     \
    }                                                                                                                  \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        c[at_] = AS_C(mat_c(seed, 0, v * GROUPS_ + lane / 16, lane % 16));                                             \
    c = CALL;                                                                                                          \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        MATRIX_OUT(1, 16, 16, 0, v * GROUPS_ + lane / 16, lane % 16) = BITS(c[at_]);)
#define PLAIN_F16(v)  bits_f16(v)
#define PLAIN_BF16(v) ((u32)(u16)(v))
#ifdef __AMDGPU__
#define OUT_F16  PLAIN_F16
#define OUT_BF16 PLAIN_BF16
#else
#define OUT_F16  BITS_F16
#define OUT_BF16 BITS_BF16
#endif
#if !defined(__AMDGPU__) || (defined(__GFX11__) && DEVICE_HAS(__builtin_amdgcn_wmma_f32_16x16x16_f16_w32)) || \
    (defined(__GFX11__) && DEVICE_HAS(__builtin_amdgcn_wmma_f32_16x16x16_f16_w64))
WMMA(wmma_f32_f16, 16, mat_f16x16, 16, AS_F16, WIDE(f32), AS_F32, BITS_F32, v,
     W(__builtin_amdgcn_wmma_f32_16x16x16_f16)(a, b, c))
WMMA(wmma_f32_bf16, 16, mat_i16x16, 16, AS_BF16, WIDE(f32), AS_F32, BITS_F32, v,
     W(__builtin_amdgcn_wmma_f32_16x16x16_bf16)(a, b, c))
WMMA(wmma_f16_low, 16, mat_f16x16, 16, AS_F16, HALVES(f16), AS_F16, OUT_F16, 2 * v,
     W(__builtin_amdgcn_wmma_f16_16x16x16_f16)(a, b, c, 0))
WMMA(wmma_f16_high, 16, mat_f16x16, 16, AS_F16, HALVES(f16), AS_F16, OUT_F16, 2 * v + 1,
     W(__builtin_amdgcn_wmma_f16_16x16x16_f16)(a, b, c, 1))
WMMA(wmma_bf16_low, 16, mat_i16x16, 16, AS_BF16, HALVES(i16), AS_BF16, OUT_BF16, 2 * v,
     W(__builtin_amdgcn_wmma_bf16_16x16x16_bf16)(a, b, c, 0))
WMMA(wmma_i32_iu8, 16, mat_i8x16, 16, AS_I8, WIDE(i32), AS_I32, BITS_I32, v,
     W(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(1, WORDS4(a), 1, WORDS4(b), c, 0))
#endif

/* WMMA of gfx12: k is shared out among groups of 16 lanes, as are the rows of C and D. */
#if defined(__AMDGPU__) && __AMDGCN_WAVEFRONT_SIZE__ == 64
#define W12(name) name##_w64_gfx12
#define PART(t)   mat_##t##x4
#define PART8     mat_i8x4
#define BYTES12   WORD
#define PART16    mat_i16x4
#else
#define W12(name) name##_w32_gfx12
#define PART(t)   mat_##t##x8
#define PART8     mat_i8x8
#define BYTES12   WORDS2
#define PART16    mat_i16x8
#endif
#define WMMA12(name, k, AT, kl, AS_A, AS_B, CT, AS_C, BITS, CALL) MATRIX(name, 1, 16, 16, k, BITS,                     \
    AT a; AT b; CT c;                                                                                                  \
    for (u32 j = 0; j < (kl); j++) {                                                                                   \
        a[j] = AS_A(mat_a(seed, 0, lane % 16, lane / 16 * (kl) + j));                                                  \
        b[j] = AS_B(mat_b(seed, 0, lane / 16 * (kl) + j, lane % 16));                                                  \
    }                                                                                                                  \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        c[v] = AS_C(mat_c(seed, 0, lane / 16 * REGS + v, lane % 16));                                                  \
    c = CALL;                                                                                                          \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        MATRIX_OUT(1, 16, 16, 0, lane / 16 * REGS + v, lane % 16) = BITS(c[v]);)
#define SWMMAC(name, k, AT, BT, kl, AS_A, CT, AS_C, BITS, CALL) SPARSE(name, 1, 16, 16, k, BITS,                       \
    AT a; BT b; CT c;                                                                                                  \
    u32 group = lane / 16;                                                                                             \
    u32 index = 0;                                                                                                     \
    for (u32 j = 0; j < (kl); j++) {                                                                                   \
        u32 x = group * (2 * (kl)) + j / 2 * 4;                                                                        \
        u32 place = mat_place(lane % 16, x / 4, j % 2);                                                                \
        a[j] = AS_A(mat_a(seed, 0, lane % 16, x + place));                                                             \
        index |= place << 2 * j;                                                                                       \
    }                                                                                                                  \
    for (u32 j = 0; j < 2 * (kl); j++)                                                                                 \
        b[j] = AS_A(mat_b(seed, 0, group * (2 * (kl)) + j, lane % 16));                                                \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        c[v] = AS_C(mat_c(seed, 0, group * REGS + v, lane % 16));                                                      \
    c = CALL;                                                                                                          \
    for (u32 v = 0; v < REGS; v++)                                                                                     \
        MATRIX_OUT(1, 16, 16, 0, group * REGS + v, lane % 16) = BITS(c[v]);)
#if !defined(__AMDGPU__) || (defined(__GFX12__) && !defined(__gfx1250__) && !defined(__gfx1251__))
WMMA12(wmma12_f32_f16, 16, PART(f16), REGS, AS_F16, AS_F16, WIDE(f32), AS_F32, BITS_F32,
       W12(__builtin_amdgcn_wmma_f32_16x16x16_f16)(a, b, c))
WMMA12(wmma12_f16_f16, 16, PART(f16), REGS, AS_F16, AS_F16, PART(f16), AS_F16, OUT_F16,
       W12(__builtin_amdgcn_wmma_f16_16x16x16_f16)(a, b, c))
WMMA12(wmma12_f32_bf16, 16, PART16, REGS, AS_BF16, AS_BF16, WIDE(f32), AS_F32, BITS_F32,
       W12(__builtin_amdgcn_wmma_f32_16x16x16_bf16)(a, b, c))
WMMA12(wmma12_bf16_bf16, 16, PART16, REGS, AS_BF16, AS_BF16, PART16, AS_BF16, OUT_BF16,
       W12(__builtin_amdgcn_wmma_bf16_16x16x16_bf16)(a, b, c))
WMMA12(wmma12_i32_iu8, 16, PART8, REGS, AS_I8, AS_I8, WIDE(i32), AS_I32, BITS_I32,
       W12(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(1, BYTES12(a), 1, BYTES12(b), c, 0))
WMMA12(wmma12_f32_fp8_bf8, 16, PART8, REGS, AS_FP8, AS_BF8, WIDE(f32), AS_F32, BITS_F32,
       W12(__builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8)(BYTES12(a), BYTES12(b), c))
WMMA12(wmma12_f32_bf8_fp8, 16, PART8, REGS, AS_BF8, AS_FP8, WIDE(f32), AS_F32, BITS_F32,
       W12(__builtin_amdgcn_wmma_f32_16x16x16_bf8_fp8)(BYTES12(a), BYTES12(b), c))
SWMMAC(swmmac_f32_f16, 32, PART(f16), HALVES(f16), REGS, AS_F16, WIDE(f32), AS_F32, BITS_F32,
       W(__builtin_amdgcn_swmmac_f32_16x16x32_f16)(a, b, c, (i16)index))
#endif
/* clang-format on */
