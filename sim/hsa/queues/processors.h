/* Command processors, of which a process has one (queue.h).
 *
 * That of the functional engine has a thread for each queue, with a simulator of its own.
 *
 * That of the timing engine has a thread for each device, on which one run of the engine holds the waves of
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
#ifndef GCNSIM_HSA_PROCESSORS_H
#define GCNSIM_HSA_PROCESSORS_H

#include "sim/hsa/queues/queue.h"

extern const struct command_processor functional_processor, timing_processor;

#endif
