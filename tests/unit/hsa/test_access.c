/* What kernels may touch: each kind of memory to its end, and nothing else. */
#define _GNU_SOURCE
#include "tests/unit/hsa/code_fixture.h"

#include <sys/mman.h>

#include "sim/hsa/memory/memory.h"

#define ITEMS 64u
#define BYTES (ITEMS * 4)

struct args {
    const float *a, *b;
    float *c;
    uint32_t n;
};

static uint64_t kernel;
static struct args *args;
static float *in;

static void *vram(size_t bytes)
{
    struct pool *p = &agent_of(gfx90a)->pool[POOL_COARSE];
    void *at = NULL;

    assert_int_equal(memory_allocate(p, bytes, &at), 0);
    return at;
}

static int setup(void **state)
{
    hsa_executable_symbol_t s;
    hsa_executable_t x;
    void *at;

    if (start_runtime(state))
        return 1;
    rt_any()->options.slack = EXEC_SLACK_NONE;
    x = new_executable();
    if (load_file(x, gfx90a, VECADD) || hsa_executable_freeze(x, NULL) ||
        hsa_executable_get_symbol_by_name(x, "vecadd.kd", &gfx90a, &s) ||
        hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel) ||
        memory_allocate(&agent_of(cpu)->pool[POOL_KERNARG], 256, &at))
        return 1;
    args = at;
    in = vram(BYTES);
    for (unsigned k = 0; k < ITEMS; k++)
        in[k] = (float)k;
    return 0;
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)queue;
    __atomic_store_n((hsa_status_t *)data, status, __ATOMIC_RELEASE);
}

/* Adds to itself what begins at `a`, into c; the status of the queue. */
static hsa_status_t run(const float *a, float *c)
{
    hsa_kernel_dispatch_packet_t *p;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    hsa_signal_t done;
    hsa_queue_t *q;

    *args = (struct args){a, a, c, ITEMS};
    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_MULTI, on_error, &status, UINT32_MAX, UINT32_MAX, &q),
                     0);
    p = q->base_address;
    p->workgroup_size_x = p->grid_size_x = ITEMS;
    p->workgroup_size_y = p->grid_size_y = p->workgroup_size_z = p->grid_size_z = 1;
    p->kernel_object = kernel;
    p->kernarg_address = args;
    p->completion_signal = done;
    hsa_queue_add_write_index_relaxed(q, 1);
    __atomic_store_n((uint32_t *)(void *)p, HSA_PACKET_TYPE_KERNEL_DISPATCH | 1u << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(q->doorbell_signal, 0);
    while (hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 10000000, 0) > 0 &&
           __atomic_load_n(&status, __ATOMIC_ACQUIRE) == HSA_STATUS_SUCCESS)
        ;
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_signal_destroy(done), 0);
    return status;
}

static void works_from(const float *a, float *c)
{
    const float *from = memory_host(a);
    float *to = memory_host(c);

    memset(to, 0, BYTES);
    assert_int_equal(run(a, c), 0);
    for (unsigned k = 0; k < ITEMS; k++)
        assert_true(to[k] == 2 * from[k]);
}

static void works(float *c)
{
    works_from(in, c);
}

static void faults(const float *a, float *c)
{
    assert_int_equal(run(a, c), HSA_STATUS_ERROR_MEMORY_FAULT);
    assert_true(logged("vecadd"));
}

/* What has just been given back, at whose address something else of the runtime could lie. */
static void faults_when_gone(float *c)
{
    void *page = (void *)((uintptr_t)c & -(uintptr_t)4096);

    assert_ptr_equal(mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
                     page);
    faults(in, c);
    munmap(page, 4096);
}

static void test_pools(void **state)
{
    float *exact = vram(BYTES), *close = vram(BYTES - 4);

    (void)state;
    works(exact);
    faults(in, close); /* the last item is four bytes past the end, in the allocation's page */
    faults(in + 1, exact);
    assert_int_equal(memory_free(exact), 0);
    faults_when_gone(exact);
    assert_int_equal(memory_free(close), 0);
}

static void test_host_memory(void **state)
{
    float *host = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *d;
    hsa_amd_svm_attribute_pair_t access = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle};
    static float variable[ITEMS];

    (void)state;
    faults(in, host);
    faults(in, variable);
    assert_int_equal(memory_lock(host + 1, BYTES, NULL, false, (void **)&d), 0);
    works(host + 1);
    faults(in, host);
    faults(in, host + 2);
    assert_int_equal(memory_unlock(host + 1), 0);
    faults(in, host + 1);

    /* two buffers that touch are one for a kernel */
    assert_int_equal(memory_lock(host, BYTES / 2, NULL, false, (void **)&d), 0);
    assert_int_equal(memory_lock(host + ITEMS / 2, BYTES / 2, NULL, false, (void **)&d), 0);
    works(host);
    assert_int_equal(memory_unlock(host), 0);
    assert_int_equal(memory_unlock(host + ITEMS / 2), 0);

    /* a second address: both are valid, to the same end */
    assert_int_equal(memory_lock(host, BYTES, NULL, true, (void **)&d), 0);
    assert_ptr_not_equal(d, host);
    works(d);
    assert_true(host[ITEMS - 1] == 2 * (ITEMS - 1));
    works(host);
    faults(in, d + 1);
    assert_int_equal(memory_unlock(host), 0);
    faults_when_gone(d);

    assert_int_equal(hsa_amd_svm_attributes_set(host, 4096, &access, 1), 0);
    works(host);
    works(host + 1024 - ITEMS);
    faults(in, host + 1025 - ITEMS);
    access = (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_READ_ONLY, 1};
    assert_int_equal(hsa_amd_svm_attributes_set(host, 4096, &access, 1), 0);
    faults(in, host);
    assert_int_equal(run(host, in), 0);
    for (unsigned k = 0; k < ITEMS; k++)
        in[k] = (float)k;
    access = (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, gfx90a.handle};
    assert_int_equal(hsa_amd_svm_attributes_set(host, 4096, &access, 1), 0);
    faults(host, in);
    munmap(host, 8192);
}

static void test_mapped(void **state)
{
    struct pool *p = &agent_of(gfx90a)->pool[POOL_COARSE];
    hsa_amd_memory_access_desc_t access = {3, gfx90a};
    hsa_amd_vmem_alloc_handle_t h;
    float *va;

    (void)state;
    assert_int_equal(hsa_amd_vmem_handle_create((hsa_amd_memory_pool_t){pool_handle(p)}, 4096, 0, 0, &h), 0);
    assert_int_equal(hsa_amd_vmem_address_reserve((void **)&va, 8192, 0, 0), 0);
    faults(in, va);
    assert_int_equal(hsa_amd_vmem_map(va, 4096, 0, h, 0), 0);
    faults(in, va);
    assert_int_equal(hsa_amd_vmem_set_access(va, 4096, &access, 1), 0);
    works(va);
    faults(in, va + 1025 - ITEMS);
    assert_int_equal(hsa_amd_vmem_unmap(va, 4096), 0);
    faults(in, va);
    assert_int_equal(hsa_amd_vmem_handle_release(h), 0);
    assert_int_equal(hsa_amd_vmem_address_free(va, 8192), 0);
    faults_when_gone(va);
}

/* Memory of a page after which lies a page of the process that no agent may touch. */
static float *vram_with_an_end(void)
{
    char *above = NULL;

    for (;;) { /* others stay until the runtime ends */
        char *page = vram(8);

        if (above == page + 4096)
            assert_int_equal(memory_free(above), 0);
        if (mmap(page + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
            page + 4096)
            return (float *)(void *)page;
        assert_ptr_not_equal(above, page + 4096);
        above = page;
    }
}

static void test_page_slack(void **state)
{
    float *host = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *d, *close;

    (void)state;
    rt_any()->options.slack = EXEC_SLACK_PAGE;
    close = vram_with_an_end();
    works(close);
    assert_true(logged(", 62 times"));
    works(close + 1024 - ITEMS); /* nothing is reported again of this kernel */
    assert_false(logged("bounds.page"));
    faults(in, close + 1025 - ITEMS);
    for (unsigned k = 0; k < ITEMS; k++)
        close[960 + k] = (float)k;
    works_from(close + 960, in);
    assert_int_equal(memory_lock(host + 512, 4, NULL, false, (void **)&d), 0);
    works(host);
    works_from(host, in);
    works(host + 512);
    faults(in, host + 1025 - ITEMS);
    assert_int_equal(memory_lock(host + 1030, 4, NULL, false, (void **)&d), 0);
    works(host + 1025 - ITEMS); /* the pages of two buffers */
    assert_int_equal(memory_unlock(host + 1030), 0);
    faults(in, host + 1025 - ITEMS);
    rt_any()->options.common.check = true;
    assert_int_equal(run(in, close), HSA_STATUS_ERROR_MEMORY_FAULT);
    assert_true(logged("it passes without --slack none"));
    rt_any()->options.common.check = false;
    rt_any()->options.slack = EXEC_SLACK_NONE;
    assert_int_equal(memory_unlock(host + 512), 0);
    assert_int_equal(run(in, close), HSA_STATUS_ERROR_MEMORY_FAULT);
    assert_true(logged("it passes without --slack none"));
    assert_int_equal(memory_free(close), 0);
    munmap((char *)close + 4096, 4096);
    munmap(host, 8192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pools),
        cmocka_unit_test(test_host_memory),
        cmocka_unit_test(test_mapped),
        cmocka_unit_test(test_page_slack),
    };

    return cmocka_run_group_tests(tests, setup, stop_runtime);
}
