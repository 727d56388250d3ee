/* The table of profile fields, internal to config/: what a field is called, where it lies, what it may be.
 *
 * Adding a field is one member in profile.h and one row in rows.c (and a value in the built-in profiles). */
#ifndef GCNSIM_CONFIG_ROWS_H
#define GCNSIM_CONFIG_ROWS_H

#include "config/profile.h"

enum row_type {
    ROW_TEXT, /* char[size], bare JSON string */
    ROW_FLAG, /* bool, bare true or false */
    ROW_U32,  /* from here on: {"value", "unit", "confidence", "source"} */
    ROW_F64,
    ROW_BOOL, /* no unit */
    ROW_ENUM, /* a word out of `names`, no unit */
};

enum row_need {
    NEED_NEVER,
    NEED_ALWAYS,
    NEED_CACHE, /* when the level is present */
    NEED_CLASS, /* decided by profile_check(): see the rules there */
    NEED_MFMA,  /* when class.mfma is described */
    NEED_WMMA,  /* when class.wmma is described */
    NEED_KIND,  /* a kind of MFMA: with class.mfma, and not every chip has each of them */
};

struct profile_row {
    const char *path;
    const char *unit; /* ROW_U32 and ROW_F64 */
    const char *about;
    const char *const *names; /* ROW_ENUM: words by value, ended by a null */
    double min, max;
    uint32_t offset; /* in struct profile */
    uint16_t size;   /* ROW_TEXT */
    uint8_t path_length;
    uint8_t type, need;
    uint8_t group; /* cache level or operation class */
};

extern const struct profile_row profile_rows[];
extern const size_t profile_row_count;

/* The row of that path, or null. */
const struct profile_row *profile_row_find(const char *path);

static inline size_t row_index(const struct profile_row *row)
{
    return (size_t)(row - profile_rows);
}

static inline void *row_at(struct profile *p, const struct profile_row *row)
{
    return (char *)p + row->offset;
}

static inline const void *row_in(const struct profile *p, const struct profile_row *row)
{
    return (const char *)p + row->offset;
}

static inline const struct profile_origin *row_origin(const struct profile *p, const struct profile_row *row)
{
    return &p->origin[row_index(row)];
}

/* Frees what the origin of a row owns: nobody says any more where its value is from. */
void profile_forget_origin(struct profile_origin *o);

struct profile_resolved;

/* Values and origins of a chain of built-in profiles, whose files p has from index `first_file` (resolved.c). */
void profile_take_resolved(struct profile *p, const struct profile_resolved *r, unsigned first_file);

struct profile_builtin;

/* The figures that the chain of a built-in gives, not yet judged by its target (profile_origin.measured_on) and not
 * checked as a whole. The caller frees it; null with *e. */
struct profile *profile_unsettled(const struct profile_builtin *b, struct err *e);

/* Required rows present, and values that make sense together (check.c). */
int profile_check(const struct profile *p, struct err *e);

struct json;

/* One JSON document into the profile (read.c). */
struct profile_reader {
    struct profile *p;
    uint8_t file;       /* index into p->files */
    bool bare_accepted; /* a user's document: a figure may be its value alone */
    struct err *e;
};

/* Parses text, refusing what no profile can be (trailing text, deep nesting, repeated keys, not an object). Null on
 * error. */
const struct json *profile_json(const char *text, size_t size, const char *file, struct err *e);

/* The value of "extends", null when there is none; *ok false with *e set when it is no plain name. */
const char *profile_json_extends(const struct json *doc, const char *file, bool *ok, struct err *e);

/* *guesses: whether "inherited" says that figures of the base are guesses here. Fails when it is anything else, or
 * there is no base. */
int profile_json_inherited(const struct json *doc, const char *file, bool *guesses, struct err *e);

/* Applies every key of the document. */
int profile_read(struct profile_reader *r, const struct json *doc);

/* Checks the value of a figure as --set has it, a number or a word, and stores it. `file` and the row's path prefix
 * messages. */
int profile_store_word(struct profile *p, const struct profile_row *row, const char *value, const char *file,
                       struct err *e);

/* The path of the row nearest to `wanted` (in which '*' stands for any characters), or null when none is near.
 * figures_only: not those that say what the profile is (suggest.c). */
const char *profile_suggest_row(const char *wanted, bool figures_only);

/* " (did you mean PATH?)" for a path that is none, or an empty string; says so when the key has been renamed. */
enum { PROFILE_HINT = 160 };
const char *profile_hint(const char *wanted, bool figures_only, char hint[PROFILE_HINT]);

/* The built-in profile, or target with a default profile, whose name is nearest to `wanted`; null when none is near. */
const char *profile_suggest_name(const char *wanted, const struct profile_entry *list, size_t count);

#endif
