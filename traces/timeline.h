/* The timeline of a program: a file in Perfetto's format, with what the waves of its dispatches did over time.
 *
 * Tracks, from the outside in: chip > queues, counters, shader engines > (WGP >) CU > SIMD > wave slot, and in a CU
 * those of what memory and LDS do for it, by the level that answers.
 *   - A dispatch is a slice on the track of its queue.
 *   - A wave is a slice on the track of its slot. It holds, without gaps, a slice for each instruction that it
 * executes: from the end of the issue before to the end of its own, so that the lengths of these slices are the cycles
 * that the statistics of instructions charge to it (cycles.*). The stalls before the issue are slices in it, by reason.
 *   - An instruction that asked memory or LDS has a slice on a track of its CU, from its issue until it has all that it
 *     waited for; a flow leads there from the instruction. As many tracks of one name are made as are in use at once.
 * Slices of one track never overlap but by nesting.
 *
 * Time. One nanosecond of the file is one shader clock cycle, unless real nanoseconds are asked for: most chips run
 * several cycles in a nanosecond, which is the finest step that the format knows. Cycles are those of the device's
 * clock.
 *
 * Bounds. All that is before the first cycle asked for, or from the last on, is cut off; so is everything from the
 * cycle on in which the file reaches its size. Each wave, stall and request that goes on there ends there.
 *
 * Threads: chips may be fed from different threads. The bytes of the file do not depend on the host threads of the
 * engine; with several chips they depend on which of them comes first.
 */
#ifndef GCNSIM_TRACES_TIMELINE_H
#define GCNSIM_TRACES_TIMELINE_H

#include "sim/util/error.h"
#include "sim/util/event.h"

#define TIMELINE_DEFAULT_BYTES ((uint64_t)256 << 20)

struct timeline;
struct timeline_chip;

struct timeline_options {
    uint64_t max_bytes;          /* of the file before compression; 0: TIMELINE_DEFAULT_BYTES */
    cycle_t first, end;          /* cycles that are written; end 0: all from the first on */
    const struct event_cus *cus; /* compute units whose waves are written; null: all. Copied */
    bool real_ns;                /* times are nanoseconds of the shader clock, rounded down */
};

struct timeline_shape {
    const char *name;
    uint64_t clock_khz;   /* of the shaders */
    uint32_t cus_per_wgp; /* 1: there are no WGPs */
    uint32_t cus_per_set; /* that share caches and are dealt to the shader engines in turn */
    uint32_t engines;     /* shader engines */
};

/* Texts are borrowed until the next question. */
struct timeline_place {
    const char *file;
    uint32_t line;
    const char *function; /* that the line is in; null when unknown */
    const char *calls;    /* where that was inlined, "file:line function" joined by " <- "; null: nowhere */
};

/* Where the text of instructions is from. */
struct timeline_code {
    const char *id; /* with `base` the same for the same code; copied */
    gaddr_t base;   /* pc - base + vaddr is the offset that disassemblies show */
    uint64_t vaddr;
    void *ctx; /* used until the dispatch has ended */
    void (*text)(void *ctx, gaddr_t pc, char *out, size_t size);
    bool (*place)(void *ctx, gaddr_t pc, struct timeline_place *place); /* null: no source lines */
};

struct timeline_dispatch {
    const char *kernel;
    const char *queue; /* name of its queue's track */
    uint64_t number;
    const char *grid, *workgroup; /* as text */
    bool waves;                   /* its waves are written, not its slice alone */
    struct timeline_code code;
};

struct timeline_info {
    uint64_t bytes; /* before compression */
    uint64_t waves, instructions, stalls, requests;
    bool full; /* it has reached its size: */
    cycle_t full_at;
};

/* Opens a file; ".gz" or ".zst" at the end of its name says that it is compressed. */
int timeline_open(struct timeline **out, const char *path, const struct timeline_options *o, struct err *e);
/* A chip's clock and tracks; null when out of host memory. It is the timeline's. */
struct timeline_chip *timeline_add_chip(struct timeline *t, const struct timeline_shape *shape);
/* Added to the cycles of what is written from now on: after a clock that was set back. */
void timeline_set_offset(struct timeline_chip *c, uint64_t offset_cycles);
/* The consumer of the events of all runs on a chip. */
struct event_consumer timeline_consumer(struct timeline_chip *c);

/* A dispatch begins. Returns the tag that its events have (event.dispatch), 0 when out of host memory: it has none
 * then. What *d points to, but for code.ctx, is copied. */
uint16_t timeline_begin_dispatch(struct timeline_chip *c, const struct timeline_dispatch *d);
/* It has ended: its slice is [begin, end) on the device's clock; outcome: null, or why it ended early. */
void timeline_end_dispatch(struct timeline_chip *c, uint16_t tag, cycle_t begin, cycle_t end, const char *outcome);

/* A counter of the chip: a track, and its value from a cycle on. */
uint64_t timeline_counter(struct timeline_chip *c, const char *name, const char *unit);
void timeline_count(struct timeline_chip *c, uint64_t counter, cycle_t at, double value);

void timeline_get_info(const struct timeline *t, struct timeline_info *info);
/* Writes the end and closes the file, also while dispatches are in flight: nothing more is written then. */
int timeline_finish(struct timeline *t, bool keep, struct err *e);
/* The same, unless it is done, and releases all; keep: it gets its name. Non-zero with *e when something could not be
 * written. t may be null. */
int timeline_close(struct timeline *t, bool keep, struct err *e);

#endif
