/* Trace files: the table of formats, opening and closing. */
#include "traces/trace.h"

#include <errno.h>
#include <stdlib.h>

#include "traces/issue_csv.h"

const struct trace_writer *const trace_writers[] = {
    &trace_issue_csv,
    NULL,
};

struct trace {
    struct trace_sink sink;
    const struct trace_writer *writer;
    struct event_consumer consumer;
    char *path;
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
    if (!t || !(t->path = strdup(path))) {
        free(t);
        return err_set(e, ERR_NOMEM, "no memory for a trace");
    }
    t->sink = (struct trace_sink){fopen(path, "w"), load_base, base_vaddr};
    if (!t->sink.f) {
        err_set(e, ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
        free(t->path);
        free(t);
        return -1;
    }
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

int trace_close(struct trace *t, struct err *e)
{
    int failed = 0;

    if (!t)
        return 0;
    if (t->writer->end)
        t->writer->end(&t->sink);
    /* fclose() says what could not be written at the last moment, ferror() what could not be before */
    failed = ferror(t->sink.f);
    if (fclose(t->sink.f) || failed)
        failed = err_set(e, ERR_IO, "%s: not everything could be written", t->path);
    free(t->path);
    free(t);
    return failed;
}
