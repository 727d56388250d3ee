/* The command line of gcnsim run: its options, and its help. */
#define _GNU_SOURCE
#include "sim/cli/run_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/view_options.h"

#define AT(field) offsetof(struct run_options, field)

static const char *const csv_key[CSV_WHATS] = {"statistics=", "counters=", "instructions="};

/* CSV_WHATS: the text begins with none of the keys. */
static unsigned csv_what(const char *text)
{
    unsigned what = 0;

    while (what < CSV_WHATS && strncmp(text, csv_key[what], strlen(csv_key[what])) != 0)
        what++;
    return what;
}

/* Where the file's name ends: at a comma with a key behind it, so that names may have commas. */
static size_t csv_file_length(const char *file)
{
    const char *end = file;

    do {
        end += strcspn(end, ",");
        if (!*end || csv_what(end + 1) != CSV_WHATS)
            break;
        end++;
    } while (*end);
    return (size_t)(end - file);
}

/* "WHAT=FILE" or a file alone; several with commas in between. */
static int take_csv(void *into, const struct cli_option *row, const char *value)
{
    struct run_options *o = into;

    (void)row;
    for (const char *at = value;;) {
        unsigned what = csv_what(at), kind = what;
        size_t length;

        if (what == CSV_WHATS)
            kind = o->annotating ? CSV_INSTRUCTIONS : CSV_STATISTICS;
        else
            at += strlen(csv_key[what]);
        length = csv_file_length(at);
        if (!length)
            return cli_usage("run", "--csv: '%s'; %.*s has no file", value, (int)strlen(csv_key[kind]) - 1,
                             csv_key[kind]);
        if (o->csv[kind])
            return cli_usage("run", "--csv: %.*s is written to '%s' already; expected one file of each",
                             (int)strlen(csv_key[kind]) - 1, csv_key[kind], o->csv[kind]);
        if (!(o->csv[kind] = strndup(at, length)))
            return cli_error("out of memory");
        at += length;
        if (!*at++)
            return CLI_OK;
    }
}

/* "workgroups=AUTO" or "workgroups=N". */
static int take_sample(void *into, const struct cli_option *row, const char *value)
{
    static const char key[] = "workgroups=";
    struct run_options *o = into;
    const char *number = value + strlen(key);

    (void)row;
    if (strncmp(value, key, strlen(key)) != 0)
        return cli_usage("run", "--sample: '%s'; expected workgroups=AUTO or workgroups=N", value);
    if (strcmp(number, "AUTO") == 0 || strcmp(number, "auto") == 0)
        o->sample_workgroups = GCNSIM_SAMPLE_AUTO;
    else if (!cli_number(number, GCNSIM_SAMPLE_AUTO - 1, &o->sample_workgroups) || !o->sample_workgroups)
        return cli_usage("run", "--sample: '%s'; expected AUTO or a number of workgroups, 1 or more", value);
    return CLI_OK;
}

static int take_sections(void *into, const struct cli_option *row, const char *value)
{
    struct run_options *o = into;
    struct gcnsim_error error = {0};

    if (gcnsim_check_sections(value, &error) != GCNSIM_OK)
        return cli_usage("run", "--%s: %s", row->name, error.text);
    o->show = value;
    return CLI_OK;
}

static const struct cli_option rows[] = {
    RUN_ROWS_LAUNCH,
    {"repeat", "N", CLI_COUNT, AT(repeat), .least = 1, .most = MAX_ROUNDS,
     .help = "launch N times, one after the other: the next launch finds what the last one has left in the caches; "
             "reports all of them, and the steady one in full"},
    {"warmup", "N", CLI_COUNT, AT(warmup), .most = MAX_ROUNDS, .help = "N launches before those, without a report"},
    {"cold", NULL, CLI_FLAG, AT(cold), .help = "caches are empty and the clock is 0 at each launch"},

    {"the chip and the engine", .kind = CLI_GROUP},
    {"arch", "PROFILE", CLI_TEXT, AT(arch), .values = CLI_PROFILES,
     .help = "a profile's name or FILE.json (gcnsim arch list); by default the one for the code object's target"},
    {"engine", "timing|functional", CLI_WORD, AT(engine), .words = "timing|functional",
     .help = "timing counts cycles (default); functional computes results without time"},
    {"check", NULL, CLI_FLAG, AT(check),
     .help = "functional engine: report missing waits and wait states and reads of uninitialised data; with --engine "
             "timing: reads of stale cache lines; with both: races between workgroups (docs/CHECK.md)"},
    {"ignore-lds-races", NULL, CLI_FLAG, AT(ignore_lds_races),
     .help = "functional engine: do not look for waves that race in LDS (docs/CHECK.md)"},
    {"perfect-memory", NULL, CLI_FLAG, AT(perfect_memory),
     .help = "timing engine: every access hits the nearest cache"},
    {"sample", "workgroups=AUTO|N", CLI_TAKE, 0, .take = take_sample,
     .help =
         "timing engine: simulate some workgroups in detail, until what they cost is steady (AUTO), or the first N, "
         "and the others without time; estimates the cycles of large launches (docs/SAMPLING.md)"},
    {"sample-skip", NULL, CLI_FLAG, AT(sample_skip),
     .help = "do not execute the others: what they leave in memory is missing"},
    CLI_OPTION_SET(AT(sets), "the profile"),
    {"threads", "N", CLI_COUNT, AT(threads), .least = 1, .most = 1024, .help = "host threads (default 1)"},

    RUN_ROWS_LIMITS,

    {"what to write", .kind = CLI_GROUP},
    {"details", NULL, CLI_FLAG, AT(details), .help = "all sections of the report, not its first screen alone"},
    {"show", "SECTION[,SECTION]...", CLI_TAKE, 0, .values = CLI_SECTIONS, .take = take_sections,
     .help = "these sections of the report (see below)"},
    {"json", "FILE|-", CLI_TEXT, AT(json), .values = CLI_FILES,
     .help = "the report as JSON; with - nothing else on stdout"},
    {"csv", "[WHAT=]FILE|-", CLI_TAKE, 0, .values = CLI_FILES, .take = take_csv,
     .help = "lines of comma-separated values; likewise. WHAT: statistics (name,unit,value; the default of run), "
             "counters (AMD's names and rocprofv3's columns: docs/COUNTERS.md), or instructions (the table of "
             "rocprofv3's thread traces; the default of annotate); several as WHAT=FILE,WHAT=FILE or with an option "
             "each"},
    {"annotate", NULL, CLI_FLAG, AT(annotate),
     .help = "behind the report, what each function, loop, source line and instruction cost (docs/ANNOTATE.md)"},
    VIEW_SORT(CLI_WORD, AT(sort)),
    VIEW_TOP(CLI_COUNT, AT(top)),
    VIEW_FUNCTION(CLI_TEXT, AT(function)),
    VIEW_COLOR(CLI_WORD, AT(color)),
    VIEW_PER_INSTRUCTION(CLI_FLAG, AT(per_instruction)),
    {"html", "FILE|-", CLI_TEXT, AT(html), .values = CLI_FILES,
     .help = "the report as one page for a browser, with the cost of each instruction and of each source line; counts "
             "for it while the run lasts (docs/HTML.md)"},
    VIEW_SAMPLES(CLI_NUMBER, AT(samples)),
    {"att", "DIR", CLI_TEXT, AT(att_options.folder), .values = CLI_FOLDERS,
     .help = "write AMD's thread trace of the last launch into DIR: the folder that ROCprof Compute Viewer opens, and "
             "its statistics (docs/ATT.md)"},
    {"att-cus", "LIST|all", CLI_TEXT, AT(att_options.units),
     .help = "of these CUs (WGPs) of each shader engine, as in 0,2,5-7; by default of the first that gets a wave"},
    {"att-cycles", "FIRST:END", CLI_TEXT, AT(att_options.cycles), .help = "of these cycles; either may be left out"},
    {"att-waves", "N", CLI_NUMBER, AT(att_options.waves), .least = 1, .help = "of the first N waves (default 4096)"},
    {"trace", "[FORMAT=]FILE", CLI_LIST, AT(traces), .values = CLI_TRACES,
     .help = "FILE.pftrace, FILE.pftrace.gz, FILE.pftrace.zst: a timeline for ui.perfetto.dev (docs/TIMELINE.md); "
             "FORMAT=FILE|-: the timing engine's events of the last launch in another form (see below); with - nothing "
             "else on stdout; may be given several times"},
    VIEW_TRACE_CUS(CLI_TEXT, AT(trace_cus)),
    {"trace-cycles", "A:B", CLI_TEXT, AT(trace_cycles), .help = "cycles in the timeline, from A on and before B"},
    VIEW_TRACE_SIZE(CLI_BYTES, AT(trace_size)),
    VIEW_TRACE_NS(CLI_FLAG, AT(trace_ns)),
    {"timeline", "[WG:WAVE]", CLI_TEXT, AT(wave), .bare = "0:0",
     .help =
         "print what a wave of the last launch does over time, a row for each instruction; default 0:0, the first wave "
         "of the first workgroup (docs/TIMELINE.md)"},
    VIEW_TIMELINE_ROWS(CLI_TEXT, AT(wave_rows)),
    CLI_OPTION_PROGRESS(AT(progress)),
    {"discard-outputs", NULL, CLI_FLAG, AT(discard_outputs),
     .help = "files of out and inout arguments are not written: several runs of one LAUNCH.json at the same time"},
    {"quiet", NULL, CLI_FLAG, AT(quiet), .help = "no report on stdout"},
    {.kind = CLI_END},
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
    .operands = CLI_FILES,
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
    .operands = CLI_FILES,
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
    *o = (struct run_options){.engine = -1,
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
    o->annotate = o->annotating = c == &cli_command_annotate;
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
