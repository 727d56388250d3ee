/* Sweeps as text with a tornado of sensitivities, as JSON and as CSV. */
#include <math.h>
#include <string.h>

#include "sim/util/csv_put.h"

#include "sim/study/explain.h"

enum { BAR = 34 }; /* columns of the tornado */

static void write_sets(FILE *f, const struct gcnsim_whatif_point *p, const char *between)
{
    for (size_t k = 0; k < p->set_count; k++)
        fprintf(f, "%s%s", k ? between : "", p->sets[k]);
}

/* A bar from `least` to `most` around the launch as it is, of `span` in all. */
static void write_bar(FILE *f, const struct gcnsim_whatif_axis *a, double least, double span)
{
    int zero = span > 0 ? (int)lround(-least / span * BAR) : 0;
    int from = span > 0 ? (int)lround((a->least - least) / span * BAR) : 0;
    int to = span > 0 ? (int)lround((a->most - least) / span * BAR) : 0;

    for (int k = 0; k <= BAR; k++)
        fputc(k == zero ? '|' : k >= from && k <= to ? (k < zero ? '<' : '>') : ' ', f);
}

static void write_tornado(FILE *f, const struct gcnsim_whatif *w)
{
    double least = 0, most = 0;

    for (size_t k = 0; k < w->axis_count; k++) {
        least = fmin(least, w->axes[k].least);
        most = fmax(most, w->axes[k].most);
    }
    fprintf(f, "\nsensitivity (fewer cycles < | > more; the bar is %+.1f %% to %+.1f %%)\n", 100 * least, 100 * most);
    for (size_t k = 0; k < w->axis_count; k++) {
        const struct gcnsim_whatif_axis *a = &w->axes[k];

        fprintf(f, "%-26.40s ", a->path);
        write_bar(f, a, least, most - least);
        fprintf(f, " %+6.1f %+6.1f %%\n", 100 * a->least, 100 * a->most);
    }
}

static void write_text(FILE *f, const void *what)
{
    const struct gcnsim_whatif *w = what;
    char digits[32], warmth[48];
    uint32_t sweep = UINT32_MAX;

    fprintf(f, "%s on %s: %s cycles%s\n", w->kernel, w->profile, report_grouped((uint64_t)w->cycles, digits),
            explain_warmth(w->warmup, warmth));
    fprintf(f, "%u simulations, %u at a time, in %.1f s (the launch as it is: %.2f s)\n\n", w->simulations, w->jobs,
            w->seconds, w->base_seconds);
    fprintf(f, "%-52s %15s %10s\n", "with", "cycles", "change");
    for (size_t k = 0; k < w->point_count; k++) {
        const struct gcnsim_whatif_point *p = &w->points[k];
        char text[256] = "";
        size_t at = 0;

        for (size_t n = 0; n < p->set_count && at < sizeof text; n++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", n ? " " : "", p->sets[n]);
        if (k && p->sweep != sweep)
            fputc('\n', f);
        sweep = p->sweep;
        if (p->cycles > 0)
            fprintf(f, "%-52s %15s %+8.1f %%\n", text, report_grouped((uint64_t)p->cycles, digits), 100 * p->change);
        else
            fprintf(f, "%-52s %15s\n", text, "-");
        if (*p->note)
            fprintf(f, "    %s\n", p->note);
    }
    if (w->axis_count)
        write_tornado(f, w);
}

int gcnsim_whatif_text(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(write_text, w), "sweep", text, error);
}

static void write_json(FILE *f, const void *what)
{
    const struct gcnsim_whatif *w = what;
    struct json_put j = {.f = f};

    json_put(&j,
             "{\n schema: 1, kernel: %s, target: %s, profile: %s, warmup: %u, cycles: %.0f, cross: %hhd, points: [\n",
             w->kernel, w->target, w->profile, w->warmup, w->cycles, w->cross);
    for (size_t k = 0; k < w->point_count; k++) {
        const struct gcnsim_whatif_point *p = &w->points[k];

        json_put(&j, "{sets: [");
        for (size_t n = 0; n < p->set_count; n++)
            json_put(&j, "%s", p->sets[n]);
        json_put(&j, p->cycles > 0 ? "], cycles: %.0f, change: %.6f" : "], cycles: null, change: null", p->cycles,
                 p->change);
        json_put(&j, "note: %s}", p->note);
    }
    json_put(&j, "\n  ], axes: [\n");
    for (size_t k = 0; k < w->axis_count; k++)
        json_put(&j, "{path: %s, base: %s, least: %.6f, most: %.6f}", w->axes[k].path, w->axes[k].base,
                 w->axes[k].least, w->axes[k].most);
    json_put(&j, "\n  ], host: {simulations: %u, jobs: %u, seconds: %.3f, base_seconds: %.3f}}\n", w->simulations,
             w->jobs, w->seconds, w->base_seconds);
}

int gcnsim_whatif_json(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_json, w), "sweep", text, error);
}

static void write_csv(FILE *f, const void *what)
{
    const struct gcnsim_whatif *w = what;

    fputs("sets,cycles,change,note\n", f);
    fprintf(f, ",%.0f,0,\n", w->cycles);
    for (size_t k = 0; k < w->point_count; k++) {
        const struct gcnsim_whatif_point *p = &w->points[k];

        write_sets(f, p, " ");
        if (p->cycles > 0)
            fprintf(f, ",%.0f,%.6f,", p->cycles, p->change);
        else
            fputs(",,,", f);
        if (*p->note)
            csv_put_field(f, p->note);
        fputc('\n', f);
    }
}

int gcnsim_whatif_csv(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_csv, w), "sweep", text, error);
}
