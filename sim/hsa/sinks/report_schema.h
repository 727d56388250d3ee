/* The tables of a report, which docs/ROCM.md describes for users; `run` keeps apart what several processes have written
 * to one file. Views are made anew by each run, because the statistics of gcnsim are their columns. */
#ifndef GCNSIM_HSA_REPORT_SCHEMA_H
#define GCNSIM_HSA_REPORT_SCHEMA_H

#define REPORT_APPLICATION_ID 0x67636e73 /* "gcns": says what the file is */
#define REPORT_VERSION        1          /* user_version */

static const char report_tables[] =
    "CREATE TABLE IF NOT EXISTS run (run INTEGER PRIMARY KEY, gcnsim TEXT NOT NULL, engine TEXT NOT NULL,"
    " command_line TEXT, pid INTEGER NOT NULL, started TEXT NOT NULL, ended TEXT, ended_by TEXT, host_seconds REAL);"
    "CREATE TABLE IF NOT EXISTS setting (run INTEGER NOT NULL REFERENCES run, path TEXT NOT NULL, value TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS agent (run INTEGER NOT NULL REFERENCES run, agent INTEGER NOT NULL, profile TEXT,"
    " target TEXT NOT NULL, product TEXT NOT NULL, PRIMARY KEY (run, agent));"
    "CREATE TABLE IF NOT EXISTS kernel (run INTEGER NOT NULL REFERENCES run, kernel INTEGER NOT NULL,"
    " name TEXT NOT NULL, demangled TEXT NOT NULL, vgprs INTEGER, agprs INTEGER, sgprs INTEGER, vgpr_spills INTEGER,"
    " sgpr_spills INTEGER, lds_bytes INTEGER, scratch_bytes INTEGER, kernarg_bytes INTEGER, wave_size INTEGER,"
    " PRIMARY KEY (run, kernel));"
    "CREATE TABLE IF NOT EXISTS dispatch (run INTEGER NOT NULL REFERENCES run, dispatch INTEGER NOT NULL,"
    " agent INTEGER NOT NULL, queue INTEGER NOT NULL, kernel INTEGER NOT NULL,"
    " grid_x INTEGER, grid_y INTEGER, grid_z INTEGER,"
    " workgroup_x INTEGER, workgroup_y INTEGER, workgroup_z INTEGER,"
    " lds_bytes INTEGER, scratch_bytes INTEGER, kernarg_bytes INTEGER,"
    " start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, cycles REAL, engine TEXT NOT NULL, warm INTEGER NOT NULL,"
    " outcome TEXT NOT NULL, message TEXT, host_seconds REAL, PRIMARY KEY (run, dispatch));"
    "CREATE TABLE IF NOT EXISTS statistic (statistic INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " unit TEXT NOT NULL, scope TEXT NOT NULL, description TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS value (run INTEGER NOT NULL, dispatch INTEGER NOT NULL, statistic INTEGER NOT NULL"
    " REFERENCES statistic, value REAL NOT NULL, PRIMARY KEY (run, dispatch, statistic)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS memory_instruction (run INTEGER NOT NULL, dispatch INTEGER NOT NULL,"
    " pc INTEGER NOT NULL, pc_offset INTEGER NOT NULL, instruction TEXT NOT NULL, count REAL, lines REAL, bytes REAL,"
    " lds_count REAL, bank_conflict_cycles REAL, address_conflict_cycles REAL, PRIMARY KEY (run, dispatch, pc))"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS finding (run INTEGER NOT NULL, dispatch INTEGER NOT NULL, rule TEXT NOT NULL,"
    " pc_offset INTEGER NOT NULL, count INTEGER NOT NULL, message TEXT NOT NULL, source TEXT);"
    "CREATE TABLE IF NOT EXISTS limiter (run INTEGER NOT NULL, dispatch INTEGER NOT NULL, class TEXT NOT NULL,"
    " resource TEXT NOT NULL, share REAL NOT NULL, verdict TEXT NOT NULL, PRIMARY KEY (run, dispatch)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS sampled (run INTEGER NOT NULL, dispatch INTEGER NOT NULL, agent INTEGER NOT NULL,"
    " cluster INTEGER, how TEXT NOT NULL, PRIMARY KEY (run, dispatch)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS cluster (run INTEGER NOT NULL, agent INTEGER NOT NULL, cluster INTEGER NOT NULL,"
    " kernel TEXT NOT NULL, grid_x INTEGER, grid_y INTEGER, grid_z INTEGER,"
    " workgroup_x INTEGER, workgroup_y INTEGER, workgroup_z INTEGER, lds_bytes INTEGER, scratch_bytes INTEGER,"
    " dispatches INTEGER NOT NULL, timed INTEGER NOT NULL, instructions REAL NOT NULL, cycles_per_instruction REAL,"
    " half_interval REAL, PRIMARY KEY (run, agent, cluster)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS wait_node (run INTEGER NOT NULL, node INTEGER NOT NULL, kind TEXT NOT NULL,"
    " name TEXT NOT NULL, thread INTEGER, queue INTEGER, packet INTEGER, dispatch INTEGER, what TEXT, state TEXT,"
    " value INTEGER, goes_on INTEGER NOT NULL, PRIMARY KEY (run, node)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS wait_edge (run INTEGER NOT NULL, node INTEGER NOT NULL, waits_for INTEGER NOT NULL,"
    " how TEXT NOT NULL, condition TEXT, compare INTEGER, mask INTEGER, goes_on INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS wait_cycle (run INTEGER NOT NULL, cycle INTEGER NOT NULL, step INTEGER NOT NULL,"
    " node INTEGER NOT NULL, PRIMARY KEY (run, cycle, step)) WITHOUT ROWID;";

static const char report_views[] =
    "DROP VIEW IF EXISTS statistics;"
    "CREATE VIEW statistics AS SELECT v.run, v.dispatch, k.demangled AS kernel, s.name, s.unit, v.value"
    " FROM value v JOIN statistic s USING (statistic) JOIN dispatch d USING (run, dispatch)"
    " JOIN kernel k ON k.run = d.run AND k.kernel = d.kernel;"
    "DROP VIEW IF EXISTS kernels;"
    "CREATE VIEW kernels AS SELECT d.run, k.demangled AS kernel, count(*) AS calls, sum(d.end_ns - d.start_ns) AS"
    " total_ns, avg(d.end_ns - d.start_ns) AS mean_ns, min(d.end_ns - d.start_ns) AS min_ns,"
    " max(d.end_ns - d.start_ns) AS max_ns, 1.0 * sum(d.end_ns - d.start_ns) /"
    " (SELECT max(1, sum(a.end_ns - a.start_ns)) FROM dispatch a WHERE a.run = d.run) AS share"
    " FROM dispatch d JOIN kernel k ON k.run = d.run AND k.kernel = d.kernel"
    " GROUP BY d.run, d.kernel ORDER BY d.run, total_ns DESC;";

#endif
