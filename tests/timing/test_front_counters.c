/* Wait counters to the cycle: what counts on which, in which order it counts down, and what happens when one is full.
 */
#include "tests/timing/rig.h"

#define FIRST 40

/* What a family calls these. */
struct family {
    const char *target;
    uint32_t lanes;
    const char *load, *store, *sload, *lds, *flat;
    const char *wait_load0, *wait_load1, *wait_store0, *wait_lds0, *wait_scalar0;
    unsigned load_max, store_max, lds_max, scalar_max; /* counters' largest values (LLVM 19 AMDGPUBaseInfo) */
    bool store_counts_as_load, scalar_counts_as_lds;
};

static const struct family gfx803 = {
    .target = "gfx803",
    .lanes = 64,
    .load = "flat_load_dword v15, v[10:11]", /* flat: there is no global */
    .store = "flat_store_dword v[10:11], v1",
    .sload = "s_load_dword s8, s[0:1], 0x0",
    .lds = "ds_read_b32 v14, v8",
    .flat = "flat_load_dword v15, v[10:11]",
    .wait_load0 = "s_waitcnt vmcnt(0)",
    .wait_load1 = "s_waitcnt vmcnt(1)",
    .wait_store0 = "s_waitcnt vmcnt(0)",
    .wait_lds0 = "s_waitcnt lgkmcnt(0)",
    .wait_scalar0 = "s_waitcnt lgkmcnt(0)",
    .load_max = 15,
    .store_max = 15,
    .lds_max = 15,
    .scalar_max = 15,
    .store_counts_as_load = true,
    .scalar_counts_as_lds = true,
};
static const struct family gfx90a = {
    .target = "gfx90a",
    .lanes = 64,
    .load = "global_load_dword v15, v8, s[0:1]",
    .store = "global_store_dword v8, v1, s[0:1]",
    .sload = "s_load_dword s8, s[0:1], 0x0",
    .lds = "ds_read_b32 v14, v8",
    .flat = "flat_load_dword v15, v[10:11]",
    .wait_load0 = "s_waitcnt vmcnt(0)",
    .wait_load1 = "s_waitcnt vmcnt(1)",
    .wait_store0 = "s_waitcnt vmcnt(0)",
    .wait_lds0 = "s_waitcnt lgkmcnt(0)",
    .wait_scalar0 = "s_waitcnt lgkmcnt(0)",
    .load_max = 63,
    .store_max = 63,
    .lds_max = 15,
    .scalar_max = 15,
    .store_counts_as_load = true,
    .scalar_counts_as_lds = true,
};
static const struct family gfx1030 = {
    .target = "gfx1030",
    .lanes = 32,
    .load = "global_load_dword v15, v8, s[0:1]",
    .store = "global_store_dword v8, v1, s[0:1]",
    .sload = "s_load_dword s8, s[0:1], null",
    .lds = "ds_read_b32 v14, v8",
    .flat = "flat_load_dword v15, v[10:11]",
    .wait_load0 = "s_waitcnt vmcnt(0)",
    .wait_load1 = "s_waitcnt vmcnt(1)",
    .wait_store0 = "s_waitcnt_vscnt null, 0x0",
    .wait_lds0 = "s_waitcnt lgkmcnt(0)",
    .wait_scalar0 = "s_waitcnt lgkmcnt(0)",
    .load_max = 63,
    .store_max = 63,
    .lds_max = 63,
    .scalar_max = 63,
    .scalar_counts_as_lds = true,
};
static const struct family gfx1201 = {
    .target = "gfx1201",
    .lanes = 32,
    .load = "global_load_b32 v15, v8, s[0:1]",
    .store = "global_store_b32 v8, v1, s[0:1]",
    .sload = "s_load_b32 s8, s[0:1], 0x0",
    .lds = "ds_load_b32 v14, v8",
    .flat = "flat_load_b32 v15, v[10:11]",
    .wait_load0 = "s_wait_loadcnt 0x0",
    .wait_load1 = "s_wait_loadcnt 0x1",
    .wait_store0 = "s_wait_storecnt 0x0",
    .wait_lds0 = "s_wait_dscnt 0x0",
    .wait_scalar0 = "s_wait_kmcnt 0x0",
    .load_max = 63,
    .store_max = 63,
    .lds_max = 63,
    .scalar_max = 31,
};
static const struct family *const families[] = {&gfx803, &gfx90a, &gfx1030, &gfx1201};
#define FAMILIES (sizeof families / sizeof families[0])

struct program {
    const char *target;
    uint32_t code[RIG_MAX_WORDS];
    unsigned words;
};

/* Returns the word it starts at. */
static unsigned put(struct program *p, const char *text)
{
    struct assembled a = assemble(p->target, text);
    unsigned at = p->words;

    assert_true(at + a.words <= RIG_MAX_WORDS);
    memcpy(p->code + at, a.word, a.words * sizeof a.word[0]);
    p->words += (unsigned)a.words;
    return at;
}

/* v8 = 0; v[10:11] = the data's address */
static void head(struct program *p, const struct family *f)
{
    p->target = f->target;
    p->words = 0;
    put(p, "v_mov_b32 v8, 0; v_mov_b32 v10, s0; v_mov_b32 v11, s1");
}

static struct rig *rig_for(const struct family *f, const struct program *p)
{
    struct rig *r = rig_new(f->target, p->code, p->words, f->lanes, 1);

    /* straight code is never late */
    r->profile.frontend.buffer_bytes = 1024;
    r->latency[MEM_PORT_INST] = 1;
    /* units take an instruction whenever the wave has one */
    for (unsigned k = OPC_SMEM; k < OPC_COUNT; k++)
        r->profile.cls[k].issue_cycles_w32 = r->profile.cls[k].issue_cycles_w64 = 1;
    return r;
}

/* So many operations can be outstanding; the next one issues in the cycle in which the first comes back (on GCN, at the
 * SIMD's turn then). */
static void full_counter(const struct family *f, const char *op, unsigned max, enum mem_port_kind port)
{
    struct program p;
    unsigned word[66];
    struct rig *r;
    cycle_t back, at;

    head(&p, f);
    for (unsigned k = 0; k <= max; k++)
        word[k] = put(&p, op);
    put(&p, "s_endpgm");
    r = rig_for(f, &p);
    r->latency[MEM_PORT_VECTOR] = r->latency[MEM_PORT_SCALAR] = 5000;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    /* up to the counter's width they go without a long pause */
    assert_true(rig_at(r, word[max - 1]) < rig_at(r, word[0]) + 4000);
    back = rig_at(r, word[0]) + 5000;
    at = rig_at(r, word[max]);
    assert_true(at >= back && at < back + (f->lanes == 64 ? 4 : 1));
    assert_true(rig_stall(r, "counter_full") > 0);
    (void)port;
    rig_free(r);
}

static void counters_are_as_wide_as_the_target_has_them(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];

        /* on gfx803 loads are flat and count on lgkmcnt as well: of the same width */
        full_counter(f, f->load, f->load_max, MEM_PORT_VECTOR);
        full_counter(f, f->store, f->store_max, MEM_PORT_VECTOR);
        full_counter(f, f->sload, f->scalar_max, MEM_PORT_SCALAR);
    }
}

static void lds_counter_width(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        struct program p;
        unsigned word[66];
        struct rig *r;
        cycle_t back, at;

        head(&p, f);
        for (unsigned n = 0; n <= f->lds_max; n++)
            word[n] = put(&p, f->lds);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        r->profile.lds.latency_b32_cycles = 900;
        rig_run(r);
        back = rig_at(r, word[0]) + 900;
        at = rig_at(r, word[f->lds_max]);
        assert_true(at >= back && at < back + (f->lanes == 64 ? 4 : 1));
        assert_true(rig_at(r, word[f->lds_max - 1]) < back);
        rig_free(r);
    }
}

/* Loads count down in the order they were issued: the second one's data, there first, do not free vmcnt(1). */
static void vector_loads_in_order(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        struct program p;
        unsigned first, wait1, wait0;
        struct rig *r;
        cycle_t back, at;

        head(&p, f);
        first = put(&p, f->load);
        put(&p, f->load);
        wait1 = put(&p, f->wait_load1);
        wait0 = put(&p, f->wait_load0);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        r->late_access = 0;
        r->late = 400;
        rig_run(r);
        back = rig_at(r, first) + 100 + 400;
        at = rig_at(r, wait1);
        assert_true(at >= back && at < back + (f->lanes == 64 ? 4 : 1));
        assert_true(rig_at(r, wait0) <= at + 4); /* both count down in that cycle */
        rig_free(r);
    }
}

/* Stores: on the loads' counter and in order with them up to gfx9, on their own from gfx10 on. */
static void stores_and_loads(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        struct program p;
        unsigned store, load, wait_load, wait_store;
        struct rig *r;
        cycle_t slow, fast, at;

        head(&p, f);
        store = put(&p, f->store);
        load = put(&p, f->load);
        wait_load = put(&p, f->wait_load0);
        wait_store = put(&p, f->wait_store0);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        r->late_access = 0; /* the store */
        r->late = 400;
        rig_run(r);
        slow = rig_at(r, store) + 500;
        fast = rig_at(r, load) + 100;
        at = rig_at(r, wait_load);
        if (f->store_counts_as_load)
            assert_true(at >= slow && at < slow + 4);
        else
            assert_int_equal(at, fast);
        assert_true(rig_at(r, wait_store) >= slow && rig_at(r, wait_store) < slow + 8);
        if (!f->store_counts_as_load)
            assert_int_equal(rig_at(r, wait_store), slow);
        rig_free(r);
    }
}

/* Scalar loads come back as they like; LDS beside them in order. Up to gfx11 both are on one counter: a wait for less
 * than all is over when any so many are. */
static void scalar_loads_overtake(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        struct program p;
        unsigned sload, lds, wait_scalar, wait_lds;
        struct rig *r;
        cycle_t scalar_back, lds_back;

        head(&p, f);
        sload = put(&p, f->sload);
        lds = put(&p, f->lds);
        wait_lds = put(&p, f->wait_lds0);
        wait_scalar = put(&p, f->wait_scalar0);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        r->latency[MEM_PORT_SCALAR] = 300;
        rig_run(r);
        scalar_back = rig_at(r, sload) + 300;
        lds_back = rig_at(r, lds) + 32;
        if (f->scalar_counts_as_lds)
            assert_true(rig_at(r, wait_lds) >= scalar_back);
        else
            assert_int_equal(rig_at(r, wait_lds), lds_back);
        assert_true(rig_at(r, wait_scalar) >= scalar_back && rig_at(r, wait_scalar) < scalar_back + 8);
        rig_free(r);
    }
}

static void an_older_scalar_load_holds_nothing(void **state)
{
    /* s_load, ds_read, lgkmcnt(1): the LDS result alone is enough */
    struct program p;
    unsigned sload, lds, wait, all;
    struct rig *r;

    (void)state;
    head(&p, &gfx90a);
    sload = put(&p, gfx90a.sload);
    lds = put(&p, gfx90a.lds);
    wait = put(&p, "s_waitcnt lgkmcnt(1)");
    all = put(&p, "s_waitcnt lgkmcnt(0)");
    put(&p, "s_endpgm");
    r = rig_for(&gfx90a, &p);
    r->latency[MEM_PORT_SCALAR] = 300;
    rig_run(r);
    assert_int_equal(rig_at(r, wait), rig_at(r, lds) + 32);
    assert_int_equal(rig_at(r, all), rig_at(r, sload) + 300);
    rig_free(r);
}

/* gfx11: s_sendmsg_rtn counts on lgkmcnt, too, and comes back when it likes: lgkmcnt(1) is met by the LDS result. */
static void a_message_holds_nothing(void **state)
{
    static const char code[] =
        "s_sendmsg_rtn_b32 s6, sendmsg(MSG_RTN_GET_REALTIME); ds_load_b32 v4, v8; s_waitcnt lgkmcnt(1); "
        "s_waitcnt lgkmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx1100", code, 32, 1);

    (void)state;
    r->profile.cls[OPC_MESSAGE].latency_cycles = 200;
    rig_run(r);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 3), rig_at(r, 1) + 32);
    assert_int_equal(rig_at(r, 4), FIRST + 200);
    rig_free(r);
}

/* Which ways lanes of a flat load go. */
enum { TO_MEMORY = 1, TO_LDS = 2 };

static unsigned put_flat(struct program *p, const struct family *f, unsigned ways)
{
    head(p, f);
    if (ways & TO_LDS) { /* v[10:11] into the window of LDS; both: in lane 0 alone */
        if (ways & TO_MEMORY)
            put(p, "s_mov_b32 exec_lo, 1");
        put(p, "v_mov_b32 v10, 0; v_mov_b32 v11, 0x10000; s_mov_b32 exec_lo, -1");
    }
    return put(p, f->flat);
}

/* A flat access counts on both counters, and each way counts down its own when it has answered: memory after 100
 * cycles, LDS after 32; one that no lane went when the instruction has issued. */
static void flat_counts_on_both(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++)
        for (unsigned ways = 0; ways <= (TO_MEMORY | TO_LDS); ways++)
            for (unsigned lds = 0; lds < 2; lds++) {
                const struct family *f = families[k];
                bool gone = ways & (lds ? TO_LDS : TO_MEMORY);
                cycle_t turn = f->lanes == 64 ? 4 : 1, after = !gone ? turn : lds ? 32 : 100;
                struct program p;
                unsigned flat = put_flat(&p, f, ways), wait;

                if (!ways) { /* without a lane */
                    p.words = 0;
                    put(&p, "s_mov_b32 exec_lo, 0");
                    if (f->lanes == 64)
                        put(&p, "s_mov_b32 exec_hi, 0");
                    flat = put(&p, f->flat);
                }
                wait = put(&p, lds ? f->wait_lds0 : f->wait_load0);
                put(&p, "s_endpgm");
                struct rig *r = rig_for(f, &p);

                r->launch.shared_aperture = UINT64_C(0x1000000000000);
                for (unsigned tick = 0; tick < 2; tick++) {
                    r->options.tick_every_cycle = tick;
                    rig_run(r);
                    assert_int_equal(r->result.outcome, ENGINE_DONE);
                    cycle_t took = rig_at(r, wait) - rig_at(r, flat);
                    if (took < after || took >= after + turn)
                        fail_msg("%s, %s%s, wait for %s: %llu cycles, expected %llu", f->target,
                                 ways & TO_MEMORY ? "memory " : "", ways & TO_LDS ? "LDS" : "", lds ? "LDS" : "memory",
                                 (unsigned long long)took, (unsigned long long)after);
                    /* to the cycle: a run of as many has not issued it */
                    r->options.max_cycles = rig_at(r, wait) - 1;
                    rig_run(r);
                    assert_int_equal(rig_at(r, wait), CYCLE_NEVER);
                    r->options.max_cycles = 0;
                }
                rig_free(r);
            }
}

/* A counter that a flat access has counted down holds nothing: of one that still waits for memory, LDS accesses after
 * it are counted down; and memory that has answered does not wait for LDS ahead of it. */
static void flat_holds_its_own_way(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        cycle_t turn = f->lanes == 64 ? 4 : 1;
        struct program p;
        unsigned flat = put_flat(&p, f, TO_MEMORY), lds = put(&p, f->lds), wait = put(&p, f->wait_lds0), all;
        struct rig *r;

        all = put(&p, f->wait_load0);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        rig_run(r);
        assert_true(rig_at(r, wait) >= rig_at(r, lds) + 32 && rig_at(r, wait) < rig_at(r, lds) + 32 + turn);
        assert_true(rig_at(r, all) >= rig_at(r, flat) + 100 && rig_at(r, all) < rig_at(r, flat) + 100 + turn);
        rig_free(r);
    }
}

/* Nothing is charged to a wait that has nothing to wait for. */
static void waits_without_cause(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FAMILIES; k++) {
        const struct family *f = families[k];
        struct program p = {.target = f->target};
        unsigned first;
        struct rig *r;

        first = put(&p, f->wait_load0);
        put(&p, f->wait_store0);
        put(&p, f->wait_lds0);
        put(&p, f->wait_scalar0);
        put(&p, "s_endpgm");
        r = rig_for(f, &p);
        rig_run(r);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(rig_at(r, first + n), FIRST + n * (f->lanes == 64 ? 4 : 1));
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_as_wide_as_the_target_has_them),
        cmocka_unit_test(lds_counter_width),
        cmocka_unit_test(vector_loads_in_order),
        cmocka_unit_test(stores_and_loads),
        cmocka_unit_test(scalar_loads_overtake),
        cmocka_unit_test(an_older_scalar_load_holds_nothing),
        cmocka_unit_test(a_message_holds_nothing),
        cmocka_unit_test(flat_counts_on_both),
        cmocka_unit_test(flat_holds_its_own_way),
        cmocka_unit_test(waits_without_cause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
