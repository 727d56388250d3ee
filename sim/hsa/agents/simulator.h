/* Opening a simulator of a profile, with the figures that the process was asked to change (GCNSIM_SET). */
#ifndef GCNSIM_HSA_SIMULATOR_H
#define GCNSIM_HSA_SIMULATOR_H

#include "sim/api/gcnsim.h"
#include "sim/options/option.h"

/* profile: as gcnsim_open() takes it. sets: "path=value" each.
 * The simulator has no limit of memory. A gcnsim_status, with a sentence in *e; *out is written on success alone. */
int simulator_open(struct gcnsim **out, const char *profile, const struct option_list *sets, struct gcnsim_error *e);

#endif
