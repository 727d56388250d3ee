/* Samples of what programs do with HSA when all is well (raw.h). */
#include "sim/hsa/core/abi.h" /* names newer than the headers of HSA 5.2 */
#include "tests/hsa/raw/raw.h"

struct counted {
    unsigned pools, kernarg, group, isas;
    size_t lds;
    char isa[64];
};

static hsa_status_t count_pool(hsa_amd_memory_pool_t pool, void *data)
{
    struct counted *c = data;
    hsa_amd_segment_t segment;
    uint32_t flags = 0;
    size_t size = 0;

    OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
    EXPECT(size);
    c->pools++;
    if (segment == HSA_AMD_SEGMENT_GROUP) {
        c->group++;
        c->lds = size;
    } else {
        OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
        c->kernarg += flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t note_isa(hsa_isa_t isa, void *data)
{
    struct counted *c = data;
    uint32_t length = 0;

    c->isas++;
    OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    EXPECT(length < sizeof c->isa);
    return hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, c->isa);
}

void agents(void)
{
    struct counted of_cpu = {0}, of_gpu = {0};
    char name[64] = "", want[64];
    uint32_t wave = 0, cus = 0, queue_size = 0;

    OK(hsa_amd_agent_iterate_memory_pools(cpu, count_pool, &of_cpu));
    EXPECT(of_cpu.pools >= 2 && of_cpu.kernarg >= 1);
    OK(hsa_amd_agent_iterate_memory_pools(gpu, count_pool, &of_gpu));
    EXPECT(of_gpu.pools >= 2 && of_gpu.group == 1);
    SAME(of_gpu.lds, 65536);
    OK(hsa_agent_iterate_isas(gpu, note_isa, &of_gpu));
    SAME(of_gpu.isas, 1);
    OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name));
    snprintf(want, sizeof want, "amdgcn-amd-amdhsa--%.40s", name);
    EXPECT(!strncmp(of_gpu.isa, want, strlen(want)));
    OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
    SAME(wave, !strcmp(name, "gfx90a") ? 64 : 32);
    OK(hsa_agent_get_info(gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &cus));
    EXPECT(cus >= 16);
    OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &queue_size));
    EXPECT(queue_size >= 4096);
    SAME(hsa_agent_get_info((hsa_agent_t){12345}, HSA_AGENT_INFO_NAME, name), HSA_STATUS_ERROR_INVALID_AGENT);
    SAME(hsa_agent_get_info(gpu, (hsa_agent_info_t)0x7777, name), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* A packet that the engine may see before its doorbell is rung begins no earlier than the host is. */
void doorbells(void)
{
    hsa_queue_t *q = new_queue(NULL);
    uint32_t *from = allocate(coarse, 256), *to = allocate(coarse, 256);
    struct arguments a = {from, to, 2};
    uint64_t scale = kernel_object("scale"), index, ended;
    hsa_signal_t done = new_signal(1);
    hsa_amd_profiling_dispatch_time_t t;
    uint16_t *packet;

    dispatch(q, scale, 1, a, done);
    wait_for(done);
    OK(hsa_amd_profiling_get_dispatch_time(gpu, done, &t));
    ended = t.end;
    hsa_signal_store_relaxed(done, 1);
    packet = (void *)fill_dispatch(q, &index, scale, 1, a, done);
    __atomic_store_n(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELEASE);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 20000000, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_store_relaxed(q->doorbell_signal, (hsa_signal_value_t)index);
    wait_for(done);
    OK(hsa_amd_profiling_get_dispatch_time(gpu, done, &t));
    EXPECT(t.start >= ended);
    OK(hsa_signal_destroy(done));
    OK(hsa_queue_destroy(q));
    OK(hsa_amd_memory_pool_free(from));
    OK(hsa_amd_memory_pool_free(to));
}

/* Kernels one after the other, with their times. */
void dispatches(void)
{
    enum { GROUPS = 20, N = GROUPS * 64, ROUNDS = 3 };
    hsa_queue_t *q = new_queue(NULL);
    uint64_t scale = kernel_object("scale"), ended = 0, frequency = 0;
    uint32_t *a = allocate(coarse, N * 4), *b = allocate(coarse, N * 4), *h = malloc(N * 4);
    hsa_signal_t done = new_signal(0);

    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
    SAME(frequency, 1000000000);
    for (uint32_t k = 0; k < N; k++)
        h[k] = k * 5 + 1;
    OK(hsa_memory_copy(a, h, N * 4));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        hsa_amd_profiling_dispatch_time_t t;

        hsa_signal_store_relaxed(done, 1);
        dispatch(q, scale, GROUPS, (struct arguments){a, b, round + 2}, done);
        wait_for(done);
        OK(hsa_amd_profiling_get_dispatch_time(gpu, done, &t));
        EXPECT(t.start >= ended && t.end > t.start);
        ended = t.end;
        OK(hsa_memory_copy(h, b, N * 4));
        for (uint32_t k = 0; k < N; k++)
            SAME(h[k], (k * 5 + 1) * (round + 2) + k);
    }
    SAME(hsa_queue_load_read_index_relaxed(q), ROUNDS);
    OK(hsa_signal_destroy(done));
    OK(hsa_queue_destroy(q));
    OK(hsa_amd_memory_pool_free(a));
    OK(hsa_amd_memory_pool_free(b));
    free(h);
}

static void wait_on_signals(hsa_queue_t *q, unsigned type, const hsa_signal_t *on, unsigned count, hsa_signal_t done)
{
    uint64_t index;
    hsa_barrier_and_packet_t *p = next_packet(q, &index); /* the layout of both kinds */

    for (unsigned k = 0; k < count; k++)
        p->dep_signal[k] = on[k];
    p->completion_signal = done;
    hand_over(q, index, p, type, true);
}

/* Two queues, each of which waits for the other's kernels. */
void barriers(void)
{
    enum { N = 64 };
    hsa_queue_t *one = new_queue(NULL), *two = new_queue(NULL);
    uint64_t scale = kernel_object("scale");
    uint32_t *a = allocate(fine, N * 4), *b = allocate(fine, N * 4), *c = allocate(fine, N * 4);
    hsa_signal_t go = new_signal(1), never = new_signal(1), first = new_signal(1), second = new_signal(1),
                 third = new_signal(1), passed = new_signal(1);

    for (uint32_t k = 0; k < N; k++)
        a[k] = k;
    wait_on_signals(one, HSA_PACKET_TYPE_BARRIER_AND, &go, 1, (hsa_signal_t){0});
    dispatch(one, scale, 1, (struct arguments){a, b, 2}, first); /* b = 3k */
    wait_on_signals(two, HSA_PACKET_TYPE_BARRIER_AND, (hsa_signal_t[]){first, go}, 2, (hsa_signal_t){0});
    dispatch(two, scale, 1, (struct arguments){b, c, 10}, second); /* c = 31k */
    wait_on_signals(one, HSA_PACKET_TYPE_BARRIER_OR, (hsa_signal_t[]){never, second}, 2, passed);
    dispatch(one, scale, 1, (struct arguments){c, a, 1}, third); /* a = 32k */
    SAME(hsa_signal_wait_scacquire(third, HSA_SIGNAL_CONDITION_LT, 1, 20000000, HSA_WAIT_STATE_BLOCKED), 1);
    SAME(hsa_signal_load_relaxed(first), 1);
    hsa_signal_subtract_screlease(go, 1);
    wait_for(third);
    SAME(hsa_signal_load_scacquire(second), 0);
    SAME(hsa_signal_load_scacquire(passed), 0);
    for (uint32_t k = 0; k < N; k++)
        SAME(a[k], 32 * k);
    OK(hsa_queue_destroy(one));
    OK(hsa_queue_destroy(two));
}

/* Takes a call off another signal's value; no more at 0. */
static bool count_down(hsa_signal_value_t value, void *data)
{
    hsa_signal_t left = *(hsa_signal_t *)data;

    hsa_signal_subtract_screlease(left, 1);
    return hsa_signal_load_relaxed(left) > 0 && value < 100;
}

void signals(void)
{
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t s = new_signal(5), any[2] = {new_signal(1), new_signal(1)}, runs = new_signal(1);
    hsa_signal_t calls = new_signal(2), later = new_signal(0), calls_later = new_signal(1);
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[2] = {0, 0}, value = 0;
    volatile uint32_t *flag = allocate(fine, 256);

    SAME(hsa_signal_exchange_scacq_screl(s, 6), 5);
    SAME(hsa_signal_cas_scacq_screl(s, 6, 12), 6);
    SAME(hsa_signal_cas_scacq_screl(s, 6, 13), 12);
    hsa_signal_add_relaxed(s, 4);
    hsa_signal_and_relaxed(s, 0x18);
    hsa_signal_or_relaxed(s, 3);
    hsa_signal_xor_relaxed(s, 1);
    SAME(hsa_signal_load_relaxed(s), 0x12);
    SAME(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_GTE, 0x12, 0, HSA_WAIT_STATE_ACTIVE), 0x12);
    /* handlers: once, again when they say so, and no more then */
    OK(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 50, count_down, &calls));
    hsa_signal_store_screlease(s, 50);
    wait_for(calls);
    /* the handler of another signal is called after where the first one would have been */
    OK(hsa_amd_signal_async_handler(later, HSA_SIGNAL_CONDITION_EQ, 0, count_down, &calls_later));
    wait_for(calls_later);
    SAME(hsa_signal_load_scacquire(calls), 0);
    /* a kernel that the host lets go, and which of two signals comes first */
    *flag = 0;
    dispatch(q, kernel_object("spin"), 1, (struct arguments){(uint32_t *)flag, value_of(runs), 7}, any[1]);
    wait_for(runs);
    SAME(hsa_signal_wait_scacquire(any[1], HSA_SIGNAL_CONDITION_EQ, 0, 5000000, HSA_WAIT_STATE_BLOCKED), 1);
    __atomic_store_n(flag, 7, __ATOMIC_SEQ_CST);
    SAME(hsa_amd_signal_wait_any(2, any, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &value), 1);
    SAME(value, 0);
    SAME(hsa_signal_load_scacquire(runs), 7);
    OK(hsa_signal_destroy(s));
    OK(hsa_queue_destroy(q));
}

static bool note_value(hsa_signal_value_t value, void *data)
{
    hsa_signal_store_screlease(*(hsa_signal_t *)data, value);
    return false;
}

void copies(void)
{
    enum { BYTES = 1 << 20 };
    char *a = allocate(fine, BYTES), *b = allocate(coarse, BYTES), *c = allocate(fine, BYTES);
    hsa_signal_t go = new_signal(1), in = new_signal(1), out = new_signal(1), handled = new_signal(1);
    hsa_amd_profiling_async_copy_time_t to, back;
    uint32_t filled[16];

    for (int k = 0; k < BYTES; k++)
        a[k] = (char)(k * 7);
    memset(c, 0, BYTES);
    OK(hsa_amd_profiling_async_copy_enable(true));
    OK(hsa_amd_signal_async_handler(out, HSA_SIGNAL_CONDITION_EQ, 0, note_value, &handled));
    OK(hsa_amd_memory_async_copy(b, gpu, a, cpu, BYTES, 1, &go, in));
    OK(hsa_amd_memory_async_copy(c, cpu, b, gpu, BYTES, 1, &in, out));
    SAME(hsa_signal_wait_scacquire(out, HSA_SIGNAL_CONDITION_EQ, 0, 10000000, HSA_WAIT_STATE_BLOCKED), 1);
    SAME(c[1], 0);
    hsa_signal_store_screlease(go, 0);
    wait_for(out);
    EXPECT(!memcmp(a, c, BYTES));
    wait_for(handled);
    OK(hsa_amd_profiling_get_async_copy_time(in, &to));
    OK(hsa_amd_profiling_get_async_copy_time(out, &back));
    EXPECT(to.end > to.start && back.start >= to.end && back.end > back.start);
    /* 1 MB in at least 1 us (1 TB/s), and in at most 1 ms (1 GB/s) */
    EXPECT(to.end - to.start > 1000 && to.end - to.start < 1000000);
    OK(hsa_amd_memory_fill(b + 4, 0x01020304, 8));
    OK(hsa_memory_copy(filled, b, sizeof filled));
    EXPECT(filled[1] == 0x01020304 && filled[8] == 0x01020304 && filled[9] == *(uint32_t *)(void *)(a + 36));
}

void virtual_memory(void)
{
    enum { SIZE = 2 << 20, N = 128 };
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, gpu};
    hsa_amd_vmem_alloc_handle_t handle;
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(1);
    uint32_t *h = allocate(fine, N * 4), *v;
    void *va = NULL;

    OK(hsa_amd_vmem_address_reserve(&va, SIZE, 0, 0));
    OK(hsa_amd_vmem_handle_create(coarse, SIZE, 0, 0, &handle));
    OK(hsa_amd_vmem_map(va, SIZE, 0, handle, 0));
    OK(hsa_amd_vmem_set_access(va, SIZE, &access, 1));
    v = va;
    for (uint32_t k = 0; k < N; k++)
        h[k] = k;
    dispatch(q, kernel_object("scale"), N / 64, (struct arguments){h, v + 1000, 4}, done);
    wait_for(done);
    hsa_signal_store_relaxed(done, 1);
    dispatch(q, kernel_object("scale"), N / 64, (struct arguments){v + 1000, h, 2}, done);
    wait_for(done);
    for (uint32_t k = 0; k < N; k++)
        SAME(h[k], 11 * k);
    OK(hsa_amd_vmem_unmap(va, SIZE));
    OK(hsa_amd_vmem_handle_release(handle));
    OK(hsa_amd_vmem_address_free(va, SIZE));
    OK(hsa_queue_destroy(q));
}

/* Memory of malloc(), which the program lets the GPU use. */
void shared_memory(void)
{
    enum { N = 4096 };
    uint32_t *p = aligned_alloc(4096, N * 4), *locked = NULL, *other = malloc(N * 4);
    hsa_amd_svm_attribute_pair_t may = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu.handle};
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t done = new_signal(1);
    bool supported = false;

    OK(hsa_system_get_info((hsa_system_info_t)HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, &supported));
    EXPECT(supported);
    OK(hsa_amd_svm_attributes_set(p, N * 4, &may, 1));
    OK(hsa_amd_memory_lock(other, N * 4, &gpu, 1, (void **)&locked));
    for (uint32_t k = 0; k < N; k++)
        p[k] = k + 1;
    dispatch(q, kernel_object("scale"), N / 64, (struct arguments){p, locked, 3}, done);
    wait_for(done);
    for (uint32_t k = 0; k < N; k++)
        SAME(other[k], 4 * k + 3);
    OK(hsa_amd_memory_unlock(other));
    OK(hsa_queue_destroy(q));
    free(p);
    free(other);
}

/* Counts of hsa_init(), as of two libraries in one program that do not know of one another. */
void references(void)
{
    uint16_t major = 0;

    OK(hsa_init());
    OK(hsa_init());
    OK(hsa_shut_down());
    OK(hsa_shut_down());
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
    SAME(major, 1);
    dispatches();
}
