/* The rows of stall reasons: what they name exists, and reasons of one kind are told apart as they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/rows.h"
#include "sim/engine/timing/cu/ports.h"
#include "sim/engine/timing/cu/stall.h"

/* Every figure that a row names is one of a profile. */
static void figures_exist(void **state)
{
    (void)state;
    for (unsigned k = 0; k < STALL_COUNT; k++) {
        const struct timing_stall_row *row = &timing_stall_row[k];
        char copy[200], *rest = copy;

        assert_non_null(timing_stall_key[k]);
        assert_int_equal(row->figures.paths != NULL, row->figures.kind == STALL_FIGURES_ON);
        if (!row->figures.paths)
            continue;
        assert_true(strlen(row->figures.paths) < 160); /* what sim/report/cycle_figures.c has room for */
        strcpy(copy, row->figures.paths);
        for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
            if (!profile_row_find(one))
                fail_msg("%s: no figure %s", timing_stall_key[k], one);
    }
}

static const struct timing_stall_row *row_of(const char *key)
{
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (!strcmp(timing_stall_key[k], key))
            return &timing_stall_row[k];
    fail_msg("no stall reason %s", key);
    return NULL;
}

/* Copies between memory and LDS wait for memory; exports do not; only issue and arbitration are no waits. */
static void what_reasons_are(void **state)
{
    static const struct {
        const char *key;
        unsigned category, cause;
    } of[] = {{"wait_vmcnt", STALL_CATEGORY_MEMORY, STALL_CAUSE_MEMORY},
              {"wait_asynccnt", STALL_CATEGORY_MEMORY, STALL_CAUSE_MEMORY},
              {"wait_tensorcnt", STALL_CATEGORY_MEMORY, STALL_CAUSE_MEMORY},
              {"wait_expcnt", STALL_CATEGORY_OTHER, STALL_CAUSE_EXPORT},
              {"wait_lgkmcnt", STALL_CATEGORY_LDS, STALL_CAUSE_SHARED},
              {"wait_dscnt", STALL_CATEGORY_LDS, STALL_CAUSE_LDS},
              {"barrier", STALL_CATEGORY_OTHERS, STALL_CAUSE_BARRIER},
              {"unit_busy_barrier", STALL_CATEGORY_OTHERS, STALL_CAUSE_BARRIER},
              {"issued", STALL_CATEGORY_ISSUED, STALL_CAUSE_ISSUE},
              {"arbitration", STALL_CATEGORY_ARBITRATION, STALL_CAUSE_ISSUE}};

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        assert_int_equal(row_of(of[k].key)->category, of[k].category);
        assert_int_equal(row_of(of[k].key)->cause, of[k].cause);
    }
    for (unsigned k = 0; k < STALL_CATEGORIES; k++)
        assert_int_equal(timing_stall_category[k].waits, k != STALL_CATEGORY_ISSUED && k != STALL_CATEGORY_ARBITRATION);
}

/* Every reason that a wave waits for has a letter, and what is painted by one letter is one thing. */
static void letters(void **state)
{
#define X(E, LETTER, ABOUT) LETTER,
    static const char letter[STALL_MARK_COUNT + 1] = {STALL_MARKS(X)};
#undef X
    bool used[STALL_MARK_COUNT + 1] = {false};

    (void)state;
    for (unsigned k = 0; k < STALL_COUNT; k++) {
        assert_in_range(timing_stall_row[k].mark, 0, STALL_MARK_NONE);
        assert_int_equal(timing_stall_row[k].mark == STALL_MARK_NONE, k == STALL_ISSUED);
        assert_int_equal(timing_stall_row[k].mark == STALL_MARK_WAIT, k >= STALL_WAIT);
        used[timing_stall_row[k].mark] = true;
    }
    for (unsigned k = 0; k < STALL_MARK_COUNT; k++) {
        assert_true(used[k]);
        assert_null(strchr("IRo<>=-", letter[k]));
        assert_ptr_equal(strchr(letter, letter[k]), &letter[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_exist), cmocka_unit_test(what_reasons_are),
                                       cmocka_unit_test(letters)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
