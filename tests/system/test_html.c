/* Pages for browsers: what gcnsim run --html writes, and how a browser shows it (tests/html/check_pages.py, which needs
 * python3, chromium and chromedriver; without them that part is skipped). */
#include "tests/system/page_run.h"

#define SAMPLE "traces/samples/gfx1201/matmul.g.json"

static const struct json *read_json(const char *path)
{
    const struct json *json = json_parse_file(path);

    assert_non_null(json);
    return json;
}

static char *read_page(const char *name, size_t *bytes)
{
    char *page = read_whole(cli_path(name), bytes);

    assert_non_null(page);
    return page;
}

/* A number of a column in either of its forms, summed. */
static double column_sum(const struct json *column)
{
    const struct json *values = json_is_array(column) ? column : json_get(column, "v");
    double sum = 0;
    size_t k;
    const struct json *v;

    json_each_element (values, k, v)
        sum += json_number(v);
    return sum;
}

static void page_has_the_report(void **state)
{
    size_t bytes;

    (void)state;
    struct said s = RUN("run", SAMPLE, "--quiet", "--html", cli_path("a.html"), "--json", cli_path("a.json"));
    expect_status(&s, 0);
    char *page = read_page("a.html", &bytes);
    const struct json *data = data_of(page), *report = read_json(cli_path("a.json"));
    const struct json *launch = json_at(json_get(data, "launches"), 0), *shown = json_get(launch, "report");

    assert_true(bytes < 272u << 10);
    json_remove(report, "host"); /* seconds of two looks at the clock */
    json_remove(report, "code"); /* the page has it in its own form */
    json_remove(shown, "host");
    assert_true(json_equal(report, shown));
    /* the sums over the instructions are the run's */
    const struct json *values = json_get(json_get(launch, "code"), "values");
    const struct json *total = json_get(json_get(report, "instructions"), "total");
    assert_true(column_sum(json_get(values, "executed")) == json_number(total));
    const char *key;
    const struct json *cycles;
    json_each_member (json_get(report, "stall_cycles"), key, cycles) {
        char name[80];
        snprintf(name, sizeof name, "cycles.%s", key);
        assert_true(column_sum(json_get(values, name)) == json_number(cycles));
    }
    json_free(report);
    json_free(data);
    free(page);
    said_free(&s);
}

/* Nothing in the page names another place: no address but that of SVG's namespace, which nobody asks for. */
static void page_asks_for_nothing(void **state)
{
    static const char *const other[] = {"http://", "https://", "url(//", "@import", "src="};
    size_t bytes;

    (void)state;
    struct said s = RUN("run", SAMPLE, "--quiet", "--html", cli_path("b.html"));
    expect_status(&s, 0);
    char *page = read_page("b.html", &bytes), *at = page;
    while ((at = strstr(at, "http://www.w3.org/2000/svg")))
        memset(at, ' ', strlen("http://www.w3.org/2000/svg"));
    *strstr(page, data_begins) = 0;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++)
        if (strstr(page, other[k]))
            fail_msg("the page has %s", other[k]);
    assert_non_null(strstr(page, "default-src 'none'"));
    free(page);
    said_free(&s);
}

/* A name that would end the script is data like any other. */
static void names_cannot_leave_the_data(void **state)
{
    size_t bytes;

    (void)state;
    struct said s = RUN("run", SAMPLE, "--quiet", "--engine", "functional", "--html", cli_path("<!--x.html"));
    expect_status(&s, 0);
    char *page = read_page("<!--x.html", &bytes);
    const char *data = strstr(page, data_begins);
    assert_non_null(data);
    assert_null(strstr(data, "<!--")); /* though the command line has it */
    assert_non_null(strstr(data, "\\u003c!--x.html"));
    json_free(data_of(page));
    free(page);
    said_free(&s);
}

static void standard_output_is_the_page_alone(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLE, "--html", "-");
    expect_status(&s, 0);
    assert_int_equal(strncmp(s.out, "<!doctype html>", 15), 0);
    json_free(data_of(s.out));
    said_free(&s);
    s = RUN("run", SAMPLE, "--html", "-", "--json", "-");
    expect_status(&s, 2);
    said_free(&s);
}

static void a_list_has_its_steady_launches(void **state)
{
    (void)state;
    struct said s = RUN("run", "traces/samples/gfx1201/saxpy.json", "--repeat", "3", "--html", "-");
    expect_status(&s, 0);
    const struct json *data = data_of(s.out);
    assert_int_equal(json_elements(json_get(data, "launches")), 1);
    json_free(data);
    said_free(&s);
}

static void explain_has_its_table(void **state)
{
    size_t bytes;

    (void)state;
    struct said s = RUN("explain", SAMPLE, "--only", "fetch", "--quiet", "--html", cli_path("e.html"));
    expect_status(&s, 0);
    char *page = read_page("e.html", &bytes);
    const struct json *data = data_of(page), *explain = json_get(data, "explain");
    const struct json *launch = json_at(json_get(data, "launches"), 0);

    assert_true(json_elements(json_get(explain, "causes")) > 0);
    /* the launch as it is, which both are about */
    assert_true(json_number(json_get(explain, "cycles")) ==
                json_number(json_get(json_get(launch, "report"), "cycles")));
    assert_true(json_is_object(json_get(launch, "code")));
    json_free(data);
    free(page);
    said_free(&s);
}

static void sources_are_in_the_page(void **state)
{
    size_t bytes;

    (void)state;
    struct said s = RUN("run", SAMPLE, "--quiet", "--html", cli_path("s.html"));
    expect_status(&s, 0);
    char *page = read_page("s.html", &bytes);
    const struct json *data = data_of(page);
    const struct json *code = json_get(json_at(json_get(data, "launches"), 0), "code");
    assert_true(json_elements(json_get(code, "frames")) > 0);
    assert_true(json_elements(json_get(code, "sources")) > 0);
    json_free(data);
    free(page);
    said_free(&s);
    /* launch files of strangers: names of files alone */
    s = RUN("run", SAMPLE, "--confine", "traces", "--quiet", "--html", cli_path("s.html"));
    expect_status(&s, 0);
    page = read_page("s.html", &bytes);
    data = data_of(page);
    code = json_get(json_at(json_get(data, "launches"), 0), "code");
    assert_true(json_elements(json_get(code, "files")) > 0);
    assert_null(json_get(code, "sources"));
    json_free(data);
    free(page);
    said_free(&s);
}

static void counting_changes_no_cycle(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLE, "--quiet", "--html", cli_path("c.html"), "--json", cli_path("with.json"));
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("run", SAMPLE, "--quiet", "--json", cli_path("without.json"));
    expect_status(&s, 0);
    said_free(&s);
    const struct json *with = read_json(cli_path("with.json")), *without = read_json(cli_path("without.json"));
    static const char *const same[] = {"cycles", "stall_cycles", "cache", "instructions"};
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++)
        assert_true(json_equal(json_get(with, same[k]), json_get(without, same[k])));
    json_free(with);
    json_free(without);
}

static void scripts_are_javascript(void **state)
{
    static const char *const scripts[] = {"base",   "parts", "list",       "overview",   "roofline",
                                          "memory", "time",  "code_model", "code_table", "code_source",
                                          "code",   "page",  "index"};

    (void)state;
    scripts_are_right("sim/report/html", scripts, sizeof scripts / sizeof scripts[0]);
}

static void a_browser_shows_it(void **state)
{
    (void)state;
    browser_agrees("tests/html/check_pages.py");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_has_the_report),
        cmocka_unit_test(page_asks_for_nothing),
        cmocka_unit_test(names_cannot_leave_the_data),
        cmocka_unit_test(standard_output_is_the_page_alone),
        cmocka_unit_test(a_list_has_its_steady_launches),
        cmocka_unit_test(explain_has_its_table),
        cmocka_unit_test(sources_are_in_the_page),
        cmocka_unit_test(counting_changes_no_cycle),
        cmocka_unit_test(scripts_are_javascript),
        cmocka_unit_test(a_browser_shows_it),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
