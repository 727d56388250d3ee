/* Counters by AMD's names: values, units and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

static bool counter(const struct gcnsim_result *r, const char *name, double *value)
{
    struct gcnsim_counter c;

    for (size_t k = 0; gcnsim_result_counter(r, k, &c) == GCNSIM_OK; k++)
        if (strcmp(c.name, name) == 0) {
            *value = c.value;
            return c.present;
        }
    fail_msg("there is no counter %s", name);
    return false;
}

static double value_of(const struct gcnsim_result *r, const char *name)
{
    double value = -1;

    assert_true(counter(r, name, &value));
    return value;
}

static void has_not(const struct gcnsim_result *r, const char *name)
{
    double value;

    if (counter(r, name, &value))
        fail_msg("%s is %g", name, value);
}

struct expected {
    const char *name;
    double value;
};

static void expect(const struct gcnsim_result *r, const struct expected *e, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (value_of(r, e[k].name) != e[k].value)
            fail_msg("%s is %g, not %g", e[k].name, value_of(r, e[k].name), e[k].value);
}

/* gfx90a; v0 has the work-item, s[0:1] an address. */
static const char one_of_each[] =
    "s_mov_b32 s4, s0; s_mov_b32 s5, s1; s_movk_i32 s6, 0x1000; s_mov_b32 s7, 0x27000; v_lshlrev_b32 v1, 2, v0; "
    "buffer_load_dword v2, v1, s[4:7], 0 offen; s_waitcnt vmcnt(0); buffer_store_dword v2, v1, s[4:7], 0 offen; "
    "global_load_dword v3, v1, s[0:1]; global_load_dword v3, v1, s[0:1]; global_store_dword v1, v2, s[0:1]; "
    "v_mov_b32 v4, s0; v_mov_b32 v5, s1; v_add_co_u32 v4, vcc, v4, v1; v_addc_co_u32 v5, vcc, 0, v5, vcc; "
    "flat_load_dword v6, v[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); flat_store_dword v[4:5], v6; ds_write_b32 v1, v2; "
    "ds_read_b32 v7, v1; ds_read_b32 v7, v1; ds_add_u32 v1, v2; ds_bpermute_b32 v8, v1, v2; s_waitcnt lgkmcnt(0); "
    "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]; s_branch 0; s_nop 0; s_endpgm";
static const char atomics[] =
    "s_mov_b32 s4, s0; s_mov_b32 s5, s1; s_movk_i32 s6, 0x1000; s_mov_b32 s7, 0x27000; v_lshlrev_b32 v1, 2, v0; "
    "v_mov_b32 v2, 1; v_mov_b32 v4, s0; v_mov_b32 v5, s1; v_add_co_u32 v4, vcc, v4, v1; "
    "v_addc_co_u32 v5, vcc, 0, v5, vcc; buffer_atomic_add v2, v1, s[4:7], 0 offen; global_atomic_add v1, v2, s[0:1]; "
    "global_atomic_add v1, v2, s[0:1]; flat_atomic_add v[4:5], v2; s_waitcnt vmcnt(0) lgkmcnt(0); buffer_wbinvl1; "
    "s_waitcnt vmcnt(0); s_endpgm";
#define READ_ONE_BANK(LANES)                                                                                           \
    "s_mov_b64 exec, " #LANES "; v_lshlrev_b32 v1, 7, v0; ds_read_b32 v2, v1; s_waitcnt lgkmcnt(0); s_endpgm"
static const char one_lane[] = READ_ONE_BANK(1), two_lanes[] = READ_ONE_BANK(3);

/* Workgroups of 256 lanes; each lane moves element s2 * 256 + v0 from s[0:1] to s[4:5]. */
#define MOVE(BEGIN, LOAD, STORE)                                                                                       \
    "s_add_u32 s4, s0, 0x20000; s_addc_u32 s5, s1, 0; s_lshl_b32 s2, s2, 8; v_add_u32 v1, s2, v0; " BEGIN "; " LOAD    \
    "; s_waitcnt vmcnt(0); " STORE "; s_endpgm"
static const char copy_doubles[] = MOVE("v_lshlrev_b32 v1, 3, v1", "global_load_dwordx2 v[2:3], v1, s[0:1]",
                                        "global_store_dwordx2 v1, v[2:3], s[4:5]");
static const char load_floats[] = MOVE("v_lshlrev_b32 v1, 2, v1", "global_load_dword v2, v1, s[0:1]", "s_nop 0");
static const char fill_twice[] =
    MOVE("v_lshlrev_b32 v1, 3, v1", "global_store_dword v1, v0, s[4:5]", "global_store_dword v1, v0, s[4:5] offset:4");

/* profile: of the target's first letters. */
static struct gcnsim_result *run_on(const char *profile, const uint32_t *code, size_t bytes, uint32_t workgroups,
                                    uint32_t items)
{
    static uint32_t data[65536] __attribute__((aligned(4096)));
    static uint32_t aligned[256] __attribute__((aligned(4096)));
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_raw raw;
    struct gcnsim *sim = NULL;
    char target[7] = "";

    assert_true(bytes <= sizeof aligned);
    memcpy(aligned, code, bytes);
    gcnsim_raw_init(&raw);
    memcpy(target, profile, 6);
    raw.target = target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)aligned;
    raw.code_size = bytes;
    raw.wave_size = 64;
    raw.workgroups[0] = workgroups;
    raw.workgroup_size[0] = items;
    raw.lds_bytes = 4096;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12; /* 128 VGPRs, 32 SGPRs, denormals kept */
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;           /* two user SGPRs, then the workgroup */
    raw.compute_pgm_rsrc3 = 3;                           /* AGPRs from v16 */
    raw.kernarg_address = (uint64_t)(uintptr_t)data;
    if (gcnsim_open(&sim, profile, &error) || gcnsim_launch_raw(sim, &raw, &result, &error))
        fail_msg("%s", error.text);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s", result->message);
    gcnsim_close(sim);
    return result;
}
#define RUN(TEXT, ITEMS) run_on("gfx90a", BYTES("gfx90a", TEXT), 1, ITEMS)

/* Two waves, of 64 and of 20 work-items. */
static void known_code_has_known_counts(void **state)
{
    static const struct expected e[] = {
        {"SQ_WAVES", 2},
        {"SQ_WAVES_sum", 2},
        {"SQ_WAVES_EQ_64", 1},
        {"SQ_WAVES_LT_64", 1},
        {"SQ_WAVES_LT_48", 1},
        {"SQ_WAVES_LT_32", 1},
        {"SQ_WAVES_LT_16", 0},
        {"SQ_ITEMS", 84},
        {"SQ_INSTS", 56},
        {"SQ_INSTS_VALU", 12},
        {"SQ_INSTS_MFMA", 2},
        {"SQ_INSTS_VALU_MFMA_F16", 2},
        {"SQ_INSTS_VALU_MFMA_BF16", 0},
        {"SQ_INSTS_VALU_MFMA_MOPS_F16", 2 * 32}, /* 2 * 32 * 32 * 8 / 512 */
        {"MfmaFlops", 2 * 2 * 32 * 32 * 8},
        {"SQ_VALU_MFMA_BUSY_CYCLES", 2 * 64}, /* AMD's matrix instruction calculator */
        {"SQ_ACTIVE_INST_VALU", 12},          /* a quad-cycle each, the matrix instruction's likewise */
        {"SQ_THREAD_CYCLES_VALU", 6 * 84},
        {"AvgNumActiveThreads", 42},
        {"VALUUtilization", 100 * 42 / 64.0},
        {"SQ_INSTS_SALU", 8},
        {"SQ_INSTS_SMEM", 0},
        {"SQ_INSTS_VMEM", 14},
        {"SQ_INSTS_VMEM_RD", 8},
        {"SQ_INSTS_VMEM_WR", 6},
        {"SQ_INSTS_FLAT", 10},
        {"SQ_INSTS_LDS", 14}, /* flat ones are among them */
        {"SQ_INSTS_GDS", 0},
        {"SQ_INSTS_BRANCH", 2},
        {"SQ_INSTS_SENDMSG", 2}, /* s_endpgm */
        {"TA_TOTAL_WAVEFRONTS_sum", 14},
        {"TA_BUFFER_WAVEFRONTS_sum", 4},
        {"TA_BUFFER_READ_WAVEFRONTS_sum", 2},
        {"TA_BUFFER_WRITE_WAVEFRONTS_sum", 2},
        {"TA_BUFFER_ATOMIC_WAVEFRONTS_sum", 0},
        {"TA_FLAT_WAVEFRONTS_sum", 10},
        {"TA_FLAT_READ_WAVEFRONTS_sum", 6},
        {"TA_FLAT_WRITE_WAVEFRONTS_sum", 4},
        {"TD_LOAD_WAVEFRONT_sum", 14},
        {"TD_STORE_WAVEFRONT_sum", 6},
        {"TD_ATOMIC_WAVEFRONT_sum", 0},
        {"Wavefronts", 2},
        {"VALUInsts", 6},
        {"SALUInsts", 4},
        {"VFetchInsts", 1},
        {"VWriteInsts", 1},
    };
    struct gcnsim_result *r = RUN(one_of_each, 84);

    (void)state;
    expect(r, e, sizeof e / sizeof *e);
    assert_true(value_of(r, "TCC_WRITE_sum") > 0 && value_of(r, "TCC_ATOMIC_sum") == 0);
    assert_true(value_of(r, "TCC_READ_sum") + value_of(r, "TCC_WRITE_sum") == value_of(r, "TCC_REQ_sum"));
    gcnsim_result_free(r);
}

/* AMD's definitions leave open whether atomics are reads or writes, and whether TA processes cache control. */
static void what_a_definition_leaves_open_is_absent(void **state)
{
    static const struct expected e[] = {
        {"TA_BUFFER_ATOMIC_WAVEFRONTS_sum", 1},
        {"TA_FLAT_ATOMIC_WAVEFRONTS_sum", 3},
        {"TD_ATOMIC_WAVEFRONT_sum", 4},
        {"TD_LOAD_WAVEFRONT_sum", 4},
        {"SQ_INSTS_VMEM", 5},
    };
    static const char *const open[] = {"SQ_INSTS_VMEM_RD", "SQ_INSTS_VMEM_WR",        "VFetchInsts",
                                       "VWriteInsts",      "TA_TOTAL_WAVEFRONTS_sum", "TA_BUFFER_WAVEFRONTS_sum"};
    struct gcnsim_result *r = RUN(atomics, 64);

    (void)state;
    expect(r, e, sizeof e / sizeof *e);
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
        has_not(r, open[k]);
    assert_true(value_of(r, "TCC_ATOMIC_sum") > 0);
    gcnsim_result_free(r);
}

/* The example that AMD has measured on an MI250 ("LDS examples" of ROCm Compute Profiler's documentation). */
static void lds_is_active_as_amd_measured(void **state)
{
    struct gcnsim_result *one = RUN(one_lane, 64), *two = RUN(two_lanes, 64);

    (void)state;
    assert_true(value_of(one, "SQ_LDS_IDX_ACTIVE") == 2 && value_of(one, "SQ_LDS_BANK_CONFLICT") == 0);
    assert_true(value_of(two, "SQ_LDS_IDX_ACTIVE") == 3 && value_of(two, "SQ_LDS_BANK_CONFLICT") == 1);
    assert_true(value_of(two, "LdsBankConflict") == 0.5);
    gcnsim_result_free(one);
    gcnsim_result_free(two);
}

/* Raw counters of rocprofiler-compute's tests (vecCopy of all chips, mixbench and its fill of MI100 and MI200), by
 * wave; their last digits differ from dispatch to dispatch. */
static void requests_are_as_measured(void **state)
{
    static const struct measured {
        const char *profile, *text;
        double lookups, reads, writes, hits, misses;
    } of_a_wave[] = {
        {"gfx908-mi100", copy_doubles, 32, 8, 8, 0, 16},   {"gfx90a-mi210", copy_doubles, 32, 8, 8, 4, 8},
        {"gfx942-mi300a", copy_doubles, 32, 4, 8, 4, 8},   {"gfx942-mi300x", copy_doubles, 32, 4, 8, 4, 8},
        {"gfx908-mi100", load_floats, 4, 4, 0, 0, 4},      {"gfx90a-mi210", load_floats, 4, 4, 0, 0, 2},
        {"gfx908-mi100", fill_twice, 2 * 32, 0, 16, 8, 8},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of_a_wave / sizeof *of_a_wave; k++) {
        const struct measured *m = &of_a_wave[k];
        struct assembled code = assemble(m->profile[4] == '4' ? "gfx942" : "gfx90a", m->text);
        struct gcnsim_result *r = run_on(m->profile, code.word, code.words * sizeof *code.word, 64, 256);
        double waves = value_of(r, "SQ_WAVES"), stray = 0.02 * waves * (m->hits + m->misses) + 100;

        assert_true(waves == 256);
        assert_true(value_of(r, "TCP_TOTAL_CACHE_ACCESSES_sum") == waves * m->lookups);
        assert_true(value_of(r, "TCP_TCC_READ_REQ_sum") == waves * m->reads);
        assert_true(value_of(r, "TCP_TCC_WRITE_REQ_sum") == waves * m->writes);
        assert_true(value_of(r, "TCC_WRITE_sum") == waves * m->writes);
        /* those of scalars and instructions are among them */
        assert_float_equal(value_of(r, "TCC_HIT_sum"), waves * m->hits, stray);
        assert_float_equal(value_of(r, "TCC_MISS_sum"), waves * m->misses, stray);
        assert_true(value_of(r, "TCC_REQ_sum") == value_of(r, "TCC_HIT_sum") + value_of(r, "TCC_MISS_sum"));
        gcnsim_result_free(r);
    }
}

static void counters_are_statistics(void **state)
{
    struct gcnsim_result *r = run_sample("traces/samples/gfx90a/matmul.json", 0);
    double cycles = (double)result_stat(r, "cycles"), resident = (double)result_stat(r, "resident_wave_cycles");

    (void)state;
    assert_true(value_of(r, "GRBM_GUI_ACTIVE") == cycles);
    assert_true(value_of(r, "SQ_WAVES") == 48);
    assert_true(value_of(r, "SQ_WAVE_CYCLES") * 4 == resident);
    assert_true(value_of(r, "WaveDuration") == resident / 48);
    assert_true(value_of(r, "SQ_BUSY_CU_CYCLES") == (double)result_stat(r, "units.cu.cycles"));
    assert_true(value_of(r, "SQC_ICACHE_MISSES") ==
                (double)(result_stat(r, "cache.i.misses") - result_stat(r, "cache.i.mshr_merges")));
    assert_true(value_of(r, "FETCH_SIZE") * 1024 == (double)result_stat(r, "cache.l2.read_bytes"));
    assert_true(value_of(r, "TCC_HIT") ==
                (double)(result_stat(r, "cache.l2.hits") + result_stat(r, "cache.l2.mshr_merges")));
    assert_true(value_of(r, "L2CacheHit") ==
                100 * value_of(r, "TCC_HIT_sum") / (value_of(r, "TCC_HIT_sum") + value_of(r, "TCC_MISS_sum")));
    /* 104 CUs of 4 SIMDs */
    assert_float_equal(value_of(r, "OccupancyPercent"), 100 * resident / cycles / 104 / 32, 1e-3);
    assert_float_equal(value_of(r, "VALUBusy"), 100 * value_of(r, "SQ_ACTIVE_INST_VALU") / 104 / cycles, 1e-3);
    assert_float_equal(value_of(r, "LDSBankConflict"), 100 * value_of(r, "SQ_LDS_BANK_CONFLICT") / cycles / 104, 1e-3);
    gcnsim_result_free(r);
}

/* Each chip has the counters that AMD's definitions give it. */
static void chips_have_counters_of_their_own(void **state)
{
    struct gcnsim_result *gcn = run_sample("traces/samples/gfx803/matmul.json", 0);
    struct gcnsim_result *cdna = run_sample("traces/samples/gfx90a/matmul.json", 0);
    struct gcnsim_result *rdna = run_sample("traces/samples/gfx1201/matmul.json", 0);
    double total = (double)result_stat(rdna, "instructions.total");

    (void)state;
    assert_true(value_of(gcn, "TCC_MC_RDREQ_sum") * 32 == (double)result_stat(gcn, "cache.l2.read_bytes"));
    assert_true(value_of(gcn, "VALUBusy") > 0);
    has_not(gcn, "SQ_BUSY_CU_CYCLES");
    has_not(gcn, "SQC_DCACHE_REQ");
    has_not(cdna, "GL2C_HIT");
    has_not(cdna, "SQ_INSTS_VALU_MFMA_MOPS_F8");
    has_not(cdna, "TCC_MC_RDREQ_sum");
    assert_true(value_of(rdna, "GL2C_MISS") ==
                (double)(result_stat(rdna, "cache.l2.misses") - result_stat(rdna, "cache.l2.mshr_merges")));
    assert_true(value_of(rdna, "SQ_WAVE_CYCLES") == (double)result_stat(rdna, "resident_wave_cycles"));
    assert_true(value_of(rdna, "SQ_WAVE32_INSTS") == total && value_of(rdna, "SQ_WAVE64_INSTS") == 0);
    assert_true(value_of(rdna, "TCP_REQ") == (double)result_stat(rdna, "cache.vl0.accesses"));
    assert_float_equal(value_of(rdna, "LDSBankConflict"),
                       100 * value_of(rdna, "SQC_LDS_BANK_CONFLICT") / value_of(rdna, "SQC_LDS_IDX_ACTIVE"), 1e-3);
    has_not(rdna, "SQC_DCACHE_REQ");
    has_not(rdna, "WRITE_SIZE");
    gcnsim_result_free(gcn);
    gcnsim_result_free(cdna);
    gcnsim_result_free(rdna);
}

static void columns_are_rocprofv3s(void **state)
{
    static const char header[] =
        "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","
        "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
        "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
        "\"End_Timestamp\"\n";
    struct gcnsim_result *r = run_sample("traces/samples/gfx90a/matmul.json", 0);
    char *text = NULL;

    (void)state;
    assert_int_equal(gcnsim_result_counters_csv(r, &text, NULL), GCNSIM_OK);
    assert_true(strncmp(text, header, strlen(header)) == 0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned commas = 0;

        for (const char *at = line; *at; at++)
            commas += *at == ',';
        assert_int_equal(commas, 18);
    }
    free(text);
    gcnsim_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_code_has_known_counts),      cmocka_unit_test(what_a_definition_leaves_open_is_absent),
        cmocka_unit_test(lds_is_active_as_amd_measured),    cmocka_unit_test(counters_are_statistics),
        cmocka_unit_test(chips_have_counters_of_their_own), cmocka_unit_test(columns_are_rocprofv3s),
        cmocka_unit_test(requests_are_as_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
