/* Every 16-bit instruction of gfx11 and gfx12, in every form, does to high halves of registers what it does to low
 * ones, and leaves the other halves alone: DPP16 and DPP8 too, whose lanes come from elsewhere. What it does to low
 * ones is test_vectors.c's business.
 */
#define RECORD_NOTHING /* no result is known here */
#include "tests/unit/isa/half_words.h"

struct job {
    struct rig *r;
    unsigned forms[FORM_VOPD];
};

static uint32_t swapped(uint32_t v)
{
    return v << 16 | v >> 16;
}

/* Halves that are numbers of all kinds: the seed's bits, small exponents more often than not. */
static uint32_t word(unsigned reg, unsigned lane)
{
    uint32_t v = (reg * 64 + lane + 1) * 0x9e3779b1u;

    v ^= v >> 15;
    return lane & 3 ? (v & 0x8fff8fffu) | 0x30003000u : v;
}

static void fill(struct rig *r, const struct isa_row *row, bool high)
{
    static const struct {
        unsigned reg, slot;
    } operands[] = {{H_DST, SL_VDST}, {H_SRC0, SL_SRC0}, {H_SRC1, SL_SRC1}, {H_SRC2, SL_SRC2}};

    for (unsigned reg = 0; reg < 32; reg++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, reg, l, word(reg, l));
    for (unsigned k = 0; high && k < 4; k++)
        for (unsigned l = 0; l < r->w.lanes && is_half(row, operands[k].slot); l++)
            rig_v(r, operands[k].reg, l, swapped(word(operands[k].reg, l)));
    for (unsigned k = 0; k < 104; k++)
        r->w.s[k] = 0x12345678 * (k + 1);
    r->w.s[CODE_VCC_LO] = r->w.s[H_SGPR_IN] = 0xc3a5f00f;
    r->w.s[CODE_VCC_HI] = r->w.s[H_SGPR_IN + 1] = 0x0ff0a53c;
    isa_set_exec(&r->w, UINT64_C(0xfffbfff7fdffefff) & lane_mask(r->w.lanes));
    isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
}

static void same_in_both(void *ctx, enum isa_format f, unsigned opcode, enum isa_form form)
{
    struct job *j = ctx;
    struct rig *r = j->r;
    const struct isa_op *op = &r->t->ops[f][opcode];
    const struct isa_row *row = op->row;
    uint32_t w[4], regs[32 * 64], s[128];

    for (unsigned salt = 0; salt < 9 * 64; salt += 64) { /* the registers stay the same */
        fill(r, row, false);
        rig_run(r, w, half_words(r->t, f, opcode, form, false, salt, w));
        memcpy(regs, r->w.v, sizeof *regs * 32 * r->w.lanes);
        memcpy(s, r->w.s, sizeof s);
        fill(r, row, true);
        rig_run(r, w, half_words(r->t, f, opcode, form, true, salt, w));
        for (unsigned reg = 0; reg < 32; reg++) {
            bool half = (reg == H_DST && is_half(row, SL_VDST)) || (reg == H_SRC0 && is_half(row, SL_SRC0)) ||
                        (reg == H_SRC1 && is_half(row, SL_SRC1)) || (reg == H_SRC2 && is_half(row, SL_SRC2));
            for (unsigned l = 0; l < r->w.lanes; l++) {
                uint32_t got = rig_getv(r, reg, l), want = regs[reg * r->w.lanes + l];
                if ((half ? swapped(got) : got) != want)
                    fail_msg("%s wave%u %s %s: v%u of lane %u is 0x%08x, and 0x%08x with low halves", r->t->name,
                             r->w.lanes, op->mnemonic, isa_form_name[form], reg, l, got, want);
            }
        }
        assert_memory_equal(r->w.s, s, sizeof s);
        j->forms[form]++;
    }
}

static void test_every_form(void **state)
{
    static const char *const targets[] = {"gfx1100", "gfx1150", "gfx1200"};

    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        struct rig r;
        struct job j = {.r = &r};
        rig_open(&r, targets[k / 2], k % 2 ? 64 : 32);
        each_half_form(r.t, same_in_both, &j);
        print_message("%s wave%u: %u short, %u VOP3, %u and %u DPP16, %u and %u DPP8\n", r.t->name, r.w.lanes,
                      j.forms[FORM_E32], j.forms[FORM_E64], j.forms[FORM_DPP16], j.forms[FORM_E64_DPP16],
                      j.forms[FORM_DPP8], j.forms[FORM_E64_DPP8]);
        for (unsigned form = FORM_E32; form < FORM_VOPD; form++)
            assert_true(form == FORM_SDWA || j.forms[form] > 500);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_form)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
