/* Options from the environment. */
#include "sim/hsa/options.h"

#include <errno.h>
#include <inttypes.h>
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

/* *place: that of the value among the words, which end with a null. */
static bool word(const char *name, const char *const *words, unsigned *place, char *why, size_t n)
{
    const char *v = text_of(name);
    size_t used = 0;

    for (unsigned k = 0; v && words[k]; k++)
        if (strcmp(v, words[k]) == 0) {
            *place = k;
            return true;
        }
    if (!v)
        return true;
    used = (size_t)snprintf(why, n, "%s is '%s'; expected ", name, v);
    for (unsigned k = 0; words[k] && used < n; k++)
        used += (size_t)snprintf(why + used, n - used, "%s%s", !k ? "" : words[k + 1] ? ", " : " or ", words[k]);
    return false;
}

/* The same of two words. */
static bool either(const char *name, const char *const *words, bool *second, char *why, size_t n)
{
    unsigned place = *second;
    bool good = word(name, words, &place, why, n);

    *second = place == 1;
    return good;
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

/* A whole number, decimal or 0x hexadecimal; advances *at behind it, or leaves it. */
static bool whole(const char **at, uint64_t *out)
{
    bool hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, hex ? 16 : 10);
    *at = end;
    return !errno;
}

static bool count(const char *name, uint64_t most, uint64_t *out, char *why, size_t n)
{
    const char *v = text_of(name), *at = v;

    if (!v || (whole(&at, out) && !*at && *out <= most))
        return true;
    snprintf(why, n, "%s is '%s'; expected a whole number from 0 to %" PRIu64, name, v, most);
    return false;
}

/* "A:B", either of which may be missing, with B above A. */
static bool span(const char *name, uint64_t out[2], char *why, size_t n)
{
    const char *v = text_of(name), *at = v;

    if (!v)
        return true;
    if ((*at == ':' || whole(&at, &out[0])) && *at++ == ':' && (!*at || (whole(&at, &out[1]) && out[1] > out[0])) &&
        !*at)
        return true;
    snprintf(why, n, "%s is '%s'; expected A:B, from A on and before B", name, v);
    return false;
}

static bool wave(struct options *o, char *why, size_t n)
{
    const char *v = text_of("GCNSIM_TIMELINE"), *at = v;

    if (!v)
        return true;
    o->timeline = whole(&at, &o->timeline_of[0]) && *at++ == ':' && whole(&at, &o->timeline_of[1]) && !*at &&
                  o->timeline_of[1] <= UINT16_MAX;
    if (!o->timeline)
        snprintf(why, n, "GCNSIM_TIMELINE is '%s'; expected WG:WAVE, the number of a workgroup and of a wave in it", v);
    return o->timeline;
}

/* "kernels", "kernels=AUTO" or "kernels=N". */
static bool sample(struct options *o, char *why, size_t n)
{
    const char *v = text_of("GCNSIM_SAMPLE"), *at = v ? v + strlen("kernels") : v;
    uint64_t number = 0;

    if (!v)
        return true;
    if (strncmp(v, "kernels", strlen("kernels")) != 0 ||
        (*at && strcmp(at, "=AUTO") != 0 &&
         (*at++ != '=' || !whole(&at, &number) || *at || number < 2 || number > UINT32_MAX))) {
        snprintf(why, n, "GCNSIM_SAMPLE is '%s'; expected kernels, kernels=AUTO or kernels=N with N from 2 on", v);
        return false;
    }
    if (!o->timing || o->check) {
        snprintf(why, n, "GCNSIM_SAMPLE estimates times; expected GCNSIM_ENGINE=timing%s",
                 o->timing ? " without GCNSIM_CHECK" : " beside it");
        return false;
    }
    o->sample_kernels = true;
    o->representatives = (uint32_t)number;
    return true;
}

/* What is told of runs, beside their reports. */
static bool views(struct options *o, char *why, size_t n)
{
    static const char *const sorts[] = {"pc", "cycles", "executed", "latency", "stall", NULL}, *const colors[] = {
                                                                                                   "auto", "always",
                                                                                                   "never", NULL};
    uint64_t top = 0;
    bool good = flag("GCNSIM_ANNOTATE", &o->annotate, why, n) && word("GCNSIM_SORT", sorts, &o->sort, why, n) &&
                count("GCNSIM_TOP", UINT32_MAX, &top, why, n) && word("GCNSIM_COLOR", colors, &o->color, why, n) &&
                flag("GCNSIM_PER_INSTRUCTION", &o->per_instruction, why, n) &&
                count("GCNSIM_SAMPLES", UINT32_MAX, &o->samples, why, n) && wave(o, why, n) &&
                span("GCNSIM_TIMELINE_ROWS", o->timeline_rows, why, n);

    o->function = text_of("GCNSIM_FUNCTION");
    o->of = text_of("GCNSIM_OF");
    o->json = text_of("GCNSIM_JSON");
    o->csv_statistics = text_of("GCNSIM_CSV_STATISTICS");
    o->csv_counters = text_of("GCNSIM_CSV_COUNTERS");
    o->csv_instructions = text_of("GCNSIM_CSV_INSTRUCTIONS");
    o->top = (uint32_t)top;
    return good;
}

bool options_read(struct options *o, char *why, size_t n)
{
    static const char *const engines[] = {"functional", "timing", NULL}, *const slacks[] = {"none", "page", NULL},
                             *const cus[] = {"first", "all", NULL};
    uint64_t threads = 0, warmup = 0;

    *o = (struct options){.summary = true,
                          .page_slack = true,
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
    if (!either("GCNSIM_ATT_CUS", cus, &o->att_all, why, n) || !profiles(o, why, n) ||
        !either("GCNSIM_ENGINE", engines, &o->timing, why, n) ||
        !either("GCNSIM_SLACK", slacks, &o->page_slack, why, n) || !flag("GCNSIM_CHECK", &o->check, why, n) ||
        !flag("GCNSIM_IGNORE_LDS_RACES", &o->ignore_lds_races, why, n) ||
        !flag("GCNSIM_BLIT_KERNELS", &o->blit_kernels, why, n) || !flag("GCNSIM_SUMMARY", &o->summary, why, n) ||
        !flag("GCNSIM_DETAILS", &o->details, why, n) || !number("GCNSIM_MAX_WALL", 1e9, &o->max_wall_seconds, why, n) ||
        !count("GCNSIM_THREADS", 1024, &threads, why, n) ||
        !count("GCNSIM_EXPLAIN_WARMUP", UINT32_MAX, &warmup, why, n) ||
        !span("GCNSIM_TRACE_CYCLES", o->trace_cycles, why, n) ||
        !count("GCNSIM_TRACE_SIZE", UINT64_C(1) << 62, &o->trace_bytes, why, n) ||
        !flag("GCNSIM_TRACE_NS", &o->trace_ns, why, n) || !sample(o, why, n) || !views(o, why, n))
        return false;
    o->threads = (uint32_t)threads;
    o->explain_warmup = (uint32_t)warmup;
    return true;
}
