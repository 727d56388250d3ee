/* Address translation as latency: which pages the translation caches know, and walks of the page tables.
 *
 * Pages. The driver maps each allocation for itself, in fragments as large as it is, up to page_bytes; small ones of
 * one kind share a fragment, of buffers where a suballocator places them. A page here is page_bytes of a large
 * allocation, or a buffer that shares none, counted from its start, or of what lies in one aligned piece of the address
 * space otherwise.
 *
 * A UTCL1 belongs to each cache in front of L2 (vL1D of a CU, GL1 of a shader array, scalar and instruction cache) and
 * is asked for what that cache sends to L2. It is fully associative with least recently used replacement. A page that
 * it lacks costs miss_cycles, the way to the UTCL2.
 *
 * A UTCL2 belongs to each L2. It holds lines of TLB_LINE_PAGES translations (64 bytes of a page table), and likewise of
 * the tables above. It begins a dispatch empty but for what tlb2_know() says, and for pages that a copy has
 * filled: those are what a dispatch reads before it writes there, as long as there is room for them. What it lacks is
 * walked for: one read of a table after the other, of read_cycles each, from the nearest table it has down to the
 * page's own line; tables above walk_levels are always there. Reads of a line by several walks are one. There are so
 * many walkers, which take walks in the order of requests. Misses overlap: a request waits for its own page, and behind
 * the requests before it in the same link; what asks for a page while it is walked for waits, too, whatever its UTCL1
 * says.
 *
 * Left out: hits in the first caches, which on hardware are translated as well (a line that is there is mostly of a
 * page that is); the number of misses under way; the bandwidth that walks take from other accesses; faults.
 *
 * Sources: ROCm Compute Profiler documentation (UTCL1 in the vL1D pipeline, UTCL2 behind it); page tables of 512
 * entries of 8 bytes in four levels: the Linux driver; figures in the profiles.
 */
#ifndef GCNSIM_MEM_TLB_H
#define GCNSIM_MEM_TLB_H

#include "sim/util/arena.h"
#include "sim/util/bits.h"
#include "sim/util/error.h"
#include "sim/util/vocab.h"

#define TLB_MAX_CYCLES  200 /* of a miss of a UTCL1: what the wheel of links has room for (mem/hierarchy/internal.h) */
#define TLB_LINE_PAGES  8
#define TLB_TABLE_PAGES 512
#define TLB_MAX_LEVELS  4
#define TLB_MAX_WALKERS 256

/* An allocation. */
struct tlb_block {
    gaddr_t lo, hi;
    uint32_t kind; /* below 16: those of different kinds share no page */
    bool buffer;   /* the program's data */
};

struct tlb_config {
    uint64_t page_bytes; /* a power of two */
    uint32_t entries;    /* of a UTCL1; 0: no translation is modelled */
    uint32_t miss_cycles;
    uint32_t utcl2_entries; /* lines, a multiple of utcl2_ways; 0: a UTCL2 has everything */
    uint32_t utcl2_ways;
    uint32_t walk_levels;   /* tables read by a walk that finds none of them, 1..TLB_MAX_LEVELS */
    uint32_t read_cycles;   /* of one table */
    uint32_t walkers;       /* walks of a UTCL2 under way at once */
    bool copies_translated; /* by the UTCL2, which still has, where it has room, the pages of buffers so filled */
    bool buffers_share;     /* pages: small ones come from a suballocator */
    void *ctx;
    /* The allocation that holds addr; false: none does. Called from several threads. Null: all memory is one. */
    bool (*find)(void *ctx, gaddr_t addr, struct tlb_block *out);
};

struct tlb_stats {
    uint64_t lookups, misses; /* of UTCL1s */
    uint64_t walks, reads;    /* of UTCL2s */
};

/* A UTCL1. */
struct tlb {
    gaddr_t *lo;
    uint64_t *bytes, *stamp; /* from lo on; of the last use */
    cycle_t *answer;         /* of the UTCL2: when it is back, but for a walk */
    uint32_t entries, used;
    uint32_t last; /* entry used most recently */
    uint64_t clock;
    struct tlb_stats stats;
};

/* A UTCL2 with its walkers. */
struct tlb2 {
    const struct tlb_config *cfg;
    uint64_t *tag; /* [set][way], + 1 */
    uint64_t *stamp;
    cycle_t *ready;  /* when its read is back */
    cycle_t *walker; /* free from then on */
    uint32_t sets;
    uint64_t clock;
    cycle_t quiet; /* all reads are back by then */
    struct tlb_stats stats;
};

int tlb_check_config(const struct tlb_config *cfg, struct err *err);
bool tlb_init(struct tlb *t, uint32_t entries, struct arena *arena);

/* Whether the UTCL2 is to be asked for the page of addr. *at: when it answers, or has answered; now when the page is
 * there. */
bool tlb_lookup(struct tlb *t, const struct tlb_config *cfg, gaddr_t addr, cycle_t now, cycle_t *at);

/* cfg outlives it. */
bool tlb2_init(struct tlb2 *t, const struct tlb_config *cfg, struct arena *arena);

/* From which cycle the page of addr is known, now at the earliest. What is not there is walked for from now on; cycles
 * never fall from call to call. reads: the access is a load. */
cycle_t tlb2_lookup(struct tlb2 *t, gaddr_t addr, bool reads, cycle_t now);

/* The same for who thinks to know the page: starts no walk, but waits for one under way. */
cycle_t tlb2_await(const struct tlb2 *t, gaddr_t addr, cycle_t now);

/* The tables above the page of addr have been read before the dispatch; its own translation too or not. */
void tlb2_know(struct tlb2 *t, gaddr_t addr, bool translation);

#endif
