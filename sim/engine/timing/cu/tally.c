/* Tallies of executions: one for each row, or pair of rows, and class that the waves of a dispatch have come to. */
#include "sim/engine/timing/cu/tally.h"

#include <stdlib.h>

void timing_tally_set(struct timing_table *t, struct timing_info *i)
{
    unsigned k = 0, room = sizeof t->tallied / sizeof *t->tallied;

    while (k < room && t->tallied[k] && (t->tallied[k]->cls != i->cls || !isa_same_rows(t->tallied[k]->inst, i->inst)))
        k++;
    if (k == room) {
        i->tally = (uint16_t)(i->cls + (isa_is_approximate(i->inst) ? OPC_COUNT : 0));
        return;
    }
    if (!t->tallied[k])
        t->tallied[k] = i;
    i->tally = (uint16_t)(TIMING_TALLY_ROWS + k);
}

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
