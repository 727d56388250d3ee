/* gcnsim sweep show: results as tables, pivoted tables, Pareto fronts, CSV and pages. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/sweep.h"
#include "sim/sweep/foreign.h"
#include "sim/sweep/page.h"
#include "sim/sweep/sql.h"
#include "sim/sweep/store.h"

enum {
    MAX_PARTS = 16,
    MAX_COLUMNS = 1000,
    BEST = 5,
    WIDEST = 200 /* columns of a cell */,
    CELL_BYTES = 32 /* at least */
};

/* A table of texts as it is printed. */
struct table {
    char **cell;
    size_t cells, room, columns;
    uint64_t bytes, most; /* of all texts; that there may be */
};

static bool add_cell(struct table *t, const char *text)
{
    if (t->cells == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        char **more = realloc(t->cell, room * sizeof *more);

        if (!more)
            return false;
        t->cell = more;
        t->room = room;
    }
    t->bytes += CELL_BYTES + (text ? strlen(text) : 0);
    if (t->bytes > t->most)
        return false;
    t->cell[t->cells] = strdup(text ? text : "");
    return t->cell[t->cells++] != NULL;
}

static void free_table(struct table *t)
{
    for (size_t k = 0; k < t->cells; k++)
        free(t->cell[k]);
    free(t->cell);
    *t = (struct table){0};
}

/* ---- expressions ---- */

/* Parts of "a,f(b,c)" between commas outside brackets and quotes. Returns how many; they are to be freed. */
static size_t split(const char *text, char **part, size_t most)
{
    size_t n = 0;
    int depth = 0;
    char quote = 0;
    const char *from = text;

    for (const char *at = text;; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (*at == '(' || *at == '[')
            depth++;
        else if (*at == ')' || *at == ']')
            depth--;
        if ((*at == ',' && !depth && !quote) || !*at) {
            if (n < most && !(part[n] = strndup(from, (size_t)(at - from))))
                return 0;
            n++;
            from = at + 1;
        }
        if (!*at)
            return n;
    }
}

static void free_parts(char **part, size_t n)
{
    for (size_t k = 0; k < n && k < MAX_PARTS; k++)
        free(part[k]);
}

/* Some versions of SQLite find what a query may not do when it is prepared, and others when it runs. */
static int refuse_query(const char *path, const char *why)
{
    return cli_error("sweep: %s: %s; expected axes and statistics of its results, names with a dot in [brackets]", path,
                     why);
}

/* Runs a query; null with a message. */
static sqlite3_stmt *query(sqlite3 *db, const char *path, char *sql)
{
    sqlite3_stmt *s = NULL;
    const char *rest = "";

    if (!sql || sqlite3_prepare_v2(db, sql, -1, &s, &rest) != SQLITE_OK || !s || *rest) {
        refuse_query(path, !sql ? "out of host memory" : s && *rest ? "more than an expression" : sweep_sql_why(db));
        sqlite3_finalize(s);
        s = NULL;
    }
    sqlite3_free(sql);
    return s;
}

/* ---- printing ---- */

static void put_csv(sqlite3_str *f, const char *text)
{
    bool plain = !strpbrk(text, ",\"\n\r");

    if (plain) {
        sqlite3_str_appendall(f, text);
        return;
    }
    sqlite3_str_appendchar(f, 1, '"');
    for (; *text; text++)
        sqlite3_str_appendchar(f, *text == '"' ? 2 : 1, *text);
    sqlite3_str_appendchar(f, 1, '"');
}

/* To a file, or to stdout ("-"). */
static int put_output(const char *path, const char *text, size_t size)
{
    struct gcnsim_error error = {0};

    if (strcmp(path, "-") == 0)
        return cli_put(text);
    if (gcnsim_write_file(path, text, size, &error) == GCNSIM_OK)
        return CLI_OK;
    cli_library_error(&error);
    return CLI_NOT_WRITTEN;
}

static int write_csv(const struct table *t, const char *path)
{
    sqlite3_str *f = sqlite3_str_new(NULL);
    int status;

    for (size_t k = 0; k < t->cells; k++) {
        put_csv(f, t->cell[k]);
        sqlite3_str_appendchar(f, 1, (k + 1) % t->columns ? ',' : '\n');
    }
    bool whole = sqlite3_str_errcode(f) == SQLITE_OK;
    char *text = sqlite3_str_finish(f);
    status = whole && text ? put_output(path, text, strlen(text)) : cli_error("out of memory");
    sqlite3_free(text);
    return status;
}

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return *text && !*end;
}

/* A text too long for people ends in dots, after a whole character. */
static void cut(char *text)
{
    size_t n = WIDEST - 3;

    if (strlen(text) <= WIDEST)
        return;
    while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    memcpy(text + n, "...", 4);
}

/* Columns as wide as they need to be; numbers to the right. */
static int print_table(const struct table *t)
{
    size_t *width = calloc(t->columns, sizeof *width);

    if (!width)
        return cli_error("out of memory");
    for (size_t k = 0; k < t->cells; k++) {
        cut(t->cell[k]);
        if (strlen(t->cell[k]) > width[k % t->columns])
            width[k % t->columns] = strlen(t->cell[k]);
    }
    for (size_t k = 0; k < t->cells; k++) {
        size_t c = k % t->columns;
        bool right = is_number(t->cell[k]) ||
                     (k < t->columns && k + t->columns < t->cells && is_number(t->cell[k + t->columns]));
        cli_printf("%s%*s", c ? "  " : "", (right ? 1 : -1) * (int)width[c], t->cell[k]);
        if (c + 1 == t->columns)
            putchar('\n');
    }
    free(width);
    return cli_flush();
}

static int put_table(const struct table *t, const struct cli_sweep_show *o)
{
    return o->csv ? write_csv(t, o->csv) : print_table(t);
}

/* exact: in as many digits as it takes to read it back as it is; else in ten at most, for people. */
static void put_number(char *out, size_t size, double v, bool exact)
{
    if (exact || sweep_is_whole(v))
        sweep_number(out, size, v);
    else
        snprintf(out, size, "%.10g", v);
}

/* All rows of a statement, after the names of its columns. exact: numbers are. */
static int fill(struct table *t, sqlite3_stmt *s, const char *path, bool exact)
{
    int n = sqlite3_column_count(s), rc = SQLITE_DONE;
    bool ok = true;

    t->columns = (size_t)n;
    t->most = cli_default_memory() / 2;
    for (int c = 0; c < n && ok; c++)
        ok = sqlite3_column_name(s, c) && add_cell(t, sqlite3_column_name(s, c));
    while (ok && (rc = sqlite3_step(s)) == SQLITE_ROW)
        for (int c = 0; c < n && ok; c++) {
            char number[40];
            double v = sqlite3_column_double(s, c);
            int type = sqlite3_column_type(s, c); /* a number becomes null where its text cannot be had */

            if (type == SQLITE_FLOAT) {
                put_number(number, sizeof number, v, exact);
                ok = add_cell(t, number);
            } else {
                const char *text = (const char *)sqlite3_column_text(s, c);

                ok = (text || type == SQLITE_NULL) && add_cell(t, text);
            }
        }
    if (ok && rc != SQLITE_DONE)
        return refuse_query(path, sweep_sql_why(sqlite3_db_handle(s)));
    if (t->bytes > t->most)
        return refuse_query(path, "more text than there is memory for");
    return ok ? CLI_OK : cli_error("out of memory");
}

static int show_query(sqlite3 *db, const char *path, char *sql, const struct cli_sweep_show *o)
{
    sqlite3_stmt *s = query(db, path, sql);
    struct table t = {0};
    int status;

    if (!s)
        return CLI_BAD_INPUT;
    status = fill(&t, s, path, o->csv);
    sqlite3_finalize(s);
    if (status == CLI_OK)
        status = put_table(&t, o);
    free_table(&t);
    return status;
}

/* ---- what is shown ---- */

struct show {
    sqlite3 *db;
    const char *path;
    const struct cli_sweep_show *o;
    char *value; /* an expression of SQL */
    char *value_name;
    char *where; /* of --where, or 1: an expression of SQL */
    char *axes;  /* "launch", "profile", axes: as columns of SQL, after one another */
};

/* The columns that distinguish points; null where they cannot be read. */
static char *axis_columns(sqlite3 *db)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT name FROM axis ORDER BY axis", -1, &s, NULL);

    sqlite3_str_appendall(text, "launch, profile");
    while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);

        rc = name ? SQLITE_OK : SQLITE_NOMEM;
        sqlite3_str_appendf(text, ", \"%w\"", name);
    }
    sqlite3_finalize(s);
    if (rc != SQLITE_DONE || sqlite3_str_errcode(text) != SQLITE_OK)
        sqlite3_str_reset(text);
    return sqlite3_str_finish(text);
}

/* What the columns of a pivot are of. */
struct heads {
    sqlite3_value *value[MAX_COLUMNS];
    int count;
};

static int find_heads(const struct show *w, const char *columns, struct heads *h)
{
    sqlite3_stmt *s = query(w->db, w->path,
                            sqlite3_mprintf("SELECT DISTINCT %s FROM results WHERE %s ORDER BY 1", columns, w->where));
    int rc = SQLITE_DONE;

    if (!s)
        return CLI_BAD_INPUT;
    while (h->count < MAX_COLUMNS && (rc = sqlite3_step(s)) == SQLITE_ROW)
        if (!(h->value[h->count++] = sqlite3_value_dup(sqlite3_column_value(s, 0))))
            break;
    sqlite3_finalize(s);
    if (h->count == MAX_COLUMNS)
        return cli_usage("sweep", "--pivot: %s has %d values or more; expected fewer columns", columns, MAX_COLUMNS);
    return rc == SQLITE_DONE ? CLI_OK : refuse_query(w->path, sweep_sql_why(w->db));
}

/* SELECT rows, min(value) FILTER (WHERE columns IS ?1) AS "32", ... */
static char *pivot_text(const struct show *w, const char *rows, const char *columns, const char *aggregate,
                        const struct heads *h)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendf(sql, "SELECT %s", rows);
    for (int k = 0; k < h->count; k++) {
        bool null =
            sqlite3_value_type(h->value[k]) == SQLITE_NULL; /* a number becomes so where its text cannot be had */
        const char *name = (const char *)sqlite3_value_text(h->value[k]);

        if (!name && !null) {
            sqlite3_free(sqlite3_str_finish(sql));
            return NULL;
        }
        sqlite3_str_appendf(sql, ", %s(%s) FILTER (WHERE %s IS ?%d) AS \"%w\"", aggregate, w->value, columns, k + 1,
                            name ? name : "");
    }
    sqlite3_str_appendf(sql, " FROM results WHERE %s GROUP BY 1 ORDER BY 1", w->where);
    return sqlite3_str_finish(sql);
}

/* A pivot of one axis is a list of its values; of two, the second one's values are columns. */
static int pivot_two(const struct show *w, const char *rows, const char *columns, const char *aggregate)
{
    struct heads h = {.count = 0};
    struct table t = {0};
    sqlite3_stmt *s = NULL;
    int status = find_heads(w, columns, &h);

    if (status == CLI_OK && !(s = query(w->db, w->path, pivot_text(w, rows, columns, aggregate, &h))))
        status = CLI_BAD_INPUT;
    for (int k = 0; k < h.count && status == CLI_OK; k++)
        sqlite3_bind_value(s, k + 1, h.value[k]);
    if (status == CLI_OK)
        status = fill(&t, s, w->path, w->o->csv);
    if (status == CLI_OK)
        status = put_table(&t, w->o);
    sqlite3_finalize(s);
    free_table(&t);
    for (int k = 0; k < h.count; k++)
        sqlite3_value_free(h.value[k]);
    return status;
}

/* Whether the value is an objective of the file's that is not computed, with a message. */
static bool refuse_objective(const struct show *w)
{
    char *why;

    if (w->o->value || sweep_foreign_expression(w->db, w->value, &why) == 0)
        return false;
    cli_error("sweep: %s: its objective '%.200s': %s; expected arithmetic, or --value with an expression of your own",
              w->path, w->value_name, why ? why : "out of host memory");
    free(why);
    return true;
}

static int show_pivot(const struct show *w)
{
    static const char *const aggregates[] = {"min", "avg", "max"};
    char *part[MAX_PARTS] = {0}, *rows, *columns;
    size_t n = split(w->o->pivot, part, MAX_PARTS);
    int status;

    if (n != 1 && n != 2) {
        free_parts(part, n);
        return cli_usage("sweep", "--pivot: '%s'; expected ROWS or ROWS,COLUMNS", w->o->pivot);
    }
    rows = sweep_page_expression(w->db, part[0]);
    columns = n == 2 ? sweep_page_expression(w->db, part[1]) : NULL;
    if (refuse_objective(w))
        status = CLI_BAD_INPUT;
    else if (n == 2)
        status = pivot_two(w, rows, columns, aggregates[w->o->aggregate]);
    else
        status = show_query(w->db, w->path,
                            sqlite3_mprintf("SELECT %s, %s(%s) AS \"%w\" FROM results WHERE %s GROUP BY 1 ORDER BY 1",
                                            rows, aggregates[w->o->aggregate], w->value, w->value_name, w->where),
                            w->o);
    sqlite3_free(rows);
    sqlite3_free(columns);
    free_parts(part, n);
    return status;
}

/* Points that no other one beats in one of two values without losing in the other. */
static int show_pareto(const struct show *w)
{
    char *part[MAX_PARTS] = {0}, *a, *b;
    size_t n = split(w->o->pareto, part, MAX_PARTS);
    int status;

    if (n != 2) {
        free_parts(part, n);
        return cli_usage("sweep", "--pareto: '%s'; expected EXPR,EXPR", w->o->pareto);
    }
    a = sweep_page_expression(w->db, part[0]);
    b = sweep_page_expression(w->db, part[1]);
    status = show_query(
        w->db, w->path,
        sqlite3_mprintf("WITH t AS MATERIALIZED (SELECT point, %s, %s AS \"%w\", %s AS \"%w\" FROM results "
                        "WHERE %s AND outcome = 'completed'), o AS (SELECT *, min(\"%w\") OVER (ORDER BY "
                        "\"%w\", \"%w\", point ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS best FROM t "
                        "WHERE \"%w\" IS NOT NULL AND \"%w\" IS NOT NULL) SELECT point, %s, \"%w\", \"%w\" FROM o "
                        "WHERE best IS NULL OR \"%w\" < best ORDER BY \"%w\"",
                        w->axes, a, part[0], b, part[1], w->where, part[1], part[0], part[1], part[0], part[1], w->axes,
                        part[0], part[1], part[1], part[0]),
        w->o);
    sqlite3_free(a);
    sqlite3_free(b);
    free_parts(part, n);
    return status;
}

static int64_t number_of(sqlite3 *db, const char *sql)
{
    return sweep_sql_number(db, sql, 0);
}

/* How far the sweep is, what it varies, why points did not complete, and the best ones. */
static int show_summary(const struct show *w)
{
    sqlite3_stmt *s;
    char *where;

    if (sqlite3_prepare_v2(w->db, "SELECT value FROM sweep WHERE key = 'name'", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW) {
        fputs("sweep      ", stdout);
        cli_put_name((const char *)sqlite3_column_text(s, 0), 0);
    }
    sqlite3_finalize(s);
    cli_printf("\npoints     %" PRId64 ", of which %" PRId64 " completed, %" PRId64 " did not, %" PRId64
               " are to be run\n",
               number_of(w->db, "SELECT count(id) FROM point"), /* count(*) of a table looks at no allowance */
               number_of(w->db, "SELECT count(*) FROM run WHERE outcome = 'completed'"),
               number_of(w->db, "SELECT count(*) FROM run WHERE outcome <> 'completed'"),
               number_of(w->db, "SELECT count(*) FROM point WHERE id NOT IN (SELECT id FROM run)"));
    if (number_of(w->db, "SELECT count(*) FROM run WHERE outcome <> 'completed'")) {
        cli_printf("\nnot completed\n");
        int status =
            show_query(w->db, w->path,
                       sqlite3_mprintf("SELECT count(*) AS points, outcome, substr(message, 1, 100) AS message FROM "
                                       "run WHERE outcome <> 'completed' GROUP BY outcome, message ORDER BY 1 DESC "
                                       "LIMIT 10"),
                       w->o);
        if (status != CLI_OK)
            return status;
    }
    cli_printf("\naxes\n");
    int status =
        show_query(w->db, w->path,
                   sqlite3_mprintf("SELECT a.name AS axis, count(DISTINCT o.value) AS [values], min(o.value) AS "
                                   "[from], max(o.value) AS [to] FROM axis a LEFT JOIN override o USING (axis) GROUP "
                                   "BY a.axis ORDER BY a.axis"),
                   w->o);
    if (status != CLI_OK)
        return status;
    if (refuse_objective(w))
        return CLI_BAD_INPUT;
    cli_printf("\nbest by ");
    cli_put_name(w->value_name, 0);
    putchar('\n');
    where = sqlite3_mprintf(
        "SELECT point, %s, %s AS \"%w\" FROM results WHERE %s AND outcome = 'completed' ORDER BY %s "
        "%s, point LIMIT %d",
        w->axes, w->value, w->value_name, w->where, w->value,
        number_of(w->db, "SELECT goal = 'maximize' FROM objective WHERE objective = 0") && !w->o->value ? "DESC" : "",
        BEST);
    return show_query(w->db, w->path, where, w->o);
}

/* A line for each point: with all that is known, or with the value alone. */
static int show_points(const struct show *w)
{
    if (w->o->value)
        return show_query(
            w->db, w->path,
            sqlite3_mprintf("SELECT point, %s, outcome, %s AS \"%w\" FROM results WHERE %s ORDER BY point", w->axes,
                            w->value, w->value_name, w->where),
            w->o);
    return show_query(w->db, w->path, sqlite3_mprintf("SELECT * FROM results WHERE %s ORDER BY point", w->where), w->o);
}

/* What --value says, or the first objective, or cycles. */
static int choose_value(struct show *w)
{
    sqlite3_stmt *s = NULL;
    const char *name = w->o->value;
    int rc = SQLITE_DONE;

    if (!name) {
        rc = sqlite3_prepare_v2(w->db, "SELECT value FROM objective ORDER BY objective LIMIT 1", -1, &s, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_step(s);
        name = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : "cycles";
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        cli_error("sweep: %s: %s", w->path, sweep_sql_why(w->db));
    else if (!name || !(w->value_name = sqlite3_mprintf("%s", name)))
        cli_error("sweep: %s: out of host memory", w->path);
    sqlite3_finalize(s);
    if (!w->value_name)
        return CLI_BAD_INPUT;
    w->value = sweep_page_expression(w->db, w->value_name);
    w->axes = w->value ? axis_columns(w->db) : NULL;
    if (!w->value || !w->axes)
        return cli_error("sweep: %s: %s", w->path, sweep_sql_why(w->db));
    w->where = sqlite3_mprintf("(%s\n)", w->o->where ? w->o->where : "1");
    return w->where ? CLI_OK : cli_error("sweep: %s: out of host memory", w->path);
}

static int write_page(const struct show *w)
{
    struct err e = {0};
    char *text;
    size_t size;
    int status;

    if (sweep_page(w->db, w->path, w->o->where, &text, &size, &e))
        return cli_error("%s", e.text);
    status = put_output(w->o->html, text, size);
    free(text);
    return status;
}

static int show(struct show *w)
{
    sweep_foreign_restrict(w->db);
    if (w->o->html)
        return write_page(w);
    if (w->o->pivot)
        return show_pivot(w);
    if (w->o->pareto)
        return show_pareto(w);
    return w->o->csv || w->o->value ? show_points(w) : show_summary(w);
}

int cli_sweep_show(const struct cli_sweep_show *o, const char *path)
{
    struct show w = {.path = path, .o = o};
    struct sweep_allowance allowance;
    struct err e = {0};
    int status;

    if (!!o->pivot + !!o->pareto + !!o->html > 1)
        return cli_usage("sweep", "--pivot, --pareto and --html; expected one of them");
    sqlite3_hard_heap_limit64((sqlite3_int64)(cli_default_memory() / 2)); /* the rest is for what is printed */
    if (sweep_results_open(&w.db, &allowance, path, &e))
        return cli_error("%s", e.text);
    status = choose_value(&w);
    if (status == CLI_OK)
        status = show(&w);
    sqlite3_free(w.value);
    sqlite3_free(w.value_name);
    sqlite3_free(w.axes);
    sqlite3_free(w.where);
    sqlite3_close(w.db);
    return status;
}
