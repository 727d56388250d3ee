/* Trees of JSON: cJSON's nodes, and what it does not look at. */
#define _GNU_SOURCE /* strtod_l */
#include "sim/util/json_text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_scan.h"
#include "sim/util/libcjson.h"
#include "sim/util/plain.h"

/* ---- nodes ---- */

static const cJSON *node(const struct json *v)
{
    return (const cJSON *)(const void *)v;
}

static const struct json *value_of(const cJSON *n)
{
    return (const struct json *)(const void *)n;
}

static bool is(const struct json *v, int type)
{
    return v && (node(v)->type & 0xff) == type;
}

bool json_is_object(const struct json *v)
{
    return is(v, cJSON_Object);
}

bool json_is_array(const struct json *v)
{
    return is(v, cJSON_Array);
}

bool json_is_string(const struct json *v)
{
    return is(v, cJSON_String);
}

bool json_is_number(const struct json *v)
{
    return is(v, cJSON_Number);
}

bool json_is_boolean(const struct json *v)
{
    return is(v, cJSON_True) || is(v, cJSON_False);
}

bool json_is_true(const struct json *v)
{
    return is(v, cJSON_True);
}

bool json_is_null(const struct json *v)
{
    return is(v, cJSON_NULL);
}

const char *json_text(const struct json *v)
{
    return json_is_string(v) ? node(v)->valuestring : NULL;
}

double json_number(const struct json *v)
{
    return json_is_number(v) ? node(v)->valuedouble : 0;
}

bool json_whole(const struct json *v, uint64_t *out)
{
    double d = json_number(v);

    if (!json_is_number(v) || !(d >= 0 && d <= 0x1p53) || d != floor(d))
        return false;
    *out = (uint64_t)d;
    return true;
}

const struct json *json_first(const struct json *v)
{
    return v ? value_of(node(v)->child) : NULL;
}

const struct json *json_next(const struct json *v)
{
    return v ? value_of(node(v)->next) : NULL;
}

const char *json_key(const struct json *member)
{
    return member ? node(member)->string : NULL;
}

const struct json *json_get(const struct json *object, const char *key)
{
    const struct json *v;
    const char *name;

    json_each_member (object, name, v)
        if (strcmp(name, key) == 0)
            return v;
    return NULL;
}

const struct json *json_at(const struct json *array, size_t k)
{
    const struct json *v;
    size_t n;

    json_each_element (array, n, v)
        if (n == k)
            return v;
    return NULL;
}

static size_t count(const struct json *v)
{
    size_t n = 0;

    for (const struct json *m = json_first(v); m; m = json_next(m))
        n++;
    return n;
}

size_t json_elements(const struct json *array)
{
    return json_is_array(array) ? count(array) : 0;
}

size_t json_members(const struct json *object)
{
    return json_is_object(object) ? count(object) : 0;
}

/* cJSON_Delete() calls itself by its name, which may be another library's where cJSON is loaded. */
static void free_nodes(cJSON *n)
{
    for (cJSON *next; n; n = next) {
        next = n->next;
        free_nodes(n->child);
        if (n->string)
            cJSON_free(n->string);
        if (n->valuestring)
            cJSON_free(n->valuestring);
        cJSON_free(n);
    }
}

void json_free(const struct json *root)
{
    free_nodes((cJSON *)(uintptr_t)root);
}

bool json_text_number(const char *text, double *out)
{
    struct json_scan s;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    int first;

    json_scan_text(&s, text, strlen(text), "", 0, NULL);
    first = json_scan_peek(&s);
    bool good = c && (first == '-' || (first >= '0' && first <= '9')) && json_scan_value(&s) && json_scan_end(&s);
    if (good)
        *out = strtod_l(text, NULL, c);
    if (c)
        freelocale(c);
    return good;
}

/* ---- what cJSON does not look at ---- */

struct member {
    const char *key;
    size_t index;
};

/* Where the check of a tree is, and memory for the members of the largest object so far. */
struct check {
    const char *file;
    struct err *e;
    const struct json *in[JSON_MAX_DEPTH + 1]; /* from the root down */
    size_t index[JSON_MAX_DEPTH + 1];
    unsigned depth;
    struct member *member;
    size_t room;
};

/* "FILE: launches[3].file: flaw", for the value that the check is at; key: of a member of it, or null. */
static bool set_flaw(const struct check *c, const char *key, const char *flaw)
{
    char path[200] = "";
    size_t n = 0;

    for (unsigned k = 1; k <= c->depth + (key != NULL) && n < sizeof path; k++) {
        const char *name = k <= c->depth ? json_key(c->in[k]) : key;
        if (name)
            n += (size_t)snprintf(path + n, sizeof path - n, "%s%.80s", k > 1 ? "." : "", name);
        else
            n += (size_t)snprintf(path + n, sizeof path - n, "[%zu]", c->index[k]);
    }
    err_set(c->e, ERR_FORMAT, "%s: %s%s%s", c->file, plain_text(path, 0), *path ? ": " : "", flaw);
    return false;
}

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Whether the names of an object's members differ; says the first one that the text repeats. */
static bool check_keys(struct check *c, const struct json *object)
{
    const struct json *v;
    const struct member *again = NULL;
    const char *key;
    size_t n = 0, all = json_members(object);

    if (all > c->room) {
        struct member *more = realloc(c->member, all * sizeof *more);
        if (!more) {
            err_set(c->e, ERR_NOMEM, "%s: out of host memory", c->file);
            return false;
        }
        c->member = more;
        c->room = all;
    }
    json_each_member (object, key, v) {
        c->member[n] = (struct member){key, n};
        n++;
    }
    if (n)
        qsort(c->member, n, sizeof *c->member, by_key);
    for (size_t k = 1; k < n; k++)
        if (strcmp(c->member[k - 1].key, c->member[k].key) == 0 && (!again || c->member[k].index < again->index))
            again = &c->member[k];
    return !again || set_flaw(c, again->key, "given twice; expected once");
}

static bool check_value(struct check *c, const struct json *v)
{
    if (json_is_number(v) && !isfinite(json_number(v)))
        return set_flaw(c, NULL, "impossible value, no double is as large; expected a smaller number");
    if (json_is_object(v) && !check_keys(c, v))
        return false;
    c->depth++;
    size_t k = 0;
    for (const struct json *m = json_first(v); m; m = json_next(m), k++) {
        c->in[c->depth] = m;
        c->index[c->depth] = k;
        if (!check_value(c, m))
            return false;
    }
    c->depth--;
    return true;
}

/* ---- reading ---- */

const struct json *json_text_tree(const char *text, size_t size, const char *file, struct err *e)
{
    struct check c = {.file = file, .e = e};
    const char *why = NULL;

    if (libcjson_open && !libcjson_open(&why)) {
        err_set(e, ERR_IO, "%s: JSON is read by libcjson, which cannot be opened (Debian: libcjson1): %.300s", file,
                why ? why : "not found");
        return NULL;
    }
    const struct json *root = value_of(cJSON_ParseWithLengthOpts(text, size, NULL, 0));
    if (!root) {
        err_set(e, ERR_NOMEM, "%s: out of host memory", file);
        return NULL;
    }
    bool good = check_value(&c, root);
    free(c.member);
    if (good)
        return root;
    json_free(root);
    return NULL;
}

int json_text_check(const char *text, size_t size, const char *file, unsigned depth, struct err *e)
{
    struct json_scan s;

    json_scan_text(&s, text, size, file, depth, e);
    return json_scan_value(&s) && json_scan_end(&s) ? 0 : -1;
}

const struct json *json_text_read(const char *text, size_t size, const char *file, unsigned depth, struct err *e)
{
    return json_text_check(text, size, file, depth, e) == 0 ? json_text_tree(text, size, file, e) : NULL;
}
