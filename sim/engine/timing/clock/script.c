/* Launches waves where and when a recording says, in the place of the dispatcher. */
#include "sim/engine/timing/clock/script.h"

#include "sim/engine/timing/clock/dispatcher.h"

bool script_player_init(struct script_player *p, const struct timing_script *script, struct arena *arena)
{
    *p = (struct script_player){.script = script};
    if (!script)
        return true;
    p->placed = ARENA_NEW(arena, script->count / 64 + 1, uint64_t);
    return p->placed != NULL;
}

/* The workgroup a wave belongs to, begun with its first wave. */
static struct cu_group *group_of(struct script_player *p, struct cu *c, struct cu_dispatch *d,
                                 const struct timing_script_wave *w, struct arena *arena)
{
    const struct launch *l = d->launch;
    struct cu_group *g = NULL;
    uint32_t waves = 0;
    uint8_t *lds;

    if (!cu_furnish(c, arena))
        return NULL;
    for (uint32_t k = 0; k < c->group_count; k++) {
        if (c->group[k].used && c->group[k].id == w->group)
            return &c->group[k];
        if (!c->group[k].used && !g)
            g = &c->group[k];
    }
    if (!g)
        return NULL;
    for (uint32_t k = 0; k < p->script->count; k++)
        waves += p->script->wave[k].group == w->group;
    lds = g->lds ? g->lds : arena_alloc(arena, launch_lds_bytes(l), 1, 64);
    if (!lds)
        return NULL;
    *g = (struct cu_group){.id = w->group,
                           .d = d,
                           .lds = lds,
                           .lds_room = launch_lds_bytes(l),
                           .lds_alloc_bytes = l->occupancy.lds_alloc_bytes,
                           .placed = waves,
                           .part = CU_MAX_PARTS,
                           .multiwave = waves > 1,
                           .used = true};
    isa_barriers_init(&g->barriers, waves);
    c->lds_bytes[c->x->profile->cu.lds_per_wgp ? 0 : c->wave[w->simd * c->x->slots].part] += g->lds_alloc_bytes;
    if (g->multiwave)
        c->barriers++;
    return g;
}

/* False when it has to wait. */
static bool place(struct script_player *p, struct cu *c, struct cu_dispatch *d, const struct timing_script_wave *s,
                  uint32_t stamp, struct arena *arena, cycle_t now, bool *no_memory)
{
    struct cu_simd *simd = &c->simd[s->simd];
    struct cu_context *x = c->x;
    struct cu_group *g;
    struct cu_wave *w;
    uint32_t slot;

    if (!(~simd->booked & (uint32_t)((UINT64_C(1) << x->slots) - 1)) || !d->of->scratch_free)
        return false;
    slot = (uint32_t)__builtin_ctz(~simd->booked);
    g = group_of(p, c, d, s, arena);
    cu_allocate(c, d, s->simd);
    if (!g || !cu_launch(c, g, s->number, s->simd, d->of->scratch[--d->of->scratch_free], stamp, now, arena)) {
        *no_memory = true;
        return false;
    }
    w = &c->wave[s->simd * x->slots + slot];
    w->script = s;
    w->script_waits = w->script_steps = 0;
    if (s->path_count)
        w->info = timing_table_at(d->table, s->path[0], w->isa);
    if (s->first > now && !s->first_ends) {
        w->hold_until = s->first;
        cu_wave_sleep(c, w, STALL_LAUNCH, w->hold_until);
    }
    return true;
}

cycle_t script_player_tick(struct script_player *p, struct cu *c, struct cu_dispatch *d, struct arena *arena,
                           cycle_t now, bool *no_memory)
{
    const struct timing_script *s = p->script;

    for (uint32_t k = p->next; k < s->count; k++) {
        if (s->wave[k].start > now)
            return s->wave[k].start;
        if (p->placed[k / 64] >> k % 64 & 1 || !place(p, c, d, &s->wave[k], k, arena, now, no_memory))
            continue;
        p->placed[k / 64] |= UINT64_C(1) << k % 64;
        while (p->next < s->count && p->placed[p->next / 64] >> p->next % 64 & 1)
            p->next++;
    }
    return CYCLE_NEVER;
}
