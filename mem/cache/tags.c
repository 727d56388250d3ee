/* The tag array of a cache: lookup in a set, replacement policy, allocation with eviction, invalidation, and the
 * valid-byte mask. */
#include "mem/cache/internal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The same where there are channels. */
static ALWAYS_INLINE uint64_t set_base_in_channel(const struct cache *c, gaddr_t addr, uint32_t channel)
{
    uint64_t unit = addr >> c->interleave_shift;
    uint64_t lines_of_unit = c->interleave_shift - c->line_shift;
    uint64_t in_unit = (addr >> c->line_shift) & ((UINT64_C(1) << lines_of_unit) - 1);
    /* lines are numbered within their channel, so that all its sets are used */
    uint64_t local = div_q(&c->channels, unit) << lines_of_unit | in_unit;

    return ((uint64_t)channel * c->sets.n + div_r(&c->sets, local)) * c->cfg.ways;
}

ALWAYS_INLINE uint64_t cache_set_base_in(const struct cache *c, gaddr_t addr, uint32_t channel)
{
    return c->channels.n == 1 ? div_r(&c->sets, addr >> c->line_shift) * c->cfg.ways
                              : set_base_in_channel(c, addr, channel);
}

uint64_t cache_set_base(const struct cache *c, gaddr_t addr)
{
    return cache_set_base_in(c, addr, cache_channel_of(c, addr));
}

/* Eight partial tags, the first in the lowest byte. */
static inline uint64_t partial_tags_at(const struct cache *c, uint64_t first)
{
    uint64_t v;

    memcpy(&v, c->partial_tag + first, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The ways from `w` on, of the set at `base`, whose partial tag matches: PARTIAL_TAGS_BITS bits for each of
 * PARTIAL_TAGS_STEP ways, of which the highest is set (bits above the first match may be false positives). Those past
 * the last way belong to the next set. */
#ifdef __SSE2__
#define PARTIAL_TAGS_STEP 16
#define PARTIAL_TAGS_BITS 1
static inline uint32_t ways_with_partial_tag(const struct cache *c, uint64_t base, uint32_t w, uint8_t partial_tag)
{
    __m128i tags = _mm_loadu_si128((const __m128i *)(c->partial_tag + base + w));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)partial_tag)));
}
#else
#define PARTIAL_TAGS_STEP 8
#define PARTIAL_TAGS_BITS 8
static inline uint64_t ways_with_partial_tag(const struct cache *c, uint64_t base, uint32_t w, uint8_t partial_tag)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t v = partial_tags_at(c, base + w) ^ partial_tag * ones;

    return (v - ones) & ~v & ones << 7;
}
#endif

uint64_t cache_find(const struct cache *c, uint64_t base, uint64_t line)
{
    uint8_t wanted = cache_partial_tag(line);

    for (uint32_t w = 0; w < c->cfg.ways; w += PARTIAL_TAGS_STEP)
        for (uint64_t m = ways_with_partial_tag(c, base, w, wanted); m; m &= m - 1) {
            uint32_t at = w + (uint32_t)__builtin_ctzll(m) / PARTIAL_TAGS_BITS;

            if (at < c->cfg.ways && c->way[base + at].tag == line + 1)
                return base + at;
        }
    return CACHE_NO_WAY;
}

/* The LRU order of a set is a ring of its ways, from the least to the most recently used. Its first byte names the
 * least recently used way, the victim; two more bytes for each way name its neighbours on either side, as differences
 * from a ring 0, 1, 2, ... Memory that nobody has touched is therefore a valid ring. */
uint32_t cache_order_bytes(uint32_t ways)
{
    uint32_t bytes = 1 + 2 * ways;

    /* sets share or fill cache lines of the host */
    return bytes > 64 ? (bytes + 63) / 64 * 64 : 1u << (32 - __builtin_clz(bytes - 1));
}

static uint32_t wrapped(const struct cache *c, uint32_t w)
{
    return w < c->ways.n ? w : w - c->ways.n;
}

/* The next more recently used way. */
static uint32_t newer(const struct cache *c, const uint8_t *order, uint32_t w)
{
    return wrapped(c, w + 1 + order[1 + w]);
}

static uint32_t older(const struct cache *c, const uint8_t *order, uint32_t w)
{
    return wrapped(c, wrapped(c, w + order[1 + c->ways.n + w]) + c->ways.n - 1);
}

/* Makes way b the next more recently used one after way a. */
static void link_ways(const struct cache *c, uint8_t *order, uint32_t a, uint32_t b)
{
    uint32_t n = c->ways.n;

    order[1 + a] = (uint8_t)wrapped(c, b + n - 1 - a);
    order[1 + n + b] = (uint8_t)wrapped(c, wrapped(c, a + n - b) + 1);
}

static void unlink_way(const struct cache *c, uint8_t *order, uint32_t w)
{
    link_ways(c, order, older(c, order, w), newer(c, order, w));
}

static void link_before(const struct cache *c, uint8_t *order, uint32_t w, uint32_t next)
{
    uint32_t before = older(c, order, next);

    link_ways(c, order, before, w);
    link_ways(c, order, w, next);
}

/* Makes a way the most recently used, or the victim, which is the same place of the ring. */
static void move_in_order(const struct cache *c, uint64_t at, bool as_victim)
{
    uint8_t *order = cache_order(c, at);
    uint32_t w = (uint32_t)div_r(&c->ways, at), first = order[0];

    if (w == first) {
        order[0] = (uint8_t)(as_victim ? w : newer(c, order, w));
        return;
    }
    if (newer(c, order, w) != first) {
        unlink_way(c, order, w);
        link_before(c, order, w, first);
    }
    if (as_victim)
        order[0] = (uint8_t)w;
}

/* Invalid ways are the first of the ring. The first of them has got a streamed line, which is to be the victim once the
 * other invalid ways have a line: the way takes its place behind them. */
static void queue_behind_invalid(const struct cache *c, uint64_t base)
{
    uint8_t *order = cache_order(c, base);
    uint32_t w = order[0], second = newer(c, order, w), n = second;

    while (n != w && !c->way[base + n].tag)
        n = newer(c, order, n);
    if (n == second)
        return;
    unlink_way(c, order, w);
    link_before(c, order, w, n == w ? second : n);
    order[0] = (uint8_t)second;
}

void cache_touch(struct cache *c, uint64_t at)
{
    if (c->cfg.replacement == CACHE_LRU)
        move_in_order(c, at, false);
}

/* The next number of a xorshift sequence (Marsaglia 2003). */
static uint32_t draw(uint32_t *state)
{
    uint32_t x = *state ? *state : 0x9e3779b9;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/* The way that the next line of the set gets. The first of the ring is an invalid one while there are such. */
static uint64_t next_way(const struct cache *c, struct cache_channel *ch, uint64_t base)
{
    uint64_t first = base + *cache_order(c, base);

    return c->cfg.replacement == CACHE_RANDOM && c->way[first].tag ? base + div_r(&c->ways, draw(&ch->random)) : first;
}

void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines += !c->way[at].dirty;
    c->way[at].dirty = true;
}

/* Allocates a line, clean and without valid bytes, and evicts the victim. True when the victim was dirty: the caller
 * writes it back. A streamed line takes over the victim's place in the LRU order, and so is the next victim. */
bool cache_install(struct cache *c, struct cache_channel *ch, uint64_t base, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty_victim, cycle_t now)
{
    uint64_t i = next_way(c, ch, base);
    struct cache_way *w = &c->way[i];
    bool taken = w->tag, dirty = taken && w->dirty;

    if (taken)
        cache_count_eviction(c, i, now);
    if (dirty) {
        *dirty_victim = (struct cache_victim){(w->tag - 1) << c->line_shift, w->hint};
        ch->dirty_lines--;
    }
    if (taken)
        cache_count_copies(c, w->tag - 1, -1);
    cache_count_copies(c, line, 1);
    w->tag = line + 1;
    c->partial_tag[i] = cache_partial_tag(line);
    w->valid = 0;
    w->dirty = false;
    w->exclusive = false;
    w->hint = hint;
    if (!stream)
        move_in_order(c, i, false);
    else if (!taken)
        queue_behind_invalid(c, base);
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
            cache_install(c, &c->channel[cache_channel(c, addr)], base, line, false, (struct mem_hint){0}, &at, &unused,
                          0);
        c->way[at].valid = UINT32_MAX;
    }
}

/* The way becomes the next victim. */
static void invalidate_way(struct cache *c, uint64_t at)
{
    cache_count_copies(c, c->way[at].tag - 1, -1);
    c->partial_tag[at] = 0;
    c->way[at] = (struct cache_way){0};
    move_in_order(c, at, true);
}

void cache_invalidate_line(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines -= c->way[at].dirty;
    invalidate_way(c, at);
}

void cache_drop(struct cache *c, gaddr_t from, uint64_t bytes)
{
    uint64_t first = from >> c->line_shift, last = (from + bytes - 1) >> c->line_shift;
    uint64_t lines = (uint64_t)c->channels.n * c->sets.n * c->cfg.ways;

    if (bytes && last - first >= lines) {
        for (uint64_t i = lines; i-- > 0;)
            if (c->way[i].tag && c->way[i].tag - 1 >= first && c->way[i].tag - 1 <= last)
                cache_invalidate_line(c, &c->channel[i / ((uint64_t)c->sets.n * c->cfg.ways)], i);
        return;
    }
    for (uint64_t line = first; bytes && line <= last; line++) {
        gaddr_t addr = line << c->line_shift;
        uint64_t at = cache_find(c, cache_set_base(c, addr), line);

        if (at != CACHE_NO_WAY)
            cache_invalidate_line(c, &c->channel[cache_channel(c, addr)], at);
    }
}

static uint32_t sector_range(uint32_t first, uint32_t end)
{
    return first < end ? (uint32_t)(lane_mask(end) & ~lane_mask(first)) : 0;
}

/* Sectors of the line that hold any of the bytes. */
uint32_t cache_sectors_touched(const struct cache *c, gaddr_t addr, uint32_t bytes)
{
    uint32_t off = (uint32_t)(addr & (c->cfg.line_bytes - 1));

    return sector_range(off >> c->sector_shift, ((off + bytes - 1) >> c->sector_shift) + 1);
}

/* Sectors of the line that are wholly among the bytes. */
uint32_t cache_sectors_covered(const struct cache *c, gaddr_t addr, uint32_t bytes)
{
    uint32_t off = (uint32_t)(addr & (c->cfg.line_bytes - 1));
    uint32_t sector = 1u << c->sector_shift;

    return sector_range((off + sector - 1) >> c->sector_shift, (off + bytes) >> c->sector_shift);
}

void cache_invalidate_clean(struct cache *c)
{
    uint64_t lines = (uint64_t)c->channels.n * c->sets.n * c->cfg.ways;
    uint32_t txns = cache_txns(c);

    /* backwards, so that of a set's ways the first is the first victim again */
    for (uint64_t n = (lines + 7) / 8 * 8; n; n -= 8) {
        /* partial tags of valid lines; behind the last line there are none */
        uint64_t m = partial_tags_at(c, n - 8) & UINT64_C(0x8080808080808080);

        while (m) {
            uint32_t k = 7 - (uint32_t)__builtin_clzll(m) / 8;
            uint64_t i = n - 8 + k;

            m &= ~(UINT64_C(0x80) << 8 * k);
            if (!c->way[i].dirty)
                invalidate_way(c, i);
        }
    }
    for (uint32_t k = 0; k < c->channels.n; k++)
        for (uint32_t i = 0; i < txns && c->channel[k].mshrs_used; i++)
            c->txn[k * txns + i].invalidated =
                true; /* without effect on free ones, which are set anew when allocated */
}

/* Finds the next dirty line of the channel from its cursor on, makes it clean and returns its address. */
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
