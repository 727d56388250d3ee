/* Host memory that the program has locked for its agents.
 *
 * A buffer may be locked several times, and buffers may overlap. Language runtimes lock and unlock the program's buffer
 * around a copy, so that this has to be cheap: it is an entry in a small table, and the device address is the host's.
 *
 * Memory that is locked for fine-grained use has a device address of its own, as it has with the driver: that is
 * hipHostRegister(), and HIP up to 5.2 enters both addresses in one map and aborts in hipHostUnregister() if they are
 * the same. The second address is a reservation of addresses without memory, at which launches see the host's buffer
 * (struct gcnsim_window); the host has nothing there, as with the driver.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/hsa/memory/memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct locked **table; /* by host address */
static size_t count, capacity;
static uint64_t longest; /* bytes of any entry so far: an address is held by none that begins further below */
static uint32_t aliases; /* entries with a device address of their own; atomic */

static uint64_t begin_of_lock(const void *at, size_t k)
{
    return ((struct locked *const *)at)[k]->host;
}

/* The first entry that begins above the address. */
static size_t above(uint64_t address)
{
    return first_above(table, count, begin_of_lock, address);
}

/* The entry that holds the address and begins last; null: there is none. Under the lock. */
static struct locked *holder(uint64_t address)
{
    for (size_t k = above(address); k-- > 0 && address - table[k]->host < longest;)
        if (address - table[k]->host < table[k]->bytes)
            return table[k];
    return NULL;
}

/* Aliases ---------------------------------------------------------------------------------------------------------- */

/* A second address for the buffer, with the same place in its page; 0: no addresses. */
static uint64_t alias_make(const struct locked *l)
{
    uint64_t in_page = l->host % MEMORY_PAGE, whole = memory_pages(in_page + l->bytes);
    void *at = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct range r = {.bytes = l->bytes,
                      .mapped = whole - in_page,
                      .host = l->host,
                      .kind = RANGE_LOCKED,
                      .owner = l->pool ? l->pool->agent : NULL,
                      .pool = l->pool,
                      .flags = l->pool ? pool_flags(l->pool) : 0,
                      .writable = true};

    if (at == MAP_FAILED)
        return 0;
    r.lo = (uint64_t)(uintptr_t)at + in_page;
    if (!range_add(&r)) {
        munmap(at, whole);
        return 0;
    }
    __atomic_add_fetch(&aliases, 1, __ATOMIC_RELEASE);
    return r.lo;
}

static void alias_drop(uint64_t device)
{
    struct range r;

    if (!range_take(device, &r))
        return;
    __atomic_sub_fetch(&aliases, 1, __ATOMIC_RELEASE);
    munmap((void *)(uintptr_t)(device & -MEMORY_PAGE), r.mapped + device % MEMORY_PAGE);
}

void *memory_host(const void *address)
{
    uint64_t a = (uint64_t)(uintptr_t)address;
    struct range r;

    if (__atomic_load_n(&aliases, __ATOMIC_ACQUIRE) && range_find(a, &r))
        a = r.host + (a - r.lo);
    return (void *)(uintptr_t)a;
}

/* Locking ---------------------------------------------------------------------------------------------------------- */

static bool insert(struct locked *l)
{
    size_t at, more = capacity ? 2 * capacity : 32;

    if (count == capacity) {
        struct locked **t = realloc(table, more * sizeof(struct locked *));

        if (!t)
            return false;
        table = t;
        capacity = more;
    }
    at = above(l->host);
    memmove(table + at + 1, table + at, (count - at) * sizeof(struct locked *));
    table[at] = l;
    count++;
    if (l->bytes > longest)
        longest = l->bytes;
    ranges_host_changed(HOST_LOCKED, locked_list);
    return true;
}

/* Under the lock; the entry's memory is the caller's then. */
static struct locked *remove_at(size_t k)
{
    struct locked *l = table[k];

    memmove(table + k, table + k + 1, (count - k - 1) * sizeof(struct locked *));
    count--;
    ranges_host_changed(HOST_LOCKED, locked_list);
    return l;
}

static bool is_mapped(uint64_t host, uint64_t bytes)
{
    uint64_t lo = host & -MEMORY_PAGE;

    /* it writes nothing back, but fails when out of host memory */
    return msync((void *)(uintptr_t)lo, memory_pages(host + bytes - lo), MS_ASYNC) == 0;
}

hsa_status_t memory_lock(void *host, size_t bytes, struct pool *pool, bool alias, void **device)
{
    struct locked *l = malloc(sizeof *l), *same = NULL;
    struct range r;
    bool added = false;

    if (!l)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *l = (struct locked){.host = (uint64_t)(uintptr_t)host, .bytes = bytes, .holders = 1, .pool = pool};
    l->device = l->host;
    alias = alias && !range_find(l->host, &r); /* the runtime's memory is the agents' already */
    if (l->host + bytes < l->host || !is_mapped(l->host, bytes)) {
        free(l);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    pthread_mutex_lock(&lock);
    for (size_t k = above(l->host); k-- > 0 && table[k]->host == l->host && !same;)
        if (table[k]->bytes == bytes && (table[k]->device != l->host) == alias)
            same = table[k];
    if (same)
        same->holders++;
    else if (!alias || (l->device = alias_make(l)))
        added = insert(l);
    if (same || added)
        *device = (void *)(uintptr_t)(same ? same->device : l->device);
    pthread_mutex_unlock(&lock);
    if (!added && l->device && l->device != l->host)
        alias_drop(l->device);
    if (!added)
        free(l);
    return same || added ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t memory_unlock(void *host)
{
    uint64_t address = (uint64_t)(uintptr_t)host;
    struct locked *gone = NULL;
    size_t k;

    pthread_mutex_lock(&lock);
    k = above(address);
    if (k && table[k - 1]->host == address && --table[k - 1]->holders == 0)
        gone = remove_at(k - 1);
    pthread_mutex_unlock(&lock);
    if (gone && gone->device != gone->host)
        alias_drop(gone->device);
    free(gone);
    return HSA_STATUS_SUCCESS; /* also of what is not locked: the driver does not say */
}

/* Lookups ---------------------------------------------------------------------------------------------------------- */

bool locked_find(uint64_t host, struct locked *out)
{
    struct locked *l;

    pthread_mutex_lock(&lock);
    l = holder(host);
    if (l)
        *out = *l;
    pthread_mutex_unlock(&lock);
    return l != NULL;
}

bool locked_set_userdata(uint64_t host, void *userdata)
{
    struct locked *l;

    pthread_mutex_lock(&lock);
    l = holder(host);
    if (l)
        l->userdata = userdata;
    pthread_mutex_unlock(&lock);
    return l != NULL;
}

void locked_list(struct stretches *out)
{
    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < count; k++)
        stretches_add(out, table[k]->host, table[k]->host + table[k]->bytes, true);
    pthread_mutex_unlock(&lock);
}

void locked_forget(uint64_t lo, uint64_t hi)
{
    struct locked *gone;

    do {
        gone = NULL;
        pthread_mutex_lock(&lock);
        for (size_t k = above(hi - 1); k-- > 0 && !gone && (table[k]->host >= lo || lo - table[k]->host < longest);)
            if (table[k]->host + table[k]->bytes > lo)
                gone = remove_at(k);
        pthread_mutex_unlock(&lock);
        if (gone && gone->device != gone->host)
            alias_drop(gone->device);
        free(gone);
    } while (gone);
}

/* The interface ---------------------------------------------------------------------------------------------------- */

static hsa_status_t check(const void *host_ptr, size_t size, const hsa_agent_t *agents, int num_agent,
                          void *const *agent_ptr)
{
    if (!host_ptr || !size || !agent_ptr || num_agent < 0 || !agents != !num_agent)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (int k = 0; k < num_agent; k++)
        if (!agent_of(agents[k]))
            return HSA_STATUS_ERROR_INVALID_AGENT;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_lock(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent, void **agent_ptr)
{
    hsa_status_t status = check(host_ptr, size, agents, num_agent, agent_ptr);

    RT_OR_RETURN(r);
    return status == HSA_STATUS_SUCCESS ? memory_lock(host_ptr, size, &r->agent[0].pool[POOL_COARSE], false, agent_ptr)
                                        : status;
}

hsa_status_t hsa_amd_memory_lock_to_pool(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
                                         hsa_amd_memory_pool_t pool, uint32_t flags, void **agent_ptr)
{
    struct pool *p = pool_of(pool.handle);
    hsa_status_t status = check(host_ptr, size, agents, num_agent, agent_ptr);

    RT_READY_OR_RETURN();
    if (!p || p->agent->device)
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    if (flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return status == HSA_STATUS_SUCCESS ? memory_lock(host_ptr, size, p, p->kind != POOL_COARSE, agent_ptr) : status;
}

hsa_status_t hsa_amd_memory_unlock(void *host_ptr)
{
    RT_READY_OR_RETURN();
    return host_ptr ? memory_unlock(host_ptr) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_register(void *ptr, size_t size)
{
    void *device;

    RT_OR_RETURN(r);
    if (!ptr)
        return size ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_SUCCESS;
    if (!size)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return memory_lock(ptr, size, &r->agent[0].pool[POOL_COARSE], false, &device);
}

hsa_status_t hsa_memory_deregister(void *ptr, size_t size)
{
    (void)size;
    RT_READY_OR_RETURN();
    return ptr ? memory_unlock(ptr) : HSA_STATUS_SUCCESS;
}
