/* A memory request, and the interface between two levels of the hierarchy.
 *
 * Conventions of time, the same at every level. Within one cycle the lower level is ticked before the upper one. A
 * request accepted in cycle t is looked at from t + 1 on; a completion made in cycle t is seen above in cycle t. A
 * unit's tick(now) returns the next cycle at which it has work by itself, so that time may jump there: a run that ticks
 * every cycle and a run that jumps make the same completions in the same cycles.
 */
#ifndef GCNSIM_MEM_REQ_H
#define GCNSIM_MEM_REQ_H

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

#define MEM_TOKEN_NONE UINT64_MAX /* posted: no completion is made */

/* One access to bytes of one cache line: [addr, addr + bytes) never crosses a line of the level it is given to. */
struct mem_req {
    gaddr_t addr;
    uint64_t token;  /* the requester's, returned with the completion */
    uint32_t bytes;  /* >= 1 */
    uint16_t client; /* which of the requesters that share this port; returned with the completion */
    uint8_t op;      /* enum mem_op */
    struct mem_hint hint;
};

/* The level below, as a unit sees it. */
struct mem_port {
    void *ctx;
    bool (*can_accept)(void *ctx, gaddr_t addr);
    void (*accept)(void *ctx, const struct mem_req *req, cycle_t now);
};

/* The level above, which takes completions always. */
struct mem_sink {
    void *ctx;
    void (*complete)(void *ctx, uint16_t client, uint64_t token, cycle_t now);
};

#endif
