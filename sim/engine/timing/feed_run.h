/* What a run (clock/run.h) asks of the feed that brings it dispatches. */
#ifndef GCNSIM_ENGINE_TIMING_FEED_RUN_H
#define GCNSIM_ENGINE_TIMING_FEED_RUN_H

#include "sim/engine/feed.h"
#include "sim/engine/timing/chip.h"

struct run;
struct timing_dispatch;

/* Whether more than one dispatch may come. */
bool engine_feeding_goes_on(const struct engine_feeding *s);

/* The next cycle in which something is to be reported, asked or begun; CYCLE_NEVER: none is known. */
cycle_t engine_feeding_due(const struct engine_feeding *s);

/* Whether a dispatch is to begin or to end in a cycle that is known, whatever else is asked. */
bool engine_feeding_has_plans(const struct engine_feeding *s);

/* Cycles before `now` have been simulated: reports and asks what is due, and puts dispatches in flight that begin in
 * the epoch. */
void engine_feeding_serve(struct engine_feeding *s, struct run *run, cycle_t now, bool idle);

/* The last wave of a dispatch has left while others are in flight; its result is made, but for its release. */
void engine_feeding_left(struct engine_feeding *s, const struct run *run, const struct timing_dispatch *t);

/* device.c: a run on a device, from `first` on until nothing is in flight; *last is the dispatch that ended last,
 * *rested the cycle in which everything else has come to its end. */
struct timing_period {
    struct timing_order last;
    cycle_t end, rested; /* of the last dispatch; when memory has nothing left in flight */
    bool reset;          /* the device is cold, because the last one did not run to its end */
};
int timing_device_run(struct engine_device *d, const struct timing_order *first, const struct timing_script *script,
                      uint32_t longest_epoch, struct engine_feeding *feed, struct timing_period *out, struct err *e);
/* The first cycle in which a launch may begin; a device that is another chip is cold then, and its clock at 0. */
cycle_t timing_device_ready(struct engine_device *d, const struct launch *l, const struct engine_options *o);
/* Where the clock stands. */
cycle_t timing_device_rested(const struct engine_device *d); /* as far as its memory is concerned */
cycle_t timing_device_now(const struct engine_device *d);
/* The clock is no earlier than that. */
void timing_device_reach(struct engine_device *d, cycle_t now);
/* A device for a single launch, with no more CUs than that needs; null: no host memory. */
struct engine_device *timing_device_for_one(void);
/* A dispatch, the last wave of which has left in cycle `end`, has completed: what it cost beside its cycles is put into
 * its result; returns the cycle of its completion, to which the clock moves. */
cycle_t timing_device_complete(struct engine_device *d, const struct timing_order *o, cycle_t end);

#endif
