/* gcnsim run --check as a user meets it: clean samples, and one from which a wait was taken. */
#include <glob.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

/* The samples' folders seen from ours, so that what they write stays here. */
static void link_into(const char *from, const char *to)
{
    char *target = realpath(from, NULL);

    assert_non_null(target);
    assert_int_equal(symlink(target, to), 0);
    free(target);
}

/* Compiled code has nothing to be found in it. */
static void samples_are_clean(void **state)
{
    glob_t g;

    (void)state;
    link_into("traces/samples/data", cli_path("data"));
    assert_int_equal(mkdir(cli_path("out"), 0777), 0);
    assert_int_equal(glob("traces/samples/gfx*/*.[cj]*", 0, NULL, &g), 0);
    for (size_t k = 0; k < g.gl_pathc; k++) {
        const char *path = g.gl_pathv[k] + strlen("traces/samples/");
        char folder[64];
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path, "/"), path);
        (void)mkdir(cli_path(folder), 0777); /* it may be there */
        link_into(g.gl_pathv[k], cli_path(path));
    }
    for (size_t k = 0; k < g.gl_pathc; k++) {
        const char *path = g.gl_pathv[k] + strlen("traces/samples/");
        if (!strstr(path, ".json"))
            continue;
        struct said s = RUN("run", cli_path(path), "--check", "--json", "-");
        if (s.status != 0)
            print_error("%s\n", path);
        expect_status(&s, 0);
        expect_in(&s, s.out, "\"check\": []");
        expect_in(&s, s.out, "\"engine\": \"functional\"");
        said_free(&s);
    }
    globfree(&g);
}

/* A rule that is off says so: the samples come from a compiler that does not know gfx12's hazard of SGPRs. */
static void left_out(void **state)
{
    static const char rule[] = "rdna4.valu-read-sgpr was not applied: the code has no s_wait_alu";
    struct said s = RUN("run", cli_path("gfx1201/vecadd.json"), "--check");

    (void)state;
    expect_status(&s, 0);
    expect_in(&s, s.out, rule);
    said_free(&s);
    s = RUN("run", cli_path("gfx1201/vecadd.json"), "--check", "--json", "-");
    expect_in(&s, s.out, "\"check_left_out\": \"rdna4.valu-read-sgpr was not applied");
    said_free(&s);
    s = RUN("run", cli_path("gfx1201/vecadd.json"), "--json", "-");
    assert_null(strstr(s.out, "check_left_out")); /* nobody asked for the rules */
    said_free(&s);
    s = RUN("run", cli_path("gfx90a/vecadd.json"), "--check", "--json", "-"); /* all rules are applied */
    expect_status(&s, 0);
    assert_null(strstr(s.out, "check_left_out"));
    said_free(&s);
}

/* vecadd of gfx90a with the wait for its loads made an s_nop: in DIR/broken.co, and a launch of it. */
static void take_wait(void)
{
    static const uint8_t nop[4] = {0x00, 0x00, 0x80, 0xbf};
    size_t size;
    char *co = read_whole("traces/samples/gfx90a/vecadd.co", &size);
    unsigned taken = 0;

    assert_non_null(co);
    for (size_t k = 0; k + 4 <= size; k += 4) {
        uint32_t word;
        memcpy(&word, co + k, 4);
        if ((word & 0xffff3f00) == 0xbf8c0f00 && (word & 0xc00f) != 0xc00f) { /* s_waitcnt vmcnt(N) */
            memcpy(co + k, nop, 4);
            taken++;
        }
    }
    assert_true(taken > 0);
    write_file(cli_path("broken.co"), co, size);
    free(co);
}

static void missing_wait(void **state)
{
    const char *run[] = {"run",         cli_path("broken.co"),
                         "--grid",      "64",
                         "--workgroup", "64",
                         "--arg",       "buf:4096",
                         "--arg",       "buf:4096",
                         "--arg",       "buf:4096",
                         "--arg",       "u32:64",
                         "--check",     NULL};
    struct said s;

    (void)state;
    take_wait();
    s = cli_run(run);
    expect_status(&s, 1);
    expect_in(&s, s.out, "wait.read");
    expect_in(&s, s.out, "instruction   v_");
    expect_in(&s, s.out, "is still being written by 'global_load_dword");
    expect_in(&s, s.out, "fix           s_waitcnt vmcnt(0) before it");
    expect_in(&s, s.out, "lane 0");
    expect_in(&s, s.err, "--check found 1 place that hardware may run wrongly");
    said_free(&s);
    run[14] = NULL; /* nobody looks */
    s = cli_run(run);
    expect_status(&s, 0);
    said_free(&s);
}

/* A launch file's "check" is --check, on the same engine; "timing" beside it is what --engine timing is. */
static void launch_files(void **state)
{
    static const struct {
        const char *keys, *option, *engine;
        int status;
    } cases[] = {
        {", \"check\": true", "--quiet", "functional", 1},
        {", \"check\": true, \"engine\": \"functional\"", "--quiet", "functional", 1},
        {", \"check\": true, \"engine\": \"timing\"", "--quiet", "timing", 0},
        {", \"check\": false", "--quiet", "timing", 0},
        {", \"engine\": \"timing\"", "--check", "functional", 1},
    };

    (void)state;
    take_wait();
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[500], engine[40];
        int length = snprintf(text, sizeof text,
                              "{\"file\": \"broken.co\", \"kernel\": \"vecadd\", \"grid\": [64], \"workgroup\": [64], "
                              "\"args\": [\"buf:4096\", \"buf:4096\", \"buf:4096\", \"u32:64\"]%s}",
                              cases[n].keys);
        write_file(cli_path("broken.json"), text, (size_t)length);
        struct said s = RUN("run", cli_path("broken.json"), "--json", "-", cases[n].option);
        expect_status(&s, cases[n].status);
        snprintf(engine, sizeof engine, "\"engine\": \"%s\"", cases[n].engine);
        expect_in(&s, s.out, engine);
        said_free(&s);
    }
}

/* Without --check the functional engine warns of it, once, and the run has succeeded; unless it is not to look. */
static void told_unasked(const char **run)
{
    const char *more[16] = {"--engine", "functional", NULL};
    unsigned n = 0;

    for (; run[n]; n++)
        ;
    memcpy(run + n, more, 3 * sizeof *more);
    struct said s = cli_run(run);
    expect_status(&s, 0);
    expect_in(&s, s.out, "Warning\n  race.lds\n");
    expect_in(&s, s.out, "which another wave has ");
    expect_in(&s, s.out, "fix           a barrier between the two accesses; --check names the other one");
    assert_null(strstr(strstr(s.out, "race.lds") + 1, "race.lds"));
    said_free(&s);
    run[n + 2] = "--ignore-lds-races";
    run[n + 3] = NULL;
    s = cli_run(run);
    expect_status(&s, 0);
    assert_null(strstr(s.out, "Warning"));
    said_free(&s);
    run[n + 2] = "--json";
    run[n + 3] = "-";
    run[n + 4] = NULL;
    s = cli_run(run);
    expect_in(&s, s.out, "\"check\": [\n    {\n      \"rule\": \"race.lds\"");
    said_free(&s);
}

/* reduce_lds of a target with its barriers made s_nops: waves meet in LDS in no order. */
static void missing_barrier(void **state)
{
    static const struct {
        const char *folder;
        uint32_t word;
    } targets[] = {{"gfx803", 0xbf8a0000}, {"gfx90a", 0xbf8a0000}, {"gfx1201", 0xbf94ffff /* s_barrier_wait -1 */}};

    (void)state;
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        char path[80];
        size_t size;
        unsigned taken = 0;
        snprintf(path, sizeof path, "traces/samples/%s/reduce_lds.co", targets[n].folder);
        char *co = read_whole(path, &size);
        assert_non_null(co);
        for (size_t k = 0; k + 4 <= size; k += 4) {
            uint32_t word, nop = 0xbf800000;
            memcpy(&word, co + k, 4);
            if (word != targets[n].word)
                continue;
            memcpy(co + k, &nop, 4);
            taken++;
        }
        assert_true(taken > 0);
        write_file(cli_path("racy.co"), co, size);
        free(co);
        char input[CLI_PATH + 16], racy[CLI_PATH];
        snprintf(racy, sizeof racy, "%s", cli_path("racy.co"));
        snprintf(input, sizeof input, "in:%s", cli_path("data/f32_a.bin"));
        const char *run[16] = {"run",   racy,  "--grid", "256",      "--workgroup", "256",
                               "--arg", input, "--arg",  "buf:4096", "--check",     NULL};
        struct said s = cli_run(run);
        expect_status(&s, 1);
        expect_in(&s, s.out, "race.lds");
        expect_in(&s, s.out, "in no order");
        expect_in(&s, s.out, "LDS byte 0x");
        expect_in(&s, s.out, "which wave 2, lane 0 wrote with");
        expect_in(&s, s.out, "fix           a barrier between the two");
        said_free(&s);
        run[10] = NULL;
        told_unasked(run);
    }
}

/* The timing engine looks for stale lines, and compiled code reads none. */
static void in_time(void **state)
{
    (void)state;
    struct said s = RUN("run", "traces/samples/gfx90a/vecadd.json", "--check", "--engine", "timing");
    expect_status(&s, 0);
    expect_in(&s, s.out, "cycles");
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_clean), cmocka_unit_test(left_out),
                                       cmocka_unit_test(missing_wait),      cmocka_unit_test(launch_files),
                                       cmocka_unit_test(missing_barrier),   cmocka_unit_test(in_time)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
