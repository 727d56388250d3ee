/* What the parts of the page of a sweep share. */
#ifndef GCNSIM_SWEEP_PAGE_INTERNAL_H
#define GCNSIM_SWEEP_PAGE_INTERNAL_H

#include <sqlite3.h>

#include "sim/sweep/page.h"
#include "sim/sweep/page_column.h"

/* A point of the file: its id there and its place in the page, where points stand in the order of the spec. */
struct page_point {
    sqlite3_int64 id;
    uint32_t at;
};

struct page {
    sqlite3 *db;
    const char *path;  /* of the results, for errors */
    const char *where; /* of the points: an expression, "1" for all */
    struct json_put j;
    struct err *e;
    struct page_point *point; /* sorted by id */
    size_t points;
    uint32_t *index; /* scratch, of an entry for each point */
    double *number;  /* scratch, the same */
};

/* Null with *e. */
sqlite3_stmt *page_prepare(const struct page *p, const char *sql);
int page_no_memory(const struct page *p);
/* Ends a statement that has been stepped through; rc: what the last step gave. 0, or -1 with *e. */
int page_done(const struct page *p, sqlite3_stmt *s, int rc);
/* The place of a point by its id; PAGE_NONE: no point has it. *near: where to look first, for ids that go up. */
uint32_t page_place(const struct page *p, sqlite3_int64 id, size_t *near);

/* "values", "same", "left_out" and "not_computed": objectives and statistics. 0, or -1 with *e. */
int page_put_values(struct page *p);

#endif
