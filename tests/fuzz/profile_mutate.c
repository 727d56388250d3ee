/* The mutator of fuzz_profile: changes documents as JSON, with the paths, units and ranges of the table of figures, so
 * that most of what it makes passes the schema and meets the checks after it. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/rows.h"
#include "sim/util/json_text.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

enum { MAX_ITEMS = 400, MAX_TEXT = 8192 };

struct dice {
    uint64_t state;
};

static uint32_t below(struct dice *d, size_t n)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((d->state >> 33) % n);
}

static double a_number(struct dice *d, const struct profile_row *row)
{
    static const double some[] = {0,  1,   2,   3,    4,     8,   10,  12, 16,  32,
                                  64, 100, 256, 1024, 65536, 0.5, 1.5, -1, 1e9, 1e300};

    switch (below(d, 6)) {
    case 0:
        return row->min;
    case 1:
        return row->max;
    case 2:
        return row->min + below(d, 200);
    case 3:
        return 1u << below(d, 24);
    default:
        return some[below(d, sizeof some / sizeof some[0])];
    }
}

/* A member, in the place of one of that name. The key may be that member's own. */
static void put(cJSON *object, const char *key, cJSON *value)
{
    char name[128];

    snprintf(name, sizeof name, "%s", key);
    cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    cJSON_AddItemToObject(object, name, value);
}

/* Null of what is no document, nor can be one. */
static cJSON *document_of(const char *text, size_t size)
{
    struct err e = {0};

    return (cJSON *)(uintptr_t)json_text_read(text, size, "fuzz", 8, &e);
}

static cJSON *a_value(struct dice *d, const struct profile_row *row)
{
    static const char *const texts[] = {"gfx1201", "gfx90a", "gfx803", "gfx12-generic",
                                        "a chip",  "",       "\x01",   "\xc3\xa4"};
    unsigned names = 0;

    switch (below(d, 24)) {
    case 0:
        return cJSON_CreateNull();
    case 1:
        return cJSON_CreateString(texts[below(d, 8)]);
    case 2:
        return cJSON_CreateArray();
    case 3:
        return cJSON_CreateBool(below(d, 2) != 0);
    default:
        break;
    }
    switch ((enum row_type)row->type) {
    case ROW_TEXT:
        return cJSON_CreateString(texts[below(d, 8)]);
    case ROW_U32:
    case ROW_F64:
        return cJSON_CreateNumber(a_number(d, row));
    case ROW_ENUM:
        while (row->names[names])
            names++;
        return cJSON_CreateString(row->names[below(d, names)]);
    case ROW_FLAG:
    case ROW_BOOL:
        break;
    }
    return cJSON_CreateBool(below(d, 2) != 0);
}

/* A figure as users write it, the value alone, or as the built-in profiles have it. */
static cJSON *a_figure(struct dice *d, const struct profile_row *row)
{
    cJSON *value = a_value(d, row);

    if (row->type == ROW_TEXT || row->type == ROW_FLAG || below(d, 2))
        return value;
    cJSON *f = cJSON_CreateObject();
    put(f, "value", value);
    if (row->unit && below(d, 16))
        put(f, "unit", cJSON_CreateString(below(d, 16) ? row->unit : "cycles"));
    if (below(d, 16))
        put(f, "confidence", cJSON_CreateString(profile_confidence_key[below(d, CONF_WHAT_IF + 1)]));
    if (below(d, 16))
        put(f, "source", cJSON_CreateString(below(d, 8) ? "a manual" : ""));
    if (!below(d, 8))
        put(f, "measured_on", cJSON_CreateString(below(d, 2) ? "gfx1201" : "gfx90a gfx942"));
    return f;
}

/* Puts the figure of a row there, with the groups above it. */
static void set_row(struct dice *d, cJSON *doc, const struct profile_row *row)
{
    char path[128], *key = path;

    snprintf(path, sizeof path, "%s", row->path);
    for (char *dot; (dot = strchr(key, '.')); key = dot + 1) {
        *dot = 0;
        cJSON *group = cJSON_GetObjectItemCaseSensitive(doc, key);
        if (!cJSON_IsObject(group)) {
            group = cJSON_CreateObject();
            put(doc, key, group);
        }
        doc = group;
    }
    put(doc, key, a_figure(d, row));
}

static void set_base(struct dice *d, cJSON *doc)
{
    static const char *const bases[] = {
        "gfx1201-rx9070xt", "gfx803-r9nano", "gfx942-mi300x", "gfx90a", "gfx12", "gcn", "gfx10",
        "gfx9-cdna",        "gfx1030",       "gfx950-mi355x", "none",   "x.json"};

    put(doc, "extends", cJSON_CreateString(bases[below(d, sizeof bases / sizeof bases[0])]));
}

struct item {
    cJSON *in, *value;
    const char *key;
};

static void collect(cJSON *of, struct item *items, unsigned *n)
{
    for (cJSON *v = of->child; cJSON_IsObject(of) && v; v = v->next)
        if (*n < MAX_ITEMS) {
            items[(*n)++] = (struct item){of, v, v->string};
            collect(v, items, n);
        }
}

/* One item somewhere in the document: under another name, of another size, or elsewhere, too. */
static void disturb(struct dice *d, cJSON *doc)
{
    static struct item items[MAX_ITEMS];
    unsigned n = 0;

    collect(doc, items, &n);
    if (!n)
        return;
    struct item *one = &items[below(d, n)];
    char key[100];
    switch (below(d, 3)) {
    case 0:
        put(one->in, below(d, 2) ? "values" : profile_rows[below(d, profile_row_count)].path,
            cJSON_Duplicate(one->value, 1));
        break;
    case 1:
        if (cJSON_IsNumber(one->value))
            put(one->in, one->key, cJSON_CreateNumber(one->value->valuedouble * (below(d, 2) ? 2 : 0.5)));
        break;
    default: {
        cJSON *to = items[below(d, n)].value;
        snprintf(key, sizeof key, "%s", one->key);
        if (cJSON_IsObject(to))
            put(to, key, cJSON_Duplicate(one->value, 1));
        break;
    }
    }
}

/* One more of the strings after the document (fuzz_profile.c), or one less. */
static size_t mutate_tail(struct dice *d, uint8_t *data, size_t size, size_t max)
{
    const struct profile_row *row = &profile_rows[below(d, profile_row_count)];
    static const char *const words[] = {"true", "false", "lru", "write_back", "every_cycle", "", "-1", "1e400", "0x10"};
    char text[160];
    int n, group = (int)strcspn(row->path, ".");

    for (size_t last = size; last-- > 0 && below(d, 4) == 0;)
        if (data[last] == 0)
            return last;
    switch (below(d, 6)) {
    case 0:
        n = snprintf(text, sizeof text, "%.*s*", (int)below(d, strlen(row->path) + 1), row->path);
        break;
    case 1:
        n = snprintf(text, sizeof text, "%.*s", below(d, 2) ? group : (int)strlen(row->path), row->path);
        break;
    case 2:
        n = snprintf(text, sizeof text, "%s=%s", row->path, words[below(d, sizeof words / sizeof words[0])]);
        break;
    default:
        n = snprintf(text, sizeof text, "%s=%.10g", row->path, a_number(d, row));
        break;
    }
    if (size + (size_t)n + 1 > max)
        return size;
    data[size] = 0;
    memcpy(data + size + 1, text, (size_t)n);
    return size + (size_t)n + 1;
}

/* The same key once more at the top, which no tree of the reader holds. Takes and gives malloc'd text. */
static char *repeat_a_key(struct dice *d, char *text)
{
    static const char *const members[] = {"\"extends\":\"gcn\"", "\"cu\":{}", "\"chip\":\"a chip\""};
    const char *member = members[below(d, 3)];
    size_t room = strlen(text) + 2 * strlen(member) + 3;
    char *more = *text == '{' ? malloc(room) : NULL;

    if (!more)
        return text;
    snprintf(more, room, "{%s,%s,%s", member, text[1] == '}' ? member : "\"about\":\"\"", text + 1);
    free(text);
    return more;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct dice d = {seed};
    char *text = NULL;

    below(&d, 2);
    if (below(&d, 8) == 0)
        return LLVMFuzzerMutate(data, size, max);
    const uint8_t *zero = memchr(data, 0, size);
    size_t document = zero ? (size_t)(zero - data) : size;
    if (below(&d, 3) == 0)
        return mutate_tail(&d, data, size, max);
    cJSON *doc = document_of((const char *)data, document);
    if (!cJSON_IsObject(doc)) {
        cJSON_Delete(doc);
        doc = cJSON_CreateObject();
        set_base(&d, doc);
    }
    for (unsigned changes = 1 + below(&d, 4); changes; changes--)
        switch (below(&d, 8)) {
        case 0:
            set_base(&d, doc);
            break;
        case 1:
            disturb(&d, doc);
            break;
        default:
            set_row(&d, doc, &profile_rows[below(&d, profile_row_count)]);
            break;
        }
    text = below(&d, 2) ? cJSON_PrintUnformatted(doc) : cJSON_Print(doc);
    cJSON_Delete(doc);
    if (text && below(&d, 32) == 0)
        text = repeat_a_key(&d, text);
    size_t n = text ? strlen(text) : 0, rest = size - document;
    if (!n || n + rest > max) {
        free(text);
        return LLVMFuzzerMutate(data, size, max);
    }
    memmove(data + n, data + document, rest);
    memcpy(data, text, n);
    free(text);
    return n + rest;
}
