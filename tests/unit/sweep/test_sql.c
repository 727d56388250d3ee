/* Errors of SQLite as messages (sim/sweep/sql.c): what was expected in place of what there is, by kind of error. */
#include "tests/unit/sweep/sweep_unit.h"

#include <sqlite3.h>

#include "sim/sweep/sql.h"

static int give_up(void *ctx)
{
    (void)ctx;
    return 1;
}

/* A connection that has failed in some way. */
static sqlite3 *failed(const char *path, const char *sql, bool interrupted, int code)
{
    sqlite3 *db;

    sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    if (interrupted)
        sqlite3_progress_handler(db, 1, give_up, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    assert_int_equal(sqlite3_errcode(db), code);
    return db;
}

static void messages(void **state)
{
    static const struct {
        const char *path, *sql;
        bool interrupted;
        int code;
        const char *says;
    } v[] = {
        {"text", "SELECT 1 FROM t", false, SQLITE_NOTADB,
         "p: file is not a database; expected results of gcnsim sweep"},
        {"none", "SELECT 1", false, SQLITE_CANTOPEN,
         "p: unable to open database file; expected a file, or a folder for one"},
        {":memory:", "SELECT 1 FROM t", false, SQLITE_ERROR, "p: no such table: t"},
        {":memory:", "SELECT 1", true, SQLITE_INTERRUPT,
         "p: to read it takes more than results of its size can; expected a file as gcnsim sweep leaves it"},
        {":memory:", "PRAGMA max_page_count = 2; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))", false,
         SQLITE_FULL,
         "p: database or disk is full; what was committed is kept, and --resume goes on when there is space"},
    };

    (void)state;
    write_text(in_folder("text"), "this is a text and no database, and it is long enough to be looked at: there are as "
                                  "many bytes as a header has");
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        sqlite3 *db =
            failed(*v[k].path == ':' ? v[k].path : in_folder(v[k].path), v[k].sql, v[k].interrupted, v[k].code);
        struct err e = {0};

        assert_int_equal(sweep_sql_failed("p", db, &e), -1);
        assert_string_equal(e.text, v[k].says);
        assert_int_equal(e.code, ERR_IO);
        sqlite3_close(db);
    }
    struct err e = {0};
    assert_int_equal(sweep_sql_failed("p", NULL, &e), -1); /* SQLite could not even begin */
    assert_string_equal(e.text, "p: out of host memory");
    assert_int_equal(e.code, ERR_NOMEM);
}

static void numbers_of_queries(void **state)
{
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sweep_sql_number(db, "SELECT 5 UNION SELECT 6", -1), 5);
    assert_int_equal(sweep_sql_number(db, "SELECT 1 << 40", -1), INT64_C(1) << 40);
    assert_int_equal(sweep_sql_number(db, "SELECT 5 WHERE 0", 7), 7);
    assert_int_equal(sweep_sql_number(db, "SELECT 5 FROM none", 8), 8);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(messages), cmocka_unit_test(numbers_of_queries)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
