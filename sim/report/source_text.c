/* Reads source files line by line. */
#include "sim/report/source_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/util/input.h"

#define MAX_BYTES ((size_t)16 << 20)

/* Ends each line, which loses the blanks around it. */
static void split(struct source_text *t, size_t size)
{
    size_t count = 1;

    for (size_t k = 0; k < size; k++)
        count += t->bytes[k] == '\n';
    t->line = malloc(count * sizeof *t->line);
    for (size_t at = 0; t->line && at <= size;) {
        char *end = memchr(t->bytes + at, '\n', size - at);
        size_t next = end ? (size_t)(end - t->bytes) : size, last = next;

        while (at < last && isspace((unsigned char)t->bytes[at]))
            at++;
        while (last > at && isspace((unsigned char)t->bytes[last - 1]))
            last--;
        t->bytes[last] = 0;
        t->line[t->lines++] = (uint32_t)at;
        at = next + 1;
    }
}

static struct source_text *text_of(struct source_texts *s, const char *path)
{
    struct source_text *t = NULL;
    struct err e = {0};
    struct stat st;
    uint8_t *bytes;
    size_t size;

    for (unsigned k = 0; k < s->files; k++)
        if (strcmp(s->file[k].path, path) == 0)
            return &s->file[k];
    if (s->files == SOURCE_MAX_FILES)
        return NULL;
    t = &s->file[s->files++];
    *t = (struct source_text){.path = path};
    if (!s->none && stat(path, &st) == 0 && S_ISREG(st.st_mode) && !input_read(path, MAX_BYTES, &bytes, &size, &e)) {
        t->bytes = (char *)bytes;
        split(t, size);
    }
    return t;
}

const char *source_text_line(struct source_texts *s, const char *path, uint32_t line)
{
    struct source_text *t = path ? text_of(s, path) : NULL;

    return t && t->line && line && line <= t->lines ? t->bytes + t->line[line - 1] : NULL;
}

void source_texts_free(struct source_texts *s)
{
    for (unsigned k = 0; k < s->files; k++) {
        free(s->file[k].bytes);
        free(s->file[k].line);
    }
    s->files = 0;
}

const char *source_place(const char *file, uint32_t line, char out[96])
{
    const char *slash = strrchr(file, '/');

    snprintf(out, 96, "%.80s:%u", slash && slash[1] ? slash + 1 : file, line);
    return out;
}
