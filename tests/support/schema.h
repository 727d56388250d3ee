/* Checks a JSON document against a JSON Schema, as far as the schemas of this project go: type, enum, minimum, maximum,
 * pattern, required, properties, patternProperties, additionalProperties, items, prefixItems, minItems, maxItems, anyOf
 * and $ref into the schema itself. A keyword that is none of these, nor one of the comments ($schema, $defs, title,
 * description), is an error: a schema must not say what nobody checks. Include it behind cmocka.h. */
#ifndef TESTS_SUPPORT_SCHEMA_H
#define TESTS_SUPPORT_SCHEMA_H

#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct schema_at {
    const json_t *root;
    char where[300]; /* path in the document */
    char why[300];   /* of the first violation */
};

static bool schema_ok(struct schema_at *a, const json_t *schema, const json_t *v);

static inline bool schema_bad(struct schema_at *a, const char *why)
{
    if (!a->why[0])
        snprintf(a->why, sizeof a->why, "%.120s: %.160s", a->where, why);
    return false;
}

static inline bool schema_type(const char *type, const json_t *v)
{
    return strcmp(type, "object") == 0    ? json_is_object(v)
           : strcmp(type, "array") == 0   ? json_is_array(v)
           : strcmp(type, "string") == 0  ? json_is_string(v)
           : strcmp(type, "integer") == 0 ? json_is_integer(v)
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
static inline bool schema_part(struct schema_at *a, const json_t *schema, const json_t *v, const char *name)
{
    size_t length = strlen(a->where);

    snprintf(a->where + length, sizeof a->where - length, "/%s", name);
    bool ok = json_is_boolean(schema) ? json_is_true(schema) || schema_bad(a, "not expected") : schema_ok(a, schema, v);
    a->where[length] = 0;
    return ok;
}

static inline bool schema_members(struct schema_at *a, const json_t *schema, const json_t *v)
{
    const json_t *properties = json_object_get(schema, "properties"),
                 *patterns = json_object_get(schema, "patternProperties"),
                 *more = json_object_get(schema, "additionalProperties");
    const char *key, *pattern;
    json_t *member, *s;

    json_object_foreach ((json_t *)v, key, member) {
        bool known = false, ok = true;

        if ((s = json_object_get(properties, key))) {
            known = true;
            ok = schema_part(a, s, member, key);
        }
        json_object_foreach ((json_t *)patterns, pattern, s) {
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

static inline bool schema_elements(struct schema_at *a, const json_t *schema, const json_t *v)
{
    const json_t *first = json_object_get(schema, "prefixItems"), *items = json_object_get(schema, "items"), *bound;

    if ((bound = json_object_get(schema, "minItems")) && (json_int_t)json_array_size(v) < json_integer_value(bound))
        return schema_bad(a, "too few elements");
    if ((bound = json_object_get(schema, "maxItems")) && (json_int_t)json_array_size(v) > json_integer_value(bound))
        return schema_bad(a, "too many elements");
    for (size_t k = 0; k < json_array_size(v); k++) {
        const json_t *s = k < json_array_size(first) ? json_array_get(first, k) : items;
        char name[24];

        snprintf(name, sizeof name, "%zu", k);
        if (s && !schema_part(a, s, json_array_get(v, k), name))
            return false;
    }
    return true;
}

static inline bool schema_any(struct schema_at *a, const json_t *list, const json_t *v)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        struct schema_at own = {.root = a->root};

        if (schema_ok(&own, json_array_get(list, k), v))
            return true;
    }
    return schema_bad(a, "none of the alternatives");
}

static inline bool schema_enum(struct schema_at *a, const json_t *list, const json_t *v)
{
    for (size_t k = 0; k < json_array_size(list); k++)
        if (json_equal(json_array_get(list, k), v))
            return true;
    return schema_bad(a, "not one of the values");
}

static bool schema_ok(struct schema_at *a, const json_t *schema, const json_t *v)
{
    static const char *const comments[] = {
        "$schema", "$defs",       "title",    "description", "properties", "patternProperties", "additionalProperties",
        "items",   "prefixItems", "minItems", "maxItems"};
    const char *key;
    json_t *s;

    json_object_foreach ((json_t *)schema, key, s) {
        bool ok = true, known = false;

        for (size_t k = 0; k < sizeof comments / sizeof comments[0]; k++)
            known |= strcmp(key, comments[k]) == 0; /* those of members and elements come below */
        if (known)
            continue;
        if (strcmp(key, "type") == 0)
            ok = schema_type(json_string_value(s), v) || schema_bad(a, json_string_value(s));
        else if (strcmp(key, "enum") == 0)
            ok = schema_enum(a, s, v);
        else if (strcmp(key, "minimum") == 0)
            ok = json_number_value(v) >= json_number_value(s) || schema_bad(a, "too small");
        else if (strcmp(key, "maximum") == 0)
            ok = json_number_value(v) <= json_number_value(s) || schema_bad(a, "too large");
        else if (strcmp(key, "pattern") == 0)
            ok = (json_is_string(v) && schema_matches(json_string_value(s), json_string_value(v))) ||
                 schema_bad(a, json_string_value(s));
        else if (strcmp(key, "anyOf") == 0)
            ok = schema_any(a, s, v);
        else if (strcmp(key, "$ref") == 0 && strncmp(json_string_value(s), "#/$defs/", 8) == 0)
            ok = schema_ok(a, json_object_get(json_object_get(a->root, "$defs"), json_string_value(s) + 8), v);
        else if (strcmp(key, "required") == 0)
            for (size_t k = 0; ok && k < json_array_size(s); k++)
                ok = json_object_get(v, json_string_value(json_array_get(s, k))) ||
                     schema_bad(a, json_string_value(json_array_get(s, k)));
        else
            ok = schema_bad(a, key);
        if (!ok)
            return false;
    }
    return (!json_is_object(v) || schema_members(a, schema, v)) && (!json_is_array(v) || schema_elements(a, schema, v));
}

/* Reads both; the document, to be released with json_decref(). Fails the test when it is not as the schema says. */
static inline json_t *schema_read(const char *schema_path, const char *path)
{
    json_error_t e = {0};
    json_t *schema = json_load_file(schema_path, JSON_REJECT_DUPLICATES, &e);

    if (!schema)
        fail_msg("%s:%d: %s", schema_path, e.line, e.text);
    json_t *v = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
    if (!v)
        fail_msg("%s:%d: %s", path, e.line, e.text);
    struct schema_at a = {.root = schema};
    if (!schema_ok(&a, schema, v))
        fail_msg("%s: %s, as %s has it", path, a.why, schema_path);
    json_decref(schema);
    return v;
}

#endif
