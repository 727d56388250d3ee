/* The rate of every matrix instruction of every chip, and how many vector instructions go beside it.
 *
 * The table is that of ROCm's amd_matrix_instruction_calculator 1.3.2: cycles of the matrix unit; cycles after the
 * issue from which on VALU instructions can go beside it (0: none can), and for how many. Instructions go one after
 * another on two sets of accumulators, so that none waits for a result. RDNA in wave32. */
#include "tests/timing/rig.h"

enum chip { MI100, MI210, MI300X, RX7900XTX, RX9070XT };
static const char *const chips[] = {"gfx908-mi100", "gfx90a-mi210", "gfx942-mi300x", "gfx1100-rx7900xtx",
                                    "gfx1201-rx9070xt"};

/* clang-format off */
static const struct {
    enum chip chip;
    const char *text; /* accumulators from v24 (MI100: a0) on, v0 and v8 times it; index v16 */
    unsigned cycles, valu_after, valu_cycles;
} rows[] = {
    {MI100, "v_mfma_f32_32x32x1f32 a[0:31], v0, v8, a[0:31]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x1f32 a[0:15], v0, v8, a[0:15]", 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x1f32 a[0:3], v0, v8, a[0:3]", 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x2f32 a[0:15], v0, v8, a[0:15]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x4f32 a[0:3], v0, v8, a[0:3]", 32, 8, 24},
    {MI100, "v_mfma_f32_32x32x4f16 a[0:31], v[0:1], v[8:9], a[0:31]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x4f16 a[0:15], v[0:1], v[8:9], a[0:15]", 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x4f16 a[0:3], v[0:1], v[8:9], a[0:3]", 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[8:9], a[0:15]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[8:9], a[0:3]", 32, 8, 24},
    {MI100, "v_mfma_i32_32x32x4i8 a[0:31], v0, v8, a[0:31]", 64, 8, 56},
    {MI100, "v_mfma_i32_16x16x4i8 a[0:15], v0, v8, a[0:15]", 32, 8, 24},
    {MI100, "v_mfma_i32_4x4x4i8 a[0:3], v0, v8, a[0:3]", 8, 0, 0},
    {MI100, "v_mfma_i32_32x32x8i8 a[0:15], v0, v8, a[0:15]", 64, 8, 56},
    {MI100, "v_mfma_i32_16x16x16i8 a[0:3], v0, v8, a[0:3]", 32, 8, 24},
    {MI100, "v_mfma_f32_32x32x2bf16 a[0:31], v0, v8, a[0:31]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x2bf16 a[0:15], v0, v8, a[0:15]", 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x2bf16 a[0:3], v0, v8, a[0:3]", 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x4bf16 a[0:15], v0, v8, a[0:15]", 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x8bf16 a[0:3], v0, v8, a[0:3]", 32, 8, 24},
    {MI210, "v_mfma_f32_32x32x1f32 v[24:55], v0, v8, v[24:55]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x1f32 v[24:39], v0, v8, v[24:39]", 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x1f32 v[24:27], v0, v8, v[24:27]", 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x2f32 v[24:39], v0, v8, v[24:39]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4f32 v[24:27], v0, v8, v[24:27]", 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x4f16 v[24:55], v[0:1], v[8:9], v[24:55]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4f16 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x4f16 v[24:27], v[0:1], v[8:9], v[24:27]", 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x8f16 v[24:39], v[0:1], v[8:9], v[24:39]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x16f16 v[24:27], v[0:1], v[8:9], v[24:27]", 32, 4, 28},
    {MI210, "v_mfma_i32_32x32x4i8 v[24:55], v0, v8, v[24:55]", 64, 4, 60},
    {MI210, "v_mfma_i32_16x16x4i8 v[24:39], v0, v8, v[24:39]", 32, 4, 28},
    {MI210, "v_mfma_i32_4x4x4i8 v[24:27], v0, v8, v[24:27]", 8, 4, 4},
    {MI210, "v_mfma_i32_32x32x8i8 v[24:39], v0, v8, v[24:39]", 64, 4, 60},
    {MI210, "v_mfma_i32_16x16x16i8 v[24:27], v0, v8, v[24:27]", 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x4bf16_1k v[24:55], v[0:1], v[8:9], v[24:55]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4bf16_1k v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x4bf16_1k v[24:27], v[0:1], v[8:9], v[24:27]", 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x8bf16_1k v[24:39], v[0:1], v[8:9], v[24:39]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x16bf16_1k v[24:27], v[0:1], v[8:9], v[24:27]", 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x2bf16 v[24:55], v0, v8, v[24:55]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x2bf16 v[24:39], v0, v8, v[24:39]", 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x2bf16 v[24:27], v0, v8, v[24:27]", 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x4bf16 v[24:39], v0, v8, v[24:39]", 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x8bf16 v[24:27], v0, v8, v[24:27]", 32, 4, 28},
    {MI210, "v_mfma_f64_16x16x4f64 v[24:31], v[0:1], v[8:9], v[24:31]", 32, 0, 0},
    {MI210, "v_mfma_f64_4x4x4f64 v[24:25], v[0:1], v[8:9], v[24:25]", 16, 0, 0},
    {MI300X, "v_mfma_f32_16x16x8_xf32 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x4_xf32 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x1_2b_f32 v[24:55], v0, v8, v[24:55]", 64, 0, 0},
    {MI300X, "v_mfma_f32_16x16x1_4b_f32 v[24:39], v0, v8, v[24:39]", 32, 0, 0},
    {MI300X, "v_mfma_f32_4x4x1_16b_f32 v[24:27], v0, v8, v[24:27]", 8, 0, 0},
    {MI300X, "v_mfma_f32_32x32x2_f32 v[24:39], v0, v8, v[24:39]", 64, 0, 0},
    {MI300X, "v_mfma_f32_16x16x4_f32 v[24:27], v0, v8, v[24:27]", 32, 0, 0},
    {MI300X, "v_mfma_f32_32x32x4_2b_f16 v[24:55], v[0:1], v[8:9], v[24:55]", 64, 4, 60},
    {MI300X, "v_mfma_f32_16x16x4_4b_f16 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_4x4x4_16b_f16 v[24:27], v[0:1], v[8:9], v[24:27]", 8, 4, 4},
    {MI300X, "v_mfma_f32_32x32x8_f16 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_16x16x16_f16 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_i32_32x32x4_2b_i8 v[24:55], v0, v8, v[24:55]", 64, 4, 60},
    {MI300X, "v_mfma_i32_16x16x4_4b_i8 v[24:39], v0, v8, v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_i32_4x4x4_16b_i8 v[24:27], v0, v8, v[24:27]", 8, 4, 4},
    {MI300X, "v_mfma_i32_32x32x16_i8 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_i32_16x16x32_i8 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x4_2b_bf16 v[24:55], v[0:1], v[8:9], v[24:55]", 64, 4, 60},
    {MI300X, "v_mfma_f32_16x16x4_4b_bf16 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[0:1], v[8:9], v[24:27]", 8, 4, 4},
    {MI300X, "v_mfma_f32_32x32x8_bf16 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_16x16x16_bf16 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_smfmac_f32_16x16x32_f16 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x16_f16 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_smfmac_f32_16x16x32_bf16 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x16_bf16 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_smfmac_i32_16x16x64_i8 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_i32_32x32x32_i8 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_mfma_f64_16x16x4_f64 v[24:31], v[0:1], v[8:9], v[24:31]", 32, 0, 0},
    {MI300X, "v_mfma_f64_4x4x4_4b_f64 v[24:25], v[0:1], v[8:9], v[24:25]", 16, 0, 0},
    {MI300X, "v_mfma_f32_16x16x32_bf8_bf8 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_bf8_fp8 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_fp8_bf8 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_fp8_fp8 v[24:27], v[0:1], v[8:9], v[24:27]", 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x16_bf8_bf8 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_bf8_fp8 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_fp8_bf8 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_fp8_fp8 v[24:39], v[0:1], v[8:9], v[24:39]", 32, 4, 28},
    {MI300X, "v_smfmac_f32_16x16x64_bf8_bf8 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_bf8_fp8 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_fp8_bf8 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_fp8_fp8 v[24:27], v[0:1], v[8:11], v16", 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x32_bf8_bf8 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_bf8_fp8 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_fp8_bf8 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_fp8_fp8 v[24:39], v[0:1], v[8:11], v16", 32, 8, 24},
    {RX7900XTX, "v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[8:15], v[24:31]", 32, 0, 0},
    {RX7900XTX, "v_wmma_f32_16x16x16_bf16 v[24:31], v[0:7], v[8:15], v[24:31]", 32, 0, 0},
    {RX7900XTX, "v_wmma_f16_16x16x16_f16 v[24:31], v[0:7], v[8:15], v[24:31]", 32, 0, 0},
    {RX7900XTX, "v_wmma_bf16_16x16x16_bf16 v[24:31], v[0:7], v[8:15], v[24:31]", 32, 0, 0},
    {RX7900XTX, "v_wmma_i32_16x16x16_iu8 v[24:31], v[0:3], v[8:11], v[24:31]", 32, 0, 0},
    {RX7900XTX, "v_wmma_i32_16x16x16_iu4 v[24:31], v[0:1], v[8:9], v[24:31]", 16, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[8:11], v[24:31]", 16, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf16 v[24:31], v[0:3], v[8:11], v[24:31]", 16, 0, 0},
    {RX9070XT, "v_wmma_f16_16x16x16_f16 v[24:27], v[0:3], v[8:11], v[24:27]", 16, 0, 0},
    {RX9070XT, "v_wmma_bf16_16x16x16_bf16 v[24:27], v[0:3], v[8:11], v[24:27]", 16, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x16_iu8 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x16_iu4 v[24:31], v0, v8, v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x32_iu4 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_fp8_fp8 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_fp8_bf8 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf8_fp8 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf8_bf8 v[24:31], v[0:1], v[8:9], v[24:31]", 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_f16 v[24:31], v[0:3], v[8:15], v16", 16, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf16 v[24:31], v[0:3], v[8:15], v16", 16, 0, 0},
    {RX9070XT, "v_swmmac_f16_16x16x32_f16 v[24:27], v[0:3], v[8:15], v16", 16, 0, 0},
    {RX9070XT, "v_swmmac_bf16_16x16x32_bf16 v[24:27], v[0:3], v[8:15], v16", 16, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x32_iu8 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x32_iu4 v[24:31], v0, v[8:9], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x64_iu4 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_fp8_fp8 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_fp8_bf8 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf8_fp8 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf8_bf8 v[24:31], v[0:1], v[8:11], v16", 8, 0, 0},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0], RUN = 24, V_MOV_V20_0 = 0x7e280280 };

/* The row's instruction on the first or the second set of accumulators. */
static unsigned put(uint32_t *code, unsigned row, bool second)
{
    char target[16];

    snprintf(target, sizeof target, "%.*s", (int)strcspn(chips[rows[row].chip], "-"), chips[rows[row].chip]);
    const uint32_t *word = assemble(target, rows[row].text).word;
    uint32_t first = word[0] & 0xff, addend = word[1] >> 18 & 0x1ff;
    bool tied = addend == 256 + 16; /* sparse: the addend is the result, src2 the index */

    code[0] = word[0] + (second ? 32 : 0);
    code[1] = word[1] + (second && !tied ? UINT32_C(32) << 18 : 0);
    assert_true(tied || addend == 256 + first);
    return 2;
}

static struct rig *bench(unsigned row, const uint32_t *code, size_t words)
{
    bool rdna = rows[row].chip >= RX7900XTX;
    struct err e = {0};
    struct profile *p;
    struct rig *r;

    if (profile_load(&p, chips[rows[row].chip], &e))
        fail_msg("%s", e.text);
    r = rig_new(p->target, code, words, rdna ? 32 : 64, 1);
    r->profile = *p;
    r->profile.origin = NULL; /* the profile's own; the engine reads figures alone */
    profile_free(p);
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 96;
    if (rows[row].chip == MI100)
        r->launch.nagprs = r->launch.occupancy.agpr_alloc = 64;
    rig_run(r);
    if (r->status)
        fail_msg("%s: %s", rows[row].text, r->err.text);
    return r;
}

static void end(uint32_t *code, unsigned row, unsigned *at)
{
    code[(*at)++] = rows[row].chip >= RX7900XTX ? R_END : A_END;
}

static void is(const struct rig *r, unsigned row, unsigned from, unsigned to, cycle_t cycles, const char *what)
{
    if (rig_at(r, to) - rig_at(r, from) != cycles)
        fail_msg("%s on %s, %s: %llu cycles, expected %llu", rows[row].text, r->profile.name, what,
                 (unsigned long long)(rig_at(r, to) - rig_at(r, from)), (unsigned long long)cycles);
}

/* In a long row each issues `cycles` after the one before, once whatever queues there are have filled. */
static void back_to_back(void **state)
{
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        uint32_t code[2 * RUN + 1];
        unsigned at = 0;
        struct rig *r;

        for (unsigned k = 0; k < RUN; k++)
            at += put(code + at, row, k & 1);
        end(code, row, &at);
        r = bench(row, code, at);
        for (unsigned k = RUN - 4; k + 1 < RUN; k++)
            is(r, row, 2 * k, 2 * k + 2, rows[row].cycles, "back to back");
        rig_free(r);
    }
}

/* So many vector instructions between two of them cost nothing; one more costs its own 4 cycles. CDNA alone: that RDNA
 * runs none beside WMMA says when they execute, not when they issue. */
static void vector_instructions_beside(void **state)
{
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned fit = rows[row].valu_cycles / 4;

        for (unsigned more = 0; more < 2 && rows[row].chip <= MI300X; more++) {
            uint32_t code[64];
            unsigned at = put(code, row, false), next;
            cycle_t first = rows[row].valu_after ? rows[row].valu_after : rows[row].cycles;
            struct rig *r;

            for (unsigned k = 0; k < fit + more; k++)
                code[at++] = V_MOV_V20_0;
            next = at;
            at += put(code + at, row, true);
            end(code, row, &at);
            r = bench(row, code, at);
            if (fit + more)
                is(r, row, 0, 2, first, "VALU beside it");
            is(r, row, 0, next, rows[row].cycles + more * 4, "VALU between");
            rig_free(r);
        }
    }
}

static void every_row_is_there(void **state)
{
    unsigned count[sizeof chips / sizeof chips[0]] = {0};

    (void)state;
    for (unsigned row = 0; row < ROWS; row++)
        count[rows[row].chip]++;
    assert_int_equal(ROWS, 121);
    for (unsigned k = 0; k < sizeof chips / sizeof chips[0]; k++)
        assert_true(count[k] >= 6);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_there),
        cmocka_unit_test(back_to_back),
        cmocka_unit_test(vector_instructions_beside),
    };

    return cmocka_run_group_tests_name("timing/matrix_rates", tests, NULL, NULL);
}
