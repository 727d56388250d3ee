/* Several launches as JSON, text and CSV, and which of them is the steady one. */
#include "sim/report/sequence.h"
#include "sim/report/summary.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Indices of the measured launches of one list entry. */
struct summary {
    size_t least, steady, most; /* REPORT_NO_ITEM: none counts, or out of memory */
};

struct timed {
    double cycles;
    size_t item;
};

static int by_cycles(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return x->item < y->item ? -1 : 1;
}

static struct summary summary_of(const struct report_sequence *s, uint32_t launch)
{
    struct summary none = {REPORT_NO_ITEM, REPORT_NO_ITEM, REPORT_NO_ITEM}, out;
    struct timed *timed = calloc(s->count + 1, sizeof *timed);
    size_t n = 0, k;

    for (size_t i = 0; timed && i < s->count; i++)
        if (s->item[i].launch == launch && !s->item[i].warmup && s->item[i].row.outcome == ENGINE_DONE)
            timed[n++] = (struct timed){s->item[i].row.cycles, i};
    if (!n) {
        free(timed);
        return none;
    }
    out = (struct summary){timed[0].item, timed[n - 1].item, timed[n - 1].item};
    if (s->item[timed[0].item].row.cycles >= 0) {
        qsort(timed, n, sizeof *timed, by_cycles);
        for (k = (n - 1) / 2; k && timed[k - 1].cycles == timed[k].cycles;)
            k--;
        out = (struct summary){timed[0].item, timed[k].item, timed[n - 1].item};
    }
    free(timed);
    return out;
}

size_t report_sequence_steady(const struct report_sequence *s, uint32_t launch)
{
    return summary_of(s, launch).steady;
}

static uint32_t launches(const struct report_sequence *s)
{
    uint32_t n = 0;

    for (size_t k = 0; k < s->count; k++)
        n = s->item[k].launch >= n ? s->item[k].launch + 1 : n;
    return n;
}

/* Whether each item is a steady launch; null when out of memory. */
static bool *steady_items(const struct report_sequence *s)
{
    bool *steady = calloc(s->count + 1, sizeof *steady);

    for (uint32_t n = 0; steady && n < launches(s); n++) {
        size_t k = report_sequence_steady(s, n);
        if (k != REPORT_NO_ITEM)
            steady[k] = true;
    }
    return steady;
}

static const char *name_of(const struct report_sequence_item *i)
{
    return i->name ? i->name : i->row.kernel;
}

/* ---- JSON ---- */

static void json_launch(struct json_put *j, const struct report_sequence_item *i, bool steady)
{
    json_put(j, "{\n launch: %" PRIu32 ", name: %s, round: %" PRIu32 ", warmup: %hhd, steady: %hhd, report:", i->launch,
             name_of(i), i->round, i->warmup, steady);
    report_json(j, i->report);
    json_put(j, "}");
}

/* figure: which one of a row. */
static void json_range(struct json_put *j, const struct report_sequence *s, const struct summary *m, size_t figure,
                       const char *key, const char *format)
{
    const struct {
        const char *key;
        size_t item;
    } part[] = {{"min", m->least}, {"median", m->steady}, {"max", m->most}};

    json_put(j, "%s: {", key);
    for (size_t k = 0; k < 3; k++) {
        json_put(j, "%s:", part[k].key);
        fprintf(json_put_raw(j), format, *(const double *)((const char *)&s->item[part[k].item].row + figure));
    }
    json_put(j, "}");
}

static void json_steady(struct json_put *j, const struct report_sequence *s, const struct summary *m)
{
    const struct report_sequence_item *i = &s->item[m->steady];

    json_put(j, "{\n launch: %" PRIu32 ", name: %s, round: %" PRIu32, i->launch, name_of(i), i->round);
    if (i->row.cycles >= 0) {
        json_range(j, s, m, offsetof(struct report_row, cycles), "cycles", "%.0f");
        json_range(j, s, m, offsetof(struct report_row, time_us), "time_us", "%.6g");
        if (i->row.total_us >= 0)
            json_range(j, s, m, offsetof(struct report_row, total_us), "total_us", "%.6g");
    }
    json_put(j, "}");
}

void report_write_sequence_json(FILE *f, const void *sequence)
{
    const struct report_sequence *s = sequence;
    struct json_put j = {.f = f};
    bool *steady = steady_items(s);

    json_put(&j, "{\n warmup: %" PRIu32 ", repeat: %" PRIu32 ", cold: %hhd, launches: [\n", s->warmup_rounds, s->rounds,
             s->cold);
    for (size_t k = 0; k < s->count; k++)
        json_launch(&j, &s->item[k], steady && steady[k]);
    free(steady);
    json_put(&j, "], steady: [\n");
    for (uint32_t n = 0; n < launches(s); n++) {
        struct summary m = summary_of(s, n);

        if (m.steady != REPORT_NO_ITEM)
            json_steady(&j, s, &m);
    }
    json_put(&j, "]}\n");
}

/* ---- text ---- */

static double percent_of_hits(const struct report *r, enum cache_level level)
{
    return 100 * r->value[stat_of_cache(level, STAT_CACHE_HIT_RATE)];
}

static double value_of(const struct report *r, enum stat stat)
{
    return r->present[stat] ? r->value[stat] : -1;
}

struct report_row report_row_of(const struct report *r)
{
    bool has_l2 = r->present[stat_of_cache(LEVEL_L2, 0)], has_dram = r->present[STAT_DRAM_READ_BYTES];

    return (struct report_row){
        .outcome = r->outcome,
        .kernel = r->run.kernel,
        .cycles = value_of(r, STAT_CYCLES),
        .time_us = value_of(r, STAT_TIME_US),
        .total_us = value_of(r, STAT_DISPATCH_TOTAL_US),
        .l2_hit_percent = has_l2 ? percent_of_hits(r, LEVEL_L2) : -1,
        .dram_bytes = has_dram ? r->value[STAT_DRAM_READ_BYTES] + r->value[STAT_DRAM_WRITE_BYTES] : -1,
    };
}

static void text_us(FILE *f, double us)
{
    if (us >= 0)
        fprintf(f, " %9.3f", us);
    else
        fprintf(f, " %9s", "");
}

static void text_row(FILE *f, const struct report_sequence_item *i, bool steady)
{
    const struct report_row *r = &i->row;
    char round[16], cycles[32] = "", bytes[32] = "", l2[16] = "";

    snprintf(round, sizeof round, i->warmup ? "w%" PRIu32 : "%" PRIu32, i->round);
    if (r->cycles >= 0)
        report_grouped((uint64_t)r->cycles, cycles);
    if (r->dram_bytes >= 0)
        report_grouped((uint64_t)r->dram_bytes, bytes);
    if (r->l2_hit_percent >= 0)
        snprintf(l2, sizeof l2, "%.1f", r->l2_hit_percent);
    fprintf(f, "%c %-19.19s %5s %13s", steady ? '*' : ' ', name_of(i), round, cycles);
    text_us(f, r->time_us);
    text_us(f, r->total_us);
    fprintf(f, " %6s %11s%s%s\n", l2, bytes, r->outcome == ENGINE_DONE ? "" : "  ",
            r->outcome == ENGINE_DONE || !i->report ? "" : report_outcome_key(i->report));
}

/* Rows of the table before a summary: the first and the last ones, and steady ones. */
enum { FIRST_ROWS = 6, LAST_ROWS = 2 };

static void text_table(FILE *f, const struct report_sequence *s, const bool *steady, bool folds)
{
    char a[32];

    fprintf(f, "  %-19s %5s %13s %9s %9s %6s %11s\n", "launch", "round", "cycles", "us", "total us", "L2 %",
            "DRAM bytes");
    for (size_t k = 0, left_out = 0; k < s->count; k++) {
        if (folds && k >= FIRST_ROWS && k + LAST_ROWS < s->count && !(steady && steady[k])) {
            left_out++;
            continue;
        }
        if (left_out)
            fprintf(f, "  and %s more\n", report_grouped(left_out, a));
        left_out = 0;
        text_row(f, &s->item[k], steady && steady[k]);
    }
}

void report_write_sequence_text(FILE *f, const void *sequence)
{
    const struct report_sequence *s = sequence;
    bool *steady = steady_items(s), summary = s->sections && strcmp(s->sections, "summary") == 0;

    fprintf(f, "%" PRIu32 " round%s after %" PRIu32 " of warm-up; * the steady launch, whose report follows\n\n",
            s->rounds, s->rounds == 1 ? "" : "s", s->warmup_rounds);
    text_table(f, s, steady, summary);
    for (size_t k = 0; k < s->count; k++) {
        const struct report_sequence_item *i = &s->item[k];

        if (!i->report || (!(steady && steady[k]) && i->row.outcome == ENGINE_DONE))
            continue;
        fprintf(f, "\n=== %s, round %" PRIu32 "%s\n", name_of(i), i->round, i->warmup ? " of the warm-up" : "");
        /* one screen for all of them */
        if (summary && launches(s) > 1 && i->row.outcome == ENGINE_DONE) {
            summary_verdict(f, i->report);
            continue;
        }
        fputc('\n', f);
        report_write_sections(f, &(struct report_sections){i->report, s->sections});
    }
    free(steady);
}

/* ---- CSV ---- */

void report_write_sequence_csv(FILE *f, const void *sequence)
{
    const struct report_sequence *s = sequence;

    fputs("launch,round,name,unit,value\n", f);
    for (size_t n = 0; n < s->count; n++) {
        const struct report *r = s->item[n].report;

        for (unsigned k = 0; k < STATS && !s->item[n].warmup; k++)
            if (r->present[k])
                fprintf(f, stat_row[k].kind == STAT_KIND_RATIO ? "%u,%u,%s,%s,%.6g\n" : "%u,%u,%s,%s,%.0f\n",
                        s->item[n].launch, s->item[n].round, stat_row[k].name, stat_row[k].unit, r->value[k]);
    }
}
