/* The public API on the committed sample code objects: inspection, loading, launching, and misuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"

#define SAMPLE(T, N) "traces/samples/" T "/" N ".co"

static struct gcnsim_error error;

static struct gcnsim *open_sim(const char *profile)
{
    struct gcnsim *sim;

    if (gcnsim_open(&sim, profile, &error))
        fail_msg("%s", error.text);
    return sim;
}

static struct gcnsim_module *load(struct gcnsim *sim, const char *path)
{
    struct gcnsim_module *m;

    if (gcnsim_load_file(sim, &m, path, NULL, &error))
        fail_msg("%s", error.text);
    return m;
}

/* The call must fail with this code and name this. */
static void refused(int got, int code, const char *part)
{
    assert_int_equal(got, code);
    assert_int_equal(error.code, code);
    if (!strstr(error.text, part))
        fail_msg("'%s' lacks '%s'", error.text, part);
}

static void version_and_targets(void **state)
{
    bool found = false;
    const char *name;

    (void)state;
    assert_string_equal(gcnsim_version(), GCNSIM_VERSION);
    for (uint32_t i = 0; (name = gcnsim_target_name(i)); i++)
        found = found || strcmp(name, "gfx1201") == 0;
    assert_true(found);
}

static void inspection(void **state)
{
    struct gcnsim_code *code;
    struct gcnsim_code_info info;
    struct gcnsim_kernel_info k;
    struct gcnsim_arg_info a;
    struct gcnsim_code_range text;
    uint32_t index = 99;

    (void)state;
    assert_int_equal(gcnsim_code_open_file(&code, SAMPLE("gfx90a", "vecadd"), NULL, &error), GCNSIM_OK);
    gcnsim_code_get_info(code, &info);
    assert_string_equal(info.processor, "gfx90a");
    assert_string_equal(info.name, SAMPLE("gfx90a", "vecadd"));
    assert_int_equal(info.code_object_version, 5);
    assert_int_equal(info.kernel_count, 1);
    assert_int_equal(gcnsim_code_find_kernel(code, "vecadd.kd", &index, &error), GCNSIM_OK);
    assert_int_equal(index, 0);
    refused(gcnsim_code_find_kernel(code, "vecsub", &index, &error), GCNSIM_ERROR_USAGE, "vecadd");
    assert_int_equal(gcnsim_code_kernel(code, 0, &k), GCNSIM_OK);
    assert_string_equal(k.name, "vecadd");
    assert_string_equal(k.symbol, "vecadd.kd");
    assert_int_equal(k.wavefront_size, 64);
    assert_true(k.has_metadata);
    assert_int_equal(k.explicit_arg_count, 4);
    assert_true(k.arg_count > 4);
    assert_true(k.vgprs >= k.vgpr_count && k.vgprs % 4 == 0);
    assert_int_not_equal(gcnsim_code_kernel(code, 1, &k), GCNSIM_OK);
    assert_int_equal(gcnsim_code_kernel_arg(code, 0, 3, &a), GCNSIM_OK);
    assert_string_equal(a.value_kind, "by_value");
    assert_string_equal(a.type_name, "uint");
    assert_int_equal(a.offset, 24);
    assert_int_equal(a.size, 4);
    assert_false(a.hidden);
    assert_int_equal(gcnsim_code_kernel_arg(code, 0, 4, &a), GCNSIM_OK);
    assert_true(a.hidden);
    assert_int_not_equal(gcnsim_code_kernel_arg(code, 0, k.arg_count, &a), GCNSIM_OK);
    assert_int_equal(gcnsim_code_text(code, 0, &text), GCNSIM_OK);
    assert_true(k.code_offset >= text.address && k.code_offset < text.address + text.size);
    assert_int_not_equal(gcnsim_code_text(code, 7, &text), GCNSIM_OK);
    gcnsim_code_close(code);
    gcnsim_code_close(NULL);
}

static void code_occupancy(void **state)
{
    struct gcnsim_occupancy o;
    struct gcnsim_code *code;

    (void)state;
    assert_int_equal(gcnsim_code_open_file(&code, SAMPLE("gfx1201", "vecadd"), "gfx1201", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_code_occupancy(code, 0, NULL, 256, 0, &o, &error), GCNSIM_OK);
    assert_int_equal(o.waves_per_simd, 16);
    assert_int_equal(o.waves_per_workgroup, 8);
    assert_string_equal(o.limiter, "wave_slots");
    assert_int_equal(gcnsim_code_occupancy(code, 0, "gfx1201-rx9070xt", 256, 40000, &o, &error), GCNSIM_OK);
    assert_string_equal(o.limiter, "lds");
    refused(gcnsim_code_occupancy(code, 0, NULL, 256, 100000, &o, &error), GCNSIM_ERROR_USAGE, "100000 bytes of LDS");
    refused(gcnsim_code_occupancy(code, 0, "gfx803", 256, 0, &o, &error), GCNSIM_ERROR_USAGE, "gfx1201");
    refused(gcnsim_code_occupancy(code, 3, NULL, 256, 0, &o, &error), GCNSIM_ERROR_USAGE, "kernel 3 of 1");
    gcnsim_code_close(code);
}

static void files_that_are_not_code(void **state)
{
    struct gcnsim_code *code;
    struct gcnsim *sim = open_sim(NULL);
    struct gcnsim_module *m;

    (void)state;
    refused(gcnsim_code_open_file(&code, "no/such.co", NULL, &error), GCNSIM_ERROR_IO, "no/such.co");
    refused(gcnsim_load_file(sim, &m, "no/such.co", NULL, &error), GCNSIM_ERROR_IO, "no/such.co");
    refused(gcnsim_load_file(sim, &m, "/dev/zero", NULL, &error), GCNSIM_ERROR_IO, "a device");
    refused(gcnsim_load_file(sim, &m, "Makefile", NULL, &error), GCNSIM_ERROR_FORMAT, "Makefile");
    refused(gcnsim_load_memory(sim, &m, "\177ELF", 4, "four bytes", NULL, &error), GCNSIM_ERROR_FORMAT, "four bytes");
    refused(gcnsim_load_memory(sim, &m, NULL, 0, "nothing", NULL, &error), GCNSIM_ERROR_FORMAT, "nothing");
    gcnsim_close(sim);
}

static void profiles(void **state)
{
    static const char *const sets[] = {"cu.wave_slots_per_simd=8"};
    struct gcnsim_profile_info info;
    unsigned seen = 0;
    char *text;

    (void)state;
    for (uint32_t i = 0; gcnsim_profile_list(i, &info) == GCNSIM_OK; i++)
        seen += strcmp(info.name, "gfx1201-rx9070xt") == 0 || strcmp(info.name, "gfx90a-mi210") == 0 ||
                strcmp(info.name, "gfx803-rx480") == 0;
    assert_int_equal(seen, 3);
    assert_int_equal(gcnsim_profile_show("gfx803", sets, 1, GCNSIM_TEXT, &text, &error), GCNSIM_OK);
    assert_non_null(strstr(text, "--set"));
    gcnsim_free(text);
    assert_int_equal(gcnsim_profile_show("gfx803", NULL, 0, GCNSIM_JSON, &text, &error), GCNSIM_OK);
    assert_int_equal(text[0], '{');
    gcnsim_free(text);
    assert_int_not_equal(gcnsim_profile_show("gfx0", NULL, 0, GCNSIM_TEXT, &text, &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "gfx0"));
}

static void choosing_a_profile(void **state)
{
    static const char *const good[] = {"cu.wave_slots_per_simd=8"};
    static const char *const bad[] = {"cu.wave_slots=8"};
    struct gcnsim *sim;
    struct gcnsim_module *m;

    (void)state;
    assert_int_not_equal(gcnsim_open(&sim, "no-such-chip", &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "no-such-chip"));

    sim = open_sim(NULL);
    assert_null(gcnsim_profile_name(sim));
    assert_int_equal(gcnsim_set_all(sim, good, 1, &error), GCNSIM_OK);
    load(sim, SAMPLE("gfx803", "vecadd"));
    assert_string_equal(gcnsim_profile_name(sim), "gfx803-rx480");
    refused(gcnsim_load_file(sim, &m, SAMPLE("gfx1201", "vecadd"), NULL, &error), GCNSIM_ERROR_USAGE, "gfx803-rx480");
    gcnsim_close(sim);

    sim = open_sim(NULL);
    refused(gcnsim_set_all(sim, (const char *const[]){"nothing"}, 1, &error), GCNSIM_ERROR_USAGE, "nothing");
    assert_int_equal(gcnsim_set_all(sim, bad, 1, &error), GCNSIM_OK); /* known to be wrong only with a profile */
    assert_int_not_equal(gcnsim_load_file(sim, &m, SAMPLE("gfx803", "vecadd"), NULL, &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "cu.wave_slots"));
    gcnsim_close(sim);

    sim = open_sim("gfx90a");
    assert_int_not_equal(gcnsim_set(sim, "cu.wave_slots_per_simd", "many", &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "cu.wave_slots_per_simd"));
    assert_int_equal(gcnsim_set(sim, "cu.wave_slots_per_simd", "4", &error), GCNSIM_OK);
    gcnsim_close(sim);
    gcnsim_close(NULL);
}

static void device_memory(void **state)
{
    struct gcnsim *sim = open_sim(NULL);
    uint64_t a, b;
    char bytes[8] = "";

    (void)state;
    refused(gcnsim_alloc(sim, 0, "empty", &a, &error), GCNSIM_ERROR_USAGE, "empty");
    assert_int_equal(gcnsim_alloc(sim, 5, "five", &a, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_alloc(sim, 5, NULL, &b, &error), GCNSIM_OK);
    assert_int_not_equal(a, b);
    assert_int_equal(gcnsim_write(sim, a + 1, "abcd", 4, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_read(sim, a, bytes, 5, &error), GCNSIM_OK);
    assert_memory_equal(bytes, "\0abcd", 5);
    refused(gcnsim_write(sim, a + 1, "abcde", 5, &error), GCNSIM_ERROR_USAGE, "five");
    refused(gcnsim_read(sim, a + 5, bytes, 1, &error), GCNSIM_ERROR_USAGE, "five");
    refused(gcnsim_dealloc(sim, a + 1, &error), GCNSIM_ERROR_USAGE, "five");
    assert_int_equal(gcnsim_dealloc(sim, a, &error), GCNSIM_OK);
    refused(gcnsim_dealloc(sim, a, &error), GCNSIM_ERROR_USAGE, "free");
    refused(gcnsim_read(sim, a, bytes, 1, &error), GCNSIM_ERROR_USAGE, "freed");
    /* what gcnsim made is not the caller's to free */
    struct gcnsim_module *m = load(sim, SAMPLE("gfx803", "vecadd"));
    uint64_t symbol, size;
    assert_int_equal(gcnsim_module_symbol(m, "vecadd.kd", &symbol, &size, &error), GCNSIM_OK);
    assert_int_equal(size, 64);
    refused(gcnsim_module_symbol(m, "vecsub", &symbol, NULL, &error), GCNSIM_ERROR_USAGE, "vecsub");
    assert_int_not_equal(gcnsim_dealloc(sim, symbol & ~UINT64_C(4095), &error), GCNSIM_OK);
    gcnsim_unload(m);
    gcnsim_unload(NULL);
    refused(gcnsim_read(sim, symbol, bytes, 1, &error), GCNSIM_ERROR_USAGE, "freed");
    gcnsim_close(sim);
}

/* Addresses do not differ between simulators that did the same. */
static void addresses_are_repeatable(void **state)
{
    struct gcnsim *x = open_sim(NULL), *y = open_sim(NULL);
    uint64_t a, b;

    (void)state;
    load(x, SAMPLE("gfx803", "vecadd"));
    load(y, SAMPLE("gfx803", "vecadd"));
    assert_int_equal(gcnsim_alloc(x, 100, NULL, &a, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_alloc(y, 100, NULL, &b, &error), GCNSIM_OK);
    assert_int_equal(a, b);
    gcnsim_close(x);
    gcnsim_close(y);
}

static void dispatch_errors(void **state)
{
    static const char *const specs[] = {"buf:4096", "buf:4096", "buf:4096", "u32:1024"};
    struct gcnsim *sim = open_sim(NULL);
    struct gcnsim_module *m = load(sim, SAMPLE("gfx90a", "vecadd")), *n = load(sim, SAMPLE("gfx90a", "vecadd"));
    struct gcnsim_args *args, *other;
    struct gcnsim_result *r;

    (void)state;
    assert_int_equal(gcnsim_args_parse(m, 0, specs, 4, NULL, &args, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse(n, 0, specs, 4, NULL, &other, &error), GCNSIM_OK);
    refused(gcnsim_args_parse(m, 9, specs, 4, NULL, &args, &error), GCNSIM_ERROR_USAGE, "kernel 9");
    refused(gcnsim_args_parse(m, 0, specs, 3, NULL, &args, &error), GCNSIM_ERROR_USAGE, "argument 3");
    for (int i = 0; i < 10; i++) {
        struct gcnsim_dispatch d;
        const char *part = "";
        gcnsim_dispatch_init(&d);
        d.engine = GCNSIM_ENGINE_FUNCTIONAL;
        d.args = args;
        d.grid_size[0] = 1024;
        d.workgroup_size[0] = 256;
        switch (i) {
        case 0:
            d.struct_bytes = 0, part = "struct_bytes";
            break;
        case 1:
            d.kernel = 1, part = "kernel 1";
            break;
        case 2:
            d.engine = (enum gcnsim_engine)7, part = "engine 7";
            break;
        case 3:
            d.args = other, part = "another kernel";
            break;
        case 4:
            d.kernarg = specs, part = "both";
            break;
        case 5:
            d.args = NULL, part = "no kernarg bytes given; expected 4 arguments";
            break;
        case 6:
            d.grid_size[0] = 100, part = "grid size x is 100";
            break;
        case 7:
            d.workgroup_size[0] = 0, part = "workgroup size x is 0";
            break;
        case 8:
            d.workgroup_size[0] = 1025, d.grid_size[0] = 2000, part = "1025";
            break;
        case 9:
            d.dynamic_group_segment_size = 65537, part = "LDS";
            break;
        }
        memset(&error, 0, sizeof error);
        refused(gcnsim_launch(m, &d, &r, &error), GCNSIM_ERROR_USAGE, part);
    }
    uint64_t address, size;
    assert_int_equal(gcnsim_args_buffer(args, 2, &address, &size), GCNSIM_OK);
    assert_int_equal(size, 4096);
    assert_int_not_equal(gcnsim_args_buffer(args, 3, &address, &size), GCNSIM_OK);
    assert_int_not_equal(gcnsim_args_buffer(args, 4, &address, &size), GCNSIM_OK);
    gcnsim_args_free(args);
    gcnsim_args_free(other);
    gcnsim_args_free(NULL);
    gcnsim_close(sim);
}

/* Bytes past the kernarg segment are not seen, and those that are missing are zero: no work-item has anything to add.
 */
static void kernarg_bytes_of_any_number(void **state)
{
    static const size_t sizes[] = {8, 24, 100000};
    static const uint8_t zeros[100000];
    struct gcnsim *sim = open_sim(NULL);
    struct gcnsim_module *m = load(sim, SAMPLE("gfx90a", "vecadd"));

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct gcnsim_result *r = NULL;
        struct gcnsim_dispatch d;
        gcnsim_dispatch_init(&d);
        d.engine = GCNSIM_ENGINE_FUNCTIONAL;
        d.kernarg = zeros;
        d.kernarg_size = sizes[k];
        d.grid_size[0] = d.workgroup_size[0] = 256;
        if (gcnsim_launch(m, &d, &r, &error))
            fail_msg("%zu bytes: %s", sizes[k], error.text);
        gcnsim_result_free(r);
    }
    gcnsim_close(sim);
}

/* The kernel's own requirement on its workgroups. */
static void required_workgroup_size(void **state)
{
    struct gcnsim *sim = open_sim(NULL);
    struct gcnsim_module *m = load(sim, SAMPLE("gfx90a", "call")); /* reqd_work_group_size(64, 1, 1) */
    struct gcnsim_dispatch d;
    struct gcnsim_result *r;

    (void)state;
    gcnsim_dispatch_init(&d);
    d.grid_size[0] = d.workgroup_size[0] = 32;
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    refused(gcnsim_launch(m, &d, &r, &error), GCNSIM_ERROR_USAGE, "64x1x1");
    gcnsim_close(sim);
}

static void vecadd(const char *path, enum gcnsim_engine engine, uint32_t threads)
{
    enum { N = 5000 };
    static const char *const specs[] = {"buf:20000", "buf:20000", "buf:20000", "u32:5000"};
    struct gcnsim *sim = open_sim(NULL);
    struct gcnsim_module *m = load(sim, path);
    struct gcnsim_args *args;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r;
    float *host = malloc(N * sizeof *host);
    uint64_t address, size;

    if (gcnsim_args_parse(m, 0, specs, 4, NULL, &args, &error))
        fail_msg("%s", error.text);
    for (uint32_t k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++)
            host[i] = (float)i * (k ? 0.25f : 3.0f);
        assert_int_equal(gcnsim_args_buffer(args, k, &address, &size), GCNSIM_OK);
        assert_int_equal(gcnsim_write(sim, address, host, N * sizeof *host, &error), GCNSIM_OK);
    }
    gcnsim_dispatch_init(&d);
    d.engine = engine;
    d.args = args;
    d.threads = threads;
    d.grid_size[0] = 5100; /* the last workgroup is partial */
    d.workgroup_size[0] = 256;
    if (gcnsim_launch(m, &d, &r, &error))
        fail_msg("%s", error.text);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", path, r->message);
    assert_int_equal(r->workgroups, 20);
    assert_int_equal(result_stat(r, "workgroups_done"), 20);
    double cycles;
    assert_int_equal(gcnsim_result_stat(r, "cycles", &cycles) == GCNSIM_OK, engine == GCNSIM_ENGINE_TIMING);
    gcnsim_result_free(r);
    assert_int_equal(gcnsim_args_buffer(args, 2, &address, &size), GCNSIM_OK);
    assert_int_equal(gcnsim_read(sim, address, host, N * sizeof *host, &error), GCNSIM_OK);
    for (int i = 0; i < N; i++)
        if (host[i] != (float)i * 3.0f + (float)i * 0.25f)
            fail_msg("%s: element %d is %g", path, i, (double)host[i]);
    gcnsim_args_free(args);
    free(host);
    gcnsim_close(sim);
}

static void vecadd_everywhere(void **state)
{
    static const char *const paths[] = {
        SAMPLE("gfx803", "vecadd"),    SAMPLE("gfx90a", "vecadd"),    SAMPLE("gfx1201", "vecadd"),
        SAMPLE("gfx803", "vecadd.O0"), SAMPLE("gfx90a", "vecadd.O0"), SAMPLE("gfx1201", "vecadd.O0"),
    };

    (void)state;
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        vecadd(paths[i], GCNSIM_ENGINE_FUNCTIONAL, 1);
        vecadd(paths[i], GCNSIM_ENGINE_FUNCTIONAL, 3);
        vecadd(paths[i], GCNSIM_ENGINE_TIMING, 1);
    }
}

static void disassembly(void **state)
{
    static const uint8_t code[] = {0x00, 0x00, 0x81, 0xbf, 0xff, 0xff, 0xff, 0xff, 0x00};
    struct gcnsim_disasm *d;
    char text[100];
    int known;

    (void)state;
    assert_int_equal(gcnsim_disasm_open(&d, "gfx90a", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_disasm_one(d, code, sizeof code, text, sizeof text, &known), 4);
    assert_string_equal(text, "s_endpgm");
    assert_true(known);
    assert_int_equal(gcnsim_disasm_one(d, code + 4, 4, text, sizeof text, &known), 4);
    assert_string_equal(text, ".long 0xffffffff");
    assert_false(known);
    assert_int_equal(gcnsim_disasm_one(d, code + 8, 1, text, sizeof text, NULL), 0);
    assert_int_equal(gcnsim_disasm_one(d, code, 4, text, 4, NULL), 4);
    assert_string_equal(text, "s_e");
    gcnsim_disasm_close(d);
    gcnsim_disasm_close(NULL);
    assert_int_not_equal(gcnsim_disasm_open(&d, "gfx9999", &error), GCNSIM_OK);
    assert_non_null(strstr(error.text, "gfx9999"));
}

static void trace_formats(void **state)
{
    const char *about = NULL, *name = gcnsim_trace_format(0, &about);

    (void)state;
    assert_true(name && name[0] && about && about[0]);
    assert_string_equal(gcnsim_trace_format(0, NULL), name);
    assert_null(gcnsim_trace_format(1000, &about));
    assert_null(about);
    assert_null(gcnsim_trace_format(1000, NULL));
}

static void launch_files(void **state)
{
    struct gcnsim_launch_file *f;

    (void)state;
    assert_int_equal(gcnsim_launch_file_open(&f, "traces/samples/gfx90a/vecadd.json", &error), GCNSIM_OK);
    assert_string_equal(f->file, SAMPLE("gfx90a", "vecadd"));
    assert_int_equal(f->arg_count, 4);
    gcnsim_launch_file_close(f);
    gcnsim_launch_file_close(NULL);
    refused(gcnsim_launch_file_open(&f, "no.json", &error), GCNSIM_ERROR_IO, "no.json");
}

static void json_strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {NULL, "null"},
        {"", "\"\""},
        {"a\"b\\c\td\x7f", "\"a\\\"b\\\\c\\u0009d\\u007f\""},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        /* no UTF-8: torn, overlong, a surrogate, beyond the last */
        {"\xc3", "\"\\ufffd\""},
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *json = NULL;
        assert_int_equal(gcnsim_json_string(cases[k].text, &json, &error), GCNSIM_OK);
        assert_string_equal(json, cases[k].json);
        gcnsim_free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_and_targets),
        cmocka_unit_test(inspection),
        cmocka_unit_test(code_occupancy),
        cmocka_unit_test(files_that_are_not_code),
        cmocka_unit_test(profiles),
        cmocka_unit_test(choosing_a_profile),
        cmocka_unit_test(device_memory),
        cmocka_unit_test(addresses_are_repeatable),
        cmocka_unit_test(dispatch_errors),
        cmocka_unit_test(kernarg_bytes_of_any_number),
        cmocka_unit_test(required_workgroup_size),
        cmocka_unit_test(vecadd_everywhere),
        cmocka_unit_test(disassembly),
        cmocka_unit_test(trace_formats),
        cmocka_unit_test(launch_files),
        cmocka_unit_test(json_strings),
    };

    return cmocka_run_group_tests_name("public API", tests, NULL, NULL);
}
