/* Moves between lanes on every target that has them, from the ISA manuals' pseudocode. */
#include "tests/unit/isa/every_target.h"

#define ONE(W) (const uint32_t[]){W}, 1

static void lanes_count(struct rig *r, unsigned reg)
{
    for (unsigned l = 0; l < r->w.lanes; l++)
        rig_v(r, reg, l, 0x1000 * reg + l * 3);
}

static void test_scalar_lanes(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            uint32_t w[2];
            int read = opcode_of(r.t, FMT_VOP3, "v_readlane_b32"), write = opcode_of(r.t, FMT_VOP3, "v_writelane_b32"),
                first = opcode_of(r.t, FMT_VOP1, "v_readfirstlane_b32");
            for (unsigned k = 0; k < 200; k += 7) {
                lanes_count(&r, 1);
                lanes_count(&r, 2);
                r.w.s[20] = k;
                r.w.s[22] = 0x77;
                isa_set_exec(&r.w, k & 1 ? 0 : UINT64_C(0xff0000ff000) & lane_mask(lanes));
                vop3(r.t, w, read, 21, CODE_VGPR + 1, 20, 0);
                step_one(&r, w, 2, ISA_OK);
                assert_int_equal(r.w.s[21], 0x1000 + k % lanes * 3);
                vop3(r.t, w, write, 2, 22, 20, 0);
                step_one(&r, w, 2, ISA_OK);
                for (unsigned l = 0; l < lanes; l++)
                    assert_int_equal(rig_getv(&r, 2, l), l == k % lanes ? 0x77 : 0x2000 + l * 3);
                step_one(&r, ONE(vop1(first, 23, CODE_VGPR + 1)), ISA_OK);
                assert_int_equal(r.w.s[23], 0x1000 + (k & 1 ? 0 : 12 * 3));
            }
            int e64 = opcode_of(r.t, FMT_VOP3, "v_readfirstlane_b32");
            if (e64 >= 0) {
                isa_set_exec(&r.w, 0x30);
                vop3(r.t, w, e64, 24, CODE_VGPR + 1, 0, 0);
                step_one(&r, w, 2, ISA_OK);
                assert_int_equal(r.w.s[24], 0x1000 + 4 * 3);
            }
        }
    EVERY_END(r)
}

static void test_permlanes(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            static const char *const names[] = {"v_permlane16_b32", "v_permlanex16_b32"};
            for (unsigned x = 0; x < 2; x++) {
                uint32_t w[2];
                int op = opcode_of(r.t, FMT_VOP3, names[x]);
                if (op < 0)
                    continue;
                lanes_count(&r, 1);
                lanes_count(&r, 2);
                r.w.s[20] = 0x31a7f024;
                r.w.s[21] = 0xc985bd60;
                uint64_t select = r.w.s[20] | (uint64_t)r.w.s[21] << 32;
                isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(0x10));
                vop3(r.t, w, op, 2, CODE_VGPR + 1, 20, 21);
                w[0] |= 1u << 11; /* fetch what is switched off as well */
                step_one(&r, w, 2, ISA_OK);
                for (unsigned l = 0; l < lanes; l++) {
                    unsigned from = ((l & ~15u) ^ 16 * x) + (select >> 4 * (l & 15) & 15);
                    assert_int_equal(rig_getv(&r, 2, l), l == 4 ? 0x2000 + 12 : 0x1000 + from * 3);
                }
            }
            int halves = opcode_of(r.t, FMT_VOP1, "v_permlane64_b32");
            if (halves >= 0) {
                lanes_count(&r, 1);
                lanes_count(&r, 2);
                isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(0x10));
                step_one(&r, ONE(vop1(halves, 2, CODE_VGPR + 1)), ISA_OK);
                for (unsigned l = 0; l < lanes; l++)
                    assert_int_equal(rig_getv(&r, 2, l),
                                     l == 4 || lanes == 32 ? 0x2000 + l * 3 : 0x1000 + (l ^ 32) * 3);
            }
        }
    EVERY_END(r)
}

/* Lanes that ds_permute moves values among. */
static unsigned permuted(const struct rig *r)
{
    return isa_has(r->t, FEAT_BPERMUTE_32) ? 32 : r->w.lanes;
}

static void test_lds_permutes(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            uint32_t w[2];
            unsigned span = permuted(&r);
            int to = opcode_of(r.t, FMT_DS, "ds_permute_b32"), from = opcode_of(r.t, FMT_DS, "ds_bpermute_b32"),
                swizzle = opcode_of(r.t, FMT_DS, "ds_swizzle_b32");
            lanes_count(&r, 1);
            for (unsigned l = 0; l < lanes; l++)
                rig_v(&r, 3, l, 4 * ((l * 5 + 3) % span) + (l & 3) + 4 * span);
            isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(4));
            lanes_count(&r, 2);
            ds(r.t, w, from, 8, 3, 1, 2); /* the offset counts two lanes */
            step_one(&r, w, 2, ISA_OK);
            for (unsigned l = 0; l < lanes; l++) {
                unsigned src = (l & ~(span - 1)) + (l * 5 + 5) % span;
                assert_int_equal(rig_getv(&r, 2, l), l == 2 ? 0x2006 : src == 2 ? 0 : 0x1000 + src * 3);
            }
            int from_off = opcode_of(r.t, FMT_DS, "ds_bpermute_fi_b32");
            assert_true((from_off >= 0) == (r.t->layout == LAYOUT_GFX12));
            if (from_off >= 0) { /* lanes that are off give their data, too */
                lanes_count(&r, 2);
                ds(r.t, w, from_off, 8, 3, 1, 2);
                step_one(&r, w, 2, ISA_OK);
                for (unsigned l = 0; l < lanes; l++)
                    assert_int_equal(rig_getv(&r, 2, l),
                                     l == 2 ? 0x2006 : 0x1000 + ((l & ~(span - 1)) + (l * 5 + 5) % span) * 3);
            }
            lanes_count(&r, 2);
            ds(r.t, w, to, 8, 3, 1, 2);
            step_one(&r, w, 2, ISA_OK);
            uint32_t want[64] = {0};
            for (unsigned l = 0; l < lanes; l++)
                if (l != 2)
                    want[(l & ~(span - 1)) + (l * 5 + 5) % span] = 0x1000 + l * 3;
            for (unsigned l = 0; l < lanes; l++)
                assert_int_equal(rig_getv(&r, 2, l), l == 2 ? 0x2006 : want[l]);
            /* four lanes by pattern; then and, or, xor of the lane's number */
            static const unsigned patterns[] = {0x8000 | 0x1b, 5 << 10 | 2 << 5 | 0x1c};
            for (unsigned k = 0; k < 2; k++) {
                lanes_count(&r, 2);
                ds(r.t, w, swizzle, patterns[k], 1, 0, 2);
                step_one(&r, w, 2, ISA_OK);
                for (unsigned l = 0; l < lanes; l++) {
                    unsigned src = k ? (l & 32) + ((((l & 31) & 0x1c) | 2) ^ 5) : (l & ~3u) + 3 - (l & 3);
                    assert_int_equal(rig_getv(&r, 2, l), l == 2 ? 0x2006 : src == 2 ? 0 : 0x1000 + src * 3);
                }
            }
        }
    EVERY_END(r)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_lanes),
        cmocka_unit_test(test_permlanes),
        cmocka_unit_test(test_lds_permutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
