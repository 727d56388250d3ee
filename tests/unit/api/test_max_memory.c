/* The memory limit of a simulator: what asks for too much is refused with its name and the numbers, everything that is
 * held is given back, and what is reserved costs the host nothing until it is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "sim/api/api.h"
#include "sim/api/at_once.h"
#include "tests/support/proc.h"
#include "tests/unit/loader/toy_elf.h"

#define MIB  (UINT64_C(1) << 20)
#define GIB  (UINT64_C(1) << 30)
#define TAIL "; --max-memory (gcnsim_set_max_memory) raises it"

static struct gcnsim *open_sim(uint64_t limit)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim = NULL;

    if (gcnsim_open(&sim, NULL, &error))
        fail_msg("%s", error.text);
    api_threads_at_once(sim);
    if (limit)
        gcnsim_set_max_memory(sim, limit);
    return sim;
}

static uint64_t held(const struct gcnsim *sim)
{
    struct gcnsim_memory m;

    gcnsim_get_memory(sim, &m);
    return m.held_bytes;
}

static void expect_limit(int code, const struct gcnsim_error *error, const char *text)
{
    assert_string_equal(error->text, text);
    assert_int_equal(code, GCNSIM_ERROR_LIMIT);
    assert_int_equal(error->code, GCNSIM_ERROR_LIMIT);
}

/* Runs f in a process of its own and fails when it fails, or when it ever had more than `most` bytes resident beyond
 * what the process begins with. Sanitizers' own memory is not told apart, so they count no bytes. */
static void in_child(void (*f)(void), uint64_t most)
{
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct rusage before, after;
        getrusage(RUSAGE_SELF, &before);
        f();
        getrusage(RUSAGE_SELF, &after);
        uint64_t grown = (uint64_t)(after.ru_maxrss - before.ru_maxrss) * 1024;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        grown = 0;
#endif
        if (grown > most)
            fprintf(stderr, "resident memory grew by %llu bytes; expected at most %llu\n", (unsigned long long)grown,
                    (unsigned long long)most);
        _exit(grown > most ? 3 : 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void read_untouched(void)
{
    volatile char *bytes = calloc(1, 64 * MIB);

    for (size_t k = 0; bytes && k < 64 * MIB; k += 4096)
        (void)bytes[k];
    free((void *)bytes);
}

/* Whether this host's kernel gives memory that is only read pages of its own: most map one page of zeros. */
static bool reading_costs(void)
{
    struct rusage usage;
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        getrusage(RUSAGE_SELF, &usage);
        long before = usage.ru_maxrss;
        read_untouched();
        getrusage(RUSAGE_SELF, &usage);
        _exit(usage.ru_maxrss - before > 32 << 10);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status) != 0;
}

static void must(int code, const struct gcnsim_error *error)
{
    if (code) {
        fprintf(stderr, "%s\n", error->text);
        _exit(2);
    }
}

/* ---- device memory ---- */

static void allocations(void **state)
{
    struct gcnsim *sim = open_sim(MIB);
    struct gcnsim_error error = {0};
    struct gcnsim_memory m;
    uint64_t a, b;

    (void)state;
    assert_int_equal(gcnsim_alloc(sim, MIB - 4096, "a", &a, &error), GCNSIM_OK);
    int code = gcnsim_alloc(sim, 4097, "b", &b, &error);
    expect_limit(code, &error,
                 "b of 4097 bytes: 8192 bytes more pass the memory limit of 1048576 bytes, of which "
                 "1044480 are taken" TAIL);
    assert_int_equal(gcnsim_alloc(sim, 1, "b", &b, &error), GCNSIM_OK);
    gcnsim_get_memory(sim, &m);
    assert_int_equal(m.limit_bytes, MIB);
    assert_int_equal(m.held_bytes, MIB);
    assert_int_equal(gcnsim_dealloc(sim, a, &error), GCNSIM_OK);
    gcnsim_get_memory(sim, &m);
    assert_int_equal(m.held_bytes, 4096);
    assert_int_equal(m.peak_bytes, MIB);
    code = gcnsim_alloc(sim, UINT64_C(1) << 39, "c", &a, &error);
    expect_limit(
        code, &error,
        "c of 549755813888 bytes: 549755813888 bytes more pass the memory limit of 1048576 bytes, of which 4096 "
        "are taken" TAIL);
    gcnsim_set_max_memory(sim, 0); /* none: the address space is the limit */
    assert_int_equal(gcnsim_alloc(sim, UINT64_C(1) << 38, "c", &a, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_alloc(sim, UINT64_C(1) << 42, "d", &a, &error), GCNSIM_ERROR_NOMEM);
    gcnsim_close(sim);
    sim = open_sim(0);
    gcnsim_get_memory(sim, &m);
    assert_int_equal(m.limit_bytes, GCNSIM_DEFAULT_MAX_MEMORY);
    gcnsim_close(sim);
}

/* ---- code objects ---- */

static void big_bss(struct toy *t)
{
    toy_init(t, 0x63f, 3);
    toy_segment(t, 2, 1, 6, 0xa00, TOY_DATA_VADDR, 0x100, GIB - 0x4000, 0x1000);
}

static void load_big_bss(void)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim = open_sim(0);
    struct gcnsim_module *module;
    struct toy t;

    big_bss(&t);
    must(gcnsim_load_memory(sim, &module, t.bytes, sizeof t.bytes, "toy", NULL, &error), &error);
    if (held(sim) < GIB - 0x4000)
        _exit(4);
    gcnsim_close(sim);
}

static void untouched_bss_costs_nothing(void **state)
{
    struct gcnsim_error error = {0};
    struct gcnsim_module *module;
    struct toy t;

    (void)state;
    in_child(load_big_bss, 24 * MIB);
    big_bss(&t);
    struct gcnsim *sim = open_sim(512 * MIB);
    int code = gcnsim_load_memory(sim, &module, t.bytes, sizeof t.bytes, "toy", NULL, &error);
    assert_int_equal(code, GCNSIM_ERROR_LIMIT);
    assert_ptr_equal(strstr(error.text, "toy: toy of 1073736192 bytes: "), error.text);
    assert_non_null(strstr(error.text, " bytes more pass the memory limit of 536870912 bytes, of which "));
    assert_int_equal(held(sim), 0);
    gcnsim_close(sim);
}

/* A compressed bundle: a toy for gfx90a, and `padding` zeros, which are a host entry or the end of the toy's file. */
static uint8_t *make_bundle(size_t padding, bool in_toy, size_t *size)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--gfx90a"};
    const uint64_t at[] = {4096 + TOY_BYTES, 4096},
                   bytes[] = {in_toy ? 0 : padding, TOY_BYTES + (in_toy ? padding : 0)};
    size_t plain_size = 4096 + TOY_BYTES + padding, table = 32;
    uint8_t *plain = calloc(1, plain_size), *out = malloc(32 + ZSTD_compressBound(plain_size));
    uint64_t count = 2, total;
    struct toy t;

    assert_true(plain && out);
    memcpy(plain, "__CLANG_OFFLOAD_BUNDLE__", 24);
    memcpy(plain + 24, &count, 8);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t length = strlen(ids[i]);
        memcpy(plain + table, &at[i], 8);
        memcpy(plain + table + 8, &bytes[i], 8);
        memcpy(plain + table + 16, &length, 8);
        memcpy(plain + table + 24, ids[i], length);
        table += 24 + length;
    }
    toy_init(&t, 0x63f, 3);
    memcpy(plain + 4096, t.bytes, TOY_BYTES);
    size_t n = ZSTD_compress(out + 32, ZSTD_compressBound(plain_size), plain, plain_size, 1);
    assert_false(ZSTD_isError(n));
    free(plain);
    memcpy(out, "CCOB\3\0\1\0", 8);
    total = 32 + n;
    memcpy(out + 8, &total, 8);
    total = plain_size;
    memcpy(out + 16, &total, 8);
    memset(out + 24, 0, 8);
    *size = 32 + n;
    return out;
}

static uint8_t *bundle;
static size_t bundle_size;
static uint64_t load_peak; /* that the simulator may count */

static void load_bundle(void)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim = open_sim(0);
    struct gcnsim_module *module;
    struct gcnsim_memory m;

    must(gcnsim_load_memory(sim, &module, bundle, bundle_size, "bundle", NULL, &error), &error);
    gcnsim_get_memory(sim, &m);
    if (m.peak_bytes > load_peak)
        _exit(4);
    gcnsim_close(sim);
}

/* Entries that nobody wants are passed over, whatever they inflate to; an entry that is wanted is in memory once. */
static void compressed_bundles(void **state)
{
    struct gcnsim_code_source source;
    struct gcnsim_error error = {0};
    struct gcnsim_code *code = NULL;
    uint64_t lie = 200 * MIB;

    (void)state;
    bundle = make_bundle(256 * MIB, true, &bundle_size);
    load_peak = 264 * MIB; /* counted, but zeros are only read */
    in_child(load_bundle, 24 * MIB + (reading_costs() ? load_peak : 0));
    free(bundle);
    bundle = make_bundle(256 * MIB, false, &bundle_size);
    assert_true(bundle_size < 64 << 10);
    load_peak = 8 * MIB;
    in_child(load_bundle, 24 * MIB);
    gcnsim_code_source_init(&source);
    assert_int_equal(source.max_memory, GCNSIM_DEFAULT_MAX_MEMORY);
    source.bytes = bundle;
    source.size = bundle_size;
    source.max_memory = 128 << 10;
    int got = gcnsim_code_open(&code, &source, &error);
    expect_limit(got, &error, "memory: CCOB bundle: zstd's window is larger than the memory limit of 131072 bytes");
    source.max_memory = 4 * MIB;
    assert_int_equal(gcnsim_code_open(&code, &source, &error), GCNSIM_OK);
    gcnsim_code_close(code);
    /* the header may lie; nothing is allocated for it */
    memcpy(bundle + 16, &lie, 8);
    assert_int_equal(gcnsim_code_open(&code, &source, &error), GCNSIM_ERROR_FORMAT);
    assert_string_equal(error.text, "memory: CCOB bundle: over 209715200 bytes came out, the header says 209715200");
    lie = 300 * MIB;
    memcpy(bundle + 16, &lie, 8);
    assert_int_equal(gcnsim_code_open(&code, &source, &error), GCNSIM_ERROR_FORMAT);
    assert_string_equal(error.text, "memory: CCOB bundle: 268443648 bytes came out, the header says 314572800");
    free(bundle);
}

/* A request for memory of a file, at every stage. */
static void inspection(void **state)
{
    struct gcnsim_code_source source;
    struct gcnsim_error error = {0};
    struct gcnsim_code *code = NULL;
    uint64_t least = 0;

    (void)state;
    gcnsim_code_source_init(&source);
    source.path = "traces/samples/gfx90a/call.co";
    source.max_memory = 5000;
    int got = gcnsim_code_open(&code, &source, &error);
    expect_limit(got, &error,
                 "traces/samples/gfx90a/call.co: out of host memory for a file of 5456 bytes: 5456 bytes more pass "
                 "the memory limit of 5000 bytes, of which 0 are taken" TAIL);
    for (uint64_t limit = 5456; limit < MIB && !least; limit += 64) {
        source.max_memory = limit;
        got = gcnsim_code_open(&code, &source, &error);
        if (got == GCNSIM_OK) {
            least = limit;
            gcnsim_code_close(code);
        } else {
            assert_int_equal(got, GCNSIM_ERROR_LIMIT);
            assert_non_null(strstr(error.text, "traces/samples/gfx90a/call.co: "));
            assert_non_null(strstr(error.text, "more pass the memory limit of "));
        }
    }
    assert_in_range(least, 6000, 200000);
    source.bytes = "x";
    assert_int_equal(gcnsim_code_open(&code, &source, &error), GCNSIM_ERROR_USAGE);
    assert_string_equal(error.text, "code source: both path and bytes; expected one of path and bytes");
    source.struct_bytes = 8;
    assert_int_equal(gcnsim_code_open(&code, &source, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "struct_bytes is 8; "));
}

/* ---- launches ---- */

static int run_sample(struct gcnsim *sim, enum gcnsim_engine engine, uint32_t threads, bool check, char **json,
                      struct gcnsim_error *error)
{
    struct gcnsim_launch_file *file = NULL;
    struct gcnsim_module *module = NULL;
    struct gcnsim_result *result = NULL;
    struct gcnsim_args *args = NULL;
    struct gcnsim_dispatch d;
    uint32_t kernel = 0;

    int code = gcnsim_launch_file_open(&file, "traces/samples/gfx90a/call.json", error);
    assert_int_equal(code, GCNSIM_OK);
    code = gcnsim_load_file(sim, &module, file->file, NULL, error);
    if (!code)
        code = gcnsim_code_find_kernel(gcnsim_module_code(module), file->kernel, &kernel, error);
    if (!code)
        code = gcnsim_args_parse(module, kernel, file->args, file->arg_count, file->directory, &args, error);
    if (!code) {
        gcnsim_dispatch_init(&d);
        d.kernel = kernel;
        d.engine = engine;
        d.threads = threads;
        d.check = check;
        d.args = args;
        memcpy(d.grid_size, file->grid, sizeof d.grid_size);
        memcpy(d.workgroup_size, file->workgroup, sizeof d.workgroup_size);
        code = gcnsim_launch(module, &d, &result, error);
    }
    if (!code && result->outcome == GCNSIM_FAULTED && strstr(result->message, "pass the memory limit")) {
        snprintf(error->text, sizeof error->text, "%s", result->message);
        code = GCNSIM_ERROR_LIMIT;
    } else if (!code) {
        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        code = gcnsim_result_json(result, json, error);
        *strstr(*json, "\n  \"host\": {") = 0;
    }
    gcnsim_result_free(result);
    gcnsim_args_free(args);
    gcnsim_unload(module);
    gcnsim_launch_file_close(file);
    return code;
}

/* Whatever the limit: the same report, or an error that says so; and nothing stays behind. */
static void any_limit(void **state)
{
    static const struct {
        enum gcnsim_engine engine;
        uint32_t threads;
        bool check;
    } kinds[] = {
        {GCNSIM_ENGINE_TIMING, 1, false}, {GCNSIM_ENGINE_FUNCTIONAL, 4, false}, {GCNSIM_ENGINE_FUNCTIONAL, 1, true}};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct gcnsim_error error = {0};
        struct gcnsim *sim = open_sim(0);
        struct gcnsim_memory m;
        char *whole = NULL;
        unsigned refused = 0;

        if (run_sample(sim, kinds[k].engine, kinds[k].threads, kinds[k].check, &whole, &error))
            fail_msg("%s", error.text);
        /* a device lives on after its launches */
        assert_true((held(sim) > 0) == (kinds[k].engine == GCNSIM_ENGINE_TIMING));
        gcnsim_device_reset(sim);
        assert_int_equal(held(sim), 0);
        gcnsim_get_memory(sim, &m);
        gcnsim_close(sim);
        assert_in_range(m.peak_bytes, 64 << 10, GIB);
        for (unsigned part = 1; part <= 40; part++) {
            uint64_t limit = part <= 30 ? m.peak_bytes / 30 * part : UINT64_C(4096) << (part - 30);
            char *json = NULL;
            sim = open_sim(limit);
            int code = run_sample(sim, kinds[k].engine, kinds[k].threads, kinds[k].check, &json, &error);
            if (code == GCNSIM_OK) {
                assert_string_equal(json, whole);
            } else {
                refused++;
                if (code != GCNSIM_ERROR_LIMIT || !strstr(error.text, "pass the memory limit of "))
                    fail_msg("limit %llu: error %d: %s", (unsigned long long)limit, code, error.text);
            }
            gcnsim_device_reset(sim);
            assert_int_equal(held(sim), 0);
            gcnsim_close(sim);
            free(json);
        }
        assert_in_range(refused, 8, 40);
        free(whole);
    }
}

/* Decoded instructions take many times their bytes: they count as code is reached. */
static void decoded_instructions(void **state)
{
    enum { WORDS = 1 << 20 };
    uint32_t *code = malloc(WORDS * 4);
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_raw r;

    (void)state;
    for (size_t k = 0; k < WORDS; k++)
        code[k] = 0xbf800000; /* s_nop 0 */
    code[WORDS - 1] = 0xbf810000;
    for (unsigned engine = 0; engine < 2; engine++) {
        struct gcnsim *sim = open_sim(64 * MIB);
        gcnsim_raw_init(&r);
        r.engine = engine ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
        r.target = "gfx90a";
        r.entry = (uint64_t)(uintptr_t)code;
        r.code_size = WORDS * 4;
        r.wave_size = 64;
        if (!engine)
            gcnsim_set_max_memory(sim, 256 * MIB); /* caches */
        if (gcnsim_launch_raw(sim, &r, &result, &error)) {
            assert_int_equal(error.code,
                             GCNSIM_ERROR_LIMIT); /* the timing engine's facts about instructions came first */
            assert_int_equal(engine, 0);
        } else {
            assert_int_equal(result->outcome, GCNSIM_FAULTED);
            assert_string_equal(result->fault->kind, "other");
            assert_non_null(strstr(result->message, "decoded instructions pass the memory limit of "));
            assert_string_equal(result->fault->instruction, "s_nop 0");
            assert_int_equal(sim->budget.refused, 0); /* no later lack of the host's memory is taken for this */
            gcnsim_result_free(result);
        }
        assert_int_equal(held(sim), 0);
        gcnsim_set_max_memory(sim, 0);
        if (engine) {
            assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_OK);
            assert_int_equal(result->outcome, GCNSIM_COMPLETED);
            gcnsim_result_free(result);
        }
        gcnsim_close(sim);
    }
    free(code);
}

/* Runs with little memory end the same way with any number of threads: a thread that cannot be allocated is none. */
static void limits_and_threads(void **state)
{
    (void)state;
    for (unsigned check = 0; check < 2; check++) {
        struct gcnsim_error error = {0}, other = {0};
        uint64_t least = 0;

        for (uint64_t limit = 64 << 10; limit < (least ? 3 * least : 64 * MIB); limit += 20 << 10) {
            char *first = NULL;
            int code = 0;
            for (uint32_t threads = 1; threads <= 4; threads *= 2) {
                struct gcnsim *sim = open_sim(limit);
                char *json = NULL;
                int got =
                    run_sample(sim, GCNSIM_ENGINE_FUNCTIONAL, threads, check, &json, threads > 1 ? &other : &error);
                assert_int_equal(held(sim), 0);
                gcnsim_close(sim);
                if (threads == 1) {
                    first = json;
                    code = got;
                    least = got == GCNSIM_OK && !least ? limit : least;
                    continue;
                }
                if (got != code)
                    fail_msg("limit %llu: %u threads: code %d, not %d: %s", (unsigned long long)limit, threads, got,
                             code, other.text);
                assert_string_equal(got ? other.text : json, got ? error.text : first);
                free(json);
            }
            free(first);
        }
        assert_in_range(least, 128 << 10, 4 * MIB);
    }
}

/* The outcome of a raw launch of 16 workgroups. */
static void run_raw(const uint32_t *code, uint64_t words, uint64_t limit, uint32_t threads, char *text, size_t room)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim *sim = open_sim(limit);
    const uint32_t none = 0;
    struct gcnsim_raw r;

    gcnsim_raw_init(&r);
    r.engine = GCNSIM_ENGINE_FUNCTIONAL;
    r.target = "gfx90a";
    r.entry = (uint64_t)(uintptr_t)code;
    r.code_size = words * 4;
    r.wave_size = 64;
    r.workgroups[0] = 16;
    r.workgroup_size[0] = 64;
    r.compute_pgm_rsrc2 = 1 << 7; /* the workgroup's number, in s0 */
    r.user_sgprs = &none;
    r.threads = threads;
    if (gcnsim_launch_raw(sim, &r, &result, &error)) {
        snprintf(text, room, "%d: %s", error.code, error.text);
    } else {
        const struct gcnsim_fault *f = result->fault;
        snprintf(text, room, "outcome %d at %llu in %llu: %s", result->outcome, f ? (unsigned long long)f->pc : 0,
                 f ? (unsigned long long)f->workgroup[0] : 0, result->message);
        gcnsim_result_free(result);
    }
    assert_int_equal(held(sim), 0);
    gcnsim_close(sim);
}

/* The same where decoded code decides, of which later workgroups reach more than earlier ones. */
static void decoded_code_and_threads(void **state)
{
    enum { WORDS = 6 * 4096 };
    uint32_t *code = malloc(WORDS * 4);
    unsigned passed = 0, faults = 0, errors = 0;

    (void)state;
    for (size_t k = 0; k < WORDS; k++)
        code[k] = 0xbf800000; /* s_nop 0 */
    /* every 4096 instructions: s_cmp_lt_u32 s0, 2k; the workgroups below that end there */
    for (unsigned k = 1; k < 6; k++) {
        uint32_t *at = code + k * 4096 - 8;
        at[0] = 0xbf0a0000 | (0x80 + k * 2) << 8;
        at[1] = 0xbf850001; /* s_cbranch_scc1, over the next one */
        at[2] = 0xbf820001; /* s_branch, over the next one */
        at[3] = 0xbf810000; /* s_endpgm */
    }
    code[WORDS - 1] = 0xbf810000;
    for (uint64_t limit = 16 << 10; limit < 8 * MIB; limit += 176 << 10) {
        char first[1024], text[1024];
        run_raw(code, WORDS, limit, 1, first, sizeof first);
        passed += !strncmp(first, "outcome 0", 9);
        faults += strstr(first, "decoded instructions pass") != NULL;
        errors += strstr(first, "out of host memory for") != NULL;
        for (uint32_t threads = 2; threads <= 4; threads++) {
            run_raw(code, WORDS, limit, threads, text, sizeof text);
            if (strcmp(first, text))
                fail_msg("limit %llu: 1 thread: %s; %u threads: %s", (unsigned long long)limit, first, threads, text);
        }
    }
    free(code);
    if (passed < 3 || faults < 3 || !errors)
        fail_msg("%u passed, %u ended in a fault, %u in an error", passed, faults, errors);
}

/* Scratch of a launch, and registers of resident workgroups. */
static void scratch_and_registers(void **state)
{
    static const uint32_t end[] = {0xbf810000};
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim *sim = open_sim(MIB);
    struct gcnsim_raw r;

    (void)state;
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    r.entry = (uint64_t)(uintptr_t)end;
    r.code_size = sizeof end;
    r.wave_size = 64;
    r.workgroups[0] = 1000;
    r.workgroup_size[0] = 64;
    r.scratch_bytes_per_lane = 65536;
    int code = gcnsim_launch_raw(sim, &r, &result, &error);
    expect_limit(code, &error,
                 "raw: scratch of 4194304000 bytes: 4194304000 bytes more pass the memory limit of "
                 "1048576 bytes, of which 0 are taken" TAIL);
    r.scratch_bytes_per_lane = 0;
    r.workgroup_size[0] = 1024;
    r.compute_pgm_rsrc1 = 31; /* 256 registers */
    code = gcnsim_launch_raw(sim, &r, &result, &error);
    assert_int_equal(code, GCNSIM_ERROR_LIMIT);
    assert_ptr_equal(strstr(error.text, "out of host memory for the registers and LDS of 16 waves: "), error.text);
    assert_int_equal(held(sim), 0);
    gcnsim_close(sim);
}

/* What comes out of a pipe counts while it is read: no more than the limit allows is ever read of one without an end.
 */
static void pipes(void **state)
{
    static const char what[] =
        "run --quiet --engine functional --max-memory %s --grid 64 --workgroup 64 --kernel saxpy "
        "--arg f32:1 --arg in:/dev/stdin --arg buf:4000 --arg u32:1 "
        "traces/samples/gfx90a/saxpy.co";
    static const struct {
        const char *writer, *limit;
        int status;
        const char *says;
    } runs[] = {
        {"head -c 100000 /dev/zero", "2M", 0, ""},
        {"head -c 1900000 /dev/zero", "2M", 2, "argument 1: /dev/stdin: out of host memory for "},
        {"cat /dev/zero", "64M", 2, " bytes more pass the memory limit of 67108864 bytes, of which "},
    };
    const char *tool = getenv("GCNSIM");

    (void)state;
    NEED_PROC(); /* /dev/stdin */
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        char words[512], line[1024], said[4096];
        snprintf(words, sizeof words, what, runs[k].limit);
        snprintf(line, sizeof line, "%s 2>/dev/null | %s %s 2>&1", runs[k].writer, tool, words);
        FILE *f = popen(line, "r");
        assert_non_null(f);
        said[fread(said, 1, sizeof said - 1, f)] = 0;
        int status = pclose(f);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != runs[k].status || !strstr(said, runs[k].says))
            fail_msg("%s: status 0x%x: %s", line, status, said);
    }
}

/* The option of each command that opens a file. */
static void command_line(void **state)
{
    static const struct {
        const char *words;
        int status;
        const char *says;
    } runs[] = {
        {"run --quiet --max-memory 1G traces/samples/gfx90a/saxpy.json", 0, ""},
        {"run --quiet --max-memory 0x100000000000 traces/samples/gfx90a/saxpy.json", 0, ""},
        {"run --quiet --engine functional --max-memory 2M traces/samples/gfx90a/saxpy.json", 0, ""},
        {"run --engine functional --max-memory 64K traces/samples/gfx90a/saxpy.json", 2,
         "more pass the memory limit of 65536 bytes, of which "},
        {"run --max-memory 1G --grid 1 --workgroup 1 --kernel saxpy --arg f32:1 --arg buf:2000000000 --arg buf:4 --arg "
         "u32:1 traces/samples/gfx90a/saxpy.co",
         2,
         "argument 1: buffer arg 1 of 2000000000 bytes: 2000003072 bytes more pass the memory limit of "
         "1073741824 bytes, of which "},
        {"info --max-memory 5000 traces/samples/gfx90a/call.co", 2,
         "out of host memory for a file of 5456 bytes: 5456 bytes more pass the memory limit of 5000 bytes, of which 0 "
         "are "
         "taken; --max-memory (gcnsim_set_max_memory) raises it"},
        {"disasm --max-memory 5000 traces/samples/gfx90a/call.co", 2, "pass the memory limit of 5000 bytes"},
        {"info --max-memory 1M traces/samples/gfx90a/call.co", 0, ""},
        {"compare --arch gfx90a --workgroup 64 --kernel saxpy --max-memory 1M traces/samples/gfx90a/saxpy.co", 2,
         "pass the memory limit of 1048576 bytes"},
        {"compare --arch gfx90a --workgroup 64 --kernel saxpy --max-instructions 5 traces/samples/gfx90a/saxpy.co", 1,
         "saxpy: limit of 5 instructions reached"},
        {"run --max-memory 0 x.co", 2, "--max-memory: '0'; expected a whole number of bytes from 1 on, K, M, G or T "},
        {"run --max-memory 20000000T x.co", 2, "--max-memory: '20000000T'; expected a whole number of bytes"},
        {"run --max-memory 1X x.co", 2, "--max-memory: '1X'; expected"},
        {"info --max-memory K x.co", 2, "--max-memory: 'K'; expected"},
        {"disasm --max-memory -1 x.co", 2, "--max-memory: '-1'; expected"},
        {"compare --max-memory 1k x.co", 2, "--max-memory: '1k'; expected"},
    };
    const char *tool = getenv("GCNSIM");

    (void)state;
    assert_non_null(tool);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        char line[1024], said[4096];
        snprintf(line, sizeof line, "%s %s 2>&1 >/dev/null", tool, runs[k].words);
        FILE *f = popen(line, "r");
        assert_non_null(f);
        said[fread(said, 1, sizeof said - 1, f)] = 0;
        int status = pclose(f);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != runs[k].status || !strstr(said, runs[k].says))
            fail_msg("gcnsim %s: status 0x%x: %s", runs[k].words, status, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations),
        cmocka_unit_test(untouched_bss_costs_nothing),
        cmocka_unit_test(compressed_bundles),
        cmocka_unit_test(inspection),
        cmocka_unit_test(any_limit),
        cmocka_unit_test(decoded_instructions),
        cmocka_unit_test(limits_and_threads),
        cmocka_unit_test(decoded_code_and_threads),
        cmocka_unit_test(pipes),
        cmocka_unit_test(scratch_and_registers),
        cmocka_unit_test(command_line),
    };

    return cmocka_run_group_tests_name("memory limit", tests, NULL, NULL);
}
