/* The memory that a simulator may hold on behalf of what it is given: one account for everything whose size code
 * objects, profiles, launch files and callers decide.
 *
 * Counted is what is reserved, not what has been touched, so that a request passes or fails the same way on every host
 * and at every run: device memory (images, buffers, scratch), files and tables of the loader, decompressed bundles,
 * registers and LDS of resident waves, caches, state of the checks, tables of decoded instructions (these by the chunk,
 * as code is reached). Not counted are small things of fixed size, results and their texts, and stacks of threads.
 *
 * A refusal is a null pointer or an ERR_NOMEM of the layer that asked, whose message says what for;
 * budget_explain() makes the error of the public call out of it. Any number of threads may take and give.
 */
#ifndef GCNSIM_UTIL_BUDGET_H
#define GCNSIM_UTIL_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/util/error.h"

struct budget {
    uint64_t limit; /* bytes */
    _Atomic uint64_t held, peak;
    _Atomic uint64_t refused;      /* bytes of the last request refused; 0: none was */
    _Atomic uint64_t held_refused; /* what was held then */
};

void budget_init(struct budget *b, uint64_t limit);

/* Takes `bytes`; false, and nothing is taken, when that would pass the limit. A null budget has no limit. */
bool budget_take(struct budget *b, uint64_t bytes);
/* Gives back what was taken. */
void budget_give(struct budget *b, uint64_t bytes);

/* Forgets a refusal that the layer that asked did without, so that no later lack of host memory is taken for it. */
void budget_forget(struct budget *b);

/* When *e says that memory was short and it was the budget that refused: makes it ERR_LIMIT, and adds the numbers and
 * what raises the limit. Forgets the refusal. Always returns -1. */
int budget_explain(struct budget *b, struct err *e);

#endif
