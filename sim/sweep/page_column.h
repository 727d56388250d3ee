/* Columns of the page of a sweep, as JSON that is short: an entry for each point.
 *
 * Entries that repeat are kept once, sorted by their first appearance (texts) or size (numbers), and points have codes:
 * one to three characters each, digits of base 90 with the least significant first, of a number that is 0 for "none"
 * and the entry's index + 1 otherwise. Digits are the characters from '#' to '~' without '<' and '\', which JSON and
 * HTML would escape.
 */
#ifndef GCNSIM_SWEEP_PAGE_COLUMN_H
#define GCNSIM_SWEEP_PAGE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/json_put.h"

#define PAGE_NONE UINT32_MAX

/* Texts, each once. All zero: empty. */
struct page_names {
    char **text;
    uint32_t *slot; /* of a hash table: index + 1, or 0; there are twice as many as room */
    size_t count, room;
};

/* The index of a text, new or not; PAGE_NONE of null, or without memory. */
uint32_t page_name(struct page_names *n, const char *text);
void page_names_free(struct page_names *n);

/* Digits that numbers below `count` need, at least 1. */
unsigned page_code_width(size_t count);
void page_put_code(FILE *f, uint32_t code, unsigned width);
/* "w":1,"at":"##$" of indices (PAGE_NONE: none) into `count` entries. */
void page_put_codes(struct json_put *j, const uint32_t *index, size_t points, size_t count);

/* A number as JSON, as short as it can be: exact, or with nine digits. */
int page_number(char *out, size_t size, double v, bool exact);

/* A column of numbers (NaN: none): a list, or {"of":[...],"w":1,"at":"..."} where that is shorter. `scratch` has room
 * for `points` numbers. False: out of host memory. */
bool page_put_column(struct json_put *j, const double *value, size_t points, bool exact, double *scratch);

#endif
