/* gcnsim run --trace as a user meets it. */
#include <unistd.h>

#include "tests/system/cli_run.h"

static size_t lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* A row for each instruction the report counts, and the same file from any number of threads. */
static void one_row_for_each_instruction(void **state)
{
    char *first = NULL;

    (void)state;
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        char option[300], count[8], wanted[64];
        size_t size;
        struct said s;

        snprintf(option, sizeof option, "issue-csv=%s", cli_path("issues.csv"));
        snprintf(count, sizeof count, "%u", threads);
        s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--threads", count, "--trace", option, "--json", "-");
        expect_status(&s, 0);
        char *text = read_whole(cli_path("issues.csv"), &size);
        assert_non_null(text);
        assert_int_equal(strncmp(text, "cycle,cu,simd,slot,workgroup,wave,pc,class\n", 43), 0);
        snprintf(wanted, sizeof wanted, "\"total\": %zu", lines(text) - 1);
        expect_in(&s, s.out, wanted);
        said_free(&s);
        if (first) {
            assert_string_equal(text, first);
            free(text);
        } else {
            first = text;
        }
    }
    free(first);
}

/* "-" is standard output as of other files: it has the trace alone, of a wave's view and a report nothing. */
static void to_standard_output(void **state)
{
    struct said s =
        RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", "issue-csv=-", "--timeline", "--annotate");
    char option[300];
    size_t size;

    (void)state;
    expect_status(&s, 0);
    snprintf(option, sizeof option, "issue-csv=%s", cli_path("beside.csv"));
    struct said file = RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", option);
    char *text = read_whole(cli_path("beside.csv"), &size);
    assert_non_null(text);
    assert_string_equal(s.out, text);
    expect_in(&file, file.out, "saxpy");
    free(text);
    said_free(&file);
    said_free(&s);
    assert_int_not_equal(access("-", F_OK), 0);
}

static void expect_refusal(struct said s, const char *says)
{
    expect_status(&s, 2);
    expect_in(&s, s.err, says);
    said_free(&s);
}

static void one_thing_on_standard_output(void **state)
{
    (void)state;
    expect_refusal(RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", "issue-csv=-", "--json", "-"),
                   "--json - and --trace -; expected one of them on standard output");
    expect_refusal(RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", "issue-csv=-", "--trace", "issue-csv=-"),
                   "--trace issue-csv=-: a trace is written to standard output already");
    expect_refusal(RUN("run", "traces/samples/gfx1201/saxpy.json", "--att", "-"),
                   "--att -: a thread trace is a folder");
}

static void refusals(void **state)
{
    struct said s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", "issues.csv");

    (void)state;
    expect_status(&s, 2);
    expect_in(&s, s.err,
              "--trace: 'issues.csv'; expected FILE.pftrace, FILE.pftrace.gz, FILE.pftrace.zst, or FORMAT=FILE");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--engine", "functional", "--trace", "issue-csv=x");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--trace is of the timing engine");
    said_free(&s);
    s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--trace", "issue-csv=/dev/full");
    expect_status(&s, 3);
    expect_in(&s, s.err, "/dev/full: not everything could be written");
    said_free(&s);
    s = RUN("run", "--help");
    expect_status(&s, 0);
    expect_in(&s, s.out, "issue-csv");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_for_each_instruction),
        cmocka_unit_test(to_standard_output),
        cmocka_unit_test(one_thing_on_standard_output),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
