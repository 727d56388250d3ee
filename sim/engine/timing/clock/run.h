/* The state of a run of the timing engine: groups of CUs and epochs. docs/adr/0006-epochs.md says why there are epochs.
 *
 * The CUs of a group share caches with one another and with no other CU. Time advances in epochs of the chip's
 * epoch_cycles. In an epoch each group is simulated alone, on any host thread: its CUs and the near side of its memory.
 * Then, for the same cycles, the far side of memory answers the requests of all groups, and the dispatcher takes the
 * resources that waves have released and launches other waves. Neither reaches a group before the next epoch, because
 * completions travel, and waves are set up, for at least as long as an epoch lasts: so the length of epochs changes no
 * number, and neither do threads. An epoch in which nothing has work is skipped.
 *
 * Memory order: the instructions of a group execute as the group is simulated, group 0 through the epoch first, then
 * group 1, and so on. An instruction that other groups may see (timing_info.ordered) waits for the groups in front of
 * its own, which makes the order the same for any number of threads. Plain accesses to memory that another group writes
 * with plain stores in the same epoch are data races of the program; their values may depend on the threads.
 *
 * Events: each group, and the far side, has a buffer of the event stream; clock.c delivers them at the end of each
 * epoch.
 */
#ifndef GCNSIM_ENGINE_TIMING_RUN_H
#define GCNSIM_ENGINE_TIMING_RUN_H

#include "sim/engine/events.h"
#include "sim/engine/snapshot.h"
#include "sim/engine/timing/clock/dispatcher.h"
#include "sim/engine/timing/clock/pool.h"
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/timing.h"

struct run;

/* s_sendmsg in an epoch. */
struct run_message {
    cycle_t at;
    uint32_t number, m0, data;
};

struct run_group {
    _Alignas(64) struct cu_context x;
    struct run *run;
    uint32_t index, first_cu, cus;
    uint32_t task;               /* in this epoch */
    cycle_t next;                /* cycle with work of the CUs */
    const cycle_t *near;         /* of the near side of memory */
    cycle_t *wake;               /* per CU */
    uint64_t budget;             /* instructions left when the epoch began */
    cycle_t at;                  /* cycle simulated last */
    uint32_t cycles;             /* simulated in this epoch */
    struct cu *stopped;          /* ends the run; null: none does */
    struct run_message *message; /* of this epoch, in order; told: delivered */
    size_t messages, told, room;
    bool lost_message; /* for want of host memory */
};

struct run {
    const struct launch *l;
    const struct engine_options *options;
    const struct timing_chip *chip;
    struct engine_result *r;
    struct arena arena;
    struct timing_table table;
    struct cu_context x; /* the chip's */
    struct cu *cu;
    uint32_t cus;
    struct run_group *group;
    uint32_t groups, cus_per_group;
    uint32_t *active; /* groups with work in this epoch */
    uint32_t active_count;
    cycle_t epoch_cycles, from, end; /* of this epoch */
    struct timing_pool *pool;
    struct event_stream stream;
    struct dispatcher dispatcher;
    struct script_player player;
    cycle_t start, last; /* of the device's clock: cycle in which the launch begins, the last that max_cycles allows */
    cycle_t dispatch_at;
    uint64_t groups_done;
    double next_progress;
    bool worth_sharing; /* with other threads: an epoch like the last one */
};

/* resident.c: what each resident wave waits for in cycle `now`. */
void run_collect_waves(const struct run *run, cycle_t now, struct snapshot_maker *m);
/* Gives the caller a snapshot; last: the run has ended. */
void run_snapshot(const struct run *run, cycle_t now, bool last);

/* clock.c: runs to the end; returns the cycle it ended in. */
cycle_t run_clock(struct run *run, struct err *e);
/* A task of the pool: the task-th active group goes through the epoch. ctx: the run. */
void run_group_epoch(void *ctx, uint32_t task, uint32_t thread);

#endif
