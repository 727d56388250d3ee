/* Perfetto's trace format: tracks with slices, flows and counters (https://perfetto.dev/docs/reference/synthetic-track-
 * event; the messages of protos/perfetto/trace/trace_packet.proto).
 *
 * All packets are of one sequence. Names and source locations are interned: they are written once and have a number
 * from then on. Times are in the trace's nanoseconds. A reader sorts packets by time and leaves those of one time in
 * the order of the file; so slices of one track have to be written in the order of their times, outer ones first, and
 * tracks may be written in any order.
 *
 * Without host memory, or when the file cannot be written, nothing more is written; perfetto_end_file() says.
 */
#ifndef GCNSIM_TRACES_PERFETTO_H
#define GCNSIM_TRACES_PERFETTO_H

#include "traces/packed.h"
#include "traces/wire.h"

/* What slices are filtered by, and SQL finds them by: slice.category. */
#define PERFETTO_CATEGORIES(X)                                                                                         \
    X(DISPATCH, "dispatch")                                                                                            \
    X(WAVE, "wave")                                                                                                    \
    X(INSTRUCTION, "instruction")                                                                                      \
    X(STALL, "stall")                                                                                                  \
    X(MEMORY, "memory")                                                                                                \
    X(TRACE, "trace")

enum perfetto_category {
    PERFETTO_NO_CATEGORY,
#define X(E, KEY) PERFETTO_##E,
    PERFETTO_CATEGORIES(X)
#undef X
        PERFETTO_CATEGORY_COUNT
};

/* Names of annotations ("debug.*" in SQL). */
#define PERFETTO_NOTES(X)                                                                                              \
    X(WORKGROUP, "workgroup")                                                                                          \
    X(WAVE_NUMBER, "wave")                                                                                             \
    X(DISPATCH_NUMBER, "dispatch")                                                                                     \
    X(PC, "pc")                                                                                                        \
    X(LANES, "lanes")                                                                                                  \
    X(RESULT_AFTER, "result after cycles")                                                                             \
    X(CONFLICTS, "bank conflict cycles")                                                                               \
    X(ADDRESS_CONFLICTS, "address conflict cycles")                                                                    \
    X(CYCLES, "cycles")                                                                                                \
    X(GRID, "grid")                                                                                                    \
    X(WORKGROUP_SIZE, "workgroup size")                                                                                \
    X(OUTCOME, "outcome")                                                                                              \
    X(FUNCTION, "function")                                                                                            \
    X(INLINED, "inlined at")

enum perfetto_note {
    PERFETTO_NO_NOTE,
#define X(E, KEY) PERFETTO_NOTE_##E,
    PERFETTO_NOTES(X)
#undef X
        PERFETTO_NOTE_COUNT
};

struct perfetto {
    struct packed *out;
    struct wire packet; /* what has not been given to `out` yet */
    uint64_t written;   /* bytes, before compression */
    uint64_t tracks, names, sources, texts;
    bool failed;
};

struct perfetto_arg {
    enum perfetto_note note;
    uint64_t value;
    const char *text; /* in place of value; null: value */
    bool interned;    /* value is a text, from perfetto_text() */
};

struct perfetto_slice {
    enum perfetto_category category;
    uint64_t name;   /* from perfetto_name() */
    uint64_t source; /* from perfetto_source(); 0: unknown */
    uint64_t flow;   /* the same in all slices that a flow joins, in the order of time; 0: none does */
    const struct perfetto_arg *arg;
    unsigned args;
};

void perfetto_begin_file(struct perfetto *p, struct packed *out);
/* Writes what is held back. False: something could not be kept for want of memory. */
bool perfetto_end_file(struct perfetto *p);

/* A track below `parent` (0: at the top). rank: its place among its siblings; unit: null, or it is a counter. */
uint64_t perfetto_track(struct perfetto *p, uint64_t parent, const char *name, uint32_t rank, const char *unit);
/* A name of slices; a text of annotations; a place in a source file. */
uint64_t perfetto_name(struct perfetto *p, const char *name);
uint64_t perfetto_text(struct perfetto *p, const char *text);
uint64_t perfetto_source(struct perfetto *p, const char *file, const char *function, uint32_t line);

void perfetto_begin(struct perfetto *p, uint64_t track, uint64_t at_ns, const struct perfetto_slice *s);
void perfetto_end(struct perfetto *p, uint64_t track, uint64_t at_ns);
void perfetto_instant(struct perfetto *p, uint64_t track, uint64_t at_ns, const struct perfetto_slice *s);
void perfetto_count(struct perfetto *p, uint64_t track, uint64_t at_ns, double value);

/* Bytes that the file has so far, before compression. */
static inline uint64_t perfetto_size(const struct perfetto *p)
{
    return p->written + p->packet.size;
}

#endif
