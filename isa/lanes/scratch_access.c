/* Accesses of the lanes to scratch, whose bytes of neighbouring lanes lie dword by dword (isa/lanes/access.h). */
#include "isa/lanes/lane_bytes.h"

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
        uint64_t fresh = row->atomic->one(old, row_value(rows.data, bytes, n, l), cmp);
        memcpy(window, &fresh, sizeof fresh);
        if (scratch_bytes_of_lane(w, env, l, off, bytes, true, window))
            return ISA_FAULT;
        if (rows.old)
            put_value(rows.old, bytes, n, l, old);
    }
    return ISA_OK;
}
