/* LLVM's text of a decoded instruction. The order and spelling of modifiers follow LLVM 19's AMDGPUInstPrinter. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/text.h"

static void vput(struct isa_out *o, const char *fmt, va_list ap)
{
    size_t room = o->len < o->size ? o->size - o->len : 0;
    int n = vsnprintf(room ? o->buf + o->len : NULL, room, fmt, ap);
    if (n > 0)
        o->len += (size_t)n;
}

void isa_put(struct isa_out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vput(o, fmt, ap);
    va_end(ap);
}

/* --- registers and constants ------------------------------------------------------------------------------------ */

static unsigned opnd_dwords(const struct isa_target *t, const struct isa_opnd *o)
{
    if (o->type == T_MASK) /* LLVM prints for the target's default wave size */
        return isa_has(t, FEAT_WAVE32) ? 1 : 2;
    return isa_types[o->type].dwords;
}

static void put_range(struct isa_out *o, const char *file, unsigned first, unsigned dwords)
{
    if (dwords <= 1)
        isa_put(o, "%s%u", file, first);
    else
        isa_put(o, "%s[%u:%u]", file, first, first + dwords - 1);
}

/* Registers that have names: a pair's name, and its halves. */
static bool put_named_pair(struct isa_out *o, unsigned code, unsigned base, unsigned dwords, const char *name)
{
    if (code != base && code != base + 1)
        return false;
    if (dwords == 2)
        isa_put(o, "%s", name);
    else
        isa_put(o, "%s_%s", name, code == base ? "lo" : "hi");
    return true;
}

static void put_scalar(const struct isa_target *t, struct isa_out *o, unsigned code, unsigned dwords)
{
    if (put_named_pair(o, code, t->code_flat_scratch, dwords, "flat_scratch") ||
        put_named_pair(o, code, t->code_xnack_mask, dwords, "xnack_mask") ||
        put_named_pair(o, code, CODE_VCC_LO, dwords, "vcc") || put_named_pair(o, code, CODE_EXEC_LO, dwords, "exec"))
        return;
    if (isa_has(t, FEAT_TRAP_TMA) &&
        (put_named_pair(o, code, 108, dwords, "tba") || put_named_pair(o, code, 110, dwords, "tma")))
        return;
    if (code == t->code_m0)
        isa_put(o, "m0");
    else if (code == t->code_null)
        isa_put(o, "null");
    else if (code >= t->code_ttmp0 && code < t->code_ttmp0 + t->ttmp_count)
        put_range(o, "ttmp", code - t->code_ttmp0, dwords);
    else
        put_range(o, "s", code, dwords);
}

static const char *const float_text[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

/* A literal that equals an inline constant prints as that constant. */
static void put_literal(const struct isa_inst *i, struct isa_out *o, enum isa_type type)
{
    static const uint32_t f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000,
                                   0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
    static const uint16_t f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
    unsigned bits = isa_types[type].bits;
    int64_t as_int = bits == 16      ? (int16_t)i->literal
                     : type == T_F64 ? (int64_t)((uint64_t)i->literal << 32)
                     : bits == 64    ? (int64_t)i->literal
                                     : (int32_t)i->literal;
    bool fits16 = bits != 16 || i->literal <= 0xffff || (int32_t)i->literal == as_int;

    if (as_int >= -16 && as_int <= 64 && fits16) {
        isa_put(o, "%d", (int)as_int);
        return;
    }
    for (unsigned k = 0; k < 8; k++) {
        /* the f32 constants' high halves equal the doubles' only up to the exponent width */
        static const uint32_t f64_hi[] = {0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000,
                                          0x40000000, 0xc0000000, 0x40100000, 0xc0100000};
        bool same = type == T_F64                     ? i->literal == f64_hi[k]
                    : type == T_F16 || type == T_PF16 ? i->literal == f16[k]
                    : bits == 32                      ? i->literal == f32[k]
                                                      : false;
        if (same) {
            isa_put(o, "%s", float_text[k]);
            return;
        }
    }
    if (bits == 32 && type != T_PF16 && i->literal == 0x3e22f983)
        isa_put(o, "0.15915494");
    else if ((type == T_F16 || type == T_PF16) && i->literal == 0x3118)
        isa_put(o, "0.15915494");
    else
        isa_put(o, "0x%x", i->literal);
}

static const char *special_source(unsigned code)
{
    switch (code) {
    case CODE_SHARED_BASE:
        return "src_shared_base";
    case CODE_SHARED_LIMIT:
        return "src_shared_limit";
    case CODE_PRIVATE_BASE:
        return "src_private_base";
    case CODE_PRIVATE_LIMIT:
        return "src_private_limit";
    case CODE_POPS:
        return "src_pops_exiting_wave_id";
    case CODE_VCCZ:
        return "src_vccz";
    case CODE_EXECZ:
        return "src_execz";
    case CODE_SCC:
        return "src_scc";
    case CODE_LDS_DIRECT:
        return "src_lds_direct";
    default:
        return NULL;
    }
}

static void put_constant(const struct isa_inst *i, struct isa_out *o, unsigned code, enum isa_type type)
{
    unsigned bits = isa_types[type].bits;

    if (code >= CODE_INT_0 && code <= CODE_INT_64)
        isa_put(o, "%u", code - CODE_INT_0);
    else if (code > CODE_INT_64 && code <= CODE_INT_M16)
        isa_put(o, "-%u", code - CODE_INT_64);
    else if (code >= CODE_FLOAT_HALF && code < CODE_INV_2PI)
        isa_put(o, "%s", float_text[code - CODE_FLOAT_HALF]);
    else if (code == CODE_INV_2PI)
        isa_put(o, "%s",
                bits == 64 && type != T_PF32 && type != T_PB32 ? "0.15915494309189532"
                : bits == 16 || type == T_PF16                 ? "0.15915494"
                                                               : "0.15915494");
    else if (code == CODE_LITERAL)
        put_literal(i, o, type);
    else if (special_source(code))
        isa_put(o, "%s", special_source(code));
    else
        isa_put(o, "<%u>", code);
}

void isa_put_operand(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op, struct isa_out *o)
{
    unsigned dwords = opnd_dwords(t, op);

    if (op->code == CODE_NONE)
        isa_put(o, "off");
    else if (op->code >= CODE_VGPR)
        put_range(o, op->flags & A_ACC ? "a" : "v", op->code - CODE_VGPR, dwords);
    else if (op->code < 128)
        put_scalar(t, o, op->code, dwords);
    else
        put_constant(i, o, op->code, (enum isa_type)op->type);
}

/* --- operands with modifiers ------------------------------------------------------------------------------------ */

static int source_number(unsigned slot)
{
    return slot >= SL_SRC0 && slot <= SL_SRC2 ? (int)(slot - SL_SRC0) : -1;
}

static bool takes_float_mods(const struct isa_inst *i, const struct isa_opnd *op)
{
    if (op->flags & A_NOMOD)
        return false;
    if (i->form == FORM_SDWA)
        return isa_types[op->type].float_bits || (op->flags & A_FMOD);
    if (i->format == FMT_VOP3P)
        return op->type == T_MIX;
    return isa_types[op->type].float_bits || (op->flags & A_FMOD);
}

static void put_source(const struct isa_target *t, const struct isa_inst *i, unsigned k, int src, struct isa_out *o)
{
    const struct isa_opnd *op = &i->op[k];
    bool neg, abs;

    if (src >= 0 && i->form == FORM_SDWA && !takes_float_mods(i, op) && (i->u.sdwa.sext >> src & 1)) {
        isa_put(o, "sext(");
        isa_put_operand(t, i, op, o);
        isa_put(o, ")");
        return;
    }
    bool mods = src >= 0 && takes_float_mods(i, op);
    neg = mods && (i->neg >> src & 1);
    abs = mods && ((i->format == FMT_VOP3P ? i->neg_hi : i->abs) >> src & 1);
    bool constant = op->code >= 128 && op->code < CODE_VGPR && !special_source(op->code);
    bool spelled = neg && !abs && constant;
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

static void put_bits(struct isa_out *o, const char *name, unsigned bits, unsigned n)
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
        n += source_number(row->args[k].slot) >= 0;
    return n;
}

static void put_clamp_omod(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const omods[] = {"", " mul:2", " mul:4", " div:2"};
    if (i->clamp)
        isa_put(o, " clamp");
    isa_put(o, "%s", omods[i->omod & 3]);
}

static void put_sdwa(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const sel[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
    unsigned n = count_sources(i->row);

    put_clamp_omod(i, o);
    if (i->base_format != FMT_VOPC)
        isa_put(o, " dst_sel:%s dst_unused:%s", sel[i->u.sdwa.dst_sel], unused[i->u.sdwa.dst_unused]);
    isa_put(o, " src0_sel:%s", sel[i->u.sdwa.src_sel[0]]);
    if (n > 1)
        isa_put(o, " src1_sel:%s", sel[i->u.sdwa.src_sel[1]]);
}

static void put_dpp_ctrl(const struct isa_target *t, unsigned c, struct isa_out *o)
{
    static const struct {
        unsigned ctrl;
        const char *text;
    } fixed[] = {{0x130, "wave_shl:1"}, {0x134, "wave_rol:1"},      {0x138, "wave_shr:1"},   {0x13c, "wave_ror:1"},
                 {0x140, "row_mirror"}, {0x141, "row_half_mirror"}, {0x142, "row_bcast:15"}, {0x143, "row_bcast:31"}};

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

    if (i->form == FORM_DPP8 || i->form == FORM_E64_DPP8) {
        isa_put(o, " dpp8:[");
        for (unsigned k = 0; k < 8; k++)
            isa_put(o, "%s%u", k ? "," : "", d->sel8 >> (3 * k) & 7);
        isa_put(o, "]");
    } else {
        put_dpp_ctrl(t, d->ctrl, o);
        isa_put(o, " row_mask:0x%x bank_mask:0x%x", d->row_mask, d->bank_mask);
        if (d->bound_ctrl)
            isa_put(o, " bound_ctrl:1");
    }
    if (d->fi)
        isa_put(o, " fi:1");
}

static void put_mai(const struct isa_inst *i, struct isa_out *o)
{
    if (!i->row->mat)
        return;
    if (i->u.mai.cbsz)
        isa_put(o, " cbsz:%u", i->u.mai.cbsz);
    if (i->u.mai.abid)
        isa_put(o, " abid:%u", i->u.mai.abid);
    if (i->u.mai.blgp && (i->row->mat->mods & MM_BLGP_NEG))
        put_bits(o, "neg", i->u.mai.blgp, 3);
    else if (i->u.mai.blgp)
        isa_put(o, " blgp:%u", i->u.mai.blgp);
}

static void put_vop_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    unsigned n = count_sources(i->row);

    if (i->form == FORM_SDWA) {
        put_sdwa(i, o);
        return;
    }
    if (i->row->flags & RF_MAI) {
        put_mai(i, o);
        return;
    }
    if (i->format == FMT_VOP3P) {
        bool wmma = i->row->mat != NULL, sparse = wmma && isa_matrix_sparse(i->row->mat);
        bool mix = i->nops > 1 && i->op[1].type == T_MIX;
        unsigned all = (1u << n) - 1;
        if (sparse && i->op_sel)
            isa_put(o, " index_key:%u", i->op_sel);
        else if (i->op_sel & all)
            put_bits(o, "op_sel", i->op_sel, n);
        /* where op_sel means nothing, op_sel_hi does not show */
        bool shown = !wmma || (i->row->mat->mods & MM_OP_SEL);
        if (shown && (mix ? i->op_sel_hi & all : (i->op_sel_hi & all) != all))
            put_bits(o, "op_sel_hi", i->op_sel_hi, n);
        if (!mix && (i->neg & all))
            put_bits(o, "neg_lo", i->neg, n);
        if (!mix && (i->neg_hi & all))
            put_bits(o, "neg_hi", i->neg_hi, n);
        if (i->clamp)
            isa_put(o, " clamp");
    } else {
        if (i->row->flags & RF_OP_SEL) {
            if (i->op_sel & 3)
                put_bits(o, "op_sel", i->op_sel, 2);
        } else if (i->op_sel) {
            unsigned bits = (i->op_sel & ((1u << n) - 1)) | (unsigned)(i->op_sel >> 3 & 1) << n;
            put_bits(o, "op_sel", bits, n + 1);
        }
        put_clamp_omod(i, o);
    }
    if (i->form == FORM_DPP16 || i->form == FORM_DPP8 || i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8)
        put_dpp(t, i, o);
}

/* --- memory modifiers ------------------------------------------------------------------------------------------- */

static void put_th(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const load[] = {"TH_LOAD_RT",    "TH_LOAD_NT",    "TH_LOAD_HT",    "TH_LOAD_LU",
                                       "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT", "TH_LOAD_7"};
    static const char *const store[] = {"TH_STORE_RT",    "TH_STORE_NT",    "TH_STORE_HT",    "TH_STORE_RT_WB",
                                        "TH_STORE_NT_RT", "TH_STORE_RT_NT", "TH_STORE_NT_HT", "TH_STORE_NT_WB"};
    const struct isa_membits *m = &i->u.mem;

    if (!m->th)
        return;
    if (i->row->mem.op == MEM_ATOMIC) {
        /* bit 0 return, bit 1 non-temporal, bit 2 cascade */
        if (m->th & 4)
            isa_put(o, " th:TH_ATOMIC_CASCADE_%s", m->th & 2 ? "NT" : "RT");
        else if (m->th & 2)
            isa_put(o, " th:TH_ATOMIC_NT%s", m->th & 1 ? "_RETURN" : "");
        else
            isa_put(o, " th:TH_ATOMIC_RETURN");
        return;
    }
    bool is_store = i->row->mem.op == MEM_STORE;
    if (m->th == 3 && m->scope == SCOPE_SYS)
        isa_put(o, " th:%s", is_store ? "TH_STORE_BYPASS" : "TH_LOAD_BYPASS");
    else
        isa_put(o, " th:%s", is_store ? store[m->th] : load[m->th]);
}

static void put_cache_bits(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
    const struct isa_membits *m = &i->u.mem;

    if (t->layout == LAYOUT_GFX12) {
        put_th(i, o);
        isa_put(o, "%s", scopes[m->scope & 3]);
        return;
    }
    bool sc = isa_node_under(t->node, N_GFX942) && i->format != FMT_SMEM;
    if (m->glc)
        isa_put(o, sc ? " sc0" : " glc");
    if (m->slc)
        isa_put(o, sc ? " nt" : " slc");
    if (m->dlc)
        isa_put(o, " dlc");
    if (m->scc)
        isa_put(o, sc ? " sc1" : " scc");
    if (m->nv)
        isa_put(o, " nv");
}

static void put_swizzle(unsigned imm, struct isa_out *o)
{
    if (!imm)
        return;
    isa_put(o, " offset:");
    if ((imm & 0xff00) == 0x8000) {
        isa_put(o, "swizzle(QUAD_PERM,%u,%u,%u,%u)", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
        return;
    }
    if (imm & 0x8000) {
        isa_put(o, "%u", imm);
        return;
    }
    unsigned and_mask = imm & 31, or_mask = imm >> 5 & 31, xor_mask = imm >> 10 & 31;
    if (and_mask == 31 && or_mask == 0 && xor_mask && !(xor_mask & (xor_mask - 1))) {
        isa_put(o, "swizzle(SWAP,%u)", xor_mask);
    } else if (and_mask == 31 && or_mask == 0 && xor_mask && !((xor_mask + 1) & xor_mask)) {
        isa_put(o, "swizzle(REVERSE,%u)", xor_mask + 1);
    } else {
        unsigned group = 32 - and_mask; /* and = ~(group - 1): broadcast of one lane per group */
        if (group > 1 && !(group & (group - 1)) && or_mask < group && xor_mask == 0) {
            isa_put(o, "swizzle(BROADCAST,%u,%u)", group, or_mask);
            return;
        }
        isa_put(o, "swizzle(BITMASK_PERM,\"");
        for (int b = 4; b >= 0; b--) {
            unsigned p0 = (0u >> b & 1),
                     with0 = ((p0 & (and_mask >> b & 1)) | (or_mask >> b & 1)) ^ (xor_mask >> b & 1);
            unsigned with1 = ((and_mask >> b & 1) | (or_mask >> b & 1)) ^ (xor_mask >> b & 1);
            isa_put(o, "%c", with0 == with1 ? (with0 ? '1' : '0') : with0 ? 'i' : 'p');
        }
        isa_put(o, "\")");
    }
}

static void put_mem_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    const struct isa_membits *m = &i->u.mem;

    switch (i->format) {
    case FMT_DS:
        if (i->row->flags & RF_SWIZZLE) {
            put_swizzle((unsigned)i->offset & 0xffff, o);
        } else if (i->row->mem.elems == 2) {
            if (i->offset & 0xff)
                isa_put(o, " offset0:%u", (unsigned)i->offset & 0xff);
            if (i->offset >> 8 & 0xff)
                isa_put(o, " offset1:%u", (unsigned)i->offset >> 8 & 0xff);
        } else if (i->offset & 0xffff) {
            isa_put(o, " offset:%u", (unsigned)i->offset & 0xffff);
        }
        if (m->gds)
            isa_put(o, " gds");
        return;
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_VBUFFER:
        if (m->idxen)
            isa_put(o, " idxen");
        if (m->offen)
            isa_put(o, " offen");
        /* fall through */
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        if (i->offset)
            isa_put(o, " offset:%d", i->offset);
        put_cache_bits(t, i, o);
        if (m->tfe)
            isa_put(o, " tfe");
        if (m->lds)
            isa_put(o, " lds");
        return;
    default:
        return;
    }
}

/* An immediate in the place of a register: the length of s_prefetch, the message of s_sendmsg_rtn. */
static void put_register_field(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                               struct isa_out *o)
{
    struct isa_inst with = *i;

    with.offset = op->code;
    isa_put_immediate(t, &with, (enum isa_type)op->type, o);
}

/* s_load: base, then "0x10", "s4" or "s4 offset:0x10". LLVM shows the absent SGPR of gfx10 and gfx11 when there is no
 * immediate either, and the immediate of gfx12 beside an SGPR even when it is 0. */
static void put_smem_offset(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                            struct isa_out *o)
{
    if (op->code != CODE_NONE) {
        isa_put_operand(t, i, op, o);
        if (i->u.mem.imm && (i->u.mem.soffset_en || t->layout != LAYOUT_GFX9) &&
            (i->offset || t->layout == LAYOUT_GFX12))
            isa_put(o, " offset:%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
    } else if (!i->offset && (t->layout == LAYOUT_GFX10 || t->layout == LAYOUT_GFX11)) {
        isa_put(o, "null");
    } else {
        isa_put(o, "%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
    }
}

/* --- whole instructions ----------------------------------------------------------------------------------------- */

static const char *form_suffix(const struct isa_inst *i)
{
    bool twin = i->base_format == FMT_VOP1 || i->base_format == FMT_VOP2 || i->base_format == FMT_VOPC;

    switch (i->form) {
    case FORM_E32:
        return twin && !(i->row->flags & (RF_NO_E64 | RF_NO_E32_SUFFIX)) ? "_e32" : "";
    case FORM_E64:
        return twin && i->format == FMT_VOP3 ? "_e64" : "";
    case FORM_SDWA:
        return "_sdwa";
    case FORM_DPP16:
    case FORM_DPP8:
        return "_dpp";
    default:
        return "_e64_dpp";
    }
}

static void put_operands(const struct isa_target *t, const struct isa_inst *i, const struct isa_row *row, unsigned from,
                         unsigned to, struct isa_out *o)
{
    const char *sep = " ";

    for (unsigned k = from; k < to; k++) {
        const struct isa_opnd *op = &i->op[k];
        unsigned slot = row->args[k - from].slot;
        if ((op->flags & A_HIDDEN) || (op->type == T_ENDPGM && !i->offset))
            continue;
        isa_put(o, "%s", sep);
        sep = ", ";
        if (slot == SL_K && i->format != FMT_SOPK) /* always spelled as a number */
            isa_put(o, "0x%x", i->literal);
        else if (slot == SL_SIMM)
            isa_put_immediate(t, i, (enum isa_type)op->type, o);
        else if (op->type == T_IMM16 || op->type == T_SENDMSG || op->type == T_GPRIDX)
            put_register_field(t, i, op, o);
        else if (slot == SL_OFFSET && i->format == FMT_SMEM)
            isa_put(o, "%s0x%x", i->offset < 0 ? "-" : "", (unsigned)(i->offset < 0 ? -i->offset : i->offset));
        else if (slot == SL_SOFFSET && i->format == FMT_SMEM && row->mem.op == MEM_FETCH)
            op->code == CODE_NONE ? isa_put(o, "null") : isa_put_operand(t, i, op, o);
        else if (slot == SL_SOFFSET && i->format == FMT_SMEM)
            put_smem_offset(t, i, op, o);
        else
            put_source(t, i, k, source_number(slot), o);
    }
}

size_t isa_text(const struct isa_target *t, const struct isa_inst *i, char *buf, size_t size)
{
    struct isa_out o = {buf, size, 0};

    if (size)
        buf[0] = 0;
    if (!i->row) {
        isa_put(&o, "<illegal>");
        return o.len;
    }
    if (i->form == FORM_VOPD) {
        unsigned y = i->u.y.first_op;
        isa_put(&o, "v_dual_%s", i->mnemonic + 2);
        put_operands(t, i, i->row, 0, y, &o);
        isa_put(&o, " :: v_dual_%s", i->u.y.mnemonic + 2);
        put_operands(t, i, i->u.y.row, y, i->nops, &o);
        return o.len;
    }
    isa_put(&o, "%s%s", i->mnemonic, form_suffix(i));
    put_operands(t, i, i->row, 0, i->nops, &o);
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOP3P)
        put_vop_modifiers(t, i, &o);
    else if (i->format == FMT_SMEM)
        put_cache_bits(t, i, &o);
    else
        put_mem_modifiers(t, i, &o);
    return o.len;
}
