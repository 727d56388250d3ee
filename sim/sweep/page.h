/* The results of a sweep as one page for a browser: heat maps over two axes, the Pareto front, all points. */
#ifndef GCNSIM_SWEEP_PAGE_H
#define GCNSIM_SWEEP_PAGE_H

#include "sim/util/error.h"

struct sqlite3;

/* Writes the page of the results `db`, which came out of the file `results`, to `path`. 0, or -1 with *e. */
int sweep_page_write(struct sqlite3 *db, const char *results, const char *path, struct err *e);

#endif
