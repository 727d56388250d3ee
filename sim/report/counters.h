/* Counters of AMD's hardware, by its names, that count what statistics of gcnsim do. */
#ifndef GCNSIM_REPORT_COUNTERS_H
#define GCNSIM_REPORT_COUNTERS_H

#include "sim/report/report.h"

/* A generation of counters: where a counter is there, a bit each. */
enum counter_family { COUNTERS_GCN = 1, COUNTERS_MFMA = 2, COUNTERS_MI300 = 4, COUNTERS_RDNA = 8 };

struct counter_row {
    const char *name;
    uint8_t families;  /* enum counter_family */
    uint16_t stat;     /* enum stat */
    int8_t sign;       /* of `other`; 0: there is none */
    uint16_t other;    /* enum stat */
    uint16_t divisor;  /* of the sum; 4: the hardware counts quad-cycles */
    const char *about; /* what AMD says that it counts */
};

/* Counter number `index` of those there are; null past the last. */
const struct counter_row *report_counter_row(size_t index);

/* Its value in a run; false: the chip does not have it, or the run does not have the statistic. */
bool report_counter(const struct report *r, const struct counter_row *row, double *value);

/* Lines with the columns of rocprofv3's counter_collection.csv. */
void report_write_counters(FILE *f, const void *report);

#endif
