/* Host threads that share out numbered tasks, round by round.
 *
 * In a round each thread, the caller among them, takes those of the tasks 0 .. count-1 that are its own, in rising
 * order, then those that the others have not come to; the round ends when all are done. What a task works on thereby
 * stays in the caches of one processor from round to round. A task may wait for its turn: until every task with a
 * lower number is done. The lowest one that is not done waits for nobody, and the thread whose own it is is at it or
 * comes to it next.
 *
 * Threads that cannot be made are done without: the same work is done by fewer. Between rounds threads spin for a
 * moment, then sleep.
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

/* One round. home: by task; those of one number are the same thread's. parallel: false wakes no thread; the caller then
 * takes the tasks in order. */
void timing_pool_run(struct timing_pool *p, uint32_t count, const uint32_t *home, bool parallel);

/* For a task: returns when all those before it are done. */
void timing_pool_await_turn(struct timing_pool *p, uint32_t index);

#endif
