/* Routes between the L2s of a chip and the channels of the level below (MALL, else DRAM), which lie on several dies of
 * a fabric.
 *
 * Each L2 is attached to its die by a port, which bounds the data between them.
 * L2s and channels are dealt to the dies in order, the first ones to the first die; where a die has a number of L2s of
 * its own (l2s_per_die), the last dies may have none. A request to a channel of its own
 * die arrives at once, as without a fabric. Any other request crosses links of the fabric, and its completion crosses
 * links on the way back, together with the data. When a request is sent, it takes a credit for an entry of the
 * channel's queue, so that nothing is refused at the end of a route. Coherence between L2s (mem/hierarchy/coherence.c)
 * acts at the home of the line, when the request has arrived there.
 *
 * The home of a line is the channel of its first byte, also where channels interleave by less than a line of L2. Host
 * memory is attached to the first die.
 */
#include "mem/hierarchy/internal.h"

static uint32_t below_channel(const struct hierarchy *h, gaddr_t addr)
{
    const struct cache *c = h->unit[h->routes.below].cache;

    return c ? cache_channel(c, addr) : dram_channel(&h->dram, addr);
}

uint32_t hierarchy_home_die(const struct hierarchy *h, gaddr_t addr)
{
    return h->routes.home[below_channel(h, addr & h->routes.line_mask)];
}

static uint32_t free_entries_at(const struct hierarchy *h, gaddr_t addr)
{
    const struct cache *c = h->unit[h->routes.below].cache;

    return c ? cache_free_entries(c, addr) : dram_free_entries(&h->dram, addr);
}

bool hierarchy_home_has_credit(const struct hierarchy *h, gaddr_t addr)
{
    return free_entries_at(h, addr) > h->routes.in_flight[below_channel(h, addr)];
}

bool hierarchy_routes_send(struct hierarchy *h, const struct unit *l2, const struct mem_req *req, cycle_t now)
{
    bool data = req->op == MEM_STORE || req->op == MEM_ATOMIC;

    if (!fabric_port_send(&h->routes.fabric, l2->index - h->far.first_l2, hierarchy_home_die(h, req->addr),
                          data ? req->bytes : 0, req, now))
        return false;
    h->routes.in_flight[below_channel(h, req->addr)]++;
    return true;
}

bool hierarchy_routes_respond(struct hierarchy *h, uint32_t l2, uint64_t token, cycle_t now)
{
    gaddr_t addr;
    uint32_t bytes = cache_fill_bytes(h->unit[l2].cache, token, &addr);

    return fabric_port_respond(&h->routes.fabric, l2 - h->far.first_l2, hierarchy_home_die(h, addr), bytes,
                               (uint16_t)l2, token, now);
}

static void request_arrived(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct hierarchy *h = ctx;
    uint32_t below = h->routes.below, before = free_entries_at(h, req->addr);

    h->routes.in_flight[below_channel(h, req->addr)]--;
    if (!h->coherence.peers.count || !hierarchy_coherence_hold(h, req->client, req, h->routes.ticked, now))
        hierarchy_pass_down(h, below, req, now);
    /* the credit is free again when the request needs no entry after all */
    if (h->unit[below].waiters && free_entries_at(h, req->addr) == before)
        hierarchy_wake_waiters(h, below, h->far.units, h->routes.ticked < h->far.first_l2 ? now : now + 1);
}

void hierarchy_routes_tick(struct hierarchy *h, uint32_t ticked, cycle_t now)
{
    h->routes.ticked = ticked;
    fabric_tick(&h->routes.fabric, now);
}

static uint32_t die_of_share(uint32_t k, uint32_t n, uint32_t dies)
{
    return (uint32_t)((uint64_t)k * dies / n);
}

int hierarchy_routes_init(struct hierarchy *h, struct err *err)
{
    const struct hierarchy_config *cfg = &h->cfg;
    struct routes *r = &h->routes;
    const struct cache *c;
    uint32_t channels, depth, l2s = h->far.units - h->far.first_l2;
    uint64_t entries;

    r->below = NO_UNIT;
    if (fabric_dies(&cfg->fabric) < 2)
        return 0;
    r->below = h->unit[h->far.first_l2].below;
    r->line_mask = ~(gaddr_t)(cfg->cache[LEVEL_L2].line_bytes - 1);
    c = h->unit[r->below].cache;
    channels = c ? cache_get_config(c)->channels : cfg->dram.channels;
    depth = c ? cache_get_config(c)->input_queue : cfg->dram.max_in_flight;
    /* requests, each with a credit, and responses, each of a request in flight */
    entries = (uint64_t)(channels + 1) * depth + hierarchy_requests(cfg);
    if (entries > 1u << 24)
        return err_set(err, ERR_USAGE, "memory hierarchy: too many requests for a fabric");
    r->home = ARENA_NEW(&h->arena, channels + 1, uint8_t); /* and host memory's */
    r->in_flight = ARENA_NEW(&h->arena, channels + 1, uint32_t);
    if (!r->home || !r->in_flight)
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    for (uint32_t k = 0; k < channels; k++)
        r->home[k] = (uint8_t)die_of_share(k, channels, fabric_dies(&cfg->fabric));
    for (uint32_t k = 0; k < l2s; k++)
        r->die[k] =
            (uint8_t)(cfg->l2s_per_die ? k / cfg->l2s_per_die : die_of_share(k, l2s, fabric_dies(&cfg->fabric)));
    if (fabric_init(&r->fabric, &cfg->fabric, (uint32_t)entries,
                    (struct fabric_sink){h, request_arrived, hierarchy_complete_above}, &h->arena, err))
        return -1;
    h->far.kept.link = ARENA_NEW(&h->arena, r->fabric.links, struct link_traffic);
    if (!h->far.kept.link)
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    return fabric_attach(&r->fabric, r->die, l2s, &h->arena, err);
}
