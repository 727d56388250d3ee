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
static void put_name(FILE *f, const char *name)
{
    for (const char *c = name; *c; c++)
        fputc(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", *c) ? *c : '-', f);
}

/* The script. full: the path of the spec. */
static void put_script(FILE *f, const char *program, const char *full, const char *folder, const char *name,
                       const char *output, uint64_t count)
{
    fprintf(f, "#!/bin/bash\n"
               "# gcnsim sweep as an array of jobs: sbatch THIS. A task that was lost is run again by the same "
               "command, and\n"
               "# runs what it lacks. When all have ended, in this folder:\n#   ");
    sweep_put_quoted(f, program);
    fprintf(f, " sweep merge ");
    sweep_put_quoted(f, output);
    fputc(' ', f);
    sweep_put_quoted(f, output);
    fprintf(f, ".shard-*.sqlite\n#SBATCH --job-name=gcnsim-");
    put_name(f, name);
    fprintf(f, "\n#SBATCH --array=0-%" PRIu64 "\n#SBATCH --ntasks=1\n#SBATCH --requeue\n", count - 1);
    fprintf(f, "#SBATCH --output=gcnsim-sweep-%%A_%%a.log\nset -eu\ncd ");
    sweep_put_quoted(f, folder);
    fprintf(f, "\noutput=");
    sweep_put_quoted(f, output);
    fprintf(f, "\nshard=\"$output.shard-$SLURM_ARRAY_TASK_ID.sqlite\"\n");
    sweep_put_quoted(f, program);
    fprintf(f, " sweep ");
    sweep_put_quoted(f, full);
    fprintf(f,
            " --shard \"$SLURM_ARRAY_TASK_ID/%" PRIu64 "\" \\\n    --output \"$shard\" --resume --progress never "
            "--jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n",
            count);
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
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (f)
            put_script(f, program, full, folder, spec->name, output, count);
        status = f && fclose(f) == 0 ? cli_put(text) : cli_error("out of memory");
        free(text);
    }
    free(full);
    free(folder);
    return status;
}
