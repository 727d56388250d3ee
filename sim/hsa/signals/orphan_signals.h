/* Signals that kernels ring and nobody hears: what a program hangs on whose kernels ask the host for something.
 *
 * A kernel that prints or allocates memory (hostcall) puts a packet into a buffer of the language runtime, adds to a
 * signal, sends an interrupt and polls the packet until a thread of the runtime has answered. When no thread waits on
 * that signal, or looks at it, both wait for ever, on hardware, too.
 *
 * The first kernel that sends an interrupt starts a thread. Once a second it looks at all signals, as long as a
 * dispatch runs that has sent one; a signal that such a look finds unheard (a kernel has rung it, its value is not the
 * one that the host saw last, and no thread waits on it) ORPHAN_LOOKS times in a row is reported, once. Signals of
 * which the program has taken the value's address, and those of other processes, count as heard: a thread may look
 * there unseen.
 */
#ifndef GCNSIM_HSA_ORPHAN_SIGNALS_H
#define GCNSIM_HSA_ORPHAN_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#define ORPHAN_LOOKS 5

/* A dispatch, as far as it is of interest here; part of one. All 0 at first. */
struct ringer {
    struct ringer *next;
    uint64_t dispatch;
    const char *kernel;
    bool rings; /* it has sent an interrupt */
};

/* A wave of the dispatch, of that number and kernel, has sent an interrupt. It stays where it is until
 * orphan_signals_end(). */
void orphan_signals_message(struct ringer *r, uint64_t dispatch, const char *kernel);
/* The dispatch has ended, whether it has sent one or not. */
void orphan_signals_end(struct ringer *r);
/* The process ends: reports what has been unheard for two looks, and not been reported. */
void orphan_signals_tell(void);

#endif
