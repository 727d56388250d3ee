/* gcnsim exec --explain: why a chosen dispatch takes the cycles it does, said before it runs. */
#ifndef GCNSIM_HSA_EXPLAIN_H
#define GCNSIM_HSA_EXPLAIN_H

#include "sim/hsa/queues/dispatch.h"

/* Explains d, which has not begun, when GCNSIM_EXPLAIN chooses it: on the thread that is about to run it, from memory
 * as it is. Whatever engine then runs d finds memory as it was. */
void explain_dispatch(const struct dispatch *d);

#endif
