/* Traces of a run: the table of formats, opening and closing. */
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

#include "traces/att/att.h"
#include "traces/issue_csv.h"

const struct trace_writer *const trace_writers[] = {
    &trace_issue_csv,
    &trace_att,
    NULL,
};

struct trace {
    const struct trace_writer *writer;
    void *state;
    struct event_consumer consumer;
};

/* "one, two, three" */
static const char *known_formats(char *out, size_t size)
{
    size_t n = 0;

    out[0] = 0;
    for (const struct trace_writer *const *w = trace_writers; *w && n < size; w++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", (*w)->format);
    return out;
}

const struct trace_writer *trace_find(const char *format, struct err *e)
{
    char known[200];

    for (const struct trace_writer *const *w = trace_writers; *w; w++)
        if (!strcmp((*w)->format, format))
            return *w;
    err_set(e, ERR_USAGE, "trace format '%s'; expected one of: %s", format, known_formats(known, sizeof known));
    return NULL;
}

int trace_open(struct trace **out, const struct trace_writer *w, const struct trace_job *job, struct err *e)
{
    struct trace *t = calloc(1, sizeof *t);

    if (!t)
        return err_set(e, ERR_NOMEM, "%s: out of host memory for a trace", job->path);
    t->writer = w;
    if (w->open(&t->state, job, e)) {
        free(t);
        return -1;
    }
    *out = t;
    return 0;
}

const struct event_consumer *trace_attach(struct trace *t, const struct event_consumer *next)
{
    t->consumer =
        (struct event_consumer){.next = next, .kinds = t->writer->kinds, .ctx = t->state, .take = t->writer->take};
    return &t->consumer;
}

int trace_close(struct trace *t, bool keep, struct err *e)
{
    if (!t)
        return 0;
    int failed = t->writer->close(t->state, keep, e);
    free(t);
    return failed;
}
