/* Handlers of units (isa/unit.h) that serve every row. Compiled once per variant. */
#include "isa/lanes/handler.h"
#include "isa/lanes/quick_rows.h"
#include "isa/lanes/row_ops.h"

/* An op's instruction by its row's loop, with the result from d on; the mask it gives. */
static inline uint32_t whole_of(const uint32_t *v, const struct isa_unit_op *op, const struct isa_wave *w, uint32_t *d)
{
    _Alignas(64) uint32_t room[3][64];
    const uint32_t *s[3];

    for (unsigned k = 0; k < 3; k++) {
        s[k] = op_source(v, op, w, k, room[k]);
        if (op->around >> k & UNIT_FLUSHES_SOURCE)
            s[k] = flushed_words(room[k], s[k], 32);
    }
    uint32_t bits = op->whole(d, s[0], s[1], s[2], &w->mode, op->carry_in < 128 ? w->s[op->carry_in] : 0);
    if (op->around & UNIT_FLUSHES_RESULT)
        flushed_words(d, d, 32);
    if (op->around & UNIT_CLEARS)
        clear_high(d);
    return bits;
}

void LANES_FN(isa_handle_whole)(HANDLER_PARAMS)
{
    uint32_t bits = whole_of(v, op, w, v + op->dst);

    if (op->carry_out < 128)
        w->s[op->carry_out] = bits;
    NEXT_OP;
}

/* Lanes that are not active are computed, too, from whatever is in them, and dropped. */
static inline void partly(HANDLER_PARAMS)
{
    _Alignas(64) uint32_t result[64];
    uint32_t *d = v + op->dst, active = (uint32_t)(w->exec >> 32 * op->half);

    /* results of 16 bits keep the others */
    if (op->rows)
        copy_rows(result, d, 32);
    if (op->rows > 1)
        copy_rows(result + 32, d + 32, 32);
    uint32_t bits = whole_of(v, op, w, result);
    if (op->rows)
        store_some(d, result, active);
    if (op->rows > 1)
        store_some(d + 32, result + 32, active);
    if (op->carry_out < 128)
        w->s[op->carry_out] = bits & active;
}

void LANES_FN(isa_handle_part)(HANDLER_PARAMS)
{
    partly(v, op, w);
    NEXT_PART;
}

void LANES_FN(isa_handle_part_exec)(HANDLER_PARAMS)
{
    op->i->exec(w, op->i, NULL, NULL);
    NEXT_PART;
}

void LANES_FN(isa_handle_quick)(HANDLER_PARAMS)
{
    if (w->special & SPECIAL_WAVE64)
        LANES_FN(isa_quick_halves)(w, op->i);
    else
        LANES_FN(isa_quick_odd)(w, op->i);
    NEXT_OP;
}

void LANES_FN(isa_handle_exec)(HANDLER_PARAMS)
{
    op->i->exec(w, op->i, NULL, NULL);
    NEXT_OP;
}

void LANES_FN(isa_handle_end)(HANDLER_PARAMS)
{
    (void)v, (void)op, (void)w;
}
