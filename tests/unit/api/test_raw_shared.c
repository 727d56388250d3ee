/* Raw launches beside others that use the same memory: messages to the host, ends that the host asks for, atomics and
 * flags between launches of different simulators. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

/* an interrupt with M0 = 0x55000007 | workgroup << 8, and message 15 with operation 3 */
static const char messages[] =
    "s_lshl_b32 s3, s2, 8; s_or_b32 m0, s3, 0x55000007; s_nop 0; s_sendmsg sendmsg(MSG_INTERRUPT); "
    "s_waitcnt lgkmcnt(0); s_sendmsg sendmsg(15, 3, 0); s_endpgm";
/* say that they have begun; then wait for *s[0:1]; compute; sleep: all without an end */
static const char spin[] =
    "s_sendmsg sendmsg(MSG_INTERRUPT); "
    "loop: s_load_dword s3, s[0:1], 0x0; s_waitcnt lgkmcnt(0); s_cmp_eq_u32 s3, 0; s_cbranch_scc1 loop; s_endpgm";
static const char burn[] =
    "s_sendmsg sendmsg(MSG_INTERRUPT); "
    "loop: v_fma_f64 v[0:1], v[2:3], v[2:3], v[0:1]; v_exp_f32 v4, v4; v_fma_f64 v[0:1], v[2:3], v[2:3], v[0:1]; "
    "v_add_u32 v5, v5, v6; s_branch loop";
static const char sleepy[] = "s_sendmsg sendmsg(MSG_INTERRUPT); "
                             "loop: s_sleep 0x7f; s_branch loop";
/* a thousand times (*s[0:1])++ */
static const char count[] =
    "v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_movk_i32 s3, 0x3e8; "
    "loop: global_atomic_add v0, v1, s[0:1]; s_waitcnt vmcnt(0); s_sub_u32 s3, s3, 1; s_cmp_lg_u32 s3, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* *s[0:1] = 1 */
static const char set[] = "v_mov_b32 v0, 0; v_mov_b32 v1, 1; global_store_dword v0, v1, s[0:1]; s_endpgm";
/* says that it has begun, waits until it is not 0, and copies it to the next word */
static const char wait_for[] =
    "s_sendmsg sendmsg(MSG_INTERRUPT); v_mov_b32 v0, 0; "
    "loop: global_load_dword v1, v0, s[0:1] glc; s_waitcnt vmcnt(0); v_readfirstlane_b32 s3, v1; s_cmp_eq_u32 s3, 0; "
    "s_cbranch_scc1 loop; global_store_dword v0, v1, s[0:1] offset:4; s_endpgm";

struct job {
    pthread_t thread;
    const uint32_t *code;
    size_t bytes;
    void *memory;
    enum gcnsim_engine engine;
    uint32_t groups, items, threads;
    int every_cycle;
    volatile int *abort;
    gcnsim_message_fn *message;
    void *message_ctx;
    sem_t began; /* posted by each message, when start_and_await_message() starts it */
    int outcome; /* of the run; -1: there was none */
};

#define CODE(TEXT) .code = assemble("gfx90a", TEXT).word, .bytes = assemble("gfx90a", TEXT).words * sizeof(uint32_t)

static void *run(void *ctx)
{
    struct job *j = ctx;
    struct gcnsim_result *result;
    struct gcnsim *sim;
    struct gcnsim_raw r;

    j->outcome = -1;
    if (gcnsim_open(&sim, "gfx90a", NULL))
        return NULL;
    api_threads_at_once(sim);
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    r.entry = r.code_base = (uint64_t)(uintptr_t)j->code;
    r.code_size = j->bytes;
    r.wave_size = 64;
    r.compute_pgm_rsrc1 = 1u | 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r.compute_pgm_rsrc3 = 1;
    r.kernarg_address = (uint64_t)(uintptr_t)j->memory;
    r.engine = j->engine;
    r.workgroups[0] = j->groups ? j->groups : 1;
    r.workgroup_size[0] = j->items ? j->items : 1;
    r.threads = j->threads;
    r.tick_every_cycle = j->every_cycle;
    r.abort_flag = j->abort;
    r.message = j->message;
    r.message_ctx = j->message_ctx;
    if (gcnsim_launch_raw(sim, &r, &result, NULL) == GCNSIM_OK) {
        j->outcome = result->outcome;
        gcnsim_result_free(result);
    }
    gcnsim_close(sim);
    return NULL;
}

static void start(struct job *j)
{
    assert_int_equal(pthread_create(&j->thread, NULL, run, j), 0);
}

static void post(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    (void)number, (void)m0, (void)data;
    sem_post(ctx);
}

/* Starts it and waits for the first message of one of its waves. */
static void start_and_await_message(struct job *j)
{
    assert_int_equal(sem_init(&j->began, 0, 0), 0);
    j->message = post;
    j->message_ctx = &j->began;
    start(j);
    while (sem_wait(&j->began))
        ;
}

static void completes(struct job *j)
{
    pthread_join(j->thread, NULL);
    assert_int_equal(j->outcome, GCNSIM_COMPLETED);
}

/* ---- messages ---- */

#define GROUPS 40

struct told {
    size_t count;
    uint32_t data[2 * GROUPS];
    int wrong;
};

static void note(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    struct told *t = ctx;

    if (number == 1)
        t->wrong |= data != (m0 & 0xffffff) || (data & 0xff) != 7 || m0 >> 24 != 0x55;
    else
        t->wrong |= number != 15 || data != 3;
    if (t->count < 2 * GROUPS)
        t->data[t->count] = m0;
    t->count++;
}

static void messages_to_the_host(void **state)
{
    struct told first = {0};

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct told t = {0};
        unsigned groups[GROUPS] = {0};
        struct job j = {CODE(messages),        .engine = i < 3 ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING,
                        .groups = GROUPS,      .threads = i % 3 + 1,
                        .every_cycle = i == 5, .message = note,
                        .message_ctx = &t};
        run(&j);
        assert_int_equal(j.outcome, GCNSIM_COMPLETED);
        assert_false(t.wrong);
        assert_int_equal(t.count, 2 * GROUPS);
        for (size_t k = 0; k < t.count; k++)
            groups[(t.data[k] >> 8 & 0xff) % GROUPS]++;
        for (unsigned k = 0; k < GROUPS; k++)
            assert_int_equal(groups[k], 2);
        /* on the timing engine the order is that of cycles, whatever simulates them */
        if (i == 3)
            first = t;
        if (i > 3)
            assert_memory_equal(&t, &first, sizeof t);
    }
}

static void nobody_listens(void **state)
{
    struct job j = {CODE(messages)};

    (void)state;
    run(&j);
    assert_int_equal(j.outcome, GCNSIM_COMPLETED);
}

/* ---- ends ---- */

static void ends_when_asked(void **state)
{
    static const char *const kernel[] = {spin, burn, sleepy};

    (void)state;
    for (int i = 0; i < 12; i++) {
        uint32_t flag = 0;
        volatile int stop = 0;
        struct job j = {
            CODE(kernel[i % 3]), .memory = &flag, .engine = i < 6 ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING,
            .groups = 200,       .items = 256,    .threads = i / 3 % 2 * 2 + 1,
            .abort = &stop};
        start_and_await_message(&j);
        stop = 1;
        pthread_join(j.thread, NULL);
        assert_int_equal(j.outcome, GCNSIM_INTERRUPTED);
    }
}

/* ---- between launches ---- */

static void one_counter_of_two_simulators(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        uint32_t counter = 0;
        struct job j[2];
        for (int k = 0; k < 2; k++) {
            j[k] = (struct job){CODE(count), .memory = &counter,
                                .engine = k < i ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL, .groups = 20,
                                .threads = 2};
            start(&j[k]);
        }
        completes(&j[0]);
        completes(&j[1]);
        assert_int_equal(counter, 2 * 20 * 1000);
    }
}

static void a_flag_from_another_simulator(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        uint32_t memory[2] = {0};
        struct job waits = {CODE(wait_for), .memory = memory,
                            .engine = i & 1 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL, .groups = 3,
                            .threads = i & 2 ? 2 : 1};
        struct job sets = {CODE(set), .memory = memory,
                           .engine = i & 4 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL};
        start_and_await_message(&waits);
        assert_int_equal(__atomic_load_n(&memory[1], __ATOMIC_ACQUIRE), 0);
        start(&sets);
        completes(&sets);
        completes(&waits);
        assert_int_equal(memory[1], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_to_the_host),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(ends_when_asked),
        cmocka_unit_test(one_counter_of_two_simulators),
        cmocka_unit_test(a_flag_from_another_simulator),
    };

    return cmocka_run_group_tests_name("raw launches beside others", tests, NULL, NULL);
}
