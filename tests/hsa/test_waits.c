/* Who waits for what (docs/STUCK.md): programs that never end (tests/hsa/raw/waits.c) on both engines, ended by signals
 * when they wait, and by the clock. */
#define _GNU_SOURCE
#include <glob.h>
#include <sqlite3.h>

#include "tests/hsa/exec_run.h"
#include "tests/support/json.h"

#define NEED_WAITS()                                                                                                   \
    do {                                                                                                               \
        NEED_PROC();                                                                                                   \
        NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");                                                            \
    } while (0)

static const char *const engines[] = {"functional", "timing"};

/* What is reported of each, a line after the other; no number of a thread and no address is in it. */
static const struct {
    const char *name;
    const char *lines[16];
} programs[] = {
    {"waits_alone",
     {", raw\n    waits for     signal 1 == 0; it is 3\n", "  signal 1, 0x",
      "\n    completed by  nobody that gcnsim knows of: the program or a kernel has to store to it\n"}},
    {"waits_barrier",
     {", raw\n    waits for     signal 2 == 0; it is 1\n",
      "  queue 0 packet 0: barrier-AND; 1 packet behind it\n    waits for     signal 1 == 0; it is 1\n",
      "  signal 1, 0x", "\n    completed by  nobody that gcnsim knows of: the program or a kernel has to store to it\n",
      "  signal 2, 0x", "\n    completed by  queue 0 packet 1\n"}},
    {"waits_cycle",
     {", raw\n    waits for     signal 1 == 0; it is 1\n",
      "  queue 0 packet 0: barrier-AND; 1 packet behind it\n    waits for     signal 2 == 0; it is 1\n",
      "  queue 1 packet 0: barrier-OR\n    waits for     signal 1 == 0; it is 1\n", "  signal 1, 0x",
      "\n    completed by  queue 0 packet 1\n", "  signal 2, 0x", "\n    completed by  queue 1 packet 0\n",
      "  cycle: queue 0 packet 0 -> signal 2 -> queue 1 packet 0 -> signal 1 -> queue 0 packet 1 -> queue 0 packet "
      "0\n"}},
    {"waits_any",
     {", raw\n    waits for     signal 1 == 0; it is 1\n    or            signal 2 < 1; it is 1\n",
      "  handler 1\n    waits for     signal 3 < 1; it is 7\n",
      "  copy 1, 4096 bytes\n    waits for     signal 3 == 0; it is 7\n", "  signal 1, 0x", "  signal 2, 0x",
      "\n    completed by  copy 1\n", "  signal 3, 0x", "\n    completed by  nobody that gcnsim knows of"}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs, CYCLE = 2 };

static const char *folder(void)
{
    static char path[CLI_PATH];

    snprintf(path, sizeof path, "%s", hsa_program("raw"));
    return dirname(path);
}

/* Ends a program by a signal as soon as it waits. */
static struct said end_by(int number, const char *name, const char *const args[])
{
    struct sigaction by_default = {.sa_handler = SIG_DFL}, was;
    char waits[64];

    snprintf(waits, sizeof waits, "%s: waits\n", name);
    sigaction(number, &by_default, &was); /* ignored, where a shell runs all of this in the background */
    struct running r = exec_start(1, args);
    sigaction(number, &was, NULL);
    exec_await(&r, waits);
    assert_int_equal(kill(r.pid, number), 0);
    struct said s = exec_finish(&r);
    assert_int_equal(s.status, SPAWN_SIGNAL);
    return s;
}

/* The heading, the lines in their order, and after them the report so far. */
static void expect_waits(const struct said *s, unsigned program, const char *how)
{
    char line[100];
    const char *at;

    snprintf(line, sizeof line, "gcnsim: %s: who waits for what:\n  host thread ", how);
    expect_in(s, s->err, line);
    at = strstr(s->err, line);
    for (const char *const *l = programs[program].lines; *l; l++) {
        at = strstr(at, *l);
        if (!at) {
            said_show(s);
            fail_msg("%s: not there, or not in its place: %s", programs[program].name, *l);
        }
        at += strlen(*l);
    }
    snprintf(line, sizeof line, "\ngcnsim: %s: ", how);
    expect_in(s, at - 1, line);
    expect_in(s, at, "the 0 dispatches so far\n");
    if (program != CYCLE)
        expect_not_in(s, s->err, "cycle:");
}

static void ended_by(int number, const char *how)
{
    NEED_WAITS();
    for (unsigned e = 0; e < 2; e++)
        for (unsigned k = 0; k < PROGRAMS; k++) {
            struct said s =
                end_by(number, programs[k].name,
                       WORDS("exec", "--engine", engines[e], hsa_program("raw"), folder(), programs[k].name));

            expect_waits(&s, k, how);
            said_free(&s);
        }
}

static void ended_by_interrupt(void **state)
{
    (void)state;
    ended_by(SIGINT, "SIGINT");
}

static void ended_by_termination(void **state)
{
    (void)state;
    ended_by(SIGTERM, "SIGTERM");
}

static void ended_by_the_clock(void **state)
{
    char limit[16], waits[64];

    (void)state;
    NEED_WAITS();
    for (unsigned k = 0; k < PROGRAMS; k++) {
        snprintf(waits, sizeof waits, "%s: waits\n", programs[k].name);
        struct said s =
            RUN_UNTIL_LIMIT(waits, limit, "--engine", engines[k % 2], hsa_program("raw"), folder(), programs[k].name);

        expect_waits(&s, k, "GCNSIM_MAX_WALL");
        said_free(&s);
    }
}

/* Who gives up by himself gets no report of waits, and who wants no summary has none. */
static void not_told(void **state)
{
    (void)state;
    NEED_WAITS();
    struct said s = end_by(SIGABRT, "waits_cycle", WORDS("exec", hsa_program("raw"), folder(), "waits_cycle"));
    expect_in(&s, s.err, "SIGABRT: what follows is the report");
    expect_not_in(&s, s.err, "who waits");
    said_free(&s);
    s = end_by(SIGTERM, "waits_cycle", WORDS("exec", "--no-summary", hsa_program("raw"), folder(), "waits_cycle"));
    assert_string_equal(s.err, "gcnsim: SIGTERM: it has had 0 dispatches so far\n");
    said_free(&s);
}

/* ---- files ---- */

/* The rows of a query, columns and rows separated by blanks. */
static void expect_rows(const char *file, const char *sql, const char *want)
{
    char got[2000] = "";
    size_t n = 0;
    sqlite3_stmt *row;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int k = 0; k < sqlite3_column_count(row) && n < sizeof got; k++) {
            const char *text = (const char *)sqlite3_column_text(row, k);

            n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", n ? " " : "", text ? text : "-");
        }
    sqlite3_finalize(row);
    sqlite3_close(db);
    assert_string_equal(got, want);
}

static const struct json *node_named(const struct json *document, const char *name)
{
    const struct json *nodes = json_get(document, "nodes");

    for (size_t k = 0; k < json_elements(nodes); k++) {
        const struct json *n = json_at(nodes, k);

        assert_int_equal(json_integer(json_get(n, "node")), k + 1);
        if (strcmp(json_text(json_get(n, "name")), name) == 0)
            return n;
    }
    fail_msg("no node %s", name);
    return NULL;
}

static const char *text_in(const struct json *object, const char *key)
{
    const struct json *v = json_get(object, key);

    assert_true(json_is_string(v));
    return json_text(v);
}

static void check_json(const char *path)
{
    static const char *const steps[] = {"queue 0 packet 0", "signal 2", "queue 1 packet 0", "signal 1",
                                        "queue 0 packet 1"};
    const struct json *document = json_parse_file(path), *cycle, *edges, *n;

    assert_non_null(document);
    assert_string_equal(text_in(document, "ended_by"), "SIGTERM");
    assert_true(json_is_true(json_get(document, "complete")));
    assert_int_equal(json_elements(json_get(document, "cycles")), 1);
    cycle = json_at(json_get(document, "cycles"), 0);
    assert_int_equal(json_elements(cycle), 5);
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(json_integer(json_at(cycle, k)),
                         json_integer(json_get(node_named(document, steps[k]), "node")));
    n = node_named(document, "queue 1 packet 0");
    assert_string_equal(text_in(n, "kind"), "packet");
    assert_string_equal(text_in(n, "what"), "barrier-OR");
    assert_string_equal(text_in(n, "state"), "next");
    assert_string_equal(text_in(n, "needs"), "any");
    edges = json_get(n, "waits_for");
    assert_int_equal(json_elements(edges), 1);
    assert_int_equal(json_integer(json_get(json_at(edges, 0), "node")),
                     json_integer(json_get(node_named(document, "signal 1"), "node")));
    assert_string_equal(text_in(json_at(edges, 0), "condition"), "==");
    assert_int_equal(json_integer(json_get(json_at(edges, 0), "compare")), 0);
    n = node_named(document, "signal 1");
    assert_int_equal(json_integer(json_get(n, "value")), 1);
    assert_true(strncmp(text_in(n, "made"), "raw+0x", 6) == 0);
    json_free(document);
}

static void in_files(void **state)
{
    char db[CLI_PATH], json[CLI_PATH], pattern[CLI_PATH + 40];
    glob_t found;

    (void)state;
    NEED_WAITS();
    for (unsigned e = 0; e < 2; e++) {
        snprintf(db, sizeof db, "%s", cli_path("waits.db"));
        snprintf(json, sizeof json, "%s", cli_path("waits"));
        unlink(db);
        struct said s = end_by(SIGTERM, "waits_cycle",
                               WORDS("exec", "--engine", engines[e], "--no-summary", "--report", db, "--json", json,
                                     hsa_program("raw"), folder(), "waits_cycle"));
        said_free(&s);
        expect_rows(db, "SELECT name FROM wait_cycle JOIN wait_node USING (run, node) ORDER BY cycle, step",
                    "queue 0 packet 0 signal 2 queue 1 packet 0 signal 1 queue 0 packet 1");
        expect_rows(db,
                    "SELECT n.name, t.name, condition, compare, t.value FROM wait_edge e JOIN wait_node n USING (run, "
                    "node) JOIN wait_node t ON t.run = e.run AND t.node = e.waits_for WHERE how = 'value' AND n.kind = "
                    "'packet' ORDER BY n.queue",
                    "queue 0 packet 0 signal 2 == 0 1 queue 1 packet 0 signal 1 == 0 1");
        expect_rows(db, "SELECT what, state, goes_on FROM wait_node WHERE kind = 'packet' ORDER BY queue, packet",
                    "barrier-AND next 0 barrier-AND behind 0 barrier-OR next 0");
        expect_rows(db, "SELECT kind, thread > 0, what FROM wait_node WHERE kind = 'thread'", "thread 1 raw");
        expect_rows(db, "SELECT ended_by FROM run", "SIGTERM");
        snprintf(pattern, sizeof pattern, "%s/*_waits.json", json);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        assert_int_equal(found.gl_pathc, 1);
        check_json(found.gl_pathv[0]);
        assert_int_equal(unlink(found.gl_pathv[0]), 0);
        globfree(&found);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_by_interrupt), cmocka_unit_test(ended_by_termination),
        cmocka_unit_test(ended_by_the_clock), cmocka_unit_test(not_told),
        cmocka_unit_test(in_files),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
