/* Every variable of the environment with values that are understood, and with others: these are an error that names the
 * variable, on both engines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/options/exec.h"

#define FLAGS                                                                                                          \
    {                                                                                                                  \
        "2", "00", "01", "yes", "true", " 1", "1 ", "1,", ",", "-1"                                                    \
    }
#define WORDS                                                                                                          \
    {                                                                                                                  \
        ",", " ", "x", "0", "none,", "TIMING", "|"                                                                     \
    }
#define COUNTS                                                                                                         \
    {                                                                                                                  \
        "-1", "+1", " 1", "1 ", "1.5", "1e3", "4k", "0x", "1,2", ",", "k", "18446744073709551616"                      \
    }
#define SPANS                                                                                                          \
    {                                                                                                                  \
        "5", "5:5", "9:3", ":0", "a:b", "1:2:3", "1:2 ", "1,2", "-1:2", "1:-2", "18446744073709551616:", ","           \
    }
#define CHOICES                                                                                                        \
    {                                                                                                                  \
        ",,", ",", ",3", "k,", "k,0", "k,,", "k,99999999999999999999", "k,4294967296"                                  \
    }

enum { MOST = 14 };

static const struct {
    const char *name;
    const char *good[4], *bad[MOST]; /* no bad ones: any text, or a file's name, which who opens it judges */
} of[] = {
    {"GCNSIM_ARCH",
     {"gfx90a", "gfx90a,gfx1201", "any.json"},
     {",", "gfx90a,", ",gfx90a", "gfx90a,,gfx1201", "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a"}},
    {"GCNSIM_ENGINE",
     {"functional", "timing"},
     {"fast", "timing ", "functional,timing", "1", ",", "Timing", "func", "|"}},
    {"GCNSIM_THREADS", {"0", "1", "1024", "0x10"}, COUNTS},
    {"GCNSIM_THREADS", {NULL}, {"1025", "4294967297"}},
    {"GCNSIM_SET", {"a.b=1", "a.b=1\nc.d=2", "a.b=1\n"}, {"a.b", "=1", "a.b=1\nc"}},
    {"GCNSIM_PERFECT_MEMORY", {"0", "1"}, FLAGS},
    {"GCNSIM_SLACK", {"none", "page"}, WORDS},
    {"GCNSIM_KERNELS", {"axpy|^sum", "^a{2}$"}, {"(", "[a", "a{2", "*("}},
    {"GCNSIM_DISPATCHES",
     {"1", "3,7-9", "4-4", "18446744073709551615"},
     {"0", ",", "3,", ",3", "3-", "-3", "9-7", "1-2-3", "3 4", "1;2", "0x3", "99999999999999999999",
      "1-99999999999999999999", "all"}},
    {"GCNSIM_SAMPLE",
     {"kernels", "kernels=AUTO", "kernels=auto", "kernels=2"},
     {"kernel", "kernels=", "kernels=0", "kernels=1", "kernels=Auto", "workgroups=AUTO", "kernels=4294967296",
      "kernels,2", "2", ",", "kernels=99999999999999999999", "kernels "}},
    {"GCNSIM_BLIT_KERNELS", {"0", "1"}, FLAGS},
    {"GCNSIM_MAX_WALL",
     {"1", "0.5", "1e3", ".25"},
     {"0", "-1", "+1", " 1", "1 ", "1s", "1,5", "nan", "inf", "1e10", "1e999", "soon", ","}},
    {"GCNSIM_MAX_CYCLES", {"1", "18446744073709551615"}, COUNTS},
    {"GCNSIM_MAX_CYCLES", {NULL}, {"0"}},
    {"GCNSIM_MAX_INSTRUCTIONS", {"1", "0x10"}, COUNTS},
    {"GCNSIM_MAX_INSTRUCTIONS", {NULL}, {"0"}},
    {"GCNSIM_IGNORE_LDS_RACES", {"0", "1"}, FLAGS},
    {"GCNSIM_CHECK", {"0", "1"}, FLAGS},
    {"GCNSIM_REPORT", {"/a/b.db"}, {NULL}},
    {"GCNSIM_JSON", {"/a"}, {NULL}},
    {"GCNSIM_CSV", {"/a"}, {NULL}},
    {"GCNSIM_CSV_STATISTICS", {"/a"}, {NULL}},
    {"GCNSIM_CSV_COUNTERS", {"/a"}, {NULL}},
    {"GCNSIM_CSV_INSTRUCTIONS", {"/a"}, {NULL}},
    {"GCNSIM_ANNOTATE", {"0", "1"}, FLAGS},
    {"GCNSIM_SORT", {"pc", "cycles", "latency", "stall"}, WORDS},
    {"GCNSIM_TOP", {"1", "4294967295", "0x10"}, COUNTS},
    {"GCNSIM_TOP", {NULL}, {"0", "4294967296"}},
    {"GCNSIM_FUNCTION", {"f(int, int)"}, {NULL}},
    {"GCNSIM_COLOR", {"auto", "always", "never"}, WORDS},
    {"GCNSIM_OF", {"k", "k,3", "f(int, int)", "f(int, 3),2"}, CHOICES},
    {"GCNSIM_PER_INSTRUCTION", {"0", "1"}, FLAGS},
    {"GCNSIM_SAMPLES", {"1", "4294967296"}, COUNTS},
    {"GCNSIM_SAMPLES", {NULL}, {"0"}},
    {"GCNSIM_EXPLAIN", {"k", "k,3", "f(int, int)"}, CHOICES},
    {"GCNSIM_EXPLAIN_JSON", {"/a"}, {NULL}},
    {"GCNSIM_EXPLAIN_WARMUP", {"1", "7"}, COUNTS},
    {"GCNSIM_EXPLAIN_WARMUP", {NULL}, {"0", "4294967296"}},
    {"GCNSIM_HTML", {"/a"}, {NULL}},
    {"GCNSIM_ATT", {"/a"}, {NULL}},
    {"GCNSIM_ATT_CUS", {"first", "all"}, WORDS},
    {"GCNSIM_TRACE", {"/a.pftrace"}, {NULL}},
    {"GCNSIM_TRACE_CUS",
     {"0", "0,4-7", "65535"},
     {",", "0,", ",0", "0,,1", "4-", "-4", "7-4", "65536", "99999999999999999999", "0 1", "all"}},
    {"GCNSIM_TRACE_CYCLES", {"0:5", "5:", ":5", "0x10:0x20"}, SPANS},
    {"GCNSIM_TRACE_SIZE",
     {"1", "4611686018427387904", "512M"},
     {"-1", "+1", " 1", "1 ", "1.5", "4k", "0x", "1,2", ","}},
    {"GCNSIM_TRACE_SIZE", {NULL}, {"0", "4611686018427387905", "4194305T"}},
    {"GCNSIM_TRACE_NS", {"0", "1"}, FLAGS},
    {"GCNSIM_TIMELINE",
     {"0:0", "281474976710655:65535"},
     {"0", ":", "0:", ":0", "0:0:0", "0,0", "-1:0", "0:-1", "0:65536", "281474976710656:0", "a:b", "0:0 ", ","}},
    {"GCNSIM_TIMELINE_ROWS", {"0:5", "5:", ":5", ":"}, SPANS},
    {"GCNSIM_LOG", {"/a"}, {NULL}},
    {"GCNSIM_DETAILS", {"0", "1"}, FLAGS},
    {"GCNSIM_SUMMARY", {"0", "1"}, FLAGS},
};
enum { VARIABLES = sizeof of / sizeof *of };

static const char *const engines[] = {"functional", "timing"};

/* What is said with the variable set, on an engine; "": nothing, it is understood. */
static const char *said(const char *name, const char *value, const char *engine)
{
    static char why[512];
    struct exec_options o;

    setenv("GCNSIM_ENGINE", engine, 1);
    setenv(name, value, 1);
    why[0] = 0;
    bool good = exec_options_read(&o, why, sizeof why);
    unsetenv(name);
    unsetenv("GCNSIM_ENGINE");
    option_free(exec_options_table, &o);
    if (good != !why[0])
        fail_msg("%s='%s': %s, but '%s'", name, value, good ? "understood" : "not understood", why);
    return why;
}

/* Stated once more: these ask for something of the timing engine. */
static bool is_of_timing(const char *name)
{
    static const char *const names[] = {
        "GCNSIM_KERNELS",          "GCNSIM_DISPATCHES",      "GCNSIM_SAMPLE",        "GCNSIM_TRACE",   "GCNSIM_HTML",
        "GCNSIM_ANNOTATE",         "GCNSIM_TIMELINE",        "GCNSIM_SAMPLES",       "GCNSIM_EXPLAIN", "GCNSIM_ATT",
        "GCNSIM_CSV_INSTRUCTIONS", "GCNSIM_PER_INSTRUCTION", "GCNSIM_PERFECT_MEMORY"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static void good_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIABLES; k++)
        for (size_t v = 0; v < 4 && of[k].good[v]; v++)
            for (size_t e = 0; e < 2; e++) {
                const char *why = said(of[k].name, of[k].good[v], engines[e]);
                bool refused = !e && is_of_timing(of[k].name) && strcmp(of[k].good[v], "0") != 0;

                if (refused != (strstr(why, " is of the timing engine; expected GCNSIM_ENGINE=timing") != NULL) ||
                    (!refused && *why))
                    fail_msg("%s='%s' with %s: %s", of[k].name, of[k].good[v], engines[e], why);
            }
}

static void bad_values(void **state)
{
    char expected[300];

    (void)state;
    for (size_t k = 0; k < VARIABLES; k++)
        for (size_t v = 0; v < MOST && of[k].bad[v]; v++)
            for (size_t e = 0; e < 2; e++) {
                const char *why = said(of[k].name, of[k].bad[v], engines[e]);

                snprintf(expected, sizeof expected, "%s is '%s'; expected ", of[k].name, of[k].bad[v]);
                if (strncmp(why, expected, strlen(expected)) != 0 || strlen(why) < strlen(expected) + 4)
                    fail_msg("%s='%s' with %s: '%s'", of[k].name, of[k].bad[v], engines[e], why);
            }
}

static void empty_values(void **state)
{
    (void)state;
    EACH_OPTION_ROW(row, exec_options_table)
    for (size_t e = 0; row->variable && e < 2; e++)
        assert_string_equal(said(row->variable, "", engines[e]), "");
}

/* The table of this test has them all. */
static void each_variable_is_tested(void **state)
{
    size_t k = 0;

    (void)state;
    EACH_OPTION_ROW(row, exec_options_table)
    {
        size_t n = 0;

        while (row->variable && n < VARIABLES && strcmp(of[n].name, row->variable) != 0)
            n++;
        if (n == VARIABLES)
            fail_msg("no test has values of %s", row->variable);
        k += row->variable != NULL;
    }
    assert_true(k > 40);
}

static void words_are_told(void **state)
{
    (void)state;
    assert_string_equal(said("GCNSIM_SORT", "name", "functional"),
                        "GCNSIM_SORT is 'name'; expected pc, cycles, executed, latency or stall");
    assert_string_equal(said("GCNSIM_CHECK", "yes", "timing"), "GCNSIM_CHECK is 'yes'; expected 0 or 1");
    assert_string_equal(said("GCNSIM_TOP", "0", "timing"),
                        "GCNSIM_TOP is '0'; expected a whole number from 1 to 4294967295");
    assert_string_equal(said("GCNSIM_SAMPLES", "0", "timing"),
                        "GCNSIM_SAMPLES is '0'; expected a whole number from 1 on");
}

/* A value comes to where it belongs. */
static void what_is_read(void **state)
{
    struct exec_options o;
    char why[512];

    (void)state;
    setenv("GCNSIM_ENGINE", "timing", 1);
    setenv("GCNSIM_ARCH", "a,b", 1);
    setenv("GCNSIM_SORT", "latency", 1);
    setenv("GCNSIM_TIMELINE", "7:3", 1);
    setenv("GCNSIM_TRACE_CYCLES", "5:", 1);
    setenv("GCNSIM_SAMPLE", "kernels=4", 1);
    setenv("GCNSIM_SUMMARY", "0", 1);
    setenv("GCNSIM_MAX_WALL", "2.5", 1);
    setenv("GCNSIM_SET", "x=1\ny.z=2", 1);
    setenv("GCNSIM_CSV_COUNTERS", "/t", 1);
    assert_true(exec_options_read(&o, why, sizeof why));
    assert_true(exec_is_timing(&o) && o.profiles.count == 2 && o.common.sort == 3 && !o.summary);
    assert_true(o.common.timeline.given && o.common.timeline.workgroup == 7 && o.common.timeline.wave == 3);
    assert_true(o.common.trace_cycles.first == 5 && o.common.trace_cycles.end == 0);
    assert_true(o.common.sample_kernels && o.common.representatives == 4 && o.max_wall_seconds == 2.5);
    assert_true(!o.common.sample_workgroups && !o.common.sample_loops);
    assert_int_equal(o.slack, EXEC_SLACK_PAGE);
    assert_string_equal(o.profiles.items[1], "b");
    assert_true(o.common.sets.count == 2 && strcmp(o.common.sets.items[1], "y.z=2") == 0);
    assert_string_equal(o.csv_counters, "/t");
    option_free(exec_options_table, &o);
    setenv("GCNSIM_SAMPLE", "kernels,workgroups=77", 1);
    assert_false(exec_options_read(&o, why, sizeof why));
    assert_non_null(strstr(why, "GCNSIM_SAMPLE with workgroups does not simulate each of them; expected no "
                                "GCNSIM_TIMELINE beside it"));
    option_free(exec_options_table, &o);
    unsetenv("GCNSIM_TIMELINE");
    assert_true(exec_options_read(&o, why, sizeof why));
    assert_true(o.common.sample_kernels && !o.common.representatives && o.common.sample_workgroups == 77);
    option_free(exec_options_table, &o);
    setenv("GCNSIM_SAMPLE", "kernels,workgroups=AUTO", 1);
    assert_true(exec_options_read(&o, why, sizeof why));
    assert_true(o.common.sample_workgroups == OPTION_SAMPLE_AUTO && !o.common.sample_loops);
    option_free(exec_options_table, &o);
    setenv("GCNSIM_CHECK", "1", 1);
    assert_false(exec_options_read(&o, why, sizeof why));
    assert_non_null(strstr(why, "GCNSIM_SAMPLE estimates times; expected no GCNSIM_CHECK beside it"));
    option_free(exec_options_table, &o);
    EACH_OPTION_ROW(row, exec_options_table)
    if (row->variable)
        unsetenv(row->variable);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values),    cmocka_unit_test(bad_values),
        cmocka_unit_test(empty_values),   cmocka_unit_test(each_variable_is_tested),
        cmocka_unit_test(words_are_told), cmocka_unit_test(what_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
