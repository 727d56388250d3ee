/* Writes LLVM's text of exports, interpolation and direct LDS loads. Names: LLVM 19 AMDGPUInstPrinter and
 * AMDGPUBaseInfo.cpp. */
#include "isa/text/text.h"

/* Export targets by number; a target lacks those of other generations. */
void isa_put_export_target(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    static const struct {
        uint8_t first, count;
        const char *name; /* numbered where count is more than 1, or with a number of its own */
        uint8_t gfx8, gfx10, gfx11;
    } names[] = {{0, 8, "mrt", 8, 8, 8},      {8, 1, "mrtz", 1, 1, 1},  {9, 1, "null", 1, 1, 0},
                 {12, 5, "pos", 4, 5, 5},     {20, 1, "prim", 0, 1, 1}, {21, 2, "dual_src_blend", 0, 0, 2},
                 {32, 32, "param", 32, 32, 0}};
    unsigned target = i->u.gfx.target;

    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        unsigned n = isa_has(t, FEAT_M0_125)      ? names[k].gfx11
                     : isa_has(t, FEAT_NULL_SGPR) ? names[k].gfx10
                                                  : names[k].gfx8;
        if (target < names[k].first || target >= names[k].first + n)
            continue;
        isa_put(o, " %s", names[k].name);
        if (names[k].count > 1)
            isa_put(o, "%u", target - names[k].first);
        return;
    }
    isa_put(o, " invalid_target_%u", target);
}

void isa_put_attribute(const struct isa_inst *i, enum isa_type type, struct isa_out *o)
{
    static const char *const params[] = {"p10", "p20", "p0"};
    unsigned param = (unsigned)i->offset;

    if (type == T_ATTR)
        isa_put(o, "attr%u.%c", i->u.gfx.attr, "xyzw"[i->u.gfx.chan & 3]);
    else if (param < 3)
        isa_put(o, "%s", params[param]);
    else
        isa_put(o, "invalid_param_%u", param);
}

void isa_put_gfx_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    const struct isa_gfx *g = &i->u.gfx;

    switch (i->format) {
    case FMT_EXP:
        isa_put(o, "%s%s%s%s", g->done ? " done" : "", g->compr ? " compr" : "", g->vm ? " vm" : "",
                g->row_en ? " row_en" : "");
        break;
    case FMT_VINTERP:
        if (i->clamp)
            isa_put(o, " clamp");
        if (i->op_sel)
            isa_put(o, " op_sel:[%u,%u,%u,%u]", i->op_sel & 1, i->op_sel >> 1 & 1, i->op_sel >> 2 & 1,
                    i->op_sel >> 3 & 1);
        isa_put(o, " wait_exp:%u", g->wait_exp);
        break;
    case FMT_LDSDIR:
        if (t->layout == LAYOUT_GFX12)
            isa_put(o, " wait_va_vdst:%u wait_vm_vsrc:%u", g->wait_vdst, g->wait_vm_vsrc);
        else
            isa_put(o, " wait_vdst:%u", g->wait_vdst);
        break;
    default: /* VOP3 forms of interpolation */
        if (g->high)
            isa_put(o, " high");
        break;
    }
}
