/* Whether text for people has the escape sequences of terminals. */
#ifndef GCNSIM_SIM_UTIL_COLOR_H
#define GCNSIM_SIM_UTIL_COLOR_H

#include <stdbool.h>
#include <stdlib.h>

/* In the order of the words auto, always and never of --color and GCNSIM_COLOR. */
enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* terminal: of what the text is written to. Without a wish NO_COLOR, set and not empty, says no
 * (https://no-color.org). */
static inline bool color_wanted(enum color_when when, bool terminal)
{
    const char *no_color = getenv("NO_COLOR");

    return when == COLOR_ALWAYS || (when == COLOR_AUTO && terminal && !(no_color && *no_color));
}

#endif
