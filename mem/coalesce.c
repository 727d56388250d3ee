/* Coalescing: the cache lines that the lanes of one access touch and the cycles in which they are looked up, with fast
 * paths for consecutive and equal addresses.
 */
#include "mem/coalesce.h"

#include "mem/lanes.h"

#include <assert.h>

#define HASH_SLOTS 256

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t address_cycles(uint64_t exec, uint32_t lanes_per_cycle)
{
    uint32_t n = 0;

    for (uint32_t l = 0; l < COALESCE_LANES; l += lanes_per_cycle)
        n += (exec >> l & lane_mask(lanes_per_cycle)) != 0;
    return n;
}

/* How a group of lanes is dealt to the pipelines. */
struct deal {
    uint32_t group;  /* lanes */
    uint32_t width;  /* lanes of a step: one for each pipeline */
    uint32_t part;   /* neighbouring lanes of one pipeline that may be one address; 1: steps of neighbouring lanes */
    uint32_t reach;  /* bytes that one address covers */
    uint32_t window; /* steps whose conflicts are resolved together */
};

static struct deal deal_of(const struct coalesce_shape *s, uint32_t bytes)
{
    struct deal d = {.group = s->lanes_per_cycle,
                     .width = s->pipelines && s->pipelines < s->lanes_per_cycle ? s->pipelines : s->lanes_per_cycle,
                     .reach = larger(s->pipeline_bytes, bytes),
                     .window = s->window};

    d.part = d.group / d.width;
    if (d.part * bytes > d.reach)
        d.part = 1;
    return d;
}

/* ---- consecutive and equal addresses ---- */

/* All bytes of [lo, hi] are requested: the lines follow by arithmetic. */
static void span(gaddr_t lo, gaddr_t hi, uint32_t line_bytes, struct coalesced *out)
{
    gaddr_t first = lo & ~(gaddr_t)(line_bytes - 1);

    for (gaddr_t a = lo;;) {
        gaddr_t end = first + (line_bytes - 1);
        if (end > hi)
            end = hi;
        out->line[out->lines++] = (struct coalesce_line){a, (uint32_t)(end - a + 1), 0};
        if (end == hi)
            return;
        a = first = end + 1;
    }
}

static uint32_t touched(gaddr_t lo, gaddr_t hi, uint32_t unit)
{
    return (uint32_t)(hi / unit - lo / unit + 1);
}

static uint32_t divide_up(uint32_t n, uint32_t by)
{
    return (n + by - 1) / by;
}

/* ---- lookups as counters have them ---- */

enum { QUAD_LANES = 4 };

/* Whether each quad of lanes looks its lines up for itself, also where several do in a cycle. */
static bool by_quads(const struct deal *d, uint32_t bytes)
{
    return bytes > 4 && d->part > 1;
}

/* Lines that each quad touches. */
static uint32_t quad_lookups(const gaddr_t *addr, uint64_t exec, uint32_t bytes, unsigned line_shift)
{
    uint32_t sum = 0;

    for (unsigned q = 0; q < COALESCE_LANES; q += QUAD_LANES) {
        uint64_t line[2 * QUAD_LANES];
        uint32_t n = 0;

        for (uint64_t m = exec >> q & lane_mask(QUAD_LANES); m; m &= m - 1) {
            gaddr_t a = addr[q + (unsigned)__builtin_ctzll(m)];

            for (unsigned end = 0; end < 2; end++) {
                uint64_t at = (a + (end ? bytes - 1 : 0)) >> line_shift;
                uint32_t k = 0;

                while (k < n && line[k] != at)
                    k++;
                line[k] = at;
                n += k == n;
            }
        }
        sum += n;
    }
    return sum;
}

/* ---- consecutive and equal addresses, their time ---- */

/* The cycles of lanes first .. first + n - 1, which are `stride` bytes apart from address a on: as many as they have
 * bytes, or none. Their lines are there already. */
static void time_run(const struct coalesce_shape *s, gaddr_t a, unsigned first, unsigned n, uint32_t stride,
                     uint32_t bytes, struct coalesced *out)
{
    struct deal d = deal_of(s, bytes);
    uint32_t chunk = d.part > 1 ? d.group : d.width * d.window, at = 0, next = 0;

    for (unsigned l = first, stop; l < first + n; l = stop) {
        unsigned end = (l / d.group + 1) * d.group;

        stop = l / d.group * d.group + (l % d.group / chunk + 1) * chunk;
        stop = stop > end ? end : stop;
        stop = stop > first + n ? first + n : stop;
        gaddr_t lo = a + (gaddr_t)(l - first) * stride, hi = a + (gaddr_t)(stop - 1 - first) * stride + (bytes - 1);
        uint32_t cycles = d.part > 1 ? 1 : (stop - 1) / d.width - l / d.width + 1;

        for (; next < out->lines && out->line[next].addr <= hi; next++)
            out->line[next].cycle = at + (touched(lo, out->line[next].addr, s->line_bytes) - 1) / s->tag_banks;
        cycles = larger(cycles, divide_up(touched(lo, hi, s->line_bytes), s->tag_banks));
        out->lookups += by_quads(&d, bytes) ? 0 : touched(lo, hi, s->line_bytes);
        at += larger(cycles, divide_up(touched(lo, hi, 4), s->data_banks));
    }
    out->lookup_cycles = at;
    for (unsigned l = first, stop; by_quads(&d, bytes) && l < first + n; l = stop) {
        stop = (l / QUAD_LANES + 1) * QUAD_LANES;
        stop = stop > first + n ? first + n : stop;
        out->lookups += touched(a + (gaddr_t)(l - first) * stride,
                                a + (gaddr_t)(stop - 1 - first) * stride + (bytes - 1), s->line_bytes);
    }
}

/* Whether lanes 0..n-1 are `stride` bytes apart. The loop has no early exit, so that it vectorizes. */
static bool has_stride(const gaddr_t *addr, unsigned n, uint64_t stride)
{
    uint64_t diff = 0;

    for (unsigned i = 0; i < n; i++)
        diff |= addr[i] ^ (addr[0] + i * stride);
    return !diff;
}

/* ---- any addresses ---- */

/* What waits in one window for each bank. The dwords of a lane are in as many banks. */
struct queues {
    uint32_t lines[COALESCE_MAX_BANKS], dwords[COALESCE_MAX_BANKS];
    uint64_t dword[COALESCE_MAX_BANKS][COALESCE_LANES];
    uint32_t longest;
};

struct builder {
    struct coalesced *out;
    const struct coalesce_shape *shape;
    unsigned line_shift, granule_shift;
    uint64_t mask[COALESCE_MAX_LINES]; /* granules of the line that are requested */
    uint64_t line[COALESCE_MAX_LINES];
    uint32_t window[COALESCE_MAX_LINES]; /* the last in which it was looked up */
    uint8_t slot[HASH_SLOTS];            /* line index + 1 */
    uint32_t last;                       /* the line most recently touched */
    uint32_t windows, now;
    struct queues *queues; /* null: no banks */
};

static uint32_t line_index(struct builder *b, uint64_t line)
{
    uint32_t h;

    if (b->out->lines && b->line[b->last] == line)
        return b->last;
    for (h = (uint32_t)hash64(line, 8);; h = (h + 1) % HASH_SLOTS) {
        if (!b->slot[h])
            break;
        if (b->line[b->slot[h] - 1] == line)
            return b->last = b->slot[h] - 1u;
    }
    b->last = b->out->lines++;
    b->slot[h] = (uint8_t)(b->last + 1);
    b->line[b->last] = line;
    b->mask[b->last] = 0;
    b->window[b->last] = 0;
    b->out->line[b->last].cycle = 0;
    return b->last;
}

/* Bits from..to. */
static uint64_t granules(unsigned from, unsigned to)
{
    return ((UINT64_C(2) << (to - from)) - 1) << from;
}

/* A line is looked up in this window, once. */
static void look_up(struct builder *b, uint32_t i)
{
    struct queues *q = b->queues;
    uint32_t *n;

    if (!q || b->window[i] == b->windows)
        return;
    n = &q->lines[b->line[i] & (b->shape->tag_banks - 1)];
    if (!b->window[i])
        b->out->line[i].cycle = b->now + *n;
    b->window[i] = b->windows;
    b->out->lookups++;
    q->longest = larger(q->longest, ++*n);
}

static void read_dword(struct builder *b, uint64_t dword)
{
    struct queues *q = b->queues;
    uint32_t bank = (uint32_t)dword & (b->shape->data_banks - 1), n = q->dwords[bank];

    for (uint32_t k = 0; k < n; k++)
        if (q->dword[bank][k] == dword)
            return;
    q->dword[bank][n] = dword;
    q->dwords[bank] = n + 1;
    q->longest = larger(q->longest, n + 1);
}

/* Bytes lo to hi are requested; hi < lo: to the end of the address space. */
static void touch(struct builder *b, gaddr_t lo, gaddr_t hi)
{
    uint32_t line_bytes = b->shape->line_bytes;
    unsigned from = (unsigned)lo & (line_bytes - 1);
    uint64_t line = lo >> b->line_shift;
    uint32_t i;

    if (hi < lo)
        hi = UINT64_MAX;
    for (; line != hi >> b->line_shift; line++, from = 0) {
        i = line_index(b, line);
        b->mask[i] |= granules(from >> b->granule_shift, (line_bytes - 1) >> b->granule_shift);
        look_up(b, i);
    }
    i = line_index(b, line);
    b->mask[i] |= granules(from >> b->granule_shift, ((unsigned)hi & (line_bytes - 1)) >> b->granule_shift);
    look_up(b, i);
    if (b->queues)
        for (uint64_t w = lo / 4; w <= hi / 4; w++)
            read_dword(b, w);
}

/* The number of lanes, from the first on, whose bytes follow those of the lane before or are the same. */
static inline unsigned run_length(const gaddr_t *addr, uint64_t exec, uint32_t bytes)
{
    unsigned n = 1;

    /* a run does not wrap around the end of the address space */
    while (n < COALESCE_LANES && exec >> n & 1 && (addr[n] == addr[n - 1] || addr[n] == addr[n - 1] + bytes) &&
           addr[n] >= addr[n - 1])
        n++;
    return n;
}

/* Whether the active lanes of a part are one address. */
static bool is_one_address(const struct deal *d, const gaddr_t *addr, uint64_t active, uint32_t bytes)
{
    gaddr_t least = UINT64_MAX, most = 0;

    for (uint64_t m = active; m; m &= m - 1) {
        gaddr_t a = addr[__builtin_ctzll(m)];
        least = a < least ? a : least;
        most = a > most ? a : most;
    }
    return active && most - least <= d->reach - bytes;
}

/* The lanes of step `k` of a group. A part that is one address (by its first lane in `whole`) is there in step 0 alone;
 * of another each step has the next active lane. */
static uint64_t step_lanes(const struct deal *d, uint64_t active, uint64_t whole, uint32_t k)
{
    uint64_t lanes = 0;

    if (d->part == 1)
        return active & lane_mask(d->width) << k * d->width;
    for (uint32_t p = 0; p < d->group; p += d->part) {
        uint64_t m = active & lane_mask(d->part) << p;

        if (whole >> p & 1) {
            lanes |= k ? 0 : m;
            continue;
        }
        for (uint32_t skip = k; skip && m; skip--)
            m &= m - 1;
        lanes |= m & -m;
    }
    return lanes;
}

static void touch_lanes(struct builder *b, const gaddr_t *addr, uint64_t lanes, uint32_t bytes)
{
    for (uint64_t m = lanes; m;) {
        unsigned first = (unsigned)__builtin_ctzll(m), n = run_length(addr + first, m >> first, bytes);

        m = n < 64 - first ? m & ~UINT64_C(0) << (first + n) : 0;
        touch(b, addr[first], addr[first + n - 1] + (bytes - 1));
    }
}

/* The steps of a group in windows. */
static void serve_group(struct builder *b, const struct deal *d, const gaddr_t *addr, uint64_t active, uint32_t bytes)
{
    uint32_t steps = d->part == 1 ? d->group / d->width : d->part;
    struct queues *q = b->queues;
    uint64_t whole = 0;

    for (uint32_t p = 0; d->part > 1 && p < d->group; p += d->part)
        whole |= (uint64_t)is_one_address(d, addr, active & lane_mask(d->part) << p, bytes) << p;
    for (uint32_t k = 0; k < steps; k += d->window) {
        uint32_t taken = 0;

        memset(q->lines, 0, b->shape->tag_banks * sizeof q->lines[0]);
        memset(q->dwords, 0, b->shape->data_banks * sizeof q->dwords[0]);
        q->longest = 0;
        b->windows++;
        for (uint32_t n = k; n < k + d->window && n < steps; n++) {
            uint64_t lanes = step_lanes(d, active, whole, n);

            taken += lanes != 0;
            touch_lanes(b, addr, lanes, bytes);
        }
        b->now += larger(taken, q->longest);
    }
}

static void build(const gaddr_t *addr, uint64_t exec, uint32_t bytes, const struct coalesce_shape *s,
                  struct coalesced *out)
{
    struct builder b;
    struct queues queues;

    b.out = out;
    b.shape = s;
    b.line_shift = (unsigned)__builtin_ctz(s->line_bytes);
    b.granule_shift = b.line_shift > 6 ? b.line_shift - 6 : 0;
    b.last = b.windows = b.now = 0;
    b.queues = s->pipelines ? &queues : NULL;
    memset(b.slot, 0, sizeof b.slot);
    if (!s->pipelines) {
        touch_lanes(&b, addr, exec, bytes);
        out->lookups = out->lines;
    } else {
        struct deal d = deal_of(s, bytes);

        for (uint32_t l = 0; l < COALESCE_LANES; l += d.group)
            if (exec >> l & lane_mask(d.group))
                serve_group(&b, &d, addr + l, exec >> l & lane_mask(d.group), bytes);
        out->lookup_cycles = b.now;
        if (by_quads(&d, bytes))
            out->lookups = quad_lookups(addr, exec, bytes, b.line_shift);
    }
    for (uint32_t i = 0; i < out->lines; i++) {
        uint32_t first = (uint32_t)__builtin_ctzll(b.mask[i]) << b.granule_shift;

        out->line[i].addr = (b.line[i] << b.line_shift) + first;
        out->line[i].bytes = mem_lane_count(b.mask[i]) << b.granule_shift;
    }
}

/* ---- answers given before ---- */

/* Bytes after which lines and banks come round, a power of two. */
static gaddr_t period_of(const struct coalesce_shape *s)
{
    return s->pipelines ? larger(s->line_bytes * s->tag_banks, 4 * s->data_banks) : s->line_bytes;
}

/* Whether lanes 0..n-1 are so far from lane 0. No early exit, so that it vectorizes. */
static bool has_distances(const gaddr_t *addr, unsigned n, const gaddr_t *distance)
{
    uint64_t diff = 0;

    for (unsigned i = 0; i < n; i++)
        diff |= (addr[i] - addr[0]) ^ distance[i];
    return !diff;
}

/* build(), remembered. exec: lanes 0..n-1. */
static void build_known(struct coalesce_memo *memo, const gaddr_t *addr, uint64_t exec, unsigned n, uint32_t bytes,
                        const struct coalesce_shape *s, struct coalesced *out)
{
    gaddr_t place = addr[0] & (period_of(s) - 1), reach = 0;
    /* stores ask for the same addresses in two shapes */
    struct coalesce_known *k = &memo->known[(hash64(place, 4) + (s->pipelines != 0)) % COALESCE_MEMO_ENTRIES];

    if (k->shape == s && k->place == place && k->exec == exec && k->bytes == bytes && addr[0] <= INT64_MAX &&
        has_distances(addr, n, k->distance)) {
        out->lines = k->lines;
        out->lookup_cycles = k->lookup_cycles;
        out->lookups = k->lookups;
        for (uint32_t i = 0; i < k->lines; i++) {
            out->line[i] = k->line[i];
            out->line[i].addr += addr[0];
        }
        return;
    }
    build(addr, exec, bytes, s, out);
    for (unsigned i = 0; i < n; i++)
        reach |= addr[i] - addr[0];
    /* nothing wraps around, wherever it begins below */
    if (out->lines > COALESCE_MEMO_LINES || reach > UINT32_MAX || addr[0] > INT64_MAX)
        return;
    *k = (struct coalesce_known){.shape = s, .exec = exec, .bytes = bytes, .place = place};
    k->lines = out->lines;
    k->lookup_cycles = out->lookup_cycles;
    k->lookups = out->lookups;
    for (unsigned i = 0; i < n; i++)
        k->distance[i] = addr[i] - addr[0];
    for (uint32_t i = 0; i < out->lines; i++) {
        k->line[i] = out->line[i];
        k->line[i].addr -= addr[0];
    }
}

void coalesce_known(struct coalesce_memo *memo, const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes,
                    const struct coalesce_shape *s, struct coalesced *out)
{
    unsigned first, n;
    gaddr_t a, end;

    assert(bytes >= 1 && bytes <= COALESCE_MAX_BYTES && s->lanes_per_cycle);
    assert(s->line_bytes >= 16 && s->line_bytes <= 4096 && !(s->line_bytes & (s->line_bytes - 1)));
    assert(!s->pipelines || (s->window && s->tag_banks && s->tag_banks <= COALESCE_MAX_BANKS &&
                             s->data_banks >= COALESCE_MIN_DATA_BANKS && s->data_banks <= COALESCE_MAX_BANKS));
    out->lines = out->lookups = 0;
    out->address_cycles = out->lookup_cycles = address_cycles(exec, s->lanes_per_cycle);
    if (!exec)
        return;
    first = (unsigned)__builtin_ctzll(exec);
    a = addr[first];
    n = mem_lane_count(exec);
    /* the fast paths count exact bytes, of runs of neighbouring lanes that do not wrap around */
    if (exec >> first == lane_mask(n) && !__builtin_add_overflow(a, (uint64_t)n * bytes - 1, &end)) {
        bool runs = has_stride(addr + first, n, bytes);

        if (runs || has_stride(addr + first, n, 0)) {
            span(a, runs ? end : a + (bytes - 1), s->line_bytes, out);
            if (s->pipelines)
                time_run(s, a, first, n, runs ? bytes : 0, bytes, out);
            else
                out->lookups = out->lines;
            return;
        }
    }
    if (memo && exec == lane_mask(n))
        build_known(memo, addr, exec, n, bytes, s, out);
    else
        build(addr, exec, bytes, s, out);
}

void coalesce(const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes, const struct coalesce_shape *s,
              struct coalesced *out)
{
    coalesce_known(NULL, addr, exec, bytes, s, out);
}
