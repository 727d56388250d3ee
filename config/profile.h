/* Architecture profiles: the figures of one chip, from JSON, with where each of them comes from.
 *
 * What it holds: counts, sizes, widths and latencies that the launch code (occupancy), the timing engine and the
 * memory hierarchy need. What it leaves out: everything that is the same for all chips of a target and decided by the
 * instruction set (wait counters and their widths, hazards that software must avoid); those live in isa/.
 *
 * A profile is a JSON document (docs/PROFILES.md). One table, config/rows.c, lists every field with its path
 * ("cu.wave_slots_per_simd"), place in struct profile, unit, range and meaning; the reader, profile_set() and
 * profile_print() all walk it, so a field exists for all of them or for none. Every figure has a confidence and a
 * source; profile_print() shows them and docs/TIMING_SOURCES.md explains the sources.
 *
 * Units: as the names say; cycles are shader clock cycles. Zero means "does not apply" only where the field says so.
 *
 * Latencies of caches and DRAM are load to use over the whole path from issue, as microbenchmarks measure them; a
 * model that adds levels takes differences. The levels present are checked to be in rising order.
 *
 * Ownership: profile_load() and profile_parse() give a profile that the caller frees with profile_free(); it is plain
 * data that nothing here changes except profile_set(). Nothing is shared, so threads may read one profile together.
 *
 * Errors: ERR_FORMAT, ERR_IO, ERR_USAGE or ERR_NOMEM, with "FILE: PATH: what was wrong, what was expected".
 */
#ifndef GCNSIM_CONFIG_PROFILE_H
#define GCNSIM_CONFIG_PROFILE_H

#include "sim/util/error.h"
#include "sim/util/vocab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum issue_policy {
    ISSUE_ROUND_ROBIN, /* one SIMD of the CU is looked at per cycle, in turn */
    ISSUE_EVERY_CYCLE, /* every SIMD issues every cycle */
};
enum profile_write_policy { PROFILE_WRITE_THROUGH, PROFILE_WRITE_BACK };
enum profile_replacement { PROFILE_LRU, PROFILE_FIFO, PROFILE_RANDOM };
enum profile_lds_order { PROFILE_LDS_CONSECUTIVE, PROFILE_LDS_INTERLEAVED };

/* The meaning of every field below is in its row of config/rows.c (gcnsim arch show prints it). */

struct profile_chip {
    uint32_t shader_engines;
    uint32_t cus, xcds;   /* compute units of the chip, accelerator dies they are spread over */
    uint32_t cus_per_wgp; /* 1 on GCN and CDNA, 2 on RDNA */
    double shader_clock_mhz, realtime_clock_mhz;
};

struct profile_cu {
    uint32_t simds, simd_lanes, wave_slots_per_simd;
    enum issue_policy issue_policy;
    uint32_t vgprs_per_simd_w32, vgprs_per_simd_w64; /* w32: 0 when the chip has no wave32 */
    uint32_t vgpr_granule_w32, vgpr_granule_w64;
    uint32_t agprs_per_simd; /* 0 when unified or none */
    bool vgpr_unified;       /* AGPRs come out of the same file */
    uint32_t sgprs_per_simd; /* 0 = never limits occupancy */
    uint32_t sgpr_granule;
    uint32_t lds_bytes; /* of a CU, or of a WGP when lds_per_wgp */
    bool lds_per_wgp;
    uint32_t lds_granule_bytes, lds_max_per_workgroup_bytes;
    uint32_t lds_banks;
    uint32_t lds_bytes_per_cycle, lds_lanes_per_cycle; /* of one port */
    uint32_t wide_address_lanes_per_cycle;             /* 0: as many as narrow ones */
    uint32_t simds_per_lds_port, lds_queue_depth;
    uint32_t lds_outstanding;                              /* of a wave; 0: no limit */
    uint32_t lds_staging_registers, lds_result_gap_cycles; /* of a SIMD */
    uint32_t vmem_queue_depth;                             /* of each SIMD */
    bool vmem_returns_in_order;
    uint32_t vmem_send_cycles; /* 0: the class's issue cycles */
    uint32_t vmem_compare_passes;
    double store_runs_per_cycle;
    uint32_t max_multiwave_workgroups, max_workgroup_items;
};

/* The tensor unit of a CU (sim/engine/timing/memory/tensor_unit.h); all zero where there is none. */
struct profile_tensor {
    uint32_t entries, setup_cycles, lines_per_cycle;
};

/* Issue width: instructions of a kind that one SIMD may issue in one arbitration cycle (0 = unlimited). Vector ALU,
 * scalar memory and branches have units that take one. */
struct profile_issue {
    uint32_t vmem_per_cycle, salu_per_cycle;
    bool salu_smem_shared; /* SALU and SMEM take the same slot, salu_per_cycle */
    uint32_t lds_per_cycle, internal_per_cycle;
    uint32_t wave_issue_interval_cycles;
    uint32_t smem_dwords_per_slot; /* 0: a load of any size takes one */
    bool dependent_valu_blocks_issue;
    bool valu_blocks_memory, valu_sgpr_blocks_salu;
};

/* Queues between issue and units (sim/engine/timing/front/issue_queues.h); all zero where instructions wait in their
 * waves. */
struct profile_queue {
    uint32_t valu_entries, special_entries, special_count_cycles, valu_sgpr_entries, salu_entries, memory_entries;
    uint32_t simd_sgpr_entries, simd_sgpr_cycles, stalled_entries;
    uint32_t entry_cycles, matrix_entry_cycles;
    uint32_t vgpr_read_cycles, vgpr_lone_read_cycles, vgpr_first_read_cycles, valu_sgpr_read_cycles,
        valu_sgpr_hold_cycles;
    uint32_t flight_entries, flight_cycles;
    uint32_t vgpr_cache_lines, vgpr_fill_cycles, vgpr_hold_cycles, vgpr_bank_operands;
    uint32_t read_ahead_entries, read_release_cycles;
    uint32_t unit_to_internal_cycles, f64_leave_cycles;
    uint32_t sgpr_read_cycles, salu_release_cycles, salu_to_hwreg_cycles, setreg_cycles;
    uint32_t memory_release_cycles, lds_send_cycles, vmem_send_cycles;
    uint32_t vmem_burst_registers, vmem_burst_groups, vmem_unit_entries, vmem_unit_cycles, vmem_unit_loads;
    bool f64_compare_as_64bit;
};

/* All zero for a class the chip does not have. */
struct profile_class_cost {
    uint32_t issue_cycles_w32, issue_cycles_w64; /* cycles the unit's issue port is taken */
    uint32_t latency_cycles;                     /* issue until a dependent instruction of the same kind may issue */
};

struct profile_frontend {
    uint32_t fetch_bytes_per_cycle, fetch_latency_cycles, buffer_bytes;
    uint32_t prefetch_blocks;   /* 0: as many as the buffer holds */
    bool fetch_in_order;        /* also those before a branch */
    uint32_t fetches_in_flight; /* 0: as many as the buffer takes */
    uint32_t buffer_free_cycles, prefetch_lines;
    bool branch_within_buffer, branch_refetch;
    bool scalar_prefetch;
    uint32_t wave_release_cycles;
    uint32_t branch_taken_cycles, branch_resolve_cycles, branch_not_taken_cycles;
    uint32_t barrier_release_cycles, sleep_unit_cycles;
    uint32_t barrier_messages, barrier_message_cycles, barrier_count_cycles, barrier_signal_cycles;
    uint32_t workgroup_interval_cycles, wave_launch_interval_cycles, launch_latency_cycles;
    uint32_t valu_to_salu_cycles, trans_to_salu_cycles, salu_to_valu_cycles, valu_to_mem_cycles;
    uint32_t valu_sgpr_to_mem_cycles, valu_to_dpp_cycles, salu_to_branch_cycles, salu_to_smem_cycles;
    uint32_t endpgm_cycles;
    uint32_t completion_to_issue_cycles; /* part of the load-to-use latencies of caches and DRAM */
};

/* For one kind of matrix instruction: when others may issue. The cycles of to_* count from the end of its passes. */
struct profile_matrix_kind_cost {
    uint32_t valu_after_cycles; /* from its issue; 0: when its passes are done */
    uint32_t forward_cycles;    /* issue to the issue of one that adds to the same registers, at least */
    uint32_t to_c_cycles, to_ab_cycles, to_valu_cycles, to_memory_cycles;
};

struct profile_matrix {
    struct profile_matrix_kind_cost kind[OP_MATRIX_KIND_COUNT];
    uint32_t valu_to_matrix_cycles, valu_exec_to_matrix_cycles;
    uint32_t acc_write_to_c_cycles, acc_write_to_ab_cycles;
    uint32_t wmma_passes, wmma_addend_cycles;
};

struct profile_lds {
    uint32_t latency_b32_cycles, latency_b64_cycles, latency_b128_cycles;
    uint32_t store_latency_cycles, store_latency_b64_cycles, store_latency_b128_cycles, atomic_latency_cycles,
        permute_latency_cycles;
    uint32_t latency_lanes; /* active when the latencies were measured; 0: all */
    uint32_t inbound_bytes_per_cycle, result_b96_bytes;
    bool sends_whole_rows;
    uint32_t store_banks;                                                     /* 0: as many as reads reach */
    uint32_t read_b32_lanes, read_b64_lanes, read_b96_lanes, read_b128_lanes; /* of one phase of the banks */
    uint32_t store_b32_lanes, store_b64_lanes, store_b96_lanes, store_b128_lanes;
    enum profile_lds_order wide_read_order;
};

struct profile_cache {
    bool present;
    uint32_t size_bytes, line_bytes, ways;
    uint32_t hit_latency_cycles;           /* load to use, whole path from issue */
    uint32_t tag_lookups_per_cycle, mshrs; /* of each channel */
    double bytes_per_cycle;                /* of each channel */
    uint32_t queue_entries, pass_entries;  /* of each channel; pass_entries not of I */
    uint32_t channels, channel_interleave_bytes;
    bool channel_hash;                   /* mem/channels.h */
    bool set_hash;                       /* mem/cache/tags.c */
    uint32_t store_miss_ack_cycles;      /* of L2 */
    uint32_t write_back_lines_per_cycle; /* of each channel of L2; 0: no time */
    uint32_t shared_by_cus;              /* 0 = the whole chip, or the whole XCD where there are several */
    enum profile_write_policy write_policy;
    bool write_allocate;
    enum profile_replacement replacement;
    uint32_t line_cycles;         /* of vL0: of the data path, taken by a line that comes in */
    uint32_t request_bytes;       /* of vL0: largest request below */
    uint32_t store_request_bytes; /* of vL0: largest write request below, as counters have it */
    uint32_t address_pipelines, conflict_window_addresses, data_banks; /* of vL0 */
    bool serves_scalar, serves_instructions; /* of GL1: misses of the scalar and of the instruction cache */
};

struct profile_dram {
    uint32_t latency_cycles; /* load to use, whole path from issue */
    double bytes_per_cycle;  /* whole chip, in the mean over refreshes */
    double refresh_ns, refresh_interval_ns;
    uint32_t channels, queue_entries; /* of each channel */
    uint32_t banks, row_bytes, row_hit_saves_cycles;
};

/* Between the dies of a chip. XCDs, channels of the MALL and of DRAM are dealt to the IODs in order, evenly unless
 * xcds_per_iod says how many XCDs an IOD has. */
struct profile_fabric {
    uint32_t iod_columns, iod_rows;
    uint32_t xcds_per_iod; /* the first IODs filled first; 0: as many on each */
    uint32_t hop_cycles;
    double link_bytes_per_cycle, xcd_bytes_per_cycle;
    uint32_t probe_cycles;
};

struct profile_tlb {
    uint32_t page_bytes, utcl1_entries, utcl1_miss_cycles;
    uint32_t utcl2_entries; /* lines of 8 translations */
    uint32_t utcl2_ways;
    uint32_t walk_levels, walk_read_cycles, walkers;
    uint32_t neighbour_bytes;
    bool copies_translated;
};

struct profile_host {
    uint32_t latency_cycles; /* load to use, whole path from issue */
    double bytes_per_cycle;
    uint32_t translate_cycles;
    bool kernarg;
};

/* The command processor's work for a launch. acquire_ns: where the packet acquires; write_back_ns: where its release
 * writes L2 back. */
struct profile_launch {
    double before_ns, acquire_ns, write_back_ns, after_ns;
};

/* What-ifs that no figure of a chip says: each takes one limit away, or moves data, and is off in every profile. gcnsim
 * explain sets them (docs/EXPLAIN.md), --set can. Results of the simulated program stay the same. */
struct profile_ideal {
    bool no_lds_conflicts;
    uint32_t lds_row_bytes, lds_row_pad_bytes; /* both or none */
    bool full_lines, spread_channels;
    bool no_waits, exact_waits;
    uint32_t loads_ahead; /* 0: none of them */
    bool free_fetch, free_issue, second_valu;
    bool no_vl0_latency, no_gl1_latency, no_l2_latency, no_mall_latency, no_dram_latency;
};

enum profile_confidence {
    CONF_DOCUMENTED,
    CONF_MEASURED,
    CONF_INFERRED,
    CONF_GUESS,
    CONF_WHAT_IF, /* no claim about the chip: --set, and bare values in a user's profile */
};

/* Where the value of one row comes from; parallel to the table of rows. */
struct profile_origin {
    bool given;
    uint8_t confidence; /* enum profile_confidence */
    uint8_t file;       /* index into profile.files */
    bool owned;         /* the strings are the profile's, else they last as long as the process */
    const char *source;
    const char *measured_on; /* while it is read: targets on which the value was measured; null when nobody said */
};

enum { PROFILE_MAX_FILES = 13 }; /* twelve documents in a chain of "extends", and "--set" */

struct profile {
    char name[64];   /* of the built-in, or of the file without folder and .json */
    char chip[96];   /* "AMD Radeon RX 9070 XT" */
    char target[24]; /* "gfx1201" */
    char about[256]; /* a remark on the profile as a whole, or empty */
    bool is_default_for_target;

    struct profile_chip gpu;
    struct profile_cu cu;
    struct profile_issue issue;
    struct profile_queue queue;
    struct profile_class_cost cls[OPC_COUNT];
    struct profile_frontend frontend;
    struct profile_matrix matrix;
    struct profile_lds lds;
    struct profile_tensor tensor;
    struct profile_cache cache[LEVEL_COUNT];
    struct profile_dram dram;
    struct profile_fabric fabric;
    struct profile_tlb tlb;
    struct profile_host host;
    struct profile_launch launch;
    struct profile_ideal ideal;

    /* of config/ alone */
    struct profile_origin *origin;
    char *files[PROFILE_MAX_FILES];
    unsigned file_count;
    const char *sha256; /* of the document that profile_print() makes, where that is known without it; else null */
};

/* Whether memory's channels are chosen by a hash: as those of the MALL are, or of L2 where there is none. */
static inline bool profile_dram_hashes(const struct profile *p)
{
    return p->cache[p->cache[LEVEL_MALL].present ? LEVEL_MALL : LEVEL_L2].channel_hash;
}

/* Loads a profile: a path when it contains '/' or ends in ".json", else the name of a built-in ("gfx1201-rx9070xt"),
 * else a bare target ("gfx1201"), which stands for the built-in that says it is the default for it. */
int profile_load(struct profile **out, const char *name_or_path, struct err *e);

/* The same from memory; "extends" may name built-ins only. `name` goes into messages and profile.name. */
int profile_parse(struct profile **out, const char *text, size_t size, const char *name, struct err *e);

void profile_free(struct profile *p);

/* A copy, which profile_free() releases as well; null with *e without memory. */
struct profile *profile_clone(const struct profile *p, struct err *e);

/* The value of a number, flag (0, 1) or word (its place among its words) by its path; false: there is no such row, or
 * it is a text, or it belongs to a cache or class that the profile does not have. */
bool profile_number(const struct profile *p, const char *path, double *value);

/* "measured", "documented" ...: how sure the value of that row is; null where profile_number() says false. */
const char *profile_confidence_of(const struct profile *p, const char *path);
/* The number with the confidence that claims least among those that the paths name, match ("lds.latency_*") or group,
 * the first of equal ones: its path, static. Null where the profile gives none of them. */
const char *profile_least_sure(const struct profile *p, size_t count, const char *const *patterns,
                               enum profile_confidence *confidence);
/* True where a value of profile.ideal is none of its zeros. */
bool profile_asks_what_if(const struct profile *p);

/* Sets one row as --set PATH=VALUE does: same types and ranges as in JSON, value bare ("8", "true", "write_back").
 * Source becomes "--set", confidence "what-if". The whole profile is checked again; on failure it is as before. */
int profile_set(struct profile *p, const char *path, const char *value, struct err *e);

/* Applies several "PATH=VALUE" and checks once at the end, so that values that hang together can change together.
 * All or nothing. */
int profile_set_all(struct profile *p, size_t count, const char *const *assignments, struct err *e);

enum profile_format {
    PROFILE_TEXT, /* one line per row: path, value, unit, confidence, source, meaning */
    PROFILE_JSON, /* a complete document without "extends" that profile_parse() reads back to the same profile */
};

/* *out is a NUL-terminated string that the caller frees. */
int profile_print(const struct profile *p, enum profile_format format, char **out, struct err *e);

/* The rows that one of the patterns matches: paths, groups ("cache.l2"), or either with the wildcards of fnmatch(3)
 * ("cache.*.mshrs"). As JSON they make a document that lacks "extends" and the other rows. A pattern that matches no
 * row is an error. */
int profile_print_matching(const struct profile *p, size_t count, const char *const *patterns,
                           enum profile_format format, char **out, struct err *e);

/* One built-in chip. Family bases, which only serve to be extended, are not listed. */
struct profile_entry {
    char name[64], chip[96], target[24];
    bool is_default_for_target;
};

/* The built-in profiles in order of name: number `index`; false past the end. */
bool profile_at(size_t index, struct profile_entry *out);
/* *out is an array of *count entries in that order that the caller frees. */
int profile_list(struct profile_entry **out, size_t *count, struct err *e);

extern const char *const profile_confidence_key[]; /* by enum profile_confidence, ended by a null */

#endif
