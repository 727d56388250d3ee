/* gcnsim run --trace FILE.pftrace: the timeline of the launches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run.h"
#include "sim/cli/view_options.h"

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

/* FILE.pftrace, unless a FORMAT that there is stands in front. */
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
    uint64_t wave = 0, rows = 0;
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
    if (o->trace_cycles && !cli_span(o->trace_cycles, &r->first_cycle, &r->end_cycle))
        return cli_usage("run", "--trace-cycles: '%s'; expected A:B, cycles from A on and before B", o->trace_cycles);
    if (!r->timeline_path && (o->trace_cus || o->trace_cycles || o->trace_size || o->trace_ns))
        return cli_usage("run", "--trace-%s is for --trace FILE.pftrace; there is none",
                         o->trace_cus      ? "cus"
                         : o->trace_cycles ? "cycles"
                         : o->trace_size   ? "size"
                                           : "ns");
    if (o->wave && !cli_wave(o->wave, &r->wave.workgroup, &wave))
        return cli_usage("run", "--timeline: '%s'; expected WG:WAVE, the number of a workgroup and of a wave in it",
                         o->wave);
    r->wave.wave = (uint32_t)wave;
    if (o->wave_rows && (!cli_span(o->wave_rows, &r->wave.first_row, &rows) || !o->wave))
        return cli_usage("run", "--timeline-rows: '%s'; expected A:B beside --timeline", o->wave_rows);
    r->wave.rows = rows ? rows - r->wave.first_row : 0;
    if (o->wave && o->engine == GCNSIM_ENGINE_FUNCTIONAL)
        return cli_usage("run", "--timeline is of the timing engine; the functional one has no cycles");
    if (r->timeline_path && o->engine == GCNSIM_ENGINE_FUNCTIONAL)
        return cli_usage("run", "--trace %s is of the timing engine; the functional one has no cycles",
                         r->timeline_path);
    return CLI_OK;
}

/* That the last launch has the wave of --timeline, before hours are spent on it. */
static int check_wave(const struct run *r, const struct run_options *o)
{
    const struct step *s = &r->step[r->steps - 1];
    struct gcnsim_kernel_info info;
    uint64_t groups = 1, items = 1, waves;

    if (gcnsim_code_kernel(gcnsim_module_code(s->module), s->kernel, &info) != GCNSIM_OK || !info.wavefront_size)
        return CLI_OK; /* which the launch tells */
    for (unsigned k = 0; k < 3; k++) {
        uint64_t size = s->workgroup[k] ? s->workgroup[k] : 1, grid = s->grid[k] ? s->grid[k] : 1;

        if (__builtin_mul_overflow(groups, (grid + size - 1) / size, &groups) || size > UINT16_MAX)
            return CLI_OK;
        items *= size < grid ? size : grid;
    }
    waves = (items + info.wavefront_size - 1) / info.wavefront_size;
    if (r->wave.workgroup < groups && r->wave.wave < waves)
        return CLI_OK;
    return cli_usage("run", "--timeline: '%s'; %s has workgroups 0 to %" PRIu64 ", with waves 0 to %" PRIu64, o->wave,
                     info.name, groups - 1, waves - 1);
}

int run_timeline_open(struct run *r, const struct run_options *o)
{
    struct gcnsim_timeline_options options;
    struct gcnsim_error error = {0};

    if (o->wave && check_wave(r, o) != CLI_OK)
        return CLI_BAD_INPUT;
    if (!r->timeline_path)
        return CLI_OK;
    gcnsim_timeline_options_init(&options);
    options.cus = o->trace_cus;
    options.first_cycle = r->first_cycle;
    options.end_cycle = r->end_cycle;
    options.max_bytes = o->trace_size;
    options.nanoseconds = o->trace_ns;
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
