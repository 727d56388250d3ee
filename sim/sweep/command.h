/* The command that simulates a point: gcnsim run or gcnsim exec, in the folder of the spec. */
#ifndef GCNSIM_SWEEP_COMMAND_H
#define GCNSIM_SWEEP_COMMAND_H

#include <stdio.h>

#include "sim/sweep/points.h"
#include "sim/util/sha256.h"

struct sweep_command {
    char **words; /* null after the last; words[0] is the program gcnsim */
    uint32_t count;
    char **environment; /* NAME=VALUE beside the process's own; null after the last */
    bool program;       /* gcnsim exec: its statistics come in a table, and word `table` is "statistics=PATH" */
    uint32_t table;
    char gcnsim_sha256[SHA256_TEXT]; /* of the code that simulates: of the tool, and of the HSA runtime of a program */
    char key[SHA256_TEXT]; /* of all that decides the result: that code, the words, and the files that they name */
};

/* What commands share: this program, and the hashes of files that they name. */
struct sweep_commands;

/* gcnsim: the program. 0, or -1 with *e. */
int sweep_commands_new(struct sweep_commands **out, const struct sweep_spec *s, const char *gcnsim, struct err *e);
void sweep_commands_free(struct sweep_commands *c); /* null is fine */

/* The command of a point. 0, or -1 with *e: a {NAME} that has no value. */
int sweep_command_make(struct sweep_commands *c, struct sweep_points *p, uint64_t point, struct sweep_command *out,
                       struct err *e);
/* Whether the file that it runs is there: 0, or -1 with *e. */
int sweep_command_check(const struct sweep_commands *c, const struct sweep_command *command, struct err *e);
void sweep_command_free(struct sweep_command *c);
/* A word in quotes for a shell. */
void sweep_put_quoted(FILE *f, const char *word);
/* As one line for people, quoted for a shell; null: out of host memory. To be freed. */
char *sweep_command_line(const struct sweep_command *c);

#endif
