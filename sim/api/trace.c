/* Public API: files that a launch and its caller write. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/util/input.h"
#include "sim/util/output.h"
#include "sim/util/output_folder.h"
#include "traces/att/att.h"
#include "traces/trace.h"

const char *gcnsim_trace_format(size_t index, const char **about)
{
    size_t k = 0;

    while (trace_writers[k] && k < index)
        k++;
    if (about)
        *about = trace_writers[k] ? trace_writers[k]->about : NULL;
    return trace_writers[k] ? trace_writers[k]->format : NULL;
}

/* The path in FORMAT=FILE, or null with *e. */
static const char *trace_path(const char *spec, char format[64], struct err *e)
{
    const char *equals = strchr(spec, '=');

    if (!equals || equals == spec || !equals[1] || equals - spec >= 64) {
        err_set(e, ERR_USAGE, "trace '%s'; expected FORMAT=FILE", spec);
        return NULL;
    }
    memcpy(format, spec, (size_t)(equals - spec));
    format[equals - spec] = 0;
    return equals + 1;
}

static int add(struct api_traces *t, const struct trace_writer *w, const struct trace_job *job,
               struct engine_options *o, struct err *e)
{
    if (!job)
        return err_set(e, ERR_NOMEM, "out of host memory for a trace");
    if (trace_open(&t->trace[t->count], w, job, e))
        return -1;
    o->consumers = trace_attach(t->trace[t->count++], o->consumers);
    return 0;
}

static int open_all(struct api_traces *t, const struct api_trace_plan *plan, struct engine_options *o, struct err *e)
{
    char format[64];

    for (size_t k = 0; k < plan->trace_count; k++) {
        const char *path = trace_path(plan->traces[k], format, e);
        const struct trace_writer *w = path ? trace_find(format, e) : NULL;

        if (!w || add(t, w, api_trace_job(t->job, path), o, e))
            return -1;
    }
    struct gcnsim_att att;
    if (!plan->att)
        return 0;
    return api_take_att(&att, plan->att, e) || add(t, &trace_att, api_trace_job_att(t->job, &att), o, e) ? -1 : 0;
}

int api_traces_open(struct api_traces *t, const struct api_trace_plan *plan, const struct launch *l,
                    const struct report_run *c, struct engine_options *o, struct err *e)
{
    *t = (struct api_traces){0};
    if (!plan->trace_count && !plan->att)
        return 0;
    if (!plan->timing)
        return err_set(e, ERR_USAGE, "traces are of the timing engine; the functional one has no cycles");
    t->trace = calloc(plan->trace_count + 1, sizeof *t->trace);
    if (!t->trace)
        return err_set(e, ERR_NOMEM, "out of host memory for traces");
    t->job = api_trace_job_new(l, c, plan, e);
    if (t->job && !open_all(t, plan, o, e))
        return 0;
    api_traces_close(t, false, NULL);
    return -1;
}

int api_traces_close(struct api_traces *t, bool keep, struct err *e)
{
    int failed = 0;

    for (size_t k = 0; k < t->count; k++) {
        struct err one = {0};
        if (trace_close(t->trace[k], keep, &one)) {
            failed = -1;
            err_add(e, &one);
        }
    }
    free(t->trace);
    api_trace_job_free(t->job);
    *t = (struct api_traces){0};
    return failed;
}

/* ---- files that are written, checked before a run ---- */

/* That the folder of a thread trace may be written, before hours are spent on it. */
static int check_att(const struct gcnsim_att *from, struct err *e)
{
    struct gcnsim_att att;

    if (api_take_att(&att, from, e))
        return -1;
    char *folder = att_folder(&(struct trace_job){.path = att.folder, .agent = att.agent, .dispatch = att.dispatch});
    int failed =
        folder ? output_folder_check(folder, ATT_MARK, e) : err_set(e, ERR_NOMEM, "out of host memory for a trace");
    free(folder);
    return failed;
}

int api_check_files(const struct gcnsim_module *m, const struct gcnsim_dispatch *d, const struct gcnsim_file *files,
                    size_t count, struct err *e)
{
    struct file_list l = {0};
    int failed = m->from_file ? file_list_add(&l, code_object_name(m->code->co), FILE_READ, "the code object", e) : 0;
    char format[64], what[80];

    const struct profile *p = m->sim->profile;
    for (unsigned k = 0; !failed && p && k < p->file_count; k++) /* a built-in profile has a name without a slash */
        if (strchr(p->files[k], '/') || strstr(p->files[k], ".json"))
            failed = file_list_add(&l, p->files[k], FILE_READ, "the profile", e);
    if (!failed && d->args)
        failed = file_list_add_all(&l, d->args->a->shared ? &d->args->a->shared->files : &d->args->a->files, e);
    for (size_t k = 0; !failed && k < d->trace_count; k++) {
        const char *path = trace_path(d->traces[k], format, e);
        snprintf(what, sizeof what, "trace %s", path ? format : "");
        failed = path ? file_list_add(&l, path, FILE_WRITTEN, what, e) : -1;
    }
    if (!failed && d->att)
        failed = check_att(d->att, e);
    for (size_t k = 0; !failed && k < count; k++)
        failed = file_list_add(&l, files[k].path, files[k].written ? FILE_WRITTEN : FILE_READ,
                               files[k].label ? files[k].label : "a file", e);
    file_list_free(&l);
    return failed;
}

int gcnsim_check_files(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                       const struct gcnsim_file *files, size_t count, struct gcnsim_error *error)
{
    struct gcnsim_dispatch own;
    struct err e = {0};

    if (api_take_dispatch(&own, dispatch, &e) || api_check_files(module, &own, files, count, &e))
        return api_fail(error, &e);
    return GCNSIM_OK;
}

int gcnsim_read_file(const char *path, void **bytes, size_t *size, struct gcnsim_error *error)
{
    struct err e = {0};
    uint8_t *all;

    if (input_read(path, CO_MAX_FILE_BYTES, &all, size, &e)) {
        err_prefix(&e, "%s", path);
        return api_fail(error, &e);
    }
    *bytes = all;
    return GCNSIM_OK;
}

int gcnsim_write_file(const char *path, const void *bytes, size_t size, struct gcnsim_error *error)
{
    struct err e = {0};

    return output_write(path, bytes, size, &e) ? api_fail(error, &e) : GCNSIM_OK;
}
