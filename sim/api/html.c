/* Public API: pages for browsers (gcnsim_views.h). */
#include "sim/report/html.h"

#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/util/json_text.h"

#define EXPLAIN_DEPTH 32 /* brackets; a report of gcnsim explain has 5 */

static const struct gcnsim_html_options html_initial;
static const struct api_struct html_options_kind = {"HTML options", "gcnsim_html_options_init", &html_initial,
                                                    sizeof html_initial,
                                                    API_BYTES_THROUGH(struct gcnsim_html_options, no_sources)};

void gcnsim_html_options_init_sized(struct gcnsim_html_options *o, size_t struct_bytes)
{
    api_struct_init(&html_options_kind, o, struct_bytes);
}

static int make_page(const struct report_html_launch *launch, size_t launches,
                     const struct gcnsim_html_options *options, char **text, struct gcnsim_error *error)
{
    struct gcnsim_html_options o = html_initial;
    struct report_html page = {.launch = launch, .launches = launches};
    struct err e = {0};

    if (options && api_struct_take(&html_options_kind, &o, options, &e) != 0)
        return api_fail(error, &e);
    if (o.explain_json &&
        json_text_check(o.explain_json, strlen(o.explain_json), "explain_json", EXPLAIN_DEPTH, &e) != 0)
        return api_fail(error, &e);
    page.explain = o.explain_json;
    page.index = o.index;
    page.no_sources = o.no_sources != 0;
    return api_text(report_render(report_write_html, &page), "page", text, error);
}

int gcnsim_result_html(const struct gcnsim_result *result, const struct gcnsim_html_options *options, char **text,
                       struct gcnsim_error *error)
{
    struct report_html_launch one = {.report = api_report(result)};

    return make_page(&one, 1, options, text, error);
}

int gcnsim_sequence_html(const struct gcnsim_sequence *s, const struct gcnsim_html_options *options, char **text,
                         struct gcnsim_error *error)
{
    struct report_html_launch *launch = calloc(s->count + 1, sizeof *launch);
    uint32_t places = 0;
    size_t n = 0, at;
    struct err e = {0};

    if (!launch || !s->count) {
        free(launch);
        err_set(&e, launch ? ERR_USAGE : ERR_NOMEM,
                launch ? "a sequence without a launch" : "out of host memory for a page");
        return api_fail(error, &e);
    }
    for (size_t k = 0; k < s->count; k++)
        places = s->items[k].launch >= places ? s->items[k].launch + 1 : places;
    for (uint32_t p = 0; p < places && n < s->count; p++)
        if (gcnsim_sequence_steady(s, p, &at) == GCNSIM_OK && api_report(s->items[at].result))
            launch[n++] = (struct report_html_launch){api_report(s->items[at].result), s->items[at].name};
    if (!n || s->items[s->count - 1].result->outcome != GCNSIM_COMPLETED) { /* the one that ended the sequence */
        const struct gcnsim_sequence_item *last = &s->items[s->count - 1];

        launch[n++] = (struct report_html_launch){api_report(last->result), last->name};
    }
    int rc = make_page(launch, n, options, text, error);
    free(launch);
    return rc;
}

static const struct gcnsim_html_dispatch dispatch_initial = {.cycles = -1, .gap_us = -1};
static const struct api_struct dispatch_kind = {.what = "dispatch of a page",
                                                .init = "gcnsim_html_dispatch_init",
                                                .initial = &dispatch_initial,
                                                .bytes = sizeof dispatch_initial,
                                                .least = API_BYTES_THROUGH(struct gcnsim_html_dispatch, page)};

void gcnsim_html_dispatch_init_sized(struct gcnsim_html_dispatch *d, size_t struct_bytes)
{
    api_struct_init(&dispatch_kind, d, struct_bytes);
}

int gcnsim_html_index(const char *title, const struct gcnsim_html_dispatch *dispatches, size_t count, uint64_t left_out,
                      char **text, struct gcnsim_error *error)
{
    struct report_html_dispatch *list = calloc(count + 1, sizeof *list);
    struct report_html_index index = {title, list, count, left_out};
    struct gcnsim_html_dispatch own;
    struct err e = {0};

    for (size_t k = 0; list && k < count; k++) {
        const struct gcnsim_html_dispatch *d = &own;

        if (api_array_take(&dispatch_kind, &own, dispatches, k, &e)) {
            free(list);
            return api_fail(error, &e);
        }
        list[k] = (struct report_html_dispatch){.number = d->number,
                                                .kernel = d->kernel,
                                                .engine = d->engine,
                                                .outcome = d->outcome,
                                                .target = d->target,
                                                .grid = {d->grid[0], d->grid[1], d->grid[2]},
                                                .workgroup = {d->workgroup[0], d->workgroup[1], d->workgroup[2]},
                                                .start_us = d->start_us,
                                                .duration_us = d->duration_us,
                                                .gap_us = d->gap_us,
                                                .cycles = d->cycles,
                                                .page = d->page};
    }
    int rc = api_text(list ? report_render(report_write_html_index, &index) : NULL, "page", text, error);
    free(list);
    return rc;
}
