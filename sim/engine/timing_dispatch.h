/* The dispatcher: workgroups over shader engines, compute units and SIMDs, as resources allow.
 *
 * Workgroups start in order. Each shader engine sets up one workgroup at a time, a wave every
 * frontend.wave_launch_interval_cycles; engines take turns, and so do the CUs of an engine. A workgroup goes to a CU
 * (to one part of it unless the kernel runs in WGP mode) when all of its waves fit: wave slots, vector, accumulation
 * and scalar registers, LDS, a barrier slot when it has more than one wave, and scratch slots. Its waves go to the
 * SIMD with the fewest waves that has room.
 *
 * Coarse: registers are counted, not placed, so nothing fragments; the command processor's own time is left out.
 */
#ifndef GCNSIM_ENGINE_TIMING_DISPATCH_H
#define GCNSIM_ENGINE_TIMING_DISPATCH_H

#include "sim/engine/cu.h"

struct dispatch_engine {
    struct cu *cu; /* that takes the group now being launched; null: none */
    struct cu_group *group;
    uint32_t next_wave, waves, turn;
    uint8_t simd[64]; /* of each wave */
    uint32_t scratch[64];
    uint32_t *cus, cu_count; /* that it serves */
    cycle_t free_at;
};

struct dispatcher {
    struct cu_context *x;
    struct arena *arena;
    struct cu *cu;
    uint32_t cu_count;
    struct dispatch_engine *engine;
    uint32_t engine_count, turn;
    uint64_t next_group, stamp;
    bool no_room; /* nothing has been freed since the last vain search */
    bool no_memory;
};

/* CUs (WGPs on RDNA) worth simulating for so many workgroups: the chip's, or fewer when some would stay empty. */
uint32_t dispatcher_cus(const struct profile *p, uint64_t groups);
/* How many of them share a scalar or instruction cache, or a GL1. */
uint32_t dispatcher_share(const struct profile *p);

int dispatcher_init(struct dispatcher *d, struct cu_context *x, struct cu *cu, uint32_t cu_count, struct arena *arena,
                    struct err *e);
/* Launches what may be launched in cycle `now`; returns the next cycle with work (never: waits for a CU). */
cycle_t dispatcher_tick(struct dispatcher *d, cycle_t now);
/* A CU has freed something: it is worth looking again. */
static inline void dispatcher_freed(struct dispatcher *d)
{
    d->no_room = false;
}
static inline bool dispatcher_is_idle(const struct dispatcher *d)
{
    return d->next_group == d->x->launch->workgroup_count;
}

#endif
