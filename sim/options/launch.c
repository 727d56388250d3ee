/* --sample, which has three forms, of which a program takes two together. */
#define _GNU_SOURCE
#include "sim/options/launch.h"

#include <stdio.h>
#include <string.h>

#include "sim/util/number.h"

/* A count, or AUTO, which is `automatic`, after "=". */
static bool read_count(const char *text, const char *end, uint64_t least, uint64_t most, uint64_t automatic,
                       uint64_t *count)
{
    char word[32];
    size_t length = (size_t)(end - text);

    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    *count = automatic;
    return strcmp(word, "AUTO") == 0 || strcmp(word, "auto") == 0 ||
           (number_read(word, NULL, most, count) && *count >= least);
}

/* One of the forms, up to `end`. */
static bool take_form(struct launch_options *o, const char *forms, const char *text, const char *end)
{
    static const char workgroups[] = "workgroups=", kernels[] = "kernels", loops[] = "loops";
    size_t length = (size_t)(end - text);
    uint64_t count = 0;

    if (strstr(forms, loops) && length == strlen(loops) && !strncmp(text, loops, length)) {
        o->sample_loops = true;
        return true;
    }
    if (strstr(forms, kernels) && !o->sample_kernels && length >= strlen(kernels) &&
        !strncmp(text, kernels, strlen(kernels))) {
        text += strlen(kernels);
        o->sample_kernels = true;
        if (text < end && (*text != '=' || !read_count(text + 1, end, 2, UINT32_MAX, 0, &count)))
            return false;
        o->representatives = (uint32_t)count;
        return true;
    }
    if (!strstr(forms, "workgroups") || o->sample_workgroups || length < strlen(workgroups) ||
        strncmp(text, workgroups, strlen(workgroups)) != 0)
        return false;
    return read_count(text + strlen(workgroups), end, 1, OPTION_SAMPLE_AUTO - 1, OPTION_SAMPLE_AUTO,
                      &o->sample_workgroups);
}

bool option_take_sample(void *into, const struct option_row *row, const char *value, char *why, size_t n)
{
    struct launch_options *o = into;
    bool program = strstr(row->unit, "kernels"), good = true;
    const char *at = value;

    o->sample_kernels = o->sample_loops = false;
    o->sample_workgroups = o->representatives = 0;
    for (bool more = true; more && good; at++) {
        const char *end = program ? strchrnul(at, ',') : at + strlen(at);

        good = take_form(o, row->unit, at, end);
        more = *end;
        at = end;
    }
    if (!good || (program && !o->sample_kernels)) {
        snprintf(why, n, "expected %s",
                 program ? "kernels, kernels=AUTO or kernels=N with N from 2 on, and after it, if at all, "
                           ",workgroups=AUTO or ,workgroups=N"
                         : "workgroups=AUTO, workgroups=N with N from 1 on, or loops");
        return false;
    }
    o->sample = value;
    o->sample_loops |= !program && o->sample_workgroups == OPTION_SAMPLE_AUTO;
    return true;
}
