/* Who waits for what (docs/STUCK.md): programs that never end (tests/hsa/raw/waits.c) on both engines, ended by signals
 * when they wait, and by the clock. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

#define NEED_WAITS()                                                                                                   \
    do {                                                                                                               \
        NEED_PROC();                                                                                                   \
        NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");                                                            \
    } while (0)

static const char *const engines[] = {"functional", "timing"};

/* What is told of each, a line after the other; no number of a thread and no address is in it. */
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

/* The heading, the lines in their order, and behind them the report so far. */
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

/* Who gives up by himself is told of no waits, and who wants no summary has none. */
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_by_interrupt),
        cmocka_unit_test(ended_by_termination),
        cmocka_unit_test(ended_by_the_clock),
        cmocka_unit_test(not_told),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
