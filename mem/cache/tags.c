/* The tag array of a cache: lookup in a set, replacement policy, allocation with eviction, invalidation, and the
 * valid-byte mask. */
#include "mem/cache/internal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The set of line number `local` of a channel. Lines that follow one another are in sets that do, whatever the hash, so
 * that an array as large as the cache fits it. The hash is one of ours: which one hardware has is not known, only that
 * lines whose distance is a power of two spread over sets and channels about as random ones do (docs/TIMING_SOURCES.md,
 * cache.*.set_hash). It has to differ from the channel's, or both would choose by the same bits. */
static ALWAYS_INLINE uint32_t set_of(const struct cache *c, uint64_t local)
{
    uint64_t above = div_q(&c->sets, local);

    /* twice, since one multiplication leaves multiples of some powers of two in step */
    return div_r(&c->sets, c->cfg.set_hash ? local + hash64(above ^ hash64(above, 32), 16) : local);
}

/* The same where there are channels. */
static ALWAYS_INLINE uint32_t set_in_channel(const struct cache *c, gaddr_t addr, uint32_t channel)
{
    uint64_t unit = addr >> c->interleave_shift;
    uint64_t lines_of_unit = c->interleave_shift - c->line_shift;
    uint64_t in_unit = (addr >> c->line_shift) & ((UINT64_C(1) << lines_of_unit) - 1);
    /* lines are numbered within their channel, so that all its sets are used */
    uint64_t local = div_q(&c->channels, unit) << lines_of_unit | in_unit;

    return channel * c->sets.n + set_of(c, local);
}

ALWAYS_INLINE uint32_t cache_set_in(const struct cache *c, gaddr_t addr, uint32_t channel)
{
    return c->channels.n == 1 ? set_of(c, addr >> c->line_shift) : set_in_channel(c, addr, channel);
}

uint32_t cache_set(const struct cache *c, gaddr_t addr)
{
    return cache_set_in(c, addr, cache_channel_of(c, addr));
}

/* Eight partial tags, the first in the lowest byte. */
static inline uint64_t partial_tags_at(const uint8_t *tags)
{
    uint64_t v;

    memcpy(&v, tags, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The ways whose partial tags are at `tags` that match: PARTIAL_TAGS_BITS bits for each of PARTIAL_TAGS_STEP ways, of
 * which the highest is set (bits above the first match may be false positives). */
#ifdef __SSE2__
#define PARTIAL_TAGS_STEP 16
#define PARTIAL_TAGS_BITS 1
static inline uint32_t ways_with_partial_tag(const uint8_t *tags, uint8_t partial_tag)
{
    __m128i v = _mm_load_si128((const __m128i *)tags);

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)partial_tag)));
}
#else
#define PARTIAL_TAGS_STEP 8
#define PARTIAL_TAGS_BITS 8
static inline uint64_t ways_with_partial_tag(const uint8_t *tags, uint8_t partial_tag)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t v = partial_tags_at(tags) ^ partial_tag * ones;

    return (v - ones) & ~v & ones << 7;
}
#endif

ALWAYS_INLINE uint64_t cache_find_here(const struct cache *c, uint32_t set, uint64_t line)
{
    const uint8_t *tags = cache_set_at(c, set);
    uint8_t wanted = cache_partial_tag(line);

    for (uint32_t w = 0; w < c->cfg.ways; w += PARTIAL_TAGS_STEP)
        for (uint64_t m = ways_with_partial_tag(tags + w, wanted); m; m &= m - 1) {
            uint64_t at = cache_way_at(c, set, w + (uint32_t)__builtin_ctzll(m) / PARTIAL_TAGS_BITS);

            if (c->way[at].tag == line + 1)
                return at;
        }
    return CACHE_NO_WAY;
}

uint64_t cache_find(const struct cache *c, uint32_t set, uint64_t line)
{
    return cache_find_here(c, set, line);
}

/* ---- the LRU order of a set: the ways from the least to the most recently used ----
 *
 * Up to 16 ways are a list of their numbers, 4 bits each, the least recently used in the lowest, as differences (by
 * exclusive or) from the list 0, 1, 2, ...
 *
 * More are a ring. Its first byte names the least recently used way, the victim; two more bytes for each way name its
 * neighbours on either side, as differences from a ring 0, 1, 2, ...
 *
 * Memory that nobody has touched is therefore a valid order. */
enum { LIST_WAYS = 16 };
#define LIST_OF_ALL UINT64_C(0xfedcba9876543210)

void cache_lay_out_sets(struct cache *c)
{
    uint32_t tags = (c->cfg.ways + 15) / 16 * 16, order = c->cfg.ways <= LIST_WAYS ? 8 : 1 + 2 * c->cfg.ways;
    uint32_t bytes = tags + order;

    c->order_at = tags;
    /* sets share or fill cache lines of the host */
    c->set_bytes = bytes > 64 ? (bytes + 63) / 64 * 64 : 1u << (32 - __builtin_clz(bytes - 1));
}

static uint64_t list_of(const struct cache *c, uint32_t set)
{
    return *(const uint64_t *)(cache_set_at(c, set) + c->order_at) ^ LIST_OF_ALL;
}

/* Without a branch, which the host would have to foresee before it has the set. */
ALWAYS_INLINE bool cache_may_have(const struct cache *c, uint32_t set, uint64_t line, uint64_t *at)
{
    const uint64_t last = UINT64_C(1) << (PARTIAL_TAGS_STEP * PARTIAL_TAGS_BITS - 1);
    uint64_t m = ways_with_partial_tag(cache_set_at(c, set), cache_partial_tag(line));
    uint32_t found = (uint32_t)__builtin_ctzll(m | last) / PARTIAL_TAGS_BITS;
    uint32_t next = c->cfg.ways <= LIST_WAYS ? list_of(c, set) & 15 : 0;

    *at = cache_way_at(c, set, m ? found : next);
    return m;
}

ALWAYS_INLINE void cache_prefetch(const struct cache *c, uint32_t set, uint64_t line)
{
    uint64_t at;

    cache_may_have(c, set, line, &at);
    __builtin_prefetch(&c->way[at]);
}

static uint64_t low_entries(uint32_t n)
{
    return n < LIST_WAYS ? (UINT64_C(1) << 4 * n) - 1 : ~UINT64_C(0);
}

static uint32_t place_in_list(uint64_t list, uint32_t w)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t v = list ^ w * ones;

    return (uint32_t)__builtin_ctzll((v - ones) & ~v & ones << 3) / 4;
}

/* Moves way w to place `to`; those between move up or down by one. */
static void move_in_list(const struct cache *c, uint32_t set, uint32_t w, uint32_t to)
{
    uint64_t *kept = (uint64_t *)(cache_set_at(c, set) + c->order_at), list = *kept ^ LIST_OF_ALL;
    uint32_t from = place_in_list(list, w), lo = from < to ? from : to, hi = from < to ? to : from;
    uint64_t between = low_entries(hi + 1) & ~low_entries(lo), moved = list & between;

    if (from == to)
        return;
    moved = from < to ? moved >> 4 & between : moved << 4 & between;
    *kept = ((list & ~between) | moved | (uint64_t)w << 4 * to) ^ LIST_OF_ALL;
}

static uint8_t *ring_of(const struct cache *c, uint32_t set)
{
    return cache_set_at(c, set) + c->order_at;
}

static uint32_t wrapped(const struct cache *c, uint32_t w)
{
    return w < c->cfg.ways ? w : w - c->cfg.ways;
}

/* The next more recently used way. */
static uint32_t newer(const struct cache *c, const uint8_t *ring, uint32_t w)
{
    return wrapped(c, w + 1 + ring[1 + w]);
}

static uint32_t older(const struct cache *c, const uint8_t *ring, uint32_t w)
{
    return wrapped(c, wrapped(c, w + ring[1 + c->cfg.ways + w]) + c->cfg.ways - 1);
}

/* Makes way b the next more recently used one after way a. */
static void link_ways(const struct cache *c, uint8_t *ring, uint32_t a, uint32_t b)
{
    uint32_t n = c->cfg.ways;

    ring[1 + a] = (uint8_t)wrapped(c, b + n - 1 - a);
    ring[1 + n + b] = (uint8_t)wrapped(c, wrapped(c, a + n - b) + 1);
}

static void unlink_way(const struct cache *c, uint8_t *ring, uint32_t w)
{
    link_ways(c, ring, older(c, ring, w), newer(c, ring, w));
}

static void link_before(const struct cache *c, uint8_t *ring, uint32_t w, uint32_t next)
{
    uint32_t before = older(c, ring, next);

    link_ways(c, ring, before, w);
    link_ways(c, ring, w, next);
}

/* Makes a way the most recently used, or the victim, which is the same place of the ring. */
static void move_in_ring(const struct cache *c, uint32_t set, uint32_t w, bool as_victim)
{
    uint8_t *ring = ring_of(c, set);
    uint32_t first = ring[0];

    if (w == first) {
        ring[0] = (uint8_t)(as_victim ? w : newer(c, ring, w));
        return;
    }
    if (newer(c, ring, w) != first) {
        unlink_way(c, ring, w);
        link_before(c, ring, w, first);
    }
    if (as_victim)
        ring[0] = (uint8_t)w;
}

/* Makes a way the most recently used, or the victim. */
static inline void move_in_order(const struct cache *c, uint32_t set, uint32_t w, bool as_victim)
{
    if (c->cfg.ways <= LIST_WAYS)
        move_in_list(c, set, w, as_victim ? 0 : c->cfg.ways - 1);
    else
        move_in_ring(c, set, w, as_victim);
}

static uint32_t least_recent(const struct cache *c, uint32_t set)
{
    return c->cfg.ways <= LIST_WAYS ? list_of(c, set) & 15 : *ring_of(c, set);
}

static bool is_invalid(const struct cache *c, uint32_t set, uint32_t w)
{
    return !c->way[cache_way_at(c, set, w)].tag;
}

/* Invalid ways are the first of the order. The first of them has got a streamed line, which is to be the victim once
 * the other invalid ways have a line: the way takes its place after them. */
static void queue_behind_invalid(const struct cache *c, uint32_t set)
{
    if (c->cfg.ways <= LIST_WAYS) {
        uint64_t list = list_of(c, set);
        uint32_t last = 0;

        while (last + 1 < c->cfg.ways && is_invalid(c, set, list >> 4 * (last + 1) & 15))
            last++;
        move_in_list(c, set, list & 15, last);
        return;
    }
    uint8_t *ring = ring_of(c, set);
    uint32_t w = ring[0], second = newer(c, ring, w), n = second;

    while (n != w && is_invalid(c, set, n))
        n = newer(c, ring, n);
    if (n == second)
        return;
    unlink_way(c, ring, w);
    link_before(c, ring, w, n == w ? second : n);
    ring[0] = (uint8_t)second;
}

void cache_touch(struct cache *c, uint32_t set, uint64_t at)
{
    if (c->cfg.replacement == CACHE_LRU)
        move_in_order(c, set, (uint32_t)div_q(&c->all_sets, at), false);
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

/* The way that the next line of the set gets. The least recently used is an invalid one while there are such. */
static uint32_t next_way(const struct cache *c, struct cache_channel *ch, uint32_t set)
{
    uint32_t first = least_recent(c, set);

    return c->cfg.replacement == CACHE_RANDOM && !is_invalid(c, set, first) ? draw(&ch->random) % c->cfg.ways : first;
}

void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines += !c->way[at].dirty;
    c->way[at].dirty = true;
}

/* Allocates a line, clean and without valid bytes, and evicts the victim. True when the victim was dirty: the caller
 * writes it back. A streamed line takes over the victim's place in the LRU order, and so is the next victim. */
bool cache_install(struct cache *c, struct cache_channel *ch, uint32_t set, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty_victim, cycle_t now)
{
    uint32_t n = next_way(c, ch, set);
    uint64_t i = cache_way_at(c, set, n);
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
    cache_set_at(c, set)[n] = cache_partial_tag(line);
    w->valid = 0;
    w->dirty = false;
    w->exclusive = false;
    w->hint = hint;
    if (!stream)
        move_in_order(c, set, n, false);
    else if (!taken)
        queue_behind_invalid(c, set);
    *at = i;
    return dirty;
}

void cache_preload(struct cache *c, gaddr_t from, uint64_t bytes)
{
    uint64_t first = from >> c->line_shift, last = (from + bytes - 1) >> c->line_shift;
    struct cache_victim unused;

    for (uint64_t line = first; bytes && line <= last; line++) {
        gaddr_t addr = line << c->line_shift;
        uint32_t set = cache_set(c, addr);
        uint64_t at = cache_find(c, set, line);

        if (at == CACHE_NO_WAY)
            cache_install(c, &c->channel[cache_channel(c, addr)], set, line, false, (struct mem_hint){0}, &at, &unused,
                          0);
        c->way[at].valid = UINT32_MAX;
    }
}

uint64_t cache_lines(const struct cache *c, uint64_t *valid)
{
    uint64_t all = (uint64_t)c->all_sets.n * c->cfg.ways;

    *valid = 0;
    for (uint64_t k = 0; k < all; k++)
        *valid += c->way[k].tag != 0;
    return all;
}

/* The way becomes the next victim. */
static void invalidate_way(struct cache *c, uint64_t at)
{
    uint32_t set = div_r(&c->all_sets, at), w = (uint32_t)div_q(&c->all_sets, at);

    cache_count_copies(c, c->way[at].tag - 1, -1);
    cache_set_at(c, set)[w] = 0;
    c->way[at] = (struct cache_way){0};
    move_in_order(c, set, w, true);
}

void cache_invalidate_line(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines -= c->way[at].dirty;
    invalidate_way(c, at);
}

void cache_drop(struct cache *c, gaddr_t from, uint64_t bytes)
{
    uint64_t first = from >> c->line_shift, last = (from + bytes - 1) >> c->line_shift;
    uint64_t lines = (uint64_t)c->all_sets.n * c->cfg.ways;

    if (bytes && last - first >= lines) {
        for (uint64_t i = lines; i-- > 0;)
            if (c->way[i].tag && c->way[i].tag - 1 >= first && c->way[i].tag - 1 <= last)
                cache_invalidate_line(c, &c->channel[div_r(&c->all_sets, i) / c->sets.n], i);
        return;
    }
    for (uint64_t line = first; bytes && line <= last; line++) {
        gaddr_t addr = line << c->line_shift;
        uint64_t at = cache_find(c, cache_set(c, addr), line);

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

/* Backwards, so that of the ways of a set the first is the first victim again. */
static void invalidate_clean_of_set(struct cache *c, uint32_t set)
{
    for (uint32_t n = c->order_at; n; n -= 8) {
        /* partial tags of valid lines */
        uint64_t m = partial_tags_at(cache_set_at(c, set) + n - 8) & UINT64_C(0x8080808080808080);

        while (m) {
            uint32_t k = 7 - (uint32_t)__builtin_clzll(m) / 8;
            uint64_t at = cache_way_at(c, set, n - 8 + k);

            m &= ~(UINT64_C(0x80) << 8 * k);
            if (!c->way[at].dirty)
                invalidate_way(c, at);
        }
    }
}

void cache_invalidate_clean(struct cache *c)
{
    uint32_t txns = cache_txns(c);

    for (uint32_t set = 0; set < c->all_sets.n; set++)
        invalidate_clean_of_set(c, set);
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
    uint32_t set = channel * c->sets.n + (uint32_t)(ch->writeback_at / c->cfg.ways);
    uint32_t w = (uint32_t)(ch->writeback_at % c->cfg.ways);

    if (!ch->dirty_lines)
        return false;
    while (ch->writeback_at < lines) {
        struct cache_way *way = &c->way[cache_way_at(c, set, w)];

        ch->writeback_at++;
        if (++w == c->cfg.ways) {
            w = 0;
            set++;
        }
        if (!way->tag || !way->dirty)
            continue;
        way->dirty = false;
        ch->dirty_lines--;
        *v = (struct cache_victim){(way->tag - 1) << c->line_shift, way->hint};
        return true;
    }
    return false;
}

bool cache_probe(const struct cache *c, gaddr_t addr, bool *dirty)
{
    uint64_t at = cache_find(c, cache_set(c, addr), addr >> c->line_shift);

    if (dirty)
        *dirty = at != CACHE_NO_WAY && c->way[at].dirty;
    return at != CACHE_NO_WAY;
}
