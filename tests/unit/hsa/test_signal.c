/* Signals: their operations, when a condition on a value holds (HSA 1.2, hsa_signal_condition_t), waiting for one and
 * for several, and what the host's clock makes of it. */
#include "tests/unit/hsa/code_fixture.h"

#include <pthread.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/signals/signal.h"

#define LEAST INT64_MIN
#define MOST  INT64_MAX

static hsa_signal_t make(hsa_signal_value_t value)
{
    hsa_signal_t s = {0};

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), 0);
    return s;
}

/* Whether EQ, NE, LT and GTE hold of a value and what it is compared with, which are signed. */
static const struct {
    hsa_signal_value_t value, compare;
    bool holds[4];
} rows[] = {
    {5, 5, {[HSA_SIGNAL_CONDITION_EQ] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {4, 5, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {6, 5, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {-1, 0, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {0, -1, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {LEAST, MOST, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {MOST, LEAST, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {LEAST, LEAST, {[HSA_SIGNAL_CONDITION_EQ] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
};

/* hsa_amd_signal_wait_any() says which signal's condition holds, and UINT32_MAX when none did in time. */
static void conditions(void **state)
{
    hsa_signal_t s[2];

    (void)state;
    for (unsigned n = 0; n < 2; n++)
        s[n] = make(0);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (unsigned c = 0; c < 4; c++) {
            hsa_signal_condition_t condition[] = {HSA_SIGNAL_CONDITION_EQ, (hsa_signal_condition_t)c};
            hsa_signal_value_t compare[] = {1, rows[k].compare}, value = 77;

            hsa_signal_store_relaxed(s[1], rows[k].value);
            uint32_t which = hsa_amd_signal_wait_any(2, s, condition, compare, 0, HSA_WAIT_STATE_BLOCKED, &value);
            if (which != (rows[k].holds[c] ? 1 : UINT32_MAX))
                fail_msg("row %zu, condition %u: %u", k, c, which);
            assert_true(value == (rows[k].holds[c] ? rows[k].value : 77));
            /* and of one that is waited for alone, and whose time is up */
            assert_true(hsa_signal_wait_scacquire(s[1], (hsa_signal_condition_t)c, rows[k].compare,
                                                  rows[k].holds[c] ? UINT64_MAX : 0,
                                                  HSA_WAIT_STATE_BLOCKED) == rows[k].value);
        }
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(hsa_signal_destroy(s[n]), HSA_STATUS_SUCCESS);
}

/* ---- operations ---- */

#define ORDERS(op)                                                                                                     \
    {                                                                                                                  \
        hsa_signal_##op##_relaxed, hsa_signal_##op##_scacquire, hsa_signal_##op##_screlease,                           \
            hsa_signal_##op##_scacq_screl                                                                              \
    }

static void operations(void **state)
{
    static const struct {
        void (*call[4])(hsa_signal_t, hsa_signal_value_t);
        hsa_signal_value_t from, by, to;
    } changes[] = {{ORDERS(add), 12, -5, 7},
                   {ORDERS(subtract), 12, -5, 17},
                   {ORDERS(and), 12, 10, 8},
                   {ORDERS(or), 12, 10, 14},
                   {ORDERS(xor), 12, 10, 6}};
    static hsa_signal_value_t (*const exchange[])(hsa_signal_t, hsa_signal_value_t) = ORDERS(exchange);
    static hsa_signal_value_t (*const cas[])(hsa_signal_t, hsa_signal_value_t, hsa_signal_value_t) = ORDERS(cas);
    hsa_signal_t handle = make(3);
    struct signal *s = signal_find(handle);
    uint32_t changes_before;

    (void)state;
    for (unsigned o = 0; o < 4; o++) {
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            hsa_signal_store_relaxed(handle, changes[k].from);
            changes_before = s->changes;
            changes[k].call[o](handle, changes[k].by);
            assert_true(hsa_signal_load_relaxed(handle) == changes[k].to);
            assert_int_equal(s->changes, changes_before + 1); /* sleepers are woken once */
        }
        hsa_signal_store_screlease(handle, 5);
        changes_before = s->changes;
        assert_true(exchange[o](handle, 6) == 5);
        assert_true(cas[o](handle, 5, 7) == 6); /* it is another one: nothing changes */
        assert_int_equal(s->changes, changes_before + 1);
        assert_true(hsa_signal_load_scacquire(handle) == 6);
        assert_true(cas[o](handle, 6, 7) == 6);
        assert_int_equal(s->changes, changes_before + 2);
        assert_true(hsa_signal_load_scacquire(handle) == 7 && s->looked == 7);
    }
    changes_before = s->changes;
    hsa_signal_silent_store_relaxed(handle, 8);
    assert_true(hsa_signal_load_relaxed(handle) == 8);
    hsa_signal_silent_store_screlease(handle, 9);
    assert_true(s->looked == 9);
    assert_true(hsa_signal_load_relaxed(handle) == 9);
    assert_int_equal(s->changes, changes_before); /* nobody is woken */
    assert_int_equal(hsa_signal_destroy(handle), 0);
}

/* What is made of them, and what device code sees; the numbers of the program's own go up by one. */
static void life(void **state)
{
    hsa_signal_t a = make(LEAST), b = make(4), s = {77};
    const struct signal_shown *shown = (const struct signal_shown *)(uintptr_t)a.handle;
    volatile hsa_signal_value_t *value = NULL;
    uint64_t number = signal_find(a)->number;
    hsa_queue_t *q;

    (void)state;
    assert_int_equal(shown->abi.kind, AMD_SIGNAL_KIND_USER);
    assert_true(shown->abi.value == LEAST && signal_find(a)->looked == LEAST);
    assert_int_equal(shown->abi.event_id, 1);
    assert_int_equal(shown->abi.event_mailbox_ptr, (uintptr_t)&shown->mailbox);
    assert_null(signal_queue(signal_find(a)));
    assert_int_equal(signal_find(b)->number, number + 1);
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q), 0);
    shown = (const struct signal_shown *)(uintptr_t)q->doorbell_signal.handle;
    assert_int_equal(shown->abi.kind, AMD_SIGNAL_KIND_DOORBELL);
    assert_int_equal(signal_find(q->doorbell_signal)->number, 0);
    assert_ptr_equal(shown->abi.hardware_doorbell_ptr, &shown->mailbox);
    hsa_signal_store_relaxed(q->doorbell_signal, 5); /* the value is where device code rings, and stays */
    hsa_signal_silent_store_relaxed(q->doorbell_signal, 5);
    assert_ptr_equal(shown->abi.hardware_doorbell_ptr, &shown->mailbox);
    assert_int_equal(hsa_signal_destroy(q->doorbell_signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    assert_int_equal(hsa_amd_signal_value_pointer(q->doorbell_signal, &value), HSA_STATUS_ERROR_INVALID_SIGNAL);
    assert_int_equal(hsa_queue_destroy(q), 0);
    s = make(0);
    assert_int_equal(signal_find(s)->number, number + 2);
    assert_int_equal(hsa_signal_destroy(s), 0);

    assert_int_equal(hsa_signal_create(0, 1, NULL, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_signal_create(0, 0, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_signal_create(0, 1, NULL, 0, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_signal_create(0, 0, NULL, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_signal_create(7, 1, &gfx90a, 1, &s), 0); /* for GPUs alone, which is no other signal */
    assert_false(signal_is_shared(signal_find(s)));
    assert_int_equal(hsa_signal_load_relaxed(s), 7);
    assert_int_equal(hsa_signal_destroy(s), 0);
    assert_int_equal(hsa_signal_destroy(s), HSA_STATUS_ERROR_INVALID_SIGNAL);
    assert_int_equal(hsa_signal_destroy((hsa_signal_t){0}), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_signal_value_pointer(a, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_signal_value_pointer((hsa_signal_t){0}, &value), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_null((void *)value);
    assert_false(signal_find(a)->exposed);
    assert_int_equal(hsa_amd_signal_value_pointer(a, &value), 0);
    assert_true(signal_find(a)->exposed);
    assert_true(*value == LEAST);
    *value = 5;
    assert_int_equal(hsa_signal_load_relaxed(a), 5);
    assert_int_equal(hsa_signal_destroy(a), 0);
    assert_int_equal(hsa_signal_destroy(b), 0);
}

/* One that processes share lies in a page of its own, and its times are in that page. */
static void shared(void **state)
{
    hsa_signal_t handle;
    struct signal *s;

    (void)state;
    assert_int_equal(hsa_amd_signal_create(4, 0, NULL, HSA_AMD_SIGNAL_IPC, &handle), 0);
    s = signal_find(handle);
    assert_true(signal_is_shared(s));
    assert_int_equal(handle.handle % 4096, 0);
    assert_int_equal(signal_shown(s)->abi.kind, AMD_SIGNAL_KIND_USER);
    assert_int_equal(signal_shown(s)->abi.event_id, 1);
    assert_int_equal(signal_shown(s)->abi.event_mailbox_ptr, 0); /* kernels cannot ring in another process */
    assert_int_equal(s->looked, 4);
    assert_null(signal_find((hsa_signal_t){handle.handle + 8})); /* it begins at its handle alone */
    assert_null(signal_find((hsa_signal_t){(uintptr_t)s->cell}));
    signal_complete(s, 30, 40);
    assert_int_equal(signal_start_ns(s), 30);
    assert_int_equal(signal_end_ns(s), 40);
    signal_shown(s)->abi.start_ts = 31; /* another process's */
    signal_shown(s)->abi.end_ts = 41;
    assert_int_equal(signal_start_ns(s), 31);
    assert_int_equal(signal_end_ns(s), 41);
    assert_int_equal(hsa_signal_load_relaxed(handle), 3);
    assert_int_equal(hsa_signal_destroy(handle), 0);
    assert_null(signal_find(handle));
    assert_int_equal(hsa_signal_load_relaxed(handle), 0);
}

/* ---- times ---- */

/* A completion counts down by one and carries its times, of which guests see a copy; and the host's clock is no earlier
 * than what the host has seen completed. */
static void completions(void **state)
{
    hsa_signal_t handle = make(2), handles[2] = {handle, make(1)};
    hsa_signal_condition_t condition[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t compare[] = {0, 0}, values[2] = {77, 77};
    struct signal *s = signal_find(handle);
    uint64_t now = clock_host();

    (void)state;
    signal_complete(s, now + 10, now + 20);
    assert_int_equal(signal_shown(s)->abi.value, 1);
    assert_int_equal(signal_shown(s)->abi.start_ts, now + 10);
    assert_int_equal(signal_shown(s)->abi.end_ts, now + 20);
    assert_int_equal(s->lead_ns, clock_lead());
    signal_shown(s)->abi.end_ts = 5; /* a guest's write */
    assert_int_equal(signal_start_ns(s), now + 10);
    assert_int_equal(signal_end_ns(s), now + 20);
    assert_int_equal(clock_host(), now);
    assert_int_equal(hsa_signal_wait_scacquire(handle, HSA_SIGNAL_CONDITION_EQ, 0, 0, HSA_WAIT_STATE_ACTIVE), 1);
    assert_int_equal(clock_host(), now); /* not what it waits for */
    assert_int_equal(hsa_signal_wait_scacquire(handle, HSA_SIGNAL_CONDITION_EQ, 1, 0, HSA_WAIT_STATE_ACTIVE), 1);
    assert_int_equal(clock_host(), now + 20);
    signal_complete(s, now + 30, now + 40);
    assert_int_equal(hsa_signal_load_relaxed(handle), 0);
    assert_int_equal(clock_host(), now + 40);
    signal_complete(signal_find(handles[1]), now + 50, now + 60);
    assert_int_equal(hsa_amd_signal_wait_any(2, handles, condition, compare, 0, 0, NULL),
                     0); /* the first of the list */
    assert_int_equal(clock_host(), now + 40);
    assert_int_equal(hsa_amd_signal_wait_all(2, handles, condition, compare, 0, 0, values), 0);
    assert_true(values[0] == 0 && values[1] == 0);
    assert_int_equal(clock_host(), now + 60);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(hsa_signal_destroy(handles[k]), 0);
}

/* ---- several signals ---- */

/* Which of them hold: what a wait for any says, and whether one for all is over. One that is no signal holds with any
 * condition, and as if it were 0. */
static void several(void **state)
{
    hsa_signal_t s[4] = {make(0), make(0), {5}, make(0)};
    hsa_signal_condition_t c[] = {HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT,
                                  HSA_SIGNAL_CONDITION_LT};
    hsa_signal_value_t compare[] = {10, 20, 30, 40}, v[4];
    const uint32_t none = UINT32_MAX;

    (void)state;
    for (unsigned holds = 0; holds < 8; holds++) {
        const bool is[] = {holds & 1, holds >> 1 & 1, true, holds >> 2 & 1};

        for (unsigned k = 0; k < 4; k++)
            hsa_signal_store_relaxed(s[k], is[k] ? k + 1 : 50);
        memset(v, 77, sizeof v);
        assert_int_equal(hsa_amd_signal_wait_any(4, s, c, compare, 0, 0, v), is[0] ? 0 : is[1] ? 1 : 2);
        assert_true(v[0] == (is[0] ? 1 : is[1] ? 2 : 0));
        assert_int_equal(hsa_amd_signal_wait_any(2, s, c, compare, 0, 0, NULL), is[0] ? 0 : is[1] ? 1 : none);
        memset(v, 0, sizeof v);
        assert_int_equal(hsa_amd_signal_wait_all(4, s, c, compare, 0, 0, v), holds == 7 ? 0 : none);
        assert_true(v[0] == is[0] && v[1] == 2 * is[1] && v[2] == 0 && v[3] == 4 * is[3]);
        assert_int_equal(hsa_amd_signal_wait_all(2, s, c, compare, 0, 0, NULL), is[0] && is[1] ? 0 : none);
    }
    assert_int_equal(hsa_amd_signal_wait_any(0, NULL, NULL, NULL, 0, 0, NULL), none);
    assert_int_equal(hsa_amd_signal_wait_all(0, NULL, NULL, NULL, 0, 0, NULL), 0); /* nothing is left to wait for */
    for (unsigned k = 0; k < 4; k++)
        if (k != 2)
            assert_int_equal(hsa_signal_destroy(s[k]), 0);
}

/* ---- sleeping ---- */

static struct sleeper {
    hsa_signal_t signal[2];
    unsigned way; /* 0: the first; 1: any; 2: all */
    uint32_t found;
    hsa_signal_value_t value[2];
} asleep;

static void *sleeps(void *arg)
{
    static hsa_signal_condition_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_GTE};
    static hsa_signal_value_t compare[] = {9, 100};
    struct sleeper *s = arg;

    if (s->way == 0)
        s->value[0] = hsa_signal_wait_scacquire(s->signal[0], HSA_SIGNAL_CONDITION_EQ, 9, UINT64_MAX, 0);
    else
        s->found = (s->way == 1 ? hsa_amd_signal_wait_any : hsa_amd_signal_wait_all)(
            2, s->signal, conditions, compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, s->value);
    return NULL;
}

struct waiting {
    unsigned count;
    struct host_wait last;
};

static void see_wait(const struct host_wait *w, void *ctx)
{
    struct waiting *all = ctx;

    all->count++;
    all->last = *w;
}

/* A thread that waits is listed with what it waits for while it does, and wakes when the last of it has come. */
static void sleepers(void **state)
{
    struct waiting w;
    pthread_t thread;

    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        asleep = (struct sleeper){.signal = {make(1), make(1)}, .way = way, .found = 77};
        assert_int_equal(pthread_create(&thread, NULL, sleeps, &asleep), 0);
        do {
            w = (struct waiting){0};
            hosts_each_wait(see_wait, &w);
        } while (!w.count);
        assert_int_equal(w.count, 1);
        assert_int_equal(w.last.all, way != 1);
        assert_int_equal(w.last.count, way ? 2 : 1);
        assert_int_equal(w.last.on[0].signal.handle, asleep.signal[0].handle);
        assert_int_equal(w.last.on[0].condition, HSA_SIGNAL_CONDITION_EQ);
        assert_true(w.last.on[0].compare == 9 && w.last.on[0].mask == -1);
        if (way) {
            assert_int_equal(w.last.on[1].signal.handle, asleep.signal[1].handle);
            assert_int_equal(w.last.on[1].condition, HSA_SIGNAL_CONDITION_GTE);
            assert_true(w.last.on[1].compare == 100);
        }
        hsa_signal_store_screlease(asleep.signal[0], 8);
        if (way == 2)
            hsa_signal_store_screlease(asleep.signal[0], 9);
        hsa_signal_store_screlease(asleep.signal[way != 0], way == 0 ? 9 : 101);
        pthread_join(thread, NULL);
        assert_true(asleep.value[0] == (way == 1 ? 101 : 9) && asleep.value[1] == (way == 2 ? 101 : 0));
        assert_int_equal(asleep.found, way == 0 ? 77 : way == 1 ? 1 : 0);
        w = (struct waiting){0};
        hosts_each_wait(see_wait, &w);
        assert_int_equal(w.count, 0);
        assert_int_equal(signal_find(asleep.signal[0])->waiters, 0);
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(hsa_signal_destroy(asleep.signal[k]), 0);
    }
}

/* What counts a change: the generation, each flag that attends, bells; and calls of a thread, which loads and waits
 * are, and changes. */
static void counts(void **state)
{
    static volatile int flag[2];
    hsa_signal_t s = make(1);
    struct bell bell = {0};
    uint32_t g, which = host_called(), calls = host_calls(which);

    (void)state;
    signals_attend(&flag[0]);
    signals_attend(&flag[1]);
    g = signals_generation();
    signals_message();
    assert_int_equal(signals_generation(), g + 1);
    assert_true(flag[0] == 1 && flag[1] == 1);
    flag[0] = flag[1] = 0;
    hsa_signal_store_relaxed(s, 5);
    assert_true(signals_generation() > g + 1);
    assert_true(flag[0] == 1 && flag[1] == 1);
    signals_sleep(g, UINT64_MAX / 2); /* it is another one by now */
    assert_int_equal(bell_rings(&bell), 0);
    bell_ring(&bell);
    assert_int_equal(bell_rings(&bell), 1);
    bell_sleep(&bell, 0, UINT64_MAX / 2);
    assert_true(bell.rings == 1 && bell.sleepers == 0);
    assert_int_equal(host_calls(which), calls + 1); /* of the store */
    hsa_signal_load_relaxed(s);
    assert_int_equal(host_calls(which), calls + 2);
    hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_EQ, 5, 0, 0);
    assert_int_equal(host_calls(which), calls + 3);
    hsa_signal_silent_store_relaxed(s, 6);
    assert_int_equal(host_calls(which), calls + 4);
    assert_int_equal(host_called(), which);
    assert_int_equal(host_calls(which), calls + 5);
    assert_int_equal(hsa_signal_destroy(s), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions), cmocka_unit_test(operations),  cmocka_unit_test(life),
        cmocka_unit_test(shared),     cmocka_unit_test(completions), cmocka_unit_test(several),
        cmocka_unit_test(sleepers),   cmocka_unit_test(counts),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
