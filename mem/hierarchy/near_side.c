/* The near side of the memory hierarchy and its cycle: ports of the CUs, the caches in front of L2, links to the far
 * side, cache control.
 */
#include "mem/hierarchy/internal.h"

#include <inttypes.h>
#include <stdio.h>

bool hierarchy_level_can_accept(const struct hierarchy *h, uint32_t u, gaddr_t addr)
{
    const struct unit *x = &h->unit[u];

    if (u == h->routes.below)
        return hierarchy_home_has_credit(h, addr);
    return x->cache ? cache_can_accept(x->cache, addr) : dram_can_accept(&h->dram, addr);
}

/* The port of a unit to the level below on its own side; ctx is the unit itself. */
bool hierarchy_below_can_accept(void *ctx, gaddr_t addr)
{
    struct unit *u = ctx, *b = &u->h->unit[u->below];
    bool ok = hierarchy_level_can_accept(u->h, u->below, addr);

    u->wait_addr = addr;
    if (!ok && !u->waits) {
        u->waits = true;
        b->waiters++;
    }
    return ok;
}

void hierarchy_pass_down(struct hierarchy *h, uint32_t below, const struct mem_req *req, cycle_t now)
{
    if (h->unit[below].cache) {
        wake_unit(h, below, cache_accept(h->unit[below].cache, req, now));
        return;
    }
    wake_unit(h, below, dram_accept(&h->dram, req, now));
    if (h->cfg.watch.answered)
        hierarchy_watch_memory(h, req);
}

void hierarchy_below_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct unit *u = ctx;

    hierarchy_pass_down(u->h, u->below, req, now);
}

/* The same for L2s on several dies. */
void hierarchy_home_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;

    if ((has_fabric(h) && hierarchy_routes_send(h, u, req, now)) ||
        (h->coherence.peers.count && hierarchy_coherence_hold(h, u->index, req, u->index, now)))
        return;
    hierarchy_pass_down(h, u->below, req, now);
}

/* The port of a near unit above the far side: a link. Only posted requests need a credit. */
static struct link *link_of(const struct unit *u, gaddr_t addr)
{
    return &u->h->link[u->first_link + cache_channel(u->cache, addr)];
}

bool hierarchy_link_can_accept(void *ctx, gaddr_t addr)
{
    const struct link *l = link_of(ctx, addr);

    return l->posted < l->posted_limit;
}

/* Looks the page up in the UTCL1. Returns the cycle in which the address of a request is translated that asks for it
 * now; the far side, which gets the request `down` cycles later, adds the time of a page walk. */
static cycle_t translated(struct unit *u, const struct mem_req *req, uint32_t down, cycle_t now)
{
    const struct tlb_config *t = &u->h->cfg.tlb;
    bool reads = req->op == MEM_LOAD || req->op == MEM_SCALAR;
    struct near_group *g = &u->h->group[u->group];
    struct down_box *box = &g->down[g->half];
    cycle_t at;

    if (!t->entries || !req->bytes)
        return now;
    if (utcl1_lookup(&u->utcl1, t, req->addr, now, &at))
        box->miss[box->misses++] = (struct utcl1_miss){at + down, req->addr, u->index, reads};
    return at;
}

void hierarchy_translate(struct unit *u, uint32_t channel, const struct mem_req *req, cycle_t now)
{
    cycle_t at = translated(u, req, cache_get_config(u->cache)->miss_latency_cycles, now);

    if (at > now)
        cache_hold(u->cache, channel, at + 1);
}

void hierarchy_link_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct unit *u = ctx;
    struct near_group *g = &u->h->group[u->group];
    struct link *l = link_of(u, req->addr);
    struct down_box *box = &g->down[g->half];
    cycle_t at = u->translates ? now : translated(u, req, 0, now);

    l->ready = at > l->ready ? at : l->ready;
    l->posted += req->token == MEM_TOKEN_NONE;
    box->entry[box->entries++] = (struct down_entry){(uint32_t)(l - u->h->link), {l->ready, *req}};
}

/* Completions of an inner unit; `client` is the unit above that sent the request. */
void hierarchy_complete_above(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    if (is_far(h, client) && h->coherence.peers.count) {
        h->coherence.filling = true;
        wake_unit(h, client, cache_fill(h->unit[client].cache, token, now));
        h->coherence.filling = false;
        h->coherence.retry_held |= h->coherence.held.count != 0;
    } else {
        wake_unit(h, client, cache_fill(h->unit[client].cache, token, now));
    }
}

/* Completions of the level below L2s on several dies: they may cross the fabric. */
void hierarchy_complete_home(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    if (!hierarchy_routes_respond(ctx, client, token, now))
        hierarchy_complete_above(ctx, client, token, now);
}

/* Completions of requests of the near side. */
void hierarchy_complete_link(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    hierarchy_send_up(h, client, token, NO_LINK, now + h->cfg.link_cycles);
}

/* The port has as many requests outstanding as it may, but for one that completes now. */
static NOINLINE void port_has_credit(struct unit *u, struct cu_port *p, uint32_t cu, unsigned kind, cycle_t now)
{
    struct hierarchy *h = u->h;

    if (u->lines) {
        u->lines->refused = false;
        wake_unit(h, u->index, now + 1);
    }
    if (!p->blocked)
        return;
    p->blocked = false;
    u->blocked--;
    h->sink.retry(h->sink.ctx, cu, (enum mem_port_kind)kind, now);
}

static NOINLINE void keep_completion(struct hierarchy *h, struct cu_port *p, uint32_t cu, unsigned kind, uint64_t token)
{
    fifo_accept(&p->done, &token);
    h->ready[kind][cu / 64] |= UINT64_C(1) << (cu % 64);
}

/* Whether it is the last completion of its token that a port's owner waits for; of others it is counted here. */
static inline bool is_last(const struct unit *u, uint64_t token)
{
    uint16_t *pending = (uint16_t *)((uint8_t *)u->pending + token * u->pending_bytes);

    if (*pending == 1)
        return true;
    --*pending;
    return false;
}

/* Completions of an entrance: `client` is the CU. */
void hierarchy_complete_port(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    unsigned kind = u->level == LEVEL_VL0 ? MEM_PORT_VECTOR : u->level == LEVEL_K ? MEM_PORT_SCALAR : MEM_PORT_INST;
    struct cu_port *p = &h->port[client * MEM_PORTS + kind];

    if (__builtin_expect(!h->sink.complete, 0)) {
        keep_completion(h, p, client, kind, token);
        return;
    }
    if (__builtin_expect(p->outstanding-- == h->cfg.max_outstanding, 0))
        port_has_credit(u, p, client, kind, now);
    if (u->pending && !is_last(u, token))
        return;
    h->sink.complete(h->sink.ctx, client, (enum mem_port_kind)kind, token, now);
}

void hierarchy_set_sink(struct hierarchy *h, const struct hierarchy_sink *sink)
{
    hierarchy_forget_lines(h);
    h->sink = *sink;
}

uint32_t hierarchy_groups(const struct hierarchy *h)
{
    return h->groups;
}

/* Requests --------------------------------------------------------------------------------------------------------- */

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct cu_port *p = &h->port[cu * MEM_PORTS + port];

    return p->outstanding < h->cfg.max_outstanding && cache_can_accept(h->unit[p->unit].cache, addr);
}

void hierarchy_await_retry(struct hierarchy *h, uint32_t cu, enum mem_port_kind port)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];

    h->unit[p->unit].blocked += !p->blocked;
    p->blocked = true;
}

void hierarchy_accept(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    struct unit *u = &h->unit[p->unit];
    uint32_t channel = cache_channel(u->cache, req->addr);
    struct mem_req r = *req;

    r.client = (uint16_t)cu;
    if (r.token != MEM_TOKEN_NONE)
        p->outstanding++;
    wake_unit(h, p->unit, cache_channel_accept(u->cache, channel, &r, now));
    if (u->translates)
        hierarchy_translate(u, channel, &r, now);
}

cycle_t hierarchy_fetch(struct hierarchy *h, uint32_t cu, const struct mem_req *req, cycle_t now, bool *full)
{
    const struct unit *u = &h->unit[h->port[cu * MEM_PORTS + MEM_PORT_INST].unit];

    /* who waits for an entry learns of it by a tick */
    *full = false;
    return u->blocked ? CYCLE_NEVER : cache_straight(u->cache, req, now, full);
}

void hierarchy_near_done(struct hierarchy *h, uint32_t group, cycle_t end)
{
    if (group == HIERARCHY_ALL)
        h->near_done = end;
    else
        h->group[group].stopped = end;
}

bool hierarchy_can_control(const struct hierarchy *h, uint32_t cu)
{
    const struct near_group *g = &h->group[h->unit[h->port[cu * MEM_PORTS].unit].group];

    return control_can_accept(&g->controls);
}

/* The hit latency of the last of the levels on the path, which cache control takes there and back, too. */
static cycle_t path_cycles(const struct hierarchy *h, uint32_t unit, uint32_t levels)
{
    cycle_t cycles = 0;

    for (uint32_t u = unit, least = levels; u != DRAM_UNIT; u = h->unit[u].below) {
        cycles += cache_get_config(h->unit[u].cache)->hit_latency_cycles;
        least &= ~(1u << h->unit[u].level);
        if (!least)
            break;
    }
    return cycles;
}

void hierarchy_control(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint32_t invalidate,
                       uint32_t write_back, uint64_t token, cycle_t now)
{
    struct near_group *g = &h->group[h->unit[h->port[cu * MEM_PORTS].unit].group];
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    uint32_t near = 1u << LEVEL_VL0 | 1u << LEVEL_K | 1u << LEVEL_I | 1u << LEVEL_GL1, u = p->unit;
    uint32_t named = invalidate | write_back;
    bool far = write_back & 1u << LEVEL_L2;
    struct control_entry e = {.token = token, .cu = (uint16_t)cu, .port = (uint8_t)port};

    hierarchy_invalidate(h, cu, invalidate & near, now);
    if (token == MEM_TOKEN_NONE && !far)
        return;
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        if (!h->cfg.present[l])
            named &= ~(1u << l);
    /* the entrance of the port may not be among the levels: K of a vector port */
    e.after = path_cycles(h, u, named & ~(uint32_t)(1u << LEVEL_K | 1u << LEVEL_I | 1u << LEVEL_VL0));
    e.done = now + (far ? 1 : e.after);
    e.send = far;
    if (token != MEM_TOKEN_NONE)
        p->outstanding++;
    control_accept(&g->controls, &e);
    if (e.done < g->next)
        g->next = e.done;
}

/* The work of a cycle ---------------------------------------------------------------------------------------------- */

void hierarchy_wake_waiters(struct hierarchy *h, uint32_t below, uint32_t end, cycle_t now)
{
    for (uint32_t u = below + 1; u < end && h->unit[below].waiters; u++) {
        struct unit *w = &h->unit[u];
        if (w->below != below || !w->waits)
            continue;
        /* a cache of one channel has one request to offer: it need not wake when that cannot be accepted */
        if (cache_get_config(w->cache)->channels == 1 && !hierarchy_level_can_accept(h, below, w->wait_addr))
            continue;
        w->waits = false;
        h->unit[below].waiters--;
        if (cache_unblock(w->cache, now))
            wake_unit(h, u, now);
    }
}

static void retry_ports(struct hierarchy *h, struct unit *u, cycle_t now)
{
    unsigned kind = u->level == LEVEL_VL0 ? MEM_PORT_VECTOR : u->level == LEVEL_K ? MEM_PORT_SCALAR : MEM_PORT_INST;

    u->blocked = 0;
    for (uint32_t cu = u->first_cu; cu < u->first_cu + u->cus; cu++) {
        struct cu_port *p = &h->port[cu * MEM_PORTS + kind];

        if (!p->blocked)
            continue;
        p->blocked = false;
        h->sink.retry(h->sink.ctx, cu, (enum mem_port_kind)kind, now);
    }
}

/* Wakes those who wait for an entry that this cycle has freed. */
static inline void hand_on_entry(struct hierarchy *h, struct unit *x, uint32_t side_end, cycle_t now)
{
    if (x->waiters)
        hierarchy_wake_waiters(h, x->index, side_end, now);
    if (x->blocked)
        retry_ports(h, x, now);
}

static ALWAYS_INLINE cycle_t tick_cache(struct unit *x, cycle_t now)
{
    return x->lines ? hierarchy_tick_with_lines(x, now) : cache_tick(x->cache, now);
}

ALWAYS_INLINE void hierarchy_tick_units(struct hierarchy *h, uint32_t from, uint32_t end, uint32_t side_end,
                                        cycle_t now)
{
    for (uint32_t u = from; u < end; u++) {
        struct unit *x = &h->unit[u];

        if (x->wake > now && !h->cfg.check_every_cycle)
            continue;
        x->wake = x->cache ? tick_cache(x, now) : dram_tick(&h->dram, now);
        if (x->cache ? cache_freed_entry(x->cache) : h->dram.freed_entry)
            hand_on_entry(h, x, side_end, now);
    }
}

/* Ticks the units of a group none of which is below another: each has links of its own, so that there is no contention
 * to arbitrate. Returns the next cycle in which one of them has work. */
static ALWAYS_INLINE cycle_t tick_independent(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    g->next = CYCLE_NEVER; /* lowered by what completions cause */
    for (uint32_t u = g->first_unit; u < g->end_unit; u++) {
        struct unit *x = &h->unit[u];

        if (x->wake <= now || h->cfg.check_every_cycle) {
            x->wake = tick_cache(x, now);
            if (x->blocked && cache_freed_entry(x->cache))
                retry_ports(h, x, now);
        }
        next = x->wake < next ? x->wake : next;
    }
    return next;
}

/* Ticks the units of a group from the bottom up, the entrances in an order that rotates with the cycle. */
static cycle_t tick_levels(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    uint32_t start = g->first_entrance + (uint32_t)(now % (g->end_unit - g->first_entrance));
    cycle_t next = CYCLE_NEVER;

    hierarchy_tick_units(h, g->first_unit, g->first_entrance, g->end_unit, now);
    hierarchy_tick_units(h, start, g->end_unit, g->end_unit, now);
    hierarchy_tick_units(h, g->first_entrance, start, g->end_unit, now);
    g->next = CYCLE_NEVER;
    for (uint32_t u = g->first_unit; u < g->end_unit; u++)
        next = h->unit[u].wake < next ? h->unit[u].wake : next;
    return next;
}

/* Delivers completions and reports of the far side that have arrived. */
static void deliver_up_entries(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    const struct up_entry *e;

    while ((e = fifo_front(&g->up)) && e->at <= now) {
        struct unit *u = &h->unit[e->unit];

        assert(e->at == now);
        if (e->link == CONTROL_LINK) {
            control_arrived(&g->controls, e->token, now);
            fifo_pop(&g->up);
            continue;
        }
        if (e->link == NO_LINK) {
            wake_unit(h, e->unit, cache_fill(u->cache, e->token, now));
        } else {
            h->link[e->link].posted--;
            if (cache_unblock(u->cache, now))
                wake_unit(h, e->unit, now);
        }
        fifo_pop(&g->up);
    }
}

static void finish_controls(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    struct control_entry e;

    while (control_pop(&g->controls, now, &e)) {
        uint32_t u = h->port[e.cu * MEM_PORTS + e.port].unit;

        if (!e.send) {
            if (e.token != MEM_TOKEN_NONE)
                hierarchy_complete_port(&h->unit[u], e.cu, e.token, now);
            continue;
        }
        e.send = false;
        e.done = CYCLE_NEVER;
        while (h->unit[u].first_link == NO_LINK)
            u = h->unit[u].below;
        struct mem_req req = {.token = control_accept(&g->controls, &e), .client = (uint16_t)u, .op = MEM_STORE};
        hierarchy_link_accept(&h->unit[u], &req, now);
    }
}

void hierarchy_take_up(struct hierarchy *h, uint32_t group, uint32_t half)
{
    struct near_group *g = &h->group[group];
    struct up_box *box = &h->far.up[half][group];

    if (!box->entries)
        return;
    for (uint32_t k = 0; k < box->entries; k++)
        fifo_accept(&g->up, &box->entry[k]);
    if (box->entry[0].at < g->next)
        g->next = box->entry[0].at;
    box->entries = 0;
}

void hierarchy_near_half(struct hierarchy *h, uint32_t group, uint32_t half)
{
    struct near_group *g = &h->group[group];

    hierarchy_take_up(h, group, half);
    g->half = half;
    assert(!g->down[half].entries && !g->down[half].misses);
}

static ALWAYS_INLINE void near_cycle(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    const struct up_entry *up;
    cycle_t next;

    if (!fifo_is_idle(&g->up))
        deliver_up_entries(h, g, now);
    next = g->first_unit == g->first_entrance ? tick_independent(h, g, now) : tick_levels(h, g, now);
    if (g->controls.next <= now || g->controls.count)
        finish_controls(h, g, now);
    up = fifo_front(&g->up);
    if (up && up->at < next)
        next = up->at;
    if (g->controls.next < next)
        next = g->controls.next;
    if (next < g->next)
        g->next = next;
}

cycle_t hierarchy_near_run(struct hierarchy *h, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until,
                           uint32_t *cycles)
{
    struct near_group *g = &h->group[group];

    assert(now <= g->next);
    for (;;) {
        if (now >= g->next || h->cfg.check_every_cycle)
            near_cycle(h, g, now);
        if (g->next >= end || g->next >= *until || g->next <= now)
            return now;
        now = g->next;
        ++*cycles;
    }
}

cycle_t hierarchy_near_tick(struct hierarchy *h, uint32_t group, cycle_t now)
{
    static const cycle_t until = 0;
    uint32_t cycles;

    hierarchy_near_run(h, group, now, now + 1, &until, &cycles);
    return h->group[group].next;
}

cycle_t hierarchy_near_next(const struct hierarchy *h, uint32_t group)
{
    return h->group[group].next;
}

const cycle_t *hierarchy_near_clock(const struct hierarchy *h, uint32_t group)
{
    return &h->group[group].next;
}

bool hierarchy_pop(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t *token)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    const uint64_t *t = fifo_front(&p->done);

    if (!t)
        return false;
    *token = *t;
    fifo_pop(&p->done);
    p->outstanding--;
    if (fifo_is_idle(&p->done))
        h->ready[port][cu / 64] &= ~(UINT64_C(1) << (cu % 64));
    return true;
}

uint64_t hierarchy_ready_mask(const struct hierarchy *h, enum mem_port_kind port, uint32_t word)
{
    return h->ready[port][word];
}

void hierarchy_invalidate(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now)
{
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        if (levels >> l & 1 && h->cfg.present[l]) {
            uint32_t u = hierarchy_unit_of(h, (enum cache_level)l, cu);
            cache_invalidate(h->unit[u].cache, now);
            if (!cache_is_idle(h->unit[u].cache))
                wake_unit(h, u, now + 1);
        }
}

bool hierarchy_is_idle(const struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->live_units; u++)
        if (!cache_is_idle(h->unit[u].cache))
            return false;
    for (uint32_t k = 0; k < h->used_links; k++)
        if (h->far.link[k].queue.count)
            return false;
    for (uint32_t n = 0; n < h->live_groups; n++) {
        const struct near_group *g = &h->group[n];

        if (!fifo_is_idle(&g->up) || !control_is_idle(&g->controls))
            return false;
        for (uint32_t half = 0; half < 2; half++)
            if (g->down[half].entries || h->far.up[half][n].entries)
                return false;
    }
    return hierarchy_coherence_is_idle(h) && fabric_is_idle(&h->routes.fabric) && dram_is_idle(&h->dram);
}

void hierarchy_preload(struct hierarchy *h, enum cache_level level, gaddr_t from, uint64_t bytes)
{
    for (uint32_t u = 1; u < h->units; u++)
        if (h->cfg.present[level] && h->unit[u].level == level)
            cache_preload(h->unit[u].cache, from, bytes);
}

void hierarchy_prefill_tlb(struct hierarchy *h, gaddr_t addr, enum tlb_known known)
{
    for (uint32_t k = 0; h->cfg.tlb.entries && k < h->far.units - h->far.first_l2; k++)
        utcl2_prefill(&h->far.utcl2[k], addr, known);
}
