/* A stream whose text is collected in memory. */
#define _GNU_SOURCE
#include "sim/util/text_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    struct text_stream *t = cookie;

    if (size >= t->room - t->used) { /* a zero goes after the text */
        size_t room = 2 * t->room > t->used + size + 1 ? 2 * t->room : t->used + size + 1;
        char *more = realloc(t->text, room);
        if (!more) {
            t->failed = true;
            errno = ENOMEM;
            return 0;
        }
        t->text = more;
        t->room = room;
    }
    memcpy(t->text + t->used, bytes, size);
    t->used += size;
    return (ssize_t)size;
}

bool text_stream_open(struct text_stream *t)
{
    enum { FIRST_ROOM = 4096 };

    *t = (struct text_stream){.text = malloc(FIRST_ROOM), .room = FIRST_ROOM};
    if (t->text)
        t->f = fopencookie(t, "w", (cookie_io_functions_t){.write = append});
    if (!t->f) {
        free(t->text);
        t->text = NULL;
    }
    return t->f != NULL;
}

char *text_stream_close(struct text_stream *t)
{
    bool good = !ferror(t->f);

    good = fclose(t->f) == 0 && good && !t->failed;
    if (good)
        t->text[t->used] = 0;
    else
        free(t->text);
    char *text = good ? t->text : NULL;
    *t = (struct text_stream){0};
    return text;
}
