/* The command line of gcnsim run: its options, and its help. */
#define _GNU_SOURCE
#include "sim/cli/run_options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct run_options, field)

/* Where the file's name ends: at a comma with a part of --csv after it, so that names may have commas. */
static size_t csv_file_length(const struct option_row *row, const char *file)
{
    const char *end = file;

    for (;;) {
        end += strcspn(end, ",");
        const char *next = end + (*end != 0);
        if (!*end || option_part(row, &next) != row)
            return (size_t)(end - file);
        end++;
    }
}

static bool __attribute__((format(printf, 3, 4))) said(char *why, size_t n, const char *form, ...)
{
    va_list ap;

    va_start(ap, form);
    vsnprintf(why, n, form, ap);
    va_end(ap);
    return false;
}

/* "WHAT=FILE" or a file alone; several with commas in between. */
static bool take_csv(void *into, const struct option_row *row, const char *value, char *why, size_t n)
{
    struct run_options *o = into;

    for (const char *at = value;;) {
        const struct option_row *part = option_part(row, &at);

        if (part == row)
            part = row + 1 + (o->annotating ? CSV_INSTRUCTIONS : CSV_STATISTICS);
        char **file = (char **)((char *)into + part->at);
        const char *what = strchr(part->name, ' ') + 1;
        size_t length = csv_file_length(row, at);
        if (!length)
            return said(why, n, "%s has no file", what);
        if (*file)
            return said(why, n, "%s is written to '%s' already; expected one file of each", what, *file);
        if (!(*file = strndup(at, length)))
            return said(why, n, "out of memory");
        at += length;
        if (!*at++)
            return true;
    }
}

static bool take_sections(void *into, const struct option_row *row, const char *value, char *why, size_t n)
{
    struct run_options *o = into;
    struct gcnsim_error error = {0};

    (void)row;
    if (gcnsim_check_sections(value, &error) != GCNSIM_OK)
        return said(why, n, "%s", error.text);
    o->show = value;
    return true;
}

static const struct option_row rows[] = {
    RUN_ROWS_LAUNCH,
    {"repeat", "N", OPTION_COUNT, AT(repeat), .least = 1, .most = MAX_ROUNDS,
     .help = "launch N times, one after the other: the next launch finds what the last one has left in the caches; "
             "reports all of them, and the steady one in full"},
    {"warmup", "N", OPTION_COUNT, AT(warmup), .most = MAX_ROUNDS, .help = "N launches before those, without a report"},
    {"cold", NULL, OPTION_FLAG, AT(cold), .help = "caches are empty and the clock is 0 at each launch"},

    {"the chip and the engine", .kind = OPTION_GROUP},
    {"arch", "PROFILE", OPTION_TEXT, AT(arch), .complete = COMPLETE_PROFILES,
     .help = "a profile's name or FILE.json (gcnsim arch list); by default the one for the code object's target"},
    {"engine", "timing|functional", OPTION_WORD, LAUNCH_AT(engine), .words = "timing|functional",
     .help = "timing counts cycles (default); functional computes results without time"},
    OPTION_CHECK("functional engine: report missing waits and wait states and reads of uninitialised data; with "
                 "--engine timing: reads of stale cache lines; with both: races between workgroups (docs/CHECK.md)"),
    OPTION_IGNORE_LDS_RACES,
    OPTION_PERFECT_MEMORY,
    OPTION_SAMPLE("workgroups=AUTO|N|loops", "workgroups, loops",
                  "timing engine: simulate some workgroups in detail, until what they cost is steady (AUTO), or the "
                  "first N, and the others without time; loops, and AUTO where workgroups are few: likewise with "
                  "iterations; estimates the launch's cycles (docs/SAMPLING.md)"),
    {"sample-skip", NULL, OPTION_FLAG, AT(sample_skip), .beside = "sample",
     .help = "do not execute the others: what they leave in memory is missing"},
    OPTION_SET_OF_PROFILE(LAUNCH_AT(sets)),
    {"threads", "N", OPTION_COUNT, LAUNCH_AT(threads), .least = 1, .most = 1024, .help = "host threads (default 1)"},

    RUN_ROWS_LIMITS,

    {"what to write", .kind = OPTION_GROUP},
    OPTION_DETAILS("all sections of the report, not its first screen alone"),
    {"show", "SECTION[,SECTION]...", OPTION_TAKE, 0, .complete = COMPLETE_SECTIONS, .take = take_sections,
     .help = "these sections of the report (see below)"},
    {"json", "FILE|-", OPTION_TEXT, AT(json), .complete = COMPLETE_FILES,
     .help = "the report as JSON; with - nothing else on stdout"},
    {"csv", "[WHAT=]FILE|-", OPTION_TAKE, 0, .complete = COMPLETE_FILES, .take = take_csv,
     .help = "lines of comma-separated values; likewise. WHAT: statistics (name,unit,value; the default of run), "
             "counters (AMD's names and rocprofv3's columns: docs/COUNTERS.md), or instructions (the table of "
             "rocprofv3's thread traces; the default of annotate); several as WHAT=FILE,WHAT=FILE or with an option "
             "each"},
    /* in the order of enum csv_what */
    {"csv statistics", .kind = OPTION_PART, .at = AT(csv[CSV_STATISTICS])},
    {"csv counters", .kind = OPTION_PART, .at = AT(csv[CSV_COUNTERS])},
    {"csv instructions", .kind = OPTION_PART, .at = AT(csv[CSV_INSTRUCTIONS]),
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP},
    OPTION_ANNOTATE("behind the report, what each function, loop, source line and instruction cost (docs/ANNOTATE.md)"),
    OPTION_SORT,
    OPTION_TOP,
    OPTION_FUNCTION,
    OPTION_COLOR,
    OPTION_PER_INSTRUCTION,
    {"html", "FILE|-", OPTION_TEXT, AT(html), .complete = COMPLETE_FILES,
     .help = "the report as one page for a browser, with the cost of each instruction and of each source line; counts "
             "for it while the run lasts (docs/HTML.md)"},
    OPTION_SAMPLES,
    {"att", "DIR", OPTION_TEXT, AT(att_options.folder), .complete = COMPLETE_FOLDERS,
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP,
     .help = "write AMD's thread trace of the last launch into DIR: the folder that ROCprof Compute Viewer opens, and "
             "its statistics (docs/ATT.md)"},
    {"att-cus", "LIST|all", OPTION_TEXT, AT(att_options.units),
     .help = "of these CUs (WGPs) of each shader engine, as in 0,2,5-7; by default of the first that gets a wave"},
    {"att-cycles", "FIRST:END", OPTION_TEXT, AT(att_options.cycles), .help = "of these cycles; either may be left out"},
    {"att-waves", "N", OPTION_NUMBER, AT(att_options.waves), .least = 1, .help = "of the first N waves (default 4096)"},
    {"trace", "[FORMAT=]FILE", OPTION_LIST, AT(traces), .complete = COMPLETE_TRACES,
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP,
     .help = "FILE.pftrace, FILE.pftrace.gz, FILE.pftrace.zst: a timeline for ui.perfetto.dev (docs/TIMELINE.md); "
             "FORMAT=FILE|-: the timing engine's events of the last launch in another form (see below); with - nothing "
             "else on stdout; may be given several times"},
    OPTION_TRACE_CUS,
    OPTION_TRACE_CYCLES("cycles in the timeline, from A on and before B"),
    OPTION_TRACE_SIZE,
    OPTION_TRACE_NS,
    OPTION_TIMELINE("print what a wave of the last launch does over time, a row for each instruction; default 0:0, the "
                    "first wave of the first workgroup (docs/TIMELINE.md)"),
    OPTION_TIMELINE_ROWS,
    CLI_OPTION_PROGRESS(AT(progress)),
    {"discard-outputs", NULL, OPTION_FLAG, AT(discard_outputs),
     .help = "files of out and inout arguments are not written: several runs of one LAUNCH.json at the same time"},
    {"quiet", NULL, OPTION_FLAG, AT(quiet), .help = "no report on stdout"},
    {.kind = OPTION_END},
};

const struct cli_command cli_command_run = {
    .name = "run",
    .summary = "runs a kernel and reports where its cycles went",
    .usage = "run FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
             "    [--arg SPEC]... [--dynamic-lds BYTES] [OPTION]...\n"
             "run LAUNCH.json [OPTION]...",
    .about = "Runs a kernel to its end and reports where its cycles went. FILE is an amdgcn code object or a "
             "file that holds one: a bundle, a program, an archive, assembly or LLVM IR for clang (docs/FILES.md); "
             "LAUNCH.json holds the same as a file, or a list of launches (docs/LAUNCH_FILES.md), and options "
             "beside it take the place of its values.",
    .options = rows,
    .sections =
        {{"examples", "  gcnsim run kernels.co --kernel vecadd --blocks 4 --workgroup 256 \\\n"
                      "      --arg in:a.bin --arg in:b.bin --arg out:c.bin:4096 --arg u32:1024\n"
                      "  gcnsim run matmul.json --arch gfx1201 --json report.json\n"
                      "  gcnsim run matmul.json --check --workgroup 8,8"},
         {"arguments", "buf:BYTES\tpointer to zero-filled device memory\n"
                       "in:PATH\tpointer to the bytes of a file\n"
                       "out:PATH:BYTES\tpointer to zeros, written to the file after the run\n"
                       "inout:PATH:OUTPATH\tboth\n"
                       "TYPE:VALUE\ta number; TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 or f64\n"
                       "bytes:HEX\tthe argument's own bytes\n"
                       "BYTES may have K, M, G or T behind it, powers of 1024."},
         {"who is stuck",
          "A run that ends by a limit, Ctrl-C, SIGTERM or a deadlock reports where its resident waves are and what "
          "they "
          "wait for. 'kill -USR1 PID' shows that of a running one on stderr, at any time. A run without --max-cycles "
          "and --max-instructions in which no workgroup finishes for 10 s (then 20, 40 ...) says so on stderr, unless "
          "--quiet or --progress never is given (docs/STUCK.md)."},
         {"files",
          "Files are written whole, under their names when they are complete. Two outputs with one file, or an output "
          "that is an input (but inout:PATH:PATH), are errors."},
         {"exit status",
          "0\tthe kernel ran to its end\n"
          "1\tit faulted, reached --max-cycles or --max-instructions or was interrupted (Ctrl-C): the report so far is "
          "printed, traces are kept, files of out arguments are not written; or --check found something\n"
          "2\tbad input or usage, or more memory than there is or --max-memory allows: no report\n"
          "3\tit ran, but not everything could be written"}},
    .lists = {{"sections of the report", gcnsim_report_section}, {"trace formats", gcnsim_trace_format}},
    .run = cli_run,
    .operands = COMPLETE_FILES,
};

const struct cli_command cli_command_annotate = {
    .name = "annotate",
    .summary = "runs a kernel and shows what each instruction cost",
    .usage = "annotate FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
             "    [--arg SPEC]... [OPTION]...\n"
             "annotate LAUNCH.json [OPTION]...",
    .about =
        "Runs a kernel on the timing engine and prints its code: for each function, loop, source line and instruction "
        "how often it was executed, its cycles, what it waited for, latencies, and where its memory requests were "
        "answered (docs/ANNOTATE.md). Takes the options of run, whose report it leaves out.",
    .options = rows,
    .run = cli_annotate,
    .operands = COMPLETE_FILES,
};

/* Bytes of words that need no quotes in a shell. */
#define WORD_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.,:/+@%"

char *run_join_words(char *const *words)
{
    size_t room = sizeof "gcnsim";

    for (char *const *w = words; *w; w++)
        room += 4 * strlen(*w) + sizeof " ''";
    char *text = malloc(room), *to = text ? stpcpy(text, "gcnsim") : NULL;
    for (char *const *w = words; *w && text; w++) {
        bool plain = **w && (*w)[strspn(*w, WORD_BYTES)] == 0;

        to = stpcpy(to, plain ? " " : " '");
        for (const char *c = *w; *c; c++)
            if (*c == '\'' && !plain)
                to = stpcpy(to, "'\\''");
            else
                *to++ = *c;
        to = stpcpy(to, plain ? "" : "'");
    }
    return text;
}

bool run_options_init(struct run_options *o, int argc, char **argv)
{
    *o = (struct run_options){.common = {.engine = OPTION_ENGINE_NONE},
                              .progress = CLI_PROGRESS_AUTO,
                              .dynamic_lds = NOT_GIVEN,
                              .index = NOT_GIVEN,
                              .warmup = ROUNDS_NOT_GIVEN};
    o->words = calloc((size_t)argc + 1, sizeof *o->words); /* getopt_long() moves those of argv */
    if (o->words)
        memcpy(o->words, argv, (size_t)argc * sizeof *o->words);
    o->command_line = o->words ? run_join_words(o->words) : NULL;
    return o->command_line != NULL;
}

/* "FORMAT=-" is standard output. */
static int take_trace_to_stdout(struct run_options *o, const char *command)
{
    for (size_t k = 0; k < o->traces.count; k++) {
        const char *equals = strchr(o->traces.items[k], '=');

        if (!equals || strcmp(equals, "=-") != 0)
            continue;
        if (o->trace_to_stdout[0])
            return cli_usage(command, "--trace %s: a trace is written to standard output already; expected a file",
                             o->traces.items[k]);
        if (snprintf(o->trace_to_stdout, sizeof o->trace_to_stdout, "%.*s=/dev/stdout",
                     (int)(equals - o->traces.items[k]), o->traces.items[k]) >= (int)sizeof o->trace_to_stdout)
            return cli_usage(command, "--trace %s: there is no such format", o->traces.items[k]);
        o->traces.items[k] = o->trace_to_stdout;
    }
    return CLI_OK;
}

int run_options_read(struct run_options *o, const struct cli_command *c, int argc, char **argv, bool *done)
{
    if (!run_options_init(o, argc, argv)) {
        *done = true;
        return cli_error("out of memory");
    }
    o->common.annotate = o->annotating = c == &cli_command_annotate;
    int status = cli_options_read(c, argc, argv, o, done);
    if (*done)
        return status;
    if (argc - optind != 1) {
        *done = true;
        return cli_usage(c->name, "%d files given; expected one code object or launch file", argc - optind);
    }
    o->file = argv[optind];
    status = cli_att_read(c->name, &o->att_options, &o->att);
    if (status == CLI_OK)
        status = take_trace_to_stdout(o, c->name);
    o->att.no_sources = o->confine != NULL; /* a stranger's names */
    *done = status != CLI_OK;
    return status;
}

void run_options_free(struct run_options *o)
{
    cli_options_free(&cli_command_run, o);
    for (unsigned k = 0; k < CSV_WHATS; k++)
        free(o->csv[k]);
    free(o->words);
    free(o->command_line);
}
