/* Pools, regions, allocations, and what is said of pointers. */
#include "tests/unit/hsa/memory_fixture.h"

#include <pthread.h>
#include <sys/mman.h>

#include "sim/hsa/memory/cells.h"

static uint64_t pool_u64(hsa_amd_memory_pool_t p, int attribute, size_t bytes)
{
    uint64_t v = 0;

    assert_int_equal(hsa_amd_memory_pool_get_info(p, attribute, &v), 0);
    assert_true(bytes == 8 || v >> 8 * bytes == 0); /* no more than it has was written */
    return v;
}

static void test_pool_info(void **state)
{
    hsa_amd_memory_pool_t vram = handle(gfx90a, POOL_COARSE), lds = handle(gfx90a, POOL_GROUP);
    uint64_t v;

    (void)state;
    assert_int_equal(pool_u64(vram, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, 4), HSA_AMD_SEGMENT_GLOBAL);
    assert_int_equal(pool_u64(lds, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, 4), HSA_AMD_SEGMENT_GROUP);
    assert_int_equal(pool_u64(handle(cpu, POOL_FINE), HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, 4), 2);
    assert_int_equal(pool_u64(handle(cpu, POOL_KERNARG), HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, 4), 3);
    assert_int_equal(pool_u64(handle(cpu, POOL_COARSE), HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, 4), 4);
    assert_int_equal(pool_u64(vram, HSA_AMD_MEMORY_POOL_INFO_SIZE, 8), UINT64_C(64) << 30);
    assert_int_equal(pool_u64(lds, HSA_AMD_MEMORY_POOL_INFO_SIZE, 8), 65536);
    assert_int_equal(pool_u64(lds, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, 1), 0);
    assert_int_equal(pool_u64(vram, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, 1), 1);
    assert_int_equal(pool_u64(vram, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, 8), 4096);
    assert_int_equal(pool_u64(vram, HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, 1), 0);
    assert_int_equal(pool_u64(handle(cpu, POOL_FINE), HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, 1), 1);
    assert_int_equal(pool_u64(vram, ABI_POOL_INFO_LOCATION, 4), 1);
    assert_int_equal(pool_u64(handle(cpu, POOL_FINE), ABI_POOL_INFO_LOCATION, 4), 0);
    assert_int_equal(pool_u64(vram, ABI_POOL_INFO_ALLOC_REC_GRANULE, 8), 2 << 20);
    assert_int_equal(hsa_amd_memory_pool_get_info(vram, 99, &v), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_get_info(vram, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_get_info((hsa_amd_memory_pool_t){3}, 0, &v),
                     HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
}

static uint32_t access_of(hsa_agent_t a, hsa_amd_memory_pool_t p)
{
    uint32_t v = 99;

    assert_int_equal(hsa_amd_agent_memory_pool_get_info(a, p, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &v), 0);
    return v;
}

static void test_links(void **state)
{
    hsa_amd_memory_pool_link_info_t link[2];
    uint32_t hops = 9;

    (void)state;
    assert_int_equal(access_of(gfx90a, handle(gfx90a, POOL_COARSE)), HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT);
    assert_int_equal(access_of(cpu, handle(cpu, POOL_FINE)), HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT);
    assert_int_equal(access_of(gfx90a, handle(cpu, POOL_FINE)), HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    /* a large BAR, and peers */
    assert_int_equal(access_of(cpu, handle(gfx90a, POOL_COARSE)), HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    assert_int_equal(access_of(gfx1201, handle(gfx90a, POOL_COARSE)), HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    assert_int_equal(access_of(gfx1201, handle(gfx90a, POOL_FINE)), HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
    assert_int_equal(access_of(cpu, handle(gfx90a, POOL_GROUP)), HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);

    assert_int_equal(sizeof *link, 28);
    memset(link, 0xee, sizeof link);
    assert_int_equal(hsa_amd_agent_memory_pool_get_info(gfx90a, handle(cpu, POOL_FINE),
                                                        HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &hops),
                     0);
    assert_int_equal(hops, 1);
    assert_int_equal(hsa_amd_agent_memory_pool_get_info(gfx90a, handle(cpu, POOL_FINE),
                                                        HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO, link),
                     0);
    assert_true(link[0].atomic_support_32bit && link[0].atomic_support_64bit && link[0].coherent_support);
    assert_int_equal(link[0].link_type, HSA_AMD_LINK_INFO_TYPE_PCIE);
    assert_int_equal(*(uint8_t *)&link[1], 0xee);
    assert_int_equal(hsa_amd_agent_memory_pool_get_info(gfx90a, handle(gfx90a, POOL_COARSE),
                                                        HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &hops),
                     0);
    assert_int_equal(hops, 0);
    assert_int_equal(hsa_amd_agent_memory_pool_get_info((hsa_agent_t){1}, handle(cpu, POOL_FINE), 0, &hops),
                     HSA_STATUS_ERROR_INVALID_AGENT);
}

struct seen {
    hsa_region_t at[16];
    unsigned n, stop;
};

static hsa_status_t see(hsa_region_t region, void *data)
{
    struct seen *s = data;

    s->at[s->n++] = region;
    return s->n == s->stop ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

/* As a program of HSA 1.0 does: it asks the GPU for a region of kernel arguments. */
static void test_regions(void **state)
{
    struct seen s = {0}, one = {.stop = 1};
    unsigned kernarg = 0;
    uint32_t *p;

    (void)state;
    assert_int_equal(hsa_agent_iterate_regions(gfx90a, see, &s), 0);
    assert_int_equal(s.n, 6);
    assert_int_equal(hsa_agent_iterate_regions(cpu, see, &one), HSA_STATUS_INFO_BREAK);
    assert_int_equal(one.n, 1);
    for (unsigned k = 0; k < s.n; k++) {
        uint32_t segment, flags;

        assert_int_equal(hsa_region_get_info(s.at[k], HSA_REGION_INFO_SEGMENT, &segment), 0);
        assert_int_equal(hsa_region_get_info(s.at[k], HSA_REGION_INFO_GLOBAL_FLAGS, &flags), 0);
        if (segment == HSA_REGION_SEGMENT_GROUP)
            assert_int_equal(hsa_memory_allocate(s.at[k], 64, (void **)&p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
        if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
            continue;
        kernarg++;
        assert_int_equal(hsa_memory_allocate(s.at[k], 0, (void **)&p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_memory_allocate(s.at[k], 64, (void **)&p), 0);
        *p = 5;
        assert_int_equal(hsa_memory_assign_agent(p, gfx90a, HSA_ACCESS_PERMISSION_RW), 0);
        assert_int_equal(hsa_memory_free(p), 0);
    }
    assert_int_equal(kernarg, 1);
    assert_int_equal(hsa_memory_allocate((hsa_region_t){7}, 64, (void **)&p), HSA_STATUS_ERROR_INVALID_REGION);
    assert_int_equal(hsa_memory_free(NULL), 0);
}

static uint64_t available(void)
{
    uint64_t v = 0;

    assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)ABI_AGENT_MEMORY_AVAIL, &v), 0);
    return v;
}

static void test_allocations(void **state)
{
    uint64_t before = available();
    uint8_t *a, *b;
    void *p;

    (void)state;
    /* 32 GiB, of which one byte is touched; what is left is for both pools of the card */
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), UINT64_C(32) << 30, 0, (void **)&a), 0);
    assert_int_equal(a[UINT64_C(31) << 30], 0);
    a[5] = 1;
    assert_int_equal(available(), before - (UINT64_C(32) << 30));
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_FINE), (UINT64_C(32) << 30) + 1, 0, &p),
                     HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), UINT64_MAX, 0, &p),
                     HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 0, 0, &p),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 1, 0, NULL),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_GROUP), 64, 0, &p),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_FINE), 1, 0, (void **)&b), 0);
    assert_int_equal((uintptr_t)b % 4096, 0);
    assert_int_equal(hsa_amd_memory_pool_free(a + 4096), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_pool_free(a), 0);
    assert_int_equal(hsa_amd_memory_pool_free(a), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_pool_free(b), 0);
    assert_int_equal(hsa_amd_memory_pool_free(NULL), 0);
    assert_int_equal(available(), before);
}

static void *ended_at;

static void ended(void *ptr, void *data)
{
    /* the contents are there still, but no allocation; and no lock is held */
    assert_int_equal(*(uint8_t *)ptr, 0);
    assert_int_equal(hsa_amd_memory_pool_free((uint8_t *)ptr - 8), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    ended_at = ptr;
    ++*(int *)data;
}

static void test_deallocation(void **state)
{
    int once = 0, gone = 0;
    uint8_t *p;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 100, 0, (void **)&p), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(p, ended, &once), 0);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(p, ended), 0);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(p, ended), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_register_deallocation_callback(p + 8, ended, &gone), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(p, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_register_deallocation_callback(&once, ended, NULL), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
    assert_int_equal(gone, 1);
    assert_ptr_equal(ended_at, p + 8);
    assert_int_equal(once, 0);
}

static void test_pointer_info(void **state)
{
    struct {
        hsa_amd_pointer_info_t info;
        uint8_t behind[64];
    } small;
    hsa_agent_t *agents = NULL;
    hsa_amd_pointer_info_t i;
    hsa_queue_t *q;
    uint32_t n = 0;
    uint8_t *p;

    (void)state;
    assert_int_equal(info_of(&n).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
    /* the runtime's own memory is none of the program's */
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q), 0);
    assert_int_equal(info_of(q->base_address).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 100, 0, (void **)&p), 0);
    assert_int_equal(hsa_amd_pointer_info_set_userdata(p + 3, &n), 0);
    assert_int_equal(hsa_amd_pointer_info_set_userdata(&n, &n), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    i = info_of(p + 99);
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_HSA);
    assert_ptr_equal(i.agentBaseAddress, p);
    assert_ptr_equal(i.hostBaseAddress, p);
    assert_int_equal(i.sizeInBytes, 100);
    assert_ptr_equal(i.userData, &n);
    assert_int_equal(i.agentOwner.handle, gfx90a.handle);
    assert_int_equal(i.global_flags, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);

    /* a caller with an older structure gets no more than that */
    memset(&small, 0xee, sizeof small);
    small.info.size = 32;
    assert_int_equal(hsa_amd_pointer_info(p, &small.info, NULL, NULL, NULL), 0);
    assert_int_equal(small.info.size, 32);
    assert_int_equal(small.info.sizeInBytes, 100);
    for (const uint8_t *b = (uint8_t *)&small + 32; b < small.behind + 64; b++)
        assert_int_equal(*b, 0xee);
    /* and one with a newer learns how much there is */
    small.info.size = sizeof small;
    assert_int_equal(hsa_amd_pointer_info(p, &small.info, NULL, NULL, NULL), 0);
    assert_int_equal(small.info.size, 56);
    assert_int_equal(small.behind[0], 0xee);
    small.info.size = 4;
    assert_int_equal(hsa_amd_pointer_info(p, &small.info, NULL, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);

    small.info.size = 56;
    assert_int_equal(hsa_amd_agents_allow_access(1, &gfx1201, NULL, p), 0);
    assert_int_equal(hsa_amd_pointer_info(p, &small.info, malloc, &n, &agents), 0);
    assert_int_equal(n, 3);
    assert_int_equal(agents[2].handle, gfx1201.handle);
    free(agents);
    assert_int_equal(hsa_amd_agents_allow_access(1, &gfx1201, NULL, &n), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_agents_allow_access(1, &gfx1201, &n, p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_agents_allow_access(0, &gfx1201, NULL, p), HSA_STATUS_ERROR_INVALID_ARGUMENT);

    assert_int_equal(hsa_amd_memory_fill(p, 0x01020304, 25), 0);
    assert_int_equal(p[99], 1);
    assert_int_equal(p[100], 0);
    assert_int_equal(hsa_amd_memory_fill(p, 1, 1025), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_fill(p + 1, 1, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_fill(&n, 1, 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_true(logged("hsa_amd_memory_fill"));
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

static hsa_status_t svm_set(void *p, size_t bytes, uint64_t attribute, uint64_t value)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, value};

    return hsa_amd_svm_attributes_set(p, bytes, &pair, 1);
}

/* Threads that allocate, lock and look while sets are made and held. */
static void *busy(void *arg)
{
    static uint8_t shared[65536];
    unsigned seed = *(unsigned *)arg;

    for (unsigned k = 0; k < 300; k++) {
        unsigned at = (seed * 37 + k * 101) % 60000;
        struct range_set *s;
        void *p, *d, *c, *shown;

        assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 1 + at, 0, &p), 0);
        assert_int_equal(hsa_amd_memory_lock_to_pool(shared + at, 1 + k, NULL, 0,
                                                     handle(cpu, k % 2 ? POOL_FINE : POOL_COARSE), 0, &d),
                         0);
        s = range_set_hold();
        assert_non_null(s);
        c = cell_new(CELL_SIGNAL);
        shown = *(void **)c;
        assert_ptr_equal(info_of(p).agentBaseAddress, p);
        svm_set(shared + at, 4096, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle);
        memory_host(d);
        assert_ptr_equal(cell_find(CELL_SIGNAL, (uint64_t)(uintptr_t)shown), c);
        assert_true(cell_free(CELL_SIGNAL, (uint64_t)(uintptr_t)shown));
        assert_int_equal(hsa_amd_memory_unlock(shared + at), 0);
        assert_int_equal(hsa_amd_memory_pool_free(p), 0);
        range_set_release(s);
    }
    svm_forget((uintptr_t)shared & -(uintptr_t)4096, (uintptr_t)shared + 2 * 65536);
    return NULL;
}

static void test_threads(void **state)
{
    unsigned seed[4] = {1, 2, 3, 4};
    pthread_t t[4];

    (void)state;
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&t[k], NULL, busy, &seed[k]), 0);
    for (unsigned k = 0; k < 4; k++)
        pthread_join(t[k], NULL);
}

static void test_coherency_and_migration(void **state)
{
    hsa_amd_coherency_type_t type = 9;
    bool can = true;

    (void)state;
    assert_int_equal(hsa_amd_coherency_get_type(gfx90a, &type), 0);
    assert_int_equal(type, HSA_AMD_COHERENCY_TYPE_COHERENT);
    assert_int_equal(hsa_amd_coherency_set_type(gfx90a, HSA_AMD_COHERENCY_TYPE_NONCOHERENT), 0);
    assert_int_equal(hsa_amd_coherency_get_type(gfx90a, &type), 0);
    assert_int_equal(type, HSA_AMD_COHERENCY_TYPE_NONCOHERENT);
    assert_int_equal(hsa_amd_coherency_set_type(gfx90a, 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_coherency_set_type(cpu, 0), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_memory_pool_can_migrate(handle(gfx90a, 0), handle(cpu, 0), &can), 0);
    assert_false(can);
    assert_int_equal(hsa_amd_memory_migrate(&can, handle(cpu, 0), 0), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

/* Whether the host has a page there. */
static bool is_mapped(const void *at)
{
    return msync((void *)((uintptr_t)at & -(uintptr_t)4096), 4096, MS_ASYNC) == 0;
}

/* What a launch may touch stays until it has ended, and is no part of what later launches may touch. */
static void test_freed_while_launches_run(void **state)
{
    struct range_set *first, *second, *third;
    uint8_t *early, *late;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 8192, 0, (void **)&early), 0);
    first = range_set_hold();
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 8192, 0, (void **)&late), 0);
    second = range_set_hold();
    early[4096] = 7;
    assert_int_equal(hsa_amd_memory_pool_free(early), 0);
    third = range_set_hold();
    assert_non_null(range_set_find(second, (uintptr_t)early, 8192));
    assert_null(range_set_find(third, (uintptr_t)early, 1));
    assert_int_equal(hsa_amd_memory_pool_free(early), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_true(is_mapped(early));
    range_set_release(first);
    assert_true(is_mapped(early));
    assert_int_equal(early[4096], 7);
    assert_int_equal(hsa_amd_memory_pool_free(late), 0);
    range_set_release(second);
    assert_false(is_mapped(early));
    assert_true(is_mapped(late)); /* the third has it */
    range_set_release(third);
    assert_false(is_mapped(late));
    /* with no launch, at once */
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_COARSE), 8192, 0, (void **)&early), 0);
    assert_int_equal(hsa_amd_memory_pool_free(early), 0);
    assert_false(is_mapped(early));
}

/* Each attribute of each kind of memory, which regions of HSA 1.0 show, too; what has 4 bytes is followed by 7s. */
static void test_all_pool_info(void **state)
{
    enum { CPU = 1, GPU = 2, LDS = 4 };
    const hsa_amd_memory_pool_t of[] = {handle(cpu, POOL_FINE), handle(gfx90a, POOL_COARSE),
                                        handle(gfx90a, POOL_GROUP)};
    const uint64_t host = pool(cpu, POOL_FINE)->bytes, vram = UINT64_C(64) << 30;
    const struct {
        int attribute;
        bool is_pool, is_region;
        unsigned bytes;
        uint64_t value[3];
    } rows[] = {
        {HSA_AMD_MEMORY_POOL_INFO_SEGMENT, true, true, 4, {0, 0, HSA_AMD_SEGMENT_GROUP}},
        {HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, true, true, 4, {2, 4, 0}},
        {HSA_AMD_MEMORY_POOL_INFO_SIZE, true, true, 8, {host, vram, 65536}},
        {HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, true, true, 1, {1, 1, 0}},
        {HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, true, true, 8, {4096, 4096, 0}},
        {HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT, true, true, 8, {4096, 4096, 0}},
        {HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, true, false, 1, {1, 0, 0}},
        {HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE, true, false, 8, {host, vram, 0}},
        {ABI_POOL_INFO_LOCATION, true, false, 4, {0, 1, 1}},
        {ABI_POOL_INFO_ALLOC_REC_GRANULE, true, false, 8, {4096, 2 << 20, 0}},
        {HSA_REGION_INFO_ALLOC_MAX_SIZE, false, true, 8, {host, vram, 0}},
        {HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE, false, true, 4, {0, 0, 65536}},
        {HSA_AMD_REGION_INFO_HOST_ACCESSIBLE, false, true, 1, {1, 1, 0}},
        {HSA_AMD_REGION_INFO_BASE, false, true, 8, {0, 0, 0}},
        {HSA_AMD_REGION_INFO_BUS_WIDTH, false, true, 4, {0, 4096, 4096}},
        {HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY, false, true, 4, {0, 1600, 1600}},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (unsigned n = 0; n < 3; n++) {
            uint64_t rest = UINT64_C(0x0707070707070707) & (rows[k].bytes < 8 ? UINT64_MAX << 8 * rows[k].bytes : 0);
            uint64_t want = rows[k].value[n] | rest, is = UINT64_C(0x0707070707070707), region = is;

            if (rows[k].is_pool && (hsa_amd_memory_pool_get_info(of[n], rows[k].attribute, &is) || is != want))
                fail_msg("pool %u, attribute %d: 0x%llx", n, rows[k].attribute, (unsigned long long)is);
            if (rows[k].is_region &&
                (hsa_region_get_info((hsa_region_t){of[n].handle}, rows[k].attribute, &region) || region != want))
                fail_msg("region %u, attribute %d: 0x%llx", n, rows[k].attribute, (unsigned long long)region);
        }
    uint64_t v;
    assert_int_equal(hsa_region_get_info((hsa_region_t){3}, HSA_REGION_INFO_SIZE, &v), HSA_STATUS_ERROR_INVALID_REGION);
    assert_int_equal(hsa_region_get_info((hsa_region_t){of[0].handle}, HSA_REGION_INFO_SIZE, NULL),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_region_get_info((hsa_region_t){of[0].handle}, 99, &v), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

struct pools_seen {
    uint64_t at[8];
    unsigned n, stop;
};

static hsa_status_t see_pool(hsa_amd_memory_pool_t p, void *data)
{
    struct pools_seen *s = data;

    s->at[s->n++] = p.handle;
    return s->n == s->stop ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

static hsa_status_t see_region(hsa_region_t r, void *data)
{
    return see_pool((hsa_amd_memory_pool_t){r.handle}, data);
}

/* Pools and regions in their order, until the program has seen enough. */
static void test_iterations(void **state)
{
    const uint64_t gpu[] = {handle(gfx90a, POOL_FINE).handle, handle(gfx90a, POOL_COARSE).handle,
                            handle(gfx90a, POOL_GROUP).handle};
    const uint64_t host[] = {handle(cpu, POOL_FINE).handle, handle(cpu, POOL_KERNARG).handle,
                             handle(cpu, POOL_COARSE).handle};
    struct pools_seen s;

    (void)state;
    for (unsigned stop = 0; stop <= 3; stop++) {
        int ends = stop ? (int)HSA_STATUS_INFO_BREAK : 0;

        s = (struct pools_seen){.stop = stop};
        assert_int_equal(hsa_amd_agent_iterate_memory_pools(gfx90a, see_pool, &s), ends);
        assert_int_equal(s.n, stop ? stop : 3);
        assert_memory_equal(s.at, gpu, s.n * sizeof *gpu);
        s = (struct pools_seen){.stop = stop};
        assert_int_equal(hsa_agent_iterate_regions(cpu, see_region, &s), ends);
        assert_int_equal(s.n, stop ? stop : 3);
        assert_memory_equal(s.at, host, s.n * sizeof *host);
        s = (struct pools_seen){.stop = stop ? stop + 3 : 0};
        assert_int_equal(hsa_agent_iterate_regions(gfx90a, see_region, &s), ends);
        assert_int_equal(s.n, stop ? stop + 3 : 6);
        assert_memory_equal(s.at, gpu, sizeof gpu);
        assert_memory_equal(s.at + 3, host, (s.n - 3) * sizeof *host);
    }
    assert_int_equal(hsa_amd_agent_iterate_memory_pools((hsa_agent_t){5}, see_pool, &s),
                     HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_agent_iterate_memory_pools(cpu, NULL, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_agent_iterate_regions((hsa_agent_t){5}, see_region, &s), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_agent_iterate_regions(cpu, NULL, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* The account of a card: charged by whole pages, to the last one, and by both of its pools. */
static void test_account(void **state)
{
    struct pool *coarse = pool(gfx90a, POOL_COARSE), *fine = pool(gfx90a, POOL_FINE);
    const uint64_t left = available();
    struct range r;
    void *p = &r, *q;

    (void)state;
    assert_true(pool_charge(fine, left - 4096));
    assert_int_equal(available(), 4096);
    assert_int_equal(memory_allocate(coarse, 4097, &p), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_ptr_equal(p, &r);
    assert_int_equal(memory_allocate(coarse, 1, &p), 0);
    assert_int_equal(available(), 0);
    assert_int_equal(memory_allocate(fine, 1, &q), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_true(pool_charge(coarse, 0));
    assert_false(pool_charge(coarse, 1));
    assert_true(range_find((uintptr_t)p, &r));
    assert_true(r.lo == (uintptr_t)p && r.host == r.lo && r.bytes == 1 && r.mapped == 4096);
    assert_true(r.kind == RANGE_POOL && r.owner == agent_of(gfx90a) && r.pool == coarse && r.writable && !r.hidden);
    assert_int_equal(r.flags, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
    assert_int_equal(memory_free((uint8_t *)p + 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(available(), 0);
    assert_int_equal(memory_free(p), 0);
    assert_int_equal(available(), 4096);
    pool_discharge(coarse, left - 4096);
    assert_int_equal(available(), left);
    assert_int_equal(hsa_amd_memory_pool_allocate((hsa_amd_memory_pool_t){5}, 1, 0, &p),
                     HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    assert_int_equal(memory_allocate(coarse, coarse->bytes + 1, &p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(memory_allocate(coarse, coarse->bytes, &p), 0); /* all there is, when nothing else is taken */
    assert_int_equal(available(), 0);
    assert_int_equal(memory_free(p), 0);
}

/* The runtime's own pages are zero, aligned as asked, with nothing of the program's beside them. */
static void test_system_memory(void **state)
{
    struct range r;

    (void)state;
    assert_null(memory_system(0, 1));
    memory_system_free(NULL);
    for (size_t align = 1; align <= 1 << 21; align *= 2)
        for (size_t bytes = 1; bytes <= 3 * 4096; bytes += 4095) {
            uint8_t *p = memory_system(bytes, align);

            assert_non_null(p);
            assert_int_equal((uintptr_t)p % (align < 4096 ? 4096 : align), 0);
            assert_true(range_find((uintptr_t)p, &r));
            assert_true(r.lo == (uintptr_t)p && r.host == r.lo && r.bytes == bytes);
            assert_int_equal(r.mapped, (bytes + 4095) / 4096 * 4096);
            assert_true(r.kind == RANGE_SYSTEM && r.writable && !r.owner && !r.pool);
            assert_int_equal(p[0] | p[r.mapped - 1], 0);
            p[0] = p[r.mapped - 1] = 1;
            memory_system_free(p);
            assert_false(range_find((uintptr_t)p, &r));
        }
}

struct call {
    void *ptr;
    int data;
} calls[8];
static unsigned call_count;

static void note_call(void *ptr, void *data)
{
    calls[call_count++] = (struct call){ptr, *(int *)data};
}

static void note_other_call(void *ptr, void *data)
{
    note_call(ptr, data);
}

/* All that were registered in an allocation are called, the last one first, each with its address and data; not those
 * of others, and none that was taken back. */
static void test_several_deallocation_callbacks(void **state)
{
    static int numbers[] = {0, 1, 2, 3, 4, 5};
    uint8_t *a, *b;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(cpu, POOL_FINE), 100, 0, (void **)&a), 0);
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_FINE), 100, 0, (void **)&b), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(a, note_call, &numbers[0]), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(b, note_call, &numbers[1]), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(a + 99, note_other_call, &numbers[2]), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(a, note_other_call, &numbers[3]), 0);
    assert_int_equal(hsa_amd_register_deallocation_callback(b + 5, note_call, &numbers[4]), 0);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(a + 99, note_call), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(a + 1, note_call), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(NULL, note_call), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(a, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_register_deallocation_callback(NULL, note_call, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_deregister_deallocation_callback(a, note_call), 0);
    assert_int_equal(hsa_amd_memory_pool_free(a), 0);
    assert_int_equal(call_count, 2);
    assert_true(calls[0].ptr == a && calls[0].data == 3);
    assert_true(calls[1].ptr == a + 99 && calls[1].data == 2);
    assert_int_equal(hsa_amd_memory_pool_free(b), 0);
    assert_int_equal(call_count, 4);
    assert_true(calls[2].ptr == b + 5 && calls[2].data == 4);
    assert_true(calls[3].ptr == b && calls[3].data == 1);
}

static void *no_room(size_t bytes)
{
    (void)bytes;
    return NULL;
}

/* Wrong requests about pointers, and what each kind of memory says of itself. */
static void test_pointers(void **state)
{
    hsa_amd_pointer_info_t i = {.size = sizeof i};
    hsa_agent_t *agents = (hsa_agent_t *)&i, two[] = {gfx90a, {5}};
    static uint32_t words[4];
    uint8_t *p, seven[56];
    uint32_t n = 77;
    void *d;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(cpu, POOL_KERNARG), 100, 0, (void **)&p), 0);
    assert_int_equal(hsa_amd_pointer_info(p, NULL, NULL, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_pointer_info(p, &i, NULL, &n, &agents), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_pointer_info(p, &i, malloc, NULL, &agents), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_true(n == 77 && agents == (hsa_agent_t *)&i);
    assert_int_equal(hsa_amd_pointer_info(p, &i, no_room, &n, &agents), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(hsa_amd_pointer_info(p, &i, malloc, &n, &agents), 0);
    assert_int_equal(n, 1); /* the host's memory is the host's alone until it is shared */
    assert_int_equal(agents[0].handle, cpu.handle);
    free(agents);
    assert_int_equal(i.global_flags, 3);
    assert_int_equal(hsa_amd_pointer_info(words, &i, malloc, &n, &agents), 0);
    assert_int_equal(n, 0);
    assert_null(agents);
    assert_null(i.agentBaseAddress);
    assert_null(i.hostBaseAddress);
    assert_int_equal(i.sizeInBytes, 0);
    assert_int_equal(hsa_amd_memory_lock(words, sizeof words, NULL, 0, &d), 0);
    assert_int_equal(hsa_amd_pointer_info(words, &i, malloc, &n, &agents), 0);
    assert_int_equal(n, 3); /* what is locked is everybody's */
    free(agents);
    assert_int_equal(hsa_amd_agents_allow_access(1, &gfx90a, NULL, words), 0);
    assert_int_equal(hsa_amd_memory_fill(words + 1, 9, 3), 0);
    assert_int_equal(hsa_amd_memory_fill(words + 1, 9, 4), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_memory_fill(words, 8, 0), 0);
    assert_true(words[0] == 0 && words[1] == 9 && words[3] == 9);
    assert_int_equal(hsa_amd_memory_fill(NULL, 8, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_fill(words, 8, SIZE_MAX / 4 + 2), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    memset(seven, 7, sizeof seven);
    ((hsa_amd_pointer_info_t *)(void *)seven)->size = 56;
    assert_int_equal(hsa_amd_pointer_info(words, (hsa_amd_pointer_info_t *)(void *)seven, NULL, NULL, NULL), 0);
    assert_int_equal(seven[52], 1); /* that somebody has registered it, which newer interfaces have */
    assert_int_equal(hsa_amd_memory_unlock(words), 0);
    assert_int_equal(hsa_amd_pointer_info(words, (hsa_amd_pointer_info_t *)(void *)seven, NULL, NULL, NULL), 0);
    assert_int_equal(seven[52], 0);
    i.size = 7; /* less than the type has */
    assert_int_equal(hsa_amd_pointer_info(p, &i, NULL, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    i.size = 8;
    i.agentBaseAddress = &n;
    assert_int_equal(hsa_amd_pointer_info(p, &i, NULL, NULL, NULL), 0);
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_HSA);
    assert_ptr_equal(i.agentBaseAddress, &n);

    assert_int_equal(hsa_amd_pointer_info_set_userdata(NULL, &n), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_agents_allow_access(2, two, NULL, p), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_agents_allow_access(1, NULL, NULL, p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_agents_allow_access(1, two, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const struct {
        void *ptr;
        hsa_agent_t agent;
        int access, status;
    } assigned[] = {{NULL, gfx90a, 3, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                    {p, gfx90a, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                    {p, gfx90a, 4, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                    {p, {5}, 3, HSA_STATUS_ERROR_INVALID_AGENT},
                    {p, gfx90a, 1, 0},
                    {p, gfx90a, 2, 0},
                    {p, gfx90a, 3, 0}};
    for (size_t k = 0; k < sizeof assigned / sizeof *assigned; k++)
        if ((int)hsa_memory_assign_agent(assigned[k].ptr, assigned[k].agent, assigned[k].access) != assigned[k].status)
            fail_msg("row %zu", k);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_info),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_deallocation),
        cmocka_unit_test(test_pointer_info),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_freed_while_launches_run),
        cmocka_unit_test(test_coherency_and_migration),
        cmocka_unit_test(test_all_pool_info),
        cmocka_unit_test(test_iterations),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_system_memory),
        cmocka_unit_test(test_several_deallocation_callbacks),
        cmocka_unit_test(test_pointers),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
