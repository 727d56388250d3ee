/* A run of the timing engine that is fed: dispatches of several queues are in flight on one device at once.
 *
 * The run has one simulated clock, the device's. It asks a feed for dispatches and informs it of their ends; so the
 * feed is the command processor of the device's queues. All calls come on the thread that has called
 * engine_run_timing_feed(), between two cycles, and never at the same time; while one runs, simulated time stands
 * still.
 *
 *   ask    is called in the beginning, when time has come to the cycle that the last call answered, when a dispatch has
 *          ended, when *attention is not 0, and when nothing is left to do. It hands in dispatches with
 *          engine_feed_launch() and answers the cycle in which it is to be called again at the latest
 *          (ENGINE_FEED_NEVER: at the next of the other occasions). idle: no wave can go on before another dispatch
 *          begins. When nothing is in flight, nothing was handed in and the answer is ENGINE_FEED_NEVER, the run ends;
 *          when waves are in flight that can never go on, they learn that they are in a deadlock.
 *   ended  is called when time has come to the end of a dispatch: its last wave is gone, its release is done, and the
 *          cost after a launch (launch.after_ns) has passed. *result is filled.
 *
 * What overlaps. Dispatches share compute units, caches and memory (docs/adr/0017-overlap.md). A dispatch that stops (a
 * fault, a limit, an interruption) while others are in flight loses its waves, and the others go on. With event
 * consumers of its own, with other shared ones, with perfect memory, sampled (sampling/sampled.h), of another profile
 * or another generation of targets, a dispatch has the device for itself: it waits until nothing is in flight, and
 * those after it wait for it. tick_every_cycle and threads are those of the dispatch that found the device idle.
 *
 * Results. Counts of waves (instructions, stalls, LDS, lines by instruction, compute units used) are the dispatch's
 * own. Counts of the device (caches, translations, memory, fabric) are everything that the device did from the first
 * cycle of the dispatch to its last, as a counter of hardware that is read before and after would say. A dispatch that
 * is alone has the cycles and statistics of engine_run_timing().
 *
 * Time and memory order are the same for any number of threads; a program whose feed hands in the same dispatches for
 * the same cycles gets the same results.
 */
#ifndef GCNSIM_ENGINE_FEED_H
#define GCNSIM_ENGINE_FEED_H

#include "sim/engine/engine.h"

#define ENGINE_FEED_NEVER UINT64_MAX

struct engine_feeding;

struct engine_feed {
    void *ctx;
    uint64_t (*ask)(void *ctx, struct engine_feeding *to, uint64_t now, bool idle);
    /* id: what engine_feed_launch() was given. failed: null, or why the dispatch could not be run (*result is then not
     * to be used). now: the cycle of its end, by the device's clock. */
    void (*ended)(void *ctx, void *id, uint64_t now, const struct err *failed);
    const volatile int *attention; /* polled, about every hundred cycles; the feed sets it to 0; may be null */
};

/* To be called from `ask`: a dispatch begins in cycle `start` of the device's clock, or in this one if that is over.
 * Everything is the caller's until `ended`. o->device is ignored. False: no host memory. */
bool engine_feed_launch(struct engine_feeding *to, const struct launch *l, const struct engine_options *o,
                        struct engine_result *result, uint64_t start, void *id);

/* Runs until the feed has nothing more. d: the device; its clock goes on where it stands. Non-zero with *e when the
 * host has no memory; dispatches in flight are then reported as failed. */
int engine_run_timing_feed(struct engine_device *d, const struct engine_feed *f, struct err *e);

#endif
