/* Counters of AMD's hardware, by its names, that count what statistics of gcnsim do, and metrics derived from them. */
#ifndef GCNSIM_REPORT_COUNTERS_H
#define GCNSIM_REPORT_COUNTERS_H

#include "sim/report/report.h"

/* Generations of counters: gfx8, gfx900, gfx906, gfx908, gfx90a, gfx94x, gfx950, gfx10, gfx11, gfx12. A bit each. */
enum counter_generation {
    COUNTERS_G8 = 1,
    COUNTERS_G900 = 2,
    COUNTERS_G906 = 4,
    COUNTERS_G908 = 8,
    COUNTERS_G90A = 16,
    COUNTERS_G94X = 32,
    COUNTERS_G950 = 64,
    COUNTERS_G10 = 128,
    COUNTERS_G11 = 256,
    COUNTERS_G12 = 512,
    COUNTERS_EVERY = 1023
};

/* What a term is multiplied by: a figure of the chip, or whether waves have so many lanes. */
enum counter_times { PER_NOTHING, PER_CU, PER_SIMD, IF_WAVE32, IF_WAVE64 };

struct counter_term {
    uint16_t stat;        /* enum stat */
    uint16_t generations; /* which have the term */
    uint8_t times;        /* enum counter_times */
    double weight;        /* 0: after the last term */
};

enum { COUNTER_TERMS = 10, COUNTER_DIVISORS = 6, COUNTER_UNLESS = 3 };

/* The sum of `of`, over the sum of `by` where that has terms. */
struct counter_row {
    const char *name;
    uint16_t generations;
    struct counter_term of[COUNTER_TERMS], by[COUNTER_DIVISORS];
    /* Statistics that must be 0, since AMD's definition leaves open how it counts them; STAT_CYCLES: none. */
    uint16_t unless[COUNTER_UNLESS];
    const char *about; /* what AMD says that it counts */
};
extern const struct counter_row report_counter_rows[]; /* a null name is after the last; counters_rows.c */

/* Counter number `index` of those there are; null past the last. */
const struct counter_row *report_counter_row(size_t index);

/* Its value in a run; false: the chip does not have it, the run lacks a statistic or has one of those that must be 0,
 * or it is a share of nothing. */
bool report_counter(const struct report *r, const struct counter_row *row, double *value);

/* Lines with the columns of rocprofv3's counter_collection.csv. */
void report_write_counters(FILE *f, const void *report);

#endif
