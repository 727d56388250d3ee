/* What a dispatch is to a sampler, and what it has executed. */
#ifndef GCNSIM_HSA_SAMPLE_WORK_H
#define GCNSIM_HSA_SAMPLE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/api/gcnsim.h"

/* What makes a class. */
struct sample_key {
    const char *kernel;
    uint32_t grid[3], workgroup[3], lds_bytes, scratch_bytes;
};

/* What a dispatch has executed. */
struct sample_work {
    const struct gcnsim_visit *visit; /* null: not known */
    size_t visits;
    uint64_t entry; /* what their pcs are counted from */
    double instructions;
};

#endif
