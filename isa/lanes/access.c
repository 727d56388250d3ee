/* Moves the lanes' data of vector memory and LDS instructions between registers and host memory (isa/lanes/access.h).
 */
#include "isa/lanes/access.h"

#include <string.h>

#include "isa/lds_marks.h"
#include "isa/lds_order.h"

/* Host memory of lane l is at[l] + delta. */
static inline uint8_t *host_at(const struct lane_addr *at, unsigned l, uint64_t delta)
{
    return (uint8_t *)(uintptr_t)(at->a[l] + delta);
}

/* --- lanes <-> bytes, no checks ----------------------------------------------------------------------------------
 *
 * Two dwords of a lane move as one, as on hardware: waves that other host threads execute, and the host itself, see
 * both or neither. Look-back scans rely on it with a flag and a value in 64 bits.
 */

static inline uint32_t narrow_value(const uint8_t *p, unsigned convert)
{
    switch (convert) {
    case CONV_U8:
    case CONV_D16_U8:
    case CONV_D16_HI_U8:
        return *p;
    case CONV_I8:
        return (uint32_t)(int8_t)*p;
    case CONV_D16_I8:
    case CONV_D16_HI_I8:
        return (uint16_t)(int8_t)*p;
    case CONV_I16:
        return (uint32_t)(int16_t)load_u16(p);
    default:
        return load_u16(p);
    }
}

static inline bool is_d16_hi(unsigned convert)
{
    return convert == CONV_D16_HI_U8 || convert == CONV_D16_HI_I8 || convert == CONV_D16_HI_B16;
}

static inline bool is_d16(unsigned convert)
{
    return is_d16_hi(convert) || convert == CONV_D16_U8 || convert == CONV_D16_I8 || convert == CONV_D16_B16;
}

static void gather_dwords(const struct lane_addr *at, uint64_t delta, unsigned dwords, unsigned n, uint64_t active,
                          uint32_t *d)
{
    unsigned k = 0;

    for (; k + 2 <= dwords; k += 2)
        EACH_LANE(n, active, uint64_t v = load_u64(host_at(at, l, delta) + 4 * k); d[k * n + l] = (uint32_t)v;
                  d[(k + 1) * n + l] = (uint32_t)(v >> 32));
    if (k < dwords)
        EACH_LANE(n, active, d[k * n + l] = load_u32(host_at(at, l, delta) + 4 * k));
}

static inline void store_dwords(uint8_t *p, unsigned dwords, unsigned n, const uint32_t *s)
{
    unsigned k = 0;

    for (; k + 2 <= dwords; k += 2) {
        uint64_t v = s[k * n] | (uint64_t)s[(k + 1) * n] << 32;
        memcpy(p + 4 * k, &v, 8);
    }
    if (k < dwords)
        memcpy(p + 4 * k, &s[k * n], 4);
}

static void gather_narrow(const struct lane_addr *at, uint64_t delta, unsigned convert, unsigned n, uint64_t active,
                          bool keep, uint32_t *d)
{
    if (is_d16_hi(convert)) {
        uint32_t stay = keep ? 0xffff : 0;
        EACH_LANE(n, active, d[l] = (d[l] & stay) | narrow_value(host_at(at, l, delta), convert) << 16);
    } else {
        uint32_t stay = keep && is_d16(convert) ? 0xffff0000u : 0;
        EACH_LANE(n, active, d[l] = (d[l] & stay) | narrow_value(host_at(at, l, delta), convert));
    }
}

static void gather(const struct isa_wave *w, const struct isa_memop *m, const struct lane_addr *at, uint64_t delta,
                   uint64_t active, uint32_t *d)
{
    if (m->convert == CONV_DWORDS)
        gather_dwords(at, delta, m->bytes / 4, w->lanes, active, d);
    else
        gather_narrow(at, delta, m->convert, w->lanes, active, isa_has(w->target, FEAT_D16_MEM_KEEP), d);
}

static void scatter(const struct isa_wave *w, const struct isa_memop *m, const struct lane_addr *at, uint64_t delta,
                    uint64_t active, const uint32_t *s)
{
    unsigned n = w->lanes, dwords = m->bytes / 4,
             shift = m->convert == CONV_D16_HI_B16 || m->convert == CONV_D16_HI_U8 ? 16 : 0;

    /* lane by lane: where lanes overlap the highest one wins, with all of its dwords */
    if (m->convert == CONV_DWORDS && dwords == 1)
        EACH_LANE(n, active, memcpy(host_at(at, l, delta), &s[l], 4));
    else if (m->convert == CONV_DWORDS)
        EACH_LANE(n, active, store_dwords(host_at(at, l, delta), dwords, n, &s[l]));
    else if (m->bytes == 1)
        EACH_LANE(n, active, *host_at(at, l, delta) = (uint8_t)(s[l] >> shift));
    else
        EACH_LANE(n, active, uint16_t half = (uint16_t)(s[l] >> shift); memcpy(host_at(at, l, delta), &half, 2));
}

/* Lanes side by side in memory: one run of bytes. */
static inline void load_run_dwords(const uint8_t *p, unsigned dwords, unsigned n, uint32_t *d)
{
    for (unsigned l = 0; l < n; l++) {
        const uint8_t *at = p + l * dwords * 4;
        unsigned k = 0;

        for (; k + 2 <= dwords; k += 2) {
            uint64_t v = load_u64(at + 4 * k);
            d[k * n + l] = (uint32_t)v;
            d[(k + 1) * n + l] = (uint32_t)(v >> 32);
        }
        if (k < dwords)
            d[k * n + l] = load_u32(at + 4 * k);
    }
}

static inline void store_run_dwords(uint8_t *p, unsigned dwords, unsigned n, const uint32_t *s)
{
    for (unsigned l = 0; l < n; l++)
        store_dwords(p + l * dwords * 4, dwords, n, &s[l]);
}

static void load_run(const uint8_t *p, const struct isa_memop *m, unsigned n, uint32_t *d)
{
    n &= 96;
    switch (m->bytes) {
    case 4:
        memcpy(d, p, n * 4);
        break;
    case 8:
        load_run_dwords(p, 2, n, d);
        break;
    case 12:
        load_run_dwords(p, 3, n, d);
        break;
    default:
        load_run_dwords(p, 4, n, d);
        break;
    }
}

static void store_run(uint8_t *p, const struct isa_memop *m, unsigned n, const uint32_t *s)
{
    n &= 96;
    switch (m->bytes) {
    case 4:
        memcpy(p, s, n * 4);
        break;
    case 8:
        store_run_dwords(p, 2, n, s);
        break;
    case 12:
        store_run_dwords(p, 3, n, s);
        break;
    default:
        store_run_dwords(p, 4, n, s);
        break;
    }
}

/* --- where the lanes are ------------------------------------------------------------------------------------------ */

/* All lanes take part and lane l is at at[0] + l * step. */
static bool evenly(const struct lane_addr *at, unsigned n, uint64_t active, uint64_t step)
{
    uint64_t first = at->a[0], off = 0;

    if (active != lane_mask(n) || at->a[1] - first != step)
        return false;
    n &= 96;
    for (unsigned l = 0; l < n; l++)
        off |= (at->a[l] - first) ^ (l * step);
    return !off;
}

struct extent {
    uint64_t lo, hi;
};

static struct extent extent_of(const struct lane_addr *at, unsigned n, uint64_t active)
{
    struct extent x = {UINT64_MAX, 0};

    if (active == lane_mask(n)) {
        for (unsigned l = 0; l < (n & 96); l++)
            x.lo = at->a[l] < x.lo ? at->a[l] : x.lo;
        for (unsigned l = 0; l < (n & 96); l++)
            x.hi = at->a[l] > x.hi ? at->a[l] : x.hi;
        return x;
    }
    for (uint64_t left = active; left; left &= left - 1) {
        uint64_t a = at->a[__builtin_ctzll(left)];
        x.lo = a < x.lo ? a : x.lo;
        x.hi = a > x.hi ? a : x.hi;
    }
    return x;
}

static int memory_fault(struct isa_wave *w, unsigned lane, gaddr_t addr, unsigned bytes, bool write)
{
    return isa_fault(w, FAULT_MEMORY, (int)lane, addr, bytes, write, "lane %u %s %u byte%s at 0x%llx, %s", lane,
                     write ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", (unsigned long long)addr,
                     write ? "outside every writable allocation" : "outside every allocation");
}

static int align_fault(struct isa_wave *w, unsigned lane, gaddr_t addr, unsigned bytes, unsigned align, bool write,
                       const char *what)
{
    return isa_fault(w, FAULT_ALIGN, (int)lane, addr, bytes, write, "lane %u: %s at 0x%llx must be aligned to %u bytes",
                     lane, what, (unsigned long long)addr, align);
}

/* One range for all lanes: the distance from device to host addresses, else false. */
static bool common_range(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                         const struct lane_addr *at, uint64_t active, bool write, uint64_t *delta)
{
    struct extent x = extent_of(at, w->lanes, active);
    uint64_t span = x.hi - x.lo;

    if (span > UINT32_MAX - 64)
        return false;
    uint8_t *p = isa_host(w, env, range, x.lo, (uint32_t)span + m->bytes, write);
    *delta = (uint64_t)(uintptr_t)p - x.lo;
    return p != NULL;
}

/* --- device memory ----------------------------------------------------------------------------------------------- */

void isa_from_bytes(const struct isa_wave *w, const struct isa_memop *m, unsigned lane, const uint8_t *bytes,
                    uint32_t *d)
{
    struct lane_addr at;

    at.a[lane] = 0;
    gather(w, m, &at, (uint64_t)(uintptr_t)bytes, UINT64_C(1) << lane, d);
}

void isa_to_bytes(const struct isa_wave *w, const struct isa_memop *m, unsigned lane, const uint32_t *s, uint8_t *bytes)
{
    struct lane_addr at;

    at.a[lane] = 0;
    scatter(w, m, &at, (uint64_t)(uintptr_t)bytes, UINT64_C(1) << lane, s);
}

int isa_mem_load(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                 const struct lane_addr *at, uint64_t active, uint32_t *d)
{
    unsigned n = w->lanes;
    uint64_t delta;

    if (!active || isa_mem_load_pass(w, env, range, m, at, active, d))
        return ISA_OK;
    if (m->convert == CONV_DWORDS && evenly(at, n, active, m->bytes)) {
        const uint8_t *p = isa_host(w, env, range, at->a[0], n * m->bytes, false);
        if (p) {
            load_run(p, m, n, d);
            return ISA_OK;
        }
    }
    if (m->bytes == 4 && m->convert == CONV_DWORDS && evenly(at, n, active, 0)) {
        const uint8_t *p = isa_host(w, env, range, at->a[0], 4, false);
        if (p) {
            uint32_t v = load_u32(p);
            for (unsigned l = 0; l < (n & 96); l++)
                d[l] = v;
            return ISA_OK;
        }
    }
    if (common_range(w, env, range, m, at, active, false, &delta)) {
        gather(w, m, at, delta, active, d);
        return ISA_OK;
    }
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        const uint8_t *p = isa_host_or_slack(w, env, range, (int)l, at->a[l], m->bytes, false);
        if (!p)
            return memory_fault(w, l, at->a[l], m->bytes, false);
        gather(w, m, at, (uint64_t)(uintptr_t)p - at->a[l], UINT64_C(1) << l, d);
    }
    return ISA_OK;
}

int isa_mem_store(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                  const struct lane_addr *at, uint64_t active, const uint32_t *s)
{
    unsigned n = w->lanes;
    uint64_t delta;

    if (!active || isa_mem_store_pass(w, env, range, m, at, active, s))
        return ISA_OK;
    if (m->convert == CONV_DWORDS && evenly(at, n, active, m->bytes)) {
        uint8_t *p = isa_host(w, env, range, at->a[0], n * m->bytes, true);
        if (p) {
            store_run(p, m, n, s);
            return ISA_OK;
        }
    }
    if (common_range(w, env, range, m, at, active, true, &delta)) {
        scatter(w, m, at, delta, active, s);
        return ISA_OK;
    }
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        uint8_t *p = isa_host_or_slack(w, env, range, (int)l, at->a[l], m->bytes, true);
        if (!p)
            return memory_fault(w, l, at->a[l], m->bytes, true);
        scatter(w, m, at, (uint64_t)(uintptr_t)p - at->a[l], UINT64_C(1) << l, s);
    }
    return ISA_OK;
}

/* --- atomics ------------------------------------------------------------------------------------------------------ */

static inline uint64_t row_value(const uint32_t *row, unsigned bytes, unsigned n, unsigned l)
{
    return bytes == 8 ? row[l] | (uint64_t)row[n + l] << 32 : row[l];
}

static inline void put_value(uint32_t *row, unsigned bytes, unsigned n, unsigned l, uint64_t v)
{
    row[l] = (uint32_t)v;
    if (bytes == 8)
        row[n + l] = (uint32_t)(v >> 32);
}

/* Dwords and quadwords as such: a copy of some bytes of a wider word would have to leave the host's store queue before
 * the word is read. */
static inline uint64_t word_at(const uint8_t *p, unsigned bytes)
{
    uint64_t wide = 0;
    uint32_t v;

    if (bytes == 4) {
        memcpy(&v, p, sizeof v);
        return v;
    }
    memcpy(&wide, p, bytes == 8 ? sizeof wide : bytes);
    return wide;
}

static inline void put_word(uint8_t *p, unsigned bytes, uint64_t v)
{
    uint32_t low = (uint32_t)v;

    if (bytes == 4)
        memcpy(p, &low, sizeof low);
    else
        memcpy(p, &v, bytes == 8 ? sizeof v : bytes);
}

/* Waves of several host threads may meet here, so the body's result is put in place by compare-and-swap. Device
 * addresses are aligned; only a caller's own odd mapping leaves the host address misaligned, and such memory is not
 * shared between threads safely. */
uint64_t isa_rmw_shared(uint8_t *p, const struct isa_row *row, uint64_t data, uint64_t cmp)
{
    if (row->mem.bytes == 4 && !((uintptr_t)p & 3)) {
        uint32_t *q = (uint32_t *)(void *)p, old = __atomic_load_n(q, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(q, &old, (uint32_t)row->atomic(old, data, cmp), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
        return old;
    }
    if (row->mem.bytes == 8 && !((uintptr_t)p & 7)) {
        uint64_t *q = (uint64_t *)(void *)p, old = __atomic_load_n(q, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(q, &old, row->atomic(old, data, cmp), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
        return old;
    }
    uint64_t old = 0;
    memcpy(&old, p, row->mem.bytes);
    uint64_t fresh = row->atomic(old, data, cmp);
    memcpy(p, &fresh, row->mem.bytes);
    return old;
}

/* The same where nobody else can be there: without the host's lock, a third of the time. */
static inline uint64_t rmw_alone(uint8_t *p, const struct isa_row *row, uint64_t data, uint64_t cmp)
{
    uint64_t old = word_at(p, row->mem.bytes);

    put_word(p, row->mem.bytes, row->atomic(old, data, cmp));
    return old;
}

int isa_mem_atomic(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows)
{
    unsigned n = w->lanes, bytes = row->mem.bytes;

    if (__builtin_expect(w->lds_marks != NULL, 0))
        w->lds_marks->off |= rows.old != NULL; /* it may order what waves did to LDS before it */
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        if (at->a[l] & (bytes - 1))
            return align_fault(w, l, at->a[l], bytes, bytes, true, "an atomic");
        uint8_t *p = isa_host_or_slack(w, env, RANGE_VECTOR, (int)l, at->a[l], bytes, true);
        if (!p)
            return memory_fault(w, l, at->a[l], bytes, true);
        uint64_t data = row_value(rows.data, bytes, n, l), cmp = rows.cmp ? row_value(rows.cmp, bytes, n, l) : 0;
        uint64_t old =
            env->alone && w->range[RANGE_VECTOR].own ? rmw_alone(p, row, data, cmp) : isa_rmw_shared(p, row, data, cmp);
        if (rows.old)
            put_value(rows.old, bytes, n, l, old);
    }
    return ISA_OK;
}

/* --- LDS ---------------------------------------------------------------------------------------------------------- */

/* The lanes of `active` that lie inside LDS with all their bytes. The one place that knows of LDS accesses out of
 * bounds: a diagnostic of them belongs here. */
static uint64_t lds_inside(const struct isa_wave *w, uint32_t limit, const struct lane_addr *at, unsigned bytes,
                           uint64_t active)
{
    struct extent x = extent_of(at, w->lanes, active);
    uint64_t inside = 0;

    if (x.hi + bytes <= limit)
        return active;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        inside |= (uint64_t)(at->a[l] + bytes <= limit) << l;
    }
    return inside;
}

/* Without unaligned access mode (gfx8) an access needs the alignment of its dwords. */
static int lds_aligned(struct isa_wave *w, const struct lane_addr *at, unsigned bytes, uint64_t active, bool write)
{
    unsigned align = bytes < 4 ? bytes : 4;
    uint64_t low = 0;

    if (isa_has(w->target, FEAT_UNALIGNED))
        return ISA_OK;
    EACH_LANE(w->lanes, active, low |= at->a[l]);
    if (!(low & (align - 1)))
        return ISA_OK;
    EACH_LANE(w->lanes, active,
              if (at->a[l] & (align - 1)) return align_fault(w, l, at->a[l], bytes, align, write, "an LDS access"));
    return ISA_OK;
}

static void zero_lanes(const struct isa_wave *w, const struct isa_memop *m, uint64_t lanes, uint32_t *d)
{
    static const uint8_t zeros[16];
    struct lane_addr none;

    for (unsigned l = 0; l < w->lanes; l++)
        none.a[l] = 0;
    gather(w, m, &none, (uint64_t)(uintptr_t)zeros, lanes, d);
}

/* All lanes side by side and inside: the usual case, checked first. */
static bool lds_run(const struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                    uint64_t active)
{
    return m->convert == CONV_DWORDS && evenly(at, w->lanes, active, m->bytes) &&
           at->a[w->lanes - 1] + m->bytes <= limit && !(at->a[0] & 3);
}

int isa_lds_load(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                 uint64_t active, uint32_t *d)
{
    if (lds_run(w, limit, m, at, active)) {
        if (__builtin_expect(isa_lds_leaves_reads(w), 0))
            isa_lds_mark_run(w, m, at, LDS_USE_READ, NULL);
        load_run(w->lds + at->a[0], m, w->lanes, d);
        return ISA_OK;
    }
    uint64_t inside = active ? lds_inside(w, limit, at, m->bytes, active) : 0;
    if (lds_aligned(w, at, m->bytes, active, false))
        return ISA_FAULT;
    if (__builtin_expect(isa_lds_leaves_reads(w), 0))
        isa_lds_mark(w, m, at, inside, LDS_USE_READ, NULL);
    gather(w, m, at, (uint64_t)(uintptr_t)w->lds, inside, d);
    if (inside != active)
        zero_lanes(w, m, active & ~inside, d);
    return ISA_OK;
}

int isa_lds_store(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                  uint64_t active, const uint32_t *s)
{
    if (lds_run(w, limit, m, at, active)) {
        if (__builtin_expect(w->lds_marks != NULL, 0))
            isa_lds_mark_run(w, m, at, LDS_USE_WRITE, s);
        store_run(w->lds + at->a[0], m, w->lanes, s);
        return ISA_OK;
    }
    uint64_t inside = active ? lds_inside(w, limit, at, m->bytes, active) : 0;
    if (lds_aligned(w, at, m->bytes, active, true))
        return ISA_FAULT;
    if (__builtin_expect(w->lds_marks != NULL, 0))
        isa_lds_mark(w, m, at, inside, LDS_USE_WRITE, s);
    scatter(w, m, at, (uint64_t)(uintptr_t)w->lds, inside, s);
    return ISA_OK;
}

/* Floats of `bits` bits without their denormals, if MODE's `allow` bit (1 in, 2 out) is off. */
static uint64_t lds_flush(const struct isa_wave *w, unsigned bits, unsigned allow, uint64_t v)
{
    uint64_t keep = UINT64_MAX;

    if (bits == 32 && !(w->mode.denorm32 & allow) && !(v & 0x7f800000))
        keep = 0x80000000;
    for (unsigned at = 0; bits == 16 && at < 32; at += 16)
        if (!(w->mode.denorm64 & allow) && !(v >> at & 0x7c00))
            keep &= ~(UINT64_C(0x7fff) << at);
    return v & keep;
}

/* The waves of a workgroup run on one host thread. */
static inline uint64_t lds_rmw(const struct isa_wave *w, const struct isa_row *row, uint8_t *p, uint64_t data,
                               uint64_t cmp)
{
    unsigned bytes = row->mem.bytes, denorm = row->mem.denorm;
    uint64_t old = word_at(p, bytes), fresh;

    if (denorm)
        fresh = lds_flush(w, denorm, 2, row->atomic(lds_flush(w, denorm, 1, old), lds_flush(w, denorm, 1, data), cmp));
    else
        fresh = row->atomic(old, data, cmp);
    put_word(p, bytes, fresh);
    return old;
}

int isa_lds_atomic(struct isa_wave *w, uint32_t limit, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows)
{
    unsigned n = w->lanes, bytes = row->mem.bytes;
    uint64_t inside = active ? lds_inside(w, limit, at, bytes, active) : 0;

    if (__builtin_expect(w->lds_marks != NULL, 0)) {
        isa_lds_mark(w, &row->mem, at, inside, LDS_USE_ATOMIC, NULL);
        w->lds_marks->off |= rows.old != NULL; /* it may order what others did before it */
    }
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        uint64_t old = 0;
        if (at->a[l] & (bytes - 1))
            return align_fault(w, l, at->a[l], bytes, bytes, true, "an LDS atomic");
        if (inside >> l & 1) {
            uint64_t cmp = rows.cmp ? row_value(rows.cmp, bytes, n, l) : 0;
            old = lds_rmw(w, row, w->lds + at->a[l], row_value(rows.data, bytes, n, l), cmp);
        }
        if (rows.old)
            put_value(rows.old, bytes, n, l, old);
    }
    return ISA_OK;
}

uint64_t isa_lds_dma_lanes(const struct isa_wave *w, int32_t offset, unsigned bytes, struct lane_addr *at)
{
    /* as many bits of M0 as reach the end of LDS */
    uint32_t reach = w->lds_bytes > 0x10000 ? 0x3ffff : 0xffff;
    int64_t base = (int64_t)(w->s[w->target->code_m0] & reach) + offset;
    uint64_t lanes = 0;

    for (unsigned l = 0; l < w->lanes; l++) {
        int64_t a = (base + bytes * l) & ~INT64_C(3);
        at->a[l] = (uint64_t)a;
        lanes |= (uint64_t)(a >= 0 && a + bytes <= w->lds_bytes) << l;
    }
    return lanes & w->exec;
}

static int land(struct isa_wave *w, const struct isa_env *env, const struct isa_lds_copy *c)
{
    struct lane_addr at;
    (void)env;

    for (unsigned l = 0; l < w->lanes; l++)
        at.a[l] = c->at[l];
    return c->lanes ? isa_lds_store(w, w->lds_bytes, &c->op, &at, c->lanes, c->data) : ISA_OK;
}

int isa_copy_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_memop *m, const struct lane_addr *at,
                    uint64_t lanes, const uint32_t *s)
{
    struct isa_lds_copy *c = w->lds_order ? isa_lds_copy_new(w, i) : NULL;

    if (!c)
        return lanes ? isa_lds_store(w, w->lds_bytes, m, at, lanes, s) : ISA_OK;
    c->land = land;
    c->op = *m;
    c->lanes = lanes;
    if (lanes) {
        struct extent x = extent_of(at, w->lanes, lanes);

        c->lo = (uint32_t)x.lo;
        c->hi = (uint32_t)x.hi + m->bytes;
    }
    for (unsigned l = 0; l < w->lanes; l++)
        c->at[l] = (uint32_t)at->a[l];
    memcpy(c->data, s, (size_t)((m->bytes + 3) / 4) * w->lanes * sizeof *s);
    return ISA_OK;
}

/* --- scratch ------------------------------------------------------------------------------------------------------ */

static int scratch_bounds(struct isa_wave *w, const struct lane_addr *at, unsigned bytes, uint64_t active, bool write)
{
    struct extent x = extent_of(at, w->lanes, active);

    if (x.hi + bytes <= w->scratch_bytes)
        return ISA_OK;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        if (at->a[l] + bytes <= w->scratch_bytes)
            continue;
        isa_fault(w, FAULT_MEMORY, (int)l, at->a[l], bytes, write,
                  "lane %u %s %u bytes at private offset 0x%llx of %u bytes of scratch", l, write ? "writes" : "reads",
                  bytes, (unsigned long long)at->a[l], w->scratch_bytes);
        w->fault.in_scratch = true;
        return ISA_FAULT;
    }
    return ISA_OK;
}

/* No lane's access straddles a dword other than at dword boundaries. */
static bool scratch_simple(const struct isa_wave *w, const struct lane_addr *at, unsigned bytes, uint64_t active)
{
    uint64_t low = 0;

    EACH_LANE(w->lanes, active, low |= at->a[l]);
    return !(low & ((bytes < 4 ? bytes : 4) - 1));
}

static void scratch_addresses(const struct isa_wave *w, const struct lane_addr *at, uint32_t more,
                              struct lane_addr *out)
{
    for (unsigned l = 0; l < w->lanes; l++)
        out->a[l] = scratch_address(w, l, (uint32_t)at->a[l] + more);
}

/* The rows of an offset that is the same in every active lane, which is how the stack is mostly used: dword k of the
 * lanes is row k. Null when it is not so, or not in one range. */
static uint8_t *scratch_rows(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m,
                             const struct lane_addr *at, uint64_t active, bool write)
{
    unsigned n = w->lanes & 96;
    uint64_t off = at->a[__builtin_ctzll(active)], differ = 0;

    for (unsigned l = 0; l < n; l++)
        differ |= (at->a[l] ^ off) & (uint64_t)(int64_t)(int32_t)w->mask[l];
    if (m->convert != CONV_DWORDS || differ || (off & 3) || off + m->bytes > w->scratch_bytes)
        return NULL;
    return isa_host(w, env, RANGE_SCRATCH, scratch_address(w, 0, (uint32_t)off), m->bytes * n, write);
}

static const struct isa_memop one_dword = {.bytes = 4, .convert = CONV_DWORDS};

/* A misaligned access, byte by byte through a lane's window. */
static int scratch_bytes_of_lane(struct isa_wave *w, const struct isa_env *env, unsigned l, uint32_t off,
                                 unsigned bytes, bool write, uint8_t *window)
{
    for (unsigned k = 0; k < bytes; k++) {
        gaddr_t addr = scratch_address(w, l, off + k);
        uint8_t *p = isa_host(w, env, RANGE_SCRATCH, addr, 1, write);
        if (!p)
            return memory_fault(w, l, addr, 1, write);
        if (write)
            *p = window[k];
        else
            window[k] = *p;
    }
    return ISA_OK;
}

int isa_scratch_load(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m,
                     const struct lane_addr *at, uint64_t active, uint32_t *d)
{
    struct lane_addr dev;

    if (!active)
        return ISA_OK;
    const uint8_t *rows = active == w->exec ? scratch_rows(w, env, m, at, active, false) : NULL;
    if (rows) {
        for (unsigned k = 0; k < m->bytes / 4; k++)
            for (unsigned l = 0; l < (w->lanes & 96); l++)
                d[k * w->lanes + l] =
                    (load_u32(rows + (k * w->lanes + l) * 4) & w->mask[l]) | (d[k * w->lanes + l] & ~w->mask[l]);
        return ISA_OK;
    }
    if (scratch_bounds(w, at, m->bytes, active, false))
        return ISA_FAULT;
    if (!scratch_simple(w, at, m->bytes, active)) {
        uint8_t window[16];
        for (uint64_t left = active; left; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctzll(left);
            if (scratch_bytes_of_lane(w, env, l, (uint32_t)at->a[l], m->bytes, false, window))
                return ISA_FAULT;
            gather(w, m, at, (uint64_t)(uintptr_t)window - at->a[l], UINT64_C(1) << l, d);
        }
        return ISA_OK;
    }
    if (m->convert != CONV_DWORDS) {
        scratch_addresses(w, at, 0, &dev);
        return isa_mem_load(w, env, RANGE_SCRATCH, m, &dev, active, d);
    }
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        scratch_addresses(w, at, 4 * k, &dev);
        if (isa_mem_load(w, env, RANGE_SCRATCH, &one_dword, &dev, active, d + k * w->lanes))
            return ISA_FAULT;
    }
    return ISA_OK;
}

int isa_scratch_store(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m,
                      const struct lane_addr *at, uint64_t active, const uint32_t *s)
{
    struct lane_addr dev;

    if (!active)
        return ISA_OK;
    uint8_t *rows = active == w->exec ? scratch_rows(w, env, m, at, active, true) : NULL;
    if (rows) {
        /* the other lanes' words are theirs alone, and nobody else runs them: writing them back unchanged is safe */
        for (unsigned k = 0; k < m->bytes / 4; k++)
            for (unsigned l = 0; l < (w->lanes & 96); l++) {
                uint8_t *p = rows + (k * w->lanes + l) * 4;
                uint32_t v = (s[k * w->lanes + l] & w->mask[l]) | (load_u32(p) & ~w->mask[l]);
                memcpy(p, &v, 4);
            }
        return ISA_OK;
    }
    if (scratch_bounds(w, at, m->bytes, active, true))
        return ISA_FAULT;
    if (!scratch_simple(w, at, m->bytes, active)) {
        uint8_t window[16];
        for (uint64_t left = active; left; left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctzll(left);
            scatter(w, m, at, (uint64_t)(uintptr_t)window - at->a[l], UINT64_C(1) << l, s);
            if (scratch_bytes_of_lane(w, env, l, (uint32_t)at->a[l], m->bytes, true, window))
                return ISA_FAULT;
        }
        return ISA_OK;
    }
    if (m->convert != CONV_DWORDS) {
        scratch_addresses(w, at, 0, &dev);
        return isa_mem_store(w, env, RANGE_SCRATCH, m, &dev, active, s);
    }
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        scratch_addresses(w, at, 4 * k, &dev);
        if (isa_mem_store(w, env, RANGE_SCRATCH, &one_dword, &dev, active, s + k * w->lanes))
            return ISA_FAULT;
    }
    return ISA_OK;
}

/* A lane's private memory is its own: no other lane can interfere, and a 64-bit value lies in two places. */
int isa_scratch_atomic(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row,
                       const struct lane_addr *at, uint64_t active, struct atomic_rows rows)
{
    unsigned n = w->lanes, bytes = row->mem.bytes;

    if (!active)
        return ISA_OK;
    if (scratch_bounds(w, at, bytes, active, true))
        return ISA_FAULT;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        uint32_t off = (uint32_t)at->a[l];
        uint8_t window[8] = {0};
        uint64_t old, cmp = rows.cmp ? row_value(rows.cmp, bytes, n, l) : 0;
        if (off & (bytes - 1))
            return align_fault(w, l, off, bytes, bytes, true, "an atomic on private memory");
        if (scratch_bytes_of_lane(w, env, l, off, bytes, false, window))
            return ISA_FAULT;
        memcpy(&old, window, sizeof old);
        uint64_t fresh = row->atomic(old, row_value(rows.data, bytes, n, l), cmp);
        memcpy(window, &fresh, sizeof fresh);
        if (scratch_bytes_of_lane(w, env, l, off, bytes, true, window))
            return ISA_FAULT;
        if (rows.old)
            put_value(rows.old, bytes, n, l, old);
    }
    return ISA_OK;
}
