/* Reads the fields of the graphics formats: EXP, VINTRP (gfx8-gfx10) and the VOP3 forms of its instructions, VINTERP
 * and LDSDIR (gfx11, gfx12). Field positions: AMD ISA manuals (GCN3, Vega, RDNA1-4), checked against llvm-mc-19 by
 * tests/golden.
 */
#include "isa/decode/parts.h"

static void export_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    static const uint8_t slots[4] = {SL_SRC0, SL_SRC1, SL_SRC2, SL_SRC3};
    struct isa_gfx *g = &i->u.gfx;
    bool rows = isa_has(t, FEAT_M0_125); /* gfx11 on: no packing, a row of a primitive */

    g->target = (uint8_t)FIELD(w, 4, 6);
    g->compr = rows ? 0 : (uint8_t)FIELD(w, 10, 1);
    g->done = (uint8_t)FIELD(w, 11, 1);
    g->vm = rows ? 0 : (uint8_t)FIELD(w, 12, 1);
    g->row_en = rows ? (uint8_t)FIELD(w, 13, 1) : 0;
    for (unsigned k = 0; k < 4; k++) { /* packed halves: two registers stand for two sources each */
        unsigned from = g->compr ? k / 2 : k;
        if (w >> k & 1)
            f->slot[slots[k]] = (uint16_t)(CODE_VGPR + FIELD(w, 32 + 8 * from, 8));
    }
    if (g->row_en)
        f->slot[SL_M0] = t->code_m0;
}

void isa_gfx_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    struct isa_gfx *g = &i->u.gfx;

    switch (i->format) {
    case FMT_EXP:
        export_fields(t, f, i, w);
        break;
    case FMT_VINTRP:
        i->opcode = (uint16_t)FIELD(w, 16, 2);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 18, 8);
        f->slot[SL_SRC1] = (uint16_t)(CODE_VGPR + FIELD(w, 0, 8));
        i->offset = (int32_t)FIELD(w, 0, 8); /* v_interp_mov: which parameter */
        g->attr = (uint8_t)FIELD(w, 10, 6);
        g->chan = (uint8_t)FIELD(w, 8, 2);
        break;
    case FMT_VINTERP:
        i->form = FORM_E64;
        i->opcode = (uint16_t)FIELD(w, 16, t->layout == LAYOUT_GFX12 ? 5 : 7);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 0, 8);
        isa_vop_sources(f, FIELD(w, 32, 9), FIELD(w, 41, 9), FIELD(w, 50, 9));
        g->wait_exp = (uint8_t)FIELD(w, 8, 3);
        i->op_sel = (uint8_t)FIELD(w, 11, 4);
        i->clamp = (uint8_t)FIELD(w, 15, 1);
        i->neg = (uint8_t)FIELD(w, 61, 3);
        break;
    default: /* LDSDIR */
        i->opcode = (uint16_t)FIELD(w, 20, 2);
        f->slot[SL_VDST] = (uint16_t)FIELD(w, 0, 8);
        g->chan = (uint8_t)FIELD(w, 8, 2);
        g->attr = (uint8_t)FIELD(w, 10, 6);
        g->wait_vdst = (uint8_t)FIELD(w, 16, 4);
        g->wait_vm_vsrc = t->layout == LAYOUT_GFX12 ? (uint8_t)FIELD(w, 23, 1) : 0;
        break;
    }
}

void isa_interp_fix(struct isa_fields *f, struct isa_inst *i)
{
    unsigned src0 = f->slot[SL_SRC0];

    if (i->format != FMT_VOP3)
        return;
    i->u.gfx.attr = src0 & 63;
    i->u.gfx.chan = src0 >> 6 & 3;
    i->u.gfx.high = src0 >> 8 & 1;
    i->offset = f->slot[SL_SRC1];
    i->op_sel = 0; /* not looked at */
    f->slot[SL_SRC0] = CODE_NONE;
}
