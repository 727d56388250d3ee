/* Public API: two measured runs side by side. */
#include "traces/diff/diff.h"

#include <stdlib.h>

#include "sim/api/api.h"

struct gcnsim_diff {
    struct measured a, b;
    struct diff diff;
};

_Static_assert((int)GCNSIM_DIFF_HIT == DIFF_HIT && (int)GCNSIM_DIFF_BY_ADDRESS == DIFF_BY_ADDRESS,
               "the public enumerations mirror those of traces/diff");

int gcnsim_diff_open(struct gcnsim_diff **out, const char *a, const char *b, enum gcnsim_diff_per per,
                     struct gcnsim_error *error)
{
    struct gcnsim_diff *d = calloc(1, sizeof *d);
    struct err e = {0};

    *out = NULL;
    if (!d)
        err_set(&e, ERR_NOMEM, "out of host memory for a comparison");
    else if ((unsigned)per > GCNSIM_DIFF_HIT)
        err_set(&e, ERR_USAGE, "diff: per %d; expected a value of gcnsim_diff_per", (int)per);
    else if (!measured_read(&d->a, a, &e) && !measured_read(&d->b, b, &e) &&
             !diff_make(&d->diff, &d->a, &d->b, (enum diff_per)per, &e)) {
        diff_sort(&d->diff, DIFF_BY_DIFFERENCE);
        *out = d;
        return GCNSIM_OK;
    }
    gcnsim_diff_close(d);
    return api_fail(error, &e);
}

void gcnsim_diff_close(struct gcnsim_diff *diff)
{
    if (!diff)
        return;
    diff_free(&diff->diff);
    measured_free(&diff->a);
    measured_free(&diff->b);
    free(diff);
}

int gcnsim_diff_order(struct gcnsim_diff *diff, enum gcnsim_diff_sort by, struct gcnsim_error *error)
{
    struct err e = {0};

    if ((unsigned)by > GCNSIM_DIFF_BY_ADDRESS) {
        err_set(&e, ERR_USAGE, "diff: order %d; expected a value of gcnsim_diff_sort", (int)by);
        return api_fail(error, &e);
    }
    diff_sort(&diff->diff, (enum diff_sort)by);
    return GCNSIM_OK;
}

struct shown {
    const struct diff *diff;
    size_t top;
    void (*put)(FILE *f, const struct diff *d, size_t top);
};

static void put(FILE *f, const void *what)
{
    const struct shown *s = what;

    s->put(f, s->diff, s->top);
}

int gcnsim_diff_text(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(put, &(struct shown){&diff->diff, top, diff_text}), "comparison", text, error);
}

int gcnsim_diff_json(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(put, &(struct shown){&diff->diff, top, diff_json}), "comparison", text, error);
}

int gcnsim_diff_csv(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(put, &(struct shown){&diff->diff, top, diff_csv}), "comparison", text, error);
}

int gcnsim_diff_get_figure(const struct gcnsim_diff *diff, uint32_t index, struct gcnsim_diff_figure *figure)
{
    const struct diff *d = &diff->diff;

    if (index >= DIFF_FIGURE_COUNT)
        return GCNSIM_ERROR_USAGE;
    *figure = (struct gcnsim_diff_figure){.name = diff_figure[index].name,
                                          .unit = diff_figure[index].unit,
                                          .description = diff_figure[index].about,
                                          .has_a = d->known[index][0],
                                          .has_b = d->known[index][1],
                                          .a = d->figure[index][0],
                                          .b = d->figure[index][1]};
    return GCNSIM_OK;
}
