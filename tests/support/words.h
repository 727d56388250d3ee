/* Texts that a test compares with files word by word. GCNSIM_WORDS=write in the environment has the test write its
 * files anew: look at the diff. Header-only. */
#ifndef GCNSIM_TESTS_SUPPORT_WORDS_H
#define GCNSIM_TESTS_SUPPORT_WORDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A word of a text that is another one in each version, or on each machine, in the same room. */
static inline char *words_mask(char *text, const char *word)
{
    for (char *at = text; text && *word && (at = strstr(at, word));)
        memset(at, '#', strlen(word));
    return text;
}

/* The text is that of the file FOLDER/NAME.txt. */
static inline void expect_words(const char *folder, const char *name, const char *text)
{
    static char expected[1 << 16];
    const bool writes = getenv("GCNSIM_WORDS");
    char path[256];

    assert_non_null(text);
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *f = fopen(path, writes ? "w" : "r");
    if (!f)
        fail_msg("%s is missing; GCNSIM_WORDS=write writes it", path);
    if (writes)
        fputs(text, f);
    size_t bytes = writes ? 0 : fread(expected, 1, sizeof expected - 1, f);
    assert_int_equal(fclose(f), 0);
    expected[bytes] = 0;
    for (size_t at = 0, line = 1; !writes && (expected[at] || text[at]); line += text[at++] == '\n')
        if (expected[at] != text[at])
            fail_msg("%s:%zu differs from here on: %.100s", path, line, text + at);
}

#endif
