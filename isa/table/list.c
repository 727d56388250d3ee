#include "isa/table/list.h"

#include <string.h>

#include "isa/table/untested.h"

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
    [SL_SADDR] = "saddr",   [SL_SRSRC] = "srsrc",         [SL_SSAMP] = "ssamp",
};

const char *const isa_form_name[FORM_VOPD + 1] = {
    [FORM_E32] = "e32",   [FORM_E64] = "e64",           [FORM_SDWA] = "sdwa",         [FORM_DPP16] = "dpp",
    [FORM_DPP8] = "dpp8", [FORM_E64_DPP16] = "e64_dpp", [FORM_E64_DPP8] = "e64_dpp8", [FORM_VOPD] = "vopd",
};

static bool names(const struct isa_row *row, unsigned slot)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == slot && !(row->args[k].flags & A_HIDDEN))
            return true;
    return false;
}

/* An encoding of the row in that form, every source a vector register: whether the decoder takes it says more than any
 * list of rules could. */
static bool decodes(const struct isa_target *t, const struct isa_op *op, unsigned format, unsigned opcode,
                    enum isa_form form, uint32_t extra)
{
    enum { V2 = CODE_VGPR + 2, V4 = CODE_VGPR + 4, S6 = 6 };
    const struct isa_row *row = op->row;
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9, dpp8 = isa_form_is_dpp8(form);
    uint32_t w[3],
        src0 = form == FORM_SDWA ? CODE_SDWA
               : dpp8            ? CODE_DPP8
                                 : CODE_DPP16,
        src1 = names(row, SL_SRC1) ? V4 : 0;
    unsigned vdst = names(row, SL_CMP_OUT) ? S6 : row->flags & RF_CMPX ? CODE_EXEC_LO : 0, n = 1;
    uint8_t bytes[12];
    struct isa_inst i;

    if (format == FMT_VOP3 || format == FMT_VOP3P) {
        w[0] = (old ? 0xd0000000u : format == FMT_VOP3 ? 0xd4000000u : 0xcc000000u) | opcode << 16 | vdst;
        w[0] |= names(row, SL_CARRY_OUT) ? (unsigned)S6 << 8 : 0;
        w[0] |= format == FMT_VOP3P ? 1u << 14 : 0;
        w[1] = src0 | src1 << 9 | (format == FMT_VOP3P ? 3u << 27 : 0);
        w[1] |= (uint32_t)(names(row, SL_SRC2) ? V4 : names(row, SL_CARRY_IN) ? S6 : 0) << 18;
        n = 2;
    } else if (format == FMT_VOP1) {
        w[0] = 0x7e000000u | opcode << 9 | src0;
    } else {
        w[0] = (format == FMT_VOPC ? 0x7c000000u | opcode << 17 : opcode << 25) | (src1 & 0xff) << 9 | src0;
    }
    w[n] = extra | (form == FORM_SDWA && src1 ? 6u << 24 : 0);
    for (unsigned k = 0; k < sizeof bytes; k++)
        bytes[k] = k / 4 <= n ? (uint8_t)(w[k / 4] >> 8 * (k % 4)) : 0;
    return isa_decode(t, bytes, sizeof bytes, &i, NULL) && i.row == row && i.form == (uint8_t)form && !i.bad;
}

uint32_t isa_list_forms(const struct isa_target *t, enum isa_format f, unsigned opcode)
{
    enum { SDWA_DWORDS = 0x00060602, QUAD = 0xff00e402, NEWBCAST = 0xff015102, EIGHT = 0xfac68802 };
    const struct isa_op *op = &t->ops[f][opcode];
    bool vop = f == FMT_VOP1 || f == FMT_VOP2 || f == FMT_VOPC, vop3 = f == FMT_VOP3 || f == FMT_VOP3P;
    enum isa_form dpp16 = vop3 ? FORM_E64_DPP16 : FORM_DPP16, dpp8 = vop3 ? FORM_E64_DPP8 : FORM_DPP8;
    uint32_t m = 1u << (vop3 ? FORM_E64 : f == FMT_VOPDX || f == FMT_VOPDY ? FORM_VOPD : FORM_E32);

    if (!vop && !vop3)
        return m;
    if (vop && decodes(t, op, f, opcode, FORM_SDWA, f == FMT_VOPC ? SDWA_DWORDS & ~0x700u : SDWA_DWORDS))
        m |= 1u << FORM_SDWA;
    if (decodes(t, op, f, opcode, dpp16, QUAD) || decodes(t, op, f, opcode, dpp16, NEWBCAST))
        m |= 1u << dpp16;
    if (decodes(t, op, f, opcode, dpp8, EIGHT))
        m |= 1u << dpp8;
    return m;
}

/* Of an instruction and its VOP3 twin. */
static uint32_t all_forms(const struct isa_target *t, enum isa_format f, unsigned opcode)
{
    uint32_t m = isa_list_forms(t, f, opcode);

    for (unsigned k = 0; f != FMT_VOP3 && t->ops[FMT_VOP3] && k < t->op_count[FMT_VOP3]; k++) {
        const struct isa_op *twin = &t->ops[FMT_VOP3][k];
        if (twin->row == t->ops[f][opcode].row && twin->base_format == f)
            m |= isa_list_forms(t, FMT_VOP3, k);
    }
    return m;
}

/* Forms that isa/table/untested.h takes out. */
static uint32_t untested(const struct isa_target *t, const struct isa_row *row)
{
    static const struct {
        const char *row;
        uint8_t node, form;
    } list[] = {
#define X(NODE, ROW, FORM) {#ROW, N_##NODE, FORM_##FORM},
        ISA_UNTESTED(X)
#undef X
            {0},
    };
    uint32_t m = 0;

    for (unsigned k = 0; list[k].row; k++)
        if (list[k].node == t->node && strcmp(list[k].row, row->name) == 0)
            m |= 1u << list[k].form;
    return m;
}

/* Fixed-function hardware that gcnsim does not model: images with samplers and rays, export and interpolation, GDS. */
static const char *beyond(const struct isa_row *row, enum isa_format f)
{
    static const char *const list[][2] = {
#define X(ROW, WHAT) {#ROW, WHAT},
        ISA_BEYOND(X)
#undef X
    };

    if (row->image.data != IMG_DATA_NONE)
        return "images";
    if (f == FMT_EXP || f == FMT_VINTRP || f == FMT_VINTERP || f == FMT_LDSDIR || (row->flags & RF_INTERP))
        return "export";
    if (row->flags & RF_GDS)
        return "gds";
    for (unsigned k = 0; k < sizeof list / sizeof list[0]; k++)
        if (strcmp(list[k][0], row->name) == 0)
            return list[k][1];
    return NULL;
}

bool isa_list_at(const struct isa_target *t, unsigned index, struct isa_listing *out)
{
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned k = 0; t->ops[f] && k < t->op_count[f]; k++) {
            const struct isa_op *op = &t->ops[f][k];
            if (!op->row || op->base_format != (enum isa_format)f || index--)
                continue;
            *out = (struct isa_listing){.op = op,
                                        .format = (enum isa_format)f,
                                        .opcode = k,
                                        .forms = all_forms(t, (enum isa_format)f, k),
                                        .executed = op->row->kind != ROW_WIDE || op->row->exec};
            if (out->executed)
                out->tested = out->forms & ~untested(t, op->row);
            else
                out->beyond = beyond(op->row, (enum isa_format)f);
            return true;
        }
    return false;
}
