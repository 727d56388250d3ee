/* Packets of a queue as a report of who waits for what sees them (queue_view() of sim/hsa/queues/packets.c): rings that
 * are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/hsa/core/abi.h"
#include "sim/hsa/queues/queue.h"

enum { SLOTS = 4 };

struct bench {
    struct queue q;
    uint8_t ring[SLOTS * 64] __attribute__((aligned(64)));
    bool ended[SLOTS];
    uint64_t dispatch[SLOTS];
};

static void begin(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->q.ring = b->ring;
    b->q.mask = SLOTS - 1;
    b->q.ended = b->ended;
    b->q.dispatch = b->dispatch;
    b->q.read = 5; /* in slot 1 */
    for (unsigned k = 0; k < SLOTS; k++) {
        b->ended[k] = k & 1;
        b->dispatch[k] = 100 + k;
    }
}

static void put(struct bench *b, uint64_t index, unsigned type, bool barrier, const void *packet)
{
    uint16_t header = (uint16_t)(type << HSA_PACKET_HEADER_TYPE | barrier << HSA_PACKET_HEADER_BARRIER);

    memcpy(b->ring + index % SLOTS * 64, packet, 64);
    memcpy(b->ring + index % SLOTS * 64, &header, sizeof header);
}

static void dispatches(void **state)
{
    const hsa_kernel_dispatch_packet_t kernel = {.kernel_object = 0x1234, .completion_signal = {77}};
    struct packet_view v;
    struct bench b;

    (void)state;
    begin(&b);
    for (uint64_t index = 5; index < 5 + SLOTS; index++) {
        put(&b, index, HSA_PACKET_TYPE_KERNEL_DISPATCH, index & 1, &kernel);
        assert_true(queue_view(&b.q, index, &v));
        assert_int_equal(v.type, HSA_PACKET_TYPE_KERNEL_DISPATCH);
        assert_int_equal(v.barrier, index & 1);
        assert_int_equal(v.ended, index & 1);
        assert_int_equal(v.dispatch, 100 + index % SLOTS);
        assert_int_equal(v.kernel, 0x1234);
        assert_int_equal(v.completion.handle, 77);
        assert_true(v.count == 0 && !v.any);
    }
    assert_false(queue_view(&b.q, 4, &v)); /* what is there now is another one's */
}

/* A slot that is reserved and not written yet has nothing of what was there before. */
static void reserved(void **state)
{
    const hsa_kernel_dispatch_packet_t before = {.kernel_object = 0x1234, .completion_signal = {77}};
    struct packet_view v;
    struct bench b;

    (void)state;
    begin(&b);
    put(&b, 5, HSA_PACKET_TYPE_INVALID, false, &before);
    assert_true(queue_view(&b.q, 5, &v));
    assert_int_equal(v.type, HSA_PACKET_TYPE_INVALID);
    assert_true(!v.ended && !v.dispatch && !v.kernel && !v.completion.handle && !v.count);
}

/* All of the signals that a barrier names are to be 0, or one of them. */
static void barriers(void **state)
{
    const hsa_barrier_and_packet_t packet = {
        .reserved0 = HSA_AMD_PACKET_TYPE_BARRIER_VALUE, /* of other packets it says nothing */
        .dep_signal = {{1}, {0}, {3}, {4}, {0}},
        .completion_signal = {9}};
    static const uint64_t on[] = {1, 3, 4};
    struct packet_view v;
    struct bench b;

    (void)state;
    for (unsigned any = 0; any < 2; any++) {
        begin(&b);
        put(&b, 6, any ? HSA_PACKET_TYPE_BARRIER_OR : HSA_PACKET_TYPE_BARRIER_AND, true, &packet);
        assert_true(queue_view(&b.q, 6, &v));
        assert_int_equal(v.any, any);
        assert_int_equal(v.count, 3);
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(v.on[k].signal.handle, on[k]);
            assert_int_equal(v.on[k].condition, HSA_SIGNAL_CONDITION_EQ);
            assert_int_equal(v.on[k].compare, 0);
            assert_int_equal(v.on[k].mask, -1);
        }
        assert_int_equal(v.completion.handle, 9);
        assert_int_equal(v.kernel, 0);
    }
}

/* AMD's barrier of a value: its own condition, of the bits of a mask; other packets of AMD's have none. */
static void barriers_of_a_value(void **state)
{
    struct packet_view v;
    struct bench b;

    (void)state;
    for (unsigned format = 1; format < 4; format++)
        for (unsigned named = 0; named < 2; named++) {
            hsa_amd_barrier_value_packet_t packet = {.signal = {named ? 8 : 0},
                                                     .value = 55,
                                                     .mask = 0xff,
                                                     .cond = HSA_SIGNAL_CONDITION_GTE,
                                                     .completion_signal = {9}};

            packet.header.AmdFormat = (uint8_t)format;
            begin(&b);
            put(&b, 7, HSA_PACKET_TYPE_VENDOR_SPECIFIC, false, &packet);
            assert_true(queue_view(&b.q, 7, &v));
            assert_int_equal(v.count, format == HSA_AMD_PACKET_TYPE_BARRIER_VALUE && named);
            if (v.count) {
                assert_int_equal(v.on[0].signal.handle, 8);
                assert_int_equal(v.on[0].condition, HSA_SIGNAL_CONDITION_GTE);
                assert_int_equal(v.on[0].compare, 55);
                assert_int_equal(v.on[0].mask, 0xff);
            }
            assert_int_equal(v.completion.handle, 9);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispatches),
        cmocka_unit_test(reserved),
        cmocka_unit_test(barriers),
        cmocka_unit_test(barriers_of_a_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
