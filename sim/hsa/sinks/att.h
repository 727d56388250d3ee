/* AMD's thread traces of dispatches (GCNSIM_ATT): a folder for each that the timing engine runs (docs/ATT.md). */
#ifndef GCNSIM_HSA_ATT_H
#define GCNSIM_HSA_ATT_H

#include "sim/hsa/queues/dispatch.h"

/* Has a dispatch of the timing engine traced, if that was asked for. */
void att_add(struct dispatch *d);

#endif
