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

#include "sim/cli/cli.h"

enum { MAX_PROFILES = 16, MAX_THREADS = 1024, MAX_WALL_SECONDS = 1000000000 };

static const char help[] = "usage: gcnsim exec [options] [--] PROGRAM [ARG...]\n"
                           "       gcnsim exec --info [--arch PROFILE[,PROFILE...]]\n"
                           "\n"
                           "Runs a program of HIP, OpenMP or HSA as it is, with simulated GPUs in the place\n"
                           "of real ones. No GPU, driver or ROCm installation is needed beside the libraries\n"
                           "that the program itself asks for. Input, output, signals and exit status are the\n"
                           "program's.\n"
                           "\n"
                           "  --arch PROFILE[,...]  one GPU for each profile: its name, target or FILE.json\n"
                           "                        (gcnsim arch list; default gfx90a)\n"
                           "  --engine functional|timing\n"
                           "                        results alone (default), or cycles, too\n"
                           "  --threads N           host threads for one kernel; 0: as many as the host has\n"
                           "  --kernels REGEX       kernels that the timing engine runs; others run\n"
                           "                        functionally\n"
                           "  --dispatches LIST     the same by number from 1 on: 3,7-9\n"
                           "  --max-wall SECONDS    end the program after that time, with the report so far\n"
                           "  --set PATH=VALUE      replace one figure of all profiles (gcnsim arch show)\n"
                           "  --check               tell bugs that hardware hides, as gcnsim run --check\n"
                           "  --slack none|page     whether an overrun up to the end of a page is an error\n"
                           "                        (none: it is, the default)\n"
                           "  --blit-kernels        simulate the language runtime's own kernels for copies\n"
                           "                        and fills, too\n"
                           "  --report FILE.db      every dispatch with its statistics (SQLite)\n"
                           "  --csv DIR             kernel trace and counters as rocprofv3 has them\n"
                           "  --log FILE            messages go there, not to standard error\n"
                           "  --no-summary          no summary at the end\n"
                           "  --info                print agents, memory pools, instruction sets and caches\n"
                           "                        as programs are shown them, as rocminfo does\n"
                           "\n"
                           "Each option sets a variable of its name, --max-wall 60 GCNSIM_MAX_WALL=60 and\n"
                           "--check GCNSIM_CHECK=1 (--no-summary: GCNSIM_SUMMARY=0), which the library reads\n"
                           "also where something else starts the program: docs/ROCM.md.\n"
                           "\n"
                           "exit status: the program's; 2 when it cannot be started, with a message\n";

/* ---- values ---- */

static int out_of_memory(void)
{
    return cli_error("exec: out of memory");
}

static int put(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 ? CLI_OK : out_of_memory();
}

/* The path from the root: programs change their folder. */
static int put_path(const char *name, const char *option, const char *path)
{
    char folder[PATH_MAX], *whole = NULL;
    int status;

    if (!*path)
        return cli_usage("exec", "%s: the name is empty", option);
    if (*path == '/')
        return put(name, path);
    if (!getcwd(folder, sizeof folder))
        return cli_error("exec: %s: the current folder: %s", option, strerror(errno));
    if (asprintf(&whole, "%s/%s", folder, path) < 0)
        return out_of_memory();
    status = put(name, whole);
    free(whole);
    return status;
}

/* A file to be written: its folder has to be there now, not after hours. */
static int put_file(const char *name, const char *option, const char *path)
{
    int status = put_path(name, option, path);

    if (status)
        return status;
    char *folder = strdup(getenv(name));
    if (!folder)
        return out_of_memory();
    *(strrchr(folder, '/') + (strrchr(folder, '/') == folder)) = 0;
    if (access(folder, W_OK | X_OK) != 0)
        status = cli_error("exec: %s %s: the folder %s: %s", option, path, folder, strerror(errno));
    free(folder);
    return status;
}

static int one_of(const char *name, const char *option, const char *value, const char *a, const char *b)
{
    if (strcmp(value, a) && strcmp(value, b))
        return cli_usage("exec", "%s %s: expected %s or %s", option, value, a, b);
    return put(name, value);
}

static int threads(const char *value)
{
    uint64_t n;

    if (!cli_number(value, MAX_THREADS, &n))
        return cli_usage("exec", "--threads %s: expected a whole number from 0 to %d", value, MAX_THREADS);
    return put("GCNSIM_THREADS", value);
}

static int max_wall(const char *value)
{
    char *end;
    double d = strtod(value, &end);

    if (end == value || *end || !(d > 0 && d <= MAX_WALL_SECONDS))
        return cli_usage("exec", "--max-wall %s: expected a number of seconds above 0", value);
    return put("GCNSIM_MAX_WALL", value);
}

static int kernels(const char *value)
{
    regex_t r;
    char why[200];
    int code = regcomp(&r, value, REG_EXTENDED | REG_NOSUB);

    if (code) {
        regerror(code, &r, why, sizeof why);
        return cli_usage("exec", "--kernels %s: %s; expected an extended regular expression", value, why);
    }
    regfree(&r);
    return put("GCNSIM_KERNELS", value);
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

static int dispatches(const char *value)
{
    if (!is_list(value))
        return cli_usage("exec", "--dispatches %s: expected numbers from 1 on and ranges, such as 3,7-9", value);
    return put("GCNSIM_DISPATCHES", value);
}

/* ---- profiles ---- */

struct choice {
    const char *arch;
    const char **sets;
    size_t set_count;
    bool info;
};

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

    if (gcnsim_profile_show(name, c->sets, c->set_count, GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
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

    if (!c->set_count)
        return CLI_OK;
    out = open_memstream(&text, &size);
    if (!out)
        return out_of_memory();
    for (size_t k = 0; k < c->set_count; k++)
        fprintf(out, "%s%s", k ? "\n" : "", c->sets[k]);
    int status = fclose(out) == 0 ? put("GCNSIM_SET", text) : out_of_memory();
    free(text);
    return status;
}

/* What is chosen together has to fit. */
static int check(struct choice *c)
{
    const char *engine = getenv("GCNSIM_ENGINE"), *arch = getenv("GCNSIM_ARCH");
    bool timing = engine && !strcmp(engine, "timing");

    for (size_t k = 0; k < c->set_count; k++)
        if (strchr(c->sets[k], '\n'))
            return cli_usage("exec", "--set: a line end in the value; expected PATH=VALUE");
    if (!timing && getenv("GCNSIM_KERNELS"))
        return cli_usage("exec", "--kernels says what the timing engine runs; expected --engine timing beside it");
    if (!timing && getenv("GCNSIM_DISPATCHES"))
        return cli_usage("exec", "--dispatches says what the timing engine runs; expected --engine timing beside it");
    if (!c->arch)
        c->arch = arch && *arch ? arch : "gfx90a";
    int status = profiles(c);
    return status ? status : sets(c);
}

/* ---- options ---- */

static int take(struct choice *c, int option)
{
    switch (option) {
    case 'a':
        c->arch = optarg;
        return CLI_OK;
    case 'e':
        return one_of("GCNSIM_ENGINE", "--engine", optarg, "functional", "timing");
    case 't':
        return threads(optarg);
    case 'k':
        return kernels(optarg);
    case 'd':
        return dispatches(optarg);
    case 'w':
        return max_wall(optarg);
    case 's':
        c->sets[c->set_count++] = optarg;
        return CLI_OK;
    case 'c':
        return put("GCNSIM_CHECK", "1");
    case 'p':
        return one_of("GCNSIM_SLACK", "--slack", optarg, "none", "page");
    case 'b':
        return put("GCNSIM_BLIT_KERNELS", "1");
    case 'r':
        return put_file("GCNSIM_REPORT", "--report", optarg);
    case 'v':
        return put_file("GCNSIM_CSV", "--csv", optarg);
    case 'l':
        return put_file("GCNSIM_LOG", "--log", optarg);
    case 'n':
        return put("GCNSIM_SUMMARY", "0");
    default:
        c->info = true;
        return CLI_OK;
    }
}

/* CLI_OK, or the exit status with *done set. Options end at the program's name. */
static int options(struct choice *c, int argc, char **argv, bool *done)
{
    static const struct option list[] = {
        {"arch", required_argument, NULL, 'a'},
        {"engine", required_argument, NULL, 'e'},
        {"threads", required_argument, NULL, 't'},
        {"kernels", required_argument, NULL, 'k'},
        {"dispatches", required_argument, NULL, 'd'},
        {"max-wall", required_argument, NULL, 'w'},
        {"set", required_argument, NULL, 's'},
        {"check", no_argument, NULL, 'c'},
        {"slack", required_argument, NULL, 'p'},
        {"blit-kernels", no_argument, NULL, 'b'},
        {"report", required_argument, NULL, 'r'},
        {"csv", required_argument, NULL, 'v'},
        {"log", required_argument, NULL, 'l'},
        {"no-summary", no_argument, NULL, 'n'},
        {"info", no_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int o, status = CLI_OK;

    opterr = 0;
    while (!status && (o = getopt_long(argc, argv, "+:h", list, NULL)) != -1) {
        if (o == 'h') {
            fputs(help, stdout);
            *done = true;
            return cli_flush();
        }
        status = o == '?' || o == ':' ? cli_bad_option("exec", o, argv) : take(c, o);
    }
    *done = status != CLI_OK;
    return status;
}

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
    int status = options(c, argc, argv, &done);

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
    struct choice c = {.sets = calloc((size_t)argc, sizeof *c.sets)};
    int status = c.sets ? run(&c, argc, argv) : out_of_memory();

    free(c.sets);
    return status;
}
