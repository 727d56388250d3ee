/* The views of gcnsim exec, of a program of raw HSA in C and of one of HIP: what stands in each of them adds up to the
 * reports of the dispatches, and names functions and source lines; and what is refused. */
#define _GNU_SOURCE
#include <glob.h>

#include "tests/hsa/exec_run.h"
#include "tests/support/pftrace.h"
#include "tests/system/cli_report.h"

enum { MAX_DISPATCHES = 8 };

/* A program, and what it does. */
struct program {
    const char *name, *arch;
    const char *words[4]; /* after the options, up to a null */
    const char *source;   /* "kernels.s": where its kernels are */
    unsigned dispatches, kernels;
};

/* What the reports say of a dispatch. */
struct facts {
    char kernel[80];
    double cycles, wave_cycles, executed, waves;
};

struct all {
    struct facts of[MAX_DISPATCHES];
    unsigned count;
};

static const char *folder(void)
{
    static char path[CLI_PATH];

    snprintf(path, sizeof path, "%s", hsa_program("raw"));
    return dirname(path);
}

static struct program raw_program(const char *arch)
{
    return (struct program){.name = "raw",
                            .arch = arch,
                            .words = {hsa_program("raw"), folder(), "dispatches"},
                            .source = "kernels.s",
                            .dispatches = 3,
                            .kernels = 1};
}

static struct program hip_program(void)
{
    return (struct program){.name = "views",
                            .arch = "gfx90a",
                            .words = {hsa_program("views")},
                            .source = "views.cpp",
                            .dispatches = 5,
                            .kernels = 2};
}

/* gcnsim exec --engine timing OPTIONS PROGRAM, which has to do well. */
static struct said run_with(const struct program *p, const char *const options[])
{
    const char *words[CLI_ARGS] = {"exec", "--arch", p->arch, "--engine", "timing"};
    size_t n = 5;

    for (size_t k = 0; options[k]; k++)
        words[n++] = options[k];
    for (size_t k = 0; p->words[k]; k++)
        words[n++] = p->words[k];
    struct said s = cli_run(words);
    expect_status(&s, 0);
    return s;
}

#define RUN_WITH(P, ...) run_with((P), (const char *const[]){__VA_ARGS__, NULL})

static char *in_folder(const char *name)
{
    static char paths[16][CLI_PATH + 64];
    static unsigned next;
    char *path = paths[next++ % 16];

    snprintf(path, sizeof paths[0], "%s", cli_path(name));
    return path;
}

static char *whole_file(const char *path)
{
    size_t bytes;
    char *text = read_whole(path, &bytes);

    if (!text)
        fail_msg("%s is not there", path);
    return text;
}

/* The only file of a pattern in the folder, which has a number of a process in it. */
static const char *only(const char *pattern)
{
    static char path[CLI_PATH + 64];
    glob_t found;

    assert_int_equal(glob(in_folder(pattern), 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

/* ---- reports ---- */

static double code_sum(const struct json *report, const char *prefix)
{
    const struct json *instruction, *v;
    const char *key;
    double sum = 0;
    size_t k;

    json_each_element (json_get(json_get(report, "code"), "instructions"), k, instruction) {
        json_each_member (instruction, key, v)
            if (strncmp(key, prefix, strlen(prefix)) == 0)
                sum += json_number(v);
    }
    return sum;
}

static struct facts facts_of(const struct json *report)
{
    struct facts f = {.cycles = number_at(report, "cycles"),
                      .wave_cycles = number_at(report, "resident_wave_cycles"),
                      .executed = number_at(object_at(report, "instructions"), "total"),
                      .waves = number_at(report, "waves")};

    snprintf(f.kernel, sizeof f.kernel, "%s", json_text(json_get(report, "kernel_demangled")));
    return f;
}

/* Samples over time add up to the counts, and so does the code by instruction. */
static void report_adds_up(const struct json *report, const struct facts *f)
{
    const struct json *series = object_at(object_at(report, "samples"), "series"), *s, *v;
    const char *key;
    double valu = 0;
    size_t k;

    json_each_member (series, key, s)
        if (strcmp(key, "instructions.valu") == 0)
            json_each_element (json_get(s, "values"), k, v)
                valu += json_number(v);
    assert_true(valu == number_at(object_at(report, "instructions"), "valu"));
    assert_true(valu > 0);
    assert_true(code_sum(report, "executed") == f->executed);
    assert_true(code_sum(report, "cycles.") == f->wave_cycles);
}

static void read_reports(const struct program *p, const char *dir, struct all *all)
{
    char name[64];

    for (unsigned n = 1; n <= p->dispatches; n++) {
        snprintf(name, sizeof name, "%s/*_dispatch_%u.json", dir, n);
        const struct json *report = json_parse_file(only(name));

        assert_non_null(report);
        all->of[all->count] = facts_of(report);
        report_adds_up(report, &all->of[all->count]);
        all->count++;
        json_free(report);
    }
}

/* ---- annotated code ---- */

static double number_in(const char *text)
{
    double v = 0;

    text += strspn(text, " ");
    for (; (*text >= '0' && *text <= '9') || *text == ','; text++)
        v = *text == ',' ? v : 10 * v + (*text - '0');
    return v;
}

static void lines_fit(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
        if (strncmp(line, "gcnsim: ", 8) != 0)
            assert_true(strcspn(line, "\n") <= 120);
}

/* For all kernels: head, and the last line. */
static void annotated_adds_up(const struct program *p, const struct said *s, const struct all *all)
{
    unsigned kernels = 0, launches = 0;

    lines_fit(s->err);
    for (const char *at = s->err; (at = strstr(at, "\nkernel     ")); at++, kernels++) {
        double cycles = 0, wave_cycles = 0, executed = 0, n = 0;
        char name[80];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 12, "\n"), at + 12);
        for (unsigned k = 0; k < all->count; k++)
            if (strcmp(all->of[k].kernel, name) == 0) {
                cycles += all->of[k].cycles;
                wave_cycles += all->of[k].wave_cycles;
                executed += all->of[k].executed;
                n++;
            }
        launches += (unsigned)n;
        assert_true(n > 0 && number_in(strstr(at, "launches   ") + 11) == n);
        assert_true(number_in(strstr(at, "cycles     ") + 11) == cycles);
        const char *foot = strstr(at, "all: the launches' wave-cycles and instructions"), *line = foot;
        assert_non_null(foot);
        while (line[-1] != '\n')
            line--;
        assert_true(number_in(line) == wave_cycles);
        assert_true(number_in(line + 19) == executed);
        const char *named = strstr(at, p->source);
        assert_true(named && named < foot);
    }
    assert_int_equal(kernels, p->kernels);
    assert_int_equal(launches, p->dispatches);
}

/* ---- tables ---- */

/* Field `n` of a line of CSV, without its quotes. */
static const char *field(const char *line, unsigned n, char out[400])
{
    bool quotes = false;
    size_t used = 0;

    for (; *line && (*line != '\n' || quotes); line++) {
        if (*line == '"')
            quotes = !quotes;
        else if (*line == ',' && !quotes && !n--)
            break;
        else if (!n && used < 399)
            out[used++] = *line;
        if (*line == ',' && !quotes && !n)
            used = 0;
    }
    out[used] = 0;
    return out;
}

/* Sum of a column over the rows whose field `of` is `name`; name null: all. */
static double column_sum(const char *text, unsigned column, unsigned of, const char *name)
{
    char value[400], key[400];
    double sum = 0;

    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        if (!name || strcmp(field(line + 1, of, key), name) == 0)
            sum += strtod(field(line + 1, column, value), NULL);
    return sum;
}

static unsigned column_of(const char *text, const char *name)
{
    char key[400];

    for (unsigned k = 0; k < 60; k++)
        if (strcmp(field(text, k, key), name) == 0)
            return k;
    fail_msg("there is no column %s", name);
    return 0;
}

static double sum_of(const struct all *all, size_t offset)
{
    double sum = 0;

    for (unsigned k = 0; k < all->count; k++)
        sum += *(const double *)(const void *)((const char *)&all->of[k] + offset);
    return sum;
}

#define SUM(FIELD) sum_of(all, offsetof(struct facts, FIELD))

static void tables_add_up(const struct program *p, const struct all *all)
{
    char *statistics = whole_file(in_folder("s.csv")), *counters = whole_file(in_folder("c.csv")),
         *instructions = whole_file(in_folder("i.csv"));
    unsigned first = column_of(instructions, "issued");
    double cycles = 0;

    assert_int_equal(strncmp(statistics, "dispatch,kernel,name,unit,value\n", 32), 0);
    assert_true(column_sum(statistics, 4, 2, "cycles") == SUM(cycles));
    assert_true(column_sum(statistics, 4, 2, "instructions.total") == SUM(executed));
    assert_true(column_sum(counters, 16, 15, "SQ_WAVES") == SUM(waves));
    assert_non_null(strstr(counters, "\"Counter_Name\",\"Counter_Value\""));
    assert_true(column_sum(instructions, 3, 0, NULL) == SUM(executed));
    for (const char *at = strstr(instructions, "Source"); at && *at != '\n'; at++)
        if (*at == ',')
            cycles += column_sum(instructions, first++, 0, NULL);
    assert_true(cycles == SUM(wave_cycles));
    assert_non_null(strstr(instructions, p->source));
    free(statistics);
    free(counters);
    free(instructions);
}

/* ---- files of other programs ---- */

static const struct json *page_data(const char *path)
{
    char *text = whole_file(path), *from = strstr(text, "id=\"data\">"), *to;

    assert_non_null(from);
    from += strlen("id=\"data\">");
    to = strstr(from, "</script>");
    assert_non_null(to);
    const struct json *data = json_parse_bytes(from, (size_t)(to - from));
    assert_non_null(data);
    free(text);
    return data;
}

/* A column of the page's instructions: all values, or those that are not 0. */
static double page_column(const struct json *column)
{
    const struct json *values = json_is_array(column) ? column : json_get(column, "v");
    double sum = 0;
    const struct json *v;
    size_t k;

    assert_true(json_is_array(values));
    json_each_element (values, k, v)
        sum += json_number(v);
    return sum;
}

static void page_adds_up(const struct program *p, unsigned number, const struct facts *f)
{
    double executed = 0, cycles = 0;
    const char *key;
    char name[64];
    const struct json *column, *file;
    bool named = false;
    size_t k;

    snprintf(name, sizeof name, "html/*_dispatch_%u.html", number);
    const struct json *data = page_data(only(name)), *launch = json_at(json_get(data, "launches"), 0);
    const struct facts got = facts_of(object_at(launch, "report"));
    const struct json *code = object_at(launch, "code");

    assert_true(got.cycles == f->cycles && got.wave_cycles == f->wave_cycles && got.executed == f->executed);
    assert_string_equal(got.kernel, f->kernel);
    json_each_member (object_at(code, "values"), key, column) {
        executed += strcmp(key, "executed") == 0 ? page_column(column) : 0;
        cycles += strncmp(key, "cycles.", 7) == 0 ? page_column(column) : 0;
    }
    assert_true(executed == f->executed && cycles == f->wave_cycles);
    json_each_element (json_get(code, "files"), k, file)
        named |= strstr(json_text(file), p->source) != NULL;
    assert_true(named);
    assert_true(json_elements(json_get(code, "sources")) > 0); /* its text is in the page */
    json_free(data);
}

static void pages_add_up(const struct program *p, const struct all *all)
{
    char *index = whole_file(in_folder("html/index.html"));

    for (unsigned k = 0; k < all->count; k++) {
        char link[40];

        page_adds_up(p, k + 1, &all->of[k]);
        snprintf(link, sizeof link, "_dispatch_%u.html", k + 1);
        assert_non_null(strstr(index, link));
    }
    free(index);
}

static void thread_traces_add_up(const struct program *p, const struct all *all)
{
    char name[80];

    for (unsigned k = 0; k < all->count; k++) {
        snprintf(name, sizeof name, "att/stats_ui_output_agent_1_dispatch_%u.csv", k + 1);
        char *table = whole_file(in_folder(name));

        assert_true(column_sum(table, 3, 0, NULL) == all->of[k].executed);
        assert_non_null(strstr(table, p->source));
        free(table);
    }
}

static void timeline_adds_up(const struct program *p, const struct all *all)
{
    double waves = 0, executed = 0;
    bool named = false;
    struct pf_trace t;

    pf_read(&t, in_folder("t.pftrace"));
    for (size_t k = 0; k < t.slices; k++) {
        const struct pf_slice *s = &t.slice[k];

        waves += pf_is(s, "wave");
        executed += pf_is(s, "instruction");
        named |= s->file && strstr(s->file, p->source);
    }
    assert_true(waves == SUM(waves) && executed == SUM(executed));
    assert_true(named);
    pf_free(&t);
}

static void remove_folder(void)
{
    char command[CLI_PATH + 16];

    snprintf(command, sizeof command, "rm -rf %s/*", cli_dir);
    assert_int_equal(system(command), 0);
}

/* All views of one run. */
static void all_views(const struct program *p)
{
    char csv[3][CLI_PATH + 80];
    struct all all = {0};

    remove_folder();
    snprintf(csv[0], sizeof csv[0], "statistics=%s", in_folder("s.csv"));
    snprintf(csv[1], sizeof csv[1], "counters=%s", in_folder("c.csv"));
    snprintf(csv[2], sizeof csv[2], "instructions=%s", in_folder("i.csv"));
    struct said s = RUN_WITH(p, "--annotate", "--per-instruction", "--samples", "100", "--json", in_folder("json"),
                             "--csv", csv[0], "--csv", csv[1], "--csv", csv[2], "--html", in_folder("html"), "--att",
                             in_folder("att"), "--att-cus", "all", "--trace", in_folder("t.pftrace"));
    read_reports(p, "json", &all);
    annotated_adds_up(p, &s, &all);
    tables_add_up(p, &all);
    pages_add_up(p, &all);
    thread_traces_add_up(p, &all);
    timeline_adds_up(p, &all);
    said_free(&s);
}

static void views_of_raw_hsa(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx1201.co");
    struct program cdna = raw_program("gfx90a"), rdna = raw_program("gfx1201");
    all_views(&cdna);
    all_views(&rdna);
}

static void views_of_hip(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "views");
    struct program p = hip_program();
    all_views(&p);
}

/* ---- options ---- */

static void orders_and_parts_of_the_code(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "views");
    struct program p = hip_program();
    struct said s = RUN_WITH(&p, "--no-summary", "--annotate", "--sort", "cycles", "--top", "2", "--function", "axpy",
                             "--color", "always");
    char *axpy = strstr(s.err, "axpy(float*, float const*, float, int)");

    expect_in(&s, s.err, "launches   3\n");
    expect_in(&s, s.err, "\033[1m");
    assert_non_null(axpy);
    expect_in(&s, s.err, " more instructions");
    expect_not_in(&s, s.err, "fill(float*, float)");
    expect_in(&s, s.err, "loop (inner ones indented)");
    assert_string_equal(s.out, "good\n");
    said_free(&s);
    s = RUN_WITH(&p, "--no-summary", "--annotate", "--of", "axpy(float*, float const*, float, int),2", "--timeline",
                 "1:2", "--timeline-rows", ":6");
    expect_in(&s, s.err, "views.cpp:10 at(float const*, int) <- views.cpp:17 axpy(float*, ");
    expect_in(&s, s.err, "launches   1\n");
    expect_in(&s, s.err, "dispatch 4, kernel _Z4axpy");
    expect_in(&s, s.err, "wave 2 of workgroup 1 of axpy(float*, float const*, float, int)");
    expect_in(&s, s.err, "views.cpp:1");
    expect_not_in(&s, s.err, "fill(float*, float)");
    said_free(&s);
    s = RUN_WITH(&p, "--no-summary", "--annotate", "--function", "nobody");
    expect_in(&s, s.err, "GCNSIM_FUNCTION: no function \"nobody\" was run");
    said_free(&s);
    s = RUN_WITH(&p, "--no-summary", "--annotate", "--of", "fill(float*, float)");
    expect_in(&s, s.err, "kernel     fill(float*, float)\n");
    expect_in(&s, s.err, "launches   1\n");
    said_free(&s);
}

/* The wave of the first dispatch that the timing engine runs; its instructions are the report's, divided by waves. */
static void one_wave(void **state)
{
    char line[80];
    struct all all = {0};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    struct program p = raw_program("gfx90a");
    remove_folder();
    struct said s = RUN_WITH(&p, "--no-summary", "--timeline", "3:0", "--samples", "100", "--per-instruction", "--json",
                             in_folder("json"));
    read_reports(&p, "json", &all);
    expect_in(&s, s.err, "dispatch 1, kernel scale:\nwave 0 of workgroup 3 of scale, launched in cycle ");
    snprintf(line, sizeof line, "\n%.0f instructions in ", all.of[0].executed / all.of[0].waves);
    expect_in(&s, s.err, line);
    expect_in(&s, s.err, "kernels.s:63");
    assert_null(strstr(strstr(s.err, "dispatch 1"), "dispatch 2"));
    said_free(&s);
    s = RUN_WITH(&p, "--no-summary", "--timeline", "0:0", "--dispatches", "3");
    expect_in(&s, s.err, "dispatch 3, kernel scale:\n");
    said_free(&s);
    s = RUN_WITH(&p, "--no-summary", "--timeline", "0:9");
    expect_in(&s, s.err, "wave 9 of workgroup 0 of scale: no such wave has run");
    said_free(&s);
}

/* Reports and tables of dispatches are what gcnsim diff compares. */
static void two_dispatches_compared(void **state)
{
    char first[CLI_PATH + 64], table[CLI_PATH + 80];

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    struct program p = raw_program("gfx90a");
    remove_folder();
    snprintf(table, sizeof table, "instructions=%s", in_folder("%p.csv"));
    struct said s = RUN_WITH(&p, "--no-summary", "--per-instruction", "--json", in_folder("json"), "--csv", table);
    assert_string_equal(s.err, "");
    said_free(&s);
    snprintf(first, sizeof first, "%s", only("json/*_dispatch_1.json"));
    s = RUN("diff", first, only("json/*_dispatch_2.json"));
    expect_status(&s, 0);
    expect_in(&s, s.out, "(report of gcnsim, scale)");
    expect_in(&s, s.out, "  hits                  280          280            0     +0.0 %");
    said_free(&s);
    s = RUN("diff", first, only("*.csv")); /* which has all three */
    expect_status(&s, 0);
    expect_in(&s, s.out, "  waves                  20           60 ");
    said_free(&s);
}

/* What is said before the dispatch runs is of the same instructions and lines. */
static void explained(void **state)
{
    const struct json *x, *cause, *place;
    bool named = false;
    size_t k, j;

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    struct program p = raw_program("gfx90a");
    remove_folder();
    struct said s = RUN_WITH(&p, "--no-summary", "--explain", "scale,2", "--explain-json", in_folder("x.json"));
    expect_in(&s, s.err, "dispatch 2, explained:\n");
    expect_in(&s, s.err, "scale on gfx90a-mi210: ");
    expect_in(&s, s.err, "kernels.s:60     0x1");
    expect_in(&s, s.err, " s_waitcnt lgkmcnt(0)  (wait_lgkmcnt)");
    said_free(&s);
    x = json_parse_file(in_folder("x.json"));
    assert_non_null(x);
    json_each_element (json_get(x, "causes"), k, cause)
        json_each_element (json_get(cause, "places"), j, place) {
            const char *source = json_text(json_get(place, "source"));

            assert_true(number_at(place, "pc_offset") >=
                        0x1000); /* in the code object, not from where the code begins */
            named |= source && strstr(source, "kernels.s:") != NULL;
        }
    assert_true(named);
    double cold = number_at(x, "cycles");
    assert_true(number_at(x, "warmup") == 0);
    json_free(x);

    /* after two runs of its own the dispatch finds its data */
    s = RUN_WITH(&p, "--no-summary", "--explain", "scale,2", "--explain-warmup", "2", "--explain-json",
                 in_folder("x.json"));
    expect_in(&s, s.err, " cycles, warm: after 2 launches\n");
    said_free(&s);
    x = json_parse_file(in_folder("x.json"));
    assert_non_null(x);
    assert_true(number_at(x, "warmup") == 2 && number_at(x, "cycles") < cold / 1.5);
    json_free(x);
}

/* A dispatch that faults has its views, too. */
static void of_a_fault(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    struct program p = raw_program("gfx90a");
    p.words[2] = "faults";
    remove_folder();
    struct said s = RUN_WITH(&p, "--annotate", "--html", in_folder("html"));
    expect_in(&s, s.err, "kernels.s:84) in 'global_store_dword v4, v3, s[4:5]");
    expect_in(&s, s.err, ", 1 of which ended early");
    const struct json *data = page_data(only("html/*_dispatch_1.html"));
    const struct json *report = object_at(json_at(json_get(data, "launches"), 0), "report");
    expect_text(report, "outcome", "fault");
    json_free(data);
    said_free(&s);
}

/* And one that is ended, with all its program. */
static void of_a_kernel_that_never_ends(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    remove_folder();
    struct running r = exec_start(1, WORDS("exec", "--engine", "timing", "--annotate", "--html", in_folder("html"),
                                           "--json", in_folder("json"), hsa_program("raw"), folder(), "never_ends"));
    exec_await(&r, "never_ends: runs\n");
    assert_int_equal(kill(r.pid, SIGTERM), 0);
    struct said s = exec_finish(&r);
    assert_int_equal(s.status, SPAWN_SIGNAL);
    expect_in(&s, s.err, "kernel     spin\n");
    expect_in(&s, s.err, "launches   1, 1 of which ended early");
    expect_in(&s, s.err, "kernels.s:73");
    free(whole_file(only("html/*_dispatch_2.html")));
    const struct json *report = json_parse_file(only("json/*_dispatch_2.json"));
    assert_non_null(report);
    expect_text(report, "outcome", "interrupted");
    json_free(report);
    said_free(&s);
}

static void what_is_refused(void **state)
{
    (void)state;
    expect_refused(RUN("exec", "--annotate", "true"), WORDS("--annotate is of the timing engine"));
    expect_refused(RUN("exec", "--timeline", "0:0", "true"), WORDS("--timeline is of the timing engine"));
    expect_refused(RUN("exec", "--samples", "10", "true"), WORDS("--samples is of the timing engine"));
    expect_refused(RUN("exec", "--csv", "instructions=x.csv", "true"), WORDS("--csv instructions is of the timing"));
    expect_refused(RUN("exec", "--csv", "-", "true"), WORDS("--csv -: standard output is the program's"));
    expect_refused(RUN("exec", "--csv", "counters=-", "true"),
                   WORDS("--csv counters -: standard output is the program's"));
    expect_refused(RUN("exec", "--json", "-", "true"), WORDS("--json -: standard output is the program's"));
    expect_refused(RUN("exec", "--csv", "counters=/no/such/x.csv", "true"),
                   WORDS("--csv counters /no/such/x.csv", "/no/such"));
    expect_refused(RUN("exec", "--top", "0", "true"), WORDS("--top: '0'; expected a whole number from 1"));
    expect_refused(RUN("exec", "--sort", "name", "true"), WORDS("--sort: 'name'", "latency or stall"));
    expect_refused(RUN("exec", "--timeline", "0", "true"), WORDS("--timeline: '0'; expected WG:WAVE"));
    expect_refused(RUN("exec", "--timeline-rows", "5:3", "true"), WORDS("--timeline-rows: '5:3'; expected A:B"));
    expect_refused(RUN("exec", "--timeline-rows", "3:5", "true"),
                   WORDS("--timeline-rows is for --timeline; there is none"));
    expect_refused(RUN("exec", "--of", ",1", "true"), WORDS("--of: ',1'; expected KERNEL or KERNEL,N"));
    expect_refused(RUN("exec", "--of", "k,0", "true"), WORDS("--of: 'k,0'; expected KERNEL or KERNEL,N"));
    expect_refused(RUN("exec", "--explain", "k,", "true"), WORDS("--explain: 'k,'; expected KERNEL or KERNEL,N"));
    expect_refused(RUN("exec", "--trace-cycles", "7", "true"), WORDS("--trace-cycles: '7'; expected A:B"));
}

/* The library says of the environment what the command says of its options. */
static void variables_that_are_wrong(void **state)
{
    static const char *const wrong[][3] = {
        {"GCNSIM_SORT", "name", "GCNSIM_SORT is 'name'; expected pc, cycles, executed, latency or stall"},
        {"GCNSIM_TOP", "-1", "GCNSIM_TOP is '-1'; expected a whole number from 1 to 4294967295"},
        {"GCNSIM_TOP", "4294967296", "GCNSIM_TOP is '4294967296'; expected a whole number"},
        {"GCNSIM_SAMPLES", "0.5", "GCNSIM_SAMPLES is '0.5'; expected a whole number"},
        {"GCNSIM_EXPLAIN_WARMUP", "1.5", "GCNSIM_EXPLAIN_WARMUP is '1.5'; expected a whole number"},
        {"GCNSIM_TIMELINE", "1:", "GCNSIM_TIMELINE is '1:'; expected WG:WAVE"},
        {"GCNSIM_TRACE_CYCLES", "9:1", "GCNSIM_TRACE_CYCLES is '9:1'; expected A:B"},
        {"GCNSIM_ANNOTATE", "yes", "GCNSIM_ANNOTATE is 'yes'; expected 0 or 1"},
        {"GCNSIM_CSV_INSTRUCTIONS", "/no/such/x.csv", "GCNSIM_CSV_INSTRUCTIONS: /no/such/x.csv cannot be written"},
        {"GCNSIM_JSON", "/dev/null/x", "GCNSIM_JSON: /dev/null/x cannot be written to"},
    };

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv(wrong[k][0], wrong[k][1], 1);
        struct said s = RUN("exec", "--arch", "gfx90a", "--engine", "timing", hsa_program("raw"), folder(), "agents");
        assert_int_not_equal(s.status, 0);
        expect_in(&s, s.err, wrong[k][2]);
        said_free(&s);
        unsetenv(wrong[k][0]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_raw_hsa),
        cmocka_unit_test(views_of_hip),
        cmocka_unit_test(orders_and_parts_of_the_code),
        cmocka_unit_test(one_wave),
        cmocka_unit_test(two_dispatches_compared),
        cmocka_unit_test(explained),
        cmocka_unit_test(of_a_fault),
        cmocka_unit_test(of_a_kernel_that_never_ends),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(variables_that_are_wrong),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
