/* gcnsim exec: options, and the environment in which the program finds them and the library. */
#define _GNU_SOURCE
#include "sim/cli/exec.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/view_options.h"

enum { MAX_PROFILES = 16 };

struct choice {
    const char *arch;
    struct cli_list sets;
    bool info;
};

/* ---- profiles ---- */

static bool is_path(const char *profile)
{
    size_t n = strlen(profile);

    return strchr(profile, '/') || (n > 5 && !strcmp(profile + n - 5, ".json"));
}

/* One profile with the values that --set gives it; *out is what GCNSIM_ARCH holds of it. */
static int profile(const struct choice *c, const char *name, FILE *out)
{
    struct gcnsim_error error = {0};
    char *text = NULL, *real;
    struct stat st;

    if (gcnsim_profile_show(name, c->sets.items, c->sets.count, GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_free(text);
    if (!is_path(name)) {
        fputs(name, out);
        return CLI_OK;
    }
    real = realpath(name, NULL);
    if (!real || stat(real, &st) != 0 || !S_ISREG(st.st_mode)) {
        free(real);
        return cli_error("exec: --arch %s: expected a file that the program can read again", name);
    }
    int status = strchr(real, ',')
                     ? cli_error("exec: --arch %s: a comma ends a profile's path; expected %s without it", name, real)
                     : CLI_OK;
    fputs(real, out);
    free(real);
    return status;
}

static int each_profile(const struct choice *c, char *list, FILE *out)
{
    unsigned n = 0;
    char *one;

    while ((one = strsep(&list, ","))) {
        if (!*one || n++ == MAX_PROFILES)
            return cli_usage("exec", "--arch %s: expected 1 to %d profiles, separated by commas", c->arch,
                             MAX_PROFILES);
        if (n > 1)
            fputc(',', out);
        int status = profile(c, one, out);
        if (status)
            return status;
    }
    return CLI_OK;
}

static int profiles(const struct choice *c)
{
    char *list = strdup(c->arch), *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int status = list && out ? each_profile(c, list, out) : exec_no_memory();

    if (out && fclose(out) != 0 && !status)
        status = exec_no_memory();
    if (!status)
        status = exec_put("GCNSIM_ARCH", text);
    free(text);
    free(list);
    return status;
}

static int sets(const struct choice *c)
{
    char *text = NULL;
    size_t size;
    FILE *out;

    if (!c->sets.count)
        return CLI_OK;
    out = open_memstream(&text, &size);
    if (!out)
        return exec_no_memory();
    for (size_t k = 0; k < c->sets.count; k++)
        fprintf(out, "%s%s", k ? "\n" : "", c->sets.items[k]);
    int status = fclose(out) == 0 ? exec_put("GCNSIM_SET", text) : exec_no_memory();
    free(text);
    return status;
}

/* What the functional engine has nothing of. */
static const struct {
    const char *variable, *what;
} of_timing[] = {
    {"GCNSIM_KERNELS", "--kernels says what the timing engine runs"},
    {"GCNSIM_DISPATCHES", "--dispatches says what the timing engine runs"},
    {"GCNSIM_SAMPLE", "--sample estimates times"},
    {"GCNSIM_TRACE", "--trace is of the timing engine"},
    {"GCNSIM_HTML", "--html is of the timing engine"},
    {"GCNSIM_ANNOTATE", "--annotate is of the timing engine"},
    {"GCNSIM_TIMELINE", "--timeline is of the timing engine"},
    {"GCNSIM_SAMPLES", "--samples is of the timing engine"},
    {"GCNSIM_PER_INSTRUCTION", "--per-instruction is of the timing engine"},
    {"GCNSIM_CSV_INSTRUCTIONS", "--csv instructions= is of the timing engine"},
    {"GCNSIM_EXPLAIN", "--explain is of the timing engine"},
    {"GCNSIM_ATT", "--att is of the timing engine"},
};

/* Whether a variable asks for something: an empty one is none, and a flag may be 0. */
static bool asks(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value && strcmp(value, "0") != 0;
}

/* What is chosen together has to fit. */
static int check(struct choice *c)
{
    const char *engine = getenv("GCNSIM_ENGINE"), *arch = getenv("GCNSIM_ARCH");
    bool timing = engine && !strcmp(engine, "timing");

    for (size_t k = 0; k < c->sets.count; k++)
        if (strchr(c->sets.items[k], '\n'))
            return cli_usage("exec", "--set: a line end in the value; expected PATH=VALUE");
    for (size_t k = 0; !timing && k < sizeof of_timing / sizeof *of_timing; k++)
        if (asks(of_timing[k].variable))
            return cli_usage("exec", "%s; expected --engine timing beside it", of_timing[k].what);
    if (asks("GCNSIM_SAMPLE") && asks("GCNSIM_CHECK"))
        return cli_usage("exec", "--sample does not go with --check, which is of the functional engine");
    if (asks("GCNSIM_TIMELINE_ROWS") && !asks("GCNSIM_TIMELINE"))
        return cli_usage("exec", "--timeline-rows is for --timeline; there is none");
    if (!c->arch)
        c->arch = arch && *arch ? arch : "gfx90a";
    int status = profiles(c);
    return status ? status : sets(c);
}

/* ---- options ---- */

#define AT(field) offsetof(struct choice, field)

static const struct cli_option rows[] = {
    {"the simulated system", .kind = CLI_GROUP},
    {"arch", "PROFILE[,...]", CLI_TEXT, AT(arch), .values = CLI_PROFILE_LISTS, .variable = "GCNSIM_ARCH",
     .help = "one GPU for each profile: its name, target or FILE.json (gcnsim arch list; default gfx90a)"},
    {"engine", "functional|timing", CLI_TAKE, .take = exec_take_word, .words = "functional|timing",
     .variable = "GCNSIM_ENGINE", .help = "results alone (default), or cycles, too"},
    {"threads", "N", CLI_TAKE, .take = exec_take_threads, .variable = "GCNSIM_THREADS",
     .help = "host threads for one kernel; 0: as many as the host has"},
    {"set", "PATH=VALUE", CLI_LIST, AT(sets), .pair = true, .values = CLI_FIGURES, .variable = "GCNSIM_SET",
     .help = "replace one figure of all profiles (gcnsim arch show)"},
    {"slack", "none|page", CLI_TAKE, .take = exec_take_word, .words = "none|page", .variable = "GCNSIM_SLACK",
     .help = "whether an overrun up to the end of a page is an error (none), or told (page, the default)"},
    {"info", NULL, CLI_FLAG, AT(info),
     .help = "print agents, memory pools, instruction sets and caches as programs are shown them, as rocminfo does"},

    {"which kernels, and how long", .kind = CLI_GROUP},
    {"kernels", "REGEX", CLI_TAKE, .take = exec_take_kernels, .variable = "GCNSIM_KERNELS",
     .help = "kernels that the timing engine runs; others run functionally"},
    {"dispatches", "LIST", CLI_TAKE, .take = exec_take_dispatches, .variable = "GCNSIM_DISPATCHES",
     .help = "the same by number from 1 on: 3,7-9"},
    {"sample", "kernels[=AUTO|N]", CLI_TAKE, .take = exec_take_sample, .variable = "GCNSIM_SAMPLE",
     .help = "timing engine: time some dispatches of each kernel, grid and path through the code, execute the others "
             "without time, and estimate what they cost (docs/SAMPLING.md)"},
    {"blit-kernels", NULL, CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_BLIT_KERNELS",
     .help = "simulate the language runtime's own kernels for copies and fills, too"},
    {"max-wall", "SECONDS", CLI_TAKE, .take = exec_take_max_wall, .variable = "GCNSIM_MAX_WALL",
     .help = "end the program after that time, with the report so far"},
    {"ignore-lds-races", NULL, CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_IGNORE_LDS_RACES",
     .help = "functional engine: do not look for waves that race in LDS (docs/CHECK.md)"},
    {"check", NULL, CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_CHECK",
     .help = "tell bugs that hardware hides, as gcnsim run --check"},

    {"what to write", .kind = CLI_GROUP},
    {"report", "FILE.db", CLI_TAKE, .take = exec_take_file, .values = CLI_FILES, .variable = "GCNSIM_REPORT",
     .help = "every dispatch with its statistics (SQLite)"},
    {"json", "DIR", CLI_TAKE, .take = exec_take_file, .values = CLI_FOLDERS, .variable = "GCNSIM_JSON",
     .help = "each dispatch's report as JSON in DIR (the first 256, or those of --dispatches)"},
    {"csv", "DIR|WHAT=FILE", CLI_TAKE, .take = exec_take_csv, .values = CLI_FOLDERS, .variable = "GCNSIM_CSV",
     .help = "kernel trace and counters as rocprofv3 has them, in DIR; or one table, of all dispatches: statistics, "
             "counters (AMD's names and rocprofv3's columns), or instructions (the table of rocprofv3's thread traces, "
             "summed over dispatches)"},
    {"annotate", NULL, CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_ANNOTATE",
     .help = "behind the summary, what each function, loop, source line and instruction of each kernel cost, in all of "
             "its dispatches together (docs/ANNOTATE.md)"},
    VIEW_SORT(CLI_TAKE, .take = exec_take_word, .variable = "GCNSIM_SORT"),
    VIEW_TOP(CLI_TAKE, .take = exec_take_count, .variable = "GCNSIM_TOP"),
    VIEW_FUNCTION(CLI_TAKE, .take = exec_take_text, .variable = "GCNSIM_FUNCTION"),
    VIEW_COLOR(CLI_TAKE, .take = exec_take_word, .variable = "GCNSIM_COLOR"),
    {"of", "KERNEL[,N]", CLI_TAKE, .take = exec_take_kernel, .variable = "GCNSIM_OF",
     .help = "--annotate, --csv instructions and --timeline show the N-th dispatch (default: the first) of the kernels "
             "with KERNEL in their name alone"},
    VIEW_PER_INSTRUCTION(CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_PER_INSTRUCTION"),
    VIEW_SAMPLES(CLI_TAKE, .take = exec_take_count, .variable = "GCNSIM_SAMPLES"),
    {"explain", "KERNEL[,N]", CLI_TAKE, .take = exec_take_kernel, .variable = "GCNSIM_EXPLAIN",
     .help = "what would make the N-th dispatch (default: the first) of the kernels with KERNEL in their name faster: "
             "simulated before it runs, in child processes, on a cold device (docs/EXPLAIN.md)"},
    {"explain-json", "FILE", CLI_TAKE, .take = exec_take_file, .values = CLI_FILES, .variable = "GCNSIM_EXPLAIN_JSON",
     .help = "the same as JSON"},
    {"explain-warmup", "N", CLI_TAKE, .take = exec_take_count, .least = 1, .variable = "GCNSIM_EXPLAIN_WARMUP",
     .help = "in each of its simulations the dispatch runs N times before, for what that leaves in the caches, and in "
             "memory"},
    {"html", "DIR", CLI_TAKE, .take = exec_take_file, .values = CLI_FOLDERS, .variable = "GCNSIM_HTML",
     .help = "pages for a browser: DIR/index.html lists all dispatches, each that the timing engine runs has its own "
             "(the first 256, or those of --dispatches; docs/HTML.md)"},
    {"att", "DIR", CLI_TAKE, .take = exec_take_path, .values = CLI_FOLDERS, .variable = "GCNSIM_ATT",
     .help = "AMD's thread trace of each dispatch that the timing engine runs, in DIR (docs/ATT.md)"},
    {"att-cus", "first|all", CLI_TAKE, .take = exec_take_word, .words = "first|all", .variable = "GCNSIM_ATT_CUS",
     .help = "of the first CU (WGP) of each shader engine that gets a wave (default), or of all"},
    {"trace", "FILE.pftrace", CLI_TAKE, .take = exec_take_file, .values = CLI_FILES, .variable = "GCNSIM_TRACE",
     .help = "a timeline for ui.perfetto.dev of what the timing engine runs (docs/TIMELINE.md); .gz or .zst behind it "
             "compresses, %p in it is the number of the process"},
    VIEW_TRACE_CUS(CLI_TAKE, .take = exec_take_text, .variable = "GCNSIM_TRACE_CUS"),
    {"trace-cycles", "A:B", CLI_TAKE, .take = exec_take_span, .variable = "GCNSIM_TRACE_CYCLES",
     .help = "cycles of the device's clock that are in it, from A on and before B"},
    VIEW_TRACE_SIZE(CLI_TAKE, .take = exec_take_bytes, .variable = "GCNSIM_TRACE_SIZE"),
    VIEW_TRACE_NS(CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_TRACE_NS"),
    {"timeline", "[WG:WAVE]", CLI_TAKE, .take = exec_take_wave, .bare = "0:0", .variable = "GCNSIM_TIMELINE",
     .help = "what a wave of a dispatch (default: 0:0) does over time, a row for each instruction, among the messages: "
             "of the first "
             "dispatch that the timing engine runs, or that of --of (docs/TIMELINE.md)"},
    VIEW_TIMELINE_ROWS(CLI_TAKE, .take = exec_take_span, .variable = "GCNSIM_TIMELINE_ROWS"),
    {"log", "FILE", CLI_TAKE, .take = exec_take_file, .values = CLI_FILES, .variable = "GCNSIM_LOG",
     .help = "messages go there, not to standard error"},
    {"details", NULL, CLI_TAKE, .take = exec_take_flag, .variable = "GCNSIM_DETAILS",
     .help = "all kernels in the summary at the end, with their whole names"},
    {"no-summary", NULL, CLI_TAKE, .take = exec_take_no_summary, .variable = "GCNSIM_SUMMARY",
     .help = "no summary at the end"},
    {.kind = CLI_END},
};

const struct cli_command cli_command_exec = {
    .name = "exec",
    .summary = "runs a HIP, OpenMP or HSA program on simulated GPUs",
    .usage = "exec [OPTION]... [--] PROGRAM [ARG...]\n"
             "exec --info [--arch PROFILE[,PROFILE...]]",
    .about = "Runs a program of HIP, OpenMP or HSA as it is, with simulated GPUs in the place of real ones. No GPU, "
             "driver or ROCm installation is needed beside the libraries that the program itself asks for. Input, "
             "output, signals and exit status are the program's.",
    .options = rows,
    .sections =
        {{"environment",
          "Each option sets a variable of its name, --max-wall 60 GCNSIM_MAX_WALL=60 and --check GCNSIM_CHECK=1 "
          "(--no-summary: GCNSIM_SUMMARY=0), which the library reads also where something else starts the "
          "program: docs/ROCM.md."},
         {"exit status", "the program's; 2, with a message, when it cannot be started, and when it ends with 0 without "
                         "a dispatch that "
                         "--explain or --of names"}},
    .run = cli_exec,
    .operands = CLI_PROGRAMS,
    .stops = true,
};

/* ---- the program ---- */

/* entry in front of or behind what the variable holds. Libraries of sanitizers have to come first, so what is preloaded
 * already stays there. */
static int join(const char *name, const char *entry, bool in_front)
{
    const char *old = getenv(name);
    char *text = NULL;

    if (!old || !*old)
        return exec_put(name, entry);
    if (asprintf(&text, "%s:%s", in_front ? entry : old, in_front ? old : entry) < 0)
        return exec_no_memory();
    int status = exec_put(name, text);
    free(text);
    return status;
}

static int become(const char *folder, const char *path, char **argv)
{
    char libraries[2 * EXEC_PATH + 64], files[EXEC_PATH + 32], number[32];
    int status;

    /* by which the library knows the program among what that starts */
    snprintf(number, sizeof number, "%ld", (long)getpid());
    /* by its path for programs with a runtime of their own in their search path, by its name for dlopen(); and what
     * leads programs to the simulated GPUs' files, where the folder has it */
    snprintf(files, sizeof files, "%s/libgcnsim-sysfs.so", folder);
    bool has_files = access(files, R_OK) == 0;
    snprintf(libraries, sizeof libraries, "%s%s%s/libhsa-runtime64.so.1", has_files ? files : "", has_files ? ":" : "",
             folder);
    status = join("LD_PRELOAD", libraries, false);
    if (!status)
        status = join("LD_LIBRARY_PATH", folder, true);
    if (!status)
        status = exec_put("GCNSIM_EXEC", number);
    if (status)
        return status;
    execv(path, argv);
    return cli_error("exec: %s: %s", path, strerror(errno));
}

static int run(struct choice *c, int argc, char **argv)
{
    char folder[EXEC_PATH], path[EXEC_PATH];
    bool done = false;
    int status = cli_options_read(&cli_command_exec, argc, argv, c, &done);

    if (done)
        return status;
    if (c->info && optind < argc)
        return cli_usage("exec", "--info runs no program; expected nothing behind its options, not %s", argv[optind]);
    if (!c->info && optind == argc)
        return cli_usage("exec", "no program given; expected gcnsim exec [options] PROGRAM [ARG...]");
    status = check(c);
    if (!status && !c->info)
        status = exec_program(argv[optind], path);
    if (!status)
        status = exec_library(folder);
    if (status)
        return status;
    return c->info ? exec_info(folder) : become(folder, path, argv + optind);
}

int cli_exec(int argc, char **argv)
{
    struct choice c = {0};
    int status = run(&c, argc, argv);

    cli_options_free(&cli_command_exec, &c);
    return status;
}
