/* The YAML of metadata: maps, lists and values in blocks, as compilers write them. */
#include "sim/loader/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 16

static int wrong(const struct document *d, const char *what)
{
    return err_set(d->y.e, ERR_FORMAT, "metadata: line %u: %s", d->y.line, what);
}

static struct node *new_node(struct document *d, struct node *in, const char *key)
{
    bool taken = budget_take(d->y.budget, sizeof(struct block));
    struct block *b = taken ? calloc(1, sizeof *b) : NULL;

    if (taken)
        d->y.bytes_held += sizeof *b;
    if (!b) {
        err_set(d->y.e, ERR_NOMEM, "metadata: out of host memory");
        return NULL;
    }
    b->next = d->blocks;
    d->blocks = b;
    b->node.key = key;
    b->node.text = "";
    if (in && in->last)
        in->last->next = &b->node;
    else if (in)
        in->first = &b->node;
    if (in)
        in->last = &b->node;
    return &b->node;
}

/* Goes to the next line that has something in it. */
static void next_line(struct yaml *y)
{
    y->content = NULL;
    while (y->at < y->end) {
        char *line = y->at, *text = line;

        y->line++;
        y->at += strlen(line) + 1;
        while (*text == ' ')
            text++;
        size_t n = strlen(text);
        while (n && (text[n - 1] == ' ' || text[n - 1] == '\r'))
            text[--n] = 0;
        if (!n || *text == '#' || strcmp(text, "---") == 0)
            continue;
        if (strcmp(text, "...") == 0)
            y->at = y->end;
        else
            y->content = text;
        y->indent = (unsigned)(text - line);
        return;
    }
}

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* One character after a backslash; *p is moved after it. -1: unknown. */
static int escape(const char **p)
{
    static const char from[] = "ntrabefv0\"\\/ ", to[] = "\n\t\r\a\b\033\f\v\0\"\\/ ";
    char c = *(*p)++;
    const char *known = c ? strchr(from, c) : NULL;

    if (known)
        return (unsigned char)to[known - from];
    if (c != 'x' || hex((*p)[0]) < 0 || hex((*p)[1]) < 0)
        return -1;
    int v = hex((*p)[0]) << 4 | hex((*p)[1]);
    *p += 2;
    return v;
}

/* Takes the quotes off a value in place; *end: what follows it. */
static int unquote(const struct document *d, char *text, char **end)
{
    char quote = *text, *to = text;
    const char *p = text + 1;

    for (;;) {
        int c = (unsigned char)*p;

        if (!c)
            return wrong(d, "a quote that is not closed");
        p++;
        if (c == quote && quote == '\'' && *p == '\'') {
            p++;
        } else if (c == quote) {
            break;
        } else if (c == '\\' && quote == '"') {
            c = escape(&p);
            if (c <= 0) /* strings end with a zero byte, so there is none in one */
                return wrong(d, "an escape sequence that is not known");
        }
        *to++ = (char)c;
    }
    *end = text + (p - text);
    *to = 0;
    return 0;
}

/* A value in a line, or a list of them in brackets. */
static int read_value(struct document *d, char *text, struct node *n)
{
    char *end;

    n->text = text;
    if (*text == '\'' || *text == '"') {
        if (unquote(d, text, &end))
            return -1;
        return *end ? wrong(d, "text behind a quoted value") : 0;
    }
    if (*text == '{' || *text == '&' || *text == '*' || *text == '!' || *text == '|' || *text == '>')
        return wrong(d, "a kind of value that metadata does not have");
    if (*text != '[')
        return 0;
    size_t length = strlen(text);
    if (text[length - 1] != ']')
        return wrong(d, "a bracket that is not closed");
    text[length - 1] = 0;
    n->kind = NODE_LIST;
    n->text = "";
    for (char *p = text + 1; *p;) {
        struct node *one;
        char *comma;

        p += strspn(p, " ");
        if (!*p && !n->first)
            return 0;
        if (!(one = new_node(d, n, NULL)))
            return -1;
        one->text = p;
        if (*p == '\'' || *p == '"') {
            if (unquote(d, p, &end))
                return -1;
            end += strspn(end, " ");
            if (*end && *end != ',')
                return wrong(d, "text behind a quoted value");
            p = end + (*end == ',');
            continue;
        }
        comma = strchr(p, ',');
        end = comma ? comma : p + strlen(p);
        while (end > p && end[-1] == ' ')
            *--end = 0;
        if (comma)
            *comma = 0;
        p = comma ? comma + 1 : end;
    }
    return 0;
}

/* Where the value of "KEY: VALUE" begins, with the key ended; null: the line is no such thing. */
static char *split_key(char *content)
{
    if (*content == '\'' || *content == '"' || *content == '[')
        return NULL;
    char *colon = strstr(content, ": ");
    size_t n = strlen(content);

    if (!colon && content[n - 1] == ':')
        colon = content + n - 1;
    if (!colon)
        return NULL;
    char *value = colon + 1;
    *colon = 0;
    return value + strspn(value, " ");
}

static bool is_item(const struct yaml *y)
{
    return y->content[0] == '-' && (y->content[1] == ' ' || !y->content[1]);
}

static int read_block(struct document *d, struct node *into);

static int read_list(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    unsigned indent = y->indent;

    into->kind = NODE_LIST;
    while (y->content && y->indent == indent && is_item(y)) {
        struct node *n = new_node(d, into, NULL);
        size_t skip = 1 + strspn(y->content + 1, " ");

        if (!n)
            return -1;
        y->content += skip;
        y->indent += (unsigned)skip;
        if (!*y->content) {
            next_line(y);
            if (y->content && y->indent > indent && read_block(d, n))
                return -1;
        } else if (read_block(d, n)) {
            return -1;
        }
    }
    return 0;
}

static int read_map(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    unsigned indent = y->indent;

    into->kind = NODE_MAP;
    while (y->content && y->indent == indent && !is_item(y)) {
        const char *key = y->content;
        char *value = split_key(y->content);
        struct node *n;

        if (!value)
            return wrong(d, "expected KEY: VALUE");
        if (!(n = new_node(d, into, key)))
            return -1;
        if (*value) {
            if (read_value(d, value, n))
                return -1;
            next_line(y);
            continue;
        }
        next_line(y); /* a list may stand as far left as its key */
        if (y->content && (y->indent > indent || (y->indent == indent && is_item(y))) && read_block(d, n))
            return -1;
    }
    return 0;
}

/* What begins in the current line: a map, a list or one value. */
static int read_block(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    const char *c = y->content;
    size_t n = strlen(c);
    int r;

    if (y->depth == MAX_DEPTH)
        return wrong(d, "nested too deep");
    y->depth++;
    if (is_item(y)) {
        r = read_list(d, into);
    } else if (*c != '\'' && *c != '"' && *c != '[' && (strstr(c, ": ") || c[n - 1] == ':')) {
        r = read_map(d, into);
    } else {
        r = read_value(d, y->content, into);
        next_line(y);
    }
    y->depth--;
    return r;
}

const struct node *yaml_find(const struct node *map, const char *key)
{
    for (const struct node *n = map && map->kind == NODE_MAP ? map->first : NULL; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

int yaml_read(struct document *d, char *text, size_t size, struct node **root)
{
    for (size_t k = 0; k < size; k++) {
        if (!text[k])
            return err_set(d->y.e, ERR_FORMAT, "metadata: offset %zu: a zero byte", k);
        if (text[k] == '\n')
            text[k] = 0;
    }
    d->y.at = text;
    d->y.end = text + size;
    if (!(*root = new_node(d, NULL, NULL)))
        return -1;
    next_line(&d->y);
    if (d->y.content && read_block(d, *root))
        return -1;
    return d->y.content ? wrong(d, "expected a key as far left as those before it") : 0;
}

void yaml_free(struct document *d)
{
    while (d->blocks) {
        struct block *next = d->blocks->next;
        free(d->blocks);
        d->blocks = next;
    }
    budget_give(d->y.budget, d->y.bytes_held);
    d->y.bytes_held = 0;
}
