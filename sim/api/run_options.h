/* What a launch is asked for, whichever struct says it: members that gcnsim_dispatch and gcnsim_raw have by the same
 * names. Both structs were released with these members in orders of their own, which stay (docs/API.md, "Versions");
 * inside the library there is this one.
 */
#ifndef GCNSIM_API_RUN_OPTIONS_H
#define GCNSIM_API_RUN_OPTIONS_H

#include "sim/api/gcnsim.h"
#include "sim/engine/engine.h"
#include "sim/engine/sampling/sampling.h"

struct api_run_options {
    enum gcnsim_engine engine;
    uint32_t threads;
    uint64_t max_cycles, max_instructions, samples, sample_workgroups;
    int sample_skip, sample_loops, check, ignore_lds_races, perfect_memory, tick_every_cycle, cold, per_instruction,
        visits;
    enum gcnsim_fence acquire, release;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    gcnsim_progress_facts_fn *progress_facts;
    void *progress_facts_ctx;
    gcnsim_snapshot_fn *snapshot;
    void *snapshot_ctx;
    volatile int *snapshot_flag;
    const volatile int *abort_flag;
    const char *command_line;
    const struct gcnsim_att *att;
    const struct gcnsim_on_timeline *timeline;
};

/* from: a gcnsim_dispatch or a gcnsim_raw of this version. */
#define API_RUN_OPTIONS(from)                                                                                          \
    ((struct api_run_options){.engine = (from)->engine,                                                                \
                              .threads = (from)->threads,                                                              \
                              .max_cycles = (from)->max_cycles,                                                        \
                              .max_instructions = (from)->max_instructions,                                            \
                              .samples = (from)->samples,                                                              \
                              .sample_workgroups = (from)->sample_workgroups,                                          \
                              .sample_skip = (from)->sample_skip,                                                      \
                              .sample_loops = (from)->sample_loops,                                                    \
                              .check = (from)->check,                                                                  \
                              .ignore_lds_races = (from)->ignore_lds_races,                                            \
                              .perfect_memory = (from)->perfect_memory,                                                \
                              .tick_every_cycle = (from)->tick_every_cycle,                                            \
                              .cold = (from)->cold,                                                                    \
                              .per_instruction = (from)->per_instruction,                                              \
                              .visits = (from)->visits,                                                                \
                              .acquire = (from)->acquire,                                                              \
                              .release = (from)->release,                                                              \
                              .progress = (from)->progress,                                                            \
                              .progress_ctx = (from)->progress_ctx,                                                    \
                              .progress_facts = (from)->progress_facts,                                                \
                              .progress_facts_ctx = (from)->progress_facts_ctx,                                        \
                              .snapshot = (from)->snapshot,                                                            \
                              .snapshot_ctx = (from)->snapshot_ctx,                                                    \
                              .snapshot_flag = (from)->snapshot_flag,                                                  \
                              .abort_flag = (from)->abort_flag,                                                        \
                              .command_line = (from)->command_line,                                                    \
                              .att = (from)->att,                                                                      \
                              .timeline = (from)->timeline})

/* Whom the engine's reports of progress go to, and how it samples: what engine options point to. */
struct api_engine_parts {
    struct api_run_options asked;
    struct engine_sampling sampling;
};

/* The engine's options. *parts is filled, and outlives them. */
struct engine_options api_engine_options(const struct api_run_options *asked, struct api_engine_parts *parts);

/* That what is asked for goes together. traces: files of traces are asked for, too. */
int api_check_run(const struct api_run_options *asked, bool traces, struct err *e);
/* The same of the launch that it has become. */
int api_check_sampled(const struct api_run_options *asked, const struct launch *l, struct err *e);

#endif
