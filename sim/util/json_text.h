/* JSON documents: one value by RFC 8259, checked here and read by jansson.
 *
 * The check comes first because it says what is wrong and what was expected, counts columns in bytes, and bounds the
 * nesting before a recursive parser sees it. What passes fails in jansson for repeated keys, for numbers that no double
 * holds (1e999) and for lack of memory alone; the three are told apart.
 *
 * Refused beyond the RFC: \u0000, which no C string can hold; nesting deeper than the caller's documents are; repeated
 * keys; integers that a double does not hold exactly where rounding would hide that they are above 2^53. Every number
 * is read as a double, however it is written: 2 and 2.0 are the same.
 */
#ifndef GCNSIM_UTIL_JSON_TEXT_H
#define GCNSIM_UTIL_JSON_TEXT_H

#include <stddef.h>

#include "sim/util/error.h"

/* 0, or ERR_FORMAT: "FILE: line L, column C: what; expected what". Columns count bytes. depth: brackets that may be
 * open at the same time. */
int json_text_check(const char *text, size_t size, const char *file, unsigned depth, struct err *e);

/* The value, which the caller releases with json_decref(); members of objects are in the order of the text. Null with
 * *e: ERR_NOMEM, or ERR_FORMAT as of json_text_check(), or "FILE: PATH: what; expected what" of a repeated key or a
 * number that is too large. */
struct json_t *json_text_read(const char *text, size_t size, const char *file, unsigned depth, struct err *e);

#endif
