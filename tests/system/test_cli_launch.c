/* What a launch is, said by the command line: --blocks beside --grid, and values that take the place of a launch
 * file's.
 */
#define _GNU_SOURCE
#include "tests/system/cli_report.h"

#define ARGS(out)                                                                                                      \
    "\"args\": [\"in:%1$s/traces/samples/data/f32_a.bin\", \"in:%1$s/traces/samples/data/f32_b.bin\", \"" out          \
    "\", \"u32:1000\"]"

/* A launch file in the test's folder; %1$s is the folder of the repository. */
static const char *launch_file(const char *format)
{
    static char path[CLI_PATH + 256];
    char here[CLI_PATH], *text = NULL;

    snprintf(path, sizeof path, "%s", cli_path("launch.json"));
    assert_non_null(getcwd(here, sizeof here));
    assert_true(asprintf(&text, format, here) > 0);
    write_file(path, text, strlen(text));
    free(text);
    return path;
}

static const char *single(void)
{
    return launch_file(
        "{\"file\": \"%1$s/traces/samples/gfx1201/vecadd.co\", \"kernel\": \"vecadd\", \"grid\": [1024], "
        "\"workgroup\": [256], " ARGS("out:c.bin:4096") ", \"dynamic_lds_bytes\": 128}");
}

#define LAUNCH(name) "{" name "\"kernel\": \"vecadd\", \"grid\": [1024], \"workgroup\": [256], " ARGS("buf:4096") "}"

/* Two launches with names, and one without. */
static const char *list(void)
{
    return launch_file("{\"file\": \"%1$s/traces/samples/gfx1201/vecadd.co\", \"launches\": [" LAUNCH(
        "\"name\": \"first\", ") ", " LAUNCH("\"name\": \"second\", ") ", " LAUNCH("") "]}");
}

static void expect_shape(const struct json *report, const int grid[3], const int workgroup[3])
{
    const struct json *g = json_get(report, "grid"), *w = json_get(report, "workgroup");

    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(json_integer(json_at(g, k)), grid[k]);
        assert_int_equal(json_integer(json_at(w, k)), workgroup[k]);
    }
}

static const struct json *report_of(struct said s)
{
    expect_status(&s, 0);
    const struct json *report = parse_report(&s);
    said_free(&s);
    return report;
}

static void test_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *blocks, *workgroup;
        int grid[3], group[3];
    } cases[] = {
        {"4", "256", {1024, 1, 1}, {256, 1, 1}},
        {"3,2", "64", {192, 2, 1}, {64, 1, 1}},
        {"3", "16,4,2", {48, 4, 2}, {16, 4, 2}},
        {"2,3,4", "8,4,2", {16, 12, 8}, {8, 4, 2}},
    };
    const char *out_spec = "buf:4096";

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct json *r = report_of(RUN("run", CO, "--blocks", cases[k].blocks, "--workgroup", cases[k].workgroup,
                                             VECADD_ARGS, "--engine", "functional", "--json", "-"));
        expect_shape(r, cases[k].grid, cases[k].group);
        json_free(r);
    }
    expect_refused(RUN("run", CO, "--blocks", "4", "--grid", "1024", "--workgroup", "256"),
                   WORDS("--grid and --blocks; expected one of them"));
    expect_refused(RUN("run", CO, "--blocks", "4,0", "--workgroup", "256"),
                   WORDS("--blocks: '4,0'; expected X[,Y[,Z]], whole numbers of workgroups"));
    expect_refused(RUN("run", CO, "--blocks", "1,1,67108864", "--workgroup", "1,1,64"),
                   WORDS("67108864 workgroups of 64 in z are 4294967296 work-items"));
    expect_refused(RUN("run", CO, "--blocks", "4"), WORDS("--workgroup is missing"));
}

/* Each value of the file that an option names is the option's; the others are the file's. */
static void test_values_of_a_launch_file(void **state)
{
    (void)state;
    const char *file = single();
    const struct json *r = report_of(RUN("run", file, "--json", "-"));
    expect_shape(r, (const int[]){1024, 1, 1}, (const int[]){256, 1, 1});
    json_free(r);
    r = report_of(RUN("run", file, "--grid", "512", "--json", "-"));
    expect_shape(r, (const int[]){512, 1, 1}, (const int[]){256, 1, 1});
    json_free(r);
    r = report_of(RUN("run", file, "--workgroup", "64", "--json", "-"));
    expect_shape(r, (const int[]){1024, 1, 1}, (const int[]){64, 1, 1});
    json_free(r);
    r = report_of(RUN("run", file, "--blocks", "3", "--workgroup", "64", "--json", "-"));
    expect_shape(r, (const int[]){192, 1, 1}, (const int[]){64, 1, 1});
    json_free(r);
    r = report_of(RUN("run", file, "--blocks", "3", "--json", "-"));
    expect_shape(r, (const int[]){768, 1, 1}, (const int[]){256, 1, 1});
    json_free(r);
    r = report_of(RUN("run", file, "--dynamic-lds", "40000", "--json", "-"));
    expect_text(object_at(r, "occupancy"), "limiter", "lds");
    assert_true(number_at(object_at(r, "occupancy"), "workgroups_per_cu") == 3);
    json_free(r);
    expect_refused(RUN("run", file, "--kernel", "nothing"), WORDS("nothing"));
}

/* --arg is for all arguments at once, with the paths of whoever types them. */
static void test_arguments_of_a_launch_file(void **state)
{
    (void)state;
    const char *file = single(), *old = cli_path("c.bin"), *new = cli_path("d.bin");
    char out_spec[CLI_PATH + 400], path[CLI_PATH + 300];
    size_t bytes;

    snprintf(path, sizeof path, "%s", new);
    snprintf(out_spec, sizeof out_spec, "out:%s:4096", path);
    unlink(old);
    const struct json *r = report_of(RUN("run", file, VECADD_ARGS, "--json", "-"));
    json_free(r);
    assert_int_not_equal(access(old, F_OK), 0);
    char *text = read_whole(path, &bytes);
    assert_non_null(text);
    assert_int_equal(bytes, 4096);
    free(text);
    expect_refused(RUN("run", file, "--arg", "u32:1"), WORDS("argument"));
}

static const struct json *launch_of(const struct json *doc, size_t n)
{
    return json_get(json_at(json_get(doc, "launches"), n), "report");
}

static void test_lists(void **state)
{
    (void)state;
    static const struct {
        const char *launch;
        size_t changed;
    } cases[] = {{"first", 0}, {"second", 1}, {"2", 2}, {"0", 0}};
    const char *file = list();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct json *doc =
            report_of(RUN("run", file, "--launch", cases[k].launch, "--blocks", "2", "--json", "-"));
        for (size_t n = 0; n < 3; n++)
            expect_shape(launch_of(doc, n), (const int[]){n == cases[k].changed ? 512 : 1024, 1, 1},
                         (const int[]){256, 1, 1});
        json_free(doc);
    }
    expect_refused(RUN("run", file, "--grid", "64"),
                   WORDS("which of its 3 launches is --grid for? expected --launch and one of first, second or 2"));
    expect_refused(RUN("run", file, "--grid", "64", "--launch", "third"),
                   WORDS("--launch: 'third'; ", " has first, second or 2"));
    expect_refused(RUN("run", file, "--grid", "64", "--launch", "3"), WORDS("--launch: '3'; "));
    expect_refused(RUN("run", file, "--launch", "first"), WORDS("--launch says which launch"));
    expect_refused(RUN("run", single(), "--grid", "64", "--launch", "0"), WORDS("holds none"));
    expect_refused(RUN("run", CO, "--grid", "64", "--launch", "0"), WORDS("holds none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_values_of_a_launch_file),
        cmocka_unit_test(test_arguments_of_a_launch_file),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests_name("launches of the command line", tests, cli_setup, cli_teardown);
}
