/* Every built-in profile runs a kernel in the timing engine to its end, with the right sums and cycles that the
 * profile's own latencies bound. The kernel (traces/samples/scan.cl: LDS, barriers, a round trip to memory) is compiled
 * here by clang-19 for the profile's target, for each wave size it has; by clang 22 (tests/llvm22.sh) for targets that
 * clang-19 does not know.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/profile.h"
#include "sim/api/gcnsim.h"
#include "tests/support/folder.h"
#include "tests/support/result_stat.h"
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

enum { PATH_BYTES = 4096 + 64, GROUPS = 8, GROUP = 256, COUNT = GROUPS * GROUP, MAX_CASES = 64 };

static struct {
    struct profile_entry *list;
    struct profile *profile[MAX_CASES];
    bool wave64[MAX_CASES];
    char title[MAX_CASES][96];
    struct CMUnitTest tests[MAX_CASES];
    size_t count;
} env;

static struct gcnsim_error error;

#define OK(CALL)                                                                                                       \
    do {                                                                                                               \
        if (CALL)                                                                                                      \
            fail_msg("%s: %s", #CALL, error.text);                                                                     \
    } while (0)

static bool has_wave32(const struct profile *p)
{
    return p->cu.vgprs_per_simd_w32 != 0;
}

/* clang-19 does not know gfx950: gfx942's code, with the other machine in the ELF header, runs there as well. */
static void call_it_gfx950(const char *object)
{
    enum { E_FLAGS = 48, MACH_GFX950 = 0x4f };
    FILE *f = fopen(object, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, E_FLAGS, SEEK_SET), 0);
    assert_int_equal(fputc(MACH_GFX950, f), MACH_GFX950);
    assert_int_equal(fclose(f), 0);
}

/* gfx1250 has an encoding of its own, which clang-19 does not know. */
static bool needs_llvm22(const struct profile *p)
{
    return strncmp(p->target, "gfx125", 6) == 0;
}

/* gfx1250's waves have 32 lanes (LLVM 22 refuses -mwavefrontsize64). */
static bool has_wave64(const struct profile *p)
{
    return strncmp(p->target, "gfx125", 6) != 0;
}

/* Profiles of one target share the object. */
static void compile(const struct profile *p, bool wave64, char *object)
{
    char log[PATH_BYTES + 8], cpu[40], tmp[PATH_BYTES + 8];
    const char *argv[] = {"sh",
                          "tests/llvm22.sh",
                          "clang",
                          "-x",
                          "cl",
                          "-cl-std=CL2.0",
                          "-cl-no-stdinc",
                          "-target",
                          "amdgcn-amd-amdhsa",
                          "-nogpulib",
                          "-O2",
                          cpu,
                          "-o",
                          tmp,
                          "traces/samples/scan.cl",
                          has_wave32(p) && wave64 ? "-mwavefrontsize64" : NULL,
                          NULL};
    const char **from = argv;

    if (!needs_llvm22(p))
        *(from += 2) = "clang-19";
    snprintf(object, PATH_BYTES, "%s/%s.w%d.co", program_folder(), p->target, wave64 ? 64 : 32);
    if (access(object, R_OK) == 0)
        return;
    bool unknown = strcmp(p->target, "gfx950") == 0;
    snprintf(cpu, sizeof cpu, "-mcpu=%s", unknown ? "gfx942" : p->target);
    snprintf(tmp, sizeof tmp, "%s.tmp", object);
    snprintf(log, sizeof log, "%s.log", object);
    int status = spawn_tool(from, log);
    if (status != 0)
        fail_msg("%s %s: status %d, see %s", from == argv ? "clang 22" : "clang-19", cpu, status, log);
    if (unknown)
        call_it_gfx950(tmp);
    assert_int_equal(rename(tmp, object), 0);
}

static struct gcnsim_result *run(const struct profile *p, const char *object, enum gcnsim_engine engine, uint32_t *out)
{
    static uint32_t in[COUNT];
    uint64_t kernarg[3];
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r = NULL;

    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i * 2654435761u >> 7;
    OK(gcnsim_open(&sim, p->name, &error));
    OK(gcnsim_load_file(sim, &module, object, NULL, &error));
    OK(gcnsim_alloc(sim, sizeof in, "in", &kernarg[0], &error));
    OK(gcnsim_alloc(sim, sizeof in, "out", &kernarg[1], &error));
    OK(gcnsim_alloc(sim, GROUPS * 4, "totals", &kernarg[2], &error));
    OK(gcnsim_write(sim, kernarg[0], in, sizeof in, &error));
    gcnsim_dispatch_init(&d);
    OK(gcnsim_code_find_kernel(gcnsim_module_code(module), "scan", &d.kernel, &error));
    d.engine = engine;
    d.grid_size[0] = COUNT;
    d.workgroup_size[0] = GROUP;
    d.kernarg = kernarg;
    d.kernarg_size = sizeof kernarg;
    d.max_cycles = engine == GCNSIM_ENGINE_TIMING ? 1000000 : 0;
    OK(gcnsim_launch(module, &d, &r, &error));
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", p->name, r->fault ? r->fault->message : r->message);
    OK(gcnsim_read(sim, kernarg[1], out, sizeof in, &error));
    for (uint32_t g = 0, sum = 0; g < GROUPS; g++, sum = 0)
        for (uint32_t i = g * GROUP; i < (g + 1) * GROUP; i++) {
            sum += in[i];
            if (out[i] != sum)
                fail_msg("%s: sum %u is %u, expected %u", p->name, i, out[i], sum);
        }
    gcnsim_close(sim);
    return r;
}

static void check_cycles(const struct profile *p, const struct gcnsim_result *r)
{
    /* launch, arguments and data from memory, then eight rounds of a read, a store and a barrier; nothing is so slow
     * that it makes more than a few of that */
    uint64_t least = p->frontend.launch_latency_cycles + 2 * (uint64_t)p->dram.latency_cycles +
                     8 * (p->lds.latency_b32_cycles + p->frontend.barrier_release_cycles);
    uint64_t sum = 0, cycles = result_stat(r, "cycles");

    if (cycles < least || cycles > 8 * least)
        fail_msg("%s: %llu cycles, expected %llu to %llu", p->name, (unsigned long long)cycles,
                 (unsigned long long)least, (unsigned long long)least * 8);
    for (size_t k = 0; k < r->stat_count; k++)
        if (strcmp(r->stats[k].scope, "stall_cycles") == 0)
            sum += (uint64_t)r->stats[k].value;
    assert_int_equal(sum, result_stat(r, "resident_wave_cycles"));
    assert_true(result_stat(r, "dram.read_bytes") >= COUNT * 4);
    for (unsigned level = 0; level < LEVEL_COUNT; level++) {
        char name[40];
        double accesses = 0;

        snprintf(name, sizeof name, "cache.%s.accesses", cache_level_key[level]);
        assert_int_equal(gcnsim_result_stat(r, name, &accesses) == GCNSIM_OK, p->cache[level].present);
        assert_int_equal(accesses > 0, p->cache[level].present);
    }
}

static void test_profile(void **state)
{
    size_t n = (size_t)((const bool *)*state - env.wave64);
    const struct profile *p = env.profile[n];
    static uint32_t out[COUNT];
    char object[PATH_BYTES];
    struct gcnsim_result *timing, *functional;

    if (!needs_llvm22(p)) {
        NEED_CLANG();
    } else if (!has_llvm22()) {
        print_message("skipped: %s: LLVM 22 is not installed (sh tests/llvm22.sh --fetch)\n", p->name);
        skip();
    }
    compile(p, env.wave64[n], object);
    timing = run(p, object, GCNSIM_ENGINE_TIMING, out);
    functional = run(p, object, GCNSIM_ENGINE_FUNCTIONAL, out);
    assert_int_equal(result_stat(timing, "instructions.total"), result_stat(functional, "instructions.total"));
    assert_int_equal(result_stat(timing, "workgroups_done"), GROUPS);
    check_cycles(p, timing);
    gcnsim_result_free(timing);
    gcnsim_result_free(functional);
}

static void add(struct profile_entry *entry, bool wave64, struct profile *p)
{
    size_t n = env.count++;

    env.profile[n] = p;
    env.wave64[n] = wave64;
    snprintf(env.title[n], sizeof env.title[n], "%s wave%d", entry->name, wave64 ? 64 : 32);
    env.tests[n] =
        (struct CMUnitTest){.name = env.title[n], .test_func = test_profile, .initial_state = &env.wave64[n]};
}

int main(void)
{
    struct err e = {0};
    size_t chips;

    if (profile_list(&env.list, &chips, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    for (size_t i = 0; i < chips && env.count + 2 <= MAX_CASES; i++) {
        struct profile *p;
        if (profile_load(&p, env.list[i].name, &e)) {
            fprintf(stderr, "%s\n", e.text);
            return 1;
        }
        if (has_wave32(p))
            add(&env.list[i], false, p);
        if (has_wave64(p))
            add(&env.list[i], true, p);
    }
    int failed = _cmocka_run_group_tests("timing/profiles", env.tests, env.count, NULL, NULL);
    for (size_t i = 0; i < env.count; i++)
        if (i == 0 || env.profile[i] != env.profile[i - 1])
            profile_free(env.profile[i]);
    free(env.list);
    return failed;
}
