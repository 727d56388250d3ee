/* How far the dispatches of the process can be believed together, for the summary at its end: what each report says of
 * its instructions and wave-cycles (docs/FIDELITY.md), added up. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/sinks/report_sinks.h"

#define MOST_WORDS   8 /* "measured" ... */
#define MOST_FIGURES 3 /* that are named */

struct figure {
    char *path;
    char timing[16];
    double cycles;
};

/* Under report.c's lock. */
static uint64_t executed, exact, unbounded;
static struct {
    uint64_t count;
    double ulp; /* the widest bound */
} within[2];    /* units in the last place mean something; or they do not (gcnsim_error_bound()) */
static double wave_cycles;
static struct {
    char word[16];
    double cycles;
} timing[MOST_WORDS];
static struct figure *figures;
static size_t count, room;

static void add_figure(const struct gcnsim_fidelity_figure *f, double cycles)
{
    size_t k = 0;

    while (k < count && (strcmp(figures[k].path, f->path) != 0 || strcmp(figures[k].timing, f->timing) != 0))
        k++;
    if (k == room) {
        size_t more = room ? 2 * room : 64;
        struct figure *all = realloc(figures, more * sizeof *all);

        if (!all)
            return;
        figures = all;
        room = more;
    }
    if (k == count) {
        figures[k] = (struct figure){.path = strdup(f->path)};
        if (!figures[k].path)
            return;
        snprintf(figures[k].timing, sizeof figures[k].timing, "%s", f->timing);
        count++;
    }
    figures[k].cycles += f->share * cycles;
}

void fidelity_dispatch(const struct dispatch_record *d)
{
    const struct gcnsim_fidelity *f = d->result ? gcnsim_result_fidelity(d->result) : NULL;
    uint64_t bounded = 0;
    char words[GCNSIM_BOUND_BYTES];

    if (!f)
        return;
    for (size_t k = 0; k < f->instruction_count; k++) {
        const struct gcnsim_fidelity_instruction *i = &f->instructions[k];

        if (strcmp(i->semantics, "approximate") != 0 || i->ulp < 0)
            continue;
        bool relative = gcnsim_error_bound(i->ulp, words) != 0;

        bounded += i->count;
        within[relative].count += i->count;
        within[relative].ulp = i->ulp > within[relative].ulp ? i->ulp : within[relative].ulp;
    }
    executed += f->executed;
    exact += f->executed - f->approximate;
    unbounded += f->approximate - bounded;
    wave_cycles += f->wave_cycles;
    for (size_t k = 0; k < f->timing_count && k < MOST_WORDS; k++) {
        snprintf(timing[k].word, sizeof timing[k].word, "%s", f->timings[k].timing);
        timing[k].cycles += f->timings[k].share * f->wave_cycles;
    }
    for (size_t k = 0; k < f->figure_count; k++)
        add_figure(&f->figures[k], f->wave_cycles);
}

/* Those that claim least have the highest place among the words, "none" aside. */
static int place(const char *word)
{
    for (int k = 0; k < MOST_WORDS; k++)
        if (strcmp(timing[k].word, word) == 0)
            return k;
    return -1;
}

static int order(const void *a, const void *b)
{
    const struct figure *x = a, *y = b;
    int px = place(x->timing), py = place(y->timing);

    if (px != py)
        return px > py ? -1 : 1;
    return x->cycles != y->cycles ? (x->cycles > y->cycles ? -1 : 1) : strcmp(x->path, y->path);
}

static void tell_timing(void)
{
    const double enough = 0.0005 * wave_cycles;
    char text[600];
    size_t first = 0, names;
    int at = snprintf(text, sizeof text, "timing: wave-cycles rest on figures that are ");
    const char *comma = "";

    for (unsigned k = 0; k < MOST_WORDS; k++) {
        if (timing[k].cycles <= 0)
            continue;
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s %.1f %%", comma,
                       strcmp(timing[k].word, "none") == 0 ? "on none" : timing[k].word,
                       100 * timing[k].cycles / wave_cycles);
        comma = ", ";
    }
    rt_log_wrapped("  ", text);
    qsort(figures, count, sizeof *figures, order);
    while (first < count && figures[first].cycles < enough)
        first++;
    if (first == count)
        return;
    at = snprintf(text, sizeof text, "least sure (%s): ", figures[first].timing);
    for (names = 0; first + names < count && names < MOST_FIGURES; names++) {
        const struct figure *f = &figures[first + names];

        if (strcmp(f->timing, figures[first].timing) != 0 || f->cycles < enough)
            break;
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%.60s %.1f %%", names ? ", " : "", f->path,
                       100 * f->cycles / wave_cycles);
    }
    rt_log_wrapped("  ", text);
}

static void tell_results(void)
{
    double all = (double)executed;
    char text[300], words[GCNSIM_BOUND_BYTES];
    int at = snprintf(text, sizeof text, "results: ");

    if (exact == executed)
        snprintf(text + at, sizeof text - (size_t)at, "all instructions exact");
    else
        at += snprintf(text + at, sizeof text - (size_t)at, "%.1f %% of instructions exact", 100 * (double)exact / all);
    for (size_t k = 0; k < 2; k++) {
        if (!within[k].count)
            continue;
        gcnsim_error_bound(within[k].ulp, words);
        at += snprintf(text + at, sizeof text - (size_t)at, ", %.3g %% within %s", 100 * (double)within[k].count / all,
                       words);
    }
    if (unbounded)
        snprintf(text + at, sizeof text - (size_t)at, ", %.3g %% approximate without a bound",
                 100 * (double)unbounded / all);
    rt_log_wrapped("  ", text);
}

void fidelity_tell(void)
{
    if (!executed)
        return;
    tell_results();
    if (wave_cycles > 0)
        tell_timing();
}
