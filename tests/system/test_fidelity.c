/* gcnsim info --fidelity: text and JSON of sample kernels, and bad input. */
#define _GNU_SOURCE /* memmem */
#include "tests/system/cli_run.h"

#include "tests/support/json.h"

#define SAMPLES "traces/samples/"

static long long number(const struct json *o, const char *key)
{
    const struct json *n = json_get(o, key);

    assert_true(json_is_whole(n));
    return json_integer(n);
}

static long long sum(const struct json *o)
{
    const char *key;
    const struct json *value;
    long long all = 0;

    json_each_member (o, key, value)
        all += json_integer(value);
    return all;
}

static const struct json *entry_of(const struct json *kernel, const char *mnemonic)
{
    const struct json *e;
    size_t k;

    json_each_element (json_get(kernel, "by_instruction"), k, e) {
        if (strcmp(json_text(json_get(e, "mnemonic")), mnemonic) == 0)
            return e;
    }
    fail_msg("no %s", mnemonic);
    return NULL;
}

/* Counts agree with the disassembly: two of softmax's instructions are transcendental. */
static void test_json(void **state)
{
    struct said s = RUN("info", "--fidelity", "--json", SAMPLES "gfx1201/softmax.co");
    struct said d = RUN("disasm", SAMPLES "gfx1201/softmax.co", "--kernel", "softmax");

    (void)state;
    expect_status(&s, 0);
    expect_status(&d, 0);
    const struct json *all = json_parse(s.out);
    const struct json *k = json_at(json_get(all, "kernels"), 0);
    long long of_entries = 0, n = number(k, "instructions");
    const struct json *e;
    size_t index;

    assert_non_null(strstr(d.out, "v_exp_f32"));
    assert_int_equal(sum(json_get(k, "semantics")), n);
    assert_int_equal(sum(json_get(k, "timing")), n);
    assert_int_equal(number(k, "undecodable"), 0);
    json_each_element (json_get(k, "by_instruction"), index, e)
        of_entries += number(e, "count");
    assert_int_equal(of_entries, n);
    assert_int_equal(number(json_get(k, "semantics"), "approximate"),
                     number(entry_of(k, "v_exp_f32"), "count") + number(entry_of(k, "v_rcp_f32"), "count"));
    assert_int_equal(number(json_get(k, "semantics"), "unsupported"), 0);
    assert_int_equal(number(entry_of(k, "v_exp_f32"), "ulp"), 1);
    assert_string_equal(json_text(json_get(k, "profile")), "gfx1201-rx9070xt");
    json_free(all);
    said_free(&s);
    said_free(&d);
}

/* Where chips were measured it is said; the rest of what is exact is as the manual says. */
static void test_measured(void **state)
{
    static const uint32_t words[] = {0x6e000501, 0x7e000301, 0xbf810000}; /* gfx90a: v_dot2c_f32_f16, v_mov_b32 */
    struct said s = RUN("info", "--fidelity", "--json", SAMPLES "gfx90a/vecadd.co");

    (void)state;
    expect_status(&s, 0);
    const struct json *all = json_parse(s.out);
    const struct json *k = json_at(json_get(all, "kernels"), 0);
    assert_int_equal(number(json_get(k, "exact"), "as_measured"), 0);
    assert_int_equal(sum(json_get(k, "exact")), number(json_get(k, "semantics"), "exact"));
    json_free(all);
    said_free(&s);
    /* the same file with the kernel's first words replaced */
    size_t size;
    char *co = read_whole(SAMPLES "gfx90a/vecadd.co", &size);
    s = RUN("disasm", SAMPLES "gfx90a/vecadd.co", "--kernel", "vecadd");
    const char *first = strstr(s.out, " // ");
    assert_non_null(first);
    uint32_t was = (uint32_t)strtoul(strchr(first, ':') + 1, NULL, 16);
    said_free(&s);
    char *at = memmem(co, size, &was, sizeof was);
    assert_non_null(at);
    memcpy(at, words, sizeof words);
    write_file(cli_path("dot2c.co"), co, size);
    free(co);
    s = RUN("info", "--fidelity", "--json", cli_path("dot2c.co"));
    expect_status(&s, 0);
    all = json_parse(s.out);
    k = json_at(json_get(all, "kernels"), 0);
    assert_int_equal(number(json_get(k, "exact"), "as_measured"), 1);
    assert_int_equal(sum(json_get(k, "exact")), number(json_get(k, "semantics"), "exact"));
    assert_true(json_is_true(json_get(entry_of(k, "v_dot2c_f32_f16"), "measured")));
    assert_false(json_is_true(json_get(entry_of(k, "v_mov_b32"), "measured")));
    json_free(all);
    said_free(&s);
    s = RUN("info", "--fidelity", cli_path("dot2c.co"));
    expect_in(&s, s.out, "\n  exact        as measured 1 (");
    expect_in(&s, s.out, "), as the manual says ");
    expect_in(&s, s.out, "exact, as measured");
    said_free(&s);
    s = RUN("isa", "show", "v_dot2c_f32_f16", "--arch", "gfx90a");
    expect_in(&s, s.out, "results as measured on a chip (llvm-project 205101)");
    said_free(&s);
}

/* A run counts each instruction as often as waves executed it: together all that the run executed. */
static void test_run(void **state)
{
    struct said s = RUN("run", "--per-instruction", "--json", "-", SAMPLES "gfx1201/softmax.json");

    (void)state;
    expect_status(&s, 0);
    const struct json *all = json_parse(s.out);
    const struct json *f = json_get(all, "fidelity");
    long long waves = number(all, "waves");

    assert_int_equal(number(f, "instructions"), number(json_get(all, "instructions"), "total"));
    assert_int_equal(sum(json_get(f, "semantics")), number(f, "instructions"));
    assert_int_equal(sum(json_get(f, "timing")), number(f, "instructions"));
    assert_int_equal(number(entry_of(f, "s_endpgm"), "count"), waves);
    assert_non_null(strstr(s.out, "\n  \"fidelity\": {\n    \"name\": \"softmax\",\n    \"profile\": "));
    said_free(&s);
    s = RUN("run", "--json", "-", SAMPLES "gfx1201/softmax.json");
    const struct json *uncounted = json_parse(s.out);
    assert_true(json_equal(json_get(uncounted, "fidelity"), f));
    json_free(uncounted);
    said_free(&s);
    s = RUN("run", "--engine", "functional", "--json", "-", SAMPLES "gfx1201/softmax.json");
    const struct json *functional = json_parse(s.out);
    const struct json *g = json_get(functional, "fidelity");
    assert_true(json_equal(json_get(g, "semantics"), json_get(f, "semantics")));
    assert_true(json_is_null(json_get(g, "timing")) && json_is_null(json_get(g, "cycles")));
    assert_true(json_is_null(json_get(g, "exact")));
    assert_int_equal(sum(json_get(f, "exact")), number(json_get(f, "semantics"), "exact"));
    assert_int_equal(json_elements(json_get(g, "by_instruction")), 2);
    assert_int_equal(number(entry_of(g, "v_exp_f32"), "count"), number(entry_of(f, "v_exp_f32"), "count"));
    json_free(functional);
    json_free(all);
    said_free(&s);
}

/* The kernel calls two functions; the file has no more code, so that what is counted is what the disassembly has. */
static void test_calls(void **state)
{
    struct said s = RUN("info", "--fidelity", "--json", SAMPLES "gfx803/call.co");
    struct said d = RUN("disasm", SAMPLES "gfx803/call.co");
    long long lines = 0;

    (void)state;
    expect_status(&s, 0);
    expect_status(&d, 0);
    const struct json *all = json_parse(s.out);
    const struct json *k = json_at(json_get(all, "kernels"), 0);

    for (const char *at = d.out; (at = strstr(at, " // ")); at++)
        lines++;
    assert_int_equal(number(k, "called_functions"), 2);
    assert_int_equal(number(k, "unresolved_calls"), 0);
    assert_int_equal(number(k, "instructions"), lines);
    json_free(all);
    said_free(&s);
    said_free(&d);
}

static double share_of(const struct json *fidelity, const char *figure)
{
    const struct json *f;
    size_t k;

    json_each_element (json_get(json_get(fidelity, "cycles"), "figures"), k, f)
        if (strcmp(json_text(json_get(f, "figure")), figure) == 0)
            return json_number(json_get(f, "share"));
    return 0;
}

/* Where every access hits the nearest cache, waits for loads rest on its latency, and nothing does on DRAM's. */
static void test_perfect_memory(void **state)
{
    struct said s = RUN("run", "--perfect-memory", "--json", "-", SAMPLES "gfx1201/softmax.json");

    (void)state;
    expect_status(&s, 0);
    const struct json *all = json_parse(s.out);
    const struct json *f = json_get(all, "fidelity"), *stalls = json_get(all, "stall_cycles");
    double resident = (double)number(all, "resident_wave_cycles");
    double loads =
        (double)(number(stalls, "wait_loadcnt") + number(stalls, "counter_full") + number(stalls, "memory_queue_full") +
                 number(stalls, "wait_storecnt") + number(stalls, "drain"));

    assert_true(number(stalls, "wait_loadcnt") > 0);
    assert_true(share_of(f, "cache.vl0.hit_latency_cycles") - loads / resident < 1e-5 &&
                loads / resident - share_of(f, "cache.vl0.hit_latency_cycles") < 1e-5);
    assert_true(share_of(f, "dram.latency_cycles") == 0);
    json_free(all);
    said_free(&s);
}

static void test_text(void **state)
{
    struct said s = RUN("info", "--fidelity", SAMPLES "gfx803/mandelbrot.co", "--arch", "gfx803-r9nano");

    (void)state;
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "profile gfx803-r9nano"));
    for (const char *line = s.out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 120);
    said_free(&s);
}

/* A kernel that is refused says so, and the other one is shown. */
static void test_refused(void **state)
{
    static const char key[] = ".wavefront_size";
    char file[CLI_PATH + 256];
    size_t bytes;
    char *co = read_whole(SAMPLES "gfx90a/transpose.co", &bytes);
    char *at = memmem(co, bytes, key, sizeof key - 1);

    (void)state;
    assert_non_null(at);
    snprintf(file, sizeof file, "%s", cli_path("refused.co"));
    at[sizeof key - 1] = 7; /* instead of 64, of the first kernel */
    write_file(file, co, bytes);
    free(co);

    struct said s = RUN("info", "--fidelity", "--json", file);
    expect_status(&s, 0);
    const struct json *all = json_parse(s.out);
    const struct json *kernels = json_get(all, "kernels"), *k;
    const char *bad = NULL;
    size_t index, shown = 0;

    json_each_element (kernels, index, k) {
        const char *why = json_text(json_get(k, "refused"));

        bad = why ? json_text(json_get(k, "name")) : bad;
        shown += !why && number(k, "instructions") > 0;
        if (why && !strstr(why, ".wavefront_size is 7"))
            fail_msg("%s", why);
    }
    assert_int_equal(json_elements(kernels), 2);
    assert_int_equal(shown, 1);
    assert_non_null(bad);
    said_free(&s);
    s = RUN("info", "--fidelity", file);
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "instructions, profile gfx90a-mi210"));
    assert_non_null(strstr(s.out, ": refused, kernel \""));
    said_free(&s);
    expect_refused(RUN("info", "--fidelity", file, "--kernel", bad), WORDS(".wavefront_size is 7"));
    json_free(all);
}

static void test_bad_input(void **state)
{
    static const struct {
        const char *args[6], *says;
    } cases[] = {
        {{"info", "--fidelity", SAMPLES "gfx90a/saxpy.co", "--arch", "gfx803"}, "does not run"},
        {{"info", "--fidelity", SAMPLES "gfx90a/saxpy.co", "--arch", "nope"}, "no such profile"},
        {{"info", "--fidelity", SAMPLES "gfx90a/saxpy.co", "--kernel", "nope"}, "nope"},
        {{"info", "--arch", "gfx90a", SAMPLES "gfx90a/saxpy.co"}, "--arch belongs to --fidelity"},
        {{"info", "--fidelity", "Makefile"}, "Makefile"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct said s = cli_run(cases[k].args);

        if (s.status == 0 || !strstr(s.err, cases[k].says))
            fail_msg("case %zu: %s", k, s.err);
        said_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),    cmocka_unit_test(test_measured),       cmocka_unit_test(test_run),
        cmocka_unit_test(test_calls),   cmocka_unit_test(test_perfect_memory), cmocka_unit_test(test_text),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bad_input)};
    return cmocka_run_group_tests_name("info --fidelity", tests, cli_setup, cli_teardown);
}
