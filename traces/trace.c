/* Trace files: the table of formats, opening and closing. */
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

#include "sim/util/output.h"
#include "traces/issue_csv.h"

const struct trace_writer *const trace_writers[] = {
    &trace_issue_csv,
    NULL,
};

struct trace {
    struct trace_sink sink;
    const struct trace_writer *writer;
    struct event_consumer consumer;
    struct output output;
};

static const struct trace_writer *writer_of(const char *format)
{
    for (const struct trace_writer *const *w = trace_writers; *w; w++)
        if (!strcmp((*w)->format, format))
            return *w;
    return NULL;
}

/* "one, two, three" */
static const char *known_formats(char *out, size_t size)
{
    size_t n = 0;

    out[0] = 0;
    for (const struct trace_writer *const *w = trace_writers; *w && n < size; w++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", (*w)->format);
    return out;
}

int trace_open(struct trace **out, const char *format, const char *path, gaddr_t load_base, gaddr_t base_vaddr,
               struct err *e)
{
    const struct trace_writer *w = writer_of(format);
    struct trace *t;
    char known[200];

    if (!w)
        return err_set(e, ERR_USAGE, "trace format '%s'; expected one of: %s", format,
                       known_formats(known, sizeof known));
    t = calloc(1, sizeof *t);
    if (!t)
        return err_set(e, ERR_NOMEM, "%s: no memory for a trace", path);
    if (output_open(&t->output, path, e)) {
        free(t);
        return -1;
    }
    t->sink = (struct trace_sink){t->output.f, load_base, base_vaddr};
    t->writer = w;
    w->begin(&t->sink);
    *out = t;
    return 0;
}

const struct event_consumer *trace_attach(struct trace *t, const struct event_consumer *next)
{
    t->consumer = (struct event_consumer){next, t->writer->kinds, &t->sink, t->writer->take};
    return &t->consumer;
}

int trace_close(struct trace *t, bool keep, struct err *e)
{
    if (!t)
        return 0;
    if (t->writer->end)
        t->writer->end(&t->sink);
    int failed = output_close(&t->output, keep, e);
    free(t);
    return failed;
}
