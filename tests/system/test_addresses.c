/* Simulated addresses never come from the host's allocator: reports are the same, byte for byte, whatever the layout of
 * the host's memory, for raw launches with scratch of gcnsim's own and for ordinary ones, in both engines. */
#define _GNU_SOURCE
#include <malloc.h>
#include <sys/mman.h>

#include "sim/api/gcnsim.h"
#include "tests/system/cli_run.h"

/* The report without its "host" object, the one part about machine and hour. */
static void cut_host(char *json)
{
    char *from = strstr(json, "\n  \"host\": {"), *to = from ? strstr(from, "\n  }") : NULL;

    if (!to)
        fail_msg("no host object in a report of %zu bytes", strlen(json));
    memmove(from, to + 4, strlen(to + 4) + 1);
}

/* ---- raw launches ---- */

/* Stores and loads both dwords of a wave's scratch, then stores to out in s[0:1]; s4 is the wave offset (llvm-mc 19) */
static const uint32_t scratch_gfx90a[] = {
    0x80660402, 0x82678003, 0xbe860080, 0xdc704004, 0x00060000, 0xbf8c0f70, 0xdc504004,
    0x01060000, 0x24040082, 0xbf8c0f70, 0xdc708000, 0x00000102, 0xbf810000,
};

static uint32_t out[256];

static char *raw_report(enum gcnsim_engine engine, bool ranges, uint32_t threads)
{
    const uint32_t sgprs[4] = {(uint32_t)(uintptr_t)out, (uint32_t)((uint64_t)(uintptr_t)out >> 32)};
    const struct gcnsim_range range = {(uint64_t)(uintptr_t)out, sizeof out, 1, "out"};
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim *sim = NULL;
    struct gcnsim_raw r;
    char *json = NULL;

    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    r.engine = engine;
    r.entry = (uint64_t)(uintptr_t)scratch_gfx90a;
    r.code_size = sizeof scratch_gfx90a;
    r.wave_size = 64;
    r.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 1 | 4 << 1; /* scratch, four user SGPRs, no ids */
    r.workgroups[0] = 64;
    r.workgroup_size[0] = 256;
    r.scratch_bytes_per_lane = 16;
    r.user_sgprs = sgprs;
    r.user_sgpr_count = 4;
    r.ranges = &range;
    r.range_count = ranges;
    r.threads = threads;
    if (gcnsim_open(&sim, "gfx90a", &error) || gcnsim_launch_raw(sim, &r, &result, &error) ||
        gcnsim_result_json(result, &json, &error))
        fail_msg("%s", error.text);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s", result->message);
    for (uint32_t i = 0; i < 256; i++)
        assert_int_equal(out[i], i);
    gcnsim_result_free(result);
    gcnsim_close(sim);
    cut_host(json);
    return json;
}

/* Allocations of many sizes, some freed again, and other ways of malloc: what is allocated next is elsewhere. */
struct disturbance {
    void *block[40];
    void *map[8];
    size_t map_bytes[8];
};

static void disturb(struct disturbance *d, uint32_t seed)
{
    static const int thresholds[] = {128 << 10, 4 << 10, 32 << 20, 64 << 10};

    mallopt(M_MMAP_THRESHOLD, thresholds[seed % 4]);
    mallopt(M_TOP_PAD, (int)(seed % 3) * 12345);
    mallopt(M_PERTURB, (int)(seed % 256));
    for (size_t i = 0; i < 40; i++) {
        seed = seed * 1664525 + 1013904223;
        d->block[i] = malloc((seed >> 8) % (i % 5 ? 3000 : 300000) + 1);
    }
    for (size_t i = 0; i < 40; i += 3) {
        free(d->block[i]);
        d->block[i] = NULL;
    }
    for (size_t i = 0; i < 8; i++) {
        seed = seed * 1664525 + 1013904223;
        d->map_bytes[i] = ((seed >> 8) % 4000 + 1) * 4096;
        d->map[i] = mmap(NULL, d->map_bytes[i], PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        assert_true(d->map[i] != MAP_FAILED);
    }
    munmap(d->map[3], d->map_bytes[3]); /* a hole */
    d->map[3] = NULL;
}

static void calm(struct disturbance *d)
{
    for (size_t i = 0; i < 40; i++)
        free(d->block[i]);
    for (size_t i = 0; i < 8; i++)
        if (d->map[i])
            munmap(d->map[i], d->map_bytes[i]);
}

static void raw_whatever_the_heap(void **state)
{
    struct disturbance d;

    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        enum gcnsim_engine engine = kind & 1 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        char *first = raw_report(engine, kind & 2, 1);
        for (uint32_t run = 1; run <= 10; run++) {
            disturb(&d, run);
            char *again = raw_report(engine, kind & 2, 1);
            if (strcmp(first, again) != 0) {
                size_t at = 0;
                while (first[at] == again[at])
                    at++;
                at = at < 60 ? 0 : at - 60;
                fail_msg("kind %u, run %u:\n%.120s\n----\n%.120s", kind, run, first + at, again + at);
            }
            free(again);
            calm(&d);
        }
        free(first);
    }
}

/* Scratch of gcnsim's own and a list that holds all addresses, an aperture at the place it would take, and a range of
 * the caller's there. */
static void scratch_takes_another_place(void **state)
{
    const struct gcnsim_range lists[][2] = {
        {{0x1000, UINT64_MAX - 0x2000, 1, "all"}},
        {{(uint64_t)(uintptr_t)out, sizeof out, 1, "out"}, {UINT64_C(0x800000000000), 0x10000000, 0, "there"}},
    };
    const uint32_t sgprs[4] = {(uint32_t)(uintptr_t)out, (uint32_t)((uint64_t)(uintptr_t)out >> 32)};
    struct gcnsim_error error = {0};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct gcnsim_result *result = NULL;
        struct gcnsim *sim = NULL;
        struct gcnsim_raw r;

        memset(out, 0, sizeof out);
        gcnsim_raw_init(&r);
        r.target = "gfx90a";
        r.entry = (uint64_t)(uintptr_t)scratch_gfx90a;
        r.code_size = sizeof scratch_gfx90a;
        r.wave_size = 64;
        r.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
        r.compute_pgm_rsrc2 = 1 | 4 << 1;
        r.workgroup_size[0] = 64;
        r.scratch_bytes_per_lane = 16;
        r.user_sgprs = sgprs;
        r.user_sgpr_count = 4;
        r.ranges = lists[i % 2];
        r.range_count = 1 + i % 2;
        r.private_aperture = i / 2 ? UINT64_C(0x800000000000) : 0;
        if (gcnsim_open(&sim, NULL, &error) || gcnsim_launch_raw(sim, &r, &result, &error))
            fail_msg("%s", error.text);
        if (result->outcome != GCNSIM_COMPLETED)
            fail_msg("%u: %s", i, result->message);
        for (uint32_t k = 0; k < 64; k++)
            assert_int_equal(out[k], k);
        gcnsim_result_free(result);
        gcnsim_close(sim);
    }
}

/* ---- ordinary launches: processes with other layouts of memory ---- */

static void in_any_environment(void **state)
{
    static const struct {
        const char *name, *value;
    } vary[] = {{"MALLOC_PERTURB_", "165"},
                {"MALLOC_MMAP_THRESHOLD_", "4096"},
                {"MALLOC_ARENA_MAX", "1"},
                {"MALLOC_TOP_PAD_", "1234567"},
                {"GCNSIM_TEST_PADDING", NULL}};
    static const char *const engines[] = {"timing", "functional"};
    static const char *const samples[] = {"gfx90a/call.json", "gfx1201/scan.json"}; /* the first uses scratch */
    static char padding[60001];

    (void)state;
    memset(padding, 'x', sizeof padding - 1);
    for (unsigned k = 0; k < 4; k++) {
        char path[80], *first = NULL;
        snprintf(path, sizeof path, "traces/samples/%s", samples[k / 2]);
        for (size_t i = 0; i <= sizeof vary / sizeof vary[0]; i++) {
            if (i)
                setenv(vary[i - 1].name, vary[i - 1].value ? vary[i - 1].value : padding, 1);
            struct said s = RUN("run", "--engine", engines[k % 2], "--threads", k % 2 ? "1" : "2", "--json", "-", path);
            expect_status(&s, 0);
            cut_host(s.out);
            if (!first)
                first = strdup(s.out);
            if (strcmp(first, s.out) != 0)
                fail_msg("%s on the %s engine: another report with %s", path, engines[k % 2],
                         i ? vary[i - 1].name : "nothing");
            said_free(&s);
            if (i)
                unsetenv(vary[i - 1].name);
        }
        free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_whatever_the_heap),
        cmocka_unit_test(scratch_takes_another_place),
        cmocka_unit_test(in_any_environment),
    };

    return cmocka_run_group_tests_name("addresses of the host", tests, cli_setup, cli_teardown);
}
