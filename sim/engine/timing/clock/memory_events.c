/* Events of memory: line requests of CUs, the level and latency of each answer, hits, fills and evictions. */
#include "sim/engine/timing/clock/memory_events.h"

#include <stdlib.h>

#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/cu/emit.h"

struct request {
    uint64_t token, group;
    gaddr_t addr, pc;
    cycle_t at;
    uint32_t bytes, next;
    uint16_t wave, dispatch;
    uint8_t simd, slot, op, level;
    bool control; /* a cache invalidation or write-back, which has no events */
};

static struct request_port *port_of(const struct memory_events *m, uint32_t cu, enum mem_port_kind port)
{
    return &m->port[(size_t)cu * MEM_PORTS + port];
}

static struct cu *cu_of(const struct memory_events *m, uint32_t cu)
{
    return &m->run->cu[cu / m->run->x.parts];
}

static struct event_buffer *buffer_of(const struct memory_events *m, uint32_t cu)
{
    return cu_of(m, cu)->x->event_buffer;
}

/* Whether the requests of a CU have numbers. */
static bool follows(const struct memory_events *m, uint32_t cu)
{
    return engine_counts_insts(&m->run->options) || cu_of(m, cu)->events & EVENT_MEMORY;
}

/* Makes sure that there is a number for another request. Without memory for it the compute unit, and with it the run,
 * stops. */
static bool has_number(struct memory_events *m, uint32_t cu, enum mem_port_kind port)
{
    struct request_port *p = port_of(m, cu, port);
    uint32_t capacity = p->capacity ? 2 * p->capacity : 64;
    struct request *more;

    if (p->free || !follows(m, cu))
        return true;
    more = realloc(p->request, capacity * sizeof *more);
    if (!more) {
        struct cu *c = cu_of(m, cu);

        c->stopped = c->no_memory = true;
        return false;
    }
    for (uint32_t k = capacity; k-- > p->capacity;) {
        more[k].next = p->free;
        p->free = k + 1;
    }
    p->request = more;
    p->capacity = capacity;
    return true;
}

static uint32_t take_number(struct request_port *p, const struct request *q)
{
    uint32_t n = p->free - 1;

    p->free = p->request[n].next;
    p->request[n] = *q;
    return n;
}

/* The wave and instruction of a request: those of its memory operation, or the wave that fetches. */
static void find_owner(struct memory_events *m, uint32_t cu, enum mem_port_kind port, struct request *q)
{
    const struct cu *c = cu_of(m, cu);
    const struct cu_wave *w;

    if (q->token == MEM_TOKEN_NONE) {
        q->pc = port == MEM_PORT_INST ? q->addr : 0;
        return;
    }
    if (port == MEM_PORT_INST) {
        w = &c->wave[q->token & 0xffff];
        q->pc = q->addr;
    } else {
        w = &c->wave[c->op[q->token & 0xffff].wave];
        q->pc = c->op[q->token & 0xffff].info->pc;
    }
    q->group = w->group->id;
    q->dispatch = w->d->event_tag;
    q->wave = (uint16_t)w->number;
    q->simd = (uint8_t)(w->simd % c->x->simds_per_part);
    q->slot = w->slot;
}

static void emit_request(struct memory_events *m, uint32_t cu, enum mem_port_kind port, enum event_kind kind,
                         uint32_t number, const struct request *q, cycle_t now)
{
    static const uint8_t event_port[MEM_PORTS] = {[MEM_PORT_VECTOR] = EVENT_PORT_VECTOR,
                                                  [MEM_PORT_SCALAR] = EVENT_PORT_SCALAR,
                                                  [MEM_PORT_INST] = EVENT_PORT_INST};
    struct event *e;

    if (!cu_emits(cu_of(m, cu), kind))
        return;
    e = event_add(buffer_of(m, cu), kind, now);
    e->pc = q->pc;
    e->group = q->group;
    e->dispatch = q->dispatch;
    e->wave = q->wave;
    e->cu = (uint16_t)cu;
    e->simd = q->simd;
    e->slot = q->slot;
    e->level = kind == EVENT_ANSWER ? q->level : 0;
    e->request.addr = q->addr;
    e->request.bytes = q->bytes;
    e->request.number = number;
    e->request.latency_cycles = (uint32_t)(now - q->at);
    e->request.op = q->op;
    e->request.port = event_port[port];
}

/* The plug --------------------------------------------------------------------------------------------------------- */

static bool can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    struct memory_events *m = ctx;

    return has_number(m, cu, port) && m->plug.can_accept(m->plug.ctx, cu, port, addr);
}

static void accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    static const uint8_t nearest[MEM_PORTS] = {
        [MEM_PORT_VECTOR] = LEVEL_VL0, [MEM_PORT_SCALAR] = LEVEL_K, [MEM_PORT_INST] = LEVEL_I};
    struct memory_events *m = ctx;
    struct request q = {.token = req->token, .addr = req->addr, .bytes = req->bytes, .op = req->op, .at = now};
    struct mem_req numbered = *req;
    uint32_t number = EVENT_NO_TOKEN;

    if (!follows(m, cu)) {
        m->plug.accept(m->plug.ctx, cu, port, req, now);
        return;
    }
    q.level = nearest[port];
    find_owner(m, cu, port, &q);
    if (req->token != MEM_TOKEN_NONE)
        numbered.token = number = take_number(port_of(m, cu, port), &q);
    emit_request(m, cu, port, EVENT_REQUEST, number, &q, now);
    m->plug.accept(m->plug.ctx, cu, port, &numbered, now);
}

static bool control(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                    uint64_t token, cycle_t now)
{
    struct memory_events *m = ctx;
    struct request_port *p = port_of(m, cu, port);
    uint64_t number = token;

    if (!follows(m, cu))
        return m->plug.control(m->plug.ctx, cu, port, invalidate, write_back, token, now);
    if (token != MEM_TOKEN_NONE) {
        if (!has_number(m, cu, port))
            return false;
        number = take_number(p, &(struct request){.token = token, .control = true});
    }
    if (m->plug.control(m->plug.ctx, cu, port, invalidate, write_back, number, now))
        return true;
    if (token != MEM_TOKEN_NONE) {
        p->request[number].next = p->free;
        p->free = (uint32_t)number + 1;
    }
    return false;
}

static void await_credit(void *ctx, uint32_t cu, enum mem_port_kind port)
{
    struct memory_events *m = ctx;

    m->plug.await_credit(m->plug.ctx, cu, port);
}

bool memory_events_wanted(const struct engine_options *o)
{
    return engine_counts_insts(o) || (event_kinds(o->consumers) | event_kinds(o->shared_consumers)) & EVENT_MEMORY;
}

bool memory_events_attach(struct memory_events *m, struct run *run)
{
    m->run = run;
    if (!memory_events_wanted(&run->options))
        return true;
    m->ports = (size_t)run->most_cus * run->x.parts * MEM_PORTS;
    m->port = calloc(m->ports, sizeof *m->port);
    m->plug = run->x.memory;
    run->x.memory = (struct cu_memory){.ctx = m,
                                       .can_accept = can_accept,
                                       .accept = accept,
                                       .control = m->plug.control ? control : NULL,
                                       .await_credit = m->plug.await_credit ? await_credit : NULL};
    return m->port != NULL;
}

void memory_events_free(struct memory_events *m)
{
    for (size_t k = 0; m->port && k < m->ports; k++)
        free(m->port[k].request);
    free(m->port);
    m->port = NULL;
}

/* Returns the instruction of an answered request. */
static void note_answer(const struct memory_events *m, uint32_t cu, const struct request *q)
{
    const struct cu *c = cu_of(m, cu);
    struct cu_op *op = &c->op[q->token & 0xffff];

    op->farthest = !op->requested || q->level > op->farthest ? q->level : op->farthest;
    op->requested = true;
    if (c->wave[op->wave].d->per_inst)
        op->info->profile[c->x->thread].stat[STAT_INST_ANSWERED + q->level]++;
}

uint64_t memory_events_answer(struct memory_events *m, uint32_t cu, enum mem_port_kind port, uint64_t number,
                              cycle_t now)
{
    struct request_port *p = port_of(m, cu, port);
    struct request *q;

    if (!follows(m, cu))
        return number;
    q = &p->request[number];
    if (!q->control)
        emit_request(m, cu, port, EVENT_ANSWER, (uint32_t)number, q, now);
    if (!q->control && port != MEM_PORT_INST)
        note_answer(m, cu, q);
    q->next = p->free;
    p->free = (uint32_t)number + 1;
    return q->token;
}

/* What the hierarchy reports --------------------------------------------------------------------------------------- */

static void on_answered(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t number, enum cache_level level)
{
    if (follows(ctx, cu))
        port_of(ctx, cu, port)->request[number].level = (uint8_t)level;
}

static void on_hit(void *ctx, const struct hierarchy_hit *h)
{
    struct memory_events *m = ctx;
    enum mem_port_kind port = h->level == LEVEL_K ? MEM_PORT_SCALAR : MEM_PORT_VECTOR;
    struct event *e;

    if (!cu_emits(cu_of(m, h->cu), EVENT_CACHE_HIT))
        return;
    e = event_add(buffer_of(m, h->cu), EVENT_CACHE_HIT, h->at);
    e->level = (uint8_t)h->level;
    e->cu = (uint16_t)h->cu;
    e->hit.addr = h->addr;
    e->hit.fetched = h->asked;
    e->hit.token =
        h->token == MEM_TOKEN_NONE ? EVENT_NO_TOKEN : (uint32_t)port_of(m, h->cu, port)->request[h->token].token;
    e->hit.cus = (uint16_t)h->cus;
    e->hit.first_cu = (uint16_t)h->first_cu;
    e->hit.all = (uint16_t)h->all_cus;
    e->hit.line_bytes = (uint16_t)h->line_bytes;
    e->hit.ports = (uint8_t)h->ports;
    e->hit.op = (uint8_t)h->op;
}

static void on_line(void *ctx, const struct hierarchy_line *l)
{
    struct memory_events *m = ctx;
    uint32_t group = l->group == HIERARCHY_FAR ? m->run->most_groups : l->group;
    enum event_kind kind = l->filled ? EVENT_CACHE_FILL : EVENT_CACHE_EVICT;
    struct event *e;

    if (!(m->run->stream.kinds & EVENT_BIT(kind)))
        return;
    e = event_add(&m->run->stream.buffer[group], kind, l->at);
    e->level = (uint8_t)l->level;
    e->cu = (uint16_t)l->unit;
    e->line.addr = l->addr;
    e->line.dirty = l->dirty;
}

struct hierarchy_watch memory_events_watch(struct memory_events *m, const struct engine_options *o)
{
    uint32_t kinds = event_kinds(o->consumers) | event_kinds(o->shared_consumers);
    bool answers = engine_counts_insts(o) || kinds & (EVENT_BIT(EVENT_ANSWER) | EVENT_BIT(EVENT_COMPLETE));
    bool lines = kinds & (EVENT_BIT(EVENT_CACHE_FILL) | EVENT_BIT(EVENT_CACHE_EVICT));

    return (struct hierarchy_watch){.ctx = m,
                                    .hit = kinds & EVENT_BIT(EVENT_CACHE_HIT) ? on_hit : NULL,
                                    .line = lines ? on_line : NULL,
                                    .answered = answers ? on_answered : NULL};
}
