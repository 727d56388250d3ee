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
    uint32_t writer[2], reader[2];
    unsigned states, cycles;
    const char *text;
} rows[] = {
    {GCN_MI100, {0xd3c20000, 0x04020902}, {0xd3c20000, 0x04020902}, 0, 8,
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI100, {0xd3c20000, 0x04020902}, {0xd3c20002, 0x040a0902}, 2, 12,
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_4x4x1f32 a[2:5], v2, v4, a[2:5]"},
    {GCN_MI100, {0xd3c20000, 0x04020902}, {0xd3c20010, 0x0c420901}, 4, 20,
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_4x4x1f32 a[16:19], a1, v4, a[16:19]"},
    {GCN_MI100, {0xd3c20000, 0x04020902}, {0xd3d84006, 0x18000101}, 4, 20,
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3];"
     " v_accvgpr_read_b32 v6, a1"},
    {GCN_MI100, {0xd3c20000, 0x04020902}, {0xd3d84006, 0x1800011e}, 1, 8,
     "v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3];"
     " v_accvgpr_read_b32 v6, a30"},
    {GCN_MI100, {0xd3c50000, 0x04020902}, {0xd3c50000, 0x04020902}, 0, 32,
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI100, {0xd3c50000, 0x04020902}, {0xd3c50002, 0x040a0902}, 8, 36,
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_16x16x4f32 a[2:5], v2, v4, a[2:5]"},
    {GCN_MI100, {0xd3c50000, 0x04020902}, {0xd3c50010, 0x0c420901}, 10, 44,
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3];"
     " v_mfma_f32_16x16x4f32 a[16:19], a1, v4, a[16:19]"},
    {GCN_MI100, {0xd3c50000, 0x04020902}, {0xd3d84006, 0x18000101}, 10, 44,
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3];"
     " v_accvgpr_read_b32 v6, a1"},
    {GCN_MI100, {0xd3c50000, 0x04020902}, {0xd3d84006, 0x1800011e}, 1, 8,
     "v_mfma_f32_16x16x4f32 a[0:3], v2, v4, a[0:3];"
     " v_accvgpr_read_b32 v6, a30"},
    {GCN_MI100, {0xd3c40000, 0x04020902}, {0xd3c40000, 0x04020902}, 0, 64,
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15];"
     " v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15]"},
    {GCN_MI100, {0xd3c40000, 0x04020902}, {0xd3c40002, 0x040a0902}, 16, 68,
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15];"
     " v_mfma_f32_32x32x2f32 a[2:17], v2, v4, a[2:17]"},
    {GCN_MI100, {0xd3c40000, 0x04020902}, {0xd3c40010, 0x0c420901}, 18, 76,
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15];"
     " v_mfma_f32_32x32x2f32 a[16:31], a1, v4, a[16:31]"},
    {GCN_MI100, {0xd3c40000, 0x04020902}, {0xd3d84006, 0x18000101}, 18, 76,
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15];"
     " v_accvgpr_read_b32 v6, a1"},
    {GCN_MI100, {0xd3c40000, 0x04020902}, {0xd3d84006, 0x1800011e}, 1, 8,
     "v_mfma_f32_32x32x2f32 a[0:15], v2, v4, a[0:15];"
     " v_accvgpr_read_b32 v6, a30"},
    {GCN_MI100, {0xd3cd0000, 0x04020902}, {0xd3cd0000, 0x04020902}, 0, 32,
     "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3];"
     " v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]"},
    {GCN_MI100, {0xd3cd0000, 0x04020902}, {0xd3cd0002, 0x040a0902}, 8, 36,
     "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3];"
     " v_mfma_f32_16x16x16f16 a[2:5], v[2:3], v[4:5], a[2:5]"},
    {GCN_MI100, {0xd3cd0000, 0x04020902}, {0xd3d84006, 0x18000101}, 10, 44,
     "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3];"
     " v_accvgpr_read_b32 v6, a1"},
    {GCN_MI100, {0xd3cd0000, 0x04020902}, {0xd3d84006, 0x1800011e}, 1, 8,
     "v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3];"
     " v_accvgpr_read_b32 v6, a30"},
    {GCN_MI210, {0xd3c20008, 0x04220902}, {0xd3c20008, 0x04220902}, 0, 8,
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI210, {0xd3c20008, 0x04220902}, {0xd3c2000a, 0x042a0902}, 2, 12,
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1f32 v[10:13], v2, v4, v[10:13]"},
    {GCN_MI210, {0xd3c20008, 0x04220902}, {0xd3c20018, 0x04620908}, 5, 24,
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1f32 v[24:27], v8, v4, v[24:27]"},
    {GCN_MI210, {0xd3c20008, 0x04220902}, {0x020c0908}, 5, 24,
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3c20008, 0x04220902}, {0xe0700000, 0x80000800}, 5, 24,
     "v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3c50008, 0x04220902}, {0xd3c50008, 0x04220902}, 0, 32,
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI210, {0xd3c50008, 0x04220902}, {0xd3c5000a, 0x042a0902}, 8, 36,
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4f32 v[10:13], v2, v4, v[10:13]"},
    {GCN_MI210, {0xd3c50008, 0x04220902}, {0xd3c50018, 0x04620908}, 11, 48,
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4f32 v[24:27], v8, v4, v[24:27]"},
    {GCN_MI210, {0xd3c50008, 0x04220902}, {0x020c0908}, 11, 48,
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3c50008, 0x04220902}, {0xe0700000, 0x80000800}, 11, 48,
     "v_mfma_f32_16x16x4f32 v[8:11], v2, v4, v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3c40008, 0x04220902}, {0xd3c40008, 0x04220902}, 0, 64,
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23]"},
    {GCN_MI210, {0xd3c40008, 0x04220902}, {0xd3c4000a, 0x042a0902}, 16, 68,
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2f32 v[10:25], v2, v4, v[10:25]"},
    {GCN_MI210, {0xd3c40008, 0x04220902}, {0xd3c4000e, 0x02020908}, 19, 80,
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2f32 v[14:29], v8, v4, 0"},
    {GCN_MI210, {0xd3c40008, 0x04220902}, {0x020c0908}, 19, 80,
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3c40008, 0x04220902}, {0xe0700000, 0x80000800}, 19, 80,
     "v_mfma_f32_32x32x2f32 v[8:23], v2, v4, v[8:23];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3ca0008, 0x04220902}, {0xd3ca0008, 0x04220902}, 0, 8,
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11]"},
    {GCN_MI210, {0xd3ca0008, 0x04220902}, {0xd3ca000a, 0x042a0902}, 2, 12,
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4f16 v[10:13], v[2:3], v[4:5], v[10:13]"},
    {GCN_MI210, {0xd3ca0008, 0x04220902}, {0xd3ca0018, 0x04620908}, 5, 24,
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4f16 v[24:27], v[8:9], v[4:5], v[24:27]"},
    {GCN_MI210, {0xd3ca0008, 0x04220902}, {0x020c0908}, 5, 24,
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3ca0008, 0x04220902}, {0xe0700000, 0x80000800}, 5, 24,
     "v_mfma_f32_4x4x4f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    /* one file: v32 is a0 here */
    {GCN_MI210, {0xd3ca8008, 0x04220902}, {0x020c0928}, 5, 24,
     "v_mfma_f32_4x4x4f16 a[8:11], v[2:3], v[4:5], a[8:11];"
     " v_add_f32_e32 v6, v40, v4"},
    {GCN_MI210, {0xd3ca0028, 0x04a20902}, {0xe0700000, 0x80800800}, 5, 24,
     "v_mfma_f32_4x4x4f16 v[40:43], v[2:3], v[4:5], v[40:43];"
     " buffer_store_dword a8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3ca8008, 0x04220902}, {0x020c0909}, 0, 4,
     "v_mfma_f32_4x4x4f16 a[8:11], v[2:3], v[4:5], a[8:11];"
     " v_add_f32_e32 v6, v9, v4"},
    {GCN_MI210, {0xd3e70008, 0x04220902}, {0xd3e70008, 0x04220902}, 0, 32,
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11]"},
    {GCN_MI210, {0xd3e70008, 0x04220902}, {0xd3e7000a, 0x042a0902}, 8, 36,
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16bf16_1k v[10:13], v[2:3], v[4:5], v[10:13]"},
    {GCN_MI210, {0xd3e70008, 0x04220902}, {0xd3e70018, 0x04620908}, 11, 48,
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16bf16_1k v[24:27], v[8:9], v[4:5], v[24:27]"},
    {GCN_MI210, {0xd3e70008, 0x04220902}, {0x020c0908}, 11, 48,
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3e70008, 0x04220902}, {0xe0700000, 0x80000800}, 11, 48,
     "v_mfma_f32_16x16x16bf16_1k v[8:11], v[2:3], v[4:5], v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3cc0008, 0x04220902}, {0xd3cc0008, 0x04220902}, 0, 64,
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23]"},
    {GCN_MI210, {0xd3cc0008, 0x04220902}, {0xd3cc000a, 0x042a0902}, 16, 68,
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8f16 v[10:25], v[2:3], v[4:5], v[10:25]"},
    {GCN_MI210, {0xd3cc0008, 0x04220902}, {0xd3cc000e, 0x02020908}, 19, 80,
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8f16 v[14:29], v[8:9], v[4:5], 0"},
    {GCN_MI210, {0xd3cc0008, 0x04220902}, {0x020c0908}, 19, 80,
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3cc0008, 0x04220902}, {0xe0700000, 0x80000800}, 19, 80,
     "v_mfma_f32_32x32x8f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3ef0008, 0x04220902}, {0xd3ef0008, 0x04220902}, 4, 20,
     "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9]"},
    {GCN_MI210, {0xd3ef0008, 0x04220902}, {0xd3ef0018, 0x04620908}, 6, 28,
     "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_mfma_f64_4x4x4f64 v[24:25], v[8:9], v[4:5], v[24:25]"},
    {GCN_MI210, {0xd3ef0008, 0x04220902}, {0x020c0908}, 6, 28,
     "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3ef0008, 0x04220902}, {0xe0700000, 0x80000800}, 9, 40,
     "v_mfma_f64_4x4x4f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI210, {0xd3ee0008, 0x04220902}, {0xd3ee0008, 0x04220902}, 0, 32,
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15]"},
    {GCN_MI210, {0xd3ee0008, 0x04220902}, {0xd3ee000a, 0x042a0902}, 9, 40,
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4f64 v[10:17], v[2:3], v[4:5], v[10:17]"},
    {GCN_MI210, {0xd3ee0008, 0x04220902}, {0xd3ee0018, 0x04620908}, 11, 48,
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4f64 v[24:31], v[8:9], v[4:5], v[24:31]"},
    {GCN_MI210, {0xd3ee0008, 0x04220902}, {0x020c0908}, 11, 48,
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI210, {0xd3ee0008, 0x04220902}, {0xe0700000, 0x80000800}, 18, 76,
     "v_mfma_f64_16x16x4f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3c20008, 0x04220902}, {0xd3c20008, 0x04220902}, 2, 12,
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI300X, {0xd3c20008, 0x04220902}, {0xd3c2000a, 0x042a0902}, 2, 12,
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1_16b_f32 v[10:13], v2, v4, v[10:13]"},
    {GCN_MI300X, {0xd3c20008, 0x04220902}, {0xd3c20018, 0x04620908}, 4, 20,
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_4x4x1_16b_f32 v[24:27], v8, v4, v[24:27]"},
    {GCN_MI300X, {0xd3c20008, 0x04220902}, {0x020c0908}, 4, 20,
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3c20008, 0x04220902}, {0xe0700000, 0x80000800}, 4, 20,
     "v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3c50008, 0x04220902}, {0xd3c50008, 0x04220902}, 0, 32,
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI300X, {0xd3c50008, 0x04220902}, {0xd3c5000a, 0x042a0902}, 8, 36,
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4_f32 v[10:13], v2, v4, v[10:13]"},
    {GCN_MI300X, {0xd3c50008, 0x04220902}, {0xd3c50018, 0x04620908}, 10, 44,
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11];"
     " v_mfma_f32_16x16x4_f32 v[24:27], v8, v4, v[24:27]"},
    {GCN_MI300X, {0xd3c50008, 0x04220902}, {0x020c0908}, 10, 44,
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3c50008, 0x04220902}, {0xe0700000, 0x80000800}, 10, 44,
     "v_mfma_f32_16x16x4_f32 v[8:11], v2, v4, v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3c40008, 0x04220902}, {0xd3c40008, 0x04220902}, 0, 64,
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23]"},
    {GCN_MI300X, {0xd3c40008, 0x04220902}, {0xd3c4000a, 0x042a0902}, 16, 68,
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2_f32 v[10:25], v2, v4, v[10:25]"},
    {GCN_MI300X, {0xd3c40008, 0x04220902}, {0xd3c4000e, 0x02020908}, 18, 76,
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23];"
     " v_mfma_f32_32x32x2_f32 v[14:29], v8, v4, 0"},
    {GCN_MI300X, {0xd3c40008, 0x04220902}, {0x020c0908}, 18, 76,
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3c40008, 0x04220902}, {0xe0700000, 0x80000800}, 18, 76,
     "v_mfma_f32_32x32x2_f32 v[8:23], v2, v4, v[8:23];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3ca0008, 0x04220902}, {0xd3ca0008, 0x04220902}, 2, 12,
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11]"},
    {GCN_MI300X, {0xd3ca0008, 0x04220902}, {0xd3ca000a, 0x042a0902}, 3, 16,
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4_16b_f16 v[10:13], v[2:3], v[4:5], v[10:13]"},
    {GCN_MI300X, {0xd3ca0008, 0x04220902}, {0xd3ca0018, 0x04620908}, 5, 24,
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_4x4x4_16b_f16 v[24:27], v[8:9], v[4:5], v[24:27]"},
    {GCN_MI300X, {0xd3ca0008, 0x04220902}, {0x020c0908}, 5, 24,
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3ca0008, 0x04220902}, {0xe0700000, 0x80000800}, 5, 24,
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3cd0008, 0x04220902}, {0xd3cd0008, 0x04220902}, 0, 16,
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]"},
    {GCN_MI300X, {0xd3cd0008, 0x04220902}, {0xd3cd000a, 0x042a0902}, 5, 24,
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16_f16 v[10:13], v[2:3], v[4:5], v[10:13]"},
    {GCN_MI300X, {0xd3cd0008, 0x04220902}, {0xd3cd0018, 0x04620908}, 7, 32,
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x16_f16 v[24:27], v[8:9], v[4:5], v[24:27]"},
    {GCN_MI300X, {0xd3cd0008, 0x04220902}, {0x020c0908}, 7, 32,
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3cd0008, 0x04220902}, {0xe0700000, 0x80000800}, 7, 32,
     "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3cc0008, 0x04220902}, {0xd3cc0008, 0x04220902}, 0, 32,
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23]"},
    {GCN_MI300X, {0xd3cc0008, 0x04220902}, {0xd3cc000a, 0x042a0902}, 9, 40,
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8_f16 v[10:25], v[2:3], v[4:5], v[10:25]"},
    {GCN_MI300X, {0xd3cc0008, 0x04220902}, {0xd3cc000e, 0x02020908}, 11, 48,
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_mfma_f32_32x32x8_f16 v[14:29], v[8:9], v[4:5], 0"},
    {GCN_MI300X, {0xd3cc0008, 0x04220902}, {0x020c0908}, 11, 48,
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3cc0008, 0x04220902}, {0xe0700000, 0x80000800}, 11, 48,
     "v_mfma_f32_32x32x8_f16 v[8:23], v[2:3], v[4:5], v[8:23];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3f30008, 0x04220902}, {0xd3f30008, 0x04220902}, 0, 16,
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11]"},
    {GCN_MI300X, {0xd3f30008, 0x04220902}, {0xd3f3000a, 0x042a0902}, 5, 24,
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x32_fp8_fp8 v[10:13], v[2:3], v[4:5], v[10:13]"},
    {GCN_MI300X, {0xd3f30008, 0x04220902}, {0xd3f30018, 0x04620908}, 7, 32,
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_mfma_f32_16x16x32_fp8_fp8 v[24:27], v[8:9], v[4:5], v[24:27]"},
    {GCN_MI300X, {0xd3f30008, 0x04220902}, {0x020c0908}, 7, 32,
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3f30008, 0x04220902}, {0xe0700000, 0x80000800}, 7, 32,
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[4:5], v[8:11];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3ef0008, 0x04220902}, {0xd3ef0008, 0x04220902}, 4, 20,
     "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9]"},
    {GCN_MI300X, {0xd3ef0008, 0x04220902}, {0xd3ef0018, 0x04620908}, 6, 28,
     "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_mfma_f64_4x4x4_4b_f64 v[24:25], v[8:9], v[4:5], v[24:25]"},
    {GCN_MI300X, {0xd3ef0008, 0x04220902}, {0x020c0908}, 6, 28,
     "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3ef0008, 0x04220902}, {0xe0700000, 0x80000800}, 9, 40,
     "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[2:3], v[4:5], v[8:9];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3ee0008, 0x04220902}, {0xd3ee0008, 0x04220902}, 0, 32,
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15]"},
    {GCN_MI300X, {0xd3ee0008, 0x04220902}, {0xd3ee000a, 0x042a0902}, 9, 40,
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4_f64 v[10:17], v[2:3], v[4:5], v[10:17]"},
    {GCN_MI300X, {0xd3ee0008, 0x04220902}, {0xd3ee0018, 0x04620908}, 11, 48,
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_mfma_f64_16x16x4_f64 v[24:31], v[8:9], v[4:5], v[24:31]"},
    {GCN_MI300X, {0xd3ee0008, 0x04220902}, {0x020c0908}, 11, 48,
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3ee0008, 0x04220902}, {0xe0700000, 0x80000800}, 18, 76,
     "v_mfma_f64_16x16x4_f64 v[8:15], v[2:3], v[4:5], v[8:15];"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI300X, {0xd3e20008, 0x04060902}, {0xd3e20008, 0x04060902}, 0, 16,
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1;"
     " v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1"},
    {GCN_MI300X, {0xd3e20008, 0x04060902}, {0xd3e2000a, 0x04060902}, 5, 24,
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1;"
     " v_smfmac_f32_16x16x32_f16 v[10:13], v[2:3], v[4:7], v1"},
    {GCN_MI300X, {0xd3e20008, 0x04060902}, {0xd3e20010, 0x04220902}, 7, 32,
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1;"
     " v_smfmac_f32_16x16x32_f16 v[16:19], v[2:3], v[4:7], v8"},
    {GCN_MI300X, {0xd3e20008, 0x04060902}, {0x020c0908}, 7, 32,
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1;"
     " v_add_f32_e32 v6, v8, v4"},
    {GCN_MI300X, {0xd3e20008, 0x04060902}, {0xe0700000, 0x80000800}, 7, 32,
     "v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[4:7], v1;"
     " buffer_store_dword v8, off, s[0:3], 0"},
    {GCN_MI100, {0x7e040280}, {0xd3c20000, 0x04020902}, 2, 12,
     "v_mov_b32_e32 v2, 0;"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI100, {0x7e0c0280}, {0xd3c20000, 0x04020902}, 0, 4,
     "v_mov_b32_e32 v6, 0;"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI100, {0x7db40100}, {0xd3c20000, 0x04020902}, 4, 20,
     "v_cmpx_eq_u32_e32 vcc, v0, v0;"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI210, {0x7e040280}, {0xd3c20008, 0x04220902}, 2, 12,
     "v_mov_b32_e32 v2, 0;"
     " v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI210, {0x7e0c0280}, {0xd3c20008, 0x04220902}, 0, 4,
     "v_mov_b32_e32 v6, 0;"
     " v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI210, {0x7db40100}, {0xd3c20008, 0x04220902}, 4, 20,
     "v_cmpx_eq_u32_e32 vcc, v0, v0;"
     " v_mfma_f32_4x4x1f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI300X, {0x7e040280}, {0xd3c20008, 0x04220902}, 2, 12,
     "v_mov_b32_e32 v2, 0;"
     " v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI300X, {0x7e0c0280}, {0xd3c20008, 0x04220902}, 0, 4,
     "v_mov_b32_e32 v6, 0;"
     " v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI300X, {0x7db40100}, {0xd3c20008, 0x04220902}, 4, 20,
     "v_cmpx_eq_u32_e32 vcc, v0, v0;"
     " v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v4, v[8:11]"},
    {GCN_MI100, {0xd3d94001, 0x18000100}, {0xd3c20000, 0x04020902}, 1, 8,
     "v_accvgpr_write_b32 a1, v0;"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI100, {0xd3d94001, 0x18000100}, {0xd3c20004, 0x0c120901}, 3, 16,
     "v_accvgpr_write_b32 a1, v0;"
     " v_mfma_f32_4x4x1f32 a[4:7], a1, v4, a[4:7]"},
    {GCN_MI210, {0xd3d94001, 0x18000100}, {0xd3c28000, 0x04020902}, 2, 12,
     "v_accvgpr_write_b32 a1, v0;"
     " v_mfma_f32_4x4x1f32 a[0:3], v2, v4, a[0:3]"},
    {GCN_MI300X, {0xd3d94001, 0x18000100}, {0xd3c28000, 0x04020902}, 2, 12,
     "v_accvgpr_write_b32 a1, v0;"
     " v_mfma_f32_4x4x1_16b_f32 a[0:3], v2, v4, a[0:3]"},
};
/* clang-format on */

static void check(unsigned row, unsigned nops)
{
    const char setup[] = "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000"; /* s[0:3]: a descriptor of the data */
    bool narrow = !rows[row].writer[1];
    uint32_t code[16], at = 4, from;
    struct rig *r;

    memcpy(code, BYTES("gfx90a", setup));
    for (unsigned k = 0; k < 4; k++)
        code[at++] = S_NOP_0;
    from = at;
    code[at++] = rows[row].writer[0];
    if (!narrow)
        code[at++] = rows[row].writer[1];
    for (; nops; nops -= nops < 16 ? nops : 16)
        code[at++] = S_NOP_0 | ((nops < 16 ? nops : 16) - 1);
    uint32_t to = at;
    code[at++] = rows[row].reader[0];
    if (rows[row].reader[1])
        code[at++] = rows[row].reader[1];
    code[at++] = A_END;
    r = gcn_rig(rows[row].chip, code, at, 1);
    gcn_expect(r, from, to, rows[row].cycles, rows[row].text);
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
    /* v_mfma_f32_32x32x2f32 of 16 passes (MI100: on AGPRs), s_nop 0, ds_read_b32 v6, v7 */
    static const uint32_t code[3][6] = {{0xd3c40000, 0x04020902, S_NOP_0, 0xd86c0000, 0x06000007, A_END},
                                        {0xd3c40008, 0x04220902, S_NOP_0, 0xd86c0000, 0x06000007, A_END},
                                        {0xd3c40008, 0x04220902, S_NOP_0, 0xd86c0000, 0x06000007, A_END}};

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct rig *r = gcn_rig(GCN_MI100 + k, code[k], 6, 1);

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
    /* v_mfma_f32_32x32x8f16 a[16:31], v[2:3], v[4:5], a[0:15]; v_accvgpr_write_b32 a1, v0 and a17, v0 */
    static const uint32_t mfma[3][2] = {{0xd3cc0010, 0x04020902}, {0xd3cc8010, 0x04020902}, {0xd3cc8010, 0x04020902}};
    static const uint32_t write[2][2] = {{0xd3d94001, 0x18000100}, {0xd3d94011, 0x18000100}};
    /* 16 passes, of MI300X 8 */
    static const struct {
        unsigned beside, read, written;
    } cycles[3] = {{8, 4 * (13 + 1), 4 * (15 + 1)}, {4, 4 * (15 + 1), 4 * (19 + 1)}, {4, 4 * (7 + 1), 4 * (11 + 1)}};

    (void)state;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned what = 0; what < 2; what++)
            for (unsigned waits = 0; waits < 2; waits++) {
                unsigned by_rule = what ? cycles[k].written : cycles[k].read, at = 2, nops = by_rule / 4 - 1;
                uint32_t code[8] = {mfma[k][0], mfma[k][1]};

                for (; waits && nops; nops -= nops < 16 ? nops : 16)
                    code[at++] = S_NOP_0 | ((nops < 16 ? nops : 16) - 1);
                memcpy(&code[at], write[what], sizeof write[what]);
                code[at + 2] = A_END;
                struct rig *r = gcn_rig(GCN_MI100 + k, code, at + 3, 1);
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
