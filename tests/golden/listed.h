/* Files of words and LLVM's text of them. */
#ifndef GCNSIM_TESTS_LISTED_H
#define GCNSIM_TESTS_LISTED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_TEXT = 512 };

/* "64000380 00000000|v_add_f16_e32 v0.l, v0.h, v1.l": false at the end of the file, and where a line is none. */
static inline bool listed_read(FILE *f, uint32_t words[4], unsigned *count, char text[LISTED_TEXT])
{
    char line[LISTED_TEXT], *p = line, *end;

    if (!fgets(line, sizeof line, f))
        return false;
    for (*count = 0; *count < 4 && *p && *p != '|'; p = end) {
        words[*count] = (uint32_t)strtoul(p, &end, 16);
        *count += end != p;
        end += *end == ' ';
    }
    if (*p != '|')
        return false;
    snprintf(text, LISTED_TEXT, "%s", p + 1);
    text[strcspn(text, "\n")] = 0;
    return true;
}

#endif
