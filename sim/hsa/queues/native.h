/* Packets that need no simulator: barriers, and copies and fills of the language runtime (blit.h).
 *
 * The thread that rings for them does them at once, if nobody is at the queue's packets, and on the timing engine if
 * the device is idle: to wake another thread, and to be woken by it, takes ten times as long as a small copy.
 */
#ifndef GCNSIM_HSA_NATIVE_H
#define GCNSIM_HSA_NATIVE_H

#include "sim/hsa/queues/queue.h"

struct dispatch; /* dispatch.h */

/* Does a dispatch that its queue has begun, and ends it and its packet; false: it is to be simulated. */
bool native_run(struct queue *q, struct dispatch *d);

/* A queue has been rung: does what is there, as far as it is of this kind and short. False:
 * its thread is to look. */
bool native_ring(struct queue *q);

#endif
