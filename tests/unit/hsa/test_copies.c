/* Copies: the bytes of rows in layers, the simulated time of each engine, and what they wait for. */
#include "tests/unit/hsa/memory_fixture.h"

#include "sim/hsa/agents/device.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/copy.h"

enum { START_NS = 1500, BYTES = 1 << 20 };

static uint8_t *device[2], *host; /* memory of either GPU */

static int start(void **state)
{
    return start_runtime(state) || memory_allocate(pool(gfx90a, POOL_COARSE), BYTES, (void **)&device[0]) ||
           memory_allocate(pool(gfx1201, POOL_COARSE), BYTES, (void **)&device[1]) ||
           memory_allocate(pool(cpu, POOL_FINE), BYTES, (void **)&host);
}

static hsa_signal_t signal_of(hsa_signal_value_t value)
{
    hsa_signal_t s = {0};

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), 0);
    return s;
}

/* A copy takes what starting it does, and its bytes at the rate of what they go through; a direction's engine does one
 * after the other, and those of other directions and GPUs do not wait. */
static void times(void **state)
{
    const struct device *a = agent_of(gfx90a)->device, *b = agent_of(gfx1201)->device;
    const uint64_t now = clock_host() + 1000000, link = (uint64_t)(BYTES / a->link_bytes_per_ns),
                   within = (uint64_t)(BYTES / (a->memory_bytes_per_ns / 2)),
                   other = (uint64_t)(BYTES / b->link_bytes_per_ns);
    const struct {
        void *to, *from;
        hsa_agent_t to_agent, from_agent;
        uint64_t start, takes;
    } rows[] = {{device[0], host, gfx90a, cpu, 0, link},
                {host, device[0], cpu, gfx90a, 0, link},
                {device[0], device[1], gfx90a, gfx1201, 0, within},
                {device[1], host, gfx1201, cpu, 0, other},
                {device[0], host, gfx90a, cpu, START_NS + link, link},
                {host, host, cpu, cpu, 0, BYTES / 16}};

    (void)state;
    clock_host_reach(now); /* all engines are free */
    hsa_signal_t done[6];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        done[k] = signal_of(1);
        assert_int_equal(hsa_amd_memory_async_copy(rows[k].to, rows[k].to_agent, rows[k].from, rows[k].from_agent,
                                                   BYTES, 0, NULL, done[k]),
                         0);
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct signal *s = signal_find(done[k]);
        if (signal_start_ns(s) != now + rows[k].start ||
            signal_end_ns(s) != now + rows[k].start + START_NS + rows[k].takes)
            fail_msg("row %zu: %lld", k, (long long)(signal_start_ns(s) - now));
        assert_int_equal(hsa_signal_destroy(done[k]), 0);
    }
}

/* The engine of a copy of boxes is said by its direction; the bytes are those of all rows in all layers. */
static void times_of_boxes(void **state)
{
    static const struct {
        hsa_amd_copy_direction_t direction;
        bool within, waits; /* for the row before it */
    } rows[] = {{hsaHostToDevice, false, false}, {hsaHostToDevice, false, true},   {hsaDeviceToHost, false, false},
                {hsaDeviceToHost, false, true},  {hsaDeviceToDevice, true, false}, {hsaHostToHost, true, true}};
    const struct device *d = agent_of(gfx90a)->device;
    const hsa_pitched_ptr_t dst = {device[0], 1024, 65536}, src = {host, 1024, 65536};
    const hsa_dim3_t zero = {0, 0, 0}, box = {1000, 60, 16};
    const double bytes = 1000 * 60 * 16;
    uint64_t now = clock_host() + 1000000, last = 0;

    (void)state;
    clock_host_reach(now);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t takes =
            START_NS + (uint64_t)(bytes / (rows[k].within ? d->memory_bytes_per_ns / 2 : d->link_bytes_per_ns));
        hsa_signal_t done = signal_of(1);

        assert_int_equal(
            hsa_amd_memory_async_copy_rect(&dst, &zero, &src, &zero, &box, gfx90a, rows[k].direction, 0, NULL, done),
            0);
        const struct signal *s = signal_find(done);
        uint64_t starts = rows[k].waits ? last : now;
        if (signal_start_ns(s) != starts || signal_end_ns(s) != starts + takes)
            fail_msg("row %zu: %lld", k, (long long)(signal_start_ns(s) - now));
        last = signal_end_ns(s);
        assert_int_equal(hsa_signal_destroy(done), 0);
    }
}

struct listed {
    unsigned count;
    struct copy_wait last;
};

static void note(const struct copy_wait *c, void *ctx)
{
    struct listed *l = ctx;

    l->count++;
    l->last = *c;
}

/* One that has to wait is listed, is done when the last signal comes, and begins when that was completed. */
static void dependencies(void **state)
{
    const uint64_t now = clock_host() + 1000000;
    hsa_signal_t dep[4] = {signal_of(1), {0}, signal_of(2), signal_of(1)}, done = signal_of(1);
    struct listed l = {0};

    (void)state;
    clock_host_reach(now);
    assert_int_equal(hsa_amd_memory_async_copy(device[0], gfx90a, host, cpu, 100, 4, dep, done), 0);
    assert_int_equal(hsa_amd_memory_async_copy(device[0] + 1000, gfx90a, host, cpu, 300, 1, dep, (hsa_signal_t){0}), 0);
    copies_each(note, &l);
    assert_true(l.count == 2 && l.last.bytes == 300 && l.last.count == 1 && l.last.completion.handle == 0);
    assert_true(l.last.on[0].handle == dep[0].handle);
    host[99] = 5;
    device[0][99] = 0;
    signal_complete(signal_find(dep[2]), now + 10, now + 20);
    assert_int_equal(hsa_signal_destroy(dep[3]), 0); /* it is over, too */
    signal_complete(signal_find(dep[0]), now + 30, now + 400);
    assert_int_equal(hsa_signal_load_relaxed(done), 1);
    assert_int_equal(device[0][99], 0);
    signal_complete(signal_find(dep[2]), now + 40, now + 50);
    assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, 0), 0);
    assert_int_equal(device[0][99], 5);
    assert_true(signal_start_ns(signal_find(done)) >= now + 400); /* behind the other one, maybe */
    do {
        l.count = 0;
        copies_each(note, &l);
    } while (l.count);
    for (unsigned k = 0; k < 3; k += 2)
        assert_int_equal(hsa_signal_destroy(dep[k]), 0);
    assert_int_equal(hsa_signal_destroy(done), 0);
}

/* Overlapping ones, and those at addresses of locked memory of its own, are the bytes that were there. */
static void bytes(void **state)
{
    static uint8_t locked[4096];
    uint32_t mask = 0;
    uint8_t *d;

    (void)state;
    for (unsigned k = 0; k < 200; k++)
        host[k] = (uint8_t)k;
    assert_int_equal(hsa_memory_copy(host + 10, host, 100), 0);
    for (unsigned k = 0; k < 200; k++)
        assert_int_equal(host[k], k >= 10 && k < 110 ? k - 10 : k);
    assert_int_equal(hsa_amd_memory_lock_to_pool(locked, sizeof locked, NULL, 0,
                                                 (hsa_amd_memory_pool_t){pool_handle(pool(cpu, POOL_FINE))}, 0,
                                                 (void **)&d),
                     0);
    assert_ptr_not_equal(d, locked);
    assert_int_equal(hsa_memory_copy(d + 100, host, 50), 0);
    assert_memory_equal(locked + 100, host, 50);
    assert_int_equal(hsa_memory_copy(device[0], d + 100, 50), 0);
    assert_memory_equal(device[0], host, 50);
    hsa_signal_t done = signal_of(2);
    assert_int_equal(hsa_amd_memory_async_copy(d + 300, gfx90a, host + 5, cpu, 60, 0, NULL, done), 0);
    assert_memory_equal(locked + 300, host + 5, 60);
    assert_int_equal(locked[360], 0);
    assert_int_equal(
        hsa_amd_memory_async_copy_on_engine(device[0] + 7, gfx90a, d + 300, cpu, 60, 0, NULL, done, 1, true), 0);
    assert_memory_equal(device[0] + 7, host + 5, 60);
    assert_int_equal(hsa_signal_load_relaxed(done), 0);
    assert_int_equal(hsa_amd_memory_unlock(locked), 0);
    assert_int_equal(hsa_memory_copy(host, device[0], 0), 0);
    assert_int_equal(hsa_amd_memory_async_copy(NULL, gfx90a, host, cpu, 1, 0, NULL, done),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_async_copy(host, gfx90a, NULL, cpu, 1, 0, NULL, done),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_memory_async_copy(host, gfx90a, device[0], cpu, 1, 1, NULL, done),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_signal_load_relaxed(done), 0);
    assert_int_equal(hsa_amd_memory_get_preferred_copy_engine(gfx90a, cpu, &mask), 0);
    assert_int_equal(mask, 3);
    assert_int_equal(hsa_signal_destroy(done), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(times_of_boxes),
        cmocka_unit_test(dependencies),
        cmocka_unit_test(bytes),
    };

    return cmocka_run_group_tests(tests, start, stop_runtime);
}
