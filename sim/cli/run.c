/* gcnsim run: one launch, from flags or from a launch file. */
#define _GNU_SOURCE
#include "sim/cli/run_options.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One launch of the list, which is launched once in each round. */
struct step {
    const struct gcnsim_listed_launch *from;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    uint32_t kernel;
    uint32_t workgroup[3];
};

struct run {
    struct gcnsim *sim;
    struct gcnsim_launch_file *file;       /* null: none */
    const struct gcnsim_launch_list *list; /* of it, or of the command line: */
    struct gcnsim_launch_list own_list;
    struct gcnsim_listed_launch own_launch;
    struct gcnsim_buffers *buffers; /* that launches share; null: none */
    struct step *step;
    size_t steps;
    bool sequence;                      /* reported as one, not as a single launch */
    struct gcnsim_sequence_item *ended; /* what is reported */
    struct gcnsim_sequence report;
    bool failed; /* the launch that ended last did not complete */
};

static void run_close(struct run *r)
{
    for (size_t k = 0; k < r->report.count; k++)
        gcnsim_result_free((struct gcnsim_result *)r->ended[k].result);
    free(r->ended);
    for (size_t k = 0; r->step && k < r->steps; k++)
        gcnsim_args_free(r->step[k].args);
    free(r->step);
    gcnsim_buffers_free(r->buffers);
    gcnsim_close(r->sim);
    gcnsim_launch_file_close(r->file);
}

/* A launch file is JSON by its name or by its first byte; code objects and bundles start otherwise. */
static bool is_launch_file(const char *path)
{
    size_t len = strlen(path);
    struct stat st;
    int c = EOF;

    if (len > 5 && strcmp(path + len - 5, ".json") == 0)
        return true;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) /* a pipe would lose the byte */
        return false;
    FILE *f = fopen(path, "rb");
    if (f) {
        c = fgetc(f);
        fclose(f);
    }
    return c == '{';
}

/* Those of the launch file, then those of the command line, all at once: values may hang together. */
static int apply_sets(struct gcnsim *sim, const struct gcnsim_launch_file *f, const struct run_options *o)
{
    struct gcnsim_error error = {0};
    size_t from_file = f ? f->set_count : 0, count = from_file + o->set_count;
    const char **sets = count ? malloc(count * sizeof *sets) : NULL;

    if (!count)
        return CLI_OK;
    if (!sets)
        return cli_error("out of memory");
    for (size_t i = 0; i < count; i++) {
        sets[i] = i < from_file ? f->sets[i] : o->sets[i - from_file];
        if (!strchr(sets[i], '=')) {
            int status = cli_error("--set: '%s'; expected PATH=VALUE", sets[i]);
            free(sets);
            return status;
        }
    }
    int rc = gcnsim_set_all(sim, sets, count, &error);
    free(sets);
    return rc == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

/* Fills options that the command line leaves open from the launch file. */
static int read_launch_file(struct run *l, struct run_options *o)
{
    struct gcnsim_error error = {0};

    if (o->kernel || o->grid[0] || o->workgroup[0] || o->arg_count || o->dynamic_lds_given)
        return cli_usage("run",
                         "%s is a launch file; expected no --kernel, --grid, --workgroup, --arg or --dynamic-lds "
                         "beside it",
                         o->file);
    if (gcnsim_launch_file_open(&l->file, o->file, &error) != GCNSIM_OK ||
        (o->confine && gcnsim_launch_file_confine(l->file, o->confine, &error) != GCNSIM_OK))
        return cli_library_error(&error);
    const struct gcnsim_launch_file *f = l->file;
    l->list = gcnsim_launch_file_list(f);
    o->rounds_given |= l->list->is_list || l->list->repeat || l->list->warmup_rounds;
    if (!o->repeat)
        o->repeat = l->list->repeat;
    if (!o->warmup_given)
        o->warmup = l->list->warmup_rounds;
    o->cold |= l->list->cold != 0;
    if (!o->arch)
        o->arch = f->arch;
    if (o->engine < 0 && f->engine)
        o->engine = strcmp(f->engine, "functional") == 0 ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
    if (!o->max_cycles)
        o->max_cycles = f->max_cycles;
    if (!o->threads)
        o->threads = f->threads;
    if (!o->max_instructions)
        o->max_instructions = f->max_instructions;
    o->check |= f->check != 0;
    o->perfect_memory |= f->perfect_memory != 0;
    return CLI_OK;
}

/* An error of a launch in a list says which it is. */
static int step_error(const struct run *r, size_t k, struct gcnsim_error *error)
{
    struct gcnsim_error whole = *error;

    if (!r->list->is_list)
        return cli_library_error(error);
    snprintf(whole.text, sizeof whole.text, "launches[%zu]: %.600s", k, error->text);
    return cli_library_error(&whole);
}

static int choose_kernel(const struct run *r, size_t k)
{
    struct step *s = &r->step[k];
    const struct gcnsim_code *code = gcnsim_module_code(s->module);
    const char *name = s->from->kernel;
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;

    gcnsim_code_get_info(code, &info);
    if (!name && info.kernel_count == 1)
        return CLI_OK; /* number 0 */
    if (!name)
        return cli_usage("run", "%s: %u kernels; expected --kernel NAME", info.name, info.kernel_count);
    return gcnsim_code_find_kernel(code, name, &s->kernel, &error) == GCNSIM_OK ? CLI_OK : step_error(r, k, &error);
}

/* Grid and workgroup must be there, but that a kernel may say its workgroup itself. */
static int choose_shape(struct step *s)
{
    struct gcnsim_kernel_info info;

    memcpy(s->workgroup, s->from->workgroup, sizeof s->workgroup);
    if (!s->workgroup[0] && gcnsim_code_kernel(gcnsim_module_code(s->module), s->kernel, &info) == GCNSIM_OK)
        memcpy(s->workgroup, info.reqd_workgroup_size, sizeof s->workgroup);
    if (!s->from->grid[0])
        return cli_usage("run", "--grid is missing; expected --grid X[,Y[,Z]]");
    if (!s->workgroup[0])
        return cli_usage("run", "--workgroup is missing; expected --workgroup X[,Y[,Z]]");
    return CLI_OK;
}

/* The code object of step k, loaded once for all steps that have it. */
static int load_code(struct run *r, const struct run_options *o, size_t k)
{
    struct gcnsim_error error = {0};
    struct step *s = &r->step[k];

    for (size_t n = 0; n < k; n++)
        if (strcmp(r->step[n].from->file, s->from->file) == 0) {
            s->module = r->step[n].module;
            return CLI_OK;
        }
    return gcnsim_load_file(r->sim, &s->module, s->from->file, o->target, &error) == GCNSIM_OK
               ? CLI_OK
               : cli_library_error(&error);
}

static int prepare_step(struct run *r, const struct run_options *o, size_t k)
{
    struct gcnsim_error error = {0};
    struct step *s = &r->step[k];
    int status;

    s->from = &r->list->launches[k];
    status = load_code(r, o, k);
    if (status == CLI_OK)
        status = choose_kernel(r, k);
    if (status == CLI_OK)
        status = choose_shape(s);
    if (status == CLI_OK &&
        gcnsim_args_parse_shared(s->module, s->kernel, s->from->args, s->from->arg_count,
                                 r->file ? r->file->directory : NULL, r->buffers, &s->args, &error) != GCNSIM_OK)
        status = step_error(r, k, &error);
    return status;
}

/* The launch that the command line describes, as a list. */
static void list_of_options(struct run *r, const struct run_options *o)
{
    struct gcnsim_listed_launch *l = &r->own_launch;

    *l = (struct gcnsim_listed_launch){.file = o->file,
                                       .kernel = o->kernel,
                                       .args = o->args,
                                       .arg_count = o->arg_count,
                                       .dynamic_lds_bytes = o->dynamic_lds,
                                       .acquire = -1,
                                       .release = -1};
    memcpy(l->grid, o->grid, sizeof l->grid);
    memcpy(l->workgroup, o->workgroup, sizeof l->workgroup);
    r->own_list = (struct gcnsim_launch_list){.launches = l, .launch_count = 1};
    r->list = &r->own_list;
}

/* Everything up to the first launch. */
static int prepare(struct run *r, struct run_options *o)
{
    struct gcnsim_error error = {0};
    int status;

    if (!r->list)
        list_of_options(r, o);
    r->report.warmup_rounds = o->warmup;
    r->report.rounds = o->repeat ? o->repeat : 1;
    r->report.cold = o->cold;
    r->sequence = o->rounds_given;
    r->steps = r->list->launch_count;
    r->step = calloc(r->steps, sizeof *r->step);
    /* what is reported, and a launch of the warm-up that does not complete */
    r->report.items = r->ended = calloc(r->steps * r->report.rounds + 1, sizeof *r->ended);
    if (!r->step || !r->ended)
        return cli_error("out of memory");
    if (gcnsim_open(&r->sim, o->arch, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_set_max_memory(r->sim, o->max_memory ? o->max_memory : cli_default_memory());
    status = apply_sets(r->sim, r->file, o);
    /* also without buffers: files that several launches of a list use are found through them */
    if (status == CLI_OK && (r->list->is_list || r->list->buffer_count) &&
        gcnsim_buffers_make(r->sim, r->list->buffer_names, r->list->buffer_specs, r->list->buffer_count,
                            r->file->directory, &r->buffers, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    for (size_t k = 0; k < r->steps && status == CLI_OK; k++)
        status = prepare_step(r, o, k);
    return status;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* ---- what is written ---- */

/* Every file is looked at before the run, which may take hours. */
static int check_files(const struct run *r, const struct run_options *o, const struct gcnsim_dispatch *d)
{
    struct gcnsim_error error = {0};
    struct gcnsim_file *files = calloc(5 + r->steps, sizeof *files);
    size_t n = 0;

    if (!files)
        return cli_error("out of memory");
    for (size_t k = 1; k < r->steps; k++)
        files[n++] = (struct gcnsim_file){r->step[k].from->file, "the code object", 0};

    if (r->file)
        files[n++] = (struct gcnsim_file){o->file, "the launch file", 0};
    if (is_stdout(o->json) || is_stdout(o->csv) || !o->quiet)
        files[n++] = (struct gcnsim_file){NULL,
                                          is_stdout(o->json)  ? "--json"
                                          : is_stdout(o->csv) ? "--csv"
                                                              : "the report (see --quiet)",
                                          1};
    if (o->json && !is_stdout(o->json))
        files[n++] = (struct gcnsim_file){o->json, "--json", 1};
    if (o->csv && !is_stdout(o->csv))
        files[n++] = (struct gcnsim_file){o->csv, "--csv", 1};
    int rc = gcnsim_check_files(r->step[0].module, d, files, n, &error);
    free(files);
    return rc == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

struct form {
    int (*one)(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
    int (*all)(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
    const char *option, *path;
};

/* One form of the report, to the file that `option` names; "-" is standard output. */
static int write_form(const struct run *r, const struct form *form)
{
    struct gcnsim_error error = {0};
    char *text = NULL;
    int rc = r->sequence ? form->all(&r->report, &text, &error) : form->one(r->ended[0].result, &text, &error);
    int status = CLI_OK;

    if (rc == GCNSIM_OK && is_stdout(form->path)) {
        status = cli_put(text);
    } else if (rc == GCNSIM_OK) {
        rc = gcnsim_write_file(form->path, text, strlen(text), &error);
    }
    gcnsim_free(text);
    if (rc != GCNSIM_OK)
        cli_error("%s: %s", form->option, error.text);
    return rc == GCNSIM_OK ? status : CLI_NOT_WRITTEN;
}

/* All that a run leaves. What cannot be written keeps nothing else from being written, and is named. */
static int write_results(const struct run *r, const struct run_options *o)
{
    const struct form form[] = {
        {gcnsim_result_text, gcnsim_sequence_text, "report",
         o->quiet || is_stdout(o->json) || is_stdout(o->csv) ? NULL : "-"},
        {gcnsim_result_json, gcnsim_sequence_json, "--json", o->json},
        {gcnsim_result_csv, gcnsim_sequence_csv, "--csv", o->csv},
    };
    struct gcnsim_error error = {0};
    int status = CLI_OK;

    for (size_t s = 0; s < r->steps && !r->failed; s++)
        for (size_t k = 0; k < r->step[s].from->arg_count; k++)
            if (gcnsim_args_write_output(r->step[s].args, (uint32_t)k, &error) != GCNSIM_OK) {
                step_error(r, s, &error);
                status = CLI_NOT_WRITTEN;
            }
    for (size_t k = 0; k < r->list->buffer_count && !r->failed; k++)
        if (gcnsim_buffers_write_output(r->buffers, (uint32_t)k, &error) != GCNSIM_OK) {
            cli_library_error(&error);
            status = CLI_NOT_WRITTEN;
        }
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++)
        if (form[k].path && write_form(r, &form[k]) != CLI_OK)
            status = CLI_NOT_WRITTEN;
    return status;
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
        fputs(text, stderr);
    gcnsim_free(text);
}

/* ---- launches ---- */

/* last: the launch that traces are of. */
static void fill_dispatch(const struct run *r, const struct run_options *o, const struct step *s, bool last,
                          struct cli_progress *progress, struct gcnsim_dispatch *d)
{
    gcnsim_dispatch_init(d);
    d->kernel = s->kernel;
    d->engine = o->engine < 0 ? GCNSIM_ENGINE_TIMING : (enum gcnsim_engine)o->engine;
    memcpy(d->grid_size, s->from->grid, sizeof d->grid_size);
    memcpy(d->workgroup_size, s->workgroup, sizeof d->workgroup_size);
    d->dynamic_group_segment_size = s->from->dynamic_lds_bytes;
    if (s->from->acquire >= 0)
        d->acquire = (enum gcnsim_fence)s->from->acquire;
    if (s->from->release >= 0)
        d->release = (enum gcnsim_fence)s->from->release;
    d->args = s->args;
    d->check = o->check;
    d->perfect_memory = o->perfect_memory;
    d->traces = o->traces;
    d->trace_count = last ? o->trace_count : 0;
    d->threads = o->threads;
    d->max_cycles = o->max_cycles;
    d->max_instructions = o->max_instructions;
    d->progress = cli_progress_update;
    d->progress_ctx = progress;
    d->abort_flag = &cli_interrupted;
    d->snapshot_flag = &cli_snapshot_wanted;
    d->snapshot = print_snapshot;
    d->snapshot_ctx = progress;
    d->command_line = o->command_line;
    /* a single launch needs no device that outlives it */
    d->cold = o->cold || !r->sequence;
}

/* Adds the result of a launch to those that are reported. */
static void keep_result(struct run *r, const struct gcnsim_sequence_item *item)
{
    r->failed = item->result->outcome != GCNSIM_COMPLETED;
    if (item->warmup && !r->failed)
        gcnsim_result_free((struct gcnsim_result *)item->result);
    else
        r->ended[r->report.count++] = *item;
}

/* One launch. Without a result the status is that of the error. */
static int launch(struct run *r, const struct run_options *o, struct gcnsim_sequence_item *item, bool last)
{
    struct gcnsim_error error = {0};
    struct gcnsim_dispatch d;
    struct cli_progress progress;
    struct gcnsim_result *result = NULL;
    int status = CLI_OK;
    double done;

    /* --quiet is about chatter: a bar must be asked for by name then */
    cli_progress_start(&progress, o->quiet && o->progress == CLI_PROGRESS_AUTO ? CLI_PROGRESS_NEVER : o->progress);
    /* with a limit a run ends by itself, and says then who is stuck */
    progress.hints = !o->max_cycles && !o->max_instructions && !o->quiet && o->progress != CLI_PROGRESS_NEVER;
    fill_dispatch(r, o, &r->step[item->launch], last, &progress, &d);
    int rc = gcnsim_launch(r->step[item->launch].module, &d, &result, &error);
    if (result && gcnsim_result_stat(result, "workgroups_done", &done) == GCNSIM_OK)
        /* a short run may end before the engine has said anything */
        cli_progress_update(&progress, (uint64_t)done, result->workgroups);
    cli_progress_end(&progress);
    if (rc != GCNSIM_OK)
        status = cli_library_error(&error);
    item->result = result;
    if (!result)
        return status;
    keep_result(r, item);
    return rc == GCNSIM_OK ? CLI_OK : CLI_NOT_WRITTEN; /* traces */
}

/* All rounds, up to the first launch that does not complete; *ended: there is nothing to report. */
static int launch_all(struct run *r, const struct run_options *o, bool *ended)
{
    uint32_t rounds = r->report.warmup_rounds + r->report.rounds;
    int status = CLI_OK;

    for (uint32_t n = 0; n < rounds; n++)
        for (size_t k = 0; k < r->steps; k++) {
            bool warmup = n < r->report.warmup_rounds;
            struct gcnsim_sequence_item item = {.name = r->list->launches[k].name,
                                                .launch = (uint32_t)k,
                                                .round = warmup ? n : n - r->report.warmup_rounds,
                                                .warmup = warmup};
            int one = launch(r, o, &item, n + 1 == rounds && k + 1 == r->steps);

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
        findings = r->ended[k].result->finding_count > findings ? r->ended[k].result->finding_count : findings;
    if (findings)
        cli_error("--check found %zu place%s that hardware may run wrongly", findings, findings == 1 ? "" : "s");
    return findings ? CLI_FAULT : CLI_OK;
}

static int run(struct run *r, struct run_options *o)
{
    struct gcnsim_dispatch d;
    bool no_result = false;
    int status = prepare(r, o);

    if (status != CLI_OK)
        return status;
    fill_dispatch(r, o, &r->step[0], true, NULL, &d);
    status = check_files(r, o, &d);
    if (status != CLI_OK)
        return status;
    cli_catch_interrupts();
    /* A reader that went away, or a limit of file sizes, must not end the run before its other files are written. The
     * write then fails, and that is told. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    status = launch_all(r, o, &no_result);
    if (no_result)
        return status;
    if (write_results(r, o) != CLI_OK)
        status = CLI_NOT_WRITTEN;
    int verdict = judge(r);
    return status == CLI_OK ? verdict : status;
}

/* Checks the options together, once command line and launch file are read. */
static int check_options(const struct run_options *o)
{
    if (is_stdout(o->json) && is_stdout(o->csv))
        return cli_usage("run", "--json - and --csv -; expected one of them on standard output");
    if (o->perfect_memory && (o->check || o->engine == GCNSIM_ENGINE_FUNCTIONAL))
        return cli_usage("run", "--perfect-memory is the timing engine's; expected no %s beside it",
                         o->check ? "--check" : "--engine functional");
    return CLI_OK;
}

/* Checking is the functional engine's unless timing is asked for beside it: then it is for lines that are stale in
 * caches. Done before a launch file is read and after it, so that one that says "timing" does not take --check there.
 */
static void choose_engine(struct run_options *o)
{
    if (o->check && o->engine == -1)
        o->engine = GCNSIM_ENGINE_FUNCTIONAL;
}

int cli_run(int argc, char **argv)
{
    struct run_options o;
    struct run r = {0};
    bool help = false;

    cli_catch_snapshot_signal(); /* early: its default action would end the process */
    int status = run_options_read(&o, argc, argv, &help);
    if (status == CLI_OK && !help) {
        choose_engine(&o);
        if (is_launch_file(o.file))
            status = read_launch_file(&r, &o);
        else if (o.confine)
            status = cli_usage("run", "--confine is for launch files; %s is none", o.file);
        choose_engine(&o);
        if (status == CLI_OK)
            status = check_options(&o);
        if (status == CLI_OK)
            status = run(&r, &o);
    }
    run_close(&r);
    run_options_free(&o);
    return status;
}
