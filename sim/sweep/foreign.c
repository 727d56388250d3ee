/* Files of results that may be anybody's: how they are opened and checked (foreign.h). */
#define _GNU_SOURCE
#include "sim/sweep/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sweep/schema.h"
#include "sim/sweep/sql.h"
#include "sim/sweep/view.h"

enum {
    BUSY_MS = 10000,
    MAX_TEXT = 1 << 16, /* bytes of a text that is read or computed, */
    MAX_SQL = 1 << 23,  /* of a query, */
    MAX_PATTERN = 1000, /* and of a pattern of LIKE */
    LOOK_STEPS = 4000,  /* between two looks at the allowance */
    PAGE_STEPS = 10,    /* that a page counts as, */
    BYTE_STEPS = 300,   /* and that a byte of the file allows: a pivot of 1000 columns takes 140 */
};
#define LEAST_STEPS UINT64_C(20000000) /* that any file has: about a second */

/* ---- how much is read ---- */

static uint32_t pages_of(sqlite3 *db)
{
    int hits = 0, misses = 0, high;

    sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_HIT, &hits, &high, 0);
    sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &misses, &high, 0);
    return (uint32_t)hits + (uint32_t)misses;
}

static int look(void *allowance)
{
    struct sweep_allowance *a = allowance;
    uint32_t pages = pages_of(a->db), more = pages - a->pages;
    uint64_t work = LOOK_STEPS + PAGE_STEPS * (uint64_t)more;
    bool over = work > a->left;

    a->pages = pages;
    a->left = over ? 0 : a->left - work;
    return over;
}

void sweep_foreign_allow(sqlite3 *db, struct sweep_allowance *a, uint64_t bytes)
{
    uint64_t steps = bytes < UINT64_MAX / (2 * BYTE_STEPS) ? BYTE_STEPS * bytes : UINT64_MAX / 2;

    *a = (struct sweep_allowance){.db = db, .left = LEAST_STEPS + steps, .pages = pages_of(db)};
    sqlite3_progress_handler(db, LOOK_STEPS, look, a);
}

uint64_t sweep_foreign_bytes(const char *path)
{
    char log[PATH_MAX];
    struct stat st;
    uint64_t bytes = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;

    if (snprintf(log, sizeof log, "%s-wal", path) < (int)sizeof log && stat(log, &st) == 0)
        bytes += (uint64_t)st.st_size;
    return bytes;
}

/* ---- schemas ---- */

/* Whether two texts of SQL are the same but for white space. */
static bool same_sql(const char *a, const char *b)
{
    while (*a && *b) {
        size_t x = strspn(a, " \t\r\n"), y = strspn(b, " \t\r\n");

        if (!x != !y)
            return false;
        if (!x && *a++ != *b++)
            return false;
        a += x;
        b += y;
    }
    return !*a && !*b;
}

static const char *text_at(sqlite3_stmt *s, int column)
{
    return (const char *)sqlite3_column_text(s, column);
}

/* Whether what the row of `theirs` is about is among ours. find: takes type, name and table. */
static bool is_ours(sqlite3_stmt *find, sqlite3_stmt *theirs)
{
    const char *sql = text_at(theirs, 3);
    bool same = false;

    for (int k = 0; k < 3; k++)
        sqlite3_bind_text(find, k + 1, text_at(theirs, k), -1, SQLITE_TRANSIENT);
    if (sqlite3_step(find) == SQLITE_ROW) {
        const char *of_ours = text_at(find, 0);

        same = of_ours && sql ? same_sql(of_ours, sql) : of_ours == sql;
    }
    sqlite3_reset(find);
    return same;
}

static bool is_text(sqlite3_stmt *s, int column, const char *text)
{
    const char *at = text_at(s, column);

    return at && strcmp(at, text) == 0;
}

/* Tables and indexes as SQLite makes them of schema.h, the view `results`, and what ANALYZE leaves. */
static int compare_schemas(sqlite3 *db, sqlite3 *own, const char *path, struct err *e)
{
    sqlite3_stmt *theirs = NULL, *find = NULL;
    int64_t found = 0,
            wanted = sweep_sql_number(own, "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'", -1);
    int rc = 0, step = SQLITE_DONE;

    if (sqlite3_prepare_v2(own, "SELECT sql FROM sqlite_master WHERE type = ? AND name = ? AND tbl_name = ?", -1, &find,
                           NULL) != SQLITE_OK)
        rc = sweep_sql_failed(path, own, e);
    else if (sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, sql FROM main.sqlite_master", -1, &theirs, NULL) !=
             SQLITE_OK)
        rc = sweep_sql_failed(path, db, e);
    while (!rc && (step = sqlite3_step(theirs)) == SQLITE_ROW) {
        const char *name = text_at(theirs, 1), *type = text_at(theirs, 0);

        if (is_text(theirs, 0, "view") && is_text(theirs, 1, "results") && is_text(theirs, 2, "results"))
            continue;
        if (!is_ours(find, theirs))
            rc = err_set(e, ERR_FORMAT,
                         "%s: its schema has a %.20s '%.100s' that no results have; expected a file as gcnsim sweep "
                         "leaves it",
                         path, type ? type : "row", name ? name : "");
        else
            found += strncmp(name, "sqlite_stat", strlen("sqlite_stat")) != 0;
    }
    if (!rc && step != SQLITE_DONE)
        rc = sweep_sql_failed(path, db, e);
    if (!rc && found != wanted)
        rc = err_set(e, ERR_FORMAT, "%s: its schema lacks tables of results; expected a file as gcnsim sweep leaves it",
                     path);
    sqlite3_finalize(theirs);
    sqlite3_finalize(find);
    return rc;
}

static int check_schema(sqlite3 *db, const char *path, struct err *e)
{
    sqlite3 *own = NULL;
    int rc;

    if (sqlite3_open_v2(":memory:", &own, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) != SQLITE_OK ||
        sqlite3_exec(own, sweep_tables, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(own, "ANALYZE", NULL, NULL, NULL) != SQLITE_OK)
        rc = sweep_sql_failed(path, own, e);
    else
        rc = compare_schemas(db, own, path, e);
    sqlite3_close(own);
    return rc;
}

int sweep_foreign_check(sqlite3 *db, const char *path, bool empty, struct err *e)
{
    int64_t pages = sweep_sql_number(db, "PRAGMA page_count", -1),
            id = sweep_sql_number(db, "PRAGMA application_id", -1),
            version = sweep_sql_number(db, "PRAGMA user_version", -1);

    if (pages < 0)
        return sweep_sql_failed(path, db, e);
    if (pages == 0)
        return empty ? 0 : err_set(e, ERR_FORMAT, "%s: an empty file; expected results of gcnsim sweep", path);
    if (id != SWEEP_APPLICATION_ID)
        return err_set(e, ERR_FORMAT, "%s: a SQLite file of something else; expected results of gcnsim sweep", path);
    if (version != SWEEP_VERSION)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: results of version %" PRId64 "; expected version %d, which this gcnsim "
                       "writes",
                       path, version, SWEEP_VERSION);
    return check_schema(db, path, e);
}

/* ---- opening ---- */

void sweep_foreign_harden(sqlite3 *db)
{
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                              SQLITE_DBCONFIG_WRITABLE_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};

    for (size_t k = 0; k < sizeof off / sizeof off[0]; k++)
        sqlite3_db_config(db, off[k], 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, MAX_SQL);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    /* a file that somebody makes shorter must not end the process by a signal */
    sqlite3_exec(db, "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0", NULL, NULL, NULL);
}

int sweep_foreign_journal(const char *path, struct err *e)
{
    static const unsigned char of_several[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    char *real = realpath(path, NULL), *journal = NULL; /* SQLite follows links, too */
    unsigned char end[sizeof of_several] = {0};
    int rc = 0;

    if (real && asprintf(&journal, "%s-journal", real) < 0)
        journal = NULL;
    int fd = journal ? open(journal, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    if (size >= (off_t)sizeof end && pread(fd, end, sizeof end, size - (off_t)sizeof end) == (ssize_t)sizeof end &&
        memcmp(end, of_several, sizeof end) == 0)
        rc =
            err_set(e, ERR_FORMAT, "%s: is of several databases; expected a journal of gcnsim sweep, or none", journal);
    if (fd >= 0)
        close(fd);
    free(journal);
    free(real);
    return rc;
}

static int open_db(sqlite3 **db, struct sweep_allowance *a, const char *path, int flags, struct err *e)
{
    *db = NULL;
    if (sqlite3_open_v2(path, db, flags, NULL) != SQLITE_OK)
        return sweep_sql_failed(path, *db, e);
    sqlite3_busy_timeout(*db, BUSY_MS);
    sweep_foreign_allow(*db, a, sweep_foreign_bytes(path));
    sweep_foreign_harden(*db);
    sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, MAX_TEXT);
    sqlite3_limit(*db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN);
    sqlite3_limit(*db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL); /* temporary ones are not meant */
    /* what is sorted stays in memory, which has a limit */
    sqlite3_exec(*db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    return 0;
}

/* Takes back what a writer's death has left half written. */
static int roll_back(const char *path, struct err *e)
{
    struct sweep_allowance a;
    sqlite3 *db = NULL;
    int rc = sweep_foreign_journal(path, e);

    if (!rc)
        rc = open_db(&db, &a, path, SQLITE_OPEN_READWRITE, e);
    if (!rc && sqlite3_exec(db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL) != SQLITE_OK)
        rc = sweep_sql_failed(path, db, e);
    sqlite3_close(db);
    return rc;
}

/* The file to be read alone, with no transaction that is half written. */
static int open_whole(sqlite3 **db, struct sweep_allowance *a, const char *path, struct err *e)
{
    int rc = open_db(db, a, path, SQLITE_OPEN_READONLY, e);

    if (rc || sqlite3_exec(*db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL) == SQLITE_OK ||
        sqlite3_extended_errcode(*db) != SQLITE_READONLY_ROLLBACK)
        return rc; /* what else is wrong is found when it is checked */
    sqlite3_close(*db);
    *db = NULL;
    rc = roll_back(path, e);
    return rc ? rc : open_db(db, a, path, SQLITE_OPEN_READONLY, e);
}

static int make_view(sqlite3 *db, const char *path, struct err *e)
{
    char *sql = sweep_view_sql(db, path, "CREATE TEMP VIEW results", e);
    int rc = sql ? 0 : -1;

    if (sql && sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        rc = sweep_sql_failed(path, db, e);
    free(sql);
    return rc;
}

int sweep_results_open(sqlite3 **db, struct sweep_allowance *a, const char *path, struct err *e)
{
    struct stat st;
    int rc;

    *db = NULL;
    if (stat(path, &st) != 0 || access(path, R_OK) != 0)
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode)) /* who opens a FIFO waits */
        return err_set(e, ERR_IO, "%s: no file; expected results of gcnsim sweep", path);
    rc = open_whole(db, a, path, e);
    if (!rc)
        rc = sweep_foreign_check(*db, path, false, e);
    if (!rc)
        rc = make_view(*db, path, e);
    if (!rc)
        sqlite3_exec(*db, "PRAGMA query_only = 1", NULL, NULL, NULL);
    if (rc) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return rc;
}

/* ---- expressions ---- */

/* Whether a name is in a list that ends with a null pointer. */
static bool is_among(const char *const *list, const char *name)
{
    for (; name && *list; list++)
        if (sqlite3_stricmp(*list, name) == 0)
            return true;
    return false;
}

/* Tables that a query may read: a file's own expression the view alone, and through it the others, also those of which
 * it needs no column. */
static bool may_read(bool of_file, const char *table, const char *column, const char *view)
{
    static const char *const of_ours[] = {"results", "pragma_table_info", NULL};
    static const char *const others[] = {"point",     "run",   "override",  "value", "axis",
                                         "objective", "sweep", "statistic", NULL};

    return is_among(of_ours, table) || (is_among(others, table) && (!of_file || view || !column || !*column));
}

/* Why an expression in parentheses is more than one; null: it is none. A comment could hide what is after it. For a
 * query SQLite may count a table's rows at one go, which looks at no allowance. */
static const char *why_not_alone(const char *expression)
{
    int depth = 0;

    for (const char *at = expression; *at;) {
        const char *end = strchr("'\"`[", *at) ? strchr(at + 1, *at == '[' ? ']' : *at) : NULL;
        size_t word = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");

        depth += (*at == '(') - (*at == ')');
        if (strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0 || *at == ';' || (*at == ')' && !depth && at[1]))
            return "more than an expression";
        if (word == 6 && sqlite3_strnicmp(at, "select", 6) == 0)
            return "a query in it";
        at = end ? end + 1 : at + (word ? word : 1);
    }
    return NULL;
}

/* of_file: anything where the expression is the file's own; null: it is the user's. */
static int authorize(void *of_file, int action, const char *a, const char *b, const char *c, const char *view)
{
    static const char *const of_numbers[] = {"abs",   "min",      "max",  "round",  "ceil",   "ceiling", "floor",
                                             "trunc", "mod",      "sign", "sqrt",   "pow",    "power",   "exp",
                                             "ln",    "log",      "log2", "sum",    "avg",    "total",   "count",
                                             "log10", "coalesce", "iif",  "ifnull", "nullif", NULL};

    (void)c;
    switch (action) {
    case SQLITE_READ:
        return may_read(of_file, a, b, view) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA: /* pragma_table_info() */
        return a && strcmp(a, "table_info") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return (of_file ? is_among(of_numbers, b) : !b || strcmp(b, "load_extension") != 0) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_SELECT:
    case SQLITE_TRANSACTION: /* to read as of one moment */
        return SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

void sweep_foreign_restrict(sqlite3 *db)
{
    sqlite3_set_authorizer(db, authorize, NULL);
}

int sweep_foreign_expression(sqlite3 *db, const char *expression, char **why)
{
    char *sql = sqlite3_mprintf("SELECT %s FROM results", expression);
    const char *not_alone = why_not_alone(expression);
    sqlite3_stmt *s = NULL;
    int rc = SQLITE_NOMEM;

    *why = NULL;
    sqlite3_set_authorizer(db, authorize, db);
    if (sql)
        rc = not_alone ? SQLITE_ERROR : sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (rc != SQLITE_OK)
        *why = strdup(not_alone ? not_alone : sweep_sql_why(db));
    sqlite3_finalize(s);
    sqlite3_free(sql);
    sweep_foreign_restrict(db);
    return rc == SQLITE_OK ? 0 : -1;
}
