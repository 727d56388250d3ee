/* Which figures of the profile the wave-cycles of a run rest on. */
#ifndef GCNSIM_REPORT_CYCLE_FIGURES_H
#define GCNSIM_REPORT_CYCLE_FIGURES_H

#include "sim/report/report.h"

/* Adds the cycles of r's stall reasons, whose statistics are there, to r->fidelity. False without memory. */
bool report_cycle_figures(struct report *r, const struct launch *l, const struct engine_result *er);

#endif
