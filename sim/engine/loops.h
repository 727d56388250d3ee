/* How far a wave is from the end of its loop, for progress reports: an estimate, on which nothing else rests.
 *
 * A loop is what lies between a branch back and its target. For one that a scalar comparison ends, whose SCC decides
 * the branch back or one that leaves the loop, the difference of what is compared shrinks to nothing while the loop
 * counts.
 */
#ifndef GCNSIM_ENGINE_LOOPS_H
#define GCNSIM_ENGINE_LOOPS_H

#include "isa/isa.h"

enum { ENGINE_LOOPS = 64 };

struct engine_loop {
    gaddr_t head, end, compare; /* first instruction, branch back, comparison that ends it */
    uint32_t left;              /* when it was last looked at */
    bool seen, counts;          /* it was; `left` has changed since */
};

/* The loops of a kernel; all zero: not looked for yet. */
struct engine_loops {
    bool asked, made;
    unsigned count;
    struct engine_loop loop[ENGINE_LOOPS];
};

/* The outermost loop around w's pc whose difference has been seen to change: the branch's address and the difference.
 * False: there is none. entry: where the kernel starts. */
bool engine_loop_left(struct engine_loops *loops, const struct isa_wave *w, gaddr_t entry, gaddr_t *branch,
                      uint64_t *left);

#endif
