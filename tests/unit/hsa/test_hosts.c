/* When simulated time may move: what threads of the program do, as hosts.c sees it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/hsa/clock.h"
#include "sim/hsa/hosts.h"
#include "tests/support/proc.h"

static volatile int stage; /* which the other thread has reached */
static volatile int go;    /* how far it may go */
static struct signal signal_of_it;
static struct bell bell;

static void reach(int n)
{
    stage = n;
    while (go < n)
        ;
}

/* Processor time of this thread, in ns. */
static uint64_t used_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Stages that end in the runtime's own ways of sleeping, and in a loop that makes no call. */
static void *thread(void *arg)
{
    uint64_t until;

    (void)arg;
    hosts_called();
    reach(1); /* spins: quiet when it has used its time */
    stage = 2;
    signal_wait(&signal_of_it, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX);
    stage = 3;
    bell_sleep(&bell, bell_rings(&bell), 1000000000);
    stage = 4;
    for (until = used_ns() + 30000000; used_ns() < until;) /* calls all the time */
        hosts_called();
    stage = 5;
    hosts_pause(true);
    usleep(300000);
    hosts_pause(false);
    stage = 6;
    usleep(300000); /* elsewhere */
    stage = 7;
    return NULL;
}

/* Whether it becomes quiet before the thread goes to another stage. */
static bool becomes_quiet(int in_stage)
{
    while (stage == in_stage)
        if (hosts_are_quiet() && stage == in_stage)
            return true;
    return false;
}

/* Of the looks at a thread that calls all the time some may find it quiet: a host's clock of processor time may jump.
 */
static bool is_mostly_busy(int in_stage)
{
    unsigned looks = 0, quiet = 0;

    while (stage == in_stage) {
        bool q = hosts_are_quiet();

        if (stage == in_stage) {
            looks++;
            quiet += q;
        }
    }
    return quiet * 2 <= looks;
}

static void await_stage(int n)
{
    while (stage < n)
        usleep(1000);
}

static void they_are_quiet_when_they_sleep(void **state)
{
    pthread_t other;

    (void)state;
    NEED_PROC();
    hosts_follow();
    signal_init(&signal_of_it, AMD_SIGNAL_KIND_USER, 0);
    assert_true(hosts_are_quiet()); /* there is nobody else */
    assert_int_equal(pthread_create(&other, NULL, thread, NULL), 0);
    await_stage(1);
    assert_true(becomes_quiet(1));
    go = 1;
    await_stage(2);
    assert_true(becomes_quiet(2));
    /* what it waits for is there: it is about to go on, though nobody has woken it yet */
    __atomic_store_n(&signal_of_it.abi.value, 1, __ATOMIC_SEQ_CST);
    assert_false(hosts_are_quiet() && stage == 2);
    signal_changed(&signal_of_it);
    await_stage(3);
    assert_true(becomes_quiet(3));
    bell_ring(&bell);
    await_stage(4);
    assert_true(is_mostly_busy(4));
    await_stage(5);
    assert_false(becomes_quiet(5));
    await_stage(6);
    assert_true(becomes_quiet(6));
    pthread_join(other, NULL);
    assert_true(hosts_are_quiet());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_quiet_when_they_sleep)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
