/* The arithmetic of the bench's tables (tests/bench/rows.sh) on made-up figures, and what its scripts say of wrong
 * input; that the recorded figures can be read. No rate is measured here.
 */
#include "tests/system/cli_run.h"

static char *rows_path(const char *name, const char *text)
{
    char *path = strdup(cli_path(name));
    FILE *f = path ? fopen(path, "w") : NULL;

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* What a script prints, to be freed. */
static char *said_by(int status, const char *const argv[])
{
    size_t bytes;
    int got = spawn_tool(argv, cli_path("said"));
    char *said = read_whole(cli_path("said"), &bytes);

    assert_non_null(said);
    if (got != status)
        fail_msg("%s: status %d: %s", argv[1], got, said);
    return said;
}

static void expect_rows(const char *what, const char *a, const char *b, const char *text)
{
    char *left = rows_path("left", a), *right = rows_path("right", b);
    char *said = said_by(0, (const char *[]){"sh", "tests/bench/rows.sh", what, left, right, NULL});

    assert_string_equal(said, text);
    free(said);
    free(left);
    free(right);
}

/* The host is twice as fast as it was, so a rate that doubled and a time that halved are as they were; a ratio is what
 * it is. The best of several counts. */
static void shows_ratios(void **state)
{
    (void)state;
    expect_rows(
        "show",
        "# recorded\nloop\t100\tM/s\t500\nstart\t4\tms\t500\nscaling\t1.5\tx faster\t500\ncost\t3\tx slower\t500\n"
        "gone\t1\tM/s\t1\n",
        "loop\t150\tM/s\t1000\nloop\t200\tM/s\t1000\nloop\t199\tM/s\t1000\nstart\t1\tms\t1000\n"
        "scaling\t1.2\tx faster\t1000\ncost\t3\tx slower\t1000\nnew\t0.5\t1/s\t1000\n",
        "row            now           of host recorded, here  ratio\n"
        "loop         200.0 M/s        0.2000          200.0   1.00\n"
        "start         1.00 ms              -           2.00   2.00 +\n"
        "scaling       1.20 x faster        -           1.50   0.80 !\n"
        "cost          3.00 x slower        -           3.00   1.00\n"
        "new          0.500 1/s             -              -      -\n");
}

/* Ratios are of the best runs, B's advantage above 1. What is within the spread of either side has no mark. */
static void compares_in_turns(void **state)
{
    (void)state;
    expect_rows(
        "compare",
        "loop\t100\tM/s\t9\nloop\t80\tM/s\t9\nstart\t2\tms\t9\nstart\t2.1\tms\t9\nnoisy\t10\t1/s\t9\nnoisy\t5\t1/s\t9\n"
        "old\t1\tMiB\t9\n",
        "loop\t130\tM/s\t9\nloop\t125\tM/s\t9\nstart\t3\tms\t9\nstart\t3.3\tms\t9\nnoisy\t15\t1/s\t9\nnoisy\t14\t1/"
        "s\t9\n"
        "new\t1\tMiB\t9\n",
        "row            A          B           ratio   spread A, B\n"
        "loop       100.0      130.0 M/s        1.30    25 %   4 % +\n"
        "start       2.00       3.00 ms         0.67     5 %  10 % !\n"
        "noisy      10.00      15.00 1/s        1.50   100 %   7 %\n"
        "old         1.00          - MiB     \n"
        "new            -       1.00 MiB     \n");
}

/* A figure that was measured beside other work says so, and so does a line below; the best of several counts here, too.
 */
static void tells_a_busy_machine(void **state)
{
    (void)state;
    expect_rows(
        "show", "loop\t100\tM/s\t500\n",
        "# load average 7.25 on 2 processors\nloop\t50\tM/s\t500\t0.312\nquiet\t3\tms\t500\t0.95\n"
        "twice\t4\t1/s\t500\t0.2\ntwice\t5\t1/s\t500\t0.96\n",
        "row          now           of host recorded, here  ratio\n"
        "loop       50.00 M/s        0.1000          100.0   0.50 !  busy: 31 % of a processor\n"
        "quiet       3.00 ms              -              -      -\n"
        "twice       5.00 1/s             -              -      -\n"
        "\nThe machine was busy: 1 of 3 figures had less than 95 % of a processor and are worse than without that "
        "work.\nLoad average at the start: 7.25 on 2 processors.\n");
    expect_rows(
        "compare", "loop\t100\tM/s\t9\t0.9\n", "loop\t100\tM/s\t9\t1\n",
        "row           A          B           ratio   spread A, B\n"
        "loop      100.0      100.0 M/s        1.00     0 %   0 %  busy: 90 % of a processor\n"
        "\nThe machine was busy: 1 of 1 figures had less than 95 % of a processor and are worse than without that "
        "work.\n");
}

static void records_and_keeps(void **state)
{
    (void)state;
    char *old = rows_path("recorded", "# once\nloop\t100\tM/s\t500\nkept\t7\tms\t500\n");
    char *now = rows_path("now", "loop\t120\tM/s\t400\nloop\t110\tM/s\t400\n");
    size_t bytes;

    free(said_by(0, (const char *[]){"sh", "tests/bench/rows.sh", "record", old, now, NULL}));
    char *text = read_whole(old, &bytes);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nloop\t120\tM/s\t400\nkept\t7\tms\t500\n"));
    assert_memory_equal(text, "# What make bench has measured", 30);
    free(text);
    free(old);
    free(now);
}

static void refuses_what_is_no_row(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"a\tb\tM/s\t1\n", "line 1: expected name, figure, unit and host"},
        {"a\t1\tM/s\t1\tbusy\n", "line 1: expected name, figure, unit and host, in columns, and the share"},
        {"ok\t1\tM/s\t1\na\t1\tM/s\n", "line 2: expected name"},
        {"a\t1\tM/s\t0\n", "line 1: expected name"},
        {"a\t1\tfurlongs\t1\n", "line 1: unknown unit furlongs"},
    };
    (void)state;
    char *good = rows_path("good", "");

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *bad = rows_path("bad", cases[k].text);
        char *said = said_by(1, (const char *[]){"sh", "tests/bench/rows.sh", "compare", good, bad, NULL});

        assert_non_null(strstr(said, cases[k].says));
        free(said);
        free(bad);
    }
    free(said_by(1, (const char *[]){"sh", "tests/bench/rows.sh", "compare", good, "/nowhere", NULL}));
    free(said_by(2, (const char *[]){"sh", "tests/bench/rows.sh", "show", good, NULL}));
    free(good);
}

static void names_a_wrong_part_and_commit(void **state)
{
    (void)state;
    char *said = said_by(2, (const char *[]){"sh", "tests/bench/run.sh", "build", cli_path("r"), "lopps", NULL});

    assert_non_null(strstr(said, "ONLY=lopps: expected some of loops"));
    free(said);
    said = said_by(2, (const char *[]){"sh", "tests/bench/compare.sh", "build", "no-such-branch", NULL});
    assert_non_null(strstr(said, "REF=no-such-branch: no such commit"));
    free(said);
    said = said_by(2, (const char *[]){"sh", "tests/bench/compare.sh", "build", "", NULL});
    assert_non_null(strstr(said, "expected make bench-compare REF=COMMIT"));
    free(said);
}

static void recorded_figures_can_be_read(void **state)
{
    const char *recorded = "tests/bench/recorded.tsv";
    (void)state;
    char *said = said_by(0, (const char *[]){"sh", "tests/bench/rows.sh", "show", recorded, recorded, NULL});

    assert_non_null(strstr(said, "fma loop, gfx1201, functional"));
    assert_null(strstr(said, " !"));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_ratios),
        cmocka_unit_test(compares_in_turns),
        cmocka_unit_test(tells_a_busy_machine),
        cmocka_unit_test(records_and_keeps),
        cmocka_unit_test(refuses_what_is_no_row),
        cmocka_unit_test(names_a_wrong_part_and_commit),
        cmocka_unit_test(recorded_figures_can_be_read),
    };

    snprintf(cli_dir, sizeof cli_dir, "%s", program_folder());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
