/* A wave's state of the interlocked front end (interlocked.c). */
#ifndef GCNSIM_TIMING_INTERLOCKED_H
#define GCNSIM_TIMING_INTERLOCKED_H

#include "sim/engine/timing/cu/inst_info.h"

struct interlocked_wave {
    cycle_t vector_done;   /* when the results of all vector instructions are there; a matrix one counts as plain */
    struct timing_reg sum; /* registers that the last MFMA writes, */
    uint64_t sum_entry;    /* their entry in the scoreboard, */
    cycle_t sum_forward;   /* and when an MFMA that adds to the same registers may issue */
};

#endif
