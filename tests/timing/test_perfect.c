/* The memory that always hits: when completions come, and that a run it could not serve is not taken for a deadlock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/timing/memory/perfect.h"

struct seen {
    unsigned count;
    uint64_t token;
    cycle_t at;
};

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    (void)cu, (void)port;
    *(struct seen *)ctx = (struct seen){((struct seen *)ctx)->count + 1, token, now};
}

static struct profile *profile_of(const char *name)
{
    struct profile *p;
    struct err e = {0};

    if (profile_load(&p, name, &e))
        fail_msg("%s", e.text);
    return p;
}

/* Every access takes what a hit of its nearest cache takes. */
static void latencies(void **state)
{
    struct profile *p = profile_of("gfx90a-mi210");
    const cycle_t latency[MEM_PORTS] = {[MEM_PORT_VECTOR] = p->cache[LEVEL_VL0].hit_latency_cycles,
                                        [MEM_PORT_SCALAR] = p->cache[LEVEL_K].hit_latency_cycles,
                                        [MEM_PORT_INST] = p->frontend.fetch_latency_cycles};
    struct timing_chip chip;
    struct perfect_memory *m = perfect_memory_new(p, 4, 1024, &chip);
    const cycle_t until = CYCLE_NEVER;
    uint32_t cycles = 0;

    (void)state;
    assert_non_null(m);
    for (unsigned port = 0; port < MEM_PORTS; port++) {
        struct seen seen = {0};
        struct mem_req q = {.addr = 64, .token = 7 + port, .bytes = 4, .op = MEM_LOAD};

        chip.attach(chip.ctx, &(struct hierarchy_sink){&seen, complete, NULL, NULL});
        assert_true(chip.plug.can_accept(chip.plug.ctx, 2, (enum mem_port_kind)port, 64));
        chip.plug.accept(chip.plug.ctx, 2, (enum mem_port_kind)port, &q, 1000);
        assert_int_equal(*chip.near_clock(chip.ctx, 2), 1000 + latency[port]);
        chip.near_run(chip.ctx, 2, 1000 + latency[port] - 1, CYCLE_NEVER, &until, &cycles);
        assert_int_equal(seen.count, 0);
        chip.near_run(chip.ctx, 2, 1000 + latency[port], CYCLE_NEVER, &until, &cycles);
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.token, 7 + port);
    }
    assert_false(perfect_memory_is_short(m));
    perfect_memory_free(m);
    profile_free(p);
}

static void refusals_are_known(void **state)
{
    struct profile *p = profile_of("gfx1201");
    struct timing_chip chip;
    struct perfect_memory *m = perfect_memory_new(p, 4, 2048, &chip);
    struct mem_req q = {.addr = 64, .bytes = 4, .op = MEM_LOAD};

    (void)state;
    assert_non_null(m);
    for (q.token = 0; q.token < 2048; q.token++) {
        assert_true(chip.plug.can_accept(chip.plug.ctx, 1, MEM_PORT_VECTOR, 64));
        chip.plug.accept(chip.plug.ctx, 1, MEM_PORT_VECTOR, &q, 10);
    }
    assert_false(perfect_memory_is_short(m));
    assert_true(chip.plug.can_accept(chip.plug.ctx, 1, MEM_PORT_SCALAR, 64));
    assert_true(chip.plug.can_accept(chip.plug.ctx, 3, MEM_PORT_VECTOR, 64));
    assert_false(chip.plug.can_accept(chip.plug.ctx, 1, MEM_PORT_VECTOR, 64));
    assert_true(perfect_memory_is_short(m));
    perfect_memory_free(m);
    profile_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies),
        cmocka_unit_test(refusals_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
