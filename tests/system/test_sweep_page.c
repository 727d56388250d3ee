/* The page of a sweep: its columns, the data that gcnsim sweep show --html puts into it, and how a browser shows it
 * (tests/html/check_sweep.py, which needs python3, chromium and chromedriver; without them that part is skipped). */
#include <math.h>
#include <sqlite3.h>

#include "sim/sweep/page.h"
#include "sim/sweep/page_column.h"
#include "sim/sweep/schema.h"
#include "tests/system/page_run.h"

/* ---- columns ---- */

/* The index of a point by its code; -1: none. What the page's decode() does. */
static long code_at(const struct json *column, size_t point)
{
    size_t width = (size_t)json_integer(json_get(column, "w"));
    const char *at = json_text(json_get(column, "at")) + point * width;
    long v = 0;

    for (size_t k = width; k-- > 0;) {
        int c = (unsigned char)at[k];

        assert_true(c >= '#' && c <= '~' && c != '<' && c != '\\');
        c -= (c > '\\') + (c > '<');
        v = v * 90 + c - '#';
    }
    return v - 1;
}

/* The number of a point in a column of either form; NaN: none. */
static double number_at(const struct json *column, size_t point)
{
    const struct json *v = json_at(column, point);

    if (json_is_object(column)) {
        long k = code_at(column, point);

        assert_true(k < (long)json_elements(json_get(column, "of")));
        v = k < 0 ? NULL : json_at(json_get(column, "of"), (size_t)k);
    }
    return json_is_number(v) ? json_number(v) : NAN;
}

static const struct json *column_of(const double *value, size_t points, bool exact)
{
    double *scratch = calloc(points + 1, sizeof *scratch);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_true(scratch && f &&
                page_put_column(&(struct json_put){.f = f, .compact = true}, value, points, exact, scratch));
    assert_int_equal(fclose(f), 0);
    const struct json *column = json_parse(text);
    assert_non_null(column);
    free(text);
    free(scratch);
    return column;
}

static void columns_keep_their_numbers(void **state)
{
    enum { POINTS = 30000 };
    static double value[POINTS];

    (void)state;
    /* entries whose codes have one, two and three digits, and numbers of which none repeats */
    static const struct {
        size_t entries;
        long width; /* 0: a list */
    } cases[] = {{1, 1}, {89, 1}, {90, 2}, {8099, 2}, {8100, 3}, {POINTS, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t k = 0; k < POINTS; k++)
            value[k] = k % 7 == 3 && cases[c].entries < POINTS ? NAN : 1e9 + (double)(k * 7 % cases[c].entries) / 3;
        const struct json *column = column_of(value, POINTS, true);
        assert_int_equal(json_integer(json_get(column, "w")), cases[c].width);
        for (size_t k = 0; k < POINTS; k++) {
            double got = number_at(column, k);
            if (isnan(value[k]) ? !isnan(got) : got != value[k])
                fail_msg("%zu entries, point %zu: %.17g; expected %.17g", cases[c].entries, k, got, value[k]);
        }
        json_free(column);
    }
}

static void numbers_are_short(void **state)
{
    static const struct {
        double v;
        const char *exact, *nine;
    } cases[] = {
        {0.1, "0.1", "0.1"},
        {1.0 / 3, "0.3333333333333333", "0.333333333"},
        {-4078, "-4078", "-4078"},
        {9007199254740991, "9007199254740991", "9.00719925e+15"},
        {123456789012345, "123456789012345", "123456789012345"},
        {1e300, "1e+300", "1e+300"},
        {NAN, "null", "null"},
        {INFINITY, "null", "null"},
    };
    char text[40];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        page_number(text, sizeof text, cases[k].v, true);
        assert_string_equal(text, cases[k].exact);
        page_number(text, sizeof text, cases[k].v, false);
        assert_string_equal(text, cases[k].nine);
    }
}

static void names_are_kept_once(void **state)
{
    struct page_names n = {0};
    char text[32];

    (void)state;
    assert_int_equal(page_name(&n, NULL), PAGE_NONE);
    for (int round = 0; round < 2; round++)
        for (uint32_t k = 0; k < 5000; k++) {
            snprintf(text, sizeof text, "name %u", k);
            assert_int_equal(page_name(&n, text), k);
        }
    assert_int_equal(n.count, 5000);
    assert_string_equal(n.text[4321], "name 4321");
    page_names_free(&n);
}

/* ---- data, of files that nobody ran ---- */

static void sql(sqlite3 *db, const char *text)
{
    char *error = NULL;

    if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", text, error);
}

/* A results file in memory with so many points, which have one axis. */
static sqlite3 *results(unsigned points)
{
    char text[400];
    sqlite3 *db;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql(db, sweep_tables);
    sql(db, "INSERT INTO sweep VALUES ('name', 'a </script> name'), ('gcnsim', '9.9');"
            "INSERT INTO axis VALUES (0, 'size', 'set', NULL)");
    snprintf(
        text, sizeof text,
        "WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k + 1 < %u) INSERT INTO point SELECT "
        "%u - k, k, k, 'l', NULL FROM n; INSERT INTO override SELECT id, 0, (ordinal * 7) %% 5 FROM point",
        points, points); /* ids go down as numbers go up: neither is the other */
    sql(db, text);
    sql(db,
        "CREATE VIEW results AS SELECT ordinal AS point, launch, profile, (SELECT value FROM override o WHERE o.id = "
        "p.id) AS size FROM point p ORDER BY ordinal DESC");
    return db;
}

/* Runs of all points: completed but for the first two. */
static void run_all(sqlite3 *db)
{
    sql(db,
        "INSERT INTO run (id, key, outcome, message, command, attempts) SELECT id, '', CASE ordinal WHEN 0 THEN "
        "'refused' ELSE 'completed' END, CASE ordinal WHEN 0 THEN '<!--' END, 'gcnsim run  a --x=' || ordinal, 1 FROM "
        "point WHERE ordinal <> 1");
}

static const struct json *page_data(sqlite3 *db)
{
    struct err e = {0};
    char *text;
    size_t bytes;

    if (sweep_page(db, "folder/file.sqlite", NULL, &text, &bytes, &e))
        fail_msg("%s", e.text);
    assert_int_equal(strlen(text), bytes);
    const struct json *data = data_of(text);
    free(text);
    return data;
}

static const char *text_of(const struct json *object, const char *key)
{
    return json_text(json_get(object, key));
}

/* An entry of a column of texts by the point; null: none. */
static const char *entry(const struct json *data, const char *key, size_t point)
{
    const struct json *column = json_get(data, key);
    long k = code_at(column, point);

    return k < 0 ? NULL : json_text(json_at(json_get(column, "of"), (size_t)k));
}

/* {"w": digits, "at": codes}, as columns are written. */
static const struct json *words_at(size_t digits, const char *codes)
{
    cJSON *column = cJSON_CreateObject();

    assert_non_null(cJSON_AddNumberToObject(column, "w", (double)digits));
    assert_non_null(cJSON_AddStringToObject(column, "at", codes));
    return (const struct json *)(const void *)column;
}

/* A point's command line, put together of its words. */
static void command_of(const struct json *data, size_t point, char *out, size_t size)
{
    const struct json *c = json_get(data, "command");
    size_t digits = (size_t)json_integer(json_get(c, "digits"));
    long line = code_at(c, point);
    const char *codes = json_text(json_at(json_get(c, "lines"), (size_t)line));
    const struct json *words = words_at(digits, codes);

    *out = 0;
    for (size_t k = 0; k < strlen(codes) / digits; k++) {
        size_t used = strlen(out);

        snprintf(out + used, size - used, "%s%s", k ? " " : "",
                 json_text(json_at(json_get(c, "words"), (size_t)(code_at(words, k) + 1))));
    }
    json_free(words);
}

static void points_are_in_the_page(void **state)
{
    sqlite3 *db = results(300);
    char command[80], expected[80];

    (void)state;
    run_all(db);
    sql(db, "UPDATE override SET value = 'many' WHERE value = 3");
    const struct json *data = page_data(db);
    assert_string_equal(text_of(data, "name"), "a </script> name");
    assert_string_equal(text_of(data, "file"), "file.sqlite");
    assert_string_equal(text_of(data, "gcnsim"), "9.9");
    assert_int_equal(json_integer(json_get(data, "points")), 300);
    assert_null(json_get(data, "number"));
    assert_string_equal(entry(data, "outcome", 0), "refused");
    assert_string_equal(entry(data, "message", 0), "<!--");
    assert_null(entry(data, "outcome", 1));
    assert_string_equal(entry(data, "outcome", 2), "completed");
    assert_null(entry(data, "message", 2));
    const struct json *axis = json_at(json_get(data, "axes"), 0), *values = json_get(axis, "of");
    for (size_t k = 0; k < 300; k++) {
        const struct json *v = json_at(values, (size_t)code_at(axis, k));

        if (k * 7 % 5 == 3)
            assert_string_equal(json_text(v), "many");
        else
            assert_int_equal(json_integer(v), k * 7 % 5);
        if (k == 1)
            continue;
        command_of(data, k, command, sizeof command);
        snprintf(expected, sizeof expected, "gcnsim run  a --x=%zu", k);
        assert_string_equal(command, expected);
    }
    json_free(data);
    /* what a merge of some shards leaves: numbers with gaps */
    sql(db, "DELETE FROM point WHERE ordinal % 2 = 1");
    data = page_data(db);
    assert_int_equal(json_integer(json_at(json_get(data, "number"), 7)), 14);
    json_free(data);
    sqlite3_close(db);
}

static void values_are_those_that_vary(void **state)
{
    sqlite3 *db = results(100);

    (void)state;
    run_all(db);
    sql(db,
        "INSERT INTO statistic VALUES (1, 'cycles', 'cycles', '', 'what'), (2, 'same', 'bytes', '', 'of <all>'), (3, "
        "'never', '', "
        "'', ''), (4, 'some', 'share', '', '');"
        "INSERT INTO value SELECT id, 1, ordinal / 3.0 FROM point WHERE ordinal > 1;"
        "INSERT INTO value SELECT id, 2, 5 FROM point WHERE ordinal > 9;"
        "INSERT INTO value SELECT id, 4, ordinal FROM point WHERE ordinal > 97;"
        "INSERT INTO objective VALUES (0, 'twice', 'point * 2', 'maximize'), (1, 'bad', 'nothing + 1', 'minimize'), "
        "(2, 'two', '1); SELECT 2', 'minimize')");
    const struct json *data = page_data(db), *values = json_get(data, "values");
    assert_int_equal(json_elements(values), 3);
    const struct json *twice = json_at(values, 0), *cycles = json_at(values, 1), *some = json_at(values, 2);
    assert_string_equal(text_of(twice, "name"), "twice");
    assert_string_equal(text_of(twice, "goal"), "maximize");
    assert_string_equal(text_of(cycles, "name"), "cycles");
    assert_string_equal(text_of(some, "name"), "some");
    for (size_t k = 0; k < 100; k++) {
        assert_true(number_at(json_get(twice, "column"), k) == 2 * (double)k);
        double got = number_at(json_get(cycles, "column"), k);
        assert_true(k > 1 ? fabs(got - (double)k / 3) < 5e-9 * (double)k : isnan(got));
        assert_true(isnan(number_at(json_get(some, "column"), k)) == (k < 98));
    }
    const struct json *same = json_get(data, "same");
    assert_int_equal(json_elements(same), 1);
    assert_string_equal(json_text(json_at(json_at(same, 0), 0)), "same");
    assert_int_equal(json_integer(json_at(json_at(same, 0), 1)), 5);
    assert_int_equal(json_integer(json_at(json_at(same, 0), 2)), 90);
    const struct json *failed = json_at(json_get(data, "not_computed"), 0);
    assert_string_equal(json_text(json_at(failed, 0)), "bad");
    assert_non_null(strstr(json_text(json_at(failed, 2)), "nothing"));
    failed = json_at(json_get(data, "not_computed"), 1);
    assert_string_equal(json_text(json_at(failed, 2)), "more than an expression");
    assert_int_equal(json_elements(json_get(data, "left_out")), 0);
    json_free(data);
    sqlite3_close(db);
}

/* More than a page carries: the first statistics are there, the others are named. */
static void pages_have_a_size(void **state)
{
    enum { STATISTICS = 100 };
    struct err e = {0};
    sqlite3 *db = results(20000);
    char *text;
    size_t bytes;

    (void)state;
    run_all(db);
    sql(db,
        "INSERT INTO statistic SELECT ordinal, 's' || ordinal, '', '', '' FROM point WHERE ordinal < 100;"
        "INSERT INTO value SELECT id, statistic, 0.1234567 + ordinal * 1e-9 * (1 + statistic) FROM point, statistic");
    assert_int_equal(sweep_page(db, "f", NULL, &text, &bytes, &e), 0);
    assert_in_range(bytes, SWEEP_PAGE_COLUMN_BYTES * 9 / 10, 25000000);
    const struct json *data = data_of(text), *values = json_get(data, "values"), *out = json_get(data, "left_out");
    assert_int_equal(json_elements(values) + json_elements(out), STATISTICS);
    assert_in_range(json_elements(out), 1, STATISTICS / 2);
    for (size_t k = 0; k < json_elements(values); k++) {
        char name[24];
        snprintf(name, sizeof name, "s%zu", k);
        assert_string_equal(text_of(json_at(values, k), "name"), name);
    }
    json_free(data);
    free(text);
    sqlite3_close(db);
    db = results(SWEEP_PAGE_POINTS + 1);
    assert_int_equal(sweep_page(db, "f.sqlite", NULL, &text, &bytes, &e), -1);
    assert_int_equal(e.code, ERR_LIMIT);
    assert_null(text);
    assert_non_null(strstr(e.text, "f.sqlite: 200001 points"));
    sqlite3_close(db);
}

/* Points that are chosen alone, with their numbers, axes, statistics and objectives. */
static void chosen_points(void **state)
{
    struct err e = {0};
    sqlite3 *db = results(50);
    char *text;
    size_t bytes;

    (void)state;
    run_all(db);
    sql(db,
        "INSERT INTO statistic VALUES (1, 's', '', '', ''); INSERT INTO value SELECT id, 1, ordinal * 10 FROM point;"
        "INSERT INTO objective VALUES (0, 'o', 'point + 0.5', 'min')");
    assert_int_equal(sweep_page(db, "f", "size = 2 -- and no more", &text, &bytes, &e), 0);
    const struct json *data = data_of(text), *number = json_get(data, "number");
    assert_int_equal(json_integer(json_get(data, "points")), 10);
    assert_string_equal(text_of(data, "where"), "size = 2 -- and no more");
    assert_int_equal(json_elements(number), 10);
    for (size_t k = 0; k < 10; k++) /* 7 n = 2 modulo 5 */
        assert_int_equal((int)json_number(json_at(number, k)), 1 + 5 * (int)k);
    assert_int_equal(json_elements(json_get(data, "values")), 2);
    json_free(data);
    free(text);
    assert_int_equal(sweep_page(db, "f", NULL, &text, &bytes, &e), 0);
    data = data_of(text);
    assert_int_equal(json_integer(json_get(data, "points")), 50);
    assert_null(json_get(data, "where"));
    json_free(data);
    free(text);
    assert_int_equal(sweep_page(db, "f", "no_such = 1", &text, &bytes, &e), -1);
    assert_non_null(strstr(e.text, "no_such"));
    assert_null(text);
    sqlite3_close(db);
}

/* ---- the tool ---- */

/* A sweep of two points, whose second one is refused. */
static const char *small_sweep(void)
{
    static const char spec[] = "{\"gcnsim_sweep\": 1, \"name\": \"small\", \"launches\": [{\"name\": \"</script>\", "
                               "\"run\": [\"%s/traces/samples/"
                               "gfx1201/saxpy.json\"]}], \"axes\": [{\"set\": "
                               "\"cu.wave_slots_per_simd\", "
                               "\"values\": [8, 4]}], \"objectives\": [\"cycles\", \"load_extension('x')\"]}";
    char text[CLI_PATH + sizeof spec], folder[CLI_PATH];
    static const char *made;

    if (made)
        return made;
    assert_non_null(getcwd(folder, sizeof folder));
    int n = snprintf(text, sizeof text, spec, folder);
    write_file(cli_path("small.json"), text, (size_t)n);
    struct said s = RUN("sweep", cli_path("small.json"), "-o", cli_path("small.sqlite"), "--progress", "never");
    expect_status(&s, 1);
    said_free(&s);
    return made = strdup(cli_path("small.sqlite"));
}

static void the_tool_writes_the_page(void **state)
{
    static const char *const other[] = {"http://", "https://", "url(//", "@import", "src="};
    size_t bytes;

    (void)state;
    struct said s = RUN("sweep", "show", small_sweep(), "--html", cli_path("small.html"));
    expect_status(&s, 0);
    assert_int_equal(s.out_bytes, 0);
    said_free(&s);
    char *page = read_whole(cli_path("small.html"), &bytes), *at = page;
    assert_non_null(page);
    const struct json *data = data_of(page);
    assert_string_equal(text_of(data, "name"), "small");
    assert_string_equal(entry(data, "launch", 0), "</script>");
    assert_string_equal(entry(data, "outcome", 0), "completed");
    assert_string_equal(entry(data, "outcome", 1), "refused");
    assert_true(number_at(json_get(json_at(json_get(data, "values"), 0), "column"), 0) > 0);
    assert_true(json_elements(json_get(data, "same")) > 100); /* one point has them all */
    /* an objective reads values, and does nothing else */
    const struct json *failed = json_at(json_get(data, "not_computed"), 0);
    assert_non_null(strstr(json_text(json_at(failed, 2)), "not authorized"));
    json_free(data);
    /* nothing names another place: no address but that of SVG's namespace, which nobody asks for */
    while ((at = strstr(at, "http://www.w3.org/2000/svg")))
        memset(at, ' ', strlen("http://www.w3.org/2000/svg"));
    *strstr(page, data_begins) = 0;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++)
        if (strstr(page, other[k]))
            fail_msg("the page has %s", other[k]);
    assert_non_null(strstr(page, "default-src 'none'"));
    free(page);
    s = RUN("sweep", "show", small_sweep(), "--html", "-");
    expect_status(&s, 0);
    assert_int_equal(strncmp(s.out, "<!doctype html>", 15), 0);
    json_free(data_of(s.out));
    said_free(&s);
    s = RUN("sweep", "show", small_sweep(), "--html", cli_path("no/such/folder.html"));
    expect_status(&s, 3);
    said_free(&s);
}

static void scripts_are_javascript(void **state)
{
    static const char *const scripts[] = {"model", "chart", "heat", "pareto", "effects", "points", "sweep"};

    (void)state;
    scripts_are_right("sim/sweep/html", scripts, sizeof scripts / sizeof scripts[0]);
}

static void a_browser_shows_it(void **state)
{
    (void)state;
    browser_agrees("tests/html/check_sweep.py");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_keep_their_numbers), cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(names_are_kept_once),        cmocka_unit_test(points_are_in_the_page),
        cmocka_unit_test(values_are_those_that_vary), cmocka_unit_test(chosen_points),
        cmocka_unit_test(pages_have_a_size),          cmocka_unit_test(the_tool_writes_the_page),
        cmocka_unit_test(scripts_are_javascript),     cmocka_unit_test(a_browser_shows_it),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
