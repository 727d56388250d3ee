/* The choice of dispatches for the timing engine. */
#include "sim/hsa/sampling/select.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/gcnsim.h"
#include "sim/util/number.h"

struct span {
    uint64_t from, to;
};

/* Set by hsa_init, before there is a dispatch, and read alone from then on. */
static regex_t expression;
static bool has_expression;
static struct span *spans;
static size_t span_count;

/* At most as many spans as the text has characters. */
static bool read_spans(const char *s, struct span *out, size_t *count)
{
    do {
        struct span *one = &out[(*count)++];

        if (!number_range(&s, 1, UINT64_MAX, &one->from, &one->to))
            return false;
    } while (*s);
    return true;
}

static bool set_dispatches(const char *text, char *why, size_t n)
{
    struct span *list = malloc((strlen(text) + 1) * sizeof *list);
    size_t count = 0;

    if (!list) {
        snprintf(why, n, "out of host memory for GCNSIM_DISPATCHES");
        return false;
    }
    if (!read_spans(text, list, &count)) {
        snprintf(why, n, "GCNSIM_DISPATCHES is '%s'; expected numbers from 1 on and ranges, such as 3,7-9", text);
        free(list);
        return false;
    }
    free(spans);
    spans = list;
    span_count = count;
    return true;
}

static bool set_kernels(const char *text, char *why, size_t n)
{
    regex_t r;
    char reason[200];
    int code = regcomp(&r, text, REG_EXTENDED | REG_NOSUB);

    if (code) {
        regerror(code, &r, reason, sizeof reason);
        snprintf(why, n, "GCNSIM_KERNELS is '%s': %s; expected an extended regular expression", text, reason);
        return false;
    }
    if (has_expression)
        regfree(&expression);
    expression = r;
    has_expression = true;
    return true;
}

bool select_read(const char *kernels, const char *dispatches, char *why, size_t n)
{
    if ((kernels && !set_kernels(kernels, why, n)) || (dispatches && !set_dispatches(dispatches, why, n)))
        return false;
    if (!kernels && has_expression) {
        regfree(&expression);
        has_expression = false;
    }
    if (!dispatches)
        span_count = 0;
    return true;
}

static bool is_chosen_name(const char *kernel)
{
    char *plain = NULL;
    bool found;

    if (regexec(&expression, kernel, 0, NULL, 0) == 0)
        return true;
    found = gcnsim_demangle(kernel, &plain, NULL) == GCNSIM_OK && regexec(&expression, plain, 0, NULL, 0) == 0;
    gcnsim_free(plain);
    return found;
}

bool report_wants_timing(const char *kernel, uint64_t dispatch)
{
    bool listed = !span_count;

    for (size_t k = 0; k < span_count && !listed; k++)
        listed = spans[k].from <= dispatch && dispatch <= spans[k].to;
    return listed && (!has_expression || is_chosen_name(kernel));
}

static bool has_part(const char *name, const char *part)
{
    char *plain = NULL;
    bool has = strstr(name, part) != NULL;

    if (!has && gcnsim_demangle(name, &plain, NULL) == GCNSIM_OK)
        has = strstr(plain, part) != NULL;
    gcnsim_free(plain);
    return has;
}

static uint64_t seen[SELECT_NTHS]; /* atomic */

bool select_nth(enum select_nth which, const char *choice, const char *kernel)
{
    uint64_t n = 1;
    size_t length = 0;
    char part[1024];

    if (choice && (!number_choice(choice, &length, &n) || length >= sizeof part))
        return false;
    if (length)
        memcpy(part, choice, length);
    part[length] = 0;
    return has_part(kernel, part) && __atomic_add_fetch(&seen[which], 1, __ATOMIC_RELAXED) == n;
}

uint64_t select_missed(enum select_nth which, const char *choice, char **part)
{
    uint64_t n, count = __atomic_load_n(&seen[which], __ATOMIC_RELAXED);
    size_t length;

    *part = number_choice(choice, &length, &n) && count < n ? strndup(choice, length) : NULL;
    return *part ? count : UINT64_MAX;
}
