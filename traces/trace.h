/* Trace writers: consumers of the event stream that write a file or a folder.
 *
 * A writer is a `struct trace_writer` (writer.h) in a file of its own and a row in trace_writers[] (trace.c).
 * trace_open() gives the consumer to put into a run's list; the run calls it on one thread, in the order
 * sim/util/event.h describes. An error while writing is kept and returned by trace_close(). Files and folders have
 * temporary names until then (sim/util/output.h, sim/util/output_folder.h).
 */
#ifndef GCNSIM_TRACES_TRACE_H
#define GCNSIM_TRACES_TRACE_H

#include "traces/writer.h"

/* Ends with a null. */
extern const struct trace_writer *const trace_writers[];

/* The writer of a format, or null with *e, which lists the formats. */
const struct trace_writer *trace_find(const char *format, struct err *e);

struct trace;

/* Begins to write. 0, or non-zero with *e: a file that cannot be written, or out of host memory. */
int trace_open(struct trace **out, const struct trace_writer *w, const struct trace_job *job, struct err *e);
/* To be put before a run's list of consumers; returns the new list. */
const struct event_consumer *trace_attach(struct trace *t, const struct event_consumer *next);
/* Writes the end; keep: gives it its name, else throws it away. Non-zero with *e when not everything could be written.
 * t may be null. */
int trace_close(struct trace *t, bool keep, struct err *e);

#endif
