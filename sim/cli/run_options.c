/* The command line of gcnsim run: its help, and what its options say. */
#define _GNU_SOURCE
#include "sim/cli/run_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] = "usage: gcnsim run FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
                                "                  [--arg SPEC]... [--dynamic-lds BYTES] [options]\n"
                                "       gcnsim run LAUNCH.json [options]\n"
                                "\n"
                                "Runs a kernel to its end and reports where its cycles went. FILE is an amdgcn\n"
                                "code object or an offload bundle; LAUNCH.json holds the same as a file, or a\n"
                                "list of launches (docs/LAUNCH_FILES.md).\n"
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
                                "  --repeat N            launch N times, one after the other: the next launch\n"
                                "                        finds what the last one has left in the caches;\n"
                                "                        reports all of them, and the steady one in full\n"
                                "  --warmup N            N launches before those, without a report\n"
                                "  --cold                caches are empty and the clock is 0 at each launch\n"
                                "  --threads N           host threads (default 1)\n"
                                "  --max-cycles N        stop after N cycles; functional: when a wave has run N\n"
                                "                        instructions (a wave issues one per cycle at most)\n"
                                "  --max-instructions N  stop after N wave-instructions\n"
                                "  --confine DIR         refuse a LAUNCH.json that names files outside DIR\n"
                                "  --max-memory BYTES    refuse what would hold more, K, M, G or T behind it\n"
                                "                        (default: three quarters of the host's memory)\n"
                                "  --set PATH=VALUE      replace one figure of the profile (gcnsim arch show)\n"
                                "  --trace FORMAT=FILE   write a trace of the timing engine's events; may be\n"
                                "                        given several times (formats: see below); of the\n"
                                "                        last launch\n"
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

static void print_help(void)
{
    const char *format, *about;

    fputs(help_text, stdout);
    fputs("\ntrace formats:\n", stdout);
    for (size_t k = 0; (format = gcnsim_trace_format(k, &about)); k++)
        printf("  %-21s %s\n", format, about);
}

#define MAX_ROUNDS 100000 /* a report is kept of each */

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
    OPT_TRACE,
    OPT_REPEAT,
    OPT_WARMUP,
    OPT_COLD
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
    {"repeat", required_argument, NULL, OPT_REPEAT},
    {"warmup", required_argument, NULL, OPT_WARMUP},
    {"cold", no_argument, NULL, OPT_COLD},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* Where an option goes that is a text; null: it is none. */
static const char **text_option(struct run_options *o, int option)
{
    switch (option) {
    case OPT_KERNEL:
        return &o->kernel;
    case OPT_ARCH:
        return &o->arch;
    case OPT_TARGET:
        return &o->target;
    case OPT_CONFINE:
        return &o->confine;
    case OPT_JSON:
        return &o->json;
    case OPT_CSV:
        return &o->csv;
    case OPT_ARG:
        return &o->args[o->arg_count++];
    case OPT_TRACE:
        return &o->traces[o->trace_count++];
    default:
        return NULL;
    }
}

/* The same for one without a value. */
static bool *flag_option(struct run_options *o, int option)
{
    switch (option) {
    case OPT_QUIET:
        return &o->quiet;
    case OPT_CHECK:
        return &o->check;
    case OPT_PERFECT:
        return &o->perfect_memory;
    case OPT_COLD:
        return &o->cold;
    default:
        return NULL;
    }
}

/* An option whose value is read. */
static int value_option(struct run_options *o, int option, const char *value)
{
    static const char *const engines[] = {"timing", "functional", NULL};
    static const char *const whens[] = {"auto", "always", "never", NULL};
    uint64_t n = 0;
    int status = CLI_OK, i;

    switch (option) {
    case OPT_GRID:
    case OPT_WORKGROUP:
        if (!cli_triple(value, option == OPT_GRID ? o->grid : o->workgroup))
            status = bad_value(option == OPT_GRID ? "--grid" : "--workgroup", value,
                               "X[,Y[,Z]], whole numbers of work-items from 1 to 4294967295");
        break;
    case OPT_LDS:
        status = number_option("--dynamic-lds", value, 0, UINT32_MAX, &n);
        o->dynamic_lds = (uint32_t)n;
        o->dynamic_lds_given = true;
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
    case OPT_REPEAT:
        status = number_option("--repeat", value, 1, MAX_ROUNDS, &n);
        o->repeat = (uint32_t)n;
        o->rounds_given = true;
        break;
    case OPT_WARMUP:
        status = number_option("--warmup", value, 0, MAX_ROUNDS, &n);
        o->warmup = (uint32_t)n;
        o->rounds_given = o->warmup_given = true;
        break;
    case OPT_MAX_CYCLES:
        return number_option("--max-cycles", value, 1, UINT64_MAX, &o->max_cycles);
    case OPT_MAX_INSTRUCTIONS:
        return number_option("--max-instructions", value, 1, UINT64_MAX, &o->max_instructions);
    case OPT_MAX_MEMORY:
        if (!cli_bytes(value, &o->max_memory))
            status = bad_value("--max-memory", value, CLI_BYTES_EXPECTED);
        break;
    case OPT_SET:
        if (!strchr(value, '=') || value[0] == '=')
            return bad_value("--set", value, "PATH=VALUE");
        o->sets[o->set_count++] = value;
        break;
    case OPT_PROGRESS:
        i = word_index(value, whens);
        if (i < 0)
            return bad_value("--progress", value, "auto, always or never");
        o->progress = (enum cli_progress_when)i;
        break;
    }
    return status;
}

/* One option with its value; CLI_OK or CLI_BAD_INPUT. */
static int take_option(struct run_options *o, int option, const char *value)
{
    const char **text = text_option(o, option);
    bool *flag = flag_option(o, option);

    if (text)
        *text = value;
    if (flag)
        *flag = true;
    return text || flag ? CLI_OK : value_option(o, option, value);
}

/* Bytes of words that need no quotes in a shell. */
#define WORD_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.,:/+@%"

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

int run_options_read(struct run_options *o, int argc, char **argv, bool *help)
{
    int status = CLI_OK, c;

    *o = (struct run_options){.engine = -1, .progress = CLI_PROGRESS_AUTO};
    /* no more of each than there are words */
    o->args = calloc((size_t)argc, sizeof *o->args);
    o->sets = calloc((size_t)argc, sizeof *o->sets);
    o->traces = calloc((size_t)argc, sizeof *o->traces);
    o->command_line = join_words(argc, argv); /* before getopt_long() moves them */
    if (!o->args || !o->sets || !o->traces || !o->command_line)
        return cli_error("out of memory");
    opterr = 0;
    while (status == CLI_OK && (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (c == 'h') {
            print_help();
            *help = true;
            return cli_flush();
        }
        status = c == '?' || c == ':' ? cli_bad_option("run", c, argv) : take_option(o, c, optarg);
    }
    if (status == CLI_OK && argc - optind != 1)
        status = cli_usage("run", "%d files given; expected one code object or launch file", argc - optind);
    if (status == CLI_OK)
        o->file = argv[optind];
    return status;
}

void run_options_free(struct run_options *o)
{
    free(o->args);
    free(o->sets);
    free(o->traces);
    free(o->command_line);
}
