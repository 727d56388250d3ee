/* The state of the hierarchy, shared by the files that model it: how units and links are built (build.c), the near side
 * and the cycle (near_side.c), the far side (far_side.c), routes over the fabric (routes.c), coherence of L2s
 * (coherence.c), lines that caches take by themselves (lines.c), observers (watch.c).
 */
#ifndef GCNSIM_MEM_HIERARCHY_INTERNAL_H
#define GCNSIM_MEM_HIERARCHY_INTERNAL_H

#include "mem/cache/control.h"
#include "mem/hierarchy/fabric.h"
#include "mem/hierarchy/hierarchy.h"
#include "sim/util/fifo.h"

#define NO_UNIT               UINT32_MAX
#define NO_LINK               UINT32_MAX
#define CONTROL_LINK          (UINT32_MAX - 1) /* instead of a link: the report that the far side has written back */
#define CONTROLS_PER_CU       32
#define DRAM_UNIT             0
#define HIERARCHY_BLOCK_BYTES ((size_t)4 << 20) /* of host memory */

/* A cache, or (unit 0) the DRAM. Units are numbered from the bottom up, so that one pass in that order lets a
 * completion climb all levels of its side within its cycle. The far side comes first, then the near side group by
 * group.
 */
struct unit {
    _Alignas(64) cycle_t wake;
    struct hierarchy *h;
    struct cache *cache; /* null for DRAM */
    uint32_t index;
    uint32_t below;
    enum cache_level level;
    uint32_t group;    /* of a near unit */
    uint32_t first_cu; /* served by it, and how many */
    uint32_t cus;
    uint32_t waiters; /* units above, of the same side, that wait for a free entry of this one */
    bool waits;
    gaddr_t wait_addr;        /* of the request that could not be accepted last */
    uint32_t first_link;      /* of a near unit above the far side: links of its channels; else NO_LINK */
    uint32_t blocked;         /* of an entrance: ports that wait for a free entry */
    struct line_queue *lines; /* of an entrance: that it empties by itself; null: none */
    uint16_t *pending;        /* of an entrance that has emptied one: completions to come of each token, */
    uint32_t pending_bytes;   /* so far from one another; else null */
    struct utcl1 utcl1;       /* of a near unit above the far side */
    bool translates;          /* of an entrance: addresses are translated before the tags are looked up */
    struct fifo flushes;      /* struct flush: waiters for the write-back of a far cache, of which */
    uint32_t served;          /* the oldest so many wait for the one under way; 0: none is */
    cycle_t found;            /* when it has looked at all lines */
    uint8_t *answered;        /* with an observer: the level that answered each transaction; else null */
    struct cache_stats kept;  /* of a far unit, while lines are warmed */
};

struct flush {
    uint64_t id; /* in the control list of the unit's group */
    uint32_t unit;
};

struct cu_port {
    struct fifo done; /* uint64_t tokens; without a sink */
    uint32_t outstanding;
    uint32_t unit;
    bool blocked; /* waits for a free entry */
};

/* A request in flight from a channel of a near unit to the far side, which accepts those of a link in order. */
struct link_entry {
    cycle_t at; /* sent with its address translated; the far side alone adds the time of a page walk */
    struct mem_req req;
};

FIFO_OF(link_entries, struct link_entry)

/* A link as the near side knows it. */
struct link {
    cycle_t ready; /* of its youngest entry */
    uint32_t unit;
    uint32_t posted;       /* credits in use: posted entries, until the near side knows that they were accepted */
    uint32_t posted_limit; /* credits; all other entries are bounded by the MSHRs and pass slots of the unit */
};

/* A link as the far side knows it. */
struct far_link {
    _Alignas(64) struct link_entries queue;
    uint32_t capacity;
    uint32_t channel;  /* of the L2, which accepts its oldest entry */
    uint32_t next;     /* link + 1: in a list of those to be looked at in the same cycle */
    uint16_t unit, l2; /* at its ends */
    bool tracked;      /* its oldest entry is on the wheel or waits at a channel */
};
_Static_assert(sizeof(struct far_link) == 64, "one cache line of the host");

/* A completion, or another report, in flight from the far side to a near unit. */
struct up_entry {
    cycle_t at; /* arrives */
    uint64_t token;
    uint32_t unit;
    uint32_t link; /* whose posted entry was accepted, which returns a credit; NO_LINK: a completion */
};

/* A miss of a UTCL1 in flight to the UTCL2. */
struct utcl1_miss {
    cycle_t at; /* arrives */
    gaddr_t addr;
    uint32_t unit;
    bool reads;
};

/* What a group has sent in a half of an epoch. The group writes it; the far side takes it in when every group has done
 * the half. */
struct down_box {
    _Alignas(64) struct down_entry *entry;
    struct utcl1_miss *miss;
    uint32_t entries, misses;
};

struct down_entry {
    uint32_t link;
    struct link_entry e;
};

/* What the far side has sent to a group in a half of an epoch. */
struct up_box {
    _Alignas(64) struct up_entry *entry; /* by arrival */
    uint32_t entries;
};

struct near_group {
    _Alignas(64) cycle_t next;
    uint32_t first_unit, end_unit, first_entrance;
    uint32_t first_of[LEVEL_COUNT];
    uint32_t half;   /* into which box it sends */
    cycle_t stopped; /* hierarchy_near_done(): of this group alone; CYCLE_NEVER: it was not */
    struct fifo up;  /* struct up_entry, by arrival; taken in from boxes */
    struct control_list controls;
    struct down_box down[2];
};

/* A timing wheel: lists of links to be looked at, by cycle, for so many cycles ahead. */
#define WHEEL_CYCLES 512
_Static_assert(HIERARCHY_MAX_EPOCH + TLB_MAX_CYCLES < WHEEL_CYCLES,
               "every entry that is sent has a place on the wheel");

/* Statistics of the far side. */
struct far_stats {
    struct dram_stats dram;
    struct cache_stats *cache; /* per unit */
    struct tlb_stats *utcl2;   /* per L2 */
    struct link_traffic {
        uint64_t messages, bytes;
    } * link; /* per link of the fabric */
};

struct far_side {
    cycle_t next;
    uint32_t units;    /* 0 .. units-1 */
    uint32_t first_l2; /* the units that accept the links' entries */
    uint32_t targets;  /* channels of those */
    uint32_t channels; /* of each */
    uint32_t words;    /* of a mask of links */
    uint64_t *waiting; /* [target][word]: links that wait for a free entry */
    uint32_t *waiters; /* per target */
    uint64_t *busy;    /* targets with waiters */
    struct far_link *link;
    struct fifo *misses;          /* per group: struct utcl1_miss, by arrival; taken in from boxes */
    struct up_box *up[2];         /* per group */
    uint32_t half;                /* into which boxes it sends */
    uint16_t *group_of;           /* per unit: a near one's group, without a look at what its thread writes */
    struct far_stats kept;        /* as they were before the last first half: hierarchy_far_forget() */
    uint32_t wheel[WHEEL_CYCLES]; /* link + 1 */
    uint32_t scheduled;           /* links on the wheel */
    uint32_t flushes;             /* in flight */
    cycle_t flushes_next;         /* when the first of them may end, as far as its cache has no work for it */
    struct utcl2 *utcl2;          /* of each L2 */
    cycle_t misses_next;          /* arrival of the first UTCL1 miss, as far as known */
    cycle_t done;                 /* cycles before this one are over */
};

/* Coherence between the L2s of several dies (coherence.c). */
struct coherence {
    struct cache_peers peers; /* count null: L2s are not coherent, or there is one */
    struct fifo probed;       /* struct ordered_request: granted, in flight until their probe round trip ends */
    struct fifo held;         /* struct ordered_request: wait until another L2 has acquired the line */
    bool retry_held;          /* an L2 has got a line while requests are held */
    bool filling;             /* a completion is being delivered to an L2 */
};

/* A request of an L2 that the home of its line has taken. */
struct ordered_request {
    cycle_t at;
    uint32_t l2; /* unit */
    struct mem_req req;
};

/* Routes between the L2s and the channels of the level below, where these lie on several dies (routes.c). */
struct routes {
    struct fabric fabric;
    uint32_t below;      /* unit; NO_UNIT: one die */
    uint32_t ticked;     /* while arrivals are delivered: units up to this one have been ticked in this cycle */
    gaddr_t line_mask;   /* of L2 */
    uint32_t *in_flight; /* per channel: requests in flight to it, each with a credit for an entry of its queue */
    uint8_t *home;       /* per channel: its die */
    uint8_t die[64];     /* of each L2: check_config() allows no more */
};

struct hierarchy {
    struct hierarchy_config cfg;
    struct hierarchy_sink sink;
    struct mem_policy policy;
    struct arena arena;
    struct dram dram;
    struct unit *unit;
    uint32_t units;
    struct near_group *group;
    uint32_t groups;
    struct far_side far;
    struct coherence coherence;
    struct routes routes;
    struct link *link;
    uint32_t links;
    uint32_t used_cus, used_links; /* of the launch: links 0 .. used_links-1 (hierarchy_use_cus()) */
    /* A launch costs what it uses. Beyond these numbers the near side is as new: */
    uint32_t live_groups, live_units; /* groups, and all units: nothing is in flight, and nothing is counted */
    uint32_t filled[LEVEL_COUNT];     /* units, by near level: no lines */
    uint32_t far_first_of[LEVEL_COUNT];
    cycle_t near_done;    /* hierarchy_near_done() */
    struct cu_port *port; /* [cu][kind] */
    uint64_t *ready[MEM_PORTS];
    struct warm_list *warming; /* null: nobody has warmed the caches yet */
};

static inline bool is_far(const struct hierarchy *h, uint32_t unit)
{
    return unit < h->far.units;
}

static inline bool is_near_level(enum cache_level level)
{
    return level != LEVEL_L2 && level != LEVEL_MALL;
}

static inline bool is_entrance(enum cache_level level)
{
    return level == LEVEL_VL0 || level == LEVEL_K || level == LEVEL_I;
}

static inline void wake_unit(struct hierarchy *h, uint32_t u, cycle_t when)
{
    cycle_t *next = is_far(h, u) ? &h->far.next : &h->group[h->unit[u].group].next;

    if (when < h->unit[u].wake)
        h->unit[u].wake = when;
    if (when < *next)
        *next = when;
}

/* Sends a report to the near side, where it arrives in cycle `at`, as soon as its box is handed over. link: whose
 * posted entry was accepted, NO_LINK (a completion) or CONTROL_LINK. */
static inline void hierarchy_send_up(struct hierarchy *h, uint32_t unit, uint64_t token, uint32_t link, cycle_t at)
{
    struct up_box *box = &h->far.up[h->far.half][h->far.group_of[unit]];

    box->entry[box->entries++] = (struct up_entry){at, token, unit, link};
}

/* near_side.c: ticks units from .. end-1, which are of the side that ends with unit side_end-1. */
void hierarchy_tick_units(struct hierarchy *h, uint32_t from, uint32_t end, uint32_t side_end, cycle_t now);

/* lines.c: ticks an entrance that empties a queue of lines: its offers up to now, then its cache. Returns when it has
 * work next. */
cycle_t hierarchy_tick_with_lines(struct unit *x, cycle_t now);
/* The queues are gone, or those to whom they belong. */
void hierarchy_forget_lines(struct hierarchy *h);

/* near_side.c: an entrance that translates has accepted a request in a cycle, perhaps one before its last tick. */
void hierarchy_translate(struct unit *u, uint32_t channel, const struct mem_req *req, cycle_t now);

/* near_side.c: the ports and sinks that units are built with. ctx is the unit itself, or the hierarchy for completions
 * of inner units. */
bool hierarchy_below_can_accept(void *ctx, gaddr_t addr);
void hierarchy_below_accept(void *ctx, const struct mem_req *req, cycle_t now);
void hierarchy_home_accept(void *ctx, const struct mem_req *req, cycle_t now);
bool hierarchy_link_can_accept(void *ctx, gaddr_t addr);
void hierarchy_link_accept(void *ctx, const struct mem_req *req, cycle_t now);
void hierarchy_complete_above(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_home(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_link(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_port(void *ctx, uint16_t client, uint64_t token, cycle_t now);

/* coherence.c: an L2's request has arrived at the home of its line. Returns whether the home holds it for now. ticked:
 * units up to this one have been ticked in this cycle. */
int hierarchy_coherence_init(struct hierarchy *h, struct err *err);
bool hierarchy_coherence_hold(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t ticked,
                              cycle_t now);
void hierarchy_coherence_tick(struct hierarchy *h, cycle_t now); /* after the caches of the cycle */
cycle_t hierarchy_coherence_next(const struct hierarchy *h, cycle_t now);

static inline bool hierarchy_coherence_is_idle(const struct hierarchy *h)
{
    return !h->coherence.probed.count && !h->coherence.held.count;
}

/* routes.c: send and respond return whether the request of an L2, or the completion for one, crosses the fabric; if so,
 * it is in flight from then on. */
int hierarchy_routes_init(struct hierarchy *h, struct err *err);
bool hierarchy_routes_send(struct hierarchy *h, const struct unit *l2, const struct mem_req *req, cycle_t now);
bool hierarchy_routes_respond(struct hierarchy *h, uint32_t l2, uint64_t token, cycle_t now);
void hierarchy_routes_tick(struct hierarchy *h, uint32_t ticked, cycle_t now); /* delivers arrivals */
uint32_t hierarchy_home_die(const struct hierarchy *h, gaddr_t addr);          /* of a line */
/* Whether the channel of addr has a free entry that no request in flight holds a credit for. */
bool hierarchy_home_has_credit(const struct hierarchy *h, gaddr_t addr);

static inline bool has_fabric(const struct hierarchy *h)
{
    return h->routes.fabric.dies != 0;
}

/* near_side.c: a group takes in what the far side has sent to it in a half. */
void hierarchy_take_up(struct hierarchy *h, uint32_t group, uint32_t half);
void hierarchy_wake_waiters(struct hierarchy *h, uint32_t below, uint32_t end, cycle_t now);
bool hierarchy_level_can_accept(const struct hierarchy *h, uint32_t u, gaddr_t addr);
void hierarchy_pass_down(struct hierarchy *h, uint32_t below, const struct mem_req *req, cycle_t now);

/* watch.c: the observer of a cache and its table; a request that memory accepts. */
struct cache_watch hierarchy_watch_of(struct unit *u);
bool hierarchy_watch_init(struct unit *u);
void hierarchy_watch_memory(struct hierarchy *h, const struct mem_req *req);

/* build.c: CUs that share a near cache of the level */
uint32_t hierarchy_sharing(const struct hierarchy_config *cfg, enum cache_level level);
/* build.c: the unit that serves a CU at a level; NO_UNIT when the level is absent */
uint32_t hierarchy_unit_of(const struct hierarchy *h, enum cache_level level, uint32_t cu);
/* Requests that all L2s together may have in flight, each counted in as many parts as it is sent in. */
uint64_t hierarchy_requests(const struct hierarchy_config *cfg);

#endif
