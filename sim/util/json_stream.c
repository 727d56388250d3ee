/* JSON documents read piece by piece. */
#include "sim/util/json_stream.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void json_stream_init(struct json_stream *s, FILE *f, const char *name, struct err *e)
{
    *s = (struct json_stream){.f = f, .name = name, .e = e};
}

void json_stream_free(struct json_stream *s)
{
    free(s->text);
    s->text = NULL;
}

static void bad(struct json_stream *s, const char *what, const char *expected)
{
    if (!s->failed)
        err_set(s->e, ERR_FORMAT, "%s: byte %llu: %s; expected %s", s->name, (unsigned long long)s->at, what, expected);
    s->failed = true;
}

static int take(struct json_stream *s)
{
    int c = s->failed ? EOF : getc(s->f);

    s->at += c != EOF;
    return c;
}

static void give_back(struct json_stream *s, int c)
{
    if (c != EOF) {
        ungetc(c, s->f);
        s->at--;
    }
}

/* The next character that is no white space; it stays. */
static int peek(struct json_stream *s)
{
    int c;

    do
        c = take(s);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    give_back(s, c);
    return c;
}

static bool expect(struct json_stream *s, char wanted)
{
    char what[8] = "the end", expected[4] = {'\'', wanted, '\'', 0};
    int c = peek(s);

    if (c == wanted && !s->failed) {
        take(s);
        return true;
    }
    if (c != EOF)
        snprintf(what, sizeof what, c >= ' ' && c < 0x7f ? "'%c'" : "0x%02x", c);
    bad(s, what, expected);
    return false;
}

bool json_stream_is(struct json_stream *s, char open)
{
    return !s->failed && peek(s) == open;
}

int json_stream_enter(struct json_stream *s, char open)
{
    if (!expect(s, open))
        return -1;
    if (s->depth == JSON_STREAM_DEPTH) {
        bad(s, "too many brackets are open", "fewer");
        return -1;
    }
    s->begun[s->depth++] = false;
    return 0;
}

/* Whether another part follows, whose comma is taken. */
static bool another(struct json_stream *s, char close)
{
    if (s->failed || !s->depth)
        return false;
    if (peek(s) == close) {
        take(s);
        s->depth--;
        return false;
    }
    if (s->begun[s->depth - 1] && !expect(s, ','))
        return false;
    s->begun[s->depth - 1] = true;
    if (peek(s) == EOF)
        bad(s, "the end", "a value");
    return !s->failed;
}

bool json_stream_element(struct json_stream *s)
{
    return another(s, ']');
}

static void keep(struct json_stream *s, int c)
{
    if (s->size == s->room) {
        size_t room = s->room ? s->room * 2 : 256;
        char *more = realloc(s->text, room);

        if (!more) {
            if (!s->failed)
                err_set(s->e, ERR_NOMEM, "%s: no memory", s->name);
            s->failed = true;
            return;
        }
        s->text = more;
        s->room = room;
    }
    s->text[s->size++] = (char)c;
    if (s->size > JSON_STREAM_VALUE_BYTES)
        bad(s, "a value of more than 1 MiB", "smaller ones");
}

/* Goes over a string; the quote at its front is taken already. */
static void string(struct json_stream *s, bool kept)
{
    for (int c; !s->failed && (c = take(s)) != EOF;) {
        if (kept)
            keep(s, c);
        if (c == '"')
            return;
        if (c == '\\' && (c = take(s)) != EOF && kept)
            keep(s, c);
    }
    bad(s, "a string without an end", "'\"'");
}

/* Goes over a value. */
static void value(struct json_stream *s, bool kept)
{
    unsigned open = 0;
    bool begun = false;
    int c = peek(s);

    for (; !s->failed; begun = true) {
        c = take(s);
        bool ends = c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';

        if (c == EOF || (!open && begun && ends)) {
            give_back(s, c);
            if (open || !begun)
                bad(s, "the end", "the end of a value");
            return;
        }
        if (!open && ends) {
            bad(s, "no value", "one");
            return;
        }
        if (kept)
            keep(s, c);
        if (c == '"')
            string(s, kept);
        else if (c == '[' || c == '{')
            open++;
        else if (c == ']' || c == '}')
            open--;
        if (open + s->depth > JSON_STREAM_DEPTH)
            bad(s, "too many brackets are open", "fewer");
        if (!open && (c == ']' || c == '}' || c == '"'))
            return;
    }
}

json_t *json_stream_value(struct json_stream *s)
{
    json_error_t error;
    json_t *v = NULL;

    s->size = 0;
    value(s, true);
    if (!s->failed && !(v = json_loadb(s->text, s->size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error)))
        bad(s, error.text, "a value of JSON");
    return v;
}

void json_stream_skip(struct json_stream *s)
{
    value(s, false);
}

bool json_stream_key(struct json_stream *s, char *key, size_t size)
{
    if (!another(s, '}'))
        return false;
    if (peek(s) != '"') {
        bad(s, "no name of a member", "'\"'");
        return false;
    }
    json_t *name = json_stream_value(s);
    if (name)
        snprintf(key, size, "%s", json_string_value(name));
    json_decref(name);
    return name && expect(s, ':');
}

int json_stream_end(struct json_stream *s)
{
    if (!s->failed && peek(s) != EOF)
        bad(s, "more behind the value", "the end");
    if (!s->failed && ferror(s->f)) {
        err_set(s->e, ERR_IO, "%s: cannot be read", s->name);
        s->failed = true;
    }
    return s->failed ? -1 : 0;
}
