/* One run, all its views: what the report counts, the JSON's instructions, the tables, AMD's counters, the page, the
 * annotated code, the samples over time, the timeline and the thread trace count alike. */
#include "tests/system/cli_run.h"

#include "tests/support/json.h"

#include "tests/support/pftrace.h"

#define SAMPLES "traces/samples/"

struct run {
    const struct json *report;
    double total, resident, cycles, waves;
};

static double at(const struct json *object, const char *path)
{
    char text[200], *save = NULL;

    snprintf(text, sizeof text, "%s", path);
    for (char *key = strtok_r(text, ".", &save); key; key = strtok_r(NULL, ".", &save))
        object = json_get(object, key);
    if (!json_is_number(object))
        fail_msg("no number %s", path);
    return json_number(object);
}

/* For a page's column, which may be in its sparse form or left out, too. */
static double sum(const struct json *column)
{
    const struct json *array = json_is_object(column) ? json_get(column, "v") : column;
    double all = 0;
    const struct json *v;
    size_t k;

    assert_true(!array || json_is_array(array));
    json_each_element (array, k, v)
        all += json_number(v);
    return all;
}

static void same(const char *view, const char *what, double value, double wanted)
{
    if (value != wanted)
        fail_msg("%s: %s is %.0f, and %.0f in the report", view, what, value, wanted);
}

static char *text_of(const char *name)
{
    size_t bytes;
    char *text = read_whole(cli_path(name), &bytes);

    assert_non_null(text);
    return text;
}

/* ---- the views ---- */

static void code_of_the_report(const struct run *r)
{
    const struct json *insts = json_get(json_get(r->report, "code"), "instructions"), *i, *cycles;
    const char *reason;
    double executed = 0;
    size_t k;

    json_each_element (insts, k, i)
        executed += json_number(json_get(i, "executed"));
    same("code", "executed", executed, r->total);
    json_each_member (json_get(r->report, "stall_cycles"), reason, cycles) {
        char key[80];
        double all = 0;

        snprintf(key, sizeof key, "cycles.%s", reason);
        json_each_element (insts, k, i)
            all += json_number(json_get(i, key));
        same("code", key, all, json_number(cycles));
    }
}

static void categories_and_kinds(const struct run *r)
{
    double categories = 0, stalls = 0, launched = 0, matrix = 0;
    const char *key;
    const struct json *v;

    json_each_member (json_get(r->report, "instructions"), key, v)
        categories += strcmp(key, "total") ? json_number(v) : 0;
    same("instructions", "the sum of the categories", categories, r->total);
    json_each_member (json_get(r->report, "stall_cycles"), key, v)
        stalls += json_number(v);
    same("stall_cycles", "their sum", stalls, r->resident);
    json_each_member (json_get(r->report, "launched"), key, v)
        launched += strncmp(key, "waves", 5) ? 0 : json_number(v);
    same("launched", "waves", launched, r->waves);
    json_each_member (json_get(r->report, "kinds"), key, v)
        matrix += strncmp(key, "matrix", 6) ? 0 : json_number(v);
    same("kinds", "matrix instructions", matrix, at(r->report, "instructions.mfma"));
    same("kinds", "flat instructions",
         at(r->report, "kinds.flat_loads") + at(r->report, "kinds.flat_stores") + at(r->report, "kinds.flat_atomics"),
         at(r->report, "instructions.flat"));
    same("kinds", "LDS and GDS instructions",
         at(r->report, "kinds.lds_loads") + at(r->report, "kinds.lds_stores") + at(r->report, "kinds.lds_atomics") +
             at(r->report, "kinds.lds_permutes") + at(r->report, "kinds.gds"),
         at(r->report, "instructions.lds"));
}

static void table_of_statistics(const struct run *r)
{
    char *text = text_of("statistics.csv"), *save = NULL;
    unsigned rows = 0;

    for (char *line = strtok_r(text, "\n", &save); (line = strtok_r(NULL, "\n", &save)); rows++) {
        char *value = strrchr(line, ',') + 1;

        line[strcspn(line, ",")] = '\0';
        same("--csv statistics", line, strtod(value, NULL), at(r->report, line));
    }
    assert_true(rows > 100);
    free(text);
}

/* Hitcount, and the columns of the reasons after the source. No field of the samples has a quote in it. */
static void table_of_instructions(const struct run *r)
{
    char *text = text_of("instructions.csv"), *save = NULL, *header = strtok_r(text, "\n", &save), *reason[64];
    double hits = 0, cycles[64] = {0};
    unsigned reasons = 0;

    header = strstr(header, "Source,") + strlen("Source,");
    for (char *key = header, *end; key; key = end ? end + 1 : NULL) {
        if ((end = strchr(key, ',')))
            *end = '\0';
        reason[reasons++] = key;
    }
    for (char *line; (line = strtok_r(NULL, "\n", &save));) {
        char *field = strchr(strchr(line, '"') + 1, '"') + 2; /* after the instruction */

        hits += strtod(field, NULL);
        field = strrchr(line, '"') + 2; /* after the source */
        for (unsigned k = 0; k < reasons; k++)
            cycles[k] += strtod(field, &field), field += *field == ',';
    }
    same("--csv instructions", "Hitcount", hits, r->total);
    for (unsigned k = 0; k < reasons; k++) {
        char path[100];

        snprintf(path, sizeof path, "stall_cycles.%s", reason[k]);
        same("--csv instructions", reason[k], cycles[k], at(r->report, path));
    }
    assert_true(reasons > 20);
    free(text);
}

static bool counter(const char *text, const char *name, double *value)
{
    char key[80];
    const char *row;

    snprintf(key, sizeof key, ",\"%s\",", name);
    row = strstr(text, key);
    *value = row ? strtod(row + strlen(key), NULL) : 0;
    return row != NULL;
}

static void table_of_counters(const struct run *r)
{
    char *text = text_of("counters.csv");
    double value, wave32, wave64;

    assert_true(counter(text, "GRBM_GUI_ACTIVE", &value));
    same("--csv counters", "GRBM_GUI_ACTIVE", value, r->cycles);
    assert_true(counter(text, "SQ_WAVES", &value));
    same("--csv counters", "SQ_WAVES", value, r->waves);
    assert_true(counter(text, "SQ_INSTS_VALU", &value));
    same("--csv counters", "SQ_INSTS_VALU", value,
         at(r->report, "instructions.valu") + at(r->report, "instructions.mfma"));
    if (counter(text, "SQ_INSTS", &value))
        same("--csv counters", "SQ_INSTS", value, r->total);
    if (counter(text, "SQ_WAVE32_INSTS", &wave32) && counter(text, "SQ_WAVE64_INSTS", &wave64))
        same("--csv counters", "SQ_WAVE32_INSTS and SQ_WAVE64_INSTS", wave32 + wave64, r->total);
    if (counter(text, "SQ_WAVE_CYCLES", &value))
        same("--csv counters", "SQ_WAVE_CYCLES", counter(text, "SQ_WAVE32_INSTS", &wave32) ? value : 4 * value,
             r->resident);
    free(text);
}

static void page(const struct run *r)
{
    static const char begins[] = "<script type=\"application/json\" id=\"data\">";
    char *text = text_of("page.html");
    const char *from = strstr(text, begins);
    const struct json *data, *values, *cycles;
    const char *reason;

    if (!from)
        fail_msg("the page has no data");
    from += strlen(begins);
    data = json_parse_bytes(from, (size_t)(strstr(from, "</script>") - from));
    const struct json *launch = json_at(json_get(data, "launches"), 0);
    assert_non_null(values = json_get(json_get(launch, "code"), "values"));
    same("--html", "executed", sum(json_get(values, "executed")), r->total);
    json_each_member (json_get(r->report, "stall_cycles"), reason, cycles) {
        char key[80];

        snprintf(key, sizeof key, "cycles.%s", reason);
        same("--html", key, sum(json_get(values, key)), json_number(cycles));
    }
    same("--html", "the report in it", at(json_get(launch, "report"), "resident_wave_cycles"), r->resident);
    json_free(data);
    free(text);
}

/* A number with commas. */
static double digits(const char *text)
{
    double v = 0;

    for (text += strspn(text, " "); (*text >= '0' && *text <= '9') || *text == ','; text++)
        v = *text == ',' ? v : 10 * v + (*text - '0');
    return v;
}

/* The line after the instructions: "cycles 100.0% executed all: ...". */
static void annotated_code(const struct run *r, const char *text)
{
    const char *all = strstr(text, " all: the run's wave-cycles");

    assert_non_null(all);
    while (all > text && all[-1] != '\n')
        all--;
    same("--annotate", "cycles", digits(all), r->resident);
    same("--annotate", "executed", digits(strchr(all, '%') + 1), r->total);
}

static void samples(const struct run *r)
{
    const struct json *series = json_get(json_get(r->report, "samples"), "series"), *values;
    const char *key;
    double total = 0;
    const struct json *v;

    json_each_member (json_get(r->report, "instructions"), key, v) {
        char name[100];

        snprintf(name, sizeof name, "instructions.%s", key);
        if ((values = json_get(json_get(series, name), "values"))) {
            same("samples", name, sum(values), json_number(v));
            total += sum(values);
        }
    }
    same("samples", "instructions", total, r->total);
    json_each_member (json_get(r->report, "stall_cycles"), key, v) {
        char name[100];

        snprintf(name, sizeof name, "stall_cycles.%s", key);
        assert_non_null(values = json_get(json_get(series, name), "values"));
        same("samples", name, sum(values), json_number(v));
    }
}

static void timeline(const struct run *r)
{
    static struct pf_trace t;
    double waves = 0, cycles = 0, executed = 0;

    memset(&t, 0, sizeof t);
    pf_read(&t, cli_path("timeline.pftrace"));
    for (size_t k = 0; k < t.slices; k++) {
        const struct pf_slice *s = &t.slice[k];

        waves += pf_is(s, "wave");
        cycles += pf_is(s, "wave") ? (double)(s->end - s->begin) : 0;
        executed += pf_is(s, "instruction");
    }
    same("--trace", "waves", waves, r->waves);
    same("--trace", "cycles", cycles, r->resident);
    same("--trace", "instructions", executed, r->total);
    pf_free(&t);
}

/* Its statistics leave out the cycles in which a wave drains, and those that AMD's traces do not have. */
static void thread_trace(const struct run *r)
{
    char *text = text_of("att/stats_ui_output_agent_0_dispatch_1.csv"), *save = NULL;
    double hits = 0;

    strtok_r(text, "\n", &save);
    for (char *line; (line = strtok_r(NULL, "\n", &save));)
        hits += strtod(strchr(strchr(line, '"') + 1, '"') + 2, NULL);
    same("--att", "Hitcount", hits, r->total);
    free(text);
}

static void views_count_alike(void **state)
{
    const char *sample = *state;
    char csv[3 * CLI_PATH + 1000], trace[CLI_PATH + 300], html[CLI_PATH + 300], json[CLI_PATH + 300],
        att[CLI_PATH + 300];

    snprintf(csv, sizeof csv, "statistics=%s", cli_path("statistics.csv"));
    snprintf(csv + strlen(csv), sizeof csv - strlen(csv), ",counters=%s", cli_path("counters.csv"));
    snprintf(csv + strlen(csv), sizeof csv - strlen(csv), ",instructions=%s", cli_path("instructions.csv"));
    snprintf(trace, sizeof trace, "%s", cli_path("timeline.pftrace"));
    snprintf(html, sizeof html, "%s", cli_path("page.html"));
    snprintf(json, sizeof json, "%s", cli_path("report.json"));
    snprintf(att, sizeof att, "%s", cli_path("att"));
    struct said s = RUN("run", sample, "--annotate", "--csv", csv, "--trace", trace, "--html", html, "--json", json,
                        "--att", att, "--att-cus", "all", "--samples", "200", "--color", "never");
    expect_status(&s, 0);
    struct run r = {.report = json_parse_file(json)};

    assert_non_null(r.report);
    r.total = at(r.report, "instructions.total");
    r.resident = at(r.report, "resident_wave_cycles");
    r.cycles = at(r.report, "cycles");
    r.waves = at(r.report, "waves_done");
    assert_true(r.total > 0 && r.resident > r.total && r.waves > 1);
    categories_and_kinds(&r);
    code_of_the_report(&r);
    table_of_statistics(&r);
    table_of_instructions(&r);
    table_of_counters(&r);
    page(&r);
    annotated_code(&r, s.out);
    samples(&r);
    timeline(&r);
    thread_trace(&r);
    json_free(r.report);
    said_free(&s);
}

int main(void)
{
    static char *const sample[] = {SAMPLES "gfx803/histogram.json", SAMPLES "gfx90a/softmax.g.json",
                                   SAMPLES "gfx1201/scan.json"};
    struct CMUnitTest tests[3];

    for (unsigned k = 0; k < 3; k++)
        tests[k] = (struct CMUnitTest){sample[k], views_count_alike, NULL, NULL, sample[k]};
    return _cmocka_run_group_tests("views", tests, 3, NULL, NULL);
}
