/* Queues: what they are made of, their indices and arrivals, what the next packet is and when it may begin, and ends in
 * any order. Nobody processes their packets but the tests. */
#include "tests/unit/hsa/barrier_value.h"
#include "tests/unit/hsa/memory_fixture.h"

#include "sim/hsa/core/clock.h"
#include "sim/hsa/queues/queue.h"

enum { SIZE = 8 };

static unsigned rings;

static bool add(struct queue *q)
{
    (void)q;
    return true;
}

static void rung(struct queue *q)
{
    (void)q;
    rings++;
}

static hsa_queue_t *make(void)
{
    hsa_queue_t *q = NULL;

    assert_int_equal(hsa_queue_create(gfx90a, SIZE, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q), 0);
    return q;
}

static hsa_signal_t signal_of(hsa_signal_value_t value)
{
    hsa_signal_t s = {0};

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), 0);
    return s;
}

static void *slot(hsa_queue_t *q, uint64_t index)
{
    return (uint8_t *)q->base_address + index % q->size * 64;
}

/* Writes a packet and makes it visible; does not ring. */
static void submit(hsa_queue_t *q, unsigned type, bool barrier, const void *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(q, 1);
    uint16_t header = (uint16_t)(type << HSA_PACKET_HEADER_TYPE | barrier << HSA_PACKET_HEADER_BARRIER);

    memcpy((char *)slot(q, index) + 2, (const char *)packet + 2, 62);
    __atomic_store_n((uint16_t *)slot(q, index), header, __ATOMIC_RELEASE);
}

static struct packet next(hsa_queue_t *q)
{
    struct packet p;

    queue_next(queue_find(q), &p);
    return p;
}

/* ---- life ---- */

static void creation(void **state)
{
    const struct {
        hsa_agent_t agent;
        uint32_t size;
        int type, status;
    } rows[] = {
        {{5}, 64, 0, HSA_STATUS_ERROR_INVALID_AGENT},          {gfx90a, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {gfx90a, 48, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},    {gfx90a, 64, 3, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {cpu, 64, 0, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION}, {cpu, 0, 0, HSA_STATUS_ERROR_INVALID_ARGUMENT},
        {gfx90a, 262144, 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES}};
    hsa_queue_t *q = (hsa_queue_t *)&rows, *other;

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = (int)hsa_queue_create(rows[k].agent, rows[k].size, rows[k].type, NULL, NULL, 0, 0, &q);
        if (status != rows[k].status)
            fail_msg("row %zu: 0x%x", k, (unsigned)status);
        assert_ptr_equal(q, &rows);
    }
    assert_int_equal(hsa_queue_create(gfx90a, 64, 0, NULL, NULL, 0, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (uint32_t size = 1; size <= 131072; size *= size == 1 ? 64 : 2048)
        for (int type = 0; type <= 2; type++) {
            assert_int_equal(hsa_queue_create(gfx90a, size, type, NULL, NULL, 0, 0, &q), 0);
            const amd_queue_t *a = (const amd_queue_t *)q;
            assert_true(q->size == size && q->type == (unsigned)type);
            assert_int_equal(q->features, HSA_QUEUE_FEATURE_KERNEL_DISPATCH);
            assert_int_equal((uintptr_t)q->base_address % 4096, 0);
            assert_int_equal(signal_queue(signal_find(q->doorbell_signal)) == queue_find(q), 1);
            assert_int_equal(a->read_dispatch_id_field_base_byte_offset, offsetof(amd_queue_t, read_dispatch_id));
            assert_int_equal(a->queue_properties, AMD_QUEUE_PROPERTIES_IS_PTR64);
            assert_int_equal(a->group_segment_aperture_base_hi, 0x10000);
            assert_int_equal(a->private_segment_aperture_base_hi, 0x20000);
            assert_int_equal(a->max_cu_id, 104 - 1);
            assert_int_equal(a->max_wave_id, 32 - 1);
            assert_int_equal(queue_find(q)->cooperative, type == HSA_QUEUE_TYPE_COOPERATIVE);
            for (uint32_t k = 0; k < size; k++)
                assert_int_equal(*(uint16_t *)slot(q, k), HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE);
            assert_int_equal(hsa_queue_create(gfx1201, 64, 0, NULL, NULL, 0, 0, &other), 0);
            assert_int_equal(other->id, q->id + 1);
            assert_int_equal(hsa_queue_destroy(other), 0);
            assert_int_equal(hsa_queue_destroy(q), 0);
            assert_null(queue_find(q));
        }
}

static void indices(void **state)
{
    hsa_queue_t *q = make();
    struct queue *own = queue_find(q);

    (void)state;
    assert_int_equal(hsa_queue_load_write_index_scacquire(q), 0);
    assert_int_equal(hsa_queue_add_write_index_scacq_screl(q, 3), 0);
    assert_int_equal(hsa_queue_add_write_index_relaxed(q, 2), 3);
    assert_int_equal(hsa_queue_load_write_index_relaxed(q), 5);
    assert_int_equal(hsa_queue_cas_write_index_relaxed(q, 4, 9), 5);
    assert_int_equal(hsa_queue_load_write_index_relaxed(q), 5);
    assert_int_equal(hsa_queue_cas_write_index_screlease(q, 5, 9), 5);
    assert_int_equal(hsa_queue_load_write_index_relaxed(q), 9);
    hsa_queue_store_write_index_relaxed(q, 4);
    assert_int_equal(hsa_queue_load_write_index_relaxed(q), 4);
    hsa_queue_store_read_index_relaxed(q, 2); /* the device's, not the program's */
    assert_int_equal(hsa_queue_load_read_index_relaxed(q), 0);
    assert_int_equal(hsa_queue_load_read_index_scacquire(q), 0);
    assert_int_equal(own->read, 0);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* What has been rung for, and when, goes as far as the write index, and no further than the ring. */
static void arrivals(void **state)
{
    hsa_queue_t *q = make();
    struct queue *own = queue_find(q);
    uint64_t first = clock_host();

    (void)state;
    rings = 0;
    hsa_queue_store_write_index_relaxed(q, 3);
    hsa_signal_store_relaxed(q->doorbell_signal, 2);
    assert_true(own->arrived == 3 && rings == 1);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(own->arrival_ns[k], first);
    assert_int_equal(own->arrival_ns[3], 0);
    clock_host_reach(first + 100);
    hsa_queue_store_write_index_relaxed(q, 5);
    hsa_signal_store_relaxed(q->doorbell_signal, 77); /* what is written does not matter */
    assert_true(own->arrived == 5 && rings == 2);
    assert_int_equal(own->arrival_ns[2], first);
    assert_int_equal(own->arrival_ns[4], first + 100);
    assert_int_equal(own->rung_at, host_calls(own->rung_by));
    hsa_queue_store_write_index_relaxed(q, 5 + SIZE + 3); /* reserved, for when there is room */
    hsa_signal_store_relaxed(q->doorbell_signal, 0);
    assert_int_equal(own->arrived, 5 + SIZE);
    hsa_signal_store_relaxed(q->doorbell_signal, 0);
    assert_int_equal(own->arrived, 5 + SIZE + 3);
    hsa_signal_store_relaxed(q->doorbell_signal, 0);
    assert_int_equal(own->arrived, 5 + SIZE + 3);
    assert_int_equal(rings, 5);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* ---- the next packet ---- */

static void nothing_and_reserved(void **state)
{
    hsa_barrier_and_packet_t b = {0};
    hsa_queue_t *q = make();

    (void)state;
    assert_int_equal(next(q).kind, PACKET_NONE);
    hsa_queue_add_write_index_relaxed(q, 1);
    assert_int_equal(next(q).kind, PACKET_NONE); /* not written yet */
    hsa_queue_store_write_index_relaxed(q, 0);
    submit(q, HSA_PACKET_TYPE_BARRIER_AND, false, &b);
    struct packet p = next(q);
    assert_true(p.kind == PACKET_BARRIER && p.index == 0 && p.slot == slot(q, 0));
    uint64_t now = clock_host();
    assert_true(p.at_ns == now && p.ready_ns == now); /* nobody has rung, and hardware may see it */
    hsa_signal_store_relaxed(q->doorbell_signal, 0);
    clock_host_reach(now + 10);
    p = next(q);
    assert_true(p.at_ns == now && p.ready_ns == now);
    for (unsigned k = 1; k < SIZE; k++)
        submit(q, HSA_PACKET_TYPE_BARRIER_AND, false, &b);
    struct queue *own = queue_find(q);
    for (unsigned k = 0; k < SIZE; k++) {
        p = next(q);
        assert_true(p.kind == PACKET_BARRIER && p.index == k);
        queue_begin(own, &p);
    }
    hsa_queue_add_write_index_relaxed(q, 1);
    assert_int_equal(next(q).kind, PACKET_NONE); /* the ring is full of what runs: its first slot is not the ninth */
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* A signal that was completed at a time. */
static hsa_signal_t completed(uint64_t ns)
{
    hsa_signal_t s = signal_of(1);

    signal_complete(signal_find(s), ns, ns);
    return s;
}

/* Barriers wait for all of their signals, or for the first of them; their time is that of what they have waited for. */
static void barriers(void **state)
{
    const uint64_t now = clock_host() + 1000;
    enum { NONE, LATE, LATER, OPEN };
    hsa_signal_t s[] = {{0}, completed(now + 10), completed(now + 20), signal_of(1)};
    const struct {
        uint8_t of[5];
        bool any, waits;
        uint64_t at;
    } rows[] = {
        {{NONE, NONE, NONE, NONE, NONE}, false, false, 0},   {{LATE, NONE, NONE, NONE, NONE}, false, false, 10},
        {{LATER, LATE, NONE, NONE, LATE}, false, false, 20}, {{NONE, NONE, NONE, NONE, LATER}, false, false, 20},
        {{LATE, NONE, NONE, NONE, OPEN}, false, true, 0},    {{OPEN, LATE, NONE, NONE, NONE}, false, true, 0},
        {{NONE, NONE, NONE, NONE, NONE}, true, false, 0},    {{LATER, LATE, LATER, NONE, NONE}, true, false, 10},
        {{OPEN, OPEN, NONE, NONE, LATER}, true, false, 20},  {{OPEN, NONE, NONE, NONE, NONE}, true, true, 0},
        {{NONE, NONE, NONE, NONE, OPEN}, true, true, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hsa_barrier_and_packet_t b = {.completion_signal = s[OPEN]};
        hsa_queue_t *q = make();

        for (unsigned n = 0; n < 5; n++)
            b.dep_signal[n] = s[rows[k].of[n]];
        submit(q, rows[k].any ? HSA_PACKET_TYPE_BARRIER_OR : HSA_PACKET_TYPE_BARRIER_AND, false, &b);
        struct packet p = next(q);
        if (p.kind != (rows[k].waits ? PACKET_WAITS : PACKET_BARRIER))
            fail_msg("row %zu: %d", k, p.kind);
        if (!rows[k].waits)
            assert_true(p.at_ns == (rows[k].at ? now + rows[k].at : clock_host()) && p.ready_ns == p.at_ns);
        assert_int_equal(p.completion.handle, s[OPEN].handle);
        assert_int_equal(hsa_queue_destroy(q), 0);
    }
    for (unsigned k = 1; k < 4; k++)
        assert_int_equal(hsa_signal_destroy(s[k]), 0);
}

/* AMD's barrier that compares a signal's value, under a mask. */
static void barriers_on_values(void **state)
{
    struct on_value b = {.format = FORMAT_ON_VALUE};
    const uint64_t now = clock_host() + 1000;
    hsa_signal_t s = completed(now + 30);
    const struct {
        hsa_signal_value_t is, value, mask;
        uint32_t condition;
        bool holds;
    } rows[] = {{0x15, 5, 0xf, HSA_SIGNAL_CONDITION_EQ, true},     {0x15, 5, -1, HSA_SIGNAL_CONDITION_EQ, false},
                {0x15, 5, 0xf, HSA_SIGNAL_CONDITION_NE, false},    {0x15, 0x15, -1, HSA_SIGNAL_CONDITION_GTE, true},
                {0x14, 0x15, -1, HSA_SIGNAL_CONDITION_GTE, false}, {0x14, 0x15, -1, HSA_SIGNAL_CONDITION_LT, true},
                {-1, 0, 0, HSA_SIGNAL_CONDITION_EQ, true}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hsa_queue_t *q = make();

        b.signal = s;
        b.value = rows[k].value;
        b.mask = rows[k].mask;
        b.condition = rows[k].condition;
        hsa_signal_store_relaxed(s, rows[k].is);
        submit(q, HSA_PACKET_TYPE_VENDOR_SPECIFIC, false, &b);
        struct packet p = next(q);
        if (p.kind != (rows[k].holds ? PACKET_BARRIER : PACKET_WAITS))
            fail_msg("row %zu: %d", k, p.kind);
        assert_true(p.ready_ns == (rows[k].holds ? now + 30 : clock_host()));
        assert_int_equal(hsa_queue_destroy(q), 0);
    }
    hsa_queue_t *q = make();
    b.signal.handle = 0;
    submit(q, HSA_PACKET_TYPE_VENDOR_SPECIFIC, false, &b); /* of none: it waits for nothing */
    assert_int_equal(next(q).kind, PACKET_BARRIER);
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_signal_destroy(s), 0);
}

static void wrong_packets(void **state)
{
    static const struct {
        unsigned type;
        uint8_t format;
        uint64_t word[5]; /* from byte 8 on */
        uint64_t completion;
        int status;
        const char *why;
    } rows[] = {
        {HSA_PACKET_TYPE_BARRIER_AND,
         0,
         {0, 0, 0, 0, 0x55},
         0,
         HSA_STATUS_ERROR_INVALID_SIGNAL,
         "its dependency 0x55 is no signal of this process"},
        {HSA_PACKET_TYPE_BARRIER_OR,
         0,
         {0x54},
         0,
         HSA_STATUS_ERROR_INVALID_SIGNAL,
         "its dependency 0x54 is no signal of this process"},
        {HSA_PACKET_TYPE_BARRIER_OR,
         0,
         {0},
         0x53,
         HSA_STATUS_ERROR_INVALID_SIGNAL,
         "its completion signal 0x53 is no signal of this process"},
        {HSA_PACKET_TYPE_KERNEL_DISPATCH,
         0,
         {0},
         0x52,
         HSA_STATUS_ERROR_INVALID_SIGNAL,
         "its completion signal 0x52 is no signal of this process"},
        {HSA_PACKET_TYPE_VENDOR_SPECIFIC,
         2,
         {0x51},
         0,
         HSA_STATUS_ERROR_INVALID_SIGNAL,
         "its dependency 0x51 is no signal of this process"},
        {HSA_PACKET_TYPE_VENDOR_SPECIFIC,
         1,
         {0},
         0,
         HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
         "a vendor packet of format 1; known is 2, a barrier on a signal's value"},
        {HSA_PACKET_TYPE_AGENT_DISPATCH,
         0,
         {0},
         0,
         HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
         "an agent dispatch packet, which a GPU's queue does not take"},
        {6, 0, {0}, 0, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "a packet of type 6, which there is not"},
        {255, 0, {0}, 0, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "a packet of type 255, which there is not"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t packet[8] = {(uint64_t)rows[k].format << 16};
        hsa_queue_t *q = make();

        memcpy(packet + 1, rows[k].word, sizeof rows[k].word);
        packet[7] = rows[k].completion;
        submit(q, rows[k].type, false, packet);
        struct packet p = next(q);
        if (p.kind != PACKET_BAD || (int)p.status != rows[k].status)
            fail_msg("row %zu: %d, 0x%x", k, p.kind, (unsigned)p.status);
        assert_string_equal(p.why, rows[k].why);
        assert_int_equal(hsa_queue_destroy(q), 0);
    }
}

/* ---- ends ---- */

static void end(hsa_queue_t *q, const struct packet *p, uint64_t start, uint64_t ends, uint64_t free_ns)
{
    queue_end(queue_find(q), p, start, ends, free_ns);
}

/* Slots come free in order, whatever the order of ends; each end completes its own signal; what has the barrier bit
 * waits for all before it, and begins no earlier than the queue is free. */
static void ends(void **state)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}};
    static const uint8_t reads[][3] = {{1, 2, 3}, {0, 0, 3}, {0, 0, 3}, {0, 2, 3}};
    const uint64_t now = clock_host();

    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        hsa_queue_t *q = make();
        struct queue *own = queue_find(q);
        struct packet p[3];
        hsa_signal_t done[4];

        for (unsigned n = 0; n < 4; n++) {
            done[n] = signal_of(5);
            hsa_kernel_dispatch_packet_t packet = {.completion_signal = done[n], .kernel_object = n};
            submit(q, HSA_PACKET_TYPE_KERNEL_DISPATCH, n == 3, &packet);
        }
        for (unsigned n = 0; n < 3; n++) {
            p[n] = next(q);
            assert_true(p[n].kind == PACKET_KERNEL && p[n].index == n && p[n].kernel.kernel_object == n);
            assert_true(p[n].at_ns == now && p[n].gap_from_ns == 0);
            queue_begin(own, &p[n]);
            assert_int_equal(own->begun, n + 1);
        }
        for (unsigned n = 0; n < 3; n++) {
            const unsigned which = orders[k][n];

            assert_int_equal(next(q).kind, PACKET_WAITS);
            end(q, &p[which], now + 100 + which, now + 200 + which, now + 300 + which);
            assert_int_equal(hsa_queue_load_read_index_relaxed(q), reads[k][n]);
            assert_int_equal(own->read, reads[k][n]);
            for (unsigned at = 0; at < 4; at++)
                assert_int_equal(*(uint16_t *)slot(q, at) >> HSA_PACKET_HEADER_TYPE & 0xff,
                                 at < reads[k][n] ? HSA_PACKET_TYPE_INVALID : HSA_PACKET_TYPE_KERNEL_DISPATCH);
            const struct signal *s = signal_find(done[which]);
            assert_int_equal(signal_value(s), 4);
            assert_true(signal_start_ns(s) == now + 100 + which && signal_end_ns(s) == now + 200 + which);
        }
        p[0] = next(q);
        assert_true(p[0].kind == PACKET_KERNEL && p[0].index == 3);
        assert_true(p[0].at_ns == now + 302 && p[0].ready_ns == now);
        assert_int_equal(p[0].gap_from_ns, now + 202); /* the last end of a kernel, for which it was ready */
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(hsa_signal_destroy(done[n]), 0);
        assert_int_equal(hsa_queue_destroy(q), 0);
    }
}

/* The gap before a kernel begins when its queue's kernels have ended, it is ready, and no barrier holds it. */
static void gaps(void **state)
{
    const uint64_t now = clock_host() + 5000;
    const struct {
        uint64_t ready, kernel_end, held, from;
    } rows[] = {{10, 20, 5, 20}, {30, 20, 5, 30}, {10, 20, 25, 25}, {10, 0, 25, 0}};
    hsa_kernel_dispatch_packet_t packet = {0};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hsa_queue_t *q = make();
        struct queue *own = queue_find(q);

        submit(q, HSA_PACKET_TYPE_KERNEL_DISPATCH, false, &packet);
        own->arrived = 1;
        own->arrival_ns[0] = now + rows[k].ready;
        own->kernel_end_ns = rows[k].kernel_end ? now + rows[k].kernel_end : 0;
        own->held_ns = now + rows[k].held;
        own->free_ns = now + 100; /* of what has the barrier bit alone */
        struct packet p = next(q);
        assert_true(p.gap_from_ns == (rows[k].from ? now + rows[k].from : 0));
        assert_true(p.at_ns == now + rows[k].ready && p.ready_ns == p.at_ns);
        assert_int_equal(hsa_queue_destroy(q), 0);
    }
    /* barriers hold until they were ready, kernels until their ends; neither goes back */
    hsa_queue_t *q = make();
    struct queue *own = queue_find(q);
    const struct packet barrier = {.kind = PACKET_BARRIER, .ready_ns = 50}, kernel = {.kind = PACKET_KERNEL};
    queue_end(own, &barrier, 60, 60, 60);
    assert_true(own->held_ns == 50 && own->free_ns == 60 && own->kernel_end_ns == 0);
    queue_end(own, &kernel, 60, 80, 90);
    assert_true(own->held_ns == 50 && own->free_ns == 90 && own->kernel_end_ns == 80);
    queue_end(own, &kernel, 60, 70, 75);
    queue_end(own, &(struct packet){.kind = PACKET_BARRIER, .ready_ns = 40}, 60, 60, 60);
    assert_true(own->held_ns == 50 && own->free_ns == 90 && own->kernel_end_ns == 80);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* ---- errors ---- */

static void note_error(hsa_status_t status, hsa_queue_t *q, void *data)
{
    (void)q;
    *(hsa_status_t *)data = status;
}

static void errors(void **state)
{
    hsa_status_t told = HSA_STATUS_SUCCESS;
    hsa_signal_t s = signal_of(1);
    hsa_queue_t *q;

    (void)state;
    assert_int_equal(hsa_queue_create(gfx90a, SIZE, 0, note_error, &told, 0, 0, &q), 0);
    ((amd_queue_t *)q)->queue_inactive_signal = s;
    assert_true(queue_goes_on(queue_find(q)));
    queue_error(queue_find(q), HSA_STATUS_ERROR_EXCEPTION);
    assert_int_equal(told, HSA_STATUS_ERROR_EXCEPTION);
    assert_int_equal(hsa_signal_load_relaxed(s), HSA_STATUS_ERROR_EXCEPTION); /* device code looks at it */
    assert_false(queue_goes_on(queue_find(q)));
    assert_int_equal(queue_find(q)->abort, 0);
    ((amd_queue_t *)q)->queue_inactive_signal = q->doorbell_signal; /* a guest's write: not believed */
    queue_error(queue_find(q), HSA_STATUS_ERROR);
    assert_int_equal(told, HSA_STATUS_ERROR);
    assert_int_equal(hsa_queue_destroy(q), 0);
    q = make();
    uint32_t before = signals_generation();
    assert_int_equal(hsa_queue_inactivate(q), 0);
    assert_true(signals_generation() > before);
    assert_false(queue_goes_on(queue_find(q)));
    assert_true(queue_find(q)->abort && queue_find(q)->inactive && queue_find(q)->bell.rings == 1);
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_signal_destroy(s), 0);
}

/* ---- AMD's extension ---- */

static hsa_status_t note_event(const hsa_amd_event_t *e, void *data)
{
    hsa_amd_event_t *all = data;

    all[0] = *e;
    return all[1].event_type ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static void extension(void **state)
{
    static hsa_amd_event_t seen[2], handled[2] = {{0}, {.event_type = 1}};
    hsa_queue_t *q = make(), *soft, *none = (hsa_queue_t *)&q;
    hsa_signal_t bell = signal_of(0);
    uint32_t mask[5];
    hsa_agent_t agent = {0};

    (void)state;
    assert_int_equal(hsa_soft_queue_create((hsa_region_t){pool_handle(pool(cpu, POOL_FINE))}, 8, 1, 2, bell, &soft), 0);
    for (int p = -2; p < 4; p++)
        assert_int_equal(hsa_amd_queue_set_priority(q, p), p < 0 || p > 2 ? HSA_STATUS_ERROR_INVALID_ARGUMENT : 0);
    assert_int_equal(hsa_amd_queue_set_priority(none, 1), HSA_STATUS_ERROR_INVALID_QUEUE);
    memset(mask, 0x55, sizeof mask);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 128, mask), 0); /* 104 CUs */
    assert_true(mask[0] == UINT32_MAX && mask[2] == UINT32_MAX && mask[3] == 0xff && mask[4] == 0x55555555);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 160, mask), 0);
    assert_true(mask[3] == 0xff && mask[4] == 0);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 96, mask), 0);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 0, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 33, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 32, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(soft, 32, mask), HSA_STATUS_ERROR_INVALID_QUEUE);
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 0, NULL), 0);
    assert_false(logged("masks of compute units"));
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 33, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 32, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_set_mask(none, 32, mask), HSA_STATUS_ERROR_INVALID_QUEUE);
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 32, mask), 0);
    assert_true(logged("gcnsim: masks of compute units have no effect: queues use all of them\n"));
    assert_int_equal(hsa_amd_queue_get_info(q, 0, &agent), 0);
    assert_int_equal(agent.handle, gfx90a.handle);
    assert_int_equal(hsa_amd_queue_get_info(q, 1, &agent), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_get_info(q, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_get_info(soft, 0, &agent), HSA_STATUS_ERROR_INVALID_QUEUE);
    assert_int_equal(hsa_amd_queue_get_info(none, 0, &agent), HSA_STATUS_ERROR_INVALID_QUEUE);
    hsa_queue_store_read_index_screlease(soft, 2); /* here it is the program's */
    assert_int_equal(hsa_queue_load_read_index_relaxed(soft), 2);
    assert_int_equal(hsa_amd_agent_set_async_scratch_limit((hsa_agent_t){5}, 1), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_agent_set_async_scratch_limit(gfx90a, 1), 0);
    assert_int_equal(hsa_queue_destroy(soft), 0);
    assert_int_equal(hsa_signal_destroy(bell), 0);

    assert_false(system_memory_fault(agent_of(gfx1201), 0x1234));
    assert_int_equal(hsa_amd_register_system_event_handler(NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_register_system_event_handler(note_event, seen), 0);
    assert_false(system_memory_fault(agent_of(gfx1201), 0x1234)); /* it did not deal with it */
    assert_int_equal(seen[0].event_type, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
    assert_int_equal(seen[0].memory_fault.agent.handle, gfx1201.handle);
    assert_int_equal(seen[0].memory_fault.virtual_address, 0x1234);
    assert_int_equal(seen[0].memory_fault.fault_reason_mask, HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
    for (unsigned k = 1; k < 8; k++)
        assert_int_equal(hsa_amd_register_system_event_handler(note_event, k == 1 ? handled : seen), 0);
    assert_int_equal(hsa_amd_register_system_event_handler(note_event, seen), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_true(system_memory_fault(agent_of(gfx90a), 0x4321));
    assert_int_equal(handled[0].memory_fault.virtual_address, 0x4321);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

static int start(void **state)
{
    static const struct command_processor own = {.add = add, .remove = add, .rung = rung};
    int failed = start_runtime(state);

    queues_serve(&own);
    return failed;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation),      cmocka_unit_test(indices),
        cmocka_unit_test(arrivals),      cmocka_unit_test(nothing_and_reserved),
        cmocka_unit_test(barriers),      cmocka_unit_test(barriers_on_values),
        cmocka_unit_test(wrong_packets), cmocka_unit_test(ends),
        cmocka_unit_test(gaps),          cmocka_unit_test(errors),
        cmocka_unit_test(extension),
    };

    return cmocka_run_group_tests(tests, start, stop_runtime);
}
