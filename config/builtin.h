/* Profiles carried inside the library, ended by a row with a null name. Filled by config/embed.sh at build time. */
#ifndef GCNSIM_CONFIG_BUILTIN_H
#define GCNSIM_CONFIG_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

struct profile_builtin {
    const char *name; /* "gfx1201-rx9070xt" */
    const char *json; /* NUL-terminated text */
    size_t length;    /* without the NUL */
    /* what the profile says of itself, known without reading it */
    const char *chip, *target; /* empty: a family base */
    bool is_default_for_target;
};

extern const struct profile_builtin profile_builtins[];

#endif
