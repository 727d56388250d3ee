/* Lines of rows that are a power of two of bytes apart: hashes spread them over sets and channels, of L2 and of memory.
 */
#include "tests/timing/chip.h"

/* 4096 lines take 512 KB of the 8 MB of L2; each CU loads every 32nd. */
enum { LINES = 4096, CUS = 32 };

/* Loads a line of each row; cycles. */
static cycle_t load_rows(struct chip *c, gaddr_t apart)
{
    cycle_t from = c->now += 100000, t = from;
    unsigned sent[CUS] = {0}, done = 0;
    uint64_t token;

    for (; done < LINES; t++) {
        hierarchy_tick(c->h, t);
        for (unsigned cu = 0; cu < CUS; cu++) {
            gaddr_t addr = (sent[cu] * CUS + cu) * apart;

            while (hierarchy_pop(c->h, cu, MEM_PORT_VECTOR, &token))
                done++;
            if (sent[cu] == LINES / CUS || !hierarchy_can_accept(c->h, cu, MEM_PORT_VECTOR, addr))
                continue;
            hierarchy_accept(c->h, cu, MEM_PORT_VECTOR,
                             &(struct mem_req){.addr = addr, .bytes = 8, .op = MEM_LOAD, .token = sent[cu]++}, t);
        }
    }
    c->now = t;
    return t - from;
}

struct loaded {
    cycle_t first, again; /* from memory; from L2, where it has them */
    uint64_t hits;        /* in L2, of the second time */
};

static struct loaded load_twice(const char *const *set, size_t sets, gaddr_t apart)
{
    struct cache_stats before, after;
    struct loaded l;
    struct chip c;

    open_chip(&c, "gfx90a-mi210", set, sets);
    l.first = load_rows(&c, apart);
    assert_true(hierarchy_cache_stats(c.h, LEVEL_L2, &before));
    l.again = load_rows(&c, apart);
    hierarchy_cache_stats(c.h, LEVEL_L2, &after);
    l.hits = after.op[MEM_LOAD].hits - before.op[MEM_LOAD].hits;
    close_chip(&c);
    return l;
}

static void rows_of_a_power_of_two(void **state)
{
    static const char *const in_turn[] = {"cache.l2.channel_hash=false"}, *const low_bits[] = {
                                                                              "cache.l2.set_hash=false"};

    (void)state;
    for (unsigned shift = 14; shift < 21; shift++) {
        struct loaded hashed = load_twice(NULL, 0, UINT64_C(1) << shift);
        struct loaded channel = load_twice(in_turn, 1, UINT64_C(1) << shift);
        struct loaded sets = load_twice(low_bits, 1, UINT64_C(1) << shift);

        assert_int_equal(hashed.hits, LINES);
        assert_true(hashed.again * 2 < hashed.first);
        /* one channel of memory gives 25 bytes a cycle, and the sets of one of L2 are soon full */
        assert_true(channel.first >= LINES * 128 / 26);
        assert_true(channel.hits < LINES / 100);
        assert_true(hashed.first * 4 < channel.first);
        /* from 128 KB on, 4 sets of each channel of L2 have 32 lines each for their 16 ways */
        assert_int_equal(sets.hits, shift < 17 ? LINES : 0);
        assert_true(shift < 17 || sets.again * 2 > hashed.first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_power_of_two),
    };
    return cmocka_run_group_tests_name("timing/strides", tests, NULL, NULL);
}
