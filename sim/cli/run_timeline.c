/* gcnsim run --trace FILE.pftrace: the timeline of the launches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run.h"

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

/* FILE.pftrace, unless it begins with a known FORMAT. */
static bool is_timeline(const char *spec)
{
    const char *equals = strchr(spec, '='), *format;

    for (size_t k = 0; equals && (format = gcnsim_trace_format(k, NULL)); k++)
        if (strlen(format) == (size_t)(equals - spec) && !strncmp(spec, format, strlen(format)))
            return false;
    return ends_with(spec, ".pftrace") || ends_with(spec, ".pftrace.gz") || ends_with(spec, ".pftrace.zst");
}

int run_timeline_choose(struct run *r, struct run_options *o)
{
    size_t kept = 0;

    for (size_t k = 0; k < o->traces.count; k++) {
        const char *spec = o->traces.items[k];

        if (!is_timeline(spec) && !strchr(spec, '='))
            return cli_usage(
                "run", "--trace: '%s'; expected FILE.pftrace, FILE.pftrace.gz, FILE.pftrace.zst, or FORMAT=FILE", spec);
        if (!is_timeline(spec))
            o->traces.items[kept++] = spec;
        else if (r->timeline_path)
            return cli_usage("run", "--trace %s and --trace %s; expected one timeline", r->timeline_path, spec);
        else
            r->timeline_path = spec;
    }
    o->traces.count = kept;
    const struct launch_options *of = &o->common;
    EACH_OPTION(row, cli_command_run.options)
    if (!r->timeline_path && row->beside && strcmp(row->beside, "trace") == 0 && option_given(row, o))
        return cli_usage("run", "--%s is for --trace FILE.pftrace; there is none", row->name);
    r->wave.workgroup = of->timeline.workgroup;
    r->wave.wave = of->timeline.wave;
    r->wave.first_row = of->timeline_rows.first;
    r->wave.rows = of->timeline_rows.end ? of->timeline_rows.end - of->timeline_rows.first : 0;
    return CLI_OK;
}

/* That the last launch has the wave of --timeline, before hours are spent on it. */
static int check_wave(const struct run *r)
{
    const struct step *s = &r->step[r->steps - 1];
    struct gcnsim_kernel_info info;
    uint64_t groups = 1, items = 1, waves;

    if (gcnsim_code_kernel(gcnsim_module_code(s->module), s->kernel, &info) != GCNSIM_OK || !info.wavefront_size)
        return CLI_OK; /* which the launch reports */
    for (unsigned k = 0; k < 3; k++) {
        uint64_t size = s->workgroup[k] ? s->workgroup[k] : 1, grid = s->grid[k] ? s->grid[k] : 1;

        if (__builtin_mul_overflow(groups, (grid + size - 1) / size, &groups) || size > UINT16_MAX)
            return CLI_OK;
        items *= size < grid ? size : grid;
    }
    waves = (items + info.wavefront_size - 1) / info.wavefront_size;
    if (r->wave.workgroup < groups && r->wave.wave < waves)
        return CLI_OK;
    return cli_usage(
        "run", "--timeline: '%" PRIu64 ":%" PRIu32 "'; %s has workgroups 0 to %" PRIu64 ", with waves 0 to %" PRIu64,
        r->wave.workgroup, r->wave.wave, info.name, groups - 1, waves - 1);
}

int run_timeline_open(struct run *r, const struct run_options *o)
{
    struct gcnsim_timeline_options options;
    struct gcnsim_error error = {0};

    if (o->common.timeline.given && check_wave(r) != CLI_OK)
        return CLI_BAD_INPUT;
    if (!r->timeline_path)
        return CLI_OK;
    gcnsim_timeline_options_init(&options);
    options.cus = o->common.trace_cus;
    options.first_cycle = o->common.trace_cycles.first;
    options.end_cycle = o->common.trace_cycles.end;
    options.max_bytes = o->common.trace_bytes;
    options.nanoseconds = o->common.trace_ns;
    return gcnsim_timeline_open(&r->timeline, r->timeline_path, &options, &error) == GCNSIM_OK
               ? CLI_OK
               : cli_library_error(&error);
}

int run_timeline_close(struct run *r, const struct run_options *o, bool keep)
{
    struct gcnsim_timeline_info info;
    struct gcnsim_error error = {0};

    if (!r->timeline)
        return CLI_OK;
    gcnsim_timeline_get_info(r->timeline, &info);
    if (keep && info.full && !o->quiet)
        cli_eprintf("gcnsim: %s: has reached its size in cycle %" PRIu64
                    ": no waves from there on (--trace-size, --trace-cus and --trace-cycles choose)\n",
                    r->timeline_path, info.full_cycle);
    int rc = gcnsim_timeline_close(r->timeline, keep, &error);
    r->timeline = NULL;
    if (rc != GCNSIM_OK)
        cli_error("--trace: %s", error.text);
    return rc == GCNSIM_OK ? CLI_OK : CLI_NOT_WRITTEN;
}
