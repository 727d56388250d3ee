/* The stall reasons of stall.h as tables: their keys, what they mean, and what helps against each. */
#include "sim/engine/timing/cu/stall.h"

#define KEY_OF(E, KEY, MEANING, REMEDY)          [STALL_##E] = KEY,
#define KEY_OF_WAIT(E, KEY, MEANING, REMEDY)     [STALL_WAIT + WAIT_##E] = KEY,
#define MEANING_OF(E, KEY, MEANING, REMEDY)      [STALL_##E] = (MEANING),
#define MEANING_OF_WAIT(E, KEY, MEANING, REMEDY) [STALL_WAIT + WAIT_##E] = (MEANING),
#define REMEDY_OF(E, KEY, MEANING, REMEDY)       [STALL_##E] = REMEDY,
#define REMEDY_OF_WAIT(E, KEY, MEANING, REMEDY)  [STALL_WAIT + WAIT_##E] = REMEDY,

const char *const timing_stall_key[STALL_COUNT] = {TIMING_STALLS(KEY_OF) TIMING_WAIT_STALLS(KEY_OF_WAIT)};
const char *const timing_stall_meaning[STALL_COUNT] = {TIMING_STALLS(MEANING_OF) TIMING_WAIT_STALLS(MEANING_OF_WAIT)};
const char *const timing_stall_remedy[STALL_COUNT] = {TIMING_STALLS(REMEDY_OF) TIMING_WAIT_STALLS(REMEDY_OF_WAIT)};
