/* Every sample launch through the tool, with both engines: the files it writes against the CPU references, and the
 * report's counts against the launch.
 *
 * Runs happen in a temporary folder laid out like traces/samples (data and code objects are links), so nothing is
 * written to the source tree. -O0 code objects are run with the launch file of their -O2 twin, `file` replaced.
 */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/json.h"
#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/system/samples_ref.h"
#include "tests/system/spawn_tool.h"

#define SAMPLES "traces/samples"

enum { PATH_BYTES = 4096 + 512, MAX_RUNS = 512 };

static const char *const target_name[] = {"gfx803", "gfx90a", "gfx1201"};

struct run {
    const struct sample_case *sample;
    const char *target;
    const char *variant; /* "", ".O0", ".w64" */
    const char *engine;
    char title[96];
};

static struct {
    struct sample_inputs inputs;
    const char *tool;
    char root[4096]; /* of the repository */
    const char *dir; /* program_folder() */
    struct run runs[MAX_RUNS];
    struct CMUnitTest tests[MAX_RUNS];
    size_t count;
} env;

/* Prints why, with the tool's words if there is a log, and fails. */
static void fail_run(const struct run *run, const char *log, const char *what)
{
    size_t bytes;
    char *text = log ? read_whole(log, &bytes) : NULL;
    print_error("%s: %s\n%s", run->title, what, text ? text : "");
    free(text);
    fail();
}

static void join(char *dst, const char *dir, const char *name)
{
    int n = snprintf(dst, PATH_BYTES, "%s/%s", dir, name);
    assert_in_range(n, 1, PATH_BYTES - 1);
}

/* Puts the launch file of `run` into the temporary folder. */
static void stage_launch(const struct run *run, char *launch)
{
    char from[PATH_BYTES], code[PATH_BYTES], link_to[PATH_BYTES], file[256];
    bool w64 = strcmp(run->variant, ".w64") == 0;
    size_t bytes;

    snprintf(file, sizeof file, "%s/%s%s.json", run->target, run->sample->name, w64 ? ".w64" : "");
    join(from, SAMPLES, file);
    char *text = read_whole(from, &bytes);
    if (!text)
        fail_run(run, NULL, "no launch file");
    const struct json *json = json_parse(text);
    free(text);
    if (!json)
        fail_run(run, NULL, "the launch file is not JSON");

    snprintf(file, sizeof file, "%s%s.co", run->sample->code, run->variant);
    if (strcmp(run->variant, ".O0") == 0)
        assert_true(cJSON_ReplaceItemInObjectCaseSensitive(json_node(json), "file", cJSON_CreateString(file)));
    assert_string_equal(json_text(json_get(json, "file")), file);
    assert_string_equal(json_text(json_get(json, "kernel")), run->sample->kernel);

    snprintf(code, sizeof code, "%s/%s/%s/%s", env.root, SAMPLES, run->target, file);
    snprintf(link_to, sizeof link_to, "%s/%s/%s", env.dir, run->target, file);
    if (access(code, R_OK) != 0)
        fail_run(run, NULL, "no code object");
    if (symlink(code, link_to) != 0 && errno != EEXIST)
        fail_run(run, NULL, "cannot link the code object");

    snprintf(file, sizeof file, "%s/%s%s.json", run->target, run->sample->name, run->variant);
    join(launch, env.dir, file);
    char *printed = json_print(json);
    json_free(json);
    FILE *f = fopen(launch, "wb");
    assert_non_null(f);
    assert_true(fputs(printed, f) >= 0);
    assert_int_equal(fclose(f), 0);
    free(printed);
}

static void output_path(const struct sample_output *o, char *path)
{
    snprintf(path, PATH_BYTES, "%s/out/%s", env.dir, o->file);
}

static bool f32_close(float got, float want, double relative)
{
    return fabs((double)got - (double)want) <= relative * fabs((double)want);
}

/* Index of the first dword that is wrong, or -1. */
static long first_difference(const struct sample_case *c, const char *got, const char *want, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 4) {
        if (memcmp(got + at, want + at, 4) == 0)
            continue;
        float g, w;
        memcpy(&g, got + at, 4);
        memcpy(&w, want + at, 4);
        if (c->relative_tolerance == 0 || !f32_close(g, w, c->relative_tolerance))
            return (long)(at / 4);
    }
    return -1;
}

static void check_outputs(const struct run *run, const char *log)
{
    const struct sample_case *c = run->sample;
    void *want[SAMPLE_MAX_OUTPUTS] = {NULL};
    for (unsigned k = 0; k < SAMPLE_MAX_OUTPUTS && c->outputs[k].file; k++) {
        want[k] = calloc(1, c->outputs[k].bytes);
        assert_non_null(want[k]);
    }
    c->reference(&env.inputs, want);
    for (unsigned k = 0; k < SAMPLE_MAX_OUTPUTS && c->outputs[k].file; k++) {
        char path[PATH_BYTES], what[256];
        size_t bytes = 0;
        output_path(&c->outputs[k], path);
        char *got = read_whole(path, &bytes);
        if (!got || bytes != c->outputs[k].bytes) {
            snprintf(what, sizeof what, "%s: %zu bytes written, expected %zu", c->outputs[k].file, got ? bytes : 0,
                     c->outputs[k].bytes);
            fail_run(run, log, what);
        }
        long at = first_difference(c, got, want[k], bytes);
        if (at >= 0) {
            uint32_t g, w;
            memcpy(&g, got + 4 * at, 4);
            memcpy(&w, (char *)want[k] + 4 * at, 4);
            snprintf(what, sizeof what, "%s: dword %ld is 0x%08x, expected 0x%08x", c->outputs[k].file, at, g, w);
            fail_run(run, log, what);
        }
        free(got);
        free(want[k]);
    }
}

static double number_at(const struct run *run, const struct json *json, const char *key)
{
    const struct json *item = json_get(json, key);
    if (!json_is_number(item)) {
        char what[128];
        snprintf(what, sizeof what, "the report has no number \"%s\"", key);
        fail_run(run, NULL, what);
    }
    return json_number(item);
}

static void check_report(const struct run *run, const char *path)
{
    const struct sample_case *c = run->sample;
    size_t bytes;
    char *text = read_whole(path, &bytes);
    const struct json *json = text ? json_parse(text) : NULL;
    free(text);
    if (!json)
        fail_run(run, NULL, "no JSON report");

    unsigned groups = 1, items = 1;
    for (unsigned d = 0; d < 3; d++) {
        groups *= c->grid[d] / c->workgroup[d];
        items *= c->workgroup[d];
    }
    bool wave32 = strcmp(run->target, "gfx1201") == 0 && strcmp(run->variant, ".w64") != 0;
    unsigned lanes = wave32 ? 32 : 64;
    assert_string_equal(json_text(json_get(json, "target")), run->target);
    assert_string_equal(json_text(json_get(json, "engine")), run->engine);
    assert_string_equal(json_text(json_get(json, "kernel")), c->kernel);
    assert_int_equal(number_at(run, json, "workgroups"), groups);
    assert_int_equal(number_at(run, json, "waves"), groups * ((items + lanes - 1) / lanes));

    const struct json *mix = json_get(json, "instructions");
    double total = number_at(run, mix, "total"), sum = 0;
    static const char *const categories[] = {"valu", "salu", "smem",   "vmem",    "flat",
                                             "lds",  "mfma", "branch", "internal"};
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        sum += number_at(run, mix, categories[i]);
    assert_true(total > 0);
    assert_true(sum == total);
    if (strcmp(run->engine, "timing") == 0)
        assert_true(number_at(run, json, "cycles") > 0);
    else
        assert_true(json_is_null(json_get(json, "cycles")));
    json_free(json);
}

static void test_run(void **state)
{
    const struct run *run = *state;
    char launch[PATH_BYTES], log[PATH_BYTES], report[PATH_BYTES], path[PATH_BYTES], what[64];
    stage_launch(run, launch);
    join(log, env.dir, "log");
    join(report, env.dir, "report.json");
    unlink(report);
    for (unsigned k = 0; k < SAMPLE_MAX_OUTPUTS && run->sample->outputs[k].file; k++) {
        output_path(&run->sample->outputs[k], path);
        unlink(path); /* of the run before */
    }
    const char *argv[] = {env.tool, "run", launch, "--engine", run->engine, "--quiet", "--json", report, NULL};
    int status = spawn_tool(argv, log);
    if (status != 0) {
        snprintf(what, sizeof what, status == SPAWN_SIGNAL ? "crashed (%d)" : "exit status %d", status);
        fail_run(run, log, what);
    }
    check_outputs(run, log);
    check_report(run, report);
}

static void add_run(const struct sample_case *c, const char *target, const char *variant)
{
    static const char *const engines[] = {"functional", "timing"};
    for (unsigned e = 0; e < 2; e++) {
        assert(env.count < MAX_RUNS);
        struct run *run = &env.runs[env.count];
        *run = (struct run){.sample = c, .target = target, .variant = variant, .engine = engines[e]};
        snprintf(run->title, sizeof run->title, "%s/%s%s %s", target, c->name, variant, engines[e]);
        env.tests[env.count++] = (struct CMUnitTest){.name = run->title, .test_func = test_run, .initial_state = run};
    }
}

static void list_runs(void)
{
    for (size_t i = 0; i < sample_case_count; i++)
        for (unsigned t = 0; t < 3; t++) {
            const struct sample_case *c = &sample_cases[i];
            if (!(c->targets & 1u << t))
                continue;
            add_run(c, target_name[t], "");
            if (c->has_o0)
                add_run(c, target_name[t], ".O0");
            if (c->has_w64 && 1u << t == SAMPLE_GFX1201)
                add_run(c, target_name[t], ".w64");
        }
}

static int setup(void **state)
{
    (void)state;
    char from[PATH_BYTES], to[PATH_BYTES];
    env.tool = getenv("GCNSIM");
    if (!env.tool || access(env.tool, X_OK) != 0) {
        print_error("GCNSIM must name the built tool (it is \"%s\")\n", env.tool ? env.tool : "");
        return -1;
    }
    const char *bad = sample_inputs_read(&env.inputs, SAMPLES "/data");
    if (bad) {
        print_error("%s/data/%s: missing or of the wrong size; run from the repository's root\n", SAMPLES, bad);
        return -1;
    }
    env.dir = program_folder();
    if (!getcwd(env.root, sizeof env.root))
        return -1;
    join(from, env.root, SAMPLES "/data");
    join(to, env.dir, "data");
    if (symlink(from, to) != 0)
        return -1;
    join(to, env.dir, "out");
    if (mkdir(to, 0755) != 0)
        return -1;
    for (unsigned t = 0; t < 3; t++) {
        join(to, env.dir, target_name[t]);
        if (mkdir(to, 0755) != 0)
            return -1;
    }
    return 0;
}

int main(void)
{
    list_runs();
    return _cmocka_run_group_tests("samples", env.tests, env.count, setup, NULL);
}
