/* The options of gcnsim exec, and the variables that they become. */
#include "sim/options/exec.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_PROFILE "gfx90a"
#define MOST_THREADS    1024

#define AT(field) offsetof(struct exec_options, field)

/* clang-format off */
const struct option_row exec_options_table[] = {
    {"the simulated system", .kind = OPTION_GROUP},
    {"arch", "PROFILE[,...]", OPTION_NAMES, AT(profiles), .most = EXEC_MAX_AGENTS, .unit = "profiles",
     .complete = COMPLETE_PROFILE_LISTS, .variable = "GCNSIM_ARCH",
     .help = "one GPU for each profile: its name, target or FILE.json (gcnsim arch list; default gfx90a)"},
    {"engine", "functional|timing", OPTION_WORD, LAUNCH_AT(engine), .words = "timing|functional",
     .variable = "GCNSIM_ENGINE", .help = "results alone (default), or cycles, too"},
    {"threads", "N", OPTION_COUNT, LAUNCH_AT(threads), .most = MOST_THREADS, .variable = "GCNSIM_THREADS",
     .help = "host threads for one kernel; 0: as many as the host has"},
    OPTION_SET(LAUNCH_AT(sets), "replace one figure of all profiles (gcnsim arch show)", "GCNSIM_SET"),
    OPTION_PERFECT_MEMORY,
    {"slack", "none|page", OPTION_WORD, AT(slack), .words = "none|page", .variable = "GCNSIM_SLACK",
     .help = "whether an overrun up to the end of a page is an error (none), or reported (page, the default)"},
    {"info", NULL, OPTION_FLAG, AT(info),
     .help = "print agents, memory pools, instruction sets and caches as programs are shown them, as rocminfo does"},

    {"which kernels, and how long", .kind = OPTION_GROUP},
    {"kernels", "REGEX", OPTION_REGEX, AT(kernels), .about = OPTION_OF_TIMING, .variable = "GCNSIM_KERNELS",
     .help = "kernels that the timing engine runs; others run functionally"},
    {"dispatches", "LIST", OPTION_RANGES, AT(dispatches), .unit = "numbers", .least = 1, .about = OPTION_OF_TIMING,
     .variable = "GCNSIM_DISPATCHES", .help = "the same by number from 1 on: 3,7-9"},
    OPTION_SAMPLE("kernels[=AUTO|N][,workgroups=AUTO|N]", "kernels, workgroups",
                  "timing engine: time some dispatches of each kernel, grid and path through the code, execute the "
                  "others without time, and estimate what they cost; of large ones time some workgroups alone "
                  "(docs/SAMPLING.md)"),
    {"blit-kernels", NULL, OPTION_FLAG, AT(blit_kernels), .variable = "GCNSIM_BLIT_KERNELS",
     .help = "simulate the language runtime's own kernels for copies and fills, too"},
    {"max-wall", "SECONDS", OPTION_SECONDS, AT(max_wall_seconds), .variable = "GCNSIM_MAX_WALL",
     .help = "end the program after that time, with the report so far"},
    OPTION_MAX_CYCLES,
    OPTION_MAX_INSTRUCTIONS,
    OPTION_IGNORE_LDS_RACES,
    OPTION_CHECK("report bugs that hardware hides, as gcnsim run --check"),

    {"what to write", .kind = OPTION_GROUP},
    {"report", "FILE.db", OPTION_FILE, AT(report), .complete = COMPLETE_FILES, .variable = "GCNSIM_REPORT",
     .help = "every dispatch with its statistics (SQLite)"},
    {"json", "DIR", OPTION_FILE, AT(json), .complete = COMPLETE_FOLDERS, .variable = "GCNSIM_JSON",
     .help = "each dispatch's report as JSON in DIR (the first 256, or those of --dispatches)"},
    {"csv", "DIR|WHAT=FILE", OPTION_FOLDER, AT(csv), .complete = COMPLETE_FOLDERS, .variable = "GCNSIM_CSV",
     .help = "kernel trace and counters as rocprofv3 has them, in DIR; or one table, of all dispatches: statistics, "
             "counters (AMD's names and rocprofv3's columns), or instructions (the table of rocprofv3's thread traces, "
             "summed over dispatches)"},
    {"csv statistics", .kind = OPTION_PART, .at = AT(csv_statistics), .variable = "GCNSIM_CSV_STATISTICS"},
    {"csv counters", .kind = OPTION_PART, .at = AT(csv_counters), .variable = "GCNSIM_CSV_COUNTERS"},
    {"csv instructions", .kind = OPTION_PART, .at = AT(csv_instructions),
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP, .variable = "GCNSIM_CSV_INSTRUCTIONS"},
    OPTION_ANNOTATE("behind the summary, what each function, loop, source line and instruction of each kernel cost, in "
                    "all of its dispatches together (docs/ANNOTATE.md)"),
    OPTION_SORT,
    OPTION_TOP,
    OPTION_FUNCTION,
    OPTION_COLOR,
    {"of", "KERNEL[,N]", OPTION_KERNEL, AT(of), .variable = "GCNSIM_OF",
     .help = "--annotate, --csv instructions and --timeline show the N-th dispatch (default: the first) of the kernels "
             "with KERNEL in their name alone"},
    OPTION_PER_INSTRUCTION,
    OPTION_SAMPLES,
    {"explain", "KERNEL[,N]", OPTION_KERNEL, AT(explain), .about = OPTION_OF_TIMING, .variable = "GCNSIM_EXPLAIN",
     .help = "what would make the N-th dispatch (default: the first) of the kernels with KERNEL in their name faster: "
             "simulated before it runs, in child processes, on a cold device (docs/EXPLAIN.md)"},
    {"explain-json", "FILE", OPTION_FILE, AT(explain_json), .complete = COMPLETE_FILES, .beside = "explain",
     .variable = "GCNSIM_EXPLAIN_JSON", .help = "the same as JSON"},
    {"explain-warmup", "N", OPTION_COUNT, AT(explain_warmup), .least = 1, .beside = "explain",
     .variable = "GCNSIM_EXPLAIN_WARMUP",
     .help = "in each of its simulations the dispatch runs N times before, for what that leaves in the caches, and in "
             "memory"},
    {"html", "DIR", OPTION_FILE, AT(html), .complete = COMPLETE_FOLDERS,
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP, .variable = "GCNSIM_HTML",
     .help = "pages for a browser: DIR/index.html lists all dispatches, each that the timing engine runs has its own "
             "(the first 256, or those of --dispatches; docs/HTML.md)"},
    {"att", "DIR", OPTION_FOLDER, AT(att), .complete = COMPLETE_FOLDERS,
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP, .variable = "GCNSIM_ATT", .help = "AMD's thread trace of each dispatch that the timing engine runs, in DIR (docs/ATT.md)"},
    {"att-cus", "first|all", OPTION_WORD, AT(att_cus), .words = "first|all", .beside = "att",
     .variable = "GCNSIM_ATT_CUS",
     .help = "of the first CU (WGP) of each shader engine that gets a wave (default), or of all"},
    {"trace", "FILE.pftrace", OPTION_FILE, AT(trace), .complete = COMPLETE_FILES,
     .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP, .variable = "GCNSIM_TRACE",
     .help = "a timeline for ui.perfetto.dev of what the timing engine runs (docs/TIMELINE.md); .gz or .zst behind it "
             "compresses, %p in it is the number of the process"},
    OPTION_TRACE_CUS,
    OPTION_TRACE_CYCLES("cycles of the device's clock that are in it, from A on and before B"),
    OPTION_TRACE_SIZE,
    OPTION_TRACE_NS,
    OPTION_TIMELINE("what a wave of a dispatch (default: 0:0) does over time, a row for each instruction, among the "
                    "messages: of the first dispatch that the timing engine runs, or that of --of (docs/TIMELINE.md)"),
    OPTION_TIMELINE_ROWS,
    {"log", "FILE", OPTION_FILE, AT(log), .complete = COMPLETE_FILES, .variable = "GCNSIM_LOG",
     .help = "messages go there, not to standard error"},
    OPTION_DETAILS("all kernels in the summary at the end, with their whole names"),
    {"no-summary", NULL, OPTION_NO, AT(summary), .variable = "GCNSIM_SUMMARY", .help = "no summary at the end"},
    {.kind = OPTION_END},
};
/* clang-format on */

void exec_options_init(struct exec_options *o)
{
    *o = (struct exec_options){
        .common = {.engine = OPTION_ENGINE_FUNCTIONAL}, .slack = EXEC_SLACK_PAGE, .summary = true};
}

bool exec_options_fit(const struct exec_options *o, bool words, char *why, size_t n)
{
    const char *dashes = words ? "--" : "";
    const struct option_row *row = option_about(exec_options_table, o, OPTION_OF_TIMING);
    const struct option_row *each = option_about(exec_options_table, o, OPTION_OF_EACH_GROUP);

    if (row && o->common.engine != OPTION_ENGINE_TIMING)
        snprintf(why, n, "%s%s is of the timing engine; expected %s beside it", dashes,
                 words ? row->name : row->variable, words ? "--engine timing" : "GCNSIM_ENGINE=timing");
    else if (o->common.sample && o->common.check)
        snprintf(why, n, "%s estimates times; expected no %s beside it", words ? "--sample" : "GCNSIM_SAMPLE",
                 words ? "--check" : "GCNSIM_CHECK");
    else if (o->common.sample_workgroups && each)
        snprintf(why, n, "%s with workgroups does not simulate each of them; expected no %s%s beside it",
                 words ? "--sample" : "GCNSIM_SAMPLE", dashes, words ? each->name : each->variable);
    else
        return true;
    return false;
}

/* The first row, after the heading. */
bool exec_default_profile(struct exec_options *o, char *why, size_t n)
{
    return o->profiles.count || option_read(&exec_options_table[1], DEFAULT_PROFILE, o, why, n);
}

bool exec_options_read(struct exec_options *o, char *why, size_t n)
{
    exec_options_init(o);
    return option_read_environment(exec_options_table, o, why, n) && exec_default_profile(o, why, n) &&
           exec_options_fit(o, false, why, n);
}
