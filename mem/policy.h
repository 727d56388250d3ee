/* What a level of the hierarchy does with an access, by its cache hint.
 *
 * The instruction's cache bits (glc/slc/dlc, sc0/sc1/nt, scope/th) arrive as a mem_hint; this is the one table that
 * says what they mean: [generation][op][scope][temporal] -> an action for each level. The table is filled at
 * mem_policy_init() from short rows in policy.c, later rows overriding earlier ones. Which op a level can serve at all
 * (read-only GL1, atomics at L2) is said by the cache's own configuration; the table only adds to it.
 *
 * Sources: AMD's published ISA manuals and the LLVM AMDGPU memory models for scopes (which levels a load of a scope
 * must miss); profiling documentation for vL1D write-through, L2 write-back and atomics executed at L2. For gfx12 no
 * prose memory model exists; its scope rows follow the rule "CU hits L0, SE and wider miss it". What NT does inside
 * each cache is taken as "does not disturb the replacement order" everywhere: an inference.
 * Left out: memory types of pages (fine-grained, uncached), so SYS behaves as DEV at L2 unless a row says otherwise.
 */
#ifndef GCNSIM_MEM_POLICY_H
#define GCNSIM_MEM_POLICY_H

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

enum mem_level { MEM_LEVEL_VL0, MEM_LEVEL_K, MEM_LEVEL_I, MEM_LEVEL_GL1, MEM_LEVEL_L2, MEM_LEVEL_MALL, MEM_LEVELS };

enum mem_action {
    MEM_ACT_KEEP,          /* the normal thing: look up, allocate, become most recently used */
    MEM_ACT_STREAM,        /* look up and allocate, but leave the replacement order alone */
    MEM_ACT_MISS_EVICT,    /* never hit: drop the line if present, fetch it whole, do not keep it */
    MEM_ACT_BYPASS,        /* as MISS_EVICT, but only the bytes asked for are fetched */
    MEM_ACT_WRITE_THROUGH, /* stores at a write-back level: also send it down now and stay clean */
    MEM_ACTS
};

struct mem_policy {
    enum mem_gen gen;
    uint8_t action[MEM_LEVELS][MEM_OPS][MEM_SCOPES][MEM_TEMPORALS]; /* enum mem_action */
};

void mem_policy_init(struct mem_policy *p, enum mem_gen gen);

static inline enum mem_action mem_policy_action(const struct mem_policy *p, enum mem_level level, enum mem_op op,
                                                struct mem_hint hint)
{
    return (enum mem_action)p->action[level][op][hint.scope & 3][hint.temporal & 7];
}

extern const char *const mem_level_key[MEM_LEVELS]; /* "vl0", "k", "i", "gl1", "l2", "mall" */

#endif
