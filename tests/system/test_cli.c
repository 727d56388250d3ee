/* The command line as users meet it: usage, messages, exit status, names, info, disasm, arch. Reports are in
 * test_cli_report.c, bad code objects and faults of the simulated program in test_bad_input.c.
 */
#include "tests/system/cli_report.h"

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

/* ---- runs ---- */

/* A workgroup processor's 64 wave slots take 8 workgroups of 8 waves where they may be on both of its CUs. */
static void test_occupancy_of_wgps(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx1201/matmul.json", "--show", "occupancy");
    expect_status(&s, 0);
    expect_in(&s, s.out, "  workgroups    8 per workgroup processor, 8 waves each\n");
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/matmul.json", "--show", "occupancy");
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
    json_free(parse_report(&s));
    said_free(&s);
}

/* What --set says is what is simulated. */
static void test_set_changes_the_run(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--json", "-");
    expect_status(&s, 0);
    const struct json *before = parse_report(&s);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx90a/vecadd.json", "--json", "-", "--set", "cu.wave_slots_per_simd=4");
    expect_status(&s, 0);
    const struct json *after = parse_report(&s);
    said_free(&s);
    assert_true(number_at(object_at(after, "occupancy"), "waves_per_simd") == 4);
    assert_true(number_at(object_at(before, "occupancy"), "waves_per_simd") > 4);
    json_free(before);
    json_free(after);
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

/* A kernel that requires a size of workgroup need not be given it; a file that is not there is said before options are.
 */
static void test_required_workgroup(void **state)
{
    (void)state;
    struct said s = RUN("run", SAMPLES "gfx90a/call.co", "--grid", "64", "--arg", "buf:256", "--arg", "buf:1024",
                        "--arg", "u32:64", "--max-instructions", "100000");
    expect_status(&s, 0);
    expect_in(&s, s.out, "64 x 1 x 1 work-items: 1 workgroup of 64 x 1 x 1, 1 wave\n");
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
        const struct json *report = parse_report(&s);
        assert_string_equal(json_text(json_get(report, "target")), targets[i]);
        json_free(report);
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
                const struct json *r = parse_report(&s);
                json_remove(r, "host");
                char *text = json_print(r);
                json_free(r);
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
    const struct json *r = parse_report(&s);
    expect_text(r, "processor", "gfx90a");
    assert_true(number_at(r, "code_object_version") == 5);
    const struct json *k = json_at(json_get(r, "kernels"), 0);
    assert_non_null(k);
    expect_text(k, "name", "matmul");
    assert_true(number_at(k, "wavefront_size") == 64);
    assert_true(number_at(k, "vgprs") > 0);
    assert_true(number_at(k, "lds_bytes") > 0);
    const struct json *args = json_get(k, "arguments");
    assert_true(json_elements(args) >= 5);
    expect_text(json_at(args, 0), "kind", "global_buffer");
    assert_true(number_at(json_at(args, 1), "offset") == 8);
    const struct json *occupancy = json_at(json_get(k, "occupancy"), 0);
    assert_non_null(occupancy);
    expect_text(occupancy, "profile", "gfx90a-mi210");
    assert_true(number_at(occupancy, "waves_per_simd") >= 1);
    json_free(r);
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

    /* halves of registers: asked for on gfx11 and gfx12, always named on targets whose text is LLVM 22's */
    static const char *const halves[][2] = {{"gfx1100", ""}, {"gfx1201", ""}, {"gfx1250", ".l"}, {"gfx1251", ".l"}};
    for (size_t k = 0; k < sizeof halves / sizeof halves[0]; k++) {
        char text[80];

        s = RUN("disasm", "--target", halves[k][0], "--hex", "7C7C2420");
        snprintf(text, sizeof text, "v_cmp_ge_u16_e32 vcc_lo, s32, v18%s\n", halves[k][1]);
        assert_string_equal(s.out, text);
        said_free(&s);
        s = RUN("disasm", "--target", halves[k][0], "--true16", "--hex", "7C7C2420");
        assert_string_equal(s.out, "v_cmp_ge_u16_e32 vcc_lo, s32, v18.l\n");
        said_free(&s);
    }

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

/* A part of a kernel's name will do when no other kernel has it. */
static void test_part_of_a_name(void **state)
{
    const char *co = SAMPLES "gfx1201/transpose.co";
    struct said s = RUN("disasm", co, "--kernel", "naive");

    (void)state;
    assert_int_equal(s.status, 0);
    assert_memory_equal(s.out, "transpose_naive:\n", strlen("transpose_naive:\n"));
    said_free(&s);
    expect_refused(RUN("disasm", co, "--kernel", "transpose_"),
                   WORDS("2 kernels match \"transpose_\"", "transpose_naive, transpose_padded"));
    expect_refused(RUN("disasm", co, "--kernel", ""), WORDS("no kernel \"\"", "transpose_naive, transpose_padded"));
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
    const struct json *all = parse_report(&s), *e;
    size_t index;
    said_free(&s);
    assert_true(json_elements(all) > 1000);
    unsigned found = 0;
    json_each_element (all, index, e) {
        const char *name = json_text(json_get(e, "mnemonic"));
        assert_non_null(name);
        assert_true(json_is_boolean(json_get(e, "implemented")));
        assert_true(json_is_boolean(json_get(e, "tested")));
        /* nothing is both done and out of reach */
        bool beyond = json_is_string(json_get(e, "out_of_scope"));
        assert_false(beyond && json_is_true(json_get(e, "implemented")));
        assert_false(json_is_true(json_get(e, "tested")) && !json_is_true(json_get(e, "implemented")));
        const char *format = json_text(json_get(e, "format"));
        assert_non_null(format);
        if (strcmp(name, "v_max_num_f32") == 0 && strcmp(format, "VOP2") == 0) { /* there are halves of VOPD too */
            found++;
            assert_true(number_at(e, "opcode") == 0x16);
            assert_int_equal(json_elements(json_get(e, "operands")), 3);
        }
    }
    assert_int_equal(found, 1);
    json_free(all);
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
    json_free(parse_report(&s));
    write_file(cli_path("copy.json"), s.out, s.out_bytes);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--arch", cli_path("copy.json"), "--json", "-");
    expect_status(&s, 0);
    const struct json *copy = parse_report(&s);
    said_free(&s);
    s = RUN("run", SAMPLES "gfx1201/vecadd.json", "--json", "-");
    expect_status(&s, 0);
    const struct json *original = parse_report(&s);
    assert_true(number_at(copy, "cycles") == number_at(original, "cycles"));
    said_free(&s);
    json_free(copy);
    json_free(original);
    expect_refused(RUN("arch", "show", "gfx7"), WORDS("gfx7"));
    expect_refused(RUN("arch", "show", "gfx803", "--set", "cu.nothing=1"), WORDS("cu.nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_and_version),
        cmocka_unit_test(test_bad_usage),
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
        cmocka_unit_test(test_part_of_a_name),
        cmocka_unit_test(test_isa_list),
    };
    return cmocka_run_group_tests_name("command line", tests, cli_setup, cli_teardown);
}
