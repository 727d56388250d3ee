/* The timeline's options on the command line, with good and bad values, and what a file has of functions. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

#include "tests/support/pftrace.h"

#define MATMUL "traces/samples/gfx90a/matmul.json"
#define VECADD "traces/samples/gfx1201/vecadd.json"

/* A path that stays: cli_path() uses few buffers, also for the tool's output. */
static const char *file_named(const char *name)
{
    static char paths[16][CLI_PATH + 64];
    static unsigned n;
    char *path = paths[n++ % 16];

    snprintf(path, sizeof paths[0], "%s", cli_path(name));
    return path;
}

static void run_good(const char *const args[])
{
    struct said s = cli_run(args);

    expect_status(&s, 0);
    said_free(&s);
}
#define GOOD(...) run_good((const char *const[]){"run", __VA_ARGS__, "--quiet", NULL})

static uint64_t count(const struct pf_trace *t, const char *category)
{
    uint64_t n = 0;

    for (size_t k = 0; k < t->slices; k++)
        n += pf_is(&t->slice[k], category);
    return n;
}

static bool has_track(const struct pf_trace *t, const char *name)
{
    for (size_t k = 0; k < t->tracks; k++)
        if (!strcmp(t->track[k].name, name))
            return true;
    return false;
}

/* ---- the file ---- */

static void cus_are_chosen(void **state)
{
    const char *all = file_named("all.pftrace"), *one = file_named("one.pftrace");
    struct pf_trace a, b;

    (void)state;
    GOOD(MATMUL, "--trace", all);
    GOOD(MATMUL, "--trace", one, "--trace-cus", "0,2-3");
    pf_read(&a, all);
    pf_read(&b, one);
    assert_true(has_track(&a, "CU 1") && !has_track(&b, "CU 1"));
    assert_true(has_track(&b, "CU 0") && has_track(&b, "CU 2") && has_track(&b, "CU 3"));
    assert_true(count(&b, "wave") > 0 && count(&b, "wave") < count(&a, "wave"));
    assert_int_equal(count(&b, "dispatch"), count(&a, "dispatch"));
    pf_free(&a);
    pf_free(&b);
}

static void cycles_are_cut(void **state)
{
    static const struct {
        const char *text;
        uint64_t first, end;
    } spans[] = {{"1000:2000", 1000, 2000}, {":500", 0, 500}, {"3000:", 3000, UINT64_MAX}};
    struct pf_trace t;

    (void)state;
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
        const char *path = file_named("cut.pftrace");

        GOOD(MATMUL, "--trace", path, "--trace-cycles", spans[k].text);
        pf_read(&t, path);
        assert_true(count(&t, "instruction") > 0);
        for (size_t n = 0; n < t.slices; n++)
            assert_true(t.slice[n].begin >= spans[k].first && t.slice[n].end <= spans[k].end);
        pf_free(&t);
    }
}

static void size_is_bound(void **state)
{
    const char *path = file_named("small.pftrace");
    struct pf_trace t;
    size_t size;

    (void)state;
    struct said s = RUN("run", MATMUL, "--trace", path, "--trace-size", "64K");
    expect_status(&s, 0);
    expect_in(&s, s.err, "has reached its size in cycle");
    said_free(&s);
    free(pf_file(path, &size));
    assert_true(size <= 64 * 1024 + 500);
    pf_read(&t, path);
    assert_int_equal(t.instants, 1);
    pf_free(&t);
}

static uint64_t end_of(const char *path)
{
    struct pf_trace t;
    uint64_t end = 0;

    pf_read(&t, path);
    for (size_t k = 0; k < t.slices; k++)
        end = t.slice[k].end > end ? t.slice[k].end : end;
    pf_free(&t);
    return end;
}

static void times_are_nanoseconds(void **state)
{
    const char *cycles = file_named("c.pftrace"), *ns = file_named("n.pftrace");

    (void)state;
    GOOD(MATMUL, "--trace", cycles);
    GOOD(MATMUL, "--trace", ns, "--trace-ns");
    assert_int_equal(end_of(ns), end_of(cycles) * 10 / 17); /* 1,700 MHz */
}

static void bad_values(void **state)
{
    const char *path = file_named("bad.pftrace");
    static const struct {
        const char *option, *value, *says;
    } bad[] = {
        {"--trace-cus", "", "--trace-cus: ''; expected numbers of compute units from 0 on and ranges"},
        {"--trace-cus", "x", "--trace-cus: 'x'; expected numbers of compute units"},
        {"--trace-cus", "4-2", "--trace-cus: '4-2'; expected numbers"},
        {"--trace-cus", "1,,2", "--trace-cus: '1,,2'; expected numbers"},
        {"--trace-cycles", "5", "--trace-cycles: '5'; expected A:B"},
        {"--trace-cycles", "9:9", "--trace-cycles: '9:9'; expected A:B"},
        {"--trace-cycles", "9:3", "--trace-cycles: '9:3'; expected A:B"},
        {"--trace-cycles", "-1:3", "--trace-cycles: '-1:3'; expected A:B"},
        {"--trace-size", "many", "--trace-size: 'many'"},
        {"--trace-size", "-1", "--trace-size: '-1'"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        expect_refused(RUN("run", MATMUL, "--trace", path, bad[k].option, bad[k].value), WORDS(bad[k].says));
        assert_int_not_equal(access(path, F_OK), 0); /* and nothing is left */
    }
    expect_refused(RUN("run", MATMUL, "--trace", path, "--trace-ns=1"), WORDS("--trace-ns"));
    expect_refused(RUN("run", MATMUL, "--trace-cus", "0"), WORDS("--trace-cus is for --trace"));
    expect_refused(RUN("run", MATMUL, "--trace-cycles", "0:9"), WORDS("--trace-cycles is for --trace"));
    expect_refused(RUN("run", MATMUL, "--trace-size", "1M"), WORDS("--trace-size is for --trace"));
    expect_refused(RUN("run", MATMUL, "--trace-ns"), WORDS("--trace-ns is for --trace"));
    expect_refused(RUN("run", MATMUL, "--trace", path, "--trace", file_named("other.pftrace")),
                   WORDS("expected one timeline"));
    expect_refused(RUN("run", MATMUL, "--trace", path, "--engine", "functional"), WORDS("of the timing engine"));
}

/* ---- one wave ---- */

static void expect_wave(struct said s, const char *head)
{
    expect_status(&s, 0);
    expect_in(&s, s.out, head);
    expect_in(&s, s.out, "   row  issued at waited ");
    said_free(&s);
}

static void a_wave_is_chosen(void **state)
{
    (void)state;
    expect_wave(RUN("run", VECADD, "--quiet", "--timeline"), "wave 0 of workgroup 0 of ");
    expect_wave(RUN("run", "--timeline", VECADD, "--quiet"), "wave 0 of workgroup 0 of ");
    expect_wave(RUN("run", "--timeline", "--quiet", VECADD), "wave 0 of workgroup 0 of ");
    expect_wave(RUN("run", VECADD, "--timeline", "2:1", "--quiet"), "wave 1 of workgroup 2 of ");
    expect_wave(RUN("run", "--timeline", "2:1", VECADD, "--quiet"), "wave 1 of workgroup 2 of ");
    expect_wave(RUN("run", "--timeline=1:1", VECADD, "--quiet"), "wave 1 of workgroup 1 of ");
    struct said s = RUN("run", "--timeline", "--timeline-rows", "3:5", VECADD, "--quiet");
    expect_status(&s, 0);
    expect_in(&s, s.out, "\n     3 ");
    expect_in(&s, s.out, "\n     4 ");
    assert_null(strstr(s.out, "\n     5 "));
    said_free(&s);
}

/* A reader of JSON finds nothing after it. */
static void a_report_for_programs_is_alone(void **state)
{
    struct said s = RUN("run", MATMUL, "--json", "-", "--timeline");

    (void)state;
    expect_status(&s, 0);
    assert_int_equal(s.out[0], '{');
    assert_string_equal(s.out + strlen(s.out) - 3, "\n}\n");
    assert_null(strstr(s.out, "wave 0 of workgroup 0"));
    said_free(&s);
}

static void bad_waves(void **state)
{
    static const char *const values[] = {"0", "1:", "0:x", "0:-1", "0:0:0", "0:99999999", "1 :0"};

    (void)state;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char says[80];

        snprintf(says, sizeof says, "--timeline: '%s'; expected WG:WAVE", values[k]);
        expect_refused(RUN("run", VECADD, "--timeline", values[k]), WORDS(says));
    }
    expect_refused(RUN("run", VECADD, "--timeline=x"), WORDS("--timeline: 'x'; expected WG:WAVE"));
    expect_refused(RUN("run", VECADD, "--timeline="), WORDS("--timeline: ''; expected WG:WAVE"));
    expect_refused(RUN("run", VECADD, "--timeline", "99999999:0"), WORDS("has workgroups 0 to "));
    expect_refused(RUN("run", VECADD, "--timeline-rows", "0:9"),
                   WORDS("--timeline-rows is for --timeline; there is none"));
    expect_refused(RUN("run", VECADD, "--timeline", "--timeline-rows", "9:3"), WORDS("--timeline-rows: '9:3'"));
    expect_refused(RUN("run", VECADD, "--timeline", "--engine", "functional"), WORDS("of the timing engine"));
}

/* ---- functions ---- */

static const struct pf_slice *inlined(const struct pf_trace *t, const char **chain)
{
    for (size_t k = 0; k < t->slices; k++)
        for (unsigned n = 0; n < t->slice[k].notes; n++)
            if (!strcmp(t->slice[k].note[n].name, "inlined at") && strstr(t->slice[k].note[n].text, " <- ")) {
                *chain = t->slice[k].note[n].text;
                return &t->slice[k];
            }
    return NULL;
}

static const char *note_text(const struct pf_slice *s, const char *name)
{
    for (unsigned n = 0; n < s->notes; n++)
        if (!strcmp(s->note[n].name, name))
            return s->note[n].text;
    return NULL;
}

/* Functions and the calls that were inlined, each text once; protoc reads the same. */
static void functions_and_inlined_calls(void **state)
{
    static const char source[] = "static int peek(global int *p, int i)\n{\n    return p[i];\n}\n"
                                 "static int twice(global int *p)\n{\n    return peek(p, 3) * 2;\n}\n"
                                 "kernel void k(global int *p)\n{\n    p[0] = twice(p);\n}\n";
    const char *path, *chain = NULL;
    char line[2 * CLI_PATH];
    struct pf_trace t;
    unsigned texts = 0;

    (void)state;
    NEED_CLANG();
    write_file(cli_path("f.cl"), source, strlen(source));
    snprintf(line, sizeof line,
             "cd %s && clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -O2 -g f.cl -o f.co >log 2>&1",
             cli_dir);
    assert_int_equal(system(line), 0);
    path = file_named("f.pftrace");
    GOOD(file_named("f.co"), "--grid", "32", "--workgroup", "32", "--arg", "buf:256", "--trace", path);
    pf_read(&t, path);
    const struct pf_slice *s = inlined(&t, &chain);
    assert_non_null(s);
    assert_string_equal(chain, "f.cl:7 twice <- f.cl:11 k");
    assert_string_equal(note_text(s, "function"), "peek");
    assert_int_equal(s->line, 3);
    for (unsigned k = 1; k < 1 << 10; k++)
        texts += t.text[k] && !strcmp(t.text[k], "peek");
    assert_int_equal(texts, 1);
    pf_free(&t);
    if (system("protoc --version >/dev/null 2>&1") != 0)
        return;
    snprintf(line, sizeof line,
             "protoc --decode=perfetto.protos.Trace -I tests/system tests/system/pftrace.proto <%s >%s", path,
             cli_path("decoded"));
    assert_int_equal(system(line), 0);
    size_t size;
    char *decoded = read_whole(cli_path("decoded"), &size);
    assert_non_null(strstr(decoded, "debug_annotation_string_values {\n"));
    assert_non_null(strstr(decoded, "str: \"f.cl:7 twice <- f.cl:11 k\""));
    assert_non_null(strstr(decoded, "string_value_iid: "));
    assert_non_null(strstr(decoded, "function_name: \"peek\""));
    free(decoded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cus_are_chosen),
        cmocka_unit_test(cycles_are_cut),
        cmocka_unit_test(size_is_bound),
        cmocka_unit_test(times_are_nanoseconds),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(a_wave_is_chosen),
        cmocka_unit_test(a_report_for_programs_is_alone),
        cmocka_unit_test(bad_waves),
        cmocka_unit_test(functions_and_inlined_calls),
    };

    return cmocka_run_group_tests_name("system/timeline_options", tests, cli_setup, cli_teardown);
}
