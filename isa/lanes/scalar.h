/* Scalar operands: read and write by decoded operand index. Included by the instruction bodies.
 *
 * Constants follow the operand's type: a float inline constant is a half for 16-bit types, a double for 64-bit ones;
 * a 32-bit literal in a 64-bit operand is sign-extended for I64, the high half for F64, zero-extended otherwise.
 * (LLVM 19 SIInstrInfo/AMDGPUBaseInfo; RDNA4 ISA 5.2 "Literal constants".)
 */
#ifndef GCNSIM_ISA_SCALAR_H
#define GCNSIM_ISA_SCALAR_H

#include "isa/isa.h"
#include "isa/lanes/lanes.h"

/* The value of a constant-like source code (>= 128) for an operand of `type`. */
uint64_t isa_const(const struct isa_wave *w, const struct isa_inst *i, unsigned code, enum isa_type type);

/* Whether an operand that is no VGPR is an ordinary SGPR, or a constant whose value depends on nothing but the
 * instruction. */
bool isa_constant_now(const struct isa_target *t, const struct isa_opnd *o);

/* VGPR indexing (s_set_gpr_idx): M0[15:12] says for src0, src1, src2 and vdst whether M0[7:0] is added, to AGPRs,
 * too: AMD's f4gemm of gfx950 walks its accumulators with v_accvgpr_read and an indexed source. */
void isa_index_vgprs(const struct isa_wave *w, const struct isa_inst *i, struct isa_inst *moved);

/* The same instruction with the upper bits of its VGPR numbers, as MODE.VGPR_MSB has them. */
void isa_raise_vgprs(const struct isa_target *t, const struct isa_inst *i, unsigned msb, struct isa_inst *moved);

/* Operand k, a constant. */
static inline uint64_t sconst(const struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    if (k < sizeof i->u.value / sizeof *i->u.value && (i->constants >> k & 1))
        return i->u.value[k];
    return isa_const(w, i, i->op[k].code, (enum isa_type)i->op[k].type);
}

static inline uint32_t sget32(const struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    unsigned code = i->op[k].code;
    return code < 128 ? w->s[code] : (uint32_t)sconst(w, i, k);
}

static inline uint64_t sget64(const struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    unsigned code = i->op[k].code;
    /* a 64-bit read of null is zero: null's neighbour must not leak in */
    if (code == w->target->code_null)
        return 0;
    return code < 127 ? w->s[code] | (uint64_t)w->s[code + 1] << 32 : sconst(w, i, k);
}

static inline void sput_code32(struct isa_wave *w, unsigned code, uint32_t v)
{
    if (code == CODE_EXEC_LO)
        isa_set_exec(w, (w->exec & ~UINT64_C(0xffffffff)) | v);
    else if (code == CODE_EXEC_HI)
        isa_set_exec(w, (w->exec & 0xffffffff) | (uint64_t)v << 32);
    else if (code != w->target->code_null && code < 128)
        w->s[code] = v;
}

static inline void sput_code64(struct isa_wave *w, unsigned code, uint64_t v)
{
    if (code == CODE_EXEC_LO)
        isa_set_exec(w, v);
    else if (code != w->target->code_null && code < 127) {
        w->s[code] = (uint32_t)v;
        w->s[code + 1] = (uint32_t)(v >> 32);
    }
}

/* A lane mask: one SGPR in wave32, a pair in wave64. */
static inline void sput_mask(struct isa_wave *w, unsigned code, uint64_t v)
{
    if (w->lanes == 64)
        sput_code64(w, code, v);
    else
        sput_code32(w, code, (uint32_t)v);
}

#define SGET_B32(w, i, k)  sget32(w, i, k)
#define SGET_U32(w, i, k)  sget32(w, i, k)
#define SGET_I32(w, i, k)  ((int32_t)sget32(w, i, k))
#define SGET_B16(w, i, k)  ((uint16_t)sget32(w, i, k))
#define SGET_U16(w, i, k)  ((uint16_t)sget32(w, i, k))
#define SGET_I16(w, i, k)  ((int16_t)sget32(w, i, k))
#define SGET_F16(w, i, k)  ((half_t)sget32(w, i, k))
#define SGET_F32(w, i, k)  as_f32(sget32(w, i, k))
#define SGET_PB16(w, i, k) sget32(w, i, k)
#define SGET_PF16(w, i, k) sget32(w, i, k)
#define SGET_B64(w, i, k)  sget64(w, i, k)
#define SGET_U64(w, i, k)  sget64(w, i, k)
#define SGET_I64(w, i, k)  ((int64_t)sget64(w, i, k))

#define SPUT32_(w, i, k, v)   sput_code32(w, (i)->op[k].code, v)
#define SPUT64_(w, i, k, v)   sput_code64(w, (i)->op[k].code, v)
#define SPUT_B32(w, i, k, v)  SPUT32_(w, i, k, v)
#define SPUT_U32(w, i, k, v)  SPUT32_(w, i, k, v)
#define SPUT_I32(w, i, k, v)  SPUT32_(w, i, k, (uint32_t)(v))
#define SPUT_F32(w, i, k, v)  SPUT32_(w, i, k, bits_f32(v))
#define SPUT_F16(w, i, k, v)  SPUT32_(w, i, k, (uint32_t)(v))
#define SPUT_PF16(w, i, k, v) SPUT32_(w, i, k, v)
#define SPUT_PB16(w, i, k, v) SPUT32_(w, i, k, v)
#define SPUT_B64(w, i, k, v)  SPUT64_(w, i, k, v)
#define SPUT_U64(w, i, k, v)  SPUT64_(w, i, k, v)
#define SPUT_I64(w, i, k, v)  SPUT64_(w, i, k, (uint64_t)(v))

#endif
