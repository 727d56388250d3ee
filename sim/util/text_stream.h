/* A stream whose text is collected in memory, for writers that print.
 *
 * open_memstream() does the same, but drops what it fails to allocate without a word when memory is back at the next
 * write: the text then lacks its middle, ferror() is false and fclose() succeeds.
 */
#ifndef GCNSIM_UTIL_TEXT_STREAM_H
#define GCNSIM_UTIL_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text_stream {
    FILE *f; /* to print to */
    char *text;
    size_t used, room;
    bool failed;
};

/* False without memory; otherwise ended by text_stream_close(). The struct stays where it is until then. */
bool text_stream_open(struct text_stream *t);
/* The whole text, to be freed by the caller, or null: out of host memory. *t is released in each case. */
char *text_stream_close(struct text_stream *t);

#endif
