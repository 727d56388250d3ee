#include "sim/engine/timing/clock/dispatcher.h"

#include <inttypes.h>

/* A place for a workgroup. */
struct place {
    uint32_t part;
    uint8_t simd[64];
};

static uint32_t fit(uint32_t have, uint32_t used, uint32_t each)
{
    return each ? (have - used) / each : UINT32_MAX;
}

/* Waves that still fit on a SIMD. */
static uint32_t simd_room(const struct cu_context *x, const struct cu_simd *s)
{
    const struct profile_cu *p = &x->profile->cu;
    const struct launch_occupancy *o = &x->launch->occupancy;
    uint32_t vgprs = x->launch->lanes == 32 ? p->vgprs_per_simd_w32 : p->vgprs_per_simd_w64;
    uint32_t room = x->slots - s->waves, n;

    n = fit(vgprs, s->vgprs, o->vgpr_alloc);
    room = n < room ? n : room;
    if (p->agprs_per_simd) {
        n = fit(p->agprs_per_simd, s->agprs, o->agpr_alloc);
        room = n < room ? n : room;
    }
    if (p->sgprs_per_simd) {
        n = fit(p->sgprs_per_simd, s->sgprs, o->sgpr_alloc);
        room = n < room ? n : room;
    }
    return room;
}

/* Spreads `waves` over SIMDs first .. first+count; false when they do not all fit. */
static bool spread(const struct cu *c, uint32_t first, uint32_t count, uint32_t waves, uint8_t *simd)
{
    uint32_t room[CU_MAX_SIMDS], load[CU_MAX_SIMDS], total = 0;

    for (uint32_t k = 0; k < count; k++) {
        room[k] = simd_room(c->x, &c->simd[first + k]);
        load[k] = c->simd[first + k].waves;
        total += room[k];
    }
    if (total < waves)
        return false;
    for (uint32_t n = 0; n < waves; n++) {
        uint32_t best = UINT32_MAX;

        for (uint32_t k = 0; k < count; k++)
            if (room[k] && (best == UINT32_MAX || load[k] < load[best]))
                best = k;
        room[best]--;
        load[best]++;
        simd[n] = (uint8_t)(first + best);
    }
    return true;
}

static bool whole_wgp(const struct cu_context *x)
{
    return x->parts == 1 || x->launch->wgp_mode;
}

/* A place for a workgroup in `part`; of the whole WGP in WGP mode. */
static bool find_place(struct cu *c, uint32_t part, uint32_t waves, struct place *out)
{
    const struct cu_context *x = c->x;
    const struct profile_cu *p = &x->profile->cu;
    uint32_t count = whole_wgp(x) ? x->simds : x->simds_per_part;

    if (waves > x->chip->scratch_free || (c->full[part] && waves >= c->full[part]))
        return false;
    out->part = part;
    if ((waves > 1 && c->barriers >= p->max_multiwave_workgroups * x->parts) ||
        c->lds_bytes[p->lds_per_wgp ? 0 : part] + x->launch->occupancy.lds_alloc_bytes > p->lds_bytes ||
        !spread(c, part * x->simds_per_part, count, waves, out->simd)) {
        c->full[part] = waves; /* until something is given back */
        return false;
    }
    return true;
}

/* How the compute units of a chip lie in sets that share caches, dealt to the shader engines in turn. */
struct layout {
    uint32_t share, engines, total; /* CUs (WGPs) of a full set; of the chip */
    uint32_t sets;                  /* of one engine */
};

static struct layout layout_of(const struct profile *p)
{
    struct layout l = {dispatcher_share(p), p->gpu.shader_engines, p->gpu.cus / p->gpu.cus_per_wgp, 0};
    uint32_t most = (l.total + l.engines - 1) / l.engines;

    l.sets = (most + l.share - 1) / l.share;
    return l;
}

/* CUs in the n-th set of an engine: the engine's, spread evenly over its sets. */
static uint32_t set_size(const struct layout *l, uint32_t engine, uint32_t n)
{
    uint32_t mine = l->total / l->engines + (engine < l->total % l->engines);

    return mine / l->sets + (n < mine % l->sets);
}

bool dispatcher_has_cu(const struct profile *p, uint32_t cu)
{
    struct layout l = layout_of(p);
    uint32_t set = cu / l.share;

    return set / l.engines < l.sets && cu % l.share < set_size(&l, set % l.engines, set / l.engines);
}

static bool deal_cus(struct dispatcher *d, struct arena *arena)
{
    uint32_t share = dispatcher_share(d->x->profile);

    for (uint32_t n = 0; n < d->engine_count; n++) {
        d->engine[n].cus = ARENA_NEW(arena, d->cu_count, uint32_t);
        if (!d->engine[n].cus)
            return false;
    }
    for (uint32_t k = 0; k < d->cu_count; k++) {
        struct dispatch_engine *se = &d->engine[k / share % d->engine_count];

        d->cu[k].engine_full = &se->full;
        if (dispatcher_has_cu(d->x->profile, k))
            se->cus[se->cu_count++] = k;
    }
    return true;
}

uint32_t dispatcher_cus(const struct profile *p, uint64_t groups)
{
    struct layout l = layout_of(p);
    /* as many as could get a workgroup if each got but one; the last engine has the fewest */
    uint64_t wanted = (groups + l.engines - 1) / l.engines, have = 0;
    uint32_t sets = 0;

    while (sets < l.sets && (have < wanted || !sets))
        have += set_size(&l, l.engines - 1, sets++);
    return sets * l.engines * l.share;
}

uint32_t dispatcher_share(const struct profile *p)
{
    static const uint8_t shared[] = {LEVEL_K, LEVEL_I, LEVEL_GL1};
    uint32_t share = 0;

    for (size_t n = 0; n < sizeof shared; n++) {
        const struct profile_cache *c = &p->cache[shared[n]];

        if (c->present && c->shared_by_cus > share)
            share = c->shared_by_cus;
    }
    share /= p->gpu.cus_per_wgp;

    return share ? share : 1;
}

int dispatcher_init(struct dispatcher *d, struct cu_context *x, struct cu *cu, uint32_t cu_count, struct arena *arena,
                    struct err *e)
{
    const struct launch *l = x->launch;
    struct place place;
    uint32_t slots = cu_count * x->simds * x->slots, first = 0;

    *d = (struct dispatcher){.x = x, .arena = arena, .cu = cu, .cu_count = cu_count};
    d->engine_count = x->profile->gpu.shader_engines;
    d->engine = ARENA_NEW(arena, d->engine_count, struct dispatch_engine);
    if (l->scratch_slots < slots)
        slots = l->scratch_slots;
    x->scratch = ARENA_NEW(arena, slots, uint32_t);
    if (!d->engine || !x->scratch || !deal_cus(d, arena) ||
        !fifo_init_arena(&x->releases, arena, sizeof(struct cu_release), cu_count * x->simds * x->slots * 2))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for the dispatcher");
    for (uint32_t k = 0; k < slots; k++)
        x->scratch[k] = slots - 1 - k;
    x->scratch_free = slots;
    while (!dispatcher_has_cu(x->profile, first))
        first++;
    if (!find_place(&cu[first], 0, l->waves_per_group, &place))
        return err_set(e, ERR_USAGE,
                       "a workgroup of %" PRIu32 " waves with %" PRIu32 " VGPRs, %" PRIu32 " bytes of LDS and %" PRIu32
                       " scratch slots does not fit on an empty compute unit of profile %s",
                       l->waves_per_group, l->occupancy.vgpr_alloc, l->occupancy.lds_alloc_bytes, slots,
                       x->profile->name);
    return 0;
}

/* Takes the resources of a whole workgroup and makes it the engine's current one. */
static bool start_group(struct dispatcher *d, struct dispatch_engine *se, struct cu *c, const struct place *place,
                        uint32_t waves)
{
    const struct cu_context *x = d->x;
    struct cu_group *g = c->group;
    uint8_t *lds;

    while (g->used)
        g++;
    lds = g->lds;
    if (!lds)
        lds = arena_alloc(d->arena, launch_lds_bytes(x->launch), 1, 64);
    if (!lds)
        return false;
    *g = (struct cu_group){.id = d->next_group++,
                           .lds = lds,
                           .lds_alloc_bytes = x->launch->occupancy.lds_alloc_bytes,
                           .placed = waves,
                           .part = place->part,
                           .multiwave = waves > 1,
                           .used = true};
    isa_barriers_init(&g->barriers, waves);
    c->lds_bytes[x->profile->cu.lds_per_wgp ? 0 : g->part] += g->lds_alloc_bytes;
    if (g->multiwave)
        c->barriers++;
    for (uint32_t k = 0; k < waves; k++)
        cu_take(c, place->simd[k]);
    for (uint32_t k = 0; k < waves; k++)
        se->scratch[k] = d->x->scratch[--d->x->scratch_free];
    memcpy(se->simd, place->simd, waves);
    se->cu = c;
    se->group = g;
    se->waves = waves;
    se->next_wave = 0;
    return true;
}

/* Finds a place of the engine for the next workgroup. */
static bool place_group(struct dispatcher *d, uint32_t n)
{
    struct dispatch_engine *se = &d->engine[n];
    uint32_t places = se->cu_count * (whole_wgp(d->x) ? 1 : d->x->parts);
    uint32_t waves = launch_group_waves(d->x->launch, d->next_group);
    struct place place;

    if (waves > d->x->scratch_free || (se->full && waves >= se->full))
        return false;
    for (uint32_t k = 0; k < places; k++) {
        uint32_t at = (se->turn + k) % places;
        struct cu *c = &d->cu[se->cus[at % se->cu_count]];

        if (!find_place(c, at / se->cu_count, waves, &place))
            continue;
        se->turn = (at + 1) % places;
        d->no_memory |= !start_group(d, se, c, &place, waves);
        return !d->no_memory;
    }
    se->full = waves; /* until one of them gives something back */
    return false;
}

static void launch_wave(struct dispatcher *d, struct dispatch_engine *se, cycle_t now)
{
    struct cu_context *x = d->x;
    uint32_t n = se->next_wave++;

    if (!cu_launch(se->cu, se->group, n, se->simd[n], se->scratch[n], d->stamp++, now, d->arena))
        d->no_memory = true;
    se->free_at = now + x->profile->frontend.wave_launch_interval_cycles;
    if (se->next_wave == se->waves)
        se->cu = NULL;
}

cycle_t dispatcher_tick(struct dispatcher *d, cycle_t now)
{
    uint32_t first = d->turn, coming = d->x->releases.count;
    cycle_t next = CYCLE_NEVER, given_back = cu_releases_take(d->x, now);
    bool placed = true;

    if (d->x->releases.count != coming)
        d->no_room = false;

    /* engines in turn, from the one after the last that took a workgroup */
    for (uint32_t k = 0; k < d->engine_count && !d->no_memory; k++) {
        uint32_t n = (first + k) % d->engine_count;
        struct dispatch_engine *se = &d->engine[n];

        if (se->free_at > now)
            continue;
        if (!se->cu && !d->no_room && !dispatcher_is_idle(d)) {
            placed = place_group(d, n);
            if (placed)
                d->turn = (n + 1) % d->engine_count;
        }
        if (se->cu)
            launch_wave(d, se, now);
    }
    d->no_room = true;
    for (uint32_t n = 0; n < d->engine_count; n++) {
        struct dispatch_engine *se = &d->engine[n];
        cycle_t at = se->free_at > now ? se->free_at : now + 1;

        if (se->cu || (!dispatcher_is_idle(d) && se->free_at > now)) {
            next = at < next ? at : next;
            d->no_room = false;
        }
    }
    return !dispatcher_is_idle(d) && given_back < next ? given_back : next;
}
