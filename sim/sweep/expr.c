/* Expressions, evaluated by SQLite: names become parameters of a statement without tables. */
#include "sim/sweep/expr.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/spec.h"
#include "sim/util/text_stream.h"

enum {
    MAX_NAMES = 256,
    MAX_NAME = 256,
    MAX_BYTES = 1 << 16, /* of a text that is computed, */
    MAX_PATTERN = 64,    /* and of a pattern of LIKE, whose time grows with a power of its wildcards */
};

struct sweep_expr {
    sqlite3 *db;
    sqlite3_stmt *statement;
    uint32_t name[MAX_NAMES]; /* the number of parameter k + 1 */
    uint32_t names;
};

/* Expressions compute, and do nothing else; each process of a cluster finds the same points by them. */
static int authorize(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    static const char *const denied[] = {"load_extension", "random",       "randomblob",   "date",
                                         "time",           "datetime",     "julianday",    "unixepoch",
                                         "strftime",       "current_date", "current_time", "current_timestamp"};

    (void)ctx, (void)a, (void)c, (void)d;
    for (size_t k = 0; action == SQLITE_FUNCTION && b && k < sizeof denied / sizeof denied[0]; k++)
        if (strcmp(b, denied[k]) == 0)
            return SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_FUNCTION ? SQLITE_OK : SQLITE_DENY;
}

/* The parameter that stands for a name. */
static uint32_t parameter(struct sweep_expr *x, uint32_t number)
{
    for (uint32_t k = 0; k < x->names; k++)
        if (x->name[k] == number)
            return k + 1;
    x->name[x->names++] = number;
    return x->names;
}

/* The end of a text in quotes that begins at `at`, after the second one. */
static const char *end_of_quote(const char *at)
{
    const char *end = strchr(at + 1, *at);

    return end ? end + 1 : at + strlen(at);
}

/* Copies the expression with "?N" for names. Words that are no names stay: functions and SQL's own. */
static int translate(struct sweep_expr *x, const char *text, sweep_name_fn *name, void *ctx, FILE *to, struct err *e)
{
    for (const char *at = text; *at;) {
        const char *end = at + 1, *from = at;
        char word[MAX_NAME];
        uint32_t number;

        if (*at == '\'' || *at == '"') {
            end = end_of_quote(at);
        } else if (*at == '[') {
            end = strchr(at, ']');
            if (!end)
                return err_set(e, ERR_FORMAT, "'%.200s': a '[' without ']'", text);
            from++;
        } else if (isdigit((unsigned char)*at) || *at == '.') {
            while (isalnum((unsigned char)*end) || *end == '.')
                end++;
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            while (isalnum((unsigned char)*end) || *end == '_')
                end++;
        }
        size_t n = (size_t)(end - from);
        bool is_word = *at == '[' || isalpha((unsigned char)*at) || *at == '_';
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : (int)sizeof word - 1, from);
        if (is_word && name(ctx, word, &number)) {
            if (x->names == MAX_NAMES)
                return err_set(e, ERR_LIMIT, "'%.200s': more than 256 names", text);
            fprintf(to, "?%u", parameter(x, number));
        } else if (*at == '[') {
            return err_set(e, ERR_FORMAT,
                           "'%.200s': there is no '%.100s'; expected an axis, a parameter or a figure of "
                           "the profile",
                           text, word);
        } else if (strchr("?:@$#", *at)) {
            return err_set(e, ERR_FORMAT, "'%.200s': a parameter of SQL, '%c'; expected names as they are", text, *at);
        } else {
            fwrite(at, 1, (size_t)(end - at), to);
        }
        at = *at == '[' ? end + 1 : end;
    }
    return 0;
}

static int prepare(struct sweep_expr *x, const char *text, sweep_name_fn *name, void *ctx, struct err *e)
{
    const char *rest = NULL;
    struct text_stream t;
    char *sql;
    int rc;

    if (!text_stream_open(&t))
        return err_set(e, ERR_NOMEM, "out of host memory");
    fputs("SELECT (", t.f);
    rc = translate(x, text, name, ctx, t.f, e);
    fputs("\n)", t.f);
    sql = text_stream_close(&t);
    if (!sql && !rc)
        rc = err_set(e, ERR_NOMEM, "out of host memory");
    if (!rc && (sqlite3_prepare_v2(x->db, sql, -1, &x->statement, &rest) != SQLITE_OK || !x->statement || *rest))
        rc = err_set(e, ERR_FORMAT, "'%.200s': %s; expected an expression of SQLite, names with a dot in [brackets]",
                     text, sqlite3_errcode(x->db) != SQLITE_OK ? sqlite3_errmsg(x->db) : "more than an expression");
    free(sql);
    return rc;
}

int sweep_expr_new(struct sweep_expr **out, const char *text, sweep_name_fn *name, void *ctx, struct err *e)
{
    struct sweep_expr *x = calloc(1, sizeof *x);
    int rc;

    *out = NULL;
    if (!x || sqlite3_open_v2(":memory:", &x->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) != SQLITE_OK) {
        sweep_expr_free(x);
        return err_set(e, ERR_NOMEM, "out of host memory");
    }
    sqlite3_set_authorizer(x->db, authorize, NULL);
    sqlite3_limit(x->db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(x->db, SQLITE_LIMIT_LENGTH, MAX_BYTES);
    sqlite3_limit(x->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN);
    rc = prepare(x, text, name, ctx, e);
    if (rc) {
        sweep_expr_free(x);
        return rc;
    }
    *out = x;
    return 0;
}

int sweep_expr_eval(struct sweep_expr *x, sweep_value_fn *value, void *ctx, double *number, const char **text)
{
    sqlite3_stmt *s = x->statement;

    sqlite3_reset(s);
    for (uint32_t k = 0; k < x->names; k++) {
        struct sweep_operand v = {0};

        if (!value(ctx, x->name[k], &v))
            return -1;
        if (v.text)
            sqlite3_bind_text(s, (int)k + 1, v.text, -1, SQLITE_TRANSIENT);
        else if (sweep_is_whole(v.number))
            sqlite3_bind_int64(s, (int)k + 1, (sqlite3_int64)v.number);
        else
            sqlite3_bind_double(s, (int)k + 1, v.number);
    }
    if (sqlite3_step(s) != SQLITE_ROW || sqlite3_column_type(s, 0) == SQLITE_NULL)
        return -1;
    *number = sqlite3_column_double(s, 0);
    *text = sqlite3_column_type(s, 0) == SQLITE_TEXT ? (const char *)sqlite3_column_text(s, 0) : NULL;
    return 0;
}

void sweep_expr_free(struct sweep_expr *x)
{
    if (!x)
        return;
    sqlite3_finalize(x->statement);
    sqlite3_close(x->db);
    free(x);
}
