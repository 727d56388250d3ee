/* Sums of dispatches by kernel and by code object, and what is shown of them. */
#define _GNU_SOURCE
#include "sim/hsa/sinks/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/core/files.h"
#include "sim/hsa/sampling/select.h"

#define SHOWN_KERNELS 20

/* Dispatches of one kernel, or of all kernels of a code object, on one profile. */
struct sum {
    char *kernel, *code, *profile; /* kernel: null: all of the code object; code: its hash */
    struct gcnsim_sum *of;
    uint64_t told; /* launches, when it was shown */
};

/* A list of them, in the order in which they came. */
struct sums {
    struct sum *at;
    size_t count;
};

static struct sums kernels, codes;
static const struct exec_options *options;
static char *table; /* path of the table of instructions; null: none */

bool views_begin(const struct runtime *r, char *why, size_t n)
{
    const struct exec_options *o = &r->options;

    if (o->csv_instructions && !(table = files_name(o->csv_instructions))) {
        snprintf(why, n, "GCNSIM_CSV_INSTRUCTIONS: out of host memory");
        return false;
    }
    if (table && !files_check(table, "GCNSIM_CSV_INSTRUCTIONS", why, n))
        return false;
    options = o;
    return true;
}

/* All dispatches count, also those that are not shown: two of which one counts do not overlap. */
bool views_add(struct dispatch *d)
{
    const struct exec_options *o = options;
    bool one = (o->of || o->common.timeline.given) && select_nth(SELECT_OF, o->of, d->kernel->info.name);

    d->viewed = !o->of || one;
    if (o->common.annotate || table || o->common.per_instruction)
        d->raw.per_instruction = 1;
    if (o->common.samples)
        d->raw.samples = o->common.samples;
    if (!o->common.timeline.given || !one)
        return false;
    d->watch->wave = (struct gcnsim_wave_view){
        .workgroup = o->common.timeline.workgroup,
        .wave = o->common.timeline.wave,
        .first_row = o->common.timeline_rows.first,
        .rows = o->common.timeline_rows.end ? o->common.timeline_rows.end - o->common.timeline_rows.first : 0};
    return true;
}

void views_wave(const struct dispatch *d)
{
    struct gcnsim_wave_view *wave = &d->watch->wave;

    if (!wave->text)
        return;
    rt_log("dispatch %" PRIu64 ", kernel %s:", d->number, d->kernel->info.name);
    rt_log_text(wave->text);
    gcnsim_free(wave->text);
    wave->text = NULL;
}

/* ---- sums ---- */

static void forget(struct sum *s)
{
    free(s->kernel);
    free(s->code);
    free(s->profile);
    gcnsim_sum_free(s->of);
}

/* The sum of the launches that the result, which has a profile, belongs to; null: out of host memory. Kernels of a list
 * are all null, or none is. */
static struct sum *find(struct sums *list, const char *kernel, const struct gcnsim_result *r)
{
    struct sum one, *more;

    for (size_t k = 0; k < list->count; k++) {
        struct sum *s = &list->at[k];

        if (strcmp(s->code, r->code_sha256) == 0 && strcmp(s->profile, r->profile) == 0 &&
            (!kernel || strcmp(s->kernel, kernel) == 0))
            return s;
    }
    one = (struct sum){kernel ? strdup(kernel) : NULL, strdup(r->code_sha256), strdup(r->profile), NULL, 0};
    more = realloc(list->at, (list->count + 1) * sizeof *more);
    if (more)
        list->at = more;
    if (!more || !one.code || !one.profile || (kernel && !one.kernel) || gcnsim_sum_open(&one.of, NULL) != GCNSIM_OK) {
        forget(&one);
        return NULL;
    }
    list->at[list->count] = one;
    return &list->at[list->count++];
}

static void add(struct sums *list, const char *kernel, const struct gcnsim_result *r)
{
    struct sum *s = find(list, kernel, r);
    struct gcnsim_error e = {.text = "out of host memory"};

    if (!s || gcnsim_sum_add(s->of, r, &e) != GCNSIM_OK)
        rt_log_once("views", "a dispatch is not in the annotated code: %s", e.text);
}

void views_dispatch(const struct dispatch_record *d)
{
    if (!d->viewed || !d->timing || !d->result || !d->result->has_instructions)
        return;
    if (options->common.annotate)
        add(&kernels, d->kernel, d->result);
    if (table)
        add(&codes, NULL, d->result);
}

/* ---- the end ---- */

static int by_cycles(const void *a, const void *b)
{
    double x = gcnsim_sum_stat((*(struct sum *const *)a)->of, "cycles"),
           y = gcnsim_sum_stat((*(struct sum *const *)b)->of, "cycles");

    return x < y ? 1 : x > y ? -1 : 0;
}

/* False: no function of the kernel is asked for. */
static bool show(const struct sum *s)
{
    const char *no_color = getenv("NO_COLOR");
    struct gcnsim_error e = {0};
    struct gcnsim_annotate a;
    char *text = NULL;
    int rc;

    gcnsim_annotate_init(&a);
    a.sort = (enum gcnsim_sort)options->common.sort;
    a.top = options->common.top;
    a.function = options->common.function;
    a.color = options->common.color == OPTION_COLOR_ALWAYS ||
              (options->common.color == OPTION_COLOR_AUTO && rt_log_is_terminal() && !(no_color && *no_color));
    rc = gcnsim_sum_annotated(s->of, &a, &text, &e);
    if (rc == GCNSIM_OK) {
        rt_log_text("\n");
        rt_log_text(text);
    } else if (rc != GCNSIM_ERROR_USAGE) {
        rt_log("GCNSIM_ANNOTATE: kernel %s: %s", s->kernel, e.text);
    }
    gcnsim_free(text);
    return rc != GCNSIM_ERROR_USAGE;
}

static void show_all(void)
{
    struct sum **order = calloc(kernels.count + 1, sizeof *order);
    size_t n = 0, shown = 0, asked = 0;

    for (size_t k = 0; order && k < kernels.count; k++)
        if (kernels.at[k].told != gcnsim_sum_launches(kernels.at[k].of))
            order[n++] = &kernels.at[k];
    if (n)
        qsort(order, n, sizeof *order, by_cycles);
    for (size_t k = 0; k < n; k++) {
        order[k]->told = gcnsim_sum_launches(order[k]->of);
        if (shown == SHOWN_KERNELS)
            continue;
        asked = k + 1;
        shown += show(order[k]);
    }
    if (n && !shown)
        rt_log("GCNSIM_FUNCTION: no function \"%s\" was run", options->common.function ? options->common.function : "");
    if (n > asked)
        rt_log("%zu kernels more are not annotated (--kernels, --function and --of choose)", n - asked);
    free(order);
}

/* All code objects in one table, by their numbers. */
static void write_table(void)
{
    struct gcnsim_error e = {.text = "out of host memory"};
    char *whole = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&whole, &size);
    int rc = GCNSIM_OK;

    for (size_t k = 0; f && k < codes.count && rc == GCNSIM_OK; k++) {
        char *text = NULL;

        rc = gcnsim_sum_instructions_csv(codes.at[k].of, k + 1, k > 0, &text, &e);
        fputs(text ? text : "", f);
        gcnsim_free(text);
    }
    if (!f || fclose(f) != 0 || rc != GCNSIM_OK || gcnsim_write_file(table, whole, size, &e) != GCNSIM_OK)
        rt_log("GCNSIM_CSV_INSTRUCTIONS: %s", e.text);
    free(whole);
}

void views_end(void)
{
    if (!options)
        return;
    if (options->common.annotate)
        show_all();
    if (table)
        write_table();
}
