/* A memory that always hits, for comparison: every access completes after the hit latency of its nearest cache. */
#include "sim/engine/timing/memory/perfect.h"

#include <stdlib.h>

/* Accesses in flight at a port of a group for which there is space at first. */
#define FIRST_CAPACITY 1024

struct access {
    cycle_t at;
    uint64_t token;
    uint32_t cu;
};

/* In order of completion, since all take the same time. */
struct ring {
    struct access *entry;
    uint32_t head, count, capacity; /* capacity: a power of two */
};

struct perfect_group {
    _Alignas(64) cycle_t next;
    struct ring ring[MEM_PORTS];
    bool is_short;
};

struct perfect_memory {
    uint32_t latency[MEM_PORTS];
    uint32_t cus_per_group, groups, limit;
    struct hierarchy_sink sink;
    struct perfect_group *group;
};

static bool grow(struct ring *r)
{
    uint32_t capacity = r->capacity ? r->capacity * 2 : FIRST_CAPACITY;
    struct access *entry = malloc(capacity * sizeof *entry);

    if (!entry)
        return false;
    for (uint32_t k = 0; k < r->count; k++)
        entry[k] = r->entry[(r->head + k) & (r->capacity - 1)];
    free(r->entry);
    *r = (struct ring){entry, 0, r->count, capacity};
    return true;
}

static struct perfect_group *group_of(const struct perfect_memory *m, uint32_t cu)
{
    return &m->group[cu / m->cus_per_group];
}

/* Grows the ring; without host memory it never accepts again, and the run ends. */
static bool can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct perfect_memory *m = ctx;
    struct perfect_group *g = group_of(m, cu);
    struct ring *r = &g->ring[port];

    (void)addr;
    if (r->count < r->capacity || (r->capacity < m->limit && grow(r)))
        return true;
    g->is_short = true;
    return false;
}

static void accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    const struct perfect_memory *m = ctx;
    struct perfect_group *g = group_of(m, cu);
    struct ring *r = &g->ring[port];
    cycle_t at = now + m->latency[port];

    if (req->token == MEM_TOKEN_NONE)
        return;
    r->entry[(r->head + r->count++) & (r->capacity - 1)] = (struct access){at, req->token, cu};
    if (at < g->next)
        g->next = at;
}

static void attach(void *ctx, const struct hierarchy_sink *sink)
{
    ((struct perfect_memory *)ctx)->sink = *sink;
}

static cycle_t near_run(void *ctx, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until, uint32_t *cycles)
{
    const struct perfect_memory *m = ctx;
    struct perfect_group *g = &m->group[group];
    cycle_t next = CYCLE_NEVER;

    (void)end, (void)until, (void)cycles;
    for (unsigned port = 0; port < MEM_PORTS; port++) {
        struct ring *r = &g->ring[port];

        while (r->count && r->entry[r->head].at <= now) {
            struct access a = r->entry[r->head];

            r->head = (r->head + 1) & (r->capacity - 1);
            r->count--;
            m->sink.complete(m->sink.ctx, a.cu, (enum mem_port_kind)port, a.token, now);
        }
        if (r->count && r->entry[r->head].at < next)
            next = r->entry[r->head].at;
    }
    g->next = next;
    return now;
}

static const cycle_t *near_clock(void *ctx, uint32_t group)
{
    return &((struct perfect_memory *)ctx)->group[group].next;
}

static void far_run(void *ctx, cycle_t from, cycle_t end)
{
    (void)ctx, (void)from, (void)end;
}

static cycle_t far_next(void *ctx)
{
    (void)ctx;
    return CYCLE_NEVER;
}

bool perfect_memory_is_short(const struct perfect_memory *m)
{
    for (uint32_t g = 0; g < m->groups; g++)
        if (m->group[g].is_short)
            return true;
    return false;
}

static bool is_short(void *ctx)
{
    return perfect_memory_is_short(ctx);
}

struct perfect_memory *perfect_memory_new(const struct profile *p, uint32_t cus, uint32_t limit,
                                          struct timing_chip *chip)
{
    struct perfect_memory *m = calloc(1, sizeof *m);
    uint32_t launch = p->frontend.launch_latency_cycles;

    if (!m)
        return NULL;
    m->latency[MEM_PORT_VECTOR] = p->cache[LEVEL_VL0].hit_latency_cycles;
    m->latency[MEM_PORT_SCALAR] = p->cache[LEVEL_K].hit_latency_cycles;
    m->latency[MEM_PORT_INST] = p->frontend.fetch_latency_cycles;
    for (unsigned k = 0; k < MEM_PORTS; k++)
        if (!m->latency[k])
            m->latency[k] = 1;
    m->limit = limit;
    m->cus_per_group = p->gpu.cus_per_wgp;
    m->groups = (cus - 1) / m->cus_per_group + 1;
    m->group = aligned_alloc(64, m->groups * sizeof *m->group);
    if (!m->group) {
        free(m);
        return NULL;
    }
    for (uint32_t k = 0; k < m->groups; k++)
        m->group[k] = (struct perfect_group){.next = CYCLE_NEVER};
    *chip = (struct timing_chip){.plug = {.ctx = m, .can_accept = can_accept, .accept = accept},
                                 .ctx = m,
                                 .cus_per_group = m->cus_per_group,
                                 .attach = attach,
                                 .near_run = near_run,
                                 .near_clock = near_clock,
                                 .far_run = far_run,
                                 .far_next = far_next,
                                 .is_short = is_short};
    chip->start_cycles = launch < HIERARCHY_MAX_EPOCH ? launch : HIERARCHY_MAX_EPOCH;
    chip->epoch_cycles = chip->start_cycles ? chip->start_cycles : 1;
    return m;
}

void perfect_memory_free(struct perfect_memory *m)
{
    if (!m)
        return;
    for (uint32_t g = 0; g < m->groups; g++)
        for (unsigned k = 0; k < MEM_PORTS; k++)
            free(m->group[g].ring[k].entry);
    free(m->group);
    free(m);
}
