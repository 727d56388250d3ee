/* The L2s of a chip, the channels of what is below them (MALL, else DRAM), and the fabric between their dies.
 *
 * L2s and channels are dealt to the dies in order, the first ones to the first die. A request to a channel of its own
 * die is there at once, as without a fabric. Any other travels, and its completion travels back with the data. A place
 * in the channel's queue is kept for it when it is sent, so that nothing is ever refused at the end of a way. What L2s
 * do for one another (mem/hierarchy/coherence.c) is decided where the line lies, when the request has come there.
 *
 * The place of a line is that of its first byte, also where channels take turns of less than a line of L2. Memory of
 * the host is at the first die.
 */
#include "mem/hierarchy/internal.h"

static uint32_t place_of(const struct hierarchy *h, gaddr_t addr)
{
    const struct cache *c = h->unit[h->roads.below].cache;

    return c ? cache_channel(c, addr) : dram_channel(&h->dram, addr);
}

uint32_t hierarchy_home(const struct hierarchy *h, gaddr_t addr)
{
    return h->roads.home[place_of(h, addr & h->roads.line_mask)];
}

static uint32_t room_at(const struct hierarchy *h, gaddr_t addr)
{
    const struct cache *c = h->unit[h->roads.below].cache;

    return c ? cache_room(c, addr) : dram_room(&h->dram, addr);
}

bool hierarchy_has_place(const struct hierarchy *h, gaddr_t addr)
{
    return room_at(h, addr) > h->roads.coming[place_of(h, addr)];
}

bool hierarchy_roads_send(struct hierarchy *h, const struct unit *l2, const struct mem_req *req, cycle_t now)
{
    uint32_t from = h->roads.die[l2->index - h->far.first_l2], to = hierarchy_home(h, req->addr);
    bool data = req->op == MEM_STORE || req->op == MEM_ATOMIC;

    if (from == to)
        return false;
    h->roads.coming[place_of(h, req->addr)]++;
    fabric_send(&h->roads.fabric, from, to, data ? req->bytes : 0, req, now);
    return true;
}

bool hierarchy_roads_answer(struct hierarchy *h, uint32_t l2, uint64_t token, cycle_t now)
{
    gaddr_t addr;
    uint32_t bytes = cache_awaits(h->unit[l2].cache, token, &addr);
    uint32_t from = hierarchy_home(h, addr), to = h->roads.die[l2 - h->far.first_l2];

    if (from == to)
        return false;
    fabric_answer(&h->roads.fabric, from, to, bytes, (uint16_t)l2, token, now);
    return true;
}

static void request_arrived(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct hierarchy *h = ctx;
    uint32_t below = h->roads.below, room = room_at(h, req->addr);

    h->roads.coming[place_of(h, req->addr)]--;
    if (!h->dies.peers.count || !hierarchy_dies_keep(h, req->client, req, h->roads.over, now))
        hierarchy_pass_down(h, below, req, now);
    /* its place is another's when it needs none after all */
    if (h->unit[below].waiters && room_at(h, req->addr) == room)
        hierarchy_wake_waiters(h, below, h->far.units, h->roads.over < h->far.first_l2 ? now : now + 1);
}

void hierarchy_roads_run(struct hierarchy *h, uint32_t over, cycle_t now)
{
    h->roads.over = over;
    fabric_run(&h->roads.fabric, now);
}

static uint32_t dealt(uint32_t k, uint32_t n, uint32_t dies)
{
    return (uint32_t)((uint64_t)k * dies / n);
}

int hierarchy_roads_init(struct hierarchy *h, struct err *err)
{
    const struct hierarchy_config *cfg = &h->cfg;
    struct roads *r = &h->roads;
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
    /* requests, each with a place kept for it, and answers, each of them waited for */
    entries = (uint64_t)(channels + 1) * depth + hierarchy_requests(cfg);
    if (entries > 1u << 24)
        return err_set(err, ERR_USAGE, "memory hierarchy: too many requests for a fabric");
    r->home = ARENA_NEW(&h->arena, channels + 1, uint8_t); /* and the host's */
    r->coming = ARENA_NEW(&h->arena, channels + 1, uint32_t);
    if (!r->home || !r->coming)
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    for (uint32_t k = 0; k < channels; k++)
        r->home[k] = (uint8_t)dealt(k, channels, fabric_dies(&cfg->fabric));
    for (uint32_t k = 0; k < l2s; k++)
        r->die[k] = (uint8_t)dealt(k, l2s, fabric_dies(&cfg->fabric));
    return fabric_init(&r->fabric, &cfg->fabric, (uint32_t)entries,
                       (struct fabric_sink){h, request_arrived, hierarchy_complete_above}, &h->arena, err);
}
