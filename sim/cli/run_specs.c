/* SPECs that gcnsim run changes before it uses them: arguments of a launch file that the command line replaces, and
 * files to be written that are not wanted. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run.h"

/* Keeps what was made until the run is closed. */
static void *keep_until_closed(struct run *r, void *made)
{
    void **more = made ? realloc(r->made, (r->made_count + 1) * sizeof *more) : NULL;

    if (!more) {
        free(made);
        return NULL;
    }
    r->made = more;
    return r->made[r->made_count++] = made;
}

void run_free_specs(struct run *r)
{
    for (size_t k = 0; k < r->made_count; k++)
        free(r->made[k]);
    free(r->made);
}

/* A list of SPECs that may be changed; null: out of host memory. */
static const char **own_specs(struct run *r, const char *const *specs, size_t count)
{
    const char **own = keep_until_closed(r, calloc(count + 1, sizeof *own));

    for (size_t k = 0; own && k < count; k++)
        own[k] = specs[k];
    return own;
}

int run_replace_args(struct run *r, struct gcnsim_listed_launch *l, const struct option_list *replace)
{
    const char **own = replace->count ? own_specs(r, l->args, l->arg_count) : NULL;

    if (!replace->count)
        return CLI_OK;
    if (!own)
        return cli_error("out of memory");
    for (size_t k = 0; k < replace->count; k++) {
        const char *text = replace->items[k], *equals = strchr(text, '=');
        char *number = keep_until_closed(r, strndup(text, (size_t)(equals - text)));
        uint64_t n;

        if (!number)
            return cli_error("out of memory");
        if (!cli_number(number, UINT32_MAX, &n) || n >= l->arg_count)
            return cli_usage("run", "--replace-arg: '%s'; the launch has %zu arguments; expected N=SPEC, N from 0 on",
                             text, l->arg_count);
        own[n] = equals + 1;
    }
    l->args = own;
    return CLI_OK;
}

/* "out:PATH:BYTES" becomes "buf:BYTES", "inout:PATH:OUTPATH" "in:PATH". Null: out of host memory. */
static const char *without_output(struct run *r, const char *spec)
{
    const char *last = strrchr(spec, ':');
    char *made = NULL;

    if (strncmp(spec, "out:", 4) == 0 && last > spec + 3)
        return asprintf(&made, "buf%s", last) < 0 ? NULL : keep_until_closed(r, made);
    if (strncmp(spec, "inout:", 6) == 0 && last > spec + 5)
        return asprintf(&made, "in:%.*s", (int)(last - spec - 6), spec + 6) < 0 ? NULL : keep_until_closed(r, made);
    return spec;
}

static bool discard(struct run *r, const char *const **specs, size_t count)
{
    const char **own = own_specs(r, *specs, count);

    for (size_t k = 0; own && k < count; k++)
        if (!(own[k] = without_output(r, own[k])))
            return false;
    *specs = own;
    return own != NULL;
}

int run_discard_outputs(struct run *r)
{
    bool ok = discard(r, &r->list.buffer_specs, r->list.buffer_count);

    for (size_t k = 0; ok && k < r->list.launch_count; k++)
        ok = discard(r, &r->own[k].args, r->own[k].arg_count);
    return ok ? CLI_OK : cli_error("out of memory");
}
