/* Handles are looked up and never followed, and what guests write into what they see of signals and queues changes
 * nothing that the runtime goes by (sim/hsa/memory/cells.h). */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/memory/cells.h"
#include "sim/hsa/memory/memory.h"
#include "sim/hsa/queues/queue.h"

enum { MANY = 3000 }; /* cells: of several slabs */

static uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static void cells_are_found_by_their_address(void **state)
{
    static void *shown[MANY], *record[MANY];

    (void)state;
    for (unsigned k = 0; k < MANY; k++) {
        enum cell_kind kind = k % 3 ? CELL_SIGNAL : CELL_QUEUE;
        record[k] = cell_new(kind);
        assert_non_null(record[k]);
        shown[k] = *(void **)record[k];
        memset(shown[k], 0xff, kind == CELL_QUEUE ? sizeof(amd_queue_t) : sizeof(struct signal_shown));
    }
    for (unsigned k = 0; k < MANY; k++) {
        enum cell_kind kind = k % 3 ? CELL_SIGNAL : CELL_QUEUE, other = k % 3 ? CELL_QUEUE : CELL_SIGNAL;
        uint64_t at = address_of(shown[k]);
        assert_ptr_equal(cell_find(kind, at), record[k]);
        assert_null(cell_find(other, at));
        assert_null(cell_find(kind, at + 1));
        assert_null(cell_find(kind, at + 64));
        assert_null(cell_find(kind, at | UINT64_C(1) << 48));
        assert_false(cell_free(other, at));
        assert_false(cell_free(kind, at + 64));
    }
    for (unsigned k = 0; k < MANY; k++) {
        enum cell_kind kind = k % 3 ? CELL_SIGNAL : CELL_QUEUE;
        assert_true(cell_free(kind, address_of(shown[k])));
        assert_null(cell_find(kind, address_of(shown[k])));
        assert_false(cell_free(kind, address_of(shown[k])));
    }
    assert_null(cell_find(CELL_SIGNAL, 0));
    assert_null(cell_find(CELL_SIGNAL, UINT64_MAX));
    assert_null(cell_find(CELL_SIGNAL, address_of(&shown)));
}

static void a_cell_is_zero_again(void **state)
{
    static const uint8_t zero[128];
    struct signal *s = cell_new(CELL_SIGNAL);
    void *shown = s->shown;

    (void)state;
    memset(shown, 0x55, sizeof zero);
    s->waiters = 7;
    assert_true(cell_free(CELL_SIGNAL, address_of(shown)));
    assert_ptr_equal(s->shown, shown); /* for who is late */
    assert_ptr_equal(cell_new(CELL_SIGNAL), s);
    assert_ptr_equal(s->shown, shown);
    assert_memory_equal(shown, zero, sizeof zero);
    assert_int_equal(s->waiters, 0);
    assert_true(cell_free(CELL_SIGNAL, address_of(shown)));
}

/* Handles that name nothing: of every function there is, none follows them. */
static void handles_that_are_none(void **state)
{
    static uint64_t host[64];
    const uint64_t wrong[] = {1, address_of(host), UINT64_MAX, UINT64_C(0x7fffffff0000), UINT64_C(1) << 47};
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
    hsa_amd_profiling_dispatch_time_t t;
    volatile hsa_signal_value_t *pointer;
    hsa_signal_value_t value = 0;

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        hsa_signal_t s = {wrong[k]};
        hsa_queue_t *q = (hsa_queue_t *)(uintptr_t)wrong[k];
        uint32_t mask;

        assert_int_equal(hsa_signal_load_scacquire(s), 0);
        hsa_signal_store_screlease(s, 5);
        hsa_signal_silent_store_relaxed(s, 5);
        hsa_signal_add_relaxed(s, 5);
        assert_int_equal(hsa_signal_exchange_relaxed(s, 5), 0);
        assert_int_equal(hsa_signal_cas_relaxed(s, 5, 6), 5);
        assert_int_equal(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 9, UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
                         0);
        hsa_amd_signal_wait_any(1, &s, &condition, &value, 0, HSA_WAIT_STATE_BLOCKED, NULL);
        assert_int_equal(hsa_signal_destroy(s), HSA_STATUS_ERROR_INVALID_SIGNAL);
        assert_int_not_equal(hsa_amd_signal_value_pointer(s, &pointer), HSA_STATUS_SUCCESS);
        assert_int_equal(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 0, NULL, NULL),
                         HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(hsa_amd_profiling_get_dispatch_time(gfx90a, s, &t), HSA_STATUS_ERROR_INVALID_SIGNAL);
        assert_int_equal(hsa_amd_memory_async_copy(host, cpu, host + 8, cpu, 8, 0, NULL, s),
                         HSA_STATUS_ERROR_INVALID_SIGNAL);
        assert_int_equal(hsa_amd_memory_async_copy(host, cpu, host + 8, cpu, 8, 1, &s, (hsa_signal_t){0}),
                         HSA_STATUS_ERROR_INVALID_SIGNAL);
        assert_int_equal(hsa_queue_load_read_index_relaxed(q), 0);
        assert_int_equal(hsa_queue_add_write_index_relaxed(q, 1), 0);
        assert_int_equal(hsa_queue_cas_write_index_relaxed(q, 3, 4), 3);
        hsa_queue_store_write_index_relaxed(q, 1);
        assert_int_equal(hsa_queue_destroy(q), HSA_STATUS_ERROR_INVALID_QUEUE);
        assert_int_equal(hsa_queue_inactivate(q), HSA_STATUS_ERROR_INVALID_QUEUE);
        assert_int_equal(hsa_amd_queue_cu_get_mask(q, 32, &mask), HSA_STATUS_ERROR_INVALID_QUEUE);
        assert_int_equal(hsa_amd_profiling_set_profiler_enabled(q, 1), HSA_STATUS_ERROR_INVALID_QUEUE);
    }
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(host[k], 0);
}

static void submit(hsa_queue_t *q, uint64_t index, hsa_signal_t done, void *ring)
{
    hsa_barrier_and_packet_t *p = (hsa_barrier_and_packet_t *)ring + index % 16;

    memset(p, 0, sizeof *p);
    p->completion_signal = done;
    hsa_queue_add_write_index_relaxed(q, 1);
    __atomic_store_n((uint16_t *)(void *)p, HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELEASE);
}

/* A guest overwrites all that it sees of a signal and of a queue but the value and the indices: both work on. */
static void overwritten_by_a_guest(void **state)
{
    hsa_signal_t done, doorbell;
    hsa_queue_t *q;
    void *ring;

    (void)state;
    for (unsigned byte = 0; byte < 256; byte += 51) {
        assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
        assert_int_equal(hsa_queue_create(gfx90a, 16, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q), 0);
        amd_queue_t *shown = (amd_queue_t *)q;
        struct signal_shown *cell = (struct signal_shown *)(uintptr_t)done.handle;
        ring = q->base_address;
        doorbell = q->doorbell_signal;
        struct signal_shown *bell = (struct signal_shown *)(uintptr_t)doorbell.handle;
        for (uint64_t k = 0; k < 20; k++) {
            const size_t at = offsetof(amd_queue_t, write_dispatch_id), end = at + sizeof shown->write_dispatch_id;
            memset(shown, (int)byte, at);
            memset((char *)shown + end, (int)byte, sizeof *shown - end);
            memset(cell, (int)byte, sizeof *cell);
            cell->abi.value = 1;
            memset(bell, (int)byte, sizeof *bell);
            submit(q, k, done, ring);
            hsa_signal_store_screlease(doorbell, (hsa_signal_value_t)k);
            assert_int_equal(
                hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
        }
        assert_int_equal(hsa_signal_destroy(doorbell), HSA_STATUS_ERROR_INVALID_SIGNAL);
        assert_int_equal(hsa_queue_destroy(q), 0);
        assert_int_equal(hsa_signal_destroy(done), 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_found_by_their_address),
        cmocka_unit_test(a_cell_is_zero_again),
        cmocka_unit_test(handles_that_are_none),
        cmocka_unit_test(overwritten_by_a_guest),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
