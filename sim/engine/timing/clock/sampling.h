/* Samples of the dispatches in flight (sim/engine/samples.h), taken between two epochs: so they depend neither on host
 * threads nor on anything else that happens in an epoch, and taking them changes nothing. */
#ifndef GCNSIM_ENGINE_TIMING_SAMPLING_H
#define GCNSIM_ENGINE_TIMING_SAMPLING_H

#include "sim/engine/samples.h"
#include "sim/util/bits.h"

struct run;
struct timing_dispatch;
struct engine_result;

/* For a dispatch that wants samples. */
struct timing_sampling {
    struct engine_samples *list; /* the result's in the end */
    cycle_t from, next;          /* the interval in which time is: it ends before `next` */
    bool lost;                   /* for want of host memory */
    uint64_t before[SAMPLES];    /* what the counters said at `from` */
};

/* t begins. False: no host memory. */
bool sampling_begin(struct run *run, struct timing_dispatch *t);
/* Ends the intervals of all dispatches that end by cycle `now`; cycles before `now` have been simulated. */
void sampling_reach(struct run *run, cycle_t now);
/* t ends in cycle `end`, and its waves are charged up to then: the last interval, and the samples are the result's.
 * False: no host memory. */
bool sampling_end(struct run *run, struct timing_dispatch *t, cycle_t end);
void sampling_free(struct timing_dispatch *t);

#endif
