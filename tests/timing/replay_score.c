/* Comparing recorded issues with simulated ones, and with those of another recording. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

static void *grown(void *v, size_t count, size_t *room, size_t each)
{
    if (count < *room)
        return v;
    *room = *room ? 2 * *room : 64;
    v = realloc(v, *room * each);
    if (!v) {
        fputs("replay: out of host memory\n", stderr);
        exit(2);
    }
    return v;
}

void errors_add(struct errors *e, int64_t value)
{
    e->value = grown(e->value, e->count, &e->room, sizeof *e->value);
    e->value[e->count++] = value;
}

static void number_add(double **v, size_t *count, size_t *room, double value)
{
    *v = grown(*v, *count, room, sizeof **v);
    (*v)[(*count)++] = value;
}

void score_free(struct score *s)
{
    for (unsigned k = 0; k < TRACE_CLASSES; k++)
        free(s->distance[k].value);
    free(s->all.value);
    free(s->core);
    free(s->period);
}

void score_add(struct score *to, const struct score *from)
{
    for (unsigned k = 0; k < TRACE_CLASSES; k++)
        for (size_t n = 0; n < from->distance[k].count; n++)
            errors_add(&to->distance[k], from->distance[k].value[n]);
    for (size_t n = 0; n < from->all.count; n++)
        errors_add(&to->all, from->all.value[n]);
    for (size_t n = 0; n < from->cores; n++)
        number_add(&to->core, &to->cores, &to->core_room, from->core[n]);
    for (size_t n = 0; n < from->periods; n++)
        number_add(&to->period, &to->periods, &to->period_room, from->period[n]);
    to->unmatched += from->unmatched;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = llabs(*(const int64_t *)a), y = llabs(*(const int64_t *)b);

    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct summary errors_summary(const struct errors *e)
{
    struct summary s = {.count = e->count};
    double sum = 0, signed_sum = 0;
    size_t exact = 0;

    if (!e->count)
        return s;
    qsort(e->value, e->count, sizeof *e->value, by_size);
    for (size_t k = 0; k < e->count; k++) {
        sum += (double)llabs(e->value[k]);
        signed_sum += (double)e->value[k];
        exact += !e->value[k];
    }
    s.exact = (double)exact / (double)e->count;
    s.mean = sum / (double)e->count;
    s.bias = signed_sum / (double)e->count;
    s.median = (double)llabs(e->value[e->count / 2]);
    s.p90 = (double)llabs(e->value[(e->count - 1) * 9 / 10]);
    return s;
}

double median_of(double *v, size_t count)
{
    if (!count)
        return 0;
    qsort(v, count, sizeof *v, by_value);
    return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

double mean_abs(const double *v, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += v[k] < 0 ? -v[k] : v[k];
    return count ? sum / (double)count : 0;
}

/* Whether the distance from the event before to this one is compared: what memory, launch and end take is not, nor
 * where the recording lost the time. */
static bool compared(const struct trace_wave *w, size_t k)
{
    return k && w->event[k].cls != TRACE_WAIT && w->event[k].cls != TRACE_ENDPGM &&
           w->event[k].at - w->event[k - 1].at < TRACE_LOST_CYCLES;
}

cycle_t *score_match(const struct trace_wave *w, const struct run_wave *r, cycle_t grain, size_t *unmatched)
{
    cycle_t *at = malloc((w->count + 1) * sizeof *at);
    size_t next = 0;

    if (!at) {
        fputs("replay: out of host memory\n", stderr);
        exit(2);
    }
    for (size_t k = 0; k < w->count; k++) {
        size_t n = next;

        at[k] = CYCLE_NEVER;
        while (n < r->count && r->event[n].pc != w->event[k].pc)
            n++;
        if (n == r->count) {
            *unmatched += w->event[k].cls != TRACE_ENDPGM;
            continue;
        }
        at[k] = w->event[k].ends ? r->event[n].end : r->event[n].at;
        at[k] -= at[k] % grain;
        next = n + 1;
    }
    return at;
}

/* Median distance between visits of the target of the backward branch taken most often; 0: no loop of three rounds. */
static double period(const struct trace_wave *w, const cycle_t *at)
{
    uint64_t target = TRACE_NO_PC;
    double *v = calloc(w->count + 1, sizeof *v), result = 0;
    size_t count = 0;
    cycle_t before = CYCLE_NEVER;

    for (size_t k = 1; k < w->count && target == TRACE_NO_PC; k++)
        if (w->event[k].pc < w->event[k - 1].pc)
            target = w->event[k].pc;
    for (size_t k = 0; v && k < w->count; k++) {
        cycle_t t = at ? at[k] : w->event[k].at;

        if (w->event[k].pc != target || t == CYCLE_NEVER)
            continue;
        if (before != CYCLE_NEVER)
            v[count++] = (double)t - (double)before;
        before = t;
    }
    if (count >= 3)
        result = median_of(v, count);
    free(v);
    return result;
}

static void print_distance(FILE *f, const struct trace_wave *w, size_t k, int64_t measured, int64_t simulated)
{
    const struct trace_event *v = &w->event[k];

    fprintf(f, "    %6" PRIx64 " %-7s %6" PRId64 " %6" PRId64 " %+6" PRId64 " %s %s\n", v->pc, trace_class_name[v->cls],
            measured, simulated, simulated - measured,
            !compared(w, k)         ? " "
            : simulated == measured ? "="
                                    : "*",
            v->text);
}

void score_wave(struct score *s, const struct trace_wave *w, const struct run_wave *r, cycle_t grain, FILE *verbose)
{
    cycle_t *at = score_match(w, r, grain, &s->unmatched);
    double core = 0, simulated_core = 0, rounds = period(w, NULL);

    if (verbose)
        fprintf(verbose, "  wave on SIMD %u slot %u from %" PRIu64 ": pc, class, measured, simulated, error\n",
                w->span.simd, w->span.slot, w->span.start);
    for (size_t k = 0; k < w->count; k++) {
        int64_t measured, simulated;

        if (at[k] == CYCLE_NEVER || !k || at[k - 1] == CYCLE_NEVER)
            continue;
        measured = (int64_t)(w->event[k].at - w->event[k - 1].at);
        simulated = (int64_t)(at[k] - at[k - 1]);
        if (verbose)
            print_distance(verbose, w, k, measured, simulated);
        if (!compared(w, k))
            continue;
        errors_add(&s->distance[w->event[k].cls], simulated - measured);
        errors_add(&s->all, simulated - measured);
        core += (double)measured;
        simulated_core += (double)simulated;
    }
    if (core > 0)
        number_add(&s->core, &s->cores, &s->core_room, (simulated_core - core) / core);
    if (rounds > 0 && period(w, at) > 0)
        number_add(&s->period, &s->periods, &s->period_room, (period(w, at) - rounds) / rounds);
    free(at);
}

bool score_repeat(struct score *s, const struct trace_wave *a, const struct trace_wave *b)
{
    double core = 0, other = 0, rounds = period(a, NULL);

    if (a->count != b->count || a->count < 2)
        return false;
    for (size_t k = 0; k < a->count; k++)
        if (a->event[k].pc != b->event[k].pc)
            return false;
    for (size_t k = 1; k < a->count; k++) {
        int64_t one = (int64_t)(a->event[k].at - a->event[k - 1].at);
        int64_t two = (int64_t)(b->event[k].at - b->event[k - 1].at);

        if (!compared(a, k))
            continue;
        errors_add(&s->distance[a->event[k].cls], two - one);
        errors_add(&s->all, two - one);
        core += (double)one;
        other += (double)two;
    }
    if (core > 0)
        number_add(&s->core, &s->cores, &s->core_room, (other - core) / core);
    if (rounds > 0 && period(b, NULL) > 0)
        number_add(&s->period, &s->periods, &s->period_room, (period(b, NULL) - rounds) / rounds);
    return true;
}
