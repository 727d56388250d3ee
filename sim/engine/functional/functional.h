/* Internal to sim/engine/functional: what the files of the functional engine share.
 *
 * The engine executes a launch for its results alone, without time. Each host thread (a worker) starts workgroups in
 * the order of their numbers and runs the waves of one after the other, each up to its next barrier or its end. The
 * memory of a finished workgroup serves the next one. Waves may wait for one another through memory, so a wave that
 * goes on for long gives way to others, and a worker may have several workgroups resident.
 *
 * What does not depend on the number of threads. The order in which the waves of a workgroup run depends on this
 * workgroup alone, and on what others wrote where it reads. For a kernel whose workgroups do not communicate:
 *   - memory and all counts of a run that completes;
 *   - the end of a run in a fault, a deadlock or at max_cycles (an event): it is that of the lowest workgroup that has
 *     one. When a workgroup has an event, workgroups below it are run to their ends, and a lower event takes its place;
 *     those above are abandoned, and neither they nor those above that have finished are counted. So the result is that
 *     of a run which takes workgroup after workgroup. What workgroups above the event have written to memory by then
 *     stays there, as on hardware: it is unspecified.
 * A run that reaches max_instructions has executed exactly that many instructions; which waves executed them depends on
 * the threads, and so does all else that is counted. Instructions of abandoned workgroups count here too: whether such
 * a run ends by the limit or by an event may depend on threads when the limit is less than what the whole launch would
 * need. A limit or an interruption does not take back an event that has been met: the run ends by the event.
 *
 * Left out: caches, stale data, the order in which concurrent waves access memory on hardware.
 *
 *   functional.c   the run: workers, and the result
 *   groups.c       workgroups: start, rounds of their waves, end
 *   limit.c        max_instructions
 *   ledger.c       counts of finished workgroups
 *   resident.c     snapshots of resident waves, for which all workers stop
 */
#ifndef GCNSIM_ENGINE_FUNCTIONAL_H
#define GCNSIM_ENGINE_FUNCTIONAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "isa/barrier.h"
#include "sim/engine/engine.h"
#include "sim/util/arena.h"

enum wave_state { WAVE_READY, WAVE_AT_BARRIER, WAVE_ENDED };

/* Values of group.claim that are no workgroup. */
#define CLAIM_NONE    UINT64_MAX
#define CLAIM_PENDING (UINT64_MAX - 1) /* the worker is taking the next workgroup */

/* A workgroup and the memory for its waves. Its worker alone may look at it while the run goes on, except for claim. */
struct group {
    _Atomic uint64_t claim; /* number of the workgroup from its start to its end; else one of CLAIM_ */
    struct group *next;     /* of the worker's groups, resident or not */

    uint64_t id;
    unsigned waves, ended, at_barrier;
    bool running;
    struct isa_wave *wave; /* waves_per_group of them; w->pc is that of the next instruction */
    enum wave_state *state;
    uint64_t *done;               /* instructions that each wave has executed */
    uint64_t by_class[OPC_COUNT]; /* ... and all of them, by class */
    uint32_t *regs;
    uint8_t *lds;
    uint32_t first_slot;
    struct isa_barriers barriers;
    void *stepped; /* state of the stepper; null: there is no stepper */
};

/* Counts of finished workgroups whose numbers are neighbours; see ledger.c. */
struct ledger_row {
    uint64_t last, groups, waves; /* last: the highest number */
    uint64_t count[OPCAT_COUNT];
};

struct ledger {
    struct ledger_row *row;
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
    struct group **resident;
    unsigned resident_count, resident_limit;
    uint32_t first_slot; /* scratch slots from here on are this worker's */
    uint64_t ticks;      /* the last value of the waves' clocks */
    struct isa_env env;
    struct ledger ledger;
    uint64_t granted; /* of max_instructions, and not executed yet */
    bool holds_batch, no_memory;
    pthread_t thread;
};

/* max_instructions; workers take it in batches. */
struct instruction_limit {
    pthread_mutex_t lock;
    pthread_cond_t changed;
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

/* Shared by the threads of a run. */
struct run {
    const struct launch *l;
    const struct engine_options *options;
    struct worker *worker;
    unsigned workers;
    struct instruction_limit limit;
    struct meeting meeting;
    _Alignas(64) _Atomic uint64_t next_group;
    /* Workgroups from this number on are not run (any more): that of the lowest event, 0 when the run is to end. */
    _Alignas(64) _Atomic uint64_t stop_from;
    _Atomic double next_progress;
    pthread_mutex_t lock; /* of what follows, and of calls of `progress` */
    struct engine_result *result;
    bool has_event; /* of workgroup event_group */
    uint64_t event_group;
};

static inline bool run_stopped(const struct run *r, uint64_t group)
{
    return group >= atomic_load_explicit(&r->stop_from, memory_order_relaxed);
}

/* ---- functional.c ---- */

/* Ends the run, by its event if it has one. */
void run_end(struct run *r, enum engine_outcome outcome, const char *why);

/* Begins to tell of an event of workgroup `group`. True: it is the lowest so far, the lock is held and r->result is to
 * be filled; run_event_told() follows. False: nothing is to be done. */
bool run_event(struct run *r, uint64_t group);
void run_event_told(struct run *r);

/* ---- groups.c ---- */

/* Memory for one more workgroup; null: the host has none. */
struct group *group_new(struct worker *k);

/* Makes g the next workgroup that has not started; false when there is none to start. */
bool group_start(struct worker *k, struct group *g);

/* Runs each wave of g that is ready once. False: g will not be run on, and has not finished. */
bool group_round(struct worker *k, struct group *g);

/* What wave i does or waits for. Of groups of other workers only while they wait for a snapshot, or have ended. */
struct snapshot_wave; /* sim/engine/snapshot.h */
void group_note_wave(const struct group *g, unsigned i, struct snapshot_wave *out);

/* ---- resident.c ---- */

void meeting_init(struct meeting *m);
void meeting_destroy(struct meeting *m);

/* A worker begins, and ends. */
void meeting_join(struct run *r);
void meeting_leave(struct run *r);

/* Between these a worker waits for something, changes nothing that a snapshot tells of, and so need not come. */
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

void limit_init(struct instruction_limit *b, uint64_t max);
void limit_destroy(struct instruction_limit *b);

/* Up to `want` instructions that k may execute for workgroup `group`; 0: the workgroup, or the run, has been stopped.
 * What has been executed is taken from k->granted by the caller. */
uint64_t limit_grant(struct worker *k, uint64_t group, uint64_t want);
void limit_return(struct worker *k); /* k runs nothing more */
void limit_wake(struct run *r);      /* run_stopped() has changed */

/* ---- ledger.c ---- */

/* Adds the counts of g, which has finished. False: no memory. */
bool ledger_add(struct worker *k, const struct group *g);

/* Counts of all finished workgroups that the result of the run counts, and of unfinished ones. The workers have
 * ended. */
struct ledger_row ledger_sum(const struct run *r);

#endif
