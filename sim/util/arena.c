/* A bump allocator for memory that lives as long as a simulator. */
#define _GNU_SOURCE
#include "sim/util/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEFAULT_BLOCK_BYTES ((size_t)64 * 1024)
#define MAP_BYTES           ((size_t)256 * 1024) /* larger blocks are mapped pages of the host */

struct arena_block {
    struct arena_block *older;
    size_t bytes_held;
    bool mapped; /* false: from malloc */
    uint8_t bytes[];
};

void arena_init(struct arena *a, size_t block_bytes)
{
    *a = (struct arena){.block_bytes = block_bytes ? block_bytes : DEFAULT_BLOCK_BYTES};
}

static uint8_t *aligned(uint8_t *p, size_t align)
{
    return p + (-(uintptr_t)p & (align - 1));
}

/* Not cleared: arena_alloc() clears what it gives, and of most blocks a part is given. */
static struct arena_block *malloc_block(size_t bytes)
{
    struct arena_block *b = malloc(bytes);

    if (b)
        b->mapped = false;
    return b;
}

/* Maps zero pages, which cost nothing until touched; calloc would clear memory that was used before. Huge pages save no
 * time that can be measured, and cost 2 MiB each where a launch touches a few lines of a large chip's caches. */
static struct arena_block *map_block(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct arena_block *b = p;

    if (p == MAP_FAILED)
        return NULL;
    b->mapped = true;
    return b;
}

static struct arena_block *take_spare(struct arena *a, size_t bytes)
{
    for (struct arena_block **at = &a->spare; *at; at = &(*at)->older)
        if ((*at)->bytes_held == bytes) {
            struct arena_block *b = *at;
            *at = b->older;
            return b;
        }
    return NULL;
}

/* *dirty: its bytes are not 0. */
static uint8_t *add_block(struct arena *a, size_t payload, bool *dirty)
{
    struct arena_block *b;

    if (payload > SIZE_MAX - sizeof *b)
        return NULL;
    if (!budget_take(a->budget, sizeof *b + payload))
        return NULL;
    b = take_spare(a, sizeof *b + payload);
    *dirty = b || payload < MAP_BYTES;
    if (!b)
        b = payload < MAP_BYTES ? malloc_block(sizeof *b + payload) : map_block(sizeof *b + payload);
    if (!b) {
        budget_give(a->budget, sizeof *b + payload);
        return NULL;
    }
    b->bytes_held = sizeof *b + payload;
    b->older = a->blocks;
    a->blocks = b;
    return b->bytes;
}

/* *dirty: the bytes are not 0. */
static void *alloc_bytes(struct arena *a, size_t total, size_t align, bool *dirty)
{
    uint8_t *p;

    assert(align && !(align & (align - 1)) && align <= ARENA_MAX_ALIGN);
    if (total + align > a->block_bytes / 4 || total >= MAP_BYTES) {
        p = add_block(a, total + align - 1, dirty);
        if (!p)
            return NULL;
        a->used_bytes += total;
        return aligned(p, align);
    }
    /* compares sizes, not pointers: next + pad may lie beyond end */
    size_t pad = a->next ? (size_t)(aligned(a->next, align) - a->next) : 0;
    if (!a->next || pad + total > (size_t)(a->end - a->next)) {
        p = add_block(a, a->block_bytes, &a->dirty);
        if (!p)
            return NULL;
        a->next = p;
        a->end = p + a->block_bytes;
        pad = (size_t)(aligned(p, align) - p);
    }
    p = a->next + pad;
    a->next = p + total;
    a->used_bytes += total;
    *dirty = a->dirty;
    return p;
}

/* The size of a piece; 0: there can be none so large. */
static size_t size_of(size_t count, size_t bytes)
{
    size_t total;

    if (__builtin_mul_overflow(count, bytes, &total) || total > PTRDIFF_MAX - 2 * (size_t)ARENA_MAX_ALIGN)
        return 0;
    return total ? total : 1;
}

void *arena_alloc_unset(struct arena *a, size_t count, size_t bytes, size_t align)
{
    size_t total = size_of(count, bytes);
    bool dirty;

    return total ? alloc_bytes(a, total, align, &dirty) : NULL;
}

void *arena_alloc(struct arena *a, size_t count, size_t bytes, size_t align)
{
    size_t total = size_of(count, bytes);
    bool dirty = false;
    void *p = total ? alloc_bytes(a, total, align, &dirty) : NULL;

    return p && dirty ? memset(p, 0, total) : p;
}

static void free_block(struct arena_block *b)
{
    if (b->mapped)
        munmap(b, b->bytes_held);
    else
        free(b);
}

void arena_reset(struct arena *a, size_t keep_bytes)
{
    struct arena_block *b = a->blocks, *spare = a->spare, *older;
    struct budget *budget = a->budget;
    size_t kept = 0;

    for (struct arena_block *s = spare; s; s = s->older)
        kept += s->bytes_held;
    for (; b; b = older) {
        older = b->older;
        budget_give(budget, b->bytes_held);
        if (keep_bytes < kept || b->bytes_held > keep_bytes - kept) {
            free_block(b);
            continue;
        }
        kept += b->bytes_held;
        b->older = spare;
        spare = b;
    }
    arena_init(a, a->block_bytes);
    a->budget = budget;
    a->spare = spare;
}

void arena_free(struct arena *a)
{
    struct arena_block *older;

    for (struct arena_block *b = a->spare; b; b = older) {
        older = b->older;
        free_block(b);
    }
    a->spare = NULL;
    arena_reset(a, 0);
}

uint64_t arena_held_bytes(const struct arena *a)
{
    uint64_t bytes = 0;

    for (const struct arena_block *b = a->blocks; b; b = b->older)
        bytes += b->bytes_held;
    return bytes;
}

char *arena_text(struct arena *a, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = arena_alloc(a, n, 1, 1);

    return copy ? memcpy(copy, text, n) : NULL;
}
