/* Models global wave sync: counts arrivals, holds waves and lets them go (isa/gws.h). */
#include "isa/gws.h"

#include <string.h>

void isa_gws_init(struct isa_gws *g)
{
    memset(g, 0, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
}

void isa_gws_destroy(struct isa_gws *g)
{
    pthread_mutex_destroy(&g->lock);
}

void isa_gws_copy(struct isa_gws *to, struct isa_gws *from)
{
    int64_t counter[ISA_GWS_RESOURCES];

    pthread_mutex_lock(&from->lock);
    for (unsigned k = 0; k < ISA_GWS_RESOURCES; k++)
        counter[k] = from->r[k].counter;
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_lock(&to->lock);
    for (unsigned k = 0; k < ISA_GWS_RESOURCES; k++)
        to->r[k].counter = counter[k];
    pthread_mutex_unlock(&to->lock);
}

void isa_gws_begin(struct isa_gws *g, bool collects)
{
    for (unsigned k = 0; k < ISA_GWS_RESOURCES; k++) {
        g->r[k].first = g->r[k].last = NULL;
        g->r[k].latest = 0;
    }
    g->released = NULL;
    g->collects = collects;
}

static void note_change(struct isa_gws *g)
{
    __atomic_store_n(&g->changes, g->changes + 1, __ATOMIC_RELEASE);
}

static void enqueue(struct isa_gws_resource *r, struct isa_wave *w)
{
    w->gws_next = NULL;
    if (r->last)
        r->last->gws_next = w;
    else
        r->first = w;
    r->last = w;
    __atomic_store_n(&w->gws_waits, 1, __ATOMIC_RELAXED);
}

static void release_first(struct isa_gws *g, struct isa_gws_resource *r, uint64_t now)
{
    struct isa_wave *w = r->first;

    r->first = w->gws_next;
    if (!r->first)
        r->last = NULL;
    w->gws_at = now;
    if (g->collects) {
        w->gws_next = g->released;
        g->released = w;
    }
    __atomic_store_n(&w->gws_waits, 0, __ATOMIC_RELEASE); /* it may run on, on another thread */
}

static void serve(struct isa_gws *g, struct isa_gws_resource *r, uint64_t now)
{
    for (; r->counter > 0 && r->first; r->counter--)
        release_first(g, r, now);
    note_change(g);
}

void isa_gws_set(struct isa_gws *g, unsigned id, uint32_t value)
{
    pthread_mutex_lock(&g->lock);
    g->r[id].counter = value;
    g->r[id].latest = 0;
    note_change(g);
    pthread_mutex_unlock(&g->lock);
}

int isa_gws_barrier(struct isa_gws *g, unsigned id, struct isa_wave *w, uint32_t value, uint64_t now)
{
    struct isa_gws_resource *r = &g->r[id];

    pthread_mutex_lock(&g->lock);
    if (now > r->latest)
        r->latest = now;
    enqueue(r, w);
    if (r->counter > 0) {
        r->counter--;
    } else {
        while (r->first)
            release_first(g, r, r->latest);
        r->counter = value;
        r->latest = 0;
    }
    note_change(g);
    pthread_mutex_unlock(&g->lock);
    return ISA_GWS;
}

int isa_gws_take(struct isa_gws *g, unsigned id, struct isa_wave *w, uint64_t now)
{
    pthread_mutex_lock(&g->lock);
    enqueue(&g->r[id], w);
    serve(g, &g->r[id], now);
    pthread_mutex_unlock(&g->lock);
    return ISA_GWS;
}

void isa_gws_give(struct isa_gws *g, unsigned id, uint32_t count, uint64_t now)
{
    pthread_mutex_lock(&g->lock);
    g->r[id].counter += count;
    serve(g, &g->r[id], now);
    pthread_mutex_unlock(&g->lock);
}

void isa_gws_release_all(struct isa_gws *g, unsigned id, uint64_t now)
{
    pthread_mutex_lock(&g->lock);
    g->r[id].counter = 0;
    for (const struct isa_wave *w = g->r[id].first; w; w = w->gws_next)
        g->r[id].counter++;
    serve(g, &g->r[id], now);
    pthread_mutex_unlock(&g->lock);
}

struct isa_wave *isa_gws_released(struct isa_gws *g)
{
    struct isa_wave *w = g->released;

    g->released = NULL;
    return w;
}

uint64_t isa_gws_changes(const struct isa_gws *g)
{
    return __atomic_load_n(&g->changes, __ATOMIC_ACQUIRE);
}

static void remove_from(struct isa_gws_resource *r, const struct isa_wave *w)
{
    struct isa_wave *before = NULL;

    for (struct isa_wave *x = r->first; x; before = x, x = x->gws_next) {
        if (x != w)
            continue;
        if (before)
            before->gws_next = x->gws_next;
        else
            r->first = x->gws_next;
        if (r->last == x)
            r->last = before;
        return;
    }
}

void isa_gws_forget(struct isa_gws *g, const struct isa_wave *w)
{
    pthread_mutex_lock(&g->lock);
    for (unsigned k = 0; k < ISA_GWS_RESOURCES; k++)
        remove_from(&g->r[k], w);
    if (w->cluster)
        remove_from(&w->cluster->r, w);
    pthread_mutex_unlock(&g->lock);
}

/* Clusters --------------------------------------------------------------------------------------------------------- */

void isa_cluster_begin(struct isa_cluster *c, uint32_t members)
{
    *c = (struct isa_cluster){.members = members};
}

static void complete_cluster(struct isa_gws *g, struct isa_cluster *c)
{
    if (!c->r.counter || c->r.counter < c->members)
        return;
    c->r.counter = 0;
    c->phase++;
    c->completed = c->r.latest;
    for (struct isa_wave *w = c->r.first; w; w = c->r.first) {
        w->cluster_seen = c->phase;
        release_first(g, &c->r, c->completed);
    }
    c->r.latest = 0;
}

bool isa_cluster_signal(struct isa_wave *w, uint64_t now)
{
    struct isa_cluster *c = w->cluster;

    pthread_mutex_lock(&w->gws->lock);
    bool first = c->r.counter++ == 0;
    if (now > c->r.latest)
        c->r.latest = now;
    complete_cluster(w->gws, c);
    note_change(w->gws);
    pthread_mutex_unlock(&w->gws->lock);
    return first;
}

int isa_cluster_wait(struct isa_wave *w)
{
    struct isa_cluster *c = w->cluster;

    pthread_mutex_lock(&w->gws->lock);
    bool open = c->phase != w->cluster_seen;
    if (open) {
        w->cluster_seen = c->phase;
        w->gws_at = c->completed;
    } else {
        enqueue(&c->r, w);
    }
    note_change(w->gws);
    pthread_mutex_unlock(&w->gws->lock);
    return open ? ISA_OK : ISA_GWS;
}

void isa_cluster_leave(struct isa_wave *w, uint64_t now)
{
    struct isa_cluster *c = w->cluster;

    pthread_mutex_lock(&w->gws->lock);
    c->members--;
    if (now > c->r.latest)
        c->r.latest = now;
    complete_cluster(w->gws, c);
    note_change(w->gws);
    pthread_mutex_unlock(&w->gws->lock);
}

uint32_t isa_cluster_state(const struct isa_wave *w)
{
    pthread_mutex_lock(&w->gws->lock);
    uint32_t v = (uint32_t)w->cluster->r.counter << 16 | w->cluster->members << 4 | 1;
    pthread_mutex_unlock(&w->gws->lock);
    return v;
}
