/* Queues on the timing engine: when kernels of one queue and of several begin and end in simulated time, and what ends
 * a queue. */
#include "tests/unit/hsa/memory_fixture.h"

#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/queue.h"

#define ITEMS 64u

struct args {
    const float *a, *b;
    float *c;
    uint32_t n;
};

enum { SLOTS = 16, MANY = 20 };

static uint64_t kernel;
static struct args *args;
static const struct device *device;

static int start(void **state)
{
    hsa_executable_t x;
    float *memory;

    setenv("GCNSIM_ENGINE", "timing", 1);
    if (start_runtime(state))
        return 1;
    device = agent_of(gfx1201)->device;
    x = new_executable();
    assert_int_equal(load_file(x, gfx1201, "traces/samples/gfx1201/vecadd.co"), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    kernel = symbol_u64(symbol_of(x, "vecadd.kd", &gfx1201), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    assert_int_equal(memory_allocate(pool(gfx1201, POOL_COARSE), 3 * ITEMS * 4, (void **)&memory), 0);
    assert_int_equal(memory_allocate(pool(cpu, POOL_KERNARG), 2 * 4096, (void **)&args), 0);
    for (unsigned k = 0; k < 2 * ITEMS; k++)
        memory[k] = (float)k;
    args[0] = (struct args){memory, memory + ITEMS, memory + 2 * ITEMS, ITEMS};
    args[1] = (struct args){memory, memory, (float *)(uintptr_t)64, ITEMS}; /* faults */
    return 0;
}

static hsa_signal_t signal_of(hsa_signal_value_t value)
{
    hsa_signal_t s = {0};

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), 0);
    return s;
}

/* Puts a packet of one workgroup into the queue; the fences' scope is the same. Does not ring. */
static void put(hsa_queue_t *q, const struct args *with, bool barrier, unsigned scope, hsa_signal_t done)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(q, 1);
    hsa_kernel_dispatch_packet_t *to = (hsa_kernel_dispatch_packet_t *)q->base_address + index % q->size;
    hsa_kernel_dispatch_packet_t p = {.setup = 1,
                                      .workgroup_size_x = ITEMS,
                                      .grid_size_x = ITEMS,
                                      .kernel_object = kernel,
                                      .kernarg_address = (void *)(uintptr_t)with,
                                      .completion_signal = done};

    memcpy((char *)to + 2, (char *)&p + 2, sizeof p - 2);
    __atomic_store_n(
        &to->header,
        (uint16_t)(HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | barrier << HSA_PACKET_HEADER_BARRIER |
                   scope << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE | scope << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE),
        __ATOMIC_RELEASE);
}

static void ring(hsa_queue_t *q)
{
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)hsa_queue_load_write_index_relaxed(q) - 1);
}

static hsa_queue_t *make(void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data)
{
    hsa_queue_t *q = NULL;

    assert_int_equal(hsa_queue_create(gfx1201, SLOTS, HSA_QUEUE_TYPE_MULTI, callback, data, 0, 0, &q), 0);
    return q;
}

static void await_zero(hsa_signal_t s)
{
    assert_int_equal(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, 0), 0);
}

/* Cycles of the clock are less than a nanosecond: times are those in which the next cycle begins. */
static void expect_time(uint64_t is, uint64_t want)
{
    if (is < want || is > want + 2)
        fail_msg("%lld ns after what is right", (long long)(is - want));
}

/* The first begins when its packet has been dealt with; one with the barrier bit when the one before has; and what they
 * take is the same, when nothing has to come from memory any more. */
static void one_after_the_other(void **state)
{
    hsa_signal_t done[4];
    hsa_queue_t *q = make(NULL, NULL);
    const uint64_t now = clock_host();
    uint64_t took = 0, ends = 0;
    const float *c = args[0].c;

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        done[k] = signal_of(1);
        put(q, &args[0], k > 0, k == 1 ? HSA_FENCE_SCOPE_SYSTEM : k == 2 ? HSA_FENCE_SCOPE_AGENT : 0, done[k]);
    }
    ring(q);
    await_zero(done[3]);
    for (unsigned k = 0; k < 4; k++) {
        const struct signal *s = signal_find(done[k]);
        const uint64_t acquire = k == 1 || k == 2 ? device->acquire_ns : 0;
        const uint64_t write_back = k == 2 ? device->write_back_ns : 0; /* that of the one before */

        expect_time(signal_start_ns(s), (k ? ends + device->after_ns + write_back : now) + device->before_ns + acquire);
        ends = signal_end_ns(s);
        assert_true(ends > signal_start_ns(s));
        if (k == 3)
            assert_true(ends - signal_start_ns(s) < took);
        if (k == 0)
            took = ends - signal_start_ns(s);
        assert_int_equal(hsa_signal_destroy(done[k]), 0);
    }
    assert_true(clock_host() == ends);
    for (unsigned k = 0; k < ITEMS; k++)
        assert_true(c[k] == (float)(2 * k + ITEMS));
    assert_int_equal(hsa_queue_load_read_index_relaxed(q), 4);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* Kernels of several queues, and those without the barrier bit, run beside one another. */
static void beside_one_another(void **state)
{
    hsa_signal_t done[MANY];
    hsa_queue_t *q[MANY];
    uint64_t last = 0, end = UINT64_MAX;

    (void)state;
    for (unsigned k = 0; k < MANY; k++) {
        q[k] = make(NULL, NULL);
        done[k] = signal_of(2);
        put(q[k], &args[0], false, 0, done[k]);
        put(q[k], &args[0], false, 0, done[k]);
    }
    for (unsigned k = 0; k < MANY; k++)
        ring(q[k]);
    for (unsigned k = 0; k < MANY; k++) {
        await_zero(done[k]);
        const struct signal *s = signal_find(done[k]);
        last = signal_start_ns(s) > last ? signal_start_ns(s) : last;
        end = signal_end_ns(s) < end ? signal_end_ns(s) : end;
    }
    assert_true(last < end); /* all have begun before any has ended */
    for (unsigned k = 0; k < MANY; k++) {
        assert_int_equal(hsa_queue_destroy(q[MANY - 1 - k]), 0);
        assert_int_equal(hsa_signal_destroy(done[k]), 0);
    }
}

/* What an error tells, and who destroys his queue there. */
struct told {
    hsa_status_t status;
    bool destroys;
    hsa_signal_t done;
};

static void on_error(hsa_status_t status, hsa_queue_t *q, void *data)
{
    struct told *t = data;

    t->status = status;
    if (t->destroys)
        assert_int_equal(hsa_queue_destroy(q), 0);
    hsa_signal_store_screlease(t->done, 0);
}

static void errors(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct told told = {.destroys = k & 1, .done = signal_of(1)};
        hsa_signal_t never = signal_of(1), after = signal_of(1);
        hsa_queue_t *q = make(on_error, &told);

        if (k < 2)
            put(q, &args[1], false, 0, never);
        else
            hsa_queue_add_write_index_relaxed(q, 1),
                __atomic_store_n((uint16_t *)q->base_address, 77, __ATOMIC_RELEASE);
        put(q, &args[0], true, 0, after);
        ring(q);
        await_zero(told.done);
        assert_int_equal(told.status,
                         k < 2 ? (int)HSA_STATUS_ERROR_MEMORY_FAULT : (int)HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
        if (!told.destroys) {
            assert_false(queue_goes_on(queue_find(q)));
            assert_int_equal(hsa_queue_destroy(q), 0);
        }
        assert_int_equal(hsa_signal_load_relaxed(never), 1);
        assert_int_equal(hsa_signal_load_relaxed(after), 1); /* what comes after it never begins */
        hsa_signal_destroy(never);
        hsa_signal_destroy(after);
        hsa_signal_destroy(told.done);
    }
    /* and the device goes on for others */
    hsa_signal_t done = signal_of(1);
    hsa_queue_t *q = make(NULL, NULL);
    put(q, &args[0], false, 0, done);
    ring(q);
    await_zero(done);
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_signal_destroy(done), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(beside_one_another),
        cmocka_unit_test(errors),
    };

    return cmocka_run_group_tests(tests, start, stop_runtime);
}
