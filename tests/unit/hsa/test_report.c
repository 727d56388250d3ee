/* Reports of a process: each case is a process of its own, which makes the runtime, runs kernels and ends in some way;
 * what it leaves behind is read by the parent. */
#include "tests/support/proc.h"
#include "tests/unit/hsa/code_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>

#include "sim/hsa/core/files.h"
#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/sampling/select.h"
#include "sim/hsa/signals/orphan_signals.h"
#include "sim/hsa/signals/signal.h"
#include "sim/hsa/sinks/report.h"

/* Its processes end with their queues, as programs of HIP do; what hangs on memory that was mapped counts as a leak. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

static char folder[48], db_path[96], csv_path[96];

/* The process under test --------------------------------------------------------------------------------------------
 */

static hsa_agent_t gpu;
static hsa_queue_t *queue;
static hsa_signal_t done, endless; /* of the dispatch; to which the kernel without an end stores 1 */
static volatile struct {
    bool runs;  /* the kernel without an end */
    bool noted; /* what a case is to find out */
} * shared;     /* with the parent */

static hsa_status_t find_gpu(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;

    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU)
        gpu = agent;
    return HSA_STATUS_SUCCESS;
}

static void must(bool holds)
{
    if (!holds)
        _exit(99);
}

static void start(void)
{
    must(hsa_init() == HSA_STATUS_SUCCESS);
    must(hsa_iterate_agents(find_gpu, NULL) == HSA_STATUS_SUCCESS);
    must(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) == 0);
}

static uint64_t kernel_object(hsa_executable_t x, const char *name)
{
    must(hsa_executable_freeze(x, NULL) == 0);
    return symbol_u64(symbol_of(x, name, &gpu), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
}

static uint64_t load_vecadd(void)
{
    hsa_executable_t x = new_executable();

    must(load_file(x, gpu, VECADD) == 0);
    return kernel_object(x, "vecadd.kd");
}

/* Code words are of llvm-mc 19. */
static uint64_t load_code(uint32_t flags, const uint32_t *code, size_t bytes)
{
    hsa_executable_t x = new_executable();
    struct toy t;

    toy_init(&t, flags, 3);
    memcpy(t.bytes + TOY_TEXT, code, bytes);
    must(load_bytes(x, gpu, t.bytes, sizeof t.bytes, NULL) == 0);
    return kernel_object(x, "k.kd");
}

/* A kernel that stores 1 to a signal and branches to itself. */
static uint64_t load_forever(void)
{
    volatile hsa_signal_value_t *value = NULL;

    must(hsa_signal_create(0, 0, NULL, &endless) == 0 && hsa_amd_signal_value_pointer(endless, &value) == 0);
    const uint64_t flag = (uintptr_t)value;
    const uint32_t code[] = {
        0xbe8000ff, (uint32_t)flag,         /* s_mov_b32 s0, flag */
        0xbe8100ff, (uint32_t)(flag >> 32), /* s_mov_b32 s1, flag >> 32 */
        0x7e000200, 0x7e020201,             /* v_mov_b32 v0, s0; v_mov_b32 v1, s1 */
        0x7e040281,                         /* v_mov_b32 v2, 1 */
        0xdc708000, 0x007f0200,             /* global_store_dword v[0:1], v2, off */
        0xbf82ffff                          /* s_branch -1 */
    };

    return load_code(GFX90A, code, sizeof code);
}

#define AGENT_FENCES (HSA_FENCE_SCOPE_AGENT << 9 | HSA_FENCE_SCOPE_AGENT << 11)

/* A packet of a kernel that does nothing for its arguments, which are zeros, to complete `done`, but for its header;
 * returns its index. */
static uint64_t prepare(uint64_t object, uint32_t items)
{
    static uint8_t *kernarg;
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *p = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;

    if (!kernarg)
        kernarg = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(hsa_memory_register(kernarg, 4096) == 0);
    p->workgroup_size_x = 64;
    p->workgroup_size_y = p->workgroup_size_z = p->grid_size_y = p->grid_size_z = 1;
    p->grid_size_x = items;
    p->private_segment_size = 0;
    p->group_segment_size = 0;
    p->kernel_object = object;
    p->kernarg_address = kernarg;
    p->completion_signal = done;
    return index;
}

static void hand_over(uint64_t index, uint32_t header)
{
    __atomic_store_n((uint32_t *)((hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size),
                     HSA_PACKET_TYPE_KERNEL_DISPATCH | header | 1u << 16, __ATOMIC_RELEASE);
}

static void ring(uint64_t last)
{
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)last);
}

static void await_done(uint64_t last)
{
    ring(last);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* Starts one and waits for its end. */
static void run(uint64_t object, uint32_t items)
{
    must(hsa_signal_create(1, 0, NULL, &done) == 0);
    uint64_t index = prepare(object, items);
    hand_over(index, AGENT_FENCES);
    await_done(index);
}

/* Runs `body` in a child with the environment's variables "NAME=VALUE"; returns its wait status. */
static int in_child(void (*body)(void), const char *const *variables)
{
    int status = -1;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        /* test programs have handlers (tests/support/program.c) */
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        setenv("GCNSIM_ARCH", "gfx90a", 1);
        setenv("GCNSIM_LOG", log_path, 1);
        for (; *variables; variables++)
            putenv((char *)(uintptr_t)*variables);
        body();
        exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* What it has left --------------------------------------------------------------------------------------------------
 */

static void query(const char *sql, char *out, size_t n)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    size_t at = 0;

    assert_int_equal(sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    *out = 0;
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int k = 0; k < sqlite3_column_count(s) && at < n; k++) {
            const char *text = (const char *)sqlite3_column_text(s, k);
            at += (size_t)snprintf(out + at, n - at, "%s%s", at ? " " : "", text ? text : "-");
        }
    sqlite3_finalize(s);
    sqlite3_close(db);
}

/* The rows, columns separated by blanks. */
#define assert_rows(SQL, EXPECTED)                                                                                     \
    do {                                                                                                               \
        char rows_[2048];                                                                                              \
        query(SQL, rows_, sizeof rows_);                                                                               \
        assert_string_equal(rows_, EXPECTED);                                                                          \
    } while (0)

static char *first_csv(const char *suffix)
{
    char command[200], path[200] = "";
    size_t size;
    char *text;

    snprintf(command, sizeof command, "ls %s/*_%s.csv", csv_path, suffix);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(path, sizeof path, f));
    pclose(f);
    path[strcspn(path, "\n")] = 0;
    text = read_whole(path, &size);
    text = realloc(text, size + 1);
    text[size] = 0;
    return text;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/gcnsim-test-report-%ld", (long)getpid());
    snprintf(db_path, sizeof db_path, "%s/r.db", folder);
    snprintf(csv_path, sizeof csv_path, "%s/csv", folder);
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return mkdir(folder, 0777) != 0 || shared == MAP_FAILED;
}

static int remove_files(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    shared->runs = 0;
    shared->noted = false;
    return system(command) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* A variable with a path. */
static const char *variable(const char *name, const char *path)
{
    static char texts[4][160];
    static unsigned next;
    char *text = texts[next++ % 4];

    snprintf(text, sizeof texts[0], "%s=%s", name, path);
    return text;
}

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

static void *note_run(void *act)
{
    hsa_signal_wait_scacquire(endless, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    shared->runs = true;
    if (act)
        ((void (*)(void))(uintptr_t)act)();
    return NULL;
}

/* Another thread calls `act` (null: nothing) when the kernel runs. */
static void never_ends_but(void (*act)(void))
{
    pthread_t thread;

    start();
    run(load_vecadd(), 128);
    uint64_t forever = load_forever();
    must(pthread_create(&thread, NULL, note_run, (void *)(uintptr_t)act) == 0);
    run(forever, 64);
}

static void never_ends(void)
{
    never_ends_but(NULL);
}

/* The limit is one that leaves the kernel the time to begin, on this machine. */
static void test_max_wall(void **state)
{
    static const char *const engines[] = {"GCNSIM_ENGINE=functional", "GCNSIM_ENGINE=timing"};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        char limit[40], line[100];

        shared->runs = false;
        for (unsigned seconds = 1; !shared->runs; seconds *= 2) {
            snprintf(limit, sizeof limit, "GCNSIM_MAX_WALL=%u.5", seconds);
            snprintf(line, sizeof line, "GCNSIM_MAX_WALL: the program has run for %u.5 s and ends here", seconds);
            remove(db_path);
            int status =
                in_child(never_ends, (const char *[]){engines[k], limit, variable("GCNSIM_REPORT", db_path), NULL});

            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), 124);
            assert_true(logged(line));
        }
        assert_rows("SELECT dispatch, outcome FROM dispatch", "1 completed 2 interrupted");
        assert_rows("SELECT ended_by FROM run", "GCNSIM_MAX_WALL");
        assert_int_equal(unlink(db_path), 0);
    }
}

static void give_up(hsa_status_t status, hsa_queue_t *of, void *data)
{
    (void)status, (void)of, (void)data;
    hsa_signal_store_screlease(done, 0);
}

/* Ends by itself when its kernel cannot. */
static void deadlocks(void)
{
    static const uint32_t code[] = {0xbf94ffff, 0xbfb00000}; /* s_barrier_wait -1; s_endpgm */

    start();
    must(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, give_up, NULL, UINT32_MAX, UINT32_MAX, &queue) == 0);
    run(load_code(GFX1201, code, sizeof code), 64);
}

/* A fault in which waves wait says which and for what. */
static void test_deadlock(void **state)
{
    const char *variables[] = {"GCNSIM_ARCH=gfx1201", NULL, NULL};

    (void)state;
    assert_int_equal(in_child(deadlocks, variables), 0);
    assert_true(logged("gcnsim: dispatch 1, kernel k, did not end:\nResident waves after 1 instructions\n"
                       "  workgroups    0 done, 1 resident, 0 not started; 1 wave resident\n"
                       "  1 wave of 1 workgroup: barrier\n"));
    variables[1] = "GCNSIM_SUMMARY=0";
    assert_int_equal(in_child(deadlocks, variables), 0);
    assert_false(logged("Resident waves"));
}

static void send_interrupt(void)
{
    kill(getpid(), SIGINT);
}

static void send_termination(void)
{
    kill(getpid(), SIGTERM);
}

static void send_abort(void)
{
    kill(getpid(), SIGABRT);
}

static void interrupted(void)
{
    never_ends_but(send_interrupt);
}

static void terminated(void)
{
    never_ends_but(send_termination);
}

static void aborts(void)
{
    never_ends_but(abort);
}

static void aborted(void)
{
    never_ends_but(send_abort);
}

static void test_interrupt(void **state)
{
    static const struct {
        void (*program)(void);
        int number;
        const char *name;
    } ends[] = {{interrupted, SIGINT, "SIGINT"},
                {terminated, SIGTERM, "SIGTERM"},
                {aborts, SIGABRT, "SIGABRT"},
                {aborted, SIGABRT, "SIGABRT"}};

    (void)state;
    for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
        const char *const variables[] = {variable("GCNSIM_REPORT", db_path), NULL};
        char line[100];
        int status = in_child(ends[k].program, variables);

        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == ends[k].number);
        assert_rows("SELECT ended_by FROM run", ends[k].name);
        assert_rows("SELECT dispatch, outcome FROM dispatch", "1 completed 2 interrupted");
        snprintf(line, sizeof line, "%s: what follows is the report of the 2 dispatches so far", ends[k].name);
        assert_true(logged(line));
        assert_int_equal(unlink(db_path), 0);
    }
}

/* A signal that a kernel has rung and nobody has seen in one look: the end of the process is the next look. */
static void rings_unheard(void)
{
    static struct ringer ringer;
    struct signal *s;

    start();
    must(hsa_signal_create(1, 0, NULL, &done) == 0);
    s = signal_find(done);
    __atomic_add_fetch(&s->shown->abi.value, 1, __ATOMIC_RELEASE);
    s->shown->mailbox = s->shown->abi.event_id;
    orphan_signals_message(&ringer, 7, "asks");
    orphan_signals_tell();
    raise(SIGTERM);
    for (;;)
        pause();
}

static void test_unheard_at_the_end(void **state)
{
    const char *const variables[] = {NULL};
    int status = in_child(rings_unheard, variables);

    (void)state;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_true(logged("no thread of the program waits for it or has looked at it since; kernels that run and may wait "
                       "for the answer: dispatch 7, kernel asks\n"));
}

static void on_signal(int number)
{
    (void)number;
    shared->noted = true;
    _exit(7);
}

static void own_handler(void)
{
    signal(SIGINT, on_signal);
    never_ends_but(send_interrupt);
}

static void ignores(void)
{
    signal(SIGINT, SIG_IGN);
    start();
    raise(SIGINT);
    run(load_vecadd(), 128);
}

static void test_own_handler(void **state)
{
    const char *const variables[] = {NULL};
    int status = in_child(own_handler, variables);

    (void)state;
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert_true(shared->noted);
    assert_int_equal(in_child(ignores, variables), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test_teardown(test_wrong_values, remove_files),
        cmocka_unit_test_teardown(test_report, remove_files),
        cmocka_unit_test_teardown(test_summary, remove_files),
        cmocka_unit_test_teardown(test_gaps, remove_files),
        cmocka_unit_test_teardown(test_foreign_database, remove_files),
        cmocka_unit_test(test_local_file_systems),
        cmocka_unit_test_teardown(test_shared_file_system, remove_files),
        cmocka_unit_test_teardown(test_shared_by_processes, remove_files),
        cmocka_unit_test_teardown(test_killed, remove_files),
        cmocka_unit_test_teardown(test_csv, remove_files),
        cmocka_unit_test_teardown(test_max_wall, remove_files),
        cmocka_unit_test_teardown(test_deadlock, remove_files),
        cmocka_unit_test_teardown(test_interrupt, remove_files),
        cmocka_unit_test(test_unheard_at_the_end),
        cmocka_unit_test_teardown(test_own_handler, remove_files),
        cmocka_unit_test_teardown(test_forked_child, remove_files),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
