/* Fields of comma-separated values. */
#ifndef GCNSIM_UTIL_CSV_PUT_H
#define GCNSIM_UTIL_CSV_PUT_H

#include <stdio.h>

/* The text of a field whose quotes are the caller's; quotes in it are doubled. */
static inline void csv_put_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
}

/* A text in quotes. */
static inline void csv_put_field(FILE *f, const char *text)
{
    fputc('"', f);
    csv_put_text(f, text);
    fputc('"', f);
}

#endif
