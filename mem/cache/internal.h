/* The state of a cache, shared by the files that model its parts: tags and replacement (tags.c), the tag stage
 * (lookup.c), queues, data path and time (channels.c), coherence with peers (peers.c). */
#ifndef GCNSIM_MEM_CACHE_INTERNAL_H
#define GCNSIM_MEM_CACHE_INTERNAL_H

#include "mem/cache/cache.h"
#include "mem/cache/wheel.h"
#include "mem/channels.h"
#include "mem/rate.h"
#include "sim/util/fifo.h"

#define CACHE_HOST_BYTES (256u << 10) /* tag arrays above this are prefetched on the host */

/* Division by a number that is fixed at start-up and most often a power of two. */
struct divider {
    uint32_t n;
    uint8_t shift;
    bool pow2;
};

static inline uint64_t div_q(const struct divider *d, uint64_t v)
{
    return d->pow2 ? v >> d->shift : v / d->n;
}

static inline uint32_t div_r(const struct divider *d, uint64_t v)
{
    return d->pow2 ? (uint32_t)(v & (d->n - 1)) : (uint32_t)(v % d->n);
}

static inline cycle_t later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

static inline cycle_t earlier(cycle_t a, cycle_t b)
{
    return a < b ? a : b;
}

/* The state of one line. */
struct cache_way {
    uint64_t tag;   /* line + 1, 0 = invalid */
    uint32_t valid; /* valid-byte mask: a bit for each sector, a 32nd of the line */
    bool dirty;
    bool exclusive;       /* no peer has a copy */
    struct mem_hint hint; /* of the fetch, or of the last store to the line */
};
_Static_assert(sizeof(struct cache_way) == 16, "four to a cache line of the host");

/* An entry of the input queue. */
struct cache_in {
    struct mem_req req;
    cycle_t from; /* the tag stage leaves it alone before */
    uint32_t set; /* of all channels */
};
FIFO_OF(cache_ins, struct cache_in)

/* An entry of the output queue. */
struct cache_out {
    cycle_t ready;
    gaddr_t addr;
    uint64_t token;
    uint32_t bytes;
    uint8_t op;
    struct mem_hint hint;
};
FIFO_OF(cache_outs, struct cache_out)

/* A completion that waits for its latency and for the data path. */
struct cache_rsp {
    cycle_t ready;
    uint64_t token;
    uint16_t bytes; /* at most a line's; 0: an acknowledgement */
    uint16_t client;
    uint32_t releases; /* the set, + 1, of which it is the last reader of a line that came in; 0: it is not */
};
_Static_assert(sizeof(struct cache_rsp) == 24, "as small as it can be");
FIFO_OF(cache_rsps, struct cache_rsp)

/* Completions in the order in which they become ready. */
struct cache_answers {
    cycle_t first; /* when the oldest is ready; CYCLE_NEVER: there is none */
    struct cache_rsps queue;
};

/* A hit that takes no trip through the cache (straight.c): the cycles in which it is looked up, its data leave, and the
 * last of them arrive. */
struct cache_straight {
    cycle_t lookup, leaves, done;
    uint16_t bytes;
    uint8_t op;
    uint32_t data_cycles; /* as stats.data_cycles has them */
};

/* Those of a channel that are not over, in order: numbers begin .. end-1, of which those before looked_up have been
 * looked up; number n is at ring[n & mask]. */
struct cache_straights {
    struct cache_straight *ring;
    uint32_t mask, begin, looked_up, end;
};

/* A request that waits for a transaction: a target of the MSHR. */
struct cache_target {
    uint64_t token;
    uint32_t next; /* index + 1; also links the free list */
    uint16_t client;
    uint16_t data_bytes : 15; /* at most a line's */
    bool dirties : 1;
};
_Static_assert(sizeof(struct cache_target) == 16, "four to a cache line of the host");

enum txn_kind { TXN_FREE, TXN_FILL, TXN_PASS };

/* A request to the level below: the fetch of a line by an MSHR (FILL), or an access that is passed down (PASS). Most
 * have one target, which they hold themselves. */
struct cache_txn {
    _Alignas(64) uint64_t line; /* address / line_bytes */
    struct cache_target target; /* the first */
    cycle_t granted_at;         /* by the home: the cycle in which the request proceeds */
    uint32_t next;              /* index + 1: hash chain or free list */
    uint32_t last;              /* of the other targets, index + 1; 0: there are none */
    uint32_t remaining;         /* completions still to arrive: a request may be sent in parts */
    uint32_t pair;              /* index + 1 of the second transaction of a pair of lines that this one fetches */
    uint32_t set;
    uint16_t channel;
    uint16_t fill_bytes;
    struct mem_hint hint; /* of the first target */
    uint8_t kind;
    bool stream : 1;          /* every target so far leaves the replacement order alone */
    bool no_alloc : 1;        /* every target so far leaves no line */
    bool invalidated : 1;     /* while in flight: the line is not kept */
    bool wants_exclusive : 1; /* some target is an atomic, for which peers are invalidated */
    bool granted : 1;         /* by the home of the line */
    bool exclusive : 1;       /* likewise */
    bool second_of_pair : 1;  /* another transaction's request fetches its line and holds the MSHR */
};
_Static_assert(sizeof(struct cache_txn) == 64, "one cache line of the host");

/* Members are arranged by what a request touches together; a cache line of the host has 64 bytes. */
struct cache_channel {
    _Alignas(64) struct cache_ins in;
    struct cache_outs out; /* output_queue entries, and one for a write-back of each MSHR */
    cycle_t lookup_free, out_free;

    _Alignas(64) cycle_t accepted_at; /* when the youngest request was accepted, */
    uint32_t accepted;                /* and how many in that cycle */
    bool out_blocked : 1;             /* the level below cannot accept the front of `out` */
    bool mshr_stalled : 1;            /* the head of `in` lacks an MSHR, a target or a pass slot */
    bool writing_back : 1;
    bool bus_busy : 1;
    uint8_t blocked_on; /* enum lookup_result: what the head of `in` lacked when tried; none was freed since */
    struct cache_answers hits;
    uint64_t bus_free_fp;  /* when another transfer may begin, in 1/2^RATE_FP_BITS cycles */
    uint32_t bus_used_fp;  /* part of a cycle that stats.data_cycles does not have yet */
    uint32_t targets_used; /* targets whose completion has not left */

    _Alignas(64) struct cache_answers fills;
    struct cache_answers acks; /* of stores, where those take longer than hits */

    _Alignas(64) uint32_t *bucket;  /* txn index + 1 by hash of the line */
    uint32_t txn_free, target_free; /* index + 1 */
    /* index + 1 of the first never used; taken when none is free, so that memory is touched as it is needed */
    uint32_t txn_fresh, target_fresh;
    uint32_t mshrs_used, passes_used;
    cycle_t lookup_cycle;
    uint32_t lookups; /* in lookup_cycle */
    uint32_t random;  /* state of the sequence that CACHE_RANDOM draws from; 0 at first */
    cycle_t bus_done; /* last cycle of the transfer in progress */

    _Alignas(64) struct cache_rsp bus; /* that transfer */
    cycle_t stall_since;
    uint64_t dirty_lines;
    cycle_t writeback_free;
    uint64_t writeback_at; /* next line of the channel to look at */
};
_Static_assert(sizeof(struct cache_channel) == 320, "five cache lines of the host");

struct cache {
    /* touched by each request */
    _Alignas(64) struct cache_channel *channel;
    struct divider channels, sets, all_sets; /* sets: per channel */
    /* By set, set_bytes each: eight bits of the tag of each way, compared first, 0 = invalid; from order_at on the LRU
     * order of the ways (tags.c). */
    uint8_t *set;
    /* [way][set], the sets of all channels being numbered one after the other: a cache that is far from full, as a MALL
     * mostly is, has its lines in few pages and cache lines of the host. */
    struct cache_way *way;
    uint16_t *in_flight; /* by set: lines on their way; null without cfg.reserves_ways */
    struct cache_txn *txn;
    struct cache_target *target;

    struct mem_port next;
    struct mem_sink sink;
    const struct mem_policy *policy;
    uint16_t client;
    bool freed_entry;
    bool watched; /* cfg.watch has something */
    bool large;   /* more lines than the host's caches hold */
    uint8_t line_shift, interleave_shift;
    uint8_t sector_shift; /* log2 of a 32nd of a line, or 0 when that is smaller than a byte */
    uint32_t bucket_mask;
    struct cache_straights *straight; /* by channel; null without cfg.straight_cycles */
    uint64_t per_byte;                /* of the data path, in 1/2^32 cycles */
    uint32_t whole_bytes;             /* bytes_per_cycle, 0 where it is no whole number */

    uint32_t set_bytes, order_at;
    uint32_t max_fills;                   /* per channel: lines in flight */
    uint32_t max_targets;                 /* per channel, and entries of `fills` */
    uint32_t max_out, max_hits, max_acks; /* entries of these queues of a channel */
    uint32_t max_answers;                 /* entries that `hits` has room for */
    cycle_t *asked;                       /* per line, when hits are observed; else null */
    cycle_t *txn_asked;                   /* likewise, per transaction: lookup of the primary miss */
    struct cache_config cfg;
    struct cache_wheel wheel;
    struct cache_stats stats;
};

#define CACHE_NO_WAY UINT64_MAX

/* Transactions of a channel. */
static inline uint32_t cache_txns(const struct cache *c)
{
    return c->max_fills + c->cfg.pass_slots;
}

static inline uint32_t cache_channel_of(const struct cache *c, gaddr_t addr)
{
    if (c->channels.n == 1)
        return 0;
    if (__builtin_expect(c->cfg.channel_spread, 0))
        return channel_spread(addr >> c->interleave_shift, c->channels.n);
    if (c->cfg.channel_hash)
        return channel_hash(addr) & (c->channels.n - 1);
    return div_r(&c->channels, addr >> c->interleave_shift);
}

/* Where the partial tags of a set are. */
static inline uint8_t *cache_set_at(const struct cache *c, uint32_t set)
{
    return c->set + (size_t)set * c->set_bytes;
}

/* Index of a way. */
static inline uint64_t cache_way_at(const struct cache *c, uint32_t set, uint32_t w)
{
    return (uint64_t)w * c->all_sets.n + set;
}

static inline void cache_answer(struct cache_answers *a, uint32_t capacity, const struct cache_rsp *r)
{
    if (!a->queue.count)
        a->first = r->ready;
    *cache_rsps_push(&a->queue, capacity) = *r;
}

/* Eight bits of a hash of the line, compared before the tag; never 0. Sets differ in the lowest bits of a line number
 * and the lines of a set in those above, so all bits are mixed. */
static inline uint8_t cache_partial_tag(uint64_t line)
{
    return (uint8_t)(hash64(line, 7) | 0x80);
}

/* Cycles that n bytes take on the data path, the last of them perhaps not to its end. */
static inline uint32_t cache_beats(const struct cache *c, uint32_t n)
{
    uint32_t w = c->whole_bytes;

    if (!w)
        return n ? (uint32_t)((n * c->per_byte + UINT32_MAX) >> 32) : 1;
    return n <= w ? 1 : (n + w - 1) / w;
}

/* Takes the data path for so long, from now or from when it is free on; returns the last cycle of it. */
static inline cycle_t cache_take_bus(struct cache *c, struct cache_channel *ch, uint64_t fp, cycle_t now)
{
    uint64_t start = now << RATE_FP_BITS;

    if (start < ch->bus_free_fp)
        start = ch->bus_free_fp;
    ch->bus_free_fp = start + fp;
    fp += ch->bus_used_fp;
    c->stats.data_cycles += fp >> RATE_FP_BITS;
    ch->bus_used_fp = fp & ((1u << RATE_FP_BITS) - 1);
    return (ch->bus_free_fp - 1) >> RATE_FP_BITS;
}

static inline bool op_is_store(uint8_t op)
{
    return op == MEM_STORE;
}

/* The first cycle at which another transfer may begin. */
static inline cycle_t cache_bus_free(const struct cache_channel *ch)
{
    return ch->bus_free_fp >> RATE_FP_BITS;
}

/* Sends data up; returns the cycle in which the last of them leave. Tag banks give answers of several lines in a cycle,
 * which share the width of the data path; without, each answer has whole cycles, unless the path is clocked apart. */
static inline cycle_t cache_send_data(struct cache *c, struct cache_channel *ch, uint32_t bytes, cycle_t now)
{
    bool exact = c->cfg.lookups_per_cycle > 1 || !c->whole_bytes;
    uint64_t fp = exact ? bytes * c->per_byte >> (32 - RATE_FP_BITS) : (uint64_t)cache_beats(c, bytes) << RATE_FP_BITS;

    return cache_take_bus(c, ch, fp, now);
}

/* straight.c: answers to hits that have not left before cycle `now`, whichever way they take; and when the first of
 * those that take no trip through the cache leaves then or later (CYCLE_NEVER: there is none). */
uint32_t cache_hits_left(const struct cache *c, const struct cache_channel *ch, cycle_t now);
cycle_t cache_straight_leaves(const struct cache *c, const struct cache_channel *ch, cycle_t now);

/* channels.c */
void cache_wake(struct cache *c, uint32_t channel, cycle_t when);

/* tags.c */
uint32_t cache_set(const struct cache *c, gaddr_t addr);
uint32_t cache_set_in(const struct cache *c, gaddr_t addr, uint32_t channel); /* that is known: cache_channel_of() */
uint64_t cache_find(const struct cache *c, uint32_t set, uint64_t line);
uint64_t cache_find_here(const struct cache *c, uint32_t set, uint64_t line); /* the same, in the caller's code */
void cache_lay_out_sets(struct cache *c);
/* The way that has the line, or false and the one that is to have it; a guess, by the partial tags of the first ways.
 */
bool cache_may_have(const struct cache *c, uint32_t set, uint64_t line, uint64_t *at);
/* Brings that way into a cache of the host. */
void cache_prefetch(const struct cache *c, uint32_t set, uint64_t line);
/* An evicted dirty line, which is to be written back. */
struct cache_victim {
    gaddr_t addr;
    struct mem_hint hint;
};
bool cache_install(struct cache *c, struct cache_channel *ch, uint32_t set, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty, cycle_t now);
void cache_touch(struct cache *c, uint32_t set, uint64_t at);
void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at);
void cache_invalidate_line(struct cache *c, struct cache_channel *ch, uint64_t at);
uint32_t cache_sectors_touched(const struct cache *c, gaddr_t addr, uint32_t bytes);
uint32_t cache_sectors_covered(const struct cache *c, gaddr_t addr, uint32_t bytes);
void cache_invalidate_clean(struct cache *c);
bool cache_next_dirty(struct cache *c, uint32_t channel, struct cache_victim *v);

static inline uint32_t *cache_peers_count(const struct cache_peers *p, uint64_t line)
{
    return &p->count[hash64(line, 32) & p->mask];
}

/* A copy of a line, or a fetch of it, begins (1) or ceases (-1) to exist. */
static inline void cache_count_copies(const struct cache *c, uint64_t line, int by)
{
    if (c->cfg.peers)
        *cache_peers_count(c->cfg.peers, line) += (uint32_t)by;
}

static inline void cache_tell_line(const struct cache *c, uint64_t at, bool filled, cycle_t now)
{
    if (c->cfg.watch.line)
        c->cfg.watch.line(c->cfg.watch.ctx, (gaddr_t)(c->way[at].tag - 1) << c->line_shift, filled, c->way[at].dirty,
                          now);
}

static inline void cache_count_eviction(struct cache *c, uint64_t at, cycle_t now)
{
    const struct mem_hint *h = &c->way[at].hint;

    c->stats.evictions++;
    c->stats.evicted[h->scope][h->temporal]++;
    cache_tell_line(c, at, false, now);
}

/* lookup.c */
/* What a request lacks: an MSHR, a pass slot, or a target of the line's MSHR, all of which a completion frees; any
 * target, or an entry of the response queue, which are free when a response has left; entries of the output queue. */
enum lookup_result { LOOKUP_DONE, LOOKUP_NO_MSHR, LOOKUP_NO_TARGET, LOOKUP_NO_RESPONSE, LOOKUP_NO_OUTPUT };
enum lookup_result cache_lookup(struct cache *c, struct cache_channel *ch, const struct cache_in *in, cycle_t now);
void cache_push_writeback(struct cache *c, struct cache_channel *ch, const struct cache_victim *v, cycle_t ready);
struct cache_txn *cache_find_mshr(const struct cache *c, const struct cache_channel *ch, uint64_t line);
/* from: the transaction whose request fetched the line, itself or the first of its pair. */
void cache_finish_txn(struct cache *c, uint32_t id, uint32_t from, cycle_t now);

#endif
