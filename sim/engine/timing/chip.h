/* What a run of the timing engine is given: dispatches, and a chip whose memory serves them; and what it says about the
 * time it has taken. */
#ifndef GCNSIM_ENGINE_TIMING_CHIP_H
#define GCNSIM_ENGINE_TIMING_CHIP_H

#include "sim/engine/timing/cu/cu.h"

struct memory_events;  /* memory_events.h */
struct timing_before;  /* memory_counts.h */
struct engine_feeding; /* sim/engine/feed.h */

/* A dispatch that a run is given. */
struct timing_order {
    const struct launch *launch;
    const struct engine_options *options;
    struct engine_result *r;
    cycle_t start;
    void *from; /* what the feed knows it by */
};

/* A memory whose CUs come in groups that meet on its far side alone; mem/hierarchy/hierarchy.h says what that means. */
struct timing_chip {
    struct cu_memory plug;
    void *ctx;
    void *device;           /* of the functions about several dispatches, from `report` on */
    struct arena *memory;   /* of the host, for a run at a time, which is kept for the next; null: each has its own */
    uint32_t cus_per_group; /* parts; 0: one group */
    uint32_t epoch_cycles;  /* a group may run alone for so long */
    uint32_t start_cycles;  /* from the placing of a wave to its first fetch: as long, or 0 with epochs of one cycle */
    void (*attach)(void *ctx, const struct hierarchy_sink *sink);
    /* Does the work of cycle `now`, and may go on to later cycles with work as long as they are before `end` and before
     * *until, which completions lower. Returns the cycle done last; *cycles is added to for each after the first. */
    cycle_t (*near_run)(void *ctx, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until, uint32_t *cycles);
    const cycle_t *(*near_clock)(void *ctx, uint32_t group); /* where the next cycle with work always stands */
    /* The groups have done the cycles before `end`; or, of a run that has been stopped, a group no more than those
     * (hierarchy_near_done()). Null: that does not matter. */
    void (*near_done)(void *ctx, uint32_t group, cycle_t end);
    /* Where the plug takes lines (cu_memory.take_lines): it takes those of the cycles before `end`, all of which have
     * been ticked. Null: the plug takes none. */
    void (*reach_lines)(void *ctx, uint32_t cu, cycle_t end);
    /* The level where a request is (hierarchy_locate()); null: the memory does not know. */
    bool (*locate)(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, enum cache_level *level);
    void (*far_run)(void *ctx, cycle_t from, cycle_t end);
    /* The far side beside the groups, half an epoch behind them (hierarchy.h). All null: it cannot. */
    void (*near_half)(void *ctx, uint32_t group, uint32_t half);
    void (*far_half)(void *ctx, uint32_t half, cycle_t from, cycle_t end);
    void (*far_forget)(void *ctx);
    cycle_t (*far_next)(void *ctx);
    /* Statistics of memory so far, added to r, those of `before` taken away (null: nothing); end: the cycle up to which
     * they are asked for. Null: it has none. */
    void (*report)(void *ctx, cycle_t end, const struct timing_before *before, struct engine_result *r);
    /* What they are now. Null: no host memory, or none are kept. */
    struct timing_before *(*count)(void *ctx, cycle_t now);
    /* Adds to the series of samples (enum sample_series) what memory has counted before cycle `now`; says which series
     * it has. Both null: none. */
    void (*sample)(void *ctx, cycle_t now, uint64_t *value);
    void (*samples)(void *ctx, bool *present);
    /* A dispatch begins while others are in flight: its acquire, its code, its memory. Null: nothing is to be done. */
    void (*join)(void *ctx, const struct launch *l, const struct engine_options *o, cycle_t now);
    /* One has ended: its release begins. Returns the lines to be written back. Null: nothing is to be done. */
    uint64_t (*leave)(void *ctx, const struct launch *l, const struct engine_options *o, cycle_t now);
    /* Whether those lines are still on their way. */
    bool (*releases)(void *ctx);
    /* The dispatches in flight have these allocations: l is the youngest of them. Null: that does not matter. */
    void (*use)(void *ctx, const struct launch *l, uint32_t cus);
    /* The host has no memory for its requests, which it will never accept again: the run ends. Null: that cannot be. */
    bool (*is_short)(void *ctx);
    struct memory_events *events; /* what reports it, still without a run */
};

/* The cycles of a run on the clock of its device. */
struct timing_span {
    cycle_t start;     /* the caller's: in which it begins */
    cycle_t end;       /* after a run: its last, as the result counts it */
    cycle_t epoch_end; /* after a run that completed: the near side of memory has done the cycles before this one, */
    cycle_t far_end;   /* and the far side those before this one */
    struct timing_order last; /* after a run: the dispatch that ended last */
    bool last_drained;        /* it was stopped, and its waves have left */
};

#endif
