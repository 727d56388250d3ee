/* cJSON: linked to, or loaded when JSON is first read.
 *
 * A program that brings its libraries along as archives (the command line, the HSA runtime, the library of the Python
 * wheel) cannot do so with cJSON, of which Debian has no archive, and would pay for a shared one at each start. There
 * sim/util/loaded/libcjson.c stands for cJSON: it opens libcjson.so.1 when a text is first parsed. Everything else is
 * linked with -lcjson and knows nothing of that. */
#ifndef GCNSIM_UTIL_LIBCJSON_H
#define GCNSIM_UTIL_LIBCJSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Whether the library is there; otherwise *why says what the loader says. Null where cJSON is linked to. */
bool libcjson_open(const char **why) __attribute__((weak, visibility("hidden")));

#endif
