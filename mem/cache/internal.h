/* Inside of mem/cache*.c: tags (cache_tags.c), the tag stage (cache_lookup.c), queues and time (cache.c). */
#ifndef GCNSIM_MEM_CACHE_INTERNAL_H
#define GCNSIM_MEM_CACHE_INTERNAL_H

#include "mem/cache/cache.h"
#include "sim/util/fifo.h"

#define CACHE_HOST_BYTES (256u << 10) /* books of more than this are fetched ahead of their use */

/* Division by a number fixed at start-up, most often a power of two. */
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

/* What there is to know of a line, in one place of the host's memory. */
struct cache_way {
    uint64_t tag;  /* line + 1, 0 = invalid */
    uint32_t have; /* which 32nds of the line are valid */
    bool dirty;
    bool alone;           /* of peers, no other has it */
    struct mem_hint hint; /* of the access that brought the line, or of the last store to it */
};
_Static_assert(sizeof(struct cache_way) == 16, "four to a line of the host's memory");

struct cache_in {
    struct mem_req req;
    uint64_t base; /* of its set */
    cycle_t eligible;
};

struct cache_out {
    cycle_t ready;
    gaddr_t addr;
    uint64_t token;
    uint32_t bytes;
    uint8_t op;
    struct mem_hint hint;
};

struct cache_rsp {
    cycle_t ready;
    uint64_t token;
    uint32_t bytes; /* 0: an acknowledgement */
    uint16_t client;
};

/* A request waiting for a transaction. */
struct cache_target {
    uint64_t token;
    uint32_t next; /* index + 1; also links the free list */
    uint32_t data_bytes;
    uint32_t covers; /* pieces of the line a store brings */
    uint16_t client;
    bool dirties;
};

enum txn_kind { TXN_FREE, TXN_FILL, TXN_PASS };

/* Something the level below has been asked for. */
struct cache_txn {
    _Alignas(64) uint64_t line; /* address / line_bytes */
    cycle_t asked;
    cycle_t on;           /* when its home has let it go on */
    uint32_t next;        /* index + 1: hash chain or free list */
    uint32_t first, last; /* targets, index + 1 */
    uint32_t targets;
    uint32_t remaining; /* pieces still to arrive */
    uint32_t twin;      /* index + 1 of one whose line comes with this one's */
    uint32_t fill_bytes;
    uint16_t channel;
    uint8_t kind;
    bool stream;          /* every target so far leaves the replacement order alone */
    bool no_alloc;        /* every target so far wants no line to stay */
    bool dropped;         /* invalidated on its way */
    bool claims;          /* some target is an atomic, for which peers have to give the line up */
    bool admitted, alone; /* by the home of lines that peers share */
    bool is_twin;
    struct mem_hint hint; /* of the first target */
};
_Static_assert(sizeof(struct cache_txn) == 64, "one line of the host's memory");

/* Arranged by what a request touches together; a host's line has 64 bytes. */
struct cache_channel {
    _Alignas(64) struct fifo in; /* struct cache_in */
    struct fifo out;             /* struct cache_out; room for output_queue and a write-back of each MSHR */
    cycle_t lookup_free;
    bool out_blocked;  /* the level below refused */
    uint8_t stuck;     /* enum lookup_result: what the head of `in` lacks, none of which was freed since it was tried */
    bool mshr_stalled; /* the head of `in` lacks an MSHR, target or slot */
    bool writing_back;
    bool bus_busy;

    _Alignas(64) struct fifo hits; /* struct cache_rsp */
    struct fifo fills;             /* struct cache_rsp */
    cycle_t bus_free;              /* first cycle at which another transfer may begin */
    uint32_t waiting;              /* targets allocated whose completion has not left */

    _Alignas(64) cycle_t lookup_cycle;
    cycle_t out_free;
    uint32_t *bucket;               /* txn index + 1 by hash of the line */
    uint32_t lookups;               /* in lookup_cycle */
    uint32_t txn_free, target_free; /* index + 1 */
    uint32_t target_fresh;          /* index + 1 of the first never used; taken when none is free */
    uint32_t mshrs_used, passes_used;
    uint64_t dirty_lines;

    struct cache_rsp bus;
    cycle_t bus_done; /* last cycle of the transfer in progress */
    cycle_t stall_since;
    cycle_t writeback_free;
    uint64_t writeback_at; /* next line of the channel to look at */
};

struct cache {
    /* what each request looks at */
    _Alignas(64) struct cache_channel *channel;
    cycle_t *wake;                       /* per channel */
    struct divider channels, sets, ways; /* sets per channel */
    uint8_t *mark;                       /* as `way`: eight bits of the line, to be compared first; 0 = invalid */
    uint8_t *order;        /* by set, order_bytes each: in which order its ways were used (cache_tags.c) */
    struct cache_way *way; /* [channel][set][way] */
    struct cache_txn *txn;
    struct cache_target *target;

    struct mem_port next;
    struct mem_sink sink;
    const struct mem_policy *policy;
    uint16_t client;
    bool freed_room;
    bool large; /* more lines than the host's caches hold */
    uint8_t line_shift, interleave_shift;
    uint8_t piece_shift; /* log2 of a 32nd of a line, or 0 when smaller than a byte */
    uint32_t bucket_mask;

    uint32_t order_bytes;
    uint32_t max_fills;   /* per channel: lines on their way */
    uint32_t max_targets; /* per channel */
    cycle_t *asked;       /* per line, when somebody watches; else null */
    struct cache_config cfg;
    uint64_t awake[1024 / 64]; /* channels whose wake is not never */
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
    return div_r(&c->channels, addr >> c->interleave_shift);
}

static inline uint8_t *cache_order(const struct cache *c, uint64_t at)
{
    return c->order + div_q(&c->ways, at) * c->order_bytes;
}

/* Never 0. Sets differ in the lowest bits of a line, lines of a set in those above: all are mixed. */
static inline uint8_t cache_mark(uint64_t line)
{
    return (uint8_t)(hash64(line, 7) | 0x80);
}

/* Cycles of a path of bytes_per_cycle for n bytes. */
static inline uint32_t cache_beats(const struct cache *c, uint32_t n)
{
    uint32_t w = c->cfg.bytes_per_cycle;

    return n <= w ? 1 : (n + w - 1) / w;
}

static inline bool op_is_store(uint8_t op)
{
    return op == MEM_STORE;
}

/* cache.c */
void cache_wake(struct cache *c, uint32_t channel, cycle_t when);

/* cache_tags.c */
uint64_t cache_set_base(const struct cache *c, gaddr_t addr); /* index of way 0 of the set */
uint64_t cache_find(const struct cache *c, uint64_t base, uint64_t line);
uint32_t cache_order_bytes(uint32_t ways);
/* A line pushed out: what has to be written back of it. */
struct cache_victim {
    gaddr_t addr;
    struct mem_hint hint;
};
bool cache_install(struct cache *c, struct cache_channel *ch, uint64_t base, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty, cycle_t now);
void cache_touch(struct cache *c, uint64_t at);
void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at);
void cache_drop(struct cache *c, struct cache_channel *ch, uint64_t at);
uint32_t cache_pieces_touched(const struct cache *c, gaddr_t addr, uint32_t bytes);
uint32_t cache_pieces_covered(const struct cache *c, gaddr_t addr, uint32_t bytes);
void cache_drop_clean(struct cache *c);
bool cache_next_dirty(struct cache *c, uint32_t channel, struct cache_victim *v);

static inline uint32_t *cache_peers_count(const struct cache_peers *p, uint64_t line)
{
    return &p->count[hash64(line, 32) & p->mask];
}

/* A line, or a fetch of one, has come (1) or gone (-1). */
static inline void cache_count_for_peers(const struct cache *c, uint64_t line, int by)
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

/* cache_lookup.c */
/* What a request lacks: a miss register, a slot, or a place among those that wait for a line, all of which a fill
 * frees; a target, or a place among the responses, free when one has left; room in the queue downwards. */
enum lookup_result { LOOKUP_DONE, LOOKUP_NO_MSHR, LOOKUP_NO_TARGET, LOOKUP_NO_RESPONSE, LOOKUP_NO_ROOM };
enum lookup_result cache_lookup(struct cache *c, uint32_t channel, const struct cache_in *in, cycle_t now);
void cache_push_writeback(struct cache *c, struct cache_channel *ch, const struct cache_victim *v, cycle_t ready);
struct cache_txn *cache_find_mshr(const struct cache *c, const struct cache_channel *ch, uint64_t line);
/* from: the transaction whose request brought it, itself or the one it is the twin of. */
void cache_finish_txn(struct cache *c, uint32_t id, uint32_t from, cycle_t now);

#endif
