/* Host threads that take groups of CUs through an epoch, and the far side of memory beside them.
 *
 * A round is an epoch of some groups, in rising order, in one half or in two:
 *   - the first half of a group may be taken at any time, its second one when the first is done and the far side has
 *     done what it has left of the epoch before (FAR_REST);
 *   - the far side may do the first half (FAR_FIRST) when all groups have.
 * The round ends when all of this is done.
 *
 * A group stays with the thread that had it last, whose caches have its state. Each thread takes its own in rising
 * order, first halves before second ones; a thread that has none left takes the next one of another, and keeps it. The
 * caller's thread looks after the far side first, the others when nothing else is left.
 *
 * A group may wait for its turn: until every group with a lower number has ended the epoch. Its thread then takes
 * second halves of its own from below that number in the meantime. So the lowest group that has not ended never waits:
 * one that is not taken belongs to a thread that has taken nothing higher in that half, or waits for its turn with
 * something higher and takes it.
 *
 * Threads are tasks of a job of the simulator's pool (sim/util/thread_pool.h). When the host gives fewer of them than
 * asked for, these do all of the work. Between rounds threads spin for a moment, then sleep.
 */
#ifndef GCNSIM_ENGINE_TIMING_POOL_H
#define GCNSIM_ENGINE_TIMING_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct thread_pool;
struct timing_pool;

enum timing_far { TIMING_FAR_FIRST, TIMING_FAR_REST, TIMING_FARS };

struct timing_work {
    void *ctx;
    /* thread: who runs it, 0 (the caller) .. threads - 1; half: 0 or 1. */
    void (*group)(void *ctx, uint32_t group, uint32_t half, uint32_t thread);
    void (*far)(void *ctx, enum timing_far part);
};

/* threads: the caller included; the others are taken from `from`, from the first round that is shared until
 * timing_pool_free(); null: they are started for this pool alone. groups: up to 65535. Null when out of host memory. */
struct timing_pool *timing_pool_new(uint32_t threads, uint32_t groups, const struct timing_work *work,
                                    struct thread_pool *from);
void timing_pool_free(struct timing_pool *p);

/* Rounds of `count` groups, in rising order: on the caller's thread alone and in one half; by all threads in one half;
 * by all threads in two halves, with the far side beside them. */
void timing_pool_run_alone(struct timing_pool *p, const uint32_t *group, uint32_t count);
void timing_pool_run(struct timing_pool *p, const uint32_t *group, uint32_t count);
void timing_pool_run_beside(struct timing_pool *p, const uint32_t *group, uint32_t count);

/* For a group that `thread` runs: returns when all those before it have ended. */
void timing_pool_await_turn(struct timing_pool *p, uint32_t group, uint32_t thread);

#endif
