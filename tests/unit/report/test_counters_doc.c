/* The tables of docs/COUNTERS.md, between "<!-- counters -->" or "<!-- metrics -->" and "<!-- end -->", are those that
 * this program makes of the rows of sim/report/counters_rows.c. `make report-doc` writes them (REPORT_UPDATE=1);
 * without, a difference fails. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/stats.h"
#include "sim/report/counters.h"
#include "tests/support/document.h"

#define DOCUMENT "docs/COUNTERS.md"

enum {
    RDNA = COUNTERS_G10 | COUNTERS_G11 | COUNTERS_G12,
    MI300_UP = COUNTERS_G94X | COUNTERS_G950,
    MI200_UP = COUNTERS_G90A | MI300_UP,
    CDNA = COUNTERS_G908 | MI200_UP,
    GCN = COUNTERS_G8 | COUNTERS_G900 | COUNTERS_G906 | CDNA,
    LONGEST_FRACTION = 1024
};

/* Sets of chips that have a name, larger ones first. */
static const struct {
    unsigned generations;
    const char *name;
} sets[] = {{COUNTERS_EVERY, "all"},
            {GCN, "GCN, CDNA"},
            {GCN & ~(unsigned)MI300_UP, "to MI200"},
            {CDNA, "MI100 on"},
            {MI200_UP, "MI200 on"},
            {MI300_UP, "MI300, MI350"},
            {RDNA, "RDNA"},
            {COUNTERS_G10 | COUNTERS_G11, "RDNA1 to 3"},
            {COUNTERS_G8, "gfx8"},
            {COUNTERS_G90A, "MI200"},
            {COUNTERS_G950, "MI350"},
            {COUNTERS_G12, "RDNA4"}};

static const char *name_of(unsigned generations)
{
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        if (sets[k].generations == generations)
            return sets[k].name;
    return NULL;
}

static void put_chips(FILE *f, unsigned generations)
{
    const char *whole = name_of(generations), *but = name_of(COUNTERS_EVERY & ~generations);

    if (whole || but) {
        fprintf(f, "%s%s", whole ? whole : "all but ", whole ? "" : but);
        return;
    }
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        if (generations && (sets[k].generations & generations) == sets[k].generations) {
            generations &= ~sets[k].generations;
            fprintf(f, "%s%s", sets[k].name, generations ? ", " : "");
        }
    if (generations)
        fail_msg("chips 0x%x have no name here", generations);
}

/* The name of a statistic, without what it has in common with the one before. */
static void put_stat(FILE *f, unsigned stat, const char **before)
{
    const char *name = stat_row[stat].name, *last = strrchr(name, '.');
    size_t n = last ? (size_t)(last - name) : 0;

    fprintf(f, "`%s`", n && *before && !strncmp(*before, name, n + 1) ? last : name);
    *before = name;
}

/* "25 / 64 * " before what is multiplied, or " / 4" after it. */
static void put_weight(FILE *f, double weight, bool behind)
{
    double below = 1;

    while (below < LONGEST_FRACTION && rint(weight * below) != weight * below)
        below *= 2;
    double above = weight * below;
    assert_true(above == rint(above));
    if (behind && above == 1 && below > 1)
        fprintf(f, " / %g", below);
    else if (!behind && above != 1)
        below > 1 ? fprintf(f, "%g / %g * ", above, below) : fprintf(f, "%g * ", above);
}

/* All waves that have started are those of every size. */
static bool is_waves(const struct counter_term *t, unsigned count)
{
    static const unsigned sizes[] = {STAT_LAUNCHED_1, STAT_LAUNCHED_16, STAT_LAUNCHED_32, STAT_LAUNCHED_48,
                                     STAT_LAUNCHED_64};

    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (count != sizeof sizes / sizeof *sizes || t[k].stat != sizes[k])
            return false;
    return true;
}

static void put_term(FILE *f, const struct counter_row *row, const struct counter_term *t, double weight,
                     const char **before)
{
    static const char *const times[] = {[PER_CU] = " * CUs",
                                        [PER_SIMD] = " * SIMDs",
                                        [IF_WAVE32] = " of waves of 32 lanes, else 0",
                                        [IF_WAVE64] = " of waves of 64 lanes, else 0"};

    put_weight(f, weight, false);
    put_stat(f, t->stat, before);
    fputs(times[t->times] ? times[t->times] : "", f);
    put_weight(f, weight, true);
    if (row->generations & ~(unsigned)t->generations) {
        fputs(" (", f);
        put_chips(f, t->generations);
        fputs(")", f);
    }
}

/* divisor: in brackets unless it is a single statistic. */
static void put_sum(FILE *f, const struct counter_row *row, const struct counter_term *t, unsigned most, bool divisor)
{
    const char *before = NULL;
    unsigned count = 0;
    bool alike = true;

    while (count < most && t[count].weight != 0)
        count++;
    for (unsigned k = 1; k < count; k++)
        alike = alike && fabs(t[k].weight) == fabs(t[0].weight);
    alike = alike && count > 1;
    double all = alike ? fabs(t[0].weight) : 1;
    if (is_waves(t, count)) {
        fputs("`launched.waves_*`", f);
        return;
    }
    divisor = divisor && (count > 1 || all != 1 || t[0].times != PER_NOTHING || t[0].weight != 1);
    bool inner = count > 1 && all != 1;
    fputs(divisor ? "(" : "", f);
    put_weight(f, all, false);
    fputs(inner ? "(" : "", f);
    for (unsigned k = 0; k < count; k++) {
        fputs(t[k].weight < 0 ? " - " : k ? " + " : "", f);
        put_term(f, row, &t[k], fabs(t[k].weight) / all, &before);
    }
    fputs(inner ? ")" : "", f);
    put_weight(f, all, true);
    fputs(divisor ? ")" : "", f);
}

/* A counter of a unit of the hardware, whose name it begins with; else a metric. */
static bool is_counter(const char *name)
{
    static const char *const unit[] = {"GRBM_", "SQ_", "SQC_", "TA_", "TD_", "TCP_", "TCC_", "GL2C_"};

    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        if (!strncmp(name, unit[k], strlen(unit[k])))
            return true;
    return false;
}

static void put_row(FILE *f, const struct counter_row *row)
{
    const char *before = NULL;

    fprintf(f, "| `%s` | ", row->name);
    put_chips(f, row->generations);
    fprintf(f, " | %s | ", row->about);
    bool share = row->by[0].weight != 0, several = row->of[1].weight != 0 && row->of[0].weight == 1;
    fputs(share && several ? "(" : "", f);
    put_sum(f, row, row->of, COUNTER_TERMS, false);
    fputs(share && several ? ")" : "", f);
    if (share) {
        fputs(" / ", f);
        put_sum(f, row, row->by, COUNTER_DIVISORS, true);
    }
    for (unsigned k = 0; k < COUNTER_UNLESS && row->unless[k] != STAT_CYCLES; k++) {
        fputs(k ? ", " : "; not with ", f);
        put_stat(f, row->unless[k], &before);
    }
    fputs(" |\n", f);
}

static void put_table(FILE *f, bool counters)
{
    fprintf(f, "| %s | chips | what AMD says that it is | made of |\n|---|---|---|---|\n",
            counters ? "counter" : "metric");
    for (const struct counter_row *row = report_counter_rows; row->name; row++)
        if (is_counter(row->name) == counters)
            put_row(f, row);
}

static void the_tables_follow_from_the_rows(void **state)
{
    char *text = document_read(DOCUMENT), *want = NULL;
    const char *at = text;
    size_t size = 0;
    FILE *f = open_memstream(&want, &size);

    (void)state;
    assert_non_null(text);
    assert_non_null(f);
    for (unsigned k = 0; k < 2; k++) {
        const char *mark = strstr(at, k ? "<!-- metrics -->\n" : "<!-- counters -->\n");
        assert_non_null(mark);
        mark = strchr(mark, '\n') + 1;
        fwrite(at, 1, (size_t)(mark - at), f);
        put_table(f, k == 0);
        at = strstr(mark, "<!-- end -->");
        assert_non_null(at);
    }
    fputs(at, f);
    assert_int_equal(fclose(f), 0);
    document_follows(DOCUMENT, text, want, "the rows of sim/report/counters_rows.c");
    free(want);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_tables_follow_from_the_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
