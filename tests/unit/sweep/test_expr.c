/* Expressions of sweeps: what they compute, and what they must not do. */
#include "tests/unit/sweep/sweep_unit.h"

#include <sqlite3.h>

#include "tests/support/expr_names.h"

static struct expr_name names[] = {{"n", {.number = 12}, false},
                                   {"a.b", {.number = 2.5}, false},
                                   {"name", {.text = "it's"}, false},
                                   {"nothing", {0}, true},
                                   {0}};

/* The value as text; "none": it has none; "error: ...": it is none. */
static const char *eval(const char *text)
{
    static char out[800];
    struct sweep_expr *x;
    struct err e = {0};
    double number;
    const char *said;

    if (sweep_expr_new(&x, text, expr_name_is, names, &e)) {
        assert_null(x);
        assert_true(e.code == ERR_FORMAT || e.code == ERR_LIMIT);
        snprintf(out, sizeof out, "error: %s", e.text);
        return out;
    }
    if (sweep_expr_eval(x, expr_name_value, names, &number, &said))
        snprintf(out, sizeof out, "none");
    else if (said)
        snprintf(out, sizeof out, "'%s'", said);
    else
        snprintf(out, sizeof out, "%.15g", number);
    sweep_expr_free(x);
    return out;
}

static void test_values(void **state)
{
    (void)state;
    assert_string_equal(eval("n"), "12");
    assert_string_equal(eval("[n] * 2 + 1"), "25");
    assert_string_equal(eval("n / 5"), "2"); /* whole numbers divide as such */
    assert_string_equal(eval("n / 5.0"), "2.4");
    assert_string_equal(eval("[a.b] * 4"), "10");
    assert_string_equal(eval("max(n, [a.b]) - min(n, 3)"), "9");
    assert_string_equal(eval("n BETWEEN 10 AND 12 and not n = 11"), "1");
    assert_string_equal(eval("name"), "'it's'");
    assert_string_equal(eval("name = 'it''s'"), "1");
    assert_string_equal(eval("'[none] n ?'"), "'[none] n ?'"); /* what is in quotes is no name */
    assert_string_equal(eval("name || n"), "'it's12'");
    assert_string_equal(eval("1e-2 + 0x10"), "16.01");
    assert_string_equal(eval("NULL"), "none");
    assert_string_equal(eval("nothing"), "none");
    assert_string_equal(eval("CASE WHEN n > 10 THEN 'many' ELSE 'few' END"), "'many'");
    assert_string_equal(eval("n -- a comment\n + 1"), "13");
}

static void test_errors(void **state)
{
    static const char *const wrong[] = {"",    "n +", "(n",  "n)",   "'n", "m",
                                        "[m]", "[n",  "n n", "f(n)", "n;", "n; SELECT 1"};

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        if (strncmp(eval(wrong[k]), "error: ", 7) != 0)
            fail_msg("%s is %s", wrong[k], eval(wrong[k]));
    assert_non_null(strstr(eval("[m.x] > 1"), "there is no 'm.x'; expected"));
    assert_string_equal(eval("n ? 3"), "error: 'n ? 3': a parameter of SQL, '?'; expected names as they are");
}

/* A spec may come from anywhere: expressions read no file, write none, and come to an end. */
static void test_hostile(void **state)
{
    static const char *const wrong[] = {
        "load_extension('x')",
        "(SELECT count(*) FROM sqlite_master)",
        "(SELECT file FROM pragma_database_list)",
        "1) FROM sqlite_master; DROP TABLE x; SELECT (1",
        "1); ATTACH '/tmp/x' AS y; SELECT (1",
        "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c)",
        "zeroblob(2000000000) IS NULL OR length(hex(zeroblob(2000000000))) > 0",
        "?1",
        "?",
        ":n",
        "@n",
        "$n",
        /* each process of a cluster finds the same points */
        "random() > 0",
        "randomblob(4)",
        "date('now')",
        "strftime('%s')",
        "unixepoch()",
        "CURRENT_TIMESTAMP",
    };
    char deep[2100] = "";

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        if (strncmp(eval(wrong[k]), "error: ", 7) != 0 && strcmp(eval(wrong[k]), "none") != 0)
            fail_msg("%s is %s", wrong[k], eval(wrong[k]));
    for (int k = 0; k < 1000; k++)
        deep[k] = '(', deep[1001 + k] = ')';
    deep[1000] = 'n';
    /* newer versions of SQLite have a stack for it that grows */
    char plain[64];
    snprintf(plain, sizeof plain, "%s", eval("n"));
    assert_true(strncmp(eval(deep), "error: ", 7) == 0 || strcmp(eval(deep), plain) == 0);
}

static void test_many_names(void **state)
{
    char *text = calloc(1, 100000);

    (void)state;
    /* one name many times is one parameter */
    for (int k = 0; k < 300; k++)
        strcat(text, k ? "+n" : "n");
    assert_int_equal(strncmp(eval(text), "error: ", 7), 0); /* 300 deep */
    strcpy(text, "max(n");
    for (int k = 0; k < 90; k++)
        strcat(text, ", n");
    strcat(text, ")");
    assert_string_equal(eval(text), "12");
    free(text);
}

/* An expression gives all of its memory back, also one that is none. */
static void test_memory(void **state)
{
    (void)state;
    eval("n"); /* SQLite keeps some of its own */
    const sqlite3_int64 used = sqlite3_memory_used();
    assert_string_equal(eval("n + [a.b]"), "14.5");
    assert_non_null(strstr(eval("n +"), "error: "));
    assert_int_equal(sqlite3_memory_used(), used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_errors), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_many_names), cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
