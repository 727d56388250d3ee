/* The work of a sweep: what is to be run, as it is shown, and what becomes of points whose program fails. In the place
 * of gcnsim stands a script. */
#include "tests/unit/sweep/sweep_unit.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sweep/foreign.h"
#include "sim/sweep/sweep.h"
#include "sim/sweep/work.h"
#include "tests/support/watch.h"

#define AXES "'axes': [{'parameter': 'n', 'values': [1, 2, 3, 4]}], 'filters': ['n != 3']"

/* Its program exists, since specs are checked. */
static struct sweep_spec *spec_of(const char *more)
{
    struct err e = {0};
    struct sweep_spec *s = NULL;
    char text[600];

    snprintf(text, sizeof text, "{'gcnsim_sweep': 1, 'launches': [{'exec': ['/bin/sh', '{n}']}], %s}", more);
    if (parse(&s, text, &e))
        fail_msg("%s: %s", more, e.text);
    return s;
}

/* Fails, with what it was asked, and counts its calls in a file beside it. */
static const char *make_script(void)
{
    const char *path = in_folder("script.sh");
    char text[600];

    snprintf(text, sizeof text, "#!/bin/sh\necho x >>'%s'\necho 'no such chip' >&2\nexit 7\n", in_folder("calls"));
    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static long calls(void)
{
    struct stat s;

    return stat(in_folder("calls"), &s) ? 0 : (long)s.st_size / 2;
}

static char *shown(const struct sweep_spec *s, const struct sweep_options *o, uint64_t most)
{
    struct err e = {0};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    if (sweep_show_plan(s, o, most, f, &e))
        fail_msg("%s", e.text);
    assert_int_equal(fclose(f), 0);
    return text;
}

static unsigned lines_with(const char *text, const char *word)
{
    unsigned n = 0;

    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* The first commands, of the shard's points alone, and how many points there are. */
static void test_plan(void **state)
{
    struct sweep_options o = {.gcnsim = make_script()};
    struct sweep_spec *s = spec_of(AXES), *all = spec_of("'axes': [{'parameter': 'n', 'values': [1, 2]}]"),
                      *drawn = spec_of(
                          "'axes': [{'parameter': 'n', 'values': [1, 2]}], 'sampling': {'method': 'latin-hypercube', "
                          "'points': 5, 'seed': 1}");
    char *text = shown(s, &o, 9);

    (void)state;
    assert_int_equal(lines_with(text, "gcnsim exec "), 3);
    assert_non_null(strstr(text, "\n3 points; the filters took 1 away\n"));
    free(text);
    text = shown(s, &o, 2);
    assert_int_equal(lines_with(text, "gcnsim exec "), 2);
    free(text);
    o.shards = 2;
    o.shard = 1;
    text = shown(s, &o, 9);
    assert_int_equal(lines_with(text, "gcnsim exec "), 1);
    assert_non_null(strstr(text, "/bin/sh 2"));
    free(text);
    o.shards = 0;
    text = shown(all, &o, 0);
    assert_string_equal(text, "2 points\n");
    free(text);
    text = shown(drawn, &o, 0);
    assert_string_equal(text, "2 points\n3 of those that sampling asks for do not exist, or do not pass the filters\n");
    free(text);
    sweep_spec_free(s);
    sweep_spec_free(all);
    sweep_spec_free(drawn);
}

static void count_turns(void *ctx, const struct sweep_state *state)
{
    assert_true(state->done + state->failed <= 3);
    ++*(unsigned *)ctx;
}

/* All points fail, which is kept; a sweep that is resumed runs them again. */
static void test_failures(void **state)
{
    struct sweep_spec *s = spec_of(AXES);
    unsigned turns = 0;
    struct sweep_options o = {.gcnsim = make_script(),
                              .output = in_folder("failures.sqlite"),
                              .jobs_default = 2,
                              .progress = count_turns,
                              .ctx = &turns};
    struct sweep_allowance allowance;
    struct sweep_state is;
    struct err e = {0};
    sqlite3_stmt *st;
    sqlite3 *db;

    (void)state;
    if (sweep_run(s, &o, &is, &e))
        fail_msg("%s", e.text);
    assert_int_equal(calls(), 3);
    assert_true(turns > 0);
    assert_int_equal(is.points, 3);
    assert_int_equal(is.failed, 3);
    assert_int_equal(is.done, 0);
    assert_int_equal(is.skipped, 0);
    if (sweep_results_open(&db, &allowance, o.output, &e))
        fail_msg("%s", e.text);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT count(*), min(outcome), max(outcome), min(message) FROM results", -1, &st, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(st, 0), 3);
    assert_string_equal((const char *)sqlite3_column_text(st, 1), "failed");
    assert_string_equal((const char *)sqlite3_column_text(st, 2), "failed");
    assert_non_null(strstr((const char *)sqlite3_column_text(st, 3), "no such chip"));
    sqlite3_finalize(st);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(sweep_run(s, &o, &is, &e), -1); /* it is there */
    e = (struct err){0};
    o.resume = true;
    if (sweep_run(s, &o, &is, &e))
        fail_msg("%s", e.text);
    assert_int_equal(calls(), 6);
    assert_int_equal(is.skipped, 0);
    assert_int_equal(is.failed, 3);
    sweep_spec_free(s);
}

/* Before there is a file, the first command of each launch is made; those after it are made in its turn. */
static void test_commands_that_cannot_be_made(void **state)
{
    static const struct {
        const char *m;  /* what {m} is in the second launch */
        bool has_begun; /* there is a file by then */
    } v[] = {{"CASE WHEN n > 1 THEN n END", false}, {"CASE WHEN n < 2 THEN n END", true}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        char text[400];
        struct sweep_options o = {.gcnsim = make_script(), .output = in_folder("no_command.sqlite")};
        struct sweep_spec *s = NULL;
        struct sweep_state is;
        struct err e = {0};

        snprintf(text, sizeof text,
                 "{'gcnsim_sweep': 1, 'launches': [{'exec': ['/bin/sh'], 'name': 'a'}, {'exec': ['/bin/sh', '{m}'], "
                 "'name': 'b'}], 'axes': [{'parameter': 'n', 'values': [1, 2]}], 'define': {'m': '%s'}}",
                 v[k].m);
        assert_int_equal(parse(&s, text, &e), 0);
        assert_int_equal(sweep_run(s, &o, &is, &e), -1);
        assert_string_equal(e.text,
                            "spec.json: launches: b: '{m}': {m} has no value; expected a parameter or a definition, "
                            "or {{ for a brace");
        assert_int_equal(access(o.output, F_OK), v[k].has_begun ? 0 : -1);
        sweep_spec_free(s);
    }
}

/* A sweep without points is an error, and nothing else. */
static void test_no_points(void **state)
{
    struct sweep_options o = {.gcnsim = make_script(), .output = in_folder("no_points.sqlite")};
    struct sweep_spec *s = spec_of("'filters': ['0']");
    struct sweep_state is;
    struct err e = {0};

    (void)state;
    assert_int_equal(sweep_run(s, &o, &is, &e), -1);
    assert_non_null(strstr(e.text, "filters: no combination passes"));
    assert_int_equal(access(o.output, F_OK), -1);
    sweep_spec_free(s);
}

static struct sweep_job shell_job(const char *script)
{
    const char *const words[] = {"/bin/sh", "-c", script};
    struct sweep_command c = {
        .words = calloc(4, sizeof *c.words), .count = 3, .environment = calloc(1, sizeof(char *))};

    assert_true(c.words && c.environment);
    for (size_t k = 0; k < c.count; k++)
        c.words[k] = strdup(words[k]);
    return (struct sweep_job){.command = c};
}

/* Who waits for processes waits for them alone: nobody who writes is left at this one's input. */
static void test_waits_for_its_processes(void **state)
{
    const int input = dup(STDIN_FILENO);
    struct sweep_spec s = {.folder = "/"};
    struct sweep_work w = {.spec = &s};
    struct sweep_job job = shell_job("exit 0");
    struct sweep_crew crew;
    struct pollfd fds[3];
    struct err e = {0};
    int fd[2];

    (void)state;
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
    close(fd[0]);
    close(fd[1]);
    assert_int_equal(sweep_crew_new(&crew, 1, &e), 0);
    assert_int_equal(sweep_crew_start(&crew, &w, &job, &e), 0);
    sweep_crew_wait(&crew, -1);
    assert_true(poll(fds, (nfds_t)sweep_child_fds(&crew.slot->child, fds), 0) > 0);
    while (!sweep_crew_ended(&crew))
        sweep_crew_wait(&crew, -1);
    assert_int_equal(crew.slot->child.raw.exit_status, 0);
    assert_int_equal(crew.busy, 0);
    assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    close(input);
    sweep_crew_free(&crew);
}

/* Two processes of a crew have ended, and the result of the first one cannot be kept: that is the error, whatever could
 * be kept after it. */
static void test_result_that_cannot_be_kept(void **state)
{
    struct sweep_options o = {.gcnsim = make_script(), .output = in_folder("kept.sqlite")};
    struct sweep_spec *s = spec_of(AXES);
    struct sweep_state is;
    struct sweep_crew crew;
    struct sweep_work w;
    struct err e = {0};
    sqlite3 *db;

    (void)state;
    assert_int_equal(sweep_work_begin(&w, s, &o, &is, &e), 0);
    assert_int_equal(sweep_work_plan(&w, &e), 0);
    assert_int_equal(sweep_crew_new(&crew, 2, &e), 0);
    for (unsigned k = 0; k < 2; k++) {
        struct sweep_job job;

        assert_int_equal(sweep_work_next(&w, &job, &e), 1);
        assert_int_equal(sweep_crew_start(&crew, &w, &job, &e), 0);
    }
    w.next = w.todos; /* nothing is left to be started after them */
    for (unsigned k = 0; k < 2; k++)
        watch_end(crew.slot[k].child.pid);
    db = sweep_store_db(w.store);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TEMP TRIGGER full BEFORE INSERT ON main.run WHEN new.id = 1 BEGIN SELECT "
                                  "RAISE(ABORT, 'no space'); END",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sweep_crew_turn(&crew, &w, "local", &e), -1);
    assert_string_equal(strrchr(e.text, '/'), "/kept.sqlite: no space");
    assert_int_equal(crew.busy, 1);
    sweep_crew_free(&crew);
    assert_int_equal(sweep_work_end(&w, &e), 0);
    sweep_spec_free(s);
}

/* Who gives a crew up ends its processes. */
static void test_crew_that_is_given_up(void **state)
{
    struct sweep_spec s = {.folder = "/"};
    struct sweep_work w = {.spec = &s};
    struct sweep_crew crew;
    struct err e = {0};
    pid_t pid[2];

    (void)state;
    assert_int_equal(sweep_crew_new(&crew, 2, &e), 0);
    for (unsigned k = 0; k < 2; k++) {
        struct sweep_job job = shell_job("exec tail -f /dev/null");

        assert_int_equal(sweep_crew_start(&crew, &w, &job, &e), 0);
        pid[k] = crew.slot[k].child.pid;
    }
    sweep_crew_free(&crew);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(kill(pid[k], 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_commands_that_cannot_be_made),
        cmocka_unit_test(test_waits_for_its_processes),
        cmocka_unit_test(test_result_that_cannot_be_kept),
        cmocka_unit_test(test_crew_that_is_given_up),
        cmocka_unit_test(test_no_points),
    };

    return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
