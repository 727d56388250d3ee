/* What a dispatch pays for pages that nobody has asked for, through the whole engine: walks by kind of memory, memory
 * of the host, and that none of it hangs on how the clock moves or on threads. */
#include "sim/engine/device.h"
#include "tests/timing/rig.h"

#define READ 400 /* a whole number of turns of GCN */

static const char nothing[] = "s_endpgm";
static const char scalar_load[] = "s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); s_endpgm";
static const char load[] = "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
static const char store[] = "v_mov_b32 v8, 0; global_store_dword v8, v1, s[0:1]; s_endpgm";
static const char load_then_store[] =
    "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
    "s_endpgm";

static struct rig *cold(const uint32_t *code, size_t words, uint32_t read_cycles, bool copies)
{
    struct rig *r = rig_new("gfx90a", code, words, 64, 1);

    r->profile.tlb = (struct profile_tlb){.page_bytes = 2 << 20,
                                          .utcl1_entries = 8,
                                          .utcl1_miss_cycles = 84,
                                          .utcl2_entries = 64,
                                          .utcl2_ways = 16,
                                          .walk_levels = 2,
                                          .walk_read_cycles = read_cycles,
                                          .walkers = 4,
                                          .copies_translated = copies};
    rig_groups(r, 1);
    return r;
}

static cycle_t run(struct rig *r)
{
    assert_int_equal(timing_run_chip(&r->launch, &r->options, NULL, 0, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    return r->result.stat[STAT_CYCLES];
}

/* Tables read one after the other while the wave waits. */
static unsigned reads(const uint32_t *code, size_t words, bool copies)
{
    struct rig *quick = cold(code, words, 0, copies), *slow = cold(code, words, READ, copies);
    cycle_t more = run(slow) - run(quick);

    rig_free(quick);
    rig_free(slow);
    assert_int_equal(more % READ, 0);
    return (unsigned)(more / READ);
}
#define READS(TEXT, COPIES) reads(WORDS("gfx90a", TEXT), COPIES)

/* One for the code, whose tables the command processor has read; two for the data. */
static void new_pages(void **state)
{
    (void)state;
    assert_int_equal(READS(nothing, false), 1);
    assert_int_equal(READS(scalar_load, false), 1 + 2);
    assert_int_equal(READS(load, false), 1 + 2);
    assert_int_equal(READS(store, false), 1 + 2);
    assert_int_equal(READS(load_then_store, false), 1 + 2);
}

/* Nothing walks for code whose page earlier work has used. */
static void code_pages(void **state)
{
    struct rig *quick = cold(WORDS("gfx90a", nothing), 0, false), *slow = cold(WORDS("gfx90a", nothing), READ, false);

    (void)state;
    assert_int_equal(run(slow) - run(quick), READ);
    slow->options.code_page_known = true;
    assert_int_equal(run(slow), run(quick));
    rig_free(quick);
    rig_free(slow);
}

/* What is loaded from first has been filled by a copy; what is stored to first is new. */
static void copied_pages(void **state)
{
    (void)state;
    assert_int_equal(READS(nothing, true), 1);
    assert_int_equal(READS(scalar_load, true), 1);
    assert_int_equal(READS(load, true), 1);
    assert_int_equal(READS(store, true), 1 + 2);
    assert_int_equal(READS(load_then_store, true), 1);
}

/* A store to a buffer among others finds its page where copies have filled some of them. */
static void neighbours(void **state)
{
    struct rig *quick = cold(WORDS("gfx90a", store), 0, true), *slow = cold(WORDS("gfx90a", store), READ, true);

    (void)state;
    for (unsigned near = 0; near < 2; near++) {
        /* the rig's buffer has 65536 bytes */
        quick->profile.tlb.neighbour_bytes = slow->profile.tlb.neighbour_bytes = 65535 + near;
        assert_int_equal(run(slow) - run(quick), near ? READ : 3 * READ);
    }
    rig_free(quick);
    rig_free(slow);
}

/* s[0:1] points to kernel arguments instead of to data. */
static gaddr_t use_kernarg(struct rig *r)
{
    gaddr_t at;

    assert_int_equal(mem_space_alloc(&r->space, 64, 64, MEM_READ | MEM_KIND_KERNARG, "kernarg", &at, &r->err), 0);
    r->state.user_sgprs[0] = (uint32_t)at;
    r->state.user_sgprs[1] = (uint32_t)(at >> 32);
    return at;
}

/* No copy engine writes them, and they share no page with data beside them. */
static void kernel_arguments(void **state)
{
    struct rig *quick = cold(WORDS("gfx90a", scalar_load), 0, true);
    struct rig *slow = cold(WORDS("gfx90a", scalar_load), READ, true);

    (void)state;
    use_kernarg(quick);
    use_kernarg(slow);
    assert_int_equal(run(slow) - run(quick), 3 * READ);
    rig_free(quick);
    rig_free(slow);
}

static void arguments_in_memory_of_the_host(void **state)
{
    struct rig *r = cold(WORDS("gfx90a", scalar_load), 0, true);
    cycle_t device, data;

    (void)state;
    data = run(r);
    r->profile.host = (struct profile_host){.latency_cycles = 5000, .bytes_per_cycle = 1000, .kernarg = true};
    assert_int_equal(run(r), data); /* data are not there */
    use_kernarg(r);
    r->profile.host.kernarg = false;
    device = run(r);
    assert_int_equal(device, data);
    r->profile.host.kernarg = true;
    r->profile.host.latency_cycles = r->profile.dram.latency_cycles;
    r->profile.dram.row_hit_saves_cycles = 0;
    device = run(r);
    r->profile.host.latency_cycles += 5000;
    assert_int_equal(run(r), device + 5000);
    rig_free(r);
}

/* Its IOMMU takes its time for the first access to a page, which earlier dispatches may have had. */
static void translations_of_the_host(void **state)
{
    struct rig *r = cold(WORDS("gfx90a", scalar_load), 0, true);
    gaddr_t kernarg = use_kernarg(r);
    cycle_t known;

    (void)state;
    r->profile.host = (struct profile_host){.latency_cycles = 5000, .bytes_per_cycle = 1000, .kernarg = true};
    known = run(r);
    r->profile.host.translate_cycles = READ;
    assert_int_equal(run(r), known + READ);
    r->options.host_page_known = kernarg;
    assert_int_equal(run(r), known);
    r->options.host_page_known = 0;
    r->profile.host.kernarg = false;
    r->profile.host.translate_cycles = 0;
    known = run(r);
    r->profile.host.translate_cycles = READ; /* of no page of the device */
    assert_int_equal(run(r), known);
    rig_free(r);
}

/* A driver that maps memory between two launches invalidates the TLBs: the second launch walks again, but for the
 * tables above the code, and its code is in the instruction cache. */
static void mapped_between_launches(void **state)
{
    cycle_t second[2][2]; /* [read_cycles][mapped] */

    (void)state;
    for (unsigned slow = 0; slow < 2; slow++)
        for (unsigned mapped = 0; mapped < 2; mapped++) {
            struct rig *r = cold(WORDS("gfx90a", scalar_load), slow ? READ : 0, false);

            r->options.acquire = MEM_FENCE_AGENT; /* or the scalar cache has the data */
            r->options.device = engine_device_new();
            assert_non_null(r->options.device);
            run(r);
            if (mapped)
                engine_device_mapped(r->options.device);
            second[slow][mapped] = run(r);
            engine_device_free(r->options.device);
            rig_free(r);
        }
    assert_int_equal(second[1][0], second[0][0]);
    assert_int_equal(second[1][1] - second[0][1], 2 * READ);
}

static void same(const struct engine_result *a, const struct engine_result *b)
{
    assert_int_equal(a->stat[STAT_CYCLES], b->stat[STAT_CYCLES]);
    assert_int_equal(a->stat[STAT_RESIDENT_WAVE_CYCLES], b->stat[STAT_RESIDENT_WAVE_CYCLES]);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        assert_int_equal(a->stat[STAT_STALL + k], b->stat[STAT_STALL + k]);
}

/* Workgroups on several groups of CUs ask for the same new page, and there is one walker. */
static void clock_and_threads_change_nothing(void **state)
{
    struct rig *r = cold(WORDS("gfx90a", load_then_store), 97, false);
    struct engine_result one;

    (void)state;
    r->profile.gpu.cus = 6;
    r->profile.gpu.shader_engines = 2;
    r->profile.cache[LEVEL_K].shared_by_cus = 2;
    r->profile.frontend.launch_latency_cycles = 90;
    r->profile.tlb.walkers = 1;
    rig_groups(r, 48);
    run(r);
    one = r->result;
    assert_int_equal(one.stat[STAT_CUS_USED], 6);
    r->options.tick_every_cycle = true;
    run(r);
    same(&one, &r->result);
    r->options.tick_every_cycle = false;
    for (uint32_t threads = 2; threads <= 3; threads++) {
        r->options.threads = threads;
        run(r);
        same(&one, &r->result);
    }
    r->profile.tlb.walk_read_cycles++;
    run(r);
    assert_int_not_equal(one.stat[STAT_CYCLES], r->result.stat[STAT_CYCLES]);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_pages),
        cmocka_unit_test(code_pages),
        cmocka_unit_test(copied_pages),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(kernel_arguments),
        cmocka_unit_test(arguments_in_memory_of_the_host),
        cmocka_unit_test(mapped_between_launches),
        cmocka_unit_test(translations_of_the_host),
        cmocka_unit_test(clock_and_threads_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
