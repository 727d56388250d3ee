/* Reports of runs: what report_make() keeps of a launch and an engine's result, word by word (tests/unit/report/words),
 * of samples on the functional engine, whose results depend on no figure of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/api.h"
#include "tests/support/run_sample.h"
#include "tests/support/words.h"

/* A sample's result and its report, without what is the host's, or changes with the profile's figures. */
static struct gcnsim_result *run_functional(const char *sample, bool check, struct report **report)
{
    struct gcnsim_dispatch d = {.engine = GCNSIM_ENGINE_FUNCTIONAL, .check = check, .threads = 1, .per_instruction = 1};
    struct gcnsim_result *result = run_sample_engine(sample, NULL, &d);
    struct report *r = (struct report *)(uintptr_t)api_report(result);

    r->run.seconds = 0;
    memset(r->run.profile_sha256, '0', sizeof r->run.profile_sha256 - 1);
    *report = r;
    return result;
}

static void expect(const char *name, char *text)
{
    assert_non_null(text);
    expect_words("tests/unit/report/words", name, words_mask(text, GCNSIM_VERSION));
    free(text);
}

static char *text_of(void (*writer)(FILE *f, const void *what), const void *what)
{
    return report_render(writer, what);
}

static void sample_without_checks(void **state)
{
    struct report *r;
    struct gcnsim_result *result = run_functional("traces/samples/gfx1201/matmul.json", false, &r);

    (void)state;
    expect("made_text", text_of(report_write_text, r));
    expect("made_json", text_of(report_write_json, r));
    gcnsim_result_free(result);
}

static void sample_with_checks(void **state)
{
    struct report *r;
    struct gcnsim_result *result = run_functional("traces/samples/gfx90a/reduce_lds.json", true, &r);

    (void)state;
    expect("made_checked", text_of(report_write_text, r));
    gcnsim_result_free(result);
}

static void fidelity_for_people(FILE *f, const void *report)
{
    const struct report *r = report;

    fidelity_text(f, &r->fidelity, "matmul");
    fputc('\n', f);
    fidelity_summary(f, &r->fidelity);
    fputc('\n', f);
    fidelity_first_lines(f, &r->fidelity);
}

/* Of the timing engine what is known of the figures, not what they are. */
static void fidelity_of_a_sample(void **state)
{
    struct gcnsim_result *result =
        run_sample_engine("traces/samples/gfx1201/softmax.json", NULL,
                          &(struct gcnsim_dispatch){.engine = GCNSIM_ENGINE_FUNCTIONAL, .per_instruction = 1});

    (void)state;
    expect("made_fidelity", text_of(fidelity_for_people, api_report(result)));
    gcnsim_result_free(result);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_without_checks),
        cmocka_unit_test(sample_with_checks),
        cmocka_unit_test(fidelity_of_a_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
