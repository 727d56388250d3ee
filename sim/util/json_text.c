/* JSON by RFC 8259: one pass over the text, without memory of its own; then jansson. */
#include "sim/util/json_text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 256 };

struct scan {
    const char *text;
    size_t size, at;
    const char *flaw; /* what is wrong at `at`; null: nothing yet */
    unsigned depth, limit;
    bool object[MAX_DEPTH]; /* of each open bracket: {, not [ */
    size_t longest;         /* bytes of the longest string or number */
};

static bool wrong(struct scan *s, const char *flaw)
{
    if (!s->flaw)
        s->flaw = flaw;
    return false;
}

static bool at_end(const struct scan *s)
{
    return s->at >= s->size;
}

/* The byte at the place, 0 at the end. */
static unsigned char here(const struct scan *s)
{
    return at_end(s) ? 0 : (unsigned char)s->text[s->at];
}

static bool early(struct scan *s)
{
    return wrong(s, "the text ends early; expected a complete JSON object");
}

static bool malformed(struct scan *s)
{
    if (at_end(s))
        return early(s);
    return wrong(s, here(s) ? "malformed JSON; expected a JSON object" : "a NUL byte; expected JSON text");
}

static void skip_blanks(struct scan *s)
{
    while (!at_end(s) && (here(s) == ' ' || here(s) == '\t' || here(s) == '\n' || here(s) == '\r'))
        s->at++;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* ---- strings ---- */

/* The length of the UTF-8 character at the place (two bytes and more), 0 when there is none. */
static size_t utf8(const struct scan *s)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = here(s);
    size_t n = (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : (c & 0xf8) == 0xf0 ? 4 : 0;
    uint32_t v = c & (0x7fu >> n);

    if (!n || n > s->size - s->at)
        return 0;
    for (size_t k = 1; k < n; k++) {
        unsigned char b = (unsigned char)s->text[s->at + k];
        if ((b & 0xc0) != 0x80)
            return 0;
        v = v << 6 | (b & 0x3f);
    }
    return v >= least[n] && v <= 0x10ffff && (v < 0xd800 || v > 0xdfff) ? n : 0;
}

/* The four hexadecimal digits of an escape, -1 when they are none. */
static long hex4(const struct scan *s, size_t at)
{
    long v = 0;

    for (size_t k = 0; k < 4; k++) {
        unsigned char c = at + k < s->size ? (unsigned char)s->text[at + k] : 0;
        int d = is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

/* Behind a backslash. */
static bool escape(struct scan *s)
{
    if (here(s) != 'u') {
        if (at_end(s))
            return early(s);
        if (!here(s) || !strchr("\"\\/bfnrt", here(s)))
            return wrong(s, "an unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
        s->at++;
        return true;
    }
    long v = hex4(s, s->at + 1);
    if (v < 0)
        return wrong(s, "\\u without four hexadecimal digits");
    if (v == 0)
        return wrong(s, "\\u0000 in a string; expected text without it");
    s->at += 5;
    if (v < 0xd800 || v > 0xdfff)
        return true;
    bool escaped = s->size - s->at >= 2 && memcmp(s->text + s->at, "\\u", 2) == 0;
    long low = v < 0xdc00 && escaped ? hex4(s, s->at + 2) : -1;
    if (low < 0xdc00 || low > 0xdfff)
        return wrong(s, "half a surrogate pair; expected a character");
    s->at += 6;
    return true;
}

/* At the opening quote. */
static bool string(struct scan *s)
{
    size_t from = s->at;

    for (s->at++; !at_end(s) && here(s) != '"';) {
        unsigned char c = here(s);
        if (c < 0x20)
            return wrong(s, c ? "a control character in a string; expected an escape such as \\n"
                              : "a NUL byte; expected JSON text");
        if (c == '\\') {
            s->at++;
            if (!escape(s))
                return false;
        } else {
            size_t n = c < 0x80 ? 1 : utf8(s);
            if (!n)
                return wrong(s, "bytes that are no UTF-8; expected UTF-8 text");
            s->at += n;
        }
    }
    if (at_end(s))
        return early(s);
    s->at++;
    s->longest = s->at - from > s->longest ? s->at - from : s->longest;
    return true;
}

/* ---- other values ---- */

static bool digits(struct scan *s)
{
    if (!is_digit(here(s)))
        return malformed(s);
    while (is_digit(here(s)))
        s->at++;
    return true;
}

/* Whether an integer reads as 2^53 and is not. Ranges end at 2^53 or before, so what is larger is seen by its reader.
 */
static bool rounds_to_limit(const char *text, size_t n)
{
    /* the next double is 2^53 + 2; 2^53 + 1 lies between them and is rounded to the even one, 2^53 */
    return n == 16 && memcmp(text, "9007199254740993", 16) == 0;
}

static bool number(struct scan *s)
{
    size_t from = s->at + (here(s) == '-'), whole;

    s->at = from;
    if (here(s) == '0')
        s->at++;
    else if (!digits(s))
        return false;
    whole = s->at - from;
    bool fraction = here(s) == '.';
    if (fraction) {
        s->at++;
        if (!digits(s))
            return false;
    }
    bool power = here(s) == 'e' || here(s) == 'E';
    if (power) {
        s->at++;
        if (here(s) == '+' || here(s) == '-')
            s->at++;
        if (!digits(s))
            return false;
    }
    if (!power && (rounds_to_limit(s->text + from, whole) ||
                   (fraction && whole == 16 && memcmp(s->text + from, "9007199254740992", 16) == 0))) {
        s->at = from;
        return wrong(s, "a number above 2^53; expected one that can be read exactly");
    }
    return true;
}

static bool word(struct scan *s, const char *text)
{
    size_t n = strlen(text);

    if (s->size - s->at < n || memcmp(s->text + s->at, text, n) != 0)
        return malformed(s);
    s->at += n;
    return true;
}

static bool scalar(struct scan *s)
{
    unsigned char c = here(s);
    size_t from = s->at;

    if (c == '"')
        return string(s);
    if (c == '-' || is_digit(c)) {
        bool good = number(s);
        s->longest = s->at - from > s->longest ? s->at - from : s->longest;
        return good;
    }
    return c == 't' ? word(s, "true") : c == 'f' ? word(s, "false") : c == 'n' ? word(s, "null") : malformed(s);
}

/* A key and its colon. */
static bool key(struct scan *s)
{
    skip_blanks(s);
    if (here(s) != '"')
        return malformed(s);
    if (!string(s))
        return false;
    skip_blanks(s);
    if (here(s) != ':')
        return malformed(s);
    s->at++;
    return true;
}

/* A value without what it holds: an opening bracket has *open. */
static bool begin_value(struct scan *s, bool *open)
{
    skip_blanks(s);
    *open = here(s) == '{' || here(s) == '[';
    if (!*open)
        return scalar(s);
    if (s->depth == s->limit)
        return wrong(s, "deep");
    s->object[s->depth++] = here(s) == '{';
    s->at++;
    return true;
}

/* One value with all in it. */
static bool value(struct scan *s)
{
    bool open;

    if (!begin_value(s, &open))
        return false;
    while (s->depth) {
        bool object = s->object[s->depth - 1];
        char close = object ? '}' : ']';

        skip_blanks(s);
        if (here(s) == (unsigned char)close) {
            s->at++;
            s->depth--;
            open = false;
            continue;
        }
        if (!open) { /* behind a member */
            if (here(s) != ',')
                return malformed(s);
            s->at++;
        }
        /* a bracket that was opened and holds nothing yet takes a member without a comma */
        if ((object && !key(s)) || !begin_value(s, &open))
            return false;
    }
    return true;
}

static int tell(const struct scan *s, const char *file, const char *flaw, struct err *e)
{
    unsigned line = 1, column = 1;

    for (size_t i = 0; i < s->at && i < s->size; i++) {
        column++;
        if (s->text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    return err_set(e, ERR_FORMAT, "%s: line %u, column %u: %s", file, line, column, flaw);
}

/* json_text_check(), with the bytes of the longest string or number. */
static int check(const char *text, size_t size, const char *file, unsigned depth, size_t *longest, struct err *e)
{
    struct scan s = {.text = text, .size = size, .limit = depth < MAX_DEPTH ? depth : MAX_DEPTH};

    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return tell(&s, file, "a byte order mark; expected JSON text without one", e);
    if (!value(&s)) {
        if (strcmp(s.flaw, "deep") != 0)
            return tell(&s, file, s.flaw, e);
        char text_of[100];
        snprintf(text_of, sizeof text_of, "brackets nest deeper than %u levels; expected fewer", s.limit);
        return tell(&s, file, text_of, e);
    }
    skip_blanks(&s);
    if (!at_end(&s))
        return tell(
            &s, file,
            here(&s) ? "text after the end of the object; expected nothing more" : "a NUL byte; expected JSON text", e);
    *longest = s.longest;
    return 0;
}

int json_text_check(const char *text, size_t size, const char *file, unsigned depth, struct err *e)
{
    size_t longest;

    return check(text, size, file, depth, &longest, e);
}

/* ---- reading ---- */

/* An open bracket, and which member of it is being walked over. */
struct bracket {
    bool object;
    const char *key; /* as the text has it, without quotes */
    size_t length;   /* of key */
    size_t index;    /* in an array */
};

/* The brackets that are open at byte `end` of a text that json_text_check() takes; returns how many. */
static unsigned walk(const char *text, size_t size, size_t end, struct bracket open[MAX_DEPTH])
{
    struct scan s = {.text = text, .size = size};
    unsigned depth = 0;

    while (s.at < end && !at_end(&s)) {
        unsigned char c = here(&s);
        size_t from = s.at++;

        if (c == '"') {
            s.at = from;
            string(&s);
            size_t length = s.at - from - 2;
            skip_blanks(&s);
            if (depth && open[depth - 1].object && here(&s) == ':') {
                open[depth - 1].key = text + from + 1;
                open[depth - 1].length = length;
            }
        } else if ((c == '{' || c == '[') && depth < MAX_DEPTH) {
            open[depth++] = (struct bracket){.object = c == '{', .key = ""};
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
        } else if (c == ',' && depth) {
            open[depth - 1].index++;
        }
    }
    return depth;
}

/* "FILE: launches[3].file: flaw", for the key or value that ends at byte `end`. */
static void tell_member(const char *text, size_t size, size_t end, const char *file, const char *flaw, struct err *e)
{
    struct bracket open[MAX_DEPTH];
    unsigned depth = walk(text, size, end, open);
    char path[200] = "";
    size_t n = 0;

    for (unsigned k = 0; k < depth && n < sizeof path; k++)
        if (!open[k].object)
            n += (size_t)snprintf(path + n, sizeof path - n, "[%zu]", open[k].index);
        else
            n += (size_t)snprintf(path + n, sizeof path - n, "%s%.*s", k ? "." : "",
                                  (int)(open[k].length < 80 ? open[k].length : 80), open[k].key);
    for (char *c = path; *c; c++)
        if (*c == 0x7f)
            *c = '?';
    err_set(e, ERR_FORMAT, "%s: %s%s%s", file, path, *path ? ": " : "", flaw);
}

/* jansson collects a token in a buffer that grows, and drops bytes without a word when it cannot grow (2.14). So it is
 * given ["xxx...", TEXT] with a string as long as any token of the text: when that arrives whole, the buffer grows no
 * more. */
struct feed {
    const char *text;
    size_t size, pad, at;
};

static size_t front_of(const struct feed *f)
{
    return f->pad + 4; /* [" and ", */
}

static size_t give(void *buffer, size_t room, void *data)
{
    struct feed *f = data;
    size_t n = 0, front = front_of(f);

    for (; n < room && f->at < front + f->size + 1; f->at++, n++) {
        size_t at = f->at;
        char c = at == 0                ? '['
                 : at == 1              ? '"'
                 : at < 2 + f->pad      ? 'x'
                 : at == 2 + f->pad     ? '"'
                 : at == 3 + f->pad     ? ','
                 : at < front + f->size ? f->text[at - front]
                                        : ']';
        ((char *)buffer)[n] = c;
    }
    return n;
}

/* The document out of the list; null: the string in front of it is not whole. */
static json_t *take_document(json_t *list, size_t pad)
{
    json_t *v = json_string_length(json_array_get(list, 0)) == pad ? json_incref(json_array_get(list, 1)) : NULL;

    json_decref(list);
    return v;
}

struct json_t *json_text_read(const char *text, size_t size, const char *file, unsigned depth, struct err *e)
{
    struct feed f = {.text = text, .size = size};
    json_error_t why = {0};

    if (check(text, size, file, depth, &f.pad, e))
        return NULL;
    json_t *v = json_load_callback(give, &f, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    if (v)
        v = take_document(v, f.pad);
    if (v)
        return v;
    size_t end = why.position > (int)front_of(&f) ? (size_t)why.position - front_of(&f) : 0;
    if (json_error_code(&why) == json_error_duplicate_key)
        tell_member(text, size, end, file, "given twice; expected once", e);
    else if (json_error_code(&why) == json_error_numeric_overflow)
        tell_member(text, size, end, file, "impossible value, no double is as large; expected a smaller number", e);
    else
        err_set(e, ERR_NOMEM, "%s: out of memory", file);
    return NULL;
}
