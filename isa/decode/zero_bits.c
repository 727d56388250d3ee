/* States which bits of an encoding must be zero: fields of a format that an instruction's arguments leave unused; and
 * which of them the hardware does not look at. Found by flipping every bit of every encoding under llvm-mc-19
 * (tests/golden/test_decode.c): what it looks at and what not differs by format.
 */
#include <string.h>

#include "isa/decode/legal.h"

#define BITS(LO, N) (((UINT64_C(1) << (N)) - 1) << (LO))

static uint32_t slots_of(const struct isa_row *row)
{
    uint32_t slots = 0;

    for (unsigned k = 0; row->args[k].slot; k++)
        slots |= 1u << row->args[k].slot;
    return slots;
}

static bool has_slot(uint32_t slots, enum isa_slot s)
{
    return slots >> s & 1;
}

/* The modifiers that the sources and the result of a VOP3 row allow. */
struct mods {
    unsigned sources;          /* how many */
    unsigned floats;           /* bit per source that is a float, or takes neg and abs all the same */
    bool number;               /* some of them is a float */
    bool float_result, narrow; /* narrow: some operand has 16 bits */
    bool tied;                 /* the destination is a source too */
    bool narrows;              /* the result has 16 bits, and no source */
};

static struct mods modifiers(const struct isa_row *row)
{
    struct mods m = {0};

    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];
        const struct isa_type_info *type = &isa_types[a->type];
        bool is_float = type->float_bits || (a->flags & A_FMOD) || a->type == T_BF16 || isa_is_packed_bf16(a->type);
        bool narrow = isa_is_narrow(a->type);
        m.narrow |= narrow;
        m.narrows = k == 0 ? narrow : m.narrows && !narrow;
        if (a->slot >= SL_SRC0 && a->slot <= SL_SRC2) {
            m.sources++;
            m.number |= is_float && !(a->flags & A_FMOD);
            m.floats |= (unsigned)is_float << (a->slot - SL_SRC0);
        } else if (a->slot == SL_VDST && (a->flags & A_WR)) {
            m.float_result = is_float;
        } else if (a->slot == SL_VDST) {
            m.tied = true;
        }
    }
    return m;
}

/* Conversions of which LLVM 22 has a form with clamp on gfx1250: the 8-bit float is E5M3 then. */
static bool clamps_to_e5m3(const struct isa_row *row)
{
    static const char *const names[] = {"v_cvt_f32_fp8", "v_cvt_pk_fp8_f32", "v_cvt_sr_fp8_f32", "v_cvt_pk_fp8_f16"};

    return isa_is_one_of(row, names, sizeof names / sizeof names[0]);
}

/* The same bits where LLVM 22 has other ones for gfx1250. */
static uint64_t vop3_bits_of_gfx1250(bool native, const struct isa_row *row, const struct mods *m, uint64_t zero)
{
    enum isa_type result = (enum isa_type)row->args[0].type, source = (enum isa_type)row->args[1].type;
    bool shifts = (row->args[3].flags & A_HALF) && m->sources == 3; /* v_alignbit_b32 */

    if (native && (row->flags & (RF_OP_SEL | RF_OP_SEL4)) && !m->floats)
        zero |= BITS(8, 3) | BITS(61, 3) | BITS(15, 1) | BITS(59, 2);
    if (native && shifts)
        zero &= ~(BITS(8, 8) | BITS(61, 3));     /* none of which means anything but op_sel */
    if (native && source == T_I32 && m->narrows) /* v_ashr_pk_i8_i32 */
        zero |= BITS(15, 1);
    if (!native && (row->flags & RF_OP_SEL) && result == T_PF32)
        zero = (zero | BITS(15, 1) | BITS(59, 2)) & ~(BITS(8, 1) | BITS(61, 1));
    if (!native && (row->flags & RF_OP_SEL) && result == T_F16) /* v_cvt_f16_fp8 */
        zero &= ~(BITS(8, 1) | BITS(14, 1) | BITS(61, 1));
    if (native && m->sources == 1 && source == T_PF16) /* v_cvt_pk_fp8_f16 */
        zero |= BITS(12, 2);
    if (isa_types[result].bits == 32 && source == T_BF16) /* v_cvt_f32_bf16 */
        zero |= BITS(15, 1) | BITS(59, 2);
    if (native && isa_is_packed_f16(result) && source == T_F32) /* v_cvt_pk_f16_f32 */
        zero &= ~BITS(59, 2);
    if (native && isa_is_packed_bf16(result))
        zero &= ~(BITS(59, 2) | BITS(15, 1));
    return clamps_to_e5m3(row) ? zero & ~BITS(15, 1) : zero;
}

static uint64_t vop3_bits(const struct isa_target *t, bool native, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    struct mods m = modifiers(row);
    const bool idle = t->llvm22; /* fields of sources that are not there are not looked at */
    const bool cdna4 = t->llvm22 && t->layout == LAYOUT_GFX9, gfx1250 = t->llvm22 && !cdna4;
    /* LLVM 22 has neg and abs of 16-bit integers, too, which mean nothing */
    bool halves = gfx1250 && m.narrow && !(row->flags & (RF_OP_SEL | RF_OP_SEL4));
    bool carry = has_slot(slots, SL_CARRY_OUT), compare = row->kind == ROW_CMP;
    bool selects = (row->flags & (RF_OP_SEL | RF_OP_SEL4)) ||
                   (native && m.narrow && !(row->flags & RF_QUIET_OP_SEL) && isa_has(t, FEAT_OP_SEL)) ||
                   isa_shift_selects(t, row);
    /* LLVM 22 has neg and abs, and looks at neither, where a narrow result is all that op_sel is for */
    bool mods = m.floats || (selects && (!cdna4 || m.narrows)) || (!native && row->cls == OPC_DOT) || halves;
    uint64_t zero = 0;

    if (!row->args[0].slot)
        return BITS(0, 11) | BITS(15, 1) | (idle ? BITS(59, 5) : BITS(32, 32));
    if (row->flags & RF_TRUTH_TABLE)
        return BITS(15, 1) | (m.narrow ? 0 : BITS(11, 4));
    if (!has_slot(slots, SL_SRC1) && !idle)
        zero |= BITS(41, 9);
    if (!has_slot(slots, SL_SRC2) && !has_slot(slots, SL_CARRY_IN) && !idle)
        zero |= BITS(50, 9);
    for (unsigned k = 0; k < 3; k++) {
        bool takes = mods && k < m.sources && (!compare || halves || (m.floats >> k & 1));
        if (!takes)
            zero |= BITS(61 + k, 1) | (carry ? 0 : BITS(8 + k, 1));
    }
    /* gfx950's conversions to pairs have both modifiers; that to bf16 has not one bit of op_sel that the other has */
    enum isa_type result = (enum isa_type)row->args[0].type;
    bool modified = cdna4 && native && m.sources == 2 && (row->flags & RF_NO_OMOD) &&
                    (isa_is_packed_f16(result) || isa_is_packed_bf16(result)) && row->args[1].type == T_F32;
    if (modified && isa_is_packed_bf16(result))
        zero |= BITS(13, 1);
    if (compare || ((row->flags & RF_NO_OMOD) && !modified) || (!m.number && !m.float_result))
        zero |= BITS(59, 2);
    if (native && selects && m.sources == 2 && !(row->flags & (RF_OP_SEL | RF_OP_SEL4)))
        zero |= BITS(13, 1);
    if (row->cls == OPC_DOT && (row->flags & RF_OP_SEL4))
        zero |= BITS(15, 1);
    if (((row->flags & RF_NO_CLAMP) && !modified) || (m.narrows && !m.floats && cdna4 && native) ||
        (!m.number && !selects && !m.float_result && !(row->flags & RF_INT_CLAMP)))
        zero |= BITS(15, 1);
    if (!native && (row->flags & RF_OP_SEL)) /* 8-bit floats */
        zero |= BITS(8, 1) | BITS(61, 1);
    /* on gfx12 op_sel's bits say which byte, or which two */
    if (!native && (row->flags & RF_OP_SEL) && t->layout == LAYOUT_GFX12)
        zero |= BITS(isa_types[row->args[0].type].dwords > 1 ? 12 : 13, 2);
    if (native && (row->flags & RF_OP_SEL4) && (row->flags & RF_INT_MODS)) { /* v_cvt_sr_fp8_f32: the byte written */
        zero |= t->layout == LAYOUT_GFX12 ? BITS(11, 2) : 0;
        zero &= t->layout == LAYOUT_GFX12 ? ~UINT64_C(0) : ~(BITS(10, 1) | BITS(63, 1));
    }
    if (native && (row->flags & RF_OP_SEL) && !has_slot(slots, SL_SRC2)) /* v_permlane16_var_b32 */
        zero |= BITS(13, 1);
    return gfx1250 ? vop3_bits_of_gfx1250(native, row, &m, zero) : zero;
}

/* Interpolation in VOP3: an attribute in src0's place, which 16-bit ones may be the high half of; op_sel is not looked
 * at, and omod does not go with 16-bit results. */
static uint64_t interp_bits(enum isa_format base, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    uint64_t zero = BITS(8, 1) | BITS(61, 1) | (base == FMT_VINTRP ? BITS(40, 1) : 0);

    if (!has_slot(slots, SL_SRC1))
        zero |= BITS(9, 1) | BITS(62, 1);
    if (!has_slot(slots, SL_SRC2))
        zero |= BITS(50, 9) | BITS(10, 1) | BITS(63, 1);
    if (isa_types[row->args[0].type].bits == 16)
        zero |= BITS(59, 2);
    return zero;
}

static uint64_t vop3p_bits(const struct isa_target *t, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    const bool idle = t->llvm22;

    if (isa_loads_scales(row) && t->layout == LAYOUT_GFX12)
        return BITS(0, 8) | BITS(10, 1) | BITS(12, 1) | BITS(15, 1) | BITS(50, 8) | BITS(60, 1) | BITS(63, 1);
    if (isa_loads_scales(row)) /* v_mfma_ld_scale_b32 */
        return BITS(0, 8) | BITS(10, 1) | BITS(13, 1) | BITS(15, 1) | BITS(63, 1);

    if (row->flags & RF_FIXED_OP_SEL)
        return BITS(8, 2) | BITS(11, 3) | BITS(15, 1) | BITS(61, 2);
    if (!row->mat && (row->flags & RF_MAI)) /* v_accvgpr_read, v_accvgpr_write */
        return BITS(8, 6) | (idle ? 0 : BITS(41, 18)) | BITS(61, 3);
    if (row->mat || has_slot(slots, SL_SRC2)) /* dot products of bytes and nibbles have no halves to select */
        return isa_dot_of_bytes(t, row) ? BITS(11, 3) : 0;
    return (idle ? 0 : BITS(50, 9)) | BITS(63, 1) | BITS(10, 1) | BITS(13, 1);
}

static uint64_t ds_bits(const struct isa_target *t, const struct isa_row *row)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;
    static const struct {
        uint8_t slot, at;
    } fields[] = {{SL_ADDR, 32}, {SL_DATA0, 40}, {SL_DATA1, 48}, {SL_VDST, 56}};
    uint32_t slots = slots_of(row);
    uint64_t zero = 0;

    if (row->cls == OPC_INTERNAL) /* ds_nop */
        zero |= BITS(0, 16);
    if (((row->flags & RF_NO_GDS) && !row->mem.tr_bits) || t->layout == LAYOUT_GFX12)
        zero |= BITS(old ? 16 : 17, 1);
    if (old && !(slots & (1u << SL_VDST | 1u << SL_DATA0 | 1u << SL_GWS))) /* nothing that could be an AGPR */
        zero |= BITS(25, 1);
    if (has_slot(slots, SL_GWS))
        slots |= 1u << SL_ADDR;
    for (unsigned k = 0; k < sizeof fields / sizeof fields[0]; k++)
        if (!has_slot(slots, (enum isa_slot)fields[k].slot))
            zero |= BITS(fields[k].at, 8);
    return zero;
}

/* Loads of one whole register may go to LDS instead, on gfx950 those of three and four, too. */
static bool may_load_lds(const struct isa_target *t, const struct isa_row *row)
{
    const struct isa_arg *a = &row->args[0];
    bool wide = isa_loads_wide_lds(t) && row->mem.convert == CONV_DWORDS && row->mem.bytes >= 12;

    return a->slot == SL_VDST && a->flags == A_WR && (a->type == T_B32 || wide) && row->args[1].slot == SL_ADDR;
}

/* The float atomics of gfx908 return nothing; gfx90a, which has them return, gave neither them nor its own the scc bit
 * that its other memory instructions have. */
static uint64_t float_atomic_bits(const struct isa_target *t, const struct isa_row *row, uint64_t gfx908,
                                  uint64_t gfx90a)
{
    bool first_ones = (row->cls == OPC_VMEM_ATOMIC || row->cls == OPC_FLAT_ATOMIC) &&
                      isa_node_under((enum isa_node)row->enc[0].node, N_GFX908);

    if (!first_ones || !isa_has(t, FEAT_AGPR) || isa_has(t, FEAT_SC_BITS))
        return 0;
    return isa_has(t, FEAT_AGPR_UNIFIED) ? gfx90a : gfx908;
}

static uint64_t flat_bits(const struct isa_target *t, enum isa_format f, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    bool has_data = has_slot(slots, SL_VDST) || has_slot(slots, SL_DATA0), lds = f != FMT_FLAT && may_load_lds(t, row);
    uint64_t zero = 0;

    switch (t->layout) {
    case LAYOUT_GFX8: /* neither LDS nor segments nor an SGPR address */
        return BITS(13, 3) | BITS(48, 7);
    case LAYOUT_GFX9:
        if (f == FMT_FLAT)
            zero |= BITS(48, 7);
        if (isa_has(t, FEAT_ARCH_FLAT_SCRATCH) ? f != FMT_SCRATCH : !lds)
            zero |= BITS(13, 1);
        if (isa_has(t, FEAT_AGPR_UNIFIED) && !has_data)
            zero |= BITS(55, 1);
        return zero | float_atomic_bits(t, row, BITS(16, 1) | BITS(25, 1), BITS(25, 1));
    case LAYOUT_GFX10:
        return BITS(55, 1) | (lds ? 0 : BITS(13, 1));
    case LAYOUT_GFX11:
        return f != FMT_SCRATCH ? BITS(55, 1) : 0;
    default:
        return f != FMT_SCRATCH ? BITS(49, 1) : 0;
    }
}

/* Buffer instructions without operands: cache control. */
static uint64_t cache_control_bits(const struct isa_target *t, const struct isa_row *row)
{
    if (t->layout == LAYOUT_GFX11)
        return BITS(13, 2) | BITS(54, 2);
    /* gfx90a on: those that reach as far as sc0 and sc1 say */
    return BITS(12, 2) | BITS(16, 1) | BITS(55, 1) |
           (isa_has(t, FEAT_AGPR_UNIFIED) && (row->flags & RF_SCOPED) ? 0 : BITS(14, 2));
}

static uint64_t mubuf_bits(const struct isa_target *t, const struct isa_row *row)
{
    uint64_t zero = 0;

    if (!row->args[0].slot)
        return cache_control_bits(t, row);
    if (row->args[0].slot == SL_SRSRC) /* buffer_store_lds_dword: no address */
        zero |= BITS(12, 2);
    else if (t->layout != LAYOUT_GFX11 && !may_load_lds(t, row))
        zero |= BITS(16, 1);
    if (t->layout == LAYOUT_GFX10 && row->cls == OPC_VMEM_ATOMIC) /* dlc */
        zero |= BITS(15, 1);
    return zero | float_atomic_bits(t, row, BITS(14, 1), BITS(15, 1));
}

static uint64_t smem_bits(const struct isa_target *t, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    bool offset = has_slot(slots, SL_SOFFSET), number = false;

    for (unsigned k = 0; row->args[k].slot; k++)
        number |= row->args[k].slot == SL_SDST && row->args[k].type == T_IMM16;
    switch (t->layout) {
    case LAYOUT_GFX8:
    case LAYOUT_GFX9:
        return offset ? 0 : BITS(17, 1);
    case LAYOUT_GFX11:
        return offset && !number ? 0 : BITS(13, 2);
    case LAYOUT_GFX12: /* numbers in the place of a register have five bits */
        return number ? BITS(11, 2) : 0;
    default:
        return 0;
    }
}

/* neg for the floats among the sources; the fields of X that it has no source for. */
static uint64_t vopd3_bits(enum isa_format f, const struct isa_row *row)
{
    uint32_t slots = slots_of(row);
    struct mods m = modifiers(row);
    bool x = f == FMT_VOPD3X;
    uint64_t zero = 0;

    for (unsigned k = 0; k < 3; k++)
        if (!(m.floats >> k & 1))
            zero |= BITS((x ? 41 : 44) + k, 1);
    if (x && !has_slot(slots, SL_SRC1))
        zero |= BITS(48, 8);
    if (x && !has_slot(slots, SL_SRC2) && !has_slot(slots, SL_CARRY_IN))
        zero |= BITS(56, 8);
    return zero;
}

uint64_t isa_zero_bits(const struct isa_target *t, enum isa_format f, enum isa_format base, const struct isa_row *row)
{
    switch (f) {
    case FMT_VOP3:
        return row->flags & RF_INTERP ? interp_bits(base, row) : vop3_bits(t, base == FMT_VOP3, row);
    case FMT_VINTERP:
        return row->flags & RF_OP_SEL4 ? 0 : BITS(11, 4);
    case FMT_LDSDIR:
        return t->layout == LAYOUT_GFX12 ? BITS(22, 1) : BITS(22, 2);
    case FMT_VOP3P:
        return vop3p_bits(t, row);
    case FMT_DS:
        return ds_bits(t, row);
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        return flat_bits(t, f, row);
    case FMT_MUBUF:
        return mubuf_bits(t, row);
    case FMT_SMEM:
        return smem_bits(t, row);
    case FMT_VOP1:
    case FMT_VOP2:
        return row->args[0].slot ? 0 : BITS(17, 8);
    case FMT_SOPP:
        return row->args[0].slot ? 0 : BITS(0, 16);
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE:
        return isa_image_zero_bits(t, f, row);
    case FMT_VOPDX:
        return has_slot(slots_of(row), SL_SRC1) ? 0 : BITS(9, 8);
    case FMT_VOPDY:
        return has_slot(slots_of(row), SL_SRC1) ? 0 : BITS(41, 8);
    case FMT_VOPD3X:
    case FMT_VOPD3Y:
        return vopd3_bits(f, row);
    default:
        return 0;
    }
}

/* --- fields that nothing looks at -------------------------------------------------------------------------------- */

/* Operand fields of which an instruction may have no use, and the modifiers that go with them. An instruction without
 * such an operand cannot depend on them: the manuals' pseudocode names operands alone, and their tables of fields say
 * which opcodes use one (RDNA3 and RDNA4 ISA, VOPD: VSRCX1, VSRCY1; DS: ADDR, DATA0, DATA1, VDST). The bits of other
 * fields, reserved or with a meaning elsewhere, stay illegal. */
static const struct {
    uint8_t format, at, bits;
    const char *name;
} operand_fields[] = {
    {FMT_VOPDX, 9, 8, "vsrcx1"}, {FMT_VOPDY, 41, 8, "vsrcy1"}, {FMT_DS, 0, 16, "offset"}, {FMT_DS, 32, 8, "addr"},
    {FMT_DS, 40, 8, "data0"},    {FMT_DS, 48, 8, "data1"},     {FMT_DS, 56, 8, "vdst"},   {FMT_FLAT, 48, 7, "saddr"},
    {FMT_SOPP, 0, 16, "simm16"}, {FMT_VOP1, 17, 8, "vdst"},    {FMT_VOP3, 0, 8, "vdst"},  {FMT_VOP3, 32, 9, "src0"},
    {FMT_VOP3, 41, 9, "src1"},   {FMT_VOP3, 50, 9, "src2"},    {FMT_VOP3, 8, 3, "abs"},   {FMT_VOP3, 61, 3, "neg"},
    {FMT_VOP3P, 41, 9, "src1"},  {FMT_VOP3P, 50, 9, "src2"},
};
enum { OPERAND_FIELDS = sizeof operand_fields / sizeof operand_fields[0] };
_Static_assert(OPERAND_FIELDS + ISA_OTHER_FIELDS <= ISA_IGNORED_FIELDS, "inst->ignored has a bit for each");

const char *isa_ignored_field(unsigned bit)
{
    static const char *const other[ISA_OTHER_FIELDS] = {
        [ISA_FIELD_SDWA_SRC1] = "sdwa src1", [ISA_FIELD_DIM] = "dim",   [ISA_FIELD_DMASK] = "dmask",
        [ISA_FIELD_VADDR4] = "vaddr4",       [ISA_FIELD_SRC2] = "src2", [ISA_FIELD_OP_SEL_HI] = "op_sel_hi",
    };

    return bit < OPERAND_FIELDS ? operand_fields[bit].name : other[bit - OPERAND_FIELDS];
}

void isa_ignore(struct isa_inst *i, enum isa_other_field field)
{
    i->ignored |= UINT32_C(1) << (OPERAND_FIELDS + field);
}

/* Bits of the fields that the row has no use for, and bits that it may have use for. */
static uint64_t ignored_bits(const struct isa_target *t, const struct isa_row *row, enum isa_format f)
{
    uint32_t slots = slots_of(row);
    uint64_t bits = 0;

    if ((row->flags & RF_INTERP) || (f == FMT_FLAT && t->layout != LAYOUT_GFX9))
        return 0;
    for (unsigned k = 0; k < OPERAND_FIELDS; k++)
        if (operand_fields[k].format == f && (operand_fields[k].bits > 3 || !slots))
            bits |= BITS(operand_fields[k].at, operand_fields[k].bits);
    if (f == FMT_VOP3 && !has_slot(slots, SL_SRC1))
        bits |= BITS(9, 1) | BITS(62, 1);
    if (f == FMT_VOP3 && !has_slot(slots, SL_SRC2) && !has_slot(slots, SL_CARRY_IN))
        bits |= BITS(10, 1) | BITS(63, 1);
    return bits;
}

uint64_t isa_without_ignored(const struct isa_target *t, const struct isa_row *row, enum isa_format f,
                             struct isa_inst *i, uint64_t w, uint64_t zero)
{
    uint64_t set = w & zero & ignored_bits(t, row, f);

    for (unsigned k = 0; k < OPERAND_FIELDS; k++) {
        uint64_t field = BITS(operand_fields[k].at, operand_fields[k].bits);
        if (operand_fields[k].format != f || !(set & field))
            continue;
        if (operand_fields[k].bits == 9 && (w & field) >> operand_fields[k].at == CODE_LITERAL) {
            set &= ~field; /* whether a literal follows is not known */
            continue;
        }
        i->ignored |= UINT32_C(1) << k;
    }
    return w & ~set;
}

uint64_t isa_free_beside_dpp(const struct isa_op *op)
{
    uint32_t flags = op->row->flags;

    if ((flags & RF_OP_SEL4) && (flags & RF_INT_MODS)) /* v_cvt_sr_fp8_f32 */
        return BITS(11, 2);
    bool half = isa_is_half(op->row->args[0].type); /* v_cvt_f16_fp8 */
    return (flags & RF_OP_SEL) && op->base_format == FMT_VOP1 && !half ? BITS(13, 2) : 0;
}
