/* Reads the description of a sweep (JSON). */
#include "sim/sweep/spec.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/values.h"
#include "sim/util/input.h"

enum {
    MAX_FILE_BYTES = 16 << 20,
    MAX_NESTING = 8,
    MAX_LAUNCHES = 4096,
    MAX_PROFILES = 4096,
    MAX_WORDS = 4096,
    MAX_FILTERS = 256,
    DEFAULT_POINTS = 100000,
    MOST_POINTS = 100000000,
};

/* ---- launches ---- */

static int read_words(const struct sweep_reader *r, const struct json *v, const char *key, const char *const **out,
                      uint32_t *count)
{
    const char **words;
    const struct json *word;
    size_t n = json_elements(v), k;

    if (!json_is_array(v) || n > MAX_WORDS)
        return sweep_bad(r, key, "a list of at most 4096 texts");
    words = ARENA_NEW(&r->s->arena, n + 1, const char *);
    if (!words)
        return sweep_no_memory(r);
    json_each_element (v, k, word)
        if (!(words[k] = sweep_text(r, word, key)))
            return -1;
    *out = words;
    *count = (uint32_t)n;
    return 0;
}

static int read_environment(const struct sweep_reader *r, const struct json *v, struct sweep_launch *l)
{
    const char **words, *name;
    size_t n = 0;
    const struct json *value;

    if (!json_is_object(v))
        return sweep_bad(r, "environment", "an object of names and texts");
    words = ARENA_NEW(&r->s->arena, json_members(v) + 1, const char *);
    if (!words)
        return sweep_no_memory(r);
    json_each_member (v, name, value) {
        const char *text = sweep_text(r, value, "environment");
        char *word = text ? arena_alloc(&r->s->arena, strlen(name) + strlen(text) + 2, 1, 1) : NULL;

        if (!text)
            return -1;
        if (!*name || strchr(name, '='))
            return sweep_bad(r, "environment", "names without '='");
        if (!word)
            return sweep_no_memory(r);
        sprintf(word, "%s=%s", name, text);
        words[n++] = word;
    }
    l->environment = words;
    l->environment_count = (uint32_t)n;
    return 0;
}

/* A launch without a name has that of its file, without folders and ".json". */
static const char *name_of(const struct sweep_reader *r, const char *word)
{
    const char *base = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
    char *name = arena_text(&r->s->arena, *base ? base : word);
    size_t n = name ? strlen(name) : 0;

    if (n > 5 && strcmp(name + n - 5, ".json") == 0)
        name[n - 5] = 0;
    return name;
}

static int read_launch_key(const struct sweep_reader *r, const char *key, const struct json *v, struct sweep_launch *l)
{
    if (strcmp(key, "name") == 0)
        return (l->name = sweep_text(r, v, key)) ? 0 : -1;
    if (strcmp(key, "environment") == 0)
        return read_environment(r, v, l);
    if (strcmp(key, "options") == 0)
        return read_words(r, v, key, &l->options, &l->option_count);
    if (strcmp(key, "run") != 0 && strcmp(key, "exec") != 0)
        return sweep_unknown(r, key, "name, run, exec, options or environment");
    if (l->words)
        return sweep_bad(r, key, "one of run and exec");
    l->program = *key == 'e';
    if (read_words(r, v, key, &l->words, &l->word_count))
        return -1;
    return l->word_count ? 0 : sweep_bad(r, key, "a file at least");
}

static int read_launch(const struct sweep_reader *r, const struct json *v, struct sweep_launch *l)
{
    const char *key;
    const struct json *value;

    if (json_is_string(v)) {
        const char **words = ARENA_NEW(&r->s->arena, 1, const char *);

        if (!words)
            return sweep_no_memory(r);
        l->words = words;
        l->word_count = 1;
        if (!(words[0] = sweep_text(r, v, "")))
            return -1;
    } else if (!json_is_object(v)) {
        return sweep_bad(r, "", "the path of a launch file, or an object");
    }
    if (json_is_object(v)) {
        json_each_member (v, key, value) {
            if (read_launch_key(r, key, value, l))
                return -1;
        }
    }
    if (!l->words)
        return sweep_bad(r, "", "run or exec");
    if (!l->name && !(l->name = name_of(r, l->words[0])))
        return sweep_no_memory(r);
    return 0;
}

static int read_launches(struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    const struct json *launch;
    size_t n = json_elements(v), k;

    if (!n || n > MAX_LAUNCHES)
        return sweep_bad(r, "launches", "a list of 1 to 4096 launches");
    s->launch = ARENA_NEW(&s->arena, n, struct sweep_launch);
    if (!s->launch)
        return sweep_no_memory(r);
    s->launches = (uint32_t)n;
    json_each_element (v, k, launch) {
        snprintf(r->where, sizeof r->where, "launches[%zu]", k);
        if (read_launch(r, launch, &s->launch[k]))
            return -1;
        for (size_t m = 0; m < k; m++)
            if (strcmp(s->launch[m].name, s->launch[k].name) == 0)
                return err_set(r->e, ERR_FORMAT,
                               "%s: launches[%zu] and launches[%zu] are both called '%s'; expected a "
                               "name for each",
                               s->path, m, k, s->launch[k].name);
    }
    *r->where = 0;
    return 0;
}

/* ---- the rest ---- */

static int read_profiles(const struct sweep_reader *r, const struct json *v)
{
    const char *const *words;

    if (json_elements(v) > MAX_PROFILES || !json_elements(v))
        return sweep_bad(r, "profiles", "a list of 1 to 4096 profiles");
    if (read_words(r, v, "profiles", &words, &r->s->profiles))
        return -1;
    r->s->profile = (const char **)words;
    for (uint32_t k = 0; k < r->s->profiles; k++)
        for (uint32_t m = 0; m < k; m++)
            if (strcmp(words[k], words[m]) == 0)
                return sweep_bad(r, "profiles", "each profile once");
    return 0;
}

static int read_definitions(const struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    const char *name;
    const struct json *value;

    if (!json_is_object(v) || json_members(v) > MAX_FILTERS)
        return sweep_bad(r, "define", "an object of names and expressions");
    s->define = ARENA_NEW(&s->arena, json_members(v) + 1, struct sweep_definition);
    if (!s->define)
        return sweep_no_memory(r);
    json_each_member (v, name, value) {
        struct sweep_definition *d = &s->define[s->defines++];

        d->name = arena_text(&s->arena, name);
        d->expression = sweep_text(r, value, "define");
        if (!d->name)
            return sweep_no_memory(r);
        if (!d->expression)
            return -1;
        if (!sweep_is_word(name))
            return sweep_bad(r, "define", "names of letters, digits and _");
    }
    return 0;
}

static int read_objective(const struct sweep_reader *r, const struct json *v, struct sweep_definition *d)
{
    const char *key;
    const struct json *value;

    if (json_is_string(v))
        return (d->expression = d->name = sweep_text(r, v, "objectives")) ? 0 : -1;
    if (!json_is_object(v))
        return sweep_bad(r, "objectives", "a list of statistics, or of objects with value and goal");
    json_each_member (v, key, value) {
        const char *text = sweep_text(r, value, key);

        if (!text)
            return -1;
        if (strcmp(key, "value") == 0)
            d->expression = text;
        else if (strcmp(key, "name") == 0)
            d->name = text;
        else if (strcmp(key, "goal") != 0)
            return sweep_unknown(r, key, "value, name or goal");
        else if (strcmp(text, "minimize") != 0 && strcmp(text, "maximize") != 0)
            return sweep_bad(r, "objectives: goal", "\"minimize\" or \"maximize\"");
        else
            d->maximize = text[1] == 'a';
    }
    if (!d->expression)
        return sweep_bad(r, "objectives: value", "a statistic or an expression");
    if (!d->name)
        d->name = d->expression;
    return 0;
}

static int read_objectives(const struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    const struct json *objective;
    size_t n = json_elements(v), k;

    if (!json_is_array(v) || n > MAX_FILTERS)
        return sweep_bad(r, "objectives", "a list");
    s->objective = ARENA_NEW(&s->arena, n + 1, struct sweep_definition);
    if (!s->objective)
        return sweep_no_memory(r);
    s->objectives = (uint32_t)n;
    json_each_element (v, k, objective)
        if (read_objective(r, objective, &s->objective[k]))
            return -1;
    return 0;
}

static int read_sampling(const struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    const char *key, *method = "full";
    const struct json *value;
    int rc = 0;

    if (!json_is_object(v))
        return sweep_bad(r, "sampling", "an object");
    json_each_member (v, key, value) {
        if (strcmp(key, "method") == 0 && json_is_string(value))
            method = json_text(value);
        else if (strcmp(key, "method") == 0)
            return sweep_bad(r, "sampling: method", "\"full\" or \"latin-hypercube\"");
        else if (strcmp(key, "points") == 0)
            rc = sweep_whole(r, value, "sampling: points", 1, MOST_POINTS, &s->latin_points);
        else if (strcmp(key, "seed") == 0)
            rc = sweep_whole(r, value, "sampling: seed", 0, UINT64_C(1) << 53, &s->seed);
        else
            rc = sweep_unknown(r, key, "method, points or seed");
        if (rc)
            return rc;
    }
    if (strcmp(method, "full") != 0 && strcmp(method, "latin-hypercube") != 0)
        return sweep_bad(r, "sampling: method", "\"full\" or \"latin-hypercube\"");
    if (*method == 'f' && s->latin_points)
        return sweep_bad(r, "sampling: points", "none with the method \"full\", which takes all");
    if (*method == 'l' && !s->latin_points)
        return sweep_bad(r, "sampling: points", "the number of points");
    return 0;
}

static int read_limits(const struct sweep_reader *r, const struct json *v)
{
    struct sweep_spec *s = r->s;
    const char *key;
    const struct json *value;

    if (!json_is_object(v))
        return sweep_bad(r, "limits", "an object");
    json_each_member (v, key, value) {
        if (strcmp(key, "points") == 0) {
            if (sweep_whole(r, value, "limits: points", 1, MOST_POINTS, &s->max_points))
                return -1;
        } else if (strcmp(key, "seconds") == 0) {
            if (!json_is_number(value) || !(json_number(value) > 0))
                return sweep_bad(r, "limits: seconds", "a positive number");
            s->max_seconds = json_number(value);
        } else {
            return sweep_unknown(r, key, "points or seconds");
        }
    }
    return 0;
}

static int read_filters(const struct sweep_reader *r, const struct json *v)
{
    const char *const *words = NULL;

    if (json_elements(v) > MAX_FILTERS)
        return sweep_bad(r, "filters", "a list of at most 256 expressions");
    if (read_words(r, v, "filters", &words, &r->s->filters))
        return -1;
    r->s->filter = (const char **)words;
    return 0;
}

static int read_key(struct sweep_reader *r, const char *key, const struct json *v)
{
    struct sweep_spec *s = r->s;

    if (strcmp(key, "gcnsim_sweep") == 0)
        return json_is_number(v) && json_number(v) == 1
                   ? 0
                   : sweep_bad(r, key, "1, the version of this format that this gcnsim reads");
    if (strcmp(key, "name") == 0)
        return (s->name = sweep_text(r, v, key)) ? 0 : -1;
    if (strcmp(key, "output") == 0)
        return (s->output = sweep_text(r, v, key)) ? 0 : -1;
    if (strcmp(key, "launches") == 0)
        return read_launches(r, v);
    if (strcmp(key, "profiles") == 0)
        return read_profiles(r, v);
    if (strcmp(key, "axes") == 0)
        return sweep_read_axes(r, v);
    if (strcmp(key, "define") == 0)
        return read_definitions(r, v);
    if (strcmp(key, "filters") == 0)
        return read_filters(r, v);
    if (strcmp(key, "objectives") == 0)
        return read_objectives(r, v);
    if (strcmp(key, "options") == 0)
        return read_words(r, v, key, &s->options, &s->option_count);
    if (strcmp(key, "sampling") == 0)
        return read_sampling(r, v);
    if (strcmp(key, "limits") == 0)
        return read_limits(r, v);
    return sweep_unknown(r, key,
                         "name, output, launches, profiles, axes, define, filters, objectives, options, sampling "
                         "or limits");
}

/* Whether the results have a column of that name already: SQLite takes N and n for one. A figure may have the name of a
 * statistic, as cache.l2.mshrs has, whose column is then called "statistic.NAME". */
static bool is_column(const char *name, bool figure)
{
    static const char *const columns[] = {"point",  "launch",       "profile",          "outcome", "message",
                                          "target", "host_seconds", "host_cpu_seconds", "command"};
    struct gcnsim_stat stat;

    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        if (strcasecmp(columns[k], name) == 0)
            return true;
    for (uint32_t k = 0; !figure && gcnsim_stat_info(k, &stat) == 0; k++)
        if (strcasecmp(stat.name, name) == 0)
            return true;
    return false;
}

/* Names that would be one column of the results, or one {NAME}. */
static int check_names(const struct sweep_reader *r)
{
    const struct sweep_spec *s = r->s;
    uint32_t columns = sweep_columns(s), axis;

    for (uint32_t a = 0; a < columns; a++) {
        const struct sweep_part *p = sweep_column(s, a, &axis);

        for (uint32_t b = 0; b < a; b++)
            if (strcasecmp(sweep_column(s, b, &axis)->label, p->label) == 0)
                return err_set(r->e, ERR_FORMAT, "%s: axes: %s is on two axes; expected it on one", s->path, p->label);
        for (uint32_t d = 0; d < s->defines; d++)
            if (strcmp(s->define[d].name, p->label) == 0)
                return err_set(r->e, ERR_FORMAT, "%s: define: %s is an axis, too; expected another name", s->path,
                               p->label);
        if (is_column(p->label, p->kind == SWEEP_SET))
            return err_set(r->e, ERR_FORMAT, "%s: axes: '%s' is a column of the results already; expected another name",
                           s->path, p->label);
    }
    return 0;
}

/* A copy of a text that no zero ends. */
static const char *text_of(struct arena *a, const char *text, size_t size)
{
    char *copy = arena_alloc(a, size + 1, 1, 1);

    if (copy && size)
        memcpy(copy, text, size);
    return copy;
}

int sweep_spec_parse(struct sweep_spec **out, const char *text, size_t size, const char *path, const char *folder,
                     struct err *e)
{
    struct sweep_spec *s = calloc(1, sizeof *s);
    struct sweep_reader r = {.s = s, .e = e};
    const char *key;
    const struct json *root, *value;
    int rc = 0;

    *out = NULL;
    if (!s)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    arena_init(&s->arena, 0);
    s->path = arena_text(&s->arena, path);
    s->folder = arena_text(&s->arena, folder);
    s->text = text_of(&s->arena, text, size);
    s->max_points = DEFAULT_POINTS;
    if (!s->path || !s->folder || !s->text || !(s->profile = ARENA_NEW(&s->arena, 1, const char *))) {
        sweep_spec_free(s);
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    }
    s->profiles = 1;
    root = json_text_read(text, size, path, MAX_NESTING, e);
    if (root && !json_is_object(root))
        rc = sweep_bad(&r, "", "an object");
    else if (!json_get(root, "gcnsim_sweep")) /* what is wrong with the text comes before that */
        rc = sweep_bad(&r, "gcnsim_sweep", "1, which says what this file is");
    if (rc == 0) {
        json_each_member (root, key, value) {
            if ((rc = read_key(&r, key, value)))
                break;
        }
    }
    json_free(root);
    if (rc == 0 && !s->launches)
        rc = sweep_bad(&r, "launches", "a list of 1 to 4096 launches");
    if (rc == 0)
        rc = check_names(&r);
    if (rc == 0 && !s->name && !(s->name = name_of(&r, path)))
        rc = sweep_no_memory(&r);
    if (rc) {
        sweep_spec_free(s);
        return rc;
    }
    *out = s;
    return 0;
}

int sweep_spec_read(struct sweep_spec **out, const char *path, struct err *e)
{
    char *folder, *slash;
    uint8_t *bytes;
    size_t size;
    int rc;

    *out = NULL;
    if (input_read(path, MAX_FILE_BYTES, &bytes, &size, e))
        return err_prefix(e, "%s", path);
    folder = realpath(path, NULL);
    slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = 0;
    else /* a pipe */
        folder = realpath(".", NULL);
    rc = folder ? sweep_spec_parse(out, (const char *)bytes, size, path, folder, e)
                : err_set(e, ERR_IO, "%s: its folder is not known", path);
    free(folder);
    free(bytes);
    return rc;
}

void sweep_spec_free(struct sweep_spec *s)
{
    if (!s)
        return;
    struct arena arena = s->arena;
    free(s);
    arena_free(&arena);
}

uint32_t sweep_columns(const struct sweep_spec *s)
{
    uint32_t n = 0;

    for (uint32_t a = 0; a < s->axes; a++)
        n += s->axis[a].parts;
    return n;
}

const struct sweep_part *sweep_column(const struct sweep_spec *s, uint32_t column, uint32_t *axis)
{
    uint32_t a = 0;

    while (column >= s->axis[a].parts)
        column -= s->axis[a++].parts;
    *axis = a;
    return &s->axis[a].part[column];
}
