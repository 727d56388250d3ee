/* Writes LLVM's text of a decoded instruction. The order and spelling of modifiers follow LLVM 19's AMDGPUInstPrinter.
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "isa/decode/legal.h"
#include "isa/text/text.h"

static void put_digits(struct isa_out *o, unsigned v, unsigned base)
{
    char digits[12], *p = digits + sizeof digits;

    do
        *--p = "0123456789abcdef"[v % base];
    while (v /= base);
    isa_put_bytes(o, p, (size_t)(digits + sizeof digits - p));
}

void isa_put_uint(struct isa_out *o, unsigned v)
{
    char two[2] = {(char)('0' + v / 10), (char)('0' + v % 10)};

    if (v < 10)
        isa_put_bytes(o, two + 1, 1);
    else if (v < 100)
        isa_put_bytes(o, two, 2);
    else
        put_digits(o, v, 10);
}

/* The few conversions that text needs; the C library's printf takes ten times as long. */
void isa_put(struct isa_out *o, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    for (;;) {
        size_t plain = strcspn(fmt, "%");
        isa_put_bytes(o, fmt, plain);
        fmt += plain;
        if (!*fmt)
            break;
        switch (fmt[1]) {
        case 's':
            isa_put_str(o, va_arg(ap, const char *));
            break;
        case 'c':
            isa_put_bytes(o, &(char){(char)va_arg(ap, int)}, 1);
            break;
        case 'u':
            isa_put_uint(o, va_arg(ap, unsigned));
            break;
        case 'x':
            put_digits(o, va_arg(ap, unsigned), 16);
            break;
        case 'd': {
            int v = va_arg(ap, int);
            isa_put_str(o, v < 0 ? "-" : "");
            isa_put_uint(o, v < 0 ? 0u - (unsigned)v : (unsigned)v);
            break;
        }
        default:
            assert(!"a conversion that isa_put does not know");
            va_end(ap);
            return;
        }
        fmt += 2;
    }
    va_end(ap);
}

/* --- operands with modifiers ------------------------------------------------------------------------------------ */

static bool takes_float_mods(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    if (op->flags & A_NOMOD)
        return false;
    if (i->form == FORM_SDWA)
        return isa_types[op->type].float_bits || (op->flags & A_FMOD) || (t->llvm22 && op->type == T_BF16);
    if (i->format == FMT_VOP3P)
        return isa_is_mixed(op->type);
    bool named = t->name_halves && i->format != FMT_VOP3P;
    if (named && i->base_format == FMT_VOPC &&
        (i->row->args[op - i->op].flags & A_HALF)) /* the mask of v_cmp_class_f16 */
        return true;
    if ((i->row->flags & RF_INT_MODS) && isa_types[op->type].bits == 16 && isa_has(t, FEAT_S_TRUE16))
        return isa_types[op->type].float_bits || (i->form != FORM_DPP16 && !named);
    if (op->type == T_BF16 || isa_is_packed_bf16(op->type))
        return true;
    return isa_types[op->type].float_bits || (op->flags & A_FMOD);
}

/* v_ldexp and its like: integer sources of float instructions. */
static bool int_mods(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    bool float_from_gfx11 = isa_types[op->type].bits == 16 && isa_has(t, FEAT_S_TRUE16);
    bool only_gfx12 = (i->row->flags & RF_OP_SEL4) && t->layout != LAYOUT_GFX12; /* v_cvt_sr_fp8_f32 */

    if ((i->row->flags & (RF_INT_MODS | RF_TRUE16)) && i->form == FORM_DPP16 && float_from_gfx11)
        return !isa_types[op->type].float_bits;
    /* op_sel's instructions on integers take neg beside DPP */
    if ((i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8) && i->base_format == FMT_VOP3 &&
        i->format == FMT_VOP3 && isa_types[i->row->args[1].type].bits == 16 &&
        !isa_types[i->row->args[1].type].float_bits)
        return !(i->row->flags & RF_QUIET_OP_SEL) && !(i->row->flags & RF_OP_SEL4);
    return (i->row->flags & RF_INT_MODS) && !isa_types[op->type].float_bits && !float_from_gfx11 && !only_gfx12;
}

/* A literal that is spelled lit(...) takes a minus sign where other constants are neg(...). */
static bool prints_lit(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    char text[64] = "";
    struct isa_out o = {.buf = text, .size = sizeof text};

    if (!t->llvm22 || (op->code != CODE_LITERAL && op->code != CODE_LITERAL64))
        return false;
    isa_put_operand(t, i, op, &o);
    return !strncmp(text, "lit", 3);
}

/* A source in a half of dual issue. */
static void put_half_source(const struct isa_target *t, const struct isa_inst *i, unsigned k, int src,
                            struct isa_out *o)
{
    unsigned code = i->op[k].code, at = (unsigned)src + (k >= i->u.y.first_op ? 3 : 0);
    bool neg = src >= 0 && (i->neg >> at & 1),
         spelled = neg && code >= 128 && code < CODE_VGPR && !isa_special_source(code) && !prints_lit(t, i, &i->op[k]);

    isa_put_str(o, spelled ? "neg(" : neg ? "-" : "");
    isa_put_operand(t, i, &i->op[k], o);
    isa_put_str(o, spelled ? ")" : "");
}

static void put_source(const struct isa_target *t, const struct isa_inst *i, unsigned k, int src, struct isa_out *o)
{
    const struct isa_opnd *op = &i->op[k];
    bool neg, abs;

    if (i->form == FORM_VOPD) {
        put_half_source(t, i, k, src, o);
        return;
    }

    if (src >= 0 && i->form == FORM_SDWA && !takes_float_mods(t, i, op) && (i->u.sdwa.sext >> src & 1)) {
        isa_put(o, "sext(");
        isa_put_operand(t, i, op, o);
        isa_put(o, ")");
        return;
    }
    if (src >= 0 && i->form != FORM_SDWA && !t->llvm22 && int_mods(t, i, op) && (i->neg >> src & 1)) {
        isa_put(o, "sext(");
        isa_put_operand(t, i, op, o);
        isa_put(o, ")");
        return;
    }
    bool mods = src >= 0 && takes_float_mods(t, i, op);
    neg = mods && (i->neg >> src & 1);
    abs = mods && ((i->format == FMT_VOP3P ? i->neg_hi : i->abs) >> src & 1);
    bool constant = op->code >= 128 && op->code < CODE_VGPR && !isa_special_source(op->code);
    bool spelled = neg && !abs && constant && !prints_lit(t, i, op);
    if (neg)
        isa_put(o, spelled ? "neg(" : "-");
    if (abs)
        isa_put(o, "|");
    isa_put_operand(t, i, op, o);
    if (abs)
        isa_put(o, "|");
    if (spelled)
        isa_put(o, ")");
}

void isa_put_bits(struct isa_out *o, const char *name, unsigned bits, unsigned n)
{
    isa_put(o, " %s:[", name);
    for (unsigned k = 0; k < n; k++)
        isa_put(o, "%s%u", k ? "," : "", bits >> k & 1);
    isa_put(o, "]");
}

static unsigned count_sources(const struct isa_row *row)
{
    unsigned n = 0;
    for (unsigned k = 0; row->args[k].slot; k++)
        n += isa_source_number(row->args[k].slot) >= 0;
    return n;
}

static void put_truth_table(const struct isa_inst *i, struct isa_out *o)
{
    unsigned table = isa_truth_table(i);

    if (table)
        isa_put(o, table <= 10 ? " bitop3:%u" : " bitop3:0x%x", table);
}

static void put_clamp_omod(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const omods[] = {"", " mul:2", " mul:4", " div:2"};

    if (i->row->flags & RF_TRUTH_TABLE)
        return;
    if (i->clamp)
        isa_put(o, " clamp");
    isa_put_str(o, omods[i->omod & 3]);
}

static void put_sdwa(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const sel[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
    /* the fourth is reserved */
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "UNUSED_PAD"};
    unsigned n = count_sources(i->row);

    put_clamp_omod(i, o);
    if (i->base_format != FMT_VOPC && !(i->row->flags & RF_OP_SEL))
        isa_put(o, " dst_sel:%s dst_unused:%s", sel[i->u.sdwa.dst_sel], unused[i->u.sdwa.dst_unused]);
    isa_put(o, " src0_sel:%s", sel[i->u.sdwa.src_sel[0]]);
    if (n > 1)
        isa_put(o, " src1_sel:%s", sel[i->u.sdwa.src_sel[1]]);
}

/* Controls the target lacks; LLVM says so in a comment. */
static bool put_bad_dpp(const struct isa_target *t, unsigned c, struct isa_out *o)
{
    if (c >= 0x130 && c <= 0x13c && !(c & 3) && !isa_has(t, FEAT_DPP_WAVE))
        isa_put(o, " /* wave_%s is not supported starting from GFX10 */",
                (const char *[]){"shl", "rol", "shr", "ror"}[c >> 2 & 3]);
    else if ((c == 0x142 || c == 0x143) && !isa_has(t, FEAT_DPP_WAVE))
        isa_put(o, " /* row_bcast is not supported starting from GFX10 */");
    else if (c >> 4 == 0x15 && !isa_has(t, FEAT_DPP_ROW_SHARE) && !isa_has(t, FEAT_DPP_ROW_NEWBCAST))
        isa_put(o, " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */");
    else if (c >> 4 == 0x16 && !isa_has(t, FEAT_DPP_ROW_SHARE))
        isa_put(o, " /* row_xmask is not supported on ASICs earlier than GFX10 */");
    else if (!isa_legal_dpp_ctrl(t, c))
        isa_put(o, " /* Invalid dpp_ctrl value */");
    else
        return false;
    return true;
}

static void put_dpp_ctrl(const struct isa_target *t, unsigned c, struct isa_out *o)
{
    static const struct {
        unsigned ctrl;
        const char *text;
    } fixed[] = {{0x130, "wave_shl:1"}, {0x134, "wave_rol:1"},      {0x138, "wave_shr:1"},   {0x13c, "wave_ror:1"},
                 {0x140, "row_mirror"}, {0x141, "row_half_mirror"}, {0x142, "row_bcast:15"}, {0x143, "row_bcast:31"}};

    if (c > 0xff && put_bad_dpp(t, c, o))
        return;
    if (c <= 0xff) {
        isa_put(o, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
        return;
    }
    for (unsigned k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
        if (fixed[k].ctrl == c) {
            isa_put(o, " %s", fixed[k].text);
            return;
        }
    const char *name = (c & ~15u) == 0x100   ? "row_shl"
                       : (c & ~15u) == 0x110 ? "row_shr"
                       : (c & ~15u) == 0x120 ? "row_ror"
                       : (c & ~15u) == 0x150 ? (isa_has(t, FEAT_DPP_ROW_NEWBCAST) ? "row_newbcast" : "row_share")
                                             : "row_xmask";
    isa_put(o, " %s:%u", name, c & 15);
}

static void put_dpp(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    const struct isa_dpp *d = &i->u.dpp;

    if (isa_form_is_dpp8(i->form)) {
        isa_put(o, " dpp8:[");
        for (unsigned k = 0; k < 8; k++)
            isa_put(o, "%s%u", k ? "," : "", d->sel8 >> (3 * k) & 7);
        isa_put(o, "]");
    } else {
        if (i->bad & ISA_BAD_DPP64)
            isa_put(o, " /* DP ALU dpp only supports %s */",
                    isa_has(t, FEAT_DPP_ROW_SHARE) ? "row_share" : "row_newbcast");
        else
            put_dpp_ctrl(t, d->ctrl, o);
        isa_put(o, " row_mask:0x%x bank_mask:0x%x", d->row_mask, d->bank_mask);
        if (d->bound_ctrl)
            isa_put(o, " bound_ctrl:1");
    }
    if (d->fi)
        isa_put(o, " fi:1");
}

/* Operands of 16 bits, whose op_sel LLVM shows: not that of a select (v_cndmask_b16). */
static bool has_halves(const struct isa_inst *i)
{
    bool some = false;

    for (unsigned k = 0; k < i->nops; k++) {
        if (i->op[k].type == T_MASK && i->row->args[k].slot == SL_CARRY_IN)
            return false;
        some |= isa_is_half(i->op[k].type);
    }
    return some;
}

/* With named halves LLVM repeats all of them after the operands: those of the sources, that of the result. */
static void put_every_op_sel(const struct isa_inst *i, unsigned n, struct isa_out *o)
{
    bool no_result = i->base_format == FMT_VOPC && (i->form != FORM_E64 || (i->row->flags & RF_CMPX));
    unsigned s = (i->op_sel & ((1u << n) - 1)) | (i->op_sel >> 3 & 1u) << n;

    if (s)
        isa_put_bits(o, "op_sel", s, n + !no_result);
}

/* op_sel of VOP3, which some instructions call byte_sel. */
static void put_op_sel(const struct isa_target *t, const struct isa_inst *i, unsigned n, struct isa_out *o)
{
    unsigned s = i->op_sel, flags = i->row->flags, to_dst = s >> 3 & 1;
    bool gfx12 = t->layout == LAYOUT_GFX12;

    bool named = t->name_halves || (flags & RF_TRUE16);

    if (isa_fakes_halves(t, i) || i->row->cls == OPC_SALU_TRANS)
        return;
    if (t->llvm22 && t->name_halves && i->nops == 4 && (i->row->args[3].flags & A_HALF)) { /* v_alignbit_b32 */
        if (s)
            isa_put_bits(o, "op_sel", s, 4);
        return;
    }
    if (named && i->format == FMT_VOP3 && !(flags & (RF_OP_SEL | RF_OP_SEL4)) && i->row->cls != OPC_DOT &&
        has_halves(i)) {
        put_every_op_sel(i, n, o);
        return;
    }
    if (isa_swaps_lanes(t, i->row) && i->format == FMT_VOP3) { /* what DPP has a word for */
        if (s & 2)
            isa_put(o, " bound_ctrl:1");
        if (s & 1)
            isa_put(o, " fi:1");
        return;
    }
    if (i->row->cls == OPC_DOT)
        s &= 12;
    if (!s || ((flags & RF_QUIET_OP_SEL) && !isa_shift_selects(t, i->row)) || i->row->cls == OPC_SALU_TRANS)
        return;
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOPC) /* operands have said it */
        return;
    if ((flags & RF_OP_SEL4) && isa_types[i->row->args[0].type].dwords > 1) { /* v_cvt_scale_pk8_f32_fp8 ... */
        isa_put(o, " scale_sel:%u", s);
    } else if (flags & RF_OP_SEL4) {
        if (i->base_format == FMT_VOP3 && gfx12 && i->row->cls != OPC_DOT) {
            if (i->op[1].type == T_F16 && (s & 3))
                isa_put_bits(o, "op_sel", s & 3, 3);
            if (s >> 2)
                isa_put(o, " byte_sel:%u", s >> 2);
        } else if (i->base_format == FMT_VOP3 || isa_has(t, FEAT_S_TRUE16))
            isa_put_bits(o, "op_sel", s, 4);
    } else if ((flags & RF_OP_SEL) && i->base_format == FMT_VOP1) { /* v_cvt_f32_fp8, v_cvt_pk_f32_fp8 */
        if (gfx12 && i->op[0].type == T_PF32)
            isa_put_bits(o, "op_sel", (s & 1) | to_dst << 1, 2);
        else if (gfx12 && isa_is_half(i->op[0].type) && to_dst)
            isa_put_bits(o, "op_sel", 2, 2);
        if (gfx12 && i->op[0].type != T_PF32 && (s & 3))
            isa_put(o, " byte_sel:%u", (s & 1) << 1 | (s >> 1 & 1));
    } else if (flags & RF_OP_SEL) {
        if (s & 3)
            isa_put_bits(o, "op_sel", s, 2);
    } else if (i->base_format == FMT_VOP3) {
        isa_put_bits(o, "op_sel", (s & ((1u << n) - 1)) | to_dst << n, n + 1);
    }
}

static void put_vop_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    unsigned n = count_sources(i->row);

    if (i->form == FORM_SDWA) {
        if (i->nops)
            put_sdwa(i, o);
        return;
    }
    if (i->row->flags & RF_MAI) {
        isa_put_mai(i, o);
        return;
    }
    if (i->format == FMT_VOP3P) {
        bool wmma = i->row->mat != NULL, sparse = wmma && isa_matrix_sparse(i->row->mat);
        bool mix = i->nops > 1 && isa_is_mixed(i->op[1].type);
        unsigned all = (1u << n) - 1;
        if (wmma && i->row->mat->kind >= MAT_WMMA_WIDE) {
            isa_put_wide_matrix(i, o);
            return;
        }
        if (isa_loads_scales(i->row) && t->layout == LAYOUT_GFX12) {
            isa_put_scales(i, o);
            return;
        }
        if (sparse && i->op_sel)
            isa_put(o, " index_key:%u", i->op_sel);
        else if (i->op_sel & all)
            isa_put_bits(o, "op_sel", i->op_sel, n);
        /* where op_sel means nothing, op_sel_hi does not show */
        bool shown = wmma ? i->row->mat->mods & MM_OP_SEL : !isa_dot_of_bytes(t, i->row);
        if (shown && (mix ? i->op_sel_hi & all : (i->op_sel_hi & all) != all))
            isa_put_bits(o, "op_sel_hi", i->op_sel_hi, n);
        bool negs = !mix && !(i->row->flags & RF_NO_OMOD);
        if (negs && (i->neg & all))
            isa_put_bits(o, "neg_lo", i->neg, n);
        if (negs && (i->neg_hi & all))
            isa_put_bits(o, "neg_hi", i->neg_hi, n);
        if (i->clamp)
            isa_put(o, " clamp");
    } else {
        if (i->row->flags & RF_TRUTH_TABLE)
            put_truth_table(i, o);
        put_op_sel(t, i, n, o);
        put_clamp_omod(i, o);
    }
    if (isa_form_is_dpp(i->form))
        put_dpp(t, i, o);
}

/* An immediate in the place of a register: the length of s_prefetch, the message of s_sendmsg_rtn. */
static void put_register_field(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                               struct isa_out *o)
{
    struct isa_inst with = *i;

    with.offset = op->code;
    isa_put_immediate(t, &with, (enum isa_type)op->type, o);
}

/* --- whole instructions ----------------------------------------------------------------------------------------- */

static const char *form_suffix(const struct isa_target *t, const struct isa_inst *i)
{
    bool twin = i->base_format == FMT_VOP1 || i->base_format == FMT_VOP2 || i->base_format == FMT_VOPC ||
                i->base_format == FMT_VINTRP,
         bare;

    if (!i->nops) /* v_nop */
        return "";
    if (i->base_format == FMT_VOP1 && (i->form == FORM_E32 || i->form == FORM_E64) &&
        isa_is_packed_f16(i->row->args[0].type) && i->row->args[1].type == T_B16) /* v_cvt_pk_f16_fp8 */
        return "";
    switch (i->form) {
    case FORM_E32:
        bare = (i->row->flags & RF_NO_E64) && !(i->row->flags & RF_E32_SUFFIX);
        return twin && !bare ? "_e32" : "";
    case FORM_E64:
        return twin && i->format == FMT_VOP3 ? "_e64" : "";
    case FORM_SDWA: /* LLVM leaves compares bare, where SDWA gives them no sdst */
        return i->base_format == FMT_VOPC && !isa_has(t, FEAT_SDWA_SGPR) ? "" : "_sdwa";
    case FORM_DPP16:
    case FORM_DPP8:
        return i->base_format == FMT_VOPC ? "" : "_dpp";
    default:
        return "_e64_dpp";
    }
}

static void put_operands(const struct isa_target *t, const struct isa_inst *i, const struct isa_row *row, unsigned from,
                         unsigned to, struct isa_out *o)
{
    const char *sep = " ";
    bool vmem = i->format >= FMT_FLAT && i->format <= FMT_VBUFFER, lds = vmem && i->u.mem.lds;
    bool tfe = i->format >= FMT_MUBUF && i->format <= FMT_VBUFFER && i->u.mem.tfe;

    for (unsigned k = from; k < to; k++) {
        const struct isa_opnd *op = &i->op[k];
        unsigned slot = row->args[k - from].slot;
        if ((op->flags & A_HIDDEN) || (op->type == T_ENDPGM && !i->offset) || (lds && slot == SL_VDST) ||
            (i->form == FORM_VOPD && slot == SL_CARRY_IN && i->format == FMT_VOPDX))
            continue;
        isa_put_str(o, sep);
        sep = ", ";
        if (tfe && (slot == SL_VDST || slot == SL_DATA0)) { /* one register more, for the status */
            isa_put_range(o, "v", op->code - CODE_VGPR, isa_types[op->type].dwords + 1u);
            if (isa_has(t, FEAT_ALIGNED_VGPRS) && (op->code & 1))
                isa_put(o, "/*Invalid register, operand has 'VReg_%u_Align2' register class*/",
                        32 * (isa_types[op->type].dwords + 1u));
            continue;
        }
        if (slot == SL_K && op->code == CODE_LITERAL64)
            isa_put_wide_k(t, i, o);
        else if (slot == SL_K && i->format != FMT_SOPK) /* always spelled as a number */
            isa_put(o, "0x%x", i->literal);
        else if (slot == SL_ATTR)
            isa_put_attribute(i, (enum isa_type)op->type, o);
        else if (slot == SL_SIMM)
            isa_put_immediate(t, i, (enum isa_type)op->type, o);
        else if (op->type == T_IMM16 || op->type == T_SENDMSG || op->type == T_GPRIDX)
            put_register_field(t, i, op, o);
        else if (slot == SL_OFFSET && i->format == FMT_SMEM)
            isa_put(o, "%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
        else if (slot == SL_SOFFSET && i->format == FMT_SMEM && row->mem.op == MEM_FETCH)
            op->code == CODE_NONE ? isa_put(o, "null") : isa_put_operand(t, i, op, o);
        else if (slot == SL_SOFFSET && i->format == FMT_SMEM)
            isa_put_smem_offset(t, i, op, o);
        else
            put_source(t, i, k, isa_source_number(slot), o);
    }
}

static inline __attribute__((always_inline)) void put_instruction(const struct isa_target *t, const struct isa_inst *i,
                                                                  struct isa_out *o)
{
    if (i->form == FORM_VOPD) {
        unsigned y = i->u.y.first_op;
        isa_put(o, "v_dual_%s", i->mnemonic + 2);
        put_operands(t, i, i->row, 0, y, o);
        isa_put(o, " :: v_dual_%s", i->u.y.mnemonic + 2);
        put_operands(t, i, i->u.y.row, y, i->nops, o);
        if (i->u.y.table)
            isa_put(o, i->u.y.table < 16 ? " bitop3:%u" : " bitop3:0x%x", i->u.y.table);
        return;
    }
    isa_put_str(o, i->mnemonic);
    isa_put_str(o, form_suffix(t, i));
    if (i->row->image.data) {
        isa_put_image(t, i, o);
        return;
    }
    if (i->format == FMT_EXP)
        isa_put_export_target(t, i, o);
    put_operands(t, i, i->row, 0, i->nops, o);
    if ((i->row->flags & RF_INTERP) || i->format == FMT_VINTERP || i->format == FMT_LDSDIR || i->format == FMT_EXP)
        isa_put_gfx_modifiers(t, i, o);
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOP3P)
        put_vop_modifiers(t, i, o);
    else
        isa_put_mem_modifiers(t, i, o);
}

/* LLVM rejects such words. The comment is an assembler's. */
static __attribute__((cold, noinline)) void put_ignored(const struct isa_inst *i, struct isa_out *o)
{
    const char *before = " /*ignored: ";

    for (uint32_t m = i->ignored; m; m &= m - 1) {
        isa_put(o, "%s%s", before, isa_ignored_field((unsigned)__builtin_ctz(m)));
        before = ", ";
    }
    isa_put(o, "*/");
}

static size_t put_text(const struct isa_target *t, const struct isa_inst *i, const struct isa_inst *raised, char *buf,
                       size_t size)
{
    struct isa_out o = {buf, size, 0, raised};

    if (size)
        buf[0] = 0;
    if (i->row)
        put_instruction(t, i, &o);
    else
        isa_put(&o, "<illegal>");
    if (__builtin_expect(i->ignored != 0, 0))
        put_ignored(i, &o);
    return o.len;
}

size_t isa_text(const struct isa_target *t, const struct isa_inst *i, char *buf, size_t size)
{
    return put_text(t, i, NULL, buf, size);
}

size_t isa_text_raised(const struct isa_target *t, const struct isa_inst *i, unsigned msb, char *buf, size_t size)
{
    struct isa_inst moved;
    const struct isa_inst *raised = i->row ? isa_inst_raised(t, i, msb, &moved) : i;

    return put_text(t, i, raised == i ? NULL : raised, buf, size);
}
