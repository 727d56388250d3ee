/* Moves the lanes' data of vector memory instructions between registers and host memory (isa/lanes/access.h). LDS and
 * scratch are lds_access.c and scratch_access.c.
 */
#include "isa/lanes/atomic_pass.h"
#include "isa/lds_marks.h"

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

/* Waves of several host threads may meet here. Device addresses are aligned; only a caller's own odd mapping leaves the
 * host address misaligned, and such memory is not shared between threads safely. */
uint64_t isa_rmw_shared(uint8_t *p, const struct isa_row *row, uint64_t data, uint64_t cmp)
{
    if ((row->mem.bytes == 4 || row->mem.bytes == 8) && !((uintptr_t)p & (row->mem.bytes - 1u)))
        return shared_word(row->atomic->one, p, row->mem.bytes, data, cmp);
    uint64_t old = 0;
    memcpy(&old, p, row->mem.bytes);
    uint64_t fresh = row->atomic->one(old, data, cmp);
    memcpy(p, &fresh, row->mem.bytes);
    return old;
}

/* All lanes in one range, aligned on the device and on the host. */
static bool atomic_pass(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row,
                        const struct lane_addr *at, uint64_t active, struct atomic_rows rows)
{
    unsigned bytes = row->mem.bytes;
    uint64_t low = 0, delta;

    if (!active || (bytes != 4 && bytes != 8) ||
        !common_range(w, env, RANGE_VECTOR, &row->mem, at, active, true, &delta))
        return false;
    EACH_LANE(w->lanes, active, low |= at->a[l]);
    if ((low | delta) & (bytes - 1))
        return false;
    row->atomic->lanes(&(const struct isa_atomic_pass){.at = at,
                                                       .delta = delta,
                                                       .active = active,
                                                       .rows = rows,
                                                       .n = w->lanes,
                                                       .bytes = bytes,
                                                       .shared = !env->alone || !w->range[RANGE_VECTOR].own});
    return true;
}

int isa_mem_atomic(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows)
{
    unsigned n = w->lanes, bytes = row->mem.bytes;

    if (__builtin_expect(w->lds_marks != NULL, 0))
        w->lds_marks->off |= rows.old != NULL; /* it may order what waves did to LDS before it */
    if (atomic_pass(w, env, row, at, active, rows))
        return ISA_OK;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        if (at->a[l] & (bytes - 1))
            return align_fault(w, l, at->a[l], bytes, bytes, true, "an atomic");
        uint8_t *p = isa_host_or_slack(w, env, RANGE_VECTOR, (int)l, at->a[l], bytes, true);
        if (!p)
            return memory_fault(w, l, at->a[l], bytes, true);
        uint64_t data = row_value(rows.data, bytes, n, l), cmp = rows.cmp ? row_value(rows.cmp, bytes, n, l) : 0;
        uint64_t old = isa_rmw_shared(p, row, data, cmp);
        if (rows.old)
            put_value(rows.old, bytes, n, l, old);
    }
    return ISA_OK;
}
