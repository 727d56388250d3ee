/* JSON written to a stream: commas, quotes and indentation in one place, laid out as the caller's format is.
 *
 *     struct json_put j = {.f = f};
 *
 *     json_put(&j, "{\n kernel: %s, grid: [%u, %u, %u], rows: [\n", name, x, y, z);
 *     for (...)
 *         json_put(&j, "{pc: %" PRIx64 ", hits: %u, hot: %hhd}", row->pc, row->hits, row->hot);
 *     json_put(&j, "]}\n");
 *
 * writes
 *
 *     {
 *       "kernel": "vecadd",
 *       "grid": [64, 1, 1],
 *       "rows": [
 *         {"pc": "0x100", "hits": 3, "hot": true},
 *         {"pc": "0x104", "hits": 0, "hot": false}
 *       ]
 *     }
 *
 * A format is JSON whose names have no quotes. It may begin and end anywhere: brackets stay open over calls, and a name
 * may be the last word of one call and its value the first of the next. Compilers check the arguments as printf()'s:
 *
 *     NAME:  "%s:"  "%.*s:"   the name of a member
 *     %s                      a string, or null for a null pointer
 *     %u %d %zu %llu ...      a number
 *     %x %llx                 "0x..." in quotes, as JSON has no such numbers
 *     %.6g %f %e              a number of that form, in the locale's spelling
 *     %hhd                    a bool: true or false
 *     true null 0.95          the same
 *     , and blanks            are there for readers; the commas of the output come by themselves
 *
 * Layout. A bracket that is followed by a newline has each element in a line of its own, indented by its depth;
 * elements of others follow one another in the line. A newline elsewhere ends the line before what comes next, which is
 * indented by the blanks that follow the newline. Compact documents have no blanks after commas and colons and no
 * indentation, and there a bracket followed by a newline has a line for each element but the first.
 *
 * Writing that fails is remembered by the stream, whose owner asks it at the end (output_close(), text_stream_close()).
 * Brackets that do not match are asserted. Strings may be any bytes: what is no UTF-8 becomes U+FFFD.
 */
#ifndef GCNSIM_UTIL_JSON_PUT_H
#define GCNSIM_UTIL_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_put {
    FILE *f;
    bool compact;
    unsigned depth; /* open brackets; more than 0 at the beginning for a value inside of another document */
    /* of the writer alone */
    uint64_t lines, objects; /* by depth: brackets whose elements have lines of their own, those that are objects */
    bool filled;             /* the innermost bracket has an element */
    bool named;              /* a value is expected after a name */
    bool broken;             /* the next element begins a line, after so many blanks */
    unsigned blanks;
};

__attribute__((format(printf, 2, 3))) void json_put(struct json_put *j, const char *format, ...);

/* Members with dotted paths: "cache.l2.misses" is misses in l2 in cache. Paths that follow one another share the
 * objects that both are in. */
struct json_paths {
    struct json_put *j;
    const char *last; /* the path before; stays the caller's */
    unsigned depth;   /* objects that are open */
};

/* Writes the name of a member, of which the value follows. */
void json_put_path(struct json_paths *p, const char *path);
/* Closes the objects that are open. */
void json_put_paths_end(struct json_paths *p);

/* The stream, at the place of the next value, which the caller writes. */
FILE *json_put_raw(struct json_put *j);

/* A string with its quotes. Any part that a terminal would obey (sim/util/plain.h) is escaped, so that it comes out as
 * it was, and does nothing on the way. */
void json_put_string(FILE *f, const char *s);

/* A JSON text for a script element of a page, in which "</script>" and "<!--" must not be: '<', which is in strings
 * alone, becomes an escape. */
void json_put_script(FILE *f, const char *json);

#endif
