/* The limit on instructions, that of max_instructions or that of max_cycles (cycles.c), shared out to workers in
 * batches.
 *
 * Instructions are granted before they are executed, and what a worker does not need it returns, so exactly as many
 * can be executed, and the limit has been reached only when nothing is left and nobody holds a batch.
 * Both are looked at together under a lock. A batch is a part of what is left, so that none is large near the end,
 * where a worker without one has to wait for those of others; a worker takes the lock once in a batch. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/engine/functional/functional.h"

#define BATCH_MIN UINT64_C(256)
#define BATCH_MAX (UINT64_C(1) << 20)

void limit_init(struct run *r)
{
    uint64_t max = r->options->max_instructions, by_cycles = cycles_most_instructions(r);
    struct instruction_limit *b = &r->limit;

    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->by_cycles = by_cycles < (max ? max : UINT64_MAX);
    b->left = b->max = b->by_cycles ? by_cycles : max;
}

void limit_destroy(struct instruction_limit *b)
{
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
}

static uint64_t batch(const struct run *r)
{
    uint64_t left = r->limit.left, n = left / (4 * (uint64_t)r->workers);

    n = n < BATCH_MIN ? BATCH_MIN : n > BATCH_MAX ? BATCH_MAX : n;
    return n < left ? n : left;
}

/* Under the lock. */
static void give_up_batch(struct instruction_limit *b, struct worker *k)
{
    if (!k->holds_batch)
        return;
    b->left += k->granted;
    b->holders--;
    k->granted = 0;
    k->holds_batch = false;
    pthread_cond_broadcast(&b->changed);
}

/* Another batch for k; false when the workgroup has been stopped or nothing is left. */
static bool take_batch(struct worker *k, uint64_t group, bool *spent)
{
    struct run *r = k->run;
    struct instruction_limit *b = &r->limit;

    pthread_mutex_lock(&b->lock);
    give_up_batch(b, k);
    if (!b->left && b->holders) {
        meeting_absent(r);
        while (!b->left && b->holders && !run_stopped(r, group))
            pthread_cond_wait(&b->changed, &b->lock);
        meeting_back(r);
    }
    *spent = !b->left;
    if (b->left && !run_stopped(r, group)) {
        k->granted = batch(r);
        b->left -= k->granted;
        b->holders++;
        k->holds_batch = true;
    }
    pthread_mutex_unlock(&b->lock);
    return k->holds_batch;
}

static void end_spent(struct run *r)
{
    char why[120];

    if (r->limit.by_cycles)
        snprintf(why, sizeof why,
                 "limit of %" PRIu64 " cycles reached: as many instructions for each wave that can be resident",
                 r->options->max_cycles);
    else
        snprintf(why, sizeof why, "limit of %" PRIu64 " instructions reached", r->limit.max);
    run_end(r, ENGINE_LIMIT, why);
}

uint64_t limit_grant(struct worker *k, uint64_t group, uint64_t want)
{
    bool spent;

    if (!k->run->limit.max)
        return want;
    if (!k->granted && !take_batch(k, group, &spent)) {
        if (spent && !run_stopped(k->run, group))
            end_spent(k->run);
        return 0;
    }
    return k->granted < want ? k->granted : want;
}

void limit_forgive(struct worker *k, uint64_t executed)
{
    if (k->run->limit.by_cycles && k->holds_batch)
        k->granted += executed;
}

void limit_return(struct worker *k)
{
    struct instruction_limit *b = &k->run->limit;

    pthread_mutex_lock(&b->lock);
    give_up_batch(b, k);
    pthread_mutex_unlock(&b->lock);
}

void limit_wake(struct run *r)
{
    pthread_mutex_lock(&r->limit.lock);
    pthread_cond_broadcast(&r->limit.changed);
    pthread_mutex_unlock(&r->limit.lock);
}
