/* Stale lines: keeps the last write of each dword and the loads outstanding, and compares both with hits in caches. */
#include "sim/check/stale.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/check/internal.h"

#define BLOCK_BYTES 64
#define DWORDS      (BLOCK_BYTES / 4)

/* The last write of each dword of 64 bytes. */
struct block {
    gaddr_t addr; /* + 1; 0: free */
    cycle_t at[DWORDS];
    gaddr_t pc[DWORDS];
    uint32_t cu[DWORDS];
    bool scalar[DWORDS];
};

/* A load, kept from its issue until its token is used again. */
struct record {
    gaddr_t pc;
    uint64_t group;
    uint32_t wave, cu;
    cycle_t at;
    bool scalar;
    uint64_t mask;                /* active lanes; a scalar load has lane 0 */
    uint32_t pieces, bytes, step; /* of a lane (event.h) */
    gaddr_t addr[64];
};

struct per_cu {
    struct record **record; /* by token; null: none yet */
    size_t count;
};

struct stale {
    struct check *check;
    enum mem_gen gen;
    uint32_t parts;
    struct block *block; /* open addressing */
    size_t slots, used;
    struct budget *budget; /* that what the table has grown by counts against */
    uint64_t bytes_held;
    struct per_cu *cu;
    size_t cus;
};

struct stale *stale_open(struct check *c, enum mem_gen gen, uint32_t parts)
{
    struct stale *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    *s = (struct stale){.check = c, .gen = gen, .parts = parts};
    s->slots = 1024;
    s->block = calloc(s->slots, sizeof *s->block);
    s->budget = c->launch->space->budget;
    if (s->block)
        return s;
    free(s);
    return NULL;
}

void stale_close(struct stale *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < s->cus; k++) {
        for (size_t n = 0; n < s->cu[k].count; n++)
            free(s->cu[k].record[n]);
        free(s->cu[k].record);
    }
    free(s->cu);
    free(s->block);
    budget_give(s->budget, s->bytes_held);
    free(s);
}

/* Grows an array to hold index `at`, with zeros. False when out of host memory. */
static bool room_for(void **array, size_t *count, size_t at, size_t bytes)
{
    size_t want = at < 16 ? 16 : at * 2;
    char *more;

    if (at < *count)
        return true;
    more = realloc(*array, want * bytes);
    if (!more)
        return false;
    memset(more + *count * bytes, 0, (want - *count) * bytes);
    *array = more;
    *count = want;
    return true;
}

static struct record *record_at(struct stale *s, uint32_t cu, uint32_t token)
{
    size_t k = cu / s->parts;
    struct per_cu *p;

    if (token > UINT16_MAX || !room_for((void **)&s->cu, &s->cus, k, sizeof *s->cu))
        return NULL;
    p = &s->cu[k];
    if (!room_for((void **)&p->record, &p->count, token, sizeof *p->record))
        return NULL;
    if (!p->record[token])
        p->record[token] = calloc(1, sizeof *p->record[0]);
    return p->record[token];
}

/* ---- writes ---- */

static struct block *block_at(struct block *table, size_t slots, gaddr_t addr)
{
    size_t k = (size_t)hash64(addr / BLOCK_BYTES, 44) & (slots - 1);

    while (table[k].addr && table[k].addr != addr + 1)
        k = (k + 1) & (slots - 1);
    return &table[k];
}

static bool grow(struct stale *s)
{
    uint64_t bytes = s->slots * 2 * sizeof(struct block);
    bool taken = budget_take(s->budget, bytes);
    struct block *more = taken ? calloc(s->slots * 2, sizeof *more) : NULL;

    if (!more) {
        budget_give(s->budget, taken ? bytes : 0);
        return false;
    }
    budget_give(s->budget, s->bytes_held);
    s->bytes_held = bytes;
    for (size_t k = 0; k < s->slots; k++)
        if (s->block[k].addr)
            *block_at(more, s->slots * 2, s->block[k].addr - 1) = s->block[k];
    free(s->block);
    s->block = more;
    s->slots *= 2;
    return true;
}

static void wrote(struct stale *s, const struct event *e, gaddr_t addr, bool scalar)
{
    for (gaddr_t d = addr & -(gaddr_t)4; d < addr + e->access.bytes; d += 4) {
        gaddr_t base = d & -(gaddr_t)BLOCK_BYTES;
        struct block *b;
        unsigned n = (unsigned)(d - base) / 4;

        if (s->used * 2 >= s->slots && !grow(s)) {
            s->check->no_memory = true;
            return;
        }
        b = block_at(s->block, s->slots, base);
        s->used += !b->addr;
        b->addr = base + 1;
        b->at[n] = e->at;
        b->pc[n] = e->pc;
        b->cu[n] = e->cu;
        b->scalar[n] = scalar;
    }
}

static void on_access(struct stale *s, const struct event *e)
{
    bool scalar = e->access.scalar;
    struct record *r = record_at(s, e->cu, e->access.token);

    if (!r) {
        s->check->no_memory = true;
        return;
    }
    r->mask = 0;
    if (e->access.op == MEM_STORE || e->access.op == MEM_ATOMIC) {
        for (uint64_t m = e->access.lanes; m; m &= m - 1)
            for (uint32_t p = e->access.pieces; p; p &= p - 1)
                wrote(s, e, e->access.addr[__builtin_ctzll(m)] + (uint32_t)__builtin_ctz(p) * e->access.step, scalar);
        return;
    }
    *r = (struct record){.pc = e->pc,
                         .group = e->group,
                         .wave = e->wave,
                         .cu = e->cu,
                         .at = e->at,
                         .scalar = scalar,
                         .mask = e->access.lanes,
                         .pieces = e->access.pieces,
                         .bytes = e->access.bytes,
                         .step = e->access.step};
    for (uint64_t m = e->access.lanes; m; m &= m - 1)
        r->addr[__builtin_ctzll(m)] = e->access.addr[__builtin_ctzll(m)];
}

/* ---- hits ---- */

/* Whether a write by CU `writer` goes through the cache of the hit. */
static bool went_through(const struct event *e, uint32_t writer, bool scalar)
{
    return writer >= e->hit.first_cu && writer - e->hit.first_cu < e->hit.all &&
           e->hit.ports >> (scalar ? EVENT_PORT_SCALAR : EVENT_PORT_VECTOR) & 1;
}

static const char *fix_scalar(const struct stale *s, enum cache_level level)
{
    if (level == LEVEL_GL1)
        return s->gen == MEM_GEN_GFX10 ? "s_dcache_inv and s_gl1_inv before it, or glc dlc on it"
                                       : "s_dcache_inv and s_gl1_inv before it, or glc on it";
    return s->gen == MEM_GEN_GFX12 ? "s_dcache_inv before it, or scope:SCOPE_DEV on it"
                                   : "s_dcache_inv before it, or glc on it";
}

static const char *fix_vector(const struct stale *s, bool same_wgp)
{
    switch (s->gen) {
    case MEM_GEN_GFX8:
    case MEM_GEN_GFX9:
    case MEM_GEN_GFX90A:
        return "buffer_wbinvl1_vol before it, or glc on it";
    case MEM_GEN_GFX942:
    case MEM_GEN_GFX950:
        return "buffer_inv sc1 before it, or sc1 on it";
    case MEM_GEN_GFX10:
        return same_wgp ? "buffer_gl0_inv before it, or glc on it"
                        : "buffer_gl0_inv and buffer_gl1_inv before it, or glc dlc on it";
    case MEM_GEN_GFX11:
        return same_wgp ? "buffer_gl0_inv before it, or glc on it"
                        : "buffer_gl0_inv and buffer_gl1_inv before it, or glc on it";
    default:
        return same_wgp ? "global_inv scope:SCOPE_SE before it, or that scope on it"
                        : "global_inv scope:SCOPE_DEV before it, or that scope on it";
    }
}

/* Compares one piece of a lane's bytes, as far as it lies in the line: reports the first dword written since. */
static bool look(struct stale *s, const struct event *e, const struct record *r, int lane, uint32_t piece)
{
    gaddr_t line = e->hit.addr & -(gaddr_t)e->hit.line_bytes, lo = r->addr[lane] + piece * r->step, hi = lo + r->bytes;

    lo = lo > line ? lo & -(gaddr_t)4 : line;
    hi = hi < line + e->hit.line_bytes ? hi : line + e->hit.line_bytes;
    for (gaddr_t d = lo; d < hi; d += 4) {
        gaddr_t base = d & -(gaddr_t)BLOCK_BYTES;
        const struct block *b = block_at(s->block, s->slots, base);
        unsigned n = (unsigned)(d - base) / 4;

        if (!b->addr || b->at[n] <= e->hit.fetched || b->at[n] >= r->at || went_through(e, b->cu[n], b->scalar[n]))
            continue;
        check_report_at(s->check, r->pc, r->group, r->wave, r->scalar ? CHECK_STALE_SCALAR : CHECK_STALE_VECTOR,
                        r->scalar ? -1 : lane,
                        r->scalar ? fix_scalar(s, (enum cache_level)e->level)
                                  : fix_vector(s, s->parts > 1 && r->cu / s->parts == b->cu[n] / s->parts),
                        "0x%" PRIx64 " is read from %s, fetched in cycle %" PRIu64 "; the store at pc 0x%" PRIx64
                        " on %s wrote it in cycle %" PRIu64,
                        d, cache_level_key[e->level], e->hit.fetched, b->pc[n],
                        b->cu[n] == r->cu ? "the same CU" : "another CU", b->at[n]);
        return true;
    }
    return false;
}

static bool look_at_record(struct stale *s, const struct event *e, const struct record *r)
{
    for (uint64_t m = r->mask; m; m &= m - 1)
        for (uint32_t p = r->pieces; p; p &= p - 1)
            if (look(s, e, r, __builtin_ctzll(m), (uint32_t)__builtin_ctz(p)))
                return true;
    return false;
}

/* A hit of a request from a cache above: the load is one of those that its CUs have outstanding. */
static void look_at_all(struct stale *s, const struct event *e)
{
    bool scalar = e->hit.op == MEM_SCALAR;

    for (uint32_t cu = e->cu; cu < (uint32_t)e->cu + e->hit.cus && cu / s->parts < s->cus; cu++) {
        const struct per_cu *p = &s->cu[cu / s->parts];

        for (size_t n = 0; n < p->count; n++)
            if (p->record[n] && p->record[n]->cu == cu && p->record[n]->scalar == scalar &&
                look_at_record(s, e, p->record[n]))
                return;
    }
}

static void on_hit(struct stale *s, const struct event *e)
{
    size_t k = e->cu / s->parts;

    if (e->hit.op == MEM_FETCH)
        return;
    if (e->hit.token == EVENT_NO_TOKEN)
        look_at_all(s, e);
    else if (k < s->cus && e->hit.token < s->cu[k].count && s->cu[k].record[e->hit.token])
        look_at_record(s, e, s->cu[k].record[e->hit.token]);
}

void stale_events(void *ctx, const struct event *e, size_t count)
{
    struct stale *s = ctx;

    for (const struct event *end = e + count; e < end && !s->check->no_memory; e++) {
        if (e->kind == EVENT_ACCESS)
            on_access(s, e);
        else
            on_hit(s, e);
    }
}
