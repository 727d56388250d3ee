/* What a wave keeps for the front ends: its clause, and the state of the interlocked one. That of the queued one is
 * issue_queues.h. */
#ifndef GCNSIM_TIMING_WAVE_STATE_H
#define GCNSIM_TIMING_WAVE_STATE_H

#include "sim/engine/timing/cu/inst_info.h"

/* All zero outside of a clause (clause.h). */
struct cu_clause {
    uint8_t left;       /* instructions to come */
    uint8_t span;       /* instructions from break to break; 0: there are none */
    uint8_t since;      /* the last break */
    uint32_t port_mask; /* its type; 0: not known yet */
};

/* interlocked.c */
struct interlocked_wave {
    cycle_t vector_done;   /* when the results of all vector instructions are there; a matrix one counts as plain */
    struct timing_reg sum; /* registers that the last MFMA writes, */
    uint64_t sum_entry;    /* their entry in the scoreboard, */
    cycle_t sum_forward;   /* and when an MFMA that adds to the same registers may issue */
};

#endif
