/* Address translation as latency: which pages an L1 translation cache (UTCL1) knows.
 *
 * A UTCL1 belongs to each cache in front of L2 (vL1D of a CU, GL1 of a shader array, scalar and instruction cache) and
 * is asked for what that cache sends to L2. It is fully associative with least recently used replacement. A page that
 * it lacks costs the way to the UTCL2 of the chip, which has everything: its reach, thousands of entries, is beyond
 * what a simulated dispatch touches, and it outlives dispatches. Misses overlap: a request waits for its own page, and
 * behind the requests before it in the same link.
 *
 * Left out: hits in the first caches, which on hardware are translated as well (a line that is there is mostly of a
 * page that is); the number of misses under way; page walks and faults; fragments of several sizes.
 *
 * Sources: ROCm Compute Profiler documentation (UTCL1 in the vL1D pipeline, UTCL2 behind it); figures in the profiles.
 */
#ifndef GCNSIM_MEM_TLB_H
#define GCNSIM_MEM_TLB_H

#include "sim/util/arena.h"
#include "sim/util/bits.h"
#include "sim/util/error.h"

#define TLB_MAX_CYCLES 200 /* of a miss: what the wheel of links has room for (mem/hierarchy.c) */

struct tlb_config {
    uint64_t page_bytes; /* a power of two */
    uint32_t entries;    /* of a UTCL1; 0: no translation is modelled */
    uint32_t miss_cycles;
};

struct tlb_stats {
    uint64_t lookups, misses;
};

/* One translation cache. */
struct tlb {
    uint64_t *page, *stamp; /* page + 1; of the last use */
    uint32_t entries, used;
    uint32_t last; /* entry used most recently */
    uint64_t clock;
    struct tlb_stats stats;
};

int tlb_check_config(const struct tlb_config *cfg, struct err *err);
bool tlb_init(struct tlb *t, uint32_t entries, struct arena *arena);

/* Whether the page was there; it is from now on. */
bool tlb_lookup(struct tlb *t, uint64_t page);

#endif
