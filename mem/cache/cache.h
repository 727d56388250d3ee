/* One set-associative cache, used at every level: L0/vL1D, scalar, instruction, GL1, L2, MALL. Timing and tags only,
 * never data: values live in mem/space.
 *
 * Structure. Addresses are spread over channels; each channel has an input queue, a tag stage of `lookups_per_cycle`,
 * miss registers (MSHR), an output queue towards the level below, and one data path of `bytes_per_cycle` upwards.
 *
 * Time, for a request accepted at cycle t by a channel that is otherwise idle:
 *   hit                  completes at t + hit_latency
 *   miss                 leaves for the level below at t + miss_latency (accepted there in that very cycle); when the
 *                        line has arrived at cycle u, completes at u + fill_latency
 *   data of n bytes      take ceil(n / bytes_per_cycle) cycles of the data path, the first of which is part of the
 *                        latency; a store is acknowledged without data
 *   a line coming in     takes the data path line_cycles, as what goes up does: both need the data array
 *   stores               keep the tag stage busy for ceil(n / bytes_per_cycle) cycles, atomics for atomic_cycles if
 *                        more
 * Everything else is queueing: completions leave in the order they become ready (fills before hits of the same
 * cycle), requests enter the tag stage in the order they came, and one that cannot get an MSHR, a slot or room in the
 * output queue holds up those behind it in its channel.
 *
 * Misses to a line already on its way are merged into its MSHR (hit on miss) up to mshr_targets. Lines are allocated
 * when their data arrive; the victim is the least recently used, written back first when dirty. What a hint does to an
 * access is decided by mem/cache/policy.h; without a policy every access is KEEP. A line that is written back takes the
 * temporal hint of its last store with it, so that the level below decides by that.
 *
 * Stores: read-only caches drop the line and pass the store down; write-through ones update the line and pass it down,
 * completing when the level below has; write-back ones keep it. A store that misses a write-back, write-allocating
 * cache takes a line without fetching it (bytes are masked, as in AMD's L2); a later load of bytes that never were
 * written or fetched is a miss. The mask has 32 pieces per line.
 *
 * Peers (config.peers) are caches of one level that share lines, each of which keeps the bytes it has changed. Loads
 * and stores go on as if there were none: a line that a store begins to change is dropped where it is clean. Atomics
 * need the line alone, else they are misses. Who has lines is known where the peers' requests come together, their home
 * (whoever calls cache_stake() and what follows), which admits each request to the level below and has the others
 * yield. A fetched line is had alone when no peer had it then.
 *
 * Left out: conflicts of fills with the tag stage, the order in which one wave's loads must return (the engine's),
 * coherence between caches of one level that are no peers. Stalls are counted when they end.
 *
 * Hardware facts behind the choices: vL1D/L0 write-through, L2 write-back and write-allocate, GL1 read-only, atomics
 * executed at L2, hit-on-miss merging at L1 and L2 (AMD ROCm Compute Profiler documentation).
 */
#ifndef GCNSIM_MEM_CACHE_H
#define GCNSIM_MEM_CACHE_H

#include "mem/cache/policy.h"
#include "mem/req.h"
#include "sim/util/arena.h"
#include "sim/util/error.h"

enum cache_write { CACHE_READ_ONLY, CACHE_WRITE_THROUGH, CACHE_WRITE_BACK };

/* Who is told what happens inside a cache; each function may be null. */
#define CACHE_NO_TXN UINT32_MAX
struct cache_watch {
    void *ctx;
    /* A load hits a line that was asked for in cycle `asked`. */
    void (*hit)(void *ctx, const struct mem_req *req, cycle_t asked, cycle_t now);
    /* The request of a client is answered: by a hit (CACHE_NO_TXN), or by what came back for transaction `txn` of this
     * cache, the token of its own request to the level below. */
    void (*answered)(void *ctx, uint16_t client, uint64_t token, uint32_t txn);
    /* A line is filled, or evicted: as stats.evictions counts. */
    void (*line)(void *ctx, gaddr_t addr, bool filled, bool dirty, cycle_t now);
};

/* Lines that any of the peers has, or has on its way, counted by a hash of their number. What nobody else has is seen
 * at once. */
struct cache_peers {
    uint32_t *count;
    uint32_t mask; /* a power of two less one */
    void *ctx;     /* told when a cache, by its client number, begins to change a line that others may have */
    void (*changed)(void *ctx, uint16_t client, gaddr_t addr, cycle_t now);
};

/* Counts per channel unless said otherwise. */
struct cache_config {
    const char *name; /* for messages; outlives the cache */
    enum cache_level level;
    enum cache_write write;
    bool write_allocate;       /* a store that misses takes a line (write-through: only a store of the whole line) */
    bool fetch_on_write_miss;  /* write-back: fetch the line for it, rather than mask bytes */
    bool atomics;              /* atomics execute here; needs CACHE_WRITE_BACK */
    uint64_t size_bytes;       /* of all channels: a multiple of line_bytes * ways * channels */
    uint32_t line_bytes;       /* a power of two, 16..4096 */
    uint32_t ways;             /* 1..256 */
    uint32_t channels;         /* 1..1024 */
    uint32_t interleave_bytes; /* consecutive bytes of one channel: a power of two >= line_bytes; 0 = line_bytes */
    uint32_t hit_latency_cycles, miss_latency_cycles; /* >= 1 */
    uint32_t fill_latency_cycles;
    uint32_t lookups_per_cycle;
    uint32_t bytes_per_cycle;
    uint32_t line_cycles;               /* of the data path, taken by a line that comes in and stays */
    uint32_t atomic_cycles;             /* tag stage per atomic; 0 = as a store */
    uint32_t input_queue, output_queue; /* entries; output_queue >= 2 */
    uint32_t mshrs;                     /* lines, or pairs of lines asked for together, on their way */
    uint32_t mshr_targets;              /* requests waiting for one line */
    uint32_t pass_slots;                /* stores, atomics and bypassing loads waiting for the level below */
    bool check_every_cycle;             /* ignore what is known about when there is work; same results, slower */
    struct cache_watch watch;           /* all null: nobody watches */
    /* Largest request to the level below, at most its line; 0 = line_bytes. Two lines: misses of neighbours that follow
     * one another, on a channel, go down as one request. */
    uint32_t request_bytes;
    struct cache_peers *peers; /* null: none; needs CACHE_WRITE_BACK */
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
    uint64_t evictions;                          /* valid lines replaced, or dropped by an access that asks for it */
    uint64_t evicted[MEM_SCOPES][MEM_TEMPORALS]; /* of these, by the hint that brought the line or last wrote it */
    uint64_t writebacks;
    uint64_t data_cycles;             /* cycles of data paths taken: by data going up, and lines coming in */
    uint64_t loads_taken, loads_done; /* loads, atomics and fetches that have a completion */
    uint64_t load_latency_cycles;     /* of those done, less the cycle of acceptance of those under way (mod 2^64) */
    uint64_t prefetches;              /* accesses that nobody waits for, stores apart */
    uint64_t load_bytes;              /* data returned upwards */
    uint64_t store_bytes;             /* data taken from above */
    uint64_t fill_bytes;              /* data fetched from below, bypasses included */
    uint64_t down_bytes;              /* data sent below: stores, atomics and write-backs */
    uint64_t mshr_full_stall_cycles;  /* channel-cycles with a request held up by MSHRs, targets or slots */
    uint64_t upgrades;                /* atomics on a line that was present, but not exclusive */
    uint64_t downgrades;              /* lines invalidated, or written back and kept clean, for a peer */
    uint64_t dirty_downgrades;        /* downgrades of a modified line, which wrote it back */
};

struct cache;

/* `next` may be called from tick, `sink` from tick; `client` is put on requests to the level below; policy may be
 * null and outlives the cache. Memory is the arena's. Null with *err when the configuration makes no sense. */
struct cache *cache_new(const struct cache_config *cfg, const struct mem_policy *policy, struct mem_port next,
                        uint16_t client, struct mem_sink sink, struct arena *arena, struct err *err);

uint32_t cache_channel(const struct cache *c, gaddr_t addr);
bool cache_can_accept(const struct cache *c, gaddr_t addr);
uint32_t cache_room(const struct cache *c, gaddr_t addr); /* requests that may be accepted */
void cache_accept(struct cache *c, const struct mem_req *req, cycle_t now);

/* A completion from the level below; `token` is one this cache sent. Called before tick(now) of the same cycle. */
void cache_fill(struct cache *c, uint64_t token, cycle_t now);

/* Does the work of cycle `now`; returns the next cycle with work. A cache held up by the level below sleeps
 * (cache_is_blocked()); call cache_unblock() when that level has made room: true if it has some for this one. */
cycle_t cache_tick(struct cache *c, cycle_t now);
bool cache_is_blocked(const struct cache *c);
bool cache_unblock(struct cache *c, cycle_t now);

/* Whether the last tick took anything out of an input queue: who waits above may try again. */
bool cache_freed_room(const struct cache *c);

/* Of a request this cache has sent: the bytes of data that come with a completion of it; *addr is in its line. */
uint32_t cache_awaits(const struct cache *c, uint64_t token, gaddr_t *addr);

/* Lines that were there before the first cycle: clean, whole, and counted nowhere. */
void cache_preload(struct cache *c, gaddr_t from, uint64_t bytes);

/* For the home of lines that peers share (mem/cache/peers.c). What a cache has of the line of an address: nothing; the
 * line, or a fetch of it that the home has admitted; changed bytes of it; a fetch admitted for an atomic, which others
 * have to wait for. */
enum cache_stake { CACHE_NO_STAKE, CACHE_HAS, CACHE_HAS_DIRTY, CACHE_TAKES };
enum cache_stake cache_stake(const struct cache *c, gaddr_t addr);

/* Whether more than `own` lines, or fetches, with the hash of this one are in the caches. */
bool cache_may_be_elsewhere(const struct cache *c, gaddr_t addr, uint32_t own);
/* Whether nobody else may have the line of a request this cache has sent, once it is admitted. */
bool cache_wants_alone(const struct cache *c, const struct mem_req *req);
/* The home has admitted a request, to go on in cycle `on`: what it brings is had alone, or not. Of a request in pieces
 * the first is asked for; cache_goes_on() says when the others go on with it, 0 when none was admitted. */
void cache_admitted(struct cache *c, const struct mem_req *req, bool alone, cycle_t on);
cycle_t cache_goes_on(const struct cache *c, const struct mem_req *req);
/* For a peer: has the line no longer alone; and clean, what was changed being written back by the caller; and not at
 * all, likewise. */
enum cache_yield { CACHE_YIELD_ALONE, CACHE_YIELD_CHANGES, CACHE_YIELD_LINE };
void cache_yield(struct cache *c, gaddr_t addr, enum cache_yield what, cycle_t now);

/* Drops every clean line at once; lines on their way complete but are not kept. Dirty lines stay. */
void cache_invalidate(struct cache *c, cycle_t now);

/* Starts writing back every dirty line, one per cycle and channel; lines stay, clean. */
void cache_writeback(struct cache *c, cycle_t now);
bool cache_is_writing_back(const struct cache *c);

/* Nothing queued, waiting or to be written back (dirty lines do not count). */
bool cache_is_idle(const struct cache *c);

const struct cache_stats *cache_stats(const struct cache *c);
const struct cache_config *cache_get_config(const struct cache *c);

/* Whether the line of addr is present, and dirty; for tests and dumps. */
bool cache_probe(const struct cache *c, gaddr_t addr, bool *dirty);

/* Transactions, and with them tokens of requests to the level below: 0 .. cache_txn_count() - 1. */
uint32_t cache_txn_count(const struct cache *c);

/* Several lines of text into buf, as snprintf. */
int cache_dump(const struct cache *c, char *buf, size_t size);

#endif
