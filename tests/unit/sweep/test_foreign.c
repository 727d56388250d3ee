/* Files of results that may be anybody's (sim/sweep/foreign.c): which are opened, what queries of them may read and do,
 * and journals that would have SQLite remove other files. */
#include "tests/unit/sweep/sweep_unit.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sweep/foreign.h"
#include "sim/sweep/schema.h"

/* A file with the tables of results, then changed by SQL. */
static const char *file_of(const char *name, const char *sql)
{
    const char *path = in_folder(name);
    char id[100];
    sqlite3 *db;

    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(id, sizeof id, "PRAGMA application_id = %d; PRAGMA user_version = %d", SWEEP_APPLICATION_ID,
             SWEEP_VERSION);
    assert_int_equal(sqlite3_exec(db, sweep_tables, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, id, NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return path;
}

/* ---- opening ---- */

static void expect_refused(const char *path, enum err_code code, const char *says)
{
    struct sweep_allowance a;
    sqlite3 *db = (sqlite3 *)(uintptr_t)path;
    struct err e = {0};

    assert_int_equal(sweep_results_open(&db, &a, path, &e), -1);
    assert_null(db);
    assert_int_equal(e.code, code);
    if (!strstr(e.text, path) || !strstr(e.text, says))
        fail_msg("'%s' lacks '%s'", e.text, says);
}

static void files_that_are_not_opened(void **state)
{
    const char *path = in_folder("none.sqlite");

    (void)state;
    expect_refused(path, ERR_IO, "No such file or directory");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(path, ERR_IO, "no file; expected results of gcnsim sweep");
    unlink(path);
    write_text(path, "");
    expect_refused(path, ERR_FORMAT, "an empty file");
    write_text(path, "a text of some bytes that are no database, at all, and are none of a log either; there are "
                     "some more of them, so that there is a header");
    expect_refused(path, ERR_IO, "expected results of gcnsim sweep");
    expect_refused(file_of("id.sqlite", "PRAGMA application_id = 1"), ERR_FORMAT, "a SQLite file of something else");
    expect_refused(file_of("new.sqlite", "PRAGMA user_version = 2"), ERR_UNSUPPORTED, "results of version 2; expected");
    expect_refused(file_of("old.sqlite", "PRAGMA user_version = 0"), ERR_UNSUPPORTED, "results of version 0; expected");
}

/* What is not as our tables are is refused: anything more or less or other; white space and statistics are not. */
static void schemas(void **state)
{
    static const struct {
        const char *sql, *says; /* null: it is opened */
    } v[] = {
        {"", NULL},
        {"ANALYZE", NULL},
        {"CREATE VIEW results AS SELECT randomblob(9)", NULL},
        {"CREATE VIEW result AS SELECT 1", "a view 'result' that no results have"},
        {"CREATE INDEX i ON run (outcome)", "a index 'i' that no results have"},
        {"DROP INDEX point_ordinal", "lacks tables of results"},
        {"DROP INDEX point_ordinal; CREATE INDEX point_ordinal ON point (ordinal)", "a index 'point_ordinal'"},
        {"DROP TABLE axis; CREATE TABLE axis (axis INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL)",
         "a table 'axis'"},
        {"DROP TABLE axis; CREATE TABLE\n\taxis (axis INTEGER PRIMARY KEY,  name TEXT NOT NULL UNIQUE, kind TEXT NOT "
         "NULL,\r\n paired_with INTEGER)",
         NULL},
        {"DROP TABLE axis; CREATE TABLE axis (axis INTEGER PRIMARYKEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, "
         "paired_with INTEGER)",
         "a table 'axis'"},
        {"DROP TABLE axis; CREATE TABLE axis (axis INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, "
         "paired_with INTEGER) STRICT",
         "a table 'axis'"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        const char *path = file_of("schema.sqlite", v[k].sql);
        struct sweep_allowance a;
        struct err e = {0};
        sqlite3 *db;

        if (v[k].says) {
            expect_refused(path, ERR_FORMAT, v[k].says);
            continue;
        }
        if (sweep_results_open(&db, &a, path, &e))
            fail_msg("%s: %s", v[k].sql, e.text);
        assert_int_equal(sqlite3_exec(db, "INSERT INTO sweep VALUES ('a', 'b')", NULL, NULL, NULL), SQLITE_READONLY);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

/* ---- queries ---- */

/* Those of the user, and those of the file, which read the view alone and compute with numbers. */
static void what_queries_may_do(void **state)
{
    static const struct {
        const char *sql;
        int user; /* what SQLite says of it as a query of the user */
        const char *expression;
        bool computed; /* as one of the file */
    } v[] = {
        {"SELECT cycles FROM results", SQLITE_OK, "(point)", true},
        {"SELECT count(*) FROM run", SQLITE_OK, "(run.outcome)", false},
        {"SELECT key FROM sweep", SQLITE_OK, "(sum(point) / 2.0)", true},
        {"SELECT name FROM pragma_table_info('results')", SQLITE_OK, "(coalesce(point, 1) + iif(point, 1, 2))", true},
        {"SELECT name FROM sqlite_master", SQLITE_AUTH, "(char(65))", false},
        {"SELECT * FROM pragma_database_list", SQLITE_ERROR, "(quote(point))", false},
        {"PRAGMA table_info(results)", SQLITE_OK, "(printf('%d', point))", false},
        {"PRAGMA user_version", SQLITE_AUTH, "(LOG10(point))", true},
        {"SELECT hex('a')", SQLITE_OK, "(date())", false},
        {"SELECT load_extension('a')", SQLITE_ERROR, "(load_extension('a'))", false},
        {"BEGIN", SQLITE_OK, "(point IS NULL)", true},
        {"ATTACH ':memory:' AS more", SQLITE_AUTH, "(\"point\" || 1)", true},
        {"CREATE TEMP TABLE t (x)", SQLITE_AUTH, "(max(point) FILTER (WHERE point > 1))", true},
        {"DELETE FROM sweep", SQLITE_AUTH, "(point) -- ", false},
        {"UPDATE run SET key = 1", SQLITE_AUTH, "(')' || point)", true},
        {"DROP TABLE run", SQLITE_AUTH, "([;])", false},
    };
    const char *path = file_of("queries.sqlite", "INSERT INTO statistic VALUES (1, 'cycles', '', '', '')");
    struct sweep_allowance a;
    struct err e = {0};
    sqlite3 *db;

    (void)state;
    if (sweep_results_open(&db, &a, path, &e))
        fail_msg("%s", e.text);
    /* SQLite makes this table when it is asked for the first time */
    assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM pragma_table_info('results')", NULL, NULL, NULL), SQLITE_OK);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        char *why;
        int rc = sweep_foreign_expression(db, v[k].expression, &why);

        if (rc != (v[k].computed ? 0 : -1) || !why != v[k].computed)
            fail_msg("%s: %s", v[k].expression, why);
        free(why);
        rc = sqlite3_exec(db, v[k].sql, NULL, NULL, NULL);
        /* SQLite 3.46 asks whether it may before it looks whether there is such a table */
        if (rc != v[k].user && !(v[k].user == SQLITE_ERROR && rc == SQLITE_AUTH))
            fail_msg("%s: %d, %s", v[k].sql, rc, sqlite3_errmsg(db));
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* As long as the pivots of a thousand columns need, and no longer. */
static void lengths_of_queries(void **state)
{
    static const struct {
        size_t bytes;
        int says;
    } v[] = {{1 << 20, SQLITE_OK}, {1 << 22, SQLITE_OK}, {1 << 24, SQLITE_TOOBIG}};
    struct sweep_allowance a;
    struct err e = {0};
    sqlite3 *db;

    (void)state;
    assert_int_equal(sweep_results_open(&db, &a, file_of("long.sqlite", ""), &e), 0);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        char *sql = malloc(v[k].bytes + 1);

        assert_non_null(sql);
        memset(sql, ' ', v[k].bytes);
        memcpy(sql, "SELECT 1", 8);
        sql[v[k].bytes] = 0;
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), v[k].says);
        free(sql);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- the allowance ---- */

/* A file has its own bytes and those of its log. */
static void bytes_of_a_file(void **state)
{
    const char *path = in_folder("bytes"), *log = in_folder("bytes-wal");

    (void)state;
    assert_int_equal(sweep_foreign_bytes(path), 0);
    write_text(path, "12345");
    assert_int_equal(sweep_foreign_bytes(path), 5);
    write_text(log, "123");
    assert_int_equal(sweep_foreign_bytes(path), 8);
    unlink(path);
    assert_int_equal(sweep_foreign_bytes(path), 3);
}

/* It is in proportion to the bytes, never less than a second's work, and never beyond all bounds. */
static void allowances(void **state)
{
    struct sweep_allowance a[4];
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sweep_foreign_allow(db, &a[0], 0);
    sweep_foreign_allow(db, &a[1], 1000);
    sweep_foreign_allow(db, &a[2], 3000);
    sweep_foreign_allow(db, &a[3], UINT64_MAX);
    assert_true(a[0].left >= 1000000 && a[1].left > a[0].left);
    assert_int_equal(a[2].left - a[0].left, 3 * (a[1].left - a[0].left));
    assert_true(a[3].left > UINT64_MAX / 4);
    /* rows that are read take more of it than their number */
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE t (x); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
                                  "LIMIT 100000) INSERT INTO t SELECT n FROM c",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sweep_foreign_allow(db, &a[0], 0);
    const uint64_t whole = a[0].left;
    assert_int_equal(sqlite3_exec(db, "SELECT sum(x) FROM t", NULL, NULL, NULL), SQLITE_OK);
    assert_true(whole - a[0].left > 100000 && a[0].left > whole / 2);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- journals ---- */

/* A journal whose last bytes say that it is of several databases names a file that SQLite would remove. */
static void journals(void **state)
{
    static const char of_several[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    static const struct {
        const char *before, *after;
        size_t magic; /* bytes of it */
        bool refused;
    } v[] = {{"", "", 8, true},  {"some bytes", "", 8, true}, {"", "x", 8, false}, {"some bytes", "", 7, false},
             {"", "", 7, false}, {"", "", 0, false}};
    const char *path = file_of("journal.sqlite", ""), *journal = in_folder("journal.sqlite-journal"),
               *link = in_folder("link.sqlite");

    (void)state;
    unlink(link);
    assert_int_equal(symlink(path, link), 0);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        FILE *f = fopen(journal, "w");

        assert_non_null(f);
        fputs(v[k].before, f);
        assert_int_equal(fwrite(of_several, 1, v[k].magic, f), v[k].magic);
        fputs(v[k].after, f);
        assert_int_equal(fclose(f), 0);
        for (unsigned by_link = 0; by_link < 2; by_link++) {
            struct err e = {0};

            assert_int_equal(sweep_foreign_journal(by_link ? link : path, &e), v[k].refused ? -1 : 0);
            if (v[k].refused) {
                assert_int_equal(e.code, ERR_FORMAT);
                assert_non_null(strstr(e.text, "journal.sqlite-journal: is of several databases"));
            }
        }
    }
    unlink(journal);
    struct err e = {0};
    assert_int_equal(sweep_foreign_journal(path, &e), 0);
    assert_int_equal(sweep_foreign_journal(in_folder("not there"), &e), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_not_opened),
        cmocka_unit_test(schemas),
        cmocka_unit_test(what_queries_may_do),
        cmocka_unit_test(lengths_of_queries),
        cmocka_unit_test(bytes_of_a_file),
        cmocka_unit_test(allowances),
        cmocka_unit_test(journals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
