/* Files of results: one writer, other versions, plans of specs that change, results that are put and merged. */
#define _GNU_SOURCE
#include "tests/unit/sweep/sweep_unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/foreign.h"
#include "sim/sweep/schema.h"
#include "sim/sweep/store.h"
#include "sim/util/host_time.h"

static struct sweep_allowance allowance; /* of the file that is read */

enum { MAX_STATS = 1024 };

static struct sweep_store *open_store(const char *name, bool exists)
{
    struct sweep_store *store;
    struct err e = {0};

    if (sweep_store_open(&store, in_folder(name), exists, &e))
        fail_msg("%s", e.text);
    return store;
}

static void close_store(struct sweep_store *store)
{
    struct err e = {0};

    if (sweep_store_close(store, &e))
        fail_msg("%s", e.text);
}

static void expect_not_opened(const char *name, bool exists, enum err_code code, const char *message)
{
    struct sweep_store *store = (struct sweep_store *)(uintptr_t)name; /* which becomes null */
    struct err e = {0};

    assert_int_equal(sweep_store_open(&store, in_folder(name), exists, &e), -1);
    assert_null(store);
    if (!strstr(e.text, message))
        fail_msg("%s\n  not: %s", e.text, message);
    assert_int_equal(e.code, code);
}

/* What a query of one number gives. */
static long long ask(struct sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;
    long long n = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (sqlite3_step(st) == SQLITE_ROW)
        n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return n;
}

/* The points of axis n with these values. */
static uint64_t plan(struct sweep_store *store, const char *values)
{
    struct sweep_spec *s;
    struct sweep_points *p;
    struct err e = {0};
    uint64_t gone = 99;
    char more[300];

    snprintf(more, sizeof more, "'axes': [{'parameter': 'n', 'values': [%s]}]", values);
    s = spec_with(more);
    p = points_of(s);
    if (sweep_store_plan(store, s, p, &gone, &e))
        fail_msg("%s", e.text);
    sweep_points_free(p);
    sweep_spec_free(s);
    return gone;
}

static void put_as(struct sweep_store *store, uint64_t point, const char *outcome, const char *key, double cycles)
{
    static bool present[MAX_STATS];
    static double value[MAX_STATS];
    struct sweep_result r = {.outcome = outcome,
                             .key = key,
                             .command = "gcnsim run",
                             .gcnsim = "1",
                             .gcnsim_sha256 = "gcnsim",
                             .host = "h",
                             .worker = "w",
                             .started = "now",
                             .value = value,
                             .present = present};
    struct err e = {0};

    value[0] = cycles; /* the first one of the table */
    present[0] = true;
    if (sweep_store_put(store, point, &r, &e))
        fail_msg("%s", e.text);
}

static void put(struct sweep_store *store, uint64_t point, double cycles)
{
    put_as(store, point, "completed", "key", cycles);
}

/* ---- opening ---- */

static void test_one_writer(void **state)
{
    struct sweep_store *store = open_store("one.sqlite", false);
    char who[80];

    (void)state;
    snprintf(who, sizeof who, "process %ld on ", (long)getpid());
    expect_not_opened("one.sqlite", true, ERR_USAGE, who);
    expect_not_opened("one.sqlite", true, ERR_USAGE, "one.sqlite: ");
    close_store(store);
    assert_int_not_equal(access(in_folder("one.sqlite.lock"), F_OK), 0);
    expect_not_opened("one.sqlite", false, ERR_USAGE, "is there already; expected --resume");
    assert_int_not_equal(access(in_folder("one.sqlite.lock"), F_OK), 0);
    close_store(open_store("one.sqlite", true));
    /* of a process that has not said yet who it is */
    int fd = open(in_folder("one.sqlite.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &whole), 0);
    expect_not_opened("one.sqlite", true, ERR_USAGE, ": another process writes it; expected one process at a time");
    close(fd);
    /* a lock file that a killed process has left locks nothing */
    write_text(in_folder("one.sqlite.lock"), "process 1 on elsewhere\n");
    close_store(open_store("one.sqlite", true));
}

/* Whether a process has that file open. */
static bool has_open(pid_t pid, const char *path)
{
    char folder[40], to[4096];
    struct dirent *entry;
    bool found = false;
    DIR *d;

    snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
    d = opendir(folder);
    while (d && !found && (entry = readdir(d))) {
        ssize_t n = readlinkat(dirfd(d), entry->d_name, to, sizeof to - 1);

        to[n > 0 ? n : 0] = 0;
        found = !strcmp(to, path);
    }
    if (d)
        closedir(d);
    return found;
}

/* A child of a killed process has its lock until it becomes another program. Here it does so once it sees that somebody
 * waits. */
static void test_lock_of_a_killed_process(void **state)
{
    char path[4096], who[160], host[80] = "";
    pid_t reader = getpid(), owner = fork();

    (void)state;
    assert_non_null(realpath(in_folder("."), path));
    snprintf(path + strlen(path), sizeof path - strlen(path), "/killed.sqlite.lock");
    if (!owner) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

        gethostname(host, sizeof host - 1);
        int n = snprintf(who, sizeof who, "process %ld on %s\n", (long)getpid(), host);
        if (fcntl(fd, F_OFD_SETLK, &whole) || write(fd, who, (size_t)n) != n)
            _exit(1);
        if (!fork()) {
            while (!has_open(reader, path) && !kill(reader, 0))
                sched_yield();
            _exit(0);
        }
        kill(getpid(), SIGKILL);
    }
    assert_true(owner > 0);
    assert_int_equal(waitpid(owner, NULL, 0), owner);
    close_store(open_store("killed.sqlite", false));
}

static void test_other_files(void **state)
{
    struct sqlite3 *db;

    (void)state;
    write_text(in_folder("text.sqlite"), "this is a text and no database, and it is long enough to be looked at");
    expect_not_opened("text.sqlite", true, ERR_IO, "expected results of gcnsim sweep");
    assert_int_equal(sqlite3_open(in_folder("other.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL), SQLITE_OK);
    expect_not_opened("other.sqlite", true, ERR_FORMAT, "a SQLite file of something else; expected");
    assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_master"), 1); /* and it stays as it was */
    sqlite3_close(db);
    close_store(open_store("new.sqlite", false));
    assert_int_equal(sqlite3_open(in_folder("new.sqlite"), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL);
    sqlite3_close(db);
    expect_not_opened("new.sqlite", true, ERR_UNSUPPORTED, "results of version 99; expected version 1");
    expect_not_opened("none/x.sqlite", false, ERR_IO, "none/x.sqlite.lock: No such file or directory");
    mkdir(in_folder("folder.sqlite"), 0755);
    expect_not_opened("folder.sqlite", true, ERR_IO, "folder.sqlite: ");
}

static void test_reading(void **state)
{
    struct sqlite3 *db = NULL;
    struct err e = {0};

    (void)state;
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("nothing.sqlite"), &e), -1);
    assert_non_null(strstr(e.text, "No such file"));
    assert_int_not_equal(access(in_folder("nothing.sqlite"), F_OK), 0);
    err_clear(&e);
    write_text(in_folder("empty.sqlite"), "");
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("empty.sqlite"), &e), -1);
    assert_non_null(strstr(e.text, "an empty file; expected"));
    close_store(open_store("read.sqlite", false));
    err_clear(&e);
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("read.sqlite"), &e), 0);
    assert_int_not_equal(sqlite3_exec(db, "DELETE FROM statistic", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Who reads makes a commit wait, and loses nothing; the points go on. */
static void test_reader_beside_a_writer(void **state)
{
    struct sweep_store *store = open_store("both.sqlite", false);
    sqlite3_stmt *reading;
    struct sqlite3 *db;
    struct err e = {0};

    (void)state;
    plan(store, "1, 2, 3");
    put(store, 0, 10);
    assert_int_equal(sweep_store_commit(store, &e), 0);
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("both.sqlite"), &e), 0);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT id FROM point", -1, &reading, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(reading), SQLITE_ROW);
    put(store, 1, 20);
    /* a commit is due, and cannot be */
    assert_int_equal(sweep_store_commit_due(store, host_seconds() + 3600, &e), 0);
    assert_int_equal(ask(db, "SELECT count(*) FROM run"), 1);
    put(store, 2, 30);
    sqlite3_finalize(reading);
    assert_int_equal(sweep_store_commit_due(store, host_seconds() + 7200, &e), 0);
    assert_int_equal(ask(db, "SELECT count(*) FROM run"), 3);
    sqlite3_close(db);
    close_store(store);
}

/* A writer has died in the middle of a transaction: who reads takes back what is half written. */
static void test_half_a_transaction(void **state)
{
    struct sqlite3 *db;
    struct err e = {0};

    (void)state;
    close_store(open_store("dead.sqlite", false));
    pid_t writer = fork();
    if (!writer) {
        sqlite3_open(in_folder("dead.sqlite"), &db);
        bool done = sqlite3_exec(db, "BEGIN IMMEDIATE; DELETE FROM statistic", NULL, NULL, NULL) == SQLITE_OK &&
                    sqlite3_db_cacheflush(db) == SQLITE_OK;
        _exit(!done);
    }
    int status = -1;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    assert_int_equal(access(in_folder("dead.sqlite-journal"), F_OK), 0);
    if (sweep_results_open(&db, &allowance, in_folder("dead.sqlite"), &e))
        fail_msg("%s", e.text);
    assert_true(ask(db, "SELECT count(*) FROM statistic") > 100);
    assert_int_not_equal(access(in_folder("dead.sqlite-journal"), F_OK), 0);
    sqlite3_close(db);
}

/* Some tool has given the results a write-ahead log: they are written without one again, and nothing is lost. */
static void test_write_ahead_log_of_others(void **state)
{
    static const char mode[] = "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'";
    struct sweep_store *store = open_store("log.sqlite", false);
    struct sqlite3 *db;
    struct err e = {0};

    (void)state;
    plan(store, "1, 2");
    put(store, 0, 10);
    close_store(store);
    assert_int_equal(sqlite3_open(in_folder("log.sqlite"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA journal_mode = WAL; INSERT INTO sweep VALUES ('more', '')", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(ask(db, mode), 1);
    sqlite3_close(db);
    store = open_store("log.sqlite", true);
    put(store, 1, 20);
    assert_int_equal(sweep_store_commit(store, &e), 0);
    assert_int_not_equal(access(in_folder("log.sqlite-wal"), F_OK), 0);
    assert_int_not_equal(access(in_folder("log.sqlite-shm"), F_OK), 0);
    close_store(store);
    assert_int_equal(sweep_results_open(&db, &allowance, in_folder("log.sqlite"), &e), 0);
    assert_int_equal(ask(db, mode), 0);
    assert_int_equal(ask(db, "SELECT count(*) FROM run"), 2);
    sqlite3_close(db);
}

/* ---- plans ---- */

static void test_plan_of_a_spec_that_changes(void **state)
{
    struct sweep_store *store = open_store("plan.sqlite", false);
    struct sqlite3 *db = sweep_store_db(store);
    struct err e = {0};

    (void)state;
    assert_int_equal(plan(store, "1, 2, 3"), 0);
    for (uint64_t k = 0; k < 3; k++)
        put(store, k, (double)(10 * (k + 1)));
    assert_int_equal(sweep_store_commit(store, &e), 0);
    assert_int_equal(ask(db, "SELECT cycles FROM results WHERE n = 3"), 30);
    /* 3 is another point's number now, and 1 is gone */
    assert_int_equal(plan(store, "3, 2, 4, 'x'"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM results"), 4);
    assert_int_equal(ask(db, "SELECT point FROM results WHERE n = 3"), 0);
    assert_int_equal(ask(db, "SELECT cycles FROM results WHERE n = 3"), 30);
    assert_int_equal(ask(db, "SELECT cycles FROM results WHERE n = 2"), 20);
    assert_int_equal(ask(db, "SELECT cycles IS NULL FROM results WHERE n = 4"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM results WHERE n = 'x'"), 1);
    assert_int_equal(ask(db, "SELECT (SELECT count(*) FROM value) + (SELECT count(*) FROM run)"), 4);
    assert_int_equal(ask(db, "SELECT count(*) FROM override"), 4);
    assert_int_equal(sweep_store_has(store, 0, "key", "gcnsim", false), SWEEP_THERE);
    assert_int_equal(sweep_store_has(store, 2, "key", "gcnsim", false), SWEEP_MISSING);
    close_store(store);
}

/* A part of a plan that cannot be put is an error, whatever can be put after it, and the plan before it stays. */
static void test_plan_that_fails(void **state)
{
    static const char *const parts[] = {
        "sweep WHEN new.key = 'spec'",     "axis WHEN new.axis = 0",     "objective WHEN new.objective = 0",
        "override WHEN new.value = 'two'", "point WHEN new.ordinal = 1",
    };
    struct sweep_store *store = open_store("fails.sqlite", false);
    struct sqlite3 *db = sweep_store_db(store);
    struct sweep_spec *s = spec_with("'axes': [{'parameter': 'a', 'values': [1, 2]}, {'parameter': 'b', 'values': "
                                     "['one', 'two']}], 'objectives': ['cycles', 'a']");
    struct sweep_points *p = points_of(s);

    (void)state;
    plan(store, "1, 2, 3");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        struct err e = {0};
        uint64_t gone;
        char sql[200];

        snprintf(sql, sizeof sql,
                 "CREATE TEMP TRIGGER full BEFORE INSERT ON main.%s BEGIN SELECT RAISE(ABORT, 'no space'); END",
                 parts[k]);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        if (!sweep_store_plan(store, s, p, &gone, &e))
            fail_msg("%s: a plan", parts[k]);
        assert_string_equal(strrchr(e.text, '/'), "/fails.sqlite: no space");
        assert_int_equal(sqlite3_exec(db, "DROP TRIGGER full", NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(ask(db, "SELECT sum(n) FROM results"), 6);
        assert_int_equal(ask(db, "SELECT count(*) FROM objective"), 0);
    }
    sweep_points_free(p);
    sweep_spec_free(s);
    close_store(store);
}

/* What changes in step with another says so, and what stands alone does not. */
static void test_paired_axes(void **state)
{
    struct sweep_store *store = open_store("paired.sqlite", false);
    struct sweep_spec *s = spec_with("'axes': [{'parameter': 'a', 'values': [1]}, {'paired': [{'parameter': 'b', "
                                     "'values': [1]}, {'parameter': 'c', 'values': [2]}]}, {'parameter': 'd', "
                                     "'values': [1]}]");
    struct sweep_points *p = points_of(s);
    struct err e = {0};
    uint64_t gone;

    (void)state;
    assert_int_equal(sweep_store_plan(store, s, p, &gone, &e), 0);
    assert_int_equal(ask(sweep_store_db(store), "SELECT group_concat(axis, '') FROM axis WHERE paired_with IS NULL"),
                     13);
    assert_int_equal(ask(sweep_store_db(store), "SELECT sum(10 * axis + paired_with) FROM axis"), 21);
    sweep_points_free(p);
    sweep_spec_free(s);
    close_store(store);
}

static void test_what_is_there(void **state)
{
    static const char *const final[] = {"completed", "faulted", "limit", "refused"};
    static const char *const other[] = {"interrupted", "killed", "timeout", "lost", "failed"};
    struct sweep_store *store = open_store("there.sqlite", false);

    (void)state;
    plan(store, "1, 2");
    assert_int_equal(sweep_store_has(store, 0, "key", "gcnsim", false), SWEEP_MISSING);
    for (size_t k = 0; k < 4; k++) {
        put_as(store, 0, final[k], "key", 1);
        assert_true(sweep_outcome_is_final(final[k]));
        assert_int_equal(sweep_store_has(store, 0, "key", "gcnsim", false), SWEEP_THERE);
        assert_int_equal(sweep_store_has(store, 0, "key", "gcnsim", true), k ? SWEEP_MISSING : SWEEP_THERE);
        assert_int_equal(sweep_store_has(store, 0, "other key", "gcnsim", false), SWEEP_CHANGED);
        assert_int_equal(sweep_store_has(store, 0, "other key", "another", false), SWEEP_OTHER_GCNSIM);
        assert_int_equal(sweep_store_has(store, 1, "key", "gcnsim", false), SWEEP_MISSING);
    }
    for (size_t k = 0; k < 5; k++) {
        put_as(store, 0, other[k], "key", 1);
        assert_false(sweep_outcome_is_final(other[k]));
        assert_int_equal(sweep_store_has(store, 0, "key", "gcnsim", false), SWEEP_MISSING);
    }
    assert_int_equal(ask(sweep_store_db(store), "SELECT attempts FROM run"), 9);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM value"), 1);
    close_store(store);
}

/* A point whose values could not be put is none that has been run, also after a commit. */
static void test_half_a_result(void **state)
{
    struct sweep_store *store = open_store("half.sqlite", false);
    struct sqlite3 *db = sweep_store_db(store);
    struct sweep_result r = {.outcome = "completed", .key = "k", .command = "c"};
    static bool present[MAX_STATS] = {true, true};
    static double value[MAX_STATS];
    struct err e = {0};

    (void)state;
    plan(store, "1, 2");
    put(store, 0, 10);
    assert_int_equal(sweep_store_commit(store, &e), 0);
    r.present = present;
    r.value = value;
    sqlite3_exec(db,
                 "CREATE TEMP TRIGGER full BEFORE INSERT ON main.value WHEN new.statistic = 2 BEGIN SELECT "
                 "RAISE(ABORT, 'no space'); END",
                 NULL, NULL, NULL);
    assert_int_equal(sweep_store_put(store, 1, &r, &e), -1);
    assert_non_null(strstr(e.text, "half.sqlite: no space"));
    close_store(store);
    store = open_store("half.sqlite", true);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM run"), 1);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM value"), 1);
    close_store(store);
}

static void test_unknown_point(void **state)
{
    struct sweep_store *store = open_store("unknown.sqlite", false);
    struct sweep_result r = {.outcome = "completed", .key = "k", .command = "c"};
    struct err e = {0};

    (void)state;
    plan(store, "1");
    assert_int_equal(sweep_store_put(store, 7, &r, &e), -1);
    assert_non_null(strstr(e.text, "there is no point 7; expected"));
    close_store(store);
}

/* ---- merging ---- */

static void make_shard(const char *name, const char *values, uint64_t from, uint64_t to, const char *outcome)
{
    struct sweep_store *store = open_store(name, false);

    plan(store, values);
    for (uint64_t k = from; k < to; k++)
        put_as(store, k, outcome, "key", (double)(100 + k));
    close_store(store);
}

static void test_merge(void **state)
{
    struct sweep_store *store;
    struct err e = {0};
    uint64_t taken = 0;

    (void)state;
    make_shard("s0.sqlite", "1, 2, 3, 4", 0, 2, "completed");
    make_shard("s1.sqlite", "1, 2, 3, 4", 2, 4, "completed");
    make_shard("s2.sqlite", "1, 2, 3, 4", 0, 4, "killed");
    store = open_store("all.sqlite", false);
    assert_int_equal(sweep_store_merge(store, in_folder("s0.sqlite"), &taken, &e), 0);
    assert_int_equal(taken, 2);
    /* what is no result fills gaps, and takes no result's place; results take its place */
    assert_int_equal(sweep_store_merge(store, in_folder("s2.sqlite"), &taken, &e), 0);
    assert_int_equal(taken, 2);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM results WHERE outcome = 'killed'"), 2);
    assert_int_equal(sweep_store_merge(store, in_folder("s1.sqlite"), &taken, &e), 0);
    assert_int_equal(taken, 2);
    assert_int_equal(sweep_store_merge(store, in_folder("s1.sqlite"), &taken, &e), 0);
    assert_int_equal(taken, 0);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM results WHERE outcome = 'completed'"), 4);
    assert_int_equal(ask(sweep_store_db(store), "SELECT cycles FROM results WHERE n = 4"), 103);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM value"), 4);
    close_store(store);
}

static void expect_no_merge(const char *into, const char *of, enum err_code code, const char *message)
{
    struct sweep_store *store = open_store(into, true);
    struct err e = {0};
    uint64_t taken;

    assert_int_equal(sweep_store_merge(store, in_folder(of), &taken, &e), -1);
    if (!strstr(e.text, message) || e.code != code)
        fail_msg("%s\n  not: %s", e.text, message);
    close_store(store);
}

static int no_transactions(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_TRANSACTION ? SQLITE_DENY : SQLITE_OK;
}

static void test_merge_that_cannot_begin(void **state)
{
    struct sweep_store *store;
    struct err e = {0};
    uint64_t taken;

    (void)state;
    make_shard("b0.sqlite", "1, 2", 0, 1, "completed");
    make_shard("b1.sqlite", "1, 2", 1, 2, "completed");
    store = open_store("b0.sqlite", true);
    sqlite3_set_authorizer(sweep_store_db(store), no_transactions, NULL);
    assert_int_equal(sweep_store_merge(store, in_folder("b1.sqlite"), &taken, &e), -1);
    assert_string_equal(strrchr(e.text, '/'), "/b0.sqlite: not authorized");
    sqlite3_set_authorizer(sweep_store_db(store), NULL, NULL);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM run"), 1);
    close_store(store);
}

static void test_what_is_not_merged(void **state)
{
    struct sqlite3 *db;

    (void)state;
    make_shard("m0.sqlite", "1, 2", 0, 1, "completed");
    make_shard("m1.sqlite", "1, 3", 0, 1, "completed");
    make_shard("m2.sqlite", "1, 2", 1, 2, "completed");
    write_text(in_folder("garbage.sqlite"), "garbage that is no database, whatever it may be called by its owner");
    expect_no_merge("m0.sqlite", "m1.sqlite", ERR_USAGE, "results of another spec");
    expect_no_merge("m0.sqlite", "m0.sqlite", ERR_USAGE, "merged into itself");
    expect_no_merge("m0.sqlite", "garbage.sqlite", ERR_IO, "garbage.sqlite: ");
    expect_no_merge("m0.sqlite", "none.sqlite", ERR_IO, "No such file");
    /* the same spec with other points, as another figure of a profile makes them */
    assert_int_equal(sqlite3_open(in_folder("m2.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE point SET identity = 'x' WHERE ordinal = 1", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    expect_no_merge("m0.sqlite", "m2.sqlite", ERR_USAGE, "has points that those before it do not have");
    assert_int_equal(sqlite3_open(in_folder("m0.sqlite"), &db), SQLITE_OK);
    assert_int_equal(ask(db, "SELECT count(*) FROM run"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM point"), 2);
    sqlite3_close(db);
}

/* The view has every statistic of gcnsim as a column. */
static void test_view(void **state)
{
    struct sweep_store *store = open_store("view.sqlite", false);
    struct gcnsim_stat stat;
    uint32_t count = 0;

    (void)state;
    plan(store, "1");
    while (gcnsim_stat_info(count, &stat) == 0)
        count++;
    assert_true(count < MAX_STATS);
    assert_int_equal(ask(sweep_store_db(store), "SELECT count(*) FROM pragma_table_info('results') JOIN statistic "
                                                "USING (name)"),
                     count);
    assert_int_equal(ask(sweep_store_db(store), "PRAGMA application_id"), SWEEP_APPLICATION_ID);
    close_store(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_writer),
        cmocka_unit_test(test_lock_of_a_killed_process),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_reader_beside_a_writer),
        cmocka_unit_test(test_half_a_transaction),
        cmocka_unit_test(test_write_ahead_log_of_others),
        cmocka_unit_test(test_plan_of_a_spec_that_changes),
        cmocka_unit_test(test_plan_that_fails),
        cmocka_unit_test(test_what_is_there),
        cmocka_unit_test(test_half_a_result),
        cmocka_unit_test(test_unknown_point),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_that_cannot_begin),
        cmocka_unit_test(test_what_is_not_merged),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_paired_axes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
