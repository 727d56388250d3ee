/* The table of options as users meet it: help of every command, gcnsim help, -V, and what is suggested for words that
 * are mistyped.
 */
#include "tests/system/cli_run.h"

#define CO "traces/samples/gfx1201/vecadd.co"

static const char *const commands[] = {"run", "exec", "info", "disasm", "compare", "arch", "isa", "completion", "help"};

/* Every line fits, and every command's help is what gcnsim help prints of it. */
static void test_help_of_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct said a = RUN(commands[i], "--help"), b = RUN("help", commands[i]), c = RUN(commands[i], "-h");

        expect_status(&a, 0);
        assert_int_equal(a.err_bytes, 0);
        assert_string_equal(a.out, b.out);
        assert_string_equal(a.out, c.out);
        expect_in(&a, a.out, "usage: gcnsim ");
        for (char *line = strtok(a.out, "\n"); line; line = strtok(NULL, "\n"))
            if (strlen(line) > 80)
                fail_msg("gcnsim %s --help: a line of %zu columns: %s", commands[i], strlen(line), line);
        said_free(&a);
        said_free(&b);
        said_free(&c);
    }
}

static void test_help_of_the_program(void **state)
{
    (void)state;
    struct said a = RUN("--help"), b = RUN("help"), c = RUN("-h");

    expect_status(&a, 0);
    assert_string_equal(a.out, b.out);
    assert_string_equal(a.out, c.out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[40];

        snprintf(line, sizeof line, "\n  %-12s", commands[i]);
        expect_in(&a, a.out, line);
    }
    said_free(&a);
    said_free(&b);
    said_free(&c);
}

static void test_help_of_options(void **state)
{
    (void)state;
    struct said s = RUN("help", "grid");
    expect_status(&s, 0);
    assert_int_equal(strncmp(s.out, "gcnsim run", 10), 0);
    expect_in(&s, s.out, "\n  --grid X[,Y[,Z]]      work-items");
    said_free(&s);
    struct said dashes = RUN("help", "--set"), bare = RUN("help", "set");
    expect_status(&dashes, 0);
    assert_string_equal(dashes.out, bare.out);
    for (size_t i = 0; i < 3; i++)
        expect_in(&bare, bare.out, ((const char *const[]){"gcnsim run", "gcnsim exec\n", "gcnsim arch\n"})[i]);
    said_free(&dashes);
    said_free(&bare);
    expect_refused(RUN("help", "gird"),
                   WORDS("'gird' is no command, option or title of its help; did you mean 'grid'?"));
    expect_refused(RUN("help", "zzzzzzzzz"), WORDS("'zzzzzzzzz' is no command, option or title"));
    expect_refused(RUN("help", "run", "grid"), WORDS("2 words given"));
}

/* Parts of the help by their titles, and what several commands have alike once. */
static void test_help_of_titles(void **state)
{
    (void)state;
    struct said s = RUN("help", "arguments");
    expect_status(&s, 0);
    expect_in(&s, s.out, "gcnsim run: arguments\n  buf:BYTES           pointer to zero-filled device memory\n");
    said_free(&s);
    struct said dash = RUN("help", "exit-status"), blank = RUN("help", "exit status");
    expect_status(&dash, 0);
    assert_string_equal(dash.out, blank.out);
    expect_in(&dash, dash.out, "gcnsim run: exit status\n  0  the kernel ran to its end\n");
    expect_in(&dash, dash.out, "gcnsim compare: exit status\n");
    said_free(&dash);
    said_free(&blank);
    s = RUN("help", "trace-formats");
    expect_status(&s, 0);
    expect_in(&s, s.out, "gcnsim run\ntrace formats\n  issue-csv");
    said_free(&s);
    s = RUN("help", "max-memory");
    expect_in(&s, s.out, "\ngcnsim info, disasm\n  --max-memory BYTES    refuse a FILE that takes more");
    said_free(&s);
}

static void test_version(void **state)
{
    (void)state;
    struct said a = RUN("-V"), b = RUN("--version");

    expect_status(&a, 0);
    assert_string_equal(a.out, "gcnsim " GCNSIM_VERSION "\n");
    assert_string_equal(a.out, b.out);
    said_free(&a);
    said_free(&b);
}

static void test_suggestions(void **state)
{
    (void)state;
    static const struct {
        const char *args[6];
        const char *said;
    } cases[] = {
        {{"rnu"}, "'rnu' is not a command; did you mean 'run'?\n"},
        {{"dissasm"}, "'dissasm' is not a command; did you mean 'disasm'?\n"},
        {{"frobnicate"}, "'frobnicate' is not a command; expected run, annotate, explain, whatif, "},
        {{"run", CO, "--gird", "64"}, "there is no option --gird; did you mean '--grid'?\n"},
        {{"run", CO, "--gird=64"}, "there is no option --gird; did you mean '--grid'?\n"},
        {{"run", CO, "--max-cycle=3", "--max-cylces", "64"}, "no option --max-cylces; did you mean '--max-cycles'?\n"},
        {{"run", CO, "-grid", "64"}, "there is no option -grid; did you mean '--grid'?\n"},
        {{"run", CO, "--max", "64"},
         "--max is short for several options: --max-cycles, --max-instructions and --max-memory\n"},
        {{"run", CO, "--hex", "64"}, "there is no option --hex; 'gcnsim disasm' has it\n"},
        {{"run", CO, "--xyzzyxyzzy"}, "there is no option --xyzzyxyzzy\n"},
        {{"exec", "--treads", "2", "true"}, "there is no option --treads; did you mean '--threads'?\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(cli_run(cases[i].args), WORDS(cases[i].said, "Try 'gcnsim "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_of_commands), cmocka_unit_test(test_help_of_the_program),
        cmocka_unit_test(test_help_of_options),  cmocka_unit_test(test_help_of_titles),
        cmocka_unit_test(test_version),          cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests_name("table of options", tests, cli_setup, cli_teardown);
}
