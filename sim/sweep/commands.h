/* What is kept while the commands of a sweep are made (command_make.c), and their keys (command_key.c). */
#ifndef GCNSIM_SWEEP_COMMANDS_H
#define GCNSIM_SWEEP_COMMANDS_H

#include "sim/sweep/command.h"

struct hashed {
    char *path;
    bool code;                /* of gcnsim's own: by what it has been linked from */
    char sha256[SHA256_TEXT]; /* "": no file */
    bool read;                /* as a launch file: */
    char *names;              /* lines of the key for the files that it names; null: none */
};

struct sweep_commands {
    const struct sweep_spec *s;
    char *gcnsim;
    char code_sha256[SHA256_TEXT]; /* of the program with its library */
    struct hashed *file;
    size_t files, room;
};

/* A path of n bytes as it is named in a folder, to be freed; null with *e. */
char *sweep_path_in(const char *folder, const char *path, size_t n, struct err *e);

/* Finds what simulates: the code of the program with its library. */
int sweep_find_simulator(struct sweep_commands *c, struct err *e);

/* Fills out->key, and out->gcnsim_sha256, from the command's words and environment and the files that they name. */
int sweep_command_make_key(struct sweep_commands *c, const struct sweep_launch *l, struct sweep_command *out,
                           struct err *e);

#endif
