/* What README.md shows of commands is what they print, but for numbers that change with every profile: runs and
 * comparisons are left out here. */
#include "tests/system/cli_run.h"

/* `$ gcnsim X` of the page, as a command of a shell; false: not one that is looked at. */
static bool shell_command(const char *line, size_t length, char *out, size_t size)
{
    static const char *const looked_at[] = {"info ", "disasm ", "isa ", "arch "};
    static const char prompt[] = "$ gcnsim ";
    size_t skip = sizeof prompt - 1;

    if (length < skip || strncmp(line, prompt, skip) != 0)
        return false;
    for (size_t k = 0; k < sizeof looked_at / sizeof looked_at[0]; k++)
        if (strncmp(line + skip, looked_at[k], strlen(looked_at[k])) == 0) {
            snprintf(out, size, "%s %.*s", cli_tool(), (int)(length - skip), line + skip);
            return true;
        }
    return false;
}

/* The lines up to the next prompt or the end of the block. */
static const char *end_of_output(const char *at)
{
    while (*at && strncmp(at, "```", 3) != 0 && strncmp(at, "$ ", 2) != 0)
        at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
    return at;
}

static void commands_print_what_the_page_has(void **state)
{
    size_t bytes;
    char *page = read_whole("README.md", &bytes), command[CLI_PATH + 1024];
    unsigned seen = 0;

    (void)state;
    assert_non_null(page);
    for (const char *at = page; *at;) {
        size_t length = strcspn(at, "\n");
        const char *next = at + length + (at[length] == '\n');
        if (shell_command(at, length, command, sizeof command)) {
            const char *end = end_of_output(next);
            char *got = calloc(1, (size_t)(end - next) + 65536);
            FILE *f = popen(command, "r");

            assert_non_null(got);
            assert_non_null(f);
            size_t n = fread(got, 1, (size_t)(end - next) + 65535, f);
            assert_int_equal(pclose(f), 0);
            if (n != (size_t)(end - next) || memcmp(got, next, n) != 0) {
                print_error("%.*s\n--- README.md\n%.*s--- printed\n%s", (int)length, at, (int)(end - next), next, got);
                fail();
            }
            free(got);
            seen++;
            next = end;
        }
        at = next;
    }
    assert_true(seen >= 6); /* info, two of disasm, isa list, arch list, arch show */
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commands_print_what_the_page_has)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
