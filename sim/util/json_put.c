/* JSON from formats: what stands before an element, and one conversion after the other. */
#define _GNU_SOURCE /* fwrite_unlocked: traces are large, and a stream has one writer */
#include "sim/util/json_put.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "sim/util/plain.h"

enum { DEPTHS = 64 /* whose layout is kept; deeper brackets stay in their line */ };

/* ---- strings ---- */

/* For a character of up to three bytes. */
static unsigned code_of(const unsigned char *s, size_t n)
{
    unsigned c = n == 1 ? s[0] : n == 2 ? s[0] & 0x1fu : s[0] & 0x0fu;

    for (size_t k = 1; k < n; k++)
        c = c << 6 | (s[k] & 0x3fu);
    return c;
}

static void put_string(FILE *f, const char *s, size_t size)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + size;

    putc_unlocked('"', f);
    while (p < end) {
        size_t n = plain_utf8_length(p);
        if (n == 0)
            fputs_unlocked("\\ufffd", f);
        else if (*p == '"' || *p == '\\')
            fprintf(f, "\\%c", *p);
        else if (plain_is_hidden(p, n))
            fprintf(f, "\\u%04x", code_of(p, n));
        else
            fwrite_unlocked(p, 1, n, f);
        p += n ? n : 1;
    }
    putc_unlocked('"', f);
}

void json_put_string(FILE *f, const char *s)
{
    put_string(f, s, strlen(s));
}

void json_put_script(FILE *f, const char *json)
{
    for (size_t plain; *json; json += plain + 1) {
        plain = strcspn(json, "<");
        fwrite_unlocked(json, 1, plain, f);
        if (!json[plain])
            return;
        fputs_unlocked("\\u003c", f);
    }
}

/* ---- layout ---- */

static uint64_t bit(unsigned depth)
{
    return depth < DEPTHS ? UINT64_C(1) << depth : 0;
}

/* Ends the line where it ends before an element or a closing bracket; false: it does not. */
static bool put_line(struct json_put *j, bool own, unsigned depth)
{
    if (!j->broken && !own)
        return false;
    putc_unlocked('\n', j->f);
    for (unsigned n = j->broken ? j->blanks : j->compact ? 0 : 2 * depth; n; n--)
        putc_unlocked(' ', j->f);
    j->broken = false;
    return true;
}

/* What stands before a name, or before a value without one. */
static void put_between(struct json_put *j)
{
    bool after = j->filled;

    if (j->named) {
        j->named = false;
        return;
    }
    j->filled = true;
    if (after)
        putc_unlocked(',', j->f);
    if (!put_line(j, (j->lines & bit(j->depth)) && (after || !j->compact), j->depth) && after && !j->compact)
        putc_unlocked(' ', j->f);
}

static void put_open(struct json_put *j, char bracket, bool lines)
{
    put_between(j);
    putc_unlocked(bracket, j->f);
    j->depth++;
    j->lines = lines ? j->lines | bit(j->depth) : j->lines & ~bit(j->depth);
    j->objects = bracket == '{' ? j->objects | bit(j->depth) : j->objects & ~bit(j->depth);
    j->filled = false;
}

static void put_close(struct json_put *j, char bracket)
{
    assert(j->depth && !j->named && (j->depth >= DEPTHS || !(j->objects & bit(j->depth)) == (bracket == ']')));
    put_line(j, j->filled && !j->compact && (j->lines & bit(j->depth)), j->depth - 1);
    putc_unlocked(bracket, j->f);
    j->depth--;
    j->filled = true;
}

/* A name has been written. */
static void put_colon(struct json_put *j)
{
    fputs_unlocked(j->compact ? ":" : ": ", j->f);
    j->named = true;
}

FILE *json_put_raw(struct json_put *j)
{
    put_between(j);
    return j->f;
}

/* ---- formats ---- */

struct arguments {
    va_list list;
};

static void put_decimal(FILE *f, uint64_t v, bool negative)
{
    char digits[24];
    size_t n = 0;

    if (negative)
        putc_unlocked('-', f);
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n)
        putc_unlocked(digits[--n], f);
}

/* An integer as far as its conversion, of n characters up to its letter, says how large it is. */
static void put_integer(FILE *f, const char *conversion, size_t n, struct arguments *a)
{
    char kind = conversion[n];
    bool wide = n && conversion[0] != 'h'; /* l, ll, j or z */

    if (n == 2 && conversion[0] == 'h') {
        fputs_unlocked(va_arg(a->list, int) ? "true" : "false", f);
    } else if (kind == 'd') {
        int64_t v = wide ? va_arg(a->list, int64_t) : va_arg(a->list, int);
        put_decimal(f, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
    } else {
        uint64_t v = wide ? va_arg(a->list, uint64_t) : va_arg(a->list, unsigned);
        if (kind == 'x')
            fprintf(f, "\"0x%llx\"", (unsigned long long)v);
        else
            put_decimal(f, v, false);
    }
}

/* The value of a conversion that begins after its '%' and has n characters before its letter. */
static void put_conversion(FILE *f, const char *conversion, size_t n, struct arguments *a)
{
    char number[16] = "%";
    size_t most = SIZE_MAX;
    const char *text;

    switch (conversion[n]) {
    case 's':
        if (n)
            most = (size_t)va_arg(a->list, int); /* .* */
        text = va_arg(a->list, const char *);
        if (text)
            put_string(f, text, strnlen(text, most));
        else
            fputs_unlocked("null", f);
        break;
    case 'e':
    case 'f':
    case 'g':
        assert(n + 2 < sizeof number);
        memcpy(number + 1, conversion, n + 1);
        fprintf(f, number, va_arg(a->list, double));
        break;
    default:
        put_integer(f, conversion, n, a);
        break;
    }
}

/* A name or a value from its first character on; returns what follows it. */
static const char *put_word(struct json_put *j, const char *p, struct arguments *a)
{
    bool converts = *p == '%';
    size_t n = converts ? strcspn(++p, "sudxefg") : 0, length = converts ? n + 1 : strcspn(p, ":,]}\n ");
    bool names = p[length] == ':', quoted = names && (!converts || p[n] != 's');

    assert(length && (!converts || p[n]));
    put_between(j);
    if (quoted)
        putc_unlocked('"', j->f);
    if (converts)
        put_conversion(j->f, p, n, a);
    else
        fwrite_unlocked(p, 1, length, j->f);
    if (quoted)
        putc_unlocked('"', j->f);
    if (names)
        put_colon(j);
    return p + length + names;
}

/* A newline that is no bracket's: what comes next begins a line. */
static const char *put_newline(struct json_put *j, const char *p)
{
    j->blanks = (unsigned)strspn(p + 1, " ");
    if (j->depth)
        j->broken = true;
    else
        putc_unlocked('\n', j->f);
    return p + 1 + j->blanks;
}

void json_put(struct json_put *j, const char *format, ...)
{
    struct arguments a;

    va_start(a.list, format);
    for (const char *p = format; *p;)
        switch (*p) {
        case ' ':
        case ',':
            p++;
            break;
        case '\n':
            p = put_newline(j, p);
            break;
        case '{':
        case '[':
            put_open(j, *p, p[1] == '\n');
            p += p[1] == '\n' ? 2 : 1;
            break;
        case '}':
        case ']':
            put_close(j, *p++);
            break;
        default:
            p = put_word(j, p, &a);
            break;
        }
    va_end(a.list);
}

/* ---- paths ---- */

/* Components that two paths share from the beginning, the last one of either aside. */
static unsigned shared(const char *a, const char *b)
{
    unsigned n = 0;

    for (; *a && *a == *b; a++, b++)
        n += *a == '.';
    return n;
}

static void leave(struct json_paths *p, unsigned depth)
{
    for (; p->depth > depth; p->depth--)
        json_put(p->j, "}");
}

void json_put_path(struct json_paths *p, const char *path)
{
    leave(p, p->last ? shared(p->last, path) : 0);
    p->last = path;
    for (unsigned k = 0; k < p->depth; k++)
        path = strchr(path, '.') + 1;
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1, p->depth++)
        json_put(p->j, "%.*s: {\n", (int)(dot - path), path);
    json_put(p->j, "%s:", path);
}

void json_put_paths_end(struct json_paths *p)
{
    leave(p, 0);
    p->last = NULL;
}
