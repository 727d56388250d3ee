/* The view `results` of a file of results. */
#ifndef GCNSIM_SWEEP_VIEW_H
#define GCNSIM_SWEEP_VIEW_H

#include "sim/util/error.h"

struct sqlite3;

/* What makes the view, "CREATE VIEW results" as `head` says it. To be freed; null with *e. */
char *sweep_view_sql(struct sqlite3 *db, const char *path, const char *head, struct err *e);

#endif
