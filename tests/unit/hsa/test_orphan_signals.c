/* Which signals count as rung by kernels and unheard. A look at all signals is what the end of the process does. */
#include "tests/unit/hsa/code_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "sim/hsa/queues/queue.h"
#include "sim/hsa/signals/orphan_signals.h"

/* The runtime's thread does not look by itself: how many looks there are is the tests' affair. */
int nanosleep(const struct timespec *request, struct timespec *left)
{
    (void)request, (void)left;
    for (;;)
        pause();
}

static struct ringer ringer; /* of a dispatch */

static struct signal *make(void)
{
    hsa_signal_t s;

    assert_int_equal(hsa_signal_create(1, 0, NULL, &s), 0);
    return signal_find(s);
}

/* What device code does to a signal. */
static void ring(struct signal *s)
{
    __atomic_add_fetch(&s->shown->abi.value, 1, __ATOMIC_RELEASE);
    *(volatile uint64_t *)(uintptr_t)s->shown->abi.event_mailbox_ptr = s->shown->abi.event_id;
    orphan_signals_message(&ringer, 7, "asks");
}

static void looks(void)
{
    for (unsigned k = 0; k < 3; k++)
        orphan_signals_tell();
}

/* How often the log has the signal's sentence. */
static unsigned told(const struct signal *s)
{
    char word[64], line[1024];
    FILE *f = fopen(log_path, "r");
    unsigned n = 0;

    assert_non_null(f);
    snprintf(word, sizeof word, "signal %p at least", (const void *)s->shown);
    while (fgets(line, sizeof line, f))
        n += strstr(line, word) && strstr(line, "answer: dispatch 7, kernel asks\n");
    fclose(f);
    return n;
}

static void test_nobody_looks(void **state)
{
    struct signal *s = make(), *later = make(), *quiet = make(), *completed = make();

    (void)state;
    ring(s);
    orphan_signals_end(&ringer);
    looks(); /* nothing runs that could wait */
    assert_int_equal(told(s), 0);
    ring(later);
    __atomic_sub_fetch(&completed->shown->abi.value, 1, __ATOMIC_RELEASE); /* to 0 */
    completed->shown->mailbox = completed->shown->abi.event_id;
    looks();
    looks();
    assert_int_equal(told(s), 1);
    assert_int_equal(told(later), 1);
    assert_int_equal(told(completed), 1);
    assert_int_equal(told(quiet), 0);
    orphan_signals_end(&ringer);
}

static void *wait_for_it(void *arg)
{
    signal_wait(arg, HSA_SIGNAL_CONDITION_EQ, 100, UINT64_MAX);
    return NULL;
}

static void test_somebody_looks(void **state)
{
    struct signal *loaded = make(), *stored = make(), *added = make(), *pointed = make(), *waited = make();
    struct signal *in_any = make(), *in_packet = make(), *silent[2] = {make(), make()};
    volatile hsa_signal_value_t *value;
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
    hsa_signal_value_t compare = 50;
    hsa_signal_t handle = signal_handle(in_any);
    hsa_barrier_and_packet_t ring_of_one[1] = {{.header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE}};
    amd_queue_t shown = {.write_dispatch_id = 1};
    struct queue q = {.ring = (uint8_t *)ring_of_one, .shown = &shown};
    struct packet p;
    uint64_t no_time[1] = {0};
    pthread_t thread;

    (void)state;
    assert_int_equal(hsa_amd_signal_value_pointer(signal_handle(pointed), &value), 0);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_it, waited), 0);
    while (!__atomic_load_n(&waited->waiters, __ATOMIC_ACQUIRE))
        sched_yield();
    ring(loaded);
    ring(stored);
    ring(added);
    ring(pointed);
    ring(waited);
    ring(in_any);
    ring(in_packet);
    ring(silent[0]);
    ring(silent[1]);
    hsa_signal_silent_store_relaxed(signal_handle(silent[0]), 9);
    hsa_signal_silent_store_screlease(signal_handle(silent[1]), 9);
    assert_int_equal(hsa_signal_load_relaxed(signal_handle(loaded)), 2);
    hsa_signal_store_relaxed(signal_handle(stored), 9);
    hsa_signal_subtract_relaxed(signal_handle(added), 1);
    hsa_amd_signal_wait_any(1, &handle, &condition, &compare, 0, HSA_WAIT_STATE_BLOCKED, NULL);
    ring_of_one[0].dep_signal[0] = signal_handle(in_packet);
    q.arrival_ns = no_time;
    queue_next(&q, &p);
    assert_int_equal(p.kind, PACKET_WAITS);
    looks();
    assert_int_equal(told(loaded), 0);
    assert_int_equal(told(stored), 0);
    assert_int_equal(told(added), 0);
    assert_int_equal(told(pointed), 0);
    assert_int_equal(told(waited), 0);
    assert_int_equal(told(in_any), 0);
    assert_int_equal(told(in_packet), 0);
    assert_int_equal(told(silent[0]), 0);
    assert_int_equal(told(silent[1]), 0);
    hsa_signal_store_relaxed(signal_handle(waited), 100);
    assert_int_equal(pthread_join(thread, NULL), 0);
    ring(loaded); /* once more, and now nobody looks */
    ring(waited);
    looks();
    assert_int_equal(told(loaded), 1);
    assert_int_equal(told(waited), 1);
    orphan_signals_end(&ringer);
}

/* A cell that is used again is another signal. */
static void test_destroyed(void **state)
{
    struct signal *s = make(), *again;

    (void)state;
    ring(s);
    assert_int_equal(hsa_signal_destroy(signal_handle(s)), 0);
    looks();
    assert_int_equal(told(s), 0);
    again = make();
    assert_ptr_equal(again, s);
    looks();
    assert_int_equal(told(s), 0);
    ring(again);
    looks();
    assert_int_equal(told(s), 1);
    orphan_signals_end(&ringer);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_looks),
        cmocka_unit_test(test_somebody_looks),
        cmocka_unit_test(test_destroyed),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
