/* Checks a JSON document against a JSON Schema, as far as the schemas of this project go: type, enum, minimum, maximum,
 * pattern, required, properties, patternProperties, additionalProperties, items, prefixItems, minItems, maxItems, anyOf
 * and $ref into the schema itself. A keyword that is none of these, nor one of the comments ($schema, $defs, title,
 * description), is an error: a schema must not say what nobody checks. Include it after cmocka.h. */
#ifndef TESTS_SUPPORT_SCHEMA_H
#define TESTS_SUPPORT_SCHEMA_H

#include "tests/support/json.h"
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct schema_at {
    const struct json *root;
    char where[300]; /* path in the document */
    char why[300];   /* of the first violation */
};

static bool schema_ok(struct schema_at *a, const struct json *schema, const struct json *v);

static inline bool schema_bad(struct schema_at *a, const char *why)
{
    if (!a->why[0])
        snprintf(a->why, sizeof a->why, "%.120s: %.160s", a->where, why);
    return false;
}

static inline bool schema_type(const char *type, const struct json *v)
{
    return strcmp(type, "object") == 0    ? json_is_object(v)
           : strcmp(type, "array") == 0   ? json_is_array(v)
           : strcmp(type, "string") == 0  ? json_is_string(v)
           : strcmp(type, "integer") == 0 ? json_is_whole(v)
           : strcmp(type, "number") == 0  ? json_is_number(v)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(v)
                                          : false;
}

static inline bool schema_matches(const char *pattern, const char *text)
{
    regex_t r;

    if (regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB))
        return false;
    bool yes = regexec(&r, text, 0, NULL, 0) == 0;
    regfree(&r);
    return yes;
}

/* One part of a document, whose name is appended to the path meanwhile. */
static inline bool schema_part(struct schema_at *a, const struct json *schema, const struct json *v, const char *name)
{
    size_t length = strlen(a->where);

    snprintf(a->where + length, sizeof a->where - length, "/%s", name);
    bool ok = json_is_boolean(schema) ? json_is_true(schema) || schema_bad(a, "not expected") : schema_ok(a, schema, v);
    a->where[length] = 0;
    return ok;
}

static inline bool schema_members(struct schema_at *a, const struct json *schema, const struct json *v)
{
    const struct json *properties = json_get(schema, "properties"), *patterns = json_get(schema, "patternProperties"),
                      *more = json_get(schema, "additionalProperties");
    const char *key, *pattern;
    const struct json *member, *s;

    json_each_member (v, key, member) {
        bool known = false, ok = true;

        if ((s = json_get(properties, key))) {
            known = true;
            ok = schema_part(a, s, member, key);
        }
        json_each_member (patterns, pattern, s) {
            if (schema_matches(pattern, key)) {
                known = true;
                ok = ok && schema_part(a, s, member, key);
            }
        }
        if (!ok || (!known && more && !schema_part(a, more, member, key)))
            return false;
    }
    return true;
}

static inline bool schema_elements(struct schema_at *a, const struct json *schema, const struct json *v)
{
    const struct json *first = json_get(schema, "prefixItems"), *items = json_get(schema, "items"), *bound;

    if ((bound = json_get(schema, "minItems")) && (long long)json_elements(v) < json_integer(bound))
        return schema_bad(a, "too few elements");
    if ((bound = json_get(schema, "maxItems")) && (long long)json_elements(v) > json_integer(bound))
        return schema_bad(a, "too many elements");
    for (size_t k = 0; k < json_elements(v); k++) {
        const struct json *s = k < json_elements(first) ? json_at(first, k) : items;
        char name[24];

        snprintf(name, sizeof name, "%zu", k);
        if (s && !schema_part(a, s, json_at(v, k), name))
            return false;
    }
    return true;
}

static inline bool schema_any(struct schema_at *a, const struct json *list, const struct json *v)
{
    for (size_t k = 0; k < json_elements(list); k++) {
        struct schema_at own = {.root = a->root};

        if (schema_ok(&own, json_at(list, k), v))
            return true;
    }
    return schema_bad(a, "none of the alternatives");
}

static inline bool schema_enum(struct schema_at *a, const struct json *list, const struct json *v)
{
    for (size_t k = 0; k < json_elements(list); k++)
        if (json_equal(json_at(list, k), v))
            return true;
    return schema_bad(a, "not one of the values");
}

static bool schema_ok(struct schema_at *a, const struct json *schema, const struct json *v)
{
    static const char *const comments[] = {
        "$schema", "$defs",       "title",    "description", "properties", "patternProperties", "additionalProperties",
        "items",   "prefixItems", "minItems", "maxItems"};
    const char *key;
    const struct json *s;

    json_each_member (schema, key, s) {
        bool ok = true, known = false;

        for (size_t k = 0; k < sizeof comments / sizeof comments[0]; k++)
            known |= strcmp(key, comments[k]) == 0; /* those of members and elements come below */
        if (known)
            continue;
        if (strcmp(key, "type") == 0)
            ok = schema_type(json_text(s), v) || schema_bad(a, json_text(s));
        else if (strcmp(key, "enum") == 0)
            ok = schema_enum(a, s, v);
        else if (strcmp(key, "minimum") == 0)
            ok = json_number(v) >= json_number(s) || schema_bad(a, "too small");
        else if (strcmp(key, "maximum") == 0)
            ok = json_number(v) <= json_number(s) || schema_bad(a, "too large");
        else if (strcmp(key, "pattern") == 0)
            ok = (json_is_string(v) && schema_matches(json_text(s), json_text(v))) || schema_bad(a, json_text(s));
        else if (strcmp(key, "anyOf") == 0)
            ok = schema_any(a, s, v);
        else if (strcmp(key, "$ref") == 0 && strncmp(json_text(s), "#/$defs/", 8) == 0)
            ok = schema_ok(a, json_get(json_get(a->root, "$defs"), json_text(s) + 8), v);
        else if (strcmp(key, "required") == 0)
            for (size_t k = 0; ok && k < json_elements(s); k++)
                ok = json_get(v, json_text(json_at(s, k))) || schema_bad(a, json_text(json_at(s, k)));
        else
            ok = schema_bad(a, key);
        if (!ok)
            return false;
    }
    return (!json_is_object(v) || schema_members(a, schema, v)) && (!json_is_array(v) || schema_elements(a, schema, v));
}

/* Reads both; the document, to be released with json_free(). Fails the test when it is not as the schema says. */
static inline const struct json *schema_read(const char *schema_path, const char *path)
{
    const struct json *schema = json_parse_file(schema_path);

    if (!schema)
        fail_msg("%s: no schema", schema_path);
    const struct json *v = json_parse_file(path);
    if (!v)
        fail_msg("%s: no document", path);
    struct schema_at a = {.root = schema};
    if (!schema_ok(&a, schema, v))
        fail_msg("%s: %s, as %s has it", path, a.why, schema_path);
    json_free(schema);
    return v;
}

#endif
