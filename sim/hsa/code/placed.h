/* The code objects that lie in memory, for checks. */
#ifndef GCNSIM_HSA_PLACED_H
#define GCNSIM_HSA_PLACED_H

#include "sim/hsa/code/kernels.h"

/* All code objects in memory, held until placed_release(). */
struct placed {
    struct gcnsim_placed_code *at;
    struct loaded **held;
    size_t count;
};
bool placed_hold(struct placed *out); /* false: out of host memory */
void placed_release(struct placed *p);

#endif
