/* Results of matrix instructions on their way to others, and others' on their way into matrix instructions, on MI100,
 * MI210 and MI300X.
 *
 * The figures are wait states, from LLVM 19's GCNHazardRecognizer and section 4.5 of the ISA manuals: with n of them
 * the reader issues n + 1 turns of 4 cycles after the writer, or when the matrix unit is free of the writer's passes.
 * Whether the program leaves them (s_nop) or the bench's hardware has to wait makes no difference. On MI100 the wait
 * states of a matrix instruction that takes a result as A or B count from the end of the passes of the first, as those
 * of v_accvgpr_read do. */
#include "tests/timing/gcn_rig.h"

/* clang-format off */
static const struct {
    unsigned chip;
    const char *writer, *reader;
    unsigned states, cycles;
} rows[] = {
    {GCN_MI100, "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 0, 8},
    {GCN_MI100, "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_4x4x1f32 a[2:5], v2, v4, a[2:5]", 2, 12},
    {GCN_MI100, "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_4x4x1f32 a[16:19], a1, v4, a[16:19]", 4, 20},
    {GCN_MI100, "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]",
     "v_accvgpr_read_b32 v6, a1", 4, 20},
    {GCN_MI100, "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]",
     "v_accvgpr_read_b32 v6, a30", 1, 8},
    {GCN_MI100, "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]", 0, 32},
    {GCN_MI100, "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_16x16x4f32 a[2:5], v2, v4, a[2:5]", 8, 36},
    {GCN_MI100, "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]",
     "v_mfma_f32_16x16x4f32 a[16:19], a1, v4, a[16:19]", 10, 44},
    {GCN_MI100, "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]",
     "v_accvgpr_read_b32 v6, a1", 10, 44},
    {GCN_MI100, "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]",
     "v_accvgpr_read_b32 v6, a30", 1, 8},
    {GCN_MI100, "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]", 0, 64},
    {GCN_MI100, "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
     "v_mfma_f32_32x32x2f32 a[2:17], v2, v4, a[2:17]", 16, 68},
    {GCN_MI100, "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
     "v_mfma_f32_32x32x2f32 a[16:31], a1, v4, a[16:31]", 18, 76},
    {GCN_MI100, "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
     "v_accvgpr_read_b32 v6, a1", 18, 76},
    {GCN_MI100, "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
     "v_accvgpr_read_b32 v6, a30", 1, 8},
    {GCN_MI100, "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]",
     "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]", 0, 32},
    {GCN_MI100, "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]",
     "v_mfma_f32_16x16x16f16 a[2:5], v[2:3], v[4:5], a[2:5]", 8, 36},
    {GCN_MI100, "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]",
     "v_accvgpr_read_b32 v6, a1", 10, 44},
    {GCN_MI100, "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]",
     "v_accvgpr_read_b32 v6, a30", 1, 8},
    {GCN_MI210, "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]", 0, 8},
    {GCN_MI210, "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1f32 v[10:13], v2, v4, v[10:13]", 2, 12},
    {GCN_MI210, "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1f32 v[24:27], v8, v4, v[24:27]", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]",
     "v_add_f32 v6, v8, v4", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 5, 24},
    {GCN_MI210, "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]", 0, 32},
    {GCN_MI210, "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4f32 v[10:13], v2, v4, v[10:13]", 8, 36},
    {GCN_MI210, "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4f32 v[24:27], v8, v4, v[24:27]", 11, 48},
    {GCN_MI210, "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]",
     "v_add_f32 v6, v8, v4", 11, 48},
    {GCN_MI210, "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 11, 48},
    {GCN_MI210, "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]", 0, 64},
    {GCN_MI210, "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2f32 v[10:25], v2, v4, v[10:25]", 16, 68},
    {GCN_MI210, "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2f32 v[14:29], v8, v4, 0", 19, 80},
    {GCN_MI210, "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
     "v_add_f32 v6, v8, v4", 19, 80},
    {GCN_MI210, "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
     "buffer_store_dword v8, off, s[0:3], 0", 19, 80},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]", 0, 8},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4f16 v[10:13], v[2:3], v[4:5], v[10:13]", 2, 12},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4f16 v[24:27], v[8:9], v[4:5], v[24:27]", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_add_f32 v6, v8, v4", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 5, 24},
    /* one file: v32 is a0 here */
    {GCN_MI210, "v_mfma_f32_4x4x4f16 a[8:11], v[2:3], v[4:5], a[8:11]",
     "v_add_f32 v6, v40, v4", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 v[40:43], v[2:3], v[4:5], v[40:43]",
     "buffer_store_dword a8, off, s[0:3], 0", 5, 24},
    {GCN_MI210, "v_mfma_f32_4x4x4f16 a[8:11], v[2:3], v[4:5], a[8:11]",
     "v_add_f32 v6, v9, v4", 0, 4},
    {GCN_MI210, "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]", 0, 32},
    {GCN_MI210, "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16bf16_1k v[10:13], v[2:3], v[4:5], v[10:13]", 8, 36},
    {GCN_MI210, "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16bf16_1k v[24:27], v[8:9], v[4:5], v[24:27]", 11, 48},
    {GCN_MI210, "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_add_f32 v6, v8, v4", 11, 48},
    {GCN_MI210, "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 11, 48},
    {GCN_MI210, "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]", 0, 64},
    {GCN_MI210, "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8f16 v[10:25], v[2:3], v[4:5], v[10:25]", 16, 68},
    {GCN_MI210, "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8f16 v[14:29], v[8:9], v[4:5], 0", 19, 80},
    {GCN_MI210, "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_add_f32 v6, v8, v4", 19, 80},
    {GCN_MI210, "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "buffer_store_dword v8, off, s[0:3], 0", 19, 80},
    {GCN_MI210, "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]", 4, 20},
    {GCN_MI210, "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_mfma_f64_4x4x4f64 v[24:25], v[8:9], v[4:5], v[24:25]", 6, 28},
    {GCN_MI210, "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_add_f32 v6, v8, v4", 6, 28},
    {GCN_MI210, "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "buffer_store_dword v8, off, s[0:3], 0", 9, 40},
    {GCN_MI210, "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]", 0, 32},
    {GCN_MI210, "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4f64 v[10:17], v[2:3], v[4:5], v[10:17]", 9, 40},
    {GCN_MI210, "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4f64 v[24:31], v[8:9], v[4:5], v[24:31]", 11, 48},
    {GCN_MI210, "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_add_f32 v6, v8, v4", 11, 48},
    {GCN_MI210, "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "buffer_store_dword v8, off, s[0:3], 0", 18, 76},
    {GCN_MI300X, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]", 2, 12},
    {GCN_MI300X, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1_16b_f32 v[10:13], v2, v4, v[10:13]", 2, 12},
    {GCN_MI300X, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_4x4x1_16b_f32 v[24:27], v8, v4, v[24:27]", 4, 20},
    {GCN_MI300X, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]",
     "v_add_f32 v6, v8, v4", 4, 20},
    {GCN_MI300X, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 4, 20},
    {GCN_MI300X, "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]", 0, 32},
    {GCN_MI300X, "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4_f32 v[10:13], v2, v4, v[10:13]", 8, 36},
    {GCN_MI300X, "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]",
     "v_mfma_f32_16x16x4_f32 v[24:27], v8, v4, v[24:27]", 10, 44},
    {GCN_MI300X, "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]",
     "v_add_f32 v6, v8, v4", 10, 44},
    {GCN_MI300X, "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 10, 44},
    {GCN_MI300X, "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]", 0, 64},
    {GCN_MI300X, "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2_f32 v[10:25], v2, v4, v[10:25]", 16, 68},
    {GCN_MI300X, "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]",
     "v_mfma_f32_32x32x2_f32 v[14:29], v8, v4, 0", 18, 76},
    {GCN_MI300X, "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]",
     "v_add_f32 v6, v8, v4", 18, 76},
    {GCN_MI300X, "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]",
     "buffer_store_dword v8, off, s[0:3], 0", 18, 76},
    {GCN_MI300X, "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]", 2, 12},
    {GCN_MI300X, "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4_16b_f16 v[10:13], v[2:3], v[4:5], v[10:13]", 3, 16},
    {GCN_MI300X, "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_4x4x4_16b_f16 v[24:27], v[8:9], v[4:5], v[24:27]", 5, 24},
    {GCN_MI300X, "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_add_f32 v6, v8, v4", 5, 24},
    {GCN_MI300X, "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 5, 24},
    {GCN_MI300X, "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]", 0, 16},
    {GCN_MI300X, "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16_f16 v[10:13], v[2:3], v[4:5], v[10:13]", 5, 24},
    {GCN_MI300X, "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x16_f16 v[24:27], v[8:9], v[4:5], v[24:27]", 7, 32},
    {GCN_MI300X, "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_add_f32 v6, v8, v4", 7, 32},
    {GCN_MI300X, "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 7, 32},
    {GCN_MI300X, "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]", 0, 32},
    {GCN_MI300X, "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8_f16 v[10:25], v[2:3], v[4:5], v[10:25]", 9, 40},
    {GCN_MI300X, "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_mfma_f32_32x32x8_f16 v[14:29], v[8:9], v[4:5], 0", 11, 48},
    {GCN_MI300X, "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "v_add_f32 v6, v8, v4", 11, 48},
    {GCN_MI300X, "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]",
     "buffer_store_dword v8, off, s[0:3], 0", 11, 48},
    {GCN_MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]", 0, 16},
    {GCN_MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x32_fp8_fp8 v[10:13], v[2:3], v[4:5], v[10:13]", 5, 24},
    {GCN_MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_mfma_f32_16x16x32_fp8_fp8 v[24:27], v[8:9], v[4:5], v[24:27]", 7, 32},
    {GCN_MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]",
     "v_add_f32 v6, v8, v4", 7, 32},
    {GCN_MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]",
     "buffer_store_dword v8, off, s[0:3], 0", 7, 32},
    {GCN_MI300X, "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]", 4, 20},
    {GCN_MI300X, "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_mfma_f64_4x4x4_4b_f64 v[24:25], v[8:9], v[4:5], v[24:25]", 6, 28},
    {GCN_MI300X, "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "v_add_f32 v6, v8, v4", 6, 28},
    {GCN_MI300X, "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]",
     "buffer_store_dword v8, off, s[0:3], 0", 9, 40},
    {GCN_MI300X, "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]", 0, 32},
    {GCN_MI300X, "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4_f64 v[10:17], v[2:3], v[4:5], v[10:17]", 9, 40},
    {GCN_MI300X, "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_mfma_f64_16x16x4_f64 v[24:31], v[8:9], v[4:5], v[24:31]", 11, 48},
    {GCN_MI300X, "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "v_add_f32 v6, v8, v4", 11, 48},
    {GCN_MI300X, "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]",
     "buffer_store_dword v8, off, s[0:3], 0", 18, 76},
    {GCN_MI300X, "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1",
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1", 0, 16},
    {GCN_MI300X, "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1",
     "v_smfmac_f32_16x16x32_f16 v[10:13], v[2:3], v[4:7], v1", 5, 24},
    {GCN_MI300X, "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1",
     "v_smfmac_f32_16x16x32_f16 v[16:19], v[2:3], v[4:7], v8", 7, 32},
    {GCN_MI300X, "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1",
     "v_add_f32 v6, v8, v4", 7, 32},
    {GCN_MI300X, "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1",
     "buffer_store_dword v8, off, s[0:3], 0", 7, 32},
    {GCN_MI100, "v_mov_b32 v2, 0",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 2, 12},
    {GCN_MI100, "v_mov_b32 v6, 0",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 0, 4},
    {GCN_MI100, "v_cmpx_eq_u32 vcc, v0, v0",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 4, 20},
    {GCN_MI210, "v_mov_b32 v2, 0",
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]", 2, 12},
    {GCN_MI210, "v_mov_b32 v6, 0",
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]", 0, 4},
    {GCN_MI210, "v_cmpx_eq_u32 vcc, v0, v0",
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]", 4, 20},
    {GCN_MI300X, "v_mov_b32 v2, 0",
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]", 2, 12},
    {GCN_MI300X, "v_mov_b32 v6, 0",
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]", 0, 4},
    {GCN_MI300X, "v_cmpx_eq_u32 vcc, v0, v0",
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]", 4, 20},
    {GCN_MI100, "v_accvgpr_write_b32 a1, v0",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 1, 8},
    {GCN_MI100, "v_accvgpr_write_b32 a1, v0",
     "v_mfma_f32_4x4x1f32 a[4:7], a1, v4, a[4:7]", 3, 16},
    {GCN_MI210, "v_accvgpr_write_b32 a1, v0",
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]", 2, 12},
    {GCN_MI300X, "v_accvgpr_write_b32 a1, v0",
     "v_mfma_f32_4x4x1_16b_f32 a[0:3], v2, v4, a[0:3]", 2, 12},
};
/* clang-format on */

/* s_nop of so many wait states, each of which is a turn. */
static void append_nops(char text[512], unsigned nops)
{
    for (; nops; nops -= nops < 16 ? nops : 16)
        sprintf(text + strlen(text), "s_nop %u; ", (nops < 16 ? nops : 16) - 1);
}

static void check(unsigned row, unsigned nops)
{
    /* s[0:3]: a descriptor of the data */
    char text[512] = "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; .rept 4; s_nop 0; .endr; ", what[256];
    unsigned from = 8, to = from + (nops + 15) / 16;
    struct rig *r;

    sprintf(text + strlen(text), "%s; ", rows[row].writer);
    append_nops(text, nops);
    sprintf(text + strlen(text), "%s; s_endpgm", rows[row].reader);
    r = gcn_text(rows[row].chip, text, 1);
    to += (unsigned)assemble(r->target->name, rows[row].writer).words;
    snprintf(what, sizeof what, "%s; %s", rows[row].writer, rows[row].reader);
    gcn_expect(r, from, to, rows[row].cycles, what);
    rig_free(r);
}

static void hardware_waits(void **state)
{
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++)
        check(row, 0);
}

static void software_waits(void **state)
{
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++)
        check(row, rows[row].states);
}

/* Loads go on beside a long matrix instruction that has nothing to do with them: 12 cycles as after any VALU. */
static void memory_goes_on(void **state)
{
    /* 16 passes */
    static const char *const mfma[3] = {"v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]",
                                        "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]",
                                        "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]"};

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        char text[256];

        snprintf(text, sizeof text, "%s; s_nop 0; ds_read_b32 v6, v7; s_endpgm", mfma[k]);
        struct rig *r = gcn_text(GCN_MI100 + k, text, 1);

        gcn_expect(r, 0, 3, 12, "LDS beside MFMA");
        rig_free(r);
    }
}

/* Registers that a matrix instruction still reads as C, or will write: LLVM 19 and the ISA manuals (4.5) leave it to
 * software to keep VALU from overwriting them, so that nothing here waits for it either. With the wait states of the
 * rules (mfma.src-c-overwrite, mfma.overwrite of --check) it is those that pass; without, the VALU goes on as beside
 * any matrix instruction. */
static void overwriting_waits_for_nothing(void **state)
{
    static const char *const mfma[3] = {"v_mfma_f32_32x32x8f16 a[16:31], v[2:3], v[4:5], a[0:15]",
                                        "v_mfma_f32_32x32x8f16 a[16:31], v[2:3], v[4:5], a[0:15]",
                                        "v_mfma_f32_32x32x8_f16 a[16:31], v[2:3], v[4:5], a[0:15]"};
    static const char *const write[2] = {"v_accvgpr_write_b32 a1, v0", "v_accvgpr_write_b32 a17, v0"};
    /* 16 passes, of MI300X 8 */
    static const struct {
        unsigned beside, read, written;
    } cycles[3] = {{8, 4 * (13 + 1), 4 * (15 + 1)}, {4, 4 * (15 + 1), 4 * (19 + 1)}, {4, 4 * (7 + 1), 4 * (11 + 1)}};

    (void)state;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned what = 0; what < 2; what++)
            for (unsigned waits = 0; waits < 2; waits++) {
                unsigned by_rule = what ? cycles[k].written : cycles[k].read, nops = waits ? by_rule / 4 - 1 : 0;
                unsigned at = 2 + (nops + 15) / 16;
                char text[512];

                sprintf(text, "%s; ", mfma[k]);
                append_nops(text, nops);
                sprintf(text + strlen(text), "%s; s_endpgm", write[what]);
                struct rig *r = gcn_text(GCN_MI100 + k, text, 1);
                gcn_expect(r, 0, at, waits ? by_rule : cycles[k].beside, what ? "D overwritten" : "C overwritten");
                rig_free(r);
            }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardware_waits),
        cmocka_unit_test(software_waits),
        cmocka_unit_test(memory_goes_on),
        cmocka_unit_test(overwriting_waits_for_nothing),
    };

    return cmocka_run_group_tests_name("timing/gcn_mfma", tests, NULL, NULL);
}
