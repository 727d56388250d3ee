/* Two measured runs side by side: functions, rows, figures, order. */
#include "traces/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct diff_figure_row diff_figure[DIFF_FIGURE_COUNT] = {
#define X(E, NAME, UNIT, ABOUT) {NAME, UNIT, ABOUT},
    DIFF_FIGURES(X)
#undef X
};
const char *const diff_per_key[] = {"auto", "total", "wave", "hit", NULL};
const char *const diff_sort_key[] = {"difference", "latency", "stall", "idle", "hits", "address", NULL};

void diff_free(struct diff *d)
{
    free(d->row);
    *d = (struct diff){0};
}

/* ---- rows ---- */

static struct diff_values values(const struct diff *d, const struct measured *m, const struct measured_row *r)
{
    struct diff_values v = {0};

    if (!r)
        return v;
    double by = d->per == DIFF_WAVE ? (double)m->waves : d->per == DIFF_HIT ? (double)r->hits : 1;
    v.hits = (double)r->hits / (d->per == DIFF_WAVE ? by : 1);
    if (by > 0) {
        v.latency = (double)r->latency / by;
        v.stall = (double)r->stall / by;
        v.idle = (double)r->idle / by;
    }
    return v;
}

static int add(struct diff *d, const struct measured_row *a, const struct measured_row *b, bool by_address,
               struct err *e)
{
    if ((!a || !a->hits) && (!b || !b->hits))
        return 0;
    if (d->rows == d->room) {
        size_t room = d->room ? d->room * 2 : 256;
        struct diff_row *more = realloc(d->row, room * sizeof *more);

        if (!more)
            return err_set(e, ERR_NOMEM, "out of host memory for %zu rows", room);
        d->row = more;
        d->room = room;
    }
    d->row[d->rows++] = (struct diff_row){a, b, a && b && by_address, values(d, d->a, a), values(d, d->b, b)};
    *(!b ? &d->only_a : !a ? &d->only_b : by_address ? &d->by_address : &d->by_text) += 1;
    return 0;
}

/* Two lists of rows, one of which may be empty. */
static int add_lists(struct diff *d, const struct measured_row *a, size_t na, const struct measured_row *b, size_t nb,
                     bool flat, struct err *e)
{
    size_t *pair = malloc((na + 1) * sizeof *pair), next = 0;
    bool by_address = false;
    int failed;

    if (!pair)
        return err_set(e, ERR_NOMEM, "out of host memory for %zu rows", na);
    for (size_t k = 0; k < na; k++)
        pair[k] = SIZE_MAX;
    failed =
        na && nb ? diff_align(a, na, b, nb, flat ? 0 : a[0].vaddr, flat ? 0 : b[0].vaddr, pair, &by_address, e) : 0;
    for (size_t k = 0; k < na && !failed; k++) {
        while (pair[k] != SIZE_MAX && next < pair[k] && !failed)
            failed = add(d, NULL, &b[next++], false, e);
        if (!failed)
            failed = add(d, &a[k], pair[k] == SIZE_MAX ? NULL : &b[pair[k]], by_address, e);
        if (pair[k] != SIZE_MAX)
            next = pair[k] + 1;
    }
    while (next < nb && !failed)
        failed = add(d, NULL, &b[next++], false, e);
    free(pair);
    return failed;
}

/* The rows without those of names; to be freed. */
static struct measured_row *flat_rows(const struct measured *m, size_t *count)
{
    struct measured_row *rows = malloc((m->rows + 1) * sizeof *rows);

    *count = 0;
    for (size_t k = 0; k < m->rows && rows; k++)
        if (!m->row[k].is_name)
            rows[(*count)++] = m->row[k];
    return rows;
}

static bool nameless(const struct measured *m)
{
    for (size_t k = 0; k < m->functions; k++)
        if (!*m->function[k].name && m->function[k].count)
            return true;
    return false;
}

static size_t find(const struct measured *m, const char *name, const size_t *with)
{
    for (size_t k = 0; k < m->functions; k++)
        if (with[k] == SIZE_MAX && strcmp(m->function[k].name, name) == 0)
            return k;
    return SIZE_MAX;
}

/* The only function without a partner that has been executed; SIZE_MAX: there is none, or several. */
static size_t only_one(const struct measured *m, const size_t *with)
{
    size_t found = SIZE_MAX;

    for (size_t k = 0; k < m->functions; k++) {
        uint64_t hits = 0;

        for (size_t r = m->function[k].first; r < m->function[k].first + m->function[k].count && !hits; r++)
            hits = m->row[r].hits;
        if (with[k] != SIZE_MAX || !hits)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = k;
    }
    return found;
}

static int add_functions(struct diff *d, size_t *of_a, size_t *of_b, struct err *e)
{
    const struct measured *a = d->a, *b = d->b;
    int failed = 0;

    for (size_t k = 0; k < a->functions; k++)
        of_a[k] = SIZE_MAX;
    for (size_t k = 0; k < b->functions; k++)
        of_b[k] = SIZE_MAX;
    for (size_t k = 0; k < a->functions; k++)
        if ((of_a[k] = find(b, a->function[k].name, of_b)) != SIZE_MAX)
            of_b[of_a[k]] = k;
    size_t left_a = only_one(a, of_a), left_b = only_one(b, of_b);
    if (left_a != SIZE_MAX && left_b != SIZE_MAX) {
        of_a[left_a] = left_b;
        of_b[left_b] = left_a;
    }
    for (size_t k = 0; k < a->functions && !failed; k++) {
        const struct measured_function *f = &a->function[k];
        const struct measured_function *g = of_a[k] == SIZE_MAX ? NULL : &b->function[of_a[k]];

        failed = add_lists(d, a->row + f->first, f->count, g ? b->row + g->first : NULL, g ? g->count : 0, false, e);
    }
    for (size_t k = 0; k < b->functions && !failed; k++)
        if (of_b[k] == SIZE_MAX)
            failed = add_lists(d, NULL, 0, b->row + b->function[k].first, b->function[k].count, false, e);
    return failed;
}

/* The row of m that a flat list's row `of` is a copy of: the n-th that is no name. */
static const struct measured_row *original(const struct measured *m, const size_t *at, const struct measured_row *list,
                                           const struct measured_row *of)
{
    return of ? &m->row[at[of - list]] : NULL;
}

/* Where in m its rows are that are no names; to be freed. */
static size_t *flat_places(const struct measured *m)
{
    size_t *at = malloc((m->rows + 1) * sizeof *at), n = 0;

    for (size_t k = 0; k < m->rows && at; k++)
        if (!m->row[k].is_name)
            at[n++] = k;
    return at;
}

static int add_flat(struct diff *d, struct err *e)
{
    size_t na, nb, *at_a = flat_places(d->a), *at_b = flat_places(d->b);
    struct measured_row *a = flat_rows(d->a, &na), *b = flat_rows(d->b, &nb);
    int failed = a && b && at_a && at_b ? add_lists(d, a, na, b, nb, true, e)
                                        : err_set(e, ERR_NOMEM, "out of host memory for rows");

    for (size_t k = 0; k < d->rows && !failed; k++) {
        d->row[k].a = original(d->a, at_a, a, d->row[k].a);
        d->row[k].b = original(d->b, at_b, b, d->row[k].b);
    }
    free(a);
    free(b);
    free(at_a);
    free(at_b);
    if (failed)
        d->rows = 0;
    return failed;
}

/* ---- figures ---- */

static void know(struct diff *d, enum diff_figure f, unsigned which, double value)
{
    d->known[f][which] = true;
    d->figure[f][which] = value;
}

static void figures(struct diff *d, const struct measured *m, unsigned which)
{
    double by = d->per == DIFF_WAVE ? (double)m->waves : 1;

    if (m->has_cycles)
        know(d, DIFF_CYCLES, which, (double)m->cycles);
    if (m->waves)
        know(d, DIFF_WAVES, which, (double)m->waves);
    know(d, DIFF_HITS, which, (double)m->hits / by);
    know(d, DIFF_LATENCY, which, (double)m->latency / by);
    know(d, DIFF_STALL, which, (double)m->stall / by);
    know(d, DIFF_IDLE, which, (double)m->idle / by);
    if (m->durations) {
        size_t lower = (m->durations - 1) / 2, upper = m->durations / 2;

        know(d, DIFF_WAVE_MIN, which, (double)m->duration[0]);
        know(d, DIFF_WAVE_MEDIAN, which, ((double)m->duration[lower] + (double)m->duration[upper]) / 2);
        know(d, DIFF_WAVE_MAX, which, (double)m->duration[m->durations - 1]);
    }
    if (m->has_durations)
        know(d, DIFF_WAVE_MEAN, which, m->mean_duration);
    if (m->has_occupancy)
        know(d, DIFF_OCCUPANCY, which, m->mean_waves);
    if (m->has_occupancy && m->most_waves)
        know(d, DIFF_OCCUPANCY_MAX, which, (double)m->most_waves);
}

int diff_make(struct diff *d, const struct measured *a, const struct measured *b, enum diff_per per, struct err *e)
{
    *d = (struct diff){.a = a, .b = b, .per = per};
    if (per == DIFF_AUTO)
        d->per = a->waves != b->waves && a->waves && b->waves ? DIFF_WAVE : DIFF_TOTAL;
    if (d->per == DIFF_WAVE && (!a->waves || !b->waves))
        return err_set(e, ERR_USAGE, "%s: nobody knows of how many waves it is; expected another choice than 'wave'",
                       a->waves ? b->path : a->path);
    figures(d, a, 0);
    figures(d, b, 1);
    if (nameless(a) || nameless(b))
        return add_flat(d, e);
    size_t *of_a = calloc(a->functions + 1, sizeof *of_a), *of_b = calloc(b->functions + 1, sizeof *of_b);
    int failed =
        of_a && of_b ? add_functions(d, of_a, of_b, e) : err_set(e, ERR_NOMEM, "out of host memory for functions");
    free(of_a);
    free(of_b);
    return failed;
}

/* ---- order ---- */

static double size_of(const struct diff_row *r, enum diff_sort by)
{
    const struct diff_values *a = &r->of_a, *b = &r->of_b;

    switch (by) {
    case DIFF_BY_LATENCY:
        return fabs(b->latency - a->latency);
    case DIFF_BY_STALL:
        return fabs(b->stall - a->stall);
    case DIFF_BY_IDLE:
        return fabs(b->idle - a->idle);
    case DIFF_BY_HITS:
        return fabs(b->hits - a->hits);
    default:
        return fabs(b->latency + b->idle - a->latency - a->idle);
    }
}

static int by_address(const void *a, const void *b)
{
    const struct diff_row *const x = a, *const y = b;
    uint64_t p = x->a ? x->a->vaddr : x->b->vaddr, q = y->a ? y->a->vaddr : y->b->vaddr;

    return p < q ? -1 : p > q;
}

#define SORT(E)                                                                                                        \
    static int by_##E(const void *a, const void *b)                                                                    \
    {                                                                                                                  \
        double x = size_of(a, DIFF_BY_##E), y = size_of(b, DIFF_BY_##E);                                               \
                                                                                                                       \
        return x > y ? -1 : x < y ? 1 : by_address(a, b);                                                              \
    }
SORT(DIFFERENCE)
SORT(LATENCY)
SORT(STALL)
SORT(IDLE)
SORT(HITS)

void diff_sort(struct diff *d, enum diff_sort by)
{
    static int (*const compare[])(const void *a, const void *b) = {by_DIFFERENCE, by_LATENCY, by_STALL,
                                                                   by_IDLE,       by_HITS,    by_address};

    if (d->rows)
        qsort(d->row, d->rows, sizeof *d->row, compare[by]);
}
