/* Every cell of mem/cache/policy.h: [generation][op][level][scope][temporal hint] against what is documented.
 *
 * A row is a grid: a string for each scope (CU, SE, DEV, SYS), a letter for each temporal hint (RT, NT, HT, 3, NT_RT,
 * RT_NT, NT_HT, 7). Written from the sources named, not from the code. Cells in no grid are plain caching: K. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem/cache/policy.h"

#define G(x)    (1u << MEM_GEN_##x)
#define GCN     (G(GFX8) | G(GFX9) | G(GFX90A))
#define CDNA3   (G(GFX942) | G(GFX950))
#define ANY_GEN (~0u)
#define L(x)    (1u << LEVEL_##x)

struct grid {
    uint32_t gens;
    enum mem_op op;
    uint32_t levels;
    const char *cell[MEM_SCOPES]; /* [scope][temporal] */
    const char *source;
};

/* clang-format off */
static const struct grid grids[] = {
    {GCN, MEM_LOAD, L(VL0),
     {"KKKKKKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "AMD GCN3 and Vega ISA, GLC of loads: reads miss the L1 and force fetch to L2; LLVM memory model "
     "gfx6-gfx9: glc=1 for agent and wider, slc touches L2 alone"},
    {GCN, MEM_LOAD, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "KSKKKKKK"},
     "LLVM SIGfx6CacheControl: slc requests L2 STREAM"},
    {CDNA3, MEM_LOAD, L(VL0),
     {"KSKKKKKK", "KSKKKKKK", "MMMMMMMM", "MMMMMMMM"},
     "LLVM memory model gfx942: sc0=1 (workgroup) bypasses in threadgroup split mode alone, sc1=1 for "
     "agent, sc0=1 sc1=1 for system; nt=1 non-temporal"},
    {CDNA3, MEM_LOAD, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "KSKKKKKK"},
     "LLVM memory model gfx942: nt=1 is streaming"},
    {G(GFX10), MEM_LOAD, L(VL0),
     {"KKKKHKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx10CacheControl: glc requests L0 MISS_EVICT; slc L0 and L1 HIT_EVICT"},
    {G(GFX10), MEM_LOAD, L(GL1),
     {"KKKKHKKK", "KKKKHKKK", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx10CacheControl: dlc requests L1 MISS_EVICT; slc L0 and L1 HIT_EVICT"},
    {G(GFX10), MEM_LOAD, L(L2),
     {"KKKKSKKK", "KKKKSKKK", "KKKKSKKK", "KKKKSKKK"},
     "LLVM SIGfx10CacheControl: slc requests L2 STREAM"},
    {G(GFX11), MEM_LOAD, L(VL0),
     {"KHKKHKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx11CacheControl: glc requests L0 and L1 MISS_EVICT; slc HIT_EVICT"},
    {G(GFX11), MEM_LOAD, L(GL1),
     {"KHKKHKKK", "KHKKHKKK", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx11CacheControl: glc requests L0 and L1 MISS_EVICT; slc HIT_EVICT"},
    {G(GFX11), MEM_LOAD, L(L2),
     {"KSKKSKKK", "KSKKSKKK", "KSKKSKKK", "KSKKSKKK"},
     "LLVM SIGfx11CacheControl: slc requests L2 STREAM"},
    {G(GFX11), MEM_LOAD, L(MALL),
     {"KNKKKNKK", "KNKKKNKK", "KNKKKNKK", "KNKKKNKK"},
     "LLVM SIGfx11CacheControl: dlc requests MALL NOALLOC"},
    {G(GFX12), MEM_LOAD, L(VL0),
     {"KSKHSKSK", "MMMMMMMM", "MMMMMMMM", "MMMBMMMM"},
     "LLVM SIDefines TH_*, LLVM SIGfx12CacheControl: workgroup scope of a WGP is SE; BYPASS only with "
     "scope SYS"},
    {G(GFX12), MEM_LOAD, L(GL1),
     {"KSKHSKSK", "KSKHSKSK", "MMMMMMMM", "MMMBMMMM"},
     "LLVM SIDefines TH_*: first word for near caches; DEV is wider than a shader array"},
    {G(GFX12), MEM_LOAD, L(L2),
     {"KSKSSKSK", "KSKSSKSK", "KSKSSKSK", "KSKBSKSK"},
     "LLVM SIDefines TH_*; L2 with the near caches as slc of gfx11"},
    {G(GFX12), MEM_LOAD, L(MALL),
     {"KNKNKNKK", "KNKNKNKK", "KNKNKNKK", "KNKBKNKK"},
     "LLVM SIDefines TH_*: second word for MALL; 7 is reserved for loads"},
    {GCN, MEM_STORE, L(VL0),
     {"KKKKKKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "AMD GCN3 and Vega ISA, GLC of stores: no persistence across wavefronts"},
    {GCN, MEM_STORE, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "KSKKKKKK"},
     "LLVM SIGfx6CacheControl: slc requests L2 STREAM"},
    {CDNA3, MEM_STORE, L(VL0),
     {"KSKKKKKK", "KSKKKKKK", "MMMMMMMM", "MMMMMMMM"},
     "as glc of gfx90a with the scopes of LLVM's gfx942 memory model (inference)"},
    {CDNA3, MEM_STORE, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "WWWWWWWW"},
     "LLVM memory model gfx942: sc0=1 sc1=1 store is at system scope; nt=1 streaming"},
    {G(GFX10), MEM_STORE, L(VL0),
     {"KKKKSKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx10CacheControl: glc of stores requests L0 and L1 MISS_EVICT"},
    {G(GFX10), MEM_STORE, L(L2),
     {"KKKKSKKK", "KKKKSKKK", "KKKKSKKK", "KKKKSKKK"},
     "LLVM SIGfx10CacheControl: slc requests L2 STREAM"},
    {G(GFX11), MEM_STORE, L(VL0),
     {"KSKKSKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx11CacheControl: glc of stores requests L0 and L1 MISS_EVICT"},
    {G(GFX11), MEM_STORE, L(L2),
     {"KSKKSKKK", "KSKKSKKK", "KSKKSKKK", "KSKKSKKK"},
     "LLVM SIGfx11CacheControl: slc requests L2 STREAM"},
    {G(GFX11), MEM_STORE, L(MALL),
     {"KNKKKNKK", "KNKKKNKK", "KNKKKNKK", "KNKKKNKK"},
     "LLVM SIGfx11CacheControl: dlc requests MALL NOALLOC"},
    {G(GFX12), MEM_STORE, L(VL0),
     {"KSKKSKSS", "KSKKSKSS", "KSKKSKSS", "KSKBSKSS"},
     "LLVM SIDefines TH_*: 3 regular near, 7 non-temporal near; L0 is write-through, its copy stays "
     "good for its CU"},
    {G(GFX12), MEM_STORE, L(L2),
     {"KSKKSKSS", "KSKKSKSS", "KSKKSKSS", "WWWBWWWW"},
     "LLVM SIDefines TH_*; SYS is past L2 (RDNA4 scopes)"},
    {G(GFX12), MEM_STORE, L(MALL),
     {"KNKWKNKW", "KNKWKNKW", "KNKWKNKW", "KNKBKNKW"},
     "LLVM SIDefines TH_*: WB is high-temporal with write-back in MALL"},
    {ANY_GEN, MEM_STORE, L(K) | L(GL1),
     {"BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB"},
     "ROCm Compute Profiler documentation, RDNA whitepaper: GL1 is read-only and passed by stores; "
     "scalar cache keeps no stores here"},
    {ANY_GEN, MEM_ATOMIC, L(VL0) | L(K) | L(GL1),
     {"BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB"},
     "ROCm Compute Profiler documentation: atomics are executed at L2; LLVM SIGfx940CacheControl: RMW "
     "atomics implicitly bypass the L1"},
    {GCN, MEM_ATOMIC, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "KSKKKKKK"},
     "ROCm Compute Profiler documentation; LLVM: slc requests L2 STREAM"},
    {CDNA3, MEM_ATOMIC, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "BBBBBBBB"},
     "LLVM memory model gfx942: sc1=1 on atomics is system scope, performed past L2"},
    {CDNA3, MEM_ATOMIC, L(MALL),
     {"KKKKKKKK", "KKKKKKKK", "KKKKKKKK", "BBBBBBBB"},
     "memory performs it"},
    {G(GFX10), MEM_ATOMIC, L(L2),
     {"KKKKSKKK", "KKKKSKKK", "KKKKSKKK", "KKKKSKKK"},
     "ROCm Compute Profiler documentation; LLVM: slc requests L2 STREAM"},
    {G(GFX11), MEM_ATOMIC, L(L2),
     {"KSKKSKKK", "KSKKSKKK", "KSKKSKKK", "KSKKSKKK"},
     "ROCm Compute Profiler documentation; LLVM: slc requests L2 STREAM"},
    {G(GFX12), MEM_ATOMIC, L(L2),
     {"KSKKKKKK", "KSKKKKKK", "KSKKKKKK", "BBBBBBBB"},
     "LLVM SIDefines TH_ATOMIC_NT; scope SYS is past L2"},
    {G(GFX12), MEM_ATOMIC, L(MALL),
     {"KKKKKKKK", "KKKKKKKK", "KKKKKKKK", "BBBBBBBB"},
     "memory performs it"},
    {GCN | CDNA3 | G(GFX10) | G(GFX11), MEM_SCALAR, L(K),
     {"KKKKKKKK", "MMMMMMMM", "MMMMMMMM", "MMMMMMMM"},
     "AMD ISA manuals, GLC of SMEM: globally coherent; the cache is shared by a few CUs alone"},
    {G(GFX12), MEM_SCALAR, L(K),
     {"KSKHSKSK", "MMMMMMMM", "MMMMMMMM", "MMMBMMMM"},
     "RDNA4 scopes: the scalar cache is a WGP's; LLVM SIDefines TH_*"},
    {G(GFX10) | G(GFX11), MEM_SCALAR, L(GL1),
     {"KKKKKKKK", "KKKKKKKK", "MMMMMMMM", "MMMMMMMM"},
     "LLVM SIGfx10CacheControl: dlc requests L1 MISS_EVICT"},
    {G(GFX11), MEM_SCALAR, L(MALL),
     {"KNKKKNKK", "KNKKKNKK", "KNKKKNKK", "KNKKKNKK"},
     "LLVM SIGfx11CacheControl: dlc requests MALL NOALLOC"},
    {G(GFX12), MEM_SCALAR, L(GL1),
     {"KSKHSKSK", "KSKHSKSK", "MMMMMMMM", "MMMBMMMM"},
     "as vector loads"},
    {G(GFX12), MEM_SCALAR, L(L2),
     {"KSKSSKSK", "KSKSSKSK", "KSKSSKSK", "KSKBSKSK"},
     "as vector loads"},
    {G(GFX12), MEM_SCALAR, L(MALL),
     {"KNKNKNKK", "KNKNKNKK", "KNKNKNKK", "KNKBKNKK"},
     "as vector loads"},
};
/* clang-format on */

static const char letter[MEM_ACTS + 1] = {
    [MEM_ACT_KEEP] = 'K',          [MEM_ACT_STREAM] = 'S',    [MEM_ACT_MISS_EVICT] = 'M', [MEM_ACT_BYPASS] = 'B',
    [MEM_ACT_WRITE_THROUGH] = 'W', [MEM_ACT_HIT_EVICT] = 'H', [MEM_ACT_NO_ALLOC] = 'N',
};

static const struct grid *grid_of(enum mem_gen gen, enum mem_op op, enum cache_level level)
{
    const struct grid *found = NULL;

    for (size_t k = 0; k < sizeof grids / sizeof grids[0]; k++)
        if (grids[k].gens >> gen & 1 && grids[k].op == op && grids[k].levels >> level & 1) {
            assert_null(found); /* one grid for a cell */
            found = &grids[k];
        }
    return found;
}

static void every_cell(void **state)
{
    unsigned cells = 0, bad = 0;

    (void)state;
    for (unsigned gen = 0; gen < MEM_GEN_COUNT; gen++) {
        struct mem_policy p;

        mem_policy_init(&p, (enum mem_gen)gen);
        for (unsigned op = 0; op < MEM_OPS; op++)
            for (unsigned level = 0; level < LEVEL_COUNT; level++) {
                const struct grid *g = grid_of((enum mem_gen)gen, (enum mem_op)op, (enum cache_level)level);

                for (unsigned s = 0; s < MEM_SCOPES; s++)
                    for (unsigned t = 0; t < MEM_TEMPORALS; t++) {
                        struct mem_hint h = {(uint8_t)s, (uint8_t)t};
                        char want = g ? g->cell[s][t] : 'K';
                        char got = letter[mem_policy_action(&p, (enum cache_level)level, (enum mem_op)op, h)];

                        cells++;
                        if (got != want) {
                            bad++;
                            print_error("gen %u op %u %s scope %u th %u: %c, want %c (%s)\n", gen, op,
                                        cache_level_key[level], s, t, got, want, g ? g->source : "plain");
                        }
                    }
            }
    }
    assert_int_equal(cells, MEM_GEN_COUNT * MEM_OPS * LEVEL_COUNT * MEM_SCOPES * MEM_TEMPORALS);
    assert_int_equal(bad, 0);
}

/* What a generation has no bits for acts as if nothing had been said. */
static void hints_that_cannot_be_said(void **state)
{
    static const struct {
        enum mem_gen gen;
        enum mem_op op;
        uint32_t has; /* temporals, a bit each */
    } v[] = {
        {MEM_GEN_GFX8, MEM_LOAD, 0x03},    {MEM_GEN_GFX90A, MEM_STORE, 0x03}, {MEM_GEN_GFX942, MEM_ATOMIC, 0x03},
        {MEM_GEN_GFX10, MEM_LOAD, 0x11},   {MEM_GEN_GFX11, MEM_STORE, 0x33},  {MEM_GEN_GFX12, MEM_LOAD, 0x7f},
        {MEM_GEN_GFX12, MEM_SCALAR, 0x7f}, {MEM_GEN_GFX12, MEM_ATOMIC, 0x03}, {MEM_GEN_GFX12, MEM_STORE, 0xff},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct mem_policy p;

        mem_policy_init(&p, v[k].gen);
        for (unsigned t = 0; t < MEM_TEMPORALS; t++) {
            assert_int_equal(mem_policy_has_hint(v[k].gen, v[k].op, (enum mem_temporal)t), v[k].has >> t & 1);
            for (unsigned l = 0; !(v[k].has >> t & 1) && l < LEVEL_COUNT; l++)
                for (unsigned s = 0; s < MEM_SCOPES; s++)
                    assert_int_equal(p.action[l][v[k].op][s][t], p.action[l][v[k].op][s][TH_RT]);
        }
    }
}

/* Cache control with a scope. gfx90a: LLVM SIGfx90ACacheControl, buffer_wbl2 for system scope; gfx942: SIGfx940, sc1
 * and sc0 sc1, nothing for a workgroup without threadgroup split; gfx12: SIGfx12, global_inv SE for a workgroup in WGP
 * mode, global_wb below SYS "a slow no-op" (LLVM 20). */
static void reach_of_cache_control(void **state)
{
    static const struct {
        enum mem_gen gen;
        bool inv, wb;
        uint32_t want_inv[MEM_SCOPES], want_wb[MEM_SCOPES];
    } v[] = {
        {MEM_GEN_GFX90A, false, true, {0, 0, 0, 0}, {L(L2), L(L2), L(L2), L(L2)}},
        {MEM_GEN_GFX942, true, false, {0, 0, L(VL0), L(VL0)}, {0, 0, 0, 0}},
        {MEM_GEN_GFX942, false, true, {0, 0, 0, 0}, {0, 0, L(L2), L(L2)}},
        {MEM_GEN_GFX950, true, false, {0, 0, L(VL0), L(VL0)}, {0, 0, 0, 0}},
        {MEM_GEN_GFX12, true, false, {0, L(VL0), L(VL0) | L(GL1), L(VL0) | L(GL1)}, {0, 0, 0, 0}},
        {MEM_GEN_GFX12, false, true, {0, 0, 0, 0}, {0, 0, 0, L(L2)}},
        {MEM_GEN_GFX12, true, true, {0, L(VL0), L(VL0) | L(GL1), L(VL0) | L(GL1)}, {0, 0, 0, L(L2)}},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++)
        for (unsigned s = 0; s < MEM_SCOPES; s++) {
            struct mem_reach r = mem_policy_reach(v[k].gen, v[k].inv, v[k].wb, (enum mem_scope)s);

            assert_int_equal(r.invalidate, v[k].want_inv[s]);
            assert_int_equal(r.write_back, v[k].want_wb[s]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell),
        cmocka_unit_test(hints_that_cannot_be_said),
        cmocka_unit_test(reach_of_cache_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
