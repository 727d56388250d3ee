/* Allocations: of pools, of the runtime itself, and what is called when they end. */
#include "sim/hsa/memory/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mappings of these sizes ask for huge pages of the host, as the simulator's own do (sim/util/huge_pages.h). */
#define HUGE_PAGES_LEAST (UINT64_C(2) << 20)
#define HUGE_PAGES_MOST  (UINT64_C(1) << 30)

static void *map(uint64_t whole)
{
    void *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return NULL;
    if (whole >= HUGE_PAGES_LEAST && whole <= HUGE_PAGES_MOST)
        madvise(at, whole, MADV_HUGEPAGE);
    /* the program may have unmapped what it had registered here */
    locked_forget((uint64_t)(uintptr_t)at, (uint64_t)(uintptr_t)at + whole);
    svm_forget((uint64_t)(uintptr_t)at, (uint64_t)(uintptr_t)at + whole);
    return at;
}

/* Pools ------------------------------------------------------------------------------------------------------------ */

/* A GPU's pools are one memory, and so are the host's: one of them keeps the account. */
static struct pool *account_of(struct pool *p)
{
    return &p->agent->pool[POOL_COARSE];
}

bool pool_charge(struct pool *p, uint64_t bytes)
{
    struct pool *a = account_of(p);
    uint64_t have = __atomic_load_n(&a->allocated, __ATOMIC_RELAXED);

    do {
        if (bytes > a->bytes - have)
            return false;
    } while (
        !__atomic_compare_exchange_n(&a->allocated, &have, have + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

void pool_discharge(struct pool *p, uint64_t bytes)
{
    __atomic_sub_fetch(&account_of(p)->allocated, bytes, __ATOMIC_RELAXED);
}

hsa_status_t memory_allocate(struct pool *p, size_t bytes, void **out)
{
    uint64_t whole = memory_pages(bytes);
    struct range r = {.bytes = bytes,
                      .mapped = whole,
                      .kind = RANGE_POOL,
                      .owner = p->agent,
                      .pool = p,
                      .flags = pool_flags(p),
                      .writable = true};
    void *at;

    if (!bytes || p->kind == POOL_GROUP)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (bytes > p->bytes)
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (!pool_charge(p, whole))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    at = map(whole);
    r.lo = r.host = (uint64_t)(uintptr_t)at;
    if (!at || !range_add(&r)) {
        if (at)
            munmap(at, whole);
        pool_discharge(p, whole);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *out = at;
    return HSA_STATUS_SUCCESS;
}

/* Who wants to know of the end of an allocation -------------------------------------------------------------------- */

struct mourner {
    struct mourner *next;
    uint64_t lo;
    void *address; /* in the allocation, as it was registered */
    hsa_amd_deallocation_callback_t callback;
    void *data;
};

static pthread_mutex_t mourners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mourner *mourners;

/* Takes out one of the allocation, or the one that was registered so; null: there is none. */
static struct mourner *take_mourner(uint64_t lo, const void *address, hsa_amd_deallocation_callback_t callback)
{
    struct mourner **at, *m;

    pthread_mutex_lock(&mourners_lock);
    at = &mourners;
    while (*at && (callback ? (*at)->address != address || (*at)->callback != callback : (*at)->lo != lo))
        at = &(*at)->next;
    m = *at;
    if (m)
        *at = m->next;
    pthread_mutex_unlock(&mourners_lock);
    return m;
}

hsa_status_t hsa_amd_register_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback,
                                                    void *user_data)
{
    struct mourner *m;
    struct range r;

    RT_OR_RETURN(rt);
    (void)rt;
    if (!ptr || !callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!range_find((uint64_t)(uintptr_t)ptr, &r) || r.kind != RANGE_POOL)
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    m = malloc(sizeof *m);
    if (!m)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    pthread_mutex_lock(&mourners_lock);
    *m = (struct mourner){.next = mourners, .lo = r.lo, .address = ptr, .callback = callback, .data = user_data};
    mourners = m;
    pthread_mutex_unlock(&mourners_lock);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_deregister_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback)
{
    struct mourner *m;

    RT_OR_RETURN(rt);
    (void)rt;
    if (!ptr || !callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    m = take_mourner(0, ptr, callback);
    free(m);
    return m ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t memory_free(void *address)
{
    uint64_t lo = (uint64_t)(uintptr_t)address;
    struct mourner *m;
    struct range r;

    if (!address)
        return HSA_STATUS_SUCCESS;
    if (!range_find(lo, &r) || r.kind != RANGE_POOL || r.lo != lo || !range_take(lo, &r))
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    /* it is no allocation any more, but its contents are there still */
    while ((m = take_mourner(lo, NULL, NULL))) {
        m->callback(m->address, m->data);
        free(m);
    }
    if (r.object)
        close((int)r.object - 1);
    ranges_unmap(address, r.mapped);
    pool_discharge(r.pool, r.mapped);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **ptr)
{
    struct pool *p = pool_of(pool.handle);

    (void)flags;
    RT_READY_OR_RETURN();
    if (!p)
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    return ptr ? memory_allocate(p, size, ptr) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_memory_pool_free(void *ptr)
{
    RT_READY_OR_RETURN();
    return memory_free(ptr);
}

hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr)
{
    struct pool *p = pool_of(region.handle);

    RT_READY_OR_RETURN();
    if (!p)
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!ptr || !size)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return p->kind == POOL_GROUP ? HSA_STATUS_ERROR_INVALID_ALLOCATION : memory_allocate(p, size, ptr);
}

hsa_status_t hsa_memory_free(void *ptr)
{
    RT_READY_OR_RETURN();
    return memory_free(ptr);
}

/* The runtime's own ------------------------------------------------------------------------------------------------ */

void *memory_system(size_t bytes, size_t align)
{
    uint64_t whole = memory_pages(bytes), more = align > MEMORY_PAGE ? align - MEMORY_PAGE : 0;
    uint8_t *from = bytes ? map(whole + more) : NULL, *at;
    struct range r = {.bytes = bytes, .mapped = whole, .kind = RANGE_SYSTEM, .writable = true};

    if (!from)
        return NULL;
    at = from + (-(uintptr_t)from & (align > MEMORY_PAGE ? align - 1 : 0));
    if (at > from)
        munmap(from, (size_t)(at - from));
    if (from + more > at)
        munmap(at + whole, (size_t)(from + more - at));
    r.lo = r.host = (uint64_t)(uintptr_t)at;
    if (range_add(&r))
        return at;
    munmap(at, whole);
    return NULL;
}

void memory_system_free(void *address)
{
    struct range r;

    if (address && range_take((uint64_t)(uintptr_t)address, &r))
        ranges_unmap(address, r.mapped);
}
