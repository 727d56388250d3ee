/* Whether a path ends like that of a source file. What a name in line tables stands for is up to who made them: views
 * are to carry sources, not a host's secrets. */
#ifndef GCNSIM_UTIL_SOURCE_NAME_H
#define GCNSIM_UTIL_SOURCE_NAME_H

#include <stdbool.h>

bool source_name(const char *path);

#endif
