/* Where a request is that a cache has accepted and not answered: for dumps. Looks at everything that is in flight. */
#include "mem/cache/internal.h"

static bool is_answering(const struct cache_answers *answers, uint16_t client, uint64_t token)
{
    for (uint32_t k = 0; k < answers->queue.count; k++) {
        const struct cache_rsp *r = cache_rsps_at(&answers->queue, k);

        if (r->client == client && r->token == token)
            return true;
    }
    return false;
}

/* In a queue of the channel, or on its data path. */
static bool is_in_channel(const struct cache_channel *ch, uint16_t client, uint64_t token)
{
    for (uint32_t k = 0; k < ch->in.count; k++) {
        const struct cache_in *in = cache_ins_at(&ch->in, k);

        if (in->req.client == client && in->req.token == token)
            return true;
    }
    return is_answering(&ch->hits, client, token) || is_answering(&ch->fills, client, token) ||
           is_answering(&ch->acks, client, token) ||
           (ch->bus_busy && ch->bus.client == client && ch->bus.token == token);
}

/* The transaction that the request waits for; its index + 1, or 0. */
static uint32_t transaction_of(const struct cache *c, uint16_t client, uint64_t token)
{
    for (uint32_t id = 0; id < cache_txn_count(c); id++) {
        const struct cache_target *g = c->txn[id].kind == TXN_FREE ? NULL : &c->txn[id].target;

        for (; g; g = g->next ? &c->target[g->next - 1] : NULL)
            if (g->client == client && g->token == token)
                return id + 1;
    }
    return 0;
}

/* The transaction whose request fetches the line of `id`: itself, or the first one of a pair. */
static uint32_t sender_of(const struct cache *c, uint32_t id)
{
    for (uint32_t k = 0; c->txn[id].second_of_pair && k < cache_txn_count(c); k++)
        if (c->txn[k].kind != TXN_FREE && c->txn[k].pair == id + 1)
            return k;
    return id;
}

static bool has_left(const struct cache *c, uint32_t id)
{
    const struct cache_outs *out = &c->channel[c->txn[id].channel].out;

    for (uint32_t k = 0; k < out->count; k++)
        if (cache_outs_at(out, k)->token == id)
            return false;
    return true;
}

enum cache_place cache_locate(const struct cache *c, uint16_t client, uint64_t token, uint64_t *below)
{
    uint32_t id;

    for (uint32_t k = 0; k < c->channels.n; k++)
        if (is_in_channel(&c->channel[k], client, token))
            return CACHE_HERE;
    id = transaction_of(c, client, token);
    if (!id)
        return CACHE_ELSEWHERE;
    id = sender_of(c, id - 1);
    *below = id;
    return has_left(c, id) ? CACHE_BELOW : CACHE_HERE;
}
