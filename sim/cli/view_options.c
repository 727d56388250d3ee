/* Values of the options that say what of a run is shown. */
#include "sim/cli/view_options.h"

#include <string.h>

/* The number in front of the colon, if there is one. */
static bool first_of(const char *text, uint64_t most, const char **behind, bool *given, uint64_t *number)
{
    const char *colon = strchr(text, ':');
    char first[24];

    if (!colon || (size_t)(colon - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = 0;
    *behind = colon + 1;
    *given = *first != 0;
    return !*given || cli_number(first, most, number);
}

bool cli_span(const char *text, uint64_t *first, uint64_t *end)
{
    const char *behind;
    bool given;

    return first_of(text, UINT64_MAX, &behind, &given, first) &&
           (!*behind || (cli_number(behind, UINT64_MAX, end) && *end > *first));
}

bool cli_wave(const char *text, uint64_t *group, uint64_t *wave)
{
    const char *behind;
    bool given;

    return first_of(text, (UINT64_C(1) << 48) - 1, &behind, &given, group) && given &&
           cli_number(behind, UINT16_MAX, wave);
}
