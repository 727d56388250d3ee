/* Finds llvm-mca's regions in the comments of an assembly text and puts symbols around them. */
#define _GNU_SOURCE
#include "sim/cli/regions.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/util/plain.h"

#define BEGIN_WORD  "LLVM-MCA-BEGIN"
#define END_WORD    "LLVM-MCA-END"
#define TEXT_SYMBOL "gcnsim_region_text" /* prefix of the text */

/* A text while it is read. */
struct scan {
    struct regions *r;
    const char *path, *at, *end, *copied; /* copied: up to there the text is in `out` */
    unsigned line;
    bool failed, any; /* any: a BEGIN or END was seen */
    bool *open;       /* by region */
    size_t room;
    FILE *out;
};

static bool fail(struct scan *s)
{
    s->failed = true;
    return false;
}

static bool add_region(struct scan *s, const char *name, size_t length, unsigned line)
{
    struct regions *r = s->r;

    if (r->count == s->room) {
        size_t room = 2 * s->room + 8;
        struct region *at = realloc(r->at, room * sizeof *at);
        bool *open = at ? realloc(s->open, room * sizeof *open) : NULL;
        if (at)
            r->at = at;
        if (!open) {
            cli_error("out of memory");
            return fail(s);
        }
        s->open = open;
        s->room = room;
    }
    struct region *n = &r->at[r->count];
    *n = (struct region){.name = strndup(name, length), .line = line};
    if (!n->name) {
        cli_error("out of memory");
        return fail(s);
    }
    snprintf(n->begin, sizeof n->begin, "gcnsim_region_begin_%zu", r->count);
    snprintf(n->end, sizeof n->end, "gcnsim_region_end_%zu", r->count);
    s->open[r->count++] = true;
    return true;
}

/* What follows is on this line of the file. */
static void put_line(const struct scan *s)
{
    char *path = strdup(s->path);

    fprintf(s->out, "# %u \"", s->line);
    for (const char *c = path ? plain_text(path, 0) : ""; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', s->out);
        fputc(*c, s->out);
    }
    fputs("\"\n", s->out);
    free(path);
}

/* The text up to the comment is written out, then the symbol on a line of its own; the assembler learns where the file
 * goes on. */
static void mark(struct scan *s, const char *comment, const char *symbol)
{
    fwrite(s->copied, 1, (size_t)(comment - s->copied), s->out);
    fprintf(s->out, "\n%s:\n", symbol);
    put_line(s);
    s->copied = comment;
}

static struct region *open_region(const struct scan *s, const char *name, size_t length)
{
    for (size_t k = 0; k < s->r->count; k++)
        if (s->open[k] && strlen(s->r->at[k].name) == length && memcmp(s->r->at[k].name, name, length) == 0)
            return &s->r->at[k];
    return NULL;
}

static bool begin_region(struct scan *s, const char *comment, const char *name, size_t length)
{
    struct region *same = open_region(s, name, length);

    if (same) {
        if (length)
            cli_error("%s:%u: region '%s' is open already, since line %u; expected another name, or its end first",
                      s->path, s->line, same->name, same->line);
        else
            cli_error("%s:%u: a region without a name is open already, since line %u; expected names where regions "
                      "overlap",
                      s->path, s->line, same->line);
        return fail(s);
    }
    if (!add_region(s, name, length, s->line))
        return false;
    mark(s, comment, s->r->at[s->r->count - 1].begin);
    return true;
}

static bool end_region(struct scan *s, const char *comment, const char *name, size_t length)
{
    struct region *r = open_region(s, name, length);
    size_t open = 0, last = 0;

    for (size_t k = 0; k < s->r->count; k++)
        if (s->open[k]) {
            open++;
            last = k;
        }
    if (!r && !length && open == 1)
        r = &s->r->at[last];
    if (!r && !length && !s->any) { /* all up to here */
        if (!add_region(s, "", 0, 1))
            return false;
        r = &s->r->at[0];
        snprintf(r->begin, sizeof r->begin, "%s", TEXT_SYMBOL);
    }
    if (!r) {
        if (length)
            cli_error("%s:%u: " END_WORD " %.*s: no open region has that name", s->path, s->line, (int)length, name);
        else
            cli_error("%s:%u: " END_WORD ": %s", s->path, s->line,
                      open ? "several regions are open; expected the name of one" : "no region is open");
        return fail(s);
    }
    s->open[r - s->r->at] = false;
    mark(s, comment, r->end);
    return true;
}

/* The inside of a comment: [from, to). `comment`: where it begins. */
static void take_comment(struct scan *s, const char *comment, const char *from, const char *to)
{
    bool begins;

    while (from < to && (*from == ' ' || *from == '\t' || *from == ';' || *from == '#'))
        from++;
    begins = (size_t)(to - from) >= strlen(BEGIN_WORD) && memcmp(from, BEGIN_WORD, strlen(BEGIN_WORD)) == 0;
    if (begins)
        from += strlen(BEGIN_WORD);
    else if ((size_t)(to - from) >= strlen(END_WORD) && memcmp(from, END_WORD, strlen(END_WORD)) == 0)
        from += strlen(END_WORD);
    else
        return;
    if (from < to && *from != ' ' && *from != '\t' && *from != '\r')
        return; /* a longer word */
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r'))
        to--;
    if (begins)
        begin_region(s, comment, from, (size_t)(to - from));
    else
        end_region(s, comment, from, (size_t)(to - from));
    s->any = true;
}

static const char *line_end(const struct scan *s, const char *at)
{
    const char *end = memchr(at, '\n', (size_t)(s->end - at));

    return end ? end : s->end;
}

static void take_block(struct scan *s)
{
    const char *close = memmem(s->at + 2, (size_t)(s->end - s->at - 2), "*/", 2), *to = close ? close : s->end;

    take_comment(s, s->at, s->at + 2, line_end(s, s->at + 2) < to ? line_end(s, s->at + 2) : to);
    for (; s->at < to; s->at++)
        s->line += *s->at == '\n';
    s->at = close ? close + 2 : s->end;
}

static void skip_string(struct scan *s)
{
    for (s->at++; s->at < s->end && *s->at != '"' && *s->at != '\n'; s->at++)
        if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n')
            s->at++;
    if (s->at < s->end && *s->at == '"')
        s->at++;
}

static void scan_text(struct scan *s)
{
    bool blank = true; /* nothing but white space on the line so far */

    while (s->at < s->end && !s->failed) {
        char c = *s->at, next = s->at + 1 < s->end ? s->at[1] : 0;

        if (c == '\n') {
            s->line++;
            blank = true;
            s->at++;
            continue;
        }
        if (c == ';' || (c == '/' && next == '/') || (c == '#' && blank)) {
            take_comment(s, s->at, s->at + (c == '/' ? 2 : 1), line_end(s, s->at));
            s->at = line_end(s, s->at);
        } else if (c == '/' && next == '*') {
            take_block(s);
        } else if (c == '"') {
            skip_string(s);
        } else {
            s->at++;
        }
        blank = blank && (c == ' ' || c == '\t');
    }
}

/* Regions that are open at the end reach to the end of their section. */
static void finish(struct scan *s)
{
    fwrite(s->copied, 1, (size_t)(s->end - s->copied), s->out);
    for (size_t k = 0; k < s->r->count; k++)
        if (s->open[k])
            s->r->at[k].end[0] = 0;
}

int regions_find(struct regions *r, const char *path, const char *text, size_t size)
{
    struct scan s = {.r = r, .path = path, .at = text, .copied = text, .end = text + size, .line = 1};
    char *marked = NULL;
    size_t marked_size;

    *r = (struct regions){0};
    s.out = open_memstream(&marked, &marked_size);
    if (!s.out)
        return cli_error("out of memory");
    fprintf(s.out, "%s:\n", TEXT_SYMBOL);
    put_line(&s);
    scan_text(&s);
    finish(&s);
    bool written = !ferror(s.out);
    if (fclose(s.out) != 0 || !written || !marked) {
        s.failed = true;
        cli_error("out of memory");
    }
    free(s.open);
    if (s.failed) {
        free(marked);
        regions_free(r);
        return CLI_BAD_INPUT;
    }
    r->text = marked;
    return CLI_OK;
}

void regions_free(struct regions *r)
{
    for (size_t k = 0; k < r->count; k++)
        free(r->at[k].name);
    free(r->at);
    free(r->text);
    *r = (struct regions){0};
}
