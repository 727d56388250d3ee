/* Handlers of signals: which are called when, with what, and for how long; what is said of them meanwhile. */
#include "tests/unit/hsa/code_fixture.h"

#include <semaphore.h>
#include <sys/syscall.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/signals/handlers.h"

static struct {
    char who[64]; /* in their order */
    hsa_signal_value_t value[64];
    unsigned count;
    sem_t called;
    pid_t thread;
} calls;

/* One that is called `left` times. */
struct handler_of {
    char name;
    int left;
};

static bool handle(hsa_signal_value_t value, void *arg)
{
    struct handler_of *h = arg;

    calls.who[calls.count] = h->name;
    calls.value[calls.count++] = value;
    calls.thread = (pid_t)syscall(SYS_gettid);
    bool again = --h->left > 0;
    sem_post(&calls.called);
    return again;
}

static void await_calls(unsigned n)
{
    while (n--)
        while (sem_wait(&calls.called))
            ;
}

static void expect_calls(const char *who)
{
    calls.who[calls.count] = 0;
    assert_string_equal(calls.who, who);
    calls.count = 0;
}

struct listed {
    unsigned count;
    struct signal_condition on[8];
};

static void note(const struct signal_condition *on, void *ctx)
{
    struct listed *l = ctx;

    l->on[l->count++] = *on;
}

static hsa_signal_t signal_of(hsa_signal_value_t value)
{
    hsa_signal_t s = {0};

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), 0);
    return s;
}

static hsa_status_t await_signal(hsa_signal_t s, hsa_signal_condition_t c, hsa_signal_value_t v, struct handler_of *h)
{
    return hsa_amd_signal_async_handler(s, c, v, handle, h);
}

/* Until no handler is being called; what was called is over. */
static pid_t idle(struct listed *l)
{
    pid_t calling;

    do {
        *l = (struct listed){0};
        calling = handlers_each(note, l);
    } while (calling);
    return calling;
}

static void wrong_requests(void **state)
{
    struct handler_of h = {'x', 1};
    hsa_signal_t s = signal_of(0);

    (void)state;
    assert_int_equal(await_signal((hsa_signal_t){0}, HSA_SIGNAL_CONDITION_EQ, 0, &h),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(await_signal((hsa_signal_t){5}, HSA_SIGNAL_CONDITION_EQ, 0, &h), HSA_STATUS_ERROR_INVALID_SIGNAL);
    assert_int_equal(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 0, NULL, &h),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(calls.count, 0);
    assert_int_equal(hsa_signal_destroy(s), 0);
}

/* The oldest whose condition holds is called first; one that wants to go on is the youngest then. */
static void order(void **state)
{
    struct handler_of a = {'a', 2}, b = {'b', 1}, c = {'c', 3}, d = {'d', 1};
    hsa_signal_t s = signal_of(1), other = signal_of(1);
    struct listed l;

    (void)state;
    assert_int_equal(await_signal(other, HSA_SIGNAL_CONDITION_LT, 1, &d), 0);
    assert_int_equal(await_signal(s, HSA_SIGNAL_CONDITION_EQ, -7, &a), 0);
    assert_int_equal(await_signal(s, HSA_SIGNAL_CONDITION_EQ, -7, &b), 0);
    assert_int_equal(await_signal(s, HSA_SIGNAL_CONDITION_GTE, 3, &c), 0);
    assert_int_equal(idle(&l), 0);
    assert_int_equal(l.count, 4);
    assert_true(l.on[0].signal.handle == other.handle && l.on[0].condition == HSA_SIGNAL_CONDITION_LT);
    assert_true(l.on[1].signal.handle == s.handle && l.on[1].compare == -7 && l.on[1].mask == -1);
    assert_true(l.on[3].condition == HSA_SIGNAL_CONDITION_GTE && l.on[3].compare == 3);
    assert_int_equal(calls.count, 0);
    hsa_signal_store_screlease(s, -7);
    await_calls(3);
    for (unsigned k = 0; k < 3; k++)
        assert_true(calls.value[k] == -7);
    expect_calls("aba");
    idle(&l);
    assert_int_equal(l.count, 2);
    hsa_signal_store_screlease(s, 4);
    await_calls(3);
    expect_calls("ccc");
    hsa_signal_store_screlease(other, 0);
    await_calls(1);
    assert_true(calls.value[0] == 0);
    expect_calls("d");
    idle(&l);
    assert_int_equal(l.count, 0);
    assert_int_equal(hsa_signal_destroy(s), 0);
    assert_int_equal(hsa_signal_destroy(other), 0);
}

/* One whose condition holds already is called at once; and the host's clock is no earlier than its completion. */
static void at_once(void **state)
{
    struct handler_of h = {'h', 1};
    hsa_signal_t s = signal_of(1);
    uint64_t now = clock_host();
    struct listed l;

    (void)state;
    signal_complete(signal_find(s), now + 10, now + 70);
    assert_int_equal(clock_host(), now);
    assert_int_equal(await_signal(s, HSA_SIGNAL_CONDITION_EQ, 0, &h), 0);
    await_calls(1);
    expect_calls("h");
    assert_int_equal(clock_host(), now + 70);
    assert_int_not_equal(calls.thread, (pid_t)syscall(SYS_gettid));
    idle(&l);
    assert_int_equal(hsa_signal_destroy(s), 0);
}

/* Who is in a handler, or in a function that is called, is said so; and may register others, and destroy its signal. */
static sem_t go_on;
static struct handler_of inner = {'i', 1};
static hsa_signal_t its;

static void stays(void *arg)
{
    (void)arg;
    calls.thread = (pid_t)syscall(SYS_gettid);
    hsa_signal_t own = signal_of(0);
    assert_int_equal(await_signal(own, HSA_SIGNAL_CONDITION_EQ, 0, &inner), 0);
    its = own;
    sem_post(&calls.called);
    while (sem_wait(&go_on))
        ;
}

static void in_a_handler(void **state)
{
    struct listed l = {0};

    (void)state;
    assert_int_equal(hsa_amd_async_function(stays, NULL), 0);
    await_calls(1);
    assert_int_equal(handlers_each(note, &l), calls.thread);
    assert_int_equal(l.count, 1);
    assert_true(l.on[0].signal.handle == its.handle);
    assert_int_equal(calls.count, 0); /* one at a time */
    sem_post(&go_on);
    await_calls(1);
    expect_calls("i");
    assert_int_equal(idle(&l), 0);
    assert_int_equal(hsa_signal_destroy(its), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_requests),
        cmocka_unit_test(order),
        cmocka_unit_test(at_once),
        cmocka_unit_test(in_a_handler),
    };

    sem_init(&calls.called, 0, 0);
    sem_init(&go_on, 0, 0);
    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
