/* The demangler is libiberty's, which is libstdc++'s, too, and needs no C++. Its own header declares far more than
 * this file wants, and names that other headers have. */
#include "sim/loader/demangle.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* From libiberty's demangle.h. */
enum { DMGL_PARAMS = 1, DMGL_ANSI = 2, DMGL_NO_RECURSE_LIMIT = 1 << 18 };

int cplus_demangle_v3_callback(const char *mangled, int options, void (*append_piece)(const char *, size_t, void *),
                               void *ctx);

struct text {
    char *at;
    size_t used, room;
    jmp_buf too_long; /* with a callback the demangler has nothing on the heap */
};

/* A thousand bytes of substitutions can double what they stand for a hundred times. */
static void append_piece(const char *piece, size_t size, void *ctx)
{
    struct text *t = ctx;

    if (size > DEMANGLE_MAX_PLAIN - t->used)
        longjmp(t->too_long, 1);
    if (t->used + size + 1 > t->room) {
        size_t room = 2 * (t->used + size + 64);
        char *more = realloc(t->at, room);

        if (!more)
            longjmp(t->too_long, 1);
        t->at = more;
        t->room = room;
    }
    memcpy(t->at + t->used, piece, size);
    t->used += size;
    t->at[t->used] = 0;
}

/* libiberty's own limit refuses names of more than 1024 bytes, which templates have; the stack that one of
 * DEMANGLE_MAX_MANGLED can be made to take is about 2 MiB. */
char *demangle(const char *name)
{
    struct text t = {0};
    bool good;

    if (name[0] != '_' || name[1] != 'Z' || strlen(name) > DEMANGLE_MAX_MANGLED)
        return NULL;
    good = !setjmp(t.too_long) &&
           cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT, append_piece, &t);
    if (good && t.at)
        return t.at;
    free(t.at);
    return NULL;
}

/* Whether `want` is in `plain` as the name of the function itself: outside brackets, before '(' or '<', at the
 * beginning or after a scope or a type. "(anonymous namespace)" is balanced. */
static bool is_stem(const char *plain, const char *want)
{
    size_t n = strlen(want);
    int depth = 0;

    for (const char *p = plain; *p && n; p++) {
        bool begins = p == plain || p[-1] == ' ' || p[-1] == ':';

        if (!depth && begins && strncmp(p, want, n) == 0 && (p[n] == '(' || p[n] == '<'))
            return true;
        depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
    }
    return false;
}

enum demangle_match demangle_matches(const char *name, const char *want)
{
    enum demangle_match match = DEMANGLE_NO_MATCH;
    char *plain;

    if (strcmp(name, want) == 0)
        return DEMANGLE_THE_NAME;
    if (strstr(name, want))
        match = DEMANGLE_PART;
    plain = demangle(name);
    if (!plain)
        return match;
    if (strcmp(plain, want) == 0)
        match = DEMANGLE_PLAIN;
    else if (is_stem(plain, want))
        match = DEMANGLE_STEM;
    else if (strstr(plain, want))
        match = DEMANGLE_PART;
    free(plain);
    return match;
}
