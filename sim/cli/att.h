/* Options about AMD's thread trace: --att and what it is of. */
#ifndef GCNSIM_CLI_ATT_H
#define GCNSIM_CLI_ATT_H

#include "sim/cli/cli.h"

enum { ATT_MAX_UNITS = 256 };

struct att_options {
    const char *folder, *units, *cycles; /* as they are given; null: not */
    uint64_t waves;
    uint32_t list[ATT_MAX_UNITS]; /* what cli_att_read() makes of `units` */
};

/* The request, whose lists are those of o. CLI_OK, or CLI_BAD_INPUT with a message. */
int cli_att_read(const char *command, struct att_options *o, struct gcnsim_att *out);

#endif
