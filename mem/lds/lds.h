/* LDS bank arithmetic: how many cycles one instruction keeps its port of the LDS, and how many of them are conflicts.
 * Pure functions of the lanes' offsets.
 *
 * The lanes of an instruction are served in fixed groups, *phases*, by width. Within a phase, different dwords in one
 * bank conflict, the same dword is broadcast. The hardware takes, in lane order, the lanes that do not conflict with
 * those taken before, and repeats with the rest. A phase takes at least one bank cycle, even without an active lane
 * (one lane reading 4 bytes: 2 cycles on gfx90a); the first of each phase is never counted as a conflict (so at worst
 * 62 of 64 bank cycles of a 64-lane b32 access are: 31/32, as AMD documents).
 * Lanes of an atomic that name the same dword do not share a pass: each has to see what the one before it left. These
 * passes are address conflicts, counted apart from bank conflicts (as SQ_LDS_ADDR_CONFLICT is).
 *
 * Three things overlap, and the slowest decides: the banks; the inbound path, which carries every dword of address and
 * data that a lane sends; the outbound path with the data read. What goes through the crossbar (ds_permute,
 * ds_bpermute, ds_swizzle) meets no banks. GCN and CDNA send active lanes alone (one lane reading: 2 cycles), RDNA
 * whole rows.
 *
 * Sources. Phases of 32-bank parts: AMD compiler engineers' kernel optimization guide (shark-ai), measured again on
 * gfx950 for read_b96 (HipKittens phase solver), which also measured all gfx950 phases but b32 (guide). Paths of
 * 64 B/clk with address and data sharing the inbound one: ROCm Compute Profiler; they reproduce CLRX's measured 8, 12,
 * 16, 20 cycles of writes and 4, 8, 16, 16 of reads, where a 12-byte read costs as a 16-byte one. gfx950 outbound 128:
 * from its documented peak. RDNA: nobody published phases; one phase per wave32 b32, 2 x 16, 4 x 8 are an inference;
 * the 128 B/clk agree with the transfer slots in thread traces of gfx1100 and gfx1201, a slot for each row of 32
 * dwords: loads 1 whatever their width, stores and atomics 1 + dwords of data, those without an address (append,
 * addtid) 1. That address conflicts cost a pass each is an inference; their counter is documented (ROCm Compute
 * Profiler). Left out: the pairing of SIMDs onto ports and the latency, which are the engine's.
 */
#ifndef GCNSIM_MEM_LDS_H
#define GCNSIM_MEM_LDS_H

#include "mem/cache/policy.h"

#define LDS_MAX_PHASES 8
#define LDS_MAX_BANKS  64

enum lds_width { LDS_B32, LDS_B64, LDS_B96, LDS_B128, LDS_WIDTHS };

struct lds_phases {
    uint32_t banks;
    uint32_t count;
    uint64_t lanes[LDS_MAX_PHASES];
};

struct lds_config {
    uint32_t wave_lanes;
    bool whole_rows; /* inactive lanes take their place on the inbound path */
    uint32_t inbound_bytes_per_cycle, outbound_bytes_per_cycle, lanes_per_cycle;
    uint32_t outbound_b96_bytes; /* what a lane's 12-byte result occupies on its way out */
    struct lds_phases read[LDS_WIDTHS], write[LDS_WIDTHS];
};

/* One instruction. Two-address forms (read2, write2) give the second offsets in offset2. */
struct lds_access {
    uint64_t exec;
    const uint32_t *offset;  /* byte offset of each lane */
    const uint32_t *offset2; /* or null */
    uint32_t bytes;          /* 1..16 at each offset */
    bool reads, writes;      /* an atomic that returns does both */
    bool atomic;
    bool crossbar;      /* no banks: from lane to lane */
    uint32_t in_dwords; /* that a lane sends: address and data */
};

struct lds_cost {
    uint32_t cycles; /* that the port is busy: the most of the next three */
    uint32_t in_cycles, bank_cycles, out_cycles;
    uint32_t conflict_cycles;      /* of bank_cycles, those for banks beyond the first of each phase */
    uint32_t addr_conflict_cycles; /* and those for atomics on the same dword */
};

/* The configuration of a generation for waves of 32 or 64 lanes. */
void lds_config_init(struct lds_config *c, enum mem_gen gen, unsigned wave_lanes);

/* As a chip has it: the banks that its widest accesses reach (a power of two, up to LDS_MAX_BANKS; where others of the
 * generation reach half of them, they do so here), what a port moves outwards (and inwards in proportion), and how many
 * lanes it takes in. */
void lds_config_set(struct lds_config *c, uint32_t banks, uint32_t bytes_per_cycle, uint32_t lanes_per_cycle);

struct lds_cost lds_cost(const struct lds_config *c, const struct lds_access *a);

#endif
