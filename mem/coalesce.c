/* Coalescing: the cache lines that the lanes of one access touch, with fast paths for consecutive and equal addresses.
 */
#include "mem/coalesce.h"

#include "mem/lanes.h"

#include <assert.h>

#define HASH_SLOTS 256

static uint32_t address_cycles(uint64_t exec, uint32_t lanes_per_cycle)
{
    uint32_t n = 0;

    for (uint32_t l = 0; l < COALESCE_LANES; l += lanes_per_cycle)
        n += (exec >> l & lane_mask(lanes_per_cycle)) != 0;
    return n;
}

/* All bytes of [lo, hi] are requested: the lines follow by arithmetic. */
static void span(gaddr_t lo, gaddr_t hi, uint32_t line_bytes, struct coalesced *out)
{
    gaddr_t first = lo & ~(gaddr_t)(line_bytes - 1);

    for (gaddr_t a = lo;;) {
        gaddr_t end = first + (line_bytes - 1);
        if (end > hi)
            end = hi;
        out->line[out->lines++] = (struct coalesce_line){a, (uint32_t)(end - a + 1)};
        if (end == hi)
            return;
        a = first = end + 1;
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

struct builder {
    struct coalesced *out;
    uint64_t mask[COALESCE_MAX_LINES]; /* granules of the line that are requested */
    uint64_t line[COALESCE_MAX_LINES];
    uint8_t slot[HASH_SLOTS]; /* line index + 1 */
    uint32_t last;            /* the line most recently touched */
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
    return b->last;
}

/* Bits from..to. */
static uint64_t granules(unsigned from, unsigned to)
{
    return ((UINT64_C(2) << (to - from)) - 1) << from;
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

static void gather(const gaddr_t *addr, uint64_t exec, uint32_t bytes, uint32_t line_bytes, struct coalesced *out)
{
    unsigned line_shift = (unsigned)__builtin_ctz(line_bytes);
    unsigned granule_shift = line_shift > 6 ? line_shift - 6 : 0;
    struct builder b;

    b.out = out;
    b.last = 0;
    memset(b.slot, 0, sizeof b.slot);
    for (uint64_t m = exec; m;) {
        unsigned first = (unsigned)__builtin_ctzll(m), n = run_length(addr + first, m >> first, bytes);
        gaddr_t lo = addr[first], hi = addr[first + n - 1] + (bytes - 1);
        unsigned from = (unsigned)lo & (line_bytes - 1);
        uint64_t line = lo >> line_shift;

        m = n < 64 - first ? m & ~UINT64_C(0) << (first + n) : 0;
        if (hi < lo)
            hi = UINT64_MAX;
        for (; line != hi >> line_shift; line++, from = 0)
            b.mask[line_index(&b, line)] |= granules(from >> granule_shift, (line_bytes - 1) >> granule_shift);
        b.mask[line_index(&b, line)] |=
            granules(from >> granule_shift, ((unsigned)hi & (line_bytes - 1)) >> granule_shift);
    }
    for (uint32_t i = 0; i < out->lines; i++) {
        uint32_t first = (uint32_t)__builtin_ctzll(b.mask[i]) << granule_shift;
        uint32_t n = mem_lane_count(b.mask[i]) << granule_shift;
        out->line[i] = (struct coalesce_line){(b.line[i] << line_shift) + first, n};
    }
}

void coalesce(const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes, uint32_t line_bytes,
              uint32_t lanes_per_cycle, struct coalesced *out)
{
    unsigned first, n;
    gaddr_t a, end;

    assert(bytes >= 1 && bytes <= COALESCE_MAX_BYTES && lanes_per_cycle);
    assert(line_bytes >= 16 && line_bytes <= 4096 && !(line_bytes & (line_bytes - 1)));
    out->lines = 0;
    out->address_cycles = address_cycles(exec, lanes_per_cycle);
    if (!exec)
        return;
    first = (unsigned)__builtin_ctzll(exec);
    a = addr[first];
    n = mem_lane_count(exec);
    /* the fast paths count exact bytes, of runs of neighbouring lanes that do not wrap around */
    if (exec >> first == lane_mask(n) && !__builtin_add_overflow(a, (uint64_t)n * bytes - 1, &end)) {
        if (has_stride(addr + first, n, bytes)) {
            span(a, end, line_bytes, out);
            return;
        }
        if (has_stride(addr + first, n, 0)) {
            span(a, a + bytes - 1, line_bytes, out);
            return;
        }
    }
    gather(addr, exec, bytes, line_bytes, out);
}
