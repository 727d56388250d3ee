/* Cache control and prefetch as the engine issues them: which levels, which counter, when. The mock answers control
 * after a latency of its own and notes what it was asked; the real hierarchy is in tests/unit/mem/test_hierarchy.c. */
#include "tests/timing/rig.h"

#define FIRST   40
#define L(X)    (1u << LEVEL_##X)
#define ANSWERS 300

struct asked {
    enum mem_port_kind port;
    uint32_t invalidate, write_back;
    uint64_t token;
    cycle_t at;
};

static struct asked asked[8];
static unsigned asked_count;

static bool mock_control(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                         uint64_t token, cycle_t now)
{
    struct rig *r = ctx;

    assert_true(asked_count < 8);
    asked[asked_count++] = (struct asked){port, invalidate, write_back, token, now};
    if (token != MEM_TOKEN_NONE)
        r->flight[r->flights++] = (struct rig_flight){now + ANSWERS, token, cu, port};
    return true;
}

static struct mem_req seen[64];
static enum mem_port_kind seen_port[64];
static unsigned seen_count;

static void watching_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    if (seen_count < 64) {
        seen_port[seen_count] = port;
        seen[seen_count++] = *req;
    }
    if (req->token != MEM_TOKEN_NONE)
        rig_accept(ctx, cu, port, req, now);
}

static void run_with_control(struct rig *r)
{
    struct timing_memory m = {
        .plug = {.ctx = r, .can_accept = rig_can_accept, .accept = watching_accept, .control = mock_control},
        .ctx = r,
        .tick = rig_tick,
        .next = rig_next,
        .pop = rig_pop};

    rig_groups(r, 1);
    r->events = r->flights = 0;
    asked_count = seen_count = 0;
    r->status = rig_run_on(r, &m);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
}

/* One instruction, a wait for its counter, the end. */
static void levels_and_counters(void **state)
{
    static const struct {
        const char *target;
        const char *text, *wait;
        enum mem_port_kind port;
        uint32_t invalidate, write_back;
        const char *reason;
    } v[] = {
        {"gfx803", "buffer_wbinvl1_vol", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, L(VL0), 0, "wait_vmcnt"},
        {"gfx90a", "buffer_wbinvl1_vol", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, L(VL0), 0, "wait_vmcnt"},
        /* s_dcache_wb: nothing is ever dirty there */
        {"gfx803", "s_dcache_wb", "s_waitcnt lgkmcnt(0)", MEM_PORT_SCALAR, 0, L(K), "wait_lgkmcnt"},
        {"gfx90a", "s_dcache_inv", "s_waitcnt lgkmcnt(0)", MEM_PORT_SCALAR, L(K), 0, "wait_lgkmcnt"},
        {"gfx90a", "buffer_wbl2", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, 0, L(L2), "wait_vmcnt"},
        {"gfx942", "buffer_wbl2 sc1", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, 0, L(L2), "wait_vmcnt"},
        {"gfx942", "buffer_wbl2 sc0 sc1", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, 0, L(L2), "wait_vmcnt"},
        {"gfx942", "buffer_inv sc1", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, L(VL0), 0, "wait_vmcnt"},
        {"gfx942", "buffer_inv sc0", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, 0, 0, "wait_vmcnt"},
        {"gfx1030", "buffer_gl0_inv", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, L(VL0), 0, "wait_vmcnt"},
        {"gfx1030", "buffer_gl1_inv", "s_waitcnt vmcnt(0)", MEM_PORT_VECTOR, L(GL1), 0, "wait_vmcnt"},
        {"gfx1030", "s_gl1_inv", "s_waitcnt lgkmcnt(0)", MEM_PORT_SCALAR, L(GL1), 0, "wait_lgkmcnt"},
        {"gfx1201", "global_inv scope:SCOPE_SE", "s_wait_loadcnt 0x0", MEM_PORT_VECTOR, L(VL0), 0, "wait_loadcnt"},
        {"gfx1201", "global_inv scope:SCOPE_DEV", "s_wait_loadcnt 0x0", MEM_PORT_VECTOR, L(VL0) | L(GL1), 0,
         "wait_loadcnt"},
        {"gfx1201", "global_wb scope:SCOPE_SYS", "s_wait_storecnt 0x0", MEM_PORT_VECTOR, 0, L(L2), "wait_storecnt"},
        {"gfx1201", "global_wb scope:SCOPE_DEV", "s_wait_storecnt 0x0", MEM_PORT_VECTOR, 0, 0, "wait_storecnt"},
        {"gfx1201", "global_wbinv scope:SCOPE_SYS", "s_wait_storecnt 0x0", MEM_PORT_VECTOR, L(VL0) | L(GL1), L(L2),
         "wait_storecnt"},
        {"gfx1201", "s_dcache_inv", "s_wait_kmcnt 0x0", MEM_PORT_SCALAR, L(K), 0, "wait_kmcnt"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        bool rdna = !strncmp(v[k].target, "gfx1", 4);
        unsigned wait = (unsigned)assemble(v[k].target, v[k].text).words;
        char text[200];
        struct rig *r;

        snprintf(text, sizeof text, "%s; %s; s_endpgm", v[k].text, v[k].wait);
        r = rig_text(v[k].target, text, rdna ? 32 : 64, 1);
        run_with_control(r);
        assert_int_equal(rig_at(r, 0), FIRST);
        assert_int_equal(asked_count, 1);
        assert_int_equal(asked[0].port, v[k].port);
        assert_int_equal(asked[0].invalidate, v[k].invalidate);
        assert_int_equal(asked[0].write_back, v[k].write_back);
        assert_int_equal(asked[0].at, FIRST);
        /* the wait ends with the answer, not before */
        assert_int_equal(rig_at(r, wait), FIRST + ANSWERS);
        assert_true(rig_stall(r, v[k].reason) >= ANSWERS - 4);
        rig_free(r);
    }
}

/* s_icache_inv is internal: no counter, nobody waits. */
static void instruction_cache(void **state)
{
    static const char code[] = "s_icache_inv; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    run_with_control(r);
    assert_int_equal(asked_count, 1);
    assert_int_equal(asked[0].port, MEM_PORT_INST);
    assert_int_equal(asked[0].invalidate, L(I));
    assert_true(asked[0].token == MEM_TOKEN_NONE);
    assert_int_equal(asked[0].at, FIRST);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    rig_free(r);
}

/* After the loads of its wave in the queue to the cache. */
static void control_stays_behind_loads(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 6, v0; global_load_dword v15, v8, s[0:1]; buffer_wbinvl1_vol; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    run_with_control(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 3), FIRST + 8);
    assert_int_equal(asked_count, 1);
    assert_int_equal(asked[0].at, FIRST + 4 + 64); /* 64 lines go first */
    rig_free(r);
}

/* s_prefetch_data of four blocks: eight lines of 64 bytes, posted; no counter, the next instruction goes on. */
static void prefetch_of_data(void **state)
{
    static const char code[] = "s_prefetch_data s[0:1], 0x0, null, 3; s_nop 0; s_sleep 1; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);
    unsigned n = 0;

    (void)state;
    r->state.mode_reg |= MODE_SCALAR_PREFETCH_EN;
    run_with_control(r);
    for (unsigned k = 0; k < seen_count; k++)
        if (seen_port[k] == MEM_PORT_SCALAR) {
            assert_true(seen[k].token == MEM_TOKEN_NONE);
            assert_int_equal(seen[k].op, MEM_SCALAR);
            assert_int_equal(seen[k].bytes, 64);
            assert_true(seen[k].addr == (r->data & -(gaddr_t)128) + 64 * n);
            n++;
        }
    assert_int_equal(n, 2 * ((0xf404c0c0 >> 6 & 31) + 1));
    assert_int_equal(rig_at(r, 2), FIRST + 1);
    /* switched off: nothing */
    r->state.mode_reg &= ~(uint32_t)MODE_SCALAR_PREFETCH_EN;
    run_with_control(r);
    for (unsigned k = 0; k < seen_count; k++)
        assert_int_not_equal(seen_port[k], MEM_PORT_SCALAR);
    rig_free(r);
}

/* s_prefetch_inst of two blocks goes to the instruction cache. */
static void prefetch_of_instructions(void **state)
{
    static const char code[] = "s_prefetch_inst s[0:1], 0x0, null, 1; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);
    unsigned n = 0;

    (void)state;
    r->state.mode_reg |= MODE_SCALAR_PREFETCH_EN;
    run_with_control(r);
    for (unsigned k = 0; k < seen_count; k++)
        if (seen[k].token == MEM_TOKEN_NONE) {
            assert_int_equal(seen_port[k], MEM_PORT_INST);
            assert_int_equal(seen[k].op, MEM_FETCH);
            assert_true(seen[k].addr == (r->data & -(gaddr_t)128) + 64 * n);
            n++;
        }
    assert_int_equal(n, 4);
    /* switched off, as launches leave it: nothing */
    r->state.mode_reg &= ~(uint32_t)MODE_SCALAR_PREFETCH_EN;
    run_with_control(r);
    for (unsigned k = 0; k < seen_count; k++)
        assert_true(seen[k].token != MEM_TOKEN_NONE);
    rig_free(r);
}

static uint64_t vmcnt_cycles(const uint32_t *code, size_t words, uint64_t *hits)
{
    struct rig *r = rig_new("gfx90a", code, words, 64, 1);
    uint64_t cycles;

    rig_groups(r, 1);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    cycles = rig_stall(r, "wait_vmcnt");
    *hits = r->result.stat[stat_of_cache(LEVEL_VL0, STAT_CACHE_HITS)];
    rig_free(r);
    return cycles;
}

/* On the hierarchy: a line loaded again hits; with an invalidation between it comes from L2, 100 cycles later. The
 * invalidation takes as long as a hit: the way to vL1D and back. */
static void invalidation_makes_loads_miss(void **state)
{
    static const char two[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; "
        "s_waitcnt vmcnt(0); s_endpgm";
    static const char three[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; "
        "s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    static const char inv[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); buffer_wbinvl1_vol; "
        "s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    uint64_t hits[3], with_two = vmcnt_cycles(WORDS("gfx90a", two), &hits[0]);
    uint64_t with_three = vmcnt_cycles(WORDS("gfx90a", three), &hits[1]);
    uint64_t with_inv = vmcnt_cycles(WORDS("gfx90a", inv), &hits[2]);

    (void)state;
    assert_int_equal(hits[0], 1);
    assert_int_equal(hits[1], 2);
    assert_int_equal(hits[2], 0);
    assert_int_equal(with_inv, with_three + 100);
    assert_true(with_two < with_three);
}

/* On the hierarchy: what was prefetched is found, sub-dword loads too; both show in the numbers. */
static void prefetched_lines_hit(void **state)
{
    static const char with[] =
        "s_prefetch_data s[0:1], 0x0, null, 3; s_sleep 32; s_load_b32 s8, s[0:1], 0x0; s_wait_kmcnt 0x0; "
        "s_load_u8 s8, s[0:1], 0x1; s_wait_kmcnt 0x0; s_endpgm";
    struct rig *r = rig_text("gfx1201", with, 32, 1);

    (void)state;
    r->state.mode_reg |= MODE_SCALAR_PREFETCH_EN;
    rig_groups(r, 1);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_PREFETCHES)], 8);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_MISSES)], 8);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_HITS)], 2);
    assert_true(rig_stall(r, "wait_kmcnt") < 200); /* L2 is 200 away */
    rig_free(r);
}

/* Two loads back to back issue 4 cycles apart whatever their width, but the second's line is sent when the address unit
 * has taken the first. Dwords 16 lanes a cycle, so the 4 cycles of the class; of 8 and 16 bytes 4 lanes a cycle, so 16;
 * with 8 lanes, 8; half of the lanes, half of that. All lanes are on one line, which comes back a fixed time later. */
static void wide_lanes_take_the_address_unit_longer(void **state)
{
    static const struct {
        uint32_t load, lanes; /* first word of the load; per cycle */
        bool half;            /* lanes 0 to 31 alone */
        cycle_t gap;
    } v[] = {
        {0xdc508000, 4, false, 4},  /* global_load_dword v15, v8, s[0:1] */
        {0xdc548000, 4, false, 16}, /* dwordx2 v[12:13] */
        {0xdc5c8000, 4, false, 16}, /* dwordx4 v[12:15] */
        {0xdc548000, 8, false, 8},  {0xdc548000, 0, false, 4}, {0xdc548000, 4, true, 8},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        uint32_t code[] = {v[k].half ? 0xbeff0080 /* s_mov_b32 exec_hi, 0 */ : S_NOP_0,
                           V_MOV_V8_0,
                           v[k].load,
                           0x0c000008,
                           v[k].load,
                           0x0c000008,
                           A_WAIT_VM1,
                           A_WAIT_VM0,
                           A_END};
        struct rig *r;

        r = RIG_NEW("gfx90a", code, 64, 1);
        r->profile.cu.wide_address_lanes_per_cycle = v[k].lanes;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(rig_at(r, 4) - rig_at(r, 2), 4);
        assert_int_equal(rig_at(r, 7) - rig_at(r, 6), v[k].gap);
        rig_free(r);
    }
}

/* A compute unit may have more cache control in flight than the memory holds: the rest waits in the line queue, and an
 * invalidation that nobody waits for is done all the same. */
static void more_than_memory_holds(void **state)
{
    enum { WRITE_BACKS = 12, FILL = 48, WAVES = 16 };
    uint64_t misses[2];

    (void)state;
    for (int invalidates = 0; invalidates < 2; invalidates++) {
        uint32_t code[2 * WRITE_BACKS + 1 + FILL + 2];
        unsigned n = 0;
        struct rig *r;

        for (unsigned k = 0; k < WRITE_BACKS; k++) {
            code[n++] = 0xe0a00000; /* buffer_wbl2 */
            code[n++] = 0;
        }
        code[n++] = invalidates ? 0xbf930000 : S_NOP_0; /* s_icache_inv */
        for (unsigned k = 0; k < FILL; k++)
            code[n++] = S_NOP_0;
        code[n++] = A_WAIT_VM0;
        code[n++] = A_END;
        r = rig_new("gfx90a", code, n, 64, WAVES);
        r->profile.cu.vmem_queue_depth = 64;
        rig_groups(r, 1);
        r->status = engine_run_timing(&r->launch, &r->options, &r->result, &r->err);
        assert_int_equal(r->status, 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        misses[invalidates] = r->result.stat[stat_of_cache(LEVEL_I, STAT_CACHE_MISSES)];
        rig_free(r);
    }
    assert_true(misses[1] >= misses[0] + WAVES); /* each wave fetches on after its own */
}

/* The second of two loads back to back comes back later than the first by its lookups: lanes of dwords that are `step`
 * dwords apart, all of 64 lanes with the pipelines and banks of CDNA2, of 32 with those of RDNA2. */
static void lookups_follow_the_banks(void **state)
{
    static const struct {
        unsigned step;
        cycle_t cdna2, rdna2;
    } t[] = {{0, 4, 1},  {1, 4, 1},  {2, 32, 2},  {3, 16, 2},  {4, 64, 4},
             {5, 28, 2}, {8, 64, 8}, {15, 60, 4}, {16, 64, 16}};

    (void)state;
    for (size_t k = 0; k < 2 * sizeof t / sizeof t[0]; k++) {
        bool rdna = k & 1;
        /* v_mul_u32_u24 v8, 4 * step, v0; global_load_dword v15, v8, s[0:1] */
        uint32_t load = rdna ? 0xdc308000 : 0xdc508000, base = 0x0f000008;
        uint32_t code[] = {(rdna ? 0x16100000 : 0x10100000) | (0x80 + 4 * t[k / 2].step),
                           S_NOP_0,
                           load,
                           base,
                           load,
                           base,
                           rdna ? 0xbf8c3f71 : A_WAIT_VM1,
                           rdna ? 0xbf8c3f70 : A_WAIT_VM0,
                           A_END};
        struct rig *r = RIG_NEW(rdna ? "gfx1030" : "gfx90a", code, rdna ? 32 : 64, 1);
        struct profile_cache *c = &r->profile.cache[LEVEL_VL0];

        c->tag_lookups_per_cycle = 4;
        c->address_pipelines = rdna ? 16 : 4;
        c->conflict_window_addresses = rdna ? 2 : 1;
        c->data_banks = rdna ? 32 : 16;
        c->line_bytes = rdna ? 128 : 64;
        c->bytes_per_cycle = c->line_bytes;
        r->profile.cu.vmem_queue_depth = 4;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(rig_at(r, 4) - rig_at(r, 2), rdna ? 1 : 4);
        assert_int_equal(rig_at(r, 7) - rig_at(r, 6), rdna ? t[k / 2].rdna2 : t[k / 2].cdna2);
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_counters),        cmocka_unit_test(instruction_cache),
        cmocka_unit_test(control_stays_behind_loads), cmocka_unit_test(prefetch_of_data),
        cmocka_unit_test(prefetch_of_instructions),   cmocka_unit_test(invalidation_makes_loads_miss),
        cmocka_unit_test(prefetched_lines_hit),       cmocka_unit_test(wide_lanes_take_the_address_unit_longer),
        cmocka_unit_test(more_than_memory_holds),     cmocka_unit_test(lookups_follow_the_banks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
