/* Races between workgroups: bytes of global memory that two of them access, one writing, with no order between them.
 * A chip runs workgroups concurrently and in any order, with caches that do not see one another's stores; the engines
 * have one copy of memory, so that no race shows in a result.
 *
 * A pair of accesses by two workgroups is a race when they overlap, at least one writes, not both are coherent, and
 * neither is ordered after the other. The rules are LLVM's (AMDGPUUsage, "Memory Model" of each generation, and what
 * clang 19 generates; confidence: high).
 *
 * Coherent are
 *   - loads and stores whose cache bits name the device or more (glc; sc1; glc dlc; scope:SCOPE_DEV), and atomics but
 *     those that name the workgroup (scope:SCOPE_SE of gfx12; L2 executes all, and clang's builtins name no scope);
 *   - loads of what the workgroup itself compares and swaps: compilers begin such loops with a plain one;
 *   - where stores have no such bits, so that a relaxed store is a plain one (all but gfx942, gfx950 and gfx12): stores
 *     of one word by all lanes, and those to bytes that the workgroup itself accesses coherently. Other stores are no
 *     race beside coherent loads and atomics there.
 * Where stores have bits, one without them is no race beside something coherent if its workgroup releases it, or has
 * made a coherent load before it.
 *
 * A release is a coherent store or an atomic (without bits: any store) by a wave that has waited for all stores before
 * it; with several L2s (gfx942, gfx950) also for a buffer_wbl2 sc1 after those that were not coherent. Where stores
 * have bits, plain ones may come between: what was waited for before them is released, they are not. Accesses of a
 * workgroup are in stretches, which such waits end. Stores to scratch count for nothing.
 *
 * An acquire is an invalidation of all caches between the CU and the device's L2 (vL0; from gfx10 on GL1, too), by a
 * wave of a workgroup that has made a coherent load, or an atomic that returns, since its last acquire. Global wave
 * sync (ds_gws_*) is a release and an acquire: ROCm's device library has the invalidation ahead of it.
 *
 * A is ordered before B when A's workgroup has released after A, and B's has acquired after that and before B. That
 * asks for no common address, and what one wave of a workgroup releases or acquires counts for all of its waves: of
 * races in code that synchronises, some are missed. No order that there is gets lost; where a workgroup comes back to
 * the same bytes very often (the LIMITs in global.c and global_pairs.c), its later accesses are not looked at.
 *
 * Acquires are numbered through; a release has the number of the last one before it. Each access keeps which release of
 * its workgroup follows it, and its last acquire. So pairs can be looked at in any order: a workgroup records into a
 * table of its own and, when it has ended, that is merged into the table of the run, in order of workgroup numbers.
 * Findings of kernels without acquires are therefore the same for any number of threads, and on both engines; with
 * acquires they may depend on which workgroup came first. Accesses are kept for blocks of 256 bytes with a bit for each
 * dword, or of 64 bytes with a bit for each byte. Where two workgroups have made accesses that are in all races that a
 * third one's is in, the run's table leaves that out.
 *
 * Left out: scratch, LDS, instruction fetch, other dispatches, waves of one workgroup among themselves, and the scalar
 * cache, which only s_dcache_inv invalidates: scalar loads count as vector loads.
 */
#ifndef GCNSIM_CHECK_GLOBAL_H
#define GCNSIM_CHECK_GLOBAL_H

#include "mem/cache/policy.h"
#include "sim/check/internal.h"

struct global;
struct global_group;

/* What an instruction has accessed in memory. */
struct global_access {
    uint8_t op; /* enum mem_op */

    uint64_t lanes;
    const gaddr_t *addr;          /* by lane */
    uint32_t pieces, bytes, step; /* of a lane, as in an event (sim/util/event.h) */
};

/* Null: out of host memory. */
struct global *global_open(struct check *c, enum mem_gen gen);
void global_close(struct global *g);

/* Workgroup `id` begins, on any thread. Null when out of host memory; the check then says so. */
struct global_group *global_begin(struct global *g, uint64_t id);
/* All its waves have ended. */
void global_end(struct global *g, struct global_group *group);

/* Acquires so far: to be asked before an instruction executes that may be a release, lest one of what it releases comes
 * first. */
uint32_t global_acquires(const struct global *g);

/* A wave that waited in global wave sync goes on. */
void global_synced(struct global *g, struct global_group *group);

/* A wave of the workgroup has executed an instruction, before which there were `acquires`; n counts it. a: null when it
 * has accessed no memory. */
void global_after(struct global *g, struct global_group *group, struct global_wave *w, unsigned wave,
                  const struct check_counts *n, const struct check_info *i, uint32_t acquires,
                  const struct global_access *a);

/* The run has ended: reports what was found. Once. */
void global_report(struct global *g);

/* The same from the events of the timing engine: a consumer's kinds, and its take() with a struct global_events. */
struct global_events;
#define GLOBAL_EVENTS                                                                                                  \
    (EVENT_BIT(EVENT_WAVE_LAUNCH) | EVENT_BIT(EVENT_WAVE_END) | EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_ACCESS))
/* infos: where instructions are looked up; global_events_close() leaves it alone. */
struct global_events *global_events_open(struct check *c, struct global *g, struct check_group *infos);
void global_events_close(struct global_events *s);
void global_events_take(void *ctx, const struct event *e, size_t count);

#endif
