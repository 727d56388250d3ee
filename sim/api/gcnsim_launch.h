/* gcnsim: launches of kernels that are loaded. gcnsim.h, which programs include, includes this header and has the
conventions. */
#ifndef GCNSIM_LAUNCH_H
#define GCNSIM_LAUNCH_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- launch -------------------------------------------------------------------------------------------------- */

enum gcnsim_engine {
    GCNSIM_ENGINE_TIMING,     /* cycles and where they went; needs a profile */
    GCNSIM_ENGINE_FUNCTIONAL, /* results alone, as fast as possible */
};

/* Scopes of the fences of a dispatch, as in the header of an AQL packet (HSA_FENCE_SCOPE_*): what the caches do before
 * its first wave (acquire) and after its last (release). docs/MEMORY.md says which. */
enum gcnsim_fence { GCNSIM_FENCE_NONE, GCNSIM_FENCE_AGENT, GCNSIM_FENCE_SYSTEM };

/* Called now and then from the launching thread or a worker, never at the same time twice. Non-zero ends the run, which
 * then reports what was done (GCNSIM_INTERRUPTED).
 *   ctx: the dispatch's progress_ctx
 *   workgroups_done: of all
 *   workgroups_total: of the dispatch */
typedef int gcnsim_progress_fn(void *ctx, uint64_t workgroups_done, uint64_t workgroups_total);

/* How far a launch has come; the library's, and valid during the call. */
struct gcnsim_progress {
    size_t struct_bytes; /* of the library's struct: fields after it are not there */
    uint64_t workgroups_total, workgroups_done;
    uint64_t workgroups_running; /* begun and not done */
    uint64_t cycles;             /* timing engine: since the launch began; else 0 */
    uint64_t instructions;       /* wave-instructions so far, of all waves */
    /* Where the branch back is of the outermost loop of a wave that counts, a device address, and how much of what it
     * counts is left: it falls to 0 as the loop comes to its end. 0: not known. An estimate from scalar registers: it
     * is of some resident wave, and code may follow. */
    uint64_t loop_address, loop_left;
};

/* In place of gcnsim_progress_fn, with more facts; likewise.
 *   ctx: the dispatch's progress_facts_ctx
 *   progress: belongs to the library, during the call */
typedef int gcnsim_progress_facts_fn(void *ctx, const struct gcnsim_progress *progress);

struct gcnsim_snapshot; /* below: who is resident, and waits for what */

/* Gets a snapshot of a running launch, from the launching thread or a worker, never at the same time twice nor while a
 * progress callback runs.
 *   ctx: the dispatch's snapshot_ctx
 *   snapshot: belongs to the library, during the call */
typedef void gcnsim_snapshot_fn(void *ctx, const struct gcnsim_snapshot *snapshot);

struct gcnsim_dispatch {
    size_t struct_bytes; /* set by gcnsim_dispatch_init; see Versions in gcnsim.h */
    uint32_t kernel;     /* index in the code object */
    enum gcnsim_engine engine;

    /* as in the AQL packet */
    uint32_t grid_size[3];               /* work-items, >= workgroup_size; the last workgroups may be partial */
    uint32_t workgroup_size[3];          /* work-items, product 1..1024 */
    uint32_t dynamic_group_segment_size; /* LDS bytes on top of the kernel's own */
    uint32_t private_segment_size;       /* scratch bytes per work-item; 0: what the kernel states (more only matters to
                                            a dynamic stack) */

    /* Explicit arguments: either `args`, or kernarg bytes (copied; hidden arguments past them are filled in from the
     * metadata). Bytes past the kernarg segment are ignored, missing ones are zero. Neither: a kernel without explicit
     * arguments. */
    const struct gcnsim_args *args;
    const void *kernarg;
    size_t kernarg_size;

    uint32_t threads;          /* host threads; 0: one */
    uint64_t max_cycles;       /* of the launch; 0: none. The functional engine counts no cycles, but a wave issues one
                                  instruction per cycle at most: the run ends when a wave has executed this many, when all
                                  have executed this many for each wave that can be resident at once, or when all resident
                                  waves wait and nothing will change that */
    uint64_t max_instructions; /* wave-instructions over all waves; 0: none */
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    /* Polled while running; non-zero ends the run with the report so far. May be set from a signal handler. */
    const volatile int *abort_flag;
    int tick_every_cycle;     /* check mode of the timing engine: no time jumps; same numbers, slower */
    int perfect_memory;       /* timing engine: every access takes what a hit in the nearest cache takes */
    int check;                /* report what hardware would do wrong (result->findings): functional engine, most rules;
                               * timing engine, stale lines of caches; both, races between workgroups */
    const char *command_line; /* how the run was asked for, for the report's record of it; may be null; copied */
    /* Files to be written from the timing engine's events, each "FORMAT=FILE" (gcnsim_trace_format). */
    const char *const *traces;
    size_t trace_count;
    /* Polled while running; when it is non-zero gcnsim sets it to 0 and calls `snapshot`, and the run goes on. May be
     * set from a signal handler. A snapshot is of one moment: of the timing engine the end of a cycle, of the
     * functional engine one at which all its threads have stopped. Both may be null; a run that ends by a limit, an
     * interruption or a deadlock has a snapshot of its end in result->snapshot anyway. */
    volatile int *snapshot_flag;
    gcnsim_snapshot_fn *snapshot;
    void *snapshot_ctx;
    int cold; /* timing engine: a fresh device for this launch alone (gcnsim_device_reset()) */
    enum gcnsim_fence acquire,
        release;         /* timing engine; of the agent initially, as HIP has them from kernel to kernel */
    int per_instruction; /* timing engine: count for each instruction, too (result->instructions) */
    /* Timing engine: result->samples is wanted, with intervals of so many cycles at first, rounded up to whole epochs
     * of the engine (some dozen cycles); 0: it is not. Changes no other number. */
    uint64_t samples;
    const struct gcnsim_att *att; /* timing engine: AMD's thread trace is wanted, too (gcnsim_views.h); may be null */
    const struct gcnsim_on_timeline *timeline; /* timing engine: what it is to write (gcnsim_views.h); null: nothing */
    gcnsim_progress_facts_fn *progress_facts;  /* called beside `progress`, which may be null then; may be null */
    void *progress_facts_ctx;
    /* Functional engine: do not look for LDS races. Without it, and without `check`, the first workgroup in which waves
     * race is a finding of the rule race.lds (docs/CHECK.md), while has_check stays 0. */
    int ignore_lds_races;
    /* Timing engine: simulate some of the workgroups in detail, execute the others without time, and estimate the
     * cycles of the launch (gcnsim_result_estimate(), docs/SAMPLING.md). GCNSIM_SAMPLE_AUTO: as many as it takes until
     * what a wave-instruction costs is steady; N: the first N; 0: all are simulated. Goes without check,
     * traces, att, timeline, samples, per_instruction and max_instructions, which are about each workgroup. */
    uint64_t sample_workgroups;
    int sample_skip; /* do not execute the others: what they leave in memory is missing; needs `cold` */
    int visits;      /* gcnsim_result_visits() is wanted: how often each instruction was executed; goes without
                      * sample_loops */
    int hotspots;    /* timing engine: the summary (gcnsim_result_show()) names the instruction or source line in which
                      * most of each large stall reason is; per_instruction includes it */
    /* Workgroups of a cluster in x, y and z (gfx1250), 1..16 in all, of which the grid is a multiple; 0 in a dimension:
     * 1. All 0: as the kernel's metadata says. Goes without sample_workgroups. */
    uint32_t cluster_size[3] __attribute__((aligned(8))); /* after the struct of 0.1, which ends with padding */
    /* Timing engine: leave out iterations of loops, once all resident waves are in one and what it costs is steady:
     * waves go through them without time. Beside sample_workgroups: where a launch is too small for that. Goes with
     * what sample_workgroups goes with (docs/SAMPLING.md). */
    int sample_loops;
};
#define GCNSIM_SAMPLE_AUTO UINT64_MAX

/* A trace format; static; null past the last.
 *   index: from 0 on
 *   about: one line about it; may be null */
GCNSIM_API const char *gcnsim_trace_format(size_t index, const char **about);

/* Prepares a dispatch: one work-item on the timing engine, the rest zero.
 *   d: filled in
 *   struct_bytes: sizeof *d of the program */
GCNSIM_API void gcnsim_dispatch_init_sized(struct gcnsim_dispatch *d, size_t struct_bytes);
static inline void gcnsim_dispatch_init(struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init_sized(d, sizeof *d);
}

struct gcnsim_result; /* below */

/* Runs a dispatch to its end, however it ends: a fault, a limit and an interruption are in result->outcome. Files that
 * cannot be written, or are both written and used otherwise, are an error before the run (gcnsim_check_files()). Traces
 * get their names when the run is over.
 *   module: that has the kernel
 *   dispatch: what it points to has to stay during the call
 *   out: the result, to be freed with gcnsim_result_free(); null when the call fails, but for GCNSIM_ERROR_IO of a
 *     trace that could not be written: then the run was done, and the error names all such traces */
GCNSIM_API int gcnsim_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                             struct gcnsim_result **out, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
