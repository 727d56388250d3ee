/* Bad input and faults of the simulated program, seen from outside: message, exit status, and never a crash or a hang.
 *   exit 2: code objects, profiles, launch files and arguments that are wrong
 *   exit 1: kernels that are wrong (sources in tests/system/kernels, assembled here by clang-19)
 */
#include "tests/support/json.h"

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/"
#define CO      SAMPLES "gfx1201/vecadd.co"

/* ---- code objects ---- */

static char *load_sample(const char *path, size_t *bytes)
{
    char *elf = read_whole(path, bytes);
    assert_non_null(elf);
    assert_true(*bytes > 1024);
    return elf;
}

static void test_not_a_code_object(void **state)
{
    (void)state;
    expect_refused(RUN("info", cli_path("none.co")), WORDS("none.co", "No such file"));
    expect_refused(RUN("info", "traces/samples"), WORDS("traces/samples"));
    write_file(cli_path("empty.co"), "", 0);
    expect_refused(RUN("info", cli_path("empty.co")), WORDS("empty.co", "expected"));
    write_file(cli_path("text.co"), "this is no ELF file, and it is long enough to be read as one\n", 61);
    expect_refused(RUN("info", cli_path("text.co")), WORDS("text.co", "expected"));
    expect_refused(RUN("disasm", cli_path("text.co")), WORDS("text.co", "expected"));
}

static void test_truncated(void **state)
{
    (void)state;
    size_t bytes;
    char *elf = load_sample(CO, &bytes);
    /* the section header table is last: losing any byte of it or before is an error */
    for (size_t cut = 1; cut < bytes; cut += cut < 256 ? 37 : bytes / 24) {
        write_file(cli_path("cut.co"), elf, bytes - cut);
        expect_refused(RUN("info", cli_path("cut.co")), WORDS("cut.co"));
        write_file(cli_path("cut.co"), elf, cut);
        expect_refused(RUN("info", cli_path("cut.co")), WORDS("cut.co"));
    }
    free(elf);
}

static void test_wrong_machine(void **state)
{
    (void)state;
    size_t bytes;
    char *elf = load_sample(CO, &bytes);
    char keep;

    keep = elf[18]; /* e_machine */
    elf[18] = 62, elf[19] = 0;
    write_file(cli_path("x86.co"), elf, bytes);
    expect_refused(RUN("info", cli_path("x86.co")), WORDS("x86.co", "machine", "expected"));
    elf[18] = keep;

    keep = elf[4]; /* EI_CLASS */
    elf[4] = 1;
    write_file(cli_path("class.co"), elf, bytes);
    expect_refused(RUN("info", cli_path("class.co")), WORDS("class.co", "expected"));
    elf[4] = keep;

    keep = elf[48]; /* low byte of e_flags: the processor */
    elf[48] = (char)0xfe;
    write_file(cli_path("flags.co"), elf, bytes);
    expect_refused(RUN("info", cli_path("flags.co")), WORDS("flags.co"));
    elf[48] = keep;

    /* right file, wrong chip */
    write_file(cli_path("good.co"), elf, bytes);
    expect_refused(RUN("run", cli_path("good.co"), "--arch", "gfx803", "--grid", "64", "--workgroup", "64"),
                   WORDS("good.co", "gfx1201", "gfx803"));
    free(elf);
}

/* One flipped bit anywhere: run, fault or be refused, with words; never a crash, a hang or silence. */
static void test_bit_flips(void **state)
{
    (void)state;
    size_t bytes;
    char *elf = load_sample(SAMPLES "gfx90a/vecadd.co", &bytes);
    unsigned seen[3] = {0};
    uint64_t seed = 0x9e3779b97f4a7c15u;

    for (unsigned i = 0; i < 150; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t bit = (seed >> 33) % (bytes * 8);
        elf[bit / 8] ^= (char)(1u << bit % 8);
        write_file(cli_path("flip.co"), elf, bytes);
        elf[bit / 8] ^= (char)(1u << bit % 8);
        struct said s =
            RUN("run", cli_path("flip.co"), "--kernel", "vecadd", "--grid", "256", "--workgroup", "64", "--arg",
                "buf:1024", "--arg", "buf:1024", "--arg", "buf:1024", "--arg", "u32:256", "--max-cycles", "100000");
        if (s.status < 0 || s.status > 2) {
            print_error("bit %zu of byte %zu\n", bit % 8, bit / 8);
            said_show(&s);
            fail();
        }
        if (s.status != 0)
            assert_int_equal(strncmp(s.err, "gcnsim: ", 8), 0);
        seen[s.status]++;
        said_free(&s);
    }
    /* most bytes are padding or names; some flips must have been noticed */
    assert_true(seen[0] > 0);
    assert_true(seen[2] > 0);
    free(elf);
}

/* ---- launches ---- */

#define VECADD(...) RUN("run", CO, "--kernel", "vecadd", __VA_ARGS__)
#define SHAPE       "--grid", "256", "--workgroup", "64"
#define BUFFERS     "--arg", "buf:1024", "--arg", "buf:1024", "--arg", "buf:1024"

static void test_kernel_and_shape(void **state)
{
    (void)state;
    expect_refused(RUN("run", CO, "--kernel", "vecmul", SHAPE), WORDS("vecadd.co", "vecmul", "vecadd"));
    /* a grid that does not reach one workgroup */
    expect_refused(VECADD("--grid", "32", "--workgroup", "64", BUFFERS, "--arg", "u32:32"), WORDS("grid", "32", "64"));
    expect_refused(VECADD("--grid", "64,1,1", "--workgroup", "8,8", BUFFERS, "--arg", "u32:32"), WORDS("grid"));
    expect_refused(VECADD("--grid", "4096", "--workgroup", "2048", BUFFERS, "--arg", "u32:32"),
                   WORDS("workgroup", "at most 256"));
    expect_refused(VECADD("--grid", "2048,2", "--workgroup", "1024,2", BUFFERS, "--arg", "u32:32"),
                   WORDS("workgroup", "at most 256"));
    /* more LDS than the chip has */
    expect_refused(VECADD(SHAPE, BUFFERS, "--arg", "u32:32", "--dynamic-lds", "1000000"), WORDS("LDS"));
}

static void test_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *first, *last, *words[2]; /* the first and the last of four SPECs; buffers in between */
    } cases[] = {
        {"u32:1", "u32:1", {"argument 0", "pointer"}}, /* a number where a pointer belongs, and the other way round */
        {"buf:64", "buf:1024", {"argument 3", "uint"}},
        {"buf:64", "u64:1", {"argument 3", "4 bytes"}},
        {"buf:64", "bytes:010203", {"argument 3", "4 bytes"}},
        {"buf:64", "u32:4294967296", {"argument 3", "u32:4294967296"}},
        {"buf:64", "u32:x", {"argument 3", "u32:x"}},
        {"buf:64", "bytes:0g", {"argument 3", "bytes:0g"}},
        {"buf:64", "q32:1", {"argument 3", "q32:1"}},
        {"buf:64", "nothing", {"argument 3", "nothing"}},
        {"buf:", "u32:1", {"argument 0", "buf:"}},
        {"buf:64x", "u32:1", {"argument 0", "buf:64x"}},
        {"buf:99999999999999999999", "u32:1", {"argument 0", "buf:"}},
        {"in:no/such.bin", "u32:1", {"argument 0", "no/such.bin: No such file"}},
        {"out:x", "u32:1", {"argument 0", "out:PATH:BYTES"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(
            VECADD(SHAPE, "--arg", cases[i].first, "--arg", "buf:64", "--arg", "buf:64", "--arg", cases[i].last),
            WORDS(cases[i].words[0], cases[i].words[1]));
    /* too few and too many */
    expect_refused(VECADD(SHAPE), WORDS("takes 4 arguments, 0 given: argument 0"));
    expect_refused(VECADD(SHAPE, BUFFERS), WORDS("takes 4 arguments, 3 given", "argument 3", "#0 float*", "#3 uint"));
    expect_refused(VECADD(SHAPE, BUFFERS, "--arg", "u32:1", "--arg", "u32:2"), WORDS("takes 4 arguments, 5 given"));
}

static void write_text(const char *name, const char *text)
{
    write_file(cli_path(name), text, strlen(text));
}

static void test_launch_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"{", ""},
        {"[]", "object"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"grid\": [1], \"workgroup\": [1], \"gird\": 3}", "gird"},
        {"{\"kernel\": \"k\", \"grid\": [1], \"workgroup\": [1]}", "file"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"workgroup\": [1]}", "grid"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"grid\": [1, 2, 3, 4], \"workgroup\": [1]}", "grid"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"grid\": [-1], \"workgroup\": [1]}", "grid"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"grid\": [1.5], \"workgroup\": [1]}", "grid"},
        {"{\"file\": \"a.co\", \"kernel\": 7, \"grid\": [1], \"workgroup\": [1]}", "kernel"},
        {"{\"file\": \"a.co\", \"kernel\": \"k\", \"grid\": [1], \"workgroup\": [1], \"args\": [3]}", "args"},
        {"{\"file\": \"absent.co\", \"kernel\": \"k\", \"grid\": [1], \"workgroup\": [1]}", "absent.co"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("launch.json", cases[i].text);
        /* the code object's own name stands in the message when that is what is missing */
        bool about_launch = strcmp(cases[i].word, "absent.co") != 0;
        expect_refused(RUN("run", cli_path("launch.json")),
                       WORDS(about_launch ? "launch.json" : "absent.co", cases[i].word));
    }
    expect_refused(RUN("run", cli_path("none.json")), WORDS("none.json", "No such file"));
}

static void test_profiles(void **state)
{
    (void)state;
    static const char vecadd[] = SAMPLES "gfx1201/vecadd.json";
    expect_refused(RUN("run", vecadd, "--arch", "gfx1201-rx9999"), WORDS("gfx1201-rx9999", "gfx1201-rx9070xt"));
    expect_refused(RUN("run", vecadd, "--arch", cli_path("none.json")), WORDS("none.json", "No such file"));
    write_text("unknown.json", "{\"extends\": \"gfx1201-rx9070xt\", \"cu\": {\"wave_slot_per_simd\": {\"value\": 8, "
                               "\"unit\": \"waves\", \"source\": \"test\", \"confidence\": \"guess\"}}}");
    expect_refused(RUN("run", vecadd, "--arch", cli_path("unknown.json")), WORDS("unknown.json", "wave_slot_per_simd"));
    write_text("broken.json", "{\"extends\": ");
    expect_refused(RUN("run", vecadd, "--arch", cli_path("broken.json")), WORDS("broken.json"));
    /* no file is at fault, so none is named */
    expect_refused(RUN("run", vecadd, "--set", "cu.no_such_number=3"), WORDS("gcnsim: --set: cu.no_such_number:"));
    expect_refused(
        RUN("run", SAMPLES "gfx1201/vecadd.co", "--grid", "64", "--workgroup", "64", "--set", "cu.no_such_number=3"),
        WORDS("gcnsim: --set: cu.no_such_number:"));
    expect_refused(RUN("run", vecadd, "--set", "cu.wave_slots_per_simd=many"), WORDS("wave_slots_per_simd", "many"));
    expect_refused(RUN("run", vecadd, "--set", "cu.wave_slots_per_simd=-1"), WORDS("wave_slots_per_simd"));
}

/* ---- wrong kernels ---- */

/* Assembles tests/system/kernels/NAME.s; skips the test when clang-19 is absent. */
static const char *assemble(const char *name)
{
    static char co[CLI_PATH + 256]; /* outlives the turns of cli_path() */
    char source[256];
    snprintf(source, sizeof source, "tests/system/kernels/%s.s", name);
    snprintf(co, sizeof co, "%s/%s.co", cli_dir, name);
    int status = spawn_tool((const char *[]){"clang-19", "-x", "assembler", "-target", "amdgcn-amd-amdhsa",
                                             "-mcpu=gfx1201", "-I", "tests/system/kernels", "-o", co, source, NULL},
                            cli_path("clang.log"));
    if (status == SPAWN_FAILED) {
        print_message("skipped: no clang-19 to assemble %s with\n", source);
        skip();
    }
    if (status != 0) {
        size_t bytes;
        char *log = read_whole(cli_path("clang.log"), &bytes);
        print_error("clang-19 on %s: status %d\n%s\n", source, status, log ? log : "");
        free(log);
        fail();
    }
    return co;
}

/* Exit 1, the words on stderr, and JSON on stdout that still is a whole report. */
static const struct json *expect_ended_early(struct said *s, const char *const words[])
{
    expect_status(s, 1);
    /* resident waves, where a test asked for them, come before */
    assert_true(strncmp(s->err, "gcnsim: ", 8) == 0 || strstr(s->err, "\ngcnsim: "));
    for (size_t i = 0; words[i]; i++)
        expect_in(s, s->err, words[i]);
    const struct json *report = json_parse(s->out);
    if (!report) {
        said_show(s);
        fail_msg("no JSON report beside the fault");
    }
    assert_non_null(json_get(report, "instructions"));
    return report;
}

/* A kernel that faults, in both engines. */
static void expect_fault(const char *name, const char *const words[])
{
    static const char *const engines[] = {"timing", "functional"};
    const char *co = assemble(name);
    for (int e = 0; e < 2; e++) {
        const char *out = cli_path("fault.out");
        char spec[CLI_PATH + 64];
        snprintf(spec, sizeof spec, "out:%s:256", out);
        struct said s = RUN("run", co, "--kernel", name, "--grid", "64", "--workgroup", "64", "--arg", spec, "--engine",
                            engines[e], "--json", "-");
        json_free(expect_ended_early(&s, words));
        said_free(&s);
        /* a result that is not there is not written */
        assert_int_not_equal(access(out, F_OK), 0);
    }
}

static void test_store_outside(void **state)
{
    (void)state;
    expect_fault("store_outside", WORDS("global_store_b32", "lane 5 writes 4 bytes", "outside every writable"));

    /* a buffer 24 work-items too short: the lane, and how its address lies to that buffer */
    struct said s = RUN("run", assemble("store_ids"), "--grid", "64", "--workgroup", "64", "--arg", "buf:160", "--json",
                        "-", "--engine", "functional");
    json_free(expect_ended_early(&s, WORDS("wave 1, lane 8", "0 bytes past the end of buffer arg 0 'out'")));
    said_free(&s);
}

static void test_illegal(void **state)
{
    (void)state;
    expect_fault("illegal", WORDS("illegal", "gfx1201", "bfff0000"));
}

static void test_unimplemented(void **state)
{
    (void)state;
    expect_fault("unimplemented", WORDS("global_atomic_ordered_add_b64", "not supported by gcnsim", "gfx1201"));
}

static void test_off_the_end(void **state)
{
    (void)state;
    expect_fault("off_the_end", WORDS("pc"));
}

static void test_good_kernel(void **state)
{
    (void)state;
    /* the same frame around a right kernel ends well: the faults above are the kernels' own */
    const char *co = assemble("store_ids");
    char spec[CLI_PATH + 64];
    const char *out = cli_path("ids.bin");
    snprintf(spec, sizeof spec, "out:%s:256", out);
    struct said s = RUN("run", co, "--grid", "64", "--workgroup", "64", "--arg", spec, "--quiet");
    expect_status(&s, 0);
    said_free(&s);
    size_t bytes;
    char *ids = read_whole(out, &bytes);
    assert_non_null(ids);
    assert_int_equal(bytes, 256);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t id;
        memcpy(&id, ids + 4 * i, 4);
        assert_int_equal(id, i);
    }
    free(ids);
}

static void test_endless(void **state)
{
    (void)state;
    const char *co = assemble("endless");
    struct said s =
        RUN("run", co, "--grid", "64", "--workgroup", "64", "--arg", "buf:64", "--max-cycles", "20000", "--json", "-");
    const struct json *r = expect_ended_early(&s, WORDS("20000", "cycles"));
    const struct json *cycles = json_get(r, "cycles");
    assert_true(json_is_number(cycles));
    assert_true(json_number(cycles) > 0 && json_number(cycles) <= 20001);
    json_free(r);
    said_free(&s);

    s = RUN("run", co, "--grid", "64", "--workgroup", "64", "--arg", "buf:64", "--engine", "functional",
            "--max-instructions", "5000", "--json", "-");
    json_free(expect_ended_early(&s, WORDS("5000", "instructions")));
    said_free(&s);
}

/* Ctrl-C: the report so far, exit 1. */
static void test_interrupt(void **state)
{
    (void)state;
    static const char *const engines[] = {"timing", "functional"};
    const char *co = assemble("endless");
    for (int e = 0; e < 2; e++) {
        const char *const args[] = {"run",      co,         "--grid", "64", "--workgroup", "64",     "--arg", "buf:64",
                                    "--engine", engines[e], "--json", "-",  "--progress",  "always", NULL};
        pid_t pid = cli_start(args);
        cli_await_text(pid, " inst,"); /* the progress counts instructions */
        assert_int_equal(kill(pid, SIGINT), 0);
        struct said s = cli_finish(pid);
        const struct json *r = expect_ended_early(&s, WORDS("interrupt"));
        const struct json *total = json_get(json_get(r, "instructions"), "total");
        assert_true(json_is_number(total) && json_number(total) > 0);
        json_free(r);
        said_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_code_object), cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_wrong_machine),     cmocka_unit_test(test_bit_flips),
        cmocka_unit_test(test_kernel_and_shape),  cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_launch_files),      cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_good_kernel),       cmocka_unit_test(test_store_outside),
        cmocka_unit_test(test_illegal),           cmocka_unit_test(test_unimplemented),
        cmocka_unit_test(test_off_the_end),       cmocka_unit_test(test_endless),
        cmocka_unit_test(test_interrupt),
    };
    return cmocka_run_group_tests_name("bad input", tests, cli_setup, cli_teardown);
}
