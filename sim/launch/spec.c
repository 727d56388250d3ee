/* Argument SPECs ("in:PATH", "u32:7"): parses the text of one kernel argument. */
#include "sim/launch/spec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/number.h"

static const char expected[] = "expected buf:BYTES, in:PATH, out:PATH:BYTES, inout:PATH:OUTPATH, "
                               "buffer:NAME, i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64:VALUE or bytes:HEX";
#define EXPECTED_SIZE(spec) "expected " spec ", BYTES being " NUMBER_BYTES_EXPECTED

uint16_t spec_half(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    double a = fabs(v);
    int exp;

    if (isnan(v))
        return sign | 0x7e00;
    if (a == 0)
        return sign;
    if (isinf(a))
        return sign | 0x7c00;
    frexp(a, &exp); /* a = m * 2^exp, m in [0.5, 1) */
    if (exp > 16)
        return sign | 0x7c00;
    if (exp < -13)
        exp = -13; /* subnormal: units of 2^-24 */
    /* eleven significant bits; rounding up may carry into the exponent, up to infinity */
    double units = nearbyint(ldexp(a, 11 - exp));
    return sign | (uint16_t)(((exp + 13) << 10) + (int)units);
}

static int parse_int(struct spec *s, const char *value, const char *text, struct err *e)
{
    unsigned bits = (unsigned)s->bytes * 8;
    bool is_signed = s->word[0] == 'i', negative = value[0] == '-';
    uint64_t magnitude, limit;

    if (!number_read(value + negative, NULL, UINT64_MAX, &magnitude))
        return err_set(e, ERR_USAGE, "'%s': '%s' is not an integer", text, value);
    limit = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (is_signed)
        limit = limit / 2 + negative;
    else if (negative && magnitude)
        limit = 0;
    if (magnitude > limit)
        return err_set(e, ERR_USAGE, "'%s': %s does not fit %s", text, value, s->word);
    uint64_t v = negative ? 0 - magnitude : magnitude;
    memcpy(s->value, &v, s->bytes);
    return 0;
}

static int parse_float(struct spec *s, const char *value, const char *text, struct err *e)
{
    char *end;
    double d = strtod(value, &end);

    if (end == value || *end || isspace((unsigned char)value[0]))
        return err_set(e, ERR_USAGE, "'%s': '%s' is not a number", text, value);
    if (s->bytes == 8) {
        memcpy(s->value, &d, 8);
    } else if (s->bytes == 4) {
        float f = strtof(value, NULL); /* from the text, so that it is rounded once */
        memcpy(s->value, &f, 4);
    } else {
        uint16_t h = spec_half(d);
        memcpy(s->value, &h, 2);
    }
    return 0;
}

static int hex_digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static int parse_bytes(struct spec *s, const char *hex, const char *text, struct err *e)
{
    s->data = malloc(strlen(hex) / 2 + 1);
    if (!s->data)
        return err_set(e, ERR_NOMEM, "out of host memory for '%.40s'", text);
    for (const char *p = hex; *p;) {
        if (*p == ' ' || *p == ',' || *p == '_') {
            p++;
            continue;
        }
        int hi = hex_digit(p[0]), lo = hi < 0 ? -1 : hex_digit(p[1]);
        if (lo < 0)
            return err_set(e, ERR_USAGE, "'%.80s': character %d of the bytes; expected pairs of hexadecimal digits",
                           text, (int)(p - hex) + 1);
        s->data[s->bytes++] = (uint8_t)(hi << 4 | lo);
        p += 2;
    }
    if (!s->bytes)
        return err_set(e, ERR_USAGE, "'%s': no bytes; expected pairs of hexadecimal digits", text);
    return 0;
}

static int parse_buffer(struct spec *s, const char *rest, const char *text, struct err *e)
{
    const char *colon = strrchr(rest, ':');

    switch (s->kind) {
    case SPEC_BUF:
        if (!number_bytes(rest, &s->bytes))
            return err_set(e, ERR_USAGE, "'%s': '%s' is not a size; " EXPECTED_SIZE("buf:BYTES"), text, rest);
        return 0;
    case SPEC_IN:
        if (!*rest)
            return err_set(e, ERR_USAGE, "'%s': no path; expected in:PATH", text);
        s->path = strdup(rest);
        return s->path ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
    case SPEC_NAMED:
        if (!*rest)
            return err_set(e, ERR_USAGE, "'%s': no name; expected buffer:NAME", text);
        s->buffer = strdup(rest);
        return s->buffer ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
    case SPEC_OUT:
        if (!colon || colon == rest)
            return err_set(e, ERR_USAGE, "'%s': expected out:PATH:BYTES", text);
        if (!number_bytes(colon + 1, &s->bytes))
            return err_set(e, ERR_USAGE, "'%s': '%s' is not a size; " EXPECTED_SIZE("out:PATH:BYTES"), text, colon + 1);
        s->out_path = strndup(rest, (size_t)(colon - rest));
        return s->out_path ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
    default:
        if (!colon || colon == rest || !colon[1])
            return err_set(e, ERR_USAGE, "'%s': expected inout:PATH:OUTPATH", text);
        s->path = strndup(rest, (size_t)(colon - rest));
        s->out_path = strdup(colon + 1);
        return s->path && s->out_path ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
    }
}

int spec_parse(struct spec *s, const char *text, struct err *e)
{
    static const struct {
        const char *word;
        enum spec_kind kind;
        uint8_t bytes;
    } words[] = {
        {"buffer", SPEC_NAMED, 0}, {"buf", SPEC_BUF, 0},   {"in", SPEC_IN, 0},     {"out", SPEC_OUT, 0},
        {"inout", SPEC_INOUT, 0},  {"i8", SPEC_INT, 1},    {"u8", SPEC_INT, 1},    {"i16", SPEC_INT, 2},
        {"u16", SPEC_INT, 2},      {"i32", SPEC_INT, 4},   {"u32", SPEC_INT, 4},   {"i64", SPEC_INT, 8},
        {"u64", SPEC_INT, 8},      {"f16", SPEC_FLOAT, 2}, {"f32", SPEC_FLOAT, 4}, {"f64", SPEC_FLOAT, 8},
        {"bytes", SPEC_BYTES, 0},
    };
    const char *colon = strchr(text, ':');

    *s = (struct spec){.kind = SPEC_BUF};
    for (size_t i = 0; colon && i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(colon - text) != n || memcmp(text, words[i].word, n) != 0)
            continue;
        s->kind = words[i].kind;
        s->bytes = words[i].bytes;
        memcpy(s->word, words[i].word, n + 1);
        if (s->kind == SPEC_INT)
            return parse_int(s, colon + 1, text, e);
        if (s->kind == SPEC_FLOAT)
            return parse_float(s, colon + 1, text, e);
        if (s->kind == SPEC_BYTES)
            return parse_bytes(s, colon + 1, text, e);
        return parse_buffer(s, colon + 1, text, e);
    }
    return err_set(e, ERR_USAGE, "'%.80s': %s", text, expected);
}

void spec_free(struct spec *s)
{
    free(s->data);
    free(s->path);
    free(s->out_path);
    free(s->buffer);
    *s = (struct spec){.kind = SPEC_BUF};
}
