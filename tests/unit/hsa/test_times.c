/* Times of packets and copies as OpenCL receives them: no earlier than CLOCK_MONOTONIC had it when they were submitted,
 * in order, and as long as what is simulated. The process has AMD's OpenCL, as its list of libraries says. */
#define _GNU_SOURCE
#include "tests/unit/hsa/code_fixture.h"

#include <link.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/memory/memory.h"

typedef int phdr_fn(struct dl_phdr_info *info, size_t size, void *data);
int __real_dl_iterate_phdr(phdr_fn *fn, void *data);
int __wrap_dl_iterate_phdr(phdr_fn *fn, void *data);

int __wrap_dl_iterate_phdr(phdr_fn *fn, void *data)
{
    struct dl_phdr_info opencl = {.dlpi_name = "/usr/lib/libamdocl64.so.2"};
    int answer = fn(&opencl, sizeof opencl, data);

    return answer ? answer : __real_dl_iterate_phdr(fn, data);
}

static void wait_for(hsa_signal_t s)
{
    assert_int_equal(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
}

static void test_packets(void **state)
{
    hsa_amd_profiling_dispatch_time_t t;
    uint64_t last = 0;
    hsa_signal_t done;
    hsa_queue_t *q;

    (void)state;
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q), 0);
    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    for (uint64_t k = 0; k < 8; k++) {
        hsa_barrier_and_packet_t *p = (hsa_barrier_and_packet_t *)q->base_address + k;
        uint64_t submitted = clock_real_ns();

        hsa_signal_store_relaxed(done, 1);
        p->completion_signal = done;
        hsa_queue_add_write_index_relaxed(q, 1);
        __atomic_store_n((uint32_t *)(void *)p, HSA_PACKET_TYPE_BARRIER_AND, __ATOMIC_RELEASE);
        hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)k);
        wait_for(done);
        assert_int_equal(hsa_amd_profiling_get_dispatch_time(gfx90a, done, &t), 0);
        assert_true(submitted <= t.start && t.start <= t.end && last <= t.start);
        assert_true(t.end <= clock_real_ns()); /* it takes no time */
        last = t.end;
    }
    assert_int_equal(hsa_signal_destroy(done), 0);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

static void test_copies(void **state)
{
    hsa_amd_profiling_async_copy_time_t t;
    static char from[4096], to[4096];
    uint64_t took = 0;
    hsa_signal_t done;

    (void)state;
    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    for (unsigned k = 0; k < 8; k++) {
        uint64_t submitted = clock_real_ns();

        hsa_signal_store_relaxed(done, 1);
        assert_int_equal(hsa_amd_memory_async_copy(to, gfx90a, from, cpu, sizeof to, 0, NULL, done), 0);
        wait_for(done);
        assert_int_equal(hsa_amd_profiling_get_async_copy_time(done, &t), 0);
        assert_true(submitted <= t.start && t.start < t.end);
        if (took)
            assert_int_equal(t.end - t.start, took);
        took = t.end - t.start;
    }
    assert_int_equal(hsa_signal_destroy(done), 0);
}

/* OpenCL would take the extension for images that work. */
static void test_images(void **state)
{
    uint8_t extensions[128];

    (void)state;
    assert_int_equal(hsa_agent_get_info(gfx90a, HSA_AGENT_INFO_EXTENSIONS, extensions), 0);
    assert_int_equal(extensions[0] >> HSA_EXTENSION_IMAGES & 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_images),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
