/* Writes the text of image instructions: data, addresses, descriptors, modifiers. Registers are shown as LLVM does,
 * which is not always what the hardware touches (isa/decode/parts.h: struct isa_image_regs). */
#include "isa/decode/parts.h"
#include "isa/text/text.h"

static void put_addresses(const struct isa_image_regs *r, struct isa_out *o)
{
    if (r->n == 1) {
        isa_put_range(o, "v", r->first[0], r->count[0]);
        return;
    }
    for (unsigned k = 0; k < r->n; k++) {
        isa_put(o, k ? ", " : "[");
        isa_put_range(o, "v", r->first[k], r->count[k]);
    }
    isa_put(o, "]");
}

static void put_flag(struct isa_out *o, bool set, const char *text)
{
    if (set)
        isa_put(o, "%s", text);
}

static void put_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    static const char *const dims[8] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct isa_image *m = &i->u.img;

    if (m->dmask)
        isa_put(o, " dmask:0x%x", m->dmask);
    if (t->layout != LAYOUT_GFX8 && t->layout != LAYOUT_GFX9)
        isa_put(o, " dim:SQ_RSRC_IMG_%s", dims[m->dim]);
    put_flag(o, m->unorm, " unorm");
    isa_put_cache_bits(t, i, o);
    put_flag(o, m->r128, " r128");
    put_flag(o, m->a16, " a16");
    put_flag(o, m->mem.tfe, " tfe");
    put_flag(o, m->lwe, " lwe");
    put_flag(o, m->da, " da");
    put_flag(o, m->d16, " d16");
}

void isa_put_image(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    struct isa_image_regs r;

    isa_image_shown(t, i, &r);
    isa_put(o, " ");
    isa_put_range(o, i->op[0].flags & A_ACC ? "a" : "v", i->op[0].code - CODE_VGPR, r.data);
    isa_put(o, ", ");
    put_addresses(&r, o);
    for (unsigned k = 2; k < i->nops; k++) {
        if (i->op[k].flags & A_HIDDEN)
            continue;
        isa_put(o, ", ");
        isa_put_operand(t, i, &i->op[k], o);
    }
    if (i->row->image.data != IMG_DATA_RAY)
        put_modifiers(t, i, o);
    else
        put_flag(o, i->u.img.a16, " a16");
}
