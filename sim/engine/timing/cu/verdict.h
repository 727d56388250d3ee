/* The answer to the one question of issue: may an instruction issue, in which cycle at the earliest, and why not
 * before.
 *
 * Every part that can hold an instruction back answers with a verdict: the wave's own conditions (wave.c), the operands
 * (front_end.operands), and the port it issues to (ports.h). Its reason is the stall reason of the cycles until then.
 */
#ifndef GCNSIM_TIMING_VERDICT_H
#define GCNSIM_TIMING_VERDICT_H

#include "sim/engine/timing/cu/stall.h"

struct verdict {
    cycle_t at; /* may issue in this cycle or later; 0: nothing holds it; CYCLE_NEVER: an event ends the wait */
    enum timing_stall why;
};

#endif
