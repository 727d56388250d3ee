/* A bench for the timing engine: raw words on a synthetic profile against a memory of fixed latencies, with the cycle
 * of every issue recorded. Included by each test program; everything here is static. */
#ifndef GCNSIM_TESTS_TIMING_RIG_H
#define GCNSIM_TESTS_TIMING_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/timing/timing.h"
#include "sim/launch/state.h"
#include "tests/support/assemble.h"

#define RIG_BASE       UINT64_C(0x10000)
#define RIG_MAX_WORDS  256
#define RIG_MAX_EVENTS 4096
#define RIG_MAX_FLIGHT 4096

/* Encodings as llvm-mc-19 gives them. */
enum {
    /* the same on gfx90a and gfx1201 */
    S_NOP_0 = 0xbf800000,
    V_MOV_V7_S4 = 0x7e0e0204,
    V_READFIRSTLANE_S6_V0 = 0x7e0c0500,
    V_MOV_V8_0 = 0x7e100280,
    /* gfx90a */
    A_ADD_V6_V5_V2 = 0x020c0505,
    A_WAIT_LGKM0 = 0xbf8cc07f,
    A_WAIT_VM0 = 0xbf8c0f70,
    A_WAIT_VM1 = 0xbf8c0f71,
    A_BRANCH_1 = 0xbf820001,
    A_CBRANCH_SCC1_1 = 0xbf850001,
    A_END = 0xbf810000,
    /* gfx1201 */
    R_ADD_V0_V1_V2 = 0x06000501,
    R_BARRIER_SIGNAL = 0xbe804ec1,
    R_BARRIER_WAIT = 0xbf94ffff,
    R_END = 0xbfb00000,
};
#define A_DS_READ_B32_V14_V8 0xd86c0000, 0x0e000008
#define A_GLOBAL_LOAD_V15    0xdc508000, 0x0f000008
#define A_GLOBAL_STORE_V1    0xdc708000, 0x00000108
#define A_S_LOAD_S8          0xc0020200, 0x00000000
#define R_S_LOAD_S8          0xf4000200, 0xf8000000

struct rig_event {
    gaddr_t pc;
    uint64_t group;
    uint32_t wave, simd;
    cycle_t at;
};

struct rig_flight {
    cycle_t at;
    uint64_t token;
    uint32_t cu;
    enum mem_port_kind port;
};

struct rig {
    struct profile profile;
    struct isa_target *target;
    struct isa_program *program;
    struct mem_space space;
    gaddr_t data; /* 64 KiB of memory; its address is in s[0:1] */
    struct launch_state state;
    struct launch launch;
    struct engine_options options;
    uint32_t code[RIG_MAX_WORDS];
    struct engine_result result;
    struct err err;
    int status;

    struct rig_event event[RIG_MAX_EVENTS];
    unsigned events;

    /* the mock memory: each access takes its port's latency, the n-th access of late_port `late` more */
    uint32_t latency[MEM_PORTS];
    struct rig_flight flight[RIG_MAX_FLIGHT];
    unsigned flights, accesses[MEM_PORTS], prefetched, late_access;
    gaddr_t last[MEM_PORTS]; /* address of the last access */
    uint32_t late;
    enum mem_port_kind late_port;
    cycle_t now;
};

static bool rig_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    (void)cu, (void)port, (void)addr;
    return ((struct rig *)ctx)->flights < RIG_MAX_FLIGHT;
}

static void rig_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct rig *r = ctx;
    cycle_t at = now + r->latency[port];

    if (port == r->late_port && r->accesses[port] == r->late_access)
        at += r->late;
    r->accesses[port]++;
    r->last[port] = req->addr;
    if (port == MEM_PORT_INST && req->token == MEM_TOKEN_NONE)
        r->prefetched++;
    if (req->token == MEM_TOKEN_NONE)
        return;
    r->flight[r->flights++] = (struct rig_flight){at, req->token, cu, port};
}

static cycle_t rig_next(void *ctx)
{
    const struct rig *r = ctx;
    cycle_t next = CYCLE_NEVER;

    for (unsigned k = 0; k < r->flights; k++)
        next = r->flight[k].at < next ? r->flight[k].at : next;
    return next;
}

static cycle_t rig_tick(void *ctx, cycle_t now)
{
    ((struct rig *)ctx)->now = now;
    return rig_next(ctx);
}

static bool rig_pop(void *ctx, uint32_t *cu, enum mem_port_kind *port, uint64_t *token)
{
    struct rig *r = ctx;

    for (unsigned k = 0; k < r->flights; k++)
        if (r->flight[k].at <= r->now) {
            *cu = r->flight[k].cu;
            *port = r->flight[k].port;
            *token = r->flight[k].token;
            memmove(&r->flight[k], &r->flight[k + 1], (--r->flights - k) * sizeof r->flight[0]);
            return true;
        }
    return false;
}

static void rig_issues(void *ctx, const struct event *e, size_t count)
{
    struct rig *r = ctx;
    const struct profile *p = &r->profile;

    for (const struct event *end = e + count; e < end; e++) {
        assert_true(r->events < RIG_MAX_EVENTS);
        /* SIMDs of a WGP are numbered through */
        r->event[r->events++] =
            (struct rig_event){e->pc, e->group, e->wave, e->cu % p->gpu.cus_per_wgp * p->cu.simds + e->simd, e->at};
    }
}

/* Runs against a memory, with the cycles of issues recorded. */
static inline int rig_run_on(struct rig *r, const struct timing_memory *m)
{
    struct event_consumer issues = {.kinds = EVENT_BIT(EVENT_ISSUE), .ctx = r, .take = rig_issues};
    struct engine_options o = r->options;

    issues.next = o.consumers;
    o.consumers = &issues;
    return timing_run(&r->launch, &o, m, &r->result, &r->err);
}

static void rig_caches(struct profile *p)
{
    static const uint8_t levels[] = {LEVEL_VL0, LEVEL_K, LEVEL_I, LEVEL_L2};

    for (unsigned k = 0; k < sizeof levels; k++)
        p->cache[levels[k]] = (struct profile_cache){.present = true,
                                                     .size_bytes = 16384,
                                                     .line_bytes = 64,
                                                     .ways = 4,
                                                     .hit_latency_cycles = levels[k] == LEVEL_L2 ? 200 : 100,
                                                     .tag_lookups_per_cycle = 1,
                                                     .bytes_per_cycle = 64,
                                                     .mshrs = 16,
                                                     .queue_entries = 16,
                                                     .pass_entries = levels[k] == LEVEL_VL0 ? 16 + 200 : 16,
                                                     .channels = 1,
                                                     .channel_interleave_bytes = 64,
                                                     .shared_by_cus = levels[k] == LEVEL_L2 ? 0 : 1};
    p->cache[LEVEL_L2].write_policy = PROFILE_WRITE_BACK;
    p->cache[LEVEL_L2].write_allocate = true;
    p->dram = (struct profile_dram){.latency_cycles = 500, .bytes_per_cycle = 64, .channels = 1, .queue_entries = 502};
}

/* One CU with 4 SIMDs of 16 lanes, GCN's way; or one WGP of 2 x 2 SIMDs of 32, RDNA's way. Round numbers, not any
 * chip's. */
static void rig_profile(struct profile *p, bool rdna)
{
    memset(p, 0, sizeof *p);
    strcpy(p->name, "rig");
    p->gpu = (struct profile_chip){.shader_engines = 1,
                                   .cus = rdna ? 2 : 1,
                                   .xcds = 1,
                                   .cus_per_wgp = rdna ? 2 : 1,
                                   .shader_clock_mhz = 1000,
                                   .realtime_clock_mhz = 100};
    p->cu = (struct profile_cu){.simds = rdna ? 2 : 4,
                                .simd_lanes = rdna ? 32 : 16,
                                .wave_slots_per_simd = 8,
                                .issue_policy = rdna ? ISSUE_EVERY_CYCLE : ISSUE_ROUND_ROBIN,
                                .vgprs_per_simd_w32 = 1024,
                                .vgprs_per_simd_w64 = 512,
                                .vgpr_granule_w32 = 8,
                                .vgpr_granule_w64 = 8,
                                .vgpr_unified = true,
                                .sgpr_granule = 16,
                                .lds_bytes = 65536,
                                .lds_granule_bytes = 512,
                                .lds_max_per_workgroup_bytes = 65536,
                                .lds_banks = 32,
                                .lds_bytes_per_cycle = 64,
                                .lds_lanes_per_cycle = 16,
                                .simds_per_lds_port = 2,
                                .vmem_queue_depth = 1,
                                .vmem_compare_passes = 2,
                                .max_multiwave_workgroups = 16,
                                .max_workgroup_items = 1024};
    p->issue = (struct profile_issue){.vmem_per_cycle = 1,
                                      .salu_per_cycle = 1,
                                      .salu_smem_shared = !rdna,
                                      .lds_per_cycle = 1,
                                      .wave_issue_interval_cycles = rdna ? 1 : 4,
                                      .dependent_valu_blocks_issue = rdna};
    for (unsigned k = 0; k < OPC_COUNT; k++)
        p->cls[k] = (struct profile_class_cost){
            .issue_cycles_w32 = 1, .issue_cycles_w64 = rdna ? 2 : 4, .latency_cycles = rdna ? 5 : 4};
    p->cls[OPC_TRANS] = (struct profile_class_cost){
        .issue_cycles_w32 = 4, .issue_cycles_w64 = rdna ? 8 : 16, .latency_cycles = rdna ? 10 : 16};
    p->cls[OPC_SALU] =
        (struct profile_class_cost){.issue_cycles_w32 = 1, .issue_cycles_w64 = 1, .latency_cycles = rdna ? 2 : 4};
    p->frontend = (struct profile_frontend){.fetch_bytes_per_cycle = 32,
                                            .fetch_latency_cycles = 8,
                                            .buffer_bytes = 128,
                                            .branch_taken_cycles = 20,
                                            .branch_not_taken_cycles = rdna ? 3 : 4,
                                            .barrier_release_cycles = 16,
                                            .sleep_unit_cycles = 64,
                                            .workgroup_interval_cycles = 1,
                                            .wave_launch_interval_cycles = 4,
                                            .launch_latency_cycles = 40,
                                            .valu_to_salu_cycles = 17,
                                            .salu_to_valu_cycles = rdna ? 6 : 4,
                                            .valu_to_mem_cycles = rdna ? 17 : 4,
                                            .endpgm_cycles = 2,
                                            .completion_to_issue_cycles = rdna ? 1 : 6};
    p->lds = (struct profile_lds){.latency_b32_cycles = 32,
                                  .latency_b64_cycles = 44,
                                  .latency_b128_cycles = 48,
                                  .store_latency_cycles = 39,
                                  .store_latency_b64_cycles = 48,
                                  .store_latency_b128_cycles = 60,
                                  .atomic_latency_cycles = 48,
                                  .permute_latency_cycles = 32,
                                  .inbound_bytes_per_cycle = 64,
                                  .result_b96_bytes = rdna ? 12 : 16,
                                  .sends_whole_rows = rdna,
                                  .read_b32_lanes = 32,
                                  .read_b64_lanes = 16,
                                  .read_b96_lanes = 8,
                                  .read_b128_lanes = 8,
                                  .store_b32_lanes = 32,
                                  .store_b64_lanes = 16,
                                  .store_b96_lanes = 8,
                                  .store_b128_lanes = 8,
                                  .wide_read_order = rdna ? PROFILE_LDS_CONSECUTIVE : PROFILE_LDS_INTERLEAVED};
    rig_caches(p);
}

/* Ready to be run: one workgroup of `waves` full waves; the caller changes what it wants before rig_run(). */
static struct rig *rig_new(const char *target, const uint32_t *code, size_t words, uint32_t lanes, uint32_t waves)
{
    struct rig *r = calloc(1, sizeof *r);

    assert_non_null(r);
    assert_true(words <= RIG_MAX_WORDS);
    rig_profile(&r->profile, !strncmp(target, "gfx1", 4));
    assert_int_equal(isa_target_open(&r->target, target, NULL, &r->err), 0);
    memcpy(r->code, code, words * sizeof code[0]);
    assert_int_equal(isa_program_open(&r->program, r->target, RIG_BASE, (const uint8_t *)r->code, words * 4, &r->err),
                     0);
    mem_space_init(&r->space);
    assert_int_equal(mem_space_alloc(&r->space, 65536, 4096, MEM_READ | MEM_WRITE, "data", &r->data, &r->err), 0);
    r->options.threads_at_once = true;
    r->state.entry = RIG_BASE;
    r->state.mode_reg = 0xf0; /* denormals kept, as compilers set it */
    r->state.user_sgpr_count = 2;
    r->state.user_sgprs[0] = (uint32_t)r->data;
    r->state.user_sgprs[1] = (uint32_t)(r->data >> 32);
    r->state.ids_in_ttmps = isa_has(r->target, FEAT_ARCH_SGPRS);
    r->launch = (struct launch){.target = r->target,
                                .program = r->program,
                                .profile = &r->profile,
                                .space = &r->space,
                                .state = &r->state,
                                .lanes = lanes,
                                .waves_per_group = waves,
                                .nvgprs = 16,
                                .nsgprs = 32,
                                .lds_bytes = 4096,
                                .scratch_slots = UINT32_MAX};
    r->launch.occupancy.vgpr_alloc = 16;
    r->launch.occupancy.lds_alloc_bytes = 4096;
    r->launch.workgroup_size[0] = lanes * waves;
    r->launch.workgroup_size[1] = r->launch.workgroup_size[2] = 1;
    r->late_port = MEM_PORT_VECTOR;
    r->latency[MEM_PORT_VECTOR] = 100;
    r->latency[MEM_PORT_SCALAR] = 50;
    r->latency[MEM_PORT_INST] = 8;
    r->late_access = UINT32_MAX;
    return r;
}
#define RIG_NEW(TARGET, CODE, LANES, WAVES) rig_new(TARGET, CODE, sizeof(CODE) / sizeof((CODE)[0]), LANES, WAVES)

/* The same of assembly text. */
static inline struct rig *rig_text(const char *target, const char *text, uint32_t lanes, uint32_t waves)
{
    struct assembled a = assemble(target, text);

    return rig_new(target, a.word, a.words, lanes, waves);
}

static void rig_groups(struct rig *r, uint32_t groups)
{
    r->launch.workgroups[0] = groups;
    r->launch.workgroups[1] = r->launch.workgroups[2] = 1;
    r->launch.workgroup_count = groups;
    r->launch.wave_count = (uint64_t)groups * r->launch.waves_per_group;
    r->state.grid[0] = groups * r->launch.workgroup_size[0];
    r->state.grid[1] = r->state.grid[2] = 1;
}

/* Runs, and checks what holds for every run: the reasons account for every resident wave-cycle. */
static inline void rig_run(struct rig *r)
{
    struct timing_memory m = {.plug = {.ctx = r, .can_accept = rig_can_accept, .accept = rig_accept},
                              .ctx = r,
                              .tick = rig_tick,
                              .next = rig_next,
                              .pop = rig_pop};
    uint64_t sum = 0;

    if (!r->launch.workgroup_count)
        rig_groups(r, 1);
    r->events = r->flights = 0;
    memset(r->accesses, 0, sizeof r->accesses);
    r->status = rig_run_on(r, &m);
    if (r->status)
        return;
    for (unsigned k = 0; k < STALL_COUNT; k++)
        sum += r->result.stat[STAT_STALL + k];
    assert_int_equal(sum, r->result.stat[STAT_RESIDENT_WAVE_CYCLES]);
}

/* Two runs have come to the same end, with the same statistics. */
static inline void rig_same(const struct engine_result *a, const struct engine_result *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_string_equal(a->message, b->message);
    for (unsigned k = 0; k < STATS; k++)
        if (a->stat[k] != b->stat[k] || a->present[k] != b->present[k])
            fail_msg("%s: %llu and %llu", stat_row[k].name, (unsigned long long)a->stat[k],
                     (unsigned long long)b->stat[k]);
}

static void rig_free(struct rig *r)
{
    isa_program_close(r->program);
    isa_target_close(r->target);
    mem_space_destroy(&r->space);
    free(r);
}

/* The cycle in which wave `wave` issued the instruction at word `word` of the code for the n-th time (from 0). */
static inline cycle_t rig_issue_of(const struct rig *r, uint32_t wave, unsigned word, unsigned n)
{
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].wave == wave && r->event[k].pc == RIG_BASE + 4 * word && !n--)
            return r->event[k].at;
    return CYCLE_NEVER;
}

static inline cycle_t rig_at(const struct rig *r, unsigned word)
{
    return rig_issue_of(r, 0, word, 0);
}

static inline uint64_t rig_stall(const struct rig *r, const char *key)
{
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (!strcmp(timing_stall_key[k], key))
            return r->result.stat[STAT_STALL + k];
    fail_msg("no stall reason %s", key);
    return 0;
}

#endif
