/* Prints a profile as text for people and as JSON for programs, whole or the rows that patterns select. */
#include "config/rows.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_put.h"
#include "sim/util/text_stream.h"

enum { VALUE_BYTES = 40 };

/* The shortest form that reads back to the same number, with a point whatever the locale. */
static void number_text(char buf[VALUE_BYTES], double d)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buf, VALUE_BYTES, "%.*g", digits, d);
        if (strtod(buf, NULL) == d)
            break;
    }
    for (char *c = buf; *c; c++)
        if (*c == ',')
            *c = '.';
}

/* A row's value as text, in the buffer where it is no text of the profile's or the row's. */
static const char *value_text(const struct profile *p, const struct profile_row *row, char buf[VALUE_BYTES])
{
    const void *at = row_in(p, row);
    uint32_t u;
    double d;

    switch ((enum row_type)row->type) {
    case ROW_TEXT:
        return at;
    case ROW_F64:
        memcpy(&d, at, sizeof d);
        number_text(buf, d);
        return buf;
    case ROW_FLAG:
    case ROW_BOOL:
        return *(const bool *)at ? "true" : "false";
    case ROW_U32:
    case ROW_ENUM:
        break;
    }
    memcpy(&u, at, sizeof u);
    if (row->type == ROW_ENUM)
        return row->names[u];
    snprintf(buf, VALUE_BYTES, "%u", u);
    return buf;
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
 * last character or in what stands after it. */
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

static void print_text(FILE *f, const struct profile *p, const struct selection *s)
{
    char shown[160], buf[VALUE_BYTES];

    fprintf(f, "# %s: %s (%s)\n# path  value unit  [confidence: source]  meaning\n", p->name, p->chip, p->target);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *o = &p->origin[i];

        if (!is_selected(s, row))
            continue;
        snprintf(shown, sizeof shown, "%.100s%s%s", o->given || row->type <= ROW_FLAG ? value_text(p, row, buf) : "-",
                 o->given && row->unit ? " " : "", o->given && row->unit ? row->unit : "");
        fprintf(f, "%-42s %-24s ", row->path, shown);
        if (row->type <= ROW_FLAG)
            fprintf(f, " %s\n", row->about);
        else if (o->given)
            fprintf(f, " [%s: %s]  %s\n", profile_confidence_key[o->confidence], o->source, row->about);
        else
            fprintf(f, " [%s]  %s\n", row->need == NEED_NEVER ? "not given" : "not on this chip", row->about);
    }
}

static void json_value(struct json_put *j, const struct profile *p, const struct profile_row *row)
{
    char buf[VALUE_BYTES];
    const char *text = value_text(p, row, buf);

    if (row->type == ROW_TEXT || row->type == ROW_ENUM)
        json_put(j, "%s", text);
    else
        fputs(text, json_put_raw(j));
}

static void print_json(FILE *f, const struct profile *p, const struct selection *s)
{
    struct json_put j = {.f = f};
    struct json_paths paths = {.j = &j};

    json_put(&j, "{\n");
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *o = &p->origin[i];

        if (!o->given || !is_selected(s, row))
            continue;
        json_put_path(&paths, row->path);
        if (row->type <= ROW_FLAG) {
            json_value(&j, p, row);
            continue;
        }
        json_put(&j, "{value:");
        json_value(&j, p, row);
        if (row->unit)
            json_put(&j, "unit: %s", row->unit);
        json_put(&j, "confidence: %s, source: %s}", profile_confidence_key[o->confidence], o->source);
    }
    json_put_paths_end(&paths);
    json_put(&j, "\n}\n");
}

/* The row whose confidence claims less, the first of equal ones; a may be null. */
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
    struct text_stream t;

    *out = NULL;
    if (check_patterns(&s, p, e))
        return -1;
    if (text_stream_open(&t)) {
        (format == PROFILE_JSON ? print_json : print_text)(t.f, p, &s);
        *out = text_stream_close(&t);
    }
    return *out ? 0 : err_set(e, ERR_NOMEM, "%s: out of memory", p->name);
}
