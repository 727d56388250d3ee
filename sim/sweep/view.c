/* The view `results` of a file of results: a line for each point, with a column for each axis and each statistic. It
 * has no order of its own: with one, SQLite works out all columns of all lines for a sum over one of them. */
#include "sim/sweep/view.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sweep/sql.h"
#include "sim/util/text_stream.h"

enum { MAX_COLUMNS = 2000 /* of a query of SQLite */ };

/* A column for each row of a table of numbers and names. */
static int put_columns(FILE *f, sqlite3 *db, const char *path, const char *rows, const char *format, int *columns,
                       struct err *e)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, rows, -1, &s, NULL), failed = 0;

    while ((rc == SQLITE_OK || rc == SQLITE_ROW) && (rc = sqlite3_step(s)) == SQLITE_ROW && !failed) {
        const char *text = (const char *)sqlite3_column_text(s, 1);
        char *name = text ? sqlite3_mprintf("\"%w\"", text) : NULL;

        if (++*columns > MAX_COLUMNS)
            failed = err_set(e, ERR_LIMIT, "%s: more than %d axes and statistics", path, MAX_COLUMNS);
        else if (!name)
            failed = err_set(e, ERR_NOMEM, "%s: out of host memory", path);
        if (!failed) {
            fprintf(f, ", (SELECT ");
            fprintf(f, format, sqlite3_column_int64(s, 0));
            fprintf(f, ") AS %s", name);
        }
        sqlite3_free(name);
    }
    if (!failed && rc != SQLITE_DONE)
        failed = sweep_sql_failed(path, db, e);
    sqlite3_finalize(s);
    return failed;
}

char *sweep_view_sql(sqlite3 *db, const char *path, const char *head, struct err *e)
{
    /* a figure that is varied may have the name of a statistic */
    static const char *const statistics = "SELECT statistic, CASE WHEN EXISTS (SELECT 1 FROM axis a WHERE "
                                          "lower(a.name) = lower(s.name)) THEN 'statistic.' "
                                          "|| name ELSE name END FROM statistic s ORDER BY statistic";
    struct text_stream t;
    int columns = 0, failed;
    char *sql;

    if (!text_stream_open(&t)) {
        err_set(e, ERR_NOMEM, "%s: out of host memory", path);
        return NULL;
    }
    fprintf(t.f, "%s AS SELECT p.ordinal AS point, p.launch AS launch, coalesce(p.profile, r.profile) AS profile",
            head);
    failed = put_columns(t.f, db, path, "SELECT axis, name FROM axis ORDER BY axis",
                         "o.value FROM override o WHERE o.id = p.id AND o.axis = %lld", &columns, e) ||
             put_columns(t.f, db, path, statistics, "v.value FROM value v WHERE v.id = p.id AND v.statistic = %lld",
                         &columns, e);
    fputs(
        ", r.outcome AS outcome, r.message AS message, r.target AS target, r.seconds AS host_seconds, r.cpu_seconds AS "
        "host_cpu_seconds, r.command AS command FROM point p LEFT JOIN run r USING (id)",
        t.f);
    sql = text_stream_close(&t);
    if (!sql && !failed)
        err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    if (failed) {
        free(sql);
        return NULL;
    }
    return sql;
}
