/* gcnsim explain and gcnsim whatif: kernels that are each made for one cause name it first, and a remedy removes the
 * cycles that the kernel really written so does without.
 *
 * kernels/explain.cl is compiled by clang-19 for gfx90a, gfx1100 and gfx1201. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_report.h"

static const char *const targets[] = {"gfx90a", "gfx1100", "gfx1201"};
enum { TARGETS = sizeof targets / sizeof *targets };
static char object[TARGETS][CLI_PATH + 32];

static int compile(void **state)
{
    (void)state;
    snprintf(cli_dir, sizeof cli_dir, "%s", program_folder());
    for (unsigned i = 0; i < TARGETS && !why_no_clang(); i++) {
        char cpu[40], log[CLI_PATH + 16];

        snprintf(cpu, sizeof cpu, "-mcpu=%s", targets[i]);
        snprintf(log, sizeof log, "%s/log", cli_dir);
        snprintf(object[i], sizeof object[i], "%s/%s.co", cli_dir, targets[i]);
        const char *argv[] = {"clang-19",
                              "-x",
                              "cl",
                              "-cl-std=CL2.0",
                              "-cl-no-stdinc",
                              "-target",
                              "amdgcn-amd-amdhsa",
                              "-nogpulib",
                              "-O2",
                              "-gline-tables-only",
                              "-Wall",
                              "-Wextra",
                              "-Werror",
                              "-I.",
                              cpu,
                              "-o",
                              object[i],
                              "tests/system/kernels/explain.cl",
                              NULL};
        if (spawn_tool(argv, log) != 0)
            return -1;
        unlink(log);
    }
    return 0;
}

static void need_clang(void)
{
    const char *why = why_no_clang();

    if (why) {
        print_message("SKIPPED: %s\n", why);
        skip();
    }
}

/* A command with its words, divided by blanks; JSON comes out. */
static const struct json *answer(const char *command, unsigned target, const char *words, const char *more)
{
    char copy[1024], *save;
    const char *args[CLI_ARGS] = {command, object[target]};
    size_t n = 2;

    snprintf(copy, sizeof copy, "%s %s", words, more);
    for (char *w = strtok_r(copy, " ", &save); w && n + 3 < CLI_ARGS; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    args[n++] = "--json";
    args[n++] = "-";
    args[n] = NULL;
    struct said s = cli_run(args);
    expect_status(&s, 0);
    const struct json *j = parse_report(&s);
    said_free(&s);
    return j;
}

static double cycles_of(unsigned target, const char *words)
{
    const struct json *j = answer("run", target, words, "");
    double v = number_at(j, "cycles");

    json_free(j);
    return v;
}

/* The entry of a list with this key; null: none. */
static const struct json *entry(const struct json *j, const char *list, const char *key)
{
    size_t k;
    const struct json *e;

    json_each_element (json_get(j, list), k, e)
        if (strcmp(json_text(json_get(e, "key")), key) == 0)
            return e;
    return NULL;
}

static void show(const struct json *j)
{
    char *text = json_print(j);

    print_error("%.3000s\n", text);
    free(text);
}

/* ---- causes ---- */

struct made_for {
    const char *words, *first; /* the cause that comes first */
    const char *only;          /* beginnings of targets; null: all */
};

#define BUFFERS " --arg buf:1048576 --arg buf:1048576"

/* few workgroups, because each takes some thirty simulations */
#define LANES "--kernel lanes --grid 512 --workgroup 256 --arg buf:524288 --arg buf:8192 --arg u32:128 --arg u32:1"

static const struct made_for made[] = {
    {"--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:32", "lds.conflicts", NULL},
    {LANES, "coalescing", "gfx90a"},
    {LANES, "coalescing", "gfx1100"},
    {LANES " --set gpu.cus=2 --set gpu.shader_engines=1", "coalescing", "gfx1201"}, /* else the lines stay in the L0 */
    {"--kernel alus --grid 1024 --workgroup 1024" BUFFERS, "rate.valu", "gfx90a"},
    {"--kernel chain_of_alus --grid 64 --workgroup 64" BUFFERS, "dependencies", "gfx1"},
    {"--kernel code --grid 32 --workgroup 32" BUFFERS, "fetch", NULL},
    {"--kernel registers --grid 16384 --workgroup 64" BUFFERS
     " --set gpu.cus=8 --set gpu.xcds=1 --set gpu.shader_engines=1",
     "occupancy", "gfx90a"},
    {"--kernel copies --grid 16384 --workgroup 256" BUFFERS " --set dram.bytes_per_cycle=8", "bandwidth.dram", NULL},
    {"--kernel copies --grid 65536 --workgroup 256" BUFFERS " --set cache.vl0.mshrs=1", "mshrs", "gfx90a"},
    {"--kernel copies --grid 16384 --workgroup 256" BUFFERS " --set cache.vl0.mshrs=1", "mshrs", "gfx1"},
    {"--kernel nothing --grid 65536 --workgroup 32" BUFFERS, "launch", "gfx90a"},
};

static void names_its_cause_first(void **state)
{
    (void)state;
    need_clang();
    for (size_t k = 0; k < sizeof made / sizeof made[0]; k++)
        for (unsigned t = 0; t < TARGETS; t++) {
            if (made[k].only && strncmp(made[k].only, targets[t], strlen(made[k].only)) != 0)
                continue;
            const struct json *j = answer("explain", t, made[k].words, "");
            const struct json *first = json_at(json_get(j, "causes"), 0);
            const char *key = json_text(json_get(first, "key"));

            if (strcmp(key, made[k].first) != 0 || number_at(first, "saved") <= 0) {
                print_error("%s, %s: %s comes first\n", targets[t], made[k].words, key);
                show(j);
                fail();
            }
            json_free(j);
        }
}

/* ---- remedies ---- */

struct repaired {
    const char *slow, *fast, *remedy;
    double bound; /* of the difference, as a share of the cycles of the repaired kernel */
};

static const struct repaired repaired[] = {
    /* the same code, told another row */
    {"--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:32",
     "--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:33", "lds-row-stride", 0},
    /* other addresses: the order in which lines come differs */
    {"--kernel lanes --grid 1024 --workgroup 256 --arg buf:4325376 --arg buf:16384 --arg u32:256 --arg u32:1",
     "--kernel lanes --grid 1024 --workgroup 256 --arg buf:4325376 --arg buf:16384 --arg u32:1 --arg u32:1056",
     "uncoalesced", 0.1},
    /* fewer instructions: the waits are gone, and lines are asked for at other times */
    {"--kernel waits_slow --grid 256 --workgroup 256" BUFFERS, "--kernel waits_fast --grid 256 --workgroup 256" BUFFERS,
     "early-waits", 0.08},
    /* seven more loads in flight, and eight before the first is waited for */
    {"--kernel loads_slow --grid 256 --workgroup 256" BUFFERS, "--kernel loads_fast --grid 256 --workgroup 256" BUFFERS,
     "loads-in-flight", 0.25},
    /* the same code, fewer registers allocated */
    {"--kernel registers --grid 131072 --workgroup 64" BUFFERS,
     "--kernel registers_fewer --grid 131072 --workgroup 64" BUFFERS, "vgpr-step", 0.01},
};

static void a_remedy_gives_what_was_simulated(void **state)
{
    (void)state;
    need_clang();
    for (size_t k = 0; k < sizeof repaired / sizeof repaired[0]; k++)
        for (unsigned t = 0; t < TARGETS; t++) {
            const struct json *j =
                answer("explain", t, repaired[k].slow, "--only waits.exact --only channels --only loads.ahead");
            const struct json *r = entry(j, "remedies", repaired[k].remedy);
            double fast = cycles_of(t, repaired[k].fast), off;

            if (!r) {
                show(j);
                fail_msg("%s: %s does not come up", targets[t], repaired[k].remedy);
            }
            expect_text(r, "state", "simulated");
            off = fabs(number_at(r, "cycles") / fast - 1);
            print_message("%-8s %-15s %8.0f cycles, with the remedy %8.0f, repaired %8.0f (%.1f %% off)\n", targets[t],
                          repaired[k].remedy, number_at(j, "cycles"), number_at(r, "cycles"), fast, 100 * off);
            assert_true(off <= repaired[k].bound);
            assert_true(number_at(r, "saved") == number_at(j, "cycles") - number_at(r, "cycles"));
            json_free(j);
        }
}

/* A load whose address, or whose execution, comes from the one before gains nothing by more loads in flight. */
static void loads_that_depend_gain_nothing(void **state)
{
    static const char *const words[] = {"--kernel loads_chained --grid 64 --workgroup 64" BUFFERS,
                                        "--kernel loads_decide --grid 64 --workgroup 64" BUFFERS};

    (void)state;
    need_clang();
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        for (unsigned t = 0; t < TARGETS; t++) {
            const struct json *j = answer("explain", t, words[k], "--only loads.ahead");
            double now = number_at(j, "cycles"), ahead = number_at(entry(j, "causes", "loads.ahead"), "cycles");

            /* what stands around a load is hidden behind it: branches, fetches */
            if (ahead < 0.9 * now || entry(j, "remedies", "loads-in-flight")) {
                show(j);
                fail_msg("%s: %s", targets[t], words[k]);
            }
            json_free(j);
        }
}

/* Where the load and the wait stand, and how many loads are in flight. */
static void loads_in_flight_say_where(void **state)
{
    (void)state;
    need_clang();
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct json *j =
            answer("explain", t, "--kernel loads_slow --grid 256 --workgroup 256" BUFFERS, "--only loads.ahead");
        const struct json *r = entry(j, "remedies", "loads-in-flight"), *wait, *load;

        assert_non_null(r);
        wait = json_at(json_get(r, "places"), 0);
        load = json_at(json_get(r, "places"), 1);
        assert_non_null(strstr(json_text(json_get(wait, "instruction")), "s_wait"));
        assert_non_null(strstr(json_text(json_get(load, "instruction")), "load"));
        double loads;
        assert_int_equal(sscanf(json_text(json_get(r, "text")), "a wave has %lf vector loads in flight", &loads), 1);
        assert_true(loads > 0.7 && loads < 2); /* one or, of gfx90a, two at a time */
        json_free(j);
    }
}

/* Remedies that nothing simulates are named without a gain. */
static void others_are_named_alone(void **state)
{
    static const struct {
        const char *words, *remedy;
    } named[] = {
        {"--kernel one_address --grid 64 --workgroup 64" BUFFERS, "scalar-load"},
        {"--kernel few_lanes --grid 64 --workgroup 64" BUFFERS, "divergence"},
        {"--kernel four_loads --grid 64 --workgroup 64" BUFFERS, "narrow-loads"},
        {"--kernel copies --grid 256 --workgroup 256" BUFFERS, "small-grid"},
    };

    (void)state;
    need_clang();
    for (size_t k = 0; k < sizeof named / sizeof named[0]; k++)
        for (unsigned t = 0; t < TARGETS; t++) {
            const struct json *j = answer("explain", t, named[k].words, "--only channels");
            const struct json *r = entry(j, "remedies", named[k].remedy);

            if (!r) {
                show(j);
                fail_msg("%s: %s does not come up", targets[t], named[k].remedy);
            }
            expect_text(r, "state", "named");
            assert_true(json_is_null(json_get(r, "saved")));
            json_free(j);
        }
}

/* ---- what a what-if is ---- */

/* Sets that a cause names give its cycles with gcnsim run, whatever runs beside it. */
static void a_cause_can_be_run_again(void **state)
{
    static const char words[] = "--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:32";
    char again[1024];
    size_t k, n;
    const struct json *c, *set;

    (void)state;
    need_clang();
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct json *one = answer("explain", t, words, "--jobs 1"),
                          *four = answer("explain", t, words, "--jobs 4");
        unsigned simulated = 0;

        assert_true(number_at(one, "cycles") == cycles_of(t, words));
        assert_true(json_equal(json_get(one, "causes"), json_get(four, "causes")));
        assert_true(json_equal(json_get(one, "remedies"), json_get(four, "remedies")));
        json_each_element (json_get(one, "causes"), k, c) {
            if (strcmp(json_text(json_get(c, "state")), "simulated") != 0 || simulated++ % 8)
                continue;
            snprintf(again, sizeof again, "%s", words);
            json_each_element (json_get(c, "sets"), n, set)
                if (strlen(again) + 100 < sizeof again && n < 5)
                    sprintf(again + strlen(again), " --set %s", json_text(set));
            if (json_elements(json_get(c, "sets")) <= 5)
                assert_true(cycles_of(t, again) == number_at(c, "cycles"));
        }
        assert_true(simulated > 20);
        json_free(one);
        json_free(four);
    }
}

/* After a warm-up a launch takes the cycles that it takes after as many launches of gcnsim run, as it is and with a
 * what-if. */
static void a_warm_launch_is_that_of_run(void **state)
{
    static const char words[] = "--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:32";
    char again[1024];
    const struct json *launches;

    (void)state;
    need_clang();
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct json *x = answer("explain", t, words, "--warmup 2 --only latency.dram --only lds.conflicts");
        const struct json *w = answer("whatif", t, words, "--warmup 2 --sweep ideal.no_lds_conflicts=true");
        double ideal = number_at(entry(x, "causes", "lds.conflicts"), "cycles");

        assert_true(number_at(x, "warmup") == 2 && number_at(w, "warmup") == 2);
        for (unsigned k = 0; k < 2; k++) {
            snprintf(again, sizeof again, "%s --warmup 2%s", words, k ? " --set ideal.no_lds_conflicts=true" : "");
            const struct json *run = answer("run", t, again, "");

            launches = json_get(run, "launches");
            assert_int_equal(json_elements(launches), 1);
            assert_true(number_at(json_get(json_at(launches, 0), "report"), "cycles") ==
                        (k ? ideal : number_at(x, "cycles")));
            json_free(run);
        }
        assert_true(number_at(json_at(json_get(w, "points"), 0), "cycles") == ideal);
        assert_true(number_at(w, "cycles") == number_at(x, "cycles"));
        assert_true(number_at(x, "cycles") < cycles_of(t, words));
        json_free(x);
        json_free(w);
    }
}

/* For a list the whole list is the warm-up, and the launches before the one that is explained run, too. */
static void a_warm_launch_of_a_list_is_that_of_run(void **state)
{
    static const char list[] =
        "{\"buffers\": {\"a\": \"buf:65536\", \"b\": \"buf:65536\"}, \"launches\": ["
        "{\"file\": \"%s\", \"kernel\": \"copies\", \"grid\": [4096, 1, 1], \"workgroup\": [256, 1, 1],"
        " \"args\": [\"buffer:a\", \"buffer:b\"]},"
        "{\"file\": \"%s\", \"kernel\": \"rows\", \"grid\": [256, 1, 1], \"workgroup\": [256, 1, 1],"
        " \"args\": [\"buffer:b\", \"buffer:a\", \"u32:32\"]}]}";
    char path[CLI_PATH], text[2048];

    (void)state;
    need_clang();
    snprintf(path, sizeof path, "%s", cli_path("list.json"));
    snprintf(text, sizeof text, list, "gfx1201.co", "gfx1201.co");
    write_file(path, text, strlen(text));
    struct said run = RUN("run", path, "--warmup", "1", "--json", "-");
    struct said x = RUN("explain", path, "--launch", "1", "--warmup", "1", "--only", "fetch", "--json", "-");
    expect_status(&run, 0);
    expect_status(&x, 0);
    const struct json *r = parse_report(&run), *e = parse_report(&x);
    assert_true(number_at(json_get(json_at(json_get(r, "launches"), 1), "report"), "cycles") == number_at(e, "cycles"));
    json_free(r);
    json_free(e);
    said_free(&run);
    said_free(&x);
}

/* Names of the cycles that instructions lost, with their lines. */
static void places_have_lines(void **state)
{
    (void)state;
    need_clang();
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct json *j = answer("explain", t, made[0].words, "--only lds.conflicts");
        const struct json *place = json_at(json_get(json_at(json_get(j, "causes"), 0), "places"), 0);

        assert_non_null(strstr(json_text(json_get(place, "source")), "explain.cl:"));
        assert_true(number_at(place, "wave_cycles") > 0);
        json_free(j);
    }
}

/* ---- sweeps ---- */

static void sweeps(void **state)
{
    static const char words[] = "--kernel rows --grid 256 --workgroup 256" BUFFERS " --arg u32:32";
    const struct json *j;
    const struct json *points;

    (void)state;
    need_clang();
    j = answer("whatif", 0, words, "--sweep cu.lds_banks=16,32,64 --sweep cache.l2.mshrs=1,256");
    points = json_get(j, "points");
    assert_int_equal(json_elements(points), 5);
    /* 32 is what the chip has; fewer banks cannot take fewer cycles */
    assert_true(number_at(json_at(points, 1), "cycles") == number_at(j, "cycles"));
    assert_true(number_at(json_at(points, 0), "cycles") >= number_at(j, "cycles"));
    assert_true(number_at(json_at(points, 2), "cycles") < number_at(j, "cycles"));
    expect_text(json_at(json_get(j, "axes"), 0), "path", "cu.lds_banks");
    expect_text(json_at(json_get(j, "axes"), 0), "base", "32");
    json_free(j);

    j = answer("whatif", 0, words, "--sweep cu.lds_banks=16,32,64 --sweep cache.l2.mshrs=1,256 --cross");
    points = json_get(j, "points");
    assert_int_equal(json_elements(points), 6);
    assert_true(number_at(json_at(points, 3), "cycles") == number_at(j, "cycles"));
    json_free(j);
}

/* ---- bad input ---- */

static void refuse(const char *word, const char *command, const char *words)
{
    char copy[1024], *save;
    const char *args[CLI_ARGS] = {command}, *expected[] = {word, NULL};
    size_t n = 1;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *w = strtok_r(copy, " ", &save); w && n + 1 < CLI_ARGS; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    args[n] = NULL;
    expect_refused(cli_run(args), expected);
}

static void bad_input(void **state)
{
#define VECADD_FILE "traces/samples/gfx1201/vecadd.json"
    (void)state;
    refuse("is no cause", "explain", VECADD_FILE " --only nothing");
    refuse("gpu.cux", "whatif", VECADD_FILE " --sweep gpu.cux=1");
    refuse("did you mean gpu.cus", "whatif", VECADD_FILE " --sweep gpu.cux=1");
    refuse("expected PATH=", "whatif", VECADD_FILE " --sweep gpu.cus=");
    refuse("a value is empty", "whatif", VECADD_FILE " --sweep gpu.cus=1,,2");
    refuse("the point cache.l2.mshrs=x: cache.l2.mshrs: cannot read", "whatif",
           VECADD_FILE " --sweep cache.l2.mshrs=32,x");
    refuse("swept twice", "whatif", VECADD_FILE " --sweep gpu.cus=8 --sweep gpu.cus=16");
    refuse("--sweep is missing", "whatif", VECADD_FILE);
    refuse("0 files given", "explain", "");
    refuse("--jobs", "explain", VECADD_FILE " --jobs 0");
}

/* A launch that does not run to its end says so, and nothing else is printed. */
static void a_launch_that_stops(void **state)
{
    (void)state;
    struct said s = RUN("explain", VECADD_FILE, "--max-cycles", "100");

    expect_status(&s, 1);
    assert_int_equal(s.out_bytes, 0);
    expect_in(&s, s.err, "expected a launch that runs to its end");
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_its_cause_first),
        cmocka_unit_test(a_remedy_gives_what_was_simulated),
        cmocka_unit_test(loads_that_depend_gain_nothing),
        cmocka_unit_test(loads_in_flight_say_where),
        cmocka_unit_test(others_are_named_alone),
        cmocka_unit_test(a_warm_launch_is_that_of_run),
        cmocka_unit_test(a_warm_launch_of_a_list_is_that_of_run),
        cmocka_unit_test(a_cause_can_be_run_again),
        cmocka_unit_test(places_have_lines),
        cmocka_unit_test(sweeps),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(a_launch_that_stops),
    };

    return cmocka_run_group_tests_name("system/explain", tests, compile, NULL);
}
