/* The grammar of JSON (RFC 8259): one pass over a text in memory or a file of any size, without a tree.
 *
 * It stands in front of the parser, and under the reader of large files: it says what is wrong, where, and what was
 * expected, and bounds the nesting before a recursive parser sees the text. Columns count bytes.
 *
 * Refused beyond the RFC: \u0000, which no C string can hold; nesting deeper than the caller's documents are; numbers
 * of more than 63 characters, which the parser cuts; numbers that round to 2^53 and are larger, so that ranges that end
 * at 2^53 hold what they say. Repeated keys and numbers that no double holds are seen in the tree (json_text.h).
 *
 * The first error is kept in *e ("FILE: line L, column C: what; expected what"); all functions fail from then on.
 */
#ifndef GCNSIM_UTIL_JSON_SCAN_H
#define GCNSIM_UTIL_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/error.h"

enum {
    JSON_MAX_DEPTH = 256,
    JSON_KEPT_BYTES = 1 << 20, /* at most, of a value of a file */
};

struct json_scan {
    const char *name; /* of the file, for messages */
    struct err *e;
    bool failed;
    const char *text; /* all of it, or the part of the file that is in memory */
    size_t size, at;
    unsigned line, column;       /* of text[0], from 0 on */
    unsigned depth, limit;       /* brackets that are open, and that may be open */
    bool object[JSON_MAX_DEPTH]; /* of each open bracket: {, not [ */
    FILE *f;                     /* null: a text in memory */
    char *buffer;                /* of a file; `text` points to it */
    size_t room;
    bool keeps; /* the bytes from `kept` on stay in memory */
    size_t kept;
};

/* What is given stays the caller's. depth: brackets that may be open at the same time, JSON_MAX_DEPTH at most. */
void json_scan_text(struct json_scan *s, const char *text, size_t size, const char *name, unsigned depth,
                    struct err *e);
/* The file is read ahead of the place. json_scan_free() ends it. */
void json_scan_file(struct json_scan *s, FILE *f, const char *name, unsigned depth, struct err *e);
void json_scan_free(struct json_scan *s);

/* The next byte that is no white space, which stays; -1 at the end and after an error. */
int json_scan_peek(struct json_scan *s);
/* Goes over a value with all in it. */
bool json_scan_value(struct json_scan *s);
/* Goes over a value and says where it lies in memory, until the next call; null after an error. */
const char *json_scan_keep(struct json_scan *s, size_t *size);
/* Nothing but white space follows. */
bool json_scan_end(struct json_scan *s);
/* Opens a bracket that the caller goes down into: its byte is taken. */
bool json_scan_open(struct json_scan *s);

/* An error at the place; always false. */
bool json_scan_wrong(struct json_scan *s, const char *flaw);

#endif
