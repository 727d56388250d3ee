/* The what-if ideal.loads_ahead to the cycle: which waits for vector loads hold a wave, and what late results hold. */
#include "tests/timing/rig.h"

enum { LATENCY = 500 };

/* Words of a target: v8 is 0, then pairs of a load and its wait. */
struct words {
    const char *target;
    uint32_t lanes;
    struct word {
        uint32_t w[3];
        unsigned count;
    } load_v15, load_v8, store_v7;
    uint32_t wait0, end;
};

static const struct words gcn = {.target = "gfx90a",
                                 .lanes = 64,
                                 .load_v15 = {{A_GLOBAL_LOAD_V15}, 2},
                                 .load_v8 = {{0xdc508000, 0x08000008}, 2},
                                 .store_v7 = {{0xdc708000, 0x00000708}, 2},
                                 .wait0 = A_WAIT_VM0,
                                 .end = A_END};
static const struct words rdna = {.target = "gfx1201",
                                  .lanes = 32,
                                  .load_v15 = {{0xee050000, 0x0000000f, 0x00000008}, 3},
                                  .load_v8 = {{0xee050000, 0x00000008, 0x00000008}, 3},
                                  .store_v7 = {{0xee068000, 0x03800000, 0x00000008}, 3},
                                  .wait0 = 0xbfc00000,
                                  .end = R_END};
static const struct words *const all[] = {&gcn, &rdna};
#define TARGETS (sizeof all / sizeof all[0])

#define V_MOV_V7_V15 0x7e0e030f

struct program {
    uint32_t code[64];
    unsigned words;
};

static unsigned put(struct program *p, const struct word *w)
{
    unsigned at = p->words;

    for (unsigned k = 0; k < w->count; k++)
        p->code[p->words++] = w->w[k];
    return at;
}

static unsigned put1(struct program *p, uint32_t word)
{
    p->code[p->words] = word;
    return p->words++;
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
        struct program p = {.words = 0};
        unsigned word[6];
        cycle_t as_is[6], one[6], two[6];

        put1(&p, V_MOV_V8_0);
        for (unsigned k = 0; k < 3; k++) {
            word[2 * k] = put(&p, &w->load_v15);
            word[2 * k + 1] = put1(&p, w->wait0);
        }
        put1(&p, w->end);
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

/* A result that an ALU instruction passes on holds the store behind it until it is there, and that instruction's time
 * longer. */
static void late_values_hold_a_store(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        const struct words *w = all[t];
        struct program p = {.words = 0};
        unsigned word[4];
        cycle_t as_is[4], ahead[4];

        put1(&p, V_MOV_V8_0);
        word[0] = put(&p, &w->load_v15);
        word[1] = put1(&p, w->wait0);
        word[2] = put1(&p, V_MOV_V7_V15);
        word[3] = put(&p, &w->store_v7);
        put1(&p, w->end);
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
        struct program p = {.words = 0};
        unsigned word[3];
        cycle_t as_is[3], ahead[3];

        put1(&p, V_MOV_V8_0);
        for (unsigned k = 0; k < 3; k++) {
            word[k] = put(&p, &w->load_v8);
            put1(&p, w->wait0);
        }
        put1(&p, w->end);
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
