/* The what-if ideal.loads_ahead to the cycle: which waits for vector loads hold a wave, and what late results hold. */
#include "tests/timing/rig.h"

enum { LATENCY = 500 };

/* Instructions of a target: v8 is 0, then pairs of a load and its wait. */
struct words {
    const char *target;
    uint32_t lanes;
    const char *load_v15, *load_v8, *store_v7, *wait0;
};

static const struct words gcn = {.target = "gfx90a",
                                 .lanes = 64,
                                 .load_v15 = "global_load_dword v15, v8, s[0:1]",
                                 .load_v8 = "global_load_dword v8, v8, s[0:1]",
                                 .store_v7 = "global_store_dword v8, v7, s[0:1]",
                                 .wait0 = "s_waitcnt vmcnt(0)"};
static const struct words rdna = {.target = "gfx1201",
                                  .lanes = 32,
                                  .load_v15 = "global_load_b32 v15, v8, s[0:1]",
                                  .load_v8 = "global_load_b32 v8, v8, s[0:1]",
                                  .store_v7 = "global_store_b32 v8, v7, s[0:1]",
                                  .wait0 = "s_wait_loadcnt 0x0"};
static const struct words *const all[] = {&gcn, &rdna};
#define TARGETS (sizeof all / sizeof all[0])

struct program {
    const char *target;
    uint32_t code[64];
    unsigned words;
};

/* Returns the word it starts at. */
static unsigned put(struct program *p, const char *text)
{
    struct assembled a = assemble(p->target, text);
    unsigned at = p->words;

    assert_true(at + a.words <= sizeof p->code / sizeof p->code[0]);
    memcpy(p->code + at, a.word, a.words * sizeof a.word[0]);
    p->words += (unsigned)a.words;
    return at;
}

/* The cycles in which the words at `word` issue; ahead: the what-if. */
static void run(const struct words *w, const struct program *p, uint32_t ahead, const unsigned *word, unsigned count,
                cycle_t *at)
{
    struct rig *r = rig_new(w->target, p->code, p->words, w->lanes, 1);

    r->profile.frontend.buffer_bytes = 1024; /* straight code is never late */
    r->latency[MEM_PORT_INST] = 1;
    r->latency[MEM_PORT_VECTOR] = LATENCY;
    r->profile.ideal.loads_ahead = ahead;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    for (unsigned k = 0; k < count; k++)
        at[k] = rig_at(r, word[k]);
    rig_free(r);
}

/* Three loads, each with a wait of its own for all. */
static void a_wait_leaves_so_many_in_flight(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct words *w = all[t];
        struct program p = {.target = w->target};
        unsigned word[6];
        cycle_t as_is[6], one[6], two[6];

        put(&p, "v_mov_b32 v8, 0");
        for (unsigned k = 0; k < 3; k++) {
            word[2 * k] = put(&p, w->load_v15);
            word[2 * k + 1] = put(&p, w->wait0);
        }
        put(&p, "s_endpgm");
        run(w, &p, 0, word, 6, as_is);
        run(w, &p, 1, word, 6, one);
        run(w, &p, 2, word, 6, two);
        cycle_t there = as_is[1] - as_is[0]; /* a wait issues when its load is there */
        assert_true(there >= LATENCY);

        /* one in flight beside that which is waited for: the second wait is for the first load */
        assert_true(one[0] == as_is[0] && two[0] == as_is[0]);
        assert_true(one[1] < one[0] + 40 && one[2] < one[0] + 40);
        assert_int_equal(one[3], one[0] + there);
        assert_true(two[3] < two[0] + 80 && two[4] < two[0] + 80);
        assert_int_equal(two[5], two[0] + there);
    }
}

/* A result that an ALU instruction passes on holds the store after it until it is there, and that instruction's time
 * longer. */
static void late_values_hold_a_store(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct words *w = all[t];
        struct program p = {.target = w->target};
        unsigned word[4];
        cycle_t as_is[4], ahead[4];

        put(&p, "v_mov_b32 v8, 0");
        word[0] = put(&p, w->load_v15);
        word[1] = put(&p, w->wait0);
        word[2] = put(&p, "v_mov_b32 v7, v15");
        word[3] = put(&p, w->store_v7);
        put(&p, "s_endpgm");
        run(w, &p, 0, word, 4, as_is);
        run(w, &p, 7, word, 4, ahead);
        assert_true(ahead[2] < ahead[0] + 40); /* the ALU goes on */
        /* as if the v_mov had issued when the load was there */
        assert_int_equal(as_is[3] - ahead[3], w->lanes == 64 ? 4 : 1); /* the issue slot of the wait */
    }
}

/* A load whose address is the result of the one before gains nothing. */
static void a_chain_of_loads_is_one(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct words *w = all[t];
        struct program p = {.target = w->target};
        unsigned word[3];
        cycle_t as_is[3], ahead[3];

        put(&p, "v_mov_b32 v8, 0");
        for (unsigned k = 0; k < 3; k++) {
            word[k] = put(&p, w->load_v8);
            put(&p, w->wait0);
        }
        put(&p, "s_endpgm");
        run(w, &p, 0, word, 3, as_is);
        run(w, &p, 7, word, 3, ahead);
        for (unsigned k = 1; k < 3; k++) {
            assert_true(ahead[k] - ahead[k - 1] >= LATENCY);
            assert_true(ahead[k] <= as_is[k] && as_is[k] - ahead[k] <= 4 * k); /* the wait's own issue slot */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_leaves_so_many_in_flight),
        cmocka_unit_test(late_values_hold_a_store),
        cmocka_unit_test(a_chain_of_loads_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
