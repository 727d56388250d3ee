/* The timeline of the process (GCNSIM_TRACE): one file, all devices and queues, on one clock.
 *
 * It is opened with the first hsa_init() and gets its name at the end of the process, or when the runtime is shut down
 * for the last time; dispatches after that are not in it.
 */
#ifndef GCNSIM_HSA_TIMELINE_H
#define GCNSIM_HSA_TIMELINE_H

#include "sim/hsa/queues/dispatch.h"

/* Opens what r->options ask for. */
bool timeline_begin(const struct runtime *r, char *why, size_t why_size);
/* Puts a dispatch of the timing engine on it, if there is one; wave: and has it fill d->watch->wave. */
void timeline_add(struct dispatch *d, bool wave);
/* Writes the file; null: there is none, else its name. Called once or several times, never at the same time. */
const char *timeline_end(void);

#endif
