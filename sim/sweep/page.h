/* The results of a sweep as one page for a browser: heat maps over two axes, the Pareto front, main effects of axes,
 * all points. docs/HTML.md shows it.
 *
 * The page carries its data: a column for each axis, each objective and each statistic that varies. Statistics that
 * have one value are given once. Columns take at most SWEEP_PAGE_COLUMN_BYTES; what does not fit is left out, and the
 * page names it. Objectives are exact; other values that are no whole numbers have nine digits.
 */
#ifndef GCNSIM_SWEEP_PAGE_H
#define GCNSIM_SWEEP_PAGE_H

#include <stddef.h>

#include "sim/util/error.h"

struct sqlite3;

enum {
    SWEEP_PAGE_POINTS = 200000,         /* more than a browser shows without waits */
    SWEEP_PAGE_COLUMN_BYTES = 20000000, /* of all statistics */
};

/* The page of the results `db`, which came out of the file `results`; to be freed. where: of these points alone, an
 * expression of SQL over the view `results`; null: all. All is read as of one moment. 0, or -1 with *e. */
int sweep_page(struct sqlite3 *db, const char *results, const char *where, char **text, size_t *bytes, struct err *e);

/* A column of the view `results` by its name, else an expression, as SQL. To be freed by sqlite3_free(); null: out of
 * host memory. */
char *sweep_page_expression(struct sqlite3 *db, const char *text);

#endif
