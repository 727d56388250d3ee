/* Intervals of estimates, for whoever simulates a part and says how far off the whole may be. */
#ifndef GCNSIM_UTIL_STUDENT_H
#define GCNSIM_UTIL_STUDENT_H

#include <stddef.h>

/* A share of what was not simulated, on either side, for what a sample cannot show: docs/SAMPLING.md. */
#define SAMPLE_BIAS 0.02

/* The 97.5 % quantile of Student's t: half of a 95 % interval in standard errors. freedom: degrees, at least 1. */
static inline double student_half(size_t freedom)
{
    static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                               2.228, 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};

    return freedom < sizeof t / sizeof *t ? t[freedom] : 2.086;
}

#endif
