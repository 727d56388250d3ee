/* Who waits for whom on GCN and CDNA, outside the matrix unit: vector results on their way to vector, scalar, branch
 * and memory instructions, s_nop, branches.
 *
 * Figures: CLRX GcnTimings (branches, VALU to SALU 16, +4 for a branch on a fresh condition); thread traces of gfx950:
 * VMEM 12 after any VALU, which all chips take over; SALU 20 after VALU with an SGPR result, needed or not, which CDNA3
 * does. What a branch costs by its place in a fetch block is in test_gcn_fetch.c. LLVM 19 GCNHazardRecognizer: n wait
 * states are n + 1 turns of 4 cycles.
 */
#include "tests/timing/gcn_rig.h"

enum {
    V_CMP_EQ_VCC_V1_V2 = 0x7d940501,
    V_CNDMASK_V4_V1_V2_VCC = 0x00080501,
    S_MOV_S11_S10 = 0xbe8b000a,
    S_MOV_S12_S13 = 0xbe8c000d,
    S_MOV_S10_0 = 0xbe8a0080,
    V_MOV_V4_S10 = 0x7e08020a,
    V_MOV_V5_0 = 0x7e0a0280,
    V_MOV_V6_0 = 0x7e0c0280,
    S_CMP_EQ_S10_0 = 0xbf06800a,
    S_CBRANCH_SCC0_1 = 0xbf840001,
    S_CBRANCH_VCCNZ_1 = 0xbf870001,
    S_CBRANCH_EXECZ_1 = 0xbf880001,
    S_MOV_VCC_0 = 0xbeea0180,
    S_MOV_S12_13_M1 = 0xbe8c01c1,
    S_AND_SAVEEXEC_S14_S12 = 0xbe8e200c,
};
#define V_READLANE_S10_V1  0xd289000a, 0x00010101
#define V_MOV_DPP_V7_V5    0x7e0e02fa, 0xff011105
#define V_MOV_DPP_V7_V8    0x7e0e02fa, 0xff011108
#define BUFFER_LOAD_V1_V5  0xe0501000, 0x80000105 /* buffer_load_dword v1, v5, s[0:3], 0 offen */
#define BUFFER_LOAD_V1_S10 0xe0500000, 0x0a000100 /* buffer_load_dword v1, off, s[0:3], s10 */
#define S_MOV_S2_SIZE      0xbe8200ff, 0x00010000
#define S_MOV_S3_FORMAT    0xbe8300ff, 0x00027000
#define DS_WRITE_V6_V5     0xd81a0000, 0x00000506

static bool is_cdna3(unsigned chip)
{
    return chip == GCN_MI300X;
}

static void vector_results_to_vector(void **state)
{
    static const uint32_t chain[] = {A_ADD_V0_V1_V2, A_ADD_V3_V0_V2, A_END};
    static const uint32_t mask[] = {V_CMP_EQ_VCC_V1_V2, V_CNDMASK_V4_V1_V2_VCC, A_END};
    static const uint32_t trans[] = {A_RCP_V5_V1, A_ADD_V6_V5_V2, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, chain, 1);

        gcn_expect(r, 0, 1, 4, "dependent VALU");
        rig_free(r);
        r = GCN_RIG(chip, mask, 1);
        gcn_expect(r, 0, 1, 4, "v_cmp to v_cndmask");
        rig_free(r);
        r = GCN_RIG(chip, trans, 1);
        gcn_expect(r, 0, 1, 16, "transcendental to VALU");
        rig_free(r);
    }
}

/* Two wait states: that DPP has them from the hardware too, or from s_nop 1, is the same time. */
static void vector_results_to_dpp(void **state)
{
    static const uint32_t near[] = {V_MOV_V5_0, V_MOV_DPP_V7_V5, A_END};
    static const uint32_t padded[] = {V_MOV_V5_0, 0xbf800001 /* s_nop 1 */, V_MOV_DPP_V7_V5, A_END};
    static const uint32_t other[] = {V_MOV_V5_0, V_MOV_DPP_V7_V8, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, near, 1);

        gcn_expect(r, 0, 1, 12, "VALU to DPP");
        rig_free(r);
        r = GCN_RIG(chip, padded, 1);
        gcn_expect(r, 0, 2, 12, "VALU, s_nop 1, DPP");
        rig_free(r);
        r = GCN_RIG(chip, other, 1);
        gcn_expect(r, 0, 1, 4, "DPP of another register");
        rig_free(r);
    }
}

static void vector_results_to_scalar(void **state)
{
    static const uint32_t reader[] = {V_READLANE_S10_V1, S_MOV_S11_S10, A_END};
    static const uint32_t other[] = {V_CMP_EQ_VCC_V1_V2, S_MOV_S12_S13, A_END};
    static const uint32_t plain[] = {A_ADD_V0_V1_V2, S_MOV_S12_S13, A_END};
    static const uint32_t vector[] = {V_READLANE_S10_V1, V_MOV_V4_S10, A_END};
    static const uint32_t wait[] = {V_CMP_EQ_VCC_V1_V2, S_NOP_0, A_END};
    static const uint32_t branch[] = {V_CMP_EQ_VCC_V1_V2, S_CBRANCH_VCCNZ_1, S_NOP_0, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        cycle_t cycles = is_cdna3(chip) ? 20 : 16;
        struct rig *r = GCN_RIG(chip, reader, 1);

        gcn_expect(r, 0, 2, cycles, "v_readlane to SALU");
        rig_free(r);
        r = GCN_RIG(chip, other, 1);
        gcn_expect(r, 0, 1, cycles, "v_cmp to SALU that does not need it");
        rig_free(r);
        r = GCN_RIG(chip, plain, 1);
        gcn_expect(r, 0, 1, 4, "VALU without SGPR result to SALU");
        rig_free(r);
        r = GCN_RIG(chip, vector, 1);
        gcn_expect(r, 0, 2, 4, "v_readlane to VALU");
        rig_free(r);
        r = GCN_RIG(chip, wait, 1);
        gcn_expect(r, 0, 1, 4, "v_cmp to s_nop");
        rig_free(r);
        r = GCN_RIG(chip, branch, 1);
        gcn_expect(r, 0, 1, cycles, "v_cmp to a branch on VCC");
        rig_free(r);
    }
}

static void results_to_memory(void **state)
{
    static const uint32_t reader[] = {S_MOV_S2_SIZE, S_MOV_S3_FORMAT, V_MOV_V5_0, BUFFER_LOAD_V1_V5, A_END};
    static const uint32_t other[] = {S_MOV_S2_SIZE, S_MOV_S3_FORMAT, V_MOV_V5_0, V_MOV_V6_0, BUFFER_LOAD_V1_V5, A_END};
    static const uint32_t later[] = {V_MOV_V6_0, V_MOV_V5_0, S_NOP_2, DS_WRITE_V6_V5, A_END};
    static const uint32_t lds[] = {V_MOV_V6_0, V_MOV_V5_0, DS_WRITE_V6_V5, A_END};
    static const uint32_t sgpr[] = {S_MOV_S2_SIZE, S_MOV_S3_FORMAT, V_READLANE_S10_V1, BUFFER_LOAD_V1_S10, A_END};
    static const uint32_t salu[] = {S_MOV_S2_SIZE, S_MOV_S3_FORMAT, S_MOV_S10_0, BUFFER_LOAD_V1_S10, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, reader, 1);

        gcn_expect(r, 4, 5, 12, "VALU to VMEM that reads it");
        rig_free(r);
        r = GCN_RIG(chip, other, 1);
        gcn_expect(r, 5, 6, 12, "VALU to VMEM that does not need it");
        rig_free(r);
        r = GCN_RIG(chip, lds, 1);
        gcn_expect(r, 1, 2, 12, "VALU to LDS");
        rig_free(r);
        r = GCN_RIG(chip, later, 1);
        gcn_expect(r, 1, 3, 16, "VALU, s_nop 2, LDS: s_nop is the longer");
        rig_free(r);
        r = GCN_RIG(chip, sgpr, 1);
        gcn_expect(r, 4, 6, 24, "v_readlane to VMEM that reads the SGPR");
        rig_free(r);
        r = GCN_RIG(chip, salu, 1);
        gcn_expect(r, 4, 5, 4, "SALU to VMEM that reads the SGPR");
        rig_free(r);
    }
}

static void scalar_results(void **state)
{
    static const uint32_t code[] = {S_MOV_S10_0, S_MOV_S11_S10, S_MOV_S10_0, V_MOV_V4_S10, A_END};
    static const uint32_t exec[] = {S_MOV_S12_13_M1, S_AND_SAVEEXEC_S14_S12, A_ADD_V0_V1_V2, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, code, 1);

        gcn_expect(r, 0, 1, 4, "SALU to SALU");
        gcn_expect(r, 2, 3, 4, "SALU to VALU");
        rig_free(r);
        r = GCN_RIG(chip, exec, 1);
        gcn_expect(r, 1, 2, 8, "saveexec to VALU, which runs under EXEC");
        rig_free(r);
    }
}

static void conditions_to_branches(void **state)
{
    static const uint32_t scc[] = {S_CMP_EQ_S10_0, A_CBRANCH_SCC1_1, S_NOP_0, S_NOP_0, A_END};
    static const uint32_t vcc[] = {S_MOV_VCC_0, S_CBRANCH_VCCNZ_1, S_NOP_0, A_END};
    static const uint32_t exec[] = {S_MOV_S12_13_M1, S_AND_SAVEEXEC_S14_S12, S_CBRANCH_EXECZ_1, S_NOP_0, A_END};
    static const uint32_t old[] = {S_CMP_EQ_S10_0, S_NOP_0, S_NOP_0, A_CBRANCH_SCC1_1, S_NOP_0, A_END};
    static const uint32_t none[] = {S_CMP_EQ_S10_0, A_BRANCH_1, S_NOP_0, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, scc, 1);

        gcn_expect(r, 0, 1, 8, "s_cmp to a branch on SCC");
        rig_free(r);
        r = GCN_RIG(chip, vcc, 1);
        gcn_expect(r, 0, 1, 8, "SALU to a branch on VCC");
        rig_free(r);
        r = GCN_RIG(chip, exec, 1);
        gcn_expect(r, 1, 2, 12, "saveexec to a branch on EXEC");
        rig_free(r);
        r = GCN_RIG(chip, old, 1);
        gcn_expect(r, 2, 3, 4, "a branch on an SCC that is long there");
        rig_free(r);
        r = GCN_RIG(chip, none, 1);
        gcn_expect(r, 0, 1, 4, "s_branch, which reads nothing");
        rig_free(r);
    }
}

static void branches(void **state)
{
    static const uint32_t taken[] = {A_BRANCH_1, S_NOP_0, A_END};
    /* SCC is 0 in a new wave */
    static const uint32_t not_taken[] = {A_CBRANCH_SCC1_1, S_NOP_0, A_END};

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = GCN_RIG(chip, taken, 1);

        gcn_expect(r, 0, 2, 20, "branch taken");
        rig_free(r);
        r = GCN_RIG(chip, not_taken, 1);
        gcn_expect(r, 0, 1, 4, "branch not taken");
        rig_free(r);
    }
}

static void nops(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
        for (unsigned n = 0; n < 16; n++) {
            const uint32_t code[] = {S_NOP_0 | n, S_NOP_0, A_END};
            struct rig *r = GCN_RIG(chip, code, 1);

            gcn_expect(r, 0, 1, 4 * (n + 1), "s_nop");
            rig_free(r);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_results_to_vector),
        cmocka_unit_test(vector_results_to_dpp),
        cmocka_unit_test(vector_results_to_scalar),
        cmocka_unit_test(results_to_memory),
        cmocka_unit_test(scalar_results),
        cmocka_unit_test(conditions_to_branches),
        cmocka_unit_test(branches),
        cmocka_unit_test(nops),
    };

    return cmocka_run_group_tests_name("timing/gcn_depend", tests, NULL, NULL);
}
