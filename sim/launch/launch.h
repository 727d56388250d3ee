/* A launch: one kernel over one grid, ready to run. Engines are given it and make waves from it.
 *
 * launch_prepare() (dispatch.h) fills a struct launch from a kernel and a dispatch. It is constant while it runs, so
 * any number of threads may share it. It borrows everything it points to.
 *
 * Workgroups are numbered x fastest: group = (z * workgroups[1] + y) * workgroups[0] + x; where they form clusters,
 * those of a cluster one after the other, and the clusters, x fastest. A partial workgroup (the grid is not a multiple
 * of the workgroup size) has only the waves it needs.
 */
#ifndef GCNSIM_LAUNCH_LAUNCH_H
#define GCNSIM_LAUNCH_LAUNCH_H

#include "config/profile.h"
#include "isa/isa.h"
#include "mem/space.h"

struct launch_state; /* state.h: initial values of registers; private to sim/launch */

/* How many waves of a kernel can be resident, and the registers and LDS that one wave or workgroup is allocated. */
struct launch_occupancy {
    uint32_t waves_per_group;    /* of a full workgroup */
    uint32_t waves_per_simd;     /* the most that whole workgroups allow; `limiter` says why not more */
    uint32_t groups_per_cu;      /* per CU; per WGP when cu.lds_per_wgp and the kernel runs in WGP mode (wgp_mode) */
    uint32_t vgpr_alloc;         /* VGPRs of a wave in granules; in a unified register file with its AccVGPRs */
    uint32_t agpr_alloc;         /* AccVGPRs of a wave in granules of a separate file; 0 when unified or none */
    uint32_t sgpr_alloc;         /* of cu.sgprs_per_simd, in granules */
    uint32_t lds_alloc_bytes;    /* of a workgroup, in granules */
    uint32_t max_waves_by_vgprs; /* per SIMD, were VGPRs the only limit */
    uint32_t max_waves_by_sgprs;
    const char *limiter; /* "wave_slots", "vgprs", "sgprs", "lds", "barriers", "workgroup_size" */
};

struct launch {
    const struct isa_target *target;
    struct isa_program *program;
    const struct profile *profile; /* null: none (functional engine alone) */
    const struct mem_space *space;
    const struct launch_state *state;

    uint32_t workgroups[3];
    uint64_t workgroup_count;
    uint32_t workgroup_size[3]; /* work-items */
    uint32_t lanes;             /* of a wave: 32 or 64 */
    uint32_t waves_per_group;   /* of a full workgroup */
    uint64_t wave_count;        /* of the whole dispatch; partial workgroups have fewer */

    /* Registers of a wave. Where VGPRs and AGPRs are one file nvgprs is ACCUM_OFFSET, and AGPRs are VGPRs, too. */
    uint32_t nvgprs, nagprs, nsgprs;
    uint32_t lds_bytes;                /* of a workgroup: static and dynamic LDS in granules; 0: none */
    gaddr_t entry;                     /* pc at which waves start */
    gaddr_t code_lo, code_hi;          /* what was loaded with it; both 0: the allocation that holds the entry */
    uint32_t prefetch_bytes;           /* of code from the entry on, that hardware prefetches (gfx11+) */
    bool wgp_mode;                     /* RDNA: a workgroup may run on both CUs of a WGP */
    struct launch_occupancy occupancy; /* valid when profile is not null */

    /* Scratch slots, one for each resident wave: a workgroup needs waves_per_group of them while it runs. UINT32_MAX:
     * the kernel uses no scratch. An engine passes slot numbers < scratch_slots to launch_init_wave(), and the same
     * number never to two resident waves. */
    uint32_t scratch_slots;

    struct isa_gws *gws; /* of the device; null: none */

    /* Workgroups of a cluster in each dimension, of which `workgroups` are multiples, and the clusters' barriers; null:
     * there are no clusters of more than one. An engine begins with launch_begin_clusters(). */
    uint32_t cluster[3];
    struct isa_cluster *clusters;

    gaddr_t shared_aperture, private_aperture; /* of flat addresses; launch_init_wave() copies them to the wave */

    /* Asked, from any thread, for addresses that `space` does not hold: memory that has come since. May be null. */
    bool (*more)(void *ctx, gaddr_t addr, struct isa_range *out);
    /* Asked likewise about accesses that no range holds to their last byte: memory in whole pages, as hardware checks
     * it. May be null. */
    bool (*slack)(void *ctx, gaddr_t addr, struct isa_range *out);
    void *more_ctx; /* of both */
};

/* Dwords of vector registers of a wave: (nvgprs + nagprs) * lanes. Register rows are 64-byte aligned. */
static inline size_t launch_wave_dwords(const struct launch *l)
{
    return ((size_t)l->nvgprs + l->nagprs) * l->lanes;
}

/* Bytes of host memory for the LDS of a workgroup: a multiple of 64, at least 64. */
static inline size_t launch_lds_bytes(const struct launch *l)
{
    return l->lds_bytes ? ((size_t)l->lds_bytes + 63) / 64 * 64 : 64;
}

/* A workgroup as its waves begin in it; the last one in a dimension may be partial. */
struct launch_group {
    uint32_t id[3], size[3], items; /* size: in work-items */
    unsigned waves;                 /* waves_per_group, fewer for a partial one */
    uint64_t cluster;               /* its number, where there are clusters; */
    uint32_t cluster_id[3];         /* id[] in clusters */
    uint32_t place[3], flat_place;  /* in its cluster */
};
void launch_open_group(const struct launch *l, uint64_t group, struct launch_group *g);

/* The number of the workgroup with these ids. */
uint64_t launch_group_number(const struct launch *l, const uint32_t id[3]);

/* A run begins: no workgroup has come to a barrier of its cluster. */
void launch_begin_clusters(const struct launch *l);

/* Its waves alone. */
unsigned launch_group_waves(const struct launch *l, uint64_t group);

/* What all waves of a launch have in common when they begin, with registers at v as launch_place_wave() has them. */
void launch_wave_image(const struct launch *l, uint32_t *v, struct isa_wave *w);

/* Makes *w, which is a copy of the image, wave number `wave` of g, ready to run: registers, EXEC, scratch, LDS.
 * v: launch_wave_dwords() words, 64-byte aligned; cleared here. lds: launch_lds_bytes(), shared by the waves of the
 * workgroup; cleared here when wave == 0, so that runs are repeatable. w->owner is left null for the engine. */
void launch_place_wave(const struct launch *l, const struct launch_group *g, unsigned wave, uint32_t scratch_slot,
                       uint32_t *v, uint8_t *lds, struct isa_wave *w);

/* All of it, for one wave of workgroup `group`. */
void launch_init_wave(const struct launch *l, uint64_t group, unsigned wave, uint32_t scratch_slot, uint32_t *v,
                      uint8_t *lds, struct isa_wave *w);

/* The allocation of l->space that holds addr, for the engines' isa_env.find; false: none does. */
bool launch_find(const struct launch *l, gaddr_t addr, struct isa_range *out);

/* The same without what has come since: good until the launch ends. */
bool launch_find_lasting(const struct launch *l, gaddr_t addr, struct isa_range *out);

#endif
