/* What the files of sim/sweep share that read and write SQLite files. */
#ifndef GCNSIM_SWEEP_SQL_H
#define GCNSIM_SWEEP_SQL_H

#include <stdint.h>

#include "sim/util/error.h"

struct sqlite3;

/* Why a query has failed: as sqlite3_errmsg(), or that the allowance (foreign.h) is used up. */
const char *sweep_sql_why(struct sqlite3 *db);
/* Puts SQLite's error into *e, which names the file; -1. */
int sweep_sql_failed(const char *path, struct sqlite3 *db, struct err *e);

/* The first number of what a query gives, or `otherwise` where it gives none. */
int64_t sweep_sql_number(struct sqlite3 *db, const char *sql, int64_t otherwise);

#endif
