/* The program's threads: as far as simulated time depends on them, and which signals they wait for.
 *
 * On the timing engine it moves only while nobody is
 * about to submit anything, so that what a kernel meets on the device does not depend on the host's scheduler.
 *
 * A thread is about to submit when it can run and has used less than HOSTS_CPU_NS of processor time since its last call
 * into the runtime (loads and waits of signals aside, which submit nothing), or since it was last seen asleep. It is
 * not while it sleeps: on a signal whose condition does not hold, in the runtime elsewhere with nothing new for it, or
 * outside. So a thread that waits for memory which a kernel changes, or computes for long, holds time up for a moment
 * only; how long in real time does not matter, because a loaded machine gives it its processor time later.
 *
 * The runtime's own threads that call the program (handlers) or submit for it (copies) count like the program's. Those
 * of devices do not: their name is HOSTS_DEVICE_THREAD, which the threads that they start inherit.
 */
#ifndef GCNSIM_HSA_HOST_THREADS_H
#define GCNSIM_HSA_HOST_THREADS_H

#include <sys/types.h>

#include "sim/hsa/core/condition.h"

#define HOSTS_CPU_NS        1000000
#define HOSTS_DEVICE_THREAD "gcnsim-gpu"

/* Threads are followed from now on: a device of the timing engine has been opened. */
void hosts_follow(void);

/* This thread has called the runtime, and may submit more. Costs a few ns. */
void hosts_called(void);

/* This thread sleeps until *word is no longer `seen`; value: and because the condition on that of a signal does not
 * hold (null: none). */
void hosts_sleep(const uint32_t *word, uint32_t seen, const volatile hsa_signal_value_t *value,
                 hsa_signal_condition_t c, hsa_signal_value_t compare);
void hosts_woken(void);

/* This thread sleeps for a moment in the middle of its work. */
void hosts_pause(bool pauses);

/* Whether no thread is about to submit anything. Any thread, one at a time. */
bool hosts_are_quiet(void);

#define HOSTS_SIGNALS 16 /* of a wait that are kept */

/* A thread that waits: until all conditions hold, or one of them. */
struct host_wait {
    pid_t tid;
    bool all;
    uint32_t count; /* of the conditions; that many or HOSTS_SIGNALS are there */
    struct signal_condition on[HOSTS_SIGNALS];
};

/* This thread waits for signals until hosts_waited(), on either engine. Not in the child of a fork, for which the list
 * may be locked for good. */
void hosts_waits(const struct wait_list *l, bool all);
void hosts_waited(void);
/* Calls fn for each thread that waits, and still lives. None begins to wait meanwhile. */
void hosts_each_wait(void (*fn)(const struct host_wait *w, void *ctx), void *ctx);

#endif
