/* docs/TIMING_SOURCES.md and the profiles say the same: the table between the lines
 *
 *     <!-- figures -->   and   <!-- end -->
 *
 * counts each chip's figures by confidence, and the tables of fields have every figure. `make report-doc` writes the
 * counts (REPORT_UPDATE=1); without, a difference fails. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/profile.h"
#include "tests/support/document.h"

#define DOCUMENT "docs/TIMING_SOURCES.md"

static char *text; /* the document */

static int read_document(void **state)
{
    (void)state;
    text = document_read(DOCUMENT);
    return text ? 0 : -1;
}

static int free_document(void **state)
{
    (void)state;
    free(text);
    return 0;
}

/* What `gcnsim arch show` prints of a profile, to be freed. */
static char *printed(const char *name)
{
    struct profile *p;
    struct err e = {0};
    char *out;

    assert_int_equal(profile_load(&p, name, &e), 0);
    assert_int_equal(profile_print(p, PROFILE_TEXT, &out, &e), 0);
    profile_free(p);
    return out;
}

/* The place of a figure's confidence in its line; null: the line has no figure. */
static const char *confidence_in(const char *line)
{
    const char *at = strstr(line, "  [");

    return line[0] != '#' && at ? at + strlen("  [") : NULL;
}

static void row_of(FILE *f, const char *name)
{
    unsigned count[CONF_WHAT_IF] = {0};
    char *out = printed(name), *save;

    for (char *line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const char *at = confidence_in(line);

        for (unsigned k = 0; at && k < CONF_WHAT_IF; k++)
            count[k] += strncmp(at, profile_confidence_key[k], strlen(profile_confidence_key[k])) == 0;
    }
    fprintf(f, "| `%s` |", name);
    for (unsigned k = 0; k < CONF_WHAT_IF; k++)
        fprintf(f, " %u |", count[k]);
    fputc('\n', f);
    free(out);
}

static void counts_are_those_of_the_profiles(void **state)
{
    static const char begin[] = "<!-- figures -->\n", end[] = "<!-- end -->";
    const char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;
    struct profile_entry entry;
    char *want = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&want, &size);

    (void)state;
    assert_non_null(f);
    assert_non_null(to);
    from += strlen(begin);
    fwrite(text, 1, (size_t)(from - text), f);
    fputs("| profile | documented | measured | inferred | guess |\n|---|---|---|---|---|\n", f);
    for (size_t k = 0; profile_at(k, &entry); k++)
        row_of(f, entry.name);
    fputs(to, f);
    assert_int_equal(fclose(f), 0);
    document_follows(DOCUMENT, text, want, "the profiles");
    free(want);
}

/* Whether a row of the document, "| `PATTERN` |", has this path. */
static bool is_explained(const char *path)
{
    static const char row[] = "\n| `";
    char pattern[128];

    for (const char *at = text; (at = strstr(at, row)); at++)
        if (sscanf(at + strlen(row), "%127[^`]", pattern) == 1 && fnmatch(pattern, path, 0) == 0)
            return true;
    return false;
}

static void every_figure_is_explained(void **state)
{
    struct profile_entry entry;

    (void)state;
    for (size_t k = 0; profile_at(k, &entry); k++) {
        char *out = printed(entry.name), *save;

        for (char *line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
            if (!confidence_in(line))
                continue;
            line[strcspn(line, " ")] = '\0';
            if (!is_explained(line))
                fail_msg(DOCUMENT " has no row for %s", line);
        }
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_profiles),
        cmocka_unit_test(every_figure_is_explained),
    };

    return cmocka_run_group_tests_name("docs/TIMING_SOURCES.md", tests, read_document, free_document);
}
