/* Reservations of addresses, memory handles, and mappings of the one at the other.
 *
 * A handle is a file in memory (memfd), so that it can be mapped several times and given to other processes; a
 * reservation is a mapping without access, or with it when the program wants to use it as memory (NO_REGISTER). Memory
 * that is mapped is readable and writable for the host whatever access agents have been given, because the host does
 * the copies of all agents; kernels may touch it when an agent may.
 */
#define _GNU_SOURCE
#include "sim/hsa/memory/vmem.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/memory/memory.h"

#define NO_REGISTER 1 /* a flag of reservations: the program's own memory, which the driver does not know */

enum { CAN_READ = 1, CAN_WRITE = 2 };

struct object {
    struct object *next;
    int fd, type;
    uint64_t bytes;
    struct pool *pool;
    bool charged;  /* to the pool; not what another process has made */
    uint32_t refs; /* the program's */
    uint32_t maps;
};

struct mapping {
    struct mapping *next;
    uint64_t lo, bytes, offset;
    struct object *of;
    uint8_t may[EXEC_MAX_AGENTS + 1]; /* by agent: CAN_* */
};

struct reservation {
    struct reservation *next;
    uint64_t lo, bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lists and all in them */
static struct object *objects;
static struct mapping *mappings;
static struct reservation *reservations;

static uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

/* Reservations ----------------------------------------------------------------------------------------------------- */

/* The reservation that holds [lo, lo + bytes); under the lock. */
static struct reservation *reservation_of(uint64_t lo, uint64_t bytes)
{
    for (struct reservation *v = reservations; v; v = v->next)
        if (lo >= v->lo && lo - v->lo < v->bytes && bytes <= v->bytes - (lo - v->lo))
            return v;
    return NULL;
}

bool vmem_reservation(uint64_t address, void **base, size_t *bytes)
{
    struct reservation *v;

    pthread_mutex_lock(&lock);
    v = reservation_of(address, 1);
    if (v) {
        *base = (void *)(uintptr_t)v->lo;
        *bytes = v->bytes;
    }
    pthread_mutex_unlock(&lock);
    return v != NULL;
}

/* Addresses, aligned, at which nothing takes memory until it is touched; 0: there are none. */
static uint64_t reserve(uint64_t hint, uint64_t bytes, uint64_t alignment, int access)
{
    uint64_t more = alignment > MEMORY_PAGE ? alignment : 0, lo, at;
    void *p = mmap((void *)(uintptr_t)hint, bytes + more, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        return 0;
    at = address_of(p);
    lo = (at + more - (more != 0)) & -(more ? more : MEMORY_PAGE);
    if (lo > at)
        munmap(p, lo - at);
    if (at + more > lo)
        munmap((void *)(uintptr_t)(lo + bytes), at + more - lo);
    locked_forget(lo, lo + bytes);
    svm_forget(lo, lo + bytes);
    return lo;
}

hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                uint64_t flags)
{
    struct reservation *v;

    RT_READY_OR_RETURN();
    if (!va || !size || flags & ~(uint64_t)NO_REGISTER || (alignment & (alignment - 1)) || size > INT64_MAX ||
        alignment > INT64_MAX)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    size = memory_pages(size); /* HIP reserves what managed memory is asked for, to the byte */
    v = calloc(1, sizeof *v);
    if (!v)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    v->bytes = size;
    v->lo = reserve(address & -MEMORY_PAGE, size, alignment,
                    flags & NO_REGISTER ? PROT_READ | PROT_WRITE : PROT_NONE); /* HIP: managed memory */
    if (!v->lo) {
        free(v);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *va = (void *)(uintptr_t)v->lo;
    pthread_mutex_lock(&lock);
    v->next = reservations;
    reservations = v;
    pthread_mutex_unlock(&lock);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags)
{
    return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}

hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct reservation **at, *gone = NULL;

    RT_READY_OR_RETURN();
    size = memory_pages(size);
    pthread_mutex_lock(&lock);
    at = &reservations;
    while (*at && (*at)->lo != address_of(va))
        at = &(*at)->next;
    if (!*at)
        status = HSA_STATUS_ERROR_INVALID_ALLOCATION;
    else if ((*at)->bytes != size)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (struct mapping *m = mappings; m && status == HSA_STATUS_SUCCESS; m = m->next)
        if (m->lo - (*at)->lo < size)
            status = HSA_STATUS_ERROR_RESOURCE_FREE;
    if (status == HSA_STATUS_SUCCESS) {
        gone = *at;
        *at = gone->next;
    }
    pthread_mutex_unlock(&lock);
    if (gone) {
        svm_forget(gone->lo, gone->lo + size);
        locked_forget(gone->lo, gone->lo + size);
        ranges_unmap(va, size);
    }
    free(gone);
    return status;
}

/* Handles; under the lock ------------------------------------------------------------------------------------------ */

static struct object *object_of(uint64_t handle)
{
    struct object *o = objects;

    while (o && address_of(o) != handle)
        o = o->next;
    return o && o->refs ? o : NULL;
}

static void object_drop(struct object *o)
{
    struct object **at = &objects;

    if (o->refs || o->maps)
        return;
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    close(o->fd);
    if (o->charged)
        pool_discharge(o->pool, o->bytes);
    free(o);
}

/* Takes over the descriptor; null: out of host memory. */
static struct object *object_make(int fd, uint64_t bytes, struct pool *pool, int type, bool charged)
{
    struct object *o = malloc(sizeof *o);

    if (!o)
        return NULL;
    *o = (struct object){
        .next = objects, .fd = fd, .bytes = bytes, .pool = pool, .type = type, .charged = charged, .refs = 1};
    objects = o;
    return o;
}

hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, int type, uint64_t flags,
                                        hsa_amd_vmem_alloc_handle_t *handle)
{
    struct pool *p = pool_of(pool.handle);
    struct object *o = NULL;
    int fd;

    RT_READY_OR_RETURN();
    if (!p)
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    if (!handle || !size || size % MEMORY_PAGE || p->kind == POOL_GROUP || type < 0 || type > 1 || flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!pool_charge(p, size))
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    fd = memfd_create("gcnsim-vmem", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0) {
        pthread_mutex_lock(&lock);
        o = object_make(fd, size, p, type, true);
        if (o)
            handle->handle = address_of(o);
        pthread_mutex_unlock(&lock);
    }
    if (o)
        return HSA_STATUS_SUCCESS;
    if (fd >= 0)
        close(fd);
    pool_discharge(p, size);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle)
{
    struct object *o;

    RT_READY_OR_RETURN();
    pthread_mutex_lock(&lock);
    o = object_of(handle.handle);
    if (o) {
        o->refs--;
        object_drop(o);
    }
    pthread_mutex_unlock(&lock);
    return o ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t handle,
                                                           hsa_amd_memory_pool_t *pool, int *type)
{
    struct object *o;

    RT_READY_OR_RETURN();
    if (!pool || !type)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    o = object_of(handle.handle);
    if (o) {
        pool->handle = pool_handle(o->pool);
        *type = o->type;
    }
    pthread_mutex_unlock(&lock);
    return o ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_export_shareable_handle(int *dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags)
{
    struct object *o;
    int fd = -1;

    RT_READY_OR_RETURN();
    if (!dmabuf_fd || flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    o = object_of(handle.handle);
    if (o)
        fd = dup(o->fd);
    pthread_mutex_unlock(&lock);
    if (fd >= 0)
        *dmabuf_fd = fd;
    return !o ? HSA_STATUS_ERROR_INVALID_ALLOCATION : fd < 0 ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS;
}

/* The object of the same file; null: it is not ours. */
static struct object *object_of_file(const struct stat *file)
{
    struct stat own;

    for (struct object *o = objects; o; o = o->next)
        if (fstat(o->fd, &own) == 0 && own.st_ino == file->st_ino && own.st_dev == file->st_dev)
            return o;
    return NULL;
}

hsa_status_t hsa_amd_vmem_import_shareable_handle(int dmabuf_fd, hsa_amd_vmem_alloc_handle_t *handle)
{
    struct pool *pool;
    struct object *o;
    struct stat file;
    int fd;

    RT_OR_RETURN(r);
    if (!handle || fstat(dmabuf_fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size <= 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pool = &r->agent[r->agents > 1].pool[POOL_COARSE];
    pthread_mutex_lock(&lock);
    o = object_of_file(&file);
    if (o)
        o->refs++;
    else if ((fd = dup(dmabuf_fd)) >= 0 && !(o = object_make(fd, (uint64_t)file.st_size, pool, 0, false)))
        close(fd);
    if (o)
        handle->handle = address_of(o);
    pthread_mutex_unlock(&lock);
    return o ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* Mappings --------------------------------------------------------------------------------------------------------- */

/* The mapping that holds the address; under the lock. */
static struct mapping *mapping_of(uint64_t address)
{
    struct mapping *m = mappings;

    while (m && address - m->lo >= m->bytes)
        m = m->next;
    return m;
}

static bool overlaps(uint64_t lo, uint64_t bytes)
{
    for (struct mapping *m = mappings; m; m = m->next)
        if (m->lo < lo + bytes && lo < m->lo + m->bytes)
            return true;
    return false;
}

/* Puts nothing at the addresses, which stay reserved. */
static void cover(uint64_t lo, uint64_t bytes)
{
    (void)mmap((void *)(uintptr_t)lo, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Under the lock. */
static hsa_status_t map(uint64_t lo, uint64_t bytes, uint64_t offset, struct object *o)
{
    struct range r = {.lo = lo,
                      .host = lo,
                      .bytes = bytes,
                      .mapped = bytes,
                      .kind = RANGE_VMEM,
                      .owner = o->pool->agent,
                      .pool = o->pool,
                      .flags = pool_flags(o->pool),
                      .hidden = true,
                      .object = address_of(o)};
    struct mapping *m;

    if (!reservation_of(lo, bytes) || overlaps(lo, bytes) || offset > o->bytes || bytes > o->bytes - offset)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    m = malloc(sizeof *m);
    if (!m)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (mmap((void *)(uintptr_t)lo, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, o->fd,
             (off_t)offset) == MAP_FAILED ||
        !range_add(&r)) {
        cover(lo, bytes);
        free(m);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *m = (struct mapping){.next = mappings, .lo = lo, .bytes = bytes, .offset = offset, .of = o};
    mappings = m;
    o->maps++;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset, hsa_amd_vmem_alloc_handle_t handle,
                              uint64_t flags)
{
    hsa_status_t status;
    struct object *o;

    RT_READY_OR_RETURN();
    if (!va || !size || (address_of(va) | size | in_offset) % MEMORY_PAGE || flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    o = object_of(handle.handle);
    status = o ? map(address_of(va), size, in_offset, o) : HSA_STATUS_ERROR_INVALID_ALLOCATION;
    pthread_mutex_unlock(&lock);
    return status;
}

hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size)
{
    struct mapping **at, *gone;
    struct range taken;

    RT_READY_OR_RETURN();
    pthread_mutex_lock(&lock);
    at = &mappings;
    while (*at && ((*at)->lo != address_of(va) || (*at)->bytes != size))
        at = &(*at)->next;
    gone = *at;
    if (gone) {
        *at = gone->next;
        range_take(gone->lo, &taken);
        if (!ranges_are_in_use()) /* kernels that run may still touch what was there */
            cover(gone->lo, size);
        gone->of->maps--;
        object_drop(gone->of);
    }
    pthread_mutex_unlock(&lock);
    free(gone);
    return gone ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *handle, void *addr)
{
    struct mapping *m;

    RT_READY_OR_RETURN();
    if (!handle || !addr)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    m = mapping_of(address_of(addr));
    if (m) {
        m->of->refs++;
        handle->handle = address_of(m->of);
    }
    pthread_mutex_unlock(&lock);
    return m ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* Access ----------------------------------------------------------------------------------------------------------- */

static void show(struct range *r, void *ctx)
{
    const struct mapping *m = ctx;
    uint8_t all = 0;

    r->access = 0;
    for (unsigned k = 0; k <= EXEC_MAX_AGENTS; k++) {
        all |= k ? m->may[k] : 0; /* of GPUs */
        r->access |= (uint32_t)(m->may[k] != 0) << k;
    }
    r->hidden = !all;
    r->writable = all & CAN_WRITE;
}

/* Under the lock: all of [lo, hi) is mapped. */
static bool all_mapped(uint64_t lo, uint64_t hi)
{
    while (lo < hi) {
        const struct mapping *m = mapping_of(lo);

        if (!m)
            return false;
        lo = m->lo + m->bytes;
    }
    return true;
}

hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *desc, size_t count)
{
    uint64_t lo = address_of(va), hi = lo + size;
    bool mapped;

    RT_READY_OR_RETURN();
    if (!va || !size || hi < lo || !desc || !count)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t k = 0; k < count; k++) {
        if (!agent_of(desc[k].agent_handle))
            return HSA_STATUS_ERROR_INVALID_AGENT;
        if (desc[k].permissions & ~(CAN_READ | CAN_WRITE))
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    pthread_mutex_lock(&lock);
    mapped = all_mapped(lo, hi);
    for (struct mapping *m = mappings; mapped && m; m = m->next) {
        if (m->lo >= hi || m->lo + m->bytes <= lo)
            continue;
        for (size_t k = 0; k < count; k++)
            m->may[agent_of(desc[k].agent_handle)->index] = (uint8_t)desc[k].permissions;
        range_update(m->lo, show, m);
    }
    pthread_mutex_unlock(&lock);
    ranges_changed();
    return mapped ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_get_access(void *va, int *perms, hsa_agent_t agent)
{
    const struct agent *a = agent_of(agent);
    const struct mapping *m;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!va || !perms)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    m = mapping_of(address_of(va));
    if (m)
        *perms = m->may[a->index];
    pthread_mutex_unlock(&lock);
    return m ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

int vmem_descriptor(uint64_t address, uint64_t *offset)
{
    const struct mapping *m;
    int fd = -1;

    pthread_mutex_lock(&lock);
    m = mapping_of(address);
    if (m) {
        fd = dup(m->of->fd);
        *offset = address - m->lo + m->offset;
    }
    pthread_mutex_unlock(&lock);
    return fd;
}
