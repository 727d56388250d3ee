/* Some of a launch's workgroups.
 *
 * The functional engine can run workgroups of neighbouring numbers alone (struct engine_part). The timing engine can
 * leave such a range out while it runs (struct engine_leaps): its dispatcher goes on after it, everything that is
 * resident or in flight stays, and so does the clock. Workgroups that the one leaves out and the other runs leave in
 * memory what the launch does, unless they wait for one another in ways that sampled.h describes.
 *
 * And some of the iterations of a loop: waves that are resident go through it without time (engine_resident_advance()),
 * and then on in time from where they stood.
 */
#ifndef GCNSIM_ENGINE_PART_H
#define GCNSIM_ENGINE_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "isa/isa.h"

/* For a run of the functional engine. */
struct engine_part {
    uint64_t first, behind; /* workgroups from `first` on and before `behind` */
    uint32_t first_slot;    /* of scratch memory, in waves: those below are others' */
};

struct engine_result;   /* sim/engine/engine.h */
struct engine_resident; /* the waves of a dispatch, between two epochs */

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
    uint64_t groups_done;
    uint64_t waves;                   /* resident, or to be launched */
    uint64_t iterations;              /* of the loop that is watched, by all waves, since engine_resident_watch(), */
    uint64_t iterated_at;             /* and the sum of the cycles in which they ended */
    double spread;                    /* in marks of iterations.c: engine_resident_spread() */
    struct engine_resident *resident; /* valid until `at` returns */
};

/* When the caller looks next: at the end of the epoch in which so many workgroups have started, or in which the run has
 * come to that cycle, whichever is first. */
struct engine_look {
    uint64_t started, cycles; /* UINT64_MAX: never */
    bool hold;                /* until then no workgroup after the last leap starts */
};

struct engine_leaps {
    void (*begin)(void *ctx); /* the run begins, on a device that counts from now on (engine_device_lines()) */
    struct engine_look look;  /* the first one */
    /* Says when the next look is in *next, and how many workgroups from mark->next on are left out: a multiple of the
     * dies, and 0 unless mark->may_leap. ENGINE_LEAP_STOP: the run ends as if it had been interrupted. What it receives
     * depends neither on host threads nor on how time jumps. Between two calls nothing touches memory or caches. */
    uint64_t (*at)(void *ctx, const struct engine_mark *mark, struct engine_look *next);
    /* The run's result has been made: makes the launch's of it. Returns how many cycles the launch takes beyond those
     * of the run; the device's clock moves on by as many. */
    uint64_t (*over)(void *ctx);
    void *ctx;
};
#define ENGINE_LEAP_STOP UINT64_MAX

/* A loop: its first instruction, and the branch that leads back there. */
struct engine_span {
    gaddr_t head, back; /* both 0: none */
};

/* The smallest loop that all resident waves are in, by the branches back that have been taken. False: there is none. */
bool engine_resident_loop(struct engine_resident *r, struct engine_span *loop);
/* Whether waves may go through it without time: no instruction of it ends the wave, calls, sleeps, sends a message,
 * reads a clock, or lets workgroups talk to one another. */
bool engine_resident_may_advance(struct engine_resident *r, const struct engine_span *loop);
/* Counts its iterations from now on: engine_mark.iterations. */
void engine_resident_watch(struct engine_resident *r, const struct engine_span *loop);

/* How far waves are from one another in it: the standard deviation, in iterations, of how far each has come since it is
 * watched. */
double engine_resident_spread(struct engine_resident *r, const struct engine_span *loop);

/* Runs instructions of a wave of workgroup `id`, as isa_run(); *done and tally as there. */
struct engine_runner {
    void *ctx;
    enum isa_status (*run)(void *ctx, uint64_t id, struct isa_wave *w, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *tally);
};

struct engine_advanced {
    uint64_t rounds;     /* that all waves have gone through */
    uint64_t iterations; /* of all waves */
    bool left;           /* the last round was not whole */
};

/* Each resident wave goes through the loop up to `most` times, and comes to the instruction where it stood. Waves of a
 * workgroup run one after the other from barrier to barrier. When a wave leaves the loop, or cannot go on, that
 * iteration is the last one for all. *out: the instructions executed; one that faults is not among them, and faults
 * in time. False: out of host memory. */
bool engine_resident_advance(struct engine_resident *r, const struct engine_span *loop, uint64_t most,
                             const struct engine_runner *by, struct engine_advanced *done, struct engine_result *out);

#endif
