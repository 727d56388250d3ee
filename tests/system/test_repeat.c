/* gcnsim run --repeat, --warmup and --cold, and launch files with a list: which launches are reported, in which form,
 * that each finds what the one before it has left in caches and buffers, and what is refused. */
#define _GNU_SOURCE
#include "tests/support/json.h"

#include "tests/system/cli_run.h"

#define SAMPLE "traces/samples/gfx90a/vecadd.json"

/* The report of a run on standard output, in the form of --json. */
static const struct json *run_json(const char *const more[])
{
    const char *args[CLI_ARGS + 1] = {"run", SAMPLE, "--json", "-", "--progress", "never"};
    size_t n = 6;

    while (*more)
        args[n++] = *more++;
    struct said s = cli_run(args);
    assert_int_equal(s.status, 0);
    const struct json *doc = json_parse(s.out);
    assert_non_null(doc);
    said_free(&s);
    return doc;
}
#define RUN_JSON(...) run_json((const char *const[]){__VA_ARGS__, NULL})

static double number(const struct json *o, const char *path)
{
    char key[80];

    for (const char *dot; o && *path; path = *dot ? dot + 1 : dot) {
        dot = path + strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        o = json_get(o, key);
    }
    assert_non_null(o);
    assert_true(json_is_number(o));
    return json_number(o);
}

static const struct json *item(const struct json *doc, const char *list, size_t n)
{
    return json_at(json_get(doc, list), n);
}

static double cycles_of(const struct json *doc, int launch)
{
    return number(item(doc, "launches", launch), "report.cycles");
}

static void later_launches_are_warm(void **state)
{
    const struct json *alone = run_json((const char *const[]){NULL}), *doc = RUN_JSON("--repeat", "3");
    size_t count = json_elements(json_get(doc, "launches"));

    (void)state;
    assert_int_equal(count, 3);
    assert_true(cycles_of(doc, 0) == number(alone, "cycles"));
    assert_true(cycles_of(doc, 1) < cycles_of(doc, 0) / 2);
    assert_true(number(item(doc, "launches", 0), "report.cache.l2.hits") <
                number(item(doc, "launches", 1), "report.cache.l2.hits"));
    assert_true(number(doc, "repeat") == 3 && number(doc, "warmup") == 0);
    json_free(alone);
    json_free(doc);
}

/* The first of three launches, as a warm-up, leaves the other two; the steady one is the lower median. */
static void the_steady_launch(void **state)
{
    const struct json *three = RUN_JSON("--repeat", "4"), *doc = RUN_JSON("--warmup", "1", "--repeat", "3");
    const struct json *steady = item(doc, "steady", 0);
    double sum = 0, least = 1e300, most = 0;
    int marked = 0;

    (void)state;
    for (int k = 0; k < 3; k++) {
        double c = cycles_of(doc, k);

        assert_true(c == cycles_of(three, k + 1));
        sum += c;
        least = c < least ? c : least;
        most = c > most ? c : most;
        marked += json_is_true(json_get(item(doc, "launches", k), "steady"));
        assert_true(json_is_boolean(json_get(item(doc, "launches", k), "warmup")) &&
                    !json_is_true(json_get(item(doc, "launches", k), "warmup")));
    }
    assert_int_equal(marked, 1);
    assert_true(number(steady, "cycles.min") == least && number(steady, "cycles.max") == most);
    assert_true(number(steady, "cycles.median") == sum - least - most);
    assert_true(cycles_of(doc, (int)number(steady, "round")) == sum - least - most);
    json_free(three);
    json_free(doc);
}

/* The same for any number of host threads, but for what is said of the host. */
static void threads_do_not_matter(void **state)
{
    const struct json *one = RUN_JSON("--repeat", "3"), *four = RUN_JSON("--repeat", "3", "--threads", "4");

    (void)state;
    for (int k = 0; k < 3; k++) {
        const struct json *a = json_get(item(one, "launches", k), "report");
        const struct json *b = json_get(item(four, "launches", k), "report");

        json_remove(a, "host");
        json_remove(b, "host");
        assert_true(json_equal(a, b));
    }
    json_free(one);
    json_free(four);
}

static void cold_launches_are_alike(void **state)
{
    const struct json *doc = RUN_JSON("--repeat", "2", "--cold");

    (void)state;
    assert_true(cycles_of(doc, 0) == cycles_of(doc, 1));
    assert_true(json_is_true(json_get(doc, "cold")));
    json_free(doc);
}

/* One launch that is asked for by name is reported as one of several. */
static void a_warmup_alone(void **state)
{
    const struct json *doc = RUN_JSON("--warmup", "2");

    (void)state;
    assert_int_equal(json_elements(json_get(doc, "launches")), 1);
    assert_true(number(item(doc, "steady", 0), "cycles.median") == cycles_of(doc, 0));
    json_free(doc);
}

static uint64_t lines_of(const char *text)
{
    uint64_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Annotated code, the page, traces and one wave over time are of the launch after the warm-up. */
static void views_are_of_the_warm_launch(void **state)
{
    const struct json *doc = RUN_JSON("--warmup", "1");
    const struct json *report = json_get(item(doc, "launches", 0), "report");
    char issues[CLI_PATH + 320], said_cycles[64];
    char path[CLI_PATH + 300], html[CLI_PATH + 300], json[CLI_PATH + 300], att[CLI_PATH + 300];
    unsigned long long cycles = (unsigned long long)number(report, "cycles");
    size_t bytes;

    (void)state;
    snprintf(path, sizeof path, "%s", cli_path("warm.csv"));
    snprintf(html, sizeof html, "%s", cli_path("warm.html"));
    snprintf(json, sizeof json, "%s", cli_path("warm.json"));
    snprintf(att, sizeof att, "%s", cli_path("warm.att"));
    snprintf(issues, sizeof issues, "issue-csv=%s", path);
    struct said s = RUN("run", SAMPLE, "--warmup", "1", "--quiet", "--timeline", "0:0", "--annotate", "--html", html,
                        "--trace", issues, "--att", att, "--att-cus", "all", "--per-instruction", "--json", json);
    expect_status(&s, 0);
    expect_in(&s, s.out, "wave 0 of workgroup 0 of vecadd, launched in cycle ");
    said_free(&s);

    s = RUN("annotate", SAMPLE, "--warmup", "1");
    snprintf(said_cycles, sizeof said_cycles, "cycles     %llu,%03llu; ", cycles / 1000, cycles % 1000);
    expect_in(&s, s.out, said_cycles);
    said_free(&s);

    char *page = read_whole(html, &bytes), *rows = read_whole(path, &bytes);
    snprintf(said_cycles, sizeof said_cycles, "\"cycles\": %llu,", cycles);
    assert_non_null(strstr(page, said_cycles));
    assert_true(lines_of(rows) == 1 + (uint64_t)number(report, "instructions.total"));
    free(page);
    free(rows);

    /* the report of several launches is compared by its steady one */
    s = RUN("diff", json, att, "--fail-above", "0", "--figure", "hits");
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("diff", json, att, "--fail-above", "0", "--figure", "cycles");
    expect_status(&s, 0);
    said_free(&s);
    json_free(doc);
}

static void text_and_csv(void **state)
{
    struct said s = cli_run((const char *const[]){"run", SAMPLE, "--repeat", "2", "--progress", "never", NULL});

    (void)state;
    assert_int_equal(s.status, 0);
    assert_non_null(strstr(s.out, "2 rounds after 0 of warm-up"));
    assert_non_null(strstr(s.out, "\n* vecadd"));
    assert_non_null(strstr(s.out, "\n=== vecadd, round 1\n\nkernel     vecadd\n"));
    said_free(&s);
    s = cli_run((const char *const[]){"run", SAMPLE, "--repeat", "2", "--csv", "-", "--progress", "never", NULL});
    assert_int_equal(s.status, 0);
    assert_int_equal(strncmp(s.out, "launch,round,name,unit,value\n0,0,cycles,cycles,", 46), 0);
    assert_non_null(strstr(s.out, "\n0,1,cycles,cycles,"));
    said_free(&s);
}

/* A launch of the warm-up that does not complete ends the run and is reported. */
static void an_early_end(void **state)
{
    struct said s = cli_run((const char *const[]){"run", SAMPLE, "--repeat", "2", "--warmup", "2", "--max-cycles",
                                                  "3000", "--json", "-", "--progress", "never", NULL});
    const struct json *doc = json_parse(s.out);

    (void)state;
    assert_int_equal(s.status, 1);
    assert_non_null(strstr(s.err, "limit of 3000 cycles reached"));
    assert_int_equal(json_elements(json_get(doc, "launches")), 1);
    assert_true(json_is_true(json_get(item(doc, "launches", 0), "warmup")));
    assert_int_equal(json_elements(json_get(doc, "steady")), 0);
    /* a launch that did not end has no cost of its end */
    assert_true(json_is_null(json_get(json_get(item(doc, "launches", 0), "report"), "dispatch")));
    json_free(doc);
    said_free(&s);
}

static void functional_rounds(void **state)
{
    const struct json *doc = RUN_JSON("--repeat", "2", "--engine", "functional");

    (void)state;
    assert_true(number(item(doc, "steady", 0), "round") == 1);
    assert_null(json_get(item(doc, "steady", 0), "cycles"));
    json_free(doc);
}

/* ---- lists ---- */

enum { FLOATS = 512 };

/* A launch file next to a.bin, whose floats count from 0; returns its path. text: the keys after "file". */
static const char *write_list(const char *text)
{
    char folder[CLI_PATH], *whole = NULL;
    float a[FLOATS];

    assert_non_null(getcwd(folder, sizeof folder));
    for (int k = 0; k < FLOATS; k++)
        a[k] = (float)k;
    write_file(cli_path("a.bin"), a, sizeof a);
    assert_true(asprintf(&whole, "{\"file\": \"%s/traces/samples/gfx90a/vecadd.co\", %s}", folder, text) > 0);
    write_file(cli_path("list.json"), whole, strlen(whole));
    free(whole);
    return cli_path("list.json");
}

#define VECADD(NAME, A, B, C)                                                                                          \
    "{\"name\": \"" NAME "\", \"kernel\": \"vecadd\", \"grid\": [512], \"workgroup\": [64], \"args\": [\"" A           \
    "\", \"" B "\", \"" C "\", \"u32:512\"]}"
#define BUFFERS "\"buffers\": {\"a\": \"in:a.bin\", \"b\": \"buf:2048\", \"c\": \"out:c.bin:2048\"}"
#define LAUNCHES                                                                                                       \
    "\"launches\": [" VECADD("twice", "buffer:a", "buffer:a", "buffer:b") ", " VECADD("thrice", "buffer:a",            \
                                                                                      "buffer:b", "buffer:c") "]"

static const struct json *list_json(const char *text, const char *option, const char *value)
{
    struct said s = RUN("run", write_list(text), "--json", "-", "--progress", "never", option, value);
    expect_status(&s, 0);
    const struct json *doc = json_parse(s.out);
    assert_non_null(doc);
    said_free(&s);
    return doc;
}

static void expect_thrice(void)
{
    size_t bytes;
    float *c = (float *)read_whole(cli_path("c.bin"), &bytes);

    assert_int_equal(bytes, 4 * FLOATS);
    for (int k = 0; k < FLOATS; k++)
        assert_true(c[k] == 3 * (float)k);
    free(c);
    remove(cli_path("c.bin"));
}

/* The second kernel reads what the first has written, in memory and in L2. */
static void a_list_shares_buffers(void **state)
{
    const struct json *doc = list_json(BUFFERS ", " LAUNCHES, NULL, NULL);

    (void)state;
    expect_thrice();
    assert_int_equal(json_elements(json_get(doc, "launches")), 2);
    assert_int_equal(json_elements(json_get(doc, "steady")), 2);
    assert_string_equal(json_text(json_get(item(doc, "launches", 1), "name")), "thrice");
    assert_true(number(item(doc, "launches", 1), "launch") == 1);
    assert_true(number(item(doc, "launches", 1), "report.cache.l2.hits") >
                number(item(doc, "launches", 0), "report.cache.l2.hits"));
    assert_true(number(item(doc, "launches", 0), "report.dram.read_bytes") >= 4 * FLOATS);
    assert_true(number(item(doc, "launches", 1), "report.dram.read_bytes") < 4 * FLOATS);
    /* one launch begins where the other was complete */
    assert_true(number(item(doc, "launches", 1), "report.dispatch.clock_cycles") ==
                cycles_of(doc, 0) + number(item(doc, "launches", 0), "report.dispatch.release_cycles") +
                    number(item(doc, "launches", 0), "report.dispatch.after_cycles") +
                    number(item(doc, "launches", 1), "report.dispatch.before_cycles") +
                    number(item(doc, "launches", 1), "report.dispatch.acquire_cycles"));
    json_free(doc);
}

static size_t times_in(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* Each launch has a listing; of rounds it is the steady one's, which the first one is not. */
static void each_launch_is_annotated(void **state)
{
    struct said s = RUN("annotate", write_list(BUFFERS ", " LAUNCHES), "--repeat", "3", "--top", "5");

    (void)state;
    expect_status(&s, 0);
    assert_int_equal(times_in(s.out, "kernel     vecadd\n"), 2);
    assert_int_equal(times_in(s.out, "\n\nkernel     vecadd\n"), 1);
    const struct json *doc = list_json(BUFFERS ", " LAUNCHES ", \"repeat\": 3", NULL, NULL);
    const char *at = s.out;
    for (size_t k = 0; k < 2; k++) {
        unsigned steady = (unsigned)number(item(doc, "steady", k), "cycles.median");
        char cycles[32];

        at = strstr(at + 1, "cycles     ");
        assert_non_null(at);
        snprintf(cycles, sizeof cycles, "%u,%03u;", steady / 1000, steady % 1000);
        assert_int_equal(strncmp(at + strlen("cycles     "), cycles, strlen(cycles)), 0);
    }
    json_free(doc);
    said_free(&s);
    s = RUN("run", write_list(BUFFERS ", " LAUNCHES), "--annotate", "--function", "vecadd", "--top", "5");
    expect_status(&s, 0);
    assert_int_equal(times_in(s.out, "wave-cycles, each of which is one instruction's\n"), 2);
    said_free(&s);
    s = RUN("annotate", write_list(BUFFERS ", " LAUNCHES), "--function", "nothing");
    expect_status(&s, 2);
    expect_in(&s, s.err, "nothing");
    said_free(&s);
}

static void rounds_of_a_list(void **state)
{
    const struct json *doc = list_json("\"repeat\": 2, \"warmup\": 1, " BUFFERS ", " LAUNCHES, NULL, NULL);
    const struct json *more = list_json("\"repeat\": 2, \"warmup\": 1, " BUFFERS ", " LAUNCHES, "--repeat", "3");
    const struct json *cold = list_json("\"cold\": true, " BUFFERS ", " LAUNCHES, NULL, NULL);

    (void)state;
    expect_thrice();
    assert_int_equal(json_elements(json_get(doc, "launches")), 4);
    assert_int_equal(json_elements(json_get(more, "launches")), 6);
    assert_true(number(doc, "warmup") == 1 && number(more, "warmup") == 1 && number(more, "repeat") == 3);
    assert_true(number(item(cold, "launches", 1), "report.dispatch.clock_cycles") == 0);
    assert_true(cycles_of(doc, 1) < cycles_of(cold, 1));
    json_free(doc);
    json_free(more);
    json_free(cold);
}

static void a_list_without_time(void **state)
{
    const struct json *doc = list_json(BUFFERS ", " LAUNCHES, "--engine", "functional");

    (void)state;
    expect_thrice();
    json_free(doc);
}

/* The fences of a launch are its keys: without an acquire vL1D is warm; the system's release writes L2 back. */
static void fences_of_a_launch(void **state)
{
    static const char text[] =
        BUFFERS ", \"release\": \"system\", \"launches\": ["
                "{\"kernel\": \"vecadd\", \"grid\": [512], \"workgroup\": [64], \"args\": [\"buffer:a\", \"buffer:a\", "
                "\"buffer:c\", \"u32:512\"]}, {\"acquire\": \"none\", \"release\": \"agent\", \"kernel\": \"vecadd\", "
                "\"grid\": "
                "[512], \"workgroup\": [64], \"args\": [\"buffer:a\", \"buffer:a\", \"buffer:c\", \"u32:512\"]}]";
    const struct json *doc = list_json(text, NULL, NULL);

    (void)state;
    assert_true(number(item(doc, "launches", 0), "report.dispatch.release_lines") == 4 * FLOATS / 128);
    assert_true(number(item(doc, "launches", 0), "report.dispatch.release_cycles") > 0);
    assert_true(number(item(doc, "launches", 1), "report.dispatch.release_lines") == 0);
    assert_true(number(item(doc, "launches", 1), "report.cache.vl0.hits") >
                number(item(doc, "launches", 0), "report.cache.vl0.hits"));
    json_free(doc);
}

static void bad_lists(void **state)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {BUFFERS ", \"launches\": [" VECADD("x", "buffer:a", "buffer:d", "buffer:c") "]",
         "launches[0]: argument 1: there is no buffer 'd'"},
        {"\"launches\": [" VECADD("x", "buf:2048", "buf:2048",
                                  "out:c.bin:2048") ", " VECADD("y", "buf:2048", "buf:2048", "out:c.bin:2048") "]",
         "launches[1]: argument 2: "},
        {"\"buffers\": {\"a\": \"u32:1\"}, " LAUNCHES, "buffer 'a': 'u32:1'; expected buf:BYTES"},
        {"\"launches\": [{\"kernel\": \"none\", \"grid\": [1], \"workgroup\": [1]}]", "launches[0]: "},
    };

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        expect_refused(RUN("run", write_list(bad[k].text)), WORDS(bad[k].part));
    expect_refused(RUN("run", write_list(BUFFERS ", " LAUNCHES), "--grid", "64"),
                   WORDS("launches is --grid for? expected --launch"));
    expect_refused(RUN("run", "--confine", cli_dir, write_list(BUFFERS ", " LAUNCHES)), WORDS("launches[0].file"));
    expect_refused(RUN("run", "--confine", "traces", write_list(BUFFERS ", " LAUNCHES)), WORDS("buffers.a"));
    /* a report over a buffer's file */
    expect_refused(RUN("run", write_list(BUFFERS ", " LAUNCHES), "--json", cli_path("c.bin")), WORDS("c.bin"));
    expect_refused(RUN("run", SAMPLE, "--arg", "buffer:a"), WORDS("takes 4 arguments, 1 given"));
}

static void bad_numbers(void **state)
{
    static const char *const bad[][2] = {
        {"--repeat", "0"}, {"--repeat", "-1"}, {"--repeat", "100001"}, {"--warmup", "x"}, {"--warmup", "100001"}};

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct said s = cli_run((const char *const[]){"run", SAMPLE, bad[k][0], bad[k][1], NULL});
        assert_int_equal(s.status, 2);
        assert_non_null(strstr(s.err, bad[k][0]));
        said_free(&s);
    }
}

/* What is kept of each launch counts in the memory limit: reports where somebody reads each, else a row of the table.
 */
static void reports_within_the_memory_limit(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLE, "--engine", "functional", "--repeat", "2", "--warmup", "500", "--quiet",
                        "--max-memory", "10M");
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("run", SAMPLE, "--engine", "functional", "--repeat", "5000", "--max-memory", "10M", "--progress", "never");
    expect_status(&s, 0);
    expect_in(&s, s.out, "5000 rounds after 0 of warm-up");
    expect_in(&s, s.out, "\n  and 4,992 more\n");
    expect_in(&s, s.out, "\n=== vecadd, round 4999\n");
    said_free(&s);
    expect_refused(RUN("run", SAMPLE, "--engine", "functional", "--repeat", "500", "--quiet", "--max-memory", "10M",
                       "--json", cli_path("all.json")),
                   WORDS("reports of ",
                         " launches: ", "pass the memory limit of 10485760 bytes; expected fewer launches",
                         "no --json and no --csv statistics"));
}

/* The report says the same when all reports are kept, for --json, and when most are not. */
static void reports_that_are_not_kept(void **state)
{
    static const char *const more[][2] = {{"--show=caches,dispatch", "--progress=never"},
                                          {"--engine=functional", "--show=instructions"},
                                          {"--annotate", "--quiet"}};
    static const char *const samples[] = {SAMPLE, "traces/samples/gfx1201/transpose_naive.json"};

    (void)state;
    for (size_t k = 0; k < 2 * (sizeof more / sizeof more[0]); k++) {
        const char *const *args = more[k / 2];
        struct said some = RUN("run", samples[k % 2], "--repeat", "30", args[0], args[1]);
        struct said all =
            RUN("run", samples[k % 2], "--repeat", "30", args[0], args[1], "--json", cli_path("all.json"));

        expect_status(&some, 0);
        expect_status(&all, 0);
        assert_string_equal(some.out, all.out);
        said_free(&some);
        said_free(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_launches_are_warm),
        cmocka_unit_test(the_steady_launch),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(cold_launches_are_alike),
        cmocka_unit_test(a_warmup_alone),
        cmocka_unit_test(views_are_of_the_warm_launch),
        cmocka_unit_test(text_and_csv),
        cmocka_unit_test(an_early_end),
        cmocka_unit_test(functional_rounds),
        cmocka_unit_test(a_list_shares_buffers),
        cmocka_unit_test(each_launch_is_annotated),
        cmocka_unit_test(rounds_of_a_list),
        cmocka_unit_test(a_list_without_time),
        cmocka_unit_test(fences_of_a_launch),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(reports_within_the_memory_limit),
        cmocka_unit_test(reports_that_are_not_kept),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
