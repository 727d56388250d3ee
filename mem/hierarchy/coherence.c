/* Coherence between the L2s of several dies.
 *
 * The requests of all L2s for a line come together at its home, in front of MALL. A filter there knows which L2s have
 * the line, and who has changed it, so that most requests go by at once. Otherwise
 *   a load              has changed lines written back; who changed it alone keeps it clean
 *   an atomic's fetch   has the line dropped everywhere else, changed ones written back
 *   a store past L2     likewise
 * and goes on probe_cycles later, and the way there and back on a fabric, behind what was written back. What is written
 * back takes its share of the links when the probe is sent, behind what is on them then. While an L2 fetches a line for
 * an atomic, requests of others for it wait until it has come: a line on which several dies have atomics moves from die
 * to die. A store into an L2 waits for nobody: L2s keep which bytes they have changed, so that several can have changed
 * the same line; those that have it clean drop it. Probed requests leave in the order in which they were let in: one
 * behind a probe of another line waits for that, too.
 *
 * Hardware (CDNA3 white paper, recollected): L2s are write-back and coherent within their die; snoop filters at the
 * Infinity Cache resolve most requests of other dies without disturbing an L2. The filter here is exact and does not
 * overflow; asking it takes no time, a lookup by a probe none of the L2's.
 */
#include "mem/hierarchy/internal.h"

/* An L2 has begun to change a line. */
static void changed(void *ctx, uint16_t client, gaddr_t addr, cycle_t now)
{
    struct hierarchy *h = ctx;
    /* when the last byte of a line comes up, none of the L2s has done its work of the cycle */
    uint32_t over = h->dies.filling ? 0 : client;

    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        bool dirty;

        if (u == client || cache_stake(h->unit[u].cache, addr) == CACHE_NO_STAKE)
            continue;
        cache_probe(h->unit[u].cache, addr, &dirty);
        cache_yield(h->unit[u].cache, addr, dirty ? CACHE_YIELD_ALONE : CACHE_YIELD_LINE, now);
        wake_unit(h, u, u > over ? now : now + 1);
    }
}

int hierarchy_dies_init(struct hierarchy *h, struct err *err)
{
    const struct hierarchy_config *cfg = &h->cfg;
    const struct cache_config *l2 = &cfg->cache[LEVEL_L2];
    struct dies *d = &h->dies;
    uint64_t lines;

    if (!cfg->l2s_coherent || cfg->l2s < 2)
        return 0;
    if (!l2->line_bytes || l2->size_bytes > UINT64_C(1) << 32 || hierarchy_requests(cfg) > 1u << 20)
        return err_set(err, ERR_USAGE, "memory hierarchy: L2s too large to be kept coherent");
    lines = l2->size_bytes / l2->line_bytes * cfg->l2s;
    for (d->peers.mask = 1023; d->peers.mask < 2 * lines;)
        d->peers.mask = d->peers.mask * 2 + 1;
    d->peers.ctx = h;
    d->peers.changed = changed;
    d->peers.count = ARENA_NEW(&h->arena, (size_t)d->peers.mask + 1, uint32_t);
    /* a request may have a line of every other L2 written back */
    if (!d->peers.count ||
        !fifo_init_arena(&d->probed, &h->arena, sizeof(struct die_entry),
                         (uint32_t)hierarchy_requests(cfg) * cfg->l2s) ||
        !fifo_init_arena(&d->held, &h->arena, sizeof(struct die_entry), (uint32_t)hierarchy_requests(cfg)))
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    return 0;
}

static void put(struct fifo *f, uint32_t l2, const struct mem_req *req, cycle_t at)
{
    struct die_entry *e = fifo_push(f);

    *e = (struct die_entry){at, l2, *req};
}

/* The changed line of an L2, on its way down. */
static void write_back(struct hierarchy *h, uint32_t l2, gaddr_t addr, cycle_t at)
{
    const struct cache_config *c = cache_get_config(h->unit[l2].cache);
    struct mem_req req = {.token = MEM_TOKEN_NONE, .bytes = c->request_bytes, .client = (uint16_t)l2, .op = MEM_STORE};

    addr &= ~(gaddr_t)(c->line_bytes - 1);
    for (req.addr = addr; req.addr < addr + c->line_bytes; req.addr += c->request_bytes)
        put(&h->dies.probed, l2, &req, at);
}

/* When a probe of another L2 for a line is back at the line's home; behind what else is on the roads when it brings
 * changes with it. */
static cycle_t probe_back(struct hierarchy *h, uint32_t l2, gaddr_t addr, bool changes, cycle_t now)
{
    struct fabric *f = &h->roads.fabric;
    uint32_t home, die;
    cycle_t there;

    if (!has_roads(h))
        return now + h->cfg.probe_cycles;
    home = hierarchy_home(h, addr);
    die = h->roads.die[l2 - h->far.first_l2];
    there = h->cfg.probe_cycles + (cycle_t)fabric_hops(f, home, die) * h->cfg.fabric.hop_cycles;
    return there + fabric_reserve(f, die, home, changes ? cache_get_config(h->unit[l2].cache)->line_bytes : 0, now);
}

/* What the filter says to a request of an L2, when it may go on, and what the others have to do; those up to unit
 * `over` have done their work of the cycle. False: it has to wait for another to get the line. */
static bool ask(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t over, cycle_t now, cycle_t *on)
{
    struct cache *c = h->unit[l2].cache;
    /* what is written back leaves others theirs */
    bool posted = req->token == MEM_TOKEN_NONE, fetch = req->op != MEM_STORE && req->op != MEM_ATOMIC;
    bool alone = cache_wants_alone(c, req), shared = false;
    enum cache_stake stake[64]; /* by L2: check_config() allows no more */
    uint32_t changed_by = 0;

    *on = cache_goes_on(c, req);
    if (*on)
        return true;
    *on = now;
    if (posted || !cache_may_be_elsewhere(c, req->addr, fetch)) {
        cache_admitted(c, req, true, now);
        return true;
    }
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_stake s = u == l2 ? CACHE_NO_STAKE : cache_stake(h->unit[u].cache, req->addr);

        if (s == CACHE_TAKES)
            return false;
        stake[u - h->far.first_l2] = s;
        changed_by += s == CACHE_HAS_DIRTY;
    }
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_stake s = stake[u - h->far.first_l2];
        cycle_t back = s == CACHE_HAS_DIRTY || (s != CACHE_NO_STAKE && alone)
                           ? probe_back(h, u, req->addr, s == CACHE_HAS_DIRTY, now)
                           : now;

        *on = back > *on ? back : *on;
    }
    /* what is written back is ahead of the request, also where probes take no time */
    if (changed_by && *on == now)
        *on = now + 1;
    /* with changes of several, nobody's copy has them all */
    if (changed_by && cache_stake(c, req->addr) == CACHE_HAS_DIRTY)
        changed_by++;
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_stake s = stake[u - h->far.first_l2];

        if (s == CACHE_NO_STAKE)
            continue;
        shared = true;
        cache_yield(h->unit[u].cache, req->addr,
                    alone || changed_by > 1 ? CACHE_YIELD_LINE
                    : s == CACHE_HAS_DIRTY  ? CACHE_YIELD_CHANGES
                                            : CACHE_YIELD_ALONE,
                    now);
        wake_unit(h, u, u > over ? now : now + 1);
        if (s == CACHE_HAS_DIRTY)
            write_back(h, u, req->addr, *on);
    }
    cache_admitted(c, req, alone || !shared, *on);
    return true;
}

bool hierarchy_dies_keep(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t over, cycle_t now)
{
    cycle_t on;
    bool admitted = ask(h, l2, req, over, now, &on);

    if (admitted && on <= now)
        return false;
    put(admitted ? &h->dies.probed : &h->dies.held, l2, req, on);
    return true;
}

void hierarchy_dies_run(struct hierarchy *h, cycle_t now)
{
    struct dies *d = &h->dies;
    const struct die_entry *e;

    if (d->look_again) {
        d->look_again = false;
        for (uint32_t n = d->held.count; n; n--) {
            struct die_entry copy = *(struct die_entry *)fifo_front(&d->held);
            bool admitted = ask(h, copy.l2, &copy.req, h->far.units, now, &copy.at);

            fifo_pop(&d->held);
            put(admitted ? &d->probed : &d->held, copy.l2, &copy.req, copy.at);
        }
    }
    while ((e = fifo_front(&d->probed)) && e->at <= now) {
        uint32_t below = h->unit[e->l2].below;

        if (!hierarchy_level_can_accept(h, below, e->req.addr))
            return;
        hierarchy_pass_down(h, below, &e->req, now);
        fifo_pop(&d->probed);
    }
}

cycle_t hierarchy_dies_next(const struct hierarchy *h, cycle_t now)
{
    const struct die_entry *e = fifo_front(&h->dies.probed);

    if (h->dies.look_again)
        return now + 1;
    if (!e)
        return CYCLE_NEVER;
    return e->at > now ? e->at : now + 1;
}
