/* Instruction fetch of GCN and CDNA to the cycle, with the figures of real chips and a cache that hits: what a branch
 * costs by its place in a block of 32 bytes, one fetch of a wave at a time, and when a place in the buffer is free.
 *
 * Figures: CLRX GcnTimings: a branch that is not taken in word N of a block costs 4 (N - 3) cycles more than the 4 of
 * one in the first half, one that is taken to word N costs 4 (N - 4) more for the next block. SQ thread traces of
 * gfx950: 20 cycles after a branch not taken in word 7; straight code of 8-byte instructions waits 4 cycles for its
 * fourth block.
 */
#include "tests/timing/gcn_rig.h"

enum {
    BLOCK = 8, /* words */
    FETCH = 16,
    V_READLANE_S10_V1_WORD_0 = 0xd289000a, /* v_readlane_b32 s10, v1, 0 */
    V_READLANE_S10_V1_WORD_1 = 0x00010101,
};

static void nops(uint32_t *code, unsigned words)
{
    for (unsigned k = 0; k < words; k++)
        code[k] = S_NOP_0;
    code[words - 1] = A_END;
}

static struct rig *fetch_rig(unsigned chip, const uint32_t *code, unsigned words)
{
    struct rig *r = gcn_rig(chip, code, words, 1);

    r->latency[MEM_PORT_INST] = FETCH;
    assert_int_equal(r->profile.frontend.fetch_latency_cycles, FETCH);
    return r;
}

/* SCC is 0 in a new wave. The words of the branch's own block go on at once; the next block has been dropped. */
static void not_taken_by_word(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
        for (unsigned n = 0; n < BLOCK; n++) {
            uint32_t code[4 * BLOCK];
            struct rig *r;

            nops(code, 4 * BLOCK);
            code[BLOCK + n] = A_CBRANCH_SCC1_1;
            r = fetch_rig(chip, code, 4 * BLOCK);
            gcn_expect(r, BLOCK + n, BLOCK + n + 1, n == 7 ? 20 : 4, "branch not taken to the next word");
            gcn_expect(r, BLOCK + n, 2 * BLOCK, n > 3 ? 20 : 4 * (BLOCK - n), "branch not taken to the next block");
            rig_free(r);
        }
}

/* Without the refetch the next block is there. */
static void not_taken_without_refetch(void **state)
{
    uint32_t code[4 * BLOCK];
    struct rig *r;

    (void)state;
    nops(code, 4 * BLOCK);
    code[BLOCK + 7] = A_CBRANCH_SCC1_1;
    r = fetch_rig(GCN_MI210, code, 4 * BLOCK);
    r->profile.frontend.branch_refetch = false;
    gcn_expect(r, BLOCK + 7, 2 * BLOCK, 4, "branch not taken");
    rig_free(r);
}

/* The target's block comes first, the block after it a fetch later: 36 cycles from the branch. */
static void taken_by_word_of_target(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
        for (unsigned n = 0; n < BLOCK; n++) {
            uint32_t code[8 * BLOCK];
            struct rig *r;

            nops(code, 8 * BLOCK);
            code[1] = (A_BRANCH_1 & 0xffff0000) | (4 * BLOCK + n - 2);
            r = fetch_rig(chip, code, 8 * BLOCK);
            gcn_expect(r, 1, 4 * BLOCK + n, 20, "branch to its target");
            gcn_expect(r, 1, 5 * BLOCK, n > 4 ? 36 : 20 + 4 * (BLOCK - n), "branch to the block behind its target");
            rig_free(r);
        }
}

/* With two fetches in flight the next block comes a cycle after the target's. */
static void two_fetches_in_flight(void **state)
{
    uint32_t code[8 * BLOCK];
    struct rig *r;

    (void)state;
    nops(code, 8 * BLOCK);
    code[1] = (A_BRANCH_1 & 0xffff0000) | (4 * BLOCK + 7 - 2);
    r = fetch_rig(GCN_MI210, code, 8 * BLOCK);
    r->profile.frontend.fetches_in_flight = 2;
    gcn_expect(r, 1, 5 * BLOCK, 24, "branch to the block behind its target");
    rig_free(r);
}

/* A branch that is resolved later fetches later. */
static void branch_resolved_later(void **state)
{
    uint32_t code[8 * BLOCK];
    struct rig *r;

    (void)state;
    nops(code, 8 * BLOCK);
    code[1] = (A_BRANCH_1 & 0xffff0000) | (4 * BLOCK - 2);
    r = fetch_rig(GCN_MI210, code, 8 * BLOCK);
    r->profile.frontend.branch_resolve_cycles = 8;
    gcn_expect(r, 1, 4 * BLOCK, 24, "branch to its target");
    rig_free(r);
}

/* The code of the gfx950 trace: an 8-byte instruction in words 3 and 4 of a block that a branch has reached, others
 * after it. The one that begins in the last word of the second block needs the third, which may be asked for a cycle
 * after the one that ends in the second has made its place free. */
static void place_in_the_buffer(void **state)
{
    (void)state;
    for (unsigned free = 0; free < 2; free++) {
        uint32_t code[8 * BLOCK];
        struct rig *r;

        nops(code, 8 * BLOCK);
        code[1] = (A_BRANCH_1 & 0xffff0000) | (4 * BLOCK + 3 - 2);
        for (unsigned k = 4 * BLOCK + 5; k < 7 * BLOCK - 2; k += 2) {
            code[k] = V_READLANE_S10_V1_WORD_0;
            code[k + 1] = V_READLANE_S10_V1_WORD_1;
        }
        code[4 * BLOCK + 3] = S_NOP_0 | 1; /* 8 cycles, and 4 for word 4: as VALU and VMEM after it */
        r = fetch_rig(GCN_MI210, code, 8 * BLOCK);
        r->profile.frontend.buffer_free_cycles = free;
        /* branch + 20: word 3; + 28: word 4; + 32: words 5, 6; + 36: words 7, 8, which free the block */
        gcn_expect(r, 1, 4 * BLOCK + 7, 36, "the instruction that ends in the second block");
        gcn_expect(r, 4 * BLOCK + 7, 5 * BLOCK + 7, free ? 20 : 16, "the one that ends in the third");
        rig_free(r);
    }
}

/* Straight code waits for nothing, whatever the length of its instructions. */
static void straight_code(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < GCN_CHIPS; chip++)
        for (unsigned wide = 0; wide < 2; wide++) {
            uint32_t code[8 * BLOCK];
            struct rig *r;

            nops(code, 8 * BLOCK);
            for (unsigned k = 0; wide && k < 8 * BLOCK - 2; k += 2) {
                code[k] = V_READLANE_S10_V1_WORD_0;
                code[k + 1] = V_READLANE_S10_V1_WORD_1;
            }
            r = fetch_rig(chip, code, 8 * BLOCK);
            gcn_expect(r, 2 * BLOCK, 6 * BLOCK, wide ? 64 : 128, "straight code");
            rig_free(r);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_taken_by_word),       cmocka_unit_test(not_taken_without_refetch),
        cmocka_unit_test(taken_by_word_of_target), cmocka_unit_test(two_fetches_in_flight),
        cmocka_unit_test(branch_resolved_later),   cmocka_unit_test(place_in_the_buffer),
        cmocka_unit_test(straight_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
