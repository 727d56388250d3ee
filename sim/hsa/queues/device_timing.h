/* The command processor of a device of the timing engine: one thread, on which one run of the engine holds the waves of
 * all queues' dispatches (gcnsim_run_feed()).
 *
 * Simulated time stands still while the program may be about to submit something (host_threads.h); then all queues are
 * looked at, in the order of their numbers, and what may begin is handed to the engine with the cycle in which it
 * begins. A dispatch that is not to be timed (--kernels, --dispatches), and the host's work for one of the language
 * runtime's own kernels, is done on this thread, while simulated time stands still: a kernel that waits for such a one
 * has to be run by the same engine.
 *
 * Threads: queues are added and removed by any thread. Callbacks of a queue are called on the device's thread, with no
 * lock held and the queue kept until they return.
 */
#ifndef GCNSIM_HSA_DEVICE_TIMING_H
#define GCNSIM_HSA_DEVICE_TIMING_H

#include "sim/hsa/agents/device.h"

/* A device is opened whose dispatches are timed. */
bool device_timing_open(struct device *d);

/* As device_add_queue(), device_remove_queue(). */
bool device_timing_add(struct device *d, struct queue *q);
bool device_timing_remove(struct device *d, struct queue *q);

/* Whether the device has nothing to do but what the queue has: who rings may then do short packets himself (native.h),
 * at the times that the device's thread would give them. */
bool device_timing_is_idle(struct device *d, const struct queue *q);

#endif
