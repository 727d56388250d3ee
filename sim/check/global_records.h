/* Internal to the check of races between workgroups (global.h): records of accesses, and the tables of them. */
#ifndef GCNSIM_CHECK_GLOBAL_RECORDS_H
#define GCNSIM_CHECK_GLOBAL_RECORDS_H

#include "mem/cache/policy.h"
#include "sim/check/internal.h"

struct global_group;

enum { BLOCK_BYTES = 256, FINE_BYTES = 64, NO_RECORD = 0 };
#define NEVER UINT32_MAX /* as a release: there is none */

enum kind { LOAD, STORE, COHERENT_LOAD, COHERENT_STORE, ATOMIC, SWAP /* compare and swap */, NARROW_ATOMIC };

/* Accesses of one instruction by one workgroup to a block, all before the same release and after the same acquire. */
struct record {
    uint64_t mask; /* dwords of the block, or bytes of its part fine - 1 */
    uint32_t next; /* number of the block's next one */
    int32_t site;  /* dwords from the kernel's entry to the instruction */
    union {
        uint32_t stretch; /* of a workgroup that runs: how many had ended; */
        uint32_t release; /* then: the number of the release that follows */
    };
    uint32_t acquire;
    uint32_t group;
    uint16_t wave;                  /* the lowest of them */
    uint8_t kind : 7, observed : 1; /* after a coherent load or returning atomic of its workgroup */
    uint8_t fine;
};

struct slot {
    gaddr_t block;
    uint32_t run; /* others than the table's: free */
    uint32_t head;
};

/* Blocks, by open addressing, with the records of each. Records are numbered from 1 on. */
struct table {
    struct slot *slot;
    struct record *record;
    size_t slots, used, records, room;
    uint32_t run;
    uint64_t bytes; /* that count against the budget */
};

/* Stretches of the workgroup's accesses, from the end of the release before this one up to `end`, are released after
 * acquire `number`. */
struct release {
    uint32_t end, number;
};

struct global_group {
    struct global_group *next;
    uint64_t id;
    bool ended;
    bool seen, observed; /* a coherent load or returning atomic: since its last acquire, ever */
    bool unended;        /* an access since its last stretch has ended */
    uint32_t stretches, acquire;
    struct release *release;
    size_t changes, change_room;
    uint64_t release_bytes; /* of the budget */
    struct table table;
};

/* A race: `a` is what it is reported at. */
struct found {
    struct record a, b;
    gaddr_t at;
    uint64_t count;
};

struct global {
    struct check *check;
    enum mem_gen gen;
    gaddr_t scratch, scratch_bytes;
    uint8_t to_invalidate;  /* levels between the CU and the device's L2 */
    bool stores_have_scope; /* coherent stores differ from others */
    bool several_l2s;
    _Atomic uint32_t acquires;
    atomic_bool failed;
    pthread_mutex_t lock;        /* of what follows */
    struct global_group *active; /* running, or waiting for lower ones to end, by id */
    struct global_group *spare;  /* for workgroups to come */
    uint64_t merged;             /* workgroups below this one are in `all` */
    struct table all;
    struct found *found;
    size_t finds, find_room;
};

static inline bool is_coherent(unsigned kind)
{
    return kind == COHERENT_LOAD || kind == COHERENT_STORE || kind == ATOMIC || kind == SWAP;
}

/* Host allocation failed: the check looks no further. */
void global_fail(struct global *g);
/* realloc() that counts against the budget: *bytes is what counts so far. */
void *global_resize(struct global *g, uint64_t *bytes, void *old, uint64_t had, uint64_t want);

void table_free(struct global *g, struct table *t);
/* Empties it. Its memory stays, unless little of it was used. */
void table_reset(struct global *g, struct table *t);
/* The block's slot, a new one if need be. Null: out of host memory. */
struct slot *table_at(struct global *g, struct table *t, gaddr_t block);
/* False: out of host memory. */
bool table_add(struct global *g, struct table *t, struct slot *s, struct record r);

/* Compares the accesses of a workgroup that has ended with those of the workgroups merged before it, keeps races, and
 * adds the accesses to the run's table. */
void pairs_merge(struct global *g, struct global_group *group);
/* Reports the races. */
void pairs_tell(struct global *g);

#endif
