/* The tensor unit of gfx1250: which lines a transfer asks for and when, what its completion does and when, what holds
 * an instruction back, and each of its figures.
 */
#include "tests/timing/rdna_rig.h"

enum { TILE_AT = 256, ARRIVAL_AT = 64, COLUMNS = 16, ROWS = 4, LATENCY = 100, SETUP = 30 };

static const char *const target = "gfx1250";

static void put(uint32_t *w, unsigned at, unsigned bits, uint64_t v)
{
    for (unsigned k = 0; k < bits; k++)
        w[(at + k) / 32] |= (uint32_t)(v >> k & 1) << (at + k) % 32;
}

/* A tile of 4 rows of 16 dwords, 256 bytes apart in memory; in LDS they are one after the other. */
static void describe(struct rig *r, gaddr_t memory, bool arrives)
{
    uint32_t *w = &r->state.user_sgprs[4];

    memset(w, 0, 12 * sizeof *w);
    put(w, 0, 2, 1);
    put(w, 32, 32, TILE_AT);
    put(w, 64, 57, memory);
    put(w, 126, 2, 2);
    w += 4;
    put(w, 16, 2, 2);
    put(w, 18, 1, arrives);
    put(w, 32, 16, ARRIVAL_AT / 8);
    put(w, 48, 32, COLUMNS);
    put(w, 80, 32, ROWS);
    put(w, 112, 16, COLUMNS);
    put(w, 128, 16, ROWS);
    put(w, 160, 48, 64);
    r->state.user_sgpr_count = 16;
}

static struct rig *tensor_rig(const uint32_t *code, size_t words, uint32_t waves)
{
    struct rig *r = queued(target, code, words, 32, waves);

    r->profile.tensor = (struct profile_tensor){.entries = 4, .setup_cycles = SETUP, .lines_per_cycle = 1};
    r->profile.gpu.cus = r->profile.gpu.cus_per_wgp = 1;
    describe(r, r->data, false);
    r->latency[MEM_PORT_VECTOR] = LATENCY;
    return r;
}
#define TENSORS(TEXT, WAVES) tensor_rig(WORDS(target, TEXT), WAVES)

static uint32_t *data(struct rig *r, uint32_t at)
{
    uint32_t *p = (uint32_t *)(void *)mem_space_at(&r->space, r->data + at, 4, MEM_READ | MEM_WRITE);

    assert_non_null(p);
    return p;
}

static void lines_and_completion(void **state)
{
    static const char code[] = "tensor_load_to_lds s[4:7], s[8:15]; s_wait_tensorcnt 0x0; s_mov_b32 s4, 0; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    run_both(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], ROWS); /* a line of 64 bytes for each */
    assert_true(r->last[MEM_PORT_VECTOR] == r->data + (ROWS - 1) * 256);
    /* one line a cycle from the end of the setup on; the last one comes back a latency later, and the wait goes on */
    cycle_t last = rig_at(r, 0) + SETUP + ROWS - 1 + LATENCY;
    assert_int_equal(rig_at(r, 3), last);
    assert_int_equal(rig_at(r, 4), last + 1);
    assert_true(rig_stall(r, "wait_tensorcnt") > LATENCY);
    rig_free(r);
}

static void elements_share_a_line(void **state)
{
    static const char code[] = "tensor_load_to_lds s[4:7], s[8:15]; s_wait_tensorcnt 0x0; s_endpgm";
    static const struct {
        uint32_t at, lines; /* of the first element, in bytes */
    } of[] = {{0, ROWS}, {4, 2 * ROWS}, {60, 2 * ROWS}, {64, ROWS}};

    (void)state;
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        struct rig *r = TENSORS(code, 1);

        describe(r, r->data + of[k].at, false);
        run_both(r);
        assert_int_equal(r->accesses[MEM_PORT_VECTOR], of[k].lines);
        rig_free(r);
    }
}

/* What a wave reads before the wait is what was in LDS, after it the tile. */
static void data_comes_with_the_completion(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0x100; v_mov_b32 v1, 0; ds_store_b32 v8, v8; s_wait_dscnt 0x0; "
        "tensor_load_to_lds s[4:7], s[8:15]; ds_load_b32 v9, v8; s_wait_dscnt 0x0; "
        "global_store_b32 v1, v9, s[0:1] offset:32768; s_wait_tensorcnt 0x0; ds_load_b32 v9, v8; s_wait_dscnt 0x0; "
        "global_store_b32 v1, v9, s[0:1] offset:32772; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    *data(r, 0) = 0xabcd;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(*data(r, 32768), TILE_AT);
    assert_int_equal(*data(r, 32772), 0xabcd);
    rig_free(r);
}

static void a_store(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0x100; ds_store_b32 v8, v8; s_wait_dscnt 0x0; tensor_store_from_lds s[4:7], s[8:15]; "
        "s_wait_tensorcnt 0x0; s_mov_b32 s4, 0; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    *data(r, 0) = *data(r, 3 * 256) = 7;
    run_both(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(*data(r, 0), TILE_AT);
    assert_int_equal(*data(r, 3 * 256), 0);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], ROWS);
    assert_int_equal(rig_at(r, 9), rig_at(r, 5) + SETUP + ROWS - 1 + LATENCY + 1);
    rig_free(r);
}

/* A wave that waits for room, and one that does not. */
static void entries(void **state)
{
    static const char code[] =
        "tensor_load_to_lds s[4:7], s[8:15]; tensor_load_to_lds s[4:7], s[8:15]; tensor_load_to_lds s[4:7], s[8:15]; "
        "s_wait_tensorcnt 0x1; s_wait_tensorcnt 0x0; s_endpgm";
    struct rig *r = TENSORS(code, 1);
    cycle_t all, first;

    (void)state;
    run_both(r);
    all = rig_at(r, 6) - rig_at(r, 0);
    assert_in_range(all, 2, SETUP);
    /* the lines of one follow those of the other; the wait for all but one is over when two are */
    first = rig_at(r, 0) + SETUP + 2 * ROWS - 1 + LATENCY;
    assert_in_range(rig_at(r, 9), first, first + 2);
    assert_in_range(rig_at(r, 10), first + ROWS, first + ROWS + 2);
    r->profile.tensor.entries = 2;
    run_both(r);
    first = rig_at(r, 0) + SETUP + ROWS - 1 + LATENCY; /* when the first entry is free again */
    assert_in_range(rig_at(r, 6), first, first + 2);
    assert_true(rig_stall(r, "memory_queue_full") > LATENCY / 2);
    rig_free(r);
}

static cycle_t cycles_of(struct rig *r)
{
    run_both(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    return r->result.stat[STAT_CYCLES];
}

static void each_figure(void **state)
{
    static const char code[] =
        "tensor_load_to_lds s[4:7], s[8:15]; tensor_load_to_lds s[4:7], s[8:15]; tensor_load_to_lds s[4:7], s[8:15]; "
        "s_wait_tensorcnt 0x0; s_endpgm";
    struct rig *r = TENSORS(code, 1);
    cycle_t before = cycles_of(r);

    (void)state;
    r->profile.tensor.setup_cycles += 5;
    assert_int_equal(cycles_of(r), before + 5);
    r->profile.tensor.setup_cycles -= 5;
    r->profile.tensor.lines_per_cycle = 4;
    assert_int_equal(cycles_of(r), before - (3 * ROWS - 3));
    r->profile.tensor.lines_per_cycle = 1;
    r->profile.tensor.entries = 1;
    assert_true(cycles_of(r) > before + 2 * LATENCY);
    rig_free(r);
}

/* Without one, the instruction stops the run. */
static void a_chip_without_one(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; tensor_load_to_lds s[4:7], s[8:15]; s_wait_tensorcnt 0x0; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    r->profile.tensor = (struct profile_tensor){0};
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault.kind, FAULT_UNIMPLEMENTED);
    assert_true(r->result.fault.pc == RIG_BASE + 4);
    assert_string_equal(r->result.message,
                        "profile rig has no tensor unit (tensor.entries), which executes tensor_load_to_lds");
    rig_free(r);
}

/* An arrival at a barrier in LDS is made with the completion: its phase is read before and after it. */
static void an_arrival(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, lit(0x40); v_mov_b32 v2, 0; v_mov_b32 v3, lit(0x1); " /* one arrival to come */
        "v_mov_b32 v1, 0; ds_store_b64 v8, v[2:3]; s_wait_dscnt 0x0; tensor_load_to_lds s[4:7], s[8:15]; "
        "ds_load_b32 v9, v8; s_wait_dscnt 0x0; global_store_b32 v1, v9, s[0:1] offset:32768; s_wait_tensorcnt 0x0; "
        "ds_load_b32 v9, v8; s_wait_dscnt 0x0; global_store_b32 v1, v9, s[0:1] offset:32772; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    describe(r, r->data, true);
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(*data(r, 32768), 0);
    assert_int_not_equal(*data(r, 32772), 0);
    rig_free(r);
}

/* Memory that nobody has: the fault is that of the transfer, though its wave is elsewhere by then. */
static void outside_of_memory(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; tensor_load_to_lds s[4:7], s[8:15]; v_mov_b32 v8, 0; s_wait_tensorcnt 0x0; s_endpgm";
    struct rig *r = TENSORS(code, 1);

    (void)state;
    describe(r, r->data + 65536 - 300, false);
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_true(r->result.fault.pc == RIG_BASE + 4);
    assert_int_equal(r->result.fault.lane, -1);
    rig_free(r);
}

/* On a chip with caches, whose vector cache takes lines by itself while no transfer is under way. */
static void beside_loads(void **state)
{
    static const char code[] =
        "v_mov_b32 v1, 0; global_load_b32 v10, v1, s[0:1]; tensor_load_to_lds s[4:7], s[8:15]; "
        "global_load_b32 v10, v1, s[0:1]; tensor_load_to_lds s[4:7], s[8:15]; global_load_b32 v10, v1, s[0:1]; "
        "tensor_store_from_lds s[4:7], s[8:15]; global_load_b32 v10, v1, s[0:1]; s_wait_tensorcnt 0x0; "
        "global_load_b32 v10, v1, s[0:1]; s_endpgm";
    struct engine_result first, again;
    struct rig *r = TENSORS(code, 8);

    (void)state;
    rig_groups(r, 6);
    r->profile.gpu.cus = 2;
    r->profile.cu.vmem_queue_depth = 2;
    for (unsigned way = 0; way < 5; way++) {
        r->options.tick_every_cycle = way == 1;
        r->options.threads = way == 2 ? 2 : 1;
        r->options.per_inst = way == 3;
        engine_result_free(&r->result);
        if (timing_run_chip(&r->launch, &r->options, NULL, way == 4, &r->result, &r->err))
            fail_msg("%s", r->err.text);
        assert_string_equal(r->result.message, "");
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        again = r->result;
        if (!way)
            first = again;
        rig_same(&first, &again);
    }
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_completion),
        cmocka_unit_test(elements_share_a_line),
        cmocka_unit_test(data_comes_with_the_completion),
        cmocka_unit_test(a_store),
        cmocka_unit_test(entries),
        cmocka_unit_test(each_figure),
        cmocka_unit_test(a_chip_without_one),
        cmocka_unit_test(an_arrival),
        cmocka_unit_test(outside_of_memory),
        cmocka_unit_test(beside_loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
