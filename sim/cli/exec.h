/* gcnsim exec: a program on simulated GPUs.
 *
 * The command sets up the environment in which a program finds gcnsim's HSA runtime (libhsa-runtime64.so.1, sim/hsa) in
 * the place of the system's, and becomes the program. What it has to say it says before that, with exit status 2;
 * afterwards input, output, signals and exit status are the program's. docs/ROCM.md is for users.
 */
#ifndef GCNSIM_CLI_EXEC_H
#define GCNSIM_CLI_EXEC_H

#include <stdbool.h>
#include <stddef.h>

enum { EXEC_PATH = 4096 };

/* The folder that holds libhsa-runtime64.so.1: GCNSIM_HSA_DIR, else ../lib/gcnsim/hsa or hsa beside the executable.
 * CLI_OK, or CLI_BAD_INPUT with a message. */
int exec_library(char folder[EXEC_PATH]);
/* The file that a program's name stands for, as execvp() finds it, when the runtime can be put under it: a script, or a
 * dynamically linked ELF program of this machine. CLI_OK, or CLI_BAD_INPUT with a message. */
int exec_program(const char *name, char path[EXEC_PATH]);
/* Whether a file is a dynamically linked ELF program of this machine, which exec is for. Says nothing. */
bool exec_is_program(const char *path);
struct cli_option;

/* ---- values (exec_take.c): each is put into the environment, under the name of the row's variable. CLI_OK, or
 * CLI_BAD_INPUT with a message ---- */

int exec_put(const char *name, const char *value);
int exec_no_memory(void);
/* cli_option.take */
int exec_take_flag(void *choice, const struct cli_option *row, const char *value);
int exec_take_no_summary(void *choice, const struct cli_option *row, const char *value);
int exec_take_text(void *choice, const struct cli_option *row, const char *value);
int exec_take_word(void *choice, const struct cli_option *row, const char *value);
int exec_take_bytes(void *choice, const struct cli_option *row, const char *value);
int exec_take_count(void *choice, const struct cli_option *row, const char *value); /* from row->least on */
int exec_take_threads(void *choice, const struct cli_option *row, const char *value);
int exec_take_max_wall(void *choice, const struct cli_option *row, const char *value);
int exec_take_kernels(void *choice, const struct cli_option *row, const char *value);
int exec_take_dispatches(void *choice, const struct cli_option *row, const char *value);
int exec_take_sample(void *choice, const struct cli_option *row, const char *value); /* "kernels[=AUTO|N]" */
int exec_take_kernel(void *choice, const struct cli_option *row, const char *value); /* "KERNEL[,N]" */
int exec_take_wave(void *choice, const struct cli_option *row, const char *value);   /* "WG:WAVE" */
int exec_take_span(void *choice, const struct cli_option *row, const char *value);   /* "A:B" */
/* A file to be written, in a folder that is there; a folder that is made when it is needed. */
int exec_take_file(void *choice, const struct cli_option *row, const char *path);
int exec_take_path(void *choice, const struct cli_option *row, const char *path);
/* "DIR", or "WHAT=FILE", whose variable has _WHAT behind it */
int exec_take_csv(void *choice, const struct cli_option *row, const char *value);

/* Prints system and agents as the library of the folder shows them to programs. */
int exec_info(const char *folder);

#endif
