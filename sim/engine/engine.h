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
#include "sim/engine/stats.h"
#include "sim/launch/launch.h"

struct engine_device;  /* sim/engine/device.h */
struct event_consumer; /* sim/util/event.h */
struct snapshot;       /* sim/engine/snapshot.h */

/* Runs the waves of the functional engine in place of isa_run(), for observers that must see each instruction before
 * and after it executes. The engine calls it synchronously, on the host thread that runs the workgroup. A call runs one
 * wave in program order up to its next barrier, its end or a number of instructions. Other threads run other workgroups
 * at the same time. */
struct engine_stepper {
    void *ctx;
    uint64_t group_more_bytes; /* that a workgroup's state may come to take of the memory limit after group_new() */
    /* The observer's state for a workgroup of up to `waves` waves; null: no memory. ctx owns it. */
    void *(*group_new)(void *ctx, unsigned waves);
    /* Workgroup `id` begins; `group` is from group_new(), w are its waves in their initial state. */
    void (*group_start)(void *group, uint64_t id, const struct isa_wave *w, unsigned waves);
    /* As isa_run(), for wave number `wave` of the workgroup. */
    enum isa_status (*run)(void *group, unsigned wave, struct isa_wave *w, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *by_class);
};

/* How a launch is to be run. All zero: one host thread, no limits, no observers. */
struct engine_options {
    uint32_t threads;          /* host threads; 0 means 1 */
    uint64_t max_cycles;       /* 0: no limit */
    uint64_t max_instructions; /* wave-instructions of the whole dispatch, exact; 0: no limit */
    /* Called now and then with workgroups done and in all, never concurrently; a non-zero answer interrupts the run.
     * May be null. */
    int (*progress)(void *ctx, uint64_t done, uint64_t total);
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
    bool cooperative;                       /* all workgroups are to be resident at once: ERR_UNSUPPORTED when they
                                             * cannot be */
    bool code_page_known;                   /* timing: earlier work has had the page of the code translated */
    gaddr_t host_page_known;                /* timing: 0, or an address in a page of the host's memory that earlier
                                             * dispatches, of which the device knows nothing, have used */
    const struct engine_stepper *stepper;   /* functional: null for isa_run() */
    const struct event_consumer *consumers; /* timing: of the event stream; null: none */
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

struct engine_result {
    enum engine_outcome outcome;
    char message[200]; /* LIMIT, INTERRUPTED: why. FAULT: filled by engine_set_fault() */

    /* The counts among the statistics (sim/engine/stats.h), filled through engine_count() and engine_add(). */
    uint64_t stat[STATS];
    bool present[STATS];

    /* lines evicted from each cache, by the hint (enum mem_scope, enum mem_temporal) that brought them or last wrote
     * them */
    uint64_t evicted[LEVEL_COUNT][MEM_SCOPES][MEM_TEMPORALS];

    bool has_memory_insts; /* those with the most lines and conflict cycles, by pc */
    unsigned memory_inst_count;
    struct engine_memory_inst memory_inst[ENGINE_MAX_MEMORY_INSTS];
    uint64_t memory_insts_left_out;

    /* outcome == ENGINE_FAULT */
    enum engine_fault_kind fault_kind;
    struct isa_fault fault;
    uint64_t fault_group;
    unsigned fault_wave;
};

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

/* Makes the result a fault of wave w. status: ISA_FAULT or ISA_HALT; deadlocks are snapshot_deadlock()'s. */
void engine_set_fault(struct engine_result *r, enum isa_status status, const struct isa_wave *w, uint64_t group);

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *r,
                          struct err *e);
int engine_run_timing(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e);

#endif
