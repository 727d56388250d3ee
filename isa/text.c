/* LLVM's text of a decoded instruction. The order and spelling of modifiers follow LLVM 19's AMDGPUInstPrinter. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "isa/decode.h"
#include "isa/text.h"

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

/* --- registers and constants ------------------------------------------------------------------------------------ */

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
    return type == T_F16 || type == T_PF16 || type == T_MIX;
}

/* The inline constant that 32 literal bits are to an operand. 16-bit floats look at the low half; 16-bit integers are
 * compared as f32, as LLVM has it. */
static const char *literal_constant(uint32_t v, enum isa_type type)
{
    bool f16 = is_float16(type);

    if ((type == T_PF16 && v > 0xffff) || (isa_types[type].bits == 64 && type != T_F64 && type != T_PF32))
        return NULL;
    for (unsigned k = 0; k < 8; k++) {
        bool same = type == T_F64    ? v == f64_high[k]
                    : f16            ? (uint16_t)v == f16_bits[k]
                    : type == T_BF16 ? (uint16_t)v == bf16_bits[k]
                                     : v == f32_bits[k];
        if (same)
            return float_text[k];
    }
    if (f16 ? (uint16_t)v == 0x3118 : type != T_F64 && type != T_BF16 && v == 0x3e22f983)
        return "0.15915494";
    return NULL;
}

/* A literal that equals an inline constant prints as that constant. */
static void put_literal(const struct isa_inst *i, struct isa_out *o, enum isa_type type)
{
    bool narrow = isa_types[type].bits == 16 || type == T_MIX;
    bool wide = isa_types[type].bits == 64 && type != T_PF32 && type != T_PB32;
    uint32_t v = i->literal;
    int64_t as_int = (is_float16(type) && narrow) || type == T_BF16 ? (int16_t)v
                     : type == T_F64                                ? (int64_t)((uint64_t)v << 32)
                     : wide                                         ? (int64_t)v
                                                                    : (int32_t)v;
    const char *name = literal_constant(v, type);

    if (as_int >= -16 && as_int <= 64)
        isa_put(o, "%d", (int)as_int);
    else if (name)
        isa_put(o, "%s", name);
    else
        isa_put(o, "0x%x", narrow && type != T_BF16 ? v & 0xffff : v);
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
    bool wmma_sum = i->row->mat && i->row->mat->kind == MAT_WMMA && type != T_F32;
    bool integer16 = bits == 16 && (type == T_U16 || type == T_I16 || type == T_B16);

    if (code >= CODE_INT_0 && code <= CODE_INT_64)
        isa_put(o, "%u", code - CODE_INT_0);
    else if (code > CODE_INT_64 && code <= CODE_INT_M16)
        isa_put(o, "-%u", code - CODE_INT_64);
    else if (code >= CODE_FLOAT_HALF && code < CODE_INV_2PI)
        integer16 ? isa_put(o, "0x%x", f16_bits[code - CODE_FLOAT_HALF])
                  : isa_put(o, "%s", float_text[code - CODE_FLOAT_HALF]);
    else if (code == CODE_INV_2PI)
        isa_put(o, "%s",
                (bits == 64 && type != T_PF32 && type != T_PB32) || wmma_sum ? "0.15915494309189532"
                : integer16                                                  ? "0x3118"
                                                                             : "0.15915494");
    else if (code == CODE_LITERAL)
        put_literal(i, o, type);
    else if (special_source(code))
        isa_put(o, "%s", special_source(code));
    else
        isa_put(o, "<%u>", code);
}

/* Classes of 1, 2, 4 ... 32 registers. */
static const char *const agpr_class[] = {"AGPR_32", "AReg_64", "AReg_128", "AReg_256", "AReg_512", "AReg_1024"};
static const char *const vgpr_class[] = {"VGPR_32", "VReg_64", "VReg_128", "VReg_256", "VReg_512", "VReg_1024"};
static const char *const either_class[] = {"AV_32", "AV_64", "AV_128", "AV_256", "AV_512", "AV_1024"};

/* Of a matrix instruction: A and B may be either, C is what D is, the index of a sparse one is a VGPR. */
static const char *matrix_class(const struct isa_inst *i, unsigned slot, unsigned log)
{
    bool cdna = i->row->mat->kind <= MAT_SMFMAC;

    if (cdna && slot != SL_SRC2)
        return either_class[log];
    return (cdna && !isa_matrix_sparse(i->row->mat) && (i->op[0].flags & A_ACC) ? agpr_class : vgpr_class)[log];
}

/* The register class of an operand, as LLVM names it when it complains. */
static const char *class_name(const struct isa_target *t, const struct isa_inst *i, unsigned k)
{
    const struct isa_opnd *op = &i->op[k];
    unsigned slot = i->row->args[k].slot, dwords = opnd_dwords(t, op);

    switch (slot) {
    case SL_SADDR:
        return "SReg_32_XEXEC_HI";
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
static enum isa_type constant_type(const struct isa_inst *i, const struct isa_opnd *op)
{
    if (i->format == FMT_VINTERP || (i->row->mat && i->row->mat->kind == MAT_WMMA && op != &i->op[3]))
        return T_F32;
    if (op == i->op && i->row->cls == OPC_SALU_TRANS) /* no destination, but LLVM prints it */
        return T_F32;
    if (op->type == T_F16 && i->format <= FMT_SOPP)
        return i->format == FMT_SOP1 ? T_F32 : i->format == FMT_SOPC ? T_U16 : T_F16;
    bool bad = i->bad >> (op - i->op) & 1, cdna = i->row->mat && i->row->mat->kind <= MAT_SMFMAC && bad;
    if (op->type == T_MIX && bad)
        return T_F32;
    if ((i->row->args[op - i->op].flags & A_REG) || cdna) /* of any width */
        return T_B32;
    return (i->row->flags & RF_INT_MODS) && isa_types[op->type].bits == 16 ? T_F16 : (enum isa_type)op->type;
}

static void put_plain(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                      struct isa_out *o)
{
    unsigned dwords = opnd_dwords(t, op);

    if (dwords == 3 && op->code >= t->code_ttmp0 && op->code < t->code_ttmp0 + t->ttmp_count)
        dwords = 1; /* as LLVM has it; there is no such tuple */
    if (op->code == CODE_NONE)
        isa_put(o, "off");
    else if (op->code >= CODE_VGPR && (i->row->flags & RF_TRUE16))
        isa_put(o, "v%u.%c", op->code - CODE_VGPR, i->op_sel >> (op == i->op ? 3 : 0) & 1 ? 'h' : 'l');
    else if (op->code >= CODE_VGPR)
        isa_put_range(o, op->flags & A_ACC ? "a" : "v", op->code - CODE_VGPR, dwords);
    else if (op->code < 128)
        put_scalar(t, o, op->code, dwords);
    else
        put_constant(i, o, op->code, constant_type(i, op));
}

void isa_put_operand(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op, struct isa_out *o)
{
    unsigned k = (unsigned)(op - i->op);

    put_plain(t, i, op, o);
    if (!(i->bad >> k & 1))
        return;
    if (op->code >= 128 && op->code < CODE_VGPR && !special_source(op->code))
        isa_put(o, "/*Invalid immediate*/");
    else
        isa_put(o, "/*Invalid register, operand has '%s' register class*/", class_name(t, i, k));
}

/* --- operands with modifiers ------------------------------------------------------------------------------------ */

static bool takes_float_mods(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op)
{
    if (op->flags & A_NOMOD)
        return false;
    if (i->form == FORM_SDWA)
        return isa_types[op->type].float_bits || (op->flags & A_FMOD);
    if (i->format == FMT_VOP3P)
        return op->type == T_MIX;
    if ((i->row->flags & RF_INT_MODS) && isa_types[op->type].bits == 16 && isa_has(t, FEAT_S_TRUE16))
        return i->form != FORM_DPP16 || isa_types[op->type].float_bits;
    if (op->type == T_BF16 || op->type == T_PBF16)
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

static void put_source(const struct isa_target *t, const struct isa_inst *i, unsigned k, int src, struct isa_out *o)
{
    const struct isa_opnd *op = &i->op[k];
    bool neg, abs;

    if (src >= 0 && i->form == FORM_SDWA && !takes_float_mods(t, i, op) && (i->u.sdwa.sext >> src & 1)) {
        isa_put(o, "sext(");
        isa_put_operand(t, i, op, o);
        isa_put(o, ")");
        return;
    }
    if (src >= 0 && i->form != FORM_SDWA && int_mods(t, i, op) && (i->neg >> src & 1)) {
        isa_put(o, "sext(");
        isa_put_operand(t, i, op, o);
        isa_put(o, ")");
        return;
    }
    bool mods = src >= 0 && takes_float_mods(t, i, op);
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
        n += isa_source_number(row->args[k].slot) >= 0;
    return n;
}

static void put_clamp_omod(const struct isa_inst *i, struct isa_out *o)
{
    static const char *const omods[] = {"", " mul:2", " mul:4", " div:2"};
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

    if (i->form == FORM_DPP8 || i->form == FORM_E64_DPP8) {
        isa_put(o, " dpp8:[");
        for (unsigned k = 0; k < 8; k++)
            isa_put(o, "%s%u", k ? "," : "", d->sel8 >> (3 * k) & 7);
        isa_put(o, "]");
    } else {
        if (i->bad & ISA_BAD_DPP64)
            isa_put(o, " /* DP ALU dpp only supports row_newbcast */");
        else
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

/* op_sel of VOP3, which some instructions call byte_sel. */
static void put_op_sel(const struct isa_target *t, const struct isa_inst *i, unsigned n, struct isa_out *o)
{
    unsigned s = i->op_sel, flags = i->row->flags, to_dst = s >> 3 & 1;
    bool gfx12 = t->layout == LAYOUT_GFX12;

    if (i->row->cls == OPC_DOT)
        s &= 12;
    if (!s || (flags & RF_QUIET_OP_SEL) || i->row->cls == OPC_SALU_TRANS)
        return;
    if (flags & RF_OP_SEL4) {
        if (i->base_format == FMT_VOP3 && gfx12 && i->row->cls != OPC_DOT) {
            if (s >> 2)
                isa_put(o, " byte_sel:%u", s >> 2);
        } else if (i->base_format == FMT_VOP3 || isa_has(t, FEAT_S_TRUE16))
            put_bits(o, "op_sel", s, 4);
    } else if ((flags & RF_OP_SEL) && i->base_format == FMT_VOP1) { /* v_cvt_f32_fp8, v_cvt_pk_f32_fp8 */
        if (gfx12 && i->op[0].type == T_PF32)
            put_bits(o, "op_sel", (s & 1) | to_dst << 1, 2);
        else if (gfx12 && (s & 3))
            isa_put(o, " byte_sel:%u", (s & 1) << 1 | (s >> 1 & 1));
    } else if (flags & RF_OP_SEL) {
        if (s & 3)
            put_bits(o, "op_sel", s, 2);
    } else if (i->base_format == FMT_VOP3) {
        put_bits(o, "op_sel", (s & ((1u << n) - 1)) | to_dst << n, n + 1);
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
        put_op_sel(t, i, n, o);
        put_clamp_omod(i, o);
    }
    if (i->form == FORM_DPP16 || i->form == FORM_DPP8 || i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8)
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
    switch (i->form) {
    case FORM_E32:
        bare = (i->row->flags & RF_NO_E64) && !(i->row->flags & (RF_TRUE16 | RF_E32_SUFFIX));
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
            (i->form == FORM_VOPD && slot == SL_CARRY_IN))
            continue;
        isa_put_str(o, sep);
        sep = ", ";
        if (tfe && (slot == SL_VDST || slot == SL_DATA0)) { /* one register more, for the status */
            isa_put_range(o, "v", op->code - CODE_VGPR, isa_types[op->type].dwords + 1);
            continue;
        }
        if (slot == SL_K && i->format != FMT_SOPK) /* always spelled as a number */
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
    isa_put_str(&o, i->mnemonic);
    isa_put_str(&o, form_suffix(t, i));
    if (i->row->image.data) {
        isa_put_image(t, i, &o);
        return o.len;
    }
    if (i->format == FMT_EXP)
        isa_put_export_target(t, i, &o);
    put_operands(t, i, i->row, 0, i->nops, &o);
    if ((i->row->flags & RF_INTERP) || i->format == FMT_VINTERP || i->format == FMT_LDSDIR || i->format == FMT_EXP)
        isa_put_gfx_modifiers(t, i, &o);
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOP3P)
        put_vop_modifiers(t, i, &o);
    else
        isa_put_mem_modifiers(t, i, &o);
    return o.len;
}
