/* Tallies of executions: one for each row, or pair of rows, and class that the waves of a dispatch have come to. */
#include "sim/engine/timing/cu/tally.h"

#include <stdlib.h>

bool timing_tally_report(const struct timing_table *t, const struct cu_dispatch *part, uint32_t parts,
                         struct engine_result *r)
{
    if (!(r->tally = calloc(TIMING_TALLIES, sizeof *r->tally)))
        return false;
    for (unsigned n = 0; n < TIMING_TALLIES; n++) {
        const struct timing_info *i = n < TIMING_TALLY_ROWS ? NULL : t->tallied[n - TIMING_TALLY_ROWS];
        uint64_t count = 0;

        for (uint32_t k = 0; k < parts; k++)
            count += part[k].tally[n];
        if (count)
            r->tally[r->tallies++] = (struct engine_tally){i ? i->inst : NULL, i ? i->cls : (uint8_t)(n % OPC_COUNT),
                                                           i ? isa_is_approximate(i->inst) : n >= OPC_COUNT, count};
    }
    return true;
}
