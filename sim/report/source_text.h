/* Lines of source files, for views that show them beside the code. A file that is not there, or no regular file of at
 * most 16 MiB, has no lines; nothing fails for it. At most 64 files are read. */
#ifndef GCNSIM_REPORT_SOURCE_TEXT_H
#define GCNSIM_REPORT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_MAX_FILES 64

struct source_texts {
    struct source_text {
        const char *path; /* the caller's */
        char *bytes;      /* null: it has no lines */
        uint32_t *line;   /* offsets of lines' first bytes */
        uint32_t lines;
    } file[SOURCE_MAX_FILES];
    unsigned files;
    bool none; /* files are not to be read */
};

/* Line number `line` (from 1 on) without the blanks at its ends; null: it is not known. Belongs to *s. */
const char *source_text_line(struct source_texts *s, const char *path, uint32_t line);
void source_texts_free(struct source_texts *s);

/* "softmax.cl:44": the file without its folder. */
const char *source_place(const char *file, uint32_t line, char out[96]);

#endif
