/* Reads the fields of each instruction format into one array indexed by slot. Field positions: AMD ISA manuals (GCN3,
 * Vega, RDNA1-4, CDNA2-3), checked against llvm-mc-19 by tests/golden.
 */
#include "isa/decode/parts.h"

void isa_vop_sources(struct isa_fields *f, unsigned s0, unsigned s1, unsigned s2)
{
    f->slot[SL_SRC0] = (uint16_t)s0;
    f->slot[SL_SRC1] = (uint16_t)s1;
    f->slot[SL_SRC2] = (uint16_t)s2;
    f->slot[SL_CARRY_IN] = (uint16_t)s2;
}

/* SDWA word after VOP1/2/C. */
static void sdwa_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint32_t x)
{
    bool sgpr = isa_has(t, FEAT_SDWA_SGPR);

    i->form = FORM_SDWA;
    f->slot[SL_SRC0] = (uint16_t)(FIELD(x, 0, 8) + (sgpr && (x >> 23 & 1) ? 0 : CODE_VGPR));
    if (sgpr && (x >> 31 & 1) && f->slot[SL_SRC1] != CODE_NONE)
        f->slot[SL_SRC1] -= CODE_VGPR;
    i->u.sdwa.src_sel[0] = (uint8_t)FIELD(x, 16, 3);
    i->u.sdwa.src_sel[1] = (uint8_t)FIELD(x, 24, 3);
    i->u.sdwa.sext = (uint8_t)(FIELD(x, 19, 1) | FIELD(x, 27, 1) << 1);
    i->neg = (uint8_t)(FIELD(x, 20, 1) | FIELD(x, 28, 1) << 1);
    i->abs = (uint8_t)(FIELD(x, 21, 1) | FIELD(x, 29, 1) << 1);
    if (i->format == FMT_VOPC && sgpr) {
        f->slot[SL_CMP_OUT] = (uint16_t)(x >> 15 & 1 ? FIELD(x, 8, 7) : CODE_VCC_LO);
        i->u.sdwa.dst_sel = 6;
        return;
    }
    i->u.sdwa.dst_sel = (uint8_t)FIELD(x, 8, 3);
    i->u.sdwa.dst_unused = (uint8_t)FIELD(x, 11, 2);
    i->clamp = (uint8_t)FIELD(x, 13, 1);
    i->omod = sgpr ? (uint8_t)FIELD(x, 14, 2) : 0;
}

static void dpp16_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint32_t x)
{
    f->slot[SL_SRC0] = (uint16_t)(FIELD(x, 0, 8) + CODE_VGPR);
    i->u.dpp.ctrl = (uint16_t)FIELD(x, 8, 9);
    i->u.dpp.fi = isa_has(t, FEAT_DPP_ROW_SHARE) ? (uint8_t)FIELD(x, 18, 1) : 0;
    i->u.dpp.bound_ctrl = (uint8_t)FIELD(x, 19, 1);
    i->u.dpp.bank_mask = (uint8_t)FIELD(x, 24, 4);
    i->u.dpp.row_mask = (uint8_t)FIELD(x, 28, 4);
    if (i->form == FORM_DPP16) {
        i->neg = (uint8_t)(FIELD(x, 20, 1) | FIELD(x, 22, 1) << 1);
        i->abs = (uint8_t)(FIELD(x, 21, 1) | FIELD(x, 23, 1) << 1);
    }
}

static void dpp8_fields(struct isa_fields *f, struct isa_inst *i, uint32_t x, bool fi)
{
    f->slot[SL_SRC0] = (uint16_t)(FIELD(x, 0, 8) + CODE_VGPR);
    i->u.dpp.sel8 = x >> 8;
    i->u.dpp.fi = fi;
}

bool isa_legal_dpp_ctrl(const struct isa_target *t, unsigned c)
{
    switch (c >> 4) {
    case 0x10: /* row_shl, row_shr, row_ror by 1 to 15 */
    case 0x11:
    case 0x12:
        return c & 15;
    case 0x13:
        return !(c & 3) && isa_has(t, FEAT_DPP_WAVE);
    case 0x14: /* row_mirror, row_half_mirror, row_bcast */
        return c <= 0x141 || (c <= 0x143 && isa_has(t, FEAT_DPP_WAVE));
    case 0x15:
        return isa_has(t, FEAT_DPP_ROW_SHARE) || isa_has(t, FEAT_DPP_ROW_NEWBCAST);
    case 0x16:
        return isa_has(t, FEAT_DPP_ROW_SHARE);
    default:
        return c <= 0xff;
    }
}

/* After the base fields: does src0 announce an extra word? Returns bytes added, or -1 when the form is not legal. */
int isa_extra_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code,
                   size_t size, unsigned at)
{
    unsigned s0 = f->slot[SL_SRC0];
    bool vop3 = i->format == FMT_VOP3 || i->format == FMT_VOP3P;

    if (s0 != CODE_SDWA && s0 != CODE_DPP16 && s0 != CODE_DPP8 && s0 != CODE_DPP8_FI)
        return 0;
    if (size < at + 4)
        return -1;
    uint32_t x = load_u32(code + at);
    if (s0 == CODE_SDWA) {
        if (vop3 || !isa_has(t, FEAT_SDWA))
            return -1;
        if (i->format == FMT_VOPC && isa_has(t, FEAT_CMPX_EXEC_ONLY) && (i->row->flags & RF_CMPX) && (x & 0x8000))
            return -1; /* no sdst */
        uint32_t src1 = i->format != FMT_VOP1 ? 0 : isa_has(t, FEAT_SDWA_SGPR) ? 0xbf000000 : 0x3f000000;
        if (x & src1)
            isa_ignore(i, ISA_FIELD_SDWA_SRC1);
        x &= ~src1;
        if ((i->row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY) && (x >> 15 & 1)) /* no sdst */
            return -1;
        sdwa_fields(t, f, i, x);
        if ((i->u.sdwa.dst_sel == 7 && i->format != FMT_VOPC) || i->u.sdwa.src_sel[0] == 7 || i->u.sdwa.src_sel[1] == 7)
            return -1;
        if (i->u.sdwa.dst_unused == 3 && i->format != FMT_VOPC)
            i->bad |= ISA_BAD_SDWA;
        return 4;
    }
    if (vop3 && !isa_has(t, FEAT_VOP3_DPP))
        return -1;
    if (s0 == CODE_DPP16) {
        if (!isa_has(t, FEAT_DPP))
            return -1;
        i->form = vop3 ? FORM_E64_DPP16 : FORM_DPP16;
        dpp16_fields(t, f, i, x);
        if (!isa_legal_dpp_ctrl(t, i->u.dpp.ctrl))
            i->bad |= ISA_BAD_DPP;
        return 4;
    }
    if (!isa_has(t, FEAT_DPP8))
        return s0 < CODE_SHARED_BASE ? -1 : 0;
    i->form = vop3 ? FORM_E64_DPP8 : FORM_DPP8;
    dpp8_fields(f, i, x, s0 == CODE_DPP8_FI);
    return 4;
}

/* v_nop takes such a word as well, before gfx11, when no register and no modifier stands in it; otherwise the word is
 * the next instruction. */
int isa_nop_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code, size_t size,
                 unsigned at)
{
    unsigned s0 = f->slot[SL_SRC0];
    bool sdwa = s0 == CODE_SDWA, dpp8 = s0 == CODE_DPP8 || s0 == CODE_DPP8_FI;
    uint32_t unused = dpp8 ? 0xff : !sdwa ? 0x00f000ff : isa_has(t, FEAT_SDWA_SGPR) ? 0xbfbfe0ff : 0x3f3f20ff;

    if ((!sdwa && !dpp8 && s0 != CODE_DPP16) || (dpp8 && !isa_has(t, FEAT_DPP8)) || isa_has(t, FEAT_VOP3_DPP) ||
        size < at + 4 || (load_u32(code + at) & unused))
        return 0;
    if (!sdwa)
        return isa_extra_word(t, f, i, code, size, at);
    i->form = FORM_SDWA;
    return 4;
}

static void sop_fields(struct isa_fields *f, struct isa_inst *i, uint32_t w)
{
    switch (i->format) {
    case FMT_SOP2:
        i->opcode = (uint16_t)FIELD(w, 23, 7);
        f->slot[SL_SDST] = (uint16_t)FIELD(w, 16, 7);
        f->slot[SL_SRC0] = (uint16_t)FIELD(w, 0, 8);
        f->slot[SL_SRC1] = (uint16_t)FIELD(w, 8, 8);
        break;
    case FMT_SOPK:
        i->opcode = (uint16_t)FIELD(w, 23, 5);
        f->slot[SL_SDST] = (uint16_t)FIELD(w, 16, 7);
        i->offset = (int16_t)w;
        break;
    case FMT_SOP1:
        i->opcode = (uint16_t)FIELD(w, 8, 8);
        f->slot[SL_SDST] = (uint16_t)FIELD(w, 16, 7);
        f->slot[SL_SRC0] = (uint16_t)FIELD(w, 0, 8);
        break;
    case FMT_SOPC:
        i->opcode = (uint16_t)FIELD(w, 16, 7);
        f->slot[SL_SRC0] = (uint16_t)FIELD(w, 0, 8);
        f->slot[SL_SRC1] = (uint16_t)FIELD(w, 8, 8);
        break;
    default: /* SOPP */
        i->opcode = (uint16_t)FIELD(w, 16, 7);
        i->offset = (int16_t)w;
        break;
    }
}

static void vop_fields(struct isa_fields *f, struct isa_inst *i, uint32_t w)
{
    unsigned s1 = CODE_VGPR + FIELD(w, 9, 8);

    f->slot[SL_CARRY_OUT] = f->slot[SL_CMP_OUT] = CODE_VCC_LO;
    if (i->format == FMT_VOP1) {
        i->opcode = (uint16_t)FIELD(w, 9, 8);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 17, 8);
        isa_vop_sources(f, FIELD(w, 0, 9), CODE_NONE, CODE_NONE);
    } else if (i->format == FMT_VOP2) {
        i->opcode = (uint16_t)FIELD(w, 25, 6);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 17, 8);
        isa_vop_sources(f, FIELD(w, 0, 9), s1, CODE_NONE);
    } else {
        i->opcode = (uint16_t)FIELD(w, 17, 8);
        isa_vop_sources(f, FIELD(w, 0, 9), s1, CODE_NONE);
    }
    f->slot[SL_CARRY_IN] = CODE_VCC_LO;
}

static void vop3_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    i->form = FORM_E64;
    i->opcode = (uint16_t)FIELD(w, 16, 10);
    f->slot[SL_VDST] = f->slot[SL_CMP_OUT] = (uint16_t)FIELD(w, 0, 8);
    f->slot[SL_CARRY_OUT] = (uint16_t)FIELD(w, 8, 7);
    isa_vop_sources(f, FIELD(w, 32, 9), FIELD(w, 41, 9), FIELD(w, 50, 9));
    i->abs = (uint8_t)FIELD(w, 8, 3);
    i->op_sel = isa_has(t, FEAT_OP_SEL) ? (uint8_t)FIELD(w, 11, 4) : 0;
    i->clamp = (uint8_t)FIELD(w, 15, 1);
    i->omod = (uint8_t)FIELD(w, 59, 2);
    i->neg = (uint8_t)FIELD(w, 61, 3);
}

/* VOP3SD rows (a carry-out mask) have sdst where others have abs and op_sel. */
void isa_vop3sd_fix(struct isa_inst *i)
{
    i->abs = 0;
    i->op_sel = 0;
}

static void vop3p_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    i->form = FORM_E64;
    i->opcode = (uint16_t)FIELD(w, 16, old ? 7 : 8);
    f->slot[SL_VDST] = (uint16_t)FIELD(w, 0, 8);
    isa_vop_sources(f, FIELD(w, 32, 9), FIELD(w, 41, 9), FIELD(w, 50, 9));
    i->neg_hi = (uint8_t)FIELD(w, 8, 3);
    i->op_sel = (uint8_t)FIELD(w, 11, 3);
    i->op_sel_hi = (uint8_t)(FIELD(w, 59, 2) | FIELD(w, 14, 1) << 2);
    i->clamp = (uint8_t)FIELD(w, 15, 1);
    i->neg = (uint8_t)FIELD(w, 61, 3);
}

/* The matrix encoding puts other fields where VOP3P has its modifiers; gfx908's C and D are AGPRs always. */
void isa_mai_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    bool acc_cd = FIELD(w, 15, 1) || !isa_has(t, FEAT_AGPR_UNIFIED);

    i->neg_hi = i->op_sel = i->clamp = i->neg = 0;
    i->op_sel_hi = 7;
    if (!i->row->mat)
        return;
    i->u.mai = (struct isa_mai){
        .cbsz = (uint8_t)FIELD(w, 8, 3), .abid = (uint8_t)FIELD(w, 11, 4), .blgp = (uint8_t)FIELD(w, 61, 3)};
    f->acc_data = acc_cd;
    f->acc_src = (uint8_t)(FIELD(w, 59, 2) | (acc_cd && i->row->mat->kind == MAT_MFMA) << 2);
}

void isa_scale_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t scales)
{
    f->slot[SL_SCALE_A] = (uint16_t)FIELD(scales, 32, 9);
    f->slot[SL_SCALE_B] = (uint16_t)FIELD(scales, 41, 9);
    if (t->layout != LAYOUT_GFX12) {
        i->op_sel = (uint8_t)FIELD(scales, 11, 2);
        i->op_sel_hi = (uint8_t)FIELD(scales, 59, 2);
        return;
    }
    if (FIELD(scales, 50, 9) != CODE_VGPR)
        isa_ignore(i, ISA_FIELD_SRC2);
    i->u.mai.scale[0].row = (uint8_t)FIELD(scales, 11, 1);
    i->u.mai.scale[1].row = (uint8_t)FIELD(scales, 59, 1);
    i->u.mai.scale[0].format = (uint8_t)FIELD(scales, 61, 2);
    i->u.mai.scale[1].format = (uint8_t)FIELD(scales, 8, 2);
    i->u.mai.scale[0].again = (uint8_t)FIELD(scales, 13, 1);
    i->u.mai.scale[1].again = (uint8_t)FIELD(scales, 14, 1);
}

/* gfx1250 wants v0 where others have a third source; anything else is as wrong as a wrong op_sel_hi. */
void isa_load_scale_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    i->neg = i->neg_hi = 0;
    if (t->layout != LAYOUT_GFX12)
        return;
    isa_scale_fields(t, f, i, w);
    i->op_sel = 0;
    i->op_sel_hi = f->slot[SL_SRC2] == CODE_VGPR ? 7 : 0;
}

static void ds_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    i->opcode = (uint16_t)(old ? FIELD(w, 17, 8) : FIELD(w, 18, 8));
    i->u.mem.gds = t->layout == LAYOUT_GFX12 ? 0 : (uint8_t)(old ? FIELD(w, 16, 1) : FIELD(w, 17, 1));
    i->offset = (int32_t)FIELD(w, 0, 16);
    f->slot[SL_ADDR] = f->slot[SL_GWS] = (uint16_t)FIELD(w, 32, 8);
    f->slot[SL_DATA0] = (uint16_t)FIELD(w, 40, 8);
    f->slot[SL_DATA1] = (uint16_t)FIELD(w, 48, 8);
    f->slot[SL_VDST] = (uint16_t)FIELD(w, 56, 8);
    f->acc_data = isa_has(t, FEAT_AGPR_UNIFIED) && FIELD(w, 25, 1);
}

static void smem_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    struct isa_membits *m = &i->u.mem;
    unsigned offset_bits = t->layout == LAYOUT_GFX8 ? 20 : t->layout == LAYOUT_GFX12 ? 24 : 21;
    bool have_soffset = true, have_imm = true;

    f->slot[SL_SBASE] = (uint16_t)(FIELD(w, 0, 6) << 1);
    f->slot[SL_SDST] = (uint16_t)FIELD(w, 6, 7);
    i->opcode = (uint16_t)(t->layout == LAYOUT_GFX12 ? FIELD(w, 13, 6) : FIELD(w, 18, 8));
    unsigned raw = FIELD(w >> 32, 0, 24) & ((1u << offset_bits) - 1);
    unsigned soffset = FIELD(w >> 57, 0, 7);
    switch (t->layout) {
    case LAYOUT_GFX8:
        m->glc = (uint8_t)FIELD(w, 16, 1);
        m->imm = (uint8_t)FIELD(w, 17, 1);
        have_imm = m->imm;
        have_soffset = !m->imm;
        soffset = FIELD(w >> 32, 0, 7);
        break;
    case LAYOUT_GFX9:
        m->glc = (uint8_t)FIELD(w, 16, 1);
        m->imm = (uint8_t)FIELD(w, 17, 1);
        m->soffset_en = (uint8_t)FIELD(w, 14, 1);
        m->nv = (uint8_t)FIELD(w, 15, 1);
        have_imm = m->imm;
        have_soffset = m->soffset_en || !m->imm;
        if (!m->soffset_en)
            soffset = FIELD(w >> 32, 0, 7);
        break;
    case LAYOUT_GFX10:
        m->glc = (uint8_t)FIELD(w, 16, 1);
        m->dlc = (uint8_t)FIELD(w, 14, 1);
        break;
    case LAYOUT_GFX11:
        m->glc = (uint8_t)FIELD(w, 14, 1);
        m->dlc = (uint8_t)FIELD(w, 13, 1);
        break;
    case LAYOUT_GFX12:
        m->scope = (uint8_t)FIELD(w, 21, 2);
        m->th = (uint8_t)FIELD(w, 23, 2);
        if (isa_has(t, FEAT_SCALE_OFFSET)) {
            m->nv = (uint8_t)FIELD(w, 20, 1);
            m->scale = (uint8_t)FIELD(w >> 32, 24, 1);
        }
        break;
    }
    i->offset = !have_imm ? 0 : isa_has(t, FEAT_NEG_SMEM) ? (int32_t)bits_sext(raw, offset_bits) : (int32_t)raw;
    m->imm = have_imm;
    f->slot[SL_SOFFSET] = have_soffset && soffset != t->code_null ? (uint16_t)soffset : CODE_NONE;
}

static void flat_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    static const uint8_t by_seg[4] = {FMT_FLAT, FMT_SCRATCH, FMT_GLOBAL, FMT_FLAT};
    struct isa_membits *m = &i->u.mem;
    unsigned bits = 13;

    i->opcode = (uint16_t)FIELD(w, 18, 7);
    f->slot[SL_ADDR] = (uint16_t)FIELD(w, 32, 8);
    f->slot[SL_DATA0] = (uint16_t)FIELD(w, 40, 8);
    f->slot[SL_SADDR] = (uint16_t)FIELD(w, 48, 7);
    f->slot[SL_VDST] = (uint16_t)FIELD(w, 56, 8);
    m->glc = (uint8_t)FIELD(w, 16, 1);
    m->slc = (uint8_t)FIELD(w, 17, 1);
    switch (t->layout) {
    case LAYOUT_GFX8:
        m->tfe = (uint8_t)FIELD(w, 55, 1);
        i->literal = FIELD(w, 0, 13); /* no offset, but it stands in LLVM's text */
        f->slot[SL_SADDR] = CODE_NONE;
        return;
    case LAYOUT_GFX9:
        m->seg = (uint8_t)FIELD(w, 14, 2);
        if (isa_has(t, FEAT_ARCH_FLAT_SCRATCH))
            f->sve = FIELD(w, 13, 1);
        else
            m->lds = (uint8_t)FIELD(w, 13, 1);
        if (isa_has(t, FEAT_AGPR_UNIFIED)) {
            f->acc_data = FIELD(w, 55, 1);
            m->scc = (uint8_t)FIELD(w, 25, 1);
        } else {
            m->nv = (uint8_t)FIELD(w, 55, 1);
        }
        break;
    case LAYOUT_GFX10:
        m->lds = (uint8_t)FIELD(w, 13, 1);
        m->seg = (uint8_t)FIELD(w, 14, 2);
        m->dlc = (uint8_t)FIELD(w, 12, 1);
        bits = 12;
        break;
    default: /* gfx11 */
        m->seg = (uint8_t)FIELD(w, 16, 2);
        m->dlc = (uint8_t)FIELD(w, 13, 1);
        m->glc = (uint8_t)FIELD(w, 14, 1);
        m->slc = (uint8_t)FIELD(w, 15, 1);
        f->sve = FIELD(w, 55, 1);
        break;
    }
    if (m->seg == 3)
        i->opcode = UINT16_MAX; /* no such segment */
    i->format = by_seg[m->seg];
    unsigned raw = FIELD(w, 0, 13) & ((1u << bits) - 1);
    /* the flat segment takes no negative offset: the top bit is not part of it */
    if (m->seg == 0)
        i->literal = raw; /* all of it stands in the text */
    if (m->seg == 0)
        i->offset = (int32_t)(raw & ((1u << (bits - 1)) - 1));
    else
        i->offset = (int32_t)bits_sext(raw, bits);
}

/* gfx12's three-word memory formats share their field positions. */
static void vmem12_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    struct isa_membits *m = &i->u.mem;

    if (isa_has(t, FEAT_SCALE_OFFSET)) {
        m->nv = (uint8_t)FIELD(w, 7, 1);
        m->scale = i->format != FMT_VBUFFER ? (uint8_t)FIELD(w, 48, 1) : 0;
    }
    i->opcode = (uint16_t)FIELD(w, 14, 8);
    m->scope = (uint8_t)FIELD(w, 50, 2);
    m->th = (uint8_t)FIELD(w, 52, 3);
    i->offset = (int32_t)bits_sext(w2 >> 8, 24);
    f->slot[SL_ADDR] = (uint16_t)(w2 & 0xff);
    if (i->format == FMT_VBUFFER) {
        f->slot[SL_SOFFSET] = (uint16_t)FIELD(w, 0, 7);
        f->slot[SL_VDST] = f->slot[SL_DATA0] = (uint16_t)FIELD(w, 32, 8);
        f->slot[SL_SRSRC] = (uint16_t)FIELD(w, 41, 9);
        m->tfe = (uint8_t)FIELD(w, 22, 1);
        m->format = (uint8_t)FIELD(w, 55, 7);
        m->offen = (uint8_t)FIELD(w, 62, 1);
        m->idxen = (uint8_t)FIELD(w, 63, 1);
    } else {
        f->slot[SL_SADDR] = (uint16_t)FIELD(w, 0, 7);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 32, 8);
        f->sve = FIELD(w, 49, 1);
        f->slot[SL_DATA0] = (uint16_t)FIELD(w, 55, 8);
    }
}

static void mubuf_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    struct isa_membits *m = &i->u.mem;

    i->opcode = (uint16_t)FIELD(w, 18, 7);
    i->offset = (int32_t)FIELD(w, 0, 12);
    f->slot[SL_ADDR] = (uint16_t)FIELD(w, 32, 8);
    f->slot[SL_VDST] = f->slot[SL_DATA0] = (uint16_t)FIELD(w, 40, 8);
    f->slot[SL_SRSRC] = (uint16_t)(FIELD(w, 48, 5) << 2);
    f->slot[SL_SOFFSET] = (uint16_t)FIELD(w, 56, 8);
    m->offen = (uint8_t)FIELD(w, 12, 1);
    m->idxen = (uint8_t)FIELD(w, 13, 1);
    m->glc = (uint8_t)FIELD(w, 14, 1);
    if (i->format == FMT_MUBUF)
        m->lds = (uint8_t)FIELD(w, 16, 1);
    m->tfe = (uint8_t)FIELD(w, 55, 1);
    switch (t->layout) {
    case LAYOUT_GFX8:
    case LAYOUT_GFX9:
        m->slc = (uint8_t)(i->format == FMT_MUBUF ? FIELD(w, 17, 1) : FIELD(w, 54, 1));
        if (isa_has(t, FEAT_AGPR_UNIFIED)) {
            f->acc_data = FIELD(w, 55, 1);
            m->tfe = 0;
            m->scc = (uint8_t)(i->format == FMT_MUBUF ? FIELD(w, 15, 1) : FIELD(w, 53, 1));
        }
        break;
    case LAYOUT_GFX10:
        m->slc = (uint8_t)FIELD(w, 54, 1);
        m->dlc = (uint8_t)FIELD(w, 15, 1);
        if (i->format == FMT_MUBUF)
            i->opcode = (uint16_t)FIELD(w, 18, 8);
        break;
    default: /* gfx11 */
        m->slc = (uint8_t)FIELD(w, 12, 1);
        m->dlc = (uint8_t)FIELD(w, 13, 1);
        m->tfe = (uint8_t)FIELD(w, 53, 1);
        m->offen = (uint8_t)FIELD(w, 54, 1);
        m->idxen = (uint8_t)FIELD(w, 55, 1);
        m->lds = 0;
        if (i->format == FMT_MUBUF)
            i->opcode = (uint16_t)FIELD(w, 18, 8);
        break;
    }
    if (i->format == FMT_MTBUF) {
        m->format = (uint8_t)FIELD(w, 19, 7);
        m->dfmt = (uint8_t)FIELD(w, 19, 4);
        m->nfmt = (uint8_t)FIELD(w, 23, 3);
        i->opcode = (uint16_t)(t->layout == LAYOUT_GFX10 ? FIELD(w, 16, 3) | FIELD(w, 53, 1) << 3 : FIELD(w, 15, 4));
    }
}

/* saddr "off" is null on targets that have one, 0x7f on others; gfx10.3's scratch takes both, gfx10.1's where it loads
 * to LDS (as LLVM has it). */
static bool normalise_saddr(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i)
{
    bool off_7f = t->layout == LAYOUT_GFX9 || (t->layout == LAYOUT_GFX10 && i->format == FMT_SCRATCH &&
                                               (i->u.mem.lds || isa_has(t, FEAT_SADDR_7F)));
    bool none = f->slot[SL_SADDR] == t->code_null || (f->slot[SL_SADDR] == 0x7f && off_7f);

    if (i->format == FMT_FLAT) {
        bool absent = !isa_has(t, FEAT_NULL_SGPR) || f->slot[SL_SADDR] == t->code_null;
        if (absent || !isa_has(t, FEAT_FLAT_SADDR))
            f->slot[SL_SADDR] = CODE_NONE;
        return absent || isa_has(t, FEAT_FLAT_SADDR);
    }
    /* gfx8-gfx10 scratch: a register or an SGPR, not both, on gfx10.3 0x7f for neither; where flat_scratch is
     * hardware's a bit says whether the VGPR counts */
    f->scratch_vaddr = isa_has(t, FEAT_ARCH_FLAT_SCRATCH) ? f->sve
                       : isa_has(t, FEAT_NULL_SGPR)       ? f->slot[SL_SADDR] == t->code_null
                                                          : none;
    if (none)
        f->slot[SL_SADDR] = CODE_NONE;
    return true;
}

/* The encoding of gfx12's images with four groups of SGPRs: the last two may be absent, together. */
static bool tensor_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    static const uint64_t zero = UINT64_C(0x0083feff00000060);
    struct isa_membits *m = &i->u.mem;

    i->opcode = (uint16_t)FIELD(w, 14, 8);
    m->nv = (uint8_t)FIELD(w, 7, 1);
    m->scope = (uint8_t)FIELD(w, 50, 2);
    m->th = (uint8_t)FIELD(w, 52, 3);
    m->r128 = (uint8_t)FIELD(w, 4, 1);
    f->slot[SL_SRC0] = (uint16_t)FIELD(w2, 0, 8);
    f->slot[SL_SRC1] = (uint16_t)FIELD(w2, 8, 8);
    if (FIELD(w2, 16, 8) != t->code_null || FIELD(w2, 24, 8) != t->code_null) {
        f->slot[SL_SRC2] = (uint16_t)FIELD(w2, 16, 8);
        f->slot[SL_SRC3] = (uint16_t)FIELD(w2, 24, 8);
    }
    if (FIELD(w, 0, 3) != 1)
        isa_ignore(i, ISA_FIELD_DIM);
    if (FIELD(w, 22, 4) != 1)
        isa_ignore(i, ISA_FIELD_DMASK);
    if (FIELD(w, 56, 8) != t->code_null)
        isa_ignore(i, ISA_FIELD_VADDR4);
    return !(w & zero);
}

bool isa_read_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    switch (i->format) {
    case FMT_SOP1:
    case FMT_SOP2:
    case FMT_SOPC:
    case FMT_SOPK:
    case FMT_SOPP:
        sop_fields(f, i, (uint32_t)w);
        return true;
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC:
        vop_fields(f, i, (uint32_t)w);
        return true;
    case FMT_VOP3:
        vop3_fields(t, f, i, w);
        return true;
    case FMT_VOP3P:
        vop3p_fields(t, f, i, w);
        return true;
    case FMT_DS:
        ds_fields(t, f, i, w);
        return true;
    case FMT_SMEM:
        smem_fields(t, f, i, w);
        return true;
    case FMT_VINTRP:
    case FMT_VINTERP:
    case FMT_LDSDIR:
    case FMT_EXP:
        isa_gfx_fields(t, f, i, w);
        return true;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        if (t->layout == LAYOUT_GFX12)
            vmem12_fields(t, f, i, w, w2);
        else
            flat_fields(t, f, i, w);
        return normalise_saddr(t, f, i);
    case FMT_VBUFFER:
        vmem12_fields(t, f, i, w, w2);
        return true;
    case FMT_MUBUF:
    case FMT_MTBUF:
        mubuf_fields(t, f, i, w);
        return true;
    case FMT_TENSOR:
        return tensor_fields(t, f, i, w, w2);
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE:
        isa_image_fields(t, f, i, w, w2);
        return true;
    default:
        return false;
    }
}
