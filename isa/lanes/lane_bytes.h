/* Lanes' data and bytes of the host: where the lanes are, how each conversion moves them, and what a lane that is
 * nowhere faults with. For the files compiled per variant that implement access.h.
 */
#ifndef GCNSIM_ISA_LANE_BYTES_H
#define GCNSIM_ISA_LANE_BYTES_H

#include <string.h>

#include "isa/lanes/access.h"

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

static inline bool is_d16_hi(unsigned convert)
{
    return convert == CONV_D16_HI_U8 || convert == CONV_D16_HI_I8 || convert == CONV_D16_HI_B16;
}

static inline bool is_d16(unsigned convert)
{
    return is_d16_hi(convert) || convert == CONV_D16_U8 || convert == CONV_D16_I8 || convert == CONV_D16_B16;
}

static inline bool is_signed(unsigned convert)
{
    return convert == CONV_I8 || convert == CONV_I16 || convert == CONV_D16_I8 || convert == CONV_D16_HI_I8;
}

/* All lanes take part and lane l is at at[0] + l * step. */
static inline bool evenly(const struct lane_addr *at, unsigned n, uint64_t active, uint64_t step)
{
    uint64_t first = at->a[0], off = 0;

    if (active != lane_mask(n) || at->a[1] - first != step)
        return false;
    n &= 96;
    for (unsigned l = 0; l < n; l++)
        off |= (at->a[l] - first) ^ (l * step);
    return !off;
}

static inline void gather_dwords(const struct lane_addr *at, uint64_t delta, unsigned dwords, unsigned n,
                                 uint64_t active, uint32_t *d)
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

/* Bytes or halves of memory, with zeros above them. Lanes side by side are read as one run. */
static inline void raw_narrow(const struct lane_addr *at, uint64_t delta, unsigned bytes, unsigned n, uint64_t active,
                              uint32_t *raw)
{
    const uint8_t *p = host_at(at, 0, delta);

    n &= 96;
    if (bytes == 1 && evenly(at, n, active, 1))
        for (unsigned l = 0; l < n; l++)
            raw[l] = p[l];
    else if (bytes == 1)
        EACH_LANE(n, active, raw[l] = *host_at(at, l, delta));
    else if (evenly(at, n, active, 2))
        for (unsigned l = 0; l < n; l++)
            raw[l] = load_u16(p + 2 * l);
    else
        EACH_LANE(n, active, raw[l] = load_u16(host_at(at, l, delta)));
}

/* What the register holds then; keep: D16 loads leave the other half. */
static inline void gather_narrow(const struct lane_addr *at, uint64_t delta, unsigned convert, unsigned bytes,
                                 unsigned n, uint64_t active, bool keep, uint32_t *d)
{
    const uint32_t stay = !keep || !is_d16(convert) ? 0 : is_d16_hi(convert) ? 0xffff : 0xffff0000u;
    const uint32_t half = is_d16(convert) ? 0xffff : UINT32_MAX;
    const uint32_t sign = !is_signed(convert) ? 0 : bytes == 1 ? 0x80 : 0x8000;
    const unsigned up = is_d16_hi(convert) ? 16 : 0;
    _Alignas(64) uint32_t raw[64];

    raw_narrow(at, delta, bytes, n, active, raw);
    if (active == lane_mask(n))
        for (unsigned l = 0; l < (n & 96); l++)
            d[l] = (d[l] & stay) | (((raw[l] ^ sign) - sign) & half) << up;
    else
        EACH_LANE(n, active, d[l] = (d[l] & stay) | (((raw[l] ^ sign) - sign) & half) << up);
}

static inline void gather(const struct isa_wave *w, const struct isa_memop *m, const struct lane_addr *at,
                          uint64_t delta, uint64_t active, uint32_t *d)
{
    if (m->convert == CONV_DWORDS)
        gather_dwords(at, delta, m->bytes / 4, w->lanes, active, d);
    else
        gather_narrow(at, delta, m->convert, m->bytes, w->lanes, active, isa_has(w->target, FEAT_D16_MEM_KEEP), d);
}

/* of lanes side by side */
static inline void store_bytes(uint8_t *restrict p, unsigned n, const uint32_t *restrict s, unsigned shift)
{
    for (unsigned l = 0; l < n; l++)
        p[l] = (uint8_t)(s[l] >> shift);
}

static inline void store_halves(uint8_t *restrict p, unsigned n, const uint32_t *restrict s, unsigned shift)
{
    for (unsigned l = 0; l < n; l++) {
        uint16_t half = (uint16_t)(s[l] >> shift);
        memcpy(p + 2 * l, &half, 2);
    }
}

static inline void scatter(const struct isa_wave *w, const struct isa_memop *m, const struct lane_addr *at,
                           uint64_t delta, uint64_t active, const uint32_t *s)
{
    unsigned n = w->lanes, dwords = m->bytes / 4,
             shift = m->convert == CONV_D16_HI_B16 || m->convert == CONV_D16_HI_U8 ? 16 : 0;

    /* lane by lane: where lanes overlap the highest one wins, with all of its dwords */
    if (m->convert == CONV_DWORDS && dwords == 1)
        EACH_LANE(n, active, memcpy(host_at(at, l, delta), &s[l], 4));
    else if (m->convert == CONV_DWORDS)
        EACH_LANE(n, active, store_dwords(host_at(at, l, delta), dwords, n, &s[l]));
    else if (m->bytes == 1 && evenly(at, n, active, 1))
        store_bytes(host_at(at, 0, delta), n & 96, s, shift);
    else if (m->bytes == 1)
        EACH_LANE(n, active, *host_at(at, l, delta) = (uint8_t)(s[l] >> shift));
    else if (evenly(at, n, active, 2))
        store_halves(host_at(at, 0, delta), n & 96, s, shift);
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

static inline void load_run(const uint8_t *p, const struct isa_memop *m, unsigned n, uint32_t *d)
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

static inline void store_run(uint8_t *p, const struct isa_memop *m, unsigned n, const uint32_t *s)
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

struct extent {
    uint64_t lo, hi;
};

static inline struct extent extent_of(const struct lane_addr *at, unsigned n, uint64_t active)
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

static inline int memory_fault(struct isa_wave *w, unsigned lane, gaddr_t addr, unsigned bytes, bool write)
{
    return isa_fault(w, FAULT_MEMORY, (int)lane, addr, bytes, write, "lane %u %s %u byte%s at 0x%llx, %s", lane,
                     write ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", (unsigned long long)addr,
                     write ? "outside every writable allocation" : "outside every allocation");
}

static inline int align_fault(struct isa_wave *w, unsigned lane, gaddr_t addr, unsigned bytes, unsigned align,
                              bool write, const char *what)
{
    return isa_fault(w, FAULT_ALIGN, (int)lane, addr, bytes, write, "lane %u: %s at 0x%llx must be aligned to %u bytes",
                     lane, what, (unsigned long long)addr, align);
}

/* One range for all lanes: the distance from device to host addresses, else false. */
static inline bool common_range(struct isa_wave *w, const struct isa_env *env, unsigned range,
                                const struct isa_memop *m, const struct lane_addr *at, uint64_t active, bool write,
                                uint64_t *delta)
{
    struct extent x = extent_of(at, w->lanes, active);
    uint64_t span = x.hi - x.lo;

    if (span > UINT32_MAX - 64)
        return false;
    uint8_t *p = isa_host(w, env, range, x.lo, (uint32_t)span + m->bytes, write);
    *delta = (uint64_t)(uintptr_t)p - x.lo;
    return p != NULL;
}

/* Values of atomics. */

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

#endif
