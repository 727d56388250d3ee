/* Stands for -lcjson in what is linked with archives: opens libcjson.so.1 when a text is first parsed.
 *
 * RTLD_LOCAL keeps cJSON's names from the program and its other libraries. The names below are hidden, and cJSON_free()
 * is the one of the library that parsed, so that a cJSON of the program's own is neither used nor replaced. The library
 * is never closed. A failure may be a passing one (memory, open files), so the next text tries again. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#include "sim/util/libcjson.h"

typedef __typeof__(cJSON_ParseWithLengthOpts) *parse_function;
typedef __typeof__(cJSON_free) *free_function;

/* Set once, free before parse; threads that open the library at the same time store the same. */
static _Atomic(parse_function) libcjson_parse;
static _Atomic(free_function) libcjson_free;

bool libcjson_open(const char **why)
{
    if (atomic_load_explicit(&libcjson_parse, memory_order_acquire))
        return true;
    void *library = dlopen("libcjson.so.1", RTLD_NOW | RTLD_LOCAL);
    parse_function parse = NULL;
    free_function release = NULL;

    if (library)
        *(void **)&release = dlsym(library, "cJSON_free");
    if (release)
        *(void **)&parse = dlsym(library, "cJSON_ParseWithLengthOpts");
    if (!parse) {
        *why = dlerror();
        return false;
    }
    atomic_store_explicit(&libcjson_free, release, memory_order_relaxed);
    atomic_store_explicit(&libcjson_parse, parse, memory_order_release);
    return true;
}

/* Both are called after a libcjson_open() that succeeded. */
cJSON *cJSON_ParseWithLengthOpts(const char *value, size_t size, const char **end, cJSON_bool terminated)
{
    return atomic_load_explicit(&libcjson_parse, memory_order_relaxed)(value, size, end, terminated);
}

void cJSON_free(void *object)
{
    atomic_load_explicit(&libcjson_free, memory_order_relaxed)(object);
}
