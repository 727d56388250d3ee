/* The loops of a vector row, and its handlers in units, as the shape macros make them of its body (isa/table/shapes.h).
 */
#ifndef GCNSIM_ISA_LOOPS_H
#define GCNSIM_ISA_LOOPS_H

#include "isa/lanes/double_rows.h"
#include "isa/lanes/handler.h"
#include "isa/lanes/lanes.h"
#include "isa/lanes/quick_rows.h"

/* The row's loops: for any EXEC and wave size, and for a wave32 with all lanes active. */
#define LANES_RETURNING_(NAME, QUICKLY, STMT, BITS, RESULT) LANES_EVEN_SOME_(NAME, false, QUICKLY, STMT, BITS, RESULT)
/* SOME: what may do it for any EXEC, from L */
#define LANES_EVEN_SOME_(NAME, SOME, QUICKLY, STMT, BITS, RESULT)                                                      \
    static void NAME##_lanes(const struct lane_args *L)                                                                \
    {                                                                                                                  \
        if (SOME)                                                                                                      \
            return;                                                                                                    \
        LANE_LOOP(L)                                                                                                   \
        {                                                                                                              \
            STMT;                                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static inline __attribute__((always_inline)) uint32_t NAME##_rows(WHOLE_PARAMS)                                    \
    {                                                                                                                  \
        if (QUICKLY)                                                                                                   \
            return 0;                                                                                                  \
        BITS;                                                                                                          \
        WHOLE_LOOP                                                                                                     \
        {                                                                                                              \
            STMT;                                                                                                      \
        }                                                                                                              \
        return RESULT;                                                                                                 \
    }                                                                                                                  \
    static uint32_t NAME##_whole(WHOLE_PARAMS)                                                                         \
    {                                                                                                                  \
        return NAME##_rows(d, s0, s1, s2, the_mode, carries);                                                          \
    }
/* of doubles, by isa/lanes/double_rows.h */
#define LANES_DOUBLES_(NAME, OP, LAST, STMT)                                                                           \
    LANES_EVEN_SOME_(NAME, double_lanes(DOUBLE_##OP, L, LAST), double_rows(DOUBLE_##OP, d, s0, s1, s##LAST, NULL, 32), \
                     STMT, , 0)
#define LANES_(D, NAME, QUICKLY, STMT) LANES_RETURNING_(NAME, QUICKLY, STMT, , 0) HANDLERS_##D(NAME)
#define LANES_CARRY_IN_(D, NAME, STMT) LANES_RETURNING_(NAME, false, STMT, , 0) CARRY_HANDLER_##D(NAME, (void)bits)
#define LANES_BITS_(D, NAME, STMT)                                                                                     \
    LANES_RETURNING_(NAME, false, STMT, _Alignas(64) uint32_t bits[32], (uint32_t)pack_lanes(bits, 32))                \
    CARRY_HANDLER_##D(NAME, if (op->carry_out < 128) w->s[op->carry_out] = bits)
#define LOOPS_(D, NAME) lanes = NAME##_lanes, .whole = NAME##_whole, HANDLED_##D(NAME)
/* of a row that always reads or writes a mask */
#define LOOPS_MASK_(D, NAME) lanes = NAME##_lanes, .whole = NAME##_whole, HANDLED_MASK_##D(NAME)

/* Handlers of a row (isa/unit.h). Rows whose arithmetic is a few instructions of the host have their own: results of 32
 * bits and integers of 64, by type. For others what goes around the arithmetic matters less, and code matters more. */
#define OWN_DIRECT_(NAME)                                                                                              \
    static void NAME##_direct(HANDLER_PARAMS)                                                                          \
    {                                                                                                                  \
        NAME##_rows(v + op->dst, v + op->src[0], v + op->src[1], v + op->src[2], &w->mode, 0);                         \
        NEXT_OP;                                                                                                       \
    }
#define OWN_ODD_(NAME)                                                                                                 \
    static void NAME##_odd(HANDLER_PARAMS)                                                                             \
    {                                                                                                                  \
        {                                                                                                              \
            ODD_ROWS;                                                                                                  \
            NAME##_rows(d, s0, s1, s2, &w->mode, 0);                                                                   \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }
#define OWN_CARRY_(NAME, TAKE)                                                                                         \
    static void NAME##_odd(HANDLER_PARAMS)                                                                             \
    {                                                                                                                  \
        {                                                                                                              \
            ODD_ROWS;                                                                                                  \
            uint32_t carries = op->carry_in < 128 ? w->s[op->carry_in] : 0;                                            \
            uint32_t bits = NAME##_rows(d, s0, s1, s2, &w->mode, carries);                                             \
            TAKE;                                                                                                      \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }
/* Rows of an op that are all registers. */
#define DIRECT_ROWS                                                                                                    \
    uint32_t *const d = v + op->dst;                                                                                   \
    const uint32_t *const s0 = v + op->src[0], *const s1 __attribute__((unused)) = v + op->src[1],                     \
                          *const s2 __attribute__((unused)) = v + op->src[2]
/* Rows of an op whose sources may be scalars. One array for each, so that what no row reads is not written. */
#define ODD_ROWS                                                                                                       \
    _Alignas(64) uint32_t room0[64], room1[64], room2[64];                                                             \
    uint32_t *const d = v + op->dst;                                                                                   \
    const uint32_t *const s0 __attribute__((unused)) = op_source(v, op, w, 0, room0);                                  \
    const uint32_t *const s1 __attribute__((unused)) = op_source(v, op, w, 1, room1);                                  \
    const uint32_t *const s2 __attribute__((unused)) = op_source(v, op, w, 2, room2)
#define HANDLERS_F32(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_F32(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_F32(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_F32(NAME)        .odd = NAME##_odd
#define HANDLERS_B32(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_B32(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_B32(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_B32(NAME)        .odd = NAME##_odd
#define HANDLERS_U32(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_U32(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_U32(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_U32(NAME)        .odd = NAME##_odd
#define HANDLERS_I32(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_I32(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_I32(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_I32(NAME)        .odd = NAME##_odd
#define HANDLERS_B64(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_B64(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_B64(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_B64(NAME)        .odd = NAME##_odd
#define HANDLERS_U64(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_U64(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_U64(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_U64(NAME)        .odd = NAME##_odd
#define HANDLERS_I64(NAME)            OWN_DIRECT_(NAME) OWN_ODD_(NAME)
#define CARRY_HANDLER_I64(NAME, TAKE) OWN_CARRY_(NAME, TAKE)
#define HANDLED_I64(NAME)             .direct = NAME##_direct, .odd = NAME##_odd
#define HANDLED_MASK_I64(NAME)        .odd = NAME##_odd
#define HANDLERS_B16(NAME)
#define CARRY_HANDLER_B16(NAME, TAKE)
#define HANDLED_B16(NAME)      .odd = 0
#define HANDLED_MASK_B16(NAME) .odd = 0
#define HANDLERS_U16(NAME)
#define CARRY_HANDLER_U16(NAME, TAKE)
#define HANDLED_U16(NAME)      .odd = 0
#define HANDLED_MASK_U16(NAME) .odd = 0
#define HANDLERS_I16(NAME)
#define CARRY_HANDLER_I16(NAME, TAKE)
#define HANDLED_I16(NAME)      .odd = 0
#define HANDLED_MASK_I16(NAME) .odd = 0
#define HANDLERS_F16(NAME)
#define CARRY_HANDLER_F16(NAME, TAKE)
#define HANDLED_F16(NAME)      .odd = 0
#define HANDLED_MASK_F16(NAME) .odd = 0
#define HANDLERS_BF16(NAME)
#define CARRY_HANDLER_BF16(NAME, TAKE)
#define HANDLED_BF16(NAME)      .odd = 0
#define HANDLED_MASK_BF16(NAME) .odd = 0
#define HANDLERS_PF16(NAME)
#define CARRY_HANDLER_PF16(NAME, TAKE)
#define HANDLED_PF16(NAME)      .odd = 0
#define HANDLED_MASK_PF16(NAME) .odd = 0
#define HANDLERS_PB16(NAME)
#define CARRY_HANDLER_PB16(NAME, TAKE)
#define HANDLED_PB16(NAME)      .odd = 0
#define HANDLED_MASK_PB16(NAME) .odd = 0
#define HANDLERS_PBF16(NAME)
#define CARRY_HANDLER_PBF16(NAME, TAKE)
#define HANDLED_PBF16(NAME)      .odd = 0
#define HANDLED_MASK_PBF16(NAME) .odd = 0
#define HANDLERS_F64(NAME)
#define CARRY_HANDLER_F64(NAME, TAKE)
#define HANDLED_F64(NAME)      .odd = 0
#define HANDLED_MASK_F64(NAME) .odd = 0
#define HANDLERS_PF32(NAME)
#define CARRY_HANDLER_PF32(NAME, TAKE)
#define HANDLED_PF32(NAME)      .odd = 0
#define HANDLED_MASK_PF32(NAME) .odd = 0
#define HANDLERS_PB32(NAME)
#define CARRY_HANDLER_PB32(NAME, TAKE)
#define HANDLED_PB32(NAME)      .odd = 0
#define HANDLED_MASK_PB32(NAME) .odd = 0

/* Loops of rows of f32 whose body says the result where that is a number: where it is not, NAN picks the NaN out of
 * body and sources. A wave32 with all lanes active looks at all results at once whether there is one. */
#define LANES_NUMBER_(NAME, NAN, CALL, DENORMAL, ...)                                                                  \
    static void NAME##_lanes(const struct lane_args *L)                                                                \
    {                                                                                                                  \
        LANE_LOOP(L)                                                                                                   \
        {                                                                                                              \
            PUT_F32(NAN(CALL, __VA_ARGS__));                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) void NAME##_with_nan(uint32_t *const d, const uint32_t *const s0,                 \
                                                          const uint32_t *const s1 __attribute__((unused)),            \
                                                          const uint32_t *const s2 __attribute__((unused)))            \
    {                                                                                                                  \
        LANE_PRAGMA                                                                                                    \
        for (unsigned i = 0; i < 32; i++)                                                                              \
            d[i] = bits_f32(NAN(CALL, __VA_ARGS__));                                                                   \
    }                                                                                                                  \
    static __attribute__((noinline)) void NAME##_odd_with_nan(HANDLER_PARAMS)                                          \
    {                                                                                                                  \
        {                                                                                                              \
            ODD_ROWS;                                                                                                  \
            NAME##_with_nan(d, s0, s1, s2);                                                                            \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }                                                                                                                  \
    static uint32_t NAME##_whole(WHOLE_PARAMS)                                                                         \
    {                                                                                                                  \
        NUMBERS_(CALL, NAME##_with_nan(d, s0, s1, s2); return 0);                                                      \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void NAME##_direct(HANDLER_PARAMS)                                                                          \
    {                                                                                                                  \
        {                                                                                                              \
            DIRECT_ROWS;                                                                                               \
            NUMBERS_(CALL, NAME##_odd_with_nan(v, op, w); return );                                                    \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }                                                                                                                  \
    static void NAME##_odd(HANDLER_PARAMS)                                                                             \
    {                                                                                                                  \
        {                                                                                                              \
            ODD_ROWS;                                                                                                  \
            NUMBERS_(CALL, NAME##_odd_with_nan(v, op, w); return );                                                    \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }                                                                                                                  \
    static void NAME##_flushing(HANDLER_PARAMS)                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            DIRECT_ROWS;                                                                                               \
            FLUSHED_NUMBERS_(CALL, DENORMAL);                                                                          \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }                                                                                                                  \
    static void NAME##_odd_flushing(HANDLER_PARAMS)                                                                    \
    {                                                                                                                  \
        {                                                                                                              \
            ODD_ROWS;                                                                                                  \
            FLUSHED_NUMBERS_(CALL, DENORMAL);                                                                          \
        }                                                                                                              \
        NEXT_OP;                                                                                                       \
    }
/* The result of CALL where denormals are flushed; with a denormal or a NaN the handler of all rows serves. */
#define FLUSHED_NUMBERS_(CALL, DENORMAL)                                                                               \
    _Alignas(64) float r[32];                                                                                          \
    LANE_PRAGMA                                                                                                        \
    for (unsigned i = 0; i < 32; i++)                                                                                  \
        r[i] = CALL;                                                                                                   \
    if (__builtin_expect((DENORMAL) || any_odd32(r), 0)) {                                                             \
        LANES_FN(isa_handle_whole)(v, op, w);                                                                          \
        return;                                                                                                        \
    }                                                                                                                  \
    put_row32(d, r)
/* The result of CALL for 32 lanes; LEAVE: what to do instead where one is not a number. */
#define NUMBERS_(CALL, LEAVE)                                                                                          \
    _Alignas(64) float r[32];                                                                                          \
    LANE_PRAGMA                                                                                                        \
    for (unsigned i = 0; i < 32; i++)                                                                                  \
        r[i] = CALL;                                                                                                   \
    if (__builtin_expect(any_nan32(r), 0)) {                                                                           \
        LEAVE;                                                                                                         \
    }                                                                                                                  \
    put_row32(d, r)

#endif
