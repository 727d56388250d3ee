/* The table of cells: slabs of one kind, found by their address in a tree of two levels. */
#include "sim/hsa/memory/cells.h"

#include <pthread.h>
#include <stdlib.h>

#include "sim/hsa/memory/memory.h"

#define SLAB_SHIFT 16 /* bytes of a slab, and what it is aligned to */
#define SLAB_BYTES (UINT64_C(1) << SLAB_SHIFT)
#define LEAF_SHIFT 32 /* bytes of a leaf of the tree */
#define LEAF_SLABS (UINT64_C(1) << (LEAF_SHIFT - SLAB_SHIFT))
#define ADDRESS    48 /* bits */

enum { SIGNAL_SHIFT = 7, QUEUE_SHIFT = 9, LEAST_SHIFT = SIGNAL_SHIFT, RECORD_ALIGN = 64 };

static const struct {
    unsigned shift; /* bytes of a cell */
    size_t record;
} sizes[CELL_KINDS] = {
    [CELL_SIGNAL] = {SIGNAL_SHIFT, CELL_SIGNAL_RECORD},
    [CELL_QUEUE] = {QUEUE_SHIFT, CELL_QUEUE_RECORD},
};
_Static_assert(CELL_SIGNAL_BYTES == 1 << SIGNAL_SHIFT && CELL_QUEUE_BYTES == 1 << QUEUE_SHIFT, "bytes of cells");
_Static_assert(CELL_SIGNAL_RECORD % RECORD_ALIGN == 0 && CELL_QUEUE_RECORD % RECORD_ALIGN == 0, "records are aligned");

struct slab {
    enum cell_kind kind;
    uint8_t *at, *records;
    uint64_t used[(SLAB_BYTES >> LEAST_SHIFT) / 64]; /* atomic; changed under the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slab **leaves[UINT64_C(1) << (ADDRESS - LEAF_SHIFT)]; /* atomic, as what they point to is */
static struct {
    struct slab **slab;
    size_t slabs;
    uint8_t **free; /* cells; those that became free last are used again first; has room for all */
    size_t free_count;
} of[CELL_KINDS];

static struct slab *slab_at(uint64_t address)
{
    struct slab **leaf = address >> ADDRESS ? NULL : __atomic_load_n(&leaves[address >> LEAF_SHIFT], __ATOMIC_ACQUIRE);

    return leaf ? __atomic_load_n(&leaf[address >> SLAB_SHIFT & (LEAF_SLABS - 1)], __ATOMIC_ACQUIRE) : NULL;
}

/* The slab and number of a cell that begins at the address and is in use; null: none does. */
static struct slab *find(enum cell_kind kind, uint64_t address, size_t *k)
{
    struct slab *s = slab_at(address);
    uint64_t offset = address & (SLAB_BYTES - 1);

    if (!s || s->kind != kind || offset & ((UINT64_C(1) << sizes[kind].shift) - 1))
        return NULL;
    *k = offset >> sizes[kind].shift;
    return __atomic_load_n(&s->used[*k / 64], __ATOMIC_ACQUIRE) >> *k % 64 & 1 ? s : NULL;
}

/* Enters it in the tree; false: out of host memory. Under the lock. */
static bool plant(struct slab *s)
{
    uint64_t address = (uint64_t)(uintptr_t)s->at;
    struct slab ***leaf = &leaves[address >> LEAF_SHIFT];

    if (!*leaf) {
        struct slab **more = calloc(LEAF_SLABS, sizeof *more);
        if (!more)
            return false;
        __atomic_store_n(leaf, more, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&(*leaf)[address >> SLAB_SHIFT & (LEAF_SLABS - 1)], s, __ATOMIC_RELEASE);
    return true;
}

/* Under the lock. */
static bool add_slab(enum cell_kind kind)
{
    const size_t cells = SLAB_BYTES >> sizes[kind].shift;
    uint8_t **room = realloc(of[kind].free, (of[kind].slabs + 1) * cells * sizeof *room);
    struct slab *s = calloc(1, sizeof *s), **more;

    if (room)
        of[kind].free = room;
    more = realloc(of[kind].slab, (of[kind].slabs + 1) * sizeof *more);
    if (more)
        of[kind].slab = more;
    if (s) {
        s->kind = kind;
        s->records = aligned_alloc(RECORD_ALIGN, cells * sizes[kind].record);
        s->at = memory_system(SLAB_BYTES, SLAB_BYTES);
    }
    if (!s || !room || !more || !s->records || !s->at || !plant(s)) {
        if (s) {
            memory_system_free(s->at);
            free(s->records);
        }
        free(s);
        return false;
    }
    of[kind].slab[of[kind].slabs++] = s;
    for (size_t k = 0; k < cells; k++)
        of[kind].free[of[kind].free_count++] = s->at + (k << sizes[kind].shift);
    return true;
}

/* Zeroes for those who are late, too, and look on. */
static void clear(void *at, size_t bytes)
{
    for (uint64_t *w = at, *end = w + bytes / sizeof *w; w < end; w++)
        __atomic_store_n(w, 0, __ATOMIC_RELAXED);
}

void *cell_new(enum cell_kind kind)
{
    uint8_t *record = NULL;

    pthread_mutex_lock(&lock);
    if (of[kind].free_count || add_slab(kind)) {
        uint8_t *cell = of[kind].free[--of[kind].free_count];
        struct slab *s = slab_at((uint64_t)(uintptr_t)cell);
        size_t k = (size_t)(cell - s->at) >> sizes[kind].shift;

        clear(cell, (size_t)1 << sizes[kind].shift);
        record = s->records + k * sizes[kind].record;
        __atomic_store_n((void **)(void *)record, cell, __ATOMIC_RELAXED);
        clear(record + sizeof(void *), sizes[kind].record - sizeof(void *));
        __atomic_fetch_or(&s->used[k / 64], UINT64_C(1) << k % 64, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return record;
}

bool cell_free(enum cell_kind kind, uint64_t address)
{
    struct slab *s;
    size_t k;

    pthread_mutex_lock(&lock);
    s = find(kind, address, &k);
    if (s) {
        __atomic_fetch_and(&s->used[k / 64], ~(UINT64_C(1) << k % 64), __ATOMIC_RELEASE);
        of[kind].free[of[kind].free_count++] = s->at + (k << sizes[kind].shift);
    }
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

void *cell_find(enum cell_kind kind, uint64_t address)
{
    size_t k;
    struct slab *s = find(kind, address, &k);

    return s ? s->records + k * sizes[kind].record : NULL;
}

void cells_each(enum cell_kind kind, void (*fn)(void *record, void *ctx), void *ctx)
{
    pthread_mutex_lock(&lock);
    for (size_t n = 0; n < of[kind].slabs; n++)
        for (size_t k = 0; k < SLAB_BYTES >> sizes[kind].shift; k++)
            if (of[kind].slab[n]->used[k / 64] >> k % 64 & 1)
                fn(of[kind].slab[n]->records + k * sizes[kind].record, ctx);
    pthread_mutex_unlock(&lock);
}
