/* What the summary of gcnsim exec says of how far its dispatches can be believed: what their reports say, added up. */
#define _GNU_SOURCE
#include <glob.h>

#include "tests/hsa/exec_run.h"
#include "tests/system/cli_report.h"

struct sums {
    double executed, exact, wave_cycles, measured, guess;
};

static const char *folder_of(const char *program)
{
    static char path[CLI_PATH];

    snprintf(path, sizeof path, "%s", program);
    return dirname(path);
}

/* For all reports in the folder. */
static struct sums add_up(const char *folder)
{
    char pattern[CLI_PATH + 64];
    struct sums sums = {0};
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*.json", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 3);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        const struct json *report = json_parse_file(found.gl_pathv[k]);
        const struct json *f = object_at(report, "fidelity"), *cycles = json_get(f, "cycles");
        double waves = json_is_object(cycles) ? number_at(cycles, "wave_cycles") : 0;

        sums.executed += number_at(f, "instructions");
        sums.exact += number_at(object_at(f, "semantics"), "exact");
        sums.wave_cycles += waves;
        sums.measured += waves > 0 ? waves * number_at(object_at(cycles, "shares"), "measured") : 0;
        sums.guess += waves > 0 ? waves * number_at(object_at(cycles, "shares"), "guess") : 0;
        json_free(report);
    }
    globfree(&found);
    return sums;
}

/* Lines that were wrapped become one again. */
static void unwrap(char *text)
{
    static const char fold[] = "\ngcnsim:   ";

    for (char *at; (at = strstr(text, fold)) != NULL;) {
        *at = ' ';
        memmove(at + 1, at + sizeof fold - 1, strlen(at + sizeof fold - 1) + 1);
    }
}

/* The number in percent after a word of a line. */
static double percent_of(const char *text, const char *line, const char *word)
{
    const char *at = strstr(text, line);
    const char *found = at ? strstr(at, word) : NULL;

    if (!found || found > at + strcspn(at, "\n"))
        fail_msg("no '%s' with '%s' in\n%s", line, word, text);
    return strtod(found + strlen(word), NULL);
}

static void summary(void **state)
{
    static const char *const engines[] = {"timing", "functional"};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    for (unsigned k = 0; k < 2; k++) {
        const char *program = hsa_program("raw");
        char json[CLI_PATH];

        snprintf(json, sizeof json, "%s", cli_path(engines[k]));
        struct said s = RUN("exec", "--arch", "gfx90a", "--engine", engines[k], "--json", json, program,
                            folder_of(program), "dispatches");
        expect_status(&s, 0);
        struct sums sums = add_up(json);

        unwrap(s.err);
        assert_true(sums.executed > 0 && sums.exact == sums.executed);
        expect_in(&s, s.err, "results: all instructions exact");
        if (k == 0) {
            assert_true(sums.measured > 0 && sums.guess > 0);
            double measured = percent_of(s.err, "timing: ", "measured "),
                   guess = percent_of(s.err, "timing: ", "guess ");
            assert_true(measured - 100 * sums.measured / sums.wave_cycles < 0.06 &&
                        100 * sums.measured / sums.wave_cycles - measured < 0.06);
            assert_true(guess - 100 * sums.guess / sums.wave_cycles < 0.06 &&
                        100 * sums.guess / sums.wave_cycles - guess < 0.06);
            expect_in(&s, s.err, "least sure (guess): ");
        } else {
            assert_null(strstr(s.err, "timing: "));
        }
        said_free(&s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(summary)};

    return cmocka_run_group_tests_name("what to believe of gcnsim exec", tests, cli_setup, cli_teardown);
}
