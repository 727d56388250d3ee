/* Whether a text is one JSON value by RFC 8259, told before a parser reads it.
 *
 * cJSON takes more than JSON (raw control characters and NUL bytes in strings, bytes that are no UTF-8, numbers such as
 * 1.e, 01 and -, whatever stands in the place of a blank), ends strings at an escaped NUL, and does not tell a lack of
 * memory from an error in the text. What passes here is none of that, so a parser that fails afterwards lacks memory.
 *
 * Refused beyond the RFC: \u0000, which no C string can hold; nesting deeper than the caller's documents are;
 * integers that a double does not hold exactly where rounding would hide that they are above 2^53.
 */
#ifndef GCNSIM_UTIL_JSON_TEXT_H
#define GCNSIM_UTIL_JSON_TEXT_H

#include <stddef.h>

#include "sim/util/error.h"

/* 0, or ERR_FORMAT: "FILE: line L, column C: what; expected what". Columns count bytes. depth: brackets that may be
 * open at the same time. */
int json_text_check(const char *text, size_t size, const char *file, unsigned depth, struct err *e);

#endif
