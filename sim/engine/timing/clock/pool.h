/* Host threads that share numbered tasks, round by round: the groups of CUs that have work in an epoch.
 *
 * In a round tasks 0 .. count-1 are taken in rising order by whoever is free, the caller among them; the round ends
 * when all are done. A task may wait for its turn: until every task with a lower number is done. Because tasks are
 * taken in order, the lowest one that is not done never waits for another that has not been taken.
 *
 * When the host gives fewer threads than asked for, these do all of the work. Between rounds threads spin for a moment,
 * then sleep.
 */
#ifndef GCNSIM_ENGINE_TIMING_POOL_H
#define GCNSIM_ENGINE_TIMING_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct timing_pool;

/* thread: who runs it, 0 (the caller) .. threads - 1. */
typedef void timing_pool_task(void *ctx, uint32_t index, uint32_t thread);

/* threads: the caller included. max_tasks: of a round. Null when there is no memory. */
struct timing_pool *timing_pool_new(uint32_t threads, uint32_t max_tasks, timing_pool_task *task, void *ctx);
void timing_pool_free(struct timing_pool *p);

/* One round. parallel: false keeps it on the caller's thread. */
void timing_pool_run(struct timing_pool *p, uint32_t count, bool parallel);

/* For a task: returns when all those before it are done. */
void timing_pool_await_turn(struct timing_pool *p, uint32_t index);

#endif
