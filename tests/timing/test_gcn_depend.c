/* Who waits for whom on GCN and CDNA, outside the matrix unit: vector results on their way to vector, scalar, branch
 * and memory instructions, s_nop, branches.
 *
 * Figures: CLRX GcnTimings (branches, VALU to SALU 16, +4 for a branch on a fresh condition); thread traces of gfx950:
 * VMEM 12 after any VALU, which all chips take over; SALU 20 after VALU with an SGPR result, needed or not, which CDNA3
 * does. What a branch costs by its place in a fetch block is in test_gcn_fetch.c. LLVM 19 GCNHazardRecognizer: n wait
 * states are n + 1 turns of 4 cycles.
 */
#include "tests/timing/gcn_rig.h"

static bool is_cdna3(unsigned chip)
{
    return chip == GCN_MI300X;
}

static void vector_results_to_vector(void **state)
{
    static const char chain[] = "v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; s_endpgm";
    static const char mask[] = "v_cmp_eq_u32 vcc, v1, v2; v_cndmask_b32 v4, v1, v2, vcc; s_endpgm";
    static const char trans[] = "v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, chain, 1);

        gcn_expect(r, 0, 1, 4, "dependent VALU");
        rig_free(r);
        r = gcn_text(chip, mask, 1);
        gcn_expect(r, 0, 1, 4, "v_cmp to v_cndmask");
        rig_free(r);
        r = gcn_text(chip, trans, 1);
        gcn_expect(r, 0, 1, 16, "transcendental to VALU");
        rig_free(r);
    }
}

/* Two wait states: that DPP has them from the hardware too, or from s_nop 1, is the same time. */
static void vector_results_to_dpp(void **state)
{
    static const char near[] = "v_mov_b32 v5, 0; v_mov_b32_dpp v7, v5 row_shr:1 row_mask:0xf bank_mask:0xf; s_endpgm";
    static const char padded[] =
        "v_mov_b32 v5, 0; s_nop 1; v_mov_b32_dpp v7, v5 row_shr:1 row_mask:0xf bank_mask:0xf; s_endpgm";
    static const char other[] = "v_mov_b32 v5, 0; v_mov_b32_dpp v7, v8 row_shr:1 row_mask:0xf bank_mask:0xf; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, near, 1);

        gcn_expect(r, 0, 1, 12, "VALU to DPP");
        rig_free(r);
        r = gcn_text(chip, padded, 1);
        gcn_expect(r, 0, 2, 12, "VALU, s_nop 1, DPP");
        rig_free(r);
        r = gcn_text(chip, other, 1);
        gcn_expect(r, 0, 1, 4, "DPP of another register");
        rig_free(r);
    }
}

static void vector_results_to_scalar(void **state)
{
    static const char reader[] = "v_readlane_b32 s10, v1, 0; s_mov_b32 s11, s10; s_endpgm";
    static const char other[] = "v_cmp_eq_u32 vcc, v1, v2; s_mov_b32 s12, s13; s_endpgm";
    static const char plain[] = "v_add_f32 v0, v1, v2; s_mov_b32 s12, s13; s_endpgm";
    static const char vector[] = "v_readlane_b32 s10, v1, 0; v_mov_b32 v4, s10; s_endpgm";
    static const char wait[] = "v_cmp_eq_u32 vcc, v1, v2; s_nop 0; s_endpgm";
    static const char branch[] = "v_cmp_eq_u32 vcc, v1, v2; s_cbranch_vccnz end; s_nop 0; "
                                 "end: s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        cycle_t cycles = is_cdna3(chip) ? 20 : 16;
        struct rig *r = gcn_text(chip, reader, 1);

        gcn_expect(r, 0, 2, cycles, "v_readlane to SALU");
        rig_free(r);
        r = gcn_text(chip, other, 1);
        gcn_expect(r, 0, 1, cycles, "v_cmp to SALU that does not need it");
        rig_free(r);
        r = gcn_text(chip, plain, 1);
        gcn_expect(r, 0, 1, 4, "VALU without SGPR result to SALU");
        rig_free(r);
        r = gcn_text(chip, vector, 1);
        gcn_expect(r, 0, 2, 4, "v_readlane to VALU");
        rig_free(r);
        r = gcn_text(chip, wait, 1);
        gcn_expect(r, 0, 1, 4, "v_cmp to s_nop");
        rig_free(r);
        r = gcn_text(chip, branch, 1);
        gcn_expect(r, 0, 1, cycles, "v_cmp to a branch on VCC");
        rig_free(r);
    }
}

static void results_to_memory(void **state)
{
    static const char reader[] =
        "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; v_mov_b32 v5, 0; buffer_load_dword v1, v5, s[0:3], 0 offen; "
        "s_endpgm";
    static const char other[] = "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; v_mov_b32 v5, 0; v_mov_b32 v6, 0; "
                                "buffer_load_dword v1, v5, s[0:3], 0 offen; s_endpgm";
    static const char later[] = "v_mov_b32 v6, 0; v_mov_b32 v5, 0; s_nop 2; ds_write_b32 v6, v5; s_endpgm";
    static const char lds[] = "v_mov_b32 v6, 0; v_mov_b32 v5, 0; ds_write_b32 v6, v5; s_endpgm";
    static const char sgpr[] = "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; v_readlane_b32 s10, v1, 0; "
                               "buffer_load_dword v1, off, s[0:3], s10; s_endpgm";
    static const char salu[] =
        "s_mov_b32 s2, 0x10000; s_mov_b32 s3, 0x27000; s_mov_b32 s10, 0; buffer_load_dword v1, off, s[0:3], s10; "
        "s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, reader, 1);

        gcn_expect(r, 4, 5, 12, "VALU to VMEM that reads it");
        rig_free(r);
        r = gcn_text(chip, other, 1);
        gcn_expect(r, 5, 6, 12, "VALU to VMEM that does not need it");
        rig_free(r);
        r = gcn_text(chip, lds, 1);
        gcn_expect(r, 1, 2, 12, "VALU to LDS");
        rig_free(r);
        r = gcn_text(chip, later, 1);
        gcn_expect(r, 1, 3, 16, "VALU, s_nop 2, LDS: s_nop is the longer");
        rig_free(r);
        r = gcn_text(chip, sgpr, 1);
        gcn_expect(r, 4, 6, 24, "v_readlane to VMEM that reads the SGPR");
        rig_free(r);
        r = gcn_text(chip, salu, 1);
        gcn_expect(r, 4, 5, 4, "SALU to VMEM that reads the SGPR");
        rig_free(r);
    }
}

static void scalar_results(void **state)
{
    static const char code[] = "s_mov_b32 s10, 0; s_mov_b32 s11, s10; s_mov_b32 s10, 0; v_mov_b32 v4, s10; s_endpgm";
    static const char exec[] =
        "s_mov_b64 s[12:13], -1; s_and_saveexec_b64 s[14:15], s[12:13]; v_add_f32 v0, v1, v2; s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, code, 1);

        gcn_expect(r, 0, 1, 4, "SALU to SALU");
        gcn_expect(r, 2, 3, 4, "SALU to VALU");
        rig_free(r);
        r = gcn_text(chip, exec, 1);
        gcn_expect(r, 1, 2, 8, "saveexec to VALU, which runs under EXEC");
        rig_free(r);
    }
}

static void conditions_to_branches(void **state)
{
    static const char scc[] = "s_cmp_eq_u32 s10, 0; s_cbranch_scc1 skip; s_nop 0; "
                              "skip: s_nop 0; s_endpgm";
    static const char vcc[] = "s_mov_b64 vcc, 0; s_cbranch_vccnz end; s_nop 0; "
                              "end: s_endpgm";
    static const char exec[] =
        "s_mov_b64 s[12:13], -1; s_and_saveexec_b64 s[14:15], s[12:13]; s_cbranch_execz end; s_nop 0; "
        "end: s_endpgm";
    static const char old[] = "s_cmp_eq_u32 s10, 0; s_nop 0; s_nop 0; s_cbranch_scc1 end; s_nop 0; "
                              "end: s_endpgm";
    static const char none[] = "s_cmp_eq_u32 s10, 0; s_branch end; s_nop 0; "
                               "end: s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, scc, 1);

        gcn_expect(r, 0, 1, 8, "s_cmp to a branch on SCC");
        rig_free(r);
        r = gcn_text(chip, vcc, 1);
        gcn_expect(r, 0, 1, 8, "SALU to a branch on VCC");
        rig_free(r);
        r = gcn_text(chip, exec, 1);
        gcn_expect(r, 1, 2, 12, "saveexec to a branch on EXEC");
        rig_free(r);
        r = gcn_text(chip, old, 1);
        gcn_expect(r, 2, 3, 4, "a branch on an SCC that is long there");
        rig_free(r);
        r = gcn_text(chip, none, 1);
        gcn_expect(r, 0, 1, 4, "s_branch, which reads nothing");
        rig_free(r);
    }
}

static void branches(void **state)
{
    static const char taken[] = "s_branch end; s_nop 0; "
                                "end: s_endpgm";
    /* SCC is 0 in a new wave */
    static const char not_taken[] = "s_cbranch_scc1 end; s_nop 0; "
                                    "end: s_endpgm";

    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++) {
        struct rig *r = gcn_text(chip, taken, 1);

        gcn_expect(r, 0, 2, 20, "branch taken");
        rig_free(r);
        r = gcn_text(chip, not_taken, 1);
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
