/* Races between workgroups on the timing engine: what its events say of accesses, waits and cache control, in the order
 * of cycles (global.h). Events do not say which lanes of a flat instruction went to LDS; none are taken to have. */
#include <stdlib.h>

#include "sim/check/global.h"

struct timed_group {
    struct timed_group *next;
    struct global_group *group;
    uint64_t id;
    unsigned launched, ended, waves;
};

struct timed_wave {
    struct timed_group *group; /* null: no wave is there */
    struct global_wave wave;
    struct check_counts n;
};

/* For a CU, by SIMD and slot. */
enum { SIMDS = 8, SLOTS = 64 };
struct timed_cu {
    struct timed_wave *wave[SIMDS][SLOTS];
};

struct global_events {
    struct check *check;
    struct global *global;
    struct check_group *infos;
    struct timed_group *running, *spare;
    struct timed_cu *cu[UINT16_MAX + 1];
};

struct global_events *global_events_open(struct check *c, struct global *g, struct check_group *infos)
{
    struct global_events *s = calloc(1, sizeof *s);

    if (s)
        *s = (struct global_events){.check = c, .global = g, .infos = infos};
    return s;
}

static void free_groups(struct timed_group *list)
{
    while (list) {
        struct timed_group *next = list->next;

        free(list);
        list = next;
    }
}

void global_events_close(struct global_events *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < sizeof s->cu / sizeof s->cu[0]; k++) {
        for (size_t w = 0; s->cu[k] && w < SIMDS * SLOTS; w++)
            free(s->cu[k]->wave[w / SLOTS][w % SLOTS]);
        free(s->cu[k]);
    }
    free_groups(s->running);
    free_groups(s->spare);
    free(s);
}

/* The running workgroup, begun if need be. Null: out of host memory. */
static struct timed_group *group_of(struct global_events *s, uint64_t id)
{
    struct timed_group *g;

    for (g = s->running; g; g = g->next)
        if (g->id == id)
            return g;
    if ((g = s->spare))
        s->spare = g->next;
    else if (!(g = calloc(1, sizeof *g)))
        return NULL;
    *g = (struct timed_group){.id = id, .waves = launch_group_waves(s->check->launch, id)};
    if (!(g->group = global_begin(s->global, id))) {
        free(g);
        return NULL;
    }
    g->next = s->running;
    s->running = g;
    return g;
}

/* The wave in a place; null: out of host memory. */
static struct timed_wave *wave_at(struct global_events *s, const struct event *e)
{
    struct timed_cu **cu = &s->cu[e->cu];

    if (!*cu && !(*cu = calloc(1, sizeof **cu)))
        return NULL;
    struct timed_wave **w = &(*cu)->wave[e->simd % SIMDS][e->slot % SLOTS];
    if (!*w)
        *w = calloc(1, sizeof **w);
    return *w;
}

static void launched(struct global_events *s, struct timed_wave *w, const struct event *e)
{
    *w = (struct timed_wave){.group = group_of(s, e->group)};
    if (!w->group)
        s->check->no_memory = true;
}

static void ended(struct global_events *s, struct timed_wave *w)
{
    struct timed_group *g = w->group, **at;

    w->group = NULL;
    if (++g->ended < g->waves)
        return;
    global_end(s->global, g->group);
    for (at = &s->running; *at != g; at = &(*at)->next)
        ;
    *at = g->next;
    g->next = s->spare;
    s->spare = g;
}

static void accessed(struct global_events *s, struct timed_wave *w, const struct check_info *i, const struct event *e)
{
    struct global_access a = {.op = e->access.op,
                              .lanes = e->access.lanes,
                              .addr = e->access.addr,
                              .pieces = e->access.pieces,
                              .bytes = e->access.bytes,
                              .step = e->access.step};

    global_after(s->global, w->group->group, &w->wave, e->wave, &w->n, i, global_acquires(s->global), &a);
}

static void issued(struct global_events *s, struct timed_wave *w, const struct check_info *i, const struct event *e)
{
    uint32_t number[WAIT_COUNT];
    uint8_t order[WAIT_COUNT];

    if (w->wave.syncs && !i->waits) {
        w->wave.syncs = false;
        global_synced(s->global, w->group->group);
    }
    check_count(s->check->launch->target, &w->n, i, false, number, order);
    if (i->invalidates || i->writes_back || (i->kind & KIND_GDS))
        global_after(s->global, w->group->group, &w->wave, e->wave, &w->n, i, global_acquires(s->global), NULL);
}

static void take_event(struct global_events *s, const struct event *e)
{
    struct timed_wave *w = wave_at(s, e);

    if (!w) {
        s->check->no_memory = true;
        return;
    }
    if (e->kind == EVENT_WAVE_LAUNCH)
        launched(s, w, e);
    if (!w->group || e->kind == EVENT_WAVE_LAUNCH)
        return;
    if (e->kind == EVENT_WAVE_END) {
        ended(s, w);
        return;
    }
    const struct check_info *i = check_info_at(s->infos, e->pc, 0);
    if (!i)
        s->check->no_memory = true;
    else if (i->inst && i->inst->row && e->kind == EVENT_ISSUE)
        issued(s, w, i, e);
    else if (i->inst && i->inst->row)
        accessed(s, w, i, e);
}

void global_events_take(void *ctx, const struct event *e, size_t count)
{
    struct global_events *s = ctx;

    for (const struct event *end = e + count; e < end && !s->check->no_memory; e++)
        if (GLOBAL_EVENTS >> e->kind & 1)
            take_event(s, e);
}
