/* JSON documents: one value by RFC 8259, checked by json_scan.h and parsed by cJSON into a tree that does not change.
 *
 * A text that passes the check fails in cJSON for lack of memory alone. The tree is then looked through for repeated
 * keys and for numbers that no double holds (1e999), which cJSON keeps.
 *
 * Every number is read as a double, however it is written: 2 and 2.0 are the same. Members are in the order of the
 * text. All functions take null for a value that is not there and answer as of one of another kind.
 */
#ifndef GCNSIM_UTIL_JSON_TEXT_H
#define GCNSIM_UTIL_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/util/error.h"

struct json; /* a value in a tree */

/* Goes over the text alone, as json_scan.h does. 0, or ERR_FORMAT. depth: brackets that may be open at the same time.
 */
int json_text_check(const char *text, size_t size, const char *file, unsigned depth, struct err *e);
/* The value, which the caller frees with json_free(). Null with *e:
 * ERR_NOMEM; ERR_FORMAT as of the check, or "FILE: PATH: what; expected what" of a repeated key or a number that is too
 * large; ERR_IO where cJSON is to be loaded and is not there. */
const struct json *json_text_read(const char *text, size_t size, const char *file, unsigned depth, struct err *e);
/* The same of a text that json_scan.h has gone over. */
const struct json *json_text_tree(const char *text, size_t size, const char *file, struct err *e);
/* Frees a tree, not a part of one. */
void json_free(const struct json *root);

bool json_is_object(const struct json *v);
bool json_is_array(const struct json *v);
bool json_is_string(const struct json *v);
bool json_is_number(const struct json *v);
bool json_is_boolean(const struct json *v);
bool json_is_true(const struct json *v);
bool json_is_null(const struct json *v);

/* Whether a text is a number of JSON and nothing else, read without a tree and whatever the program's locale. */
bool json_text_number(const char *text, double *out);

/* Null of what is no string. */
const char *json_text(const struct json *v);
/* 0 of what is no number. */
double json_number(const struct json *v);
/* Whether it is a whole number from 0 to 2^53, in which range doubles are exact. */
bool json_whole(const struct json *v, uint64_t *out);

/* The member of that name; null: there is none, or this is no object. */
const struct json *json_get(const struct json *object, const char *key);
/* The k-th element, found by going over those before it; null beyond the last one, or of what is no array. */
const struct json *json_at(const struct json *array, size_t k);
/* How many there are, which takes going over them; 0 of what is of another kind. */
size_t json_elements(const struct json *array);
size_t json_members(const struct json *object);
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *v);
/* The name of a member. */
const char *json_key(const struct json *member);

#define json_each_member(object, key, value)                                                                           \
    for ((value) = json_is_object(object) ? json_first(object) : NULL; (value) && ((key) = json_key(value));           \
         (value) = json_next(value))
/* k counts; it is compared so that compilers do not warn callers who have no use for it. */
#define json_each_element(array, k, value)                                                                             \
    for ((k) = 0, (value) = json_is_array(array) ? json_first(array) : NULL; (value) && (k) < SIZE_MAX;                \
         (k)++, (value) = json_next(value))

#endif
