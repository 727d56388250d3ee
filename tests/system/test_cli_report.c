/* The reports of gcnsim run as users meet them: JSON, text, CSV, provenance and the files that a run writes. */
#include <sys/stat.h>

#include "tests/system/cli_report.h"

static void expect_null(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);
    if (!json_is_null(item)) {
        print_error("%s is not null\n", key);
        fail();
    }
}

static void expect_triple(const struct json *object, const char *key, double x, double y, double z)
{
    const struct json *item = json_get(object, key);
    assert_true(json_is_array(item));
    assert_int_equal(json_elements(item), 3);
    assert_true(json_number(json_at(item, 0)) == x);
    assert_true(json_number(json_at(item, 1)) == y);
    assert_true(json_number(json_at(item, 2)) == z);
}

/* total is the sum of the categories */
static void expect_instructions(const struct json *report)
{
    static const char *const keys[] = {"valu", "salu", "smem", "vmem", "flat", "lds", "mfma", "branch", "internal"};
    const struct json *counts = object_at(report, "instructions");
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
        const struct json *r = parse_report(&s);
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
        const struct json *occupancy = object_at(r, "occupancy");
        assert_true(number_at(occupancy, "waves_per_simd") >= 1);
        assert_true(json_is_string(json_get(occupancy, "limiter")));
        const struct json *stalls = object_at(r, "stall_cycles"), *entry;
        const char *key;
        double sum = 0;
        json_each_member (stalls, key, entry) {
            assert_true(json_is_number(entry));
            sum += json_number(entry);
        }
        /* a wave is resident at least as long as it takes to issue its instructions, and none longer than the run */
        assert_true(sum >= number_at(object_at(r, "instructions"), "total"));
        assert_true(sum <= number_at(r, "cycles") * number_at(r, "waves"));
        const struct json *lds = object_at(r, "lds");
        assert_true(number_at(lds, "accesses") == 0);
        assert_true(number_at(lds, "bank_conflict_cycles") == 0);
        assert_true(number_at(lds, "address_conflict_cycles") == 0);
        const struct json *caches = object_at(r, "cache");
        assert_true(json_members(caches) > 0);
        json_each_member (caches, key, entry) {
            number_at(entry, "hits");
            number_at(entry, "misses");
        }
        /* two inputs of 4000 bytes used come in at least once */
        const struct json *dram = object_at(r, "dram");
        assert_true(number_at(dram, "read_bytes") >= 8000);
        number_at(dram, "write_bytes");
        /* the code, the arguments and where the sums go are new to the dispatch; inputs, too, where no copy shows it */
        const struct json *translation = object_at(r, "translation");
        assert_true(number_at(translation, "page_walks") >= 2);
        assert_true(number_at(translation, "page_table_reads") >= 3);
        assert_true(number_at(translation, "misses") >= number_at(translation, "page_walks"));
        assert_true(number_at(translation, "lookups") > number_at(translation, "misses"));
        expect_null(r, "fabric");
        assert_true(number_at(object_at(r, "host"), "seconds") > 0);
        assert_true(number_at(object_at(r, "host"), "wave_instructions_per_second") > 0);
        json_free(r);
        said_free(&s);
    }
}

/* Atomics of the histogram meet on its fullest counters: counted for the run and for the instructions, which agree. */
static void test_json_address_conflicts(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/histogram.json", "--json", "-");
    expect_status(&s, 0);
    const struct json *r = parse_report(&s);
    const struct json *list = json_get(r, "memory_instructions"), *i;
    double sum = 0;
    size_t index;
    assert_true(json_is_array(list));
    json_each_element (list, index, i) {
        const char *text = json_text(json_get(i, "instruction"));
        double lost = number_at(i, "address_conflict_cycles");
        assert_true(!strncmp(text, "ds_add_u32", 10) ? lost > 0 : lost == 0);
        sum += lost;
    }
    assert_true(number_at(r, "memory_instructions_left_out") == 0);
    assert_true(sum > 0 && number_at(object_at(r, "lds"), "address_conflict_cycles") == sum);
    json_free(r);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/histogram.json", "--show", "lds");
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
    const struct json *r = parse_report(&s);
    const struct json *fabric = object_at(r, "fabric"), *busiest = object_at(fabric, "busiest_link");
    double bytes = number_at(busiest, "bytes");
    assert_true(number_at(fabric, "links") == 2);
    assert_true(bytes > 0 && bytes <= number_at(fabric, "bytes"));
    assert_true(number_at(fabric, "bytes") <= number_at(object_at(r, "dram"), "read_bytes"));
    assert_true(number_at(busiest, "from") + number_at(busiest, "to") == 1);
    double share = bytes / 64 / number_at(r, "cycles"), said = number_at(busiest, "utilization");
    assert_true(said > 0.999 * share && said < 1.001 * share);
    json_free(r);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[0], "--set", dies[1], "--set", dies[2], "--set", dies[3],
            "--details");
    expect_status(&s, 0);
    assert_non_null(strstr(s.out, "\nFabric\n  links                                    2 links\n  bytes  "));
    assert_non_null(strstr(s.out, "\n  busiest_link.utilization  "));
    said_free(&s);
    /* one die has none, whatever the links are */
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--set", dies[1], "--set", dies[2], "--set", dies[3], "--details");
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
    const struct json *r = parse_report(&s);
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
    json_free(r);
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
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--details", "--json", cli_path("report.json"));
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
    const struct json *r = json_parse(text);
    assert_non_null(r);
    expect_text(r, "kernel", "matmul");
    assert_true(number_at(object_at(r, "lds"), "accesses") > 0);
    assert_true(number_at(object_at(r, "occupancy"), "workgroups_per_cu") == 8);
    assert_true(number_at(object_at(r, "occupancy"), "cus") == 2);
    json_free(r);
    free(text);
    /* cache bits stand at the end of long instructions */
    s = RUN("run", SAMPLES "gfx1201/histogram.json", "--show", "memory");
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
    const struct json *r = parse_report(&s);
    text = read_whole(cli_path("stats.csv"), &bytes);
    assert_non_null(text);
    unsigned lines = 0, nested = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), lines++) {
        char *unit = strchr(line, ','), *value = unit ? strchr(unit + 1, ',') : NULL;
        const struct json *at = r;
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
            assert_non_null(at = json_get(at, key));
        assert_true(json_is_number(at));
        assert_true(json_number(at) == strtod(value + 1, NULL));
    }
    assert_true(lines > 100 && nested > 2 * lines);
    free(text);
    json_free(r);
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

/* One run writes what --csv names, in one option or several; a file's name may have a comma. */
static void test_csv_of_everything(void **state)
{
    static const char *const begin[] = {"name,unit,value\n", "\"Correlation_Id\",", "CodeObj,Vaddr,"};
    static const char *const name[] = {"s,t.csv", "c.csv", "i.csv"};
    char value[2 * CLI_PATH + 800], files[3][CLI_PATH + 300];

    (void)state;
    for (unsigned k = 0; k < 3; k++)
        snprintf(files[k], sizeof files[k], "%s", cli_path(name[k]));
    snprintf(value, sizeof value, "counters=%s,instructions=%s", files[1], files[2]);
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--quiet", "--csv", files[0], "--csv", value);
    expect_status(&s, 0);
    for (unsigned k = 0; k < 3; k++) {
        size_t bytes;
        char *text = read_whole(files[k], &bytes);

        assert_non_null(text);
        if (strncmp(text, begin[k], strlen(begin[k])) != 0)
            fail_msg("%s begins with %.40s", files[k], text);
        free(text);
    }
    said_free(&s);
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--csv", "a.csv", "--csv", "statistics=b.csv"),
                   WORDS("statistics is written to 'a.csv' already"));
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--csv", "counters=,statistics=b.csv"),
                   WORDS("counters has no file"));
    expect_refused(RUN("run", SAMPLES "gfx1201/matmul.json", "--csv", "counters=-,statistics=-"),
                   WORDS("--csv counters"));
}

/* The report of a run without "host", as text; to be freed. */
static char *report_but_host(const char *const *more)
{
    const char *args[16] = {"run", SAMPLES "gfx1201/matmul.json", "--json", "-"};
    for (unsigned n = 4; *more; n++)
        args[n] = *more++;
    struct said s = cli_run(args);
    expect_status(&s, 0);
    const struct json *r = parse_report(&s);
    json_remove(r, "host");
    char *text = json_print(r);
    json_free(r);
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
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--set", "cu.lds_banks=16", "--details", "--json",
                        cli_path("p.json"));
    expect_status(&s, 0);
    expect_in(&s, s.out, hash);
    expect_in(&s, s.out, "\noverrides  cu.lds_banks=16\n");
    expect_in(&s, s.out, "  gcnsim        " GCNSIM_VERSION ", report schema ");
    snprintf(line, sizeof line,
             "  gcnsim run " SAMPLES "gfx1201/matmul.json --set cu.lds_banks=16 --details --json %s\n",
             cli_path("p.json"));
    expect_in(&s, s.out, line);
    said_free(&s);
    size_t bytes;
    char *json = read_whole(cli_path("p.json"), &bytes);
    assert_non_null(json);
    const struct json *r = json_parse(json);
    assert_non_null(r);
    const struct json *p = object_at(r, "provenance");
    expect_text(p, "code_sha256", hash);
    expect_text(p, "gcnsim", GCNSIM_VERSION);
    assert_int_equal(strlen(json_text(json_get(p, "profile_sha256"))), 64);
    json_free(r);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_report_timing),
        cmocka_unit_test(test_json_address_conflicts),
        cmocka_unit_test(test_fabric),
        cmocka_unit_test(test_json_report_functional),
        cmocka_unit_test(test_output_files),
        cmocka_unit_test(test_text_report),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_of_everything),
        cmocka_unit_test(test_provenance),
    };
    return cmocka_run_group_tests_name("reports of the command line", tests, cli_setup, cli_teardown);
}
