/* Reservations of addresses, handles of memory, and mappings. */
#define _GNU_SOURCE
#include "tests/unit/hsa/memory_fixture.h"

#include <sys/mman.h>

#include "sim/hsa/memory/vmem.h"

#define MIB (UINT64_C(1) << 20)

static hsa_amd_memory_pool_t vram(void)
{
    return (hsa_amd_memory_pool_t){pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};
}

static int type_of(const void *p)
{
    return (int)info_of(p).type;
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

/* ---- any sequence of calls, beside a model that is a list ---- */

enum { RESERVED = 20, FIRST = 12, OBJECTS = 2, MOST = 20 }; /* pages; those of the first of two reservations */

static const unsigned object_pages[OBJECTS] = {6, 3};

struct entry {
    unsigned at, pages, offset, object;
    uint8_t may[3]; /* by agent */
};

struct model {
    uint8_t *va;
    hsa_amd_vmem_alloc_handle_t object[OBJECTS];
    struct entry of[MOST];
    unsigned count;
};

static hsa_agent_t nth_agent(unsigned n)
{
    return n == 0 ? cpu : n == 1 ? gfx90a : gfx1201;
}

static struct entry *mapped_at(struct model *m, unsigned page)
{
    for (unsigned k = 0; k < m->count; k++)
        if (page >= m->of[k].at && page - m->of[k].at < m->of[k].pages)
            return &m->of[k];
    return NULL;
}

static void map_beside(struct model *m, unsigned at, unsigned pages, unsigned offset, unsigned object)
{
    bool fits =
        at + pages <= RESERVED && (at >= FIRST || at + pages <= FIRST) && offset + pages <= object_pages[object];

    for (unsigned k = at; k < at + pages; k++)
        fits = fits && !mapped_at(m, k);
    int status = (int)hsa_amd_vmem_map(m->va + at * 4096, pages * 4096, offset * 4096, m->object[object], 0);
    if (status != (fits ? 0 : (int)HSA_STATUS_ERROR_INVALID_ARGUMENT))
        fail_msg("pages %u to %u: 0x%x", at, at + pages - 1, (unsigned)status);
    if (fits)
        m->of[m->count++] = (struct entry){at, pages, offset, object, {0}};
}

static void unmap_beside(struct model *m, unsigned at, unsigned pages)
{
    struct entry *e = mapped_at(m, at);
    bool is = e && e->at == at && e->pages == pages;

    assert_int_equal(hsa_amd_vmem_unmap(m->va + at * 4096, pages * 4096),
                     is ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION);
    if (is)
        *e = m->of[--m->count];
}

/* Access is that of whole mappings, where all of the pages are mapped. */
static void set_access_beside(struct model *m, unsigned at, unsigned pages, uint32_t *seed)
{
    hsa_amd_memory_access_desc_t access[2];
    bool all = true;

    for (unsigned k = 0; k < 2; k++)
        access[k] = (hsa_amd_memory_access_desc_t){(int)(next_random(seed) % 4), nth_agent(next_random(seed) % 3)};
    for (unsigned k = at; k < at + pages; k++)
        all = all && mapped_at(m, k);
    assert_int_equal(hsa_amd_vmem_set_access(m->va + at * 4096, pages * 4096, access, 2),
                     all ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION);
    for (unsigned k = at; all && k < at + pages; k++)
        for (unsigned n = 0; n < 2; n++)
            mapped_at(m, k)->may[agent_of(access[n].agent_handle)->index] = (uint8_t)access[n].permissions;
}

static void expect_page(struct model *m, unsigned page)
{
    uint8_t *at = m->va + page * 4096;
    const struct entry *e = mapped_at(m, page);
    hsa_amd_vmem_alloc_handle_t h = {77};
    uint64_t offset = 77;
    struct range r;
    int may, fd;

    assert_int_equal(range_find((uintptr_t)at, &r), e != NULL);
    assert_int_equal(type_of(at + 4095), e ? (int)ABI_POINTER_VMEM : (int)ABI_POINTER_RESERVED_ADDR);
    assert_int_equal(hsa_amd_vmem_retain_alloc_handle(&h, at + 4095),
                     e ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION);
    fd = vmem_descriptor((uintptr_t)at + 5, &offset);
    for (unsigned k = 0; k < 3; k++) {
        may = 77;
        assert_int_equal(hsa_amd_vmem_get_access(at + 7, &may, nth_agent(k)),
                         e ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION);
        assert_int_equal(may, e ? e->may[k] : 77);
    }
    if (!e) {
        assert_true(h.handle == 77 && offset == 77);
        assert_int_equal(fd, -1);
        return;
    }
    assert_int_equal(h.handle, m->object[e->object].handle);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(offset, (e->offset + page - e->at) * 4096 + 5);
    assert_int_equal(*at,
                     100 * e->object + e->offset + page - e->at); /* what was written there, by the page's number */
    assert_true(r.lo == (uintptr_t)m->va + e->at * 4096 && r.host == r.lo);
    assert_true(r.bytes == e->pages * 4096 && r.mapped == r.bytes);
    assert_ptr_equal(r.owner, agent_of(e->object ? cpu : gfx90a));
    assert_int_equal(r.hidden, !e->may[1] && !e->may[2]);
    assert_int_equal(r.writable, ((e->may[1] | e->may[2]) & 2) != 0);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(r.access >> k & 1, e->may[k] != 0);
}

static void test_mappings_beside_a_model(void **state)
{
    struct model m = {0};
    uint32_t seed = 36;

    (void)state;
    for (unsigned k = 0; k < OBJECTS; k++) {
        assert_int_equal(hsa_amd_vmem_handle_create(handle(k ? cpu : gfx90a, POOL_COARSE), object_pages[k] * 4096, 0, 0,
                                                    &m.object[k]),
                         0);
        assert_int_equal(hsa_amd_vmem_address_reserve((void **)&m.va, object_pages[k] * 4096, 0, 0), 0);
        assert_int_equal(hsa_amd_vmem_map(m.va, object_pages[k] * 4096, 0, m.object[k], 0), 0);
        for (unsigned n = 0; n < object_pages[k]; n++)
            m.va[n * 4096] = (uint8_t)(100 * k + n);
        assert_int_equal(hsa_amd_vmem_unmap(m.va, object_pages[k] * 4096), 0);
        assert_int_equal(hsa_amd_vmem_address_free(m.va, object_pages[k] * 4096), 0);
    }
    /* two reservations that touch */
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&m.va, RESERVED * 4096, 0, 0), 0);
    void *hint = m.va + FIRST * 4096, *second;
    assert_int_equal(hsa_amd_vmem_address_free(m.va, RESERVED * 4096), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve(&second, (RESERVED - FIRST) * 4096, (uintptr_t)hint + 5, 0), 0);
    assert_ptr_equal(second, hint); /* it was free a moment ago */
    assert_int_equal(hsa_amd_vmem_address_reserve(&second, FIRST * 4096, (uintptr_t)m.va, 0), 0);
    assert_ptr_equal(second, m.va);
    for (unsigned n = 0; n < 4000; n++) {
        unsigned at = next_random(&seed) % RESERVED, pages = 1 + next_random(&seed) % 4;
        unsigned object = next_random(&seed) % OBJECTS, what = next_random(&seed) % 4;
        struct entry *e = mapped_at(&m, at);

        if (what == 0 && m.count < MOST)
            map_beside(&m, at, pages, next_random(&seed) % 4, object);
        else if (what == 1)
            unmap_beside(&m, at, pages);
        else if (what == 2 && e && n % 4 == 0)
            unmap_beside(&m, e->at, e->pages);
        else if (what == 3)
            set_access_beside(&m, at, pages, &seed);
        expect_page(&m, at);
        expect_page(&m, next_random(&seed) % RESERVED);
    }
    for (unsigned reservation = 0; reservation < 2; reservation++) {
        unsigned from = reservation ? FIRST : 0, end = reservation ? RESERVED : FIRST;
        bool empty = true;
        for (unsigned k = from; k < end; k++)
            empty = empty && !mapped_at(&m, k);
        assert_int_equal(hsa_amd_vmem_address_free(m.va + from * 4096, (end - from) * 4096),
                         empty ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_RESOURCE_FREE);
        while (m.count && !empty) {
            struct entry *e = &m.of[0];
            unmap_beside(&m, e->at, e->pages);
        }
        if (!empty)
            assert_int_equal(hsa_amd_vmem_address_free(m.va + from * 4096, (end - from) * 4096), 0);
    }
    for (unsigned k = 0; k < OBJECTS; k++)
        assert_int_equal(hsa_amd_vmem_handle_release(m.object[k]), 0);
}

/* ---- wrong requests: nothing changes ---- */

static void test_wrong_reservations(void **state)
{
    static const struct {
        uint64_t bytes, alignment, flags;
        int status;
    } rows[] = {{0, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {4096, 0, 2, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {4096, 0, UINT64_C(1) << 40, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {4096, 3, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {4096, 4096 + 1, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {UINT64_C(1) << 63, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {4096, UINT64_C(1) << 63, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {INT64_MAX, 0, 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES},
                {4096, UINT64_C(1) << 62, 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES}};
    void *va = &va;

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_amd_vmem_address_reserve_align(&va, rows[k].bytes, 0, rows[k].alignment, rows[k].flags);
        if (status != rows[k].status)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        assert_ptr_equal(va, &va);
    }
    assert_int_equal(hsa_amd_vmem_address_reserve_align(NULL, 4096, 0, 0, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (uint64_t alignment = 1; alignment <= 64 * MIB; alignment *= 4) {
        hsa_amd_pointer_info_t i;

        assert_int_equal(hsa_amd_vmem_address_reserve_align(&va, 3 * 4096 - 1, 0, alignment, 0), 0);
        assert_int_equal((uintptr_t)va % (alignment < 4096 ? 4096 : alignment), 0);
        i = info_of((uint8_t *)va + 3 * 4096 - 1);
        assert_ptr_equal(i.agentBaseAddress, va);
        assert_ptr_equal(i.hostBaseAddress, va);
        assert_int_equal(i.sizeInBytes, 3 * 4096);
        assert_false(can_read(va));
        assert_int_equal(hsa_amd_vmem_address_free(va, 4 * 4096), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_amd_vmem_address_free(va, 2 * 4096), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_amd_vmem_address_free(va, 3 * 4096), 0);
        assert_int_equal(hsa_amd_vmem_address_free(va, 3 * 4096), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    }
    assert_int_equal(hsa_amd_vmem_address_reserve_align(&va, 4096, 0, 0, 1), 0); /* memory of the program's */
    assert_true(can_read(va));
    hsa_amd_svm_attribute_pair_t access = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle};
    void *d;
    assert_int_equal(hsa_amd_svm_attributes_set(va, 4096, &access, 1), 0);
    assert_int_equal(memory_lock(va, 8, NULL, false, &d), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 4096), 0); /* what was said of it goes with it */
    assert_int_equal(type_of(va), HSA_EXT_POINTER_TYPE_UNKNOWN);
    struct stretches left = {0};
    svm_list(&left);
    assert_int_equal(left.count, 0);
    free(left.at);
}

static void test_wrong_handles(void **state)
{
    const hsa_amd_vmem_alloc_handle_t none = {5};
    hsa_amd_vmem_alloc_handle_t h = {77};
    hsa_amd_memory_pool_t pool = {77};
    const uint64_t free_bytes = free_vram();
    int type = 77, fd = 77, pipes[2];

    (void)state;
    const struct {
        hsa_amd_memory_pool_t pool;
        size_t bytes;
        int type;
        uint64_t flags;
        int status;
    } rows[] = {{{5}, 4096, 0, 0, HSA_STATUS_ERROR_INVALID_MEMORY_POOL},
                {vram(), 4095, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {vram(), 4097, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {vram(), 4096, -1, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {vram(), 4096, 2, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {vram(), 4096, 0, 1, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {handle(gfx90a, POOL_GROUP), 4096, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
                {vram(), free_bytes + 4096, 0, 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_amd_vmem_handle_create(rows[k].pool, rows[k].bytes, rows[k].type, rows[k].flags, &h);
        if (status != rows[k].status)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        assert_int_equal(h.handle, 77);
        assert_int_equal(free_vram(), free_bytes);
    }
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), 4096, 0, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), free_bytes, 0, 0, &h), 0); /* to the byte */
    assert_int_equal(free_vram(), 0);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(none, &pool, &type),
                     HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(h, NULL, &type), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(h, &pool, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_true(pool.handle == 77 && type == 77);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(h, &pool, &type), 0);
    assert_int_equal(type, 0);
    assert_int_equal(hsa_amd_vmem_export_shareable_handle(&fd, none, 0), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_export_shareable_handle(&fd, h, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_export_shareable_handle(NULL, h, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fd, 77);
    assert_int_equal(hsa_amd_vmem_export_shareable_handle(&fd, h, 0), 0);
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(fd, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    close(fd);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(pipes[0], &h), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    close(pipes[0]);
    close(pipes[1]);
    assert_int_equal(hsa_amd_vmem_handle_release(none), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_int_equal(hsa_amd_vmem_handle_release(h), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    assert_int_equal(free_vram(), free_bytes);
}

/* A file of somebody else's: memory of the first GPU that counts against no pool. */
static void test_imported_files(void **state)
{
    const uint64_t free_bytes = free_vram();
    hsa_amd_vmem_alloc_handle_t h = {0};
    hsa_amd_memory_pool_t pool;
    int fd = memfd_create("other", 0), type;
    uint8_t *va;

    (void)state;
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(fd, &h), HSA_STATUS_ERROR_INVALID_ARGUMENT); /* empty */
    assert_int_equal(ftruncate(fd, 8192), 0);
    assert_int_equal(hsa_amd_vmem_import_shareable_handle(fd, &h), 0);
    assert_int_equal(hsa_amd_vmem_get_alloc_properties_from_handle(h, &pool, &type), 0);
    assert_int_equal(pool.handle, vram().handle);
    assert_int_equal(type, 0);
    assert_int_equal(free_vram(), free_bytes);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, 8192, 0, 0), 0);
    assert_int_equal(hsa_amd_vmem_map(va, 8192, 4096, h, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_map(va, 8192, 0, h, 0), 0);
    assert_int_equal(pwrite(fd, "x", 1, 5000), 1);
    assert_int_equal(va[5000], 'x');
    assert_int_equal(hsa_amd_vmem_unmap(va, 8192), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 8192), 0);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_int_equal(free_vram(), free_bytes);
    close(fd);
}

static void test_wrong_mappings(void **state)
{
    hsa_amd_memory_access_desc_t access[2] = {{3, gfx90a}, {3, {5}}};
    hsa_amd_vmem_alloc_handle_t h;
    uint8_t *va;
    int may = 77;

    (void)state;
    assert_int_equal(hsa_amd_vmem_handle_create(vram(), 8192, 0, 0, &h), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, 8192, 0, 0), 0);
    const struct {
        void *va;
        size_t bytes, offset;
        uint64_t flags;
    } rows[] = {{NULL, 4096, 0, 0},   {va, 0, 0, 0},           {va + 1, 4096, 0, 0},        {va, 4095, 0, 0},
                {va, 4096, 1, 0},     {va, 4096, 0, 1},        {va, 12288, 0, 0},           {va, 4096, 8192, 0},
                {va, 4096, 12288, 0}, {va + 4096, 8192, 0, 0}, {va, 4096, (size_t)-4096, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_amd_vmem_map(rows[k].va, rows[k].bytes, rows[k].offset, h, rows[k].flags);
        if (status != HSA_STATUS_ERROR_INVALID_ARGUMENT)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        assert_int_equal(type_of(va), ABI_POINTER_RESERVED_ADDR);
    }
    assert_int_equal(hsa_amd_vmem_map(va, 8192, 0, h, 0), 0);
    assert_int_equal(hsa_amd_vmem_set_access(NULL, 8192, access, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_set_access(va, 0, access, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_set_access(va, SIZE_MAX, access, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_set_access(va, 8192, NULL, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_set_access(va, 8192, access, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_set_access(va, 8192, access, 2), HSA_STATUS_ERROR_INVALID_AGENT);
    access[1] = (hsa_amd_memory_access_desc_t){4, gfx1201};
    assert_int_equal(hsa_amd_vmem_set_access(va, 8192, access, 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_get_access(va, &may, (hsa_agent_t){5}), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_vmem_get_access(NULL, &may, gfx90a), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_get_access(va, NULL, gfx90a), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(may, 77);
    assert_int_equal(hsa_amd_vmem_get_access(va, &may, gfx90a), 0);
    assert_int_equal(may, 0);
    assert_int_equal(hsa_amd_vmem_retain_alloc_handle(NULL, va), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_vmem_retain_alloc_handle(&h, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const uint64_t before = range_generation();
    assert_int_equal(hsa_amd_vmem_set_access(va, 8192, access, 1), 0);
    assert_true(range_generation() > before); /* launches see it */
    assert_int_equal(hsa_amd_vmem_unmap(va, 8192), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 8192), 0);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reservations),
        cmocka_unit_test(test_mappings),
        cmocka_unit_test(test_unmapped_while_launches_run),
        cmocka_unit_test(test_mappings_beside_a_model),
        cmocka_unit_test(test_wrong_reservations),
        cmocka_unit_test(test_wrong_handles),
        cmocka_unit_test(test_imported_files),
        cmocka_unit_test(test_wrong_mappings),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
