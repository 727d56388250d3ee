/* JSON by RFC 8259: one pass over a text or a file. */
#include "sim/util/json_scan.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 16384,
    MAX_NUMBER = 63, /* characters of a number that cJSON reads */
};

static const char too_large[] = "a value of more than 1 MiB; expected smaller ones";

/* ---- the text ---- */

void json_scan_text(struct json_scan *s, const char *text, size_t size, const char *name, unsigned depth, struct err *e)
{
    *s = (struct json_scan){
        .name = name, .e = e, .text = text, .size = size, .limit = depth < JSON_MAX_DEPTH ? depth : JSON_MAX_DEPTH};
}

void json_scan_file(struct json_scan *s, FILE *f, const char *name, unsigned depth, struct err *e)
{
    json_scan_text(s, NULL, 0, name, depth, e);
    s->f = f;
}

void json_scan_free(struct json_scan *s)
{
    free(s->buffer);
    s->buffer = NULL;
}

/* Moves line and column from text[0] to text[end]. */
static void count_lines(const struct json_scan *s, size_t end, unsigned *line, unsigned *column)
{
    *line = s->line;
    *column = s->column;
    for (size_t i = 0; i < end; i++) {
        ++*column;
        if (s->text[i] == '\n') {
            ++*line;
            *column = 0;
        }
    }
}

bool json_scan_wrong(struct json_scan *s, const char *flaw)
{
    unsigned line, column;

    if (s->failed)
        return false;
    count_lines(s, s->at, &line, &column);
    err_set(s->e, ERR_FORMAT, "%s: line %u, column %u: %s", s->name, line + 1, column + 1, flaw);
    s->failed = true;
    return false;
}

static bool grow(struct json_scan *s)
{
    size_t room = s->room ? s->room * 2 : FIRST_ROOM;
    char *more;

    if (s->size > JSON_KEPT_BYTES)
        return json_scan_wrong(s, too_large);
    more = realloc(s->buffer, room);
    if (!more) {
        if (!s->failed)
            err_set(s->e, ERR_NOMEM, "%s: out of host memory", s->name);
        s->failed = true;
        return false;
    }
    s->text = s->buffer = more;
    s->room = room;
    return true;
}

/* Reads more of the file, in the place of what is after it; false: there is no more. */
static bool fill(struct json_scan *s)
{
    size_t gone = s->keeps ? s->kept : s->at, n;

    if (!s->f || s->failed || feof(s->f))
        return false;
    if (gone) {
        count_lines(s, gone, &s->line, &s->column);
        memmove(s->buffer, s->buffer + gone, s->size - gone);
        s->size -= gone;
        s->at -= gone;
        s->kept -= s->keeps ? gone : 0;
    }
    if (s->size == s->room && !grow(s))
        return false;
    n = fread(s->buffer + s->size, 1, s->room - s->size, s->f);
    s->size += n;
    if (ferror(s->f)) {
        err_set(s->e, ERR_IO, "%s: cannot be read", s->name);
        s->failed = true;
    }
    return n > 0;
}

/* Whether n bytes follow. */
static bool has(struct json_scan *s, size_t n)
{
    while (s->size - s->at < n)
        if (!fill(s))
            return false;
    return true;
}

/* The byte at the place, 0 at the end. */
static unsigned char here(struct json_scan *s)
{
    return s->at < s->size || has(s, 1) ? (unsigned char)s->text[s->at] : 0;
}

static bool at_end(struct json_scan *s)
{
    return !has(s, 1);
}

static bool early(struct json_scan *s)
{
    return json_scan_wrong(s, "the text ends early; expected a complete JSON object");
}

static bool malformed(struct json_scan *s)
{
    if (at_end(s))
        return early(s);
    if (has(s, 3) && memcmp(s->text + s->at, "\xef\xbb\xbf", 3) == 0)
        return json_scan_wrong(s, "a byte order mark; expected JSON text without one");
    return json_scan_wrong(s, here(s) ? "malformed JSON; expected a JSON object" : "a NUL byte; expected JSON text");
}

int json_scan_peek(struct json_scan *s)
{
    unsigned char c;

    while ((c = here(s)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        s->at++;
    return s->failed || at_end(s) ? -1 : c;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* ---- strings ---- */

/* The length of the UTF-8 character at the place (two bytes and more), 0 when there is none. */
static size_t utf8(struct json_scan *s)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = here(s);
    size_t n = (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : (c & 0xf8) == 0xf0 ? 4 : 0;
    uint32_t v = c & (0x7fu >> n);

    if (!n || !has(s, n))
        return 0;
    for (size_t k = 1; k < n; k++) {
        unsigned char b = (unsigned char)s->text[s->at + k];
        if ((b & 0xc0) != 0x80)
            return 0;
        v = v << 6 | (b & 0x3f);
    }
    return v >= least[n] && v <= 0x10ffff && (v < 0xd800 || v > 0xdfff) ? n : 0;
}

/* The four hexadecimal digits of an escape that begin `skip` bytes after the place, -1 when they are none. */
static long hex4(struct json_scan *s, size_t skip)
{
    long v = 0;

    for (size_t k = skip; k < skip + 4; k++) {
        unsigned char c = has(s, k + 1) ? (unsigned char)s->text[s->at + k] : 0;
        int d = is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

/* After a backslash. */
static bool escape(struct json_scan *s)
{
    if (here(s) != 'u') {
        if (at_end(s))
            return early(s);
        if (!here(s) || !strchr("\"\\/bfnrt", here(s)))
            return json_scan_wrong(s, "an unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
        s->at++;
        return true;
    }
    long v = hex4(s, 1);
    if (v < 0)
        return json_scan_wrong(s, "\\u without four hexadecimal digits");
    if (v == 0)
        return json_scan_wrong(s, "\\u0000 in a string; expected text without it");
    s->at += 5;
    if (v < 0xd800 || v > 0xdfff)
        return true;
    bool escaped = has(s, 2) && memcmp(s->text + s->at, "\\u", 2) == 0;
    long low = v < 0xdc00 && escaped ? hex4(s, 2) : -1;
    if (low < 0xdc00 || low > 0xdfff)
        return json_scan_wrong(s, "half a surrogate pair; expected a character");
    s->at += 6;
    return true;
}

/* At the opening quote. */
static bool string(struct json_scan *s)
{
    for (s->at++; !at_end(s) && here(s) != '"';) {
        unsigned char c = here(s);
        if (c < 0x20)
            return json_scan_wrong(s, c ? "a control character in a string; expected an escape such as \\n"
                                        : "a NUL byte; expected JSON text");
        if (c == '\\') {
            s->at++;
            if (!escape(s))
                return false;
        } else {
            size_t n = c < 0x80 ? 1 : utf8(s);
            if (!n)
                return json_scan_wrong(s, "bytes that are no UTF-8; expected UTF-8 text");
            s->at += n;
        }
    }
    if (at_end(s))
        return early(s);
    s->at++;
    return true;
}

/* ---- other values ---- */

static bool digits(struct json_scan *s)
{
    if (!is_digit(here(s)))
        return malformed(s);
    while (is_digit(here(s)))
        s->at++;
    return true;
}

/* Whether a number without an exponent reads as 2^53 and is larger: up to half way to the next double, 2^53 + 2, and
 * 2^53 + 1 itself, which lies there and is rounded to the even one. */
static bool rounds_to_limit(const char *text, size_t whole, size_t n)
{
    static const char limit[] = "9007199254740992", above[] = "9007199254740993";

    return whole == 16 && (memcmp(text, above, 16) == 0 || (n > whole && memcmp(text, limit, 16) == 0));
}

/* Characters that a number may be made of, up to one more than is allowed. All of them, and one more where there is
 * one, are in memory then and stay at their place. */
static size_t number_length(struct json_scan *s)
{
    size_t n = 0;

    for (; n <= MAX_NUMBER && has(s, n + 1); n++) {
        unsigned char c = (unsigned char)s->text[s->at + n];
        if (!is_digit(c) && (!c || !strchr("+-.eE", c)))
            break;
    }
    return n;
}

static bool number(struct json_scan *s)
{
    if (number_length(s) > MAX_NUMBER)
        return json_scan_wrong(s, "a number of more than 63 characters; expected a shorter one");
    size_t from = s->at + (here(s) == '-'), whole;

    s->at = from;
    if (here(s) == '0')
        s->at++;
    else if (!digits(s))
        return false;
    whole = s->at - from;
    if (here(s) == '.') {
        s->at++;
        if (!digits(s))
            return false;
    }
    size_t plain = s->at - from;
    bool power = here(s) == 'e' || here(s) == 'E';
    if (power) {
        s->at++;
        if (here(s) == '+' || here(s) == '-')
            s->at++;
        if (!digits(s))
            return false;
    }
    if (!power && rounds_to_limit(s->text + from, whole, plain)) {
        s->at = from;
        return json_scan_wrong(s, "a number above 2^53; expected one that can be read exactly");
    }
    return true;
}

static bool word(struct json_scan *s, const char *text)
{
    size_t n = strlen(text);

    if (!has(s, n) || memcmp(s->text + s->at, text, n) != 0)
        return malformed(s);
    s->at += n;
    return true;
}

static bool scalar(struct json_scan *s)
{
    unsigned char c = here(s);

    if (c == '"')
        return string(s);
    if (c == '-' || is_digit(c))
        return number(s);
    return c == 't' ? word(s, "true") : c == 'f' ? word(s, "false") : c == 'n' ? word(s, "null") : malformed(s);
}

/* ---- brackets ---- */

bool json_scan_open(struct json_scan *s)
{
    char flaw[80];

    if (s->failed)
        return false;
    if (s->depth == s->limit) {
        snprintf(flaw, sizeof flaw, "brackets nest deeper than %u levels; expected fewer", s->limit);
        return json_scan_wrong(s, flaw);
    }
    s->object[s->depth++] = here(s) == '{';
    s->at++;
    return true;
}

/* A key and its colon. */
static bool key(struct json_scan *s)
{
    if (json_scan_peek(s) != '"')
        return malformed(s);
    if (!string(s))
        return false;
    if (json_scan_peek(s) != ':')
        return malformed(s);
    s->at++;
    return true;
}

/* A value without what it holds: an opening bracket has *open. */
static bool begin_value(struct json_scan *s, bool *open)
{
    int c = json_scan_peek(s);

    *open = c == '{' || c == '[';
    return *open ? json_scan_open(s) : scalar(s);
}

bool json_scan_value(struct json_scan *s)
{
    unsigned outer = s->depth;
    bool open;

    if (s->failed || !begin_value(s, &open))
        return false;
    while (s->depth > outer) {
        bool object = s->object[s->depth - 1];
        int c = json_scan_peek(s);

        if (c == (object ? '}' : ']')) {
            s->at++;
            s->depth--;
            open = false;
            continue;
        }
        if (!open) { /* after a member */
            if (c != ',')
                return malformed(s);
            s->at++;
        }
        /* a bracket that was opened and holds nothing yet takes a member without a comma */
        if ((object && !key(s)) || !begin_value(s, &open))
            return false;
    }
    return true;
}

const char *json_scan_keep(struct json_scan *s, size_t *size)
{
    json_scan_peek(s);
    s->keeps = true;
    s->kept = s->at;
    bool good = json_scan_value(s);
    s->keeps = false;
    *size = s->at - s->kept;
    if (good && s->f && *size > JSON_KEPT_BYTES)
        good = json_scan_wrong(s, too_large);
    return good ? s->text + s->kept : NULL;
}

bool json_scan_end(struct json_scan *s)
{
    int c = json_scan_peek(s);

    if (c >= 0)
        json_scan_wrong(s, c ? "text after the end of the object; expected nothing more"
                             : "a NUL byte; expected JSON text");
    return !s->failed;
}
