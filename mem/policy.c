#include "mem/policy.h"

#include <assert.h>

const char *const mem_level_key[MEM_LEVELS] = {"vl0", "k", "i", "gl1", "l2", "mall"};

#define G(x)   (1u << MEM_GEN_##x)
#define ALL    (~0u)
#define GCN    (G(GFX8) | G(GFX9) | G(GFX90A))
#define CDNA3  (G(GFX942) | G(GFX950))
#define RDNA12 (G(GFX10) | G(GFX11))
#define OP(x)  (1u << MEM_##x)
#define LOADS  (OP(LOAD) | OP(FETCH))
#define LV(x)  (1u << MEM_LEVEL_##x)
#define S(x)   (1u << SCOPE_##x)
#define SE_UP  (S(SE) | S(DEV) | S(SYS))
#define DEV_UP (S(DEV) | S(SYS))
#define ANY    (~0u)
#define T(x)   (1u << TH_##x)
#define NEAR   (LV(VL0) | LV(GL1) | LV(L2))

struct policy_row {
    uint32_t gens, ops, scopes, temporals, levels;
    enum mem_action action;
};

/* Later rows win. */
static const struct policy_row rows[] = {
    /* Reuse. The near word of a pair governs the caches up to L2, the far word MALL. */
    {ALL, OP(LOAD) | OP(STORE) | OP(SCALAR), ANY, T(NT) | T(NT_RT) | T(NT_HT) | T(LU), NEAR | LV(K), MEM_ACT_STREAM},
    {ALL, OP(LOAD) | OP(STORE) | OP(SCALAR), ANY, T(NT) | T(RT_NT), LV(MALL), MEM_ACT_STREAM},

    /* Scope of loads. gfx8, gfx9, gfx90a: glc=1 is everything wider than the CU, and it misses vL1D. */
    {GCN, LOADS, SE_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    /* gfx942: a workgroup lives on one CU, so its scope may hit vL1D. */
    {CDNA3, LOADS, DEV_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    /* gfx10, gfx11: a workgroup may span the two L0 of a WGP (glc); wider than a shader array also misses GL1 (dlc). */
    {RDNA12, LOADS, SE_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {RDNA12, LOADS, DEV_UP, ANY, LV(GL1), MEM_ACT_MISS_EVICT},
    {G(GFX12), LOADS, SE_UP, ANY, LV(VL0), MEM_ACT_MISS_EVICT},
    {G(GFX12), LOADS, DEV_UP, ANY, LV(GL1), MEM_ACT_MISS_EVICT},
    /* Scalar loads asked to be coherent pass the scalar cache. */
    {ALL, OP(SCALAR), DEV_UP, ANY, LV(K), MEM_ACT_MISS_EVICT},
    /* gfx12: th 3 with scope SYS is BYPASS rather than last use. */
    {G(GFX12), OP(LOAD), S(SYS), T(LU), NEAR | LV(MALL), MEM_ACT_BYPASS},

    /* Atomics happen at L2: nothing above it may hold on to the line. */
    {ALL, OP(ATOMIC), ANY, ANY, LV(VL0) | LV(GL1) | LV(K), MEM_ACT_BYPASS},
    {ALL, OP(ATOMIC), ANY, T(NT), LV(L2), MEM_ACT_STREAM},

    /* gfx942 has an L2 per XCD: stores visible to the system do not stay dirty in one of them. */
    {CDNA3, OP(STORE), S(SYS), ANY, LV(L2), MEM_ACT_WRITE_THROUGH},
};

void mem_policy_init(struct mem_policy *p, enum mem_gen gen)
{
    assert(gen < MEM_GEN_COUNT);
    memset(p, 0, sizeof *p);
    p->gen = gen;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct policy_row *r = &rows[i];
        if (!(r->gens >> gen & 1))
            continue;
        for (unsigned l = 0; l < MEM_LEVELS; l++)
            for (unsigned o = 0; o < MEM_OPS; o++)
                for (unsigned s = 0; s < MEM_SCOPES; s++)
                    for (unsigned t = 0; t < MEM_TEMPORALS; t++)
                        if (r->levels >> l & r->ops >> o & r->scopes >> s & r->temporals >> t & 1)
                            p->action[l][o][s][t] = (uint8_t)r->action;
    }
}
