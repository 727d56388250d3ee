/* Bank conflicts and data paths of the LDS: the cycles for which one instruction keeps an LDS port, and how many of
 * them are conflicts. Pure functions of the lanes' offsets; the pairing of SIMDs onto ports and the latency are the
 * engine's.
 *
 * Phases. The lanes of an instruction are served in fixed groups, called phases, which depend on the access width.
 * Within a phase, different dwords in one bank conflict, and lanes that read the same dword share one broadcast. The
 * hardware takes, in lane order, the lanes that do not conflict with those taken before, and repeats with the rest; one
 * such selection is a pass and takes one cycle. A phase takes at least one pass, even without an active lane (one lane
 * that reads 4 bytes: 2 cycles on gfx90a). The first pass of each phase is never counted as a conflict, so at worst 62
 * of the 64 bank cycles of a 64-lane access of 4 bytes are conflicts: 31/32, as AMD documents.
 * Lanes of an atomic that name the same dword do not share a pass, since each has to see what the one before it left.
 * These passes are address conflicts, counted apart from bank conflicts (as SQ_LDS_ADDR_CONFLICT is).
 *
 * Paths. Three things overlap, and the slowest decides: the banks; the inbound path, which carries every dword of
 * address and data that a lane sends; the outbound path with the data read. Instructions that go through the crossbar
 * (ds_permute, ds_bpermute, ds_swizzle) use no banks. GCN and CDNA send active lanes alone (one lane that reads: 2
 * cycles), RDNA sends whole rows.
 *
 * All figures (lanes of a phase, banks, bytes per cycle) are the profile's (lds.*, cu.lds_*), which gives the source of
 * each; this file holds the structure alone. Sources of the structure: AMD compiler engineers' kernel optimization
 * guide (shark-ai) for phases and for the interleaved lanes of wide reads, measured again on gfx950 by the HipKittens
 * phase solver; ROCm Compute Profiler for address and data sharing the inbound path. That address conflicts cost a pass
 * each is an inference; their counter is documented (ROCm Compute Profiler).
 */
#ifndef GCNSIM_MEM_LDS_H
#define GCNSIM_MEM_LDS_H

#include "sim/util/bits.h"

#define LDS_MIN_PHASE_LANES 4
#define LDS_MAX_PHASES      (64 / LDS_MIN_PHASE_LANES)
#define LDS_MAX_BANKS       64

enum lds_width { LDS_B32, LDS_B64, LDS_B96, LDS_B128, LDS_WIDTHS };

/* The figures of a chip, for waves of one size. */
struct lds_shape {
    uint32_t wave_lanes;  /* 32 or 64 */
    uint32_t banks;       /* that reads of 4, 8 and 16 bytes reach: a power of two up to LDS_MAX_BANKS */
    uint32_t store_banks; /* that stores, atomics and reads of 12 bytes reach, likewise */
    /* lanes of one phase: powers of two, LDS_MIN_PHASE_LANES to 64; a phase never spans more than the wave */
    uint32_t read_phase_lanes[LDS_WIDTHS], store_phase_lanes[LDS_WIDTHS];
    bool interleaved_wide_reads; /* phases of 12- and 16-byte reads take groups of four lanes from places apart */
    bool sends_whole_rows;       /* inactive lanes take their share of the inbound path */
    uint32_t inbound_bytes_per_cycle, outbound_bytes_per_cycle;
    uint32_t lanes_per_cycle;  /* addresses that a port takes in */
    uint32_t result_b96_bytes; /* what a lane's 12-byte result occupies of the outbound path */
    bool no_conflicts;         /* what-if: every phase takes one pass */
};

struct lds_phases {
    uint32_t banks;
    uint32_t count;
    uint64_t lanes[LDS_MAX_PHASES];
};

struct lds_config {
    struct lds_shape shape;
    struct lds_phases read[LDS_WIDTHS], store[LDS_WIDTHS];
};

/* One instruction. Two-address forms (read2, write2) give the second offsets in offset2. */
struct lds_access {
    uint64_t exec;
    const uint32_t *offset;  /* byte offset of each lane */
    const uint32_t *offset2; /* or null */
    uint32_t bytes;          /* 1..16 at each offset */
    bool reads, writes;      /* an atomic that returns does both */
    bool atomic;
    bool crossbar;      /* lane to lane, without the banks */
    uint32_t in_dwords; /* that a lane sends: address and data */
};

struct lds_cost {
    uint32_t cycles; /* for which the port is busy: the most of the next three */
    uint32_t in_cycles, bank_cycles, out_cycles;
    uint32_t conflict_cycles;      /* of bank_cycles: passes for bank conflicts, beyond the first of each phase */
    uint32_t addr_conflict_cycles; /* of bank_cycles: passes for atomics on the same dword */
};

void lds_config_init(struct lds_config *c, const struct lds_shape *shape);
struct lds_cost lds_cost(const struct lds_config *c, const struct lds_access *a);
/* Cycles of the outbound path for so many lanes of an access that reads, else those of the inbound path. */
uint32_t lds_path_cycles(const struct lds_config *c, const struct lds_access *a, uint32_t lanes);

#endif
