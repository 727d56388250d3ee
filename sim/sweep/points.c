/* The points of a sweep: full factorial or Latin hypercube, through the filters. */
#define _GNU_SOURCE
#include "sim/sweep/points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/expr.h"

enum {
    MAX_CANDIDATES = 10000000, /* looked at one by one where the spec asks for fewer points */
    MAX_FIGURES = 1024,
    DRAWS = 64, /* of a hypercube, when filters take points away */
    MAX_DEFINITIONS = 256,
};

/* Names of expressions are numbered: launch, profile, columns, definitions, figures. */
enum { NAME_LAUNCH, NAME_PROFILE, NAME_COLUMNS };

struct sweep_points {
    const struct sweep_spec *s;
    uint32_t columns;
    uint16_t *digit; /* launch, profile and the value of each axis, of each point */
    size_t digits;   /* of a point */
    uint64_t count, room, filtered, missing;

    struct sweep_expr *define[MAX_DEFINITIONS], *filter[MAX_DEFINITIONS];
    const char *figure[MAX_FIGURES]; /* that expressions name and no axis has */
    uint32_t figures;
    double *figure_value; /* of each profile */
    struct gcnsim **profile;
    char word[64];

    /* while expressions are evaluated: of which candidate, and what its definitions came to */
    const uint16_t *at;
    uint64_t turn; /* one for each candidate */
    uint32_t depth;
    struct known {
        uint64_t turn;
        bool has;
        struct sweep_operand value;
    } known[MAX_DEFINITIONS];
};

/* ---- values ---- */

static const struct sweep_value *value_at(const struct sweep_points *p, const uint16_t *digit, uint32_t column)
{
    uint32_t axis;
    const struct sweep_part *part = sweep_column(p->s, column, &axis);

    return &part->value[digit[2 + axis]];
}

uint64_t sweep_points_count(const struct sweep_points *p)
{
    return p->count;
}

uint64_t sweep_points_filtered(const struct sweep_points *p)
{
    return p->filtered;
}

uint64_t sweep_points_missing(const struct sweep_points *p)
{
    return p->missing;
}

static const uint16_t *digits_of(const struct sweep_points *p, uint64_t point)
{
    return &p->digit[point * p->digits];
}

const struct sweep_launch *sweep_point_launch(const struct sweep_points *p, uint64_t point)
{
    return &p->s->launch[digits_of(p, point)[0]];
}

const char *sweep_point_profile(const struct sweep_points *p, uint64_t point)
{
    return p->s->profile[digits_of(p, point)[1]];
}

const struct sweep_value *sweep_point_value(const struct sweep_points *p, uint64_t point, uint32_t column)
{
    return value_at(p, digits_of(p, point), column);
}

/* ---- names in expressions ---- */

static double figure_of(const struct sweep_points *p, uint32_t profile, uint32_t figure)
{
    return p->figure_value[(size_t)figure * p->s->profiles + profile];
}

/* A figure of the profiles: one that all of them have. */
static bool find_figure(struct sweep_points *p, const char *name, uint32_t *number)
{
    const struct sweep_spec *s = p->s;
    uint32_t f = 0;

    while (f < p->figures && strcmp(p->figure[f], name) != 0)
        f++;
    *number = NAME_COLUMNS + p->columns + s->defines + f;
    if (f < p->figures)
        return true;
    if (f == MAX_FIGURES || !p->figure_value || !strchr(name, '.'))
        return false;
    for (uint32_t k = 0; k < s->profiles; k++)
        if (!p->profile[k] || gcnsim_profile_number(p->profile[k], name, &p->figure_value[(size_t)f * s->profiles + k]))
            return false;
    p->figure[f] = arena_text((struct arena *)&s->arena, name);
    p->figures += p->figure[f] != NULL;
    return p->figure[f] != NULL;
}

static bool find_name(void *ctx, const char *name, uint32_t *number)
{
    struct sweep_points *p = ctx;
    const struct sweep_spec *s = p->s;
    uint32_t axis;

    if (strcmp(name, "launch") == 0 || strcmp(name, "profile") == 0) {
        *number = *name == 'l' ? NAME_LAUNCH : NAME_PROFILE;
        return true;
    }
    for (uint32_t c = 0; c < p->columns; c++)
        if (strcmp(sweep_column(s, c, &axis)->label, name) == 0) {
            *number = NAME_COLUMNS + c;
            return true;
        }
    for (uint32_t d = 0; d < p->depth; d++)
        if (strcmp(s->define[d].name, name) == 0) {
            *number = NAME_COLUMNS + p->columns + d;
            return true;
        }
    return find_figure(p, name, number);
}

/* A definition is evaluated once for each candidate, however many others name it. */
static bool value_of(void *ctx, uint32_t number, struct sweep_operand *v);
static bool definition_of(struct sweep_points *p, uint32_t define, struct sweep_operand *v)
{
    struct known *k = &p->known[define];

    if (k->turn != p->turn) {
        k->has = sweep_expr_eval(p->define[define], value_of, p, &k->value.number, &k->value.text) == 0;
        k->turn = p->turn;
    }
    *v = k->value;
    return k->has;
}

static void look_at(struct sweep_points *p, const uint16_t *digit)
{
    p->at = digit;
    p->turn++;
}

static bool value_of(void *ctx, uint32_t number, struct sweep_operand *v)
{
    struct sweep_points *p = ctx;
    const struct sweep_spec *s = p->s;
    const struct sweep_value *of;

    if (number == NAME_LAUNCH || number == NAME_PROFILE) {
        v->text = number == NAME_LAUNCH ? s->launch[p->at[0]].name : s->profile[p->at[1]];
        return v->text != NULL;
    }
    number -= NAME_COLUMNS;
    if (number < p->columns) {
        of = value_at(p, p->at, number);
        v->text = of->is_number ? NULL : of->text;
        v->number = of->number;
        return true;
    }
    number -= p->columns;
    if (number < s->defines)
        return definition_of(p, number, v);
    v->number = figure_of(p, p->at[1], number - s->defines);
    return true;
}

static int make_expressions(struct sweep_points *p, struct err *e)
{
    const struct sweep_spec *s = p->s;

    for (p->depth = 0; p->depth < s->defines; p->depth++) /* those before it are known to it */
        if (sweep_expr_new(&p->define[p->depth], s->define[p->depth].expression, find_name, p, e))
            return err_prefix(e, "%s: define: %s", s->path, s->define[p->depth].name);
    for (uint32_t f = 0; f < s->filters; f++)
        if (sweep_expr_new(&p->filter[f], s->filter[f], find_name, p, e))
            return err_prefix(e, "%s: filters[%u]", s->path, f);
    return 0;
}

const char *sweep_point_word(struct sweep_points *p, uint64_t point, const char *name)
{
    struct sweep_operand v = {0};
    const struct sweep_value *of;
    uint32_t number, axis;

    for (uint32_t c = 0; c < p->columns; c++) {
        const struct sweep_part *part = sweep_column(p->s, c, &axis);

        if (part->kind == SWEEP_PARAMETER && strcmp(part->name, name) == 0) {
            of = sweep_point_value(p, point, c);
            return of->text;
        }
    }
    look_at(p, digits_of(p, point));
    number = 0;
    while (number < p->s->defines && strcmp(p->s->define[number].name, name) != 0)
        number++;
    if (number == p->s->defines || !value_of(p, NAME_COLUMNS + p->columns + number, &v))
        return NULL;
    if (v.text)
        return v.text;
    sweep_number(p->word, sizeof p->word, v.number);
    return p->word;
}

/* ---- profiles ---- */

/* A profile by its name, or by a path that begins in the folder of the spec, as it does for the runs. */
static int open_profile(struct gcnsim **out, const struct sweep_spec *s, const char *name, struct gcnsim_error *error)
{
    char *path = NULL;
    int rc;

    if (*name != '/' && asprintf(&path, "%s/%s", s->folder, name) < 0)
        path = NULL;
    rc = gcnsim_open(out, path && access(path, F_OK) == 0 ? path : name, error);
    free(path);
    return rc;
}

static int open_profiles(struct sweep_points *p, struct err *e)
{
    const struct sweep_spec *s = p->s;
    struct gcnsim_error error = {0};

    p->profile = calloc(s->profiles, sizeof *p->profile);
    if (!p->profile)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", s->path);
    if (!s->profile[0])
        return 0;
    p->figure_value = calloc((size_t)MAX_FIGURES * s->profiles, sizeof *p->figure_value);
    if (!p->figure_value)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", s->path);
    for (uint32_t k = 0; k < s->profiles; k++)
        if (open_profile(&p->profile[k], s, s->profile[k], &error) != GCNSIM_OK)
            return err_set(e, ERR_FORMAT, "%s: profiles[%u]: %.500s", s->path, k, error.text);
    return 0;
}

static bool has_figure(struct gcnsim *profile, const struct sweep_part *part, struct gcnsim_error *error)
{
    double unused;

    return gcnsim_profile_number(profile, part->name, &unused) == 0 ||
           gcnsim_set(profile, part->name, part->value[0].text, error) == GCNSIM_OK;
}

/* Where the launches choose their profiles, a figure is one that some chip has. */
static bool some_chip_has(const struct sweep_part *part, struct gcnsim_error *first)
{
    struct gcnsim_profile_info info;
    bool has = false;

    for (uint32_t k = 0; !has && gcnsim_profile_list(k, &info) == 0; k++) {
        struct gcnsim_error error = {0};
        struct gcnsim *profile;

        if (!info.is_default || gcnsim_open(&profile, info.name, &error) != GCNSIM_OK)
            continue;
        has = has_figure(profile, part, &error);
        if (!*first->text)
            *first = error;
        gcnsim_close(profile);
    }
    return has;
}

/* Each figure that an axis sets is one of every profile. Whether its values are possible depends on the others, so each
 * run finds that out. */
static int check_figures(const struct sweep_points *p, struct err *e)
{
    const struct sweep_spec *s = p->s;
    struct gcnsim_error error = {0};
    uint32_t axis;

    for (uint32_t c = 0; c < p->columns; c++) {
        const struct sweep_part *part = sweep_column(s, c, &axis);

        if (part->kind != SWEEP_SET)
            continue;
        if (!p->profile[0] && !some_chip_has(part, &error))
            return err_set(e, ERR_FORMAT, "%s: axes[%u]: %.400s", s->path, axis, error.text);
        for (uint32_t k = 0; k < s->profiles && p->profile[k]; k++)
            if (!has_figure(p->profile[k], part, &error))
                return err_set(e, ERR_FORMAT, "%s: axes[%u]: profile %s: %.400s", s->path, axis, s->profile[k],
                               error.text);
    }
    return 0;
}

/* ---- which ---- */

/* Whether the filters let a candidate through. One that has no value is not let through. */
static bool passes(struct sweep_points *p, const uint16_t *digit)
{
    const char *text;
    double number;

    look_at(p, digit);
    for (uint32_t f = 0; f < p->s->filters; f++)
        if (sweep_expr_eval(p->filter[f], value_of, p, &number, &text) || text || number == 0)
            return false;
    return true;
}

static int add_point(struct sweep_points *p, const uint16_t *digit, struct err *e)
{
    if (p->count == p->room) {
        uint64_t room = p->room ? 2 * p->room : 1024;
        uint16_t *more = realloc(p->digit, room * p->digits * sizeof *more);

        if (!more)
            return err_set(e, ERR_NOMEM, "%s: out of host memory for %" PRIu64 " points", p->s->path, room);
        p->digit = more;
        p->room = room;
    }
    memcpy(&p->digit[p->count++ * p->digits], digit, p->digits * sizeof *digit);
    return 0;
}

/* "2 launches x 3 profiles x 10 values of cu.simds x ..." */
static int too_many(const struct sweep_points *p, double candidates, struct err *e)
{
    const struct sweep_spec *s = p->s;
    char text[400];
    size_t n = (size_t)snprintf(text, sizeof text, "%u launch%s x %u profile%s", s->launches,
                                s->launches == 1 ? "" : "es", s->profiles, s->profiles == 1 ? "" : "s");

    for (uint32_t a = 0; a < s->axes && n < sizeof text - 60; a++)
        n += (size_t)snprintf(text + n, sizeof text - n, " x %u of %.40s", s->axis[a].values, s->axis[a].part[0].label);
    return err_set(e, ERR_LIMIT,
                   "%s: %.15g combinations (%s); expected at most %" PRIu64 ": fewer values, \"sampling\", or "
                   "\"limits\": {\"points\": N}",
                   s->path, candidates, text,
                   s->filters && s->max_points < MAX_CANDIDATES ? (uint64_t)MAX_CANDIDATES : s->max_points);
}

static int check_count(const struct sweep_points *p, struct err *e)
{
    if (p->count <= p->s->max_points)
        return 0;
    return err_set(e, ERR_LIMIT,
                   "%s: %" PRIu64 " points or more; expected at most %" PRIu64 ": fewer values, \"sampling\", or "
                   "\"limits\": {\"points\": N}",
                   p->s->path, p->count, p->s->max_points);
}

static uint32_t base_of(const struct sweep_spec *s, size_t digit)
{
    return digit == 0 ? s->launches : digit == 1 ? s->profiles : s->axis[digit - 2].values;
}

static int all_combinations(struct sweep_points *p, struct err *e)
{
    uint16_t digit[2 + SWEEP_MAX_AXES] = {0};
    double candidates = 1;
    size_t d;

    for (d = 0; d < p->digits; d++)
        candidates *= base_of(p->s, d);
    if (candidates > MAX_CANDIDATES && candidates > (double)p->s->max_points)
        return too_many(p, candidates, e);
    if (!p->s->filters && candidates > (double)p->s->max_points)
        return too_many(p, candidates, e);
    do {
        if (!passes(p, digit))
            p->filtered++;
        else if (add_point(p, digit, e) || check_count(p, e))
            return -1;
        for (d = p->digits; d-- && ++digit[d] == base_of(p->s, d);)
            digit[d] = 0;
    } while (d != SIZE_MAX);
    return 0;
}

/* splitmix64, Steele, Lea and Flood 2014. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Points of a hypercube by their digits: a table with open addresses, at most half full. */
struct seen {
    uint64_t *point; /* 1 + its number; 0: free */
    uint64_t mask;
};

static uint64_t hash_of(const uint16_t *digit, size_t digits)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (size_t d = 0; d < digits; d++)
        h = (h ^ digit[d]) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* Where the candidate is, or would be. */
static uint64_t *find_seen(const struct seen *s, const struct sweep_points *p, const uint16_t *digit)
{
    uint64_t at = hash_of(digit, p->digits) & s->mask;

    while (s->point[at] && memcmp(digits_of(p, s->point[at] - 1), digit, p->digits * sizeof *digit) != 0)
        at = (at + 1) & s->mask;
    return &s->point[at];
}

/* Draws n points of which each n-th part of every axis has one: order[a * n + k] is the part of point k. */
static void draw_cube(uint32_t *order, uint32_t axes, uint32_t n, uint64_t *state)
{
    for (uint32_t a = 0; a < axes; a++) {
        uint32_t *of = &order[(size_t)a * n];

        for (uint32_t k = 0; k < n; k++)
            of[k] = k;
        for (uint32_t k = n; k > 1; k--) {
            uint32_t with = (uint32_t)(draw(state) % k), keep = of[k - 1];

            of[k - 1] = of[with];
            of[with] = keep;
        }
    }
}

/* The points of one launch and profile. Filters and axes with few values take points away: more cubes are drawn then.
 */
static int latin_of(struct sweep_points *p, uint16_t *digit, uint32_t *order, const struct seen *seen, struct err *e)
{
    const struct sweep_spec *s = p->s;
    uint64_t state = s->seed, from = p->count;
    uint32_t n = (uint32_t)s->latin_points;

    for (int draws = 0; draws < DRAWS && p->count - from < n; draws++) {
        draw_cube(order, s->axes, n, &state);
        for (uint32_t k = 0; k < n && p->count - from < n; k++) {
            for (uint32_t a = 0; a < s->axes; a++)
                digit[2 + a] = (uint16_t)((uint64_t)order[(size_t)a * n + k] * s->axis[a].values / n);
            uint64_t *place = find_seen(seen, p, digit);

            if (*place)
                continue;
            if (!passes(p, digit)) {
                p->filtered++;
                continue;
            }
            if (add_point(p, digit, e) || check_count(p, e))
                return -1;
            *place = p->count;
        }
    }
    p->missing += n - (p->count - from);
    return 0;
}

static int latin_hypercube(struct sweep_points *p, struct err *e)
{
    const struct sweep_spec *s = p->s;
    uint16_t digit[2 + SWEEP_MAX_AXES];
    struct seen seen = {.mask = 1};
    uint32_t *order;
    int rc = 0;

    if (s->latin_points * s->launches * s->profiles > s->max_points)
        return err_set(e, ERR_LIMIT,
                       "%s: sampling: %" PRIu64 " points for each of %u launches and %u profiles; expected at "
                       "most %" PRIu64 " in all, or \"limits\": {\"points\": N}",
                       s->path, s->latin_points, s->launches, s->profiles, s->max_points);
    while (seen.mask < 2 * s->latin_points * s->launches * s->profiles)
        seen.mask = 2 * seen.mask + 1;
    seen.point = calloc(seen.mask + 1, sizeof *seen.point);
    order = calloc((size_t)s->latin_points * (s->axes + 1), sizeof *order);
    if (!order || !seen.point)
        rc = err_set(e, ERR_NOMEM, "%s: out of host memory", s->path);
    for (digit[0] = 0; digit[0] < s->launches && !rc; digit[0]++)
        for (digit[1] = 0; digit[1] < s->profiles && !rc; digit[1]++)
            rc = latin_of(p, digit, order, &seen, e);
    free(order);
    free(seen.point);
    return rc;
}

int sweep_points_make(struct sweep_points **out, const struct sweep_spec *s, struct err *e)
{
    struct sweep_points *p = calloc(1, sizeof *p);
    int rc;

    *out = NULL;
    if (!p)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", s->path);
    p->s = s;
    p->columns = sweep_columns(s);
    p->digits = 2 + s->axes;
    rc = open_profiles(p, e);
    if (!rc)
        rc = check_figures(p, e);
    if (!rc)
        rc = make_expressions(p, e);
    if (!rc)
        rc = s->latin_points ? latin_hypercube(p, e) : all_combinations(p, e);
    if (!rc && !p->count)
        rc = err_set(e, ERR_FORMAT, "%s: filters: no combination passes; expected one at least", s->path);
    if (rc) {
        sweep_points_free(p);
        return rc;
    }
    *out = p;
    return 0;
}

void sweep_points_free(struct sweep_points *p)
{
    if (!p)
        return;
    for (uint32_t k = 0; k < p->s->profiles && p->profile; k++)
        gcnsim_close(p->profile[k]);
    for (size_t k = 0; k < sizeof p->define / sizeof p->define[0]; k++) {
        sweep_expr_free(p->define[k]);
        sweep_expr_free(p->filter[k]);
    }
    free(p->profile);
    free(p->figure_value);
    free(p->digit);
    free(p);
}
