/* Trace writers: consumers of the event stream that write a file.
 *
 * A writer is a `struct trace_writer` in a file of its own and a row in trace_writers[] (trace.c). trace_open() opens
 * the file and gives the consumer to put into a run's list; the run calls it on one thread, in the order
 * sim/util/event.h describes. What goes wrong while writing is kept and said by trace_close(). The file has a temporary
 * name until then (sim/util/output.h).
 */
#ifndef GCNSIM_TRACES_TRACE_H
#define GCNSIM_TRACES_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/util/error.h"
#include "sim/util/event.h"

/* What a writer is given beside the events. */
struct trace_sink {
    FILE *f;
    gaddr_t load_base; /* pc - load_base + base_vaddr is the offset disassemblies show */
    gaddr_t base_vaddr;
};

struct trace_writer {
    const char *format; /* its name on the command line */
    const char *about;  /* one line of help */
    uint32_t kinds;
    void (*begin)(const struct trace_sink *s);
    void (*take)(void *sink, const struct event *e, size_t count); /* sink: struct trace_sink */
    void (*end)(const struct trace_sink *s);                       /* may be null */
};

/* Ends with a null. */
extern const struct trace_writer *const trace_writers[];

struct trace;

/* Opens `path` for writing in a format. 0, or non-zero with *e: an unknown format, a file that cannot be written. */
int trace_open(struct trace **out, const char *format, const char *path, gaddr_t load_base, gaddr_t base_vaddr,
               struct err *e);
/* To be put in front of a run's list of consumers; returns the new list. */
const struct event_consumer *trace_attach(struct trace *t, const struct event_consumer *next);
/* Writes the end and closes the file; keep: gives it its name, else throws it away. Non-zero with *e when not
 * everything could be written. t may be null. */
int trace_close(struct trace *t, bool keep, struct err *e);

#endif
