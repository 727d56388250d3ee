/* One item of a comparison while it is run: for gcnsim_compare() and for gcnsim_analyze(). */
#ifndef GCNSIM_SIM_COMPARE_BENCH_H
#define GCNSIM_SIM_COMPARE_BENCH_H

#include "sim/api/compare.h"
#include "sim/engine/timing/cu/stall.h"

/* Passes of the loop that make a difference. */
enum { COMPARE_FEW_PASSES = 3, COMPARE_MANY_PASSES = 9 };

/* What is measured at full occupancy lies between two numbers of passes of the loop. Halves: waves that are in step
 * with one another are cut well away from the loop's end and what that costs. */
struct compare_window {
    double from, to;
};
#define COMPARE_WINDOW                                                                                                 \
    {                                                                                                                  \
        COMPARE_FEW_PASSES + 0.5, COMPARE_MANY_PASSES + 0.5                                                            \
    }

/* Cycles and counts of a run, or of a sum of runs. */
struct compare_sample {
    double cycles;
    double category[OPCAT_COUNT];
    double stall[STALL_COUNT];
};

/* One item while it is looked at. */
struct compare_bench {
    const struct gcnsim_compare_options *o;
    const struct gcnsim_compare_item *item;
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args; /* of kernels */
    uint64_t data;            /* buffer of sequences */
    bool sequence;
    bool region;            /* a sequence cut out of other code, whose addresses mean nothing: all are valid */
    uint32_t windows;       /* of memory that it has been given */
    uint8_t *window_memory; /* of its windows: all show the same bytes */
    bool wrong_setting;     /* a --set, of all items: its message names no item */
    bool undelayed;         /* as struct compare_code has it */
    uint32_t kernel[2];     /* indices: sequences have two */
    uint32_t workgroup[3], lanes, waves_per_group, simds, copies;
    struct gcnsim_occupancy occupancy;
    bool has_stall[STALL_COUNT];            /* the target has the counter, where the reason is a wait for one */
    struct compare_window window[2];        /* at full occupancy, of each kernel of a sequence */
    double pass_instructions[2];            /* of the loops of a sequence */
    bool branchless;                        /* the sequence has no branches, so that each one ends a pass */
    const struct event_consumer *consumers; /* of the runs' events */
    struct gcnsim_result *kept;             /* the result of the last run, when `keeps` */
    bool keeps;
    size_t index, count;      /* of the item */
    uint32_t runs, runs_done; /* of this item */
};

/* The caller's options as those of this version, and that the items can be run. */
int compare_take_options(struct gcnsim_compare_options *own, const struct gcnsim_compare_options *from, struct err *e);
int compare_check_items(const struct gcnsim_compare_item *items, size_t count, struct err *e);

/* o and item are set. All return 0, or -1 with *e. */
int compare_bench_open(struct compare_bench *b, struct arena *arena, struct err *e);
void compare_bench_close(struct compare_bench *b);

/* The bytes that are compared, as the entry says them. */
int compare_look_at(struct compare_bench *b, struct gcnsim_compare_entry *out, struct err *e);
/* `groups` workgroups of kernel `which`. passes: of a sequence's loop. window: ends after so many instructions, which
 * is then what was asked for; 0: runs to its end. */
int compare_run(struct compare_bench *b, unsigned which, uint32_t groups, uint32_t passes, uint64_t window,
                struct compare_sample *s, struct err *e);
/* An iteration of one wave alone. */
int compare_measure_alone(struct compare_bench *b, struct compare_sample *s, struct err *e);
/* The same with so many workgroups: of one wave; cycles are those of a SIMD. */
int compare_measure_occupied(struct compare_bench *b, uint32_t groups, struct compare_sample *s, struct err *e);
/* As many waves on every SIMD, in whole workgroups; 0 when they do not divide. */
uint32_t compare_groups(const struct compare_bench *b, uint32_t waves_per_simd);
/* Waves per SIMD at full occupancy, as the run before this found it and the caller bounds it; the limiter goes to *out.
 */
uint32_t compare_full_occupancy(const struct compare_bench *b, struct gcnsim_compare_entry *out);

#endif
