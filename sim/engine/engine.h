/* The engines: they run a launch and give back its result. Two exist: functional (results alone) and timing.
 *
 * sim/launch makes a struct launch from a dispatch; an engine makes waves with launch_init_wave(), runs them under a
 * struct engine_options, and fills a struct engine_result. Launch and options are constant while they run, so any
 * number of threads may share them.
 *
 * An engine returns 0 whenever it has a result, also for a run that ended by a fault of the simulated program, a limit
 * or an interruption (result->outcome). It returns non-zero with *e when the host has no memory for the run and for
 * launches that the engine cannot run.
 *
 * An engine starts workgroups in the order of their numbers (sim/launch/launch.h).
 */
#ifndef GCNSIM_ENGINE_ENGINE_H
#define GCNSIM_ENGINE_ENGINE_H

#include "mem/cache/policy.h"
#include "mem/req.h"
#include "sim/engine/overruns.h"
#include "sim/engine/stats.h"
#include "sim/launch/launch.h"

struct engine_device;   /* sim/engine/device.h */
struct engine_leaps;    /* sim/engine/sampling/part.h */
struct engine_part;     /* likewise */
struct engine_samples;  /* sim/engine/samples.h */
struct engine_sampling; /* sim/engine/sampling/sampled.h */
struct engine_estimate; /* likewise */
struct event_consumer;  /* sim/util/event.h */
struct snapshot;        /* sim/engine/snapshot.h */
struct thread_pool;     /* sim/util/thread_pool.h */

/* Runs the waves of the functional engine in place of isa_run(), for observers that must see each instruction before
 * and after it executes. The engine calls it synchronously, on the host thread that runs the workgroup. A call runs one
 * wave in program order up to its next barrier, to where others come to LDS first (isa/lds_order.h), to its end or for
 * a number of instructions. Other threads run other workgroups
 * at the same time. */
struct engine_stepper {
    void *ctx;
    uint64_t group_more_bytes; /* that a workgroup's state may come to take of the memory limit after group_new() */
    /* The observer's state for a workgroup of up to `waves` waves; null: out of host memory. ctx owns it. */
    void *(*group_new)(void *ctx, unsigned waves);
    /* Workgroup `id` begins; `group` is from group_new(), w are its waves in their initial state. */
    void (*group_start)(void *group, uint64_t id, const struct isa_wave *w, unsigned waves);
    /* As isa_run(), for wave number `wave` of the workgroup. */
    enum isa_status (*run)(void *group, unsigned wave, struct isa_wave *w, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *tally);
};

/* Informed of stores and atomics of a dispatch of the timing engine when they issue, on the host thread of their CU;
 * others may be informed of theirs at the same time. It needs not have the device for itself. */
struct engine_store_observer {
    void *ctx;
    /* The effects are the engine's; they may be of an instruction that stores nothing. */
    void (*stored)(void *ctx, uint64_t group, uint32_t wave, gaddr_t pc, const struct isa_effects *fx);
};

/* Follows how a run with one thread divides its time: informed at the end of each piece of work that threads could
 * share. For tests/bench/schedule.c. */
struct engine_pieces {
    void *ctx;
    /* piece: a workgroup (functional), a group of compute units in an epoch (timing), or one of those below. */
    void (*done)(void *ctx, uint64_t piece);
};
#define ENGINE_PIECE_FAR  UINT64_MAX       /* timing: the far side of memory, as far as it goes at a time */
#define ENGINE_PIECE_REST (UINT64_MAX - 1) /* timing: what comes before an epoch of the groups, and is not shared */

static inline void engine_piece_done(const struct engine_pieces *p, uint64_t piece)
{
    if (p)
        p->done(p->ctx, piece);
}

/* How far a run has come. */
struct engine_progress {
    uint64_t groups, groups_done, groups_running;
    uint64_t cycles; /* timing: since the dispatch began */
    uint64_t instructions;
    /* Where the branch back is of a loop that a wave is in, and how much of what it counts is left
     * (sim/engine/loops.h); 0: not known. */
    gaddr_t loop_pc;
    uint64_t loop_left;
};

/* How a launch is to be run. All zero: one host thread, no limits, no observers. */
struct engine_options {
    uint32_t threads;         /* host threads; 0 means 1 */
    struct thread_pool *pool; /* where they come from; null: started for this run alone */
    bool threads_at_once;     /* however little there is to do, and whatever processors there are: for tests */
    const struct engine_pieces *pieces; /* null: nobody; else there is one thread */
    uint64_t max_cycles;                /* 0: no limit */
    uint64_t max_instructions;          /* wave-instructions of the whole dispatch, exact; 0: no limit */
    /* Called now and then, never concurrently; a non-zero answer interrupts the run. May be null. */
    int (*progress)(void *ctx, const struct engine_progress *p);
    void *progress_ctx;
    const volatile int *abort_flag; /* polled; non-zero interrupts the run; may be null */
    /* Gets a snapshot of the resident waves when the run ends by a limit, an interruption or a deadlock, and each time
     * that *snapshot_flag, which is polled, is not 0: the engine sets it to 0 first, and the run goes on. Never called
     * concurrently, nor while `progress` is. Without memory for a snapshot there is none. Both may be null. */
    void (*snapshot)(void *ctx, const struct snapshot *s);
    void *snapshot_ctx;
    volatile int *snapshot_flag;
    /* s_sendmsg of a wave (isa_env.message), in the order of simulated time on the timing engine. Never called
     * concurrently. May be null. */
    void (*message)(void *ctx, uint32_t number, uint32_t m0, uint32_t data);
    void *message_ctx;
    bool tick_every_cycle;                  /* timing: simulate every cycle and check that no event was skipped */
    bool perfect_memory;                    /* timing: every access hits the nearest cache */
    struct engine_device *device;           /* timing: what it runs on; null: a fresh one, for this launch alone */
    enum mem_fence acquire, release;        /* timing: of the dispatch */
    bool shared_memory;                     /* functional: others than this run's waves change memory, too */
    uint64_t samples;                       /* timing: cycles of the first intervals of result->samples; 0: none */
    bool cooperative;                       /* all workgroups are to be resident at once: ERR_UNSUPPORTED when they
                                             * cannot be */
    bool code_page_known;                   /* timing: earlier work has had the page of the code translated */
    cycle_t packet_cycle;                   /* timing: 0, or when what comes before the dispatch was over and its packet
                                             * ready: STAT_DISPATCH_GAP */
    gaddr_t host_page_known;                /* timing: 0, or an address in a page of the host's memory that earlier
                                             * dispatches, of which the device knows nothing, have used */
    const struct engine_stepper *stepper;   /* functional: null for isa_run() */
    bool tally;                             /* result->tally is wanted */
    bool lds_races;                         /* functional, without a stepper: result->lds_race is wanted */
    const struct event_consumer *consumers; /* timing: of the event stream; null: none. A dispatch that has some is
                                             * alone on its device */
    /* timing: consumers that know several dispatches apart, by event_tag (event.dispatch). Dispatches with the same
     * list may be in flight together. */
    const struct event_consumer *shared_consumers;
    uint16_t event_tag;
    const struct engine_store_observer *stores; /* timing: null: nobody */
    bool per_inst;                              /* timing: count for each instruction: result->inst */
    bool hotspots;                    /* timing: likewise, but stall cycles alone: all other counts of it are 0 */
    bool visits;                      /* result->visit is wanted */
    const struct engine_part *part;   /* functional: some of the launch's workgroups (part.h); null: all of them */
    const struct engine_leaps *leaps; /* timing, alone on its device: likewise */
    const struct engine_sampling *sampling; /* of engine_run_sampled() (sampled.h) */
};

enum engine_outcome { ENGINE_DONE, ENGINE_FAULT, ENGINE_LIMIT, ENGINE_INTERRUPTED };

enum engine_fault_kind {
    ENGINE_FAULT_WAVE,     /* isa_fault of the wave */
    ENGINE_FAULT_HALT,     /* s_sethalt, s_trap without a handler */
    ENGINE_FAULT_DEADLOCK, /* no wave of a workgroup can go on */
};

/* What the memory instruction at pc did, over all its executions. */
struct engine_memory_inst {
    gaddr_t pc;
    uint64_t stat[STAT_INST_ROWS]; /* enum stat_memory_inst */
};
#define ENGINE_MAX_MEMORY_INSTS 64

/* What the profile has for an instruction. */
struct engine_inst_unit {
    uint8_t cls, port;        /* enum op_class, enum timing_port */
    uint8_t size_bytes;       /* of its encoding */
    uint32_t port_cycles;     /* for which its unit takes no other one */
    uint32_t handover_cycles; /* of transcendental and matrix instructions: for which the vector ALU takes none */
    uint32_t latency_cycles;  /* until a dependent instruction of the same kind may issue; 0: it is no ALU's */
};

/* What the instruction at pc did, over all waves. A wave's cycles are those of the instruction that it has yet to
 * issue, but that an issue slot, and the cycles after a branch, a barrier, s_nop, s_sleep and the end, are those of
 * the instruction that issued. So each of the run's stall cycles is some instruction's. */
struct engine_inst {
    gaddr_t pc;
    struct engine_inst_unit unit;
    uint64_t stat[STAT_INST_ALL]; /* enum stat_memory_inst, enum stat_inst */
};

/* How often the instruction at pc was executed, by all waves. */
struct engine_visit {
    gaddr_t pc;
    uint64_t executed;
};

/* Instructions that are counted together: those of one row, or pair of rows, and class; or, where an engine does not
 * know them one by one, those of one class whose results are exact, or are not. */
struct engine_tally {
    const struct isa_inst
        *inst;        /* one of them, an entry of the launch's program; null: they are not known one by one */
    uint8_t cls;      /* enum op_class */
    bool approximate; /* isa_row.ulp */
    uint64_t count;   /* wave-instructions executed */
};

/* A wave accesses a dword of LDS that another one has accessed since the last barrier, and one of them writes it
 * (isa/lds_marks.h). */
struct engine_lds_race {
    gaddr_t pc;
    uint64_t group;
    unsigned wave;
    int lane;
    uint32_t offset; /* bytes */
    bool write;      /* the wave's access; the other one's then is any, else a write */
};

struct engine_result {
    enum engine_outcome outcome;
    char message[200]; /* LIMIT, INTERRUPTED: why. FAULT: filled by engine_set_fault() */

    /* The counts among the statistics (sim/engine/stats.h), filled through engine_count() and engine_add(). */
    uint64_t stat[STATS];
    bool present[STATS];

    /* lines evicted from each cache, by the hint (enum mem_scope, enum mem_temporal) that brought them or last wrote
     * them */
    uint64_t evicted[LEVEL_COUNT][MEM_SCOPES][MEM_TEMPORALS];

    bool has_lds_race; /* engine_options.lds_races: of the lowest workgroup that has one */
    struct engine_lds_race lds_race;

    struct engine_overruns overruns;

    struct engine_samples *samples;   /* null: none were asked for; engine_result_free() */
    struct engine_estimate *estimate; /* null: sampling was not asked for; engine_result_free() */

    bool has_memory_insts; /* those with the most lines and conflict cycles, by pc */
    unsigned memory_inst_count;
    struct engine_memory_inst memory_inst[ENGINE_MAX_MEMORY_INSTS];
    uint64_t memory_insts_left_out;

    /* options.per_inst or hotspots: those that a wave has come to, by pc; else null. From malloc();
     * engine_result_free(). */
    struct engine_inst *inst;
    size_t inst_count;
    bool has_insts; /* options.per_inst: with all counts */

    /* options.visits, and the run has come to its end: the instructions that a wave has executed, by pc; else null.
     * From malloc(); engine_result_free(). */
    struct engine_visit *visit;
    size_t visits;

    /* options.tally: the instructions executed, each in one of them; else null. engine_result_free(). */
    struct engine_tally *tally;
    size_t tallies;

    /* outcome == ENGINE_FAULT */
    enum engine_fault_kind fault_kind;
    struct isa_fault fault;
    uint64_t fault_group;
    unsigned fault_wave;
};

/* What a run of the timing engine counts for each instruction. */
enum engine_inst_counts { ENGINE_INST_NOTHING, ENGINE_INST_STALLS, ENGINE_INST_ALL };
static inline enum engine_inst_counts engine_inst_counts(const struct engine_options *o)
{
    return o->per_inst || o->visits ? ENGINE_INST_ALL : o->hotspots ? ENGINE_INST_STALLS : ENGINE_INST_NOTHING;
}
static inline bool engine_counts_insts(const struct engine_options *o)
{
    return engine_inst_counts(o) == ENGINE_INST_ALL;
}

/* Gives a statistic its value, or adds to it; it is present from then on. */
static inline void engine_count(struct engine_result *r, enum stat s, uint64_t value)
{
    r->stat[s] = value;
    r->present[s] = true;
}

static inline void engine_add(struct engine_result *r, enum stat s, uint64_t value)
{
    engine_count(r, s, r->stat[s] + value);
}

/* The result's instructions by category, and if `each` is set its tallies, from what isa_run() has counted
 * (ISA_TALLIES). False: out of host memory. */
bool engine_count_tallies(const struct isa_program *p, const uint64_t *tally, bool each, struct engine_result *r);

/* Releases what a result owns, not the struct. */
void engine_result_free(struct engine_result *r);

/* Makes the result a fault of wave w. status: ISA_FAULT or ISA_HALT; deadlocks are snapshot_deadlock()'s. */
void engine_set_fault(struct engine_result *r, enum isa_status status, const struct isa_wave *w, uint64_t group);

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *r,
                          struct err *e);
int engine_run_timing(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e);

#endif
