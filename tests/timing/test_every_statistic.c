/* Every row of the statistics table is counted: the samples and a few small pieces of code make each one non-zero, and
 * each stall reason is charged. A new row fails here until something that this program runs makes it count. Code words
 * are of llvm-mc 19. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "sim/engine/stats.h"
#include "sim/util/bits.h"
#include "tests/support/assemble.h"

static double most[STATS]; /* the largest value that a run has had */

static void note(const struct gcnsim_result *r)
{
    assert_int_equal(r->stat_count, STATS);
    for (unsigned k = 0; k < STATS; k++) {
        /* dies are numbered from 0 */
        double value = r->stats[k].value + (strcmp(r->stats[k].unit, "die") == 0);

        if (r->stats[k].present && value > most[k])
            most[k] = value;
    }
}

/* ---- pieces of code ---- */

/* gfx90a */
static const char sleeps[] = "s_sleep 4; s_nop 15; s_endpgm";
/* 16 scalar loads are one more than lgkmcnt can count */
static const char many_loads[] =
    ".rept 17; s_load_dword s4, s[0:1], 0x0; .endr; s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0); s_endpgm";
static const char matrices[] =
    "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]; "
    "v_mfma_f32_32x32x8f16 a[16:31], v[0:1], v[2:3], a[16:31]; v_accvgpr_read_b32 v4, a0; s_endpgm";
static const char branches[] = "s_mov_b32 s3, 30; "
                               "loop: s_sub_u32 s3, s3, 1; s_cmp_lg_u32 s3, 0; s_cbranch_scc1 loop; s_endpgm";
/* a line of 128 bytes for each work-item */
static const char spread_stores[] =
    "s_lshl_b32 s2, s2, 6; v_add_u32 v1, s2, v0; v_lshlrev_b32 v2, 7, v1; global_store_dword v2, v1, s[0:1]; "
    "s_endpgm";
/* 64 lines for each load, which is more than the queues of the memory path take */
static const char spread_loads[] = "v_lshlrev_b32 v2, 7, v0; .rept 12; global_load_dword v3, v2, s[0:1]; .endr; "
                                   "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0); s_endpgm";
/* gfx1100 */
static const char waits_for_stores[] = "global_store_b32 v0, v1, s[0:1]; s_waitcnt_vscnt null, 0x0; s_endpgm";
/* gfx1201 */
static const char prefetches[] = "s_prefetch_data s[0:1], 0x0, null, 0; s_sleep 64; s_endpgm";
/* the waves of a SIMD signal together, more of them than signals may be in flight */
static const char barriers[] = "s_barrier_signal -1; s_barrier_wait 0xffff; s_endpgm";
/* gfx942: all dies read a dword, then add to it */
static const char shared_atomics[] =
    "s_mov_b32 s3, 8; v_mov_b32 v1, 0; "
    "loop: global_load_dword v2, v1, s[0:1] sc0; s_waitcnt vmcnt(0); global_atomic_add v1, v2, s[0:1]; "
    "s_waitcnt vmcnt(0); s_sub_u32 s3, s3, 1; s_cmp_lg_u32 s3, 0; s_cbranch_scc1 loop; s_endpgm";

/* gfx1201: operations on the types that samples do not have */
static const char vector_types[] =
    "v_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9]; v_dot2_f32_bf16 v2, v3, v4, v5; v_dot4_f32_fp8_fp8 v2, v3, v4, v5; "
    "v_dot4_i32_iu8 v2, v3, v4, v5; v_dot8_i32_iu4 v2, v3, v4, v5; "
    "v_wmma_f32_16x16x16_bf16 v[8:15], v[16:19], v[20:23], v[8:15]; "
    "v_wmma_i32_16x16x16_iu8 v[8:15], v[16:17], v[20:21], v[8:15]; "
    "v_wmma_i32_16x16x16_iu4 v[8:15], v16, v20, v[8:15]; s_endpgm";
/* gfx942 */
static const char matrix_types[] =
    "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]; v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]; "
    "v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]; "
    "v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[0:1], v[2:3], a[0:3]; s_endpgm";

/* gfx90a */
static const char buffers_and_flat[] =
    "s_mov_b32 s4, s0; s_mov_b32 s5, s1; s_movk_i32 s6, 0x1000; s_mov_b32 s7, 0x27000; v_lshlrev_b32 v1, 2, v0; "
    "v_mov_b32 v4, s0; v_mov_b32 v5, s1; buffer_load_dword v2, v1, s[4:7], 0 offen; flat_load_dword v6, v[4:5]; "
    "s_waitcnt vmcnt(0) lgkmcnt(0); buffer_store_dword v2, v1, s[4:7], 0 offen; "
    "buffer_atomic_add v2, v1, s[4:7], 0 offen; flat_store_dword v[4:5], v6; flat_atomic_add v[4:5], v2; "
    "ds_bpermute_b32 v8, v1, v2; s_waitcnt vmcnt(0) lgkmcnt(0); buffer_wbinvl1; s_waitcnt vmcnt(0); s_endpgm";
static const char sync_resource[] =
    "v_mov_b32 v0, 0; s_mov_b32 m0, 0; ds_gws_init v0 gds; s_waitcnt lgkmcnt(0); s_endpgm";
/* gfx1100 */
static const char messages[] = "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_endpgm";

struct piece {
    const char *target, *set; /* set: of the profile; null: none */
    const char *text;
    uint32_t wave_size, groups, waves_per_group;
    const char *counts[4]; /* what it is there for */
};
static const struct piece pieces[] = {
    {"gfx90a", NULL, sleeps, 64, 1, 1, {"stall_cycles.sleep", "stall_cycles.nop"}},
    {"gfx90a", NULL, many_loads, 64, 1, 1, {"stall_cycles.counter_full"}},
    {"gfx90a",
     NULL,
     matrices,
     64,
     1,
     1,
     {"stall_cycles.unit_busy_matrix", "stall_cycles.dependency_matrix", "instructions.mfma"}},
    /* one wave: it meets its own branch before when that takes longer than the loop */
    {"gfx90a", "class.branch.issue_cycles_w64=100", branches, 64, 1, 1, {"stall_cycles.unit_busy_branch"}},
    {"gfx90a", NULL, spread_loads, 64, 1, 8, {"stall_cycles.memory_queue_full"}},
    {"gfx90a",
     "cache.l2.size_bytes=65536",
     spread_stores,
     64,
     32,
     1,
     {"cache.l2.evictions", "cache.l2.writebacks", "dram.write_bytes"}},
    {"gfx1100", NULL, waits_for_stores, 32, 1, 1, {"stall_cycles.wait_vscnt"}},
    {"gfx1201", NULL, prefetches, 32, 1, 1, {"cache.k.prefetches"}},
    {"gfx1201", NULL, barriers, 32, 1, 16, {"stall_cycles.unit_busy_barrier"}},
    {"gfx942",
     NULL,
     shared_atomics,
     64,
     16,
     1,
     {"cache.l2.upgrades", "cache.l2.downgrades", "cache.l2.dirty_downgrades"}},
    {"gfx1201", NULL, vector_types, 32, 1, 1, {"work.valu.f64", "work.valu.bf16", "work.valu.f8", "work.valu.i8"}},
    {"gfx1201", NULL, vector_types, 32, 1, 1, {"work.valu.i4", "work.matrix.bf16", "work.matrix.i8"}},
    {"gfx90a",
     NULL,
     buffers_and_flat,
     64,
     1,
     1,
     {"kinds.buffer_atomics", "kinds.flat_atomics", "kinds.cache_control", "kinds.lds_permutes"}},
    {"gfx90a", NULL, sync_resource, 64, 1, 1, {"kinds.gds"}},
    {"gfx1100", NULL, messages, 32, 1, 1, {"kinds.messages"}},
    {"gfx942", NULL, matrix_types, 64, 1, 1, {"work.matrix.f64", "work.matrix.xf32", "work.matrix.f8"}},
};

/* The last wave lacks work-items. */
static const struct {
    struct piece piece;
    uint32_t missing;
} partial[] = {
    {{"gfx90a", NULL, sleeps, 64, 1, 2, {"launched.waves_of_64", "launched.waves_of_48_to_63"}}, 1},
    {{"gfx90a", NULL, sleeps, 64, 1, 2, {"launched.waves_of_64", "launched.waves_of_32_to_47"}}, 17},
    {{"gfx90a", NULL, sleeps, 64, 1, 2, {"launched.waves_of_64", "launched.waves_of_16_to_31"}}, 48},
    {{"gfx90a", NULL, sleeps, 64, 1, 2, {"launched.waves_of_64", "launched.waves_of_1_to_15"}}, 49},
};

/* missing: work-items of the last wave of a group that are not there. */
static void run_piece(const struct piece *p, uint32_t missing)
{
    struct assembled code = assemble(p->target, p->text);
    static uint32_t data[32 * 64 * 32] __attribute__((aligned(4096)));
    /* where a piece lies in the lines of the instruction cache is the same in all builds */
    static uint32_t aligned[1024] __attribute__((aligned(4096)));
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_raw raw;
    struct gcnsim *sim = NULL;

    assert_true(code.words * 4 <= sizeof aligned);
    memcpy(aligned, code.word, code.words * 4);
    gcnsim_raw_init(&raw);
    raw.target = p->target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)aligned;
    raw.code_size = code.words * 4;
    raw.wave_size = p->wave_size;
    raw.workgroups[0] = p->groups;
    raw.workgroup_size[0] = p->wave_size * p->waves_per_group - missing;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12; /* 128 VGPRs of wave64, 32 SGPRs, denormals kept */
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;           /* two user SGPRs, workgroup id x */
    raw.compute_pgm_rsrc3 = !strcmp(p->target, "gfx90a") || !strcmp(p->target, "gfx942") ? 3 : 0; /* AGPRs from v16 */
    raw.kernarg_address = (uint64_t)(uintptr_t)data;
    if (gcnsim_open(&sim, p->target, &error) || (p->set && gcnsim_set_all(sim, &p->set, 1, &error)) ||
        gcnsim_launch_raw(sim, &raw, &result, &error))
        fail_msg("%s: %s", p->counts[0], error.text);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", p->counts[0], result->message);
    for (unsigned k = 0; k < 4 && p->counts[k]; k++) {
        double value = 0;
        if (gcnsim_result_stat(result, p->counts[k], &value) != GCNSIM_OK || value <= 0) {
            char *text;
            gcnsim_result_text(result, &text, NULL);
            fail_msg("%s on %s: %s is %g\n%s", p->target, p->counts[0], p->counts[k], value, text);
        }
    }
    note(result);
    gcnsim_result_free(result);
    gcnsim_close(sim);
}

static void pieces_count_what_they_are_for(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++)
        run_piece(&pieces[k], 0);
    for (size_t k = 0; k < sizeof partial / sizeof partial[0]; k++)
        run_piece(&partial[k].piece, partial[k].missing);
}

/* ---- samples ---- */

/* launches: one after the other on one device. */
static void run_sample(const char *path, unsigned launches)
{
    struct gcnsim_error error = {0};
    struct gcnsim_launch_file *f;
    struct gcnsim_module *module = NULL;
    struct gcnsim_args *args = NULL;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r;
    struct gcnsim *sim = NULL;

    gcnsim_dispatch_init(&d);
    if (gcnsim_launch_file_open(&f, path, &error) || gcnsim_open(&sim, f->arch, &error) ||
        gcnsim_load_file(sim, &module, f->file, NULL, &error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), f->kernel, &d.kernel, &error) ||
        gcnsim_args_parse(module, d.kernel, f->args, f->arg_count, f->directory, &args, &error))
        fail_msg("%s: %s", path, error.text);
    memcpy(d.grid_size, f->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, f->workgroup, sizeof d.workgroup_size);
    d.dynamic_group_segment_size = f->dynamic_lds_bytes;
    d.args = args;
    while (launches--) {
        if (gcnsim_launch(module, &d, &r, &error))
            fail_msg("%s: %s", path, error.text);
        assert_int_equal(r->outcome, GCNSIM_COMPLETED);
        note(r);
        gcnsim_result_free(r);
    }
    gcnsim_args_free(args);
    gcnsim_close(sim);
    gcnsim_launch_file_close(f);
}

static void samples_run(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1201"};
    unsigned ran = 0;

    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        char folder[64], path[384];
        snprintf(folder, sizeof folder, "traces/samples/%s", targets[t]);
        DIR *d = opendir(folder);
        assert_non_null(d);
        for (struct dirent *e; (e = readdir(d));)
            if (strlen(e->d_name) > 5 && !strcmp(e->d_name + strlen(e->d_name) - 5, ".json")) {
                snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
                run_sample(path, strcmp(e->d_name, "vecadd.json") ? 1 : 2);
                ran++;
            }
        closedir(d);
    }
    assert_true(ran > 30);
}

/* ---- the table ---- */

/* Nothing that gcnsim executes raises these counters: exports, image samples and ray traversal are not modelled. */
static const unsigned never_charged[] = {WAIT_EXP, WAIT_SAMPLE, WAIT_BVH, WAIT_ASYNC, WAIT_TENSOR};

static void every_row_has_counted(void **state)
{
    unsigned missing = 0;

    (void)state;
    for (unsigned k = 0; k < STATS; k++) {
        bool counted = most[k] > 0, never = false;

        if (k >= STAT_CACHES && k < stat_of_cache(LEVEL_COUNT, 0)) {
            /* no level does everything: a row must count at one of them, and accesses at all */
            unsigned row = (k - STAT_CACHES) % STAT_CACHE_ROWS;
            for (unsigned level = 0; level < LEVEL_COUNT && row != STAT_CACHE_ACCESSES; level++)
                counted = counted || most[stat_of_cache((enum cache_level)level, (enum stat_cache)row)] > 0;
        }
        for (unsigned n = 0; n < sizeof never_charged / sizeof never_charged[0]; n++)
            never = never || k == STAT_STALL + STALL_WAIT + never_charged[n];
        never = never || k == STAT_DISPATCH_GAP; /* in feeds alone: tests/unit/hsa/test_report.c */
        if (never && counted)
            fail_msg("%s is charged: take it off the list of those that never are", stat_row[k].name);
        if (!counted && !never) {
            print_error("%s: nothing that ran here counts it\n", stat_row[k].name);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_count_what_they_are_for), cmocka_unit_test(samples_run),
                                       cmocka_unit_test(every_row_has_counted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
