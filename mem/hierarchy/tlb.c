/* Address translation: pages of allocations, the UTCL1 of a cache, and the UTCL2 of an L2 with its page walkers. */
#include "mem/hierarchy/tlb.h"

static int check_walks(const struct tlb_config *cfg, struct err *err)
{
    if (!cfg->utcl2_entries)
        return 0;
    if (!cfg->utcl2_ways || cfg->utcl2_entries % cfg->utcl2_ways || cfg->utcl2_entries > 1u << 20)
        return err_set(err, ERR_USAGE, "tlb: utcl2_entries is %u; expected a multiple of utcl2_ways, %u, up to 1048576",
                       cfg->utcl2_entries, cfg->utcl2_ways);
    if (!cfg->walk_levels || cfg->walk_levels > TLB_MAX_LEVELS)
        return err_set(err, ERR_USAGE, "tlb: walk_levels is %u; expected 1 to %u", cfg->walk_levels, TLB_MAX_LEVELS);
    if (!cfg->walkers || cfg->walkers > TLB_MAX_WALKERS)
        return err_set(err, ERR_USAGE, "tlb: walkers is %u; expected 1 to %u", cfg->walkers, TLB_MAX_WALKERS);
    if (cfg->host_cycles > 100000)
        return err_set(err, ERR_USAGE, "tlb: host_cycles is %u; expected up to 100000", cfg->host_cycles);
    if (cfg->read_cycles > 100000)
        return err_set(err, ERR_USAGE, "tlb: read_cycles is %u; expected up to 100000", cfg->read_cycles);
    return 0;
}

int tlb_check_config(const struct tlb_config *cfg, struct err *err)
{
    if (!cfg->entries)
        return 0;
    if (cfg->entries > 4096)
        return err_set(err, ERR_USAGE, "tlb: entries is %u; expected up to 4096", cfg->entries);
    if (cfg->page_bytes < 4096 || cfg->page_bytes & (cfg->page_bytes - 1))
        return err_set(err, ERR_USAGE, "tlb: page_bytes is %llu; expected a power of two from 4096 on",
                       (unsigned long long)cfg->page_bytes);
    if (cfg->miss_cycles > TLB_MAX_CYCLES)
        return err_set(err, ERR_USAGE, "tlb: miss_cycles is %u; expected up to %u", cfg->miss_cycles, TLB_MAX_CYCLES);
    return check_walks(cfg, err);
}

/* Pages ------------------------------------------------------------------------------------------------------------ */

struct page {
    gaddr_t lo, hi; /* the part of the allocation that one translation covers */
    gaddr_t first;  /* page 0 of those it is counted with */
    uint64_t index; /* from there */
    uint32_t kind;
    bool copied; /* filled by a copy engine */
    bool shared; /* with other buffers */
    bool host;   /* the IOMMU translates it, too */
};

static struct page page_of(const struct tlb_config *cfg, gaddr_t addr)
{
    uint64_t bytes = cfg->page_bytes;
    struct tlb_block b;
    struct page p;
    bool shares;

    if (!cfg->find || !cfg->find(cfg->ctx, addr, &b))
        b = (struct tlb_block){.lo = 0, .hi = UINT64_MAX};
    shares = b.hi - b.lo < bytes && (!b.buffer || b.hi - b.lo <= cfg->neighbour_bytes);
    p = (struct page){.first = shares ? addr & -bytes : b.lo,
                      .kind = b.kind,
                      .copied = b.buffer && cfg->copies_translated,
                      .shared = b.buffer && shares,
                      .host = b.host && cfg->host_cycles};
    p.index = (addr - p.first) / bytes;
    p.lo = p.first + p.index * bytes;
    p.hi = p.lo + bytes < p.lo ? UINT64_MAX : p.lo + bytes;
    p.lo = p.lo > b.lo ? p.lo : b.lo;
    p.hi = p.hi < b.hi ? p.hi : b.hi;
    return p;
}

/* Tables that a walk may have to read, that of the IOMMU among them, whose level is walk_levels. */
static unsigned levels_of(const struct tlb_config *cfg, const struct page *p)
{
    return cfg->walk_levels + p->host;
}

#define LEVEL_SHIFT 4 /* of a line's number; the kind of the page is below */

/* The number of a line of a table; at level 0 it holds the page's own translation. Pages begin on multiples of 4096, so
 * the lower bits tell lines of several kinds and levels apart. */
static uint64_t line_of(const struct tlb_config *cfg, const struct page *p, unsigned level)
{
    uint64_t pages = TLB_LINE_PAGES;

    for (unsigned k = 0; k < level; k++)
        pages *= TLB_TABLE_PAGES;
    return (p->first + p->index / pages * pages * cfg->page_bytes) ^ (p->kind | level << LEVEL_SHIFT);
}

/* UTCL1 ------------------------------------------------------------------------------------------------------------ */

bool utcl1_init(struct utcl1 *t, uint32_t entries, struct arena *arena)
{
    *t = (struct utcl1){.entries = entries};
    t->lo = ARENA_NEW(arena, entries + 1, gaddr_t);
    t->bytes = ARENA_NEW(arena, entries + 1, uint64_t);
    t->stamp = ARENA_NEW(arena, entries + 1, uint64_t);
    t->answer = ARENA_NEW(arena, entries + 1, cycle_t);
    return t->lo && t->bytes && t->stamp && t->answer;
}

void utcl1_forget(struct utcl1 *t)
{
    t->used = t->last = 0;
}

static cycle_t touch(struct utcl1 *t, uint32_t k, cycle_t now)
{
    t->last = k;
    t->stamp[k] = t->clock;
    return t->answer[k] > now ? t->answer[k] : now;
}

bool utcl1_lookup(struct utcl1 *t, const struct tlb_config *cfg, gaddr_t addr, cycle_t now, cycle_t *at)
{
    uint32_t oldest = 0;
    struct page p;

    t->stats.lookups++;
    t->clock++;
    if (t->used && addr - t->lo[t->last] < t->bytes[t->last]) {
        *at = touch(t, t->last, now);
        return false;
    }
    for (uint32_t k = 0; k < t->used; k++) {
        if (addr - t->lo[k] < t->bytes[k]) {
            *at = touch(t, k, now);
            return false;
        }
        if (t->stamp[k] < t->stamp[oldest])
            oldest = k;
    }
    t->stats.misses++;
    if (t->used < t->entries)
        oldest = t->used++;
    p = page_of(cfg, addr);
    t->lo[oldest] = p.lo;
    t->bytes[oldest] = p.hi - p.lo;
    t->answer[oldest] = now + cfg->miss_cycles;
    *at = touch(t, oldest, now);
    return true;
}

/* UTCL2 ------------------------------------------------------------------------------------------------------------ */

bool utcl2_init(struct utcl2 *t, const struct tlb_config *cfg, struct arena *arena)
{
    *t = (struct utcl2){.cfg = cfg, .sets = cfg->utcl2_ways ? cfg->utcl2_entries / cfg->utcl2_ways : 0};
    if (!t->sets)
        return true;
    t->tag = ARENA_NEW(arena, cfg->utcl2_entries, uint64_t);
    t->stamp = ARENA_NEW(arena, cfg->utcl2_entries, uint64_t);
    t->ready = ARENA_NEW(arena, cfg->utcl2_entries, cycle_t);
    t->walker = ARENA_NEW(arena, cfg->walkers, cycle_t);
    return t->tag && t->stamp && t->ready && t->walker;
}

static uint32_t first_way(const struct utcl2 *t, uint64_t line)
{
    /* lines lie 16 MB apart and tables 8 GB, so all bits of a line are hashed */
    return (uint32_t)(hash64(line, 32) % t->sets) * t->cfg->utcl2_ways;
}

/* UINT32_MAX: the line is absent. */
static uint32_t entry_of(const struct utcl2 *t, uint64_t line)
{
    uint32_t first = first_way(t, line);

    for (uint32_t k = first; k < first + t->cfg->utcl2_ways; k++)
        if (t->tag[k] == line + 1)
            return k;
    return UINT32_MAX;
}

/* The entry that a line would replace. */
static uint32_t oldest_of(const struct utcl2 *t, uint64_t line)
{
    uint32_t first = first_way(t, line), oldest = first;

    for (uint32_t k = first; k < first + t->cfg->utcl2_ways; k++)
        if (t->stamp[k] < t->stamp[oldest])
            oldest = k;
    return oldest;
}

static void insert(struct utcl2 *t, uint64_t line, cycle_t ready)
{
    uint32_t oldest = oldest_of(t, line);

    t->tag[oldest] = line + 1;
    t->ready[oldest] = ready;
    t->stamp[oldest] = ++t->clock;
    t->reads_done = ready > t->reads_done ? ready : t->reads_done;
}

static cycle_t *free_walker(struct utcl2 *t)
{
    cycle_t *w = &t->walker[0];

    for (uint32_t k = 1; k < t->cfg->walkers; k++)
        if (t->walker[k] < *w)
            w = &t->walker[k];
    return w;
}

/* Walks the page table: reads the absent lines of the page from the uppermost table down. */
static cycle_t walk(struct utcl2 *t, const struct page *p, cycle_t now)
{
    cycle_t *w = free_walker(t), at = *w > now ? *w : now;

    t->stats.walks++;
    for (unsigned level = levels_of(t->cfg, p); level-- > 0;) {
        uint64_t line = line_of(t->cfg, p, level);
        uint32_t e = entry_of(t, line);

        if (e == UINT32_MAX) {
            at += level == t->cfg->walk_levels ? t->cfg->host_cycles : t->cfg->read_cycles;
            t->stats.reads++;
            insert(t, line, at);
        } else {
            t->stamp[e] = ++t->clock;
            at = t->ready[e] > at ? t->ready[e] : at;
        }
    }
    *w = at;
    return at;
}

cycle_t utcl2_lookup(struct utcl2 *t, gaddr_t addr, bool reads, cycle_t now)
{
    uint64_t line;
    struct page p;
    uint32_t e;

    if (!t->sets)
        return now;
    p = page_of(t->cfg, addr);
    line = line_of(t->cfg, &p, 0);
    e = entry_of(t, line);
    if (e == UINT32_MAX) {
        if ((!reads && !p.shared) || !p.copied || t->tag[oldest_of(t, line)])
            return walk(t, &p, now);
        insert(t, line, 0);
        return now;
    }
    t->stamp[e] = ++t->clock;
    return t->ready[e] > now ? t->ready[e] : now;
}

cycle_t utcl2_await(const struct utcl2 *t, gaddr_t addr, cycle_t now)
{
    struct page p;
    uint32_t e;

    if (now >= t->reads_done)
        return now;
    p = page_of(t->cfg, addr);
    e = entry_of(t, line_of(t->cfg, &p, 0));
    return e != UINT32_MAX && t->ready[e] > now ? t->ready[e] : now;
}

void utcl2_forget(struct utcl2 *t)
{
    for (uint32_t k = 0; t->sets && k < t->cfg->utcl2_entries; k++)
        if (t->tag[k] && ((t->tag[k] - 1) % 4096 >> LEVEL_SHIFT) < t->cfg->walk_levels)
            t->tag[k] = t->stamp[k] = 0;
}

void utcl2_prefill(struct utcl2 *t, gaddr_t addr, enum tlb_known known)
{
    unsigned first = known == TLB_KNOWN_PAGE ? 0 : known == TLB_KNOWN_TABLES ? 1 : t->cfg->walk_levels;
    struct page p;

    if (!t->sets)
        return;
    p = page_of(t->cfg, addr);
    for (unsigned level = first; level < levels_of(t->cfg, &p); level++)
        if (entry_of(t, line_of(t->cfg, &p, level)) == UINT32_MAX)
            insert(t, line_of(t->cfg, &p, level), 0);
}
