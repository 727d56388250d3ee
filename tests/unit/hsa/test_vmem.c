/* Reservations, handles and mappings; memory that other processes map. */
#include "tests/unit/hsa/code_fixture.h"

#include <sys/mman.h>

#include "sim/hsa/memory/memory.h"

#define MIB (UINT64_C(1) << 20)

static hsa_amd_memory_pool_t vram(void)
{
    return (hsa_amd_memory_pool_t){pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};
}

static int type_of(const void *p)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};

    assert_int_equal(hsa_amd_pointer_info(p, &info, NULL, NULL, NULL), 0);
    return (int)info.type;
}

static void test_reservations(void **state)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    void *va, *aligned;

    (void)state;
    assert_int_equal(hsa_amd_vmem_address_reserve(&va, MIB, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve_align(&aligned, 3 * MIB, 0, 2 * MIB, 1), 0);
    assert_int_equal((uintptr_t)aligned % (2 * MIB), 0);
    assert_int_equal(hsa_amd_pointer_info((uint8_t *)va + 5, &info, NULL, NULL, NULL), 0);
    assert_int_equal(info.type, ABI_POINTER_RESERVED_ADDR);
    assert_ptr_equal(info.agentBaseAddress, va);
    assert_int_equal(info.sizeInBytes, MIB);
    /* what HIP 7 does for managed memory */
    *(int *)aligned = 5;
    assert_int_equal(hsa_amd_vmem_address_free(aligned, MIB), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_address_free((uint8_t *)aligned + 4096, 3 * MIB),
                     HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_address_free(aligned, 3 * MIB), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, MIB), 0);
    assert_int_equal(type_of(va), HSA_EXT_POINTER_TYPE_UNKNOWN);
    assert_int_equal(hsa_amd_vmem_address_reserve(&va, 0, 0, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_address_reserve(&va, 5000, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 5000), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve_align(&va, 4096, 0, 3, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void test_mappings(void **state)
{
    hsa_amd_vmem_alloc_handle_t h, same, other;
    hsa_amd_memory_access_desc_t access = {3, gfx90a};
    hsa_amd_memory_pool_t pool;
    struct range r;
    int type, may = -1, fd;
    uint8_t *va;

    (void)state;
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), 0, 0, 0, &h), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), UINT64_C(65) << 30, 0, 0, &h),
                     HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), MIB, 1, 0, &h), 0);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(h, &pool, &type), 0);
    assert_int_equal(pool.handle, vram().handle);
    assert_int_equal(type, 1);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, 4 * MIB, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 4096, h, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_map(va + 3 * MIB + 4096, MIB, 0, h, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 0, (hsa_amd_vmem_alloc_handle_t){5}, 0),
                     HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 0, h, 0), 0);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 0, h, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_map(va + 2 * MIB, MIB, 0, h, 0), 0); /* the same memory twice */
    va[3] = 9;
    assert_int_equal(va[2 * MIB + 3], 9);

    /* kernels may touch it when an agent has been given access */
    assert_true(range_find((uintptr_t)va, &r) && r.hidden);
    assert_int_equal(hsa_amd_vmem_set_access(va, 3 * MIB, &access, 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_set_access(va, MIB, &access, 1), 0);
    assert_true(range_find((uintptr_t)va, &r) && !r.hidden && r.writable);
    assert_int_equal(hsa_amd_vmem_get_access(va, &may, gfx90a), 0);
    assert_int_equal(may, 3);
    assert_int_equal(hsa_amd_vmem_get_access(va, &may, gfx1201), 0);
    assert_int_equal(may, 0);
    access.permissions = 1;
    assert_int_equal(hsa_amd_vmem_set_access(va, MIB, &access, 1), 0);
    assert_true(range_find((uintptr_t)va, &r) && !r.hidden && !r.writable);
    assert_int_equal(type_of(va), ABI_POINTER_VMEM);
    assert_int_equal(type_of(va + MIB), ABI_POINTER_RESERVED_ADDR);

    /* names of the same memory */
    assert_int_equal(hsa_amd_vmem_retain_alloc_handle(&same, va + 100), 0);
    assert_int_equal(same.handle, h.handle);
    assert_int_equal(hsa_amd_vmem_export_shareable_handle(&fd, h, 0), 0);
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(fd, &other), 0);
    assert_int_equal(other.handle, h.handle);
    close(fd);
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(fd, &other), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (int k = 0; k < 3; k++)
        assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_int_equal(hsa_amd_vmem_handle_release(h), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(va[3], 9); /* what is mapped stays */

    assert_int_equal(hsa_amd_vmem_address_free(va, 4 * MIB), HSA_STATUS_ERROR_RESOURCE_FREE);
    assert_int_equal(hsa_amd_vmem_unmap(va, 4096), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_unmap(va, MIB), 0);
    assert_int_equal(hsa_amd_vmem_unmap(va + 2 * MIB, MIB), 0);
    assert_int_equal(type_of(va), ABI_POINTER_RESERVED_ADDR);
    assert_int_equal(hsa_amd_vmem_address_free(va, 4 * MIB), 0);
}

static uint64_t free_vram(void)
{
    uint64_t bytes = 0;

    assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)ABI_AGENT_MEMORY_AVAIL, &bytes), 0);
    return bytes;
}

/* Whether the host can. */
static bool can_read(const void *at)
{
    int fd[2];

    assert_int_equal(pipe(fd), 0);
    bool can = write(fd[1], at, 1) == 1;
    close(fd[0]);
    close(fd[1]);
    return can;
}

/* A launch that has begun may touch what was mapped then, until it ends. */
static void test_unmapped_while_launches_run(void **state)
{
    const uint64_t free_bytes = free_vram();
    hsa_amd_vmem_alloc_handle_t h;
    struct range_set *before;
    uint8_t *va;

    (void)state;
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), MIB, 0, 0, &h), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, MIB, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 0, h, 0), 0);
    va[5] = 7;
    before = range_set_hold();
    assert_int_equal(hsa_amd_vmem_unmap(va, MIB), 0);
    assert_int_equal(va[5], 7);
    range_set_release(before);
    assert_int_equal(hsa_amd_vmem_map(va, MIB, 0, h, 0), 0);
    assert_int_equal(va[5], 7); /* it is the same memory */
    assert_true(can_read(va));
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_int_equal(free_vram(), free_bytes - MIB);  /* it is there as long as it is mapped */
    assert_int_equal(hsa_amd_vmem_unmap(va, MIB), 0); /* when no launch runs, at once */
    assert_false(can_read(va));
    assert_int_equal(free_vram(), free_bytes);
    assert_int_equal(hsa_amd_vmem_address_free(va, MIB), 0);
}

/* What a process that has nothing but the handle does with it: adds 1 to each of 5000 bytes. */
static int other_process(const hsa_amd_ipc_memory_t *h, const char *program)
{
    char text[2 * sizeof *h + 1], command[600];

    for (size_t k = 0; k < sizeof *h; k++)
        snprintf(text + 2 * k, 3, "%02x", ((const uint8_t *)h)[k]);
    snprintf(command, sizeof command, "%s %s", program, text);
    return system(command);
}

static const char *self;

static void test_ipc(void **state)
{
    hsa_amd_ipc_memory_t h;
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    uint8_t *p, *q;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(vram(), 5000, 0, (void **)&p), 0);
    memset(p, 6, 4500); /* the contents come along, and the address stays */
    assert_int_equal(hsa_amd_ipc_memory_create(p + 1, 100, &h), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_create(&h, 100, &h), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_create(p, 5000, &h), 0);
    assert_int_equal(p[4499], 6);
    assert_int_equal(p[4500], 0);
    assert_int_equal(hsa_amd_ipc_memory_attach(&h, 5000, 1, &gfx90a, (void **)&q), 0);
    assert_ptr_not_equal(p, q);
    q[0] = 8;
    assert_int_equal(p[0], 8);
    assert_int_equal(hsa_amd_pointer_info(q + 4, &info, NULL, NULL, NULL), 0);
    assert_int_equal(info.type, HSA_EXT_POINTER_TYPE_IPC);
    assert_int_equal(info.sizeInBytes, 5000);
    assert_int_equal(other_process(&h, self), 0);
    assert_int_equal(p[0], 9);
    assert_int_equal(p[4999], 1);
    assert_int_equal(hsa_amd_ipc_memory_detach(p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_detach(q), 0);
    assert_int_equal(hsa_amd_ipc_memory_detach(q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const uint64_t more = UINT64_C(1) << 50; /* than there are addresses */
    hsa_amd_ipc_memory_t large = h;
    assert_int_equal(ftruncate((int)h.handle[2], (off_t)more), 0);
    memcpy(&large.handle[4], &more, sizeof more);
    q = p;
    assert_int_equal(hsa_amd_ipc_memory_attach(&large, 0, 0, NULL, (void **)&q), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_ptr_equal(q, p);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
    assert_int_equal(hsa_amd_ipc_memory_attach(&h, 5000, 1, &gfx90a, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    memset(&h, 0, sizeof h);
    assert_int_equal(hsa_amd_ipc_memory_attach(&h, 5000, 0, NULL, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void test_ipc_signal(void **state)
{
    hsa_signal_t plain, s, again;
    hsa_amd_ipc_signal_t h;

    (void)state;
    assert_int_equal(hsa_signal_create(1, 0, NULL, &plain), 0);
    assert_int_equal(hsa_amd_signal_create(4, 0, NULL, HSA_AMD_SIGNAL_IPC, &s), 0);
    assert_int_equal(hsa_amd_ipc_signal_create(plain, &h), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_signal_create(s, &h), 0);
    assert_int_equal(hsa_amd_ipc_signal_attach(&h, &again), 0);
    assert_int_not_equal(again.handle, s.handle);
    assert_int_equal(hsa_signal_load_scacquire(again), 4);
    hsa_signal_store_screlease(again, 3);
    assert_int_equal(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 3, UINT64_MAX, 0), 3);
    assert_int_equal(hsa_signal_destroy(s), 0);
    assert_int_equal(hsa_signal_load_scacquire(again), 3); /* the other one has it still */
    assert_int_equal(hsa_signal_destroy(again), 0);
    assert_int_equal(hsa_signal_destroy(plain), 0);
}

static int attach_and_add(const char *text)
{
    hsa_amd_ipc_memory_t h = {0};
    unsigned byte;
    uint8_t *p;

    for (size_t k = 0; k < sizeof h && sscanf(text + 2 * k, "%2x", &byte) == 1; k++)
        ((uint8_t *)&h)[k] = (uint8_t)byte;
    if (start_runtime(NULL) || hsa_amd_ipc_memory_attach(&h, 5000, 1, &gfx90a, (void **)&p))
        return 1;
    for (int k = 0; k < 5000; k++)
        p[k]++;
    return hsa_amd_ipc_memory_detach(p) || stop_runtime(NULL);
}

static void test_dmabuf(void **state)
{
    uint64_t offset = 0;
    size_t size = 0;
    uint8_t *p, *q;
    int fd;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(vram(), 3 * 4096, 0, (void **)&p), 0);
    p[8192] = 3;
    assert_int_equal(hsa_amd_portable_export_dmabuf(p + 4096, 8192, &fd, &offset), 0);
    assert_int_equal(offset, 4096);
    q = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    assert_true(q != MAP_FAILED);
    assert_int_equal(q[4096], 3);
    q[0] = 4;
    assert_int_equal(p[4096], 4);
    munmap(q, 8192);
    assert_int_equal(hsa_amd_interop_map_buffer(1, &gfx90a, fd, 0, &size, (void **)&q, NULL, NULL), 0);
    assert_int_equal(size, 3 * 4096);
    assert_int_equal(q[4096], 4);
    assert_int_equal(type_of(q), HSA_EXT_POINTER_TYPE_GRAPHICS);
    assert_int_equal(hsa_amd_ipc_memory_detach(q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_interop_unmap_buffer(q), 0);
    assert_int_equal(hsa_amd_portable_close_dmabuf(fd), 0);
    assert_int_equal(hsa_amd_portable_close_dmabuf(-1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_portable_export_dmabuf_v2(p, 4 * 4096, &fd, &offset, 0),
                     HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_portable_export_dmabuf_v2(p, 4096, &fd, &offset, 7), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

/* Mapped memory is exported from where it is mapped; reserved addresses without memory are not. */
static void test_dmabuf_of_a_mapping(void **state)
{
    hsa_amd_vmem_alloc_handle_t h;
    uint64_t offset = 77;
    uint8_t *va, *q;
    int fd = -1;

    (void)state;
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), MIB, 1, 0, &h), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, 4 * MIB, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_map(va + MIB, MIB, 0, h, 0), 0);
    assert_int_equal(hsa_amd_portable_export_dmabuf_v2(va, 4096, &fd, &offset, 0), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_portable_export_dmabuf_v2(va + MIB + 8192, 4096, &fd, &offset, 1), 0);
    assert_int_equal(offset, 8192);
    q = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    assert_true(q != MAP_FAILED);
    q[5] = 9;
    assert_int_equal(va[MIB + 8192 + 5], 9);
    munmap(q, 4096);
    assert_int_equal(hsa_amd_portable_close_dmabuf(fd), 0);
    assert_int_equal(hsa_amd_vmem_unmap(va + MIB, MIB), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 4 * MIB), 0);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
}

int main(int count, char **args)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reservations),
        cmocka_unit_test(test_mappings),
        cmocka_unit_test(test_unmapped_while_launches_run),
        cmocka_unit_test(test_ipc),
        cmocka_unit_test(test_ipc_signal),
        cmocka_unit_test(test_dmabuf),
        cmocka_unit_test(test_dmabuf_of_a_mapping),
    };

    self = args[0];
    return count > 1 ? attach_and_add(args[1]) : cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
