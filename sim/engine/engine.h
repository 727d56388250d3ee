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

#include "sim/launch/launch.h"

struct event_consumer; /* sim/util/event.h */

/* Runs the waves of the functional engine in place of isa_run(), for observers that must see each instruction before
 * and after it executes. The engine calls it synchronously, on the host thread that runs the workgroup. A call runs one
 * wave in program order up to its next barrier, its end or a number of instructions. Other threads run other workgroups
 * at the same time. */
struct engine_stepper {
    void *ctx;
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
    uint64_t max_instructions; /* wave-instructions of the whole dispatch; 0: no limit */
    /* Called now and then with workgroups done and in all, never concurrently; a non-zero answer interrupts the run.
     * May be null. */
    int (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    const volatile int *abort_flag;         /* polled; non-zero interrupts the run; may be null */
    bool tick_every_cycle;                  /* timing: simulate every cycle and check that no event was skipped */
    bool perfect_memory;                    /* timing: every access hits the nearest cache */
    const struct engine_stepper *stepper;   /* functional: null for isa_run() */
    const struct event_consumer *consumers; /* timing: of the event stream; null: none */
};

enum engine_outcome { ENGINE_DONE, ENGINE_FAULT, ENGINE_LIMIT, ENGINE_INTERRUPTED };

enum engine_fault_kind {
    ENGINE_FAULT_WAVE,     /* isa_fault of the wave */
    ENGINE_FAULT_HALT,     /* s_sethalt, s_trap without a handler */
    ENGINE_FAULT_DEADLOCK, /* no wave of a workgroup can go on */
};

#define ENGINE_MAX_STALLS 48

struct engine_count {
    const char *name; /* static text: the report's key */
    uint64_t value;
};

struct engine_cache_stats {
    bool present;
    uint64_t accesses, hits, misses; /* accesses = hits + misses */
    uint64_t mshr_merges;            /* of the misses: merged into the MSHR of an earlier miss to the line */
    uint64_t evictions, writebacks;
    uint64_t read_bytes, write_bytes; /* from and to the next level */
    uint64_t bypasses;                /* of the misses: by what the hint says, or passed to the level that does it */
    uint64_t prefetches;              /* of the accesses: nobody waits */
    uint64_t evicted[MEM_SCOPES][MEM_TEMPORALS]; /* of the evictions, by the hint of the line */
    uint64_t load_bytes, store_bytes;            /* to and from those above */
    uint64_t loads, load_latency_cycles; /* that came back, and the sum of their times in and below this level */
    uint64_t data_cycles, data_paths;    /* cycles of its data paths taken, and how many there are */
    uint64_t upgrades;                   /* atomics whose line was present, but not exclusive to the die */
    uint64_t downgrades;                 /* lines invalidated, or written back and kept clean, for another die */
    uint64_t dirty_downgrades;           /* downgrades of a modified line, which wrote it back */
};

/* What the memory instruction at pc did, over all its executions. */
struct engine_memory_inst {
    gaddr_t pc;
    uint64_t count;                      /* with a lane active */
    uint64_t lines, bytes;               /* cache lines asked for, and bytes of them */
    uint64_t lds_count, conflict_cycles; /* that went to LDS; its cycles for banks */
    uint64_t addr_conflict_cycles;       /* and for atomics on the same dword */
};
#define ENGINE_MAX_MEMORY_INSTS 64

struct engine_result {
    enum engine_outcome outcome;
    char message[200]; /* LIMIT, INTERRUPTED: why. FAULT: filled by engine_set_fault() */

    uint64_t workgroups_done, waves_done;
    uint64_t instructions; /* wave-instructions executed */
    bool has_categories;
    uint64_t by_category[OPCAT_COUNT];

    /* of the timing engine alone; each part with its flag, so that absent parts are reported as absent */
    bool has_time;
    cycle_t cycles;
    uint32_t cus_used; /* CUs that ran at least one wave */
    bool has_stalls;
    struct engine_count stalls[ENGINE_MAX_STALLS]; /* "issued" among them; they add up to resident_wave_cycles */
    unsigned stall_count;
    uint64_t resident_wave_cycles;
    bool has_lds;
    uint64_t lds_accesses, lds_bank_conflict_cycles, lds_addr_conflict_cycles;
    bool has_cache;
    struct engine_cache_stats cache[LEVEL_COUNT];
    bool has_dram;
    uint64_t dram_read_bytes, dram_write_bytes;
    bool has_translation;                      /* with caches, where the profile models it */
    uint64_t translations, translation_misses; /* of what caches send to L2; of those, by the first caches of them */
    uint64_t page_walks, page_table_reads;
    bool has_fabric;               /* chips whose MALL and memory lie on several dies */
    uint32_t fabric_links;         /* directions */
    uint64_t fabric_bytes;         /* of data, on all of them; what crosses two counts twice */
    uint64_t fabric_busiest_bytes; /* on the one with the most */
    uint32_t fabric_busiest_from, fabric_busiest_to;
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

/* Makes the result a fault of wave w. status: ISA_FAULT or ISA_HALT; anything else means deadlock at w->pc. */
void engine_set_fault(struct engine_result *r, enum isa_status status, const struct isa_wave *w, uint64_t group);

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *r,
                          struct err *e);
int engine_run_timing(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e);

#endif
