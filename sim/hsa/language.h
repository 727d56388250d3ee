/* Which GPUs the HIP runtime of the process knows. */
#ifndef GCNSIM_HSA_LANGUAGE_H
#define GCNSIM_HSA_LANGUAGE_H

#include <stdbool.h>

/* False: a libamdhip64 is loaded that has never heard of the target ("gfx1201"); the log has said so. */
bool language_knows(const char *target);

#endif
