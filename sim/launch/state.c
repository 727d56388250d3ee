/* The initial register state of a wave: user and system SGPRs, work-item ids, EXEC, MODE and scratch. */
#include "sim/launch/state.h"

#include "isa/gws.h"

#include <string.h>

uint64_t launch_scratch_wave_bytes(uint32_t lanes, uint32_t bytes_per_lane)
{
    return align_up((uint64_t)lanes * align_up(bytes_per_lane, 4), LAUNCH_SCRATCH_ALIGN);
}

void launch_modes(const struct launch *l, struct launch_state *s)
{
    const struct co_rsrc *r = &s->rsrc;

    s->mode_reg = r->float_mode | (r->dx10_clamp ? MODE_DX10_CLAMP : 0) | (r->ieee_mode ? MODE_IEEE : 0) |
                  (r->fp16_ovfl ? MODE_FP16_OVFL : 0);
    /* no descriptor bit controls it */
    if (l->target->layout == LAYOUT_GFX12 && (!l->profile || l->profile->frontend.scalar_prefetch))
        s->mode_reg |= MODE_SCALAR_PREFETCH_EN;
    s->m0 = isa_has(l->target, FEAT_LDS_M0_CLAMP) ? l->lds_bytes : 0;
    s->ids_in_ttmps = isa_has(l->target, FEAT_ARCH_SGPRS);
    s->packed_ids = isa_has(l->target, FEAT_PACKED_TID);
    s->wave_offset_sgpr = r->enable_private_segment && !isa_has(l->target, FEAT_ARCH_FLAT_SCRATCH);
}

/* The buffer descriptor of scratch, to whose base the kernel's prologue adds the wave offset. It swizzles dwords by
 * lane: stride 0, swizzle on, add_tid on, the index stride of a wave, elements of 4 bytes. DATA_FORMAT is 0 before
 * gfx10, because ADD_TID makes it the upper bits of the stride there. */
static void private_segment_buffer(const struct launch *l, const struct launch_state *s, enum co_family family,
                                   uint32_t out[4])
{
    uint64_t bytes = s->scratch_bytes_per_lane ? s->scratch_wave_bytes * l->scratch_slots : 0;
    uint32_t swizzle_xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    uint32_t index_stride = l->lanes == 64 ? 3 : 2;

    out[0] = (uint32_t)s->scratch_base;
    out[1] = (uint32_t)(s->scratch_base >> 32 & 0xffff) | 1u << 31;
    out[2] = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    out[3] = swizzle_xyzw | index_stride << 21 | 1u << 23;
    if (family < CO_GFX9)
        out[3] |= 4u << 12 | 1u << 19; /* NUM_FORMAT uint; ELEMENT_SIZE 4 */
    else if (family < CO_GFX10)
        out[3] |= 4u << 12;
    else
        out[3] |= 20u << 12 | 1u << 24 | 2u << 28; /* FORMAT 32_UINT, RESOURCE_LEVEL, OOB_SELECT raw */
}

static void put64(struct launch_state *s, unsigned *n, uint64_t v)
{
    if (*n + 2 <= LAUNCH_MAX_USER_SGPRS) {
        s->user_sgprs[*n] = (uint32_t)v;
        s->user_sgprs[*n + 1] = (uint32_t)(v >> 32);
    }
    *n += 2;
}

static int preload_kernarg(struct launch_state *s, const struct kernel_descriptor *kd, const struct launch_pointers *p,
                           unsigned *n, struct err *e)
{
    unsigned length = kd->kernarg_preload_length_dwords, first = kd->kernarg_preload_offset_dwords;

    if (!length)
        return 0;
    if ((uint64_t)(first + length) * 4 > p->kernarg_bytes)
        return err_set(e, ERR_FORMAT,
                       "kernel descriptor: preload of kernarg dwords %u..%u, but the kernarg segment has %u bytes",
                       first, first + length - 1, p->kernarg_bytes);
    for (unsigned i = 0; i < length; i++, ++*n)
        if (*n < LAUNCH_MAX_USER_SGPRS)
            s->user_sgprs[*n] = load_u32(p->kernarg_host + (first + i) * 4);
    return 0;
}

int launch_user_sgpr_count(struct launch_state *s, struct err *e)
{
    s->user_sgpr_count = s->rsrc.user_sgpr_count;
    if (s->user_sgpr_count > LAUNCH_MAX_USER_SGPRS)
        return err_set(e, ERR_FORMAT, "COMPUTE_PGM_RSRC2 has %u user SGPRs; expected at most %u", s->user_sgpr_count,
                       LAUNCH_MAX_USER_SGPRS);
    return 0;
}

/* The arguments of code without a descriptor are what its driver would put there. COMPUTE_PGM_RSRC2 may count fewer:
 * LLVM leaves those of a shader's arguments to the driver. */
static int sgprs_from_arguments(struct launch_state *s, const struct launch_pointers *p, struct err *e)
{
    unsigned n = (p->argument_bytes + 3) / 4;

    if (n > LAUNCH_MAX_USER_SGPRS)
        return err_set(e, ERR_USAGE,
                       "arguments of code without a kernel descriptor are its user SGPRs: %u, expected at "
                       "most %u",
                       n, LAUNCH_MAX_USER_SGPRS);
    for (unsigned k = 0; k < n; k++)
        s->user_sgprs[k] = load_u32(p->kernarg_host + k * 4);
    if (s->user_sgpr_count < n)
        s->user_sgpr_count = n;
    return 0;
}

int launch_user_sgprs(const struct launch *l, struct launch_state *s, const struct kernel_descriptor *kd,
                      enum co_family family, const struct launch_pointers *p, struct err *e)
{
    unsigned n = 0;

    if (launch_user_sgpr_count(s, e))
        return -1;
    memset(s->user_sgprs, 0, sizeof s->user_sgprs);
    if (kd->user_sgprs_are_arguments)
        return sgprs_from_arguments(s, p, e);
    if (kd->enable_sgpr_private_segment_buffer) {
        private_segment_buffer(l, s, family, s->user_sgprs);
        n = 4;
    }
    if (kd->enable_sgpr_dispatch_ptr)
        put64(s, &n, p->dispatch_packet);
    if (kd->enable_sgpr_queue_ptr)
        put64(s, &n, p->queue);
    if (kd->enable_sgpr_kernarg_segment_ptr)
        put64(s, &n, p->kernarg);
    if (kd->enable_sgpr_dispatch_id)
        put64(s, &n, p->dispatch_id);
    if (kd->enable_sgpr_flat_scratch_init) {
        /* gfx8: the offset from the hidden private base, which is scratch slot 0 in gcnsim, and the size per lane */
        uint64_t v = family < CO_GFX9 ? (uint64_t)align_up(s->scratch_bytes_per_lane, 4) << 32 : s->scratch_base;
        put64(s, &n, v);
    }
    if (kd->enable_sgpr_private_segment_size) {
        if (n < LAUNCH_MAX_USER_SGPRS)
            s->user_sgprs[n] = s->scratch_bytes_per_lane;
        n++;
    }
    if (preload_kernarg(s, kd, p, &n, e))
        return -1;
    if (n > s->user_sgpr_count)
        return err_set(e, ERR_FORMAT,
                       "kernel descriptor: COMPUTE_PGM_RSRC2 has %u user SGPRs, but kernel_code_properties ask for %u",
                       s->user_sgpr_count, n);
    return 0;
}

/* The place of number n, x fastest. */
static void place_in(const uint32_t extent[3], uint64_t n, uint32_t at[3])
{
    at[0] = (uint32_t)(n % extent[0]);
    n /= extent[0];
    at[1] = (uint32_t)(n % extent[1]);
    at[2] = (uint32_t)(n / extent[1]);
}

static uint32_t cluster_size(const struct launch *l)
{
    return l->cluster[0] * l->cluster[1] * l->cluster[2];
}

static void place_in_cluster(const struct launch *l, uint64_t group, struct launch_group *g)
{
    uint32_t grid[3];

    for (int d = 0; d < 3; d++)
        grid[d] = l->workgroups[d] / l->cluster[d];
    g->cluster = group / cluster_size(l);
    g->flat_place = (uint32_t)(group % cluster_size(l));
    place_in(grid, g->cluster, g->cluster_id);
    place_in(l->cluster, g->flat_place, g->place);
    for (int d = 0; d < 3; d++)
        g->id[d] = g->cluster_id[d] * l->cluster[d] + g->place[d];
}

static uint64_t number_in(const uint32_t extent[3], const uint32_t at[3])
{
    return at[0] + extent[0] * (at[1] + (uint64_t)extent[1] * at[2]);
}

uint64_t launch_group_number(const struct launch *l, const uint32_t id[3])
{
    uint32_t grid[3], cluster[3], place[3];

    if (!l->clusters)
        return number_in(l->workgroups, id);
    for (int d = 0; d < 3; d++) {
        grid[d] = l->workgroups[d] / l->cluster[d];
        cluster[d] = id[d] / l->cluster[d];
        place[d] = id[d] % l->cluster[d];
    }
    return number_in(grid, cluster) * cluster_size(l) + number_in(l->cluster, place);
}

void launch_begin_clusters(const struct launch *l)
{
    uint64_t count = l->clusters ? l->workgroup_count / cluster_size(l) : 0;

    for (uint64_t k = 0; k < count; k++)
        isa_cluster_begin(&l->clusters[k], cluster_size(l));
}

void launch_open_group(const struct launch *l, uint64_t group, struct launch_group *g)
{
    const struct launch_state *s = l->state;

    if (l->clusters)
        place_in_cluster(l, group, g);
    else
        place_in(l->workgroups, group, g->id);
    for (int d = 0; d < 3; d++) {
        uint64_t left = s->grid[d] - (uint64_t)g->id[d] * l->workgroup_size[d];
        g->size[d] = left < l->workgroup_size[d] ? (uint32_t)left : l->workgroup_size[d];
    }
    g->items = g->size[0] * g->size[1] * g->size[2];
    g->waves = (g->items + l->lanes - 1) / l->lanes;
}

unsigned launch_group_waves(const struct launch *l, uint64_t group)
{
    struct launch_group g;

    launch_open_group(l, group, &g);
    return g.waves;
}

static void set_workitem_ids(const struct launch_state *s, const struct launch_group *g, uint32_t first, uint32_t count,
                             struct isa_wave *w)
{
    uint32_t x = first % g->size[0], y = first / g->size[0] % g->size[1], z = first / g->size[0] / g->size[1];
    unsigned dims = s->rsrc.vgpr_workitem_id;
    uint32_t *v = w->v, n = w->lanes;

    for (uint32_t lane = 0, end; lane < count; lane = end) {
        /* the lanes up to the end of a row in x share y and z */
        uint32_t packed = s->packed_ids ? (dims >= 1 ? y << 10 : 0) | (dims >= 2 ? z << 20 : 0) : 0;

        end = g->size[0] - x < count - lane ? lane + (g->size[0] - x) : count;
        for (uint32_t k = lane; k < end; k++)
            v[k] = (x + (k - lane)) | packed;
        for (uint32_t k = lane; k < end && !s->packed_ids && dims >= 1 && w->nvgprs > 1; k++)
            v[n + k] = y;
        for (uint32_t k = lane; k < end && !s->packed_ids && dims >= 2 && w->nvgprs > 2; k++)
            v[2 * n + k] = z;
        x = 0;
        if (++y == g->size[1]) {
            y = 0;
            z++;
        }
    }
}

/* ttmp6: the workgroup's place in its cluster, in x, y and z, the largest such place, and the largest flat one, of four
 * bits each (LLVM 22 SIISelLowering, llvm.amdgcn.cluster.workgroup.*). */
static uint32_t cluster_word(const struct launch *l, const struct launch_group *g)
{
    uint32_t v = (cluster_size(l) - 1) << 24;

    for (int d = 0; d < 3; d++)
        v |= g->place[d] << 4 * d | (l->cluster[d] - 1) << (12 + 4 * d);
    return v;
}

/* The system SGPRs, after the user SGPRs. */
static void set_sgprs(const struct launch *l, const struct launch_group *g, unsigned wave, uint32_t scratch_slot,
                      struct isa_wave *w)
{
    const struct launch_state *s = l->state;
    const struct co_rsrc *r = &s->rsrc;
    unsigned n = s->user_sgpr_count;

    if (s->ids_in_ttmps) {
        uint32_t *ttmp = w->s + l->target->code_ttmp0;
        const uint32_t *id = l->clusters ? g->cluster_id : g->id;

        ttmp[9] = id[0];
        ttmp[7] = (id[1] & 0xffff) | id[2] << 16;
        ttmp[8] = (wave & 31) << 25;
        if (l->clusters)
            ttmp[6] = cluster_word(l, g);
    } else {
        if (r->enable_sgpr_workgroup_id_x)
            w->s[n++] = g->id[0];
        if (r->enable_sgpr_workgroup_id_y)
            w->s[n++] = g->id[1];
        if (r->enable_sgpr_workgroup_id_z)
            w->s[n++] = g->id[2];
    }
    if (r->enable_sgpr_workgroup_info)
        w->s[n++] = (wave == 0 ? 1u << 31 : 0) | g->waves;
    if (s->wave_offset_sgpr)
        w->s[n++] = (uint32_t)(scratch_slot * s->scratch_wave_bytes);
}

void launch_wave_image(const struct launch *l, uint32_t *v, struct isa_wave *w)
{
    const struct launch_state *s = l->state;

    isa_wave_init(w, l->target, l->program, l->lanes, v, l->nvgprs, l->nagprs, l->nsgprs);
    w->pc = s->entry;
    w->gws = l->gws;
    w->lds_bytes = l->lds_bytes;
    w->shared_aperture = l->shared_aperture;
    w->private_aperture = l->private_aperture;
    if (isa_has(l->target, FEAT_SCRATCH_GLOBAL)) /* code tells private addresses by the bits above 57 */
        w->private_aperture |= UINT64_C(1) << 58;
    w->dynamic_vgprs = s->rsrc.dynamic_vgprs;
    if (s->scratch_bytes_per_lane)
        w->scratch_bytes = (uint32_t)align_up(s->scratch_bytes_per_lane, 4);
    memcpy(w->s, s->user_sgprs, s->user_sgpr_count * sizeof w->s[0]);
    isa_set_mode(w, s->mode_reg);
    isa_set_exec(w, lane_mask(l->lanes));
}

void launch_place_wave(const struct launch *l, const struct launch_group *g, unsigned wave, uint32_t scratch_slot,
                       uint32_t *v, uint8_t *lds, struct isa_wave *w)
{
    const struct launch_state *s = l->state;
    uint32_t first = wave * l->lanes;
    uint32_t count = g->items - first < l->lanes ? g->items - first : l->lanes;

    memset(v, 0, launch_wave_dwords(l) * sizeof *v);
    if (wave == 0)
        memset(lds, 0, launch_lds_bytes(l));
    w->v = v;
    w->acc = w->acc ? v + (size_t)l->nvgprs * l->lanes : NULL;
    w->lds = lds;
    w->wave_in_group = wave;
    w->hw_id = isa_hw_id(l->target, wave, 0, 0);
    memcpy(w->group_id, g->id, sizeof w->group_id);
    if (l->clusters) {
        w->cluster = &l->clusters[g->cluster];
        w->cluster_place = (cluster_size(l) - 1) << 6 | g->flat_place << 21;
    }
    if (s->scratch_bytes_per_lane) {
        w->scratch_base = s->scratch_base + scratch_slot * s->scratch_wave_bytes;
        if (isa_has(l->target, FEAT_ARCH_FLAT_SCRATCH))
            w->flat_scratch = w->scratch_base;
    }
    set_sgprs(l, g, wave, scratch_slot, w);
    w->s[l->target->code_m0] = s->m0;
    set_workitem_ids(s, g, first, count, w);
    if (count < l->lanes)
        isa_set_exec(w, lane_mask(count));
}

void launch_init_wave(const struct launch *l, uint64_t group, unsigned wave, uint32_t scratch_slot, uint32_t *v,
                      uint8_t *lds, struct isa_wave *w)
{
    struct launch_group g;

    launch_open_group(l, group, &g);
    launch_wave_image(l, v, w);
    launch_place_wave(l, &g, wave, scratch_slot, v, lds, w);
}

bool launch_find_lasting(const struct launch *l, gaddr_t addr, struct isa_range *out)
{
    const struct mem_range *r = mem_space_find(l->space, addr);

    if (!r)
        return false;
    *out = (struct isa_range){
        .lo = r->lo, .hi = r->hi, .host = r->host, .writable = r->flags & MEM_WRITE, .own = r->flags & MEM_OWNED};
    return true;
}

bool launch_find(const struct launch *l, gaddr_t addr, struct isa_range *out)
{
    return launch_find_lasting(l, addr, out) || (l->more && l->more(l->more_ctx, addr, out));
}
