/* Chips of several dies: atomics on one word, from one die and from two, through the whole engine; the report's counts
 * of lines that moved; how far the places of the MALL and of memory are by the built-in profiles. */
#include <math.h>

#include "mem/channels.h"
#include "sim/engine/timing/clock/dispatcher_layout.h"
#include "tests/timing/chip.h"
#include "tests/timing/rig.h"

enum { GROUPS = 2, PROBE = 150 };

static const char one_word[] =
    "s_mov_b64 exec, 1; v_mov_b32 v8, 0; v_mov_b32 v1, 1; .rept 4; global_atomic_add v8, v1, s[0:1]; "
    "s_waitcnt vmcnt(0); .endr; s_endpgm";

/* Two workgroups on two CUs. */
static struct rig *run_on(uint32_t xcds, uint32_t probe_cycles, bool every_cycle)
{
    struct rig *r = rig_text("gfx942", one_word, 64, 1);

    r->profile.gpu.cus = 2;
    r->profile.gpu.shader_engines = 2;
    r->profile.gpu.xcds = xcds;
    r->profile.fabric.probe_cycles = probe_cycles;
    r->profile.cache[LEVEL_L2].line_bytes = 64;
    r->options.tick_every_cycle = every_cycle;
    rig_groups(r, GROUPS);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    return r;
}

static void atomics_on_one_word(void **state)
{
    struct rig *one = run_on(1, PROBE, false), *two = run_on(2, PROBE, false), *ticked = run_on(2, PROBE, true);
    struct rig *near = run_on(2, 0, false);
    const uint64_t *l2 = two->result.stat + stat_of_cache(LEVEL_L2, 0);
    uint32_t value;

    (void)state;
    assert_int_equal(mem_space_read(&two->space, two->data, &value, sizeof value, &two->err), 0);
    assert_int_equal(value, 4 * GROUPS);
    /* one L2: the line stays where it is */
    assert_int_equal(one->result.stat[stat_of_cache(LEVEL_L2, STAT_CACHE_UPGRADES)], 0);
    assert_int_equal(one->result.stat[stat_of_cache(LEVEL_L2, STAT_CACHE_DOWNGRADES)], 0);
    /* two: each die has to take it from the other time and again, which costs a probe and the way to memory */
    assert_true(l2[STAT_CACHE_DOWNGRADES] >= 6);
    assert_int_equal(l2[STAT_CACHE_DIRTY_DOWNGRADES], l2[STAT_CACHE_DOWNGRADES]);
    assert_true(two->result.stat[STAT_CYCLES] > one->result.stat[STAT_CYCLES] + 6 * PROBE);
    assert_true(two->result.stat[STAT_CYCLES] >= near->result.stat[STAT_CYCLES] + 6 * PROBE);
    assert_int_equal(ticked->result.stat[STAT_CYCLES], two->result.stat[STAT_CYCLES]);
    assert_memory_equal(ticked->result.stat, two->result.stat, sizeof two->result.stat);
    rig_free(one);
    rig_free(two);
    rig_free(ticked);
    rig_free(near);
}

/* The same on a chip whose second die is a link away from memory: its requests go there and back, and its data. */
static void a_link_between_dies(void **state)
{
    enum { HOP = 30 };
    struct engine_result at[3];

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct rig *r = rig_text("gfx942", one_word, 64, 1);

        r->profile.gpu.cus = 4;
        r->profile.gpu.shader_engines = 2;
        r->profile.gpu.xcds = 2;
        r->profile.fabric =
            (struct profile_fabric){.iod_columns = 2, .iod_rows = 1, .hop_cycles = HOP, .link_bytes_per_cycle = 16};
        r->options.tick_every_cycle = k == 1;
        r->options.threads = k == 2 ? 2 : 1;
        rig_groups(r, 24);
        assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        at[k] = r->result;
        rig_free(r);
    }
    assert_true(at[0].present[STAT_FABRIC_LINKS]);
    assert_int_equal(at[0].stat[STAT_FABRIC_LINKS], 2);
    assert_true(at[0].stat[STAT_FABRIC_BYTES] > at[0].stat[STAT_FABRIC_BUSIEST_BYTES]);
    assert_true(at[0].stat[STAT_FABRIC_BUSIEST_FROM] != at[0].stat[STAT_FABRIC_BUSIEST_TO]);
    for (unsigned k = 1; k < 3; k++) {
        assert_int_equal(at[k].stat[STAT_CYCLES], at[0].stat[STAT_CYCLES]);
        assert_int_equal(at[k].stat[STAT_FABRIC_BYTES], at[0].stat[STAT_FABRIC_BYTES]);
        assert_memory_equal(at[k].stat, at[0].stat, sizeof at[0].stat);
    }
}

/* Load to use of a line in the MALL, or in memory, from a CU of each XCD to each IOD, as a pointer chase has it. */

/* As profiles count it: up to the issue of what waited for the data. */
static cycle_t load_to_use(struct chip *c, uint32_t xcd, gaddr_t addr)
{
    uint32_t cu = xcd * dispatcher_share(c->p);
    cycle_t from = c->now += 5000;
    uint64_t token;

    hierarchy_accept(c->h, cu, MEM_PORT_VECTOR, &(struct mem_req){.addr = addr, .bytes = 4, .op = MEM_LOAD}, from);
    for (cycle_t t = hierarchy_next(c->h); t != CYCLE_NEVER; t = hierarchy_next(c->h)) {
        hierarchy_tick(c->h, t);
        if (hierarchy_pop(c->h, cu, MEM_PORT_VECTOR, &token))
            return t - from + c->p->frontend.completion_to_issue_cycles + timing_chase_lookups(c->p);
    }
    fail_msg("no completion");
    return 0;
}

/* A part of every 32 KB lies on each of MI300X's four and MI355X's two dies; a new line each time. */
static gaddr_t line_on(const struct chip *c, uint32_t iod, uint32_t n)
{
    uint32_t dies = c->p->fabric.iod_columns * c->p->fabric.iod_rows;
    gaddr_t addr = (gaddr_t)n * 32768;

    while (channel_hash(addr) / (c->p->dram.channels / dies) != iod)
        addr += CHANNEL_HASH_BYTES;
    return addr;
}

/* A line of L2 comes from memory in two halves; latencies are those of one, and of the cycle between two from MALL. */
static cycle_t halves(const struct profile *p)
{
    double width = p->dram.bytes_per_cycle / p->dram.channels;

    return (cycle_t)(ceil(128 / width) - ceil(64 / width)) - 1;
}

static void distances_of(const char *name, const char *const *set, size_t sets, const uint8_t *hops)
{
    struct chip c;
    uint32_t dies, each, n = 0;
    cycle_t mall = 0, memory = 0;

    open_chip(&c, name, set, sets);
    dies = c.p->fabric.iod_columns * c.p->fabric.iod_rows;
    each = c.p->fabric.xcds_per_iod ? c.p->fabric.xcds_per_iod : c.p->gpu.xcds / dies;
    hierarchy_preload(c.h, LEVEL_MALL, 0, 4u << 20);
    for (uint32_t xcd = 0; xcd < c.p->gpu.xcds; xcd++)
        for (uint32_t iod = 0; iod < dies; iod++, n++) {
            cycle_t way = 2 * hops[xcd / each * dies + iod] * c.p->fabric.hop_cycles;
            cycle_t near = c.p->cache[LEVEL_MALL].hit_latency_cycles, far = c.p->dram.latency_cycles;
            cycle_t a = load_to_use(&c, xcd, line_on(&c, iod, n)), b = load_to_use(&c, xcd, line_on(&c, iod, n + 1000));

            /* profiles have the mean way */
            assert_int_equal(a + (dies == 4 ? 2 : 1) * c.p->fabric.hop_cycles, near + way);
            assert_int_equal(b + (dies == 4 ? 2 : 1) * c.p->fabric.hop_cycles, far + way + halves(c.p));
            mall += a;
            memory += b;
        }
    assert_int_equal(mall, n * (uint64_t)c.p->cache[LEVEL_MALL].hit_latency_cycles);
    assert_int_equal(memory, n * (uint64_t)(c.p->dram.latency_cycles + halves(c.p)));
    close_chip(&c);
}

static void distances(void **state)
{
    static const uint8_t mesh[] = {0, 1, 1, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2, 1, 1, 0}, pair[] = {0, 1, 1, 0};
    static const char *const far[] = {"fabric.hop_cycles=60"};

    (void)state;
    distances_of("gfx942-mi300x", NULL, 0, mesh);
    distances_of("gfx942-mi300x", far, 1, mesh);
    distances_of("gfx942-mi300a", NULL, 0, mesh); /* the fourth die has no XCD */
    distances_of("gfx950-mi355x", NULL, 0, pair);
}

/* Without a MALL the mean way is part of memory's latency. */
static void distances_of_memory_alone(void **state)
{
    static const char *const set[] = {"cache.mall.present=false"};
    struct chip c;
    cycle_t sum = 0;

    (void)state;
    open_chip(&c, "gfx942-mi300x", set, 1);
    for (uint32_t iod = 0; iod < 4; iod++) {
        cycle_t t = load_to_use(&c, 7, line_on(&c, iod, 1));

        assert_int_equal(t, c.p->dram.latency_cycles + (iod == 0 ? 20 : 0) - (iod == 3 ? 20 : 0));
        sum += t;
    }
    assert_int_equal(sum, 4 * c.p->dram.latency_cycles);
    close_chip(&c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_on_one_word),
        cmocka_unit_test(a_link_between_dies),
        cmocka_unit_test(distances),
        cmocka_unit_test(distances_of_memory_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
