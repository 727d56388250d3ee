/* gfx1250's matrix instructions by clang 22's builtins (where it has too few bits for an index, in assembly), one
 * product for each wave, against three loops in C: elements of matrix.h, small whole numbers. The device gathers A and
 * B into its lanes and scatters D. Part of diff.c. */
#if DEVICE_HAS(__builtin_amdgcn_wmma_f32_16x16x128_f8f6f4)

/* Scales of blocks: 1 or 2 for A, 1, 2 or 4 for B. */
SHARED u32 wide_scale_a(u32 seed, u32 i, u32 block)
{
    return (seed + i + block) % 2;
}
SHARED u32 wide_scale_b(u32 seed, u32 j, u32 block)
{
    return (seed * 3 + j + 2 * block + block / 3) % 3;
}

#ifdef __AMDGPU__
/* The code of a whole number from -4 to 4 in fp8, bf8, fp6, bf6 or fp4. */
static u32 wide_code(u32 format, i32 v)
{
    static const u8 code[5][5] = {{0, 0x38, 0x40, 0x44, 0x48},
                                  {0, 0x3c, 0x40, 0x42, 0x44},
                                  {0, 8, 16, 20, 24},
                                  {0, 12, 16, 18, 20},
                                  {0, 2, 4, 5, 6}};
    static const u8 sign[5] = {0x80, 0x80, 0x20, 0x20, 8};
    u32 mag = (u32)(v < 0 ? -v : v), c = 0;

    for (u32 k = 1; k < 5; k++) /* no table in memory is wanted */
        c = mag == k ? code[format][k] : c;
    return v < 0 ? c | sign[format] : c;
}
#define CODE_FP8(v)  wide_code(0, v)
#define CODE_BF8(v)  wide_code(1, v)
#define CODE_FP6(v)  wide_code(2, v)
#define CODE_BF6(v)  wide_code(3, v)
#define CODE_FP4(v)  wide_code(4, v)
#define CODE_F16(v)  bits_f16((f16)(v))
#define CODE_BF16(v) (__builtin_bit_cast(u32, (f32)(v)) >> 16)
#define CODE_F32(v)  bits_f32((f32)(v))
#define CODE_I8(v)   ((u32)(v)&0xff)

static void wide_put(u32 *words, u32 bits, u32 item, u32 code)
{
    u32 at = item * bits;

    words[at / 32] |= code << at % 32;
    if (at % 32 + bits > 32)
        words[at / 32 + 1] |= code >> (32 - at % 32);
}

/* The k of a lane's item: the halves of the wave take turns, `run` k each. */
static u32 wide_k(u32 lane, u32 item, u32 run)
{
    return item / run * 2 * run + lane / 16 * run + item % run;
}

/* Words as a vector. */
#define WIDE_AS(T, words)                                                                                              \
    ({                                                                                                                 \
        T v_;                                                                                                          \
        __builtin_memcpy(&v_, words, sizeof v_);                                                                       \
        v_;                                                                                                            \
    })
typedef VEC(__bf16, 8) wide_bf16x8;
typedef VEC(__bf16, 16) wide_bf16x16;
typedef VEC(__bf16, 32) wide_bf16x32;
typedef VEC(f16, 32) wide_f16x32;

#define WIDE_ROW(v) (lane / 16 * 8 + (v) % 8 + (v) / 8 * 16)
#define WIDE_F32(v) BITS_F32((v) + 0.0f) /* the host's sums have no -0 */
#define WIDE_F16(v) PLAIN_F16(v)
#define WIDE_BF16(v)                                                                                                   \
    ({                                                                                                                 \
        __bf16 e_ = v; /* clang 22 casts a vector's first element, whichever is named */                               \
        (u32) __builtin_bit_cast(u16, e_);                                                                             \
    })
#define WIDE_I32(v)    BITS_I32(v)
#define WIDE_C_F32(v)  ((f32)(v))
#define WIDE_C_F16(v)  ((f16)(v))
#define WIDE_C_BF16(v) ((__bf16)(f32)(v))
#define WIDE_C_I32(v)  (v)
/* Gathers A (`rows` of them), B and C, and scatters D. */
#define WIDE_AB(rows, ka, kb, BA, CODE_A, run_a, AT, BB, CODE_B, run_b)                                                \
    u32 a[16] = {0}, b[16] = {0};                                                                                      \
    for (u32 t = 0; t < (rows) / 16; t++)                                                                              \
        for (u32 j = 0; j < (ka) / 2; j++)                                                                             \
            wide_put(a + 8 * t, BA, j, CODE_A(AT(seed, lane % 16 + 16 * t, wide_k(lane, j, run_a))));                  \
    for (u32 j = 0; j < (kb) / 2; j++)                                                                                 \
        wide_put(b, BB, j, CODE_B(mat_b(seed, 0, wide_k(lane, j, run_b), lane % 16)));
#define WIDE_CD(rows, CT, C_AS, DT, BITS, CALL)                                                                        \
    CT c;                                                                                                              \
    for (u32 v = 0; v < (rows) / 2; v++)                                                                               \
        c[v] = C_AS(mat_c(seed, 0, WIDE_ROW(v), lane % 16));                                                           \
    DT d = CALL;                                                                                                       \
    for (u32 v = 0; v < (rows) / 2; v++)                                                                               \
        MATRIX_OUT(1, rows, 16, 0, WIDE_ROW(v), lane % 16) = BITS(d[v]);
#define WIDE_DENSE(seed, i, k)  mat_a(seed, 0, i, k)
#define WIDE_SPARSE(seed, i, k) mat_a(seed, 0, i, (k) / 2 * 4 + mat_place(i, (k) / 2, (k) % 2))
#define WIDE_DEVICE(name, ...)                                                                                         \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        u32 lane = LANE, seed = MATRIX_SEED;                                                                           \
        __VA_ARGS__                                                                                                    \
    }
#define WIDE_SUM(name, rows, k, BITS, C, TERM, ...)  WIDE_DEVICE(name, __VA_ARGS__)
#define WIDE_SPARSE_SUM(name, rows, k, BITS, C, ...) WIDE_DEVICE(name, __VA_ARGS__)
#else
#define WIDE_F32(v)  BITS_F32(v)
#define WIDE_F16(v)  BITS_F16(v)
#define WIDE_BF16(v) BITS_BF16(v)
#define WIDE_I32(v)  BITS_I32(v)
#define WIDE_SUM(name, rows, k, BITS, C, TERM, ...)                                                                    \
    GROUP_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        for (u32 w = 0; w < GROUP / WAVE; w++)                                                                         \
            for (u32 i = 0; i < (rows); i++)                                                                           \
                for (u32 j = 0; j < 16; j++) {                                                                         \
                    const u32 seed = GROUP_ID * 8 + w;                                                                 \
                    i32 c = mat_c(seed, 0, i, j), s = C;                                                               \
                    for (u32 x = 0; x < (k); x++)                                                                      \
                        s += TERM;                                                                                     \
                    out[(GROUP_ID * GROUP + w * WAVE) * SLOTS + i * 16 + j] = BITS(s);                                 \
                }                                                                                                      \
    }
#define WIDE_SPARSE_SUM(name, rows, k, BITS, C, ...)                                                                   \
    WIDE_SUM(name, rows, k, BITS, C, x % 4 == mat_place(i, x / 4, 0) || x % 4 == mat_place(i, x / 4, 1) ? WIDE_TERM : 0)
#endif
#define WIDE_TERM (mat_a(seed, 0, i, x) * mat_b(seed, 0, x, j))

/* --- dense -------------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define WIDE_PLAIN(name, k, BITS, bits, CODE_A, CODE_B, run, CT, C_AS, DT, C, TERM, CALL)                              \
    WIDE_SUM(wide_##name, 16, k, BITS, C, TERM,                                                                        \
             WIDE_AB(16, k, k, bits, CODE_A, run, WIDE_DENSE, bits, CODE_B, run) WIDE_CD(16, CT, C_AS, DT, BITS, CALL))
#define WMMA_(name) __builtin_amdgcn_wmma_##name
WIDE_PLAIN(f32_16x16x4_f32, 4, WIDE_F32, 32, CODE_F32, CODE_F32, 2, mat_f32x8, WIDE_C_F32, mat_f32x8, -c, -WIDE_TERM,
    WMMA_(f32_16x16x4_f32)(1, WIDE_AS(mat_f32x2, a), 0, WIDE_AS(mat_f32x2, b), 1, c, 0, 0))
WIDE_PLAIN(f32_16x16x32_f16, 32, WIDE_F32, 16, CODE_F16, CODE_F16, 8, mat_f32x8, WIDE_C_F32, mat_f32x8, c, WIDE_TERM,
    WMMA_(f32_16x16x32_f16)(0, WIDE_AS(mat_f16x16, a), 0, WIDE_AS(mat_f16x16, b), 0, c, 0, 0))
WIDE_PLAIN(f32_16x16x32_f16_neg, 32, WIDE_F32, 16, CODE_F16, CODE_F16, 8, mat_f32x8, WIDE_C_F32, mat_f32x8,
    -(c < 0 ? -c : c), -WIDE_TERM,
    WMMA_(f32_16x16x32_f16)(0, WIDE_AS(mat_f16x16, a), 1, WIDE_AS(mat_f16x16, b), 3, c, 1, 0))
WIDE_PLAIN(f16_16x16x32_f16, 32, WIDE_F16, 16, CODE_F16, CODE_F16, 8, mat_f16x8, WIDE_C_F16, mat_f16x8, c, WIDE_TERM,
    WMMA_(f16_16x16x32_f16)(0, WIDE_AS(mat_f16x16, a), 0, WIDE_AS(mat_f16x16, b), 0, c, 0, 0))
WIDE_PLAIN(f32_16x16x32_bf16, 32, WIDE_F32, 16, CODE_BF16, CODE_BF16, 8, mat_f32x8, WIDE_C_F32, mat_f32x8, c, WIDE_TERM,
    WMMA_(f32_16x16x32_bf16)(0, WIDE_AS(wide_bf16x16, a), 0, WIDE_AS(wide_bf16x16, b), 0, c, 0, 0))
WIDE_PLAIN(bf16_16x16x32_bf16, 32, WIDE_BF16, 16, CODE_BF16, CODE_BF16, 8, wide_bf16x8, WIDE_C_BF16, wide_bf16x8, c,
    WIDE_TERM, WMMA_(bf16_16x16x32_bf16)(0, WIDE_AS(wide_bf16x16, a), 0, WIDE_AS(wide_bf16x16, b), 0, c, 0, 0))
WIDE_PLAIN(bf16f32_16x16x32_bf16, 32, WIDE_BF16, 16, CODE_BF16, CODE_BF16, 8, mat_f32x8, WIDE_C_F32, wide_bf16x8, c,
    WIDE_TERM, WMMA_(bf16f32_16x16x32_bf16)(0, WIDE_AS(wide_bf16x16, a), 0, WIDE_AS(wide_bf16x16, b), 0, c, 0, 0))
WIDE_PLAIN(f32_16x16x64_fp8_bf8, 64, WIDE_F32, 8, CODE_FP8, CODE_BF8, 16, mat_f32x8, WIDE_C_F32, mat_f32x8, c,
    WIDE_TERM, WMMA_(f32_16x16x64_fp8_bf8)(WIDE_AS(mat_i32x8, a), WIDE_AS(mat_i32x8, b), 0, c, 0, 0))
WIDE_PLAIN(f16_16x16x64_bf8_fp8, 64, WIDE_F16, 8, CODE_BF8, CODE_FP8, 16, mat_f16x8, WIDE_C_F16, mat_f16x8, c,
    WIDE_TERM, WMMA_(f16_16x16x64_bf8_fp8)(WIDE_AS(mat_i32x8, a), WIDE_AS(mat_i32x8, b), 0, c, 0, 0))
WIDE_PLAIN(i32_16x16x64_iu8, 64, WIDE_I32, 8, CODE_I8, CODE_I8, 16, mat_i32x8, WIDE_C_I32, mat_i32x8, c, WIDE_TERM,
    WMMA_(i32_16x16x64_iu8)(1, WIDE_AS(mat_i32x8, a), 1, WIDE_AS(mat_i32x8, b), c, 0, 0))
WIDE_PLAIN(i32_16x16x64_iu8_unsigned, 64, WIDE_I32, 8, CODE_I8, CODE_I8, 16, mat_i32x8, WIDE_C_I32, mat_i32x8, c,
    (i32)(mat_a(seed, 0, i, x) & 0xff) * mat_b(seed, 0, x, j),
    WMMA_(i32_16x16x64_iu8)(0, WIDE_AS(mat_i32x8, a), 1, WIDE_AS(mat_i32x8, b), c, 0, 0))
WIDE_PLAIN(f32_16x16x128_fp8_fp8, 128, WIDE_F32, 8, CODE_FP8, CODE_FP8, 16, mat_f32x8, WIDE_C_F32, mat_f32x8, c,
    WIDE_TERM, WMMA_(f32_16x16x128_fp8_fp8)(WIDE_AS(mat_i32x16, a), WIDE_AS(mat_i32x16, b), 0, c, 0, 0))
WIDE_PLAIN(f16_16x16x128_fp8_bf8, 128, WIDE_F16, 8, CODE_FP8, CODE_BF8, 16, mat_f16x8, WIDE_C_F16, mat_f16x8, c,
    WIDE_TERM, WMMA_(f16_16x16x128_fp8_bf8)(WIDE_AS(mat_i32x16, a), WIDE_AS(mat_i32x16, b), 0, c, 0, 0))

/* --- sparse: A holds two of each four ----------------------------------------------------------------------------- */

/* The index sets of row lane % 16: its first half in lanes 0 to 15, its second in lanes 16 to 31. */
#define WIDE_INDEX(k)                                                                                                  \
    u64 index = 0;                                                                                                     \
    for (u32 t = 0; t < (k) / 4; t++) {                                                                                \
        u32 stored = lane / 16 * ((k) / 4) + t;                                                                        \
        index |= (u64)mat_place(lane % 16, stored / 2, stored % 2) << 2 * t;                                           \
    }
#define WIDE_PICKED(name, k, BITS, bits, CODE_A, CODE_B, run, CT, C_AS, DT, CALL)                                      \
    WIDE_SPARSE_SUM(wide_swmmac_##name, 16, k, BITS, c,                                                                \
                    WIDE_AB(16, (k) / 2, k, bits, CODE_A, run, WIDE_SPARSE, bits, CODE_B, 2 * (run)) WIDE_INDEX(k)     \
                        WIDE_CD(16, CT, C_AS, DT, BITS, CALL))
/* v_nop: as many as the longest of them wants before its registers are free, which the compiler does not know. */
#define WIDE_ASM(text, A, more)                                                                                        \
    ({                                                                                                                 \
        __typeof__(c) c_ = c;                                                                                          \
        __asm__ volatile(text " %0, %1, %2, %3" more "\n\tv_nop\n\tv_nop\n\tv_nop\n\tv_nop"                             \
                         : "+v"(c_)                                                                                    \
                         : "v"(WIDE_AS(mat_i32x8, a)), "v"(WIDE_AS(A, b)), "v"(index));                                \
        c_;                                                                                                            \
    })
#define SWMMAC_(name) __builtin_amdgcn_swmmac_##name
WIDE_PICKED(f32_16x16x64_f16, 64, WIDE_F32, 16, CODE_F16, CODE_F16, 8, mat_f32x8, WIDE_C_F32, mat_f32x8,
    SWMMAC_(f32_16x16x64_f16)(0, WIDE_AS(mat_f16x16, a), 0, WIDE_AS(wide_f16x32, b), c, (i32)index, 0, 0))
WIDE_PICKED(f16_16x16x64_f16, 64, WIDE_F16, 16, CODE_F16, CODE_F16, 8, mat_f16x8, WIDE_C_F16, mat_f16x8,
    SWMMAC_(f16_16x16x64_f16)(0, WIDE_AS(mat_f16x16, a), 0, WIDE_AS(wide_f16x32, b), c, (i32)index, 0, 0))
WIDE_PICKED(bf16_16x16x64_bf16, 64, WIDE_BF16, 16, CODE_BF16, CODE_BF16, 8, wide_bf16x8, WIDE_C_BF16, wide_bf16x8,
    SWMMAC_(bf16_16x16x64_bf16)(0, WIDE_AS(wide_bf16x16, a), 0, WIDE_AS(wide_bf16x32, b), c, (i32)index, 0, 0))
WIDE_PICKED(f32_16x16x128_fp8_bf8, 128, WIDE_F32, 8, CODE_FP8, CODE_BF8, 16, mat_f32x8, WIDE_C_F32, mat_f32x8,
    WIDE_ASM("v_swmmac_f32_16x16x128_fp8_bf8", mat_i32x16, ""))
WIDE_PICKED(f16_16x16x128_bf8_bf8, 128, WIDE_F16, 8, CODE_BF8, CODE_BF8, 16, mat_f16x8, WIDE_C_F16, mat_f16x8,
    WIDE_ASM("v_swmmac_f16_16x16x128_bf8_bf8", mat_i32x16, ""))
WIDE_PICKED(i32_16x16x128_iu8, 128, WIDE_I32, 8, CODE_I8, CODE_I8, 16, mat_i32x8, WIDE_C_I32, mat_i32x8,
    WIDE_ASM("v_swmmac_i32_16x16x128_iu8", mat_i32x16, " neg_lo:[1,1,0]"))

/* --- formats and scales ------------------------------------------------------------------------------------------- */

#define WIDE_RUN(bits) ((bits) == 8 ? 16 : 32)
#define WIDE_BLOCKS(name, rows, bits_a, CODE_A, bits_b, CODE_B, TERM, MORE, CALL)                                      \
    WIDE_SUM(wide_##name, rows, 128, WIDE_F32, c, TERM,                                                                \
             WIDE_AB(rows, 128, 128, bits_a, CODE_A, WIDE_RUN(bits_a), WIDE_DENSE, bits_b, CODE_B, WIDE_RUN(bits_b))   \
                 MORE WIDE_CD(rows, VEC_F32_##rows, WIDE_C_F32, VEC_F32_##rows, WIDE_F32, CALL))
#define VEC_F32_16 mat_f32x8
#define VEC_F32_32 mat_f32x16
#define F8F6F4(a_fmt, b_fmt) \
    WMMA_(f32_16x16x128_f8f6f4)(a_fmt, WIDE_AS(mat_i32x16, a), b_fmt, WIDE_AS(mat_i32x16, b), 0, c)
#define NOTHING
WIDE_BLOCKS(fp8_fp8, 16, 8, CODE_FP8, 8, CODE_FP8, WIDE_TERM, NOTHING, F8F6F4(0, 0))
WIDE_BLOCKS(bf8_fp4, 16, 8, CODE_BF8, 4, CODE_FP4, WIDE_TERM, NOTHING, F8F6F4(1, 4))
WIDE_BLOCKS(fp6_bf8, 16, 6, CODE_FP6, 8, CODE_BF8, WIDE_TERM, NOTHING, F8F6F4(2, 1))
WIDE_BLOCKS(bf6_fp6, 16, 6, CODE_BF6, 6, CODE_FP6, WIDE_TERM, NOTHING, F8F6F4(3, 2))
WIDE_BLOCKS(fp4_bf6, 16, 4, CODE_FP4, 6, CODE_BF6, WIDE_TERM, NOTHING, F8F6F4(4, 3))
WIDE_BLOCKS(fp4_fp4, 16, 4, CODE_FP4, 4, CODE_FP4, WIDE_TERM, NOTHING, F8F6F4(4, 4))
WIDE_BLOCKS(f4_32, 32, 4, CODE_FP4, 4, CODE_FP4, WIDE_TERM, NOTHING,
    WMMA_(f32_32x16x128_f4)(WIDE_AS(mat_i32x16, a), WIDE_AS(mat_i32x8, b), 0, c))

/* Scales in E8M0 of rows of A in lanes 0 to 15 or in all, of columns of B in lanes 16 to 31, and others beside them. */
#define WIDE_SCALED_TERM(block)                                                                                        \
    (WIDE_TERM * (1 << (wide_scale_a(seed, i, x / (block)) + wide_scale_b(seed, j, x / (block)))))
#define WIDE_SCALES(block, rows)                                                                                       \
    u64 sa = 0, sb = 0;                                                                                                \
    for (u32 t = 0; t < 128 / (block); t++) {                                                                          \
        u32 ea = wide_scale_a(seed, lane, t), eb = wide_scale_b(seed, lane % 16, t);                                   \
        sa |= (u64)((rows) == 16 && lane >= 16 ? 200 : 127 + ea) << 8 * t;                                             \
        sb |= (u64)(lane < 16 ? 60 : 127 + eb) << 8 * t;                                                               \
    }
#define SCALED(name, a_fmt, b_fmt, T) \
    WMMA_(name)(a_fmt, WIDE_AS(mat_i32x16, a), b_fmt, WIDE_AS(mat_i32x16, b), 0, c, 0, 0, (T)sa, 1, 0, (T)sb, 0, 0)
WIDE_BLOCKS(scale_fp8_fp4, 16, 8, CODE_FP8, 4, CODE_FP4, WIDE_SCALED_TERM(32), WIDE_SCALES(32, 16),
    SCALED(scale_f32_16x16x128_f8f6f4, 0, 4, i32))
WIDE_BLOCKS(scale_bf6_bf8, 16, 6, CODE_BF6, 8, CODE_BF8, WIDE_SCALED_TERM(32), WIDE_SCALES(32, 16),
    SCALED(scale_f32_16x16x128_f8f6f4, 3, 1, i32))
WIDE_BLOCKS(scale16_fp4_fp6, 16, 4, CODE_FP4, 6, CODE_FP6, WIDE_SCALED_TERM(16), WIDE_SCALES(16, 16),
    SCALED(scale16_f32_16x16x128_f8f6f4, 4, 2, long))
WIDE_BLOCKS(scale16_fp8_fp8, 16, 8, CODE_FP8, 8, CODE_FP8, WIDE_SCALED_TERM(16), WIDE_SCALES(16, 16),
    SCALED(scale16_f32_16x16x128_f8f6f4, 0, 0, long))
#define SCALED_F4(name, T) \
    WMMA_(name)(WIDE_AS(mat_i32x16, a), WIDE_AS(mat_i32x8, b), 0, c, 0, 0, (T)sa, 1, 0, (T)sb, 0, 0)
WIDE_BLOCKS(scale_f4_32, 32, 4, CODE_FP4, 4, CODE_FP4, WIDE_SCALED_TERM(32), WIDE_SCALES(32, 32),
    SCALED_F4(scale_f32_32x16x128_f4, i32))
WIDE_BLOCKS(scale16_f4_32, 32, 4, CODE_FP4, 4, CODE_FP4, WIDE_SCALED_TERM(16), WIDE_SCALES(16, 32),
    SCALED_F4(scale16_f32_32x16x128_f4, long))

/* For E4M3: 1 for A, and 1, 2 or 4 for B. */
WIDE_BLOCKS(scale16_e4m3, 16, 4, CODE_FP4, 4, CODE_FP4, WIDE_TERM * (1 << wide_scale_b(seed, j, x / 16)),
    u64 sa = 0x3838383838383838; u64 sb = 0;
    for (u32 t = 0; t < 8; t++)
        sb |= (u64)(0x38 + 8 * wide_scale_b(seed, lane % 16, t)) << 8 * t;,
    WMMA_(scale16_f32_16x16x128_f8f6f4)(4, WIDE_AS(mat_i32x16, a), 4, WIDE_AS(mat_i32x16, b), 0, c, 0, 2, (long)sa,
                                        1, 2, (long)sb, 0, 0))
/* clang-format on */

#endif
