/* The batch script by which Slurm runs a sweep as an array of jobs. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cli.h"
#include "sim/cli/sweep.h"
#include "sim/sweep/command.h"

enum { MOST_TASKS = 1000000 };

/* What stands in a comment of Slurm's: a name without what ends it. */
static void put_name(const char *name)
{
    for (const char *c = name; *c; c++)
        putchar(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", *c) ? *c : '-');
}

int cli_sweep_slurm(const char *tasks, const char *path, const struct sweep_spec *spec, const char *output)
{
    char program[PATH_MAX], *full = realpath(path, NULL), *folder = realpath(".", NULL);
    uint64_t count;
    int status = CLI_OK;

    if (!cli_own_program(program, sizeof program))
        strcpy(program, "gcnsim");
    if (!cli_number(tasks, MOST_TASKS, &count) || !count)
        status = cli_usage("sweep", "--slurm: '%s'; expected a number of tasks, 1 to %d", tasks, MOST_TASKS);
    else if (!full || !folder)
        status = cli_error("%s: its path is not known; expected a file", path);
    if (status == CLI_OK) {
        printf("#!/bin/bash\n"
               "# gcnsim sweep as an array of jobs: sbatch THIS. A task that was lost is run again by the same "
               "command, and\n"
               "# runs what it lacks. When all have ended, in this folder:\n#   ");
        sweep_put_quoted(stdout, program);
        printf(" sweep merge ");
        sweep_put_quoted(stdout, output);
        putchar(' ');
        sweep_put_quoted(stdout, output);
        printf(".shard-*.sqlite\n#SBATCH --job-name=gcnsim-");
        put_name(spec->name);
        printf("\n#SBATCH --array=0-%" PRIu64 "\n#SBATCH --ntasks=1\n#SBATCH --requeue\n", count - 1);
        printf("#SBATCH --output=gcnsim-sweep-%%A_%%a.log\nset -eu\ncd ");
        sweep_put_quoted(stdout, folder);
        printf("\noutput=");
        sweep_put_quoted(stdout, output);
        printf("\nshard=\"$output.shard-$SLURM_ARRAY_TASK_ID.sqlite\"\n");
        sweep_put_quoted(stdout, program);
        printf(" sweep ");
        sweep_put_quoted(stdout, full);
        printf(" --shard \"$SLURM_ARRAY_TASK_ID/%" PRIu64 "\" \\\n    --output \"$shard\" --resume --progress never "
               "--jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n",
               count);
        status = cli_flush();
    }
    free(full);
    free(folder);
    return status;
}
