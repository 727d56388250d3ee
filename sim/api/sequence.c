/* Public API: reports of several launches. */
#include "sim/report/sequence.h"

#include <stdlib.h>

#include "sim/api/api.h"

/* The sequence with the reports that its results are made of; null when out of memory. */
static struct report_sequence_item *items_of(const struct gcnsim_sequence *s, struct report_sequence *out)
{
    struct report_sequence_item *item = calloc(s->count + 1, sizeof *item);

    for (size_t k = 0; item && k < s->count; k++)
        item[k] = (struct report_sequence_item){.row = *api_row(s->items[k].result),
                                                .report = api_report(s->items[k].result),
                                                .name = s->items[k].name,
                                                .launch = s->items[k].launch,
                                                .round = s->items[k].round,
                                                .warmup = s->items[k].warmup};
    *out = (struct report_sequence){
        .warmup_rounds = s->warmup_rounds, .rounds = s->rounds, .cold = s->cold, .item = item, .count = s->count};
    return item;
}

int gcnsim_sequence_steady(const struct gcnsim_sequence *sequence, uint32_t launch, size_t *index)
{
    struct report_sequence s;
    struct report_sequence_item *item = items_of(sequence, &s);
    size_t steady = item ? report_sequence_steady(&s, launch) : REPORT_NO_ITEM;

    free(item);
    if (!item)
        return GCNSIM_ERROR_NOMEM;
    if (steady == REPORT_NO_ITEM)
        return GCNSIM_ERROR_USAGE;
    *index = steady;
    return GCNSIM_OK;
}

static int check_whole(const struct gcnsim_sequence *s, struct gcnsim_error *error)
{
    struct err e = {0};
    size_t k = 0;

    while (k < s->count && api_report(s->items[k].result))
        k++;
    if (k == s->count)
        return GCNSIM_OK;
    err_set(&e, ERR_USAGE, "launch %zu of the sequence has been shrunk; expected whole results", k);
    return api_fail(error, &e);
}

/* sections: of the text; null: all. */
static int render(const struct gcnsim_sequence *sequence,
                  char *(*by)(void (*writer)(FILE *f, const void *what), const void *what),
                  void (*writer)(FILE *f, const void *what), const char *sections, char **text,
                  struct gcnsim_error *error)
{
    struct report_sequence s;
    struct report_sequence_item *item = items_of(sequence, &s);
    char *rendered = NULL;

    s.sections = sections;
    if (item)
        rendered = by(writer, &s);
    free(item);
    return api_text(rendered, "report", text, error);
}

int gcnsim_sequence_json(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error)
{
    int rc = check_whole(sequence, error);

    return rc ? rc : render(sequence, report_render, report_write_sequence_json, NULL, text, error);
}

int gcnsim_sequence_text(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error)
{
    return render(sequence, report_render_plain, report_write_sequence_text, NULL, text, error);
}

int gcnsim_sequence_show(const struct gcnsim_sequence *sequence, const char *sections, char **text,
                         struct gcnsim_error *error)
{
    struct err e = {0};

    if (report_check_sections(sections, &e))
        return api_fail(error, &e);
    return render(sequence, report_render_plain, report_write_sequence_text, sections, text, error);
}

int gcnsim_sequence_csv(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error)
{
    int rc = check_whole(sequence, error);

    return rc ? rc : render(sequence, report_render, report_write_sequence_csv, NULL, text, error);
}
