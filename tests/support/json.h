/* What tests do with JSON beyond reading it: trees of texts and files, compared, changed and printed by cJSON. */
#ifndef TESTS_SUPPORT_JSON_H
#define TESTS_SUPPORT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_text.h"

enum { JSON_TEST_DEPTH = 256 };

/* A tree of the library is one of cJSON. */
static inline cJSON *json_node(const struct json *v)
{
    return (cJSON *)(uintptr_t)v;
}

/* Null with the reason on stderr. */
static inline const struct json *json_parse_bytes(const char *text, size_t size)
{
    struct err e = {0};
    const struct json *v = json_text_read(text, size, "JSON", JSON_TEST_DEPTH, &e);

    if (!v)
        fprintf(stderr, "%s\n", e.text);
    return v;
}

static inline const struct json *json_parse(const char *text)
{
    return json_parse_bytes(text, strlen(text));
}

static inline const struct json *json_parse_file(const char *path)
{
    FILE *f = fopen(path, "rb"), *to;
    char *text = NULL, part[4096];
    size_t size = 0, n;
    const struct json *v = NULL;

    if (f && (to = open_memstream(&text, &size))) {
        while ((n = fread(part, 1, sizeof part, f)))
            fwrite(part, 1, n, to);
        if (fclose(to) == 0)
            v = json_parse_bytes(text, size);
        free(text);
    }
    if (f)
        fclose(f);
    if (!v)
        fprintf(stderr, "%s: cannot be read as JSON\n", path);
    return v;
}

static inline long long json_integer(const struct json *v)
{
    return (long long)json_number(v);
}

static inline bool json_is_whole(const struct json *v)
{
    return json_is_number(v) && json_number(v) == (double)json_integer(v);
}

/* Members in any order. */
static inline bool json_equal(const struct json *a, const struct json *b)
{
    const struct json *v, *w;
    const char *key;

    if (!a || !b || json_node(a)->type != json_node(b)->type)
        return false;
    if (json_is_string(a))
        return strcmp(json_text(a), json_text(b)) == 0;
    if (json_is_number(a))
        return json_number(a) == json_number(b);
    if (json_members(a) != json_members(b) || json_elements(a) != json_elements(b))
        return false;
    json_each_member (a, key, v)
        if (!json_equal(v, json_get(b, key)))
            return false;
    if (json_is_array(a))
        for (v = json_first(a), w = json_first(b); v; v = json_next(v), w = json_next(w))
            if (!json_equal(v, w))
                return false;
    return true;
}

static inline void json_remove(const struct json *object, const char *key)
{
    cJSON_DeleteItemFromObjectCaseSensitive(json_node(object), key);
}

/* Without white space; to be freed. */
static inline char *json_print(const struct json *v)
{
    return cJSON_PrintUnformatted(json_node(v));
}

#endif
