/* A statistic of a public result by its name, for tests and benchmarks. */
#ifndef TESTS_SUPPORT_RESULT_STAT_H
#define TESTS_SUPPORT_RESULT_STAT_H

#include <stdio.h>
#include <stdlib.h>

#include "sim/api/gcnsim.h"

/* One that the run must have: without it the program ends. */
static inline uint64_t result_stat(const struct gcnsim_result *r, const char *name)
{
    double value;

    if (gcnsim_result_stat(r, name, &value) != GCNSIM_OK) {
        fprintf(stderr, "a run has no statistic %s\n", name);
        abort();
    }
    return (uint64_t)value;
}

#endif
