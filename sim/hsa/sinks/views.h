/* What is shown of dispatches that the timing engine runs, beside reports: annotated code (GCNSIM_ANNOTATE) and the
 * table of instructions (GCNSIM_CSV_INSTRUCTIONS), of all of them together or of the one that GCNSIM_OF chooses; one
 * wave over time (GCNSIM_TIMELINE); and what reports ask the engine for (GCNSIM_PER_INSTRUCTION, GCNSIM_SAMPLES).
 *
 * views_dispatch() and views_end() are called under report.c's lock.
 */
#ifndef GCNSIM_HSA_VIEWS_H
#define GCNSIM_HSA_VIEWS_H

#include "sim/hsa/queues/dispatch.h"

bool views_begin(const struct runtime *r, char *why, size_t why_size);
/* Asks a launch of the timing engine for what is shown of it. True: d->watch->wave is to be filled by it. */
bool views_add(struct dispatch *d);
/* Shows the wave of a launch that has ended, and releases its text. */
void views_wave(const struct dispatch *d);

void views_dispatch(const struct dispatch_record *d);
/* Shows what has come together since the last time, and writes the table. */
void views_end(void);

#endif
