/* The state of a run of the timing engine: groups of CUs and epochs. docs/adr/0006-epochs.md says why there are epochs.
 *
 * The CUs of a group share caches with one another and with no other CU. Time advances in epochs of the chip's
 * epoch_cycles. In an epoch each group is simulated alone, on any host thread: its CUs and the near side of its memory.
 * Then, for the same cycles, the far side of memory answers the requests of all groups, and the dispatcher takes the
 * resources that waves have released and launches other waves. Neither reaches a group before the next epoch, because
 * completions travel, and waves are set up, for at least as long as an epoch lasts: so the length of epochs changes no
 * number, and neither do threads. An epoch in which nothing has work is skipped.
 *
 * Where threads share an epoch, the far side runs beside the groups, half an epoch behind them (groups.c): run->far_end
 * is then before run->near_end until run_far_reach().
 *
 * Memory order: the instructions of a group execute as the group is simulated, group 0 through the epoch first, then
 * group 1, and so on. An instruction that other groups may see (timing_info.ordered) waits for the groups before
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
#include "sim/engine/timing/chip.h"
#include "sim/engine/timing/clock/dispatcher.h"
#include "sim/engine/timing/clock/pool.h"
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/clock/sharing.h"

struct run;
struct engine_feeding; /* feed.h */

/* s_sendmsg in an epoch. */
struct run_message {
    cycle_t at;
    const struct engine_options *options; /* of its dispatch */
    uint32_t number, m0, data;
};

struct run_group {
    _Alignas(64) struct cu_context x;
    struct run *run;
    uint32_t index, first_cu, cus;
    cycle_t next;                /* cycle with work of the CUs */
    struct arena copies;         /* as in x */
    const cycle_t *near;         /* of the near side of memory */
    cycle_t *wake;               /* per CU */
    cycle_t at;                  /* cycle simulated last */
    uint32_t cycles;             /* simulated in this epoch */
    bool live;                   /* had waves when the first half of this epoch ended */
    struct cu *stopped;          /* ends the run; null: none does */
    struct run_message *message; /* of this epoch, in order; told: delivered */
    size_t messages, told, room;
    bool lost_message; /* for want of host memory */
};

/* What the groups that a host thread has run have come to in an epoch: so that the caller need not look at each group,
 * whose state is in the caches of other processors. */
struct run_sum {
    _Alignas(128) uint64_t cycles; /* simulated */
    bool stopped;                  /* some group has stopped */
    bool released;                 /* something goes to the dispatcher, which it does whenever a workgroup ends */
};

struct run {
    struct engine_options options; /* of the dispatch with which it began, which may end before the run does */
    const struct timing_chip *chip;
    struct engine_feeding *feed; /* brings more dispatches; null: none come */
    struct arena arena;
    struct cu_context x; /* the chip's */
    struct cu *cu;
    uint32_t cus, most_cus; /* in use: of the first dispatch alone, or the chip's */
    struct run_group *group;
    uint32_t groups, most_groups, cus_per_group;
    uint32_t in_flight;     /* dispatches */
    uint32_t threads;       /* of the host */
    struct run_sum *sum_of; /* per thread */
    struct run_sum sum;     /* of all of them */
    uint32_t *active;       /* groups with work in this epoch */
    uint32_t active_count;
    cycle_t epoch_cycles, from, end; /* of this epoch */
    cycle_t middle;                  /* beside: where its second half begins */
    bool beside;                     /* the far side of memory runs beside the groups in this epoch */
    struct timing_pool *pool;
    struct event_stream stream;
    struct dispatcher dispatcher;
    struct script_player player;
    cycle_t start; /* on the device's clock: the cycle in which it begins */
    cycle_t dispatch_at;
    cycle_t sample_at;  /* the next interval of a dispatch's samples ends before it (sampling.h) */
    cycle_t near_end;   /* the groups have done the cycles before this one, */
    cycle_t far_end;    /* and the far side of memory those before this one */
    bool tells;         /* the callers of some dispatches want messages */
    bool counted;       /* memory's statistics are of more than one dispatch */
    bool worth_sharing; /* with other threads: an epoch like the last one */
    struct sharing sharing;
    uint64_t sharing_work; /* what was simulated in the last epoch; 0: it was not worth sharing */
};

/* resident.c: what each resident wave of a dispatch waits for in cycle `now`. */
void run_collect_waves(const struct run *run, const struct timing_dispatch *t, cycle_t now, struct snapshot_maker *m);
/* Gives the caller a snapshot; last: the dispatch has ended. */
void run_snapshot(const struct run *run, const struct timing_dispatch *t, cycle_t now, bool last);

/* setup.c: the groups of CUs; up to `cus` of them. Uses more from then on when it is called again. */
int run_set_up(struct run *run, const struct launch *l, struct err *e);
int run_use_cus(struct run *run, uint32_t cus, struct err *e);

/* flight.c: dispatches in flight. */
/* Puts one in flight; it begins in o->start, which has not been simulated. Null with *e when it cannot be run. */
struct timing_dispatch *run_add(struct run *run, const struct timing_order *o, struct err *e);
/* Whether a dispatch may be in flight together with those that are. */
bool run_can_add(const struct run *run, const struct timing_order *o);
/* Makes the result of a dispatch that has ended, or stopped, in cycle `end`. */
void run_report(struct run *run, struct timing_dispatch *t, cycle_t end, struct err *e);
/* Takes it out of flight; its waves are gone, or the run is over. */
void run_remove(struct run *run, struct timing_dispatch *t);
void run_free_dispatch(struct timing_dispatch *t);
/* Stops one while others go on: its waves end in cycle `end` (the next one to simulate). Its result says why already.
 */
void run_stop(struct run *run, struct timing_dispatch *t, cycle_t end, struct err *e);
/* The cycle in which its last workgroup ended. */
cycle_t run_done_at(const struct run *run, const struct timing_dispatch *t);
/* Whether all of its waves have left that ever will have been. */
static inline bool run_is_done(const struct timing_dispatch *t)
{
    return t->groups_done == (t->stopping ? t->started : t->groups);
}
/* Between two epochs, while several are in flight: stops those of which something has, and takes out those that are
 * done; one stays in flight. */
void run_settle(struct run *run, struct err *e);

/* leap.c: leaps over workgroups (sim/engine/sampling/part.h). t begins. */
void run_begin_leaps(struct timing_dispatch *t);
/* The next cycle in which its caller looks at it, whatever it has come to; CYCLE_NEVER: none. */
cycle_t run_look_at(const struct run *run);
/* Between two epochs: lets the caller look when it is time to. False: it stops the run. */
bool run_look(struct run *run);

/* advance.c: the waves of the oldest dispatch, for the caller of a leap. */
struct engine_resident *run_resident(struct run *run);

/* clock.c: says why a dispatch ends early. why: a format for n. */
void run_end_early(struct engine_result *r, enum engine_outcome outcome, const char *why, uint64_t n);
/* Runs to the end; returns the cycle it ended in. */
cycle_t run_clock(struct run *run, struct err *e);
/* groups.c */
/* The groups that have work go through the epoch run->from .. run->end - 1, with the far side of memory beside them or
 * not (run->beside). */
void run_groups(struct run *run);
/* Between epochs: the far side does the cycles before `end` that it has left. */
void run_far_reach(struct run *run, cycle_t end);
/* The next cycle in which a group has work. */
cycle_t run_group_next(const struct run_group *g);
/* The groups wait for their turn where several may run at once. */
void run_set_turns(struct run *run);
/* Work of the pool: a group goes through the epoch, or a half of it; the far side beside them. ctx: the run. */
void run_group_epoch(void *ctx, uint32_t group, uint32_t half, uint32_t thread);
void run_far_beside(void *ctx, enum timing_far part);

#endif
