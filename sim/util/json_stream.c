/* JSON documents read piece by piece. */
#include "sim/util/json_stream.h"

#include <string.h>

void json_stream_init(struct json_stream *s, FILE *f, const char *name, struct err *e)
{
    memset(s->begun, 0, sizeof s->begun);
    json_scan_file(&s->scan, f, name, JSON_STREAM_DEPTH, e);
}

void json_stream_free(struct json_stream *s)
{
    json_scan_free(&s->scan);
}

bool json_stream_wrong(struct json_stream *s, const char *what)
{
    return json_scan_wrong(&s->scan, what);
}

bool json_stream_failed(const struct json_stream *s)
{
    return s->scan.failed;
}

static bool expect(struct json_stream *s, char wanted)
{
    char flaw[40], what[8] = "the end";
    int c = json_scan_peek(&s->scan);

    if (c == wanted)
        return true;
    if (c >= 0)
        snprintf(what, sizeof what, c >= ' ' && c < 0x7f ? "'%c'" : "0x%02x", (unsigned)c);
    snprintf(flaw, sizeof flaw, "%s; expected '%c'", what, wanted);
    return json_stream_wrong(s, flaw);
}

bool json_stream_is(struct json_stream *s, char open)
{
    return json_scan_peek(&s->scan) == open;
}

int json_stream_enter(struct json_stream *s, char open)
{
    if (!expect(s, open) || !json_scan_open(&s->scan))
        return -1;
    s->begun[s->scan.depth - 1] = false;
    return 0;
}

/* Whether another part follows, whose comma is taken. */
static bool another(struct json_stream *s, char close)
{
    bool *begun;

    if (s->scan.failed || !s->scan.depth)
        return false;
    begun = &s->begun[s->scan.depth - 1];
    if (json_stream_is(s, close)) {
        s->scan.at++;
        s->scan.depth--;
        return false;
    }
    if (*begun) {
        if (!expect(s, ','))
            return false;
        s->scan.at++;
    }
    return *begun = true;
}

bool json_stream_element(struct json_stream *s)
{
    return another(s, ']');
}

const struct json *json_stream_value(struct json_stream *s)
{
    size_t size;
    const char *text = json_scan_keep(&s->scan, &size);
    const struct json *v = text ? json_text_tree(text, size, s->scan.name, s->scan.e) : NULL;

    s->scan.failed |= !v;
    return v;
}

void json_stream_skip(struct json_stream *s)
{
    json_scan_value(&s->scan);
}

bool json_stream_key(struct json_stream *s, char *key, size_t size)
{
    if (!another(s, '}') || !expect(s, '"'))
        return false;
    const struct json *name = json_stream_value(s);
    if (name)
        snprintf(key, size, "%s", json_text(name));
    json_free(name);
    if (!name || !expect(s, ':'))
        return false;
    s->scan.at++;
    return true;
}

int json_stream_end(struct json_stream *s)
{
    return json_scan_end(&s->scan) ? 0 : -1;
}
