/* Stale lines: loads that hit a line which somebody has written since the cache fetched it, where hardware would give
 * the old bytes. A consumer of the timing engine's events.
 *
 * A load of bytes that a store or atomic has written after the line was asked for, and before the load, is reported
 * when the write did not go through the same cache: for vL0 one of another CU, for GL1 one of another array, for the
 * scalar cache any vector store (those pass it). Which CUs a cache serves is what the event of the hit says. A line
 * that is fetched while the write is on its way counts as new. L2s are kept coherent by hardware (mem/cache/policy.h)
 * and are not looked at, nor are instructions.
 *
 * It needs writes, fetches and hits of all CUs in the order of cycles, which is the order of the event stream.
 */
#ifndef GCNSIM_CHECK_STALE_H
#define GCNSIM_CHECK_STALE_H

#include "mem/cache/policy.h"
#include "sim/check/rules.h"
#include "sim/engine/engine.h"
#include "sim/util/event.h"

struct check;
struct stale;

/* parts: CUs of what has one numbering of operations. Null when out of host memory. */
struct stale *stale_open(struct check *c, enum mem_gen gen, uint32_t parts);
void stale_close(struct stale *s);

/* A consumer's kinds, and its take() with the struct stale for ctx. */
#define STALE_EVENTS (EVENT_BIT(EVENT_ACCESS) | EVENT_BIT(EVENT_CACHE_HIT))
void stale_events(void *ctx, const struct event *e, size_t count);

#endif
