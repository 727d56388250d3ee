/* The command line as users meet it: usage, messages, exit status, reports. Bad code objects and faults of the
 * simulated program are in test_bad_input.c.
 */
#include <cJSON.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/"
#define CO      SAMPLES "gfx1201/vecadd.co"
#define VECADD_ARGS                                                                                                    \
    "--arg", "in:" SAMPLES "data/f32_a.bin", "--arg", "in:" SAMPLES "data/f32_b.bin", "--arg", out_spec, "--arg",      \
        "u32:1000"

/* ---- usage ---- */

static void test_help_and_version(void **state)
{
    (void)state;
    static const char *const words[][3] = {
        {"--help", NULL, "usage:"},        {"run", "--help", "--workgroup"}, {"disasm", "--help", "--hex"},
        {"info", "--help", "gcnsim info"}, {"arch", "--help", "arch show"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct said s = RUN(words[i][0], words[i][1]);
        expect_status(&s, 0);
        expect_in(&s, s.out, words[i][2]);
        assert_int_equal(s.err_bytes, 0);
        for (char *line = strtok(s.out, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(strlen(line) <= 80);
        said_free(&s);
    }
    struct said s = RUN("--version");
    expect_status(&s, 0);
    assert_string_equal(s.out, "gcnsim " GCNSIM_VERSION "\n");
    said_free(&s);
}

static void test_bad_usage(void **state)
{
    (void)state;
    static const struct {
        const char *args[10];
        const char *word;
    } cases[] = {
        {{NULL}, "no command"},
        {{"walk"}, "'walk' is not a command"},
        {{"run"}, "0 files given"},
        {{"run", "a", "b"}, "2 files given"},
        {{"run", CO, "--frobnicate"}, "no option --frobnicate"},
        {{"run", CO, "-x"}, "no option -x"},
        {{"run", CO, "--quiet=3"}, "--quiet takes no value"},
        {{"run", CO, "--grid"}, "--grid needs a value"},
        {{"run", CO, "--workgroup", "64"}, "--grid is missing"},
        {{"run", CO, "--grid", "64"}, "--workgroup is missing"},
        {{"run", CO, "--grid", "0,1", "--workgroup", "1"}, "--grid: '0,1'; expected"},
        {{"run", CO, "--grid", "1,2,3,4", "--workgroup", "1"}, "--grid: '1,2,3,4'; expected"},
        {{"run", CO, "--grid", "64x", "--workgroup", "1"}, "--grid: '64x'; expected"},
        {{"run", CO, "--grid", "-1", "--workgroup", "1"}, "--grid: '-1'; expected"},
        {{"run", CO, "--grid", "4294967296", "--workgroup", "1"}, "--grid: '4294967296'; expected"},
        {{"run", CO, "--workgroup", "", "--grid", "1"}, "--workgroup: ''; expected"},
        {{"run", CO, "--engine", "fast"}, "--engine: 'fast'; expected timing or functional"},
        {{"run", CO, "--threads", "0"}, "--threads: '0'; expected a whole number from 1"},
        {{"run", CO, "--threads", "two"}, "--threads: 'two'; expected"},
        {{"run", CO, "--max-cycles", "1e6"}, "--max-cycles: '1e6'; expected"},
        {{"run", CO, "--dynamic-lds", "-4"}, "--dynamic-lds: '-4'; expected"},
        {{"run", CO, "--progress", "maybe"}, "--progress: 'maybe'; expected auto, always or never"},
        {{"run", CO, "--set", "nothing"}, "--set: 'nothing'; expected PATH=VALUE"},
        {{"run", SAMPLES "gfx1201/vecadd.json", "--grid", "1"}, "is a launch file; expected no --kernel"},
        {{"disasm"}, "expected one of FILE, --hex and --raw"},
        {{"disasm", "--hex", "0"}, "--hex needs --target"},
        {{"disasm", "--target", "gfx1201", "--hex", ""}, "no words"},
        {{"info"}, "0 files given"},
        {{"arch"}, "expected list or show"},
        {{"arch", "show"}, "expected a profile"},
        {{"arch", "list", "all"}, "takes no arguments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(cli_run(cases[i].args), WORDS(cases[i].word, "Try 'gcnsim "));
}

/* ---- reports ---- */

static cJSON *parse_report(const struct said *s)
{
    cJSON *report = cJSON_ParseWithOpts(s->out, NULL, 1);
    if (!report) {
        said_show(s);
        fail_msg("stdout is not JSON alone");
    }
    return report;
}

static double number_at(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item)) {
        print_error("%s is not a number\n", key);
        fail();
    }
    return item->valuedouble;
}

static const cJSON *object_at(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsObject(item)) {
        print_error("%s is not an object\n", key);
        fail();
    }
    return item;
}

static void expect_text(const cJSON *object, const char *key, const char *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsString(item));
    assert_string_equal(item->valuestring, value);
}

static void expect_null(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNull(item)) {
        print_error("%s is not null\n", key);
        fail();
    }
}

static void expect_triple(const cJSON *object, const char *key, double x, double y, double z)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsArray(item));
    assert_int_equal(cJSON_GetArraySize(item), 3);
    assert_true(cJSON_GetArrayItem(item, 0)->valuedouble == x);
    assert_true(cJSON_GetArrayItem(item, 1)->valuedouble == y);
    assert_true(cJSON_GetArrayItem(item, 2)->valuedouble == z);
}

/* total is the sum of the categories */
static void expect_instructions(const cJSON *report)
{
    static const char *const keys[] = {"valu", "salu", "smem", "vmem", "flat", "lds", "mfma", "branch", "internal"};
    const cJSON *counts = object_at(report, "instructions");
    double sum = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        sum += number_at(counts, keys[i]);
    assert_true(number_at(counts, "total") == sum);
    assert_true(sum > 0);
    assert_true(number_at(counts, "valu") > 0);
}

static struct said run_vecadd(const char *target, const char *engine, const char *out_spec)
{
    char co[128];
    snprintf(co, sizeof co, SAMPLES "%s/vecadd.co", target);
    return RUN("run", co, "--kernel", "vecadd", "--grid", "1024", "--workgroup", "256", VECADD_ARGS, "--engine", engine,
               "--json", "-", "--progress", "never");
}

static void test_json_report_timing(void **state)
{
    (void)state;
    static const char *const profiles[][3] = {
        {"gfx803", "gfx803-rx480", "64"}, {"gfx90a", "gfx90a-mi210", "64"}, {"gfx1201", "gfx1201-rx9070xt", "32"}};
    char out_spec[CLI_PATH + 64];
    snprintf(out_spec, sizeof out_spec, "out:%s:4096", cli_path("t.bin"));
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        struct said s = run_vecadd(profiles[i][0], "timing", out_spec);
        expect_status(&s, 0);
        cJSON *r = parse_report(&s);
        expect_text(r, "target", profiles[i][0]);
        expect_text(r, "profile", profiles[i][1]);
        expect_text(r, "engine", "timing");
        expect_text(r, "kernel", "vecadd");
        expect_triple(r, "grid", 1024, 1, 1);
        expect_triple(r, "workgroup", 256, 1, 1);
        assert_true(number_at(r, "workgroups") == 4);
        assert_true(number_at(r, "waves") == 1024 / atoi(profiles[i][2]));
        assert_true(number_at(r, "cycles") > 0);
        assert_true(number_at(r, "time_us") > 0);
        assert_true(number_at(r, "ipc") > 0);
        expect_instructions(r);
        const cJSON *occupancy = object_at(r, "occupancy");
        assert_true(number_at(occupancy, "waves_per_simd") >= 1);
        assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(occupancy, "limiter")));
        const cJSON *stalls = object_at(r, "stall_cycles"), *entry;
        double sum = 0;
        cJSON_ArrayForEach(entry, stalls)
        {
            assert_true(cJSON_IsNumber(entry));
            sum += entry->valuedouble;
        }
        /* a wave is resident at least as long as it takes to issue its instructions, and none longer than the run */
        assert_true(sum >= number_at(object_at(r, "instructions"), "total"));
        assert_true(sum <= number_at(r, "cycles") * number_at(r, "waves"));
        const cJSON *lds = object_at(r, "lds");
        assert_true(number_at(lds, "accesses") == 0);
        assert_true(number_at(lds, "bank_conflict_cycles") == 0);
        assert_true(number_at(lds, "address_conflict_cycles") == 0);
        const cJSON *caches = object_at(r, "cache");
        assert_non_null(caches->child);
        cJSON_ArrayForEach(entry, caches)
        {
            number_at(entry, "hits");
            number_at(entry, "misses");
        }
        /* two inputs of 4000 bytes used come in at least once */
        const cJSON *dram = object_at(r, "dram");
        assert_true(number_at(dram, "read_bytes") >= 8000);
        number_at(dram, "write_bytes");
        /* the code, the arguments and where the sums go are new to the dispatch; inputs, too, where no copy tells */
        const cJSON *translation = object_at(r, "translation");
        assert_true(number_at(translation, "page_walks") >= 2);
        assert_true(number_at(translation, "page_table_reads") >= 3);
        assert_true(number_at(translation, "misses") >= number_at(translation, "page_walks"));
        assert_true(number_at(translation, "lookups") > number_at(translation, "misses"));
        expect_null(r, "fabric");
        assert_true(number_at(object_at(r, "host"), "seconds") > 0);
        assert_true(number_at(object_at(r, "host"), "wave_instructions_per_second") > 0);
        cJSON_Delete(r);
        said_free(&s);
    }
}

/* Atomics of the histogram meet on its fullest counters: counted for the run and for the instructions, which agree. */
static void test_json_address_conflicts(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/histogram.json", "--json", "-");
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r, "memory_instructions"), *i;
    double sum = 0;
    assert_true(cJSON_IsArray(list));
    cJSON_ArrayForEach(i, list)
    {
        const char *text = cJSON_GetObjectItemCaseSensitive(i, "instruction")->valuestring;
        double lost = number_at(i, "address_conflict_cycles");
        assert_true(!strncmp(text, "ds_add_u32", 10) ? lost > 0 : lost == 0);
        sum += lost;
    }
    assert_true(number_at(r, "memory_instructions_left_out") == 0);
    assert_true(sum > 0 && number_at(object_at(r, "lds"), "address_conflict_cycles") == sum);
    cJSON_Delete(r);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/histogram.json");
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "\n  address_conflict_cycles  "));
    said_free(&s);
}

/* A chip of two dies, as a what-if: what comes from the other one's memory crosses their link. */
static void test_fabric(void **state)
{
    (void)state;
    static const char *const dies[] = {"gpu.xcds=2", "fabric.iod_columns=2", "fabric.hop_cycles=20",
                                       "fabric.link_bytes_per_cycle=64"};
    struct said s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[0], "--set", dies[1], "--set", dies[2],
                        "--set", dies[3], "--json", "-");
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    const cJSON *fabric = object_at(r, "fabric"), *busiest = object_at(fabric, "busiest_link");
    double bytes = number_at(busiest, "bytes");
    assert_true(number_at(fabric, "links") == 2);
    assert_true(bytes > 0 && bytes <= number_at(fabric, "bytes"));
    assert_true(number_at(fabric, "bytes") <= number_at(object_at(r, "dram"), "read_bytes"));
    assert_true(number_at(busiest, "from") + number_at(busiest, "to") == 1);
    double share = bytes / 64 / number_at(r, "cycles"), said = number_at(busiest, "utilization");
    assert_true(said > 0.999 * share && said < 1.001 * share);
    cJSON_Delete(r);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[0], "--set", dies[1], "--set", dies[2], "--set",
            dies[3]);
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "\nFabric\n  links                                    2 links\n  bytes  "));
    assert_non_null(strstr(s.out, "\n  busiest_link.utilization  "));
    said_free(&s);
    /* one die has none, whatever the links are */
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[1], "--set", dies[2], "--set", dies[3]);
    expect_status(&s, 0);
    assert_null(strstr(s.out, "Fabric"));
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[0], "--set", dies[1], "--set", "fabric.hop_cycles=999");
    expect_status(&s, 2);
    assert_non_null(strstr(s.err, "fabric.hop_cycles"));
    said_free(&s);
}

static void test_json_report_functional(void **state)
{
    (void)state;
    char out_spec[CLI_PATH + 64];
    snprintf(out_spec, sizeof out_spec, "out:%s:4096", cli_path("f.bin"));
    struct said s = run_vecadd("gfx1201", "functional", out_spec);
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    expect_text(r, "engine", "functional");
    assert_true(number_at(object_at(r, "instructions"), "total") > 0);
    /* what this engine does not know is null, not zero */
    expect_null(r, "cycles");
    expect_null(r, "time_us");
    expect_null(r, "ipc");
    expect_null(r, "stall_cycles");
    expect_null(r, "cache");
    expect_null(r, "dram");
    expect_null(r, "fabric");
    expect_null(r, "translation");
    cJSON_Delete(r);
    said_free(&s);
}

/* Both engines execute the same instructions and leave the same bytes; the bytes are the sums. */
static void test_output_files(void **state)
{
    (void)state;
    static const char *const engines[] = {"functional", "timing"};
    size_t bytes[4];
    char *a = read_whole(SAMPLES "data/f32_a.bin", &bytes[0]), *b = read_whole(SAMPLES "data/f32_b.bin", &bytes[1]);
    assert_non_null(a);
    assert_non_null(b);
    assert_true(bytes[0] >= 4000 && bytes[1] >= 4000);
    for (int e = 0; e < 2; e++) {
        char out_spec[CLI_PATH + 64];
        /* a folder that does not exist is an error before the run */
        snprintf(out_spec, sizeof out_spec, "out:%s:4096", cli_path(e ? "t/c.bin" : "f/c.bin"));
        struct said s = run_vecadd("gfx90a", engines[e], out_spec);
        expect_refused(s, WORDS("argument 2", "c.bin: its folder: No such file"));
        assert_int_equal(mkdir(cli_path(e ? "t" : "f"), 0777), 0);
        s = run_vecadd("gfx90a", engines[e], out_spec);
        expect_status(&s, 0);
        said_free(&s);
        char *c = read_whole(cli_path(e ? "t/c.bin" : "f/c.bin"), &bytes[2]);
        assert_non_null(c);
        assert_int_equal(bytes[2], 4096);
        for (size_t i = 0; i < 1000; i++) {
            float x, y, z;
            memcpy(&x, a + 4 * i, 4);
            memcpy(&y, b + 4 * i, 4);
            memcpy(&z, c + 4 * i, 4);
            assert_true(z == x + y);
        }
        for (size_t i = 4000; i < 4096; i++)
            assert_int_equal(c[i], 0);
        free(c);
    }
    free(a);
    free(b);
}

static void test_text_report(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--json", cli_path("report.json"));
    expect_status(&s, 0);
    assert_int_equal(s.err_bytes, 0); /* no bar when stderr is no terminal */
    static const char *const words[] = {"matmul", "gfx1201", "gfx1201-rx9070xt", "cycles", "valu", "DRAM", "LDS"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_in(&s, s.out, words[i]);
    /* misses merged into an MSHR, and whole texts of instructions */
    expect_in(&s, s.out, "misses      merged");
    expect_in(&s, s.out, "  global_load_b32 v12, v[12:13], off\n");
    for (char *line = strtok(s.out, "\n"); line; line = strtok(NULL, "\n"))
        /* an instruction may be long, and the command line */
        if (strlen(line) > 80 && !strstr(line, "offset1:") && !strstr(line, "gcnsim run ")) {
            print_error("longer than 80 columns: %s\n", line);
            fail();
        }
    said_free(&s);
    /* --json FILE leaves the text where it was and writes the file */
    size_t bytes;
    char *text = read_whole(cli_path("report.json"), &bytes);
    assert_non_null(text);
    cJSON *r = cJSON_Parse(text);
    assert_non_null(r);
    expect_text(r, "kernel", "matmul");
    assert_true(number_at(object_at(r, "lds"), "accesses") > 0);
    assert_true(number_at(object_at(r, "occupancy"), "workgroups_per_cu") == 8);
    assert_true(number_at(object_at(r, "occupancy"), "cus") == 2);
    cJSON_Delete(r);
    free(text);
    /* cache bits stand at the end of long instructions */
    s = RUN("run", SAMPLES "gfx1201/histogram.json");
    expect_status(&s, 0);
    expect_in(&s, s.out, "  global_atomic_add_u32 v1, v1, v2, s[6:7] th:TH_ATOMIC_RETURN scope:SCOPE_DEV\n");
    said_free(&s);
}

/* Every statistic that the JSON report has stands in the CSV, with its value and a unit. */
static void test_csv(void **state)
{
    (void)state;
    char *text, *save = NULL;
    size_t bytes;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--json", "-", "--csv", cli_path("stats.csv"));
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    text = read_whole(cli_path("stats.csv"), &bytes);
    assert_non_null(text);
    unsigned lines = 0, nested = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), lines++) {
        char *unit = strchr(line, ','), *value = unit ? strchr(unit + 1, ',') : NULL;
        const cJSON *at = r;
        assert_non_null(value);
        *unit = *value = 0;
        if (!lines) {
            assert_string_equal(line, "name");
            assert_string_equal(unit + 1, "unit");
            assert_string_equal(value + 1, "value");
            continue;
        }
        assert_true(unit[1] != 0);
        char *inner = NULL;
        for (char *key = strtok_r(line, ".", &inner); key; key = strtok_r(NULL, ".", &inner), nested++)
            assert_non_null(at = cJSON_GetObjectItemCaseSensitive(at, key));
        assert_true(cJSON_IsNumber(at));
        assert_true(at->valuedouble == strtod(value + 1, NULL));
    }
    assert_true(lines > 100 && nested > 2 * lines);
    free(text);
    cJSON_Delete(r);
    said_free(&s);
    /* on standard output it stands alone, and there is room for one alone */
    s = RUN("run", SAMPLES "gfx1201/matmul.json", "--csv", "-");
    expect_status(&s, 0);
    assert_ptr_equal(strstr(s.out, "name,unit,value\ncycles,cycles,"), s.out);
    assert_null(strstr(s.out, "matmul"));
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/matmul.json", "--csv", "-", "--json", "-");
    expect_status(&s, 2);
    said_free(&s);
}

/* The report of a run without "host", as text; to be freed. */
static char *report_but_host(const char *const *more)
{
    const char *args[16] = {"run", SAMPLES "gfx1201/matmul.json", "--json", "-"};
    for (unsigned n = 4; *more; n++)
        args[n] = *more++;
    struct said s = cli_run(args);
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    cJSON_DeleteItemFromObjectCaseSensitive(r, "host");
    char *text = cJSON_PrintUnformatted(r);
    cJSON_Delete(r);
    said_free(&s);
    return text;
}

/* Runs that differ in an override say so, also where no number differs; the same run twice does not. */
static void test_provenance(void **state)
{
    (void)state;
    /* in pairs of runs whose simulated numbers are equal */
    static const char *const runs[][3] = {{NULL},
                                          {"--max-cycles", "10000000", NULL},
                                          {"--max-instructions", "10000000", NULL},
                                          {"--set", "cu.lds_max_per_workgroup_bytes=60000", NULL},
                                          {"--set", "cu.lds_max_per_workgroup_bytes=60008", NULL},
                                          {"--perfect-memory", NULL}};
    enum { N = sizeof runs / sizeof runs[0] };
    char *text[N], *again;
    for (unsigned k = 0; k < N; k++)
        text[k] = report_but_host(runs[k]);
    for (unsigned k = 0; k < N; k++)
        for (unsigned j = 0; j < k; j++)
            assert_string_not_equal(text[k], text[j]);
    again = report_but_host(runs[0]);
    assert_string_equal(again, text[0]);
    free(again);
    again = report_but_host((const char *const[]){"--threads", "2", NULL});
    assert_string_equal(again, text[0]);
    free(again);
    assert_non_null(strstr(text[1], "\"overrides\":[\"max_cycles=10000000\"]"));
    assert_non_null(strstr(text[3], "\"overrides\":[\"cu.lds_max_per_workgroup_bytes=60000\"]"));
    for (unsigned k = 0; k < N; k++)
        free(text[k]);

    /* the hash of the code object is that of the file, version and command line are said, in text as well */
    char hash[80] = "", line[200];
    FILE *f = popen("sha256sum " SAMPLES "gfx1201/matmul.co", "r");
    assert_non_null(f);
    assert_int_equal(fread(hash, 1, 64, f), 64);
    pclose(f);
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--set", "cu.lds_banks=16", "--json", cli_path("p.json"));
    expect_status(&s, 0);
    expect_in(&s, s.out, hash);
    expect_in(&s, s.out, "\noverrides  cu.lds_banks=16\n");
    expect_in(&s, s.out, "  gcnsim        " GCNSIM_VERSION ", report schema ");
    snprintf(line, sizeof line, "  gcnsim run " SAMPLES "gfx1201/matmul.json --set cu.lds_banks=16 --json %s\n",
             cli_path("p.json"));
    expect_in(&s, s.out, line);
    said_free(&s);
    size_t bytes;
    char *json = read_whole(cli_path("p.json"), &bytes);
    assert_non_null(json);
    cJSON *r = cJSON_Parse(json);
    assert_non_null(r);
    const cJSON *p = object_at(r, "provenance");
    expect_text(p, "code_sha256", hash);
    expect_text(p, "gcnsim", GCNSIM_VERSION);
    assert_int_equal(strlen(cJSON_GetObjectItemCaseSensitive(p, "profile_sha256")->valuestring), 64);
    cJSON_Delete(r);
    free(json);
}

/* A workgroup processor's 64 wave slots take 8 workgroups of 8 waves where they may be on both of its CUs. */
static void test_occupancy_of_wgps(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json");
    expect_status(&s, 0);
    expect_in(&s, s.out, "  workgroups    8 per workgroup processor, 8 waves each\n");
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/matmul.json");
    expect_status(&s, 0);
    expect_in(&s, s.out, " per compute unit, 4 waves each\n");
    said_free(&s);
}

static void test_quiet_and_progress(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--quiet");
    expect_status(&s, 0);
    assert_int_equal(s.out_bytes, 0);
    assert_int_equal(s.err_bytes, 0);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/mandelbrot.json", "--quiet", "--engine", "functional", "--progress", "always");
    expect_status(&s, 0);
    assert_int_equal(s.out_bytes, 0);
    expect_in(&s, s.err, "100%");
    said_free(&s);
    /* the same on stdout with and without the bar */
    s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--json", "-", "--progress", "always");
    expect_status(&s, 0);
    cJSON_Delete(parse_report(&s));
    said_free(&s);
}

/* What --set says is what is simulated. */
static void test_set_changes_the_run(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--json", "-");
    expect_status(&s, 0);
    cJSON *before = parse_report(&s);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--json", "-", "--set", "cu.wave_slots_per_simd=4");
    expect_status(&s, 0);
    cJSON *after = parse_report(&s);
    said_free(&s);
    assert_true(number_at(object_at(after, "occupancy"), "waves_per_simd") == 4);
    assert_true(number_at(object_at(before, "occupancy"), "waves_per_simd") > 4);
    cJSON_Delete(before);
    cJSON_Delete(after);
}

/* Values that contradict one another one by one, and do not all together. */
static void test_sets_apply_together(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--quiet", "--set", "cu.vgprs_per_simd_w32=1024",
                            "--set", "cu.vgprs_per_simd_w64=512", "--set", "cu.vgpr_granule_w32=16", "--set",
                            "cu.vgpr_granule_w64=8", named ? "--arch" : NULL, "gfx1201");
        expect_status(&s, 0);
        said_free(&s);
    }
    struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--quiet", "--arch", "gfx1201", "--set",
                        "cu.vgprs_per_simd_w32=1024");
    expect_refused(s, WORDS("cu.vgprs_per_simd_w32"));
}

/* A kernel's name may be any bytes; the report is UTF-8 all the same. */
static void test_json_of_odd_names(void **state)
{
    (void)state;
    static unsigned char bytes[65536];
    static const char odd[] = "v\xff\xc3\xa9\"d";
    FILE *f = fopen(CO, "rb");

    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t i = 0; i + 6 <= size; i++)
        if (memcmp(bytes + i, "vecadd", 6) == 0)
            memcpy(bytes + i, odd, 6);
    const char *path = cli_path("odd.co");
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    char out_spec[4200];
    snprintf(out_spec, sizeof out_spec, "out:%s:4000", cli_path("odd.bin"));
    struct said s = RUN("run", path, "--grid", "1024", "--workgroup", "256", "--json", "-", VECADD_ARGS);
    expect_status(&s, 0);
    expect_in(&s, s.out, "\"v\\ufffd\xc3\xa9\\\"d\"");
    assert_null(strchr(s.out, '\xff'));
    said_free(&s);
    s = RUN("info", "--json", path);
    expect_status(&s, 0);
    expect_in(&s, s.out, "\"name\": \"v\\ufffd\xc3\xa9\\\"d\"");
    assert_null(strchr(s.out, '\xff'));
    said_free(&s);
}

/* A kernel that requires a size of workgroup need not be told it; a file that is not there is said before options are.
 */
static void test_required_workgroup(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/call.co", "--grid", "64", "--arg", "buf:256", "--arg", "buf:1024",
                        "--arg", "u32:64", "--max-instructions", "100000");
    expect_status(&s, 0);
    expect_in(&s, s.out, "in workgroups of 64 x 1 x 1");
    said_free(&s);
    s = RUN("run", SAMPLES "none.co");
    expect_status(&s, 2);
    expect_in(&s, s.err, "none.co: No such file");
    said_free(&s);
}

/* What a terminal would obey in a kernel's name does not reach it. */
static void test_text_of_odd_names(void **state)
{
    (void)state;
    static unsigned char bytes[65536];
    static const char odd[] = "v\x1b\xc2\x9bmd"; /* ESC and U+009B begin a terminal's commands */
    FILE *f = fopen(CO, "rb");

    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t i = 0; i + 6 <= size; i++)
        if (memcmp(bytes + i, "vecadd", 6) == 0)
            memcpy(bytes + i, odd, 6);
    char path[4200], out_spec[4200];
    snprintf(path, sizeof path, "%s", cli_path("escape.co"));
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    snprintf(out_spec, sizeof out_spec, "out:%s:4000", cli_path("odd.bin"));
    struct said all[] = {RUN("run", path, "--grid", "1024", "--workgroup", "256", VECADD_ARGS), RUN("info", path),
                         RUN("disasm", path), RUN("run", path, "--grid", "1024", "--workgroup", "256")};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        expect_status(&all[k], k == 3 ? 2 : 0);
        expect_in(&all[k], k == 3 ? all[k].err : all[k].out, "v???md");
        assert_null(strchr(all[k].out, '\x1b'));
        assert_null(strchr(all[k].err, '\x1b'));
        assert_null(strstr(all[k].out, "\xc2\x9b"));
        assert_null(strstr(all[k].err, "\xc2\x9b"));
        said_free(&all[k]);
    }
}

/* An offload bundle of two entries, each of which runs when it is asked for. */
static void test_bundle_entry(void **state)
{
    (void)state;
    static const char *const entries[] = {SAMPLES "gfx90a/vecadd.co", SAMPLES "gfx1201/vecadd.co"};
    static const char *const ids[] = {"hip-amdgcn-amd-amdhsa--gfx90a", "hip-amdgcn-amd-amdhsa--gfx1201"};
    static char path[4096];
    unsigned char bytes[2][65536];
    uint64_t count = 2, at = 4096, size[2];

    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(entries[i], "rb");
        assert_non_null(f);
        size[i] = fread(bytes[i], 1, sizeof bytes[i], f);
        assert_in_range(size[i], 1, sizeof bytes[i] - 1);
        fclose(f);
    }
    snprintf(path, sizeof path, "%s", cli_path("two.hipfb"));
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("__CLANG_OFFLOAD_BUNDLE__", f);
    fwrite(&count, 8, 1, f);
    for (int i = 0; i < 2; i++, at += 65536) {
        uint64_t entry[3] = {at, size[i], strlen(ids[i])};
        fwrite(entry, 8, 3, f);
        fputs(ids[i], f);
    }
    for (int i = 0; i < 2; i++) {
        fseek(f, 4096 + i * 65536, SEEK_SET);
        fwrite(bytes[i], 1, size[i], f);
    }
    assert_int_equal(fclose(f), 0);

    char out_spec[4200];
    snprintf(out_spec, sizeof out_spec, "out:%s:4000", cli_path("two.bin"));
    static const char *const targets[] = {"gfx90a", "gfx1201"};
    for (int i = 0; i < 2; i++) {
        struct said s = RUN("run", path, "--target", targets[i], "--grid", "1024", "--workgroup", "256", "--json", "-",
                            VECADD_ARGS);
        expect_status(&s, 0);
        cJSON *report = parse_report(&s);
        assert_string_equal(cJSON_GetObjectItem(report, "target")->valuestring, targets[i]);
        cJSON_Delete(report);
        said_free(&s);
    }
    struct said s = RUN("run", path, "--target", "gfx803", "--grid", "1024", "--workgroup", "256", VECADD_ARGS);
    expect_refused(s, WORDS("gfx803"));
    s = RUN("run", path, "--grid", "1024", "--workgroup", "256", VECADD_ARGS);
    expect_refused(s, WORDS("choose one by target"));
}

/* A device may have no end. */
static void test_devices_are_refused(void **state)
{
    (void)state;
    struct said s = RUN("info", "/dev/zero");
    expect_refused(s, WORDS("/dev/zero: a device"));
    s = RUN("disasm", "--target", "gfx1201", "--raw", "/dev/zero");
    expect_refused(s, WORDS("/dev/zero: a device"));
}

static void test_unwritable(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--quiet", "--json", cli_path("no/such/folder/x.json"));
    expect_refused(s, WORDS("no/such/folder/x.json", "No such file"));
}

/* The same run twice and with another number of threads: the same report, the host's part aside. */
static void test_determinism(void **state)
{
    (void)state;
    static const char *const launches[] = {SAMPLES "gfx1201/reduce_lds.json", SAMPLES "gfx90a/transpose_naive.json",
                                           SAMPLES "gfx803/vecadd.json"};
    static const char *const engines[] = {"timing", "functional"};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        for (size_t e = 0; e < 2; e++) {
            char *first = NULL;
            for (int run = 0; run < 3; run++) {
                struct said s =
                    RUN("run", launches[i], "--engine", engines[e], "--threads", run == 2 ? "2" : "1", "--json", "-");
                expect_status(&s, 0);
                cJSON *r = parse_report(&s);
                cJSON_DeleteItemFromObjectCaseSensitive(r, "host");
                char *text = cJSON_Print(r);
                cJSON_Delete(r);
                said_free(&s);
                if (first)
                    assert_string_equal(text, first);
                if (!first)
                    first = text;
                else
                    free(text);
            }
            free(first);
        }
}

/* ---- info, disasm, arch ---- */

static void test_info(void **state)
{
    (void)state;
    struct said s = RUN("info", SAMPLES "gfx90a/matmul.co");
    expect_status(&s, 0);
    expect_in(&s, s.out, "gfx90a");
    expect_in(&s, s.out, "kernel matmul");
    expect_in(&s, s.out, "global_buffer");
    expect_in(&s, s.out, "waves per SIMD");
    said_free(&s);

    s = RUN("info", SAMPLES "gfx90a/matmul.co", "--json");
    expect_status(&s, 0);
    cJSON *r = parse_report(&s);
    expect_text(r, "processor", "gfx90a");
    assert_true(number_at(r, "code_object_version") == 5);
    const cJSON *k = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(r, "kernels"), 0);
    assert_non_null(k);
    expect_text(k, "name", "matmul");
    assert_true(number_at(k, "wavefront_size") == 64);
    assert_true(number_at(k, "vgprs") > 0);
    assert_true(number_at(k, "lds_bytes") > 0);
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(k, "arguments");
    assert_true(cJSON_GetArraySize(args) >= 5);
    expect_text(cJSON_GetArrayItem(args, 0), "kind", "global_buffer");
    assert_true(number_at(cJSON_GetArrayItem(args, 1), "offset") == 8);
    const cJSON *occupancy = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(k, "occupancy"), 0);
    assert_non_null(occupancy);
    expect_text(occupancy, "profile", "gfx90a-mi210");
    assert_true(number_at(occupancy, "waves_per_simd") >= 1);
    cJSON_Delete(r);
    said_free(&s);
}

static void test_disasm_words(void **state)
{
    (void)state;
    struct said s = RUN("disasm", "--target", "gfx1201", "--hex", "7E000280 BFB00000");
    expect_status(&s, 0);
    assert_string_equal(s.out, "v_mov_b32_e32 v0, 0\ns_endpgm\n");
    said_free(&s);
    s = RUN("disasm", "--target", "gfx803", "--hex", "0xC0020002,0x0000002C bf810000");
    expect_status(&s, 0);
    assert_string_equal(s.out, "s_load_dword s0, s[4:5], 0x2c\ns_endpgm\n");
    said_free(&s);

    static const uint8_t bytes[] = {0x80, 0x02, 0x00, 0x7e, 0x00, 0x00, 0xb0, 0xbf, 0x11, 0x22};
    write_file(cli_path("code.bin"), bytes, 8);
    s = RUN("disasm", "--target", "gfx1201", "--raw", cli_path("code.bin"));
    expect_status(&s, 0);
    assert_string_equal(s.out, "v_mov_b32_e32 v0, 0\ns_endpgm\n");
    said_free(&s);
    write_file(cli_path("code.bin"), bytes, 10);
    s = RUN("disasm", "--target", "gfx1201", "--raw", cli_path("code.bin"));
    expect_status(&s, 2);
    expect_in(&s, s.err, "2 bytes are left at offset 8");
    said_free(&s);

    expect_refused(RUN("disasm", "--target", "gfx1201", "--hex", "7E00028G"), WORDS("'7E00028G'", "expected"));
    expect_refused(RUN("disasm", "--target", "gfx1201", "--hex", "123456789"), WORDS("'123456789'", "expected"));
    expect_refused(RUN("disasm", "--target", "gfx1", "--hex", "7E000280"), WORDS("gfx1", "gfx1201"));
    expect_refused(RUN("disasm", "--target", "gfx1201", "--raw", cli_path("none.bin")), WORDS("none.bin", "No such"));
}

/* Every line of the listing is an instruction with address and words, or a label. */
static void test_disasm_file(void **state)
{
    (void)state;
    struct said s = RUN("disasm", SAMPLES "gfx1201/vecadd.co", "--kernel", "vecadd");
    expect_status(&s, 0);
    expect_in(&s, s.out, "vecadd:\n");
    expect_in(&s, s.out, "s_endpgm");
    expect_in(&s, s.out, "// 000000001900: BF850001");
    unsigned instructions = 0;
    unsigned long long next = 0x1900;
    for (char *line = strtok(s.out, "\n"); line; line = strtok(NULL, "\n")) {
        char *comment = strstr(line, " // ");
        if (!comment) {
            assert_int_equal(line[strlen(line) - 1], ':');
            continue;
        }
        char *words;
        unsigned long long address = strtoull(comment + 4, &words, 16);
        assert_true(address == next);
        assert_int_equal(*words, ':');
        for (words++; *words == ' '; next += 4) {
            char *end;
            strtoul(words, &end, 16);
            assert_int_equal(end - words, 9);
            words = end;
        }
        assert_int_equal(*words, 0);
        assert_true(next > address);
        instructions++;
    }
    assert_true(instructions > 20);
    said_free(&s);
    expect_refused(RUN("disasm", CO, "--kernel", "vecmul"), WORDS("vecmul", "vecadd"));
}

static void test_isa_list(void **state)
{
    (void)state;
    struct said s = RUN("isa", "list", "--target", "gfx90a");
    expect_status(&s, 0);
    expect_in(&s, s.out, "v_mfma_f32_32x32x1f32");
    expect_in(&s, s.out, "e32,e64,sdwa,dpp >vdst:F32 <src0:F32 <src1:F32");
    expect_in(&s, s.out, "gfx90a: ");
    expect_in(&s, s.out, " of them tested, ");
    expect_in(&s, s.out, " out of scope, ");
    assert_null(strstr(s.out, "v_wmma"));
    said_free(&s);
    s = RUN("isa", "list", "--target", "gfx1201", "--json");
    expect_status(&s, 0);
    cJSON *all = parse_report(&s), *e;
    said_free(&s);
    assert_true(cJSON_GetArraySize(all) > 1000);
    unsigned found = 0;
    cJSON_ArrayForEach(e, all)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(e, "mnemonic"));
        assert_non_null(name);
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(e, "implemented")));
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(e, "tested")));
        /* nothing is both done and out of reach */
        bool beyond = cJSON_IsString(cJSON_GetObjectItem(e, "out_of_scope"));
        assert_false(beyond && cJSON_IsTrue(cJSON_GetObjectItem(e, "implemented")));
        assert_false(cJSON_IsTrue(cJSON_GetObjectItem(e, "tested")) &&
                     !cJSON_IsTrue(cJSON_GetObjectItem(e, "implemented")));
        const char *format = cJSON_GetStringValue(cJSON_GetObjectItem(e, "format"));
        assert_non_null(format);
        if (strcmp(name, "v_max_num_f32") == 0 && strcmp(format, "VOP2") == 0) { /* there are halves of VOPD too */
            found++;
            assert_true(number_at(e, "opcode") == 0x16);
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(e, "operands")), 3);
        }
    }
    assert_int_equal(found, 1);
    cJSON_Delete(all);
    expect_refused(RUN("isa", "list", "--target", "gfx7"), WORDS("gfx7"));
    expect_refused(RUN("isa", "list"), WORDS("--target"));
}

static void test_arch(void **state)
{
    (void)state;
    struct said s = RUN("arch", "list");
    expect_status(&s, 0);
    expect_in(&s, s.out, "* gfx1201-rx9070xt");
    expect_in(&s, s.out, "gfx90a-mi210");
    expect_in(&s, s.out, "gfx803-rx480");
    said_free(&s);
    s = RUN("arch", "show", "gfx803");
    expect_status(&s, 0);
    expect_in(&s, s.out, "wave_slots_per_simd");
    expect_in(&s, s.out, "documented");
    said_free(&s);
    /* what show prints as JSON can be used as a profile */
    s = RUN("arch", "show", "gfx1201", "--json");
    expect_status(&s, 0);
    cJSON_Delete(parse_report(&s));
    write_file(cli_path("copy.json"), s.out, s.out_bytes);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--arch", cli_path("copy.json"), "--json", "-");
    expect_status(&s, 0);
    cJSON *copy = parse_report(&s);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--json", "-");
    expect_status(&s, 0);
    cJSON *original = parse_report(&s);
    assert_true(number_at(copy, "cycles") == number_at(original, "cycles"));
    said_free(&s);
    cJSON_Delete(copy);
    cJSON_Delete(original);
    expect_refused(RUN("arch", "show", "gfx7"), WORDS("gfx7"));
    expect_refused(RUN("arch", "show", "gfx803", "--set", "cu.nothing=1"), WORDS("cu.nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_and_version),
        cmocka_unit_test(test_bad_usage),
        cmocka_unit_test(test_json_report_timing),
        cmocka_unit_test(test_json_address_conflicts),
        cmocka_unit_test(test_fabric),
        cmocka_unit_test(test_json_report_functional),
        cmocka_unit_test(test_output_files),
        cmocka_unit_test(test_text_report),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_provenance),
        cmocka_unit_test(test_occupancy_of_wgps),
        cmocka_unit_test(test_quiet_and_progress),
        cmocka_unit_test(test_set_changes_the_run),
        cmocka_unit_test(test_sets_apply_together),
        cmocka_unit_test(test_json_of_odd_names),
        cmocka_unit_test(test_required_workgroup),
        cmocka_unit_test(test_text_of_odd_names),
        cmocka_unit_test(test_bundle_entry),
        cmocka_unit_test(test_devices_are_refused),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_disasm_words),
        cmocka_unit_test(test_disasm_file),
        cmocka_unit_test(test_arch),
        cmocka_unit_test(test_isa_list),
    };
    return cmocka_run_group_tests_name("command line", tests, cli_setup, cli_teardown);
}
