/* A bump allocator for memory that lives as long as a simulator: queues, tag arrays, tables.
 *
 * Memory is zero-filled, aligned to any power of two up to a page, and freed only as a whole. The arena grows by
 * blocks, so pointers stay valid until arena_free(). A large piece gets a block of its own, and large blocks are zero
 * pages of the host, which cost nothing until touched. A size that overflows gives null, as a lack of host memory does,
 * and as the budget does when the arena has one.
 */
#ifndef GCNSIM_UTIL_ARENA_H
#define GCNSIM_UTIL_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/util/budget.h"

#define ARENA_MAX_ALIGN 4096u

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    size_t block_bytes;         /* payload of an ordinary block */
    uint8_t *next, *end;        /* the free rest of the current ordinary block */
    size_t used_bytes;          /* allocated so far, without padding */
    struct budget *budget;      /* what blocks count against; null: nothing. To be set before the first allocation */
    struct arena_block *spare;  /* of before arena_reset(); their bytes are anything */
    bool dirty;                 /* the current block was spare */
};

/* block_bytes 0 picks a default. Allocates nothing yet. */
void arena_init(struct arena *a, size_t block_bytes);

/* `count` zeroed elements of `bytes` each, aligned to `align` (a power of two up to ARENA_MAX_ALIGN). Null when
 * count * bytes overflows or the host has no memory. A piece of zero bytes is a valid, unshared pointer. */
void *arena_alloc(struct arena *a, size_t count, size_t bytes, size_t align);

/* The same, but its bytes are anything: of a table of which few entries may ever be used. */
void *arena_alloc_unset(struct arena *a, size_t count, size_t bytes, size_t align);

#define ARENA_NEW(a, count, type) ((type *)arena_alloc((a), (count), sizeof(type), _Alignof(type)))

/* Frees everything and leaves the arena as arena_init() did, with its budget. */
void arena_free(struct arena *a);

/* Frees everything as arena_free() does, but keeps up to keep_bytes of its blocks for what is allocated next: pages
 * that the host has given before cost less than fresh ones. Kept blocks count against no budget, and arena_free() frees
 * them. */
void arena_reset(struct arena *a, size_t keep_bytes);

/* Bytes of its blocks: what it holds of its budget. */
uint64_t arena_held_bytes(const struct arena *a);

/* A copy of a text; null when out of host memory. */
char *arena_text(struct arena *a, const char *text);

#endif
