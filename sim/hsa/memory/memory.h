/* Memory that the runtime knows, and what kernels may touch of it.
 *
 * Two tables. Ranges are what the runtime itself has mapped or loaded: allocations of pools, mapped handles, imported
 * memory, code, queues and signals; ordered by device address, disjoint. Host memory is the program's own that it has
 * locked, or given attributes (SVM): it may overlap, since two threads may lock buffers of one page. Kernels may touch
 * both to the byte, and nothing else: memory of the host that nobody has registered is a fault, as it is on hardware
 * without retry of page faults (XNACK). Hardware checks pages; with --slack page, and without --check, an access
 * that lies in the pages of such memory passes, too, and is counted and reported (range_set_pages()).
 *
 * Device address = host address, with one exception: hsa_amd_memory_lock_to_pool() of fine-grained memory, which is how
 * hipHostRegister() comes, returns an address of its own (lock.c says why). Such a RANGE_LOCKED has `host` elsewhere;
 * kernels may use either address, and who copies for the program asks memory_host().
 *
 * Readers and writers may be any threads; a lookup copies the entry. Which agent may touch a range (`access`) is what
 * the program has said, and is reported; a launch does not check it.
 */
#ifndef GCNSIM_HSA_MEMORY_H
#define GCNSIM_HSA_MEMORY_H

#include "sim/hsa/core/runtime.h"

#define MEMORY_PAGE UINT64_C(4096)

enum range_kind { RANGE_POOL, RANGE_LOCKED, RANGE_CODE, RANGE_VMEM, RANGE_IPC, RANGE_INTEROP, RANGE_SYSTEM };

struct range {
    uint64_t lo, bytes; /* device addresses */
    uint64_t mapped;    /* bytes, in whole pages */
    uint64_t host;      /* where the host sees lo */
    enum range_kind kind;
    struct agent *owner; /* whose memory it is */
    struct pool *pool;   /* null: not from a pool */
    uint32_t flags;      /* of the pool: HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_* */
    uint32_t access;     /* bit i: the agent of index i, beside its owner and the CPU */
    bool writable, executable;
    bool hidden;           /* no kernel may touch it: RANGE_VMEM without access */
    struct signal *signal; /* that it begins with, which processes share; null: none */
    void *userdata;        /* hsa_amd_pointer_info_set_userdata */
    uint64_t object;       /* RANGE_VMEM: the handle; RANGE_POOL: 1 + descriptor of its memfd, 0: none */
};

static inline uint64_t memory_pages(uint64_t bytes)
{
    return (bytes + MEMORY_PAGE - 1) & -MEMORY_PAGE;
}

/* The first of so many entries, ordered by a key, whose key is above the address. */
static inline size_t first_above(const void *table, size_t count, uint64_t (*key)(const void *table, size_t k),
                                 uint64_t address)
{
    size_t lo = 0, hi = count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (key(table, mid) <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Adds an entry; false: out of host memory, or it overlaps another one. */
bool range_add(const struct range *r);
/* Takes out the entry that begins at lo; false: there is none. */
bool range_take(uint64_t lo, struct range *out);
/* The entry that holds the address. */
bool range_find(uint64_t address, struct range *out);
/* The first entry that ends after the address; false: there is none. */
bool range_next(uint64_t address, struct range *out);
/* Lets `change` change the entry that holds the address, but for its place; false: there is none. It runs under the
 * table's lock. What kernels may touch changes with the next ranges_changed(). */
bool range_update(uint64_t address, void (*change)(struct range *r, void *ctx), void *ctx);

/* What kernels may touch has changed: launches that begin from now on see it. */
void ranges_changed(void);
uint64_t range_generation(void);

/* What launches check accesses against: the tables of now, kept until all who hold it have released it. Null: out of
 * host memory. */
struct range_set {
    struct gcnsim_ranges *ranges;
    struct range_span *spans; /* the same, in order of address */
    size_t span_count;
    uint64_t generation;
    uint32_t holders;       /* atomic */
    struct range_set *next; /* of all that there are */
};
struct range_span {
    uint64_t lo, hi, host;
    uint64_t pages_lo, pages_hi; /* the same in whole pages, which other stretches may share */
    const struct agent *owner;   /* whose memory it is; null: the program's own */
    bool writable;
};
struct range_set *range_set_hold(void);
void range_set_release(struct range_set *s);
/* Gives pages back to the host that are in no table any more: at once, or when the last launch has ended that began
 * while they were in one. Until then its kernels find memory there, as it was, and not what the host has put in its
 * place. */
void ranges_unmap(void *at, uint64_t bytes);
/* Whether such a launch runs. */
bool ranges_are_in_use(void);
/* The stretch of memory that has all of [address, address + bytes); null: no single one has. */
const struct range_span *range_set_find(const struct range_set *s, uint64_t address, uint64_t bytes);
/* The pages at an address that hardware lets kernels touch; false: it is in none. */
bool range_set_pages(const struct range_set *s, uint64_t address, struct gcnsim_window *out);

/* Stretches of memory in order of address, as they are collected for a set. */
struct stretch {
    uint64_t lo, hi;
    bool writable;
};
struct stretches {
    struct stretch *at;
    size_t count, capacity;
    bool failed; /* out of host memory */
};
void stretches_add(struct stretches *s, uint64_t lo, uint64_t hi, bool writable);

/* Host memory: what is locked, and what is registered with attributes. */
enum host_memory { HOST_LOCKED, HOST_SVM, HOST_MEMORIES };
void locked_list(struct stretches *out);
void svm_list(struct stretches *out);
/* That of a kind has changed; `list` lists it from now on. */
void ranges_host_changed(enum host_memory kind, void (*list)(struct stretches *out));
/* The host's memory [lo, hi) has become something else: forget what was said about it. */
void locked_forget(uint64_t lo, uint64_t hi);
void svm_forget(uint64_t lo, uint64_t hi);

/* The whole pages of a stretch of memory that calls about attributes name; false: it is none. */
bool svm_pages(const void *ptr, size_t size, uint64_t *lo, uint64_t *hi);
/* They have been prefetched to an agent. */
void svm_prefetched(uint64_t lo, uint64_t hi, const struct agent *a);

/* What hsa_amd_memory_lock() was asked for, by an address in it; false: it is not locked. */
struct locked {
    uint64_t host, bytes;
    uint64_t device; /* address for agents; = host but for aliases */
    uint32_t holders;
    struct pool *pool;
    void *userdata;
};
bool locked_find(uint64_t host, struct locked *out);
bool locked_set_userdata(uint64_t host, void *userdata);
/* Locks or unlocks without an address of its own: hsa_memory_register(). */
hsa_status_t memory_lock(void *host, size_t bytes, struct pool *pool, bool alias, void **device);
hsa_status_t memory_unlock(void *host);

/* Where the host sees a device address; the address itself if it is no alias. */
void *memory_host(const void *address);

/* Zeroed memory of a pool in whole pages, of which untouched pages cost nothing. */
hsa_status_t memory_allocate(struct pool *p, size_t bytes, void **out);
hsa_status_t memory_free(void *address);
uint32_t pool_flags(const struct pool *p); /* HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_* */
/* Takes `bytes` of the memory that the pool shares with the others of its agent, or gives them back; false: it has not
 * so many left. */
bool pool_charge(struct pool *p, uint64_t bytes);
void pool_discharge(struct pool *p, uint64_t bytes);

/* Zeroed pages of the runtime's own, all of which kernels read and write: cells, and the rings of queues. They begin at
 * a multiple of `align`, which is a power of two. Null: out of host memory. */
void *memory_system(size_t bytes, size_t align);
void memory_system_free(void *address);

/* Replaces the pages of an allocation by shared ones that other processes may map, with the same contents; returns
 * their descriptor, which is the allocation's own, or -1. */
int memory_share(uint64_t lo);

#endif
