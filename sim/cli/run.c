/* gcnsim run: one launch, from flags or from a launch file. */
#define _GNU_SOURCE
#include "sim/cli/run_options.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct launch {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_result *result;
    struct gcnsim_launch_file *file;
};

static void launch_close(struct launch *l)
{
    gcnsim_result_free(l->result);
    gcnsim_args_free(l->args);
    gcnsim_close(l->sim);
    gcnsim_launch_file_close(l->file);
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
static int read_launch_file(struct launch *l, struct run_options *o)
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
    o->kernel = f->kernel;
    memcpy(o->grid, f->grid, sizeof o->grid);
    memcpy(o->workgroup, f->workgroup, sizeof o->workgroup);
    o->dynamic_lds = f->dynamic_lds_bytes;
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

static int choose_kernel(const struct gcnsim_code *code, const char *name, uint32_t *index)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;

    gcnsim_code_get_info(code, &info);
    if (!name && info.kernel_count == 1) {
        *index = 0;
        return CLI_OK;
    }
    if (!name)
        return cli_usage("run", "%s: %u kernels; expected --kernel NAME", info.name, info.kernel_count);
    return gcnsim_code_find_kernel(code, name, index, &error) == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

/* Grid and workgroup must be there, but that a kernel may say its workgroup itself. */
static int choose_shape(const struct gcnsim_code *code, struct run_options *o, uint32_t kernel)
{
    struct gcnsim_kernel_info info;

    if (!o->workgroup[0] && gcnsim_code_kernel(code, kernel, &info) == GCNSIM_OK)
        memcpy(o->workgroup, info.reqd_workgroup_size, sizeof o->workgroup);
    if (!o->grid[0])
        return cli_usage("run", "--grid is missing; expected --grid X[,Y[,Z]]");
    if (!o->workgroup[0])
        return cli_usage("run", "--workgroup is missing; expected --workgroup X[,Y[,Z]]");
    return CLI_OK;
}

/* Everything up to the launch itself. */
static int prepare(struct launch *l, struct run_options *o, uint32_t *kernel)
{
    struct gcnsim_error error = {0};
    const struct gcnsim_launch_file *f = l->file;
    int status;

    if (gcnsim_open(&l->sim, o->arch, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_set_max_memory(l->sim, o->max_memory ? o->max_memory : cli_default_memory());
    status = apply_sets(l->sim, f, o);
    if (status != CLI_OK)
        return status;
    if (gcnsim_load_file(l->sim, &l->module, f ? f->file : o->file, o->target, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    status = choose_kernel(gcnsim_module_code(l->module), o->kernel, kernel);
    if (status == CLI_OK)
        status = choose_shape(gcnsim_module_code(l->module), o, *kernel);
    if (status != CLI_OK)
        return status;
    if (gcnsim_args_parse(l->module, *kernel, f ? f->args : o->args, f ? f->arg_count : o->arg_count,
                          f ? f->directory : NULL, &l->args, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    return CLI_OK;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* ---- what is written ---- */

/* Every file is looked at before the run, which may take hours. */
static int check_files(const struct launch *l, const struct run_options *o, const struct gcnsim_dispatch *d)
{
    struct gcnsim_error error = {0};
    struct gcnsim_file files[5];
    size_t n = 0;

    if (l->file)
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
    return gcnsim_check_files(l->module, d, files, n, &error) == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

/* One form of the report, to the file that `option` names; "-" is standard output. */
static int write_form(const struct launch *l,
                      int (*render)(const struct gcnsim_result *, char **, struct gcnsim_error *), const char *option,
                      const char *path)
{
    struct gcnsim_error error = {0};
    char *text = NULL;
    int rc = render(l->result, &text, &error), status = CLI_OK;

    if (rc == GCNSIM_OK && is_stdout(path)) {
        status = cli_put(text);
    } else if (rc == GCNSIM_OK) {
        rc = gcnsim_write_file(path, text, strlen(text), &error);
    }
    gcnsim_free(text);
    if (rc != GCNSIM_OK)
        cli_error("%s: %s", option, error.text);
    return rc == GCNSIM_OK ? status : CLI_NOT_WRITTEN;
}

/* All that a run leaves. What cannot be written keeps nothing else from being written, and is named. */
static int write_results(const struct launch *l, const struct run_options *o)
{
    const struct {
        int (*render)(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
        const char *option, *path;
    } form[] = {
        {gcnsim_result_text, "report", o->quiet || is_stdout(o->json) || is_stdout(o->csv) ? NULL : "-"},
        {gcnsim_result_json, "--json", o->json},
        {gcnsim_result_csv, "--csv", o->csv},
    };
    size_t args = l->file ? l->file->arg_count : o->arg_count;
    struct gcnsim_error error = {0};
    int status = CLI_OK;

    for (size_t k = 0; k < args && l->result->outcome == GCNSIM_COMPLETED; k++)
        if (gcnsim_args_write_output(l->args, (uint32_t)k, &error) != GCNSIM_OK) {
            cli_library_error(&error);
            status = CLI_NOT_WRITTEN;
        }
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++)
        if (form[k].path && write_form(l, form[k].render, form[k].option, form[k].path) != CLI_OK)
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

static void fill_dispatch(struct gcnsim_dispatch *d, const struct launch *l, const struct run_options *o,
                          uint32_t kernel, struct cli_progress *progress)
{
    gcnsim_dispatch_init(d);
    d->kernel = kernel;
    d->engine = o->engine < 0 ? GCNSIM_ENGINE_TIMING : (enum gcnsim_engine)o->engine;
    memcpy(d->grid_size, o->grid, sizeof d->grid_size);
    memcpy(d->workgroup_size, o->workgroup, sizeof d->workgroup_size);
    d->dynamic_group_segment_size = o->dynamic_lds;
    d->args = l->args;
    d->check = o->check;
    d->perfect_memory = o->perfect_memory;
    d->traces = o->traces;
    d->trace_count = o->trace_count;
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
}

/* Writes what the run left, and says why it is not all well, if so. */
static int conclude(const struct launch *l, const struct run_options *o, bool traces_failed)
{
    const struct gcnsim_result *r = l->result;
    int status = traces_failed ? CLI_NOT_WRITTEN : CLI_OK;

    if (write_results(l, o) != CLI_OK)
        status = CLI_NOT_WRITTEN;
    if (r->outcome != GCNSIM_COMPLETED)
        cli_error("%s", r->message);
    else if (r->finding_count)
        cli_error("--check found %zu place%s that hardware may run wrongly", r->finding_count,
                  r->finding_count == 1 ? "" : "s");
    else
        return status;
    return status == CLI_OK ? CLI_FAULT : status;
}

static int launch(struct launch *l, struct run_options *o)
{
    struct gcnsim_error error = {0};
    struct gcnsim_dispatch d;
    struct cli_progress progress;
    uint32_t kernel = 0;
    double done;

    int status = prepare(l, o, &kernel);
    if (status != CLI_OK)
        return status;
    fill_dispatch(&d, l, o, kernel, &progress);
    status = check_files(l, o, &d);
    if (status != CLI_OK)
        return status;

    /* --quiet is about chatter: a bar must be asked for by name then */
    cli_progress_start(&progress, o->quiet && o->progress == CLI_PROGRESS_AUTO ? CLI_PROGRESS_NEVER : o->progress);
    /* with a limit a run ends by itself, and says then who is stuck */
    progress.hints = !o->max_cycles && !o->max_instructions && !o->quiet && o->progress != CLI_PROGRESS_NEVER;
    cli_catch_interrupts();
    /* A reader that went away, or a limit of file sizes, must not end the run before its other files are written. The
     * write then fails, and that is told. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int rc = gcnsim_launch(l->module, &d, &l->result, &error);
    if (l->result && gcnsim_result_stat(l->result, "workgroups_done", &done) == GCNSIM_OK)
        /* a short run may end before the engine has said anything */
        cli_progress_update(&progress, (uint64_t)done, l->result->workgroups);
    cli_progress_end(&progress);
    if (rc != GCNSIM_OK)
        status = cli_library_error(&error);
    return l->result ? conclude(l, o, rc != GCNSIM_OK) : status;
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
    struct launch l = {0};
    bool help = false;

    cli_catch_snapshot_signal(); /* early: its default action would end the process */
    int status = run_options_read(&o, argc, argv, &help);
    if (status == CLI_OK && !help) {
        choose_engine(&o);
        if (is_launch_file(o.file))
            status = read_launch_file(&l, &o);
        else if (o.confine)
            status = cli_usage("run", "--confine is for launch files; %s is none", o.file);
        choose_engine(&o);
        if (status == CLI_OK)
            status = check_options(&o);
        if (status == CLI_OK)
            status = launch(&l, &o);
    }
    launch_close(&l);
    run_options_free(&o);
    return status;
}
