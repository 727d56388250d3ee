/* A device that lives longer than a launch: the caches, address translations and open DRAM rows of a chip, and its
 * clock.
 *
 * A launch of the timing engine on a device (engine_options.device) begins with what the one before it has left there,
 * after the fences that the dispatch asks for. Without a device it has a fresh one to itself: everything is cold, and
 * the clock begins at 0. Compute units, their waves and LDS do not outlive a launch.
 *
 * The device takes the form of the first launch's profile and target, with all CUs of the chip; a launch with another
 * profile, or of a target with another memory generation, finds it cold. So does the launch after one that did not run
 * to its end (a fault, a limit, an interruption), whose requests would still be in flight: a driver resets the chip.
 *
 * The clock counts cycles of the shader clock from the first launch on, never backwards. s_memtime reads it, events
 * carry it; results and snapshots of a launch count from the launch's own first cycle.
 *
 * What else happens to memory has to be reported: engine_device_written() when the host or a copy engine has written,
 * engine_device_mapped() when the driver has invalidated TLBs, engine_device_unloaded() when code is gone. Memory that
 * is freed and allocated again keeps its lines and translations, as that of a suballocator does.
 *
 * Ownership: the caller's, on one thread at a time. Its memory counts against the budget of the launch that builds it.
 */
#ifndef GCNSIM_ENGINE_DEVICE_H
#define GCNSIM_ENGINE_DEVICE_H

#include "sim/engine/engine.h"

struct engine_device;

/* A cold device; null: no host memory. */
struct engine_device *engine_device_new(void);
void engine_device_free(struct engine_device *d); /* null is fine */

/* Makes it cold, with its clock at 0. */
void engine_device_reset(struct engine_device *d);

/* Cycles that its clock has counted. */
uint64_t engine_device_clock(const struct engine_device *d);

/* Memory has been written past the caches: their lines of it are dropped. */
void engine_device_written(struct engine_device *d, gaddr_t from, uint64_t bytes);

/* The driver has mapped memory, and has invalidated the TLBs for that: all translations are gone. */
void engine_device_mapped(struct engine_device *d);

/* The code in [lo, hi) is gone: other code there will be loaded anew. */
void engine_device_unloaded(struct engine_device *d, gaddr_t lo, gaddr_t hi);

/* Puts the lines that an access of a workgroup on die `die` touches into L2 and MALL, as if it had been simulated; its
 * pieces are within one line of L2 each. Between engine_device_warm_begin() and _end(), which changes no statistics and
 * adds to *traffic what memory would have been asked for. Before the first launch nothing happens. False: there is no
 * host memory for it. */
struct hierarchy_access; /* mem/hierarchy/hierarchy.h */
struct hierarchy_traffic;
bool engine_device_warm_begin(struct engine_device *d);
void engine_device_warm(struct engine_device *d, uint32_t die, const struct hierarchy_access *access);
/* What the release of such a launch writes back. */
void engine_device_warm_release(struct engine_device *d, const struct launch *l, const struct engine_options *o);
void engine_device_warm_end(struct engine_device *d, struct hierarchy_traffic *traffic);
/* Bytes in L2s and MALL that are to be written back. */
uint64_t engine_device_dirty_bytes(const struct engine_device *d);
/* Lines that L2s or MALL have room for, hold, and have evicted since the device was idle last; 0: there are none, or
 * nothing has run. */
struct engine_lines {
    uint64_t room, valid, evicted;
};
struct engine_lines engine_device_lines(const struct engine_device *d, enum cache_level level);

/* Compute units of a full set: those that share caches, which are dealt to the shader engines in turn by number. */
uint32_t engine_cus_per_set(const struct profile *p);

#endif
