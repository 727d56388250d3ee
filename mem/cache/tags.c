#include "mem/cache/internal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* Eight marks, the first in the lowest byte. */
static inline uint64_t marks_at(const struct cache *c, uint64_t first)
{
    uint64_t v;

    memcpy(&v, c->mark + first, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The ways from `w` on, of the set at `base`, that have a mark: MARK_BITS for each of MARK_STEP, the highest of them
 * set (and may be, above the first such). Those past the last way are other lines'. */
#ifdef __SSE2__
#define MARK_STEP 16
#define MARK_BITS 1
static inline uint32_t with_mark(const struct cache *c, uint64_t base, uint32_t w, uint8_t mark)
{
    __m128i marks = _mm_loadu_si128((const __m128i *)(c->mark + base + w));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(marks, _mm_set1_epi8((char)mark)));
}
#else
#define MARK_STEP 8
#define MARK_BITS 8
static inline uint64_t with_mark(const struct cache *c, uint64_t base, uint32_t w, uint8_t mark)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t v = marks_at(c, base + w) ^ mark * ones;

    return (v - ones) & ~v & ones << 7;
}
#endif

uint64_t cache_find(const struct cache *c, uint64_t base, uint64_t line)
{
    uint8_t mark = cache_mark(line);

    for (uint32_t w = 0; w < c->cfg.ways; w += MARK_STEP)
        for (uint64_t m = with_mark(c, base, w, mark); m; m &= m - 1) {
            uint32_t at = w + (uint32_t)__builtin_ctzll(m) / MARK_BITS;

            if (at < c->cfg.ways && c->way[base + at].tag == line + 1)
                return base + at;
        }
    return CACHE_NO_WAY;
}

/* The order in which the ways of a set were used is a ring from the next to go to the last used: its first byte names
 * the former, two more for each way the neighbours on either side, as steps away from those of a ring 0, 1, 2, ... So
 * memory that nobody has touched is a ring too. */
uint32_t cache_order_bytes(uint32_t ways)
{
    uint32_t bytes = 1 + 2 * ways;

    /* as few lines of the host's memory as can be */
    return bytes > 64 ? (bytes + 63) / 64 * 64 : 1u << (32 - __builtin_clz(bytes - 1));
}

static uint32_t wrapped(const struct cache *c, uint32_t w)
{
    return w < c->ways.n ? w : w - c->ways.n;
}

static uint32_t newer(const struct cache *c, const uint8_t *order, uint32_t w)
{
    return wrapped(c, w + 1 + order[1 + w]);
}

static uint32_t older(const struct cache *c, const uint8_t *order, uint32_t w)
{
    return wrapped(c, wrapped(c, w + order[1 + c->ways.n + w]) + c->ways.n - 1);
}

/* Way b comes right after way a. */
static void join(const struct cache *c, uint8_t *order, uint32_t a, uint32_t b)
{
    uint32_t n = c->ways.n;

    order[1 + a] = (uint8_t)wrapped(c, b + n - 1 - a);
    order[1 + n + b] = (uint8_t)wrapped(c, wrapped(c, a + n - b) + 1);
}

static void unlink_way(const struct cache *c, uint8_t *order, uint32_t w)
{
    join(c, order, older(c, order, w), newer(c, order, w));
}

static void link_before(const struct cache *c, uint8_t *order, uint32_t w, uint32_t next)
{
    uint32_t before = older(c, order, next);

    join(c, order, before, w);
    join(c, order, w, next);
}

/* Makes a way the last used, or the next to go, which is the same place of the ring. */
static void move(const struct cache *c, uint64_t at, bool next_to_go)
{
    uint8_t *order = cache_order(c, at);
    uint32_t w = (uint32_t)div_r(&c->ways, at), first = order[0];

    if (w == first) {
        order[0] = (uint8_t)(next_to_go ? w : newer(c, order, w));
        return;
    }
    if (newer(c, order, w) != first) {
        unlink_way(c, order, w);
        link_before(c, order, w, first);
    }
    if (next_to_go)
        order[0] = (uint8_t)w;
}

/* Invalid ways are the first of the ring. The first of them has got a line and shall be the next to go once the others
 * have one: it takes its place behind them. */
static void line_up(const struct cache *c, uint64_t base)
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
    move(c, at, false);
}

void cache_set_dirty(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines += !c->way[at].dirty;
    c->way[at].dirty = true;
}

/* Makes room for a line and puts it there, clean and empty. True when a dirty line had to go: the caller writes it
 * back. A streamed line takes over the victim's place in the replacement order, and so is the next to go. */
bool cache_install(struct cache *c, struct cache_channel *ch, uint64_t base, uint64_t line, bool stream,
                   struct mem_hint hint, uint64_t *at, struct cache_victim *dirty_victim, cycle_t now)
{
    uint64_t i = base + *cache_order(c, base);
    struct cache_way *w = &c->way[i];
    bool taken = w->tag, dirty = taken && w->dirty;

    if (taken)
        cache_count_eviction(c, i, now);
    if (dirty) {
        *dirty_victim = (struct cache_victim){(w->tag - 1) << c->line_shift, w->hint};
        ch->dirty_lines--;
    }
    if (taken)
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
    else if (!taken)
        line_up(c, base);
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
        c->way[at].have = UINT32_MAX;
    }
}

/* Its way is the next to be taken. */
static void drop(struct cache *c, uint64_t at)
{
    cache_count_for_peers(c, c->way[at].tag - 1, -1);
    c->mark[at] = 0;
    c->way[at] = (struct cache_way){0};
    move(c, at, true);
}

void cache_drop(struct cache *c, struct cache_channel *ch, uint64_t at)
{
    ch->dirty_lines -= c->way[at].dirty;
    drop(c, at);
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

    /* backwards: of a set's ways the first to go is then the first again */
    for (uint64_t n = (lines + 7) / 8 * 8; n; n -= 8) {
        /* marks of lines that are there; behind the last one there are none */
        uint64_t m = marks_at(c, n - 8) & UINT64_C(0x8080808080808080);

        while (m) {
            uint32_t k = 7 - (uint32_t)__builtin_clzll(m) / 8;
            uint64_t i = n - 8 + k;

            m &= ~(UINT64_C(0x80) << 8 * k);
            if (!c->way[i].dirty)
                drop(c, i);
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
