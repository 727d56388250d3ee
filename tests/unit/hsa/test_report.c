/* Reports of a process: each case is a process of its own, which makes the runtime, runs kernels and ends; what it
 * leaves behind is read by the parent. */
#include "tests/unit/hsa/report_process.h"

#include <glob.h>
#include <sys/statfs.h>

#include "sim/hsa/core/files.h"
#include "sim/hsa/sampling/select.h"
#include "sim/hsa/sinks/report.h"
#include "tests/support/proc.h"

/* Cases -------------------------------------------------------------------------------------------------------------
 */

static void test_select(void **state)
{
    static const char *const wrong[] = {"", "0", "3,", ",3", "3-", "9-7", "a", "3 4", "-3", "3,,4", "1-2-3"};
    char why[300];

    (void)state;
    assert_true(select_read(NULL, NULL, why, sizeof why));
    assert_true(report_wants_timing("k", 1));
    assert_true(select_read(NULL, "3,7-9", why, sizeof why));
    for (uint64_t k = 1; k < 12; k++)
        assert_int_equal(report_wants_timing("k", k), k == 3 || (k >= 7 && k <= 9));
    assert_true(select_read("vadd\\(|^sum", NULL, why, sizeof why));
    assert_true(report_wants_timing("_Z4vaddPKfS0_Pfi", 1));
    assert_true(report_wants_timing("sum_rows", 1));
    assert_false(report_wants_timing("checksum", 1));
    assert_true(select_read("^_Z4", "2", why, sizeof why)); /* both have to hold */
    assert_true(report_wants_timing("_Z4vaddPKfS0_Pfi", 2));
    assert_false(report_wants_timing("_Z4vaddPKfS0_Pfi", 1));
    assert_false(report_wants_timing("k", 2));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_false(select_read(NULL, wrong[k], why, sizeof why));
        assert_non_null(strstr(why, "such as 3,7-9"));
    }
    assert_false(select_read("(", NULL, why, sizeof why));
    assert_non_null(strstr(why, "expected an extended regular expression"));
    assert_true(select_read(NULL, NULL, why, sizeof why));
}

static void init_fails(void)
{
    must(hsa_init() != HSA_STATUS_SUCCESS);
}

static void test_wrong_values(void **state)
{
    static const struct {
        const char *variable, *message;
    } cases[] = {
        {"GCNSIM_REPORT=/nowhere/r.db", "GCNSIM_REPORT: /nowhere/r.db: unable to open database file"},
        {"GCNSIM_REPORT=Makefile", "GCNSIM_REPORT: Makefile: file is not a database"},
        {"GCNSIM_CSV=/nowhere/x", "GCNSIM_CSV: the folder /nowhere/x cannot be made"},
        {"GCNSIM_CSV=Makefile", "cannot be written"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const variables[] = {cases[k].variable, "GCNSIM_ENGINE=timing", NULL};

        assert_int_equal(in_child(init_fails, variables), 0);
        assert_true(logged(cases[k].message));
    }
}

static void three_dispatches(void)
{
    uint64_t object;

    start();
    object = load_vecadd();
    run(object, 128);
    run(object, 128);
    run(object, 192);
}

static void test_report(void **state)
{
    const char *const variables[] = {"GCNSIM_ENGINE=timing", "GCNSIM_DISPATCHES=2-3", "GCNSIM_SET=gpu.cus=8",
                                     variable("GCNSIM_REPORT", db_path), NULL};
    const char *const again[] = {variable("GCNSIM_REPORT", db_path), NULL};
    char rows[4096];

    (void)state;
    assert_int_equal(in_child(three_dispatches, variables), 0);
    assert_rows("SELECT run, engine, ended IS NOT NULL, ended_by, host_seconds > 0, gcnsim FROM run",
                "1 timing 1 - 1 " GCNSIM_VERSION);
    assert_rows("SELECT command_line LIKE '%test_report%' FROM run", "1");
    assert_rows("SELECT path, value FROM setting", "gpu.cus 8");
    assert_rows("SELECT profile, target FROM agent WHERE agent = 1", "gfx90a-mi210 gfx90a");
    assert_rows("SELECT name, demangled, vgprs > 0, sgprs > 0, lds_bytes, wave_size FROM kernel",
                "vecadd vecadd 1 1 0 64");
    assert_rows("SELECT dispatch, agent, kernel, grid_x, workgroup_x, engine, warm, outcome, cycles > 0, "
                "end_ns >= start_ns FROM dispatch",
                "1 1 1 128 64 functional 0 completed - 1 2 1 1 128 64 timing 0 completed 1 1 "
                "3 1 1 192 64 timing 1 completed 1 1");
    assert_rows("SELECT dispatch, waves_done, instructions_total > 0, cache_l2_accesses > 0 FROM counters",
                "1 2.0 1 - 2 2.0 1 1 3 3.0 1 1");
    assert_rows("SELECT count(*) FROM dispatch d JOIN counters c USING (run, dispatch) WHERE d.cycles = c.cycles", "2");
    assert_rows("SELECT unit, value FROM statistics WHERE name = 'waves_done' AND dispatch = 3", "waves 3.0");
    assert_rows("SELECT kernel, calls, share FROM kernels", "vecadd 3 1.0");
    assert_rows(
        "SELECT dispatch, class, share > 0, length(verdict) > 10 FROM limiter JOIN dispatch USING (run, dispatch)"
        " WHERE engine = 'timing'",
        "2 size 1 1 3 size 1 1");
    assert_rows("SELECT count(*) FROM limiter", "2");
    assert_rows("SELECT count(*) > 0, min(count) > 0 FROM memory_instruction WHERE dispatch = 2", "1 1");
    query("SELECT count(*) FROM statistic WHERE description = ''", rows, sizeof rows);
    assert_string_equal(rows, "0");
    assert_true(logged("3 dispatches of 1 kernel on gfx90a-mi210: "));
    /* a second process's run is added, and the file is one file */
    assert_int_equal(in_child(three_dispatches, again), 0);
    assert_rows("SELECT run, engine FROM run", "1 timing 2 functional");
    assert_rows("SELECT run, count(*) FROM dispatch GROUP BY run", "1 3 2 3");
    snprintf(rows, sizeof rows, "%s-wal", db_path);
    assert_int_not_equal(access(rows, F_OK), 0);
}

/* The text of a file of the folder; to be freed. */
static char *text_of(const char *path)
{
    size_t size;
    char *text = read_whole(path, &size);

    text = realloc(text, size + 1);
    text[size] = 0;
    return text;
}

/* Files for dispatches: a report of each that has been chosen, and a list of all. */
static void test_files_of_dispatches(void **state)
{
    char json[96], html[96], path[200];
    const char *const variables[] = {"GCNSIM_ENGINE=timing",          "GCNSIM_DISPATCHES=2-3",
                                     "GCNSIM_SET=gpu.cus=8",          in(json, "json", "GCNSIM_JSON"),
                                     in(html, "html", "GCNSIM_HTML"), NULL};
    char *text, *rows;
    glob_t found;

    (void)state;
    assert_int_equal(in_child(three_dispatches, variables), 0);
    snprintf(path, sizeof path, "%s/*_dispatch_*.json", json);
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    for (unsigned k = 0; k < 2; k++) {
        assert_string_equal(strchr(found.gl_pathv[k], '_'), k ? "_dispatch_3.json" : "_dispatch_2.json");
        text = text_of(found.gl_pathv[k]);
        assert_non_null(strstr(text, k ? "\"waves\": 3," : "\"waves\": 2,"));
        free(text);
    }
    globfree(&found);
    snprintf(path, sizeof path, "%s/index.html", html);
    text = text_of(path);
    snprintf(path, sizeof path, "%s/*_dispatch_*.html", html);
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    globfree(&found);
    rows = strstr(text, "\"dispatches\":[");
    assert_non_null(rows);
    assert_non_null(rows = strstr(rows, "\n[1,\"vecadd\",\"gfx90a\",\"functional\",\"completed\",[128,1,1],[64,1,1],"));
    assert_non_null(rows = strstr(rows, "\n[2,\"vecadd\",\"gfx90a\",\"timing\",\"completed\",[128,1,1],[64,1,1],"));
    assert_non_null(rows = strstr(rows, "\n[3,\"vecadd\",\"gfx90a\",\"timing\",\"completed\",[192,1,1],[64,1,1],"));
    assert_non_null(strstr(rows, "_dispatch_3.html\"]"));
    free(text);
}

static void removes_its_pages(void)
{
    char command[200];

    three_dispatches();
    snprintf(command, sizeof command, "rm -r %s/html", folder);
    must(system(command) == 0);
}

static void test_list_that_cannot_be_written(void **state)
{
    char html[96];
    const char *const variables[] = {"GCNSIM_ENGINE=timing", in(html, "html", "GCNSIM_HTML"), NULL};

    (void)state;
    assert_int_equal(in_child(removes_its_pages, variables), 0);
    assert_true(logged("gcnsim: GCNSIM_HTML: "));
}

static void becomes_another(void)
{
    execl("/proc/self/exe", "a program", "it's", "", "plain", NULL);
    _exit(98);
}

/* The command line in words as a shell takes them. */
static void test_command_line(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};

    (void)state;
    NEED_PROC();
    assert_int_equal(in_child(becomes_another, variables), 0);
    assert_rows("SELECT command_line FROM run", "'a program' 'it's' '' plain");
    assert_rows("SELECT count(*) FROM dispatch", "3");
}

static void shuts_down(void)
{
    three_dispatches();
    must(hsa_shut_down() == HSA_STATUS_SUCCESS);
    shared->noted = logged("3 dispatches of 1 kernel");
}

/* Who shuts the runtime down has its report then, and not again at the end of the process. */
static void test_shut_down(void **state)
{
    const char *const variables[] = {NULL};

    (void)state;
    assert_int_equal(in_child(shuts_down, variables), 0);
    assert_true(shared->noted);
    assert_false(logged("3 dispatches"));
}

/* One kernel in the same way again and again: after the first three, which are timed, some are executed without time.
 */
static void many_dispatches(void)
{
    uint64_t object;

    start();
    object = load_vecadd();
    for (unsigned k = 0; k < 12; k++)
        run(object, 128);
}

static void test_sampled(void **state)
{
    const char *const variables[] = {"GCNSIM_ENGINE=timing", "GCNSIM_SAMPLE=kernels",
                                     variable("GCNSIM_REPORT", db_path), NULL};

    (void)state;
    assert_int_equal(in_child(many_dispatches, variables), 0);
    assert_true(logged(" dispatches timed, of 1 cluster; "));
    assert_rows("SELECT count(*), sum(how = 'timed') < 12, sum(how = 'timed' AND dispatch <= 3) FROM sampled",
                "12 1 3");
    assert_rows("SELECT kernel, grid_x, workgroup_x, dispatches, cycles_per_instruction > 0 FROM cluster",
                "vecadd 128 64 12 1");
    assert_rows("SELECT min(end_ns > start_ns) FROM dispatch", "1");
}

/* One dispatch is simulated again and again in child processes before it runs; the process's own output is as ever. */
static void test_explained(void **state)
{
    char path[96];
    const char *const variables[] = {"GCNSIM_ENGINE=timing", "GCNSIM_SET=gpu.cus=8", "GCNSIM_EXPLAIN=vecadd,2",
                                     in(path, "explained.json", "GCNSIM_EXPLAIN_JSON"), NULL};
    char *text;

    (void)state;
    assert_int_equal(in_child(three_dispatches, variables), 0);
    text = text_of(log_path);
    assert_int_equal(strncmp(text, "gcnsim: dispatch 2, explained:\ngcnsim: vecadd on gfx90a-mi210: ", 63), 0);
    assert_null(strstr(text + 63, "explained:"));
    assert_non_null(strstr(text, "\ngcnsim: remedies\n"));
    assert_non_null(strstr(text, "\ngcnsim: 3 dispatches of 1 kernel on gfx90a-mi210: "));
    free(text);
    text = text_of(path);
    assert_non_null(strstr(text, "\"kernel\": \"vecadd\""));
    free(text);
}

/* Three packets that the queue has, and has been rung for, before it may look at the first: the header of that one
 * comes last. */
static void three_at_once(uint32_t header)
{
    start();
    uint64_t object = load_vecadd(), index[3];
    must(hsa_signal_create(3, 0, NULL, &done) == 0);
    for (int k = 0; k < 3; k++)
        index[k] = prepare(object, 128);
    hand_over(index[2], header);
    hand_over(index[1], header);
    ring(index[2]);
    hand_over(index[0], header);
    await_done(index[2]);
}

static void in_order(void)
{
    three_at_once(1u << HSA_PACKET_HEADER_BARRIER | AGENT_FENCES);
}

static void without_fences(void)
{
    three_at_once(1u << HSA_PACKET_HEADER_BARRIER);
}

static void for_the_system(void)
{
    three_at_once(1u << HSA_PACKET_HEADER_BARRIER | HSA_FENCE_SCOPE_SYSTEM << 9 | HSA_FENCE_SCOPE_SYSTEM << 11);
}

static void in_any_order(void)
{
    three_at_once(AGENT_FENCES);
}

/* With the barrier bit a kernel costs its launch behind the one before it, by its fences; without it, it runs beside
 * that one. At 1700 MHz a ns has 1.7 cycles. */
static void test_gaps(void **state)
{
    static const char sets[] = "GCNSIM_SET=launch.before_ns=300\nlaunch.acquire_ns=50\n"
                               "launch.write_back_ns=70\nlaunch.after_ns=200";
    static const struct {
        void (*run)(void);
        const char *gaps;
        unsigned cycles; /* without the release of the one before: stores on their way may take that a few cycles */
        const char *shown;
    } of[] = {{in_order, "gaps: 1.100 us before 2 ready dispatches, ", 935, ",0.55"},
              {without_fences, "gaps: 1.000 us before 2 ready dispatches, ", 850, ",0.50"},
              {for_the_system, "gaps: 1.240 us before 2 ready dispatches, ", 935, ",0.62"},
              {in_any_order, NULL, 0, ",null,"}};
    char html_path[120], index[160], sql[200];

    (void)state;
    snprintf(html_path, sizeof html_path, "%s/html", folder);
    snprintf(index, sizeof index, "%s/index.html", html_path);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const char *const functional[] = {sets, NULL};
        const char *const timing[] = {sets, "GCNSIM_ENGINE=timing", variable("GCNSIM_REPORT", db_path),
                                      variable("GCNSIM_HTML", html_path), NULL};
        size_t size;

        /* the functional engine's times are nominal, the launches' the profile's */
        assert_int_equal(in_child(of[k].run, functional), 0);
        assert_int_equal(logged(of[k].gaps ? of[k].gaps : "gaps: "), of[k].gaps != NULL);
        assert_int_equal(in_child(of[k].run, timing), 0);
        snprintf(sql, sizeof sql,
                 "SELECT dispatch_gap_cycles - lag(dispatch_release_cycles) OVER (ORDER BY dispatch)"
                 " BETWEEN %u - 1 AND %u + 2 FROM counters ORDER BY dispatch",
                 of[k].cycles, of[k].cycles);
        assert_rows(sql, of[k].cycles ? "- 1 1" : "- - -");
        char *page = read_whole(index, &size);
        page[size - 1] = 0;
        assert_non_null(strstr(page, of[k].shown));
        free(page);
        remove_files(state);
    }
}

static void test_foreign_database(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(db_path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE run (mine)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(in_child(init_fails, variables), 0);
    assert_true(logged("is a database of something else"));
    assert_rows("SELECT count(*) FROM sqlite_master", "1");
    assert_rows("PRAGMA journal_mode", "delete");
}

/* File systems that hosts share ------------------------------------------------------------------------------------ */

static uint32_t file_system; /* the kind that all files are of; 0: their own */

int __real_statfs(const char *path, struct statfs *s);
int __wrap_statfs(const char *path, struct statfs *s);
int __wrap_statfs(const char *path, struct statfs *s)
{
    int failed = __real_statfs(path, s);

    if (!failed && file_system)
        s->f_type = (__typeof__(s->f_type))file_system;
    return failed;
}

enum { NFS = 0x6969, EXT4 = 0xef53 };

static void test_local_file_systems(void **state)
{
    static const uint32_t shared_ones[] = {NFS, 0xff534d42, 0xfe534d42, 0x65735546, 0x0bd00bd0, 0x01021997},
                          local_ones[] = {EXT4, 0x01021994, 0x58465342, 0x9123683e, 0x794c7630, 0x2fc12fc1};
    char none[200];

    (void)state;
    snprintf(none, sizeof none, "%s/none.db", folder);
    for (size_t k = 0; k < 6; k++) {
        file_system = shared_ones[k];
        assert_false(files_is_local(folder) || files_is_local(none) || files_is_local("none.db"));
        file_system = local_ones[k];
        assert_true(files_is_local(folder) && files_is_local(none) && files_is_local("none.db"));
        assert_false(files_is_local("/nowhere/none.db"));
    }
    file_system = 0;
}

static bool is_there(const char *suffix)
{
    char path[200];

    snprintf(path, sizeof path, "%s%s", db_path, suffix);
    return access(path, F_OK) == 0;
}

static void remove_suffix(const char *suffix)
{
    char path[200];

    snprintf(path, sizeof path, "%s%s", db_path, suffix);
    remove(path);
}

static void kills_itself(void)
{
    three_dispatches();
    shared->noted = is_there("-wal");
    raise(SIGKILL);
}

static void run_killed(uint32_t kind)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};
    int status;

    file_system = kind;
    status = in_child(kills_itself, variables);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Without a write-ahead log and its shared memory; what is written is the same, and a killed process leaves it. */
static void test_shared_file_system(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};

    (void)state;
    run_killed(EXT4);
    assert_true(shared->noted && is_there("-wal"));
    assert_rows("SELECT count(*) FROM dispatch", "3");
    run_killed(EXT4); /* leaves a log, which the next one takes over */
    assert_true(is_there("-wal"));
    run_killed(NFS);
    assert_false(shared->noted || is_there("-wal"));
    assert_rows("PRAGMA journal_mode", "delete");
    assert_rows("SELECT run, count(*) FROM dispatch GROUP BY run", "1 3 2 3 3 3");
    remove_suffix("-shm"); /* of the second one: nothing looks at it any more */
    file_system = NFS;
    assert_int_equal(in_child(three_dispatches, variables), 0);
    assert_false(is_there("-journal") || is_there("-wal") || is_there("-shm"));
    assert_rows("SELECT run, count(*) FROM dispatch GROUP BY run", "1 3 2 3 3 3 4 3");
    assert_rows("SELECT count(*) FROM run WHERE ended IS NOT NULL", "1");
    assert_rows("PRAGMA integrity_check", "ok");
    file_system = 0;
}

static void three_processes(void)
{
    pid_t other[2];
    int status;

    for (unsigned k = 0; k < 2; k++)
        if ((other[k] = fork()) == 0) {
            three_dispatches();
            exit(0);
        }
    three_dispatches();
    for (unsigned k = 0; k < 2; k++)
        must(waitpid(other[k], &status, 0) == other[k] && status == 0);
}

/* Processes that write at the same time wait for one another. */
static void test_shared_by_processes(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};

    (void)state;
    file_system = NFS;
    assert_int_equal(in_child(three_processes, variables), 0);
    file_system = 0;
    assert_rows("SELECT count(*), count(ended) FROM run", "3 3");
    assert_rows("SELECT run, count(*) FROM dispatch GROUP BY run", "1 3 2 3 3 3");
    assert_false(logged("rows are lost"));
}

static void killed(void)
{
    three_dispatches();
    raise(SIGKILL);
}

static void test_killed(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), variable("GCNSIM_CSV", csv_path), NULL};
    char *text;
    int status;

    (void)state;
    status = in_child(killed, variables);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_rows("SELECT count(*) FROM dispatch", "3");
    assert_rows("SELECT ended FROM run", "-");
    text = first_csv("kernel_trace");
    assert_non_null(strstr(text, ",3,1,\"vecadd\",3,"));
    free(text);
}

#define TRACE_HEADER                                                                                                   \
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","    \
    "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","     \
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","              \
    "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
#define COUNTER_HEADER                                                                                                 \
    "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","         \
    "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","             \
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"

static void test_csv(void **state)
{
    const char *const variables[] = {"GCNSIM_ENGINE=timing", variable("GCNSIM_CSV", csv_path), "GCNSIM_SUMMARY=0",
                                     NULL};
    char *trace, *counters;

    (void)state;
    assert_int_equal(in_child(three_dispatches, variables), 0);
    trace = first_csv("kernel_trace");
    counters = first_csv("counter_collection");
    assert_memory_equal(trace, TRACE_HEADER, strlen(TRACE_HEADER));
    assert_memory_equal(counters, COUNTER_HEADER, strlen(COUNTER_HEADER));
    assert_non_null(strstr(trace, "\n\"KERNEL_DISPATCH\",\"Agent 1\","));
    assert_non_null(strstr(trace, ",64,1,1,192,1,1\n"));
    assert_non_null(strstr(counters, ",\"SQ_WAVES\",3,"));
    assert_non_null(strstr(counters, ",\"GRBM_GUI_ACTIVE\","));
    assert_non_null(strstr(counters, ",\"TCC_MISS\","));
    assert_non_null(strstr(counters, ",\"stall_cycles.issued\","));
    assert_non_null(strstr(counters, ",\"waves_done\",3,"));
    assert_non_null(strstr(counters, ",\"dispatch.gap_cycles\","));
    free(trace);
    free(counters);
}

/* 40 kernels, of which the first has nearly all of the time. */
static void forty_kernels(void)
{
    char name[120];

    start();
    run(load_vecadd(), 128);
    for (unsigned k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "kernel_%02u_with_a_name_that_is_longer_than_the_line_has_room_for", k);
        report_dispatch(
            &(struct dispatch_record){.kernel = name, .grid = {1, 1, 1}, .end_ns = k ? 1000 : 1000000, .native = true});
    }
}

/* The summary has totals first, then the kernels, each with its verdict below it, in at most 40 lines of 80 columns. */
static void test_summary(void **state)
{
    const char *const variables[] = {"GCNSIM_ENGINE=timing", NULL};
    const char *const details[] = {"GCNSIM_ENGINE=timing", "GCNSIM_DETAILS=1", NULL};
    char line[400];
    const char *order[] = {"41 dispatches of 41 kernels on gfx90a-mi210: ",
                           "results: ",
                           "timing: ",
                           "   share    calls ",
                           "  kernel_00_with_a_name",
                           "  vecadd",
                           "     too small: ",
                           "and 29 more kernels, 2.8 %"};
    size_t found = 0, lines = 0;

    (void)state;
    NEED_PROC(); /* without it a warning comes first, of one long line */
    assert_int_equal(in_child(forty_kernels, variables), 0);
    FILE *f = fopen(log_path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        lines++;
        if (strlen(line) > 81)
            fail_msg("longer than 80 columns: %s", line);
        if (found < sizeof order / sizeof *order && strstr(line, order[found]))
            found++;
    }
    fclose(f);
    assert_true(lines <= 40);
    if (found < sizeof order / sizeof *order)
        fail_msg("expected behind the others: %s", order[found]);
    /* with details all of them, and whole names */
    assert_int_equal(truncate(log_path, 0), 0);
    assert_int_equal(in_child(forty_kernels, details), 0);
    f = fopen(log_path, "r");
    assert_non_null(f);
    for (found = 0; fgets(line, sizeof line, f);) {
        found += strstr(line, "_with_a_name_that_is_longer_than_the_line_has_room_for\n") != NULL;
        assert_null(strstr(line, "more kernel"));
    }
    fclose(f);
    assert_int_equal(found, 40);
}

/* A child of fork() has the exit handlers of its parent, and must not report for it. */
static void forks(void)
{
    pid_t pid;
    int status;

    three_dispatches();
    pid = fork();
    if (pid == 0)
        exit(3);
    must(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3);
    shared->noted = logged("dispatches of");
}

static void test_forked_child(void **state)
{
    const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};

    (void)state;
    assert_int_equal(in_child(forks, variables), 0);
    assert_false(shared->noted);
    assert_true(logged("3 dispatches of 1 kernel"));
    assert_rows("SELECT count(*), ended_by FROM run", "1 -");
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) { /* becomes_another() */
        three_dispatches();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test_teardown(test_wrong_values, remove_files),
        cmocka_unit_test_teardown(test_report, remove_files),
        cmocka_unit_test_teardown(test_files_of_dispatches, remove_files),
        cmocka_unit_test_teardown(test_sampled, remove_files),
        cmocka_unit_test_teardown(test_explained, remove_files),
        cmocka_unit_test_teardown(test_summary, remove_files),
        cmocka_unit_test_teardown(test_gaps, remove_files),
        cmocka_unit_test_teardown(test_foreign_database, remove_files),
        cmocka_unit_test(test_local_file_systems),
        cmocka_unit_test_teardown(test_shared_file_system, remove_files),
        cmocka_unit_test_teardown(test_shared_by_processes, remove_files),
        cmocka_unit_test_teardown(test_killed, remove_files),
        cmocka_unit_test_teardown(test_csv, remove_files),
        cmocka_unit_test_teardown(test_forked_child, remove_files),
        cmocka_unit_test_teardown(test_list_that_cannot_be_written, remove_files),
        cmocka_unit_test_teardown(test_shut_down, remove_files),
        cmocka_unit_test_teardown(test_command_line, remove_files),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
