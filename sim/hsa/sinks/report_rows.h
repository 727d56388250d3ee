/* Rows of a report's tables. */
#ifndef GCNSIM_HSA_REPORT_ROWS_H
#define GCNSIM_HSA_REPORT_ROWS_H

#include <sqlite3.h>

#include "sim/hsa/core/runtime.h"

struct waits;

/* A statement with its next parameters, from the first on. */
struct row {
    sqlite3_stmt *s;
    int at;
};

static inline struct row row_begin(sqlite3_stmt *s)
{
    return (struct row){s, 0};
}
static inline void put_int(struct row *r, uint64_t v)
{
    sqlite3_bind_int64(r->s, ++r->at, (sqlite3_int64)v);
}
static inline void put_real(struct row *r, double v)
{
    sqlite3_bind_double(r->s, ++r->at, v);
}
/* Null gives NULL; the text stays valid until the row has ended. */
static inline void put_text(struct row *r, const char *text)
{
    sqlite3_bind_text(r->s, ++r->at, text, -1, SQLITE_STATIC);
}
static inline void put_null(struct row *r)
{
    sqlite3_bind_null(r->s, ++r->at);
}
static inline bool row_end(struct row *r)
{
    bool done = sqlite3_step(r->s) == SQLITE_DONE;

    if (!done)
        rt_log_once("sqlite", "GCNSIM_REPORT: rows are lost: %s", sqlite3_errmsg(sqlite3_db_handle(r->s)));
    sqlite3_reset(r->s);
    sqlite3_clear_bindings(r->s);
    return done;
}

/* The tables wait_node, wait_edge and wait_cycle of a run, in a transaction of the caller's. */
void sqlite_put_waits(sqlite3 *db, sqlite3_int64 run, const struct waits *w);

#endif
