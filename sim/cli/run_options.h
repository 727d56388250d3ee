/* What `gcnsim run` is asked for: the words of its command line. */
#ifndef GCNSIM_CLI_RUN_OPTIONS_H
#define GCNSIM_CLI_RUN_OPTIONS_H

#include "sim/cli/cli.h"

struct run_options {
    const char *file, *kernel;      /* texts belong to argv or to the launch file */
    uint32_t grid[3], workgroup[3]; /* [0] is 0 when not given */
    const char **args;
    size_t arg_count;
    uint32_t dynamic_lds;
    bool dynamic_lds_given;
    const char *arch, *target, *confine;
    int engine; /* enum gcnsim_engine, -1 when not given */
    uint32_t threads;
    uint64_t max_cycles, max_instructions, max_memory;
    const char **sets;
    size_t set_count;
    const char **traces;
    size_t trace_count;
    const char *json, *csv;
    char *command_line; /* all words, for the report */
    enum cli_progress_when progress;
    uint32_t repeat, warmup; /* rounds; repeat 0: once */
    bool rounds_given;       /* one of them was */
    bool warmup_given;
    bool quiet, check, perfect_memory, cold;
};

/* Reads the command line; --help is printed, and *help set. CLI_OK or the exit status, with a message. Either way
 * run_options_free() is called in the end. */
int run_options_read(struct run_options *o, int argc, char **argv, bool *help);
void run_options_free(struct run_options *o);

#endif
