/* Modifiers of matrix instructions, as LLVM spells them. */
#include "isa/text/text.h"

void isa_put_mai(const struct isa_inst *i, struct isa_out *o)
{
    if (!i->row->mat)
        return;
    if (i->base_format == FMT_VOP3PX) {
        if (i->op_sel)
            isa_put_bits(o, "op_sel", i->op_sel, 3);
        isa_put_bits(o, "op_sel_hi", i->op_sel_hi, 3);
    }
    if (i->u.mai.cbsz)
        isa_put(o, " cbsz:%u", i->u.mai.cbsz);
    if (i->u.mai.abid && i->base_format != FMT_VOP3PX)
        isa_put(o, " abid:%u", i->u.mai.abid);
    if (i->u.mai.blgp && (i->row->mat->mods & MM_BLGP_NEG))
        isa_put_bits(o, "neg", i->u.mai.blgp, 3);
    else if (i->u.mai.blgp)
        isa_put(o, " blgp:%u", i->u.mai.blgp);
}

/* " matrix_a_fmt:MATRIX_FMT_BF8"; the number where there is no such name, nothing for 0. */
static void put_matrix_format(struct isa_out *o, char matrix, const char *key, unsigned v, const char *const *names,
                              unsigned count)
{
    if (v >= count)
        isa_put(o, " matrix_%c_%s:%u", matrix, key, v);
    else if (v)
        isa_put(o, " matrix_%c_%s:MATRIX_%s", matrix, key, names[v]);
}

static void put_reuse(bool a, bool b, struct isa_out *o)
{
    isa_put_str(o, a ? " matrix_a_reuse" : "");
    isa_put_str(o, b ? " matrix_b_reuse" : "");
}

/* gfx1250: what is said of scales. */
void isa_put_scales(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const rows[] = {NULL, "SCALE_ROW1"}, *const formats[] = {NULL, "SCALE_FMT_E5M3",
                                                                                "SCALE_FMT_E4M3"};

    for (unsigned k = 0; k < 2; k++)
        put_matrix_format(o, "ab"[k], "scale", i->u.mai.scale[k].row, rows, 2);
    for (unsigned k = 0; k < 2; k++)
        put_matrix_format(o, "ab"[k], "scale_fmt", i->u.mai.scale[k].format, formats, 3);
    put_reuse(i->u.mai.scale[0].again, i->u.mai.scale[1].again, o);
}

/* gfx1250's matrix instructions. */
void isa_put_wide_matrix(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const formats[] = {NULL, "FMT_BF8", "FMT_FP6", "FMT_BF6", "FMT_FP4"};
    const struct isa_matrix *m = i->row->mat;

    if (m->mods & MM_FORMATS) {
        put_matrix_format(o, 'a', "fmt", i->op_sel & 7, formats, 5);
        put_matrix_format(o, 'b', "fmt", i->op_sel_hi & 7, formats, 5);
    } else if (isa_matrix_sparse(m) && (i->op_sel & 3)) {
        isa_put(o, " index_key:%u", i->op_sel & 3);
    }
    if (m->mods & MM_REUSE)
        put_reuse(i->op_sel & 4, i->op_sel_hi & 4, o);
    if (i->base_format == FMT_VOP3PX)
        isa_put_scales(i, o);
    if (i->neg)
        isa_put_bits(o, "neg_lo", i->neg, 3);
    if (i->neg_hi)
        isa_put_bits(o, "neg_hi", i->neg_hi, 3);
    if (i->clamp)
        isa_put(o, " clamp");
}
