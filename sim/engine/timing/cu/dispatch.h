/* A dispatch as a group of CUs knows it: what its waves need of the launch, and what they count.
 *
 * Waves of several dispatches may be resident at once. Each wave and workgroup points to the cu_dispatch of its group
 * of CUs; only the thread that runs the group writes there. Hardware state is in struct cu and struct
 * cu_context instead.
 */
#ifndef GCNSIM_ENGINE_CU_DISPATCH_H
#define GCNSIM_ENGINE_CU_DISPATCH_H

#include "mem/lds/lds.h"
#include "sim/engine/timing/cu/inst_info.h"
#include "sim/engine/timing/cu/stall.h"
#include "sim/engine/timing/cu/units.h"

struct cu_context;
struct cu_wave;
struct timing_dispatch; /* clock/dispatcher.h */

/* VGPRs of a SIMD in the unit in which they are shared out: those of 32 lanes where a SIMD has waves of 32. */
static inline uint32_t timing_vgprs(const struct profile_cu *p)
{
    return p->vgprs_per_simd_w32 ? p->vgprs_per_simd_w32 : p->vgprs_per_simd_w64;
}

struct cu_dispatch {
    _Alignas(64) const struct launch *launch;
    struct timing_table *table;
    struct cu_context *x;       /* the group's */
    struct timing_dispatch *of; /* the whole of it */
    struct isa_env env;
    struct lds_config lds;
    uint32_t valu_issue_cycles;                 /* of a wave of this kernel */
    uint16_t event_tag;                         /* engine_options.event_tag */
    const struct engine_store_observer *stores; /* engine_options.stores */
    bool narrow;                                /* its waves have 32 lanes */
    uint32_t lanes_of_wave;                     /* as a number, */
    uint64_t all_lanes;                         /* and as EXEC */
    uint32_t vgprs; /* that a wave is allocated, in units of profile_cu's (timing_vgprs()) */
    /* No other dispatch is in flight: the run ends with the first thing that stops this one. Otherwise its waves end,
     * and those of others go on. */
    bool alone;
    bool inst_stalls; /* engine_options: its instructions have stall cycles of their own, */
    bool per_inst;    /* and all other counts */
    uint64_t budget;  /* wave-instructions that may still be run */
    uint64_t groups_done;
    cycle_t done_at;                   /* the last of these */
    uint64_t *touched;                 /* CUs of the group (parts) that have run a wave, a bit each */
    const struct timing_info *watched; /* a branch back, or null: */
    uint64_t iterations;               /* how often it has been taken since, */
    uint64_t iterated_at;              /* and the sum of the cycles, on the device's clock, in which it was */

    /* the first thing that has stopped it, unless it is alone */
    bool stopped, spent;
    cycle_t stopped_at;
    enum isa_status fault_status;
    const struct cu_wave *fault_wave;

    /* counts */
    struct engine_overruns overruns;
    uint64_t stall[STALL_COUNT];
    uint64_t resident_cycles;
    uint64_t instructions, by_kind[OPK_COUNT], tally[TIMING_TALLIES];
    uint64_t port_cycles[PORT_COUNT], issue_cycles;
    uint64_t lanes;                    /* active in VALU instructions, matrix ones aside */
    uint64_t lane_cycles, valu_cycles; /* of the VALU, handovers of units beside it included */
    uint64_t ops[2][OP_TYPE_COUNT];    /* of the VALU, of the matrix unit */
    uint64_t more_lookups;             /* of vL0's tags, beyond one of each line */
    uint64_t address_cycles, lds_port_cycles, lds_active_cycles, lds_bytes;
    uint64_t waves_done;
    uint64_t items, launched[5]; /* waves with 1..15, 16..31, 32..47, 48..63, 64 active lanes at their start */
    uint64_t lds_accesses, lds_conflict_cycles, lds_addr_conflict_cycles;
};

/* Lanes of an EXEC of its waves; nearly always all are active. */
static inline uint32_t cu_count_lanes(const struct cu_dispatch *d, uint64_t exec)
{
    return __builtin_expect(exec == d->all_lanes, 1) ? d->lanes_of_wave : bits_count(exec & d->all_lanes);
}

#endif
