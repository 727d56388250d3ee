/* What the packet loop makes of packets, and what of it a command processor, an engine and a sink learn. All three
 * are this file's own: nothing runs but what a test runs. */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/queues/packet_loop.h"

enum { PACKETS = 8 };

/* The command processor: counts what it is asked. */
static struct {
    unsigned added, removed, rung;
    bool refuses; /* queues */
} processor;

static bool add(struct queue *q)
{
    (void)q;
    processor.added++;
    return !processor.refuses;
}

static bool remove_queue(struct queue *q)
{
    (void)q;
    processor.removed++;
    return true;
}

static void rung(struct queue *q)
{
    (void)q;
    processor.rung++;
}

/* The engine: one dispatch, which run() ends without a result. */
static struct {
    struct dispatch d;
    unsigned taken, given_back, run;
    bool full, ends_queue;
} engine;

static struct dispatch *take_dispatch(void *ctx)
{
    assert_ptr_equal(ctx, &engine);
    engine.taken++;
    return engine.full ? NULL : &engine.d;
}

static void give_back(void *ctx, struct dispatch *d)
{
    (void)ctx;
    assert_ptr_equal(d, &engine.d);
    engine.given_back++;
}

static bool run(void *ctx, struct dispatch *d)
{
    struct packet p = d->packet;

    (void)ctx;
    engine.run++;
    dispatch_begins(d);
    assert_int_equal(dispatch_end(d, NULL, 100, 130, 0), HSA_STATUS_SUCCESS);
    queue_end(d->queue, &p, 100, 130, 130);
    return !engine.ends_queue;
}

/* The sink. */
static struct {
    unsigned begun, ended;
    struct dispatch_record last;
} sink;

static void begins(struct dispatch *d)
{
    assert_ptr_equal(d, &engine.d);
    sink.begun++;
}

static void ended(const struct dispatch *d, const struct dispatch_record *r)
{
    assert_ptr_equal(d, &engine.d);
    sink.ended++;
    sink.last = *r;
}

static hsa_queue_t *queue;
static hsa_status_t told; /* to the queue's callback */
static hsa_signal_t done;

static void on_error(hsa_status_t status, hsa_queue_t *source, void *data)
{
    (void)data;
    assert_ptr_equal(source, queue);
    told = status;
}

static int begin_test(void **state)
{
    (void)state;
    memset(&processor, 0, sizeof processor);
    memset(&engine, 0, sizeof engine);
    memset(&sink, 0, sizeof sink);
    told = HSA_STATUS_SUCCESS;
    return hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS ||
           hsa_queue_create(gfx90a, PACKETS, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX, UINT32_MAX, &queue) !=
               HSA_STATUS_SUCCESS;
}

static int end_test(void **state)
{
    (void)state;
    return hsa_queue_destroy(queue) != HSA_STATUS_SUCCESS || hsa_signal_destroy(done) != HSA_STATUS_SUCCESS;
}

/* Puts a packet into the queue, rings, and has the loop begin it. */
static bool begin(const hsa_kernel_dispatch_packet_t *what, unsigned type)
{
    static const struct packet_engine own = {take_dispatch, give_back, run};
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *to = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % PACKETS;
    struct queue *q = queue_find(queue);
    struct packet p;

    *to = *what;
    to->completion_signal = done;
    __atomic_store_n(&to->header, (uint16_t)(type << HSA_PACKET_HEADER_TYPE), __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
    queue_next(q, &p);
    assert_true(p.kind != PACKET_NONE && p.kind != PACKET_WAITS && p.index == index);
    return packet_begin(q, &p, &own, &engine);
}

/* The queue has ended with the status, and the log says why. */
static void assert_ended(hsa_status_t status, const char *why)
{
    const struct queue *q = queue_find(queue);

    assert_int_equal(told, status);
    assert_true(logged(why));
    assert_false(queue_goes_on(q));
    assert_true(q->abort); /* what runs ends, too */
    assert_int_equal(hsa_signal_load_relaxed(done), 1);
    assert_int_equal(engine.run + sink.begun + sink.ended, 0);
}

static void queues_know_a_processor(void **state)
{
    hsa_queue_t *other = NULL;

    (void)state;
    assert_int_equal(processor.added, 1);
    hsa_signal_store_relaxed(queue->doorbell_signal, 0);
    assert_int_equal(processor.rung, 1);
    hsa_signal_store_relaxed(done, 1);
    assert_int_equal(processor.rung, 1);
    processor.refuses = true;
    assert_int_equal(hsa_queue_create(gfx90a, PACKETS, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &other),
                     HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(processor.added, 2);
    assert_int_equal(processor.removed, 0);
    processor.refuses = false;
    assert_int_equal(hsa_queue_create(gfx90a, PACKETS, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &other), 0);
    assert_int_equal(hsa_queue_destroy(other), 0);
    assert_int_equal(processor.removed, 1);
}

static void barriers_end_at_once(void **state)
{
    (void)state;
    assert_true(begin(&(hsa_kernel_dispatch_packet_t){0}, HSA_PACKET_TYPE_BARRIER_AND));
    assert_int_equal(hsa_signal_load_relaxed(done), 0);
    assert_int_equal(hsa_queue_load_read_index_relaxed(queue), 1);
    assert_int_equal(processor.rung, 1);
    assert_int_equal(engine.taken, 0);
}

static void malformed(void **state)
{
    (void)state;
    assert_false(begin(&(hsa_kernel_dispatch_packet_t){0}, 77));
    assert_ended(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "packet 0: ");
    assert_int_equal(engine.taken, 0);
}

static hsa_kernel_dispatch_packet_t packet_of(uint64_t kernel)
{
    return (hsa_kernel_dispatch_packet_t){.setup = 1,
                                          .workgroup_size_x = 64,
                                          .workgroup_size_y = 1,
                                          .workgroup_size_z = 1,
                                          .grid_size_x = 64,
                                          .grid_size_y = 1,
                                          .grid_size_z = 1,
                                          .kernel_object = kernel};
}

static void no_kernel(void **state)
{
    hsa_kernel_dispatch_packet_t p = packet_of(64);

    (void)state;
    assert_false(begin(&p, HSA_PACKET_TYPE_KERNEL_DISPATCH));
    assert_ended(HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "kernel object 0x40 is no kernel");
    assert_true(engine.taken == 1 && engine.given_back == 1);
}

static void no_memory(void **state)
{
    hsa_kernel_dispatch_packet_t p = packet_of(64);

    (void)state;
    engine.full = true;
    assert_false(begin(&p, HSA_PACKET_TYPE_KERNEL_DISPATCH));
    assert_ended(HSA_STATUS_ERROR_OUT_OF_RESOURCES, "packet 0: out of host memory for a dispatch");
    assert_true(engine.taken == 1 && engine.given_back == 0);
}

static void kernels_run(void **state)
{
    hsa_executable_t x = new_executable();

    (void)state;
    assert_int_equal(load_file(x, gfx90a, VECADD), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    hsa_kernel_dispatch_packet_t p =
        packet_of(symbol_u64(symbol_of(x, "vecadd.kd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT));
    assert_true(begin(&p, HSA_PACKET_TYPE_KERNEL_DISPATCH));
    assert_true(engine.taken == 1 && engine.run == 1 && engine.given_back == 0);
    assert_int_equal(hsa_signal_load_relaxed(done), 0);
    assert_true(sink.begun == 1 && sink.ended == 1);
    assert_true(sink.last.start_ns == 100 && sink.last.end_ns == 130 && sink.last.grid[0] == 64);
    assert_string_equal(sink.last.kernel, "vecadd");
    uint64_t first = sink.last.number;
    engine.ends_queue = true;
    assert_false(begin(&p, HSA_PACKET_TYPE_KERNEL_DISPATCH));
    assert_int_equal(sink.last.number, first + 1);
    assert_int_equal(dispatches_running(), 0);
    assert_int_equal(told, HSA_STATUS_SUCCESS);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

static int start(void **state)
{
    static const struct command_processor own = {.add = add, .remove = remove_queue, .rung = rung};
    static const struct dispatch_sink to = {begins, ended};
    int failed = start_runtime(state);

    queues_serve(&own);
    dispatches_report_to(&to);
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(queues_know_a_processor, begin_test, end_test),
        cmocka_unit_test_setup_teardown(barriers_end_at_once, begin_test, end_test),
        cmocka_unit_test_setup_teardown(malformed, begin_test, end_test),
        cmocka_unit_test_setup_teardown(no_kernel, begin_test, end_test),
        cmocka_unit_test_setup_teardown(no_memory, begin_test, end_test),
        cmocka_unit_test_setup_teardown(kernels_run, begin_test, end_test),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
