/* Global wave sync and cooperative launches, on both engines: barriers of a whole grid, semaphores as locks and gates,
 * what ends in a deadlock, and launches that there is no room for. */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

/* All kernels: s[0:1] points to {counter, out, value}; resource 3 (M0) + 2 (offset). One lane a wave.
 * barrier: four times: counter++, meet, read the counter, meet; out[workgroup] = what was read last
 * init:    the resource's counter = value
 * lock:    P, counter = counter + 1 without an atomic, V */
static const char barrier_gfx803[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_mov_b32 s10, 4; "
    "loop: v_mov_b32 v4, s4; v_mov_b32 v5, s5; flat_atomic_add v[4:5], v1; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_barrier v2 offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); v_mov_b32 v4, s4; v_mov_b32 v5, s5; "
    "flat_load_dword v3, v[4:5] glc; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_barrier v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_sub_u32 s10, s10, 1; s_cmp_lg_u32 s10, 0; s_cbranch_scc1 loop; "
    "v_mov_b32 v4, s8; v_mov_b32 v5, s9; flat_store_dword v[4:5], v3; s_endpgm";
static const char barrier_gfx90a[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_mov_b32 s10, 4; "
    "loop: global_atomic_add v0, v1, s[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_barrier v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] glc; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_barrier v2 offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_sub_u32 s10, s10, 1; s_cmp_lg_u32 s10, 0; "
    "s_cbranch_scc1 loop; global_store_dword v0, v3, s[8:9]; s_endpgm";
static const char barrier_gfx942[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_mov_b32 s10, 4; "
    "loop: global_atomic_add v0, v1, s[4:5] sc1; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_barrier v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] sc0 sc1; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_barrier v2 offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_sub_u32 s10, s10, 1; s_cmp_lg_u32 s10, 0; "
    "s_cbranch_scc1 loop; global_store_dword v0, v3, s[8:9] sc0 sc1; s_endpgm";
static const char barrier_gfx1030[] =
    "s_load_dwordx2 s[4:5], s[0:1], null; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_mov_b32 s10, 4; "
    "loop: global_atomic_add v0, v1, s[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_barrier v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] glc dlc; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_barrier v2 offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_sub_u32 s10, s10, 1; s_cmp_lg_u32 s10, 0; "
    "s_cbranch_scc1 loop; global_store_dword v0, v3, s[8:9]; s_endpgm";
static const char init_gfx803[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_init v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char init_gfx90a[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_init v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char init_gfx942[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_init v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char init_gfx1030[] =
    "s_load_dwordx2 s[4:5], s[0:1], null; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_init v2 offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char lock_gfx803[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_sema_p offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); v_mov_b32 v4, s4; v_mov_b32 v5, s5; flat_load_dword v3, v[4:5] glc; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); v_add_u32 v3, vcc, 1, v3; v_mov_b32 v4, s4; v_mov_b32 v5, s5; "
    "flat_store_dword v[4:5], v3; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_sema_v offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char lock_gfx90a[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_sema_p offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] glc; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "v_add_u32 v3, 1, v3; global_store_dword v0, v3, s[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_sema_v offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char lock_gfx942[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_sema_p offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] sc0 sc1; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "v_add_u32 v3, 1, v3; global_store_dword v0, v3, s[4:5] sc0 sc1; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_sema_v offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
static const char lock_gfx1030[] =
    "s_load_dwordx2 s[4:5], s[0:1], null; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; ds_gws_sema_p offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v3, v0, s[4:5] glc dlc; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "v_add_nc_u32 v3, 1, v3; global_store_dword v0, v3, s[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "ds_gws_sema_v offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_endpgm";
/* workgroup 0 gives `value` permits at once, the others take one each; all count themselves */
static const char gate_gfx90a[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_cmp_eq_u32 s2, 0; s_cbranch_scc1 open; "
    "ds_gws_sema_p offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); s_branch end; "
    "open: ds_gws_sema_br v2 offset:2 gds; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "end: global_atomic_add v0, v1, s[4:5]; s_endpgm";
/* workgroup 0 lets all go that wait when `value` of them have counted themselves, after a while; they do so again */
static const char all_gfx90a[] =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0; s_load_dwordx2 s[8:9], s[0:1], 0x8; s_load_dword s6, s[0:1], 0x10; "
    "s_mov_b32 m0, 0x30000; v_mov_b32 v0, 0; v_mov_b32 v1, 1; s_waitcnt lgkmcnt(0); s_lshl_b32 s7, s2, 2; "
    "s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; v_mov_b32 v2, s6; s_cmp_eq_u32 s2, 0; s_cbranch_scc1 open; "
    "global_atomic_add v0, v1, s[4:5]; s_waitcnt vmcnt(0) lgkmcnt(0); ds_gws_sema_p offset:2 gds; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); global_atomic_add v0, v1, s[4:5]; s_endpgm; "
    "open: global_load_dword v3, v0, s[4:5] glc; s_waitcnt vmcnt(0) lgkmcnt(0); v_cmp_ne_u32 vcc, v2, v3; "
    "s_cbranch_vccnz open; s_sleep 0x7f; ds_gws_sema_release_all offset:2 gds; s_endpgm";

static const struct target {
    const char *name;
    const char *barrier, *init, *lock;
} targets[] = {
    {"gfx803", barrier_gfx803, init_gfx803, lock_gfx803},
    {"gfx90a", barrier_gfx90a, init_gfx90a, lock_gfx90a},
    {"gfx942", barrier_gfx942, init_gfx942, lock_gfx942},
    {"gfx1030", barrier_gfx1030, init_gfx1030, lock_gfx1030},
};
#define TARGETS (sizeof targets / sizeof targets[0])

#define MOST_GROUPS 64
static struct {
    uint32_t *counter, *out;
    uint32_t value;
} args;
static uint32_t counter, out[MOST_GROUPS];

struct setting {
    enum gcnsim_engine engine;
    uint32_t threads;
    int every_cycle;
};
static const struct setting settings[] = {{GCNSIM_ENGINE_FUNCTIONAL, 1, 0},
                                          {GCNSIM_ENGINE_FUNCTIONAL, 3, 0},
                                          {GCNSIM_ENGINE_TIMING, 1, 0},
                                          {GCNSIM_ENGINE_TIMING, 1, 1},
                                          {GCNSIM_ENGINE_TIMING, 2, 0}};
#define SETTINGS (sizeof settings / sizeof settings[0])

static struct gcnsim *open_simulator(const char *profile)
{
    struct gcnsim_error error;
    struct gcnsim *sim;

    if (gcnsim_open(&sim, profile, &error))
        fail_msg("%s", error.text);
    api_threads_at_once(sim);
    return sim;
}

static void set_up(struct gcnsim_raw *r, const char *target, const char *kernel, uint32_t groups, uint32_t value,
                   const struct setting *s)
{
    struct assembled code = assemble(target, kernel);

    gcnsim_raw_init(r);
    r->target = target;
    r->entry = r->code_base = (uint64_t)(uintptr_t)code.word;
    r->code_size = code.words * sizeof(uint32_t);
    r->wave_size = 64;
    r->compute_pgm_rsrc1 = 1u | 3u << 6 | 0xf0u << 12;
    r->compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r->compute_pgm_rsrc3 = target[3] == '9' ? 1 : 0; /* AccVGPRs from v8 on */
    r->workgroups[0] = groups;
    r->kernarg_address = (uint64_t)(uintptr_t)&args;
    r->engine = s->engine;
    r->threads = s->threads;
    r->tick_every_cycle = s->every_cycle;
    args.counter = &counter;
    args.out = out;
    args.value = value;
}

static struct gcnsim_result *run(struct gcnsim *sim, const char *target, const char *kernel, uint32_t groups,
                                 uint32_t value, const struct setting *s)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;

    set_up(&r, target, kernel, groups, value, s);
    r.cooperative = 1;
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s: %s", target, error.text);
    return result;
}

static double completes(struct gcnsim *sim, const char *target, const char *kernel, uint32_t groups, uint32_t value,
                        const struct setting *s)
{
    struct gcnsim_result *result = run(sim, target, kernel, groups, value, s);
    double cycles = 0;

    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", target, result->message);
    if (s->engine == GCNSIM_ENGINE_TIMING)
        cycles = result_stat(result, "cycles");
    gcnsim_result_free(result);
    return cycles;
}

/* As runtimes do it: one kernel initialises the resource, the next one meets there. */
static void barriers_of_a_grid(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        double cycles = 0;
        for (unsigned s = 0; s < SETTINGS; s++)
            for (uint32_t groups = 1; groups <= MOST_GROUPS; groups = groups * 3 + 1) {
                const struct target *of = &targets[t];
                struct gcnsim *sim = open_simulator(of->name);
                completes(sim, of->name, of->init, 1, groups - 1, &settings[s]);
                counter = 0;
                memset(out, 0, sizeof out);
                double took = completes(sim, of->name, of->barrier, groups, groups - 1, &settings[s]);
                assert_int_equal(counter, 4 * groups);
                for (uint32_t i = 0; i < groups; i++)
                    assert_int_equal(out[i], 4 * groups);
                /* neither threads nor the jumps of the clock change the time */
                if (groups == 40 && s >= 2)
                    assert_true(cycles == 0 || took == cycles);
                if (groups == 40)
                    cycles = took;
                gcnsim_close(sim);
            }
    }
}

static void locks(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned s = 0; s < SETTINGS; s++) {
            const struct target *of = &targets[t];
            struct gcnsim *sim = open_simulator(of->name);
            completes(sim, of->name, of->init, 1, 1, &settings[s]);
            counter = 0;
            completes(sim, of->name, of->lock, 40, 0, &settings[s]);
            assert_int_equal(counter, 40);
            gcnsim_close(sim);
        }
}

static void gates(void **state)
{

    (void)state;
    for (unsigned s = 0; s < SETTINGS; s++) {
        struct gcnsim *sim = open_simulator("gfx90a");
        completes(sim, "gfx90a", init_gfx90a, 1, 0, &settings[s]);
        counter = 0;
        completes(sim, "gfx90a", gate_gfx90a, 20, 19, &settings[s]);
        assert_int_equal(counter, 20);
        /* one thread takes a wave from its count to where it waits, and on the chip the time is enough */
        counter = 0;
        if (settings[s].engine == GCNSIM_ENGINE_TIMING || settings[s].threads == 1) {
            completes(sim, "gfx90a", all_gfx90a, 20, 19, &settings[s]);
            assert_int_equal(counter, 38);
        }
        gcnsim_close(sim);
    }
}

/* One more is waited for than comes; also when some wait for permits that nobody gives. */
static void deadlocks(void **state)
{

    (void)state;
    for (unsigned s = 0; s < SETTINGS; s++)
        for (int locked = 0; locked < 2; locked++) {
            struct gcnsim *sim = open_simulator("gfx90a");
            completes(sim, "gfx90a", init_gfx90a, 1, locked ? 0 : 10, &settings[s]);
            struct gcnsim_result *result =
                run(sim, "gfx90a", locked ? lock_gfx90a : barrier_gfx90a, 10, 10, &settings[s]);
            assert_int_equal(result->outcome, GCNSIM_FAULTED);
            assert_string_equal(result->fault->kind, "deadlock");
            assert_non_null(strstr(result->fault->instruction, locked ? "ds_gws_sema_p" : "ds_gws_barrier"));
            gcnsim_result_free(result);
            /* those that waited are gone */
            completes(sim, "gfx90a", init_gfx90a, 1, 9, &settings[s]);
            counter = 0;
            completes(sim, "gfx90a", barrier_gfx90a, 10, 9, &settings[s]);
            assert_int_equal(counter, 40);
            gcnsim_close(sim);
        }
}

/* A worker whose host thread has not come by the time that the first worker is through never comes; the others do not
 * wait for it. Where all threads share a processor, some come late. */
static void deadlocks_without_late_threads(void **state)
{
    enum { ROUNDS = 25 };
    cpu_set_t all, one;

    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (unsigned n = 0; n < ROUNDS; n++)
        deadlocks(state);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void no_room(void **state)
{
    struct gcnsim *sim = open_simulator("gfx90a");
    struct gcnsim_error error;
    struct gcnsim_result *result;
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", barrier_gfx90a, 100000, 0, &settings[2]);
    r.cooperative = 1;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cooperative launch of 100000 workgroups; "));
    r.workgroups[0] = 20000000;
    r.engine = GCNSIM_ENGINE_FUNCTIONAL;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cooperative launch of 20000000 workgroups; "));
    gcnsim_close(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_of_a_grid),
        cmocka_unit_test(locks),
        cmocka_unit_test(gates),
        cmocka_unit_test(deadlocks),
        cmocka_unit_test(deadlocks_without_late_threads),
        cmocka_unit_test(no_room),
    };

    return cmocka_run_group_tests_name("global wave sync", tests, NULL, NULL);
}
