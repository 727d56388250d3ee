/* Allocations that other processes map: IPC handles, and descriptors that stand for the driver's dma-bufs.
 *
 * Memory of a pool is private until it is asked for. Then its pages move to a file in memory (memfd) that is mapped in
 * their place; an IPC handle names its descriptor in /proc, which processes of the same user can open.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/hsa/memory/memory.h"
#include "sim/hsa/memory/vmem.h"

#define HANDLE_MAGIC 0x474e4331u

/* In hsa_amd_ipc_memory_t. */
struct name {
    uint32_t magic, pid, fd, unused;
    uint64_t bytes, inode;
};
_Static_assert(sizeof(struct name) == sizeof(hsa_amd_ipc_memory_t), "the handle holds the name");

/* Sharing ---------------------------------------------------------------------------------------------------------- */

/* Pages that are all zero stay holes in the file. */
static void copy_pages(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    static const uint8_t zero[MEMORY_PAGE];

    for (uint64_t k = 0; k < bytes; k += MEMORY_PAGE)
        if (memcmp(from + k, zero, MEMORY_PAGE) != 0)
            memcpy(to + k, from + k, MEMORY_PAGE);
}

/* Puts the file at the allocation's addresses; false: it could not be done, and nothing has changed. */
static bool move_pages(int fd, const struct range *r)
{
    void *at = (void *)(uintptr_t)r->lo, *to;

    if (ftruncate(fd, (off_t)r->mapped) != 0)
        return false;
    to = mmap(NULL, r->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (to == MAP_FAILED)
        return false;
    copy_pages(to, at, r->mapped);
    if (mremap(to, r->mapped, r->mapped, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED)
        return true;
    munmap(to, r->mapped);
    return false;
}

static void set_object(struct range *r, void *ctx)
{
    r->object = 1 + (uint64_t) * (const int *)ctx;
}

int memory_share(uint64_t lo)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    struct range r;
    int fd = -1;

    pthread_mutex_lock(&one);
    if (range_find(lo, &r) && r.kind == RANGE_POOL && r.object) {
        fd = (int)r.object - 1;
    } else if (range_find(lo, &r) && r.kind == RANGE_POOL) {
        fd = memfd_create("gcnsim-pool", MFD_CLOEXEC);
        if (fd >= 0 && !move_pages(fd, &r)) {
            close(fd);
            fd = -1;
        }
        if (fd >= 0)
            range_update(lo, set_object, &fd);
    }
    pthread_mutex_unlock(&one);
    return fd;
}

/* IPC -------------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_ipc_memory_create(void *ptr, size_t len, hsa_amd_ipc_memory_t *handle)
{
    struct name name = {.magic = HANDLE_MAGIC, .pid = (uint32_t)getpid()};
    struct stat file;
    struct range r;
    int fd;

    RT_OR_RETURN(rt);
    (void)rt;
    if (!ptr || !len || !handle || !range_find((uint64_t)(uintptr_t)ptr, &r) || r.kind != RANGE_POOL ||
        r.lo != (uint64_t)(uintptr_t)ptr || len > r.mapped)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    fd = memory_share(r.lo);
    if (fd < 0 || fstat(fd, &file) != 0)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    name.fd = (uint32_t)fd;
    name.bytes = r.bytes;
    name.inode = file.st_ino;
    memcpy(handle, &name, sizeof name);
    return HSA_STATUS_SUCCESS;
}

/* A descriptor of another process, as one of this one; -1: there is none, or it is not to be had. */
static int take_descriptor(uint32_t pid, uint32_t fd)
{
    char path[64];
    int own, process;

    snprintf(path, sizeof path, "/proc/%u/fd/%u", pid, fd);
    own = open(path, O_RDWR | O_CLOEXEC);
    if (own >= 0 || access("/proc/self/fd", F_OK) == 0)
        return own;
    /* without /proc; who may trace the process may have its descriptors */
    process = (int)syscall(SYS_pidfd_open, pid, 0);
    own = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
    if (own < 0)
        rt_log("IPC handle: descriptor %u of process %u: %s, and /proc is not mounted", fd, pid, strerror(errno));
    if (process >= 0)
        close(process);
    return own;
}

/* The file of a handle; -1: its process has gone, or has freed the allocation. */
static int open_name(const struct name *name)
{
    struct stat file;
    int fd = take_descriptor(name->pid, name->fd);

    if (fd < 0 || (fstat(fd, &file) == 0 && file.st_ino == name->inode && (uint64_t)file.st_size >= name->bytes))
        return fd;
    close(fd);
    return -1;
}

/* Maps a file for the agents; its first r->bytes are theirs. The kind and the agents of *r are set. */
static hsa_status_t attach(struct runtime *rt, struct range *r, int fd)
{
    void *at = mmap(NULL, memory_pages(r->bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

    if (at == MAP_FAILED)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    r->mapped = memory_pages(r->bytes);
    r->owner = &rt->agent[rt->agents > 1];
    r->flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
    r->writable = true;
    r->lo = r->host = (uint64_t)(uintptr_t)at;
    locked_forget(r->lo, r->lo + r->mapped);
    svm_forget(r->lo, r->lo + r->mapped);
    if (range_add(r))
        return HSA_STATUS_SUCCESS;
    munmap(at, r->mapped);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static hsa_status_t detach(void *mapped_ptr, enum range_kind kind)
{
    uint64_t lo = (uint64_t)(uintptr_t)mapped_ptr;
    struct range r;

    if (!range_find(lo, &r) || r.kind != kind || r.lo != lo || !range_take(lo, &r))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    ranges_unmap(mapped_ptr, r.mapped);
    return HSA_STATUS_SUCCESS;
}

/* False: one of them is none. */
static bool set_agents(struct range *r, uint32_t n, const hsa_agent_t *agents)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct agent *a = agent_of(agents[k]);

        if (!a)
            return false;
        r->access |= 1u << a->index;
    }
    return true;
}

hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t *handle, size_t len, uint32_t num_agents,
                                       const hsa_agent_t *mapping_agents, void **mapped_ptr)
{
    struct range r = {.kind = RANGE_IPC};
    hsa_status_t status;
    struct name name;
    int fd;

    RT_OR_RETURN(rt);
    if (!handle || !mapped_ptr || (num_agents && !mapping_agents))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!set_agents(&r, num_agents, mapping_agents))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    memcpy(&name, handle, sizeof name);
    if (name.magic != HANDLE_MAGIC || !name.bytes || (len && len > memory_pages(name.bytes)))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    fd = open_name(&name);
    if (fd < 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    r.bytes = name.bytes;
    status = attach(rt, &r, fd);
    close(fd);
    if (status == HSA_STATUS_SUCCESS)
        *mapped_ptr = (void *)(uintptr_t)r.lo;
    return status;
}

hsa_status_t hsa_amd_ipc_memory_detach(void *mapped_ptr)
{
    RT_OR_RETURN(rt);
    (void)rt;
    return detach(mapped_ptr, RANGE_IPC);
}

/* dma-bufs --------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_portable_export_dmabuf_v2(const void *ptr, size_t size, int *dmabuf, uint64_t *offset,
                                               uint64_t flags)
{
    uint64_t lo = (uint64_t)(uintptr_t)ptr, from;
    struct range r;
    int fd;

    RT_OR_RETURN(rt);
    (void)rt;
    if (!ptr || !size || !dmabuf || !offset || flags > 1) /* 1: over PCIe, which is all the same here */
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!range_find(lo, &r) || (r.kind != RANGE_POOL && r.kind != RANGE_VMEM) || size > r.mapped - (lo - r.lo))
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (r.owner && !r.owner->device)
        return HSA_STATUS_ERROR_INVALID_AGENT; /* the driver exports memory of GPUs alone */
    from = lo - r.lo;
    fd = r.kind == RANGE_VMEM ? vmem_descriptor(lo, &from) : memory_share(r.lo);
    if (r.kind == RANGE_POOL && fd >= 0)
        fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *dmabuf = fd;
    *offset = from;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_portable_export_dmabuf(const void *ptr, size_t size, int *dmabuf, uint64_t *offset)
{
    return hsa_amd_portable_export_dmabuf_v2(ptr, size, dmabuf, offset, 0);
}

hsa_status_t hsa_amd_portable_close_dmabuf(int dmabuf)
{
    RT_OR_RETURN(rt);
    (void)rt;
    return close(dmabuf) == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* Buffers of graphics interfaces come as dma-bufs as well; of these there are none here, so no metadata. */
hsa_status_t hsa_amd_interop_map_buffer(uint32_t num_agents, hsa_agent_t *agents, int interop_handle, uint32_t flags,
                                        size_t *size, void **ptr, size_t *metadata_size, const void **metadata)
{
    struct range r = {.kind = RANGE_INTEROP};
    hsa_status_t status;
    struct stat file;

    RT_OR_RETURN(rt);
    if (!num_agents || !agents || !size || !ptr || flags)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!set_agents(&r, num_agents, agents))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (fstat(interop_handle, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size <= 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    r.bytes = (uint64_t)file.st_size;
    status = attach(rt, &r, interop_handle);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    *size = r.bytes;
    *ptr = (void *)(uintptr_t)r.lo;
    if (metadata_size)
        *metadata_size = 0;
    if (metadata)
        *metadata = NULL;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_interop_unmap_buffer(void *ptr)
{
    RT_OR_RETURN(rt);
    (void)rt;
    return detach(ptr, RANGE_INTEROP);
}
