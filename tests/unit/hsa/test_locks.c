/* Host memory that is locked: buffers that overlap, addresses of their own, what launches get, and wrong requests. */
#include "tests/unit/hsa/memory_fixture.h"

#include <sys/mman.h>

static void test_locks(void **state)
{
    uint8_t *buffer = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *d, *again;
    hsa_amd_pointer_info_t i;

    (void)state;
    /* for staging: the address is the host's, buffers may overlap, and each has its own end */
    assert_int_equal(hsa_amd_memory_lock(buffer + 100, 200, NULL, 0, (void **)&d), 0);
    assert_ptr_equal(d, buffer + 100);
    assert_int_equal(
        hsa_amd_memory_lock_to_pool(buffer + 250, 100, &gfx90a, 1, handle(cpu, POOL_COARSE), 0, (void **)&d), 0);
    assert_ptr_equal(d, buffer + 250);
    i = info_of(buffer + 260);
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_LOCKED);
    assert_int_equal(i.sizeInBytes, 100);
    assert_int_equal(hsa_amd_memory_unlock(buffer + 250), 0);
    assert_ptr_equal(info_of(buffer + 260).hostBaseAddress, buffer + 100);
    assert_int_equal(info_of(buffer + 300).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
    assert_int_equal(hsa_amd_memory_unlock(buffer + 100), 0);
    assert_int_equal(info_of(buffer + 260).type, HSA_EXT_POINTER_TYPE_UNKNOWN);

    /* as hipHostRegister() does: an address of its own, the same one for as long as somebody holds it */
    assert_int_equal(hsa_amd_memory_lock_to_pool(buffer + 100, 6000, NULL, 0, handle(cpu, POOL_FINE), 0, (void **)&d),
                     0);
    assert_int_equal(
        hsa_amd_memory_lock_to_pool(buffer + 100, 6000, NULL, 0, handle(cpu, POOL_FINE), 0, (void **)&again), 0);
    assert_ptr_not_equal(d, buffer + 100);
    assert_ptr_equal(d, again);
    assert_int_equal((uintptr_t)d % 4096, 100 + (uintptr_t)buffer % 4096);
    assert_ptr_equal(memory_host(d + 5999), buffer + 6099);
    assert_ptr_equal(info_of(d + 5).hostBaseAddress, buffer + 100);
    assert_ptr_equal(info_of(buffer + 105).agentBaseAddress, d);
    assert_int_equal(hsa_amd_memory_fill(d + 4, 7, 1), 0);
    assert_int_equal(buffer[104], 7);
    assert_int_equal(hsa_amd_memory_unlock(buffer + 100), 0);
    assert_ptr_equal(memory_host(d), buffer + 100);
    assert_int_equal(hsa_amd_memory_unlock(buffer + 100), 0);
    assert_ptr_equal(memory_host(d), d);
    assert_int_equal(hsa_amd_memory_unlock(buffer + 100), 0);

    assert_int_equal(hsa_amd_memory_lock(NULL, 1, NULL, 0, (void **)&d), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_lock(buffer, 0, NULL, 0, (void **)&d), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_lock(buffer, 1, NULL, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_lock(buffer, 1, NULL, 2, (void **)&d), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_lock_to_pool(buffer, 1, NULL, 0, handle(gfx90a, POOL_COARSE), 0, (void **)&d),
                     HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    munmap(buffer + 4096, 4096);
    assert_int_equal(hsa_amd_memory_lock(buffer, 4097, NULL, 0, (void **)&d), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(hsa_memory_register(buffer, 4096), 0);
    i = info_of(buffer);
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_LOCKED);
    assert_int_equal(i.agentOwner.handle, cpu.handle);
    assert_int_equal(i.global_flags, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
    locked_forget((uintptr_t)buffer, (uintptr_t)buffer + 1); /* something else has been mapped there */
    assert_int_equal(info_of(buffer).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
    assert_int_equal(hsa_memory_deregister(buffer, 4096), 0);
    munmap(buffer, 4096);
}

/* ---- any sequence of calls, beside a model that is a list ---- */

enum { PLACES = 5 * 4096, MOST = 40 };

struct entry {
    unsigned at, bytes, holders;
    bool alias;
    uint8_t *device;
    void *userdata;
};

struct model {
    uint8_t *buffer;
    struct entry of[MOST]; /* by place, and those of one place in the order of their making */
    unsigned count;
};

/* The entry that begins last of those that hold the place; null: none. */
static struct entry *holder(struct model *m, unsigned at)
{
    for (unsigned k = m->count; k-- > 0;)
        if (m->of[k].at <= at && at - m->of[k].at < m->of[k].bytes)
            return &m->of[k];
    return NULL;
}

static void lock_beside(struct model *m, unsigned at, unsigned bytes, bool alias)
{
    struct pool *p = pool(cpu, alias ? POOL_FINE : POOL_COARSE);
    struct entry *same = NULL;
    void *device = NULL;
    unsigned k;

    assert_int_equal(memory_lock(m->buffer + at, bytes, p, alias, &device), 0);
    for (k = 0; k < m->count && m->of[k].at <= at; k++)
        if (m->of[k].at == at && m->of[k].bytes == bytes && m->of[k].alias == alias)
            same = &m->of[k];
    if (same) {
        assert_ptr_equal(device, same->device);
        same->holders++;
        return;
    }
    memmove(&m->of[k + 1], &m->of[k], (m->count++ - k) * sizeof *m->of);
    m->of[k] = (struct entry){at, bytes, 1, alias, device, NULL};
    if (!alias)
        assert_ptr_equal(device, m->buffer + at);
    else
        assert_ptr_not_equal(device, m->buffer + at);
}

static void drop(struct model *m, unsigned k)
{
    struct entry gone = m->of[k];

    memmove(&m->of[k], &m->of[k + 1], (--m->count - k) * sizeof *m->of);
    if (gone.alias)
        assert_ptr_equal(memory_host(gone.device), gone.device);
}

static void unlock_beside(struct model *m, unsigned at)
{
    assert_int_equal(memory_unlock(m->buffer + at), 0); /* also of what is not locked */
    for (unsigned k = m->count; k-- > 0;)
        if (m->of[k].at == at) {
            if (--m->of[k].holders == 0)
                drop(m, k);
            return;
        }
}

static void expect_locked(struct model *m, unsigned at, void *userdata)
{
    struct entry *e = holder(m, at);
    struct locked is = {.host = 77};

    if (locked_find((uintptr_t)m->buffer + at, &is) != (e != NULL))
        fail_msg("place %u", at);
    assert_int_equal(locked_set_userdata((uintptr_t)m->buffer + at, userdata), e != NULL);
    if (!e) {
        assert_int_equal(is.host, 77);
        return;
    }
    assert_ptr_equal((void *)(uintptr_t)is.host, m->buffer + e->at);
    assert_ptr_equal((void *)(uintptr_t)is.device, e->device);
    assert_int_equal(is.bytes, e->bytes);
    assert_int_equal(is.holders, e->holders);
    assert_ptr_equal(is.pool, pool(cpu, e->alias ? POOL_FINE : POOL_COARSE));
    assert_ptr_equal(is.userdata, e->userdata);
    e->userdata = userdata;
    assert_ptr_equal(memory_host(e->device + (at - e->at)), m->buffer + at);
    if (!e->alias)
        return;
    struct range r;
    assert_true(range_find((uintptr_t)e->device + (at - e->at), &r));
    assert_int_equal(r.kind, RANGE_LOCKED);
    assert_true(r.lo == (uintptr_t)e->device && r.host == (uintptr_t)m->buffer + e->at && r.bytes == e->bytes);
    assert_int_equal((r.lo + r.mapped) % MEMORY_PAGE, 0);
    assert_true(r.mapped >= r.bytes && r.mapped - r.bytes < MEMORY_PAGE);
    assert_true(r.writable && r.owner == agent_of(cpu) && r.pool == is.pool);
    assert_int_equal(r.flags, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
}

/* Launches get what is locked, in order of address. */
static void expect_listed(const struct model *m)
{
    struct stretches s = {0};

    locked_list(&s);
    assert_int_equal(s.count, m->count);
    for (unsigned k = 0; k < m->count; k++) {
        assert_true(s.at[k].lo == (uintptr_t)m->buffer + m->of[k].at);
        assert_int_equal(s.at[k].hi - s.at[k].lo, m->of[k].bytes);
        assert_true(s.at[k].writable);
    }
    free(s.at);
}

static void forget_beside(struct model *m, unsigned lo, unsigned hi)
{
    const uint64_t before = range_generation();
    unsigned had = m->count;

    locked_forget((uintptr_t)m->buffer + lo, (uintptr_t)m->buffer + hi);
    for (unsigned k = m->count; k-- > 0;)
        if (m->of[k].at < hi && m->of[k].at + m->of[k].bytes > lo)
            drop(m, k);
    assert_int_equal(range_generation() > before, m->count < had);
}

static void test_locks_beside_a_model(void **state)
{
    struct model m = {.buffer = mmap(NULL, PLACES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)};
    uint32_t seed = 35;
    int data;

    (void)state;
    for (unsigned n = 0; n < 4000; n++) {
        /* few places, so that many are met again */
        unsigned at = next_random(&seed) % 12 * 1000, bytes = 1 + next_random(&seed) % 4 * 1500;
        unsigned what = next_random(&seed) % 16;

        if (what < 9 && m.count < MOST)
            lock_beside(&m, at, bytes, what & 1);
        else if (what < 15)
            unlock_beside(&m, at);
        else
            forget_beside(&m, at, at + bytes);
        expect_locked(&m, next_random(&seed) % 12 * 1000, (char *)&data + n);
        expect_locked(&m, next_random(&seed) % PLACES, (char *)&data + n);
        if (n % 16 == 0)
            expect_listed(&m);
    }
    forget_beside(&m, 0, PLACES);
    assert_int_equal(m.count, 0);
    expect_listed(&m);
    munmap(m.buffer, PLACES);
}

/* A long buffer below many short ones is found from its end, too; one within the bounds to forget, and beside them. */
static void test_bounds_of_locks(void **state)
{
    uint8_t *b = mmap(NULL, PLACES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t at = (uintptr_t)b;
    struct locked l;
    void *d;

    (void)state;
    assert_int_equal(memory_lock(b, PLACES, NULL, false, &d), 0);
    for (unsigned k = 1; k < 40; k++)
        assert_int_equal(memory_lock(b + 100 * k, 1, NULL, false, &d), 0);
    assert_true(locked_find(at + PLACES - 1, &l) && l.host == at);
    assert_false(locked_find(at + PLACES, &l));
    assert_true(locked_find(at + 500, &l) && l.host == at + 500);
    assert_true(locked_find(at + 501, &l) && l.host == at);
    locked_forget(at + 200, at + 300); /* and the long one, which overlaps */
    assert_false(locked_find(at + PLACES - 1, &l));
    assert_false(locked_find(at + 200, &l));
    assert_true(locked_find(at + 100, &l) && l.bytes == 1);
    assert_true(locked_find(at + 300, &l));
    locked_forget(at, at + 100);
    assert_true(locked_find(at + 100, &l));
    locked_forget(at + 101, at + 300);
    assert_true(locked_find(at + 100, &l) && locked_find(at + 300, &l));
    locked_forget(at, at + PLACES);
    assert_false(locked_find(at + 3900, &l));
    munmap(b, PLACES);
}

/* The runtime's own memory needs no second address, and has one in no case. */
static void test_locks_of_allocations(void **state)
{
    hsa_amd_pointer_info_t i;
    uint8_t *p, *d = NULL;

    (void)state;
    assert_int_equal(hsa_amd_memory_pool_allocate(handle(gfx90a, POOL_FINE), 100, 0, (void **)&p), 0);
    assert_int_equal(hsa_amd_memory_lock_to_pool(p + 4, 8, NULL, 0, handle(cpu, POOL_FINE), 0, (void **)&d), 0);
    assert_ptr_equal(d, p + 4);
    i = info_of(p + 4); /* it stays an allocation */
    assert_int_equal(i.type, HSA_EXT_POINTER_TYPE_HSA);
    assert_int_equal(i.sizeInBytes, 100);
    assert_int_equal(hsa_amd_memory_unlock(p + 4), 0);
    assert_int_equal(hsa_amd_memory_pool_free(p), 0);
}

/* Memory that was locked, and that the program has unmapped without a word: what the runtime maps there is not. */
static void test_locks_of_memory_that_is_gone(void **state)
{
    uint8_t *b = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p = NULL;
    hsa_amd_svm_attribute_pair_t access = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle};
    struct stretches left = {0};
    struct locked l;
    void *d;

    (void)state;
    assert_int_equal(memory_lock(b + 4096, 100, NULL, false, &d), 0);
    assert_int_equal(hsa_amd_svm_attributes_set(b, 4096, &access, 1), 0);
    munmap(b, 4 * 4096);
    for (unsigned k = 0; k < 1000 && p != b; k++) /* others stay until the runtime ends */
        assert_int_equal(memory_allocate(pool(cpu, POOL_FINE), 4 * 4096, (void **)&p), 0);
    assert_ptr_equal(p, b);
    assert_false(locked_find((uintptr_t)b + 4096, &l));
    svm_list(&left);
    assert_int_equal(left.count, 0);
    free(left.at);
    assert_int_equal(memory_free(p), 0);
}

static void test_wrong_locks(void **state)
{
    static uint8_t b[64];
    hsa_agent_t agents[] = {gfx90a, {5}};
    struct locked l;
    void *d = &l;

    (void)state;
    const struct {
        void *at;
        size_t bytes;
        hsa_agent_t *agents;
        int count;
        hsa_amd_memory_pool_t pool;
        uint32_t flags;
        int status;
    } rows[] = {
        {NULL, 8, NULL, 0, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 0, NULL, 0, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 8, agents, 0, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 8, NULL, 1, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 8, agents, -1, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 8, agents, 2, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_AGENT},
        {b, 8, NULL, 0, handle(cpu, POOL_FINE), 1, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {b, 8, NULL, 0, {5}, 0, HSA_STATUS_ERROR_INVALID_MEMORY_POOL},
        {b, 8, NULL, 0, handle(gfx90a, POOL_FINE), 0, HSA_STATUS_ERROR_INVALID_MEMORY_POOL},
        {b, SIZE_MAX, NULL, 0, handle(cpu, POOL_FINE), 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES},
        {b, SIZE_MAX, NULL, 0, handle(cpu, POOL_COARSE), 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_amd_memory_lock_to_pool(rows[k].at, rows[k].bytes, rows[k].agents, rows[k].count,
                                                      rows[k].pool, rows[k].flags, &d);
        if (status != rows[k].status)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        if (rows[k].pool.handle == handle(cpu, POOL_FINE).handle && !rows[k].flags)
            assert_int_equal(hsa_amd_memory_lock(rows[k].at, rows[k].bytes, rows[k].agents, rows[k].count, &d), status);
        assert_ptr_equal(d, &l);
        assert_false(locked_find((uintptr_t)b, &l));
    }
    assert_int_equal(hsa_amd_memory_lock_to_pool(b, 8, NULL, 0, handle(cpu, POOL_FINE), 0, NULL),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_unlock(NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_memory_register(b, 8), 0);
    assert_true(locked_find((uintptr_t)b, &l) && l.bytes == 8 && l.pool == pool(cpu, POOL_COARSE));
    assert_true(l.device == (uintptr_t)b);
    assert_int_equal(hsa_memory_deregister(b, 8), 0);
    assert_false(locked_find((uintptr_t)b, &l));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_locks_beside_a_model),
        cmocka_unit_test(test_bounds_of_locks),
        cmocka_unit_test(test_locks_of_allocations),
        cmocka_unit_test(test_locks_of_memory_that_is_gone),
        cmocka_unit_test(test_wrong_locks),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
