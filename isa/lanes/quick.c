/* Runs ALU instructions the shortest way (isa/lanes/quick.h), one after the other. Compiled once per variant:
 * rows of scalars are written as wide as the row's loop reads them, or the host could not pass them on. */
#include "isa/lanes/quick.h"
#include "isa/lanes/quick_rows.h"
#include "isa/lanes/scalar.h"

static inline void spread(uint32_t *row, uint32_t v)
{
    for (unsigned k = 0; k < 32; k++)
        row[k] = v;
}

/* Row (rows) of source k: registers in place, or a scalar spread over `room`. */
static inline const uint32_t *source(const struct isa_wave *w, const struct isa_inst *i, unsigned k, uint32_t *room)
{
    const struct isa_quick *q = &i->u.quick;
    uint32_t at = q->src[k];

    if (!(q->scalar >> k & 1))
        return w->v + at;
    spread(room, at < 128 ? w->s[at] : (uint32_t)i->u.value[k]);
    if (__builtin_expect(q->wide >> k & 1, 0))
        spread(room + 32, at < 128 ? w->s[at + 1] : (uint32_t)(i->u.value[k] >> 32));
    return room;
}

void LANES_FN(isa_quick_odd)(struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_quick *q = &i->u.quick;
    _Alignas(64) uint32_t rows[3][64];
    const uint32_t *s0 = source(w, i, 0, rows[0]), *s1 = source(w, i, 1, rows[1]), *s2 = source(w, i, 2, rows[2]);
    uint32_t carries = q->carry_in < 128 ? w->s[q->carry_in] : 0;
    uint32_t bits = i->whole(w->v + q->dst, s0, s1, s2, &w->mode, carries);

    if (q->clears)
        clear_high(w->v + q->dst);
    if (q->carry_out < 128)
        sput_code32(w, q->carry_out, bits);
}

/* A wave64 is two halves of rows twice as long. */
void LANES_FN(isa_quick_halves)(struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_quick *q = &i->u.quick;
    _Alignas(64) uint32_t rows[3][32];
    const uint32_t *s[3];
    uint32_t *d = w->v + 2 * (size_t)q->dst;
    bool carries = q->carry_in < 128 && q->carry_in != w->target->code_null;
    uint64_t in = carries ? w->s[q->carry_in] | (uint64_t)w->s[q->carry_in + 1] << 32 : 0, bits;
    unsigned step[3];

    for (unsigned k = 0; k < 3; k++) {
        step[k] = q->scalar >> k & 1 ? 0 : 32;
        s[k] = step[k] ? w->v + 2 * (size_t)q->src[k] : rows[k];
        if (!step[k])
            spread(rows[k], q->src[k] < 128 ? w->s[q->src[k]] : (uint32_t)i->u.value[k]);
    }
    bits = i->whole(d, s[0], s[1], s[2], &w->mode, (uint32_t)in);
    bits |= (uint64_t)i->whole(d + 32, s[0] + step[0], s[1] + step[1], s[2] + step[2], &w->mode, (uint32_t)(in >> 32))
            << 32;
    if (q->clears) {
        clear_high(d);
        clear_high(d + 32);
    }
    if (q->carry_out < 128)
        sput_code64(w, q->carry_out, bits);
}

/* isa_quick_many() of a wave64 */
static const struct isa_inst *many_halves(struct isa_wave *w, const struct isa_inst *i, uint64_t *left, uint64_t *tally)
{
    const struct isa_inst *const from = i;
    uint64_t n = *left;

    for (; n; n--) {
        isa_exec *exec = __atomic_load_n(&i->exec, __ATOMIC_ACQUIRE);
        if (__builtin_expect(!exec || !isa_quick_ready(w, i), 0))
            break;
        if (i->quick_kind == QUICK_SCALAR)
            exec(w, i, NULL, NULL);
        else
            LANES_FN(isa_quick_halves)(w, i);
        tally[i->u.quick.tally]++;
        i = isa_quick_next(i);
    }
    *left = n;
    w->pc += (uint64_t)(i - from) * 4;
    return i;
}

const struct isa_inst *LANES_FN(isa_quick_many)(struct isa_wave *w, const struct isa_inst *i, uint64_t *left,
                                                uint64_t *tally)
{
    const struct isa_inst *const from = i;
    uint32_t *const v = w->v;
    uint64_t n = *left;

    if (w->special & SPECIAL_WAVE64)
        return many_halves(w, i, left, tally);

    for (; n; n--) {
        const struct isa_quick *q = &i->u.quick;
        isa_exec *exec = __atomic_load_n(&i->exec, __ATOMIC_ACQUIRE); /* stored when the rest is there */
        if (__builtin_expect(!exec || !isa_quick_ready(w, i), 0))
            break;
        if (i->quick_kind == QUICK_DIRECT)
            i->whole(v + q->dst, v + q->src[0], v + q->src[1], v + q->src[2], &w->mode, 0);
        else if (i->quick_kind == QUICK_ODD)
            LANES_FN(isa_quick_odd)(w, i);
        else
            exec(w, i, NULL, NULL);
        tally[q->tally]++;
        i = isa_quick_next(i);
    }
    *left = n;
    w->pc += (uint64_t)(i - from) * 4;
    return i;
}
