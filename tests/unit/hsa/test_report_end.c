/* Processes that end before their time: by a limit, by a signal, in a kernel that never ends; and what they report. */
#include "tests/unit/hsa/report_process.h"

#include <pthread.h>

#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/signals/orphan_signals.h"
#include "sim/hsa/signals/signal.h"

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

/* Threads change their user by a signal of glibc's, after which the runtime's sleep on. */
static void changes_user(void)
{
    start();
    must(setuid(getuid()) == 0);
    raise(SIGTERM);
    for (;;)
        pause();
}

static void test_change_of_user(void **state)
{
    const char *const variables[] = {"GCNSIM_MAX_WALL=100000", NULL};
    int status = in_child(changes_user, variables);

    (void)state;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_true(logged("SIGTERM: what follows is the report of the 0 dispatches so far"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_max_wall, remove_files),
        cmocka_unit_test_teardown(test_deadlock, remove_files),
        cmocka_unit_test_teardown(test_interrupt, remove_files),
        cmocka_unit_test(test_unheard_at_the_end),
        cmocka_unit_test(test_change_of_user),
        cmocka_unit_test_teardown(test_own_handler, remove_files),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
