/* Which GPUs the HIP runtime of the process knows. */
#ifndef GCNSIM_HSA_LANGUAGE_H
#define GCNSIM_HSA_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

/* False, with a sentence in `why`: a libamdhip64 is loaded that has never heard of the target ("gfx1201"). */
bool language_knows(const char *target, char *why, size_t why_size);

#endif
