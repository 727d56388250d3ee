#include "isa/list.h"

const char *const isa_type_name[T_COUNT] = {
#define X(T, DW, FB, B) [T_##T] = #T,
    ISA_TYPES(X)
#undef X
};

const char *const isa_slot_name[SL_COUNT] = {
    [SL_VDST] = "vdst",     [SL_CARRY_OUT] = "carry_out", [SL_CMP_OUT] = "cmp_out",   [SL_SRC0] = "src0",
    [SL_SRC1] = "src1",     [SL_SRC2] = "src2",           [SL_CARRY_IN] = "carry_in", [SL_K] = "k",
    [SL_SDST] = "sdst",     [SL_SIMM] = "simm16",         [SL_SBASE] = "sbase",       [SL_SOFFSET] = "soffset",
    [SL_OFFSET] = "offset", [SL_ADDR] = "addr",           [SL_DATA0] = "data0",       [SL_DATA1] = "data1",
    [SL_SADDR] = "saddr",   [SL_SRSRC] = "srsrc",    [SL_SSAMP] = "ssamp",
};

const char *const isa_form_name[FORM_VOPD + 1] = {
    [FORM_E32] = "e32",   [FORM_E64] = "e64",           [FORM_SDWA] = "sdwa",         [FORM_DPP16] = "dpp",
    [FORM_DPP8] = "dpp8", [FORM_E64_DPP16] = "e64_dpp", [FORM_E64_DPP8] = "e64_dpp8", [FORM_VOPD] = "vopd",
};

static uint32_t forms(const struct isa_target *t, const struct isa_row *row, enum isa_format f)
{
    bool vop = f == FMT_VOP1 || f == FMT_VOP2 || f == FMT_VOPC, vop3 = f == FMT_VOP3 || f == FMT_VOP3P;
    bool twin = vop && !(row->flags & RF_NO_E64), dpp = !(row->flags & RF_NO_DPP) && isa_has(t, FEAT_DPP);
    uint32_t m;

    if (f == FMT_VOPDX || f == FMT_VOPDY)
        return 1u << FORM_VOPD;
    m = 1u << (vop3 ? FORM_E64 : FORM_E32);
    if (twin)
        m |= 1u << FORM_E64;
    if (vop && isa_has(t, FEAT_SDWA) && !(row->flags & RF_NO_SDWA))
        m |= 1u << FORM_SDWA;
    if (vop && dpp)
        m |= 1u << FORM_DPP16 | (isa_has(t, FEAT_DPP8) ? 1u << FORM_DPP8 : 0);
    if ((twin || vop3) && dpp && isa_has(t, FEAT_VOP3_DPP))
        m |= 1u << FORM_E64_DPP16 | 1u << FORM_E64_DPP8;
    return m;
}

bool isa_list_at(const struct isa_target *t, unsigned index, struct isa_listing *out)
{
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned k = 0; t->ops[f] && k < t->op_count[f]; k++) {
            const struct isa_op *op = &t->ops[f][k];
            if (!op->row || op->base_format != (enum isa_format)f || index--)
                continue;
            *out = (struct isa_listing){op, (enum isa_format)f, k, forms(t, op->row, (enum isa_format)f),
                                        op->row->kind != ROW_WIDE || op->row->exec};
            return true;
        }
    return false;
}
