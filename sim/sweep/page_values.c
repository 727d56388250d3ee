/* Objectives and statistics of the page of a sweep: a column for each that varies, within the bytes that a page may
 * have. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/foreign.h"
#include "sim/sweep/page_internal.h"
#include "sim/sweep/sql.h"
#include "sim/util/json_put.h"

enum { NUMBER_BYTES = 40, LEAST_BYTES = 1 /* of an entry of a column */ };

/* A statistic of the file. */
struct page_statistic {
    sqlite3_int64 id;
    char *name, *unit, *about;
    double least, most;
    size_t points; /* that have it */
    double *column;
    bool varies, shown; /* shown: the page has a column of it */
};

struct page_statistics {
    struct page_statistic *of; /* sorted by id */
    size_t count;
};

static void free_statistics(struct page_statistics *t)
{
    for (size_t k = 0; k < t->count; k++) {
        free(t->of[k].name);
        free(t->of[k].unit);
        free(t->of[k].about);
        free(t->of[k].column);
    }
    free(t->of);
}

static char *copy_at(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);

    return strdup(text ? text : "");
}

static int read_statistics(const struct page *p, struct page_statistics *t)
{
    sqlite3_stmt *s = page_prepare(p, "SELECT statistic, name, unit, description FROM statistic ORDER BY statistic");
    size_t room = 0;
    int rc;

    if (!s)
        return -1;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (t->count == room) {
            struct page_statistic *more = realloc(t->of, (room = room ? 2 * room : 256) * sizeof *more);

            if (!more)
                break;
            t->of = more;
        }
        struct page_statistic *of = &t->of[t->count++];

        *of = (struct page_statistic){.id = sqlite3_column_int64(s, 0)};
        of->name = copy_at(s, 1);
        of->unit = copy_at(s, 2);
        of->about = copy_at(s, 3);
        if (!of->name || !of->unit || !of->about)
            break;
    }
    if (rc == SQLITE_ROW) {
        sqlite3_finalize(s);
        return page_no_memory(p);
    }
    return page_done(p, s, rc);
}

/* The statistic of a row of values, whose ids go up within a point. */
static struct page_statistic *statistic_of(const struct page_statistics *t, sqlite3_int64 id, size_t *near)
{
    for (size_t tries = 0; tries < t->count; tries++, *near = *near + 1 < t->count ? *near + 1 : 0)
        if (t->of[*near].id == id)
            return &t->of[*near];
    return NULL;
}

/* Goes through all values, which have the order of the file: id, statistic. */
static int each_value(const struct page *p, const struct page_statistics *t,
                      void (*add_value)(struct page_statistic *of, uint32_t at, double v))
{
    sqlite3_stmt *s = page_prepare(p, "SELECT id, statistic, value FROM value");
    size_t near_point = 0, near = 0;
    int rc;

    if (!s)
        return -1;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        uint32_t at = page_place(p, sqlite3_column_int64(s, 0), &near_point);
        struct page_statistic *of = statistic_of(t, sqlite3_column_int64(s, 1), &near);

        if (at != PAGE_NONE && of)
            add_value(of, at, sqlite3_column_double(s, 2));
    }
    return page_done(p, s, rc);
}

static void take_extent(struct page_statistic *of, uint32_t at, double v)
{
    (void)at;
    if (!of->points || v < of->least)
        of->least = v;
    if (!of->points || v > of->most)
        of->most = v;
    of->points++;
    of->varies = of->least != of->most;
}

static void take_number(struct page_statistic *of, uint32_t at, double v)
{
    if (of->column)
        of->column[at] = v;
}

/* ---- objectives ---- */

/* The objective's value of each point, in p->number. 0; 1: the file's expression is none, *why; -1 with *e. */
static int compute(struct page *p, const char *expression, char **why)
{
    char *value = sweep_page_expression(p->db, expression);
    char *sql = value ? sqlite3_mprintf("SELECT %s FROM results WHERE point IS NOT NULL AND (%s\n)"
                                        " ORDER BY point",
                                        value, p->where)
                      : NULL;
    sqlite3_stmt *s = NULL;
    const char *rest = "";
    int rc = SQLITE_NOMEM;
    size_t k = 0;

    for (size_t m = 0; m < p->points; m++)
        p->number[m] = NAN;
    if (sql && sweep_foreign_expression(p->db, value, why)) {
        sqlite3_free(value);
        sqlite3_free(sql);
        return *why ? 1 : page_no_memory(p);
    }
    if (sql)
        rc = sqlite3_prepare_v2(p->db, sql, -1, &s, &rest);
    if (rc == SQLITE_OK && *rest) {
        rc = SQLITE_ERROR;
        *why = strdup("more than an expression");
    }
    sqlite3_free(value);
    sqlite3_free(sql);
    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(s)) == SQLITE_ROW && k < p->points) {
            if (sqlite3_column_type(s, 0) == SQLITE_INTEGER || sqlite3_column_type(s, 0) == SQLITE_FLOAT)
                p->number[k] = sqlite3_column_double(s, 0);
            k++;
        }
    if (rc != SQLITE_DONE && !*why)
        *why = strdup(sweep_sql_why(p->db));
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : *why ? 1 : page_no_memory(p);
}

static int put_objective(struct page *p, sqlite3_stmt *s, const struct page_statistics *t)
{
    const char *expression = (const char *)sqlite3_column_text(s, 1);
    double *scratch = calloc(p->points + 1, sizeof *scratch);
    struct page_statistic *same = NULL;

    for (size_t k = 0; k < t->count && expression; k++)
        if (strcmp(t->of[k].name, expression) == 0)
            same = &t->of[k];
    if (same)
        same->shown = true;
    json_put(&p->j, "\n{objective: true, name: %s, value: %s, goal: %s, unit: %s, about: %s, column:",
             (const char *)sqlite3_column_text(s, 0), expression, (const char *)sqlite3_column_text(s, 2),
             same ? same->unit : "", same ? same->about : "");
    if (!scratch || !page_put_column(&p->j, p->number, p->points, true, scratch)) {
        free(scratch);
        return page_no_memory(p);
    }
    free(scratch);
    json_put(&p->j, "}");
    return 0;
}

/* Columns of the objectives; those that cannot be computed are named in `failed`. */
static int put_objectives(struct page *p, const struct page_statistics *t, struct json_put *failed)
{
    sqlite3_stmt *s = page_prepare(p, "SELECT name, value, goal FROM objective ORDER BY objective");
    int rc, failure = 0;

    if (!s)
        return -1;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW && !failure) {
        const char *expression = (const char *)sqlite3_column_text(s, 1);
        char *why = NULL;

        failure = compute(p, expression ? expression : "", &why);
        if (failure == 1) {
            json_put(failed, "[%s, %s, %s]", (const char *)sqlite3_column_text(s, 0), expression, why);
            failure = 0;
        } else if (!failure) {
            failure = put_objective(p, s, t);
        }
        free(why);
    }
    if (failure) {
        sqlite3_finalize(s);
        return -1;
    }
    return page_done(p, s, rc);
}

/* ---- statistics ---- */

/* Gives room to the statistics that may fit the page: no more of them than take their least bytes. */
static int choose(const struct page *p, const struct page_statistics *t)
{
    size_t room = p->points ? SWEEP_PAGE_COLUMN_BYTES / (p->points * LEAST_BYTES) : 0;

    for (size_t k = 0; k < t->count && room; k++) {
        struct page_statistic *of = &t->of[k];

        if (!of->varies || of->shown)
            continue;
        of->column = malloc((p->points + 1) * sizeof *of->column);
        if (!of->column)
            return page_no_memory(p);
        for (size_t m = 0; m < p->points; m++)
            of->column[m] = NAN;
        room--;
    }
    return 0;
}

/* The column of a statistic; what is too long for the rest of the page is left out. */
static int put_statistic(struct page *p, struct page_statistic *of, size_t *room)
{
    char *json = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&json, &bytes);
    struct json_put j = {.f = f, .compact = true};
    bool ok = f && page_put_column(&j, of->column, p->points, false, p->number);

    if (f && fclose(f) != 0)
        ok = false;
    free(of->column);
    of->column = NULL;
    if (ok && bytes <= *room) {
        json_put(&p->j, "\n{objective: false, name: %s, unit: %s, about: %s, column:", of->name, of->unit, of->about);
        fputs(json, json_put_raw(&p->j));
        json_put(&p->j, "}");
        *room -= bytes;
        of->shown = true;
    }
    free(json);
    return ok ? 0 : page_no_memory(p);
}

static void put_same(struct page *p, const struct page_statistics *t)
{
    char number[NUMBER_BYTES];

    json_put(&p->j, "],\nsame: [");
    for (size_t k = 0; k < t->count; k++) {
        const struct page_statistic *of = &t->of[k];

        if (!of->points || of->varies)
            continue;
        page_number(number, sizeof number, of->least, true);
        json_put(&p->j, "\n[%s", of->name);
        fputs(number, json_put_raw(&p->j));
        json_put(&p->j, "%zu, %s, %s]", of->points, of->unit, of->about);
    }
    json_put(&p->j, "],\nleft_out: [");
    for (size_t k = 0; k < t->count; k++)
        if (t->of[k].varies && !t->of[k].shown)
            json_put(&p->j, "%s", t->of[k].name);
    json_put(&p->j, "]");
}

static int put_all(struct page *p, struct page_statistics *t, struct json_put *failed)
{
    size_t room = SWEEP_PAGE_COLUMN_BYTES;

    json_put(&p->j, "\nvalues: [");
    if (read_statistics(p, t) || put_objectives(p, t, failed) || each_value(p, t, take_extent) || choose(p, t) ||
        each_value(p, t, take_number))
        return -1;
    for (size_t k = 0; k < t->count; k++)
        if (t->of[k].column && put_statistic(p, &t->of[k], &room))
            return -1;
    put_same(p, t);
    return 0;
}

int page_put_values(struct page *p)
{
    struct page_statistics t = {0};
    char *names = NULL;
    size_t bytes;
    struct json_put failed = {.f = open_memstream(&names, &bytes), .compact = true};
    int rc = failed.f ? put_all(p, &t, &failed) : page_no_memory(p);

    if (failed.f && fclose(failed.f) != 0 && !rc)
        rc = page_no_memory(p);
    if (!rc) {
        json_put(&p->j, "\nnot_computed: [");
        if (*names)
            fputs(names, json_put_raw(&p->j));
        json_put(&p->j, "]");
    }
    free_statistics(&t);
    free(names);
    return rc;
}
