/* How far the dispatches of the process can be believed together, for the summary at its end: what each report says of
 * its instructions and wave-cycles (docs/FIDELITY.md), added up. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/report_sinks.h"

#define MOST_WORDS   8 /* "measured" ... */
#define MOST_FIGURES 3 /* that are named */

struct figure {
    char *path;
    char timing[16];
    double cycles;
};

/* Under report.c's lock. */
static uint64_t executed, bounded, unbounded;
static double ulp, wave_cycles;
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
    uint64_t within = 0;

    if (!f)
        return;
    for (size_t k = 0; k < f->instruction_count; k++) {
        const struct gcnsim_fidelity_instruction *i = &f->instructions[k];

        if (strcmp(i->semantics, "approximate") != 0 || i->ulp < 0)
            continue;
        within += i->count;
        ulp = i->ulp > ulp ? i->ulp : ulp;
    }
    executed += f->executed;
    bounded += within;
    unbounded += f->approximate - within;
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
    char text[600] = "";
    size_t at = 0, first = 0;

    for (unsigned k = 0; k < MOST_WORDS; k++)
        if (timing[k].cycles > 0)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %.1f %%", at ? ", " : "",
                                   strcmp(timing[k].word, "none") == 0 ? "on none" : timing[k].word,
                                   100 * timing[k].cycles / wave_cycles);
    rt_log("timing: wave-cycles rest on figures that are %s", text);
    qsort(figures, count, sizeof *figures, order);
    while (first < count && figures[first].cycles < enough)
        first++;
    at = 0;
    for (size_t k = first; k < count && k < first + MOST_FIGURES; k++) {
        if (strcmp(figures[k].timing, figures[first].timing) != 0 || figures[k].cycles < enough)
            break;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.60s %.1f %%", at ? ", " : "", figures[k].path,
                               100 * figures[k].cycles / wave_cycles);
    }
    if (at)
        rt_log("least sure (%s): %s", figures[first].timing, text);
}

void fidelity_tell(void)
{
    double all = (double)executed;
    char within[80] = "", without[80] = "";

    if (!executed)
        return;
    if (bounded)
        snprintf(within, sizeof within, ", %.3g %% within %g ULP", 100 * (double)bounded / all, ulp);
    if (unbounded)
        snprintf(without, sizeof without, ", %.3g %% approximate without a bound", 100 * (double)unbounded / all);
    if (bounded + unbounded)
        rt_log("results: %.1f %% of instructions exact%s%s", 100 * (double)(executed - bounded - unbounded) / all,
               within, without);
    else
        rt_log("results: all instructions exact");
    if (wave_cycles > 0)
        tell_timing();
}
