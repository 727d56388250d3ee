/* Public API: several launches of one code object together (gcnsim_views.h). */
#include <stdlib.h>

#include "sim/api/api.h"
#include "sim/report/annotate.h"
#include "sim/report/sum.h"

struct gcnsim_sum {
    struct report_sum s;
};

int gcnsim_sum_open(struct gcnsim_sum **out, struct gcnsim_error *error)
{
    struct gcnsim_sum *sum = calloc(1, sizeof *sum);
    struct err e = {0};

    *out = sum;
    if (!sum) {
        err_set(&e, ERR_NOMEM, "out of host memory for a sum of runs");
        return api_fail(error, &e);
    }
    report_sum_init(&sum->s);
    return GCNSIM_OK;
}

int gcnsim_sum_add(struct gcnsim_sum *sum, const struct gcnsim_result *result, struct gcnsim_error *error)
{
    struct err e = {0};

    return report_sum_add(&sum->s, api_report(result), &e) ? api_fail(error, &e) : GCNSIM_OK;
}

static int needs_launches(const struct gcnsim_sum *sum, struct gcnsim_error *error)
{
    struct err e = {0};

    if (sum->s.launches)
        return GCNSIM_OK;
    err_set(&e, ERR_USAGE, "no run has been added to the sum");
    return api_fail(error, &e);
}

int gcnsim_sum_annotated(const struct gcnsim_sum *sum, const struct gcnsim_annotate *options, char **text,
                         struct gcnsim_error *error)
{
    int rc = needs_launches(sum, error);

    return rc ? rc : api_annotated(&sum->s.r, &sum->s, options, text, error);
}

int gcnsim_sum_instructions_csv(const struct gcnsim_sum *sum, uint64_t code_object, int rows_alone, char **text,
                                struct gcnsim_error *error)
{
    const struct report_instructions_csv csv = {&sum->s.r, code_object, rows_alone != 0};
    int rc = needs_launches(sum, error);

    return rc ? rc : api_text(report_render(report_write_instructions_csv, &csv), "instructions", text, error);
}

uint64_t gcnsim_sum_launches(const struct gcnsim_sum *sum)
{
    return sum->s.launches;
}

double gcnsim_sum_stat(const struct gcnsim_sum *sum, const char *name)
{
    enum stat k = stat_find(name);

    return k < STATS && sum->s.r.present[k] ? sum->s.r.value[k] : 0;
}

void gcnsim_sum_free(struct gcnsim_sum *sum)
{
    if (sum)
        report_sum_free(&sum->s);
    free(sum);
}
