/* Cache policy: what each level of the hierarchy does with an access, by its cache hint, and which levels a cache
 * control instruction reaches.
 *
 * The instruction's cache bits (glc/slc/dlc, sc0/sc1/nt, scope/th) arrive as a mem_hint (isa/decode/hint.c). One table
 * says what they mean: [generation][op][scope][temporal] -> an action for each level. mem_policy_init() fills it from
 * the rows in policy.c, later rows overriding earlier ones; docs/MEMORY.md shows it whole, and
 * tests/unit/mem/test_policy.c has every cell with its source. Which op a level can serve at all (read-only GL1,
 * atomics at L2) is also said by the cache's own configuration.
 *
 * Temporal hints are the numbers of RDNA4's TH field. TH 3 is last use of a load and write-back of a store; 7 is the
 * write-back of a non-temporal store; 3 with scope SYS is bypass. A pair names the near caches first and MALL second;
 * L2 goes with the near ones, as slc does on gfx10 and gfx11, where dlc has MALL. Hints that a generation has no bits
 * for (and TH 7 of loads, which is reserved) act as RT.
 *
 * Sources: LLVM 19 AMDGPUUsage memory models and SIMemoryLegalizer for scopes and slc/dlc/nt; AMD ISA manuals for glc
 * of stores and for the effect of cache control; ROCm Compute Profiler documentation for vL1D write-through, L2
 * write-back, stores that pass GL1, atomics executed at L2. gfx12 has no prose memory model in LLVM 19: its rows follow
 * "CU hits L0, SE and wider miss it, DEV and wider miss GL1". That a non-temporal access leaves the replacement order
 * of CDNA's and RDNA4's caches alone is an inference.
 *
 * Left out: memory types of pages. All memory is the device's own and coarse-grained (MTYPE RW), which hardware keeps
 * coherent between several L2s (mem/hierarchy/coherence.c). No invalidation therefore reaches L2.
 */
#ifndef GCNSIM_MEM_POLICY_H
#define GCNSIM_MEM_POLICY_H

#include <assert.h>

#include "mem/req.h"

/* Generations that differ in memory behaviour. sim/ maps targets onto them. */
enum mem_gen {
    MEM_GEN_GFX8,
    MEM_GEN_GFX9, /* gfx900, gfx906, gfx908 */
    MEM_GEN_GFX90A,
    MEM_GEN_GFX942,
    MEM_GEN_GFX950,
    MEM_GEN_GFX10,
    MEM_GEN_GFX11,
    MEM_GEN_GFX12,
    MEM_GEN_COUNT
};

enum mem_action {
    MEM_ACT_KEEP,          /* look up, allocate, become most recently used */
    MEM_ACT_STREAM,        /* look up and allocate, but leave the replacement order alone */
    MEM_ACT_MISS_EVICT,    /* never hit: evict the line if present, fetch it whole, do not keep it */
    MEM_ACT_BYPASS,        /* as MISS_EVICT, but only the requested bytes are fetched */
    MEM_ACT_WRITE_THROUGH, /* stores at a write-back level: pass the store down too, keep the line clean */
    MEM_ACT_HIT_EVICT,     /* loads: a hit evicts the line; a miss is as STREAM */
    MEM_ACT_NO_ALLOC,      /* look up; a miss allocates no line */
    MEM_ACTS
};

struct mem_policy {
    enum mem_gen gen;
    uint8_t action[LEVEL_COUNT][MEM_OPS][MEM_SCOPES][MEM_TEMPORALS]; /* enum mem_action */
};

void mem_policy_init(struct mem_policy *p, enum mem_gen gen);

static inline enum mem_action mem_policy_action(const struct mem_policy *p, enum cache_level level, enum mem_op op,
                                                struct mem_hint hint)
{
    assert(hint.scope < MEM_SCOPES && hint.temporal < MEM_TEMPORALS);
    return (enum mem_action)p->action[level][op][hint.scope][hint.temporal];
}

/* Whether the generation has bits for this temporal hint of an operation. */
bool mem_policy_has_hint(enum mem_gen gen, enum mem_op op, enum mem_temporal temporal);

/* Levels as bit masks, 1 << LEVEL_x. */
struct mem_reach {
    uint32_t invalidate, write_back;
};

/* Which levels an invalidation or a write-back that names a scope (buffer_inv, buffer_wbl2; global_inv, global_wb,
 * global_wbinv) acts on. gfx90a's buffer_wbl2 has no scope and reaches L2 always. */
struct mem_reach mem_policy_reach(enum mem_gen gen, bool invalidate, bool write_back, enum mem_scope scope);

/* The scopes of a dispatch's fences, as in the header of an AQL packet. */
enum mem_fence { MEM_FENCE_NONE, MEM_FENCE_AGENT, MEM_FENCE_SYSTEM, MEM_FENCES };

/* What the command processor does to the caches for a dispatch: which levels it invalidates before the first wave
 * (acquire), which it has written back after the last (release). All CUs' caches are meant.
 *
 * LLVM's AMDGPU memory model says that the scalar and vector caches (L0, L1 and GL1 of gfx10 and later) are invalidated
 * between dispatches. L2 and MALL keep their lines: the device's own memory (MTYPE RW) is coherent there. Modified
 * lines of L2 are written back for the system; for the agent too where it has several L2s (buffer_wbl2 of gfx942). The
 * instruction cache is not invalidated: ROCm's runtime does that when it loads code. */
struct mem_reach mem_policy_fences(enum mem_fence acquire, enum mem_fence release, bool several_l2s);

#endif
