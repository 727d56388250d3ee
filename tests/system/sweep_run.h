/* Sweeps for tests: specs of small launches, which run in milliseconds, and tables of results without what differs from
 * host to host. Header-only.
 */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include <sqlite3.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

/* DIR/NAME, at one place for each name until the program ends. */
static inline const char *sweep_path(const char *name)
{
    static char known[256][CLI_PATH + 256];
    char path[sizeof known[0]];
    size_t k = 0;

    snprintf(path, sizeof path, "%s/%s", cli_dir, name);
    while (known[k][0] && strcmp(known[k], path) != 0)
        assert_true(++k < 256);
    return strcpy(known[k], path);
}

/* Open MPI keeps memory to its end, which the leak detector of a sanitized tool would report. */
static inline void without_leaks_of_mpi(void)
{
#ifdef __SANITIZE_ADDRESS__
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
#endif
}

/* DIR/NAME.json with that text, in which ' stands for ", and @ for the repository's root. */
static inline const char *write_spec(const char *name, const char *text)
{
    char file[200], *root = realpath(".", NULL);
    const char *path;
    FILE *f;

    snprintf(file, sizeof file, "%s.json", name);
    path = sweep_path(file);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_non_null(root);
    for (; *text; text++)
        if (*text == '@')
            fputs(root, f);
        else
            fputc(*text == '\'' ? '"' : *text, f);
    assert_int_equal(fclose(f), 0);
    free(root);
    return path;
}

/* A histogram at so many clocks. */
static inline const char *write_clocks(const char *name, unsigned points)
{
    char text[400];

    snprintf(text, sizeof text,
             "{'gcnsim_sweep': 1, 'launches': ['@/traces/samples/gfx90a/histogram.json'], 'options': ['--repeat', "
             "'1'], 'axes': [{'set': 'gpu.shader_clock_mhz', 'range': {'from': 1000, 'to': %u, 'step': 1}}]}",
             999 + points);
    return write_spec(name, text);
}

static inline sqlite3 *open_results(const char *path)
{
    sqlite3 *db;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        fail_msg("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 60000);
    return db;
}

/* Rows of a query as lines with commas between the columns; to be freed. */
static inline char *rows_of(sqlite3 *db, const char *sql)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    sqlite3_stmt *s;
    int rc;

    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    while ((rc = sqlite3_step(s)) == SQLITE_ROW)
        for (int c = 0, n = sqlite3_column_count(s); c < n; c++) {
            const char *cell = (const char *)sqlite3_column_text(s, c);

            fprintf(f, "%s%c", cell ? cell : "", c + 1 < n ? ',' : '\n');
        }
    if (rc != SQLITE_DONE)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(s);
    fclose(f);
    return text;
}

static inline char *ask(const char *path, const char *sql)
{
    sqlite3 *db = open_results(path);
    char *text = rows_of(db, sql);

    sqlite3_close(db);
    return text;
}

static inline long ask_number(const char *path, const char *sql)
{
    char *text = ask(path, sql);
    long n = atol(text);

    free(text);
    return n;
}

/* Results that were committed; -1: no file, or one without tables. */
static inline long results_in(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *s = NULL;
    long n = -1;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 60000);
        if (sqlite3_prepare_v2(db, "SELECT count(*) FROM run", -1, &s, NULL) == SQLITE_OK &&
            sqlite3_step(s) == SQLITE_ROW)
            n = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return n;
}

struct awaited_results {
    const char *path;
    long more_than;
};

static inline bool sweep_has_results(void *ctx)
{
    const struct awaited_results *a = ctx;

    return results_in(a->path) > a->more_than;
}

/* Waits until the process has committed more results than that. */
static inline void sweep_await(pid_t pid, const char *path, long more_than)
{
    struct awaited_results a = {path, more_than};

    if (!watch_until(pid, cli_dir, sweep_has_results, &a))
        fail_msg("it ended before it committed more than %ld results to %s", more_than, path);
}

/* All that is known of all points, but for what the host has to do with. To be freed. */
static inline char *table_of(const char *path)
{
    sqlite3 *db = open_results(path);
    char *columns =
             rows_of(db, "SELECT group_concat('\"' || name || '\"', ', ') FROM pragma_table_info('results') WHERE "
                         "name NOT LIKE 'host%'"),
         *sql, *table;

    assert_true(asprintf(&sql, "SELECT %s FROM results ORDER BY point", columns) > 0);
    table = rows_of(db, sql);
    free(sql);
    free(columns);
    sqlite3_close(db);
    return table;
}

static inline void expect_same_table(const char *path, const char *table)
{
    char *got = table_of(path);

    if (strcmp(got, table) != 0)
        fail_msg("%s is\n%.1000s\nnot\n%.1000s", path, got, table);
    free(got);
}

/* A sweep that ends as it should. */
static inline void run_sweep(const char *spec, const char *results)
{
    struct said s = RUN("sweep", spec, "--output", results, "--progress", "never");

    expect_status(&s, 0);
    said_free(&s);
}

static inline void resume_sweep(const char *spec, const char *results, const char *said)
{
    struct said s = RUN("sweep", spec, "--output", results, "--progress", "never", "--resume");

    expect_status(&s, 0);
    expect_in(&s, s.err, said);
    said_free(&s);
}

#endif
