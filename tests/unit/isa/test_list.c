/* What `gcnsim isa` lists of instructions (isa/table/list.c): the modifiers that LLVM's assembler takes in their widest
 * form. */
#include "isa/table/list.h"
#include "tests/unit/isa/harness.h"

static void modifiers(void **state)
{
    static const struct {
        const char *target;
        enum isa_format format;
        const char *row, *modifiers;
    } v[] = {
        {"gfx90a", FMT_VOP2, "v_add_f32", "neg abs clamp omod"},
        {"gfx90a", FMT_VOP3P, "v_mfma_f32_32x32x1f32", "cbsz abid blgp"},
        {"gfx90a", FMT_VOP3P, "v_accvgpr_read_b32", ""},
        {"gfx90a", FMT_VOP3P, "v_pk_add_f16", "clamp op_sel op_sel_hi neg_lo neg_hi"},
        {"gfx90a", FMT_VOP3, "v_mad_u32_u24", "clamp"},
        {"gfx90a", FMT_VOP3, "v_bfe_u32", ""},
        /* integers are neither negated nor made absolute, whatever those bits are */
        {"gfx90a", FMT_VOP3, "v_mad_u16", "clamp op_sel"},
        {"gfx1100", FMT_VOP3, "v_mad_i32_i16", "clamp op_sel"},
        {"gfx90a", FMT_VOP1, "v_cvt_f32_u32", "clamp omod"},
        {"gfx90a", FMT_VOP1, "v_not_b32", ""},
        {"gfx90a", FMT_VOPC, "v_cmp_lt_f32", "neg abs clamp"},
        {"gfx90a", FMT_VOPC, "v_cmp_lt_u32", ""},
        {"gfx90a", FMT_GLOBAL, "global_load_dword", "offset glc slc"},
        {"gfx942", FMT_GLOBAL, "global_load_dword", "offset sc0 sc1 nt"},
        {"gfx1030", FMT_GLOBAL, "global_load_dword", "offset glc slc dlc"},
        {"gfx1201", FMT_GLOBAL, "global_load_dword", "offset scope th"},
        {"gfx803", FMT_FLAT, "flat_load_dword", "glc slc"},
        {"gfx90a", FMT_DS, "ds_read_b32", "offset"},
        {"gfx90a", FMT_SMEM, "s_load_dword", "offset glc"},
        {"gfx1201", FMT_SMEM, "s_load_dword", "offset scope th"},
        {"gfx90a", FMT_SOP2, "s_add_u32", ""},
        {"gfx1100", FMT_VOP3P, "v_wmma_f32_16x16x16_f16", "neg_lo neg_hi"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct isa_listing l;
        struct err e = {0};
        struct isa_target *t;
        char all[200] = "";

        assert_int_equal(isa_target_open(&t, v[k].target, NULL, &e), 0);
        bool found = false;
        for (unsigned n = 0; !found && isa_list_at(t, n, &l); n++)
            found = l.format == v[k].format && strcmp(l.op->row->name, v[k].row) == 0;
        if (!found)
            fail_msg("%s has no %s", v[k].target, v[k].row);
        for (unsigned m = 0; m < ISA_MODIFIERS; m++)
            if (isa_list_modifiers(t, &l) >> m & 1)
                snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? " " : "", isa_modifier_name[m]);
        if (strcmp(all, v[k].modifiers) != 0)
            fail_msg("%s %s: '%s'", v[k].target, v[k].row, all);
        isa_target_close(t);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(modifiers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
