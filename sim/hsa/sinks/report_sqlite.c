/* The report as a SQLite file.
 *
 * Each dispatch is a transaction of its own. The journal is a write-ahead log that is not synced, so that one costs a
 * few writes and a process that is killed leaves all of them (the next who opens the file takes them over); a host that
 * loses power may lose the file. Processes may share a file: each writes a run of its own.
 *
 * A write-ahead log has an index in memory that the processes share, so it is for processes of one host alone, and not
 * for network file systems (sqlite.org/wal.html). On these the journal is a rollback journal: what is written is the
 * same, but who reads keeps writers waiting.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hsa/core/files.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/sampling/sample.h"
#include "sim/hsa/sinks/report_rows.h"
#include "sim/hsa/sinks/report_schema.h"
#include "sim/hsa/sinks/report_sinks.h"

#define BUSY_MS            10000 /* of a process that waits for another's write */
#define COMMAND_LINE_BYTES 65536

enum { ADD_KERNEL, ADD_DISPATCH, ADD_VALUE, ADD_MEMORY, ADD_FINDING, ADD_LIMITER, ADD_SAMPLE, ADD_CLUSTER, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    "INSERT INTO kernel VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO dispatch VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO value VALUES (?,?,?,?)",
    "INSERT OR IGNORE INTO memory_instruction VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    "INSERT INTO finding VALUES (?,?,?,?,?,?,?)",
    "INSERT INTO limiter VALUES (?,?,?,?,?,?)",
    "INSERT INTO sampled VALUES (?,?,?,?,?)",
    "INSERT OR REPLACE INTO cluster VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
};

static sqlite3 *db;
static sqlite3_stmt *statement[STATEMENTS];
static sqlite3_int64 run;
static int64_t *statistic_id; /* by index in gcnsim's table */
static uint32_t statistics;

static bool failed(const char *path, char *why, size_t n)
{
    snprintf(why, n, "GCNSIM_REPORT: %s: %s", path, db ? sqlite3_errmsg(db) : "out of host memory");
    sqlite3_close_v2(db);
    db = NULL;
    return false;
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

/* One row by a statement that is not kept; ints first, then texts. */
static bool add(const char *sql, const uint64_t *ints, int int_count, const char *const *words, int word_count)
{
    sqlite3_stmt *s;
    struct row r;
    bool done;

    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        return false;
    r = row_begin(s);
    for (int k = 0; k < int_count; k++)
        put_int(&r, ints[k]);
    for (int k = 0; k < word_count; k++)
        put_text(&r, words[k]);
    done = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return done;
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

static int64_t query_int(const char *sql)
{
    sqlite3_stmt *s;
    int64_t v = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        return -1;
    if (sqlite3_step(s) == SQLITE_ROW)
        v = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return v;
}

/* The process's command line, words with a blank in quotes; without /proc its first word. */
static char *command_line(void)
{
    char *raw = malloc(COMMAND_LINE_BYTES), *text = NULL;
    size_t size = 0;
    ssize_t got = -1;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    FILE *f = open_memstream(&text, &size);

    if (fd >= 0 && raw)
        got = read(fd, raw, COMMAND_LINE_BYTES - 1);
    if (fd >= 0)
        close(fd);
    for (ssize_t k = 0; f && k < got; k += (ssize_t)strlen(raw + k) + 1) {
        raw[got] = 0;
        const char *quote = raw[k] && !strpbrk(raw + k, " \t\n'\"") ? "" : "'";
        fprintf(f, "%s%s%s%s", k ? " " : "", quote, raw + k, quote);
    }
    free(raw);
    if (f && got < 0)
        fputs(program_invocation_name, f);
    if (f)
        fclose(f);
    return text;
}

static bool add_run(const struct runtime *r)
{
    char *line = command_line();
    const char *words[] = {gcnsim_version(), exec_is_timing(&r->options) ? "timing" : "functional", line};
    uint64_t pid = (uint64_t)getpid();
    bool done = add("INSERT INTO run (pid, gcnsim, engine, command_line, started)"
                    " VALUES (?,?,?,?, strftime('%Y-%m-%dT%H:%M:%fZ','now'))",
                    &pid, 1, words, 3);

    run = sqlite3_last_insert_rowid(db);
    free(line);
    return done;
}

static bool add_settings(const struct exec_options *o)
{
    const uint64_t ints[] = {(uint64_t)run};
    bool done = true;

    for (size_t k = 0; k < o->common.sets.count && done; k++) {
        const char *one = o->common.sets.items[k], *equals = strchr(one, '=');
        char *path = strndup(one, (size_t)(equals - one));
        const char *words[] = {path, equals + 1};

        done = path && add("INSERT INTO setting VALUES (?,?,?)", ints, 1, words, 2);
        free(path);
    }
    return done;
}

static bool add_agents(const struct runtime *r)
{
    bool done = true;

    for (uint32_t k = 0; k < r->agents && done; k++) {
        const struct agent *a = &r->agent[k];
        const char *profile = a->device && a->device->sim ? gcnsim_profile_name(a->device->sim) : NULL;
        const char *words[] = {profile, a->name, a->product};
        const uint64_t ints[] = {(uint64_t)run, k};

        done = add("INSERT INTO agent VALUES (?,?,?,?,?)", ints, 2, words, 3);
    }
    return done;
}

static bool add_statistics(void)
{
    struct gcnsim_stat s;

    while (gcnsim_stat_info(statistics, &s) == GCNSIM_OK)
        statistics++;
    statistic_id = calloc(statistics, sizeof *statistic_id);
    for (uint32_t k = 0; statistic_id && k < statistics; k++) {
        gcnsim_stat_info(k, &s);
        const char *words[] = {s.name, s.unit, s.scope, s.description};
        if (!add("INSERT OR IGNORE INTO statistic (name, unit, scope, description) VALUES (?,?,?,?)", NULL, 0, words,
                 4))
            return false;
        char *sql = sqlite3_mprintf("SELECT statistic FROM statistic WHERE name = %Q", s.name);
        statistic_id[k] = sql ? query_int(sql) : -1;
        sqlite3_free(sql);
        if (statistic_id[k] < 0)
            return false;
    }
    return statistic_id != NULL;
}

/* The name of a statistic as a column: dots become underscores. */
static void put_column(FILE *f, const char *name)
{
    fputc('"', f);
    for (; *name; name++)
        fputc(*name == '.' || *name == '"' ? '_' : *name, f);
    fputc('"', f);
}

/* A view with a row for each dispatch, and all statistics as columns. */
static bool make_counters(void)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&sql, &size);
    struct gcnsim_stat s;

    if (!f)
        return false;
    fputs("DROP VIEW IF EXISTS counters; CREATE VIEW counters AS SELECT d.run, d.dispatch, k.demangled AS kernel,"
          " d.end_ns - d.start_ns AS duration_ns",
          f);
    for (uint32_t k = 0; gcnsim_stat_info(k, &s) == GCNSIM_OK; k++) {
        fprintf(f,
                ", (SELECT value FROM value v WHERE v.run = d.run AND v.dispatch = d.dispatch AND v.statistic = %lld)"
                " AS ",
                (long long)statistic_id[k]);
        put_column(f, s.name);
    }
    fputs(" FROM dispatch d JOIN kernel k ON k.run = d.run AND k.kernel = d.kernel;", f);
    fclose(f);
    bool done = sql && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    free(sql);
    return done;
}

/* Whether the file is new, or a report of this version; another's is left alone. */
static bool may_claim(const char *path, char *why, size_t n)
{
    int64_t id = query_int("PRAGMA application_id"), version = query_int("PRAGMA user_version");
    int64_t tables = query_int("SELECT count(*) FROM sqlite_master");

    if (id < 0 || tables < 0)
        return failed(path, why, n);
    if (tables == 0 || (id == REPORT_APPLICATION_ID && version == REPORT_VERSION))
        return true;
    snprintf(why, n, "GCNSIM_REPORT: %s is %s; name another file", path,
             id == REPORT_APPLICATION_ID ? "a report of another version of gcnsim" : "a database of something else");
    sqlite3_close_v2(db);
    db = NULL;
    return false;
}

static bool claim(const char *path, char *why, size_t n)
{
    char sql[100];

    if (!may_claim(path, why, n)) /* another process may have made it meanwhile */
        return false;
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", REPORT_APPLICATION_ID,
             REPORT_VERSION);
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(path, why, n);
}

static bool prepare(void)
{
    for (int k = 0; k < STATEMENTS; k++)
        if (sqlite3_prepare_v3(db, texts[k], -1, SQLITE_PREPARE_PERSISTENT, &statement[k], NULL) != SQLITE_OK)
            return false;
    return true;
}

/* Where hosts may share the file it is opened exclusively at first, so that a log which a killed process has left is
 * taken over without shared memory; the journal is cut short after each transaction, which is less work for a server
 * than to remove it. */
static bool set_journal(const char *path, char *why, size_t n)
{
    const char *first = "", *then = "PRAGMA journal_mode=WAL";

    if (!files_is_local(path)) {
        first = "PRAGMA locking_mode=EXCLUSIVE";
        then = "PRAGMA journal_mode=TRUNCATE; PRAGMA locking_mode=NORMAL";
    }
    if (sqlite3_exec(db, first, NULL, NULL, NULL) != SQLITE_OK)
        return failed(path, why, n);
    return may_claim(path, why, n) && (sqlite3_exec(db, then, NULL, NULL, NULL) == SQLITE_OK || failed(path, why, n));
}

bool sqlite_open(const struct runtime *r, const char *path, char *why, size_t n)
{
    statistics = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, NULL) !=
        SQLITE_OK)
        return failed(path, why, n);
    sqlite3_busy_timeout(db, BUSY_MS);
    if (!set_journal(path, why, n))
        return false;
    if (sqlite3_exec(db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return failed(path, why, n);
    if (!claim(path, why, n))
        return false;
    if (sqlite3_exec(db, report_tables, NULL, NULL, NULL) != SQLITE_OK || !add_run(r) || !add_settings(&r->options) ||
        !add_agents(r) || !add_statistics() || !make_counters() ||
        sqlite3_exec(db, report_views, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK || !prepare())
        return failed(path, why, n);
    return true;
}

/* Dispatches ------------------------------------------------------------------------------------------------------- */

static void put_kernel(const struct report_kernel *k)
{
    const struct gcnsim_kernel_info *i = &k->info;
    const uint32_t numbers[] = {i->vgprs,
                                i->agprs,
                                i->sgprs,
                                i->vgpr_spill_count,
                                i->sgpr_spill_count,
                                i->group_segment_fixed_size,
                                i->private_segment_fixed_size,
                                i->kernarg_size,
                                i->wavefront_size};
    struct row r = row_begin(statement[ADD_KERNEL]);

    put_int(&r, (uint64_t)run);
    put_int(&r, k->id);
    put_text(&r, k->name);
    put_text(&r, k->shown);
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
        put_int(&r, numbers[j]);
    row_end(&r);
}

static const char *outcome(const struct gcnsim_result *result)
{
    static const char *const names[] = {"completed", "faulted", "limit", "interrupted"};

    return names[result ? result->outcome : GCNSIM_COMPLETED];
}

static void put_dispatch(const struct dispatch_record *d, const struct report_kernel *k)
{
    struct row r = row_begin(statement[ADD_DISPATCH]);
    double cycles;

    put_int(&r, (uint64_t)run);
    put_int(&r, d->number);
    put_int(&r, d->agent->index);
    put_int(&r, d->queue ? d->queue->number : 0);
    put_int(&r, k->id);
    for (unsigned j = 0; j < 3; j++)
        put_int(&r, d->grid[j]);
    for (unsigned j = 0; j < 3; j++)
        put_int(&r, d->workgroup[j]);
    put_int(&r, d->lds_bytes);
    put_int(&r, d->scratch_bytes);
    put_int(&r, d->kernarg_bytes);
    put_int(&r, d->start_ns);
    put_int(&r, d->end_ns);
    if (d->result && gcnsim_result_stat(d->result, "cycles", &cycles) == GCNSIM_OK)
        put_real(&r, cycles);
    else if (d->sample.cycles > 0)
        put_real(&r, d->sample.cycles);
    else
        put_null(&r);
    put_text(&r, d->native ? "host" : d->timing ? "timing" : d->sample.cycles > 0 ? "estimate" : "functional");
    put_int(&r, d->warm_caches);
    put_text(&r, outcome(d->result));
    put_text(&r, d->result && *d->result->message ? d->result->message : NULL);
    put_real(&r, d->host_seconds);
    row_end(&r);
}

static void put_values(const struct dispatch_record *d)
{
    size_t n = d->result->stat_count < statistics ? d->result->stat_count : statistics;

    for (size_t j = 0; j < n; j++) {
        const struct gcnsim_stat *s = &d->result->stats[j];
        struct row r = row_begin(statement[ADD_VALUE]);

        if (!s->present)
            continue;
        put_int(&r, (uint64_t)run);
        put_int(&r, d->number);
        put_int(&r, (uint64_t)statistic_id[j]);
        put_real(&r, s->value);
        row_end(&r);
    }
}

static void put_memory_instructions(const struct dispatch_record *d)
{
    static const char *const names[] = {
        "count", "lines", "bytes", "lds_count", "bank_conflict_cycles", "address_conflict_cycles"};

    for (size_t j = 0; d->result->has_memory_instructions && j < d->result->memory_instruction_count; j++) {
        const struct gcnsim_memory_instruction *m = &d->result->memory_instructions[j];
        struct row r = row_begin(statement[ADD_MEMORY]);
        double v;

        put_int(&r, (uint64_t)run);
        put_int(&r, d->number);
        put_int(&r, m->pc);
        put_int(&r, m->pc_offset);
        put_text(&r, m->instruction);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (gcnsim_memory_instruction_stat(m, names[i], &v) == GCNSIM_OK)
                put_real(&r, v);
            else
                put_null(&r);
        row_end(&r);
    }
}

static void put_limiter(const struct dispatch_record *d)
{
    const struct gcnsim_limiter *l = d->result->limiter;
    struct row r = row_begin(statement[ADD_LIMITER]);

    if (!l)
        return;
    put_int(&r, (uint64_t)run);
    put_int(&r, d->number);
    put_text(&r, l->limit_class);
    put_text(&r, l->resource);
    put_real(&r, l->share);
    put_text(&r, l->verdict);
    row_end(&r);
}

static void put_sample(const struct dispatch_record *d)
{
    const struct dispatch_sample *s = &d->sample;
    struct row r = row_begin(statement[ADD_SAMPLE]);

    if (!s->sampled)
        return;
    put_int(&r, (uint64_t)run);
    put_int(&r, d->number);
    put_int(&r, d->agent->index);
    if (s->cluster)
        put_int(&r, s->cluster);
    else
        put_null(&r);
    put_text(&r, s->in_part ? "timed_in_part" : s->timed ? "timed" : s->warmed ? "warmed" : "executed");
    row_end(&r);
}

/* A cluster as it is now, in the place of what was there before. agent: its index. */
static void put_cluster(void *ctx, const struct sample_cluster_info *i)
{
    const uint32_t *agent = ctx;
    struct row r = row_begin(statement[ADD_CLUSTER]);

    put_int(&r, (uint64_t)run);
    put_int(&r, *agent);
    put_int(&r, i->number);
    put_text(&r, i->key->kernel);
    for (unsigned k = 0; k < 3; k++)
        put_int(&r, i->key->grid[k]);
    for (unsigned k = 0; k < 3; k++)
        put_int(&r, i->key->workgroup[k]);
    put_int(&r, i->key->lds_bytes);
    put_int(&r, i->key->scratch_bytes);
    put_int(&r, i->dispatches);
    put_int(&r, i->timed);
    put_real(&r, i->instructions);
    for (unsigned k = 0; k < 2; k++)
        if (i->cost > 0)
            put_real(&r, k ? i->half : i->cost);
        else
            put_null(&r);
    row_end(&r);
}

static void put_findings(const struct dispatch_record *d)
{
    for (size_t j = 0; j < d->result->finding_count; j++) {
        const struct gcnsim_finding *f = &d->result->findings[j];
        struct row r = row_begin(statement[ADD_FINDING]);

        put_int(&r, (uint64_t)run);
        put_int(&r, d->number);
        put_text(&r, f->rule);
        put_int(&r, f->pc_offset);
        put_int(&r, f->count);
        put_text(&r, f->message);
        put_text(&r, f->source);
        row_end(&r);
    }
}

/* Rows that are written together, in one transaction. */
static bool begin_rows(void)
{
    if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK)
        return true;
    rt_log_once("sqlite", "GCNSIM_REPORT: rows are lost: %s", sqlite3_errmsg(db));
    return false;
}

static void end_rows(void)
{
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return;
    rt_log_once("sqlite", "GCNSIM_REPORT: rows are lost: %s", sqlite3_errmsg(db));
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
}

void sqlite_dispatch(const struct dispatch_record *d, const struct report_kernel *k)
{
    if (!db || !begin_rows())
        return;
    if (k->calls == 1)
        put_kernel(k);
    put_dispatch(d, k);
    if (d->result) {
        put_values(d);
        put_memory_instructions(d);
        put_findings(d);
        put_limiter(d);
        put_sample(d);
    }
    end_rows();
}

void sqlite_waits(const struct waits *w)
{
    if (!db || !begin_rows())
        return;
    sqlite_put_waits(db, run, w);
    end_rows();
}

static void put_clusters(void)
{
    const struct runtime *r = rt_any();

    if (!r || !r->options.common.sample_kernels || !begin_rows())
        return;
    for (uint32_t k = 0; k < r->agents; k++)
        if (r->agent[k].device && r->agent[k].device->sampler)
            sampler_each(r->agent[k].device->sampler, put_cluster, &k);
    end_rows();
}

void sqlite_end(const char *how, double host_seconds)
{
    sqlite3_stmt *s;

    if (!db)
        return;
    if (sqlite3_prepare_v2(db,
                           "UPDATE run SET ended = strftime('%Y-%m-%dT%H:%M:%fZ','now'), ended_by = ?,"
                           " host_seconds = ? WHERE run = ?",
                           -1, &s, NULL) == SQLITE_OK) {
        struct row r = row_begin(s);
        put_text(&r, how);
        put_real(&r, host_seconds);
        put_int(&r, (uint64_t)run);
        row_end(&r);
        sqlite3_finalize(s);
    }
    put_clusters();
    /* one file, not three; where another process has it open, the last of them does this */
    sqlite3_exec(db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
}
