/* The targets that a HIP program was built for, which its runtime chooses from. Where none of them is a device's, the
 * runtime ends the program or says that there is no device; this says why.
 */
#ifndef GCNSIM_HSA_FATBIN_H
#define GCNSIM_HSA_FATBIN_H

#include "sim/hsa/core/runtime.h"

/* Says in the log what to do when the program at `path` has no code for one of the agents: HIP wants code for each.
 * Another file, or one that cannot be read, is left alone. */
void fatbin_explain(const struct runtime *r, const char *path);
/* The same of the program that this process runs. */
void fatbin_explain_own(const struct runtime *r);

#endif
