/* Profiles carried inside the library, ended by a row with a null name.
 *
 * Two forms of the table are made when gcnsim is built. config/embed.sh writes each profile as the text of its JSON
 * document. config/resolve/resolve.c, which is built with that table, reads them all and writes each as figures with
 * the chain of "extends" applied. The library carries the second, whose profiles load without JSON, or the first where
 * the program that makes the second could not be run (docs/adr/0022-resolved-profiles.md).
 */
#ifndef GCNSIM_CONFIG_BUILTIN_H
#define GCNSIM_CONFIG_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a chain of documents says of one row of profile_rows[]: its value and the origin of it. */
struct profile_figure {
    double value;         /* a number, a flag, or the place of a word among the row's words */
    uint32_t text;        /* in profile_resolved.strings: the source; of a row that is a text, the text */
    uint32_t measured_on; /* in the same; 0: nobody said */
    bool given;
    uint8_t confidence; /* enum profile_confidence, before measured_on is looked at */
    uint8_t file;       /* index into profile_resolved.files */
};

struct profile_resolved {
    const struct profile_figure *figures; /* profile_row_count of them, in the order of the rows */
    const char *strings;                  /* begins with an empty one */
    const char *const *files;             /* the chain: the profile itself, then what it extends; ended by a null */
    const char *sha256; /* profile.sha256; null: no complete profile, which only serves to be extended */
};

struct profile_builtin {
    const char *name; /* "gfx1201-rx9070xt" */
    const char *json; /* NUL-terminated text; null where the profile is resolved */
    size_t length;    /* without the NUL */
    const struct profile_resolved *resolved;
    /* what the profile says of itself, known without reading it */
    const char *chip, *target; /* empty: a family base */
    bool is_default_for_target;
};

extern const struct profile_builtin profile_builtins[];

#endif
