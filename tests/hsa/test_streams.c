/* Kernels of two streams, and of a queue of the HSA interface, on the timing engine: they overlap as barriers allow,
 * may wait for one another, take the same simulated time in every run, and end with their queue. */
#define _GNU_SOURCE
#include <sqlite3.h>

#include "tests/hsa/exec_run.h"
#include "tests/support/folder.h"
#include "tests/support/pftrace.h"

static struct said run(const char *target, const char *engine, const char *threads)
{
    return RUN("exec", "--arch", target, "--engine", engine, "--threads", threads, "--no-summary",
               hsa_program("streams"));
}

static void they_overlap(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1030"};

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    for (size_t k = 0; k < 2; k++) {
        struct said s = run(targets[k], "timing", "1");

        expect_status(&s, 0);
        expect_in(&s, s.out, "met 1 1\nmet 2 2\n");
        expect_in(&s, s.out, "together\n");
        expect_in(&s, s.out, "in turn\n");
        assert_string_equal(s.err, "");
        said_free(&s);
    }
}

static void the_same_in_every_run(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    struct said first = run("gfx90a", "timing", "1");
    for (unsigned n = 0; n < 3; n++) {
        struct said s = run("gfx90a", "timing", n == 2 ? "2" : "1");

        expect_status(&s, 0);
        assert_string_equal(s.out, first.out);
        said_free(&s);
    }
    said_free(&first);
}

/* What is not timed runs on the device's thread, in its order. */
static void some_of_them_timed(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    struct said s = RUN("exec", "--arch", "gfx90a", "--engine", "timing", "--kernels", "meet", hsa_program("streams"));
    expect_status(&s, 0);
    expect_in(&s, s.out, "met 1 1\nmet 2 2\n");
    expect_in(&s, s.err, "4 by the timing engine\ngcnsim: 5 by the functional engine");
    said_free(&s);
}

/* A timeline of all of them: what overlaps overlaps there, and the program notices nothing. */
static void on_a_timeline(void **state)
{
    char path[CLI_PATH + 20];
    struct pf_trace t;
    unsigned dispatches = 0, overlap = 0, waves = 0;
    (void)state;
    NEED_PROC();

    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    struct said quiet = run("gfx90a", "timing", "1");
    snprintf(path, sizeof path, "%s/t.pftrace", program_folder());
    struct said s =
        RUN("exec", "--arch", "gfx90a", "--engine", "timing", "--trace", path, "--no-summary", hsa_program("streams"));
    expect_status(&s, 0);
    assert_string_equal(s.out, quiet.out);
    pf_read(&t, path);
    for (size_t k = 0; k < t.slices; k++) {
        const struct pf_slice *a = &t.slice[k];

        waves += pf_is(a, "wave");
        dispatches += pf_is(a, "dispatch");
        for (size_t n = 0; n < k && pf_is(a, "dispatch"); n++)
            overlap += pf_is(&t.slice[n], "dispatch") && t.slice[n].track != a->track && t.slice[n].begin < a->end &&
                       a->begin < t.slice[n].end;
    }
    assert_true(dispatches >= 4 && waves >= dispatches && overlap > 0);
    pf_free(&t);
    said_free(&s);
    said_free(&quiet);
    s = RUN("exec", "--trace", path, hsa_program("streams"));
    expect_status(&s, 2);
    expect_in(&s, s.err, "--trace is of the timing engine");
    said_free(&s);
}

static void on_the_functional_engine(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    struct said s = run("gfx90a", "functional", "1");
    expect_status(&s, 0);
    expect_in(&s, s.out, "met 1 1\nmet 2 2\n");
    said_free(&s);
}

/* What the report's first row says, to be freed. */
static char *first_row(const char *db, const char *sql)
{
    sqlite3 *file;
    sqlite3_stmt *rows;

    assert_int_equal(sqlite3_open(db, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, sql, -1, &rows, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
    char *text = strdup((const char *)sqlite3_column_text(rows, 0));
    sqlite3_finalize(rows);
    sqlite3_close(file);
    assert_non_null(text);
    return text;
}

/* As docs/ROCM.md says: what kernels do that wait for no other stream, on one thread; of the others, that they met. */
static void the_same_on_the_functional_engine(void **state)
{
    static const char sql[] =
        "SELECT group_concat(c.kernel || ' ' || instructions_total || ' ' || (d.end_ns - d.start_ns)"
        " || ' ' || outcome) FROM counters c JOIN dispatch d USING (run, dispatch)"
        " WHERE c.kernel NOT LIKE 'meet%'";
    char db[CLI_PATH + 64], *first = NULL;

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "streams");
    snprintf(db, sizeof db, "%s", cli_path("same.db"));
    for (unsigned k = 0; k < 5; k++) {
        remove(db);
        struct said s =
            RUN("exec", "--arch", "gfx90a", "--threads", "1", "--no-summary", "--report", db, hsa_program("streams"));
        char *row = first_row(db, sql);

        expect_status(&s, 0);
        expect_in(&s, s.out, "met 1 1\nmet 2 2\n");
        assert_non_null(strstr(row, "work(float*, int) ")); /* so many instructions as the compiler made */
        if (first)
            assert_string_equal(row, first);
        free(first);
        first = row;
        said_free(&s);
    }
    free(first);
}

static void queues_and_barriers(void **state)
{
    static const char *const engines[] = {"timing", "functional"};
    char code[CLI_PATH + 64];

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "queues");
    snprintf(code, sizeof code, "%s.co", hsa_program("queues"));
    for (size_t k = 0; k < 2; k++) {
        struct said s =
            RUN("exec", "--arch", "gfx90a", "--engine", engines[k], "--no-summary", hsa_program("queues"), code);

        expect_status(&s, 0);
        assert_string_equal(s.out, "barrier 0: together\nbarrier 1: in turn\ndestroyed\ngoes on\n");
        assert_string_equal(s.err, "");
        said_free(&s);
    }
}

/* An untimed dispatch completes while the device is still starting packets, and wakes a host thread. The host's speed
 * does not change the order: what that thread submits starts after everything already submitted, in queue order. */
static void woken_threads(void **state)
{
    static const char sql[] =
        "SELECT group_concat(queue) FROM (SELECT queue FROM dispatch JOIN kernel USING (run, kernel)"
        " WHERE name = 'plain' ORDER BY dispatch)";
    char code[CLI_PATH + 64], db[CLI_PATH + 64];

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "queues");
    snprintf(code, sizeof code, "%s.co", hsa_program("queues"));
    snprintf(db, sizeof db, "%s", cli_path("turns.db"));
    for (unsigned k = 0; k < 10; k++) {
        remove(db);
        struct said s = RUN("exec", "--arch", "gfx90a", "--engine", "timing", "--kernels", "none", "--no-summary",
                            "--report", db, hsa_program("queues"), code, "turns");
        expect_status(&s, 0);
        assert_string_equal(s.err, "");
        said_free(&s);
        char *row = first_row(db, sql);
        assert_string_equal(row, "0,1,0,1");
        free(row);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_overlap),
        cmocka_unit_test(the_same_in_every_run),
        cmocka_unit_test(on_a_timeline),
        cmocka_unit_test(some_of_them_timed),
        cmocka_unit_test(on_the_functional_engine),
        cmocka_unit_test(the_same_on_the_functional_engine),
        cmocka_unit_test(queues_and_barriers),
        cmocka_unit_test(woken_threads),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
