/* How often control came to a place of a program by a jump, and left one by a jump or by the end of a wave.
 *
 * From both follows how often each instruction was executed: as often as the one before it, less what left after
 * that one, and what came. So a run pays for its jumps alone, and not for its instructions. isa_run() and isa_step()
 * count where struct isa_env names a table; whoever starts waves says where. A table is one host thread's; those of
 * several are added when they are read. Exact for waves that ran to their ends.
 */
#ifndef GCNSIM_ISA_VISITS_H
#define GCNSIM_ISA_VISITS_H

#include <stddef.h>

#include "sim/util/bits.h"

struct isa_program;

/* At a dword of code. */
struct isa_visit {
    uint64_t came; /* by a jump, or as the first instruction of a wave */
    uint64_t left; /* after the instruction that ends here */
};

#define ISA_VISITS_CHUNK 1024u /* dwords that are marked together */

struct isa_visits {
    struct isa_visit
        *at;          /* of each dword, and of the end; anonymous memory, which costs nothing where it is not used */
    uint8_t *touched; /* a chunk of them may not be all 0 */
    gaddr_t base;
    size_t dwords, map_bytes;
};

/* False: out of host memory. To be freed with isa_visits_free(), which takes one that is all 0, too. */
bool isa_visits_init(struct isa_visits *v, const struct isa_program *p);
void isa_visits_free(struct isa_visits *v);

static inline struct isa_visit *isa_visits_at(struct isa_visits *v, gaddr_t pc)
{
    uint64_t k = (pc - v->base) >> 2;

    if (k > v->dwords) /* the wave is about to fault */
        k = v->dwords;
    v->touched[k / ISA_VISITS_CHUNK] = 1;
    return &v->at[k];
}

static inline void isa_visits_came(struct isa_visits *v, gaddr_t pc, uint64_t times)
{
    isa_visits_at(v, pc)->came += times;
}

/* behind: the end of the last instruction. */
static inline void isa_visits_left(struct isa_visits *v, gaddr_t behind, uint64_t times)
{
    isa_visits_at(v, behind)->left += times;
}

/* Calls each(ctx, pc, executed) for the instructions that were executed, by pc. False: the counts do not
 * add up, as those of waves that did not run to their ends, or each() has answered false. tables: of the same program.
 */
bool isa_visits_read(struct isa_program *p, struct isa_visits *const *tables, unsigned count,
                     bool (*each)(void *ctx, gaddr_t pc, uint64_t executed), void *ctx);

#endif
