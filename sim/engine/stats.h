/* The statistics table: one row for each number that a run counts.
 *
 * A row says the name, the unit and what the number means. The engines count into engine_result.stat[], which has one
 * entry for each row; JSON, the text and CSV reports, the public API (struct gcnsim_stat) and the tables in
 * docs/REPORT.md follow from the rows. A new counter is a row here and the line that counts it.
 *
 * Rows belong to scopes: the run as a whole, its dispatch, instructions, their kinds, stall reasons, waves, LDS, each
 * cache level, DRAM, the fabric, address translation. The scope's name and a dot stand before the row's own name:
 * "cache.l2.misses". Stall reasons have their rows in sim/engine/timing/cu/stall.h, instruction categories, kinds and
 * cache levels in sim/util/vocab.h; adding one there adds its statistics.
 *
 * A COUNT is a whole number that an engine counts; a DETAIL is one that the text report leaves out. A RATIO is computed
 * from counts when the run is over (sim/report/statistics.c); its entry of stat[] is not used.
 *
 * A statistic is present when the run has it: the functional engine has no cycles, a chip without a fabric no links.
 * Absent ones are reported as absent, never as 0.
 */
#ifndef GCNSIM_ENGINE_STATS_H
#define GCNSIM_ENGINE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/timing/cu/stall.h"
#include "sim/util/vocab.h"

/* Rows are X(P, KIND, ID, NAME, UNIT, MEANING). P is passed on: what the user of a list needs beside the row. */
/* clang-format off */
#define STATS_RUN(X, P) \
    X(P, COUNT, CYCLES, "cycles", "cycles", \
      "shader clock cycles from the first of the dispatch to the end of its last wave") \
    X(P, RATIO, TIME_US, "time_us", "us", "time of these cycles at the profile's shader clock") \
    X(P, RATIO, IPC, "ipc", "instructions/cycle", "wave-instructions issued per cycle by the whole chip") \
    X(P, COUNT, CUS_USED, "cus_used", "CUs", "compute units that had at least one wave") \
    X(P, COUNT, WORKGROUPS_DONE, "workgroups_done", "workgroups", "workgroups whose waves have all ended") \
    X(P, COUNT, WAVES_DONE, "waves_done", "waves", "waves that have ended") \
    X(P, COUNT, RESIDENT_WAVE_CYCLES, "resident_wave_cycles", "wave-cycles", \
      "sum over all waves of the cycles from launch until the slot is free again; equals the sum of the stall " \
      "reasons")

#define STATS_DISPATCH(X, P) \
    X(P, COUNT, DISPATCH_CLOCK, "clock_cycles", "cycles", \
      "what the clock of the device, which s_memtime reads, showed in the launch's first cycle") \
    X(P, COUNT, DISPATCH_GAP, "gap_cycles", "cycles", \
      "exec: before the launch's first cycle, since the last kernel of its queue has ended, and for which its packet was " \
      "ready") \
    X(P, COUNT, DISPATCH_BEFORE, "before_cycles", "cycles", \
      "before the launch's first cycle: the command processor takes its packet (launch.before_ns)") \
    X(P, COUNT, DISPATCH_ACQUIRE, "acquire_cycles", "cycles", \
      "after that, and before the launch's first cycle: caches are invalidated as the packet's acquire asks " \
      "(launch.acquire_ns)") \
    X(P, COUNT, DISPATCH_RELEASE, "release_cycles", "cycles", \
      "after its last cycle: accesses in flight come to their end, and L2 is written back as the release asks " \
      "(launch.write_back_ns, and what its lines take)") \
    X(P, COUNT, DISPATCH_RELEASE_LINES, "release_lines", "lines", "modified lines that L2 has written back for it") \
    X(P, COUNT, DISPATCH_AFTER, "after_cycles", "cycles", \
      "after that: the command processor completes the packet (launch.after_ns)") \
    X(P, RATIO, DISPATCH_TOTAL_US, "total_us", "us", \
      "time of all of these and of the launch's own cycles: that from launch to launch, back to back")

#define STATS_INSTRUCTIONS(X, P) \
    X(P, COUNT, INSTRUCTIONS, "total", "wave-instructions", \
      "instructions executed, one for each wave that issued it, however many lanes were active")

/* For waves when they start. AMD's counters of waves with few lanes divide them so. */
#define STATS_LAUNCHED(X, P) \
    X(P, DETAIL, LAUNCHED_ITEMS, "items", "lanes", "active lanes of the waves that have started: their work-items") \
    X(P, DETAIL, LAUNCHED_64, "waves_of_64", "waves", "waves that have started with 64 active lanes") \
    X(P, DETAIL, LAUNCHED_48, "waves_of_48_to_63", "waves", "with 48 to 63") \
    X(P, DETAIL, LAUNCHED_32, "waves_of_32_to_47", "waves", "with 32 to 47") \
    X(P, DETAIL, LAUNCHED_16, "waves_of_16_to_31", "waves", "with 16 to 31") \
    X(P, DETAIL, LAUNCHED_1, "waves_of_1_to_15", "waves", "with 1 to 15")

#define STATS_UNITS(X, P) \
    X(P, COUNT, CU_CYCLES, "cu.cycles", "cycles", \
      "cycles with at least one resident wave, of any dispatch, summed over the compute units (on RDNA those of " \
      "workgroup processors, each twice)") \
    X(P, RATIO, CU_WAVES, "cu.waves_per_simd", "waves", "resident_wave_cycles over the cycles of the SIMDs of these") \
    X(P, COUNT, ISSUE_CYCLES, "issue.cycles", "cycles", \
      "arbitration cycles in which a SIMD issued at least one instruction, summed over the SIMDs") \
    X(P, COUNT, VALU_CYCLES, "valu.cycles", "cycles", \
      "cycles for which instructions took the vector ALU, summed over the SIMDs; transcendentals and matrix " \
      "instructions where they have units of their own are not among them") \
    X(P, COUNT, VALU_LANES, "valu.lanes", "lanes", "active lanes of the vector ALU's instructions, matrix ones aside") \
    X(P, DETAIL, VALU_LANE_CYCLES, "valu.lane_cycles", "lane-cycles", \
      "active lanes times the cycles for which the instruction took the vector ALU, matrix instructions and " \
      "transcendentals with the cycles of their handover included") \
    X(P, DETAIL, VALU_HANDOVER_CYCLES, "valu.handover_cycles", "cycles", \
      "cycles for which instructions of the matrix and transcendental units took the vector ALU") \
    X(P, RATIO, VALU_ACTIVE, "valu.active_lanes", "share", "valu.lanes over the lanes that these instructions had") \
    X(P, COUNT, TRANS_CYCLES, "trans.cycles", "cycles", "the same cycles of the transcendental unit, where it is apart") \
    X(P, COUNT, MATRIX_CYCLES, "matrix.cycles", "cycles", "the same of the matrix unit") \
    X(P, COUNT, SALU_CYCLES, "salu.cycles", "cycles", "the same of the scalar ALU, summed over the SIMDs") \
    X(P, COUNT, BRANCH_CYCLES, "branch.cycles", "cycles", "the same of the branch and message unit") \
    X(P, COUNT, SMEM_CYCLES, "smem.cycles", "cycles", \
      "the same of the intake of the scalar memory units, summed over the compute units") \
    X(P, COUNT, VMEM_ADDRESS_CYCLES, "vmem.address_cycles", "cycles", \
      "cycles for which vector memory instructions took the address unit (TA), summed over the compute units; the data " \
      "path (TD) is that of cache.vl0") \
    X(P, COUNT, VMEM_QUEUE_CYCLES, "vmem.queue_cycles", "instruction-cycles", \
      "vector memory instructions that have issued and still have lines to send, summed over the cycles") \
    X(P, COUNT, VMEM_QUEUE_FULL_CYCLES, "vmem.queue_full_cycles", "cycles", \
      "cycles in which the queue of these was full, summed over the compute units") \
    X(P, COUNT, LDS_PORT_CYCLES, "lds.port_cycles", "cycles", \
      "cycles for which accesses took an LDS port: of data in, banks and data out whichever takes longest") \
    X(P, DETAIL, LDS_ACTIVE_CYCLES, "lds.active_cycles", "cycles", \
      "cycles of the banks, conflicts included; of instructions that move data from lane to lane, those of the port") \
    X(P, COUNT, LDS_BYTES, "lds.bytes", "bytes", "data that lanes read from LDS and wrote to it")

/* Ratios of the whole chip in the cycles of the run: 1 is what it could have done. */
#define STATS_PEAK(X, P) \
    X(P, RATIO, PEAK_CUS, "cus", "share", "units.cu.cycles over the cycles of all compute units") \
    X(P, RATIO, PEAK_ISSUE, "issue", "share", "units.issue.cycles over the arbitration cycles of all SIMDs") \
    X(P, RATIO, PEAK_VALU, "valu", "share", "units.valu.cycles over the cycles of all SIMDs") \
    X(P, RATIO, PEAK_TRANS, "trans", "share", "the same of transcendental units") \
    X(P, RATIO, PEAK_MATRIX, "matrix", "share", "the same of matrix units") \
    X(P, RATIO, PEAK_SALU, "salu", "share", "the same of scalar ALUs") \
    X(P, RATIO, PEAK_BRANCH, "branch", "share", "the same of branch units") \
    X(P, RATIO, PEAK_SMEM, "smem", "share", "units.smem.cycles over the cycles of all compute units") \
    X(P, RATIO, PEAK_VMEM, "vmem", "share", "units.vmem.address_cycles over the cycles of all compute units") \
    X(P, RATIO, PEAK_LDS, "lds", "share", "units.lds.port_cycles over the cycles of all LDS ports") \
    X(P, RATIO, PEAK_VL0, "vl0", "share", \
      "of the level's channels, the busiest of: data up and fills (data_path_cycles), data from above (store_bytes at " \
      "bytes_per_cycle), lookups (accesses at tag_lookups_per_cycle)") \
    X(P, RATIO, PEAK_K, "k", "share", "the same of the scalar cache") \
    X(P, RATIO, PEAK_I, "i", "share", "the same of the instruction cache") \
    X(P, RATIO, PEAK_GL1, "gl1", "share", "the same of GL1") \
    X(P, RATIO, PEAK_L2, "l2", "share", "the same of L2") \
    X(P, RATIO, PEAK_MALL, "mall", "share", "the same of MALL") \
    X(P, RATIO, PEAK_FABRIC, "fabric", "share", "of the busiest link of the fabric, where the profile bounds it") \
    X(P, RATIO, PEAK_DRAM, "dram", "share", "bytes read and written over what the DRAM could move")

/* Work: see isa/work.h for what counts as an operation. Intensities are float operations per byte. */
#define STATS_WORK(X, P) \
    X(P, RATIO, WORK_FLOPS, "flops", "operations", "operations on floats, vector ALU and matrix unit together") \
    X(P, RATIO, WORK_INTS, "integer_ops", "operations", "operations on integers, likewise") \
    X(P, RATIO, WORK_GFLOPS, "gflops_per_second", "Gflop/s", "flops over time_us") \
    X(P, RATIO, WORK_PER_VL0, "intensity.vl0", "flop/byte", "flops over the bytes between compute units and vL0") \
    X(P, RATIO, WORK_PER_LDS, "intensity.lds", "flop/byte", "flops over the bytes between lanes and LDS") \
    X(P, RATIO, WORK_PER_L2, "intensity.l2", "flop/byte", "flops over the bytes between L2 and the level above") \
    X(P, RATIO, WORK_PER_MALL, "intensity.mall", "flop/byte", "flops over the bytes between MALL and L2") \
    X(P, RATIO, WORK_PER_DRAM, "intensity.dram", "flop/byte", "flops over the bytes of DRAM")

#define STATS_OPS(X, P) \
    X(P, COUNT, OPS_VALU_F64, "valu.f64", "operations", "operations of the vector ALU on 64-bit floats") \
    X(P, COUNT, OPS_VALU_F32, "valu.f32", "operations", "operations of the vector ALU on 32-bit floats") \
    X(P, COUNT, OPS_VALU_F16, "valu.f16", "operations", "operations of the vector ALU on 16-bit floats") \
    X(P, COUNT, OPS_VALU_BF16, "valu.bf16", "operations", "operations of the vector ALU on 16-bit floats with 8 bits of exponent") \
    X(P, COUNT, OPS_VALU_F8, "valu.f8", "operations", "operations of the vector ALU on 8-bit floats of either kind") \
    X(P, COUNT, OPS_VALU_I64, "valu.i64", "operations", "operations of the vector ALU on 64-bit integers") \
    X(P, COUNT, OPS_VALU_I32, "valu.i32", "operations", "operations of the vector ALU on 32- and 24-bit integers") \
    X(P, COUNT, OPS_VALU_I16, "valu.i16", "operations", "operations of the vector ALU on 16-bit integers") \
    X(P, COUNT, OPS_VALU_I8, "valu.i8", "operations", "operations of the vector ALU on 8-bit integers") \
    X(P, COUNT, OPS_VALU_I4, "valu.i4", "operations", "operations of the vector ALU on 4-bit integers") \
    X(P, COUNT, OPS_MATRIX_F64, "matrix.f64", "operations", "operations of the matrix unit on 64-bit floats") \
    X(P, COUNT, OPS_MATRIX_F32, "matrix.f32", "operations", "operations of the matrix unit on 32-bit floats") \
    X(P, COUNT, OPS_MATRIX_XF32, "matrix.xf32", "operations", "operations of the matrix unit on 32-bit floats with 10 bits of mantissa") \
    X(P, COUNT, OPS_MATRIX_F16, "matrix.f16", "operations", "operations of the matrix unit on 16-bit floats") \
    X(P, COUNT, OPS_MATRIX_BF16, "matrix.bf16", "operations", "operations of the matrix unit on 16-bit floats with 8 bits of exponent") \
    X(P, COUNT, OPS_MATRIX_F8, "matrix.f8", "operations", "operations of the matrix unit on 8-bit floats of either kind") \
    X(P, COUNT, OPS_MATRIX_I8, "matrix.i8", "operations", "operations of the matrix unit on 8-bit integers") \
    X(P, COUNT, OPS_MATRIX_I4, "matrix.i4", "operations", "operations of the matrix unit on 4-bit integers")

#define STATS_LDS(X, P) \
    X(P, COUNT, LDS_ACCESSES, "accesses", "wave-instructions", "instructions that accessed LDS") \
    X(P, COUNT, LDS_BANK_CONFLICT_CYCLES, "bank_conflict_cycles", "cycles", \
      "cycles an LDS port was held longer because lanes named different dwords of one bank") \
    X(P, COUNT, LDS_ADDRESS_CONFLICT_CYCLES, "address_conflict_cycles", "cycles", \
      "cycles an LDS port was held longer because lanes of an atomic named the same dword")

#define STATS_CACHE(X, P) \
    X(P, COUNT, ACCESSES, "accesses", "requests", "requests looked up: hits and misses") \
    X(P, COUNT, HITS, "hits", "requests", "requests served by a valid line") \
    X(P, COUNT, MISSES, "misses", "requests", "all other requests: primary and secondary misses and bypasses") \
    X(P, COUNT, MSHR_MERGES, "mshr_merges", "requests", \
      "misses merged into an MSHR whose fill was already in flight") \
    X(P, COUNT, BYPASSES, "bypasses", "requests", \
      "misses sent to the next level without allocating, as their cache hint or the operation asks") \
    X(P, COUNT, PREFETCHES, "prefetches", "requests", "accesses that no wave waits for") \
    X(P, DETAIL, STORES, "stores", "requests", "accesses that are stores") \
    X(P, DETAIL, ATOMICS, "atomics", "requests", "accesses that are atomics") \
    X(P, DETAIL, STORE_REQUESTS, "store_requests", "requests", \
      "stores as the hardware sends them on: a request for every cache.vl0.store_request_bytes") \
    X(P, DETAIL, TAG_REQUESTS, "tag_requests", "requests", \
      "accesses as AMD's counters have them: of vL0 a lookup for each address cycle and line, of L2 each store request") \
    X(P, DETAIL, TAG_MISSES, "tag_misses", "requests", \
      "of the tag_requests those whose line was neither there nor on its way, and all stores and atomics of vL0") \
    X(P, RATIO, HIT_RATE, "hit_rate", "share", "1 - tag_misses / tag_requests, as AMD's profilers have it") \
    X(P, COUNT, EVICTIONS, "evictions", "lines", "valid lines replaced, or dropped by an access that asks for it") \
    X(P, COUNT, WRITEBACKS, "writebacks", "lines", "dirty lines written to the next level") \
    X(P, COUNT, LOAD_BYTES, "load_bytes", "bytes", "data returned to the level above") \
    X(P, COUNT, STORE_BYTES, "store_bytes", "bytes", "data received from the level above") \
    X(P, DETAIL, READ_BYTES, "read_bytes", "bytes", "data fetched from the next level") \
    X(P, DETAIL, WRITE_BYTES, "write_bytes", "bytes", "data sent to the next level") \
    X(P, DETAIL, LOADS, "loads", "requests", "requests that returned data, over whose latency the average is taken") \
    X(P, DETAIL, LOAD_LATENCY_CYCLES, "load_latency_cycles", "cycles", \
      "sum of the latencies of these loads, from entering this level to leaving it, lower levels included") \
    X(P, RATIO, AVERAGE_LATENCY_CYCLES, "average_latency_cycles", "cycles", "load_latency_cycles / loads") \
    X(P, DETAIL, DATA_PATHS, "data_paths", "paths", "data paths of the level: channels of all its caches") \
    X(P, DETAIL, DATA_PATH_CYCLES, "data_path_cycles", "cycles", \
      "cycles its data paths were busy, summed over the paths") \
    X(P, RATIO, UTILIZATION, "utilization", "share", \
      "share of the run in which a data path was busy, averaged over the paths") \
    X(P, COUNT, MSHR_FULL_CYCLES, "mshr_full_cycles", "cycles", \
      "cycles requests were held up for want of a free MSHR, MSHR target or pass-through entry, summed over the " \
      "channels") \
    X(P, DETAIL, MSHRS, "mshrs", "MSHRs", "MSHRs of the level: of all channels of all its caches") \
    X(P, DETAIL, MSHR_CYCLES, "mshr_cycles", "MSHR-cycles", \
      "MSHRs in use, summed over the cycles: from the miss that takes one until its line is there") \
    X(P, DETAIL, MSHR_LIMIT_CYCLES, "mshr_limit_cycles", "channel-cycles", \
      "cycles in which all MSHRs of a channel were in use, summed over the channels (data_paths)") \
    X(P, RATIO, MSHRS_USED, "mshrs_used", "share", "mshr_cycles / (mshrs * cycles)") \
    X(P, RATIO, MSHR_LIMIT, "mshr_limit", "share", "mshr_limit_cycles / (data_paths * cycles)") \
    X(P, COUNT, UPGRADES, "upgrades", "requests", \
      "atomics that found their line shared with another die's L2 and had to make it exclusive") \
    X(P, COUNT, DOWNGRADES, "downgrades", "lines", "lines invalidated or made shared by a probe of another die") \
    X(P, COUNT, DIRTY_DOWNGRADES, "dirty_downgrades", "lines", \
      "of the downgrades, those whose line was dirty and was written back")

#define STATS_DRAM(X, P) \
    X(P, COUNT, DRAM_READ_BYTES, "read_bytes", "bytes", "data read from DRAM") \
    X(P, COUNT, DRAM_WRITE_BYTES, "write_bytes", "bytes", "data written to DRAM") \
    X(P, RATIO, DRAM_UTILIZATION, "utilization", "share", \
      "share of the profile's DRAM bandwidth used over the whole run")

#define STATS_FABRIC(X, P) \
    X(P, COUNT, FABRIC_LINKS, "links", "links", \
      "links between the dies that carry MALL and memory; each direction is one") \
    X(P, COUNT, FABRIC_BYTES, "bytes", "bytes", "data carried by all links; data that takes two hops counts twice") \
    X(P, COUNT, FABRIC_BUSIEST_FROM, "busiest_link.from", "die", \
      "die at which the link with the most data starts, numbered along the rows of fabric.iod_columns") \
    X(P, COUNT, FABRIC_BUSIEST_TO, "busiest_link.to", "die", "die at which the link with the most data ends") \
    X(P, COUNT, FABRIC_BUSIEST_BYTES, "busiest_link.bytes", "bytes", "data carried by the link with the most") \
    X(P, RATIO, FABRIC_BUSIEST_UTILIZATION, "busiest_link.utilization", "share", \
      "share of fabric.link_bytes_per_cycle used by that link over the whole run; 0 when the profile gives no " \
      "bound")

#define STATS_TRANSLATION(X, P) \
    X(P, COUNT, TRANSLATION_LOOKUPS, "lookups", "requests", \
      "addresses that caches translated: a vL0 without GL1 below it all, others those that they sent to L2") \
    X(P, COUNT, TRANSLATION_MISSES, "misses", "requests", \
      "lookups whose page the first translation cache (UTCL1) lacked") \
    X(P, COUNT, PAGE_WALKS, "page_walks", "requests", \
      "UTCL1 misses whose page the second translation cache (UTCL2) lacked, too") \
    X(P, COUNT, PAGE_TABLE_READS, "page_table_reads", "requests", "page tables read by the walks")

/* What a run counts for each memory instruction, by pc: X(P, ID, NAME, UNIT, MEANING). */
#define STATS_MEMORY_INST(X, P) \
    X(P, COUNT, "count", "wave-instructions", "executions that accessed a cache with at least one lane") \
    X(P, LINES, "lines", "lines", "cache lines they requested") \
    X(P, BYTES, "bytes", "bytes", "bytes of these lines they requested") \
    X(P, LDS_COUNT, "lds_count", "wave-instructions", "executions that accessed LDS") \
    X(P, BANK_CONFLICT_CYCLES, "bank_conflict_cycles", "cycles", \
      "cycles an LDS port was held longer because lanes named different dwords of one bank") \
    X(P, ADDRESS_CONFLICT_CYCLES, "address_conflict_cycles", "cycles", \
      "cycles an LDS port was held longer because lanes of an atomic named the same dword")

/* What a run counts for each instruction, by pc, when it is asked to (engine_options.per_inst), beside the rows above:
 * likewise, then the stall reasons as "cycles.KEY", then the levels as "answered.KEY". */
#define STATS_INST(X, P) \
    X(P, EXECUTED, "executed", "wave-instructions", "executions, one for each wave, however many lanes were active") \
    X(P, LANES, "lanes", "lanes", "sum over the executions of the lanes that EXEC had on; of vector instructions") \
    X(P, LATENCIES, "latencies", "wave-instructions", \
      "executions whose result, or last answer of memory or LDS, has come") \
    X(P, LATENCY_CYCLES, "latency_cycles", "cycles", "sum over these of the cycles from issue to the result") \
    X(P, LATENCY_MAX_CYCLES, "latency_max_cycles", "cycles", "the longest of these") \
    X(P, UNIFORM, "uniform", "wave-instructions", "accesses whose active lanes, two or more, had the same address") \
    X(P, STRIDED, "strided", "wave-instructions", \
      "accesses of which three quarters of the neighbouring active lanes were one distance apart, which is not 0") \
    X(P, STRIDE_MAX_BYTES, "stride_max_bytes", "bytes", "the longest of these distances")
/* clang-format on */

/* Statistics of one cache level, counted from the first of that level. */
enum stat_cache {
#define X(P, KIND, E, NAME, UNIT, MEANING) STAT_CACHE_##E,
    STATS_CACHE(X, )
#undef X
        STAT_CACHE_ROWS
};

enum stat_memory_inst {
#define X(P, E, NAME, UNIT, MEANING) STAT_INST_##E,
    STATS_MEMORY_INST(X, )
#undef X
        STAT_INST_ROWS
};

/* Rows of an instruction: those of enum stat_memory_inst, then these. */
enum stat_inst {
    STAT_INST_BEFORE_ = STAT_INST_ROWS - 1,
#define X(P, E, NAME, UNIT, MEANING) STAT_INST_##E,
    STATS_INST(X, )
#undef X
        STAT_INST_STALL,                                /* + enum timing_stall */
    STAT_INST_ANSWERED = STAT_INST_STALL + STALL_COUNT, /* + enum cache_level; LEVEL_COUNT: memory */
    STAT_INST_ALL = STAT_INST_ANSWERED + LEVEL_COUNT + 1,
};

enum stat {
#define X(P, KIND, E, NAME, UNIT, MEANING) STAT_##E,
    STATS_RUN(X, ) STATS_DISPATCH(X, ) STATS_INSTRUCTIONS(X, ) STAT_CATEGORY, /* + enum op_category */
    STAT_KIND = STAT_CATEGORY + OPCAT_COUNT,                                  /* + enum op_kind */
    STAT_STALL = STAT_KIND + OPK_OTHER,                                       /* + enum timing_stall */
    STAT_UNITS_BEFORE_ = STAT_STALL + STALL_COUNT - 1,
    STATS_LAUNCHED(X, ) STATS_UNITS(X, ) STATS_PEAK(X, ) STATS_WORK(X, ) STATS_OPS(X, ) STATS_LDS(X, )
        STAT_CACHES, /* stat_of_cache() */
    STAT_DRAM_BEFORE_ = STAT_CACHES + LEVEL_COUNT * STAT_CACHE_ROWS - 1,
    STATS_DRAM(X, ) STATS_FABRIC(X, ) STATS_TRANSLATION(X, ) STATS
#undef X
};

static inline enum stat stat_of_cache(enum cache_level level, enum stat_cache which)
{
    return (enum stat)(STAT_CACHES + level * STAT_CACHE_ROWS + which);
}

enum stat_kind { STAT_KIND_COUNT, STAT_KIND_DETAIL, STAT_KIND_RATIO };

struct stat_row {
    const char *name;  /* "cache.l2.misses" */
    const char *scope; /* "cache.l2"; "run" for names without a dot */
    const char *unit;
    const char *meaning;
    enum stat_kind kind;
};
extern const struct stat_row stat_row[STATS];

/* The columns of a memory instruction; kind and scope aside. */
extern const struct stat_row stat_memory_inst_row[STAT_INST_ROWS];

/* The columns of an instruction, by enum stat_memory_inst and enum stat_inst; scope "instruction". */
extern const struct stat_row stat_inst_row[STAT_INST_ALL];

/* Operations of the matrix unit, or of the vector ALU, on a type; STATS where there are none. */
enum stat stat_of_ops(bool matrix, enum op_type type);

/* The row of a name, STATS when there is none. */
enum stat stat_find(const char *name);

#endif
