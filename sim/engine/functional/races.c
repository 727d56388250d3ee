/* Races in LDS, looked for on the way: isa/lds_marks.h finds them between the waves of a workgroup, whose turns are
 * reported to it here. That of the lowest workgroup is kept, as of events, so that threads have no say in it;
 * workgroups above it are not looked at any more. */
#include "sim/engine/functional/functional.h"
#include "sim/engine/spin_loops.h"

#define FIRST_GROUPS 16

bool races_init_group(struct worker *k, struct group *g)
{
    const struct launch *l = k->run->l;
    uint8_t *maps;

    if (!k->run->finds_races)
        return true;
    maps = arena_alloc(&k->arena, 1, isa_lds_marks_bytes(launch_lds_bytes(l)), 64);
    if (maps)
        isa_lds_marks_init(&g->marks, launch_lds_bytes(l), maps);
    return maps != NULL;
}

/* Whether a workgroup's marks are worth their time: those of the first ones, of the last, and of a share of the others
 * that has no regard to rows and columns of a grid. */
static bool is_chosen(const struct launch *l, uint64_t id)
{
    return id < FIRST_GROUPS || id + 1 == l->workgroup_count || hash64(id, 3) == 0;
}

void races_start(struct worker *k, struct group *g)
{
    const struct run *r = k->run;

    g->marked = r->finds_races && g->waves > 1 && is_chosen(r->l, g->id) &&
                g->id < atomic_load_explicit(&r->race_from, memory_order_relaxed);
    for (unsigned i = 0; i < g->waves && g->marked; i++)
        g->wave[i].lds_marks = &g->marks;
}

static void record_race(struct run *r, const struct group *g, unsigned wave)
{
    const struct isa_lds_marks *m = &g->marks;

    pthread_mutex_lock(&r->lock);
    if (g->id < atomic_load(&r->race_from)) {
        r->race = (struct engine_lds_race){.pc = m->found_pc,
                                           .group = g->id,
                                           .wave = wave,
                                           .lane = m->found_lane,
                                           .offset = m->found_offset,
                                           .write = m->found_write};
        atomic_store(&r->race_from, g->id);
    }
    pthread_mutex_unlock(&r->lock);
}

/* No marks from here on, and none left for the next workgroup. */
static void stop(struct group *g)
{
    isa_lds_marks_start(&g->marks);
    g->marked = false;
    for (unsigned i = 0; i < g->waves; i++)
        g->wave[i].lds_marks = NULL;
}

void races_after_turn(struct worker *k, struct group *g, unsigned wave, enum isa_status status)
{
    if (!g->marked)
        return;
    const struct isa_wave *w = &g->wave[wave];

    if (g->marks.found && !g->marks.found_write && engine_spins(w->target, w->program, g->marks.found_pc, w->lanes)) {
        g->marks.found = false;
        g->marks.off = true; /* that is an order */
    }
    if (g->marks.found) {
        record_race(k->run, g, wave);
        stop(g);
        return;
    }
    /* anywhere else it may wait for others, and they for it */
    g->marks.off |= status != ISA_END && !g->paused && (status != ISA_BARRIER || g->wave[wave].barrier_wait != 0);
}

void races_after_barrier(struct group *g, bool known)
{
    if (g->marked)
        isa_lds_marks_void(&g->marks, g->now, known);
}

void races_end(struct group *g)
{
    if (g->marked)
        stop(g);
}
