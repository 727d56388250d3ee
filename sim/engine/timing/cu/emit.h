/* Where a compute unit reports to the event stream (sim/util/event.h) what it does. Every call site asks cu_emits()
 * first, so that an event nobody wants costs one branch. */
#ifndef GCNSIM_ENGINE_TIMING_CU_EMIT_H
#define GCNSIM_ENGINE_TIMING_CU_EMIT_H

#include "sim/engine/timing/cu/cu.h"

#define EVENT_STALLS (EVENT_BIT(EVENT_STALL_BEGIN) | EVENT_BIT(EVENT_STALL_END))
/* About requests to memory: they name the instruction they are of. */
#define EVENT_MEMORY                                                                                                   \
    (EVENT_BIT(EVENT_ACCESS) | EVENT_BIT(EVENT_REQUEST) | EVENT_BIT(EVENT_ANSWER) | EVENT_BIT(EVENT_COMPLETE) |        \
     EVENT_BIT(EVENT_CACHE_HIT))

static inline bool cu_emits(const struct cu *c, enum event_kind kind)
{
    return __builtin_expect((c->events & EVENT_BIT(kind)) != 0, 0);
}

static inline bool cu_emits_stalls(const struct cu *c)
{
    return __builtin_expect((c->events & EVENT_STALLS) != 0, 0);
}

/* For a CU whose context says what is wanted; false when out of host memory. */
bool cu_emit_init(struct cu *c, struct arena *arena);

/* A wave takes its slot; its first stall begins. */
void cu_emit_launch(struct cu *c, const struct cu_wave *w, cycle_t now);
/* The wave leaves its slot; its last stall ends. */
void cu_emit_end(struct cu *c, const struct cu_wave *w, cycle_t now);
/* The event's place in the group's buffer. */
size_t cu_emit_issue(struct cu *c, const struct cu_wave *w, cycle_t now);
/* The result of the instruction of an issue event of this cycle is ready at `done`. */
void cu_emit_done(struct cu *c, size_t event, cycle_t done);
/* A memory operation of w has all that it waited for. */
void cu_emit_op_complete(struct cu *c, const struct cu_wave *w, const struct cu_op *op, cycle_t now);
void cu_emit_lds(struct cu *c, const struct cu_wave *w, const struct timing_info *i, const struct lds_cost *cost,
                 cycle_t now);
void cu_emit_arrive(struct cu *c, const struct cu_wave *w, cycle_t now);
void cu_emit_complete(struct cu *c, const struct cu_group *g, uint32_t barriers, cycle_t release, cycle_t now);

/* Operation `op` of instruction i has begun. */
void cu_emit_access(struct cu *c, const struct cu_wave *w, const struct timing_info *i, uint16_t op, cycle_t now);

/* A wave is charged for [from, upto): reports where its stall reason changes. */
void cu_emit_stalls(struct cu *c, const struct cu_wave *w, cycle_t from, cycle_t upto);
/* The same for all waves up to the end of an epoch, ahead of their being charged. */
void cu_emit_stalls_until(struct cu *c, cycle_t end);
/* The run is over and every wave has been charged: ends the stalls of those still resident. */
void cu_emit_stalls_end(struct cu *c);

#endif
