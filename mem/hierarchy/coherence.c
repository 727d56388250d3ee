/* Coherence between the L2s of several dies (gfx942, gfx950): the home of a line orders the requests of all L2s for it
 * and probes the L2s that have copies.
 *
 * The requests of all L2s for a line meet at its home, in front of MALL. A snoop filter there knows which L2s have the
 * line and which have modified it, so that most requests proceed at once. Otherwise
 *   a load              has modified copies written back; a single modifying L2 keeps its copy clean
 *   an atomic's fetch   has all other copies invalidated, modified ones after a write-back
 *   a store past L2     likewise
 * and proceeds after the probe round trip: probe_cycles, and the hops there and back on a fabric, after the
 * write-back. A write-back takes its share of the links when the probe is sent, after the data that are on them then.
 * While an L2 acquires a line for an atomic, requests of other L2s for it are held until the line has arrived there: a
 * line on which several dies have atomics moves from die to die. A store into an L2 waits for nobody: an L2 keeps a
 * mask of the bytes it has modified, so that several can have modified the same line, and those that have it clean
 * invalidate it. Probed requests leave in the order in which they were granted, so one after a probe of another line
 * waits for that, too.
 *
 * Hardware (CDNA3 white paper, recollected): L2s are write-back and coherent within their die; snoop filters at the
 * Infinity Cache resolve most requests of other dies without disturbing an L2. The filter here is exact and does not
 * overflow; its lookup takes no time, nor does a probe's lookup in an L2.
 */
#include "mem/hierarchy/internal.h"

/* An L2 begins to modify a line: clean copies of other L2s are invalidated. */
static void line_modified(void *ctx, uint16_t client, gaddr_t addr, cycle_t now)
{
    struct hierarchy *h = ctx;
    /* when a completion is being delivered, no L2 has been ticked in this cycle */
    uint32_t ticked = h->coherence.filling ? 0 : client;

    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        bool dirty;

        if (u == client || cache_coherence_state(h->unit[u].cache, addr) == CACHE_STATE_INVALID)
            continue;
        cache_probe(h->unit[u].cache, addr, &dirty);
        cache_downgrade(h->unit[u].cache, addr, dirty ? CACHE_TO_SHARED : CACHE_TO_INVALID, now);
        wake_unit(h, u, u > ticked ? now : now + 1);
    }
}

int hierarchy_coherence_init(struct hierarchy *h, struct err *err)
{
    const struct hierarchy_config *cfg = &h->cfg;
    const struct cache_config *l2 = &cfg->cache[LEVEL_L2];
    struct coherence *co = &h->coherence;
    uint64_t lines;

    if (!cfg->l2s_coherent || cfg->l2s < 2)
        return 0;
    if (!l2->line_bytes || l2->size_bytes > UINT64_C(1) << 32 || hierarchy_requests(cfg) > 1u << 20)
        return err_set(err, ERR_USAGE, "memory hierarchy: L2s too large to be kept coherent");
    lines = l2->size_bytes / l2->line_bytes * cfg->l2s;
    for (co->peers.mask = 1023; co->peers.mask < 2 * lines;)
        co->peers.mask = co->peers.mask * 2 + 1;
    co->peers.ctx = h;
    co->peers.modified = line_modified;
    co->peers.count = ARENA_NEW(&h->arena, (size_t)co->peers.mask + 1, uint32_t);
    /* a request may cause a write-back of every other L2 */
    if (!co->peers.count ||
        !fifo_init_arena(&co->probed, &h->arena, sizeof(struct ordered_request),
                         (uint32_t)hierarchy_requests(cfg) * cfg->l2s) ||
        !fifo_init_arena(&co->held, &h->arena, sizeof(struct ordered_request), (uint32_t)hierarchy_requests(cfg)))
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    return 0;
}

static void push(struct fifo *f, uint32_t l2, const struct mem_req *req, cycle_t at)
{
    struct ordered_request *e = fifo_push(f);

    *e = (struct ordered_request){at, l2, *req};
}

/* Sends the modified line of an L2 to the level below. */
static void write_back(struct hierarchy *h, uint32_t l2, gaddr_t addr, cycle_t at)
{
    const struct cache_config *c = cache_get_config(h->unit[l2].cache);
    struct mem_req req = {.token = MEM_TOKEN_NONE, .bytes = c->request_bytes, .client = (uint16_t)l2, .op = MEM_STORE};

    addr &= ~(gaddr_t)(c->line_bytes - 1);
    for (req.addr = addr; req.addr < addr + c->line_bytes; req.addr += c->request_bytes)
        push(&h->coherence.probed, l2, &req, at);
}

/* The cycle in which the probe of an L2 is answered at the home of the line; a write-back queues behind the data that
 * are on the links. */
static cycle_t probe_round_trip(struct hierarchy *h, uint32_t l2, gaddr_t addr, bool writes_back, cycle_t now)
{
    struct fabric *f = &h->routes.fabric;
    uint32_t home, die;
    cycle_t forward;

    if (!has_fabric(h))
        return now + h->cfg.probe_cycles;
    home = hierarchy_home_die(h, addr);
    die = h->routes.die[l2 - h->far.first_l2];
    forward = h->cfg.probe_cycles + (cycle_t)fabric_hops(f, home, die) * h->cfg.fabric.hop_cycles;
    return forward +
           fabric_reserve(f, die, home, writes_back ? cache_get_config(h->unit[l2].cache)->line_bytes : 0, now);
}

/* Looks a request of an L2 up in the snoop filter and downgrades the copies of others. True: it is granted and proceeds
 * in cycle *proceeds. False: it is held until another L2 has acquired the line. ticked: units up to this one have been
 * ticked. */
static bool order(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t ticked, cycle_t now,
                  cycle_t *proceeds)
{
    struct cache *c = h->unit[l2].cache;
    /* a write-back leaves the copies of others alone */
    bool posted = req->token == MEM_TOKEN_NONE, fetch = req->op != MEM_STORE && req->op != MEM_ATOMIC;
    bool exclusive = cache_wants_exclusive(c, req), shared = false;
    enum cache_state state[64]; /* by L2: check_config() allows no more */
    uint32_t dirty_copies = 0;

    *proceeds = cache_granted_at(c, req);
    if (*proceeds)
        return true;
    *proceeds = now;
    if (posted || !cache_maybe_shared(c, req->addr, fetch)) {
        cache_grant(c, req, true, now);
        return true;
    }
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_state s = u == l2 ? CACHE_STATE_INVALID : cache_coherence_state(h->unit[u].cache, req->addr);

        if (s == CACHE_STATE_ACQUIRING)
            return false;
        state[u - h->far.first_l2] = s;
        dirty_copies += s == CACHE_STATE_DIRTY;
    }
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_state s = state[u - h->far.first_l2];
        cycle_t probed = s == CACHE_STATE_DIRTY || (s != CACHE_STATE_INVALID && exclusive)
                             ? probe_round_trip(h, u, req->addr, s == CACHE_STATE_DIRTY, now)
                             : now;

        *proceeds = probed > *proceeds ? probed : *proceeds;
    }
    /* the write-back is ahead of the request, also where probes take no time */
    if (dirty_copies && *proceeds == now)
        *proceeds = now + 1;
    /* when several L2s have modified the line, no copy has all modified bytes */
    if (dirty_copies && cache_coherence_state(c, req->addr) == CACHE_STATE_DIRTY)
        dirty_copies++;
    for (uint32_t u = h->far.first_l2; u < h->far.units; u++) {
        enum cache_state s = state[u - h->far.first_l2];

        if (s == CACHE_STATE_INVALID)
            continue;
        shared = true;
        cache_downgrade(h->unit[u].cache, req->addr,
                        exclusive || dirty_copies > 1 ? CACHE_TO_INVALID
                        : s == CACHE_STATE_DIRTY      ? CACHE_TO_CLEAN
                                                      : CACHE_TO_SHARED,
                        now);
        wake_unit(h, u, u > ticked ? now : now + 1);
        if (s == CACHE_STATE_DIRTY)
            write_back(h, u, req->addr, *proceeds);
    }
    cache_grant(c, req, exclusive || !shared, *proceeds);
    return true;
}

bool hierarchy_coherence_hold(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t ticked, cycle_t now)
{
    cycle_t proceeds;
    bool granted = order(h, l2, req, ticked, now, &proceeds);

    if (granted && proceeds <= now)
        return false;
    push(granted ? &h->coherence.probed : &h->coherence.held, l2, req, proceeds);
    return true;
}

void hierarchy_coherence_tick(struct hierarchy *h, cycle_t now)
{
    struct coherence *co = &h->coherence;
    const struct ordered_request *e;

    if (co->retry_held) {
        co->retry_held = false;
        for (uint32_t n = co->held.count; n; n--) {
            struct ordered_request copy = *(struct ordered_request *)fifo_front(&co->held);
            bool granted = order(h, copy.l2, &copy.req, h->far.units, now, &copy.at);

            fifo_pop(&co->held);
            push(granted ? &co->probed : &co->held, copy.l2, &copy.req, copy.at);
        }
    }
    while ((e = fifo_front(&co->probed)) && e->at <= now) {
        uint32_t below = h->unit[e->l2].below;

        if (!hierarchy_level_can_accept(h, below, e->req.addr))
            return;
        hierarchy_pass_down(h, below, &e->req, now);
        fifo_pop(&co->probed);
    }
}

cycle_t hierarchy_coherence_next(const struct hierarchy *h, cycle_t now)
{
    const struct ordered_request *e = fifo_front(&h->coherence.probed);

    if (h->coherence.retry_held)
        return now + 1;
    if (!e)
        return CYCLE_NEVER;
    return e->at > now ? e->at : now + 1;
}
