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
    const char *name;
    uint32_t word[2]; /* accumulators from v24 (MI100: a0) on, v0 and v8 times it; index v16 */
    unsigned cycles, valu_after, valu_cycles;
} rows[] = {
    {MI100, "v_mfma_f32_32x32x1f32", {0xd3c00000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x1f32", {0xd3c10000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x1f32", {0xd3c20000, 0x04021100}, 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x2f32", {0xd3c40000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x4f32", {0xd3c50000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_f32_32x32x4f16", {0xd3c80000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x4f16", {0xd3c90000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x4f16", {0xd3ca0000, 0x04021100}, 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x8f16", {0xd3cc0000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x16f16", {0xd3cd0000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_i32_32x32x4i8", {0xd3d00000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_i32_16x16x4i8", {0xd3d10000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_i32_4x4x4i8", {0xd3d20000, 0x04021100}, 8, 0, 0},
    {MI100, "v_mfma_i32_32x32x8i8", {0xd3d40000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_i32_16x16x16i8", {0xd3d50000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_f32_32x32x2bf16", {0xd3e80000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x2bf16", {0xd3e90000, 0x04021100}, 32, 8, 24},
    {MI100, "v_mfma_f32_4x4x2bf16", {0xd3eb0000, 0x04021100}, 8, 0, 0},
    {MI100, "v_mfma_f32_32x32x4bf16", {0xd3ec0000, 0x04021100}, 64, 8, 56},
    {MI100, "v_mfma_f32_16x16x8bf16", {0xd3ed0000, 0x04021100}, 32, 8, 24},
    {MI210, "v_mfma_f32_32x32x1f32", {0xd3c00018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x1f32", {0xd3c10018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x1f32", {0xd3c20018, 0x04621100}, 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x2f32", {0xd3c40018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4f32", {0xd3c50018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x4f16", {0xd3c80018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4f16", {0xd3c90018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x4f16", {0xd3ca0018, 0x04621100}, 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x8f16", {0xd3cc0018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x16f16", {0xd3cd0018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_i32_32x32x4i8", {0xd3d00018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_i32_16x16x4i8", {0xd3d10018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_i32_4x4x4i8", {0xd3d20018, 0x04621100}, 8, 4, 4},
    {MI210, "v_mfma_i32_32x32x8i8", {0xd3d40018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_i32_16x16x16i8", {0xd3d50018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x4bf16_1k", {0xd3e30018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x4bf16_1k", {0xd3e40018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x4bf16_1k", {0xd3e50018, 0x04621100}, 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x8bf16_1k", {0xd3e60018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x16bf16_1k", {0xd3e70018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_32x32x2bf16", {0xd3e80018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x2bf16", {0xd3e90018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f32_4x4x2bf16", {0xd3eb0018, 0x04621100}, 8, 4, 4},
    {MI210, "v_mfma_f32_32x32x4bf16", {0xd3ec0018, 0x04621100}, 64, 4, 60},
    {MI210, "v_mfma_f32_16x16x8bf16", {0xd3ed0018, 0x04621100}, 32, 4, 28},
    {MI210, "v_mfma_f64_16x16x4f64", {0xd3ee0018, 0x04621100}, 32, 0, 0},
    {MI210, "v_mfma_f64_4x4x4f64", {0xd3ef0018, 0x04621100}, 16, 0, 0},
    {MI300X, "v_mfma_f32_16x16x8_xf32", {0xd3be0018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x4_xf32", {0xd3bf0018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x1_2b_f32", {0xd3c00018, 0x04621100}, 64, 0, 0},
    {MI300X, "v_mfma_f32_16x16x1_4b_f32", {0xd3c10018, 0x04621100}, 32, 0, 0},
    {MI300X, "v_mfma_f32_4x4x1_16b_f32", {0xd3c20018, 0x04621100}, 8, 0, 0},
    {MI300X, "v_mfma_f32_32x32x2_f32", {0xd3c40018, 0x04621100}, 64, 0, 0},
    {MI300X, "v_mfma_f32_16x16x4_f32", {0xd3c50018, 0x04621100}, 32, 0, 0},
    {MI300X, "v_mfma_f32_32x32x4_2b_f16", {0xd3c80018, 0x04621100}, 64, 4, 60},
    {MI300X, "v_mfma_f32_16x16x4_4b_f16", {0xd3c90018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_4x4x4_16b_f16", {0xd3ca0018, 0x04621100}, 8, 4, 4},
    {MI300X, "v_mfma_f32_32x32x8_f16", {0xd3cc0018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_16x16x16_f16", {0xd3cd0018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_i32_32x32x4_2b_i8", {0xd3d00018, 0x04621100}, 64, 4, 60},
    {MI300X, "v_mfma_i32_16x16x4_4b_i8", {0xd3d10018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_i32_4x4x4_16b_i8", {0xd3d20018, 0x04621100}, 8, 4, 4},
    {MI300X, "v_mfma_i32_32x32x16_i8", {0xd3d60018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_i32_16x16x32_i8", {0xd3d70018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x4_2b_bf16", {0xd3dd0018, 0x04621100}, 64, 4, 60},
    {MI300X, "v_mfma_f32_16x16x4_4b_bf16", {0xd3de0018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_4x4x4_16b_bf16", {0xd3df0018, 0x04621100}, 8, 4, 4},
    {MI300X, "v_mfma_f32_32x32x8_bf16", {0xd3e00018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_16x16x16_bf16", {0xd3e10018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_smfmac_f32_16x16x32_f16", {0xd3e20018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x16_f16", {0xd3e40018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_smfmac_f32_16x16x32_bf16", {0xd3e60018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x16_bf16", {0xd3e80018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_smfmac_i32_16x16x64_i8", {0xd3ea0018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_i32_32x32x32_i8", {0xd3ec0018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_mfma_f64_16x16x4_f64", {0xd3ee0018, 0x04621100}, 32, 0, 0},
    {MI300X, "v_mfma_f64_4x4x4_4b_f64", {0xd3ef0018, 0x04621100}, 16, 0, 0},
    {MI300X, "v_mfma_f32_16x16x32_bf8_bf8", {0xd3f00018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_bf8_fp8", {0xd3f10018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_fp8_bf8", {0xd3f20018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_16x16x32_fp8_fp8", {0xd3f30018, 0x04621100}, 16, 4, 12},
    {MI300X, "v_mfma_f32_32x32x16_bf8_bf8", {0xd3f40018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_bf8_fp8", {0xd3f50018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_fp8_bf8", {0xd3f60018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_mfma_f32_32x32x16_fp8_fp8", {0xd3f70018, 0x04621100}, 32, 4, 28},
    {MI300X, "v_smfmac_f32_16x16x64_bf8_bf8", {0xd3f80018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_bf8_fp8", {0xd3f90018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_fp8_bf8", {0xd3fa0018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_16x16x64_fp8_fp8", {0xd3fb0018, 0x04421100}, 16, 8, 8},
    {MI300X, "v_smfmac_f32_32x32x32_bf8_bf8", {0xd3fc0018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_bf8_fp8", {0xd3fd0018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_fp8_bf8", {0xd3fe0018, 0x04421100}, 32, 8, 24},
    {MI300X, "v_smfmac_f32_32x32x32_fp8_fp8", {0xd3ff0018, 0x04421100}, 32, 8, 24},
    {RX7900XTX, "v_wmma_f32_16x16x16_f16", {0xcc404018, 0x1c621100}, 32, 0, 0},
    {RX7900XTX, "v_wmma_f32_16x16x16_bf16", {0xcc414018, 0x1c621100}, 32, 0, 0},
    {RX7900XTX, "v_wmma_f16_16x16x16_f16", {0xcc424018, 0x1c621100}, 32, 0, 0},
    {RX7900XTX, "v_wmma_bf16_16x16x16_bf16", {0xcc434018, 0x1c621100}, 32, 0, 0},
    {RX7900XTX, "v_wmma_i32_16x16x16_iu8", {0xcc444018, 0x1c621100}, 32, 0, 0},
    {RX7900XTX, "v_wmma_i32_16x16x16_iu4", {0xcc454018, 0x1c621100}, 16, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_f16", {0xcc404018, 0x1c621100}, 16, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf16", {0xcc414018, 0x1c621100}, 16, 0, 0},
    {RX9070XT, "v_wmma_f16_16x16x16_f16", {0xcc424018, 0x1c621100}, 16, 0, 0},
    {RX9070XT, "v_wmma_bf16_16x16x16_bf16", {0xcc434018, 0x1c621100}, 16, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x16_iu8", {0xcc444018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x16_iu4", {0xcc454018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_i32_16x16x32_iu4", {0xcc4a4018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_fp8_fp8", {0xcc464018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_fp8_bf8", {0xcc474018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf8_fp8", {0xcc484018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_wmma_f32_16x16x16_bf8_bf8", {0xcc494018, 0x1c621100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_f16", {0xcc504018, 0x1c421100}, 16, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf16", {0xcc514018, 0x1c421100}, 16, 0, 0},
    {RX9070XT, "v_swmmac_f16_16x16x32_f16", {0xcc524018, 0x1c421100}, 16, 0, 0},
    {RX9070XT, "v_swmmac_bf16_16x16x32_bf16", {0xcc534018, 0x1c421100}, 16, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x32_iu8", {0xcc544018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x32_iu4", {0xcc554018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_i32_16x16x64_iu4", {0xcc564018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_fp8_fp8", {0xcc574018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_fp8_bf8", {0xcc584018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf8_fp8", {0xcc594018, 0x1c421100}, 8, 0, 0},
    {RX9070XT, "v_swmmac_f32_16x16x32_bf8_bf8", {0xcc5a4018, 0x1c421100}, 8, 0, 0},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0], RUN = 24, V_MOV_V20_0 = 0x7e280280 };

/* The row's instruction on the first or the second set of accumulators. */
static unsigned put(uint32_t *code, unsigned row, bool second)
{
    uint32_t first = rows[row].word[0] & 0xff, addend = rows[row].word[1] >> 18 & 0x1ff;
    bool tied = addend == 256 + 16; /* sparse: the addend is the result, src2 the index */

    code[0] = rows[row].word[0] + (second ? 32 : 0);
    code[1] = rows[row].word[1] + (second && !tied ? UINT32_C(32) << 18 : 0);
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
        fail_msg("%s: %s", rows[row].name, r->err.text);
    return r;
}

static void end(uint32_t *code, unsigned row, unsigned *at)
{
    code[(*at)++] = rows[row].chip >= RX7900XTX ? R_END : A_END;
}

static void is(const struct rig *r, unsigned row, unsigned from, unsigned to, cycle_t cycles, const char *what)
{
    if (rig_at(r, to) - rig_at(r, from) != cycles)
        fail_msg("%s on %s, %s: %llu cycles, expected %llu", rows[row].name, r->profile.name, what,
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
