/* What a launch is asked for wherever it comes from, gcnsim run or a program under gcnsim exec: the fields, and the
 * rows that both tables have, each with one name, one set of values and one meaning.
 */
#ifndef GCNSIM_OPTIONS_LAUNCH_H
#define GCNSIM_OPTIONS_LAUNCH_H

#include "sim/options/option.h"

enum option_engine { OPTION_ENGINE_NONE = -1, OPTION_ENGINE_TIMING, OPTION_ENGINE_FUNCTIONAL }; /* as gcnsim_engine */
enum option_color { OPTION_COLOR_AUTO, OPTION_COLOR_ALWAYS, OPTION_COLOR_NEVER };
#define OPTION_SAMPLE_AUTO UINT64_MAX /* as GCNSIM_SAMPLE_AUTO */

/* 0, null or false: not given. Texts belong to who gave them. */
struct launch_options {
    struct option_list sets; /* "PATH=VALUE" of the profile */
    int engine;              /* enum option_engine */
    uint32_t threads;
    bool check, ignore_lds_races, perfect_memory, per_instruction, details;
    uint64_t max_cycles, max_instructions;
    uint64_t samples; /* cycles of an interval at first */
    /* --sample: its text, and what it says: of workgroups GCNSIM_SAMPLE_AUTO or a number; of kernels whether, and how
     * many of each cluster, 0: as many as it takes */
    const char *sample;
    uint64_t sample_workgroups;
    bool sample_kernels, sample_loops;
    uint32_t representatives;
    /* annotated code */
    bool annotate;
    int sort, color; /* enum gcnsim_sort; enum option_color */
    uint32_t top;
    const char *function;
    /* timelines */
    struct option_wave timeline;
    struct option_span timeline_rows, trace_cycles;
    const char *trace_cus; /* "0,4-7" */
    uint64_t trace_bytes;
    bool trace_ns;
};

/* A row of a table whose struct begins with a struct launch_options. */
#define LAUNCH_AT(field) offsetof(struct launch_options, field)

#define OPTION_CHECK(what)                                                                                             \
    {                                                                                                                  \
        "check", NULL, OPTION_FLAG, LAUNCH_AT(check), .variable = "GCNSIM_CHECK", .about = OPTION_OF_EACH_GROUP,       \
                                                      .help = what                                                     \
    }
#define OPTION_IGNORE_LDS_RACES                                                                                        \
    {                                                                                                                  \
        "ignore-lds-races", NULL, OPTION_FLAG, LAUNCH_AT(ignore_lds_races), .variable = "GCNSIM_IGNORE_LDS_RACES",     \
                                                                            .help = "functional engine: do not look "  \
                                                                                    "for waves that race in LDS "      \
                                                                                    "(docs/CHECK.md)"                  \
    }
#define OPTION_PERFECT_MEMORY                                                                                          \
    {                                                                                                                  \
        "perfect-memory", NULL, OPTION_FLAG, LAUNCH_AT(perfect_memory), .variable = "GCNSIM_PERFECT_MEMORY",           \
                                                                        .about = OPTION_OF_TIMING,                     \
                                                                        .help = "timing engine: every access hits "    \
                                                                                "the nearest cache"                    \
    }
#define OPTION_MAX_CYCLES                                                                                              \
    {                                                                                                                  \
        "max-cycles", "N", OPTION_NUMBER, LAUNCH_AT(max_cycles), .variable = "GCNSIM_MAX_CYCLES", .least = 1,          \
                                                                 .help = "stop after N cycles; functional: when the "  \
                                                                         "launch certainly takes N (a wave issues "    \
                                                                         "one instruction per cycle at most), or all " \
                                                                         "waves only wait"                             \
    }
#define OPTION_MAX_INSTRUCTIONS                                                                                        \
    {                                                                                                                  \
        "max-instructions", "N", OPTION_NUMBER, LAUNCH_AT(max_instructions),                                           \
            .variable = "GCNSIM_MAX_INSTRUCTIONS", .least = 1, .about = OPTION_OF_EACH_GROUP,                          \
            .help = "stop after N wave-instructions"                                                                   \
    }
#define OPTION_DETAILS(what)                                                                                           \
    {                                                                                                                  \
        "details", NULL, OPTION_FLAG, LAUNCH_AT(details), .variable = "GCNSIM_DETAILS", .help = what                   \
    }
#define OPTION_ANNOTATE(what)                                                                                          \
    {                                                                                                                  \
        "annotate", NULL, OPTION_FLAG, LAUNCH_AT(annotate),                                                            \
            .variable = "GCNSIM_ANNOTATE", .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP, .help = what              \
    }
#define OPTION_SORTS  "pc|cycles|executed|latency|stall"
#define OPTION_COLORS "auto|always|never"
#define OPTION_SORT                                                                                                    \
    {                                                                                                                  \
        "sort", OPTION_SORTS, OPTION_WORD, LAUNCH_AT(sort), .words = OPTION_SORTS, .variable = "GCNSIM_SORT",          \
                                                            .beside = "annotate",                                      \
                                                            .help = "of annotated code: instructions in the order of " \
                                                                    "the code (default), or those with the most first" \
    }
#define OPTION_TOP                                                                                                     \
    {                                                                                                                  \
        "top", "N", OPTION_COUNT, LAUNCH_AT(top), .variable = "GCNSIM_TOP", .least = 1, .beside = "annotate",          \
                                                  .help = "of annotated code: N instructions, those with the most, "   \
                                                          "and N lines of each table"                                  \
    }
#define OPTION_FUNCTION                                                                                                \
    {                                                                                                                  \
        "function", "NAME", OPTION_TEXT, LAUNCH_AT(function), .variable = "GCNSIM_FUNCTION", .beside = "annotate",     \
                                                              .help = "of annotated code: functions with NAME in "     \
                                                                      "their names"                                    \
    }
#define OPTION_COLOR                                                                                                   \
    {                                                                                                                  \
        "color", OPTION_COLORS, OPTION_WORD, LAUNCH_AT(color), .words = OPTION_COLORS, .variable = "GCNSIM_COLOR",     \
                                                               .beside = "annotate",                                   \
                                                               .help = "of annotated code; auto: on a terminal, "      \
                                                                       "unless NO_COLOR is set"                        \
    }
#define OPTION_PER_INSTRUCTION                                                                                         \
    {                                                                                                                  \
        "per-instruction", NULL, OPTION_FLAG, LAUNCH_AT(per_instruction),                                              \
            .variable = "GCNSIM_PER_INSTRUCTION", .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP,                    \
            .help = "count for each instruction, too, "                                                                \
                    "for --json and gcnsim diff "                                                                      \
                    "(docs/ATT.md)"                                                                                    \
    }
#define OPTION_SAMPLES                                                                                                 \
    {                                                                                                                  \
        "samples", "CYCLES", OPTION_NUMBER, LAUNCH_AT(samples), .variable = "GCNSIM_SAMPLES", .least = 1,              \
                                                                .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP,      \
                                                                .help = "statistics over time in the JSON report: "    \
                                                                        "intervals of so many cycles, or twice, four " \
                                                                        "times ... as many in a long run "             \
                                                                        "(docs/REPORT.md)"                             \
    }
#define OPTION_TRACE_CUS                                                                                               \
    {                                                                                                                  \
        "trace-cus", "LIST", OPTION_RANGES, LAUNCH_AT(trace_cus),                                                      \
            .unit = "numbers of compute units", .most = UINT16_MAX, .variable = "GCNSIM_TRACE_CUS", .beside = "trace", \
            .help = "compute units whose waves are on the "                                                            \
                    "timeline, '0,4-7' (default: all)"                                                                 \
    }
#define OPTION_TRACE_CYCLES(what)                                                                                      \
    {                                                                                                                  \
        "trace-cycles", "A:B", OPTION_SPAN, LAUNCH_AT(trace_cycles), .variable = "GCNSIM_TRACE_CYCLES",                \
                                                                     .beside = "trace", .help = what                   \
    }
#define OPTION_TRACE_SIZE                                                                                              \
    {                                                                                                                  \
        "trace-size", "BYTES", OPTION_BYTES, LAUNCH_AT(trace_bytes),                                                   \
            .most = UINT64_C(1) << 62, .variable = "GCNSIM_TRACE_SIZE", .beside = "trace",                             \
            .help = "size before compression from which on "                                                           \
                    "the timeline has no more waves "                                                                  \
                    "(default 256M)"                                                                                   \
    }
#define OPTION_TRACE_NS                                                                                                \
    {                                                                                                                  \
        "trace-ns", NULL, OPTION_FLAG, LAUNCH_AT(trace_ns), .variable = "GCNSIM_TRACE_NS", .beside = "trace",          \
                                                            .help = "times of the timeline are nanoseconds; by "       \
                                                                    "default one of its nanoseconds is a cycle"        \
    }
#define OPTION_TIMELINE(what)                                                                                          \
    {                                                                                                                  \
        "timeline", "[WG:WAVE]", OPTION_WAVE, LAUNCH_AT(timeline), .bare = "0:0", .variable = "GCNSIM_TIMELINE",       \
                                                                   .about = OPTION_OF_TIMING | OPTION_OF_EACH_GROUP,   \
                                                                   .help = what                                        \
    }
#define OPTION_TIMELINE_ROWS                                                                                           \
    {                                                                                                                  \
        "timeline-rows", "A:B", OPTION_SPAN, LAUNCH_AT(timeline_rows), .variable = "GCNSIM_TIMELINE_ROWS",             \
                                                                       .beside = "timeline",                           \
                                                                       .help = "rows A up to B of that (default "      \
                                                                               "0:200)"                                \
    }
/* forms: those that it takes. */
#define OPTION_SAMPLE(placeholder, forms, what)                                                                        \
    {                                                                                                                  \
        "sample", placeholder, OPTION_TAKE, LAUNCH_AT(sample), .take = option_take_sample, .unit = (forms),            \
                                                               .variable = "GCNSIM_SAMPLE", .about = OPTION_OF_TIMING, \
                                                               .help = what                                            \
    }

/* option_row.take: "workgroups=AUTO|N", "loops" or "kernels[=AUTO|N][,workgroups=AUTO|N]", as far as the row's `unit`
 * names them. */
bool option_take_sample(void *into, const struct option_row *row, const char *value, char *why, size_t n);

#endif
