/* Remedies of an explanation as text and JSON (sim/study/explain_write.c): each state, of a launch that is made up
 * here. What is said of causes is in test_trials.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/words.h"

static void remedies(void **state)
{
    static const char *const sets[] = {"ideal.full_lines=true"};
    static const struct gcnsim_explained_place place = {
        .pc = 0x1600, .pc_offset = 0x600, .instruction = "s_nop 0", .source = "k.cl:7", .reason = ""};
    const struct gcnsim_explained_remedy remedy[] = {
        {.key = "uncoalesced",
         .text = "scattered lanes ask for 8.1 lines where 4 would hold the data: k.cl:7",
         .remedy = "neighbouring lanes on neighbouring data (transposed)",
         .state = GCNSIM_EXPLAINED_SIMULATED,
         .sets = sets,
         .set_count = 1,
         .cycles = 750,
         .saved = 250,
         .share = 0.25,
         .note = "",
         .places = &place,
         .place_count = 1},
        {.key = "dependency-chain",
         .text = "instructions wait for the one before them",
         .remedy = "independent work between them",
         .state = GCNSIM_EXPLAINED_BOUNDED,
         .cycles = 900,
         .saved = 100,
         .share = 0.1,
         .note = ""},
        {.key = "lds-step",
         .text = "25088 bytes of LDS let in 2 workgroups",
         .remedy = "fewer bytes",
         .state = GCNSIM_EXPLAINED_FAILED,
         .sets = sets,
         .set_count = 1,
         .cycles = 1000,
         .note = "no such chip"},
        {.key = "tail",
         .text = "a last round",
         .remedy = "a smaller grid",
         .state = GCNSIM_EXPLAINED_NAMED,
         .cycles = 1000,
         .note = ""},
    };
    const struct gcnsim_explanation x = {.struct_bytes = sizeof x,
                                         .kernel = "kernel",
                                         .target = "gfx90a",
                                         .profile = "mine",
                                         .cycles = 1000,
                                         .remedies = remedy,
                                         .remedy_count = sizeof remedy / sizeof *remedy,
                                         .simulations = 5,
                                         .jobs = 1};
    struct gcnsim_error e = {0};
    char *text;

    (void)state;
    assert_int_equal(gcnsim_explanation_text(&x, &text, &e), GCNSIM_OK);
    expect_words("tests/unit/study/words", "remedies_text", text);
    gcnsim_free(text);
    assert_int_equal(gcnsim_explanation_json(&x, &text, &e), GCNSIM_OK);
    expect_words("tests/unit/study/words", "remedies_json", text);
    gcnsim_free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(remedies)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
