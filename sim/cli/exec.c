/* gcnsim exec: options, and the environment in which the program finds them and the library. */
#define _GNU_SOURCE
#include "sim/cli/exec.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/options.h"

enum { MAX_PROFILES = 16, MAX_THREADS = 1024, MAX_WALL_SECONDS = 1000000000 };

struct choice {
    const char *arch;
    struct cli_list sets;
    bool info;
};

/* ---- values: each is put into the environment, under the name of the row's variable ---- */

static int out_of_memory(void)
{
    return cli_error("exec: out of memory");
}

static int put(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 ? CLI_OK : out_of_memory();
}

/* The path from the root: programs change their folder. */
static int put_path(const struct cli_option *row, const char *path)
{
    char folder[PATH_MAX], *whole = NULL;
    int status;

    if (!*path)
        return cli_usage("exec", "--%s: the name is empty", row->name);
    if (*path == '/')
        return put(row->variable, path);
    if (!getcwd(folder, sizeof folder))
        return cli_error("exec: --%s: the current folder: %s", row->name, strerror(errno));
    if (asprintf(&whole, "%s/%s", folder, path) < 0)
        return out_of_memory();
    status = put(row->variable, whole);
    free(whole);
    return status;
}

/* A file to be written: its folder has to be there now, not after hours. */
static int take_file(void *choice, const struct cli_option *row, const char *path)
{
    int status = put_path(row, path);

    (void)choice;
    if (status)
        return status;
    char *folder = strdup(getenv(row->variable));
    if (!folder)
        return out_of_memory();
    *(strrchr(folder, '/') + (strrchr(folder, '/') == folder)) = 0;
    if (access(folder, W_OK | X_OK) != 0)
        status = cli_error("exec: --%s %s: the folder %s: %s", row->name, path, folder, strerror(errno));
    free(folder);
    return status;
}

/* A folder that is made when it is needed. */
static int take_path(void *choice, const struct cli_option *row, const char *path)
{
    (void)choice;
    return put_path(row, path);
}

static int take_flag(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    (void)value;
    return put(row->variable, "1");
}

static int take_text(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    return put(row->variable, value);
}

/* "512M"; the variable holds bytes. */
static int take_bytes(void *choice, const struct cli_option *row, const char *value)
{
    char text[24];
    uint64_t n;

    (void)choice;
    if (!cli_bytes(value, &n))
        return cli_usage("exec", "--%s %s: expected %s", row->name, value, CLI_BYTES_EXPECTED);
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    return put(row->variable, text);
}

static int take_no_summary(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    (void)value;
    return put(row->variable, "0");
}

/* One of the row's words. */
static int take_word(void *choice, const struct cli_option *row, const char *value)
{
    int place;

    (void)choice;
    return cli_word("exec", row, value, &place) == CLI_OK ? put(row->variable, value) : CLI_BAD_INPUT;
}

static int take_threads(void *choice, const struct cli_option *row, const char *value)
{
    uint64_t n;

    (void)choice;
    if (!cli_number(value, MAX_THREADS, &n))
        return cli_usage("exec", "--threads %s: expected a whole number from 0 to %d", value, MAX_THREADS);
    return put(row->variable, value);
}

static int take_max_wall(void *choice, const struct cli_option *row, const char *value)
{
    char *end;
    double d = strtod(value, &end);

    (void)choice;
    if (end == value || *end || !(d > 0 && d <= MAX_WALL_SECONDS))
        return cli_usage("exec", "--max-wall %s: expected a number of seconds above 0", value);
    return put(row->variable, value);
}

/* KERNEL[,N] */
static int take_explain(void *choice, const struct cli_option *row, const char *value)
{
    const char *comma = strrchr(value, ',');
    uint64_t n = 1;

    (void)choice;
    if (!*value || comma == value || (comma && !(cli_number(comma + 1, UINT32_MAX, &n) && n)))
        return cli_usage("exec", "--explain %s: expected KERNEL or KERNEL,N with N from 1 on", value);
    return put(row->variable, value);
}

static int take_kernels(void *choice, const struct cli_option *row, const char *value)
{
    regex_t r;
    char why[200];
    int code = regcomp(&r, value, REG_EXTENDED | REG_NOSUB);

    (void)choice;
    if (code) {
        regerror(code, &r, why, sizeof why);
        return cli_usage("exec", "--kernels %s: %s; expected an extended regular expression", value, why);
    }
    regfree(&r);
    return put(row->variable, value);
}

/* "3,7-9" */
static bool is_list(const char *s)
{
    for (;; s++) {
        uint64_t from, to;
        char *end;

        if (*s < '0' || *s > '9')
            return false;
        from = to = strtoull(s, &end, 10);
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            to = strtoull(end + 1, &end, 10);
        if (!from || to < from)
            return false;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
        s = end;
    }
}

static int take_dispatches(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    if (!is_list(value))
        return cli_usage("exec", "--dispatches %s: expected numbers from 1 on and ranges, such as 3,7-9", value);
    return put(row->variable, value);
}

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
    int status = list && out ? each_profile(c, list, out) : out_of_memory();

    if (out && fclose(out) != 0 && !status)
        status = out_of_memory();
    if (!status)
        status = put("GCNSIM_ARCH", text);
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
        return out_of_memory();
    for (size_t k = 0; k < c->sets.count; k++)
        fprintf(out, "%s%s", k ? "\n" : "", c->sets.items[k]);
    int status = fclose(out) == 0 ? put("GCNSIM_SET", text) : out_of_memory();
    free(text);
    return status;
}

/* What is chosen together has to fit. */
static int check(struct choice *c)
{
    const char *engine = getenv("GCNSIM_ENGINE"), *arch = getenv("GCNSIM_ARCH");
    bool timing = engine && !strcmp(engine, "timing");

    for (size_t k = 0; k < c->sets.count; k++)
        if (strchr(c->sets.items[k], '\n'))
            return cli_usage("exec", "--set: a line end in the value; expected PATH=VALUE");
    if (!timing && getenv("GCNSIM_KERNELS"))
        return cli_usage("exec", "--kernels says what the timing engine runs; expected --engine timing beside it");
    if (!timing && getenv("GCNSIM_DISPATCHES"))
        return cli_usage("exec", "--dispatches says what the timing engine runs; expected --engine timing beside it");
    if (!timing && getenv("GCNSIM_TRACE"))
        return cli_usage("exec", "--trace is of the timing engine; expected --engine timing beside it");
    if (!timing && getenv("GCNSIM_HTML"))
        return cli_usage("exec", "--html is of the timing engine; expected --engine timing beside it");
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
    {"engine", "functional|timing", CLI_TAKE, .take = take_word, .words = "functional|timing",
     .variable = "GCNSIM_ENGINE", .help = "results alone (default), or cycles, too"},
    {"threads", "N", CLI_TAKE, .take = take_threads, .variable = "GCNSIM_THREADS",
     .help = "host threads for one kernel; 0: as many as the host has"},
    {"set", "PATH=VALUE", CLI_LIST, AT(sets), .pair = true, .values = CLI_FIGURES, .variable = "GCNSIM_SET",
     .help = "replace one figure of all profiles (gcnsim arch show)"},
    {"slack", "none|page", CLI_TAKE, .take = take_word, .words = "none|page", .variable = "GCNSIM_SLACK",
     .help = "whether an overrun up to the end of a page is an error (none: it is, the default)"},
    {"info", NULL, CLI_FLAG, AT(info),
     .help = "print agents, memory pools, instruction sets and caches as programs are shown them, as rocminfo does"},

    {"which kernels, and how long", .kind = CLI_GROUP},
    {"kernels", "REGEX", CLI_TAKE, .take = take_kernels, .variable = "GCNSIM_KERNELS",
     .help = "kernels that the timing engine runs; others run functionally"},
    {"dispatches", "LIST", CLI_TAKE, .take = take_dispatches, .variable = "GCNSIM_DISPATCHES",
     .help = "the same by number from 1 on: 3,7-9"},
    {"blit-kernels", NULL, CLI_TAKE, .take = take_flag, .variable = "GCNSIM_BLIT_KERNELS",
     .help = "simulate the language runtime's own kernels for copies and fills, too"},
    {"max-wall", "SECONDS", CLI_TAKE, .take = take_max_wall, .variable = "GCNSIM_MAX_WALL",
     .help = "end the program after that time, with the report so far"},
    {"check", NULL, CLI_TAKE, .take = take_flag, .variable = "GCNSIM_CHECK",
     .help = "tell bugs that hardware hides, as gcnsim run --check"},

    {"what to write", .kind = CLI_GROUP},
    {"report", "FILE.db", CLI_TAKE, .take = take_file, .values = CLI_FILES, .variable = "GCNSIM_REPORT",
     .help = "every dispatch with its statistics (SQLite)"},
    {"csv", "DIR", CLI_TAKE, .take = take_file, .values = CLI_FOLDERS, .variable = "GCNSIM_CSV",
     .help = "kernel trace and counters as rocprofv3 has them"},
    {"explain", "KERNEL[,N]", CLI_TAKE, .take = take_explain, .variable = "GCNSIM_EXPLAIN",
     .help = "what would make the N-th dispatch (default: the first) of the kernels with KERNEL in their name faster: "
             "simulated before it runs, in child processes, on a cold device (docs/EXPLAIN.md)"},
    {"explain-json", "FILE", CLI_TAKE, .take = take_file, .values = CLI_FILES, .variable = "GCNSIM_EXPLAIN_JSON",
     .help = "the same as JSON"},
    {"html", "DIR", CLI_TAKE, .take = take_file, .values = CLI_FOLDERS, .variable = "GCNSIM_HTML",
     .help = "pages for a browser: DIR/index.html lists all dispatches, each that the timing engine runs has its own "
             "(the first 256, or those of --dispatches; docs/HTML.md)"},
    {"att", "DIR", CLI_TAKE, .take = take_path, .values = CLI_FOLDERS, .variable = "GCNSIM_ATT",
     .help = "AMD's thread trace of each dispatch that the timing engine runs, in DIR (docs/ATT.md)"},
    {"att-cus", "first|all", CLI_TAKE, .take = take_word, .words = "first|all", .variable = "GCNSIM_ATT_CUS",
     .help = "of the first CU (WGP) of each shader engine that gets a wave (default), or of all"},
    {"trace", "FILE.pftrace", CLI_TAKE, .take = take_file, .values = CLI_FILES, .variable = "GCNSIM_TRACE",
     .help = "a timeline for ui.perfetto.dev of what the timing engine runs (docs/TIMELINE.md); .gz or .zst behind it "
             "compresses, %p in it is the number of the process"},
    {"trace-cus", "LIST", CLI_TAKE, .take = take_text, .variable = "GCNSIM_TRACE_CUS",
     .help = "compute units whose waves are in it, '0,4-7' (default: all)"},
    {"trace-cycles", "A:B", CLI_TAKE, .take = take_text, .variable = "GCNSIM_TRACE_CYCLES",
     .help = "cycles of the device's clock that are in it, from A on and before B"},
    {"trace-size", "BYTES", CLI_TAKE, .take = take_bytes, .variable = "GCNSIM_TRACE_SIZE",
     .help = "size before compression from which on it has no more waves (default 256M)"},
    {"trace-ns", NULL, CLI_TAKE, .take = take_flag, .variable = "GCNSIM_TRACE_NS",
     .help = "its times are nanoseconds; by default one of its nanoseconds is a cycle"},
    {"log", "FILE", CLI_TAKE, .take = take_file, .values = CLI_FILES, .variable = "GCNSIM_LOG",
     .help = "messages go there, not to standard error"},
    {"no-summary", NULL, CLI_TAKE, .take = take_no_summary, .variable = "GCNSIM_SUMMARY",
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
         {"exit status", "the program's; 2 when it cannot be started, with a message"}},
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
        return put(name, entry);
    if (asprintf(&text, "%s:%s", in_front ? entry : old, in_front ? old : entry) < 0)
        return out_of_memory();
    int status = put(name, text);
    free(text);
    return status;
}

static int become(const char *folder, const char *path, char **argv)
{
    char library[EXEC_PATH + 32];
    int status;

    snprintf(library, sizeof library, "%s/libhsa-runtime64.so.1", folder);
    /* by its path for programs with a runtime of their own in their search path, by its name for dlopen() */
    status = join("LD_PRELOAD", library, false);
    if (!status)
        status = join("LD_LIBRARY_PATH", folder, true);
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
