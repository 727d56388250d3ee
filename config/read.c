/* Reader of one JSON document of a profile: syntax, known keys, units, sources and ranges of single values. */
#include "config/rows.h"
#include "sim/util/json_text.h"
#include "sim/util/plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 8, MAX_PATH = 160, MAX_SOURCE = 300 };

/* ---- syntax ---------------------------------------------------------------------------------------------------- */

const struct json *profile_json(const char *text, size_t size, const char *file, struct err *e)
{
    const struct json *doc = json_text_read(text, size, file, MAX_NESTING, e);

    if (!doc)
        return NULL;
    if (!json_is_object(doc)) {
        err_set(e, ERR_FORMAT, "%s: the document is no JSON object; expected {\"chip\": ..., \"cu\": {...}, ...}",
                file);
        json_free(doc);
        return NULL;
    }
    return doc;
}

/* ---- keys ------------------------------------------------------------------------------------------------------ */

/* Text of the document goes into messages only in this form. */
static const char *shown(const char *s, char buf[48])
{
    snprintf(buf, 48, "%.44s%s", s, strlen(s) > 44 ? "..." : "");
    return plain_text(buf, 0);
}

static const char *json_kind(const struct json *v)
{
    if (json_is_object(v))
        return "an object";
    if (json_is_array(v))
        return "an array";
    if (json_is_string(v))
        return "a string";
    if (json_is_number(v))
        return "a number";
    return json_is_boolean(v) ? "true or false" : "null";
}

static bool is_group(const char *path)
{
    size_t n = strlen(path);

    for (size_t i = 0; i < profile_row_count; i++)
        if (!strncmp(profile_rows[i].path, path, n) && profile_rows[i].path[n] == '.')
            return true;
    return false;
}

/* The keys that may stand below `prefix` ("cu." or ""), separated by commas, cut where the buffer ends. */
static void known_keys(const char *prefix, char *buf, size_t size)
{
    size_t n = strlen(prefix), used = 0;
    const char *last = "";
    size_t last_len = 0;

    buf[0] = 0;
    for (size_t i = 0; i < profile_row_count; i++) {
        const char *key = profile_rows[i].path + n;
        if (strncmp(profile_rows[i].path, prefix, n))
            continue;
        size_t len = strcspn(key, ".");
        if (len == last_len && !strncmp(key, last, len))
            continue;
        last = key;
        last_len = len;
        if (used + len + 8 > size) {
            strcpy(buf + used, ", ...");
            return;
        }
        used += (size_t)sprintf(buf + used, "%s%.*s", used ? ", " : "", (int)len, key);
    }
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static bool printable(const char *s, size_t max)
{
    size_t n = 0;

    for (; s[n]; n++)
        if (n >= max || (unsigned char)s[n] < 0x20 || s[n] == 0x7f)
            return false;
    return n > 0;
}

static int store_text(struct profile *p, const struct profile_row *row, const char *text, const char *file,
                      struct err *e)
{
    if (!text || !printable(text, row->size - 1u))
        return err_set(e, ERR_FORMAT, "%s: %s: expected a string of 1 to %u printable characters: %s", file, row->path,
                       row->size - 1u, row->about);
    if (!strcmp(row->path, "target") &&
        (strncmp(text, "gfx", 3) || text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")]))
        return err_set(e, ERR_FORMAT, "%s: %s: expected the name of a target, such as \"gfx1201\"", file, row->path);
    memset(row_at(p, row), 0, row->size);
    memcpy(row_at(p, row), text, strlen(text));
    return 0;
}

static int store_number(struct profile *p, const struct profile_row *row, double d, const char *file, struct err *e)
{
    bool whole = row->type == ROW_U32;

    if (!(d >= row->min && d <= row->max) || (whole && d != floor(d)))
        return err_set(e, ERR_FORMAT, "%s: %s: impossible value %.10g; expected a %snumber of %s from %.10g to %.10g",
                       file, row->path, d, whole ? "whole " : "", row->unit, row->min, row->max);
    if (whole) {
        uint32_t u = (uint32_t)d;
        memcpy(row_at(p, row), &u, sizeof u);
    } else {
        memcpy(row_at(p, row), &d, sizeof d);
    }
    return 0;
}

/* kind: what the document has in the place of a word. */
static int store_enum(struct profile *p, const struct profile_row *row, const char *word, const char *kind,
                      const char *file, struct err *e)
{
    char list[200] = "", buf[48];
    size_t used = 0;

    for (uint32_t i = 0; row->names[i]; i++) {
        if (word && !strcmp(word, row->names[i])) {
            memcpy(row_at(p, row), &i, sizeof i);
            return 0;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", row->names[i]);
    }
    return err_set(e, ERR_FORMAT, "%s: %s: is %s; expected one of %s", file, row->path, word ? shown(word, buf) : kind,
                   list);
}

/* Checks one bare value against its row and stores it. */
static int store(struct profile *p, const struct profile_row *row, const struct json *v, const char *file,
                 struct err *e)
{
    bool flag = json_is_true(v);

    switch ((enum row_type)row->type) {
    case ROW_TEXT:
        return store_text(p, row, json_text(v), file, e);
    case ROW_U32:
    case ROW_F64:
        return json_is_number(v) ? store_number(p, row, json_number(v), file, e)
                                 : err_set(e, ERR_FORMAT, "%s: %s: is %s; expected a number in %s", file, row->path,
                                           json_kind(v), row->unit);
    case ROW_ENUM:
        return store_enum(p, row, json_text(v), json_kind(v), file, e);
    case ROW_FLAG:
    case ROW_BOOL:
        break;
    }
    if (!json_is_boolean(v))
        return err_set(e, ERR_FORMAT, "%s: %s: is %s; expected true or false", file, row->path, json_kind(v));
    memcpy(row_at(p, row), &flag, sizeof flag);
    return 0;
}

int profile_store_word(struct profile *p, const struct profile_row *row, const char *value, const char *file,
                       struct err *e)
{
    bool flag = strcmp(value, "true") == 0;
    double d;

    if (row->type == ROW_ENUM)
        return store_enum(p, row, value, "", file, e);
    if (row->unit)
        return json_text_number(value, &d)
                   ? store_number(p, row, d, file, e)
                   : err_set(e, ERR_USAGE,
                             "%s: %s: cannot read \"%.100s\"; expected a number of %s from %.10g to %.10g", file,
                             row->path, value, row->unit, row->min, row->max);
    if (!flag && strcmp(value, "false") != 0)
        return err_set(e, ERR_USAGE, "%s: %s: cannot read \"%.100s\"; expected true or false", file, row->path, value);
    memcpy(row_at(p, row), &flag, sizeof flag);
    return 0;
}

/* ---- a row and its origin -------------------------------------------------------------------------------------- */

struct figure {
    const struct json *value, *unit, *confidence, *source, *measured_on;
};

static int figure_fields(struct profile_reader *r, const char *path, const struct json *item, struct figure *f)
{
    const char *key;
    const struct json *v;
    const char *file = r->p->files[r->file];
    char buf[48];

    if (!json_is_object(item))
        return err_set(r->e, ERR_FORMAT,
                       "%s: %s: is %s; expected {\"value\": ..., \"unit\": ..., \"confidence\": ..., \"source\": ...}",
                       file, path, json_kind(item));
    json_each_member (item, key, v) {
        if (!strcmp(key, "value"))
            f->value = v;
        else if (!strcmp(key, "unit"))
            f->unit = v;
        else if (!strcmp(key, "confidence"))
            f->confidence = v;
        else if (!strcmp(key, "source"))
            f->source = v;
        else if (!strcmp(key, "measured_on"))
            f->measured_on = v;
        else
            return err_set(r->e, ERR_FORMAT,
                           "%s: %s.%s: unknown key; expected value, unit, confidence, source, measured_on", file, path,
                           shown(key, buf));
    }
    return 0;
}

static int check_unit(struct profile_reader *r, const struct profile_row *row, const struct json *unit)
{
    const char *file = r->p->files[r->file];
    char buf[48];

    if (!row->unit)
        return unit ? err_set(r->e, ERR_FORMAT, "%s: %s: has a unit; expected none, it is no number", file, row->path)
                    : 0;
    if (!unit)
        return err_set(r->e, ERR_FORMAT, "%s: %s: missing unit; expected \"unit\": \"%s\"", file, row->path, row->unit);
    if (!json_is_string(unit) || strcmp(json_text(unit), row->unit))
        return err_set(r->e, ERR_FORMAT, "%s: %s: wrong unit %s; expected \"%s\"", file, row->path,
                       json_is_string(unit) ? shown(json_text(unit), buf) : json_kind(unit), row->unit);
    return 0;
}

/* Names of targets with one space between them. */
static bool target_list(const struct json *v)
{
    const char *s = json_is_string(v) && printable(json_text(v), MAX_SOURCE) ? json_text(v) : "";

    for (;;) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-");

        if (n < 4 || strncmp(s, "gfx", 3) || (s[n] && s[n] != ' '))
            return false;
        if (!s[n])
            return true;
        s += n + 1;
    }
}

static int store_origin(struct profile_reader *r, const struct profile_row *row, const struct figure *f,
                        unsigned confidence)
{
    struct profile_origin *origin = &r->p->origin[row_index(row)];
    char *source = strdup(json_text(f->source)), *on = f->measured_on ? strdup(json_text(f->measured_on)) : NULL;

    if (!source || (f->measured_on && !on)) {
        free(source);
        free(on);
        return err_set(r->e, ERR_NOMEM, "%s: out of memory", r->p->files[r->file]);
    }
    profile_forget_origin(origin);
    *origin = (struct profile_origin){.given = true,
                                      .confidence = (uint8_t)confidence,
                                      .file = r->file,
                                      .owned = true,
                                      .source = source,
                                      .measured_on = on};
    return 0;
}

static int read_figure(struct profile_reader *r, const struct profile_row *row, const struct json *item)
{
    const char *file = r->p->files[r->file];
    struct figure f = {0};
    unsigned confidence = 0;

    if (figure_fields(r, row->path, item, &f) || check_unit(r, row, f.unit))
        return -1;
    if (!f.value)
        return err_set(r->e, ERR_FORMAT, "%s: %s: missing value; expected \"value\": %s", file, row->path, row->about);
    if (!f.confidence)
        return err_set(r->e, ERR_FORMAT,
                       "%s: %s: missing confidence; expected documented, measured, inferred, guess or what-if", file,
                       row->path);
    while (profile_confidence_key[confidence] &&
           !(json_is_string(f.confidence) && !strcmp(json_text(f.confidence), profile_confidence_key[confidence])))
        confidence++;
    if (!profile_confidence_key[confidence])
        return err_set(r->e, ERR_FORMAT,
                       "%s: %s: unknown confidence; expected documented, measured, inferred, guess or what-if", file,
                       row->path);
    if (!f.source)
        return err_set(r->e, ERR_FORMAT, "%s: %s: missing source; expected \"source\": where the value comes from",
                       file, row->path);
    if (!json_is_string(f.source) || !printable(json_text(f.source), MAX_SOURCE))
        return err_set(r->e, ERR_FORMAT, "%s: %s: bad source; expected a string of 1 to %d printable characters", file,
                       row->path, MAX_SOURCE);
    if (f.measured_on && ((confidence != CONF_INFERRED && confidence != CONF_GUESS) || !target_list(f.measured_on)))
        return err_set(r->e, ERR_FORMAT,
                       "%s: %s: bad measured_on; expected targets such as \"gfx1200 gfx1201\", on which the value was "
                       "measured, and the confidence (inferred or guess) that it has on others",
                       file, row->path);
    return store(r->p, row, f.value, file, r->e) ? -1 : store_origin(r, row, &f, confidence);
}

/* A figure that is its value alone: the file is its source, and nothing says how good it is. */
static int read_bare(struct profile_reader *r, const struct profile_row *row, const struct json *value)
{
    struct profile_origin *origin = &r->p->origin[row_index(row)];
    const char *file = r->p->files[r->file];
    char *source;

    if (store(r->p, row, value, file, r->e))
        return -1;
    source = strndup(file, MAX_SOURCE);
    if (!source)
        return err_set(r->e, ERR_NOMEM, "%s: out of memory", file);
    plain_text(source, 0);
    profile_forget_origin(origin);
    *origin = (struct profile_origin){
        .given = true, .confidence = CONF_WHAT_IF, .file = r->file, .owned = true, .source = source};
    return 0;
}

static int read_row(struct profile_reader *r, const struct profile_row *row, const struct json *item)
{
    struct profile_origin *origin = &r->p->origin[row_index(row)];

    if (row->type > ROW_FLAG)
        return r->bare_accepted && !json_is_object(item) ? read_bare(r, row, item) : read_figure(r, row, item);
    if (store(r->p, row, item, r->p->files[r->file], r->e))
        return -1;
    origin->given = true;
    origin->file = r->file;
    return 0;
}

static int read_object(struct profile_reader *r, const struct json *object, const char *prefix)
{
    const char *file = r->p->files[r->file], *key;
    const struct json *v;

    json_each_member (object, key, v) {
        char path[MAX_PATH], keys[300], buf[48], hint[PROFILE_HINT];
        const struct profile_row *row;

        if (!*prefix && (!strcmp(key, "extends") || !strcmp(key, "inherited")))
            continue;
        /* a dot inside a key would let "cu.simds" stand for {"cu": {"simds": ...}} */
        bool sane = *key && !strchr(key, '.') && strlen(prefix) + strlen(key) < sizeof path;
        if (sane)
            strcat(strcpy(path, prefix), key);
        row = sane ? profile_row_find(path) : NULL;
        if (row) {
            if (read_row(r, row, v))
                return -1;
        } else if (sane && is_group(path)) {
            if (!json_is_object(v))
                return err_set(r->e, ERR_FORMAT, "%s: %s: is %s; expected an object", file, path, json_kind(v));
            strncat(path, ".", sizeof path - strlen(path) - 1);
            if (read_object(r, v, path))
                return -1;
        } else {
            known_keys(prefix, keys, sizeof keys);
            return err_set(r->e, ERR_FORMAT, "%s: %s%s: unknown key%s; expected one of %s", file, prefix,
                           shown(key, buf), sane ? profile_hint(path, false, hint) : "", keys);
        }
    }
    return 0;
}

const char *profile_json_extends(const struct json *doc, const char *file, bool *ok, struct err *e)
{
    const struct json *v = json_get(doc, "extends");
    const char *base = json_text(v);

    *ok = !v || (base && printable(base, 100) && !strchr(base, '/'));
    if (!*ok)
        err_set(e, ERR_FORMAT,
                "%s: extends: not a plain name; expected the name of a built-in profile, or NAME.json in the same "
                "folder",
                file);
    return *ok ? base : NULL;
}

int profile_json_inherited(const struct json *doc, const char *file, bool *guesses, struct err *e)
{
    const struct json *v = json_get(doc, "inherited");
    const char *word = json_text(v);

    *guesses = v != NULL;
    if (v && (!word || strcmp(word, profile_confidence_key[CONF_GUESS]) != 0))
        return err_set(e, ERR_FORMAT, "%s: inherited: expected \"guess\"", file);
    if (v && !json_get(doc, "extends"))
        return err_set(e, ERR_FORMAT, "%s: inherited: there is no base; expected extends beside it", file);
    return 0;
}

int profile_read(struct profile_reader *r, const struct json *doc)
{
    return read_object(r, doc, "");
}
