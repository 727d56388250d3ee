/* Stale lines: loads that hit a line which somebody has written since the cache fetched it, where hardware would give
 * the old bytes. A passive observer of the timing engine, whose caches say what is where.
 *
 * A load of bytes that a store or atomic has written after the line was asked for, and before the load, is reported
 * when the write did not go through the same cache: for vL0 one of another CU, for GL1 one of another array, for the
 * scalar cache any vector store (those pass it). Which CUs a cache serves is what the hierarchy says of the hit. What
 * is fetched while the write is on its way counts as new. L2s are kept coherent by hardware (mem/cache/policy.h) and
 * are not looked at, nor are instructions.
 *
 * For one thread, with CUs in the order of cycles.
 */
#ifndef GCNSIM_CHECK_STALE_H
#define GCNSIM_CHECK_STALE_H

#include "mem/hierarchy/hierarchy.h"
#include "sim/check/check.h"

struct stale;

/* parts: CUs of what has one numbering of operations. Null when there is no memory. */
struct stale *stale_open(struct check *c, enum mem_gen gen, uint32_t parts);
void stale_close(struct stale *s);

/* A memory operation issues: `token` is what its requests carry. cu: of the part it runs on. */
struct stale_access {
    gaddr_t pc;
    uint64_t group, token;
    uint32_t wave, cu;
    cycle_t at;
};
void stale_issue(struct stale *s, const struct stale_access *a, const struct isa_effects *fx);

/* For hierarchy_config.watch: ctx is the struct stale. */
void stale_hit(void *ctx, const struct hierarchy_hit *hit);

#endif
