/* Errors of SQLite as messages, and the number that a query gives. */
#include "sim/sweep/sql.h"

#include <sqlite3.h>
#include <stddef.h>

const char *sweep_sql_why(sqlite3 *db)
{
    return sqlite3_errcode(db) == SQLITE_INTERRUPT ? "to read it takes more than results of its size can"
                                                   : sqlite3_errmsg(db);
}

int sweep_sql_failed(const char *path, sqlite3 *db, struct err *e)
{
    int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    const char *expected = code == SQLITE_INTERRUPT ? "; expected a file as gcnsim sweep leaves it"
                           : code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? "; expected results of gcnsim sweep"
                           : code == SQLITE_FULL || code == SQLITE_IOERR
                               ? "; what was committed is kept, and --resume goes on when there is space"
                           : code == SQLITE_CANTOPEN ? "; expected a file, or a folder for one"
                                                     : "";

    return err_set(e, code == SQLITE_NOMEM ? ERR_NOMEM : ERR_IO, "%s: %s%s", path,
                   db ? sweep_sql_why(db) : "out of host memory", expected);
}

int64_t sweep_sql_number(sqlite3 *db, const char *sql, int64_t otherwise)
{
    sqlite3_stmt *st;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
        otherwise = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return otherwise;
}
