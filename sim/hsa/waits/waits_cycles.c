/* What of a graph goes on by itself, and cycles of what does not. */
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/waits/waits_make.h"

/* Going on --------------------------------------------------------------------------------------------------------- */

static bool edge_goes_on(const struct waits *w, const struct wait_edge *e)
{
    return e->how == WAIT_VALUE ? e->completions <= w->node[e->to].ready : w->node[e->to].goes_on;
}

/* What packets before it, and others, have to do comes first; then one of the conditions suffices, or it takes
 * all. */
static bool node_goes_on(struct waits *w, struct wait_node *n)
{
    uint32_t values = 0, ready = 0;
    bool others = true;

    for (uint32_t k = n->first; k < n->first + n->edges; k++) {
        struct wait_edge *e = &w->edge[k];

        e->goes_on = edge_goes_on(w, e);
        if (e->how == WAIT_VALUE || e->how == WAIT_COMPLETION) {
            values++;
            ready += e->goes_on;
        } else {
            others &= e->goes_on;
        }
    }
    if (n->kind == WAIT_SIGNAL) {
        n->ready = ready;
        return ready > 0;
    }
    if (n->kind == WAIT_PACKET && (n->state == WAIT_STOPPED || n->state == WAIT_UNWRITTEN))
        return false;
    return others && (n->any ? n->held || ready : ready == values && !n->unlooked);
}

/* Nodes mostly come before those that they wait for, so few turns suffice. */
static void find_goers(struct waits *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = w->nodes; k-- > 0;) {
            struct wait_node *n = &w->node[k];
            const uint32_t ready = n->ready;
            const bool goes_on = node_goes_on(w, n);

            changed |= goes_on != n->goes_on || ready != n->ready;
            n->goes_on = goes_on;
        }
    }
}

static void find_missing(struct waits *w)
{
    for (uint32_t k = 0; k < w->edges; k++) {
        const struct wait_edge *e = &w->edge[k];
        struct wait_node *s = &w->node[e->to];
        uint64_t missing;

        if (e->how != WAIT_VALUE)
            continue;
        missing = e->completions == WAITS_NEVER ? WAITS_NEVER
                  : e->completions <= s->edges  ? 0
                                                : e->completions - s->edges;
        if (s->missing < missing)
            s->missing = missing;
    }
}

/* Cycles ----------------------------------------------------------------------------------------------------------- */

enum { UNSEEN, ON_PATH, DONE };

struct step {
    uint32_t node, next; /* next: edge to follow */
};

struct search {
    struct waits_make *m;
    uint8_t *seen;
    bool *named;
    struct step *path;
    uint32_t depth;
};

/* The path from `from` on has come back to itself. It is listed from the first of its nodes that is no signal. */
static void add_cycle(struct search *s, uint32_t from)
{
    struct waits *w = s->m->w;
    uint32_t nodes = s->depth - from, first = from;
    struct wait_cycle *c = &w->cycle[w->cycles];

    for (uint32_t k = from; k < s->depth; k++) {
        const struct wait_node *n = &w->node[s->path[k].node];

        if (s->named[s->path[k].node])
            return;
        if (n->kind != WAIT_SIGNAL &&
            (w->node[s->path[first].node].kind == WAIT_SIGNAL || s->path[k].node < s->path[first].node))
            first = k;
    }
    if (w->cycles == WAITS_CYCLES) {
        w->cut = true;
        return;
    }
    c->node = ARENA_NEW(&w->arena, nodes, uint32_t);
    s->m->no_memory |= !c->node;
    if (!c->node)
        return;
    for (uint32_t k = 0; k < nodes; k++) {
        c->node[k] = s->path[from + (first - from + k) % nodes].node;
        s->named[c->node[k]] = true;
    }
    c->nodes = nodes;
    w->cycles++;
}

static void enter(struct search *s, uint32_t node)
{
    s->seen[node] = ON_PATH;
    s->path[s->depth++] = (struct step){node, s->m->w->node[node].first};
}

static void search_from(struct search *s, uint32_t start)
{
    const struct waits *w = s->m->w;

    enter(s, start);
    while (s->depth) {
        struct step *top = &s->path[s->depth - 1];
        const struct wait_node *n = &w->node[top->node];
        const struct wait_edge *e;

        if (top->next == n->first + n->edges) {
            s->seen[top->node] = DONE;
            s->depth--;
            continue;
        }
        e = &w->edge[top->next++];
        if (e->goes_on)
            continue;
        if (s->seen[e->to] == UNSEEN) {
            enter(s, e->to);
        } else if (s->seen[e->to] == ON_PATH) {
            uint32_t from = s->depth - 1;

            while (s->path[from].node != e->to)
                from--;
            add_cycle(s, from);
        }
    }
}

void waits_find_cycles(struct waits_make *m)
{
    struct waits *w = m->w;
    struct search s = {.m = m,
                       .seen = ARENA_NEW(&w->arena, w->nodes, uint8_t),
                       .named = ARENA_NEW(&w->arena, w->nodes, bool),
                       .path = ARENA_NEW(&w->arena, w->nodes, struct step)};

    m->no_memory |= !s.seen || !s.named || !s.path;
    if (m->no_memory)
        return;
    find_goers(w);
    find_missing(w);
    for (uint32_t k = 0; k < w->nodes; k++)
        if (!w->node[k].goes_on && s.seen[k] == UNSEEN)
            search_from(&s, k);
}
