/* gcnsim sweep: what its verbs share. */
#ifndef GCNSIM_CLI_SWEEP_H
#define GCNSIM_CLI_SWEEP_H

#include "sim/sweep/spec.h"

/* What `sweep show` is asked for. */
struct cli_sweep_show {
    const char *value, *pivot, *where, *pareto, *csv, *html;
    int aggregate; /* min, mean, max */
};
int cli_sweep_show(const struct cli_sweep_show *o, const char *path);

/* Writes the batch script; tasks: text of the option. */
int cli_sweep_slurm(const char *tasks, const char *path, const struct sweep_spec *spec, const char *output);

#endif
