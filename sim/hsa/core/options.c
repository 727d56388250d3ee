/* Options from the environment: a row for each variable. */
#include "sim/hsa/core/options.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/number.h"

#define DEFAULT_ARCH     "gfx90a"
#define MAX_WALL_SECONDS 1e9
#define MOST_THREADS     1024
#define MOST_GROUPS      ((UINT64_C(1) << 48) - 1)

/* ---- values: true when the text is understood; `at` is where it goes ---- */

struct row {
    const char *name;
    bool (*read)(const struct row *row, const char *text, void *at);
    size_t at;            /* in struct options */
    const char *expected; /* null: by the kind of value */
    const char *words;    /* separated by bars */
    uint64_t least, most; /* of a number */
    bool timing;          /* the functional engine has nothing of it */
};

static bool is_flag(const char *text)
{
    return strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
}

static bool flag(const struct row *row, const char *text, void *at)
{
    (void)row;
    if (is_flag(text))
        *(bool *)at = *text == '1';
    return is_flag(text);
}

/* The place of the text among the words. */
static bool word(const struct row *row, const char *text, void *at)
{
    size_t length = strlen(text);
    unsigned place = 0;

    for (const char *w = row->words;; w++, place++) {
        size_t n = strcspn(w, "|");

        if (n == length && strncmp(w, text, n) == 0) {
            *(unsigned *)at = place;
            return true;
        }
        w += n;
        if (!*w)
            return false;
    }
}

/* Whether it is the second of two words. */
static bool second(const struct row *row, const char *text, void *at)
{
    unsigned place;
    bool good = word(row, text, &place);

    if (good)
        *(bool *)at = place == 1;
    return good;
}

static bool count(const struct row *row, const char *text, void *at)
{
    uint64_t v;
    bool good = number_read(text, NULL, row->most, &v) && v >= row->least;

    if (good)
        *(uint64_t *)at = v;
    return good;
}

static bool count32(const struct row *row, const char *text, void *at)
{
    uint64_t v;
    bool good = count(row, text, &v);

    if (good)
        *(uint32_t *)at = (uint32_t)v;
    return good;
}

static bool seconds(const struct row *row, const char *text, void *at)
{
    (void)row;
    return number_seconds(text, MAX_WALL_SECONDS, at);
}

/* "A:B", either of which may be missing, with B above A. */
static bool span(const struct row *row, const char *text, void *at)
{
    const char *colon = strchr(text, ':');
    uint64_t *out = at, v[2] = {0};

    (void)row;
    if (!colon || (colon != text && !number_read(text, colon, UINT64_MAX, &v[0])) ||
        (colon[1] && (!number_read(colon + 1, NULL, UINT64_MAX, &v[1]) || v[1] <= v[0])))
        return false;
    out[0] = v[0];
    out[1] = v[1];
    return true;
}

static bool wave(const struct row *row, const char *text, void *at)
{
    const char *colon = strchr(text, ':');
    struct options *o = at;

    (void)row;
    o->timeline = colon && number_read(text, colon, MOST_GROUPS, &o->timeline_of[0]) &&
                  number_read(colon + 1, NULL, UINT16_MAX, &o->timeline_of[1]);
    return o->timeline;
}

static bool text_of(const struct row *row, const char *text, void *at)
{
    (void)row;
    *(const char **)at = text;
    return true;
}

/* "KERNEL" or "KERNEL,N" */
static bool kernel(const struct row *row, const char *text, void *at)
{
    size_t name;
    uint64_t n;

    return number_choice(text, &name, &n) && text_of(row, text, at);
}

/* Numbers and ranges; "0,4-7" */
static bool list(const struct row *row, const char *text, void *at)
{
    const char *rest = text;
    uint64_t from, to;

    do
        if (!number_range(&rest, row->least, row->most, &from, &to))
            return false;
    while (*rest);
    return text_of(row, text, at);
}

static bool profiles(const struct row *row, const char *text, void *at)
{
    struct options *o = at;
    char *parts = strdup(text), *rest = parts, *one; /* kept with the options */

    (void)row;
    o->profiles = 0;
    while ((one = strsep(&rest, ","))) {
        if (!*one || o->profiles == OPTIONS_MAX_AGENTS) {
            free(parts);
            o->profiles = 0;
            return false;
        }
        o->profile[o->profiles++] = one;
    }
    return parts != NULL;
}

/* "kernels", "kernels=AUTO" or "kernels=N" */
static bool sample(const struct row *row, const char *text, void *at)
{
    static const char form[] = "kernels";
    const char *behind = strncmp(text, form, strlen(form)) == 0 ? text + strlen(form) : "?";
    struct options *o = at;
    uint64_t n = 0;

    (void)row;
    if (*behind && strcmp(behind, "=AUTO") != 0 &&
        (*behind != '=' || !number_read(behind + 1, NULL, UINT32_MAX, &n) || n < 2))
        return false;
    o->sample_kernels = true;
    o->representatives = (uint32_t)n;
    return true;
}

/* ---- the variables ---- */

#define AT(MEMBER)    .at = offsetof(struct options, MEMBER)
#define ALL           .at = 0
#define KERNEL_FORM   "KERNEL or KERNEL,N with N from 1 on"
#define SPAN_FORM     "A:B, from A on and before B"
#define NUMBERS(A, B) .least = (A), .most = (B)

static const struct row rows[] = {
    {"GCNSIM_ARCH", profiles, ALL, .expected = "1 to 16 profiles, separated by commas"},
    {"GCNSIM_ENGINE", second, AT(timing), .words = "functional|timing"},
    {"GCNSIM_THREADS", count32, AT(threads), NUMBERS(0, MOST_THREADS)},
    {"GCNSIM_SET", text_of, AT(set)},
    {"GCNSIM_SLACK", second, AT(page_slack), .words = "none|page"},
    {"GCNSIM_KERNELS", text_of, AT(kernels), .timing = true}, /* select_read() looks at it */
    {"GCNSIM_DISPATCHES", list, AT(dispatches), NUMBERS(1, UINT64_MAX), .timing = true,
     .expected = "numbers from 1 on and ranges, such as 3,7-9"},
    {"GCNSIM_SAMPLE", sample, ALL, .expected = "kernels, kernels=AUTO or kernels=N with N from 2 on", .timing = true},
    {"GCNSIM_BLIT_KERNELS", flag, AT(blit_kernels)},
    {"GCNSIM_MAX_WALL", seconds, AT(max_wall_seconds), .expected = "a number of seconds above 0, at most 1e9"},
    {"GCNSIM_IGNORE_LDS_RACES", flag, AT(ignore_lds_races)},
    {"GCNSIM_CHECK", flag, AT(check)},
    {"GCNSIM_REPORT", text_of, AT(report)},
    {"GCNSIM_JSON", text_of, AT(json)},
    {"GCNSIM_CSV", text_of, AT(csv)},
    {"GCNSIM_CSV_STATISTICS", text_of, AT(csv_statistics)},
    {"GCNSIM_CSV_COUNTERS", text_of, AT(csv_counters)},
    {"GCNSIM_CSV_INSTRUCTIONS", text_of, AT(csv_instructions), .timing = true},
    {"GCNSIM_ANNOTATE", flag, AT(annotate), .timing = true},
    {"GCNSIM_SORT", word, AT(sort), .words = "pc|cycles|executed|latency|stall"},
    {"GCNSIM_TOP", count32, AT(top), NUMBERS(1, UINT32_MAX)},
    {"GCNSIM_FUNCTION", text_of, AT(function)},
    {"GCNSIM_COLOR", word, AT(color), .words = "auto|always|never"},
    {"GCNSIM_OF", kernel, AT(of), .expected = KERNEL_FORM},
    {"GCNSIM_PER_INSTRUCTION", flag, AT(per_instruction), .timing = true},
    {"GCNSIM_SAMPLES", count, AT(samples), NUMBERS(1, UINT32_MAX), .timing = true},
    {"GCNSIM_EXPLAIN", kernel, AT(explain), .expected = KERNEL_FORM, .timing = true},
    {"GCNSIM_EXPLAIN_JSON", text_of, AT(explain_json)},
    {"GCNSIM_EXPLAIN_WARMUP", count32, AT(explain_warmup), NUMBERS(1, UINT32_MAX)},
    {"GCNSIM_HTML", text_of, AT(html), .timing = true},
    {"GCNSIM_ATT", text_of, AT(att), .timing = true},
    {"GCNSIM_ATT_CUS", second, AT(att_all), .words = "first|all"},
    {"GCNSIM_TRACE", text_of, AT(trace), .timing = true},
    {"GCNSIM_TRACE_CUS", list, AT(trace_cus), NUMBERS(0, UINT16_MAX),
     .expected = "numbers of compute units and ranges, such as 0,4-7"},
    {"GCNSIM_TRACE_CYCLES", span, AT(trace_cycles), .expected = SPAN_FORM},
    {"GCNSIM_TRACE_SIZE", count, AT(trace_bytes), NUMBERS(1, UINT64_C(1) << 62)},
    {"GCNSIM_TRACE_NS", flag, AT(trace_ns)},
    {"GCNSIM_TIMELINE", wave, ALL, .expected = "WG:WAVE, the number of a workgroup and of a wave in it",
     .timing = true},
    {"GCNSIM_TIMELINE_ROWS", span, AT(timeline_rows), .expected = SPAN_FORM},
    {"GCNSIM_LOG", text_of, AT(log)},
    {"GCNSIM_DETAILS", flag, AT(details)},
    {"GCNSIM_SUMMARY", flag, AT(summary)},
};
_Static_assert(OPTIONS_MAX_AGENTS == 16, "as the row says");

const char *options_variable(size_t k)
{
    return k < sizeof rows / sizeof *rows ? rows[k].name : NULL;
}

/* An empty variable is none. */
static const char *value_of(const struct row *row)
{
    const char *v = getenv(row->name);

    return v && *v ? v : NULL;
}

static void not_understood(const struct row *row, const char *value, char *why, size_t n)
{
    size_t used = (size_t)snprintf(why, n, "%s is '%.200s'; expected ", row->name, value);

    if (used >= n)
        return;
    if (row->expected)
        snprintf(why + used, n - used, "%s", row->expected);
    else if (row->read == flag)
        snprintf(why + used, n - used, "0 or 1");
    else if (row->words)
        for (const char *w = row->words; w && used < n; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL)
            used += (size_t)snprintf(why + used, n - used, "%s%.*s",
                                     w == row->words  ? ""
                                     : strchr(w, '|') ? ", "
                                                      : " or ",
                                     (int)strcspn(w, "|"), w);
    else
        snprintf(why + used, n - used, "a whole number from %" PRIu64 " to %" PRIu64, row->least, row->most);
}

/* What fits neither the engine nor another variable. */
static bool fit(const struct options *o, char *why, size_t n)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *v = value_of(&rows[k]);

        if (o->timing || !rows[k].timing || !v || (rows[k].read == flag && *v == '0'))
            continue;
        snprintf(why, n, "%s is of the timing engine; expected GCNSIM_ENGINE=timing beside it", rows[k].name);
        return false;
    }
    if (o->sample_kernels && o->check) {
        snprintf(why, n, "GCNSIM_SAMPLE estimates times; expected GCNSIM_ENGINE=timing without GCNSIM_CHECK");
        return false;
    }
    return true;
}

/* Nobody will read them; false. */
static bool refused(struct options *o)
{
    if (o->profiles)
        free(o->profile[0]); /* begins the text that the others are parts of */
    o->profiles = 0;
    return false;
}

bool options_read(struct options *o, char *why, size_t n)
{
    *o = (struct options){.summary = true, .page_slack = true};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *v = value_of(&rows[k]);

        if (!v || rows[k].read(&rows[k], v, (char *)o + rows[k].at))
            continue;
        not_understood(&rows[k], v, why, n);
        return refused(o);
    }
    if (!o->profiles && !profiles(NULL, DEFAULT_ARCH, o)) {
        snprintf(why, n, "no memory for GCNSIM_ARCH");
        return false;
    }
    return fit(o, why, n) || refused(o);
}
