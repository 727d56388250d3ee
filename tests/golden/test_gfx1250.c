/* gfx1250's text against LLVM 22's: an encoding of each instruction in each form in tests/golden/llvm22. Where LLVM 22
 * is about, test_decode.c walks over every opcode.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "tests/golden/listed.h"

enum { LINES = 3027 };

static struct isa_target *open_target(void)
{
    struct isa_target *t;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, "gfx1250", NULL, &e), 0);
    return t;
}

static void test_listed(void **state)
{
    struct isa_target *t = open_target();
    FILE *f = fopen("tests/golden/llvm22/gfx1250.txt", "r");
    char theirs[LISTED_TEXT], ours[LISTED_TEXT];
    uint32_t words[4];
    unsigned lines = 0, count;

    (void)state;
    assert_non_null(f);
    while (listed_read(f, words, &count, theirs)) {
        struct isa_inst i;
        assert_int_equal(isa_decode(t, (const uint8_t *)words, 4 * count, &i, NULL), 4 * count);
        isa_text(t, &i, ours, sizeof ours);
        assert_string_equal(ours, theirs);
        lines++;
    }
    fclose(f);
    isa_target_close(t);
    assert_int_equal(lines, LINES);
}

/* What is there for who runs v_wmma_scale16_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:31], v[40:47], v[2:3], s[4:5]
 * matrix_b_fmt:MATRIX_FMT_FP4 matrix_b_scale:MATRIX_SCALE_ROW1 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3
 * matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_a_reuse, and what is not looked at. */
static void test_scales(void **state)
{
    static const uint32_t words[] = {0xcc3a22ff, 0x2c000902, 0xcc334000, 0x04a23108};
    struct isa_target *t = open_target();
    struct isa_regref refs[ISA_MAX_REGREFS];
    struct isa_inst i;
    unsigned scales = 0;

    (void)state;
    assert_int_equal(isa_decode(t, (const uint8_t *)words, sizeof words, &i, NULL), 16);
    assert_string_equal(i.mnemonic, "v_wmma_scale16_f32_16x16x128_f8f6f4");
    assert_int_equal(i.base_format, FMT_VOP3PX);
    assert_int_equal(i.nops, 6);
    assert_int_equal(i.op[2].type, T_B256);
    assert_int_equal(i.op[4].code, CODE_VGPR + 2);
    assert_int_equal(i.op[5].code, 4);
    assert_int_equal(i.op[4].type, T_B64);
    assert_int_equal(i.op[5].type, T_B64);
    assert_int_equal(i.op_sel, 0);
    assert_int_equal(i.op_sel_hi, 4);
    assert_int_equal(i.u.mai.scale[0].row, 0);
    assert_int_equal(i.u.mai.scale[1].row, 1);
    assert_int_equal(i.u.mai.scale[0].format, 1);
    assert_int_equal(i.u.mai.scale[1].format, 2);
    assert_int_equal(i.u.mai.scale[0].again, 1);
    assert_int_equal(i.u.mai.scale[1].again, 0);
    unsigned n = isa_inst_regs(t, &i, 32, refs);
    for (unsigned k = 0; k < n; k++)
        scales += refs[k].count == 2 && !refs[k].write &&
                  ((refs[k].file == RF_VGPR && refs[k].first == 2) || (refs[k].file == RF_SGPR && refs[k].first == 4));
    assert_int_equal(scales, 2);
    /* without what follows it is the load alone, which must not have a destination */
    assert_int_equal(isa_decode(t, (const uint8_t *)words, 12, &i, NULL), 0);
    isa_target_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_listed), cmocka_unit_test(test_scales)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
