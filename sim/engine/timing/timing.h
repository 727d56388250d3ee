/* The timing engine: dispatches on one chip, in cycles.
 *
 * engine_run_timing() (sim/engine/engine.h) builds the chip's memory from the profile and calls timing_run(), which
 * owns the clock: in each cycle with work it ticks the memory, hands out completions, ticks the CUs that have work
 * and then the dispatcher, and jumps to the earliest cycle at which any of them has work again. With
 * options->tick_every_cycle it ticks every cycle and checks every decision; the numbers are the same.
 *
 * Folders: clock/ (groups of CUs, epochs, the workgroup dispatcher), cu/ (a compute unit: issue arbitration,
 * scoreboard, stall reasons), front/ (the two front ends, fetch, clauses), memory/ (memory operations, the hierarchy of
 * a profile).
 */
#ifndef GCNSIM_ENGINE_TIMING_H
#define GCNSIM_ENGINE_TIMING_H

#include "sim/engine/timing/chip.h"

struct timing_script; /* clock/script.h */

/* The memory a run uses. CUs (parts) are numbered over the chip. */
struct timing_memory {
    struct cu_memory plug;
    void *ctx;
    /* Does the work of cycle now; returns the next cycle with work. Called when that is due. */
    cycle_t (*tick)(void *ctx, cycle_t now);
    cycle_t (*next)(void *ctx);
    /* Takes a completion of this cycle; false when there is no more. Order: as made. */
    bool (*pop)(void *ctx, uint32_t *cu, enum mem_port_kind *port, uint64_t *token);
};

/* A run on a chip (timing_run_chip() and others make one), until no dispatch is in flight. It begins with `first`, in
 * span->start; more come from the feed (null: none). */
int timing_run_on(const struct timing_order *first, const struct timing_chip *chip, const struct timing_script *script,
                  struct engine_feeding *feed, struct timing_span *span, struct err *e);

/* The run itself, against any memory. cus: parts that m can serve (at least timing_cus()). */
int timing_run(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
               struct engine_result *r, struct err *e);

/* The same with a recording in the dispatcher's place (script.h); l->workgroup_count: workgroups in it. Null:
 * none. */
int timing_run_script(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
                      const struct timing_script *script, struct engine_result *r, struct err *e);

/* The same with the memory of the profile. longest_epoch: cycles, where epochs are to be shorter than memory allows;
 * 0: they are not. */
int timing_run_chip(const struct launch *l, const struct engine_options *options, const struct timing_script *script,
                    uint32_t longest_epoch, struct engine_result *r, struct err *e);

/* Parts (CUs) that a launch uses at most. */
uint32_t timing_cus(const struct launch *l);

#endif
