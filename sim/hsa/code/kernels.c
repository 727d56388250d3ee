/* The kernels of frozen executables by the address of their descriptor: a hash table with open addressing. Every kernel
 * that a packet starts is looked up here, so readers share the lock and find what they want at once. */
#include "sim/hsa/code/kernels.h"

#include <pthread.h>
#include <stdlib.h>

#include "sim/hsa/memory/memory.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct kernel **table;    /* null: free */
static size_t count, table_size; /* a power of two, at least twice the count; 0: none */

/* Descriptors are 64 bytes, and aligned to that. */
static size_t home(uint64_t descriptor, size_t size)
{
    return (size_t)((descriptor >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);
}

/* Where the kernel is, or belongs. */
static size_t position(struct kernel *const *t, size_t size, uint64_t descriptor)
{
    size_t at = home(descriptor, size);

    while (t[at] && t[at]->descriptor != descriptor)
        at = (at + 1) & (size - 1);
    return at;
}

static bool reserve(size_t more)
{
    size_t size = table_size ? table_size : 256;
    struct kernel **t;

    while (size < 2 * (count + more))
        size *= 2;
    if (size == table_size)
        return true;
    t = calloc(size, sizeof *t);
    if (!t)
        return false;
    for (size_t k = 0; k < table_size; k++)
        if (table[k])
            t[position(t, size, table[k]->descriptor)] = table[k];
    free(table);
    table = t;
    table_size = size;
    return true;
}

bool kernels_publish(struct loaded *l)
{
    bool room;

    pthread_rwlock_wrlock(&lock);
    room = reserve(l->kernel_count);
    for (uint32_t k = 0; room && k < l->kernel_count; k++) {
        if (!l->kernels[k].descriptor)
            continue; /* without a symbol nobody can name it */
        size_t at = position(table, table_size, l->kernels[k].descriptor);
        count += !table[at];
        table[at] = &l->kernels[k];
    }
    pthread_rwlock_unlock(&lock);
    return room;
}

/* Frees a place, and moves up what lies after it because of it. */
static void take_out(size_t hole)
{
    table[hole] = NULL;
    count--;
    for (size_t at = (hole + 1) & (table_size - 1); table[at]; at = (at + 1) & (table_size - 1)) {
        size_t from = home(table[at]->descriptor, table_size);
        if (((at - from) & (table_size - 1)) < ((at - hole) & (table_size - 1)))
            continue; /* its home is after the hole */
        table[hole] = table[at];
        table[at] = NULL;
        hole = at;
    }
}

void kernels_withdraw(struct loaded *l)
{
    pthread_rwlock_wrlock(&lock);
    for (uint32_t k = 0; table_size && k < l->kernel_count; k++) {
        size_t at = position(table, table_size, l->kernels[k].descriptor);
        if (table[at] == &l->kernels[k])
            take_out(at);
    }
    pthread_rwlock_unlock(&lock);
}

const struct kernel *kernel_find(uint64_t descriptor)
{
    struct kernel *k;

    pthread_rwlock_rdlock(&lock);
    k = table_size ? table[position(table, table_size, descriptor)] : NULL;
    if (k)
        __atomic_add_fetch(&k->in->references, 1, __ATOMIC_RELAXED);
    pthread_rwlock_unlock(&lock);
    return k;
}

void loaded_release(struct loaded *l)
{
    struct range r;

    if (!l || __atomic_sub_fetch(&l->references, 1, __ATOMIC_ACQ_REL))
        return;
    gcnsim_raw_code_close(l->raw);
    if (l->base) {
        range_take(l->base, &r);
        ranges_unmap((void *)(uintptr_t)l->base, l->mapped);
    }
    free(l->kernels);
    gcnsim_code_close(l->code);
    free(l->uri);
    free(l);
}

void kernel_release(const struct kernel *k)
{
    if (k)
        loaded_release(k->in);
}
