/* Profiles as a whole: finding one by name, target or path, following its "extends", and changing figures as --set
 * does. */
#define _GNU_SOURCE /* asprintf */
#include "config/profile.h"

#include "config/builtin.h"
#include "config/rows.h"
#include "sim/util/input.h"
#include "sim/util/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CHAIN = PROFILE_MAX_FILES - 1, MAX_FILE_BYTES = 1 << 20 };
static const char set_file[] = "--set";

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static struct profile *profile_new(struct err *e)
{
    struct profile *p = calloc(1, sizeof *p);

    if (p)
        p->origin = calloc(profile_row_count, sizeof *p->origin);
    if (!p || !p->origin) {
        free(p);
        err_set(e, ERR_NOMEM, "profile: out of memory");
        return NULL;
    }
    /* only GL1 and MALL are optional, with a row that says so */
    p->cache[LEVEL_VL0].present = p->cache[LEVEL_K].present = p->cache[LEVEL_I].present = true;
    p->cache[LEVEL_L2].present = true;
    return p;
}

void profile_forget_origin(struct profile_origin *o)
{
    if (o->owned) {
        free((char *)o->source);
        free((char *)o->measured_on);
    }
    *o = (struct profile_origin){0};
}

void profile_free(struct profile *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < profile_row_count; i++)
        profile_forget_origin(&p->origin[i]);
    free(p->origin);
    for (unsigned i = 0; i < p->file_count; i++)
        free(p->files[i]);
    free(p);
}

struct profile *profile_clone(const struct profile *p, struct err *e)
{
    struct profile *c = profile_new(e);

    if (!c)
        return NULL;
    struct profile_origin *origin = c->origin;
    *c = *p;
    c->origin = origin;
    memset(c->files, 0, sizeof c->files);
    bool full = false;
    for (unsigned i = 0; i < p->file_count; i++)
        full |= !(c->files[i] = strdup(p->files[i]));
    for (size_t i = 0; i < profile_row_count; i++) {
        origin[i] = p->origin[i];
        if (p->origin[i].owned)
            full |= !(origin[i].source = strdup(p->origin[i].source));
    }
    if (full) {
        profile_free(c);
        err_set(e, ERR_NOMEM, "profile: out of memory");
        return NULL;
    }
    return c;
}

/* The index of a new entry of p->files, or -1. */
static int add_file(struct profile *p, const char *name, struct err *e)
{
    char *copy = strdup(name);

    if (!copy)
        return err_set(e, ERR_NOMEM, "profile: out of memory");
    p->files[p->file_count] = copy;
    return (int)p->file_count++;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);

    return n >= m && !strcmp(s + n - m, suffix);
}

/* *text is malloc'd, with a zero after it. */
static int slurp(const char *path, char **text, size_t *size, struct err *e)
{
    struct err why = {0};
    uint8_t *bytes;

    if (input_read(path, MAX_FILE_BYTES, &bytes, size, &why))
        return err_set(e, why.code == ERR_LIMIT ? ERR_FORMAT : why.code, "%s: cannot read profile: %s", path, why.text);
    *text = (char *)bytes;
    return 0;
}

/* ---- extends --------------------------------------------------------------------------------------------------- */

static const struct profile_builtin *builtin_find(const char *name)
{
    for (const struct profile_builtin *b = profile_builtins; b->name; b++)
        if (!strcmp(b->name, name))
            return b;
    return NULL;
}

static bool builtin_text(const char *text)
{
    for (const struct profile_builtin *b = profile_builtins; b->name; b++)
        if (b->json == text)
            return true;
    return false;
}

static int resolve(struct profile *p, const char *file, bool on_disk, const char *text, size_t size, struct err *e);

/* NAME beside `file`: its folder, NAME, ".json" unless NAME ends so. malloc'd. */
static char *beside(const char *file, const char *name, struct err *e)
{
    const char *slash = strrchr(file, '/');
    int folder = slash ? (int)(slash - file) + 1 : 0;
    char *path = NULL;

    if (asprintf(&path, "%.*s%s%s", folder, file, name, has_suffix(name, ".json") ? "" : ".json") < 0) {
        err_set(e, ERR_NOMEM, "%s: out of memory", file);
        return NULL;
    }
    return path;
}

static int resolve_file(struct profile *p, const char *path, struct err *e)
{
    char *text = NULL;
    size_t size = 0;

    if (slurp(path, &text, &size, e))
        return -1;
    int rc = resolve(p, path, true, text, size, e);
    free(text);
    return rc;
}

static int check_chain(const struct profile *p, const char *file, struct err *e)
{
    for (unsigned i = 0; i < p->file_count; i++)
        if (!strcmp(p->files[i], file))
            return err_set(e, ERR_FORMAT, "%s: extends: a cycle that comes back to %s; expected a chain with an end",
                           p->files[p->file_count - 1], file);
    if (p->file_count == MAX_CHAIN)
        return err_set(e, ERR_FORMAT, "%s: extends: more than %d profiles in a chain, reaching %s; expected fewer",
                       p->files[0], MAX_CHAIN, file);
    return 0;
}

/* The chain of a built-in profile, after what p has read so far. */
static int resolve_builtin(struct profile *p, const struct profile_builtin *b, struct err *e)
{
    unsigned first = p->file_count;

    if (!b->resolved)
        return resolve(p, b->name, false, b->json, b->length, e);
    for (const char *const *file = b->resolved->files; *file; file++)
        if (check_chain(p, *file, e) || add_file(p, *file, e) < 0)
            return -1;
    profile_take_resolved(p, b->resolved, first);
    return 0;
}

static int resolve_base(struct profile *p, const char *file, bool on_disk, const char *base, struct err *e)
{
    const struct profile_builtin *b = has_suffix(base, ".json") ? NULL : builtin_find(base);

    if (b)
        return resolve_builtin(p, b, e);
    if (!on_disk)
        return err_set(e, ERR_FORMAT, "%s: extends: no built-in profile \"%s\"; expected the name of one", file, base);
    char *path = beside(file, base, e);
    if (!path)
        return -1;
    int rc;
    if (access(path, F_OK))
        rc = err_set(e, ERR_FORMAT, "%s: extends: neither a built-in profile \"%s\" nor a file %s; expected either",
                     file, base, path);
    else
        rc = resolve_file(p, path, e);
    free(path);
    return rc;
}

static void forget_measured_on(struct profile_origin *o)
{
    if (o->owned)
        free((char *)o->measured_on);
    o->measured_on = NULL;
}

/* What says something about one document only. */
static void forget_own(struct profile *p)
{
    p->is_default_for_target = false;
    memset(p->about, 0, sizeof p->about);
    profile_forget_origin(&p->origin[row_index(profile_row_find("default_for_target"))]);
    profile_forget_origin(&p->origin[row_index(profile_row_find("about"))]);
}

/* Nobody has measured the chip: what is known of those that its base describes is a guess of it. */
static void inherit_as_guesses(struct profile *p)
{
    for (size_t i = 0; i < profile_row_count; i++) {
        struct profile_origin *o = &p->origin[i];

        if (o->given && profile_rows[i].type > ROW_FLAG && o->confidence < CONF_GUESS)
            o->confidence = CONF_GUESS;
        forget_measured_on(o);
    }
}

static int resolve(struct profile *p, const char *file, bool on_disk, const char *text, size_t size, struct err *e)
{
    bool ok, guesses = false;

    if (check_chain(p, file, e))
        return -1;
    int index = add_file(p, file, e);
    const struct json *doc = index < 0 ? NULL : profile_json(text, size, file, e);
    if (!doc)
        return -1;
    const char *base = profile_json_extends(doc, file, &ok, e);
    int rc = ok ? profile_json_inherited(doc, file, &guesses, e) : -1;
    if (!rc && base) {
        rc = resolve_base(p, file, on_disk, base, e);
        forget_own(p);
    }
    if (guesses)
        inherit_as_guesses(p);
    if (!rc)
        rc = profile_read(
            &(struct profile_reader){.p = p, .file = (uint8_t)index, .bare_accepted = !builtin_text(text), .e = e},
            doc);
    json_free(doc);
    return rc;
}

static void set_name(struct profile *p, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    size_t n = strlen(name);

    if (has_suffix(name, ".json") && n > 5)
        n -= 5;
    snprintf(p->name, sizeof p->name, "%.*s", (int)(n < sizeof p->name ? n : sizeof p->name - 1), name);
}

/* Is `word` one of the words of `list`? */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/* The target is known when all documents are read: which of the inherited figures were measured on it? */
static void settle_confidence(struct profile *p)
{
    for (size_t i = 0; i < profile_row_count; i++) {
        struct profile_origin *o = &p->origin[i];

        if (o->measured_on && p->target[0] && has_word(o->measured_on, p->target))
            o->confidence = CONF_MEASURED;
        forget_measured_on(o);
    }
}

/* Takes p; gives it to *out when all is well. */
static int finish(struct profile *p, int rc, struct profile **out, struct err *e)
{
    settle_confidence(p);
    if (rc || (!p->sha256 && profile_check(p, e))) { /* one with a hash was checked when gcnsim was built */
        profile_free(p);
        return -1;
    }
    *out = p;
    return 0;
}

int profile_parse(struct profile **out, const char *text, size_t size, const char *name, struct err *e)
{
    struct profile *p = profile_new(e);

    *out = NULL;
    if (!p)
        return -1;
    set_name(p, name);
    return finish(p, resolve(p, name, false, text, size, e), out, e);
}

struct profile *profile_unsettled(const struct profile_builtin *b, struct err *e)
{
    struct profile *p = profile_new(e);

    if (!p)
        return NULL;
    set_name(p, b->name);
    if (resolve_builtin(p, b, e)) {
        profile_free(p);
        return NULL;
    }
    if (b->resolved)
        p->sha256 = b->resolved->sha256;
    return p;
}

static int load_builtin(struct profile **out, const struct profile_builtin *b, struct err *e)
{
    struct profile *p = profile_unsettled(b, e);

    return p ? finish(p, 0, out, e) : -1;
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

bool profile_at(size_t index, struct profile_entry *out)
{
    for (const struct profile_builtin *b = profile_builtins; b->name; b++) {
        if (!*b->chip || index--)
            continue;
        snprintf(out->name, sizeof out->name, "%s", b->name);
        snprintf(out->chip, sizeof out->chip, "%s", b->chip);
        snprintf(out->target, sizeof out->target, "%s", b->target);
        out->is_default_for_target = b->is_default_for_target;
        return true;
    }
    return false;
}

int profile_list(struct profile_entry **out, size_t *count, struct err *e)
{
    struct profile_entry one, *list;
    size_t n = 0;

    while (profile_at(n, &one))
        n++;
    list = calloc(n + 1, sizeof *list);
    if (!list)
        return err_set(e, ERR_NOMEM, "profiles: out of memory");
    for (size_t k = 0; k < n; k++)
        profile_at(k, &list[k]);
    *out = list;
    *count = n;
    return 0;
}

/* The built-in that stands for a bare target name; sets *e to what there is when none does. Names begin with their
 * target, so the message gives these alone. */
static const struct profile_builtin *default_for(const char *target, struct err *e)
{
    struct profile_entry *list;
    size_t count, used = 0;
    char known[440] = "";

    for (const struct profile_builtin *b = profile_builtins; b->name; b++)
        if (b->is_default_for_target && !strcmp(b->target, target))
            return b;
    if (profile_list(&list, &count, e))
        return NULL;
    for (size_t i = 0; i < count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", list[i].name);
    const char *near = profile_suggest_name(target, list, count);
    err_set(e, ERR_USAGE,
            "%.100s: no such profile, nor a target with one%s%s%s; expected a path to a .json file or one of %s",
            target, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "", known);
    free(list);
    return NULL;
}

int profile_load(struct profile **out, const char *name_or_path, struct err *e)
{
    struct profile *p;

    *out = NULL;
    if (strchr(name_or_path, '/') || has_suffix(name_or_path, ".json")) {
        p = profile_new(e);
        if (!p)
            return -1;
        set_name(p, name_or_path);
        return finish(p, resolve_file(p, name_or_path, e), out, e);
    }
    const struct profile_builtin *b = builtin_find(name_or_path);
    if (!b)
        b = default_for(name_or_path, e);
    return b ? load_builtin(out, b, e) : -1;
}

/* ---- --set ----------------------------------------------------------------------------------------------------- */

static int set_row(struct profile *p, const char *path, const char *value, struct err *e)
{
    const struct profile_row *row = profile_row_find(path);
    char hint[PROFILE_HINT];
    unsigned file = 0;

    if (!row)
        return err_set(e, ERR_USAGE, "%s: %.100s: unknown path%s; expected a path that `arch show` lists", set_file,
                       path, profile_hint(path, true, hint));
    if (row->type <= ROW_FLAG)
        return err_set(e, ERR_USAGE, "%s: %.100s: cannot be set, it says what the profile is", set_file, path);
    if (profile_store_word(p, row, value, set_file, e))
        return -1;
    while (file < p->file_count && strcmp(p->files[file], set_file))
        file++;
    if (file == p->file_count && add_file(p, set_file, e) < 0)
        return -1;
    struct profile_origin *origin = &p->origin[row_index(row)];
    profile_forget_origin(origin);
    *origin =
        (struct profile_origin){.given = true, .confidence = CONF_WHAT_IF, .file = (uint8_t)file, .source = set_file};
    p->sha256 = NULL;
    return 0;
}

/* Puts the changed copy c in p's place, or throws it away. */
static int take_over(struct profile *p, struct profile *c, int rc, struct err *e)
{
    if (!rc && (rc = profile_check(c, e)))
        err_prefix(e, "%s", set_file);
    if (!rc) {
        struct profile old = *p;
        *p = *c;
        *c = old;
    }
    profile_free(c);
    return rc;
}

int profile_set(struct profile *p, const char *path, const char *value, struct err *e)
{
    struct profile *c = profile_clone(p, e);

    return c ? take_over(p, c, set_row(c, path, value, e), e) : -1;
}

int profile_set_all(struct profile *p, size_t count, const char *const *assignments, struct err *e)
{
    struct profile *c = profile_clone(p, e);
    int rc = 0;

    if (!c)
        return -1;
    for (size_t i = 0; i < count && !rc; i++) {
        const char *equals = strchr(assignments[i], '=');
        char path[96];
        if (!equals || (size_t)(equals - assignments[i]) >= sizeof path) {
            rc = err_set(e, ERR_USAGE, "%s: \"%.100s\"; expected PATH=VALUE, such as cu.wave_slots_per_simd=8",
                         set_file, assignments[i]);
            break;
        }
        snprintf(path, sizeof path, "%.*s", (int)(equals - assignments[i]), assignments[i]);
        rc = set_row(c, path, equals + 1, e);
    }
    return take_over(p, c, rc, e);
}

const char *profile_confidence_of(const struct profile *p, const char *path)
{
    const struct profile_row *row = profile_row_find(path);

    return row && row_origin(p, row)->given ? profile_confidence_key[row_origin(p, row)->confidence] : NULL;
}

bool profile_number(const struct profile *p, const char *path, double *value)
{
    const struct profile_row *row = profile_row_find(path);
    uint32_t u;
    bool b;

    if (!row || row->type == ROW_TEXT || !row_origin(p, row)->given)
        return false;
    switch ((enum row_type)row->type) {
    case ROW_F64:
        memcpy(value, row_in(p, row), sizeof *value);
        return true;
    case ROW_FLAG:
    case ROW_BOOL:
        memcpy(&b, row_in(p, row), sizeof b);
        *value = b;
        return true;
    default:
        memcpy(&u, row_in(p, row), sizeof u);
        *value = u;
        return true;
    }
}
