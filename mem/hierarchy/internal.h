/* Inside of mem/hierarchy*.c: the units of both sides, the links between them; how they are put together
 * (hierarchy_build.c) and what they do in a cycle (hierarchy.c; hierarchy_far.c). */
#ifndef GCNSIM_MEM_HIERARCHY_INTERNAL_H
#define GCNSIM_MEM_HIERARCHY_INTERNAL_H

#include "mem/cache/control.h"
#include "mem/hierarchy/fabric.h"
#include "mem/hierarchy/hierarchy.h"
#include "sim/util/fifo.h"

#define NO_UNIT               UINT32_MAX
#define NO_LINK               UINT32_MAX
#define CONTROL_LINK          (UINT32_MAX - 1) /* in the place of a link: the far side has written back */
#define CONTROLS_PER_CU       32
#define DRAM_UNIT             0
#define HIERARCHY_BLOCK_BYTES ((size_t)4 << 20) /* of host memory */

/* A cache, or (unit 0) the DRAM. Units are numbered from the bottom up, so that one pass in that order lets a
 * completion climb all levels of its side within its cycle. The far side comes first, then group by group the near one.
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
    uint32_t waiters; /* units above, of the same side, that this one refused */
    bool waits;
    gaddr_t wait_addr;   /* what was refused last */
    uint32_t first_link; /* near, with the far side below: links of its channels; else NO_LINK */
    uint32_t refused;    /* an entrance: ports that wait for room */
    struct tlb tlb;      /* near, with the far side below */
    struct fifo flushes; /* struct flush: those who wait for a far cache to have written back */
    uint8_t *answered;   /* who watches: the level that answered each transaction; else null */
};

struct flush {
    uint64_t id; /* in the control list of the unit's group */
    uint32_t unit;
};

struct cu_port {
    struct fifo done; /* uint64_t tokens; without a sink */
    uint32_t outstanding;
    uint32_t unit;
    bool refused; /* waits for room */
};

/* What goes down, from a channel of a near unit; kept in order until the far side has taken it. */
struct link_entry {
    cycle_t at; /* sent, its address translated; known to the far side alone when that takes a walk */
    struct mem_req req;
};

struct link {
    struct fifo queue; /* struct link_entry */
    cycle_t ready;     /* of its youngest entry */
    uint32_t unit;
    uint32_t target;       /* channel of the far side that takes its oldest entry */
    uint32_t next;         /* in a list of those to be looked at in the same cycle; link + 1 */
    uint32_t posted;       /* entries nobody waits for, until the near side knows that they were taken */
    uint32_t posted_limit; /* all others are bounded by the miss registers and slots of the unit */
    bool known;            /* by the far side: its oldest entry is in a list or waits for room */
    bool fresh;            /* in the group's list of links with news */
};

/* What goes up. */
struct up_entry {
    cycle_t at; /* arrives */
    uint64_t token;
    uint32_t unit;
    uint32_t link; /* whose posted entry was taken; NO_LINK: a completion */
};

/* What a UTCL1 asks the UTCL2. */
struct ask {
    cycle_t at; /* gets there */
    gaddr_t addr;
    uint32_t unit;
    bool reads;
};

struct near_group {
    _Alignas(64) cycle_t next;
    uint32_t first_unit, end_unit, first_entrance;
    uint32_t first_of[LEVEL_COUNT];
    struct fifo up;   /* struct up_entry, by arrival */
    struct fifo asks; /* struct ask, by arrival */
    struct control_list controls;
    uint32_t *fresh, fresh_count;
};

/* Links are looked at in lists by cycle, of so many cycles ahead. */
#define WHEEL_CYCLES 512
_Static_assert(HIERARCHY_MAX_EPOCH + TLB_MAX_CYCLES < WHEEL_CYCLES, "what is sent has its place on the wheel");

struct far_side {
    cycle_t next;
    uint32_t units;               /* 0 .. units-1 */
    uint32_t first_l2;            /* or what else takes the links' entries */
    uint32_t targets;             /* channels of those */
    uint32_t channels;            /* of each */
    uint32_t words;               /* of a mask of links */
    uint64_t *waiting;            /* [target][word]: links that wait for room there */
    uint32_t *waiters;            /* per target */
    uint64_t *busy;               /* targets with waiters */
    uint32_t wheel[WHEEL_CYCLES]; /* link + 1 */
    uint32_t scheduled;           /* links on the wheel */
    uint32_t flushes;             /* under way */
    struct tlb2 *tlb2;            /* of each of those */
    cycle_t asks_next;            /* the first that is due; as far as known */
    cycle_t done;                 /* cycles before this one are over */
};

/* Coherence between the L2s of several dies. */
struct dies {
    struct cache_peers peers; /* count null: there is none */
    struct fifo probed;       /* struct die_entry: go on when the probe is back */
    struct fifo held;         /* struct die_entry: wait until another L2 has got the line it is to change */
    bool look_again;          /* an L2 has got a line while some are held */
    bool filling;             /* a line is coming up to an L2 */
};

struct die_entry {
    cycle_t at;
    uint32_t l2; /* unit */
    struct mem_req req;
};

/* Between the L2s and the channels of what is below them, when these lie on several dies. */
struct roads {
    struct fabric fabric;
    uint32_t below;    /* unit; NO_UNIT: there are none */
    uint32_t over;     /* while what has arrived is handed on: units up to this one have done their work of the cycle */
    gaddr_t line_mask; /* of L2 */
    uint32_t *coming;  /* per channel: requests on their way there */
    uint8_t *home;     /* per channel: its die */
    uint8_t die[64];   /* of each L2: check_config() allows no more */
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
    struct dies dies;
    struct roads roads;
    struct link *link;
    uint32_t links;
    uint32_t far_first_of[LEVEL_COUNT];
    struct cu_port *port; /* [cu][kind] */
    uint64_t *ready[MEM_PORTS];
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

/* To the near side, where it arrives in cycle `at`. link: whose posted entry was taken, NO_LINK or CONTROL_LINK. */
static inline void hierarchy_send_up(struct hierarchy *h, uint32_t unit, uint64_t token, uint32_t link, cycle_t at)
{
    struct near_group *g = &h->group[h->unit[unit].group];
    struct up_entry *e = fifo_push(&g->up);

    *e = (struct up_entry){at, token, unit, link};
    if (at < g->next)
        g->next = at;
}

/* hierarchy.c: the work of a cycle of units from .. end-1, which are of the side that ends with unit side_end-1. */
void hierarchy_tick_units(struct hierarchy *h, uint32_t from, uint32_t end, uint32_t side_end, cycle_t now);

/* hierarchy.c: the plugs that units are built with; ctx: the unit itself, of the completions of inner units the
 * hierarchy. */
bool hierarchy_below_can_accept(void *ctx, gaddr_t addr);
void hierarchy_below_accept(void *ctx, const struct mem_req *req, cycle_t now);
void hierarchy_home_accept(void *ctx, const struct mem_req *req, cycle_t now);
bool hierarchy_link_can_accept(void *ctx, gaddr_t addr);
void hierarchy_link_accept(void *ctx, const struct mem_req *req, cycle_t now);
void hierarchy_complete_above(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_home(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_link(void *ctx, uint16_t client, uint64_t token, cycle_t now);
void hierarchy_complete_port(void *ctx, uint16_t client, uint64_t token, cycle_t now);

/* hierarchy_dies.c. What an L2 sends down, when it has come to the home of its line: whether it is kept here for now.
 * over: units up to this one have done their work of the cycle. */
int hierarchy_dies_init(struct hierarchy *h, struct err *err);
bool hierarchy_dies_keep(struct hierarchy *h, uint32_t l2, const struct mem_req *req, uint32_t over, cycle_t now);
void hierarchy_dies_run(struct hierarchy *h, cycle_t now); /* the cycle's work, after that of the caches */
cycle_t hierarchy_dies_next(const struct hierarchy *h, cycle_t now);

static inline bool hierarchy_dies_idle(const struct hierarchy *h)
{
    return !h->dies.probed.count && !h->dies.held.count;
}

/* hierarchy_fabric.c. Whether a request of an L2, a completion for one, has to travel: then it does. */
int hierarchy_roads_init(struct hierarchy *h, struct err *err);
bool hierarchy_roads_send(struct hierarchy *h, const struct unit *l2, const struct mem_req *req, cycle_t now);
bool hierarchy_roads_answer(struct hierarchy *h, uint32_t l2, uint64_t token, cycle_t now);
void hierarchy_roads_run(struct hierarchy *h, uint32_t over, cycle_t now); /* what has arrived */
uint32_t hierarchy_home(const struct hierarchy *h, gaddr_t addr);          /* the die of a line */
/* Room below, places kept for what is on its way left out. */
bool hierarchy_has_place(const struct hierarchy *h, gaddr_t addr);

static inline bool has_roads(const struct hierarchy *h)
{
    return h->roads.fabric.dies != 0;
}

/* hierarchy.c */
void hierarchy_wake_waiters(struct hierarchy *h, uint32_t below, uint32_t end, cycle_t now);
bool hierarchy_level_can_accept(const struct hierarchy *h, uint32_t u, gaddr_t addr);
void hierarchy_pass_down(struct hierarchy *h, uint32_t below, const struct mem_req *req, cycle_t now);

/* watch.c: what a cache is given to tell what happens in it, and what that needs; a request that memory takes. */
struct cache_watch hierarchy_watch_of(struct unit *u);
bool hierarchy_watch_init(struct unit *u);
void hierarchy_watch_memory(struct hierarchy *h, const struct mem_req *req);

/* CUs that share a near cache of the level. */
uint32_t hierarchy_sharing(const struct hierarchy_config *cfg, enum cache_level level);
/* hierarchy_build.c: the unit that serves a CU at a level; NO_UNIT when the level is absent */
uint32_t hierarchy_unit_of(const struct hierarchy *h, enum cache_level level, uint32_t cu);
/* Requests that all L2s together may have under way, each in as many pieces as it is sent in. */
uint64_t hierarchy_requests(const struct hierarchy_config *cfg);

#endif
