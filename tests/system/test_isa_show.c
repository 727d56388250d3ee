/* gcnsim isa show: one instruction as text and JSON. Encodings, modifiers and counters are LLVM 19's and the manuals'.
 */
#include "tests/system/cli_run.h"

#include "tests/support/json.h"

#include "sim/api/gcnsim.h"

static const char *text_of(const struct json *object, const char *key)
{
    const char *s = json_text(json_get(object, key));

    return s ? s : "";
}

static bool lists(const struct json *object, const char *key, const char *word)
{
    const struct json *e;
    size_t index;

    json_each_element (json_get(object, key), index, e) {
        if (!strcmp(json_text(e), word))
            return true;
    }
    return false;
}

/* The only instruction of the answer. */
static const struct json *show(const char *name, const char *option, const char *value, const struct json **all)
{
    struct said s = option ? RUN("isa", "show", name, option, value, "--json") : RUN("isa", "show", name, "--json");

    expect_status(&s, 0);
    *all = json_parse(s.out);
    if (!*all)
        said_show(&s);
    assert_non_null(*all);
    said_free(&s);
    assert_int_equal(json_elements(json_get(*all, "instructions")), 1);
    return json_at(json_get(*all, "instructions"), 0);
}

static const struct json *only_encoding(const struct json *instruction)
{
    const struct json *list = json_get(instruction, "encodings");

    assert_int_equal(json_elements(list), 1);
    return json_at(list, 0);
}

static void modifiers_of_formats(void **state)
{
    static const struct {
        const char *target, *name, *has, *lacks;
    } cases[] = {
        {"gfx1201", "v_fma_f32", "neg abs clamp omod", "op_sel neg_lo glc"},
        {"gfx1201", "v_fma_f16", "neg abs clamp omod op_sel", "neg_lo"},
        {"gfx803", "v_fma_f16", "neg abs clamp omod", "op_sel"},
        {"gfx900", "v_add_u32", "clamp", "neg abs omod op_sel"},
        {"gfx900", "v_and_b32", "", "neg abs clamp omod op_sel"},
        {"gfx90a", "v_pk_fma_f16", "op_sel op_sel_hi neg_lo neg_hi clamp", "neg abs omod"},
        {"gfx90a", "v_mfma_f32_32x32x1f32", "cbsz abid blgp", "neg op_sel clamp"},
        {"gfx900", "global_load_dword", "offset glc slc", "dlc sc0 nt scope th"},
        {"gfx1030", "global_load_dword", "offset glc slc dlc", "sc0 nt scope th"},
        {"gfx942", "global_load_dword", "offset sc0 sc1 nt", "glc slc dlc scope th"},
        {"gfx1201", "global_load_b32", "offset scope th", "glc slc dlc sc0 nt"},
        {"gfx803", "flat_load_dword", "glc slc", "offset dlc"},
        {"gfx900", "ds_read_b32", "offset", "glc"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct json *all, *e = only_encoding(show(cases[k].name, "--target", cases[k].target, &all));
        char words[80], *rest;

        snprintf(words, sizeof words, "%s", cases[k].has);
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
            if (!lists(e, "modifiers", w))
                fail_msg("%s %s lacks %s", cases[k].target, cases[k].name, w);
        snprintf(words, sizeof words, "%s", cases[k].lacks);
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
            if (lists(e, "modifiers", w))
                fail_msg("%s %s has %s", cases[k].target, cases[k].name, w);
        json_free(all);
    }
}

static void counters(void **state)
{
    const struct json *all, *e = only_encoding(show("global_atomic_add_u32", "--target", "gfx1100", &all));

    (void)state;
    assert_true(lists(e, "counters", "vscnt"));
    assert_false(lists(e, "counters", "vmcnt"));
    assert_true(lists(e, "counters_returning", "vmcnt"));
    json_free(all);
    e = only_encoding(show("global_atomic_add_u32", "--target", "gfx1201", &all));
    assert_true(lists(e, "counters", "storecnt"));
    assert_true(lists(e, "counters_returning", "loadcnt"));
    json_free(all);
    e = only_encoding(show("flat_load_dword", "--target", "gfx900", &all));
    assert_true(lists(e, "counters", "vmcnt") && lists(e, "counters", "lgkmcnt"));
    assert_int_equal(json_elements(json_get(e, "counters_returning")), 2);
    json_free(all);
}

/* The formats of A and B may change the passes. */
static void passes(void **state)
{
    static const struct {
        const char *name, *line;
    } cases[] = {
        {"v_mfma_f32_16x16x16_f16", "16 x 16 x 16, 1 block, 4 passes\n"},
        {"v_mfma_f32_32x32x64_f8f6f4", "32 x 32 x 64, 1 block, 16 passes (8 where neither A nor B has 8 bits)\n"},
    };
    struct gcnsim_error error;
    char *text;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(gcnsim_isa_show(cases[k].name, "gfx950", NULL, GCNSIM_TEXT, &text, &error), GCNSIM_OK);
        assert_non_null(strstr(text, cases[k].line));
        gcnsim_free(text);
    }
}

/* Figures are the profile's own, with confidence and source; without --arch there are none. */
static void figures(void **state)
{
    const struct json *all, *i = show("v_exp_f32", "--arch", "gfx1201", &all), *trans;

    (void)state;
    assert_string_equal(text_of(all, "profile"), "gfx1201-rx9070xt");
    assert_string_equal(text_of(i, "class"), "trans");
    assert_true(lists(i, "implicit", "reads EXEC") && lists(i, "implicit", "reads MODE"));
    trans = json_get(json_get(json_get(json_get(i, "figures"), "class"), "trans"), "issue_cycles_w32");
    assert_non_null(trans);
    assert_true(json_number(json_get(trans, "value")) > 1);
    assert_string_equal(text_of(trans, "unit"), "cycles");
    assert_true(*text_of(trans, "confidence") && *text_of(trans, "source"));
    json_free(all);
    i = show("v_exp_f32", NULL, NULL, &all);
    assert_true(json_is_null(json_get(i, "figures")));
    assert_true(json_elements(json_get(i, "encodings")) > 1);
    json_free(all);
}

/* One instruction of each pipeline class on every built-in profile: all figures it asks for are in the profile. */
static void every_class(void **state)
{
    struct gcnsim_profile_info info;

    (void)state;
    for (uint32_t p = 0; gcnsim_profile_list(p, &info) == GCNSIM_OK; p++) {
        struct gcnsim_disasm *d;
        struct gcnsim_error error;
        struct gcnsim_isa_entry e;
        const char *seen[64];
        unsigned n = 0;

        assert_int_equal(gcnsim_disasm_open(&d, info.target, &error), GCNSIM_OK);
        for (uint32_t k = 0; gcnsim_isa_entry(d, k, &e) == GCNSIM_OK; k++) {
            unsigned at = 0;
            char *text;

            while (at < n && seen[at] != e.unit)
                at++;
            if (at < n)
                continue;
            seen[n++] = e.unit;
            if (gcnsim_isa_show(e.mnemonic, NULL, info.name, GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
                fail_msg("%s %s: %s", info.name, e.mnemonic, error.text);
            assert_non_null(strstr(text, e.mnemonic));
            assert_non_null(strstr(text, e.unit));
            gcnsim_free(text);
        }
        assert_true(n > 20);
        gcnsim_disasm_close(d);
    }
}

static void refusals(void **state)
{
    (void)state;
    expect_refused(RUN("isa", "show", "v_fma_f3"), WORDS("v_fma_f3", "did you mean v_fma_f32?"));
    expect_refused(RUN("isa", "show", "v_wmma_f32_16x16x16_f16", "--target", "gfx900"), WORDS("gfx900"));
    expect_refused(RUN("isa", "show", "qqqqqqqqqqqq"), WORDS("qqqqqqqqqqqq", "isa list"));
    expect_refused(RUN("isa", "show"), WORDS("MNEMONIC"));
    expect_refused(RUN("isa", "show", "v_fma_f32", "v_add_f32"), WORDS("MNEMONIC"));
    expect_refused(RUN("isa", "show", "v_fma_f32", "--target", "gfx7"), WORDS("gfx7"));
    expect_refused(RUN("isa", "show", "v_fma_f32", "--arch", "gfx1201", "--target", "gfx900"),
                   WORDS("gfx1201", "gfx900"));
    expect_refused(RUN("isa", "list", "--target", "gfx900", "--arch", "gfx900"), WORDS("--arch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modifiers_of_formats),
        cmocka_unit_test(counters),
        cmocka_unit_test(passes),
        cmocka_unit_test(figures),
        cmocka_unit_test(every_class),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
