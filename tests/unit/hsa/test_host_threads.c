/* When simulated time may move: what threads of the program do, as host_threads.c sees it. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/signals/signal.h"
#include "sim/hsa/waits/waits.h"
#include "tests/support/proc.h"

enum { LOOKS = 1000 };

static atomic_int stage; /* which the other thread has reached */
static atomic_int go;    /* how far it may go, where it does not sleep */
static sem_t reached;    /* posted for each stage */
static int elsewhere[2]; /* a pipe on which it sleeps outside of the runtime */
static struct signal *its;
static struct bell bell;

static void reach(int n)
{
    stage = n;
    sem_post(&reached);
}

static void sleep_elsewhere(void)
{
    char byte;

    if (read(elsewhere[0], &byte, 1) != 1)
        abort();
}

static void wake_elsewhere(void)
{
    assert_int_equal(write(elsewhere[1], "", 1), 1);
}

/* Stages that end in the runtime's own ways of sleeping, and in loops that make no call or nothing but calls. */
static void *thread(void *arg)
{
    (void)arg;
    hosts_called();
    reach(1);
    while (go < 1) /* spins: quiet when it has used its time */
        ;
    hosts_called(); /* so that it is quiet no sooner than it sleeps */
    reach(2);
    signal_wait(its, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX - 1); /* which is long, too */
    reach(3);
    bell_sleep(&bell, bell_rings(&bell), UINT64_MAX);
    reach(4);
    sleep_elsewhere(); /* and not any more where it did */
    reach(5);
    while (go < 5)
        hosts_called();
    hosts_pause(true);
    reach(6);
    sleep_elsewhere();
    hosts_pause(false);
    reach(7);
    sleep_elsewhere();
    return NULL;
}

static void await_stage(int n)
{
    while (sem_wait(&reached))
        ;
    assert_int_equal(stage, n);
}

/* Comes back when it is quiet, or when it has gone on by itself, which it must not do. */
static void becomes_quiet(int in_stage)
{
    while (stage == in_stage && !hosts_are_quiet())
        ;
    assert_int_equal(stage, in_stage);
}

static unsigned quiet_looks(void)
{
    unsigned quiet = 0;

    for (unsigned k = 0; k < LOOKS; k++)
        quiet += hosts_are_quiet();
    return quiet;
}

static void they_are_quiet_when_they_sleep(void **state)
{
    pthread_t other;

    (void)state;
    NEED_PROC();
    assert_int_equal(sem_init(&reached, 0, 0), 0);
    assert_int_equal(pipe(elsewhere), 0);
    hosts_follow();
    its = signal_new(0, NULL);
    assert_non_null(its);
    assert_true(hosts_are_quiet()); /* there is nobody else */
    assert_null(waits_collect());   /* nor is there a runtime */
    assert_int_equal(pthread_create(&other, NULL, thread, NULL), 0);
    await_stage(1);
    becomes_quiet(1);
    go = 1;
    await_stage(2);
    becomes_quiet(2);
    /* what it waits for is there, as a kernel stores it: it is about to go on, though nobody wakes it */
    __atomic_store_n(&its->shown->abi.value, 1, __ATOMIC_SEQ_CST);
    assert_false(hosts_are_quiet() && stage == 2);
    await_stage(3);
    becomes_quiet(3);
    bell_ring(&bell);
    await_stage(4);
    becomes_quiet(4);
    wake_elsewhere();
    await_stage(5);
    /* a few looks may find a thread quiet that calls all the time: a host's clock of processor time may jump */
    assert_true(quiet_looks() < LOOKS / 2);
    go = 5;
    await_stage(6);
    assert_int_equal(quiet_looks(), 0);
    wake_elsewhere();
    await_stage(7);
    becomes_quiet(7);
    wake_elsewhere();
    pthread_join(other, NULL);
    becomes_quiet(7); /* the kernel's list has it for a moment longer */
    close(elsewhere[0]);
    close(elsewhere[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_quiet_when_they_sleep)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
