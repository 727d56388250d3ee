/* The memory hierarchy of a dispatch: vl0 per CU -> (GL1 shared by some) -> L2 -> (MALL) -> DRAM, with the scalar and
 * instruction caches, shared by some CUs, in front of L2 or of GL1.
 *
 * Use, in every cycle the engine visits: hierarchy_tick(now), pop completions, accept. Between cycles time may jump to
 * any cycle not after hierarchy_next(); accepting moves that to the next cycle. Ticking every cycle gives the same
 * completions as jumping.
 * A request of the vector port must not cross a line of vl0 (mem/coalesce.h makes such), of the scalar and
 * instruction port a line of theirs. Completions come back per CU and port, in the order they are made, which is not
 * the order of the requests.
 *
 * Near and far. What CUs of different groups share is the far side: L2, MALL, DRAM; the caches before it are a group's
 * own. Every channel of a near cache has a link to the far side, in which a request stays until the far side has
 * room. A link never refuses a request that has a completion to come: the miss registers and slots of the cache bound
 * those, and are given back by the completion. Posted ones have a few places of their own. Completions reach the near
 * side link_cycles after the far side has made them. So a group that runs alone for up to link_cycles cycles misses
 * nothing: hierarchy_near_tick() for each group and each cycle of [t, t + link_cycles), then hierarchy_far_run() for
 * them all, gives what hierarchy_tick() gives cycle by cycle. Groups may be ticked on different threads, and their
 * requests accepted there; everything else is for one thread, between.
 *
 * A chip of several dies (XCDs) has an L2 on each; CUs are dealt out to the dies in turns of a few. Units contending
 * for the level below are served in an order that rotates with the cycle (the L2s of several dies in a fixed one).
 * Coherence of those L2s (mem/hierarchy/coherence.c): where a line's requests come together, in front of MALL, a filter
 * knows who has it; requests of lines that no other die has go by at once. The L2s and the channels of MALL and memory
 * may lie on several dies of a fabric (mem/hierarchy/fabric.h, mem/hierarchy/routes.c): then the roads between them
 * take their time and share its links. Left out: the distance between a CU and an L2 channel, the tag lookup a probe
 * takes.
 */
#ifndef GCNSIM_MEM_HIERARCHY_H
#define GCNSIM_MEM_HIERARCHY_H

#include "mem/cache/cache.h"
#include "mem/hierarchy/dram.h"
#include "mem/hierarchy/fabric.h"
#include "mem/hierarchy/tlb.h"

#define HIERARCHY_MAX_EPOCH 255 /* cycles of one hierarchy_far_run() */

enum mem_port_kind { MEM_PORT_VECTOR, MEM_PORT_SCALAR, MEM_PORT_INST, MEM_PORTS };

/* A load that hits a near data cache. */
struct hierarchy_hit {
    enum cache_level level;
    enum mem_op op;
    uint32_t cu, cus;           /* asked for by one of these CUs: cus from cu on */
    uint32_t first_cu, all_cus; /* that the cache serves */
    uint32_t ports;             /* and of these the ports, bits 1 << MEM_PORT_x */
    uint64_t token;             /* MEM_TOKEN_NONE: asked for by the cache above */
    gaddr_t addr;
    uint32_t line_bytes;
    cycle_t asked; /* when the line was fetched */
    cycle_t at;
};
/* A line is put into a cache, or evicted. */
struct hierarchy_line {
    enum cache_level level;
    uint32_t unit;  /* which cache of the level */
    uint32_t group; /* of CUs, that has the cache for its own; HIERARCHY_FAR: all share it */
    gaddr_t addr;
    bool filled, dirty; /* dirty: what is evicted is written back */
    cycle_t at;
};
#define HIERARCHY_FAR UINT32_MAX

/* Who is told what happens inside: of a group's caches on the thread that ticks the group, of the far side's where that
 * is run. Functions may be null. */
struct hierarchy_watch {
    void *ctx;
    void (*hit)(void *ctx, const struct hierarchy_hit *hit);
    void (*line)(void *ctx, const struct hierarchy_line *line);
    /* What a port waits for will come from this level; LEVEL_COUNT: from memory. Said once for each piece of a request
     * at least, before its completion; the last time counts. */
    void (*answered)(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, enum cache_level level);
};

struct hierarchy_config {
    enum mem_gen gen;
    uint32_t cus;
    uint32_t cus_per_k, cus_per_i, cus_per_gl1;
    bool k_through_gl1, i_through_gl1; /* misses of the scalar and the instruction cache go to GL1, not to L2 */
    uint32_t cus_per_group;            /* a multiple of the three above; 0: one group */
    uint32_t link_cycles;              /* of completions from the far side to the near one */
    bool l2s_coherent; /* several L2s know of one another's lines (mem/hierarchy/coherence.c); else each is for itself */
    /* Then: more for a request whose line another L2 has to give up or write back; the roads of a fabric come on top.
     */
    uint32_t probe_cycles;
    struct fabric_config fabric;   /* on whose dies the L2s and the channels below them lie; latencies are without it */
    uint32_t l2s, cus_per_l2_turn; /* several L2s: CU n has number n / cus_per_l2_turn % l2s. l2s 0: one for all */
    bool present[LEVEL_COUNT];     /* vl0, k, i and l2 are required */
    struct cache_config cache[LEVEL_COUNT]; /* level and name are filled in; request_bytes is cut to the line below */
    struct dram_config dram;
    struct tlb_config tlb;
    struct hierarchy_watch watch;
    bool check_every_cycle;   /* do every unit's work in every cycle ticked: must give what jumping gives */
    uint32_t max_outstanding; /* per CU and port, 1..65536 */
};

struct hierarchy;

/* Where completions of the ports go as they are made, and the news that a port refused before may be tried again
 * (hierarchy_await_room()). Without one, completions are kept for hierarchy_pop(). */
struct hierarchy_sink {
    void *ctx;
    void (*complete)(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now);
    void (*room)(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now);
};

/* Null with *err on a bad configuration. hierarchy_free(NULL) is allowed. */
struct hierarchy *hierarchy_new(const struct hierarchy_config *cfg, struct err *err);
void hierarchy_free(struct hierarchy *h);
void hierarchy_set_sink(struct hierarchy *h, const struct hierarchy_sink *sink);

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr);
/* req->client is ignored. A token of MEM_TOKEN_NONE asks for no completion. */
void hierarchy_accept(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, const struct mem_req *req,
                      cycle_t now);

/* Cache control by levels (bits 1 << LEVEL_x; absent ones are skipped): those near the CU drop their clean lines at
 * once, L2 writes its dirty ones back. The completion comes when a load that hits the last of the levels would have
 * come back, of a write-back so long after the last dirty line has left L2 (the way to memory is not waited for).
 * Invalidations of the far side are not for CUs: its lines are the device's own (mem/cache/policy.h). */
bool hierarchy_can_control(const struct hierarchy *h, uint32_t cu);
void hierarchy_control(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint32_t invalidate,
                       uint32_t write_back, uint64_t token, cycle_t now);

/* The port, refused in this cycle, is to be told (sink.room) when its cache has taken something out of its queues. */
void hierarchy_await_room(struct hierarchy *h, uint32_t cu, enum mem_port_kind port);

/* The near side of one group, the groups being numbered like their CUs: the work of cycle `now`, which is not after
 * hierarchy_near_next(); returns the next cycle with work by what is known so far. */
uint32_t hierarchy_groups(const struct hierarchy *h);
cycle_t hierarchy_near_tick(struct hierarchy *h, uint32_t group, cycle_t now);
cycle_t hierarchy_near_next(const struct hierarchy *h, uint32_t group);
const cycle_t *hierarchy_near_clock(const struct hierarchy *h, uint32_t group); /* where that always stands */
/* The far side: the work of cycles from .. end-1, once every group's is done; from is not before the last `end`. At
 * most link_cycles cycles (one when that is 0) and HIERARCHY_MAX_EPOCH. */
void hierarchy_far_run(struct hierarchy *h, cycle_t from, cycle_t end);
cycle_t hierarchy_far_next(const struct hierarchy *h);

/* All of it: does the work of cycle `now`, which is not after hierarchy_next(); returns the next cycle with work. */
cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now);
cycle_t hierarchy_next(const struct hierarchy *h);

/* Takes the oldest completion of a CU's port. */
bool hierarchy_pop(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t *token);

/* CUs with a completion of the port to pop, as a bit mask of CUs 64*word .. 64*word+63. */
uint64_t hierarchy_ready_mask(const struct hierarchy *h, enum mem_port_kind port, uint32_t word);

/* Drops clean lines in the caches of `levels` (bits 1 << LEVEL_x) that serve the CU. Levels that are absent are
 * skipped. Levels of the far side: between far runs only. */
void hierarchy_invalidate(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now);

/* Before the first cycle: [from, from + bytes) is in the caches of the level already; nothing where it is absent. */
void hierarchy_preload(struct hierarchy *h, enum cache_level level, gaddr_t from, uint64_t bytes);

/* Before the first cycle: the page tables above the page of addr have been read, and its own translation too or not. */
void hierarchy_know(struct hierarchy *h, gaddr_t addr, bool translation);

bool hierarchy_is_idle(const struct hierarchy *h);

/* Sums over the caches of a level; false when it is absent. */
bool hierarchy_cache_stats(const struct hierarchy *h, enum cache_level level, struct cache_stats *out);
/* Of all UTCL1s and UTCL2s together. */
struct tlb_stats hierarchy_tlb_stats(const struct hierarchy *h);
/* Data paths of a level: channels, of all its caches. */
uint32_t hierarchy_data_paths(const struct hierarchy *h, enum cache_level level);
const struct dram_stats *hierarchy_dram_stats(const struct hierarchy *h);
/* With links[0..], one for each direction; null: there is none. */
const struct fabric *hierarchy_fabric(const struct hierarchy *h);
int hierarchy_dump(const struct hierarchy *h, char *buf, size_t size);

#endif
