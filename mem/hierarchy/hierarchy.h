/* The memory hierarchy of a dispatch: vL0 per CU -> (GL1 shared by some) -> L2 -> (MALL) -> DRAM, with the scalar and
 * instruction caches, shared by some CUs, in front of L2 or of GL1.
 *
 * Use, in every cycle the engine visits: hierarchy_tick(now), pop completions, accept. Between cycles time may jump to
 * any cycle not after hierarchy_next(); accepting moves that to the next cycle. Ticking every cycle gives the same
 * completions as jumping.
 * A request of the vector port must not cross a line of vL0 (mem/coalesce.h makes such requests), one of the scalar or
 * instruction port a line of their cache. Completions come back per CU and port in the order they are made, which is
 * not the order of the requests.
 *
 * Near and far side. The far side is shared by CUs of all groups: L2, MALL, DRAM. The near side of a group is the
 * caches in front of L2, which no other group uses. Every channel of a near cache has a link to the far side, in which
 * a request stays until the far side accepts it. A link never refuses a request that has a completion: the MSHRs and
 * pass slots of the cache bound those, and the completion frees them. Posted requests have a few credits of their own.
 * Completions reach the near side link_cycles after the far side has made them. A group may therefore run alone for up
 * to link_cycles cycles: hierarchy_near_tick() for each group and each cycle of [t, t + link_cycles), then
 * hierarchy_far_run() for all of them, gives the result of hierarchy_tick() cycle by cycle. Groups may be ticked on
 * different threads, and their requests accepted there; everything else is for one thread, in between.
 *
 * Beside one another. The far side may also run beside the groups, half an epoch behind them. Let an epoch of up to
 * link_cycles be two halves, [t, m) and [m, e):
 *   a group does [t, m)         after hierarchy_near_half(0), when the far side has done the first half before t
 *   the far side does what it has left before t, with hierarchy_far_half(1)
 *   a group does [m, e)         after hierarchy_near_half(1), when that is done
 *   the far side does [t, m)    with hierarchy_far_half(0), when every group has done the same
 * and so on. m - (first cycle that the far side has left) is at most link_cycles, too. Every group does both halves of
 * each epoch, also where it has no work. A message of one side to the other lies in a box, one for each half, until the
 * other side takes it in: no two threads ever write, or read and write, the same of it. hierarchy_far_run() may be
 * called between two epochs; it does all that is left.
 *
 * A chip of several dies (XCDs) has an L2 on each; CUs are dealt out to the dies in turns of a few. Units that contend
 * for the level below are served in an order that rotates with the cycle (the L2s of several dies in a fixed order).
 * Coherence of those L2s (mem/hierarchy/coherence.c): the home of a line, in front of MALL, has a snoop filter;
 * requests for lines that no other die has proceed at once. The L2s and the channels of MALL and memory may lie on
 * several dies of a fabric (mem/hierarchy/fabric.h, mem/hierarchy/routes.c), whose links then add latency and bound the
 * bandwidth. Left out: the distance between a CU and an L2 channel, the tag lookup of a probe.
 */
#ifndef GCNSIM_MEM_HIERARCHY_H
#define GCNSIM_MEM_HIERARCHY_H

#include "mem/cache/cache.h"
#include "mem/hierarchy/dram.h"
#include "mem/hierarchy/fabric.h"
#include "mem/hierarchy/tlb.h"
#include "mem/line_queue.h"

#define HIERARCHY_MAX_EPOCH 255 /* cycles of one hierarchy_far_run() */

enum mem_port_kind { MEM_PORT_VECTOR, MEM_PORT_SCALAR, MEM_PORT_INST, MEM_PORTS };

/* An observed load that hits a near data cache. */
struct hierarchy_hit {
    enum cache_level level;
    enum mem_op op;
    uint32_t cu, cus;           /* requested by one of these CUs: cus from cu on */
    uint32_t first_cu, all_cus; /* the CUs that the cache serves */
    uint32_t ports;             /* and their ports, bits 1 << MEM_PORT_x */
    uint64_t token;             /* MEM_TOKEN_NONE: requested by the cache above */
    gaddr_t addr;
    uint32_t line_bytes;
    cycle_t asked; /* when the fetch of the line was requested */
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

/* Observers: called for a group's caches on the thread that ticks the group, for the far side's on the thread that runs
 * it. Functions may be null. */
struct hierarchy_watch {
    void *ctx;
    void (*hit)(void *ctx, const struct hierarchy_hit *hit);
    void (*line)(void *ctx, const struct hierarchy_line *line);
    /* The request of a port is answered by this level; LEVEL_COUNT: by memory. Called at least once for each part of a
     * request, before its completion; the last call counts. */
    void (*answered)(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, enum cache_level level);
};

struct hierarchy_config {
    enum mem_gen gen;
    struct budget *budget; /* what its memory counts against; null: nothing */
    uint32_t cus;
    uint32_t cus_per_k, cus_per_i, cus_per_gl1;
    bool k_through_gl1, i_through_gl1; /* misses of the scalar and the instruction cache go to GL1, not to L2 */
    uint32_t cus_per_group;            /* a multiple of the three above; 0: one group */
    uint32_t link_cycles;              /* of completions from the far side to the near one */
    uint32_t write_back_cycles;        /* that an L2 at least takes to find what is dirty in it */
    bool l2s_coherent;                 /* several L2s are kept coherent (mem/hierarchy/coherence.c) */
    /* The probe round trip of a request whose line another L2 has to write back or invalidate; hops of a fabric come on
     * top. */
    uint32_t probe_cycles;
    struct fabric_config
        fabric;           /* on its dies lie the L2s and the channels below them; latencies are without its hops */
    uint32_t l2s_per_die; /* on the first dies of the fabric; 0: as many on each die */
    uint32_t l2s, cus_per_l2_turn; /* several L2s: CU n has number n / cus_per_l2_turn % l2s. l2s 0: one for all */
    bool present[LEVEL_COUNT];     /* vl0, k, i and l2 are required */
    struct cache_config cache[LEVEL_COUNT]; /* level and name are filled in; request_bytes is cut to the line below */
    struct dram_config dram;
    struct tlb_config tlb;
    struct hierarchy_watch watch;
    bool check_every_cycle;   /* tick every unit in every cycle: must give the result of jumping */
    uint32_t max_outstanding; /* per CU and port, 1..65536 */
};

struct hierarchy;

/* Takes completions of the ports as they are made, and the signal that a blocked port may try again
 * (hierarchy_await_retry()). Without a sink, completions are kept for hierarchy_pop(). */
struct hierarchy_sink {
    void *ctx;
    void (*complete)(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now);
    void (*retry)(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now);
    /* A line marked as the last has gone from the queue of a vector port in cycle `now`; called before the next cycle
     * is ticked, or by hierarchy_reach_lines(). Null: no lines are taken. */
    void (*sent)(void *ctx, uint32_t cu, cycle_t now);
};

/* Null with *err on a bad configuration. hierarchy_free(NULL) is allowed. */
struct hierarchy *hierarchy_new(const struct hierarchy_config *cfg, struct err *err);
void hierarchy_free(struct hierarchy *h);
void hierarchy_set_sink(struct hierarchy *h, const struct hierarchy_sink *sink);

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr);
/* req->client is ignored. A token of MEM_TOKEN_NONE asks for no completion. */
void hierarchy_accept(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, const struct mem_req *req,
                      cycle_t now);

/* Takes requests of the vector port out of a queue, in which there are some, from cycle `from` on, which is still to be
 * ticked: in the cycles in which their owner would have found can_accept() true, after the tick of that cycle, and
 * called accept(). Goes on until there are none, or until q->taken is cleared between two cycles; lines may be added
 * meanwhile. From now on the sink is informed of the last completion of each token alone (q->pending). q lives as long
 * as the sink, which has sent(). */
void hierarchy_take_lines(struct hierarchy *h, uint32_t cu, struct line_queue *q, cycle_t from);
/* Takes what is to be taken in the cycles before `end`, all of which have been ticked: before somebody looks at the
 * queue, or at the hierarchy. */
void hierarchy_reach_lines(struct hierarchy *h, uint32_t cu, cycle_t end);

/* Cache control by levels (bits 1 << LEVEL_x; absent ones are skipped): the levels near the CU invalidate their clean
 * lines at once, L2 writes its dirty lines back. The completion comes after the hit latency of the last of the levels;
 * for a write-back, that long after the last dirty line has left L2 (its way to memory is not waited for). CUs cannot
 * invalidate the far side: its lines are the device's own (mem/cache/policy.h). */
bool hierarchy_can_control(const struct hierarchy *h, uint32_t cu);
void hierarchy_control(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint32_t invalidate,
                       uint32_t write_back, uint64_t token, cycle_t now);

/* An instruction fetch in cycle `now`, as hierarchy_accept(), if it hits and is in nobody's way: its data come in the
 * cycle that is returned, of which the sink is not informed. Otherwise nothing is accepted: *full, until the cycle
 * that is returned; CYCLE_NEVER, hierarchy_accept() has to be asked. */
#define HIERARCHY_STRAIGHT_CYCLES 255 /* at most, until the data come */
cycle_t hierarchy_fetch(struct hierarchy *h, uint32_t cu, const struct mem_req *req, cycle_t now, bool *full);

/* The groups have done the cycles before `end`; or one group alone, in which a run has been stopped, no more than
 * those: hits of hierarchy_fetch() are counted up to there. */
#define HIERARCHY_ALL UINT32_MAX
void hierarchy_near_done(struct hierarchy *h, uint32_t group, cycle_t end);

/* The port could not accept in this cycle: sink.retry is called when its cache has freed an entry. */
void hierarchy_await_retry(struct hierarchy *h, uint32_t cu, enum mem_port_kind port);

/* The near side of one group, the groups being numbered like their CUs: the work of cycle `now`, which is not after
 * hierarchy_near_next(); returns the next cycle with work by what is known so far. */
uint32_t hierarchy_groups(const struct hierarchy *h);
cycle_t hierarchy_near_tick(struct hierarchy *h, uint32_t group, cycle_t now);
/* The same of cycle `now` and of the cycles with work after it that are before `end` and before *until, which the sink
 * may lower. Returns the cycle done last; *cycles is added to for each but the first. */
cycle_t hierarchy_near_run(struct hierarchy *h, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until,
                           uint32_t *cycles);
cycle_t hierarchy_near_next(const struct hierarchy *h, uint32_t group);
const cycle_t *hierarchy_near_clock(const struct hierarchy *h, uint32_t group); /* where that value always is */
/* The far side: does the work of cycles from .. end-1, after every group has done its own; from is not before the last
 * `end`. At most link_cycles cycles (one when that is 0) and HIERARCHY_MAX_EPOCH. */
void hierarchy_far_run(struct hierarchy *h, cycle_t from, cycle_t end);
/* Beside one another (above): a group begins a half; the far side does one. */
void hierarchy_near_half(struct hierarchy *h, uint32_t group, uint32_t half);
void hierarchy_far_half(struct hierarchy *h, uint32_t half, cycle_t from, cycle_t end);
/* A run has been stopped in an epoch whose first half the far side has done already: its statistics are again those of
 * before. For a report alone; nothing is run any more. */
void hierarchy_far_forget(struct hierarchy *h);
cycle_t hierarchy_far_next(const struct hierarchy *h);

/* Both sides: does the work of cycle `now`, which is not after hierarchy_next(); returns the next cycle with work. */
cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now);
cycle_t hierarchy_next(const struct hierarchy *h);

/* Removes the oldest completion of a CU's port. */
bool hierarchy_pop(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t *token);

/* CUs with a completion of the port to pop, as a bit mask of CUs 64*word .. 64*word+63. */
uint64_t hierarchy_ready_mask(const struct hierarchy *h, enum mem_port_kind port, uint32_t word);

/* Invalidates clean lines in the caches of `levels` (bits 1 << LEVEL_x) that serve the CU. Absent levels are skipped.
 * Levels of the far side: between far runs only. */
void hierarchy_invalidate(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now);

/* Before the first cycle: puts [from, from + bytes) into the caches of the level; does nothing where it is absent. */
void hierarchy_preload(struct hierarchy *h, enum cache_level level, gaddr_t from, uint64_t bytes);

/* Before the first cycle: puts what is known of the page of addr into the UTCL2s. */
void hierarchy_prefill_tlb(struct hierarchy *h, gaddr_t addr, enum tlb_known known);

bool hierarchy_is_idle(const struct hierarchy *h);

/* ---- between two launches on one device (mem/hierarchy/launches.c) ----
 *
 * A hierarchy may serve several launches, one after the other, with time going on: after the last cycle of one,
 * hierarchy_drain() lets all that is in flight come to its end, so that the hierarchy is idle, and its lines,
 * translations and open rows are what the next launch finds. */

/* Does all that is left to do after the near sides have done the cycles before `near` and the far side those before
 * `far` (far <= near, within an epoch). Completions go to the sink. Returns the last cycle with work, 0: there was none
 * from `near` on. */
cycle_t hierarchy_drain(struct hierarchy *h, cycle_t far, cycle_t near);

/* The next launch has CUs 0 .. cus-1 alone: the order in which links are served, and the data paths that are counted,
 * are those of a hierarchy with as many CUs. cus: of whole groups. Initially all. */
void hierarchy_use_cus(struct hierarchy *h, uint32_t cus);

/* The next launch has other allocations: what cfg.tlb.ctx and cfg.dram.host_ctx were. */
void hierarchy_set_memory(struct hierarchy *h, void *ctx);

/* Puts other observers in the place of those there are. False: no host memory. */
bool hierarchy_set_watch(struct hierarchy *h, const struct hierarchy_watch *watch);

/* Invalidates the clean lines of all caches of `levels` (bits 1 << LEVEL_x), for the acquire of a dispatch. */
void hierarchy_invalidate_all(struct hierarchy *h, uint32_t levels, cycle_t now);

/* Has each cache of `levels` write its modified lines back, one per channel and cycle from now + 1 on, for the release
 * of a dispatch; hierarchy_drain() waits for the last of them. Returns how many lines there are. */
uint64_t hierarchy_write_back_all(struct hierarchy *h, uint32_t levels, cycle_t now);

/* Whether such lines, or those of a cache control, are still to be written. */
bool hierarchy_is_writing_back(const struct hierarchy *h);

/* Drops the lines of memory that the host has written, from every cache. */
void hierarchy_drop(struct hierarchy *h, gaddr_t from, uint64_t bytes);

/* The driver has invalidated all TLBs. */
void hierarchy_forget_translations(struct hierarchy *h);

/* warm.c: does to the lines of L2 number `l2`, and to those of the level below, what the pieces of an access do, one
 * after the other and each within one of its lines, without time: so that waves find them as accesses would have left
 * them that nobody has simulated. Pieces may stay together, so that the host has what they need when their turn comes;
 * all of them have been done, and no statistic has changed, when hierarchy_warm_end() returns. It adds to *traffic what
 * memory would have been asked for. hierarchy_warm_begin(): false: there is no host memory, and nothing to end. */
struct hierarchy_traffic {
    uint64_t read_bytes, write_bytes;
};
enum { HIERARCHY_PIECES = 128 };
struct hierarchy_access {
    enum mem_op op;
    struct mem_hint hint;
    uint32_t count;
    struct {
        gaddr_t addr;
        uint32_t bytes;
    } piece[HIERARCHY_PIECES];
};
bool hierarchy_warm_begin(struct hierarchy *h);
void hierarchy_warm(struct hierarchy *h, uint32_t l2, const struct hierarchy_access *access);
/* Likewise hierarchy_write_back_all(): what a release leaves, after the accesses before it. */
void hierarchy_warm_write_back(struct hierarchy *h, uint32_t levels);
void hierarchy_warm_end(struct hierarchy *h, struct hierarchy_traffic *traffic);
/* Bytes of the lines of L2s and MALL that are to be written back. */
uint64_t hierarchy_dirty_bytes(const struct hierarchy *h);
/* Lines that the caches of a level have room for, and hold (*valid); 0: the level is absent. */
uint64_t hierarchy_lines(const struct hierarchy *h, enum cache_level level, uint64_t *valid);

/* Sets all statistics of hierarchy_cache_stats() and those below it to 0. */
void hierarchy_clear_stats(struct hierarchy *h);

/* --------------------------------------------------------------------------------------------------------------- */

/* The level where a request of a port is, or to or from which it is on its way; LEVEL_COUNT: memory. False: the
 * hierarchy does not have it, or is handing out its completion. For dumps: looks at everything that is in flight. */
bool hierarchy_locate(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t token,
                      enum cache_level *level);

/* Sums over the caches of a level; false when it is absent. */
bool hierarchy_cache_stats(const struct hierarchy *h, enum cache_level level, struct cache_stats *out);
/* Sums over all UTCL1s and UTCL2s. */
struct tlb_stats hierarchy_tlb_stats(const struct hierarchy *h);
/* Data paths of a level: the channels of all its caches (hierarchy_use_cus()). */
uint32_t hierarchy_data_paths(const struct hierarchy *h, enum cache_level level);
/* MSHRs of all of these. */
uint32_t hierarchy_mshrs(const struct hierarchy *h, enum cache_level level);
const struct dram_stats *hierarchy_dram_stats(const struct hierarchy *h);
/* Its links have statistics, one for each direction; null without a fabric. */
const struct fabric *hierarchy_fabric(const struct hierarchy *h);

#endif
