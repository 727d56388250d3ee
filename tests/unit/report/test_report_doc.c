/* docs/REPORT.md and the statistics table say the same. The tables of the document stand between the lines
 *
 *     <!-- statistics SCOPE -->   and   <!-- end -->
 *
 * and are those that this program makes of sim/engine/stats.h. `make report-doc` writes them (REPORT_UPDATE=1);
 * without, a difference fails. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/stats.h"
#include "tests/support/document.h"

#define DOCUMENT "docs/REPORT.md"

static char *text; /* the document */

static int read_document(void **state)
{
    (void)state;
    text = document_read(DOCUMENT);
    return text ? 0 : -1;
}

static int free_document(void **state)
{
    (void)state;
    free(text);
    return 0;
}

/* ---- tables ---- */

static void table_of_scope(FILE *f, const char *scope)
{
    size_t prefix = strcmp(scope, "run") == 0 ? 0 : strlen(scope) + 1;

    fputs("| name | unit | meaning |\n|---|---|---|\n", f);
    for (unsigned k = 0; k < STATS; k++)
        if (strcmp(stat_row[k].scope, scope) == 0)
            fprintf(f, "| `%s` | %s | %s |\n", stat_row[k].name + prefix, stat_row[k].unit, stat_row[k].meaning);
}

static void table_of_stalls(FILE *f)
{
    fputs("| reason | the wave | what helps |\n|---|---|---|\n", f);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        fprintf(f, "| `%s` | %s | %s |\n", timing_stall_key[k], stat_row[STAT_STALL + k].meaning + strlen("the wave "),
                timing_stall_remedy[k]);
}

static void table_of_caches(FILE *f)
{
    fputs("| name | unit | meaning |\n|---|---|---|\n", f);
    for (unsigned k = 0; k < STAT_CACHE_ROWS; k++) {
        const struct stat_row *row = &stat_row[stat_of_cache(LEVEL_VL0, (enum stat_cache)k)];
        fprintf(f, "| `%s` | %s | %s |\n", row->name + strlen("cache.vl0."), row->unit, row->meaning);
    }
}

static void table_of_levels(FILE *f)
{
    static const char *const about[LEVEL_COUNT] = {
#define X(E, KEY, ABOUT) [LEVEL_##E] = ABOUT,
        CACHE_LEVELS(X)
#undef X
    };

    fputs("| level | what |\n|---|---|\n", f);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        fprintf(f, "| `%s` | %s |\n", cache_level_key[k], about[k]);
}

static void table_of_memory_insts(FILE *f)
{
    fputs("| name | unit | meaning |\n|---|---|---|\n", f);
    for (unsigned k = 0; k < STAT_INST_ROWS; k++)
        fprintf(f, "| `%s` | %s | %s |\n", stat_memory_inst_row[k].name, stat_memory_inst_row[k].unit,
                stat_memory_inst_row[k].meaning);
}

/* Stall reasons and levels have tables of their own. */
static void table_of_insts(FILE *f)
{
    fputs("| name | unit | meaning |\n|---|---|---|\n", f);
    for (unsigned k = 0; k < STAT_INST_STALL; k++)
        fprintf(f, "| `%s` | %s | %s |\n", stat_inst_row[k].name, stat_inst_row[k].unit, stat_inst_row[k].meaning);
    fprintf(f, "| `cycles.REASON` | %s | cycles of waves by the reasons of `stall_cycles` |\n",
            stat_inst_row[STAT_INST_STALL].unit);
    fprintf(f, "| `answered.LEVEL` | %s | line requests that this level, or memory, has answered |\n",
            stat_inst_row[STAT_INST_ANSWERED].unit);
}

static void table(FILE *f, const char *what)
{
    if (strcmp(what, "stall_cycles") == 0)
        table_of_stalls(f);
    else if (strcmp(what, "cache") == 0)
        table_of_caches(f);
    else if (strcmp(what, "levels") == 0)
        table_of_levels(f);
    else if (strcmp(what, "memory_instructions") == 0)
        table_of_memory_insts(f);
    else if (strcmp(what, "instruction") == 0)
        table_of_insts(f);
    else
        table_of_scope(f, what);
}

/* ---- the document ---- */

/* The document with its tables made anew; counts them. To be freed. */
static char *made_anew(unsigned *tables)
{
    static const char begin[] = "<!-- statistics ", end[] = "<!-- end -->";
    char *out = NULL, what[32];
    const char *at = text, *mark;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);

    assert_non_null(f);
    for (*tables = 0; (mark = strstr(at, begin)); ++*tables) {
        const char *line = strchr(mark, '\n'), *close = strstr(mark, end);

        assert_true(line && close && sscanf(mark + strlen(begin), "%31s", what) == 1);
        fwrite(at, 1, (size_t)(line + 1 - at), f);
        table(f, what);
        at = close;
    }
    fputs(at, f);
    assert_int_equal(fclose(f), 0);
    return out;
}

static void tables_follow_from_the_rows(void **state)
{
    unsigned tables;
    char *want = made_anew(&tables);

    (void)state;
    assert_int_equal(tables, 17);
    document_follows(DOCUMENT, text, want, "the rows of sim/engine/stats.h");
    free(want);
}

/* Every statistic is in a table: a scope without one would be left out. */
static void every_scope_has_a_table(void **state)
{
    (void)state;
    for (unsigned k = 0; k < STATS; k++) {
        char mark[64];

        snprintf(mark, sizeof mark, "<!-- statistics %.*s -->", (int)strcspn(stat_row[k].scope, "."),
                 stat_row[k].scope);
        if (!strstr(text, mark))
            fail_msg(DOCUMENT " has no '%s', for %s", mark, stat_row[k].name);
    }
}

static void limits_are_explained(void **state)
{
    static const char *const words[] = {"wave_slots", "vgprs", "sgprs", "lds", "barriers", "workgroup_size"};

    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        char quoted[80];

        snprintf(quoted, sizeof quoted, "`%s`", words[k]);
        if (!strstr(text, quoted))
            fail_msg(DOCUMENT " does not have %s", quoted);
    }
}

/* ---- the table itself ---- */

static void rows_are_whole_and_names_unique(void **state)
{
    (void)state;
    for (unsigned k = 0; k < STATS; k++) {
        const struct stat_row *row = &stat_row[k];

        assert_true(row->name && row->scope && *row->unit && *row->meaning);
        assert_int_equal(stat_find(row->name), k); /* the first of that name */
        if (strcmp(row->scope, "run") == 0)
            assert_null(strchr(row->name, '.'));
        else
            assert_true(strncmp(row->name, row->scope, strlen(row->scope)) == 0 &&
                        row->name[strlen(row->scope)] == '.');
    }
    assert_int_equal(stat_find("cache.l2"), STATS);
    assert_int_equal(stat_find("cache.l2.misses"), stat_of_cache(LEVEL_L2, STAT_CACHE_MISSES));
    assert_int_equal(stat_find("stall_cycles.wait_kmcnt"), STAT_STALL + STALL_WAIT + WAIT_KM);
    assert_int_equal(stat_find("instructions.internal"), STAT_CATEGORY + OPCAT_INTERNAL);
    assert_int_equal(stat_find("translation.page_table_reads"), STATS - 1);
}

/* A wait counter has a stall reason of its name. */
static void waits_have_reasons(void **state)
{
    char want[40];

    (void)state;
    for (unsigned k = 0; k < WAIT_COUNT; k++) {
        snprintf(want, sizeof want, "wait_%s", wait_counter_key[k]);
        assert_string_equal(timing_stall_key[STALL_WAIT + k], want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_follow_from_the_rows), cmocka_unit_test(every_scope_has_a_table),
        cmocka_unit_test(limits_are_explained), cmocka_unit_test(rows_are_whole_and_names_unique),
        cmocka_unit_test(waits_have_reasons)};

    return cmocka_run_group_tests(tests, read_document, free_document);
}
