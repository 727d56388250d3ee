#include "mem/cache_internal.h"

uint64_t cache_set_base(const struct cache *c, gaddr_t addr)
{
    uint64_t unit = addr >> c->interleave_shift;
    uint64_t lines_of_unit = c->interleave_shift - c->line_shift;
    uint64_t in_unit = (addr >> c->line_shift) & ((UINT64_C(1) << lines_of_unit) - 1);
    /* lines are numbered within their channel, so that every set of it is used */
    uint64_t local = div_q(&c->channels, unit) << lines_of_unit | in_unit;
    uint64_t set = (uint64_t)div_r(&c->channels, unit) * c->sets.n + div_r(&c->sets, local);

    return set * c->cfg.ways;
}

/* Bytes of v that are 0, a bit 7 each; bytes above the first such may be wrongly among them. */
static inline uint64_t zero_bytes(uint64_t v)
{
    return (v - UINT64_C(0x0101010101010101)) & ~v & UINT64_C(0x8080808080808080);
}

/* Eight marks, way `w` in the lowest byte; those past the last way as if of other lines. */
static inline uint64_t marks_at(const struct cache *c, uint64_t base, uint32_t w)
{
    uint64_t v;

    memcpy(&v, c->mark + base + w, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

uint64_t cache_find(const struct cache *c, uint64_t base, uint64_t line)
{
    uint64_t wanted = cache_mark(line) * UINT64_C(0x0101010101010101);

    for (uint32_t w = 0; w < c->cfg.ways; w += 8)
        for (uint64_t m = zero_bytes(marks_at(c, base, w) ^ wanted); m; m &= m - 1) {
            uint32_t at = w + (uint32_t)__builtin_ctzll(m) / 8;

            if (at < c->cfg.ways && c->way[base + at].tag == line + 1)
                return base + at;
        }
    return CACHE_NO_WAY;
}

/* The first invalid way, else the least recently used. */
uint64_t cache_choose_victim(const struct cache *c, uint64_t base)
{
    uint64_t best = base;

    for (uint32_t w = 0; w < c->cfg.ways; w += 8) {
        uint64_t m = zero_bytes(marks_at(c, base, w));

        if (m && w + (uint32_t)__builtin_ctzll(m) / 8 < c->cfg.ways)
            return base + w + (uint32_t)__builtin_ctzll(m) / 8;
    }
    for (uint64_t i = base + 1; i < base + c->cfg.ways; i++)
        if (c->way[i].stamp < c->way[best].stamp)
            best = i;
    return best;
}

void cache_touch(struct cache *c, uint64_t at)
{
    c->way[at].stamp = ++c->stamp;
}

void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines += !c->way[at].dirty;
    c->way[at].dirty = true;
}

/* Makes room for a line and puts it there, clean and empty. True when a dirty line had to go: the caller writes it
 * back. A streamed line takes over the victim's place in the replacement order, and so is the next to go. */
bool cache_install(struct cache *c, struct cache_channel *ch, uint64_t base, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty_victim)
{
    uint64_t i = cache_choose_victim(c, base);
    struct cache_way *w = &c->way[i];
    bool dirty = w->tag && w->dirty;

    if (w->tag)
        cache_count_eviction(c, i);
    else
        w->stamp = 0;
    if (dirty) {
        *dirty_victim = (struct cache_victim){(w->tag - 1) << c->line_shift, w->hint};
        ch->dirty_lines--;
    }
    if (w->tag)
        cache_count_for_peers(c, w->tag - 1, -1);
    cache_count_for_peers(c, line, 1);
    w->tag = line + 1;
    c->mark[i] = cache_mark(line);
    w->have = 0;
    w->dirty = false;
    w->alone = false;
    w->hint = hint;
    if (!stream)
        cache_touch(c, i);
    *at = i;
    return dirty;
}

void cache_preload(struct cache *c, gaddr_t from, uint64_t bytes)
{
    uint64_t first = from >> c->line_shift, last = (from + bytes - 1) >> c->line_shift;
    struct cache_victim unused;

    for (uint64_t line = first; bytes && line <= last; line++) {
        gaddr_t addr = line << c->line_shift;
        uint64_t base = cache_set_base(c, addr), at = cache_find(c, base, line);

        if (at == CACHE_NO_WAY)
            cache_install(c, &c->channel[cache_channel(c, addr)], base, line, false, (struct mem_hint){0}, &at,
                          &unused);
        c->way[at].have = UINT32_MAX;
    }
}

void cache_drop(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines -= c->way[at].dirty;
    cache_count_for_peers(c, c->way[at].tag - 1, -1);
    c->mark[at] = 0;
    c->way[at] = (struct cache_way){0};
}

static uint32_t piece_range(uint32_t first, uint32_t end)
{
    return first < end ? (uint32_t)(lane_mask(end) & ~lane_mask(first)) : 0;
}

/* Pieces of the line that any of the bytes lies in. */
uint32_t cache_pieces_touched(const struct cache *c, gaddr_t addr, uint32_t bytes)
{
    uint32_t off = (uint32_t)(addr & (c->cfg.line_bytes - 1));

    return piece_range(off >> c->piece_shift, ((off + bytes - 1) >> c->piece_shift) + 1);
}

/* Pieces of the line that are wholly among the bytes. */
uint32_t cache_pieces_covered(const struct cache *c, gaddr_t addr, uint32_t bytes)
{
    uint32_t off = (uint32_t)(addr & (c->cfg.line_bytes - 1));
    uint32_t piece = 1u << c->piece_shift;

    return piece_range((off + piece - 1) >> c->piece_shift, (off + bytes) >> c->piece_shift);
}

void cache_drop_clean(struct cache *c)
{
    uint64_t lines = (uint64_t)c->channels.n * c->sets.n * c->cfg.ways;
    uint32_t txns = cache_txns(c);

    for (uint64_t n = 0; n < lines; n += 8) {
        /* marks of lines that are there; behind the last one there are none */
        uint64_t m = marks_at(c, n, 0) & UINT64_C(0x8080808080808080);

        for (; m; m &= m - 1) {
            uint64_t i = n + (uint32_t)__builtin_ctzll(m) / 8;

            if (c->way[i].dirty)
                continue;
            cache_count_for_peers(c, c->way[i].tag - 1, -1);
            c->mark[i] = 0;
            c->way[i] = (struct cache_way){0};
        }
    }
    for (uint32_t k = 0; k < c->channels.n; k++)
        for (uint32_t i = 0; i < txns && c->channel[k].mshrs_used; i++)
            c->txn[k * txns + i].dropped = true; /* of no consequence for those not in use: set anew when taken */
}

/* Finds the next dirty line of the channel from its cursor on, makes it clean and gives its address. */
bool cache_next_dirty(struct cache *c, uint32_t channel, struct cache_victim *v)
{
    struct cache_channel *ch = &c->channel[channel];
    uint64_t lines = (uint64_t)c->sets.n * c->cfg.ways;
    uint64_t base = channel * lines;

    if (!ch->dirty_lines)
        return false;
    for (; ch->writeback_at < lines; ch->writeback_at++) {
        uint64_t i = base + ch->writeback_at;
        if (!c->way[i].tag || !c->way[i].dirty)
            continue;
        c->way[i].dirty = false;
        ch->dirty_lines--;
        ch->writeback_at++;
        *v = (struct cache_victim){(c->way[i].tag - 1) << c->line_shift, c->way[i].hint};
        return true;
    }
    return false;
}

bool cache_probe(const struct cache *c, gaddr_t addr, bool *dirty)
{
    uint64_t at = cache_find(c, cache_set_base(c, addr), addr >> c->line_shift);

    if (dirty)
        *dirty = at != CACHE_NO_WAY && c->way[at].dirty;
    return at != CACHE_NO_WAY;
}
