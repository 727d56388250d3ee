/* What `gcnsim run` is asked for: the words of its command line, as the table in run_options.c takes them. */
#ifndef GCNSIM_CLI_RUN_OPTIONS_H
#define GCNSIM_CLI_RUN_OPTIONS_H

#include "sim/cli/att.h"
#include "sim/cli/options.h"
#include "sim/options/launch.h"

#define ROUNDS_NOT_GIVEN UINT32_MAX
#define MAX_ROUNDS       100000 /* a row of the table is kept of each, within --max-memory */

/* What --csv can write. */
enum csv_what { CSV_STATISTICS, CSV_COUNTERS, CSV_INSTRUCTIONS, CSV_WHATS };

struct run_options {
    struct launch_options common;              /* first, as its rows say */
    const char *file, *kernel, *launch;        /* texts belong to argv or to the launch file */
    uint32_t grid[3], blocks[3], workgroup[3]; /* [0] is 0 when not given */
    struct option_list args, replace_args, traces, set_symbols, read_symbols;
    char trace_to_stdout[80]; /* that of --trace FORMAT=-, with the name that standard output has as a file; else empty
                               */
    uint32_t cluster[3];      /* [0] is 0 when not given */
    uint64_t dynamic_lds;     /* or NOT_GIVEN */
    uint64_t index;           /* likewise */
    const char *arch, *target, *confine, *clang;
    uint64_t max_memory; /* 0 when not given */
    const char *json, *html;
    char *csv[CSV_WHATS];  /* files of --csv; of run */
    const char *csv_table; /* of explain and whatif */
    bool annotating;       /* by gcnsim annotate: there is no report */
    struct att_options att_options;
    struct gcnsim_att att;   /* what they say */
    char **words;            /* of the command line in their order, the command's name first, null after them; */
    char *command_line;      /* they as one, for the report */
    const char *show;        /* names of sections of the report; null: not given */
    int progress;            /* enum cli_progress_when */
    uint32_t repeat, warmup; /* rounds; repeat 0: once; warmup may be ROUNDS_NOT_GIVEN */
    bool sample_skip;
    bool one_launch; /* of a list --launch chooses the one that is run */
    bool quiet, cold;
    bool discard_outputs;
};

#define RUN_AT(field) offsetof(struct run_options, field)
/* Rows that every command has that launches something, of a table whose struct begins with a struct run_options. */
#define RUN_ROWS_LAUNCH                                                                                                \
    {"what to run", .kind = OPTION_GROUP},                                                                             \
        {"kernel",                                                                                                     \
         "NAME",                                                                                                       \
         OPTION_TEXT,                                                                                                  \
         RUN_AT(kernel),                                                                                               \
         .complete = COMPLETE_KERNELS,                                                                                 \
         .help = "the kernel, or a part of its name that is unique; may be left out when the file holds one kernel"},  \
        {"grid",       "X[,Y[,Z]]",          OPTION_TRIPLE,                                                            \
         RUN_AT(grid), .unit = "work-items", .help = "work-items, as in an AQL packet and in OpenCL"},                 \
        {"blocks",       "X[,Y[,Z]]",          OPTION_TRIPLE,                                                          \
         RUN_AT(blocks), .unit = "workgroups", .help = "instead of --grid: workgroups, as HIP counts a grid"},         \
        {"workgroup",          "X[,Y[,Z]]",                                                                            \
         OPTION_TRIPLE,        RUN_AT(workgroup),                                                                      \
         .unit = "work-items", .help = "work-items per workgroup; may be left out when the kernel requires a size"},   \
        {"cluster",                                                                                                    \
         "X[,Y[,Z]]",                                                                                                  \
         OPTION_TRIPLE,                                                                                                \
         RUN_AT(cluster),                                                                                              \
         .unit = "workgroups",                                                                                         \
         .help = "workgroups in a cluster (gfx1250); by default as the kernel "                                        \
                 "was compiled"},                                                                                      \
        {"arg",                                                                                                        \
         "SPEC",                                                                                                       \
         OPTION_LIST,                                                                                                  \
         RUN_AT(args),                                                                                                 \
         .complete = COMPLETE_SPECS,                                                                                   \
         .help = "one for each explicit argument, in order; see 'gcnsim help arguments'"},                             \
        {"replace-arg",                                                                                                \
         "N=SPEC",                                                                                                     \
         OPTION_LIST,                                                                                                  \
         RUN_AT(replace_args),                                                                                         \
         .pair = true,                                                                                                 \
         .help = "in the place of argument N, from 0 on, of a LAUNCH.json; paths begin where those of the file do"},   \
        {"set-symbol", "NAME=SPEC", OPTION_LIST, RUN_AT(set_symbols),                                                  \
         .help = "give a __device__ or __constant__ variable a number, bytes:HEX, in:PATH or buffer:NAME"},            \
        {"read-symbol", "NAME[:TYPE[:COUNT]][=FILE]", OPTION_LIST, RUN_AT(read_symbols),                               \
         .help = "print a variable after the run, or write its bytes to FILE"},                                        \
        {"dynamic-lds",      "BYTES",                                                                                  \
         OPTION_NUMBER,      RUN_AT(dynamic_lds),                                                                      \
         .most = UINT32_MAX, .help = "LDS beyond what the kernel declares"},                                           \
        {"launch", "NAME|N", OPTION_TEXT, RUN_AT(launch),                                                              \
         .help =                                                                                                       \
             "the launch of a LAUNCH.json with several (by name, or number from 0 on) that the options above change"}, \
        {"target",                                                                                                     \
         "NAME",                                                                                                       \
         OPTION_TEXT,                                                                                                  \
         RUN_AT(target),                                                                                               \
         .complete = COMPLETE_TARGETS,                                                                                 \
         .help = "the entry of an offload bundle; by default the profile's"},                                          \
        CLI_OPTION_INDEX(RUN_AT(index)), CLI_OPTION_CLANG(RUN_AT(clang))
#define RUN_ROWS_LIMITS                                                                                                \
    {"limits", .kind = OPTION_GROUP}, OPTION_MAX_CYCLES, OPTION_MAX_INSTRUCTIONS,                                      \
        CLI_OPTION_MAX_MEMORY(RUN_AT(max_memory), "what would hold more"),                                             \
    {                                                                                                                  \
        "confine", "DIR", OPTION_TEXT, RUN_AT(confine), .complete = COMPLETE_FOLDERS,                                  \
                                                        .help = "refuse a LAUNCH.json that names files outside DIR"    \
    }

/* The struct with nothing given but the words, which are joined for the report. False: out of host memory. */
bool run_options_init(struct run_options *o, int argc, char **argv);
/* Reads the command line of run, or of annotate. *done: there is nothing to run, help is printed or a message is, and
 * the exit status is returned. Either way run_options_free() is called in the end. */
int run_options_read(struct run_options *o, const struct cli_command *c, int argc, char **argv, bool *done);
void run_options_free(struct run_options *o);
/* "gcnsim" and the words with blanks between them; words that a shell would take apart are quoted. Null when out of
 * memory. */
char *run_join_words(char *const *words);

#endif
