/* Transposing loads that feed WMMA on gfx12 and gfx1250: both sources lie by rows of k (of 16 elements), and the loads
 * bring them into place. The staged copy in memory is part of what is compared. Part of diff.c. */

enum { MAT_STAGE = 256 }; /* words of a wave's results before A; B follows */
#define SOURCE_WORDS(bits, k) ((k) * (bits) / 2)
#define WAVE_OUT(w)           ((GROUP_ID * GROUP + (w)*WAVE) * SLOTS)

/* As f16, i8, or a float of 6 (e2m3) or 4 bits (e2m1); all hold -4 to 4. */
SHARED u32 mat_code(u32 bits, i32 v)
{
    static const u8 four[5] = {0, 2, 4, 5, 6}, six[5] = {0, 8, 16, 20, 24};
    u32 n = (u32)(v < 0 ? -v : v);

    if (bits == 16)
        return __builtin_bit_cast(u16, (f16)v);
    if (bits == 8)
        return (u8)v;
    return bits == 4 ? four[n] | (v < 0) * 8u : six[n] | (v < 0) * 32u;
}
/* Word n of a source. */
SHARED u32 mat_row_word(u32 bits, u32 is_b, u32 seed, u32 n)
{
    u32 word = 0;

    for (u32 b = 0; b < 32; b++) {
        u32 at = n * 32 + b, k = at / bits / 16, line = at / bits % 16;
        i32 v = is_b ? mat_b(seed, 0, k, line) : mat_a(seed, 0, line, k);
        word |= (mat_code(bits, v) >> at % bits & 1) << b;
    }
    return word;
}

#ifdef __AMDGPU__
#define TRANSPOSED(name, bits, k, BITS, CT, regs, ...)                                                                 \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        u32 lane = LANE, seed = MATRIX_SEED, words = SOURCE_WORDS(bits, k);                                            \
        GLOBAL u32 *from = out + WAVE_OUT(LID / WAVE) + MAT_STAGE;                                                     \
        CT c;                                                                                                          \
        for (u32 n = lane; n < 2 * words; n += WAVE)                                                                   \
            from[n] = mat_row_word(bits, n >= words, seed, n % words);                                                 \
        for (u32 v = 0; v < (regs); v++)                                                                               \
            c[v] = (__typeof__(c[0] + c[0]))mat_c(seed, 0, lane / 16 * (regs) + v, lane % 16);                         \
        BARRIER();                                                                                                     \
        __VA_ARGS__                                                                                                    \
        for (u32 v = 0; v < (regs); v++)                                                                               \
            MATRIX_OUT(1, 16, 16, 0, lane / 16 * (regs) + v, lane % 16) = BITS(c[v]);                                  \
    }
/* the same from LDS */
#define STAGE_IN_LDS                                                                                                   \
    LDS(u32, staged, 8 * 768);                                                                                         \
    LDS_POINTER u32 *tile = staged + LID / WAVE * 768;                                                                 \
    for (u32 n = lane; n < 2 * words; n += WAVE)                                                                       \
        tile[n] = from[n];                                                                                             \
    BARRIER();
/* Where a lane reads, in words. */
#define PIECE(bits, k, line) (((k)*16 + (line)) * (bits) / 32)
#define EIGHT(bits, k)       PIECE(bits, (k) + lane % 8 + lane / 16 % 2 * 8, lane / 8 % 2 * 8)
#define EIGHT_4(k)           PIECE(8, (k) + lane % 4 + lane / 8 % 2 * 4 + lane / 16 % 2 * 8, lane / 4 % 2 * 8)
#define FOUR(k)              PIECE(4, (k) + lane, 0)
#define SIX(k)               PIECE(6, (k) + lane / 8 * 4 + lane % 4 + lane / 4 % 2 * 16, 0)
#define IN(SPACE, T, base)   ((SPACE T *)(base))
#else
#define TRANSPOSED(name, bits, k, BITS, CT, regs, ...)                                                                 \
    HOST_MATRIX(name##_product, 1, 16, 16, k, BITS, 0)                                                                 \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        name##_product(out, in, acc);                                                                                  \
        for (u32 w = 0; w < GROUP / WAVE; w++)                                                                         \
            for (u32 n = 0; n < 2 * SOURCE_WORDS(bits, k); n++)                                                        \
                out[WAVE_OUT(w) + MAT_STAGE + n] =                                                                     \
                    mat_row_word(bits, n >= SOURCE_WORDS(bits, k), GROUP_ID * 8 + w, n % SOURCE_WORDS(bits, k));       \
    }
#endif

/* clang-format off */
#if !defined(__AMDGPU__) || (defined(__GFX12__) && !defined(__gfx1250__) && !defined(__gfx1251__))
#if defined(__AMDGPU__) && __AMDGCN_WAVEFRONT_SIZE__ == 64
#define LOAD_F16(p) __builtin_bit_cast(mat_f16x4, __builtin_amdgcn_global_load_tr_b128_v4i16(IN(GLOBAL, mat_i16x4, p)))
#define LOAD_I8(p)  __builtin_amdgcn_global_load_tr_b64_i32(IN(GLOBAL, i32, p))
#else
#define LOAD_F16(p) __builtin_bit_cast(mat_f16x8, __builtin_amdgcn_global_load_tr_b128_v8i16(IN(GLOBAL, mat_i16x8, p)))
#define LOAD_I8(p)  __builtin_amdgcn_global_load_tr_b64_v2i32(IN(GLOBAL, mat_i32x2, p))
#endif
TRANSPOSED(transposed12_f16, 16, 16, BITS_F32, WIDE(f32), REGS,
    c = W12(__builtin_amdgcn_wmma_f32_16x16x16_f16)(LOAD_F16(from + EIGHT(16, 0)),
                                                    LOAD_F16(from + words + EIGHT(16, 0)), c);)
TRANSPOSED(transposed12_i8, 8, 16, BITS_I32, WIDE(i32), REGS,
    c = W12(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(1, LOAD_I8(from + EIGHT_4(0)), 1,
                                                    LOAD_I8(from + words + EIGHT_4(0)), c, 0);)
#endif

#if !defined(__AMDGPU__) || defined(__gfx1250__) || defined(__gfx1251__)
typedef VEC(i32, 3) mat_i32x3;
#define JOIN2(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define QUARTER_(to, base, LOAD, AT, q, step, regs)                                                                    \
    {                                                                                                                  \
        __typeof__(LOAD(base)) part = LOAD((base) + AT((q) * (step)));                                                 \
        for (u32 r = 0; r < (regs); r++)                                                                               \
            to[(q) * (regs) + r] = part[r];                                                                            \
    }
#define QUARTERS(to, base, LOAD, AT, step, regs)                                                                       \
    QUARTER_(to, base, LOAD, AT, 0, step, regs) QUARTER_(to, base, LOAD, AT, 1, step, regs)                            \
    QUARTER_(to, base, LOAD, AT, 2, step, regs) QUARTER_(to, base, LOAD, AT, 3, step, regs)
#define PRODUCT_F16(base, LOAD)                                                                                        \
    c = __builtin_amdgcn_wmma_f32_16x16x32_f16(0, JOIN2(LOAD((base) + EIGHT(16, 0)), LOAD((base) + EIGHT(16, 16))), 0, \
        JOIN2(LOAD((base) + words + EIGHT(16, 0)), LOAD((base) + words + EIGHT(16, 16))), 0, c, 0, 0);
#define PRODUCT_I8(base, LOAD, AT)                                                                                     \
    mat_i32x8 a, b;                                                                                                    \
    QUARTERS(a, base, LOAD, AT, 16, 2) QUARTERS(b, (base) + words, LOAD, AT, 16, 2)                                    \
    c = __builtin_amdgcn_wmma_i32_16x16x64_iu8(1, a, 1, b, c, 0, 0);
#define PRODUCT_SMALL(base, LOAD, AT, regs, format)                                                                    \
    mat_i32x16 a = (mat_i32x16)0, b = a;                                                                               \
    QUARTERS(a, base, LOAD, AT, 32, regs) QUARTERS(b, (base) + words, LOAD, AT, 32, regs)                              \
    c = __builtin_amdgcn_wmma_f32_16x16x128_f8f6f4(format, a, format, b, 0, c);
#define GLOBAL_16(p)    __builtin_bit_cast(mat_f16x8, __builtin_amdgcn_global_load_tr16_b128_v8i16(IN(GLOBAL, mat_i16x8, p)))
#define GLOBAL_8(p)     __builtin_amdgcn_global_load_tr8_b64_v2i32(IN(GLOBAL, mat_i32x2, p))
#define GLOBAL_6(p)     __builtin_amdgcn_global_load_tr6_b96_v3i32(IN(GLOBAL, mat_i32x3, p))
#define GLOBAL_4(p)     __builtin_amdgcn_global_load_tr4_b64_v2i32(IN(GLOBAL, mat_i32x2, p))
#define LDS_16(p)       __builtin_bit_cast(mat_f16x8, __builtin_amdgcn_ds_load_tr16_b128_v8i16(IN(LDS_POINTER, mat_i16x8, p)))
#define LDS_8(p)        __builtin_amdgcn_ds_load_tr8_b64_v2i32(IN(LDS_POINTER, mat_i32x2, p))
#define LDS_6(p)        __builtin_amdgcn_ds_load_tr6_b96_v3i32(IN(LDS_POINTER, mat_i32x3, p))
#define LDS_4(p)        __builtin_amdgcn_ds_load_tr4_b64_v2i32(IN(LDS_POINTER, mat_i32x2, p))
TRANSPOSED(transposed1250_f16, 16, 32, BITS_F32, mat_f32x8, 8, PRODUCT_F16(from, GLOBAL_16))
TRANSPOSED(transposed1250_i8, 8, 64, BITS_I32, mat_i32x8, 8, PRODUCT_I8(from, GLOBAL_8, EIGHT_4))
TRANSPOSED(transposed1250_f6, 6, 128, BITS_F32, mat_f32x8, 8, PRODUCT_SMALL(from, GLOBAL_6, SIX, 3, 2))
TRANSPOSED(transposed1250_f4, 4, 128, BITS_F32, mat_f32x8, 8, PRODUCT_SMALL(from, GLOBAL_4, FOUR, 2, 4))
TRANSPOSED(transposed1250_lds_f16, 16, 32, BITS_F32, mat_f32x8, 8, STAGE_IN_LDS PRODUCT_F16(tile, LDS_16))
TRANSPOSED(transposed1250_lds_i8, 8, 64, BITS_I32, mat_i32x8, 8, STAGE_IN_LDS PRODUCT_I8(tile, LDS_8, EIGHT_4))
TRANSPOSED(transposed1250_lds_f6, 6, 128, BITS_F32, mat_f32x8, 8, STAGE_IN_LDS PRODUCT_SMALL(tile, LDS_6, SIX, 3, 2))
TRANSPOSED(transposed1250_lds_f4, 4, 128, BITS_F32, mat_f32x8, 8, STAGE_IN_LDS PRODUCT_SMALL(tile, LDS_4, FOUR, 2, 4))
#endif
/* clang-format on */
