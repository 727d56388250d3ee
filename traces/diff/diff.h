/* Two measured runs side by side, instruction by instruction.
 *
 * Functions go together by their names; when only one of each run is left, those two do. A run without names (a report)
 * is compared as one list. Instructions of two functions go together by address, counted from the function's entry,
 * when nine in ten have the same mnemonic there. Otherwise the code is another: they go together by text, in the
 * longest sequence that both have in this order, where a whole text counts for more than a mnemonic alone. The rest is
 * in one run alone.
 *
 * Runs of different numbers of waves, as when hardware has traced one compute unit and the simulator all, are compared
 * per wave.
 */
#ifndef GCNSIM_TRACES_DIFF_DIFF_H
#define GCNSIM_TRACES_DIFF_DIFF_H

#include "traces/diff/measured.h"

/* The figures of both runs: X(ENUM, "name", "unit", what it is). */
#define DIFF_FIGURES(X)                                                                                                \
    X(CYCLES, "cycles", "cycles", "cycles from the first wave's start to the last one's end")                          \
    X(WAVES, "waves", "waves", "waves whose instructions are compared")                                                \
    X(HITS, "hits", "instructions", "instructions executed")                                                           \
    X(LATENCY, "latency", "cycles", "cycles of all instructions: stall, issue and execution")                          \
    X(STALL, "stall", "cycles", "of these, in which a wave tried to issue and could not")                              \
    X(IDLE, "idle", "cycles", "cycles between instructions")                                                           \
    X(WAVE_MIN, "wave_min", "cycles", "cycles of the shortest wave")                                                   \
    X(WAVE_MEDIAN, "wave_median", "cycles", "cycles of the median wave")                                               \
    X(WAVE_MAX, "wave_max", "cycles", "cycles of the longest wave")                                                    \
    X(WAVE_MEAN, "wave_mean", "cycles", "cycles of a wave in the mean")                                                \
    X(OCCUPANCY, "occupancy", "waves", "waves resident in the mean, on all that was watched")                          \
    X(OCCUPANCY_MAX, "occupancy_max", "waves", "waves resident at most, in one shader engine")

enum diff_figure {
#define X(E, NAME, UNIT, ABOUT) DIFF_##E,
    DIFF_FIGURES(X)
#undef X
        DIFF_FIGURE_COUNT
};

struct diff_figure_row {
    const char *name, *unit, *about;
};
extern const struct diff_figure_row diff_figure[DIFF_FIGURE_COUNT];

enum diff_per { DIFF_AUTO, DIFF_TOTAL, DIFF_WAVE, DIFF_HIT };
extern const char *const diff_per_key[]; /* "auto", "total", "wave", "hit" */

/* What a row shows of one run, by diff.per. */
struct diff_values {
    double hits, latency, stall, idle;
};

struct diff_row {
    const struct measured_row *a, *b; /* null: it is in the other run alone */
    bool by_address;
    struct diff_values of_a, of_b;
};

struct diff {
    const struct measured *a, *b;
    enum diff_per per;
    struct diff_row *row; /* executed in one run at least; by address of a, those of b alone after the one before */
    size_t rows, room;
    size_t by_address, by_text, only_a, only_b; /* of these rows */
    bool known[DIFF_FIGURE_COUNT][2];
    double figure[DIFF_FIGURE_COUNT][2];
};

/* Both runs outlive it. 0, or non-zero with *e; diff_free() in either case. */
int diff_make(struct diff *d, const struct measured *a, const struct measured *b, enum diff_per per, struct err *e);
void diff_free(struct diff *d);

enum diff_sort { DIFF_BY_DIFFERENCE, DIFF_BY_LATENCY, DIFF_BY_STALL, DIFF_BY_IDLE, DIFF_BY_HITS, DIFF_BY_ADDRESS };
extern const char *const diff_sort_key[]; /* "difference", ..., null */
/* Sorts the rows: by the size of the difference of latency and idle together, of one of them, or by address. */
void diff_sort(struct diff *d, enum diff_sort by);

/* At most 120 columns, with the first `top` rows; one JSON object; CSV. */
void diff_text(FILE *f, const struct diff *d, size_t top);
void diff_json(FILE *f, const struct diff *d, size_t top);
void diff_csv(FILE *f, const struct diff *d, size_t top);

/* ---- align.c ---- */

/* Pairs the rows of two lists: pair[k] is the row of b that row k of a goes with, SIZE_MAX for none. *by_address: how.
 * 0, or non-zero with *e. */
int diff_align(const struct measured_row *a, size_t a_count, const struct measured_row *b, size_t b_count,
               uint64_t a_base, uint64_t b_base, size_t *pair, bool *by_address, struct err *e);

#endif
