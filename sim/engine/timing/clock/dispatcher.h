/* The dispatcher of workgroups over shader engines, compute units and SIMDs, as resources allow.
 *
 * Each die has a dispatcher of its own, which goes through the whole grid in order, a workgroup every
 * frontend.workgroup_interval_cycles, and starts those that are its: with D dies every D-th, as workgroups go to dies
 * in turn. It waits with one that fits on none of its CUs. Each shader engine launches one workgroup at a time, a wave
 * every frontend.wave_launch_interval_cycles; the shader engines of a die take turns. Within a shader engine its CUs
 * take turns: where WGPs hold two, first one CU of each WGP, then the other (SQ thread traces of gfx1100 and gfx1201).
 * A kernel in WGP mode takes whole WGPs. A workgroup is launched on a CU when all of its waves fit: wave slots, vector,
 * accumulation and scalar registers, LDS, a barrier slot when it has more than one wave, and scratch slots. Each of its
 * waves goes to the SIMD with the fewest waves among those with free resources.
 *
 * Resources that a wave releases can be allocated again frontend.wave_release_cycles later; LDS and the barrier slot of
 * a workgroup are released with its last wave. On gfx11 and later a message releases vector registers before the end.
 *
 * Several dispatches may have workgroups to start (docs/adr/0017-overlap.md). A shader engine that is free takes one of
 * the oldest dispatch, and of the next one when none of that fits on its CUs, and so on; a die still starts one
 * workgroup every frontend.workgroup_interval_cycles. So a younger dispatch gets what an older one leaves.
 *
 * Left out: fragmentation (registers are counted, not allocated by address) and the command processor's own time.
 */
#ifndef GCNSIM_ENGINE_TIMING_DISPATCH_H
#define GCNSIM_ENGINE_TIMING_DISPATCH_H

#include "sim/engine/loops.h"
#include "sim/engine/sampling/part.h"
#include "sim/engine/timing/clock/dispatcher_layout.h"
#include "sim/engine/timing/cu/cu.h"
#include "sim/engine/timing/cu/inst_table.h"

struct dispatch_engine {
    struct cu *cu; /* where the current workgroup is launched; null: none is */
    struct cu_group *group;
    uint32_t next_wave, waves, turn;
    uint8_t simd[64]; /* of each wave of it */
    uint32_t scratch[64];
    uint32_t *cus, cu_count; /* of the shader engine */
    uint32_t full;           /* the fewest waves of a workgroup that fit on none of them; 0: nothing is known */
    cycle_t free_at;
};

struct dispatch_die {
    cycle_t reached_at; /* when it has gone through a grid as far as its next workgroup */
    uint32_t turn;      /* of its shader engines: die, die + dies ... */
};

/* A dispatch on a die. */
struct dispatch_grid {
    uint64_t next_group; /* the next one of the die's own */
    cycle_t reached_at;  /* no earlier than this */
    bool nothing_fits;   /* and nothing has been released since that was found */
};

/* A dispatch in flight: what the whole chip shares of it, while cu/dispatch.h has what a group of CUs does. */
struct timing_dispatch {
    struct timing_dispatch *next; /* younger */
    const struct launch *launch;
    const struct engine_options *options;
    struct engine_result *r;
    void *from; /* the feed's entry (feed.h); null without a feed */
    struct arena arena;
    struct timing_table table;
    struct cu_dispatch *part;   /* by group of CUs, */
    uint32_t parts;             /* of which the first so many are set up */
    struct dispatch_grid *grid; /* by die */
    uint32_t *scratch;          /* free scratch slots, a stack */
    uint32_t scratch_free;
    cycle_t start, last; /* the first cycle, the last that max_cycles allows */
    cycle_t end;         /* in which its last wave left */
    uint64_t groups;     /* that it starts: the launch's but for those that leaps leave out */
    uint64_t started, groups_done;
    uint64_t leap_from, leap_to; /* the last leap: workgroups from the one on and before the other; both 0: none yet */
    struct engine_look look;     /* when its caller looks at it next (leap.c), and whether it starts none until then */
    uint64_t budget;             /* wave-instructions left; UINT64_MAX: no limit */
    double next_progress;
    struct engine_loops loops;        /* for reports of progress */
    bool stopping;                    /* its waves have been ended, and no more are started; its result is made */
    struct timing_sampling *sampling; /* null: nobody wants samples */
    uint64_t cus_before[3];           /* what count_cus() of flight.c said when it began */
    struct timing_before *before;     /* what memory had counted when it began; null: nothing */
};

struct dispatcher {
    struct cu_context *x;
    struct arena *arena;
    struct cu *cu;
    uint32_t cu_count;
    struct dispatch_engine *engine;
    struct dispatch_die *die;
    uint32_t engine_count, die_count;
    uint64_t stamp;
    struct timing_dispatch *oldest;        /* of those in flight */
    const struct timing_dispatch *full_of; /* that cu.full and dispatch_engine.full are about */
    bool no_memory;
};

bool dispatcher_init(struct dispatcher *d, struct cu_context *x, struct cu *cu, uint32_t cu_count, uint32_t most_cus,
                     struct arena *arena);
/* It has CUs up to cu_count, no more than most_cus, from now on. */
void dispatcher_extend(struct dispatcher *d, uint32_t cu_count);
/* Adds the youngest dispatch, whose launch and start are filled in; it begins at start. ERR_USAGE when a workgroup of
 * it does not fit on an empty CU. */
int dispatcher_add(struct dispatcher *d, struct timing_dispatch *t, struct err *e);
/* Takes out one none of whose waves is resident. */
void dispatcher_remove(struct dispatcher *d, struct timing_dispatch *t);
/* Leaves out `count` workgroups of a dispatch from number `from` on, above which none has started: a multiple of the
 * dies. The last leap is over on all of them. */
void dispatcher_leap(struct dispatcher *d, struct timing_dispatch *t, uint64_t from, uint64_t count);
/* Launches what may be launched in cycle `now`; returns the next cycle with work (never: waits for a CU). */
cycle_t dispatcher_tick(struct dispatcher *d, cycle_t now);
static inline void dispatcher_look_again(struct dispatcher *d)
{
    for (struct timing_dispatch *t = d->oldest; t; t = t->next)
        for (uint32_t n = 0; n < d->die_count; n++)
            t->grid[n].nothing_fits = false;
}
/* A CU has released something: looking again pays where releases take no time. */
static inline void dispatcher_freed(struct dispatcher *d)
{
    if (!d->x->profile->frontend.wave_release_cycles)
        dispatcher_look_again(d);
}
/* Whether a dispatch has workgroups that have not been started. */
static inline bool timing_dispatch_has_groups(const struct timing_dispatch *t)
{
    return !t->stopping && t->started != t->groups;
}
static inline bool dispatcher_is_idle(const struct dispatcher *d)
{
    for (const struct timing_dispatch *t = d->oldest; t; t = t->next)
        if (timing_dispatch_has_groups(t))
            return false;
    return true;
}

#endif
