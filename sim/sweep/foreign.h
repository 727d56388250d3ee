/* Files of results that may be anybody's: what is in them is data.
 *
 * A schema can hold programs: views and generated columns that compute, triggers, virtual tables, default values. So
 * before anything of a file is read its schema is compared with what SQLite makes of the tables of schema.h, and a file
 * that has anything else is refused. The one view of a file is not used: a temporary one is made of its axes and
 * statistics. Objectives are expressions, and come from the file when the user names none: they may compute with
 * numbers, and do nothing else.
 *
 * The pages of a file that was made for it can lead around, so that a small one has more rows than anybody reads. A
 * connection therefore has an allowance of work, in proportion to the file.
 */
#ifndef GCNSIM_SWEEP_FOREIGN_H
#define GCNSIM_SWEEP_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/util/error.h"

struct sqlite3;

/* What a connection may still do; the caller's, for as long as the connection is open. */
struct sweep_allowance {
    struct sqlite3 *db;
    uint64_t left;  /* steps of SQLite's machine, */
    uint32_t pages; /* among which pages count that it has looked at: so many so far, modulo 2^32 */
};

/* Opens a file to be read alone, with its view `results`. 0, or -1 with *e, which names the file: it is none, it is
 * another version's, or it holds what no file of ours does. A transaction that a writer's death has left is taken back
 * where the file can be written. *a: for reading the whole file some times, in any way that results are shown. Closed
 * with sqlite3_close(). */
int sweep_results_open(struct sqlite3 **db, struct sweep_allowance *a, const char *path, struct err *e);

/* For a file that is to be written, before SQLite reads it: its journal is one of this file alone, since SQLite removes
 * files that others name. 0, or -1 with *e. */
int sweep_foreign_journal(const char *path, struct err *e);
/* For reading `bytes`. A statement beyond it ends by SQLITE_INTERRUPT. */
void sweep_foreign_allow(struct sqlite3 *db, struct sweep_allowance *a, uint64_t bytes);
uint64_t sweep_foreign_bytes(const char *path); /* of a file and its write-ahead log */
/* No trigger of the file runs, and no function that could do harm in an expression of its schema. */
void sweep_foreign_harden(struct sqlite3 *db);
/* Whether the file is one of ours; an empty one passes where `empty` is set. 0, or -1 with *e. */
int sweep_foreign_check(struct sqlite3 *db, const char *path, bool empty, struct err *e);

/* From here on queries read the tables of results and call functions, and do nothing else. */
void sweep_foreign_restrict(struct sqlite3 *db);
/* Whether an expression of the file's own, as sweep_page_expression() makes it, does not more than compute with
 * numbers. 0, or -1 with *why, to be freed; null: out of host memory. The connection is restricted afterwards. */
int sweep_foreign_expression(struct sqlite3 *db, const char *expression, char **why);

#endif
