/* Public API: trace files that a launch writes. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "traces/trace.h"

const char *gcnsim_trace_format(size_t index, const char **about)
{
    size_t k = 0;

    while (trace_writers[k] && k < index)
        k++;
    *about = trace_writers[k] ? trace_writers[k]->about : NULL;
    return trace_writers[k] ? trace_writers[k]->format : NULL;
}

static int open_one(struct trace **out, const char *spec, const struct report_run *c, struct err *e)
{
    const char *equals = strchr(spec, '=');
    char format[64];

    if (!equals || equals == spec || !equals[1] || (size_t)(equals - spec) >= sizeof format)
        return err_set(e, ERR_USAGE, "trace '%s'; expected FORMAT=FILE", spec);
    memcpy(format, spec, (size_t)(equals - spec));
    format[equals - spec] = 0;
    return trace_open(out, format, equals + 1, c->load_base, c->base_vaddr, e);
}

int api_traces_open(struct api_traces *t, const struct gcnsim_dispatch *d, const struct report_run *c,
                    struct engine_options *o, struct err *e)
{
    *t = (struct api_traces){0};
    if (!d->trace_count)
        return 0;
    if (d->engine != GCNSIM_ENGINE_TIMING)
        return err_set(e, ERR_USAGE, "traces are of the timing engine; the functional one has no cycles");
    t->trace = calloc(d->trace_count, sizeof *t->trace);
    if (!t->trace)
        return err_set(e, ERR_NOMEM, "no memory for traces");
    for (; t->count < d->trace_count; t->count++) {
        if (open_one(&t->trace[t->count], d->traces[t->count], c, e)) {
            api_traces_close(t, NULL);
            return -1;
        }
        o->consumers = trace_attach(t->trace[t->count], o->consumers);
    }
    return 0;
}

int api_traces_close(struct api_traces *t, struct err *e)
{
    int failed = 0;

    for (size_t k = 0; k < t->count; k++)
        failed |= trace_close(t->trace[k], e);
    free(t->trace);
    *t = (struct api_traces){0};
    return failed;
}
