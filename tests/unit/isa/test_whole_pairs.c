/* Two dwords of a lane are loaded as one: whoever shares the memory has written both or neither. */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/unit/isa/harness.h"

enum { AT = 256, SLOTS = 64, RUNS = 2000 };

#define BOTH UINT64_C(0x100000001) /* times a number: the same in both dwords */

struct writer {
    pthread_t thread;
    uint64_t *slot;
    atomic_bool ends;
    atomic_uint rounds;
};

static void *write_slots(void *ctx)
{
    struct writer *s = ctx;

    for (uint32_t n = 1; !atomic_load(&s->ends); n++) {
        for (unsigned k = 0; k < SLOTS; k++)
            __atomic_store_n(&s->slot[k], n * BOTH, __ATOMIC_RELAXED);
        atomic_fetch_add(&s->rounds, 1);
    }
    return NULL;
}

static void start(struct writer *s, struct rig *r)
{
    *s = (struct writer){.slot = (uint64_t *)(void *)(r->mem + AT)};
    memset(s->slot, 0, SLOTS * sizeof *s->slot);
    assert_int_equal(pthread_create(&s->thread, NULL, write_slots, s), 0);
}

/* Lanes side by side, all at one place, and in no order. */
static void set_addresses(struct rig *r, unsigned kind)
{
    for (unsigned l = 0; l < 64; l++) {
        uint64_t slot = kind == 0 ? l : kind == 1 ? 5 : l * 37 % SLOTS;
        uint64_t at = RIG_MEM + AT + slot * 8;

        rig_v(r, 2, l, (uint32_t)at);
        rig_v(r, 3, l, (uint32_t)(at >> 32));
    }
}

static void test_loads(void **state)
{
    static const uint32_t words[] = {/* global_load_dwordx2 v[8:9], v[2:3], off */ 0xdc548000, 0x087f0002};
    struct writer s;
    struct rig r;
    unsigned torn = 0;

    (void)state;
    rig_open(&r, "gfx90a", 64);
    for (unsigned kind = 0; kind < 3; kind++) {
        set_addresses(&r, kind);
        start(&s, &r);
        for (unsigned n = 0; n < RUNS || atomic_load(&s.rounds) < RUNS; n++) {
            isa_set_exec(&r.w, n & 1 ? UINT64_MAX : UINT64_C(0x8001f00f71234567));
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < 64; l++)
                torn += rig_getv(&r, 8, l) != rig_getv(&r, 9, l);
        }
        atomic_store(&s.ends, true);
        pthread_join(s.thread, NULL);
        assert_int_equal(torn, 0);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
