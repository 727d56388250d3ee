/* The file of a sweep's results: opened, locked, planned and filled. */
#define _GNU_SOURCE
#include "sim/sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/foreign.h"
#include "sim/sweep/schema.h"
#include "sim/sweep/sql.h"
#include "sim/util/host_time.h"

#define COMMIT_SECONDS 1.0
#define RETRY_SECONDS  0.1 /* new readers wait for a commit that waits for old ones */
#define BUSY_MS        10000
#define LOOK_NS        5000000

enum { PUT_RUN, PUT_VALUE, CLEAR_VALUES, HAS_RUN, FIND_POINT, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    ("INSERT OR REPLACE INTO run SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
     "?18,"
     " 1 + coalesce((SELECT attempts FROM run r WHERE r.id = point.id), 0) FROM point WHERE ordinal = ?1"),
    "INSERT INTO value VALUES (?,?,?)",
    "DELETE FROM value WHERE id = ?",
    "SELECT r.outcome, r.key, r.gcnsim_sha256 FROM run r JOIN point p USING (id) WHERE p.ordinal = ?",
    "SELECT id FROM point WHERE ordinal = ?",
};

struct sweep_store {
    sqlite3 *db;
    char *path, *lock_path;
    int lock;
    sqlite3_stmt *statement[STATEMENTS];
    sqlite3_int64 *statistic; /* rows of gcnsim's statistics, by their index */
    uint32_t statistics;
    bool in_transaction;
    double since;
};

bool sweep_outcome_is_final(const char *outcome)
{
    return strcmp(outcome, "completed") == 0 || strcmp(outcome, "faulted") == 0 || strcmp(outcome, "limit") == 0 ||
           strcmp(outcome, "refused") == 0;
}

static int failed(struct sweep_store *s, struct err *e)
{
    return sweep_sql_failed(s->path, s->db, e);
}

static int execute(struct sweep_store *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(s, e);
}

/* ---- opening ---- */

/* Whether the file that is locked is the one of that name still: its last owner removes it. */
static bool is_current(const struct sweep_store *s)
{
    struct stat locked, named;

    return fstat(s->lock, &locked) == 0 && stat(s->lock_path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

/* The text of a lock file, before the name of the host. */
#define OWNER "process %ld on "

/* Whether the process that a lock file names has ended. */
static bool is_gone(const char *who)
{
    char host[80] = "";
    long pid = 0;
    int at = 0;

    gethostname(host, sizeof host - 1);
    return sscanf(who, OWNER "%n", &pid, &at) == 1 && at && pid > 0 && !strcmp(who + at, host) &&
           kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Takes the lock. False with errno: another has it. A killed process's may last a little longer, by a child that it had
 * started and that has not become another program yet. */
static bool lock_whole(int fd, char *who, size_t size)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    double until = host_seconds() + BUSY_MS * 1e-3;

    while (fcntl(fd, F_OFD_SETLK, &whole)) {
        int why = errno;
        ssize_t n = pread(fd, who, size - 1, 0);

        who[n > 0 ? n : 0] = 0;
        who[strcspn(who, "\n")] = 0;
        if ((why != EAGAIN && why != EACCES) || !is_gone(who) || host_seconds() > until) {
            errno = why;
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return true;
}

static int open_lock(struct sweep_store *s, struct err *e)
{
    char who[160] = "";

    s->lock = open(s->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return err_set(e, ERR_IO, "%s: %s", s->lock_path, strerror(errno));
    if (lock_whole(s->lock, who, sizeof who))
        return 0;
    if (errno != EAGAIN && errno != EACCES)
        return err_set(e, ERR_IO, "%s: cannot be locked (%s); expected results on a file system that has locks",
                       s->lock_path, strerror(errno));
    return err_set(e, ERR_USAGE, "%s: %s writes it; expected one process at a time", s->path,
                   *who ? who : "another process");
}

/* One writer: a lock of the operating system on a file beside it, which goes with its process. The file says who. */
static int take_lock(struct sweep_store *s, struct err *e)
{
    char who[160], host[80] = "";

    for (;;) {
        if (open_lock(s, e))
            return -1;
        if (is_current(s))
            break;
        close(s->lock);
    }
    gethostname(host, sizeof host - 1);
    int n = snprintf(who, sizeof who, OWNER "%s\n", (long)getpid(), host);
    if (ftruncate(s->lock, 0) != 0 || pwrite(s->lock, who, (size_t)n, 0) != n)
        return err_set(e, ERR_IO, "%s: %s", s->lock_path, strerror(errno));
    return 0;
}

/* Another version's file may have others, or the same ones in another order. */
static int add_statistics(struct sweep_store *s, struct err *e)
{
    struct gcnsim_stat stat;
    sqlite3_stmt *add, *find;
    int rc = 0;

    while (gcnsim_stat_info(s->statistics, &stat) == 0)
        s->statistics++;
    s->statistic = calloc(s->statistics, sizeof *s->statistic);
    if (!s->statistic)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", s->path);
    if (sqlite3_prepare_v2(s->db, "INSERT OR IGNORE INTO statistic (name, unit, scope, description) VALUES (?,?,?,?)",
                           -1, &add, NULL) != SQLITE_OK)
        return failed(s, e);
    if (sqlite3_prepare_v2(s->db, "SELECT statistic FROM statistic WHERE name = ?", -1, &find, NULL) != SQLITE_OK)
        rc = failed(s, e);
    for (uint32_t k = 0; k < s->statistics && !rc; k++) {
        gcnsim_stat_info(k, &stat);
        sqlite3_bind_text(add, 1, stat.name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 2, stat.unit, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 3, stat.scope, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(add, 4, stat.description, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(find, 1, stat.name, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(add) != SQLITE_DONE || sqlite3_step(find) != SQLITE_ROW)
            rc = failed(s, e);
        else
            s->statistic[k] = sqlite3_column_int64(find, 0);
        sqlite3_reset(add);
        sqlite3_reset(find);
    }
    sqlite3_finalize(add);
    sqlite3_finalize(find);
    return rc;
}

static int set_up(struct sweep_store *s, struct err *e)
{
    char pragmas[200];

    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d", SWEEP_APPLICATION_ID,
             SWEEP_VERSION);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    /* whoever has given the file a write-ahead log since, which network file systems do not have */
    sweep_foreign_harden(s->db);
    if (sweep_foreign_check(s->db, s->path, true, e) || execute(s, "PRAGMA journal_mode = DELETE", e) ||
        execute(s, "BEGIN IMMEDIATE", e) || execute(s, pragmas, e) || execute(s, sweep_tables, e) ||
        add_statistics(s, e) || execute(s, "COMMIT", e))
        return -1;
    for (int k = 0; k < STATEMENTS; k++)
        if (sqlite3_prepare_v3(s->db, texts[k], -1, SQLITE_PREPARE_PERSISTENT, &s->statement[k], NULL) != SQLITE_OK)
            return failed(s, e);
    return 0;
}

int sweep_store_open(struct sweep_store **out, const char *path, bool exists, struct err *e)
{
    struct sweep_store *s = calloc(1, sizeof *s);
    int rc;

    *out = NULL;
    if (!s)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    s->lock = -1;
    s->path = strdup(path);
    if (!s->path || asprintf(&s->lock_path, "%s.lock", path) < 0) {
        free(s->path);
        free(s);
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    }
    rc = take_lock(s, e);
    if (!rc && !exists && access(path, F_OK) == 0)
        rc = err_set(e, ERR_USAGE,
                     "%s: is there already; expected --resume, which runs what is missing or changed, or "
                     "another file",
                     path);
    if (!rc)
        rc = sweep_foreign_journal(path, e);
    if (!rc && sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        rc = failed(s, e);
    if (!rc)
        rc = set_up(s, e);
    if (rc) {
        sweep_store_close(s, NULL);
        return rc;
    }
    *out = s;
    return 0;
}

int sweep_store_close(struct sweep_store *s, struct err *e)
{
    int rc = 0;

    if (!s)
        return 0;
    if (s->db)
        rc = sweep_store_commit(s, e);
    s->in_transaction = false;
    for (int k = 0; k < STATEMENTS; k++)
        sqlite3_finalize(s->statement[k]);
    if (s->db && sqlite3_close(s->db) != SQLITE_OK && !rc)
        rc = failed(s, e);
    if (s->lock >= 0) {
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

        /* ours to remove, unless somebody else holds it */
        if (fcntl(s->lock, F_OFD_SETLK, &whole) == 0)
            unlink(s->lock_path);
        close(s->lock);
    }
    free(s->statistic);
    free(s->path);
    free(s->lock_path);
    free(s);
    return rc;
}

sqlite3 *sweep_store_db(struct sweep_store *s)
{
    return s->db;
}

const char *sweep_store_path(const struct sweep_store *s)
{
    return s->path;
}

/* ---- results ---- */

static int begin(struct sweep_store *s, struct err *e)
{
    if (s->in_transaction)
        return 0;
    if (execute(s, "BEGIN IMMEDIATE", e))
        return -1;
    s->in_transaction = true;
    s->since = host_seconds();
    return 0;
}

/* A partial result must not be committed: the transaction goes, and the error of *e stays. */
static int undo(struct sweep_store *s, struct err *e)
{
    failed(s, e);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->in_transaction = false;
    return -1;
}

int sweep_store_commit(struct sweep_store *s, struct err *e)
{
    if (!s->in_transaction)
        return 0;
    if (sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return undo(s, e);
    s->in_transaction = false;
    return 0;
}

int sweep_store_commit_due(struct sweep_store *s, double now, struct err *e)
{
    if (!s->in_transaction || now - s->since < COMMIT_SECONDS)
        return 0;
    /* readers may be there for as long as they like; the points must not wait for them */
    sqlite3_busy_timeout(s->db, 0);
    int code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (code == SQLITE_BUSY) {
        s->since = now + RETRY_SECONDS - COMMIT_SECONDS;
        return 0;
    }
    if (code != SQLITE_OK)
        return undo(s, e);
    s->in_transaction = false;
    return 0;
}

enum sweep_there sweep_store_has(struct sweep_store *s, uint64_t point, const char *key, const char *gcnsim_sha256,
                                 bool retry)
{
    sqlite3_stmt *st = s->statement[HAS_RUN];
    enum sweep_there there = SWEEP_MISSING;

    sqlite3_bind_int64(st, 1, (sqlite3_int64)point);
    if (sqlite3_step(st) == SQLITE_ROW) {
        const char *outcome = (const char *)sqlite3_column_text(st, 0), *of = (const char *)sqlite3_column_text(st, 1),
                   *by = (const char *)sqlite3_column_text(st, 2);

        if (!outcome || !(retry ? strcmp(outcome, "completed") == 0 : sweep_outcome_is_final(outcome)))
            there = SWEEP_MISSING;
        else if (of && strcmp(of, key) == 0)
            there = SWEEP_THERE;
        else
            there = by && strcmp(by, gcnsim_sha256) == 0 ? SWEEP_CHANGED : SWEEP_OTHER_GCNSIM;
    }
    sqlite3_reset(st);
    return there;
}

static int put_values(struct sweep_store *s, sqlite3_int64 id, const struct sweep_result *r, struct err *e)
{
    sqlite3_stmt *clear = s->statement[CLEAR_VALUES], *put = s->statement[PUT_VALUE];
    int rc = 0;

    sqlite3_bind_int64(clear, 1, id);
    if (sqlite3_step(clear) != SQLITE_DONE)
        rc = failed(s, e);
    sqlite3_reset(clear);
    for (uint32_t k = 0; r->value && k < s->statistics && !rc; k++) {
        if (!r->present[k] || isnan(r->value[k]))
            continue;
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_int64(put, 2, s->statistic[k]);
        sqlite3_bind_double(put, 3, r->value[k]);
        if (sqlite3_step(put) != SQLITE_DONE)
            rc = failed(s, e);
        sqlite3_reset(put);
    }
    return rc;
}

static int put_run(struct sweep_store *s, uint64_t point, const struct sweep_result *r, struct err *e)
{
    sqlite3_stmt *st = s->statement[PUT_RUN];
    int at = 1, rc = 0;

    sqlite3_bind_int64(st, at++, (sqlite3_int64)point);
    const char *const first[] = {r->key, r->outcome, r->message};
    for (size_t k = 0; k < 3; k++)
        sqlite3_bind_text(st, at++, first[k], -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, at++, r->exit_status);
    const char *const then[] = {r->command,     r->target,         r->profile, r->gcnsim, r->gcnsim_sha256,
                                r->code_sha256, r->profile_sha256, r->host,    r->worker, r->started};
    for (size_t k = 0; k < sizeof then / sizeof then[0]; k++)
        sqlite3_bind_text(st, at++, then[k], -1, SQLITE_STATIC);
    sqlite3_bind_double(st, at++, r->seconds);
    sqlite3_bind_double(st, at++, r->cpu_seconds);
    sqlite3_bind_int64(st, at++, (sqlite3_int64)r->peak_bytes);
    if (sqlite3_step(st) != SQLITE_DONE)
        rc = failed(s, e);
    sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc;
}

int sweep_store_put(struct sweep_store *s, uint64_t point, const struct sweep_result *r, struct err *e)
{
    sqlite3_stmt *find = s->statement[FIND_POINT];
    sqlite3_int64 id = -1;

    if (begin(s, e))
        return -1;
    sqlite3_bind_int64(find, 1, (sqlite3_int64)point);
    if (sqlite3_step(find) == SQLITE_ROW)
        id = sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
    if (id < 0)
        return err_set(e, ERR_FORMAT, "%s: there is no point %" PRIu64 "; expected those of the spec", s->path, point);
    if (put_run(s, point, r, e) || put_values(s, id, r, e))
        return undo(s, e);
    return sweep_store_commit_due(s, host_seconds(), e);
}
