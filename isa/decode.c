/* Bytes to instructions. A format is recognised by its leading bits; its fields fill one slot array; the row's
 * argument list turns slots into operands. Field positions: AMD ISA manuals (GCN3, Vega, RDNA1-4, CDNA2-3), checked
 * against llvm-mc-19 by tests/golden.
 */
#include "isa/decode.h"

#include <string.h>

#include "isa/scalar.h"
#include "isa/variant.h"

struct pattern {
    uint32_t mask, match;
    uint8_t format, bytes;
};

static const struct pattern gfx8_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff800000, 0xd3800000, FMT_VOP3P, 8},
    {0xfc000000, 0xd0000000, FMT_VOP3, 8},
    {0xfc000000, 0xd4000000, FMT_VINTRP, 4},
    {0xfc000000, 0xc0000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xc4000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx10_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff000000, 0xcc000000, FMT_VOP3P, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xc8000000, FMT_VINTRP, 4},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx11_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff000000, 0xcc000000, FMT_VOP3P, 8},
    {0xff000000, 0xcd000000, FMT_VINTERP, 8},
    {0xff000000, 0xce000000, FMT_LDSDIR, 4},
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx12_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff000000, 0xcc000000, FMT_VOP3P, 8},
    {0xff000000, 0xcd000000, FMT_VINTERP, 8},
    {0xff000000, 0xce000000, FMT_LDSDIR, 4},
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xc4000000, FMT_VBUFFER, 12},
    {0xfc000000, 0xd0000000, FMT_VIMAGE, 12},
    {0xfc000000, 0xe4000000, FMT_VSAMPLE, 12},
    {0xff000000, 0xec000000, FMT_FLAT, 12},
    {0xff000000, 0xed000000, FMT_SCRATCH, 12},
    {0xff000000, 0xee000000, FMT_GLOBAL, 12},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0, 0, FMT_COUNT, 0},
};

static const struct pattern *const layout_patterns[] = {
    [LAYOUT_GFX8] = gfx8_patterns,   [LAYOUT_GFX9] = gfx8_patterns,   [LAYOUT_GFX10] = gfx10_patterns,
    [LAYOUT_GFX11] = gfx11_patterns, [LAYOUT_GFX12] = gfx12_patterns,
};

void isa_fill_encodings(struct isa_target *t)
{
    const struct pattern *all = layout_patterns[t->layout];

    for (uint32_t top = 0; top < 512; top++) { /* no pattern looks at more than nine bits */
        unsigned k = 0;
        while (all[k].bytes && (top << 23 & all[k].mask) != all[k].match)
            k++;
        t->encoding[top] = (uint8_t)k;
    }
}

#define FIELD(v, lo, len) ((unsigned)((v) >> (lo)) & ((1u << (len)) - 1))

static void clear_fields(struct isa_fields *f)
{
    for (unsigned k = 0; k < SL_COUNT; k++)
        f->slot[k] = CODE_NONE;
}

static void vop_sources(struct isa_fields *f, unsigned s0, unsigned s1, unsigned s2)
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

static bool legal_dpp_ctrl(const struct isa_target *t, unsigned c)
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
static int extra_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code,
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
        sdwa_fields(t, f, i, x);
        if (i->u.sdwa.dst_sel == 7 || i->u.sdwa.src_sel[0] == 7 || i->u.sdwa.src_sel[1] == 7 ||
            i->u.sdwa.dst_unused == 3)
            return -1;
        return 4;
    }
    if (vop3 && !isa_has(t, FEAT_VOP3_DPP))
        return -1;
    if (s0 == CODE_DPP16) {
        if (!isa_has(t, FEAT_DPP))
            return -1;
        i->form = vop3 ? FORM_E64_DPP16 : FORM_DPP16;
        dpp16_fields(t, f, i, x);
        return legal_dpp_ctrl(t, i->u.dpp.ctrl) ? 4 : -1;
    }
    if (!isa_has(t, FEAT_DPP8))
        return s0 < CODE_SHARED_BASE ? -1 : 0;
    i->form = vop3 ? FORM_E64_DPP8 : FORM_DPP8;
    dpp8_fields(f, i, x, s0 == CODE_DPP8_FI);
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
        vop_sources(f, FIELD(w, 0, 9), CODE_NONE, CODE_NONE);
    } else if (i->format == FMT_VOP2) {
        i->opcode = (uint16_t)FIELD(w, 25, 6);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 17, 8);
        vop_sources(f, FIELD(w, 0, 9), s1, CODE_NONE);
    } else {
        i->opcode = (uint16_t)FIELD(w, 17, 8);
        vop_sources(f, FIELD(w, 0, 9), s1, CODE_NONE);
    }
    f->slot[SL_CARRY_IN] = CODE_VCC_LO;
}

static void vop3_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    i->form = FORM_E64;
    i->opcode = (uint16_t)FIELD(w, 16, 10);
    f->slot[SL_VDST] = f->slot[SL_CMP_OUT] = (uint16_t)FIELD(w, 0, 8);
    f->slot[SL_CARRY_OUT] = (uint16_t)FIELD(w, 8, 7);
    vop_sources(f, FIELD(w, 32, 9), FIELD(w, 41, 9), FIELD(w, 50, 9));
    i->abs = (uint8_t)FIELD(w, 8, 3);
    i->op_sel = isa_has(t, FEAT_OP_SEL) ? (uint8_t)FIELD(w, 11, 4) : 0;
    i->clamp = (uint8_t)FIELD(w, 15, 1);
    i->omod = (uint8_t)FIELD(w, 59, 2);
    i->neg = (uint8_t)FIELD(w, 61, 3);
}

/* VOP3SD rows (a carry-out mask) have sdst where others have abs and op_sel. */
static void vop3sd_fix(struct isa_inst *i)
{
    i->abs = 0;
    i->op_sel = 0;
}

static void vop3p_fields(struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    i->form = FORM_E64;
    i->opcode = (uint16_t)FIELD(w, 16, 7);
    f->slot[SL_VDST] = (uint16_t)FIELD(w, 0, 8);
    vop_sources(f, FIELD(w, 32, 9), FIELD(w, 41, 9), FIELD(w, 50, 9));
    i->neg_hi = (uint8_t)FIELD(w, 8, 3);
    i->op_sel = (uint8_t)FIELD(w, 11, 3);
    i->op_sel_hi = (uint8_t)(FIELD(w, 59, 2) | FIELD(w, 14, 1) << 2);
    i->clamp = (uint8_t)FIELD(w, 15, 1);
    i->neg = (uint8_t)FIELD(w, 61, 3);
}

/* The matrix encoding puts other fields where VOP3P has its modifiers; gfx908's C and D are AGPRs always. */
static void mai_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    bool acc_cd = FIELD(w, 15, 1) || !isa_has(t, FEAT_AGPR_UNIFIED);

    i->neg_hi = i->op_sel = i->clamp = i->neg = 0;
    i->op_sel_hi = 7;
    if (!i->row->mat)
        return;
    i->u.mai = (struct isa_mai){(uint8_t)FIELD(w, 8, 3), (uint8_t)FIELD(w, 11, 4), (uint8_t)FIELD(w, 61, 3)};
    f->acc_data = acc_cd;
    f->acc_src = (uint8_t)(FIELD(w, 59, 2) | (acc_cd && i->row->mat->kind == MAT_MFMA) << 2);
}

/* Which modifiers a matrix instruction may carry. Null: as they should be. */
static const char *matrix_modifiers(const struct isa_inst *i)
{
    const struct isa_matrix *m = i->row->mat;
    bool split = m->kind != MAT_WMMA;

    if (i->row->flags & RF_MAI)
        return m->kind == MAT_SMFMAC && i->u.mai.blgp ? "no blgp here" : NULL;
    if (m->kind == MAT_SWMMAC ? i->op_sel > 3 : i->op_sel && !(m->mods & MM_OP_SEL))
        return "op_sel means nothing here";
    if (split && i->op_sel_hi != 7)
        return "op_sel_hi means nothing here";
    if (i->clamp && !(m->mods & MM_SIGN))
        return "no clamp here";
    unsigned lo = (m->mods & (MM_NEG | MM_SIGN) ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);
    unsigned hi = (m->mods & MM_NEG ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);
    if (split && ((i->neg & ~lo) || (i->neg_hi & ~hi)))
        return "no such neg here";
    return NULL;
}

static void ds_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    i->opcode = (uint16_t)(old ? FIELD(w, 17, 8) : FIELD(w, 18, 8));
    i->u.mem.gds = t->layout == LAYOUT_GFX12 ? 0 : (uint8_t)(old ? FIELD(w, 16, 1) : FIELD(w, 17, 1));
    i->offset = (int32_t)FIELD(w, 0, 16);
    f->slot[SL_ADDR] = (uint16_t)FIELD(w, 32, 8);
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
static void vmem12_fields(struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    struct isa_membits *m = &i->u.mem;

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

/* The absent address of a buffer or scratch access prints as "off" and is no operand. */
static enum isa_type address_type(const struct isa_inst *i, const struct isa_fields *f)
{
    switch (i->format) {
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_VBUFFER:
        return i->u.mem.offen && i->u.mem.idxen ? T_B64 : i->u.mem.offen || i->u.mem.idxen ? T_B32 : T_NONE;
    case FMT_GLOBAL:
        return f->slot[SL_SADDR] == CODE_NONE ? T_B64 : T_B32;
    case FMT_SCRATCH:
        return f->scratch_vaddr ? T_B32 : T_NONE;
    case FMT_FLAT:
        return T_B64;
    default:
        return T_B32;
    }
}

/* saddr "off" is 0x7f, null on targets that have one, either on gfx10. */
static bool normalise_saddr(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i)
{
    bool none = f->slot[SL_SADDR] == t->code_null || (f->slot[SL_SADDR] == 0x7f && !isa_has(t, FEAT_M0_125));

    if (i->format == FMT_FLAT) {
        bool absent = !isa_has(t, FEAT_NULL_SGPR) || f->slot[SL_SADDR] == t->code_null;
        f->slot[SL_SADDR] = CODE_NONE;
        return absent;
    }
    /* gfx8-gfx10 scratch: a register or an SGPR, not both, on gfx10 0x7f for neither; where flat_scratch is hardware's
     * a bit says whether the VGPR counts */
    f->scratch_vaddr = isa_has(t, FEAT_ARCH_FLAT_SCRATCH) ? f->sve
                       : isa_has(t, FEAT_NULL_SGPR)       ? f->slot[SL_SADDR] == t->code_null
                                                          : none;
    if (none)
        f->slot[SL_SADDR] = CODE_NONE;
    return true;
}

/* Does this atomic return the old value? */
static bool asks_for_old(const struct isa_target *t, const struct isa_inst *i)
{
    return t->layout == LAYOUT_GFX12 ? i->u.mem.th & 1 : i->u.mem.glc;
}

static bool is_vector_slot(unsigned slot)
{
    return slot == SL_VDST || slot == SL_ADDR || slot == SL_DATA0 || slot == SL_DATA1;
}

/* Sources of matrix instructions are VGPRs or AGPRs, and C may be an inline constant; an AGPR by nature is never one.
 */
static bool matrix_operand(const struct isa_fields *f, const struct isa_arg *a, struct isa_opnd *o,
                           const struct isa_row *row)
{
    bool vgpr = o->code >= CODE_VGPR;

    if (a->slot < SL_SRC0 || a->slot > SL_SRC2)
        return true;
    if (vgpr && (f->acc_src >> (a->slot - SL_SRC0) & 1))
        o->flags |= A_ACC;
    if (vgpr)
        return true;
    return row->mat && a->slot == SL_SRC2 && !isa_matrix_sparse(row->mat) && o->code >= CODE_INT_0 &&
           (o->code <= CODE_INT_M16 || (o->code >= CODE_FLOAT_HALF && o->code <= CODE_INV_2PI));
}

/* Tuples of scalar registers start at a multiple of their size; the low bits are not looked at. Registers with names
 * are there as pairs only. Returns false for what is no tuple. */
static bool scalar_tuple(const struct isa_target *t, struct isa_opnd *o)
{
    unsigned dwords = o->type == T_MASK && !isa_has(t, FEAT_WAVE32) ? 2 : isa_types[o->type].dwords, at = 0, end = 106;

    if (dwords <= 1)
        return true;
    if (o->code >= t->code_ttmp0 && o->code < t->code_ttmp0 + t->ttmp_count) {
        at = t->code_ttmp0;
        end = at + 16;
    } else if (o->code >= t->sgpr_limit) {
        return !(o->code & 1) || o->code == (t->code_m0 ^ 1u);
    }
    o->code &= (uint16_t) ~(dwords == 2 ? 1u : 3u);
    return o->code + dwords <= end;
}

/* Of the source codes 209 to 254 those that name something, on one target or another (as LLVM has it). */
static bool special_source(unsigned code)
{
    return (code >= CODE_SHARED_BASE && code <= CODE_INV_2PI) || (code >= CODE_VCCZ && code <= CODE_LDS_DIRECT);
}

/* Turns the row's arguments into operands. Returns false when one cannot be. */
static bool fill_operands(const struct isa_target *t, struct isa_inst *i, const struct isa_fields *f,
                          const struct isa_row *row, unsigned at)
{
    unsigned n = at;

    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];
        struct isa_opnd *o = &i->op[n++];
        unsigned code = f->slot[a->slot];
        *o = (struct isa_opnd){(uint16_t)code, a->type, a->flags};
        if ((a->flags & A_IF_RET) && !asks_for_old(t, i)) {
            *o = (struct isa_opnd){CODE_NONE, T_NONE, A_HIDDEN};
            continue;
        }
        switch (a->slot) {
        case SL_ADDR:
            o->type = (uint8_t)address_type(i, f);
            if (o->type == T_NONE) {
                o->code = CODE_NONE;
                continue;
            }
            break;
        case SL_K:
            o->code = CODE_LITERAL;
            break;
        case SL_SRSRC: /* four SGPRs; gfx12's field could name anything */
            if (code > 124)
                return false;
            break;
        case SL_SADDR:
            if (i->format == FMT_SCRATCH)
                o->type = T_B32;
            break;
        case SL_CMP_OUT:
            if ((row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY)) {
                o->code = CODE_EXEC_LO;
                o->flags |= A_HIDDEN;
            }
            break;
        default:
            break;
        }
        if (is_vector_slot(a->slot) && !(a->flags & A_SGPR))
            o->code = (uint16_t)(o->code + CODE_VGPR);
        if (f->acc_data && (a->slot == SL_VDST || a->slot == SL_DATA0 || a->slot == SL_DATA1))
            o->flags |= A_ACC;
        if ((row->mat || (a->flags & A_ACC)) && !matrix_operand(f, a, o, row))
            return false;
        if (o->code < 128 && !scalar_tuple(t, o))
            return false;
        bool number = o->type == T_IMM16 || o->type == T_SENDMSG || o->type == T_GPRIDX;
        if (o->code > CODE_INT_M16 && o->code < CODE_LITERAL && !number && !special_source(o->code))
            return false;
        if (o->code == CODE_LITERAL)
            i->has_literal = 1;
    }
    i->nops = (uint8_t)n;
    return true;
}

static const struct isa_op *find_op(const struct isa_target *t, unsigned format, unsigned opcode)
{
    if (!t->ops[format] || opcode >= t->op_count[format] || !t->ops[format][opcode].row)
        return NULL;
    return &t->ops[format][opcode];
}

static bool mode_free(const struct isa_inst *i)
{
    if (i->form != FORM_E32 && i->form != FORM_E64)
        return false;
    if (i->neg | i->abs | i->clamp | i->omod | i->neg_hi)
        return false;
    if (i->format == FMT_VOP3P) {
        for (unsigned k = i->first_src; k < i->nops; k++)
            if (i->op[k].type == T_MIX)
                return i->op_sel == 0 && i->op_sel_hi == 0;
        /* a source that is not there may have either bit */
        unsigned all = (1u << (i->nops - i->first_src)) - 1;
        return i->op_sel == 0 && (i->op_sel_hi & all & 7) == (all & 7);
    }
    return i->op_sel == 0;
}

/* op_sel means something only to rows with 16-bit operands; elsewhere the bits are ignored. */
static void drop_idle_op_sel(struct isa_inst *i)
{
    if (i->row->flags & (RF_OP_SEL | RF_OP_SEL4))
        return;
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_types[i->op[k].type].bits == 16 && isa_types[i->op[k].type].dwords)
            return;
    i->op_sel = 0;
}

/* Chooses how the instruction runs. */
static int not_executed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    (void)env, (void)fx;
    return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false, "%s is not supported by gcnsim on %s", i->mnemonic,
                     w->target->name);
}

/* Memory bits that change an instruction's meaning into one gcnsim does not execute. */
static bool beyond_us(const struct isa_inst *i)
{
    if (i->format == FMT_DS)
        return i->u.mem.gds;
    return i->format >= FMT_FLAT && i->format <= FMT_VBUFFER && (i->u.mem.lds || i->u.mem.tfe);
}

/* Which halves of MODE the row's arithmetic listens to. */
static uint8_t mode_need(const struct isa_inst *i)
{
    unsigned need = 0;

    if (i->row->flags & RF_NO_FLUSH)
        return 0;
    for (unsigned k = 0; i->row->args[k].slot; k++) {
        unsigned fb = isa_types[i->row->args[k].type].float_bits;
        need |= fb == 32 ? 1 : fb ? 2 : 0;
    }
    return (uint8_t)need;
}

/* Sources are VGPRs, ordinary SGPRs or constants known now; the result is VGPRs or a compare's mask. */
static bool make_simple(const struct isa_target *t, struct isa_inst *i)
{
    uint64_t value[3] = {0};
    unsigned end = 0;

    if (i->first_src != 1 || i->nops > 4 || (i->row->implicit & IMP_R_VCC))
        return false;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (k == 0 && i->row->kind == ROW_CMP)
            continue;
        if (o->type == T_MASK || (o->flags & A_ACC) || (o->code >= CODE_VCCZ && o->code < CODE_LITERAL) ||
            (o->code >= CODE_SHARED_BASE && o->code <= CODE_POPS))
            return false;
        if (o->code >= CODE_VGPR) {
            unsigned last = o->code - CODE_VGPR + isa_types[o->type].dwords;
            end = last > end ? last : end;
        } else if (k == 0 || o->code == t->code_null) {
            return false;
        } else if (o->code >= 128) {
            value[k - 1] = isa_const(NULL, i, o->code, (enum isa_type)o->type);
        }
    }
    i->vgpr_end = (uint16_t)end;
    memcpy(i->u.value, value, sizeof value);
    return true;
}

static void choose_exec(const struct isa_target *t, struct isa_inst *i)
{
    const struct isa_row *row = i->row;

    if (row->kind == ROW_WIDE) {
        i->exec = row->exec && !beyond_us(i) ? row->exec : not_executed;
        return;
    }
    i->first_src = 0;
    while (i->first_src < i->nops && !(i->op[i->first_src].flags & A_RD))
        i->first_src++;
    i->plain = mode_free(i) && !(row->flags & (RF_FLUSH | RF_D16_HI));
    i->mode_need = mode_need(i);
    i->keep = isa_has(t, FEAT_D16_HI_ZERO) && !(row->flags & RF_D16_KEEP_HI) ? 0 : 0xffff0000u;
    i->exec = !i->plain ? t->variant->exec_full : make_simple(t, i) ? t->variant->exec_simple : t->variant->exec_plain;
}

/* neg and abs of SDWA and DPP belong to floats, sext to integers. */
static bool twin_modifiers(const struct isa_inst *i)
{
    unsigned floats = 0, integers = 0;

    for (unsigned k = 0; i->row->args[k].slot; k++) {
        const struct isa_arg *a = &i->row->args[k];
        if (a->slot != SL_SRC0 && a->slot != SL_SRC1)
            continue;
        bool is_float = isa_types[a->type].float_bits || (a->flags & A_FMOD);
        *(is_float ? &floats : &integers) |= 1u << (a->slot - SL_SRC0);
    }
    if (i->row->cls == OPC_DOT) /* their bits are not looked at */
        return true;
    if (i->form == FORM_SDWA && (i->u.sdwa.sext & floats))
        return false;
    if ((i->row->flags & RF_INT_MODS) && floats && i->form == FORM_DPP16)
        floats |= integers;
    return !((i->neg | i->abs) & ~floats);
}

/* Legality of the twin forms. */
static const char *illegal_form(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    bool dpp = i->form == FORM_DPP16 || i->form == FORM_DPP8 || i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8;

    for (unsigned k = 0; dpp && !isa_has(t, FEAT_DPP_64) && k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords == 2)
            return "no 64-bit DPP on this target";
    for (unsigned k = 0; i->form == FORM_DPP16 && i->u.dpp.ctrl >> 4 != 0x15 && k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords == 2)
            return "64-bit DPP takes row_newbcast alone";

    if ((i->form == FORM_SDWA || i->form == FORM_DPP16) && !twin_modifiers(i))
        return "a modifier on a source that takes none";
    if (i->format == FMT_VOPC && dpp && !isa_has(t, FEAT_VOP3_DPP))
        return "no DPP form";
    if (i->form == FORM_SDWA && (row->flags & RF_NO_SDWA))
        return "no SDWA form";
    if ((i->form == FORM_DPP16 || i->form == FORM_DPP8) && (row->flags & (RF_NO_DPP | RF_VOP3_ONLY_DPP)))
        return "no DPP form";
    if ((i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8) && (row->flags & RF_NO_DPP))
        return "no DPP form";
    return NULL;
}

static bool vopd_half(const struct isa_target *t, struct isa_inst *i, const struct isa_row *row, unsigned src0,
                      unsigned src1, unsigned vdst)
{
    struct isa_fields f = {0};

    clear_fields(&f);
    f.slot[SL_VDST] = (uint16_t)vdst;
    vop_sources(&f, src0, src1, CODE_NONE);
    f.slot[SL_CARRY_IN] = CODE_VCC_LO;
    return fill_operands(t, i, &f, row, i->nops);
}

static unsigned decode_vopd(const struct isa_target *t, uint64_t w, struct isa_inst *i, const uint8_t *code,
                            size_t size, const char **why)
{
    const struct isa_op *x = find_op(t, FMT_VOPDX, FIELD(w, 22, 4)), *y = find_op(t, FMT_VOPDY, FIELD(w, 17, 5));

    i->row = NULL;
    *why = "no such dual-issue opcode";
    if (!x || !y)
        return 0;
    i->form = FORM_VOPD;
    i->row = x->row;
    i->mnemonic = x->mnemonic;
    bool ok = vopd_half(t, i, x->row, FIELD(w, 0, 9), CODE_VGPR + FIELD(w, 9, 8), FIELD(w, 56, 8));
    i->u.y.row = y->row;
    i->u.y.mnemonic = y->mnemonic;
    i->u.y.first_op = i->nops;
    /* vdstY's low bit is the inverse of vdstX's: the pair writes different banks */
    ok = vopd_half(t, i, y->row, FIELD(w, 32, 9), CODE_VGPR + FIELD(w, 41, 8),
                   FIELD(w, 49, 7) << 1 | (~FIELD(w, 56, 8) & 1)) &&
         ok;
    if (!ok) {
        i->row = NULL;
        *why = "illegal operand";
        return 0;
    }
    i->first_src = 1;
    i->exec = t->variant->exec_vopd;
    i->size_bytes = 8;
    if (i->has_literal) {
        if (size < 12) {
            i->row = NULL;
            *why = "truncated literal";
            return 0;
        }
        i->literal = load_u32(code + 8);
        i->size_bytes = 12;
    }
    return i->size_bytes;
}

static bool read_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
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
        vop3p_fields(f, i, w);
        return true;
    case FMT_DS:
        ds_fields(t, f, i, w);
        return true;
    case FMT_SMEM:
        smem_fields(t, f, i, w);
        return true;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        if (t->layout == LAYOUT_GFX12)
            vmem12_fields(f, i, w, w2);
        else
            flat_fields(t, f, i, w);
        return normalise_saddr(t, f, i);
    case FMT_VBUFFER:
        vmem12_fields(f, i, w, w2);
        return true;
    case FMT_MUBUF:
    case FMT_MTBUF:
        mubuf_fields(t, f, i, w);
        return true;
    default:
        return false;
    }
}

static bool reads_sdst_in_vop3(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == SL_CARRY_OUT)
            return true;
    return false;
}

static unsigned fail(struct isa_inst *i, const char **why, const char *what)
{
    i->row = NULL;
    i->exec = NULL;
    i->size_bytes = 0;
    *why = what;
    return 0;
}

unsigned isa_decode(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *i, const char **why)
{
    const char *ignored;
    struct isa_fields f = {0};

    if (!why)
        why = &ignored;
    memset(i, 0, sizeof *i);
    if (size < 4)
        return fail(i, why, "fewer than 4 bytes left");
    uint32_t w0 = load_u32(code);
    const struct pattern *p = &layout_patterns[t->layout][t->encoding[w0 >> 23]];
    if (!p->bytes)
        return fail(i, why, "no encoding of this target starts so");
    if (size < p->bytes)
        return fail(i, why, "truncated instruction");
    uint64_t w = p->bytes >= 8 ? w0 | (uint64_t)load_u32(code + 4) << 32 : w0;
    uint32_t w2 = p->bytes >= 12 ? load_u32(code + 8) : 0;
    i->format = p->format;
    if (p->format == FMT_VOPDX)
        return decode_vopd(t, w, i, code, size, why);
    clear_fields(&f);
    if (!read_fields(t, &f, i, w, w2))
        return fail(i, why, "encoding not supported by gcnsim, or an address that is none");
    const struct isa_op *op = find_op(t, i->format, i->opcode);
    if (!op)
        return fail(i, why, "no such opcode");
    if (w & op->zero)
        return fail(i, why, "a field that must be zero is not");
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    i->base_format = (uint8_t)op->base_format;
    if (op->row->flags & RF_MAI)
        mai_fields(t, &f, i, w);
    unsigned bytes = p->bytes;
    int extra = i->format >= FMT_VOP1 && i->format <= FMT_VOP3P && op->row->args[0].slot
                    ? extra_word(t, &f, i, code, size, bytes)
                    : 0;
    if (extra < 0)
        return fail(i, why, "no such operand form");
    bytes += (unsigned)extra;
    if (i->format == FMT_VOP3 && reads_sdst_in_vop3(op->row))
        vop3sd_fix(i);
    if (!fill_operands(t, i, &f, op->row, 0))
        return fail(i, why, "illegal operand");
    if (i->format == FMT_VOP3)
        drop_idle_op_sel(i);
    const char *bad = illegal_form(t, i);
    if (!bad && op->row->mat)
        bad = matrix_modifiers(i);
    if (bad)
        return fail(i, why, bad);
    if (i->has_literal) {
        bool vop3 = i->format == FMT_VOP3 || i->format == FMT_VOP3P;
        if (extra || (vop3 && !isa_has(t, FEAT_VOP3_LITERAL)))
            return fail(i, why, "literal not allowed here");
        if (size < bytes + 4)
            return fail(i, why, "truncated literal");
        i->literal = load_u32(code + bytes);
        bytes += 4;
    }
    if (i->format == FMT_SMEM || (i->format >= FMT_FLAT && i->format <= FMT_VBUFFER))
        i->u.mem.hint = isa_cache_hint(t, i);
    i->size_bytes = (uint8_t)bytes;
    choose_exec(t, i);
    return bytes;
}
