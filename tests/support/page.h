/* Pages that show commands and what they print: a block of ``` whose lines are
 *
 *     $ command          (a line that ends with a backslash goes on in the next one)
 *     what it prints
 *     ...                (a line of three dots stands for lines that are left out)
 *
 * The commands of a block run in one shell, those of a page in one folder, in which `traces` is the repository's and
 * `gcnsim` is the tool. Their output, errors included, is compared with the page; `make report-doc` writes the page
 * anew: where lines are left out, as many lines as stood there, those that look like them but for their numbers. A
 * block after a line that begins with `<!-- not run` is left alone. Include it after tests/system/cli_run.h. */
#ifndef TESTS_SUPPORT_PAGE_H
#define TESTS_SUPPORT_PAGE_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/document.h"

enum { PAGE_COMMANDS = 16, PAGE_BYTES = 1 << 20 };

struct page_command {
    const char *text, *output, *end; /* of the page: text up to output, which reaches to end */
};

struct page_block {
    struct page_command command[PAGE_COMMANDS];
    size_t count;
    const char *begin, *end; /* of the lines between its fences */
};

static inline const char *page_next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

static inline bool page_line_is(const char *at, const char *words)
{
    return strncmp(at, words, strlen(words)) == 0;
}

/* The commands of a block whose first line is at `at`. */
static inline void page_read_block(struct page_block *b, const char *at)
{
    *b = (struct page_block){.begin = at};
    while (*at && !page_line_is(at, "```")) {
        if (!page_line_is(at, "$ ")) {
            at = page_next_line(at);
            continue;
        }
        assert_true(b->count < PAGE_COMMANDS);
        struct page_command *c = &b->command[b->count++];

        c->text = at + 2;
        do
            at = page_next_line(at);
        while (at[-2] == '\\');
        c->output = at;
        while (*at && !page_line_is(at, "```") && !page_line_is(at, "$ "))
            at = page_next_line(at);
        c->end = at;
    }
    b->end = at;
}

/* Runs the commands of a block; printed[k], to be freed, is what the k-th printed. */
static inline void page_run(const struct page_block *b, const char *folder, char **printed)
{
    char script[CLI_PATH + 8], log[CLI_PATH + 8], line[5 * CLI_PATH], tool[CLI_PATH];
    size_t bytes;

    snprintf(script, sizeof script, "%s.sh", folder);
    snprintf(log, sizeof log, "%s.log", folder);
    snprintf(tool, sizeof tool, "%s", cli_tool());
    *strrchr(tool, '/') = 0;
    FILE *f = fopen(script, "w");
    assert_non_null(f);
    for (size_t k = 0; k < b->count; k++)
        fprintf(f, "%.*s\nstatus=$?; printf '\\001\\n'; (exit $status)\n",
                (int)(b->command[k].output - b->command[k].text - 1), b->command[k].text);
    assert_int_equal(fclose(f), 0);
    snprintf(line, sizeof line, "PATH=\"$(cd '%s' && pwd)\":\"$PATH\" && cd '%s' && LC_ALL=C sh '%s' >'%s' 2>&1", tool,
             folder, script, log);
    (void)!system(line); /* the status is that of the last command */
    char *all = read_whole(log, &bytes), *at = all;
    assert_non_null(all);
    for (size_t k = 0; k < b->count; k++) {
        char *mark = strstr(at, "\001\n");

        if (!mark)
            fail_msg("a command of '%.*s' has ended the shell:\n%s", (int)strcspn(b->begin, "\n"), b->begin, at);
        printed[k] = strndup(at, (size_t)(mark - at));
        at = mark + 2;
    }
    free(all);
    unlink(script);
    unlink(log);
}

/* ---- what stands on the page, and what should ---- */

static inline const char *page_dots(const char *at, const char *end)
{
    for (; at < end; at = page_next_line(at))
        if (page_line_is(at, "...\n"))
            return at;
    return NULL;
}

static inline size_t page_lines(const char *at, const char *end)
{
    size_t n = 0;

    for (; at < end; at++)
        n += *at == '\n';
    return n;
}

/* After so many lines. */
static inline const char *page_skip(const char *at, size_t lines)
{
    while (lines-- && *at)
        at = page_next_line(at);
    return at;
}

/* Whether two lines are alike but for numbers, blanks and bars. */
static inline bool page_alike(const char *a, const char *b)
{
    static const char passed[] = " 0123456789.,#<>|%+-";

    for (;; a++, b++) {
        while (*a && strchr(passed, *a))
            a++;
        while (*b && strchr(passed, *b))
            b++;
        if (*a != *b)
            return false;
        if (!*a || *a == '\n')
            return true;
    }
}

/* Where lines of the page are in what was printed, from `at` on: as they stand, else the first that look like them. */
static inline const char *page_find(const char *at, const char *lines, size_t bytes)
{
    for (const char *p = at; *p; p = page_next_line(p))
        if (strncmp(p, lines, bytes) == 0)
            return p;
    for (const char *p = at; *p; p = page_next_line(p))
        if (page_alike(p, lines))
            return p;
    fail_msg("nothing that was printed looks like '%.*s'; write this part of the page by hand",
             (int)strcspn(lines, "\n"), lines);
    return NULL;
}

/* The output of a command as the page should show it. */
static inline void page_write_output(FILE *f, const struct page_command *c, const char *printed)
{
    const char *at = c->output, *from = printed, *end = printed + strlen(printed), *dots;

    if (!page_dots(at, c->end)) {
        fputs(printed, f);
        if (printed < end && end[-1] != '\n')
            fputc('\n', f);
        return;
    }
    while ((dots = page_dots(at, c->end))) {
        size_t n = page_lines(at, dots);

        if (at != c->output && n)
            from = page_find(from, at, (size_t)(dots - at));
        const char *to = page_skip(from, n);

        fwrite(from, 1, (size_t)(to - from), f);
        fputs("...\n", f);
        from = to;
        at = page_next_line(dots);
    }
    size_t n = page_lines(at, c->end), left = page_lines(from, end);
    fputs(page_skip(from, left > n ? left - n : 0), f);
}

static inline void page_write_block(FILE *f, const struct page_block *b, const char *folder)
{
    char *printed[PAGE_COMMANDS];
    const char *at = b->begin;

    page_run(b, folder, printed);
    for (size_t k = 0; k < b->count; k++) {
        const struct page_command *c = &b->command[k];

        fwrite(at, 1, (size_t)(c->output - at), f);
        page_write_output(f, c, printed[k]);
        at = c->end;
        free(printed[k]);
    }
    fwrite(at, 1, (size_t)(b->end - at), f);
}

/* The page with all of its outputs made anew; counts the blocks that were run. To be freed. */
static inline char *page_made_anew(const char *text, const char *folder, unsigned *blocks)
{
    char *out = NULL;
    size_t size = 0;
    bool not_run = false;
    FILE *f = open_memstream(&out, &size);
    struct page_block b;

    assert_non_null(f);
    *blocks = 0;
    for (const char *at = text; *at;) {
        const char *next = page_next_line(at);

        fwrite(at, 1, (size_t)(next - at), f);
        if (page_line_is(at, "```")) {
            page_read_block(&b, next);
            if (b.count && !not_run && page_line_is(at, "```\n")) {
                page_write_block(f, &b, folder);
                ++*blocks;
            } else {
                fwrite(next, 1, (size_t)(b.end - next), f);
            }
            at = b.end;
            next = page_next_line(at);
            fwrite(at, 1, (size_t)(next - at), f); /* the fence */
        }
        not_run = page_line_is(at, "<!-- not run");
        at = next;
    }
    assert_int_equal(fclose(f), 0);
    return out;
}

/* Runs a page's commands; fails where it shows something else, or has fewer blocks of commands than it should. */
static inline void page_follows(const char *path, unsigned least_blocks)
{
    char folder[CLI_PATH], link[CLI_PATH + 8], traces[CLI_PATH], *text = document_read(path);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    unsigned blocks;

    assert_non_null(text);
    snprintf(folder, sizeof folder, "%s", cli_path(name));
    snprintf(link, sizeof link, "%s/traces", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_non_null(realpath("traces", traces));
    assert_int_equal(symlink(traces, link), 0);
    char *want = page_made_anew(text, folder, &blocks);
    if (blocks < least_blocks)
        fail_msg("%s has %u blocks of commands; expected at least %u", path, blocks, least_blocks);
    document_follows(path, text, want, "what its commands print");
    free(want);
    free(text);
}

#endif
