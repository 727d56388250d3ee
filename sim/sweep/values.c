/* The axes of a sweep: lists, ranges and log ranges of values, alone or in pairs. */
#include "sim/sweep/values.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 4096,
    MAX_COLUMNS = 1024, /* each one is a column of the results, of which SQLite has 2000 */
};

int sweep_bad(const struct sweep_reader *r, const char *key, const char *expected)
{
    const char *dot = *r->where && *key ? "." : "";

    return err_set(r->e, ERR_FORMAT, "%s: %s%s%s%sexpected %s", r->s->path, r->where, dot, key,
                   *r->where || *key ? ": " : "", expected);
}

int sweep_unknown(const struct sweep_reader *r, const char *key, const char *known)
{
    return err_set(r->e, ERR_FORMAT, "%s: %s%s'%.80s' is no key; expected %s", r->s->path, r->where,
                   *r->where ? ": " : "", key, known);
}

int sweep_no_memory(const struct sweep_reader *r)
{
    return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->s->path);
}

const char *sweep_text(const struct sweep_reader *r, const struct json *v, const char *key)
{
    const char *text = json_text(v), *copy;

    if (!text || !*text || strlen(text) > MAX_TEXT) {
        sweep_bad(r, key, "a text of 1 to 4096 characters");
        return NULL;
    }
    copy = arena_text(&r->s->arena, text);
    if (!copy)
        sweep_no_memory(r);
    return copy;
}

int sweep_whole(const struct sweep_reader *r, const struct json *v, const char *key, uint64_t least, uint64_t most,
                uint64_t *out)
{
    char expected[80];

    if (json_whole(v, out) && *out >= least && *out <= most)
        return 0;
    snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64, least, most);
    return sweep_bad(r, key, expected);
}

bool sweep_is_word(const char *name)
{
    if (isdigit((unsigned char)*name))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return *name;
}

bool sweep_is_whole(double d)
{
    return d >= -0x1p53 && d <= 0x1p53 && d == floor(d);
}

/* ---- values ---- */

int sweep_shortest(char *out, size_t size, double d)
{
    int n = 0;

    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(out, size, "%.*g", digits, d);
        if (strtod(out, NULL) == d)
            break;
    }
    return n;
}

int sweep_number(char *out, size_t size, double d)
{
    return sweep_is_whole(d) ? snprintf(out, size, "%.0f", d) : sweep_shortest(out, size, d);
}

static int set_number(const struct sweep_reader *r, struct sweep_value *v, double d)
{
    char text[64];

    if (!isfinite(d))
        return sweep_bad(r, "values", "numbers that a double holds");
    d += 0.0; /* -0 is 0 */
    sweep_number(text, sizeof text, d);
    *v = (struct sweep_value){arena_text(&r->s->arena, text), d, true};
    return v->text ? 0 : sweep_no_memory(r);
}

static int read_value(const struct sweep_reader *r, const struct json *v, struct sweep_value *out)
{
    if (json_is_number(v))
        return set_number(r, out, json_number(v));
    if (json_is_boolean(v)) {
        *out = (struct sweep_value){json_is_true(v) ? "true" : "false", json_is_true(v), false};
        return 0;
    }
    if (!json_is_string(v))
        return sweep_bad(r, "values", "numbers, texts, true or false");
    out->text = sweep_text(r, v, "values");
    return out->text ? 0 : -1;
}

static int compare_values(const void *a, const void *b)
{
    return strcmp((*(const struct sweep_value *const *)a)->text, (*(const struct sweep_value *const *)b)->text);
}

/* Two points would be one. */
static int check_distinct(const struct sweep_reader *r, const struct sweep_value *value, size_t n)
{
    const struct sweep_value **sorted = malloc(n * sizeof *sorted);
    int rc = 0;

    if (!sorted)
        return sweep_no_memory(r);
    for (size_t k = 0; k < n; k++)
        sorted[k] = &value[k];
    qsort(sorted, n, sizeof *sorted, compare_values);
    for (size_t k = 1; k < n && !rc; k++)
        if (strcmp(sorted[k - 1]->text, sorted[k]->text) == 0)
            rc = err_set(r->e, ERR_FORMAT, "%s: %s.values: %.200s stands there twice; expected each value once",
                         r->s->path, r->where, sorted[k]->text);
    free(sorted);
    return rc;
}

static int read_list(const struct sweep_reader *r, const struct json *v, struct sweep_part *p, uint32_t *count)
{
    const struct json *value;
    size_t n = json_elements(v), k;

    if (!json_is_array(v))
        return sweep_bad(r, "values", "a list");
    if (!n)
        return sweep_bad(r, "values", "one value at least: an axis without values has no points");
    if (n > SWEEP_MAX_VALUES)
        return sweep_bad(r, "values", "at most 65535 values");
    p->value = ARENA_NEW(&r->s->arena, n, struct sweep_value);
    if (!p->value)
        return sweep_no_memory(r);
    json_each_element (v, k, value)
        if (read_value(r, value, &p->value[k]))
            return -1;
    *count = (uint32_t)n;
    return check_distinct(r, p->value, n);
}

struct range {
    double from, to, step, multiple;
    uint64_t count;
    bool has_from, has_to, log;
};

static int read_range_key(const struct sweep_reader *r, const char *key, const struct json *v, struct range *g)
{
    const char *scale = json_text(v);
    char name[24];

    if (strcmp(key, "count") == 0)
        return sweep_whole(r, v, "range.count", 1, SWEEP_MAX_VALUES, &g->count);
    if (strcmp(key, "scale") == 0) {
        if (!scale || (strcmp(scale, "linear") != 0 && strcmp(scale, "log") != 0))
            return sweep_bad(r, "range.scale", "\"linear\" or \"log\"");
        g->log = scale[1] == 'o';
        return 0;
    }
    double *to = strcmp(key, "from") == 0       ? &g->from
                 : strcmp(key, "to") == 0       ? &g->to
                 : strcmp(key, "step") == 0     ? &g->step
                 : strcmp(key, "multiple") == 0 ? &g->multiple
                                                : NULL;
    if (!to)
        return sweep_unknown(r, key, "from, to, step, count, scale or multiple");
    snprintf(name, sizeof name, "range.%s", key);
    if (!json_is_number(v))
        return sweep_bad(r, name, "a number");
    g->has_from |= to == &g->from;
    g->has_to |= to == &g->to;
    *to = json_number(v);
    return 0;
}

static int check_range(const struct sweep_reader *r, struct range *g)
{
    if (!g->has_from || !g->has_to)
        return sweep_bad(r, "range", "from and to");
    if (g->to < g->from)
        return sweep_bad(r, "range", "a range that goes up: to is below from");
    if (g->log && g->from <= 0)
        return sweep_bad(r, "range.from", "a number above 0, on a log scale");
    if (g->multiple < 0)
        return sweep_bad(r, "range.multiple", "a positive number");
    if ((g->step != 0) == (g->count != 0))
        return sweep_bad(r, "range", "one of step and count");
    if (g->step && (g->log ? g->step <= 1 : g->step <= 0))
        return sweep_bad(r, "range.step", g->log ? "a factor above 1" : "a positive number");
    if (g->step) {
        double n = g->log ? log(g->to / g->from) / log(g->step) : (g->to - g->from) / g->step;

        if (!(n < SWEEP_MAX_VALUES))
            return sweep_bad(r, "range", "at most 65535 values");
        g->count = (uint64_t)(n * (1 + 1e-12) + 1e-9) + 1;
    }
    return 0;
}

/* The k-th value. Ends of whole numbers make whole numbers. */
static double range_value(const struct range *g, uint64_t k)
{
    bool whole = g->from == floor(g->from) && (g->step ? g->step == floor(g->step) : g->to == floor(g->to));
    double v, part = g->count > 1 ? (double)k / (double)(g->count - 1) : 0;

    if (g->step)
        v = g->log ? g->from * pow(g->step, (double)k) : g->from + g->step * (double)k;
    else
        v = g->log ? g->from * pow(g->to / g->from, part) : g->from + (g->to - g->from) * part;
    if (g->multiple)
        return round(v / g->multiple) * g->multiple;
    return whole ? round(v) : v;
}

static int read_range(const struct sweep_reader *r, const struct json *v, struct sweep_part *p, uint32_t *count)
{
    struct range g = {0};
    const char *key;
    const struct json *value;

    if (!json_is_object(v))
        return sweep_bad(r, "range", "an object with from and to");
    json_each_member (v, key, value) {
        if (read_range_key(r, key, value, &g))
            return -1;
    }
    if (check_range(r, &g))
        return -1;
    p->value = ARENA_NEW(&r->s->arena, g.count, struct sweep_value);
    if (!p->value)
        return sweep_no_memory(r);
    *count = 0;
    for (uint64_t k = 0; k < g.count; k++) {
        double d = range_value(&g, k);

        /* rounding may have made two of them one */
        if (*count && p->value[*count - 1].number == d)
            continue;
        if (set_number(r, &p->value[*count], d))
            return -1;
        ++*count;
    }
    return 0;
}

/* ---- axes ---- */

static int name_part(const struct sweep_reader *r, const char *key, const struct json *v, struct sweep_part *p)
{
    char label[MAX_TEXT + 16], number[24];
    uint64_t n = 0;

    if (p->name)
        return sweep_bad(r, key, "one of set, parameter, argument and option");
    p->kind = strcmp(key, "set") == 0         ? SWEEP_SET
              : strcmp(key, "parameter") == 0 ? SWEEP_PARAMETER
              : strcmp(key, "argument") == 0  ? SWEEP_ARGUMENT
                                              : SWEEP_OPTION;
    if (p->kind == SWEEP_ARGUMENT) {
        if (sweep_whole(r, v, key, 0, 65535, &n))
            return -1;
        snprintf(number, sizeof number, "%" PRIu64, n);
        p->name = arena_text(&r->s->arena, number);
    } else if (!(p->name = sweep_text(r, v, key))) {
        return -1;
    }
    if (p->kind == SWEEP_PARAMETER && !sweep_is_word(p->name))
        return sweep_bad(r, key, "a name of letters, digits and _");
    if (p->kind == SWEEP_OPTION && *p->name == '-')
        return sweep_bad(r, key, "the name of an option without dashes");
    if (!p->name)
        return sweep_no_memory(r);
    snprintf(label, sizeof label, "%s%s",
             p->kind == SWEEP_ARGUMENT ? "argument."
             : p->kind == SWEEP_OPTION ? "option."
                                       : "",
             p->name);
    /* it names a column, in brackets */
    if (strpbrk(label, "[]\""))
        return sweep_bad(r, key, "a name without brackets and quotes");
    p->label = arena_text(&r->s->arena, label);
    return p->label ? 0 : sweep_no_memory(r);
}

static int read_part(const struct sweep_reader *r, const struct json *v, struct sweep_part *p, uint32_t *count)
{
    const char *key, *type = NULL;
    const struct json *value;
    int rc = 0;

    json_each_member (v, key, value) {
        if (strcmp(key, "set") == 0 || strcmp(key, "parameter") == 0 || strcmp(key, "argument") == 0 ||
            strcmp(key, "option") == 0)
            rc = name_part(r, key, value, p);
        else if ((strcmp(key, "values") == 0 || strcmp(key, "range") == 0) && p->value)
            rc = sweep_bad(r, key, "one of values and range");
        else if (strcmp(key, "values") == 0)
            rc = read_list(r, value, p, count);
        else if (strcmp(key, "range") == 0)
            rc = read_range(r, value, p, count);
        else if (strcmp(key, "type") == 0)
            rc = (type = sweep_text(r, value, key)) ? 0 : -1;
        else
            rc = sweep_unknown(r, key, "set, parameter, argument, option, values, range, type or paired");
        if (rc)
            return rc;
    }
    if (!p->name)
        return sweep_bad(r, "", "set, parameter, argument or option, which says what the axis changes");
    if (!p->value)
        return sweep_bad(r, "", "values or range");
    if (type && p->kind != SWEEP_ARGUMENT)
        return sweep_bad(r, "type", "none but beside argument");
    for (uint32_t k = 0; p->kind == SWEEP_ARGUMENT && k < *count && !type; k++)
        if (!strchr(p->value[k].text, ':'))
            return sweep_bad(r, "type", "the type of the argument's numbers (\"u32\"), or values that are SPECs");
    p->pattern = type;
    return 0;
}

static int read_axis(struct sweep_reader *r, const struct json *v, struct sweep_axis *a, size_t number)
{
    const struct json *paired = json_get(v, "paired");
    size_t parts = paired ? json_elements(paired) : 1;
    uint32_t count = 0;

    snprintf(r->where, sizeof r->where, "axes[%zu]", number);
    if (!json_is_object(v))
        return sweep_bad(r, "", "an object");
    if (paired && (json_members(v) != 1 || !parts || parts > SWEEP_MAX_AXES))
        return sweep_bad(r, "paired", "a list of axes that change in step, and no key beside it");
    a->part = ARENA_NEW(&r->s->arena, parts, struct sweep_part);
    if (!a->part)
        return sweep_no_memory(r);
    a->parts = (uint32_t)parts;
    for (size_t k = 0; k < parts; k++) {
        const struct json *of = paired ? json_at(paired, k) : v;

        if (paired)
            snprintf(r->where, sizeof r->where, "axes[%zu].paired[%zu]", number, k);
        if (!json_is_object(of))
            return sweep_bad(r, "", "an object");
        if (read_part(r, of, &a->part[k], &count))
            return -1;
        if (k && count != a->values)
            return err_set(r->e, ERR_FORMAT, "%s: %s: %u values, and %u in paired[0]; expected as many", r->s->path,
                           r->where, count, a->values);
        a->values = count;
    }
    return 0;
}

int sweep_read_axes(struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    size_t n = json_elements(v);

    if (!json_is_array(v) || n > SWEEP_MAX_AXES)
        return sweep_bad(r, "axes", "a list of at most 64 axes");
    s->axis = ARENA_NEW(&s->arena, n + 1, struct sweep_axis);
    if (!s->axis)
        return sweep_no_memory(r);
    for (size_t k = 0; k < n; k++) {
        if (read_axis(r, json_at(v, k), &s->axis[k], k))
            return -1;
        s->axes++;
    }
    *r->where = 0;
    return sweep_columns(s) <= MAX_COLUMNS ? 0 : sweep_bad(r, "axes", "at most 1024 things that change");
}
