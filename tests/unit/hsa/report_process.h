/* A process that makes the runtime, runs kernels and ends in some way, and what it leaves behind for the parent, which
 * reads it: for tests of reports. */
#ifndef TESTS_UNIT_HSA_REPORT_PROCESS_H
#define TESTS_UNIT_HSA_REPORT_PROCESS_H

#include "tests/unit/hsa/code_fixture.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

static inline hsa_status_t find_gpu(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;

    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU)
        gpu = agent;
    return HSA_STATUS_SUCCESS;
}

static inline void must(bool holds)
{
    if (!holds)
        _exit(99);
}

static inline void start(void)
{
    must(hsa_init() == HSA_STATUS_SUCCESS);
    must(hsa_iterate_agents(find_gpu, NULL) == HSA_STATUS_SUCCESS);
    must(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) == 0);
}

static inline uint64_t kernel_object(hsa_executable_t x, const char *name)
{
    must(hsa_executable_freeze(x, NULL) == 0);
    return symbol_u64(symbol_of(x, name, &gpu), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
}

static inline uint64_t load_vecadd(void)
{
    hsa_executable_t x = new_executable();

    must(load_file(x, gpu, VECADD) == 0);
    return kernel_object(x, "vecadd.kd");
}

/* Code words are of llvm-mc 19. */
static inline uint64_t load_code(uint32_t flags, const uint32_t *code, size_t bytes)
{
    hsa_executable_t x = new_executable();
    struct toy t;

    toy_init(&t, flags, 3);
    memcpy(t.bytes + TOY_TEXT, code, bytes);
    must(load_bytes(x, gpu, t.bytes, sizeof t.bytes, NULL) == 0);
    return kernel_object(x, "k.kd");
}

/* A kernel that stores 1 to a signal and branches to itself. */
static inline uint64_t load_forever(void)
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
static inline uint64_t prepare(uint64_t object, uint32_t items)
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

static inline void hand_over(uint64_t index, uint32_t header)
{
    __atomic_store_n((uint32_t *)((hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size),
                     HSA_PACKET_TYPE_KERNEL_DISPATCH | header | 1u << 16, __ATOMIC_RELEASE);
}

static inline void ring(uint64_t last)
{
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)last);
}

static inline void await_done(uint64_t last)
{
    ring(last);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* Starts one and waits for its end. */
static inline void run(uint64_t object, uint32_t items)
{
    must(hsa_signal_create(1, 0, NULL, &done) == 0);
    uint64_t index = prepare(object, items);
    hand_over(index, AGENT_FENCES);
    await_done(index);
}

/* Runs `body` in a child with the environment's variables "NAME=VALUE"; returns its wait status. */
static inline int in_child(void (*body)(void), const char *const *variables)
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

static inline void query(const char *sql, char *out, size_t n)
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

static inline char *first_csv(const char *suffix)
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

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/gcnsim-test-report-%ld", (long)getpid());
    snprintf(db_path, sizeof db_path, "%s/r.db", folder);
    snprintf(csv_path, sizeof csv_path, "%s/csv", folder);
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return mkdir(folder, 0777) != 0 || shared == MAP_FAILED;
}

static inline int remove_files(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    shared->runs = 0;
    shared->noted = false;
    return system(command) != 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* A variable with a path. */
static inline const char *variable(const char *name, const char *path)
{
    static char texts[4][160];
    static unsigned next;
    char *text = texts[next++ % 4];

    snprintf(text, sizeof texts[0], "%s=%s", name, path);
    return text;
}

/* A variable with the path of a file in the folder, which becomes path[96]. */
static inline const char *in(char *path, const char *file, const char *name)
{
    snprintf(path, 96, "%s/%s", folder, file);
    return variable(name, path);
}

#endif
