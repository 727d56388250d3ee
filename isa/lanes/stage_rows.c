/* Handlers of units for ops that have a stage (isa/unit.h): rows of sources as modifiers change them, the row's loop,
 * and its result as they change that. Compiled once per variant.
 */
#include "isa/lanes/dpp.h"
#include "isa/lanes/fp.h"
#include "isa/lanes/half_rows.h"
#include "isa/lanes/handler.h"
#include "isa/lanes/move_row.h"
#include "isa/lanes/quick_rows.h"
#include "isa/lanes/row_modifiers.h"
#include "isa/variant.h"

#define INLINE    inline __attribute__((always_inline))
#define ALL_ON    0xffffffffu
#define KINDS_DPP 0x100u /* beside a bit for each kind of stage: DPP */

void LANES_FN(isa_move_row)(uint32_t *row, const uint8_t from[16], uint32_t valid)
{
    move_row(row, row, from, valid);
}

/* Registers or scalars of source k. Pairs have their high words 32 further on. */
static INLINE const uint32_t *raw_source(const uint32_t *v, const struct isa_unit_op *op, const struct isa_stage *s,
                                         const struct isa_wave *w, unsigned k, uint32_t *room, bool pair)
{
    const uint32_t *row = op_source(v, op, w, k, room);

    if (!pair)
        return row;
    if ((op->sgpr | op->constant) >> k & 1) {
        splat(room + 32, op->sgpr >> k & 1 ? w->s[op->src[k] + 1] : s->less[k], 32);
    } else if (w->lanes == 64) {
        copy_rows(room, row, 32);
        copy_rows(room + 32, row + 64, 32);
        row = room;
    }
    return row;
}

/* Moves the lanes of a row, or of the two of a pair; returns those that have a source which is on. */
static INLINE uint32_t move(const struct isa_stage *s, const struct isa_wave *w, unsigned half, uint32_t *to,
                            const uint32_t *from, unsigned words)
{
    uint32_t exec = s->fetch_inactive ? ALL_ON : (uint32_t)(w->exec >> 32 * half);
    uint32_t low = isa_dpp_valid(s->from, s->reach, exec & 0xffff), high = isa_dpp_valid(s->from, s->reach, exec >> 16);

    for (unsigned k = 0; k < words; k += 32) {
        move_row(to + k, from + k, s->from, low);
        move_row(to + k + 16, from + k + 16, s->from, high);
    }
    return low | high << 16;
}

static INLINE void select_bits(uint32_t *to, const uint32_t *from, const struct isa_stage *s, unsigned k)
{
    const uint32_t keep = s->keep[k], flip = s->flip[k], less = s->less[k];
    const unsigned shift = s->shift[k];

    LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++)
        to[l] = ((from[l] >> shift & keep) ^ flip) - less;
}

static INLINE void select_half(uint32_t *to, const uint32_t *from, const struct isa_stage *s, unsigned k)
{
    const uint32_t keep = s->keep[k], flip = s->flip[k];
    const unsigned shift = s->shift[k];

    LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++)
        to[l] = from[l] >> shift;
    floats_of_halves(to);
    LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++)
        to[l] = (to[l] & keep) ^ flip;
}

/* kinds: a bit for each that there may be. *valid: lanes that have a source which is on. */
static INLINE const uint32_t *staged_source(const uint32_t *v, const struct isa_unit_op *op, const struct isa_stage *s,
                                            const struct isa_wave *w, unsigned k, unsigned kinds, uint32_t *room,
                                            uint32_t *valid)
{
    bool pair = (kinds & 1 << STAGE_PAIR) && (s->pairs >> k & 1);
    const uint32_t *row = raw_source(v, op, s, w, k, room, pair);
    const unsigned kind = s->kind[k], words = pair ? 64 : 32;

    if ((kinds & KINDS_DPP) && s->dpp == k + 1) {
        *valid = move(s, w, op->half, room, row, words);
        row = room;
    }
    if (kind != STAGE_PLACE) {
        if ((kinds & 1 << STAGE_PAIR) && kind == STAGE_PAIR)
            pick_words(room, row, s->shift[k] & 1, s->shift[k] >> 1 & 1, op->constant >> k & 1 ? 0 : s->less[k],
                       s->keep[k], s->flip[k], 32);
        else if ((kinds & 1 << STAGE_PACKED) && kind == STAGE_PACKED)
            pick_halves(room, row, s->shift[k] & 1, s->shift[k] >> 1 & 1, s->flip[k], 32);
        else if ((kinds & 1 << STAGE_HALF) && kind == STAGE_HALF)
            select_half(room, row, s, k);
        else
            select_bits(room, row, s, k);
        row = room;
    }
    return op->around >> k & UNIT_FLUSHES_SOURCE ? flushed_words(room, row, words) : row;
}

/* What the modifiers make of the result; old: the register before. */
static __attribute__((noinline)) void staged_result(uint32_t *r, const uint32_t *old, const struct isa_unit_op *op,
                                                    const struct isa_stage *s, const struct isa_wave *w)
{
    const struct isa_inst *i = op->i;

    if (isa_types[s->type].bits == 16)
        clear_high(r);
    if (s->result & STAGE_CLAMPS)
        isa_clamp_rows((enum isa_type)s->type, r, w->mode.dx10_clamp);
    if (s->result & STAGE_SDWA)
        sdwa_write(r, old, &i->u.sdwa, 32);
    else if (s->result & STAGE_HIGH)
        LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++)
        r[l] = r[l] << 16 | (old[l] & 0xffff);
    else if (s->result & STAGE_HALVES) LANE_PRAGMA for (unsigned l = 0; l < 32; l++) r[l] |= old[l] & i->keep;
}

static INLINE void staged(uint32_t *v, const struct isa_unit_op *op, struct isa_wave *w, uint32_t active,
                          unsigned kinds)
{
    _Alignas(64) uint32_t room[3][64], result[64];
    const struct isa_stage *s = isa_stage_of(op);
    uint32_t *d = v + op->dst, valid = ALL_ON;
    const uint32_t *from[3] = {v, v, v};

    from[0] = staged_source(v, op, s, w, 0, kinds, room[0], &valid);
    if (s->sources > 1)
        from[1] = staged_source(v, op, s, w, 1, kinds, room[1], &valid);
    if (s->sources > 2)
        from[2] = staged_source(v, op, s, w, 2, kinds, room[2], &valid);
    if ((kinds & KINDS_DPP) && s->dpp)
        active &= (uint32_t)(s->on >> 32 * op->half) & (s->bound_ctrl ? ALL_ON : valid);
    bool pair = (kinds & 1 << STAGE_PAIR) && op->rows == 2, in_place = active == ALL_ON && !s->result && !pair;
    uint32_t *to = in_place ? d : result;
    struct isa_mode mode = w->mode;
    mode.neg = op->i->neg; /* which sources of integers are signed */
    uint32_t bits = s->whole(to, from[0], from[1], from[2], &mode, op->carry_in < 128 ? w->s[op->carry_in] : 0);
    if (op->carry_out < 128)
        w->s[op->carry_out] = bits & active;
    if (op->around & UNIT_FLUSHES_RESULT)
        flushed_words(to, to, s->pairs & 8 ? 64 : 32);
    if (in_place || !op->rows)
        return;
    if (s->result)
        staged_result(result, d, op, s, w);
    store_some(d, result, active);
    if (pair)
        store_some(d + w->lanes, result + 32, active);
}

/* The op after the last one with this stage. */
#define NEXT_STAGED (op + (op->stage == 1 ? 1 + UNIT_STAGE_OPS : 1))

#define HANDLER(NAME, KINDS)                                                                                           \
    void LANES_FN(isa_handle_staged_##NAME)(HANDLER_PARAMS)                                                            \
    {                                                                                                                  \
        staged(v, op, w, ALL_ON, KINDS);                                                                               \
        op = NEXT_STAGED;                                                                                              \
        op->run(v, op, w);                                                                                             \
    }

HANDLER(bits, 1 << STAGE_BITS)
HANDLER(moved, KINDS_DPP)
HANDLER(packed, 1 << STAGE_PACKED)
HANDLER(half, 1 << STAGE_HALF)
HANDLER(pairs, 1 << STAGE_PAIR)
HANDLER(any, ALL_ON)

void LANES_FN(isa_handle_part_staged)(HANDLER_PARAMS)
{
    staged(v, op, w, (uint32_t)(w->exec >> 32 * op->half), ALL_ON);
    op = NEXT_STAGED;
    op->part(v, op, w);
}
