/* Options of views, which gcnsim run and gcnsim exec both have: one name, one set of values and one meaning. What
 * stands in the parentheses says where the value goes: of run the kind and the field, of exec the function that puts it
 * into the environment, and the variable.
 */
#ifndef GCNSIM_CLI_VIEW_OPTIONS_H
#define GCNSIM_CLI_VIEW_OPTIONS_H

#include "sim/cli/options.h"

#define VIEW_SORTS  "pc|cycles|executed|latency|stall"
#define VIEW_COLORS "auto|always|never"

#define VIEW_SORT(...)                                                                                                 \
    {                                                                                                                  \
        "sort", VIEW_SORTS, __VA_ARGS__,                                                                               \
            .words = VIEW_SORTS,                                                                                       \
            .help = "of annotated code: instructions in the order of the code (default), or those with the most first" \
    }
#define VIEW_TOP(...)                                                                                                  \
    {                                                                                                                  \
        "top", "N", __VA_ARGS__,                                                                                       \
            .least = 1, .help = "of annotated code: N instructions, those with the most, and N lines of each table"    \
    }
#define VIEW_FUNCTION(...)                                                                                             \
    {                                                                                                                  \
        "function", "NAME", __VA_ARGS__, .help = "of annotated code: functions with NAME in their names"               \
    }
#define VIEW_COLOR(...)                                                                                                \
    {                                                                                                                  \
        "color", VIEW_COLORS, __VA_ARGS__, .words = VIEW_COLORS,                                                       \
                                           .help = "of annotated code; auto: on a terminal, unless NO_COLOR is set"    \
    }
#define VIEW_PER_INSTRUCTION(...)                                                                                      \
    {                                                                                                                  \
        "per-instruction", NULL, __VA_ARGS__,                                                                          \
            .help = "count for each instruction, too, for --json and gcnsim diff (docs/ATT.md)"                        \
    }
#define VIEW_SAMPLES(...)                                                                                              \
    {                                                                                                                  \
        "samples", "CYCLES", __VA_ARGS__,                                                                              \
            .least = 1,                                                                                                \
            .help = "statistics over time in the JSON report: intervals of so many cycles, or twice, four times ... "  \
                    "as many in a long run (docs/REPORT.md)"                                                           \
    }
#define VIEW_TIMELINE_ROWS(...)                                                                                        \
    {                                                                                                                  \
        "timeline-rows", "A:B", __VA_ARGS__, .help = "rows A up to B of that (default 0:200)"                          \
    }
#define VIEW_TRACE_CUS(...)                                                                                            \
    {                                                                                                                  \
        "trace-cus", "LIST", __VA_ARGS__,                                                                              \
            .help = "compute units whose waves are on the timeline, '0,4-7' (default: all)"                            \
    }
#define VIEW_TRACE_SIZE(...)                                                                                           \
    {                                                                                                                  \
        "trace-size", "BYTES", __VA_ARGS__,                                                                            \
            .help = "size before compression from which on the timeline has no more waves (default 256M)"              \
    }
#define VIEW_TRACE_NS(...)                                                                                             \
    {                                                                                                                  \
        "trace-ns", NULL, __VA_ARGS__,                                                                                 \
            .help = "times of the timeline are nanoseconds; by default one of its nanoseconds is a cycle"              \
    }

/* "WG:WAVE", the numbers of a workgroup and of a wave in it; false: it is something else. */
bool cli_wave(const char *text, uint64_t *group, uint64_t *wave);
/* "A:B", either of which may be missing, with B above A; *first and *end stay what they are then. */
bool cli_span(const char *text, uint64_t *first, uint64_t *end);

#endif
