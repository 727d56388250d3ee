/* Tables of a report (--report), of dispatches that are made up: each row, as a file of tests/unit/hsa/words has it. */
#define _GNU_SOURCE
#include "tests/unit/hsa/sink_fixture.h"

#include <sqlite3.h>

#include "sim/hsa/agents/device.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/sampling/sample.h"
#include "sim/hsa/sinks/report_rows.h"
#include "sim/hsa/sinks/report_schema.h"
#include "sim/hsa/sinks/report_sinks.h"
#include "tests/support/words.h"

static int show_row(void *ctx, int columns, char **values, char **names)
{
    (void)names;
    for (int k = 0; k < columns; k++)
        fprintf(ctx, "%s%s", k ? " | " : "  ", values[k] ? values[k] : "NULL");
    fputc('\n', ctx);
    return 0;
}

static void show(FILE *f, sqlite3 *db, const char *name, const char *sql)
{
    fprintf(f, "%s\n", name);
    if (sqlite3_exec(db, sql, show_row, f, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

/* Tables, and views of them, without what is the host's or the profiles'. */
static char *tables(const char *path)
{
    static const char *const whole[] = {"setting", "kernel",  "dispatch", "memory_instruction", "finding", "limiter",
                                        "sampled", "cluster", "kernels"};
    sqlite3 *db;
    size_t size;
    char *text = NULL, sql[200];
    FILE *f = open_memstream(&text, &size);

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    show(f, db, "run",
         "SELECT run, engine, ended IS NOT NULL, ended_by, host_seconds, started LIKE '20__-__-__T%Z' FROM run");
    show(f, db, "agent",
         "SELECT run, agent, profile, CASE agent WHEN 0 THEN '#' ELSE target END, "
         "CASE agent WHEN 0 THEN '#' ELSE product END FROM agent ORDER BY run, agent");
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        snprintf(sql, sizeof sql, "SELECT * FROM %s", whole[k]);
        show(f, db, whole[k], sql);
    }
    show(f, db, "statistics", "SELECT * FROM statistics ORDER BY run, dispatch, name");
    show(f, db, "counters", "SELECT run, dispatch, kernel, duration_ns, cycles FROM counters ORDER BY run, dispatch");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    fclose(f);
    return text;
}

/* A launch's own facts in the place of those of a result. */
static void make_up(struct gcnsim_result *r, struct gcnsim_stat *stats, size_t count)
{
    static const struct gcnsim_stat of_memory[] = {{.name = "count", .value = 5, .present = 1},
                                                   {.name = "bytes", .value = 320.5, .present = 1},
                                                   {.name = "lines", .value = 9}};
    static const struct gcnsim_memory_instruction memory[] = {
        {.pc = 0x1000, .pc_offset = 0x10, .instruction = "global_load", .stats = of_memory, .stat_count = 3},
        {.pc = 0x1008, .pc_offset = 0x18, .instruction = "ds_read", .stats = of_memory, .stat_count = 1}};
    static const struct gcnsim_finding findings[] = {
        {.rule = "wait.read", .pc_offset = 12, .count = 3, .message = "it is read", .source = "a.hip:7"},
        {.rule = "bounds.page", .pc_offset = 20, .count = 1, .message = "behind"}};
    static const struct gcnsim_limiter limiter = {
        .limit_class = "latency", .resource = "l2", .share = 0.25, .verdict = "it waits"};

    for (size_t k = 0; k < count; k++) { /* the first of all statistics, of which the last is not there */
        assert_int_equal(gcnsim_stat_info((uint32_t)k, &stats[k]), GCNSIM_OK);
        stats[k].value = 10 + (double)k / 4;
        stats[k].present = k + 1 < count;
    }
    r->stats = stats;
    r->stat_count = count;
    r->has_memory_instructions = 1;
    r->memory_instructions = memory;
    r->memory_instruction_count = 2;
    r->findings = findings;
    r->finding_count = 2;
    r->limiter = &limiter;
}

/* Dispatches of two kernels: native, timed, executed and failed ones. */
static void put_dispatches(struct gcnsim_result *r)
{
    struct queue queue = {.number = 3};
    struct report_kernel k[2] = {{.id = 1,
                                  .name = (char *)"_Z1av",
                                  .shown = (char *)"a()",
                                  .info = {.vgprs = 1,
                                           .agprs = 2,
                                           .sgprs = 3,
                                           .vgpr_spill_count = 4,
                                           .sgpr_spill_count = 5,
                                           .group_segment_fixed_size = 6,
                                           .private_segment_fixed_size = 7,
                                           .kernarg_size = 8,
                                           .wavefront_size = 64}},
                                 {.id = 2, .name = (char *)"b", .shown = (char *)"b"}};
    struct dispatch_record d = {.number = 7,
                                .agent = agent_of(gfx1201),
                                .queue = &queue,
                                .grid = {128, 3, 2},
                                .workgroup = {64, 3, 1},
                                .lds_bytes = 513,
                                .scratch_bytes = 40,
                                .kernarg_bytes = 24,
                                .start_ns = 1000,
                                .end_ns = 2500,
                                .native = true,
                                .host_seconds = 0.5};

    k[0].calls = 1;
    sqlite_dispatch(&d, &k[0]);
    d = (struct dispatch_record){.number = 8,
                                 .agent = agent_of(gfx90a),
                                 .timing = true,
                                 .warm_caches = true,
                                 .result = r,
                                 .start_ns = 3000,
                                 .end_ns = 3100,
                                 .sample = {true, true, false, 5, 0, true}};
    k[0].calls = 2;
    sqlite_dispatch(&d, &k[0]);
    r->has_memory_instructions = 0;
    r->limiter = NULL;
    r->finding_count = 0;
    r->stat_count = 1;
    r->outcome = GCNSIM_FAULTED;
    r->message = "it has failed";
    static const struct dispatch_sample samples[] = {
        {false, false, false, 0, 0}, {true, false, true, 0, 99.5}, {true, false, false, 6, 0}};
    static const int outcomes[] = {GCNSIM_FAULTED, GCNSIM_LIMIT, GCNSIM_INTERRUPTED};
    struct gcnsim_stat none = *r->stats;
    none.present = 0;
    for (unsigned n = 0; n < 3; n++) {
        r->outcome = outcomes[n];
        r->message = n ? "" : "it has failed";
        r->stats = &none;
        d = (struct dispatch_record){.number = 9 + n,
                                     .agent = agent_of(gfx90a),
                                     .result = r,
                                     .start_ns = 5000 + n,
                                     .end_ns = 6000 + 7 * n,
                                     .sample = samples[n]};
        k[1].calls = n + 1;
        sqlite_dispatch(&d, &k[1]);
    }
}

static void reports(void **state)
{
    struct gcnsim_result *r = vecadd(1), own = *r;
    struct exec_options *o = &rt_any()->options;
    const char *path = in_folder("r.sqlite");
    struct gcnsim_stat stats[4];
    static const char *sets[] = {"cu.simds=4", "a.path=with=signs"};
    struct option_list before = o->common.sets;
    struct sample_work work = {.instructions = 600};
    struct gcnsim_visit visit = {0x1000, 600};
    const struct sample_key key = {"k", {64, 2, 1}, {32, 1, 1}, 17, 18};
    enum sample_mode mode;
    char why[300];

    (void)state;
    sqlite_dispatch(&(struct dispatch_record){.number = 1}, &(struct report_kernel){.id = 1}); /* into no report */
    sqlite_end("nothing", 1);
    o->common.sets.items = sets;
    o->common.sets.count = 2;
    assert_true(sqlite_open(rt_any(), path, why, sizeof why));
    make_up(r, stats, 4);
    put_dispatches(r);
    struct sampler *s = agent_of(gfx90a)->device->sampler = sampler_new(0);
    o->common.sample_kernels = true;
    work.visit = &visit;
    work.visits = 1;
    work.entry = 0x1000;
    struct sample_class *c = sampler_begin(s, &key, true, &mode);
    assert_int_equal(sampler_timed(s, c, &work, 1200, 0), 1);
    sqlite_end("SIGINT", 12.5);
    char *text = tables(path);
    expect_words("tests/unit/hsa/words", "report_tables", text);
    free(text);
    agent_of(gfx90a)->device->sampler = NULL;
    o->common.sample_kernels = false;
    sampler_free(s);
    o->common.sets = before;
    *r = own;
    gcnsim_result_free(r);
}

/* A file that is something else, or another version's, stays as it is. */
static void files_of_others(void **state)
{
    static const struct {
        const char *sql, *why;
    } rows[] = {{"CREATE TABLE t (x)", "GCNSIM_REPORT: %s is a database of something else; name another file"},
                {"PRAGMA application_id=0x67636e73; PRAGMA user_version=2; CREATE TABLE t (x)",
                 "GCNSIM_REPORT: %s is a report of another version of gcnsim; name another file"},
                {"PRAGMA application_id=5; PRAGMA user_version=1; CREATE TABLE t (x)",
                 "GCNSIM_REPORT: %s is a database of something else; name another file"}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char name[32], why[5000] = "", want[5000];
        sqlite3 *db;

        snprintf(name, sizeof name, "other%zu.sqlite", k);
        const char *path = in_folder(name);
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, rows[k].sql, NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_false(sqlite_open(rt_any(), path, why, sizeof why));
        snprintf(want, sizeof want, rows[k].why, path);
        assert_string_equal(why, want);
    }
    char why[300];
    assert_false(sqlite_open(rt_any(), "/no/folder/r.sqlite", why, sizeof why));
    assert_memory_equal(why, "GCNSIM_REPORT: /no/folder/r.sqlite: ", 36);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_others),
        cmocka_unit_test(reports),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}
