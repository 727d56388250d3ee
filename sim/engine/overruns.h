/* Accesses that no range holds to their last byte, and that hardware lets pass because it checks pages.
 *
 * The threads of a run each count into a struct of their own; the sum keeps the first access of the lowest workgroup,
 * so that threads have no say in which one is reported where workgroups do not communicate.
 */
#ifndef GCNSIM_ENGINE_OVERRUNS_H
#define GCNSIM_ENGINE_OVERRUNS_H

#include "sim/launch/launch.h"

struct engine_overrun {
    gaddr_t pc;
    uint64_t group;
    unsigned wave;
    int lane; /* -1: a scalar access */
    gaddr_t addr;
    uint32_t bytes;
    bool write;
};

struct engine_overruns {
    uint64_t count;
    struct engine_overrun first;
};

/* Host memory of an access that l->slack lets pass, which is counted; null: it does not pass. For isa_env.slack. */
uint8_t *engine_overrun(struct engine_overruns *o, const struct launch *l, const struct isa_wave *w, int lane,
                        gaddr_t addr, uint32_t bytes, bool write);

void engine_overruns_add(struct engine_overruns *sum, const struct engine_overruns *part);

#endif
