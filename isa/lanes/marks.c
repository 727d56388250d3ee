/* Marks the dwords of LDS that the lanes of an instruction access (isa/lds_marks.h). */
#include "isa/lds_marks.h"

#include <string.h>

#include "isa/lanes/access.h"

/* What an access leaves, and which marks of others it races with: maps, a bit each. */
struct manner {
    uint8_t map, against;
    bool write;
};

enum { READS_PART = LDS_USES, WRITES_PART };
enum {
    R = 1 << LDS_MAP_READ,
    W = 1 << LDS_MAP_WRITTEN,
    A = 1 << LDS_MAP_ATOMIC,
    PR = 1 << LDS_MAP_PART_READ,
    PW = 1 << LDS_MAP_PART_WRITTEN,
};

static const struct manner manners[] = {
    [LDS_USE_READ] = {LDS_MAP_READ, W | A | PW, false},
    [LDS_USE_WRITE] = {LDS_MAP_WRITTEN, R | W | A | PR | PW, true},
    [LDS_USE_ATOMIC] = {LDS_MAP_ATOMIC, R | W | PR | PW, true},
    [READS_PART] = {LDS_MAP_PART_READ, W | A, false},
    [WRITES_PART] = {LDS_MAP_PART_WRITTEN, R | W | A, true},
};

static uint8_t owner_of(const struct isa_wave *w)
{
    return (uint8_t)(w->wave_in_group + 1);
}

static void widen(struct isa_lds_marks *m, const struct manner *how, uint8_t me, uint64_t lo, uint64_t hi)
{
    m->used |= (uint8_t)(1u << how->map);
    m->wrote |= how->write;
    m->reads_only = m->reads_only && !how->write;
    m->owner = !m->owner || m->owner == me ? me : LDS_MARK_SEVERAL;
    m->lo = lo / 4 < m->lo ? (uint32_t)(lo / 4) : m->lo;
    m->hi = (hi + 3) / 4 > m->hi ? (uint32_t)((hi + 3) / 4) : m->hi;
}

static inline void leave(uint8_t *mark, uint8_t me)
{
    *mark = *mark == 0 || *mark == me ? me : LDS_MARK_SEVERAL;
}

/* Whether others have left marks in `dwords` dwords from `first` on that an access in this manner races with. */
static inline unsigned meets(const struct isa_lds_marks *m, const struct manner *how, uint8_t me, uint64_t first,
                             unsigned dwords)
{
    unsigned met = 0, maps = m->used & how->against;

    for (unsigned k = 0; k < LDS_MAPS; k++)
        for (unsigned d = 0; d < dwords && maps >> k & 1; d++)
            met |= (m->map[k][first + d] != 0) & (m->map[k][first + d] != me);
    return met;
}

/* Whether the dword at byte `at` keeps its value when dword k of lane l, or the part of a dword, is stored. */
static bool is_silent(const struct isa_wave *w, const struct isa_memop *op, const uint32_t *s, unsigned l, unsigned k,
                      uint64_t at)
{
    unsigned bytes = op->bytes < 4 ? op->bytes : 4;
    bool high = op->convert == CONV_D16_HI_B16 || op->convert == CONV_D16_HI_U8;
    uint32_t v = s[(size_t)k * w->lanes + l] >> (high ? 16 : 0), old = 0;

    memcpy(&old, w->lds + at, bytes);
    return !((v ^ old) & (bytes < 4 ? (1u << 8 * bytes) - 1 : UINT32_MAX));
}

/* Looks closer at lanes whose dwords have marks of others. */
static void judge(struct isa_wave *w, const struct manner *how, uint8_t me, const struct isa_memop *op,
                  const struct lane_addr *at, uint64_t lanes, const uint32_t *s)
{
    struct isa_lds_marks *m = w->lds_marks;
    unsigned dwords = op->bytes < 4 ? 1 : op->bytes / 4;

    for (; lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctzll(lanes);

        for (unsigned k = 0; k < dwords; k++) {
            uint64_t a = at->a[l] + 4 * k;
            if (!meets(m, how, me, a / 4, 1) || (s && is_silent(w, op, s, l, k, a)))
                continue;
            m->found = true;
            m->found_write = how->write;
            m->found_lane = (int)l;
            m->found_offset = (uint32_t)a & ~3u;
            m->found_pc = w->inst_pc;
            return;
        }
    }
}

static bool looks(const struct isa_lds_marks *m, const struct manner *how, uint8_t me)
{
    return !m->off && !m->found && m->owner && m->owner != me && (how->write || m->wrote);
}

static const struct manner *manner_of(const struct isa_memop *op, enum isa_lds_use use)
{
    if (op->bytes >= 4 || use == LDS_USE_ATOMIC)
        return &manners[use];
    return &manners[use == LDS_USE_READ ? READS_PART : WRITES_PART];
}

void isa_lds_mark_run(struct isa_wave *w, const struct isa_memop *op, const struct lane_addr *at, enum isa_lds_use use,
                      const uint32_t *s)
{
    struct isa_lds_marks *m = w->lds_marks;
    const struct manner *how = &manners[use];
    uint64_t first = at->a[0] / 4;
    unsigned dwords = op->bytes / 4 * w->lanes;
    uint8_t me = owner_of(w), *map = m->map[how->map] + first;

    if (looks(m, how, me) && meets(m, how, me, first, dwords))
        judge(w, how, me, op, at, lane_mask(w->lanes), s);
    widen(m, how, me, at->a[0], at->a[0] + 4 * dwords);
    for (unsigned d = 0; d < dwords; d++)
        leave(&map[d], me);
}

void isa_lds_mark(struct isa_wave *w, const struct isa_memop *op, const struct lane_addr *at, uint64_t lanes,
                  enum isa_lds_use use, const uint32_t *s)
{
    struct isa_lds_marks *m = w->lds_marks;
    const struct manner *how = manner_of(op, use);
    uint64_t lo = UINT64_MAX, hi = 0, low = 0, met = 0;
    unsigned n = w->lanes, dwords = op->bytes < 4 ? 1 : op->bytes / 4;
    uint8_t me = owner_of(w), *map = m->map[how->map];

    if (!lanes)
        return;
    EACH_LANE(n, lanes, lo = at->a[l] < lo ? at->a[l] : lo; hi = at->a[l] > hi ? at->a[l] : hi; low |= at->a[l]);
    if (op->bytes >= 4 && low & 3) {
        m->off = true; /* parts of dwords, which marks do not tell apart */
        return;
    }
    if (looks(m, how, me)) {
        EACH_LANE(n, lanes, met |= (uint64_t)(meets(m, how, me, at->a[l] / 4, dwords) != 0) << l);
        judge(w, how, me, op, at, met, s);
    }
    widen(m, how, me, lo, hi + op->bytes);
    EACH_LANE(n, lanes, for (unsigned d = 0; d < dwords; d++) leave(&map[at->a[l] / 4 + d], me));
}
