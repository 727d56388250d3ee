/* Compares names by edit distance (Damerau-Levenshtein, neighbours swapped at most once). */
#include "sim/util/nearest.h"

#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b)
{
    unsigned row[3][NEAREST_MAX_NAME + 1], n = (unsigned)strnlen(a, NEAREST_MAX_NAME),
                                           m = (unsigned)strnlen(b, NEAREST_MAX_NAME);
    unsigned *before = row[0], *above = row[1], *now = row[2];

    for (unsigned k = 0; k <= m; k++)
        now[k] = k;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *free_row = before, any = a[i - 1] == '*';

        before = above;
        above = now;
        now = free_row;
        now[0] = above[0] + !any;
        for (unsigned k = 1; k <= m; k++) {
            if (any) {
                now[k] = least(above[k], now[k - 1]);
                continue;
            }
            now[k] = least(above[k - 1] + (a[i - 1] != b[k - 1]), least(above[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
    }
    return now[m];
}

bool nearest_is_near(const char *wanted, const char *name, unsigned distance)
{
    return distance <=
           1 + least((unsigned)strnlen(wanted, NEAREST_MAX_NAME), (unsigned)strnlen(name, NEAREST_MAX_NAME)) / 3;
}
