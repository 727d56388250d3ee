/* gcnsim run: one launch, from flags or from a launch file. */
#define _GNU_SOURCE
#include "sim/cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] = "usage: gcnsim run FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
                           "                  [--arg SPEC]... [--dynamic-lds BYTES] [options]\n"
                           "       gcnsim run LAUNCH.json [options]\n"
                           "\n"
                           "Runs a kernel to its end and reports where its cycles went. FILE is an amdgcn\n"
                           "code object or an offload bundle; LAUNCH.json holds the same as a file\n"
                           "(docs/LAUNCH_FILES.md).\n"
                           "\n"
                           "  --kernel NAME         may be left out when the file holds one kernel\n"
                           "  --grid X[,Y[,Z]]      work-items, as in an AQL packet\n"
                           "  --workgroup X[,Y[,Z]] work-items per workgroup; may be left out when the\n"
                           "                        kernel requires a size\n"
                           "  --arg SPEC            one for each explicit argument, in order:\n"
                           "                          buf:BYTES            zero-filled device memory\n"
                           "                          in:PATH              with the bytes of a file\n"
                           "                          out:PATH:BYTES       written to a file after the run\n"
                           "                          inout:PATH:OUTPATH   both\n"
                           "                          i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 :VALUE\n"
                           "                          bytes:HEX            the argument's own bytes\n"
                           "  --dynamic-lds BYTES   LDS beyond what the kernel declares\n"
                           "\n"
                           "  --arch PROFILE        a profile's name or FILE.json (gcnsim arch list);\n"
                           "                        by default the one for the code object's target\n"
                           "  --target NAME         the entry of an offload bundle; by default the profile's\n"
                           "  --engine timing|functional\n"
                           "                        timing counts cycles (default); functional computes\n"
                           "                        results without time\n"
                           "  --check               functional engine: report missing waits and wait states\n"
                           "                        and reads of uninitialised data; with --engine\n"
                           "                        timing: reads of stale cache lines (docs/CHECK.md)\n"
                           "  --perfect-memory      timing engine: every access hits the nearest cache\n"
                           "  --threads N           host threads (default 1)\n"
                           "  --max-cycles N        stop after N cycles; functional: when a wave has run N\n"
                           "                        instructions (a wave issues one per cycle at most)\n"
                           "  --max-instructions N  stop after N wave-instructions\n"
                           "  --confine DIR         refuse a LAUNCH.json that names files outside DIR\n"
                           "  --max-memory BYTES    refuse what would hold more, K, M, G or T behind it\n"
                           "                        (default: three quarters of the host's memory)\n"
                           "  --set PATH=VALUE      replace one figure of the profile (gcnsim arch show)\n"
                           "  --trace FORMAT=FILE   write a trace of the timing engine's events; may be\n"
                           "                        given several times (formats: see below)\n"
                           "  --json FILE|-         the report as JSON; with - nothing else on stdout\n"
                           "  --csv FILE|-          the statistics as lines of name,unit,value; likewise\n"
                           "  --progress auto|always|never\n"
                           "                        a bar on stderr; auto: on a terminal, for long work\n"
                           "  --quiet               no report on stdout\n"
                           "\n"
                           "Who is stuck: a run that ends by a limit, Ctrl-C, SIGTERM or a deadlock reports\n"
                           "where its resident waves are and what they wait for. 'kill -USR1 PID' shows that\n"
                           "of a running one on stderr, at any time. A run without --max-cycles and\n"
                           "--max-instructions in which no workgroup finishes for 10 s (then 20, 40 ...)\n"
                           "says so on stderr, unless --quiet or --progress never is given (docs/STUCK.md).\n"
                           "\n"
                           "Files are written whole, under their names when they are complete. Two outputs\n"
                           "with one file, or an output that is an input (but inout:PATH:PATH), are errors.\n"
                           "\n"
                           "exit status: 0 the kernel ran to its end; 1 it faulted, reached --max-cycles or\n"
                           "--max-instructions or was interrupted (Ctrl-C): the report so far is printed,\n"
                           "traces are kept, files of out arguments are not written; or --check found\n"
                           "something; 2 bad input or usage, or more memory than there is or --max-memory\n"
                           "allows: no report; 3 it ran, but not everything could be written\n";

struct run_options {
    const char *file, *kernel;
    uint32_t grid[3], workgroup[3]; /* [0] is 0 when not given */
    const char **args;
    size_t arg_count;
    uint32_t dynamic_lds;
    bool dynamic_lds_given;
    const char *arch, *target, *confine;
    int engine; /* enum gcnsim_engine, -1 when not given */
    uint32_t threads;
    uint64_t max_cycles, max_instructions, max_memory;
    const char **sets;
    size_t set_count;
    const char **traces;
    size_t trace_count;
    const char *json, *csv;
    char *command_line;
    enum cli_progress_when progress;
    bool quiet, check, perfect_memory;
};

/* ---- options ---- */

static int bad_value(const char *option, const char *got, const char *expected)
{
    return cli_usage("run", "%s: '%s'; expected %s", option, got, expected);
}

static int number_option(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char expected[80];

    if (cli_number(text, most, value) && *value >= least)
        return CLI_OK;
    if (most == UINT64_MAX)
        snprintf(expected, sizeof expected, "a whole number from %llu on", (unsigned long long)least);
    else
        snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
    return bad_value(option, text, expected);
}

/* The index of a word in a list that ends with null, -1 when it is not there. */
static int word_index(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

enum { OPT_KERNEL = 256, OPT_GRID, OPT_WORKGROUP, OPT_ARG, OPT_LDS, OPT_ARCH, OPT_ENGINE, OPT_THREADS };
enum {
    OPT_MAX_CYCLES = 300,
    OPT_MAX_MEMORY,
    OPT_CONFINE,
    OPT_MAX_INSTRUCTIONS,
    OPT_SET,
    OPT_JSON,
    OPT_CSV,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_TARGET,
    OPT_CHECK,
    OPT_PERFECT,
    OPT_TRACE
};

static const struct option long_options[] = {
    {"kernel", required_argument, NULL, OPT_KERNEL},
    {"grid", required_argument, NULL, OPT_GRID},
    {"workgroup", required_argument, NULL, OPT_WORKGROUP},
    {"arg", required_argument, NULL, OPT_ARG},
    {"dynamic-lds", required_argument, NULL, OPT_LDS},
    {"arch", required_argument, NULL, OPT_ARCH},
    {"target", required_argument, NULL, OPT_TARGET},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"max-instructions", required_argument, NULL, OPT_MAX_INSTRUCTIONS},
    {"max-memory", required_argument, NULL, OPT_MAX_MEMORY},
    {"confine", required_argument, NULL, OPT_CONFINE},
    {"set", required_argument, NULL, OPT_SET},
    {"json", required_argument, NULL, OPT_JSON},
    {"csv", required_argument, NULL, OPT_CSV},
    {"progress", required_argument, NULL, OPT_PROGRESS},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"check", no_argument, NULL, OPT_CHECK},
    {"perfect-memory", no_argument, NULL, OPT_PERFECT},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* One option with its value; CLI_OK or CLI_BAD_INPUT. */
static int take_option(struct run_options *o, int option, const char *value)
{
    static const char *const engines[] = {"timing", "functional", NULL};
    static const char *const whens[] = {"auto", "always", "never", NULL};
    uint64_t n = 0;
    int status = CLI_OK, i;

    switch (option) {
    case OPT_KERNEL:
        o->kernel = value;
        break;
    case OPT_GRID:
    case OPT_WORKGROUP:
        if (!cli_triple(value, option == OPT_GRID ? o->grid : o->workgroup))
            status = bad_value(option == OPT_GRID ? "--grid" : "--workgroup", value,
                               "X[,Y[,Z]], whole numbers of work-items from 1 to 4294967295");
        break;
    case OPT_ARG:
        o->args[o->arg_count++] = value;
        break;
    case OPT_LDS:
        status = number_option("--dynamic-lds", value, 0, UINT32_MAX, &n);
        o->dynamic_lds = (uint32_t)n;
        o->dynamic_lds_given = true;
        break;
    case OPT_ARCH:
        o->arch = value;
        break;
    case OPT_TARGET:
        o->target = value;
        break;
    case OPT_ENGINE:
        i = word_index(value, engines);
        if (i < 0)
            return bad_value("--engine", value, "timing or functional");
        o->engine = i == 0 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        break;
    case OPT_THREADS:
        status = number_option("--threads", value, 1, 1024, &n);
        o->threads = (uint32_t)n;
        break;
    case OPT_MAX_CYCLES:
        status = number_option("--max-cycles", value, 1, UINT64_MAX, &o->max_cycles);
        break;
    case OPT_MAX_INSTRUCTIONS:
        status = number_option("--max-instructions", value, 1, UINT64_MAX, &o->max_instructions);
        break;
    case OPT_CONFINE:
        o->confine = value;
        break;
    case OPT_MAX_MEMORY:
        if (!cli_bytes(value, &o->max_memory))
            status = bad_value("--max-memory", value, CLI_BYTES_EXPECTED);
        break;
    case OPT_SET:
        if (!strchr(value, '=') || value[0] == '=')
            return bad_value("--set", value, "PATH=VALUE");
        o->sets[o->set_count++] = value;
        break;
    case OPT_JSON:
        o->json = value;
        break;
    case OPT_CSV:
        o->csv = value;
        break;
    case OPT_PROGRESS:
        i = word_index(value, whens);
        if (i < 0)
            return bad_value("--progress", value, "auto, always or never");
        o->progress = (enum cli_progress_when)i;
        break;
    case OPT_QUIET:
        o->quiet = true;
        break;
    case OPT_CHECK:
        o->check = true;
        break;
    case OPT_PERFECT:
        o->perfect_memory = true;
        break;
    case OPT_TRACE:
        o->traces[o->trace_count++] = value;
        break;
    }
    return status;
}

/* Bytes of words that need no quotes in a shell. */
#define WORD_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.,:/+@%"

/* ---- the launch ---- */

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
    gcnsim_dispatch_init(&d);
    d.kernel = kernel;
    d.engine = o->engine < 0 ? GCNSIM_ENGINE_TIMING : (enum gcnsim_engine)o->engine;
    memcpy(d.grid_size, o->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, o->workgroup, sizeof d.workgroup_size);
    d.dynamic_group_segment_size = o->dynamic_lds;
    d.args = l->args;
    d.check = o->check;
    d.perfect_memory = o->perfect_memory;
    d.traces = o->traces;
    d.trace_count = o->trace_count;
    d.threads = o->threads;
    d.max_cycles = o->max_cycles;
    d.max_instructions = o->max_instructions;
    d.progress = cli_progress_update;
    d.progress_ctx = &progress;
    d.abort_flag = &cli_interrupted;
    d.snapshot_flag = &cli_snapshot_wanted;
    d.snapshot = print_snapshot;
    d.snapshot_ctx = &progress;
    d.command_line = o->command_line;
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
        cli_library_error(&error);
    if (!l->result)
        return CLI_BAD_INPUT;
    if (rc != GCNSIM_OK) /* traces */
        status = CLI_NOT_WRITTEN;
    if (write_results(l, o) != CLI_OK)
        status = CLI_NOT_WRITTEN;
    if (l->result->outcome != GCNSIM_COMPLETED) {
        cli_error("%s", l->result->message);
        status = status == CLI_OK ? CLI_FAULT : status;
    }
    if (l->result->finding_count && l->result->outcome == GCNSIM_COMPLETED) {
        cli_error("--check found %zu place%s that hardware may run wrongly", l->result->finding_count,
                  l->result->finding_count == 1 ? "" : "s");
        status = status == CLI_OK ? CLI_FAULT : status;
    }
    return status;
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

static void print_help(void)
{
    const char *format, *about;

    fputs(help, stdout);
    fputs("\ntrace formats:\n", stdout);
    for (size_t k = 0; (format = gcnsim_trace_format(k, &about)); k++)
        printf("  %-21s %s\n", format, about);
}

/* The words of the command line with blanks between them; words that a shell would take apart are quoted. Null when out
 * of memory. */
static char *join_words(int argc, char **argv)
{
    size_t room = sizeof "gcnsim"; /* argv[0] is the command */

    for (int k = 0; k < argc; k++)
        room += 4 * strlen(argv[k]) + sizeof " ''";
    char *text = malloc(room), *to = text ? stpcpy(text, "gcnsim") : NULL;
    for (int k = 0; k < argc && text; k++) {
        bool plain = *argv[k] && argv[k][strspn(argv[k], WORD_BYTES)] == 0;

        to = stpcpy(to, plain ? " " : " '");
        for (const char *c = argv[k]; *c; c++)
            if (*c == '\'' && !plain)
                to = stpcpy(to, "'\\''");
            else
                *to++ = *c;
        to = stpcpy(to, plain ? "" : "'");
    }
    return text;
}

int cli_run(int argc, char **argv)
{
    struct run_options o = {.engine = -1, .progress = CLI_PROGRESS_AUTO};
    struct launch l = {0};
    int status = CLI_OK, c;

    /* no more of each than there are words */
    o.args = calloc((size_t)argc, sizeof *o.args);
    o.sets = calloc((size_t)argc, sizeof *o.sets);
    o.traces = calloc((size_t)argc, sizeof *o.traces);
    o.command_line = join_words(argc, argv); /* before getopt_long() moves them */
    cli_catch_snapshot_signal();             /* early: its default action would end the process */
    if (!o.args || !o.sets || !o.traces || !o.command_line) {
        status = cli_error("out of memory");
        goto out;
    }
    opterr = 0;
    while (status == CLI_OK && (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (c == 'h') {
            print_help();
            status = cli_flush();
            goto out;
        }
        status = c == '?' || c == ':' ? cli_bad_option("run", c, argv) : take_option(&o, c, optarg);
    }
    if (status == CLI_OK && argc - optind != 1)
        status = cli_usage("run", "%d files given; expected one code object or launch file", argc - optind);
    if (status != CLI_OK)
        goto out;
    o.file = argv[optind];
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
out:
    launch_close(&l);
    free(o.args);
    free(o.sets);
    free(o.traces);
    free(o.command_line);
    return status;
}
