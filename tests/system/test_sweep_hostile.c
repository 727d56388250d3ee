/* Files of results that were made to do harm: `sweep show` and `sweep merge` refuse them, or read them to their end,
 * and nothing in them runs. */
#define _GNU_SOURCE
#include "tests/system/sweep_run.h"

enum { PAGE = 4096 };

static char results[CLI_PATH];

static int sweep(void **state)
{
    const char *spec;
    struct said s;

    cli_setup(state);
    snprintf(results, sizeof results, "%s", sweep_path("good.sqlite"));
    spec = write_clocks("good", 3);
    s = RUN("sweep", spec, "--output", results, "--progress", "never");
    expect_status(&s, 0);
    said_free(&s);
    return 0;
}

/* ---- files ---- */

static char *bytes_of(const char *path, size_t *bytes)
{
    char *data = read_whole(path, bytes);

    assert_non_null(data);
    return data;
}

static void write_bytes(const char *path, const char *data, size_t bytes)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, bytes, f), bytes);
    assert_int_equal(fclose(f), 0);
}

/* A copy of the good results, changed by SQL. False: this SQLite cannot. */
static bool try_spoil(const char *path, const char *sql)
{
    size_t bytes;
    char *data = bytes_of(results, &bytes), *error = NULL;
    sqlite3 *db;

    write_bytes(path, data, bytes);
    free(data);
    db = open_results(path);
    bool ok = sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK;
    if (!ok)
        print_message("%s: %s\n", sql, error);
    sqlite3_free(error);
    sqlite3_close(db);
    return ok;
}

static void spoil(const char *path, const char *sql)
{
    assert_true(try_spoil(path, sql));
}

#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* ---- schemas ---- */

#define ENDLESS "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k AS point FROM n"

static void schemas_that_are_not_ours(void **state)
{
    static const char *const bad[][2] = {
        {"CREATE VIEW more AS " ENDLESS, "a view 'more'"},
        {"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM point; END", "a trigger 't'"},
        {"CREATE TABLE more (a, b AS (a + 1))", "a table 'more'"},
        {"CREATE INDEX i ON run (outcome)", "a index 'i'"},
        {"CREATE VIRTUAL TABLE f USING fts5 (x)", "a table 'f"},
        {"ALTER TABLE axis ADD COLUMN more AS (axis + 1)", "a table 'axis'"},
        {"DROP TABLE objective; CREATE VIEW objective AS SELECT 0 AS objective, 'x' AS name, '1' AS value, '' AS goal",
         "a view 'objective'"},
        {"DROP TABLE objective", "lacks tables"},
        {"PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'name TEXT', 'name INT') WHERE name "
         "= "
         "'axis'",
         "a table 'axis'"},
        {"PRAGMA writable_schema = 1; INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x "
         "USING no_such_module (a)')",
         "a table 'x'"},
        {"CREATE TABLE \"\x1b[2J\" (a)", "a table '?[2J'"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const char *path = sweep_path("bad.sqlite"), *target = sweep_path("target.sqlite");

        unlink(target);
        if (!try_spoil(path, bad[k][0])) /* without FTS */
            continue;
        expect_refused(RUN("sweep", "show", path), WORDS("bad.sqlite: its schema ", bad[k][1]));
        expect_refused(RUN("sweep", "merge", target, path), WORDS("bad.sqlite: its schema ", bad[k][1]));
        expect_refused(RUN("sweep", "merge", path, results), WORDS("bad.sqlite: its schema ", bad[k][1]));
    }
}

/* The view of the file is not used, and statistics of ANALYZE are nobody's harm. */
static void schemas_that_do_not_matter(void **state)
{
    static const char *const changes[] = {("DROP VIEW results; CREATE VIEW results AS " ENDLESS), "DROP VIEW results",
                                          "ANALYZE"};
    static const char *const forms[] = {"--csv", "--html"};
    const char *path = sweep_path("other.sqlite");

    (void)state;
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++)
        for (size_t n = 0; n < 2; n++) {
            struct said good = RUN("sweep", "show", results, forms[n], "-"), s;

            spoil(path, changes[k]);
            s = RUN("sweep", "show", path, forms[n], "-");
            expect_status(&s, 0);
            if (n == 0)
                assert_string_equal(s.out, good.out);
            said_free(&s);
            said_free(&good);
        }
}

/* ---- expressions ---- */

static void objectives_that_do_more_than_compute(void **state)
{
    static const char *const bad[][2] = {
        {"(" ENDLESS ")", "a query in it"},
        {"(SELECT count(*) FROM value)", "a query in it"},
        {"1) FROM value /*", "more than an expression"},
        {"1); DELETE FROM run; SELECT (1", "more than an expression"},
        {"length(randomblob(1000000000))", "not authorized"},
        {"instr(zeroblob(60000), zeroblob(30000))", "not authorized"},
        {"load_extension('x')", "not authorized"},
        {"1 IN value", ""},
        {"no_such", "no such column"},
    };
    const char *path = sweep_path("objective.sqlite");

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char *sql = sqlite3_mprintf("INSERT INTO objective VALUES (0, 'bad', %Q, 'minimize')", bad[k][0]);

        spoil(path, sql);
        sqlite3_free(sql);
        struct said s = RUN("sweep", "show", path);
        expect_status(&s, 2);
        expect_in(&s, s.err, "objective.sqlite: its objective '");
        expect_in(&s, s.err, bad[k][1]);
        said_free(&s);
        expect_refused(RUN("sweep", "show", path, "--pivot", "gpu.shader_clock_mhz"), WORDS("its objective '"));
        s = RUN("sweep", "show", path, "--html", "-"); /* which names it */
        expect_status(&s, 0);
        expect_in(&s, s.out, "\"not_computed\":[[");
        expect_in(&s, s.out, bad[k][1]);
        said_free(&s);
        s = RUN("sweep", "show", path, "--value", "cycles");
        expect_status(&s, 0);
        said_free(&s);
    }
    spoil(path, "INSERT INTO objective VALUES (0, 'good', 'round(max(cycles, 10) / ([gpu.shader_clock_mhz] + 1), 2)', "
                "'minimize')");
    struct said s = RUN("sweep", "show", path);
    expect_status(&s, 0);
    expect_in(&s, s.out, "\nbest by round(max(cycles, 10) / ");
    said_free(&s);
}

/* What takes longer than the file can be worth ends, also by the user's own expression. */
static void expressions_without_an_end(void **state)
{
    (void)state;
    expect_refused(RUN("sweep", "show", results, "--csv", "-", "--where",
                       "(SELECT count(v.id) FROM value v, value w, value x, value y) > 0"),
                   WORDS("good.sqlite: to read it takes more than results of its size can"));
    expect_refused(RUN("sweep", "show", results, "--value", "(" ENDLESS ")"), WORDS("good.sqlite: not authorized"));
}

/* ---- texts ---- */

static void texts_have_a_length(void **state)
{
    const char *path = sweep_path("long.sqlite");

    (void)state;
    spoil(path, "UPDATE point SET launch = printf('%.*c', 100000, 'x')");
    expect_refused(RUN("sweep", "show", path, "--csv", "-"), WORDS("long.sqlite: ", "too big"));
    spoil(path, "UPDATE point SET launch = printf('%.*c', 60000, 'x') || char(27)");
    struct said s = RUN("sweep", "show", path, "--csv", "-");
    expect_status(&s, 0);
    assert_true(s.out_bytes > 3 * 60000);
    said_free(&s);
    s = RUN("sweep", "show", path);
    expect_status(&s, 0);
    expect_in(&s, s.out, "xxx...  ");
    assert_true(s.out_bytes < 10000);
    said_free(&s);
}

/* ---- pages ---- */

static void put16(unsigned char *at, unsigned v)
{
    at[0] = (unsigned char)(v >> 8);
    at[1] = (unsigned char)v;
}

static void put32(unsigned char *at, uint32_t v)
{
    put16(at, v >> 16);
    put16(at + 2, v & 0xffff);
}

/* An interior page of a table whose children are all the same page. */
static void fan(unsigned char *page, uint32_t child)
{
    enum { CELLS = 500, CELL = 5, HEAD = 12 };

    memset(page, 0, PAGE);
    page[0] = 5;
    put16(page + 3, CELLS);
    put16(page + 5, PAGE - CELLS * CELL);
    put32(page + 8, child);
    for (unsigned k = 0; k < CELLS; k++) {
        unsigned char *cell = page + PAGE - (k + 1) * CELL;

        put16(page + HEAD + 2 * k, (unsigned)(cell - page));
        put32(cell, child);
        cell[4] = 1; /* the key */
    }
}

/* The table has 500^6 times the rows that it had: its root leads to the same page again and again, through six more. */
static void lead_around(const char *path, const char *table)
{
    enum { FANS = 6 };
    char sql[100];
    size_t bytes;

    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    uint32_t root = (uint32_t)ask_number(results, sql), pages;
    unsigned char *data = (unsigned char *)bytes_of(results, &bytes);
    assert_int_equal(bytes % PAGE, 0);
    pages = (uint32_t)(bytes / PAGE);
    data = realloc(data, bytes + (FANS + 1) * PAGE);
    assert_non_null(data);
    memcpy(data + bytes, data + (root - 1) * PAGE, PAGE); /* what it was */
    for (uint32_t k = 0; k < FANS; k++)
        fan(data + bytes + (k + 1) * PAGE, pages + 1 + k);
    fan(data + (root - 1) * PAGE, pages + FANS + 1);
    put32(data + 28, pages + FANS + 1);
    write_bytes(path, (char *)data, bytes + (FANS + 1) * PAGE);
    free(data);
}

static void pages_that_lead_around(void **state)
{
    static const char *const forms[][3] = {{"point", "--csv", "-"},         {"point", "--html", "-"},
                                           {"point", "--aggregate", "min"}, {"run", "--value", "outcome"},
                                           {"axis", "--csv", "-"},          {"statistic", "--csv", "-"}};
    const char *path = sweep_path("around.sqlite");

    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        lead_around(path, forms[k][0]);
        struct said s = RUN("sweep", "show", path, forms[k][1], forms[k][2]);
        if (s.status != 0) { /* as where rows are looked up by an index alone */
            expect_status(&s, 2);
            expect_in(&s, s.err, "around.sqlite: ");
        }
        if (k == 0)
            expect_in(&s, s.err, "around.sqlite: to read it takes more than results of its size can");
        said_free(&s);
    }
}

/* Bytes that are turned round, here and there, end nothing by a signal. */
static void damaged_pages(void **state)
{
    const char *path = sweep_path("damaged.sqlite");
    uint32_t random = 1;
    size_t bytes;
    char *good = bytes_of(results, &bytes), *data = malloc(bytes);

    (void)state;
    assert_non_null(data);
    for (unsigned k = 0; k < 60; k++) {
        memcpy(data, good, bytes);
        for (unsigned n = 0; n < 1 + k % 8; n++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 4) % (k % 2 ? 2 * PAGE : bytes);
            data[at] = (char)(data[at] ^ (1 << (random >> 29)));
        }
        write_bytes(path, data, k % 5 ? bytes : bytes - PAGE / 2);
        struct said s = RUN("sweep", "show", path, k % 3 ? "--csv" : "--html", "-");
        if (s.status != 0 && s.status != 2) {
            said_show(&s);
            fail_msg("damage %u", k);
        }
        assert_true(s.status == 0 || strstr(s.err, "damaged.sqlite"));
        said_free(&s);
    }
    free(good);
    free(data);
}

/* ---- journals, and what is no file ---- */

/* A writer that died has left its journal, in the middle of a transaction: it is taken back. */
static void a_journal_of_a_writer(void **state)
{
    const char *path = sweep_path("writer.sqlite"), *copy = sweep_path("copy.sqlite");
    sqlite3 *db;
    size_t bytes;
    char *data;

    (void)state;
    spoil(path, "SELECT 1");
    db = open_results(path);
    /* so small a cache has the file written before the end */
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA cache_size = 5; BEGIN; DELETE FROM value; UPDATE run SET outcome = 'no'; "
                                  "UPDATE statistic SET name = name || 'x'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    data = bytes_of(path, &bytes);
    write_bytes(copy, data, bytes);
    free(data);
    data = bytes_of(sweep_path("writer.sqlite-journal"), &bytes);
    write_bytes(sweep_path("copy.sqlite-journal"), data, bytes);
    free(data);
    sqlite3_close(db);
    struct said good = RUN("sweep", "show", results, "--csv", "-"), s = RUN("sweep", "show", copy, "--csv", "-");
    expect_status(&s, 0);
    assert_string_equal(s.out, good.out);
    said_free(&s);
    said_free(&good);
    assert_int_not_equal(access(sweep_path("copy.sqlite-journal"), F_OK), 0);
}

/* A journal that names a file has SQLite remove that. */
static void a_journal_that_names_a_file(void **state)
{
    const char *path = sweep_path("victims.sqlite"), *victim = sweep_path("victim");
    unsigned char journal[512 + 4096 + 8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char *at = journal + 512;
    uint32_t sum = 0;

    (void)state;
    spoil(path, "SELECT 1");
    write_bytes(victim, "victim", 6);
    put32(journal + 20, 512);  /* bytes of a sector, */
    put32(journal + 24, PAGE); /* and of a page; it has none */
    put32(at, 0x40000000 / PAGE + 1);
    at += 4;
    for (const char *c = victim; *c; c++) {
        *at++ = (unsigned char)*c;
        sum += (unsigned char)*c;
    }
    put32(at, (uint32_t)strlen(victim));
    put32(at + 4, sum);
    memcpy(at + 8, journal, 8);
    write_bytes(sweep_path("victims.sqlite-journal"), (char *)journal, (size_t)(at + 16 - journal));
    expect_refused(RUN("sweep", "show", path), WORDS("victims.sqlite-journal: is of several databases"));
    expect_refused(RUN("sweep", "merge", path, results), WORDS("victims.sqlite-journal: is of several databases"));
    assert_int_equal(access(victim, F_OK), 0);
}

static void what_is_no_file(void **state)
{
    const char *fifo = sweep_path("fifo.sqlite");

    (void)state;
    assert_int_equal(mkfifo(fifo, 0600), 0);
    expect_refused(RUN("sweep", "show", fifo), WORDS("fifo.sqlite: no file; expected results of gcnsim sweep"));
    expect_refused(RUN("sweep", "show", cli_dir), WORDS(": no file; expected results of gcnsim sweep"));
    expect_refused(RUN("sweep", "show", sweep_path("nothing.sqlite")), WORDS("nothing.sqlite: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_that_are_not_ours),
        cmocka_unit_test(schemas_that_do_not_matter),
        cmocka_unit_test(objectives_that_do_more_than_compute),
        cmocka_unit_test(expressions_without_an_end),
        cmocka_unit_test(texts_have_a_length),
        cmocka_unit_test(pages_that_lead_around),
        cmocka_unit_test(damaged_pages),
        cmocka_unit_test(a_journal_of_a_writer),
        cmocka_unit_test(a_journal_that_names_a_file),
        cmocka_unit_test(what_is_no_file),
    };

    return cmocka_run_group_tests(tests, sweep, cli_teardown);
}
