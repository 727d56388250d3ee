/* Options: rows of tables, and the reading of their values.
 *
 * A row says what an option is called, what its value is and which field of a struct takes it. The command line reads
 * its words by such tables (sim/cli/options.h: also --help, man pages and completion come from them), and those of
 * `gcnsim exec` have variables of the environment, too, from which the HSA runtime reads them again in the program.
 * Both ways a value is read by option_read(): what is understood, and what is said of the rest, is the same.
 */
#ifndef GCNSIM_OPTIONS_OPTION_H
#define GCNSIM_OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_END,     /* of the table */
    OPTION_GROUP,   /* a heading: its name */
    OPTION_FLAG,    /* bool; no value; in the environment 0 or 1 */
    OPTION_NO,      /* bool that it sets to false; no value; a variable has the bool itself: 0 or 1 */
    OPTION_TEXT,    /* const char * */
    OPTION_FILE,    /* const char *: written; its folder is there before the program begins */
    OPTION_TABLE,   /* const char *: a file that is written, or appended to */
    OPTION_FOLDER,  /* const char *: made when it is needed */
    OPTION_LIST,    /* struct option_list: one more each time; with `pair` each has a '=' that is not its first
                       character; in the environment lines */
    OPTION_NAMES,   /* struct option_list: at most .most names with commas between, none of them empty */
    OPTION_NUMBER,  /* uint64_t from .least to .most */
    OPTION_COUNT,   /* uint32_t, likewise */
    OPTION_BYTES,   /* uint64_t from 1 to .most: "512M" */
    OPTION_SECONDS, /* double above 0: "1.5" */
    OPTION_TRIPLE,  /* uint32_t[3]: "X[,Y[,Z]]" */
    OPTION_WORD,    /* int: the place of the value in .words */
    OPTION_RANGES,  /* const char *: numbers from .least to .most, and ranges of them: "3,7-9" */
    OPTION_SPAN,    /* struct option_span: "A:B" */
    OPTION_WAVE,    /* struct option_wave: "WG:WAVE" */
    OPTION_KERNEL,  /* const char *: "KERNEL" or "KERNEL,N" */
    OPTION_REGEX,   /* const char *: an extended regular expression */
    OPTION_TAKE,    /* .take */
    OPTION_PART,    /* const char *: a part of the option before it, which takes "WHAT=FILE"; no option itself */
};

/* What a value may be, for completion. */
enum option_completion {
    COMPLETE_NOTHING,
    COMPLETE_FILES,
    COMPLETE_FOLDERS,
    COMPLETE_PROFILES, /* names of profiles, and files */
    COMPLETE_PROFILE_LISTS,
    COMPLETE_TARGETS,
    COMPLETE_KERNELS,  /* of the file on the command line */
    COMPLETE_FIGURES,  /* PATH= of a profile */
    COMPLETE_TRACES,   /* FORMAT=FILE */
    COMPLETE_SECTIONS, /* of the report, with commas between */
    COMPLETE_SPECS,    /* of arguments */
    COMPLETE_PROGRAMS, /* and their arguments */
    COMPLETE_INSTRUCTIONS,
    COMPLETE_TOPICS, /* of gcnsim help */
};

struct option_list {
    const char **items;
    size_t count;
    char *text; /* owned: holds the items when they came as one text; else null */
};

/* From `first` on and before `end`; 0, 0: not given. end 0: open. */
struct option_span {
    uint64_t first, end;
};

struct option_wave {
    bool given;
    uint64_t workgroup;
    uint32_t wave; /* of the workgroup, from 0 on */
};

/* What an option is about, and goes only with. */
enum option_about {
    OPTION_OF_TIMING = 1,     /* the timing engine: the functional one has nothing of it */
    OPTION_OF_EACH_GROUP = 2, /* each workgroup: nothing when workgroups are sampled */
};

struct option_row {
    const char *name;  /* without dashes */
    const char *value; /* its placeholder; null: the option has none */
    enum option_kind kind;
    size_t at; /* of the field, in the struct that the table fills */
    const char *help;
    char short_name;
    bool pair;            /* as OPTION_LIST says */
    unsigned about;       /* of enum option_about */
    uint64_t least, most; /* most 0: as many as the field holds */
    const char *unit;     /* of OPTION_TRIPLE's numbers */
    const char *words;    /* "timing|functional": all that the value may be */
    const char *bare; /* what a value that is left out stands for: one begins with a digit; null: it must be there */
    const char *variable;            /* of the environment; null: none */
    const char *beside;              /* another option, without which this one does nothing; null: none */
    enum option_completion complete; /* what the value may be when it is no word */
    /* Takes the value (null: none) into the struct. False: *why says what was expected. */
    bool (*take)(void *into, const struct option_row *row, const char *value, char *why, size_t n);
};

#define EACH_OPTION_ROW(row, table)                                                                                    \
    for (const struct option_row *row = (table); row && row->kind != OPTION_END; row++)                                \
        if (row->kind != OPTION_GROUP)
/* Those that a command line may have. */
#define EACH_OPTION(row, table) EACH_OPTION_ROW(row, table) if (row->kind != OPTION_PART)

/* The part that a value of an option with parts is about, "WHAT=FILE", which then begins after the '='; else the row.
 */
const struct option_row *option_part(const struct option_row *row, const char **value);

/* Takes a value (null: the option has none) into the field of the struct `into`, which keeps text by its address.
 * False: why[n] says what was expected, "expected 0 or 1", and the field is as it was. */
bool option_read(const struct option_row *row, const char *value, void *into, char *why, size_t n);

/* Takes all variables of the table's rows that are set and not empty. False: why[n] names the variable and says what
 * was expected. */
bool option_read_environment(const struct option_row *table, void *into, char *why, size_t n);

/* Releases what lists hold. */
void option_free(const struct option_row *table, void *into);

/* Whether the struct has a value of the row's: one that is not 0. */
bool option_given(const struct option_row *row, const void *into);

/* The first row that is given and is about any of these (enum option_about); null: none. */
const struct option_row *option_about(const struct option_row *table, const void *into, unsigned about);

/* The first row that is given while what it has to stand beside is not given in `all`; null: none. */
const struct option_row *option_alone(const struct option_row *table, const void *into, const void *all);

/* "PATH=VALUE" of a profile, which several tables have. */
#define OPTION_SET(field, what, env)                                                                                   \
    {                                                                                                                  \
        "set", "PATH=VALUE", OPTION_LIST, field, .pair = true, .complete = COMPLETE_FIGURES, .variable = (env),        \
                                                 .help = what                                                          \
    }
#define OPTION_SET_OF_PROFILE(field)                                                                                   \
    OPTION_SET(field, "replace one figure of the profile (gcnsim arch show): cache.l2.mshrs=64", NULL)

#endif
