/* The statistics table: one row for each number that a run counts.
 *
 * A row says the name, the unit and what the number means. The engines count into engine_result.stat[], which has one
 * entry for each row; JSON, the text and CSV reports, the public API (struct gcnsim_stat) and the tables in
 * docs/REPORT.md follow from the rows. A new counter is a row here and the line that counts it.
 *
 * Rows belong to scopes: the run as a whole, its dispatch, instructions, stall reasons, LDS, each cache level, DRAM,
 * the fabric, address translation. The scope's name and a dot stand before the row's own name: "cache.l2.misses". Stall
 * reasons have their rows in sim/engine/timing/cu/stall.h, instruction categories and cache levels in sim/util/vocab.h;
 * adding one there adds its statistics.
 *
 * A COUNT is a whole number that an engine counts; a DETAIL is one that the text report leaves out. A RATIO is computed
 * from counts when the run is over (sim/report/statistics.c); its entry of stat[] is not used.
 *
 * A statistic is present when the run has it: the functional engine has no cycles, a chip without a fabric no links.
 * Absent ones are reported as absent, never as 0.
 */
#ifndef GCNSIM_ENGINE_STATS_H
#define GCNSIM_ENGINE_STATS_H

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
    X(P, COUNT, DISPATCH_BEFORE, "before_cycles", "cycles", \
      "before the launch's first cycle: the command processor takes its packet (launch.before_ns)") \
    X(P, COUNT, DISPATCH_RELEASE, "release_cycles", "cycles", \
      "behind its last cycle: accesses in flight come to their end, and L2 is written back as the release asks") \
    X(P, COUNT, DISPATCH_RELEASE_LINES, "release_lines", "lines", "modified lines that L2 has written back for it") \
    X(P, COUNT, DISPATCH_AFTER, "after_cycles", "cycles", \
      "behind that: the command processor completes the packet (launch.after_ns)") \
    X(P, RATIO, DISPATCH_TOTAL_US, "total_us", "us", \
      "time of all of these and of the launch's own cycles: that from launch to launch, back to back")

#define STATS_INSTRUCTIONS(X, P) \
    X(P, COUNT, INSTRUCTIONS, "total", "wave-instructions", \
      "instructions executed, one for each wave that issued it, however many lanes were active")

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
      "addresses that caches sent to L2 and that needed a translation") \
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

enum stat {
#define X(P, KIND, E, NAME, UNIT, MEANING) STAT_##E,
    STATS_RUN(X, ) STATS_DISPATCH(X, ) STATS_INSTRUCTIONS(X, ) STAT_CATEGORY, /* + enum op_category */
    STAT_STALL = STAT_CATEGORY + OPCAT_COUNT,                                 /* + enum timing_stall */
    STAT_LDS_BEFORE_ = STAT_STALL + STALL_COUNT - 1,
    STATS_LDS(X, ) STAT_CACHES, /* stat_of_cache() */
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

/* The row of a name, STATS when there is none. */
enum stat stat_find(const char *name);

#endif
