/* The data of a sweep's page, word by word (tests/unit/sweep/words), of results that are made up here, and which
 * expressions of a file are computed. */
#include "tests/unit/sweep/sweep_unit.h"

#include <sqlite3.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/foreign.h"
#include "sim/sweep/page.h"
#include "sim/sweep/page_template.h"
#include "sim/sweep/store.h"
#include "tests/support/words.h"

enum { MAX_STATS = 1024 };

static void put(struct sweep_store *store, uint64_t point, const char *outcome, double cycles, double dram)
{
    static bool present[MAX_STATS];
    static double value[MAX_STATS];
    struct sweep_result r = {.outcome = outcome,
                             .key = "key",
                             .command = "gcnsim run",
                             .gcnsim = "1",
                             .gcnsim_sha256 = "gcnsim",
                             .host = "h",
                             .worker = "w",
                             .started = "now",
                             .value = value,
                             .present = present};
    struct err e = {0};

    value[0] = cycles;
    present[0] = cycles > 0;
    value[1] = dram; /* 17 figures of it are too many for a page */
    present[1] = dram > 0;
    value[2] = 4096; /* the same for all that have it */
    present[2] = cycles > 0;
    if (sweep_store_put(store, point, &r, &e))
        fail_msg("%s", e.text);
}

/* Six points of two axes and a parameter beside one, of which four completed and one faulted. */
static struct sqlite3 *make(const char *name, struct sweep_allowance *allowance)
{
    struct sweep_spec *s =
        spec_with("'name': 'a sweep', 'axes': [{'parameter': 'n', 'values': [1, 2, 4]}, {'parameter': "
                  "'mode', 'values': ['fast', 'slow']}], 'objectives': ['cycles', {'value': 'cycles "
                  "/ n', 'name': 'each', 'goal': 'maximize'}]");
    struct sweep_points *p = points_of(s);
    struct sweep_store *store;
    struct err e = {0};
    uint64_t gone;

    if (sweep_store_open(&store, in_folder(name), false, &e) || sweep_store_plan(store, s, p, &gone, &e))
        fail_msg("%s", e.text);
    sweep_points_free(p);
    sweep_spec_free(s);
    put(store, 0, "completed", 1000, 0.5);
    put(store, 1, "completed", 700, 1 / 3.0);
    put(store, 2, "faulted", 0, 0);
    put(store, 3, "completed", 300, 0.25);
    put(store, 5, "completed", 200, 0);
    struct sqlite3 *db = NULL;
    if (sweep_store_close(store, &e) || sweep_results_open(&db, allowance, in_folder(name), &e))
        fail_msg("%s", e.text);
    return db;
}

static void expect_page(struct sqlite3 *db, const char *where, const char *name)
{
    const size_t before = strlen(sweep_page_template.before), after = strlen(sweep_page_template.after);
    char *text = NULL;
    struct err e = {0};
    size_t bytes = 0;

    if (sweep_page(db, "a/folder/results.sqlite", where, &text, &bytes, &e))
        fail_msg("%s", e.text);
    assert_int_equal(bytes, strlen(text));
    assert_true(bytes > before + after);
    assert_memory_equal(text, sweep_page_template.before, before);
    assert_string_equal(text + bytes - after, sweep_page_template.after);
    text[bytes - after] = 0;
    expect_words("tests/unit/sweep/words", name, words_mask(text + before, gcnsim_version()));
    free(text);
}

static void test_pages(void **state)
{
    struct sweep_allowance allowance;
    struct sqlite3 *db = make("page.sqlite", &allowance);
    struct err e = {0};
    char *text = NULL;
    size_t bytes;

    (void)state;
    expect_page(db, NULL, "page");
    expect_page(db, "n > 1 AND cycles > 0", "page_of_some");
    expect_page(db, "n > 4", "page_of_none");
    assert_int_equal(sweep_page(db, "r.sqlite", "none > 1", &text, &bytes, &e), -1);
    assert_null(text);
    assert_non_null(strstr(e.text, "none"));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Values of points or statistics that the file does not have are no part of the page. */
static void test_values_of_nothing(void **state)
{
    struct sweep_allowance allowance;
    sqlite3 *db;
    struct err e = {0};

    (void)state;
    assert_int_equal(sqlite3_close(make("nothing.sqlite", &allowance)), SQLITE_OK);
    assert_int_equal(sqlite3_open(in_folder("nothing.sqlite"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "INSERT INTO value VALUES (1, 999, 5), (2, 0, 6), (999, 1, 7), (-5, 1, 8)", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("nothing.sqlite"), &e), 0);
    expect_page(db, NULL, "page");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* All statistics vary: there are more values of them than a page has points at most, and room for all. */
static void test_many_columns(void **state)
{
    struct sweep_allowance allowance;
    struct sweep_store *store;
    struct sweep_points *p;
    struct sweep_spec *s;
    struct gcnsim_stat stat;
    uint32_t statistics = 0, columns = 0;
    char *text = NULL, axis[100];
    struct err e = {0};
    uint64_t gone;
    size_t bytes = 0;
    sqlite3 *db;

    (void)state;
    while (gcnsim_stat_info(statistics, &stat) == 0)
        statistics++;
    snprintf(axis, sizeof axis, "'axes': [{'parameter': 'n', 'range': {'from': 1, 'to': %u, 'step': 1}}]",
             SWEEP_PAGE_POINTS / statistics + 1);
    s = spec_with(axis);
    p = points_of(s);
    if (sweep_store_open(&store, in_folder("columns.sqlite"), false, &e) || sweep_store_plan(store, s, p, &gone, &e))
        fail_msg("%s", e.text);
    assert_int_equal(sqlite3_exec(sweep_store_db(store),
                                  "BEGIN; INSERT INTO value SELECT p.id, s.statistic, p.id * 3 + s.statistic FROM "
                                  "point p, statistic s; COMMIT",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    if (sweep_store_close(store, &e) || sweep_results_open(&db, &allowance, in_folder("columns.sqlite"), &e) ||
        sweep_page(db, "results.sqlite", NULL, &text, &bytes, &e))
        fail_msg("%s", e.text);
    assert_true(bytes > SWEEP_PAGE_POINTS && bytes < SWEEP_PAGE_COLUMN_BYTES);
    assert_non_null(strstr(text, "],\n\"same\":[],\n\"left_out\":[],\n\"not_computed\":[]}"));
    for (const char *at = text; (at = strstr(at, "{\"objective\":false")); at++)
        columns++;
    assert_int_equal(columns, statistics);
    free(text);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    sweep_points_free(p);
    sweep_spec_free(s);
}

static void test_too_many_points(void **state)
{
    struct sweep_allowance allowance;
    struct err e = {0};
    char *text = NULL;
    size_t bytes;
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_close(make("points.sqlite", &allowance)), SQLITE_OK);
    assert_int_equal(sqlite3_open(in_folder("points.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "INSERT INTO point (ordinal, identity, launch) WITH RECURSIVE c(n) AS (SELECT 6 "
                                  "UNION ALL SELECT n + 1 FROM c LIMIT 199995) SELECT n, n, 'a' FROM c",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("points.sqlite"), &e), 0);
    assert_int_equal(sweep_page(db, "r.sqlite", NULL, &text, &bytes, &e), -1);
    assert_int_equal(e.code, ERR_LIMIT);
    assert_string_equal(e.text, "r.sqlite: 200001 points; a page shows 200000 at most (--csv has them all)");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A file's own expressions compute with numbers of the results and do nothing else. */
static void test_expressions(void **state)
{
    static const struct {
        const char *expression, *why; /* null: it is computed */
    } of[] = {
        {"(\"cycles\")", NULL},
        {"(cycles / max(n, 2) + abs(-1.5))", NULL},
        {"(CASE WHEN mode = ');--' THEN 1 ELSE 2 END)", NULL},
        {"(cycles) + (n)", "more than an expression"},
        {"(cycles); (n)", "more than an expression"},
        {"(cycles -- )", "more than an expression"},
        {"(cycles /* */)", "more than an expression"},
        {"(SELECT 1)", "a query in it"},
        {"(1 IN (select 2))", "a query in it"},
        {"(selected)", "no such column: selected"},
        {"(load_extension('x'))", "not authorized"},
        {"(randomblob(9))", "not authorized"},
        {"(hex(cycles))", "not authorized"},
        {"(cycles", "syntax error"},
    };
    struct sweep_allowance allowance;
    struct sqlite3 *db = make("expressions.sqlite", &allowance);

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char *why;
        int rc = sweep_foreign_expression(db, of[k].expression, &why);

        if (rc != (of[k].why ? -1 : 0) || !why != !of[k].why || (why && !strstr(why, of[k].why)))
            fail_msg("%s: %d, %s", of[k].expression, rc, why ? why : "nothing");
        free(why);
    }
    /* the user's own may call what does not load code; nothing writes any more */
    assert_int_equal(sqlite3_exec(db, "SELECT hex(cycles) FROM results", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT load_extension('x')", NULL, NULL, NULL), SQLITE_ERROR);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM point", NULL, NULL, NULL), SQLITE_AUTH);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode", NULL, NULL, NULL), SQLITE_AUTH);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A file that anybody may have changed: with a table more, with another trigger, without a table. */
static void test_schemas(void **state)
{
    static const struct {
        const char *sql, *says; /* null: it is opened all the same */
    } of[] = {
        {"CREATE TABLE extra(x)", "its schema has a table 'extra' that no results have"},
        {"CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END",
         "its schema has a trigger 't' that no results have"},
        {"DROP TABLE statistic", "its schema lacks tables of results"},
        {"ANALYZE", NULL},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct sweep_allowance allowance;
        struct err e = {0};
        char name[32];
        sqlite3 *db;

        snprintf(name, sizeof name, "schema%zu.sqlite", k);
        assert_int_equal(sqlite3_close(make(name, &allowance)), SQLITE_OK);
        assert_int_equal(sqlite3_open(in_folder(name), &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, of[k].sql, NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_int_equal(sweep_results_open(&db, &allowance, in_folder(name), &e), of[k].says ? -1 : 0);
        if (of[k].says && !strstr(e.text, of[k].says))
            fail_msg("%s: %s", of[k].sql, e.text);
        if (!of[k].says)
            assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

/* What reads on and on ends. */
static void test_allowance(void **state)
{
    struct sweep_allowance allowance;
    struct sqlite3 *db = make("allowance.sqlite", &allowance);

    (void)state;
    assert_int_equal(sqlite3_exec(db, "SELECT count(*) FROM point", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c", NULL,
                     NULL, NULL),
        SQLITE_INTERRUPT);
    assert_int_equal(allowance.left, 0);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages),        cmocka_unit_test(test_values_of_nothing),
        cmocka_unit_test(test_many_columns), cmocka_unit_test(test_too_many_points),
        cmocka_unit_test(test_expressions),  cmocka_unit_test(test_schemas),
        cmocka_unit_test(test_allowance),
    };

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
