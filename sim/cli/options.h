/* The table of commands and options, from which come the reading of command lines, --help and `gcnsim help`, the man
 * pages and the completion of bash, zsh and fish.
 *
 * To add an option: one row in the command's table (run: sim/cli/run_options.c; exec: sim/options/exec.c; both of them:
 * a macro of sim/options/launch.h), for example
 *     {"warmup", "N", OPTION_COUNT, AT(warmup), .most = MAX_ROUNDS, .help = "N launches before those"},
 * a field of the kind's type in the struct that the table fills, and the line that uses the field. sim/options/option.h
 * has the kinds, and what else a row says. Fields keep what they held when the option is not given. The place of the
 * row is its place in the help; rows of the kind OPTION_GROUP are headings.
 *
 * To add a command: a struct cli_command beside its function, and its line in sim/cli/commands.c.
 *
 * Texts (help, about, sections) are of lines:
 *   plain lines are filled to the width of the page: each is a paragraph; an empty line makes a gap;
 *   "LABEL\ttext" is an item of a list, whose text stands beside its label;
 *   a line that begins with a blank is kept as it is.
 */
#ifndef GCNSIM_CLI_OPTIONS_H
#define GCNSIM_CLI_OPTIONS_H

#include "sim/cli/cli.h"
#include "sim/options/option.h"

struct cli_section {
    const char *title, *text;
};

struct cli_item_list {
    const char *title;
    const char *(*item)(size_t index, const char **about);
};
enum { CLI_LISTS = 2 };
#define EACH_LIST(l, c)                                                                                                \
    for (const struct cli_item_list *l = (c)->lists; l < (c)->lists + CLI_LISTS; l++)                                  \
        if (l->item)

struct cli_command {
    const char *name;
    const char *summary; /* a line of at most 60 characters, of what it does */
    const char *usage;   /* lines, without "gcnsim" */
    const char *about;
    const struct option_row *options; /* up to OPTION_END; --help is one of all commands */
    struct cli_section sections[8];   /* after the options; those without text are left out */
    /* Last sections, whose items are asked for one by one until null; those without `item` are left out. */
    struct cli_item_list lists[CLI_LISTS];
    int (*run)(int argc, char **argv);
    const char *verbs;               /* "list|show": what the first operand is; null: no such words */
    enum option_completion operands; /* (the others) */
    bool stops;                      /* options end at the first operand */
    bool hidden;                     /* for the build and for completion */
    /* Called with each option that was given, in the order of the words; CLI_OK, or CLI_BAD_INPUT with a message. Null:
     * there is nothing to do but to fill the struct. */
    int (*given)(const struct option_row *row, const char *value);
};

/* All of them, null after the last. */
extern const struct cli_command cli_command_run, cli_command_annotate, cli_command_exec, cli_command_info,
    cli_command_disasm, cli_command_compare, cli_command_diff, cli_command_arch, cli_command_isa, cli_command_explain,
    cli_command_whatif, cli_command_sweep, cli_command_completion, cli_command_help, cli_command_pages,
    cli_command_words;
/* The program without a command; it is no command itself. */
extern const struct cli_command cli_program;
extern const struct option_row cli_help_option;  /* of all commands; in no table */
extern const struct option_row cli_no_options[]; /* an empty table */
extern const struct cli_command *const cli_commands[];
const struct cli_command *cli_command_named(const char *name); /* null: none */

enum { CLI_MAX_OPTIONS = 96 }; /* of a command, headings counted */

/* Reads a command line into the struct of the command's table. Afterwards argv[optind] is the first operand. CLI_OK; or
 * *done is set and the exit status returned: --help is printed, or a message is. Its memory is released by
 * cli_options_free() in either case. */
int cli_options_read(const struct cli_command *c, int argc, char **argv, void *into, bool *done);
void cli_options_free(const struct cli_command *c, void *into);

/* "--NAME: 'VALUE'; what was expected"; returns CLI_BAD_INPUT. */
int cli_bad_value(const char *command, const struct option_row *row, const char *value, const char *why);
/* That options which do something beside others alone stand beside them: given in `into`, the others in `all`. */
int cli_options_beside(const struct cli_command *c, const void *into, const void *all);

/* The most alike of the words that begin at `names`, of those that are near enough; null: none. */
const char *cli_nearest(const char *wanted, const char *const *names, size_t count);

/* ---- rows that several commands have ---- */

#define CLI_OPTION_JSON(field)                                                                                         \
    {                                                                                                                  \
        "json", NULL, OPTION_FLAG, field, .help = "as JSON"                                                            \
    }
#define CLI_OPTION_MAX_MEMORY(field, what)                                                                             \
    {                                                                                                                  \
        "max-memory", "BYTES", OPTION_BYTES, field,                                                                    \
            .help = "refuse " what ", K, M, G or T behind it (default: three quarters of the host's memory)"           \
    }
/* NOT_GIVEN or the number of a code object. */
#define NOT_GIVEN UINT64_MAX
#define CLI_OPTION_INDEX(field)                                                                                        \
    {                                                                                                                  \
        "index", "N", OPTION_NUMBER, field,                                                                            \
            .most = UINT32_MAX, .help = "of several code objects in FILE, number N (gcnsim info lists them)"           \
    }
#define CLI_OPTION_CLANG(field)                                                                                        \
    {                                                                                                                  \
        "clang", "PROGRAM", OPTION_TEXT, field, .complete = COMPLETE_FILES,                                            \
                                                .help = "for a FILE of assembly or LLVM IR, instead of clang-19"       \
    }
#define CLI_OPTION_PROGRESS(field)                                                                                     \
    {                                                                                                                  \
        "progress", "auto|always|never", OPTION_WORD, field,                                                           \
            .words = "auto|always|never", .help = "a bar on stderr; auto: on a terminal, for long work"                \
    }

/* ---- what is made of the table ---- */

/* Text of lines, as above, in at most 80 columns: from `column` on, which the cursor has reached, and from `indent` on
 * in the lines after the first. */
void cli_fill(FILE *f, const char *text, int column, int indent);
void cli_print_help(FILE *f, const struct cli_command *c);
/* The paragraph of an option. */
void cli_print_option(FILE *f, const struct option_row *row);

/* A man page in roff. */
void cli_print_man(FILE *f, const struct cli_command *c);
/* Scripts of completion. */
void cli_print_bash(FILE *f);
void cli_print_zsh(FILE *f);
void cli_print_fish(FILE *f);

#endif
