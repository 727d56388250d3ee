/* The command line tool: option parsing, files, terminal. Knows the library by its public header alone.
 *
 * Exit status, for every command:
 *   0  done; for `run`, the kernel ran to its end
 *   1  `run` and `compare`: the simulated program faulted, reached a limit of the run (--max-cycles,
 *      --max-instructions) or was interrupted (Ctrl-C), or `run --check` found something; `run` has printed the report
 *   2  bad input or bad usage, or memory does not suffice (the host's, or --max-memory); there is no report
 *   3  done, but something could not be written: a file, or standard output; the message names each
 * `exec` becomes another program, whose status it is, once it has found nothing wrong itself (2).
 * Messages go to stderr as "gcnsim: WHERE: what; expected what". Results go to stdout.
 */
#ifndef GCNSIM_CLI_H
#define GCNSIM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/api/gcnsim.h"

enum { CLI_OK = 0, CLI_FAULT = 1, CLI_BAD_INPUT = 2, CLI_NOT_WRITTEN = 3 };

int cli_run(int argc, char **argv);
int cli_disasm(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_arch(int argc, char **argv);
int cli_isa(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_annotate(int argc, char **argv);
int cli_exec(int argc, char **argv);
int cli_completion(int argc, char **argv);
int cli_pages(int argc, char **argv);
int cli_words(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_whatif(int argc, char **argv);
int cli_sweep(int argc, char **argv);

/* Prints "gcnsim: ..." on stderr; returns CLI_BAD_INPUT. */
int cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for a failed call of the library; CLI_FAULT when it was the simulated program. */
int cli_library_error(const struct gcnsim_error *error);
/* A wrong command line: the message and where to read more ("gcnsim run --help"); returns CLI_BAD_INPUT. */
int cli_usage(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A whole non-negative number, decimal or 0x hexadecimal, nothing after it. */
bool cli_number(const char *text, uint64_t max, uint64_t *value);
/* What --max-memory is when it is not given: three quarters of the host's memory. */
uint64_t cli_default_memory(void);

/* Printing: everything that may hold a text of a file's or of the user's goes through these, so that no terminal obeys
 * it (sim/util/plain.h). As printf(), onto stdout and stderr. */
void cli_vprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
void cli_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_eprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Puts a text on stdout and flushes it: as cli_flush(). Into a file or a pipe it goes as it is. */
int cli_put(const char *text);
/* Flushes stdout; CLI_OK, or CLI_NOT_WRITTEN with a message when something could not be written. */
int cli_flush(void);
/* The path of this program; false with errno: it is not known. */
bool cli_own_program(char *path, size_t size);
/* The whole file in memory of its own with its size, or null with a message on stderr. */
uint8_t *cli_read_file(const char *path, size_t *size);

/* A name of any length onto stdout, in a field of at least `columns`. */
void cli_put_name(const char *name, int columns);

/* Assembles a file, or a text that came out of the file `name`. *bytes is an object, or a code object where it is
 * linked, to be freed. CLI_OK, or CLI_BAD_INPUT with messages that name file and line. */
struct cli_assembler {
    const char *clang, *target; /* target "": the file's own */
    const char *triple;         /* null: amdgcn-amd-amdhsa */
    const char *language;       /* clang's -x; null: assembly, by the path's ending */
    uint32_t wave;              /* 0: the target's usual wave size */
    bool link;
    bool text; /* of LLVM IR its text in place of code */
};
int cli_assemble_file(const struct cli_assembler *a, const char *path, uint8_t **bytes, size_t *size);
/* The first line of what clang says of its version; path: of the file that it is needed for. */
int cli_assembler_version(const struct cli_assembler *a, const char *path, char *version, size_t room);
int cli_assemble_text(const struct cli_assembler *a, const char *name, const char *text, uint8_t **bytes, size_t *size);

/* Set by signals once they are caught: SIGINT (Ctrl-C) and SIGTERM ask the run to end, a second one of them ends the
 * process; SIGUSR1 asks for a snapshot, and whoever makes one sets it back to 0. */
extern volatile int cli_interrupted, cli_snapshot_wanted;
void cli_catch_interrupts(void);
void cli_catch_snapshot_signal(void);

/* Progress on stderr. */
enum cli_progress_when { CLI_PROGRESS_AUTO, CLI_PROGRESS_ALWAYS, CLI_PROGRESS_NEVER };
/* A loop that is followed to its end. */
struct cli_watch {
    uint64_t address, first, left; /* what was left of it first, and last */
    double since, at;              /* when that was */
    unsigned changes;
};
struct cli_progress {
    bool on;
    bool drawn;
    double started, last_drawn; /* seconds of the monotonic clock */
    double first_after;         /* seconds before the bar appears */
    bool hints;                 /* say when no workgroup has finished for long, and what helps; set after the start */
    uint64_t done;              /* workgroups, at the last change, */
    double done_at;             /* which was then */
    double hint_after;          /* seconds without a finished workgroup until the next hint: twice as many each time */
    uint64_t max_cycles, max_instructions; /* that end the run; 0: none */
    bool parts;                            /* what is counted are parts of the work, not workgroups */
    struct cli_watch loop;
    int columns; /* of the line that is drawn */
    double (*now)(void);
};
/* AUTO shows a bar on a terminal, once the work has taken a second. */
void cli_progress_start(struct cli_progress *p, enum cli_progress_when when);
/* A gcnsim_progress_facts_fn over a struct cli_progress, and a gcnsim_progress_fn. */
int cli_progress_facts(void *ctx, const struct gcnsim_progress *facts);
int cli_progress_update(void *ctx, uint64_t done, uint64_t total);
/* Takes the bar away from a terminal, or ends its line elsewhere. */
void cli_progress_end(struct cli_progress *p);

#endif
