/* The tables of a sweep's results. docs/SWEEP.md describes them for users. */
#ifndef GCNSIM_SWEEP_SCHEMA_H
#define GCNSIM_SWEEP_SCHEMA_H

#define SWEEP_APPLICATION_ID 0x67637377 /* "gcsw": says what the file is */
#define SWEEP_VERSION        1          /* user_version */

static const char sweep_tables[] =
    /* spec, name, folder, gcnsim, created */
    "CREATE TABLE IF NOT EXISTS sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS axis (axis INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " paired_with INTEGER);"
    "CREATE TABLE IF NOT EXISTS objective (objective INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL,"
    " goal TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS point (id INTEGER PRIMARY KEY, ordinal INTEGER, identity TEXT NOT NULL UNIQUE,"
    " launch TEXT NOT NULL, profile TEXT);"
    "CREATE UNIQUE INDEX IF NOT EXISTS point_ordinal ON point (ordinal) WHERE ordinal IS NOT NULL;"
    "CREATE TABLE IF NOT EXISTS override (id INTEGER NOT NULL REFERENCES point, axis INTEGER NOT NULL, value,"
    " PRIMARY KEY (id, axis)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY REFERENCES point, key TEXT NOT NULL, outcome TEXT NOT NULL,"
    " message TEXT, exit_status INTEGER, command TEXT NOT NULL, target TEXT, profile TEXT, gcnsim TEXT, gcnsim_sha256"
    " TEXT, code_sha256 TEXT, profile_sha256 TEXT, host TEXT, worker TEXT, started TEXT, seconds REAL, cpu_seconds "
    "REAL,"
    " peak_bytes INTEGER, attempts INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS statistic (statistic INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " unit TEXT NOT NULL, scope TEXT NOT NULL, description TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS value (id INTEGER NOT NULL REFERENCES point, statistic INTEGER NOT NULL REFERENCES"
    " statistic, value REAL NOT NULL, PRIMARY KEY (id, statistic)) WITHOUT ROWID;";

#endif
