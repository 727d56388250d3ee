/* Barriers of a workgroup: its own, and the named ones of targets that signal and wait apart (SPLIT_BARRIER).
 *
 * A barrier counts signals; when there are as many as members it is complete, the count starts again and every member
 * may pass one wait. s_barrier is a signal and a wait in one. The engine owns the state, one for the waves of a
 * workgroup, which one thread runs in turn; it looks at isa_barrier_open() when a wave has returned ISA_BARRIER, and
 * takes isa_barrier_pass() before the wave goes on. The barriers that an instruction completed are in
 * isa_effects.barriers.
 *
 * A workgroup of one wave has no barrier in hardware: its queries answer so, while signals and waits go on being
 * counted, which such a wave cannot tell from nothing. (RDNA4 ISA, pseudocode of S_BARRIER_SIGNAL,
 * S_BARRIER_SIGNAL_ISFIRST, S_BARRIER_WAIT, S_GET_BARRIER_STATE; of the named barriers' other instructions the manual
 * has no pseudocode: docs/SEMANTICS_NOTES.md.)
 */
#ifndef GCNSIM_ISA_BARRIER_H
#define GCNSIM_ISA_BARRIER_H

#include "isa/wave.h"

enum {
    ISA_BARRIERS = 32,      /* 0: the workgroup's; others by their number, which is that of M0[4:0] */
    BARRIER_WORKGROUP = -1, /* as instructions number it; 0 is none, -2 that of trap handlers */
    BARRIER_NONE = 0,
    BARRIER_TRAP = -2,
    BARRIER_CLUSTER = -3, /* with CLUSTERS: that of the cluster, and of its trap handlers */
    BARRIER_CLUSTER_TRAP = -4,
};

struct isa_barrier {
    uint8_t signals, members;
    bool valid;
    uint32_t phase; /* times completed */
};

struct isa_barriers {
    struct isa_barrier b[ISA_BARRIERS];
    unsigned waves; /* the workgroup began with */
};

/* A workgroup of `waves` waves is about to start; each gets w->barriers = b after isa_wave_init(). */
void isa_barriers_init(struct isa_barriers *b, unsigned waves);

/* number: -1 or 1 to 31. Returns whether it was the first signal of the phase. */
bool isa_barrier_signal(struct isa_wave *w, int number, struct isa_effects *fx);

/* w returns ISA_BARRIER next; number as above. */
void isa_barrier_wait(struct isa_wave *w, int number);

/* Whether the barrier that w waits for has been completed since it last passed (or joined) it. */
bool isa_barrier_open(const struct isa_wave *w);
void isa_barrier_pass(struct isa_wave *w);

/* A wave ends: nobody waits for it any more. */
void isa_barrier_end(struct isa_wave *w, struct isa_effects *fx);

void isa_barrier_named(struct isa_wave *w, unsigned number, unsigned members); /* s_barrier_init */
void isa_barrier_join(struct isa_wave *w, unsigned number);
bool isa_barrier_leave(struct isa_wave *w, struct isa_effects *fx); /* whether it was the last member to leave */

/* w returns ISA_WAKEUP for those that have joined the named barrier, of 0 for all of its workgroup. */
static inline int isa_wakeup(struct isa_wave *w, unsigned barrier)
{
    w->wakes = (uint8_t)barrier;
    return ISA_WAKEUP;
}

/* Whether `by`, which has returned ISA_WAKEUP, wakes w, another wave of its workgroup that sleeps. */
static inline bool isa_is_woken(const struct isa_wave *w, const struct isa_wave *by)
{
    return !by->wakes || w->barrier_joined == by->wakes;
}

#endif
