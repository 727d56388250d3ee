/* Lists the instructions of a target out of its decode tables: encodings, legal forms and modifiers, whether executed
 * and tested. Where a form or a modifier is legal is found by decoding an encoding that has it. */
#include "isa/table/list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isa/table/untested.h"

const char *const isa_type_name[T_COUNT] = {
#define X(T, DW, FB, B) [T_##T] = #T,
    ISA_TYPES(X)
#undef X
};

const char *const isa_slot_name[SL_COUNT] = {
    [SL_VDST] = "vdst",       [SL_CARRY_OUT] = "carry_out", [SL_CMP_OUT] = "cmp_out",   [SL_SRC0] = "src0",
    [SL_SRC1] = "src1",       [SL_SRC2] = "src2",           [SL_CARRY_IN] = "carry_in", [SL_K] = "k",
    [SL_SDST] = "sdst",       [SL_SIMM] = "simm16",         [SL_SBASE] = "sbase",       [SL_SOFFSET] = "soffset",
    [SL_OFFSET] = "offset",   [SL_ADDR] = "addr",           [SL_GWS] = "data",          [SL_DATA0] = "data0",
    [SL_SCALE_A] = "scale_a", [SL_SCALE_B] = "scale_b",     [SL_DATA1] = "data1",       [SL_SADDR] = "saddr",
    [SL_SRSRC] = "srsrc",     [SL_SSAMP] = "ssamp",
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

static uint32_t src0_of(enum isa_form form)
{
    enum { V2 = CODE_VGPR + 2 };

    if (form == FORM_SDWA)
        return CODE_SDWA;
    return isa_form_is_dpp8(form) ? CODE_DPP8 : isa_form_is_dpp16(form) ? CODE_DPP16 : V2;
}

/* An encoding of the row in that form, every source a vector register, with some more bits set in its words: whether
 * the decoder takes it says more than any list of rules could. */
static bool decodes_with(const struct isa_target *t, const struct isa_op *op, unsigned format, unsigned opcode,
                         enum isa_form form, uint32_t extra, const uint32_t more[2], struct isa_inst *i)
{
    enum { V4 = CODE_VGPR + 4, S6 = 6 };
    const struct isa_row *row = op->row;
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;
    uint32_t w[3] = {0}, src0 = src0_of(form), src1 = names(row, SL_SRC1) ? V4 : 0;
    unsigned vdst = names(row, SL_CMP_OUT) ? S6 : row->flags & RF_CMPX ? CODE_EXEC_LO : 0, n = 1;
    uint8_t bytes[12];

    if (format == FMT_VOP3 || format == FMT_VOP3P) {
        uint32_t vop3 = old ? 0xd0000000u : 0xd4000000u, vop3p = old ? 0xd3800000u : 0xcc000000u;

        w[0] = (format == FMT_VOP3 ? vop3 : vop3p) | opcode << 16 | vdst;
        w[0] |= names(row, SL_CARRY_OUT) ? (unsigned)S6 << 8 : 0;
        w[0] |= format == FMT_VOP3P && !(row->flags & RF_MAI) ? 1u << 14 : 0;
        w[1] = src0 | src1 << 9 | (format == FMT_VOP3P && !(row->flags & RF_MAI) ? 3u << 27 : 0);
        w[1] |= (uint32_t)(names(row, SL_SRC2) ? V4 : names(row, SL_CARRY_IN) ? S6 : 0) << 18;
        n = 2;
    } else if (format == FMT_VOP1) {
        w[0] = 0x7e000000u | opcode << 9 | src0;
    } else {
        w[0] = (format == FMT_VOPC ? 0x7c000000u | opcode << 17 : opcode << 25) | (src1 & 0xff) << 9 | src0;
    }
    w[n] = extra | (form == FORM_SDWA && src1 ? 6u << 24 : 0);
    w[0] |= more[0];
    w[1] |= more[1];
    for (unsigned k = 0; k < sizeof bytes; k++)
        bytes[k] = k / 4 <= n ? (uint8_t)(w[k / 4] >> 8 * (k % 4)) : 0;
    return isa_decode(t, bytes, sizeof bytes, i, NULL) && i->row == row && i->form == (uint8_t)form && !i->bad;
}

static bool decodes(const struct isa_target *t, const struct isa_op *op, unsigned format, unsigned opcode,
                    enum isa_form form, uint32_t extra)
{
    static const uint32_t none[2] = {0};
    struct isa_inst i;

    return decodes_with(t, op, format, opcode, form, extra, none, &i);
}

uint32_t isa_list_forms(const struct isa_target *t, enum isa_format f, unsigned opcode)
{
    enum { SDWA_DWORDS = 0x00060602, QUAD = 0xff00e402, NEWBCAST = 0xff015102, EIGHT = 0xfac68802 };
    const struct isa_op *op = &t->ops[f][opcode];
    bool vop = f == FMT_VOP1 || f == FMT_VOP2 || f == FMT_VOPC, vop3 = f == FMT_VOP3 || f == FMT_VOP3P;
    enum isa_form dpp16 = vop3 ? FORM_E64_DPP16 : FORM_DPP16, dpp8 = vop3 ? FORM_E64_DPP8 : FORM_DPP8;
    bool dual = f == FMT_VOPDX || f == FMT_VOPDY || f == FMT_VOPD3X || f == FMT_VOPD3Y;
    uint32_t m = 1u << (vop3 || f == FMT_VOP3PX ? FORM_E64 : dual ? FORM_VOPD : FORM_E32);

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

/* Forms of an instruction and of its VOP3 twin. */
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
    if ((row->flags & RF_GDS) && !row->exec) /* global wave sync is executed */
        return "gds";
    for (unsigned k = 0; k < sizeof list / sizeof list[0]; k++)
        if (strcmp(list[k][0], row->name) == 0)
            return list[k][1];
    return NULL;
}

static void fill(const struct isa_target *t, enum isa_format f, unsigned opcode, struct isa_listing *out)
{
    const struct isa_op *op = &t->ops[f][opcode];

    *out = (struct isa_listing){.op = op,
                                .format = f,
                                .opcode = opcode,
                                .forms = all_forms(t, f, opcode),
                                .executed = op->row->kind != ROW_WIDE || op->row->exec};
    if (out->executed)
        out->tested = out->forms & ~untested(t, op->row);
    else
        out->beyond = beyond(op->row, f);
}

/* The index-th cell that is an instruction of its own, of a row where that is not null. */
static bool find(const struct isa_target *t, const struct isa_row *row, unsigned index, enum isa_format *format,
                 unsigned *opcode)
{
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned k = 0; t->ops[f] && k < t->op_count[f]; k++) {
            const struct isa_op *op = &t->ops[f][k];
            if (!op->row || op->base_format != (enum isa_format)f || (row && op->row != row) || index--)
                continue;
            *format = (enum isa_format)f;
            *opcode = k;
            return true;
        }
    return false;
}

bool isa_list_at(const struct isa_target *t, unsigned index, struct isa_listing *out)
{
    enum isa_format f;
    unsigned opcode;

    if (!find(t, NULL, index, &f, &opcode))
        return false;
    fill(t, f, opcode, out);
    return true;
}

bool isa_list_row(const struct isa_target *t, const struct isa_row *row, unsigned index, struct isa_listing *out)
{
    enum isa_format f;
    unsigned opcode;

    if (!find(t, row, index, &f, &opcode))
        return false;
    fill(t, f, opcode, out);
    return true;
}

const struct isa_op *isa_list_op(const struct isa_target *t, unsigned *cursor)
{
    for (unsigned f = 0, at = 0; f < FMT_COUNT; at += t->op_count[f++])
        for (unsigned k = *cursor > at ? *cursor - at : 0; t->ops[f] && k < t->op_count[f]; k++)
            if (t->ops[f][k].row && t->ops[f][k].base_format == (enum isa_format)f) {
                *cursor = at + k + 1;
                return &t->ops[f][k];
            }
    return NULL;
}

const char *const isa_modifier_name[ISA_MODIFIERS] = {
#define X(E, NAME) [ISA_MOD_##E] = NAME,
    ISA_MODIFIER_LIST(X)
#undef X
};

/* Bits of the first or second word of VOP3 and VOP3P, and what they are: neg and abs of the first source stand for all
 * of them, like their op_sel. */
static uint32_t vop3_modifiers(const struct isa_target *t, unsigned format, unsigned opcode)
{
    static const struct {
        uint8_t modifier, word, bit, packed, sources;
    } bits[] = {
        {ISA_MOD_ABS, 0, 8, false, 3},    {ISA_MOD_NEG, 1, 29, false, 3},  {ISA_MOD_OP_SEL, 0, 11, false, 4},
        {ISA_MOD_OP_SEL, 0, 11, true, 3}, {ISA_MOD_NEG_HI, 0, 8, true, 3}, {ISA_MOD_NEG_LO, 1, 29, true, 3},
        {ISA_MOD_CLAMP, 0, 15, false, 1}, {ISA_MOD_CLAMP, 0, 15, true, 1}, {ISA_MOD_OMOD, 1, 27, false, 1},
    };
    const struct isa_op *op = &t->ops[format][opcode];
    bool packed = format == FMT_VOP3P;
    char plain[200] = "", text[200];
    struct isa_inst i;
    uint32_t m = 0;

    if (op->row->flags & RF_MAI)
        return op->row->mat ? 1u << ISA_MOD_CBSZ | 1u << ISA_MOD_ABID | 1u << ISA_MOD_BLGP : 0;
    if (decodes_with(t, op, format, opcode, FORM_E64, 0, (const uint32_t[2]){0}, &i))
        isa_text(t, &i, plain, sizeof plain);
    for (unsigned k = 0; k < sizeof bits / sizeof bits[0]; k++)
        for (unsigned s = 0; bits[k].packed == packed && s < bits[k].sources; s++) {
            uint32_t more[2] = {0};

            more[bits[k].word] = UINT32_C(1) << (bits[k].bit + s);
            if (!decodes_with(t, op, format, opcode, FORM_E64, 0, more, &i))
                continue;
            /* bits that the decoder ignores leave no trace, and those that mean nothing none in the text */
            isa_text(t, &i, text, sizeof text);
            bool there = (i.neg | i.abs | i.clamp | i.omod | i.neg_hi) && strcmp(text, plain) != 0;
            there |= bits[k].modifier == ISA_MOD_OP_SEL && i.op_sel;
            m |= (uint32_t)there << bits[k].modifier;
        }
    if (packed && m >> ISA_MOD_OP_SEL & 1)
        m |= 1u << ISA_MOD_OP_SEL_HI;
    return m;
}

static uint32_t memory_modifiers(const struct isa_target *t, enum isa_format f, const struct isa_row *row)
{
    enum { OLD_BITS = 1u << ISA_MOD_GLC | 1u << ISA_MOD_SLC };
    uint32_t offset = f == FMT_FLAT && t->layout == LAYOUT_GFX8 ? 0 : 1u << ISA_MOD_OFFSET;

    if (f == FMT_DS)
        return row->cls == OPC_INTERNAL ? 0 : 1u << ISA_MOD_OFFSET;
    if (t->layout == LAYOUT_GFX12)
        return offset | 1u << ISA_MOD_SCOPE | 1u << ISA_MOD_TH;
    if (f == FMT_SMEM)
        return offset | 1u << ISA_MOD_GLC | (isa_has(t, FEAT_CU_MODE_WGP) ? 1u << ISA_MOD_DLC : 0);
    if (isa_has(t, FEAT_SC_BITS))
        return offset | 1u << ISA_MOD_SC0 | 1u << ISA_MOD_SC1 | 1u << ISA_MOD_NT;
    return offset | OLD_BITS | (isa_has(t, FEAT_CU_MODE_WGP) ? 1u << ISA_MOD_DLC : 0);
}

uint32_t isa_list_modifiers(const struct isa_target *t, const struct isa_listing *l)
{
    const struct isa_row *row = l->op->row;
    uint32_t m = 0;

    if (l->format == FMT_VOP3 || l->format == FMT_VOP3P)
        return vop3_modifiers(t, l->format, l->opcode);
    for (unsigned k = 0; t->ops[FMT_VOP3] && k < t->op_count[FMT_VOP3]; k++) {
        const struct isa_op *twin = &t->ops[FMT_VOP3][k];
        if (twin->row == row && twin->base_format == l->format)
            m |= vop3_modifiers(t, FMT_VOP3, k);
    }
    bool moves = row->args[0].slot && !row->cache_control;
    bool memory = l->format == FMT_DS || l->format == FMT_SMEM || (l->format >= FMT_FLAT && l->format <= FMT_VBUFFER);
    return memory && moves ? memory_modifiers(t, l->format, row) : m;
}

uint32_t isa_list_counters(const struct isa_target *t, const struct isa_listing *l, bool returning)
{
    struct isa_inst i = {.row = l->op->row, .format = (uint8_t)l->format, .base_format = (uint8_t)l->format};

    i.opcode = (uint16_t)l->opcode;
    if (l->op->row->mem.op == MEM_ATOMIC) {
        i.u.mem.glc = returning;
        i.u.mem.th = returning;
    }
    return isa_inst_counters(t, &i);
}

const char *isa_bound_text(float ulp, char out[24])
{
    int exponent = 0;

    if (ulp == 0 || ulp == ISA_NO_BOUND)
        return ulp == 0 ? "exact" : "no bound";
    if (ulp >= 1024 && frexpf(ulp, &exponent) == 0.5f)
        snprintf(out, 24, "2^%d ULP", exponent - 1);
    else
        snprintf(out, 24, "%g ULP", (double)ulp);
    return out;
}

bool isa_bound_is_coarse(float ulp)
{
    return ulp >= 0x1p16f; /* no narrower result than a double's has so many */
}

const char *isa_bound_words(float ulp, char out[40])
{
    int exponent = 0;

    if (!isa_bound_is_coarse(ulp))
        return isa_bound_text(ulp, out);
    frexpf(ulp, &exponent);
    snprintf(out, 40, "a relative error of 2^%d", exponent - 1 - 52);
    return out;
}
