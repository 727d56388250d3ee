/* Internal to sim/engine/functional: what the files of the functional engine share.
 *
 * The engine executes a launch for its results alone, without time. Each host thread (a worker) starts workgroups in
 * the order of their numbers, some neighbours at a time, and runs the waves of one after the other, each up to its next
 * barrier or its end. The memory of a finished workgroup serves the next one. Waves may wait for one another through
 * memory, so a wave that goes on for long gives way to others, and a worker may have several workgroups resident.
 *
 * What does not depend on the number of threads. The order in which the waves of a workgroup run depends on this
 * workgroup alone, and on what others wrote where it reads. For a kernel whose workgroups do not communicate:
 *   - memory and all counts of a run that completes;
 *   - the end of a run in a fault, a deadlock or at max_cycles of a wave (an event): it is that of the lowest
 *     workgroup that has one. When a workgroup has an event, workgroups below it are run to their ends, and a lower
 *     event takes its place; those above are abandoned, and neither they nor those above that have finished are
 *     counted. So the result is that of a run which takes workgroup after workgroup. Stores of workgroups above the
 *     event stay in memory, as on hardware: it is unspecified.
 * And the end of a run at max_cycles because all waves wait, whether or not they wait for one another (cycles.c).
 * A run that reaches max_instructions, or what max_cycles allows all waves, has executed exactly that many
 * instructions; which waves executed them depends on the threads, and so does all else that is counted. Instructions of
 * abandoned workgroups count here too: whether such a run ends by the limit or by an event may depend on threads when
 * the limit is less than what the whole launch would need. A limit or an interruption does not take back an event that
 * has been met: the run ends by the event.
 *
 * Left out: caches, stale data, the order in which concurrent waves access memory on hardware.
 *
 *   functional.c   the run: workers, and the result
 *   groups.c       workgroups: start, rounds of their waves, end
 *   batches.c      which workgroup a worker starts next
 *   workers.c      which workgroups are resident on a worker, and which of them run
 *   recruit.c      when other host threads join the first one
 *   poll.c         waves that wait for memory
 *   limit.c        max_instructions
 *   cycles.c       max_cycles
 *   races.c        races in LDS
 *   group_counts.c counts of finished workgroups
 *   resident.c     snapshots of resident waves, for which all workers stop
 */
#ifndef GCNSIM_ENGINE_FUNCTIONAL_H
#define GCNSIM_ENGINE_FUNCTIONAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "isa/barrier.h"
#include "isa/gws.h"
#include "isa/lds_marks.h"
#include "isa/lds_order.h"
#include "isa/visits.h"
#include "sim/engine/engine.h"
#include "sim/engine/loops.h"
#include "sim/engine/sampling/part.h"
#include "sim/util/arena.h"
#include "sim/util/thread_pool.h"

#define MAX_WORKERS   1024
#define TURN_COST     16 /* of a wave's turn, in instructions */
#define RECENT_RANGES 8

enum wave_state {
    WAVE_READY,
    WAVE_WAKES, /* ready, and at its next turn it wakes those that sleep */
    WAVE_ASLEEP,
    WAVE_AT_GWS, /* it waits at global wave sync, or did at its last turn */
    WAVE_AT_BARRIER,
    WAVE_ENDED
};

/* Values of group.claim that are no workgroup. */
#define CLAIM_NONE    UINT64_MAX
#define CLAIM_PENDING (UINT64_MAX - 1) /* the worker is taking the next workgroup */

struct probe;     /* poll.c */
struct registers; /* poll.c */

/* Whether a wave waits for a value in memory (poll.c), and the lengths of its turns. */
struct poll {
    bool polls;     /* it ran in a loop that only polls when it was last looked at */
    bool exact;     /* nothing else changes in the loop, no count of tries either */
    uint64_t since; /* instructions that the wave had executed when it was found to poll */
    gaddr_t pc;     /* of the load or atomic that polls */
    gaddr_t addr;   /* what it reads, of the first lane; bytes 0: unknown (LDS; with a stepper) */
    uint32_t bytes;
    uint32_t turn;       /* instructions that it executes at a time while it polls, */
    uint32_t period;     /* and those of its loop, as far as can be known */
    uint32_t turns;      /* since then */
    struct probe *probe; /* under way; else null */
    uint64_t interval;   /* instructions from one probe to the next */
    uint64_t executed;   /* since the last one */
    bool reads;          /* some of these may have read memory that others write */
    uint64_t pcs[8];     /* of the loop, as poll_is_at() knows; void unless it polls */
};

enum { LDS_PHASES = 16 }; /* of a workgroup that are kept */

enum { LOOPS_WAITED = 16 }; /* that cycles.c keeps apart */

/* A workgroup and the memory for its waves. Its worker alone may look at it while the run goes on, except for claim. */
struct group {
    _Atomic uint64_t claim; /* number of the workgroup from its start to its end; else one of CLAIM_ */
    struct group *next;     /* of the worker's groups, resident or not */

    uint64_t id;
    unsigned waves, ended, at_barrier, asleep, at_gws;
    bool running;
    bool has_polled;       /* one of its waves has */
    bool moved;            /* a wave did anything but poll in the last round, */
    bool probing;          /* or is in a probe */
    bool waits;            /* no wave of it did, and none is about to */
    bool paused;           /* the wave that ran lets others come to LDS first */
    bool copies;           /* of a wave into LDS may be in flight */
    struct isa_wave *wave; /* waves_per_group of them; w->pc is that of the next instruction */
    enum wave_state *state;
    struct poll *poll;
    uint64_t *done;                        /* instructions that each wave has executed */
    uint64_t executed, tally[ISA_TALLIES]; /* ... and all of them; as isa_run() counts them */
    uint32_t *regs;
    uint8_t *lds;
    uint32_t first_slot;
    struct isa_barriers barriers;
    void *stepped;                                /* state of the stepper; null: there is no stepper */
    bool marked;                                  /* its waves leave marks; the maps are zero when they do not */
    struct isa_lds_order *order;                  /* of each wave; null: there is no LDS */
    struct isa_lds_phase phase[LDS_PHASES], *now; /* now: null: one that is not kept */
    unsigned phases;
    uint64_t loads; /* from LDS, up to the last barrier */
    struct isa_lds_marks marks;
};

/* Counts of finished workgroups whose numbers are neighbours; see group_counts.c. */
struct group_row {
    uint64_t last, groups, waves; /* last: the highest number */
    uint64_t tally[ISA_TALLIES];
};

struct group_counts {
    struct arena arena; /* of its own and not counted: a few rows for each resident workgroup */
    struct group_row *row;
    size_t rows, room;
    uint64_t *unfinished; /* scratch memory */
    size_t unfinished_room;
};

/* A host thread and its workgroups. Workers do not share cache lines. */
struct worker {
    _Alignas(64) struct run *run;
    _Atomic(struct group *) groups; /* all of them, the newest first; only ever added to */
    _Atomic uint64_t groups_done;
    struct arena arena;
    struct group **running, **spare; /* resident workgroups by their start, and memory for others */
    unsigned running_count, spare_count, room;
    unsigned busy;                 /* running workgroups that got on in the last sweep, up to its end */
    bool moved;                    /* a wave did anything but poll in the last sweep */
    bool full;                     /* out of host memory for more */
    bool more;                     /* there may be workgroups that have not started */
    bool down;                     /* the next sweep begins with the workgroup that started last */
    uint64_t others, waiting_cost; /* since and in the last sweep that had those that wait in it, instructions */
    uint64_t without_end;          /* instructions since a workgroup has ended or started */
    _Atomic uint64_t instructions; /* in all sweeps */
    bool idle;                     /* counted in run.idle_workers */
    unsigned idle_sweeps;
    uint64_t quiet_since, quiet_sweeps;   /* of run.moves; under run.lock */
    bool looked;                          /* its waves have looked again since anything got on */
    uint64_t blocked;                     /* isa_gws_changes() + 1 when nothing of it could run; under run.lock */
    bool gone;                            /* it runs nothing any more; under run.lock */
    bool begun;                           /* its thread has come */
    uint64_t work, look_at;               /* recruit.c: what it has done; looks when it has done so much */
    const struct poll *stands_for_others; /* cycles.c; null: none of its waves does */
    struct probe *free_probe;
    struct registers *free_registers;
    unsigned registers_made;
    uint64_t ticks; /* the last value of the waves' clocks */
    struct engine_overruns overruns;
    struct isa_env env;
    struct isa_visits visits; /* of env, where they are wanted */
    struct isa_wave image;    /* what its waves begin as */
    /* The ranges found last among those that last as long as the launch: a wave begins without any, and its own change
     * with each buffer. */
    struct isa_range recent[RECENT_RANGES];
    unsigned oldest_recent;
    struct group_counts counts;
    uint64_t granted; /* of max_instructions, and not executed yet */
    bool holds_batch, no_memory;
    uint64_t batch_size, batch_since; /* workgroups of its last batch, and `instructions` when it took that */
    /* Workgroups that it has taken and not started, as batches.c packs them; others read them, and may take some. */
    _Alignas(64) _Atomic uint64_t batch;
};

/* max_instructions, or what max_cycles allows; workers take it in batches. */
struct instruction_limit {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t max;     /* 0: there is none */
    bool by_cycles;   /* it is max_cycles that allows no more */
    uint64_t left;    /* not granted */
    unsigned holders; /* workers with a batch, part of which they may return */
};

/* The place where workers wait for a snapshot. */
struct meeting {
    _Atomic bool wanted;
    pthread_mutex_t lock;
    pthread_cond_t over;
    unsigned workers, waiting; /* that run; that have come, or would do nothing anyway */
};

/* The host threads of a run beside the caller's (recruit.c). */
struct recruits {
    struct thread_pool *pool, *own; /* own: started for this run alone */
    struct thread_job job;
    unsigned promised;     /* tasks of the job, the caller's included; 0: there is none */
    _Atomic unsigned come; /* threads that have begun theirs */
    bool code_reserved;    /* memory of code that is not decoded yet is set aside */
};

/* Shared by the threads of a run. */
struct run {
    const struct launch *l;
    const struct engine_options *options;
    struct arena arena;
    struct worker **worker, *first[1]; /* worker: `workers` of them; at first `first` */
    unsigned workers, planned;         /* that there are, 1 until recruit(); that there may be */
    double began;                      /* host_seconds() */
    struct recruits recruits;
    struct instruction_limit limit;
    struct meeting meeting;
    uint64_t first_group, behind; /* workgroups of the run: all, or those of a part (sim/engine/sampling/part.h) */
    _Alignas(64) _Atomic uint64_t next_group; /* that no worker has taken */
    /* Workgroups from this number on are not run (any more): that of the lowest event, 0 when the run is to end. */
    _Alignas(64) _Atomic uint64_t stop_from;
    _Atomic bool in_order; /* no batches (any more) */
    _Atomic double next_progress;
    uint64_t groups_limit;               /* workgroups that may be resident */
    uint64_t worker_bytes, growth_bytes; /* of the memory limit that a worker takes at its beginning, and may later */
    _Atomic uint64_t groups_made;
    _Atomic bool lacks_memory;     /* for workgroups that a worker wanted to start while others run */
    _Atomic unsigned idle_workers; /* whose workgroups all wait, or that have none */
    pthread_mutex_t messages;      /* of calls of `message` */
    pthread_mutex_t lock;          /* of what follows, and of calls of `progress` */
    struct engine_loops loops;
    struct engine_result *result;
    bool has_event; /* of workgroup event_group */
    uint64_t event_group;
    uint64_t moves;     /* sweeps that got on while run_may_end_quiet(), and workers that did after having been idle */
    bool ended_waiting; /* at max_cycles, because all waves wait */
    gaddr_t loop_waited[LOOPS_WAITED]; /* polls (poll.pc) of loops in which a wave has come to max_cycles */
    _Atomic unsigned loops_waited;     /* only ever grows */
    bool finds_races;
    _Atomic uint64_t race_from;  /* group of `race`; UINT64_MAX: there is none */
    struct engine_lds_race race; /* under lock */
};

static inline bool run_stopped(const struct run *r, uint64_t group)
{
    return group >= atomic_load_explicit(&r->stop_from, memory_order_relaxed);
}

/* Whether workgroups are being stopped. */
static inline bool run_has_event(const struct run *r)
{
    return atomic_load_explicit(&r->stop_from, memory_order_relaxed) != UINT64_MAX;
}

/* Whether there is a limit of cycles, and no worker has had anything to run lately but waves that wait. */
static inline bool run_all_wait(const struct run *r)
{
    return r->options->max_cycles && atomic_load_explicit(&r->idle_workers, memory_order_relaxed) >= r->workers;
}

/* Whether the run ends when nothing gets on any more. */
static inline bool run_may_end_quiet(const struct run *r)
{
    return run_has_event(r) || run_all_wait(r) || atomic_load_explicit(&r->lacks_memory, memory_order_relaxed);
}

/* ---- functional.c ---- */

/* A worker without anything to run with; null: out of host memory. */
struct worker *run_new_worker(struct run *r);
/* Makes what it runs with, on its own thread. False: out of host memory. */
bool run_init_worker(struct run *r, struct worker *k);

/* Calls options->progress when it is time to; between turns of k's waves. */
void run_progress(struct worker *k);

/* Ends the run, by its event if it has one. */
void run_end(struct run *r, enum engine_outcome outcome, const char *why);

/* Begins to report an event of workgroup `group`. True: it is the lowest so far, the lock is held and r->result is to
 * be filled; run_event_told() follows. False: nothing is to be done. */
bool run_event(struct run *r, uint64_t group);
void run_event_told(struct run *r);

/* ---- batches.c ---- */

void batches_init(struct run *r);
void batches_end(struct run *r); /* none from here on: workgroups may wait for others */

/* Takes the workgroup that k starts next; false when none is left. Its memory's claim is CLAIM_PENDING meanwhile. */
bool batches_take(struct worker *k, uint64_t *id);

/* Workgroups that have not started. */
uint64_t batches_left(const struct run *r);

/* The lowest workgroup that k has taken and not started; false: there is none. */
bool batches_first(const struct worker *k, uint64_t *id);

/* ---- workers.c ---- */

/* Workgroups that may be resident at the same time. */
uint64_t workers_group_limit(const struct run *r);

/* Memory for another workgroup, unless groups_limit has been reached. False: the host has none. */
bool workers_add_group(struct worker *k);

/* Runs workgroups until there is nothing left to do. */
void workers_run(struct worker *k);
void workers_leave(struct worker *k); /* k runs nothing, or nothing any more */

/* ---- recruit.c ---- */

/* The first worker may ask for others from now on. */
void recruit_init(struct run *r);
/* k->work has come to k->look_at. */
void recruit_look(struct worker *k);
/* Nothing that k runs gets on. True: threads that have been asked for are to be given time to come. */
bool recruit_waiting(struct worker *k);
/* The first worker has nothing left to do: waits for the others. */
void recruit_end(struct run *r);

/* ---- groups.c ---- */

/* Memory for a workgroup, the index-th of the run; null: the host has none. */
struct group *group_new(struct worker *k, uint64_t index);

/* Whether g may become another workgroup: it does not hold counts of the result. */
bool group_is_free(const struct run *r, const struct group *g);

/* Makes g, which is free, the next workgroup that has not started; false when there is none to start. */
bool group_start(struct worker *k, struct group *g);

/* Gives each wave of g that is ready a turn. False: g will not be run on, and has not finished. */
bool group_round(struct worker *k, struct group *g);

/* Whether no wave of g seems to do anything but poll. */
bool group_waits(const struct group *g);

/* The same, beyond doubt or for long. */
bool group_is_stuck(const struct run *r, const struct group *g);

/* Whether all its waves wait, and other workgroups alone can let one go on. */
bool group_is_blocked(const struct group *g);
/* ... and none of them ever will: an event of g. */
void group_deadlock(struct run *r, const struct group *g);

/* What wave i does or waits for. For groups of other workers only while they wait for a snapshot, or have ended. */
struct snapshot_wave; /* sim/engine/snapshot.h */
void group_note_wave(const struct group *g, unsigned i, struct snapshot_wave *out);

/* Executes up to `want` instructions of wave i. Less than that with ISA_LIMIT: g has been stopped. */
enum isa_status group_execute(struct worker *k, struct group *g, unsigned i, uint64_t want, uint64_t *ran);

/* ---- races.c ---- */

/* Memory of a workgroup. False: the host has none. */
bool races_init_group(struct worker *k, struct group *g);

/* g begins, and ends or is given up. */
void races_start(struct worker *k, struct group *g);
void races_end(struct group *g);

/* A turn of a wave of g has ended with `status`; all its waves go on from the workgroup's barrier to g->now, and
 * whether they have been there before. */
void races_after_turn(struct worker *k, struct group *g, unsigned wave, enum isa_status status);
void races_after_barrier(struct group *g, bool known);

/* ---- poll.c ---- */

#define POLL_TURN     1024                /* instructions of a wave that may do more than to poll */
#define POLL_EVIDENCE (16 * 1024u)        /* that such a wave has executed in its loop before it is taken to wait, */
#define POLL_PROOF    (UINT64_C(1) << 22) /* and before a run ends because nothing gets on */

/* Instructions of g so far that may have read memory that others write. */
uint64_t poll_reads(const struct group *g);

/* Begins a probe of wave i, which has executed so many instructions since the one before. */
void poll_probe(struct worker *k, struct group *g, unsigned i, uint64_t executed);

/* Goes on with it to its result, or to what else stops the wave; group.poll then says. */
enum isa_status poll_probe_on(struct worker *k, struct group *g, unsigned i);

/* Whether an instruction is in the loop of a wave that polls, as far as can be known. */
bool poll_is_at(const struct poll *poll, gaddr_t pc);

/* Wave i polls exactly, or has done so for that many instructions. */
bool poll_waits(const struct group *g, unsigned i, uint64_t evidence);
void poll_forget(struct worker *k, struct group *g, unsigned i); /* a new wave */

/* ---- resident.c ---- */

void meeting_init(struct meeting *m);
void meeting_destroy(struct meeting *m);

/* A worker begins, and ends. */
void meeting_join(struct run *r);
void meeting_leave(struct run *r);

/* Between these a worker waits for something, changes nothing that a snapshot shows, and so need not come. */
void meeting_absent(struct run *r);
void meeting_back(struct run *r);

/* The worker is between the turns of two waves: waits for a snapshot, if one is wanted. */
void meeting_point_slow(struct run *r);
static inline bool meeting_asked(const struct run *r)
{
    const struct engine_options *o = r->options;

    return o->snapshot && o->snapshot_flag && __atomic_load_n(o->snapshot_flag, __ATOMIC_RELAXED);
}
static inline void meeting_point(struct run *r)
{
    if (atomic_load_explicit(&r->meeting.wanted, memory_order_relaxed) || meeting_asked(r))
        meeting_point_slow(r);
}

/* Gives the caller a snapshot of the end, where the result calls for one. The workers have ended. */
void run_last_snapshot(const struct run *r);

/* ---- limit.c ---- */

void limit_init(struct run *r);
void limit_destroy(struct instruction_limit *b);

/* Up to `want` instructions that k may execute for workgroup `group`; 0: the workgroup, or the run, has been stopped.
 * The number executed is taken from k->granted by the caller. */
uint64_t limit_grant(struct worker *k, uint64_t group, uint64_t want);
void limit_forgive(struct worker *k, uint64_t executed); /* by a wave that polled: no measure of cycles */
void limit_return(struct worker *k);                     /* k runs nothing more */
void limit_wake(struct run *r);                          /* run_stopped() has changed */

/* ---- cycles.c ---- */

/* Instructions that all waves may execute; UINT64_MAX: any number. */
uint64_t cycles_most_instructions(const struct run *r);

/* Whether wave i, which polls, is run up to max_cycles now for all that poll in the same loop. */
bool cycles_stands_for_others(struct worker *k, const struct group *g, unsigned i);

/* Whether wave i, which polls, has tried often enough: up to max_cycles, and a few times more when all waves wait,
 * since others may have written what it waits for. More often, it might leave its loop only because other workers are
 * slow. */
bool cycles_is_over(const struct worker *k, const struct group *g, unsigned i);

/* Whether wave i polls, and would do so up to the end of the run. */
bool cycles_wave_is_stuck(const struct run *r, const struct group *g, unsigned i);

/* Takes all waves that poll to max_cycles. The workers have ended. */
void cycles_settle(struct run *r);

/* All workgroups that workers hold, finished or not; a worker may add one in the meantime. */
#define RUN_EACH_GROUP(R, G)                                                                                           \
    for (unsigned i_ = 0; i_ < (R)->workers; i_++)                                                                     \
        for (const struct group *G = atomic_load(&(R)->worker[i_]->groups); G; G = G->next)

/* ---- group_counts.c ---- */

/* Adds the counts of g, which has finished. False: out of host memory. */
bool group_counts_add(struct worker *k, const struct group *g);

/* Counts of all finished workgroups up to number `last`, and of unfinished ones. The workers have ended, or wait for a
 * snapshot. */
struct group_row group_counts_sum(const struct run *r, uint64_t last);
/* The last workgroup that the result of the run counts. */
static inline uint64_t run_last_counted(const struct run *r)
{
    return r->has_event ? r->event_group : UINT64_MAX;
}

#endif
