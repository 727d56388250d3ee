/* Figures of a profile that shape the memory hierarchy, each to the cycle: what a completion adds to load to use, and
 * how many requests the queues of caches and DRAM hold. Loads and stores go into the hierarchy that the timing engine
 * builds from a built-in profile, without a compute unit in front of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mem/hierarchy/internal.h"
#include "sim/engine/timing/memory/from_profile.h"

struct chip {
    struct profile *p;
    struct isa_target *t;
    struct mem_space space;
    struct hierarchy *h;
};

static void open_chip(struct chip *c, const char *const *set, size_t sets, uint32_t row_hit_saves_cycles)
{
    struct timing_mem_shape shape;
    struct err e = {0};

    memset(c, 0, sizeof *c);
    if (profile_load(&c->p, "gfx1010-rx5700xt", &e) || profile_set_all(c->p, sets, set, &e))
        fail_msg("%s", e.text);
    if (isa_target_open(&c->t, c->p->target, NULL, &e))
        fail_msg("%s", e.text);
    c->p->tlb.utcl1_entries = 0; /* translation has tests of its own */
    c->p->dram.row_hit_saves_cycles = row_hit_saves_cycles;
    mem_space_init(&c->space);
    c->h = timing_mem_new(c->p, c->t, &c->space, c->p->gpu.cus, &(struct hierarchy_watch){0}, &shape, &e);
    if (!c->h)
        fail_msg("%s", e.text);
}
#define OPEN(C, ...)                                                                                                   \
    do {                                                                                                               \
        static const char *const set[] = {"cu.simds=2", ##__VA_ARGS__}; /* the first says what is so already */        \
        open_chip(C, set, sizeof set / sizeof set[0], 0);                                                              \
    } while (0)

static void close_chip(struct chip *c)
{
    hierarchy_free(c->h);
    mem_space_destroy(&c->space);
    isa_target_close(c->t);
    profile_free(c->p);
}

/* Gives the vector port of CU 0 as many accesses in one cycle as it takes, up to n, `stride` bytes apart; returns the
 * number taken, and the cycles from then to the first and to the last completion. */
static uint32_t burst(struct chip *c, enum mem_op op, uint32_t n, gaddr_t base, uint32_t stride, cycle_t from,
                      cycle_t *first, cycle_t *last)
{
    uint32_t taken = 0, done = 0;
    uint64_t token;

    for (; taken < n && hierarchy_can_accept(c->h, 0, MEM_PORT_VECTOR, base + taken * stride); taken++)
        hierarchy_accept(c->h, 0, MEM_PORT_VECTOR,
                         &(struct mem_req){.addr = base + taken * stride, .bytes = 4, .op = op, .token = taken}, from);
    for (cycle_t t = hierarchy_next(c->h); t != CYCLE_NEVER; t = hierarchy_next(c->h)) {
        hierarchy_tick(c->h, t);
        while (hierarchy_pop(c->h, 0, MEM_PORT_VECTOR, &token)) {
            *first = done++ ? *first : t - from;
            *last = t - from;
        }
    }
    assert_int_equal(done, taken);
    return taken;
}

static cycle_t one_load(struct chip *c, gaddr_t addr, cycle_t from)
{
    cycle_t first = 0, last = 0;

    assert_int_equal(burst(c, MEM_LOAD, 1, addr, 0, from, &first, &last), 1);
    return first;
}

/* Load to use is measured up to the issue of what waited, for 8 bytes of all lanes, which take two lookups: those parts
 * are taken out of the first level, once. */
static void completion_is_part_of_load_to_use(void **state)
{
    struct chip c;

    (void)state;
    OPEN(&c);
    assert_int_equal(c.p->frontend.completion_to_issue_cycles, 1);
    assert_int_equal(timing_chase_lookups(c.p), 1);
    assert_int_equal(one_load(&c, 0x100000, 1000), c.p->dram.latency_cycles - 2);
    assert_int_equal(one_load(&c, 0x100000, 5000), c.p->cache[LEVEL_VL0].hit_latency_cycles - 2);
    close_chip(&c);
    OPEN(&c, "frontend.completion_to_issue_cycles=9");
    assert_int_equal(one_load(&c, 0x100000, 1000), c.p->dram.latency_cycles - 10);
    assert_int_equal(one_load(&c, 0x100000, 5000), c.p->cache[LEVEL_VL0].hit_latency_cycles - 10);
    close_chip(&c);
}

static void queue_takes_as_many_as_it_has_entries(void **state)
{
    cycle_t first, last;
    struct chip c;

    (void)state;
    OPEN(&c);
    assert_int_equal(burst(&c, MEM_LOAD, 100, 0x100000, 128, 1000, &first, &last), 64);
    close_chip(&c);
    OPEN(&c, "cache.vl0.queue_entries=5");
    assert_int_equal(burst(&c, MEM_LOAD, 100, 0x100000, 128, 1000, &first, &last), 5);
    close_chip(&c);
}

/* Stores of vL0 wait for L2's acknowledgement: with one entry the second leaves when the first has been acknowledged.
 */
static void pass_entries_bound_stores_in_flight(void **state)
{
    cycle_t first, last, alone;
    struct chip c;

    (void)state;
    OPEN(&c);
    burst(&c, MEM_STORE, 1, 0x100000, 128, 1000, &alone, &last);
    assert_int_equal(burst(&c, MEM_STORE, 2, 0x200000, 128, 5000, &first, &last), 2);
    assert_int_equal(first, alone);
    assert_int_equal(last, alone + 1);
    close_chip(&c);
    OPEN(&c, "cache.vl0.pass_entries=1");
    assert_int_equal(burst(&c, MEM_STORE, 2, 0x200000, 128, 5000, &first, &last), 2);
    assert_int_equal(first, alone);
    /* the entry is free when the acknowledgement enters vL0, half of its own latency before it leaves; the tag stage
     * looks the second store up in that cycle, one earlier than if it had been accepted then */
    cycle_t own =
        c.p->cache[LEVEL_VL0].hit_latency_cycles - c.p->frontend.completion_to_issue_cycles - timing_chase_lookups(c.p);
    assert_int_equal(last, alone - own / 2 + alone - 1);
    close_chip(&c);
}

/* Two lines of one DRAM channel follow each other by their transfer; with one entry the second is asked for when the
 * first has come, and takes the whole latency of DRAM once more. */
static void dram_queue_bounds_requests_in_flight(void **state)
{
    cycle_t first, last;
    struct chip c;

    (void)state;
    OPEN(&c);
    uint32_t channel = c.p->dram.channels * c.p->cache[LEVEL_L2].channel_interleave_bytes;
    uint32_t transfer = (uint32_t)(128 / (c.p->dram.bytes_per_cycle / c.p->dram.channels));
    cycle_t beyond_l2 = c.p->dram.latency_cycles - c.p->cache[LEVEL_L2].hit_latency_cycles;

    assert_int_equal(burst(&c, MEM_LOAD, 2, 0x100000, channel, 1000, &first, &last), 2);
    assert_in_range(last - first, transfer, transfer + 1);
    close_chip(&c);
    OPEN(&c, "dram.queue_entries=1");
    assert_int_equal(burst(&c, MEM_LOAD, 2, 0x100000, channel, 1000, &first, &last), 2);
    assert_in_range(last - first, beyond_l2 - 1, beyond_l2 + 1);
    close_chip(&c);
}

/* A row that is open saves what the profile says, and never more than DRAM itself takes. */
static void open_rows_save_time(void **state)
{
    static const uint32_t saves[] = {0, 20, 30};
    cycle_t closed = 0, open;
    struct chip c;

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        open_chip(&c, NULL, 0, saves[k]);
        uint32_t channel = c.p->dram.channels * c.p->cache[LEVEL_L2].channel_interleave_bytes;
        cycle_t first = one_load(&c, 0x100000, 1000);

        if (!k)
            closed = first;
        assert_int_equal(first, closed);
        open = one_load(&c, 0x100000 + channel, 5000); /* the channel's next bytes */
        assert_int_equal(open, closed - saves[k]);
        close_chip(&c);
    }
    /* more than the rest of the way leaves for DRAM: it saves nothing rather than going back in time */
    open_chip(&c, NULL, 0, 100000);
    assert_true(one_load(&c, 0x100000, 1000) <= closed);
    close_chip(&c);
}

/* ---- what a cache is built with ---- */

static const struct cache_config *cache_of(const struct chip *c, enum cache_level level)
{
    return cache_get_config(c->h->unit[hierarchy_unit_of(c->h, level, 0)].cache);
}

static void replacement_is_that_of_the_profile(void **state)
{
    struct chip c;

    (void)state;
    OPEN(&c, "cache.l2.replacement=fifo", "cache.vl0.replacement=random", "cache.gl1.replacement=lru");
    assert_int_equal(cache_of(&c, LEVEL_L2)->replacement, CACHE_FIFO);
    assert_int_equal(cache_of(&c, LEVEL_VL0)->replacement, CACHE_RANDOM);
    assert_int_equal(cache_of(&c, LEVEL_GL1)->replacement, CACHE_LRU);
    close_chip(&c);
}

/* Nobody stores through K, I and GL1; atomics are executed where L2 holds what is
 * written. */
static void stores_and_atomics(void **state)
{
    static const enum cache_level read_only[] = {LEVEL_K, LEVEL_I, LEVEL_GL1};
    struct chip c;

    (void)state;
    for (int back = 0; back < 2; back++) {
        if (back)
            OPEN(&c, "cache.vl0.write_policy=write_back", "cache.l2.write_policy=write_back");
        else
            OPEN(&c, "cache.vl0.write_policy=write_through", "cache.l2.write_policy=write_through");
        for (size_t k = 0; k < sizeof read_only / sizeof read_only[0]; k++) {
            assert_int_equal(cache_of(&c, read_only[k])->write, CACHE_READ_ONLY);
            assert_false(cache_of(&c, read_only[k])->atomics);
        }
        assert_int_equal(cache_of(&c, LEVEL_VL0)->write, back ? CACHE_WRITE_BACK : CACHE_WRITE_THROUGH);
        assert_int_equal(cache_of(&c, LEVEL_L2)->write, back ? CACHE_WRITE_BACK : CACHE_WRITE_THROUGH);
        assert_false(cache_of(&c, LEVEL_VL0)->atomics);
        assert_int_equal(cache_of(&c, LEVEL_L2)->atomics, back);
        close_chip(&c);
    }
}

/* Fetches pass one at a time, having no hint that would let more of them by. */
static void entries_that_pass(void **state)
{
    struct chip c;

    (void)state;
    OPEN(&c, "cache.vl0.pass_entries=7");
    assert_int_equal(cache_of(&c, LEVEL_VL0)->pass_slots, 7);
    assert_int_equal(cache_of(&c, LEVEL_I)->pass_slots, 1);
    close_chip(&c);
}

static void requests_of_two_lines(void **state)
{
    struct chip c;

    (void)state;
    OPEN(&c, "cache.vl0.line_bytes=64", "cache.vl0.request_bytes=128", "cache.vl0.line_cycles=3");
    assert_int_equal(cache_of(&c, LEVEL_VL0)->request_bytes, 128);
    assert_int_equal(cache_of(&c, LEVEL_VL0)->line_cycles, 3);
    close_chip(&c);
}

/* A cache whose latency lies wholly in what follows the completion still takes two cycles, one of them for a miss on
 * its way down. */
static void latency_of_two_cycles_at_least(void **state)
{
    struct chip c;

    (void)state;
    OPEN(&c);
    uint32_t all = c.p->cache[LEVEL_VL0].hit_latency_cycles - timing_chase_lookups(c.p);
    close_chip(&c);
    for (uint32_t less = 0; less < 5; less++) {
        char text[80];
        const char *const set[] = {text};

        snprintf(text, sizeof text, "frontend.completion_to_issue_cycles=%u", all - less);
        open_chip(&c, set, 1, 0);
        const struct cache_config *v = cache_of(&c, LEVEL_VL0);
        uint32_t own = less < 2 ? 2 : less;
        assert_int_equal(v->hit_latency_cycles, own);
        assert_int_equal(v->miss_latency_cycles, (own + 1) / 2);
        assert_int_equal(v->fill_latency_cycles, own / 2);
        close_chip(&c);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(completion_is_part_of_load_to_use),
        cmocka_unit_test(queue_takes_as_many_as_it_has_entries),
        cmocka_unit_test(pass_entries_bound_stores_in_flight),
        cmocka_unit_test(dram_queue_bounds_requests_in_flight),
        cmocka_unit_test(open_rows_save_time),
        cmocka_unit_test(replacement_is_that_of_the_profile),
        cmocka_unit_test(stores_and_atomics),
        cmocka_unit_test(entries_that_pass),
        cmocka_unit_test(requests_of_two_lines),
        cmocka_unit_test(latency_of_two_cycles_at_least),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
