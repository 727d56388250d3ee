/* --sample, which has three forms. */
#include "sim/options/launch.h"

#include <stdio.h>
#include <string.h>

#include "sim/util/number.h"

static bool is_auto(const char *text)
{
    return strcmp(text, "AUTO") == 0 || strcmp(text, "auto") == 0;
}

bool option_take_sample(void *into, const struct option_row *row, const char *value, char *why, size_t n)
{
    static const char workgroups[] = "workgroups=", kernels[] = "kernels";
    struct launch_options *o = into;
    bool of_kernels = strstr(row->unit, kernels) && strncmp(value, kernels, strlen(kernels)) == 0;
    const char *number = value + strlen(of_kernels ? kernels : workgroups);
    uint64_t most = of_kernels ? UINT32_MAX : OPTION_SAMPLE_AUTO - 1, count = 0;
    bool loops = strstr(row->unit, "loops") && strcmp(value, "loops") == 0, good;

    if (loops)
        good = true;
    else if (of_kernels)
        good = !*number ||
               (*number == '=' && (is_auto(number + 1) || (number_read(number + 1, NULL, most, &count) && count > 1)));
    else if (strstr(row->unit, "workgroups") && strncmp(value, workgroups, strlen(workgroups)) == 0)
        good = is_auto(number) || (number_read(number, NULL, most, &count) && count);
    else
        good = false;
    if (!good) {
        snprintf(why, n, "expected %s",
                 !strstr(row->unit, kernels)        ? "workgroups=AUTO, workgroups=N with N from 1 on, or loops"
                 : !strstr(row->unit, "workgroups") ? "kernels, kernels=AUTO or kernels=N with N from 2 on"
                                                    : "kernels, kernels=AUTO, kernels=N with N from 2 on, "
                                                      "workgroups=AUTO or workgroups=N");
        return false;
    }
    o->sample = value;
    o->sample_kernels = of_kernels;
    o->representatives = of_kernels ? (uint32_t)count : 0;
    o->sample_workgroups = of_kernels || loops ? 0 : count ? count : OPTION_SAMPLE_AUTO;
    o->sample_loops = loops || o->sample_workgroups == OPTION_SAMPLE_AUTO;
    return true;
}
