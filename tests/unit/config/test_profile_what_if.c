/* Asking "what if" with little typing: bare values in a user's profile, --set, the figures that a pattern selects, and
 * the names that error messages suggest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/rows.h"

static struct profile *parse(const char *text)
{
    struct profile *p = NULL;
    struct err e = {0};

    if (profile_parse(&p, text, strlen(text), "mine", &e))
        fail_msg("%s", e.text);
    return p;
}

static void expect_origin(const struct profile *p, const char *path, enum profile_confidence confidence,
                          const char *source)
{
    const struct profile_origin *o = row_origin(p, profile_row_find(path));

    assert_true(o->given);
    assert_int_equal(o->confidence, confidence);
    assert_string_equal(o->source, source);
}

/* Numbers, words and booleans, in a group and in a group of a group. */
static void bare_values(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx90a-mi210\", \"cu\": {\"lds_queue_depth\": 3, \"issue_policy\": "
                              "\"every_cycle\"}, \"host\": {\"kernarg\": true}, \"dram\": {\"bytes_per_cycle\": 12.5}, "
                              "\"cache\": {\"l2\": {\"hit_latency_cycles\": 300}}}");

    assert_int_equal(p->cu.lds_queue_depth, 3);
    assert_int_equal(p->cu.issue_policy, ISSUE_EVERY_CYCLE);
    assert_true(p->host.kernarg);
    assert_true(p->dram.bytes_per_cycle == 12.5);
    assert_int_equal(p->cache[LEVEL_L2].hit_latency_cycles, 300);
    expect_origin(p, "cu.lds_queue_depth", CONF_WHAT_IF, "mine");
    expect_origin(p, "cu.issue_policy", CONF_WHAT_IF, "mine");
    expect_origin(p, "host.kernarg", CONF_WHAT_IF, "mine");
    expect_origin(p, "cache.l2.hit_latency_cycles", CONF_WHAT_IF, "mine");
    profile_free(p);
}

/* A figure with unit and source stays what it says, and so does one that only the base gives. */
static void others_keep_their_origin(void **state)
{
    (void)state;
    struct profile *p = parse(
        "{\"extends\": \"gfx90a-mi210\", \"dram\": {\"banks\": {\"value\": 8, \"unit\": \"banks\", \"confidence\": "
        "\"measured\", \"source\": \"here\"}, \"row_bytes\": {\"value\": 1024, \"unit\": \"bytes\", "
        "\"confidence\": \"what-if\", \"source\": \"half\"}}}");

    expect_origin(p, "dram.banks", CONF_MEASURED, "here");
    expect_origin(p, "dram.row_bytes", CONF_WHAT_IF, "half");
    assert_int_not_equal(row_origin(p, profile_row_find("cu.simds"))->confidence, CONF_WHAT_IF);
    profile_free(p);
}

/* The name of the file becomes a source that a dump can be read back with. */
static void odd_file_name(void **state)
{
    (void)state;
    const char text[] = "{\"extends\": \"gfx1201-rx9070xt\", \"dram\": {\"banks\": 8}}";
    struct profile *p = NULL, *again = NULL;
    struct err e = {0};
    char *dump;

    assert_int_equal(profile_parse(&p, text, strlen(text), "a\"b\\c\nd.json", &e), 0);
    expect_origin(p, "dram.banks", CONF_WHAT_IF, "a\"b\\c?d.json");
    assert_int_equal(profile_print(p, PROFILE_JSON, &dump, &e), 0);
    if (profile_parse(&again, dump, strlen(dump), "dump", &e))
        fail_msg("%s", e.text);
    expect_origin(again, "dram.banks", CONF_WHAT_IF, "a\"b\\c?d.json");
    free(dump);
    profile_free(p);
    profile_free(again);
}

static void bare_values_have_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *body, *message;
    } cases[] = {
        {"\"cu\": {\"simds\": 9}", "mine: cu.simds: impossible value 9; expected a whole number of SIMDs from 1 to 8"},
        {"\"cu\": {\"simds\": \"4\"}", "mine: cu.simds: is a string; expected a number in SIMDs"},
        {"\"cu\": {\"simds\": [4]}", "mine: cu.simds: is an array; expected a number in SIMDs"},
        {"\"cu\": {\"simds\": {\"value\": 4}}", "mine: cu.simds: missing unit"},
        {"\"cu\": 4", "mine: cu: is a number; expected an object"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct profile *p = NULL;
        struct err e = {0};
        char text[200];

        snprintf(text, sizeof text, "{\"extends\": \"gfx90a-mi210\", %s}", cases[k].body);
        assert_int_not_equal(profile_parse(&p, text, strlen(text), "mine", &e), 0);
        if (!strstr(e.text, cases[k].message))
            fail_msg("\"%s\" lacks \"%s\"", e.text, cases[k].message);
    }
}

static void set_is_what_if(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx1201-rx9070xt\"}");
    struct err e = {0};

    assert_int_equal(profile_set(p, "dram.banks", "8", &e), 0);
    expect_origin(p, "dram.banks", CONF_WHAT_IF, "--set");
    profile_free(p);
}

static void suggestions(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *path; /* null: nothing is near */
    } cases[] = {
        {"cu.lds_bnaks", "cu.lds_banks"},
        {"lds_banks", "cu.lds_banks"},
        {"gpu.lds_banks", "cu.lds_banks"},
        {"cache.l2.mshr", "cache.l2.mshrs"},
        {"cache.mal.ways", "cache.mall.ways"},
        {"dram.latency", "dram.latency_cycles"},
        {"class.valu.latency", "class.valu.latency_cycles"},
        {"cache.l2.*_policy", "cache.l2.write_policy"},
        {"xyzzy", NULL},
        {"", NULL},
        {"a.very.long.path.that.is.like.none.of.those.that.there.are.and.longer.than.what.is.compared.with.them.at.all",
         NULL},
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *near = profile_suggest_row(cases[k].wanted, true);

        if (!cases[k].path != !near || (near && strcmp(near, cases[k].path)))
            fail_msg("%s: %s, expected %s", cases[k].wanted, near ? near : "nothing",
                     cases[k].path ? cases[k].path : "nothing");
    }
    /* what says which profile it is cannot be set, but a file may have it */
    assert_string_equal(profile_suggest_row("chp", false), "chip");
    assert_null(profile_suggest_row("abuot", true));
    assert_string_equal(profile_suggest_row("abuot", false), "about");
}

/* --set, an unknown key of a file and the name of a profile. */
static void messages_suggest(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx1201-rx9070xt\"}"), *none = NULL;
    struct err e = {0};
    const char text[] = "{\"extends\": \"gfx1201-rx9070xt\", \"cache\": {\"l2\": {\"mshr\": 3}}}";
    static const struct {
        const char *name, *message;
    } names[] = {
        {"gfx1202", "(did you mean gfx1200?)"},
        {"mi300x", "(did you mean gfx942-mi300x?)"},
        {"gfx90a_mi210", "(did you mean gfx90a-mi210?)"},
        {"gfx1201-9070xt", "(did you mean gfx1201-rx9070xt?)"},
        {"gfx9O8", "(did you mean gfx9"},
    };

    assert_int_not_equal(profile_set(p, "cu.lds_bank", "3", &e), 0);
    assert_non_null(strstr(e.text, "--set: cu.lds_bank: unknown path (did you mean cu.lds_banks?)"));
    err_clear(&e);
    assert_int_not_equal(profile_set(p, "issue.vmem_per_visit", "3", &e), 0);
    assert_non_null(strstr(e.text, "(renamed; did you mean issue.vmem_per_cycle?)"));
    err_clear(&e);
    assert_int_not_equal(profile_set(p, "chip", "x", &e), 0);
    assert_non_null(strstr(e.text, "cannot be set"));
    err_clear(&e);
    assert_int_not_equal(profile_parse(&none, text, strlen(text), "mine", &e), 0);
    assert_non_null(strstr(e.text, "mine: cache.l2.mshr: unknown key (did you mean cache.l2.mshrs?)"));
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        err_clear(&e);
        assert_int_not_equal(profile_load(&none, names[k].name, &e), 0);
        if (!strstr(e.text, names[k].message))
            fail_msg("\"%s\" lacks \"%s\"", e.text, names[k].message);
    }
    err_clear(&e);
    assert_int_not_equal(profile_load(&none, "voodoo", &e), 0);
    assert_null(strstr(e.text, "did you mean"));
    profile_free(p);
}

/* Every new name that is suggested for an old one is that of a row, and the old one is none. */
static void renamed_rows_exist(void **state)
{
    (void)state;
    static const char *const old[] = {"issue.vmem_per_visit", "queue.salu_keep_cycles", "queue.vmem_turn_entries",
                                      "cache.i.hit_latency_cycles", "gpu.memory_bandwidth_gbps"};
    char hint[PROFILE_HINT], path[PROFILE_HINT];

    for (size_t k = 0; k < sizeof old / sizeof old[0]; k++) {
        assert_null(profile_row_find(old[k]));
        assert_int_equal(sscanf(profile_hint(old[k], true, hint), " (renamed; did you mean %[^?]?)", path), 1);
        assert_non_null(profile_row_find(path));
    }
}

static unsigned lines(const struct profile *p, size_t count, const char *const *patterns, const char *each)
{
    struct err e = {0};
    char *text;
    unsigned n = 0;

    if (profile_print_matching(p, count, patterns, PROFILE_TEXT, &text, &e))
        fail_msg("%s", e.text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#')
            continue;
        assert_non_null(strstr(line, each));
        n++;
    }
    free(text);
    return n;
}

static unsigned rows_with(const char *part)
{
    unsigned n = 0;

    for (size_t i = 0; i < profile_row_count; i++)
        n += strstr(profile_rows[i].path, part) != NULL;
    return n;
}

static void patterns_select(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx1201-rx9070xt\"}");

    assert_int_equal(lines(p, 1, (const char *[]){"cu.simds"}, "cu.simds "), 1);
    assert_int_equal(lines(p, 1, (const char *[]){"cache.l2"}, "cache.l2."), rows_with("cache.l2."));
    assert_int_equal(lines(p, 1, (const char *[]){"cache.*.mshrs"}, ".mshrs"), LEVEL_COUNT);
    assert_int_equal(lines(p, 1, (const char *[]){"cache.*"}, "cache."), rows_with("cache."));
    assert_int_equal(lines(p, 2, (const char *[]){"dram", "cache.l?.ways"}, ""), rows_with("dram.") + 1);
    assert_int_equal(lines(p, 1, (const char *[]){"*"}, ""), profile_row_count);
    profile_free(p);
}

static void patterns_in_json(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx1201-rx9070xt\"}");
    struct err e = {0};
    char *text;

    assert_int_equal(profile_set(p, "dram.banks", "8", &e), 0);
    assert_int_equal(profile_print_matching(p, 2, (const char *[]){"dram.banks", "gpu.xcds"}, PROFILE_JSON, &text, &e),
                     0);
    assert_string_equal(text, "{\n  \"gpu\": {\n    \"xcds\": {\"value\": 1, \"unit\": \"dies\", \"confidence\": "
                              "\"documented\", \"source\": \"ROCm GPU architecture specs table\"}\n  },\n  \"dram\": "
                              "{\n    \"banks\": {\"value\": 8, \"unit\": \"banks\", \"confidence\": \"what-if\", "
                              "\"source\": \"--set\"}\n  }\n}\n");
    free(text);
    profile_free(p);
}

static void pattern_without_a_match(void **state)
{
    (void)state;
    struct profile *p = parse("{\"extends\": \"gfx1201-rx9070xt\"}");
    struct err e = {0};
    char *text;

    assert_int_not_equal(
        profile_print_matching(p, 2, (const char *[]){"cache.*", "cahce.l2.*"}, PROFILE_TEXT, &text, &e), 0);
    assert_int_equal(e.code, ERR_USAGE);
    assert_null(text);
    assert_non_null(strstr(e.text, "no figure matches \"cahce.l2.*\" (did you mean cache.l2."));
    err_clear(&e);
    assert_int_not_equal(profile_print_matching(p, 1, (const char *[]){""}, PROFILE_TEXT, &text, &e), 0);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_values),
        cmocka_unit_test(others_keep_their_origin),
        cmocka_unit_test(odd_file_name),
        cmocka_unit_test(bare_values_have_ranges),
        cmocka_unit_test(set_is_what_if),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(messages_suggest),
        cmocka_unit_test(renamed_rows_exist),
        cmocka_unit_test(patterns_select),
        cmocka_unit_test(patterns_in_json),
        cmocka_unit_test(pattern_without_a_match),
    };
    return cmocka_run_group_tests_name("config/what_if", tests, NULL, NULL);
}
