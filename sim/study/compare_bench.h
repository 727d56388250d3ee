/* One item of a comparison while it is run: for gcnsim_compare() and for gcnsim_analyze(). */
#ifndef GCNSIM_SIM_COMPARE_BENCH_H
#define GCNSIM_SIM_COMPARE_BENCH_H

#include "sim/engine/timing/cu/stall.h"
#include "sim/study/compare.h"

/* Passes of the loop that make a difference. */
enum { COMPARE_FEW_PASSES = 3, COMPARE_MANY_PASSES = 9 };

/* Instructions of one iteration, with those that a loop in it repeats. */
enum { COMPARE_MAX_EXECUTED = 1 << 19 };

/* What is measured at full occupancy lies between two numbers of passes of the loop. Halves: waves that are in step
 * with one another are cut well away from the loop's end and what that costs. */
struct compare_window {
    double from, to;
};
#define COMPARE_WINDOW                                                                                                 \
    {                                                                                                                  \
        COMPARE_FEW_PASSES + 0.5, COMPARE_MANY_PASSES + 0.5                                                            \
    }

/* The same for an analysis, shorter than for a comparison, which is to be exact in small differences. A pass of the
 * second kernel is twice as long, so that half as many show as much; after the first one caches are warm. */
#define COMPARE_SHORT_WINDOWS                                                                                          \
    {1.5, 4.5},                                                                                                        \
    {                                                                                                                  \
        1.25, 2.75                                                                                                     \
    }

/* What is run of a sequence at full occupancy. */
struct compare_plan {
    struct compare_window window[2]; /* of each kernel */
    bool first_alone;                /* the first kernel alone is run */
    enum compare_points { COMPARE_POINTS_ALL, COMPARE_POINTS_DOUBLING, COMPARE_POINTS_ENDS } points;
};

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
    bool has_stall[STALL_COUNT]; /* the target has the counter, where the reason is a wait for one */
    uint32_t few, many;          /* passes of one wave alone */
    struct compare_plan plan;    /* at full occupancy, of sequences */
    double executed; /* instructions of an iteration of a sequence that repeats some of its own; 0: it repeats none */
    bool single;     /* of such a sequence, so long that one copy is a pass */
    struct compare_sample loop;             /* what a pass costs beside its copies, of such a sequence */
    uint32_t fitted;                        /* copies of such a sequence; 0: as many as its file has */
    struct gcnsim_compare_item own_item;    /* with those copies, */
    uint8_t *own_bytes;                     /* and its file */
    double pass_instructions[2];            /* of the loops of a sequence */
    bool branchless;                        /* the sequence has no branches, so that each one ends a pass */
    const struct event_consumer *consumers; /* of the runs' events */
    struct gcnsim_result *kept;             /* the result of the last run, when `keeps` */
    bool keeps;
    size_t index, count;      /* of the item */
    uint32_t runs, runs_done; /* of this item */
};

/* The caller's options and items as those of this version, and that items have a label and bytes. */
int compare_take_options(struct gcnsim_compare_options *own, const struct gcnsim_compare_options *from, struct err *e);
int compare_take_items(struct gcnsim_compare_item *own, const struct gcnsim_compare_item *from, size_t count,
                       struct err *e);

/* o, item, index and count are set. All return 0, or -1 with *e. */
int compare_bench_open(struct compare_bench *b, struct arena *arena, struct err *e);
/* The same, with as many copies as the file has or b->fitted says. */
int compare_bench_load(struct compare_bench *b, struct arena *arena, struct err *e);
void compare_bench_close(struct compare_bench *b);

/* For a sequence with loops of its own: what an iteration executes, and as many copies and passes as suit that
 * (compare_copies.c). */
int compare_fit_copies(struct compare_bench *b, struct arena *arena, struct err *e);
/* For such a sequence, once one wave alone is measured: the most exact plan that is not too long for the points of
 * `least` to `most` waves per SIMD. */
void compare_choose_plan(struct compare_bench *b, uint32_t least, uint32_t most);
/* Whether a plan has the point of so many waves per SIMD, of `most`. */
bool compare_has_point(const struct compare_plan *p, uint32_t waves, uint32_t most);

/* The bytes that are compared, as the entry says them. */
int compare_look_at(struct compare_bench *b, struct gcnsim_compare_entry *out, struct err *e);
/* `groups` workgroups of kernel `which`. passes: of a sequence's loop. window: ends after so many instructions, which
 * is then what was asked for; 0: runs to its end. */
int compare_run(struct compare_bench *b, unsigned which, uint32_t groups, uint32_t passes, uint64_t window,
                struct compare_sample *s, struct err *e);
/* a += b * factor */
void compare_add(struct compare_sample *a, const struct compare_sample *b, double factor);
double compare_instructions(const struct compare_sample *s);
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
