/* The device address space of one simulator: allocations, their bounds and access rights, and the host memory behind
 * them.
 *
 * There are two kinds. An *owned* space allocates. Device addresses are bumped from MEM_SPACE_BASE in the order of the
 * calls; each allocation starts on a 4 KiB page, is followed by an unmapped guard gap, and its address is never given
 * out again. Addresses are therefore the same from run to run, whatever the host does, and a stale pointer never finds
 * another allocation. Every allocation is backed by a zero-filled anonymous mapping of the host, whose untouched pages
 * cost nothing. An *identity* space serves launches of raw code in the caller's address space: device address == host
 * address, nothing is owned, and either the caller lists the valid ranges or everything but the first page is one range
 * without checking. Memory that gcnsim brings itself (mem_space_alloc) still has addresses of its own choice, from
 * MEM_SPACE_OWN_BASE on, where no process has memory: cycles depend on addresses, and must not on the host's allocator.
 *
 * Bounds are those of the requested size, to the byte; nothing is rounded up.
 *
 * Thread safety: lookups are const and change nothing, so any number of threads may look up while none allocates or
 * frees. Ranges returned stay valid until the next alloc, free or destroy; callers keep the last one found for speed.
 * Left out: page tables, TLBs (mem/hierarchy/tlb.h) and memory types; apertures of LDS and scratch belong to the
 * launch.
 */
#ifndef GCNSIM_MEM_SPACE_H
#define GCNSIM_MEM_SPACE_H

#include "sim/util/bits.h"
#include "sim/util/budget.h"
#include "sim/util/error.h"

#define MEM_SPACE_BASE UINT64_C(0x7f0000000000)
#define MEM_SPACE_END  UINT64_C(0x800000000000)
#define MEM_SPACE_OWN_BASE                                                                                             \
    UINT64_C(0x800000000000) /* of allocations in identity spaces: above every user address of                         \
                              */
#define MEM_SPACE_OWN_END     UINT64_C(0x1000000000000) /* an x86-64 host; still 48 bits, which buffer descriptors hold */
#define MEM_SPACE_PAGE_BYTES  UINT64_C(0x1000)
#define MEM_SPACE_GUARD_BYTES UINT64_C(0x10000)
#define MEM_SPACE_NEAR_BYTES  UINT64_C(0x100000) /* farther than this, a fault is near no allocation */
#define MEM_SPACE_MAX_ALIGN   UINT64_C(0x40000000)

enum mem_range_flags {
    MEM_READ = 1u << 0,
    MEM_WRITE = 1u << 1,
    MEM_EXEC = 1u << 2,
    /* what it is for: one of these */
    MEM_KIND_DATA = 0u << 8,
    MEM_KIND_CODE = 1u << 8,
    MEM_KIND_KERNARG = 2u << 8,
    MEM_KIND_SCRATCH = 3u << 8,
    MEM_KIND_SYSTEM = 4u << 8, /* dispatch packet, queue, hidden argument buffers */
    MEM_KIND_MASK = 0xffu << 8,
    MEM_OWNED = 1u << 16, /* its host memory is the space's: set by mem_space_alloc() */
};

struct mem_range {
    gaddr_t lo, hi; /* [lo, hi) */
    uint8_t *host;  /* where lo is */
    uint32_t flags; /* enum mem_range_flags */
    char label[60]; /* for reports: "buffer arg 2 'out'"; cut when longer */
};

#define MEM_SPACE_FREED 16

#define MEM_SPACE_SPARES 4

struct mem_space {
    struct mem_range *ranges; /* sorted by lo, disjoint */
    size_t count, capacity;
    gaddr_t next;          /* first address not yet given out */
    struct budget *budget; /* what allocations count against, whole pages each; null: nothing */
    bool identity;
    bool unchecked; /* identity without a list */
    bool borrowed;  /* ranges are another space's */
    /* the last few freed, for reports only */
    struct mem_range freed[MEM_SPACE_FREED];
    unsigned freed_count;
    /* mappings of one page that were freed, for the next allocations as small: mapping pages anew for the packet,
     * arguments and scratch of each launch takes the host longer than an empty kernel does */
    void *spare[MEM_SPACE_SPARES];
    unsigned spare_count;
};

/* An empty owned space. */
void mem_space_init(struct mem_space *s);

/* An identity space over `count` ranges of the caller's (lo, hi, flags, label are read; host is set). count 0: no
 * checking. Ranges may come in any order; overlapping ones are merged when their flags are equal and refused when not,
 * as are empty ones and ones that reach below the first page. 0 or non-zero with *err. */
int mem_space_init_identity(struct mem_space *s, const struct mem_range *ranges, size_t count, struct err *err);

/* An identity space with the ranges of another one, `from`, which owns no memory, and must not change while this one
 * is used. They are copied when this one gets ranges of its own, not before. */
void mem_space_init_shared(struct mem_space *s, const struct mem_space *from);

/* Adds the parts of [lo, hi) that no range of an identity space holds yet, as memory of the host. */
int mem_space_add_uncovered(struct mem_space *s, gaddr_t lo, gaddr_t hi, uint32_t flags, const char *label,
                            struct err *err);

/* Memory of the host that stands at other device addresses: [r->lo, r->hi) at r->host, which stays the caller's. It
 * takes the place of the host's memory at these addresses in an unchecked space; in another one, no range may be there.
 * Not in the first page of an identity space. */
int mem_space_add_window(struct mem_space *s, const struct mem_range *r, struct err *err);

/* Unmaps everything owned. */
void mem_space_destroy(struct mem_space *s);

/* A new zero-filled allocation of exactly `bytes` (0 is allowed: an address without a valid byte), aligned to `align`
 * (a power of two up to MEM_SPACE_MAX_ALIGN; a page at least). In an identity space it lies after MEM_SPACE_OWN_BASE
 * and after what the caller lists there; of a range that spans all of [MEM_SPACE_OWN_BASE, MEM_SPACE_OWN_END), as the
 * unchecked one does, it takes the place. */
int mem_space_alloc(struct mem_space *s, uint64_t bytes, uint64_t align, uint32_t flags, const char *label,
                    gaddr_t *addr, struct err *err);

/* Makes no allocation in [lo, hi) from now on. */
void mem_space_avoid(struct mem_space *s, gaddr_t lo, gaddr_t hi);

/* Frees the allocation that starts at addr. Only for owned spaces. */
int mem_space_free(struct mem_space *s, gaddr_t addr, struct err *err);

/* The range that holds addr, or null. O(log n). */
const struct mem_range *mem_space_find(const struct mem_space *s, gaddr_t addr);

/* Whether [addr, addr + bytes) lies in the range, without overflow. */
static inline bool mem_range_holds(const struct mem_range *r, gaddr_t addr, uint64_t bytes)
{
    return addr >= r->lo && addr < r->hi && bytes <= r->hi - addr;
}

/* Host pointer to [addr, addr + bytes) when it lies in one range that has all of `need` (enum mem_range_flags without
 * a kind), else null. */
uint8_t *mem_space_at(const struct mem_space *s, gaddr_t addr, uint64_t bytes, uint32_t need);

/* Iteration: ranges in address order. */
static inline const struct mem_range *mem_space_range(const struct mem_space *s, size_t i)
{
    return i < s->count ? &s->ranges[i] : NULL;
}

/* Copies between host memory and exactly one range; flags are not looked at (a host writes into code and read-only
 * data). bytes 0 always succeeds. */
int mem_space_read(const struct mem_space *s, gaddr_t addr, void *out, uint64_t bytes, struct err *err);
int mem_space_write(struct mem_space *s, gaddr_t addr, const void *in, uint64_t bytes, struct err *err);

/* Describes where an access of `bytes` at addr lies, for fault reports:
 * "0x… is 16 bytes past the end of buffer arg 2 'out' [0x…, 0x…)". Outside every allocation, the nearest buffer or code
 * within MEM_SPACE_NEAR_BYTES is named before a closer allocation of the runtime. Returns buf. */
const char *mem_space_describe(const struct mem_space *s, gaddr_t addr, uint64_t bytes, char *buf, size_t size);

#endif
