/* Names of the stall reasons. */
#include "sim/engine/timing/cu/stall.h"

const char *const timing_stall_key[STALL_COUNT] = {
#define X(E, KEY) [STALL_##E] = KEY,
    TIMING_STALLS(X)
#undef X
#define X(E, KEY) [STALL_WAIT + WAIT_##E] = "wait_" KEY,
        WAIT_COUNTERS(X)
#undef X
};
