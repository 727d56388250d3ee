/* Distance of names, for messages that suggest what a user may have meant. */
#ifndef GCNSIM_UTIL_NEAREST_H
#define GCNSIM_UTIL_NEAREST_H

#include <stdbool.h>

enum { NEAREST_MAX_NAME = 96 }; /* characters compared; names are cut there */

/* Insertions, deletions, replacements and swaps of neighbours that make b of a; a '*' in a stands for any characters.
 */
unsigned nearest_distance(const char *a, const char *b);

/* Whether a distance is small enough for a suggestion: about a third of the shorter name or less is wrong. */
bool nearest_is_near(const char *wanted, const char *name, unsigned distance);

#endif
