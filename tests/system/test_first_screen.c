/* The first screen of `gcnsim run`, for every sample on both engines: it is short, and it says what the JSON report of
 * the same run says. Sections of the report by name, and what it proposes to run next. */
#include <ctype.h>
#include <glob.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_report.h"

enum { MOST_LINES = 40, MOST_COLUMNS = 80 };

/* A command of the user's is not broken. */
static bool is_command(const char *line)
{
    return strstr(line, " gcnsim ") != NULL;
}

static void expect_short(const struct said *s, const char *sample)
{
    unsigned lines = 0;

    for (const char *line = s->out; *line; lines++) {
        size_t n = strcspn(line, "\n");
        char text[400];

        snprintf(text, sizeof text, "%.*s", (int)n, line);
        if ((n > MOST_COLUMNS && !is_command(text)) || (n && line[n - 1] == ' ')) {
            print_error("%s: longer than %d columns, or ends in a blank: %s\n", sample, MOST_COLUMNS, text);
            fail();
        }
        line += n + (line[n] != 0);
    }
    if (lines > MOST_LINES) {
        print_error("%s: %u lines\n%s", sample, lines, s->out);
        fail();
    }
}

/* The text with blanks and line ends in a row as one blank. */
static char *filled(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;

    assert_non_null(out);
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            *to++ = *text;
        else if (to > out && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
    return out;
}

static void expect_words(const struct said *s, const char *words)
{
    char *text = filled(s->out);

    if (!strstr(text, words)) {
        said_show(s);
        print_error("expected to find: %s\n", words);
        fail();
    }
    free(text);
}

/* 1234567 -> "1,234,567" */
static const char *grouped(double v, char out[40])
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", v), k = 0;

    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
    return out;
}

/* ---- stalls ---- */

static double stall_of(const struct json *inst, const char *key)
{
    char name[80];

    snprintf(name, sizeof name, "cycles.%s", key);
    const struct json *v = json_get(inst, name);
    return json_is_number(v) ? json_number(v) : 0;
}

static bool same_line(const struct json *a, const struct json *b)
{
    const struct json *f = json_first(json_get(a, "frames")), *g = json_first(json_get(b, "frames"));
    const char *file = json_text(json_get(f, "file")), *other = json_text(json_get(g, "file"));

    return file && other && strcmp(file, other) == 0 &&
           json_integer(json_get(f, "line")) == json_integer(json_get(g, "line"));
}

/* That the screen names the place with the most cycles of the reason: an instruction, or a source line. */
static void expect_place(const struct said *s, const struct json *report, const char *key)
{
    const struct json *list = json_get(object_at(report, "code"), "instructions"), *i, *j, *best = NULL;
    double most = 0, all = 0, of_best = 0;
    char words[400];
    size_t n, m;

    json_each_element (list, n, i) {
        double line = 0, own = stall_of(i, key);

        all += own;
        json_each_element (list, m, j)
            line += i == j || same_line(i, j) ? stall_of(j, key) : 0;
        /* of the line with the most, its instruction with the most */
        if (own > 0 && (line > most || (line == most && own > of_best && best && same_line(i, best)))) {
            most = line;
            of_best = own;
            best = i;
        }
    }
    assert_non_null(best);
    snprintf(words, sizeof words, "%.0f %% of it at ", 100 * most / all);
    expect_words(s, words);
    snprintf(words, sizeof words, " at %s %.20s", json_text(json_get(best, "pc_offset")),
             json_text(json_get(best, "instruction")));
    expect_words(s, words);
}

static void expect_stalls(const struct said *s, const struct json *report)
{
    const struct json *stalls = object_at(report, "stall_cycles"), *v;
    double whole = number_at(report, "resident_wave_cycles"), below = whole + 1;
    const char *key, *at = strstr(s->out, "\nStalls, of ");

    assert_non_null(at);
    for (unsigned k = 0; k < 3; k++) {
        const char *best = NULL;
        char line[80];
        double most = 0;

        json_each_member (stalls, key, v)
            if (strcmp(key, "issued") != 0 && json_number(v) > most && json_number(v) < below) {
                best = key;
                most = json_number(v);
            }
        if (!best)
            return;
        snprintf(line, sizeof line, "\n  %-18s %5.1f %%  ", best, 100 * most / whole);
        const char *next = strstr(at, line);
        if (!next) {
            said_show(s);
            fail_msg("expected behind what stands before it:%s", line);
        }
        at = next;
        below = most;
        expect_place(s, report, best);
    }
}

/* ---- all samples ---- */

static void expect_timing(const struct said *s, const struct json *r)
{
    char words[600], number[40];

    snprintf(words, sizeof words, "limiter %s.", json_text(json_get(object_at(r, "limiter"), "verdict")));
    expect_words(s, words);
    snprintf(words, sizeof words, "\ntime       %s cycles, ", grouped(number_at(r, "cycles"), number));
    expect_in(s, s->out, words);
    expect_in(s, s->out, "\nconfidence ");
    expect_in(s, s->out, "share of the chip's peak\n");
    snprintf(words, sizeof words, "with waves %.1f %%", 100 * number_at(object_at(r, "peak"), "cus"));
    expect_words(s, words);
    expect_in(s, s->out, "\nwhat helps gcnsim explain ");
    expect_stalls(s, r);
}

static void expect_functional(const struct said *s)
{
    assert_null(strstr(s->out, "cycles"));
    assert_null(strstr(s->out, "Stalls"));
    expect_in(s, s->out, "\nresults    ");
    expect_in(s, s->out, "\ntiming     gcnsim run ");
    assert_null(strstr(strstr(s->out, "\ntiming     gcnsim run "), "functional"));
}

static void check_sample(const char *path, const char *engine)
{
    char json[CLI_PATH + 256];
    snprintf(json, sizeof json, "%s", cli_path("report.json"));
    struct said s = RUN("run", path, "--engine", engine, "--discard-outputs");
    /* counts of all instructions change nothing but the command */
    struct said counted = RUN("run", path, "--engine", engine, "--discard-outputs", "--json", json,
                              strcmp(engine, "timing") == 0 ? "--per-instruction" : NULL);
    char words[300];

    expect_status(&s, 0);
    expect_status(&counted, 0);
    assert_int_equal(strstr(s.out, "\ndetails ") - s.out, strstr(counted.out, "\ndetails ") - counted.out);
    const struct json *r = json_parse_file(json);

    assert_non_null(r);
    if (strcmp(engine, "timing") == 0)
        assert_memory_equal(s.out, counted.out, (size_t)(strstr(s.out, "\ndetails ") - s.out));
    expect_short(&s, path);
    snprintf(words, sizeof words, "kernel     %s\nobject     ", json_text(json_get(r, "kernel")));
    assert_ptr_equal(strstr(s.out, words), s.out);
    snprintf(words, sizeof words, ", profile %s engine %s", json_text(json_get(r, "profile")), engine);
    expect_words(&s, words);
    assert_null(strstr(s.out, "stands in for"));
    snprintf(words, sizeof words, "\ndetails    gcnsim run %s --engine %s --discard-outputs --details\n", path, engine);
    expect_in(&s, s.out, words);
    if (strcmp(engine, "timing") == 0)
        expect_timing(&s, r);
    else
        expect_functional(&s);
    json_free(r);
    said_free(&s);
    said_free(&counted);
}

static void test_samples(void **state)
{
    glob_t g;
    (void)state;

    assert_int_equal(glob("traces/samples/*/*.json", 0, NULL, &g), 0);
    assert_true(g.gl_pathc > 50);
    for (size_t k = 0; k < g.gl_pathc; k++) {
        check_sample(g.gl_pathv[k], "timing");
        check_sample(g.gl_pathv[k], "functional");
    }
    globfree(&g);
}

/* ---- sections ---- */

static void test_details(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--details");
    expect_status(&s, 0);
    static const char *const titles[] = {
        "\nLimiter\n",     "\nTime\n",  "\nDispatch\n",   "\nInstructions\n", "\nFidelity\n",
        "\nOccupancy\n",   "\nLDS\n",   "\nCaches ",      "\nCache data ",    "\nDRAM\n",
        "\nTranslation\n", "\nMemory ", "\nProvenance\n", "\nHost\n",         "\nWhere wave-cycles went\n"};
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
        expect_in(&s, s.out, titles[k]);
    assert_null(strstr(s.out, "\nStalls, of "));
    assert_null(strstr(s.out, "--details --details"));
    said_free(&s);
}

static void test_sections(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--show", "caches,occupancy,fabric");
    expect_status(&s, 0);
    assert_ptr_equal(strstr(s.out, "matmul, gfx1201-rx9070xt, timing engine\n\nCaches "), s.out);
    expect_in(&s, s.out, "\nOccupancy\n");
    expect_in(&s, s.out, "\nfabric: nothing in this run\n");
    assert_null(strstr(s.out, "Time\n"));
    assert_null(strstr(s.out, "--details"));
    said_free(&s);
    /* in the order in which they are asked for; the screen is one of them */
    s = RUN("run", SAMPLES "gfx1201/matmul.json", "--show", "lds,summary");
    expect_status(&s, 0);
    assert_true(strstr(s.out, "\nLDS\n") < strstr(s.out, "\n\nkernel     matmul\n"));
    said_free(&s);
}

static void test_no_such_section(void **state)
{
    (void)state;
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--show", "caches,cashes"),
                   WORDS("--show", "no section \"cashes\"", "summary, launch,", "caches", "occupancy", "host"));
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--show", ""), WORDS("no section \"\""));
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--show", "caches,"), WORDS("no section \"\""));
    /* help has each with what is in it */
    struct said s = RUN("help", "run");
    expect_in(&s, s.out, "sections of the report");
    expect_in(&s, s.out, "occupancy     waves per SIMD and what limits them");
    said_free(&s);
}

/* What the screen proposes does what it says. */
static void test_next(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--set", "gpu.shader_clock_mhz=1000", "--threads", "1");
    expect_status(&s, 0);
    expect_in(&s, s.out,
              "\nwhat helps gcnsim explain " SAMPLES "gfx1201/vecadd.json --set gpu.shader_clock_mhz=1000\n");
    said_free(&s);
    s = RUN("explain", SAMPLES "gfx1201/vecadd.json", "--set", "gpu.shader_clock_mhz=1000", "--only", "coalescing");
    expect_status(&s, 0);
    said_free(&s);
}

/* Several kernels, and none is chosen: the first ten are named. */
static void test_many_kernels(void **state)
{
    char source[CLI_PATH + 256], object[CLI_PATH + 256];
    (void)state;

    NEED_CLANG();
    snprintf(source, sizeof source, "%s", cli_path("k.cl"));
    snprintf(object, sizeof object, "%s", cli_path("k.co"));
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    for (unsigned k = 0; k < 13; k++)
        fprintf(f, "kernel void k%u(global int *p) { *p = %u; }\n", k, k);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(
        spawn_tool((const char *[]){"clang-19", "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa",
                                    "-mcpu=gfx90a", "-nogpulib", source, "-o", object, NULL},
                   cli_path("log")),
        0);
    expect_refused(RUN("run", object, "--blocks", "1", "--workgroup", "64"),
                   WORDS("13 kernels", ": k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 3 more\n"));
}

static void test_kernel_is_missing(void **state)
{
    (void)state;
    expect_refused(RUN("run", SAMPLES "gfx1201/transpose.co", "--blocks", "1", "--workgroup", "64"),
                   WORDS("--kernel is missing", "2 kernels", "transpose_naive, transpose_padded"));
}

/* Rounds are folded, and the steady launch has its screen; of several launches each has its verdict. */
static void test_rounds(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--discard-outputs", "--repeat", "30");
    expect_status(&s, 0);
    expect_in(&s, s.out, "\n  and 22 more\n  vecadd                 28 ");
    expect_in(&s, s.out, "\nlimiter    ");
    expect_in(&s, s.out, "\nStalls, of ");
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),           cmocka_unit_test(test_details),
        cmocka_unit_test(test_sections),          cmocka_unit_test(test_next),
        cmocka_unit_test(test_no_such_section),   cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_kernel_is_missing), cmocka_unit_test(test_many_kernels),
    };

    return cmocka_run_group_tests_name("the first screen of a report", tests, cli_setup, cli_teardown);
}
