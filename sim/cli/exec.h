/* gcnsim exec: a program on simulated GPUs.
 *
 * The command sets up the environment in which a program finds gcnsim's HSA runtime (libhsa-runtime64.so.1, sim/hsa) in
 * the place of the system's, and becomes the program. It prints its messages before that, with exit status 2;
 * afterwards input, output, signals and exit status are the program's. docs/ROCM.md is for users.
 */
#ifndef GCNSIM_CLI_EXEC_H
#define GCNSIM_CLI_EXEC_H

#include <stdbool.h>
#include <stddef.h>

struct option_row;
struct option_list;

enum { EXEC_PATH = 4096 };

/* The folder that holds libhsa-runtime64.so.1: GCNSIM_HSA_DIR, else ../lib/gcnsim/hsa or hsa beside the executable.
 * CLI_OK, or CLI_BAD_INPUT with a message. */
int exec_library(char folder[EXEC_PATH]);
/* The file that a program's name stands for, as execvp() finds it, when the runtime can be put under it: a script, or a
 * dynamically linked ELF program of this machine. CLI_OK, or CLI_BAD_INPUT with a message. */
int exec_program(const char *name, char path[EXEC_PATH]);
/* Whether a file is a dynamically linked ELF program of this machine, which exec is for. Says nothing. */
bool exec_is_program(const char *path);

/* ---- the environment (exec_pass.c); CLI_OK, or CLI_BAD_INPUT with a message ---- */

int exec_put(const char *name, const char *value);
int exec_no_memory(void);
/* A variable that has an item in each line; no items: it stays as it is. */
int exec_put_lines(const char *name, const struct option_list *lines);
/* cli_command.given: puts the value of an option into its variable, a path from the root on. */
int exec_hand_on(const struct option_row *row, const char *value);

/* Prints system and agents as the library of the folder shows them to programs. */
int exec_info(const char *folder);

#endif
