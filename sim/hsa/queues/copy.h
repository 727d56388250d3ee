/* What other files ask of the copy engines. */
#ifndef GCNSIM_HSA_COPY_H
#define GCNSIM_HSA_COPY_H

#include <stdint.h>

#include "sim/hsa/signals/signal.h"

/* A copy that waits until all of some signals are 0; handles of 0 are none. */
struct copy_wait {
    uint64_t bytes;
    uint32_t count;
    const hsa_signal_t *on;
    hsa_signal_t completion; /* 0: none */
};

/* Calls fn for each that waits, the oldest first; none comes or goes meanwhile. */
void copies_each(void (*fn)(const struct copy_wait *c, void *ctx), void *ctx);

#endif
