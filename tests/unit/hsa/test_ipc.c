/* Memory and signals that other processes map, and descriptors that stand for dma-bufs. */
#include "tests/unit/hsa/memory_fixture.h"

#include <sys/mman.h>

#define MIB (UINT64_C(1) << 20)

static hsa_amd_memory_pool_t vram(void)
{
    return (hsa_amd_memory_pool_t){pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};
}

static int type_of(const void *p)
{
    return (int)info_of(p).type;
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

/* ---- wrong requests: nothing changes ---- */

static void test_wrong_ipc(void **state)
{
    hsa_amd_ipc_memory_t h, wrong, untouched;
    hsa_agent_t agents[] = {gfx90a, {5}};
    void *at = &h;
    uint8_t *p;

    (void)state;
    memset(&untouched, 0xee, sizeof untouched);
    h = untouched;
    assert_int_equal(hsa_amd_memory_pool_allocate(vram(), 5000, 0, (void **)&p), 0);
    const struct {
        void *ptr;
        size_t bytes;
    } rows[] = {{NULL, 1}, {p, 0}, {p, 8193}, {p + 4096, 1}, {p - 1, 1}, {&h, 1}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if ((int)hsa_amd_ipc_memory_create(rows[k].ptr, rows[k].bytes, &h) != HSA_STATUS_ERROR_INVALID_ARGUMENT)
            fail_msg("row %zu", k);
        assert_memory_equal(&h, &untouched, sizeof h);
    }
    assert_int_equal(hsa_amd_ipc_memory_create(p, 1, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_create(p, 8192, &h), 0); /* the whole pages */
    assert_int_equal(hsa_amd_ipc_memory_create(p, 1, &wrong), 0);
    assert_memory_equal(&h, &wrong, sizeof h); /* it is shared once */
    for (unsigned word = 0; word < 8; word++) {
        if (word == 3) /* unused */
            continue;
        wrong = h;
        wrong.handle[word] ^= word == 4 ? 1u << 14 : 1u << 20; /* bytes: more than there are */
        if ((int)hsa_amd_ipc_memory_attach(&wrong, 0, 0, NULL, &at) != HSA_STATUS_ERROR_INVALID_ARGUMENT)
            fail_msg("word %u", word);
    }
    wrong = h;
    wrong.handle[4] = wrong.handle[5] = 0;
    assert_int_equal(hsa_amd_ipc_memory_attach(&wrong, 0, 0, NULL, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_attach(&h, 8193, 0, NULL, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_ipc_memory_attach(&h, 0, 2, agents, &at), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_ptr_equal(at, &h);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

/* A mapping of what another process shares: coarse-grained memory of the first GPU, for the agents that are named. */
static void test_attached(void **state)
{
    hsa_agent_t *agents, two[] = {gfx1201, gfx90a};
    hsa_amd_ipc_memory_t h;
    hsa_amd_pointer_info_t i = {.size = sizeof i};
    struct range r;
    uint8_t *p, *q;
    uint32_t n;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(vram(), 5000, 0, (void **)&p), 0);
    p[4999] = 5;
    assert_int_equal(hsa_amd_ipc_memory_create(p, 5000, &h), 0);
    assert_int_equal(hsa_amd_pointer_info(p, &i, NULL, NULL, NULL), 0);
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_HSA); /* and what is shared is an allocation as before */
    for (uint32_t given = 0; given <= 2; given++) {
        assert_int_equal(hsa_amd_ipc_memory_attach(&h, 0, given, given ? two : NULL, (void **)&q), 0);
        assert_int_equal(hsa_amd_pointer_info(q, &i, malloc, &n, &agents), 0);
        assert_int_equal(n, given == 0 ? 2 : 3); /* the CPU and the owner may, in any case */
        assert_int_equal(agents[0].handle, cpu.handle);
        assert_int_equal(agents[1].handle, gfx90a.handle);
        free(agents);
        assert_true(range_find((uintptr_t)q, &r));
        assert_int_equal(r.kind, RANGE_IPC);
        assert_true(r.lo == (uintptr_t)q && r.host == r.lo && r.bytes == 5000 && r.mapped == 8192);
        assert_true(r.writable && r.owner == agent_of(gfx90a) && !r.pool);
        assert_int_equal(r.flags, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
        assert_int_equal(q[4999], 5);
        assert_int_equal(hsa_amd_interop_unmap_buffer(q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_amd_ipc_memory_detach(q + 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_amd_memory_pool_free(q), HSA_STATUS_ERROR_INVALID_ALLOCATION);
        assert_int_equal(hsa_amd_ipc_memory_detach(q), 0);
        assert_false(range_find((uintptr_t)q, &r));
    }
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

static void test_wrong_dmabufs(void **state)
{
    uint64_t offset = 77;
    uint8_t *p, *host, *q;
    const void *metadata = &offset;
    size_t size = 77;
    int fd = 77, pipes[2];

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(vram(), 4096, 0, (void **)&p), 0);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(cpu, POOL_FINE), 4096, 0, (void **)&host), 0);
    const struct {
        void *ptr;
        size_t bytes;
        uint64_t flags;
        int status;
    } rows[] = {
        {NULL, 1, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},       {p, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {p, 1, 2, HSA_STATUS_ERROR_INVALID_ARGUMENT},          {p, 4097, 0, HSA_STATUS_ERROR_INVALID_ALLOCATION},
        {p + 4095, 2, 0, HSA_STATUS_ERROR_INVALID_ALLOCATION}, {&q, 1, 0, HSA_STATUS_ERROR_INVALID_ALLOCATION},
        {host, 1, 0, HSA_STATUS_ERROR_INVALID_AGENT}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_amd_portable_export_dmabuf_v2(rows[k].ptr, rows[k].bytes, &fd, &offset, rows[k].flags);
        if (status != rows[k].status)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        assert_true(fd == 77 && offset == 77);
    }
    assert_int_equal(hsa_amd_portable_export_dmabuf(p, 1, NULL, &offset), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_portable_export_dmabuf(p, 1, &fd, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_portable_export_dmabuf(p + 4095, 1, &fd, &offset), 0);
    assert_int_equal(offset, 4095);
#define MAP(N, AGENTS, FD, FLAGS, SIZE, OUT)                                                                           \
    hsa_amd_interop_map_buffer(N, AGENTS, FD, FLAGS, SIZE, OUT, &size, &metadata)
    q = p;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(MAP(0, &gfx90a, fd, 0, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, NULL, fd, 0, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, &gfx90a, fd, 1, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, &gfx90a, fd, 0, NULL, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, &gfx90a, fd, 0, &size, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, &(hsa_agent_t){5}, fd, 0, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(MAP(1, &gfx90a, -1, 0, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(MAP(1, &gfx90a, pipes[0], 0, &size, (void **)&q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_true(q == p && size == 77 && metadata == &offset);
    size_t bytes = 77;
    assert_int_equal(MAP(1, &gfx1201, fd, 0, &bytes, (void **)&q), 0);
    assert_int_equal(bytes, 4096);
    assert_int_equal(size, 0); /* there is no metadata */
    assert_null(metadata);
    assert_int_equal(hsa_amd_interop_unmap_buffer(q + 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_interop_unmap_buffer(q), 0);
    assert_int_equal(hsa_amd_interop_unmap_buffer(q), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    q = p;
    assert_int_equal(ftruncate(fd, (off_t)1 << 50), 0); /* more than there are addresses */
    assert_int_equal(MAP(1, &gfx1201, fd, 0, &bytes, (void **)&q), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_true(q == p && bytes == 4096);
    assert_int_equal(hsa_amd_portable_close_dmabuf(fd), 0);
    close(pipes[0]);
    close(pipes[1]);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
    assert_int_equal(hsa_amd_memory_pool_free(host), 0);
}

int main(int count, char **args)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ipc),           cmocka_unit_test(test_ipc_signal),
        cmocka_unit_test(test_dmabuf),        cmocka_unit_test(test_dmabuf_of_a_mapping),
        cmocka_unit_test(test_wrong_ipc),     cmocka_unit_test(test_attached),
        cmocka_unit_test(test_wrong_dmabufs),
    };

    self = args[0];
    return count > 1 ? attach_and_add(args[1]) : cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
