/* libFuzzer target: a file of a sweep's results. Whatever the bytes are, the file is refused with a message, or its
 * tables are read, and made into a page, to their end or to an error; nothing of it is written.
 */
#define _GNU_SOURCE
#include "sim/sweep/foreign.h"
#include "sim/sweep/page.h"
#include "sim/sweep/sql.h"
#include "sim/sweep/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static int ignore(void *ctx, int columns, char **cells, char **names)
{
    (void)ctx, (void)columns, (void)cells, (void)names;
    return 0;
}

enum { STEPS = 200000 /* of SQLite's machine for a query: less than a file may have */ };

static void make_page(sqlite3 *db, struct sweep_allowance *a)
{
    struct err e = {0};
    char *text = NULL;
    size_t size = 0;

    a->left = STEPS;
    if (sweep_page(db, "results.sqlite", NULL, &text, &size, &e))
        must(e.code != ERR_NONE && *e.text);
    else
        must(text && strlen(text) == size);
    free(text);
}

/* What of a file could run. */
static const char programs[] =
    "SELECT count(type) FROM main.sqlite_master WHERE type NOT IN ('table', 'index') AND name <> "
    "'results' OR sql LIKE '%VIRTUAL%' OR sql LIKE '% AS (%'";

static void read_all(sqlite3 *db, struct sweep_allowance *a)
{
    static const char *const queries[] = {"SELECT * FROM results", "SELECT key, value FROM sweep", "SELECT * FROM axis",
                                          "SELECT * FROM point LEFT JOIN run USING (id) LEFT JOIN value USING (id)"};

    must(sweep_sql_number(db, programs, 0) == 0);
    for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
        a->left = STEPS;
        sqlite3_exec(db, queries[k], ignore, NULL, NULL);
    }
    sweep_foreign_restrict(db);
    make_page(db, a);
    must(sqlite3_exec(db, "CREATE TABLE of_ours (x)", NULL, NULL, NULL) != SQLITE_OK);
}

/* SQLite follows links to the file's own name, so one without a name would not do. */
static char path[600];

static void remove_file(void)
{
    unlink(path);
}

static int make_file(void)
{
    const char *folder = getenv("TMPDIR");
    int fd;

    snprintf(path, sizeof path, "%s/gcnsim-fuzz-results-XXXXXX", folder ? folder : "/tmp");
    fd = mkstemp(path);
    must(fd >= 0 && atexit(remove_file) == 0);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    sqlite3 *db = NULL;
    struct sweep_allowance a;
    struct err e = {0};

    if (fd < 0)
        fd = make_file();
    must(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    if (sweep_results_open(&db, &a, path, &e))
        must(!db && e.code != ERR_NONE && *e.text);
    else
        read_all(db, &a);
    sqlite3_close(db);
    return 0;
}
