/* Writes registers and constants as LLVM does, with its comment on those that an operand cannot be. Names: LLVM 19
 * AMDGPUInstPrinter. */
#include "isa/decode/parts.h"
#include "isa/text/text.h"

static unsigned opnd_dwords(const struct isa_target *t, const struct isa_opnd *o)
{
    if (o->type == T_MASK) /* LLVM prints for the target's default wave size */
        return isa_has(t, FEAT_WAVE32) ? 1 : 2;
    return isa_types[o->type].dwords;
}

void isa_put_range(struct isa_out *o, const char *file, unsigned first, unsigned dwords)
{
    isa_put_str(o, file);
    if (dwords <= 1) {
        isa_put_uint(o, first);
        return;
    }
    isa_put_str(o, "[");
    isa_put_uint(o, first);
    isa_put_str(o, ":");
    isa_put_uint(o, first + dwords - 1);
    isa_put_str(o, "]");
}

/* Registers that have names: a pair's name, and its halves. */
static bool put_named_pair(struct isa_out *o, unsigned code, unsigned base, unsigned dwords, const char *name)
{
    if (code != base && code != base + 1)
        return false;
    if (dwords >= 2)
        isa_put(o, "%s", name);
    else
        isa_put(o, "%s_%s", name, code == base ? "lo" : "hi");
    return true;
}

static void put_scalar(const struct isa_target *t, struct isa_out *o, unsigned code, unsigned dwords)
{
    /* LLVM names these by their numbers, on gfx942 too, which has them no more */
    bool named = t->sgpr_limit < 106;
    unsigned tuple = dwords == 32 ? 1 : dwords; /* there are none of 32 */

    if ((named && (put_named_pair(o, code, 102, dwords, "flat_scratch") ||
                   put_named_pair(o, code, 104, dwords, "xnack_mask"))) ||
        put_named_pair(o, code, CODE_VCC_LO, dwords, "vcc") || put_named_pair(o, code, CODE_EXEC_LO, dwords, "exec"))
        return;
    if (isa_has(t, FEAT_TRAP_TMA) &&
        (put_named_pair(o, code, 108, dwords, "tba") || put_named_pair(o, code, 110, dwords, "tma")))
        return;
    if (code == t->code_m0)
        isa_put(o, "m0");
    else if (code == (t->code_m0 ^ 1u)) /* gfx8 and gfx9 have no null register; LLVM names the number all the same */
        isa_put(o, "null");
    else if (code >= t->code_ttmp0 && code < t->code_ttmp0 + t->ttmp_count)
        isa_put_range(o, "ttmp", code - t->code_ttmp0, tuple);
    else
        isa_put_range(o, "s", code, tuple);
}

static const char *const float_text[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

static const uint32_t f32_bits[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000,
                                    0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
static const uint32_t f64_high[] = {0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000,
                                    0x40000000, 0xc0000000, 0x40100000, 0xc0100000};
static const uint16_t f16_bits[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
static const uint16_t bf16_bits[] = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080};

static bool is_float16(enum isa_type type)
{
    return type == T_F16 || isa_is_packed_f16(type) || type == T_MIX;
}

/* The inline constant that 32 literal bits are to an operand. 16-bit floats look at the low half; 16-bit integers are
 * compared as f32, as LLVM has it. */
static const char *literal_constant(const struct isa_target *t, const struct isa_inst *i, uint32_t v,
                                    enum isa_type type)
{
    bool f16 = is_float16(type), bf16_sized = type == T_BF16 || type == T_MIXB;

    if (isa_is_packed_f16(type) && i->format != FMT_VOP3P && t->name_halves && t->llvm22) /* v_pk_fmac_f16 */
        return NULL;
    if ((isa_is_packed_f16(type) && v > 0xffff) || (isa_types[type].bits == 64 && type != T_F64 && type != T_PF32))
        return NULL;
    for (unsigned k = 0; k < 8; k++) {
        bool same = type == T_F64                           ? v == f64_high[k]
                    : f16                                   ? (uint16_t)v == f16_bits[k]
                    : bf16_sized                            ? (uint16_t)v == bf16_bits[k]
                    : t->llvm22 && isa_is_packed_bf16(type) ? v == bf16_bits[k]
                                                            : v == f32_bits[k];
        if (same)
            return float_text[k];
    }
    bool bf16 = t->llvm22 && (bf16_sized || isa_is_packed_bf16(type));
    if (bf16 ? v == 0x3e22 : f16 ? (uint16_t)v == 0x3118 : type != T_F64 && type != T_BF16 && v == 0x3e22f983)
        return "0.15915494";
    return NULL;
}

/* A literal that equals an inline constant prints as that constant, or so that it is assembled as a literal. */
static void put_literal(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o, enum isa_type type,
                        bool bad)
{
    bool narrow = isa_types[type].bits == 16 || isa_is_mixed(type);
    bool wide = isa_types[type].bits == 64 && type != T_PF32 && type != T_PB32;
    uint32_t v = i->literal;
    int64_t as_int = (is_float16(type) && narrow) || type == T_BF16 || type == T_MIXB ? (int16_t)v
                     : type == T_F64                                                  ? (int64_t)((uint64_t)v << 32)
                     : wide                                                           ? (int64_t)v
                                                                                      : (int32_t)v;
    const char *name = literal_constant(t, i, v, type);

    if (t->llvm22 && !bad && i->format != FMT_SOPK && type != T_F64 && ((as_int >= -16 && as_int <= 64) || name))
        isa_put(o, "lit(0x%x)", v);
    else if (as_int >= -16 && as_int <= 64)
        isa_put(o, "%d", (int)as_int);
    else if (name)
        isa_put(o, "%s", name);
    else
        isa_put(o, "0x%x", narrow && type != T_BF16 && type != T_MIXB ? v & 0xffff : v);
}

/* 64 bits in hex. */
static void put_wide_hex(struct isa_out *o, uint64_t v)
{
    static const char digits[] = "0123456789abcdef";

    isa_put(o, "0x");
    if (v >> 32)
        isa_put(o, "%x", (unsigned)(v >> 32));
    if (!(v >> 32)) {
        isa_put(o, "%x", (unsigned)v);
        return;
    }
    for (int shift = 28; shift >= 0; shift -= 4)
        isa_put(o, "%c", digits[v >> shift & 15]);
}

/* What LLVM 22 shows of a literal of 64 bits in an operand that has fewer: 32 of them, or 16. */
static void put_low_literal(const struct isa_target *t, const struct isa_inst *i, uint32_t v, enum isa_type type,
                            struct isa_out *o)
{
    bool half = isa_types[type].bits == 16 || type == T_MIX, bf16 = type == T_BF16 || type == T_MIXB;
    int32_t low = (half && is_float16(type)) || bf16 ? (int16_t)v : (int32_t)v;
    const char *name = literal_constant(t, i, v, type);

    if (low >= -16 && low <= 64)
        isa_put(o, "%d", low);
    else if (name)
        isa_put(o, "%s", name);
    else
        isa_put(o, "0x%x", half && !bf16 ? v & 0xffff : v);
}

/* A literal of 64 bits, in LLVM 22's way to distinguish it from one of 32. `plain`: not as an inline constant. */
static void put_wide_literal(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o,
                             enum isa_type type, bool plain)
{
    uint64_t v = i->literal | (uint64_t)i->literal_hi << 32;
    bool negative = (int64_t)v >= -16 && (int64_t)v < 0;

    if (!i->literal_hi) {
        isa_put(o, "lit64(0x%x)", i->literal);
        return;
    }
    if (isa_types[type].bits != 64 || type == T_PF32 || type == T_PB32) {
        put_low_literal(t, i, i->literal, type, o);
        return;
    }
    for (unsigned k = 0; k < 8 && !i->literal && !plain; k++)
        if (i->literal_hi == f64_high[k]) {
            isa_put(o, "%s", float_text[k]);
            return;
        }
    if (negative && !plain)
        isa_put(o, "%d", (int)v);
    else if (v == UINT64_C(0x3fc45f306dc9c882) && !plain)
        isa_put(o, "0.15915494309189532");
    else
        put_wide_hex(o, type == T_F64 && !i->literal ? i->literal_hi : v);
}

/* The literal of v_fmamk_f64 and v_fmaak_f64. */
void isa_put_wide_k(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o)
{
    put_wide_literal(t, i, o, T_F64, true);
}

const char *isa_special_source(unsigned code)
{
    switch (code) {
    case CODE_FLAT_SCRATCH_LO:
        return "src_flat_scratch_base_lo";
    case CODE_FLAT_SCRATCH_HI:
        return "src_flat_scratch_base_hi";
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

static void put_constant(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o, unsigned code,
                         enum isa_type type, bool bad)
{
    unsigned bits = isa_types[type].bits;
    bool wmma_sum = i->row->mat && i->row->mat->kind == MAT_WMMA && type != T_F32;
    bool f32_literal = i->format == FMT_VOP3 && type == T_PF16 && t->name_halves; /* v_cvt_pk_fp8_f16, in LLVM 22 */
    bool integer16 = bits == 16 && (type == T_U16 || type == T_I16 || type == T_B16);

    if (code >= CODE_INT_0 && code <= CODE_INT_64)
        isa_put(o, "%u", code - CODE_INT_0);
    else if (code > CODE_INT_64 && code <= CODE_INT_M16)
        isa_put(o, "-%u", code - CODE_INT_64);
    else if (code >= CODE_FLOAT_HALF && code < CODE_INV_2PI)
        f32_literal ? isa_put(o, "0x%x", f32_bits[code - CODE_FLOAT_HALF])
        : integer16 ? isa_put(o, "0x%x", f16_bits[code - CODE_FLOAT_HALF])
                    : isa_put(o, "%s", float_text[code - CODE_FLOAT_HALF]);
    else if (code == CODE_INV_2PI)
        isa_put(o, "%s",
                f32_literal                                                    ? "0x3e22f983"
                : (bits == 64 && type != T_PF32 && type != T_PB32) || wmma_sum ? "0.15915494309189532"
                : integer16                                                    ? "0x3118"
                                                                               : "0.15915494");
    else if (code == CODE_LITERAL64 ||
             (code == CODE_LITERAL && i->has_literal == 2 && i->format == FMT_SOP2 && bits == 64))
        put_wide_literal(t, i, o, type, false);
    else if (code == CODE_LITERAL)
        put_literal(t, i, o, type, bad);
    else if (isa_special_source(code))
        isa_put(o, "%s", isa_special_source(code));
    else
        isa_put(o, "<%u>", code);
}

/* Classes of 1, 2, 4 ... 32 registers. */
static const char *const agpr_class[] = {"AGPR_32", "AReg_64", "AReg_128", "AReg_256", "AReg_512", "AReg_1024"};
static const char *const vgpr_class[] = {"VGPR_32", "VReg_64", "VReg_128", "VReg_256", "VReg_512", "VReg_1024"};
static const char *const either_class[] = {"AV_32", "AV_64", "AV_128", "AV_256", "AV_512", "AV_1024"};

/* In a matrix instruction A and B may be VGPRs or AGPRs, C is in the file of D, and the index of a sparse one is a
 * VGPR. */
static const char *matrix_class(const struct isa_inst *i, unsigned slot, unsigned log)
{
    bool cdna = i->row->mat->kind <= MAT_SMFMAC;

    if (cdna && slot != SL_SRC2)
        return either_class[log];
    return (cdna && !isa_matrix_sparse(i->row->mat) && (i->op[0].flags & A_ACC) ? agpr_class : vgpr_class)[log];
}

/* The argument of an operand, in the half of dual issue that it is in. */
static const struct isa_arg *arg_of(const struct isa_inst *i, unsigned k)
{
    bool y = i->form == FORM_VOPD && k >= i->u.y.first_op;

    return y ? &i->u.y.row->args[k - i->u.y.first_op] : &i->row->args[k];
}

/* gfx1250's and gfx1251's classes of VGPR tuples, and of what may be a scalar as well. */
static const char *aligned_class(const struct isa_inst *i, unsigned k, unsigned dwords)
{
    static const char *const vgprs[] = {"VReg_64_Align2",  "VReg_96_Align2",  "VReg_128_Align2", "VReg_256_Align2",
                                        "VReg_512_Align2", "VReg_384_Align2", "VReg_1024_Align2"};
    static const char *const either[] = {"VS_64_Align2",  "VS_96_Align2",  "VS_128_Align2", "VS_256_Align2",
                                         "VS_512_Align2", "VS_384_Align2", "VS_1024_Align2"};
    const struct isa_arg *a = arg_of(i, k);
    int source = isa_source_number(a->slot);
    unsigned at = dwords == 2    ? 0
                  : dwords == 3  ? 1
                  : dwords == 4  ? 2
                  : dwords == 8  ? 3
                  : dwords == 16 ? 4
                  : dwords == 12 ? 5
                                 : 6;
    bool is_short = i->format >= FMT_VOP1 && i->format <= FMT_VOPC;
    if (a->slot == SL_SCALE_A || a->slot == SL_SCALE_B || (i->format == FMT_VOP3P && isa_loads_scales(i->row)))
        return "VS_64_Lo256";
    bool vector = source < 0 || (is_short && (source > 0 || i->form != FORM_E32)) || i->row->mat ||
                  (a->flags & A_VGPR) || (i->form == FORM_VOPD && source > 0) ||
                  (i->form == FORM_E64_DPP16 && source == 0);

    return (vector ? vgprs : either)[at];
}

/* The register class of an operand, as LLVM names it when it complains. */
static const char *class_name(const struct isa_target *t, const struct isa_inst *i, unsigned k)
{
    const struct isa_opnd *op = &i->op[k];
    unsigned slot = arg_of(i, k)->slot, dwords = opnd_dwords(t, op);

    if (isa_has(t, FEAT_ALIGNED_VGPRS) && dwords > 1 &&
        (op->code >= CODE_VGPR || i->row->mat || (arg_of(i, k)->flags & A_VGPR)))
        return aligned_class(i, k, dwords);
    switch (slot) {
    case SL_SADDR:
        return isa_has(t, FEAT_ALIGNED_VGPRS) && i->format != FMT_SCRATCH ? "SReg_64_XEXEC_XNULL" : "SReg_32_XEXEC_HI";
    case SL_SOFFSET:
        return "SReg_32";
    case SL_SBASE:
    case SL_SDST:
        if (dwords == 2 && i->format == FMT_SMEM)
            return "SReg_64_XEXEC";
        return dwords == 16  ? "SReg_512"
               : dwords == 8 ? "SReg_256"
               : dwords == 4 ? "SReg_128"
               : dwords == 3 ? "SReg_96"
               : dwords == 2 ? "SReg_64"
                             : "SReg_32_XM0_XEXEC";
    case SL_SRSRC:
    case SL_SSAMP:
        return dwords == 8 ? "SReg_256" : "SReg_128";
    case SL_CARRY_IN:
        return "SReg_1_XEXEC";
    case SL_VDST:
        return i->row->cls == OPC_SALU_TRANS ? "SReg_32_XEXEC" : "SReg_32";
    case SL_CMP_OUT:
    case SL_CARRY_OUT:
        return "SReg_1";
    case SL_SRC0:
    case SL_SRC1:
    case SL_SRC2:
        if (i->row->mat)
            return matrix_class(i, slot, (unsigned)__builtin_ctz(dwords | 32));
        if (i->row->args[k].flags & A_ACC)
            return agpr_class[0];
        if (isa_takes_lds(t, &i->row->args[k]))
            return i->row->args[k].flags & A_SGPR ? "SRegOrLds_32" : "VRegOrLds_32";
        if ((i->row->args[k].flags & A_SGPR) || i->format <= FMT_SOPP)
            return "SReg_32";
        if (i->format >= FMT_VOP1 && i->format <= FMT_VOPC && !(i->row->args[k].flags & A_VGPR))
            return i->form == FORM_E32 && slot == SL_SRC0 ? "VS_32_Lo128" : "VGPR_32_Lo128";
        return dwords == 8 ? "VReg_256" : dwords == 4 ? "VReg_128" : dwords == 2 ? "VReg_64" : "VGPR_32";
    default:
        return dwords == 4 ? "VReg_128" : dwords == 2 ? "VReg_64" : "VGPR_32";
    }
}

/* The type as which LLVM has an operand's constants. */
static enum isa_type constant_type(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    if (i->format == FMT_VINTERP || (i->row->mat && i->row->mat->kind == MAT_WMMA && op != &i->op[3]))
        return T_F32;
    if (op == i->op && i->row->cls == OPC_SALU_TRANS) /* no destination, but LLVM prints it */
        return T_F32;
    if (op->type == T_F16 && i->format <= FMT_SOPP)
        return i->format == FMT_SOP1 ? T_F32 : i->format == FMT_SOPC ? T_U16 : T_F16;
    bool bad = i->bad >> (op - i->op) & 1, cdna = i->row->mat && i->row->mat->kind <= MAT_SMFMAC && bad;
    if (isa_is_mixed(op->type) && bad)
        return T_F32;
    if ((i->row->args[op - i->op].flags & A_REG) || cdna) /* of any width */
        return T_B32;
    bool shift = i->nops == 4 && op == &i->op[3] && (i->row->args[3].flags & A_HALF); /* of v_alignbit_b32 */
    if (t->name_halves && t->llvm22 && shift && i->op_sel)
        return T_U16;
    if (t->name_halves && i->op[0].type == T_PF32 && (i->row->args[op - i->op].flags & A_HALF) &&
        op->code >= CODE_LITERAL64)
        return T_F16; /* v_cvt_pk_f32_fp8 */
    return (i->row->flags & RF_INT_MODS) && isa_types[op->type].bits == 16 ? T_F16 : (enum isa_type)op->type;
}

/* The half of its register that an operand of 16 bits is, as the encoding says it: 'l' or 'h'; 0: no such operand. */
static char half_of(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    const struct isa_arg *a = &i->row->args[op - i->op];
    int source = isa_source_number(a->slot);
    bool narrow = (a->flags & A_HALF) || isa_is_half(op->type);

    if (isa_fakes_halves(t, i) || (t->llvm22 && i->row->cls == OPC_SALU_TRANS))
        return 0;
    if (t->llvm22 && source < 0 && i->row->args[1].type == T_I32 && i->nops == 4) /* v_ashr_pk_i8_i32 */
        return 0;
    if (!narrow || !isa_has(t, FEAT_S_TRUE16) || i->format < FMT_VOP1 || i->format > FMT_VOP3)
        return 0;
    return i->op_sel >> (source >= 0 ? source : 3) & 1 ? 'h' : 'l';
}

/* Without the names of halves: high ones of short forms show, because these have no op_sel to say so. */
static void put_half(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op, char half,
                     struct isa_out *o)
{
    bool is_short = i->format != FMT_VOP3, named = t->name_halves || (i->row->flags & RF_TRUE16);

    isa_put(o, "v%u", op->code - CODE_VGPR);
    if (named || (is_short && half == 'h'))
        isa_put(o, ".%c", half);
}

static void put_plain(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                      struct isa_out *o)
{
    unsigned dwords = opnd_dwords(t, op);
    char half = half_of(t, i, op);

    if (dwords == 3 && op->code >= t->code_ttmp0 && op->code < t->code_ttmp0 + t->ttmp_count)
        dwords = 1; /* as LLVM has it; there is no such tuple */
    if (op->code == CODE_NONE)
        isa_put(o, "off");
    else if (op->code >= CODE_VGPR && half)
        put_half(t, i, op, half, o);
    else if (op->code >= CODE_VGPR)
        isa_put_range(o, op->flags & A_ACC ? "a" : "v", op->code - CODE_VGPR, dwords);
    else if (op->code < 128)
        put_scalar(t, o, op->code, dwords);
    else
        put_constant(t, i, o, op->code, constant_type(t, i, op), i->bad >> (op - i->op) & 1);
}

void isa_put_operand(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op, struct isa_out *o)
{
    unsigned k = (unsigned)(op - i->op);

    put_plain(t, i, op, o);
    if (o->raised && o->raised->op[k].code != op->code) {
        isa_put_str(o, " /*");
        put_plain(t, o->raised, &o->raised->op[k], o);
        isa_put_str(o, "*/");
    }
    if (!(i->bad >> k & 1) || (t->llvm22 && op->type == T_MASK && op->code >= CODE_VGPR))
        return;
    if (op->code >= 128 && op->code < CODE_VGPR && !isa_special_source(op->code))
        isa_put(o, "/*Invalid immediate*/");
    else
        isa_put(o, "/*Invalid register, operand has '%s' register class*/", class_name(t, i, k));
}
