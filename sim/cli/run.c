/* gcnsim run: launches, from flags or from a launch file. */
#include "sim/cli/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void run_close(struct run *r)
{
    for (size_t k = 0; k < r->report.count; k++)
        gcnsim_result_free((struct gcnsim_result *)r->ended[k].result);
    free(r->ended);
    for (size_t k = 0; r->step && k < r->steps; k++) {
        gcnsim_args_free(r->step[k].args);
        gcnsim_symbols_free(r->step[k].symbols);
        gcnsim_symbols_free(r->step[k].more_symbols);
        free(r->step[k].kept);
    }
    free(r->step);
    free(r->own);
    gcnsim_buffers_free(r->buffers);
    gcnsim_close(r->sim);
    gcnsim_launch_file_close(r->file);
    run_free_specs(r);
}

/* A gcnsim_snapshot_fn; ctx: the progress. */
static void print_snapshot(void *ctx, const struct gcnsim_snapshot *snapshot)
{
    struct gcnsim_error error = {0};
    char *text = NULL;

    cli_progress_end(ctx);
    if (gcnsim_snapshot_text(snapshot, &text, &error) != GCNSIM_OK)
        cli_library_error(&error);
    else
        cli_eprintf("%s", text);
    gcnsim_free(text);
}

/* ---- launches ---- */

void run_fill_dispatch(const struct run *r, const struct run_options *o, const struct step *s, bool last,
                       struct cli_progress *progress, struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init(d);
    d->kernel = s->kernel;
    d->engine = o->common.engine < 0 ? GCNSIM_ENGINE_TIMING : (enum gcnsim_engine)o->common.engine;
    memcpy(d->grid_size, s->grid, sizeof d->grid_size);
    memcpy(d->workgroup_size, s->workgroup, sizeof d->workgroup_size);
    if (s == &r->step[r->changed])
        memcpy(d->cluster_size, o->cluster, sizeof d->cluster_size);
    d->dynamic_group_segment_size = s->from->dynamic_lds_bytes;
    if (s->from->acquire >= 0)
        d->acquire = (enum gcnsim_fence)s->from->acquire;
    if (s->from->release >= 0)
        d->release = (enum gcnsim_fence)s->from->release;
    d->args = s->args;
    d->check = o->common.check;
    d->ignore_lds_races = o->common.ignore_lds_races;
    d->perfect_memory = o->common.perfect_memory;
    d->per_instruction = o->common.per_instruction || o->common.annotate || o->csv[CSV_INSTRUCTIONS];
    d->hotspots = run_shows_summary(o);
    d->sample_workgroups = o->common.sample_workgroups;
    d->sample_loops = o->common.sample_loops;
    d->sample_skip = o->sample_skip;
    if (o->html && d->engine == GCNSIM_ENGINE_TIMING && !o->common.sample) {
        d->per_instruction = 1;
        d->samples = 1; /* cycles at first: as fine as there is */
    }
    d->traces = o->traces.items;
    d->trace_count = last ? o->traces.count : 0;
    d->att = last && o->att.folder ? &o->att : NULL;
    d->threads = o->common.threads;
    if (o->common.samples)
        d->samples = o->common.samples;
    d->max_cycles = o->common.max_cycles;
    d->max_instructions = o->common.max_instructions;
    d->progress_facts = progress ? cli_progress_facts : NULL;
    d->progress_facts_ctx = progress;
    d->abort_flag = &cli_interrupted;
    d->snapshot_flag = &cli_snapshot_wanted;
    d->snapshot = print_snapshot;
    d->snapshot_ctx = progress;
    d->command_line = o->command_line;
    /* a single launch needs no device that outlives it */
    d->cold = o->cold || !r->sequence;
}

static uint64_t stat_of(const struct gcnsim_result *result, const char *name)
{
    double value;

    return gcnsim_result_stat(result, name, &value) == GCNSIM_OK ? (uint64_t)value : 0;
}

/* A short run may end before the engine has said anything. */
static void last_progress(struct cli_progress *progress, const struct gcnsim_result *result)
{
    const struct gcnsim_progress end = {.struct_bytes = sizeof end,
                                        .workgroups_total = result->workgroups,
                                        .workgroups_done = stat_of(result, "workgroups_done"),
                                        .cycles = stat_of(result, "cycles"),
                                        .instructions = stat_of(result, "instructions.total")};

    cli_progress_facts(progress, &end);
}

/* One launch. Without a result the status is that of the error. */
static int launch(struct run *r, const struct run_options *o, struct gcnsim_sequence_item *item, uint64_t number,
                  bool last)
{
    struct gcnsim_error error = {0};
    struct gcnsim_dispatch d;
    struct cli_progress progress;
    struct gcnsim_result *result = NULL;
    int status = CLI_OK;

    if (run_set_symbols(r, item->launch, &error) != GCNSIM_OK)
        return run_step_error(r, item->launch, &error);
    /* --quiet is about chatter: a bar must be asked for by name then */
    cli_progress_start(&progress, o->quiet && o->progress == CLI_PROGRESS_AUTO ? CLI_PROGRESS_NEVER
                                                                               : (enum cli_progress_when)o->progress);
    /* with a limit a run ends by itself, and says then who is stuck */
    progress.max_cycles = o->common.max_cycles;
    progress.max_instructions = o->common.max_instructions;
    progress.hints =
        !o->common.max_cycles && !o->common.max_instructions && !o->quiet && o->progress != CLI_PROGRESS_NEVER;
    run_fill_dispatch(r, o, &r->step[item->launch], last, &progress, &d);
    gcnsim_on_timeline_init(&r->on_timeline);
    r->on_timeline.timeline = r->timeline;
    r->on_timeline.number = number;
    r->on_timeline.waves = number + r->steps >= r->launches;
    if (o->common.timeline.given && last)
        r->on_timeline.wave = &r->wave;
    d.timeline = r->timeline || r->on_timeline.wave ? &r->on_timeline : NULL;
    int rc = gcnsim_launch(r->step[item->launch].module, &d, &result, &error);
    if (result)
        last_progress(&progress, result);
    cli_progress_end(&progress);
    if (rc != GCNSIM_OK)
        status = cli_library_error(&error);
    item->result = result;
    if (!result)
        return status;
    if (run_keep_result(r, o, item) != CLI_OK) {
        item->result = NULL; /* r has it, and there is no report */
        return CLI_BAD_INPUT;
    }
    return rc == GCNSIM_OK ? CLI_OK : CLI_NOT_WRITTEN; /* traces */
}

/* All rounds, up to the first launch that does not complete; *ended: there is nothing to report. */
static int launch_all(struct run *r, const struct run_options *o, bool *ended)
{
    uint32_t rounds = r->report.warmup_rounds + r->report.rounds;
    int status = CLI_OK;

    r->launches = rounds * r->steps;
    for (uint32_t n = 0; n < rounds; n++)
        for (size_t k = 0; k < r->steps; k++) {
            bool warmup = n < r->report.warmup_rounds;
            struct gcnsim_sequence_item item = {.name = r->list.launches[k].name,
                                                .launch = (uint32_t)k,
                                                .round = warmup ? n : n - r->report.warmup_rounds,
                                                .warmup = warmup};
            int one = launch(r, o, &item, n * r->steps + k, n + 1 == rounds && k + 1 == r->steps);

            *ended = !item.result;
            status = one == CLI_OK ? status : one;
            if (*ended || r->failed)
                return status;
        }
    return status;
}

/* What a run that did everything it was to do says by its exit status. */
static int judge(const struct run *r)
{
    const struct gcnsim_result *last = r->ended[r->report.count - 1].result;
    size_t findings = 0;

    if (r->failed) {
        cli_error("%s", last->message);
        return CLI_FAULT;
    }
    for (size_t k = 0; k < r->report.count; k++) /* of launches that are alike */
        if (r->ended[k].result->has_check && r->ended[k].result->finding_count > findings)
            findings = r->ended[k].result->finding_count;
    if (findings)
        cli_error("--check found %zu place%s that hardware may run wrongly", findings, findings == 1 ? "" : "s");
    return findings ? CLI_FAULT : CLI_OK;
}

static int run(struct run *r, struct run_options *o)
{
    struct gcnsim_dispatch d;
    bool no_result = false;
    int status = run_prepare(r, o);

    if (status != CLI_OK)
        return status;
    status = run_timeline_choose(r, o);
    if (status != CLI_OK)
        return status;
    run_fill_dispatch(r, o, &r->step[0], true, NULL, &d);
    status = run_check_files(r, o, &d);
    if (status != CLI_OK)
        return status;
    cli_catch_interrupts();
    /* A reader that went away, or a limit of file sizes, must not end the run before its other files are written. The
     * write then fails, and that is reported. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    status = run_timeline_open(r, o);
    if (status != CLI_OK)
        return status;
    status = launch_all(r, o, &no_result);
    int closed = run_timeline_close(r, o, !no_result);
    status = status == CLI_OK ? closed : status;
    if (no_result)
        return status;
    int written = run_write(r, o);
    status = written > status ? written : status;
    if (r->wave.text && !run_has_data_on_stdout(o) && cli_put(r->wave.text) != CLI_OK)
        status = CLI_NOT_WRITTEN;
    int verdict = judge(r);
    return status == CLI_OK ? verdict : status;
}

static int run_command(const struct cli_command *c, int argc, char **argv)
{
    struct run_options o;
    struct run r = {0};
    bool done = false;

    cli_catch_snapshot_signal(); /* early: its default action would end the process */
    int status = run_options_read(&o, c, argc, argv, &done);
    if (!done)
        status = run_read_file(&r, &o, c);
    if (!done && status == CLI_OK)
        status = run(&r, &o);
    gcnsim_free(r.wave.text);
    run_close(&r);
    run_options_free(&o);
    return status;
}

int cli_run(int argc, char **argv)
{
    return run_command(&cli_command_run, argc, argv);
}

int cli_annotate(int argc, char **argv)
{
    return run_command(&cli_command_annotate, argc, argv);
}
