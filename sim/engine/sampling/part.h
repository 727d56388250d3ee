/* Some of a launch's workgroups.
 *
 * The functional engine can run workgroups of neighbouring numbers alone (struct engine_part). The timing engine can
 * leave such a range out while it runs (struct engine_leaps): its dispatcher goes on after it, everything that is
 * resident or in flight stays, and so does the clock. Workgroups that the one leaves out and the other runs leave in
 * memory what the launch does, unless they wait for one another in ways that sampled.h describes.
 */
#ifndef GCNSIM_ENGINE_PART_H
#define GCNSIM_ENGINE_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/util/vocab.h"

/* For a run of the functional engine. */
struct engine_part {
    uint64_t first, behind; /* workgroups from `first` on and before `behind` */
    uint32_t first_slot;    /* of scratch memory, in waves: those below are others' */
};

/* What a run of the timing engine has come to when its caller looks, at the end of an epoch. */
struct engine_mark {
    uint64_t cycles;       /* since it began */
    uint64_t started;      /* workgroups */
    uint64_t next;         /* workgroups below this one have started, or will before any other; none above has */
    uint64_t instructions; /* wave-instructions issued */
    uint64_t lowest;       /* of the workgroups below the last leap one that has not ended; UINT64_MAX: all have */
    bool may_leap;         /* all dies are past the last leap */
    bool communicates;     /* waves have come to instructions by which workgroups can talk: atomics, accesses and
                            * cache control of a scope that is wider than a workgroup's */
};

/* When the caller looks next: at the end of the epoch in which so many workgroups have started, or in which the run has
 * come to that cycle, whichever is first. */
struct engine_look {
    uint64_t started, cycles; /* UINT64_MAX: never */
    bool hold;                /* until then no workgroup after the last leap starts */
};

struct engine_leaps {
    struct engine_look look; /* the first one */
    /* Says when the next look is in *next, and how many workgroups from mark->next on are left out: a multiple of the
     * dies, and 0 unless mark->may_leap. ENGINE_LEAP_STOP: the run ends as if it had been interrupted. What it receives
     * depends neither on host threads nor on how time jumps. Between two calls nothing touches memory or caches. */
    uint64_t (*at)(void *ctx, const struct engine_mark *mark, struct engine_look *next);
    void *ctx;
};
#define ENGINE_LEAP_STOP UINT64_MAX

#endif
