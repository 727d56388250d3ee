/* The language runtime of the process: HIP, and which GPUs it knows, or OpenCL. */
#ifndef GCNSIM_HSA_LANGUAGE_H
#define GCNSIM_HSA_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

/* False, with a sentence in `why`: a libamdhip64 is loaded that has never heard of the target ("gfx1201"). */
bool language_knows(const char *target, char *why, size_t why_size);

/* Whether the process has loaded AMD's OpenCL, and no HIP, when it is first asked. */
bool language_is_opencl(void);

#endif
