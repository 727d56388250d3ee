/* Texts: lines, labels and repetitions. The words of a line come of assemble_encode.c. */
#include "tests/support/assemble.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/assemble_parts.h"

enum {
    MAX_CODE = 1 << 15, /* words of a text */
    MAX_TARGETS = 40,
    MAX_LABELS = 32,
    CACHE_LINES = 4096, /* a power of two */
    PAGE = 4096,        /* code that runs in place is at the same place of cache lines and sets in every run */
};

static const struct isa_target *target_of(const char *name)
{
    static struct isa_target *open[MAX_TARGETS];
    struct err e = {0};
    unsigned k = 0;

    for (; k < MAX_TARGETS && open[k]; k++)
        if (!strcmp(open[k]->name, name))
            return open[k];
    assert_true(k < MAX_TARGETS);
    if (isa_target_open(&open[k], name, NULL, &e))
        fail_msg("%s", e.text);
    return open[k];
}

/* The words of a line; they are kept, because kernels repeat themselves. */
static unsigned line_words(const struct isa_target *t, const char *text, uint32_t w[ASM_WORDS])
{
    static struct {
        const struct isa_target *t;
        char *text;
        uint32_t w[ASM_WORDS];
        unsigned words;
    } cache[CACHE_LINES], *c;
    char nearest[ASM_LINE];

    c = &cache[(asm_hash(text, strlen(text)) ^ asm_hash(t->name, strlen(t->name))) & (CACHE_LINES - 1)];
    if (c->t != t || strcmp(c->text, text)) {
        unsigned words = asm_encode(t, text, w, nearest);

        if (!words)
            fail_msg("%s: '%s' does not assemble%s%s", t->name, text, *nearest ? "; nearest: " : "", nearest);
        free(c->text);
        c->text = strdup(text);
        c->t = t;
        c->words = words;
        memcpy(c->w, w, sizeof c->w);
    }
    memcpy(w, c->w, sizeof c->w);
    return c->words;
}

struct text {
    const struct isa_target *t;
    uint32_t word[MAX_CODE];
    size_t words;
    struct {
        char name[24];
        size_t at;
    } label[MAX_LABELS];
    unsigned labels;
    bool measured; /* labels are known */
};

static const char *next_line(const char *p, char out[ASM_LINE])
{
    size_t n;

    p += strspn(p, " \t\n;");
    n = strcspn(p, "\n;");
    assert_true(n < ASM_LINE);
    memcpy(out, p, n);
    while (n && out[n - 1] == ' ')
        n--;
    out[n] = 0;
    return p + strcspn(p, "\n;");
}

/* Replaces a label at the end of a line by the distance in words from the next instruction; a branch has one word. */
static void resolve(const struct text *x, char *line)
{
    char *last = strrchr(line, ' ');

    for (unsigned k = 0; last && k < x->labels; k++)
        if (!strcmp(last + 1, x->label[k].name)) {
            snprintf(last + 1, 8, "%u", (unsigned)(x->label[k].at - x->words - 1) & 0xffff);
            return;
        }
    if (last && !x->measured && (!strncmp(line, "s_cbranch", 9) || !strncmp(line, "s_branch", 8)) &&
        !isdigit((unsigned char)last[1]))
        strcpy(last + 1, "0");
}

/* "loop: s_nop 0", or a label alone: what is behind it. */
static char *take_label(struct text *x, char *line)
{
    size_t n = 0;

    while (isalnum((unsigned char)line[n]) || line[n] == '_')
        n++;
    if (line[n] != ':')
        return line;
    if (!x->measured) {
        assert_true(x->labels < MAX_LABELS && n < sizeof x->label[0].name);
        memcpy(x->label[x->labels].name, line, n);
        x->label[x->labels++].at = x->words;
    }
    line += n + 1;
    return line + strspn(line, " ");
}

static void add_line(struct text *x, char *line)
{
    uint32_t w[ASM_WORDS];
    unsigned words = 1;

    resolve(x, line);
    if (!strncmp(line, ".long ", 6))
        w[0] = (uint32_t)strtoul(line + 6, NULL, 0);
    else
        words = line_words(x->t, line, w);
    assert_true(x->words + words <= MAX_CODE);
    memcpy(x->word + x->words, w, words * sizeof w[0]);
    x->words += words;
}

static void add_text(struct text *x, const char *p)
{
    const char *again = NULL;
    char text[ASM_LINE];
    unsigned times = 0;

    x->words = 0;
    while (*(p += strspn(p, " \t\n;"))) {
        char *line;

        p = next_line(p, text);
        line = take_label(x, text);
        if (!strncmp(line, ".rept ", 6)) {
            times = (unsigned)atoi(line + 6);
            assert_true(times > 0);
            again = p;
        } else if (!strcmp(line, ".endr")) {
            assert_non_null(again);
            p = --times ? again : p;
        } else if (*line) {
            add_line(x, line);
        }
    }
}

struct assembled assemble(const char *target, const char *text)
{
    static struct {
        const struct isa_target *t;
        char *text;
        uint32_t *word;
        size_t words;
    } * kept;
    static size_t count;
    const struct isa_target *t = target_of(target);
    struct text *x;

    for (size_t k = 0; k < count; k++)
        if (kept[k].t == t && !strcmp(kept[k].text, text))
            return (struct assembled){kept[k].word, kept[k].words};
    x = calloc(1, sizeof *x);
    kept = realloc(kept, (count + 1) * sizeof *kept);
    assert_non_null(x);
    assert_non_null(kept);
    x->t = t;
    add_text(x, text);
    x->measured = true;
    if (x->labels)
        add_text(x, text);
    kept[count].t = t;
    kept[count].text = strdup(text);
    kept[count].word = aligned_alloc(PAGE, (x->words * sizeof x->word[0] / PAGE + 1) * PAGE);
    kept[count].words = x->words;
    assert_non_null(kept[count].word);
    memcpy(kept[count].word, x->word, x->words * sizeof x->word[0]);
    free(x);
    count++;
    return (struct assembled){kept[count - 1].word, kept[count - 1].words};
}
