/* HSA without a language runtime (tests/hsa/raw): samples on two targets and both engines, what is said when something
 * is wrong, and kernels that never end. */
#define _GNU_SOURCE
#include <glob.h>
#include <sqlite3.h>

#include "tests/hsa/exec_run.h"

#define NEED_RAW() NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx1201.co")

static const char *folder(void)
{
    static char path[CLI_PATH];

    snprintf(path, sizeof path, "%s", hsa_program("raw"));
    return dirname(path);
}

/* One sample: that it is well, and what is on stderr. */
static void sample(const char *arch, const char *engine, const char *name, const char *says)
{
    char line[64];
    struct said s = RUN("exec", "--arch", arch, "--engine", engine, "--no-summary", hsa_program("raw"), folder(), name);

    snprintf(line, sizeof line, "%s: ok\n", name);
    if (strcmp(s.out, line) != 0) {
        said_show(&s);
        fail_msg("sample %s on %s, %s engine", name, arch, engine);
    }
    expect_status(&s, 0);
    if (says)
        expect_in(&s, s.err, says);
    else
        assert_string_equal(s.err, "");
    said_free(&s);
}

static void samples_on(const char *arch, const char *engine)
{
    static const char *const names[] = {"agents", "dispatches",     "doorbells",     "barriers",  "signals",
                                        "copies", "virtual_memory", "shared_memory", "references"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        sample(arch, engine, names[k], NULL);
}

static void samples(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_RAW();
    samples_on("gfx90a", "functional");
    samples_on("gfx1201", "functional");
    samples_on("gfx90a", "timing");
    samples_on("gfx1201", "timing");
}

/* Code objects that nobody has linked, as `clang -c` leaves them. */
static void objects_not_linked(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1201"};
    char object[CLI_PATH], mcpu[32], name[40];

    (void)state;
    NEED_RAW();
    for (unsigned k = 0; k < 2; k++) {
        snprintf(mcpu, sizeof mcpu, "-mcpu=%s", targets[k]);
        snprintf(name, sizeof name, "kernels.%s.co", targets[k]);
        snprintf(object, sizeof object, "%s", cli_path(name));
        assert_int_equal(spawn_tool((const char *const[]){"clang-19", "-x", "assembler", "-target", "amdgcn-amd-amdhsa",
                                                          mcpu, "-c", "tests/hsa/raw/kernels.s", "-o", object, NULL},
                                    cli_path("log")),
                         0);
        struct said s = RUN("exec", "--arch", targets[k], "--no-summary", hsa_program("raw"), cli_dir, "dispatches");
        expect_status(&s, 0);
        assert_string_equal(s.out, "dispatches: ok\n");
        said_free(&s);
    }
}

/* A profile of the user's is read by a cJSON that the runtime loads, also in a program that has one of its own. */
static void profiles_are_read_in_the_program(void **state)
{
    char other[CLI_PATH + 64];

    (void)state;
    NEED_RAW();
    FILE *f = fopen(cli_path("mine.json"), "w");
    assert_non_null(f);
    fputs("{\"extends\": \"gfx90a-mi210\", \"chip\": \"A chip of mine\"}\n", f);
    assert_int_equal(fclose(f), 0);
    snprintf(other, sizeof other, "%s/../../support/other_cjson.so", folder());
    assert_int_equal(access(other, R_OK), 0);
    setenv("LD_PRELOAD", other, 1);
    struct said s = RUN("exec", "--arch", cli_path("mine.json"), hsa_program("raw"), folder(), "dispatches");
    unsetenv("LD_PRELOAD");
    expect_status(&s, 0);
    assert_string_equal(s.out, "dispatches: ok\n");
    expect_in(&s, s.err, "on mine");
    said_free(&s);
}

static void errors_of_packets(void **state)
{
    (void)state;
    NEED_RAW();
    sample("gfx90a", "functional", "malformed", "4 dimensions; expected 1 to 3");
    sample("gfx90a", "timing", "malformed", "bytes of LDS for a workgroup; the device has 65536");
    sample("gfx1201", "functional", "malformed", "is no kernel that is loaded on this agent");
    sample("gfx1201", "timing", "malformed", "a packet of type 77, which there is not");
    sample("gfx90a", "functional", "malformed", "packet 0: its completion signal 0x1230 is no signal of this process");
    sample("gfx90a", "timing", "malformed", "packet 0: its dependency 0x1230 is no signal of this process");
}

static void faults(void **state)
{
    (void)state;
    NEED_RAW();
    sample("gfx90a", "functional", "faults", "lane 0 writes 4 bytes at 0x1000");
    sample("gfx1201", "timing", "faults", "lane 0 writes 4 bytes at 0x1000");
    sample("gfx90a", "functional", "faults", "kernels.s:84) in 'global_store_dword");
    sample("gfx1201", "timing", "faults", "kernels.s:84) in 'global_store_b32");
    sample("gfx90a", "timing", "fault_events", "lane 0 writes 4 bytes at 0x5000");
    sample("gfx1201", "functional", "fault_events", "lane 0 writes 4 bytes at 0x5000");
}

static void expect_rows(const char *file, const char *sql, int want)
{
    sqlite3_stmt *row;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(row, 0), want);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

static void count_overruns(const char *arch, const char *engine)
{
    static const char problem[] = ", kernel scale: bounds.page: reads 4 bytes that hardware lets pass";
    char db[CLI_PATH];

    snprintf(db, sizeof db, "%s", cli_path("overruns.db"));
    unlink(db);
    struct said s =
        RUN("exec", "--arch", arch, "--engine", engine, "--report", db, hsa_program("raw"), folder(), "overruns");
    const char *found = strstr(s.err, "bounds.page");

    expect_status(&s, 0);
    assert_string_equal(s.out, "overruns: ok\n");
    expect_in(&s, s.err, problem);
    expect_in(&s, s.err, " is 0 bytes past the end of allocation [0x");
    expect_in(&s, s.err, ", 112 times; 'global_load_");
    expect_in(&s, s.err, "/kernels.s:63; fix: ");
    expect_in(&s, s.err, "336 accesses behind the end of an allocation, in its last page, in 3 dispatches");
    if (strstr(found + 1, "bounds.page"))
        fail_msg("more than once:\n%s", s.err);
    expect_rows(db, "SELECT count(*) FROM finding WHERE rule = 'bounds.page' AND count = 112", 3);
    said_free(&s);
}

/* Accesses past the end of an allocation pass, are counted, and are reported once for a kernel. */
static void slack(void **state)
{
    static const char *const strict[][2] = {{"--slack", "none"}, {"--check", "--no-summary"}};

    (void)state;
    NEED_RAW();
    count_overruns("gfx90a", "functional");
    count_overruns("gfx1201", "functional");
    count_overruns("gfx90a", "timing");
    count_overruns("gfx1201", "timing");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--arch", "gfx90a", strict[k][0], strict[k][1], "--no-summary", hsa_program("raw"),
                            folder(), "refused_overruns");

        expect_status(&s, 0);
        assert_string_equal(s.out, "refused_overruns: ok\n");
        expect_in(&s, s.err, "it is in the allocation's last page, where hardware does not see it");
        said_free(&s);
    }
}

/* What --check finds is reported with its line. */
static void findings(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1201"};

    (void)state;
    NEED_RAW();
    for (size_t k = 0; k < 2; k++) {
        struct said s =
            RUN("exec", "--arch", targets[k], "--check", "--no-summary", hsa_program("raw"), folder(), "unwaited");

        expect_status(&s, 0);
        assert_string_equal(s.out, "unwaited: ok\n");
        expect_in(&s, s.err, "dispatch 1, kernel early: wait.read: v3 is read while it is still being written by");
        expect_in(&s, s.err, "; 'global_store_");
        expect_in(&s, s.err, "/kernels.s:95; fix: ");
        said_free(&s);
    }
}

/* Stores into code objects, on both engines; without --check they pass without a word. */
static void overwritten_code(void **state)
{
    static const char *const says[] = {
        "dispatch 1, kernel stray: bounds.code: writes at 0x",
        ", the code of stray + 0x8",
        ", the kernel descriptor of stray",
        ", the code of scale + 0x0",
        "dispatch 4, kernel stray: bounds.code: writes at 0x",
        ", the gap between segments of the code object",
    };
    static const char *const targets[] = {"gfx90a", "gfx1201"}, *const engines[] = {"functional", "timing"};

    (void)state;
    NEED_RAW();
    for (size_t k = 0; k < 4; k++) {
        const char *target = targets[k % 2], *engine = engines[k / 2];
        struct said s = RUN("exec", "--arch", target, "--engine", engine, "--check", "--no-summary", hsa_program("raw"),
                            folder(), "overwrites");

        expect_status(&s, 0);
        assert_string_equal(s.out, "overwrites: ok\n");
        for (size_t n = 0; n < sizeof says / sizeof *says; n++)
            expect_in(&s, s.err, says[n]);
        said_free(&s);
        s = RUN("exec", "--arch", target, "--engine", engine, "--no-summary", hsa_program("raw"), folder(),
                "overwrites");
        expect_status(&s, 0);
        assert_string_equal(s.err, "");
        said_free(&s);
    }
}

/* Waves that race in LDS are reported without --check, once for a kernel. */
static void races(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1201"};

    (void)state;
    NEED_RAW();
    for (size_t k = 0; k < 2; k++) {
        const char *found;
        struct said s = RUN("exec", "--arch", targets[k], "--no-summary", hsa_program("raw"), folder(), "races");

        expect_status(&s, 0);
        assert_string_equal(s.out, "races: ok\n");
        expect_in(&s, s.err, "dispatch 1, kernel racy: race.lds: writes LDS byte 0, which another wave has accessed");
        found = strstr(s.err, "race.lds");
        if (strstr(found + 1, "race.lds"))
            fail_msg("more than once:\n%s", s.err);
        said_free(&s);
        s = RUN("exec", "--arch", targets[k], "--no-summary", "--ignore-lds-races", hsa_program("raw"), folder(),
                "races");
        expect_status(&s, 0);
        assert_string_equal(s.err, "");
        said_free(&s);
    }
}

static void code_for_others(void **state)
{
    (void)state;
    NEED_RAW();
    sample("gfx1201", "functional", "other_targets", "built for gfx90a, device is gfx1201: run with --arch gfx90a");
    sample("gfx90a", "functional", "other_targets", "built for gfx1201, device is gfx90a");
}

static void limits_of_memory(void **state)
{
    (void)state;
    NEED_RAW();
    sample("gfx90a", "functional", "limits", NULL);
}

static void children_of_fork(void **state)
{
    (void)state;
    NEED_RAW();
    sample("gfx90a", "functional", "forks", "hsa_init in the child of a fork");
    sample("gfx90a", "timing", "forks", "start the program anew (exec) instead");
}

/* ---- programs that do not do what was asked for ---- */

static void a_dispatch_that_does_not_come(void **state)
{
    static const struct {
        const char *option, *choice, *says;
    } cases[] = {
        {"--explain", "nokernel",
         "gcnsim: --explain nokernel: there was no dispatch of a kernel with 'nokernel' in its name; kernels: scale\n"},
        {"--explain", "skale", "with 'skale' in its name; kernels: scale\n"},
        {"--explain", "scale,4", "--explain scale,4: there were 3 dispatches of kernels with 'scale' in their names"},
        {"--of", "nokernel", "gcnsim: --of nokernel: there was no dispatch of a kernel with 'nokernel' in its name"},
        {"--of", "scale,4", "--of scale,4: there were 3 dispatches of kernels with 'scale' in their names"},
    };

    (void)state;
    NEED_RAW();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct said s = RUN("exec", "--engine", "timing", "--no-summary", cases[k].option, cases[k].choice,
                            hsa_program("raw"), folder(), "dispatches");

        expect_status(&s, 2);
        assert_string_equal(s.out, "dispatches: ok\n");
        expect_in(&s, s.err, cases[k].says);
        said_free(&s);
    }
}

/* One line says so: of the process that exec has become, unless what that has started may know better. */
static void programs_without_a_kernel(void **state)
{
    static const char none[] =
        "gcnsim: no HSA call was made: true did not initialise the HSA runtime, and there is nothing to report\n";

    (void)state;
    NEED_RAW();
    struct said s = RUN("exec", hsa_program("raw"), folder(), "agents");
    expect_status(&s, 0);
    assert_string_equal(s.err,
                        "gcnsim: no kernel was dispatched: the program initialised the HSA runtime, and that was "
                        "all on gfx90a-mi210\n");
    said_free(&s);
    s = RUN("exec", "--no-summary", hsa_program("raw"), folder(), "agents");
    assert_string_equal(s.err, "");
    said_free(&s);
    s = RUN("exec", "true");
    expect_status(&s, 0);
    assert_string_equal(s.err, none);
    said_free(&s);
    s = RUN("exec", "--no-summary", "true");
    assert_string_equal(s.err, "");
    said_free(&s);
    s = RUN("exec", "bash", "-c", "env true; exit 3");
    expect_status(&s, 3);
    assert_string_equal(s.err, "");
    said_free(&s);
}

/* ---- kernels that never end ---- */

static void expect_report_so_far(struct said *s, const char *why)
{
    expect_in(s, s->out, "never_ends: runs\n");
    expect_not_in(s, s->out, "never_ends: ok");
    expect_in(s, s->err, why);
    expect_in(s, s->err, "2 dispatches of 2 kernels on gfx90a-mi210");
    expect_in(s, s->err, "1 of them did not run to their end");
    expect_in(s, s->err, "gcnsim: dispatch 2, kernel spin, did not end:\nResident waves ");
    expect_in(s, s->err, "0 done, 1 resident, 0 not started; 1 wave resident\n");
    expect_not_in(s, s->err, "kernel stray, did not end");
    expect_in(s, s->err, "  spin\n");
    expect_in(s, s->err, "  stray\n");
    said_free(s);
}

static void ends_by_the_clock(void **state)
{
    static const char *const engines[] = {"functional", "timing"};
    char limit[16], why[100];

    (void)state;
    NEED_RAW();
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN_UNTIL_LIMIT("never_ends: runs\n", limit, "--engine", engines[k], hsa_program("raw"),
                                        folder(), "never_ends");

        snprintf(why, sizeof why, "GCNSIM_MAX_WALL: the program has run for %s s and ends here", limit);
        expect_report_so_far(&s, why);
    }
}

static void ends_by_signal(const char *engine, int signal, const char *why)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL}, was;

    NEED_RAW();
    sigaction(signal, &by_default, &was); /* ignored, where a shell runs all of this in the background */
    struct running r = exec_start(1, WORDS("exec", "--engine", engine, hsa_program("raw"), folder(), "never_ends"));
    sigaction(signal, &was, NULL);
    exec_await(&r, "never_ends: runs\n");
    assert_int_equal(kill(r.pid, signal), 0);
    struct said s = exec_finish(&r);
    assert_int_equal(s.status, SPAWN_SIGNAL);
    expect_report_so_far(&s, why);
}

static void ends_by_interrupt(void **state)
{
    (void)state;
    ends_by_signal("functional", SIGINT, "SIGINT: what follows is the report");
    ends_by_signal("timing", SIGINT, "SIGINT: what follows is the report");
    ends_by_signal("timing", SIGTERM, "SIGTERM: what follows is the report");
}

/* A thread trace of each dispatch that the timing engine runs and the user has chosen; the program does not suffer from
 * one that cannot be written. */
static void thread_traces(void **state)
{
    char to[CLI_PATH + 100], pattern[CLI_PATH + 200];
    glob_t found;

    (void)state;
    NEED_PROC();
    NEED_RAW();
    snprintf(to, sizeof to, "%s", cli_path("att"));
    struct said s = RUN("exec", "--engine", "timing", "--no-summary", "--att", to, "--att-cus", "all", "--dispatches",
                        "2-3", hsa_program("raw"), folder(), "dispatches");
    expect_status(&s, 0);
    assert_string_equal(s.err, "");
    said_free(&s);
    snprintf(pattern, sizeof pattern, "%s/ui_output_agent_1_dispatch_*/code.json", to);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    globfree(&found);
    snprintf(pattern, sizeof pattern, "%s/stats_ui_output_agent_1_dispatch_*.csv", to);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 2);
    s = RUN("diff", found.gl_pathv[0], found.gl_pathv[1]);
    expect_status(&s, 0);
    said_free(&s);
    globfree(&found);
    s = RUN("exec", "--engine", "timing", "--no-summary", "--att", "/dev/null/x", "--dispatches", "2",
            hsa_program("raw"), folder(), "dispatches");
    expect_status(&s, 0);
    expect_in(&s, s.err, "dispatch 2: no thread trace: /dev/null");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_traces),
        cmocka_unit_test(samples),
        cmocka_unit_test(objects_not_linked),
        cmocka_unit_test(profiles_are_read_in_the_program),
        cmocka_unit_test(errors_of_packets),
        cmocka_unit_test(faults),
        cmocka_unit_test(findings),
        cmocka_unit_test(overwritten_code),
        cmocka_unit_test(slack),
        cmocka_unit_test(races),
        cmocka_unit_test(code_for_others),
        cmocka_unit_test(limits_of_memory),
        cmocka_unit_test(children_of_fork),
        cmocka_unit_test(a_dispatch_that_does_not_come),
        cmocka_unit_test(programs_without_a_kernel),
        cmocka_unit_test(ends_by_the_clock),
        cmocka_unit_test(ends_by_interrupt),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
