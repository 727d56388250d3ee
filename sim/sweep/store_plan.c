/* The points of a results file: those of a spec, and those of other files that are merged into it. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/foreign.h"
#include "sim/sweep/sql.h"
#include "sim/sweep/store.h"
#include "sim/sweep/view.h"
#include "sim/util/json_put.h"
#include "sim/util/text_stream.h"

static int run(struct sweep_store *s, const char *sql, struct err *e)
{
    sqlite3 *db = sweep_store_db(s);

    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sweep_sql_failed(sweep_store_path(s), db, e);
}

static sqlite3_stmt *prepare(struct sweep_store *s, const char *sql, struct err *e)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(sweep_store_db(s), sql, -1, &st, NULL) != SQLITE_OK)
        sweep_sql_failed(sweep_store_path(s), sweep_store_db(s), e);
    return st;
}

static int step(struct sweep_store *s, sqlite3_stmt *st, struct err *e)
{
    int rc = sqlite3_step(st) == SQLITE_DONE ? 0 : sweep_sql_failed(sweep_store_path(s), sweep_store_db(s), e);

    sqlite3_reset(st);
    return rc;
}

/* ---- what the spec says ---- */

static int put_text(struct sweep_store *s, const char *key, const char *value, struct err *e)
{
    sqlite3_stmt *st = prepare(s, "INSERT OR REPLACE INTO sweep VALUES (?,?)", e);
    int rc;

    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, value, -1, SQLITE_STATIC);
    rc = step(s, st, e);
    sqlite3_finalize(st);
    return rc;
}

static int put_axes(struct sweep_store *s, const struct sweep_spec *spec, struct err *e)
{
    static const char *const kinds[] = {"set", "parameter", "argument", "option"};
    sqlite3_stmt *st = prepare(s, "INSERT INTO axis VALUES (?,?,?,?)", e);
    uint32_t columns = sweep_columns(spec), axis, before = UINT32_MAX;
    int rc = st ? 0 : -1;

    for (uint32_t c = 0, first = 0; c < columns && !rc; c++) {
        const struct sweep_part *part = sweep_column(spec, c, &axis);

        if (axis != before)
            first = c;
        before = axis;
        sqlite3_bind_int64(st, 1, c);
        sqlite3_bind_text(st, 2, part->label, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 3, kinds[part->kind], -1, SQLITE_STATIC);
        if (first == c)
            sqlite3_bind_null(st, 4);
        else
            sqlite3_bind_int64(st, 4, first);
        rc = step(s, st, e);
    }
    sqlite3_finalize(st);
    return rc;
}

static int put_objectives(struct sweep_store *s, const struct sweep_spec *spec, struct err *e)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO objective VALUES (?,?,?,?)", e);
    int rc = st ? 0 : -1;

    for (uint32_t k = 0; k < spec->objectives && !rc; k++) {
        sqlite3_bind_int64(st, 1, k);
        sqlite3_bind_text(st, 2, spec->objective[k].name, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 3, spec->objective[k].expression, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 4, spec->objective[k].maximize ? "maximize" : "minimize", -1, SQLITE_STATIC);
        rc = step(s, st, e);
    }
    sqlite3_finalize(st);
    return rc;
}

/* ---- points ---- */

/* What a point is, whatever its number in the spec: {"launch":"a","profile":null,"cu.simds":4}. To be freed. */
static char *identity_of(const struct sweep_spec *spec, const struct sweep_points *p, uint64_t point)
{
    uint32_t columns = sweep_columns(spec), axis;
    const char *profile = sweep_point_profile(p, point);
    struct text_stream t;

    if (!text_stream_open(&t))
        return NULL;
    struct json_put j = {.f = t.f, .compact = true};
    json_put(&j, "{launch: %s, profile: %s", sweep_point_launch(p, point)->name, profile);
    for (uint32_t c = 0; c < columns; c++) {
        const struct sweep_value *v = sweep_point_value(p, point, c);

        json_put(&j, "%s:", sweep_column(spec, c, &axis)->label);
        if (v->is_number)
            fputs(v->text, json_put_raw(&j));
        else
            json_put(&j, "%s", v->text);
    }
    json_put(&j, "}");
    return text_stream_close(&t);
}

static int put_overrides(struct sweep_store *s, sqlite3_stmt *st, sqlite3_int64 id, const struct sweep_spec *spec,
                         const struct sweep_points *p, uint64_t point, struct err *e)
{
    uint32_t columns = sweep_columns(spec);
    int rc = 0;

    for (uint32_t c = 0; c < columns && !rc; c++) {
        const struct sweep_value *v = sweep_point_value(p, point, c);

        sqlite3_bind_int64(st, 1, id);
        sqlite3_bind_int64(st, 2, c);
        if (v->is_number && sweep_is_whole(v->number))
            sqlite3_bind_int64(st, 3, (sqlite3_int64)v->number);
        else if (v->is_number)
            sqlite3_bind_double(st, 3, v->number);
        else
            sqlite3_bind_text(st, 3, v->text, -1, SQLITE_STATIC);
        rc = step(s, st, e);
    }
    return rc;
}

static int put_points(struct sweep_store *s, const struct sweep_spec *spec, const struct sweep_points *p, struct err *e)
{
    sqlite3_stmt *add = prepare(s,
                                "INSERT INTO point (ordinal, identity, launch, profile) VALUES (?,?,?,?) ON CONFLICT "
                                "(identity) DO UPDATE SET ordinal = excluded.ordinal RETURNING id",
                                e);
    sqlite3_stmt *override = add ? prepare(s, "INSERT OR REPLACE INTO override VALUES (?,?,?)", e) : NULL;
    int rc = override ? 0 : -1;

    for (uint64_t k = 0; k < sweep_points_count(p) && !rc; k++) {
        char *identity = identity_of(spec, p, k);
        sqlite3_int64 id = 0;

        if (!identity) {
            rc = err_set(e, ERR_NOMEM, "%s: out of host memory", sweep_store_path(s));
            break;
        }
        sqlite3_bind_int64(add, 1, (sqlite3_int64)k);
        sqlite3_bind_text(add, 2, identity, -1, SQLITE_STATIC);
        sqlite3_bind_text(add, 3, sweep_point_launch(p, k)->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(add, 4, sweep_point_profile(p, k), -1, SQLITE_STATIC);
        if (sqlite3_step(add) == SQLITE_ROW)
            id = sqlite3_column_int64(add, 0);
        rc = sqlite3_step(add) == SQLITE_DONE ? 0 : sweep_sql_failed(sweep_store_path(s), sweep_store_db(s), e);
        sqlite3_reset(add);
        if (!rc)
            rc = put_overrides(s, override, id, spec, p, k, e);
        free(identity);
    }
    sqlite3_finalize(add);
    sqlite3_finalize(override);
    return rc;
}

static int64_t count_of(struct sweep_store *s, const char *sql)
{
    return sweep_sql_number(sweep_store_db(s), sql, 0);
}

static int make_view(struct sweep_store *s, struct err *e)
{
    char *sql = sweep_view_sql(sweep_store_db(s), sweep_store_path(s), "CREATE VIEW results", e);
    int rc = sql ? 0 : -1;

    if (!rc)
        rc = run(s, "DROP VIEW IF EXISTS results", e) || run(s, sql, e) ? -1 : 0;
    free(sql);
    return rc;
}

int sweep_store_plan(struct sweep_store *s, const struct sweep_spec *spec, const struct sweep_points *p, uint64_t *gone,
                     struct err *e)
{
    static const char *const drop = "DELETE FROM override WHERE id IN (SELECT id FROM point WHERE ordinal IS NULL);"
                                    "DELETE FROM value WHERE id IN (SELECT id FROM point WHERE ordinal IS NULL);"
                                    "DELETE FROM run WHERE id IN (SELECT id FROM point WHERE ordinal IS NULL);"
                                    "DELETE FROM point WHERE ordinal IS NULL";
    int rc;

    if (run(s, "BEGIN IMMEDIATE", e))
        return -1;
    rc = run(s, "UPDATE point SET ordinal = NULL; DELETE FROM axis; DELETE FROM objective; DELETE FROM override", e);
    if (!rc)
        rc = put_text(s, "spec", spec->text, e) || put_text(s, "name", spec->name, e) ||
             put_text(s, "folder", spec->folder, e) || put_text(s, "gcnsim", gcnsim_version(), e) ||
             put_axes(s, spec, e) || put_objectives(s, spec, e) || put_points(s, spec, p, e);
    if (!rc) {
        *gone = (uint64_t)count_of(s, "SELECT count(*) FROM point WHERE ordinal IS NULL");
        rc = run(s, drop, e) || make_view(s, e);
    }
    if (rc || run(s, "COMMIT", e)) {
        sqlite3_exec(sweep_store_db(s), "ROLLBACK", NULL, NULL, NULL);
        return -1;
    }
    return 0;
}

/* ---- merging ---- */

/* Results of points that are here, or are no final ones there, do not replace final ones here. */
#define BETTER                                                                                                         \
    "SELECT p.id AS id, q.id AS other FROM other.point q JOIN main.point p USING (identity)"                           \
    " JOIN other.run r ON r.id = q.id LEFT JOIN main.run m ON m.id = p.id"                                             \
    " WHERE m.id IS NULL OR (m.outcome NOT IN " SWEEP_FINAL_OUTCOMES " AND r.outcome IN " SWEEP_FINAL_OUTCOMES ")"

static int take_over(struct sweep_store *s, const char *path, uint64_t *taken, struct err *e)
{
    static const char *const plan =
        "INSERT OR IGNORE INTO main.sweep SELECT * FROM other.sweep;"
        "INSERT OR IGNORE INTO main.axis SELECT * FROM other.axis;"
        "INSERT OR IGNORE INTO main.objective SELECT * FROM other.objective;"
        "INSERT OR IGNORE INTO main.statistic (name, unit, scope, description)"
        " SELECT name, unit, scope, description FROM other.statistic;"
        "INSERT OR IGNORE INTO main.point (ordinal, identity, launch, profile)"
        " SELECT ordinal, identity, launch, profile FROM other.point;"
        "INSERT OR IGNORE INTO main.override SELECT p.id, o.axis, o.value"
        " FROM other.override o JOIN other.point q ON q.id = o.id JOIN main.point p USING (identity);"
        "CREATE TEMP TABLE better AS " BETTER ";"
        "DELETE FROM main.value WHERE id IN (SELECT id FROM better);"
        "INSERT OR REPLACE INTO main.run SELECT b.id, r.key, r.outcome, r.message, r.exit_status, r.command, r.target,"
        " r.profile, r.gcnsim, r.gcnsim_sha256, r.code_sha256, r.profile_sha256, r.host, r.worker, r.started,"
        " r.seconds, r.cpu_seconds, r.peak_bytes, r.attempts FROM better b JOIN other.run r ON r.id = b.other;"
        "INSERT INTO main.value SELECT b.id, m.statistic, v.value FROM better b JOIN other.value v ON v.id = b.other"
        " JOIN other.statistic t ON t.statistic = v.statistic JOIN main.statistic m ON m.name = t.name;";
    int rc = run(s, "BEGIN IMMEDIATE", e);

    if (rc)
        return rc;
    rc = run(s, plan, e);
    /* filters by figures of profiles have made other points of the same spec */
    if (!rc && count_of(s, "SELECT count(*) FROM other.run r JOIN other.point q USING (id) WHERE q.identity NOT IN "
                           "(SELECT identity FROM main.point)"))
        rc = err_set(e, ERR_USAGE,
                     "%s: has points that those before it do not have; expected shards of one sweep, made "
                     "with the same profiles",
                     path);
    if (!rc) {
        *taken = (uint64_t)count_of(s, "SELECT count(*) FROM better");
        rc = run(s, "DROP TABLE better", e) || make_view(s, e);
    }
    if (rc || run(s, "COMMIT", e)) {
        sqlite3_exec(sweep_store_db(s), "ROLLBACK", NULL, NULL, NULL);
        return -1;
    }
    return 0;
}

int sweep_store_merge(struct sweep_store *s, const char *path, uint64_t *taken, struct err *e)
{
    struct sweep_allowance a;
    sqlite3 *other, *db = sweep_store_db(s);
    sqlite3_stmt *attach;
    int rc;

    if (sweep_results_open(&other, &a, path, e)) /* which is data from here on */
        return -1;
    sqlite3_close(other);
    attach = prepare(s, "ATTACH ? AS other", e);
    if (!attach)
        return -1;
    sqlite3_bind_text(attach, 1, path, -1, SQLITE_STATIC);
    rc = step(s, attach, e);
    sqlite3_finalize(attach);
    if (rc)
        return rc;
    sweep_foreign_allow(db, &a, sweep_foreign_bytes(path) + sweep_foreign_bytes(sweep_store_path(s)));
    if (count_of(s, "SELECT (SELECT file FROM pragma_database_list WHERE name = 'main') = (SELECT file FROM "
                    "pragma_database_list WHERE name = 'other')"))
        rc = err_set(e, ERR_USAGE, "%s: merged into itself; expected shards, and another file that takes them", path);
    else if (count_of(
                 s,
                 "SELECT count(*) FROM main.sweep a JOIN other.sweep b USING (key) WHERE key = 'spec' AND a.value <> "
                 "b.value"))
        rc = err_set(e, ERR_USAGE, "%s: results of another spec than those before it; expected shards of one sweep",
                     path);
    if (!rc)
        rc = take_over(s, path, taken, e);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_exec(db, "DETACH other", NULL, NULL, NULL);
    return rc;
}
