/* Prints a profile as text for people and as JSON for programs, whole or the rows that patterns select. */
#include "config/rows.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string that grows; after the host ran out of memory it stays null and swallows everything. */
struct text {
    char *s;
    size_t used, capacity;
    bool full; /* there was no memory for more */
};

static void put_bytes(struct text *t, const char *s, size_t n)
{
    if (!t->full && t->used + n + 1 > t->capacity) {
        size_t capacity = (t->used + n + 1) * 2;
        char *more = realloc(t->s, capacity);

        t->full = !more;
        t->s = more ? more : t->s;
        t->capacity = more ? capacity : t->capacity;
    }
    if (t->full)
        return;
    memcpy(t->s + t->used, s, n);
    t->used += n;
    t->s[t->used] = 0;
}

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *fmt, ...)
{
    char buf[512], *s = buf;
    va_list ap, again;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof buf && (s = malloc((size_t)n + 1)))
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    if (n >= 0 && s)
        put_bytes(t, s, (size_t)n);
    t->full |= !s;
    if (s != buf)
        free(s);
}

static void put_string(struct text *t, const char *s)
{
    put_bytes(t, "\"", 1);
    while (*s) {
        size_t plain = strcspn(s, "\"\\");

        put_bytes(t, s, plain);
        s += plain;
        if (*s) {
            put_bytes(t, "\\", 1);
            put_bytes(t, s++, 1);
        }
    }
    put_bytes(t, "\"", 1);
}

/* The shortest form that reads back to the same number, with a point whatever the locale. */
static void put_number(struct text *t, double d)
{
    char buf[40];

    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, d);
        if (strtod(buf, NULL) == d)
            break;
    }
    for (char *c = buf; *c; c++)
        if (*c == ',')
            *c = '.';
    put(t, "%s", buf);
}

static void put_value(struct text *t, const struct profile *p, const struct profile_row *row, bool json)
{
    uint32_t u;
    double d;
    bool b;

    switch ((enum row_type)row->type) {
    case ROW_TEXT:
        if (json)
            put_string(t, row_in(p, row));
        else
            put(t, "%s", (const char *)row_in(p, row));
        break;
    case ROW_U32:
        memcpy(&u, row_in(p, row), sizeof u);
        put(t, "%u", u);
        break;
    case ROW_F64:
        memcpy(&d, row_in(p, row), sizeof d);
        put_number(t, d);
        break;
    case ROW_FLAG:
    case ROW_BOOL:
        memcpy(&b, row_in(p, row), sizeof b);
        put(t, "%s", b ? "true" : "false");
        break;
    case ROW_ENUM:
        memcpy(&u, row_in(p, row), sizeof u);
        put(t, json ? "\"%s\"" : "%s", row->names[u]);
        break;
    }
}

/* The rows to print; no patterns: all. */
struct selection {
    const char *const *patterns;
    size_t count;
};

/* The characters of a pattern that stand for themselves, up to its first wildcard. */
static size_t plain_length(const char *pattern)
{
    return strcspn(pattern, "*?[\\");
}

/* A group stands for all rows in it. `plain` is the pattern's plain_length(): most rows differ there already, in its
 * last character or in what stands behind it. */
static bool matches(const struct profile_row *row, const char *pattern, size_t plain)
{
    char group[128];

    if (row->path_length < plain || (plain && row->path[plain - 1] != pattern[plain - 1]))
        return false;
    if (!pattern[plain] && row->path[plain] && row->path[plain] != '.')
        return false;
    if (memcmp(row->path, pattern, plain) != 0)
        return false;
    if (!pattern[plain])
        return true;
    snprintf(group, sizeof group, "%.120s.*", pattern);
    return fnmatch(pattern, row->path, 0) == 0 || fnmatch(group, row->path, 0) == 0;
}

static bool is_selected(const struct selection *s, const struct profile_row *row)
{
    for (size_t i = 0; i < s->count; i++)
        if (matches(row, s->patterns[i], plain_length(s->patterns[i])))
            return true;
    return !s->count;
}

static int check_patterns(const struct selection *s, const struct profile *p, struct err *e)
{
    char hint[PROFILE_HINT];

    for (size_t i = 0; i < s->count; i++) {
        size_t k = 0, plain = plain_length(s->patterns[i]);

        while (k < profile_row_count && !matches(&profile_rows[k], s->patterns[i], plain))
            k++;
        if (k == profile_row_count)
            return err_set(e, ERR_USAGE,
                           "%s: no figure matches \"%.100s\"%s; expected paths, groups or patterns such "
                           "as 'cache.*'",
                           p->name, s->patterns[i], profile_hint(s->patterns[i], false, hint));
    }
    return 0;
}

static void print_text(struct text *t, const struct profile *p, const struct selection *s)
{
    char shown[160];

    put(t, "# %s: %s (%s)\n# path  value unit  [confidence: source]  meaning\n", p->name, p->chip, p->target);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *o = &p->origin[i];
        struct text value = {0};

        if (!is_selected(s, row))
            continue;
        if (o->given || row->type <= ROW_FLAG)
            put_value(&value, p, row, false);
        else
            put(&value, "-");
        t->full |= value.full;
        snprintf(shown, sizeof shown, "%.100s%s%s", value.s ? value.s : "", o->given && row->unit ? " " : "",
                 o->given && row->unit ? row->unit : "");
        free(value.s);
        put(t, "%-42s %-24s ", row->path, shown);
        if (row->type <= ROW_FLAG)
            put(t, " %s\n", row->about);
        else if (o->given)
            put(t, " [%s: %s]  %s\n", profile_confidence_key[o->confidence], o->source, row->about);
        else
            put(t, " [%s]  %s\n", row->need == NEED_NEVER ? "not given" : "not on this chip", row->about);
    }
}

/* Leaves the groups of `from` that `to` is not in and enters those of `to`: two paths such as "cu.simds". Returns
 * the depth of groups at `to`. */
static int change_group(struct text *t, const char *from, const char *to, bool *first)
{
    int common = 0, depth = 0;
    size_t same = 0;
    const char *c;

    /* groups both share: dots before the first difference */
    for (same = 0; from[same] && from[same] == to[same]; same++)
        if (from[same] == '.')
            common++;
    for (c = from; (c = strchr(c, '.')); c++)
        depth++;
    for (; depth > common; depth--) {
        put(t, "\n%*s}", 2 * depth, "");
        *first = false;
    }
    int seen = 0;
    for (const char *start = to; (c = strchr(start, '.')); start = c + 1) {
        if (seen++ < common)
            continue;
        put(t, "%s\n%*s\"%.*s\": {", *first ? "" : ",", 2 * seen, "", (int)(c - start), start);
        *first = true;
        depth = seen;
    }
    return depth;
}

static void print_json(struct text *t, const struct profile *p, const struct selection *s)
{
    const char *at = "";
    bool first = true;

    put(t, "{");
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *o = &p->origin[i];
        if (!o->given || !is_selected(s, row))
            continue;
        int depth = change_group(t, at, row->path, &first);
        const char *key = strrchr(row->path, '.');
        put(t, "%s\n%*s\"%s\": ", first ? "" : ",", 2 * depth + 2, "", key ? key + 1 : row->path);
        first = false;
        at = row->path;
        if (row->type <= ROW_FLAG) {
            put_value(t, p, row, true);
            continue;
        }
        put(t, "{\"value\": ");
        put_value(t, p, row, true);
        if (row->unit)
            put(t, ", \"unit\": \"%s\"", row->unit);
        put(t, ", \"confidence\": \"%s\", \"source\": ", profile_confidence_key[o->confidence]);
        put_string(t, o->source);
        put(t, "}");
    }
    change_group(t, at, "", &first);
    put(t, "\n}\n");
}

/* Of two rows, the first of which may be null, the one whose confidence claims less; of equal ones that which stands
 * first. */
static const struct profile_row *less_sure(const struct profile *p, const struct profile_row *a,
                                           const struct profile_row *b)
{
    int more = a ? row_origin(p, b)->confidence - row_origin(p, a)->confidence : 1;

    if (!row_origin(p, b)->given || b->type <= ROW_FLAG)
        return a;
    return more > 0 || (more == 0 && b < a) ? b : a;
}

const char *profile_least_sure(const struct profile *p, size_t count, const char *const *patterns,
                               enum profile_confidence *confidence)
{
    const struct profile_row *least = NULL;

    for (size_t k = 0; k < count; k++) {
        const struct profile_row *exact = profile_row_find(patterns[k]); /* mostly: every timed run asks often */
        size_t from = exact ? (size_t)(exact - profile_rows) : 0, end = exact ? from + 1 : profile_row_count;
        size_t plain = exact ? 0 : plain_length(patterns[k]);

        for (size_t i = from; i < end; i++)
            if (exact || matches(&profile_rows[i], patterns[k], plain))
                least = less_sure(p, least, &profile_rows[i]);
    }
    if (least)
        *confidence = (enum profile_confidence)row_origin(p, least)->confidence;
    return least ? least->path : NULL;
}

int profile_print(const struct profile *p, enum profile_format format, char **out, struct err *e)
{
    return profile_print_matching(p, 0, NULL, format, out, e);
}

int profile_print_matching(const struct profile *p, size_t count, const char *const *patterns,
                           enum profile_format format, char **out, struct err *e)
{
    struct selection s = {patterns, count};
    struct text t = {0};

    *out = NULL;
    if (check_patterns(&s, p, e))
        return -1;
    if (format == PROFILE_JSON)
        print_json(&t, p, &s);
    else
        print_text(&t, p, &s);
    if (t.full) {
        free(t.s);
        return err_set(e, ERR_NOMEM, "%s: out of memory", p->name);
    }
    *out = t.s;
    return 0;
}
