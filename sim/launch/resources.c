/* Occupancy: the registers, LDS and wave slots that a wave and a workgroup need, and how many can be resident. */
#include "sim/launch/state.h"

#include <stdlib.h>
#include <string.h>

#include "isa/gws.h"

int launch_registers(struct launch *l, const struct co_rsrc *r, enum co_family family, struct err *e)
{
    l->nvgprs = r->arch_vgprs;
    l->nagprs = r->acc_vgprs;
    uint32_t most = isa_has(l->target, FEAT_VGPR_MSB) ? 1024 : 256;
    /* the words of the others cannot ask for more; where the files are one, 512 lie after the 256 of either name */
    if (!isa_has(l->target, FEAT_AGPR_UNIFIED) && (l->nvgprs > most || l->nagprs > most))
        return err_set(e, ERR_FORMAT, "COMPUTE_PGM_RSRC1: %u VGPRs and %u AccVGPRs; a wave of the %s has at most %u",
                       l->nvgprs, l->nagprs, co_family_name(family), most);
    l->nsgprs = r->sgprs < l->target->sgpr_limit ? r->sgprs : l->target->sgpr_limit;
    l->prefetch_bytes = r->inst_pref_bytes;
    l->wgp_mode = isa_has(l->target, FEAT_CU_MODE_WGP) && r->wgp_mode;
    return 0;
}

int launch_clusters(struct launch *l, const uint32_t size[3], struct err *e)
{
    static const char dim[] = "xyz";
    uint64_t all = 1;

    for (int d = 0; d < 3; d++) {
        l->cluster[d] = size[d] ? size[d] : 1;
        all *= l->cluster[d] < LAUNCH_MAX_CLUSTER ? l->cluster[d] : LAUNCH_MAX_CLUSTER + 1;
    }
    if (all == 1)
        return 0;
    if (!isa_has(l->target, FEAT_CLUSTERS))
        return err_set(e, ERR_USAGE, "clusters of %u x %u x %u workgroups; %s has no clusters", l->cluster[0],
                       l->cluster[1], l->cluster[2], l->target->name);
    if (all > LAUNCH_MAX_CLUSTER)
        return err_set(e, ERR_USAGE, "clusters of %u x %u x %u workgroups; expected at most %d in all", l->cluster[0],
                       l->cluster[1], l->cluster[2], LAUNCH_MAX_CLUSTER);
    for (int d = 0; d < 3; d++)
        if (l->workgroups[d] % l->cluster[d])
            return err_set(e, ERR_USAGE, "%u workgroups in %c; expected a multiple of the %u that a cluster has",
                           l->workgroups[d], dim[d], l->cluster[d]);
    if (!(l->clusters = calloc(l->workgroup_count / all, sizeof *l->clusters)))
        return err_set(e, ERR_NOMEM, "out of host memory for %llu clusters of workgroups",
                       (unsigned long long)(l->workgroup_count / all));
    return 0;
}

int launch_shape(struct launch *l, struct launch_state *s, const uint32_t grid[3], const uint32_t workgroup[3],
                 uint32_t max_items, struct err *e)
{
    static const char dim[] = "xyz";
    uint64_t items = 1, groups = 1, waves = 0;

    for (int d = 0; d < 3; d++) {
        if (workgroup[d] == 0 || workgroup[d] > 65535)
            return err_set(e, ERR_USAGE, "workgroup size %c is %u; expected 1 to 65535 work-items", dim[d],
                           workgroup[d]);
        if (grid[d] < workgroup[d])
            return err_set(e, ERR_USAGE, "grid size %c is %u work-items; expected at least one workgroup, which is %u",
                           dim[d], grid[d], workgroup[d]);
        s->grid[d] = grid[d];
        l->workgroup_size[d] = workgroup[d];
        l->workgroups[d] = (uint32_t)(((uint64_t)grid[d] + workgroup[d] - 1) / workgroup[d]);
        items *= workgroup[d]; /* at most 2^48 */
        if (__builtin_mul_overflow(groups, l->workgroups[d], &groups) || groups > UINT64_MAX / 1024)
            return err_set(e, ERR_USAGE, "grid %ux%ux%u: more workgroups than can be counted", grid[0], grid[1],
                           grid[2]);
    }
    if (items > max_items)
        return err_set(e, ERR_USAGE, "workgroup of %ux%ux%u has %llu work-items; expected at most %u", workgroup[0],
                       workgroup[1], workgroup[2], (unsigned long long)items, max_items);
    /* TTMP7 holds workgroup ids y and z in 16 bits each */
    if (isa_has(l->target, FEAT_ARCH_SGPRS) && (l->workgroups[1] > 65536 || l->workgroups[2] > 65536))
        return err_set(e, ERR_USAGE, "%u x %u workgroups in y and z; %s has 16 bits for each", l->workgroups[1],
                       l->workgroups[2], l->target->name);
    l->workgroup_count = groups;
    l->waves_per_group = (uint32_t)((items + l->lanes - 1) / l->lanes);

    /* a workgroup is full or partial in each dimension: eight cases, each with its own number of waves */
    for (unsigned kind = 0; kind < 8; kind++) {
        uint64_t count = 1, size = 1;
        for (int d = 0; d < 3; d++) {
            uint32_t rest = grid[d] % workgroup[d];
            count *= kind >> d & 1 ? (rest != 0) : grid[d] / workgroup[d];
            size *= kind >> d & 1 ? rest : workgroup[d];
        }
        waves += count * ((size + l->lanes - 1) / l->lanes);
    }
    l->wave_count = waves;
    return 0;
}

/* Lowers *limit to value; true when value was the smaller one. */
static bool lower(uint32_t *limit, uint32_t value)
{
    bool less = value < *limit;

    if (less)
        *limit = value;
    return less;
}

void launch_occupancy_numbers(const struct profile *p, uint32_t lanes, uint32_t waves_per_group, uint32_t vgprs,
                              uint32_t agprs, uint32_t sgprs, uint32_t lds_bytes, bool wgp_mode,
                              struct launch_occupancy *o)
{
    const struct profile_cu *cu = &p->cu;
    bool wide = lanes == 32 && cu->vgprs_per_simd_w32;
    uint32_t file = wide ? cu->vgprs_per_simd_w32 : cu->vgprs_per_simd_w64;
    uint32_t granule = wide ? cu->vgpr_granule_w32 : cu->vgpr_granule_w64;
    /* In WGP mode the SIMDs and the LDS of both CUs serve one workgroup. */
    uint32_t cus = wgp_mode ? p->gpu.cus_per_wgp : 1;
    uint32_t simds = cu->simds * cus, lds = cu->lds_bytes;
    uint32_t waves = cu->wave_slots_per_simd;

    memset(o, 0, sizeof *o);
    o->limiter = "wave_slots";
    o->waves_per_group = waves_per_group;
    if (cu->lds_per_wgp && !wgp_mode && p->gpu.cus_per_wgp > 1)
        lds /= p->gpu.cus_per_wgp;
    if (!cu->lds_per_wgp)
        lds *= cus;
    granule = granule ? granule : 1;
    o->vgpr_alloc = (uint32_t)align_up(vgprs ? vgprs : 1, granule);
    o->max_waves_by_vgprs = file / o->vgpr_alloc;
    if (agprs && cu->agprs_per_simd) {
        o->agpr_alloc = (uint32_t)align_up(agprs, granule);
        if (cu->agprs_per_simd / o->agpr_alloc < o->max_waves_by_vgprs)
            o->max_waves_by_vgprs = cu->agprs_per_simd / o->agpr_alloc;
    }
    if (lower(&waves, o->max_waves_by_vgprs))
        o->limiter = "vgprs";
    o->max_waves_by_sgprs = cu->wave_slots_per_simd;
    o->sgpr_alloc = (uint32_t)align_up(sgprs, cu->sgpr_granule ? cu->sgpr_granule : 1);
    if (cu->sgprs_per_simd && o->sgpr_alloc) {
        o->max_waves_by_sgprs = cu->sgprs_per_simd / o->sgpr_alloc;
        if (lower(&waves, o->max_waves_by_sgprs))
            o->limiter = "sgprs";
    }

    /* a workgroup is resident as a whole */
    uint32_t groups = waves * simds / (waves_per_group ? waves_per_group : 1);
    if (waves_per_group > 1 && cu->max_multiwave_workgroups && lower(&groups, cu->max_multiwave_workgroups * cus))
        o->limiter = "barriers";
    if (lds_bytes) {
        o->lds_alloc_bytes = (uint32_t)align_up(lds_bytes, cu->lds_granule_bytes ? cu->lds_granule_bytes : 1);
        if (lower(&groups, lds / o->lds_alloc_bytes))
            o->limiter = "lds";
    }
    o->groups_per_cu = groups;
    uint32_t per_simd = (uint32_t)(((uint64_t)groups * waves_per_group + simds - 1) / simds);
    if (per_simd < waves && groups && strcmp(o->limiter, "lds") != 0 && strcmp(o->limiter, "barriers") != 0)
        o->limiter = "workgroup_size";
    o->waves_per_simd = per_simd < waves ? per_simd : waves;
}

int launch_set_occupancy(struct launch *l, struct err *e)
{
    const struct profile *p = l->profile;
    struct launch_occupancy *o = &l->occupancy;
    uint32_t vgprs = l->nvgprs, agprs = l->nagprs;

    if (p->cu.vgpr_unified) {
        vgprs += agprs;
        agprs = 0;
    }
    if (l->lds_bytes > p->cu.lds_max_per_workgroup_bytes)
        return err_set(e, ERR_USAGE, "workgroups take %u bytes of LDS; profile %s allows %u", l->lds_bytes, p->name,
                       p->cu.lds_max_per_workgroup_bytes);
    launch_occupancy_numbers(p, l->lanes, l->waves_per_group, vgprs, agprs, l->nsgprs, l->lds_bytes, l->wgp_mode, o);
    if (!o->groups_per_cu)
        return err_set(
            e, ERR_USAGE,
            "a workgroup of %u waves with %u VGPRs, %u AccVGPRs and %u SGPRs each and %u bytes of LDS does not "
            "fit a compute unit of profile %s, which lacks %s",
            l->waves_per_group, vgprs, agprs, l->nsgprs, l->lds_bytes, p->name, o->limiter);
    return 0;
}
