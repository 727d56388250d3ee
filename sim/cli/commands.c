/* The commands, in the order of the help. */
#include "sim/cli/options.h"

#include <string.h>

const struct cli_command *const cli_commands[] = {
    &cli_command_run,
    &cli_command_annotate,
    &cli_command_explain,
    &cli_command_whatif,
    &cli_command_diff,
    &cli_command_exec,
    &cli_command_info,
    &cli_command_disasm,
    &cli_command_sweep,
    &cli_command_compare,
    &cli_command_arch,
    &cli_command_isa,
    &cli_command_completion,
    &cli_command_help,
    &cli_command_pages,
    &cli_command_words,
    NULL, /* keeps a line for each */
};

const struct cli_command *cli_command_named(const char *name)
{
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        if (strcmp(name, (*c)->name) == 0)
            return *c;
    return NULL;
}
