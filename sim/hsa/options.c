/* Options from the environment. */
#include "sim/hsa/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ARCH "gfx90a"

static const char *text_of(const char *name)
{
    const char *v = getenv(name);

    return v && *v ? v : NULL;
}

static bool flag(const char *name, bool *out, char *why, size_t n)
{
    const char *v = text_of(name);

    if (!v)
        return true;
    if (strcmp(v, "0") && strcmp(v, "1")) {
        snprintf(why, n, "%s is '%s'; expected 0 or 1", name, v);
        return false;
    }
    *out = *v == '1';
    return true;
}

static bool number(const char *name, double most, double *out, char *why, size_t n)
{
    const char *v = text_of(name);
    char *end;
    double d;

    if (!v)
        return true;
    errno = 0;
    d = strtod(v, &end);
    if (*end || errno || !(d >= 0 && d <= most)) {
        snprintf(why, n, "%s is '%s'; expected a number from 0 to %g", name, v, most);
        return false;
    }
    *out = d;
    return true;
}

static bool word(const char *name, const char *const words[2], bool *second, char *why, size_t n)
{
    const char *v = text_of(name);

    if (!v)
        return true;
    if (strcmp(v, words[0]) && strcmp(v, words[1])) {
        snprintf(why, n, "%s is '%s'; expected %s or %s", name, v, words[0], words[1]);
        return false;
    }
    *second = strcmp(v, words[1]) == 0;
    return true;
}

static bool profiles(struct options *o, char *why, size_t n)
{
    const char *v = text_of("GCNSIM_ARCH");
    char *list = strdup(v ? v : DEFAULT_ARCH), *rest = list, *one;

    if (!list) {
        snprintf(why, n, "no memory for GCNSIM_ARCH");
        return false;
    }
    while ((one = strsep(&rest, ","))) {
        if (!*one || o->profiles == OPTIONS_MAX_AGENTS) {
            snprintf(why, n, "GCNSIM_ARCH is '%s'; expected 1 to %d profiles, separated by commas", v,
                     OPTIONS_MAX_AGENTS);
            free(list);
            return false;
        }
        o->profile[o->profiles++] = one; /* parts of `list`, which is kept */
    }
    return true;
}

/* "A:B", either of which may be missing. */
static bool cycles(uint64_t out[2], char *why, size_t n)
{
    const char *v = text_of("GCNSIM_TRACE_CYCLES"), *at = v;
    char *end;

    if (!v)
        return true;
    for (int k = 0; k < 2; k++, at = end + (*end == ':')) {
        end = (char *)at;
        errno = 0;
        if (*at >= '0' && *at <= '9')
            out[k] = strtoull(at, &end, 10);
        if (errno || *end != (k ? 0 : ':'))
            break;
        if (k && (!out[1] || out[1] > out[0]))
            return true;
    }
    snprintf(why, n, "GCNSIM_TRACE_CYCLES is '%s'; expected A:B, cycles from A on and before B", v);
    return false;
}

bool options_read(struct options *o, char *why, size_t n)
{
    static const char *const engines[] = {"functional", "timing"}, *const slacks[] = {"none", "page"},
                             *const cus[] = {"first", "all"};
    double threads = 0, trace_bytes = 0;

    *o = (struct options){.summary = true,
                          .report = text_of("GCNSIM_REPORT"),
                          .csv = text_of("GCNSIM_CSV"),
                          .html = text_of("GCNSIM_HTML"),
                          .att = text_of("GCNSIM_ATT"),
                          .trace = text_of("GCNSIM_TRACE"),
                          .trace_cus = text_of("GCNSIM_TRACE_CUS"),
                          .kernels = text_of("GCNSIM_KERNELS"),
                          .dispatches = text_of("GCNSIM_DISPATCHES"),
                          .set = text_of("GCNSIM_SET"),
                          .explain = text_of("GCNSIM_EXPLAIN"),
                          .explain_json = text_of("GCNSIM_EXPLAIN_JSON"),
                          .log = text_of("GCNSIM_LOG")};
    if (!word("GCNSIM_ATT_CUS", cus, &o->att_all, why, n) || !profiles(o, why, n) ||
        !word("GCNSIM_ENGINE", engines, &o->timing, why, n) || !word("GCNSIM_SLACK", slacks, &o->page_slack, why, n) ||
        !flag("GCNSIM_CHECK", &o->check, why, n) || !flag("GCNSIM_BLIT_KERNELS", &o->blit_kernels, why, n) ||
        !flag("GCNSIM_SUMMARY", &o->summary, why, n) || !number("GCNSIM_MAX_WALL", 1e9, &o->max_wall_seconds, why, n) ||
        !number("GCNSIM_THREADS", 1024, &threads, why, n) || !cycles(o->trace_cycles, why, n) ||
        !number("GCNSIM_TRACE_SIZE", 0x1p62, &trace_bytes, why, n) || !flag("GCNSIM_TRACE_NS", &o->trace_ns, why, n))
        return false;
    o->threads = (uint32_t)threads;
    o->trace_bytes = (uint64_t)trace_bytes;
    return true;
}
