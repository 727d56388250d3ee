/* Matrix instructions: cycles of two independent ones that accumulate in turn, operations per cycle of a CU, and vector
 * instructions in their shadow. RDNA4's table is gfx1201's. */
#include "tests/timing/accuracy/rows.h"

#define gfx908_profile  "gfx908-mi100"
#define gfx90a_profile  "gfx90a-mi210"
#define gfx942_profile  "gfx942-mi300x"
#define gfx1100_profile "gfx1100-rx7900xtx"
#define gfx1201_profile "gfx1201-rx9070xt"
#define ROW(TARGET, INSTRUCTION, CYCLES, OPERATIONS)                                                                   \
    {.what = #INSTRUCTION,                                                                                             \
     .profiles = TARGET##_profile,                                                                                     \
     .lo = CYCLES,                                                                                                     \
     .hi = CYCLES,                                                                                                     \
     .source = "mic",                                                                                                  \
     .confidence = 'A',                                                                                                \
     .how = HOW_COPY,                                                                                                  \
     .scale = 0.5,                                                                                                     \
     .k = {.body = #INSTRUCTION, .copies = 4, .vgprs = TARGET##_vgprs}},
enum { gfx908_vgprs = 64, gfx90a_vgprs = 512, gfx942_vgprs = 512, gfx1100_vgprs = 48, gfx1201_vgprs = 48 };

#define OPS(WHAT, TARGET, PER_CYCLE, BODY, OPERATIONS)                                                                 \
    {.what = WHAT,                                                                                                     \
     .profiles = TARGET##_profile,                                                                                     \
     .lo = PER_CYCLE,                                                                                                  \
     .hi = PER_CYCLE,                                                                                                  \
     .source = "mic, rpc",                                                                                             \
     .confidence = 'A',                                                                                                \
     .flags = ACC_EXACT,                                                                                               \
     .how = HOW_PER_CYCLE,                                                                                             \
     .unit = UNIT_PER_CYCLE,                                                                                           \
     .amount = 2 * OPERATIONS,                                                                                         \
     .k = {.body = BODY, .copies = 4, .waves = 4, .vgprs = TARGET##_vgprs}},
#define BESIDE(WHAT, TARGET, CYCLES, BODY)                                                                             \
    {.what = WHAT,                                                                                                     \
     .profiles = TARGET##_profile,                                                                                     \
     .lo = CYCLES,                                                                                                     \
     .hi = CYCLES,                                                                                                     \
     .source = "mic",                                                                                                  \
     .confidence = 'A',                                                                                                \
     .flags = ACC_QUICK,                                                                                               \
     .how = HOW_COPY,                                                                                                  \
     .k = {.body = BODY, .copies = 4, .vgprs = TARGET##_vgprs}},

static const struct acc_row rows[] = {
#include "tests/timing/accuracy/matrix.inc"
    OPS("f32, operations of a CU per cycle", gfx908, 256, "v_mfma_f32_32x32x2f32",
        4096) OPS("f16, operations of a CU per cycle", gfx908, 1024, "v_mfma_f32_32x32x8f16",
                  16384) OPS("bf16, operations of a CU per cycle", gfx908, 512, "v_mfma_f32_32x32x4bf16",
                             8192) OPS("i8, operations of a CU per cycle", gfx908, 1024, "v_mfma_i32_32x32x8i8", 16384)
        OPS("f32, operations of a CU per cycle", gfx90a, 256, "v_mfma_f32_32x32x2f32",
            4096) OPS("f32 4x4x1, operations of a CU per cycle", gfx90a, 256, "v_mfma_f32_4x4x1f32",
                      512) OPS("f16, operations of a CU per cycle", gfx90a, 1024, "v_mfma_f32_32x32x8f16", 16384)
            OPS("bf16, operations of a CU per cycle", gfx90a, 1024, "v_mfma_f32_32x32x8bf16_1k",
                16384) OPS("f64, operations of a CU per cycle", gfx90a, 256, "v_mfma_f64_16x16x4f64",
                           2048) OPS("f32, operations of a CU per cycle", gfx942, 256, "v_mfma_f32_32x32x2_f32", 4096)
                OPS("f16, operations of a CU per cycle", gfx942, 2048, "v_mfma_f32_32x32x8_f16",
                    16384) OPS("fp8, operations of a CU per cycle", gfx942, 4096, "v_mfma_f32_32x32x16_fp8_fp8", 32768)
                    OPS("xf32, operations of a CU per cycle", gfx942, 1024, "v_mfma_f32_32x32x4_xf32",
                        8192) OPS("f64, operations of a CU per cycle", gfx942, 256, "v_mfma_f64_16x16x4_f64", 2048)
                        BESIDE("16x16x4 f16 (32 cycles), 6 vector instructions", gfx908, 32, "beside_6")
                            BESIDE("16x16x4 f16 (32 cycles), 7 vector instructions", gfx908, 36, "beside_7")
                                BESIDE("16x16x4 f16 (32 cycles), 7 vector instructions", gfx90a, 32, "beside_7")
                                    BESIDE("16x16x4 f16 (32 cycles), 8 vector instructions", gfx90a, 36, "beside_8")
                                        BESIDE("16x16x4 f16 (32 cycles), 7 vector instructions", gfx942, 32, "beside_7")
                                            BESIDE("16x16x4 f16 (32 cycles), 8 vector instructions", gfx942, 36,
                                                   "beside_8")};

const struct acc_section acc_matrix = {"Matrix instructions", 0.1, rows, sizeof rows / sizeof rows[0]};
