/* JSON documents read piece by piece, so that a file of any size takes little memory.
 *
 * The caller goes down into the objects and arrays that may be large, takes the small values in them as trees, and
 * skips the others. All of it is checked (json_scan.h).
 *
 *     if (!json_stream_enter(&s, '{'))
 *         while (json_stream_key(&s, key, sizeof key))
 *             if (strcmp(key, "rows") != 0 || json_stream_enter(&s, '['))
 *                 json_stream_skip(&s);
 *             else
 *                 while (json_stream_element(&s)) { const struct json *v = json_stream_value(&s); ... }
 *
 * The first error is kept in *e ("FILE: line L, column C: what; expected what"), and ends all loops: every function
 * then answers false, null or non-zero.
 */
#ifndef GCNSIM_UTIL_JSON_STREAM_H
#define GCNSIM_UTIL_JSON_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/util/json_scan.h"
#include "sim/util/json_text.h"

enum {
    JSON_STREAM_DEPTH = 32, /* brackets that may be open at the same time */
};

struct json_stream {
    struct json_scan scan;
    bool begun[JSON_STREAM_DEPTH]; /* by depth: there has been a member or an element */
};

/* The file and the name stay the caller's. The file is read ahead. */
void json_stream_init(struct json_stream *s, FILE *f, const char *name, struct err *e);
void json_stream_free(struct json_stream *s);

/* An error about the value that was taken last; always false. */
bool json_stream_wrong(struct json_stream *s, const char *what);
bool json_stream_failed(const struct json_stream *s);

/* The next value is an object ('{') or an array ('['): its members come next. 0, or non-zero with *e. */
int json_stream_enter(struct json_stream *s, char open);
/* Whether it is one of that kind; nothing is taken. */
bool json_stream_is(struct json_stream *s, char open);
/* The next member of the object, of which the value follows; false: there is none, and the object has been left. A name
 * that does not fit is cut. */
bool json_stream_key(struct json_stream *s, char *key, size_t size);
/* Whether another element of the array follows; false: none does, and the array has been left. */
bool json_stream_element(struct json_stream *s);
/* The next value, to be freed with json_free(); null with *e: malformed, or too large. */
const struct json *json_stream_value(struct json_stream *s);
void json_stream_skip(struct json_stream *s);
/* Nothing but white space follows. 0, or non-zero with *e. */
int json_stream_end(struct json_stream *s);

#endif
