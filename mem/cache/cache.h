/* One set-associative cache, used at every level: L0/vL1D, scalar, instruction, GL1, L2, MALL. It models tags and
 * timing and holds no data: values live in mem/space.
 *
 * Structure. Addresses are spread over channels. Each channel has an input queue, a tag stage of `lookups_per_cycle`,
 * miss status holding registers (MSHRs), an output queue towards the level below, and one data path of
 * `bytes_per_cycle` upwards.
 *
 * Time, for a request accepted at cycle t by a channel that is otherwise idle:
 *   hit                  completes at t + hit_latency
 *   store taken in       completes at t + hit_latency, store_miss_ack_cycles later when it allocates the line
 *   miss                 is accepted by the level below at t + miss_latency; when the line has arrived at cycle u, the
 *                        request completes at u + fill_latency
 *   data of n bytes      take ceil(n / bytes_per_cycle) cycles of the data path, the first of which is part of the
 *                        latency; n / bytes_per_cycle exactly with several lookups per cycle, whose answers share a
 *                        cycle, and where bytes_per_cycle is no whole number, as of a cache with a clock of its own;
 *                        a store is acknowledged without data
 *   a fill               takes the data path for line_cycles, as data going up does: both need the data array
 *   stores               keep the tag stage, all lookups of it, busy for ceil(n / bytes_per_cycle) cycles, atomics for
 *                        atomic_cycles if that is more
 * All other time is queueing. Completions leave in the order they become ready (fills before hits of the same cycle).
 * Requests enter the tag stage in the order they came, and one that lacks an MSHR, a pass slot or an entry of the
 * output queue blocks those behind it in its channel.
 *
 * Misses. A miss to a line that an MSHR already fetches (a secondary miss) is merged into that MSHR. Any number of
 * requests may wait for one line: the requests that wait in all MSHRs of a channel share mshrs * mshr_targets places. A
 * line is allocated when its data arrive; the replacement policy picks the victim, and a dirty
 * victim is written back first. mem/cache/policy.h decides what a cache hint does to an access; without a policy every
 * access is KEEP. A line that is written back carries the temporal hint of its last store, by which the level below
 * decides.
 *
 * Stores. A read-only cache invalidates the line and passes the store down. A write-through cache updates the line and
 * passes the store down, which completes when the level below has completed it. A write-back cache keeps the store. A
 * store that misses a write-back, write-allocating cache allocates a line without fetching it, since bytes are masked
 * as in AMD's L2. A later load of bytes that were neither written nor fetched is a miss. The valid-byte mask has one
 * bit for each sector, a 32nd of a line.
 *
 * Coherence (config.peers). Peers are caches of one level that share lines, each of which keeps the bytes it has
 * modified. Loads and stores go on as if there were no peers: a line that a store begins to modify is invalidated in
 * the peers where it is clean. Atomics need the line exclusive and are misses (upgrades) otherwise. The home of a line,
 * where the requests of all peers for it meet, acts on the coherence states (mem/hierarchy/coherence.c): it grants each
 * request and downgrades the copies of others. A fetched line is exclusive when no peer had a copy.
 *
 * Left out: conflicts of fills with the tag stage; the order in which one wave's loads must return, which is the
 * engine's; coherence between caches of one level that are no peers. Stalls are counted when they end.
 *
 * Hardware facts behind the choices: vL1D/L0 write-through, L2 write-back and write-allocate, GL1 read-only, atomics
 * executed at L2, merging of secondary misses at L1 and L2 (AMD ROCm Compute Profiler documentation).
 */
#ifndef GCNSIM_MEM_CACHE_H
#define GCNSIM_MEM_CACHE_H

#include "mem/cache/policy.h"
#include "mem/req.h"
#include "sim/util/arena.h"
#include "sim/util/error.h"

enum cache_write { CACHE_READ_ONLY, CACHE_WRITE_THROUGH, CACHE_WRITE_BACK };

/* Observers of one cache; each function may be null. */
#define CACHE_NO_TXN UINT32_MAX
struct cache_watch {
    void *ctx;
    /* A load hits a line whose fetch was requested in cycle `asked`. */
    void (*hit)(void *ctx, const struct mem_req *req, cycle_t asked, cycle_t now);
    /* The request of a client is answered: by a hit (CACHE_NO_TXN), or by the completion of transaction `txn` of this
     * cache, which is the token of its own request to the level below. */
    void (*answered)(void *ctx, uint16_t client, uint64_t token, uint32_t txn);
    /* A line is filled, or evicted as stats.evictions counts it. */
    void (*line)(void *ctx, gaddr_t addr, bool filled, bool dirty, cycle_t now);
};

/* Copies of lines in all peers together, fetches in flight included, counted by a hash of the line. A count that is no
 * higher than a cache's own copies proves that no peer has the line. */
struct cache_peers {
    uint32_t *count;
    uint32_t mask; /* a power of two less one */
    void *ctx;
    /* A cache, by its client number, begins to modify a line of which peers may have copies. */
    void (*modified)(void *ctx, uint16_t client, gaddr_t addr, cycle_t now);
};

/* Counts per channel unless said otherwise. */
/* Which line of a full set is evicted. */
enum cache_replacement {
    CACHE_LRU,
    CACHE_FIFO,   /* the line that was allocated first: hits do not change the order */
    CACHE_RANDOM, /* a pseudo-random way, the same from run to run */
};

struct cache_config {
    const char *name; /* for messages; outlives the cache */
    enum cache_level level;
    enum cache_write write;
    enum cache_replacement replacement;
    bool write_allocate;       /* a store that misses allocates (write-through: only a store of the whole line) */
    bool fetch_on_write_miss;  /* write-back: a store that misses fetches the line instead of masking bytes */
    bool atomics;              /* atomics execute here; needs CACHE_WRITE_BACK */
    uint64_t size_bytes;       /* of all channels: a multiple of line_bytes * ways * channels */
    uint32_t line_bytes;       /* a power of two, 16..4096 */
    uint32_t ways;             /* 1..256 */
    uint32_t channels;         /* 1..1024 */
    bool channel_hash;         /* channels are chosen by channel_hash(), which fits them (mem/channels.h) */
    bool channel_spread;       /* what-if: by channel_spread() instead */
    bool set_hash;             /* the sets of a channel are chosen by a hash of all bits of the line's number */
    uint32_t interleave_bytes; /* consecutive bytes of one channel: a power of two >= line_bytes; 0 = line_bytes */
    uint32_t hit_latency_cycles, miss_latency_cycles; /* >= 1 */
    uint32_t fill_latency_cycles;
    uint32_t lookups_per_cycle;
    double bytes_per_cycle;
    uint32_t store_miss_ack_cycles;     /* a store that allocates its line is answered so much later than a hit */
    uint32_t line_cycles;               /* of the data path, taken by the fill of a line that is kept */
    uint32_t atomic_cycles;             /* tag stage per atomic; 0 = as a store */
    uint32_t input_queue, output_queue; /* entries; output_queue >= 2 */
    uint32_t mshrs;                     /* lines, or pairs of lines fetched by one request, in flight */
    uint32_t mshr_targets;              /* requests that wait, in the mean of the MSHRs: one may have all of them */
    bool reserves_ways;  /* a miss takes a way of its set, until its data have been read: no set has more on the way */
    uint32_t pass_slots; /* stores, atomics and bypassing loads in flight below */
    bool check_every_cycle;   /* tick every channel in every cycle: same results, slower */
    struct cache_watch watch; /* all null: no observer */
    /* Largest request to the level below, at most its line; 0 = line_bytes. When it is two lines, misses to the two
     * lines of an aligned pair that follow one another on a channel go down as one request. */
    uint32_t request_bytes;
    /* Bytes of a store that are a request of their own in cache_stats.store_requests; 0 = the whole store. Time does
     * not depend on it. */
    uint32_t store_request_bytes;
    struct cache_peers *peers; /* null: none; needs CACHE_WRITE_BACK */
    /* No miss is answered within so many cycles of its acceptance, so that hits are answered before later ones
     * (cache_straight()). 0: there is no such bound. */
    uint32_t straight_cycles;
};

/* Every access is a hit or a miss. A miss is any access that the cache did not serve from its own lines; in this layer
 * as in the engine's result and the report it counts primary misses, merged secondary misses and bypasses together. */
struct cache_op_stats {
    uint64_t accesses; /* hits + misses */
    uint64_t hits, misses;
    uint64_t mshr_merges; /* misses merged into the MSHR of an earlier miss to the line (secondary misses) */
    uint64_t bypasses;    /* misses passed to the level below by their hint, or because that level executes them */
};

struct cache_stats {
    struct cache_op_stats op[MEM_OPS];
    uint64_t store_requests; /* stores, in parts of store_request_bytes */
    uint64_t evictions;      /* valid lines replaced, or invalidated by an access whose hint says so */
    uint64_t evicted[MEM_SCOPES][MEM_TEMPORALS]; /* of these, by the hint of the fetch or last store */
    uint64_t writebacks;
    uint64_t data_cycles;             /* cycles of data paths taken by data going up and by fills */
    uint64_t loads_taken, loads_done; /* loads, atomics and fetches with a completion: accepted, completed */
    uint64_t load_latency_cycles;     /* of those done, less the cycle of acceptance of those in flight (mod 2^64) */
    uint64_t prefetches;              /* accesses without a completion, stores apart */
    uint64_t load_bytes;              /* data returned upwards */
    uint64_t store_bytes;             /* data taken from above */
    uint64_t fill_bytes;              /* data fetched from below, bypasses included */
    uint64_t down_bytes;              /* data sent below: stores, atomics and write-backs */
    uint64_t mshr_full_stall_cycles;  /* channel-cycles with a request blocked by MSHRs, targets or pass slots */
    /* MSHRs in use, and channels all of whose MSHRs are: how many now, and summed over the cycles up to `now` when that
     * number times `now` is added (mod 2^64) */
    uint64_t mshrs_in_use, mshr_cycles;
    uint64_t channels_full, channel_full_cycles;
    uint64_t upgrades;         /* atomics on a line that was present, but not exclusive */
    uint64_t downgrades;       /* lines invalidated, or written back and kept clean, for a peer */
    uint64_t dirty_downgrades; /* downgrades of a modified line, which wrote it back */
};

struct cache;

/* `next` may be called from tick, `sink` from tick; `client` is put on requests to the level below; policy may be
 * null and outlives the cache. Memory is the arena's. Null with *err when the configuration makes no sense. */
struct cache *cache_new(const struct cache_config *cfg, const struct mem_policy *policy, struct mem_port next,
                        uint16_t client, struct mem_sink sink, struct arena *arena, struct err *err);

/* Puts other observers in the place of those there are; none may be in flight. The cache knows when a line was asked
 * for from the first observer of hits on: 0 of those that it had before. False: out of host memory in the arena. */
bool cache_set_watch(struct cache *c, const struct cache_watch *watch, struct arena *arena);

uint32_t cache_channel(const struct cache *c, gaddr_t addr);
bool cache_can_accept(const struct cache *c, gaddr_t addr);
uint32_t cache_free_entries(const struct cache *c, gaddr_t addr); /* requests that may be accepted */
/* Returns the cycle in which it gives the cache work, CYCLE_NEVER when it waits behind one that lacks a resource. */
cycle_t cache_accept(struct cache *c, const struct mem_req *req, cycle_t now);

/* The same for a request whose channel is known, by cache_channel(). */
bool cache_channel_can_accept(const struct cache *c, uint32_t channel);
cycle_t cache_channel_accept(struct cache *c, uint32_t channel, const struct mem_req *req, cycle_t now);

/* Accepts a load, or a fetch, in the caller's cycle `now` as cache_accept() does, if it hits and nothing in the cache
 * can change when its data come: they come in the cycle that is returned, without a tick and without a completion.
 * Other results accept nothing: *full, the input queue is full, and has a free entry in the cycle
 * that is returned; CYCLE_NEVER, the request has to go the ordinary way. A line that is invalidated between this cycle
 * and the lookup counts as found. */
cycle_t cache_straight(struct cache *c, const struct mem_req *req, cycle_t now, bool *full);
/* Takes what is to be counted in cycle `end` or later for them away from statistics. */
void cache_straight_uncount(const struct cache *c, cycle_t end, struct cache_stats *s);
/* They are over: returns the last cycle in which data come, 0 when there are none. */
cycle_t cache_straight_end(struct cache *c);

/* The tag stage looks at the request that the channel has accepted last in cycle `until` or later, and at those after
 * it no earlier. To be called before the next tick. */
void cache_hold(struct cache *c, uint32_t channel, cycle_t until);

/* A completion from the level below; `token` is one this cache sent. Called before tick(now) of the same cycle. Returns
 * the cycle in which it gives the cache work, CYCLE_NEVER when it waits for what the cache has to do anyway. */
cycle_t cache_fill(struct cache *c, uint64_t token, cycle_t now);

/* Does the work of cycle `now`; returns the next cycle with work. A cache blocked by the level below sleeps
 * (cache_is_blocked()). When that level has freed an entry, call cache_unblock(), which returns whether the entry helps
 * this cache. */
cycle_t cache_tick(struct cache *c, cycle_t now);
bool cache_is_blocked(const struct cache *c);
bool cache_unblock(struct cache *c, cycle_t now);

/* Whether the last tick freed an entry of an input queue, so that requesters above may try again. */
bool cache_freed_entry(const struct cache *c);

/* The bytes of data that a completion of a request of this cache brings; *addr is in its line. */
uint32_t cache_fill_bytes(const struct cache *c, uint64_t token, gaddr_t *addr);

/* Puts lines into the cache before the first cycle: clean, whole, and counted nowhere. */
void cache_preload(struct cache *c, gaddr_t from, uint64_t bytes);
/* warm.c: does to the lines of a write-back cache what a request within one line does, without time. It counts
 * evictions. What it would send to the level below, itself, the fetch of a line, a write-back, is put into `down`;
 * returns how many there are. Requests may be in flight, whose lines are then there when they come. */
struct cache_warming {
    struct mem_req req;
    uint32_t set;     /* of all channels */
    uint32_t sectors; /* of a store: that it writes whole; of others: that it touches */
    uint8_t action;   /* enum mem_action */
    bool joins;       /* others like it to the same line need nothing from below once it has been there */
    bool again;       /* such have joined it */
};
uint32_t cache_warming_set(const struct cache *c, gaddr_t addr);
void cache_warming_init(const struct cache *c, const struct mem_req *req, uint32_t set, struct cache_warming *w);
unsigned cache_warm(struct cache *c, const struct cache_warming *w, struct mem_req down[2]);
/* Likewise cache_writeback(): modified lines become clean, and are given to down(). */
void cache_warm_writeback(struct cache *c, void (*down)(void *ctx, const struct mem_req *req), void *ctx);
/* True: the request, which comes after w with no other of its set between, has become a part of w. */
bool cache_warming_join(const struct cache *c, struct cache_warming *w, const struct mem_req *req);
/* Have the host bring what cache_warm() will need for the line of addr, and change nothing: its set, which is returned;
 * when that is there, the way that has the line or is to have it (*at; false, for all that the set shows: it has to be
 * fetched); when the way is there, say whether it is a modified line's that would be evicted, and which one. */
uint32_t cache_expect_set(const struct cache *c, gaddr_t addr);
bool cache_expect_way(const struct cache *c, uint32_t set, gaddr_t addr, uint64_t *at);
bool cache_expect_victim(const struct cache *c, uint64_t at, gaddr_t *addr);
uint32_t cache_sets(const struct cache *c);                   /* of all channels */
uint64_t cache_lines(const struct cache *c, uint64_t *valid); /* that it has room for; *valid: that it holds */

/* Between cycles of an idle cache: drops the lines of [from, from + bytes), modified ones too, since somebody has
 * written the memory behind them. Counted nowhere. */
void cache_drop(struct cache *c, gaddr_t from, uint64_t bytes);

/* For the home of lines that peers share (mem/cache/peers.c). The coherence state of a line in one cache. */
enum cache_state {
    CACHE_STATE_INVALID,   /* no copy, and no granted fetch of one */
    CACHE_STATE_CLEAN,     /* a clean copy, or a granted fetch */
    CACHE_STATE_DIRTY,     /* a copy with modified bytes */
    CACHE_STATE_ACQUIRING, /* a fetch granted for an atomic: requests of peers have to wait for it */
};
enum cache_state cache_coherence_state(const struct cache *c, gaddr_t addr);

/* Whether the peers together may have more than `own` copies of the line of addr. */
bool cache_maybe_shared(const struct cache *c, gaddr_t addr, uint32_t own);
/* Whether a request this cache has sent needs the line exclusive. */
bool cache_wants_exclusive(const struct cache *c, const struct mem_req *req);
/* The home grants a request, which proceeds in cycle `at`; `exclusive`: no peer has a copy. A request that is sent in
 * parts is granted with the first; cache_granted_at() gives the cycle in which the other parts proceed, 0 when none has
 * been granted. */
void cache_grant(struct cache *c, const struct mem_req *req, bool exclusive, cycle_t at);
cycle_t cache_granted_at(const struct cache *c, const struct mem_req *req);
/* Lowers the coherence state of a copy for a peer: to shared (no longer exclusive); to clean, the modified bytes being
 * written back by the caller; to invalid, likewise. */
enum cache_downgrade { CACHE_TO_SHARED, CACHE_TO_CLEAN, CACHE_TO_INVALID };
void cache_downgrade(struct cache *c, gaddr_t addr, enum cache_downgrade to, cycle_t now);

/* Invalidates every clean line at once; lines in flight complete but are not kept. Dirty lines stay. */
void cache_invalidate(struct cache *c, cycle_t now);

/* Starts writing back every dirty line, one per cycle and channel; lines stay, clean. */
void cache_writeback(struct cache *c, cycle_t now);
bool cache_is_writing_back(const struct cache *c);
uint64_t cache_dirty_lines(const struct cache *c);

/* Nothing is queued, in flight or being written back (dirty lines do not count). */
bool cache_is_idle(const struct cache *c);

const struct cache_stats *cache_stats(const struct cache *c);
void cache_clear_stats(struct cache *c); /* an idle cache's */
/* Puts those of an earlier cycle back, for a report alone: the cache is not used any more. */
void cache_set_stats(struct cache *c, const struct cache_stats *s);
const struct cache_config *cache_get_config(const struct cache *c);

/* Whether the line of addr is present, and dirty; for tests and dumps. */
bool cache_probe(const struct cache *c, gaddr_t addr, bool *dirty);

/* Where a client's request is, for dumps (mem/cache/locate.c): in a queue or on the data path of this cache; waiting
 * for the answer to a request to the level below, whose token *below then is; or neither: it has not arrived, or is
 * answered. */
enum cache_place { CACHE_ELSEWHERE, CACHE_HERE, CACHE_BELOW };
enum cache_place cache_locate(const struct cache *c, uint16_t client, uint64_t token, uint64_t *below);

/* Transactions, and with them tokens of requests to the level below: 0 .. cache_txn_count() - 1. */
uint32_t cache_txn_count(const struct cache *c);

#endif
