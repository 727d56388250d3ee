/* What the handlers of units (isa/unit.h) are made of. Included by the files compiled per variant. */
#ifndef GCNSIM_ISA_HANDLER_H
#define GCNSIM_ISA_HANDLER_H

#include "isa/lanes/lanes.h"
#include "isa/unit.h"

#define HANDLER_PARAMS uint32_t *v, const struct isa_unit_op *op, struct isa_wave *w
/* Goes on to the next op. The last statement of a handler, outside the scope of every array, so that it is a jump. */
#define NEXT_OP   op[1].run(v, op + 1, w)
#define NEXT_PART op[1].part(v, op + 1, w)

/* Row of source k: registers in place, or a scalar spread over `room`. Written as wide as it is read, or the host could
 * not pass it on. */
static inline __attribute__((always_inline)) const uint32_t *
op_source(const uint32_t *v, const struct isa_unit_op *op, const struct isa_wave *w, unsigned k, uint32_t *room)
{
    uint32_t at = op->src[k];

    if (!((op->sgpr | op->constant) >> k & 1))
        return v + at;
    if (op->sgpr >> k & 1)
        at = w->s[at];
    for (unsigned l = 0; l < 32; l++)
        room[l] = at;
    return room;
}

/* Source k of a scalar instruction: SGPRs, or a constant of 32 bits. */
static inline uint32_t op_scalar(const struct isa_unit_op *op, const struct isa_wave *w, unsigned k)
{
    uint32_t at = op->src[k];

    return op->sgpr >> k & 1 ? w->s[at] : at;
}

static inline uint64_t op_scalar64(const struct isa_unit_op *op, const struct isa_wave *w, unsigned k)
{
    return w->s[op->src[k]] | (uint64_t)w->s[op->src[k] + 1] << 32;
}

#define OP_GET_B32(k)  op_scalar(op, w, k)
#define OP_GET_U32(k)  op_scalar(op, w, k)
#define OP_GET_I32(k)  ((int32_t)op_scalar(op, w, k))
#define OP_GET_B16(k)  ((uint16_t)op_scalar(op, w, k))
#define OP_GET_U16(k)  ((uint16_t)op_scalar(op, w, k))
#define OP_GET_I16(k)  ((int16_t)op_scalar(op, w, k))
#define OP_GET_F16(k)  ((half_t)op_scalar(op, w, k))
#define OP_GET_F32(k)  as_f32(op_scalar(op, w, k))
#define OP_GET_PB16(k) op_scalar(op, w, k)
#define OP_GET_PF16(k) op_scalar(op, w, k)
#define OP_GET_B64(k)  op_scalar64(op, w, k)
#define OP_GET_U64(k)  op_scalar64(op, w, k)
#define OP_GET_I64(k)  ((int64_t)op_scalar64(op, w, k))

#define OP_PUT32_(v_)   w->s[op->dst] = (v_)
#define OP_PUT64_(v_)   (w->s[op->dst] = (uint32_t)(v_), w->s[op->dst + 1] = (uint32_t)((v_) >> 32))
#define OP_PUT_B32(v_)  OP_PUT32_(v_)
#define OP_PUT_U32(v_)  OP_PUT32_(v_)
#define OP_PUT_I32(v_)  OP_PUT32_((uint32_t)(v_))
#define OP_PUT_F32(v_)  OP_PUT32_(bits_f32(v_))
#define OP_PUT_F16(v_)  OP_PUT32_((uint32_t)(v_))
#define OP_PUT_PF16(v_) OP_PUT32_(v_)
#define OP_PUT_PB16(v_) OP_PUT32_(v_)
#define OP_PUT_B64(v_)  OP_PUT64_(v_)
#define OP_PUT_U64(v_)  OP_PUT64_(v_)
#define OP_PUT_I64(v_)  OP_PUT64_((uint64_t)(v_))

#endif
