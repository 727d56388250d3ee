/* Cache bits to canonical hints. Sources: LLVM 19 AMDGPUUsage memory models (gfx8..gfx11 glc/slc/dlc, gfx942
 * sc0/sc1/nt), hardware.md section 8 (gfx12 scope and TH). */
#include "isa/decode.h"

static struct mem_hint gfx12_hint(const struct isa_inst *i)
{
    /* loads: RT NT HT LU NT_RT RT_NT NT_HT; stores have RT_WB for LU and NT_WB last */
    static const uint8_t load[8] = {TH_RT, TH_NT, TH_HT, TH_LU, TH_NT_RT, TH_RT_NT, TH_NT_HT, TH_NT};
    static const uint8_t store[8] = {TH_RT, TH_NT, TH_HT, TH_WB, TH_NT_RT, TH_RT_NT, TH_NT_HT, TH_WB};
    struct mem_hint h = {.scope = i->u.mem.scope};

    if (i->row->mem.op == MEM_ATOMIC)
        h.temporal = i->u.mem.th & 2 ? TH_NT : TH_RT; /* bit 0: return, bit 1: non-temporal, bit 2: cascade */
    else
        h.temporal = i->row->mem.op == MEM_STORE ? store[i->u.mem.th & 7] : load[i->u.mem.th & 7];
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
    if (isa_node_under(t->node, N_GFX942)) {
        /* sc0 (glc bit; on atomics: return) and sc1 (scc bit) spell the scope */
        unsigned sc0 = atomic ? 0 : m->glc;
        h.scope = (uint8_t)(m->scc ? (sc0 ? SCOPE_SYS : SCOPE_DEV) : sc0 ? SCOPE_SE : SCOPE_CU);
        return h;
    }
    if (atomic)
        h.scope = SCOPE_DEV; /* performed at L2; glc only asks for the old value */
    else if (m->dlc)
        h.scope = SCOPE_DEV; /* gfx10/11: dlc misses GL1 too */
    else if (m->glc)
        h.scope = isa_has(t, FEAT_CU_MODE_WGP) ? SCOPE_SE : SCOPE_DEV;
    return h;
}
