/* The memory hierarchy of a dispatch: vl0 per CU -> (GL1 shared by some) -> L2 -> (MALL) -> DRAM, with the scalar and
 * instruction caches, shared by some CUs, in front of L2.
 *
 * Use, in every cycle the engine visits: hierarchy_tick(now), pop completions, accept. Between cycles time may jump to
 * any cycle not after hierarchy_next(); accepting moves that to the next cycle. Ticking every cycle gives the same
 * completions as jumping.
 * A request of the vector port must not cross a line of vl0 (mem/coalesce.h makes such), of the scalar and
 * instruction port a line of theirs. Completions come back per CU and port, in the order they are made, which is not
 * the order of the requests.
 *
 * A chip of several dies (XCDs) has an L2 on each; CUs are dealt out to the dies in turns of a few. Units contending
 * for the level below are served in an order that rotates with the cycle (the L2s of several dies in a fixed one). Left
 * out: the distance between a CU and an L2 channel, and the traffic that keeps several L2s coherent.
 */
#ifndef GCNSIM_MEM_HIERARCHY_H
#define GCNSIM_MEM_HIERARCHY_H

#include "mem/cache.h"
#include "mem/dram.h"

enum mem_port_kind { MEM_PORT_VECTOR, MEM_PORT_SCALAR, MEM_PORT_INST, MEM_PORTS };

struct hierarchy_config {
    enum mem_gen gen;
    uint32_t cus;
    uint32_t cus_per_k, cus_per_i, cus_per_gl1;
    uint32_t l2s, cus_per_l2_turn; /* several L2s: CU n has number n / cus_per_l2_turn % l2s. l2s 0: one for all */
    bool present[MEM_LEVELS];      /* vl0, k, i and l2 are required */
    struct cache_config cache[MEM_LEVELS]; /* level and name are filled in; request_bytes is cut to the line below */
    struct dram_config dram;
    bool check_every_cycle;   /* do every unit's work in every cycle ticked: must give what jumping gives */
    uint32_t max_outstanding; /* per CU and port, 1..65536 */
};

struct hierarchy;

/* Null with *err on a bad configuration. hierarchy_free(NULL) is allowed. */
struct hierarchy *hierarchy_new(const struct hierarchy_config *cfg, struct err *err);
void hierarchy_free(struct hierarchy *h);

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr);
/* req->client is ignored. A token of MEM_TOKEN_NONE asks for no completion. */
void hierarchy_accept(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, const struct mem_req *req,
                      cycle_t now);

/* Does the work of cycle `now`, which is not after hierarchy_next(); returns the next cycle with work. */
cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now);
cycle_t hierarchy_next(const struct hierarchy *h);

/* Takes the oldest completion of a CU's port. */
bool hierarchy_pop(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t *token);

/* CUs with a completion of the port to pop, as a bit mask of CUs 64*word .. 64*word+63. */
uint64_t hierarchy_ready_mask(const struct hierarchy *h, enum mem_port_kind port, uint32_t word);

/* Drops clean lines, or starts writing dirty ones back, in the caches of `levels` (bits 1 << MEM_LEVEL_x) that serve
 * the CU. Levels that are absent are skipped. */
void hierarchy_invalidate(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now);
void hierarchy_writeback(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now);
bool hierarchy_is_writing_back(const struct hierarchy *h, uint32_t cu, uint32_t levels);

bool hierarchy_is_idle(const struct hierarchy *h);

/* Sums over the caches of a level; false when it is absent. */
bool hierarchy_cache_stats(const struct hierarchy *h, enum mem_level level, struct cache_stats *out);
const struct dram_stats *hierarchy_dram_stats(const struct hierarchy *h);
int hierarchy_dump(const struct hierarchy *h, char *buf, size_t size);

#endif
