/* Handlers of signals, as far as others ask for them. */
#ifndef GCNSIM_HSA_HANDLERS_H
#define GCNSIM_HSA_HANDLERS_H

#include <sys/types.h>

#include "sim/hsa/signals/signal.h"

/* Calls fn for each handler that waits for its signal, the oldest first; none comes or goes meanwhile. Returns the
 * thread that is in a handler, which no other one is called before it returns; 0: none is being called. */
pid_t handlers_each(void (*fn)(const struct signal_condition *on, void *ctx), void *ctx);

#endif
