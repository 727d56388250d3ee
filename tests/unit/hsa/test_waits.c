/* Who waits for what (sim/hsa/waits/waits.h), and what of it goes on by itself. */
#include "tests/unit/hsa/code_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "sim/hsa/queues/queue.h"
#include "sim/hsa/waits/waits.h"
#include "tests/support/proc.h"

enum { PACKETS = 64 };

/* What there is -----------------------------------------------------------------------------------------------------
 */

static char *text; /* of the last look; "": nobody waits */

static void look(void)
{
    struct waits *w = waits_collect();

    free(text);
    text = w ? waits_text(w) : calloc(1, 1);
    assert_non_null(text);
    waits_free(w);
}

/* A line, or several, of the text: a printf format. */
__attribute__((format(printf, 1, 2))) static bool says(const char *format, ...)
{
    char lines[600];
    va_list args;

    va_start(args, format);
    assert_true(vsnprintf(lines, sizeof lines, format, args) < (int)sizeof lines);
    va_end(args);
    return strstr(text, lines) != NULL;
}

#define SAYS(...)                                                                                                      \
    do {                                                                                                               \
        if (!says(__VA_ARGS__)) {                                                                                      \
            fputs(text, stderr);                                                                                       \
            fail_msg(__VA_ARGS__);                                                                                     \
        }                                                                                                              \
    } while (0)

#define AWAIT(...)                                                                                                     \
    do {                                                                                                               \
        look();                                                                                                        \
    } while (!says(__VA_ARGS__) && sched_yield() == 0)

/* What waits --------------------------------------------------------------------------------------------------------
 */

static hsa_signal_t new_signal(hsa_signal_value_t value)
{
    hsa_signal_t s;

    assert_int_equal(hsa_signal_create(value, 0, NULL, &s), HSA_STATUS_SUCCESS);
    return s;
}

static unsigned long long number(hsa_signal_t s)
{
    return (unsigned long long)signal_find(s)->number;
}

static hsa_queue_t *new_queue(void)
{
    hsa_queue_t *q;

    assert_int_equal(hsa_queue_create(gfx90a, PACKETS, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q),
                     HSA_STATUS_SUCCESS);
    return q;
}

/* The runtime may look at a packet at any time, for a text. */
static void hand_over(hsa_queue_t *q, hsa_barrier_and_packet_t p, unsigned header)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(q, 1);
    uint16_t half[sizeof p / 2], *to = (uint16_t *)((char *)q->base_address + index % q->size * sizeof p);

    memcpy(half, &p, sizeof p);
    for (unsigned k = 1; k < sizeof p / 2; k++)
        __atomic_store_n(&to[k], half[k], __ATOMIC_RELAXED);
    __atomic_store_n(&to[0], (uint16_t)header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)index);
}

static void barrier(hsa_queue_t *q, unsigned type, hsa_signal_t a, hsa_signal_t b, hsa_signal_t completes)
{
    hand_over(q, (hsa_barrier_and_packet_t){.dep_signal = {a, {0}, b}, .completion_signal = completes},
              type << HSA_PACKET_HEADER_TYPE);
}

static const hsa_signal_t none = {0};

/* A kernel that runs until its queue is destroyed. */
static void run_forever(hsa_queue_t *q, hsa_signal_t completes)
{
    static const uint32_t code[] = {0xbf82ffff}; /* s_branch -1 */
    hsa_executable_t x = new_executable();
    hsa_kernel_dispatch_packet_t p = {.setup = 1,
                                      .workgroup_size_x = 64,
                                      .workgroup_size_y = 1,
                                      .workgroup_size_z = 1,
                                      .grid_size_x = 64,
                                      .grid_size_y = 1,
                                      .grid_size_z = 1,
                                      .completion_signal = completes};
    hsa_barrier_and_packet_t raw;
    struct toy t;

    toy_init(&t, GFX90A, 3);
    memcpy(t.bytes + TOY_TEXT, code, sizeof code);
    assert_int_equal(load_bytes(x, gfx90a, t.bytes, sizeof t.bytes, NULL), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    p.kernel_object = symbol_u64(symbol_of(x, "k.kd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    memcpy(&raw, &p, sizeof raw);
    hand_over(q, raw, HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE);
}

static uint32_t number_of(const hsa_queue_t *q)
{
    return queue_find(q)->number;
}

/* A thread that waits in one call, for one of some signals or all. */
struct sleeper {
    pthread_t thread;
    pid_t tid; /* 0: not known yet; atomic */
    bool all;
    uint32_t count;
    hsa_signal_t on[20];
    hsa_signal_condition_t condition[20];
    hsa_signal_value_t compare[20];
    const char *name;
};

static void *sleep_on(void *arg)
{
    struct sleeper *s = arg;

    if (s->name)
        prctl(PR_SET_NAME, s->name, 0, 0, 0);
    __atomic_store_n(&s->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
    if (s->count == 1)
        hsa_signal_wait_scacquire(s->on[0], s->condition[0], s->compare[0], UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    else if (s->all)
        hsa_amd_signal_wait_all(s->count, s->on, s->condition, s->compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, NULL);
    else
        hsa_amd_signal_wait_any(s->count, s->on, s->condition, s->compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, NULL);
    return NULL;
}

/* Comes back when it waits. */
static void start(struct sleeper *s)
{
    s->tid = 0;
    assert_int_equal(pthread_create(&s->thread, NULL, sleep_on, s), 0);
    while (!__atomic_load_n(&s->tid, __ATOMIC_ACQUIRE))
        sched_yield();
    AWAIT("host thread %d", (int)s->tid);
}

static void end(struct sleeper *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        hsa_signal_store_screlease(s->on[k], s->compare[k]);
    assert_int_equal(pthread_join(s->thread, NULL), 0);
}

static struct sleeper sleeper_on(hsa_signal_t on)
{
    return (struct sleeper){.count = 1, .on = {on}, .condition = {HSA_SIGNAL_CONDITION_EQ}};
}

/* Cases -------------------------------------------------------------------------------------------------------------
 */

static void threads_wait(void **state)
{
    struct sleeper s = sleeper_on(new_signal(4));

    (void)state;
    NEED_PROC();
    look();
    assert_string_equal(text, "");
    s.name = "a\033[31mb\n"; /* what programs say is no command to a terminal */
    start(&s);
    SAYS("  host thread %d, a?[31mb?\n    waits for     signal %llu == 0; it is 4\n", (int)s.tid, number(s.on[0]));
    SAYS("  signal %llu, 0x%llx, made at test_waits+0x", number(s.on[0]), (unsigned long long)s.on[0].handle);
    SAYS("\n    completed by  nobody that gcnsim knows of: the program or a kernel has to store to it\n");
    assert_null(strstr(text, "cycle"));
    hsa_signal_store_screlease(s.on[0], 5); /* awake, and asleep again */
    look();
    SAYS("signal %llu == 0; it is 5\n", number(s.on[0]));
    end(&s);
    look();
    assert_string_equal(text, "");
    assert_int_equal(hsa_signal_destroy(s.on[0]), 0);
}

static void threads_wait_for_several(void **state)
{
    struct sleeper any = {.count = 3}, all = {.count = 20, .all = true};

    (void)state;
    for (uint32_t k = 0; k < 20; k++) {
        all.on[k] = new_signal(k);
        all.condition[k] = HSA_SIGNAL_CONDITION_EQ; /* of the first it holds */
    }
    for (uint32_t k = 0; k < 3; k++) {
        any.on[k] = new_signal(7);
        any.condition[k] = k == 0   ? HSA_SIGNAL_CONDITION_NE
                           : k == 1 ? HSA_SIGNAL_CONDITION_GTE
                                    : HSA_SIGNAL_CONDITION_LT;
        any.compare[k] = k == 0 ? 7 : k == 1 ? 9 : -3;
    }
    start(&any);
    SAYS("    waits for     signal %llu != 7; it is 7\n    or            signal %llu >= 9; it is 7\n"
         "    or            signal %llu < -3; it is 7\n",
         number(any.on[0]), number(any.on[1]), number(any.on[2]));
    hsa_signal_store_screlease(any.on[0], 8);
    assert_int_equal(pthread_join(any.thread, NULL), 0);
    start(&all);
    SAYS("    waits for     signal %llu == 0; it is 1\n    and           signal %llu == 0; it is 2\n",
         number(all.on[1]), number(all.on[2]));
    SAYS("    and           11 more\n"); /* 8 are shown, and one holds */
    end(&all);
    look();
    assert_string_equal(text, "");
}

static void a_barrier_waits(void **state)
{
    hsa_queue_t *q = new_queue();
    hsa_signal_t never = new_signal(1), there = new_signal(0), done = new_signal(1);
    struct sleeper s = sleeper_on(done);
    const uint32_t n = number_of(q);

    (void)state;
    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, there, never, none);
    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, none, none, done);
    start(&s);
    SAYS("  queue %u packet 0: barrier-AND; 1 packet behind it\n    waits for     signal %llu == 0; it is 1\n  signal",
         n, number(never));
    SAYS("\n    completed by  queue %u packet 1\n", n);
    assert_null(strstr(text, "cycle"));
    hsa_signal_store_screlease(never, 0);
    assert_int_equal(pthread_join(s.thread, NULL), 0);
    look();
    assert_string_equal(text, "");
    /* a packet for which there is no body yet */
    hsa_queue_add_write_index_relaxed(q, 1);
    look();
    SAYS("  queue %u packet 2: reserved, and the program has not written its header\n", n);
    assert_int_equal(hsa_queue_inactivate(q), 0);
    look();
    SAYS("  queue %u packet 2: reserved, and the queue has been stopped\n", n);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

static void cycles_are_named(void **state)
{
    hsa_queue_t *one = new_queue(), *two = new_queue();
    hsa_signal_t a = new_signal(1), b = new_signal(1), never = new_signal(1), own = new_signal(1);
    const uint32_t m = number_of(one), n = number_of(two);

    (void)state;
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, b, none, none);
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, never, none, none);
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, none, none, a);
    barrier(two, HSA_PACKET_TYPE_BARRIER_OR, a, never, b);
    look();
    SAYS("  cycle: queue %u packet 0 -> signal %llu -> queue %u packet 0 -> signal %llu -> queue %u packet 2 -> queue "
         "%u "
         "packet 1 -> queue %u packet 0\n",
         m, number(b), n, number(a), m, m, m);
    SAYS("  queue %u packet 1: barrier-AND\n    waits for     queue %u packet 0 to begin\n"
         "    and           signal %llu == 0; it is 1\n",
         m, m, number(never));
    SAYS("  queue %u packet 0: barrier-OR\n    waits for     signal %llu == 0; it is 1\n    or            signal %llu "
         "==",
         n, number(a), number(never));
    assert_int_equal(hsa_queue_destroy(one), 0);
    look(); /* who destroys a queue has its packets not completed */
    assert_null(strstr(text, "cycle"));
    assert_int_equal(hsa_queue_destroy(two), 0);
    one = new_queue();
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, own, none, own);
    look();
    SAYS("  cycle: queue %u packet 0 -> signal %llu -> queue %u packet 0\n", number_of(one), number(own),
         number_of(one));
    assert_int_equal(hsa_queue_destroy(one), 0);
    look();
    assert_string_equal(text, "");
}

/* One of two ways out of a cycle suffices to a barrier-OR, and to a signal; a kernel that runs is one. */
static void what_goes_on_is_no_cycle(void **state)
{
    hsa_queue_t *one = new_queue(), *two = new_queue(), *three = new_queue(), *busy = new_queue();
    hsa_signal_t a = new_signal(1), b = new_signal(1), done = new_signal(1), twice = new_signal(3);
    const uint32_t n = number_of(busy);

    (void)state;
    run_forever(busy, done);
    AWAIT("  queue %u packet 0: dispatch ", n);
    AWAIT(", kernel k, runs\n");
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, b, none, a);
    barrier(two, HSA_PACKET_TYPE_BARRIER_OR, a, done, b);
    look();
    assert_null(strstr(text, "cycle"));
    SAYS("    completed by  queue %u packet 0, which runs\n", n);
    /* it is not enough to a barrier-AND after that */
    barrier(two, HSA_PACKET_TYPE_BARRIER_AND, a, done, twice);
    barrier(three, HSA_PACKET_TYPE_BARRIER_AND, twice, none, none);
    look();
    assert_null(strstr(text, "cycle"));
    SAYS("\n    completed by  queue %u packet 1\n    and           nobody that gcnsim knows of, 2 times: the",
         number_of(two));
    /* a second kernel of the queue, and one after the barrier bit */
    run_forever(busy, twice);
    hand_over(busy, (hsa_barrier_and_packet_t){.completion_signal = twice},
              HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER);
    look();
    SAYS("  queue %u packet 1: dispatch of kernel k; 1 packet behind it\n    waits for     queue %u packet 0 to end\n",
         n, n);
    assert_null(strstr(text, "of, 2 times"));
    assert_int_equal(hsa_queue_destroy(one), 0);
    assert_int_equal(hsa_queue_destroy(two), 0);
    assert_int_equal(hsa_queue_destroy(three), 0);
    assert_int_equal(hsa_queue_destroy(busy), 0);
}

/* No number of completions makes a signal larger, and none a signal of what has been destroyed. */
static void completions_that_do_not_help(void **state)
{
    hsa_queue_t *q = new_queue();
    hsa_signal_t up = new_signal(1), never = new_signal(1), gone = new_signal(1);
    struct sleeper s = sleeper_on(up), late = sleeper_on(gone);

    (void)state;
    s.condition[0] = HSA_SIGNAL_CONDITION_GTE;
    s.compare[0] = 2;
    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, never, none, up);
    start(&s);
    SAYS("    completed by  queue %u packet 0\n    and           no completion makes it that: the", number_of(q));
    end(&s);
    start(&late);
    assert_int_equal(hsa_signal_destroy(gone), 0);
    look();
    SAYS("    waits for     signal 0x%llx == 0; it has been destroyed\n", (unsigned long long)gone.handle);
    SAYS("  signal 0x%llx\n    completed by  nobody: it is no signal any more\n", (unsigned long long)gone.handle);
    hsa_signal_t again = new_signal(0); /* in its cell, where the thread still looks */
    assert_int_equal(again.handle, gone.handle);
    assert_int_equal(pthread_join(late.thread, NULL), 0);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* A signal that packets and copies complete names all of them, packets first. */
static void packets_and_copies_complete_one(void **state)
{
    static uint8_t to[8], from[8];
    hsa_queue_t *one = new_queue(), *two = new_queue();
    hsa_signal_t never = new_signal(1), done = new_signal(4);
    struct sleeper s = sleeper_on(done);

    (void)state;
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 1, &never, done), 0);
    barrier(two, HSA_PACKET_TYPE_BARRIER_AND, never, none, done);
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, never, none, done);
    start(&s);
    SAYS("    completed by  queue %u packet 0\n    and           queue %u packet 0\n    and           copy 1\n"
         "    and           copy 2\n",
         number_of(one), number_of(two));
    hsa_signal_store_screlease(never, 0);
    assert_int_equal(pthread_join(s.thread, NULL), 0);
    look();
    assert_string_equal(text, "");
    assert_int_equal(hsa_queue_destroy(one), 0);
    assert_int_equal(hsa_queue_destroy(two), 0);
}

/* What packets wait for are the signals that there are. */
static void packets_do_not_wait_for_what_is_gone(void **state)
{
    hsa_queue_t *q = new_queue();
    hsa_signal_t never = new_signal(1), gone = new_signal(1);
    struct sleeper s = sleeper_on(new_signal(1));

    (void)state;
    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, never, none, none);
    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, gone, never, s.on[0]);
    assert_int_equal(hsa_signal_destroy(gone), 0);
    start(&s);
    SAYS("  queue %u packet 1: barrier-AND\n    waits for     queue %u packet 0 to begin\n"
         "    and           signal %llu == 0; it is 1\n",
         number_of(q), number_of(q), number(never));
    assert_null(strstr(text, "destroyed"));
    end(&s);
    assert_int_equal(hsa_queue_destroy(q), 0);
}

static hsa_signal_t inner;

static bool wait_inside(hsa_signal_value_t value, void *data)
{
    (void)value, (void)data;
    hsa_signal_wait_scacquire(inner, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    return false;
}

static bool count_down(hsa_signal_value_t value, void *data)
{
    (void)value;
    hsa_signal_subtract_screlease(*(hsa_signal_t *)data, 1);
    return false;
}

static void handlers_and_copies_wait(void **state)
{
    static uint8_t to[96], from[96];
    hsa_signal_t go = new_signal(1), later = new_signal(1), called = new_signal(1), copied = new_signal(1);
    hsa_signal_t on[3] = {new_signal(2), none, new_signal(0)};

    (void)state;
    inner = new_signal(1);
    assert_int_equal(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 3, on, copied), 0);
    assert_int_equal(hsa_amd_signal_async_handler(go, HSA_SIGNAL_CONDITION_LT, 1, wait_inside, NULL), 0);
    assert_int_equal(hsa_amd_signal_async_handler(later, HSA_SIGNAL_CONDITION_EQ, 0, count_down, &called), 0);
    look();
    SAYS("  handler 1\n    waits for     signal %llu < 1; it is 1\n  handler 2\n    waits for     signal %llu == 0; it "
         "is 1\n",
         number(go), number(later));
    SAYS("  copy 1, 96 bytes\n    waits for     signal %llu == 0; it is 2\n  signal", number(on[0]));
    /* while it is in a handler, others are not called, whatever their signals are */
    hsa_signal_store_screlease(later, 0);
    hsa_signal_wait_scacquire(called, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_store_screlease(go, 0);
    AWAIT("    waits for     signal %llu == 0; it is 1\n", number(inner));
    hsa_signal_store_screlease(called, 1);
    assert_int_equal(hsa_amd_signal_async_handler(later, HSA_SIGNAL_CONDITION_EQ, 0, count_down, &called), 0);
    look();
    SAYS("  handler 1\n    waits for     host thread ");
    SAYS(", which is in a handler\n");
    hsa_signal_store_screlease(inner, 0);
    hsa_signal_wait_scacquire(called, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_store_screlease(on[0], 0);
    hsa_signal_wait_scacquire(copied, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    look();
    assert_string_equal(text, "");
}

/* Copies take part in cycles. */
static void a_cycle_of_copies(void **state)
{
    static uint8_t to[8], from[8];
    hsa_signal_t a = new_signal(1), b = new_signal(1);

    (void)state;
    assert_int_equal(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 1, &a, b), 0);
    assert_int_equal(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 1, &b, a), 0);
    look();
    SAYS("  cycle: copy 1 -> signal %llu -> copy 2 -> signal %llu -> copy 1\n", number(a), number(b));
    hsa_signal_store_screlease(a, 0);
    hsa_signal_wait_scacquire(b, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_signal_wait_scacquire(a, HSA_SIGNAL_CONDITION_EQ, -1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    look();
    assert_string_equal(text, "");
}

static bool worked; /* atomic */

/* Packets, copies and waits that all come to their end. */
static void *work(void *arg)
{
    static uint8_t to[8], from[8];
    hsa_queue_t *q = arg;

    for (unsigned k = 0; k < 1000; k++) {
        hsa_signal_t go = new_signal(1), first = new_signal(1), last = new_signal(1);

        barrier(q, HSA_PACKET_TYPE_BARRIER_AND, go, none, first);
        assert_int_equal(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 1, &first, last), 0);
        hsa_signal_store_screlease(go, 0);
        hsa_signal_wait_scacquire(last, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
        assert_int_equal(hsa_signal_destroy(go), 0);
        assert_int_equal(hsa_signal_destroy(first), 0);
        assert_int_equal(hsa_signal_destroy(last), 0);
    }
    __atomic_store_n(&worked, true, __ATOMIC_RELEASE);
    return NULL;
}

/* Looks hold nobody up, and nobody goes in a circle who is seen to go on. */
static void looks_at_what_moves(void **state)
{
    hsa_queue_t *q = new_queue();
    pthread_t worker;

    (void)state;
    assert_int_equal(pthread_create(&worker, NULL, work, q), 0);
    while (!__atomic_load_n(&worked, __ATOMIC_ACQUIRE)) {
        look();
        assert_null(strstr(text, "cycle"));
    }
    assert_int_equal(pthread_join(worker, NULL), 0);
    look();
    assert_string_equal(text, "");
    assert_int_equal(hsa_queue_destroy(q), 0);
}

/* A program's packets may be as many as they like: the graph has a bound, and says that it was reached. */
static void many_packets(void **state)
{
    enum { MANY = 65536 };
    hsa_signal_t *s = calloc(MANY + 1, sizeof *s);
    hsa_queue_t *q;

    (void)state;
    assert_non_null(s);
    assert_int_equal(hsa_queue_create(gfx90a, MANY, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q), 0);
    for (unsigned k = 0; k <= MANY; k++)
        s[k] = new_signal(1);
    for (unsigned k = 0; k < MANY; k++)
        barrier(q, HSA_PACKET_TYPE_BARRIER_AND, s[k + 1], none, s[k]);
    look();
    SAYS("  queue %u packet 0: barrier-AND; %d packets behind it\n", number_of(q), MANY - 1);
    SAYS("  cycle: queue %u packet 0 -> signal %llu -> queue %u packet 1 -> queue", number_of(q), number(s[1]),
         number_of(q));
    SAYS("more of the kind: signal\n");
    SAYS("  there is more than the %u threads", WAITS_MOST);
    assert_int_equal(hsa_queue_destroy(q), 0);
    for (unsigned k = 0; k <= MANY; k++)
        assert_int_equal(hsa_signal_destroy(s[k]), 0);
    free(s);
}

static int free_text(void **state)
{
    free(text);
    return stop_runtime(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_wait),
        cmocka_unit_test(threads_wait_for_several),
        cmocka_unit_test(a_barrier_waits),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(what_goes_on_is_no_cycle),
        cmocka_unit_test(completions_that_do_not_help),
        cmocka_unit_test(handlers_and_copies_wait),
        cmocka_unit_test(a_cycle_of_copies),
        cmocka_unit_test(looks_at_what_moves),
        cmocka_unit_test(many_packets),
        cmocka_unit_test(packets_and_copies_complete_one),
        cmocka_unit_test(packets_do_not_wait_for_what_is_gone),
    };

    return cmocka_run_group_tests(tests, start_runtime, free_text);
}
