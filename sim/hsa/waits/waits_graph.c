/* Edges between what waits and what it waits for. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/waits/waits_make.h"
#include "sim/util/plain.h"

/* Signals ---------------------------------------------------------------------------------------------------------- */

struct held_signal {
    uint64_t handle; /* comes first: the key */
    uint32_t node;
};

struct wait_node *waits_add(struct waits_make *m, enum wait_kind kind, struct held_wait held)
{
    struct waits *w = m->w;

    if (w->nodes == WAITS_MOST) {
        w->cut = true;
        return NULL;
    }
    m->held[w->nodes] = held;
    w->node[w->nodes] = (struct wait_node){.kind = kind};
    return &w->node[w->nodes++];
}

static int by_handle(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void leave_to_arena(void *node)
{
    (void)node; /* the arena's */
}

static void describe(struct wait_node *n, uint64_t handle)
{
    const struct signal *s = signal_find((hsa_signal_t){handle});

    n->handle = handle;
    if (!s)
        return;
    n->known = true;
    n->value = signal_value(s);
    const struct queue *q = signal_queue(s);
    n->shared = signal_is_shared(s);
    n->number = __atomic_load_n(&s->number, __ATOMIC_RELAXED);
    n->doorbell = q != NULL;
    if (q)
        n->queue = q->number;
}

/* The node of a handle, which is made when there is none; WAITS_NONE: out of host memory, or too many. */
static uint32_t signal_node(struct waits_make *m, uint64_t handle)
{
    struct held_signal **found = tfind(&handle, &m->signals, by_handle), *made;
    struct wait_node *n;

    if (found)
        return (*found)->node;
    made = ARENA_NEW(&m->w->arena, 1, struct held_signal);
    m->no_memory |= !made;
    n = made ? waits_add(m, WAIT_SIGNAL, (struct held_wait){0}) : NULL;
    if (!n)
        return WAITS_NONE;
    describe(n, handle);
    *made = (struct held_signal){handle, (uint32_t)(n - m->w->node)};
    m->no_memory |= !tsearch(made, &m->signals, by_handle);
    return made->node;
}

/* How many completions make the condition hold, each of which counts the value down by one. */
static uint64_t completions_for(const struct signal_condition *c, const struct wait_node *s)
{
    const uint64_t above = (uint64_t)s->value - (uint64_t)c->compare;

    if (!s->known)
        return WAITS_NEVER;
    if (signal_holds(c->condition, s->value & c->mask, c->compare))
        return 0; /* by now */
    if (c->mask != -1 || c->condition == HSA_SIGNAL_CONDITION_NE)
        return 1;
    if (s->value < c->compare)
        return WAITS_NEVER;
    return c->condition == HSA_SIGNAL_CONDITION_LT ? above + 1 : above;
}

/* gone: whether a signal that has been destroyed counts as one whose condition holds. */
static bool holds(const struct signal_condition *c, bool gone)
{
    const struct signal *s = signal_find(c->signal);

    return s ? signal_holds(c->condition, signal_value(s) & c->mask, c->compare) : gone;
}

/* Edges ------------------------------------------------------------------------------------------------------------ */

static void add_edge(struct waits_make *m, uint32_t from, struct wait_edge e)
{
    struct waits *w = m->w;

    if (m->no_memory)
        return;
    if (e.to == WAITS_NONE) {
        w->node[from].unlooked++;
        return;
    }
    if (w->edges == m->edge_room) {
        uint32_t room = m->edge_room ? 2 * m->edge_room : 64;
        struct wait_edge *more = realloc(w->edge, room * sizeof *more);

        m->no_memory |= !more;
        if (!more)
            return;
        w->edge = more;
        m->edge_room = room;
    }
    w->edge[w->edges++] = e;
    w->node[from].edges++;
}

/* Packets and copies go by the signals that there are; threads stay where they are. */
static void add_conditions(struct waits_make *m, uint32_t from)
{
    const struct held_wait *h = &m->held[from];
    bool gone = m->w->node[from].kind == WAIT_COPY || m->w->node[from].kind == WAIT_PACKET;

    for (uint32_t k = 0; k < h->count; k++) {
        struct wait_edge e = {.how = WAIT_VALUE, .on = h->on[k]};

        if (holds(&e.on, gone)) {
            m->w->node[from].held++;
            continue;
        }
        e.to = signal_node(m, e.on.signal.handle);
        if (e.to != WAITS_NONE)
            e.completions = completions_for(&e.on, &m->w->node[e.to]);
        add_edge(m, from, e);
    }
}

/* Packets ---------------------------------------------------------------------------------------------------------- */

static bool is_unwritten(const struct held_queue *q, size_t at)
{
    return at >= q->next && q->packet[at].view.type == HSA_PACKET_TYPE_INVALID;
}

/* Whether no packet after it begins before something has changed. */
static bool blocks(const struct held_queue *q, size_t at)
{
    const struct packet_view *v = &q->packet[at].view;
    unsigned held = 0;

    if (at == q->next || is_unwritten(q, at))
        return true;
    for (unsigned k = 0; k < v->count; k++)
        held += holds(&v->on[k], true);
    return v->any ? v->count && !held : held < v->count;
}

static void find_blockers(struct held_queue *q)
{
    size_t last = SIZE_MAX;

    for (size_t k = q->next; k < q->packets; k++) {
        q->packet[k].blocker = last;
        if (blocks(q, k))
            last = k;
    }
}

static void name_kernel(struct waits_make *m, struct wait_node *n, uint64_t descriptor)
{
    const struct kernel *k = kernel_find(descriptor);
    char *name = k ? arena_text(&m->w->arena, k->info.name) : NULL;

    m->no_memory |= k && !name;
    kernel_release(k);
    if (name)
        n->name = plain_text(name, 0);
}

static enum wait_state state_of(const struct held_queue *q, size_t at)
{
    if (q->stopped)
        return WAIT_STOPPED;
    if (at < q->next)
        return WAIT_RUNS;
    if (is_unwritten(q, at))
        return WAIT_UNWRITTEN;
    return at == q->next ? WAIT_NEXT : WAIT_BEHIND;
}

/* The node of a packet, which is made when there is none; WAITS_NONE: too many. */
static uint32_t packet_node(struct waits_make *m, struct held_queue *q, size_t at)
{
    struct held_packet *p = &q->packet[at];
    struct held_wait held = {.queue = q, .at = at};
    struct wait_node *n;

    if (p->node != WAITS_NONE)
        return p->node;
    if (at >= q->next && !is_unwritten(q, at)) {
        held.on = p->view.on;
        held.count = p->view.count;
    }
    n = waits_add(m, WAIT_PACKET, held);
    if (!n)
        return WAITS_NONE;
    p->node = (uint32_t)(n - m->w->node);
    n->number = q->read + at;
    n->queue = q->number;
    n->state = state_of(q, at);
    n->type = p->view.type;
    n->barrier = p->view.barrier;
    n->any = p->view.any && p->view.count;
    n->dispatch = at < q->next ? p->view.dispatch : 0;
    n->behind = q->packets - at - 1;
    n->completes = p->view.completion.handle;
    if (p->view.kernel)
        name_kernel(m, n, p->view.kernel);
    return p->node;
}

/* The next one waits for those that run, one after it for the nearest one that may not begin. */
static void add_queue_edges(struct waits_make *m, uint32_t from)
{
    struct held_queue *q = m->held[from].queue;
    size_t at = m->held[from].at, blocker = q->packet[at].blocker;
    const struct packet_view *v = &q->packet[at].view;
    bool alone = v->barrier || (q->one_kernel && v->type == HSA_PACKET_TYPE_KERNEL_DISPATCH);

    if (at < q->next || q->stopped || is_unwritten(q, at))
        return;
    if (blocker != SIZE_MAX)
        add_edge(m, from, (struct wait_edge){.to = packet_node(m, q, blocker), .how = WAIT_BEGIN});
    for (size_t k = 0; at == q->next && alone && k < q->next; k++)
        if (!q->packet[k].view.ended)
            add_edge(m, from, (struct wait_edge){.to = packet_node(m, q, k), .how = WAIT_END});
}

/* Completions ------------------------------------------------------------------------------------------------------ */

static int by_signal(const void *a, const void *b)
{
    const struct held_completion *x = a, *y = b;

    if (x->signal != y->signal)
        return x->signal < y->signal ? -1 : 1;
    if (x->queue != y->queue)
        return !y->queue || (x->queue && x->queue->number < y->queue->number) ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void note_completion(struct waits_make *m, uint64_t signal, struct held_queue *q, size_t at)
{
    if (signal)
        m->completion[m->completions++] = (struct held_completion){signal, q, at};
}

/* For copies, and for packets that have not ended. */
static void list_completions(struct waits_make *m)
{
    size_t most = m->w->nodes;

    for (uint32_t k = 0; k < m->queues; k++)
        most += m->queue[k].packets;
    m->completion = ARENA_NEW(&m->w->arena, most, struct held_completion);
    m->no_memory |= !m->completion;
    if (m->no_memory)
        return;
    for (uint32_t k = 0; k < m->w->nodes; k++)
        note_completion(m, m->w->node[k].completes, NULL, k);
    for (uint32_t k = 0; k < m->queues; k++)
        for (size_t at = 0; at < m->queue[k].packets; at++)
            if (at >= m->queue[k].next || !m->queue[k].packet[at].view.ended)
                note_completion(m, m->queue[k].packet[at].view.completion.handle, &m->queue[k], at);
    qsort(m->completion, m->completions, sizeof *m->completion, by_signal);
}

static void add_completions(struct waits_make *m, uint32_t from)
{
    const uint64_t handle = m->w->node[from].handle;
    size_t lo = 0, hi = m->completions;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (m->completion[mid].signal < handle)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < m->completions && m->completion[lo].signal == handle; lo++) {
        const struct held_completion *c = &m->completion[lo];

        add_edge(m, from,
                 (struct wait_edge){.to = c->queue ? packet_node(m, c->queue, c->at) : (uint32_t)c->at,
                                    .how = WAIT_COMPLETION});
    }
}

/* What runs, and what is next, of each queue; packets after it are found when they complete or hold up something. */
static void add_packets(struct waits_make *m, struct held_queue *q)
{
    find_blockers(q);
    for (size_t k = 0; k < q->packets && k <= q->next; k++)
        if (k == q->next || !q->packet[k].view.ended)
            packet_node(m, q, k);
}

void waits_connect(struct waits_make *m)
{
    list_completions(m);
    for (uint32_t k = 0; k < m->queues && !m->no_memory; k++)
        add_packets(m, &m->queue[k]);
    for (uint32_t k = 0; k < m->w->nodes && !m->no_memory; k++) { /* they become more meanwhile */
        const enum wait_kind kind = m->w->node[k].kind;

        m->w->node[k].first = m->w->edges;
        if (kind == WAIT_PACKET)
            add_queue_edges(m, k);
        if (kind == WAIT_SIGNAL)
            add_completions(m, k);
        else
            add_conditions(m, k);
        if (kind == WAIT_HANDLER && m->in_handler != WAITS_NONE)
            add_edge(m, k, (struct wait_edge){.to = m->in_handler, .how = WAIT_RETURN});
    }
    tdestroy(m->signals, leave_to_arena);
    m->signals = NULL;
}
