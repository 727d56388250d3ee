/* The table of cache hints: rows that say which action an access takes at each level, by generation, operation, scope
 * and temporal hint; and the features of each generation's cache control. */
#include "mem/cache/policy.h"

#include <assert.h>

#define G(x)   (1u << MEM_GEN_##x)
#define ALL    (~0u)
#define GCN    (G(GFX8) | G(GFX9) | G(GFX90A))
#define CDNA3  (G(GFX942) | G(GFX950))
#define RDNA   (G(GFX10) | G(GFX11) | G(GFX12))
#define OP(x)  (1u << MEM_##x)
#define LV(x)  (1u << LEVEL_##x)
#define S(x)   (1u << SCOPE_##x)
#define SE_UP  (S(SE) | S(DEV) | S(SYS))
#define DEV_UP (S(DEV) | S(SYS))
#define ANY    (~0u)
#define T(x)   (1u << TH_##x)

/* TH 3 and 7 have a meaning of their own for each operation (policy.h). */
#define T_LAST_USE T(LU)
#define T_RT_WB    T(LU)
#define T_NT_WB    T(WB)
#define T_BYPASS   T(LU)

struct policy_row {
    uint32_t gens, ops, scopes, temporals, levels;
    enum mem_action action;
};

/* Later rows override earlier ones. */
static const struct policy_row rows[] = {
    /* Reuse in the near caches and L2. On gfx8 to gfx90a slc alone has no effect on vL1D. */
    {GCN, OP(LOAD) | OP(STORE) | OP(ATOMIC), ANY, T(NT), LV(L2), MEM_ACT_STREAM},
    {CDNA3, OP(LOAD) | OP(STORE), ANY, T(NT), LV(VL0), MEM_ACT_STREAM},
    {CDNA3, OP(LOAD) | OP(STORE) | OP(ATOMIC), ANY, T(NT), LV(L2), MEM_ACT_STREAM},
    {G(GFX10) | G(GFX11), OP(LOAD), ANY, T(NT) | T(NT_RT), LV(VL0) | LV(GL1), MEM_ACT_HIT_EVICT},
    {G(GFX10) | G(GFX11), OP(STORE), ANY, T(NT) | T(NT_RT), LV(VL0), MEM_ACT_STREAM},
    {G(GFX10) | G(GFX11), OP(LOAD) | OP(STORE) | OP(ATOMIC), ANY, T(NT) | T(NT_RT), LV(L2), MEM_ACT_STREAM},
    {G(GFX12), OP(LOAD), ANY, T(NT) | T(NT_RT) | T(NT_HT), LV(VL0) | LV(GL1) | LV(L2), MEM_ACT_STREAM},
    {G(GFX12), OP(SCALAR), ANY, T(NT) | T(NT_RT) | T(NT_HT), LV(K) | LV(GL1) | LV(L2), MEM_ACT_STREAM},
    {G(GFX12), OP(LOAD), ANY, T_LAST_USE, LV(VL0) | LV(GL1), MEM_ACT_HIT_EVICT},
    {G(GFX12), OP(SCALAR), ANY, T_LAST_USE, LV(K) | LV(GL1), MEM_ACT_HIT_EVICT},
    {G(GFX12), OP(LOAD) | OP(SCALAR), ANY, T_LAST_USE, LV(L2), MEM_ACT_STREAM},
    {G(GFX12), OP(STORE), ANY, T(NT) | T(NT_RT) | T(NT_HT) | T_NT_WB, LV(VL0) | LV(L2), MEM_ACT_STREAM},
    {G(GFX12), OP(ATOMIC), ANY, T(NT), LV(L2), MEM_ACT_STREAM},

    /* Reuse in MALL. */
    {G(GFX11) | G(GFX12), OP(LOAD) | OP(STORE) | OP(SCALAR), ANY, T(NT) | T(RT_NT), LV(MALL), MEM_ACT_NO_ALLOC},
    {G(GFX12), OP(LOAD) | OP(SCALAR), ANY, T_LAST_USE, LV(MALL), MEM_ACT_NO_ALLOC},
    {G(GFX12), OP(STORE), ANY, T_RT_WB | T_NT_WB, LV(MALL), MEM_ACT_WRITE_THROUGH},

    /* Scope of loads. A workgroup lives on one CU (no TgSplit), on RDNA on the two of a WGP. */
    {GCN | RDNA, OP(LOAD), SE_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {CDNA3, OP(LOAD), DEV_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {RDNA, OP(LOAD) | OP(SCALAR), DEV_UP, ANY, LV(GL1), MEM_ACT_MISS_EVICT},
    {ALL, OP(SCALAR), SE_UP, ANY, LV(K), MEM_ACT_MISS_EVICT},

    /* Scope of stores: a store for a wider scope than the CU leaves no copy in the first cache. */
    {GCN | G(GFX10) | G(GFX11), OP(STORE), SE_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {CDNA3, OP(STORE), DEV_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {CDNA3 | G(GFX12), OP(STORE), S(SYS), ANY, LV(L2), MEM_ACT_WRITE_THROUGH},

    /* Read-only caches let stores pass. */
    {ALL, OP(STORE), ANY, ANY, LV(K) | LV(GL1), MEM_ACT_BYPASS},
    /* Atomics are executed at L2, those of system scope beyond it, so no level above may keep the line. */
    {ALL, OP(ATOMIC), ANY, ANY, LV(VL0) | LV(GL1) | LV(K), MEM_ACT_BYPASS},
    {CDNA3 | G(GFX12), OP(ATOMIC), S(SYS), ANY, LV(L2) | LV(MALL), MEM_ACT_BYPASS},

    {G(GFX12), OP(LOAD) | OP(STORE), S(SYS), T_BYPASS, LV(VL0) | LV(GL1) | LV(L2) | LV(MALL), MEM_ACT_BYPASS},
    {G(GFX12), OP(SCALAR), S(SYS), T_BYPASS, LV(K) | LV(GL1) | LV(L2) | LV(MALL), MEM_ACT_BYPASS},
};

/* The cache hints and the cache control that a generation's instructions can express. */
struct gen_features {
    uint32_t load_hints, store_hints, atomic_hints; /* temporal hints that the encoding has bits for, T() */
    /* The narrowest scope at which cache control acts on a level; NEVER: it does not. */
    uint8_t invalidate_vl0, invalidate_gl1, write_back_l2;
};
#define NEVER     MEM_SCOPES
#define ALWAYS    SCOPE_CU
#define HINTS(T_) .load_hints = (T_), .store_hints = (T_), .atomic_hints = (T_)

/* A workgroup's CU has one vL1D, so gfx942's buffer_inv has nothing to do for less than the device. RDNA4 has nothing
 * dirty above L2, and its L2 serves the whole device, so global_wb acts for the system alone. */
static const struct gen_features features[MEM_GEN_COUNT] = {
    [MEM_GEN_GFX8] = {HINTS(T(RT) | T(NT)), NEVER, NEVER, ALWAYS},
    [MEM_GEN_GFX9] = {HINTS(T(RT) | T(NT)), NEVER, NEVER, ALWAYS},
    [MEM_GEN_GFX90A] = {HINTS(T(RT) | T(NT)), NEVER, NEVER, ALWAYS},
    [MEM_GEN_GFX942] = {HINTS(T(RT) | T(NT)), SCOPE_DEV, NEVER, SCOPE_DEV},
    [MEM_GEN_GFX950] = {HINTS(T(RT) | T(NT)), SCOPE_DEV, NEVER, SCOPE_DEV},
    [MEM_GEN_GFX10] = {HINTS(T(RT) | T(NT_RT)), NEVER, NEVER, ALWAYS},
    [MEM_GEN_GFX11] = {HINTS(T(RT) | T(NT) | T(NT_RT) | T(RT_NT)), NEVER, NEVER, ALWAYS},
    /* TH 7 of loads is reserved; the other bits of TH of atomics say return and cascade (LLVM) */
    [MEM_GEN_GFX12] = {~T(WB), ALL, T(RT) | T(NT), SCOPE_SE, SCOPE_DEV, SCOPE_SYS},
};

bool mem_policy_has_hint(enum mem_gen gen, enum mem_op op, enum mem_temporal temporal)
{
    const struct gen_features *f = &features[gen];
    uint32_t hints = op == MEM_ATOMIC ? f->atomic_hints : op == MEM_STORE ? f->store_hints : f->load_hints;

    return hints >> temporal & 1;
}

static void apply(struct mem_policy *p, const struct policy_row *r, enum mem_op o, enum mem_temporal t)
{
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        for (unsigned s = 0; s < MEM_SCOPES; s++)
            if (r->levels >> l & r->scopes >> s & 1)
                p->action[l][o][s][t] = (uint8_t)r->action;
}

void mem_policy_init(struct mem_policy *p, enum mem_gen gen)
{
    assert(gen < MEM_GEN_COUNT);
    memset(p, 0, sizeof *p);
    p->gen = gen;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned o = 0; o < MEM_OPS; o++)
            for (unsigned t = 0; t < MEM_TEMPORALS; t++) {
                bool has = mem_policy_has_hint(gen, (enum mem_op)o, (enum mem_temporal)t);
                /* a hint without an encoding acts as RT */
                if (rows[i].gens >> gen & rows[i].ops >> o & rows[i].temporals >> (has ? t : TH_RT) & 1)
                    apply(p, &rows[i], (enum mem_op)o, (enum mem_temporal)t);
            }
}

struct mem_reach mem_policy_reach(enum mem_gen gen, bool invalidate, bool write_back, enum mem_scope scope)
{
    const struct gen_features *f = &features[gen];
    struct mem_reach r = {0, 0};

    if (invalidate)
        r.invalidate = (scope >= f->invalidate_vl0 ? LV(VL0) : 0u) | (scope >= f->invalidate_gl1 ? LV(GL1) : 0u);
    if (write_back)
        r.write_back = scope >= f->write_back_l2 ? LV(L2) : 0;
    return r;
}

struct mem_reach mem_policy_fences(enum mem_fence acquire, enum mem_fence release, bool several_l2s)
{
    return (struct mem_reach){
        .invalidate = acquire >= MEM_FENCE_AGENT ? LV(VL0) | LV(K) | LV(GL1) : 0u,
        .write_back = release >= (several_l2s ? MEM_FENCE_AGENT : MEM_FENCE_SYSTEM) ? LV(L2) : 0u,
    };
}
