/* What an engine is given and what it gives back. Two engines exist: functional (results alone) and timing.
 *
 * sim/launch prepares a struct engine_launch from a dispatch; the engine makes waves with launch_init_wave(), runs
 * them, and fills a struct engine_result. The launch is constant while it runs, so any number of threads may share it.
 *
 * An engine returns 0 whenever it has a result, also for a run that ended by a fault of the simulated program, a limit
 * or an interruption (result->outcome); non-zero with *e is for hosts without memory and launches it cannot take.
 *
 * Workgroups are numbered x fastest: group = (z * workgroups[1] + y) * workgroups[0] + x. They are started in this
 * order. A partial workgroup (grid not a multiple of the workgroup size) has only the waves it needs.
 */
#ifndef GCNSIM_ENGINE_ENGINE_H
#define GCNSIM_ENGINE_ENGINE_H

#include "config/profile.h"
#include "isa/isa.h"
#include "mem/space.h"

struct launch_state; /* sim/launch/state.h: register images; not for engines */
struct check;

/* Waves of one kernel that fit, as resources allow. Also how much each takes, for a dispatcher. */
struct engine_occupancy {
    uint32_t waves_per_group; /* of a full workgroup */
    uint32_t waves_per_simd;  /* at most, and as whole workgroups allow: see limiter */
    uint32_t groups_per_cu;   /* per CU; per WGP when cu.lds_per_wgp and the kernel runs in WGP mode (wgp_mode) */
    uint32_t vgpr_alloc;      /* registers of the SIMD's file one wave takes, granules applied (unified: with AGPRs) */
    uint32_t agpr_alloc;      /* of the separate AGPR file; 0 when unified or none */
    uint32_t sgpr_alloc;      /* of cu.sgprs_per_simd */
    uint32_t lds_alloc_bytes; /* granules applied */
    uint32_t max_waves_by_vgprs; /* per SIMD, each resource alone */
    uint32_t max_waves_by_sgprs;
    const char *limiter; /* "wave_slots", "vgprs", "sgprs", "lds", "barriers", "workgroup_size" */
};

struct engine_launch {
    const struct isa_target *target;
    struct isa_program *program;
    const struct profile *profile; /* null: none (functional engine alone) */
    const struct mem_space *space;
    const struct launch_state *state;

    uint32_t workgroups[3];
    uint64_t workgroup_count;
    uint32_t workgroup_size[3]; /* work-items */
    uint32_t lanes;             /* of a wave: 32 or 64 */
    uint32_t waves_per_group;   /* of a full workgroup */
    uint64_t wave_count;        /* of the whole dispatch, partial workgroups considered */

    uint32_t nvgprs, nagprs, nsgprs;   /* allocated to a wave; more is a fault */
    uint32_t lds_bytes;                /* of a workgroup: static and dynamic, as allocated; 0: none */
    gaddr_t entry;                     /* of the kernel: where waves start */
    uint32_t prefetch_bytes;           /* of code from the kernel's entry on, that hardware prefetches (gfx11+) */
    bool wgp_mode;                     /* RDNA: a workgroup may spread over both CUs of a WGP */
    struct engine_occupancy occupancy; /* filled when profile is not null */

    /* Scratch slots, each of a wave: a workgroup needs waves_per_group of them while it runs. UINT32_MAX: no limit
     * (no scratch). An engine passes slot numbers < scratch_slots to launch_init_wave(), none to two live waves. */
    uint32_t scratch_slots;

    gaddr_t shared_aperture, private_aperture; /* launch_init_wave() puts them in the wave */

    uint32_t threads;                                          /* host threads, >= 1 */
    uint64_t max_cycles;                                       /* 0: none */
    uint64_t max_instructions;                                 /* over all waves; 0: none */
    int (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be null; never called concurrently */
    void *progress_ctx;
    const volatile int *abort_flag; /* may be null; polled */
    bool tick_every_cycle;          /* timing: check mode without time jumps */
    bool perfect_memory;            /* timing: every access hits the nearest cache (timing_perfect.h) */
    struct check *check;            /* functional: observe the run (sim/check/check.h); null: do not */
};

/* Dwords of register rows a wave needs: (nvgprs + nagprs) * lanes. 64-byte aligned rows. */
static inline size_t engine_wave_dwords(const struct engine_launch *l)
{
    return ((size_t)l->nvgprs + l->nagprs) * l->lanes;
}

/* Bytes of LDS to have ready for a workgroup (a multiple of 64, at least 64). The engine zeroes nothing: launch code
 * leaves LDS as it is, like the hardware, except that the first wave of a workgroup set up clears it (so that runs are
 * repeatable). */
static inline size_t engine_lds_bytes(const struct engine_launch *l)
{
    return l->lds_bytes ? ((size_t)l->lds_bytes + 63) / 64 * 64 : 64;
}

/* Waves of workgroup `group`: waves_per_group, fewer for a partial one. */
unsigned launch_group_waves(const struct engine_launch *l, uint64_t group);

/* Sets up wave number `wave` of workgroup `group`, ready to run: registers, EXEC, MODE, pc, scratch, LDS.
 * v: engine_wave_dwords() words, 64-byte aligned; cleared here. lds: engine_lds_bytes(), shared by the waves of the
 * group, cleared when wave == 0. w->owner is left null for the engine. */
void launch_init_wave(const struct engine_launch *l, uint64_t group, unsigned wave, uint32_t scratch_slot, uint32_t *v,
                      uint8_t *lds, struct isa_wave *w);

/* isa_env.find for l->space; an engine's own find calls it. */
bool launch_find(const struct engine_launch *l, gaddr_t addr, struct isa_range *out);

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
    uint64_t read_bytes, write_bytes;    /* from and to the next level */
    uint64_t bypasses;                   /* of the misses: by what the hint says, or passed to the level that does it */
    uint64_t prefetches;                 /* of the accesses: nobody waits */
    uint64_t evicted[4][8];              /* of the evictions, by enum mem_scope and enum mem_temporal of the line */
    uint64_t load_bytes, store_bytes;    /* to and from those above */
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

int engine_run_functional(const struct engine_launch *l, struct engine_result *r, struct err *e);
int engine_run_timing(const struct engine_launch *l, struct engine_result *r, struct err *e);

#endif
