/* The description of a sweep: launches x profiles x axes, filters, and what is looked for. docs/SWEEP.md is its manual.
 *
 * A candidate is one combination: a launch, a profile and a value of each axis. Candidates are numbered from 0 on as
 * digits of a number are, the last axis changing fastest; the points of the sweep are those that the filters let
 * through, or, of a Latin hypercube, those that were drawn. Everything is decided by the text of the spec (and by the
 * profiles' figures that filters name), so that each process of a cluster finds the same points.
 */
#ifndef GCNSIM_SWEEP_SPEC_H
#define GCNSIM_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/util/arena.h"
#include "sim/util/error.h"

enum {
    SWEEP_MAX_AXES = 64,
    SWEEP_MAX_VALUES = 65535, /* of an axis */
};

/* How a value of an axis reaches the run. */
enum sweep_axis_kind {
    SWEEP_SET,       /* --set NAME=VALUE: a figure of the profile */
    SWEEP_PARAMETER, /* {NAME} in words of launches and options */
    SWEEP_ARGUMENT,  /* --replace-arg N=SPEC: an argument of the kernel */
    SWEEP_OPTION,    /* --NAME VALUE: an option of run or exec */
};

/* A value as it is written on command lines, and as a number where it is one. */
struct sweep_value {
    const char *text;
    double number;
    bool is_number;
};
/* Whether a double is a whole number that it holds exactly. */
bool sweep_is_whole(double d);
/* A number in as few digits as are read back as it is, 15 at least are tried; returns as snprintf() does. */
int sweep_shortest(char *out, size_t size, double d);
/* A number as it stands on command lines and in CSV: whole ones in all digits, others so; returns likewise. */
int sweep_number(char *out, size_t size, double d);

/* What one axis changes: one thing, or several in step (paired). */
struct sweep_part {
    enum sweep_axis_kind kind;
    const char *name;    /* the figure, the parameter, "N" of an argument, or the option */
    const char *label;   /* the column of the results: name, "argument.N", "option.NAME" */
    const char *pattern; /* of an argument: "u32:%s" */
    struct sweep_value *value;
};

struct sweep_axis {
    struct sweep_part *part;
    uint32_t parts;
    uint32_t values; /* of each part */
};

struct sweep_launch {
    const char *name;
    bool program;             /* under gcnsim exec */
    const char *const *words; /* after "run" or "exec": the launch file, or a file with its options, or a program */
    uint32_t word_count;
    const char *const *options; /* of exec, before the program */
    uint32_t option_count;
    const char *const *environment; /* NAME=VALUE */
    uint32_t environment_count;
};

/* A name with an expression: {NAME} like a parameter, or an objective. */
struct sweep_definition {
    const char *name;
    const char *expression;
    bool maximize; /* of an objective */
};

struct sweep_spec {
    const char *path, *folder; /* folder: absolute; that of the spec, where its paths begin and its runs take place */
    const char *text;          /* the file */
    const char *name;
    const char *output; /* of the results; null: not stated */
    struct sweep_launch *launch;
    uint32_t launches;
    const char **profile; /* null as the only one: each launch's own */
    uint32_t profiles;
    struct sweep_axis *axis;
    uint32_t axes;
    struct sweep_definition *define;
    uint32_t defines;
    const char **filter;
    uint32_t filters;
    struct sweep_definition *objective;
    uint32_t objectives;
    const char *const *options; /* of every run */
    uint32_t option_count;
    uint64_t latin_points; /* 0: full factorial; else points for each launch and profile, */
    uint64_t seed;         /* drawn by this */
    uint64_t max_points;
    double max_seconds; /* of one run on the wall; 0: no limit */

    struct arena arena;
};

/* Reads a spec. 0, or -1 with *e that names the file and the key. */
int sweep_spec_read(struct sweep_spec **out, const char *path, struct err *e);
/* The same of a text that came out of `path` (which may not exist); folder: as above. */
int sweep_spec_parse(struct sweep_spec **out, const char *text, size_t size, const char *path, const char *folder,
                     struct err *e);
void sweep_spec_free(struct sweep_spec *s); /* null is fine */

/* The parts of all axes in order, for loops over columns. */
uint32_t sweep_columns(const struct sweep_spec *s);
const struct sweep_part *sweep_column(const struct sweep_spec *s, uint32_t column, uint32_t *axis);

#endif
