/* Samples that never end because of what they wait for: each says so when its first thread sleeps. */
#include "tests/hsa/raw/raw.h"

#include <pthread.h>
#include <sched.h>

static const char *name;

/* Whether the first thread of the process sleeps, as Linux reports. */
static bool sleeps(void)
{
    char path[64], text[256] = "";
    const char *end;
    FILE *f;

    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)getpid());
    f = fopen(path, "r");
    EXPECT(f && fgets(text, sizeof text, f));
    fclose(f);
    end = strrchr(text, ')');
    return end && end[2] == 'S';
}

static void *say(void *arg)
{
    (void)arg;
    while (!sleeps())
        sched_yield();
    printf("%s: waits\n", name);
    fflush(stdout);
    return NULL;
}

/* The next call of this thread is one that does not come back. */
static void say_when_it_waits(const char *of)
{
    pthread_t watcher;

    name = of;
    SAME(pthread_create(&watcher, NULL, say, NULL), 0);
    SAME(pthread_detach(watcher), 0);
}

static void barrier(hsa_queue_t *q, unsigned type, hsa_signal_t on, hsa_signal_t completes)
{
    uint64_t index;
    hsa_barrier_and_packet_t *p = next_packet(q, &index); /* the layout of both kinds */

    p->dep_signal[1] = on;
    p->completion_signal = completes;
    hand_over(q, index, p, type, false);
}

/* A signal that nobody completes. */
void waits_alone(void)
{
    hsa_signal_t never = new_signal(3);

    say_when_it_waits("waits_alone");
    wait_for(never);
}

/* A packet after a barrier that nobody lets go. */
void waits_barrier(void)
{
    hsa_queue_t *q = new_queue(NULL);
    hsa_signal_t never = new_signal(1), done = new_signal(1);
    uint32_t *a = allocate(fine, 256);

    barrier(q, HSA_PACKET_TYPE_BARRIER_AND, never, (hsa_signal_t){0});
    dispatch(q, kernel_object("scale"), 1, (struct arguments){a, a, 2}, done);
    say_when_it_waits("waits_barrier");
    wait_for(done);
}

/* Two queues, each after a barrier on the other one. */
void waits_cycle(void)
{
    hsa_queue_t *one = new_queue(NULL), *two = new_queue(NULL);
    hsa_signal_t first = new_signal(1), second = new_signal(1);

    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, second, (hsa_signal_t){0});
    barrier(one, HSA_PACKET_TYPE_BARRIER_AND, (hsa_signal_t){0}, first);
    barrier(two, HSA_PACKET_TYPE_BARRIER_OR, first, second);
    say_when_it_waits("waits_cycle");
    wait_for(first);
}

static bool no_more(hsa_signal_value_t value, void *data)
{
    (void)value, (void)data;
    return false;
}

/* One of two signals, one of which a copy would complete that waits, too; and a handler. */
void waits_any(void)
{
    hsa_signal_t any[2] = {new_signal(1), new_signal(1)}, never = new_signal(7);
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_LT};
    hsa_signal_value_t values[2] = {0, 1}, value = 0;
    uint32_t *a = allocate(fine, 4096), *b = allocate(coarse, 4096);

    OK(hsa_amd_memory_async_copy(b, gpu, a, cpu, 4096, 1, &never, any[1]));
    OK(hsa_amd_signal_async_handler(never, HSA_SIGNAL_CONDITION_LT, 1, no_more, NULL));
    say_when_it_waits("waits_any");
    hsa_amd_signal_wait_any(2, any, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &value);
}
