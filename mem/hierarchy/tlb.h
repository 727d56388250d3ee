/* Address translation as latency: the pages that UTCL1s and UTCL2s hold, and walks of the page tables.
 *
 * Pages. The driver maps each allocation for itself, in fragments as large as the allocation, up to page_bytes; small
 * allocations of one kind share a fragment, buffers only up to neighbour_bytes, which lie so close to one another that
 * a line of translations holds several. A page here is page_bytes of a large allocation, or of a buffer that shares
 * none, counted from its start; otherwise an aligned piece of the address space of that size.
 *
 * A UTCL1 belongs to each cache in front of L2 (vL1D of a CU, GL1 of a shader array, scalar and instruction cache) and
 * translates the requests that the cache sends to L2. It is fully associative with least recently used replacement. A
 * miss costs miss_cycles, the way to the UTCL2.
 *
 * A UTCL2 belongs to each L2. It is set-associative and holds lines of TLB_LINE_PAGES translations (64 bytes of a page
 * table), and likewise lines of the tables above. It begins empty but for the lines that utcl2_prefill()
 * puts there, and for pages that a copy engine has filled, as long as a way is free: those that a dispatch reads before
 * it writes there, and those of neighbours, some of which it has always filled. A miss starts a walk: one read of a
 * table after the other, of read_cycles each, from the nearest table the UTCL2 holds down to the page's own line;
 * tables above walk_levels are always held. Reads of one line by several walks are one read. Memory of the host is
 * translated once more, by the host's IOMMU: the first access takes host_cycles longer, and the translation is
 * kept as a line of a table above all others. A limited number of walkers take walks in the order of requests. Misses
 * overlap: a request waits for its own page, and behind the requests before it in the same link. A request for a page
 * whose walk is in flight waits too, whatever its UTCL1 says.
 *
 * Left out: translation of hits in the first caches, which hardware translates as well (a line that is present mostly
 * belongs to a page that is); a limit to misses in flight; the bandwidth that walks take from other accesses; faults.
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

#define TLB_MAX_CYCLES  200 /* of a UTCL1 miss: the bound of the links' timing wheel (mem/hierarchy/internal.h) */
#define TLB_LINE_PAGES  8
#define TLB_TABLE_PAGES 512
#define TLB_MAX_LEVELS  4
#define TLB_MAX_WALKERS 256

/* An allocation. */
struct tlb_block {
    gaddr_t lo, hi;
    uint32_t kind; /* below 16: those of different kinds share no page */
    bool buffer;   /* the program's data */
    bool host;     /* in memory of the host */
};

struct tlb_config {
    uint64_t page_bytes; /* a power of two */
    uint32_t entries;    /* of a UTCL1; 0: no translation is modelled */
    uint32_t miss_cycles;
    uint32_t utcl2_entries; /* lines, a multiple of utcl2_ways; 0: a UTCL2 holds every page */
    uint32_t utcl2_ways;
    uint32_t walk_levels; /* tables read by a walk that finds none of them, 1..TLB_MAX_LEVELS */
    uint32_t read_cycles; /* of one table */
    uint32_t host_cycles; /* of the IOMMU's own walk, for a page of the host's memory; 0: it has every translation */
    uint32_t walkers;     /* walks of a UTCL2 in flight at once */
    bool
        copies_translated; /* through the UTCL2, which still holds the pages of buffers so filled where ways are free */
    uint64_t neighbour_bytes; /* buffers up to this size lie side by side, so that lines of translations hold several */
    void *ctx;
    /* The allocation that holds addr; false: none does. Called from several threads. Null: all memory is one. */
    bool (*find)(void *ctx, gaddr_t addr, struct tlb_block *out);
};

struct tlb_stats {
    uint64_t lookups, misses; /* of UTCL1s */
    uint64_t walks, reads;    /* of UTCL2s */
};

/* A UTCL1. */
struct utcl1 {
    gaddr_t *lo;
    uint64_t *bytes, *stamp; /* from lo on; of the last use */
    cycle_t *answer;         /* arrival of the UTCL2's answer, without a walk */
    uint32_t entries, used;
    uint32_t last; /* entry used most recently */
    uint64_t clock;
    struct tlb_stats stats;
};

/* A UTCL2 with its walkers. */
struct utcl2 {
    const struct tlb_config *cfg;
    uint64_t *tag; /* [set][way], + 1 */
    uint64_t *stamp;
    cycle_t *ready;  /* when its read completes */
    cycle_t *walker; /* free from then on */
    uint32_t sets;
    uint64_t clock;
    cycle_t reads_done; /* no read is in flight from then on */
    struct tlb_stats stats;
};

int tlb_check_config(const struct tlb_config *cfg, struct err *err);
bool utcl1_init(struct utcl1 *t, uint32_t entries, struct arena *arena);

/* The driver has invalidated it. */
void utcl1_forget(struct utcl1 *t);

/* Returns whether the page of addr is a miss, for which the UTCL2 is to be asked. *at: when the answer of the UTCL2
 * arrives or has arrived; now for a hit. */
bool utcl1_lookup(struct utcl1 *t, const struct tlb_config *cfg, gaddr_t addr, cycle_t now, cycle_t *at);

/* cfg outlives it. */
bool utcl2_init(struct utcl2 *t, const struct tlb_config *cfg, struct arena *arena);

/* The cycle from which the page of addr is translated, now at the earliest; a miss starts a walk. `now` never falls
 * from call to call. reads: the access is a load. */
cycle_t utcl2_lookup(struct utcl2 *t, gaddr_t addr, bool reads, cycle_t now);

/* The same for a UTCL1 that holds the page: starts no walk, but waits for one in flight. */
cycle_t utcl2_await(const struct utcl2 *t, gaddr_t addr, cycle_t now);

/* The driver has invalidated it; no walk is in flight. What the host's IOMMU has translated stays. */
void utcl2_forget(struct utcl2 *t);

/* For the page of an address. */
enum tlb_known {
    TLB_KNOWN_HOST,   /* the IOMMU's translation, where it has one */
    TLB_KNOWN_TABLES, /* that, and the tables above the page's own line */
    TLB_KNOWN_PAGE,   /* its own line as well */
};
/* Puts that into the UTCL2, where it is from cycle 0 on. */
void utcl2_prefill(struct utcl2 *t, gaddr_t addr, enum tlb_known known);

#endif
