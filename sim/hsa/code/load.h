/* Loading code objects. */
#ifndef GCNSIM_HSA_LOAD_H
#define GCNSIM_HSA_LOAD_H

#include "sim/hsa/code/reader.h"
#include "sim/hsa/core/runtime.h"

struct executable; /* executable.h */

/* Loads it for the agent; *part is then the part of the handle that names it. Says why not in the log. */
hsa_status_t executable_load(struct executable *x, struct agent *a, const struct code_source *from, uint32_t *part);
/* Opens a code object for a target, or for none, and says in the log why it cannot be. */
hsa_status_t code_open(const struct code_source *from, const struct agent *a, struct gcnsim_code **out);

#endif
