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
 * Compute units that share a scalar or instruction cache or a GL1 form a set; a shader engine has whole sets, of which
 * some have fewer compute units where the number does not come out even. Compute units are numbered as if all sets
 * were full, and sets are dealt to the engines in turn, so that the caches of compute unit n are those of set
 * n / dispatcher_share(); numbers without a compute unit get no workgroup.
 *
 * Left out: fragmentation (registers are counted, not allocated by address) and the command processor's own time.
 */
#ifndef GCNSIM_ENGINE_TIMING_DISPATCH_H
#define GCNSIM_ENGINE_TIMING_DISPATCH_H

#include "sim/engine/timing/cu/cu.h"

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
    uint64_t next_group; /* the next one of its own */
    cycle_t reached_at;  /* when it has gone through the grid as far as that */
    uint32_t turn;       /* of its shader engines: die, die + dies ... */
    bool nothing_fits;   /* and nothing has been released since that was found */
};

struct dispatcher {
    struct cu_context *x;
    struct arena *arena;
    struct cu *cu;
    uint32_t cu_count;
    struct dispatch_engine *engine;
    struct dispatch_die *die;
    uint32_t engine_count, die_count;
    uint64_t started, stamp;
    bool no_memory;
};

/* Numbers of CUs (WGPs on RDNA) worth simulating for so many workgroups: the chip's, or fewer when some would stay
 * empty. */
uint32_t dispatcher_cus(const struct profile *p, uint64_t groups);
/* How many of them share a scalar or instruction cache, or a GL1. */
uint32_t dispatcher_share(const struct profile *p);
/* Whether the chip has a CU (WGP) of this number. */
bool dispatcher_has_cu(const struct profile *p, uint32_t cu);

int dispatcher_init(struct dispatcher *d, struct cu_context *x, struct cu *cu, uint32_t cu_count, struct arena *arena,
                    struct err *e);
/* Launches what may be launched in cycle `now`; returns the next cycle with work (never: waits for a CU). */
cycle_t dispatcher_tick(struct dispatcher *d, cycle_t now);
static inline void dispatcher_look_again(struct dispatcher *d)
{
    for (uint32_t n = 0; n < d->die_count; n++)
        d->die[n].nothing_fits = false;
}
/* A CU has released something: looking again pays where releases take no time. */
static inline void dispatcher_freed(struct dispatcher *d)
{
    if (!d->x->profile->frontend.wave_release_cycles)
        dispatcher_look_again(d);
}
static inline bool dispatcher_is_idle(const struct dispatcher *d)
{
    return d->started == d->x->launch->workgroup_count;
}

#endif
