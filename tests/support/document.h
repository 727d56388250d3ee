/* A page of docs/ of which a test program makes tables: read as a whole, compared with what it should be, and written
 * anew by `make report-doc` (REPORT_UPDATE=1). Include it after cmocka.h. */
#ifndef TESTS_SUPPORT_DOCUMENT_H
#define TESTS_SUPPORT_DOCUMENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_BYTES = 1 << 20 };

/* To be freed; null when it cannot be read. */
static inline char *document_read(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, DOCUMENT_BYTES) : NULL;
    size_t n = text ? fread(text, 1, DOCUMENT_BYTES - 1, f) : 0;

    if (f)
        fclose(f);
    if (!n) {
        free(text);
        return NULL;
    }
    return text;
}

/* Fails where `text`, the page at `path`, is not `want`, which follows from `from`; or writes `want`. */
static inline void document_follows(const char *path, const char *text, const char *want, const char *from)
{
    if (getenv("REPORT_UPDATE")) {
        FILE *f = fopen(path, "w");

        assert_non_null(f);
        fputs(want, f);
        assert_int_equal(fclose(f), 0);
    } else if (strcmp(want, text) != 0) {
        size_t same = 0, line = 1;

        while (want[same] == text[same])
            line += text[same++] == '\n';
        while (same && text[same - 1] != '\n')
            same--;
        fail_msg(
            "%s:%zu is not what follows from %s; make report-doc writes it anew\n  is:       %.*s\n  expected: %.*s",
            path, line, from, (int)strcspn(text + same, "\n"), text + same, (int)strcspn(want + same, "\n"),
            want + same);
    }
}

#endif
