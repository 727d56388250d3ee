/* The matrix instructions that tests/bench/bench.c runs: words with their text, and the product of host_loop.c that
 * does the same arithmetic (for a sparse A that of the k it stores, each with the row of B that a number picks). */
#ifndef BENCH_MATRICES_H
#define BENCH_MATRICES_H

#include <stdint.h>

#include "tests/bench/host_loop.h"

struct matrix {
    const char *name, *target; /* the name without its v_ */
    unsigned wave;
    uint32_t code[2];
    enum host_matrix host;
};

/* clang-format off */
static const struct matrix matrices[] = {
    {"mfma_f32_32x32x8f16", "gfx90a", 64, {0xd3cc0020, 0x04820500}, HOST_F32_32X32X8}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_32x32x8bf16_1k", "gfx90a", 64, {0xd3e60020, 0x04820500}, HOST_F32_32X32X8}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_32x32x2_f32", "gfx942", 64, {0xd3c40020, 0x04820300}, HOST_F32_32X32X2}, /* v[32:47], v0, v1, v[32:47] */
    {"mfma_f32_16x16x4_f32", "gfx942", 64, {0xd3c50020, 0x04820300}, HOST_F32_16X16X4}, /* v[32:35], v0, v1, v[32:35] */
    {"mfma_f32_32x32x1_2b_f32", "gfx942", 64, {0xd3c00020, 0x04820300}, HOST_F32_32X32X1_2B}, /* v[32:63], v0, v1, v[32:63] */
    {"mfma_f32_4x4x1_16b_f32", "gfx942", 64, {0xd3c20020, 0x04820300}, HOST_F32_4X4X1_16B}, /* v[32:35], v0, v1, v[32:35] */
    {"mfma_f32_32x32x8_f16", "gfx942", 64, {0xd3cc0020, 0x04820500}, HOST_F32_32X32X8}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_16x16x16_f16", "gfx942", 64, {0xd3cd0020, 0x04820500}, HOST_F32_16X16X16}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_f32_4x4x4_16b_f16", "gfx942", 64, {0xd3ca0020, 0x04820500}, HOST_F32_4X4X4_16B}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_f32_32x32x8_f16", "gfx942", 64, {0xd3cc0020, 0x02020500}, HOST_F32_32X32X8}, /* v[32:47], v[0:1], v[2:3], 0 */
    {"mfma_f32_32x32x8_bf16", "gfx942", 64, {0xd3e00020, 0x04820500}, HOST_F32_32X32X8}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_16x16x16_bf16", "gfx942", 64, {0xd3e10020, 0x04820500}, HOST_F32_16X16X16}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_f32_32x32x4_xf32", "gfx942", 64, {0xd3bf0020, 0x04820500}, HOST_F32_32X32X4}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_16x16x8_xf32", "gfx942", 64, {0xd3be0020, 0x04820500}, HOST_F32_16X16X8}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_f32_32x32x16_fp8_fp8", "gfx942", 64, {0xd3f70020, 0x04820500}, HOST_F32_32X32X16}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_f32_16x16x32_bf8_fp8", "gfx942", 64, {0xd3f10020, 0x04820500}, HOST_F32_16X16X32}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_f64_16x16x4_f64", "gfx942", 64, {0xd3ee0020, 0x04820500}, HOST_F64_16X16X4}, /* v[32:39], v[0:1], v[2:3], v[32:39] */
    {"mfma_f64_4x4x4_4b_f64", "gfx942", 64, {0xd3ef0020, 0x04820500}, HOST_F64_4X4X4_4B}, /* v[32:33], v[0:1], v[2:3], v[32:33] */
    {"mfma_i32_32x32x16_i8", "gfx942", 64, {0xd3d60020, 0x04820500}, HOST_I32_32X32X16}, /* v[32:47], v[0:1], v[2:3], v[32:47] */
    {"mfma_i32_16x16x32_i8", "gfx942", 64, {0xd3d70020, 0x04820500}, HOST_I32_16X16X32}, /* v[32:35], v[0:1], v[2:3], v[32:35] */
    {"mfma_i32_4x4x4_16b_i8", "gfx942", 64, {0xd3d20020, 0x04820500}, HOST_I32_4X4X4_16B}, /* v[32:35], v0, v2, v[32:35] */
    {"smfmac_f32_16x16x32_f16", "gfx942", 64, {0xd3e20020, 0x04220900}, HOST_F32_16X16X32_SPARSE}, /* v[32:35], v[0:1], v[4:7], v8 */
    {"smfmac_f32_32x32x16_bf16", "gfx942", 64, {0xd3e80020, 0x04220900}, HOST_F32_32X32X16_SPARSE}, /* v[32:47], v[0:1], v[4:7], v8 */
    {"smfmac_f32_16x16x64_fp8_fp8", "gfx942", 64, {0xd3fb0020, 0x04220900}, HOST_F32_16X16X64_SPARSE}, /* v[32:35], v[0:1], v[4:7], v8 */
    {"smfmac_i32_32x32x32_i8", "gfx942", 64, {0xd3ec0020, 0x04220900}, HOST_I32_32X32X32_SPARSE}, /* v[32:47], v[0:1], v[4:7], v8 */
    {"smfmac_i32_16x16x64_i8", "gfx942", 64, {0xd3ea0020, 0x04220900}, HOST_I32_16X16X64_SPARSE}, /* v[32:35], v[0:1], v[4:7], v8 */
    {"wmma_f32_16x16x16_f16", "gfx1100", 32, {0xcc404020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:7], v[8:15], v[32:39] */
    {"wmma_f32_16x16x16_f16", "gfx1100", 64, {0xcc404020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:7], v[8:15], v[32:39] */
    {"wmma_f16_16x16x16_f16", "gfx1100", 32, {0xcc424020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:7], v[8:15], v[32:39] */
    {"wmma_f32_16x16x16_bf16", "gfx1100", 32, {0xcc414020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:7], v[8:15], v[32:39] */
    {"wmma_bf16_16x16x16_bf16", "gfx1100", 32, {0xcc434020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:7], v[8:15], v[32:39] */
    {"wmma_i32_16x16x16_iu8", "gfx1100", 32, {0xcc444020, 0x7c821100}, HOST_I32_16X16X16}, /* v[32:39], v[0:3], v[8:11], v[32:39] neg_lo:[1,1,0] */
    {"wmma_i32_16x16x16_iu4", "gfx1100", 32, {0xcc454020, 0x1c821100}, HOST_I32_16X16X16}, /* v[32:39], v[0:1], v[8:9], v[32:39] */
    {"wmma_f32_16x16x16_f16", "gfx1201", 32, {0xcc404020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:3], v[8:11], v[32:39] */
    {"wmma_f32_16x16x16_f16", "gfx1201", 64, {0xcc404020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:3], v[8:11], v[32:39] */
    {"wmma_f16_16x16x16_f16", "gfx1201", 32, {0xcc424020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:35], v[0:3], v[8:11], v[32:35] */
    {"wmma_f32_16x16x16_bf16", "gfx1201", 32, {0xcc414020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:3], v[8:11], v[32:39] */
    {"wmma_bf16_16x16x16_bf16", "gfx1201", 32, {0xcc434020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:35], v[0:3], v[8:11], v[32:35] */
    {"wmma_f32_16x16x16_fp8_bf8", "gfx1201", 32, {0xcc474020, 0x1c821100}, HOST_F32_16X16X16}, /* v[32:39], v[0:1], v[8:9], v[32:39] */
    {"wmma_i32_16x16x16_iu8", "gfx1201", 32, {0xcc444020, 0x7c821100}, HOST_I32_16X16X16}, /* v[32:39], v[0:1], v[8:9], v[32:39] neg_lo:[1,1,0] */
    {"wmma_i32_16x16x32_iu4", "gfx1201", 32, {0xcc4a4020, 0x1c821100}, HOST_I32_16X16X32}, /* v[32:39], v[0:1], v[8:9], v[32:39] */
    {"swmmac_f32_16x16x32_f16", "gfx1201", 32, {0xcc504020, 0x1c521100}, HOST_F32_16X16X32_SPARSE}, /* v[32:39], v[0:3], v[8:15], v20 */
    {"swmmac_f32_16x16x32_f16", "gfx1201", 64, {0xcc504020, 0x1c521100}, HOST_F32_16X16X32_SPARSE}, /* v[32:39], v[0:3], v[8:15], v20 */
    {"swmmac_f16_16x16x32_f16", "gfx1201", 32, {0xcc524020, 0x1c521100}, HOST_F32_16X16X32_SPARSE}, /* v[32:35], v[0:3], v[8:15], v20 */
    {"swmmac_bf16_16x16x32_bf16", "gfx1201", 32, {0xcc534020, 0x1c521100}, HOST_F32_16X16X32_SPARSE}, /* v[32:35], v[0:3], v[8:15], v20 */
    {"swmmac_f32_16x16x32_fp8_fp8", "gfx1201", 32, {0xcc574020, 0x1c521100}, HOST_F32_16X16X32_SPARSE}, /* v[32:39], v[0:1], v[8:11], v20 */
    {"swmmac_i32_16x16x32_iu8", "gfx1201", 32, {0xcc544020, 0x1c521100}, HOST_I32_16X16X32_SPARSE}, /* v[32:39], v[0:1], v[8:11], v20 */
    {"swmmac_i32_16x16x64_iu4", "gfx1201", 32, {0xcc564020, 0x1c521100}, HOST_I32_16X16X64_SPARSE}, /* v[32:39], v[0:1], v[8:11], v20 */
};
/* clang-format on */

#endif
