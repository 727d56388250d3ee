/* What a program under gcnsim exec is asked for: the table of exec's command line, whose rows are the variables
 * GCNSIM_* of the HSA runtime as well. `gcnsim exec` sets them from its command line; the runtime reads them once, in
 * the first hsa_init(). docs/ROCM.md describes them for users.
 */
#ifndef GCNSIM_OPTIONS_EXEC_H
#define GCNSIM_OPTIONS_EXEC_H

#include "sim/options/launch.h"

#define EXEC_MAX_AGENTS 16

enum exec_slack { EXEC_SLACK_NONE, EXEC_SLACK_PAGE };
enum exec_att_cus { EXEC_ATT_FIRST, EXEC_ATT_ALL };

struct exec_options {
    struct launch_options common; /* first, as its rows say */
    struct option_list profiles;  /* one GPU agent each */
    bool info;                    /* exec's own: print agents, and run nothing */
    int slack;                    /* enum exec_slack: how far accesses pass the end of an allocation */
    bool blit_kernels;            /* the runtime's own copy kernels are simulated */
    double max_wall_seconds;      /* 0: none */
    const char *kernels;          /* regular expression of kernels for the timing engine; null: all */
    const char *dispatches;       /* "3,7-9"; null: all */
    const char *of, *explain;     /* "KERNEL[,N]"; null: nothing is chosen */
    uint32_t explain_warmup;      /* runs of the dispatch before; 0: cold */
    bool summary;
    int att_cus; /* enum exec_att_cus */
    /* files and folders; null: none */
    const char *report, *json, *csv, *csv_statistics, *csv_counters, *csv_instructions, *explain_json, *html, *att,
        *trace, *log;
};

extern const struct option_row exec_options_table[];

static inline bool exec_is_timing(const struct exec_options *o)
{
    return o->common.engine == OPTION_ENGINE_TIMING;
}

/* Nothing given. */
void exec_options_init(struct exec_options *o);
/* Chooses the default profile where none is given. False: out of host memory for it, as why[n] says. */
bool exec_default_profile(struct exec_options *o, char *why, size_t n);
/* Reads the environment; an empty variable is as one that is not set. Texts are the environment's own. False, with a
 * sentence in why[n], when a value is not understood, or what is asked for does not go together. Either way
 * option_free(exec_options_table, o) is called in the end. */
bool exec_options_read(struct exec_options *o, char *why, size_t n);
/* That what is asked for goes together. Options are named by their variables, or (words) as on a command line. */
bool exec_options_fit(const struct exec_options *o, bool words, char *why, size_t n);

#endif
