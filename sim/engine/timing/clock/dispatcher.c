/* The dispatcher: chooses the CU (or WGP) and the SIMDs for each workgroup, takes their resources, and launches the
 * waves one by one.
 */
#include "sim/engine/timing/clock/dispatcher.h"

#include <inttypes.h>

/* Where a workgroup goes on a CU or WGP. */
struct placement {
    uint32_t part;
    uint8_t simd[64];
};

static uint32_t fit(uint32_t have, uint32_t used, uint32_t each)
{
    return each ? (have - used) / each : UINT32_MAX;
}

/* Waves that still fit on a SIMD. */
static uint32_t waves_that_fit(const struct cu_context *x, const struct cu_dispatch *w, const struct cu_simd *s)
{
    const struct profile_cu *p = &x->profile->cu;
    const struct launch_occupancy *o = &w->launch->occupancy;
    uint32_t fits = x->slots - s->waves, n;

    n = fit(timing_vgprs(p), s->vgprs, w->vgprs);
    fits = n < fits ? n : fits;
    if (p->agprs_per_simd) {
        n = fit(p->agprs_per_simd, s->agprs, o->agpr_alloc);
        fits = n < fits ? n : fits;
    }
    if (p->sgprs_per_simd) {
        n = fit(p->sgprs_per_simd, s->sgprs, o->sgpr_alloc);
        fits = n < fits ? n : fits;
    }
    return fits;
}

/* Spreads `waves` over SIMDs first .. first+count; false when they do not all fit. */
static bool spread(const struct cu *c, const struct cu_dispatch *w, uint32_t first, uint32_t count, uint32_t waves,
                   uint8_t *simd)
{
    uint32_t fits[CU_MAX_SIMDS], load[CU_MAX_SIMDS], total = 0;

    for (uint32_t k = 0; k < count; k++) {
        fits[k] = waves_that_fit(c->x, w, &c->simd[first + k]);
        load[k] = c->simd[first + k].waves;
        total += fits[k];
    }
    if (total < waves)
        return false;
    for (uint32_t n = 0; n < waves; n++) {
        uint32_t best = UINT32_MAX;

        for (uint32_t k = 0; k < count; k++)
            if (fits[k] && (best == UINT32_MAX || load[k] < load[best]))
                best = k;
        fits[best]--;
        load[best]++;
        simd[n] = (uint8_t)(first + best);
    }
    return true;
}

static bool whole_wgp(const struct cu_context *x, const struct launch *l)
{
    return x->parts == 1 || l->wgp_mode;
}

/* Finds SIMDs of `part`, or of the whole WGP in WGP mode, for the waves of a workgroup. */
static bool find_placement(struct cu *c, const struct timing_dispatch *t, uint32_t part, uint32_t waves,
                           struct placement *out)
{
    const struct cu_context *x = c->x;
    const struct cu_dispatch *w = &t->part[x->group];
    const struct profile_cu *p = &x->profile->cu;
    uint32_t count = whole_wgp(x, t->launch) ? x->simds : x->simds_per_part;

    if (c->full[part] && waves >= c->full[part])
        return false;
    out->part = part;
    if ((waves > 1 && c->barriers >= p->max_multiwave_workgroups * x->parts) ||
        c->lds_bytes[p->lds_per_wgp ? 0 : part] + w->launch->occupancy.lds_alloc_bytes > p->lds_bytes ||
        !spread(c, w, part * x->simds_per_part, count, waves, out->simd)) {
        c->full[part] = waves; /* until something is released */
        return false;
    }
    return true;
}

void dispatcher_extend(struct dispatcher *d, uint32_t cu_count)
{
    uint32_t share = dispatcher_share(d->x->profile);

    for (uint32_t k = d->cu_count; k < cu_count; k++) {
        struct dispatch_engine *se = &d->engine[k / share % d->engine_count];

        d->cu[k].engine_full = &se->full;
        if (dispatcher_has_cu(d->x->profile, k))
            se->cus[se->cu_count++] = k;
    }
    if (d->cu_count != cu_count)
        d->full_of = NULL;
    d->cu_count = cu_count;
}

bool dispatcher_init(struct dispatcher *d, struct cu_context *x, struct cu *cu, uint32_t cu_count, uint32_t most_cus,
                     struct arena *arena)
{
    *d = (struct dispatcher){.x = x, .arena = arena, .cu = cu};
    d->engine_count = x->profile->gpu.shader_engines;
    d->engine = ARENA_NEW(arena, d->engine_count, struct dispatch_engine);
    d->die_count = x->profile->gpu.xcds ? x->profile->gpu.xcds : 1;
    d->die = ARENA_NEW(arena, d->die_count, struct dispatch_die);
    if (!d->engine || !d->die ||
        !fifo_init_arena(&x->releases, arena, sizeof(struct cu_release), most_cus * x->simds * x->slots * 2))
        return false;
    for (uint32_t n = 0; n < d->engine_count; n++)
        if (!(d->engine[n].cus = ARENA_NEW(arena, most_cus, uint32_t)))
            return false;
    dispatcher_extend(d, cu_count);
    return true;
}

/* Whether a workgroup fits on an empty CU or WGP. */
static bool fits_at_all(const struct cu_context *x, const struct timing_dispatch *t)
{
    static const struct cu_simd empty;
    const struct profile_cu *p = &x->profile->cu;
    const struct launch *l = t->launch;
    uint32_t simds = whole_wgp(x, l) ? x->simds : x->simds_per_part;

    return l->waves_per_group <= t->scratch_free &&
           (l->waves_per_group == 1 || p->max_multiwave_workgroups * x->parts > 0) &&
           l->occupancy.lds_alloc_bytes <= p->lds_bytes &&
           (uint64_t)waves_that_fit(x, &t->part[0], &empty) * simds >= l->waves_per_group;
}

int dispatcher_add(struct dispatcher *d, struct timing_dispatch *t, struct err *e)
{
    const struct cu_context *x = d->x;
    const struct launch *l = t->launch;
    struct timing_dispatch **at = &d->oldest;
    uint32_t slots = d->cu_count * x->simds * x->slots;

    if (l->scratch_slots < slots)
        slots = l->scratch_slots;
    t->grid = ARENA_NEW(&t->arena, d->die_count, struct dispatch_grid);
    t->scratch = ARENA_NEW(&t->arena, slots, uint32_t);
    if (!t->grid || !t->scratch)
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for the dispatcher");
    for (uint32_t n = 0; n < d->die_count; n++)
        t->grid[n] = (struct dispatch_grid){.next_group = n,
                                            .reached_at = (cycle_t)n * x->profile->frontend.workgroup_interval_cycles};
    for (uint32_t k = 0; k < slots; k++)
        t->scratch[k] = slots - 1 - k;
    t->scratch_free = slots;
    if (!fits_at_all(x, t))
        return err_set(e, ERR_USAGE,
                       "a workgroup of %" PRIu32 " waves with %" PRIu32 " VGPRs, %" PRIu32 " bytes of LDS and %" PRIu32
                       " scratch slots does not fit on an empty compute unit of profile %s",
                       l->waves_per_group, l->occupancy.vgpr_alloc, l->occupancy.lds_alloc_bytes, slots,
                       x->profile->name);
    while (*at)
        at = &(*at)->next;
    *at = t;
    return 0;
}

void dispatcher_remove(struct dispatcher *d, struct timing_dispatch *t)
{
    struct timing_dispatch **at = &d->oldest;

    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
    if (d->full_of == t)
        d->full_of = NULL;
    for (uint32_t k = 0; k < d->x->releases.count; k++) {
        struct cu_release *r = fifo_at(&d->x->releases, k);

        if (r->of == t)
            r->of = NULL;
    }
}

/* Takes the resources of a whole workgroup, whose waves the shader engine launches next. */
static bool start_group(struct dispatcher *d, struct dispatch_engine *se, struct cu *c, struct timing_dispatch *t,
                        uint64_t id, const struct placement *where, uint32_t waves)
{
    const struct cu_context *x = d->x;
    const struct launch *l = t->launch;
    size_t room, least = launch_lds_bytes(l);
    struct cu_group *g;
    uint8_t *lds;

    if (!cu_furnish(c, d->arena))
        return false;
    for (g = c->group; g->used;)
        g++;
    lds = g->lds;
    room = g->lds_room;
    if (room < least) {
        room = room ? 2 * least : least; /* as cu_launch() for registers */
        lds = arena_alloc(d->arena, room, 1, 64);
    }
    if (!lds)
        return false;
    *g = (struct cu_group){.id = id,
                           .d = &t->part[c->x->group],
                           .lds = lds,
                           .lds_room = room,
                           .lds_alloc_bytes = l->occupancy.lds_alloc_bytes,
                           .placed = waves,
                           .part = where->part,
                           .multiwave = waves > 1,
                           .used = true};
    isa_barriers_init(&g->barriers, waves);
    c->lds_bytes[x->profile->cu.lds_per_wgp ? 0 : g->part] += g->lds_alloc_bytes;
    if (g->multiwave)
        c->barriers++;
    for (uint32_t k = 0; k < waves; k++)
        cu_allocate(c, g->d, where->simd[k]);
    for (uint32_t k = 0; k < waves; k++)
        se->scratch[k] = t->scratch[--t->scratch_free];
    memcpy(se->simd, where->simd, waves);
    se->cu = c;
    se->group = g;
    se->waves = waves;
    se->next_wave = 0;
    return true;
}

/* What CUs and engines know to be full of is a matter of the dispatch. */
static void forget_full(struct dispatcher *d, const struct timing_dispatch *t)
{
    if (d->full_of)
        for (uint32_t k = 0; k < d->cu_count; k++)
            memset(d->cu[k].full, 0, sizeof d->cu[k].full);
    for (uint32_t n = 0; d->full_of && n < d->engine_count; n++)
        d->engine[n].full = 0;
    d->full_of = t;
}

/* Finds a CU or WGP of the shader engine for the die's next workgroup of a dispatch. */
static bool place_group(struct dispatcher *d, struct timing_dispatch *t, const struct dispatch_grid *grid,
                        struct dispatch_engine *se)
{
    uint32_t candidates = se->cu_count * (whole_wgp(d->x, t->launch) ? 1 : d->x->parts);
    uint32_t waves = launch_group_waves(t->launch, grid->next_group);
    struct placement where;

    if (d->full_of != t)
        forget_full(d, t);
    if (waves > t->scratch_free || (se->full && waves >= se->full))
        return false;
    for (uint32_t k = 0; k < candidates; k++) {
        uint32_t at = (se->turn + k) % candidates;
        struct cu *c = &d->cu[se->cus[at % se->cu_count]];

        if (!find_placement(c, t, at / se->cu_count, waves, &where))
            continue;
        se->turn = (at + 1) % candidates;
        d->no_memory |= !start_group(d, se, c, t, grid->next_group, &where, waves);
        return !d->no_memory;
    }
    se->full = waves; /* until one of them releases something */
    return false;
}

static void launch_wave(struct dispatcher *d, struct dispatch_engine *se, cycle_t now)
{
    struct cu_context *x = d->x;
    uint32_t n = se->next_wave++;

    if (!cu_launch(se->cu, se->group, n, se->simd[n], se->scratch[n], d->stamp++, now, d->arena))
        d->no_memory = true;
    else if (se->group->d->of->stopping)
        cu_end_waves(se->cu, se->group->d, now);
    se->free_at = now + x->profile->frontend.wave_launch_interval_cycles;
    if (se->next_wave == se->waves)
        se->cu = NULL;
}

static bool has_groups(const struct timing_dispatch *t, const struct dispatch_grid *grid)
{
    return !t->stopping && grid->next_group < t->launch->workgroup_count &&
           (!t->look.hold || grid->next_group < t->leap_from);
}

/* When the die has gone through the dispatch's grid as far as its next workgroup. */
static cycle_t reached_at(const struct dispatch_die *die, const struct dispatch_grid *grid)
{
    return cu_later(die->reached_at, grid->reached_at);
}

/* A die comes to the last leap. */
static void pass_leap(const struct timing_dispatch *t, struct dispatch_grid *grid)
{
    if (grid->next_group >= t->leap_from && grid->next_group < t->leap_to)
        grid->next_group += t->leap_to - t->leap_from;
}

void dispatcher_leap(struct dispatcher *d, struct timing_dispatch *t, uint64_t from, uint64_t count)
{
    assert(count % d->die_count == 0 && from + count <= t->launch->workgroup_count);
    t->leap_from = from;
    t->leap_to = from + count;
    t->groups -= count;
    for (uint32_t n = 0; n < d->die_count; n++) {
        /* the numbers of dies follow one another: what a die leaves out ends as far after the leap as it begins */
        if (t->grid[n].next_group >= from)
            t->grid[n].next_group += count;
    }
}

/* Starts a workgroup on a shader engine: of the oldest dispatch that has one which fits. */
static bool start_one(struct dispatcher *d, uint32_t of, struct dispatch_engine *se, cycle_t now)
{
    struct dispatch_die *die = &d->die[of];

    for (struct timing_dispatch *t = d->oldest; t && !d->no_memory; t = t->next) {
        struct dispatch_grid *grid = &t->grid[of];

        if (grid->nothing_fits || t->start > now || !has_groups(t, grid) || reached_at(die, grid) > now ||
            !place_group(d, t, grid, se))
            continue;
        grid->next_group += d->die_count;
        pass_leap(t, grid);
        die->reached_at = now + (cycle_t)d->die_count * d->x->profile->frontend.workgroup_interval_cycles;
        t->started++;
        return true;
    }
    return false;
}

/* Engines in turn, from the one after the last that took a workgroup. */
static void tick_die(struct dispatcher *d, uint32_t of, cycle_t now)
{
    struct dispatch_die *die = &d->die[of];
    uint32_t count = d->engine_count / d->die_count, first = die->turn;

    for (uint32_t k = 0; k < count && !d->no_memory; k++) {
        uint32_t n = (first + k) % count;
        struct dispatch_engine *se = &d->engine[of + n * d->die_count];

        if (se->free_at > now)
            continue;
        if (!se->cu && start_one(d, of, se, now))
            die->turn = (n + 1) % count;
        if (se->cu)
            launch_wave(d, se, now);
    }
}

/* The next cycle in which one of its engines may take a workgroup of the dispatch. */
static cycle_t next_group_at(const struct dispatcher *d, struct timing_dispatch *t, uint32_t of, cycle_t now)
{
    struct dispatch_grid *grid = &t->grid[of];
    cycle_t next = CYCLE_NEVER, reached = cu_later(reached_at(&d->die[of], grid), t->start);

    if (!has_groups(t, grid))
        return CYCLE_NEVER;
    grid->nothing_fits = reached <= now;
    for (uint32_t n = of; n < d->engine_count; n += d->die_count) {
        const struct dispatch_engine *se = &d->engine[n];
        cycle_t at = se->free_at > now ? se->free_at : now + 1;

        if (se->cu || se->free_at > now) {
            next = cu_earlier(next, cu_later(at, reached));
            grid->nothing_fits = false;
        }
    }
    return reached > now ? cu_earlier(next, reached) : next;
}

/* The next cycle in which one of its engines has a wave to launch or may take a workgroup. */
static cycle_t next_of_die(struct dispatcher *d, uint32_t of, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    for (uint32_t n = of; n < d->engine_count; n += d->die_count) {
        const struct dispatch_engine *se = &d->engine[n];

        if (se->cu)
            next = cu_earlier(next, se->free_at > now ? se->free_at : now + 1);
    }
    for (struct timing_dispatch *t = d->oldest; t; t = t->next)
        next = cu_earlier(next, next_group_at(d, t, of, now));
    return next;
}

cycle_t dispatcher_tick(struct dispatcher *d, cycle_t now)
{
    uint32_t releases = d->x->releases.count;
    cycle_t next = CYCLE_NEVER, released = cu_releases_take(d->x, now);

    if (d->x->releases.count != releases)
        dispatcher_look_again(d);
    for (uint32_t n = 0; n < d->die_count; n++) {
        tick_die(d, n, now);
        next = cu_earlier(next, next_of_die(d, n, now));
    }
    return !dispatcher_is_idle(d) && released < next ? released : next;
}
