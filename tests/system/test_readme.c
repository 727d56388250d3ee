/* Holds README.md against the tool: its kernel of one's own compiles and runs by the lines below it. What its commands
 * print is compared in test_documents.c. */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* The fenced block of the page that starts with these words, without its fences, as a file of the test's folder. */
static const char *block_to_file(const char *page, const char *fence, const char *words, const char *name)
{
    char start[256];

    snprintf(start, sizeof start, "\n```%s\n%s", fence, words);
    const char *block = strstr(page, start);
    if (!block)
        fail_msg("README.md has no block that starts with '%s'", words);
    block += strlen(start) - strlen(words);
    const char *end = strstr(block, "\n```");
    assert_non_null(end);
    write_file(cli_path(name), block, (size_t)(end + 1 - block));
    return block;
}

/* The source, the compiler's line and the run, as they stand on the page: scale_add with k = 1.5 and n = 1000. */
static void kernel_of_ones_own_compiles_and_runs(void **state)
{
    enum { COUNT = 1024, N = 1000 };
    static float a[COUNT], b[COUNT];
    size_t bytes;
    char *page = read_whole("README.md", &bytes), tool[CLI_PATH], command[3 * CLI_PATH + 1024];

    (void)state;
    NEED_CLANG();
    assert_non_null(page);
    block_to_file(page, "c", "kernel void scale_add(", "scale_add.cl");
    const char *commands = block_to_file(page, "", "clang-19 ", "commands");
    assert_non_null(strstr(commands, "\ngcnsim run scale_add.co "));
    free(page);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i + 1);
    }
    write_file(cli_path("a.bin"), a, sizeof a);
    write_file(cli_path("b.bin"), b, sizeof b);

    snprintf(tool, sizeof tool, "%s", cli_tool());
    *strrchr(tool, '/') = 0;
    snprintf(command, sizeof command, "PATH=\"$(cd '%s' && pwd)\":\"$PATH\" && cd '%s' && sh -e commands >log 2>&1",
             tool, cli_dir);
    if (system(command) != 0) {
        print_error("%s\n", read_whole(cli_path("log"), &bytes));
        fail_msg("the commands of README.md fail");
    }
    float *c = (float *)read_whole(cli_path("c.bin"), &bytes);
    assert_non_null(c);
    assert_int_equal(bytes, sizeof a);
    for (int i = 0; i < COUNT; i++)
        if (c[i] != (i < N ? 1.5f * a[i] + b[i] : 0))
            fail_msg("c[%d] is %g", i, (double)c[i]);
    free(c);
}

/* The views of a launch, as they stand on the page; they leave what they say they do. */
static void views_run(void **state)
{
    static const char *const made[] = {"softmax.html", "softmax.pftrace", "softmax_trace"};
    size_t bytes;
    char *page = read_whole("README.md", &bytes), tool[CLI_PATH], command[3 * CLI_PATH + 1024];
    char here[CLI_PATH];

    (void)state;
    assert_non_null(page);
    block_to_file(page, "", "launch=", "views");
    free(page);
    snprintf(tool, sizeof tool, "%s", cli_tool());
    *strrchr(tool, '/') = 0;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(command, sizeof command,
             "PATH=\"$(cd '%s' && pwd)\":\"$PATH\" && cd '%s' && ln -s '%s/traces' traces && sh -e views >log 2>&1",
             tool, cli_dir, here);
    if (system(command) != 0) {
        print_error("%s\n", read_whole(cli_path("log"), &bytes));
        fail_msg("the views of README.md fail");
    }
    for (size_t k = 0; k < sizeof made / sizeof made[0]; k++)
        assert_int_equal(access(cli_path(made[k]), R_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernel_of_ones_own_compiles_and_runs),
                                       cmocka_unit_test(views_run)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
