/* Translates the cache bits of each generation into one canonical hint, scope and temporal hint, after LLVM 19's
 * AMDGPUUsage memory models and SIMemoryLegalizer.
 *
 * gfx8, gfx9, gfx90a: glc of a load or store misses vL1D ("no persistence across wavefronts"), which is what every
 *     scope wider than the CU asks for; slc streams in L2.
 * gfx942: sc0, sc1 spell the scope (atomics: sc1 alone, sc0 asks for the old value), nt streams.
 * gfx10: glc misses L0, dlc GL1 as well; slc lets L0 and GL1 forget and L2 stream.
 * gfx11: glc misses L0 and GL1; slc as gfx10; dlc keeps the line out of MALL.
 * gfx12: scope and temporal hint as they are. The numbers of enum mem_temporal are those of TH; what 3 and 7 mean
 *     depends on the operation: 3 last use (load), write-back to memory (store), bypass (both, with scope SYS);
 *     7 the write-back of a non-temporal store (reserved for loads). Atomics have bits: return, non-temporal, cascade.
 */
#include <assert.h>

#include "isa/decode/parts.h"

static struct mem_hint gfx12_hint(const struct isa_inst *i)
{
    struct mem_hint h = {.scope = i->u.mem.scope};

    if (i->row->mem.op == MEM_ATOMIC)
        h.temporal = i->u.mem.th & 2 ? TH_NT : TH_RT;
    else
        h.temporal = i->u.mem.th;
    assert(h.scope <= SCOPE_SYS && h.temporal <= TH_WB);
    return h;
}

struct mem_hint isa_cache_hint(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_membits *m = &i->u.mem;
    struct mem_hint h = {SCOPE_CU, TH_RT};
    bool atomic = i->row->mem.op == MEM_ATOMIC;

    if (t->layout == LAYOUT_GFX12)
        return gfx12_hint(i);
    h.temporal = m->slc ? TH_NT : TH_RT;
    if (isa_has(t, FEAT_SC_BITS)) {
        if (atomic)
            h.scope = m->scc ? SCOPE_SYS : SCOPE_DEV;
        else
            h.scope = (uint8_t)(m->scc << 1 | m->glc);
        return h;
    }
    /* performed at L2; glc only asks for the old value */
    bool glc = m->glc && !atomic;
    if (t->layout == LAYOUT_GFX11) {
        h.scope = glc || atomic ? SCOPE_DEV : SCOPE_CU;
        h.temporal = m->slc ? (m->dlc ? TH_NT : TH_NT_RT) : m->dlc ? TH_RT_NT : TH_RT;
        return h;
    }
    if (isa_has(t, FEAT_CU_MODE_WGP)) {
        h.scope = atomic || m->dlc ? SCOPE_DEV : glc ? SCOPE_SE : SCOPE_CU;
        /* MALL takes no advice from these */
        h.temporal = m->slc ? TH_NT_RT : TH_RT;
        return h;
    }
    h.scope = atomic || glc ? SCOPE_DEV : SCOPE_CU;
    return h;
}
