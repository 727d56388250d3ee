/* Functional warming: what requests do to the lines of L2 and MALL when nobody simulates their time.
 *
 * Requests wait in a list. One that finds the last request to its set of L2 there, and does to the line what that one
 * does, becomes a part of it. What the others need may be far away in the host's memory, and is asked for while those
 * before them have their turns.
 */
#include "mem/hierarchy/internal.h"

/* How many requests before its turn what a request needs is asked for: the set of L2, from which the way follows; where
 * L2 has to fetch the line, sets and ways of MALL for it, and for the line that L2 then writes back. */
enum { SET_AHEAD = 20, WAY_AHEAD = 15, FETCH_AHEAD = 10, VICTIM_AHEAD = 5, MOST_REQUESTS = 512 };

struct warm_entry {
    struct cache_warming to_l2;
    uint64_t at; /* the way there */
    gaddr_t victim;
    uint16_t l2;
    bool found;       /* in L2, for all that its set shows */
    bool writes_back; /* the victim */
};

struct warm_list {
    struct hierarchy_traffic traffic;
    uint32_t count;
    uint32_t l2s, sets; /* sets of each */
    uint16_t *last;     /* by L2 and set: the last request there, if the list has it */
    struct warm_entry entry[MOST_REQUESTS];
};

static struct cache *warm_l2(const struct hierarchy *h, uint32_t l2)
{
    return h->unit[h->far_first_of[LEVEL_L2] + l2].cache;
}

static struct cache *warm_mall(const struct hierarchy *h)
{
    return h->cfg.present[LEVEL_MALL] ? h->unit[h->far_first_of[LEVEL_MALL]].cache : NULL;
}

/* ---- one request ---- */

static void count_traffic(const struct mem_req *req, unsigned count, struct hierarchy_traffic *traffic)
{
    for (unsigned k = 0; k < count; k++)
        *(req[k].op == MEM_LOAD ? &traffic->read_bytes : &traffic->write_bytes) += req[k].bytes;
}

/* MALL's lines may be shorter than what L2 asks for. */
static void warm_below(struct cache *mall, const struct mem_req *req, struct hierarchy_traffic *traffic)
{
    gaddr_t line = cache_get_config(mall)->line_bytes, left = req->bytes;
    struct mem_req part = *req, to_memory[2];
    struct cache_warming to_mall;

    for (; left; left -= part.bytes, part.addr += part.bytes) {
        gaddr_t room = line - (part.addr & (line - 1));

        part.bytes = (uint32_t)(room < left ? room : left);
        cache_warming_init(mall, &part, cache_warming_set(mall, part.addr), &to_mall);
        count_traffic(to_memory, cache_warm(mall, &to_mall, to_memory), traffic);
    }
}

/* What an L2 sends down. */
static void warm_down(struct hierarchy *h, const struct mem_req *req, struct hierarchy_traffic *traffic)
{
    struct cache *mall = warm_mall(h);

    if (mall)
        warm_below(mall, req, traffic);
    else
        count_traffic(req, 1, traffic);
}

static void warm_entry(struct hierarchy *h, const struct warm_entry *e, struct hierarchy_traffic *traffic)
{
    struct mem_req down[2];
    unsigned count = cache_warm(warm_l2(h, e->l2), &e->to_l2, down);

    for (unsigned k = 0; k < count; k++)
        warm_down(h, &down[k], traffic);
}

/* ---- what the next ones need ---- */

static void expect_l2(const struct hierarchy *h, struct warm_entry *e)
{
    e->found = cache_expect_way(warm_l2(h, e->l2), e->to_l2.set, e->to_l2.req.addr, &e->at);
}

/* The lines of MALL that are one line of L2. */
static void expect_below(const struct hierarchy *h, gaddr_t addr, bool ways)
{
    const struct cache *mall = warm_mall(h);
    gaddr_t line = mall ? cache_get_config(mall)->line_bytes : 0, all = h->cfg.cache[LEVEL_L2].line_bytes;
    uint64_t unused;

    for (gaddr_t k = 0; mall && k < all; k += line) {
        uint32_t set = cache_expect_set(mall, (addr & -all) + k);

        if (ways)
            cache_expect_way(mall, set, (addr & -all) + k, &unused);
    }
}

static void expect_victim(const struct hierarchy *h, struct warm_entry *e)
{
    e->writes_back = cache_expect_victim(warm_l2(h, e->l2), e->at, &e->victim);
    if (e->writes_back)
        expect_below(h, e->victim, false);
}

static void expect(const struct hierarchy *h, struct warm_list *list, uint32_t k)
{
    struct warm_entry *e = &list->entry[k];
    uint32_t left = list->count - k;

    if (left > SET_AHEAD)
        cache_expect_set(warm_l2(h, e[SET_AHEAD].l2), e[SET_AHEAD].to_l2.req.addr);
    if (left > WAY_AHEAD) {
        expect_l2(h, &e[WAY_AHEAD]);
        if (!e[WAY_AHEAD].found)
            expect_below(h, e[WAY_AHEAD].to_l2.req.addr, false);
    }
    if (left > FETCH_AHEAD && !e[FETCH_AHEAD].found) {
        expect_below(h, e[FETCH_AHEAD].to_l2.req.addr, true);
        expect_victim(h, &e[FETCH_AHEAD]);
    }
    if (left > VICTIM_AHEAD && e[VICTIM_AHEAD].writes_back)
        expect_below(h, e[VICTIM_AHEAD].victim, true);
}

/* ---- the list ---- */

static void warm_all(struct hierarchy *h, struct warm_list *list)
{
    for (uint32_t k = 0; k < list->count; k++) {
        expect(h, list, k);
        warm_entry(h, &list->entry[k], &list->traffic);
    }
    list->count = 0;
}

static void warm_piece(struct hierarchy *h, struct warm_list *list, uint32_t l2, const struct mem_req *req)
{
    const struct cache *c = warm_l2(h, l2);
    uint32_t set = cache_warming_set(c, req->addr);
    uint16_t *last = &list->last[l2 * list->sets + set];
    struct warm_entry *e = &list->entry[*last];

    /* `last` may be of a list before; an entry for the same line is of this set all the same */
    if (*last < list->count && e->l2 == l2 && cache_warming_join(c, &e->to_l2, req))
        return;
    if (list->count == MOST_REQUESTS)
        warm_all(h, list);
    *last = (uint16_t)list->count;
    e = &list->entry[list->count++];
    cache_warming_init(c, req, set, &e->to_l2);
    e->l2 = (uint16_t)l2;
    e->found = true; /* until it is looked for */
    e->writes_back = false;
}

void hierarchy_warm(struct hierarchy *h, uint32_t l2, const struct hierarchy_access *access)
{
    struct warm_list *list = h->warming;
    struct mem_req req = {.op = (uint8_t)access->op, .hint = access->hint};

    l2 = l2 < list->l2s ? l2 : l2 % list->l2s;
    for (uint32_t k = 0; k < access->count; k++) {
        req.addr = access->piece[k].addr;
        req.bytes = access->piece[k].bytes;
        warm_piece(h, list, l2, &req);
    }
}

static bool is_warmed(const struct unit *u)
{
    return u->level == LEVEL_L2 || u->level == LEVEL_MALL;
}

bool hierarchy_warm_begin(struct hierarchy *h)
{
    if (!h->warming) {
        struct warm_list *list = ARENA_NEW(&h->arena, 1, struct warm_list);

        if (!list)
            return false;
        list->l2s = h->cfg.l2s ? h->cfg.l2s : 1;
        list->sets = cache_sets(warm_l2(h, 0));
        list->last = ARENA_NEW(&h->arena, (size_t)list->l2s * list->sets, uint16_t);
        if (!list->last)
            return false;
        h->warming = list;
    }
    h->warming->traffic = (struct hierarchy_traffic){0};
    for (uint32_t u = 1; u < h->units; u++)
        if (is_warmed(&h->unit[u]))
            h->unit[u].kept = *cache_stats(h->unit[u].cache);
    return true;
}

static void write_down(void *ctx, const struct mem_req *req)
{
    struct hierarchy *h = ctx;

    warm_down(h, req, &h->warming->traffic);
}

void hierarchy_warm_write_back(struct hierarchy *h, uint32_t levels)
{
    warm_all(h, h->warming);
    for (uint32_t u = 1; u < h->units; u++)
        if (h->unit[u].level == LEVEL_L2 && levels >> LEVEL_L2 & 1)
            cache_warm_writeback(h->unit[u].cache, write_down, h);
}

void hierarchy_warm_end(struct hierarchy *h, struct hierarchy_traffic *traffic)
{
    warm_all(h, h->warming);
    traffic->read_bytes += h->warming->traffic.read_bytes;
    traffic->write_bytes += h->warming->traffic.write_bytes;
    for (uint32_t u = 1; u < h->units; u++)
        if (is_warmed(&h->unit[u]))
            cache_set_stats(h->unit[u].cache, &h->unit[u].kept);
}

uint64_t hierarchy_dirty_bytes(const struct hierarchy *h)
{
    uint64_t bytes = 0;

    for (uint32_t u = 1; u < h->units; u++)
        if (is_warmed(&h->unit[u]))
            bytes += cache_dirty_lines(h->unit[u].cache) * h->cfg.cache[h->unit[u].level].line_bytes;
    return bytes;
}

uint64_t hierarchy_lines(const struct hierarchy *h, enum cache_level level, uint64_t *valid)
{
    uint64_t all = 0, of_one;

    *valid = 0;
    for (uint32_t u = 1; u < h->units; u++) {
        if (!h->cfg.present[level] || h->unit[u].level != level)
            continue;
        all += cache_lines(h->unit[u].cache, &of_one);
        *valid += of_one;
    }
    return all;
}
