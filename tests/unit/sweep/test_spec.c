/* The reader of sweeps: every key, every error by file and key, and the values of axes. */
#include "tests/unit/sweep/sweep_unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- errors ---- */

struct wrong {
    const char *spec, *where; /* the message begins with "spec.json: WHERE" */
};

static void expect_wrong(int rc, struct sweep_spec *s, const struct err *e, const struct wrong *w)
{
    char begins[300];

    snprintf(begins, sizeof begins, "spec.json: %s", w->where);
    assert_int_equal(rc, -1);
    assert_null(s);
    assert_int_equal(e->code, ERR_FORMAT);
    if (strncmp(e->text, begins, strlen(begins)) != 0 || !strstr(e->text, "expected"))
        fail_msg("%s\n  says: %s\n  not:  %s...", w->spec, e->text, begins);
}

/* Each is refused; pattern: what they stand in, as the members of a spec with a launch; null: they are whole files. */
static void expect_all_wrong(const struct wrong *wrong, size_t count, const char *pattern)
{
    for (size_t k = 0; k < count; k++) {
        struct sweep_spec *s = NULL;
        struct err e = {0};
        char text[400];

        if (pattern)
            snprintf(text, sizeof text, pattern, wrong[k].spec);
        expect_wrong(pattern ? parse_with(&s, text, &e) : parse(&s, wrong[k].spec, &e), s, &e, &wrong[k]);
    }
}
#define ALL_WRONG(wrong, pattern) expect_all_wrong(wrong, sizeof(wrong) / sizeof(wrong)[0], pattern)

static void test_whole_file(void **state)
{
    static const struct wrong wrong[] = {
        {"", "line 1, column 1: "},
        {"[]", "expected an object"},
        {"{", "line 1, column 2: "},
        {"{}", "gcnsim_sweep: expected 1"},
        {"{'gcnsim_sweep': 2, 'launches': ['a']}", "gcnsim_sweep: expected 1"},
        {"{'gcnsim_sweep': '1', 'launches': ['a']}", "gcnsim_sweep: expected 1"},
        {"{'gcnsim_sweep': 1}", "launches: expected a list"},
        {"{'gcnsim_sweep': 1, 'launches': ['a'], 'lunches': []}", "'lunches' is no key; expected "},
        {"{'gcnsim_sweep': 1, 'launches': ['a'], 'launches': ['b']}", ""},
        {"{'gcnsim_sweep': 1, 'launches': [[[[[[[[[[['a']]]]]]]]]]]}", ""},
    };

    (void)state;
    ALL_WRONG(wrong, NULL);
}

static void test_launches(void **state)
{
    static const struct wrong wrong[] = {
        {"{'gcnsim_sweep': 1, 'launches': 'a'}", "launches: expected a list"},
        {"{'gcnsim_sweep': 1, 'launches': []}", "launches: expected a list"},
        {"{'gcnsim_sweep': 1, 'launches': [7]}", "launches[0]: expected the path"},
        {"{'gcnsim_sweep': 1, 'launches': ['']}", "launches[0]: expected a text"},
        {"{'gcnsim_sweep': 1, 'launches': ['a', {}]}", "launches[1]: expected run or exec"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': []}]}", "launches[0].run: expected a file"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': 'a'}]}", "launches[0].run: expected a list"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': [1]}]}", "launches[0].run: expected a text"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'exec': ['b']}]}", "launches[0].exec: expected one of"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'name': 3}]}", "launches[0].name: expected a text"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'options': 'x'}]}", "launches[0].options: expected a list"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'environment': []}]}", "launches[0].environment: expected"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'environment': {'A': 1}}]}",
         "launches[0].environment: expected a text"},
        {"{'gcnsim_sweep': 1, 'launches': [{'run': ['a'], 'environment': {'A=B': 'c'}}]}",
         "launches[0].environment: expected names without"},
        {"{'gcnsim_sweep': 1, 'launches': [{'rum': ['a']}]}", "launches[0]: 'rum' is no key; expected"},
        {"{'gcnsim_sweep': 1, 'launches': ['x/a.json', 'y/a.json']}",
         "launches[0] and launches[1] are both called 'a'"},
    };

    (void)state;
    ALL_WRONG(wrong, NULL);
}

static void test_other_keys(void **state)
{
    static const struct wrong wrong[] = {
        {"'name': 1", "name: expected a text"},
        {"'output': ''", "output: expected a text"},
        {"'profiles': []", "profiles: expected a list"},
        {"'profiles': 'gfx90a'", "profiles: expected a list"},
        {"'profiles': ['gfx90a', 'gfx90a']", "profiles: expected each profile once"},
        {"'define': []", "define: expected an object"},
        {"'define': {'a b': '1'}", "define: expected names"},
        {"'define': {'n': 1}", "define: expected a text"},
        {"'define': {'n': '1'}, 'axes': [{'parameter': 'n', 'values': [1]}]}", ""},
        {"'filters': ['n', 1]", "filters: expected a text"},
        {"'filters': 'n'", "filters: expected a list"},
        {"'objectives': 'cycles'", "objectives: expected a list"},
        {"'objectives': [{'goal': 'minimize'}]", "objectives: value: expected"},
        {"'objectives': [{'value': 'cycles', 'goal': 'more'}]", "objectives: goal: expected"},
        {"'objectives': [{'values': 'cycles'}]", "'values' is no key; expected value"},
        {"'options': [1]", "options: expected a text"},
        {"'sampling': []", "sampling: expected an object"},
        {"'sampling': {'method': 'random'}", "sampling: method: expected"},
        {"'sampling': {'method': 1}", "sampling: method: expected"},
        {"'sampling': {'method': 'latin-hypercube'}", "sampling: points: expected the number"},
        {"'sampling': {'points': 4}", "sampling: points: expected none"},
        {"'sampling': {'method': 'latin-hypercube', 'points': 0}", "sampling: points: expected a whole number"},
        {"'sampling': {'method': 'latin-hypercube', 'points': 4, 'seed': -1}", "sampling: seed: expected a whole"},
        {"'sampling': {'method': 'latin-hypercube', 'points': 4, 'sed': 1}", "'sed' is no key"},
        {"'limits': 3", "limits: expected an object"},
        {"'limits': {'points': 0}", "limits: points: expected a whole number"},
        {"'limits': {'points': 2.5}", "limits: points: expected a whole number"},
        {"'limits': {'seconds': 0}", "limits: seconds: expected a positive number"},
        {"'limits': {'hours': 1}", "'hours' is no key; expected points or seconds"},
    };

    (void)state;
    ALL_WRONG(wrong, "%s");
}

static void test_axes(void **state)
{
    static const struct wrong wrong[] = {
        {"{}", "axes: expected a list"},
        {"[3]", "axes[0]: expected an object"},
        {"[{}]", "axes[0]: expected set, parameter, argument or option"},
        {"[{'values': [1]}]", "axes[0]: expected set, parameter, argument or option"},
        {"[{'set': 'cu.simds'}]", "axes[0]: expected values or range"},
        {"[{'set': 'cu.simds', 'values': []}]", "axes[0].values: expected one value at least"},
        {"[{'set': 'cu.simds', 'values': 4}]", "axes[0].values: expected a list"},
        {"[{'set': 'cu.simds', 'values': [null]}]", "axes[0].values: expected numbers"},
        {"[{'set': 'cu.simds', 'values': [4, '4']}]", "axes[0].values: 4 stands there twice; expected"},
        {"[{'set': 'cu.simds', 'values': [1], 'range': {'from': 1, 'to': 2, 'step': 1}}]",
         "axes[0].range: expected one of values and range"},
        {"[{'set': 'cu.simds', 'parameter': 'n', 'values': [1]}]", "axes[0].parameter: expected one of set"},
        {"[{'set': 7, 'values': [1]}]", "axes[0].set: expected a text"},
        {"[{'set': 'a[b', 'values': [1]}]", "axes[0].set: expected a name without brackets"},
        {"[{'parameter': 'a.b', 'values': [1]}]", "axes[0].parameter: expected a name of letters"},
        {"[{'option': '--threads', 'values': [1]}]", "axes[0].option: expected the name of an option without dashes"},
        {"[{'argument': -1, 'values': ['u32:1']}]", "axes[0].argument: expected a whole number"},
        {"[{'argument': 0, 'values': [1]}]", "axes[0].type: expected the type"},
        {"[{'set': 'cu.simds', 'values': [1], 'type': 'u32'}]", "axes[0].type: expected none but beside argument"},
        {"[{'set': 'cu.simds', 'values': [1], 'step': 1}]", "axes[0]: 'step' is no key; expected"},
        {"[{'set': 'a', 'range': {'from': 1, 'to': 2, 'steps': 1}}]", "axes[0]: 'steps' is no key; expected from, to"},
        {"[{'paired': []}]", "axes[0].paired: expected a list of axes"},
        {"[{'paired': [{'set': 'a', 'values': [1]}], 'set': 'b'}]", "axes[0].paired: expected a list of axes"},
        {"[{'paired': [1]}]", "axes[0].paired[0]: expected an object"},
        {"[{'paired': [{'set': 'a', 'values': [1]}, {'set': 'b', 'values': [1, 2]}]}]",
         "axes[0].paired[1]: 2 values, and 1 in paired[0]; expected"},
        {"[{'set': 'a', 'values': [1]}, {'set': 'A', 'values': [2]}]", "axes: A is on two axes; expected"},
        {"[{'parameter': 'launch', 'values': [1]}]", "axes: 'launch' is a column of the results already; expected"},
        {"[{'parameter': 'Cycles', 'values': [1]}]", "axes: 'Cycles' is a column of the results already; expected"},
        {"[{'parameter': 'outcome', 'values': [1]}]", "axes: 'outcome' is a column of the results already; expected"},
    };

    (void)state;
    ALL_WRONG(wrong, "'axes': %s");
}

static void test_ranges_that_are_none(void **state)
{
    static const struct wrong wrong[] = {
        {"[]", "expected an object"},
        {"{'to': 2, 'step': 1}", "expected from and to"},
        {"{'from': 2, 'step': 1}", "expected from and to"},
        {"{'from': 2, 'to': 1, 'step': 1}", "expected a range that goes up"},
        {"{'from': 1, 'to': 2}", "expected one of step and count"},
        {"{'from': 1, 'to': 2, 'step': 1, 'count': 2}", "expected one of step and count"},
        {"{'from': 1, 'to': 2, 'step': -1}", ".step: expected a positive number"},
        {"{'from': 1, 'to': 2, 'step': 1, 'scale': 'log'}", ".step: expected a factor above 1"},
        {"{'from': 0, 'to': 2, 'step': 2, 'scale': 'log'}", ".from: expected a number above 0"},
        {"{'from': 1, 'to': 2, 'count': 0}", ".count: expected a whole number"},
        {"{'from': 1, 'to': 2, 'count': 70000}", ".count: expected a whole number"},
        {"{'from': 0, 'to': 1e6, 'step': 1}", "expected at most 65535 values"},
        {"{'from': 1, 'to': 2, 'step': 1, 'multiple': -8}", ".multiple: expected a positive number"},
        {"{'from': '1', 'to': 2, 'step': 1}", ".from: expected a number"},
        {"{'from': 1, 'to': 2, 'step': 1, 'scale': 'ln'}", ".scale: expected"},
        {"{'from': 1, 'to': 2, 'steps': 1}", NULL},
        {"{'from': -1e308, 'to': 1e308, 'count': 3}", NULL},
    };

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        struct sweep_spec *s = NULL;
        struct err e = {0};
        char text[400], where[100];
        const char *at = wrong[k].where;

        snprintf(text, sizeof text, "'axes': [{'set': 'a', 'range': %s}]", wrong[k].spec);
        snprintf(where, sizeof where, "axes[0]%s%s", at ? (*at == '.' ? ".range" : ".range: ") : "", at ? at : "");
        expect_wrong(parse_with(&s, text, &e), s, &e, &(struct wrong){text, where});
    }
}

/* ---- values ---- */

static void expect_values(const char *of, const char *values)
{
    char more[600], got[2000] = "";
    struct sweep_spec *s;

    snprintf(more, sizeof more, "'axes': [{'set': 'a', %s}]", of);
    s = spec_with(more);
    for (uint32_t k = 0; k < s->axis[0].values; k++) {
        const struct sweep_value *v = &s->axis[0].part[0].value[k];

        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", k ? " " : "", v->text);
        if (v->is_number)
            assert_true(strtod(v->text, NULL) == v->number);
    }
    assert_string_equal(got, values);
    sweep_spec_free(s);
}

static void test_ranges(void **state)
{
    (void)state;
    expect_values("'range': {'from': 1, 'to': 4, 'step': 1}", "1 2 3 4");
    expect_values("'range': {'from': 1, 'to': 8, 'step': 3}", "1 4 7");
    expect_values("'range': {'from': 0, 'to': 1, 'step': 0.25}", "0 0.25 0.5 0.75 1");
    expect_values("'range': {'from': 0, 'to': 0.3, 'step': 0.1}", "0 0.1 0.2 0.30000000000000004");
    expect_values("'range': {'from': 0, 'to': 100, 'count': 5}", "0 25 50 75 100");
    expect_values("'range': {'from': 5, 'to': 5, 'count': 1}", "5");
    expect_values("'range': {'from': 16, 'to': 256, 'step': 2, 'scale': 'log'}", "16 32 64 128 256");
    expect_values("'range': {'from': 1, 'to': 1000, 'count': 4, 'scale': 'log'}", "1 10 100 1000");
    expect_values("'range': {'from': 1, 'to': 8, 'count': 7, 'scale': 'log'}", "1 2 3 4 6 8"); /* 1.4 is 1 again */
    expect_values("'range': {'from': 64, 'to': 1000, 'count': 4, 'multiple': 64}", "64 384 704 1024");
    expect_values("'range': {'from': 0.5, 'to': 2, 'step': 2, 'scale': 'log'}", "0.5 1 2");
    expect_values("'range': {'scale': 'linear', 'from': 1, 'to': 2, 'step': 1}", "1 2");
}

static void test_lists(void **state)
{
    (void)state;
    expect_values("'values': [3, 1, 2]", "3 1 2");
    expect_values("'values': [0.1, 1e300, 9007199254740992, -0.0]", "0.1 1e+300 9007199254740992 0");
    expect_values("'values': ['x', true, false, 2]", "x true false 2");
}

/* A list of thousands with one value twice, which would be one point. */
static void test_long_list_with_a_value_twice(void **state)
{
    struct sweep_spec *s = NULL;
    struct err e = {0};
    char *text = NULL, *json;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    (void)state;
    fputs("{'gcnsim_sweep': 1, 'launches': ['a'], 'axes': [{'set': 'a', 'values': [77", f);
    for (int k = 0; k < 20000; k++)
        fprintf(f, ", %d", k);
    fputs("]}]}", f);
    fclose(f);
    json = json_of(text);
    assert_int_equal(sweep_spec_parse(&s, json, strlen(json), "spec.json", "/", &e), -1);
    assert_non_null(strstr(e.text, "axes[0].values: 77 stands there twice"));
    free(json);
    free(text);
}

static void test_too_many_columns(void **state)
{
    struct sweep_spec *s = NULL;
    struct err e = {0};
    char *text = NULL, *json;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    (void)state;
    fputs("{'gcnsim_sweep': 1, 'launches': ['a'], 'axes': [", f);
    for (int a = 0; a < 20; a++) {
        fputs(a ? ", {'paired': [" : "{'paired': [", f);
        for (int k = 0; k < 60; k++)
            fprintf(f, "%s{'set': 'x%d_%d', 'values': [1]}", k ? ", " : "", a, k);
        fputs("]}", f);
    }
    fputs("]}", f);
    fclose(f);
    json = json_of(text);
    assert_int_equal(sweep_spec_parse(&s, json, strlen(json), "spec.json", "/", &e), -1);
    assert_non_null(strstr(e.text, "axes: expected at most 1024"));
    free(json);
    free(text);
}

/* ---- what is read ---- */

static void test_everything(void **state)
{
    struct sweep_spec *s = NULL;
    struct err e = {0};
    uint32_t axis;

    (void)state;
    assert_int_equal(
        parse(&s,
              "{'gcnsim_sweep': 1, 'name': 'n', 'output': 'o.sqlite', 'launches': ['x/saxpy.json', {'name': 'p', "
              "'exec': ['prog', '{n}'], 'options': ['--check'], 'environment': {'A': 'b=c'}}], 'profiles': ['gfx90a'], "
              "'axes': [{'set': 'cu.simds', 'values': [1, 2]}, {'paired': [{'parameter': 'n', 'values': [1, 2]}, "
              "{'argument': 3, 'type': 'u32', 'values': [3, 4]}]}, {'option': 'threads', 'values': [1]}], 'define': "
              "{'d': 'n + 1'}, 'filters': ['n > 0'], 'objectives': ['cycles', {'value': '-cycles', 'name': 'neg', "
              "'goal': 'maximize'}], 'options': ['--cold'], 'limits': {'points': 7, 'seconds': 1.5}}",
              &e),
        0);
    assert_string_equal(s->name, "n");
    assert_string_equal(s->output, "o.sqlite");
    assert_int_equal(s->launches, 2);
    assert_string_equal(s->launch[0].name, "saxpy");
    assert_false(s->launch[0].program);
    assert_true(s->launch[1].program);
    assert_string_equal(s->launch[1].words[1], "{n}");
    assert_string_equal(s->launch[1].options[0], "--check");
    assert_string_equal(s->launch[1].environment[0], "A=b=c");
    assert_int_equal(s->axes, 3);
    assert_int_equal(sweep_columns(s), 4);
    assert_string_equal(sweep_column(s, 0, &axis)->label, "cu.simds");
    assert_string_equal(sweep_column(s, 2, &axis)->label, "argument.3");
    assert_int_equal(axis, 1);
    assert_string_equal(sweep_column(s, 2, &axis)->pattern, "u32");
    assert_string_equal(sweep_column(s, 3, &axis)->label, "option.threads");
    assert_true(s->objective[1].maximize && !s->objective[0].maximize);
    assert_string_equal(s->objective[0].name, "cycles");
    assert_int_equal(s->max_points, 7);
    assert_true(s->max_seconds == 1.5);
    sweep_spec_free(s);
}

/* A launch is called as its file is, without folders and without ".json". */
static void test_names_of_launches(void **state)
{
    static const char *const v[][2] = {
        {"a.json", "a"}, {"x/saxpy.co", "saxpy.co"}, {"program", "program"},  {".json", ".json"},
        {"x/", "x/"},    {"x/.json", ".json"},       {"longjson", "longjson"}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct sweep_spec *s = NULL;
        struct err e = {0};
        char text[200];

        snprintf(text, sizeof text, "{'gcnsim_sweep': 1, 'launches': ['%s']}", v[k][0]);
        assert_int_equal(parse(&s, text, &e), 0);
        assert_string_equal(s->launch[0].name, v[k][1]);
        sweep_spec_free(s);
    }
}

/* Its name and folder are those of its path. */
static void test_reads_a_file(void **state)
{
    char *json = json_of("{'gcnsim_sweep': 1, 'launches': ['a']}");
    struct sweep_spec *s = NULL;
    struct err e = {0};

    (void)state;
    mkdir(in_folder("d"), 0755);
    write_text(in_folder("d/caches.json"), json);
    assert_int_equal(sweep_spec_read(&s, in_folder("d/caches.json"), &e), 0);
    assert_string_equal(s->name, "caches");
    assert_string_equal(s->text, json);
    assert_string_equal(strrchr(s->folder, '/'), "/d");
    sweep_spec_free(s);
    assert_int_equal(sweep_spec_read(&s, in_folder("none.json"), &e), -1);
    assert_null(s);
    assert_non_null(strstr(e.text, "none.json: "));
    free(json);
}

/* From a pipe, paths begin where the sweep was started. */
static void test_reads_a_pipe(void **state)
{
    char *json = json_of("{'gcnsim_sweep': 1, 'launches': ['a']}"), path[40], *here = realpath(".", NULL);
    struct sweep_spec *s = NULL;
    struct err e = {0};
    int fd[2];

    (void)state;
    NEED_PROC(); /* /dev/fd */
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(write(fd[1], json, strlen(json)), strlen(json));
    close(fd[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", fd[0]);
    if (sweep_spec_read(&s, path, &e))
        fail_msg("%s", e.text);
    assert_string_equal(s->folder, here);
    sweep_spec_free(s);
    close(fd[0]);
    free(here);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_file),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_other_keys),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_ranges_that_are_none),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_long_list_with_a_value_twice),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_names_of_launches),
        cmocka_unit_test(test_reads_a_file),
        cmocka_unit_test(test_reads_a_pipe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
