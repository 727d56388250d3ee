/* Variables of a loaded code object: texts that set them, and texts that say how they are shown. */
#define _GNU_SOURCE
#include "sim/launch/symbols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/launch/files.h"
#include "sim/loader/demangle.h"
#include "sim/util/input.h"
#include "sim/util/nearest.h"

/* ---- names ---- */

/* The variable that is near in name, or else the first ones. */
static void suggest(const struct code_object *co, const char *name, char *text, size_t size)
{
    unsigned least = UINT32_MAX, shown = 0;
    size_t at = 0;

    snprintf(text, size, "there are none");
    for (unsigned i = 0; i < code_object_symbol_count(co); i++) {
        const struct co_symbol *s = code_object_symbol(co, i);
        unsigned d = s->kind == CO_SYMBOL_DATA ? nearest_distance(name, s->name) : least;

        if (d < least && nearest_is_near(name, s->name, d)) {
            least = d;
            snprintf(text, size, "did you mean %.100s?", s->name);
        }
    }
    for (unsigned i = 0; least == UINT32_MAX && i < code_object_symbol_count(co); i++) {
        const struct co_symbol *s = code_object_symbol(co, i);

        if (s->kind != CO_SYMBOL_DATA)
            continue;
        if (shown == 6 || at + strlen(s->name) + 24 > size) {
            snprintf(text + at, size - at, " ...");
            return;
        }
        at += (size_t)snprintf(text + at, size - at, "%s%s", shown++ ? ", " : "variables: ", s->name);
    }
}

static bool is_plain_name(const char *mangled, const char *name)
{
    char *plain = demangle(mangled);
    bool same = plain && strcmp(plain, name) == 0;

    free(plain);
    return same;
}

/* Fills name, address and size. */
static int find(struct launch_symbol *out, const struct code_object *co, const char *name, struct err *e)
{
    const struct co_symbol *found = code_object_find_symbol(co, name);
    unsigned plain = 0;
    bool same = found != NULL;
    char text[400];

    for (unsigned i = 0; !same && i < code_object_symbol_count(co); i++) {
        const struct co_symbol *s = code_object_symbol(co, i);

        if (s->kind == CO_SYMBOL_DATA && is_plain_name(s->name, name) && plain++ == 0)
            found = s;
    }
    if (plain > 1)
        return err_set(e, ERR_USAGE, "symbol '%.100s': %u variables are called so; expected one by its symbol", name,
                       plain);
    if (!found) {
        suggest(co, name, text, sizeof text);
        return err_set(e, ERR_USAGE, "symbol '%.100s': %s has none of that name; %s", name, code_object_name(co), text);
    }
    if (found->kind != CO_SYMBOL_DATA)
        return err_set(e, ERR_USAGE, "symbol '%.100s' is %s; expected a variable", name,
                       found->kind == CO_SYMBOL_DESCRIPTOR ? "a kernel descriptor"
                       : found->kind == CO_SYMBOL_FUNCTION ? "a function"
                       : found->kind == CO_SYMBOL_ABSOLUTE ? "a number"
                                                           : "a label");
    if (!found->size)
        return err_set(e, ERR_USAGE, "symbol '%.100s' states no size", name);
    out->name = found->name;
    out->vaddr = found->vaddr;
    out->bytes = found->size;
    return 0;
}

/* ---- to set ---- */

const char *launch_symbol_value(const char *text)
{
    const char *equals = strchr(text, '=');

    return equals ? equals + 1 : NULL;
}

static int wrong_size(const struct launch_symbol *s, uint64_t bytes, struct err *e)
{
    return err_set(e, ERR_USAGE, "symbol '%.100s' has %llu bytes, %llu are given", s->name,
                   (unsigned long long)s->bytes, (unsigned long long)bytes);
}

static int read_value(struct launch_symbol *s, const struct spec *spec, const char *directory, struct err *e)
{
    size_t size;

    s->path = launch_path(directory, spec->path);
    if (!s->path)
        return err_set(e, ERR_NOMEM, "out of host memory");
    if (input_read(s->path, s->bytes, &s->value, &size, e))
        return err_prefix(e, "symbol '%.100s': %s", s->name, s->path);
    return size == s->bytes ? 0 : wrong_size(s, size, e);
}

static int find_address(const struct launch_args *shared, const char *name, uint64_t *address, struct err *e)
{
    for (size_t i = 0; shared && i < shared->count; i++)
        if (strcmp(shared->arg[i].spec.buffer, name) == 0) {
            *address = shared->arg[i].address;
            return 0;
        }
    return err_set(e, ERR_USAGE, "there is no buffer '%.60s'", name);
}

static int take_value(struct launch_symbol *s, const struct spec *spec, const char *directory,
                      const struct launch_args *shared, struct err *e)
{
    const uint8_t *from = spec->kind == SPEC_BYTES ? spec->data : spec->value;
    uint64_t address, size = spec->bytes;

    switch (spec->kind) {
    case SPEC_IN:
        return read_value(s, spec, directory, e);
    case SPEC_NAMED:
        if (find_address(shared, spec->buffer, &address, e))
            return -1;
        from = (const uint8_t *)&address;
        size = sizeof address;
        break;
    case SPEC_INT:
    case SPEC_FLOAT:
    case SPEC_BYTES:
        break;
    default:
        return err_set(e, ERR_USAGE, "symbol '%.100s': %s:; expected a number, bytes:HEX, in:PATH or buffer:NAME",
                       s->name, spec->word);
    }
    if (size != s->bytes)
        return wrong_size(s, size, e);
    s->value = malloc(size);
    if (!s->value)
        return err_set(e, ERR_NOMEM, "out of host memory");
    memcpy(s->value, from, size);
    return 0;
}

int launch_symbol_parse_set(struct launch_symbol *s, const struct code_object *co, const char *text,
                            const char *directory, const struct launch_args *shared, struct err *e)
{
    const char *value = launch_symbol_value(text);
    struct spec spec = {0};

    *s = (struct launch_symbol){0};
    if (!value)
        return err_set(e, ERR_USAGE, "'%.100s': expected SYMBOL=SPEC", text);
    char *name = strndup(text, (size_t)(value - 1 - text));
    if (!name)
        return err_set(e, ERR_NOMEM, "out of host memory");
    int failed = find(s, co, name, e);
    if (!failed && spec_parse(&spec, value, e))
        failed = err_prefix(e, "symbol '%.100s'", name);
    failed = failed || take_value(s, &spec, directory, shared, e);
    spec_free(&spec);
    free(name);
    return failed ? -1 : 0;
}

/* ---- to read ---- */

static const struct {
    const char *word;
    uint8_t bytes;
    char kind; /* 'i', 'u', 'f' */
} types[] = {{"i8", 1, 'i'},  {"u8", 1, 'u'},  {"i16", 2, 'i'}, {"u16", 2, 'u'}, {"i32", 4, 'i'}, {"u32", 4, 'u'},
             {"i64", 8, 'i'}, {"u64", 8, 'u'}, {"f16", 2, 'f'}, {"f32", 4, 'f'}, {"f64", 8, 'f'}};

enum { TYPES = sizeof types / sizeof types[0] };

static unsigned find_type(const char *word)
{
    unsigned k = 0;

    while (k < TYPES && strcmp(types[k].word, word) != 0)
        k++;
    return k;
}

/* Cuts TYPE and COUNT off a name, which may have colons itself ("ns::x"). */
static int cut_type(struct launch_symbol *s, char *name, struct err *e)
{
    char *last = strrchr(name, ':'), *end;
    const char *digits = NULL;

    if (last && last[1] >= '0' && last[1] <= '9') {
        digits = last + 1;
        *last = 0;
        last = strrchr(name, ':');
        if (!last || find_type(last + 1) == TYPES)
            return err_set(e, ERR_USAGE, "'%.100s:%.20s': a count without a type; expected SYMBOL:TYPE:COUNT", name,
                           digits);
    }
    unsigned type = last ? find_type(last + 1) : TYPES;
    if (last && type == TYPES && (last == name || last[-1] != ':'))
        return err_set(e, ERR_USAGE, "'%.100s': '%.20s' is no type; expected i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64",
                       name, last + 1);
    if (type == TYPES)
        return 0;
    strcpy(s->type, types[type].word);
    *last = 0;
    if (!digits)
        return 0;
    s->count = strtoull(digits, &end, 10);
    if (*end || !s->count)
        return err_set(e, ERR_USAGE, "'%.100s': '%.20s' is no count", name, digits);
    return 0;
}

/* Checks type and count against the variable; a count that is not given is the whole of it. */
static int check_count(struct launch_symbol *s, struct err *e)
{
    unsigned width = s->type[0] ? types[find_type(s->type)].bytes : 1;

    if (!s->count && s->bytes % width)
        return err_set(e, ERR_USAGE,
                       "symbol '%.100s' has %llu bytes, which are no whole number of %s; expected a count", s->name,
                       (unsigned long long)s->bytes, s->type);
    if (!s->count)
        s->count = s->bytes / width;
    if (s->count > s->bytes / width)
        return err_set(e, ERR_USAGE, "symbol '%.100s' has %llu bytes, less than %llu %s", s->name,
                       (unsigned long long)s->bytes, (unsigned long long)s->count, s->type);
    s->bytes = s->count * width;
    return 0;
}

int launch_symbol_parse_read(struct launch_symbol *s, const struct code_object *co, const char *text,
                             const char *directory, struct err *e)
{
    const char *path = launch_symbol_value(text);
    int failed = 0;

    *s = (struct launch_symbol){0};
    char *name = strndup(text, path ? (size_t)(path - 1 - text) : strlen(text));
    if (!name)
        return err_set(e, ERR_NOMEM, "out of host memory");
    if (path && !*path)
        failed = err_set(e, ERR_USAGE, "'%.100s': no path; expected SYMBOL[:TYPE[:COUNT]][=PATH]", text);
    failed = failed || cut_type(s, name, e) || find(s, co, name, e) || check_count(s, e);
    if (!failed && path && !(s->path = launch_path(directory, path)))
        failed = err_set(e, ERR_NOMEM, "out of host memory");
    free(name);
    return failed ? -1 : 0;
}

void launch_symbol_free(struct launch_symbol *s)
{
    free(s->value);
    free(s->path);
    *s = (struct launch_symbol){0};
}

/* ---- as text ---- */

static double half_value(uint16_t h)
{
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    double v = exponent == 31 ? (mantissa ? NAN : INFINITY)
               : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                              : ldexp(mantissa, -24);

    return h >> 15 ? -v : v;
}

static void put_value(FILE *f, unsigned type, const uint8_t *at)
{
    uint64_t v = 0;
    unsigned bits = types[type].bytes * 8;
    double d;
    float s;

    memcpy(&v, at, types[type].bytes);
    if (types[type].kind == 'u') {
        fprintf(f, " %llu", (unsigned long long)v);
    } else if (types[type].kind == 'i') {
        fprintf(f, " %lld", (long long)(int64_t)(v << (64 - bits)) >> (64 - bits));
    } else if (bits == 16) {
        fprintf(f, " %.5g", half_value((uint16_t)v));
    } else if (bits == 32) {
        memcpy(&s, at, 4);
        fprintf(f, " %.9g", (double)s);
    } else {
        memcpy(&d, at, 8);
        fprintf(f, " %.17g", d);
    }
}

char *launch_symbol_text(const struct launch_symbol *s, const uint8_t *bytes)
{
    unsigned type = s->type[0] ? find_type(s->type) : TYPES, per_line = type == TYPES ? 32 : 8;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    fprintf(f, "symbol %s: %llu %s\n", s->name, (unsigned long long)s->count, type == TYPES ? "bytes" : s->type);
    for (uint64_t k = 0; k < s->count; k++) {
        if (k % per_line == 0)
            fprintf(f, "  %6llu ", (unsigned long long)k);
        if (type == TYPES)
            fprintf(f, "%s%02x", k % 4 ? "" : " ", bytes[k]);
        else
            put_value(f, type, bytes + k * types[type].bytes);
        if (k % per_line == per_line - 1 || k + 1 == s->count)
            fputc('\n', f);
    }
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
