/* The table of counters by AMD's names: a row for each that counts exactly what statistics do, and for each metric that
 * AMD derives from such. The tables of docs/COUNTERS.md are made of it, and the page says which
 * counters have no row.
 *
 * Sources: counter_defs.yaml of rocprofiler-sdk for what each is and the chips that have it, metrics.xml and
 * gfx_metrics.xml of rocprofiler for gfx8; ROCm documentation, "MI300 and MI200 Series performance counters and
 * metrics". Measured examples of ROCm Compute Profiler's documentation ("Profiling by example", MI250) settle what
 * these leave open: SQ_BUSY_CU_CYCLES grows by one in a cycle of a busy CU, SQ_ACTIVE_INST_VALU of a matrix instruction
 * is the time until another VALU instruction may issue, and SQ_LDS_IDX_ACTIVE is 2 for a read of 4 bytes, however few
 * lanes take part, and one more for each bank conflict.
 */
#include "sim/report/counters.h"

#define EVERY    COUNTERS_EVERY
#define G8       COUNTERS_G8
#define G10      COUNTERS_G10
#define G11      COUNTERS_G11
#define G12      COUNTERS_G12
#define RDNA     (G10 | G11 | G12)
#define MI350    COUNTERS_G950
#define MI300_UP (COUNTERS_G94X | MI350)
#define MI200    COUNTERS_G90A
#define MI200_UP (MI200 | MI300_UP)
#define CDNA     (COUNTERS_G908 | MI200_UP)
#define GCN      (G8 | COUNTERS_G900 | COUNTERS_G906 | CDNA)
#define TO_MI200 (GCN & ~MI300_UP)

#define CACHE(L, S) (STAT_CACHES + LEVEL_##L * STAT_CACHE_ROWS + STAT_CACHE_##S)
#define CATEGORY(C) (STAT_CATEGORY + OPCAT_##C)
#define KIND(K)     (STAT_KIND + OPK_##K)
#define PART(STAT, WEIGHT, GENERATIONS)                                                                                \
    {                                                                                                                  \
        (STAT), (GENERATIONS), PER_NOTHING, (WEIGHT)                                                                   \
    }
#define ONE(STAT) PART(STAT, 1, EVERY)
#define WAVE32(STAT)                                                                                                   \
    {                                                                                                                  \
        (STAT), EVERY, IF_WAVE32, 1                                                                                    \
    }
#define WAVE64(STAT)                                                                                                   \
    {                                                                                                                  \
        (STAT), EVERY, IF_WAVE64, 1                                                                                    \
    }
#define CU_TIME                                                                                                        \
    {                                                                                                                  \
        STAT_CYCLES, EVERY, PER_CU, 1                                                                                  \
    }
#define SIMD_TIME                                                                                                      \
    {                                                                                                                  \
        STAT_CYCLES, EVERY, PER_SIMD, 1                                                                                \
    }
#define OPS(TYPE)  PART(STAT_OPS_MATRIX_##TYPE, 1.0 / 512, EVERY)
#define NO_ATOMICS .unless = {KIND(BUFFER_ATOMIC), KIND(GLOBAL_ATOMIC), KIND(FLAT_ATOMIC)}
#define WAVES                                                                                                          \
    ONE(STAT_LAUNCHED_1), ONE(STAT_LAUNCHED_16), ONE(STAT_LAUNCHED_32), ONE(STAT_LAUNCHED_48), ONE(STAT_LAUNCHED_64)
/* in quad-cycles */
#define ACTIVE_(TIMES)                                                                                                 \
    PART(STAT_VALU_CYCLES, (TIMES) / 4.0, EVERY), PART(STAT_VALU_HANDOVER_CYCLES, (TIMES) / 4.0, EVERY)
#define ACTIVE          ACTIVE_(1)
#define THREADS_(TIMES) PART(STAT_VALU_LANE_CYCLES, (TIMES) / 4.0, EVERY)
#define THREADS         THREADS_(1)

/* A row with two of AMD's names, and the generations that have each. */
#define TWO(NAME, GENERATIONS, OTHER, ITS_GENERATIONS, ...)                                                            \
    {NAME, GENERATIONS, __VA_ARGS__},                                                                                  \
    {                                                                                                                  \
        OTHER, ITS_GENERATIONS, __VA_ARGS__                                                                            \
    }

/* clang-format off */
const struct counter_row report_counter_rows[] = {
    {"GRBM_GUI_ACTIVE", EVERY, .of = {ONE(STAT_CYCLES)}, .about = "cycles in which the GPU is active"},
    TWO("SQ_WAVES", EVERY, "SQ_WAVES_sum", EVERY & ~G8, .of = {WAVES}, .about = "wavefronts sent to the sequencers"),
    {"SQ_WAVES_EQ_64", CDNA, .of = {ONE(STAT_LAUNCHED_64)}, .about = "wavefronts sent with exactly 64 active threads"},
    {"SQ_WAVES_LT_64", CDNA,
     .of = {ONE(STAT_LAUNCHED_1), ONE(STAT_LAUNCHED_16), ONE(STAT_LAUNCHED_32), ONE(STAT_LAUNCHED_48)},
     .about = "wavefronts sent with less than 64 active threads"},
    {"SQ_WAVES_LT_48", CDNA, .of = {ONE(STAT_LAUNCHED_1), ONE(STAT_LAUNCHED_16), ONE(STAT_LAUNCHED_32)},
     .about = "wavefronts sent with less than 48 active threads"},
    {"SQ_WAVES_LT_32", CDNA, .of = {ONE(STAT_LAUNCHED_1), ONE(STAT_LAUNCHED_16)},
     .about = "wavefronts sent with less than 32 active threads"},
    {"SQ_WAVES_LT_16", CDNA, .of = {ONE(STAT_LAUNCHED_1)}, .about = "wavefronts sent with less than 16 active threads"},
    {"SQ_ITEMS", CDNA, .of = {ONE(STAT_LAUNCHED_ITEMS)}, .about = "valid items of the waves"},
    {"SQ_WAVE_CYCLES", CDNA | RDNA,
     .of = {PART(STAT_RESIDENT_WAVE_CYCLES, .25, CDNA), PART(STAT_RESIDENT_WAVE_CYCLES, 1, RDNA)},
     .about = "cycles spent by waves in the CUs, on CDNA in quad-cycles"},
    {"SQ_BUSY_CU_CYCLES", CDNA, .of = {ONE(STAT_CU_CYCLES)},
     .about = "quad-cycles in which each CU is busy, summed over its SIMDs"},
    {"SQ_INSTS", CDNA, .of = {ONE(STAT_INSTRUCTIONS)}, .about = "instructions issued"},
    {"SQ_WAVE32_INSTS", RDNA, .of = {WAVE32(STAT_INSTRUCTIONS)}, .about = "instructions issued by waves of 32"},
    {"SQ_WAVE64_INSTS", RDNA, .of = {WAVE64(STAT_INSTRUCTIONS)}, .about = "instructions issued by waves of 64"},
    {"SQ_INSTS_VALU", EVERY, .of = {ONE(CATEGORY(VALU)), ONE(CATEGORY(MFMA))},
     .about = "vector ALU instructions issued, matrix ones included"},
    {"SQ_INSTS_MFMA", CDNA, .of = {ONE(CATEGORY(MFMA))}, .about = "matrix instructions issued"},
    {"SQ_INSTS_VALU_MFMA_F16", MI200_UP, .of = {ONE(KIND(MATRIX_F16))}, .about = "matrix instructions issued on F16"},
    {"SQ_INSTS_VALU_MFMA_BF16", MI200_UP, .of = {ONE(KIND(MATRIX_BF16))},
     .about = "matrix instructions issued on BF16"},
    {"SQ_INSTS_VALU_MFMA_F32", MI200_UP, .of = {ONE(KIND(MATRIX_F32))}, .about = "matrix instructions issued on F32"},
    {"SQ_INSTS_VALU_MFMA_F64", MI200_UP, .of = {ONE(KIND(MATRIX_F64))}, .about = "matrix instructions issued on F64"},
    {"SQ_INSTS_VALU_MFMA_I8", MI200_UP, .of = {ONE(KIND(MATRIX_I8))}, .about = "matrix instructions issued on I8"},
    {"SQ_INSTS_VALU_MFMA_F8", MI300_UP, .of = {ONE(KIND(MATRIX_F8))}, .about = "matrix instructions issued on F8"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F16", MI200_UP, .of = {OPS(F16)},
     .about = "operations of matrix instructions on F16 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_BF16", MI200_UP, .of = {OPS(BF16)},
     .about = "operations of matrix instructions on BF16 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F32", MI200_UP, .of = {OPS(F32)},
     .about = "operations of matrix instructions on F32 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F64", MI200_UP, .of = {OPS(F64)},
     .about = "operations of matrix instructions on F64 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_I8", MI200_UP, .of = {OPS(I8)},
     .about = "operations of matrix instructions on I8 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F8", MI300_UP, .of = {OPS(F8)},
     .about = "operations of matrix instructions on F8 divided by 512, with all of EXEC assumed"},
    {"SQ_VALU_MFMA_BUSY_CYCLES", MI200_UP, .of = {ONE(STAT_MATRIX_CYCLES)},
     .about = "cycles in which the matrix ALU is busy"},
    {"SQ_INSTS_SALU", EVERY, .of = {ONE(CATEGORY(SALU))}, .about = "scalar ALU instructions issued"},
    {"SQ_INSTS_SMEM", EVERY, .of = {ONE(CATEGORY(SMEM))}, .about = "scalar memory instructions issued"},
    {"SQ_INSTS_VMEM", CDNA, .of = {ONE(CATEGORY(VMEM)), ONE(CATEGORY(FLAT))},
     .about = "vector memory instructions issued, flat and buffer ones"},
    {"SQ_INSTS_VMEM_RD", GCN,
     .of = {ONE(KIND(BUFFER_LOAD)), ONE(KIND(GLOBAL_LOAD)), ONE(KIND(FLAT_LOAD))}, NO_ATOMICS,
     .about = "vector memory reads issued, flat ones included"},
    {"SQ_INSTS_VMEM_WR", GCN,
     .of = {ONE(KIND(BUFFER_STORE)), ONE(KIND(GLOBAL_STORE)), ONE(KIND(FLAT_STORE))}, NO_ATOMICS,
     .about = "vector memory writes issued, flat ones included"},
    {"SQ_INSTS_FLAT", GCN,
     .of = {ONE(KIND(GLOBAL_LOAD)), ONE(KIND(GLOBAL_STORE)), ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_LOAD)),
     ONE(KIND(FLAT_STORE)), ONE(KIND(FLAT_ATOMIC))},
     .about = "instructions of the FLAT encoding issued"},
    {"SQ_INSTS_FLAT_FLATSEG", MI350, .of = {ONE(CATEGORY(FLAT))},
     .about = "instructions of the FLAT encoding issued that are flat"},
    {"SQ_INSTS_LDS", EVERY,
     .of = {ONE(KIND(LDS_LOAD)), ONE(KIND(LDS_STORE)), ONE(KIND(LDS_ATOMIC)), ONE(KIND(LDS_PERMUTE)),
     PART(CATEGORY(FLAT), 1, EVERY & ~MI300_UP)},
     .about = "LDS instructions issued, flat ones included but for MI300 on"},
    {"SQ_INSTS_LDS_LOAD", MI350, .of = {ONE(KIND(LDS_LOAD))}, .unless = {KIND(LDS_PERMUTE)},
     .about = "LDS load instructions issued"},
    {"SQ_INSTS_LDS_STORE", MI350, .of = {ONE(KIND(LDS_STORE))}, .about = "LDS store instructions issued"},
    {"SQ_INSTS_LDS_ATOMIC", MI350, .of = {ONE(KIND(LDS_ATOMIC))}, .about = "LDS atomic instructions issued"},
    {"SQ_INSTS_GDS", EVERY & ~G12, .of = {ONE(KIND(GDS))}, .about = "GDS instructions issued"},
    {"SQ_INSTS_EXP_GDS", CDNA, .of = {ONE(KIND(GDS))}, .about = "export and GDS instructions issued"},
    {"SQ_INSTS_BRANCH", CDNA, .of = {ONE(CATEGORY(BRANCH)), PART(KIND(MESSAGE), -1, EVERY)},
     .about = "branches issued"},
    {"SQ_INSTS_SENDMSG", CDNA, .of = {ONE(KIND(MESSAGE)), ONE(KIND(END))},
     .about = "messages issued, s_endpgm included"},
    {"SQ_ACTIVE_INST_VALU", GCN, .of = {ACTIVE},
     .about = "quad-cycles in which waves work on VALU instructions, matrix ones until the VALU is free again"},
    {"SQ_THREAD_CYCLES_VALU", GCN, .of = {THREADS}, .about = "the same times the active threads"},
    TWO("SQ_LDS_BANK_CONFLICT", GCN, "SQC_LDS_BANK_CONFLICT", RDNA,
        .of = {ONE(STAT_LDS_BANK_CONFLICT_CYCLES)},
        .about = "cycles LDS is stalled by bank conflicts"),
    {"SQ_LDS_ADDR_CONFLICT", CDNA, .of = {ONE(STAT_LDS_ADDRESS_CONFLICT_CYCLES)},
     .about = "cycles LDS is stalled by address conflicts"},
    TWO("SQ_LDS_IDX_ACTIVE", CDNA, "SQC_LDS_IDX_ACTIVE", RDNA,
        .of = {ONE(STAT_LDS_ACTIVE_CYCLES)},
        .about = "cycles LDS is used for indexed operations"),
    {"SQC_DCACHE_REQ", CDNA, .of = {ONE(CACHE(K, ACCESSES))}, .about = "requests of the scalar data cache"},
    {"SQC_DCACHE_HITS", CDNA, .of = {ONE(CACHE(K, HITS))}, .about = "hits of the scalar data cache"},
    {"SQC_DCACHE_MISSES", CDNA, .of = {ONE(CACHE(K, MISSES)), PART(CACHE(K, MSHR_MERGES), -1, EVERY)},
     .about = "misses of the scalar data cache, not duplicate ones"},
    {"SQC_DCACHE_MISSES_DUPLICATE", CDNA, .of = {ONE(CACHE(K, MSHR_MERGES))},
     .about = "misses on a line already missed"},
    {"SQC_ICACHE_REQ", CDNA | G12, .of = {ONE(CACHE(I, ACCESSES))}, .about = "requests of the instruction cache"},
    {"SQC_ICACHE_HITS", CDNA | G12, .of = {ONE(CACHE(I, HITS))}, .about = "hits of the instruction cache"},
    {"SQC_ICACHE_MISSES", CDNA, .of = {ONE(CACHE(I, MISSES)), PART(CACHE(I, MSHR_MERGES), -1, EVERY)},
     .about = "misses of the instruction cache, not duplicate ones"},
    {"SQC_ICACHE_MISSES_DUPLICATE", CDNA, .of = {ONE(CACHE(I, MSHR_MERGES))},
     .about = "misses on a line already missed"},
    {"TA_TOTAL_WAVEFRONTS_sum", CDNA,
     .of = {ONE(KIND(BUFFER_LOAD)), ONE(KIND(BUFFER_STORE)), ONE(KIND(BUFFER_ATOMIC)), ONE(KIND(GLOBAL_LOAD)),
     ONE(KIND(GLOBAL_STORE)), ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_LOAD)), ONE(KIND(FLAT_STORE)),
     ONE(KIND(FLAT_ATOMIC))},
     .unless = {KIND(CACHE_CONTROL)},
     .about = "wavefronts processed by TA"},
    {"TA_BUFFER_WAVEFRONTS_sum", CDNA,
     .of = {ONE(KIND(BUFFER_LOAD)), ONE(KIND(BUFFER_STORE)), ONE(KIND(BUFFER_ATOMIC))},
     .unless = {KIND(CACHE_CONTROL)},
     .about = "buffer wavefronts processed by TA"},
    {"TA_BUFFER_READ_WAVEFRONTS_sum", CDNA, .of = {ONE(KIND(BUFFER_LOAD))},
     .about = "buffer read wavefronts processed by TA"},
    {"TA_BUFFER_WRITE_WAVEFRONTS_sum", CDNA, .of = {ONE(KIND(BUFFER_STORE))},
     .about = "buffer write wavefronts processed by TA"},
    {"TA_BUFFER_ATOMIC_WAVEFRONTS_sum", CDNA, .of = {ONE(KIND(BUFFER_ATOMIC))},
     .about = "buffer atomic wavefronts processed by TA"},
    {"TA_FLAT_WAVEFRONTS_sum", CDNA,
     .of = {ONE(KIND(GLOBAL_LOAD)), ONE(KIND(GLOBAL_STORE)), ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_LOAD)),
     ONE(KIND(FLAT_STORE)), ONE(KIND(FLAT_ATOMIC))},
     .about = "wavefronts of flat opcodes processed by TA"},
    {"TA_FLAT_READ_WAVEFRONTS_sum", GCN, .of = {ONE(KIND(GLOBAL_LOAD)), ONE(KIND(FLAT_LOAD))},
     .about = "read wavefronts of flat opcodes processed by TA"},
    {"TA_FLAT_WRITE_WAVEFRONTS_sum", GCN, .of = {ONE(KIND(GLOBAL_STORE)), ONE(KIND(FLAT_STORE))},
     .about = "write wavefronts of flat opcodes processed by TA"},
    {"TA_FLAT_ATOMIC_WAVEFRONTS_sum", CDNA, .of = {ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_ATOMIC))},
     .about = "atomic wavefronts of flat opcodes processed by TA"},
    {"TD_LOAD_WAVEFRONT_sum", CDNA,
     .of = {ONE(KIND(BUFFER_LOAD)), ONE(KIND(BUFFER_STORE)), ONE(KIND(BUFFER_ATOMIC)), ONE(KIND(GLOBAL_LOAD)),
     ONE(KIND(GLOBAL_STORE)), ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_LOAD)), ONE(KIND(FLAT_STORE)),
     ONE(KIND(FLAT_ATOMIC))},
     .about = "wavefronts of reads, writes and atomics"},
    {"TD_STORE_WAVEFRONT_sum", CDNA, .of = {ONE(KIND(BUFFER_STORE)), ONE(KIND(GLOBAL_STORE)), ONE(KIND(FLAT_STORE))},
     .about = "wavefronts of writes"},
    {"TD_ATOMIC_WAVEFRONT_sum", CDNA,
     .of = {ONE(KIND(BUFFER_ATOMIC)), ONE(KIND(GLOBAL_ATOMIC)), ONE(KIND(FLAT_ATOMIC))},
     .about = "wavefronts of atomics"},
    {"TCP_TOTAL_CACHE_ACCESSES_sum", CDNA, .of = {ONE(CACHE(VL0, TAG_REQUESTS))},
     .about = "lookups of lines in the vector L1 data cache"},
    {"TCP_TCC_READ_REQ_sum", CDNA,
     .of = {ONE(CACHE(VL0, TAG_MISSES)), PART(CACHE(VL0, STORE_REQUESTS), -1, EVERY),
     PART(CACHE(VL0, ATOMICS), -1, EVERY)},
     .about = "reads that the vector L1 data caches ask of L2"},
    {"TCP_TCC_WRITE_REQ_sum", CDNA, .of = {ONE(CACHE(VL0, STORE_REQUESTS))},
     .about = "writes that the vector L1 data caches send to L2"},
    {"TCP_REQ", G12, .of = {ONE(CACHE(VL0, ACCESSES))}, .about = "accesses of lines of the vector L0 cache"},
    {"TCP_REQ_MISS", G12, .of = {ONE(CACHE(VL0, MISSES))}, .about = "of these those that missed"},
    TWO("TCC_REQ", CDNA, "TCC_REQ_sum", CDNA, .of = {ONE(CACHE(L2, TAG_REQUESTS))},
        .about = "requests of L2 of all types"),
    TWO("TCC_READ", CDNA, "TCC_READ_sum", CDNA,
        .of = {ONE(CACHE(L2, ACCESSES)), PART(CACHE(L2, STORES), -1, EVERY), PART(CACHE(L2, ATOMICS), -1, EVERY)},
        .about = "read requests of L2"),
    TWO("TCC_WRITE", CDNA, "TCC_WRITE_sum", CDNA, .of = {ONE(CACHE(L2, STORE_REQUESTS))},
        .about = "write requests of L2"),
    TWO("TCC_ATOMIC", CDNA, "TCC_ATOMIC_sum", CDNA, .of = {ONE(CACHE(L2, ATOMICS))}, .about = "atomic requests of L2"),
    TWO("TCC_HIT", GCN, "TCC_HIT_sum", GCN,
        .of = {ONE(CACHE(L2, TAG_REQUESTS)), PART(CACHE(L2, TAG_MISSES), -1, EVERY)}, .about = "hits of L2"),
    TWO("TCC_MISS", GCN, "TCC_MISS_sum", GCN, .of = {ONE(CACHE(L2, TAG_MISSES))}, .about = "misses of L2"),
    TWO("GL2C_HIT", RDNA, "GL2C_HIT_sum", RDNA,
        .of = {ONE(CACHE(L2, TAG_REQUESTS)), PART(CACHE(L2, TAG_MISSES), -1, EVERY)}, .about = "hits of L2"),
    TWO("GL2C_MISS", RDNA, "GL2C_MISS_sum", RDNA, .of = {ONE(CACHE(L2, TAG_MISSES))}, .about = "misses of L2"),
    {"TCC_MC_RDREQ_sum", G8, .of = {PART(CACHE(L2, READ_BYTES), 1.0 / 32, EVERY)},
     .about = "reads of 32 bytes, as which the hardware counts those of 64"},
    TWO("FETCH_SIZE", EVERY, "FetchSize", GCN | G12,
        .of = {PART(CACHE(L2, READ_BYTES), 1.0 / 1024, EVERY)},
        .about = "KiB that L2 has fetched from memory"),
    TWO("WRITE_SIZE", EVERY & ~G12, "WriteSize", GCN,
        .of = {PART(CACHE(L2, WRITE_BYTES), 1.0 / 1024, EVERY)}, .unless = {CACHE(L2, BYPASSES)},
        .about = "KiB that L2 has written to memory"),
    {"Wavefronts", TO_MI200 | RDNA, .of = {WAVES}, .about = "wavefronts"},
    {"VALUInsts", TO_MI200 | RDNA, .of = {ONE(CATEGORY(VALU)), ONE(CATEGORY(MFMA))}, .by = {WAVES},
     .about = "vector ALU instructions of a wave, in the mean"},
    {"SALUInsts", TO_MI200 | RDNA, .of = {ONE(CATEGORY(SALU))}, .by = {WAVES},
     .about = "scalar ALU instructions of a wave, in the mean"},
    {"SFetchInsts", TO_MI200 | RDNA, .of = {ONE(CATEGORY(SMEM))}, .by = {WAVES},
     .about = "scalar memory instructions of a wave, in the mean"},
    {"VFetchInsts", GCN,
     .of = {ONE(KIND(BUFFER_LOAD))}, .by = {WAVES}, NO_ATOMICS,
     .about = "vector memory reads of a wave, flat opcodes aside, in the mean"},
    {"VWriteInsts", GCN,
     .of = {ONE(KIND(BUFFER_STORE))}, .by = {WAVES}, NO_ATOMICS,
     .about = "vector memory writes of a wave, flat opcodes aside, in the mean"},
    {"GDSInsts", TO_MI200 | G10 | G11, .of = {ONE(KIND(GDS))}, .by = {WAVES},
     .about = "GDS instructions of a wave, in the mean"},
    {"VALUUtilization", GCN, .of = {THREADS_(100.0 / 64)}, .by = {ACTIVE},
     .about = "percentage of the threads of a wave that are active in VALU instructions"},
    {"AvgNumActiveThreads", MI200, .of = {THREADS}, .by = {ACTIVE},
     .about = "threads that are active in VALU instructions"},
    TWO("VALUBusy", GCN, "ValuPipeIssueUtil", MI200_UP,
        .of = {ACTIVE_(100)}, .by = {CU_TIME},
        .about = "percentage of the time in which VALU instructions are processed"),
    {"MfmaUtil", MI200_UP, .of = {PART(STAT_MATRIX_CYCLES, 100, EVERY)}, .by = {SIMD_TIME},
     .about = "percentage of the time in which the matrix ALUs are busy"},
    {"MfmaFlops", MI200_UP,
     .of = {ONE(STAT_OPS_MATRIX_F16), ONE(STAT_OPS_MATRIX_BF16), ONE(STAT_OPS_MATRIX_F32), ONE(STAT_OPS_MATRIX_F64)},
     .about = "operations of matrix instructions on floats, 8-bit ones aside"},
    {"MfmaFlopsF16", MI200_UP, .of = {ONE(STAT_OPS_MATRIX_F16)}, .about = "operations of matrix instructions on F16"},
    {"MfmaFlopsBF16", MI200_UP, .of = {ONE(STAT_OPS_MATRIX_BF16)},
     .about = "operations of matrix instructions on BF16"},
    {"MfmaFlopsF32", MI200_UP, .of = {ONE(STAT_OPS_MATRIX_F32)}, .about = "operations of matrix instructions on F32"},
    {"MfmaFlopsF64", MI200_UP, .of = {ONE(STAT_OPS_MATRIX_F64)}, .about = "operations of matrix instructions on F64"},
    {"OccupancyPercent", MI200_UP | RDNA, .of = {PART(STAT_RESIDENT_WAVE_CYCLES, 100.0 / 32, EVERY)}, .by = {CU_TIME},
     .about = "resident waves as a percentage of 32 of each CU"},
    {"MeanOccupancyPerCU", MI200_UP | RDNA, .of = {ONE(STAT_RESIDENT_WAVE_CYCLES)}, .by = {CU_TIME},
     .about = "resident waves of a CU, in the mean"},
    {"WaveDuration", MI200, .of = {ONE(STAT_RESIDENT_WAVE_CYCLES)}, .by = {WAVES},
     .about = "cycles of a wave, in the mean"},
    {"LDSBankConflict", TO_MI200 | MI300_UP | RDNA,
     .of = {PART(STAT_LDS_BANK_CONFLICT_CYCLES, 100, EVERY)}, .by = {{STAT_CYCLES, GCN, PER_CU, 1},
     PART(STAT_LDS_ACTIVE_CYCLES, 1, RDNA)},
     .about = "percentage of the time, on RDNA of the active cycles, in which LDS is stalled by bank conflicts"},
    {"LdsBankConflict", MI200_UP,
     .of = {ONE(STAT_LDS_BANK_CONFLICT_CYCLES)}, .by = {ONE(STAT_LDS_ACTIVE_CYCLES),
     PART(STAT_LDS_BANK_CONFLICT_CYCLES, -1, EVERY)},
     .about = "bank conflicts of an access"},
    {"LdsUtil", MI200_UP | G12,
     .of = {PART(STAT_LDS_ACTIVE_CYCLES, 100, EVERY)}, .by = {{STAT_CYCLES, MI200_UP, PER_CU, 1}, {STAT_CYCLES,
     G12, PER_SIMD, .25}},
     .about = "percentage of the time in which LDS is active"},
    {"L2CacheHit", TO_MI200 | RDNA,
     .of = {PART(CACHE(L2, TAG_REQUESTS), 100, EVERY), PART(CACHE(L2, TAG_MISSES), -100, EVERY)},
     .by = {ONE(CACHE(L2, TAG_REQUESTS))},
     .about = "percentage of the requests that hit in L2"},
    {"L0CacheHit", G12, .of = {PART(CACHE(VL0, HITS), 100, EVERY)}, .by = {ONE(CACHE(VL0, ACCESSES))},
     .about = "percentage of the requests that hit in the vector L0 cache"},
    {"L1iCacheHitRate", MI200, .of = {PART(CACHE(I, HITS), 100, EVERY)}, .by = {ONE(CACHE(I, ACCESSES))},
     .about = "percentage of the requests that hit in the instruction cache"},
    {"sL1dCacheHitRate", MI200, .of = {PART(CACHE(K, HITS), 100, EVERY)}, .by = {ONE(CACHE(K, ACCESSES))},
     .about = "percentage of the requests that hit in the scalar data cache"},
    {.name = NULL},
};
/* clang-format on */
